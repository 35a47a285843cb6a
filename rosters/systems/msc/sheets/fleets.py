"""All fleets on shared pages: crossing out ships from the bottom, the lowest row left shows speed and dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import NoteLines, Paragraph, Space, Stack
from rosters.pdf.canvas import HAIR, LINE, MM, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.sections import COLUMN_GAP, MASTHEAD, STRIP, Group, Section, frame
from rosters.systems.msc.rules import POINTS_PER_ATTACK_DIE, POINTS_PER_SAVE_DIE, Stair, defensive, offensive, stairs
from rosters.systems.msc.sheets.book import fleet_control
from rosters.systems.msc.sheets.ships import PrintedShip, draw_silhouette, ships

ROW_HEIGHT, BOX_SIDE = 6.5 * MM, 5.0 * MM
MIN_TWO_COLUMNS = 170 * MM
"""The least width of a page with two columns of fleets."""
SHIP_SIZE, NAME_LEFT = (12.4 * MM, 5.2 * MM), 24.0 * MM
COLUMNS = ((_("Off"), 45.5), (_("Def"), 38), (_("Eng"), 31), (_("Att."), 22), (_("Save"), 13.2), (_("Spd"), 4.4))
"""The heads of the columns of numbers, and how far their middle is from the right margin."""
OWN_COLUMNS = [head for head, _right in COLUMNS[:3]]
"""The columns of a ship's own numbers; the others are those of its fleet."""
MAX_BLANK_ROWS = 15
"""Ships of a blank fleet, at most."""
FLEET_GAP = 1.6 * MM
"""The space above the name of a fleet."""
SCALE_HEIGHT, SCALE_LEFT, MIN_TICK, MAX_TICK = 5.6 * MM, 14.0 * MM, 1.12 * MM, 2.2 * MM
"""Scales of points: the height of a row, the room for its name, and the least and the most room of a point."""
MIN_DIE_WIDTH = 4.2 * MM
"""Dice that are closer are numbered two by two."""
MAX_SCALE_ROWS = 4
"""A scale of more rows is a line to write on."""
STEP_WIDTH = 8.2 * MM
"""The width of a tinted step."""
HOW_TO_READ = (
    _(
        "Cross out ships from the bottom: the lowest row left shows the fleet’s dice and its speed in hexes per turn. "
        "A tinted number is a change."
    ),
    _(
        "A ship equal to the lowest row left (OFF, DEF and ENGINE) is lost: cross out that lowest row for it, and note "
        "whose it was."
    ),
    _(
        "Any other is lost: strike the OFF and DEF of all ships lost so far off the ends of the two scales, and read "
        "the dice there from now on: 1 attack die for each full {attack} OFF, 1 save die for each full {save} DEF. "
        "The speed is the lowest ENGINE left."
    ).format(attack=POINTS_PER_ATTACK_DIE, save=POINTS_PER_SAVE_DIE),
    _("Each die of 5 or 6 destroys a ship, or saves one. The owner chooses the ships that are lost."),
)


def fleets(job: Job) -> Iterator[Section]:
    """The ships of every fleet with their BP and the fleet's dice, or the Fleet Control Sheets of the rulebook."""
    if job.choice("fleets", "stair") == "book":
        yield from fleet_control(job)
        return
    wide = frame(job.options.paper)[0] >= MIN_TWO_COLUMNS * job.style.scale
    groups = _groups(job) if job.appraisal.quantity else _blank_groups(job, 2 if wide else 1)
    yield Section(_("Fleet Control"), groups, columns=2 if wide else 1, new_page=True, rest=NoteLines)


def _blank_groups(job: Job, columns: int) -> Iterator[Group]:
    """Fleets to fill in, with the columns of their dice: as many ships as leave room for how to read them."""
    width, height = frame(job.options.paper)
    reading, head, ship = _instructions(), FleetHead("", False), PrintedShip()
    column_width = (width - (columns - 1) * COLUMN_GAP) / columns
    available = (
        height
        - (MASTHEAD - STRIP)
        - sum(block.height(job.style, column_width) for block in (reading.head, *reading.blocks) if block)
    )
    row_height = FleetRow(ship, None, None, False).height(job.style, 0)
    max_rows = int((available / columns - head.height(job.style, column_width)) / row_height)
    for fleet in range(columns * columns):
        rows = (ship._replace(path=f"blank{fleet}.r{row}") for row in range(min(MAX_BLANK_ROWS, max_rows)))
        yield Group([Stack(tuple(FleetRow(row, None, None, False) for row in rows))], head)
    yield reading


