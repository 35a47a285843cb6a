"""The readings of Mini Combat, ships and figures, one row each, worked by hand."""

from functools import reduce
from operator import getitem

import pytest

from rosters.balance import odds


def element(*capabilities, **stats):
    """To Hit 4 and Power 3 to 40 cm, against armor 1: hits on 3+ if it has not moved, and kills."""
    codes = [{"code": each} if isinstance(each, str) else each for each in capabilities]
    return {"name": "", "to_hit": 4, "power": 3, "armor": 1, "range": 40, **stats, "capabilities": codes}


def deny(code):
    return {"code": "Den", "denies": code}


MOVED, FAR = {"a_moved": True}, {"distance": 30}
UNSEEN = {"distance": 30, "in_sight": False}

ATTACKS = {  # attacker, target, conditions: chances to hit and to kill in round 1
    "R1 always hits": ((element("IF", to_hit=0), element(), {**UNSEEN, **MOVED}), "1 1"),
    "R1 no attack": ((element(to_hit=7), element(), {}), "0 0"),
    "R2": ((element(), element(), MOVED), "1/2 1/2"),
    "R3 in reach": ((element(), element(), {"distance": 40}), "2/3 2/3"),
    "R3 out of reach": ((element(), element(), {"distance": 41}), "0 0"),
    "R4": ((element(), element("Fly"), {"distance": 36}), "0 0"),
    "R4 landed": ((element(), element({"code": "Fly", "form": "jump"}), {"distance": 36}), "2/3 2/3"),
    "R5 the better save": ((element(), element(save=5), {"b_cover": 4}), "2/3 1/3"),
    "R5 cover ignored": ((element("IC"), element(save=5), {"b_cover": 4}), "2/3 4/9"),
    "R6 charge": ((element("Ch", to_hit=6), element(deny("Ch")), {}), "1/3 1/3"),
    "R6 near": ((element("SS", power=1), element(deny("SS")), {"distance": 25}), "2/3 0"),
    "R6 far": ((element("SS", power=1), element(deny("SS")), {"distance": 26}), "2/3 2/3"),
    "R7": ((element(to_hit=6, power=1), element(), {"b_rear": True}), "1/2 1/2"),
    "R7 infantry": ((element(to_hit=6, power=1), element(kind="infantry"), {"b_rear": True}), "1/2 0"),
    "R7 full armor": ((element(to_hit=6, power=1), element("FA"), {"b_rear": True}), "1/2 0"),
    "R8": ((element("Ch"), element(), MOVED), "2/3 2/3"),
    "R9 melee": ((element("MA", "SS", power=2), element(armor=3), {}), "2/3 2/3"),
    "R9 equal": ((element("MA", power=2), element(armor=4), {}), "2/3 0"),
    "R9 fire": ((element("MA", power=2), element(armor=3), FAR), "2/3 0"),
    "R10, R7": ((element("Bmb", power=0), element(), {}), "2/3 2/3"),
    "R13": ((element("MoF"), element(), FAR), "1/2 1/2"),
    "R13 moved": ((element("MoF"), element(), {**FAR, **MOVED}), "0 0"),
    "R15": ((element(), element(), UNSEEN), "0 0"),
    "R15 indirect, at no rear": ((element("IF"), element(), {**UNSEEN, "b_rear": True}), "1/2 1/2"),
    "R15 guided": ((element("IF"), element(), {**UNSEEN, "a_recon": True}), "2/3 2/3"),
    "R16": ((element("IF"), element("St"), FAR), "0 0"),
    "R16 seen": ((element(), element("St"), {"distance": 25}), "2/3 2/3"),
    "R16 denied": ((element(deny("St")), element("St"), FAR), "2/3 2/3"),
    "R16 scouts": ((element(), element("Sc"), {}), "0 0"),
    "R16 scouts that moved": ((element(), element("Sc"), {"b_moved": True}), "2/3 2/3"),
    "R17": ((element("Cone", range=0), element(), {"distance": 10}), "2/3 2/3"),
    "R18": ((element({"code": "MoF", "waived": True}), element(), {}), "1/2 1/2"),
}


@pytest.mark.parametrize(("asked", "chances"), ATTACKS.values(), ids=ATTACKS)
def test_an_element_of_mini_combat_attacks_by_the_readings(asked, chances):
    answer = odds("mini-combat", *asked)["a"]
    assert f"{answer['hit']} {answer['kill']}" == chances
    assert answer["attacks"] == ("0" if chances == "0 0" else "1")


