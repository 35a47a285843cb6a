"""A stand for exports to other programs: its type, strength, range, move and equipment (sections 2, 4 and 6)."""

from __future__ import annotations

from rosters.core.messages import _
from rosters.exports.characteristics import NONE, Characteristics
from rosters.systems.six_mm.play import move, weapon_range
from rosters.systems.six_mm.rules import ArmyTerms, Element, describe, element_facts
from rosters.systems.six_mm.tables import PURCHASES, TYPES


def characteristics_of(element: Element, terms: ArmyTerms) -> Characteristics:
    """Strength in points, range and move in squares, of the stand; its description includes its alternates."""
    facts = element_facts(element, terms)
    kind = TYPES.get(element.type) or PURCHASES.get(element.type)
    return Characteristics(
        (
            (_("Type"), element.type or NONE),
            (_("Name of the type"), kind.name if kind else NONE),
            (_("Strength"), str(facts.get("strength", NONE))),
            (_("Routs at"), str(facts.get("routs_at", NONE))),
            (_("Range"), weapon_range(element).text or NONE),
            (_("Move"), move(element).text or NONE),
            (_("Description"), describe(element, terms)),
        ),
    )
