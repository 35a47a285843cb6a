"""The preview of a roster's link in chats: Open Graph summary and picture, both redacted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from math import ceil
from typing import Any, NamedTuple

from django.http import HttpRequest
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from rosters import registry
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import Appraisal, AppraisedFormations, RosterState, terms_of
from rosters.core.crests import crest_of
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, translate
from rosters.drawing.crest import crest
from rosters.drawing.primitives import Picture
from rosters.exports import listing
from rosters.exports.listing import name_or
from rosters.exports.text import one_line
from rosters.pdf.canvas import Ink, Pen, Style, save_canvas
from rosters.pdf.drawing import BLUE, RED, TINCTURES, Palette, draw
from rosters.pdf.fonts import BOLD, NAME, REGULAR, ems
from rosters.pdf.picture import page_as_png
from rosters.pdf.text import fit_text, truncate
from rosters.registry import System

MAX_SUMMARY = 200
"""Characters of the summary; chats truncate longer ones."""
SIZE = (1200, 630)
"""Width and height in pixels; a pixel is a point of the page."""
COLUMNS, MAX_ROWS = 6, 2
"""The grid of counters, whose last place says how many more elements there are."""

INK, SOFT_INK, PAPER = TINCTURES["line"], HexColor("#595e54"), HexColor("#fffdf7")
WHITE, GOOD, BAD = HexColor("#ffffff"), HexColor("#23633a"), HexColor("#a5321f")
"""As in static/css/tokens.css, light."""
LEFT, RIGHT = 64, SIZE[0] - 64
FRAME, FOOT = 26, 70
"""Heights of the map frame along the top, and of the foot with our name."""
CREST, LABEL = 128, 30
"""The width of the crest, and the height of the line under a counter."""
FEW = 4
"""Elements that have wider columns."""
COUNTER = 0.72
"""The width of a counter in a column, where its height has room."""


# ---------------------------------------------------------------- the summary


def summary(state: RosterState, limit: int = MAX_SUMMARY) -> str:
    """The roster in one line of at most ``limit`` characters."""
    line = one_line(*state, registry.SYSTEMS[state.document.system])
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def roster_tags(request: HttpRequest, path: str, state: RosterState) -> dict[str, Any]:
    """The Open Graph tags of a roster's page at ``path``."""
    title = state.document.name or registry.SYSTEMS[state.document.system].name
    return open_graph_tags(request, path, f"{path}.png", title, summary(state))


def open_graph_tags(request: HttpRequest, path: str, image: str, title: Any, text: Any) -> dict[str, Any]:
    """The Open Graph tags of the page at ``path``, with the path of its picture."""
    address, picture_address = map(request.build_absolute_uri, (path, image))
    width, height = SIZE
    tags = {"address": address, "image": picture_address, "title": title, "summary": text}
    return tags | {"width": width, "height": height}


# ---------------------------------------------------------------- the content of the picture


class PreviewElement(NamedTuple):
    """An element: its counter, and its quantity and name."""

    counter: Picture
    label: str


class PreviewContent(NamedTuple):
    """What a picture shows. ``points`` is "" where none are shown; ``more`` is how many elements it leaves out."""

    name: str
    game: str
    points: str
    limit: str
    state: str
    legal: bool
    crest: Picture
    elements: tuple[PreviewElement, ...]
    more: str


def preview_content(
    document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: System
) -> PreviewContent:
    """What the picture of a roster shows. Hidden points leave no trace."""
    words, limit = game.rules.WORDS, listing.budget(appraisal)
    items = [item for group in listing.groups(document, appraisal, appraised) for item in group.items]
    places = COLUMNS * MAX_ROWS
    shown = items if len(items) <= places else items[: places - 1]
    terms = terms_of(document)
    return PreviewContent(
        name_or(document.name, game.name),
        " · ".join(part for part in (game.name, listing.scenario(document, game)) if part),
        "" if appraisal.points is None else format_amount(appraisal.points),
        "" if appraisal.points is None else translate(_limit(limit, words.points)),
        translate(appraisal.state),
        appraisal.legal,
        crest(crest_of(document)),
        tuple(_element(item, game, terms) for item in shown),
        f"+ {len(items) - len(shown)}" if len(shown) < len(items) else "",
    )


