"""Search of Browse: sample rosters, and community rosters, which their owners have made public.

Browse searches only what others see, and never notes. `writer` and `bulk` index the words of listed rosters in a table;
sample rosters are few, and are read. Not the databases' full-text search: it differs between SQLite and
PostgreSQL.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, OuterRef, Q, QuerySet

from rosters.core.documents import AnyDocument
from rosters.core.folding import fold_accents, tokenize
from rosters.models import GalleryWord, Roster, RosterTag, Visibility
from rosters.registry import SYSTEMS
from rosters.store import replica


class RosterFilter(NamedTuple):
    """Which rosters Browse lists. ``scenario`` is that of a game, as "game/scenario"."""

    system: str = ""
    words: str = ""
    least: float | None = None
    most: float | None = None
    legal: bool = False
    scenario: str = ""

    def apply(self, rosters: QuerySet[Roster]) -> QuerySet[Roster]:
        """Filter by columns. Hidden points are in no range, as that would reveal them; no empty roster is legal."""
        if self.system:
            rosters = rosters.filter(system=self.system)
        if self.least is not None or self.most is not None:
            rosters = rosters.filter(hide_points=False)
        if self.least is not None:
            rosters = rosters.filter(points__gte=self.least)
        if self.most is not None:
            rosters = rosters.filter(points__lte=self.most)
        return rosters.filter(legal=True, quantity__gt=0) if self.legal else rosters


EVERYTHING = RosterFilter()


def listed_page(criteria: RosterFilter, first: int, number: int) -> list[Roster]:
    """A number of community rosters from the one at ``first`` on, newest first."""

    def read(alias: str) -> list[Roster]:
        rosters = [*listed_rosters(criteria, alias)[first : first + number]]
        if alias == replica.REPLICA:  # the primary knows which of them are private, hidden or deleted by now
            keys = {roster.pk for roster in rosters}
            rosters = [*listed_rosters(criteria, among=keys)]
        return rosters

    return replica.read(read)


def sample_rosters(criteria: RosterFilter = EVERYTHING) -> QuerySet[Roster]:
    """Sample rosters, filtered by columns, and by words in their names or notes."""
    samples = criteria.apply(Roster.objects.filter(sample__isnull=False)).order_by("system", "name")
    for word in criteria.words.split():
        samples = samples.filter(Q(name__icontains=word) | Q(notes__icontains=word))
    return samples


def listed_rosters(
    criteria: RosterFilter, alias: str = DEFAULT_DB_ALIAS, among: set[int] | None = None
) -> QuerySet[Roster]:
    """Rosters that their owners list, newest first; every word must begin a word of the name, the game, the tags, the
    formations or the elements, or be the points. With ``among``, of these primary keys alone.

    The rosters of a rare word are looked up first. Those of a common word are tested from the newest on, since the page
    is soon full.
    """
    listed = criteria.apply(Roster.objects.using(alias).filter(visibility=Visibility.LISTED, binned=None))
    conditions = [_starts_with(prefix) for prefix in sorted(tokenize(criteria.words))[:MAX_WORDS]]
    conditions += [Q(word=_scenario(criteria.scenario))] if criteria.scenario else []
    rare = among
    for condition in conditions:
        matches = GalleryWord.objects.using(alias).filter(condition)
        matches = matches if among is None else matches.filter(roster__in=among)
        keys = {*matches.values_list("roster_id", flat=True)[: COMMON + 1]}
        if len(keys) > COMMON:
            listed = listed.filter(Exists(matches.filter(roster=OuterRef("pk"))))
        else:
            rare = keys if rare is None else rare & keys
    listed = listed if rare is None else listed.filter(pk__in=rare)
    return listed.order_by("-changed").defer("document", "notes", "print_settings")


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
MAX_NAMES = 200
"""Names of formations and elements of a roster whose words are indexed."""
INDEXED_FIELDS = {"visibility", "binned", "name", "tags", "points", "hide_points", "hide_secrets"}
"""The fields of a roster on which its words depend."""


def is_listed(roster: Roster) -> bool:
    """Whether its owner lists a roster in Browse."""
    return roster.visibility == Visibility.LISTED and not roster.binned


def search_terms(roster: Roster, document: AnyDocument) -> set[bytes]:
    """The words by which Browse finds a roster with a document; none if it is not listed."""
    if not is_listed(roster):
        return set()
    names = " ".join(islice(_visible_names(roster, document), MAX_NAMES))
    text = f"{roster.name} {roster.tags} {SYSTEMS[roster.system].name} {names}"
    terms = {word.encode() for word in tokenize(text)}
    if document.scenario:
        terms.add(_scenario(f"{document.system}/{document.scenario}"))
    return terms if roster.hide_points or roster.points is None else terms | {_points(roster.points)}


def _visible_names(roster: Roster, document: AnyDocument) -> Iterator[str]:
    """The names of formations and of elements, without those that are hidden as secret."""
    names = (
        name
        for formation in document.formations
        for name in (formation.name, *(e.name for e in formation.elements if not (e.secret and roster.hide_secrets)))
    )
    return iter(dict.fromkeys(names))


def _points(points: float) -> bytes:
    """Points as a word that occurs in no text."""
    return f"={points:.17g}".encode()


def _scenario(scenario: str) -> bytes:
    """A scenario as a word that occurs in no text."""
    return f"@{scenario}".encode()


# ---------------------------------------------------------------- the rows that are searched


def write_tags(rosters: Iterable[Roster]) -> None:
    """Give rosters that have no tag rows one for each tag of their text."""
    rows = [
        RosterTag(roster=roster, tag=tag, folded=fold_accents(tag))
        for roster in rosters
        for tag in dict.fromkeys(roster.tag_list)
    ]
    RosterTag.objects.bulk_create(rows)


def index_words(rosters: Iterable[tuple[Roster, AnyDocument]]) -> None:
    """Add rosters with their documents to the index of Browse; none of them is in it."""
    words = [
        GalleryWord(roster=roster, word=word)
        for roster, document in rosters
        for word in sorted(search_terms(roster, document))
    ]
    GalleryWord.objects.bulk_create(words)
