"""The shelf: my rosters by folder and tag, searched and sorted. It reads; `rosters.changes` writes.

Folder, tags and archive are the owner's. A roster that somebody lent by an edit link lies on the shelf without them.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Case, Count, F, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Concat, Lower
from django.http import QueryDict

from rosters.models import Roster
from rosters.registry import SYSTEMS

PAGE = 50
LONGEST_FOLDER, LONGEST_TAGS = 60, 300
"""Characters that their columns hold."""
IN_USE, ARCHIVED, BOTH = "", "1", "all"
ARCHIVE = {IN_USE: "In use", ARCHIVED: "Archived", BOTH: "Both"}
SORTS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "changed": ("Last changed", ("-changed", "-pk")),
    "points": ("Most points", (F("points").desc(nulls_last=True), "-changed")),
    "name": ("Name", (Lower("name"), "pk")),
    "game": ("Game", ("system", "-changed")),
}


# ---------------------------------------------------------------- what is looked for


class Wanted(NamedTuple):
    """What the address asks for. Everything empty is everything in use."""

    words: str = ""
    game: str = ""
    folder: str = ""
    tag: str = ""
    archived: str = IN_USE
    least: float | None = None
    most: float | None = None
    sort: str = "changed"

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out that would be there by default."""
        return self._replace(sort="changed") != Wanted()


def wanted(query: QueryDict) -> Wanted:
    """What an address asks for; what it cannot mean is as if it were not there."""
    sort, game, archived = query.get("sort", ""), query.get("game", ""), query.get("archived", "")
    return Wanted(
        clean(query.get("q", ""))[:120],
        game if game in SYSTEMS else "",
        clean(query.get("folder", "")),
        clean(query.get("tag", "")).lower(),
        archived if archived in ARCHIVE else IN_USE,
        _number(query.get("least", "")),
        _number(query.get("most", "")),
        sort if sort in SORTS else "changed",
    )


def clean(text: str) -> str:
    """A line of text: single spaces, nothing invisible."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def tags_of(text: str) -> list[str]:
    """The tags in a line of text, parted by commas: in lower case, each once."""
    return list(dict.fromkeys(tag for each in text.split(",") if (tag := clean(each).lower())))


def _number(text: str) -> float | None:
    """A limit of points as typed; None for what is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < 10**15 else None


# ---------------------------------------------------------------- the search


def found(mine: QuerySet[Roster], own: Q, asked: Wanted) -> QuerySet[Roster]:
    """Those of ``mine`` that are asked for, in the order asked for; ``own`` says which are not only lent."""
    if asked.archived == IN_USE:
        mine = mine.exclude(own, archived=True)
    elif asked.archived == ARCHIVED:
        mine = mine.filter(own, archived=True)
    if asked.folder:
        mine = mine.filter(own, folder=asked.folder)
    if asked.tag:
        mine = _tagged(mine).filter(own, tagged__contains=f", {asked.tag}, ")
    for word in asked.words.split():
        mine = mine.filter(_says(word, own))
    return _within(mine, asked).order_by(*SORTS[asked.sort][1])


def _within(mine: QuerySet[Roster], asked: Wanted) -> QuerySet[Roster]:
    """By game and points."""
    plain = {"system": asked.game or None, "points__gte": asked.least, "points__lte": asked.most}
    return mine.filter(**{column: value for column, value in plain.items() if value is not None})


def _tagged(mine: QuerySet[Roster]) -> QuerySet[Roster]:
    """With all tags between separators, so that a whole tag can be found."""
    return mine.annotate(tagged=Concat(Value(", "), "tags", Value(", "), output_field=TextField()))


def _says(word: str, own: Q) -> Q:
    """Whether the name, a tag or the game's name holds a word. SQLite knows upper from lower case in ASCII alone."""
    games = [slug for slug, system in SYSTEMS.items() if word.lower() in system.name.lower()]
    said = Q(name__icontains=word) | Q(system__in=games) | (own & Q(tags__contains=word.lower()))
    for variant in () if word.isascii() else {word.lower(), word.upper(), word.title()}:
        said |= Q(name__contains=variant)
    return said


# ---------------------------------------------------------------- what there is to choose from


class Choices(NamedTuple):
    """What the shelf holds, each with how many rosters: games by slug, folders, tags; and how many are archived."""

    games: dict[str, int]
    folders: dict[str, int]
    tags: dict[str, int]
    archived: int
    all: int


def choices(mine: QuerySet[Roster], own: Q) -> Choices:
    """Everything that can be chosen, in one query."""
    games, folders, tags, kept = Counter[str](), Counter[str](), Counter[str](), Counter[bool]()
    kinds = mine.annotate(own=Case(When(own, then=True), default=False)).order_by()
    columns = ("system", "own", "folder", "tags", "archived")
    for system, owned, folder, labels, archived, count in kinds.values_list(*columns).annotate(count=Count("pk")):
        games[system] += count
        kept[bool(owned and archived)] += count
        folders[folder if owned else ""] += count
        tags.update(dict.fromkeys(tags_of(labels) if owned else (), count))
    del folders[""]
    in_order = {slug: games[slug] for slug in SYSTEMS if slug in games}
    return Choices(in_order, _by_name(folders), _by_name(tags), kept[True], kept.total())


def _by_name(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda pair: pair[0].casefold()))


# ---------------------------------------------------------------- labels


def with_tags(roster: Roster, more: Iterable[str]) -> str:
    """The roster's tags with more of them, as its column keeps them."""
    return ", ".join(dict.fromkeys([*tags_of(roster.tags), *more]))


def without_tags(roster: Roster, fewer: Iterable[str]) -> str:
    """The roster's tags without these."""
    gone = {*fewer}
    return ", ".join(tag for tag in tags_of(roster.tags) if tag not in gone)
