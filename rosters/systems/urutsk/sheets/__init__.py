"""The sheets of URUTSK minis: the detachment sheet, the tables, and cards."""

from functools import partial

from rosters.core.messages import _
from rosters.pdf import battle_sheet
from rosters.pdf import cards as kit
from rosters.pdf import standees as standee_kit
from rosters.pdf.job import Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, roster_list
from rosters.systems.urutsk.play import ROUND
from rosters.systems.urutsk.sheets.cards import cards
from rosters.systems.urutsk.sheets.markers import MARKERS
from rosters.systems.urutsk.sheets.record import record
from rosters.systems.urutsk.sheets.standees import standees
from rosters.systems.urutsk.sheets.tables import dice_tables
from rosters.systems.urutsk.sheets.words import LIST

CHOICES = {**kit.CHOICES, **standee_kit.CHOICES, **battle_sheet.CHOICES}

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
        "standees", _("Standees"), _("Figures to cut out and fold, for want of models."), standees, never, cut_out=True
    ),
    REFERENCE._replace(pack=never),
    MARKERS,
)
