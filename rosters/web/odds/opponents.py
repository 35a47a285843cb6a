"""The opponents that odds of a roster are computed against: of its battles, samples, and typical targets."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rosters import registry
from rosters.core import documents
from rosters.core.appraisals import RosterState
from rosters.core.messages import _
from rosters.models import Force, Roster
from rosters.registry import System
from rosters.store import pairs
from rosters.store.state import compute_state, visible_state
from rosters.web.battles import service as battles
from rosters.web.context import RosterContext
from rosters.web.http import permissions

MAX_BATTLES, MAX_SAMPLES = 5, 30
"""Opponents that are offered: from the roster's battles, and samples."""
TYPICAL = "typical"


class Opponent(NamedTuple):
    """A roster to compute odds against, as this visitor sees it. A restored backup does not change its ``key``."""

    key: str
    name: str
    source: Force | Roster | System
    editable: bool = False

    def state(self) -> RosterState:
        """The roster as this visitor sees it."""
        if isinstance(self.source, Force):
            return battles.locked_force(self.source, self.source.battle, complete=self.editable).state
        return visible_state(self.source, complete=False) if isinstance(self.source, Roster) else typical(self.key)


def opponents_of(ctx: RosterContext) -> Iterator[Opponent]:
    """The other rosters of the visitor's battles with this one, samples, that of the usual pair first, and targets."""
    mine = battles.battles_with(permissions.my_battles(ctx.request), ctx.roster).order_by("-changed")[:MAX_BATTLES]
    taken = set()
    for battle in mine:
        for number, force in enumerate(battles.forces_with_rosters(battle), 1):
            if force.roster_id != ctx.roster.pk and not battles.is_hidden(force.roster, ctx.visitor):
                force.battle = battle
                editable = permissions.may_edit(ctx.request, force.roster)
                taken.add(force.roster.name)
                yield Opponent(f"{battle.token}/{number}", force.roster.name, force, editable)
    usual = [pair.second.pk for pair in pairs.pairs_of(ctx.roster.system)[:1]]
    samples = Roster.objects.exclude(sample=None).filter(system=ctx.roster.system, binned=None).order_by("name")
    for sample in sorted(samples[:MAX_SAMPLES], key=lambda each: each.pk not in usual):
        name = _("{name} (sample roster)").format(name=sample.name) if sample.name in taken else sample.name
        yield Opponent(str(sample.sample), name, sample)
    yield Opponent(f"{TYPICAL}/{ctx.system.slug}", _("Typical targets"), ctx.system)


def opponent_of(ctx: RosterContext, key: str) -> Opponent:
    """The opponent with this key, else the first: of the last battle, then of the matched sample."""
    return chosen_from([*opponents_of(ctx)], key)


def chosen_from(opponents: Sequence[Opponent], key: str) -> Opponent:
    """The one with this key, else the first."""
    return next((each for each in opponents if each.key == key), opponents[0])


@cache  # a constant of the code
def typical(key: str) -> RosterState:
    """The typical targets of a game as a roster; the names of its elements are messages."""
    system = registry.SYSTEMS[key.removeprefix(f"{TYPICAL}/")]
    elements = [
        {"id": f"t{number}", "name": name, **profile} for number, (name, profile) in enumerate(system.odds.TARGETS, 1)
    ]
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": system.slug, "name": ""}
    document = registry.read({**head, "formations": [{"name": "", "elements": elements}]})
    named = (
        element.replace(name=name)
        for element, (name, _profile) in zip(document.elements, system.odds.TARGETS, strict=True)
    )
    formation = document.formations[0].replace(elements=tuple(named))
    return compute_state(document.replace(formations=(formation,), name=_("Typical targets")))
