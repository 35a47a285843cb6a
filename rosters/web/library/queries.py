"""The shelf: my rosters by folder and tag, searched and sorted. It reads; `rosters.store.writer` writes.

One query brings a narrow line for each roster of a visitor (no dates: reading them would take longer than all the
rest); search, counts and what there is to choose from are worked out from the lines, in every alphabet alike. Only
the rosters of the page that is shown are fetched whole.
Folder, tags and archive are the owner's. A roster that somebody lent by an edit link lies here without them.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, QueryDict
from django.template.defaultfilters import floatformat

from rosters.models import Browser, Roster
from rosters.registry import SYSTEMS, System
from rosters.store.search import fold_accents
from rosters.web.http import permissions

PAGE = 50
LONGEST_FOLDER, LONGEST_TAGS = 60, 300
"""Characters that their columns hold."""
BIN_DAYS = timedelta(days=30)
"""How long a deleted roster is kept."""


# ---------------------------------------------------------------- what lies there


class RosterSummary(NamedTuple):
    """What the shelf shows of a roster. ``own`` is False for one that was only lent by an edit link.

    It is so too for one that an account owns while nobody is signed in; ``begun`` tells that it began in this browser.
    """

    pk: int
    token: str
    name: str
    system: str
    folder: str
    tags: str
    archived: bool
    points: float | None
    binned: datetime | None
    owner_id: int | None
    creator_id: int | None
    own: bool = True
    begun: bool = False
    claimable: bool = False

    @property
    def game(self) -> System:
        return SYSTEMS[self.system]

    @property
    def whose(self) -> str:
        """Whose it is, where it is not the visitor's; "" else."""
        return "" if self.own else "under an account" if self.begun else "lent to you"

    @property
    def labels(self) -> list[str]:
        return _split(self.tags)

    @property
    def until(self) -> datetime | None:
        """Until when it can be taken out of the bin."""
        return self.binned and self.binned + BIN_DAYS


def _split(tags: str) -> list[str]:
    return tags.split(", ") if tags else []


def roster_summaries(request: HttpRequest) -> list[RosterSummary]:
    """Every roster that this visitor may edit, last changed first, the bin included. Two queries."""
    user = permissions.account_of(request)
    key = permissions.browser_key_hash(request)
    browser = Browser.objects.filter(key_hash=key).values_list("pk", flat=True).first() if key else None
    columns = [name for name in RosterSummary._fields if name not in ("own", "begun", "claimable")]
    rows = permissions.all_my_rosters(request).values_list(*columns)
    return [_whose(RosterSummary(*row), user and user.pk, browser) for row in rows]


class RosterRow(NamedTuple):
    """A line as pages show it; ``points`` and ``budget`` in words, "" where there are none."""

    line: RosterSummary
    points: str
    budget: str
    legal: bool
    holds: str
    changed: datetime
    day: str
    time: str


def roster_rows(shown: list[RosterSummary]) -> list[RosterRow]:
    """The lines of one page, with what else is shown of them. One query."""
    columns = ("pk", "budget", "legal", "quantity", "changed")
    rows = {pk: more for pk, *more in Roster.objects.filter(pk__in=[x.pk for x in shown]).values_list(*columns)}
    return [_drawn(line, *rows[line.pk]) for line in shown if line.pk in rows]


def _drawn(line: RosterSummary, budget: float | None, legal: bool, quantity: int, changed: datetime) -> RosterRow:
    words = line.game.rules.WORDS
    holds = f"{quantity} {(words.element if quantity == 1 else words.elements).lower()}"
    day = f"{changed.day} {changed:%b %Y}"
    return RosterRow(
        line, floatformat(line.points), floatformat(budget), legal, holds, changed, day, f"{changed:%H:%M}"
    )


def _whose(line: RosterSummary, user: int | None, browser: int | None) -> RosterSummary:
    """Mark what is the visitor's own, and what an account may claim: what this browser began, and no account owns."""
    begun = line.creator_id is not None and line.creator_id == browser
    own = line.owner_id == user if line.owner_id is not None else line.creator_id in (None, browser)
    if own:
        return line._replace(begun=begun, claimable=line.owner_id is None and begun and line.binned is None)
    return line._replace(own=False, begun=begun, folder="", tags="", archived=False)


