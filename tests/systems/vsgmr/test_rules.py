"""VSGMR: prices, findings, scenarios and reference lists, worked by hand from the rulebook's sections IV to VIII."""

from fractions import Fraction

from rosters.core.rulebook import Terms
from rosters.systems.vsgmr import rules
from rosters.systems.vsgmr.rules import FINDINGS, POWERS, SCENARIOS, TRAITS, Options, Profile, describe, price
from tests.support import FIXTURES, HERE, appraise, army, codes, roster

HALF = Fraction(1, 2)
TERMS = Terms(Options(), None, None)
BOSS = {"kind": "hero", "commander": True}
"""A hero commander: the least that makes a roster legal. Two points."""


def figure(kind, *traits, **profile):
    return {"kind": kind, "traits": [*traits], **profile}


def receipt(profile):
    return price(Profile.model_validate(profile), TERMS)


def points(profile):
    return receipt(profile).each


def warband(*figures, **root):
    return roster("vsgmr", figures, **root)


KIND_PRICES = {  # kind: bare, in light and in heavy armor, a commander in heavy armor
    "mook": (HALF, 1 + HALF, 2 + HALF, 2 + HALF),
    "troop": (1, 2, 3, 3),
    "hero": (2, 3, 4, 2),
    "cavalry": (2, 2, 3, 3),
    "vehicle": (3, 3, 4, 4),
}
TRAIT_CODES = [
    "area-effect-attack", "cause-fear", "combat-master", "disable", "double-strike", "flight",
    "ignores-armor", "independent", "inspiration", "recruit", "revenge",
    "sharpshooter", "sniper", "stealth", "summon", "support", "tough",
]  # fmt: skip
POWER_PRICES = {  # points at minor, major and superior
    "super-armor": (3, 4, 5),
    "super-blast": (2, 3, 4),
    "super-fight": (2, 3, 4),
    "super-move": (2, 3, 4),
    "super-skill": (1, 2, 3),
}
TIERS = {"minor": 8, "major": 10, "superior": 12}
PRICES = [
    # commanders: heavy armor is free to a hero, and what is bought on top of it is neither charged nor refunded
    *((figure("hero", commander=True, armor=armor), 2) for armor in (None, "light", "mithril")),
    *((figure("troop", commander=True), 1), (figure("troop", commander=True, armor="light"), 2)),
    # not priced
    (figure("wizard", "tough", distance=True, armor="heavy", powers={"super-move": "minor"}), 0),
    *((figure("troop", armor="mithril"), 1), (figure("vehicle", armor="mithril"), 3)),
    *((figure("troop", automatic_fire=True), 1), (figure("troop", "juggling"), 1)),
    (figure("hero", "independent", "tough", "independent"), 4),
    (figure("troop", powers={"super-nap": "minor", "super-move": "cosmic"}), 1),
    (figure("vehicle", powers={"super-skill": "superior"}), 3),
    (figure("cavalry", powers={"super-skill": "minor", "super-move": "minor"}), 4),
    # every copy is priced
    (figure("troop", "combat-master", "weapon-master", "weapon-master"), 7),
    (figure("hero", *["tough", "stealth"] * 5_000, commander=True), 2 + 20_000),
]


