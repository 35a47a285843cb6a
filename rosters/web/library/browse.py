"""Public pages: home, Browse, errata, explanations, the JSON Schema, robots.txt."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rosters.core import documents
from rosters.core.reference import fixtures_folder
from rosters.registry import SYSTEMS, System, document_types, explanations
from rosters.store import replica, search
from rosters.web.http.permissions import public_view
from rosters.web.library.forms import BrowseForm
from rosters.web.library.queries import RosterSummary, my_rosters_with_bin

LAST_FEW = 3
"""Rosters of one's own on the home page."""


@public_view("GET")
def home(request: HttpRequest) -> HttpResponse:
    """The five games with sample rosters, and the visitor's last changed rosters."""
    mine = my_rosters_with_bin(request).filter(archived=False, binned=None)[:LAST_FEW]
    samples: dict[str, list[Any]] = {}
    for sample in search.sample_rosters().values_list("system", "token", "name", "points", named=True):
        samples.setdefault(sample.system, []).append(sample)
    games = [(system, tuple(samples.get(slug, [])[:3])) for slug, system in SYSTEMS.items()]
    return render(request, "library/home.html", {"games": games, "mine": [*map(RosterSummary.of, mine)]})


@public_view("GET")
def browse(request: HttpRequest) -> HttpResponse:
    """Sample rosters and community rosters, filtered by game and words."""
    form = BrowseForm(request.GET)
    valid = form.is_valid()
    system, words = form.cleaned_data.get("system", ""), form.cleaned_data.get("q", "")
    number = min(form.cleaned_data["page"], search.LAST_PAGE)
    columns = ("system", "token", "name", "points", "quantity", "notes", "crest")
    query = search.sample_rosters(system, words).values_list(*columns, named=True)
    samples = replica.read(lambda alias: [*query.using(alias)]) if valid and number == 1 else []
    groups = [(each, tuple(sample for sample in samples if sample.system == slug)) for slug, each in SYSTEMS.items()]
    context = {"groups": [group for group in groups if group[1]], "form": form, "q": words}
    return render(request, "library/browse.html", context | {"community": search.page(system, words, number)})


@cache
def errata_rows() -> list[dict[str, Any]]:
    """Published armies with printed numbers that their rulebook does not give."""
    rows: list[dict[str, Any]] = json.loads((fixtures_folder() / "errata.json").read_text())
    return rows


@public_view("GET")
def errata(request: HttpRequest) -> HttpResponse:
    """Each erratum with a link to the army."""
    rosters = {roster.sample: roster for roster in search.sample_rosters()}
    rows = [{**row, "roster": rosters.get(row["army"])} for row in errata_rows()]
    return render(request, "library/errata.html", {"rows": rows})


@public_view("GET")
def explain(request: HttpRequest, system: System) -> HttpResponse:
    """The terms of a rulebook, its house rules and its findings, in our words."""
    entries = explanations(system)
    kinds = {"rule": _("Terms of the rulebook"), "house rule": _("House rules")}
    kinds |= {"error": _("Errors: the roster is not legal"), "warning": _("Warnings: legal, but check again")}
    kinds |= {"note": _("Notes: worth knowing")}
    groups = [(title, [entry for entry in entries if entry.kind == kind]) for kind, title in kinds.items()]
    return render(request, "library/explain.html", {"system": system, "groups": [g for g in groups if g[1]]})


@public_view("GET")
def schema(request: HttpRequest) -> JsonResponse:
    """The JSON Schema of the roster document."""
    return JsonResponse(documents.schema(document_types()), json_dumps_params={"indent": 1})


ROBOTS = """\
User-agent: *
Disallow: /*.pdf
Disallow: /s/*/page-one.png
Disallow: /s/*/print
Disallow: /s/*/tools
Disallow: /s/*/r
Disallow: /s/*/history
Disallow: /s/*/compare
Disallow: /s/*since=
Disallow: /s/*.txt
Disallow: /s/*.md
Disallow: /s/*.csv
Disallow: /s/*.ros
Disallow: /r/
Disallow: /e/
Disallow: /mine/
Disallow: /account/
"""


@public_view("GET")
def robots(request: HttpRequest) -> HttpResponse:
    """Exclude crawlers from pages rendered on request and from private pages."""
    return HttpResponse(ROBOTS, content_type="text/plain")
