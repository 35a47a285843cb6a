"""The exact odds against plain players with fixed dice, and what is true of all odds."""

from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from rosters.balance import odds
from tests.balance.players import events

DUELS = 600
SIGMAS = 4
OUT = {"win": (False, True), "lose": (True, False), "draw": (True, True)}


def unit(codes="", **profile):
    """An element of Mini Combat; each code alone, with a count (MW3) or with what it denies (Den:St)."""
    capabilities = []
    for code in codes.split():
        name, _colon, denied = code.partition(":")
        count = {"count": int(name[2:])} if name[:2] == "MW" else {}
        capabilities.append({"code": "MW" if count else name, **count, **({"denies": denied} if denied else {})})
    stats = {"to_hit": 4, "range": 40, "save": 5, "power": 3, "armor": 2, "morale": 4}
    return {"name": "", **stats, **profile, "capabilities": capabilities}


def figure(kind, traits="", **profile):
    return {"name": "", "kind": kind, "traits": traits.split(), **profile}


def stand(type, **profile):
    return {"name": "", "type": type, **profile}


def ship(engine, shield, to_hit, weapons):
    return {"name": "", "engine": engine, "shield": shield, "to_hit": to_hit, "weapons": weapons.split()}


def fighter(**profile):
    return {"name": "", "ranged": 1, "close": 2, "fate": 4, **profile}


SEER = figure("hero", "inspiration revenge double-strike ignores-armor", armor="light", powers={"super-move": "major"})
DUKE = figure("hero", "inspiration revenge cause-fear", commander=True, distance=True)
TURRET = figure("vehicle", "area-effect-attack inspiration", distance=True, automatic_fire=True)

CASES = {
    "melee with morale": ("mini-combat", unit("Ch MA"), unit("MW2", armor=1), {"a_models": 3, "b_models": 4}),
    "templates, one shot": ("mini-combat", unit("5c OS"), unit("Feot"), {"distance": 20, "b_models": 3, "b_caught": 2}),
    "denied stealth": ("mini-combat", unit("Den:St"), unit("St MoF"), {"distance": 30, "a_cover": 4, "b_models": 2}),
    "indirect": ("mini-combat", unit("IF Bmb"), unit("IF Sc", save=None), {"distance": 35, "in_sight": False}),
    "a charge": ("6mm", stand("WBD", quality="good"), stand("INF/A"), {"a_charges": True, "b_cover": True}),
    "a flank": ("6mm", stand("CAV/U", general="superior"), stand("PKE"), {"b_aspect": "flank", "a_charges": True}),
    "guns": ("6mm", stand("ART", gun="torsion"), stand("MSK"), {"distance": 2, "b_arm": "rifle", "b_indirect": True}),
    "tanks": (
        "6mm",
        stand("TNK", gun="breech-loader-130"),
        stand("SKI/F", post_1906=True, guided=True),
        {"distance": 4},
    ),
    "any side": ("msc", ship(1, 2, 4, "F FL RR"), ship(2, 2, 5, "F"), {"distance": 1}),
    "fixed sides": ("msc", ship(1, 2, 4, "F FL R"), ship(0, 3, 5, "F FR"), {"aspect": "fixed", "a_bears": ["F", "FL"]}),
    "rerolls": ("vsgmr", SEER, DUKE, {}),
    "fire": ("vsgmr", DUKE, TURRET, {"distance": 12, "a_cover": True}),
    "a mook with powers": ("vsgmr", figure("mook", powers={"super-fight": "superior"}), SEER, {"b_cover": True}),
    "autofire": ("urutsk", fighter(fire="autofire", poor_condition=True), fighter(fate=2), {"distance": "short"}),
    "a burst": ("urutsk", fighter(fire="burst"), fighter(weapon_ability=3), {"distance": "extreme", "b_cover": 1}),
    "melee": ("urutsk", fighter(fate=2), fighter(close=3, fate=5), {}),
}
all_cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def chances(answer):
    """The chance of each event that plain players count."""
    events = {(side, "turn", int(lost)): chance for side in "ab" for lost, chance in answer[side]["turn"].items()}
    for side, end in (("a", "win"), ("b", "lose")):
        rounds = enumerate(answer[side]["destroy"]["by_round"], 1)
        events |= {(side, OUT[end], number): chance for number, chance in rounds}
    before = ["0"] * 3
    for number, now in enumerate(answer["duel"]["by_round"], 1):
        for end, chance, earlier in zip(OUT, now, before, strict=True):
            events["duel", OUT[end], number] = Fraction(chance) - Fraction(earlier)
        before = now
    return {event: float(Fraction(chance)) for event, chance in events.items()}


@all_cases
def test_plain_players_agree_with_the_exact_odds(case):
    roll = Random(7).random
    seen = events(*case, DUELS, lambda sides: int(roll() * sides) + 1)
    expected = chances(odds(*case))
    for event in {*seen, *expected}:
        if event[:2] != ("duel", "turn"):  # what both took in a round of both is no field
            chance = expected.get(event, 0)
            spread = sqrt(max(1, DUELS * chance * (1 - chance)))  # of rare events a few are no sign
            assert abs(seen[event] - DUELS * chance) <= SIGMAS * spread, event


@all_cases
def test_chances_add_up_and_sides_can_be_swapped(case):
    system, a, b, conditions = case
    answer = odds(*case)
    duel, first = answer["duel"], answer["exchange"]
    for parts in (
        [duel[end] for end in OUT],
        first.values(),
        answer["a"]["turn"].values(),
        answer["b"]["turn"].values(),
    ):
        assert sum(Fraction(each) for each in parts) == 1
    swapped = {{"a_": "b_", "b_": "a_"}.get(key[:2], key[:2]) + key[2:]: value for key, value in conditions.items()}
    mirror = odds(system, b, a, swapped)
    assert (mirror["a"], mirror["b"], mirror["duel"]["win"]) == (answer["b"], answer["a"], duel["lose"])
    assert (mirror["exchange"]["a_only"], mirror["exchange"]["both"]) == (first["b_only"], first["both"])


def numbers(value):
    """Every number of an answer as a float, in order; −1 for null."""
    if isinstance(value, dict | list):
        return [each for part in (value.values() if isinstance(value, dict) else value) for each in numbers(part)]
    return [-1.0 if value is None else float(Fraction(value))]


@all_cases
def test_floats_are_the_exact_odds(case):
    exact, fast = (numbers({**odds(*case, exact=exact), "conditions": {}}) for exact in (True, False))
    assert fast == pytest.approx(exact, rel=1e-12, abs=1e-12)
