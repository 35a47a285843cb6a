"""The cover of a roster and the reference panel, which are alike in every game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from rosters.core.amounts import Amount, format_amount, format_exact, to_amount, with_minus_sign
from rosters.core.appraisals import PricedFormation, points_difference
from rosters.core.messages import _, join, join_names, translate
from rosters.core.receipts import Receipt, format_operation, points_by_kind
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import (
    BlankLine,
    Cell,
    Column,
    Content,
    Framed,
    Heading,
    Label,
    NoteLines,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    fill_in_cell,
    nth_row,
    text_lines,
)
from rosters.pdf.canvas import HAIR, MM, PALE, STRONG, THICK, TINT, Block, Pen, Style, legible
from rosters.pdf.fonts import BOLD, NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement, Sheet
from rosters.pdf.layout import Replayed
from rosters.pdf.pages import draw_qr
from rosters.pdf.panels import panel_group
from rosters.pdf.sections import FILLING, ILLEGAL, MASTHEAD, STRIP, Group, Header, Section, frame
from rosters.pdf.text import LEADING, MIN_SCALE, fit_one_or_two, fit_text


def frame_width(job: Job) -> float:
    """The width of a page's frame in points, upright and in one column."""
    return frame(job.options.paper)[0]


# ---------------------------------------------------------------- the masthead of a cover

COVER = 44 * MM
CREST, QR = 27.2 * MM, 28 * MM


class CoverMasthead(NamedTuple):
    """Crest, name, verdict, total and QR code between two edges of a map."""

    header: Header
    about: str
    """The rulebook, and the scenario."""
    verdict: str
    """"" where no rule limits a roster: in a game without points."""
    legal: bool | None
    """None: nothing is built yet."""
    total: str
    """The points or, in a game without points, the number of elements."""
    rest: str
    """What follows the total: the points limit, the number of elements."""

    def height(self, style: Style, width: float) -> float:
        return COVER

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.zebra(x, top - 1.5 * MM, width)
        left, right = x, x + width
        if self.header.crest:
            pen.picture(self.header.crest, x, top - 4.5 * MM, CREST)
            left += CREST + 6 * MM
        if self.header.address:
            right -= QR
            with pen.transformed(right, top - 4.5 * MM - QR):
                draw_qr(pen, self.header.address, QR)
            right -= 3 * MM
        available = right - left
        pen.fit(left, top - 17 * MM, self.header.name, available, 28, face=NAME)
        pen.lines(left, top - 19.2 * MM, fit_one_or_two(self.about, available, 10.5, NARROW), face=NARROW, ink="soft")
        self._draw_verdict(pen, left, top - 36.4 * MM, available)
        pen.zebra(x, top - 42 * MM, width)

    def _draw_verdict(self, pen: Pen, x: float, y: float, available: float) -> None:
        """Draw the verdict, if there is any, in a frame with its icon, and the total beside it."""
        if self.verdict:
            height = 8.6 * MM
            width = ems(self.verdict, NAME) * 12 + 13 * MM
            pen.rect(x, y, width, height, line=THICK * 0.8, radius=1 * MM)
            draw_icon(pen, self.legal, x + 5.2 * MM, y + height / 2)
            pen.text(x + 10 * MM, y + 2.9 * MM, self.verdict, 12, face=NAME, ink="deep")
            x += width + 4 * MM
            available -= width + 4 * MM
        pen.text(x, y + 1.9 * MM, self.total, 20, face=NAME, ink="deep")
        taken = ems(self.total, NAME) * 20 + (1.6 * MM if self.total else 0)
        rest = fit_one_or_two(self.rest, available - taken, 10.5, NARROW)
        pen.lines(x + taken, y + 3.4 * MM + rest.height / 2, rest, face=NARROW)


def draw_icon(pen: Pen, legal: bool | None, x: float, y: float) -> None:
    """Draw a check mark, a cross, or three dots for what is not finished, about a point."""
    if legal is None:
        for step in (-1.7, 0, 1.7):
            pen.circle(x + step * MM, y, 0.5 * MM, line=0, fill=1)
    elif legal:
        points = ((-2.2, 0), (-0.7, -1.6), (2.3, 2.0))
        pen.outline([(x + a * MM, y + b * MM) for a, b in points], line=2.2, closed=False)
    else:
        for way in (1, -1):
            pen.line(x - 1.8 * MM, y - way * 1.8 * MM, x + 1.8 * MM, y + way * 1.8 * MM, 2.2, ink="deep")


