"""A figure as other programs know it: what it is, and its traits and super powers as upgrades (sections IV to VI).

PURE. Rulebook: VSGMR, Domino Writing.
"""

from __future__ import annotations

from rosters.exports.card import NONE, Card, Upgrade, yes_no
from rosters.systems.vsgmr.rules import ALIASES, FINDINGS, POWERS, TRAITS, Element, ForceTerms, armor_of, powers_of


def card(element: Element, terms: ForceTerms) -> Card:
    """The figure with the armor that it really has."""
    traits = tuple(_trait(slug, element.support) for slug in element.traits)
    powers = tuple(_power(slug, tier) for slug, tier in powers_of(element))
    return Card(
        "Figure",
        (
            ("Kind", element.kind.capitalize() or NONE),
            ("Commander", yes_no(element.commander)),
            ("Distance attack", yes_no(element.distance)),
            ("Automatic fire", yes_no(element.automatic_fire)),
            ("Armor", armor_of(element) or NONE),
            ("Large", yes_no(element.large)),
        ),
        (*traits, *powers),
    )


def _trait(slug: str, support: str | None) -> Upgrade:
    """A trait with its rule; Support tells the roll that it helps, and an alias keeps its own name."""
    row = TRAITS.get(ALIASES.get(slug, slug))
    if row is None:
        return Upgrade(slug, FINDINGS["unknown-trait"].text)
    own = slug.replace("-", " ").title()
    name = row.name if row.code == slug else f"{own} ({row.name})"
    helped = f" ({support.replace('-', ' ')})" if row.code == "support" and support else ""
    return Upgrade(f"{name}{helped}", row.text)


def _power(slug: str, tier: str) -> Upgrade:
    row = POWERS.get((slug, tier))
    if row is None:
        return Upgrade(f"{slug} ({tier})", FINDINGS["unknown-power"].text)
    return Upgrade(f"{row.name} ({tier})", row.text)
