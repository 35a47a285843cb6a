"""The forces of a battle as a visitor may see them: each by itself, and side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from rosters.core import diff
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import RosterState, points_difference
from rosters.core.cache import MemoryCache
from rosters.core.messages import join
from rosters.core.play import Match, Panel
from rosters.drawing.svg import Symbol
from rosters.models import Battle, Force, Roster, Visibility
from rosters.registry import System
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.battles.service import LockedForce
from rosters.web.context import BattleContext
from rosters.web.http import permissions
from rosters.web.roster_page import FindingGroup, KeyFigureRow, RosterPage
from rosters.web.sharing.links import version_path

MAX_CHANGES = 8
"""Sentences on what has changed since a force was locked."""
MAX_COMPARED = 100_000
"""JSON characters of the latest version of a roster that is compared with the locked one."""
SUMMARY_BYTES, COMPARISON_BYTES = 400_000, 40_000
"""A summary and a comparison in memory: estimated from above."""


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


# ---------------------------------------------------------------- summed up and compared


@dataclass(frozen=True, eq=False)
class ForceSummary:
    """What the page says of a locked force to everybody who sees as much of it. Cached, and the key of its template."""

    path: str
    roster_page: RosterPage
    counters: Mapping[str, Symbol]
    errors: Sequence[FindingGroup]
    warnings_and_notes: Sequence[FindingGroup]
    differing: Sequence[str]
    edition: str
    since: Sequence[str]


@dataclass(frozen=True, eq=False)
class ForceComparison:
    """The forces that a visitor sees side by side. Cached, and the key of its template."""

    match: Match
    figures: Sequence[KeyFigureRow]
    totals: str
    apart: str
    ahead: int
    """The number of the side with the most points; 0 if they are equal or not known."""
    illegal: str
    """The rosters that are not legal, by name, "" if there are none."""
    briefing: Sequence[Panel]
    is_built: bool
    """Whether every roster has something in it."""
    is_close: bool
    """Whether the points differ by at most 5 %, which a rulebook that only sets a limit does not ask for."""


_summaries = MemoryCache[tuple[Any, ...], ForceSummary](24 << 20)
_comparisons = MemoryCache[tuple[Any, ...], ForceComparison](8 << 20)
"""By the keys of the forces and the language; each saves half of the page."""


def force_summary(force_view: ForceView, locked: LockedForce, battle: Battle) -> ForceSummary:
    """The summary of a force that this visitor sees."""
    key = (locked.key, get_language())
    summary = _summaries.get(key)
    if summary is None:
        summary = _force_summary(force_view, locked, battle)
        _summaries.set(key, summary, SUMMARY_BYTES)
    return summary


def _force_summary(force_view: ForceView, locked: LockedForce, battle: Battle) -> ForceSummary:
    return summarize(
        locked.state,
        force_view.path,
        differing=list(
            battles.differing_rules(locked.own.document, locked.state.document, battles.system_of(battle).rules)
        ),
        edition="" if locked.own.edition == locked.state.appraisal.edition else locked.own.edition,
        since=list(_changes_since(force_view, battle, battles.system_of(battle))),
    )


def summarize(
    state: RosterState, path: str, *, differing: Sequence[str] = (), edition: str = "", since: Sequence[str] = ()
) -> ForceSummary:
    """The summary of a roster, with links to the page at ``path``."""
    page = roster_page.build_page(state)
    findings = roster_page.group_findings(page.findings)
    return ForceSummary(
        path,
        page,
        {counter.id: counter for counter in page.counters},
        [finding for finding in findings if finding.severity == "error"],
        [f for f in findings if f.severity != "error" and f.code != "house-rule"],
        differing,
        edition,
        since,
    )


def _changes_since(force_view: ForceView, battle: Battle, system: System) -> Iterator[str]:
    """The changes of the roster since it was locked, in sentences."""
    if not force_view.has_changed or force_view.state is None:
        return
    if len(force_view.roster.document) > MAX_COMPARED:
        yield _("This roster is too large to list what has changed.")
        return
    now = battles.latest_state(force_view.force, battle, complete=force_view.editable)
    changes = diff.changes(force_view.state, now, system.rules)
    yield from (change.text for change in changes[:MAX_CHANGES])
    more = len(changes) - MAX_CHANGES
    if more > 0:
        yield ngettext("and %(count)d more change", "and %(count)d more changes", more) % {"count": more}


def comparison_of(force_views: Sequence[ForceView], system: System) -> ForceComparison:
    """The forces that this visitor sees side by side."""
    locked = [force_view.locked for force_view in force_views if force_view.locked]
    hidden = len(force_views) - len(locked)
    key = (system.slug, hidden, get_language(), *(each.key for each in locked))
    compared = _comparisons.get(key)
    if compared is None:
        compared = compare_states([each.state for each in locked], system, all_visible=not hidden)
        _comparisons.set(key, compared, COMPARISON_BYTES)
    return compared


def compare_states(states: Sequence[RosterState], system: System, *, all_visible: bool = True) -> ForceComparison:
    """Rosters side by side; the balance is unknown unless ``all_visible``."""
    match = system.play.match(states)
    sentences = join(match.sentences, " ")  # under the figures; on paper the panel of the rosters alone has it
    briefing = system.play.briefing(states) if states else ()
    if not all_visible:
        match = Match(None, (_("You cannot see every roster, so the balance is unknown."), *match.sentences))
    points = [state.appraisal.points for state in states]
    known = [amount for amount in points if amount is not None] if all_visible else []
    complete = bool(states) and len(known) == len(states)
    apart = points_difference(min(known), max(known)) if complete and len(known) > 1 else None
    return ForceComparison(
        match,
        tuple(roster_page.figures_of(states)),
        _versus(known) if complete else "",
        format_amount(apart),
        known.index(max(known)) + 1 if apart else 0,
        roster_page.illegal_names(states),
        tuple(panel._replace(text="") if panel.text == sentences else panel for panel in briefing),
        is_built=roster_page.is_built(states),
        is_close=not all_visible or roster_page.is_close(states),
    )


def _versus(points: Sequence[Amount]) -> str:
    """The points of the forces: "60 vs 60"."""
    total, *others = map(format_amount, points)
    for other in others:
        total = _("%(a)s vs %(b)s") % {"a": total, "b": other}
    return total
