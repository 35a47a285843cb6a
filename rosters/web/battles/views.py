"""The addresses of a battle: its rosters join and leave, are locked, and have a rematch."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.web.battles import service as battles
from rosters.web.battles.forces import ForceView, force_views_of, may_lock, state_for_all, title_for
from rosters.web.battles.forms import AddRosterForm, BattleForm, PlayerForm, SideForm, error_status
from rosters.web.battles.page import battle_page
from rosters.web.battles.service import BattleError, RosterRef
from rosters.web.context import BattleContext, battle_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ
from rosters.web.http.rate_limit import rate_limited


def _terms_form(ctx: BattleContext, data: QueryDict | None = None) -> BattleForm:
    options = battles.options_of(ctx.battle).model_dump()
    title = title_for(ctx, force_views_of(ctx)) if data is None else ""
    initial = {"name": title, "scenario": ctx.battle.scenario, **options}
    return BattleForm(data, system=battles.system_of(ctx.battle), initial=initial)


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
    if not any(may_lock(ctx, each) for each in force_views):
        return battle_page(ctx, error=_("Only its player can lock another version of this roster."), status=422)
    return _lock(ctx, force_views)


def _lock(ctx: BattleContext, force_views: Sequence[ForceView]) -> HttpResponse:
    """Lock these forces, except what is hidden from this visitor."""
    lockable = [each for each in force_views if each.locked is not None and may_lock(ctx, each)]
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
    """Copy the sample roster of a side to the visitor, who plays that side by it, and go to its play page."""
    if get_object_or_404(ctx.battle.forces.select_related("roster"), pk=pk).roster.sample is None:
        return battle_page(ctx, error=_("This is no sample roster any more: somebody plays it."), status=422)
    copy = battles.play_sample(ctx.battle, pk, **_copier(ctx))
    _tell_of_copy(ctx)
    return redirect(f"{reverse('play', args=[copy.token])}?battle={ctx.battle.token}")


def _copier(ctx: BattleContext) -> dict[str, Any]:
    """The visitor who copies a sample roster, and the names that the visitor's rosters have."""
    return {
        "browser": permissions.browser_for(ctx.request),
        "owner": permissions.account_of(ctx.request),
        "taken": permissions.my_rosters(ctx.request).values_list("name", flat=True),
    }


def _tell_of_copy(ctx: BattleContext) -> None:
    messages.success(ctx.request, _("The copy is your roster, and locked. You play this side."))


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
            if is_copied:
                _tell_of_copy(ctx)
            return ctx.redirect()
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
