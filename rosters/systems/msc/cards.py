"""A ship as other programs know it: the four stats of its design (rule 2).

PURE. Rulebook: Minimal Space Combat, Timothy Swenson.
"""

from __future__ import annotations

from rosters.exports.card import NONE, Card
from rosters.systems.msc.rules import Element, FleetTerms


def card(element: Element, terms: FleetTerms) -> Card:
    """Stats in points, and the sides that hold a weapon."""
    return Card(
        "Ship",
        (
            ("ENGINE", str(element.engine)),
            ("SHIELD", str(element.shield)),
            ("TO-HIT", str(element.to_hit)),
            ("Weapons", " ".join(element.weapons) or NONE),
        ),
    )
