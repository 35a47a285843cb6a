"""The rules of 6MM for a roster as a whole: one general, and stands in sets of three (sections 2.1 and 5)."""

from rosters.core.forces import ForceRule
from rosters.systems.six_mm.rules import SET
from rosters.systems.six_mm.tables import PURCHASES

RULES = (
    ForceRule("no-general", lambda stand: int(stand.general is not None), minimum=1, by_choice=True),
    ForceRule("several-generals", lambda stand: int(stand.general is not None), maximum=1),
    ForceRule("last-set-short", lambda stand: int(stand.type not in PURCHASES), multiple=SET),
)
