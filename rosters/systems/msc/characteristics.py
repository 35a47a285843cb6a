"""The characteristics of a ship for other programs (rule 2)."""

from __future__ import annotations

from rosters.core.messages import _
from rosters.exports.characteristics import NONE, Characteristics
from rosters.systems.msc.rules import STATS, Element, FleetTerms


def characteristics_of(element: Element, terms: FleetTerms) -> Characteristics:
    """Stats in BP, and the sides with a weapon."""
    return Characteristics(
        (
            *((label, str(getattr(element, name))) for name, label in STATS.items()),
            (_("Weapons"), " ".join(element.weapons) or NONE),
        ),
    )
