"""Elements of sample rosters and of a visitor's own by their names, for quick add."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from rosters import registry
from rosters.core import documents
from rosters.core.folding import fold_accents
from rosters.models import Element, Roster
from rosters.store import access
from rosters.store.access import Visitor

MAX_NAMES = 500
MAX_ROWS = 2_000
"""Rows that are read of the samples, and as many of the visitor's own rosters."""
MAX_COPIES = 3
"""Different elements of one name."""


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


def _rows(rosters: QuerySet[Roster], names: list[str]) -> Iterable[Element]:
    """The rows of elements with these names. SQLite lowers ASCII letters only, so that others must have their case."""
    rows = Element.objects.annotate(lowered=Lower("name")).filter(roster__in=rosters)
    named = rows.filter(Q(lowered__in=[name.lower() for name in names]) | Q(name__in=names))
    columns = ("name", "quantity", "notes", "profile", "roster__name", "roster__token")
    return named.select_related("roster").only(*columns).order_by("-roster__changed", "position")[:MAX_ROWS]


def _fold(name: str) -> str:
    return fold_accents(" ".join(name.split()))
