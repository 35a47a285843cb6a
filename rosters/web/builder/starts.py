"""What a new element begins as: an element of the rulebook, the roster or a sample, or the last one."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.http import Http404
from django.utils.translation import get_language, gettext

from rosters.core import edits
from rosters.core.cache import MemoryCache
from rosters.core.documents import Element
from rosters.core.grammar import Grammar, IndescribableElement
from rosters.core.lines import parse_line
from rosters.core.messages import translate
from rosters.forms.element_form import ElementForm
from rosters.store import search
from rosters.store.state import current_document
from rosters.web.builder.copy_elements import find_source
from rosters.web.builder.forms import NewElementQuery
from rosters.web.context import RosterContext
from rosters.web.http.queries import cleaned_query

MAX_OWN = 30
"""Elements of the roster itself that are offered."""


class Start(NamedTuple):
    """An element that a new one may begin as: what the form is asked for, its name and its stats as words."""

    value: str
    name: str
    stats: str


def requested_start(ctx: RosterContext) -> dict[str, Any]:
    """What the query or the submitted form says of the start of a new element. Raises BadRequest."""
    return cleaned_query(NewElementQuery(ctx.post_data or ctx.request.GET))


def start_of(ctx: RosterContext) -> Element:
    """The element that the form of a new one begins as; what is no longer there counts as not asked for."""
    requested = requested_start(ctx)
    rules = ctx.system.rules
    forms: type[ElementForm] = ctx.system.forms.ElementForm
    try:
        if requested["after"]:
            return forms.next_element(edits.find_element(ctx.document, requested["after"])[1])
        start = _find_start(ctx, requested["start"]) if requested["start"] else forms.new_element(rules)
    except (edits.ElementNotFound, Http404):
        start = forms.new_element(rules)
    return start.replace(**_described_fields(ctx.system.grammar, requested["line"])) if requested["line"] else start


def _find_start(ctx: RosterContext, start: str) -> Element:
    """The element of a `Start`, which only an owner's new one keeps secret. Raises ElementNotFound or Http404."""
    forms: type[ElementForm] = ctx.system.forms.ElementForm
    if start in forms.starts:
        return forms.new_element(ctx.system.rules, start)
    token, _slash, uid = start.rpartition("/")
    document = current_document(find_source(ctx, token)) if token else ctx.document
    element = edits.find_element(document, uid)[1]
    return element.replace(id=None, marks=(), secret=element.secret and ctx.is_owner)


def _described_fields(grammar: Grammar, text: str) -> dict[str, Any]:
    """What a line of quick add says of an element that it gives no stats."""
    fields = {"name", "quantity", *grammar.describing}
    parses = parse_line(grammar, text).parses[:1]
    given = parses[0].element.model_dump(include=fields, exclude_defaults=True) if parses else {}
    return {name: getattr(parses[0].element, name) for name in given}


Groups = list[tuple[str, list[Start]]]
_samples = MemoryCache[tuple[Any, ...], Groups](1 << 20)
"""The starts of the sample rosters of a game: a third to two thirds of the time of a new element's form."""


def starts_of(ctx: RosterContext, formation: Any) -> Groups:
    """The starts by their headings: the rulebook, the roster with this formation first, each sample roster."""
    forms, rules, grammar = ctx.system.forms.ElementForm, ctx.system.rules, ctx.system.grammar
    book = ((start, forms.new_element(rules, start)) for start in forms.starts)
    formations = sorted(ctx.document.formations, key=lambda each: each.id != formation.id)
    own = ((str(element.id), element) for each in formations for element in each.elements)
    samples = search.sample_rosters(search.RosterFilter(system=ctx.system.slug)).only("token", "name", "revision")
    key = (ctx.system.slug, get_language(), *((each.token, each.revision) for each in samples))
    of_samples = _samples.get(key)
    if of_samples is None:
        of_samples = [
            (each.name, [*_starts(grammar, _elements_of(each.token, current_document(each)))]) for each in samples
        ]
        _samples.set(key, of_samples)
    groups = [
        (gettext("Rulebook"), [*_starts(grammar, book)]),
        (gettext("This roster"), [*_starts(grammar, islice(own, MAX_OWN))]),
    ]
    return [*filter(lambda group: group[1], groups), *of_samples]


def _elements_of(token: str, document: Any) -> Iterator[tuple[str, Element]]:
    for formation in document.formations:
        for element in formation.elements:
            yield f"{token}/{element.id}", element


def _starts(grammar: Grammar, elements: Iterable[tuple[str, Element]]) -> Iterator[Start]:
    """One start for each design: those of one name and the same stats come once."""
    seen = set()
    for value, element in elements:
        try:
            stats = " ".join(grammar.write(element))
        except IndescribableElement:
            stats = ""
        if (element.name, stats) not in seen:
            seen.add((element.name, stats))
            yield Start(value, translate(element.display_name), stats)
