"""Hexagonal tokens to cut out, at the size of the hexes of a map: rows that share their edges, and their backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, radians, sin, sqrt
from typing import NamedTuple

from rosters.core.messages import translate
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import LABEL_LINE
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, TINT, Pen, Style
from rosters.pdf.fonts import BOLD, NAME, NARROW, NARROW_BOLD, ems

FONT_SIZE = 7.0
"""The size of the names."""
INSET = 0.8 * MM
"""The distance from the edge of a token to its frame."""
FRONT = 1.1 * MM
"""The thickness of the front edge."""
SIDE = 0.8 * MM
"""The thickness of a dark side."""
NAME_INSET = 0.8 * MM
"""The distance from the edge of a token to its name."""
MIN_PICTURE = 3 * MM
"""The least height of the picture over a kind; the sign of a smaller one goes without it."""
MAX_PICTURE_SHARE = 0.36
"""The greatest height of the picture over a kind, as a share of the token."""


class Token(NamedTuple):
    """A token: its picture over its name, and its ``number`` at the left.

    Tokens that face a side have a ``front``, and dark ``sides``, by their angles in degrees from the right,
    anticlockwise; others have a ``kind`` over the name and a frame. Blank ones are dashed, or have a line for a name.
    """

    picture: Picture | None = None
    name: str = ""
    number: str = ""
    sides: tuple[int, ...] = ()
    kind: str = ""
    front: bool = True
    blank: bool = False


def hexagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a hex with a flat top, from the right one on, anticlockwise."""
    return [(x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6)]


