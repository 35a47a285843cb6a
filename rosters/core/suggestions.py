"""Suggestions beside the form of an element: the price of one step more or less of a stat, and what the rest buys."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rosters.core.amounts import Amount

if TYPE_CHECKING:
    from rosters.core.appraisals import Rulebook
    from rosters.core.documents import Element
    from rosters.core.rulebook import Terms

StatValues = Sequence[int | None]
"""The values of a stat in steps, the cheapest first."""


class StatStep(NamedTuple):
    """The next value of a stat, and the change of the element's price; None in a game without points."""

    value: int | None
    change: Amount | None


Steps = tuple[StatStep | None, StatStep | None]
"""The cheaper and the dearer step of a stat; None at an end of its ladder."""


def next_steps(
    element: Element, stat_values: Mapping[str, StatValues], rules: Rulebook, terms: Terms[Any]
) -> dict[str, Steps]:
    """Both steps of each stat of an element. Prices this one element only, as its receipt does."""
    receipt = rules.price(element, terms)

    def step(name: str, value: int | None) -> StatStep:
        other = rules.price(element.model_copy(update={name: value}), terms)
        return StatStep(value, other.unit_points - receipt.unit_points if receipt and other else None)

    def steps(name: str, ladder: StatValues) -> Steps:
        below, above = _places(ladder, getattr(element, name))
        return (
            step(name, ladder[below]) if below >= 0 else None,
            step(name, ladder[above]) if above < len(ladder) else None,
        )

    return {name: steps(name, ladder) for name, ladder in stat_values.items()}


def _places(ladder: StatValues, value: int | None) -> tuple[int, int]:
    """The positions before and after a value on a ladder; for a number between two values, those two."""
    if value in ladder:
        place = ladder.index(value)
        return place - 1, place + 1
    if isinstance(ladder, range) and value is not None:
        return bisect_left(ladder, value) - 1, bisect_right(ladder, value)
    return -1, len(ladder)


class Fit(NamedTuple):
    """How many more of an element the remaining points buy."""

    name: str
    number: int


def best_purchase(left: Amount, prices: Iterable[tuple[str, Amount]]) -> Fit | None:
    """The element that uses most of the remaining points, the first of several; None if none fits.

    ``prices`` are names with the points of one element.
    """
    fits = [(left % each, Fit(name, int(left // each))) for name, each in prices if 0 < each <= left]
    return min(fits, key=lambda fit: fit[0])[1] if fits else None
