"""Plots of ranges, dice and losses as pictures. A table beside each picture has the same data, for screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rosters.core.amounts import Amount
from rosters.core.messages import _
from rosters.core.play import Gauge, Panel
from rosters.drawing.primitives import THIN, Circle, Paint, Picture, Rect, Shape, Text, path

DARK = Paint(fill="ink", stroke="ink")
TILE, LOST, STEP = Paint(fill="tile", stroke="ink"), Paint(stroke="alert"), Paint(stroke="alert", weight="bold")
BLANK = Paint(fill="box", stroke="ink")
GAUGE = (300.0, 16.0)
"""The width and height of a gauge."""
BAR = (300.0, 18.0)
"""The width and height of a bar of shares."""
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


def shares(amounts: Sequence[Amount]) -> Picture:
    """The parts of a whole as a stacked bar, each with its pattern. Amounts below 0 have no part."""
    width, height = BAR
    parts = [max(float(amount), 0) for amount in amounts]
    scale, left = width / (sum(parts) or 1), 0.0
    shapes: list[Shape] = []
    for number, part in enumerate(parts):
        shapes += _patterned(number, left, 1, part * scale, height - 2)
        left += part * scale
    return Picture("shares", width, height, 1, tuple(shapes))


def swatch(number: int) -> Picture:
    """The pattern of a part of the bar, for its legend."""
    return Picture("swatch", 20, 14, 1, tuple(_patterned(number, 1, 1, 18, 12)))


def _patterned(number: int, x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """A rectangle whose pattern, one of eight, survives printing in gray."""
    style = number % 8
    right, bottom = x + width, y + height
    yield Rect(x, y, width, height, paint=(DARK, TILE, BLANK, TILE, BLANK, DARK, BLANK, TILE)[style])
    if style == 1:
        yield from _hatching(x, y, width, height)
    elif style == 2:  # dots
        for row in range(int(height // 4)):
            dots = range(int((width - 1) // 5))
            yield from (Circle(x + 2.5 + 5 * each + 2 * (row % 2), y + 3 + 4 * row, 0.9) for each in dots)
    elif style in (4, 5) and width > 1:  # upright lines
        lines = "".join(f"M{x + 4 * each + 3:.2f} {y}V{bottom}" for each in range(int((width - 3) // 4) + 1))
        yield path(lines or f"M{x} {y}V{bottom}", THIN if style == 4 else Paint(stroke="box", weight="thin"))
    elif style == 6:  # level lines
        yield path("".join(f"M{x} {y + 3 * each + 2:.2f}H{right}" for each in range(int(height // 3))), THIN)


def _hatching(x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """Slanted lines, 5 apart, cut off at the edges."""
    for each in range(1, int((width + height) // 5) + 1):
        low, high = max(0.0, 5 * each - height), min(width, 5.0 * each)
        yield path(f"M{x + low:.2f} {y + 5 * each - low:.2f}L{x + high:.2f} {y + 5 * each - high:.2f}", THIN)


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
