"""What a fairness report varies of an element of Mini Combat."""

from rosters.core.variants import VariedFields
from rosters.systems.mini_combat.grid import TARGETS

VARIED_FIELDS = VariedFields(
    steps={"movement": 5, "to_hit": 1, "range": 5, "save": 1, "power": 1, "armor": 1, "morale": 1},
    targets=TARGETS,
    ranges={"to_hit": (0, 7), "save": (1, 7), "morale": (1, 7)},
    removed=("capabilities",),
)
