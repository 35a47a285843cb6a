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

# ---------------------------------------------------------------- the reference panel, in our words

SIDE_NAMES = {"F": "front", "FL": "front left", "FR": "front right", "RL": "rear left", "RR": "rear right"}
"""The sides that may hold a weapon, in the order of the Ship Turn Record."""

TURN: tuple[tuple[str, str], ...] = (
    ("1 Orders", "Write SPEED and a move order for every ship, hidden from the others."),
    ("2 Movement", "Move all ships at the same time, exactly as written."),
    ("3 Initiative", "Each player rolls a die. The higher is player 1 for this turn; roll ties again."),
    ("4 Player 1 fires", "Fire every weapon that bears, once each. Mark damage as it falls."),
    ("5 Player 2 fires", "Do the same with what is left."),
)
"""The phases of a tactical turn (rule 4)."""

MOVING: tuple[tuple[str, str], ...] = (
    (
        "SPEED",
        "Choose 0 to ENGINE on the first turn; later the same, 1 more or 1 less, and never above the ENGINE left.",
    ),
    ("Spend it all", "One hex forward costs 1, a turn of one hex side costs 1. Nothing may be left over."),
    ("Turns", "Go at least one hex forward between two turns."),
    ("Writing", "A number is hexes forward, L a turn to the left, R a turn to the right."),
    ("2L1", "Two hexes forward, left, one hex forward: SPEED 4."),
    ("R1R", "Right, one hex forward, right again: SPEED 3."),
    ("Same hex", "Ships may end in one hex; nobody collides."),
    ("Off the map", "A ship that leaves the map is out of the game."),
)
"""Move orders (rule 6 and the tutorial); SPEED in hexes a turn."""

FIRING: tuple[tuple[str, str], ...] = (
    ("Arc", "The target is in the arc of a side with a working weapon. A hex on two arcs counts for both."),
    ("Sight", "Join the middles of both hexes; a ship in a hex between them that the line crosses blocks it."),
    ("Range", "Six hexes at most."),
    ("Roll", "Roll a die for each weapon. The number needed, or less, hits."),
)
"""What a shot needs (rule 7)."""

RANGES: tuple[tuple[str, int], ...] = (("0", 2), ("1–2", 1), ("3–4", 0), ("5–6", -1))
"""Range in hexes, and what it adds to the number that a shot needs (rule 7). Farther shots are not allowed."""

DAMAGE: tuple[tuple[str, str], ...] = (
    ("1–4", "Mark one SHIELD."),
    ("5", "Mark one ENGINE; with none left, one SHIELD."),
    ("6", "Mark the weapon on the side that was hit; with none there, one SHIELD."),
)
"""The damage of one hit by the roll of a D6 (rule 7)."""

STRATEGIC_TURN: tuple[tuple[str, str], ...] = (
    ("1 Production", "Take 1 BP for each system you own. Build ships of 10, 15 or 20 BP; they appear at home."),
    ("2 Initiative", "Each player rolls a die. The higher is player 1; roll ties again."),
    ("3 Player 1 moves", "Move fleets, each up to the lowest ENGINE in it."),
    ("4 Player 2 moves", "Do the same."),
    ("5 Combat", "Fight wherever enemy fleets ended in one hex, with dice or as a tactical battle."),
)
"""The phases of a strategic turn (rule 3 there)."""

CAMPAIGN: tuple[tuple[str, str], ...] = (
    ("Moving", "Go in any direction, through friends and enemies alike."),
    ("Exchange", "Fleets that end in one hex may join or trade ships at the start of the next movement phase."),
    ("Capture", "Stay one full turn in a system without an enemy fleet. It stays yours until an enemy occupies it."),
    ("First income", "A captured system pays after one more full turn: taken on turn 7, it first pays on turn 9."),
    ("Sensors", "Ending within 3 hexes of an enemy fleet, ask how many ships it has."),
    ("New ships", "Each is a fleet of one ship at home, until it joins another."),
)
"""Movement, systems and production of the strategic game (rules 2, 6 and 7 there)."""

STRATEGIC_COMBAT: tuple[tuple[str, str], ...] = (
    ("Attacker", "Whoever moved in attacks first; then the other fleet attacks with what is left."),
    ("Attack dice", "One for each full 7 offensive BP of the attacking fleet (weapons and TO-HIT)."),
    ("Save dice", "One for each full 3 defensive BP of the fleet under attack (SHIELD)."),
    (
        "5 or 6",
        "Each destroys a ship for the attacker, or saves one for the defender. The owner chooses which are lost.",
    ),
    ("Afterwards", "Fight on, or one side retreats its fleet one hex towards its home system."),
)
"""Combat of the strategic game by dice (rule 8 there)."""

SETUPS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "tactical": (
        ("Map", "Lay out an empty hex map of any size you agree on. There is no terrain."),
        (
            "Places",
            "Agree where each force starts, such as opposite edges, and who places first; the rules leave it open.",
        ),
        ("Speed", "Give each ship a SPEED from 0 to its ENGINE before the first orders."),
        ("Markers", "One counter a ship, with the number of its record."),
    ),
    "strategic": (
        ("Map", "Spread the systems evenly over a hex map, one a hex; agree on its size and on their number."),
        ("Home", "Each player names a home system, usually at opposite ends."),
        ("Places", "All fleets start in their home system."),
        ("Markers", "A counter for each fleet; one for each system, in each player's colour and a neutral one."),
        ("Records", "Fill in a Fleet Control Sheet for each fleet and keep it current."),
    ),
}
"""How a game is set up, by scenario (rule 5, and rule 4 of the strategic game)."""