# ---------------------------------------------------------------- what is looked for

IN_USE, ARCHIVED, BOTH = "", "1", "all"
ARCHIVE = {IN_USE: "In use", ARCHIVED: "Archived", BOTH: "Both"}


class RosterFilter(NamedTuple):
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
        """Whether it leaves out anything that would be there by default."""
        return self._replace(sort="changed") != RosterFilter()


def parse_filter(query: QueryDict) -> RosterFilter:
    """What an address asks for; what it cannot mean is as if it were not there."""
    sort, game, archived = query.get("sort", ""), query.get("game", ""), query.get("archived", "")
    return RosterFilter(
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


def apply_filter(shelf: Iterable[RosterSummary], asked: RosterFilter) -> list[RosterSummary]:
    """The lines asked for, in the order asked for; ``shelf`` is last changed first."""
    tests = _tests(asked)
    return SORTS[asked.sort][1]([line for line in shelf if all(test(line) for test in tests)])


Test = Callable[[RosterSummary], bool]


def _tests(asked: RosterFilter) -> list[Test]:
    """What a line must be to be found."""
    tests: dict[str, Test] = {
        "game": lambda line: line.system == asked.game,
        "folder": lambda line: line.folder == asked.folder,
        "tag": lambda line: asked.tag in line.labels,
        "least": lambda line: line.points is not None and line.points >= (asked.least or 0),
        "most": lambda line: line.points is not None and line.points <= (asked.most or 0),
        "words": _says(fold_accents(asked.words).split()),
    }
    parse_filter = [test for name, test in tests.items() if getattr(asked, name) not in ("", None)]
    if asked.archived != BOTH:
        parse_filter.insert(0, lambda line: line.archived == (asked.archived == ARCHIVED))
    return parse_filter


def _says(words: list[str]) -> Test:
    """Whether name, tags or game hold every word; accents do not count, as in the gallery."""
    games = {slug: fold_accents(system.name) for slug, system in SYSTEMS.items()}

    def says(line: RosterSummary) -> bool:
        text = f"{fold_accents(f'{line.name} {line.tags}')} {games[line.system]}"
        return all(word in text for word in words)

    return says


def _sorted(key: Callable[[RosterSummary], Any]) -> Callable[[list[RosterSummary]], list[RosterSummary]]:
    return lambda apply_filter: sorted(apply_filter, key=key)


_PLACES = {slug: place for place, slug in enumerate(SYSTEMS)}
SORTS: dict[str, tuple[str, Callable[[list[RosterSummary]], list[RosterSummary]]]] = {
    "changed": ("Last changed", lambda apply_filter: apply_filter),
    "points": ("Most points", _sorted(lambda line: (line.points is None, -(line.points or 0)))),
    "name": ("Name", _sorted(lambda line: line.name.casefold())),
    "game": ("Game", _sorted(lambda line: _PLACES[line.system])),
}


# ---------------------------------------------------------------- what there is to choose from


class Choices(NamedTuple):
    """What the shelf holds, each with how many rosters: games with their system, folders, tags."""

    games: list[tuple[System, int]]
    folders: list[tuple[str, int]]
    tags: list[tuple[str, int]]
    archived: int


def choices(shelf: list[RosterSummary]) -> Choices:
    """Everything that the search can be narrowed to."""
    games, folders = Counter(line.system for line in shelf), Counter(line.folder for line in shelf)
    tags = Counter[str]()
    for text, count in Counter(line.tags for line in shelf).items():
        tags.update(dict.fromkeys(_split(text), count))
    del folders[""]
    in_order = [(system, games[slug]) for slug, system in SYSTEMS.items() if slug in games]
    return Choices(in_order, _by_name(folders), _by_name(tags), Counter(line.archived for line in shelf)[True])


def _by_name(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda pair: pair[0].casefold())


# ---------------------------------------------------------------- labels


def with_tags(line: RosterSummary, more: Iterable[str]) -> str:
    """The roster's tags with more of them, as its column keeps them."""
    return ", ".join(dict.fromkeys([*line.labels, *more]))


def without_tags(line: RosterSummary, fewer: Iterable[str]) -> str:
    """The roster's tags without these."""
    gone = {*fewer}
    return ", ".join(tag for tag in line.labels if tag not in gone)