LEGAL = [  # figures without findings
    *(figure("mook"), figure("hero", commander=True, armor="light")),
    figure("hero", "tough", commander=True, powers={"super-armor": "minor"}),
    figure("cavalry", "tough", powers={"super-armor": "major"}),
    figure("troop", "tough", armor="light", powers={"super-armor": "major"}),
    figure("troop", "sharpshooter", "sniper", "area-effect-attack", distance=True, automatic_fire=True),
    figure("mook", distance=True, powers={"super-blast": "superior", "super-skill": "minor"}),
    figure("vehicle", "independent", powers={"super-move": "minor"}),
    figure("troop", "combat-master", "double-strike", powers={"super-fight": "minor"}),
    *(figure("troop", "support", support=roll) for roll in ("distance", "hand-to-hand", "armor", "skill")),
    figure("troop", support="skill", large=True),
]
BROKEN = {  # findings in alphabetical order, and figures that have them
    # kind: the only finding about an unknown one
    "unknown-kind": [
        figure("Hero"),
        figure("wizard", "juggling", "tough", "tough", commander=True, armor="silk", automatic_fire=True),
    ],
    "commander-must-be-guy": [figure("cavalry", commander=True), figure("vehicle", "independent", commander=True)],
    "mook-commander": [figure("mook", commander=True)],
    "troop-commander": [figure("troop", commander=True)],
    "unknown-armor": [figure("troop", armor="mithril")],
    "automatic-fire-without-distance": [figure("vehicle", automatic_fire=True)],
    "unknown-trait": [figure("troop", "juggling")],
    "duplicate-trait": [figure("troop", "stealth", "flight", "stealth")],
    "duplicate-trait trait-alias": [figure("troop", "weapon-master", "combat-master")],
    "trait-alias": [figure("troop", "weapon-master")],
    "independent-guy": [figure(kind, "independent") for kind in ("mook", "troop", "hero")],
    "trait-needs-distance": [figure("troop", "sharpshooter"), figure("cavalry", "area-effect-attack")],
    "trait-needs-distance trait-needs-distance": [figure("vehicle", "sniper", "sharpshooter")],
    "trait-needs-armor": [figure("hero", "tough")],
    "trait-needs-armor troop-commander": [figure("troop", "tough", commander=True)],
    "trait-needs-armor unknown-armor": [figure("troop", "tough", armor="mithril")],
    "support-roll-not-chosen": [figure("vehicle", "support")],
    "unknown-power": [
        *(figure("troop", powers={"super-nap": "minor"}), figure("vehicle", powers={"super-skill": "cosmic"})),
    ],
    "super-skill-only-guys": [figure("vehicle", powers={"super-skill": "superior"})],
    "power-needs-armor": [figure("hero", powers={"super-armor": "minor"})],
    "power-needs-distance": [figure("vehicle", powers={"super-blast": "major"})],
}


MOUNTS, HORSE = figure("cavalry", quantity=2), figure("cavalry")
ROSTERS = {  # finding at the roster: figures that have it, "" for none
    "": [
        *([BOSS], [BOSS, figure("vehicle", "independent", quantity=9)]),
        [BOSS, figure("wizard", commander=True, quantity=5)],
        [BOSS, figure("mook"), figure("troop"), MOUNTS, figure("vehicle")],
        [BOSS, figure("troop", quantity=3), figure("mook", quantity=3)],
        [BOSS, figure("troop", commander=True, quantity=0), figure("cavalry", quantity=0), figure("vehicle")],
    ],
    "no-commander": [[], [figure("hero", quantity=3)], [{**BOSS, "quantity": 0}]],
    "several-commanders": [
        *([BOSS, BOSS], [{**BOSS, "quantity": 2}], [BOSS, figure("vehicle", commander=True)]),
        [BOSS, figure("troop"), figure("mook", commander=True)],
    ],
    "mount-without-rider": [
        *([BOSS, HORSE, figure("vehicle")], [BOSS, {**MOUNTS, "large": True}], [BOSS, figure("wizard"), MOUNTS]),
    ],
    "mooks-replace-troops": [
        *([BOSS, figure("mook")], [BOSS, figure("troop", quantity=3), figure("mook", quantity=4)]),
        [BOSS, figure("hero", quantity=4), figure("mook", quantity=2)],
    ],
}

PLAYER = (25, 40), (24, 24 + HALF, 41)

