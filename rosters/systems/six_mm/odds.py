"""One round of 6MM as probabilities: shooting or close combat of two stands (sections 3.3, 5.2, 6.3 and 7.2).

Rulebook: 6MM, Gary Mitchell and STaB. The readings R30 to R42 are those of docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from rosters.core import odds
from rosters.core.messages import Message, _
from rosters.core.odds import (
    D6,
    ENDS,
    LOSE,
    SIXTH,
    WIN,
    Distribution,
    Factor,
    Modifier,
    Number,
    Receipt,
    Side,
    added,
    total,
)
from rosters.core.values import MAX_INTEGER
from rosters.systems.six_mm.dice import (
    ARMOUR_AGAINST_SHOTS,
    ARMOUR_IN_CONTACT,
    SKIRMISHERS,
    fighting_modifiers,
    half,
    shooting_modifiers,
)
from rosters.systems.six_mm.rules import GUNNED, Element, strength
from rosters.systems.six_mm.tables import FOOT, GENERALS, GUNS, HORSE_RANGE, TANK_RANGE, TYPES

MOUNTED = ("CAV/A", "CAV/U", "SKI/M")
NO_CHARGE = ("PKE", "TNK", "SKI/S", "ARC", "ART")
NO_CHARGE_AT_FRONT = ("ART", "PKE", "SKI/S")
FIREARMS = ("MSK", "TNK", "SKI/S")
ASPECTS = {"front": _("front"), "flank": _("attacked from the flank"), "rear": _("attacked from the rear")}
SHOT_FROM = {"front": 0, "flank": 2, "rear": 3}
REACH = {"ARC": 1, "MSK": 1, "SKI/F": 1, "SKI/M": 1, "SKI/S": 3}
"""The squares that types without a gun shoot, without better weapons (table 6)."""
BETTER_ARMS = {"ARC": "longbow", "MSK": "rifle", "SKI/F": "rifle"}
"""Who shoots two squares with which arm."""
GUIDED_REACH = {"TNK": 4, "AIR": 2}
OFF_BOARD_REACH = 10

Aspect = Literal["front", "flank", "rear"]
Arm = Literal["bow", "longbow", "musket", "rifle"] | None
General = Literal["superior", "competent", "inferior"] | None


class Conditions(odds.Conditions):
    """The distance in squares, the age, and for each side how it is placed, armed and led."""

    distance: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 0
    modern: bool | None = None
    a_aspect: Aspect = "front"
    a_cover: bool = False
    a_entrenched: bool = False
    a_indirect: bool = False
    a_charges: bool = False
    a_arm: Arm = None
    a_general: General = None
    b_aspect: Aspect = "front"
    b_cover: bool = False
    b_entrenched: bool = False
    b_indirect: bool = False
    b_charges: bool = False
    b_arm: Arm = None
    b_general: General = None


LABELS = {
    "distance": _("Distance in squares, 0 in close combat"),
    "modern": _("Firearms against armor"),
    "aspect": _("Attacked from"),
    "cover": _("In cover"),
    "entrenched": _("Entrenched"),
    "indirect": _("Fires indirectly"),
    "charges": _("Charges"),
    "arm": _("Weapon without a gun"),
    "general": _("General"),
}
VALUES = {
    "front": _("front"),
    "flank": _("flank"),
    "rear": _("rear"),
    "bow": _("bow"),
    "longbow": _("longbow"),
    "musket": _("musket"),
    "rifle": _("rifle"),
    "superior": _("superior"),
    "competent": _("competent"),
    "inferior": _("inferior"),
}
RANGES = {0: _("close combat"), 1: _("1 square"), 2: _("2 squares"), 4: _("4 squares"), 6: _("6 squares")}
TARGETS = (
    (_("Warband"), {"type": "WBD"}),
    (_("Armored infantry"), {"type": "INF/A"}),
    (_("Muskets"), {"type": "MSK"}),
    (_("Unarmored cavalry"), {"type": "CAV/U"}),
    (_("Smoothbore artillery"), {"type": "ART", "gun": "smoothbore"}),
    (_("Modern skirmishers"), {"type": "SKI/F", "post_1906": True}),
    (_("Medium tank"), {"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}),
)

State = tuple[int, int, bool]
"""The strength of A and of B, and whether this is round 1."""


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """The keys of a purchase that has no odds, each with the reason."""
    if element.type not in TYPES:  # R30
        yield "type", _("must be a stand that fights: {codes}").format(codes=", ".join(TYPES))


class Duel(odds.AnyDuel):
    """Two stands under conditions."""

    def __init__(self, a: Element, b: Element, conditions: Conditions, number: Number) -> None:
        self._stands: Mapping[Side, Element] = {"a": a, "b": b}
        self._conditions = conditions
        self._sixth = number(SIXTH)
        self._cache: dict[tuple[Side, int, bool], Distribution[int]] = {}
        self.initiative = number(odds.initiative_chance(self._lead("a"), self._lead("b")))
        self.start: State = (strength(a), strength(b), True)

    def round(self, state: State) -> Distribution[Any]:
        """The state after both have acted, the winner of the initiative first (G1)."""
        both = odds.both_act(self.initiative, state, self._act)
        return total((_later(after), chance) for after, chance in both.items())

    def attack(self, state: State, side: Side) -> Distribution[Any]:
        """The state after one side has acted."""
        return total((_later(after), chance) for after, chance in self._act(state, side).items())

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The chances that one attack in round 1 does hits, and as many as the enemy's strength."""
        hits, strength = self._hits(side, self.start), self.start[side == "a"]
        return {
            "hit": sum(chance for points, chance in hits.items() if points > 0),
            "kill": sum(chance for points, chance in hits.items() if points >= strength),
        }

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """One score less a save of a D6, which does hits or destroys."""
        if reason := self._hindrance(side):
            return {"hit": (reason,), "kill": (reason,)}
        facts, (strength_now, target) = self.facts(side), self.start[:2] if side == "a" else self.start[1::-1]
        modifiers = self._modifiers(side, strength_now, True)
        score = _("D6 and modifiers, less a D6, is {least} or more")
        return {
            "hit": (Factor(score.format(least=1), facts["hit"], "R34, R39", modifiers),),
            "kill": (Factor(score.format(least=target), facts["kill"], "R42", modifiers),),
        }

    def turn(self, side: Side) -> Distribution[int]:
        """The strength that the enemy loses in round 1, at most all."""
        strength = self.start[side == "a"]
        return total((min(points, strength), chance) for points, chance in self._hits(side, self.start).items())

    def _lead(self, side: Side) -> int:
        """The modifier of a side's initiative (R30)."""
        general = self._conditions.of(side, "general") or self._stands[side].general
        return GENERALS[general].value if general else 0

    def _act(self, state: Any, side: Side) -> Distribution[Any]:
        """The state after one side has acted, in the same round; an end stays."""
        if state in ENDS:
            return {state: 1}
        return total((self._suffer(state, side, hits), p) for hits, p in self._hits(side, state).items())

    def _suffer(self, state: State, side: Side, hits: int) -> State | str:
        """The state after a side's hits; its enemy is beaten below half of its strength at the start (R42)."""
        a, b, first = state
        if side == "a":
            b -= hits
            return WIN if 2 * b < self.start[1] else (a, b, first)
        a -= hits
        return LOSE if 2 * a < self.start[0] else (a, b, first)

    def _hits(self, side: Side, state: State) -> Distribution[int]:
        """The hits of one attack, more than the enemy has included, after the save of a D6 (R34, R39)."""
        strength_now, first = state[side == "b"], state[2]
        key = side, strength_now, first
        if key not in self._cache:
            scores = self.scores(side, strength_now, first)
            self._cache[key] = total((max(0, s - save), self._sixth * self._sixth) for s in scores for save in D6)
        return self._cache[key]

    def scores(self, side: Side, strength_now: int, first: bool) -> Iterator[int]:
        """The score for each face of the die, before the save; all 0 without an attack."""
        if self._hindrance(side):
            return (0 for _face in D6)
        modifiers = self._modifiers(side, strength_now, first)
        bonus, changes = added(modifiers), [each for each in modifiers if each.sign != "+"]
        return (_changed(max(0, face + bonus), changes) for face in D6)  # below 0 is 0: R34, R39

    def _modifiers(self, side: Side, strength_now: int, first: bool) -> list[Modifier]:
        """What changes the score of an attack: first what is added, then how it is halved or multiplied."""
        if self._conditions.distance == 0:
            every = [*self._contact(side, strength_now, first), *self._after_contact(side)]
        else:
            every = [*self._shot(side, strength_now), *self._after_shot(side)]
        return [modifier for modifier in every if modifier.amount]

    def _hindrance(self, side: Side) -> Factor | None:
        """Why a side cannot attack; None if it can."""
        if self._conditions.distance == 0:
            flies = "AIR" in (stand.type for stand in self._stands.values())
            return Factor(_("No close combat with aircraft"), 0, "R41") if flies else None
        if self._conditions.distance <= self.reach(side):
            return None
        return Factor(_("Out of reach, or it does not shoot"), 0, "R37, R38, R41")

    def _arm(self, side: Side) -> str:
        """What a stand without a gun shoots with (R36)."""
        me = self._stands[side]
        modern = me.post_1906 and me.type in SKIRMISHERS
        return self._conditions.of(side, "arm") or ("musket" if me.type == "MSK" else "rifle" if modern else "bow")

    # ---------------------------------------------------------------- close combat

    def _contact(self, side: Side, strength_now: int, first: bool) -> Iterator[Modifier]:
        """What is added to the die in close combat (tables 9 and 10)."""
        me, foe = self._stands[side], self._stands[odds.other(side)]
        charge = first and self.charges(side)
        yield from fighting_modifiers(me, strength_now)
        yield Modifier(_("charge"), int(charge and not me.general), "R31, R33")
        yield Modifier(_("horse against foot or guns"), 2 * (me.type in MOUNTED and foe.type in (*FOOT, "ART")), "R32")
        if me.type in FOOT and (foe.type in ("TNK", "SKI/S") or (foe.type == "PKE" and foe.elephant)):
            covered = self._conditions.of(odds.other(side), "cover")
            yield Modifier(_("foot against tanks, support weapons or elephants"), 2 if covered else 1, "R32")
        yield Modifier(_("charging warband"), int(charge and me.type == "WBD"), "R33")
        modern = self._conditions.modern
        firearms = me.type in FIREARMS or me.post_1906 if modern is None else modern
        armor = 0 if firearms else ARMOUR_IN_CONTACT.get(foe.type, 0)
        yield Modifier(_("armor of the target"), -armor, "R35")

    def charges(self, side: Side) -> bool:
        """Whether a side charges in round 1 (R33)."""
        me, foe = self._stands[side], self._stands[odds.other(side)]
        at_front = self._conditions.of(odds.other(side), "aspect") == "front"
        barred = me.type in NO_CHARGE or (at_front and foe.type in NO_CHARGE_AT_FRONT)
        return bool(self._conditions.of(side, "charges")) and not barred

    def _after_contact(self, side: Side) -> Iterator[Modifier]:
        """How cover and aspect change the score (R34)."""
        target, foe = odds.other(side), self._stands[odds.other(side)]
        if foe.type in (*FOOT, "ART"):
            yield from self._shelter(target, "R34")
        if (aspect := self._conditions.of(target, "aspect")) != "front":
            yield Modifier(ASPECTS[aspect], 3 if foe.type == "PKE" else 2, "R34", "×")

    def _shelter(self, target: Side, reading: str) -> Iterator[Modifier]:
        """A score at a target is halved in cover, twice in entrenchments, not three times (8.1)."""
        if self._conditions.of(target, "entrenched"):
            yield from [Modifier(_("entrenched target"), 2, reading, "÷")] * 2
        elif self._conditions.of(target, "cover"):
            yield Modifier(_("target in cover"), 2, reading, "÷")

    # ---------------------------------------------------------------- shooting

    def reach(self, side: Side) -> int:
        """How far a side shoots at the other, in squares; 0 if it does not (R37, R38, R40, R41)."""
        me, foe = self._stands[side], self._stands[odds.other(side)]
        if me.type in GUNNED:
            if me.gun is None:
                return 0
            reach = GUNS[me.gun].range
            if me.type == "TNK":
                reach += TANK_RANGE
            elif me.off_board:
                reach = OFF_BOARD_REACH
            elif me.horse:
                reach += HORSE_RANGE
        else:
            reach = REACH.get(me.type, 0)
            reach += me.type in BETTER_ARMS and BETTER_ARMS[me.type] == self._arm(side)
        if reach > 0 and me.guided:
            reach = max(reach, GUIDED_REACH.get(foe.type, 0))
        return max(reach, 0)

    def _shot(self, side: Side, strength_now: int) -> Iterator[Modifier]:
        """What is added to the die in shooting (tables 7 and 8)."""
        me, foe, arm = self._stands[side], self._stands[odds.other(side)], self._arm(side)
        aspect = self._conditions.of(odds.other(side), "aspect")
        gun = me.gun if me.type in GUNNED else None
        gunpowder = gun != "torsion" if gun else me.type == "SKI/S" or arm in ("musket", "rifle")
        yield from shooting_modifiers(me, strength_now, rifles=arm == "rifle")  # R36, R40
        yield Modifier(ASPECTS[aspect], SHOT_FROM[aspect], "R36")
        yield Modifier(_("skirmishers as target"), -2 * (foe.type in SKIRMISHERS), "R36")
        yield Modifier(_("armored infantry as target"), -2 * (foe.type == "INF/A" and not gunpowder), "R36")
        armor = ARMOUR_AGAINST_SHOTS[foe.armour or "light"] if foe.type == "TNK" else 0
        yield Modifier(_("armor of the target"), -armor, "R36")
        yield Modifier(_("guided weapons"), int(me.guided and foe.type in GUIDED_REACH), "R38")

    def _after_shot(self, side: Side) -> Iterator[Modifier]:
        """How indirect fire and cover change the score, whatever the type of the target (R39, R40)."""
        if self._conditions.of(side, "indirect") or _is_off_board(self._stands[side]):
            yield Modifier(_("indirect fire"), 2, "R39, R40", "÷")
        yield from self._shelter(odds.other(side), "R39")


def _changed(score: int, changes: Iterable[Modifier]) -> int:
    """A score after it is halved, each half rounded up, or multiplied."""
    for change in changes:
        score = half(score) if change.sign == "÷" else score * change.amount
    return score


def _is_off_board(stand: Element) -> bool:
    return stand.type == "ART" and stand.off_board


def _later(state: Any) -> Any:
    """A state at the end of a round."""
    return state if state in ENDS else (*state[:2], False)
