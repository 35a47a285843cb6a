"""Labels of stands: their tops seen from above, and strips for their rear margins, to cut out (2.1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.grid import DASH
from rosters.core.messages import _
from rosters.drawing.counter import COUNTER_SHAPE
from rosters.pdf.canvas import HAIR, MM, PALE, TINT, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.layout import capacity
from rosters.pdf.sections import PAPERS, Grid
from rosters.pdf.text import ELLIPSIS, LEADING, fit_text
from rosters.systems.six_mm.drawing import ABOVE, stand_from_above
from rosters.systems.six_mm.sheets.stand import Stand, army_stands

SIZES = (45, 20, 25, 30, 40, 50, 60)
"""Sides of bases in mm; the first is the rulebook's (1.1)."""
STRIP = 8.0
"""The height of a rear-margin label in mm."""
MIN_COUNTER = 8.5
"""Counters are no narrower in mm: their numerals have 7 points."""


def base_side(job: Job) -> int:
    """The side of the bases that is chosen, in mm."""
    return int(job.choice("stand", str(SIZES[0])))


def labels(job: Job) -> Iterator[Grid]:
    """Each stand from above, and joined to it at the rear a strip to fold down or to cut off."""
    side = base_side(job)
    note = _("Bases of {n} mm: print at 100 %. Cut the strips off, or fold them down at the rear.").format(n=side)
    cell = side * MM, (side + STRIP) * MM
    grid = Grid(_("Stand labels"), (), cell=cell, gap=1 * MM, cut=True, note=note)
    grid = grid._replace(blocks=_labels(job, side, capacity(grid, PAPERS[job.options.paper])))
    yield grid._replace(turn="long") if job.choice("stand-backs", "none") == "routs" else grid


def _labels(job: Job, side: int, blank: int) -> Iterator[tuple[str, Block]]:
    """Every stand with its command; so many blank ones for an army without any."""
    titles = {number: formation.name for number, formation, _priced in job.formations()}
    stand = None
    for stand in army_stands(job):
        yield titles[stand.entry.sources[0][0]], Label(stand, side)
    if stand is None:
        yield from [("", Label(None, side))] * blank


class RearMargin(NamedTuple):
    """A strip with the counter of a stand, its name, its type and its strength; blank without one."""

    stand: Stand | None
    side: int
    height_mm: float

    def height(self, style: Style, width: float) -> float:
        return self.height_mm * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        strip_width, strip_height = self.side * MM, self.height_mm * MM
        pen.rect(x, top - strip_height, strip_width, strip_height, line=HAIR, fill=PALE, ink="side")
        if self.stand is None:
            baseline = top - strip_height + 2 * MM
            pen.line(x + 2 * MM, baseline, x + strip_width - 2 * MM, baseline, HAIR)
            return
        left = x + self._draw_counter(pen, self.stand, x, top) + 1.5 * MM
        available = x + strip_width - left - 0.8 * MM
        facts = self._facts() if self.side >= 30 else ""
        name = fit_text(self.stand.name, available, min(9.5, max(7, self.side * 0.2)), face=NAME)
        for text in (facts, ""):
            if name.lines[0] == self.stand.name:
                break
            facts, lines = text, int((strip_height - 0.6 * MM) // (7 * LEADING)) - bool(text)
            name = fit_text(self.stand.name, available, 7, max(1, lines), NAME)
            if name.lines and not name.lines[-1].endswith(ELLIPSIS):
                break
        upper = top - (strip_height - name.height - (8.6 if facts else 0)) / 2
        pen.lines(left, upper, name, face=NAME)
        pen.fit(left, upper - name.height - 7, facts, available, 7, face=NARROW, ink="soft")

    def _draw_counter(self, pen: Pen, stand: Stand, x: float, top: float) -> float:
        """The counter at the left, or where it would be too small the strength alone; how much width that takes."""
        height = self.height_mm * MM
        width = min((height - 1.2 * MM) / COUNTER_SHAPE, self.side * MM * 0.34)
        if width >= MIN_COUNTER * MM:
            picture = stand.job.counter(stand.element, large=False)
            pen.picture(picture, x + 0.7 * MM, top - (height - width * COUNTER_SHAPE) / 2, width)
            return width
        pen.text(x + 1 * MM, top - height / 2 - 3.4, str(len(stand.marked) or DASH), 10, face=NARROW_BOLD, ink="deep")
        return 3.4 * MM

    def _facts(self) -> str:
        """Type and strength, as in the rulebook's example of a label."""
        if self.stand is None or not self.stand.marked:
            return ""
        return _("{type}, strength {strength}").format(type=self.stand.element.type, strength=len(self.stand.marked))


class Label(NamedTuple):
    """A square as large as a base, the stand from above with its front at the top; below it a strip for its rear."""

    stand: Stand | None
    side: int

    def height(self, style: Style, width: float) -> float:
        return (self.side + STRIP) * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        side = self.side * MM
        above = side * ABOVE[1] / ABOVE[0]
        if self.stand:
            pen.picture(stand_from_above(self.stand.element, self.stand.job.terms), x, top, side)
        RearMargin(self.stand, self.side, (side - above) / MM).draw(pen, x, top - above, side)
        pen.rect(x, top - side, side, side, line=HAIR)
        RearMargin(self.stand, self.side, STRIP).draw(pen, x, top - side, side)

    @property
    def back(self) -> Block:
        return LabelBack(self.stand, self.side)


class LabelBack(NamedTuple):
    """The back of a stand, which is turned over while it routs: an arrow to its rear, a word and its name."""

    stand: Stand | None
    side: int

    def height(self, style: Style, width: float) -> float:
        return (self.side + STRIP) * MM

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        side, middle = self.side * MM, x + self.side * MM / 2
        pen.rect(x, top - side, side, side, line=HAIR, ink="side")
        broad, start, end = side * 0.14, top - side * 0.08, top - side * 0.42
        arrow = ((-0.5, 0), (0.5, 0), (0.5, 0.6), (1.1, 0.6), (0, 1), (-1.1, 0.6), (-0.5, 0.6))
        pen.outline([(middle + a * broad, start + b * (end - start)) for a, b in arrow], fill=TINT, ink="side")
        size = max(7, min(14, self.side * 0.3))
        pen.fit(x, top - side * 0.6, _("Routs"), side, size, face=NAME, align="centre", ink="deep")
        name = fit_text(self.stand.name, side - 3 * MM, max(7, size * 0.6), 2, NARROW) if self.stand else None
        if name:
            pen.lines(x + 1.5 * MM, top - side * 0.64, name, side - 3 * MM, align="centre", face=NARROW)
