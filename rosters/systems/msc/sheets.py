"""The sheets of Minimal Space Combat: the rulebook's three forms, a compact record, map, counters, solo tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from math import cos, pi, sin, sqrt
from typing import NamedTuple, cast

from rosters.pdf.blocks import Block, Column, Drawing, Heading, Heads, Prose, Row, Space, Stack, written
from rosters.pdf.canvas import HAIR, MM, SOFT, Pen, Style
from rosters.pdf.job import Choice, Job, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.systems.msc.rules import MAX_STAT, SIDES, Element, Mark
from rosters.systems.msc.tables import SOLO_COLUMNS, SOLO_MOVEMENT, SOLO_TARGETS, TARGET_NAMES

TURNS, TURNS_A_BLOCK = 30, 15
ROWS_A_PAGE = 15
"""Of the Fleet Control Sheet and the Production Control Sheet."""
MANY_SHIPS = 12
"""With more ships than this, the pack has compact records."""
OVAL = (6.0, 3.6)
"""Width and height of an oval in millimetres, at the usual size of text."""

RIGHT_SIDES = (2, 4)
"""Places in SIDES of those on the right of the ship, whose labels stand outside."""
ROOM_FOR_A_DIAGRAM = 130
"""Units of width that a record needs to have its weapons around a ship; a narrower one has them in the row."""

CHOICES = {
    "weapons": Choice("Weapon ovals", {"row": "In the book's row", "diagram": "Around a small ship"}),
    "counters": Choice("Counters", {"20": "20 mm", "15": "15 mm", "25": "25 mm", "30": "30 mm"}),
    "hexes": Choice("Hexes of the map", {"12": "12 mm", "15": "15 mm", "20": "20 mm", "25": "25 mm"}),
}


class Ship(NamedTuple):
    """One ship to print; all None on a blank form."""

    element: Element | None = None
    name: str = ""
    unit: int = 0
    path: str = ""
    mark: Mark | None = None
    fleet: str = ""

    def oval_is_full(self, stat: str, number: int) -> bool:
        """Whether an oval of ENGINE or SHIELD, from 0, was not bought or is shot away."""
        if self.element is None:
            return False
        lost = getattr(self.mark, stat) if self.mark else 0
        return bool(number >= getattr(self.element, stat) - lost)

    def side_is_full(self, side: str) -> bool:
        """Whether a side has no weapon, or has lost it."""
        if self.element is None:
            return False
        return side not in self.element.weapons or (self.mark is not None and side in self.mark.weapons)

    @property
    def others(self) -> str:
        """Weapons that the form has no oval for: on the rear, on unknown sides, or doubled."""
        weapons = list(self.element.weapons) if self.element else []
        for side in SIDES:
            if side in weapons:
                weapons.remove(side)
        return " ".join(weapons)


def ships(job: Job) -> Iterator[Ship]:
    """Every ship to print, numbered through the roster."""
    units = count(1)
    chosen = {number for number, _, _ in job.formations()}
    for f, fleet in enumerate(job.document.formations):
        for entry in job.entries(f):
            for model in entry.models:
                unit = next(units)
                if f in chosen:
                    mark = cast(Mark | None, model.mark) if job.settings.marks else None
                    yield Ship(cast(Element, entry.element), model.name, unit, model.path, mark, fleet.name)


def _ships_or_blanks(job: Job, blanks: int) -> Iterator[Ship]:
    if job.blank:
        yield from (Ship(path=f"blank{number}") for number in range(blanks))
    else:
        yield from ships(job)


# ---------------------------------------------------------------- the Ship Turn Record


class Form(NamedTuple):
    """Where things stand on a record of some width, in points from its upper left corner; y downwards."""

    width: float
    unit: float
    """A millimetre at the usual size of text."""
    ovals: int
    diagram: bool

    @property
    def left(self) -> float:
        return 19 * self.unit

    def stat(self, row: int, number: int) -> tuple[float, float]:
        """The lower left corner of an oval of ENGINE (row 0) or SHIELD (row 1)."""
        return self.left + number * 8.2 * self.unit, (17.6 + row * 6.4) * self.unit

    def weapon(self, place: int) -> tuple[float, float]:
        """The lower left corner of a weapon's oval: in the row, or around the ship."""
        if not self.diagram:
            step = min(16 * self.unit, (self.width - self.left - 13 * self.unit) / 4)
            return self.left + 6.5 * self.unit + place * step, 36.8 * self.unit
        across, down = ((0, -9.5), (-13, -4.5), (13, -4.5), (-13, 5.5), (13, 5.5))[place]
        centre = self.width - 26 * self.unit
        return centre + (across - OVAL[0] / 2) * self.unit, (25.5 + down + OVAL[1] / 2) * self.unit

    @property
    def table(self) -> float:
        """The top of the turns."""
        return 41 * self.unit

    @property
    def row(self) -> float:
        return 5.3 * self.unit

    @property
    def height(self) -> float:
        return self.table + (TURNS_A_BLOCK + 1) * self.row + 3 * self.unit

    def columns(self, block: int) -> tuple[float, float, float, float]:
        """Where Turn, Speed and Move begin in a block of turns, and where it ends."""
        half = (self.width - 6 * self.unit) / 2
        start = block * (half + 6 * self.unit)
        return start, start + 11 * self.unit, start + 28 * self.unit, start + half


