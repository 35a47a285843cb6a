"""Findings of the rules check and facts of a roster: what each code stands for, and which of them tell points.

PURE: the standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from rosters.core.amounts import Amount, format_exact, to_amount

Severity = Literal["error", "warning", "note"]


class Meaning(NamedTuple):
    """What a finding code stands for: its severity and one sentence for ``explain``.

    A finding that tells points is hidden together with them; each does unless it is declared otherwise, so that
    a forgotten declaration hides too much and never too little.
    """

    severity: Severity
    text: str
    tells_points: bool = True


def error(text: str, *, tells_points: bool = True) -> Meaning:
    return Meaning("error", text, tells_points)


def warning(text: str, *, tells_points: bool = True) -> Meaning:
    return Meaning("warning", text, tells_points)


def note(text: str, *, tells_points: bool = True) -> Meaning:
    return Meaning("note", text, tells_points)


class Fact(NamedTuple):
    """What a fact of an appraisal stands for. Like a finding, it tells points unless it is declared otherwise."""

    text: str
    tells_points: bool = True


class Problem(NamedTuple):
    """A finding before its place is known: a code and a sentence about this very case."""

    code: str
    message: str


class Finding(NamedTuple):
    """A result of the rules check. ``where`` is "", "formations/0" or "formations/0/elements/1"."""

    code: str
    severity: Severity
    where: str
    message: str


SHARED_FINDINGS: Mapping[str, Meaning] = {
    "house-rule": note("The roster departs from the rules as read: a house rule is in force.", tells_points=False),
    "over-budget": error("The roster is worth more points than its budget allows."),
}


def over_budget(points: Amount | None, budget: int | float | None) -> Iterator[Problem]:
    """The finding ``over-budget``, when there is a budget and the points exceed it."""
    if points is None or budget is None or points <= to_amount(budget):
        return
    over = format_exact(points - to_amount(budget))
    yield Problem(
        "over-budget",
        f"{format_exact(points)} points are {over} more than the budget of {format_exact(to_amount(budget))}.",
    )
