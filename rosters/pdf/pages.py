"""Pages as a PDF: mastheads, the blocks at their places, footers, bookmarks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import NamedTuple

import segno
from reportlab.pdfgen.canvas import Canvas

from rosters.core.cache import cached
from rosters.core.messages import _, join, translate
from rosters.pdf.canvas import HAIR, MM, Pen, SheetCanvas, Style, save_canvas
from rosters.pdf.fields import order_fields
from rosters.pdf.fonts import ASCENT, BOLD, NAME, NARROW, ems, face
from rosters.pdf.sections import CREST, CUT_FOOT, CUT_MARGIN, ILLEGAL, MARGIN, Header, Page, PlacedBlock
from rosters.pdf.text import fit_one_or_two


class Metadata(NamedTuple):
    """The metadata of a PDF."""

    title: str
    subject: str = ""


def render(finished: list[Page], style: Style, about: Metadata, *, first: int = 0, last: int | None = None) -> bytes:
    """The PDF of these pages; ``first`` and ``last`` draw some of them, with their numbers in the complete PDF."""
    out = BytesIO()
    canvas = _canvas(out, about, first)
    pen = Pen(canvas, style)
    bookmarked: set[tuple[str, str]] = set()
    for number, page in list(enumerate(finished, start=1))[first:last]:
        canvas.setPageSize((page.width, page.height))
        _set_boxes(canvas, page, style)
        pen.prefix, pen.number = page.header.prefix, page.header.seat
        _bookmarks(canvas, page, number, bookmarked)
        _draw_masthead(pen, page)
        _draw_footer(pen, page, _("Page {number} of {pages}").format(number=number, pages=len(finished)))
        for placed in page.blocks:
            _draw(pen, placed)
        if page.marks:
            page.marks(pen, page, page.blocks)
        canvas.showPage()
    order_fields(canvas._doc)
    save_canvas(canvas)
    return out.getvalue()


def _canvas(out: BytesIO, about: Metadata, first: int) -> Canvas:
    """A canvas with the metadata of a PDF whose first page is numbered ``first`` + 1: printed as large as it is."""
    face(NARROW)
    canvas = SheetCanvas(out, invariant=1, initialFontName=NARROW, lang="en")
    canvas.setTitle(about.title)
    canvas.setAuthor("Armybuilder")
    canvas.setSubject(about.subject)
    canvas.setCreator("Armybuilder")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.addPageLabel(0, "ARABIC", first + 1)
    return canvas


def _set_boxes(canvas: Canvas, page: Page, style: Style) -> None:
    """Set the bleed box and the trim box of a page that is cut: what is printed, and what remains."""
    trim = bleed = None
    if page.cut and page.blocks:
        lows = [placed.top - placed.block.height(style, placed.width) * placed.scale for placed in page.blocks]
        rights = [placed.x + placed.width * placed.scale for placed in page.blocks]
        tops, lefts = [placed.top for placed in page.blocks], [placed.x for placed in page.blocks]
        bleed = (min(lefts), min(lows), max(rights), max(tops))
        beyond = getattr(page.blocks[0].block, "bleed", 0.0)
        trim = (bleed[0] + beyond, bleed[1] + beyond, bleed[2] - beyond, bleed[3] - beyond)
    canvas.setTrimBox(trim)
    canvas.setBleedBox(bleed)


def _draw(pen: Pen, placed: PlacedBlock) -> None:
    usual = pen.style
    pen.style = placed.style or usual
    if placed.scale == 1.0:
        placed.block.draw(pen, placed.x, placed.top, placed.width)
    else:
        with pen.transformed(placed.x, placed.top, scale=placed.scale):
            placed.block.draw(pen, 0, 0, placed.width)
    pen.style = usual


def _bookmarks(canvas: Canvas, page: Page, number: int, bookmarked: set[tuple[str, str]]) -> None:
    titles: dict[int, str] = {}
    for title, level in page.bookmarks:
        titles[level] = title
        place = (page.header.name, title) if level == 0 else (titles.get(0, ""), title)
        if place in bookmarked:
            continue
        key = f"p{number}-{len(bookmarked)}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(translate(title), key, min(level, len(bookmarked)))
        bookmarked.add(place)


NAME_LABEL, LABEL_SIZE = _("Name"), 14
"""Before the line for a name on a blank form."""


def _draw_masthead(pen: Pen, page: Page) -> None:
    """Draw crest, name and badges over the edge of a map; on the pages after the first, the name alone."""
    if not page.top:
        return
    if page.masthead:
        page.masthead.draw(pen, MARGIN, page.height - MARGIN, page.width - 2 * MARGIN)
        return
    width, top = page.width - 2 * MARGIN, page.height - MARGIN
    key = (page.header, page.full, page.title, round(width))
    draw = draw_masthead if page.full else _draw_strip
    pen.draw_cached(key, MARGIN, top, lambda: draw(pen, page.header, page.title, width))
    if page.full and not page.header.name:
        left = MARGIN + _name_label_width()
        pen.field("name", left, top - 8.6 * MM, MARGIN + width - left, 8 * MM, 14, tooltip=NAME_LABEL)


def draw_masthead(pen: Pen, header: Header, title: str, width: float) -> None:
    """Draw the masthead of a first page below and to the right of the origin."""
    left, right = 0.0, width
    if header.crest:
        pen.picture(header.crest, 0, 0, CREST[0])
        left = CREST[0] + 3 * MM
    if header.address:
        right -= CREST[1]
        with pen.transformed(right, -CREST[1]):
            draw_qr(pen, header.address, CREST[1])
        right -= 2 * MM
    for label, value in reversed(header.badges):
        right = draw_badge(pen, right, 0, label, value) - 1 * MM
    available = right - left - 2 * MM
    if header.name:
        pen.fit(left, -7.6 * MM, header.name, available, 25, face=NAME)
    else:
        pen.text(left, -7.6 * MM, NAME_LABEL, LABEL_SIZE, face=NAME)
        pen.line(left + _name_label_width(), -8.6 * MM, right, -8.6 * MM, HAIR)
    about = fit_one_or_two(join(filter(None, (title, header.source)), " · "), available, 9, NARROW)
    top = -12.4 * MM if len(about.lines) == 1 else -11.6 * MM
    pen.lines(left, top + about.size * ASCENT, about, face=NARROW, ink="soft")
    below = CREST[1] + 0.8 * MM
    pen.zebra(0, -below - 1.5 * MM, width)
    if header.illegal:
        reasons = _("Not legal: {reasons}").format(reasons=join(header.illegal[:MAX_REASONS], "; "))
        pen.fit(0, -below - 1.5 * MM - ILLEGAL, reasons, width, 9, face=BOLD)


def _name_label_width() -> float:
    return ems(translate(NAME_LABEL), NAME) * LABEL_SIZE + 2 * MM


def draw_badge(pen: Pen, right: float, top: float, label: str, value: str) -> float:
    """Draw a number in a frame under its label, its upper right corner given; return its left edge."""
    width, height = max(15 * MM, pen.label_width(label, 7) + 3 * MM), 14 * MM
    left = right - width
    pen.frame(left, top - height, width, height)
    pen.label(left + width / 2, top - 4.2 * MM, label, align="centre", ink="soft")
    pen.fit(left + 1 * MM, top - 11.4 * MM, value, width - 2 * MM, 20, face=NAME, align="centre", ink="deep")
    return left


def _draw_strip(pen: Pen, header: Header, title: str, width: float) -> None:
    """Draw the narrow masthead of the pages after the first."""
    half = width * 0.55
    pen.fit(0, -4 * MM, header.name, half, 13, face=NAME)
    pen.fit(half + 2 * MM, -4 * MM, title, width - half - 2 * MM, 9, face=NARROW, ink="soft", align="right")
    pen.zebra(0, -6.6 * MM, width, 1.2 * MM)


FOOTER_SIZE = 7.0
"""The size of the footer."""
MAX_REASONS = 20
"""A footer has no room for more reasons why a roster is not legal."""


def _draw_footer(pen: Pen, page: Page, numbered: str) -> None:
    """Draw a note and the credits at the foot of a page, or in the margin of one to cut."""
    header, margin = page.header, CUT_MARGIN if page.cut else MARGIN
    width, place, rotation = page.width - 2 * margin, (margin, page.foot), 0
    if not page.foot:
        width, place, rotation = page.height - 2 * margin, (CUT_FOOT + 2 * MM, margin), 90
    note = page.note or header.address
    parts = [header.game, header.changed and _("Changed {date}").format(date=header.changed)]
    parts += [header.address] if page.note else []
    if page.cut or not page.top:
        parts = [header.name, page.title, *parts]
    if header.illegal:
        reasons = _("Not legal: {reasons}").format(reasons=join(header.illegal[:MAX_REASONS], "; "))
        parts.insert(0, _("Not legal") if page.cut else reasons)
    numbers = ems(translate(numbered), NARROW) * FOOTER_SIZE
    max_width = width - numbers - 4 * MM if page.note else width / 2
    aside = min(ems(translate(note), NARROW) * FOOTER_SIZE + 4 * MM, max_width) if note else 0
    credit = _fitting_parts((numbered, *parts), width - aside)
    with pen.transformed(*place, rotation=rotation):
        pen.fit(0, 0, credit, width - aside, FOOTER_SIZE, face=NARROW, ink="soft")
        pen.fit(width - aside, 0, note, aside, FOOTER_SIZE, face=NARROW, ink="soft", align="right")


def _fitting_parts(parts: Iterable[str], width: float) -> str:
    """As many parts of a footer as fit, from the first; two at least."""
    some = [part for part in parts if part]
    while len(some) > 2 and ems(translate(join(some, " · ")), NARROW) * FOOTER_SIZE > width:
        some.pop()
    return join(some, " · ")


def draw_qr(pen: Pen, address: str, side: float) -> None:
    """A QR code in a square, its lower left corner at the origin."""
    rows = _modules(address)
    module = side / len(rows)
    pen.canvas.setFillGray(0)
    for number, row in enumerate(rows):
        for start, length in _dark(row):
            bottom = side - (number + 1) * module
            pen.canvas.rect(start * module, bottom, length * module, module, stroke=0, fill=1)


@cached(1 << 20)
def _modules(address: str) -> tuple[bytes, ...]:
    """The rows of a QR code, 1 for each dark module: they take longer to find than to draw."""
    return tuple(map(bytes, segno.make(address, error="l", micro=False, boost_error=False).matrix))


def _dark(row: bytes) -> Iterator[tuple[int, int]]:
    """Where dark modules begin in a row, and how many follow."""
    start = None
    for place, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = place
        elif not dark and start is not None:
            yield start, place - start
            start = None
