"""Blast templates and a ruler at true scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import acos, cos, pi, radians, sin
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import Drawing, Heading, Paragraph, Space, Stack
from rosters.pdf.canvas import HAIR, LINE, MM, TINT, Align, Pen
from rosters.pdf.fonts import BOLD, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.sections import Group, Section, frame
from rosters.systems.mini_combat.tables import CONE_CM

BIG, LITTLE = 50 * MM, 25 * MM
"""Radii of the round templates."""
CONE = (CONE_CM[0] * 10 * MM, CONE_CM[1] * 10 * MM)
"""Width and length of the cone."""
SPACING = 2.5 * MM
BEYOND = 3 * MM
"""The part of a template that may be in the margin."""
NESTED = 8.6 * MM, 12 * MM
"""How far the cone is moved under the shoulder of the large template, which is then so much lower, on half Letter."""
SCALE_HEIGHT, CHECK_HEIGHT = 10 * MM, 17 * MM
"""The height of a ruler's ticks and numbers, and of the ruler that checks the page, with its text."""
USES = (
    (
        _("Blast."),
        _(
            "Everything under a template is attacked, friends too, with a roll to hit each; then save and damage as "
            "usual. At range 0 it is placed over the attacker, who is not attacked."
        ),
    ),
    (_("Bombardment."), _("Uses the 10 cm template; targets have armor −2.")),
    (_("Cone."), _("Its point touches the attacker's base at range 0; with more range it can lie farther away.")),
    (
        _("Scatter."),
        _(
            "Mark the point. A D12, read as a clock face, gives the direction and 2D6 the distance in cm; a double is "
            "on target."
        ),
    ),
)


class Shape(NamedTuple):
    """A template in a rectangle: ``draw(pen, left, bottom)``."""

    width: float
    height: float
    draw: Callable[[Pen, float, float], None]


def templates(job: Job) -> Iterator[Section]:
    """Both blast templates and the cone, with a ruler to check them; two sets if they fit on the page."""
    width, height = frame(job.options.paper, bare=True)
    drawing = Drawing(height, lambda pen, x, top, _width: _templates(pen, x, top, width, height))
    yield Section(_("Blast templates"), [Group([drawing])], bare=True)


