"""The rosters that players list for everybody, searched and paged, with what others may know of them alone.

Their words are looked for in what is shown here: never in notes, which may be hidden.
"""

from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse

from rosters.models import Roster, Visibility
from rosters.registry import SYSTEMS, System

PAGE = 24
LAST_PAGE = 500


class Listed(NamedTuple):
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

    rosters: list[Listed]
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


def page_asked(text: str) -> int:
    """The number of the page that an address names; 1 for what is none."""
    return max(1, min(int(text[:6]), LAST_PAGE)) if text.isascii() and text.isdigit() else 1


def page(system: str = "", words: str = "", number: int = 1) -> Page:
    """One page of what is listed, by game and by words."""
    first = (number - 1) * PAGE
    rows = listed(system, words).values_list(
        "token", "name", "system", "points", "legal", "tags", "changed", "hide_points"
    )[first : first + PAGE + 1]
    found = [
        Listed(token, name, SYSTEMS[game], None if hidden else points, legal, tags, changed)
        for token, name, game, points, legal, tags, changed, hidden in rows
    ]
    query = {name: value for name, value in (("system", system), ("q", words)) if value}
    return Page(found[:PAGE], number, len(found) > PAGE, query)


def listed(system: str = "", words: str = "") -> QuerySet[Roster]:
    """Rosters that their owners list; every word must be in the name, the game or the tags, or be the points.

    Two columns stand in functions, or SQLite would not begin with the newest that are listed.
    """
    found = Roster.objects.filter(visibility=Visibility.LISTED, binned=None).annotate(
        book=Coalesce("sample", Value("")), game=Lower("system")
    )
    found = found.filter(book="", game=system) if system else found.filter(book="")
    for word in words.split():
        found = found.filter(_says(word))
    return found.order_by("-changed")


def _says(word: str) -> Q:
    games = [slug for slug, system in SYSTEMS.items() if word.lower() in system.name.lower()]
    said = Q(name__icontains=word) | Q(tags__icontains=word) | Q(system__in=games)
    if word.isascii() and word.isdigit():
        said |= Q(points=int(word[:15]), hide_points=False)
    return said
