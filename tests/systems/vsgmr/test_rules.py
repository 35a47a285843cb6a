"""VSGMR: prices, findings, scenarios, words and refusals, worked by hand from the rulebook's sections IV to VIII."""

from fractions import Fraction

from rosters.core.findings import SHARED_FINDINGS
from rosters.core.rulebook import Terms
from rosters.systems.vsgmr.rules import (
    FINDINGS,
    POWERS,
    SCENARIOS,
    SIZES,
    TRAITS,
    Options,
    Profile,
    describe,
    glossary,
    price,
)
from tests.support import appraise, codes, refused, roster

HALF = Fraction(1, 2)
FIGURE = "formations/0/elements/0"
TERMS = Terms(Options(), None, None)
BOSS = {"kind": "hero", "commander": True}
"""A hero commander: the least that makes a force legal. Two points."""


def figure(kind, *traits, **profile):
    return {"kind": kind, "traits": list(traits), **profile}


def receipt(profile):
    return price(Profile.model_validate(profile), TERMS)


def points(profile):
    return receipt(profile).each


def labels(profile):
    return [step.label for step in receipt(profile).steps]


def force(*figures, **root):
    return roster("vsgmr", figures, **root)


def force_codes(*figures, **root):
    return codes(force(*figures, **root), "")


def figure_codes(profile):
    return codes(force(profile, BOSS), FIGURE)


# ---------------------------------------------------------------- tables

KIND_PRICES = {  # kind: bare, with light and with heavy armor, the same as commander in heavy armor
    "mook": (HALF, 1 + HALF, 2 + HALF, 2 + HALF),
    "troop": (1, 2, 3, 3),
    "hero": (2, 3, 4, 2),
    "cavalry": (2, 2, 3, 3),
    "vehicle": (3, 3, 4, 4),
}
COMMANDERS = [
    (figure("hero", commander=True), 2),
    (figure("hero", commander=True, armor="light"), 2),
    (figure("hero", commander=True, armor="mithril"), 2),
    (figure("troop", commander=True), 1),
    (figure("troop", commander=True, armor="light"), 2),
]
TRAIT_CODES = [
    "area-effect-attack",
    "cause-fear",
    "combat-master",
    "disable",
    "double-strike",
    "flight",
    "ignores-armor",
    "independent",
    "inspiration",
    "recruit",
    "revenge",
    "sharpshooter",
    "sniper",
    "stealth",
    "summon",
    "support",
    "tough",
]
NAMED_TRAITS = [(code, code.replace("-", " ").title()) for code in TRAIT_CODES]
PRICED_POWERS = [  # power, name, points at minor, major and superior
    ("super-armor", "Super-Armor", (3, 4, 5)),
    ("super-blast", "Super-Blast", (2, 3, 4)),
    ("super-fight", "Super-Fight", (2, 3, 4)),
    ("super-move", "Super-Move", (2, 3, 4)),
    ("super-skill", "Super-Skill", (1, 2, 3)),
]
TIERS = [("minor", 8), ("major", 10), ("superior", 12)]
NOT_PRICED = [
    (figure("wizard", "tough", distance=True, armor="heavy", powers={"super-move": "minor"}), 0),
    (figure("troop", armor="mithril"), 1),
    (figure("vehicle", armor="mithril"), 3),
    (figure("troop", automatic_fire=True), 1),
    (figure("troop", "juggling"), 1),
    (figure("hero", "independent"), 2),
    (figure("hero", "independent", "tough", "independent"), 4),
    (figure("troop", powers={"super-nap": "minor"}), 1),
    (figure("troop", powers={"super-move": "cosmic"}), 1),
    (figure("vehicle", powers={"super-skill": "superior"}), 3),
    (figure("cavalry", powers={"super-skill": "minor", "super-move": "minor"}), 4),
]
TWICE = [
    (figure("troop", "stealth", "stealth"), 5),
    (figure("troop", "stealth", "stealth", "stealth"), 7),
    (figure("troop", "combat-master", "weapon-master"), 5),
    (figure("troop", "weapon-master", "weapon-master"), 5),
]

