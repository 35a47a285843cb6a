"""A stand as other programs know it: its type, strength, reach and equipment (sections 2, 4 and 6).

PURE. Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from rosters.exports.card import NONE, Card
from rosters.systems.six_mm.play import move, weapon_range
from rosters.systems.six_mm.rules import PURCHASES, ArmyTerms, Element, describe, element_facts
from rosters.systems.six_mm.tables import TYPES


def card(element: Element, terms: ArmyTerms) -> Card:
    """Strength in points, range and move in squares, of the first state; all states stand in words."""
    facts = element_facts(element, terms)
    return Card(
        "Stand",
        (
            ("Type", element.type or NONE),
            ("Name of the type", _type_name(element.type)),
            ("Strength", str(facts.get("strength", NONE))),
            ("Routs at", str(facts.get("routs_at", NONE))),
            ("Range", weapon_range(element) or NONE),
            ("Move", move(element) or NONE),
            ("In words", describe(element, terms)),
        ),
    )


def _type_name(code: str) -> str:
    if code in PURCHASES:
        return PURCHASES[code][0]
    return TYPES[code].name if code in TYPES else NONE
