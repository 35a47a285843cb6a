"""Exact odds: chains, errors, the numbered readings worked by hand, single rolls as icepool counts them, and laws."""

import itertools
import json
from fractions import Fraction

import icepool
import pytest

from rosters import registry
from rosters.balance import answers, odds
from rosters.balance.chains import solve
from rosters.core.documents import InvalidDocument
from rosters.core.odds import die_roll, product, with_chances
from rosters.registry import SYSTEMS
from tests.notation import ELEMENTS, profile, rows
from tests.support import FIXTURES

HALF = Fraction(1, 2)
WORDS = {"name": "Figure"}

CHAINS = {
    "a loop is divided by the chance to leave it": ({"s": {"s": HALF, "win": HALF}}, (1, 0, 0, 0, 2)),
    "two states that lead to each other": ({"s": {"t": 1}, "t": {"s": HALF, "lose": HALF}}, (0, 1, 0, 0, 4)),
    "a part that nothing leaves is never": (
        {"s": {"win": HALF, "t": HALF}, "t": {"u": 1}, "u": {"t": 1}},
        (HALF, 0, 0, HALF, None),
    ),
    "what loops for ever at once": ({"s": {"s": 1}}, (0, 0, 0, 1, None)),
}


@pytest.mark.parametrize(("edges", "expected"), CHAINS.values(), ids=CHAINS)
def test_a_chain_is_solved_exactly(edges, expected):
    solution = solve("s", edges.__getitem__)
    assert (*solution.ends.values(), solution.never, solution.expected) == expected


REFUSED = {
    "system": (("chess", WORDS, WORDS, {}), ["system"]),
    "elements": (("urutsk", {"close": "2"}, 5, {}), ["a/name", "a/close", "b"]),
    "conditions": (("urutsk", WORDS, WORDS, {"distance": 3, "cover": 1}), ["conditions/distance", "conditions/cover"]),
    "no object": (("urutsk", WORDS, WORDS, []), ["conditions"]),
    "Fate below 1": (("urutsk", WORDS, {**WORDS, "fate": 0}, {}), ["b/fate"]),
}


@pytest.mark.parametrize(("asked", "paths"), REFUSED.values(), ids=REFUSED)
def test_every_error_of_a_question_is_reported_with_its_path(asked, paths):
    with pytest.raises(InvalidDocument) as error:
        odds(*asked)
    assert sorted(fault.path for fault in error.value.faults) == sorted(paths)


def question(system, a, b, conditions):
    """What two elements and conditions in words ask for; commas make lists of sides."""
    found = profile(conditions.split(), {})
    found |= {name: value.split(",") for name, value in found.items() if name.endswith("bears")}
    return system, *(ELEMENTS[system](text, name="") for text in (a, b)), found


def by_name(table):
    return pytest.mark.parametrize("row", table, ids=[row[0] for row in table])


