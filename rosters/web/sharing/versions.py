"""A roster at one of its versions, as pages and files for others show it."""

from typing import NamedTuple

from rosters import registry
from rosters.core.appraisals import RosterState
from rosters.models import Roster
from rosters.registry import System
from rosters.store import snapshots
from rosters.store.snapshots import state_in_play
from rosters.store.state import document_for_export
from rosters.web import roster_page
from rosters.web.sharing.links import version_path


class RosterVersion(NamedTuple):
    """A roster at one of its versions, or as it is now (None), redacted for the visitor."""

    roster: Roster
    number: int | None
    state: RosterState

    @property
    def name(self) -> str:
        return self.state.document.name

    @property
    def system(self) -> System:
        return registry.SYSTEMS[self.roster.system]

    @property
    def path(self) -> str:
        return version_path(self.roster, self.number)

    @property
    def reference(self) -> str:
        """The reference of this version in the URL of a comparison."""
        return self.roster.token if self.number is None else f"{self.roster.token}/r{self.number}"

    @property
    def worst_findings(self) -> roster_page.FindingCount | None:
        """The errors of the rules check, else its warnings, else its notes."""
        placed = roster_page.findings(self.state.document, self.state.appraisal.findings)
        return roster_page.count_worst(roster_page.group_findings(placed))


def exported_version(roster: Roster, number: int | None) -> RosterVersion:
    """A version as others see it, with the time of its last change. Raises Http404."""
    if number is None:
        state = state_in_play(roster, complete=False)
        document = document_for_export(roster, state.document)
    else:
        state = snapshots.state_at(roster, number, complete=False)
        document = state.document.replace(changed=snapshots.get_revision(roster, number).at.isoformat())
    return RosterVersion(roster, number, state._replace(document=document))