def _templates(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    head = Heading(_("Templates"), _("actual size"))
    head.draw(pen, x, top, width)
    below, bottom = top - head.height(pen.style, width) - 1 * MM, top - height + CHECK_HEIGHT
    rows = _template_rows(width)
    left, free = x, width
    if len(rows) == 1:
        twice = 2 * _row_height(rows[0]) + _uses(1.0).height(pen.style, width)
        for row in rows * (2 if twice <= below - bottom else 1):
            below = _draw_row(pen, row, x + (width - _row_width(row)) / 2, below)
    else:
        below = _draw_row(pen, rows[0], x, below)
        _draw_row(pen, rows[1], x, below)
        taken = _row_width(rows[1]) + 2 * SPACING
        left, free = x + taken, width - taken
    scales = (1.0, 0.9, 0.8)
    fit = (scale for scale in scales if _uses(scale).height(pen.style, free) <= below - bottom)
    _uses(next(fit, 0.78)).draw(pen, left, below, free)
    _scale(pen, x + (width - 100 * MM) / 2, bottom - 2 * MM, 10)
    text = _("Print at actual size (100 %), not fitted to the page: from 0 to 10 this ruler is 10 cm long.")
    pen.fit(x, top - height + 1 * MM, text, width, pen.style.small, align="centre")


def _row_width(row: list[Shape]) -> float:
    first, *others = row
    return first.width + (SPACING + _row_width(others) if others else 0)


def _row_height(row: list[Shape]) -> float:
    return max(shape.height for shape in row) + SPACING


def _draw_row(pen: Pen, row: list[Shape], left: float, top: float) -> float:
    """Draw shapes side by side; returns the new top."""
    for shape in row:
        shape.draw(pen, left, top - shape.height)
        left += shape.width + SPACING
    return top - _row_height(row)


def _template_rows(width: float) -> list[list[Shape]]:
    """One set in a row or, on narrow paper, in two."""
    big = Shape(2 * BIG, 2 * BIG, lambda pen, x, y: _round(pen, x, y, BIG, _("10 cm"), "10c, Bmb"))
    cone = Shape(*CONE, _cone)
    little = Shape(2 * LITTLE, 2 * LITTLE, lambda pen, x, y: _round(pen, x, y, LITTLE, _("5 cm"), "5c"))
    row = [big, cone, little]
    if _row_width([big, cone]) > width + BEYOND:
        big = big._replace(width=big.width - NESTED[0], height=big.height + NESTED[1])
    return [row] if _row_width(row) <= width else [[big, cone], [little]]


def _round(pen: Pen, x: float, y: float, radius: float, name: str, codes: str) -> None:
    """A round template with its center, and the hours of a clock face for scatter."""
    middle, center, size = x + radius, y + radius, 9.0
    pen.circle(middle, center, radius)
    for hour in range(1, 13):
        dx, dy = sin(hour * pi / 6), cos(hour * pi / 6)
        pen.line(
            *(middle + dx * radius, center + dy * radius),
            *(middle + dx * (radius - 2 * MM), center + dy * (radius - 2 * MM)),
            HAIR,
        )
        reach = radius - 4.5 * MM
        pen.text(middle + dx * reach, center + dy * reach - 2.2, str(hour), 7, align="centre", ink="soft")
    for way in ((2 * MM, 0), (0, 2 * MM)):
        pen.line(middle - way[0], center - way[1], middle + way[0], center + way[1], LINE)
    pen.text(middle, center + 4 * MM, name, size * 1.2, face=BOLD, align="centre")
    pen.text(middle, center - 6.5 * MM, codes, size * 0.85, align="centre", ink="soft")


def _cone(pen: Pen, x: float, y: float) -> None:
    """A teardrop with its point at the bottom: two tangents to a circle as wide as the cone."""
    radius, length = CONE[0] / 2, CONE[1]
    middle, center = x + radius, y + length - radius
    opening = acos(radius / (length - radius))
    steps = 120
    turns = (-pi / 2 + opening + step * 2 * (pi - opening) / steps for step in range(steps + 1))
    arc = [(middle + radius * cos(turn), center + radius * sin(turn)) for turn in turns]
    with pen.transformed(0, 0):
        pen.canvas.setLineJoin(1)  # a mitered point would be 0.7 mm too long
        pen.outline([(middle, y), *arc])
    pen.line(middle, y + 12 * MM, middle, center - 14 * MM, HAIR, dash=(2, 2))
    pen.text(middle, center + 2 * MM, _("Cone"), 10, face=BOLD, align="centre")
    pen.text(middle, center - 2.5 * MM, _("10 × 3 cm"), 9, align="centre")


def _uses(scale: float) -> Stack:
    """The rules of the templates."""
    return Stack(
        tuple(block for lead, text in USES for block in (Paragraph(text, scale, lead=lead, face=NARROW), Space(0.18)))
    )


def _scale(pen: Pen, x: float, top: float, length: int) -> None:
    """A ruler of ``length`` cm: its edge, a tick for each mm, numbers below."""
    pen.line(x, top, x + length * 10 * MM, top, LINE)
    for tick in range(length * 10 + 1):
        long = 5.0 if tick % 10 == 0 else 3.5 if tick % 5 == 0 else 2.2
        pen.line(x + tick * MM, top, x + tick * MM, top - long * MM, LINE if tick % 10 == 0 else HAIR)
    for number in range(length + 1):
        align: Align = "left" if number == 0 else "right" if number == length else "centre"
        inwards = {"left": 2.0, "right": -2.0, "centre": 0.0}[align]
        pen.runs(x + number * 10 * MM + inwards, top - 8.5 * MM, str(number), 9, face=BOLD, align=align)


STRIP = (200 * MM, 19 * MM)
"""Length and width of the ruler strip."""
MAX_STRIPS = 4
DISTANCES = (
    (0, 5, _("5 cm: unit coherency")),
    (5, 10, _("10 cm: heal, repair, hold a marker")),
    (10, 20, _("20 cm: deploy from your own edge in a standard battle")),
)
"""Distances of the game: where each label starts and ends on the strip, in cm."""


def ruler(job: Job) -> Iterator[Section]:
    """Strips of 20 cm; on A5 a single diagonal one, because the paper is too short."""
    width, height = frame(job.options.paper, landscape=True, bare=True)
    drawing = Drawing(height, lambda pen, x, top, _width: _strips(pen, x, top, width, height))
    yield Section(_("Ruler and arcs"), [Group([drawing])], landscape=True, bare=True)


def _strips(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    text = _("Print at actual size (100 %), not fitted to the page. Cut along the lines.")
    head = Stack((Heading(_("Ruler and arcs"), _("actual size")), Paragraph(text, 0.9)))
    head.draw(pen, x, top, width)
    available = height - head.height(pen.style, width) - 4 * MM
    slant = next(angle for angle in range(90) if _spans(angle)[0] <= width and _spans(angle)[1] <= available)
    number = 1 if slant else min(MAX_STRIPS, int(available // (STRIP[1] + 4 * MM)))
    turn = radians(slant)
    dx, rise = _spans(slant)
    left = x + (width - dx) / 2 + STRIP[1] * sin(turn)
    below = top - height + ((available - rise) / 2 if slant else available - rise)
    for strip in range(number):
        with pen.transformed(left, below - strip * (STRIP[1] + 4 * MM), rotation=slant):
            pen.draw_cached("ruler-strip", 0, 0, lambda: _strip(pen))
    free = below - (number - 1) * (STRIP[1] + 4 * MM) - (top - height)
    if not slant and free >= 2 * ARCS_RADIUS + 6 * MM:
        for place in (0.3, 0.7):
            with pen.transformed(x + place * width, top - height + free / 2 - 2 * MM):
                pen.draw_cached("arcs", 0, 0, lambda: _arcs(pen))


ARCS_RADIUS = 34 * MM
ARCS = (45, 90, 180, 270)
"""The widths of fire arcs and turns in degrees."""


def _arcs(pen: Pen) -> None:
    """A round template around the origin, its front upwards, with a line at each edge of an arc."""
    pen.circle(0, 0, ARCS_RADIUS)
    for degrees in ARCS:
        turn = radians(degrees / 2)
        for side in (-1, 1):
            dx, dy = side * sin(turn), cos(turn)
            pen.line(9 * MM * dx, 9 * MM * dy, ARCS_RADIUS * dx, ARCS_RADIUS * dy, HAIR, ink="deep")
            reach = ARCS_RADIUS * 0.8
            shift = 3.5 * MM * side
            x, y = reach * dx - shift * dy, reach * dy + shift * dx
            pen.text(x, y - 2.5, _("{n}°").format(n=degrees), 8, face=NARROW_BOLD, align="centre", ink="deep")
    pen.rect(-6 * MM, -6 * MM, 12 * MM, 12 * MM, fill=TINT)
    pen.outline([(-3 * MM, 6.6 * MM), (0, 11 * MM), (3 * MM, 6.6 * MM)], fill=1, line=0)
    pen.text(0, -1.2 * MM, _("base"), 8, face=NARROW, align="centre")


def _spans(angle: int) -> tuple[float, float]:
    """Width and height of a strip rotated by ``angle`` degrees."""
    dx, dy = cos(radians(angle)), sin(radians(angle))
    return STRIP[0] * dx + STRIP[1] * dy, STRIP[0] * dy + STRIP[1] * dx


def _strip(pen: Pen) -> None:
    """One strip with its lower left corner at the origin: cm at the top, the game's distances at the bottom."""
    length, height = STRIP
    pen.rect(0, 0, length, height, line=HAIR)
    _scale(pen, 0, height, 20)
    for start, end, text in DISTANCES:
        pen.line(end * 10 * MM, 0, end * 10 * MM, height - SCALE_HEIGHT, HAIR)
        pen.text((start + end) * 5 * MM, 3 * MM, text, 7, align="centre")