SUGGESTIONS = [  # scenario, side, points within the suggestion, points outside it
    *((scenario, None, *PLAYER) for scenario in ("basic", "escape", "transport", "spawning")),
    *(("spawning", side, *PLAYER) for side in ("infiltrator", "spawner")),
    *((None, None, (2, 24, 100), ()), ("ambush", None, (2, 25, 100), ()), ("ambush", "target", (2, 25, 40), (41,))),
    ("ambush", "ambusher", (2, 25), (25 + HALF, 41)),
    *(("fortress-assault", None, (2, 20, 100), ()), ("fortress-assault", "assaulter", (2, 20), (21, 41))),
    ("fortress-assault", "defender", (2, 20, 40), (41,)),
]

WARNINGS = {
    "troop-commander", "trait-alias", "trait-needs-distance", "trait-needs-armor", "power-needs-armor",
    "power-needs-distance", "support-roll-not-chosen", "mooks-replace-troops", "outside-suggested-budget",
}  # fmt: skip
ARMIES = {  # section VII: the number of figures and the printed points of each line
    "medieval-infantry": [(1, 2), (1, 5), (8, 16)],
    "dwarves": [(1, 4), (1, 6), (3, 18)],
    "elves": [(1, 7), (2, 10), (4, 8)],
    "orcs": [(1, 4), (2, 12), (4, 8)],
    "undead": [(1, 6), (2, 4), (1, 2), (1, 1), (1, 7), (5, 5)],
    "fantasy-adventurers": [(1, 6), (1, 5), (1, 6), (1, 5), (1, 5)],
    "wild-west-bandit-gang": [(1, 5), (3, 9), (4, 8)],
    "zombie-horde": [(1, 4), (2, 6), (10, 10)],
    "horror-film-survivors": [(1, 5), (1, 6), (1, 3), (1, 5)],
    "modern-infantry": [(1, 4), (2, 8), (1, 8), (1, 4)],
    "justice-team": [(1, 18), (1, 14), (1, 10)],
    "mightiest-heroes": [(1, 9), (1, 14), (1, 15)],
    "star-soldiers": [(1, 10), (1, 12), (1, 14)],
    "bug-aliens": [(1, 6), (1, 7), (6, 24)],
}
ARMY_WARNINGS = {"dwarves": ["trait-needs-armor"], "orcs": ["trait-alias"]}
"""The Runepriest buys Tough without armor, and the Warlord has Weapon Master."""


def test_a_distance_attack_and_automatic_fire_cost_a_point_each_and_size_nothing():
    for kind, (bare, light, heavy, commander) in KIND_PRICES.items():
        assert [points(figure(kind, armor=armor)) for armor in (None, "light", "heavy")] == [bare, light, heavy]
        assert points(figure(kind, commander=True, armor="heavy")) == commander
        assert points(figure(kind, distance=True, large=True)) == bare + 1
        assert points(figure(kind, distance=True, automatic_fire=True)) == bare + 2


def test_traits_cost_two_points_and_powers_by_tier_on_any_figure_that_can_have_them():
    for code in TRAIT_CODES:
        kinds = ["cavalry", "vehicle"] if code == "independent" else KIND_PRICES
        assert {points(figure(kind, code)) - KIND_PRICES[kind][0] for kind in kinds} == {2}
    for power, prices in POWER_PRICES.items():
        for kind in ("mook", "troop", "hero") if power == "super-skill" else KIND_PRICES:
            more = tuple(points(figure(kind, powers={power: tier})) - KIND_PRICES[kind][0] for tier in TIERS)
            assert more == prices


def test_odd_figures_have_their_price_and_a_receipt_a_step_for_each_choice():
    assert [row for row in PRICES if points(row[0]) != row[1]] == []
    steps = receipt(figure("vehicle", "flight", armor="heavy", distance=True, automatic_fire=True)).steps
    assert [(step.change, step.subtotal) for step in steps] == [("+3", 3), ("+1", 4), ("+1", 5), ("+1", 6), ("+2", 8)]


def test_a_roster_is_the_sum_of_its_warbands_and_keeps_half_points():
    found = appraise(roster("vsgmr", [BOSS, figure("mook", quantity=3)], [figure("vehicle", "independent")]))
    assert [band.points for band in found.formations] == [3 + HALF, 5]
    assert (found.points, found.exact, found.quantity) == (8 + HALF, 8 + HALF, 5)


