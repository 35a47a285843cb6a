"""Page layout: papers, margins, mastheads and footers, and the position of each block.

Pages are laid out and counted before they are rendered, because each shows the number of pages. Lengths in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import chain, islice, pairwise, tee
from typing import Generic, Literal, NamedTuple, TypeVar

import segno
from reportlab.pdfgen.canvas import Canvas

from rosters.core.cache import cached
from rosters.core.messages import Message, _, join, ngettext, translate
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import Block, NoteLines, TwoSided
from rosters.pdf.canvas import HAIR, MM, Pen, SheetCanvas, Style, save_canvas
from rosters.pdf.fields import order_fields
from rosters.pdf.fonts import ASCENT, BOLD, NAME, NARROW, ems, face
from rosters.pdf.shaping import TooLarge
from rosters.pdf.text import fit_one_or_two

T = TypeVar("T")


class Paper(NamedTuple):
    """A size of paper, upright."""

    name: str
    width: float
    height: float


PAPERS: Mapping[str, Paper] = {
    "a4": Paper("A4", 210 * MM, 297 * MM),
    "letter": Paper(_("Letter"), 215.9 * MM, 279.4 * MM),
    "a5": Paper(_("Half sheet (A5)"), 148 * MM, 210 * MM),
    "half-letter": Paper(_("Half sheet (half Letter)"), 139.7 * MM, 215.9 * MM),
}
MARGIN = 9 * MM
CUT_MARGIN = 6.35 * MM
"""The margin of sheets to cut: a quarter of an inch, which home printers leave."""
CUT_FOOT = 7 * MM
"""Where the footer of a sheet to cut is written, from the lower edge."""
CREST = 12.4 * MM, 15.5 * MM
"""Width and height of the crest in a masthead."""
MASTHEAD, STRIP, FOOTER = 19.5 * MM, 9 * MM, 5.5 * MM
"""Heights of the masthead of a first page, of that of the pages after it, and of the footer, each with its gap."""
ILLEGAL = 3.6 * MM
"""More height for the reasons why a roster is not legal."""
COLUMN_GAP = 5 * MM
SECTION_GAP = 4 * MM
MIN_SHARE = 40 * MM
"""A section begins on the page of the one before it if this much height is left, or all of it fits."""
FILLING = (0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3)
"""The sizes of print, as multiples of the usual one, of tables that fill their pages."""
MIN_ALONE = 30 * MM
"""A block of this height may be alone below the head of its group, where the page ends."""
MAX_FILLED = 20
"""A section of so many pages is in the usual print: trying others takes as long again for each."""
MAX_FOOTED = 4
"""The foot of a section of more pages is after it."""
LEAST_USED = 0.7
"""A section's last page has lines for notes if less of its height is used."""
LEAST_RULED = 32 * MM
"""A page before it has them if it is lower by more than this, since its last two pages are evened."""
AHEAD = 1.5
"""The height that is measured ahead, in pages: enough to balance columns, and finite for blank sheets without end."""
MIN_ROTATION_GAIN = 1.1
"""A page of cells is landscape only if at least this many times the cells then fit."""


class Header(NamedTuple):
    """What a roster's pages say of it; an ``address`` of "" leaves out the QR code.

    ``badges`` are labels with numbers; ``seat`` is the side, from 0; ``prefix`` makes the names of form fields unique
    when one PDF has several rosters.
    """

    name: str
    game: str
    changed: str = ""
    address: str = ""
    illegal: tuple[str, ...] = ()
    prefix: str = ""
    crest: Picture | None = None
    badges: tuple[tuple[str, str], ...] = ()
    source: str = ""
    """Title and author of the rulebook."""
    seat: int = 0


class Group(NamedTuple):
    """Blocks that follow one another; ``head``, or one as high for a group ``continued``, is at the top of each column.

    A group that ``continues`` the one before it has its head only there.
    """

    blocks: Iterable[Block]
    head: Block | None = None
    bookmark: str = ""
    continues: bool = False
    continued: Block | None = None


