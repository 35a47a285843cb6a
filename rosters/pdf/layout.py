"""From blocks to pages: papers, margins, the frame around every page, and what goes where.

Pages are laid out, and counted, before anything is drawn. Lengths in points.
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
from rosters.pdf.canvas import LINE, MM, SOFT, Pen, Style


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
"""A quarter of an inch, which home printers can print up to."""
BAND = 12 * MM
"""The strip along an edge that says whose page it is."""
BAND_GAP = 1 * MM
COLUMN_GAP = 5 * MM
WORTH_TURNING = 1.1
"""How many times the cells must fit before a page or its strip is turned."""


class Header(NamedTuple):
    """What the strip on every page says. ``address`` "" leaves out the QR code.

    ``prefix`` tells the form fields of several rosters in one PDF apart.
    """

    name: str
    edition: str
    changed: str = ""
    address: str = ""
    illegal: tuple[str, ...] = ()
    prefix: str = ""


class Group(NamedTuple):
    """Blocks that follow one another. ``head`` stands above them, and again wherever they continue."""

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
    ``bookmark`` for a block stands at its page.
    """

    title: str
    blocks: Iterable[tuple[str, Block]]
    cell: tuple[float, float] = (0.0, 0.0)
    share: tuple[int, int] = (1, 1)
    gap: float = 0.0


class Put(NamedTuple):
    """A block at its place on a page."""

    block: Block
    x: float
    top: float
    width: float
    scale: float = 1.0


class Page(NamedTuple):
    """A page before it is drawn."""

    width: float
    height: float
    header: Header
    upright: bool
    """The strip stands along the left edge instead of on top."""
    puts: list[Put]
    bookmarks: list[str]
    title: str


class TooManyPages(Exception):
    """The request would take more pages than are printed."""

    def __init__(self, most: int) -> None:
        super().__init__(f"This would take more than {most} pages. Choose fewer sheets or formations.")


# ---------------------------------------------------------------- areas


class Area(NamedTuple):
    """Where blocks may stand: left, top, width and height."""

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
    """Width and height of what the strip leaves of a page."""
    area = _area(_page(PAPERS[paper], Header("", ""), "", landscape=landscape))
    return area.width, area.height


# ---------------------------------------------------------------- flowing


