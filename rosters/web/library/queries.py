"""My rosters as the database filters, counts and sorts them, and a page of Browse. `rosters.store.writer` writes.

Folder, tags and archive are the owner's: a roster that somebody edits by its edit link is listed without them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import BooleanField, Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Collate
from django.http import HttpRequest
from django.utils.translation import ngettext
from rapidfuzz import fuzz, process

from rosters.core.crests import crest_of
from rosters.core.folding import fold_accents, tokenize
from rosters.core.grammar import CLOSE
from rosters.drawing.svg import Symbol
from rosters.models import Element, Force, Roster, RosterTag, split_tags
from rosters.registry import SYSTEMS, System
from rosters.store import access, pairs, replica, search
from rosters.web.http import permissions
from rosters.web.library.strips import RosterStrip, content_strips, counters_of

PAGE = 50
BROWSE_PAGE_SIZE = 16

CLAIMABLE = Q(own=True, owner=None, binned=None)
"""Rosters of which the visitor is an owner and no account is: of `my_rosters_with_bin`."""


def my_rosters_with_bin(request: HttpRequest) -> QuerySet[Any]:
    """Every roster that this visitor may edit, last changed first, without its longest columns; in the bin, their own.

    ``own`` says that the visitor is an owner, ``elsewhere`` that it belongs to an account that is not signed in here,
    ``in_battle`` that it plays in one, as copies of samples do that were made for it.
    """
    visitor = permissions.visitor_of(request)
    elsewhere = Q(owner__isnull=False) & ~Q(owner=visitor.account or 0)
    editable, owned = access.access_filters(visitor)
    rosters: QuerySet[Any] = Roster.objects.filter(editable).defer("notes", "print_settings")
    in_battle = Exists(Force.objects.filter(roster=OuterRef("pk")))
    rosters = rosters.annotate(own=_boolean(owned), elsewhere=_boolean(elsewhere), in_battle=in_battle)
    return rosters.exclude(own=False, binned__isnull=False)


def count_rosters_text(number: int) -> str:
    """A number of rosters in words: "3 rosters"."""
    return ngettext("%(number)d roster", "%(number)d rosters", number) % {"number": number}


@dataclass(frozen=True, kw_only=True)
class RosterSummary:
    """A roster in a list. Hashable, so that its rendered row can be cached. Points are None if hidden."""

    token: str
    name: str
    system: System
    points: float | None
    budget: float | None
    quantity: int
    legal: bool
    changed: datetime
    crest: str
    counters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OwnSummary(RosterSummary):
    """A roster in My rosters. ``errors`` is None if they were not counted; what it lacks is none of them."""

    errors: int | None
    folder: str
    tags: tuple[str, ...]
    archived: bool
    own: bool
    elsewhere: bool
    in_battle: bool


@dataclass(frozen=True, kw_only=True)
class PublicSummary(RosterSummary):
    """A roster in Browse as others see it, with the elements that a search finds in it."""

    labels: str
    sample: bool
    playable: bool
    matches: tuple[tuple[int, str], ...]


def _columns(roster: Any, strip: RosterStrip) -> dict[str, Any]:
    columns = ("token", "name", "points", "budget", "legal", "changed")
    values = {column: getattr(roster, column) for column in columns}
    return values | {"system": SYSTEMS[roster.system], "crest": crest_of(roster), "counters": strip.ids}


def own_summary(roster: Any, strip: RosterStrip) -> OwnSummary:
    """The summary of one of `my_rosters_with_bin`."""
    columns = ("quantity", "errors", "folder", "archived", "own", "elsewhere", "in_battle")
    more = {column: getattr(roster, column) for column in columns} | {"tags": tuple(roster.tag_list)}
    return OwnSummary(**_columns(roster, strip), **more)


def public_summary(roster: Any, strip: RosterStrip, words: str) -> PublicSummary:
    """The summary of one of `browse_page`."""
    sample = roster.sample is not None
    shown = _columns(roster, strip) | {"quantity": strip.quantity}
    if roster.hide_points:
        shown |= {"points": None, "budget": None}
    labels, playable = roster.notes if sample else roster.tags, roster.sample not in pairs.design_books()
    return PublicSummary(**shown, labels=labels, sample=sample, playable=playable, matches=strip.matching(words))


class BrowsePage(NamedTuple):
    """A page of Browse: sample rosters, then community rosters, newest first; ``counters`` are those of all."""

    rosters: list[PublicSummary]
    counters: tuple[Symbol, ...]
    number: int
    more: bool

    @property
    def before(self) -> int:
        return self.number - 1

    @property
    def after(self) -> int:
        return self.number + 1


def browse_page(criteria: search.RosterFilter, source: str, number: int) -> BrowsePage:
    """One page of the rosters that a filter and a source ("samples", "players" or "" for both) leave."""
    first, last = (number - 1) * BROWSE_PAGE_SIZE, number * BROWSE_PAGE_SIZE + 1
    samples = [] if source == "players" else _samples(criteria)
    rosters = samples[first:last]
    if source != "samples" and len(rosters) < last - first:
        begin = max(0, first - len(samples))
        rosters += search.listed_page(criteria, begin, last - first - len(rosters))
    shown = rosters[:BROWSE_PAGE_SIZE]
    strips = content_strips(shown)
    return BrowsePage(
        [public_summary(roster, strips[roster.pk], criteria.words) for roster in shown],
        counters_of(strips.values()),
        number,
        len(rosters) > BROWSE_PAGE_SIZE,
    )


def _samples(criteria: search.RosterFilter) -> list[Roster]:
    """The sample rosters with all words of a search in name, notes, game or elements, and its scenario."""
    query = search.sample_rosters(criteria._replace(words=""))
    samples: list[Roster] = replica.read(lambda alias: [*query.using(alias)])
    words = fold_accents(criteria.words).split()
    if not words and not criteria.scenario:
        return samples
    strips = content_strips(samples)
    texts = {each.pk: fold_accents(f"{each.name} {each.notes} {SYSTEMS[each.system].name}") for each in samples}
    return [
        each
        for each in samples
        if criteria.scenario in ("", f"{each.system}/{strips[each.pk].scenario}")
        and all(word in texts[each.pk] or strips[each.pk].matches(word) for word in words)
    ]


def suggested_words(words: str) -> str:
    """A search that found nothing, with each word that no sample roster knows replaced by the one most like it; "" if
    there is none.
    """
    samples: list[Roster] = [*search.sample_rosters()]
    known = {word for strip in content_strips(samples).values() for word in strip.words}
    known |= tokenize(" ".join([*(roster.name for roster in samples), *(system.name for system in SYSTEMS.values())]))
    typed = fold_accents(words).split()[: search.MAX_WORDS]
    ordered = sorted(known)  # of words that are equally near always the same one
    nearest = (process.extractOne(word, ordered, scorer=fuzz.ratio, score_cutoff=CLOSE) for word in typed)
    likely = [word if word in known or not match else match[0] for word, match in zip(typed, nearest, strict=True)]
    return " ".join(likely) if likely != typed else ""


def _boolean(condition: Q) -> Case:
    """A condition that is never NULL, as a comparison with an empty column is."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def with_systems(rosters: Any) -> list[tuple[Any, System]]:
    """Each roster beside its system."""
    return [(roster, SYSTEMS[roster.system]) for roster in rosters]


