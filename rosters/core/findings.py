"""Findings of the rules check and facts of a roster: what each code means, and which of them reveal points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from rosters.core.amounts import Amount, format_amount, to_amount
from rosters.core.messages import _

Severity = Literal["error", "warning", "note"]
SEVERITIES = ("error", "to-do", "warning", "note")
"""From the worst on. An owner is shown as to do what others are shown as an error: `FindingType.missing`."""


class FindingType(NamedTuple):
    """The meaning of a finding code: its severity, one sentence, why it matters, and where the rulebook says so.

    The texts are Messages; ``source`` is a section of the rulebook, or "". A finding that reveals points is hidden
    together with them. That is the default, so that a forgotten declaration hides too much rather than too little.
    ``missing`` is what a roster lacks while it is being built, such as a general.
    """

    severity: Severity
    text: str
    why: str
    source: str = ""
    reveals_points: bool = True
    missing: bool = False


def error(text: str, why: str, source: str = "", *, reveals_points: bool = True, missing: bool = False) -> FindingType:
    return FindingType("error", text, why, source, reveals_points, missing)


def warning(text: str, why: str, source: str = "", *, reveals_points: bool = True) -> FindingType:
    return FindingType("warning", text, why, source, reveals_points)


def note(text: str, why: str, source: str = "", *, reveals_points: bool = True) -> FindingType:
    return FindingType("note", text, why, source, reveals_points)


class Fact(NamedTuple):
    """The label and the meaning of a fact, Messages. Like a finding, it reveals points unless declared otherwise.

    Pages show a fact of a ``scenario`` only in rosters for it; what ``counts_losses`` of elements, also as boxes.
    """

    label: str
    text: str
    reveals_points: bool = True
    scenario: str = ""
    counts_losses: bool = False


class Problem(NamedTuple):
    """A finding of one element, formation or roster, before its place is known: a code and a Message."""

    code: str
    message: str


class Finding(NamedTuple):
    """A result of the rules check. ``where`` is "" for the roster, else by `path_to`."""

    code: str
    severity: Severity
    where: str
    message: str


def path_to(formation: int, element: int | None = None) -> str:
    """Where a formation or an element is in a document, by index: "formations/0" or "formations/0/elements/1"."""
    return f"formations/{formation}" if element is None else f"formations/{formation}/elements/{element}"


SHARED_FINDINGS: Mapping[str, FindingType] = {
    "house-rule": note(
        _("A house rule is in force, which departs from the rules as read."),
        _(
            "The rulebook is open here, or players often depart from it. Both sides should play by the same "
            "house rules."
        ),
        reveals_points=False,
    ),
    "over-budget": error(
        _("The roster exceeds its points limit."),
        _(
            "A points limit keeps both sides equal: above it the roster is stronger than was agreed. You can "
            "still save and print it."
        ),
    ),
    "hidden": error(
        _("Something that the owner hides from others is not legal."),
        _("The owner hides part of this roster, and the rules check covers all of it. Ask the owner."),
        reveals_points=False,
    ),
    "something-secret": note(
        _("The owner keeps elements secret: others see neither them nor their number."),
        _("An opponent need not know everything before the game. The owner reveals it in play."),
        reveals_points=False,
    ),
}


def over_budget(points: Amount | None, budget: int | float | None) -> Iterator[Problem]:
    """The finding ``over-budget`` if there is a points limit and the points exceed it."""
    if points is None or budget is None or points <= to_amount(budget):
        return
    message = _("The roster is worth {points}, {over} above its points limit of {limit}.").format(
        points=format_amount(points),
        over=format_amount(points - to_amount(budget)),
        limit=format_amount(to_amount(budget)),
    )
    yield Problem("over-budget", message)


def findings_by_position(findings: Iterable[Finding]) -> Mapping[str, Sequence[Finding]]:
    """Findings by where they are, errors first."""
    placed: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)):
        placed.setdefault(finding.where, []).append(finding)
    return placed
