"""The sheets of 6MM: the army record with its boxes and morale track, and cards for single stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from itertools import chain, count, islice, zip_longest
from typing import NamedTuple, TypeVar

from rosters.pdf.blocks import (
    Blank,
    Block,
    Boxes,
    Cell,
    Column,
    Drawing,
    Heading,
    Heads,
    Prose,
    Row,
    Space,
    Stack,
    Words,
    written,
)
from rosters.pdf.canvas import HAIR, MM, SOFT, THICK, Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.job import Choice, Entry, Job, Model, Sheet, never
from rosters.pdf.layout import Grid, Group, Section
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width
from rosters.pdf.text import fit_text
from rosters.systems.six_mm.play import EACH_THRESHOLD, move, open_moves, open_ranges, weapon_range
from rosters.systems.six_mm.rules import MOST_STRENGTH, PURCHASES, Element, Stats, strength
from rosters.systems.six_mm.tables import FOOT, GUNS, INITIATIVE, LOADS, ORDNANCE, TURNS_AWAY, TYPES

WIDE = 56
"""Ems of a page from which the record is a table; on narrower ones what a stand has stands below its boxes."""
ROWS_TOGETHER = 10
"""Rows of boxes that stay on one page, and rows of field works."""
SQUARES_TOGETHER = 60
STATES_TOGETHER = 4
"""Other states that stay with their stand; a card shows no more."""
MOST_TRACKED = 240
"""With more losses than this until an army retreats, a table takes the place of a box for each."""
LABELS, PITCH, GROUPS = 5.8, 2.4, 0.7
"""Of the morale track in ems: what stands before the boxes, from box to box, and more after each fifth."""
CARD = (63 * MM, 88 * MM)
CARD_ROWS = 6
"""Rows of boxes on a card."""
BLANK_ROWS, BLANK_BOXES, BLANK_LOSSES = 15, MOST_STRENGTH, 30
NUMBER = 1.9
"""Room for the number before a row of boxes, in ems."""
NOTHING, FIRM = "–", "\N{NO-BREAK SPACE}"

CHOICES: dict[str, Choice] = {}

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in order, so many at a time, made on demand."""
    rest = iter(items)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def is_wide(job: Job) -> bool:
    return frame_width(job) >= WIDE * job.style.body


# ---------------------------------------------------------------- words and boxes in a line


class Item(NamedTuple):
    """Words after boxes to tick, one for each field name; without boxes, words that may wrap."""

    words: str
    names: tuple[str, ...] = ()
    bold: bool = False


class Placed(NamedTuple):
    """An item in its line: how far from the left in points, in which line, at what size."""

    item: Item
    x: float
    line: int
    size: float


class Piece(NamedTuple):
    """An item that is not broken: its size, its width and the gap after it in points."""

    item: Item
    size: float
    wide: float
    gap: float


class Flow(NamedTuple):
    """Items one after another, wrapped."""

    items: tuple[Item, ...]
    scale: float = 0.9

    def _placed(self, style: Style, width: float) -> Iterator[Placed]:
        x, line = 0.0, 0
        pieces = list(self._pieces(style.body * self.scale, width))
        for (item, size, wide, gap), after in zip_longest(pieces, pieces[1:]):
            together = wide + (gap + after.wide if item.bold and after else 0)
            if x and x + min(together, width) > width:
                x, line = 0.0, line + 1
            yield Placed(item, x, line, size)
            x += wide + gap

    def _pieces(self, size: float, width: float) -> Iterator[Piece]:
        """What is not broken: a label also stays with what follows."""
        for item in self.items:
            words = [item.words] if item.names else item.words.split(" ")
            for number, word in enumerate(words, start=1):
                boxes = self._boxes(item, size)
                text = fit_text(word, max(width - boxes, size), size, bold=item.bold)
                shown = "".join(text.lines)
                gap = 0.26 if number < len(words) else 0.7
                wide = boxes + ems(shown, item.bold) * text.size
                yield Piece(item._replace(words=shown), text.size, wide, gap * size)

    def height(self, style: Style, width: float) -> float:
        lines = max((placed.line for placed in self._placed(style, width)), default=0)
        return style.line + lines * style.line * self.scale

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size, step = pen.style.body * self.scale, pen.style.line * self.scale
        for item, left, line, fits in self._placed(pen.style, width):
            baseline = top - pen.style.body * ASCENT - line * step
            for number, name in enumerate(item.names):
                pen.box(x + left + number * size, baseline - size * 0.06, size * 0.8, name=name)
            pen.runs(x + left + self._boxes(item, size), baseline, item.words, fits, bold=item.bold)

    @staticmethod
    def _boxes(item: Item, size: float) -> float:
        """The width of an item's boxes."""
        return (len(item.names) + 0.15) * size if item.names else 0.0

    def cell(self) -> Cell:
        return Cell(self.height, lambda pen, x, top, width, height: self.draw(pen, x, top, width))


