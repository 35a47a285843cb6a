"""The columns of a fleet: ENGINE, SHIELD and TO-HIT, and the sides with guns."""

from __future__ import annotations

from rosters.core.grid import NONE, OPTIONS, Cell, Column, stat
from rosters.core.messages import _
from rosters.systems.msc.lines import GRAMMAR
from rosters.systems.msc.rules import ENGINE, SHIELD, TO_HIT, Element, FleetTerms

COLUMNS = (
    Column(_("E"), ENGINE, "engine", stat=True),
    Column(_("S"), SHIELD, "shield", stat=True),
    Column(_("T"), TO_HIT, "to_hit", stat=True),
    Column(_("Guns"), _("Sides with a weapon"), OPTIONS),
)
SHARED_FIELDS = ("engine", "shield", "to_hit")


def cells(element: Element, terms: FleetTerms) -> tuple[Cell, ...]:
    stats = (stat(value, {}) for value in (element.engine, element.shield, element.to_hit))
    return *stats, Cell(" ".join(element.weapons) or NONE, " ".join(GRAMMAR.write_options(element)))
