"""Minimal Space Combat: worked by hand from rules 2 and 3, the strategic game and the solo rules."""

import re

from rosters.core import documents
from rosters.core.rulebook import Terms
from rosters.systems.msc import rules, tables
from tests.support import FIXTURES, appraise, codes, refused, roster

ARMIES = FIXTURES / "armies" / "msc"


def ship(engine=3, shield=3, to_hit=3, weapons="F FL FR", **more):
    return {"name": "Ship", "engine": engine, "shield": shield, "to_hit": to_hit, "weapons": weapons.split(), **more}


PLAIN = ship(name="Plain")
"""15 BP and nothing to say about it: the first design of the rulebook."""

PRICES = [
    # ENGINE, SHIELD, TO-HIT, weapons: BP, of them offensive and defensive
    ((3, 3, 3, "F FL FR"), 15, 9, 3),  # the three designs of the rulebook
    ((2, 4, 3, "F FL FR"), 15, 9, 4),
    ((4, 4, 5, "F"), 15, 7, 4),
    ((5, 5, 5, "F FL FR RL RR"), 25, 15, 5),  # the largest: 15 + 5 × 2
    ((0, 0, 0, ""), 0, 0, 0),
    ((5, 1, 2, "F"), 10, 4, 1),
    ((2, 5, 3, "F FL FR RL RR"), 20, 13, 5),
    # priced as written, though not allowed
    ((9, 1, 1, ""), 11, 1, 1),
    ((-2, 1, -1, "F"), 0, 1, 1),
    ((1, 1, 1, "R"), 5, 3, 1),
    ((1, 1, 1, "F F F"), 9, 7, 1),
    ((1, 1, 1, "Q"), 5, 3, 1),
]

FOUND = [
    # a ship that breaks one clause, and what is said about it in a tactical game
    (ship(6, 3, 3, "F FL FR"), ["engine-range", "unusual-size"]),
    (ship(-1, 5, 5, "F FL FR"), ["engine-range"]),
    (ship(2, 6, 3, "F FL"), ["shield-range"]),
    (ship(5, -1, 5, "F FL FR"), ["shield-range"]),
    (ship(2, 3, 6, "F FL"), ["to-hit-range"]),
    (ship(5, 5, -1, "F FL FR"), ["to-hit-range"]),
    (ship(4, 0, 5, "F FL FR"), ["no-shield"]),
    (ship(3, 3, 3, "F FL R"), ["weapon-in-rear"]),
    (ship(3, 3, 3, "F FL X"), ["unknown-side"]),
    (ship(3, 3, 3, "F FL fr"), ["unknown-side"]),
    (ship(3, 3, 3, "F FL F"), ["two-weapons-on-a-side"]),
    (ship(3, 3, 3, "F R R"), ["two-weapons-on-a-side", "weapon-in-rear"]),
    (ship(3, 3, 3, "F X X"), ["unknown-side"]),
    (ship(0, 4, 5, "F FL FR"), ["no-engine"]),
    (ship(4, 5, 0, "F FL FR"), ["no-to-hit"]),
    (ship(5, 5, 5, ""), ["unarmed"]),
    (ship(5, 5, 0, ""), ["unarmed"]),
    (ship(3, 3, 4, "F FL FR"), ["unusual-size"]),
    (ship(6, 5, 5, "F FL FR RL RR"), ["engine-range", "over-25", "unusual-size"]),
    (ship(3, 0, 3, "F", quantity=0), ["no-shield", "unusual-size"]),
]

NEAR_MISSES = [
    # at a limit, and still allowed: 25, 10, 15, 15 and 10 BP
    ship(5, 5, 5, "F FL FR RL RR"),
    ship(1, 1, 4, "F FL"),
    ship(5, 5, 1, "FL FR"),
    ship(4, 4, 5, "F"),
    ship(3, 2, 1, "RL RR"),
]

