"""How an element can be changed a little within the rules of its game."""

import pytest

from rosters import registry
from rosters.core.variants import changes_of
from tests.support import roster_data

STEPS = [  # an element at the ends of what the rules allow, and the steps that are left
    ("msc", {"engine": 5, "shield": 1, "to_hit": 0}, "engine-1 shield+1 to_hit+1"),
    ("msc", {"engine": 6, "shield": 5, "to_hit": -1}, "engine-1 shield-1 to_hit+1"),
    (
        *("mini-combat", {"movement": 3, "to_hit": 0, "save": 1, "morale": 7}),
        "movement+5 movement-5 to_hit+1 range+5 save+1 power+1 armor+1 morale-1",
    ),
    ("urutsk", {"ranged": 1}, "ranged+1 ranged-1 close+1 weapon_ability+1 fate+1"),
]


@pytest.mark.parametrize(("slug", "profile", "steps"), STEPS)
def test_variants_stay_within_the_rules(slug, profile, steps):
    elements = registry.read(roster_data(slug, [profile])).elements
    changes = changes_of(elements, registry.SYSTEMS[slug].varied)
    assert " ".join(f"{each.field}{each.step:+}" for each in changes if each.step) == steps
