"""Counters: a tile in the color of its side, with a symbol, a numeral and marks, in a field of 46 x 32.

Small ones, 34 to 69 pixels wide, have thick lines and few marks; large ones, from 92, thin lines and more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rosters.drawing.primitives import (
    HAIR,
    LINE,
    SOLID,
    TEXT_WIDTH,
    THIN,
    Circle,
    Paint,
    Picture,
    Rect,
    Role,
    Shapes,
    Text,
    path,
    placed,
    repainted,
    star,
    text_width,
)
from rosters.drawing.symbols import HEIGHT as SYMBOL_HEIGHT
from rosters.drawing.symbols import WIDTH as SYMBOL_WIDTH

WIDTH, HEIGHT = 46, 32
COUNTER_SHAPE = HEIGHT / WIDTH
"""The height of a counter for its width."""
SMALL_PEN, LARGE_PEN = 1.5, 0.85
NUMERAL = 36.4
"""Where numerals are centered."""
REVERSED: Mapping[Role, Role] = {"ink": "box", "box": "ink"}


def counter(shapes: Iterable[Shapes], large: bool) -> Picture:
    """A counter with groups of shapes on its tile; a large one has a hairline inside its edge."""
    tile = Rect(0.75, 0.75, WIDTH - 1.5, HEIGHT - 1.5, 3, Paint("tile", "ink", "edge"))
    inside = (Rect(1.9, 1.9, WIDTH - 3.8, HEIGHT - 3.8, 2, HAIR),) if large else ()
    flat = tuple(shape for group in shapes for shape in group)
    kind, pen = ("counter large", LARGE_PEN) if large else ("counter", SMALL_PEN)
    return Picture(kind, WIDTH, HEIGHT, pen, (tile, *inside, *flat))


def symbol_box(symbol: Shapes, large: bool, *, dashed: bool = False, reverse: bool = False, x: float = 4) -> Shapes:
    """A symbol in its box at the left; reversed, it is light on dark."""
    frame = Paint("ink" if reverse else "box", "box" if reverse and dashed else "ink", dashed=dashed)
    inside = repainted(symbol, REVERSED) if reverse else symbol
    box = (Rect(0, 0, SYMBOL_WIDTH, SYMBOL_HEIGHT, paint=frame), *inside)
    return placed(box, x, 8 if large else 5, 0.95 if large else 1)


def numeral(text: str, low: bool = False) -> Shapes:
    """The large number at the right, smaller if it is long; ``low`` leaves room for a star above."""
    size = 16 if len(text) < 2 else _fitting(text, 13.5)
    return (Text(NUMERAL, 26.4 if low else 16 + size * 0.35, text, size),)


def _fitting(text: str, size: float) -> float:
    """The largest size up to ``size`` at which a text fits between the box and the edge."""
    return min(size, 13.2 / (TEXT_WIDTH * max(len(text), 1)))


FRACTION_BAR = path("M32.4 16.1H42", THIN)


def fraction(upper: str, lower: str) -> Shapes:
    """Two numbers at the right, one over the other."""
    sizes = [_fitting(text, 12) for text in (upper, lower)]
    return (
        Text(37.2, 14.1, upper, sizes[0]),
        FRACTION_BAR,
        Text(37.2, 18.3 + sizes[1] * 0.7, lower, sizes[1]),
    )


def pips(number: int, large: bool, hollow: bool = False) -> Shapes:
    """A row of dots: at the bottom left of a small counter, over the box of a large one."""
    paint = THIN if hollow else SOLID
    if large:
        return tuple(Circle(25.8 - 3 * each, 5.2, 1, paint) for each in range(number))
    return tuple(Circle(5.8 + 4.4 * each, 26, 1.5, paint) for each in range(number))


def chevrons(number: int) -> Shapes:
    """Chevrons in a row under the box, to the right of a star."""
    return (path("".join(f"M{13 + 4 * each} 23.8l2.4 2.3l-2.4 2.3" for each in range(number)), LINE),) if number else ()


def stars(number: int, x: float, y: float, radius: float, hollow: bool = False) -> Shapes:
    """Stars in a row around a point."""
    step = radius * 2.1
    return tuple(
        star(x + step * (each - (number - 1) / 2), y, radius, paint=THIN if hollow else SOLID) for each in range(number)
    )


def track(number: int, breaks_at: int, width: float = 38) -> Shapes:
    """Boxes to mark at the bottom, and a bar after the box at which a rule applies."""
    x, y = 4, 25.2
    step = min(3.5, width / number)
    side = step - 0.6
    boxes = tuple(Rect(x + step * each, y, side, 3.1, 0.3, Paint("box", "ink", "thin")) for each in range(number))
    bar = path(f"M{x + breaks_at * step - 0.3} {y - 1.1}v5.3", Paint(stroke="alert"))
    return (*boxes, bar) if breaks_at < number else boxes


def label(text: str, x: float = 4, y: float = 6.6, size: float = 4.2, room: float = 38) -> Shapes:
    """Words at the left, such as the code of a type, shortened to ``room``."""
    short = text
    while len(short) > 1 and text_width(short, size) > room:
        short = f"{short[:-2].rstrip()}…"
    return (Text(x, y, short, size, "start"),)
