"""The rosters that players list for everybody, searched and paged, with what others may know of them alone.

Their words are looked for in what is shown here: never in notes, which may be hidden. `rosters.store.writer` keeps
the words of what is listed in a table of their own. By hand: full-text search of SQLite and of PostgreSQL differ, and
one index has to find the same in both.
"""

import re
import unicodedata
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from rosters.models import GalleryWord, Roster, Visibility
from rosters.registry import SYSTEMS, System

PAGE = 24
LAST_PAGE = 200


class ListedRoster(NamedTuple):
    """A roster as the gallery shows it. ``points`` is None where there are none to be shown."""

    token: str
    name: str
    system: System
    points: float | None
    legal: bool
    tags: str
    changed: datetime


class Page(NamedTuple):
    """Some of the rosters, newest first, and where the others are."""

    rosters: list[ListedRoster]
    number: int
    more: bool
    query: dict[str, str]

    @property
    def before(self) -> str:
        return self._address(self.number - 1)

    @property
    def after(self) -> str:
        return self._address(self.number + 1)

    def _address(self, number: int) -> str:
        return f"{reverse('books')}?{urlencode({**self.query, 'page': number})}#players"


def page_number(text: str) -> int:
    """The number of the page that an address names; 1 for what is none."""
    return max(1, min(int(text[:6]), LAST_PAGE)) if text.isascii() and text.isdigit() else 1


def page(system: str = "", words: str = "", number: int = 1) -> Page:
    """One page of what is listed, by game and by words."""
    first = (number - 1) * PAGE
    rows = listed_rosters(system, words).values_list(
        "token", "name", "system", "points", "legal", "tags", "changed", "hide_points"
    )[first : first + PAGE + 1]
    found = [
        ListedRoster(token, name, SYSTEMS[game], None if hidden else points, legal, tags, changed)
        for token, name, game, points, legal, tags, changed, hidden in rows
    ]
    query = {name: value for name, value in (("system", system), ("q", words)) if value}
    return Page(found[:PAGE], number, len(found) > PAGE, query)


def sample_rosters(system: str = "", words: str = "") -> QuerySet[Roster]:
    """Sample armies and books, by game and by words in their names or notes."""
    found = Roster.objects.filter(sample__isnull=False).order_by("system", "name")
    if system:
        found = found.filter(system=system)
    for word in words.split():
        found = found.filter(Q(name__icontains=word) | Q(notes__icontains=word))
    return found


def listed_rosters(system: str = "", words: str = "") -> QuerySet[Roster]:
    """Rosters that their owners list, newest first; every word must begin a word of the name, the game or the tags,
    or be the points.

    A word that few rosters have is looked up; one that many have is soon met on the way from the newest on.
    """
    found = Roster.objects.filter(visibility=Visibility.LISTED, binned=None)
    found = found.filter(system=system) if system else found
    rare: set[int] | None = None
    for asked in sorted(tokenize(words))[:MOST_WORDS]:
        having = GalleryWord.objects.filter(_starts_with(asked))
        keys = {*having.values_list("roster_id", flat=True)[: COMMON + 1]}
        if len(keys) > COMMON:
            found = found.filter(Exists(having.filter(roster=OuterRef("pk"))))
        else:
            rare = keys if rare is None else rare & keys
    return (found if rare is None else found.filter(pk__in=rare)).order_by("-changed")


def _starts_with(asked: str) -> Q:
    """Words that begin so; a whole number may also be the points."""
    first = asked.encode()
    found = Q(word__gte=first, word__lt=first + b"\xff")
    return found | Q(word=_points(int(asked))) if asked.isascii() and asked.isdigit() else found


# ---------------------------------------------------------------- words

MOST_WORDS = 8
"""Words of one search."""
COMMON = 2_000
"""Rosters from which on a word is common."""
STROKES = str.maketrans("łøđħ", "lodh")
"""Letters whose bar is no accent to Unicode."""
LONGEST = 60
"""Characters of a word that count."""
INDEXED_FIELDS = {"visibility", "binned", "name", "tags", "points", "hide_points"}
"""What a roster's words depend on."""


def tokenize(text: str) -> set[str]:
    """The words of a text as they are compared: without accents, in one case."""
    return {word[:LONGEST] for word in re.findall(r"\w+", fold_accents(text))}


def fold_accents(text: str) -> str:
    """A text without accents, in one case."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
    return "".join(c for c in letters if not unicodedata.combining(c))


def search_terms(roster: Roster) -> set[bytes]:
    """The words by which the gallery finds a roster; none for one that it does not list."""
    if roster.visibility != Visibility.LISTED or roster.binned:
        return set()
    said = {word.encode() for word in tokenize(f"{roster.name} {roster.tags} {SYSTEMS[roster.system].name}")}
    return said if roster.hide_points or roster.points is None else said | {_points(roster.points)}


def _points(points: float) -> bytes:
    """Points as a word that no text holds."""
    return f"={points:.17g}".encode()