def _masthead(job: Job) -> CoverMasthead:
    total, limit = job.appraisal.points, job.appraisal.budget
    counted = job.words.count_elements(job.appraisal.quantity)
    rest: list[str] = [counted]
    if total is not None and job.points:
        of = _("of {limit}").format(limit=job.words.count_points(to_amount(limit))) if limit is not None else job.points
        left = "" if limit is None else _difference(job, points_difference(total, to_amount(limit)) or 0)
        exact = job.amount(job.appraisal.exact)
        rounded = "" if exact == job.amount(total) else _("{points} rounded").format(points=exact)
        rest = [of, *filter(None, (rounded, left)), counted]
    legal = job.appraisal.legal if job.appraisal.quantity else None
    verdict: str = job.appraisal.state
    number = job.amount(total)
    if not job.words.has_points:
        verdict, number = "" if legal else verdict, str(job.appraisal.quantity)
        rest = [job.words.nouns.element if job.appraisal.quantity == 1 else job.words.nouns.elements]
    about = join(filter(None, (job.header.source, job.scenario)), " · ")
    return CoverMasthead(job.header, about, verdict, legal, number, join(rest, " · "))


def _difference(job: Job, left: Amount) -> str:
    if left == 0:
        return ""
    text = _("{points} left") if left > 0 else _("{points} over")
    return text.format(points=job.words.count_points(left if left > 0 else -left))


# ---------------------------------------------------------------- formations with their elements

LABELS = 41 * MM
"""The width of the labels of formations, beside their elements."""
MIN_BESIDE = 170 * MM
"""The least width of a page, for text of 9 points, on which they are beside."""
ABREAST = range(4, 14)
"""How many counters a row above the list holds; the fewest with which everything fits on a page are used."""
TILE_GAP = 1 * MM
INLINE = 22 * MM, 18 * MM, 15 * MM, 12 * MM, 9.4 * MM
"""The widths of a counter in its line, on rosters of repeated elements or with no room for rows of counters."""
REPEATED = 1.5
"""Rosters with more than so many elements to a line have a counter in each line, with the quantity beside it."""
ROOMY = 15 * MM
"""Counters of at least this width have a large quantity beside them."""
LARGE = 27 * MM
"""The width from which on the small words of large counters are legible."""
MAX_TILES = 150
TILE_RATIO = 32 / 46
MAX_BAND = 40 * MM
NO_BREAK = "\xa0"


def beside(style: Style, width: float) -> float:
    """The width of the labels beside the list; 0 where they are above it."""
    return LABELS if width >= MIN_BESIDE * style.scale else 0.0


class Band(NamedTuple):
    """A formation, or a part of it: its label, its counters in rows, and the list of its elements."""

    name: str
    facts: tuple[str, ...]
    counters: tuple[tuple[Picture, ...], ...]
    """The counters of each element."""
    tile: float
    rows: tuple[Block, ...]
    listed: float
    """The height of the list."""

    def _label(self, style: Style, width: float) -> Sequence[tuple[str, float, str, float]]:
        """The lines of the label: text, size, face, and the height of the line."""
        left = beside(style, width)
        available = left - 3 * MM if left else width
        size = style.body * 1.45
        short = not self.tile and ems(self.name, NAME) * size * MIN_SCALE <= available
        name = fit_text(self.name, available, size, 1 if short else 2, NAME)
        lines = [(line, name.size, NAME, name.size * 1.12) for line in name.lines if line]
        for fact in self.facts:
            text = fit_text(fact, available, style.body, 4, NARROW)
            lines += [(line, text.size, NARROW, text.size * LEADING) for line in text.lines]
        return lines

    def _places(self, width: float) -> Iterator[tuple[Picture, float, int]]:
        """Each counter with its distance from the left, and its row."""
        x, row = 0.0, 0
        for pictures in self.counters:
            for picture in pictures:
                if x + self.tile > width + 0.01:
                    x, row = 0.0, row + 1
                yield picture, x, row
                x += self.tile + TILE_GAP

    def _tiles_height(self, width: float) -> float:
        rows = max((row + 1 for _picture, _x, row in self._places(width)), default=0)
        return rows * (self.tile * TILE_RATIO + 1 * MM) + (1 * MM if rows else 0)

    @property
    def _gap(self) -> float:
        """The space between the line above a formation and its list."""
        return (1.6 if self.tile else 0.8) * MM if self.name else 0.0

    def height(self, style: Style, width: float) -> float:
        left = beside(style, width)
        label = sum(line[3] for line in self._label(style, width))
        list_width = width - left
        listed = self._tiles_height(list_width) + self.listed
        return max(label, listed) + self._gap if left else label + listed + 3.2 * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        if self.name:
            pen.line(x, top, x + width, top, HAIR, ink="side")
        left, y = beside(pen.style, width), top - 1.2 * MM
        for text, size, face, height in self._label(pen.style, width):
            pen.runs(x, y - size * 0.9, text, size, face=face, ink="ink" if face == NAME else "soft")
            y -= height
        y = top - self._gap if left else y - 1 * MM
        x, width = x + left, width - left
        for picture, right, row in self._places(width):
            pen.picture(picture, x + right, y - row * (self.tile * TILE_RATIO + 1 * MM), self.tile)
        y -= self._tiles_height(width)
        for block in self.rows:
            block.draw(pen, x, y, width)
            y -= block.height(pen.style, width)


