"""The preview of a roster's link in chats: Open Graph summary and picture, both redacted."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from django.http import HttpRequest
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from rosters import registry
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import Appraisal, Lines, RosterState
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, translate
from rosters.exports import listing
from rosters.exports.listing import name_or
from rosters.exports.text import count_noun, one_line
from rosters.pdf.canvas import Pen, Style, save_canvas
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.picture import page_as_png
from rosters.pdf.text import LEADING, fit_text
from rosters.registry import System

MAX_SUMMARY = 200
"""Characters of the summary; chats truncate longer ones."""
SIZE = (1200, 630)
"""Pixels, which are the points of the page."""
MAX_GROUPS, MAX_ELEMENTS = 6, 12
"""Formations, and elements of each, that could fit on a card."""

INK, SOFT_INK, PAPER, ACCENT = HexColor("#22231f"), HexColor("#5b5c54"), HexColor("#f6f5f1"), HexColor("#1f5f5b")
WHITE, GOOD, BAD = HexColor("#ffffff"), HexColor("#1d6b34"), HexColor("#a3231c")
LEFT, RIGHT, BAND = 64, SIZE[0] - 64, 84
"""The margins of the text, and the height of the band with our name."""
ROW = 46
"""From one formation to the next."""


# ---------------------------------------------------------------- the summary


def summary(state: RosterState, limit: int = MAX_SUMMARY) -> str:
    """The roster in one line of at most ``limit`` characters."""
    line = one_line(*state, registry.SYSTEMS[state.document.system])
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def chat_preview(request: HttpRequest, path: str, state: RosterState) -> dict[str, Any]:
    """The Open Graph tags of the page at ``path``."""
    address, (width, height) = request.build_absolute_uri(path), SIZE
    return {"address": address, "image": f"{address}.png", "summary": summary(state), "width": width, "height": height}


# ---------------------------------------------------------------- the content of the picture


class Group(NamedTuple):
    """A formation: its name, and its elements in words."""

    name: str
    elements: str


class CardContent(NamedTuple):
    """The text of a card. ``points`` is "" where none are shown; ``formations`` is how many there are in all."""

    name: str
    game: str
    points: str
    limit: str
    legal: bool
    groups: tuple[Group, ...]
    formations: int
    words: tuple[str, str]


def card_content(document: AnyDocument, appraisal: Appraisal, lines: Lines, game: System) -> CardContent:
    """The text of a roster's card. Hidden points leave no trace."""
    words, limit = game.rules.WORDS, listing.budget(appraisal)
    groups = islice(listing.groups(document, appraisal, lines), MAX_GROUPS)
    return CardContent(
        name_or(document.name, game.name),
        " · ".join(part for part in (game.name, listing.scenario(document, game)) if part),
        "" if appraisal.points is None else format_amount(appraisal.points),
        "" if appraisal.points is None else translate(_limit(limit, words.points)),
        appraisal.legal,
        tuple(_group(each, game) for each in groups),
        len(document.formations),
        (translate(words.nouns.formation), translate(words.nouns.formations)),
    )


def _limit(limit: Amount | None, unit: str) -> str:
    return unit if limit is None else _("of {limit} {unit}").format(limit=format_amount(limit), unit=unit)


def _group(group: listing.Group, game: System) -> Group:
    words = game.rules.WORDS
    items = group.items[:MAX_ELEMENTS]
    elements = (count_noun(name_or(item.element.name, words.element), item.element.quantity) for item in items)
    return Group(name_or(group.formation.name, translate(words.formation)), ", ".join(elements))


# ---------------------------------------------------------------- the picture


def picture(content: CardContent) -> bytes:
    """The card as PNG."""
    return page_as_png(_page(content), 1)


def _page(content: CardContent) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=SIZE, invariant=1)
    _draw(_CardPen(canvas), content)
    canvas.showPage()
    save_canvas(canvas)
    return out.getvalue()


