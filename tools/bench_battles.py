"""Simulated battles: time beside that of a plain player, who reaches the same ends; shares beside exact odds. Forces
found for a budget.
"""

import time
from functools import lru_cache
from itertools import groupby, islice

from rosters.balance.dice import AddressedDice
from tests.balance.arenas import FORCES, GROUNDS, arena, deviations, plainly
from tests.balance.test_solver import large

FASTER = {"mini-combat": 50, "msc": 15}
"""By how much battles in arrays are to be faster than one by one; others are only measured."""
BLOCK, SAME, MANY, SEED = 500, 1_000, 1_000_000, 7


def rows(wanted):
    """The figures of `tools.bench` whose names contain a word; raises AssertionError where battles end differently."""
    for system, cases in groupby(FORCES, key=lambda row: row[0]):
        if wanted in f"battle {system}":
            yield from _speeds(system, [*cases])
    start = time.process_time()
    proven = [*islice(large().ranked(), 20)]
    value = (time.process_time() - start) * 1000
    floor = {"floor": "a second", "floor_value": 1000, "ratio": value / 1000, "aim": 1}
    yield {"figure": f"solver, 200 designs, best {len(proven)}", "value": value, "unit": "ms", **floor}
    for row in GROUNDS:
        figure = f"battle {row[0]} as exact odds: {row[1]} at {row[3]}"
        if wanted in figure:
            value = max(deviations(row, MANY, SEED))
            floor = {"floor": f"standard deviations of {MANY:,}", "floor_value": 1, "ratio": value}
            yield {"figure": figure, "value": value, "unit": "σ", **floor, "aim": 4}


@lru_cache(1)
def _dice(seed, battle):
    return AddressedDice(seed, 1, battle)


def _die(seed, battle, turn, unit, roll, sides=6):
    """One die, by NumPy: three times as fast as the tests' own Philox."""
    return int(_dice(seed, battle).roll(turn, unit, roll, sides)[0])


def _speeds(system, cases):
    """The time of a battle of a game's last forces, a duel; all its forces are fought by a plain player, too."""
    share = -(-SAME // len(cases))
    for row in cases:
        fought = arena(*row)
        fought.fight(1, SEED)
        start = time.process_time()
        outcome = fought.fight(max(BLOCK, share), SEED)
        fast = (time.process_time() - start) / max(BLOCK, share)
        start = time.process_time()
        plain = [plainly(system, fought, SEED, battle, _die) for battle in range(share)]
        slow = (time.process_time() - start) / share
        assert plain == [*zip(*outcome, strict=True)][:share], row
    aim = {"aim": 1 / FASTER[system]} if system in FASTER else {}
    yield {
        "figure": f"battle {system}: {cases[-1][1]} against {cases[-1][2]}",
        "value": fast * 1000,
        "unit": "ms",
        "floor": "by a plain player",
        "floor_value": slow * 1000,
        "ratio": fast / slow,
        **aim,
    }
