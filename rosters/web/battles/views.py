"""Battles: rosters of one game side by side, their balance, each locked at a version, and printed as one pack."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import diff
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import RosterState, house_rules_in_force, points_difference
from rosters.core.cache import MemoryCache
from rosters.core.play import Match, Panel
from rosters.drawing.svg import Symbol
from rosters.models import Battle, Force, Roster, Visibility
from rosters.registry import System
from rosters.store.access import rosters_to_choose
from rosters.store.compiled import compiled_query
from rosters.store.pairs import pairs_of
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.battles.forms import (
    AddRosterForm,
    BattleForm,
    NewBattleForm,
    NewBattleQuery,
    PlayerForm,
    SideForm,
    error_status,
)
from rosters.web.battles.service import BattleError, LockedForce, RosterRef
from rosters.web.context import BattleContext, battle_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.roster_page import FindingGroup, KeyFigureRow, RosterPage
from rosters.web.sharing import link_preview
from rosters.web.sharing.links import version_path

MAX_SHOWN = 60
"""Rosters of the visitor that a page offers."""
MAX_CHANGES = 8
"""Sentences on what has changed since a force was locked."""
MAX_COMPARED = 100_000
"""JSON characters of the latest version of a roster that is compared with the locked one."""
SUMMARY_BYTES, COMPARISON_BYTES = 400_000, 40_000
"""A summary and a comparison in memory: estimated from above."""

# ---------------------------------------------------------------- the page of a battle


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
    illegal: str
    """The rosters that are not legal, by name, "" if there are none."""
    briefing: Sequence[Panel]
    is_built: bool
    """Whether every roster has something in it."""
    is_close: bool
    """Whether the points differ by at most 5 %, which a rulebook that only sets a limit does not ask for."""


_summaries = MemoryCache[tuple[Any, ...], ForceSummary](24 << 20)
_comparisons = MemoryCache[tuple[Any, ...], ForceComparison](8 << 20)


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
    page = roster_page.roster_page(state)
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
        roster_page.illegal_names(states),
        tuple(system.play.briefing(states)) if states else (),
        is_built=roster_page.is_built(states),
        is_close=not all_visible or roster_page.is_close(states),
    )


def _versus(points: Sequence[Amount]) -> str:
    """The points of the forces: "60 vs 60"."""
    total, *others = map(format_amount, points)
    for other in others:
        total = _("%(a)s vs %(b)s") % {"a": total, "b": other}
    return total


def state_for_all(force_view: ForceView, battle: Battle) -> RosterState:
    """The force redacted even for its owner, for pages and files that are passed on."""
    return battles.locked_force(force_view.force, battle, complete=False).state


def _seat(ctx: BattleContext, force_view: ForceView, number: int) -> dict[str, Any]:
    """A force as its side of the page shows it, with what this visitor may do."""
    force, roster, mine = force_view.force, force_view.roster, force_view.editable
    seat = {"number": number, "force": force, "force_view": force_view, "is_hidden": force_view.locked is None}
    if force_view.locked is None:
        return seat
    return {
        **seat,
        "summary": force_summary(force_view, force_view.locked, ctx.battle),
        "may_lock": _may_lock(ctx, force_view) and (force_view.has_changed or (mine and not force.locked)),
        "is_private": mine and roster.visibility == Visibility.CLOSED,
    }


def _may_lock(ctx: BattleContext, force_view: ForceView) -> bool:
    """Players lock their own rosters; until they do, whoever may change the battle selects the version."""
    return force_view.editable or (ctx.editable and force_view.force.locked is None)


def _seats(ctx: BattleContext, force_views: Sequence[ForceView]) -> dict[str, Any]:
    """The sides of the page, with all counters on it."""
    seats = [_seat(ctx, force_view, number) for number, force_view in enumerate(force_views, 1)]
    counters: dict[str, Symbol] = {}
    for seat in seats:
        counters |= seat["summary"].counters if "summary" in seat else {}
    return {
        "seats": seats,
        "numbers": tuple(seat["number"] for seat in seats if not seat["is_hidden"]),
        "counters": counters.values(),
        "lockable": [seat for seat in seats if seat.get("may_lock")],
    }


def battle_page(
    ctx: BattleContext,
    *,
    terms_form: BattleForm | None = None,
    add_form: AddRosterForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of a battle; with a form, which may be invalid, or an ``error`` at its top."""
    battle, system, force_views = ctx.battle, battles.system_of(ctx.battle), force_views_of(ctx)
    is_free = len(force_views) < battles.COMPLETE_SIZE
    context = {
        **_seats(ctx, force_views),
        **(_offers(ctx, force_views, system) if is_free or add_form is not None else {}),
        "battle": battle,
        "title": title_for(ctx, force_views),
        "editable": ctx.editable,
        "may_delete": ctx.editable and ctx.is_creator,
        "system": system,
        "words": system.rules.WORDS,
        "comparison": comparison_of(force_views, system),
        "scenario": system.rules.SCENARIOS.get(battle.scenario or ""),
        "sides": battles.sides_of(system.rules, battle.scenario),
        "rules": tuple(house_rules_in_force(battles.options_of(battle))),
        "is_free": is_free,
        "own": [each.roster for each in force_views if each.editable and each.locked],
        "inviting": next((each.force.player for each in force_views if each.force.player), "") if is_free else "",
        "has_free_side": ctx.editable or is_free,
        "form": terms_form,
        "add_form": add_form,
        "error": error,
        "printable": any(force_view.locked for force_view in force_views),
        "address": ctx.request.build_absolute_uri(reverse("battle", args=[battle.token])),
        "open_graph": _link_preview(ctx, force_views, system) if any(each.is_public for each in force_views) else None,
    }
    return render(ctx.request, "battles/battle.html", context, status=status)


