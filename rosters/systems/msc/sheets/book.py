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
from rosters.pdf.blocks import Block, Column, Heading, Paragraph, Row, Space, Stack, TableHead, fill_in_cell, nth_row
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, Pen, Style
from rosters.pdf.fonts import BOLD, NAME, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.layout import ILLEGAL, MASTHEAD, STRIP, Group, Section, frame
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
    *(Column(head, 2, "centre") for head in (_("Off. BP"), _("Def. BP"), _("Engine"))),
)
PRODUCTION = (
    Column(_("Turn"), 1.2, "centre"),
    Column(_("Prod. BPs"), 2, "centre"),
    Column(_("Spent BPs"), 2, "centre"),
    Column(_("Running Total"), 2, "centre"),
    Column(_("Systems Captured"), 4, "centre"),
)
BLANK_SUMMARY = _("Off. BP ____ · Def. BP ____ · Attack dice ____ · Save dice ____ · Speed ____")

AFTER_LOSSES = _("After losses: Off. BP ____ · Def. BP ____ · Attack dice ____ · Save dice ____ · Speed ____")
LOSSES, ROW_LINES = 4, 1.9
"""Lines to write the dice on after losses, where there is room, and the least height of a row."""


def fleet_control(job: Job) -> Iterator[Section]:
    """The Fleet Control Sheet of every fleet, fifteen ships per page."""
    page = partial(_fleet_page, *_row_lines(job))
    if not job.appraisal.quantity:
        yield page("", BLANK_SUMMARY, [], "blank")
        return
    for number, formation, priced in job.formations():
        facts, summary = priced.facts, BLANK_SUMMARY
        if "offensive" in facts:  # points are not hidden
            summary = _(
                "Off. BP {offensive}: attack dice {attack_dice} · Def. BP {defensive}: save dice {save_dice} · "
                "Fleet speed {speed}"
            ).format(**facts)
        rows = _fleet_rows(job, number)
        listed = [*islice(rows, ROWS_PER_PAGE)]
        while True:
            yield page(formation.name, summary, listed, f"f{number}")
            listed = [*islice(rows, ROWS_PER_PAGE)]
            if not listed:
                break


def _row_lines(job: Job) -> tuple[float, int]:
    """The height of a row in lines, with which fifteen of them fill a page, and the lines for losses below them."""
    width, height = frame(job.options.paper)
    available = height - MASTHEAD + STRIP - (ILLEGAL if job.header.illegal else 0)
    ends = (*_fleet_head("").blocks, *_fleet_foot(AFTER_LOSSES, LOSSES).blocks)
    padding = Row(FLEET, ("",) * len(FLEET), min_lines=1).height(job.style, width) - job.style.line
    available -= sum(block.height(job.style, width) for block in ends)
    lines = (available / ROWS_PER_PAGE - padding) / job.style.line
    return (min(lines, 3.2), LOSSES) if lines >= ROW_LINES else (ROW_LINES, 0)


def _fleet_head(name: str) -> Stack:
    title = _("Fleet Control Sheet: {fleet}").format(fleet=name) if name else _("Fleet Control Sheet")
    return Stack((Heading(title), Space(0.3), TableHead(FLEET)))


def _fleet_foot(summary: str, losses: int) -> Stack:
    return Stack((Space(0.6), Paragraph(summary), *(Space(0.7), Paragraph(AFTER_LOSSES)) * losses))


def _fleet_rows(job: Job, number: int) -> Iterator[tuple[str, ...]]:
    for ship in ships(job, 0):
        if ship.formation == number and ship.element and ship.priced:
            facts = ship.priced.facts
            yield ship.name, str(facts.get("offensive", "")), str(facts.get("defensive", "")), str(ship.element.engine)


def _fleet_page(lines: float, losses: int, name: str, summary: str, rows: list[tuple[str, ...]], path: str) -> Section:
    blocks: list[Block] = [Row(FLEET, row, min_lines=lines) for row in rows]
    for row in range(len(rows), ROWS_PER_PAGE):
        cells = tuple(
            fill_in_cell(f"{path}.fleet.r{row}.c{n}", nth_row(each.head, row + 1)) for n, each in enumerate(FLEET)
        )
        blocks.append(Row(FLEET, cells, min_lines=lines))
    group = Group([*blocks, _fleet_foot(summary, losses)], _fleet_head(name), name)
    return Section(_("Fleet Control Sheet"), [group], new_page=True)


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