class ListHead(NamedTuple):
    """The heads of the list's columns, to the right of the labels."""

    title: str
    columns: tuple[Column, ...]

    def height(self, style: Style, width: float) -> float:
        return style.font_size(0.84) * 1.7

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        y = top - self.height(pen.style, width) * 0.66
        pen.label(x, y, self.title)
        left = beside(pen.style, width)
        columns = tuple(
            column
            if column.align == "centre" or (column.share > 1 and column.align == "right")
            else column._replace(head="")
            for column in self.columns
        )
        TableHead(columns, ground=False).draw(pen, x + left, top, width - left)


class Stats(NamedTuple):
    """The stats of a game whose numbers stand in columns of the list: their heads, the numbers of an element, and
    what else is to say of it, if that is not its description.
    """

    heads: tuple[str, ...]
    values: Callable[[Any], tuple[str, ...]]
    describe: Callable[[Any], str] | None = None


MAX_WORD = 16
"""Letters of the longest word of a name that its column must hold."""
STATS_WIDTH = 135 * MM
"""The least width of a list, for text of 9 points, that has columns of stats; narrower ones have a description."""


def _columns(
    job: Job,
    stats: Stats | None = None,
    *,
    inline: float = 0.0,
    word: str = "",
    max_quantity: str = "",
    numbers: tuple[str, ...] = (),
) -> tuple[Column, ...]:
    priced = (Column(_("each"), 1.1, "right"), Column(job.points, 1.3, "right", face=NARROW_BOLD)) if job.points else ()
    return (
        *((Column("", 0.1, min_width=inline),) if inline else ()),
        Column(_("No."), 0.5 if (stats or inline) and inline < ROOMY else 1.0, "right", min_text=max_quantity),
        Column(job.words.element, 3.9, face=NARROW_BOLD, min_text=word),
        *(
            Column(head, 0.5, "centre", min_text=min_text)
            for head, min_text in zip_longest(stats.heads if stats else (), numbers, fillvalue="")
        ),
        Column(_("Description"), 4.8 if stats else 8.1),
        *priced,
    )


def roster_list(job: Job, stats: Stats | None = None) -> Iterator[Section]:
    """The cover: everything in the roster with its points, findings, house rules and notes; then the receipts."""
    if job.blank:
        yield Section(_("Roster"), _blank_groups(job, stats))
        return
    masthead = _masthead(job)
    yield Section(_("Roster"), _cover(job, stats), masthead=masthead, rest=BattleLog)
    if job.options.receipts and job.points:
        title = _("How this is priced")
        formula = [Paragraph(job.rules.FORMULA, face=NARROW, ink="soft")] if job.rules.FORMULA else []
        head = Stack((Heading(title, "", 1.2), *formula, Space(0.3)))
        yield Section(title, _receipts(job), columns=3, head=head)


