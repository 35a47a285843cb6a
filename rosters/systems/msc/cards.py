"""The characteristics of a ship for other programs (rule 2)."""

from __future__ import annotations

from rosters.core.messages import _
from rosters.exports.card import NONE, Card
from rosters.systems.msc.rules import STATS, Element, FleetTerms


def card(element: Element, terms: FleetTerms) -> Card:
    """Stats in BP, and the sides with a weapon."""
    return Card(
        _("Ship"),
        (
            *((label, str(getattr(element, name))) for name, label in STATS.items()),
            (_("Weapons"), " ".join(element.weapons) or NONE),
        ),
    )
