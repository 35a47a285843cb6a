"""Elements of sample rosters and of a visitor's own by their names, for quick add."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from rapidfuzz import fuzz, process

from rosters import registry
from rosters.core import documents
from rosters.core.folding import fold_accents
from rosters.core.grammar import MIN_PREFIX
from rosters.models import Element, Roster
from rosters.store import access
from rosters.store.access import Visitor

MAX_NAMES = 500
MAX_ROWS = 2_000
"""Rows that are read of the samples, and as many of the visitor's own rosters."""
MAX_COPIES = 3
"""Different elements of one name."""
MAX_DESIGNS = 200
"""Rows of samples, and of the visitor's rosters, that are read for each key of a line without stats."""
LIKE = 80
"""The similarity in percent from which a name is suggested."""
MAX_LIKE = 4
"""Designs that are suggested instead of a line."""


class NamedElement(NamedTuple):
    """An element that can be copied, and the roster that it is in."""

    element: documents.Element
    roster: str
    token: str
    is_sample: bool


def elements_named(system: str, names: Iterable[str], visitor: Visitor) -> Mapping[str, list[NamedElement]]:
    """The elements of one game with these names, whatever their case: those of samples first, then the latest.

    The keys are those of ``names`` that exist, as the caller spells them. Two queries, and those for the visitor's
    rosters.
    """
    names_by_key: dict[str, list[str]] = {}
    unique = [*dict.fromkeys(name for name in names if name)][:MAX_NAMES]
    for name in unique:
        names_by_key.setdefault(_fold(name), []).append(name)
    if not unique:
        return {}
    elements: dict[str, list[NamedElement]] = {}
    samples = Roster.objects.filter(sample__isnull=False)
    for rosters, is_sample in ((samples, True), (access.rosters_of(visitor).filter(binned=None), False)):
        for row in _rows(rosters.filter(system=system), unique):
            copies = elements.setdefault(_fold(row.name), [])
            data = {"name": row.name, "quantity": row.quantity, "notes": row.notes, **row.profile}
            element = registry.SYSTEMS[system].rules.Element.model_validate(data)
            same = any(documents.profile_of(copy.element) == row.profile for copy in copies)
            if len(copies) < MAX_COPIES and not same:
                copies.append(NamedElement(element, row.roster.name, row.roster.token, is_sample))
    return {name: copies for key, copies in elements.items() for name in names_by_key[key]}


def names_beginning(system: str, text: str, visitor: Visitor, most: int) -> Mapping[str, str]:
    """The names that begin with a text, but are more, of elements of samples and the visitor's own rosters, each with
    the name of a roster. Two queries, and those for the visitor's rosters.
    """
    names: dict[str, str] = {}
    for rosters in (Roster.objects.filter(sample__isnull=False), access.rosters_of(visitor).filter(binned=None)):
        elements = Element.objects.filter(roster__in=rosters.filter(system=system), name__istartswith=text)
        rows = elements.exclude(name__iexact=text).order_by("name").values_list("name", "roster__name").distinct()
        names = dict(rows[: most * most]) | names
    return dict([*names.items()][:most])


class Design(NamedTuple):
    """What elements of one name are in samples and a visitor's own rosters."""

    name: str
    profile: Mapping[str, Any]

    def has(self, profile: Mapping[str, Any]) -> bool:
        """Whether its profile has all of another one."""
        return all(
            all(each in self.profile.get(key, ()) for each in value)
            if isinstance(value, list)
            else self.profile.get(key) == value
            for key, value in profile.items()
        )


def designs_of(system: str, visitor: Visitor) -> list[Design]:
    """The designs of one game, those of most rosters and then of most models first. Two queries, and those for the
    visitor's rosters.
    """
    rows, users = list[tuple[Any, ...]](), dict[str, set[int]]()
    for rosters in (Roster.objects.filter(sample__isnull=False), access.rosters_of(visitor).filter(binned=None)):
        named = Element.objects.filter(roster__in=rosters.filter(system=system)).exclude(name="")
        columns = ("name", "profile", "quantity", "roster")
        rows += named.order_by("-roster__changed", "position").values_list(*columns)[:MAX_DESIGNS]
    for _name, profile, _quantity, roster in rows:
        users.setdefault(str(profile), set()).add(roster)
    rows.sort(key=lambda row: (-len(users[str(row[1])]), -row[2]))
    described = registry.SYSTEMS[system].grammar.describing
    designs: dict[str, Design] = {}
    for name, profile, *_used in rows:
        if profile.keys() - described:  # else it has no stats
            designs.setdefault(_fold(name), Design(name, profile))
    return [*designs.values()]


def designs_like(designs: list[Design], text: str, profile: Mapping[str, Any] | None) -> list[Design]:
    """The designs whose names are nearest to a text; then, each different, those that have what is in a profile."""
    names = [_singular(each.name) for each in designs] if len(text) > MIN_PREFIX else []
    near = process.extract(_singular(text), names, scorer=fuzz.WRatio, score_cutoff=LIKE, limit=MAX_LIKE)
    like = [designs[index] for _name, _ratio, index in near]
    if profile is not None and (profile or not like):
        for each in designs:
            if len(like) < MAX_LIKE and each.has(profile) and all(each.profile != other.profile for other in like):
                like.append(each)
    return like


def _rows(rosters: QuerySet[Roster], names: list[str]) -> Iterable[Element]:
    """The rows of elements with these names. SQLite lowers ASCII letters only, so that others must have their case."""
    rows = Element.objects.annotate(lowered=Lower("name")).filter(roster__in=rosters)
    named = rows.filter(Q(lowered__in=[name.lower() for name in names]) | Q(name__in=names))
    columns = ("name", "quantity", "notes", "profile", "roster__name", "roster__token")
    return named.select_related("roster").only(*columns).order_by("-roster__changed", "position")[:MAX_ROWS]


def _singular(name: str) -> str:
    return re.sub(r"s\b", "", _fold(name))


def _fold(name: str) -> str:
    return fold_accents(" ".join(name.split()))
