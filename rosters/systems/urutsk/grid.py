"""The columns of a detachment: the four scores, fire, and what the rules have no scores for.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis, 1998.
"""

from __future__ import annotations

from rosters.core.grid import MORE_OPTIONS, OPTIONS, GridCell, GridColumn, stat
from rosters.core.messages import _, join
from rosters.systems.urutsk.lines import GRAMMAR
from rosters.systems.urutsk.rules import LABELS, Element, FigureTerms
from rosters.systems.urutsk.tables import FIRE

SCORES = {_("R"): "ranged", _("C"): "close", _("W"): "weapon_ability", _("F"): "fate"}
COLUMNS = (
    *(GridColumn(letter, LABELS[key], key, stat=True) for letter, key in SCORES.items()),
    GridColumn(LABELS["fire"], LABELS["fire"], "fire"),
    GridColumn(_("Command, protection"), _("Command, condition of the weapon, cover and armor"), OPTIONS),
)
SHARED_FIELDS = (*SCORES.values(), "fire", MORE_OPTIONS)


def cells(element: Element, terms: FigureTerms) -> tuple[GridCell, ...]:
    """A figure; in words what is no number."""
    parts = (
        _("command-capable") if element.command else "",
        _("poor condition") if element.poor_condition else "",
        element.protection,
    )
    scores = (stat(getattr(element, key), {}) for key in SCORES.values())
    return (
        *scores,
        GridCell(FIRE[element.fire].lower, element.fire),
        GridCell(join(filter(None, parts)), " ".join(GRAMMAR.write_options(element))),
    )


def category(element: Element) -> str:
    """None: the game has no points."""
    return ""
