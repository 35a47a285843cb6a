"""What a fairness report varies of a ship of Minimal Space Combat."""

from rosters.core.variants import VariedFields

VARIED_FIELDS = VariedFields(steps={"engine": 1, "shield": 1, "to_hit": 1}, removed=("weapons",))
