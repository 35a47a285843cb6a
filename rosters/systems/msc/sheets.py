"""The sheets of Minimal Space Combat: the forms of the rulebook, compact records, hex map, counters, solo tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from math import cos, pi, sin, sqrt
from typing import ClassVar, NamedTuple, cast

from rosters.core.messages import _
from rosters.pdf.blocks import Block, Column, Drawing, Heading, Paragraph, Row, Space, Stack, TableHead, fill_in_cell
from rosters.pdf.canvas import HAIR, LINE, MM, Pen, Style
from rosters.pdf.fonts import BOLD
from rosters.pdf.job import Choice, Job, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.systems.msc.rules import ENGINE, MAX_STAT, SHIELD, SIDES, STRATEGIC, TO_HIT, Element, Mark
from rosters.systems.msc.tables import SOLO_COLUMNS, SOLO_MOVEMENT, SOLO_TARGETS, TARGET_NAMES

TURNS, TURNS_PER_BLOCK, COMPACT_TURNS = 30, 15, 10
ROWS_PER_PAGE = 15
"""Of the Fleet Control Sheet and the Production Control Sheet."""
MANY_SHIPS = 12
"""With more ships, the pack has compact records instead of Ship Turn Records."""
DIAGRAM_WIDTH = 130
"""The least width in units of a record with its weapons around a ship; a narrower one has them in a row."""

CHOICES = {
    "weapons": Choice(_("Weapon ovals"), {"row": _("In a row, as in the rulebook"), "diagram": _("Around a ship")}),
    "counters": Choice(_("Counter size"), {str(n): _("{n} mm").format(n=n) for n in (20, 15, 25, 30)}),
    "hexes": Choice(_("Hex size"), {str(n): _("{n} mm").format(n=n) for n in (12, 15, 20, 25)}),
}


class PrintedShip(NamedTuple):
    """One ship to print; ``element`` is None on a blank form. ``path`` is the prefix of its form fields."""

    element: Element | None = None
    name: str = ""
    unit: int = 0
    path: str = ""
    mark: Mark | None = None
    fleet: str = ""

    def is_filled(self, oval: Oval) -> bool:
        """Whether an oval is filled in: it was not bought, or it is lost to damage."""
        if self.element is None:
            return False
        if oval.track == "weapons":
            return oval.box not in self.element.weapons or (self.mark is not None and oval.box in self.mark.weapons)
        lost = getattr(self.mark, oval.track) if self.mark else 0
        return bool(oval.box >= getattr(self.element, oval.track) - lost)

    @property
    def other_weapons(self) -> str:
        """The weapons without an oval: in the rear, on unknown sides, or a second one on a side."""
        weapons = list(self.element.weapons) if self.element else []
        for side in SIDES:
            if side in weapons:
                weapons.remove(side)
        return " ".join(weapons)


def ships(job: Job, blanks: int) -> Iterator[PrintedShip]:
    """Every ship to print, numbered through the roster; ``blanks`` empty ones for a blank sheet."""
    if job.blank:
        yield from (PrintedShip(path=f"blank{number}") for number in range(blanks))
        return
    units = count(1)
    chosen = {number for number, _formation, _priced in job.formations()}
    for f, fleet in enumerate(job.document.formations):
        for entry in job.entries(f):
            for model in entry.models:
                unit = next(units)
                if f in chosen:
                    mark = cast(Mark | None, model.mark) if job.options.marks else None
                    yield PrintedShip(cast(Element, entry.element), model.name, unit, model.path, mark, fleet.name)


# ---------------------------------------------------------------- records


class Oval(NamedTuple):
    """An oval of a record: its track, its box (a number, or a side), and its lower left corner."""

    track: str
    box: int | str
    x: float
    y: float


@dataclass(frozen=True)
class Form(ABC):
    """A blank record. Lengths in points from its upper left corner, y upwards; most are given in units."""

    oval_size: ClassVar[tuple[float, float]]
    """Width and height in units."""
    oval_line: ClassVar[float]
    engine_ovals: int
    diagram: bool
    style: Style
    width: float

    @property
    def unit(self) -> float:
        """A millimeter at the usual size of text."""
        return MM * self.style.body / 9

    @property
    @abstractmethod
    def height(self) -> float: ...

    @abstractmethod
    def stat(self, row: int, number: int) -> tuple[float, float]:
        """The lower left corner of an oval of ENGINE (row 0) or SHIELD (row 1)."""

    @abstractmethod
    def weapon(self, place: int) -> tuple[float, float]:
        """The lower left corner of the oval of a side by its place in SIDES."""

    @abstractmethod
    def draw_blank(self, pen: Pen) -> None:
        """Draw the form with open ovals."""

    @abstractmethod
    def draw_ship(self, pen: Pen, ship: PrintedShip, element: Element) -> None:
        """Write the name, number, TO-HIT and odd values of a ship."""

    @abstractmethod
    def fields(self) -> Iterator[tuple[str, float, float, float, float]]:
        """The text fields of the turns: name, lower left corner, width and height."""

    def ovals(self) -> Iterator[Oval]:
        for row, (stat, number) in enumerate((("engine", self.engine_ovals), ("shield", MAX_STAT))):
            yield from (Oval(stat, box, *self.stat(row, box)) for box in range(number))
        for place, side in enumerate(SIDES):
            yield Oval("weapons", side, *self.weapon(place))

    def draw_ovals(self, pen: Pen, ovals: Iterable[Oval], *, filled: bool = False) -> None:
        wide, tall = (side * self.unit for side in self.oval_size)
        for oval in ovals:
            pen.oval(oval.x, oval.y, wide, tall, fill=1 if filled else None, line=self.oval_line)


class Record(NamedTuple):
    """The record of a ship on its form."""

    ship: PrintedShip
    form: Callable[[Style, float], Form]

    def height(self, style: Style, width: float) -> float:
        return self.form(style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        form, ship = self.form(pen.style, width), self.ship
        ovals = [*form.ovals()]
        filled = [oval for oval in ovals if ship.is_filled(oval)]
        key = f"{type(form).__name__}-{round(width)}-{form.engine_ovals}-{form.diagram}"
        with pen.transformed(x, top):
            # Large fleets repeat the blank form and the patterns of filled ovals, so each is in the file once.
            pen.draw_cached(key, 0, 0, lambda: form.draw_blank(pen))
            if filled:
                pattern = "-".join(f"{oval.track}.{oval.box}" for oval in filled)
                pen.draw_cached(f"{key}-{pattern}", 0, 0, lambda: form.draw_ovals(pen, filled, filled=True))
            if ship.element is not None:
                form.draw_ship(pen, ship, ship.element)
            if pen.style.fillable:
                wide, tall = (side * form.unit for side in form.oval_size)
                for oval in ovals:
                    if oval not in filled:
                        pen.check(f"{ship.path}.{oval.track}.{oval.box}", oval.x, oval.y, wide, tall)
                for name, left, bottom, across, down in form.fields():
                    pen.field(f"{ship.path}.{name}", left, bottom, across, down)
                if ship.element is None:
                    pen.field(f"{ship.path}.name", 19 * form.unit, -11.3 * form.unit, width / 2, 5 * form.unit)


class TurnRecord(Form):
    """The Ship Turn Record of the rulebook, turns 1 to 30 in two blocks."""

    oval_size = (6.0, 3.6)
    oval_line = LINE

    @property
    def left(self) -> float:
        return 19 * self.unit

    @property
    def around(self) -> bool:
        """Whether the ovals of the weapons are around a ship."""
        return self.diagram and self.width >= DIAGRAM_WIDTH * self.unit

    @property
    def table(self) -> float:
        """The top of the turns."""
        return -41 * self.unit

    @property
    def row(self) -> float:
        return 5.3 * self.unit

    @property
    def height(self) -> float:
        return (TURNS_PER_BLOCK + 1) * self.row + 3 * self.unit - self.table

    def stat(self, row: int, number: int) -> tuple[float, float]:
        return self.left + number * 8.2 * self.unit, (-17.6 - row * 6.4) * self.unit

    def weapon(self, place: int) -> tuple[float, float]:
        wide, tall = self.oval_size
        if not self.around:
            step = min(16 * self.unit, (self.width - self.left - 13 * self.unit) / 4)
            return self.left + 6.5 * self.unit + place * step, -36.8 * self.unit
        right, up = ((0, 9.5), (-13, 4.5), (13, 4.5), (-13, -5.5), (13, -5.5))[place]
        return self.width + (right - 26 - wide / 2) * self.unit, (up - 25.5 - tall / 2) * self.unit

    def columns(self, block: int) -> tuple[float, float, float, float]:
        """The left edges of Turn, Speed and Move in a block of turns, and its right edge."""
        half = (self.width - 6 * self.unit) / 2
        start = block * (half + 6 * self.unit)
        return start, start + 11 * self.unit, start + 28 * self.unit, start + half

    def draw_blank(self, pen: Pen) -> None:
        unit, body = self.unit, pen.style.body
        pen.text(0, -4 * unit, _("Ship Turn Record"), body * 1.2, face=BOLD, ink="deep")
        pen.text(0, -10.5 * unit, _("Ship Name:"))
        pen.line(self.left, -11.3 * unit, self.width - 34 * unit, -11.3 * unit, HAIR)
        pen.text(self.width - 30 * unit, -10.5 * unit, _("Unit #"))
        pen.line(self.width - 19 * unit, -11.3 * unit, self.width, -11.3 * unit, HAIR)
        for row, label in enumerate((_("ENGINE:"), _("SHIELD:"))):
            pen.text(0, self.stat(row, 0)[1] + 0.9 * unit, label, face=BOLD)
        pen.text(0, -30.2 * unit, _("TO-HIT:"), face=BOLD)
        pen.line(self.left, -31 * unit, self.left + 14 * unit, -31 * unit, HAIR)
        pen.text(0, -36.3 * unit, _("Weapons:"), face=BOLD)
        if self.around:
            pen.text(self.left, -36.3 * unit, _("around the ship, on the right"), pen.style.small, ink="soft")
            _draw_hull(pen, self.width - 26 * unit, -25.5 * unit, 7.5 * unit)
        for place, side in enumerate(SIDES):
            x, y = self.weapon(place)
            if self.around and side in ("FR", "RR"):  # their labels are outside, away from the ship
                pen.text(x + (self.oval_size[0] + 1.2) * unit, y + 0.9 * unit, side)
            else:
                pen.text(x - 1.2 * unit, y + 0.9 * unit, f"{side}:", align="right")
        self.draw_ovals(pen, self.ovals())
        self._draw_turns(pen)

    def _draw_turns(self, pen: Pen) -> None:
        top, row = self.table, self.row
        bottom = top - (TURNS_PER_BLOCK + 1) * row
        for block in (0, 1):
            turn, speed, move, end = self.columns(block)
            pen.shade(turn, top - row, end - turn, row)
            for x, head in ((turn, _("Turn")), (speed, _("Speed")), (move, _("Move"))):
                pen.text(x + self.unit, top - 0.7 * row, head, pen.style.small, face=BOLD)
            for number in range(1, TURNS_PER_BLOCK + 1):
                y = top - (number + 1) * row
                label = str(block * TURNS_PER_BLOCK + number)
                pen.text(turn + 8 * self.unit, y + 0.28 * row, label, align="right")
                pen.line(turn, y, end, y, HAIR)
            for x in (turn, speed, move, end):
                pen.line(x, top, x, bottom, HAIR)

    def draw_ship(self, pen: Pen, ship: PrintedShip, element: Element) -> None:
        unit, left = self.unit, self.left
        pen.fit(left, -10.5 * unit, ship.name, self.width - 34 * unit - left, face=BOLD)
        pen.text(self.width - 18 * unit, -10.5 * unit, str(ship.unit), face=BOLD)
        pen.fit(left + 2 * unit, -30.2 * unit, str(element.to_hit), 12 * unit, face=BOLD)
        for row, (value, ovals) in enumerate(((element.engine, self.engine_ovals), (element.shield, MAX_STAT))):
            if not 0 <= value <= ovals:
                x, y = self.stat(row, ovals)
                pen.fit(x, y + 0.9 * unit, _("Value: {value}").format(value=value), 24 * unit, pen.style.small)
        if ship.other_weapons:
            text = _("Other weapons: {sides}").format(sides=ship.other_weapons)
            pen.fit(left + 20 * unit, -30.2 * unit, text, 40 * unit, pen.style.small)

    def fields(self) -> Iterator[tuple[str, float, float, float, float]]:
        for turn in range(TURNS):
            _turn, speed, move, end = self.columns(turn // TURNS_PER_BLOCK)
            y = self.table - (turn % TURNS_PER_BLOCK + 2) * self.row
            yield f"speed.{turn + 1}", speed, y, move - speed, self.row
            yield f"move.{turn + 1}", move, y, end - move, self.row


def _draw_hull(pen: Pen, x: float, y: float, size: float) -> None:
    """A hex around (x, y) and in it a ship, its bow up."""
    hexagon = [(x + size * sin(n * pi / 3 + pi / 6), y + size * cos(n * pi / 3 + pi / 6)) for n in range(6)]
    pen.outline(hexagon, line=HAIR)
    _draw_arrow(pen, x, y, size * 0.34, size * 0.72, size * 0.43)


def _draw_arrow(pen: Pen, x: float, y: float, beam: float, bow: float, stern: float) -> None:
    pen.outline([(x, y + bow), (x + beam, y - stern), (x, y - stern / 2), (x - beam, y - stern)])


class CompactRecord(Form):
    """A small record with the orders of ten turns."""

    oval_size = (5.2, 3.2)
    oval_line = HAIR * 1.4

    @property
    def height(self) -> float:
        return 37 * self.unit

    def stat(self, row: int, number: int) -> tuple[float, float]:
        return (14 + number * 6.6) * self.unit, (-12.2 - row * 5.2) * self.unit

    def weapon(self, place: int) -> tuple[float, float]:
        return (18 + place * 14.5) * self.unit, -22.6 * self.unit

    def draw_blank(self, pen: Pen) -> None:
        unit, small = self.unit, pen.style.small
        pen.rect(0, -36.4 * unit, self.width, 36 * unit, radius=1.5 * unit, line=HAIR)
        pen.line(1.5 * unit, -6.6 * unit, self.width - 1.5 * unit, -6.6 * unit, HAIR)
        for row, stat in enumerate((ENGINE, SHIELD)):
            pen.text(1.5 * unit, self.stat(row, 0)[1] + 0.8 * unit, stat, small, face=BOLD)
        pen.text(self.width - 26 * unit, -11.4 * unit, TO_HIT, small, face=BOLD)
        pen.text(1.5 * unit, -21.8 * unit, _("Weapons"), small, face=BOLD)
        for place, side in enumerate(SIDES):
            x, y = self.weapon(place)
            pen.text(x - 0.8 * unit, y + 0.8 * unit, side, small, align="right")
        self.draw_ovals(pen, self.ovals())
        tiny = pen.style.body * 0.62
        pen.text(1.5 * unit, -29.6 * unit, _("Speed"), tiny)
        pen.text(1.5 * unit, -34.2 * unit, _("Move"), tiny)
        for name, x, y, wide, tall in self.fields():
            pen.rect(x, y, wide, tall, line=HAIR)
            track, _dot, turn = name.partition(".")
            if track == "speed":
                pen.text(x + wide / 2, -26 * unit, turn, tiny, align="centre", ink="soft")

    def draw_ship(self, pen: Pen, ship: PrintedShip, element: Element) -> None:
        unit, width = self.unit, self.width
        pen.fit(1.5 * unit, -5 * unit, ship.name, width - 16 * unit, face=BOLD)
        pen.fit(width - 13.5 * unit, -5 * unit, f"# {ship.unit}", 12 * unit, align="right")
        pen.fit(width - 13 * unit, -11.4 * unit, str(element.to_hit), 11 * unit, face=BOLD)
        if ship.other_weapons:
            text = _("also {sides}").format(sides=ship.other_weapons)
            pen.fit(width - 26 * unit, -16.6 * unit, text, 24 * unit, pen.style.small)

    def fields(self) -> Iterator[tuple[str, float, float, float, float]]:
        wide, tall = (self.width - 13 * self.unit) / COMPACT_TURNS, 4.6 * self.unit
        for turn in range(COMPACT_TURNS):
            for row, track in enumerate(("speed", "move")):
                x, y = 12 * self.unit + turn * wide, -31.2 * self.unit - row * tall
                yield f"{track}.{turn + 1}", x, y, wide, tall


def records(job: Job) -> Iterator[Grid]:
    """Ship Turn Records, two per page as in the rulebook; one in A5 or large print."""
    two = job.options.paper != "a5" and not job.options.large
    diagram = job.choice("weapons", "row") == "diagram"
    form = partial(TurnRecord, job.terms.options.max_engine, diagram)
    blocks = ((ship.fleet, Record(ship, form)) for ship in ships(job, 2))
    yield Grid(_("Ship Turn Records"), blocks, share=(1, 2 if two else 1), gap=3 * MM)


def compact(job: Job) -> Iterator[Grid]:
    """Compact records, 12 or 14 per page; fewer in large print."""
    small = job.options.paper == "a5"
    share = (1, 3 if small else 4) if job.options.large else (2, 6 if small else 7)
    form = partial(CompactRecord, job.terms.options.max_engine, False)
    blocks = ((ship.fleet, Record(ship, form)) for ship in ships(job, share[0] * share[1]))
    yield Grid(_("Compact records"), blocks, share=share, gap=1.5 * MM)


# ---------------------------------------------------------------- the control sheets

FLEET = (
    Column(_("Ship name or #"), 6, face=BOLD),
    *(Column(head, 2, "centre") for head in (_("Off. BP"), _("Def. BP"), _("Engine"))),
)
PRODUCTION = (
    Column(_("Turn"), 1, "centre"),
    Column(_("Prod. BPs"), 2, "centre"),
    Column(_("Spent BPs"), 2, "centre"),
    Column(_("Running Total"), 2, "centre"),
    Column(_("Systems Captured"), 4, "centre"),
)


BLANK_SUMMARY = _("Off. BP ____ · Def. BP ____ · Attack dice ____ · Save dice ____ · Speed ____")


def fleet_control(job: Job) -> Iterator[Section]:
    """The Fleet Control Sheet of every fleet, fifteen ships per page."""
    if job.blank:
        yield _fleet_page("", BLANK_SUMMARY, [], "blank")
        return
    for number, formation, priced in job.formations():
        facts, summary = priced.facts, BLANK_SUMMARY
        if "offensive" in facts:  # points are not hidden
            summary = _(
                "Off. BP {offensive}: attack dice {attack_dice} · Def. BP {defensive}: save dice {save_dice} · "
                "Fleet speed {speed}"
            ).format(**facts)
        rows = _fleet_rows(job, number)
        page = [*islice(rows, ROWS_PER_PAGE)]
        while True:
            yield _fleet_page(formation.name, summary, page, f"f{number}")
            page = [*islice(rows, ROWS_PER_PAGE)]
            if not page:
                break


def _fleet_rows(job: Job, number: int) -> Iterator[tuple[str, ...]]:
    for entry in job.entries(number):
        facts, engine = entry.priced.facts, cast(Element, entry.element).engine
        for model in entry.models:
            yield model.name, str(facts.get("offensive", "")), str(facts.get("defensive", "")), str(engine)


def _fleet_page(name: str, summary: str, rows: list[tuple[str, ...]], path: str) -> Section:
    title = _("Fleet Control Sheet: {fleet}").format(fleet=name) if name else _("Fleet Control Sheet")
    blocks: list[Block] = [Row(FLEET, row, min_lines=1.9) for row in rows]
    for row in range(len(rows), ROWS_PER_PAGE):
        cells = tuple(fill_in_cell(f"{path}.fleet.r{row}.c{column}") for column in range(len(FLEET)))
        blocks.append(Row(FLEET, cells, min_lines=1.9))
    head = Stack((Heading(title), Space(0.3), TableHead(FLEET)))
    return Section(_("Fleet Control Sheet"), [Group([*blocks, Space(0.6), Paragraph(summary)], head, name)])


def production(job: Job) -> Iterator[Section]:
    """The Production Control Sheet, turns 1 to 15."""
    rows = [
        Row(
            PRODUCTION,
            (str(turn), *(fill_in_cell(f"production.t{turn}.c{column}") for column in range(1, 5))),
            min_lines=1.9,
        )
        for turn in range(1, ROWS_PER_PAGE + 1)
    ]
    title = _("Production Control Sheet")
    yield Section(title, [Group(rows, Stack((Heading(title), Space(0.3), TableHead(PRODUCTION))))])


# ---------------------------------------------------------------- map and counters


def hex_map(job: Job) -> Iterator[Section]:
    """A hex map in landscape that fills a page, numbered by column and row."""
    width, height = frame(job.options.paper, landscape=True)
    across = float(job.choice("hexes", "12")) * MM
    drawing = Drawing(height, lambda pen, x, top, _width: _draw_hexes(pen, x, top, width, height, across))
    yield Section(_("Hex map"), [Group([drawing])], landscape=True)


def _draw_hexes(pen: Pen, left: float, top: float, width: float, height: float, across: float) -> None:
    """Hexes with flat tops, ``across`` points from flat to flat."""
    radius = across / sqrt(3)
    columns = int((width - radius / 2) // (1.5 * radius))
    rows = int((height - across / 2) // across)
    for column in range(columns):
        x = left + radius + column * 1.5 * radius
        for row in range(rows):
            y = top - across * (row + 0.5 + 0.5 * (column % 2))
            corners = [(x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6)]
            pen.outline(corners, line=HAIR)
            number = f"{column + 1:02}{row + 1:02}"
            pen.text(x, y + across * 0.29, number, across * 0.16, align="centre", ink="soft")


class Counter(NamedTuple):
    """A square counter to cut out; the bow of the ship points up."""

    ship: PrintedShip
    side: float

    def height(self, style: Style, width: float) -> float:
        return self.side

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        side, bottom = self.side, top - self.side
        pen.rect(x, bottom, side, side, line=HAIR)
        _draw_arrow(pen, x + side / 2, bottom + side * 0.64, side * 0.14, side * 0.24, side * 0.24)
        number, size = str(self.ship.unit or ""), side * 0.17
        pen.fit(x + 1, bottom + side * 0.2, number, side - 2, size * 1.1, face=BOLD, align="centre")
        pen.fit(x + 1, bottom + side * 0.06, self.ship.name, side - 2, size * 0.75, align="centre")


def counters(job: Job) -> Iterator[Grid]:
    """Ship counters to cut out."""
    side = float(job.choice("counters", "20")) * MM
    blocks = ((ship.fleet, Counter(ship, side)) for ship in ships(job, 40))
    yield Grid(_("Ship counters"), blocks, cell=(side, side))


# ---------------------------------------------------------------- solo tables


def solo(job: Job) -> Iterator[Section]:
    """Movement and targets of ships without a player."""
    yield Section(_("Solo tables"), _solo_groups(), columns=2)


def _solo_groups() -> Iterator[Group]:
    for speed, rows in sorted(SOLO_MOVEMENT.items(), reverse=True):
        title = Heading(_("Movement at SPEED {speed}").format(speed=speed), _("Side of the nearest ships"), 1.1)
        yield _die_table(title, SOLO_COLUMNS, rows)
    targets = [(TARGET_NAMES[two], TARGET_NAMES[three]) for two, three in SOLO_TARGETS]
    yield _die_table(Heading(_("Target"), "", 1.1), (_("Of two ships"), _("Of three ships")), targets)


def _die_table(title: Heading, heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Group:
    """A table with a row for each roll of a D6."""
    columns = (Column(_("Die"), 0.5, "centre", face=BOLD), *(Column(head, 1, "centre") for head in heads))
    blocks = [Row(columns, (str(die), *row)) for die, row in enumerate(rows, start=1)]
    return Group(blocks, Stack((Space(0.4), title, TableHead(columns))))


# ---------------------------------------------------------------- the sheets of the game


def _is_strategic(job: Job) -> bool:
    return bool(job.document.scenario == STRATEGIC)


SHEETS = (
    ROSTER,
    Sheet(
        "records",
        _("Ship Turn Records"),
        _("The record of the rulebook for each ship, turns 1 to 30."),
        records,
        lambda job: job.appraisal.quantity <= MANY_SHIPS,
    ),
    Sheet(
        "compact",
        _("Compact records"),
        _("For large fleets: 12 or more ships per page, turns 1 to 10."),
        compact,
        lambda job: job.appraisal.quantity > MANY_SHIPS,
    ),
    Sheet(
        "fleets",
        _("Fleet Control Sheet"),
        _("Offensive BP, defensive BP and speed of each fleet."),
        fleet_control,
        _is_strategic,
    ),
    Sheet(
        "production",
        _("Production Control Sheet"),
        _("BP produced and spent, turns 1 to 15."),
        production,
        _is_strategic,
    ),
    Sheet("counters", _("Ship counters"), _("Counters to cut out, in the chosen size."), counters),
    Sheet(
        "map",
        _("Hex map"),
        _("Numbered hexes in the chosen size, landscape."),
        hex_map,
        lambda job: not _is_strategic(job),
        shared=True,
    ),
    Sheet("solo", _("Solo tables"), _("Movement and targets of ships without a player."), solo, never, shared=True),
    REFERENCE,
)
