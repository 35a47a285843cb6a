"""Battles: rosters of one game side by side, their balance, each locked at a version, and printed as one pack."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rosters import registry
from rosters.core import diff, edits
from rosters.core.amounts import format_amount
from rosters.core.appraisals import RosterState, house_rules_in_force
from rosters.core.play import Match
from rosters.models import Battle, Force, Roster, Visibility
from rosters.registry import System
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.battles.forms import (
    AddRosterForm,
    BattleForm,
    JoinForm,
    NewBattleForm,
    NewBattleQuery,
    SideForm,
    error_status,
)
from rosters.web.battles.service import BattleError, LockedRevision
from rosters.web.context import BattleContext, battle_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.service import PrintableRoster, printing_limits
from rosters.web.printing.views import content_key, parse_print_options, render_print_errors
from rosters.web.sharing.forms import cleaned_query
from rosters.web.sharing.links import version_path

MAX_SHOWN = 60
"""Rosters of the visitor that a page offers."""
MAX_CHANGES = 8
"""Sentences on what has changed since a force was locked."""
MAX_COMPARED = 100_000
"""JSON characters of the latest version of a roster that is compared with the locked one."""

# ---------------------------------------------------------------- the page of a battle


class ForceView(NamedTuple):
    """A force as this visitor may see it; ``state`` is None for one that is private or in the bin."""

    force: Force
    editable: bool
    """Whether this visitor may edit the roster."""
    state: RosterState | None = None
    locked: LockedRevision | None = None

    @property
    def roster(self) -> Roster:
        return self.force.roster

    @property
    def has_changed(self) -> bool:
        """Whether the roster has changed since it was locked."""
        return self.force.revision != self.roster.revision

    @property
    def path(self) -> str:
        """The path of the locked version."""
        return version_path(self.roster, self.force.revision)


def force_views_of(ctx: BattleContext) -> list[ForceView]:
    """The forces of a battle in their order."""
    forces = ctx.battle.forces.select_related("roster").order_by("position")
    return [_force_view(force, ctx.battle, permissions.may_edit(ctx.request, force.roster)) for force in forces]


def _force_view(force: Force, battle: Battle, mine: bool) -> ForceView:
    roster = force.roster
    if roster.binned or (roster.visibility == Visibility.CLOSED and not mine):
        return ForceView(force, mine)
    own = battles.locked_revision(roster, force.revision)
    return ForceView(force, mine, battles.state_in_battle(force, battle, own.document, complete=mine), own)


def card(force_view: ForceView, battle: Battle, system: System) -> dict[str, Any]:
    """A force as its panel shows it."""
    base = {"force_view": force_view, "force": force_view.force, "is_hidden": force_view.state is None}
    if force_view.state is None or force_view.locked is None:
        return base
    document, appraisal = force_view.state.document, force_view.state.appraisal
    findings = roster_page.group_findings(roster_page.findings(document, appraisal.findings))
    return {
        **base,
        "name": document.name,
        "roster_page": roster_page.roster_page(force_view.state),
        "errors": [finding for finding in findings if finding.severity == "error"],
        "warnings_and_notes": [f for f in findings if f.severity != "error" and f.code != "house-rule"],
        "differing": list(battles.differing_rules(force_view.locked.document, document, system.rules)),
        "locked_at": force_view.locked.at,
        "edition": "" if force_view.locked.edition == appraisal.edition else force_view.locked.edition,
        "since": list(_changes_since(force_view, battle, system)),
        "is_private": force_view.editable and force_view.roster.visibility == Visibility.CLOSED,
    }


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


def _for_all(force_view: ForceView, battle: Battle) -> RosterState:
    """The force redacted even for its owner, for pages and files that are passed on."""
    own = force_view.locked or battles.locked_revision(force_view.roster, force_view.force.revision)
    return battles.state_in_battle(force_view.force, battle, own.document, complete=False)


def match_of(force_views: list[ForceView], system: System) -> Match:
    """The balance of the forces that this visitor sees; unknown while one is hidden from them."""
    states = [force_view.state for force_view in force_views if force_view.state is not None]
    match = system.play.match(states)
    if len(states) == len(force_views):
        return match
    return Match(None, (_("You cannot see every roster, so the balance is unknown."), *match.sentences))


def battle_page(
    ctx: BattleContext,
    *,
    terms_form: BattleForm | None = None,
    add_form: AddRosterForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of a battle, with an invalid form or an ``error`` at its top."""
    battle, system, force_views = ctx.battle, battles.system_of(ctx.battle), force_views_of(ctx)
    title = _title(ctx)
    mine = permissions.my_rosters(ctx.request).filter(system=battle.system)
    context = {
        "battle": battle,
        "title": title,
        "editable": ctx.editable,
        "may_delete": ctx.editable and ctx.is_creator,
        "system": system,
        "words": system.rules.WORDS,
        "cards": [card(force_view, battle, system) for force_view in force_views],
        "match": match_of(force_views, system),
        "totals": _totals(force_views),
        "scenario": system.rules.SCENARIOS.get(battle.scenario or ""),
        "sides": battles.sides_of(system.rules, battle.scenario),
        "rules": list(house_rules_in_force(battles.options_of(battle))),
        "has_free_side": ctx.editable or len(force_views) < battles.TWO_SIDES,
        "mine": mine.exclude(pk__in=[force_view.roster.pk for force_view in force_views])[:MAX_SHOWN],
        "form": terms_form or _terms_form(battle, title),
        "add_form": add_form or AddRosterForm(request=ctx.request),
        "error": error,
        "printable": any(force_view.state for force_view in force_views),
        "changed": any(force_view.has_changed for force_view in force_views if force_view.state),
    }
    response = render(ctx.request, "battles/battle.html", context, status=status)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _totals(force_views: list[ForceView]) -> str:
    """The points of the forces: "60 vs 60"; "" if the visitor does not know them all."""
    points = [force_view.state.appraisal.points if force_view.state else None for force_view in force_views]
    if not points or None in points:
        return ""
    total, *others = map(format_amount, points)
    for other in others:
        total = _("%(a)s vs %(b)s") % {"a": total, "b": other}
    return total


