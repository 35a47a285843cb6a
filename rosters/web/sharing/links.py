"""Links of a roster (share link, fixed versions, owner link), and parsing of pasted ones."""

import re
from typing import NamedTuple

from django.urls import reverse

from rosters import registry
from rosters.core.appraisals import RosterState
from rosters.models import Roster
from rosters.registry import System
from rosters.store import snapshots
from rosters.store.snapshots import state_in_play
from rosters.store.state import document_for_export
from rosters.web import roster_page


class Link(NamedTuple):
    """A parsed link: a roster by its token ("" for none), and one of its versions or None."""

    token: str
    version: int | None = None


_LINK = re.compile(r"(?:.*/[sre]/)?([\w-]{1,40})(?:/r(\d{1,9}))?(?:\.[a-z]+)?(?:[/?#].*)?", re.ASCII)


def parse_link(text: str) -> Link:
    """The roster that a line names: any address of it, or its bare token."""
    match = _LINK.fullmatch(text.strip()[:500])
    return Link(match[1], int(match[2]) if match[2] else None) if match else Link("")


def version_path(roster: Roster, number: int | None = None) -> str:
    """The path of a roster's read-only page, or of one of its fixed versions."""
    if number is None:
        return reverse("shared", args=[roster.token])
    return reverse("frozen", args=[roster.token, number])


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
