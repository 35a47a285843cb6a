"""My rosters as the database filters, counts and sorts them. It reads; `rosters.store.writer` writes.

Folder, tags and archive are the owner's: a roster that somebody edits by its edit link is listed without them.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import BooleanField, Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Collate
from django.http import HttpRequest

from rosters.models import Browser, RosterTag
from rosters.registry import SYSTEMS, System
from rosters.store.search import fold_accents
from rosters.web.http import permissions

PAGE = 50

CLAIMABLE = Q(created_here=True, owner=None, binned=None)
"""Rosters that this browser began and no account owns: of `my_rosters_with_ownership`."""


class Visitor(NamedTuple):
    """Whose rosters are listed: an account and a browser, by their keys."""

    account: int | None
    browser: int | None

    @classmethod
    def of(cls, request: HttpRequest) -> "Visitor":
        user, key = permissions.account_of(request), permissions.browser_key_hash(request)
        browser = Browser.objects.filter(key_hash=key).values_list("pk", flat=True).first() if key else None
        return cls(user and user.pk, browser)

    def owns(self, owner: int | None, creator: int | None) -> bool:
        """Whether the roster belongs to this account or, without an owner, was created in this browser."""
        return owner == self.account if owner else creator in (None, self.browser)

    @property
    def own(self) -> Q:
        """`owns` as a condition of a query; `permissions.actor_for` has the same rule for one roster."""
        created = Q(creator=None) | Q(creator=self.browser) if self.browser else Q(creator=None)
        return Q(owner=None) & created | (Q(owner=self.account) if self.account else Q(pk__in=[]))


def my_rosters_with_bin(request: HttpRequest) -> QuerySet[Any]:
    """Every roster that this visitor may edit, the bin included, last changed first, without its longest columns."""
    rosters: QuerySet[Any] = permissions.all_my_rosters(request)
    return rosters.defer("notes", "print_settings")


def my_rosters_with_ownership(request: HttpRequest) -> QuerySet[Any]:
    """`my_rosters_with_bin` with ``own`` (see `Visitor.owns`) and ``created_here``: it began in this browser."""
    visitor = Visitor.of(request)
    created_here = Q(creator=visitor.browser) if visitor.browser else Q(pk__in=[])
    own: QuerySet[Any] = my_rosters_with_bin(request).annotate(
        own=_boolean(visitor.own), created_here=_boolean(created_here)
    )
    return own


class RosterSummary(NamedTuple):
    """A roster as lists show it. A value, so that its rendered row can be cached."""

    token: str
    name: str
    system: System
    points: float | None
    budget: float | None
    quantity: int
    legal: bool
    changed: datetime
    folder: str
    tags: tuple[str, ...]
    archived: bool
    own: bool
    created_here: bool

    @classmethod
    def of(cls, roster: Any, visitor: Visitor) -> "RosterSummary":
        return cls(
            roster.token,
            roster.name,
            SYSTEMS[roster.system],
            roster.points,
            roster.budget,
            roster.quantity,
            roster.legal,
            roster.changed,
            roster.folder,
            tuple(roster.tag_list),
            roster.archived,
            visitor.owns(roster.owner_id, roster.creator_id),
            roster.creator_id is not None and roster.creator_id == visitor.browser,
        )


def _boolean(condition: Q) -> Case:
    """A condition that is never NULL, as a comparison with an empty column is."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def split_tags(text: str) -> list[str]:
    """The tags of a roster's text."""
    return text.split(", ") if text else []


def with_systems(rosters: Any) -> list[tuple[Any, System]]:
    """Each roster beside its system."""
    return [(roster, SYSTEMS[roster.system]) for roster in rosters]


# ---------------------------------------------------------------- filtering and sorting


def apply_filter(rosters: QuerySet[Any], visitor: Visitor, options: Mapping[str, Any]) -> QuerySet[Any]:
    """Those of ``rosters`` that the valid fields of a `RosterFilterForm` ask for, in their order."""
    match options.get("archived", ""):
        case "":
            rosters = rosters.exclude(visitor.own, archived=True)
        case "1":
            rosters = rosters.filter(visitor.own, archived=True)
    if game := options.get("game"):
        rosters = rosters.filter(system=game)
    if folder := options.get("folder"):
        rosters = rosters.filter(visitor.own, folder=folder)
    if tag := options.get("tag"):
        rosters = rosters.filter(visitor.own, _tagged(tag=tag))
    if (least := options.get("least")) is not None:
        rosters = rosters.filter(points__gte=least)
    if (most := options.get("most")) is not None:
        rosters = rosters.filter(points__lte=most)
    for word in fold_accents(options.get("q") or "").split():
        games = [slug for slug, system in SYSTEMS.items() if word in fold_accents(system.name)]
        rosters = rosters.filter(
            Q(folded_name__contains=word) | Q(system__in=games) | visitor.own & _tagged(folded__contains=word)
        )
    return rosters.order_by(*_ordering(options.get("sort")), "-changed", "-pk")


def _ordering(sort: str | None) -> list[Any]:
    """What a choice of the field ``sort`` orders by before the time of the last change."""
    match sort:
        case "points":
            return [F("points").desc(nulls_last=True)]
        case "name":  # by letters, alike on every database
            return [Collate("folded_name", "BINARY" if connection.vendor == "sqlite" else "C")]
        case "game":
            return [Case(*(When(system=slug, then=Value(index)) for index, slug in enumerate(SYSTEMS)))]
    return []


def _tagged(**tag: str) -> Q:
    return Q(Exists(RosterTag.objects.filter(roster=OuterRef("pk"), **tag)))


# ---------------------------------------------------------------- counts


class Counts(NamedTuple):
    """How many rosters a visitor has: outside the bin, in it, archived and claimable; per game, folder and tag."""

    active: int
    binned: int
    archived: int
    claimable: int
    games: tuple[tuple[System, int], ...]
    folders: tuple[tuple[str, int], ...]
    tags: tuple[tuple[str, int], ...]


def count_rosters(rosters: QuerySet[Any], visitor: Visitor) -> Counts:
    """Count `my_rosters_with_bin` in one query."""
    kinds = rosters.order_by().values_list("system", "folder", "tags", "archived", "binned", "owner", "creator")
    games, folders, tags, numbers = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for system, folder, tag_text, archived, binned, owner, creator, number in kinds.annotate(number=Count("pk")):
        if binned:
            numbers["binned"] += number
            continue
        games[system] += number
        numbers["active"] += number
        if owner is None and creator is not None and creator == visitor.browser:
            numbers["claimable"] += number
        if visitor.owns(owner, creator):
            if archived:
                numbers["archived"] += number
            folders[folder] += number
            tags.update(dict.fromkeys(split_tags(tag_text), number))
    del folders[""]
    return Counts(
        numbers["active"],
        numbers["binned"],
        numbers["archived"],
        numbers["claimable"],
        tuple((system, games[slug]) for slug, system in SYSTEMS.items() if slug in games),
        _by_label(folders),
        _by_label(tags),
    )


def _by_label(counter: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counter.items(), key=lambda pair: pair[0].casefold()))
