"""Page layout: papers, margins, page headers, and the position of each block.

Pages are laid out and counted before they are rendered, because each shows the number of pages. Lengths in points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain
from typing import NamedTuple

import segno
from reportlab.pdfgen.canvas import Canvas

from rosters.core.messages import _, join, translate
from rosters.pdf.blocks import Block
from rosters.pdf.canvas import LINE, MM, SOFT, Pen, Style, save_canvas


class Paper(NamedTuple):
    """A size of paper, upright."""

    name: str
    width: float
    height: float


PAPERS: Mapping[str, Paper] = {
    "a4": Paper("A4", 210 * MM, 297 * MM),
    "letter": Paper(_("Letter"), 215.9 * MM, 279.4 * MM),
    "a5": Paper(_("Half sheet (A5)"), 148 * MM, 210 * MM),
}
MARGIN = 6.35 * MM
"""A quarter of an inch, which home printers can print upright to."""
BAND = 12 * MM
"""The height of the page header, a strip along the top or the left edge."""
BAND_GAP = 1 * MM
COLUMN_GAP = 5 * MM
MIN_ROTATION_GAIN = 1.1
"""A page or its header is rotated only if at least this many times the cells then fit."""


class Header(NamedTuple):
    """The content of a page header; an ``address`` of "" leaves out the QR code.

    ``prefix`` makes the names of form fields unique when one PDF has several rosters.
    """

    name: str
    edition: str
    changed: str = ""
    address: str = ""
    illegal: tuple[str, ...] = ()
    prefix: str = ""


class Group(NamedTuple):
    """Blocks that follow one another; ``head`` is repeated at the top of each column in which they continue."""

    blocks: Iterable[Block]
    head: Block | None = None
    bookmark: str = ""


class Section(NamedTuple):
    """Groups that begin on a page of their own, in columns."""

    title: str
    groups: Iterable[Group]
    columns: int = 1
    landscape: bool = False


class Grid(NamedTuple):
    """Blocks of one fixed size, as many on a page as fit: cards, counters, records.

    ``cell`` is width and height in points; ``share`` instead divides a page into columns and rows. A
    ``bookmark`` of a block refers to its page.
    """

    title: str
    blocks: Iterable[tuple[str, Block]]
    cell: tuple[float, float] = (0.0, 0.0)
    share: tuple[int, int] = (1, 1)
    gap: float = 0.0


class PlacedBlock(NamedTuple):
    """A block at its place on a page."""

    block: Block
    x: float
    top: float
    width: float
    scale: float = 1.0


class Page(NamedTuple):
    """A page with its blocks laid out."""

    width: float
    height: float
    header: Header
    upright: bool
    """Whether the header is along the left edge instead of on top."""
    blocks: list[PlacedBlock]
    bookmarks: list[str]
    title: str


class TooManyPages(Exception):
    """The print would have more pages than the limit."""

    def __init__(self, most: int) -> None:
        super().__init__(f"This would take more than {most} pages. Choose fewer sheets or formations.")


# ---------------------------------------------------------------- areas


class Area(NamedTuple):
    """A rectangle for blocks: left, top, width and height."""

    x: float
    top: float
    width: float
    height: float


def _page(paper: Paper, header: Header, title: str, *, landscape: bool = False, upright: bool = False) -> Page:
    width, height = (paper.height, paper.width) if landscape else (paper.width, paper.height)
    return Page(width, height, header, upright, [], [], title)


def _area(page: Page) -> Area:
    band = BAND + BAND_GAP
    left, above = (band, 0.0) if page.upright else (0.0, band)
    return Area(
        MARGIN + left,
        page.height - MARGIN - above,
        page.width - 2 * MARGIN - left,
        page.height - 2 * MARGIN - above,
    )


def frame(paper: str, *, landscape: bool = False) -> tuple[float, float]:
    """Width and height of a page without its margins and its header."""
    area = _area(_page(PAPERS[paper], Header("", ""), "", landscape=landscape))
    return area.width, area.height


# ---------------------------------------------------------------- flowing


class _Flow:
    """Lays out a section: blocks below one another, then in the next column, then on the next page."""

    def __init__(self, section: Section, paper: Paper, style: Style, header: Header) -> None:
        self.section, self.paper, self.style, self.header = section, paper, style, header
        width = _area(_page(paper, header, "", landscape=section.landscape)).width
        self.columns = max(1, min(section.columns, int(width // (62 * style.body / 9 * MM))))
        self._begin_page()

    def _begin_page(self) -> None:
        self.page = _page(self.paper, self.header, self.section.title, landscape=self.section.landscape)
        self.area, self.column = _area(self.page), 0
        self.width = (self.area.width - COLUMN_GAP * (self.columns - 1)) / self.columns
        self.top, self.at_top = self.area.top, True

    def _next_column(self) -> Iterator[Page]:
        """Begin the next column; yield the page after the last one."""
        self.column += 1
        self.top, self.at_top = self.area.top, True
        if self.column == self.columns:
            yield self.page
            self._begin_page()

    def _place(self, block: Block, height: float) -> None:
        scale = min(1.0, self.area.height / height) if height else 1.0
        x = self.area.x + self.column * (self.width + COLUMN_GAP)
        self.page.blocks.append(PlacedBlock(block, x, self.top, self.width / scale if scale < 1 else self.width, scale))
        self.top -= height * scale
        self.at_top = False

    def pages(self) -> Iterator[Page]:
        for group in self.section.groups:
            yield from self._group(group)
        if self.page.blocks:
            yield self.page

    def _group(self, group: Group) -> Iterator[Page]:
        head = group.head.height(self.style, self.width) if group.head else 0.0
        head_due = True
        for block in chain(group.blocks, [None] if group.head else []):
            if block is None and not head_due:
                break
            height = block.height(self.style, self.width) if block else 0.0
            remaining = self.top - (self.area.top - self.area.height)
            if not self.at_top and (head if head_due else 0.0) + height > remaining:
                yield from self._next_column()
                head_due = group.head is not None
            if head_due:
                self._place_head(group, head)
                head_due = False
            if block:
                self._place(block, height)

    def _place_head(self, group: Group, head: float) -> None:
        if group.head:
            self._place(group.head, head)
        if group.bookmark and group.bookmark not in self.page.bookmarks:
            self.page.bookmarks.append(group.bookmark)


def _grid_pages(grid: Grid, paper: Paper, style: Style, header: Header) -> Iterator[Page]:
    page, places = _best_page(grid, paper, header)
    free = iter(places)
    for bookmark, block in grid.blocks:
        place = next(free, None)
        if place is None:
            yield page
            page, places = _best_page(grid, paper, header)
            free = iter(places)
            place = next(free)
        page.blocks.append(_place_in(block, place, style))
        if bookmark and bookmark not in page.bookmarks:
            page.bookmarks.append(bookmark)
    if page.blocks:
        yield page


def _place_in(block: Block, place: Area, style: Style) -> PlacedBlock:
    height = block.height(style, place.width)
    scale = min(1.0, place.height / height) if height > place.height + 0.01 else 1.0
    return PlacedBlock(block, place.x, place.top, place.width / scale, scale)


def _best_page(grid: Grid, paper: Paper, header: Header) -> tuple[Page, list[Area]]:
    """A new page of the grid with its cells, in the orientation that has the most."""
    both = (False, True) if grid.cell != (0.0, 0.0) else (False,)
    pages = [_page(paper, header, grid.title, landscape=turned, upright=left) for turned in both for left in both]
    layouts = [(page, _areas(grid, _area(page))) for page in pages]
    best = max(layouts, key=lambda layout: len(layout[1]))
    return best if len(best[1]) > MIN_ROTATION_GAIN * len(layouts[0][1]) else layouts[0]


def _areas(grid: Grid, area: Area) -> list[Area]:
    if grid.cell == (0.0, 0.0):
        across, down = grid.share
        wide = (area.width - grid.gap * (across - 1)) / across
        tall = (area.height - grid.gap * (down - 1)) / down
    else:
        wide, tall = grid.cell
        across = int((area.width + grid.gap + 0.01) // (wide + grid.gap))
        down = int((area.height + grid.gap + 0.01) // (tall + grid.gap))
    steps = [(column, row) for row in range(down) for column in range(across)]
    return [
        Area(area.x + column * (wide + grid.gap), area.top - row * (tall + grid.gap), wide, tall)
        for column, row in steps
    ]


class Part(NamedTuple):
    """The sections and grids of one roster, with the header of their pages."""

    header: Header
    pieces: Iterable[Section | Grid]


def pages(parts: Iterable[Part], paper: Paper, style: Style, most: int = 0) -> list[Page]:
    """Every page of these parts. Raises TooManyPages beyond ``most`` (0: any number)."""
    finished: list[Page] = []
    for page in _all_pages(parts, paper, style):
        if most and len(finished) == most:
            raise TooManyPages(most)
        finished.append(page)
    return finished


def _all_pages(parts: Iterable[Part], paper: Paper, style: Style) -> Iterator[Page]:
    for part in parts:
        for piece in part.pieces:
            if isinstance(piece, Grid):
                yield from _grid_pages(piece, paper, style, part.header)
            else:
                yield from _Flow(piece, paper, style, part.header).pages()


# ---------------------------------------------------------------- drawing


class Metadata(NamedTuple):
    """The metadata of a PDF."""

    title: str
    author: str = "Armybuilder"
    subject: str = ""


def render(finished: list[Page], style: Style, about: Metadata, *, first: int = 0, last: int | None = None) -> bytes:
    """The PDF of these pages; ``first`` and ``last`` draw some of them, with their numbers in the complete PDF."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(about.title)
    canvas.setAuthor(about.author)
    canvas.setSubject(about.subject)
    canvas.setCreator("Armybuilder")
    pen = Pen(canvas, style)
    bookmarked: set[tuple[str, str]] = set()
    for number, page in list(enumerate(finished, start=1))[first:last]:
        canvas.setPageSize((page.width, page.height))
        pen.prefix = page.header.prefix
        _bookmarks(canvas, page, number, bookmarked)
        _frame(pen, page, _("Page {number} of {pages}").format(number=number, pages=len(finished)))
        for placed in page.blocks:
            _draw(pen, placed)
        canvas.showPage()
    save_canvas(canvas)
    return out.getvalue()


