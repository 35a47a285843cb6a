"""Diagrams of rules: small scenes seen from above, of which each game's table of terms is put together.

Own pieces are rectangles or discs, those of the enemy diamonds; moves are solid arrows, shots dashed ones.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin

from rosters.drawing.dice import die
from rosters.drawing.primitives import (
    Circle,
    Paint,
    Path,
    Picture,
    Point,
    Rect,
    Shapes,
    Text,
    bounds,
    path,
    placed,
    polygon,
)

WIDTH, HEIGHT = 64, 48
PEN = 1.1
OWN, ENEMY = Paint(fill="ink"), Paint(fill="alert")
GHOST = Paint("box", "ink", "thin", dashed=True)
LINE, DASHED, ALERT = Paint(stroke="ink"), Paint(stroke="ink", dashed=True), Paint(stroke="alert", weight="bold")
ZONE, ZONE_EDGE = Paint("tile", "ink", "thin"), Paint("tile", "ink", "thin", dashed=True)
WOOD, WATER = Paint("wood", "contour", "thin"), Paint(fill="water")


def diagram(shapes: Shapes) -> Picture:
    """A scene as a picture."""
    return Picture("diagram", WIDTH, HEIGHT, PEN, shapes)


def cropped(shapes: Shapes) -> Picture:
    """A scene as a picture without the empty ground above and below it."""
    _left, top, _right, bottom = bounds(shapes)
    return Picture("diagram", WIDTH, bottom - top + 2 * PEN, PEN, placed(shapes, 0, PEN - top))


# ---------------------------------------------------------------- pieces


def own(x: float, y: float, paint: Paint = OWN) -> Shapes:
    """An element of one's own."""
    return (Rect(x - 4.5, y - 3, 9, 6, 0.6, paint),)


def figure(x: float, y: float, paint: Paint = OWN) -> Shapes:
    """A figure of one's own, on a round base."""
    return (Circle(x, y, 4, paint),)


def enemy(x: float, y: float) -> Shapes:
    """A piece of the enemy."""
    return (polygon(((x, y - 4.8), (x + 4.8, y), (x, y + 4.8), (x - 4.8, y)), ENEMY),)


def row(piece: Shapes, number: int, step: float) -> Shapes:
    """A piece and its copies beside it."""
    return tuple(shape for each in range(number) for shape in placed(piece, each * step))


def crossed(x: float, y: float, size: float = 5) -> Shapes:
    """A cross over what is lost or does not count."""
    return (path(f"M{x - size} {y - size}L{x + size} {y + size}M{x + size} {y - size}L{x - size} {y + size}", ALERT),)


def text(x: float, y: float, sign: str, size: float = 10) -> Shapes:
    """A number or a sign, its middle at a point."""
    return (Text(x, y + size * 0.35, sign, size, paint=Paint(fill="line")),)


def roll(x: float, y: float, text: str, sides: int = 6) -> Shapes:
    """A die with the roll that is needed."""
    return (*placed((Circle(0, 0, 4.4, Paint(fill="box")),), x, y, 1.5), *placed(die(sides, text), x, y, 2))


def boxes(x: float, y: float, number: int, lost: int = 0, bar: int = 0) -> Shapes:
    """Boxes of strength or losses, some crossed, with a bar after a number of them."""
    places = [x + 7 * each for each in range(number)]
    frames = tuple(Rect(place, y, 5.4, 8, 0.6, Paint("box", "ink")) for place in places)
    losses = tuple(shape for place in places[:lost] for shape in crossed(place + 2.7, y + 4, 2.6))
    return (*frames, *losses, *((Rect(x + 7 * bar - 1.4, y - 3, 1.3, 14, paint=ENEMY),) if bar else ()))


# ---------------------------------------------------------------- moves and shots


