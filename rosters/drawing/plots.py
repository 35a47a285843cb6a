"""Plots of ranges, dice and losses as pictures. A table beside each picture has the same data, for screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rosters.core.messages import _
from rosters.core.play import Gauge, Panel
from rosters.drawing.primitives import Paint, Picture, Rect, Shape, Text, path

TILE, LOST, STEP = Paint(fill="tile", stroke="ink"), Paint(stroke="alert"), Paint(stroke="alert", weight="bold")
GAUGE = (300.0, 16.0)
"""The width and height of a gauge."""
MAX_CELLS = 60
"""With more models than this a gauge is a bar without cells."""
WIDTH, LABEL = 300.0, 11.0
"""The width of a plot, and the size of its text."""


class Plot(NamedTuple):
    """A picture with the same data as a table, whose title names both; or a picture for each row of the table."""

    picture: Picture | None
    table: Panel
    row_pictures: tuple[Picture, ...] = ()


def losses(measured: Gauge) -> Plot:
    """A gauge with the number of losses below each bar."""
    steps = {step: text for step, text in measured.steps if 0 < step <= measured.total}
    picture, cell = gauge(measured.lost, measured.total, steps), GAUGE[0] / max(measured.total, 1)
    height = picture.height + LABEL
    numbers = (Text(min(cell * step, WIDTH - 8), height - 1, str(step), LABEL) for step in steps)
    table = Panel(measured.label, tuple((measured.effect, str(step)) for step in steps))
    if any(steps.values()):
        heads = (_("Lost"), measured.effect)
        table = Panel(measured.label, tuple((str(step), text) for step, text in measured.steps), heads)
    return Plot(Picture("plot", WIDTH, height, picture.pen, (*picture.shapes, *numbers)), table)


def gauge(lost: int, total: int, steps: Iterable[int]) -> Picture:
    """The models of a roster or a formation, the lost ones crossed, with a bar after each loss that matters."""
    width, height = GAUGE
    cell = width / max(total, 1)
    bars = (path(f"M{cell * step} 0V{height}", STEP) for step in steps if 0 < step <= total)
    return Picture("gauge", width, height, 1, (*_cells(lost, total, cell), *bars))


def _cells(lost: int, total: int, cell: float) -> Iterator[Shape]:
    top, height = 2.5, GAUGE[1] - 5
    if total > MAX_CELLS:
        yield Rect(cell * lost, top, cell * (total - lost), height, paint=TILE)
        yield Rect(0, top, cell * lost, height, paint=LOST)
        return
    for number in range(total):
        left, right = cell * number + 0.75, cell * (number + 1) - 0.75
        yield Rect(left, top, right - left, height, paint=LOST if number < lost else TILE)
        if number < lost:
            yield path(f"M{left} {top}L{right} {top + height}M{right} {top}L{left} {top + height}", LOST)
