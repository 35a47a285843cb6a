"""Minimal Space Combat: worked by hand from rules 2 and 3, the strategic game and the solo rules."""

import re

from hypothesis import given
from hypothesis import strategies as st

from rosters.core.rulebook import Terms
from rosters.systems.msc import rules, tables
from tests.support import HERE, appraise, army, codes, roster

SIX = {"options": {"max_engine": 6}}
STRATEGIC = {"scenario": "strategic"}
TERMS = Terms(rules.Options(), None, None)


def ship(engine=3, shield=3, to_hit=3, weapons="F FL FR", **more):
    return {"name": "Ship", "engine": engine, "shield": shield, "to_hit": to_hit, "weapons": weapons.split(), **more}


PLAIN = ship(name="Plain")
"""15 BP without findings: the first design of the rulebook."""
GIANT = ship(6, 5, 5, "F FL FR RL RR")
"""26 BP."""


PRICES = [  # ENGINE, SHIELD, TO-HIT, weapons: BP, of them offensive and defensive
    *((ship(3, 3, 3, "F FL FR"), 15, 9, 3), (ship(2, 4, 3, "F FL FR"), 15, 9, 4), (ship(4, 4, 5, "F"), 15, 7, 4)),
    (ship(5, 5, 5, "F FL FR RL RR"), 25, 15, 5),  # the largest: 15 + 5 × 2; above, the three designs of the rulebook
    *((ship(0, 0, 0, ""), 0, 0, 0), (ship(2, 5, 3, "F FL FR RL RR"), 20, 13, 5)),
    # priced as entered, though not allowed
    *((ship(9, 1, 1, ""), 11, 1, 1), (ship(-2, 1, -1, "F"), 0, 1, 1)),
    *((ship(1, 1, 1, "F F F"), 9, 7, 1), *((ship(1, 1, 1, side), 5, 3, 1) for side in "RQ")),
]
FOUND = {  # the findings about a ship: such ships in a tactical game
    "engine-range unusual-size": [ship(6, 3, 3, "F FL FR")],
    "engine-range": [ship(-1, 5, 5, "F FL FR")],
    "shield-range": [ship(2, 6, 3, "F FL"), ship(5, -1, 5, "F FL FR")],
    "to-hit-range": [ship(2, 3, 6, "F FL"), ship(5, 5, -1, "F FL FR")],
    "no-shield": [ship(4, 0, 5, "F FL FR")],
    "weapon-in-rear": [ship(3, 3, 3, "F FL R")],
    "unknown-side": [ship(3, 3, 3, "F FL X"), ship(3, 3, 3, "F FL fr"), ship(3, 3, 3, "F X X")],
    "two-weapons-on-a-side": [ship(3, 3, 3, "F FL F")],
    "two-weapons-on-a-side weapon-in-rear": [ship(3, 3, 3, "F R R")],
    "no-engine": [ship(0, 4, 5, "F FL FR")],
    "no-to-hit": [ship(4, 5, 0, "F FL FR")],
    "unarmed": [ship(5, 5, 5, ""), ship(5, 5, 0, "")],
    "unusual-size": [ship(3, 3, 4, "F FL FR")],
    "no-shield unusual-size": [ship(3, 0, 3, "F", quantity=0)],
    "engine-range over-25 unusual-size": [GIANT],
    "": [  # at a limit, and still allowed: 25, 10, 15, 15 and 10 BP
        *(ship(5, 5, 5, "F FL FR RL RR"), ship(1, 1, 4, "F FL"), ship(5, 5, 1, "FL FR")),
        *(ship(4, 4, 5, "F"), ship(3, 2, 1, "RL RR")),
    ],
}
STRATEGIC_FOUND = {  # exactly 10, 15 or 20 BP
    "": [ship(3, 2, 3, "F"), ship(3, 3, 3, "F FL FR"), ship(4, 4, 4, "F FL FR RL")],
    "strategic-size": [ship(3, 2, 2, "F"), ship(5, 5, 5, "F FL FR RL RR")],
    "engine-range over-25 strategic-size": [GIANT],
}
SIX_FOUND = {  # the house rule: ENGINE 6 and 26 BP, no more
    "unusual-size": [GIANT],
    "engine-range over-25 unusual-size": [ship(7, 5, 5, "F FL FR RL RR")],
    "shield-range to-hit-range unarmed": [ship(3, 6, 6, "")],
}


