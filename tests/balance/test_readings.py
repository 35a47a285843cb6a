"""The numbered readings, worked by hand, and single rolls as icepool counts them."""

from fractions import Fraction

import icepool
import pytest

from rosters.balance import odds

SIXTHS = {-4: 1, -3: 3, -2: 6, -1: 10, 0: 15, 1: 21, 2: 26, 3: 30, 4: 33, 5: 35, 6: 36}
"""In how many of 36 ways a D6 and this number are more than another D6."""


def stand(type, **profile):
    return {"name": "", "type": type, **profile}


WBD, MSK, CAV, SKI = stand("WBD"), stand("MSK"), stand("CAV/U"), stand("SKI/F")
PANZER = stand("TNK", armour="medium", gun="breech-loader-79")
MODERN = stand("SKI/F", post_1906=True, guided=True)
SMOOTHBORE, HEAVY = stand("ART", gun="smoothbore"), stand("ART", gun="breech-loader-130", off_board=True)

STANDS = {  # A's score before the die; where scores are halved or doubled, the ways in 36 instead, as text
    "R31 half the strength": (WBD, WBD, {}, 3),
    "R31 a charging warband": (WBD, WBD, {"a_charges": True}, 5),
    "R31 once for charge and general": (stand("WBD", general="competent"), WBD, {"a_charges": True}, 5),
    "R31 a quarter for tanks": (PANZER, PANZER, {}, 2),
    "R31 a quarter of 5": (stand("TNK", armour="light"), PANZER, {}, 1),
    "R31 skirmishers after 1906": (MODERN, WBD, {}, 2),
    "R31 elephants": (stand("PKE", elephant=True), WBD, {}, 5),
    "R32 cavalry against guns": (CAV, SMOOTHBORE, {}, 5),
    "R32 cavalry against cavalry": (CAV, CAV, {}, 3),
    "R32 foot against tanks": (WBD, PANZER, {}, 4),
    "R32 in woods, which shelter no tank": (WBD, PANZER, {"b_cover": True}, 5),
    "R33 no charge at pikes": (CAV, stand("PKE"), {"a_charges": True}, 5),
    "R34 cover": (WBD, MSK, {"b_cover": True}, "15"),
    "R34 cover, on the flank": (WBD, MSK, {"b_cover": True, "b_aspect": "flank"}, "31"),
    "R35 armor": (WBD, stand("INF/A"), {}, 1),
    "R35 no armor": (WBD, stand("INF/A"), {"modern": True}, 3),
    "R35 muskets": (MSK, stand("INF/A"), {}, 5),
    "R35 after 1906": (MODERN, stand("INF/A"), {}, 2),
    "R35 armor against muskets": (MSK, stand("INF/A"), {"modern": False}, 3),
    "R36 skirmishers at skirmishers": (SKI, SKI, {"distance": 1}, -2),
    "R36 with rifles": (SKI, SKI, {"distance": 2, "a_arm": "rifle"}, 0),
    "R36 bows at armor": (stand("ARC"), stand("INF/A"), {"distance": 1}, 1),
    "R36 matchlocks at armor": (stand("ARC"), stand("INF/A"), {"distance": 1, "a_arm": "musket"}, 3),
    "R36 torsion at armor": (stand("ART", gun="torsion"), stand("INF/A"), {"distance": 2}, 0),
    "R36 support weapons": (stand("SKI/S"), MSK, {"distance": 3}, 3),
    "R36 a tank at a heavy one": (PANZER, stand("TNK", armour="heavy"), {"distance": 4}, 1),
    "R36 rear": (MSK, MSK, {"distance": 1, "b_aspect": "rear"}, 6),
    "R37 beyond a tank's reach": (PANZER, MSK, {"distance": 5}, "0"),
    "R37 longbows": (stand("ARC"), MSK, {"distance": 2, "a_arm": "longbow"}, 3),
    "R37 horse artillery": ({**SMOOTHBORE, "horse": True}, MSK, {"distance": 4}, "0"),
    "R38 guided at a tank": (MODERN, stand("TNK", armour="light"), {"distance": 4}, 2),
    "R38 guided at aircraft": (MODERN, stand("AIR"), {"distance": 2}, 4),
    "R39 cover": (SMOOTHBORE, MSK, {"distance": 4, "b_cover": True}, "15"),
    "R39 entrenched": (SMOOTHBORE, MSK, {"distance": 4, "b_cover": True, "b_entrenched": True}, "6"),
    "R39 indirect, at cover": (SMOOTHBORE, CAV, {"distance": 4, "a_indirect": True, "b_cover": True}, "6"),
    "R40 off the board": (HEAVY, MSK, {"distance": 10}, "18"),
    "R41 aircraft": (stand("AIR", ordnance="fighter"), MSK, {"distance": 1}, "0"),
    "R41 at aircraft on contact": (MSK, stand("AIR"), {}, "0"),
}