def test_a_figure_has_the_findings_of_the_clauses_that_it_breaks():
    for expected, every in {"": LEGAL, **BROKEN}.items():
        assert [each for each in every if codes(warband(each, BOSS), HERE) != expected.split()] == [], expected
    tried = {code for expected in (*BROKEN, *ROSTERS) for code in expected.split()} | {"outside-suggested-budget"}
    assert tried == set(FINDINGS)
    severities = {code: "warning" if code in WARNINGS else "error" for code in tried}
    assert {code: meaning.severity for code, meaning in FINDINGS.items()} == severities


def test_a_roster_has_the_findings_of_its_figures_on_the_table_over_all_warbands():
    for expected, every in ROSTERS.items():
        assert [each for each in every if codes(warband(*each), "") != expected.split()] == [], expected
    assert codes(roster("vsgmr", [BOSS, MOUNTS], [figure("troop"), figure("mook")])) == []
    assert codes(roster("vsgmr", [BOSS], [BOSS])) == ["several-commanders"]


def test_a_scenario_suggests_points_for_each_side():
    for scenario, side, inside, outside in SUGGESTIONS:
        for total in (*inside, *outside):
            mooks = int(2 * (total % 1))
            figures = BOSS, figure("troop", quantity=int(total - 2)), figure("mook", quantity=mooks)
            expected = ["outside-suggested-budget"] if total in outside else []
            assert codes(warband(*figures, scenario=scenario, side=side), "") == expected


def test_sizes_are_within_a_suggestion_and_every_side_has_one():
    assert all(
        size.budget <= max(high for _, high in SCENARIOS[size.scenario].suggested.values()) for size in rules.SIZES
    )
    assert all({*scenario.sides} <= {*scenario.suggested} for scenario in SCENARIOS.values())


def test_a_description_names_all_that_a_figure_has():
    rows = [
        (figure("cavalry", "independent", large=True), "Cavalry, large, light armor, Independent"),
        (
            figure("hero", "support", "weapon-master", support="armor", distance=True, automatic_fire=True),
            "Hero, distance attack, automatic fire, Support (armor rolls), Weapon Master (Combat Master)",
        ),
        (
            figure("wizard", "juggling", commander=True, powers={"nap": "long", "super-move": "major"}),
            "wizard, commander, juggling, Super-Move (major), nap (long)",
        ),
    ]
    assert [describe(Profile.model_validate(profile), TERMS) for profile, _ in rows] == [text for _, text in rows]


def test_the_reference_lists_are_those_of_the_rulebook():
    assert [(row.code, row.number) for row in TRAITS.values()] == [(c, n) for n, c in enumerate(TRAIT_CODES, 1)]
    assert [(row.power, row.tier, row.die, row.points) for row in POWERS.values()] == [
        (power, tier, die, price)
        for power, prices in POWER_PRICES.items()
        for (tier, die), price in zip(TIERS.items(), prices, strict=True)
    ]
    assert [row.number for row in POWERS.values()] == [*range(1, 16)]
    names = [*TRAITS.values(), *POWERS.values()]
    assert len({row.abbreviation for row in names}) == len(names) == len([*rules.glossary()]) == 32
    assert all(row.text.endswith(".") for row in names)


def test_every_line_of_a_sample_army_costs_what_the_rulebook_prints():
    assert {path.stem for path in (FIXTURES / "armies" / "vsgmr").glob("*.json")} == {*ARMIES}
    for slug, lines in ARMIES.items():
        data = army("vsgmr", slug)
        found = appraise(data)
        assert [(line.quantity, line.points) for line in found.formations[0].elements] == lines
        assert [finding.code for finding in found.findings] == ARMY_WARNINGS.get(slug, [])
        assert data["scenario"] == ("basic" if 25 <= found.points <= 40 else None)
