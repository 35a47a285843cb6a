"""What a fairness report varies of a figure of VSGMR."""

from rosters.core.variants import Varied

VARIED = Varied(
    steps={},
    ladders={"armor": (None, "light", "heavy")},
    removed=("distance", "automatic_fire", "traits", "powers"),
)
