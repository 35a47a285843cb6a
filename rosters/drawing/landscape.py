"""A map of hills, woods, a river, roads and a village in a zebra frame, for counters to lie on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, exp
from typing import NamedTuple

from rosters.core.messages import _
from rosters.drawing.primitives import Paint, Path, Picture, Point, Rect, Segment, Shape, Text, path

WIDTH, HEIGHT, PEN = 640.0, 430.0, 1.0
EDGE, FRAME = 12.5, 5.5
"""The distance of the frame from the edge of the picture, and its width."""
STEP = 10
"""The distance of the points between which contours are interpolated."""
LEVELS = (1.2, 2.2, 3.2, 4.2, 5.2, 6.2, 7.2, 8.2, 9.2)


class Hill(NamedTuple):
    """A summit with its height, and how far it reaches across and along."""

    x: float
    y: float
    height: float
    across: float
    along: float


HILLS = (
    Hill(120, 110, 9, 120, 80),
    Hill(250, 60, 5, 90, 60),
    Hill(500, 330, 10, 130, 90),
    Hill(430, 110, 6, 90, 70),
    Hill(150, 370, 5, 110, 60),
    Hill(600, 140, 4, 80, 90),
)
RIVER = (
    "M15 241C90 223 120 273 200 255C280 237 300 173 372 203C444 233 480 255 540 219C600 183 600 188 625 187V201"
    "C600 202 600 197 540 233C480 269 444 247 372 217C300 187 280 251 200 269C120 287 90 237 15 255Z"
)
WOODS = (
    "M50 300C70 274 110 278 126 294C142 310 170 298 172 324C174 350 138 358 118 354C98 350 72 364 54 346"
    "C36 328 38 316 50 300Z",
    "M452 44C476 30 512 36 524 54C536 72 554 76 542 94C530 112 498 108 480 102C462 96 446 102 440 86"
    "C434 70 440 52 452 44Z",
)
ROADS = (
    "M96 412C150 355 230 320 300 220C370 120 410 90 533 18",
    "M18 153C130 172 220 190 304 214C388 238 520 318 622 333",
)
HOUSES = (
    (286, 188, 12, 8),
    (304, 192, 8, 11),
    (319, 232, 13, 8),
    (284, 238, 9, 9),
    (338, 210, 8, 10),
    (266, 214, 10, 7),
)
TREES = ((70, 318), (96, 302), (120, 332), (146, 316), (84, 342), (462, 62), (488, 88), (510, 58), (526, 90), (478, 44))
NAMES = ((_("Beacon Hill"), 246, 62), (_("Millbrook"), 312, 275), (_("The Wood"), 110, 376), (_("Limekiln"), 470, 398))
LAND, WOOD, WATER = Paint(fill="land"), Paint(fill="wood"), Paint(fill="water")
CONTOUR, INDEX = Paint(stroke="contour", weight="edge"), Paint(stroke="contour", weight="bold")
TREE = Paint(stroke="line", weight="hair")
ROAD, HOUSE = Paint(stroke="road", weight="bold"), Paint(fill="town")
FRAME_LINE, FRAME_BAR = Paint(stroke="line"), Paint(fill="line")


def landscape() -> Picture:
    """The map."""
    weights, corners = (CONTOUR, CONTOUR, CONTOUR, INDEX), (_corners(WIDTH), _corners(HEIGHT))
    heights = {(x, y): _height(x, y) for x in corners[0] for y in corners[1]}
    shapes: tuple[Shape, ...] = (
        Rect(EDGE, EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE, 0, LAND),
        *(path(wood, WOOD) for wood in WOODS),
        path("".join(f"M{x} {y}l4 -7l4 7M{x + 8} {y + 3}l3 -5l3 5" for x, y in TREES), TREE),
        *(Path(tuple(_contour(level, *corners, heights)), weights[number % 4]) for number, level in enumerate(LEVELS)),
        path(RIVER, WATER),
        *(path(road, ROAD) for road in ROADS),
        *(Rect(*house, 0, HOUSE) for house in HOUSES),
        *(Text(x, y, name, 14, paint=HOUSE) for name, x, y in NAMES),
        *_frame(),
    )
    return Picture("map", WIDTH, HEIGHT, PEN, shapes)


def _corners(size: float) -> Sequence[float]:
    """Where the squares of the map begin and end along a side; the last one is cut by the frame."""
    start, end = EDGE + FRAME, size - EDGE - FRAME
    return [*(start + STEP * number for number in range(ceil((end - start) / STEP))), end]


def _height(x: float, y: float) -> float:
    return sum(
        hill.height * exp(-(((x - hill.x) / hill.across) ** 2) - ((y - hill.y) / hill.along) ** 2) for hill in HILLS
    )


def _contour(
    level: float, xs: Sequence[float], ys: Sequence[float], heights: Mapping[Point, float]
) -> Iterator[Segment]:
    """The lines at one height: the crossings of the edges of each square, joined to lines that are as long as they are.

    A square with four crossings, on a saddle, has two lines that do not touch.
    """
    beyond: dict[Point, list[Point]] = {}
    for top, bottom in pairwise(ys):
        for left, right in pairwise(xs):
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            ends = [
                end
                for one, two in zip(corners, (*corners[1:], corners[0]), strict=True)
                if (end := _crossing(one, two, level, heights))
            ]
            for one, two in zip(ends[::2], ends[1::2], strict=False):
                beyond.setdefault(one, []).append(two)
                beyond.setdefault(two, []).append(one)
    # Open lines begin at the frame, so they are followed from an end; what is left then is closed.
    for start in sorted(beyond, key=lambda point: len(beyond[point])):
        here, command = start, "M"
        while beyond[start] or here != start:
            yield Segment("M" if command == "M" else "L", (here,))
            command = "L"
            if not beyond[here]:
                break
            there = beyond[here].pop()
            beyond[there].remove(here)
            here = there
        else:
            if command == "L":
                yield Segment("Z")


def _crossing(one: Point, two: Point, level: float, heights: Mapping[Point, float]) -> Point | None:
    """Where the line between two corners has a height, the same from both; None if it is all above or all below."""
    one, two = min(one, two), max(one, two)
    low, high = heights[one], heights[two]
    if (low < level) == (high < level):
        return None
    share = (level - low) / (high - low)
    return round(one[0] + share * (two[0] - one[0]), 1), round(one[1] + share * (two[1] - one[1]), 1)


def _frame() -> Iterator[Shape]:
    """Two lines, and dark bars between them."""
    yield Rect(EDGE, EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE, 0, FRAME_LINE)
    inner = EDGE + FRAME
    across, along = (WIDTH - 2 * inner) / 20, (HEIGHT - 2 * inner) / 14
    for number in range(0, 20, 2):
        for y in (EDGE, HEIGHT - inner):
            yield Rect(inner + number * across, y, across, FRAME, 0, FRAME_BAR)
    for number in range(0, 14, 2):
        for x in (EDGE, WIDTH - inner):
            yield Rect(x, inner + number * along, FRAME, along, 0, FRAME_BAR)
    yield Rect(inner, inner, WIDTH - 2 * inner, HEIGHT - 2 * inner, 0, FRAME_LINE)
