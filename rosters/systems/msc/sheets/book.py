"""The forms of the rulebook, in its order of fields: Ship Turn Record, Fleet Control Sheet, Production Control Sheet.

Lengths of the record are in millimeters of normal print, from its upper left corner, y upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from rosters.core.amounts import to_amount
from rosters.core.appraisals import points_difference
from rosters.core.messages import _, join
from rosters.pdf.blocks import Cell, Column, Content, Heading, Row, Space, Stack, TableHead, fill_in_cell, nth_row
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, Block, Pen, Style
from rosters.pdf.fonts import BOLD, CAP_HEIGHT, NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.sections import ILLEGAL, MASTHEAD, STRIP, Group, Section, frame
from rosters.pdf.text import LEADING
from rosters.systems.msc.rules import ENGINE, MAX_STAT, SHIELD, SIDES, TO_HIT
from rosters.systems.msc.sheets.ships import TURNS, PrintedShip, draw_silhouette, odd_values, ships, turn_fields

ROWS = TURNS // 2
OVAL = 6.4, 4.6
"""Width and height of an oval."""
TABLE = -33.0
"""The top of the turns."""
MIN_WIDTH = 130.0


class Oval(NamedTuple):
    """An oval: its track, its box (a number from 0, or a side), and its lower left corner in millimeters."""

    track: str
    box: int | str
    x: float
    y: float


class BookRecord(NamedTuple):
    """The Ship Turn Record, ``fixed_height`` points high, turns 1 to 30 in two blocks."""

    ship: PrintedShip
    fixed_height: float
    max_engine: int

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit = MM * max(1.0, min(pen.style.scale, width / MM / MIN_WIDTH))
        form_width, form_height = width / unit, self.fixed_height / unit
        with pen.transformed(x, top):
            key = ("book record", self.max_engine, width, self.fixed_height)
            pen.draw_cached(key, 0, 0, lambda: self._draw_blank(pen, unit, form_width, form_height))
            self._draw_ship(pen, unit, form_width, form_height)

    def ovals(self, width: float) -> Iterator[Oval]:
        """The ovals of a record of a width in millimeters."""
        for half, (track, number) in enumerate((("engine", self.max_engine), ("shield", MAX_STAT))):
            for box in range(number):
                yield Oval(track, box, half * width / 2 + 17 + 7.8 * box, -21.5)
        for place, side in enumerate(SIDES):
            yield Oval("weapons", side, width - 78 + 15.6 * place + 8, -29)

    def is_filled(self, oval: Oval) -> bool:
        """Whether an oval is filled in: it was not bought, or it is lost to damage."""
        ship = self.ship.element
        if ship is None:
            return False
        bought = oval.box in ship.weapons if oval.track == "weapons" else int(oval.box) < getattr(ship, oval.track)
        return not bought or self.ship.is_lost(oval.track, oval.box)

    def turns(self, width: float, height: float) -> Iterator[tuple[int, float, float, float]]:
        """Each turn with the left edge of its block, the bottom of its row, and the width of the block."""
        half, row = (width - 6) / 2, (height + TABLE) / (ROWS + 1)
        for turn in range(1, TURNS + 1):
            block, line = divmod(turn - 1, ROWS)
            yield turn, block * (half + 6), TABLE - (line + 2) * row, half

    def _draw_blank(self, pen: Pen, unit: float, width: float, height: float) -> None:
        pen.label(0, -3.4 * unit, _("Ship Turn Record"), size=max(7, 7.5 * unit / MM))
        pen.text(0, -11.5 * unit, _("Ship Name:"))
        pen.line(19 * unit, -12.6 * unit, (width - 42) * unit, -12.6 * unit, HAIR)
        pen.text((width - 39) * unit, -11.5 * unit, _("Unit #"))
        pen.line((width - 28) * unit, -12.6 * unit, (width - 16) * unit, -12.6 * unit, HAIR)
        pen.text(0, -20.2 * unit, f"{ENGINE}:", face=BOLD)
        pen.text(width / 2 * unit, -20.2 * unit, f"{SHIELD}:", face=BOLD)
        pen.text(0, -27.7 * unit, f"{TO_HIT}:", face=BOLD)
        pen.line(17 * unit, -28.6 * unit, 29 * unit, -28.6 * unit, HAIR)
        pen.text((width - 94) * unit, -27.7 * unit, _("Weapons:"), face=BOLD)
        for oval in self.ovals(width):
            pen.oval(oval.x * unit, oval.y * unit, OVAL[0] * unit, OVAL[1] * unit)
            if oval.track == "weapons":
                pen.text((oval.x - 1) * unit, (oval.y + 1.3) * unit, f"{oval.box}:", align="right")
        self._draw_turns(pen, unit, width, height)

    def _draw_turns(self, pen: Pen, unit: float, width: float, height: float) -> None:
        row = (height + TABLE) / (ROWS + 1)
        for turn, left, y, half in self.turns(width, height):
            if turn % ROWS == 1:
                pen.shade(left * unit, (TABLE - row) * unit, half * unit, row * unit)
                for x, head in ((1.0, _("Turn")), (12, _("Speed")), (29, _("Move"))):
                    pen.text((left + x) * unit, (TABLE - 0.7 * row) * unit, head, pen.style.small, face=NARROW_BOLD)
                for x in (0.0, 11.0, 28.0, half):
                    pen.line((left + x) * unit, TABLE * unit, (left + x) * unit, -height * unit, HAIR, ink="line")
            pen.text((left + 8) * unit, (y + 0.3 * row) * unit, str(turn), align="right")
            pen.line(left * unit, y * unit, (left + half) * unit, y * unit, LINE if turn % 5 == 0 else HAIR, ink="soft")

    def _draw_ship(self, pen: Pen, unit: float, width: float, height: float) -> None:
        ship = self.ship
        if ship.element is not None:
            pen.fit(20 * unit, -11.3 * unit, ship.name, (width - 63) * unit, 14 * unit / MM, face=NAME)
            pen.fit((width - 27) * unit, -11.3 * unit, ship.number, 10 * unit, 14 * unit / MM, face=NAME)
            pen.fit(18 * unit, -27.5 * unit, str(ship.element.to_hit), 10 * unit, 14 * unit / MM, face=NAME)
            draw_silhouette(pen, ship, (width - 7) * unit, -7 * unit, (14 * unit, 13 * unit), turns=0)
            odd = odd_values(ship, MAX_STAT if ship.element.engine <= MAX_STAT else self.max_engine)
            pen.fit(width * 0.3 * unit, -3.4 * unit, odd, (width * 0.7 - 16) * unit, pen.style.small, face=NARROW_BOLD)
        for oval in self.ovals(width):
            place = oval.x * unit, oval.y * unit, OVAL[0] * unit, OVAL[1] * unit
            if self.is_filled(oval):
                pen.oval(*place, fill=1)
            else:
                name = f"{ship.path}.{oval.track}.{oval.box}"
                pen.check(name, *place, tooltip=ship.tooltip(oval.track, oval.box))
        row = (height + TABLE) / (ROWS + 1) * unit
        cells = (("speed", 11, 17), ("move", 28, 0))
        turn_fields(
            pen,
            ship,
            (
                (track, turn, (left + x) * unit, y * unit, (column_width or half - x) * unit, row)
                for turn, left, y, half in self.turns(width, height)
                for track, x, column_width in cells
            ),
        )
        if ship.element is None:
            pen.field(f"{ship.path}.name", 19 * unit, -12.3 * unit, width / 2 * unit, 5 * unit, tooltip=_("Ship Name:"))


# ---------------------------------------------------------------- the control sheets

ROWS_PER_PAGE = 15
FLEET = (
    Column(_("Ship name or #"), 6, face=NARROW_BOLD),
    *(Column(head, 2, "centre", face=NAME) for head in (_("Off. BP"), _("Def. BP"), _("Engine"))),
)
DICE = (
    Column("", 4),
    *(
        Column(head, 2, "centre", face=NAME)
        for head in (_("Off. BP"), _("Attack dice"), _("Def. BP"), _("Save dice"), _("Speed"))
    ),
)
FACTS = "offensive", "attack_dice", "defensive", "save_dice", "speed"
"""The facts of a fleet in the columns of its dice."""
PRODUCTION = (
    Column(_("Turn"), 1.2, "centre"),
    Column(_("Prod. BPs"), 2, "centre"),
    Column(_("Spent BPs"), 2, "centre"),
    Column(_("Running Total"), 2, "centre"),
    Column(_("Systems Captured"), 4, "centre"),
)
LOSSES, LARGE, LOSS_LINES = 4, 1.4, 1.7
"""The most rows for the dice after losses, the size of text beside running text, and the height of these rows."""
ROW_LINES = 1.9
"""The least height of the row of a ship."""
SHIP, NUMBERED = (15 * MM, 7.5 * MM), 24 * MM
"""The room for the picture of a ship, and where its name begins, after its number."""


def fleet_control(job: Job) -> Iterator[Section]:
    """The Fleet Control Sheet of every fleet, fifteen ships per page."""
    page = partial(_fleet_page, *_row_lines(job))
    if not job.appraisal.quantity:
        yield page("", (), [], "blank")
        return
    for number, formation, priced in job.formations():
        dice = tuple(str(priced.facts[fact]) for fact in FACTS) if "offensive" in priced.facts else ()
        rows = _fleet_rows(job, number)
        listed = [*islice(rows, ROWS_PER_PAGE)]
        while True:
            yield page(formation.name, dice, listed, f"f{number}")
            listed = [*islice(rows, ROWS_PER_PAGE)]
            if not listed:
                break


def _row_lines(job: Job) -> tuple[float, int]:
    """The height of a row in lines, with which fifteen of them fill a page, and the rows for losses below them."""
    width, height = frame(job.options.paper)
    available = height - MASTHEAD + STRIP - (ILLEGAL if job.header.illegal else 0)
    padding = Row(FLEET, ("",) * len(FLEET), min_lines=1).height(job.style, width) - job.style.line
    for losses in range(LOSSES, -1, -1):
        ends = (*_fleet_head("").blocks, *_fleet_foot((), losses, "").blocks)
        taken = sum(block.height(job.style, width) for block in ends)
        lines = ((available - taken) / ROWS_PER_PAGE - padding) / job.style.line
        if lines >= ROW_LINES:
            return min(lines, 3.2), losses
    return ROW_LINES, 0


def _fleet_head(name: str) -> Stack:
    title = _("Fleet Control Sheet: {fleet}").format(fleet=name) if name else _("Fleet Control Sheet")
    return Stack((Heading(title), Space(0.3), TableHead(FLEET)))


def _fleet_foot(dice: tuple[str, ...], losses: int, path: str) -> Stack:
    """The dice of the whole fleet, to fill in if they are not known, and after losses."""
    rows = []
    for row in range(losses + 1):
        text = _("After losses") if row else _("Whole fleet")
        blank = (
            fill_in_cell(f"{path}.dice.r{row}.c{n}", join((text, str(row or ""), each.head), " "))
            for n, each in enumerate(DICE[1:])
        )
        rows.append(Row(DICE, (text, *(dice if dice and not row else blank)), LARGE, min_lines=LOSS_LINES))
    return Stack((Space(0.6), TableHead(DICE), *rows))


def _fleet_rows(job: Job, number: int) -> Iterator[tuple[Content, ...]]:
    for ship in ships(job, 0):
        if ship.formation == number and ship.element and ship.priced:
            facts = ship.priced.facts
            offensive, defensive = str(facts.get("offensive", "")), str(facts.get("defensive", ""))
            yield _ship_cell(ship), offensive, defensive, str(ship.element.engine)


def _ship_cell(ship: PrintedShip) -> Cell:
    """The picture, number and name of a ship."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size, middle = pen.style.font_size(LARGE * 0.9), top - height / 2
        draw_silhouette(pen, ship, x + SHIP[0] / 2, middle, (SHIP[0], min(SHIP[1], 0.9 * height)))
        base = middle - size * CAP_HEIGHT / 2
        pen.text(x + NUMBERED - 1.5 * MM, base, ship.number, pen.style.body, face=NARROW, align="right", ink="soft")
        pen.fit(x + NUMBERED, base, ship.name, width - NUMBERED, size, face=NARROW_BOLD)

    return Cell(lambda style, width: style.font_size(LARGE) * LEADING, paint)