def _title(ctx: BattleContext) -> str:
    """The battle's title as this visitor may see it."""
    rosters = Roster.objects.filter(forces__battle=ctx.battle)
    return battles.title_of(ctx.battle, rosters, permissions.visitor_of(ctx.request))


def _terms_form(battle: Battle, title: str, data: QueryDict | None = None) -> BattleForm:
    options = battles.options_of(battle).model_dump()
    initial = {"name": title, "scenario": battle.scenario, **options}
    return BattleForm(data, system=battles.system_of(battle), initial=initial)


# ---------------------------------------------------------------- a new battle


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def new(request: HttpRequest) -> HttpResponse:
    """Create a battle of selected rosters and pasted links; and list the visitor's battles."""
    if request.method != "POST":
        return _new_page(request, *_preselected(request))
    form = NewBattleForm(request.POST, request=request)
    if form.is_valid():
        browser, owner = permissions.browser_for(request), permissions.account_of(request)
        try:
            battle = battles.create(form.cleaned_data["name"], form.rosters, browser, owner)
        except BattleError as error:
            form.add_error(None, str(error))
        else:
            return redirect("battle", battle.token)
    return _new_page(request, form, status=error_status(form))


def _new_page(
    request: HttpRequest, form: NewBattleForm, roster: Roster | None = None, status: int = 200
) -> HttpResponse:
    my_battles, visitor = permissions.my_battles(request), permissions.visitor_of(request)
    context = {
        "form": form,
        "mine": [(mine, registry.SYSTEMS[mine.system]) for mine in permissions.my_rosters(request)[:MAX_SHOWN]],
        "battles": battles.battle_summaries(my_battles, MAX_SHOWN, visitor),
    }
    if roster is not None:
        with_roster = battles.battles_with(my_battles, roster)
        context |= {"roster": roster, "battles_with": battles.battle_summaries(with_roster, MAX_SHOWN, visitor)}
    return render(request, "battles/new.html", context, status=status)


def _preselected(request: HttpRequest) -> tuple[NewBattleForm, Roster | None]:
    """The form with the roster that the query names, if any. Raises Http404."""
    preselected = cleaned_query(NewBattleQuery(request.GET))["roster"]
    if preselected is None:
        return NewBattleForm(request=request), None
    roster, editable = permissions.roster_for(request, preselected.token)
    link = request.build_absolute_uri(version_path(roster))
    initial = {"roster": [roster.token]} if editable else {"links": link}
    return NewBattleForm(request=request, initial=initial), roster


# ---------------------------------------------------------------- one battle


