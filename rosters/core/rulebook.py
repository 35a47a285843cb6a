"""What every rulebook declares: its labels, scenarios, sizes, and the terms that it appraises under.

PURE: the standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from rosters.core.values import Options

OptionsT = TypeVar("OptionsT", bound="Options")


class Words(NamedTuple):
    """A system's own labels, singular and plural; ``points`` is "" where the rules have none."""

    formation: str
    formations: str
    element: str
    elements: str
    points: str


class Scenario(NamedTuple):
    """A kind of game: its sides, and the points suggested for each ("" for a game without sides).

    A suggestion is (lowest, highest); lowest is None where the book gives only a ceiling.
    """

    name: str
    text: str
    sides: Mapping[str, str]
    suggested: Mapping[str, tuple[int | None, int]]


class Size(NamedTuple):
    """A preset on the start page: a budget in points (None: no limit) and the scenario it belongs to."""

    label: str
    budget: int | None
    scenario: str | None = None


class Terms(NamedTuple, Generic[OptionsT]):
    """What a roster is appraised under: its house rules, scenario and side."""

    options: OptionsT
    scenario: str | None
    side: str | None


def join_names(names: Iterable[str]) -> str:
    """Names in a sentence: "F, FL and FR"."""
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last
