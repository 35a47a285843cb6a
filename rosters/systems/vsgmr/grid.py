"""The columns of a warband: kind, armor, and what a figure can do."""

from __future__ import annotations

from rosters.core.grid import DASH, MORE_OPTIONS, OPTIONS, GridCell, GridColumn
from rosters.core.messages import _, join
from rosters.systems.vsgmr.lines import GRAMMAR
from rosters.systems.vsgmr.rules import (
    ARMOR_NAMES,
    KIND_NAMES,
    Element,
    RosterTerms,
    armor_of,
    power_name,
    powers_of,
    trait_name,
)

COLUMNS = (
    GridColumn(_("Kind"), _("Kind"), "kind"),
    GridColumn(_("Armor"), _("Armor"), "armor"),
    GridColumn(_("Attacks, traits, powers"), _("Attacks, traits and super powers"), OPTIONS),
)
SHARED_FIELDS = ("kind", "armor", MORE_OPTIONS)


def cells(element: Element, terms: RosterTerms) -> tuple[GridCell, ...]:
    """A figure; in words what it has or is."""
    armor = armor_of(element)
    flags = (
        (element.large, _("large")),
        (element.commander, _("commander")),
        (element.distance, _("distance attack")),
        (element.automatic_fire, _("automatic fire")),
    )
    traits = (trait_name(slug, element.support) for slug in element.traits)
    powers = (power_name(slug, tier) for slug, tier in powers_of(element))
    return (
        GridCell(KIND_NAMES.get(element.kind, element.kind), element.kind),
        GridCell(ARMOR_NAMES[armor] if armor else DASH, element.armor or ""),
        GridCell(
            join((*(text for applies, text in flags if applies), *traits, *powers)),
            " ".join(GRAMMAR.write_options(element)),
        ),
    )


def category(element: Element) -> str:
    """The kind."""
    return KIND_NAMES.get(element.kind, element.kind)
