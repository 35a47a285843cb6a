"""What a fairness report varies of a figure of VSGMR."""

from rosters.core.variants import VariedFields

VARIED_FIELDS = VariedFields(
    steps={},
    ordered={"armor": (None, "light", "heavy")},
    removed=("distance", "automatic_fire", "traits", "powers"),
)
