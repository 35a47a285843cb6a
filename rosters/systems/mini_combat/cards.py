"""An element as other programs know it: its seven numbers, and its capabilities as upgrades (Appendix B).

PURE. Rulebook: Mini Combat, with Appendix B (author not named).
"""

from __future__ import annotations

from rosters.exports.card import NONE, Card, Upgrade, yes_no
from rosters.systems.mini_combat.rules import CAPABILITIES, FINDINGS, Element, ForceTerms, Modifier, abbreviation


def card(element: Element, terms: ForceTerms) -> Card:
    """Movement and range in cm; to hit, save and morale as targets of a D6."""
    stats = element.stats
    return Card(
        "Element",
        (
            ("Kind", element.kind),
            ("Movement", f"{stats.movement} cm"),
            ("To hit", _to_hit(stats.to_hit)),
            ("Range", f"{stats.range} cm" if stats.range else "melee"),
            ("Save", NONE if stats.save == 7 else f"{stats.save}+"),
            ("Power", str(stats.power)),
            ("Armor", str(stats.armor)),
            ("Morale", "fearless" if stats.morale == 1 else f"{stats.morale}+"),
            ("Command", yes_no(element.command)),
            ("Capabilities", ", ".join(map(_short, element.capabilities)) or NONE),
        ),
        tuple(_upgrade(modifier) for modifier in element.capabilities),
    )


def _to_hit(target: int) -> str:
    """7 is no attack, and 0 always hits."""
    return {7: NONE, 0: "always"}.get(target, f"{target}+")


def _short(modifier: Modifier) -> str:
    return f"{abbreviation(modifier)}{' (waived)' if modifier.waived else ''}"


def _upgrade(modifier: Modifier) -> Upgrade:
    """A capability with its rule: "Charge (Ch)", "Deny capability (Den Ch)"."""
    if modifier.custom is not None:
        return Upgrade(modifier.custom, FINDINGS["custom-capability"].text)
    row = CAPABILITIES.get(modifier.code or "")
    if row is None:
        return Upgrade(_short(modifier), FINDINGS["unknown-capability"].text)
    denied = CAPABILITIES.get(modifier.denies or "")
    text = f"{row.text} Denied: {denied.name}. {denied.text}" if denied else row.text
    return Upgrade(f"{row.name} ({abbreviation(modifier)})", text)
