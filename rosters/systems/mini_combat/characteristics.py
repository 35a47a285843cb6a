"""An element for exports to other programs: its seven stats, and its capabilities as upgrades (Appendix B)."""

from __future__ import annotations

from rosters.core.messages import _, join
from rosters.exports.characteristics import NONE, Characteristics, Upgrade, yes_no
from rosters.systems.mini_combat.rules import (
    Element,
    RosterTerms,
    capability_name,
    capability_text,
    listed,
    number_text,
)
from rosters.systems.mini_combat.tables import KINDS, STATS


def characteristics_of(element: Element, terms: RosterTerms) -> Characteristics:
    """Movement and range in cm; to hit, save and morale as D6 targets."""
    stats = element.stats
    values = {name: number_text(getattr(stats, name)) for name in STATS}
    values |= {name: f"{values[name]}\u00a0cm" for name in ("movement", "range")}
    values |= {name: f"{values[name]}+" for name in ("to_hit", "save", "morale")}
    special: dict[str, dict[int, str]] = {
        "to_hit": {0: _("always"), 7: NONE},
        "range": {0: _("melee")},
        "save": {7: NONE},
        "morale": {1: _("fearless")},
    }
    values |= {name: words[value] for name, words in special.items() if (value := getattr(stats, name)) in words}
    return Characteristics(
        (
            (_("Kind"), KINDS[element.kind]),
            *((STATS[name], value) for name, value in values.items()),
            (_("Command"), yes_no(element.command)),
            (_("Abilities"), join(map(listed, element.capabilities)) or NONE),
        ),
        tuple(
            Upgrade(capability_name(modifier) if modifier.row else listed(modifier), capability_text(modifier))
            for modifier in element.capabilities
        ),
    )
