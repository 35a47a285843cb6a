"""Links of a roster (share link, fixed versions, owner link), and parsing of pasted ones."""

import re
from typing import NamedTuple

from django.urls import reverse

from rosters import registry
from rosters.core.appraisals import RosterState
from rosters.models import Roster
from rosters.registry import System


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
