"""What a fairness report varies of a ship of Minimal Space Combat."""

from rosters.core.variants import Varied

VARIED = Varied(steps={"engine": 1, "shield": 1, "to_hit": 1}, removed=("weapons",))