@pytest.mark.parametrize(("a", "b", "conditions", "score"), STANDS.values(), ids=STANDS)
def test_a_stand_of_6mm_hits_by_the_tables(a, b, conditions, score):
    ways = int(score) if isinstance(score, str) else SIXTHS[score]
    assert odds("6mm", a, b, conditions)["a"]["hit"] == str(Fraction(ways, 36))


def figure(kind="troop", *traits, **profile):
    return {"name": "", "kind": kind, "traits": traits, **profile}


def rifles(**profile):
    return {"name": "", "to_hit": 4, "power": 3, "armor": 1, "range": 20, **profile}


TROOP, HEAVY_TROOP, INSPIRED = figure(), figure(armor="heavy"), figure("troop", "inspiration")
GUNNER = figure("troop", distance=True, automatic_fire=True)
FEARED = figure("troop", "cause-fear")
SHIP = {"name": "", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}

ANSWERS = {  # fields of the answer by their path
    "worked: riflemen": (
        ("mini-combat", rifles(), rifles(), {"distance": 20}),
        {"a/hit": "2/3", "a/attacks": "1", "duel/win": "1/2", "duel/expected": "9/8"},
    ),
    "worked: hero against troop": (("vsgmr", figure("hero"), TROOP, {}), {"duel/win": "3/5", "a/save": None}),
    "worked: a smoothbore at muskets": (
        ("6mm", SMOOTHBORE, MSK, {"distance": 4}),
        {"a/hit": "5/6", "a/kill": "1/6", "a/turn/6": "1/6", "a/turn_kill": "5/12", "b/turn": {"0": "1"}},
    ),
    "R30 the strength of a general's stand, the lead of another": (
        ("6mm", stand("WBD", general="superior"), WBD, {"a_general": "inferior"}),
        {"initiative": "10/31", "a/hit": "33/36"},
    ),
    "R11, R21 rolls before templates": (
        (
            "mini-combat",
            rifles(capabilities=[{"code": "MW", "count": 2}, {"code": "5c"}]),
            rifles(),
            {"a_models": 3, "b_caught": 3},
        ),
        {"a/attacks": "6"},
    ),
    "R51, R54 a shot over all sides": (
        ("msc", SHIP, SHIP, {}),
        {"a/hit": "1/2", "a/damage": {"none": "1/2", "shield": "3/8", "engine": "1/12", "weapon": "1/24"}},
    ),
    "R56 one die to attack, one to save": (
        ("msc", SHIP, SHIP, {}),
        {"strategic/b_lost": {"0": "7/9", "1": "2/9"}, "strategic/a_lost": {"0": "67/81", "1": "14/81"}},
    ),
    "R56 no dice below 0": (("msc", {**SHIP, "to_hit": -9}, SHIP, {}), {"a/hit": "0", "strategic/b_lost": {"0": "1"}}),
    "R61 the higher kill, R65, R66": (
        ("vsgmr", GUNNER, HEAVY_TROOP, {"b_cover": True}),
        {"a/hit": "5/9", "a/kill": "5/18", "a/save": "1/2"},
    ),
    "R61 a tie, R70": (
        ("vsgmr", figure("troop", "double-strike", "sharpshooter", distance=True), figure(armor="light"), {}),
        {"a/hit": "1/2", "a/turn_kill": "65/144"},
    ),
    "R70 area effect": (
        ("vsgmr", figure("troop", "area-effect-attack", distance=True), figure(armor="light"), {"distance": 12}),
        {"a/kill": "5/18", "a/turn_kill": "1715/5832"},
    ),
    "R62 mooks": (("vsgmr", TROOP, figure("mook", armor="light"), {}), {"a/save": "0", "b/hit": "1/3"}),
    "R62 vehicles": (("vsgmr", TROOP, figure("vehicle", "tough"), {}), {"a/save": "1/2", "b/hit": "2/3"}),
    "R64 out of reach": (("vsgmr", GUNNER, TROOP, {"distance": 13}), {"a/hit": "0", "a/save": None, "duel/never": "1"}),
    "R64 beyond a sniper": (
        ("vsgmr", {**GUNNER, "traits": ["sniper"]}, TROOP, {"distance": 25}),
        {"a/hit": "0"},
    ),
    "R65 stealth in cover": (
        (
            "vsgmr",
            figure("hero", "sniper", distance=True),
            figure("troop", "stealth"),
            {"distance": 24, "b_cover": True},
        ),
        {"a/hit": "1/6"},
    ),
    "R67": (("vsgmr", figure("mook", powers={"super-fight": "superior"}), TROOP, {}), {"a/hit": "2/3"}),
    "R68": (("vsgmr", figure(powers={"super-move": "superior"}), TROOP, {}), {"initiative": "10/11"}),
    "R69": (("vsgmr", figure("troop", "ignores-armor"), HEAVY_TROOP, {}), {"a/kill": "3/8", "a/save": "1/4"}),
    "R71": (("vsgmr", figure("vehicle", "combat-master"), FEARED, {}), {"a/hit": "2/3"}),
    "R72 attacks": (("vsgmr", INSPIRED, TROOP, {}), {"a/hit": "1/2", "a/turn_kill": "3/4"}),
    "R72 armor": (("vsgmr", TROOP, {**INSPIRED, "armor": "heavy"}, {}), {"a/kill": "1/4", "a/turn_kill": "1/8"}),
    "R72 once a round": (("vsgmr", {**INSPIRED, "armor": "heavy"}, TROOP, {}), {"exchange/b_only": "3/32"}),
    "R73": (
        ("vsgmr", TROOP, figure("troop", "revenge", "inspiration"), {}),
        {"exchange/neither": "5/32", "a/turn_kill": "1/2"},
    ),
    "R81, R82, R87": (
        ("urutsk", {"name": "", "ranged": 1}, {"name": "", "fate": 3}, {"distance": "short"}),
        {"initiative": None, "a/hit": "5/6", "a/injure": "1/6", "a/kill": "1/2", "a/turn/7": "1/36"},
    ),
    "R84": (
        ("urutsk", {"name": "", "fire": "burst"}, {"name": "", "fate": 12}, {"distance": "long"}),
        {"a/turn": {"12": "1"}, "a/injure": "1", "a/kill": "0"},
    ),
    "R86 ties": (("urutsk", {"name": ""}, {"name": "", "fate": 6}, {}), {"a/hit": "1", "a/kill": "7/72"}),
}