def test_the_price_of_a_ship_is_its_stats_and_two_for_each_weapon():
    for built, points, attack, defense in PRICES:
        fleet = appraise(roster("msc", [built])).formations[0]
        assert (fleet.points, fleet.facts["offensive"], fleet.facts["defensive"]) == (points, attack, defense)
    crowded = roster("msc", [ship(1, 1, 1, "F R X " * 10_000)])
    assert appraise(crowded).points == 60_003
    twice = ["two-weapons-on-a-side"] * 2
    assert codes(crowded, HERE) == ["over-25", *twice, "unknown-side", "unusual-size", "weapon-in-rear"]
    steps = appraise(roster("msc", [ship(2, 4, 3)])).formations[0].elements[0].receipt.steps
    assert [(change, subtotal) for _label, change, subtotal in steps] == [("+2", 2), ("+4", 6), ("+3", 9), ("+6", 15)]
    assert [steps[0].label, steps[3].label.values] == ["ENGINE 2", {"sides": "F FL FR", "points": 2}]


def test_a_ship_has_the_findings_of_the_clauses_that_it_breaks():
    games = [(FOUND, {}), (STRATEGIC_FOUND, STRATEGIC), (SIX_FOUND, SIX)]
    games.append(({"strategic-size": [GIANT]}, {**SIX, **STRATEGIC}))  # no other strategic size
    for found, settings in games:
        for expected, ship in ((expected, ship) for expected, ships in found.items() for ship in ships):
            assert codes(roster("msc", [ship, PLAIN], **settings), HERE) == expected.split(), ship
    tested = {code for found, _ in games for expected in found for code in expected.split()}
    assert tested | {"empty-fleet", "duplicate-ship-name"} == set(rules.FINDINGS)
    gentle = {code: meaning.severity for code, meaning in rules.FINDINGS.items() if meaning.severity != "error"}
    warnings = dict.fromkeys(("no-engine", "no-to-hit", "unarmed", "duplicate-ship-name"), "warning")
    assert gentle == {**warnings, "unusual-size": "note"}


def test_a_fleet_without_ships_is_an_error_of_the_fleet():
    for ships in [[], [ship(quantity=0)]]:
        data = roster("msc", [PLAIN], ships)
        assert (codes(data, "formations/0"), codes(data, "formations/1")) == ([], ["empty-fleet"])


def test_a_shared_name_is_reported_once_for_the_whole_roster():
    twice = roster("msc", [PLAIN, PLAIN], [PLAIN, ship(name="Other")])
    assert codes(twice) == codes(twice, "") == ["duplicate-ship-name"]
    both = roster("msc", [PLAIN, PLAIN], [ship(name="Other"), ship(name="Other")])
    assert codes(both, "") == ["duplicate-ship-name"] * 2
    for ships in [[ship(quantity=5)], [PLAIN, {**PLAIN, "quantity": 0}]]:
        assert codes(roster("msc", ships), "") == []


def test_a_house_rule_is_a_note_only_where_it_differs_from_the_rules():
    assert codes(roster("msc", [GIANT], **SIX), "") == ["house-rule"]
    assert appraise(roster("msc", [GIANT], **SIX)).legal
    assert codes(roster("msc", [PLAIN], options={"max_engine": 5})) == []
    assert [rule[:2] for rule in appraise(roster("msc", [PLAIN], **SIX)).house_rules] == [("max_engine", 6)]


