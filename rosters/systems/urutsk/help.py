"""The terms of URUTSK minis in our words.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rosters.core.help import GuideStep, Term, with_examples
from rosters.core.messages import Message, _
from rosters.systems.urutsk import tables

SCORES, WEAPON, SHOOTING = _("Scores"), _("Weapons"), _("Shooting")
WOUNDS, MELEE, COMMAND = _("Wounds"), _("Melee"), _("Command")

GUIDE: tuple[GuideStep, ...] = ()


COMMON = [
    "fate",
    "ranged",
    "close",
    "weapon-ability",
    "command",
    "exploding-die",
    "injured",
    "incapacitated",
    "group-fire",
    "parry",
]
"""The codes of the terms that are looked up most."""

EXAMPLES: Mapping[str, Message] = {
    "close": _("Close 2: D6 + 2, and 2 hit points can be cancelled."),
    "fate": _("Fate 3: 2 hit points reduce it to 1, 3 injure, 4 incapacitate."),
    "command": _("8 yards away: in command. 12 yards: out of command."),
    "poor-condition": _("Autofire and a modified 2: a miss."),
    "burst-area": _("Three figures in the open: 12 hit points each."),
    "exploding-die": _("A 6 that explodes, then a 3: 9."),
    "clean-miss": _("Ranged 1 at medium range and a 2: 2 + 1 − 2 = 1."),
    "group-fire": _("1, 2, 4 and 5: the 1 removes the 5, and 2 + 4 = 6."),
    "injured": _("Fate 3 and 3 hit points in round 2: it acts again in round 4, with Fate 2."),
    "incapacitated": _("Fate 2 and 5 hit points, then a 4: immobile."),
    "shock": _("A 4 in round 2: it loses round 3."),
    "parry": _("Close 2 and 4 hit points of its own against 3: 2 are cancelled, 1 is left."),
    "riposte": _("5 points, with a 6 rolled, against 3: the enemy is disarmed."),
    "mass-charge": _("7 against 4: 7 hit points on one side, 4 on the other."),
    "out-of-command": _("A rifleman 15 yards from his commander joins other friends."),
    "detachment": _("A sergeant and six riflemen."),
}
"""Examples of terms by their codes, beside those that are computed."""


def terms() -> Iterator[Term]:
    """Scores, weapons, shooting, wounds, melee, command. There are no prices: the rules have no points."""
    return with_examples(_terms(), EXAMPLES)


def _terms() -> Iterator[Term]:
    yield from _scores()
    yield from _weapons()
    for code, name, penalty in tables.RANGES:
        text = _("A shot at this range has {penalty} on its die.").format(penalty=f"−{penalty}" if penalty else "0")
        example = _("Ranged 2 and a roll of 4: {result}.").format(result=2 + 4 - penalty)
        yield Term(code, name, text, SHOOTING, "", example)
    yield from _play()


def _scores() -> Iterator[Term]:
    example = _("Ranged 2 at medium range rolls D6 + 2 − 2.")
    text = _("Added to the die of each shot. Range and cover deduct from it.")
    yield Term("ranged", _("Ranged"), text, SCORES, "", example, {"ranged": 3})
    text = _("Added to the die in melee, and the most hit points that a parry can cancel.")
    yield Term("close", _("Close"), text, SCORES, "", "", {"close": 3})
    text = _("Added to the die of an ammunition check, which passes on 6 or more.")
    example = _("Weapon ability 2 passes on 4+.")
    yield Term("weapon-ability", _("Weapon ability"), text, SCORES, "", example)
    text = _("What a figure can bear: fewer hit points reduce it, as many injure, more incapacitate.")
    yield Term("fate", _("Fate"), text, SCORES, "", "", {"fate": 3})
    text = _("Others are in command within 10 yards of such a figure at a command check.")
    yield Term("command", _("Command-capable"), text, COMMAND, "", "", {"command": True})


def _weapons() -> Iterator[Term]:
    for code, fire in tables.FIRE.items():
        text = _("A modified result of {lowest} or more explodes.").format(lowest=fire.explodes)
        faces = tables.exploding_by_range(code, 2)
        example = _("Ranged 2, without cover, from point-blank to extreme: {faces}.").format(faces=faces)
        yield Term(code, fire.name, text, WEAPON, "", example, {"fire": code})
    text = _("With autofire or volley a modified 2 also misses; in a group 2s count as 1s.")
    yield Term("poor-condition", _("Poor condition"), text, WEAPON)
    text = _("Figures without cover in the area take 12 hit points before the roll is distributed to those in cover.")
    yield Term("burst-area", _("Area of a burst"), text, WEAPON)


def _play() -> Iterator[Term]:
    text = _("The die is rolled again and the new roll is added. The rulebook calls it an additive re-roll.")
    yield Term("exploding-die", _("Exploding die"), text, SHOOTING)
    text = _("A modified result of 1 or less. A D6 decides: 1 an ammunition check, 6 another figure is hit.")
    yield Term("clean-miss", _("Clean miss"), text, SHOOTING)
    text = _("All dice of a side are rolled together; each 1 is not added and removes one of the highest dice.")
    yield Term("group-fire", _("Group fire"), text, SHOOTING)
    text = _("Hit points equal to its Fate: it acts again on the second round after, with 1 Fate less.")
    yield Term("injured", _("Injured"), text, WOUNDS)
    text = _("More hit points than its Fate. Roll a D6: 1–2 dead, 3–5 immobile, 6 unconscious for D6 minutes.")
    yield Term("incapacitated", _("Incapacitated"), text, WOUNDS)
    text = _("Roll a D6: on 1 it loses the next two rounds, on 2–5 the next one, on 6 nothing happens.")
    yield Term("shock", _("Shock"), text, WOUNDS)
    text = _("Hit points of one's own, up to Close, cancel incoming ones; an equal number negates the strike.")
    yield Term("parry", _("Parry"), text, MELEE)
    text = _("With more points than came in, and a 6 rolled, the enemy is disarmed. What is left may injure.")
    yield Term("riposte", _("Riposte"), text, MELEE)
    text = _("A D6 for each side, and the totals are hit points on the other. Melee follows.")
    yield Term("mass-charge", _("Mass charge"), text, MELEE)
    text = _("Figures out of command join other friends. Groups of them are under the referee's control.")
    yield Term("out-of-command", _("Out of command"), text, COMMAND)
    text = _("A group with a command-capable commander. It makes its command checks for itself.")
    yield Term("detachment", _("Detachment"), text, COMMAND)
