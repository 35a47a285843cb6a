"""Public pages: home, Browse, errata, explanations, the JSON Schema, robots.txt."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy

from rosters.core import documents
from rosters.core.appraisals import finding_types, terms_of
from rosters.core.help import Term
from rosters.core.messages import translate
from rosters.core.play import Panel
from rosters.core.reference import fixture
from rosters.core.rulebook import Terms
from rosters.drawing.diagrams import diagram
from rosters.drawing.svg import svg
from rosters.registry import SYSTEMS, System, document_types, explanations, read
from rosters.store import pairs, search
from rosters.web.http.permissions import public_view
from rosters.web.library import pictures
from rosters.web.library.forms import STOP_WORDS, BrowseForm, HelpSearchForm
from rosters.web.library.help_tasks import Patterns, Subject, has_all, help_cards
from rosters.web.library.price import PriceForm
from rosters.web.library.queries import browse_page, my_rosters_with_bin, own_summary, suggested_words
from rosters.web.library.strips import content_strips, counters_of
from rosters.web.sharing.link_preview import open_graph_tags

SEVERITY_TITLES = {
    "error": gettext_lazy("Errors: the roster is not legal"),
    "warning": gettext_lazy("Warnings: legal, but check again"),
    "note": gettext_lazy("Notes: worth knowing"),
}
MAX_RECENT = 3
"""Rosters of one's own on the home page."""
LAST_PAGE = 200
"""The last page of Browse: later ones would take ever longer."""


@public_view("GET")
def home(request: HttpRequest) -> HttpResponse:
    """The five games with sample rosters, and the visitor's last changed rosters."""
    mine = [*my_rosters_with_bin(request).filter(archived=False, binned=None)[:MAX_RECENT]]
    strips = content_strips(mine)
    samples = Counter(search.sample_rosters().order_by().values_list("system", flat=True))
    ready = {pair.first.system: pair for pair in reversed(pairs.pairs_of(*SYSTEMS))}
    games = [(system, pictures.game_counters(slug), ready.get(slug), samples[slug]) for slug, system in SYSTEMS.items()]
    context = {
        "games": games,
        "mine": [own_summary(roster, strips[roster.pk]) for roster in mine],
        "counters": counters_of(strips.values()),
        "map": pictures.battle_map(),
        "price_form": PriceForm(request.GET),
        "headline": pictures.HEADLINE,
        "about": pictures.ABOUT,
        "open_graph": open_graph_tags(request, reverse("home"), reverse("home-png"), pictures.HEADLINE, pictures.ABOUT),
    }
    return render(request, "library/home.html", context)


@public_view("GET")
def home_image(request: HttpRequest) -> HttpResponse:
    """Send the picture that a chat shows for the home page."""
    return HttpResponse(pictures.home_preview_image(), "image/png")


@public_view("GET")
def browse(request: HttpRequest) -> HttpResponse:
    """Sample rosters and community rosters, filtered by the query string."""
    form = BrowseForm(request.GET)
    form.is_valid()
    page = browse_page(form.criteria, form.cleaned_data.get("from", ""), min(form.cleaned_data["page"], LAST_PAGE))
    context = {"form": form, "page": page, "q": form.criteria.words}
    if form.criteria == search.RosterFilter(system=form.criteria.system) and page.number == 1:
        context["pairs"] = pairs.pairs_of(*([form.criteria.system] if form.criteria.system else SYSTEMS))
    if form.criteria.words and not page.rosters and page.number == 1:
        context["suggestion"] = suggested_words(form.criteria.words)
    return render(request, "library/browse.html", context)


@public_view("GET")
def errata(request: HttpRequest) -> HttpResponse:
    """Published armies with printed numbers that their rulebook does not give, each with a link to the army."""
    rosters = {roster.sample: roster for roster in search.sample_rosters()}
    rows = [{**row, "roster": rosters.get(row["army"])} for row in fixture("errata")]
    return render(request, "library/errata.html", {"rows": rows})


MAX_RESULTS = 6
"""Terms of a game among those that a search of all games shows."""


class HelpEntry(NamedTuple):
    """A term with its code, unless its name says the same, its counter or a diagram, and all its words."""

    term: Term
    code: str
    group: str
    picture: SafeString
    text: str


@cache  # four fifths of the index of the help
def help_entries(system: System, language: str) -> tuple[HelpEntry, ...]:
    """The terms of a game in the active language; cached by it."""
    return tuple(_help_entries(system))


