"""The hex map, on one page or over several with a column and a row in common."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import sqrt

from rosters.core.messages import _
from rosters.pdf.blocks import Drawing
from rosters.pdf.canvas import HAIR, LINE, MAP_EDGE, MM, Pen
from rosters.pdf.fonts import NARROW
from rosters.pdf.job import Job
from rosters.pdf.sections import Group, Section, frame
from rosters.pdf.tokens import hexagon
from rosters.systems.msc.sheets.ships import HEX_SIZE


def hex_map(job: Job) -> Iterator[Section]:
    """Hex maps in landscape, numbered by column and row through all pages."""
    area = frame(job.options.paper, landscape=True, bare=True)
    hex_size = float(job.choice("hexes", HEX_SIZE)) * MM
    columns, rows = (int(number) for number in job.choice("spread", "1x1").split("x"))
    for row in range(rows):
        for column in range(columns):
            page = HexPage(area, hex_size, (column, row), (columns, rows))
            yield Section(
                _("Hex map"), [Group([Drawing(area[1], page.draw)])], landscape=True, bare=True, note=page.note
            )


class HexPage:
    """A page of a map of hexes with flat tops, ``hex_size`` from flat to flat; ``place`` is that of ``pages``."""

    def __init__(
        self, area: tuple[float, float], hex_size: float, place: tuple[int, int], pages: tuple[int, int]
    ) -> None:
        self.hex_size, self.radius, self.place, self.pages = hex_size, hex_size / sqrt(3), place, pages
        width, height = (side - 2 * MAP_EDGE for side in area)
        self.columns = max(2, int((width - self.radius / 2) // (1.5 * self.radius)))
        self.rows = max(2, int((height - hex_size / 2) // hex_size))
        self.first_column, self.first_row = place[0] * (self.columns - 1), place[1] * (self.rows - 1)
        self.size = self.radius * (1.5 * self.columns + 0.5), hex_size * (self.rows + 0.5)

    @property
    def note(self) -> str:
        if self.pages == (1, 1):
            return ""
        text = _("Columns {first} to {last}: glue the first column and row of a page over the last of the page before.")
        return text.format(first=self.first_column + 1, last=self.first_column + self.columns)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        map_width, map_height = self.size
        left = x + (width - map_width) / 2
        top -= MAP_EDGE
        size = max(7.0, min(self.hex_size * 0.16, 9.0))
        draw_hex = partial(self._draw_hex, pen)
        for column in range(self.columns):
            middle = left + self.radius * (1 + 1.5 * column)
            number = self.first_column + column
            odd = number % 2
            half = -1 if odd else self.rows
            for row in range(-odd, self.rows + 1 - odd):
                y = top - self.hex_size * (row + 0.5 + 0.5 * odd)
                text = f"{number + 1:02}{self.first_row + row + 1:02}"
                baseline = y - size * 1.1 if row < 0 else y + self.hex_size * 0.46 - size * 0.8
                pen.text(middle, baseline, text, size, face=NARROW, align="centre", ink="soft")
                if row != half:
                    pen.draw_cached(("map hex", self.hex_size), middle, y, draw_hex)
        pen.zebra_frame(left, top - map_height, map_width, map_height, self.columns, self.rows, self._outer())
        pen.rect(left, top - map_height, map_width, map_height, line=LINE, ink="ink")

    def _draw_hex(self, pen: Pen) -> None:
        pen.outline(hexagon(0, 0, self.radius), line=HAIR, ink="soft")

    def _outer(self) -> str:
        """The sides of the page that are those of the map."""
        (column, row), (columns, rows) = self.place, self.pages
        ends = {"W": column == 0, "E": column == columns - 1, "N": row == 0, "S": row == rows - 1}
        return "".join(side for side, outer in ends.items() if outer)
