"""Simulated battles: time beside that of a plain player, who reaches the same ends; shares beside exact odds. Forces
found for a budget, and fairness reports.
"""

import time
from functools import lru_cache
from itertools import groupby, islice

from django.conf import settings

from rosters import registry
from rosters.balance.dice import AddressedDice
from rosters.core import documents
from rosters.store import reports
from rosters.store.pairs import sample_pairs
from tests.balance.arenas import FORCES, GROUNDS, arena, deviations, plainly
from tests.balance.test_solver import large

FASTER = {"mini-combat": 50, "msc": 15}
"""By how much battles in arrays are to be faster than one by one; others are only measured."""
BLOCK, SAME, MANY, SEED = 500, 1_000, 1_000_000, 7
REPORT = 5
"""Seconds for the report of two sample forces."""
STEP = 0.5
"""Seconds between two looks at its progress, and so for one trial."""


def rows(wanted):
    """The figures of `tools.bench` whose names contain a word; raises AssertionError where battles end differently."""
    for system, cases in groupby(FORCES, key=lambda row: row[0]):
        if wanted in f"battle {system}":
            yield from _speeds(system, [*cases])
    for system, pairs in sample_pairs().items():
        if wanted in f"report {system}":
            yield from _report(system, *pairs[0])
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


def _report(system, *samples):
    """The time of a report of a game's matched pair, all its variants included, and of its longest trial."""
    sides = (registry.read(documents.parse((settings.ARMIES / f"{name}.json").read_bytes())) for name in samples)
    began, longest, tally, study = time.process_time(), 0, None, reports.study_of(*sides)
    try:
        while True:
            trial, start = study.send(tally), time.process_time()
            tally = reports.fight(trial, SEED)
            longest = max(longest, time.process_time() - start)
    except StopIteration:
        took = time.process_time() - began
    for figure, value, aim in ((f"report {system}", took, REPORT), (f"report {system}, longest trial", longest, STEP)):
        floor = {"floor": "the goal", "floor_value": aim, "ratio": value / aim}
        yield {"figure": figure, "value": value, "unit": "s", **floor, "aim": 1}
