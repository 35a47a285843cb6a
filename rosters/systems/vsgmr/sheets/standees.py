"""Standees of figures, mounts and vehicles."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing.primitives import Picture
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.pdf.standees import standee_grid, standee_width, standees_of
from rosters.systems.vsgmr.drawing import figure_picture
from rosters.systems.vsgmr.rules import MOUNTS, Element

MOUNT_WIDTH = 1.6
"""The width of a mount or vehicle, of that of a guy."""


def standees(job: Job) -> Iterator[Grid]:
    """A standee for each figure: guys, then mounts and vehicles, which are wider; blank ones fill a page."""
    guys, mounts = (_grid(job, mounts=wide) for wide in (False, True))
    some = {wide: any(True for _found in _grid(job, mounts=wide).blocks) for wide in (False, True)}
    if some[False]:
        yield guys._replace(then=mounts if some[True] and not job.blank else None)
    elif some[True]:
        yield mounts


def _grid(job: Job, *, mounts: bool) -> Grid:
    def draw(element: Element) -> tuple[Picture, Picture] | None:
        if (element.kind in MOUNTS) is not mounts:
            return None
        return figure_picture(element, small=True), figure_picture(element, behind=True)

    width = standee_width(job) * (MOUNT_WIDTH if mounts else 1)
    return standee_grid(job, standees_of(job, draw), figure_picture(None), width)
