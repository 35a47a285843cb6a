"""The bar of points: what formations or categories of elements are worth, beside the points limit."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from rosters.core.amounts import Amount, to_amount
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument
from rosters.core.messages import _

MAX_SHARES = 5
"""The bar has no more parts than this; the smallest ones are counted together."""


class PointsShare(NamedTuple):
    """A part of the bar: a formation or a category, its points, and its place in percent of the bar."""

    name: str
    points: Amount
    left: float
    width: float


def points_shares(
    document: AnyDocument, appraisal: Appraisal, category: Callable[[Any], str]
) -> tuple[PointsShare, ...]:
    """The parts of the bar: formations, or categories where there is one formation or more than `MAX_SHARES`.

    The bar is as wide as the points limit, or as the points where there is none or they are above it. No part where
    points are hidden. Elements without a category are counted with their formation.
    """
    if appraisal.points is None:
        return ()
    parts: dict[str, list[Amount]] = defaultdict(list)
    formations = list(zip(document.formations, appraisal.formations, strict=True))
    for formation, priced in formations:
        if 1 < len(formations) <= MAX_SHARES:
            parts[formation.name].append(priced.points or 0)
            continue
        for element, each in zip(formation.elements, priced.elements, strict=True):
            parts[category(element) or formation.name].append(each.points or 0)
    sums = ((name, _sum(points)) for name, points in parts.items())
    named = _largest([(name, points) for name, points in sums if points > 0])
    length = max(sum(points for _name, points in named), to_amount(appraisal.budget or 0))
    ends = [0.0, *(float(Fraction(100 * end) / length) for end in accumulate(points for _name, points in named))]
    return tuple(
        PointsShare(name, points, round(left, 2), round(right - left, 2))
        for (name, points), (left, right) in zip(named, pairwise(ends), strict=True)
    )


def _largest(named: list[tuple[str, Amount]]) -> list[tuple[str, Amount]]:
    if len(named) <= MAX_SHARES:
        return named
    named = sorted(named, key=itemgetter(1), reverse=True)
    return [*named[: MAX_SHARES - 1], (_("Others"), sum(points for _name, points in named[MAX_SHARES - 1 :]))]


def _sum(points: Iterable[Amount]) -> Amount:
    """The sum, of equal denominators first: adding a thousand fractions one by one takes a millisecond."""
    numerators: dict[int, int] = defaultdict(int)
    for each in points:
        numerators[each.denominator] += each.numerator
    return sum(Fraction(numerator, denominator) for denominator, numerator in numerators.items())