def _cover(job: Job, stats: Stats | None) -> Iterator[Group]:
    """Findings, the list, the summary, house rules and notes: on one page if they fit."""
    width, height = frame(job.options.paper, bare=True)
    listed = width - beside(job.style, width)
    names = (element.name for _number, formation, _priced in job.formations() for element in formation.elements)
    words = (word for name in names for word in name.split() if len(word) <= MAX_WORD)
    word = max(words, key=lambda word: ems(word, NARROW_BOLD), default="")
    max_quantity = str(max((element.quantity for element in job.document.elements), default=1))
    shown = stats if listed >= STATS_WIDTH * job.style.scale else None
    numbers = zip(*{shown.values(element) for element in job.document.elements}, strict=True) if shown else ()
    longest = tuple(max(column, key=lambda number: ems(number, NARROW)) for column in numbers)
    every = List(job, listed, shown, word=word, max_quantity=max_quantity, numbers=longest)
    before, after = [*_findings(job)], [*_summary(job)]
    above, below = (sum(block.height(job.style, width) for block in blocks) for blocks in (before, after))
    heads = every.head.height(job.style, width)
    every, formations = every.fitted(height - COVER - above - heads, height - STRIP - heads, below)
    yield Group(before)
    for number, (title, bands) in enumerate(formations):
        yield Group(bands, every.head, title, continues=number > 0)
    yield Group(after)


LOG = (
    Column(_("Date"), 1.4),
    Column(_("Opponent"), 2.8),
    Column(_("Scenario"), 2.4),
    Column(_("Result"), 1.4),
    Column(_("Losses"), 2.6),
)
MAX_BATTLES, MIN_NOTES = 8, 25 * MM


class BattleLog(NamedTuple):
    """Rows for the battles of a roster, and below them lines for notes, of a height in points."""

    fixed_height: float

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        low = top - self.fixed_height
        blocks: list[Block] = [Label(_("Battles")), TableHead(LOG), *map(_battle_row, range(MAX_BATTLES))]
        for block in blocks:
            height = block.height(pen.style, width)
            if top - height < low:
                return
            block.draw(pen, x, top, width)
            top -= height
        if top - low > MIN_NOTES:
            NoteLines(top - low - 3 * MM).draw(pen, x, top - 3 * MM, width)


def _battle_row(number: int) -> Row:
    """A row of the log to fill in."""
    cells = (
        fill_in_cell(f"battle{number}.{place}", nth_row(column.head, number + 1)) for place, column in enumerate(LOG)
    )
    return Row(LOG, (*cells,), min_lines=1.7)


Formation = tuple[str, list[Band]]
"""The name of a formation, and its bands."""


