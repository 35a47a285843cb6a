"""Ship Turn Records: the ship drawn from its numbers, the hexes it fires at, the rolls that hit, its turns.

Lengths are in millimeters of normal print, from the upper left corner of a record, y upwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from rosters.core.cache import cached
from rosters.core.messages import Message, _, join
from rosters.core.rulebook import Words
from rosters.drawing.primitives import Picture
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, RADIUS, Ink, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.pages import draw_masthead
from rosters.pdf.sections import Grid, Header, frame
from rosters.pdf.text import FittedText, fit_text
from rosters.systems.msc.drawing import (
    MAX_DRAWN,
    PLATE,
    RING,
    ROSE_FIELD,
    STEP,
    DamagePlan,
    Spot,
    damage_plan,
    rose_of,
)
from rosters.systems.msc.rules import ENGINE, SHIELD, SIDES, TO_HIT
from rosters.systems.msc.sheets.book import BookRecord
from rosters.systems.msc.sheets.ships import (
    TURNS,
    Design,
    PrintedShip,
    draw_silhouette,
    odd_values,
    rolls_needed,
    ships_with_record,
    turn_fields,
)
from rosters.systems.msc.tables import DAMAGE, DAMAGED_PARTS, NONE_LEFT

GAP, BOOK_GAP = 2.0, 6.0
"""The least space in mm between two records on a page: drawn ones, and those of the rulebook."""
MAX_HEIGHT = 131.0
"""The height of a record where there are two on a page and the paper has room."""
TOP = 18.6
"""The height of the masthead with its gap."""
DAMAGE_WIDTH, FIRE_WIDTH = 60.0, 51.0
HEAD = 4.4
"""The height of the heads of the turns."""
UNIT = 1.06
"""The scale of the ship, with which its plates are 7.3 mm broad."""
HEX = 4.4
"""The largest hex of the rose, from flat to flat."""
NARROW_FORM = 170.0
"""A narrower record has its turns below the drawings."""
FIRED = -TOP - 3.4
"""The baseline of the head of the rose."""
FIRE_HEIGHT = 45.2
"""The height of the column with the rose, without the rose."""
SPEED_AT, MOVE_AT = 5.8, 16.6
"""Where the cells of a turn begin."""
ROOMY = 132.0
"""A record as high has room for more notes."""
FIRING = 0.16
"""The share of the side's color in a hex that the ship fires at."""
MOVEMENT = (
    _("SPEED: up to the ENGINE left, ±1 a turn; spend all of it."),
    _("A hex between two turns. 2L1: two on, left, one on."),
)
LOWER_TURNS = 3, 10
"""Blocks of turns, and turns in a block, below the drawings."""


def records(job: Job) -> Iterator[Grid]:
    """A record for each ship, two on a page; one in A5 or large print."""
    if job.choice("weapons", "diagram") == "row":
        yield from _book_records(job)
        return
    two = not (job.options.half or job.options.large)
    height = frame(job.options.paper, bare=True)[1]
    record_height = min((height - GAP * MM) / 2, MAX_HEIGHT * MM) if two else height
    gap = height - 2 * record_height
    max_engine = job.terms.options.max_engine

    def record(ship: PrintedShip, gap: float) -> Record:
        return Record(ship, _header(job, ship, job.document.name), record_height, max_engine, job.words, gap)

    blocks = (
        (ship.fleet, record(ship, gap if two and after and number % 2 == 0 else 0))
        for number, (ship, after) in enumerate(pairwise(chain(ships_with_record(job, 2), (None,))))
        if ship
    )
    yield Grid(_("Ship Turn Records"), blocks, share=(1, 2 if two else 1), gap=gap if two else 0)


def _book_records(job: Job) -> Iterator[Grid]:
    two = not (job.options.half or job.options.large)
    height = frame(job.options.paper, bare=True)[1]
    record_height = (height - BOOK_GAP * MM) / 2 if two else height
    max_engine = job.terms.options.max_engine
    blocks = ((ship.fleet, BookRecord(ship, record_height, max_engine)) for ship in ships_with_record(job, 2))
    yield Grid(_("Ship Turn Records"), blocks, share=(1, 2 if two else 1), gap=BOOK_GAP * MM)