class _Flow:
    """Puts blocks below one another, into the next column and onto the next page."""

    def __init__(self, section: Section, paper: Paper, style: Style, header: Header) -> None:
        self.section, self.paper, self.style, self.header = section, paper, style, header
        self.pages_done: list[Page] = []
        self.columns = max(1, min(section.columns, int(self._new().width // (62 * style.body / 9 * MM)) or 1))
        self._turn()

    def _new(self) -> Area:
        return _area(_page(self.paper, self.header, "", landscape=self.section.landscape))

    def _turn(self) -> None:
        self.page = _page(self.paper, self.header, self.section.title, landscape=self.section.landscape)
        self.area, self.column = _area(self.page), 0
        self.width = (self.area.width - COLUMN_GAP * (self.columns - 1)) / self.columns
        self.top, self.fresh = self.area.top, True

    def _left(self) -> float:
        return self.top - (self.area.top - self.area.height)

    def _next(self) -> Iterator[Page]:
        """On to the next column; yields the page when it was the last one."""
        self.column += 1
        self.top, self.fresh = self.area.top, True
        if self.column == self.columns:
            yield self.page
            self._turn()

    def _put(self, block: Block) -> None:
        height = block.height(self.style, self.width)
        scale = min(1.0, self.area.height / height) if height else 1.0
        x = self.area.x + self.column * (self.width + COLUMN_GAP)
        self.page.puts.append(Put(block, x, self.top, self.width / scale if scale < 1 else self.width, scale))
        self.top -= height * scale
        self.fresh = False

    def pages(self) -> Iterator[Page]:
        for group in self.section.groups:
            yield from self._group(group)
        if self.page.puts:
            yield self.page

    def _group(self, group: Group) -> Iterator[Page]:
        head = group.head.height(self.style, self.width) if group.head else 0.0
        head_due = True
        for block in chain(group.blocks, [None] if group.head else []):
            if block is None and not head_due:
                break
            height = block.height(self.style, self.width) if block else 0.0
            if not self.fresh and (head if head_due else 0.0) + height > self._left():
                yield from self._next()
                head_due = group.head is not None
            if head_due:
                self._begin(group)
                head_due = False
            if block:
                self._put(block)

    def _begin(self, group: Group) -> None:
        if group.head:
            self._put(group.head)
        if group.bookmark and group.bookmark not in self.page.bookmarks:
            self.page.bookmarks.append(group.bookmark)


def _grid_pages(grid: Grid, paper: Paper, style: Style, header: Header) -> Iterator[Page]:
    page, places = _arranged(grid, paper, header)
    free = iter(places)
    for bookmark, block in grid.blocks:
        place = next(free, None)
        if place is None:
            yield page
            page, places = _arranged(grid, paper, header)
            free = iter(places)
            place = next(free)
        page.puts.append(_placed(block, place, style))
        if bookmark and bookmark not in page.bookmarks:
            page.bookmarks.append(bookmark)
    if page.puts:
        yield page


def _placed(block: Block, place: Area, style: Style) -> Put:
    height = block.height(style, place.width)
    scale = min(1.0, place.height / height) if height > place.height + 0.01 else 1.0
    return Put(block, place.x, place.top, place.width / scale, scale)


def _arranged(grid: Grid, paper: Paper, header: Header) -> tuple[Page, list[Area]]:
    """A new page of the grid with its places: of the ways to lay the cells, the one that holds most."""
    pages = [
        _page(paper, header, grid.title, landscape=land, upright=up) for land in (False, True) for up in (False, True)
    ]
    ways = [(page, _places(grid, _area(page))) for page in (pages if grid.cell != (0.0, 0.0) else pages[:1])]
    best = max(ways, key=lambda way: len(way[1]))
    return best if len(best[1]) > WORTH_TURNING * len(ways[0][1]) else ways[0]


def _places(grid: Grid, area: Area) -> list[Area]:
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
    """What one header stands over: sections and grids of one roster."""

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


class About(NamedTuple):
    """The metadata of a PDF."""

    title: str
    author: str = "Armybuilder"
    subject: str = ""


def render(finished: list[Page], style: Style, about: About, *, first: int = 0, last: int | None = None) -> bytes:
    """The PDF of these pages; ``first`` and ``last`` draw some of them, numbered as in the whole."""
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
        for put in page.puts:
            _draw(pen, put)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw(pen: Pen, put: Put) -> None:
    if put.scale == 1.0:
        put.block.draw(pen, put.x, put.top, put.width)
        return
    with pen.moved(put.x, put.top, scale=put.scale):
        put.block.draw(pen, 0, 0, put.width)


def _bookmarks(canvas: Canvas, page: Page, number: int, bookmarked: set[tuple[str, str]]) -> None:
    titles = [(page.title, 0)] if (page.header.name, page.title) not in bookmarked else []
    for title, level in [*titles, *((mark, 1) for mark in page.bookmarks if (page.title, mark) not in bookmarked)]:
        key = f"p{number}-{len(bookmarked)}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(translate(title), key, level)
        bookmarked.add((page.title, title) if level else (page.header.name, page.title))


def _frame(pen: Pen, page: Page, numbered: str) -> None:
    """The strip, on top or along the left edge."""
    title = join([page.title, numbered], " · ")
    if page.upright:
        with pen.moved(MARGIN + BAND, MARGIN, turned=90):
            _strip(pen, page.header, title, page.height - 2 * MARGIN)
    else:
        with pen.moved(MARGIN, page.height - MARGIN - BAND):
            _strip(pen, page.header, title, page.width - 2 * MARGIN)


def _strip(pen: Pen, header: Header, title: str, width: float) -> None:
    """What is the same on every page, drawn once, and the page's own title. The origin is the lower left corner."""
    code = BAND + 2 * MM if header.address else 0.0
    room = width - code
    pen.stamp(f"strip-{round(width)}-{header!r}", 0, 0, lambda: _whose(pen, header, room))
    pen.fit(room * 0.58, BAND - 10, title, room * 0.42, 7.5, align="right")
    if header.address:
        pen.stamp(f"qr-{header.address}", width - BAND, 0, lambda: _qr(pen, header.address, BAND))


def _whose(pen: Pen, header: Header, room: float) -> None:
    """Name; edition, date and address; why it is not legal."""
    pen.fit(0, BAND - 10, header.name or _("Name:"), room * 0.58 - 6, 11, bold=True, accent=True)
    below = [header.edition, header.changed and _("Changed {date}").format(date=header.changed), header.address]
    pen.fit(0, BAND - 20, join((part for part in below if part), " · "), room, 7, grey=SOFT * 0.6)
    if header.illegal:
        pen.fit(0, BAND - 29, _("Not legal: {reasons}").format(reasons=join(header.illegal, "; ")), room, 7, bold=True)
    pen.line(0, 0, room, 0, LINE)


def _qr(pen: Pen, address: str, side: float) -> None:
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
