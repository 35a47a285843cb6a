"""Terrain of a table from above: six layouts that are alike from both long edges, and the key of their kinds."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from rosters.drawing.primitives import Box, Paint, Path, Picture, Point, Rect, Segment, Shape, Shapes, path, placed

CANVAS = 12, 8
"""The field in which layouts are written, y downwards; they are stretched to a table and set to its fields."""
PEN = 0.6


Curve = tuple[Point, Point, Point, Point]
"""A Bézier curve."""


class Feature(NamedTuple):
    """Terrain of a kind in a rectangle."""

    kind: str
    x: float
    y: float
    width: float
    height: float


class Layout(NamedTuple):
    """Half of the features of a table, the other half is the same turned around; roads and a river from edge to edge,
    which are their own other half.
    """

    features: tuple[Feature, ...]
    roads: tuple[Curve, ...] = ()
    river: Curve | None = None


def _features(text: str) -> tuple[Feature, ...]:
    return tuple(Feature(words[0], *map(float, words[1:])) for line in text.split(";") if (words := line.split()))


LAYOUTS = (
    Layout(
        _features("town 6.6 2.3 1.2 1; town 4.4 2.5 1 1; wood 1 2.1 2 1.3; hill 8.8 1.9 2.2 1.2"),
        (((6, 0), (5.6, 2.7), (6.4, 5.3), (6, 8)), ((0, 4.6), (4, 4.6), (8, 3.4), (12, 3.4))),
    ),
    Layout(
        _features("wood 2.2 2.2 2.2 1.4; town 7 1.9 1.2 1; hill 10 4.2 1.8 1.6; rough 9.4 1.8 1.6 .9"),
        (((6, 0), (6.5, 3), (5.5, 5), (6, 8)),),
        ((0, 4.9), (3.5, 5.2), (8.5, 2.8), (12, 3.1)),
    ),
    Layout(_features("hill 4.2 3.1 3.6 1.8; wood 1.2 2.2 1.8 1.6; rough 8.6 2 1.6 1; town 5 1.9 1.4 1")),
    Layout(
        _features("wood .8 2 2.2 1.2; wood 3.8 2.6 1.8 1.2; wood 7.4 1.9 1.6 1; rough 10 2.1 1.2 1"),
        (((0, 4), (4, 5), (8, 3), (12, 4)),),
    ),
    Layout(
        _features("town 4.4 2.4 1.2 1; town 6.6 2.4 1.2 1; town 2.8 2.6 1 1; wall 8.4 2.4 1.4 1; wood .6 2 1.6 1.4"),
        (((6, 0), (6, 3), (6, 5), (6, 8)), ((0, 4), (4, 4), (8, 4), (12, 4))),
    ),
    Layout(_features("rough 4.6 3.2 2.8 1.6; hill 1.4 2.1 2.4 1.5; wood 8.4 2 2 1.3; wall 5.4 1.9 1.4 1")),
)


class Terrain(NamedTuple):
    """What is on a table of so many fields: features in whole fields, roads and a river in those of a layout."""

    fields: tuple[int, int]
    features: tuple[Feature, ...]
    roads: tuple[Curve, ...]
    river: Curve | None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that is there, once."""
        curves = ("river",) * (self.river is not None) + ("road",) * bool(self.roads)
        return tuple(dict.fromkeys((*(each.kind for each in self.features), *curves)))

    def picture(self, side: float) -> Picture:
        """The table from above with fields of this side."""
        columns, rows = self.fields
        scale_x, scale_y = columns / CANVAS[0] * side, rows / CANVAS[1] * side
        shapes: list[Shape] = list(_river(_stretched(self.river, scale_x, scale_y), side) if self.river else ())
        shapes += (_band(_stretched(road, scale_x, scale_y), side * 0.07, ROAD) for road in self.roads)
        for kind, x, y, width, height in self.features:
            shapes += placed(DRAW[kind](width * side, height * side), x * side, y * side)
        return Picture("terrain", columns * side, rows * side, PEN, tuple(shapes))


def terrain(number: int, fields: tuple[int, int], kinds: Container[str], clear: Sequence[Box] = ()) -> Terrain:
    """A layout on a table of so many fields: features of these kinds, and none in the rectangles to ``clear``, which
    are in fields.
    """
    layout = LAYOUTS[number]
    features = (each for each in _placed(layout, fields) if each.kind in kinds and not _overlaps(each, clear))
    roads, river = layout.roads if "road" in kinds else (), layout.river if "river" in kinds else None
    return Terrain(fields, tuple(features), roads, river)