def _header(job: Job, ship: PrintedShip, roster: str) -> Header:
    """The masthead of a ship: its name over its fleet and roster, and its number, points and TO-HIT."""
    points = job.amount(ship.priced.unit_points) if ship.priced else ""
    badges = (
        (_("Unit"), ship.number),
        *(((job.points, points),) if job.points else ()),
        (TO_HIT, str(ship.element.to_hit) if ship.element else ""),
    )
    return job.header._replace(
        name=ship.name,
        source=join(filter(None, (ship.fleet, roster)), " · ") if ship.element else _("Ship Turn Record"),
        badges=badges,
        address="",
        illegal=(),
    )


@cached(4 << 20)  # the largest picture of a record
def plan_of(design: Design) -> DamagePlan:
    """The damage plan of a design; equal designs share one."""
    return damage_plan(design.profile)


class Record(NamedTuple):
    """The record of a ship, ``fixed_height`` points high; in the middle of the ``gap`` below it is the line to cut."""

    ship: PrintedShip
    header: Header
    fixed_height: float
    max_engine: int
    words: Words
    gap: float = 0

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        form = Form(self, pen, width)
        with pen.transformed(x, top):
            key = (form.design, self.ship.element is None, width, self.fixed_height, form.base, form.foot)
            draw_masthead(pen, self.header, "", width)
            pen.draw_cached(("record", *key), 0, 0, form.draw_design)
            form.draw_rolls()
            pen.draw_cached(("turns", width, self.fixed_height), 0, 0, form.draw_turns)
            form.draw_ship()
            if self.gap:
                y = -self.fixed_height - self.gap / 2
                pen.line(-2.4 * MM, y, width + 2.4 * MM, y, HAIR, (4, 3), ink="soft")