# ---------------------------------------------------------------- filtering and sorting


def apply_filter(rosters: QuerySet[Any], options: Mapping[str, Any]) -> QuerySet[Any]:
    """Filter and sort `my_rosters_with_bin` by the valid fields of a `RosterFilterForm`."""
    match options.get("archived", ""):
        case "":
            rosters = rosters.exclude(own=True, archived=True)
        case "1":
            rosters = rosters.filter(own=True, archived=True)
    if game := options.get("game"):
        rosters = rosters.filter(system=game)
    if folder := options.get("folder"):
        rosters = rosters.filter(own=True, folder=folder)
    if tag := options.get("tag"):
        rosters = rosters.filter(_tagged(tag=tag), own=True)
    if (least := options.get("least")) is not None:
        rosters = rosters.filter(points__gte=least)
    if (most := options.get("most")) is not None:
        rosters = rosters.filter(points__lte=most)
    for typed in (options.get("q") or "").split():
        word = fold_accents(typed)
        games = [slug for slug, system in SYSTEMS.items() if word in fold_accents(system.name)]
        named = Q(folded_name__contains=word) | Q(system__in=games) | Q(own=True) & _tagged(folded__contains=word)
        elements = Element.objects.filter(Q(name__icontains=word) | Q(name__icontains=typed), roster=OuterRef("pk"))
        rosters = rosters.filter(named | Q(Exists(elements)))
    return rosters.order_by(*_ordering(options.get("sort")), "-changed", "-pk")


def _ordering(sort: str | None) -> list[Any]:
    """The ordering of a choice of the field ``sort``; the time of the last change comes last."""
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


def count_rosters(rosters: QuerySet[Any]) -> Counts:
    """Count `my_rosters_with_bin` in one query."""
    kinds = rosters.order_by().values_list("system", "folder", "tags", "archived", "binned", "owner", "own")
    games, folders, tags, numbers = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for system, folder, tag_text, archived, binned, owner, own, number in kinds.annotate(number=Count("pk")):
        if binned:
            numbers["binned"] += number
            continue
        games[system] += number
        numbers["active"] += number
        if own:
            if owner is None:
                numbers["claimable"] += number
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
