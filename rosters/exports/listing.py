"""The formations and elements of a roster for all text exports, with the points of the appraisal. No points are added
up here. If the appraisal has no points, no amount is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol
from unicodedata import category

from rosters.core.amounts import Amount, to_amount
from rosters.core.appraisals import Appraisal, AppraisedElement, AppraisedFormations, PricedElement, Rulebook
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.core.findings import Finding, path_to
from rosters.core.grammar import Grammar
from rosters.core.messages import translate
from rosters.core.rulebook import Terms
from rosters.exports.characteristics import Characteristics


class Game(Protocol):
    """The part of a system that exports need; ``registry.System`` has it."""

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> Rulebook: ...
    @property
    def grammar(self) -> Grammar: ...
    @property
    def characteristics_of(self) -> Callable[[Any, Terms[Any]], Characteristics]: ...


# ---------------------------------------------------------------- amounts and names


def single_line(text: str) -> str:
    """Text on one line, translated: whitespace collapsed, control characters removed."""
    return "".join(character for character in " ".join(translate(text).split()) if category(character) != "Cc")


def name_or(name: str, fallback: str) -> str:
    """A name on one line, or the fallback if the name is blank."""
    return single_line(name) or translate(fallback)


# ---------------------------------------------------------------- formations and elements


class ListedElement(NamedTuple):
    """An element with its findings; ``unit_points`` and ``points`` (of all its models) are None without points."""

    element: Element
    unit_points: Amount | None
    points: Amount | None
    description: str
    findings: tuple[Finding, ...]


class ListedFormation(NamedTuple):
    """A formation with its elements; ``points`` is None without points."""

    formation: Formation[Any]
    points: Amount | None
    items: tuple[ListedElement, ...]


def groups(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations) -> Iterator[ListedFormation]:
    """The formations of a roster in order, each with its elements."""
    findings_by_position: dict[str, list[Finding]] = {}
    for finding in appraisal.findings:
        findings_by_position.setdefault(finding.where, []).append(finding)

    def item(where: str, appraised: AppraisedElement, priced: PricedElement) -> ListedElement:
        findings = tuple(findings_by_position.get(where, ()))
        unit, points = (None, None) if appraisal.points is None else (priced.unit_points, priced.points)
        return ListedElement(appraised.element, unit, points, appraised.description, findings)

    pairs = zip(document.formations, appraisal.formations, strict=True)
    for f, (formation, priced) in enumerate(pairs):
        both = enumerate(zip(appraised[f].elements, priced.elements, strict=True))
        items = tuple(item(path_to(f, e), element, price) for e, (element, price) in both)
        yield ListedFormation(formation, None if appraisal.points is None else priced.points, items)


# ---------------------------------------------------------------- the roster


def budget(appraisal: Appraisal) -> Amount | None:
    """The points limit; None if there is none or points are hidden."""
    return None if appraisal.budget is None or appraisal.points is None else to_amount(appraisal.budget)


def scenario(document: AnyDocument, game: Game) -> str:
    """The names of scenario and side; "" for none."""
    chosen = game.rules.SCENARIOS.get(document.scenario or "")
    return chosen.side_label(document.side) if chosen else ""


def reasons(document: AnyDocument, appraisal: Appraisal) -> list[str]:
    """The errors of a roster, each with the name of the formation or element concerned."""
    errors = [finding for finding in appraisal.findings if finding.severity == "error"]
    texts = ((name_at(document, finding.where), finding.message) for finding in errors)
    return [": ".join(filter(None, map(single_line, pair))) for pair in texts]


def name_at(document: AnyDocument, where: str) -> str:
    """The name of the formation or element at a finding's position; "" for the roster."""
    _, *numbers = where.split("/")
    if not numbers:
        return ""
    formation = document.formations[int(numbers[0])]
    name: str = formation.name if len(numbers) == 1 else formation.elements[int(numbers[2])].name
    return name