def _fleet_page(
    lines: float, losses: int, name: str, dice: tuple[str, ...], rows: list[tuple[Content, ...]], path: str
) -> Section:
    blocks: list[Block] = [Row(FLEET, row, LARGE, min_lines=lines) for row in rows]
    for row in range(len(rows), ROWS_PER_PAGE):
        cells = tuple(
            fill_in_cell(f"{path}.fleet.r{row}.c{n}", nth_row(each.head, row + 1)) for n, each in enumerate(FLEET)
        )
        blocks.append(Row(FLEET, cells, min_lines=lines))
    group = Group([*blocks, _fleet_foot(dice, losses, path)], _fleet_head(name), name)
    return Section(_("Fleet Control"), [group], new_page=True)


def production(job: Job) -> Iterator[Section]:
    """The Production Control Sheet, turns 1 to 15, and what the fleets cost before the first."""
    width, height = frame(job.options.paper)
    head = Heading(_("Production Control Sheet"), _("1 BP for each system and turn"))
    available = height - MASTHEAD + STRIP - (ILLEGAL if job.header.illegal else 0) - head.height(job.style, width)
    limit, spent = job.appraisal.budget, job.appraisal.points
    start: tuple[str, ...] = ()
    if job.points and limit is not None and spent is not None:
        start = tuple(map(job.amount, (to_amount(limit), spent, points_difference(spent, to_amount(limit)))))
    yield Section(_("Production Control Sheet"), [Group([Ledger(available, start)], head)])


