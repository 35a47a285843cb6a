"""Battles that a plain player fights too, and fixed grounds whose odds are known, for tests and tools/bench_battles."""

from functools import partial

from rosters import registry
from rosters.balance import odds
from rosters.balance.arena import Arena
from rosters.core.simulation import Battlefield
from tests.balance import plain_mini_combat, plain_msc, plain_six_mm, plain_urutsk, plain_vsgmr
from tests.balance.philox import die
from tests.notation import ELEMENTS, profile, rows

PLAYERS = {"mini-combat": plain_mini_combat, "6mm": plain_six_mm, "msc": plain_msc, "vsgmr": plain_vsgmr}
PLAYERS["urutsk"] = plain_urutsk
"""For each game a module with ``play(forces, policies, die, battlefield)``: winner, turns, and the points left of both
sides in one battle; ``die(turn, unit, roll, sides=6)`` is a die."""

FORCES = rows("""  # system = elements of A = elements of B = policies of A and B
    mini-combat = line x5 ; line command morale=2 / gun MoF Feot x2 = line Ch range=0 x7 / rifle St movement=15 x3 =
    mini-combat = line Sc MW:2 x3 / line Org Den:Ch Den:St x4 = line Fly save=4 x3 / rifle Bmb OS movement=5 Sc x2 =
    mini-combat = rifle Cone range=0 movement=20 x3 ; line MoF 10c x2 = line Den:Fly Den:MW x4 / line Fly MW:3 SS x2 =
    mini-combat = line MW:90 x9 = line x1 =
    mini-combat = rifle Sc to_hit=None / line Feot Den:Feot x5 = line Ch MA x4 / line St movement=30 x3 / gun FA =
    mini-combat = line x9 ; line command to_hit=3 / line x9 = line range=0 Ch movement=15 x9 / rifle St movement=9 x6 =
    6mm = WBD x5 ; CAV/U inferior ; SKI/F x2 = INF/A agreed=1 x3 ; ARC ; CAV/U competent ; ART torsion animal =
    6mm = CAV/U x4 ; CAV/A superior ; SKI/M x2 = ART smoothbore none x3 ; MSK x3 ; PKE elephant ; SKI/F =
    6mm = SKI/F post_1906 good guided x4 ; SKI/S ; ART breech-loader-130 off_board = TNK heavy breech-loader-79 x4 =
    6mm = MSK x5 ; SKI/M superior ; ART smoothbore horse x2 = MSK good x3 ; CAV/U x2 ; CAV/A competent =
    msc = 3 3 3 F FL FR x2 ; 5 2 1 RL RR F = 2 4 3 F FL FR x2 ; 0 1 6 F R = hunt solo
    msc = 3 3 3 F FL FR x3 = 5 4 5 F x4 = solo solo | msc = 5 2 2 F FL RL x3 = 3 3 3 F FL FR x3 = solo hunt
    msc = 1 5 3 F FL FR RL RR x6 = 3 4 2 F FR RR x4 = hunt hunt | msc = 4 4 5 F = 3 3 3 F FL FR = hunt hunt
    vsgmr = hero commander inspiration distance ; troop automatic_fire distance x4 ; vehicle distance area-effect-attack
        = hero double-strike light x2 ; cavalry x2 ; mook stealth x4 ; troop cause-fear revenge super-move:minor =
    vsgmr = hero ignores-armor super-fight:major inspiration revenge x3 ; cavalry large independent heavy tough
        = troop sniper distance super-blast:minor sharpshooter x2 ; vehicle cause-fear ; hero light inspiration x2 =
    vsgmr = troop light inspiration = hero distance automatic_fire =
    urutsk = ranged=2 close=2 fate=5 ; ranged=1 fire=autofire poor_condition fate=3 x3 ; close=3 fate=4 x2
        = ranged=1 close=1 weapon_ability=2 fate=3 x4 ; fire=burst fate=2 ; close=2 fate=6 x3 =
    urutsk = ranged=1 close=1 fate=4 = ranged=2 fate=3 weapon_ability=5 =
""")