class Form:
    """The places of a record. ``unit`` is a millimeter, larger in large print if it fits."""

    def __init__(self, record: Record, pen: Pen, width: float) -> None:
        self.record, self.ship, self.pen = record, record.ship, pen
        self.design = record.ship.design(record.max_engine)
        fits = min(width / MM / (DAMAGE_WIDTH + FIRE_WIDTH + 5), record.fixed_height / MM / 166)
        self.unit = MM * max(1.0, min(pen.style.scale, fits))
        self.width, self.height = width / self.unit, record.fixed_height / self.unit
        self.wide = self.width >= NARROW_FORM
        """Whether the turns are beside the drawings."""
        self.odd = odd_values(self.ship, MAX_DRAWN)
        self.notes = self._fitted_notes()

    def _fitted_notes(self) -> FittedText:
        """The notes of the ship, as much as there is room for."""
        notes = self.ship.element.notes if self.ship.element else ""
        size, available = max(7.0, 8 * self.unit / MM), 4 if self.height > ROOMY else 2
        if not notes:
            return FittedText((), size)
        return fit_text(join(notes.split(), " "), DAMAGE_WIDTH * self.unit, size, available, NARROW)

    # ------------------------------------------------------------ places

    @property
    def floor(self) -> float:
        """The lower end of the drawings."""
        return -self.height if self.wide else -self.height + HEAD + LOWER_TURNS[1] * self.row + 2

    @property
    def row(self) -> float:
        """The height of a turn."""
        if self.wide:
            return (self.height - TOP - HEAD) * 2 / TURNS
        return max(4.9, min(6.95, (self.height - TOP - HEAD - 100) / LOWER_TURNS[1]))

    @property
    def fire_left(self) -> float:
        return DAMAGE_WIDTH + 6.5 if self.wide else self.width - FIRE_WIDTH

    @property
    def drawings_right(self) -> float:
        return self.fire_left + FIRE_WIDTH

    def turns(self) -> Iterator[tuple[str, int, float, float, float, float]]:
        """The cells of each turn: track, turn, lower left corner, width and height, in points."""
        u = self.unit
        for left, top, turn, half in self._turn_rows():
            speed, move = left + SPEED_AT, left + MOVE_AT
            bottom = top - self.row
            yield "speed", turn, speed * u, bottom * u, (move - speed) * u, self.row * u
            yield "move", turn, move * u, bottom * u, (left + half - move) * u, self.row * u

    def _blocks(self) -> Iterator[tuple[float, float, int, int, float]]:
        """Blocks of turns: left, top, first and last turn, width."""
        number, rows = (2, TURNS // 2) if self.wide else LOWER_TURNS
        start = self.drawings_right + 4 if self.wide else 0.0
        top = -TOP if self.wide else self.floor - 2
        half = (self.width - start - 1.5 * (number - 1)) / number
        for block in range(number):
            yield start + block * (half + 1.5), top, block * rows + 1, block * rows + rows, half

    def _turn_rows(self) -> Iterator[tuple[float, float, int, float]]:
        """Left, top, turn and width of each turn."""
        for left, top, first, last, half in self._blocks():
            for turn in range(first, last + 1):
                yield left, top - HEAD - (turn - first) * self.row, turn, half

    # ------------------------------------------------------------ what all ships of a design have

    def text(self, x: float, y: float, text: str, size: float, **how: object) -> None:
        self.pen.text(x * self.unit, y * self.unit, text, max(7, size * self.unit / MM), **how)

    def label(self, x: float, y: float, text: str) -> None:
        self.pen.label(x * self.unit, y * self.unit, text, size=7.5 * self.unit / MM)

    def draw_design(self) -> None:
        self.label(0, -TOP - 3.4, _("Damage"))
        how = _("Mark the highest number first.") if self.ship.element else _("Fill in what the ship does not have.")
        self.text(0, -TOP - 6.8, how, 8, face=NARROW, ink="soft")
        picture, left, top, size = self.plan_place
        self.pen.picture(picture, left, top, size, tile=PALE)
        self._name_tracks(left, top, size / picture.width)
        y = self.floor + self.foot + 1.2
        self.pen.draw_cached(("movement", self.unit), DAMAGE_WIDTH / 2 * self.unit, y * self.unit, self._draw_movement)
        self._draw_fire()

    @cached_property
    def plan_place(self) -> tuple[Picture, float, float, float]:
        """The picture of the ship, its upper left corner and its width in points."""
        picture = plan_of(self.design).picture
        top, bottom = -TOP - 9, self.floor + self.foot + 4.2 + 3.2 * (len(MOVEMENT) - 1)
        scale = min(UNIT, (top - bottom) / picture.height, DAMAGE_WIDTH / picture.width)
        left = (DAMAGE_WIDTH - scale * picture.width) / 2
        spare = max(0.0, top - bottom - scale * picture.height) / 2
        return picture, left * self.unit, (top - spare) * self.unit, scale * picture.width * self.unit

    def _name_tracks(self, left: float, top: float, scale: float) -> None:
        """Write SHIELD and ENGINE at the left of the ship, each with a line to a plate and to a nozzle."""
        spots = plan_of(self.design).spots
        for track, text, edge in (("shield", SHIELD, PLATE), ("engine", ENGINE, RING)):
            parts = [spot for spot in spots if spot.track == track]
            if parts:
                spot = parts[0] if track == "engine" else parts[(len(parts) - 1) // 2]
                y, size = top - spot.y * scale, max(7.0, 7.5 * self.unit / MM)
                self.pen.text(0, y - size * 0.35, text, size, face=NARROW_BOLD, ink="deep")
                start = ems(text, NARROW_BOLD) * size + 0.8 * MM
                self.pen.line(start, y, left + (spot.x - edge) * scale, y, HAIR, ink="deep")

    def _draw_movement(self) -> None:
        for number, line in enumerate(MOVEMENT):
            self.text(0, 3.2 * (len(MOVEMENT) - 1 - number), line, 7.5, face=NARROW, align="centre", ink="soft")

    @property
    def hex_size(self) -> float:
        """A hex of the rose, from flat to flat."""
        return min(HEX, (-TOP - self.floor - FIRE_HEIGHT - self.base) / ROSE_FIELD[1] * STEP)

    @property
    def rolls_top(self) -> float:
        """Where the rolls that hit begin, below the rose."""
        return FIRED - ROSE_FIELD[1] * self.hex_size / STEP - 4.6

    def _draw_fire(self) -> None:
        """The rose of hexes, with the ship in its middle."""
        pen, u, left = self.pen, self.unit, self.fire_left
        known = self.ship.element is not None
        sides = tuple(side for side in SIDES if known and side in self.design.weapons)
        self.label(left, FIRED, _("Fire"))
        note = (_("inner hex: two weapons") if len(sides) > 1 else "") if known else _("color the hexes in its arcs")
        self.text(left + FIRE_WIDTH, FIRED, note, 8, face=NARROW, ink="soft", align="right")
        hex_size = self.hex_size
        width, height = (side * hex_size / STEP for side in ROSE_FIELD)
        top, start = (FIRED - 0.6) * u, (left + (FIRE_WIDTH - width) / 2) * u

        def draw() -> None:
            picture = rose_of(sides, max(12, 7.2 * STEP / (hex_size * u)))
            pen.picture(picture, 0, height * u, width * u, tile=FIRING)

        pen.draw_cached(("rose", sides, hex_size, u), start, top - height * u, draw)
        if known:
            self._draw_model(start + width * u / 2, top - height * u / 2, hex_size * u / STEP)

    def _draw_model(self, x: float, y: float, scale: float) -> None:
        """The ship in the middle hex of its rose."""
        draw_silhouette(self.pen, self.ship, x, y, (20 * scale, 20 * scale), turns=0)

    def draw_rolls(self) -> None:
        """Draw the rolls that hit at each range, and what a hit does, once for all ships that have the same."""
        u, rolls = self.unit, (*rolls_needed(self.ship),)
        left, top = self.fire_left * u, self.rolls_top * u
        self.pen.draw_cached(("rolls", rolls, u), left, top, lambda: self._draw_rolls(rolls))
        self.pen.draw_cached(("hits", u), left, top - 19.2 * u, self._draw_hits)

    def _draw_rolls(self, rolls: Iterable[tuple[str, str]]) -> None:
        u, width = self.unit, FIRE_WIDTH / 4
        self.label(0, 0, _("Hits on, or less"))
        for number, (hexes, roll) in enumerate(rolls):
            x = number * width
            frame = ((x + 0.4) * u, -14.9 * u, (width - 0.8) * u, 13.4 * u)
            self.pen.rect(*frame, line=HAIR, fill=PALE, ink="side", radius=2 * RADIUS)
            title = _("range {hexes}").format(hexes=hexes)
            self.text(x + width / 2, -4.9, title, 7.2, face=NARROW, ink="soft", align="centre")
            self.text(x + width / 2, -12.6, roll, 15 if len(roll) > 1 else 20, face=NAME, align="centre")

    def _draw_hits(self) -> None:
        self.label(0, 0, _("A hit on this ship: D6"))
        for number, ((die, _words), part) in enumerate(zip(DAMAGE, DAMAGED_PARTS, strict=True), 1):
            line = -1 - 4.3 * number
            self.text(7, line + 1.2, die, 10, face=NAME, align="right")
            self.text(9, line + 1.2, part, 8.5, face=NARROW)
            self.pen.line(0, line * self.unit, FIRE_WIDTH * self.unit, line * self.unit, HAIR, ink="line")
        self.text(0, line - 3.2, NONE_LEFT, 7.5, face=NARROW, ink="soft")

    def draw_turns(self) -> None:
        """Draw the turns, which are alike for all ships."""
        pen, u, row = self.pen, self.unit, self.row
        for left, top, first, last, half in self._blocks():
            pen.shade(left * u, (top - HEAD) * u, half * u, HEAD * u)
            for x, head in ((0.8, _("T")), (SPEED_AT + 0.8, _("Speed")), (MOVE_AT + 0.8, _("Move"))):
                pen.label((left + x) * u, (top - HEAD + 1.3) * u, head, size=7 * u / MM)
            for turn in range(first, last + 1):
                y = top - HEAD - (turn - first + 1) * row
                line: tuple[float, Ink] = (LINE, "ink") if turn % 5 == 0 else (HAIR, "line")
                self.text(left + 4.6, y + row / 2 - 1.1, str(turn), 9, face=NARROW_BOLD, ink="soft", align="right")
                pen.line(left * u, y * u, (left + half) * u, y * u, line[0], ink=line[1])
            for x in (SPEED_AT, MOVE_AT):
                pen.line((left + x) * u, (top - HEAD) * u, (left + x) * u, y * u, HAIR, ink="line")

    # ------------------------------------------------------------ what one ship has

    @property
    def base(self) -> float:
        """The height of the receipt, errors and odd values, below both columns of drawings."""
        return 3.8 + 3.2 * (bool(self.ship.errors) + bool(self.odd))

    @property
    def foot(self) -> float:
        """The height of what is below the ship: the base and its notes."""
        return self.base + 3.2 * len(self.notes.lines)

    def draw_ship(self) -> None:
        """Write the receipt, errors and notes; mark what is lost; add the fields."""
        receipt, available = self._receipt(), self.drawings_right * self.unit
        self._line(0.8, receipt, available, ink="soft")
        if self.ship.errors:
            reasons = _("Not legal: {reasons}").format(reasons=join(self.ship.errors, " "))
            self._line(4.0, reasons, available, face=NARROW_BOLD)
        if self.odd:
            self._line(self.base - 3, self.odd, available, face=NARROW_BOLD)
        top = (self.floor + self.foot) * self.unit
        self.pen.lines(0, top, self.notes, DAMAGE_WIDTH * self.unit, face=NARROW, align="left")
        self._mark_losses()
        turn_fields(self.pen, self.ship, self.turns())
        if self.ship.element is None:
            self.pen.field(f"{self.ship.path}.name", 22 * MM, -9 * MM, 90 * MM, 7 * MM, tooltip=_("Ship name"))

    def _line(self, y: float, text: str, available: float, *, face: str = NARROW, ink: Ink = "ink") -> None:
        size = max(7.0, 7.5 * self.unit / MM)
        self.pen.fit(0, (self.floor + y) * self.unit, text, available, size, face=face, ink=ink)

    def _receipt(self) -> Message:
        priced, words = self.ship.priced, self.record.words
        if priced is None or priced.receipt is None or priced.unit_points is None:
            return join((), "")
        steps = join((step.label for step in priced.receipt.steps), " + ")
        points = words.count_points(priced.unit_points)
        return _("{steps} = {points}").format(steps=steps, points=points)

    def _mark_losses(self) -> None:
        """Mark what is lost to damage, and add a check box for each part in a fillable sheet."""
        pen, ship = self.pen, self.ship
        if ship.mark is None and not pen.style.fillable:
            return
        picture, left, top, width = self.plan_place
        scale = width / picture.width
        for spot in plan_of(self.design).spots:
            x, y, radius = left + spot.x * scale, top - spot.y * scale, RING * scale
            lost = ship.is_lost(spot.track, spot.box)
            if lost and not pen.style.fillable:
                self._mark(spot, left, top, scale)
            name = f"{ship.path}.{spot.track}.{spot.box}"
            tooltip = ship.tooltip(spot.track, spot.box)
            pen.check(name, x - radius, y - radius, 2 * radius, 2 * radius, lost, tooltip)

    def _mark(self, spot: Spot, left: float, top: float, scale: float) -> None:
        if spot.corners:
            self.pen.outline([(left + x * scale, top - y * scale) for x, y in spot.corners], fill=1)
        else:
            self.pen.circle(left + spot.x * scale, top - spot.y * scale, RING * scale, fill=1)
