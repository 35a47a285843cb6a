"""The reference lists of the rulebooks as values: capabilities, traits, super powers.

PURE: the standard library and pydantic only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rosters.core.values import Frozen


class Capability(Frozen):
    """A Mini Combat capability (Appendix B). ``percent`` is a whole number: 25 is +25 %."""

    code: str
    number: int
    name: str
    percent: int
    purpose: str
    text: str


class Trait(Frozen):
    """A VSGMR trait (section V)."""

    code: str
    number: int
    abbreviation: str
    name: str
    text: str


class SuperPower(Frozen):
    """A VSGMR super power at one tier (section VI). ``die`` is 8, 10 or 12, ``points`` its price."""

    power: str
    tier: str
    number: int
    abbreviation: str
    name: str
    die: int
    points: int
    text: str


class Reference(NamedTuple):
    """The rows that the pure functions price and explain with."""

    capabilities: Mapping[str, Capability]
    traits: Mapping[str, Trait]
    powers: Mapping[tuple[str, str], SuperPower]


class Entry(NamedTuple):
    """One explained word of a rulebook, for help texts and ``explain``."""

    code: str
    name: str
    text: str