def _link_preview(ctx: BattleContext, force_views: Sequence[ForceView], system: System) -> dict[str, Any]:
    """The Open Graph tags of the battle's page, the same for everybody."""
    path, image = (reverse(name, args=[ctx.battle.token]) for name in ("battle", "battle-png"))
    named = ((each.roster.name or system.name, each.force.player) for each in force_views if each.is_public)
    names = " · ".join(f"{name} ({player})" if player else name for name, player in named)
    return link_preview.open_graph_tags(
        ctx.request, path, image, title_for(ctx, force_views), f"{system.name} · {names}"
    )


def _offers(ctx: BattleContext, force_views: Sequence[ForceView], system: System) -> dict[str, Any]:
    """The rosters that can join: the visitor's, samples of about the size of the first force, and other samples."""
    joined = {each.roster.pk for each in force_views}
    state = next((each.state for each in force_views if each.state), None)
    size = None if state is None else _size_of(system, state.appraisal)
    mine = rosters_to_choose(permissions.visitor_of(ctx.request), ctx.battle.system)
    sorted_by_size = (
        by_size([each for each in rosters if each.pk not in joined], system, size)
        for rosters in (mine, _samples(ctx.battle.system))
    )
    (near, far), (samples, others) = sorted_by_size
    return {"mine": [*near, *far][:MAX_SHOWN], "samples": samples[:MAX_SHOWN], "other_samples": others[:MAX_SHOWN]}


SAME_SIZE = 0.2
"""The part of its points, or figures, by which a roster of about the same size may differ."""


def _size_of(system: System, summary: Any) -> float | None:
    """The points of a roster or an appraisal; in a game without points the number of its elements."""
    size = summary.points if system.rules.WORDS.has_points else summary.quantity
    return None if size is None else float(size)


def by_size(rosters: Iterable[Roster], system: System, size: float | None) -> tuple[list[Roster], list[Roster]]:
    """Rosters of about a size and those of another, the nearest first; without a size all as they are."""
    if not size:
        return [*rosters], []

    def difference(roster: Roster) -> float:
        return abs((_size_of(system, roster) or 0) - size)

    ordered = sorted(rosters, key=difference)
    near = [roster for roster in ordered if difference(roster) <= SAME_SIZE * size]
    return near, ordered[len(near) :]


@compiled_query
def _samples(system: str) -> QuerySet[Roster]:
    samples = Roster.objects.exclude(sample=None).filter(binned=None, system=system)
    return samples.only("token", "name", "points", "quantity")[: MAX_SHOWN + battles.MAX_FORCES]


def title_for(ctx: BattleContext, force_views: Sequence[ForceView]) -> str:
    """The battle's title as this visitor may see it."""
    rosters = [force_view.roster for force_view in force_views]
    return battles.title_of(ctx.battle, rosters, permissions.visitor_of(ctx.request))


def _terms_form(ctx: BattleContext, data: QueryDict | None = None) -> BattleForm:
    options = battles.options_of(ctx.battle).model_dump()
    title = title_for(ctx, force_views_of(ctx)) if data is None else ""
    initial = {"name": title, "scenario": ctx.battle.scenario, **options}
    return BattleForm(data, system=battles.system_of(ctx.battle), initial=initial)


