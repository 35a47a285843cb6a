"""Which rosters a page offers for a battle: those of about the same size first."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet

from rosters.core.appraisals import RosterState
from rosters.models import Roster
from rosters.registry import System
from rosters.store.access import rosters_to_choose
from rosters.store.compiled import compiled_query
from rosters.web.battles import service as battles
from rosters.web.context import BattleContext
from rosters.web.http import permissions

MAX_SHOWN = 60
"""Rosters of the visitor that a page offers."""
SAME_SIZE = 0.2
"""The part of its points, or figures, by which a roster of about the same size may differ."""


def size_of(system: System, summary: Any) -> float | None:
    """The points of a roster or an appraisal; in a game without points the number of its elements."""
    size = summary.points if system.rules.WORDS.has_points else summary.quantity
    return None if size is None else float(size)


def by_size(rosters: Iterable[Roster], system: System, size: float | None) -> tuple[list[Roster], list[Roster]]:
    """Rosters of about a size and those of another, the nearest first; without a size all as they are."""
    if not size:
        return [*rosters], []

    def difference(roster: Roster) -> float:
        return abs((size_of(system, roster) or 0) - size)

    ordered = sorted(rosters, key=difference)
    near = [roster for roster in ordered if difference(roster) <= SAME_SIZE * size]
    return near, ordered[len(near) :]


@compiled_query
def _samples(system: str) -> QuerySet[Roster]:
    samples = Roster.objects.exclude(sample=None).filter(binned=None, system=system)
    return samples.only("token", "name", "points", "quantity")[: MAX_SHOWN + battles.MAX_FORCES]


def roster_choices(
    ctx: BattleContext, forces: Sequence[tuple[Roster, RosterState | None]], system: System
) -> dict[str, Any]:
    """The rosters that can join: the visitor's, samples of about the size of the first force, and other samples.

    ``forces`` are those of the battle, each with its state if this visitor may see it.
    """
    joined = {roster.pk for roster, _state in forces}
    size = next((size_of(system, state.appraisal) for _roster, state in forces if state), None)
    mine = rosters_to_choose(permissions.visitor_of(ctx.request), ctx.battle.system)
    sorted_by_size = (
        by_size([each for each in rosters if each.pk not in joined], system, size)
        for rosters in (mine, _samples(ctx.battle.system))
    )
    (near, far), (samples, others) = sorted_by_size
    return {"mine": [*near, *far][:MAX_SHOWN], "samples": samples[:MAX_SHOWN], "other_samples": others[:MAX_SHOWN]}