@battle_view(READ, "GET", POST=EDIT)
def battle(ctx: BattleContext) -> HttpResponse:
    """Show the battle."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "battle", ctx.battle.token)
    return battle_page(ctx)


@battle_view(EDIT, "POST")
def add(ctx: BattleContext) -> HttpResponse:
    """Add the roster that is pasted or selected."""
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
    """Lock every force at its latest version."""
    return _lock(ctx, {force_view.force.pk for force_view in force_views_of(ctx)})


@battle_view(EDIT, "POST")
def lock(ctx: BattleContext, pk: int) -> HttpResponse:
    """Lock one force at its latest version."""
    return _lock(ctx, {get_object_or_404(ctx.battle.forces, pk=pk).pk})


def _lock(ctx: BattleContext, pks: set[int]) -> HttpResponse:
    """Lock these forces, except what is hidden from this visitor."""
    visible = {force_view.force.pk for force_view in force_views_of(ctx) if force_view.state is not None}
    try:
        changed = battles.lock_latest_versions(ctx.battle, [*(pks & visible)])
    except BattleError as error:
        return battle_page(ctx, error=str(error), status=422)
    if changed:
        messages.success(ctx.request, _("Locked the latest version."))
    else:
        messages.info(ctx.request, _("This is the latest version already."))
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
    battles.choose_side(ctx.battle, pk, form.cleaned_data["side"])
    return ctx.redirect()


@battle_view(EDIT, "POST")
def terms(ctx: BattleContext) -> HttpResponse:
    """Save name, scenario and house rules."""
    form = _terms_form(ctx.battle, "", ctx.request.POST)
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
    title = _title(ctx)
    if ctx.request.method != "POST":
        context = {"battle": ctx.battle, "title": title, "size": ctx.battle.forces.count()}
        return render(ctx.request, "battles/delete.html", context)
    battles.delete(ctx.battle)
    messages.success(ctx.request, _("Deleted the battle “%(battle)s”.") % {"battle": title})
    return redirect("battle-new")


# ---------------------------------------------------------------- the other side


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(READ, "POST")
def join(ctx: BattleContext) -> HttpResponse:
    """Join with one of the visitor's rosters."""
    _require_open_side(ctx)
    form = JoinForm(ctx.request.POST, request=ctx.request)
    if not form.is_valid():
        return battle_page(ctx, error=_("Select one of your rosters."), status=422)
    browser = permissions.browser_for(ctx.request)
    try:
        battles.join(ctx.battle, form.cleaned_data["roster"], browser, editor=ctx.editable)
    except BattleError as error:
        return battle_page(ctx, error=str(error), status=422)
    return ctx.redirect()


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(READ, "POST")
def build_opponent(ctx: BattleContext) -> HttpResponse:
    """Join with a new roster that starts with the points limit and the side that fit."""
    _require_open_side(ctx)
    if "roster" in ctx.request.POST:
        return redirect_outdated(ctx.request, "battle", ctx.battle.token)
    visible = [_for_all(force_view, ctx.battle) for force_view in force_views_of(ctx) if force_view.locked is not None]
    document = battles.opponent_of(ctx.battle, visible)
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    try:
        created = battles.make_opponent(ctx.battle, document, browser, owner, editor=ctx.editable)
    except BattleError as error:
        return battle_page(ctx, error=str(error), status=422)
    text = _("This roster is in the battle “%(battle)s”. When it is ready, lock its latest version there.")
    messages.info(ctx.request, text % {"battle": _title(ctx)}, extra_tags=f"battle {ctx.battle.token}")
    return redirect("roster", created.roster.token)


def _require_open_side(ctx: BattleContext) -> None:
    """Raise Http404 if the battle is complete and the visitor may not change it."""
    if not ctx.editable and ctx.battle.forces.count() >= battles.TWO_SIDES:
        raise Http404("This battle is complete.")


# ---------------------------------------------------------------- the battle pack


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@battle_view(READ, "GET")
def pdf(ctx: BattleContext) -> HttpResponse:
    """Send the battle pack: the briefing, the locked record sheets as others see them, one reference panel."""
    battle = ctx.battle
    copies = [_copy(ctx, force_view) for force_view in force_views_of(ctx) if force_view.state is not None]
    if not copies:
        raise Http404("This battle has nothing to print.")
    options = parse_print_options(battles.system_of(battle), ctx.request.GET, {})
    key = content_key(copies, options, "battle")

    def draw() -> bytes:
        return printing.battle_print(copies, options, printing_limits()).pdf()

    response = file_response(ctx.request, key, "application/pdf", draw)
    response["Content-Disposition"] = f'inline; filename="{(slugify(_title(ctx)) or "battle")[:60]}.pdf"'
    return response


def _copy(ctx: BattleContext, force_view: ForceView) -> PrintableRoster:
    """A force as everybody sees it, with the link of its locked version for the QR code."""
    state = _for_all(force_view, ctx.battle)
    document = edits.replace_fields(
        state.document, changed=force_view.locked.at.isoformat() if force_view.locked else None
    )
    return PrintableRoster(state._replace(document=document), ctx.request.build_absolute_uri(force_view.path))
