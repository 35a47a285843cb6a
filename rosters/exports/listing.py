"""A roster as every text export lists it: its formations and elements, with the points as the appraisal has them.

PURE. Nothing is added up here. Where the appraisal has no points, no amount is listed at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol
from unicodedata import category

from rosters.core.amounts import Amount, format_amount, to_amount
from rosters.core.appraisals import Appraisal, Line, Lines, PricedElement, PricedFormation, Rulebook
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.core.findings import Finding


class Game(Protocol):
    """What an export has to know of a game; ``registry.System`` is one."""

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> Rulebook: ...


# ---------------------------------------------------------------- amounts and names


def single_line(text: str) -> str:
    """Text as one line: runs of space as one, and no control characters."""
    return "".join(sign for sign in " ".join(text.split()) if category(sign) != "Cc")


def name_or(name: str, otherwise: str) -> str:
    """A name as one line; where nothing of it can be seen, another word."""
    return single_line(name) or otherwise


# ---------------------------------------------------------------- formations and elements


class Item(NamedTuple):
    """An element: ``each`` and ``points`` (of all) as shown, "" without points; its own findings."""

    element: Element
    each: str
    points: str
    description: str
    findings: tuple[Finding, ...]


class Group(NamedTuple):
    """A formation: its points as shown, "" without points."""

    formation: Formation[Any]
    points: str
    items: tuple[Item, ...]


def groups(document: AnyDocument, appraisal: Appraisal, lines: Lines) -> Iterator[Group]:
    """The formations of a roster in turn, each with its elements."""
    found: dict[str, list[Finding]] = {}
    for finding in appraisal.findings:
        found.setdefault(finding.where, []).append(finding)

    def item(where: str, line: Line, priced: PricedElement) -> Item:
        each, points = _unless_hidden(appraisal, priced.each), _points(appraisal, priced)
        return Item(line.element, each, points, line.description, tuple(found.get(where, ())))

    pairs = zip(document.formations, appraisal.formations, strict=True)
    for f, (formation, priced) in enumerate(pairs):
        both = enumerate(zip(lines[f], priced.elements, strict=True))
        items = tuple(item(f"formations/{f}/elements/{e}", line, price) for e, (line, price) in both)
        yield Group(formation, _points(appraisal, priced), items)


def _points(appraisal: Appraisal, priced: PricedElement | PricedFormation) -> str:
    return _unless_hidden(appraisal, priced.points)


def _unless_hidden(appraisal: Appraisal, amount: Amount | None) -> str:
    return "" if appraisal.points is None else format_amount(amount)


# ---------------------------------------------------------------- the whole


def budget(appraisal: Appraisal) -> str:
    """The limit as shown; "" without one, or where points are hidden."""
    return "" if appraisal.budget is None else _unless_hidden(appraisal, to_amount(appraisal.budget))


def scenario(document: AnyDocument, game: Game) -> str:
    """Scenario and side in words; "" for none."""
    found = game.rules.SCENARIOS.get(document.scenario or "")
    names = [found.name, found.sides.get(document.side or "", "")] if found else []
    return ", ".join(name for name in names if name)


def reasons(document: AnyDocument, appraisal: Appraisal) -> list[str]:
    """Why a roster is not legal: its errors, each with the name of what it is about."""
    errors = [finding for finding in appraisal.findings if finding.severity == "error"]
    return [_reason(single_line(about(document, finding.where)), single_line(finding.message)) for finding in errors]


def _reason(name: str, message: str) -> str:
    return f"{name}: {message}" if name else message


def about(document: AnyDocument, where: str) -> str:
    """The name of the formation or element that a finding's place leads to; "" for the roster."""
    _, *numbers = where.split("/")
    if not numbers:
        return ""
    formation = document.formations[int(numbers[0])]
    name: str = formation.name if len(numbers) == 1 else formation.elements[int(numbers[2])].name
    return name