STRATEGIC = [
    # BP of a ship, and what the strategic game says about its size
    (ship(3, 2, 3, "F"), []),  # 10
    (ship(3, 3, 3, "F FL FR"), []),  # 15
    (ship(4, 4, 4, "F FL FR RL"), []),  # 20
    (ship(3, 2, 2, "F"), ["strategic-size"]),  # 9
    (ship(5, 5, 5, "F FL FR RL RR"), ["strategic-size"]),  # 25
    (ship(6, 5, 5, "F FL FR RL RR"), ["engine-range", "over-25", "strategic-size"]),  # 26
]

REFUSED = [  # a ship's fields, and the paths of the faults
    ({"engine": True, "shield": 3.0, "to_hit": None}, ["engine", "shield", "to_hit"]),
    ({"weapons": ["F", 1, "F" * 61]}, ["weapons/1", "weapons/2"]),
    ({"armor": 2, "marks": [{"fate": 1}]}, ["armor", "marks/0/fate"]),
]

REFUSED_ROOTS = [
    *(({"options": {"max_engine": value}}, ["options/max_engine"]) for value in (7, 4, True, 6.0)),
    ({"scenario": "ambush"}, ["scenario"]),
    ({"side": "attacker"}, ["side"]),
]


def profile(engine, shield, to_hit, weapons):
    return rules.Profile(engine=engine, shield=shield, to_hit=to_hit, weapons=tuple(weapons.split()))


def terms(scenario=None, **options):
    return Terms(rules.Options(**options), scenario, None)


SHIP = "formations/0/elements/0"

# ---------------------------------------------------------------- price


def test_a_ship_costs_its_stats_and_two_for_each_weapon():
    for design, points, attack, defence in PRICES:
        built = profile(*design)
        assert rules.price(built, terms()).each == points
        assert (rules.offensive(built), rules.defensive(built)) == (attack, defence)


def test_a_receipt_names_each_stat_and_the_weapons():
    receipt = rules.price(profile(3, 3, 3, "F FL FR"), terms())
    assert receipt.steps == (
        ("ENGINE 3", "+3", 3),
        ("SHIELD 3", "+3", 6),
        ("TO-HIT 3", "+3", 9),
        ("Weapons F FL FR, 2 each", "+6", 15),
    )


def test_thousands_of_weapons_are_priced_and_checked():
    crowded = roster("msc", [ship(1, 1, 1, "F R X " * 10_000)])
    found = appraise(crowded)
    assert found.points == 60_003
    assert codes(crowded, SHIP) == [
        "over-25",
        "two-weapons-on-a-side",
        "two-weapons-on-a-side",
        "unknown-side",
        "unusual-size",
        "weapon-in-rear",
    ]


# ---------------------------------------------------------------- findings


def test_a_broken_clause_is_reported_at_the_ship():
    for broken, expected in FOUND:
        assert codes(roster("msc", [broken, PLAIN]), SHIP) == expected


def test_a_ship_at_the_edge_of_the_rules_has_no_findings():
    for allowed in NEAR_MISSES:
        assert codes(roster("msc", [allowed])) == []


def test_the_strategic_game_builds_ships_of_exactly_three_sizes():
    for built, expected in STRATEGIC:
        assert codes(roster("msc", [built], scenario="strategic"), SHIP) == expected


def test_a_fleet_without_ships_is_reported_at_the_fleet():
    for ships in [[], [ship(quantity=0)]]:
        assert codes(roster("msc", [PLAIN], ships), "formations/1") == ["empty-fleet"]
        assert codes(roster("msc", [PLAIN], ships), "formations/0") == []


def test_a_shared_name_is_reported_once_for_the_whole_roster():
    twice = roster("msc", [PLAIN, PLAIN], [PLAIN, ship(name="Other")])
    assert codes(twice) == codes(twice, "") == ["duplicate-ship-name"]
    both = roster("msc", [PLAIN, PLAIN], [ship(name="Other"), ship(name="Other")])
    assert codes(both, "") == ["duplicate-ship-name"] * 2