def per_row(width: float, diameter: float) -> int:
    """How many tokens fit side by side; ``diameter`` is that of a token, from flat to flat."""
    radius = diameter / sqrt(3)
    return max(1, int((width - radius / 2 + 0.01) // (1.5 * radius)))


class TokenHead(NamedTuple):
    """The heading of rows of tokens, over the room into which every second token of a row reaches."""

    text: str
    diameter: float

    def height(self, style: Style, width: float) -> float:
        return LABEL_LINE + self.diameter / 2

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - LABEL_LINE * 0.6, self.text)


class TokenRow(NamedTuple):
    """A row of tokens, every second half a token higher; ``back`` is the word on their backs, "" for their faces."""

    tokens: tuple[Token, ...]
    diameter: float
    back: str = ""

    def height(self, style: Style, width: float) -> float:
        return self.diameter

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        radius = self.diameter / sqrt(3)
        start = (width - radius * (1.5 * per_row(width, self.diameter) + 0.5)) / 2 + radius
        for number, token in enumerate(self.tokens):
            left = start + number * 1.5 * radius
            y = top - self.diameter / 2 + (number % 2) * self.diameter / 2
            if self.back:
                draw_back(pen, x + width - left, y, self.diameter, token, self.back)
            else:
                draw_face(pen, x + left, y, self.diameter, token)


def rows(tokens: Sequence[Token], width: float, diameter: float, back: str = "") -> Iterator[TokenRow]:
    """Rows of tokens in a width; the last is filled with blank ones."""
    number = per_row(width, diameter)
    for start in range(0, len(tokens), number):
        row = tokens[start : start + number]
        yield TokenRow((*row, *(Token(blank=True),) * (number - len(row))), diameter, back)


def draw_face(pen: Pen, x: float, y: float, diameter: float, token: Token) -> None:
    """The face of a token around a point."""
    radius = diameter / sqrt(3)
    key = ("token", diameter, token.front, token.blank, bool(token.kind), token.sides)
    pen.draw_cached(key, x, y, lambda: _draw_frame(pen, radius, token))
    edge = 1.2 * MM + LINE if token.kind else FRONT
    lines = name_lines(token.name, radius, 1.6 * MM) if token.kind else short_lines(token.name, radius, token.sides)
    low, top = y - diameter / 2 + edge + 0.9, y + diameter / 2 - edge - 0.5 * MM
    high = low + (len(lines) - 0.25) * FONT_SIZE
    fits = top - high - FONT_SIZE > MIN_PICTURE and pen.label_width(token.kind, FONT_SIZE) < 1.5 * radius - 2 * edge
    kind = token.kind if fits else ""
    if token.picture:
        available = top - high - (FONT_SIZE + 1 if kind else 0) - 0.5 * MM
        max_share = MAX_PICTURE_SHARE if token.kind else 0.56 * token.picture.height / token.picture.width
        height = min(available, max_share * diameter)
        width = height * token.picture.width / token.picture.height
        pen.picture(token.picture, x - width / 2, top - (available - height) / 2, width)
    if token.number:
        size = max(FONT_SIZE, diameter * 0.2)
        pen.text(x - 0.59 * radius, y - size * 0.35, token.number, size, face=BOLD, align="centre")
    if kind:
        pen.label(x, high + 1.5, kind, align="centre", size=FONT_SIZE)
    for number, line in enumerate(lines, start=1):
        face = NARROW if token.kind else NARROW_BOLD
        pen.text(x, low + (len(lines) - number) * FONT_SIZE, line, FONT_SIZE, face=face, align="centre")


def draw_back(pen: Pen, x: float, y: float, diameter: float, token: Token, word: str) -> None:
    """The back of a token that has a front: its number, if it has one, struck out, over a word."""
    radius = diameter / sqrt(3)
    pen.outline(hexagon(x, y, radius), line=HAIR, ink="soft")
    if not token.front:
        return
    size, middle = diameter * 0.42, y + 0.1 * diameter
    if token.number:
        pen.text(x, middle - size * 0.34, token.number, size, face=NAME, align="centre", ink="deep")
        reach = max(0.24 * diameter, ems(token.number, NAME) * size * 0.62)
        pen.line(x - reach, middle - size * 0.42, x + reach, middle + size * 0.42, 0.5 * MM, ink="side")
    pen.text(x, y - 0.5 * diameter + max(1.8 * MM, 0.14 * diameter), word, FONT_SIZE, face=NARROW_BOLD, align="centre")


def _draw_frame(pen: Pen, radius: float, token: Token) -> None:
    dash = (2.4, 1.8) if token.blank else ()
    fill = None if token.blank else TINT * 0.75 if token.kind else PALE * 0.7
    pen.outline(hexagon(0, 0, radius), line=HAIR, ink="soft", fill=fill)
    inner = hexagon(0, 0, radius - INSET)
    if token.kind or not token.front:
        pen.canvas.setDash(*dash) if dash else None
        pen.outline(hexagon(0, 0, radius - 1.2 * MM), line=LINE if token.blank else 0.5 * MM, ink="side")
        pen.canvas.setDash()
    elif pen.seat.double:
        pen.outline(hexagon(0, 0, radius - 0.45 * MM), line=HAIR, ink="side")
    if token.front:
        pen.line(*inner[1], *inner[2], FRONT, ink="line" if token.blank else "side")
    if token.blank and token.front:
        low = FRONT - radius * sqrt(3) / 2
        pen.line(-0.5 * radius, low, 0.5 * radius, low, HAIR, ink="soft")
    for angle in token.sides:
        flat = radius * sqrt(3) / 2 - SIDE - (FRONT if angle == 90 else 0)
        away = {30: 0.1, 150: -0.1}.get(angle % 180, 0)  # up or down, from the name
        dx, dy = radius * sin(radians(angle)), -radius * cos(radians(angle))
        x, y = flat * cos(radians(angle)) + away * dx, flat * sin(radians(angle)) + away * dy
        pen.line(x - 0.22 * dx, y - 0.22 * dy, x + 0.22 * dx, y + 0.22 * dy, SIDE, ink="ink")


def short_lines(name: str, radius: float, sides: Sequence[int]) -> list[str]:
    """A name or the most telling part of it in one line, so that the picture is large; two if no part fits."""
    available = 1.25 * radius - NAME_INSET
    short = next((each for each in _parts(name) if _fits(each, available)), "")
    return [short] if short else name_lines(name, radius, NAME_INSET + (SIDE if sides else 0))


def name_lines(name: str, radius: float, inset: float) -> list[str]:
    """A name in one or two lines, from the top; the lower one is shorter, as the token is narrower there."""
    low, high = 1.25 * radius - 2 * inset, 1.65 * radius - 2 * inset
    words = translate(name).split()
    if _fits(" ".join(words), low):
        return [" ".join(words)]
    number = next((n for n in range(len(words) - 1, 0, -1) if _fits(" ".join(words[:n]), high)), 0)
    if not _fits(" ".join(words), high) and number and _fits(rest := " ".join(words[number:]), low):
        return [" ".join(words[:number]), rest]
    return [short_name(name, high), ""]


def short_name(name: str, available: float) -> str:
    """The name or a part of it that fits, else its first word, cut."""
    return next((each for each in _parts(name, cut=True) if _fits(each, available)), "")


def _parts(name: str, *, cut: bool = False) -> Iterator[str]:
    """The name, and with its number its last and its first word, then shorter and shorter prefixes of that."""
    words = translate(name).split()
    number = words.pop() if len(words) > 1 and words[-1].isdigit() else ""
    usual = (" ".join(words), *([] if number else words[-1:]), *words[:1])
    yield from (" ".join(filter(None, (each, number))) for each in (*usual, *(_cuts(words) if cut else ())))
    yield from (number,) if cut else ()


def _cuts(words: Sequence[str]) -> Iterator[str]:
    """Shorter and shorter prefixes of the first word, each with a point."""
    for first in words[:1]:
        for end in range(len(first) - 2, 0, -1):
            yield f"{first[:end]}."


def _fits(text: str, available: float) -> bool:
    return ems(text, NARROW_BOLD) * FONT_SIZE <= available