@pytest.mark.parametrize(("asked", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_odds_are_as_the_readings_say(asked, expected):
    answer = odds(*asked)
    for path, value in expected.items():
        field = answer
        for key in path.split("/"):
            field = field[key]
        assert field == (str(Fraction(value)) if isinstance(value, str) else value), path


D6, BEST = icepool.d6, icepool.d6.highest(2)
SINGLE_ROLLS = {
    "automatic fire": (("vsgmr", GUNNER, TROOP, {"distance": 12}), BEST >= 5),
    "the best die against fear": (
        ("vsgmr", {**GUNNER, "kind": "hero", "traits": ["sharpshooter", "support"], "support": "distance"}, FEARED, {}),
        BEST.map(lambda face: face + 3 >= 5 and face > 2),
    ),
    "a tripled score less a die": (
        ("6mm", SKI, stand("PKE"), {"b_aspect": "rear", "b_cover": True}),
        3 * D6.map(lambda face: (face + 1) // 2) - D6 > 0,
    ),
    "TO-HIT at six hexes": (("msc", SHIP, SHIP, {"distance": 6}), D6 + 1 <= 3),
    "a shot at cover": (
        ("urutsk", {"name": "", "ranged": 2}, {"name": ""}, {"distance": "extreme", "b_cover": 1}),
        D6 + 2 - 4 - 1 >= 2,
    ),
    "from the rear, moved": (
        ("mini-combat", rifles(to_hit=6), rifles(), {"distance": 5, "a_moved": True, "b_rear": True}),
        D6 + 1 >= 6,
    ),
}


@pytest.mark.parametrize(("asked", "roll"), SINGLE_ROLLS.values(), ids=SINGLE_ROLLS)
def test_a_single_roll_agrees_with_icepool(asked, roll):
    assert odds(*asked)["a"]["hit"] == str(Fraction(roll.probability(True)))