CLEAN = [  # near misses: none of these gives any finding of its own
    figure("mook"),
    figure("hero", commander=True),
    figure("hero", commander=True, armor="light"),
    figure("hero", "tough", commander=True, powers={"super-armor": "minor"}),
    figure("cavalry", "tough", powers={"super-armor": "major"}),
    figure("vehicle", "tough", armor="light"),
    figure("troop", "tough", armor="light", powers={"super-armor": "major"}),
    figure("troop", distance=True, automatic_fire=True),
    figure("troop", "sharpshooter", "sniper", "area-effect-attack", distance=True),
    figure("troop", distance=True, powers={"super-blast": "superior"}),
    figure("cavalry", "independent"),
    figure("vehicle", "independent", powers={"super-move": "minor"}),
    figure("mook", powers={"super-skill": "minor"}),
    figure("troop", "combat-master", "double-strike", powers={"super-fight": "minor"}),
    *[figure("troop", "support", support=roll) for roll in ("distance", "hand-to-hand", "armor", "skill")],
    figure("troop", support="skill"),
    figure("troop", large=True),
]
FAULTY = [  # profile, its findings in alphabetical order
    # kind, and nothing else is said of an unknown one
    (figure("wizard"), ["unknown-kind"]),
    (figure("Hero"), ["unknown-kind"]),
    (
        figure("wizard", "juggling", "tough", "tough", commander=True, armor="silk", automatic_fire=True),
        ["unknown-kind"],
    ),
    # the commander
    (figure("cavalry", commander=True), ["commander-must-be-guy"]),
    (figure("vehicle", "independent", commander=True), ["commander-must-be-guy"]),
    (figure("mook", commander=True), ["mook-commander"]),
    (figure("troop", commander=True), ["troop-commander"]),
    # armor and automatic fire
    (figure("troop", armor="mithril"), ["unknown-armor"]),
    (figure("vehicle", armor="Heavy"), ["unknown-armor"]),
    (figure("troop", automatic_fire=True), ["automatic-fire-without-distance"]),
    (figure("vehicle", automatic_fire=True), ["automatic-fire-without-distance"]),
    # traits
    (figure("troop", "juggling"), ["unknown-trait"]),
    (figure("troop", "stealth", "flight", "stealth"), ["duplicate-trait"]),
    (figure("troop", "stealth", "stealth", "stealth"), ["duplicate-trait"]),
    (figure("troop", "weapon-master"), ["trait-alias"]),
    (figure("troop", "weapon-master", "combat-master"), ["duplicate-trait", "trait-alias"]),
    (figure("troop", "weapon-master", "weapon-master"), ["duplicate-trait", "trait-alias"]),
    (figure("mook", "independent"), ["independent-guy"]),
    (figure("troop", "independent"), ["independent-guy"]),
    (figure("hero", "independent"), ["independent-guy"]),
    (figure("hero", "independent", "independent"), ["duplicate-trait", "independent-guy"]),
    (figure("troop", "sharpshooter"), ["trait-needs-distance"]),
    (figure("vehicle", "sniper"), ["trait-needs-distance"]),
    (figure("cavalry", "area-effect-attack"), ["trait-needs-distance"]),
    (figure("hero", "sniper", "sharpshooter"), ["trait-needs-distance", "trait-needs-distance"]),
    (figure("hero", "tough"), ["trait-needs-armor"]),
    (figure("troop", "tough", commander=True), ["trait-needs-armor", "troop-commander"]),
    (figure("troop", "tough", armor="mithril"), ["trait-needs-armor", "unknown-armor"]),
    (figure("vehicle", "support"), ["support-roll-not-chosen"]),
    # powers
    (figure("troop", powers={"super-nap": "minor"}), ["unknown-power"]),
    (figure("troop", powers={"super-move": "cosmic"}), ["unknown-power"]),
    (figure("vehicle", powers={"super-skill": "cosmic"}), ["unknown-power"]),
    (figure("cavalry", powers={"super-skill": "minor"}), ["super-skill-only-guys"]),
    (figure("vehicle", powers={"super-skill": "superior"}), ["super-skill-only-guys"]),
    (figure("hero", powers={"super-armor": "minor"}), ["power-needs-armor"]),
    (figure("vehicle", powers={"super-blast": "major"}), ["power-needs-distance"]),
]
GOOD_FORCES = [
    [BOSS],
    [{"kind": "hero", "commander": True, "quantity": 1}, {"kind": "hero", "quantity": 4}],
    [BOSS, figure("cavalry")],
    [BOSS, figure("mook"), figure("troop"), figure("cavalry", quantity=2), figure("vehicle")],
    [BOSS, figure("vehicle", "independent", quantity=9)],
    [BOSS, figure("troop", quantity=3), figure("mook", quantity=3)],
    [BOSS, figure("troop", commander=True, quantity=0)],
    [BOSS, figure("cavalry", quantity=0), figure("vehicle")],
    [BOSS, figure("wizard", commander=True, quantity=5)],
]
BAD_FORCES = [
    ([], ["no-commander"]),
    ([figure("hero", quantity=3)], ["no-commander"]),
    ([figure("hero", commander=True, quantity=0)], ["no-commander"]),
    ([figure("wizard", commander=True)], ["no-commander"]),
    ([BOSS, BOSS], ["several-commanders"]),
    ([figure("hero", commander=True, quantity=2)], ["several-commanders"]),
    ([BOSS, figure("vehicle", commander=True)], ["several-commanders"]),
    ([BOSS, figure("troop"), figure("mook", commander=True)], ["several-commanders"]),
    ([BOSS, figure("cavalry"), figure("vehicle")], ["mount-without-rider"]),
    ([BOSS, figure("cavalry", quantity=2, large=True)], ["mount-without-rider"]),
    ([BOSS, figure("wizard"), figure("cavalry", quantity=2)], ["mount-without-rider"]),
    ([BOSS, figure("mook")], ["mooks-replace-troops"]),
    ([BOSS, figure("troop", quantity=3), figure("mook", quantity=4)], ["mooks-replace-troops"]),
    ([BOSS, figure("hero", quantity=4), figure("mook", quantity=2)], ["mooks-replace-troops"]),
]
SUGGESTIONS = [  # scenario, side, points within the suggestion, points outside it
    ("basic", None, (25, 40), (24, 41)),
    ("escape", None, (25, 40), (24, 41)),
    ("transport", None, (25, 40), (24, 41)),
    ("spawning", None, (25, 40), (24, 41)),
    ("spawning", "infiltrator", (25, 40), (24, 41)),
    ("spawning", "spawner", (25, 40), (24, 41)),
    ("ambush", None, (2, 25, 100), ()),
    ("ambush", "ambusher", (2, 25), (26, 41)),
    ("ambush", "target", (2, 25, 40), (41,)),
    ("fortress-assault", None, (2, 20, 100), ()),
    ("fortress-assault", "assaulter", (2, 20), (21, 41)),
    ("fortress-assault", "defender", (2, 20, 40), (41,)),
    (None, None, (2, 24, 100), ()),
]
REFUSED = [  # the fields of an element, the path below it
    ({}, "kind"),
    ({"kind": "k" * 61}, "kind"),
    ({"kind": "hero", "armor": True}, "armor"),
    ({"kind": "hero", "traits": ["tough", 2]}, "traits/1"),
    ({"kind": "hero", "support": "luck"}, "support"),
    ({"kind": "hero", "powers": {"super-move": None}}, "powers/super-move"),
    ({"kind": "hero", "marks": [{"fate": 1}]}, "marks/0/fate"),
    ({"kind": "hero", "movement": 6}, "movement"),
]
# ---------------------------------------------------------------- prices


