"""The page of a battle."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from rosters.core.appraisals import house_rules_in_force
from rosters.drawing.svg import Symbol
from rosters.models import Battle, PlayState, Visibility
from rosters.registry import System
from rosters.store.play import play_of
from rosters.web.battles import service as battles
from rosters.web.battles.choices import roster_choices
from rosters.web.battles.forces import (
    ForceView,
    comparison_of,
    force_summary,
    force_views_of,
    may_lock,
    title_for,
)
from rosters.web.battles.forms import AddRosterForm, BattleForm
from rosters.web.battles.sides import Side
from rosters.web.context import BattleContext
from rosters.web.sharing import link_preview


def _seat(ctx: BattleContext, force_view: ForceView, number: int) -> dict[str, Any]:
    """A force as its side of the page shows it, with what this visitor may do."""
    force, roster, mine = force_view.force, force_view.roster, force_view.editable
    seat = {"number": number, "force": force, "force_view": force_view, "is_hidden": force_view.locked is None}
    if force_view.locked is None:
        return {**seat, "losses": None, "summary": None, "may_lock": False, "is_private": False}
    play = play_of(roster)
    return {
        **seat,
        "losses": Side(number, force, mine, play).losses,
        "damaged": _damaged_before(ctx.battle, play) if mine else None,
        "summary": force_summary(force_view, force_view.locked, ctx.battle),
        "may_lock": may_lock(ctx, force_view) and (force_view.has_changed or (mine and not force.locked)),
        "is_private": mine and roster.visibility == Visibility.CLOSED,
    }


def _damaged_before(battle: Battle, play: PlayState) -> datetime | None:
    """When a roster got the damage with which it comes from an earlier battle; None if it has none."""
    last = datetime.fromisoformat(play.sessions[-1][1]) if play.damage and play.sessions else battle.created
    return last if last < battle.created else None


def _seats(ctx: BattleContext, force_views: Sequence[ForceView]) -> dict[str, Any]:
    """The sides of the page, with all counters on it."""
    seats = [_seat(ctx, force_view, number) for number, force_view in enumerate(force_views, 1)]
    counters: dict[str, Symbol] = {}
    for seat in seats:
        counters |= seat["summary"].counters if seat["summary"] else {}
    return {
        "seats": seats,
        "numbers": tuple(seat["number"] for seat in seats if not seat["is_hidden"]),
        "counters": counters.values(),
        "lockable": [seat for seat in seats if seat["may_lock"]],
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
    forces = [(each.roster, each.state) for each in force_views]
    choices = roster_choices(ctx, forces, system) if is_free or add_form is not None else {}
    context = {
        **_seats(ctx, force_views),
        **choices,
        "battle": battle,
        "title": title_for(ctx, force_views),
        "editable": ctx.editable,
        "may_delete": ctx.editable and ctx.is_creator,
        "system": system,
        "words": system.rules.WORDS,
        "comparison": comparison_of(force_views, system),
        "percents": None,  # of a sample battle alone, whose report is made beforehand
        "scenario": system.rules.SCENARIOS.get(battle.scenario or ""),
        "sides": battles.sides_of(system.rules, battle.scenario),
        "rules": tuple(house_rules_in_force(battles.options_of(battle))),
        "is_free": is_free,
        "own": [each.roster for each in force_views if each.editable and each.locked],
        "inviting": next((each.force.player for each in force_views if each.force.player), "") if is_free else "",
        "has_free_side": ctx.editable or is_free,
        "form": terms_form,
        "add_form": add_form or (AddRosterForm(request=ctx.request) if is_free else None),
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
