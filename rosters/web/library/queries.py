"""My rosters as the database filters, counts and sorts them. It reads; `rosters.store.writer` writes.

Folder, tags and archive are the owner's: a roster that was lent by an edit link is listed without them.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import BooleanField, Case, Count, Exists, Expression, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Collate
from django.http import HttpRequest

from rosters.models import Browser, RosterTag
from rosters.registry import SYSTEMS, System
from rosters.store.search import fold_accents
from rosters.web.http import permissions

PAGE = 50
BIN_DAYS = timedelta(days=30)
"""How long a deleted roster is kept."""

CLAIMABLE = Q(created_here=True, owner=None, binned=None)
"""Rosters that this browser began and no account owns: of `roster_summaries`."""
ARCHIVED = Q(archived=True, own=True)


def roster_summaries(request: HttpRequest) -> QuerySet[Any]:
    """Every roster that this visitor may edit, the bin included, last changed first, without its longest columns.

    ``own``: it is not only lent to the visitor; false also for an account's roster while nobody is signed in.
    ``created_here``: it began in this browser.
    """
    user = permissions.account_of(request)
    key = permissions.browser_key_hash(request)
    browser = Browser.objects.filter(key_hash=key).values_list("pk", flat=True).first() if key else None
    created_here = Q(creator=browser) if browser else Q(pk__in=[])
    own = Q(owner=None) & (Q(creator=None) | created_here)
    own |= Q(owner=user) if user else Q(pk__in=[])
    rosters = permissions.all_my_rosters(request).defer("notes", "print_settings")
    return rosters.annotate(own=_boolean(own), created_here=_boolean(created_here))


def _boolean(condition: Q) -> Case:
    """A condition as true or false, where plain SQL would say NULL."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def with_systems(rosters: Any) -> list[tuple[Any, System]]:
    """Each roster beside its system."""
    return [(roster, SYSTEMS[roster.system]) for roster in rosters]


# ---------------------------------------------------------------- filtering and sorting

SORTS: dict[str, list[Any]] = {
    "changed": [],
    "points": [F("points").desc(nulls_last=True)],
    "name": [],
    "game": [Case(*(When(system=slug, then=Value(place)) for place, slug in enumerate(SYSTEMS)))],
}
"""What comes before "last changed first"; the order of names depends on the database."""


def apply_filter(rosters: QuerySet[Any], options: Mapping[str, Any]) -> QuerySet[Any]:
    """The rosters that the valid fields of a `RosterFilterForm` ask for, in their order."""
    match options.get("archived", ""):
        case "":
            rosters = rosters.exclude(ARCHIVED)
        case "1":
            rosters = rosters.filter(ARCHIVED)
    if game := options.get("game"):
        rosters = rosters.filter(system=game)
    if folder := options.get("folder"):
        rosters = rosters.filter(own=True, folder=folder)
    if tag := options.get("tag"):
        rosters = rosters.filter(_tagged(tag=tag))
    if (least := options.get("least")) is not None:
        rosters = rosters.filter(points__gte=least)
    if (most := options.get("most")) is not None:
        rosters = rosters.filter(points__lte=most)
    for word in fold_accents(options.get("q") or "").split():
        games = [slug for slug, system in SYSTEMS.items() if word in fold_accents(system.name)]
        rosters = rosters.filter(Q(folded_name__contains=word) | Q(system__in=games) | _tagged(folded__contains=word))
    sort = options.get("sort")
    first = [_by_name()] if sort == "name" else SORTS.get(sort or "changed", [])
    return rosters.order_by(*first, "-changed", "-pk")


def _tagged(**tag: str) -> Q:
    return Q(Exists(RosterTag.objects.filter(roster=OuterRef("pk"), **tag)), own=True)


def _by_name() -> Expression:
    """Names by their letters, alike on every database."""
    return Collate("folded_name", "BINARY" if connection.vendor == "sqlite" else "C")


# ---------------------------------------------------------------- counts


class Counts(NamedTuple):
    """How many rosters a visitor has: outside the bin, in it, archived and claimable; per game, folder and tag."""

    active: int
    binned: int
    archived: int
    claimable: int
    games: list[tuple[System, int]]
    folders: list[tuple[str, int]]
    tags: list[tuple[str, int]]


def count_rosters(rosters: QuerySet[Any]) -> Counts:
    """Count `roster_summaries` in two queries."""
    kinds = rosters.order_by().annotate(to_claim=_boolean(CLAIMABLE), in_bin=_boolean(~Q(binned=None)))
    kinds = kinds.values_list("system", "folder", "archived", "own", "to_claim", "in_bin").annotate(Count("pk"))
    games, folders, numbers = Counter[str](), Counter[str](), Counter[str]()
    for system, folder, archived, own, to_claim, in_bin, number in kinds:
        if in_bin:
            numbers["binned"] += number
            continue
        numbers.update({"active": number, "archived": number * (archived and own), "claimable": number * to_claim})
        games[system] += number
        folders[folder if own else ""] += number
    del folders[""]
    own_active = rosters.order_by().filter(own=True, binned=None).values("pk")
    tags = RosterTag.objects.filter(roster__in=own_active).values_list("tag").annotate(Count("pk"))
    return Counts(
        numbers["active"],
        numbers["binned"],
        numbers["archived"],
        numbers["claimable"],
        [(system, games[slug]) for slug, system in SYSTEMS.items() if slug in games],
        _by_label(folders.items()),
        _by_label(tags),
    )


def _by_label(pairs: Any) -> list[tuple[str, int]]:
    return sorted(pairs, key=lambda pair: pair[0].casefold())
