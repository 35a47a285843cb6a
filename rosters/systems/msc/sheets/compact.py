"""Compact records for large fleets: a ship with its boxes and ten turns. Lengths in millimetres of normal print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.amounts import with_minus_sign
from rosters.core.messages import _, join
from rosters.pdf.canvas import HAIR, MM, PALE, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.layout import Grid, frame
from rosters.systems.msc.drawing import MAX_DRAWN
from rosters.systems.msc.rules import ENGINE, SHIELD, SIDES
from rosters.systems.msc.sheets.ships import (
    PrintedShip,
    draw_silhouette,
    points_of,
    rolls_needed,
    ships,
    turn_fields,
)

TURNS = 10
BOX, STEP = 4.6, 5.6
GAP = 1.5
FIRST_TURN = 10.5
"""Where the turns begin."""
CELL = 8.0
"""The least width of the cell of a turn."""
HEAD, FIELD = 3.1, 5.4
"""Heights of the numbers of the turns, and of the least cell for SPEED; that for the move takes what is left."""


def compact(job: Job) -> Iterator[Grid]:
    """Twelve records on a page, six in A5; fewer in large print."""
    small, large = job.options.half, job.options.large
    across, down = (1, 3 if small else 4) if large else (2, 3 if small else 6)
    tall = (frame(job.options.paper, bare=True)[1] - GAP * MM * (down - 1)) / down
    most = job.terms.options.max_engine
    blocks = ((ship.fleet, CompactRecord(ship, most, tall, points_of(job, ship))) for ship in ships(job, across * down))
    yield Grid(_("Compact records"), blocks, share=(across, down), gap=GAP * MM)


class Mark(NamedTuple):
    """A box: its track, its box (a number from 0, or a side), and its lower left corner."""

    track: str
    box: int | str
    x: float
    y: float


class CompactRecord(NamedTuple):
    """The compact record of a ship, ``tall`` points high."""

    ship: PrintedShip
    most_engine: int
    tall: float
    points: str

    def height(self, style: Style, width: float) -> float:
        return self.tall

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit = MM * max(1.0, min(pen.style.body / 9, width / MM / 85, self.tall / MM / 40))
        wide, tall = width / unit, self.tall / unit
        design = self.ship.design(self.most_engine)
        with pen.transformed(x, top):
            key, rolls = (width, self.tall), (*rolls_needed(self.ship),)
            pen.draw_cached(("compact", *key), 0, 0, lambda: self._draw_form(pen, unit, wide, tall))
            pen.draw_cached(("ship", design, rolls, *key), 0, 0, lambda: self._draw_design(pen, unit, wide))
            pen.draw_cached(("turns", *key), 0, 0, lambda: self._draw_turns(pen, unit, wide, tall))
            self._draw_ship(pen, unit, wide, tall)

    def marks(self) -> Iterator[Mark]:
        """A box for each point of ENGINE and SHIELD and for each weapon that the ship has."""
        design = self.ship.design(self.most_engine)
        for row, track in enumerate(("engine", "shield")):
            for box in range(min(getattr(design, track), MAX_DRAWN)):
                yield Mark(track, box, 31 + STEP * box, -12.2 - 5.2 * row)
        for place, side in enumerate(side for side in SIDES if side in design.weapons):
            yield Mark("weapons", side, 31 + STEP * place, -12.2 - 5.2 * 2)

    def turns(self, wide: float, tall: float) -> Iterator[tuple[str, int, float, float, float, float]]:
        """The cells of the turns: track, turn, lower left corner, width and height."""
        rows = 1 if (wide - 11.5) / TURNS >= CELL else 2
        number, top = TURNS // rows, -24.2
        height = (tall + top - 1.2) / rows
        across = (wide - 11.5) / number
        for turn in range(TURNS):
            line, column = divmod(turn, number)
            x, y = FIRST_TURN + column * across, top - line * height - HEAD
            speed = min(FIELD + 1, (height - HEAD) * 0.46)
            yield "speed", turn + 1, x, y - speed, across, speed
            yield "move", turn + 1, x, y - height + HEAD, across, height - HEAD - speed

    def _draw_form(self, pen: Pen, unit: float, wide: float, tall: float) -> None:
        small = max(7, 7.5 * unit / MM)
        pen.frame(0, -tall * unit, wide * unit, tall * unit)
        pen.line(1.5 * unit, -7 * unit, (wide - 1.5) * unit, -7 * unit, HAIR, ink="line")
        for row, label in enumerate((ENGINE, SHIELD, _("Weapons"))):
            pen.fit(17 * unit, (-11 - 5.2 * row) * unit, label, 13 * unit, small, face=NARROW_BOLD, ink="deep")

    def _draw_design(self, pen: Pen, unit: float, wide: float) -> None:
        for mark in self.marks():
            words = str(mark.box + 1) if isinstance(mark.box, int) else mark.box
            pen.box(mark.x * unit, mark.y * unit, BOX * unit, label=words)
        draw_silhouette(pen, self.ship, 8.8 * unit, -15.6 * unit, (14.5 * unit, 15.4 * unit), turns=0)
        self._draw_rolls(pen, unit, wide)

    def _draw_turns(self, pen: Pen, unit: float, wide: float, tall: float) -> None:
        small = max(7, 7.5 * unit / MM)
        for track, turn, x, y, across, height in self.turns(wide, tall):
            fill = PALE * 0.6 if track == "speed" else None
            pen.rect(x * unit, y * unit, across * unit, height * unit, line=HAIR, fill=fill, ink="deep")
            if x == FIRST_TURN:
                word = _("Speed") if track == "speed" else _("Move")
                pen.text(1.5 * unit, (y + height / 2 - 0.9) * unit, word, small, face=NARROW)
            if track == "speed":
                middle, above = (x + across / 2) * unit, (y + height + 0.7) * unit
                pen.text(middle, above, str(turn), small, face=NARROW, align="centre", ink="soft")

    def _draw_rolls(self, pen: Pen, unit: float, wide: float) -> None:
        """The highest roll that hits at each range, where there is room beside the boxes."""
        left = 31 + STEP * MAX_DRAWN + 1.5
        if wide - left < 24:
            return
        size = max(7, 7.5 * unit / MM)
        pen.text(left * unit, -10.6 * unit, _("Hits on, or less"), size, face=NARROW_BOLD, ink="deep")
        step = (wide - left - 1.5) / 4
        for number, (hexes, roll) in enumerate(rolls_needed(self.ship)):
            x = (left + (number + 0.5) * step) * unit
            pen.text(x, -14.4 * unit, hexes, size, face=NARROW, align="centre", ink="soft")
            pen.text(x, -20.4 * unit, roll, (11 if len(roll) > 1 else 14) * unit / MM, face=NAME, align="centre")

    def _draw_ship(self, pen: Pen, unit: float, wide: float, tall: float) -> None:
        ship, size = self.ship, 8.5 * unit / MM
        number = str(ship.unit or "")
        pen.text((wide - 1.8) * unit, -5.2 * unit, number, 13 * unit / MM, face=NAME, align="right", ink="deep")
        right = (wide - 11) * unit
        to_hit = _("TO-HIT {n}").format(n=ship.element.to_hit if ship.element else "____")
        words = join(filter(None, (to_hit, self.points)), " · ")
        taken = min(ems(words, NARROW) * size, 0.5 * wide * unit)
        pen.fit(right - taken, -5 * unit, words, taken, size, face=NARROW)
        pen.fit(1.8 * unit, -5.2 * unit, ship.name, right - taken - 4 * unit, 12 * unit / MM, face=NAME)
        self._draw_odd(pen, unit, wide)
        for mark in self.marks() if ship.mark or pen.style.fillable else ():
            place = mark.x * unit, mark.y * unit, BOX * unit
            lost = ship.is_lost(mark.track, mark.box)
            if lost and not pen.style.fillable:
                pen.rect(*place, BOX * unit, fill=1)
            name = f"{ship.path}.{mark.track}.{mark.box}"
            pen.check(name, *place, BOX * unit, lost, ship.tooltip(mark.track, mark.box))
        cells = self.turns(wide, tall)
        turn_fields(pen, ship, ((track, n, x * unit, y * unit, w * unit, h * unit) for track, n, x, y, w, h in cells))
        if ship.element is None:
            room = right - taken - 4 * unit
            pen.field(f"{ship.path}.name", 1.8 * unit, -6.6 * unit, room, 5.4 * unit, tooltip=_("Ship name"))

    def _draw_odd(self, pen: Pen, unit: float, wide: float) -> None:
        """Draw what the boxes do not show: stats out of range beside their names, and other weapons after the boxes."""
        ship, small = self.ship, max(7, 7.5 * unit / MM)
        if ship.element is None:
            return
        for row, stat in enumerate((ship.element.engine, ship.element.shield)):
            if not 0 <= stat <= MAX_DRAWN:
                number = with_minus_sign(str(stat))
                place = 30.4 * unit, (-11 - 5.2 * row) * unit
                pen.text(*place, number, small, face=NARROW_BOLD, align="right", ink="deep")
        if ship.other_weapons:
            left = 31 + STEP * len([side for side in SIDES if side in ship.design(self.most_engine).weapons])
            words = _("Other weapons: {sides}").format(sides=ship.other_weapons)
            room = (min(wide, 31 + STEP * MAX_DRAWN + 1.5) if wide > 90 else wide) - left - 1.5
            pen.fit(left * unit, (-11 - 5.2 * 2) * unit, words, max(room, 8) * unit, small, face=NARROW)