def test_several_ships_on_one_line_or_none_at_all_share_no_name():
    rows = [
        [ship(name="Pin", quantity=5)],
        [ship(name="Pin"), ship(name="pin")],
        [ship(name="Pin"), ship(name="Pin", quantity=0)],
    ]
    for ships in rows:
        assert codes(roster("msc", ships), "") == []


def test_every_finding_is_tested_and_has_the_severity_of_its_kind():
    tested = {code for _, expected in FOUND for code in expected}
    tested |= {"strategic-size", "empty-fleet", "duplicate-ship-name"}
    assert tested == set(rules.FINDINGS)
    gentle = {code: kind.severity for code, kind in rules.FINDINGS.items() if kind.severity != "error"}
    assert gentle == {
        "no-engine": "warning",
        "no-to-hit": "warning",
        "unarmed": "warning",
        "duplicate-ship-name": "warning",
        "unusual-size": "note",
    }


# ---------------------------------------------------------------- house rule


def test_engine_6_and_26_points_need_the_house_rule():
    giant = [ship(6, 5, 5, "F FL FR RL RR")]
    assert codes(roster("msc", giant), SHIP) == ["engine-range", "over-25", "unusual-size"]
    allowed = roster("msc", giant, options={"max_engine": 6})
    assert codes(allowed, SHIP) == ["unusual-size"]
    assert codes(allowed, "") == ["house-rule"]
    assert appraise(allowed).legal


def test_the_house_rule_allows_no_more_than_one_point_on_top():
    beyond = roster("msc", [ship(7, 5, 5, "F FL FR RL RR")], options={"max_engine": 6})
    assert codes(beyond, SHIP) == ["engine-range", "over-25", "unusual-size"]
    shields = roster("msc", [ship(3, 6, 6, "")], options={"max_engine": 6})
    assert codes(shields, SHIP) == ["shield-range", "to-hit-range", "unarmed"]


def test_the_house_rule_changes_no_strategic_size():
    giant = roster("msc", [ship(6, 5, 5, "F FL FR RL RR")], scenario="strategic", options={"max_engine": 6})
    assert codes(giant, SHIP) == ["strategic-size"]


def test_the_default_spelled_out_is_no_house_rule():
    assert codes(roster("msc", [PLAIN], options={"max_engine": 5})) == []
    assert appraise(roster("msc", [PLAIN], options={"max_engine": 6})).house_rules == (
        ("max_engine", 6, "Highest ENGINE: 6"),
    )


# ---------------------------------------------------------------- facts and words


def facts(*ships):
    return appraise(roster("msc", list(ships))).formations[0].facts


def test_a_fleet_adds_up_its_ships_and_moves_at_the_slowest():
    """The three designs of the rulebook: offensive 9 + 9 + 7, defensive 3 + 4 + 4."""
    book = [ship(3, 3, 3), ship(2, 4, 3), ship(4, 4, 5, "F")]
    assert facts(*book) == {"offensive": 25, "defensive": 11, "speed": 2, "attack_dice": 3, "save_dice": 3}


def test_dice_come_from_the_sum_of_the_fleet_not_of_each_ship():
    """Seven ships of 9 and 3: 63 are nine dice, 21 are seven; one ship alone has one of each."""
    assert facts(ship(quantity=7)) == {"offensive": 63, "defensive": 21, "speed": 3, "attack_dice": 9, "save_dice": 7}
    assert (facts(ship())["attack_dice"], facts(ship())["save_dice"]) == (1, 1)


def test_dice_are_rounded_down():
    """6 and 2 are one short of a die each."""
    assert facts(ship(3, 2, 4, "F")) == {"offensive": 6, "defensive": 2, "speed": 3, "attack_dice": 0, "save_dice": 0}


def test_a_line_without_ships_slows_nobody():
    assert facts(ship(5, 3, 5, "F"), ship(1, quantity=0))["speed"] == 5


def test_rear_unknown_and_doubled_weapons_count_as_offensive():
    assert facts(ship(3, 3, 3, "R X F F"))["offensive"] == 11