@lru_cache(maxsize=256)
def natural(boxes: int, style: Style) -> float:
    """The least width in points that holds so many boxes in one line."""
    row = Boxes((False,) * boxes)
    return next(float(width) for width in count(1) if row.rows(style, width) == 1)


class Losses(NamedTuple):
    """A row of boxes for each model, numbered where there are several.

    ``beside``: as many side by side as fit; else one below another, with room for numbers even where there are none.
    """

    rows: tuple[tuple[str, Boxes], ...]
    beside: bool = True

    def _measure(self, style: Style, width: float) -> tuple[float, float, float]:
        """Room for a number, room for a row with its number, and the size of its boxes."""
        numbered = not self.beside or any(label for label, _ in self.rows)
        number = NUMBER * style.body if numbered else 0.0
        wanted = natural(max((len(boxes.marked) for _, boxes in self.rows), default=1), style)
        size = min(1.0, (width - number) / wanted)
        return number, number + wanted * size, size

    def _across(self, style: Style, width: float) -> int:
        if not self.beside:
            return 1
        return max(1, int((width + style.body) // (self._measure(style, width)[1] + style.body)))

    def height(self, style: Style, width: float) -> float:
        return -(-len(self.rows) // self._across(style, width)) * style.line * 1.06

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body, across = pen.style.body, self._across(pen.style, width)
        number, wide, size = self._measure(pen.style, width)
        for place, (label, boxes) in enumerate(self.rows):
            left = x + place % across * (wide + body)
            upper = top - place // across * pen.style.line * 1.06
            pen.fit(left, upper - body, label, max(number - 0.5 * body, 1), body * 0.82, align="right", grey=SOFT)
            lower = (1 - size) * pen.style.line * 0.5
            boxes._replace(size=size).draw(pen, left + number, upper - lower, width * 2)

    def cell(self) -> Cell:
        return Cell(self.height, lambda pen, x, top, width, height: self.draw(pen, x, top, width))


class Tally(NamedTuple):
    """Plain boxes in groups of five, whole groups to a line."""

    names: tuple[str, ...]
    marked: tuple[bool, ...] = ()
    indent: float = 0.0
    """Room before the boxes, in ems."""

    def _lines(self, style: Style, width: float) -> Iterator[Boxes]:
        width -= self.indent * style.body
        groups = max((n for n in range(1, 13) if natural(5 * n, style) <= width), default=1)
        marked = self.marked or (False,) * len(self.names)
        for line in chunks(zip(marked, self.names, strict=True), 5 * groups):
            yield Boxes(tuple(mark for mark, _ in line), names=tuple(name for _, name in line))

    def _stack(self, style: Style, width: float) -> Stack:
        return Stack(tuple(self._lines(style, width)))

    def height(self, style: Style, width: float) -> float:
        return self._stack(style, width).height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        self._stack(pen.style, width).draw(pen, x + self.indent * pen.style.body, top, width)

    def cell(self) -> Cell:
        return Cell(self.height, lambda pen, x, top, width, height: self.draw(pen, x, top, width))


def _rule(style: Style) -> Drawing:
    """A hair line between stands."""
    tall = style.body * 0.5
    return Drawing(tall, lambda pen, x, top, width: pen.line(x, top - tall * 0.6, x + width, top - tall * 0.6, HAIR))


# ---------------------------------------------------------------- a stand in words


def details(stats: Stats) -> str:
    """What is to be known of a stand beyond its type: armour, gun, ordnance, the general it carries."""
    parts = [
        f"{stats.general} general" if stats.general else "",
        f"{stats.armour} armour" if stats.armour else "",
        "elephants" if stats.elephant else "",
        "after 1906" if stats.post_1906 else "",
        GUNS[stats.gun].name if stats.gun else "",
        "horse artillery" if stats.horse else "",
        "off the board" if stats.off_board else "",
        "guided weapons" if stats.guided else "",
        ORDNANCE[stats.ordnance].name if stats.ordnance else "",
    ]
    return ", ".join(part for part in parts if part).replace(" mm", f"{FIRM}mm")


def _reach(words: str, choices: int, path: str) -> tuple[Item, ...]:
    """Squares in words; the first ``choices`` of them, separated by commas, are for the player to tick."""
    parts = words.split(", ") if words else [NOTHING]
    ticks = [Item(part, (f"{path}.{number}",)) for number, part in enumerate(parts[:choices])]
    rest = re.sub(r" (?=\d)", FIRM, ", ".join(parts[choices:]))
    return (*ticks, *([Item(rest)] if rest else []))


def ranges(stats: Stats, path: str) -> tuple[Item, ...]:
    return _reach(weapon_range(stats), open_ranges(stats), f"{path}.range")


def moves(stats: Stats, path: str) -> tuple[Item, ...]:
    return _reach(move(stats), open_moves(stats), f"{path}.move")


def transport(stats: Stats, others: Iterable[Stats] = ()) -> str:
    """How a stand is carried: what it pays for, or the TNK among its ``others`` states."""
    if stats.transport:
        return {"soft": "soft motor", "animal": "animals", "none": "none"}[stats.transport]
    rides = stats.type in FOOT and any(other.type == "TNK" for other in others)
    return "own TNK" if rides else NOTHING


def strength_of(stats: Stats) -> str:
    """Strength at the start, for a type that the rulebook knows."""
    return str(strength(stats)) if stats.type in TYPES else NOTHING


class Stand(NamedTuple):
    """Some models of an entry that are printed together, and the number of the first."""

    job: Job
    entry: Entry
    first: int
    models: tuple[Model, ...]

    @property
    def element(self) -> Element:
        return self.entry.element  # type: ignore[return-value]

    @property
    def path(self) -> str:
        """What fields that are not a model's own are named by."""
        return self.models[0].path

    @property
    def name(self) -> str:
        last = self.first + len(self.models) - 1
        name = self.entry.name.strip() or "Unnamed stand"
        if self.entry.quantity == len(self.models):
            return name
        return f"{name}, {self.first}" if self.first == last else f"{name}, {self.first} to {last}"

    @property
    def routs_at(self) -> str:
        return str(self.entry.priced.facts.get("routs_at", NOTHING))

    @property
    def labels(self) -> tuple[str, ...]:
        """The models' numbers; nothing for the only one."""
        if self.entry.quantity == 1:
            return ("",)
        return tuple(str(self.first + number) for number in range(len(self.models)))

    @property
    def losses(self) -> Losses:
        return Losses(tuple(self._losses()))

    @property
    def boxes(self) -> tuple[Block, ...]:
        """The boxes of a stand that has any strength."""
        return (self.losses,) if self.losses.rows else ()

    def _losses(self) -> Iterator[tuple[str, Boxes]]:
        for track in self.job.tracks(self.element):
            for label, model in zip(self.labels, self.models, strict=True):
                names = tuple(f"{model.path}.{track.key}.{number}" for number in range(len(track.boxes)))
                yield label, Boxes(self.job.marked(track, model.mark), track.breaks_at, names)

    @property
    def sorties(self) -> Iterator[Flow]:
        """For aircraft: loads to use up, and turns to wait for its next pass."""
        if self.element.type != "AIR":
            return
        loads = LOADS.get(self.element.ordnance or "", 0)
        for label, model in zip(self.labels, self.models, strict=True):
            names = tuple(f"{model.path}.load.{number}" for number in range(loads))
            turns = tuple(f"{model.path}.away.{number}" for number in range(TURNS_AWAY))
            used = [Item("loads used" if loads > 1 else "load used", names)] if loads else []
            numbered = [Item(label, bold=True)] if label else []
            yield Flow((*numbered, *used, Item("turns away,", turns), Item("then back on a 6")))

    @property
    def states(self) -> Iterator[State]:
        for number, other in enumerate(self.element.duplicates):
            yield State(other, other.quantity, f"{self.path}.state.{number}")


class State(NamedTuple):
    """Another state of a stand."""

    stats: Stats
    quantity: int
    path: str

    @property
    def name(self) -> str:
        stands = f"or {self.quantity} stands" if self.quantity != 1 else "or"
        kind = TYPES[self.stats.type].name.lower() if self.stats.type in TYPES else ""
        return f"{stands}: {details(self.stats) or kind or 'as written'}"


def stands(job: Job, number: int, together: int) -> Iterator[Stand]:
    """The stands of a formation, so many models of an entry at a time; nothing that is bought without a stand."""
    for entry in job.entries(number):
        if entry.element.type not in PURCHASES:  # type: ignore[attr-defined]
            for chunk, models in enumerate(chunks(entry.models, together)):
                yield Stand(job, entry, 1 + chunk * together, models)


# ---------------------------------------------------------------- the army record: stands


def record(job: Job) -> Iterator[Section]:
    """The army at the table: every stand's boxes, its generals, its morale."""
    groups = _blank_record(job) if job.blank else _record(job)
    yield Section("Army record", groups)


def _record(job: Job) -> Iterator[Group]:
    columns = _columns(job)
    for number, formation, priced in job.formations():
        title = formation.name or job.words.formation
        worth = f"{job.amount(priced.points)} {job.points}" if job.points and priced.points is not None else ""
        heading = Heading(title, worth, 1.15)
        head = Stack((heading, Heads(columns))) if is_wide(job) else heading
        yield Group(_formation(job, columns, number), head, title)
    yield _generals(job)
    yield _morale(job)


def _formation(job: Job, columns: tuple[Column, ...], number: int) -> Iterator[Block]:
    for stand in stands(job, number, ROWS_TOGETHER):
        yield from _rows(job, columns, stand) if is_wide(job) else _panel(job, stand)
    for entry in job.entries(number):
        if entry.element.type in PURCHASES:  # type: ignore[attr-defined]
            yield from _purchase(job, columns, entry)
    yield Space(0.6)


def _most_boxes(job: Job) -> int:
    """The most boxes that a stand of this army has, and ten at least."""
    if job.blank:
        return BLANK_BOXES
    formations = job.appraisal.formations
    return max((e.facts.get("strength", 0) for priced in formations for e in priced.elements), default=0)


def _columns(job: Job) -> tuple[Column, ...]:
    """The columns of the wide record; the name has what the others leave."""
    style, em = job.style, job.style.body
    boxes = min(natural(max(10, _most_boxes(job)), style), 14 * em) + NUMBER * em
    spans = {"type": 3.4, "strength": 3.6, "routs": 2.6, "range": 6.4, "move": 9.2, "transport": 4.6}
    wide = {key: em * ems_wide + 6 for key, ems_wide in spans.items()}
    rest = frame_width(job) - boxes - 6
    for span in wide.values():
        rest -= span
    return (
        Column("Stand", rest, bold=True),
        Column("Type", wide["type"]),
        Column("Strength", wide["strength"], "centre", bold=True),
        Column("Strength lost; draw the bar" if job.blank else "Strength lost; at the bar it routs", boxes + 6),
        Column("Routs at", wide["routs"], "centre"),
        Column("Range", wide["range"]),
        Column("Move", wide["move"]),
        Column("Transport", wide["transport"]),
    )


def _titled(name: str, below: str) -> Cell:
    """A name, and smaller words below it."""

    def blocks(style: Style, width: float) -> tuple[float, float]:
        upper = fit_text(name, width, style.body, 2, True).height
        lower = fit_text(below, width, style.body * 0.82, 3).height if below else 0.0
        return upper, lower

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.lines(x, top, fit_text(name, width, pen.style.body, 2, True), bold=True)
        if below:
            upper, _ = blocks(pen.style, width)
            pen.lines(x, top - upper, fit_text(below, width, pen.style.body * 0.82, 3), grey=0.25)

    def tall(style: Style, width: float) -> float:
        upper, lower = blocks(style, width)
        return upper + lower

    return Cell(tall, paint)


def _rows(job: Job, columns: tuple[Column, ...], stand: Stand) -> Iterator[Block]:
    """A stand as rows of the wide table, its other states below."""
    element, states = stand.element, tuple(stand.states if stand.first == 1 else ())
    cells = (
        _titled(stand.name, details(element)),
        element.type or NOTHING,
        strength_of(element),
        stand.losses._replace(beside=False).cell(),
        stand.routs_at,
        Flow(ranges(element, stand.path)).cell(),
        Flow(moves(element, stand.path)).cell(),
        Flow((Item(transport(element, element.duplicates)),)).cell(),
    )
    sorties = tuple(stand.sorties)
    own = [Row(columns, cells, rule=0 if states or sorties else HAIR)]
    below = [_state_row(columns, state, number + 1 == len(states)) for number, state in enumerate(states)]
    flown: list[Block] = [*sorties, _rule(job.style)] if sorties else []
    yield Stack((*own, *flown, *below[:STATES_TOGETHER]))
    yield from below[STATES_TOGETHER:]


def _state_row(columns: tuple[Column, ...], state: State, last: bool) -> Row:
    plain = tuple(column._replace(bold=False) for column in columns)
    apiece = " each" if state.quantity != 1 else ""
    cells = (
        Flow((Item(state.name),)).cell(),
        state.stats.type or NOTHING,
        strength_of(state.stats) + apiece,
        "",
        "",
        Flow(ranges(state.stats, state.path)).cell(),
        Flow(moves(state.stats, state.path)).cell(),
        Flow((Item(transport(state.stats)),)).cell(),
    )
    return Row(plain, cells, rule=HAIR if last else 0)


def _panel(job: Job, stand: Stand) -> Iterator[Block]:
    """A stand on a narrow page: name and numbers, boxes, then what it has."""
    element, states = stand.element, tuple(stand.states if stand.first == 1 else ())
    aside = f"{element.type or NOTHING} · strength {strength_of(element)} · routs at {stand.routs_at}"
    own = (
        Heading(stand.name, aside, 1.0, rule=False),
        *stand.boxes,
        Flow(tuple(_equipment(element, stand.path, element.duplicates))),
        *stand.sorties,
    )
    below = [Flow(tuple(_state_items(state))) for state in states]
    yield Stack((*own, *below[:STATES_TOGETHER]))
    yield from below[STATES_TOGETHER:]
    yield _rule(job.style)


def _equipment(stats: Stats, path: str, others: Iterable[Stats] = ()) -> Iterator[Item]:
    """Range, move and transport, each with its label, and the rest."""
    yield from (Item("Range", bold=True), *ranges(stats, path))
    yield from (Item("Move", bold=True), *moves(stats, path))
    if transport(stats, others) != NOTHING:
        yield from (Item("Transport", bold=True), Item(transport(stats, others)))
    if details(stats):
        yield Item(details(stats))


def _state_items(state: State) -> Iterator[Item]:
    stands = f"or {state.quantity} stands" if state.quantity != 1 else "or"
    yield Item(f"{stands} {state.stats.type or NOTHING}", bold=True)
    yield Item(f"strength {strength_of(state.stats)}")
    yield from _equipment(state.stats, state.path)


def _purchase(job: Job, like: tuple[Column, ...], entry: Entry) -> Iterator[Block]:
    """Field works or shared transport: a box for each, below the boxes of the stands."""
    code = entry.element.type  # type: ignore[attr-defined]
    what = {"WORKS": "squares, double cover", "TRANSPORT": "vehicles, for any stand"}[code]
    name, wide = entry.name.strip() or PURCHASES[code][0].split(",")[0], is_wide(job)
    before = (like[0].share, like[1].share + like[2].share)
    shares = (*before, frame_width(job) - before[0] - before[1]) if wide else (17, 8, 25)
    columns = tuple(Column("", share) for share in shares)
    for models in chunks(entry.models, SQUARES_TOGETHER):
        boxes = Tally(tuple(f"{model.path}.used.0" for model in models), indent=NUMBER if wide else 0)
        yield Row(columns, (_titled(name, f"{entry.quantity} {what}"), code, boxes.cell()))


# ---------------------------------------------------------------- the army record: generals


def _generals(job: Job) -> Group:
    """Each general with what it adds to the die for initiative, and the command distance."""
    columns = _general_columns(job)
    heading = Heading("Generals", "D6 for initiative each round", 1.15)
    return Group(_general_rows(job, columns), Stack((heading, Heads(columns))), "Generals")


def _general_columns(job: Job) -> tuple[Column, ...]:
    command = (Column(job.words.formation, 11),) if is_wide(job) else ()
    return (
        Column("General", 11, bold=True),
        *command,
        Column("Rating", 7),
        Column("Initiative", 5.5, "centre", bold=True),
        Column("Lost", 7),
    )


def _general_rows(job: Job, columns: tuple[Column, ...]) -> Iterator[Block]:
    found = False
    for number, formation in enumerate(job.document.formations):
        for entry in job.entries(number):
            element: Element = entry.element  # type: ignore[assignment]
            if element.general and element.type not in PURCHASES:
                for models in chunks(entry.models, SQUARES_TOGETHER):
                    found = True
                    yield _general_row(job, columns, entry, models, formation.name)
    if not found:
        yield Row(columns, tuple(written(f"general.c{n}") for n in range(len(columns))), least=1.7)
    choices = (Item("2 squares", ("command.2",)), Item("4 squares, with radio", ("command.4",)))
    yield Flow((Item("Command distance", bold=True), *choices), 1.0)
    yield Space(0.6)


def _general_row(job: Job, columns: tuple[Column, ...], entry: Entry, models: tuple[Model, ...], command: str) -> Row:
    element: Element = entry.element  # type: ignore[assignment]
    rating = element.general or ""
    lost = Tally(
        tuple(f"{model.path}.general.0" for model in models),
        tuple(_is_lost(job, element, model) for model in models),
    )
    commands = (command,) if is_wide(job) else ()
    die = INITIATIVE[rating].replace("-", "−")
    return Row(columns, (entry.name, *commands, rating.capitalize(), die, lost.cell()))


def _is_lost(job: Job, element: Element, model: Model) -> bool:
    """Whether the marks that are printed leave a model without strength."""
    tracks = job.tracks(element)
    return bool(tracks) and all(job.marked(tracks[0], model.mark))


# ---------------------------------------------------------------- the army record: morale

Thresholds = Mapping[int, tuple[int, int]]
"""By how many stands are lost: the share of the army in per cent, and the highest die on which it retreats."""


def thresholds(job: Job) -> Thresholds:
    """Where an army rolls; where several shares are the same number of stands, the worst of them."""
    return {lost: (percent, die) for percent, lost, die in job.appraisal.facts.get("army_morale", ())}


def retreats(die: int) -> str:
    return "always" if die >= 6 else "1" if die == 1 else f"1–{die}"


class Track(NamedTuple):
    """A line of the morale track: boxes for the stands lost from ``first`` to ``last``, bars where to roll."""

    first: int
    last: int
    lost: int
    where: Thresholds

    @classmethod
    def across(cls, style: Style, width: float) -> int:
        """Boxes in a line: whole groups of five."""
        return 5 * max(1, int((width / style.body - LABELS + GROUPS) // (5 * PITCH + GROUPS)))

    def height(self, style: Style, width: float) -> float:
        return style.body * (4.9 if self.where else 2.5)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body, small = pen.style.body, pen.style.small
        pen.text(x, top - 1.45 * body, "Stands lost", small)
        if self.where:
            pen.text(x, top - 3.05 * body, "Share lost", small, grey=0.25)
            pen.text(x, top - 4.1 * body, "Retreats on", small, bold=True)
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
            pen.fit(left, bottom - 0.95 * body, f"{percent} %", room, body * 0.75, align="centre", grey=0.25)
            pen.fit(left, bottom - 2 * body, retreats(die), room, body * 0.9, align="centre", bold=True)


def _morale(job: Job) -> Group:
    """The army's morale track, or a table where it would be too long."""
    where = thresholds(job)
    stands = job.appraisal.quantity
    title = f"{stands} {job.words.elements.lower()}" if stands else ""
    head = Stack((Heading("Army morale", title, 1.15), Prose(EACH_THRESHOLD, 0.9), Space(0.3)))
    last = max(where, default=0)
    if not last:
        return Group(_morale_table(job), head, "Army morale")
    blocks = _morale_track(job, where, last) if last <= MOST_TRACKED else _morale_table(job)
    return Group(blocks, head, "Army morale")


def _morale_track(job: Job, where: Thresholds, last: int) -> Iterator[Block]:
    across, lost = Track.across(job.style, frame_width(job)), _lost(job)
    for first in range(1, last + 1, across):
        line = range(first, min(first + across, last + 1))
        yield Track(first, line[-1], lost, {number: where[number] for number in line if number in where})


def _lost(job: Job) -> int:
    """Stands that the printed marks leave without strength, in the whole army."""
    if not job.settings.marks:
        return 0
    elements = [element for formation in job.document.formations for element in formation.elements]
    pairs = ((element, mark) for element in elements for mark in element.marks[: element.quantity])
    return len([None for element, mark in pairs if _is_lost(job, element, Model("", mark, ""))])


MORALE = (
    Column("Share lost", 3, bold=True),
    Column("Stands", 4),
    Column("Retreats on a D6 of", 5),
    Column("Rolled", 2),
)


def _morale_table(job: Job) -> Iterator[Block]:
    """The thresholds in rows; the stands are to be written in where the army has none."""
    known = {row[2]: str(row[1]) for row in job.appraisal.facts.get("army_morale", ())}
    yield Heads(MORALE)
    for die in range(1, 7):
        count_of = known.get(die) or written(f"army.stands.{die}")
        rolled = Boxes((False,), names=(f"army.rolled.{die}",)).cell()
        yield Row(MORALE, (f"{10 * die} %", count_of, retreats(die), rolled), least=1.4)
    if known:
        yield Blank("Stands lost so far:", "army.lost")


# ---------------------------------------------------------------- the army record: blank


def _blank_record(job: Job) -> Iterator[Group]:
    heading = Stack((Blank(f"{job.words.formation}:", "command", 1.1), Space(0.4)))
    columns = _columns(job)
    if is_wide(job):
        yield Group((_blank_row(columns, n) for n in range(BLANK_ROWS)), Stack((heading, Heads(columns))))
    else:
        yield Group((_blank_panel(job.style, n) for n in range(BLANK_ROWS // 2)), heading)
    yield Group(_blank_purchases())
    columns = _general_columns(job)
    generals = Stack((Space(0.6), Heading("Generals", "D6 for initiative each round", 1.15), Heads(columns)))
    yield Group(_general_rows(job, columns), generals)
    across = Track.across(job.style, frame_width(job))
    firsts = range(1, BLANK_LOSSES + 1, across)
    lines = (Track(first, min(first + across - 1, BLANK_LOSSES), 0, {}) for first in firsts)
    text = Prose(EACH_THRESHOLD, 0.9)
    yield Group(chain(lines, _morale_table(job)), Stack((Heading("Army morale", "", 1.15), text, Space(0.3))))


def _blank_losses(path: str) -> Losses:
    names = tuple(f"{path}.strength.{number}" for number in range(BLANK_BOXES))
    return Losses((("", Boxes((False,) * BLANK_BOXES, names=names)),))


def _blank_row(columns: tuple[Column, ...], number: int) -> Row:
    path = f"blank{number}"
    boxes = _blank_losses(path)

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes.draw(pen, x, top - (height - boxes.height(pen.style, width)) / 2, width)

    cells = [written(f"{path}.c{column}") for column in range(len(columns))]
    cells[3] = Cell(boxes.height, paint)
    return Row(columns, tuple(cells), least=1.9)


def _blank_panel(style: Style, number: int) -> Stack:
    path = f"blank{number}"
    facts, gear = (
        Row(
            (Column("", 1),) * 3,
            tuple(_blank_cell(label, f"{path}.{label.lower()}") for label in labels),
            rule=0,
        )
        for labels in (("Type", "Strength", "Routs at"), ("Range", "Move", "Transport"))
    )
    return Stack((Blank("Stand:", f"{path}.name"), facts, _blank_losses(path), gear, _rule(style)))


def _blank_purchases() -> Iterator[Row]:
    columns = (Column("", 12, bold=True), Column("", 38))
    for code, (name, _) in PURCHASES.items():
        boxes = Tally(tuple(f"{code.lower()}.used.{number}" for number in range(20)))
        yield Row(columns, (name.split(",")[0], boxes.cell()), least=1.4)


def _blank_cell(label: str, name: str) -> Cell:
    line = Blank(f"{label}:", name)
    return Cell(line.height, lambda pen, x, top, width, height: line.draw(pen, x, top, width))


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
        small, content = self._fitting(pen, inner, room)
        content.draw(small, x + pad, top - pad, inner)
        self._notes(small, x + pad, top - pad - content.height(small.style, inner), inner, top - pad - room)
        self._foot(pen, x + pad, top - tall + pad, inner)

    def _fitting(self, pen: Pen, width: float, room: float) -> tuple[Pen, Stack]:
        """A pen of the largest size at which everything fits, and the content."""
        small = copy(pen)
        for percent in range(100, 35, -5):
            small.style = pen.style._replace(body=pen.style.body * percent / 100)
            content = Stack(tuple(self._content(small.style, width)))
            if content.height(small.style, width) <= room:
                break
        return small, content

    def _content(self, style: Style, width: float) -> Iterator[Block]:
        if self.stand is None:
            yield from self._blank()
            return
        stand, element = self.stand, self.stand.element
        name = fit_text(stand.name, width, style.body * 1.2, 2, True)
        yield Drawing(name.height, lambda pen, x, top, wide: pen.lines(x, top, name, bold=True, accent=True))
        kind = TYPES[element.type].name if element.type in TYPES else "Not in the rulebook"
        yield Flow((Item(element.type or NOTHING, bold=True), Item(kind)), 1.0)
        yield _rule(style)
        yield Flow((Item(f"Strength {strength_of(element)}", bold=True), Item(f"routs at {stand.routs_at}")), 1.0)
        yield from stand.boxes
        yield Space(0.25)
        yield from self._has()
        yield from stand.sorties
        yield from self._states(style)

    def _has(self) -> Iterator[Block]:
        """Range, move, transport and the rest, a line each."""
        stand, element = self.stand, self.stand.element  # type: ignore[union-attr]
        yield Flow((Item("Range", bold=True), *ranges(element, stand.path)))  # type: ignore[union-attr]
        yield Flow((Item("Move", bold=True), *moves(element, stand.path)))  # type: ignore[union-attr]
        carried = transport(element, element.duplicates)
        if carried != NOTHING:
            yield Flow((Item("Transport", bold=True), Item(carried)))
        if element.general:
            die = INITIATIVE[element.general].replace("-", "−")
            yield Flow((Item("Initiative", bold=True), Item(die)))
        if details(element):
            yield Flow((Item(details(element)),))

    def _states(self, style: Style) -> Iterator[Block]:
        states = list(islice(self.stand.states, STATES_TOGETHER + 1)) if self.stand else []
        for state in states[:STATES_TOGETHER]:
            yield _rule(style)
            yield Flow(tuple(_state_items(state)))
        if len(states) > STATES_TOGETHER:
            yield Words("More states stand in the record.", 0.82, grey=0.25)

    def _blank(self) -> Iterator[Block]:
        path = f"card{self.number}"
        yield Blank("Stand:", f"{path}.stand")
        for label in ("Type", "Strength", "Routs at"):
            yield Blank(f"{label}:", f"{path}.{label.lower()}")
        yield _blank_losses(path)
        for label in ("Range", "Move", "Transport", "Notes"):
            yield Blank(f"{label}:", f"{path}.{label.lower()}")
        yield Blank("", f"{path}.notes2")

    def _notes(self, pen: Pen, x: float, top: float, width: float, bottom: float) -> None:
        """As much of the notes as the card has room for."""
        size = pen.style.small
        lines = int((top - bottom - size * 0.5) // (size * 1.22))
        notes = self.stand.element.notes if self.stand else ""
        if lines > 0 and notes.strip():
            text = fit_text(" ".join(notes.split()), width, size, lines)
            pen.lines(x, top - size * 0.5, text, grey=0.25)

    def _foot(self, pen: Pen, x: float, y: float, width: float) -> None:
        """The command, and points."""
        if self.stand is None:
            return
        job, priced = self.stand.job, self.stand.entry.priced
        worth = f"{job.amount(priced.each)} {job.points}" if job.points and priced.each is not None else ""
        size = pen.style.small
        pen.line(x, y + size * 1.2, x + width, y + size * 1.2, HAIR)
        pen.fit(x, y, self.command, width * (0.6 if worth else 1), size, grey=0.25)
        pen.fit(x + width * 0.62, y, worth, width * 0.38, size, align="right", bold=True)


def cards(job: Job) -> Iterator[Grid]:
    """Stand cards: one for each entry, and more where it has many models."""
    yield Grid("Stand cards", _cards(job), cell=CARD, gap=0)


def _cards(job: Job) -> Iterator[tuple[str, Block]]:
    if job.blank:
        yield from (("", Card(None, number=number)) for number in range(9))
    for number, formation, _ in job.formations():
        for stand in stands(job, number, CARD_ROWS):
            yield formation.name, Card(stand, formation.name)


# ---------------------------------------------------------------- the list

SHEETS = (
    ROSTER,
    Sheet("record", "Army record", "Strength boxes of every stand, generals, the army-morale track.", record),
    Sheet("cards", "Stand cards", "63 × 88 mm, one for each stand or for stands that are alike.", cards, never),
    REFERENCE,
)
