"""The sheets of 6MM: the army record, labels of stands, cards, and standees."""

from __future__ import annotations

from functools import partial

from rosters.core.grid import DASH
from rosters.core.messages import _, translate
from rosters.pdf import battle_sheet
from rosters.pdf import cards as kit
from rosters.pdf.job import Choice, Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, Stats, roster_list
from rosters.systems.six_mm.play import MORALE, MORALE_BY_ARMY, move, weapon_range
from rosters.systems.six_mm.rules import Element, strength
from rosters.systems.six_mm.sheets.cards import cards
from rosters.systems.six_mm.sheets.labels import SIZES, labels
from rosters.systems.six_mm.sheets.markers import MARKERS
from rosters.systems.six_mm.sheets.record import record
from rosters.systems.six_mm.sheets.stand import NUMBER_PATTERN, without_choices
from rosters.systems.six_mm.sheets.standees import standees
from rosters.systems.six_mm.tables import TYPES

CHOICES = {
    "alike": Choice(
        _("Identical stands"), {"each": _("One block per stand"), "one": _("One block for all")}, ("record",)
    ),
    "stand": Choice(_("Base size"), {str(n): _("{n} mm").format(n=n) for n in SIZES}, ("labels", "standees")),
    "stand-backs": Choice(_("Stand backs"), {"none": _("None"), "routs": _("Routs")}, ("labels",)),
    **kit.CHOICES,
    **battle_sheet.CHOICES,
}


def _list_values(element: Element) -> tuple[str, ...]:
    """Strength, move and range of a stand; none of a purchase."""
    if element.type not in TYPES:
        return DASH, DASH, DASH
    reaches = move(element), weapon_range(element)
    numbers = (
        NUMBER_PATTERN.search(translate(without_choices(reach).text)) if reach.parts else None for reach in reaches
    )
    return str(strength(element)), *(match[0] if match else DASH for match in numbers)


LIST = Stats((_("Strength"), _("Move"), _("Range")), _list_values)
"""The numbers of a stand in columns of the roster."""

SHEETS = (
    ROSTER._replace(draw=partial(roster_list, stats=LIST)),
    Sheet(
        "record",
        _("Army record"),
        _("Strength boxes of each stand in sets of three; army morale, generals, rounds."),
        record,
        panels=frozenset({MORALE, MORALE_BY_ARMY}),
    ),
    Sheet(
        "labels",
        _("Stand labels"),
        _("Stands from above to cut out, and labels for the rear of bases of 20 to 60 mm."),
        labels,
        never,
        cut_out=True,
    ),
    Sheet(
        "cards",
        _("Stand cards"),
        _("One card for identical stands, to cut out; rules on the back."),
        cards,
        never,
        cut_out=True,
    ),
    Sheet(
        "standees",
        _("Standees"),
        _("Stands to cut out and fold, as wide as their bases. They replace models."),
        standees,
        never,
        cut_out=True,
    ),
    REFERENCE,
    MARKERS,
)