# ---------------------------------------------------------------- a new battle


@rate_limited("CREATIONS_A_MINUTE", "POST")
@public_view("GET", "POST")
def new(request: HttpRequest) -> HttpResponse:
    """Create a battle of selected rosters and pasted links; and list the visitor's battles."""
    if request.method != "POST":
        return _new_page(request, *_preselected(request))
    form = NewBattleForm(request.POST, request=request)
    against = None
    if form.is_valid():
        browser, owner = permissions.browser_for(request), permissions.account_of(request)
        try:
            battle = battles.create(form.cleaned_data["name"], form.rosters, browser, owner)
        except BattleError as error:
            form.add_error(None, str(error))
        else:
            return redirect("battle", battle.token)
    for ref in form.cleaned_data.get("against", ()):
        against = ref.roster
    return _new_page(request, form, against=against, status=error_status(form))


def _new_page(
    request: HttpRequest,
    form: NewBattleForm,
    roster: Roster | None = None,
    against: Roster | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page with the form; ``roster`` is selected in it, or the one that the visitor plays ``against``."""
    my_battles, visitor = permissions.my_battles(request), permissions.visitor_of(request)
    roster = roster or against
    my_rosters = permissions.my_rosters(request)
    system = _game(request, roster, my_rosters)
    samples = Roster.objects.exclude(sample=None).filter(binned=None, system=system.slug).order_by("name")
    if against is not None:
        samples, my_rosters = samples.exclude(pk=against.pk), my_rosters.exclude(pk=against.pk)
    hides_points = against is not None and against.hide_points
    size = None if roster is None or hides_points else _size_of(system, roster)
    same_size, others = by_size(samples, system, size)
    context = {
        "form": form,
        "system": system,
        "systems": registry.SYSTEMS.values(),
        "mine": my_rosters.filter(system=system.slug)[:MAX_SHOWN],
        "samples": same_size,
        "other_samples": others,
        "battles": battles.battle_summaries(my_battles, MAX_SHOWN, visitor),
        "against": against,
        "pairs": [] if against else pairs_of(system.slug),
    }
    if roster is not None:
        with_roster = battles.battles_with(my_battles, roster)
        context |= {"roster": roster, "battles_with": battles.battle_summaries(with_roster, MAX_SHOWN, visitor)}
    return render(request, "battles/new.html", context, status=status)


def _game(request: HttpRequest, roster: Roster | None, my_rosters: QuerySet[Roster]) -> System:
    """The game whose rosters are offered: of the query, the preselected roster, or the visitor's last one."""
    slug = cleaned_query(NewBattleQuery(request.GET))["game"]
    latest = roster or (None if slug else my_rosters.first())
    return registry.SYSTEMS[slug or (latest.system if latest else next(iter(registry.SYSTEMS)))]


def _preselected(request: HttpRequest) -> tuple[NewBattleForm, Roster | None, Roster | None]:
    """The form with the roster that the query names, if any: the visitor's own, or one to play against.

    Raises Http404.
    """
    preselected = cleaned_query(NewBattleQuery(request.GET))["roster"]
    if preselected is None:
        return NewBattleForm(request=request), None, None
    roster, editable = permissions.roster_for(request, preselected.token)
    if editable and preselected.version is None:
        return NewBattleForm(request=request, initial={"roster": [roster.token]}), roster, None
    link = request.build_absolute_uri(version_path(roster, preselected.version))
    if editable:
        return NewBattleForm(request=request, initial={"links": link}), roster, None
    return NewBattleForm(request=request, initial={"against": link}), None, roster


# ---------------------------------------------------------------- one battle


@battle_view(READ, "GET", POST=EDIT)
def battle(ctx: BattleContext) -> HttpResponse:
    """Show the battle."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "battle", ctx.battle.token)
    return battle_page(ctx)


@battle_view(EDIT, "GET", "POST")
def add(ctx: BattleContext) -> HttpResponse:
    """Show the page with the ways to add a roster; POST adds the one that is pasted or selected."""
    if ctx.request.method != "POST":
        return battle_page(ctx, add_form=AddRosterForm(request=ctx.request))
    form = AddRosterForm(ctx.request.POST, request=ctx.request)
    if form.is_valid():
        try:
            force = battles.add(ctx.battle, form.ref)
        except BattleError as error:
            form.add_error("link", str(error))
        else:
            messages.success(ctx.request, _("Added “%(roster)s”.") % {"roster": force.roster.name})
            return ctx.redirect()
    return battle_page(ctx, add_form=form, status=error_status(form))


@battle_view(EDIT, "POST")
def lock_all(ctx: BattleContext) -> HttpResponse:
    """Lock every force that this visitor may lock at its latest version."""
    return _lock(ctx, force_views_of(ctx))


@battle_view(READ, "POST")
def lock(ctx: BattleContext, pk: int) -> HttpResponse:
    """Lock one force at its latest version: its player, or who may change the battle until the player has."""
    force = get_object_or_404(ctx.battle.forces, pk=pk)
    force_views = [each for each in force_views_of(ctx) if each.force.pk == force.pk]
    if not any(_may_lock(ctx, each) for each in force_views):
        return battle_page(ctx, error=_("Only its player can lock another version of this roster."), status=422)
    return _lock(ctx, force_views)


def _lock(ctx: BattleContext, force_views: Sequence[ForceView]) -> HttpResponse:
    """Lock these forces, except what is hidden from this visitor."""
    lockable = [each for each in force_views if each.locked is not None and _may_lock(ctx, each)]
    own = {each.force.pk for each in lockable if each.editable}
    try:
        pks, browser = {each.force.pk for each in lockable}, permissions.browser_for(ctx.request)
        changed = battles.lock_latest_versions(ctx.battle, pks, own, browser)
    except BattleError as error:
        return battle_page(ctx, error=str(error), status=422)
    if changed:
        messages.success(ctx.request, _("Locked the latest version."))
    else:
        messages.info(ctx.request, _("This is the latest version already."))
    return ctx.redirect()


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(EDIT, "POST")
def play_sample(ctx: BattleContext, pk: int) -> HttpResponse:
    """Copy the sample roster of a side to the visitor, who plays that side by it."""
    if get_object_or_404(ctx.battle.forces.select_related("roster"), pk=pk).roster.sample is None:
        return battle_page(ctx, error=_("This is no sample roster any more: somebody plays it."), status=422)
    battles.play_sample(ctx.battle, pk, **_copier(ctx))
    return _copied(ctx)


def _copier(ctx: BattleContext) -> dict[str, Any]:
    """The visitor who copies a sample roster, and the names that the visitor's rosters have."""
    return {
        "browser": permissions.browser_for(ctx.request),
        "owner": permissions.account_of(ctx.request),
        "taken": permissions.my_rosters(ctx.request).values_list("name", flat=True),
    }


def _copied(ctx: BattleContext) -> HttpResponse:
    messages.success(ctx.request, _("The copy is your roster, and locked. You play this side."))
    return ctx.redirect()


@battle_view(EDIT, "POST")
def remove(ctx: BattleContext, pk: int) -> HttpResponse:
    """Remove a force: the visitor's own, or any if the visitor created the battle."""
    force = get_object_or_404(ctx.battle.forces.select_related("roster"), pk=pk)
    if not ctx.is_creator and not permissions.may_edit(ctx.request, force.roster):
        error = _("Only the creator of this battle can remove the roster of another player.")
        return battle_page(ctx, error=error, status=422)
    battles.remove(ctx.battle, pk)
    messages.success(ctx.request, _("Removed from the battle. The roster itself did not change."))
    return ctx.redirect()


@battle_view(EDIT, "POST")
def side(ctx: BattleContext, pk: int) -> HttpResponse:
    """Set the side of a force."""
    get_object_or_404(ctx.battle.forces, pk=pk)
    sides = battles.sides_of(battles.system_of(ctx.battle).rules, ctx.battle.scenario)
    form = SideForm(ctx.request.POST, sides=sides)
    if not form.is_valid():
        return battle_page(ctx, error=_("The scenario of this battle has no such side."), status=422)
    battles.set_side(ctx.battle, pk, form.cleaned_data["side"])
    return ctx.redirect()


@battle_view(READ, "POST")
def player(ctx: BattleContext, pk: int) -> HttpResponse:
    """Set the name of a force's player: its player, or who may change the battle."""
    force = get_object_or_404(ctx.battle.forces.select_related("roster"), pk=pk)
    form = PlayerForm(ctx.request.POST)
    if not ctx.editable and not permissions.may_edit(ctx.request, force.roster):
        return battle_page(ctx, error=_("Only its player can change the name at this roster."), status=422)
    if not form.is_valid():
        return battle_page(ctx, error=" ".join(map(str, form.errors["player"])), status=422)
    battles.set_player(ctx.battle, pk, form.cleaned_data["player"])
    return ctx.redirect()


@battle_view(EDIT, "GET", "POST")
def terms(ctx: BattleContext) -> HttpResponse:
    """Show the page with the form of name, scenario and house rules; POST saves them."""
    if ctx.request.method != "POST":
        return battle_page(ctx, terms_form=_terms_form(ctx))
    form = _terms_form(ctx, ctx.request.POST)
    if not form.is_valid():
        return battle_page(ctx, terms_form=form, status=422)
    battles.update_terms(ctx.battle, **form.settings())
    messages.success(ctx.request, _("Terms saved."))
    return ctx.redirect()


@battle_view(EDIT, "GET", "POST")
def delete(ctx: BattleContext) -> HttpResponse:
    """Ask, then delete the battle. Only its creator may."""
    if not ctx.is_creator:
        error = _("Only the creator can delete this battle. You can remove your own roster.")
        return battle_page(ctx, error=error, status=422)
    title = title_for(ctx, force_views_of(ctx))
    if ctx.request.method != "POST":
        context = {"battle": ctx.battle, "title": title, "size": ctx.battle.forces.count()}
        return render(ctx.request, "battles/delete.html", context)
    battles.delete(ctx.battle)
    messages.success(ctx.request, _("Deleted the battle “%(battle)s”.") % {"battle": title})
    return redirect("battle-new")


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(EDIT, "POST")
def rematch(ctx: BattleContext) -> HttpResponse:
    """Create a battle of the same rosters with the sides swapped."""
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    created = battles.create_rematch(ctx.battle, browser, owner)
    messages.success(ctx.request, _("Created a rematch with the sides swapped."))
    return redirect("battle", created.token)


# ---------------------------------------------------------------- the other side


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(READ, "POST")
def join(ctx: BattleContext) -> HttpResponse:
    """Join with one of the visitor's rosters, a copy of a sample, or the roster of a pasted link."""
    _require_open_side(ctx)
    form = AddRosterForm(ctx.request.POST, request=ctx.request)
    if form.is_valid():
        try:
            is_copied = _join(ctx, form.ref)
        except BattleError as error:
            form.add_error("link", str(error))
        else:
            return _copied(ctx) if is_copied else ctx.redirect()
    return battle_page(ctx, add_form=form, status=error_status(form))


@transaction.atomic
def _join(ctx: BattleContext, ref: RosterRef) -> bool:
    """Join with a roster; with a copy, as it returns, of a sample, which nobody can play. Raises BattleError."""
    force = battles.join(ctx.battle, ref, permissions.browser_for(ctx.request), editor=ctx.editable)
    if ref.roster.sample is None:
        return False
    battles.play_sample(ctx.battle, force.pk, **_copier(ctx))
    return True


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(READ, "POST")
def build_opponent(ctx: BattleContext) -> HttpResponse:
    """Join with a new roster that starts with the points limit and the side that fit."""
    _require_open_side(ctx)
    if "roster" in ctx.request.POST and "by" not in ctx.request.POST:
        return redirect_outdated(ctx.request, "battle", ctx.battle.token)
    visible = [
        state_for_all(force_view, ctx.battle) for force_view in force_views_of(ctx) if force_view.locked is not None
    ]
    document = battles.opponent_of(ctx.battle, visible)
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    try:
        created = battles.create_opponent(ctx.battle, document, browser, owner, editor=ctx.editable)
    except BattleError as error:
        return battle_page(ctx, error=str(error), status=422)
    form = PlayerForm(ctx.request.POST)
    if form.is_valid():
        battles.set_player(ctx.battle, ctx.battle.forces.get(roster=created.roster).pk, form.cleaned_data["player"])
    text = _("This roster is in the battle “%(battle)s”. When it is ready, lock its latest version there.")
    messages.info(
        ctx.request, text % {"battle": title_for(ctx, force_views_of(ctx))}, extra_tags=f"battle {ctx.battle.token}"
    )
    return redirect("roster", created.roster.token)


def _require_open_side(ctx: BattleContext) -> None:
    """Raise Http404 if the battle is complete and the visitor may not change it."""
    if not ctx.editable and ctx.battle.forces.count() >= battles.COMPLETE_SIZE:
        raise Http404("This battle is complete.")
