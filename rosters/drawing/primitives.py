"""The primitives of a picture: paths, rectangles, circles and text, painted in roles instead of colors.

Coordinates are in the units of the picture's field, y downwards. A stroke's weight is a multiple of the
picture's pen, so that one picture can have two optical sizes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin, sqrt, tan
from typing import Literal, NamedTuple

Role = Literal[
    "none", "tile", "ink", "box", "alert", "paper", "line",
    "azure", "gules", "vert", "sable", "purpure", "tawny", "argent", "or", "pearl",
    "land", "contour", "water", "wood", "road", "town",
]  # fmt: skip
"""What is painted: parts of a counter in the color of its side, the page, the tinctures of crests, and a map."""
PhraseKind = Literal["line", "thin", "hair", "edge", "ring", "bold"]
WEIGHTS: Mapping[PhraseKind, float] = {"line": 1, "thin": 0.62, "hair": 0.36, "edge": 0.85, "ring": 1.1, "bold": 1.7}
DASH = (3.2, 2.1)
"""Lengths of a dash and of the gap after it."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Paint(NamedTuple):
    """How a shape is filled and stroked."""

    fill: Role = "none"
    stroke: Role = "none"
    weight: PhraseKind = "line"
    dashed: bool = False


LINE, THIN, HAIR = Paint(stroke="ink"), Paint(stroke="ink", weight="thin"), Paint(stroke="ink", weight="hair")
SOLID = Paint(fill="ink")


class Segment(NamedTuple):
    """A step of a path to the last of its points: M (move), L (line), C (cubic curve) or Z (close, no points)."""

    command: Literal["M", "L", "C", "Z"]
    points: tuple[Point, ...] = ()


class Path(NamedTuple):
    """Lines and curves; overlapping parts are filled by the nonzero rule."""

    segments: tuple[Segment, ...]
    paint: Paint = LINE


class Rect(NamedTuple):
    """A rectangle by its top left corner, with rounded corners if it has a radius."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    paint: Paint = LINE


class Circle(NamedTuple):
    """A circle by its center."""

    x: float
    y: float
    radius: float
    paint: Paint = SOLID


class Text(NamedTuple):
    """One line of text on its baseline in the condensed semibold face. ``text`` may be a Message."""

    x: float
    y: float
    text: str
    size: float
    align: Literal["start", "middle", "end"] = "middle"
    paint: Paint = SOLID


Shape = Path | Rect | Circle | Text
Shapes = tuple[Shape, ...]


class Picture(NamedTuple):
    """Shapes in a field of a size, from back to front. ``pen`` is the width of a line; ``kind`` names the picture."""

    kind: str
    width: float
    height: float
    pen: float
    shapes: Shapes


# ---------------------------------------------------------------- paths from text

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
"""How many numbers each command of a path takes."""
_STEPS: Mapping[str, Literal["M", "L", "C"]] = {"M": "M", "L": "L", "H": "L", "V": "L", "C": "C"}


def path(text: str, paint: Paint = LINE) -> Path:
    """A path in the notation of SVG: M, L, H, V, C, Q, A (circles only) and Z, absolute or relative."""
    return Path(_parse(text), paint)


@lru_cache(maxsize=1024)  # 7 to 9 % of a print with counters
def _parse(text: str) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    here = start = (0.0, 0.0)
    for letter, numbers in _commands(text):
        command = letter.upper()
        origin = here if letter.islower() else (0.0, 0.0)
        if command == "Z":
            segments.append(Segment("Z"))
            here = start
            continue
        points = _points(command, numbers, origin, here)
        if command == "A":
            segments += _arc(here, numbers[0], bool(numbers[3]), bool(numbers[4]), points[-1])
        elif command == "Q":
            segments.append(Segment("C", _cubic(here, *points)))
        else:
            segments.append(Segment(_STEPS[command], points))
        here = points[-1]
        start = here if command == "M" else start
    return tuple(segments)


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; one that is left out repeats the last, and after a move it is a line."""
    tokens = _TOKEN.findall(text)
    letter, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            letter, at = tokens[at], at + 1
        else:
            letter = {"M": "L", "m": "l"}.get(letter, letter)
        size = _NUMBERS[letter.upper()]
        yield letter, [float(number) for number in tokens[at : at + size]]
        at += size


