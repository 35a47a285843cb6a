"""The columns of a fleet: ENGINE, SHIELD and TO-HIT, and the sides with weapons."""

from __future__ import annotations

from rosters.core.grid import DASH, MORE_OPTIONS, OPTIONS, GridCell, GridColumn, stat
from rosters.core.messages import _, join
from rosters.systems.msc.lines import GRAMMAR
from rosters.systems.msc.rules import STATS, Element, FleetTerms
from rosters.systems.msc.tables import SIDE_NAMES

COLUMNS = (
    GridColumn(_("E"), STATS["engine"], "engine", stat=True),
    GridColumn(_("S"), STATS["shield"], "shield", stat=True),
    GridColumn(_("T"), STATS["to_hit"], "to_hit", stat=True),
    GridColumn(_("Weapons"), _("Sides with a weapon"), OPTIONS),
)
SHARED_FIELDS = (*STATS, MORE_OPTIONS)


def cells(element: Element, terms: FleetTerms) -> tuple[GridCell, ...]:
    """A ship."""
    stats = (stat(getattr(element, name), {}) for name in STATS)
    sides = join(SIDE_NAMES.get(side, side) for side in element.weapons)
    return *stats, GridCell(" ".join(element.weapons) or DASH, " ".join(GRAMMAR.write_options(element)), sides)


def category(element: Element) -> str:
    """None: all are ships."""
    return ""
