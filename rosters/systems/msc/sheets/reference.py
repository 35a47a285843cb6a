"""The reference panels, and the facing and firing arc chart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import Paragraph, Space, Stack
from rosters.pdf.canvas import MM, PALE, Pen, Style
from rosters.pdf.job import Job
from rosters.pdf.panels import PanelTitle
from rosters.pdf.roster_sheet import REFERENCE
from rosters.pdf.sections import Group, Section
from rosters.systems.msc.drawing import ANGLES, ROSE_FIELD, STEP, rose_of, silhouette_of
from rosters.systems.msc.rules import Profile

CHART_HEX = 5.2 * MM
"""The distance of two hexes of the chart beside text of 9 points."""
EVERY_OTHER = (*ANGLES,)[::2]
"""Sides whose arcs meet only in the hex of the ship."""


def reference(job: Job) -> Iterator[Section]:
    """The panels of the roster, then the chart."""
    for section in REFERENCE.draw(job):
        assert isinstance(section, Section)
        yield section._replace(groups=chain(section.groups, [Group([arcs_panel(Chart())])]))


def arcs_panel(chart: Chart) -> Stack:
    """The chart with its title and what it shows."""
    text = _(
        "The bow points up. A weapon fires into the arc of its side, up to 6 hexes; a hex on the border of two arcs is "
        "in both. Tinted: the arcs of F, RR and RL. The numbers change TO-HIT."
    )
    return Stack((Space(0.4), PanelTitle(_("Facing and firing arcs")), Paragraph(text, 0.88), Space(0.4), chart))


class ChartBelow(NamedTuple):
    """The chart at true size in the rest of a page, smaller where that is less."""

    available: float
    hex_size: float

    def height(self, style: Style, width: float) -> float:
        return self.available

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        available = self.available - arcs_panel(Chart(0.01)).height(pen.style, width)
        sides = (self.hex_size, available / ROSE_FIELD[1] * STEP, width / ROSE_FIELD[0] * STEP)
        arcs_panel(Chart(min(sides))).draw(pen, x, top, width)


class Chart(NamedTuple):
    """The hexes in range of a ship, in arcs, with the names of its sides; ``hex_size`` is a hex from flat to flat."""

    hex_size: float = 0

    def _size(self, style: Style) -> tuple[float, float]:
        hex_size = self.hex_size or CHART_HEX * style.scale
        return ROSE_FIELD[0] * hex_size / STEP, ROSE_FIELD[1] * hex_size / STEP

    def height(self, style: Style, width: float) -> float:
        return self._size(style)[1]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        rose_width, rose_height = self._size(pen.style)
        rose = rose_of(EVERY_OTHER, 8 * ROSE_FIELD[0] / rose_width)
        pen.picture(rose, x + (width - rose_width) / 2, top, rose_width, tile=2 * PALE)
        ship, high = silhouette_of(Profile(engine=3, shield=3)), 0.9 * rose_width * STEP / ROSE_FIELD[0]
        side = high * ship.width / ship.height
        pen.picture(ship, x + (width - side) / 2, top - (rose_height - high) / 2, side)