def _help_entries(system: System) -> Iterator[HelpEntry]:
    terms = Terms(system.rules.Options(), None, None)
    for term in system.help.terms():
        if term.profile is not None:
            element = system.rules.Element.model_validate({"name": "", **term.profile})
            picture = svg(system.drawing.counter_of(element, terms), "medium")
        else:
            picture = svg(diagram(system.drawing.DIAGRAMS[term.code]))
        words = (term.code, *map(translate, (term.name, term.text, term.group, term.example)))
        code = "" if _letters(term.code) == _letters(str(term.name)) else term.code
        yield HelpEntry(term, code, translate(term.group), mark_safe(picture), " ".join(words))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _by_group(entries: Iterable[HelpEntry]) -> dict[str, list[HelpEntry]]:
    groups: dict[str, list[HelpEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


def _patterns(words: Iterable[str], start: str = "", end: str = "") -> Patterns:
    return [re.compile(f"{start}{re.escape(word)}{end}", re.IGNORECASE) for word in words]


def _matching_entries(system: System, words: Sequence[str], patterns: Patterns) -> list[HelpEntry]:
    """The terms of a game that have all patterns, one of which may name the game; best first.

    In the name is better than in the text, and words that hardly go on are better than beginnings.
    """
    better = [_patterns(words, r"\b", end) for end in (r"\w{0,3}\b", "")]

    def rank(entry: HelpEntry) -> list[bool]:
        texts = (translate(entry.term.name), entry.text)
        return [not has_all(each, text) for text in texts for each in better]

    entries = help_entries(system, get_language())
    return sorted((each for each in entries if has_all(patterns, system.name, system.slug, each.text)), key=rank)


@cache  # a tenth of a page of the help
def help_panels(system: System) -> tuple[Panel, ...]:
    """The quick reference of a game, for a roster with all that the terms are about, but not about that roster."""
    elements = [{"name": "", **term.profile} for term in system.help.terms() if term.profile is not None]
    head = {"format": documents.FORMAT, "version": 1, "system": system.slug, "name": ""}
    formation = "…"
    everything = read({**head, "formations": [{"name": formation, "elements": elements}]})
    panels = system.play.panels(everything, terms_of(everything))
    return tuple(panel for panel in panels if all(formation not in row for row in panel.rows))


def _matching_panels(system: System, patterns: Patterns) -> Iterator[Panel]:
    """The panels of the quick reference with the rows that have all patterns, some of them perhaps in the title."""

    def matches(*texts: str) -> bool:
        return has_all(patterns, system.name, system.slug, *map(translate, texts))

    for panel in help_panels(system):
        rows = tuple(row for row in panel.rows if matches(panel.title, *row))
        if rows or (panel.text and matches(panel.title, panel.text)):
            yield panel._replace(rows=rows)


class GameHelp(NamedTuple):
    """The terms of a game and the panels of its quick reference that match a query."""

    system: System
    terms: Sequence[HelpEntry]
    panels: Sequence[Panel]

    @property
    def counters(self) -> SafeString:
        return pictures.game_counters(self.system.slug)

    @property
    def common(self) -> list[Term]:
        """Its most common terms, of all."""
        terms = {entry.term.code: entry.term for entry in self.terms}
        return [terms[code] for code in self.system.help.COMMON]

    @property
    def results(self) -> list[Any]:
        """The terms, and of each panel its rows, or its text."""
        return [*self.terms, *(row for panel in self.panels for row in panel.rows or [panel.text])]


@public_view("GET")
def help_index(request: HttpRequest) -> HttpResponse:
    """The help of all games: their most common terms and first steps; with a query, the steps that answer it, the first
    terms of each game that have its words, and such rows of its quick reference.
    """
    form = HelpSearchForm(request.GET)
    words, subject = form.words, _subject(request)
    query, begins = form.cleaned_data["q"], _patterns(words, r"\b")
    tasks = help_cards(subject, begins) if words else []
    patterns = begins if tasks else _patterns(words)
    games = [
        GameHelp(
            system,
            _matching_entries(system, words, patterns),
            [*_matching_panels(system, patterns)] if words else [],
        )
        for system in (SYSTEMS.values() if words or not query else ())  # none for words of a question alone
    ]
    context = {
        "q": query,
        "skipped": STOP_WORDS,
        "games": [game for game in games if game.results],
        "results": len([*tasks, *(each for game in games for each in game.results)]),
        "max_terms": MAX_RESULTS,
        "last": subject.last,
        "answered": bool(tasks),
        "tasks": tasks or help_cards(subject),
    }
    return render(request, "library/help.html", context)


def _subject(request: HttpRequest) -> Subject:
    """What the first steps lead this visitor to."""
    last = my_rosters_with_bin(request).filter(archived=False, binned=None, own=True).first()
    guided = next(system for system in SYSTEMS.values() if system.help.GUIDE)
    system = SYSTEMS[last.system] if last else guided
    return Subject(last, next(iter(pairs.pairs_of(system.slug)), None), guided, system.grammar.example)


@public_view("GET")
def help_redirect(request: HttpRequest) -> HttpResponse:
    """Redirect from the address that visitors guess."""
    return redirect("help", permanent=True)


@public_view("GET")
def explain(request: HttpRequest, system: System) -> HttpResponse:
    """The terms of a rulebook in our words and its quick reference, what has the words of the query; house rules."""
    form = HelpSearchForm(request.GET)
    words, patterns = form.words, _patterns(form.words)
    groups = _by_group(_matching_entries(system, words, patterns))
    rules = [entry for entry in explanations(system) if entry.kind == "house rule"] if not words else []
    codes = [entry.code for entry in explanations(system) if entry.kind in SEVERITY_TITLES]
    panels = [*_matching_panels(system, patterns)]
    context: dict[str, Any] = {"system": system, "words": system.rules.WORDS, "skipped": STOP_WORDS}
    context |= {"systems": SYSTEMS.values(), "q": form.cleaned_data["q"], "groups": groups.items()}
    return render(request, "library/explain.html", context | {"house_rules": rules, "codes": codes, "panels": panels})


@public_view("GET")
def explain_findings(request: HttpRequest, system: System) -> HttpResponse:
    """What the rules check finds, and why it matters."""
    types = finding_types(system.rules).items()
    groups = [
        (title, [(code, each) for code, each in types if each.severity == severity])
        for severity, title in SEVERITY_TITLES.items()
    ]
    return render(request, "library/findings.html", {"system": system, "groups": [each for each in groups if each[1]]})


@public_view("GET")
def schema(request: HttpRequest) -> JsonResponse:
    """The JSON Schema of the roster document."""
    return JsonResponse(documents.schema(document_types()), json_dumps_params={"indent": 1})


ROBOTS = """\
User-agent: *
Disallow: /*.pdf
Disallow: /s/*/page.png
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
