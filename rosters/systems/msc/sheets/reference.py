"""The reference panels, and the facing and firing arc chart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import Paragraph, Space, Stack
from rosters.pdf.canvas import MM, PALE, Pen, Style
from rosters.pdf.job import Job
from rosters.pdf.layout import Group, Section
from rosters.pdf.roster_sheet import REFERENCE, PanelTitle
from rosters.systems.msc.drawing import ANGLES, ROSE_FIELD, STEP, rose_of, silhouette_of
from rosters.systems.msc.rules import Profile

CHART_HEX = 5.2 * MM
"""The distance of two hexes of the chart beside text of 9 points."""
EVERY_OTHER = (*ANGLES,)[::2]
"""Sides whose arcs meet only in the hex of the ship."""


def reference(job: Job) -> Iterator[Section]:
    """The panels of the roster, then the chart."""
    text = _(
        "The bow points up. A weapon fires into the arc of its side, up to 6 hexes; a hex on the border of two arcs is "
        "in both. Tinted: the arcs of F, RR and RL. The numbers change TO-HIT."
    )
    chart = Stack((Space(0.4), PanelTitle(_("Facing and firing arcs")), Paragraph(text, 0.88), Space(0.4), Chart()))
    for section in REFERENCE.draw(job):
        assert isinstance(section, Section)
        yield section._replace(groups=chain(section.groups, [Group([chart])]))


class Chart(NamedTuple):
    """The hexes in range of a ship, in arcs, with the names of its sides."""

    def _size(self, style: Style) -> tuple[float, float]:
        wide, tall = (side * CHART_HEX * style.body / 9 / STEP for side in ROSE_FIELD)
        return wide, tall

    def height(self, style: Style, width: float) -> float:
        return self._size(style)[1]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        wide, tall = self._size(pen.style)
        pen.picture(rose_of(EVERY_OTHER, 8 * ROSE_FIELD[0] / wide), x + (width - wide) / 2, top, wide, tile=2 * PALE)
        ship, high = silhouette_of(Profile(engine=3, shield=3)), 0.9 * wide * STEP / ROSE_FIELD[0]
        side = high * ship.width / ship.height
        pen.picture(ship, x + (width - side) / 2, top - (tall - high) / 2, side)
