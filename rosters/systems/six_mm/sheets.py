"""The sheets of 6MM: the army record with its boxes and morale track, and cards for single stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from itertools import chain, count, islice, zip_longest
from typing import NamedTuple, TypeVar

from rosters.core.messages import _, join, ngettext, translate
from rosters.pdf.blocks import (
    BlankLine,
    Block,
    Boxes,
    Cell,
    Column,
    Drawing,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    TextLine,
    fill_in_cell,
)
from rosters.pdf.canvas import HAIR, MM, SOFT, THICK, Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.job import Choice, Job, PrintedElement, PrintedModel, Sheet, never
from rosters.pdf.layout import Grid, Group, Section
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width
from rosters.pdf.text import FittedText, fit_text
from rosters.systems.six_mm.play import EACH_THRESHOLD, move, retreat_scores, weapon_range
from rosters.systems.six_mm.rules import MAX_STRENGTH, Element, Stats, features, signed, strength, times
from rosters.systems.six_mm.tables import FOOT, GENERALS, LOADS, PURCHASES, TURNS_AWAY, TYPES, Reach

MIN_WIDE = 56
"""Ems of a page from which the record is a table; on narrower ones the details are below the boxes."""
ROWS_TOGETHER = 10
"""Rows of boxes that stay on one page."""
SQUARES_TOGETHER = 60
ALTERNATES_TOGETHER = 4
"""Alternates that stay with their stand; a card shows no more."""
MAX_TRACKED = 240
"""With more losses than this until an army retreats, a table replaces the box for each."""
LABELS, PITCH, GROUPS = 5.8, 2.4, 0.7
"""Of the morale track in ems: the labels before the boxes, the pitch of the boxes, and the gap after each fifth."""
CARD = (63 * MM, 88 * MM)
CARD_ROWS = 6
"""Rows of boxes on a card."""
BLANK_ROWS, BLANK_BOXES, BLANK_LOSSES = 15, MAX_STRENGTH, 30
NUMBER = 1.9
"""Room for the number before a row of boxes, in ems."""
NONE = "–"

CHOICES: dict[str, Choice] = {}

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in order, ``size`` at a time, lazily."""
    rest = iter(items)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def is_wide(job: Job) -> bool:
    return frame_width(job) >= MIN_WIDE * job.style.body


# ---------------------------------------------------------------- blocks


def cell(block: Block) -> Cell:
    """A block as a cell of a table."""
    return Cell(block.height, lambda pen, x, top, width, height: block.draw(pen, x, top, width))


class Item(NamedTuple):
    """Text after boxes to check, one for each field name; without boxes, the text may wrap."""

    text: str
    names: tuple[str, ...] = ()
    bold: bool = False

    def boxes(self, size: float) -> float:
        """The width of the boxes."""
        return (len(self.names) + 0.15) * size if self.names else 0.0


class Flow(NamedTuple):
    """Items one after another, wrapped."""

    items: tuple[Item, ...]
    scale: float = 0.9

    def _placed(self, style: Style, width: float) -> Iterator[tuple[Item, float, int, float]]:
        """Each piece of an item that is not broken: its distance from the left, its line, its size."""
        x, line = 0.0, 0
        pieces = [*self._pieces(style.body * self.scale, width)]
        for (item, size, wide, gap), after in zip_longest(pieces, pieces[1:]):
            together = wide + (gap + after[2] if item.bold and after else 0)
            if x and x + min(together, width) > width:
                x, line = 0.0, line + 1
            yield item, x, line, size
            x += wide + gap

    def _pieces(self, size: float, width: float) -> Iterator[tuple[Item, float, float, float]]:
        """Each piece with its size, its width and the gap after it. A bold label stays with the piece after it."""
        for item in self.items:
            text = translate(item.text)
            words = [text] if item.names else text.split(" ")
            for number, word in enumerate(words, start=1):
                boxes = item.boxes(size)
                fitted = fit_text(word, max(width - boxes, size), size, bold=item.bold)
                shown = "".join(fitted.lines)
                gap = 0.26 if number < len(words) else 0.7
                wide = boxes + ems(shown, item.bold) * fitted.size
                yield item._replace(text=shown), fitted.size, wide, gap * size

    def height(self, style: Style, width: float) -> float:
        lines = max((line for _item, _x, line, _size in self._placed(style, width)), default=0)
        return style.line + lines * style.line * self.scale

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size, step = pen.style.body * self.scale, pen.style.line * self.scale
        for item, left, line, fitted in self._placed(pen.style, width):
            baseline = top - pen.style.body * ASCENT - line * step
            for number, name in enumerate(item.names):
                pen.box(x + left + number * size, baseline - size * 0.06, size * 0.8, name=name)
            pen.runs(x + left + item.boxes(size), baseline, item.text, fitted, bold=item.bold)