class Section(NamedTuple):
    """Groups in columns. A section follows another on its page; ``new_page`` begins one; one to ``keep_together``
    does unless all of it fits below the other.

    ``bare`` pages have no masthead: their blocks name the roster themselves. A section with a ``masthead`` begins a
    page with it instead of the usual one. Its ``head`` is above its columns. ``note`` is at the foot of its pages.
    A section that ``fills`` its pages is printed in the largest of these sizes that takes the fewest pages. ``rest``
    is what is printed in the height that nothing else takes of its last page. ``foot`` is printed after it, or on the
    page before it if that takes a page less; pages without it have the ``reminder`` at their foot.
    """

    title: str
    groups: Iterable[Group]
    columns: int = 1
    landscape: bool = False
    new_page: bool = False
    bare: bool = False
    note: str = ""
    masthead: Block | None = None
    head: Block | None = None
    fills: Sequence[float] = ()
    keep_together: bool = False
    rest: Callable[[float], Block] | None = None
    foot: Section | None = None
    reminder: Block | None = None


class Grid(NamedTuple):
    """Blocks of one fixed size, as many on a page as fit: cards, counters, records. Its pages have no masthead.

    ``cell`` is width and height in points; ``share`` instead divides a page into columns and rows. A
    ``bookmark`` of a block refers to its page. Grids to ``cut`` use all that printers reach, have their footer in the
    margin, and say how many places of the last page are free.

    ``spare`` are printed on the places of the last page that are left; ``then``, a grid of another size, begins in the
    rows that are left.

    After each page of `TwoSided` blocks is one of their backs, if the paper is turned over one of its edges.
    ``marks`` draws what to cut along, for the places that are used, over each page.
    """

    title: str
    blocks: Iterable[tuple[str, Block]]
    cell: tuple[float, float] = (0.0, 0.0)
    share: tuple[int, int] = (1, 1)
    gap: float = 0.0
    cut: bool = False
    note: str = ""
    turn: Literal["", "long", "short"] = ""
    marks: Callable[[Pen, Page, Sequence[PlacedBlock]], None] | None = None
    spare: Iterable[Block] = ()
    then: Grid | None = None


class PlacedBlock(NamedTuple):
    """A block at its place on a page."""

    block: Block
    x: float
    top: float
    width: float
    scale: float = 1.0
    style: Style | None = None
    """The style of a block that is not in that of the print."""


class Page(NamedTuple):
    """A page with its blocks laid out; ``top`` is its masthead's height, ``full`` whether that is the large one."""

    width: float
    height: float
    header: Header
    title: str
    top: float
    full: bool
    blocks: list[PlacedBlock]
    bookmarks: list[tuple[str, int]]
    """Titles with their levels, from 0."""
    cut: bool = False
    note: str = ""
    foot: float = MARGIN
    """Where the footer is written, from the lower edge; 0: up the left side."""
    marks: Callable[[Pen, Page, Sequence[PlacedBlock]], None] | None = None
    masthead: Block | None = None
    under: float = 0.0
    """The height of what is at the foot of the page, above the footer."""


class TooManyPages(TooLarge):
    """The print would have more pages than the limit."""

    def __init__(self, max_pages: int) -> None:
        super().__init__(
            ngettext(
                "This would take more than {n} page. Choose fewer sheets or formations.",
                "This would take more than {n} pages. Choose fewer sheets or formations.",
                max_pages,
            ).format(n=max_pages)
        )


class DoesNotFit(TooManyPages):
    """The print has more pages than it should fit on, even in the smallest print; it takes at least ``min_pages``."""

    def __init__(self, max_pages: int, min_pages: int) -> None:
        self.min_pages = min_pages
        Exception.__init__(
            self,
            ngettext(
                "This does not fit on {n} page: it takes at least {least}.",
                "This does not fit on {n} pages: it takes at least {least}.",
                max_pages,
            ).format(n=max_pages, least=min_pages),
        )


# ---------------------------------------------------------------- areas


class Area(NamedTuple):
    """A rectangle for blocks: left, top, width and height."""

    x: float
    top: float
    width: float
    height: float

    def columns(self, number: int, gap: float = COLUMN_GAP) -> Iterator[Area]:
        """Columns side by side, of one width."""
        width = (self.width - gap * (number - 1)) / number
        return (self._replace(x=self.x + column * (width + gap), width=width) for column in range(number))