class List(NamedTuple):
    """The formations of a roster with their elements, of a width; ``tile`` 0 puts each counter into its line."""

    job: Job
    width: float
    stats: Stats | None = None
    tile: float = 0.0
    inline: float = INLINE[-1]
    word: str = ""
    """The longest word of a name that is not broken."""
    max_quantity: str = ""
    """The largest quantity, which is not broken either."""
    numbers: tuple[str, ...] = ()
    """The longest number of each column of stats."""

    @property
    def columns(self) -> tuple[Column, ...]:
        inline = 0.0 if self.tile else self.inline
        return _columns(
            self.job, self.stats, inline=inline, word=self.word, max_quantity=self.max_quantity, numbers=self.numbers
        )

    @property
    def head(self) -> ListHead:
        return ListHead(_("Order of battle"), self.columns)

    def fitted(self, available: float, more: float, after: float) -> tuple[List, Iterable[Formation]]:
        """The same with the widest counters with which it takes the fewest pages, and its formations.

        ``available`` is what the first page has for the list, ``more`` each page after it; ``after`` is what
        follows it.
        """
        job = self.job
        entries = [entry for number, _f, _p in job.formations() for entry in job.merged(number)]

        def needed(large: bool) -> float:
            return max((legible(job.counter(entry.element, large=large)) for entry in entries), default=0.0)

        small = needed(False)
        min_inline = min(max(small, INLINE[-1]), INLINE[0])
        within = [
            self._replace(inline=width) for width in (*(each for each in INLINE if each > min_inline), min_inline)
        ]
        quantity = sum(entry.quantity for entry in entries)
        if quantity > MAX_TILES:
            return within[-1], within[-1].formations()
        above: list[List] = []  # with the counters of all models above the lines, not one in each line
        if quantity <= REPEATED * len(entries):
            tiles, big = [(self.width + TILE_GAP) / number - TILE_GAP for number in ABREAST], needed(True)
            above = [self._replace(tile=tile) for tile in tiles if tile >= (big if tile > LARGE else small)]
        page, fewest = frame(job.options.paper, bare=True)[0], 0
        best, formations = self, Replayed[Formation](())
        for every in (*above, *within):
            bands = Replayed(every.formations())
            heights = (band.height(job.style, page) for _title, each in bands for band in each)
            number = _pages(chain(heights, [after]), available, more, max_pages=fewest)
            if not fewest or number < fewest:
                fewest, best, formations = number, every, bands
            if fewest == 1:
                break
        return best, formations

    def formations(self) -> Iterator[Formation]:
        """The name of each formation, and its bands."""
        job, style, columns = self.job, self.job.style, self.columns
        for number, formation, priced in job.formations():
            name, entries = formation.name or job.words.formation, [*job.merged(number)]
            facts = [*self._facts(priced, sum(element.quantity for element in formation.elements))]
            notes = formation.notes.strip()
            if len(notes) <= 60:
                facts.append(notes)
                notes = ""
            if not self.tile and len(entries) == 1:
                facts = facts[1:]
            counters = tuple(
                (job.counter(entry.element, large=self.tile > LARGE),) * entry.quantity
                for entry in entries
                if self.tile
            )
            lines = [*text_lines(notes, style, self.width, 0.9, ink="soft")]
            for entry in entries:
                lines += self._entry(entry, columns, last=entry is entries[-1])
            first, *others = [*_parts(lines, style, self.width)] or [((), 0.0)]
            band = Band(name, tuple(filter(None, facts)), counters, self.tile, *first)
            yield name, [band, *(Band("", (), (), self.tile, *rest) for rest in others)]

    def _facts(self, priced: PricedFormation, quantity: int) -> Iterator[str]:
        """The number of elements with their points and, where there is room, the facts of the game."""
        job, count = self.job, self.job.words.count_elements(quantity)
        points = priced.points if job.points else None
        yield count if points is None else join((count, job.words.count_points(points)), ", ")
        if self.tile or self.inline >= ROOMY:
            known = (_("{label} {value}").format(label=label, value=value) for label, value in job.facts(priced.facts))
            yield join((fact.replace(" ", NO_BREAK) for fact in map(translate, known)), ", ")

    def _entry(self, entry: PrintedElement, columns: tuple[Column, ...], *, last: bool) -> Iterator[Block]:
        """The line of an element, and its notes; the line below the last is the formation's."""
        job, stats = self.job, self.stats
        amounts = (job.amount(entry.priced.unit_points), job.amount(entry.priced.points)) if job.points else ()
        text = stats.describe(entry.element) if stats and stats.describe else entry.description
        numbers = stats.values(entry.element) if stats else ()
        cells: tuple[Content, ...] = (str(entry.quantity), entry.name.strip(), *numbers, text, *amounts)
        if not self.tile and self.inline >= ROOMY:
            cells = (_quantity_cell(entry.quantity), *cells[1:])
        if not self.tile:
            cells = (_counter_cell(job.counter(entry.element, large=False), self.inline), *cells)
        notes = [*text_lines(entry.element.notes, job.style, self.width, 0.9, ink="soft")]
        yield Row(columns, cells, lines=12, middle=not self.tile, rule=0 if last or notes else HAIR)
        yield from notes


def _pages(heights: Iterable[float], available: float, more: float, max_pages: int) -> int:
    """How many pages these heights take, with so much room on the first and on each after it; counted up to
    ``max_pages``, or to the end if that is 0.
    """
    left, number = available, 1
    for height in heights:
        if number == max_pages:
            break
        if height > left:
            left, number = more, number + 1
        left -= height
    return number


def _counter_cell(picture: Picture, counter_width: float) -> Cell:
    counter_height = counter_width * TILE_RATIO
    return Cell(
        lambda style, width: counter_height,
        lambda pen, x, top, width, height: pen.picture(picture, x, top - (height - counter_height) / 2, counter_width),
    )


