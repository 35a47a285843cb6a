"""An element for exports to other programs: its characteristics, and its upgrades with their rules. A system's
``cards.py`` returns the card of an element; BattleScribe exports write it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from rosters.core.rulebook import Terms

NONE = "-"
"""The value of a characteristic that the element lacks."""


class Upgrade(NamedTuple):
    """A trait, power or capability, and its rule in our words ("" if there is none)."""

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
    """The interface of every ``systems/<x>/cards.py``. Pure, and raises nothing."""

    def card(self, element: Any, terms: Terms[Any]) -> Card: ...


def yes_no(value: bool) -> str:
    """A boolean as the value of a characteristic."""
    return "yes" if value else "no"
