"""What a fairness report varies of a figure of URUTSK."""

from rosters.core.values import MAX_INTEGER
from rosters.core.variants import VariedFields

VARIED_FIELDS = VariedFields(
    steps={"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 1},
    ranges={"fate": (1, MAX_INTEGER)},
    removed=("fire",),
)