@lru_cache(maxsize=256)
def natural(boxes: int, style: Style) -> float:
    """The least width in points for this many boxes in one line."""
    row = Boxes((False,) * boxes)
    return next(float(width) for width in count(1) if row.rows(style, width) == 1)


class Losses(NamedTuple):
    """A row of boxes for each model, with a label if there are several.

    ``beside``: as many side by side as fit; else one below another, with room for labels even without any.
    """

    rows: tuple[tuple[str, Boxes], ...]
    beside: bool = True

    def _measure(self, style: Style, width: float) -> tuple[float, float, float, int]:
        """The width of a label, the width of a row with its label, the size of its boxes, and the rows in a line."""
        labelled = not self.beside or any(label for label, _boxes in self.rows)
        label = NUMBER * style.body if labelled else 0.0
        boxes = natural(max((len(boxes.marked) for _label, boxes in self.rows), default=1), style)
        size = min(1.0, (width - label) / boxes)
        row = label + boxes * size
        return label, row, size, max(1, int((width + style.body) // (row + style.body))) if self.beside else 1

    def height(self, style: Style, width: float) -> float:
        return -(-len(self.rows) // self._measure(style, width)[3]) * style.line * 1.06

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body = pen.style.body
        room, wide, size, across = self._measure(pen.style, width)
        for place, (label, boxes) in enumerate(self.rows):
            left = x + place % across * (wide + body)
            upper = top - place // across * pen.style.line * 1.06
            pen.fit(left, upper - body, label, max(room - 0.5 * body, 1), body * 0.82, align="right", grey=SOFT)
            lower = (1 - size) * pen.style.line * 0.5
            boxes._replace(size=size).draw(pen, left + room, upper - lower, width * 2)


class BoxLines(NamedTuple):
    """Plain boxes in groups of five, entire groups in a line; ``indent`` is the room before them in ems."""

    names: tuple[str, ...]
    marked: tuple[bool, ...] = ()
    indent: float = 0.0

    def _stack(self, style: Style, width: float) -> Stack:
        width -= self.indent * style.body
        groups = max((n for n in range(1, 13) if natural(5 * n, style) <= width), default=1)
        marked = self.marked or (False,) * len(self.names)
        lines = zip(chunks(marked, 5 * groups), chunks(self.names, 5 * groups), strict=True)
        return Stack(tuple(Boxes(marks, names=names) for marks, names in lines))

    def height(self, style: Style, width: float) -> float:
        return self._stack(style, width).height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        self._stack(pen.style, width).draw(pen, x + self.indent * pen.style.body, top, width)


def _rule(style: Style) -> Drawing:
    """A hair line between stands."""
    tall = style.body * 0.5
    return Drawing(tall, lambda pen, x, top, width: pen.line(x, top - tall * 0.6, x + width, top - tall * 0.6, HAIR))


def _titled(name: str, below: str) -> Cell:
    """A name, and smaller text below it."""

    def texts(style: Style, width: float) -> tuple[FittedText, FittedText]:
        lower = fit_text(below, width, style.body * 0.82, 3) if below else FittedText((), 0)
        return fit_text(name, width, style.body, 2, True), lower

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        upper, lower = texts(pen.style, width)
        pen.lines(x, top, upper, bold=True)
        pen.lines(x, top - upper.height, lower, grey=0.25)

    return Cell(lambda style, width: sum(text.height for text in texts(style, width)), paint)


# ---------------------------------------------------------------- a stand in words


def _reach(reach: Reach, path: str) -> Iterator[Item]:
    """Squares in words; the alternatives among them have a box each for the player to check."""
    for number, part in enumerate(reach.parts[: reach.choices]):
        yield Item(part, (f"{path}.{number}",))
    rest = reach.parts[reach.choices :]
    if rest or not reach.parts:
        yield Item(join(rest) if rest else NONE)


def ranges(stats: Stats, path: str) -> tuple[Item, ...]:
    return (*_reach(weapon_range(stats), f"{path}.range"),)


def moves(stats: Stats, path: str) -> tuple[Item, ...]:
    return (*_reach(move(stats), f"{path}.move"),)


def transport(stats: Stats, alternates: Iterable[Stats] = ()) -> str:
    """How a stand is carried: what it pays for, or the TNK among its alternates."""
    if stats.transport:
        return {"soft": _("motor"), "animal": _("animals"), "none": _("none")}[stats.transport]
    rides = stats.type in FOOT and any(other.type == "TNK" for other in alternates)
    return _("own TNK") if rides else NONE


def strength_of(stats: Stats) -> str:
    """Strength at the start, for a type that the rulebook has."""
    return str(strength(stats)) if stats.type in TYPES else NONE


def _details(stats: Stats, path: str, alternates: Iterable[Stats] = ()) -> Iterator[Item]:
    """Range, move and transport, each with its label, and what else the stand has."""
    yield from (Item(_("Range"), bold=True), *ranges(stats, path))
    yield from (Item(_("Move"), bold=True), *moves(stats, path))
    carried = transport(stats, alternates)
    if carried != NONE:
        yield from (Item(_("Transport"), bold=True), Item(carried))
    text = join(features(stats))
    if text:
        yield Item(text)


class PrintedAlternate(NamedTuple):
    """An alternate stand, how many of them, and the prefix of its field names."""

    stats: Stats
    quantity: int
    path: str

    def label(self, text: str) -> str:
        return _("or {stand}").format(stand=times(self.quantity, text))

    def flow(self) -> Flow:
        """The alternate in words, for narrow pages and cards."""
        label = Item(self.label(self.stats.type or NONE), bold=True)
        power = Item(_("strength {strength}").format(strength=strength_of(self.stats)))
        return Flow((label, power, *_details(self.stats, self.path)))


class Stand(NamedTuple):
    """Some models of an entry that are printed together, and the number of the first."""

    job: Job
    entry: PrintedElement
    first: int
    models: tuple[PrintedModel, ...]

    @property
    def element(self) -> Element:
        return self.entry.element  # type: ignore[return-value]

    @property
    def path(self) -> str:
        """The prefix of the fields that are not one model's own."""
        return self.models[0].path

    @property
    def name(self) -> str:
        last = self.first + len(self.models) - 1
        name = self.entry.name if self.element.name.strip() else self.element.shown_name
        if self.entry.quantity == len(self.models):
            return name
        return join((name, str(last) if self.first == last else f"{self.first}–{last}"))

    @property
    def routs_at(self) -> str:
        return str(self.entry.priced.facts.get("routs_at", NONE))

    @property
    def labels(self) -> tuple[str, ...]:
        """The models' numbers; nothing for the only one."""
        if self.entry.quantity == 1:
            return ("",)
        return tuple(str(self.first + number) for number in range(len(self.models)))

    @property
    def losses(self) -> Losses:
        rows = []
        for track in self.job.tracks(self.element):
            for label, model in zip(self.labels, self.models, strict=True):
                names = tuple(f"{model.path}.{track.key}.{number}" for number in range(len(track.boxes)))
                rows.append((label, Boxes(self.job.marked(track, model.mark), track.breaks_at, names)))
        return Losses(tuple(rows))

    @property
    def boxes(self) -> tuple[Block, ...]:
        """The boxes of a stand that has any strength."""
        return (self.losses,) if self.losses.rows else ()

    @property
    def sorties(self) -> Iterator[Flow]:
        """For aircraft: loads to use up, and turns to wait for the next pass."""
        if self.element.type != "AIR":
            return
        loads = LOADS.get(self.element.ordnance or "", 0)
        for label, model in zip(self.labels, self.models, strict=True):
            names = tuple(f"{model.path}.load.{number}" for number in range(loads))
            turns = tuple(f"{model.path}.away.{number}" for number in range(TURNS_AWAY))
            used = [Item(ngettext("load used", "loads used", loads), names)] if loads else []
            numbered = [Item(label, bold=True)] if label else []
            yield Flow((*numbered, *used, Item(_("turns away"), turns), Item(_("Returns on a 6."))))

    @property
    def alternates(self) -> Iterator[PrintedAlternate]:
        for number, stats in enumerate(self.element.duplicates):
            yield PrintedAlternate(stats, stats.quantity, f"{self.path}.state.{number}")


def stands(job: Job, number: int, together: int) -> Iterator[Stand]:
    """The stands of a formation, up to ``together`` models of an entry at a time; no purchases."""
    for entry in job.entries(number):
        if entry.element.type not in PURCHASES:  # type: ignore[attr-defined]
            for chunk, models in enumerate(chunks(entry.models, together)):
                yield Stand(job, entry, 1 + chunk * together, models)


# ---------------------------------------------------------------- the army record: stands


def record(job: Job) -> Iterator[Section]:
    """The army in play: the boxes of every stand, its generals, its morale."""
    yield Section(_("Army record"), _blank_record(job) if job.blank else _record(job))


def _record(job: Job) -> Iterator[Group]:
    columns = _columns(job)
    for number, formation, priced in job.formations():
        title = formation.name or job.words.formation
        points = job.words.count_points(priced.points) if job.points and priced.points is not None else ""
        heading = Heading(title, points, 1.15)
        head = Stack((heading, TableHead(columns))) if is_wide(job) else heading
        yield Group(_formation(job, columns, number), head, title)
    yield Group(_generals(job), _generals_head(job), _("Generals"))
    yield _morale(job)


def _formation(job: Job, columns: tuple[Column, ...], number: int) -> Iterator[Block]:
    for stand in stands(job, number, ROWS_TOGETHER):
        yield from _rows(job, columns, stand) if is_wide(job) else _panel(job, stand)
    for entry in job.entries(number):
        if entry.element.type in PURCHASES:  # type: ignore[attr-defined]
            yield from _purchase(job, columns, entry)
    yield Space(0.6)


def _columns(job: Job) -> tuple[Column, ...]:
    """The columns of the wide record; the name has the width that the others leave."""
    em = job.style.body
    strengths = (e.facts.get("strength", 0) for priced in job.appraisal.formations for e in priced.elements)
    most = BLANK_BOXES if job.blank else max(strengths, default=0)
    boxes = min(natural(max(10, most), job.style), 14 * em) + NUMBER * em + 6
    lost = _("Strength lost; draw the bar") if job.blank else _("Strength lost; routs at the bar")
    others = (
        Column(_("Type"), em * 3.4 + 6),
        Column(_("Strength"), em * 3.6 + 6, "centre", bold=True),
        Column(lost, boxes),
        Column(_("Routs at"), em * 2.6 + 6, "centre"),
        Column(_("Range"), em * 6.4 + 6),
        Column(_("Move"), em * 9.2 + 6),
        Column(_("Transport"), em * 4.6 + 6),
    )
    return (Column(_("Stand"), frame_width(job) - sum(column.share for column in others), bold=True), *others)


def _rows(job: Job, columns: tuple[Column, ...], stand: Stand) -> Iterator[Block]:
    """A stand as rows of the wide table, its alternates below."""
    element, alternates = stand.element, tuple(stand.alternates if stand.first == 1 else ())
    cells = (
        _titled(stand.name, join(features(element))),
        element.type or NONE,
        strength_of(element),
        cell(stand.losses._replace(beside=False)),
        stand.routs_at,
        cell(Flow(ranges(element, stand.path))),
        cell(Flow(moves(element, stand.path))),
        cell(Flow((Item(transport(element, element.duplicates)),))),
    )
    sorties = tuple(stand.sorties)
    own = Row(columns, cells, rule=0 if alternates or sorties else HAIR)
    below = [_alternate_row(columns, each, each == alternates[-1]) for each in alternates]
    flown: list[Block] = [*sorties, _rule(job.style)] if sorties else []
    yield Stack((own, *flown, *below[:ALTERNATES_TOGETHER]))
    yield from below[ALTERNATES_TOGETHER:]


def _alternate_row(columns: tuple[Column, ...], alternate: PrintedAlternate, last: bool) -> Row:
    stats = alternate.stats
    power, kind = strength_of(stats), TYPES[stats.type].name if stats.type in TYPES else _("unknown type")
    cells = (
        cell(Flow((Item(alternate.label(join(features(stats)) or kind)),))),
        stats.type or NONE,
        power if alternate.quantity == 1 else _("{strength} each").format(strength=power),
        "",
        "",
        cell(Flow(ranges(stats, alternate.path))),
        cell(Flow(moves(stats, alternate.path))),
        cell(Flow((Item(transport(stats)),))),
    )
    return Row(tuple(column._replace(bold=False) for column in columns), cells, rule=HAIR if last else 0)


def _panel(job: Job, stand: Stand) -> Iterator[Block]:
    """A stand on a narrow page: name and numbers, boxes, then what it has."""
    element = stand.element
    numbers = (
        element.type or NONE,
        _("strength {strength}").format(strength=strength_of(element)),
        _("routs at {strength}").format(strength=stand.routs_at),
    )
    own = (
        Heading(stand.name, join(numbers, " · "), 1.0, rule=False),
        *stand.boxes,
        Flow(tuple(_details(element, stand.path, element.duplicates))),
        *stand.sorties,
    )
    below = [alternate.flow() for alternate in (stand.alternates if stand.first == 1 else ())]
    yield Stack((*own, *below[:ALTERNATES_TOGETHER]))
    yield from below[ALTERNATES_TOGETHER:]
    yield _rule(job.style)


def _purchase(job: Job, like: tuple[Column, ...], entry: PrintedElement) -> Iterator[Block]:
    """Field works or shared transport: a box for each, below the boxes of the stands."""
    code, n = entry.element.type, entry.quantity  # type: ignore[attr-defined]
    text = {
        "WORKS": ngettext("{n} square, double cover", "{n} squares, double cover", n),
        "TRANSPORT": ngettext("{n} vehicle for ART or foot", "{n} vehicles for ART or foot", n),
    }[code].format(n=n)
    wide = is_wide(job)
    before = (like[0].share, like[1].share + like[2].share)
    shares = (*before, frame_width(job) - sum(before)) if wide else (17, 8, 25)
    columns = tuple(Column("", share) for share in shares)
    for models in chunks(entry.models, SQUARES_TOGETHER):
        boxes = BoxLines(tuple(f"{model.path}.used.0" for model in models), indent=NUMBER if wide else 0)
        yield Row(columns, (_titled(entry.name.strip() or PURCHASES[code].name, text), code, cell(boxes)))


# ---------------------------------------------------------------- the army record: generals


def _general_columns(job: Job) -> tuple[Column, ...]:
    command = (Column(job.words.formation, 11),) if is_wide(job) else ()
    return (
        Column(_("General"), 11, bold=True),
        *command,
        Column(_("Rating"), 7),
        Column(_("Initiative"), 5.5, "centre", bold=True),
        Column(_("Lost"), 7),
    )


def _generals_head(job: Job) -> Stack:
    heading = Heading(_("Generals"), _("D6 for initiative each round"), 1.15)
    return Stack((*((Space(0.6),) if job.blank else ()), heading, TableHead(_general_columns(job))))


def _generals(job: Job) -> Iterator[Block]:
    """Each general with what it adds to the initiative die, and the command distance."""
    columns, rows = _general_columns(job), []
    for number, formation in enumerate(job.document.formations):
        for entry in job.entries(number):
            element: Element = entry.element  # type: ignore[assignment]
            if element.general and element.type not in PURCHASES:
                for models in chunks(entry.models, SQUARES_TOGETHER):
                    rows.append(_general_row(job, columns, entry, models, formation.name))
    yield from rows or [Row(columns, tuple(fill_in_cell(f"general.c{n}") for n in range(len(columns))), min_lines=1.7)]
    distances = (Item(_("2 squares"), ("command.2",)), Item(_("4 squares, with radio"), ("command.4",)))
    yield Flow((Item(_("Command distance"), bold=True), *distances), 1.0)
    yield Space(0.6)


def _general_row(
    job: Job, columns: tuple[Column, ...], entry: PrintedElement, models: tuple[PrintedModel, ...], command: str
) -> Row:
    element: Element = entry.element  # type: ignore[assignment]
    rating = GENERALS[element.general or "competent"]
    lost = BoxLines(
        tuple(f"{model.path}.general.0" for model in models),
        tuple(_is_lost(job, element, model) for model in models),
    )
    commands = (command,) if is_wide(job) else ()
    return Row(columns, (entry.name, *commands, rating.title, signed(rating.value), cell(lost)))


def _is_lost(job: Job, element: Element, model: PrintedModel) -> bool:
    """Whether the marks that are printed leave a model without strength."""
    tracks = job.tracks(element)
    return bool(tracks) and all(job.marked(tracks[0], model.mark))


# ---------------------------------------------------------------- the army record: morale

Thresholds = Mapping[int, tuple[int, int]]
"""By stands lost: the share of the army in percent, and the highest die on which it retreats."""


def thresholds(job: Job) -> Thresholds:
    """Where an army rolls; where several shares are the same number of stands, the worst of them."""
    return {lost: (percent, die) for percent, lost, die in job.appraisal.facts.get("army_morale", ())}


class MoraleTrack(NamedTuple):
    """A line of the morale track: boxes for the stands lost from ``first`` to ``last``, bars at the thresholds."""

    first: int
    last: int
    lost: int
    where: Thresholds

    def height(self, style: Style, width: float) -> float:
        return style.body * (4.9 if self.where else 2.5)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body, small, room = pen.style.body, pen.style.small, (LABELS - 0.4) * pen.style.body
        pen.fit(x, top - 1.45 * body, _("Stands lost"), room, small)
        if self.where:
            pen.fit(x, top - 3.05 * body, _("Share lost"), room, small, grey=0.25)
            pen.fit(x, top - 4.1 * body, _("Retreats on"), room, small, bold=True)
        for place, number in enumerate(range(self.first, self.last + 1)):
            left = x + (LABELS + place * PITCH + place // 5 * GROUPS) * body
            self._box(pen, number, left, top - 2.1 * body)

    def _box(self, pen: Pen, number: int, left: float, bottom: float) -> None:
        body, side = pen.style.body, 2 * pen.style.body
        marked = number <= self.lost
        pen.box(left, bottom, side, marked=marked, name=f"army.lost.{number - 1}")
        if not marked:
            pen.fit(left, bottom + 0.7 * body, str(number), side, body * 0.82, align="centre", grey=SOFT)
        if number in self.where:
            percent, die = self.where[number]
            edge, left, room = left + side + 0.2 * body, left - 0.15 * body, side + 0.3 * body
            pen.line(edge, bottom - 0.3 * body, edge, bottom + side + 0.1 * body, THICK * 1.5)
            pen.fit(left, bottom - 0.95 * body, f"{percent}\xa0%", room, body * 0.75, align="centre", grey=0.25)
            pen.fit(left, bottom - 2 * body, retreat_scores(die), room, body * 0.9, align="centre", bold=True)


def _tracks(job: Job, last: int, lost: int, where: Thresholds) -> Iterator[MoraleTrack]:
    """The lines of the morale track, entire groups of five boxes in each."""
    across = 5 * max(1, int((frame_width(job) / job.style.body - LABELS + GROUPS) // (5 * PITCH + GROUPS)))
    for first in range(1, last + 1, across):
        line = range(first, min(first + across, last + 1))
        yield MoraleTrack(first, line[-1], lost, {number: where[number] for number in line if number in where})


def _morale_head(aside: str) -> Stack:
    return Stack((Heading(_("Army morale"), aside, 1.15), Paragraph(EACH_THRESHOLD, 0.9), Space(0.3)))


def _morale(job: Job) -> Group:
    """The army's morale track, or a table where it would be too long."""
    where, n = thresholds(job), job.appraisal.quantity
    last = max(where, default=0)
    tracked = 0 < last <= MAX_TRACKED
    blocks = _tracks(job, last, _lost(job), where) if tracked else _morale_table(job)
    head = _morale_head(job.words.count_elements(n) if n else "")
    return Group(blocks, head, _("Army morale"))


def _lost(job: Job) -> int:
    """The stands of the army that the printed marks leave without strength."""
    if not job.options.marks:
        return 0
    elements = [element for formation in job.document.formations for element in formation.elements]
    pairs = ((element, mark) for element in elements for mark in element.marks[: element.quantity])
    return sum(_is_lost(job, element, PrintedModel("", mark, "")) for element, mark in pairs)


def _morale_table(job: Job) -> Iterator[Block]:
    """The thresholds in rows; the stands are fields to fill in where the army has none."""
    columns = (
        Column(_("Share lost"), 3, bold=True),
        Column(_("Stands"), 4),
        Column(_("Retreats on a D6 of"), 5),
        Column(_("Rolled"), 2),
    )
    known = {row[2]: str(row[1]) for row in job.appraisal.facts.get("army_morale", ())}
    yield TableHead(columns)
    for die in range(1, 7):
        number = known.get(die) or fill_in_cell(f"army.stands.{die}")
        rolled = Boxes((False,), names=(f"army.rolled.{die}",)).cell()
        yield Row(columns, (f"{10 * die}\xa0%", number, retreat_scores(die), rolled), min_lines=1.4)
    if known:
        yield BlankLine(_("Stands lost so far:"), "army.lost")


# ---------------------------------------------------------------- the army record: blank

FACTS = {"type": _("Type:"), "strength": _("Strength:"), "routs at": _("Routs at:")}
EQUIPMENT = {"range": _("Range:"), "move": _("Move:"), "transport": _("Transport:")}


def _blank_record(job: Job) -> Iterator[Group]:
    heading = Stack((BlankLine(_("{label}:").format(label=job.words.formation), "command", 1.1), Space(0.4)))
    columns = _columns(job)
    if is_wide(job):
        yield Group((_blank_row(columns, n) for n in range(BLANK_ROWS)), Stack((heading, TableHead(columns))))
    else:
        yield Group((_blank_panel(job.style, n) for n in range(BLANK_ROWS // 2)), heading)
    yield Group(_blank_purchases())
    yield Group(_generals(job), _generals_head(job))
    yield Group(chain(_tracks(job, BLANK_LOSSES, 0, {}), _morale_table(job)), _morale_head(""))


def _blank_losses(path: str) -> Losses:
    names = tuple(f"{path}.strength.{number}" for number in range(BLANK_BOXES))
    return Losses((("", Boxes((False,) * BLANK_BOXES, names=names)),))


def _blank_row(columns: tuple[Column, ...], number: int) -> Row:
    path = f"blank{number}"
    boxes = _blank_losses(path)

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes.draw(pen, x, top - (height - boxes.height(pen.style, width)) / 2, width)

    cells = [fill_in_cell(f"{path}.c{column}") for column in range(len(columns))]
    cells[3] = Cell(boxes.height, paint)
    return Row(columns, tuple(cells), min_lines=1.9)


def _blank_panel(style: Style, number: int) -> Stack:
    path = f"blank{number}"

    def blanks(labels: Mapping[str, str]) -> Row:
        cells = tuple(cell(BlankLine(label, f"{path}.{key}")) for key, label in labels.items())
        return Row((Column("", 1),) * 3, cells, rule=0)

    name = BlankLine(_("Stand:"), f"{path}.name")
    return Stack((name, blanks(FACTS), _blank_losses(path), blanks(EQUIPMENT), _rule(style)))


def _blank_purchases() -> Iterator[Row]:
    columns = (Column("", 12, bold=True), Column("", 38))
    for code, purchase in PURCHASES.items():
        boxes = BoxLines(tuple(f"{code.lower()}.used.{number}" for number in range(20)))
        yield Row(columns, (purchase.name, cell(boxes)), min_lines=1.4)


# ---------------------------------------------------------------- cards


class Card(NamedTuple):
    """A card of 63 by 88 mm for a stand, or for several of one entry; blank without any."""

    stand: Stand | None
    command: str = ""
    number: int = 0

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        wide, tall = CARD
        pen.round_rect(x, top - tall, wide, tall, 2.5 * MM, HAIR)
        inner, pad = wide - 5.6 * MM, 2.8 * MM
        room = tall - 2 * pad - pen.style.small * 1.6
        small = copy(pen)
        for percent in range(100, 35, -5):  # the largest size at which everything fits
            small.style = pen.style._replace(body=pen.style.body * percent / 100)
            content = Stack(tuple(self._content(small.style, inner)))
            height = content.height(small.style, inner)
            if height <= room:
                break
        content.draw(small, x + pad, top - pad, inner)
        if self.stand:
            self._notes(small, self.stand.element.notes, x + pad, top - pad - height, inner, room - height)
            self._foot(pen, self.stand, x + pad, top - tall + pad, inner)

    def _content(self, style: Style, width: float) -> Iterator[Block]:
        if self.stand is None:
            yield from self._blank()
            return
        stand, element = self.stand, self.stand.element
        name = fit_text(stand.name, width, style.body * 1.2, 2, True)
        yield Drawing(name.height, lambda pen, x, top, wide: pen.lines(x, top, name, bold=True, accent=True))
        kind = TYPES[element.type].name if element.type in TYPES else _("Not in the rulebook")
        yield Flow((Item(element.type or NONE, bold=True), Item(kind)), 1.0)
        yield _rule(style)
        power = Item(_("Strength {strength}").format(strength=strength_of(element)), bold=True)
        yield Flow((power, Item(_("routs at {strength}").format(strength=stand.routs_at))), 1.0)
        yield from stand.boxes
        yield Space(0.25)
        yield from self._details(stand)
        yield from stand.sorties
        alternates = [*islice(stand.alternates, ALTERNATES_TOGETHER + 1)]
        for alternate in alternates[:ALTERNATES_TOGETHER]:
            yield _rule(style)
            yield alternate.flow()
        if len(alternates) > ALTERNATES_TOGETHER:
            yield TextLine(_("More alternate stands are in the record."), 0.82, grey=0.25)

    @staticmethod
    def _details(stand: Stand) -> Iterator[Block]:
        """Range, move, transport and the rest, a line each."""
        element = stand.element
        yield Flow((Item(_("Range"), bold=True), *ranges(element, stand.path)))
        yield Flow((Item(_("Move"), bold=True), *moves(element, stand.path)))
        carried = transport(element, element.duplicates)
        if carried != NONE:
            yield Flow((Item(_("Transport"), bold=True), Item(carried)))
        if element.general:
            yield Flow((Item(_("Initiative"), bold=True), Item(signed(GENERALS[element.general].value))))
        text = join(features(element))
        if text:
            yield Flow((Item(text),))

    def _blank(self) -> Iterator[Block]:
        path = f"card{self.number}"
        yield from (BlankLine(label, f"{path}.{key}") for key, label in {"stand": _("Stand:"), **FACTS}.items())
        yield _blank_losses(path)
        yield from (BlankLine(label, f"{path}.{key}") for key, label in {**EQUIPMENT, "notes": _("Notes:")}.items())
        yield BlankLine("", f"{path}.notes2")

    @staticmethod
    def _notes(pen: Pen, notes: str, x: float, top: float, width: float, room: float) -> None:
        """As much of the notes as the card has room for."""
        size = pen.style.small
        lines = int((room - size * 0.5) // (size * 1.22))
        if lines > 0 and notes.strip():
            text = fit_text(" ".join(notes.split()), width, size, lines)
            pen.lines(x, top - size * 0.5, text, grey=0.25)

    def _foot(self, pen: Pen, stand: Stand, x: float, y: float, width: float) -> None:
        """The command, and points."""
        job, each = stand.job, stand.entry.priced.each
        points = job.words.count_points(each) if job.points and each is not None else ""
        size = pen.style.small
        pen.line(x, y + size * 1.2, x + width, y + size * 1.2, HAIR)
        pen.fit(x, y, self.command, width * (0.6 if points else 1), size, grey=0.25)
        pen.fit(x + width * 0.62, y, points, width * 0.38, size, align="right", bold=True)


def cards(job: Job) -> Iterator[Grid]:
    """Stand cards: one for each entry, and more where it has many models."""
    yield Grid(_("Stand cards"), _cards(job), cell=CARD, gap=0)


def _cards(job: Job) -> Iterator[tuple[str, Block]]:
    if job.blank:
        yield from (("", Card(None, number=number)) for number in range(9))
    for number, formation, _priced in job.formations():
        for stand in stands(job, number, CARD_ROWS):
            yield formation.name, Card(stand, formation.name)


# ---------------------------------------------------------------- the list

SHEETS = (
    ROSTER,
    Sheet(
        "record",
        _("Army record"),
        _("Strength boxes of every stand, generals, the army-morale track."),
        record,
    ),
    Sheet("cards", _("Stand cards"), _("63 × 88\xa0mm, one for each stand or for identical stands."), cards, never),
    REFERENCE,
)