def _area(page: Page) -> Area:
    margin, foot = (CUT_MARGIN, 0.0) if page.cut else (MARGIN, FOOTER)
    height = page.height - 2 * margin - page.top - foot - page.under
    return Area(margin, page.height - margin - page.top, page.width - 2 * margin, height)


def frame(paper: str, *, landscape: bool = False, bare: bool = False) -> tuple[float, float]:
    """Width and height of a page without its margins, its masthead (``bare`` pages have none) and its footer."""
    page = _page(PAPERS[paper], Header("", ""), landscape=landscape, top=0 if bare else STRIP)
    area = _area(page)
    return area.width, area.height


def _page(
    paper: Paper, header: Header, *, landscape: bool = False, top: float = 0, full: bool = False, cut: bool = False
) -> Page:
    width, height = (paper.height, paper.width) if landscape else (paper.width, paper.height)
    return Page(width, height, header, "", top, full, [], [], cut)


# ---------------------------------------------------------------- flowing


class _Item(NamedTuple):
    """A block of a section with its height; ``head`` is that of its group, repeated where the group continues."""

    block: Block | None
    height: float
    head: Block | None
    head_height: float
    first: bool
    """Whether it begins its group, which then has a head."""
    more: float
    """The height of the next block of the group, which the first must not be parted from."""
    bookmark: str
    continued: Block | None = None
    """The head where the group continues in another column, if that is another one."""


def _items(groups: Iterable[Group], style: Style, width: float) -> Iterator[_Item]:
    for group in groups:
        head = group.head.height(style, width) if group.head else 0.0
        measured = ((block, block.height(style, width)) for block in group.blocks)
        start = [*islice(measured, 2)]
        if group.head and not start:
            yield _Item(None, 0.0, group.head, head, not group.continues, 0.0, group.bookmark, group.continued)
        for number, (block, height) in enumerate(chain(start, measured)):
            parted = number > 0 or not group.head or len(start) == 1 or height >= MIN_ALONE
            more = 0.0 if parted else start[1][1]
            first = number == 0 and not group.continues
            yield _Item(block, height, group.head, head, first, more, group.bookmark, group.continued)


def _measure_ahead(stream: Iterator[_Item], items: list[_Item], height: float) -> bool:
    """Add blocks to ``items`` up to this height in all; whether that was the end of them."""
    used = sum(item.height for item in items)
    while used <= height:
        item = next(stream, None)
        if item is None:
            return True
        items.append(item)
        used += max(item.height, 0.1)
    return False


class _Placed(NamedTuple):
    """How far a section's blocks went: the blocks, their bookmarks, what is left, and the lowest point reached."""

    blocks: list[PlacedBlock]
    bookmarks: list[str]
    left: Sequence[_Item]
    bottom: float


def _fill(items: Sequence[_Item], columns: Sequence[Area], page_height: float) -> _Placed:
    """Put blocks into columns until they are full. A block that is higher than a page is scaled down.

    An empty page has its full height, so that each page takes a block.
    """
    placed: list[PlacedBlock] = []
    bookmarks: list[str] = []
    number, lowest = 0, columns[0].top
    for column in columns:
        top, bottom, at_top = column.top, column.top - column.height, True
        while number < len(items):
            item = items[number]
            head = item.head_height if item.head and (item.first or at_top) else 0.0
            available = top - bottom + 0.01
            if head + item.height + min(item.more, max(page_height - head - item.height, 0)) > available and not (
                at_top and head + item.height <= available
            ):
                if not (at_top and head + item.height > page_height):
                    break
                scale = max(min(1.0, (available - head) / item.height), 0.1)
            else:
                scale = 1.0
            if head and item.head:
                shown = item.head if item.first else item.continued or item.head
                placed.append(PlacedBlock(shown, column.x, top, column.width))
                top -= head
            if item.bookmark and (item.first or not bookmarks):
                bookmarks.append(item.bookmark)
            if item.block:
                placed.append(PlacedBlock(item.block, column.x, top, column.width / scale, scale))
            top -= item.height * scale
            at_top, number = False, number + 1
            lowest = min(lowest, top)
    return _Placed(placed, bookmarks, items[number:], lowest)