def _points(command: str, numbers: Sequence[float], origin: Point, here: Point) -> tuple[Point, ...]:
    if command == "H":
        return ((numbers[0] + origin[0], here[1]),)
    if command == "V":
        return ((here[0], numbers[0] + origin[1]),)
    numbers = numbers[5:] if command == "A" else numbers
    return tuple((x + origin[0], y + origin[1]) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


def _cubic(start: Point, control: Point, end: Point) -> tuple[Point, Point, Point]:
    """A quadratic curve as a cubic one."""
    one, two = (
        (point[0] + (control[0] - point[0]) * 2 / 3, point[1] + (control[1] - point[1]) * 2 / 3)
        for point in (start, end)
    )
    return one, two, end


def _arc(start: Point, radius: float, large: bool, clockwise: bool, end: Point) -> Iterator[Segment]:
    """An arc of a circle as cubic curves of at most a quarter turn; a radius that is too small is widened."""
    half = hypot(end[0] - start[0], end[1] - start[1]) / 2
    radius = max(radius, half)
    away = sqrt(max(radius**2 - half**2, 0)) / (2 * half) * (1 if large != clockwise else -1)
    x = (start[0] + end[0]) / 2 - away * (end[1] - start[1])
    y = (start[1] + end[1]) / 2 + away * (end[0] - start[0])
    angle, last = atan2(start[1] - y, start[0] - x), atan2(end[1] - y, end[0] - x)
    sweep = (last - angle) % (2 * pi) if clockwise else -((angle - last) % (2 * pi))
    parts = max(1, round(abs(sweep) / (pi / 2) + 0.49))
    step = sweep / parts
    pull = 4 / 3 * tan(step / 4) * radius
    for part in range(parts):
        a, b = angle + part * step, angle + (part + 1) * step
        to = end if part + 1 == parts else (x + radius * cos(b), y + radius * sin(b))
        one = (x + radius * cos(a) - pull * sin(a), y + radius * sin(a) + pull * cos(a))
        yield Segment("C", (one, (to[0] + pull * sin(b), to[1] - pull * cos(b)), to))


def polygon(points: Iterable[Point], paint: Paint = SOLID) -> Path:
    """A closed outline through points."""
    first, *others = points
    return Path((Segment("M", (first,)), *(Segment("L", (point,)) for point in others), Segment("Z")), paint)


def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42, paint: Paint = SOLID) -> Path:
    """A star with one point up; ``inner`` is the share of the radius at which its points begin."""
    turns = ((number * pi / points - pi / 2, radius * (inner if number % 2 else 1)) for number in range(2 * points))
    return polygon(((x + r * cos(angle), y + r * sin(angle)) for angle, r in turns), paint)


# ---------------------------------------------------------------- transforming and measuring


def placed(shapes: Iterable[Shape], x: float = 0, y: float = 0, scale: float = 1, turns: int = 0) -> Shapes:
    """Shapes turned by quarters clockwise, then scaled about the origin, then moved by (x, y). Text stays upright."""
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[turns % 4]

    def move(px: float, py: float) -> Point:
        return x + scale * (cosine * px - sine * py), y + scale * (sine * px + cosine * py)

    return tuple(_moved(shape, move, scale) for shape in shapes)


def _moved(shape: Shape, move: Callable[[float, float], Point], scale: float) -> Shape:
    if isinstance(shape, Path):
        segments = [Segment(step, tuple([move(px, py) for px, py in points])) for step, points in shape.segments]
        return Path(tuple(segments), shape.paint)
    if isinstance(shape, Rect):
        (left, top), (right, bottom) = move(shape.x, shape.y), move(shape.x + shape.width, shape.y + shape.height)
        size = abs(right - left), abs(bottom - top)
        return Rect(min(left, right), min(top, bottom), *size, shape.radius * scale, shape.paint)
    to = move(shape.x, shape.y)
    if isinstance(shape, Circle):
        return Circle(*to, shape.radius * scale, shape.paint)
    return Text(*to, shape.text, shape.size * scale, shape.align, shape.paint)


def repainted(shapes: Iterable[Shape], roles: Mapping[Role, Role]) -> Shapes:
    """Shapes with some roles exchanged for others."""
    return tuple(
        shape._replace(
            paint=shape.paint._replace(
                fill=roles.get(shape.paint.fill, shape.paint.fill),
                stroke=roles.get(shape.paint.stroke, shape.paint.stroke),
            )
        )
        for shape in shapes
    )


TEXT_WIDTH = 0.54
"""The width of a digit of the condensed face, in ems; a measure for text too."""


WIDE, NARROW = {*"MWmw@%&—…"}, {*"Iijlft.,:;'’|!()[] "}


def text_width(text: str, size: float) -> float:
    """About the width of a text in the condensed face."""
    ems = (
        1.0
        if ord(each) >= 0x2E80
        else 0.82
        if each in WIDE
        else 0.32
        if each in NARROW
        else 0.62
        if each.isupper()
        else TEXT_WIDTH
        for each in text
    )
    return sum(ems) * size


def bounds(shapes: Iterable[Shape]) -> Box:
    """The smallest rectangle around shapes, without strokes. Curves are measured by their controls, text roughly."""
    boxes = [_box(shape) for shape in shapes]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _box(shape: Shape) -> Box:
    if isinstance(shape, Path):
        xs, ys = zip(*(point for each in shape.segments for point in each.points), strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Circle):
        r = shape.radius
        return shape.x - r, shape.y - r, shape.x + r, shape.y + r
    width = len(shape.text) * TEXT_WIDTH * shape.size
    left = shape.x - width * {"start": 0, "middle": 0.5, "end": 1}[shape.align]
    return left, shape.y - 0.7 * shape.size, left + width, shape.y