def _draw(pen: Pen, placed: PlacedBlock) -> None:
    if placed.scale == 1.0:
        placed.block.draw(pen, placed.x, placed.top, placed.width)
        return
    with pen.transformed(placed.x, placed.top, scale=placed.scale):
        placed.block.draw(pen, 0, 0, placed.width)


def _bookmarks(canvas: Canvas, page: Page, number: int, bookmarked: set[tuple[str, str]]) -> None:
    titles = [(page.title, 0)] if (page.header.name, page.title) not in bookmarked else []
    for title, level in [*titles, *((mark, 1) for mark in page.bookmarks if (page.title, mark) not in bookmarked)]:
        key = f"p{number}-{len(bookmarked)}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(translate(title), key, level)
        bookmarked.add((page.title, title) if level else (page.header.name, page.title))


def _frame(pen: Pen, page: Page, numbered: str) -> None:
    """Draw the header, on top or along the left edge."""
    title = join([page.title, numbered], " · ")
    if page.upright:
        with pen.transformed(MARGIN + BAND, MARGIN, rotation=90):
            _draw_strip(pen, page.header, title, page.height - 2 * MARGIN)
    else:
        with pen.transformed(MARGIN, page.height - MARGIN - BAND):
            _draw_strip(pen, page.header, title, page.width - 2 * MARGIN)


