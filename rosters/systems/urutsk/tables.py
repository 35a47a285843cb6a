"""URUTSK minis' tables for play, in our words: rows of a case and what it does, and how each weapon rolls.

PURE. Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Mapping

Rows = tuple[tuple[str, str], ...]

SCALE: Rows = (
    ("A yard", "half the height of an average figure"),
    ("10, 20, 40 yards", "5, 10, 20 figures high"),
    ("A round", "about 6 seconds; ten make a minute"),
    ("Rolling again", "A die that may do so is rolled once more, and the new score added."),
)
"""Scale and time, and what the rulebook calls an additive re-roll."""

ROUND: Rows = (
    ("1 Lost rounds", "Pass over figures that are stunned, staggered or injured this round."),
    ("2 Targets", "Name the target of each figure, or of each group, before any die."),
    ("3 Shooting", "Roll; take off range and cover; settle clean misses; share out the hits."),
    ("4 Melee", "Each engaged figure rolls; then parries."),
    ("5 Hits", "Compare the hits on each figure with its Fate."),
    ("6 Each minute", "After ten rounds in mass melee, check command."),
)
"""The parts of a round. The text fixes no order: this one is ours."""

RANGES: Mapping[str, int] = {"Point-blank": 0, "Short": 1, "Medium": 2, "Long": 3, "Extreme": 4}
"""The penalty on the die at each range."""

RANGED: Rows = (
    ("Roll", "D6 + Ranged, less range and cover: the modified result counts"),
    ("1 or less", "A clean miss: roll on its table"),
    ("2 to 5", "As many hit points on the target"),
    ("6 or more", "Roll again and add; share the total among the named targets"),
)
"""Ranged fire by one figure."""

GROUP: Rows = (
    ("Roll", "D6 + Ranged for every shooter of the side, less range and cover"),
    ("1 or less", "Not added, and it takes out one of the highest dice, which does not roll again"),
    ("6 or more", "Each remaining die rolls again and adds, once"),
    ("Hits", "Add up; first those without cover, wherever they stand, then partial cover, then full"),
)
"""Ranged fire by a group."""

CLEAN_MISS: Rows = (
    ("1", "Ammunition check"),
    ("2 to 5", "Nothing hit"),
    ("6", "Another figure within 1 yard to either side is struck, nearer or farther"),
    ("Ammunition check", "D6 + weapon ability: 6 or more passes"),
)
"""A D6 after a clean miss, and the check that it may bring."""

ROLLS_AGAIN: Mapping[str, tuple[str, int]] = {
    "single": ("Single shots", 6),
    "autofire": ("Autofire, volley", 5),
    "burst": ("Burst effect", 4),
}
"""By the way a weapon fires: its name, and the least modified result that rolls again."""


def faces_again(fire: str, modifier: int) -> frozenset[int]:
    """The faces of a D6 whose result, changed by ``modifier``, rolls again."""
    return frozenset(face for face in range(1, 7) if face + modifier >= ROLLS_AGAIN[fire][1])


def faces_by_range(fire: str, ranged: int) -> str:
    """The least face that rolls again at each range without cover, from point-blank on: "4+ 5+ 6 – –"."""
    found = (faces_again(fire, ranged - penalty) for penalty in RANGES.values())
    words = {None: "–", 1: "any", 6: "6"}
    return " ".join(words.get(least := min(faces, default=None), f"{least}+") for faces in found)


AUTOFIRE_GROUP = ("In a group", "1s count as in group fire; modified 5 or more rolls again.")
POOR = ("Poor condition", "Autofire and volleys only: a modified 2 misses too; in a group 2s count as 1s.")

BURST: Rows = (
    ("Without cover, in the effect", "12 hit points each, before the roll is shared out"),
    ("In cover", "The rolled points"),
    ("Structures", "12 hit points, as without cover; mostly weakened, not destroyed"),
    ("A structure that collapses", "2D6 hit points among the figures inside; doubles roll again and add"),
    ("The ground", "Often left burning and broken"),
)
"""What a burst does to all that it reaches."""

MELEE: Rows = (
    ("Roll", "D6 + Close for each figure: as many hit points on its enemy, less parries (our reading)"),
    ("A tie", "Both roll again and add; tied once more, the higher Close wins"),
    ("Parry", "Up to Close of your own points may stop incoming ones; as many cancel the strike"),
    ("Riposte", "More points than come in, and a 6 was rolled: the enemy is disarmed. The rest may injure."),
    ("Breaking off", "The opponent rolls D6 + Close unopposed"),
    ("Several on one", "One on one as above; spread parries over half as many enemies, rounded up"),
)
"""Close fighting, single and massed."""

CHARGE: Rows = (
    ("Roll", "A D6 for each side; the totals are hit points on the other"),
    ("Chargers from 21 to 40 yards", "6 rolls again"),
    ("Chargers from 20 yards or less", "5 and 6 roll again"),
    ("Receivers, chargers at medium range", "6 rolls again"),
    ("Receivers, at long range", "5 and 6"),
    ("Receivers, at extreme range", "4, 5 and 6"),
    ("Weapons readied", "One lower, but never below 4"),
    ("Three to one or more", "The receivers also drop their 2s"),
    ("Both charge", "Both roll as chargers"),
    ("Afterwards", "Check command against disruption; then melee"),
)
"""Mass charges, resolved for each side as a whole."""

OVERWHELMING = 3
"""As many chargers to one receiver make the receivers drop their 2s."""

COMMAND: Rows = (
    ("In command", "Within 10 yards of a command-capable figure when a check is called for"),
    ("When", "Each minute of mass melee, and in a mass charge"),
    ("Out of command", "Joins other friends, in command or not; the referee leads such groups"),
    ("Detachments", "Groups with a commander of their own check for themselves"),
)
"""Command checks."""

FATE: Rows = (
    ("Fewer than Fate", "Fights on; take them off Fate"),
    ("As many as Fate", "Injured: acts again on the second round after, with 1 Fate less than it had"),
    ("More than Fate", "Incapacitated: roll on the table"),
    ("Injured, with an enemy at hand", "May fight back; 1, 2 and 3 all count as 1s"),
)
"""Hit points that no defence stopped, against Fate."""

INCAPACITATED: Rows = (
    ("1 to 2", "Dead"),
    ("3 to 5", "Immobile, in great pain and likely to be loud"),
    ("6", "Unconscious for D6 minutes, then as injured"),
)
"""A D6 for an incapacitated figure."""

SHOCK: Rows = (
    ("1", "Staggered: loses the next two rounds"),
    ("2 to 5", "Stunned: loses the next round"),
    ("6", "Acts as usual"),
)
"""A D6 for shock."""

TO_AGREE: Rows = (
    ("Referee", "Name one: figures out of command are the referee's."),
    ("Ground and deployment", "The rules give none: lay the ground out together and dice for who sets up first."),
    ("Who acts first", "The rules give no order within a round: dice for it, or let all act at once."),
    ("Cover", "Agree on penalties for partial and full cover; the rules print none."),
    ("Ranges", "Agree where each weapon's short, medium, long and extreme range end."),
    ("Moves", "The rules print none: agree on yards a round."),
    ("Shock", "Agree which hits call for the roll."),
)
"""What the rulebook leaves to the players."""
