"""What every rulebook declares: its labels, scenarios and sizes; and the terms of an appraisal.

PURE: the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

from rosters.core.values import Options

OptionsT = TypeVar("OptionsT", bound="Options")


class Words(NamedTuple):
    """A system's labels, singular and plural; ``points`` is "" in a game without points."""

    formation: str
    formations: str
    element: str
    elements: str
    points: str


class Scenario(NamedTuple):
    """A kind of game: its sides, and the points suggested for each ("" for a game without sides).

    A suggestion is (lowest, highest); lowest is None if the rulebook gives only a maximum.
    """

    name: str
    text: str
    sides: Mapping[str, str]
    suggested: Mapping[str, tuple[int | None, int]]


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