def _draw_strip(pen: Pen, header: Header, title: str, width: float) -> None:
    """The header, cached as it repeats on every page, and the page's title. The origin is the lower left corner."""
    code = BAND + 2 * MM if header.address else 0.0
    room = width - code
    pen.draw_cached(f"strip-{round(width)}-{header!r}", 0, 0, lambda: _draw_header(pen, header, room))
    pen.fit(room * 0.58, BAND - 10, title, room * 0.42, 7.5, align="right")
    if header.address:
        pen.draw_cached(f"qr-{header.address}", width - BAND, 0, lambda: _draw_qr(pen, header.address, BAND))


def _draw_header(pen: Pen, header: Header, room: float) -> None:
    """Name; edition, date and address; why it is not legal."""
    pen.fit(0, BAND - 10, header.name or _("Name:"), room * 0.58 - 6, 11, bold=True, accent=True)
    below = [header.edition, header.changed and _("Changed {date}").format(date=header.changed), header.address]
    pen.fit(0, BAND - 20, join((part for part in below if part), " · "), room, 7, grey=SOFT * 0.6)
    if header.illegal:
        pen.fit(0, BAND - 29, _("Not legal: {reasons}").format(reasons=join(header.illegal, "; ")), room, 7, bold=True)
    pen.line(0, 0, room, 0, LINE)


def _draw_qr(pen: Pen, address: str, side: float) -> None:
    """A QR code in a square, its lower left corner at the origin."""
    rows = [list(row) for row in segno.make(address, error="l", micro=False, boost_error=False).matrix]
    module = side / len(rows)
    pen.canvas.setFillGray(0)
    for number, row in enumerate(rows):
        for start, length in _dark(row):
            bottom = side - (number + 1) * module
            pen.canvas.rect(start * module, bottom, length * module, module, stroke=0, fill=1)


def _dark(row: list[int]) -> Iterator[tuple[int, int]]:
    """Where dark modules begin in a row, and how many follow."""
    start = None
    for place, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = place
        elif not dark and start is not None:
            yield start, place - start
            start = None
