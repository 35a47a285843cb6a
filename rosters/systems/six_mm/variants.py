"""What a fairness report varies of a stand of 6MM."""

from rosters.core.variants import Varied
from rosters.systems.six_mm.tables import ARMOUR, QUALITY

VARIED = Varied(
    steps={},
    ladders={"quality": tuple(QUALITY), "armour": tuple(ARMOUR)},
    removed=("general", "elephant", "guided"),
)