def test_every_kind_and_what_it_carries_has_its_price():
    """A distance attack is 1 more, automatic fire 1 on top of it, and size nothing."""
    for kind, (bare, light, heavy, commander) in KIND_PRICES.items():
        armored = [points(figure(kind, armor=armor)) for armor in (None, "light", "heavy")]
        assert armored == [bare, light, heavy]
        assert points(figure(kind, commander=True, armor="heavy")) == commander
        assert points(figure(kind, distance=True, large=True)) == bare + 1
        assert points(figure(kind, distance=True, automatic_fire=True)) == bare + 2


def test_commanders_odd_values_and_what_is_bought_again_have_their_price():
    assert [row for row in [*COMMANDERS, *NOT_PRICED, *TWICE] if points(row[0]) != row[1]] == []
    found = appraise(force(figure("mook", quantity=3)))
    assert (found.exact, found.points, found.quantity) == (1 + HALF, 1 + HALF, 3)


def test_armor_bought_on_top_of_the_commanders_is_neither_charged_nor_refunded():
    bare, bought = (labels(figure("hero", commander=True, armor=armor)) for armor in (None, "light"))
    assert bare == bought == ["Hero", "Heavy armor, free to a hero commander"]


def test_every_trait_costs_two_points_on_any_figure_that_may_have_it():
    for slug, name in NAMED_TRAITS:
        for kind, base in (("cavalry", 2), ("vehicle", 3), *([("hero", 2)] if slug != "independent" else [])):
            assert points(figure(kind, slug)) == base + 2
            assert labels(figure(kind, slug))[-1] == name