def swatch(kind: str, width: float, height: float) -> Picture:
    """A kind of terrain as in the key of a table."""
    middle = ((0, height * 0.5), (width * 0.3, height * 0.2), (width * 0.7, height * 0.8), (width, height * 0.5))
    if kind == "river":
        shapes = _river(middle, height * 2.2, bridges=())
    elif kind == "road":
        shapes = (_band(middle, height * 0.14, ROAD),)
    else:
        shapes = DRAW[kind](width, height)
    return Picture("terrain", width, height, PEN, shapes)


def building(width: float, height: float) -> Picture:
    """A large building: walls around a court, with a tower at each corner and a gate."""
    tower = min(width, height) * 0.3
    inset, gate = tower * 0.25, tower * 0.8
    corners = ((x, y) for x in (0, width - tower) for y in (0, height - tower))
    shapes = (
        Rect(inset, inset, width - 2 * inset, height - 2 * inset, 0, HOUSE),
        Rect(2.6 * inset, 2.6 * inset, width - 5.2 * inset, height - 5.2 * inset, 0, COURT),
        Rect((width - gate) / 2, height - 2.6 * inset, gate, 1.6 * inset, 0, COURT),
        *(Rect(x, y, tower, tower, 0, HOUSE) for x, y in corners),
    )
    return Picture("terrain", width, height, PEN, shapes)


def _placed(layout: Layout, fields: tuple[int, int]) -> Iterator[Feature]:
    """The features of both halves in whole fields, one at least; one in the middle once."""
    columns, rows = fields
    features: dict[Feature, None] = {}
    for kind, x, y, width, height in layout.features:
        left, right = (round(at * columns / CANVAS[0]) for at in (x, x + width))
        top, bottom = (round(at * rows / CANVAS[1]) for at in (y, y + height))
        size = max(right - left, 1), max(bottom - top, 1)
        features[Feature(kind, left, top, *size)] = None
        features[Feature(kind, columns - left - size[0], rows - top - size[1], *size)] = None
    yield from features


def _overlaps(feature: Feature, boxes: Iterable[Box]) -> bool:
    right, bottom = feature.x + feature.width, feature.y + feature.height
    return any(feature.x < box[2] and box[0] < right and feature.y < box[3] and box[1] < bottom for box in boxes)


def _stretched(points: Curve, scale_x: float, scale_y: float) -> Curve:
    one, two, three, four = ((x * scale_x, y * scale_y) for x, y in points)
    return one, two, three, four


# ---------------------------------------------------------------- kinds of terrain

WOOD, WATER, ROAD = Paint("wood", "contour"), Paint("water", "contour"), Paint("paper", "road")
CONTOUR, HOUSE, WALL = Paint(stroke="contour"), Paint("pearl", "town"), Paint(stroke="town", weight="bold")
COURT = Paint("paper", "town")
INSET = 1.2
"""The distance from the edge of its fields to the outline of a feature."""
TREE = path("M-1.3-.7A1.3 1.3 0 0 1 1.3-.7A1.3 1.3 0 0 1-1.3-.7ZM0 .6V1.9", Paint("paper", "contour"))
TUFT = path("M-1.2 1.2L-1.7-.8M0 1.2V-1.4M1.2 1.2L1.7-.8", CONTOUR)


def _scattered(sign: Path, width: float, height: float, step: float) -> Iterator[Shape]:
    """A sign again and again inside an outline, every second row half a step aside."""
    rows, columns = max(int(height / step), 1), max(int(width / step), 1)
    for row in range(rows):
        for column in range(columns - row % 2 if columns > 1 else columns):
            x, y = (column - (columns - 1 - row % 2) / 2) * step, (row - (rows - 1) / 2) * step
            if (2 * x / width) ** 2 + (2 * y / height) ** 2 < 0.72:
                yield from placed((sign,), width / 2 + x, height / 2 + y)


def _outline(width: float, height: float, number: int, share: float = 1) -> list[Point]:
    """So many points of an uneven outline in a rectangle, clockwise; or of one of a ``share`` of its size inside it."""
    points = []
    for n in range(number):
        angle = 2 * pi * n / number
        x, y = cos(angle), sin(angle)
        reach = (abs(x) ** 3 + abs(y) ** 3) ** (-1 / 3)
        uneven = 0.93 + 0.045 * sin(3 * angle + width) + 0.025 * sin(5 * angle + height)
        far = reach * uneven * share
        points.append((width / 2 + far * x * (width / 2 - INSET), height / 2 + far * y * (height / 2 - INSET)))
    return points


