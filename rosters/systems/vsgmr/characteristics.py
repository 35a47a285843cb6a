"""A figure for other programs: its characteristics, and its traits and super powers as upgrades (sections IV to VI)."""

from __future__ import annotations

from rosters.core.messages import _
from rosters.exports.characteristics import NONE, Characteristics, Upgrade, yes_no
from rosters.systems.vsgmr.rules import (
    ALIASES,
    FINDINGS,
    KIND_NAMES,
    POWERS,
    TRAITS,
    Element,
    RosterTerms,
    armor_of,
    power_name,
    powers_of,
    trait_name,
)

_ARMOR = {"light": _("light"), "heavy": _("heavy")}


def characteristics_of(element: Element, terms: RosterTerms) -> Characteristics:
    """The figure with the armor that it has in play."""
    traits = ((trait_name(slug, element.support), TRAITS.get(ALIASES.get(slug, slug))) for slug in element.traits)
    powers = ((power_name(slug, tier), POWERS.get((slug, tier))) for slug, tier in powers_of(element))
    return Characteristics(
        (
            (_("Kind"), KIND_NAMES.get(element.kind, element.kind) or NONE),
            (_("Commander"), yes_no(element.commander)),
            (_("Distance attack"), yes_no(element.distance)),
            (_("Automatic fire"), yes_no(element.automatic_fire)),
            (_("Armor"), _ARMOR.get(armor_of(element) or "", NONE)),
            (_("Large"), yes_no(element.large)),
        ),
        (
            *(Upgrade(name, trait.text if trait else FINDINGS["unknown-trait"].text) for name, trait in traits),
            *(Upgrade(name, power.text if power else FINDINGS["unknown-power"].text) for name, power in powers),
        ),
    )