def _groups(job: Job) -> Iterator[Group]:
    scale = job.style.enlargement
    half = frame(job.options.paper)[1] / 2
    printed = [*ships(job, 0)]
    for number, formation, priced in job.formations():
        fleet = [ship for ship in printed if ship.formation == number and ship.element]
        if fleet:
            hidden = "offensive" not in priced.facts
            if not hidden:
                fleet.sort(key=_sort_key, reverse=True)
            steps = stairs(ship.element for ship in fleet if ship.element)
            pairs = zip(fleet, pairwise((None, *steps)), strict=True)
            rows = [FleetRow(ship, before, after, hidden) for ship, (before, after) in pairs if after]
            totals = () if hidden else (priced.facts["offensive"], priced.facts["defensive"])
            head = FleetHead(formation.name, hidden, totals)
            again = head._replace(name=_("{fleet}, continued").format(fleet=formation.name), totals=())
            is_short = len(rows) * ROW_HEIGHT * scale + head.height(job.style, 0) <= half
            yield Group([Stack(tuple(rows))] if is_short else rows, head, formation.name, continued=again)
    yield _instructions()


def _sort_key(ship: PrintedShip) -> tuple[int, ...]:
    """What ships are sorted by, so that equal ones are together and the cheapest are crossed out first."""
    assert ship.element
    attack, defense = offensive(ship.element), defensive(ship.element)
    return attack + defense, attack, ship.element.engine


def _instructions() -> Group:
    return Group(
        [Stack((*(part for text in HOW_TO_READ for part in (Paragraph(text, 0.9, face=NARROW), Space(0.3))),))],
        StripHead(_("Read the rows")),
    )


class StripHead(NamedTuple):
    """A label over a text."""

    text: str

    def height(self, style: Style, width: float) -> float:
        return 5.5 * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - 3.6 * MM, self.text)


class FleetHead(NamedTuple):
    """The name of a fleet over the heads of its columns."""

    name: str
    hidden: bool
    totals: tuple[int, ...] = ()
    """The fleet's OFF and DEF, each with a scale to strike losses off."""

    def _scales(self, style: Style, width: float) -> tuple[PointScale, ...]:
        """The scales of the fleet, none where one would need too many rows."""
        pairs = zip(COLUMNS, self.totals, (POINTS_PER_ATTACK_DIE, POINTS_PER_SAVE_DIE), strict=False)
        scales = tuple(PointScale(head, total, die) for (head, _right), total, die in pairs)
        return scales if all(scale.rows(style, width) <= MAX_SCALE_ROWS for scale in scales) else ()

    def height(self, style: Style, width: float) -> float:
        scales = sum(scale.height(style, width) for scale in self._scales(style, width))
        return (11.2 * MM + FLEET_GAP) * style.enlargement + scales

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        scale = pen.style.enlargement
        low, top = top - self.height(pen.style, width), top - FLEET_GAP * scale
        scales = self._scales(pen.style, width)
        available = width if self.hidden or scales else width - 38 * MM * scale
        name = self.name or _("Fleet: ____________")
        pen.fit(x, top - 4.8 * MM * scale, name, available, 13 * scale, face=NAME)
        down = top - 6.6 * MM * scale
        for each in scales:
            each.draw(pen, x, down, width)
            down -= each.height(pen.style, width)
        if not self.hidden and not scales:
            left = _("left: OFF ____ DEF ____")
            pen.text(x + width, top - 4.8 * MM * scale, left, 8 * scale, face=NARROW, align="right", ink="soft")
        height = 4.6 * MM * scale
        pen.shade(x, low, width, height)
        baseline = low + height / 2 - 2.4 * scale
        pen.label(x + NAME_LEFT * scale, baseline, _("Ship"), size=7 * scale)
        for head, right in shown_columns(self.hidden):
            pen.label(x + width - right * MM * scale, baseline, head, align="centre", size=7 * scale)
        pen.line(x, low, x + width, low, LINE, ink="deep")


