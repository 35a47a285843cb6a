"""What a fairness report varies of a stand of 6MM."""

from rosters.core.variants import VariedFields
from rosters.systems.six_mm.tables import ARMOUR, QUALITY

VARIED_FIELDS = VariedFields(
    steps={},
    ordered={"quality": tuple(QUALITY), "armour": tuple(ARMOUR)},
    removed=("general", "elephant", "guided"),
)
