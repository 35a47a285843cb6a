"""Minimal Space Combat: worked by hand from rules 2 and 3, the strategic game and the solo rules."""

import re

from rosters.systems.msc import rules, tables
from tests.notation import rows, ship
from tests.support import FIRST, appraise, finding_codes, roster_data, sample_data

GAMES = {"": {}, "strategic": {"scenario": "strategic"}, "six": {"options": {"max_engine": 6}}}
GAMES["both"] = GAMES["six"] | GAMES["strategic"]
PLAIN = ship("3 3 3 F FL FR", name="Plain")
"""15 BP without findings: the first design of the rulebook."""


def fleet(text):
    return [ship(each) for each in text.split(", ") if each]


PRICES = rows("""  # ENGINE, SHIELD, TO-HIT, weapons: BP, of them offensive and defensive
    3 3 3 F FL FR = 15 9 3 | 2 4 3 F FL FR = 15 9 4 | 4 4 5 F = 15 7 4  # the three designs of the rulebook
    5 5 5 F FL FR RL RR = 25 15 5 | 0 0 0 = 0 0 0 | 2 5 3 F FL FR RL RR = 20 13 5  # the largest: 15 + 5 × 2
    9 1 1 = 11 1 1 | -2 1 -1 F = 0 1 1 | 1 1 1 F F F = 9 7 1 | 1 1 1 R = 5 3 1 | 1 1 1 Q = 5 3 1  # not allowed
""")
FOUND = rows("""  # a ship, its findings, and in which game
    6 3 3 F FL FR = engine-range unusual-size | -1 5 5 F FL FR = engine-range | 2 6 3 F FL = shield-range
    5 -1 5 F FL FR = shield-range | 2 3 6 F FL = to-hit-range | 5 5 -1 F FL FR = to-hit-range
    4 0 5 F FL FR = no-shield | 3 3 3 F FL R = weapon-in-rear | 3 3 3 F FL X = unknown-side
    3 3 3 F FL fr = unknown-side | 3 3 3 F X X = unknown-side | 3 3 3 F FL F = two-weapons-on-a-side
    3 3 3 F R R = two-weapons-on-a-side weapon-in-rear | 0 4 5 F FL FR = no-engine | 4 5 0 F FL FR = no-to-hit
    5 5 5 = unarmed | 5 5 0 = unarmed | 3 3 4 F FL FR = unusual-size | 3 0 3 F x0 = no-shield unusual-size
    6 5 5 F FL FR RL RR = engine-range over-25 unusual-size
    5 5 5 F FL FR RL RR = | 1 1 4 F FL = | 5 5 1 FL FR = | 4 4 5 F = | 3 2 1 RL RR =  # at a limit: 25, 10, 15, 15, 10

    3 2 3 F = = strategic | 3 3 3 F FL FR = = strategic | 4 4 4 F FL FR RL = = strategic  # exactly 10, 15 or 20 BP
    3 2 2 F = strategic-size = strategic | 5 5 5 F FL FR RL RR = strategic-size = strategic
    6 5 5 F FL FR RL RR = engine-range over-25 strategic-size = strategic
    6 5 5 F FL FR RL RR = strategic-size = both  # no other strategic size

    6 5 5 F FL FR RL RR = unusual-size = six  # the house rule: ENGINE 6 and 26 BP, no more
    7 5 5 F FL FR RL RR = engine-range over-25 unusual-size = six | 3 6 6 = shield-range to-hit-range unarmed = six
""")


def test_the_price_of_a_ship_is_its_stats_and_two_for_each_weapon():
    for text, expected in PRICES:
        built = appraise(roster_data("msc", [ship(text)])).formations[0]
        assert f"{built.points} {built.facts['offensive']} {built.facts['defensive']}" == expected
    crowded = roster_data("msc", [ship("1 1 1 " + "F R X " * 10_000)])
    assert appraise(crowded).points == 60_003
    twice = ["two-weapons-on-a-side"] * 2
    assert finding_codes(crowded, FIRST) == ["over-25", *twice, "unknown-side", "unusual-size", "weapon-in-rear"]
    steps = appraise(roster_data("msc", [ship("2 4 3 F FL FR")])).formations[0].elements[0].receipt.steps
    assert [(change, subtotal) for _label, change, subtotal in steps] == [("+2", 2), ("+4", 6), ("+3", 9), ("+6", 15)]
    assert [steps[0].label, steps[3].label.values] == ["ENGINE 2", {"sides": "F FL FR", "points": 2}]


