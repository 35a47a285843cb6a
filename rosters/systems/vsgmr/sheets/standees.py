"""Standees of figures, mounts and vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rosters.pdf.blocks import Block
from rosters.pdf.job import Job
from rosters.pdf.layout import Grid
from rosters.pdf.standees import Standee, blank_standees, standee_grid
from rosters.systems.vsgmr.drawing import figure_picture
from rosters.systems.vsgmr.rules import MOUNTS, Element

MOUNT_WIDTH = 1.6
"""The width of a mount or vehicle, of that of a guy."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each figure: guys, then mounts and vehicles, which are wider; blank ones fill a page."""
    if job.blank:
        yield blank_standees(job, figure_picture(None))
        return
    guys, mounts = (
        standee_grid(job, _standees(job, mounts=wide), wider=MOUNT_WIDTH if wide else 1) for wide in (False, True)
    )
    some = {wide: any(True for _found in _standees(job, mounts=wide)) for wide in (False, True)}
    if some[False]:
        yield guys._replace(then=mounts if some[True] else None)
    elif some[True]:
        yield mounts


def _standees(job: Job, *, mounts: bool) -> Iterator[tuple[str, Block]]:
    for number, formation, _priced in job.formations():
        for entry in job.entries(number):
            element = cast(Element, entry.element)
            if (element.kind in MOUNTS) is mounts:
                picture, behind = figure_picture(element, small=True), figure_picture(element, behind=True)
                for model in entry.models:
                    yield formation.name, Standee(picture, job.header.crest, model.name, behind)
