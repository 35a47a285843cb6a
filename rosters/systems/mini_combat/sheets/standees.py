"""Standees of elements, for an army without models."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import Block
from rosters.pdf.job import Job
from rosters.pdf.layout import Grid
from rosters.pdf.standees import Standee, blank_standees, standee_grid
from rosters.systems.mini_combat.sheets.words import element_of

BLANK = Picture("blank", 46, 32, 1, ())
"""Room to draw an element by hand."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each element of a unit, with its counter; blank ones fill a page."""
    yield blank_standees(job, BLANK) if job.blank else standee_grid(job, _standees(job))


def _standees(job: Job) -> Iterator[tuple[str, Block]]:
    for number, unit, _priced in job.formations():
        for entry in job.entries(number):
            picture = job.counter(element_of(entry), large=False)
            for model in entry.models:
                yield unit.name, Standee(picture, job.header.crest, model.name)
