"""Standees of stands, as wide as their bases."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing.primitives import Picture
from rosters.pdf.canvas import MM
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.pdf.standees import Standee, standee_grid
from rosters.systems.six_mm.drawing import UPRIGHT, stand_upright
from rosters.systems.six_mm.sheets.labels import base_side
from rosters.systems.six_mm.sheets.stand import army_stands

BLANK = Picture("blank", *UPRIGHT, 0.5, ())
"""The empty picture of a blank standee, to draw a stand by hand."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each stand, its figures from the front and from behind; blank ones fill a page."""
    yield standee_grid(job, _standees(job), BLANK, base_side(job) * MM)


def _standees(job: Job) -> Iterator[tuple[str, Standee]]:
    titles = {number: formation.name for number, formation, _priced in job.formations()}
    for stand in army_stands(job):
        front, behind = (stand_upright(stand.element, job.terms, behind=rear) for rear in (False, True))
        yield titles[stand.entry.sources[0][0]], Standee(front, job.header.crest, stand.name, behind)
