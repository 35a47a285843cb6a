"""The sheets of URUTSK minis: the detachment sheet, the tables, and cards."""

from rosters.core.messages import _
from rosters.pdf.cards import CHOICES
from rosters.pdf.job import Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.systems.urutsk.sheets.cards import cards
from rosters.systems.urutsk.sheets.record import record
from rosters.systems.urutsk.sheets.tables import dice_tables

__all__ = ["CHOICES", "SHEETS"]

SHEETS = (
    ROSTER,
    Sheet("record", _("Detachment sheet"), _("Fate, ammunition, command and wounds of every figure."), record),
    Sheet("tables", _("Tables"), _("Ranges, fire, melee, charges and wounds on one page."), dice_tables, shared=True),
    Sheet("cards", _("Cards"), _("Scores, Fate and states, to cut out; words on the back."), cards, never),
    REFERENCE._replace(pack=never),
)