def test_a_ship_a_fleet_and_a_roster_have_the_findings_of_the_clauses_that_they_break_at_their_place():
    for text, expected, *game in FOUND:
        data = roster_data("msc", [ship(text), PLAIN], **GAMES["".join(game)])
        assert finding_codes(data, FIRST) == expected.split(), (text, game)
    tested = {code for row in FOUND for code in row[1].split()}
    assert tested | {"empty-fleet", "duplicate-ship-name"} == set(rules.FINDINGS)
    gentle = {code: kind.severity for code, kind in rules.FINDINGS.items() if kind.severity != "error"}
    warnings = dict.fromkeys(("no-engine", "no-to-hit", "unarmed", "duplicate-ship-name"), "warning")
    assert gentle == {**warnings, "unusual-size": "note"}
    for ships in [[], [{**PLAIN, "quantity": 0}]]:
        data = roster_data("msc", [PLAIN], ships)
        assert (finding_codes(data, "formations/0"), finding_codes(data, "formations/1")) == ([], ["empty-fleet"])
    other = PLAIN | {"name": "Other"}
    twice = roster_data("msc", [PLAIN, PLAIN], [PLAIN, other])
    assert finding_codes(twice) == finding_codes(twice, "") == ["duplicate-ship-name"]
    assert finding_codes(roster_data("msc", [PLAIN, PLAIN], [other, other]), "") == ["duplicate-ship-name"] * 2
    for ships in [[{**PLAIN, "quantity": 5}], [PLAIN, {**PLAIN, "quantity": 0}]]:
        assert finding_codes(roster_data("msc", ships), "") == []
    giant = roster_data("msc", [ship("6 5 5 F FL FR RL RR")], **GAMES["six"])
    assert (finding_codes(giant, ""), appraise(giant).legal) == (["house-rule"], True)
    assert finding_codes(roster_data("msc", [PLAIN], options={"max_engine": 5})) == []
    assert [rule[:2] for rule in appraise(giant).house_rules] == [("max_engine", 6)]


FACTS = rows("""  # ships: offensive, defensive, speed, attack dice (7 each), save dice (3 each), rounded down
    3 3 3 F FL FR, 2 4 3 F FL FR, 4 4 5 F = 25 11 2 3 3  # the designs of the rulebook
    3 3 3 F FL FR x7 = 63 21 3 9 7 | 3 3 3 F FL FR = 9 3 3 1 1  # of the sum, not of each ship
    3 2 4 F = 6 2 3 0 0 | 5 3 5 F, 1 3 3 F FL FR x0 = 7 3 5 1 1  # one short of a die each; nobody is no slower ship
    3 3 3 R X F F = 11 3 3 1 1 | = 0 0 0 0 0
""")
SIZES = rows("""  # the smallest usual size that a ship fits in, and what is unspent or over
    3 3 3 F FL FR = size=15 unspent=0 | 3 3 0 = size=10 unspent=4 | 3 10 3 F FL FR = size=25 unspent=3
    3 15 3 F FL FR = size=25 over=2 | 3 14 3 F FL FR = size=26 unspent=0 = six
    3 9 3 F FL FR = size=20 over=1 = strategic | 0 0 0 R F F = size=10 unspent=4
""")


def test_facts_are_the_sums_of_a_fleet_with_its_dice_as_in_the_samples_and_the_usual_size_of_a_ship():
    for ships, expected in FACTS:
        facts = appraise(roster_data("msc", fleet(ships))).formations[0].facts
        keys = ("offensive", "defensive", "speed", "attack_dice", "save_dice")
        assert " ".join(str(facts[key]) for key in keys) == expected, ships
    for text, expected, *game in SIZES:
        facts = appraise(roster_data("msc", [ship(text)], **GAMES["".join(game)])).formations[0].elements[0].facts
        size = [f"{key}={facts[key]}" for key in facts if key not in ("offensive", "defensive")]
        assert sorted(size) == sorted(expected.split()), text
    # Spear: one ship of 11 and 4, six of 7 and 3.
    squadron, navy = appraise(sample_data("msc", "book-squadron")), appraise(sample_data("msc", "hearthward-navy"))
    assert [ship.unit_points for ship in squadron.formations[0].elements] == [15, 15, 15]
    assert (squadron.points, squadron.findings) == (45, ())
    assert (navy.points, navy.budget, navy.quantity, navy.findings) == (525, 525, 35, ())
    assert [fleet.points for fleet in navy.formations] == [130, 115, 115, 110, 55]
    assert [fleet.facts["speed"] for fleet in navy.formations] == [2, 3, 3, 5, 4]
    spear = {"offensive": 53, "defensive": 22, "speed": 5, "attack_dice": 7, "save_dice": 7}
    assert navy.formations[3].facts == spear


CELLS = [  # SPEED, die, column (left left, left right, right left, right right), order: read in the solo rules
    *((6, 1, 0, "3L2"), (6, 2, 3, "2R3"), (6, 5, 1, "4R1"), (6, 6, 2, "3L2")),
    *((5, 4, 3, "2R2"), (5, 6, 0, "1L3"), (4, 3, 0, "3L"), (4, 5, 3, "1R2"), (4, 6, 3, "2R1")),
    *((3, 4, 1, "R2"), (2, 1, 2, "1L"), (2, 4, 1, "L1"), (1, 1, 0, "1"), (1, 4, 2, "R")),
]


def test_solo_movement_and_targets_are_the_published_ones_and_orders_spend_their_speed():
    assert [(s, die, column, tables.SOLO_MOVEMENT[s][die - 1][column]) for s, die, column, _ in CELLS] == CELLS
    assert {speed: len(orders) for speed, orders in tables.SOLO_MOVEMENT.items()} == dict.fromkeys(range(1, 7), 6)
    for speed, orders in tables.SOLO_MOVEMENT.items():
        for order in (order for row in orders for order in row):
            spent = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d|[LR]", order))
            assert spent == speed, f"{order} at SPEED {speed}"
    of_two, of_three = zip(*tables.SOLO_TARGETS, strict=True)
    assert ("".join(of_two), "".join(of_three)) == ("NFNFNF", "NMFNMF")
    assert {*of_two, *of_three} == set(tables.TARGET_NAMES)
