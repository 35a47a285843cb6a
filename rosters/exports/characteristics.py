"""The characteristics of an element in files of other programs, as each system's ``characteristics.py`` gives them."""

from __future__ import annotations

from typing import NamedTuple

NONE = "-"
"""The value of a characteristic that the element lacks."""


class Upgrade(NamedTuple):
    """A trait, power or capability, and its rule in our words ("" if there is none)."""

    name: str
    rule_text: str


class Characteristics(NamedTuple):
    """Each characteristic with its value as text, never "", and the upgrades of an element.

    All elements of a system have the same characteristics in the same order.
    """

    values: tuple[tuple[str, str], ...]
    upgrades: tuple[Upgrade, ...] = ()


def yes_no(value: bool) -> str:
    """A boolean as the value of a characteristic."""
    return "yes" if value else "no"