def test_every_super_power_has_its_price_at_each_tier():
    for power, name, prices in PRICED_POWERS:
        for kind in ("mook", "hero", *([] if power == "super-skill" else ["vehicle"])):
            for (tier, _), more in zip(TIERS, prices, strict=True):
                assert points(figure(kind, powers={power: tier})) == points(figure(kind)) + more
                assert labels(figure(kind, powers={power: tier}))[-1] == f"{name}, {tier}"


def test_a_receipt_reads_like_a_shopping_list():
    profile = figure("vehicle", "flight", armor="heavy", distance=True, automatic_fire=True)
    assert receipt(profile).steps == (
        ("Vehicle", "+3", 3),
        ("Distance attack", "+1", 4),
        ("Heavy armor", "+1", 5),
        ("Automatic fire", "+1", 6),
        ("Flight", "+2", 8),
    )


def test_an_alias_keeps_its_name_on_the_receipt_and_says_how_it_is_read():
    assert labels(figure("troop", "weapon-master")) == ["Troop", "Weapon Master (Combat Master)"]


def test_a_force_is_the_sum_of_its_warbands():
    found = appraise(roster("vsgmr", [BOSS, figure("mook", quantity=3)], [figure("vehicle", "independent")]))
    assert [warband.points for warband in found.formations] == [3 + HALF, 5]
    assert (found.points, found.quantity) == (8 + HALF, 5)


# ---------------------------------------------------------------- findings


def test_an_allowed_figure_has_no_finding():
    for profile in CLEAN:
        assert figure_codes(profile) == []


def test_each_fault_of_a_figure_is_found_at_the_figure():
    for profile, expected in FAULTY:
        assert figure_codes(profile) == expected


def test_a_force_with_one_commander_and_riders_enough_has_no_finding():
    for figures in GOOD_FORCES:
        assert force_codes(*figures) == []


def test_each_fault_of_a_force_is_found_at_the_roster():
    for figures, expected in BAD_FORCES:
        assert force_codes(*figures) == expected


def test_commanders_riders_and_mooks_are_counted_over_all_warbands():
    split = [BOSS, figure("cavalry", quantity=2)], [figure("troop"), figure("mook")]
    assert codes(roster("vsgmr", *split)) == []
    assert codes(roster("vsgmr", [BOSS], [BOSS])) == ["several-commanders"]


def test_a_scenario_suggests_points_for_each_side():
    for scenario, side, inside, outside in SUGGESTIONS:
        for total in (*inside, *outside):
            found = force_codes(BOSS, figure("troop", quantity=total - 2), scenario=scenario, side=side)
            assert found == (["outside-suggested-budget"] if total in outside else [])