def _quantity_cell(quantity: int) -> Cell:
    """So many of an element, beside its counter."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size = pen.style.body * 1.5
        low = top - height / 2 - size * 0.35
        pen.fit(x - 2 * MM, low, f"{quantity}\xa0×", width + 2 * MM, size, face=NAME, align="right", ink="deep")

    return Cell(lambda style, width: style.body * 1.6, paint)


def _parts(lines: Sequence[Block], style: Style, width: float) -> Iterator[tuple[tuple[Block, ...], float]]:
    """The lines in parts that are not split over pages, each with its height."""
    part: list[Block] = []
    used = 0.0
    for line in lines:
        height = line.height(style, width)
        if part and used + height > MAX_BAND:
            yield tuple(part), used
            part, used = [], 0.0
        part.append(line)
        used += height
    if part:
        yield tuple(part), used


# ---------------------------------------------------------------- findings, summary, notes

SEVERITIES = {"error": _("Error"), "warning": _("Warning"), "note": _("Note")}


def _findings(job: Job) -> Iterator[Block]:
    """Each finding once, with the names of all that it concerns."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    shown = {number for number, _formation, _priced in job.formations()}
    for where, findings in job.findings_by_position.items():
        numbers = [int(number) for number in where.split("/")[1::2]]
        if numbers and numbers[0] not in shown:
            continue
        for finding in findings:
            if finding.code != "house-rule":
                places[finding.severity, finding.message].append(job.name_at(numbers))
    for severity, word in SEVERITIES.items():
        for (own, message), names in places.items():
            if own == severity:
                known = [*dict.fromkeys(filter(None, names))]
                text = _("{names}: {message}").format(names=join_names(known), message=message) if known else message
                yield Paragraph(text, 0.95, lead=_("{severity}.").format(severity=word))
    if places:
        yield Space(0.5)


def _summary(job: Job) -> Iterator[Block]:
    """The points by formation, house rules and notes."""
    if job.points:
        yield from _chart(job)
    rules = [Paragraph(_("{rule}.").format(rule=rule.text), 0.95) for rule in job.appraisal.house_rules]
    if rules:
        yield Stack((Space(0.4), Label(_("House rules")), *rules))
    notes = translate(job.document.notes).strip()
    if notes and len(notes) <= 400:
        yield Stack((Space(0.6), Framed(Paragraph(" ".join(notes.split()), face=NARROW))))
    elif notes:
        yield Stack((Space(0.6), Label(_("Notes"))))
        yield from text_lines(notes, job.style, frame_width(job))


MAX_BARS, MAX_KINDS = 8, 5
FILLS = (TINT, 0, PALE, STRONG, 0)
"""The grounds of the kinds of points; the last is hatched."""


class Bars(NamedTuple):
    """Bars of the points of formations, to one scale, by kinds of points."""

    rows: tuple[tuple[str, tuple[float, ...], str], ...]
    """The name of each, its points by kind, and their sum as text."""
    kinds: tuple[str, ...]
    title: str

    def _row_height(self, style: Style) -> float:
        return style.body * 1.75

    def height(self, style: Style, width: float) -> float:
        return len(self.rows) * self._row_height(style) + style.body * 1.8

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        beside, row_height = min(LABELS, width * 0.3), self._row_height(pen.style)
        max_sum = max(sum(parts) for _name, parts, _sum in self.rows) or 1
        scale = (width - beside - 16 * MM) / max_sum
        for number, (name, parts, total) in enumerate(self.rows):
            y = top - (number + 1) * row_height + row_height * 0.2
            pen.fit(x, y + row_height * 0.16, name, beside - 3 * MM, face=BOLD)
            left = x + beside
            for kind, part in enumerate(parts):
                self._draw_part(pen, left, y, part * scale, row_height * 0.68, kind, part)
                left += part * scale
            pen.text(left + 1.6 * MM, y + row_height * 0.12, total, pen.style.body * 1.3, face=NAME)
        left, y = x + beside, top - len(self.rows) * row_height - pen.style.body * 1.3
        pen.label(x, y + 1, self.title)
        for kind, word in enumerate(self.kinds):
            self._draw_part(pen, left, y, 4 * MM, pen.style.body * 0.8, kind)
            pen.text(left + 5.2 * MM, y + 1, word, pen.style.small, face=NARROW, ink="soft")
            left += ems(word, NARROW) * pen.style.small + 11 * MM

    def _draw_part(
        self, pen: Pen, x: float, y: float, width: float, height: float, kind: int, part: float | None = None
    ) -> None:
        if not width:
            return
        hatched = kind == len(self.kinds) - 1 and kind > 1
        pen.rect(x, y, width, height, fill=0 if hatched else FILLS[kind])
        text = "" if part is None else format_amount(to_amount(part))
        available = ems(text, NARROW_BOLD) * pen.style.small + 1.6 * MM
        if hatched:
            for step in range(1, int(width / (1.4 * MM)) + 1):
                at = x + step * 1.4 * MM
                if at < x + width and not (text and abs(at - x - width / 2) < available / 2 < width / 2):
                    pen.line(at, y, at, y + height, HAIR, ink="side")
        if text and available <= width:
            pen.text(x + width / 2, y + height * 0.25, text, pen.style.small, face=NARROW_BOLD, align="centre")


