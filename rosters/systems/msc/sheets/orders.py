"""The order chart: every ship by turns, in landscape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.canvas import HAIR, LINE, MM, PALE, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.sections import ILLEGAL, MASTHEAD, STRIP, Group, Section, frame
from rosters.pdf.text import fit_text
from rosters.systems.msc.drawing import order_picture
from rosters.systems.msc.sheets.ships import PrintedShip, draw_silhouette, ships, turn_fields

NAMES = 56.0 * MM
"""The width of the names."""
ENGINE_ROOM = 9.0 * MM
"""The width of the column of ENGINE at the right of the names."""
TURNS = 30
"""The turns of a game, as on the records."""
TURN, SPEED, ROW, HEAD = 17.0 * MM, 6.0 * MM, 8.0 * MM, 8.4 * MM
"""The least width of a turn, that of its speed, and the least height of a row and that of the heads."""
MAX_HEIGHT = 12.0 * MM
"""The greatest height of a row, where there is room."""
KEY, PICTURE = 14.0 * MM, 12.0 * MM
"""The height of how orders are written, and of a picture in it."""
ORDERS: Mapping[str, str] = {
    "2L1": _("two on, left, one on: SPEED 4"),
    "R1R": _("right, one on, right: SPEED 3"),
    "1L2R": _("one on, left, two on, right: SPEED 5"),
}


def order_chart(job: Job) -> Iterator[Section]:
    """The orders of all ships, a row for each; about as many on each page, and more turns of a few below."""
    title, scale = _("Order chart"), _scale(job.style)
    width, height = frame(job.options.paper, landscape=True)
    height -= MASTHEAD + ILLEGAL - STRIP + KEY * scale
    max_rows = int((height - HEAD * scale) // (ROW * scale))
    single = len(job.document.formations) < 2
    rows = [OrderRow(ship._replace(fleet="") if single else ship) for ship in ships(job, max_rows)]
    per_page = ceil(len(rows) / ceil(len(rows) / max_rows))
    turns = len([*_turns(job.style, width)])
    times = 1 if job.blank else max(1, min(ceil(TURNS / turns), int(height // ((HEAD + per_page * ROW) * scale))))
    row_height = min(MAX_HEIGHT, (height / times / scale - HEAD) / per_page)
    for start in range(0, len(rows), per_page):
        page = rows[start : start + per_page]
        groups = [
            Group(
                [row._replace(first=first, row_height=row_height) for row in page],
                OrderHead(job.style, first),
                "" if first else title,
            )
            for first in range(0, times * turns, turns)
        ]
        yield Section(title, [*groups, Group([OrderKey()])], landscape=True, new_page=True)


def _turns(style: Style, width: float, first: int = 0) -> Iterator[tuple[int, float, float]]:
    """Each turn after the ``first`` ones with its distance from the left and its width."""
    names = NAMES * _scale(style)
    number = int((width - names) // TURN)
    turn_width = (width - names) / number
    return ((first + turn + 1, names + turn * turn_width, turn_width) for turn in range(number))


def _scale(style: Style) -> float:
    return max(1.0, min(style.scale, 1.4))


class OrderHead(NamedTuple):
    """The numbers of the turns, over the heads of their speed and move."""

    style: Style
    first: int = 0

    def height(self, style: Style, width: float) -> float:
        return HEAD * _scale(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        scale = _scale(self.style)
        low, size = top - HEAD * scale, 7 * scale
        upper, lower = low + 5 * MM * scale, low + 1.3 * MM * scale
        pen.shade(x, low, width, HEAD * scale)
        pen.label(x + 19.6 * MM * scale, lower, _("Ship"), size=size)
        pen.label(x + (NAMES - ENGINE_ROOM / 2) * scale, lower, _("Eng"), align="centre", size=size)
        for turn, left, turn_width in _turns(self.style, width, self.first):
            start = x + left
            pen.label(start + turn_width / 2, upper, _("T{n}").format(n=turn), align="centre", size=8 * scale)
            pen.text(start + SPEED / 2, lower, _("S"), size, face=NARROW, align="centre", ink="soft")
            pen.text(start + (SPEED + turn_width) / 2, lower, _("move"), size, face=NARROW, align="centre", ink="soft")
            pen.line(start, low, start, top, HAIR, ink="soft")
            pen.line(start + SPEED, low, start + SPEED, low + 4 * MM * scale, HAIR, ink="line")
        pen.line(x, low, x + width, low, LINE, ink="deep")


class OrderKey:
    """How SPEED and moves are written, with pictures of some orders."""

    def height(self, style: Style, width: float) -> float:
        return KEY * _scale(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        scale = _scale(pen.style)
        size, side = 8 * scale, PICTURE * scale
        middle = top - KEY * scale + side / 2
        columns = width / (len(ORDERS) + 1)
        speed = _("S: SPEED, at most the ENGINE left"), _("±1 a turn; spend all of it in the move")
        for number, line in enumerate(speed):
            pen.fit(x, middle + (0.3 - 1.3 * number) * size, line, columns - 2 * MM, size, face=NARROW)
        for number, (order, text) in enumerate(ORDERS.items(), start=1):
            left = x + number * columns
            pen.picture(order_picture(order), left, middle + side / 2, side)
            available = columns - side - 3 * MM
            pen.text(left + side + 1 * MM, middle + 0.3 * size, order, 1.2 * size, face=NARROW_BOLD)
            words = fit_text(text, available, size, 2, NARROW)
            pen.lines(left + side + 1 * MM, middle - 0.1 * size, words, face=NARROW, ink="soft")


class OrderRow(NamedTuple):
    """The orders of a ship: in each turn its SPEED, in a tinted cell, and its move."""

    ship: PrintedShip
    first: int = 0
    """The turns before those of the row."""
    row_height: float = ROW

    def height(self, style: Style, width: float) -> float:
        return self.row_height * _scale(style)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        ship, scale = self.ship, _scale(pen.style)
        row = self.row_height * scale
        pen.draw_cached(("orders", width, row), x, top - row, lambda: self._draw_cells(pen, width, row))
        baseline = top - row / 2 - 3.2 * scale
        if ship.element:
            draw_silhouette(pen, ship, x + 7 * MM * scale, top - row / 2, (14 * MM * scale, 6.4 * MM * scale))
            number = str(ship.unit)
            pen.text(x + 18 * MM * scale, baseline, number, 9 * scale, face=NARROW, align="right", ink="soft")
            available = (NAMES - ENGINE_ROOM - 20.6 * MM) * scale
            middle = x + (NAMES - ENGINE_ROOM / 2) * scale
            pen.text(middle, baseline, str(ship.element.engine), 10 * scale, face=NAME, align="centre")
            left, up = x + 19.6 * MM * scale, 2.6 * scale if ship.fleet else 0
            pen.fit(left, baseline + up, ship.name, available, 10 * scale, face=NARROW_BOLD)
            pen.fit(left, baseline - 2 * up, ship.fleet, available, 7 * scale, face=NARROW, ink="soft")
        cells = (
            (track, turn, x + left + start, top - row, cell_width, row)
            for turn, left, turn_width in _turns(pen.style, width, self.first)
            for track, start, cell_width in (("speed", 0.0, SPEED), ("move", SPEED, turn_width - SPEED))
        )
        turn_fields(pen, ship, cells)

    @staticmethod
    def _draw_cells(pen: Pen, width: float, row: float) -> None:
        for _turn, left, _turn_width in _turns(pen.style, width):
            pen.shade(left, LINE * 2, SPEED, row - LINE * 4, PALE * 0.7)
            pen.line(left, 0, left, row, HAIR, ink="soft")
        pen.line(width, 0, width, row, HAIR, ink="soft")
        pen.line(0, 0, width, 0, HAIR, ink="soft")
