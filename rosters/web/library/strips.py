"""What lists of rosters show of each one's content: a strip of counters, how many models, and names to search."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from rosters.core.appraisals import headcount, terms_of
from rosters.core.cache import MemoryCache
from rosters.core.documents import Element
from rosters.core.folding import fold_accents, tokenize
from rosters.core.redaction import Hidden, redact
from rosters.drawing.svg import Symbol
from rosters.models import Roster
from rosters.registry import SYSTEMS, System
from rosters.store.search import MAX_NAMES
from rosters.store.state import current_document
from rosters.web.roster_page import strip_counter

MAX_COUNTERS = 8
"""Counters of a strip: different ones, in the order of the roster."""
MAX_MATCHES = 2
"""Elements that a result of a search names."""
STRIP_BYTES = 4096
"""The memory of a strip without its names and counters, estimated from above."""


class RosterStrip(NamedTuple):
    """The content of a roster as others see it. Hashable, so that the row of a roster can be cached."""

    counters: tuple[Symbol, ...] = ()
    quantity: int = 0
    names: tuple[tuple[int, str], ...] = ()
    scenario: str = ""
    descriptions: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the counters, which the page defines once."""
        return tuple(counter.id for counter in self.counters)

    def matching(self, words: str) -> tuple[tuple[int, str], ...]:
        """The quantities and names of the first elements of which a word begins with a word of a search; if no name
        has one, of those with such a trait.
        """
        prefixes = tuple(tokenize(words))
        texts = ([name for _quantity, name in self.names], self.descriptions)
        matches = (
            each
            for column in texts
            for each, text in zip(self.names, column, strict=False)
            if any(word.startswith(prefixes) for word in tokenize(text))
        )
        return tuple(islice(dict.fromkeys(matches), MAX_MATCHES)) if prefixes else ()

    @property
    def words(self) -> set[str]:
        """The words of all names and descriptions."""
        return tokenize(" ".join([*(name for _quantity, name in self.names), *self.descriptions]))

    def matches(self, word: str) -> bool:
        """Whether an element's name contains a word of a search, or a word of its description, such as a trait, begins
        with it. ``word`` is in lower case without accents.
        """
        if any(word in fold_accents(name) for _quantity, name in self.names):
            return True
        return any(each.startswith(word) for text in self.descriptions for each in tokenize(text))


_strips = MemoryCache[tuple[str, int, bool], RosterStrip](8 << 20)
"""The strips by token, revision, and whether secret elements are hidden: half of Browse and of My rosters."""


def content_strips(rosters: Iterable[Roster]) -> dict[int, RosterStrip]:
    """The strips of rosters by primary key, without what their owners hide. One query for those that are not cached.

    Not columns of the roster: a picture in the database would be that of an older release.
    """
    known = {roster.pk: _strips.get(_key(roster)) for roster in rosters}
    missing = Roster.objects.filter(pk__in=[pk for pk, strip in known.items() if strip is None])
    for roster in missing.defer(None).only("token", "system", "revision", "changed", "hide_secrets", "document"):
        strip = known[roster.pk] = strip_of(roster)
        _strips.set(_key(roster), strip, STRIP_BYTES + 200 * len(strip.names))
    return {pk: strip or RosterStrip() for pk, strip in known.items()}


def counters_of(strips: Iterable[RosterStrip]) -> tuple[Symbol, ...]:
    """The counters of strips, each once, for `{% counter_sprite %}`."""
    return tuple({counter.id: counter for strip in strips for counter in strip.counters}.values())


def _key(roster: Roster) -> tuple[str, int, bool]:
    return roster.token, roster.revision, roster.hide_secrets


def strip_of(roster: Roster) -> RosterStrip:
    """Compute the strip of a roster."""
    try:
        document = redact(current_document(roster), Hidden(secrets=roster.hide_secrets))
    except ValueError:  # a damaged document, which `integrity` reports, must not take the list with it
        return RosterStrip()
    system, terms = SYSTEMS[document.system], terms_of(document)
    elements = [element for formation in document.formations for element in formation.elements]
    names = tuple((element.quantity, element.name) for element in elements[:MAX_NAMES])
    descriptions = tuple(_description(system, element, terms) for element in elements[:MAX_NAMES])
    counters = tuple(_counters(system, elements, terms))
    return RosterStrip(counters, headcount(system.rules, elements), names, document.scenario or "", descriptions)


def _description(system: System, element: Element, terms: Any) -> str:
    """The words that describe an element, in the language of the rulebook; its numbers would match points."""
    return re.sub(r"\w*\d\w*", "", str(system.rules.describe(element, terms)))


def _counters(system: Any, elements: Iterable[Element], terms: Any) -> Iterator[Symbol]:
    """The first few different counters."""
    ids: set[str] = set()
    for element in elements:
        counter = strip_counter(system, element, terms)
        if counter.id not in ids:
            yield counter
            ids.add(counter.id)
        if len(ids) == MAX_COUNTERS:
            return
