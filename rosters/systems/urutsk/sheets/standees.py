"""Standees of figures."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing.primitives import Picture
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.pdf.standees import standee_grid, standee_width, standees_of
from rosters.systems.urutsk.drawing import figure_of
from rosters.systems.urutsk.rules import Element


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each figure; blank ones fill a page."""

    def draw(element: Element) -> tuple[Picture, Picture]:
        return figure_of(element), figure_of(element, behind=True)

    yield standee_grid(job, standees_of(job, draw), figure_of(None), standee_width(job))