def test_the_facts_of_a_fleet_are_the_sums_of_its_ships_and_its_dice_rounded_down():
    rows = [  # ships: offensive, defensive, speed, attack dice (7 each), save dice (3 each)
        ([ship(3, 3, 3), ship(2, 4, 3), ship(4, 4, 5, "F")], (25, 11, 2, 3, 3)),  # the designs of the rulebook
        ([ship(quantity=7)], (63, 21, 3, 9, 7)),  # of the sum, not of each ship
        ([ship()], (9, 3, 3, 1, 1)),
        ([ship(3, 2, 4, "F")], (6, 2, 3, 0, 0)),  # one short of a die each
        ([ship(5, 3, 5, "F"), ship(1, quantity=0)], (7, 3, 5, 1, 1)),  # nobody is no slower ship
        *(([ship(3, 3, 3, "R X F F")], (11, 3, 3, 1, 1)), ([], (0, 0, 0, 0, 0))),
    ]
    for ships, expected in rows:
        facts = appraise(roster("msc", ships)).formations[0].facts
        assert tuple(facts[key] for key in ("offensive", "defensive", "speed", "attack_dice", "save_dice")) == expected


def test_the_size_of_a_ship_is_the_smallest_usual_one_that_it_fits_in():
    rows = [
        *((PLAIN, {}, {"size": 15, "unspent": 0}), (ship(3, 3, 0, ""), {}, {"size": 10, "unspent": 4})),
        *((ship(3, 10), {}, {"size": 25, "unspent": 3}), (ship(3, 15), {}, {"size": 25, "over": 2})),
        *((ship(3, 14), SIX, {"size": 26, "unspent": 0}), (ship(3, 9), STRATEGIC, {"size": 20, "over": 1})),
        (ship(0, 0, 0, "R F F"), {}, {"size": 10, "unspent": 4}),
    ]
    for built, settings, expected in rows:
        facts = appraise(roster("msc", [built], **settings)).formations[0].elements[0].facts
        assert {key: facts[key] for key in facts if key not in ("offensive", "defensive")} == expected


@given(st.builds(ship, *[st.integers(-1, 6) | st.integers(-1_000_000, 1_000_000)] * 3))
def test_size_less_unspent_or_plus_over_is_the_points_of_a_ship(built):
    element = appraise(roster("msc", [built])).formations[0].elements[0]
    assert element.facts["size"] - element.facts.get("unspent", 0) + element.facts.get("over", 0) == element.each


def test_a_description_has_all_that_a_ship_is_built_of():
    rows = [((4, 3, 5, ("F", "FL")), "4 3 5 F FL"), ((1, 0, 2, ()), "1 0 2 ")]
    for (engine, shield, to_hit, weapons), values in rows:
        text = rules.describe(rules.Profile(engine=engine, shield=shield, to_hit=to_hit, weapons=weapons), TERMS)
        assert " ".join(map(str, text.values.values())) == values


def test_the_squadron_of_the_rulebook_has_three_ships_of_15_and_the_strategic_navy_35_for_525():
    """Spear: one ship of 11 and 4, six of 7 and 3."""
    squadron, navy = appraise(army("msc", "book-squadron")), appraise(army("msc", "hearthward-navy"))
    assert [ship.each for ship in squadron.formations[0].elements] == [15, 15, 15]
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
    assert {speed: len(rows) for speed, rows in tables.SOLO_MOVEMENT.items()} == dict.fromkeys(range(1, 7), 6)
    for speed, rows in tables.SOLO_MOVEMENT.items():
        for order in (order for row in rows for order in row):
            spent = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d|[LR]", order))
            assert spent == speed, f"{order} at SPEED {speed}"
    of_two, of_three = zip(*tables.SOLO_TARGETS, strict=True)
    assert ("".join(of_two), "".join(of_three)) == ("NFNFNF", "NMFNMF")
    assert {*of_two, *of_three} == set(tables.TARGET_NAMES)
