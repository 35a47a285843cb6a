"""Compact records for large fleets: a ship with its arcs, rolls, boxes and turns. Lengths in mm of normal print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rosters.core.messages import _, join
from rosters.pdf.canvas import HAIR, MM, PALE, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid, frame
from rosters.systems.msc.drawing import ARCS, MAX_DRAWN, arcs_of, side_spot
from rosters.systems.msc.rules import ENGINE, SHIELD, SIDES
from rosters.systems.msc.sheets.ships import (
    TURNS,
    PrintedShip,
    draw_silhouette,
    odd_values,
    points_of,
    rolls_needed,
    ships_with_record,
    turn_fields,
)
from rosters.systems.msc.tables import DAMAGE, DAMAGED_PARTS, NONE_LEFT

BOX, STEP = 4.6, 5.25
GAP = 1.5
WIDTH, HEIGHT = 92.0, 62.0
"""The least size of a record in normal print; what is wider has broader turns, what is taller has higher ones."""
ARC_WIDE = 17.0
"""The width of the picture of the arcs, around which the boxes of weapons are."""
ARC_AT = 14.0, -21.3
"""The middle of the arcs."""
ARMED = 0.32
"""The share of the side's color in an arc into which the ship fires."""
TRACKS, BOXES = 27.4, 44.8
"""Where the damage begins, and its boxes."""
SHIP = 11.6
"""The greatest length of the ship beside its name."""
ROWS = (-17.0, -22.4, -27.0)
"""The lower edges of the rows of damage."""
FIRST_TURN, TURNS_TOP, ACROSS = 10.0, 31.2, 10
"""Where the turns begin from the left and from the top, and how many stand in a row."""
SPEED, NUMBER = 5.0, 3.3
"""The height of the cell for SPEED, and the width of the number of the turn before it."""


def compact(job: Job) -> Iterator[Grid]:
    """Eight records on a page, three in A5; three, or two, in large print."""
    small, large = job.options.half, job.options.large
    columns, rows = 1 if small or large else 2, 2 if small and large else 3 if small or large else 4
    height = (frame(job.options.paper, bare=True)[1] - GAP * MM * (rows - 1)) / rows
    max_engine = job.terms.options.max_engine
    blocks = (
        (ship.fleet, CompactRecord(ship, max_engine, height, points_of(job, ship)))
        for ship in ships_with_record(job, columns * rows)
    )
    yield Grid(_("Compact records"), blocks, share=(columns, rows), gap=GAP * MM)


class Mark(NamedTuple):
    """A box: its track, its box (a number from 0, or a side), and its lower left corner."""

    track: str
    box: int | str
    x: float
    y: float