class Record(NamedTuple):
    """A Ship Turn Record: the blank form, drawn once in a document, and what this ship adds to it."""

    ship: Ship
    ovals: int
    diagram: bool

    def _form(self, style: Style, width: float) -> Form:
        unit = MM * style.body / 9
        return Form(width, unit, self.ovals, self.diagram and width >= ROOM_FOR_A_DIAGRAM * unit)

    def height(self, style: Style, width: float) -> float:
        return self._form(style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        form = self._form(pen.style, width)
        key = f"record-{round(width)}-{self.ovals}-{int(self.diagram)}"
        pen.stamp(key, x, top, lambda: _blank_record(pen, form))
        _fill_record(pen, form, self.ship, x, top)
        if pen.style.fillable:
            _record_fields(pen, form, self.ship, x, top)


def _blank_record(pen: Pen, form: Form) -> None:
    """The form with nothing bought or filled in, its upper left corner at the origin."""
    unit, body = form.unit, pen.style.body
    pen.text(0, -4 * unit, "Ship Turn Record", body * 1.2, bold=True, accent=True)
    pen.text(0, -10.5 * unit, "Ship Name:")
    pen.line(form.left, -11.3 * unit, form.width - 34 * unit, -11.3 * unit, HAIR)
    pen.text(form.width - 30 * unit, -10.5 * unit, "Unit #")
    pen.line(form.width - 19 * unit, -11.3 * unit, form.width, -11.3 * unit, HAIR)
    for row, stat in enumerate(("ENGINE:", "SHIELD:")):
        pen.text(0, -form.stat(row, 0)[1] + 0.9 * unit, stat, bold=True)
        for number in range(form.ovals if row == 0 else MAX_STAT):
            _oval(pen, form, *form.stat(row, number))
    pen.text(0, -30.2 * unit, "TO-HIT:", bold=True)
    pen.line(form.left, -31 * unit, form.left + 14 * unit, -31 * unit, HAIR)
    _blank_weapons(pen, form)
    _blank_turns(pen, form)


def _oval(pen: Pen, form: Form, x: float, down: float, *, filled: bool = False) -> None:
    pen.oval(x, -down, OVAL[0] * form.unit, OVAL[1] * form.unit, filled=filled)


def _blank_weapons(pen: Pen, form: Form) -> None:
    unit = form.unit
    if form.diagram:
        _hull(pen, form.width - 26 * unit, -25.5 * unit, 7.5 * unit)
        pen.text(0, -36.5 * unit, "Weapons:", bold=True)
        pen.text(form.left, -36.5 * unit, "around the ship, at the right", pen.style.small, grey=SOFT)
    else:
        pen.text(0, -36 * unit, "Weapons:", bold=True)
    for place, side in enumerate(SIDES):
        x, down = form.weapon(place)
        _oval(pen, form, x, down)
        if form.diagram and place in RIGHT_SIDES:
            pen.text(x + (OVAL[0] + 1.2) * unit, -down + 0.9 * unit, side)
        else:
            pen.text(x - 1.2 * unit, -down + 0.9 * unit, side + ":", align="right")


def _hull(pen: Pen, x: float, y: float, size: float) -> None:
    """A ship seen from above, its bow up, around the point."""
    hexagon = [(x + size * sin(n * pi / 3 + pi / 6), y + size * cos(n * pi / 3 + pi / 6)) for n in range(6)]
    pen.outline(hexagon, line=HAIR)
    bow, beam = size * 0.72, size * 0.34
    pen.outline([(x, y + bow), (x + beam, y - bow * 0.6), (x, y - bow * 0.3), (x - beam, y - bow * 0.6)])


def _blank_turns(pen: Pen, form: Form) -> None:
    """Turns 1 to 30 in two blocks, each with Speed and Move."""
    for block in (0, 1):
        turn, speed, move, end = form.columns(block)
        top = -form.table
        pen.shade(turn, top - form.row, end - turn, form.row)
        for x, head in ((turn, "Turn"), (speed, "Speed"), (move, "Move")):
            pen.text(x + form.unit, top - 0.7 * form.row, head, pen.style.small, bold=True)
        for number in range(TURNS_A_BLOCK):
            bottom = top - (number + 2) * form.row
            pen.text(turn + 8 * form.unit, bottom + 0.28 * form.row, str(block * 15 + number + 1), align="right")
            pen.line(turn, bottom, end, bottom, HAIR)
        bottom = top - (TURNS_A_BLOCK + 1) * form.row
        for x in (turn, speed, move, end):
            pen.line(x, top, x, bottom, HAIR)


def _fill_record(pen: Pen, form: Form, ship: Ship, x: float, top: float) -> None:
    """What a ship adds to the blank form: its name, its number, TO-HIT, and full ovals."""
    if ship.element is None:
        return
    unit, element = form.unit, ship.element
    pen.fit(x + form.left, top - 10.5 * unit, ship.name, form.width - 34 * unit - form.left, bold=True)
    pen.text(x + form.width - 18 * unit, top - 10.5 * unit, str(ship.unit), bold=True)
    pen.fit(x + form.left + 2 * unit, top - 30.2 * unit, str(element.to_hit), 12 * unit, bold=True)
    _stamp_full_ovals(pen, form, ship, x, top)
    for row, stat in enumerate(("engine", "shield")):
        _odd_stat(pen, form, ship, row, stat, x, top)
    if ship.others:
        pen.fit(
            x + form.left + 20 * unit, top - 30.2 * unit, f"Also weapons: {ship.others}", 40 * unit, pen.style.small
        )


def _stamp_full_ovals(pen: Pen, form: Form, ship: Ship, x: float, top: float) -> None:
    """Ovals that are full. Ships repeat the same few patterns, and each is drawn once in a document."""
    full = [form.stat(row, number) for row, number in _full_stats(ship, form.ovals)]
    full += [form.weapon(place) for place, side in enumerate(SIDES) if ship.side_is_full(side)]
    if full:
        pattern = "-".join(f"{round(left)}.{round(down)}" for left, down in full)
        pen.stamp(f"full-{round(form.unit * 100)}-{pattern}", x, top, lambda: _ovals(pen, form, full))


def _full_stats(ship: Ship, ovals: int) -> Iterator[tuple[int, int]]:
    """Row and number of the full ovals of ENGINE and SHIELD."""
    for row, (stat, drawn) in enumerate((("engine", ovals), ("shield", MAX_STAT))):
        yield from ((row, number) for number in range(drawn) if ship.oval_is_full(stat, number))


def _ovals(pen: Pen, form: Form, places: list[tuple[float, float]]) -> None:
    for left, down in places:
        _oval(pen, form, left, down, filled=True)


def _odd_stat(pen: Pen, form: Form, ship: Ship, row: int, stat: str, x: float, top: float) -> None:
    """A number that the ovals cannot tell, in words."""
    drawn, value = form.ovals if row == 0 else MAX_STAT, getattr(ship.element, stat)
    if not 0 <= value <= drawn:
        left, down = form.stat(row, drawn)
        pen.fit(x + left, top - down + 0.9 * form.unit, f"as written: {value}", 24 * form.unit, pen.style.small)


def _record_fields(pen: Pen, form: Form, ship: Ship, x: float, top: float) -> None:
    """Check boxes for open ovals, and a field for each Speed and Move."""
    wide, tall = (side * form.unit for side in OVAL)
    for row, stat in enumerate(("engine", "shield")):
        for number in range(form.ovals if row == 0 else MAX_STAT):
            if not ship.oval_is_full(stat, number):
                left, down = form.stat(row, number)
                pen.check(f"{ship.path}.{stat}.{number}", x + left, top - down, wide, tall)
    for place, side in enumerate(SIDES):
        if not ship.side_is_full(side):
            left, down = form.weapon(place)
            pen.check(f"{ship.path}.weapons.{side}", x + left, top - down, wide, tall)
    for turn in range(TURNS):
        _, speed, move, end = form.columns(turn // TURNS_A_BLOCK)
        bottom = top - form.table - (turn % TURNS_A_BLOCK + 2) * form.row
        pen.field(f"{ship.path}.speed.{turn + 1}", x + speed, bottom, move - speed, form.row)
        pen.field(f"{ship.path}.move.{turn + 1}", x + move, bottom, end - move, form.row)
    if ship.element is None:
        pen.field(f"{ship.path}.name", x + form.left, top - 11.3 * form.unit, form.width / 2, 5 * form.unit)


def records(job: Job) -> Iterator[Grid]:
    """Ship Turn Records, two a page as in the book; one on a half sheet or in large print."""
    two = job.settings.paper != "a5" and not job.settings.large
    drawn = _engine_ovals(job)
    diagram = job.choice("weapons", "row") == "diagram"
    blocks = ((ship.fleet, Record(ship, drawn, diagram)) for ship in _ships_or_blanks(job, 2))
    yield Grid("Ship Turn Records", blocks, share=(1, 2 if two else 1), gap=3 * MM)


def _engine_ovals(job: Job) -> int:
    return int(job.terms.options.max_engine)


# ---------------------------------------------------------------- the compact record

COMPACT_TURNS = 10


class Compact(NamedTuple):
    """A ship in little: its ovals, TO-HIT, weapons, and a strip for the orders of ten turns."""

    ship: Ship
    ovals: int

    def height(self, style: Style, width: float) -> float:
        return 37 * MM * style.body / 9

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit = MM * pen.style.body / 9
        form = Form(width, unit, self.ovals, False)
        pen.stamp(f"compact-{round(width)}-{self.ovals}", x, top, lambda: _blank_compact(pen, form))
        with pen.moved(x, top):
            _fill_compact(pen, form, self.ship)
        if pen.style.fillable:
            _compact_fields(pen, form, self.ship, x, top)


def _compact_stat(form: Form, row: int, number: int) -> tuple[float, float]:
    return (14 + number * 6.6) * form.unit, (12.2 + row * 5.2) * form.unit


def _compact_weapon(form: Form, place: int) -> tuple[float, float]:
    return (18 + place * 14.5) * form.unit, 22.6 * form.unit


def _compact_strip(form: Form, turn: int) -> tuple[float, float]:
    """Where a turn's column begins, and how wide it is."""
    wide = (form.width - 13 * form.unit) / COMPACT_TURNS
    return 12 * form.unit + turn * wide, wide


def _blank_compact(pen: Pen, form: Form) -> None:
    unit, small = form.unit, pen.style.small
    pen.round_rect(0, -36.4 * unit, form.width, 36 * unit, 1.5 * unit, HAIR)
    pen.line(1.5 * unit, -6.6 * unit, form.width - 1.5 * unit, -6.6 * unit, HAIR)
    for row, stat in enumerate(("ENGINE", "SHIELD")):
        pen.text(1.5 * unit, -_compact_stat(form, row, 0)[1] + 0.8 * unit, stat, small, bold=True)
        for number in range(form.ovals if row == 0 else MAX_STAT):
            _small_oval(pen, form, *_compact_stat(form, row, number))
    pen.text(form.width - 26 * unit, -11.4 * unit, "TO-HIT", small, bold=True)
    pen.text(1.5 * unit, -21.8 * unit, "Weapons", small, bold=True)
    for place, side in enumerate(SIDES):
        x, down = _compact_weapon(form, place)
        pen.text(x - 0.8 * unit, -down + 0.8 * unit, side, small, align="right")
        _small_oval(pen, form, x, down)
    _blank_strip(pen, form)


def _blank_strip(pen: Pen, form: Form) -> None:
    unit, tiny = form.unit, pen.style.body * 0.62
    for row, label in enumerate(("Speed", "Move")):
        pen.text(1.5 * unit, (-29.6 - row * 4.6) * unit, label, tiny)
    for turn in range(COMPACT_TURNS):
        x, wide = _compact_strip(form, turn)
        pen.text(x + wide / 2, -26 * unit, str(turn + 1), tiny, align="centre", grey=SOFT)
        for row in range(2):
            pen.rect(x, (-31.2 - row * 4.6) * unit, wide, 4.6 * unit, line=HAIR)


def _small_oval(pen: Pen, form: Form, x: float, down: float, *, filled: bool = False) -> None:
    pen.oval(x, -down, 5.2 * form.unit, 3.2 * form.unit, filled=filled, line=HAIR * 1.4)


def _fill_compact(pen: Pen, form: Form, ship: Ship) -> None:
    if ship.element is None:
        return
    unit = form.unit
    pen.fit(1.5 * unit, -5 * unit, ship.name, form.width - 16 * unit, bold=True)
    pen.fit(form.width - 13.5 * unit, -5 * unit, f"# {ship.unit}", 12 * unit, align="right")
    pen.fit(form.width - 13 * unit, -11.4 * unit, str(ship.element.to_hit), 11 * unit, bold=True)
    full = [_compact_stat(form, row, number) for row, number in _full_stats(ship, form.ovals)]
    full += [_compact_weapon(form, place) for place, side in enumerate(SIDES) if ship.side_is_full(side)]
    for left, down in full:
        _small_oval(pen, form, left, down, filled=True)
    if ship.others:
        pen.fit(form.width - 26 * unit, -16.6 * unit, f"also {ship.others}", 24 * unit, pen.style.small)


def _compact_fields(pen: Pen, form: Form, ship: Ship, x: float, top: float) -> None:
    wide, tall = 5.2 * form.unit, 3.2 * form.unit
    for row, stat in enumerate(("engine", "shield")):
        for number in range(form.ovals if row == 0 else MAX_STAT):
            if not ship.oval_is_full(stat, number):
                left, down = _compact_stat(form, row, number)
                pen.check(f"{ship.path}.{stat}.{number}", x + left, top - down, wide, tall)
    for place, side in enumerate(SIDES):
        if not ship.side_is_full(side):
            left, down = _compact_weapon(form, place)
            pen.check(f"{ship.path}.weapons.{side}", x + left, top - down, wide, tall)
    for turn in range(COMPACT_TURNS):
        left, span = _compact_strip(form, turn)
        for row, what in enumerate(("speed", "move")):
            bottom = top - (31.2 + row * 4.6) * form.unit
            pen.field(f"{ship.path}.{what}.{turn + 1}", x + left, bottom, span, 4.6 * form.unit)


def compact(job: Job) -> Iterator[Grid]:
    """Compact records: fourteen a page, and never fewer than twelve but in large print."""
    share = {"a4": (2, 7), "letter": (2, 7), "a5": (2, 6)}[job.settings.paper]
    if job.settings.large:
        share = (1, 4 if job.settings.paper != "a5" else 3)
    drawn = _engine_ovals(job)
    blocks = ((ship.fleet, Compact(ship, drawn)) for ship in _ships_or_blanks(job, share[0] * share[1]))
    yield Grid("Compact records", blocks, share=share, gap=1.5 * MM)


# ---------------------------------------------------------------- the control sheets

FLEET = (
    Column("Ship name or #", 6, bold=True),
    *(Column(head, 2, "centre") for head in ("Off. BP", "Def. BP", "Engine")),
)
PRODUCTION = tuple(
    Column(head, share, "centre")
    for head, share in (("Turn", 1), ("Prod. BPs", 2), ("Spent BPs", 2), ("Running Total", 2), ("Systems Captured", 4))
)


def fleet_control(job: Job) -> Iterator[Section]:
    """The Fleet Control Sheet of every fleet, fifteen ships a page."""
    if job.blank:
        yield _fleet_page(job, "", "", (), "blank")
        return
    for number, formation, priced in job.formations():
        facts = priced.facts
        summary = (
            f"Off. BP {facts['offensive']}: {facts['attack_dice']} attack dice · "
            f"Def. BP {facts['defensive']}: {facts['save_dice']} save dice · Fleet speed {facts['speed']}"
            if "offensive" in facts
            else ""
        )
        rows = _fleet_rows(job, number)
        page = list(islice(rows, ROWS_A_PAGE))
        while True:
            yield _fleet_page(job, formation.name, summary, tuple(page), f"f{number}")
            page = list(islice(rows, ROWS_A_PAGE))
            if not page:
                break


def _fleet_rows(job: Job, number: int) -> Iterator[tuple[str, ...]]:
    for entry in job.entries(number):
        facts, engine = entry.priced.facts, entry.element.engine  # type: ignore[attr-defined]
        for model in entry.models:
            yield model.name, str(facts.get("offensive", "")), str(facts.get("defensive", "")), str(engine)


def _fleet_page(job: Job, name: str, summary: str, rows: tuple[tuple[str, ...], ...], path: str) -> Section:
    head = Stack((Heading(f"Fleet Control Sheet{': ' if name else ''}{name}"), Space(0.3), Heads(FLEET)))
    filled: list[Block] = [Row(FLEET, row, least=1.9) for row in rows]
    blank = [
        Row(FLEET, tuple(written(f"{path}.fleet.r{row}.c{column}") for column in range(4)), least=1.9)
        for row in range(len(rows), ROWS_A_PAGE)
    ]
    below: list[Block] = [
        Space(0.6),
        Prose(summary or "Off. BP ____ · Def. BP ____ · Attack dice ____ · Save dice ____ · Speed ____"),
    ]
    return Section("Fleet Control Sheet", [Group([*filled, *blank, *below], head, name)])


def production(job: Job) -> Iterator[Section]:
    """The Production Control Sheet: turns 1 to 15."""
    rows = [
        Row(PRODUCTION, (str(turn), *(written(f"production.t{turn}.c{column}") for column in range(1, 5))), least=1.9)
        for turn in range(1, ROWS_A_PAGE + 1)
    ]
    head = Stack((Heading("Production Control Sheet"), Space(0.3), Heads(PRODUCTION)))
    yield Section("Production Control Sheet", [Group(rows, head)])


# ---------------------------------------------------------------- map and counters


def hex_map(job: Job) -> Iterator[Section]:
    """A numbered hex map that fills a page, landscape: column, then row."""
    width, height = frame(job.settings.paper, landscape=True)
    across = float(job.choice("hexes", "12")) * MM
    drawing = Drawing(height, lambda pen, x, top, w: _hexes(pen, x, top, width, height, across))
    yield Section("Hex map", [Group([drawing])], landscape=True)


def _hexes(pen: Pen, left: float, top: float, width: float, height: float, across: float) -> None:
    """Hexes with flat tops, ``across`` from flat to flat."""
    radius = across / sqrt(3)
    columns = int((width - radius / 2) // (1.5 * radius))
    rows = int((height - across / 2) // across)
    size = across * 0.16
    for column in range(columns):
        x = left + radius + column * 1.5 * radius
        for row in range(rows):
            y = top - across * (row + 0.5 + 0.5 * (column % 2))
            corners = [(x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6)]
            pen.outline(corners, line=HAIR)
            pen.text(x, y + across * 0.29, f"{column + 1:02}{row + 1:02}", size, align="centre", grey=SOFT)


class Counter(NamedTuple):
    """A square counter to cut out: the ship's bow points up."""

    ship: Ship
    side: float

    def height(self, style: Style, width: float) -> float:
        return self.side

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        side, bottom = self.side, top - self.side
        pen.rect(x, bottom, side, side, line=HAIR)
        middle = x + side / 2
        bow, beam, y = side * 0.24, side * 0.14, bottom + side * 0.64
        pen.outline([(middle, y + bow), (middle + beam, y - bow), (middle, y - bow * 0.5), (middle - beam, y - bow)])
        size = side * 0.17
        pen.fit(x + 1, bottom + side * 0.2, str(self.ship.unit or ""), side - 2, size * 1.1, bold=True, align="centre")
        pen.fit(x + 1, bottom + side * 0.06, self.ship.name, side - 2, size * 0.75, align="centre")


def counters(job: Job) -> Iterator[Grid]:
    """Ship counters, to cut out."""
    side = float(job.choice("counters", "20")) * MM
    blocks = ((ship.fleet, Counter(ship, side)) for ship in _ships_or_blanks(job, 40))
    yield Grid("Ship counters", blocks, cell=(side, side))


# ---------------------------------------------------------------- solo


def solo(job: Job) -> Iterator[Section]:
    """How ships without a player move, and whom they shoot at."""
    yield Section("Solo tables", _solo_groups(), columns=2)


def _solo_groups() -> Iterator[Group]:
    heads = ("Die", *(f"friend {friend}, enemy {enemy}" for friend, enemy in SOLO_COLUMNS))
    columns = tuple(Column(head, 1 if n else 0.5, "centre", bold=not n) for n, head in enumerate(heads))
    for speed, rows in sorted(SOLO_MOVEMENT.items(), reverse=True):
        head = Stack((Space(0.4), Heading(f"Movement at SPEED {speed}", "nearest on which side", 1.1), Heads(columns)))
        yield Group([Row(columns, (str(die), *row)) for die, row in enumerate(rows, start=1)], head)
    columns = (Column("Die", 0.5, "centre", bold=True), Column("Of two", 1, "centre"), Column("Of three", 1, "centre"))
    head = Stack((Space(0.4), Heading("Choice of target", "", 1.1), Heads(columns)))
    named = [(TARGET_NAMES[two], TARGET_NAMES[three]) for two, three in SOLO_TARGETS]
    yield Group([Row(columns, (str(die), *row)) for die, row in enumerate(named, start=1)], head)


# ---------------------------------------------------------------- the list


def _is_strategic(job: Job) -> bool:
    return bool(job.document.scenario == "strategic")


def _is_tactical(job: Job) -> bool:
    return not _is_strategic(job)


def _is_small(job: Job) -> bool:
    return job.appraisal.quantity <= MANY_SHIPS


def _is_large(job: Job) -> bool:
    return not _is_small(job)


SHEETS = (
    ROSTER,
    Sheet("records", "Ship Turn Records", "The book's record for each ship, turns 1 to 30.", records, _is_small),
    Sheet("compact", "Compact records", "Twelve ships or more a page, for large fleets.", compact, _is_large),
    Sheet(
        "fleets",
        "Fleet Control Sheet",
        "Offensive and defensive BP and speed of each fleet.",
        fleet_control,
        _is_strategic,
    ),
    Sheet("production", "Production Control Sheet", "BP earned and spent, turns 1 to 15.", production, _is_strategic),
    Sheet("counters", "Ship counters", "To cut out, at a chosen size.", counters),
    Sheet("map", "Hex map", "Numbered hexes at a chosen size, landscape.", hex_map, _is_tactical, shared=True),
    Sheet("solo", "Solo tables", "Movement and targets of ships without a player.", solo, never, shared=True),
    REFERENCE,
)
