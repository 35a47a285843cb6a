"""Hexagonal tokens to cut out, at the size of the hexes of a map: rows that share their edges, and their backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from rosters.core.messages import translate
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import LABEL_LINE
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, TINT, Pen, Style
from rosters.pdf.fonts import BOLD, NARROW, NARROW_BOLD, ems

TEXT = 7.0
"""The size of the names."""
INSET = 0.8 * MM
"""From the edge of a token to its frame."""
FRONT = 1.1 * MM
"""The thickness of the front edge."""


class Token(NamedTuple):
    """A token: its picture over its name, ``number`` at the left of it and ``note`` at the right.

    Tokens that face a side have a ``front``; others a ``kind`` over the name and a frame. ``back`` is the word on
    the other side. Free ones are dashed.
    """

    picture: Picture | None = None
    name: str = ""
    number: str = ""
    note: str = ""
    kind: str = ""
    front: bool = True
    free: bool = False


def hexagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a hex with a flat top, from the right one on, anticlockwise."""
    return [(x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6)]


def per_row(width: float, across: float) -> int:
    """How many tokens fit side by side; ``across`` is a token from flat to flat."""
    radius = across / sqrt(3)
    return max(1, int((width - radius / 2 + 0.01) // (1.5 * radius)))


class TokenHead(NamedTuple):
    """The heading of rows of tokens, over the room into which every second token of a row reaches."""

    words: str
    across: float

    def height(self, style: Style, width: float) -> float:
        return LABEL_LINE + self.across / 2

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - LABEL_LINE * 0.6, self.words)


class TokenRow(NamedTuple):
    """A row of tokens, every second half a token higher; ``back`` is the word on their backs, "" for their faces."""

    tokens: tuple[Token, ...]
    across: float
    back: str = ""

    def height(self, style: Style, width: float) -> float:
        return self.across

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        radius = self.across / sqrt(3)
        start = (width - radius * (1.5 * per_row(width, self.across) + 0.5)) / 2 + radius
        for number, token in enumerate(self.tokens):
            across = start + number * 1.5 * radius
            y = top - self.across / 2 + (number % 2) * self.across / 2
            if self.back:
                draw_back(pen, x + width - across, y, self.across, token, self.back)
            else:
                draw_face(pen, x + across, y, self.across, token)


def rows(tokens: Sequence[Token], width: float, across: float, back: str = "") -> Iterator[TokenRow]:
    """Rows of tokens in a width; the last is filled with free ones."""
    number = per_row(width, across)
    for start in range(0, len(tokens), number):
        row = tokens[start : start + number]
        yield TokenRow((*row, *(Token(free=True),) * (number - len(row))), across, back)


def draw_face(pen: Pen, x: float, y: float, across: float, token: Token) -> None:
    """The face of a token around a point."""
    radius = across / sqrt(3)
    key = ("token", across, token.front, token.free, bool(token.kind))
    pen.draw_cached(key, x, y, lambda: _draw_frame(pen, radius, token))
    lines = name_lines(token.name, radius, INSET + (0.8 * MM if token.kind else 0))
    more = (len(lines) - 1) * TEXT
    if token.picture:
        highest = (0.4 if token.kind else 0.56) * across - more
        tall = min(highest, 0.46 * across * token.picture.height / token.picture.width)
        wide = tall * token.picture.width / token.picture.height
        pen.picture(token.picture, x - wide / 2, y + 0.11 * across + more * 0.45 + tall / 2, wide)
    if token.number:
        pen.text(x - 0.66 * radius, y - 1, token.number, max(TEXT, across * 0.2), face=BOLD, align="centre")
    if token.note:
        pen.text(x + 0.64 * radius, y - 1, token.note, TEXT, face=NARROW, ink="soft", align="centre")
    low = y - across / 2 + FRONT + (0.6 * MM if token.kind else 0)
    if token.kind:
        pen.label(x, low + TEXT * 1.05 + more, token.kind, align="centre", size=TEXT)
    for number, line in enumerate(lines):
        face = NARROW if token.kind else NARROW_BOLD
        pen.text(x, low + 0.6 + more - number * TEXT, line, TEXT, face=face, align="centre")


def draw_back(pen: Pen, x: float, y: float, across: float, token: Token, word: str) -> None:
    """The back of a token that has a front: crossed out, with its number and a word."""
    radius = across / sqrt(3)
    pen.outline(hexagon(x, y, radius), line=HAIR, ink="soft")
    if token.free or not token.front:
        return
    inner = hexagon(x, y, radius - INSET)
    for one, other in ((1, 4), (2, 5)):
        pen.line(*inner[one], *inner[other], 0.9 * MM, ink="side")
    shown = translate(word)
    wide = max(ems(shown, NARROW_BOLD) * TEXT, TEXT) + 2 * MM
    tall = TEXT * (2.5 if token.number else 1.3)
    pen.rect(x - wide / 2, y - tall / 2, wide, tall, line=0, fill=0)
    pen.text(x, y - tall / 2 + 2, word, TEXT, face=NARROW_BOLD, align="centre")
    if token.number:
        pen.text(x, y + 1, token.number, TEXT * 1.2, face=BOLD, align="centre")


def _draw_frame(pen: Pen, radius: float, token: Token) -> None:
    dash = (2.4, 1.8) if token.free else ()
    fill = None if token.free else TINT * 0.75 if token.kind else PALE * 0.7
    pen.outline(hexagon(0, 0, radius), line=HAIR, ink="soft", fill=fill)
    inner = hexagon(0, 0, radius - INSET)
    if token.kind or token.free:
        pen.canvas.setDash(*dash) if dash else None
        pen.outline(hexagon(0, 0, radius - 1.2 * MM), line=LINE if token.free else 0.5 * MM, ink="side")
        pen.canvas.setDash()
    elif pen.seat.double:
        pen.outline(hexagon(0, 0, radius - 1.9 * MM), line=HAIR, ink="side")
    if token.front and not token.free:
        pen.line(*inner[1], *inner[2], FRONT, ink="side")


def name_lines(name: str, radius: float, inset: float = INSET) -> list[str]:
    """A name in one or two lines; the lower one is shorter, as the token is narrower there."""
    low, high = 1.25 * radius - 2 * inset, 1.65 * radius - 2 * inset
    words = translate(name).split()
    if _fits(" ".join(words), low):
        return [" ".join(words)]
    if _fits(" ".join(words), high) or len(words) == 1:
        return [short_name(name, high), ""]
    first = next((n for n in range(len(words) - 1, 0, -1) if _fits(" ".join(words[:n]), high)), 1)
    return [short_name(" ".join(words[:first]), high), short_name(" ".join(words[first:]), low)]


def short_name(name: str, room: float) -> str:
    """The name if it fits, else its first word with its number, its last or its first word, cut if need be."""
    words = translate(name).split()
    number = words.pop() if len(words) > 1 and words[-1].isdigit() else ""
    whole = (" ".join(words), *([] if number else words[-1:]), *words[:1])
    tries = (" ".join(filter(None, (each, number))) for each in (*whole, *_cuts(words)))
    return next((each for each in tries if _fits(each, room)), number)


def _cuts(words: Sequence[str]) -> Iterator[str]:
    """The first word without ever more of its end, a point in its place."""
    for first in words[:1]:
        for end in range(len(first) - 2, 0, -1):
            yield f"{first[:end]}."


def _fits(words: str, room: float) -> bool:
    return ems(words, NARROW_BOLD) * TEXT <= room