def _chart(job: Job) -> Iterator[Block]:
    """The points of each formation by the kinds of their receipts' steps, if these only add up, and are few."""
    formations = [*job.formations()]
    if len(formations) > MAX_BARS:
        return
    sums = [
        points_by_kind((element.receipt, element.quantity) for element in priced.elements if element.receipt)
        for _number, _formation, priced in formations
    ]
    kinds = [*dict.fromkeys(kind for own in sums for kind in own)]
    if not 1 < len(kinds) <= MAX_KINDS or any(points < 0 for own in sums for points in own.values()):
        return
    rows = tuple(
        (
            formation.name or job.words.formation,
            tuple(float(own.get(kind, 0)) for kind in kinds),
            job.amount(priced.points),
        )
        for (_number, formation, priced), own in zip(formations, sums, strict=True)
    )
    title = _("Points by {formation}").format(formation=job.words.nouns.formation)
    yield Stack((Space(0.3), Bars(rows, tuple(kinds), title)))


# ---------------------------------------------------------------- receipts

STEPS = (Column("", 6), Column("", 1.7, "right"), Column("", 1.7, "right", face=NARROW_BOLD))


def _receipts(job: Job) -> Iterator[Group]:
    """The receipt of each element, once for all that have the same."""
    same: dict[Receipt, list[PrintedElement]] = defaultdict(list)
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            if entry.priced.receipt:
                same[entry.priced.receipt].append(entry)
    for receipt, entries in same.items():
        quantity = sum(entry.quantity for entry in entries)
        names = join_names(dict.fromkeys(entry.name.strip() for entry in entries))
        points = job.words.count_points(receipt.unit_points)
        times = _("{quantity} × {points}").format(quantity=quantity, points=points) if quantity > 1 else points
        steps = (
            Row(STEPS, (step.label, format_operation(step.change), with_minus_sign(format_exact(step.subtotal))), 0.92)
            for step in receipt.steps
        )
        yield Group([Stack((Space(0.5), Paragraph(names, face=BOLD), Paragraph(times, 0.92, ink="soft"), *steps))])


# ---------------------------------------------------------------- the blank form


def _blank_groups(job: Job, stats: Stats | None) -> Iterator[Group]:
    """Enough empty rows to fill the page."""
    width, height = frame(job.options.paper)
    columns = _columns(job, stats if width >= STATS_WIDTH * job.style.scale else None)
    head = Stack((Space(0.6), TableHead(columns)))
    rows: list[Block] = []
    first = BlankLine(_("Player"), "player")
    yield Group([first])
    available = (
        height
        - MASTHEAD
        + STRIP
        - (ILLEGAL if job.header.illegal else 0)
        - head.height(job.style, width)
        - first.height(job.style, width)
    )
    row_height = Row(columns, (fill_in_cell(),) * len(columns), min_lines=1.7).height(job.style, width)
    for number in range(int(available // row_height)):
        cells = tuple(
            fill_in_cell(f"r{number}.c{place}", nth_row(column.head, number + 1))
            for place, column in enumerate(columns)
        )
        rows.append(Row(columns, cells, min_lines=1.7))
    yield Group(rows, head)


ROSTER = Sheet(
    "roster",
    _("Roster"),
    _("All entries with pictures and points, rules check, house rules and notes."),
    roster_list,
)

# ---------------------------------------------------------------- the reference panel


def panels(job: Job) -> Iterator[Section]:
    """The rules in use, in our words."""
    shown = (panel for panel in job.play.panels(job.document, job.terms) if panel.title not in job.printed_panels)
    yield Section(_("Reference"), (panel_group(panel, job.diagrams) for panel in shown), columns=2, fills=FILLING)


REFERENCE = Sheet(
    "reference",
    _("Reference"),
    _("The rules that this roster uses, and the tables of play."),
    panels,
    shared=True,
)
