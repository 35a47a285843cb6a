"""Addressed dice: a die is a function of seed, battle, turn, unit and roll, so that a changed force meets the same luck
(common random numbers) and one battle can be fought again alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.random import Philox

from rosters.core.simulation import Array

WORDS = 4
"""Random words that Philox 4x64-10 makes from one counter: those of four battles."""
HALF = np.uint64(32)
MAX_CACHED_BYTES = 32 * 2**20
"""The memory for rolled dice."""


@lru_cache(1)
def shared_dice(seed: int, battles: int, first: int = 0) -> AddressedDice:
    """The dice of some battles, which stay in memory: the variants of a report ask for the same ones again."""
    return AddressedDice(seed, battles, first)


class AddressedDice:
    """The dice of the battles ``first``, ``first`` + 1, …, for a seed from 0 to 2**64 − 1.

    The die of battle b is word b mod 4 of Philox 4x64-10 with the key (seed, 0) and the counter
    (1 + b div 4, roll, unit, turn); its upper 32 bits, scaled, are the face.
    """

    def __init__(self, seed: int, battles: int, first: int = 0) -> None:
        self.battles = battles
        self._block, self._skipped = divmod(first, WORDS)
        self._generator = Philox(key=np.array([seed, 0], np.uint64))
        self._state = self._generator.state  # set again and again: making a generator takes as long as 2,000 dice
        self._cached: dict[object, Array] = {}
        self._cached_bytes = 0

    def roll(self, turn: int, unit: int, roll: int, sides: int = 6) -> Array:
        """One die of each battle, 1 to ``sides``."""
        return self.rolls(turn, [(unit, roll)], sides)[0].astype(np.int64)

    def rolls(self, turn: int, addresses: Sequence[tuple[int, int]], sides: int = 6) -> Array:
        """The dice of several units and rolls, each a row of bytes, to be compared and not calculated with."""
        key = turn, sides, *addresses
        dice = self._cached.get(key)
        if dice is None:
            dice = self._rolls(turn, addresses, sides)
            dice.flags.writeable = False
            self._cached_bytes += dice.nbytes
            if self._cached_bytes <= MAX_CACHED_BYTES:
                self._cached[key] = dice
        return dice

    def _rolls(self, turn: int, addresses: Sequence[tuple[int, int]], sides: int) -> Array:
        words = np.empty((len(addresses), self.battles), np.uint64)
        for row, (unit, roll) in enumerate(addresses):
            words[row] = self._words(turn, unit, roll)
        words >>= HALF
        words *= np.uint64(sides)
        words >>= HALF
        return words.astype(np.int8) + np.int8(1)

    def _words(self, turn: int, unit: int, roll: int) -> Array:
        """The random words of an address, one a battle."""
        # NumPy adds 1 to the counter before it makes the first words.
        self._state["state"]["counter"][:] = self._block, roll, unit, turn
        self._generator.state = self._state
        return self._generator.random_raw(self._skipped + self.battles)[self._skipped :]
