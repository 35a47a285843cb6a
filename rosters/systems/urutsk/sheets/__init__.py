"""The sheets of URUTSK minis: the detachment sheet, the tables, and cards."""

from functools import partial

from rosters.core.amounts import with_minus_sign
from rosters.core.messages import Message, _, join
from rosters.pdf import battle_sheet
from rosters.pdf import cards as kit
from rosters.pdf import standees as standee_kit
from rosters.pdf.job import Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, Stats, roster_list
from rosters.systems.urutsk.play import ROUND
from rosters.systems.urutsk.rules import Element
from rosters.systems.urutsk.sheets.cards import cards
from rosters.systems.urutsk.sheets.markers import MARKERS
from rosters.systems.urutsk.sheets.record import record
from rosters.systems.urutsk.sheets.standees import standees
from rosters.systems.urutsk.sheets.tables import dice_tables
from rosters.systems.urutsk.sheets.texts import SCORES, weapon_text

CHOICES = {**kit.CHOICES, **standee_kit.CHOICES, **battle_sheet.CHOICES}


def _list_values(element: Element) -> tuple[str, ...]:
    """The scores of a figure and its Fate."""
    return tuple(with_minus_sign(str(getattr(element, field))) for field in (*(each[0] for each in SCORES), "fate"))


def _list_words(element: Element) -> Message:
    """What a list says of a figure beside its scores."""
    return join(filter(None, (weapon_text(element), _("command-capable") if element.command else "")), " · ")


LIST = Stats((_("Ranged"), _("Close"), _("Weapon"), _("Fate")), _list_values, _list_words)
"""The scores in columns of the roster."""

SHEETS = (
    ROSTER._replace(draw=partial(roster_list, stats=LIST)),
    Sheet("record", _("Detachment sheet"), _("Fate, ammunition, command and wounds of every figure."), record),
    Sheet(
        "tables",
        _("Tables"),
        _("Ranges, fire, melee, charges and wounds on one page."),
        dice_tables,
        shared=True,
        fill_in=True,
        panels=frozenset({ROUND.title}),
    ),
    Sheet(
        "cards", _("Cards"), _("Scores, Fate and states, to cut out; words on the back."), cards, never, cut_out=True
    ),
    Sheet(
        "standees", _("Standees"), _("Figures to cut out and fold. They replace models."), standees, never, cut_out=True
    ),
    REFERENCE._replace(pack=never),
    MARKERS,
)
