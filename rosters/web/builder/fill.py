"""Fill the rest of a roster's points: choose designs and an enemy, see the results, add one of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.validators import MaxValueValidator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters import registry
from rosters.balance.forces import (
    MAX_ADDED,
    MAX_SHOWN,
    Offer,
    addition_edit,
    models_in,
    percents_of,
    planned_trials,
    points_left,
    price_of,
    read_offers,
    size_of,
)
from rosters.core import documents
from rosters.core.amounts import Amount, format_amount, format_decimal, parse_amount, to_amount
from rosters.core.appraisals import terms_of
from rosters.core.documents import profile_key
from rosters.core.messages import _ as message
from rosters.core.messages import translate
from rosters.drawing.svg import Symbol
from rosters.models import Force, Report, ReportKind, ReportState, Roster
from rosters.store import forces, reports, search
from rosters.store.access import rosters_to_choose
from rosters.store.forces import NoForceFound, Search
from rosters.store.state import current_state
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.builder.copy_elements import find_source
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.queries import ResultForm
from rosters.web.http.rate_limit import rate_limited
from rosters.web.odds.opponents import Opponent, opponents_of

MAX_SOURCES, MAX_LISTED, MAX_DESIGNS = 5, 200, 40
"""Rosters whose designs are listed, designs of each, and designs that a search may have: each costs odds."""
COMPARED = ("formations", "options", "budget", "scenario", "side")
"""The parts of a document on which the legality of a result depends: if one has changed, it is not offered."""


class FillForm(forms.Form):
    """What to find forces for; which designs are selected is read by their keys."""

    points = forms.FloatField(min_value=0, max_value=1_000_000)
    most = forms.IntegerField(min_value=1, max_value=MAX_ADDED, required=False, label=_("At most of each"))
    against = forms.ChoiceField(label=_("Against"))

    def __init__(self, data: QueryDict | None, opponents: Sequence[Opponent], **initial: Any) -> None:
        super().__init__(data, initial=initial)
        self.fields["against"].choices = [(each.key, each.name) for each in opponents]  # type: ignore[attr-defined]
        for field in self.fields.values():
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            field.widget.attrs["class"] = kind
        self.fields["most"].widget.attrs["placeholder"] = gettext("any number")


class Design(NamedTuple):
    """A design that can be selected: its key in the form, as it is offered, and how the page shows it."""

    key: str
    offer: Offer
    description: str
    points: str
    counter: Symbol


class Source(NamedTuple):
    """A roster and its designs."""

    name: str
    designs: Sequence[Design]


@rate_limited("REPORTS_A_MINUTE", "POST")
@rate_limited("COMPARISONS_A_MINUTE", "GET", "HEAD")
@roster_view(EDIT, "GET", "POST")
def fill(ctx: RosterContext) -> HttpResponse:
    """Choose designs and an enemy (GET), and find forces (POST)."""
    data = ctx.post_data or ctx.request.GET
    tokens = [*dict.fromkeys(filter(str.isprintable, data.getlist("from")))][:MAX_SOURCES]  # PostgreSQL takes no NUL
    sources = [_own_designs(ctx), *(_designs_of(ctx, find_source(ctx, token)) for token in tokens)]
    opponents = [each for each in opponents_of(ctx) if isinstance(each.source, Force | Roster)]
    usual = _usual_opponent(ctx, opponents)
    enemy = usual._replace(editable=False).state().document if usual and not _roster_of(usual).hide_points else None
    left = points_left(ctx.document, enemy)
    form = _form(ctx, opponents, points=left, against=usual)
    chosen = {design.key for source in sources for design in source.designs}
    if ctx.post_data is not None:
        chosen &= {*data.getlist("design")}
        if form.is_valid():
            offers = [each.offer for source in sources for each in source.designs if each.key in chosen]
            against = next(each for each in opponents if each.key == form.cleaned_data["against"])
            search = _find(ctx, form, against, offers)
            if search is not None:
                return redirect("fill-results", ctx.roster.token, search.token)
    context = {"form": form, "sources": sources, "chosen": chosen, "tokens": tokens, "others": _others(ctx, tokens)}
    context["counters"] = roster_page.distinct_counters(each.counter for source in sources for each in source.designs)
    return ctx.render("builder/fill.html", context, status=422 if ctx.post_data is not None else 200)


def _usual_opponent(ctx: RosterContext, opponents: Sequence[Opponent]) -> Opponent | None:
    """The roster of the last battle, else the sample nearest to this roster's limit or size."""
    if not opponents or isinstance(opponents[0].source, Force):
        return opponents[0] if opponents else None
    size = ctx.document.budget or max(_listed_size(ctx.roster), _listed_size(_roster_of(opponents[0])))
    # in tenths: of samples nearly as near, the first is that of the usual pair, not the one that this is a copy of
    return min(opponents, key=lambda each: round(abs(_listed_size(_roster_of(each)) - size) / (size or 1), 1))


