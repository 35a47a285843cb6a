"""Markers to cut out: what play lays beside a model, each with what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

from rosters.core.messages import _
from rosters.drawing.primitives import Shapes
from rosters.drawing.signs import sign
from rosters.pdf.canvas import HAIR, MM, PALE, Pen, Style
from rosters.pdf.fonts import CAP_HEIGHT, NAME, NARROW
from rosters.pdf.job import Job, Sheet, never
from rosters.pdf.layout import capacity
from rosters.pdf.sections import PAPERS, Grid
from rosters.pdf.text import LEADING, FittedText, fill_text

SIDE = 25 * MM
GROUND, SIGN = 0.4, 0.33
"""The height of the ground of a marker's sign, and the side of the sign, as shares of the marker."""
NAME_HEIGHT, INSET = 4.6 * MM, 1.6 * MM


class Marker(NamedTuple):
    """A square marker: its name, what it does in a few words, and its sign."""

    name: str
    text: str
    sign: Shapes

    def height(self, style: Style, width: float) -> float:
        return width

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.draw_cached((self, width), x, top, lambda: self._draw_form(pen, width))

    def _draw_form(self, pen: Pen, width: float) -> None:
        """Draw the marker below and to the right of the origin."""
        available, ground, side = width - 2 * INSET, GROUND * width, SIGN * width
        edge = INSET * 0.5
        pen.shade(edge, -ground, width - 2 * edge, ground - edge, PALE)
        pen.picture(sign(self.sign), (width - side) / 2, -edge - (ground - edge - side) / 2, side)
        pen.rect(0, -width, width, width, line=HAIR, ink="soft")
        low = ground + NAME_HEIGHT
        name = fill_text(self.name, available, NAME_HEIGHT, 11, NAME)
        text = fill_text(self.text, available, width - low - edge, 8, NARROW)
        for fitted, face, middle in ((name, NAME, (ground + low) / 2), (text, NARROW, (low + width - edge) / 2)):
            _centred(pen, fitted, face, middle, width)


def _centred(pen: Pen, text: FittedText, face: str, middle: float, width: float) -> None:
    """Lines in the middle of a width, around a height below the origin."""
    first = middle - ((len(text.lines) - 1) * LEADING - CAP_HEIGHT) * text.size / 2
    for number, line in enumerate(text.lines):
        pen.runs(width / 2, -first - number * text.size * LEADING, line, text.size, face=face, align="centre")


def marker_sheet(markers: Sequence[Marker]) -> Sheet:
    """The sheet of a game's markers: a page of them, as many of each."""

    def draw(job: Job) -> Iterator[Grid]:
        grid = Grid(_("Markers"), (), cell=(SIDE, SIDE), cut=True)
        number = capacity(grid, PAPERS[job.options.paper])
        yield grid._replace(blocks=(("", each) for each in sorted(islice(cycle(markers), number), key=markers.index)))

    text = _("Squares to lay beside models that have acted, are lost or are waiting.")
    return Sheet("markers", _("Markers"), text, draw, never, shared=True)
