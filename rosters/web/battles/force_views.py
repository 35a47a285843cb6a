"""What a visitor may see of the forces of a battle."""

from collections.abc import Sequence
from typing import NamedTuple

from rosters.core.appraisals import RosterState
from rosters.models import Battle, Force, Roster, Visibility
from rosters.web.battles import service as battles
from rosters.web.battles.service import LockedForce
from rosters.web.context import BattleContext
from rosters.web.http import permissions
from rosters.web.sharing.links import version_path


class ForceView(NamedTuple):
    """A force as this visitor may see it; ``locked`` is None for one that is private or in the bin."""

    force: Force
    editable: bool
    """Whether this visitor may edit the roster."""
    locked: LockedForce | None = None

    @property
    def roster(self) -> Roster:
        return self.force.roster

    @property
    def state(self) -> RosterState | None:
        return self.locked and self.locked.state

    @property
    def has_changed(self) -> bool:
        """Whether the roster has changed since it was locked."""
        return self.force.revision != self.roster.revision

    @property
    def path(self) -> str:
        """The path of the locked version."""
        return version_path(self.roster, self.force.revision)

    @property
    def is_public(self) -> bool:
        """Whether everybody with the battle's link sees the force."""
        return self.locked is not None and self.roster.visibility != Visibility.CLOSED


def force_views_of(ctx: BattleContext) -> list[ForceView]:
    """The forces of a battle in their order."""
    forces = battles.forces_with_rosters(ctx.battle)
    return [_force_view(force, ctx.battle, permissions.may_edit(ctx.request, force.roster)) for force in forces]


def _force_view(force: Force, battle: Battle, mine: bool) -> ForceView:
    roster = force.roster
    if roster.binned or (roster.visibility == Visibility.CLOSED and not mine):
        return ForceView(force, mine)
    return ForceView(force, mine, battles.locked_force(force, battle, complete=mine))


def state_for_all(force_view: ForceView, battle: Battle) -> RosterState:
    """The force redacted even for its owner, for pages and files that are passed on."""
    return battles.locked_force(force_view.force, battle, complete=False).state


def title_for(ctx: BattleContext, force_views: Sequence[ForceView]) -> str:
    """The battle's title as this visitor may see it."""
    rosters = [force_view.roster for force_view in force_views]
    return battles.title_of(ctx.battle, rosters, permissions.visitor_of(ctx.request))


def may_lock(ctx: BattleContext, force_view: ForceView) -> bool:
    """Players lock their own rosters; until they do, whoever may change the battle selects the version."""
    return force_view.editable or (ctx.editable and force_view.force.locked is None)
