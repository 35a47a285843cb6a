"""Ready-made battles: a pair of sample rosters, and the button that makes a battle of copies of both."""

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.balance.forces import percents_of_share
from rosters.balance.report import BATTLES
from rosters.models import Battle, Force, Roster
from rosters.registry import System
from rosters.store import pairs, reports
from rosters.store.pairs import SamplePair
from rosters.store.reports import ReportError
from rosters.store.state import visible_state
from rosters.web.battles import service as battles
from rosters.web.battles.forces import compare_states, summarize
from rosters.web.battles.service import RosterRef
from rosters.web.http import permissions
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.link_preview import battle_picture, open_graph_tags, preview_content
from rosters.web.sharing.links import version_path


@rate_limited("CREATIONS_A_MINUTE", "POST")
@public_view("GET", "POST")
def sample_battle(request: HttpRequest, system: System, name: str) -> HttpResponse:
    """Show a pair side by side; by POST, copy both to the visitor, lock them in a new battle, and redirect to it."""
    pair = _pair_named(system, name)
    if request.method == "POST":
        battle = _create(request, pair)
        messages.success(
            request,
            _("This battle uses copies of both rosters, now in My rosters. Play them here, or print the battle pack."),
        )
        return redirect("battle", battle.token)
    states = [visible_state(roster, complete=False) for roster in pair]
    summaries = [summarize(state, version_path(roster)) for state, roster in zip(states, pair, strict=True)]
    share = max(pair.share, 1 - pair.share)
    leader = pair.first if pair.share == share else pair.second
    context = {
        "pair": pair,
        "system": system,
        "words": system.rules.WORDS,
        "scenario": system.rules.SCENARIOS.get(states[0].document.scenario or ""),
        "summaries": summaries,
        "seats": summaries,
        "numbers": (1, 2),
        "counters": {id_: counter for each in summaries for id_, counter in each.counters.items()}.values(),
        "comparison": compare_states(states, system),
        "leader": leader,
        "is_even": not pair.favored,
        "percents": percents_of_share(share, BATTLES),
        "open_graph": open_graph_tags(
            request,
            reverse("sample-battle", args=[system.slug, name]),
            reverse("sample-battle-png", args=[system.slug, name]),
            _("%(a)s against %(b)s") % {"a": pair.first.name, "b": pair.second.name},
            f"{system.name} · {_('Ready-made battle')}",
        ),
    }
    return render(request, "battles/pair.html", context)


@rate_limited("PREVIEWS_A_MINUTE")
@public_view("GET")
def sample_picture(request: HttpRequest, system: System, name: str) -> HttpResponse:
    """Send the picture that a chat shows for the link of a pair."""
    states = [visible_state(roster, complete=False) for roster in _pair_named(system, name)]
    sides = [preview_content(*state, system) for state in states]
    return HttpResponse(battle_picture(system.name, sides, ""), "image/png")


@rate_limited("REPORTS_A_MINUTE")
@public_view("POST")
def sample_report(request: HttpRequest, system: System, name: str) -> HttpResponse:
    """Request the fairness report of a pair, the same one for everybody, and go to its page."""
    pair = _pair_named(system, name)
    battle = _public_battle(pair)
    states = [visible_state(roster, complete=False).document for roster in pair]
    try:
        forces = [*battle.forces.select_related("roster")]
        report = reports.request_report(battle, forces, states, battles.requester_of(request))
    except ReportError as error:
        messages.error(request, str(error))
        return redirect("sample-battle", system.slug, name)
    return redirect("battle-report", battle.token, report.token)


def _pair_named(system: System, name: str) -> SamplePair:
    pair = next((each for each in pairs.pairs_of(system.slug) if each.name == name), None)
    if pair is None:
        raise Http404
    return pair


def _public_battle(pair: SamplePair) -> Battle:
    """The battle of the samples themselves, which nobody may change; created by the first request for its report.

    A battle whose account was deleted may have the same rosters: it is another one if more than these were in it.
    """
    of_pair = Battle.objects.annotate(size=Count("forces")).filter(size=2, creator=None, owner=None, browsers=None)
    for position, roster in enumerate(pair, 1):
        rows = Force.objects.filter(roster=roster, revision=roster.revision, position=position, player="")
        of_pair = of_pair.filter(pk__in=rows.values("battle"))
    existing = of_pair.first()
    if existing is not None:
        return existing
    with transaction.atomic():  # else several requests at once, the first ones, create a battle each
        list(Roster.objects.select_for_update(no_key=True).filter(pk=pair.first.pk).values_list("pk"))
        return of_pair.first() or battles.create("", [RosterRef(roster) for roster in pair], None)


@transaction.atomic
def _create(request: HttpRequest, pair: SamplePair) -> Battle:
    """A battle of copies of both rosters, which are the visitor's and locked."""
    browser, owner = permissions.browser_for(request), permissions.account_of(request)
    taken = permissions.my_rosters(request).values_list("name", flat=True)
    copies = [battles.copy_of_sample(roster, taken, browser, owner) for roster in pair]
    return battles.create("", [RosterRef(copy, mine=True) for copy in copies], browser, owner)
