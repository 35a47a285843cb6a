"""The dice tables of the solo rules, and the rules of play in our words.

Rulebook: Minimal Space Combat, Timothy Swenson. Some rows of the solo tables are not symmetrical between left and
right; they are listed as published.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rosters.core.messages import Message, _

Rows = tuple[tuple[str, str], ...]

BOOK_SHIPS: Mapping[str, Mapping[str, Any]] = {
    _("Ship 1"): {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    _("Ship 2"): {"engine": 2, "shield": 4, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    _("Ship 3"): {"engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]},
}
"""The three ships of the rulebook as profiles, each of 15 BP."""

SOLO_COLUMNS = (
    _("Friend left, enemy left"),
    _("Friend left, enemy right"),
    _("Friend right, enemy left"),
    _("Friend right, enemy right"),
)
"""The columns of a movement table: the side of the nearest friend and of the nearest enemy."""

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

TARGET_NAMES = {"N": _("Nearest"), "M": _("Middle"), "F": _("Farthest")}

SOLO_TARGETS: tuple[tuple[str, str], ...] = (("N", "N"), ("F", "M"), ("N", "F"), ("F", "N"), ("N", "M"), ("F", "F"))
"""Choice of target: one row for each roll of a D6, for two and for three ships in range."""

# ---------------------------------------------------------------- rules of play, in our words

SIDE_NAMES: Mapping[str, Message] = {
    "F": _("Front"),
    "FL": _("Front left"),
    "FR": _("Front right"),
    "RL": _("Rear left"),
    "RR": _("Rear right"),
}
"""The sides that may have a weapon, in the order of the Ship Turn Record."""

TURN: Rows = (
    (_("1 Move orders"), _("Write SPEED and a move order for each ship, hidden from the other players.")),
    (_("2 Movement"), _("Move all ships at the same time, exactly as written.")),
    (_("3 Initiative"), _("Each player rolls a die. The higher is player 1 for this turn; reroll ties.")),
    (_("4 Player 1 combat"), _("Fire each weapon that has a target, once. Apply damage at once.")),
    (_("5 Player 2 combat"), _("Fire the weapons that are left in the same way.")),
)
"""The phases of a tactical turn (rule 4)."""

MOVING: Rows = (
    (
        _("SPEED"),
        _("First turn: 0 to ENGINE. Later: the same, 1 more or 1 less. Never more than the remaining ENGINE."),
    ),
    (_("Cost"), _("1 SPEED per hex forward, 1 per turn of one hex side. Spend all of it.")),
    (_("Turns"), _("Move at least one hex forward between two turns.")),
    (_("Orders"), _("A number is hexes forward, L a turn to the left, R a turn to the right.")),
    ("2L1", _("Two hexes forward, left, one hex forward: SPEED 4.")),
    ("R1R", _("Right, one hex forward, right: SPEED 3.")),
    (_("Stacking"), _("Any number of ships may end in one hex. There are no collisions.")),
    (_("Map edge"), _("A ship that leaves the map is out of the game.")),
)
"""Move orders (rule 6 and the tutorial); SPEED in hexes per turn."""

FIRING: Rows = (
    (
        _("Firing arc"),
        _("The target is in the firing arc of a working weapon. A hex on the border of two arcs is in both."),
    ),
    (
        _("Line of sight"),
        _("Draw a line between the centers of both hexes. A ship in a hex that the line crosses blocks it."),
    ),
    (_("Range"), _("Up to 6 hexes.")),
    (_("To hit"), _("Roll a die per weapon. TO-HIT with the range modifier, or less, hits.")),
)
"""Conditions of a shot (rule 7)."""

RANGES: tuple[tuple[str, int], ...] = (("0", 2), ("1–2", 1), ("3–4", 0), ("5–6", -1))
"""Range in hexes, and the modifier of TO-HIT (rule 7). Longer shots are not allowed."""
RANGE_MODIFIERS = tuple((int(hexes.rpartition("–")[2]), modifier) for hexes, modifier in RANGES)
"""The farthest distance in hexes at which each modifier of TO-HIT holds."""

DAMAGE: Rows = (
    ("1–4", _("Mark 1 SHIELD.")),
    ("5", _("Mark 1 ENGINE, or 1 SHIELD if no ENGINE is left.")),
    ("6", _("Destroy the weapon on the side that was hit, or mark 1 SHIELD if there is none.")),
)
"""The damage of one hit by the roll of a D6 (rule 7)."""

DAMAGED_PARTS = (_("a plate of SHIELD"), _("a nozzle of ENGINE *"), _("the weapon on the side hit *"))
"""The rows of `DAMAGE` in few words; `NONE_LEFT` says what * means."""
NONE_LEFT = _("* none left: SHIELD. No SHIELD left: destroyed.")

STRATEGIC_TURN: Rows = (
    (
        _("1 Production"),
        _("Each system you own gives 1 BP. Build ships of 10, 15 or 20 BP; they appear at your home system."),
    ),
    (_("2 Initiative"), _("Each player rolls a die. The higher is player 1; reroll ties.")),
    (_("3 Player 1 movement"), _("Move fleets, each up to the lowest ENGINE in it.")),
    (_("4 Player 2 movement"), _("Move fleets in the same way.")),
    (_("5 Combat"), _("Where enemy fleets are in one hex, fight strategic combat or a tactical battle.")),
)
"""The phases of a strategic turn (rule 3 of the strategic game)."""

CAMPAIGN: Rows = (
    (_("Movement"), _("In any direction, through friends and enemies.")),
    (
        _("Exchange"),
        _("Fleets in one hex may merge or exchange ships at the start of the next movement phase."),
    ),
    (
        _("Capture"),
        _("Stay one full turn in a system without an enemy fleet. It is yours until an enemy occupies it."),
    ),
    (
        _("First income"),
        _("A captured system pays after one more full turn: captured on turn 7, it pays from turn 9."),
    ),
    (_("Sensors"), _("A fleet that ends within 3 hexes of an enemy fleet learns how many ships it has.")),
    (_("New ships"), _("Each new ship is a fleet of its own at home until it joins another.")),
)
"""Movement, systems and production of the strategic game (rules 2, 6 and 7)."""

STRATEGIC_COMBAT: Rows = (
    (_("Order"), _("The fleet that moved in attacks first. Then the other fleet attacks with its remaining ships.")),
    (_("Attack dice"), _("1 for each full 7 offensive BP (weapons and TO-HIT) of the attacking fleet.")),
    (_("Save dice"), _("1 for each full 3 defensive BP (SHIELD) of the defending fleet.")),
    (
        "5–6",
        _("Each attack die destroys a ship, each save die saves one. The owner chooses the ships that are lost."),
    ),
    (_("Next round"), _("Fight again, or one side retreats its fleet one hex toward its home system.")),
)
"""Combat by dice in the strategic game (rule 8)."""

SETUPS: Mapping[str, Rows] = {
    "tactical": (
        (_("Map"), _("An empty hex map of a size you agree on. There is no terrain.")),
        (
            _("Deployment"),
            _("The rules leave it open. Agree where each side starts, such as opposite edges, and who places first."),
        ),
        (_("SPEED"), _("Give each ship a SPEED of 0 to its ENGINE before the first orders.")),
        (_("Counters"), _("One per ship, with the number of its record.")),
    ),
    "strategic": (
        (_("Map"), _("Spread systems evenly over a hex map, one per hex. Agree on its size and on their number.")),
        (_("Home system"), _("Each player chooses one, usually at opposite ends of the map.")),
        (_("Deployment"), _("All fleets start in their home system.")),
        (_("Counters"), _("One per fleet, and one per system in the color of each player and a neutral one.")),
        (_("Records"), _("Fill in a Fleet Control Sheet for each fleet and keep it up to date.")),
    ),
}
"""Setup by scenario (rule 5, and rule 4 of the strategic game)."""