def _limit(limit: Amount | None, unit: str) -> str:
    return unit if limit is None else _("of {limit} {unit}").format(limit=format_amount(limit), unit=unit)


def _element(item: listing.ListedElement, game: System, terms: Any) -> PreviewElement:
    points = "" if item.unit_points is None else format_amount(item.unit_points)
    name, quantity = name_or(item.element.name, game.rules.WORDS.element), item.element.quantity
    counter = game.drawing.counter_of(item.element, terms, large=False, points=points)
    return PreviewElement(counter, name if quantity == 1 else f"{quantity} × {name}")


# ---------------------------------------------------------------- the picture


def picture(content: PreviewContent) -> bytes:
    """The picture of a roster as PNG."""
    return _as_png(lambda pen: _draw(pen, content))


def battle_picture(game: str, sides: Sequence[PreviewContent], others: str) -> bytes:
    """The picture of a battle as PNG: its first two rosters side by side; ``others`` says what is not shown."""
    return _as_png(lambda pen: _draw_battle(pen, game, sides, others))


def site_picture(title: str, text: str, counters: Sequence[Sequence[Picture]]) -> bytes:
    """The picture of the site as PNG, with a row of counters of each side."""
    return _as_png(lambda pen: _draw_site(pen, title, text, counters))


def _as_png(draw_on: Callable[[_PreviewPen], None]) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=SIZE, invariant=1)
    pen = _PreviewPen(canvas)
    pen.ground(PAPER, 0, 0, *SIZE)
    _draw_frame(pen)
    draw_on(pen)
    canvas.showPage()
    save_canvas(canvas)
    return page_as_png(out.getvalue(), 1)


class _PreviewPen(Pen):
    """A pen that draws in any color."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, Style(body=30, colour=True))
        self.color: Color = INK

    def set_ink(self, ink: Ink) -> None:
        self.canvas.setFillColor(self.color)

    def write(
        self, x: float, y: float, words: str, width: float, size: float, color: Color, face: str = REGULAR
    ) -> float:
        """Write one line on its baseline, shrunk or shortened to ``width``; return where it ends."""
        self.color = color
        text = fit_text(words, width, size, face=face)
        line = text.lines[0] if text.lines else ""
        self.runs(x, y, line, text.size, face=face)
        return x + ems(line, face) * text.size

    def ground(self, color: Color, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
        self.canvas.setFillColor(color)
        self.canvas.roundRect(x, y, width, height, radius, stroke=0, fill=1)


def _draw(pen: _PreviewPen, content: PreviewContent) -> None:
    """Draw crest, game, name, points and verdict, and counters from the top; the site's name below."""
    top = SIZE[1] - FRAME - 40
    draw(pen.canvas, content.crest, LEFT, top, CREST, TINCTURES)
    x = LEFT + CREST + 36
    pen.write(x, top - 26, content.game, RIGHT - x, 30, SOFT_INK)
    text = fit_text(content.name, RIGHT - x, 64, lines=2, face=NAME)
    pen.color = INK
    pen.lines(x, top - 40, text, face=NAME)
    _draw_verdict(pen, content, x, top - 40 - text.height - 48)
    below = min(top - CREST * 1.25, top - 40 - text.height - 64) - 30
    _draw_elements(pen, content, below, LEFT, RIGHT - LEFT, FEW if len(content.elements) <= FEW else COLUMNS, BLUE)
    _draw_foot(pen)


def _draw_site(pen: _PreviewPen, title: str, text: str, counters: Sequence[Sequence[Picture]]) -> None:
    """Draw what the site is for, and a row of counters of each side."""
    pen.color = INK
    top = SIZE[1] - FRAME - 40
    heading = fit_text(title, RIGHT - LEFT, 64, lines=2, face=NAME)
    pen.lines(LEFT, top, heading, face=NAME)
    pen.color = SOFT_INK
    pen.lines(LEFT, top - heading.height - 14, fit_text(text, RIGHT - LEFT, 28, lines=2))
    for row, (side, palette) in enumerate(zip(counters, (BLUE, RED), strict=True)):
        column = (RIGHT - LEFT) / len(side)
        for number, counter in enumerate(side):
            draw(pen.canvas, counter, LEFT + number * column, 306 - row * 112, 0.66 * column, palette)
    _draw_foot(pen)