ATTACKS = rows("""  # attacker, target, conditions: chances to hit and to kill; a rifle hits on 3+ unless it moved
    R1 always hits = rifle IF to_hit=0 = rifle = distance=30 in_sight=False a_moved = 1 1
    R1 no attack = rifle to_hit=7 = rifle = = 0 0 | R2 = rifle = rifle = a_moved = 1/2 1/2
    R3 in reach = rifle = rifle = distance=40 = 2/3 2/3 | R3 out of reach = rifle = rifle = distance=41 = 0 0
    R4 = rifle = rifle Fly = distance=36 = 0 0 | R4 landed = rifle = rifle Fly:jump = distance=36 = 2/3 2/3
    R5 the better save = rifle = rifle save=5 = b_cover=4 = 2/3 1/3
    R5 cover ignored = rifle IC = rifle save=5 = b_cover=4 = 2/3 4/9
    R6 charge = rifle Ch to_hit=6 = rifle Den:Ch = = 1/3 1/3
    R6 near = rifle SS power=1 = rifle Den:SS = distance=25 = 2/3 0
    R6 far = rifle SS power=1 = rifle Den:SS = distance=26 = 2/3 2/3
    R7 = rifle to_hit=6 power=1 = rifle = b_rear = 1/2 1/2
    R7 infantry = rifle to_hit=6 power=1 = rifle kind=infantry = b_rear = 1/2 0
    R7 full armor = rifle to_hit=6 power=1 = rifle FA = b_rear = 1/2 0
    R8 = rifle Ch = rifle = a_moved = 2/3 2/3 | R9 melee = rifle MA SS power=2 = rifle armor=3 = = 2/3 2/3
    R9 equal = rifle MA power=2 = rifle armor=4 = = 2/3 0
    R9 fire = rifle MA power=2 = rifle armor=3 = distance=30 = 2/3 0 | R10, R7 = rifle Bmb power=0 = rifle = = 2/3 2/3
    R13 = rifle MoF = rifle = distance=30 = 1/2 1/2 | R13 moved = rifle MoF = rifle = distance=30 a_moved = 0 0
    R15 = rifle = rifle = distance=30 in_sight=False = 0 0
    R15 indirect, at no rear = rifle IF = rifle = distance=30 in_sight=False b_rear = 1/2 1/2
    R15 guided = rifle IF = rifle = distance=30 in_sight=False a_recon = 2/3 2/3
    R16 = rifle IF = rifle St = distance=30 = 0 0 | R16 seen = rifle = rifle St = distance=25 = 2/3 2/3
    R16 denied = rifle Den:St = rifle St = distance=30 = 2/3 2/3 | R16 scouts = rifle = rifle Sc = = 0 0
    R16 scouts that moved = rifle = rifle Sc = b_moved = 2/3 2/3
    R17 = rifle Cone range=0 = rifle = distance=10 = 2/3 2/3 | R18 = rifle (MoF) = rifle = = 1/2 1/2
""")


@by_name(ATTACKS)
def test_an_element_of_mini_combat_attacks_by_the_readings(row):
    _name, *asked, chances = row
    answer = odds(*question("mini-combat", *asked))["a"]
    assert f"{answer['hit']} {answer['kill']}" == chances
    assert answer["attacks"] == ("0" if chances == "0 0" else "1")


SIXTHS = {-4: 1, -3: 3, -2: 6, -1: 10, 0: 15, 1: 21, 2: 26, 3: 30, 4: 33, 5: 35, 6: 36}
"""In how many of 36 ways a D6 and this number are more than another D6."""
STANDS = rows("""  # A's score before the die; where scores are halved or doubled, the ways in 36 instead
    R31 half the strength = WBD = WBD = = 3 | R31 a charging warband = WBD = WBD = a_charges = 5
    R31 once for charge and general = WBD competent = WBD = a_charges = 5
    R31 a quarter for tanks = TNK medium breech-loader-79 = TNK medium breech-loader-79 = = 2
    R31 a quarter of 5 = TNK light = TNK medium breech-loader-79 = = 1
    R31 skirmishers after 1906 = SKI/F post_1906 guided = WBD = = 2 | R31 elephants = PKE elephant = WBD = = 5
    R32 cavalry against guns = CAV/U = ART smoothbore = = 5 | R32 cavalry against cavalry = CAV/U = CAV/U = = 3
    R32 foot against tanks = WBD = TNK medium breech-loader-79 = = 4
    R32 in woods, which shelter no tank = WBD = TNK medium breech-loader-79 = b_cover = 5
    R33 no charge at pikes = CAV/U = PKE = a_charges = 5 | R34 cover = WBD = MSK = b_cover = 15/36
    R34 cover, on the flank = WBD = MSK = b_cover b_aspect=flank = 31/36 | R35 armor = WBD = INF/A = = 1
    R35 no armor = WBD = INF/A = modern = 3 | R35 muskets = MSK = INF/A = = 5
    R35 after 1906 = SKI/F post_1906 guided = INF/A = = 2 | R35 armor against muskets = MSK = INF/A = modern=False = 3
    R36 skirmishers at skirmishers = SKI/F = SKI/F = distance=1 = -2
    R36 with rifles = SKI/F = SKI/F = distance=2 a_arm=rifle = 0 | R36 bows at armor = ARC = INF/A = distance=1 = 1
    R36 matchlocks at armor = ARC = INF/A = distance=1 a_arm=musket = 3
    R36 torsion at armor = ART torsion = INF/A = distance=2 = 0 | R36 support weapons = SKI/S = MSK = distance=3 = 3
    R36 a tank at a heavy one = TNK medium breech-loader-79 = TNK heavy = distance=4 = 1
    R36 rear = MSK = MSK = distance=1 b_aspect=rear = 6
    R37 beyond a tank's reach = TNK medium breech-loader-79 = MSK = distance=5 = 0/36
    R37 longbows = ARC = MSK = distance=2 a_arm=longbow = 3
    R37 horse artillery = ART smoothbore horse = MSK = distance=4 = 0/36
    R38 guided at a tank = SKI/F post_1906 guided = TNK light = distance=4 = 2
    R38 guided at aircraft = SKI/F post_1906 guided = AIR = distance=2 = 4
    R39 cover = ART smoothbore = MSK = distance=4 b_cover = 15/36
    R39 entrenched = ART smoothbore = MSK = distance=4 b_cover b_entrenched = 6/36
    R39 indirect, at cover = ART smoothbore = CAV/U = distance=4 a_indirect b_cover = 6/36
    R40 off the board = ART breech-loader-130 off_board = MSK = distance=10 = 18/36
    R41 aircraft = AIR fighter = MSK = distance=1 = 0/36 | R41 at aircraft on contact = MSK = AIR = = 0/36
""")


