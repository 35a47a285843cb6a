"""Philox 4x64-10 in plain Python, and addressed dice made of it: a second opinion on NumPy's, one die at a time.

Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
"""

from functools import lru_cache

MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
MASK = 2**64 - 1


@lru_cache(2**16)
def philox(key, counter):
    """The four words of a counter."""
    for _round in range(10):
        first, second = (counter[place] * by for place, by in zip((0, 2), MULTIPLIERS, strict=True))
        high, low = (second >> 64) ^ counter[1] ^ key[0], (first >> 64) ^ counter[3] ^ key[1]
        counter = high, second & MASK, low, first & MASK
        key = tuple((word + step) & MASK for word, step in zip(key, WEYL, strict=True))
    return counter


def die(seed, battle, turn, unit, roll, sides=6):
    """The die at an address, 1 to ``sides``."""
    word = philox((seed, 0), (1 + battle // 4, roll, unit, turn))[battle % 4]
    return 1 + ((word >> 32) * sides >> 32)
