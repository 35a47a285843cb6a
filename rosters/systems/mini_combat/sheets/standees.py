"""Standees of elements, for an army without models."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing.primitives import Picture
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.pdf.standees import standee_grid, standee_width, standees_of
from rosters.systems.mini_combat.rules import Element

BLANK = Picture("blank", 46, 32, 1, ())
"""The empty picture of a blank standee, to draw an element by hand."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each element of a unit, with its counter on both sides; blank ones fill a page."""

    def draw(element: Element) -> tuple[Picture, Picture]:
        return (job.counter(element, large=False),) * 2

    yield standee_grid(job, standees_of(job, draw), BLANK, standee_width(job))