def _listed_size(roster: Roster) -> float:
    return roster.quantity if roster.points is None else roster.points


def _form(ctx: RosterContext, opponents: Sequence[Opponent], points: Amount, against: Opponent | None) -> FillForm:
    """The form, in which a points limit allows no more than are left."""
    form = FillForm(ctx.post_data, opponents, points=format_decimal(points), against=against and against.key)
    if ctx.document.budget is not None:
        form.fields["points"].validators.append(MaxValueValidator(points, _("Only %(limit_value)s are left.")))
    words = ctx.system.rules.WORDS
    label = gettext("%(points)s to spend") if words.has_points else gettext("Figures to add")
    form.fields["points"].label = label % {"points": translate(words.points_heading)}
    return form


def _own_designs(ctx: RosterContext) -> Source:
    designs = [Offer(element, "", is_own=True) for element in ctx.document.elements]
    return _source(ctx, gettext("This roster"), [(str(each.element.id), each) for each in designs])


def _designs_of(ctx: RosterContext, source: Roster) -> Source:
    formations = current_state(source).document.formations
    offers = [
        Offer(element, formation.name, is_own=False) for formation in formations for element in formation.elements
    ]
    return _source(ctx, source.name, [(f"{source.token}/{number}", each) for number, each in enumerate(offers)])


def _source(ctx: RosterContext, name: str, offers: Iterable[tuple[str, Offer]]) -> Source:
    """The designs that have odds, equal ones once."""
    designs: dict[Any, Design] = {}
    for key, offer in offers:
        if len(designs) == MAX_LISTED:
            break
        profile = profile_key(offer.element)
        if profile not in designs and not [*ctx.system.odds.problems(offer.element)]:
            designs[profile] = _design(ctx, key, offer)
    return Source(name, [*designs.values()])


def _design(ctx: RosterContext, key: str, offer: Offer) -> Design:
    terms = terms_of(ctx.document)
    description = translate(ctx.system.rules.describe(offer.element, terms))
    return Design(
        key, offer, description, _points(ctx, offer), roster_page.strip_counter(ctx.system, offer.element, terms)
    )


def _others(ctx: RosterContext, tokens: Sequence[str]) -> list[tuple[str, Sequence[Roster]]]:
    """The rosters whose designs may be listed, too: the visitor's own, and samples."""
    mine = [each for each in rosters_to_choose(ctx.visitor, ctx.system.slug) if each.pk != ctx.roster.pk]
    samples = [*search.sample_rosters(search.RosterFilter(system=ctx.system.slug)).only("token", "name")]
    return [(gettext("My rosters"), mine), (gettext("Sample rosters"), samples)]


def _roster_of(opponent: Opponent) -> Roster:
    source: Any = opponent.source
    roster: Roster = source.roster if isinstance(source, Force) else source
    return roster


def _find(ctx: RosterContext, form: FillForm, opponent: Opponent, offers: Sequence[Offer]) -> Report | None:
    """The search; None if there is nothing to find, and the form says why."""
    if not offers or len(offers) > MAX_DESIGNS:
        text = gettext("Select 1 to %(most)d designs; %(number)d are selected.")
        form.add_error(None, text % {"most": MAX_DESIGNS, "number": len(offers)})
        return None
    enemy = _roster_of(opponent)
    visible = opponent._replace(editable=False).state().document
    points = to_amount(form.cleaned_data["points"])
    try:
        searched = Search(ctx.document, offers, points, form.cleaned_data["most"])
        return forces.request_search(ctx.roster, searched, enemy, visible, battles.requester_of(ctx.request))
    except NoForceFound as error:
        form.add_error(None, gettext("No legal addition can damage this enemy."))
        for finding in error.findings[:3]:
            form.add_error(None, translate(finding.message))
        return None


# ---------------------------------------------------------------- results


