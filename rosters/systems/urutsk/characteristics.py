"""The characteristics of a figure for other programs.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from rosters.core.messages import _
from rosters.exports.characteristics import NONE, Characteristics, yes_no
from rosters.systems.urutsk.rules import Element, FigureTerms
from rosters.systems.urutsk.tables import FIRE


def characteristics_of(element: Element, terms: FigureTerms) -> Characteristics:
    """Scores, weapon and protection; there are no points."""
    return Characteristics(
        (
            (_("Ranged"), str(element.ranged)),
            (_("Close"), str(element.close)),
            (_("Weapon ability"), str(element.weapon_ability)),
            (_("Fate"), str(element.fate)),
            (_("Fire"), FIRE[element.fire].lower),
            (_("Poor condition"), yes_no(element.poor_condition)),
            (_("Command"), yes_no(element.command)),
            (_("Protection"), element.protection or NONE),
        ),
    )