@by_name(STANDS)
def test_a_stand_of_6mm_hits_by_the_tables(row):
    _name, *asked, score = row
    chance = Fraction(score) if "/" in score else Fraction(SIXTHS[int(score)], 36)
    assert odds(*question("6mm", *asked))["a"]["hit"] == str(chance)


ANSWERS = rows("""  # system, elements and conditions: fields of the answer by their path
    R11, R19 = mini-combat = rifle MW:2 = rifle to_hit=0 = b_models=3
        = a/turn/0=1/9 a/turn/1=4/9 a/turn/2=4/9 a/attacks=2 a/rate=4/3
    R11 without weapons = mini-combat = rifle MW:0 = rifle to_hit=0 = = a/attacks=0 a/hit=0 duel/lose=1
    R12 = mini-combat = rifle Feot save=4 to_hit=0 = rifle Feot save=4 to_hit=0 = distance=30
        = a/destroy/by_round/0=1/2 a/destroy/by_round/1=0 a/destroy/by_round/2=1/4 a/destroy/by_round/3=0
          a/destroy/by_round/4=1/8 a/destroy/by_round/5=0 duel/expected=5/3
    R12 in melee = mini-combat = rifle Feot save=4 to_hit=0 = rifle Feot save=4 to_hit=0 = = a/destroy/expected=2
    R14 = mini-combat = rifle OS to_hit=0 = rifle Feot save=4 to_hit=0 = = a/destroy/never=1/2 a/destroy/expected=None
    R16 until they attack = mini-combat = rifle Sc = rifle Sc = = duel/never=1 duel/draw=1
    R20 = mini-combat = rifle to_hit=0 = rifle morale=4 = b_models=2
        = a/turn/1=1 a/turn_kill=1/2 a/destroy/expected=3/2
    R20 the survivor = mini-combat = rifle to_hit=0 = rifle to_hit=0 morale=4 = b_models=2
        = exchange/b_only=3/4 exchange/neither=1/4 duel/lose=3/4
    R21 = mini-combat = rifle 5c = rifle to_hit=0 = b_models=3 b_caught=2 = a/turn/0=1/9 a/turn/1=4/9 a/turn/2=4/9
    worked: riflemen = mini-combat = rifle = rifle = distance=20 = a/hit=2/3 a/attacks=1 duel/win=1/2 duel/expected=9/8
    R11, R21 rolls before templates = mini-combat = rifle MW:2 5c = rifle = a_models=3 b_caught=3 = a/attacks=6

    worked: a smoothbore at muskets = 6mm = ART smoothbore = MSK = distance=4
        = a/hit=5/6 a/kill=1/6 a/turn/6=1/6 a/turn_kill=5/12 b/turn/0=1
    R30 the strength of a general's stand, the lead of another = 6mm = WBD superior = WBD = a_general=inferior
        = initiative=10/31 a/hit=11/12

    R51 never = msc = 0 1 3 F = 0 1 3 F = aspect=fixed distance=7 = a/hit=0 duel/never=1
    R51 always = msc = 0 1 4 F = 0 1 3 F = aspect=fixed distance=0 = a/hit=1
    R52 = msc = 0 1 3 F = 0 1 3 F = aspect=fixed distance=4
        = a/damage/weapon=1/12 a/kill=5/12 exchange/both=3/8 exchange/a_only=5/16
    R53 = msc = 0 1 3 F F FL R = 0 3 3 F = aspect=fixed distance=4 a_bears=F,FL,R
        = a/turn/0=1/3 a/turn/1=71/144 a/turn/2=25/144
    R54 weapons lost in the same round = msc = 0 1 3 F = 0 1 3 F = distance=4
        = exchange/both=27/32 exchange/a_only=5/64
    R54, R55 = msc = 0 1 3 = 0 1 3 F = distance=4 = a/kill=35/72 a/rate=0
    R51, R54 a shot over all sides = msc = 3 3 3 F FL FR = 3 3 3 F FL FR =
        = a/hit=1/2 a/damage/none=1/2 a/damage/shield=3/8 a/damage/engine=1/12 a/damage/weapon=1/24
    R56 at most all = msc = 0 1 3 F x3 = 0 1 3 F = = strategic/b_lost/0=4/9 strategic/b_lost/1=5/9
    R56 one die to attack, one to save = msc = 3 3 3 F FL FR = 3 3 3 F FL FR =
        = strategic/b_lost/0=7/9 strategic/b_lost/1=2/9 strategic/a_lost/0=67/81 strategic/a_lost/1=14/81
    R56 no dice below 0 = msc = 3 3 -9 F FL FR = 3 3 3 F FL FR = = a/hit=0 strategic/b_lost/0=1

    worked: hero against troop = vsgmr = hero = troop = = duel/win=3/5 a/save=None
    R61 the higher kill, R65, R66 = vsgmr = troop distance automatic_fire = troop heavy = b_cover
        = a/hit=5/9 a/kill=5/18 a/save=1/2
    R61 a tie, R70 = vsgmr = troop double-strike sharpshooter distance = troop light = = a/hit=1/2 a/turn_kill=65/144
    R70 area effect = vsgmr = troop area-effect-attack distance = troop light = distance=12
        = a/kill=5/18 a/turn_kill=1715/5832
    R62 mooks = vsgmr = troop = mook light = = a/save=0 b/hit=1/3
    R62 vehicles = vsgmr = troop = vehicle tough = = a/save=1/2 b/hit=2/3
    R64 out of reach = vsgmr = troop distance automatic_fire = troop = distance=13 = a/hit=0 a/save=None duel/never=1
    R64 beyond a sniper = vsgmr = troop sniper distance automatic_fire = troop = distance=25 = a/hit=0
    R65 stealth in cover = vsgmr = hero sniper distance = troop stealth = distance=24 b_cover = a/hit=1/6
    R67 = vsgmr = mook super-fight:superior = troop = = a/hit=2/3
    R68 = vsgmr = troop super-move:superior = troop = = initiative=10/11
    R69 = vsgmr = troop ignores-armor = troop heavy = = a/kill=3/8 a/save=1/4
    R71 = vsgmr = vehicle combat-master = troop cause-fear = = a/hit=2/3
    R72 attacks = vsgmr = troop inspiration = troop = = a/hit=1/2 a/turn_kill=3/4
    R72 armor = vsgmr = troop = troop inspiration heavy = = a/kill=1/4 a/turn_kill=1/8
    R72 once a round = vsgmr = troop inspiration heavy = troop = = exchange/b_only=3/32
    R73 = vsgmr = troop = troop revenge inspiration = = exchange/neither=5/32 a/turn_kill=1/2

    R81, R82, R87 = urutsk = ranged=1 = fate=3 = distance=short
        = initiative=None a/hit=5/6 a/injure=1/6 a/kill=1/2 a/turn/7=1/36
    R83 autofire = urutsk = fire=autofire poor_condition = = distance=point-blank = a/hit=2/3
    R83 single = urutsk = poor_condition = = distance=point-blank = a/hit=5/6
    R84 = urutsk = fire=burst = fate=12 = distance=long = a/turn/12=1 a/injure=1 a/kill=0
    R85 = urutsk = = = distance=point-blank = a/destroy/never=1/37
    R86 ties = urutsk = = fate=6 = = a/hit=1 a/kill=7/72
    R87 no shot = urutsk = fire=burst fate=12 = fire=burst fate=23 = distance=point-blank = duel/lose=1
    R87 low dice = urutsk = = fate=2 = = a/destroy/by_round/1=217/864
""")