def test_half_a_point_too_little_is_outside_the_suggestion():
    mooks = figure("mook", quantity=1), figure("troop", quantity=22)
    assert force_codes(BOSS, *mooks, scenario="basic") == ["outside-suggested-budget"]


def test_severities_are_those_of_the_reading():
    warnings = {code for code, meaning in FINDINGS.items() if meaning.severity == "warning"}
    assert warnings == {
        "troop-commander",
        "trait-alias",
        "trait-needs-distance",
        "trait-needs-armor",
        "power-needs-armor",
        "power-needs-distance",
        "support-roll-not-chosen",
        "mooks-replace-troops",
        "outside-suggested-budget",
    }
    assert {meaning.severity for meaning in FINDINGS.values()} == {"error", "warning"}


def test_every_finding_code_is_tried_in_the_tables_above():
    tried = {code for _, found in [*FAULTY, *BAD_FORCES] for code in found} | {"outside-suggested-budget"}
    assert tried == set(FINDINGS)
    assert not set(FINDINGS) & set(SHARED_FINDINGS)


# ---------------------------------------------------------------- scenarios and words


def test_presets_belong_to_a_scenario_and_keep_within_one_of_its_suggestions():
    for size in SIZES:
        highest = [high for _, high in SCENARIOS[size.scenario].suggested.values()]
        assert size.budget <= max(highest)


def test_every_side_has_a_suggestion():
    for scenario in SCENARIOS.values():
        assert set(scenario.sides) <= set(scenario.suggested)


def test_a_figure_is_described_in_one_line():
    rows = [
        (BOSS, "Hero, commander, heavy armor"),
        (figure("mook"), "Mook"),
        (figure("cavalry", "independent", large=True), "Large cavalry, light armor, Independent"),
        (
            figure("troop", "support", support="hand-to-hand", distance=True, automatic_fire=True),
            "Troop, distance attack, automatic fire, Support (hand to hand)",
        ),
        (figure("troop", "support"), "Troop, Support"),
        (figure("hero", "weapon-master"), "Hero, Weapon Master (Combat Master)"),
        (figure("hero", powers={"super-move": "major"}), "Hero, Super-Move (major)"),
        (figure("wizard", "juggling", powers={"super-nap": "long"}), "Wizard, juggling, super-nap (long)"),
    ]
    for profile, expected in rows:
        assert describe(Profile.model_validate(profile), TERMS) == expected


def test_the_reference_rows_hold_the_seventeen_traits_in_order():
    rows = list(TRAITS.values())
    assert [(row.code, row.name) for row in rows] == NAMED_TRAITS
    assert [row.number for row in rows] == list(range(1, 18))
    assert len({row.abbreviation for row in rows}) == 17
    assert all(2 <= len(row.abbreviation) <= 4 and row.text.endswith(".") for row in rows)


def test_the_reference_rows_hold_the_five_powers_at_three_tiers():
    rows = list(POWERS.values())
    assert [(row.power, row.name, row.tier, row.die, row.points) for row in rows] == [
        (power, name, tier, die, price)
        for power, name, prices in PRICED_POWERS
        for (tier, die), price in zip(TIERS, prices, strict=True)
    ]
    assert [row.number for row in rows] == list(range(1, 16))
    assert len({row.abbreviation for row in rows}) == 15
    assert all(row.text.endswith(".") for row in rows)


def test_the_glossary_explains_every_trait_and_power_once():
    entries = list(glossary())
    assert len(entries) == len({entry.code for entry in entries}) == 17 + 15
    assert entries[17].code == "super-armor-minor"


# ---------------------------------------------------------------- reading


def test_impossible_values_are_refused_at_their_path():
    for fields, path in REFUSED:
        assert refused(force(fields)) == [f"{FIGURE}/{path}"]


def test_ten_thousand_traits_are_read_and_priced_in_one_pass():
    crowded = figure("hero", *["tough", "stealth"] * 5_000, commander=True)
    assert points(crowded) == 2 + 20_000
    assert codes(force(crowded)) == ["duplicate-trait", "duplicate-trait"]
