"""The card of a roster: the picture that a chat shows for its link. Drawn from what others see of it."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal, Lines
from rosters.core.documents import AnyDocument
from rosters.exports import listing
from rosters.exports.listing import name_or
from rosters.exports.text import count_noun
from rosters.pdf.canvas import Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.text import LEADING, fit_text
from rosters.registry import System

SIZE = (1200, 630)
"""Pixels, which are the points of the page that is drawn."""
EDITION = 1
"""Of the drawing: another number whenever the same roster would look different."""
MOST_GROUPS, MOST_PEOPLE = 6, 12
"""Formations, and elements of each, that a card could have room for."""

INK, SOFT_INK, PAPER, ACCENT = HexColor("#22231f"), HexColor("#5b5c54"), HexColor("#f6f5f1"), HexColor("#1f5f5b")
WHITE, GOOD, BAD = HexColor("#ffffff"), HexColor("#1d6b34"), HexColor("#a3231c")
LEFT, RIGHT, BAND = 64, SIZE[0] - 64, 84
"""The edges of what is written, and the height of the band with our name."""
ROW = 46
"""From one formation to the next."""


# ---------------------------------------------------------------- what it says


class Group(NamedTuple):
    """A formation: its name, and who is in it."""

    name: str
    people: str


class CardContent(NamedTuple):
    """Everything that a card says. ``points`` is "" where none are shown; ``formations`` are there in all."""

    name: str
    game: str
    points: str
    limit: str
    legal: bool
    groups: tuple[Group, ...]
    formations: int
    words: tuple[str, str]


def card_content(document: AnyDocument, appraisal: Appraisal, lines: Lines, game: System) -> CardContent:
    """What the card of a roster says. Hidden points leave no trace."""
    words, limit = game.rules.WORDS, listing.budget(appraisal)
    found = islice(listing.groups(document, appraisal, lines), MOST_GROUPS)
    return CardContent(
        name_or(document.name, game.name),
        " · ".join(part for part in (game.name, listing.scenario(document, game)) if part),
        "" if appraisal.points is None else format_amount(appraisal.points),
        "" if appraisal.points is None else " ".join(["of", limit, words.points] if limit else [words.points]),
        appraisal.legal,
        tuple(_group(each, game) for each in found),
        len(document.formations),
        (words.formation.lower(), words.formations.lower()),
    )


def _group(group: listing.Group, game: System) -> Group:
    words = game.rules.WORDS
    people = (count_noun(name_or(i.element.name, words.element), i.element.quantity) for i in group.items[:MOST_PEOPLE])
    return Group(name_or(group.formation.name, words.formation), ", ".join(people))


# ---------------------------------------------------------------- how it looks


def picture(face: CardContent) -> bytes:
    """The card as PNG."""
    import pypdfium2  # noqa: PLC0415 (the renderer is large, and few requests need it)

    document = pypdfium2.PdfDocument(_page(face))
    try:
        image = document[0].render(scale=1).to_pil()
    finally:
        document.close()
    out = BytesIO()
    image.convert("RGB").save(out, "PNG", optimize=False)
    return out.getvalue()


def _page(face: CardContent) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=SIZE, invariant=1)
    _draw(_CardPen(canvas), face)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


class _CardPen(Pen):
    """A pen with an ink of any colour."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, Style(body=30, colour=True))
        self.colour: Color = INK

    def _ink(self, grey: float, accent: bool) -> None:
        self.canvas.setFillColor(self.colour)

    def write(self, x: float, y: float, words: str, width: float, size: float, colour: Color, **how: bool) -> float:
        """One line on its baseline, shrunk or shortened to ``width``; where it ends."""
        self.colour = colour
        text = fit_text(words, width, size, bold=how.get("bold", False))
        line = text.lines[0] if text.lines else ""
        self.runs(x, y, line, text.size, bold=how.get("bold", False))
        return x + ems(line, how.get("bold", False)) * text.size

    def ground(self, colour: Color, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
        self.canvas.setFillColor(colour)
        self.canvas.roundRect(x, y, width, height, radius, stroke=0, fill=1)


def _draw(pen: _CardPen, face: CardContent) -> None:
    """From the top: game, name, points and verdict, formations; our name along the foot."""
    pen.ground(PAPER, 0, 0, *SIZE)
    pen.write(LEFT, 558, face.game, RIGHT - LEFT, 32, SOFT_INK)
    below = _draw_verdict(pen, face, _draw_name(pen, face.name, 540))
    _draw_groups(pen, face, below - 58)
    _draw_foot(pen)


def _draw_name(pen: _CardPen, name: str, top: float) -> float:
    """The name, on two lines if it is long; where it ends."""
    text = fit_text(name, RIGHT - LEFT, 76, lines=2, bold=True)
    pen.colour = INK
    pen.lines(LEFT, top, text, bold=True)
    return top - text.size * (ASCENT + (len(text.lines) - 1) * LEADING)


def _draw_verdict(pen: _CardPen, face: CardContent, top: float) -> float:
    """Points, if they are shown, and whether the roster is legal; its baseline."""
    x, y = float(LEFT), top - 78
    if face.points:
        x = pen.write(x, y, face.points, 420, 58, INK, bold=True) + 14
        x = pen.write(x, y, face.limit, 420, 36, SOFT_INK) + 36
    word, colour = ("Legal", GOOD) if face.legal else ("Not legal", BAD)
    pen.ground(colour, x, y - 13, ems(word, True) * 32 + 48, 54, 27)
    pen.write(x + 24, y + 3, word, 300, 32, WHITE, bold=True)
    return y


def _draw_groups(pen: _CardPen, face: CardContent, y: float) -> None:
    """Formations, as many as there is room for, and how many there are besides."""
    room = int((y - BAND - 24) // ROW) + 1
    fit = face.groups if face.formations <= room else face.groups[: max(0, room - 1)]
    lines = max(1, room // max(1, face.formations))
    for group in fit:
        x = pen.write(LEFT, y, group.name, 460, 32, INK, bold=True) + 18
        y = _draw_people(pen, group.people, x, y, lines)
    left = face.formations - len(fit)
    if left:
        pen.write(LEFT, y, f"and {left} more {face.words[left > 1]}", RIGHT - LEFT, 32, SOFT_INK)


def _draw_people(pen: _CardPen, people: str, x: float, y: float, lines: int) -> float:
    """Who is in a formation, on so many lines at most; the baseline below."""
    text = fit_text(people, RIGHT - x, 32, lines=lines)
    for line in text.lines:
        pen.write(x, y, line, RIGHT - x, text.size, SOFT_INK)
        y -= ROW
    return y


def _draw_foot(pen: _CardPen) -> None:
    """Our mark and our name."""
    pen.ground(ACCENT, 0, 0, SIZE[0], BAND)
    for number in range(3):
        pen.ground(WHITE, LEFT + 22 * number, 49, 16, 16, 8)
    pen.ground(WHITE, LEFT, 33, 60, 8, 4)
    pen.ground(WHITE, LEFT, 19, 38, 8, 4)
    pen.write(LEFT + 84, 29, "Armybuilder", 400, 38, WHITE, bold=True)
    pen.write(760, 31, "Every number with its receipt", RIGHT - 760, 28, WHITE)