@by_name(ANSWERS)
def test_odds_are_as_the_readings_say(row):
    _name, *asked, fields = row
    answer = odds(*question(*asked))
    for path, value in (each.rsplit("=", 1) for each in fields.split()):
        field = answer
        for key in path.split("/"):
            field = field[int(key) if isinstance(field, list) or {*map(type, field)} == {int} else key]
        assert str(field) == value, path
    for side in "ab":
        assert sum(map(Fraction, answer[side]["turn"].values())) == 1


SAMPLES = {}
"""The elements of the samples of each game."""
for _path in sorted(FIXTURES.glob("armies/*/*.json")):
    SAMPLES.setdefault(_path.parent.name, []).extend(registry.read(json.loads(_path.read_text("utf-8"))).elements)
PLACES = {"mini-combat": (0, 20), "6mm": (0, 2), "msc": (3,), "vsgmr": (0, 10), "urutsk": ("melee", "short")}


@pytest.mark.parametrize("slug", PLACES)
def test_the_receipts_of_samples_multiply_to_their_chances(slug):
    game, elements = SYSTEMS[slug].odds, [each for each in SAMPLES[slug] if not [*SYSTEMS[slug].odds.problems(each)]]
    for place, a, b in itertools.product(PLACES[slug], elements[::3], elements[::2]):
        duel = game.Duel(a, b, game.Conditions(distance=place), Fraction)
        facts, receipts = duel.facts("a"), duel.receipts("a")
        assert {"hit", "kill"} <= {*receipts}
        assert {name: product(receipt) for name, receipt in receipts.items()} == {
            name: facts[name] for name in receipts
        }