class CompactRecord(NamedTuple):
    """The compact record of a ship, ``fixed_height`` points high."""

    ship: PrintedShip
    max_engine: int
    fixed_height: float
    points: str

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit = MM * max(1.0, min(pen.style.scale, width / MM / WIDTH, self.fixed_height / MM / HEIGHT))
        form_width, form_height = width / unit, self.fixed_height / unit
        design = self.ship.design(self.max_engine)
        with pen.transformed(x, top):
            key, rolls = (width, self.fixed_height), (*rolls_needed(self.ship),)
            pen.draw_cached(("compact", *key), 0, 0, lambda: self._draw_form(pen, unit, form_width, form_height))
            pen.draw_cached(("ship", design, not self.ship.element, *key), 0, 0, lambda: self._draw_design(pen, unit))
            pen.draw_cached(("rolls", rolls, *key), form_width * unit, 0, lambda: self._draw_rolls(pen, unit, rolls))
            self._draw_ship(pen, unit, form_width, form_height)

    def marks(self) -> Iterator[Mark]:
        """A box for each point of SHIELD and ENGINE, and for each weapon at its side of the arcs."""
        design = self.ship.design(self.max_engine)
        for low, track in zip(ROWS, ("shield", "engine"), strict=False):
            for box in range(min(getattr(design, track), MAX_DRAWN)):
                yield Mark(track, box, BOXES + STEP * box, low)
        for side in SIDES:
            if side in design.weapons:
                scale = ARC_WIDE / ARCS
                x, y = side_spot(side, BOX / scale)
                yield Mark("weapons", side, ARC_AT[0] + x * scale - BOX / 2, ARC_AT[1] - y * scale - BOX / 2)

    def turns(self, width: float, height: float) -> Iterator[tuple[str, int, float, float, float, float]]:
        """The cells of the turns: track, turn, lower left corner, width and height."""
        row_height, turn_width = (height - TURNS_TOP - 1.2) * ACROSS / TURNS, (width - FIRST_TURN - 1.2) / ACROSS
        for turn in range(TURNS):
            row, column = divmod(turn, ACROSS)
            x, top = FIRST_TURN + column * turn_width, -TURNS_TOP - row * row_height
            yield "speed", turn + 1, x + NUMBER, top - SPEED, turn_width - NUMBER, SPEED
            yield "move", turn + 1, x, top - row_height, turn_width, row_height - SPEED

    def _draw_form(self, pen: Pen, unit: float, width: float, height: float) -> None:
        """Draw what all ships have: the frame, what a hit does, and the turns."""
        small = max(7, 7.5 * unit / MM)
        pen.frame(0, -height * unit, width * unit, height * unit)
        pen.line(1.5 * unit, -7 * unit, (width - 1.5) * unit, -7 * unit, HAIR, ink="line")
        pen.label(TRACKS * unit, -10.4 * unit, _("A hit on this ship: D6"), size=max(7, 7 * unit / MM))
        for low, (die, _words), part in zip(ROWS, DAMAGE, (SHIELD, f"{ENGINE} *", DAMAGED_PARTS[-1]), strict=True):
            base = (low + (1.4 if low > ROWS[-1] else 0.9)) * unit
            pen.text((TRACKS + 5.4) * unit, base, die, 9.5 * unit / MM, face=NAME, align="right")
            pen.text((TRACKS + 6.6) * unit, base, part, small, face=NARROW_BOLD, ink="deep")
        self._draw_turns(pen, unit, width, height)

    def _draw_turns(self, pen: Pen, unit: float, width: float, height: float) -> None:
        small = max(7, 7.5 * unit / MM)
        for track, turn, x, y, turn_width, row_height in self.turns(width, height):
            if track == "speed":
                pen.rect(
                    x * unit, y * unit, turn_width * unit, row_height * unit, line=HAIR, fill=PALE * 0.6, ink="side"
                )
                number = (x - NUMBER / 2) * unit, (y + row_height / 2 - 0.9) * unit
                pen.text(*number, str(turn), small, face=NARROW, align="centre", ink="soft")
                continue
            pen.rect(x * unit, y * unit, turn_width * unit, (row_height + SPEED) * unit, line=HAIR, ink="side")
            if turn % ACROSS == 1:
                for word, middle in ((_("Speed"), y + row_height + SPEED / 2), (_("Move"), y + row_height / 2)):
                    pen.text(1.6 * unit, (middle - 0.9) * unit, word, small, face=NARROW)

    def _draw_design(self, pen: Pen, unit: float) -> None:
        """Draw the arcs into which the ship fires, and its boxes."""
        known = self.ship.element is not None
        sides = tuple(side for side in SIDES if known and side in self.ship.design(self.max_engine).weapons)
        x, y = ARC_AT
        arcs = arcs_of(sides)
        pen.picture(arcs, (x - ARC_WIDE / 2) * unit, (y + ARC_WIDE / 2) * unit, ARC_WIDE * unit, tile=ARMED)
        draw_silhouette(pen, self.ship, x * unit, y * unit, (6.6 * unit, 6.6 * unit), turns=0)
        if known:
            draw_silhouette(pen, self.ship, 7.6 * unit, -3.6 * unit, (SHIP * unit, 5.4 * unit))
        for mark in self.marks():
            text = str(mark.box + 1) if isinstance(mark.box, int) else mark.box
            pen.box(mark.x * unit, mark.y * unit, BOX * unit, label=text)

    def _draw_rolls(self, pen: Pen, unit: float, rolls: Iterable[tuple[str, str]]) -> None:
        """Draw the highest roll that hits at each range, at the left of the origin."""
        size, left, right = max(7, 7 * unit / MM), -15.2 * unit, -1.8 * unit
        pen.text(left, -10.4 * unit, _("Range"), size, face=NARROW_BOLD, ink="deep")
        pen.text(right, -10.4 * unit, _("Hits"), size, face=NARROW_BOLD, ink="deep", align="right")
        for number, (hexes, roll) in enumerate(rolls):
            base = (-15 - 4.6 * number) * unit
            pen.text(left, base, hexes, 8.5 * unit / MM, face=NARROW)
            needed = f"≤ {roll}" if roll.isdigit() else roll
            pen.text(right, base, needed, 12 * unit / MM, face=NAME, align="right")
            pen.line(left, base - 1.1 * unit, right, base - 1.1 * unit, HAIR, ink="line")

    def _draw_ship(self, pen: Pen, unit: float, width: float, height: float) -> None:
        ship, size = self.ship, 8.5 * unit / MM
        pen.fit(
            (width - 10.8) * unit,
            -5.2 * unit,
            ship.number,
            9 * unit,
            13 * unit / MM,
            face=NAME,
            align="right",
            ink="deep",
        )
        right = (width - 11) * unit
        to_hit = _("TO-HIT {n}").format(n=ship.element.to_hit if ship.element else "____")
        text = join(filter(None, (to_hit, self.points)), " · ")
        taken = min(ems(text, NARROW) * size, 0.5 * width * unit)
        pen.fit(right - taken, -5 * unit, text, taken, size, face=NARROW)
        left = (1.8 + (SHIP + 1.2 if ship.element else 0)) * unit
        pen.fit(left, -5.2 * unit, ship.name, right - taken - left - 2 * unit, 12 * unit / MM, face=NAME)
        odd = odd_values(ship, MAX_DRAWN)
        face, available, small = NARROW_BOLD if odd else NARROW, (width - TRACKS - 16) * unit, max(7, 7 * unit / MM)
        pen.fit(
            TRACKS * unit, -29.9 * unit, odd or NONE_LEFT, available, small, face=face, ink="ink" if odd else "soft"
        )
        for mark in self.marks() if ship.mark or pen.style.fillable else ():
            place = mark.x * unit, mark.y * unit, BOX * unit
            lost = ship.is_lost(mark.track, mark.box)
            if lost and not pen.style.fillable:
                pen.rect(*place, BOX * unit, fill=1)
            name = f"{ship.path}.{mark.track}.{mark.box}"
            pen.check(name, *place, BOX * unit, lost, ship.tooltip(mark.track, mark.box))
        cells = self.turns(width, height)
        turn_fields(pen, ship, ((track, n, x * unit, y * unit, w * unit, h * unit) for track, n, x, y, w, h in cells))
        if ship.element is None:
            available = right - taken - 4 * unit
            pen.field(f"{ship.path}.name", 1.8 * unit, -6.6 * unit, available, 5.4 * unit, tooltip=_("Ship name"))
