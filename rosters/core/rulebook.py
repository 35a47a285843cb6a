"""The values that rulebooks declare: labels, scenarios, sizes; and the terms of an appraisal.

The interface itself is `appraisals.Rulebook`, and `documents.Rules` the part of it that documents need: both use types
that import this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from rosters.core.amounts import Amount, format_amount
from rosters.core.messages import Message, _, ngettext

if TYPE_CHECKING:
    from rosters.core.values import Options

OptionsT = TypeVar("OptionsT", bound="Options")


def count_points(amount: Amount) -> Message:
    """An amount of points: "1 point", "4.5 points"."""
    number = int(amount) if amount == int(amount) else 2  # a fraction takes the plural
    return ngettext("{n} point", "{n} points", number).format(n=format_amount(amount))


class Nouns(NamedTuple):
    """A system's nouns as they are written within a sentence; ``point`` is "" in a game without points."""

    formation: str
    formations: str
    element: str
    elements: str
    point: str = ""


class Words(NamedTuple):
    """A system's labels, singular and plural; ``points`` is "" in a game without points.

    The labels of formations and elements begin with a capital, ``points`` does not. ``count_elements`` and
    ``count_points`` write numbers of them: "1 ship", "3 ships", "4.5 points".
    """

    formation: str
    formations: str
    element: str
    elements: str
    points: str
    points_heading: str
    nouns: Nouns
    count_elements: Callable[[int], Message]
    count_points: Callable[[Amount], Message] = count_points

    @property
    def has_points(self) -> bool:
        """Whether there are points to show: not in a game without them, nor where a roster hides them."""
        return self.points != ""


class Scenario(NamedTuple):
    """A kind of game: its sides, and the points suggested for each ("" for a game without sides).

    A suggestion is (lowest, highest); lowest is None if the rulebook gives only a maximum.
    """

    name: str
    text: str
    sides: Mapping[str, str]
    suggested: Mapping[str, tuple[int | None, int]]

    def side_label(self, side: str | None) -> str:
        """The name of the scenario, and of the side if there is one."""
        name = self.sides.get(side or "")
        return _("{scenario}, {side}").format(scenario=self.name, side=name) if name else self.name


class Size(NamedTuple):
    """A preset on the start page: a points limit (None: no limit) and the scenario it belongs to."""

    label: str
    budget: int | None
    scenario: str | None = None


class Terms(NamedTuple, Generic[OptionsT]):
    """The terms of an appraisal: house rules, scenario and side."""

    options: OptionsT
    scenario: str | None
    side: str | None
