"""The page that creates a battle and lists the visitor's."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rosters import registry
from rosters.models import Roster
from rosters.registry import System
from rosters.store.pairs import pairs_of
from rosters.web.battles import service as battles
from rosters.web.battles.choices import MAX_SHOWN, by_size, size_of
from rosters.web.battles.forms import NewBattleForm, NewBattleQuery, error_status
from rosters.web.battles.service import BattleError
from rosters.web.http import permissions
from rosters.web.http.permissions import public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.links import version_path


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
    size = None if roster is None or hides_points else size_of(system, roster)
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
