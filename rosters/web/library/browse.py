"""Pages that belong to nobody: home, books, errata, explanations, the JSON Schema."""

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from rosters.core import documents
from rosters.models import Roster
from rosters.registry import SYSTEMS, System, document_types, explanations
from rosters.store import search
from rosters.web.http.permissions import my_rosters, public_view

LAST_FEW = 6
"""Rosters of one's own on the home page."""


@public_view("GET")
def home(request: HttpRequest) -> HttpResponse:
    """The five games, a way to start, and the rosters that were changed last."""
    mine = list(my_rosters(request).filter(archived=False)[:LAST_FEW])
    examples: dict[str, list[Roster]] = {}
    for roster in search.sample_rosters():
        examples.setdefault(roster.system, []).append(roster)
    games = [(system, examples.get(slug, [])[:3]) for slug, system in SYSTEMS.items()]
    return render(request, "library/home.html", {"games": games, "mine": with_systems(mine)})


def with_systems(rosters: list[Roster]) -> list[tuple[Roster, System]]:
    """Each roster beside its system."""
    return [(roster, SYSTEMS[roster.system]) for roster in rosters]


@public_view("GET")
def books(request: HttpRequest) -> HttpResponse:
    """The gallery of sample armies and books, and of what players list; searchable."""
    system, words = request.GET.get("system", ""), request.GET.get("q", "")[:120].replace("\0", "")
    system, number = system if system in SYSTEMS else "", search.page_number(request.GET.get("page", ""))
    found = list(search.sample_rosters(system, words)) if number == 1 else []
    groups = [(each, [r for r in found if r.system == slug]) for slug, each in SYSTEMS.items()]
    context = {"groups": [g for g in groups if g[1]], "systems": SYSTEMS.values(), "chosen": system, "q": words}
    return render(request, "library/books.html", context | {"players": search.page(system, words, number)})


@cache
def errata_rows() -> list[dict[str, Any]]:
    """Published armies with printed numbers that their rulebook does not give."""
    rows: list[dict[str, Any]] = json.loads((settings.BASE_DIR / "fixtures" / "errata.json").read_text())
    return rows


@public_view("GET")
def errata(request: HttpRequest) -> HttpResponse:
    """Each erratum with a link to the army."""
    rosters = {roster.sample: roster for roster in search.sample_rosters()}
    rows = [{**row, "roster": rosters.get(row["army"])} for row in errata_rows()]
    return render(request, "library/errata.html", {"rows": rows})


@public_view("GET")
def explain(request: HttpRequest, system: System) -> HttpResponse:
    """Every word of a rulebook, its house rules and its findings, in our words."""
    found = explanations(system)
    kinds = {"rule": "Words of the rulebook", "house rule": "House rules", "error": "Errors: the roster is not legal"}
    kinds |= {"warning": "Warnings: legal, but look again", "note": "Notes: worth knowing"}
    groups = [(title, [entry for entry in found if entry.kind == kind]) for kind, title in kinds.items()]
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
    """What crawlers leave alone: everything that is drawn on request, and what is somebody's own."""
    return HttpResponse(ROBOTS, content_type="text/plain")
