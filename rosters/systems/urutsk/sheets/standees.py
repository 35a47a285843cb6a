"""Standees of figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rosters.pdf.blocks import Block
from rosters.pdf.job import Job
from rosters.pdf.layout import Grid
from rosters.pdf.standees import Standee, blank_standees, standee_grid
from rosters.systems.urutsk.drawing import figure_of
from rosters.systems.urutsk.rules import Element

SCALE = 0.84
"""The scale of the figure in its picture: its solid ground stays below a square centimeter."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each figure; blank ones fill a page."""
    yield blank_standees(job, figure_of(None, SCALE)) if job.blank else standee_grid(job, _standees(job))


def _standees(job: Job) -> Iterator[tuple[str, Block]]:
    for number, formation, _priced in job.formations():
        for entry in job.entries(number):
            picture = figure_of(cast(Element, entry.element), SCALE)
            for model in entry.models:
                yield formation.name, Standee(picture, job.header.crest, model.name)