def _balanced(items: Sequence[_Item], columns: Sequence[Area], page_height: float) -> _Placed:
    """As `_fill`; what fits ends at about the same height in each column."""
    placed = _fill(items, columns, page_height)
    if placed.left or len(columns) == 1:
        return placed
    low, high = 0.0, columns[0].height
    while high - low > MM:
        middle = (low + high) / 2
        tried = _fill(items, [column._replace(height=middle) for column in columns], middle)
        if tried.left or any(each.scale < 1 for each in tried.blocks):
            low = middle
        else:
            high, placed = middle, tried
    return placed


def _evened(items: Sequence[_Item], columns: Sequence[Area], following: Sequence[Area], filled: _Placed) -> _Placed:
    """As ``filled``, or with less on this page, so that what is left ends at about the same height on the next one."""
    page_height = following[0].height
    low, high = 0.0, columns[0].height
    while high - low > MM:
        middle = (low + high) / 2
        tried = _fill(items, [column._replace(height=middle) for column in columns], page_height)
        rest = _fill(tried.left, [column._replace(height=middle) for column in following], page_height)
        if not tried.blocks or rest.left or any(each.scale < 1 for each in (*tried.blocks, *rest.blocks)):
            low = middle
        else:
            high, filled = middle, tried
    return filled


def _continues(piece: Section | Grid, following: Section | Grid | None) -> bool:
    """Whether what follows a section may begin on its last page."""
    if not isinstance(piece, Section) or not isinstance(following, Section):
        return False
    return not (following.new_page or following.bare or following.masthead or piece.bare) and (
        piece.landscape == following.landscape
    )


class Replayed(Generic[T]):
    """An iterator that can be iterated again; it is read no further than any of its iterations."""

    def __init__(self, items: Iterable[T]) -> None:
        self.items = iter(items)

    def __iter__(self) -> Iterator[T]:
        self.items, again = tee(self.items)
        return again


def _replayed(groups: Iterable[Group]) -> Replayed[Group]:
    """The same groups, to iterate again."""
    return Replayed(group._replace(blocks=Replayed(group.blocks)) for group in groups)