class PointScale(NamedTuple):
    """A fleet's points as ticks to strike off from the end; the last die that is left is that of the fleet."""

    head: str
    total: int
    die: int
    """Points for a die."""

    def _row(self, style: Style, width: float) -> tuple[int, float]:
        """Ticks in a row, which are full dice, and from one to the next."""
        scale = style.enlargement
        available = width - SCALE_LEFT * scale
        number = max(int(available / (MIN_TICK * scale) // self.die) * self.die, self.die)
        return number, min(MAX_TICK * scale, max(MIN_TICK * scale, (available - 2 * MM) / max(self.total, 1)))

    def rows(self, style: Style, width: float) -> int:
        return ceil(self.total / self._row(style, width)[0])

    def height(self, style: Style, width: float) -> float:
        return self.rows(style, width) * SCALE_HEIGHT * style.enlargement

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        scale, (row, step) = pen.style.enlargement, self._row(pen.style, width)
        left, every = x + SCALE_LEFT * scale, self.die * (1 if self.die * step >= MIN_DIE_WIDTH * scale else 2)
        pen.label(x, top - 3.4 * MM * scale, self.head, size=7 * scale)
        pen.text(left - 1.5 * MM, top - 3.5 * MM * scale, str(self.total), 9 * scale, face=NARROW_BOLD, align="right")
        for start in range(0, self.total, row):
            end = min(start + row, self.total)
            low = top - 1.6 * MM * scale
            pen.line(left, low, left + (end - start) * step, low, HAIR, ink="deep")
            for point in range(start + 1, end + 1):
                at, full = left + (point - start) * step, point % self.die == 0
                pen.line(at, low - (0 if full else 0.3) * MM, at, top, LINE if full else HAIR, ink="deep")
                if point % every == 0:
                    dice = str(point // self.die)
                    pen.text(at, low - 2.7 * MM * scale, dice, 7.2 * scale, face=NARROW_BOLD, align="centre")
            top -= SCALE_HEIGHT * scale


def shown_columns(hidden: bool) -> tuple[tuple[str, float], ...]:
    """The columns of numbers; without points, those that give them away are left out."""
    return (COLUMNS[2], COLUMNS[5]) if hidden else COLUMNS


class FleetRow(NamedTuple):
    """A ship with its numbers, and with the dice and speed of the fleet that ends with it."""

    ship: PrintedShip
    before: Stair | None
    after: Stair | None
    hidden: bool

    def height(self, style: Style, width: float) -> float:
        return ROW_HEIGHT * style.enlargement

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        ship, scale = self.ship, pen.style.enlargement
        row, box = ROW_HEIGHT * scale, BOX_SIDE * scale
        middle, baseline = top - row / 2, top - row / 2 - 3.3 * scale
        tooltip = _("{ship}: destroyed").format(ship=ship.name or _("Ship"))
        pen.box(x, middle - box / 2, box, marked=ship.destroyed, name=f"{ship.path}.destroyed", tooltip=tooltip)
        draw_silhouette(pen, ship, x + 12.4 * MM * scale, middle, (SHIP_SIZE[0] * scale, SHIP_SIZE[1] * scale))
        number = str(ship.unit or "")
        pen.text(x + 22.4 * MM * scale, baseline, number, 9 * scale, face=NARROW, align="right", ink="soft")
        columns = shown_columns(self.hidden)
        available = width - (NAME_LEFT + (columns[0][1] + 4) * MM) * scale
        pen.fit(x + NAME_LEFT * scale, baseline, ship.name, available, 10 * scale, face=NARROW_BOLD)
        if ship.element is None:
            self._add_fields(pen, x, top - row, width, scale)
        for (_head, right), (value, steps) in zip(columns, self._values(), strict=True):
            middle_x = x + width - right * MM * scale
            if steps is None:
                available = 7 * MM * scale
                pen.fit(middle_x - available / 2, baseline, value, available, 10 * scale, face=NARROW, align="centre")
                continue
            if steps:
                pen.shade(
                    middle_x - STEP_WIDTH * scale / 2, top - row + 0.4 * MM, STEP_WIDTH * scale, row - 0.8 * MM, 0.16
                )
            ink = "ink" if steps else "soft"
            available = STEP_WIDTH * scale
            pen.fit(
                middle_x - available / 2, baseline, value, available, 12 * scale, face=NAME, align="centre", ink=ink
            )
        pen.line(x, top - row, x + width, top - row, HAIR, ink="line")

    def _add_fields(self, pen: Pen, x: float, low: float, width: float, scale: float) -> None:
        """The fields of a row to fill in: the name of the ship, and a number in each column."""
        left, end = x + NAME_LEFT * scale, x + width - (COLUMNS[0][1] + 4) * MM * scale
        pen.field(f"{self.ship.path}.name", left, low, end - left, ROW_HEIGHT * scale, tooltip=_("Ship name"))
        for number, (head, right) in enumerate(COLUMNS):
            place = x + width - right * MM * scale - 3.5 * MM * scale, low, 7 * MM * scale, ROW_HEIGHT * scale
            pen.field(f"{self.ship.path}.c{number}", *place, tooltip=head)

    def _values(self) -> Iterator[tuple[str, bool | None]]:
        """Each column's value, and whether it changes with this row; None for the ship's own numbers."""
        if not self.after:
            yield from (("", None if head in OWN_COLUMNS else True) for head, _right in COLUMNS)
            return
        facts = self.ship.priced.facts if self.ship.priced else {}
        own = (str(facts.get("offensive", "")), str(facts.get("defensive", "")))
        was = self.before or Stair(-1, 0, 0)
        after = self.after
        dice = ((after.attack_dice, was.attack_dice), (after.save_dice, was.save_dice))
        if not self.hidden:
            yield from ((value, None) for value in own)
        yield str(self.ship.element.engine if self.ship.element else ""), None
        if not self.hidden:
            yield from ((str(now), now != then) for now, then in dice)
        yield str(after.speed), after.speed != was.speed
