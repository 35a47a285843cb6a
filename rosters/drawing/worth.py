"""Plots of price against worth: a curve over the values of a stat, and a strip for one purchase.

A table beside each has the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log2
from typing import NamedTuple

from rosters.drawing.primitives import SOLID, THIN, Circle, Paint, Picture, Rect, Shape, Text, path, polygon

GRID, ONE = Paint(stroke="line", weight="hair"), Paint(stroke="line", weight="line")
HOLLOW = Paint(fill="box", stroke="ink")
BAND, DASHED = Paint(fill="tile"), Paint(stroke="ink", weight="thin", dashed=True)
BOLD = Paint(stroke="ink", weight="bold")
CURVE = (232.0, 150.0)
"""The width and height of a curve."""
STRIP = (200.0, 22.0)
"""The width and height of a strip."""
FONT_SIZE = 11.0
"""The size of text."""
MAX_DOUBLINGS = 3
"""Doublings on either side of the plain element that a plot shows at most."""
TICKS = {-3: "⅛", -2: "¼", -1: "½", 0: "1", 1: "2", 2: "4", 3: "8"}


class Point(NamedTuple):
    """A purchase, in times the plain one. ``low`` to ``high`` is the interval of its worth; without ``worth`` the one
    of both that is known is its bound.
    """

    label: str
    price: float | None
    worth: float | None
    low: float | None
    high: float | None


class Scale(NamedTuple):
    """The doublings that an axis shows, and its ends in the picture."""

    low: int
    high: int
    start: float
    end: float

    def at(self, times: float) -> float:
        """The coordinate of a number, at an end if it is beyond."""
        share = (log2(max(times, 1e-9)) - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0), 1) * (self.end - self.start)


def span(points: Iterable[Point]) -> tuple[int, int]:
    """The doublings that show some points."""
    numbers = [log2(each) for point in points for each in (point.price, point.low, point.high) if each]
    low, high = floor(min(numbers, default=0)), ceil(max(numbers, default=0))
    return max(min(low, -1), -MAX_DOUBLINGS), min(max(high, 1), MAX_DOUBLINGS)


def strip(point: Point, doublings: tuple[int, int]) -> Picture:
    """One purchase on a level axis: a square at its price, a dot at its worth with its interval."""
    width, height = STRIP
    scale, middle = Scale(*doublings, 6, width - 6), height / 2
    shapes: list[Shape] = [
        path(f"M{scale.at(2**tick):.2f} 1V{height - 1}", GRID if tick else ONE)
        for tick in range(doublings[0], doublings[1] + 1)
    ]
    price, ends = scale.at(point.price or 1), _ends(point, scale)
    if point.price is not None:
        left, right = sorted((price, scale.at(_middle(point))))
        shapes.append(Rect(left, middle - 3, right - left, 6, paint=BAND))
    shapes.append(path(f"M{ends[0]:.2f} {middle}H{ends[1]:.2f}", BOLD))
    if point.price is not None:
        shapes.append(Rect(price - 4, middle - 4, 8, 8, paint=HOLLOW))
    shapes += _mark(point, scale.at(_middle(point)), middle, upright=False)
    return Picture("strip", width, height, 1, tuple(shapes))


def axis(doublings: tuple[int, int]) -> Picture:
    """The numbers above strips."""
    scale = Scale(*doublings, 6, STRIP[0] - 6)
    ticks = range(doublings[0], doublings[1] + 1)
    labels = (Text(scale.at(2**tick), FONT_SIZE, TICKS[tick], FONT_SIZE) for tick in ticks)
    return Picture("strip", STRIP[0], FONT_SIZE + 3, 1, tuple(labels))


def curve(points: Sequence[Point], values: Sequence[str], doublings: tuple[int, int]) -> Picture:
    """Price (squares, dashed) and worth (dots with intervals) over the values of a stat."""
    width, height = CURVE
    scale, left = Scale(*doublings, height - 22, 8), 24.0
    step = (width - left - 8) / len(points)
    xs = [left + step * (number + 0.5) for number in range(len(points))]
    shapes: list[Shape] = []
    for tick in range(doublings[0], doublings[1] + 1):
        y = scale.at(2**tick)
        shapes.append(path(f"M{left} {y:.2f}H{width}", GRID if tick else ONE))
        shapes.append(Text(left - 5, y + FONT_SIZE / 3, TICKS[tick], FONT_SIZE, "end"))
    shapes += (Text(x, height - 5, value, FONT_SIZE) for x, value in zip(xs, values, strict=True))
    prices = [(x, scale.at(point.price)) for x, point in zip(xs, points, strict=True) if point.price is not None]
    worths = [(x, scale.at(_middle(point))) for x, point in zip(xs, points, strict=True)]
    shapes += [*_line(prices, DASHED), *_line(worths, BOLD)]
    shapes += (Rect(x - 3.5, y - 3.5, 7, 7, paint=HOLLOW) for x, y in prices)
    for (x, y), point in zip(worths, points, strict=True):
        low, high = _ends(point, scale)
        shapes.append(path(f"M{x:.2f} {low:.2f}V{high:.2f}", BOLD))
        shapes += _mark(point, x, y, upright=True)
    return Picture("plot", width, height, 1, tuple(shapes))


def legend(kind: str) -> Picture:
    """The mark of a price or of a worth."""
    if kind == "price":
        return Picture("worth-mark", 20, 14, 1, (path("M0 7H20", DASHED), Rect(6.5, 3.5, 7, 7, paint=HOLLOW)))
    return Picture("worth-mark", 20, 14, 1, (path("M0 7H20", BOLD), Circle(10, 7, 3.5)))


def _middle(point: Point) -> float:
    return next(each for each in (point.worth, point.low, point.high) if each is not None)


def _ends(point: Point, scale: Scale) -> tuple[float, float]:
    """The ends of the interval; what has a bound alone has none."""
    if point.worth is None:
        return (scale.at(_middle(point)),) * 2
    return scale.at(point.low or 0), scale.at(point.high or 0)


def _mark(point: Point, x: float, y: float, *, upright: bool) -> Iterator[Shape]:
    """A dot at a worth; an arrow where only its bound is known."""
    if point.worth is not None:
        yield Circle(x, y, 3.5)
        return
    out = 6 if point.high is None else -6
    corners = [(x - 4, y), (x + 4, y), (x, y - out)] if upright else [(x, y - 4), (x, y + 4), (x + out, y)]
    yield polygon(corners, SOLID)


def _line(points: Sequence[tuple[float, float]], paint: Paint) -> Iterator[Shape]:
    if len(points) > 1:
        yield path("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points), paint if paint is DASHED else THIN)
