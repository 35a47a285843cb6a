"""Abilities, traits and powers in an element's form: the selected ones first, all others in collapsed groups."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.forms.boundfield import BoundField


class Pick(NamedTuple):
    """An option of an element: a check box of the field ``name``, or a ``select``, with its details."""

    name: str
    code: str
    label: str
    price: str
    text: str
    group: int
    chosen: bool
    select: BoundField | None = None
    details: tuple[BoundField, ...] = ()
    can_be_waived: bool = False
    waived: bool = False
    place: int = 0
    rank: int = 0
    """The order in search results: the most used in sample rosters first."""
    words: str = ""
    """Other words that the search finds it by."""


class Picker(NamedTuple):
    """All picks of a form by group, and the label of the search among them."""

    label: str
    groups: list[tuple[Any, list[Pick]]]
    field: BoundField
    """The bound field of the check boxes; its errors are about all of them."""
    more: str = ""
    """A template after the groups."""

    @property
    def chosen(self) -> Iterable[Pick]:
        """The selected options, and those with an error."""
        return (pick for _legend, picks in self.groups for pick in picks if pick.chosen)
