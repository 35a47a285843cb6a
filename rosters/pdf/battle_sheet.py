"""The cover of a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rosters.core.appraisals import RosterState
from rosters.core.messages import _
from rosters.pdf import roster_sheet
from rosters.pdf.job import Job
from rosters.pdf.layout import Section


def battle(jobs: Sequence[Job]) -> Iterator[Section]:
    """Cover."""
    sides = [RosterState(job.document, job.appraisal) for job in jobs]
    yield Section(_("Battle"), (roster_sheet.panel_group(panel) for panel in jobs[0].play.briefing(sides)), columns=3)