class FillResult(NamedTuple):
    """A force of the search: its number, what it adds, the roster's size with it, and what it is worth; once it has
    fought, its share of battles in percent with its interval.
    """

    number: int
    added: Sequence[tuple[int, Offer, Symbol]]
    size: str
    worth: str
    percents: Mapping[str, int]


@roster_view(EDIT, "GET")
def results(ctx: RosterContext, searched: str) -> HttpResponse:
    """Show the forces of a search: those that are proven best, and when it is done those that win most."""
    row = _search_of(ctx, searched)
    question, offers = row.question, read_offers(row.system, row.question["offers"])
    counters = [roster_page.strip_counter(ctx.system, each.element, terms_of(ctx.document)) for each in offers]
    worths = [
        (offer, counter, _points(ctx, offer), None if worth is None else format_amount(to_amount(round(worth, 1))))
        for offer, counter, worth in zip(offers, counters, question["worths"], strict=True)
    ]
    context = {
        **reports.progress_of(row, planned_trials(len(question["found"]))),
        "report": row,
        "enemy": row.b,
        "enemy_size": "" if row.b.hide_points else format_amount(size_of(registry.read(row.question["b"]))),
        "results": [*_results(row, offers, counters)],
        "worths": worths,
        "counters": roster_page.distinct_counters(counters),
        "may_stop": True,
        "may_add": _is_unchanged(ctx, row),
    }
    return ctx.render("builder/fill_results.html", context)


@roster_view(EDIT, "POST")
def stop(ctx: RosterContext, searched: str) -> HttpResponse:
    """Stop the battles of a search."""
    row = _search_of(ctx, searched)
    reports.stop(row)
    return redirect("fill-results", ctx.roster.token, row.token)


@roster_view(EDIT, "POST")
def add(ctx: RosterContext, searched: str) -> HttpResponse:
    """Add a force of the search to the roster, as one change."""
    row = _search_of(ctx, searched)
    form = ResultForm(ctx.request.POST, "force", row.question["found"])
    if not form.is_valid():
        raise Http404("This search found no such force.")
    if not _is_unchanged(ctx, row):
        messages.error(
            ctx.request, gettext("The roster has changed since this search. Nothing was added: search again.")
        )
        return redirect("fill-results", ctx.roster.token, row.token)
    counts = row.question["found"][form.cleaned_data["force"]]["counts"]
    offers = read_offers(row.system, row.question["offers"])
    models = ctx.system.rules.WORDS.count_elements(models_in(counts))
    ctx.apply(addition_edit(ctx.document, offers, counts), message("Filled up with {models}").format(models=models))
    return redirect("roster", ctx.roster.token)


def _search_of(ctx: RosterContext, token: str) -> Report:
    """A search of this roster, against an enemy of which nothing has been hidden since. Raises Http404."""
    searches = ctx.roster.searches.filter(kind=ReportKind.SEARCH).select_related("a", "b")
    row: Report = get_object_or_404(searches, token=token)
    if battles.is_hidden(row.b, ctx.visitor) or not reports.is_still_visible(row):
        raise Http404("The enemy of this search is hidden.")
    return row


def _is_unchanged(ctx: RosterContext, row: Report) -> bool:
    """Whether the roster is as it was for the search, so that its results are still legal."""
    then, now = row.question["a"], documents.write(ctx.document)
    return all(then.get(part) == now.get(part) for part in COMPARED)


def _results(row: Report, offers: Sequence[Offer], counters: Sequence[Symbol]) -> Iterable[FillResult]:
    """Up to five forces, best first: by battles if the search is done, else by value."""
    candidates, own = row.question["found"], size_of(registry.read(row.question["a"]))
    rows: Sequence[Mapping[str, Any]] = [{"force": number} for number in range(min(len(candidates), MAX_SHOWN))]
    if row.state == ReportState.DONE:
        rows = row.result["forces"]
    for each in rows:
        force = candidates[each["force"]]
        added = [(n, *rest) for n, *rest in zip(force["counts"], offers, counters, strict=True) if n]
        size = own + models_in(force["counts"]) if force["points"] is None else parse_amount(force["points"])
        worth = format_amount(to_amount(round(force["worth"], 1)))
        yield FillResult(each["force"], added, format_amount(size), worth, percents_of(each))


def _points(ctx: RosterContext, offer: Offer) -> str:
    return format_amount(price_of(ctx.document, offer.element)) if ctx.system.rules.WORDS.has_points else ""