class Ledger(NamedTuple):
    """The turns of the strategic game in rows, ``fixed_height`` points high: BP of a turn, and the systems captured.

    ``start`` are the BP to begin with, spent and left; () where they are hidden or there is no limit.
    """

    fixed_height: float
    start: tuple[str, ...] = ()

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        shares = [column.share for column in PRODUCTION]
        lefts = [x + width * sum(shares[:number]) / sum(shares) for number in range(len(shares) + 1)]
        heads = TableHead(PRODUCTION).height(pen.style, width)
        row = (self.fixed_height - heads) / (ROWS_PER_PAGE + 1)
        size = min(pen.style.body * 1.5, row * 0.7)
        TableHead(PRODUCTION).draw(pen, x, top, width)
        for turn in range(ROWS_PER_PAGE + 1):
            low = top - heads - (turn + 1) * row
            if turn % 2 == 0:
                pen.shade(x, low, width, row, PALE * 0.6)
            pen.line(x, low, x + width, low, HAIR, ink="line")
            text = str(turn) if turn else _("Start")
            middle = (lefts[0] + lefts[1]) / 2
            pen.fit(
                lefts[0], low + row / 2 - size * 0.35, text, middle * 2 - 2 * lefts[0], size, face=NAME, align="centre"
            )
            for number, column in enumerate(PRODUCTION[1:], start=1):
                left, column_width = lefts[number], lefts[number + 1] - lefts[number]
                if not turn and number <= len(self.start):
                    amount = self.start[number - 1]
                    pen.fit(left, low + row / 2 - size * 0.35, amount, column_width, size, face=NAME, align="centre")
                else:
                    name = f"production.t{turn}.c{number}"
                    tooltip = nth_row(column.head, turn) if turn else join((column.head, text), ": ")
                    pen.field(name, left, low, column_width, row, tooltip=tooltip)
        for left in lefts[1:-1]:
            pen.line(left, top - heads, left, top - self.fixed_height, HAIR, ink="line")
