"""The dice tables of the solo rules: how the ships without a player move, and whom they shoot at.

PURE. Rulebook: Minimal Space Combat, solo rules, Timothy Swenson. Some rows are not symmetrical between
left and right; they stand here as published.
"""

from __future__ import annotations

from collections.abc import Mapping

SOLO_COLUMNS = (("left", "left"), ("left", "right"), ("right", "left"), ("right", "right"))
"""The columns of a movement table: where the nearest friend is, and where the nearest enemy is."""

SOLO_MOVEMENT: Mapping[int, tuple[tuple[str, str, str, str], ...]] = {
    1: (
        ("1", "1", "1", "1"),
        ("L", "R", "L", "R"),
        ("1", "1", "1", "1"),
        ("L", "R", "R", "R"),
        ("1", "1", "1", "1"),
        ("L", "R", "L", "R"),
    ),
    2: (
        ("1L", "1L", "1L", "1R"),
        ("L1", "1R", "1R", "R1"),
        ("1L", "R1", "R1", "1R"),
        ("L1", "L1", "L1", "R1"),
        ("1L", "1R", "1L", "1R"),
        ("L1", "1L", "1R", "R1"),
    ),
    3: (
        ("1L1", "1L1", "1R1", "1R1"),
        ("2L", "1R1", "1L1", "2R"),
        ("L2", "L2", "R2", "R2"),
        ("1L1", "R2", "L2", "1R1"),
        ("1L1", "2R", "2L", "1R1"),
        ("2L", "1R1", "1L1", "2R"),
    ),
    4: (
        ("2L1", "2L1", "2R1", "2R1"),
        ("1L2", "2R1", "2L1", "1R2"),
        ("3L", "1L2", "1R2", "3R"),
        ("L3", "1R2", "1L2", "R3"),
        ("2L1", "2R1", "2L1", "1R2"),
        ("1L2", "1R2", "1L2", "2R1"),
    ),
    5: (
        ("3L1", "3L1", "3R1", "3R1"),
        ("2L2", "3R1", "3L1", "2R2"),
        ("1L3", "2L2", "2R2", "1R3"),
        ("2L2", "2R2", "2L2", "2R2"),
        ("3L1", "1R3", "1L3", "3R1"),
        ("1L3", "2R2", "2L2", "1R3"),
    ),
    6: (
        ("3L2", "3L2", "3R2", "3R2"),
        ("2L3", "3R2", "3L2", "2R3"),
        ("4L1", "2L3", "2R3", "4R1"),
        ("1L4", "2R3", "2L3", "1R4"),
        ("3L2", "4R1", "4L1", "3R2"),
        ("3L2", "2L3", "3L2", "3R2"),
    ),
}
"""Movement orders: SPEED 1 to 6, then one row for each roll of a D6, then SOLO_COLUMNS.

A digit is hexes forward, L or R a turn of one hex side; each hex and each turn spends 1 SPEED.
"""

TARGET_NAMES = {"N": "nearest", "M": "middle", "F": "furthest"}

SOLO_TARGETS: tuple[tuple[str, str], ...] = (
    ("N", "N"),
    ("F", "M"),
    ("N", "F"),
    ("F", "N"),
    ("N", "M"),
    ("F", "F"),
)
"""Whom a weapon shoots at: one row for each roll of a D6; of two ships in range, of three."""