def _draw_frame(pen: _PreviewPen) -> None:
    """Draw the zebra frame of a map along the top."""
    top, field = SIZE[1] - FRAME, SIZE[0] / 20
    for number in range(0, 20, 2):
        pen.ground(INK, number * field, top, field, FRAME)
    pen.ground(INK, 0, top - 3, SIZE[0], 3)


def _draw_battle(pen: _PreviewPen, game: str, sides: Sequence[PreviewContent], others: str) -> None:
    """Draw game and what is not shown along the top, and each side in a column of its color."""
    top, column = SIZE[1] - FRAME - 40, (RIGHT - LEFT - 60) / 2
    pen.write(LEFT, top - 26, game, column, 30, SOFT_INK)
    pen.write(RIGHT - ems(others) * 30, top - 26, others, column, 30, SOFT_INK)
    for number, (content, palette) in enumerate(zip(sides[:2], (BLUE, RED), strict=False)):
        x = LEFT + number * (column + 60)
        pen.ground(palette["tile"], x, top - 58, column, 10)
        draw(pen.canvas, content.crest, x, top - 80, 96, TINCTURES)
        text = fit_text(content.name, column - 124, 46, lines=2, face=NAME)
        pen.color = INK
        pen.lines(x + 124, top - 78, text, face=NAME)
        _draw_verdict(pen, content, x, top - 264, 44)
        _draw_elements(pen, content._replace(elements=content.elements[:8], more=""), top - 290, x, column, 4, palette)
    _draw_foot(pen)


def _draw_verdict(pen: _PreviewPen, content: PreviewContent, x: float, y: float, size: float = 56) -> None:
    """Write the points, if they are shown, and whether the roster is legal, on the baseline ``y``."""
    if content.points:
        x = pen.write(x, y, content.points, 420, size, INK, face=NAME) + 14
        x = pen.write(x, y, content.limit, 420, size * 0.6, SOFT_INK) + size * 0.6
    word, size = content.state, size * 0.54
    color = GOOD if content.legal else BAD if content.elements else SOFT_INK
    pen.ground(color, x, y - size * 0.4, ems(word, BOLD) * size + size * 1.3, size * 1.66, 4)
    pen.write(x + size * 0.65, y + size * 0.1, word, 300, size, WHITE, face=BOLD)


def _draw_elements(
    pen: _PreviewPen, content: PreviewContent, top: float, left: float, width: float, columns: int, palette: Palette
) -> None:
    """Draw the counters in rows between ``top`` and the foot, each with its quantity and name."""
    rows, column = ceil(len(content.elements) / columns), width / columns
    room = (top - FOOT - 8) / max(1, rows)
    for number, (counter, label) in enumerate(content.elements):
        x, y = left + number % columns * column, top - number // columns * room
        counter_width = min(COUNTER * column, (room - LABEL - 8) * counter.width / counter.height)
        draw(pen.canvas, counter, x, y, counter_width, palette)
        y -= counter_width * counter.height / counter.width + 26
        pen.write(x, y, label if ems(label) * 22 <= column - 14 else truncate(label, column - 14, 22), column, 22, INK)
    if content.more:
        pen.write(left + width - column, top - (rows - 1) * room - 56, content.more, column, 44, SOFT_INK, face=NAME)


def _draw_foot(pen: _PreviewPen) -> None:
    """Draw the site's name and its motto under a hairline."""
    pen.ground(INK, LEFT, FOOT - 8, RIGHT - LEFT, 2)
    pen.write(LEFT, 24, "Armybuilder", 400, 30, INK, face=NAME)
    motto = translate(_("Every price step by step"))
    pen.write(RIGHT - ems(motto) * 24, 24, motto, 600, 24, SOFT_INK)