class _Flow:
    """Lays out the sections and grids of one roster, one after another."""

    def __init__(self, header: Header, paper: Paper, style: Style) -> None:
        self.header, self.paper, self.style = header, paper, style
        self.page: Page | None = None
        self.bottom = 0.0
        """Where the next section may begin on the page."""
        self.begun = False
        """Whether a page with the large masthead has been laid out."""
        self.rest: Callable[[float], Block] | None = None
        """What is printed in the rest of the page."""
        self.foot_first = False
        """Whether the foot of a section is on the page before it."""

    def pages(self, content: Iterable[Section | Grid]) -> Iterator[Page]:
        for piece, following in pairwise(chain(content, [None])):
            if isinstance(piece, Grid):
                yield from self._finish()
                yield from _grid_pages(piece, self.paper, self.style, self.header)
            elif piece and piece.fills:
                yield from self._filling(piece, last=not _continues(piece, following))
            elif piece:
                yield from self._section_pages(piece, last=not _continues(piece, following))
        yield from self._finish()

    def _finish(self) -> Iterator[Page]:
        if self.page and self.page.blocks:
            if self.rest:
                self._fill_up(self.rest, MIN_SHARE)
            yield self.page
        self.page = None

    def _begin(self, section: Section, *, begins: bool = True) -> None:
        full = not self.begun and not section.bare
        top = 0.0 if section.bare else STRIP
        if full:
            top = MASTHEAD + (ILLEGAL if self.header.illegal else 0)
            self.begun = True
        page = _page(self.paper, self.header, landscape=section.landscape, top=top, full=full)
        if begins and section.masthead:
            top = section.masthead.height(self.style, page.width - 2 * MARGIN)
            page = page._replace(top=top, masthead=section.masthead)
        self.page = page._replace(title=section.title, note=section.note)
        self.rest = section.rest
        self.bottom = _area(self.page).top

    def _shares(self, section: Section) -> bool:
        """Whether the section may begin on the page of the one before it."""
        if self.page is None or section.new_page or section.bare or section.masthead or not self.page.top:
            return False
        return (self.page.width > self.page.height) == section.landscape

    def _filling(self, section: Section, *, last: bool) -> Iterator[Page]:
        """The pages of a section in the largest print that takes the fewest pages, and that has its foot after it if
        the smallest has; as usual if those are too many.
        """
        foot, usual = section.foot, self.style
        foot = foot and foot._replace(groups=_replayed(foot.groups), fills=section.fills)
        section = section._replace(groups=_replayed(section.groups), foot=foot)

        @cache
        def tried(scale: float) -> tuple[_Flow, list[Page]]:
            flow = self._fork(usual._replace(body=usual.body * scale))
            return flow, [*islice(flow._section_pages(section, last=last), MAX_FILLED)]

        def cost(scale: float) -> tuple[int, bool]:
            flow, pages = tried(scale)
            return len(pages), flow.foot_first

        best = cost(section.fills[0])
        if best[0] == MAX_FILLED:
            yield from self._section_pages(section, last=last)
            return
        low, high = 0, len(section.fills)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if cost(section.fills[middle]) <= best else (low, middle)
        yield from self._take(*tried(section.fills[low]))

    def _section_pages(self, section: Section, *, last: bool) -> Iterator[Page]:
        """The pages of a section and its foot."""
        if not section.foot:
            yield from self._section(section, last=last)
            return
        groups, below = _replayed(section.groups), _replayed(section.foot.groups)
        after = section._replace(groups=Replayed(chain(groups, below)))
        ways = [after], [section.foot._replace(groups=below), section._replace(groups=groups, foot=None)]
        tried = [self._try(way, last=last) for way in (ways if self._shares(section.foot) else ())]
        best = min(tried, key=lambda each: len(each[1]), default=None)
        if best and len(best[1]) < MAX_FOOTED:
            self.foot_first = best is not tried[0]
            yield from self._take(*best)
        else:
            yield from self._section(after, last=last)

    def _try(self, sections: list[Section], *, last: bool) -> tuple[_Flow, list[Page]]:
        """A flow that went on with these sections from here, and its pages before the last one, some at most."""
        flow = self._fork(self.style)
        pages = chain.from_iterable(flow._section(each, last=last and each is sections[-1]) for each in sections)
        return flow, [*islice(pages, MAX_FOOTED)]

    def _fork(self, style: Style) -> _Flow:
        """A flow that goes on from here and leaves this one as it is."""
        flow = _Flow(self.header, self.paper, style)
        flow.page = self.page and self.page._replace(blocks=[*self.page.blocks], bookmarks=[*self.page.bookmarks])
        flow.bottom, flow.begun, flow.rest = self.bottom, self.begun, self.rest
        return flow

    def _take(self, flow: _Flow, pages: list[Page]) -> Iterator[Page]:
        """Go on where a flow that was tried ended."""
        self.page, self.bottom, self.begun, self.rest = flow.page, flow.bottom, flow.begun, flow.rest
        yield from pages

    def _section(self, section: Section, *, last: bool) -> Iterator[Page]:
        """The pages that a section fills; the last two are evened if it is the ``last`` one on its page."""
        if not self._shares(section):
            yield from self._finish()
            self._begin(section)
        assert self.page is not None
        width = _area(self.page).width
        number = max(1, min(section.columns, int(width // (62 * self.style.unit))))
        column_width = next(_area(self.page).columns(number)).width
        stream = _items(section.groups, self.style, column_width)
        items, titled, continued = [*islice(stream, 1)], False, False
        while items:
            ended = _measure_ahead(stream, items, AHEAD * number * _area(self.page).height)
            lead = self._lead(section) if not titled else None
            placed = self._place(section, items, lead, number, evened=last and ended, balanced=ended)
            if section.reminder and placed.blocks and (placed.left if section.foot else not self.page.blocks):
                self.page = self.page._replace(under=section.reminder.height(self.style, width))
                placed = self._place(section, items, lead, number, evened=last and ended, balanced=ended)
            if placed.blocks:
                self._put(section, placed, lead, titled=titled)
                titled = True
            items = [*placed.left]
            if items:
                if placed.blocks and section.fills:
                    self._fill_up(NoteLines, LEAST_RULED)
                yield from self._finish()
                self._begin(section, begins=not titled)
            elif last and continued and self.page and not self.rest:
                self._fill_up(NoteLines, (1 - LEAST_USED) * _area(self.page).height)
            continued = True

    def _lead(self, section: Section) -> PlacedBlock | None:
        """The head of a section where it begins on the page."""
        assert self.page is not None
        area, top = _area(self.page), self.bottom - (SECTION_GAP if self.page.blocks else 0)
        return PlacedBlock(section.head, area.x, top, area.width) if section.head else None

    def _place(
        self, section: Section, items: Sequence[_Item], lead: PlacedBlock | None, number: int, *,
        evened: bool, balanced: bool,
    ) -> _Placed:  # fmt: skip
        """What is on the page of a section's items, in so many columns; nothing if it is to begin on the next page."""
        assert self.page is not None
        area, fresh = _area(self.page), not self.page.blocks
        top = self.bottom if fresh else self.bottom - SECTION_GAP
        top -= lead.block.height(self.style, area.width) if lead else 0
        height = top - (area.top - area.height)
        columns = [*area._replace(top=top, height=height).columns(number)]
        placed = (_balanced if balanced else _fill)(items, columns, height if fresh else area.height)
        if evened and placed.left:
            even = _evened(items, columns, self._next_columns(section, number), placed)
            if top - even.bottom >= LEAST_USED * height:  # else the rest of the last page is for notes
                placed = even
        if not fresh and placed.left and (section.keep_together or height < MIN_SHARE or not placed.blocks):
            return placed._replace(blocks=[], bookmarks=[], left=items)
        return placed

    def _fill_up(self, rest: Callable[[float], Block], min_height: float) -> None:
        """Put ruled lines for notes, or another ``rest``, at the end of a page with more than ``min_height`` left."""
        assert self.page is not None
        area = _area(self.page)
        low, top = area.top - area.height, self.bottom - SECTION_GAP
        if self.bottom - low > min_height:
            self.page.blocks.append(PlacedBlock(rest(top - low), area.x, top, area.width))
            self.bottom = low

    def _next_columns(self, section: Section, number: int) -> list[Area]:
        """The columns of the section's next page."""
        page = _page(self.paper, self.header, landscape=section.landscape, top=0.0 if section.bare else STRIP)
        return [*_area(page).columns(number)]

    def _put(self, section: Section, placed: _Placed, lead: PlacedBlock | None, *, titled: bool) -> None:
        """Put placed blocks on the page, with the section's head and bookmarks."""
        assert self.page is not None
        blocks = [*([lead] if lead else []), *placed.blocks]
        if section.reminder and self.page.under:
            area = _area(self.page)
            blocks.append(PlacedBlock(section.reminder, area.x, area.top - area.height, area.width))
        self.page.blocks.extend(block._replace(style=self.style) if section.fills else block for block in blocks)
        if not titled:
            self.page.bookmarks.append((section.title, 0))
            self.page = self.page._replace(note=self.page.note or section.note)
        known = {title for title, _level in self.page.bookmarks}
        self.page.bookmarks.extend((mark, 1) for mark in dict.fromkeys(placed.bookmarks) if mark not in known)
        self.bottom = placed.bottom


def _grid_pages(grid: Grid, paper: Paper, style: Style, header: Header) -> Iterator[Page]:
    blocks = iter(grid.blocks)
    following = next(blocks, None)
    first = True
    while following:
        page, places = _best_page(grid, paper, header)
        if first:
            page.bookmarks.append((grid.title, 0))
        for place in places:
            if following is None:
                break
            bookmark, block = following
            page.blocks.append(_place_in(block, place, style))
            if bookmark and (bookmark, 1) not in page.bookmarks:
                page.bookmarks.append((bookmark, 1))
            following = next(blocks, None)
        if following is None:
            page.blocks.extend(
                _place_in(block, place, style)
                for place, block in zip(places[len(page.blocks) :], grid.spare, strict=False)
            )
        then = None
        if following is None and grid.then:
            page, then = _begin_below(grid.then, page, places, style)
        else:
            page = _note_free(grid, page, places, first)
        first = False
        yield page
        if grid.turn:
            yield _back_of(page, grid.turn, style)
        if then:
            yield from _grid_pages(then, paper, style, header)


def _note_free(grid: Grid, page: Page, places: Sequence[Area], first: bool) -> Page:
    """Say how many places of a page to cut are free; fill other pages, half of them free, with lines for notes."""
    free = places[len(page.blocks) :]
    if free and grid.cut:
        return _with_note(page, ngettext("{n} place free", "{n} places free", len(free)).format(n=len(free)))
    if not first and 2 * len(free) // grid.share[0] >= grid.share[1]:
        rest, last = free[len(free) % grid.share[0]], places[-1]
        lines = NoteLines(rest.top - last.top + last.height)
        page.blocks.append(PlacedBlock(lines, rest.x, rest.top, last.x + last.width - rest.x))
    return page


def _with_note(page: Page, text: Message) -> Page:
    return page._replace(note=join((text, page.note), " · ") if page.note else text)


def _begin_below(grid: Grid, page: Page, places: Sequence[Area], style: Style) -> tuple[Page, Grid]:
    """Put the first blocks of a grid below the rows of a page that are used; return the grid of the others, too.

    The page says how many places of both sizes are free.
    """
    area, blocks, used = _area(page), iter(grid.blocks), len(page.blocks)
    low = min(place.top - place.height for place in places[:used])
    beside = sum(place.top == places[used - 1].top for place in places[used:])
    foot = CUT_FOOT + 3.5 * MM - CUT_MARGIN if page.foot else 0.0
    rows = max(int((low - (area.top - area.height) - foot) // grid.cell[1]), 0)
    below = _areas(grid, area._replace(top=low, height=rows * grid.cell[1]))
    page.blocks.extend(_place_in(block, place, style) for place, (_bookmark, block) in zip(below, blocks, strict=False))
    free = len(below) - (len(page.blocks) - used)
    if beside or free:
        text = _("Free: {first} small, {second} large")
        page = _with_note(page, text.format(first=beside, second=free))
    return page, grid._replace(blocks=blocks)


def _back_of(page: Page, turn: str, style: Style) -> Page:
    """The backs of a page, each behind its face when the paper is turned over its long or its short edge."""
    upright = (turn == "long") == (page.width <= page.height)
    placed = []
    for front in page.blocks:
        assert isinstance(front.block, TwoSided)
        width, height = front.width * front.scale, front.block.height(style, front.width) * front.scale
        if upright:
            placed.append(front._replace(block=front.block.back, x=page.width - front.x - width))
        else:
            top = page.height - front.top + height
            placed.append(front._replace(block=UpsideDown(front.block.back), top=top))
    edge = _("Backs: turn the paper over its long edge") if turn == "long" else _("Backs: turn it over its short edge")
    return page._replace(blocks=placed, bookmarks=[], note=edge)


class UpsideDown(NamedTuple):
    """A block turned by 180 degrees."""

    block: Block

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        with pen.transformed(x + width, top - self.height(pen.style, width), rotation=180):
            self.block.draw(pen, 0, 0, width)


def _place_in(block: Block, place: Area, style: Style) -> PlacedBlock:
    height = block.height(style, place.width)
    scale = min(1.0, place.height / height) if height > place.height + 0.01 else 1.0
    return PlacedBlock(block, place.x, place.top, place.width / scale, scale)


def capacity(grid: Grid, paper: Paper) -> int:
    """How many blocks of a grid fit on a page."""
    return len(_best_page(grid, paper, Header("", ""))[1])


def _best_page(grid: Grid, paper: Paper, header: Header) -> tuple[Page, list[Area]]:
    """A new page of the grid with its cells, in the orientation that has the most."""
    both = (False, True) if grid.cell != (0.0, 0.0) else (False,)
    pages = [
        _page(paper, header, landscape=turned, cut=grid.cut)._replace(
            title=grid.title, note=grid.note, marks=grid.marks
        )
        for turned in both
    ]
    layouts = [(page, _areas(grid, _area(page))) for page in pages]
    best = max(layouts, key=lambda layout: len(layout[1]))
    page, places = best if len(best[1]) > MIN_ROTATION_GAIN * len(layouts[0][1]) else layouts[0]
    if grid.cut:  # below the marks if there is room, else up the side
        lowest = min(place.top - place.height for place in places)
        page = page._replace(foot=CUT_FOOT if lowest > CUT_FOOT + 3.5 * MM else 0.0)
    return page, places


def _areas(grid: Grid, area: Area) -> list[Area]:
    """The cells, in the middle of the page where they are to be cut."""
    if grid.cell == (0.0, 0.0):
        columns, rows = grid.share
        width = (area.width - grid.gap * (columns - 1)) / columns
        height = (area.height - grid.gap * (rows - 1)) / rows
    else:
        width, height = grid.cell
        columns = int((area.width + grid.gap + 0.01) // (width + grid.gap))
        rows = int((area.height + grid.gap + 0.01) // (height + grid.gap))
    left, top = area.x, area.top
    if grid.cut:
        left += (area.width - columns * (width + grid.gap) + grid.gap) / 2
        top -= (area.height - rows * (height + grid.gap) + grid.gap) / 2
    return [
        Area(left + column * (width + grid.gap), top - row * (height + grid.gap), width, height)
        for row in range(rows)
        for column in range(columns)
    ]


class OfRoster(NamedTuple):
    """A block of a roster on a page that rosters share: in the colors of its side, its fields under its prefix."""

    block: Block
    header: Header

    @property
    def back(self) -> Block:
        return self._replace(block=self.block.back) if isinstance(self.block, TwoSided) else self.block

    @property
    def bleed(self) -> float:
        return getattr(self.block, "bleed", 0.0)

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        usual = pen.prefix, pen.number
        pen.prefix, pen.number = self.header.prefix, self.header.seat
        self.block.draw(pen, x, top, width)
        pen.prefix, pen.number = usual


def shared_grids(parts: Iterable[Part]) -> Iterator[Grid]:
    """The grids of several rosters, those of one title and size as one."""
    grids: dict[tuple[str, tuple[float, float]], Grid] = {}
    for part in parts:
        for grid in chain.from_iterable((piece, getattr(piece, "then", None)) for piece in part.content):
            if grid is None:
                continue
            assert isinstance(grid, Grid)
            known = grids.setdefault((grid.title, grid.cell), grid._replace(blocks=(), then=None))
            blocks = [(bookmark, OfRoster(block, part.header)) for bookmark, block in grid.blocks]
            grids[grid.title, grid.cell] = known._replace(blocks=(*known.blocks, *blocks))
    yield from grids.values()


class Part(NamedTuple):
    """The sections and grids of one roster, with the header of their pages."""

    header: Header
    content: Iterable[Section | Grid]


def pages(parts: Iterable[Part], paper: Paper, style: Style, max_pages: int = 0) -> list[Page]:
    """Every page of these parts. Raises TooManyPages beyond ``max_pages`` (0: any number)."""
    finished: list[Page] = []
    for part in parts:
        for page in _Flow(part.header, paper, style).pages(part.content):
            if max_pages and len(finished) == max_pages:
                raise TooManyPages(max_pages)
            finished.append(page)
    return finished


# ---------------------------------------------------------------- drawing


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


# ---------------------------------------------------------------- mastheads and footers

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
        reasons = _("Not legal: {reasons}").format(reasons=join(header.illegal[:MOST_REASONS], "; "))
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
MOST_REASONS = 20
"""A footer has no room for more reasons why a roster is not legal."""


def _draw_footer(pen: Pen, page: Page, numbered: str) -> None:
    """Draw a note and the credits at the foot of a page, or in the margin of one to cut."""
    header, margin = page.header, CUT_MARGIN if page.cut else MARGIN
    width, place, rotation = page.width - 2 * margin, (margin, page.foot), 0
    if not page.foot:
        width, place, rotation = page.height - 2 * margin, (CUT_FOOT + 2 * MM, margin), 90
    note = page.note or header.address
    made = [header.game, header.changed and _("Changed {date}").format(date=header.changed)]
    made += [header.address] if page.note else []
    if page.cut or not page.top:
        made = [header.name, page.title, *made]
    if header.illegal:
        reasons = _("Not legal: {reasons}").format(reasons=join(header.illegal[:MOST_REASONS], "; "))
        made.insert(0, _("Not legal") if page.cut else reasons)
    numbers = ems(translate(numbered), NARROW) * FOOTER_SIZE
    max_width = width - numbers - 4 * MM if page.note else width / 2
    aside = min(ems(translate(note), NARROW) * FOOTER_SIZE + 4 * MM, max_width) if note else 0
    credit = _fitting_parts((numbered, *made), width - aside)
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
