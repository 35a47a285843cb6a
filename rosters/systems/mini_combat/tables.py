"""Mini Combat: tables of Appendix B, its special costs and its free defaults.

PURE. Percentages are whole numbers: 25 is +25 %. The 37 basic percentages are reference rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from typing import NamedTuple

KEYS: Mapping[str, frozenset[str]] = {
    "scatters": frozenset({"Drp", "Tel"}),
    "count": frozenset({"T", "MW"}),
    "denies": frozenset({"Den"}),
    "on": frozenset({"Heal", "Rep"}),
    "turns": frozenset({"OS"}),
    "form": frozenset({"Fly", "Sk"}),
}
"""Which capabilities have which key for their variant."""

FORMS: Mapping[str, tuple[str, str]] = {"Fly": ("flying", "jump"), "Sk": ("skimmer", "ethereal")}
"""Two capabilities at one price each; the first is meant when none is chosen."""

COUNTS: Mapping[str, int] = {"T": 1, "MW": 2}
"""Counted capabilities, and how many are meant without a count: elements carried, weapons in all."""

INCLUDED: Mapping[str, int] = {"T": 0, "MW": 1}
"""How many of a count are in the price already."""

GAME_TURNS = 10
"""Turns of a usual game, to which the price of One shot belongs."""

CHEAPER: Mapping[str, int] = {"Drp": 20, "Tel": 40, "Heal": 100, "Rep": 100}
"""Percentages of the lesser variants: those that scatter, and those that work on a 4+ only."""

MANOEUVRE_LIMITS = ("RdM", "RsM", "LM")
FIRE_ARCS = ("RdFA", "RsFA", "LFA")
TEMPLATES = ("Cone", "5c", "10c", "Bmb")
DEPLOYMENTS = ("Drp", "Tel", "Sc")
WEAPON_ABILITIES = ("SS", "MW", "IC", "IF", "MoF", "Feot", "OS")

SEPARATE: Mapping[str, frozenset[str]] = {
    "recommended": frozenset({"MoF", "Feot", "OS"}),
    "none": frozenset(),
    "one-shot-only": frozenset({"OS"}),
    "with-multiple-weapons": frozenset({"MoF", "Feot", "OS", "MW"}),
}
"""Capabilities that multiply on their own, by the value of ``star``; under ``all`` it is all but Den."""


class Exclusive(NamedTuple):
    """Capabilities of which an element has at most one; ``plural`` is what they are."""

    code: str
    members: tuple[str, ...]
    plural: str


EXCLUSIVE = (
    Exclusive("two-manoeuvre-limits", MANOEUVRE_LIMITS, "limits of manoeuvre"),
    Exclusive("two-fire-arcs", FIRE_ARCS, "fire arcs"),
    Exclusive("two-templates", TEMPLATES, "templates"),
    Exclusive("two-deployments", DEPLOYMENTS, "ways to deploy"),
)


class Clash(NamedTuple):
    """A capability that is odd beside any of ``others``, and a sentence that says why."""

    code: str
    one: str
    others: tuple[str, ...]
    why: str


CLASHES = (
    Clash("sealed-included", "Sub", ("Se",), "Submersible already includes Sealed."),
    Clash("amphibious-included", "Sub", ("Amph",), "Submersible already moves freely in water."),
    Clash("fly-and-skim", "Fly", ("Sk",), "Flying or jump and skimmer or ethereal lift the same limits."),
    Clash("water-bound-conflict", "WB", ("Amph", "Fly"), "Water bound, and yet paid to leave the water."),
    Clash("one-shot-and-slow-fire", "OS", ("Feot",), "A single shot never waits for the next one."),
)

KIND_NOTES: Mapping[str, tuple[str, ...]] = {
    "infantry": ("Same armor from every side.",),
    "cavalry": ("Stays out of buildings.", "Double move on roads."),
    "vehicle": ("Stays out of woods and buildings.", "Double move on roads."),
    "mecha": ("Stays out of buildings, unless it is the size of a man.",),
}
"""What an element of a kind has or suffers without paying, for its card."""

MOST_CAPABILITIES = 200
"""An element's list holds no more, so that the product of its factors stays short enough to write out."""

LONGEST_FRACTION = 10**100
"""Separate factors are multiplied out exactly up to this denominator, far beyond any element in play."""

COMMON_DENOMINATOR = lcm(*range(1, 1001)) * 10**400
"""Unrounded prices whose denominator divides this can be added up in any number, and written out."""