GROUNDS = rows("""  # system = A = B = distance = conditions of the exact odds
    mini-combat = rifle Feot x4 = rifle 5c morale=4 x3 = 30 = distance=30 a_models=4 b_models=3 a_caught=2
    mini-combat = rifle MoF St save=5 x2 = rifle MW:2 OS Den:St x2 = 40 = distance=40 a_models=2 b_models=2
    mini-combat = rifle Ch x3 = rifle Sc MA armor=3 x2 = 0 = a_models=3 b_models=2
    6mm = MSK superior = ART smoothbore = 1 = distance=1 | 6mm = WBD = INF/A poor = 0 = distance=0
    msc = 3 2 4 F FL = 2 3 3 F RR = 3 = distance=3 aspect=fixed
    msc = 3 2 2 F FL FR = 0 4 1 F = 0 = distance=0 aspect=fixed a_bears=F,FL,FR
    vsgmr = hero inspiration revenge double-strike ignores-armor light super-move:major
        = hero inspiration revenge cause-fear commander distance = 0 =
    vsgmr = hero inspiration revenge cause-fear commander distance sniper
        = vehicle independent area-effect-attack inspiration distance automatic_fire stealth = 12 = distance=12
    vsgmr = mook super-fight:superior = hero inspiration revenge double-strike light distance = 0 =
    urutsk = ranged=1 close=2 fate=4 fire=autofire poor_condition = ranged=1 fate=2 = 1 = distance=short
    urutsk = fire=burst fate=12 = weapon_ability=3 fate=23 = 0 = distance=point-blank
    urutsk = close=2 fate=2 = close=3 fate=5 = -1 =
""")
ROUNDS = 6
"""Rounds of a battle on a fixed ground: as many as exact odds are known for one by one."""


def roster(system, text):
    """A roster of elements in words; formations are parted by slashes."""
    formations = [
        {"name": "", "elements": [ELEMENTS[system](words.strip(), name=words.strip()) for words in each.split(";")]}
        for each in text.split(" / ")
    ]
    data = {"format": "armybuilder-roster", "version": 1, "system": system, "name": text[:120]}
    return registry.read({**data, "formations": formations})


def arena(system, a, b, policies="", field=None):
    """Two forces in words that face each other."""
    sides = dict(zip("ab", policies.split(), strict=False))
    return Arena(roster(system, a), roster(system, b), sides, field)


def plainly(system, fought, seed, battle, die=die):
    """The end of one battle as the plain player of its game reaches it."""
    end = PLAYERS[system].play(fought.forces, fought.policies, partial(die, seed, battle), fought.battlefield)
    return (*end[:2], *(points / fought.scale for points in end[2:]))


def wins(row, battles, seed, block=5_000):
    """How often A and B destroy the other within `ROUNDS` on a fixed ground, and the exact chances of both."""
    system, a, b, distance, conditions = row
    fixed = arena(system, a, b, field=Battlefield(int(distance), ROUNDS))
    counts = [0, 0]
    for first in range(0, battles, block):
        outcome = fixed.fight(min(block, battles - first), seed, first)
        beaten = outcome.b_left == 0, outcome.a_left == 0
        counts = [count + int((one & ~two).sum()) for count, one, two in zip(counts, beaten, beaten[::-1], strict=True)]
    known = profile(conditions.split(), {})
    known |= {key: value.split(",") for key, value in known.items() if key.endswith("bears")}
    elements = [ELEMENTS[system](words, name="") for words in (a, b)]
    return counts, odds(system, *elements, known, exact=False)["duel"]["by_round"][ROUNDS - 1][:2]


def deviations(row, battles, seed):
    """By how many standard deviations the shares of wins and losses differ from the exact odds."""
    counts, chances = wins(row, battles, seed)
    pairs = zip(counts, chances, strict=True)
    return [
        abs(count - battles * p) / (battles * p * (1 - p)) ** 0.5 if 0 < p < 1 else abs(count - battles * p)
        for count, p in pairs
    ]
