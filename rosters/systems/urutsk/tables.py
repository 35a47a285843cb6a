"""The tables of URUTSK minis for play, in our words: rows of a case and its effect.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis. "Explodes" is the rulebook's additive re-roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rosters.core.messages import Message, _

Rows = tuple[tuple[str, str], ...]


class Fire(NamedTuple):
    """A way of firing: its name, its name inside a sentence, and the lowest modified result that explodes."""

    name: Message
    lower: Message
    explodes: int


FIRE: Mapping[str, Fire] = {
    "single": Fire(_("Single shots"), _("single shots"), 6),
    "autofire": Fire(_("Autofire or volley"), _("autofire or volley"), 5),
    "burst": Fire(_("Burst effect"), _("burst effect"), 4),
}

RANGES: tuple[tuple[str, Message, int], ...] = (
    ("point-blank", _("Point-blank"), 0),
    ("short", _("Short"), 1),
    ("medium", _("Medium"), 2),
    ("long", _("Long"), 3),
    ("extreme", _("Extreme"), 4),
)
"""Range increments: code, name, and penalty to the die."""


def lowest_exploding(fire: str, modifier: int) -> int | None:
    """The lowest face of a D6 that explodes with a modifier (Ranged less penalties); None if no face does."""
    face = max(1, FIRE[fire].explodes - modifier)
    return face if face <= 6 else None


def last_miss(fire: str, poor_condition: bool) -> int:
    """The highest modified result that misses."""
    return 2 if poor_condition and fire == "autofire" else 1


def exploding_by_range(fire: str, ranged: int) -> str:
    """The faces that explode without cover at each range, from point-blank on, such as "4+ 5+ 6 – –"."""
    faces = (lowest_exploding(fire, ranged - penalty) for _code, _name, penalty in RANGES)
    return " ".join("–" if face is None else "6" if face == 6 else f"{face}+" for face in faces)


SCALE: Rows = (
    (_("1 yard"), _("Half the height of an average figure")),
    (_("10, 20, 40 yards"), _("5, 10, 20 times the height of a figure")),
    (_("1 round"), _("About 6 seconds; 10 rounds are a minute")),
    (_("Exploding die"), _("Roll it again and add the new roll.")),
)

ROUND: Rows = (
    (_("1 Lost rounds"), _("Skip figures that are stunned, staggered or injured this round.")),
    (_("2 Targets"), _("Declare the target of each figure or group before any die is rolled.")),
    (_("3 Ranged fire"), _("Roll, subtract range and cover, resolve clean misses, distribute the hit points.")),
    (_("4 Melee"), _("Roll for each engaged figure, then parry.")),
    (_("5 Hits"), _("Compare the hit points on each figure with its Fate.")),
    (_("6 Each minute"), _("In mass melee, make a command check after 10 rounds.")),
)
"""The parts of a round. The rulebook gives no order: this one is a reading."""

RANGED: Rows = (
    (_("Roll"), _("D6 + Ranged − range penalty − cover penalty = modified result")),
    (_("Cover"), _("The rules give no numbers. Agreed: partial −____, full −____")),
    (_("1 or less"), _("Clean miss: roll on its table")),
    ("2–5", _("That many hit points on the target")),
    (_("6 or more"), _("Explodes; distribute the total among the declared targets")),
)
"""Ranged fire of one figure."""

GROUP: Rows = (
    (_("Roll"), _("D6 + Ranged − penalties for every shooter of the side")),
    (_("1 or less"), _("Not added; removes one of the highest dice before it explodes")),
    (_("6 or more"), _("Each remaining die explodes once")),
    (_("Hits"), _("Add up. Figures without cover are hit first, at any distance, then partial cover, then full cover")),
)
"""Ranged fire of a group."""

CLEAN_MISS: Rows = (
    ("1", _("Ammunition check")),
    ("2–5", _("No effect")),
    ("6", _("Hits another figure within 1 yard to either side, nearer or farther")),
    (_("Ammunition check"), _("D6 + weapon ability: 6 or more passes")),
)
"""A D6 after a clean miss, and the check that it may cause."""

AUTOFIRE_GROUP = (_("Autofire group"), _("1s count as in group fire; modified 5 or more explodes."))
POOR = (_("Poor condition"), _("Autofire and volley only: a modified 2 also misses; in a group 2s count as 1s."))

BURST: Rows = (
    (_("Without cover, in the area"), _("12 hit points each, before the roll is distributed")),
    (_("In cover"), _("The hit points of the roll")),
    (_("Structures"), _("12 hit points, as without cover; usually weakened, not destroyed")),
    (_("Collapsing structure"), _("2D6 hit points among the figures inside; doubles explode")),
    (_("Ground"), _("Often left burning and broken")),
)
"""The effects of a burst."""

MELEE: Rows = (
    (_("Roll"), _("D6 + Close for each figure: that many hit points on its enemy, less parries (our interpretation)")),
    (_("Tie"), _("Both explode; if tied again, the higher Close wins")),
    (_("Parry"), _("Up to Close of your own hit points may cancel incoming ones; an equal number negates the strike")),
    (_("Riposte"), _("More than the incoming points, and a 6 rolled: the enemy is disarmed. The rest may injure")),
    (_("Breaking off"), _("The opponent rolls D6 + Close unopposed")),
    (_("Several opponents"), _("As one on one; parry against up to half of them, rounded up")),
)
"""Melee, single and massed."""

CHARGE: Rows = (
    (_("Roll"), _("A D6 per side; the totals are hit points on the other side")),
    (_("Weapons readied"), _("Receivers explode on one lower, but never below 4")),
    (_("3:1 or more"), _("The receivers also discard their 2s")),
    (_("Both sides charge"), _("Both roll as chargers")),
    (_("Afterwards"), _("Command check against disruption, then melee")),
)
"""Mass charges, resolved for each side as a whole."""

CHARGERS: tuple[tuple[Message, int], ...] = (
    (_("Chargers from 21–40 yards"), 6),
    (_("Chargers from 20 yards or less"), 5),
)
RECEIVERS: tuple[tuple[Message, int], ...] = (
    (_("Receivers, chargers at medium range"), 6),
    (_("Receivers, chargers at long range"), 5),
    (_("Receivers, chargers at extreme range"), 4),
)
"""The lowest face that explodes in a mass charge."""


def readied(face: int) -> int:
    """The lowest face that explodes for receivers with readied weapons."""
    return max(4, face - 1)


OVERWHELMING = 3
"""With this many chargers per receiver the receivers discard their 2s."""

COMMAND: Rows = (
    (_("In command"), _("Within 10 yards of a command-capable figure at a command check")),
    (_("When"), _("Each minute of mass melee, and in a mass charge")),
    (_("Out of command"), _("Joins other friends, in command or not; the referee controls such groups")),
    (_("Detachments"), _("Groups with a commander of their own check for themselves")),
)
"""Command checks."""

FATE: Rows = (
    (_("Less than Fate"), _("Stays active; subtract the hits from Fate")),
    (_("Equal to Fate"), _("Injured: acts again on the second round after, with 1 Fate less than before")),
    (_("More than Fate"), _("Incapacitated: roll on the table")),
    (_("Injured in melee"), _("May fight back; 1, 2 and 3 all count as 1s")),
)
"""Hit points after defenses, compared with Fate."""

INCAPACITATED: Rows = (
    ("1–2", _("Dead")),
    ("3–5", _("Immobile, in great pain and probably loud")),
    ("6", _("Unconscious for D6 minutes, then injured")),
)
"""A D6 for an incapacitated figure."""

SHOCK: Rows = (
    ("1", _("Staggered: loses the next two rounds")),
    ("2–5", _("Stunned: loses the next round")),
    ("6", _("Unaffected")),
)
"""A D6 for shock."""

ON_PLAN: Mapping[str, str] = {
    "wood": _("Woods"),
    "hill": _("Hill"),
    "town": _("Building"),
    "rough": _("Rough ground"),
    "wall": _("Wall"),
    "river": _("River"),
    "road": _("Road"),
}
"""Terrain on the plan of a table; the rules give none, nor what it does."""

TO_AGREE: Rows = (
    (_("Referee"), _("Choose one to control figures that are out of command.")),
    (
        _("Terrain and deployment"),
        _("The rules give none. Set up the terrain together and roll for who deploys first."),
    ),
    (_("Initiative"), _("The rules give no order within a round. Roll for it, or resolve all actions at once.")),
    (_("Cover"), _("Agree on penalties for partial and full cover.")),
    (_("Ranges"), _("Agree on the short, medium, long and extreme range of each weapon.")),
    (_("Movement"), _("Agree on yards per round.")),
    (_("Shock"), _("Agree which hits require the roll.")),
)
"""What the rulebook leaves to the players."""