def _smooth(points: Sequence[Point], paint: Paint) -> Path:
    """A closed curve through points."""
    segments = [Segment("M", (points[0],))]
    for n, (x, y) in enumerate(points):
        before, after, beyond = points[n - 1], points[(n + 1) % len(points)], points[(n + 2) % len(points)]
        one = x + (after[0] - before[0]) / 6, y + (after[1] - before[1]) / 6
        two = after[0] - (beyond[0] - x) / 6, after[1] - (beyond[1] - y) / 6
        segments.append(Segment("C", (one, two, after)))
    return Path((*segments, Segment("Z")), paint)


def _wood(width: float, height: float) -> Shapes:
    """Trees in an outline of half circles."""
    points = _outline(width, height, max(round((width + height) * 0.36), 8))
    arcs = (
        f"A{hypot(x - left, y - top) * 0.55:.2f} 0 0 0 1 {x:.2f} {y:.2f}"
        for (left, top), (x, y) in zip(points, (*points[1:], points[0]), strict=True)
    )
    edge = path(f"M{points[0][0]:.2f} {points[0][1]:.2f}{''.join(arcs)}Z", WOOD)
    return (edge, *_scattered(TREE, width, height, 7.5))


def _hill(width: float, height: float) -> Shapes:
    """Contours around the summit."""
    return tuple(_smooth(_outline(width, height, 12, share), CONTOUR) for share in (1, 0.7, 0.42))


def _town(width: float, height: float) -> Shapes:
    """Buildings with the ridges of their roofs, one where there is no room for two."""
    columns = 2 if width > 1.3 * height else 1
    share = width / columns
    houses: list[Shape] = []
    for number in range(columns):
        wide, tall = share * (0.68 if number else 0.8), height * (0.8 if number else 0.62)
        left, top = number * share + (share - wide) / 2, (height - tall) * (0.5 if number else 0.3)
        houses.append(Rect(left, top, wide, tall, 0, HOUSE))
        ridge = (
            f"M{left:.2f} {top + tall / 2:.2f}h{wide:.2f}"
            if wide > tall
            else f"M{left + wide / 2:.2f} {top:.2f}v{tall:.2f}"
        )
        houses.append(path(ridge, Paint(stroke="town", weight="thin")))
    return tuple(houses)


def _rough(width: float, height: float) -> Shapes:
    """Tufts in a dashed outline."""
    edge = _smooth(_outline(width, height, 12), CONTOUR._replace(dashed=True))
    return (edge, *_scattered(TUFT, width, height, 7))


def _wall(width: float, height: float) -> Shapes:
    """A line with posts."""
    y, step = height / 2, (width - 2 * INSET) / max(round(width / 5), 1)
    posts = "".join(f"M{INSET + number * step:.2f} {y - 1.4:.2f}v2.8" for number in range(max(round(width / 5), 1) + 1))
    return (path(f"M{INSET} {y:.2f}H{width - INSET:.2f}{posts}", WALL),)


def _river(points: Curve, side: float, bridges: Sequence[float] = (0.17, 0.5, 0.83)) -> Shapes:
    """A band of water with bridges at these shares of its way."""
    half, places = side * 0.16, (_at(points, share) for share in bridges)
    decks = (Rect(x - 2, y - half - 1.4, 4, 2 * half + 2.8, 0, HOUSE) for x, y in places)
    return (_band(points, half, WATER), *decks)


def _band(points: Curve, half: float, paint: Paint) -> Path:
    """A band along a curve, so wide to each side of it."""
    upright = abs(points[3][1] - points[0][1]) > abs(points[3][0] - points[0][0])
    dx, dy = (half, 0.0) if upright else (0.0, half)
    (one, two, three, four), back = ([(x + by * dx, y + by * dy) for x, y in points] for by in (-1, 1))
    curves = Segment("C", (two, three, four)), Segment("L", (back[3],)), Segment("C", (back[2], back[1], back[0]))
    return Path((Segment("M", (one,)), *curves, Segment("Z")), paint)


def _at(points: Curve, share: float) -> Point:
    """A point of a Bézier curve."""
    weights = (1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3
    return sum(w * x for w, (x, _y) in zip(weights, points, strict=True)), sum(
        w * y for w, (_x, y) in zip(weights, points, strict=True)
    )


DRAW = {"wood": _wood, "hill": _hill, "town": _town, "rough": _rough, "wall": _wall}
"""The drawing of each kind that fills fields, from its width and height."""
