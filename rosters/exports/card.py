"""What other programs need of an element: its profile as named values, and what it has on top with the rule of each.

PURE. A system's ``cards.py`` makes one of each element; the exports write it without knowing the game.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from rosters.core.rulebook import Terms

NONE = "-"
"""The value of a characteristic that an element does not have."""


class Upgrade(NamedTuple):
    """A trait, power or capability, and its rule in our words; "" where there is none."""

    name: str
    rule_text: str


class Card(NamedTuple):
    """An element for other programs.

    ``type_name`` is the kind of profile; all cards of a type have the same ``characteristics`` in the same
    order, each a name and its value as text, never "".
    """

    type_name: str
    characteristics: tuple[tuple[str, str], ...]
    upgrades: tuple[Upgrade, ...] = ()


class Cards(Protocol):
    """What every ``systems/<x>/cards.py`` offers. Pure, and raises nothing."""

    def card(self, element: Any, terms: Terms[Any]) -> Card: ...


def yes_no(value: bool) -> str:
    """A switch as the value of a characteristic."""
    return "yes" if value else "no"