class _CardPen(Pen):
    """A pen that draws in any color."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, Style(body=30, colour=True))
        self.color: Color = INK

    def _ink(self, grey: float, accent: bool) -> None:
        self.canvas.setFillColor(self.color)

    def write(self, x: float, y: float, words: str, width: float, size: float, color: Color, **how: bool) -> float:
        """Write one line on its baseline, shrunk or shortened to ``width``; return where it ends."""
        self.color = color
        text = fit_text(words, width, size, bold=how.get("bold", False))
        line = text.lines[0] if text.lines else ""
        self.runs(x, y, line, text.size, bold=how.get("bold", False))
        return x + ems(line, how.get("bold", False)) * text.size

    def ground(self, color: Color, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
        self.canvas.setFillColor(color)
        self.canvas.roundRect(x, y, width, height, radius, stroke=0, fill=1)


def _draw(pen: _CardPen, content: CardContent) -> None:
    """Draw game, name, points and verdict, and formations from the top; the site's name along the foot."""
    pen.ground(PAPER, 0, 0, *SIZE)
    pen.write(LEFT, 558, content.game, RIGHT - LEFT, 32, SOFT_INK)
    below = _draw_verdict(pen, content, _draw_name(pen, content.name, 540))
    _draw_groups(pen, content, below - 58)
    _draw_foot(pen)


def _draw_name(pen: _CardPen, name: str, top: float) -> float:
    """Write the name, on two lines if it is long; return where it ends."""
    text = fit_text(name, RIGHT - LEFT, 76, lines=2, bold=True)
    pen.color = INK
    pen.lines(LEFT, top, text, bold=True)
    return top - text.size * (ASCENT + (len(text.lines) - 1) * LEADING)


def _draw_verdict(pen: _CardPen, content: CardContent, top: float) -> float:
    """Write the points, if they are shown, and whether the roster is legal; return the baseline."""
    x, y = float(LEFT), top - 78
    if content.points:
        x = pen.write(x, y, content.points, 420, 58, INK, bold=True) + 14
        x = pen.write(x, y, content.limit, 420, 36, SOFT_INK) + 36
    verdict, color = (_("Legal"), GOOD) if content.legal else (_("Not legal"), BAD)
    word = translate(verdict)
    pen.ground(color, x, y - 13, ems(word, True) * 32 + 48, 54, 27)
    pen.write(x + 24, y + 3, word, 300, 32, WHITE, bold=True)
    return y


def _draw_groups(pen: _CardPen, content: CardContent, y: float) -> None:
    """List as many formations as fit, and how many more there are."""
    room = int((y - BAND - 24) // ROW) + 1
    fit = content.groups if content.formations <= room else content.groups[: max(0, room - 1)]
    lines = max(1, room // max(1, content.formations))
    for group in fit:
        x = pen.write(LEFT, y, group.name, 460, 32, INK, bold=True) + 18
        y = _draw_elements(pen, group.elements, x, y, lines)
    left = content.formations - len(fit)
    if left:
        more = _("and {n} more {formations}").format(n=left, formations=content.words[left > 1])
        pen.write(LEFT, y, translate(more), RIGHT - LEFT, 32, SOFT_INK)


def _draw_elements(pen: _CardPen, elements: str, x: float, y: float, lines: int) -> float:
    """Write the elements of a formation on at most ``lines`` lines; return the baseline below."""
    text = fit_text(elements, RIGHT - x, 32, lines=lines)
    for line in text.lines:
        pen.write(x, y, line, RIGHT - x, text.size, SOFT_INK)
        y -= ROW
    return y


def _draw_foot(pen: _CardPen) -> None:
    """Draw the logo, the site's name and its motto."""
    pen.ground(ACCENT, 0, 0, SIZE[0], BAND)
    for number in range(3):
        pen.ground(WHITE, LEFT + 22 * number, 49, 16, 16, 8)
    pen.ground(WHITE, LEFT, 33, 60, 8, 4)
    pen.ground(WHITE, LEFT, 19, 38, 8, 4)
    pen.write(LEFT + 84, 29, "Armybuilder", 400, 38, WHITE, bold=True)
    pen.write(760, 31, translate(_("Every number with its receipt")), RIGHT - 760, 28, WHITE)