def test_ships_are_counted_by_quantity():
    assert appraise(roster("msc", [ship(quantity=4)], [PLAIN])).quantity == 5


def test_a_ship_is_described_in_one_line():
    assert rules.describe(profile(4, 4, 5, "F FL"), terms()) == "ENGINE 4, SHIELD 4, TO-HIT 5, weapons F FL"
    assert rules.describe(profile(1, 0, 0, ""), terms()) == "ENGINE 1, SHIELD 0, TO-HIT 0, no weapons"


# ---------------------------------------------------------------- documents


def test_an_impossible_value_is_refused_at_its_path():
    for fields, paths in REFUSED:
        assert refused(roster("msc", [fields])) == [f"{SHIP}/{path}" for path in paths]


def test_an_impossible_option_or_scenario_is_refused_at_its_path():
    for root, paths in REFUSED_ROOTS:
        assert refused(roster("msc", [PLAIN], **root)) == paths


# ---------------------------------------------------------------- fixtures


def army(slug):
    return documents.parse((ARMIES / f"{slug}.json").read_bytes())


def test_the_squadron_of_the_rulebook_has_three_ships_of_15():
    found = appraise(army("book-squadron"))
    assert [line.each for line in found.formations[0].elements] == [15, 15, 15]
    assert (found.points, found.findings) == (45, ())


def test_the_strategic_navy_is_35_ships_for_525_points():
    found = appraise(army("hearthward-navy"))
    assert (found.points, found.budget, found.quantity, found.findings) == (525, 525, 35, ())
    assert [fleet.points for fleet in found.formations] == [130, 115, 115, 110, 55]
    assert [fleet.facts["speed"] for fleet in found.formations] == [2, 3, 3, 5, 4]


def test_a_fleet_of_the_navy_has_the_dice_that_its_sheet_needs():
    """Spear: one ship of 11 and 4, six of 7 and 3."""
    spear = appraise(army("hearthward-navy")).formations[3]
    assert spear.facts == {"offensive": 53, "defensive": 22, "speed": 5, "attack_dice": 7, "save_dice": 7}


# ---------------------------------------------------------------- solo tables

CELLS = [
    # SPEED, die, (friend, enemy), order: read in the solo rules
    (6, 1, ("left", "left"), "3L2"),
    (6, 2, ("right", "right"), "2R3"),
    (6, 5, ("left", "right"), "4R1"),
    (6, 6, ("right", "left"), "3L2"),
    (5, 4, ("right", "right"), "2R2"),
    (5, 6, ("left", "left"), "1L3"),
    (4, 3, ("left", "left"), "3L"),
    (4, 5, ("right", "right"), "1R2"),
    (4, 6, ("right", "right"), "2R1"),
    (3, 4, ("left", "right"), "R2"),
    (2, 1, ("right", "left"), "1L"),
    (2, 4, ("left", "right"), "L1"),
    (1, 1, ("left", "left"), "1"),
    (1, 4, ("right", "left"), "R"),
]


def test_a_movement_order_is_the_published_one():
    for speed, die, where, order in CELLS:
        assert tables.SOLO_MOVEMENT[speed][die - 1][tables.SOLO_COLUMNS.index(where)] == order


def test_every_movement_order_spends_its_speed():
    for speed, table in tables.SOLO_MOVEMENT.items():
        assert len(table) == 6
        for order in (order for row in table for order in row):
            spent = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d|[LR]", order))
            assert spent == speed, f"{order} at SPEED {speed}"
    assert set(tables.SOLO_MOVEMENT) == {1, 2, 3, 4, 5, 6}


def test_targets_are_chosen_as_published():
    of_two, of_three = zip(*tables.SOLO_TARGETS, strict=True)
    assert "".join(of_two) == "NFNFNF"
    assert "".join(of_three) == "NMFNMF"
    assert {*of_two, *of_three} == set(tables.TARGET_NAMES)