def _arrow(points: tuple[Point, ...], paint: Paint) -> Shapes:
    (x, y), end = points[-2], points[-1]
    length = hypot(end[0] - x, end[1] - y)
    dx, dy = (end[0] - x) / length, (end[1] - y) / length
    left, right = ((end[0] - 4 * dx + 2.4 * side * dy, end[1] - 4 * dy - 2.4 * side * dx) for side in (1, -1))
    line = " ".join(f"{each[0]:.2f} {each[1]:.2f}" for each in points)
    return path(f"M{line}", paint), polygon((left, end, right), Paint(fill=paint.stroke))


def move(*points: Point) -> Shapes:
    """A move through points."""
    return _arrow(points, LINE)


def shot(*points: Point) -> Shapes:
    """A shot from a point to another."""
    return _arrow(points, DASHED)


def lob(left: float, right: float, y: float, top: float) -> Shapes:
    """A shot in a curve."""
    middle = (left + right) / 2
    return (path(f"M{left} {y}Q{middle} {2 * top - y} {right} {y}", DASHED),)


def ruler(left: float, right: float, y: float, steps: int) -> Shapes:
    """A scale."""
    step = (right - left) / steps
    ticks = "".join(f"M{left + step * each} {y - 2}V{y + 2}" for each in range(steps + 1))
    return (path(f"M{left} {y}H{right}{ticks}", Paint(stroke="line", weight="thin")),)


# ---------------------------------------------------------------- ground and areas


def hill(x: float, y: float, width: float, height: float) -> Shapes:
    """A hill, from the side."""
    side = width / 2
    return (
        path(
            f"M{x - side} {y}C{x - side / 2} {y} {x - side / 2} {y - height} {x} {y - height}"
            f"C{x + side / 2} {y - height} {x + side / 2} {y} {x + side} {y}Z",
            WOOD,
        ),
    )


def wood(x: float, y: float) -> Shapes:
    """Trees."""
    return tuple(Circle(x + dx, y + dy, 5.5, WOOD) for dx, dy in ((-5, 3), (4, -5), (5, 5), (-3, -5)))


def water(left: float, right: float, top: float = 0) -> Shapes:
    """A river across the scene, or the sea below a height."""
    return (Rect(left, top, right - left, HEIGHT - top, paint=WATER),)


def wall(x: float) -> Shapes:
    """A wall across the scene."""
    return (Rect(x - 1.8, 6, 3.6, 36, paint=Paint("town", "line", "thin")),)


def area(x: float, y: float, radius: float, paint: Paint = ZONE) -> Shapes:
    """A round template or distance."""
    return (Circle(x, y, radius, paint),)


def sector(x: float, y: float, radius: float, degrees: float) -> Shapes:
    """A fire arc to the right."""
    half = degrees * pi / 360
    dx, dy = radius * cos(half), radius * sin(half)
    large = int(degrees > 180)
    return (path(f"M{x} {y}L{x + dx:.2f} {y - dy:.2f}A{radius} {radius} 0 {large} 1 {x + dx:.2f} {y + dy:.2f}Z", ZONE),)


def turn(x: float, y: float, radius: float, degrees: float) -> Shapes:
    """A turn from the right, clockwise."""
    angle = degrees * pi / 180
    ends = [(x + radius * cos(each), y + radius * sin(each)) for each in (angle - 0.25, angle)]
    arc = path(f"M{x + radius} {y}A{radius} {radius} 0 {int(degrees > 180)} 1 {ends[1][0]:.2f} {ends[1][1]:.2f}", LINE)
    return (arc, *_arrow((ends[0], ends[1]), LINE))


def hexagons(*centers: Point, radius: float = 7) -> tuple[Path, ...]:
    """Hexes of a board, flat at the sides."""
    corners = [(radius * sin(each * pi / 3), radius * cos(each * pi / 3)) for each in range(6)]
    paint = Paint("box", "line", "thin")
    return tuple(polygon(((x + dx, y + dy) for dx, dy in corners), paint) for x, y in centers)