SURE, SLOW = element(to_hit=0), element("Feot", save=4, to_hit=0)
SCOUT = element("Sc")
SHIP = {"name": "", "engine": 0, "shield": 1, "to_hit": 3, "weapons": ["F"]}
FIXED = {"aspect": "fixed", "distance": 4}
TWO_GUNS = {**SHIP, "weapons": ["F", "F", "FL", "R"]}
FIGURE, POOR, POINT_BLANK = {"name": ""}, {"poor_condition": True}, {"distance": "point-blank"}
BURST = {"name": "", "fire": "burst"}
TWO_OF_THREE = {"0": "1/9", "1": "4/9", "2": "4/9"}

ANSWERS = {  # a question, and fields of its answer by their path
    "R11, R19": (
        ("mini-combat", element({"code": "MW", "count": 2}), SURE, {"b_models": 3}),
        {"a/turn": TWO_OF_THREE, "a/attacks": "2", "a/rate": "4/3"},
    ),
    "R12": (
        ("mini-combat", SLOW, SLOW, FAR),
        {"a/destroy/by_round": ["1/2", "0", "1/4", "0", "1/8", "0"], "duel/expected": "5/3"},
    ),
    "R12 in melee": (("mini-combat", SLOW, SLOW, {}), {"a/destroy/expected": "2"}),
    "R14": (("mini-combat", element("OS", to_hit=0), SLOW, {}), {"a/destroy/never": "1/2", "a/destroy/expected": None}),
    "R16 until they attack": (("mini-combat", SCOUT, SCOUT, {}), {"duel/never": "1", "duel/draw": "1"}),
    "R20": (
        ("mini-combat", SURE, element(morale=4), {"b_models": 2}),
        {"a/turn": {"1": "1"}, "a/turn_kill": "1/2", "a/destroy/expected": "3/2"},
    ),
    "R20 the survivor": (
        ("mini-combat", SURE, element(to_hit=0, morale=4), {"b_models": 2}),
        {"exchange/b_only": "3/4", "exchange/neither": "1/4", "duel/lose": "3/4"},
    ),
    "R21": (("mini-combat", element("5c"), SURE, {"b_models": 3, "b_caught": 2}), {"a/turn": TWO_OF_THREE}),
    "R51 never": (("msc", SHIP, SHIP, {**FIXED, "distance": 7}), {"a/hit": "0", "duel/never": "1"}),
    "R51 always": (("msc", {**SHIP, "to_hit": 4}, SHIP, {**FIXED, "distance": 0}), {"a/hit": "1"}),
    "R52": (
        ("msc", SHIP, SHIP, FIXED),
        {"a/damage/weapon": "1/12", "a/kill": "5/12", "exchange/both": "3/8", "exchange/a_only": "5/16"},
    ),
    "R53": (
        ("msc", TWO_GUNS, {**SHIP, "shield": 3}, {**FIXED, "a_bears": ["F", "FL", "R"]}),
        {"a/turn": {"0": "1/3", "1": "71/144", "2": "25/144"}},
    ),
    "R54, R55": (("msc", {**SHIP, "weapons": []}, SHIP, {"distance": 4}), {"a/kill": "35/72", "a/rate": "0"}),
    "R56 at most all": (("msc", {**SHIP, "quantity": 3}, SHIP, {}), {"strategic/b_lost": {"0": "4/9", "1": "5/9"}}),
    "R83 autofire": (("urutsk", {"name": "", "fire": "autofire", **POOR}, FIGURE, POINT_BLANK), {"a/hit": "2/3"}),
    "R83 single": (("urutsk", {"name": "", **POOR}, FIGURE, POINT_BLANK), {"a/hit": "5/6"}),
    "R85": (("urutsk", FIGURE, FIGURE, POINT_BLANK), {"a/destroy/never": "1/37"}),
    "R87 no shot": (("urutsk", {**BURST, "fate": 12}, {**BURST, "fate": 23}, POINT_BLANK), {"duel/lose": "1"}),
    "R87 low dice": (("urutsk", FIGURE, {**FIGURE, "fate": 2}, {}), {"a/destroy/by_round/1": "217/864"}),
}


@pytest.mark.parametrize(("asked", "fields"), ANSWERS.values(), ids=ANSWERS)
def test_a_duel_is_as_the_readings_say(asked, fields):
    answer = odds(*asked)
    for path, expected in fields.items():
        keys = (int(key) if key == "1" else key for key in path.split("/"))
        assert reduce(getitem, keys, answer) == expected, path
