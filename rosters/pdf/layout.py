"""Page layout: the position of each block of sections and grids on pages.

Pages are laid out and counted before they are rendered, because each shows the number of pages. Lengths in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, pairwise, tee
from typing import Generic, NamedTuple, TypeVar

from rosters.core.messages import Message, _, join, ngettext
from rosters.pdf.blocks import NoteLines
from rosters.pdf.canvas import MM, Block, Pen, Style, TwoSided
from rosters.pdf.sections import (
    CUT_FOOT,
    CUT_MARGIN,
    ILLEGAL,
    MARGIN,
    MASTHEAD,
    SECTION_GAP,
    STRIP,
    Area,
    Grid,
    Group,
    Header,
    Page,
    Paper,
    PlacedBlock,
    Section,
    empty_page,
)
from rosters.pdf.shaping import TooLarge

T = TypeVar("T")
MIN_SHARE = 40 * MM
"""A section begins on the page of the one before it if this much height is left, or all of it fits."""
MIN_ALONE = 30 * MM
"""A block of this height may be alone below the head of its group, where the page ends."""
MAX_FILLED = 20
"""A section of so many pages is in the usual print: trying others takes as long again for each."""
MAX_FOOTED = 4
"""The foot of a section of more pages is after it."""
MIN_USED = 0.7
"""A section's last page has lines for notes if less of its height is used."""
MIN_RULED = 32 * MM
"""A page before it has them if it is lower by more than this, since its last two pages are evened."""
AHEAD = 1.5
"""The height that is measured ahead, in pages: enough to balance columns, and finite for blank sheets without end."""
MIN_ROTATION_GAIN = 1.1
"""A page of cells is landscape only if at least this many times the cells then fit."""


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
            available, height = top - bottom + 0.01, head + item.height
            beside = min(item.more, max(page_height - height, 0))  # what is to follow in this column
            fits = height + beside <= available or (at_top and height <= available)
            is_higher_than_a_page = at_top and height > page_height
            if not fits and not is_higher_than_a_page:
                break
            scale = 1.0 if fits else max(min(1.0, (available - head) / item.height), 0.1)
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
        self.has_masthead = False
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
        full = not self.has_masthead and not section.bare
        top = 0.0 if section.bare else STRIP
        if full:
            top = MASTHEAD + (ILLEGAL if self.header.illegal else 0)
            self.has_masthead = True
        page = empty_page(self.paper, self.header, landscape=section.landscape, top=top, full=full)
        if begins and section.masthead:
            top = section.masthead.height(self.style, page.width - 2 * MARGIN)
            page = page._replace(top=top, masthead=section.masthead)
        self.page = page._replace(title=section.title, note=section.note)
        self.rest = section.rest
        self.bottom = self.page.area.top

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
        flow.bottom, flow.has_masthead, flow.rest = self.bottom, self.has_masthead, self.rest
        return flow

    def _take(self, flow: _Flow, pages: list[Page]) -> Iterator[Page]:
        """Go on where a flow that was tried ended."""
        self.page, self.bottom, self.has_masthead, self.rest = flow.page, flow.bottom, flow.has_masthead, flow.rest
        yield from pages

    def _section(self, section: Section, *, last: bool) -> Iterator[Page]:
        """The pages that a section fills; the last two are evened if it is the ``last`` one on its page."""
        if not self._shares(section):
            yield from self._finish()
            self._begin(section)
        assert self.page is not None
        width = self.page.area.width
        number = max(1, min(section.columns, int(width // (62 * self.style.unit))))
        column_width = next(self.page.area.columns(number)).width
        stream = _items(section.groups, self.style, column_width)
        items, titled, continued = [*islice(stream, 1)], False, False
        while items:
            ended = _measure_ahead(stream, items, AHEAD * number * self.page.area.height)
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
                    self._fill_up(NoteLines, MIN_RULED)
                yield from self._finish()
                self._begin(section, begins=not titled)
            elif last and continued and self.page and not self.rest:
                self._fill_up(NoteLines, (1 - MIN_USED) * self.page.area.height)
            continued = True

    def _lead(self, section: Section) -> PlacedBlock | None:
        """The head of a section where it begins on the page."""
        assert self.page is not None
        area, top = self.page.area, self.bottom - (SECTION_GAP if self.page.blocks else 0)
        return PlacedBlock(section.head, area.x, top, area.width) if section.head else None

    def _place(
        self, section: Section, items: Sequence[_Item], lead: PlacedBlock | None, number: int, *,
        evened: bool, balanced: bool,
    ) -> _Placed:  # fmt: skip
        """What is on the page of a section's items, in so many columns; nothing if it is to begin on the next page."""
        assert self.page is not None
        area, fresh = self.page.area, not self.page.blocks
        top = self.bottom if fresh else self.bottom - SECTION_GAP
        top -= lead.block.height(self.style, area.width) if lead else 0
        height = top - (area.top - area.height)
        columns = [*area._replace(top=top, height=height).columns(number)]
        placed = (_balanced if balanced else _fill)(items, columns, height if fresh else area.height)
        if evened and placed.left:
            even = _evened(items, columns, self._next_columns(section, number), placed)
            if top - even.bottom >= MIN_USED * height:  # else the rest of the last page is for notes
                placed = even
        if not fresh and placed.left and (section.keep_together or height < MIN_SHARE or not placed.blocks):
            return placed._replace(blocks=[], bookmarks=[], left=items)
        return placed

    def _fill_up(self, rest: Callable[[float], Block], min_height: float) -> None:
        """Put ruled lines for notes, or another ``rest``, at the end of a page with more than ``min_height`` left."""
        assert self.page is not None
        area = self.page.area
        low, top = area.top - area.height, self.bottom - SECTION_GAP
        if self.bottom - low > min_height:
            self.page.blocks.append(PlacedBlock(rest(top - low), area.x, top, area.width))
            self.bottom = low

    def _next_columns(self, section: Section, number: int) -> list[Area]:
        """The columns of the section's next page."""
        page = empty_page(self.paper, self.header, landscape=section.landscape, top=0.0 if section.bare else STRIP)
        return [*page.area.columns(number)]

    def _put(self, section: Section, placed: _Placed, lead: PlacedBlock | None, *, titled: bool) -> None:
        """Put placed blocks on the page, with the section's head and bookmarks."""
        assert self.page is not None
        blocks = [*([lead] if lead else []), *placed.blocks]
        if section.reminder and self.page.under:
            area = self.page.area
            blocks.append(PlacedBlock(section.reminder, area.x, area.top - area.height, area.width))
        self.page.blocks.extend(block._replace(style=self.style) if section.fills else block for block in blocks)
        if not titled:
            self.page.bookmarks.append((section.title, 0))
            self.page = self.page._replace(note=self.page.note or section.note)
        known = {title for title, _level in self.page.bookmarks}
        self.page.bookmarks.extend((mark, 1) for mark in dict.fromkeys(placed.bookmarks) if mark not in known)
        self.bottom = placed.bottom


def _grid_pages(grid: Grid, paper: Paper, style: Style, header: Header) -> Iterator[Page]:
    """The pages of a grid, each with its back. On the last one are the spare blocks, and the next grid begins there."""
    blocks, first = iter(grid.blocks), True
    page, places = _best_page(grid, paper, header)
    cells = [*islice(blocks, len(places))]
    while cells:
        following = [*islice(blocks, len(places))]
        spare = () if following else grid.spare
        shown = chain((block for _bookmark, block in cells), islice(spare, len(places) - len(cells)))
        page.blocks.extend(_place_in(block, place, style) for block, place in zip(shown, places, strict=False))
        titles = [(grid.title, 0)] if first else []
        page.bookmarks.extend(dict.fromkeys([*titles, *((title, 1) for title, _block in cells if title)]))
        then = None
        if not following and grid.then:
            page, then = _begin_below(grid.then, page, places, style)
        else:
            page = _note_free(grid, page, places, first)
        yield page
        if grid.turn:
            yield _back_of(page, grid.turn, style)
        if then:
            yield from _grid_pages(then, paper, style, header)
        cells, first = following, False
        page, places = _best_page(grid, paper, header)


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
    area, blocks, used = page.area, iter(grid.blocks), len(page.blocks)
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
    orientations = (False, True) if grid.cell != (0.0, 0.0) else (False,)
    pages = [
        empty_page(paper, header, landscape=landscape, cut=grid.cut)._replace(
            title=grid.title, note=grid.note, marks=grid.marks
        )
        for landscape in orientations
    ]
    layouts = [(page, _areas(grid, page.area)) for page in pages]
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
