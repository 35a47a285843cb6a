"""Fold-up standees: the figure from the front and from behind with its crest, and flaps to glue on a base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, repeat
from typing import Any, NamedTuple

from rosters.core.messages import _
from rosters.drawing import primitives
from rosters.drawing.primitives import Box, Picture, Shape, bounds
from rosters.pdf.canvas import HAIR, MM, PALE, THICK, Pen, Style
from rosters.pdf.fonts import CAP_HEIGHT, NAME, NARROW
from rosters.pdf.job import Choice, Job
from rosters.pdf.layout import capacity
from rosters.pdf.sections import PAPERS, Grid
from rosters.pdf.text import LEADING, fill_text

CHOICES: Mapping[str, Choice] = {
    "standee-width": Choice(_("Standee width"), {"25": _("25 mm"), "32": _("32 mm"), "50": _("50 mm")}, ("standees",)),
}
SOLID_AREA = (5 * MM) ** 2
"""The largest solid shape: a page has dozens of standees, each with two pictures, and dark grounds take much ink."""
PICTURE, NAME_HEIGHT, FLAP = 0.92, 9.8 * MM, 7 * MM
"""The width of the picture, of that of the standee; the heights of the name and of a flap."""


class Standee(NamedTuple):
    """A figure to cut out and fold: from the top a flap, the back upside down, the front, and a flap."""

    picture: Picture
    crest: Picture | None
    name: str
    behind: Picture | None = None
    """The figure from behind; without it the back has the crest alone."""

    def _panel(self, width: float) -> float:
        """The height of the front, and of the back."""
        return width * PICTURE * self.picture.height / self.picture.width + NAME_HEIGHT + 2.4 * MM

    def height(self, style: Style, width: float) -> float:
        return 2 * (self._panel(width) + FLAP)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        panel, height = self._panel(width), self.height(pen.style, width)
        key = (self.picture, self.behind, self.crest, round(width))
        pen.draw_cached(key, x, top, lambda: self._draw_form(pen, width))
        self._write_name(pen, x, top - FLAP - 2 * panel, width)
        with pen.transformed(x + width, top - FLAP, rotation=180):
            self._write_name(pen, 0, 0, width)
        pen.rect(x, top - height, width, height, line=HAIR, ink="soft")

    def _draw_form(self, pen: Pen, width: float) -> None:
        """Draw what figures of one picture have in common, below and to the right of the origin."""
        panel = self._panel(width)
        front, fold = -FLAP - 2 * panel, -FLAP - panel
        pen.shade(0, fold, width, panel, PALE)
        pen.shade(0, front, width, panel, PALE)
        inset = 0.8 * MM
        pen.frame(inset, front + inset, width - 2 * inset, panel - 2 * inset)
        side = width * PICTURE
        pen.picture(sparing(self.picture, side), (width - side) / 2, fold - 1.6 * MM, side)
        with pen.transformed(width, -FLAP, rotation=180):
            self._draw_back(pen, (width - side) / 2, panel - 1.6 * MM, side)
        for y in (-FLAP, fold, front):
            pen.line(0, y, width, y, HAIR, dash=(2, 2), ink="soft")
        pen.line(0, front - 0.5 * MM, width, front - 0.5 * MM, THICK * 1.5, ink="side")
        for y in (-FLAP / 2, front - FLAP / 2):
            pen.text(width / 2, y - 2.5, _("glue"), 7, face=NARROW, align="centre", ink="soft")

    def _draw_back(self, pen: Pen, left: float, top: float, side: float) -> None:
        """Draw the figure from behind and the crest: on a corner, beside a wide picture, or alone."""
        wide = self.picture.width > 1.2 * self.picture.height
        crest = min(side * (0.44 if not self.behind else 0.29 if wide else 0.33), 10 * MM)  # its dark stays below 1 cm²
        x, y = left + side - crest, top - (0 if wide else side - 1.1 * crest)
        if self.behind:
            behind_width = side - crest - 1 * MM if wide and self.crest else side
            pen.picture(sparing(self.behind, behind_width), left, top, behind_width)
        else:
            x, y = left + (side - crest) / 2, top
        if self.crest:
            pen.picture(self.crest, x, y, crest)

    def _write_name(self, pen: Pen, x: float, low: float, width: float) -> None:
        """Write the name at the foot of a panel, in the middle of its height."""
        available = width - 4 * MM
        text = fill_text(self.name, available, NAME_HEIGHT - 1 * MM, 10, NAME)
        base = low + NAME_HEIGHT / 2 + ((len(text.lines) - 1) * LEADING - CAP_HEIGHT) * text.size / 2 + 0.6 * MM
        for number, line in enumerate(text.lines):
            at = base - number * text.size * LEADING
            pen.runs(x + width / 2, at, line, text.size, face=NAME, align="centre", ink="deep")


def sparing(picture: Picture, width: float) -> Picture:
    """The picture in less ink: solid shapes above SOLID_AREA are pale, what is on them dark, rings thin."""
    scale = (width / picture.width) ** 2
    boxes = [bounds((shape,)) for shape in picture.shapes]
    large = [
        shape.paint.fill == "ink" and (right - left) * (low - top) * scale > SOLID_AREA
        for shape, (left, top, right, low) in zip(picture.shapes, boxes, strict=True)
    ]

    def repainted(shape: Shape, own: Box, pale: bool) -> Shape:
        if pale:
            return shape._replace(paint=shape.paint._replace(fill="tile", stroke="ink"))
        if shape.paint.weight == "ring":
            return shape._replace(paint=shape.paint._replace(weight="thin"))
        inside = any(each and _contains(box, own) for box, each in zip(boxes, large, strict=True))
        if not inside or shape.paint.stroke == "ink":
            return shape
        return primitives.repainted((shape,), {"box": "ink"})[0]

    return picture._replace(shapes=tuple(map(repainted, picture.shapes, boxes, large)))


def _contains(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def standee_width(job: Job) -> float:
    """The width that is chosen."""
    return int(job.choice("standee-width", "25")) * MM


def standees_of(
    job: Job, draw: Callable[[Any], tuple[Picture, Picture | None] | None]
) -> Iterator[tuple[str, Standee]]:
    """A standee for each model of the elements that ``draw`` shows from the front and from behind, with the name of
    its formation.
    """
    for number, formation, _priced in job.formations():
        for entry in job.entries(number):
            if pictures := draw(entry.element):
                front, behind = pictures
                for model in entry.models:
                    yield formation.name, Standee(front, job.header.crest, model.name, behind)


def standee_grid(job: Job, standees: Iterable[tuple[str, Standee]], blank: Picture, width: float) -> Grid:
    """Standees of a width, whose pictures have the shape of the ``blank`` one; that fills the page of a blank print."""
    note = _("Fold along the dashed lines; the thick edge is the front")
    empty = Standee(blank, None, "")
    cell = width, empty.height(job.style, width)
    grid = Grid(_("Standees"), standees, cell=cell, cut=True, note=note)
    if not job.blank:
        return grid
    return grid._replace(blocks=islice(repeat(("", empty)), capacity(grid, PAPERS[job.options.paper])))
