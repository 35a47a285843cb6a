"""A figure as other programs know it: its scores, how its weapon fires, and what protects it.

PURE. Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from rosters.exports.card import NONE, Card, yes_no
from rosters.systems.urutsk.rules import FIRES, Element, FigureTerms


def card(element: Element, terms: FigureTerms) -> Card:
    """Scores as plain numbers; there are no points."""
    return Card(
        "Figure",
        (
            ("Ranged", str(element.ranged)),
            ("Close", str(element.close)),
            ("Weapon ability", str(element.weapon_ability)),
            ("Fate", str(element.fate)),
            ("Fire", FIRES[element.fire]),
            ("Poor condition", yes_no(element.poor_condition)),
            ("Command", yes_no(element.command)),
            ("Protection", element.protection or NONE),
        ),
    )