SHOT = icepool.d6.highest(2)
SINGLE_ROLLS = {
    "vsgmr = troop distance automatic_fire = troop = distance=12": SHOT >= 5,
    "vsgmr = hero sharpshooter support support=distance distance automatic_fire = troop cause-fear = ": SHOT.map(
        lambda face: face + 3 >= 5 and face > 2
    ),
    # a tripled score less a die
    "6mm = SKI/F = PKE = b_aspect=rear b_cover": 3 * icepool.d6.map(lambda face: (face + 1) // 2) - icepool.d6 > 0,
    "msc = 3 3 3 F FL FR = 3 3 3 F FL FR = distance=6": icepool.d6 + 1 <= 3,
    "urutsk = ranged=2 = = distance=extreme b_cover=1": icepool.d6 + 2 - 4 - 1 >= 2,
    "mini-combat = rifle to_hit=6 range=20 = rifle = distance=5 a_moved b_rear": icepool.d6 + 1 >= 6,
}


@pytest.mark.parametrize("text", SINGLE_ROLLS)
def test_a_single_roll_agrees_with_icepool(text):
    assert odds(*question(*rows(text)[0]))["a"]["hit"] == str(Fraction(SINGLE_ROLLS[text].probability(True)))


def test_a_number_that_a_die_must_show_has_its_chance_on_cards_and_help_pages_and_marks_are_ignored():
    marked = {**WORDS, "marks": [{"fate": 1}] * 2}
    assert odds("urutsk", marked, WORDS) == odds("urutsk", WORDS, WORDS)
    rolls = [die_roll(*roll) for roll in ((4,), (1,), (7,), (7, 8), (5, 6, 2))]
    assert [roll and roll.percent for roll in rolls] == ["50\u00a0%", None, None, "25\u00a0%", "56\u00a0%"]
    assert with_chances("On 4+, not 8+; 4+ 5+ 6", lambda roll: roll.percent) == "On 4+ (50\u00a0%), not 8+; 4+ 5+ 6"


CASES = rows("""  # of every game, with all that its rounds remember
    mini-combat = rifle Ch MA save=5 armor=2 morale=4 = rifle MW:2 save=5 morale=4 = a_models=3 b_models=4
    mini-combat = rifle 5c OS save=5 morale=4 = rifle Feot save=5 morale=4 = distance=20 b_models=3 b_caught=2
    mini-combat = rifle Den:St save=5 = rifle St MoF armor=2 = distance=30 a_cover=4 b_models=2
    mini-combat = rifle IF Bmb armor=2 morale=4 = rifle IF Sc = distance=35 in_sight=False
    6mm = WBD good = INF/A = a_charges b_cover | 6mm = CAV/U superior = PKE = b_aspect=flank a_charges
    6mm = ART torsion = MSK = distance=2 b_arm=rifle b_indirect
    6mm = TNK breech-loader-130 = SKI/F post_1906 guided = distance=4
    msc = 1 2 4 F FL RR = 2 2 5 F = distance=1 | msc = 1 2 4 F FL R = 0 3 5 F FR = aspect=fixed a_bears=F,FL
    vsgmr = hero inspiration revenge double-strike ignores-armor light super-move:major
        = hero inspiration revenge cause-fear commander distance =
    vsgmr = hero inspiration revenge cause-fear commander distance
        = vehicle area-effect-attack inspiration distance automatic_fire = distance=12 a_cover
    vsgmr = mook super-fight:superior = hero inspiration revenge double-strike light = b_cover
    urutsk = ranged=1 close=2 fate=4 fire=autofire poor_condition = ranged=1 close=2 fate=2 = distance=short
    urutsk = ranged=1 close=2 fate=4 fire=burst = weapon_ability=3 fate=4 = distance=extreme b_cover=1
    urutsk = close=2 fate=2 = close=3 fate=5 =
""")


def numbers(value):
    """Every number of an answer as a float, in order; −1 for null."""
    if isinstance(value, dict | list):
        return [each for part in (value.values() if isinstance(value, dict) else value) for each in numbers(part)]
    return [-1.0 if value is None else float(Fraction(value))]


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_chances_add_up_floats_are_exact_and_sides_can_be_swapped(case):
    system, a, b, conditions = question(*case)
    answer, fast = (odds(system, a, b, conditions, exact=exact) for exact in (True, False))
    duel, first = answer["duel"], answer["exchange"]
    assert sum(Fraction(duel[end]) for end in ("win", "lose", "draw")) == sum(map(Fraction, first.values())) == 1
    assert numbers({**fast, "conditions": {}}) == pytest.approx(numbers({**answer, "conditions": {}}), 1e-12, 1e-12)
    swapped = {{"a_": "b_", "b_": "a_"}.get(key[:2], key[:2]) + key[2:]: value for key, value in conditions.items()}
    mirror = odds(system, b, a, swapped)
    assert (mirror["a"], mirror["b"], mirror["duel"]["win"]) == (answer["b"], answer["a"], duel["lose"])
    assert (mirror["exchange"]["a_only"], mirror["exchange"]["both"]) == (first["b_only"], first["both"])
    assert odds(system, a, a)["a"] == odds(system, a, a)["b"]  # no side has an advantage by default


def test_a_question_of_the_network_is_given_up_when_its_time_is_over(monkeypatch):
    ship = ELEMENTS["msc"]("3 3 3 F FL FR", name="")
    question = {"system": "msc", "a": ship, "b": ship}
    monkeypatch.setattr(answers, "MAX_SECONDS", -1)
    assert answers.answer(question)["initiative"] == "1/2"
    with pytest.raises(InvalidDocument, match="choose fewer models or weapons"):
        answers.answer(question, limited=True)
