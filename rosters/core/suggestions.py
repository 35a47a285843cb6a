"""Suggestions beside the form of an element: the price of one step of a stat, and what the remaining points buy."""

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
"""The values of a stat that its step buttons set, the cheapest first."""


class StatStep(NamedTuple):
    """The next value of a stat, and the change of the element's price; None in a game without points."""

    value: int | None
    change: Amount | None


Steps = tuple[StatStep | None, StatStep | None]
"""The next cheaper and the next more expensive value of a stat; None beyond the last one."""


def next_steps(
    element: Element, stat_values: Mapping[str, StatValues], rules: Rulebook, terms: Terms[Any]
) -> dict[str, Steps]:
    """Both steps of each stat of an element. Prices this one element only, as its receipt does."""
    receipt = rules.price(element, terms)

    def step(name: str, value: int | None) -> StatStep:
        other = rules.price(element.replace(**{name: value}), terms)
        return StatStep(value, other.unit_points - receipt.unit_points if receipt and other else None)

    def steps(name: str, values: StatValues) -> Steps:
        below, above = _neighbors(values, getattr(element, name))
        return (
            step(name, values[below]) if below >= 0 else None,
            step(name, values[above]) if above < len(values) else None,
        )

    return {name: steps(name, values) for name, values in stat_values.items()}


def _neighbors(values: StatValues, value: int | None) -> tuple[int, int]:
    """The positions before and after a value; for a number between two values, those of the two."""
    if value in values:
        position = values.index(value)
        return position - 1, position + 1
    if isinstance(values, range) and value is not None:
        return bisect_left(values, value) - 1, bisect_right(values, value)
    return -1, len(values)


class Purchase(NamedTuple):
    """How many more of an element the remaining points buy."""

    name: str
    number: int


def best_purchase(left: Amount, prices: Iterable[tuple[str, Amount]]) -> Purchase | None:
    """The element that uses most of the remaining points, the first of several; None if none fits.

    ``prices`` are names with the points of one element.
    """
    purchases = [(left % each, Purchase(name, int(left // each))) for name, each in prices if 0 < each <= left]
    return min(purchases, key=lambda each: each[0])[1] if purchases else None
