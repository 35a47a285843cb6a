"""The sides of a battle in play: where each leads, and its losses as far as a visitor may know them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest
from django.urls import reverse

from rosters import registry
from rosters.core.appraisals import terms_of
from rosters.core.play import Losses, count_losses, with_damage
from rosters.models import Battle, PlayState, Roster, Visibility
from rosters.store.play import play_of, version_of
from rosters.store.state import visible_state
from rosters.web.battles import service as battles
from rosters.web.http import permissions


@dataclass(frozen=True)
class Side:
    """A side whose roster is not private, with its number from 1."""

    number: int
    roster: Roster
    editable: bool
    play: PlayState

    @property
    def path(self) -> str:
        """The play page for those who may edit the roster, for others its page, which has the damage too."""
        return reverse("play" if self.editable else "shared", args=[self.roster.token])

    @property
    def is_known(self) -> bool:
        """Whether the visitor may know the damage."""
        return self.editable or self.play.shown

    @property
    def version(self) -> str:
        """An ETag of what is known."""
        return version_of(self.roster, self.play) if self.is_known else ""

    @cached_property
    def losses(self) -> Losses | None:
        """The models that are destroyed; None if the visitor may not know, or the rules do not say."""
        if not self.is_known:
            return None
        document = with_damage(visible_state(self.roster, complete=self.editable).document, self.play.damage)
        return count_losses(document, registry.SYSTEMS[document.system].play, terms_of(document))


def side_of(request: HttpRequest, roster: Roster, number: int) -> Side | None:
    """A roster as a side; None if it is private or in the bin."""
    editable = permissions.may_edit(request, roster)
    if roster.binned or (roster.visibility == Visibility.CLOSED and not editable):
        return None
    return Side(number, roster, editable, play_of(roster))


def sides_of(request: HttpRequest, battle: Battle) -> Iterator[Side]:
    """The sides of a battle that the visitor may see."""
    for number, force in enumerate(battles.forces_with_rosters(battle), 1):
        if side := side_of(request, force.roster, number):
            yield side
