"""The sides of a battle in play: where each leads, and its losses as far as a visitor may know them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest
from django.urls import reverse

from rosters import registry
from rosters.core.appraisals import RosterState
from rosters.core.play import Losses, count_losses
from rosters.models import Battle, Force, PlayState, Roster, Visibility
from rosters.store.play import play_of, version_of
from rosters.store.state import visible_state
from rosters.web.battles import service as battles
from rosters.web.http import permissions


@dataclass(frozen=True)
class Side:
    """A side whose roster is not private, with its number from 1."""

    number: int
    force: Force
    editable: bool
    play: PlayState

    @property
    def roster(self) -> Roster:
        return self.force.roster

    def path_from(self, own: Roster) -> str:
        """The play page of this side: that of its roster for those who may edit it, else within that of ``own``."""
        query = f"?battle={self.force.battle.token}"
        if self.editable:
            return reverse("play", args=[self.roster.token]) + query
        return reverse("play", args=[own.token]) + f"{query}&side={self.number}"

    @property
    def is_known(self) -> bool:
        """Whether the visitor may know the damage."""
        return self.editable or self.play.shown

    @property
    def version(self) -> str:
        """An ETag of what is known."""
        return f"{self.force.revision}{version_of(self.roster, self.play) if self.is_known else ''}"

    @cached_property
    def state(self) -> RosterState:
        """The roster at the version that its player has locked, else its latest, as the visitor may see it."""
        if self.force.locked:
            return battles.locked_force(self.force, self.force.battle, complete=self.editable).state
        return visible_state(self.roster, complete=self.editable)

    @property
    def has_changed(self) -> bool:
        """Whether the roster has changed since its player locked it."""
        return self.force.locked is not None and self.force.revision != self.roster.revision

    @cached_property
    def losses(self) -> Losses | None:
        """The models that are destroyed; None if the visitor may not know."""
        play_rules = registry.SYSTEMS[self.roster.system].play
        return count_losses(self.state, self.play.damage, play_rules) if self.is_known else None


def sides_of(request: HttpRequest, battle: Battle) -> Iterator[Side]:
    """The sides of a battle that the visitor may see: no roster that is private or in the bin."""
    for number, force in enumerate(battles.forces_with_rosters(battle), 1):
        editable, roster = permissions.may_edit(request, force.roster), force.roster
        if not roster.binned and (editable or roster.visibility != Visibility.CLOSED):
            yield Side(number, force, editable, play_of(roster))
