"""What a fairness report varies of a ship of Minimal Space Combat."""

from rosters.core.variants import VariedFields
from rosters.systems.msc.rules import MAX_STAT

VARIED_FIELDS = VariedFields(
    steps={"engine": 1, "shield": 1, "to_hit": 1},
    ranges={"engine": (0, MAX_STAT), "shield": (1, MAX_STAT), "to_hit": (0, MAX_STAT)},
    removed=("weapons",),
)
