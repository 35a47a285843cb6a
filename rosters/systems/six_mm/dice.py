"""What a stand itself adds to a die when it shoots or fights (tables 7 to 10); distance, target and terrain apart.

Rulebook: 6MM, Gary Mitchell and STaB. The readings R31, R36 and R40 are those of docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.messages import Message, _
from rosters.core.odds import Modifier, added
from rosters.systems.six_mm.rules import GUNNED, Stats, signed
from rosters.systems.six_mm.tables import ARMOUR, BOMBS, GUNS, STRAFES, TYPES

SKIRMISHERS = ("SKI/F", "SKI/M", "SKI/S")
CLOSE_ORDER = ("INF/A", "INF/U", "MSK")
"""The types that table 9 gives 2 against everybody."""
RIFLES, SUPPORT, OFF_BOARD = 2, 3, -2
BOMB = "breech-loader-130"
"""A load of bombs counts as a gun of this class (5.2)."""
ARMOUR_AGAINST_SHOTS = {code: 2 + place for place, code in enumerate(ARMOUR)}
ARMOUR_IN_CONTACT = {"CAV/A": 1, "INF/A": 2}


def half(number: int) -> int:
    """Half of a number from 0 on, a half rounded up (rule 1.2)."""
    return (number + 1) // 2


def shooting(stats: Stats, left: int, *, rifles: bool) -> int:
    """What a stand with this strength left adds when it shoots, with breech-loading ``rifles`` or without."""
    return added(shooting_modifiers(stats, left, rifles=rifles))


def shooting_modifiers(stats: Stats, left: int, *, rifles: bool) -> Iterator[Modifier]:
    """The parts of `shooting`, those of 0 included."""
    gun = GUNS[stats.gun] if stats.gun and stats.type in GUNNED else None
    yield Modifier(_("half the strength"), half(left), "R36")
    yield Modifier(_("gun"), max(0, gun.factor - (stats.type == "TNK")) if gun else 0, "R36")
    yield Modifier(_("breech-loading rifles"), RIFLES * (stats.type in ("SKI/F", "MSK") and rifles), "R36")
    yield Modifier(_("support weapons"), SUPPORT * (stats.type == "SKI/S"), "R36")
    yield Modifier(_("skirmishers"), -2 * (stats.type in SKIRMISHERS), "R36")
    yield Modifier(_("off the board"), OFF_BOARD * (stats.type == "ART" and stats.off_board), "R40")


def fighting(stats: Stats, left: int) -> int:
    """What a stand with this strength left adds in close combat, without the bonus of a charge."""
    return added(fighting_modifiers(stats, left))


def fighting_modifiers(stats: Stats, left: int) -> Iterator[Modifier]:
    """The parts of `fighting`, those of 0 included."""
    strength = _("a quarter of the strength") if stats.type == "TNK" else _("half the strength")
    yield Modifier(strength, _fighting_strength(stats, left), "R31")
    yield Modifier(_("general"), int(bool(stats.general)), "R31")
    yield Modifier(_("skirmishers"), -2 * (stats.type in SKIRMISHERS), "R31")
    yield Modifier(_("close order"), 2 * (stats.type in CLOSE_ORDER), "R32")
    yield Modifier(_("skirmishers after 1906"), int(stats.type == "SKI/F" and stats.post_1906), "R31")
    yield Modifier(_("pikes or elephants"), 2 * (stats.type == "PKE"), "R31")


def _fighting_strength(stats: Stats, left: int) -> int:
    return (left + 2) // 4 if stats.type == "TNK" else half(left)


def has_rifles(stats: Stats) -> bool:
    """Whether its profile alone says that a stand has breech-loading rifles."""
    return stats.type == "SKI/F" and stats.post_1906


def totals(stats: Stats, shoots: bool, strength: int) -> Iterator[tuple[Message, tuple[str, ...]]]:
    """What is added to the die at each strength left from the first to 1: when a stand shoots, and when it fights."""
    lefts = range(strength, 0, -1)
    if stats.type == "AIR":
        own = {_("strafe"): RIFLES, _("bomb"): GUNS[BOMB].factor, _("shoot"): SUPPORT}
        used = {_("strafe"): STRAFES, _("bomb"): BOMBS, _("shoot"): ("attack-helicopter",)}
        for words, kinds in used.items():
            if stats.ordnance in kinds:
                yield words, tuple(signed(half(left) + own[words]) for left in lefts)
        return
    if shoots:
        rest = shooting(stats, 0, rifles=has_rifles(stats))
        yield _("shoot"), tuple(signed(half(left) + rest) for left in lefts)
    if stats.type in TYPES:
        rest = fighting(stats, 0)
        yield _("fight"), tuple(signed(_fighting_strength(stats, left) + rest) for left in lefts)


def against(stats: Stats) -> Iterator[Message]:
    """What attackers deduct because of the type of a stand."""
    shot_at = ARMOUR_AGAINST_SHOTS[stats.armour or "light"] if stats.type == "TNK" else 2
    if stats.type == "TNK" or stats.type in SKIRMISHERS:
        yield _("shot at\u00a0{deducted}").format(deducted=signed(-shot_at))
    if stats.type in ARMOUR_IN_CONTACT:
        words = (
            _("hit without firearms\u00a0{deducted}")
            if stats.type == "INF/A"
            else _("attacked without firearms\u00a0{deducted}")
        )
        yield words.format(deducted=signed(-ARMOUR_IN_CONTACT[stats.type]))
