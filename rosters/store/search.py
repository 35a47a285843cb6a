"""Search of Browse: sample rosters, and community rosters, which their owners have made public.

Browse searches only fields that it shows, never notes, which may be hidden. `rosters.store.writer` writes the words of
listed rosters into a table. Not the databases' full-text search: it differs between SQLite and PostgreSQL.
"""

import re
import unicodedata
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from rosters.core.crests import crest_of
from rosters.models import GalleryWord, Roster, Visibility
from rosters.registry import SYSTEMS, System
from rosters.store import replica

COLUMNS = ("token", "name", "system", "points", "legal", "tags", "changed", "crest", "hide_points")
PAGE = 24
LAST_PAGE = 200


class ListedRoster(NamedTuple):
    """A community roster as Browse shows it. ``points`` is None if there are none, or if they are hidden."""

    token: str
    name: str
    system: System
    points: float | None
    legal: bool
    tags: str
    changed: datetime
    crest: str


class Page(NamedTuple):
    """A page of community rosters, newest rosters first. ``query`` are its search parameters."""

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
        return f"{reverse('browse')}?{urlencode({**self.query, 'page': number})}#players"


def page(system: str = "", words: str = "", number: int = 1) -> Page:
    """One page of community rosters, filtered by game and by words."""
    first = (number - 1) * PAGE

    def read(alias: str) -> tuple[list[Any], bool]:
        """The columns of the page's rosters, and whether there are more."""
        rows = [*listed_rosters(system, words, alias).values_list("pk", *COLUMNS, named=True)[first : first + PAGE + 1]]
        more = len(rows) > PAGE
        if alias == replica.REPLICA:  # the primary knows which of them are private, hidden or deleted by now
            keys = {row.pk for row in rows[:PAGE]}
            rows = [*listed_rosters(system, words, among=keys).values_list("pk", *COLUMNS, named=True)]
        return rows[:PAGE], more

    rows, more = replica.read(read)
    rosters = [
        ListedRoster(
            row.token,
            row.name,
            SYSTEMS[row.system],
            None if row.hide_points else row.points,
            row.legal,
            row.tags,
            row.changed,
            crest_of(row),
        )
        for row in rows
    ]
    query = {name: value for name, value in (("system", system), ("q", words)) if value}
    return Page(rosters, number, more, query)


def sample_rosters(system: str = "", words: str = "") -> QuerySet[Roster]:
    """Sample rosters, filtered by game and by words in their names or notes."""
    samples = Roster.objects.filter(sample__isnull=False).order_by("system", "name")
    if system:
        samples = samples.filter(system=system)
    for word in words.split():
        samples = samples.filter(Q(name__icontains=word) | Q(notes__icontains=word))
    return samples


def listed_rosters(
    system: str = "", words: str = "", alias: str = DEFAULT_DB_ALIAS, among: set[int] | None = None
) -> QuerySet[Roster]:
    """Rosters that their owners list, newest first; every word must begin a word of the name, the game or the tags,
    or be the points. With ``among``, of these primary keys alone.

    The rosters of a rare word are looked up first. Those of a common word are tested from the newest on, since the page
    is soon full.
    """
    listed = Roster.objects.using(alias).filter(visibility=Visibility.LISTED, binned=None)
    listed = listed.filter(system=system) if system else listed
    rare = among
    for prefix in sorted(tokenize(words))[:MAX_WORDS]:
        matches = GalleryWord.objects.using(alias).filter(_starts_with(prefix))
        matches = matches if among is None else matches.filter(roster__in=among)
        keys = {*matches.values_list("roster_id", flat=True)[: COMMON + 1]}
        if len(keys) > COMMON:
            listed = listed.filter(Exists(matches.filter(roster=OuterRef("pk"))))
        else:
            rare = keys if rare is None else rare & keys
    return (listed if rare is None else listed.filter(pk__in=rare)).order_by("-changed")


def _starts_with(prefix: str) -> Q:
    """Words that begin with a prefix. A whole number also matches the points."""
    first = prefix.encode()
    words = Q(word__gte=first, word__lt=first + b"\xff")
    return words | Q(word=_points(int(prefix))) if prefix.isascii() and prefix.isdigit() else words


# ---------------------------------------------------------------- words

MAX_WORDS = 8
"""Words of one search."""
COMMON = 2_000
"""A word that more rosters than this have is common."""
STROKES = str.maketrans("łøđħ", "lodh")
"""Letters that Unicode does not decompose into a letter and a stroke."""
MAX_WORD_LENGTH = 60
"""Characters of a word that are compared."""
INDEXED_FIELDS = {"visibility", "binned", "name", "tags", "points", "hide_points"}
"""The fields of a roster on which its words depend."""


def tokenize(text: str) -> set[str]:
    """The words of a text, without accents and in lower case."""
    return {word[:MAX_WORD_LENGTH] for word in re.findall(r"\w+", fold_accents(text))}


def fold_accents(text: str) -> str:
    """A text without accents and in lower case."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
    return "".join(c for c in letters if not unicodedata.combining(c))


def search_terms(roster: Roster) -> set[bytes]:
    """The words by which Browse finds a roster; none if it is not listed."""
    if roster.visibility != Visibility.LISTED or roster.binned:
        return set()
    terms = {word.encode() for word in tokenize(f"{roster.name} {roster.tags} {SYSTEMS[roster.system].name}")}
    return terms if roster.hide_points or roster.points is None else terms | {_points(roster.points)}


def _points(points: float) -> bytes:
    """Points as a word that occurs in no text."""
    return f"={points:.17g}".encode()
