"""One round of Mini Combat as probabilities: two units of equal elements that fire at each other, or fight in melee.

Rulebook: Mini Combat (author not named), phases 3 and 5 and Special Rules. The readings R1 to R21 are those of
docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from rosters.core import odds
from rosters.core.messages import Message, _
from rosters.core.odds import (
    DRAW,
    LOSE,
    WIN,
    Chance,
    Distribution,
    Factor,
    Modifier,
    Number,
    Receipt,
    Side,
    added,
    at_least,
    needed,
    other,
    then,
    total,
)
from rosters.core.values import MAX_INTEGER
from rosters.systems.mini_combat.rules import DENY, Element, form_of
from rosters.systems.mini_combat.tables import TEMPLATES

MAX_MODELS, MAX_WEAPONS = 100, 100
"""The largest units and the most weapons that are computed: exact fractions grow with them."""
DENIAL_REACH: Mapping[str, int] = {"MA": MAX_INTEGER, "Ch": MAX_INTEGER, "St": 50}
"""How far, in cm, the denial of a capability works; others up to `USUAL_DENIAL_REACH` (R6)."""
USUAL_DENIAL_REACH = 25
STEALTH_REACH = 25
CONE_REACH = 10
FLYING_EXTRA = 5
"""In cm: how near stealth is seen, how far a cone reaches, and how much farther a flying target counts."""

HIDDEN = Factor(_("The target is hidden until it has attacked"), 0, "R16")
SPENT = Factor(_("Its only attack is made"), 0, "R14")
RESTING = Factor(_("It fired last turn"), 0, "R12")

Models = Annotated[int, Field(ge=1, le=MAX_MODELS)]
Cover = Annotated[int, Field(ge=2, le=6)] | None


class Conditions(odds.Conditions):
    """The distance in cm, the line of sight, and for each side its models, movement, cover and exposure.

    ``rear``: it is attacked from the rear. ``recon``: its indirect fire is guided. ``caught``: its elements under a
    template.
    """

    distance: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 0
    in_sight: bool = True
    a_models: Models = 1
    b_models: Models = 1
    a_moved: bool = False
    b_moved: bool = False
    a_cover: Cover = None
    b_cover: Cover = None
    a_rear: bool = False
    b_rear: bool = False
    a_recon: bool = False
    b_recon: bool = False
    a_caught: Annotated[int, Field(ge=1, le=MAX_INTEGER)] = 1
    b_caught: Annotated[int, Field(ge=1, le=MAX_INTEGER)] = 1


LABELS = {
    "distance": _("Distance in cm, 0 in melee"),
    "in_sight": _("In sight"),
    "models": _("Elements"),
    "moved": _("Moved"),
    "cover": _("Save from cover"),
    "rear": _("Attacked from the rear"),
    "recon": _("Fire guided by Recon"),
    "caught": _("Elements under a template"),
}
VALUES: Mapping[str, str] = {}
RANGES = {0: _("melee"), 10: _("10 cm"), 20: _("20 cm"), 40: _("40 cm"), 60: _("60 cm")}
TARGETS = (
    (
        _("Infantry"),
        {"kind": "infantry", "movement": 10, "range": 25, "to_hit": 4, "power": 3, "armor": 1, "morale": 4},
    ),
    (
        _("Armored infantry"),
        {"kind": "infantry", "movement": 10, "to_hit": 4, "save": 5, "power": 3, "armor": 2, "morale": 3},
    ),
    (
        _("Light vehicle"),
        {"kind": "vehicle", "movement": 40, "range": 35, "to_hit": 4, "save": 6, "power": 3, "armor": 2, "morale": 4},
    ),
    (
        _("Tank"),
        {"kind": "vehicle", "movement": 30, "range": 60, "to_hit": 4, "save": 6, "power": 5, "armor": 4, "morale": 4},
    ),
    (
        _("Giant creature"),
        {"kind": "creature", "movement": 20, "range": 30, "to_hit": 4, "save": 4, "power": 7, "armor": 4, "morale": 4},
    ),
)


class UnitState(NamedTuple):
    """One side of a duel: its elements left, and its memory."""

    left: int
    hidden: bool
    """It cannot be attacked until it has attacked (R16)."""
    resting: bool = False
    """It fired last turn and cannot fire now (R12)."""
    spent: bool = False
    """It has attacked its only time (R14)."""


class DuelState(NamedTuple):
    """Both sides, and whether this is round 1."""

    a: UnitState
    b: UnitState
    first: bool = False


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """The keys of an element that has no odds, each with the reason."""
    for index, modifier in enumerate(element.capabilities):
        if modifier.code == "MW" and modifier.counted > MAX_WEAPONS:
            yield f"capabilities/{index}/count", _("must be at most {most}").format(most=MAX_WEAPONS)


class Fighter:
    """An element in a duel: its stats, and the capabilities that the enemy does not deny."""

    def __init__(self, element: Element, enemy: Element, distance: int) -> None:
        denied = {modifier.denies for modifier in enemy.capabilities if modifier.code == DENY}
        denied = {code for code in denied if distance <= DENIAL_REACH.get(code or "", USUAL_DENIAL_REACH)}  # R6
        acting = [each for each in element.capabilities if each.code and each.code not in denied]  # R18
        self.stats, self.is_infantry = element.stats, element.kind == "infantry"
        self.codes = {modifier.code for modifier in acting}
        self.is_flying = any(form_of(modifier) == "flying" for modifier in acting)
        weapons = [modifier.counted for modifier in acting if modifier.code == "MW"]
        self.weapons = max(0, *weapons) if weapons else 1  # R11
        self.has_template = not self.codes.isdisjoint(TEMPLATES)
        self.reach = CONE_REACH if "Cone" in self.codes and self.stats.range == 0 else self.stats.range  # R17

    def reaches(self, target: Fighter, distance: int) -> bool:
        """Whether a target is in melee or in range (R3, R4)."""
        return distance == 0 or distance + FLYING_EXTRA * target.is_flying <= self.reach

    def is_hidden(self, distance: int, moved: bool) -> bool:
        """Whether it cannot be attacked until it has attacked itself (R16)."""
        return ("St" in self.codes and distance > STEALTH_REACH) or ("Sc" in self.codes and not moved)

    def pierces(self, target: Fighter, distance: int) -> bool:
        """Whether its power is greater than the armor of a target."""
        return bool(self.blow(target, distance, False).chance)

    def blow(self, target: Fighter, distance: int, exposed: bool) -> Factor:
        """Its power against the armor of a target, ``exposed`` from the rear."""
        doubled = ("MA" if distance == 0 else "SS") in self.codes
        every = (
            (doubled, Modifier(_("Power doubled"), 2, "R9", "×")),
            (exposed, Modifier(_("armor from the rear"), -1, "R7")),
            ("Bmb" in self.codes, Modifier(_("armor under bombardment"), -2, "R10")),
        )
        changes = tuple(modifier for counts, modifier in every if counts)
        power, armor = self.stats.power * (1 + doubled), target.stats.armor + added(changes)
        beats = power > armor
        words = _("Power {power} beats armor {armor}") if beats else _("Power {power} does not beat armor {armor}")
        return Factor(words.format(power=power, armor=armor), Fraction(beats), "R9", changes)


class Duel(odds.AnyDuel):
    """Two units under conditions. A state is a `DuelState`."""

    def __init__(self, a: Element, b: Element, conditions: Conditions, number: Number) -> None:
        self._conditions, self._number, distance = conditions, number, conditions.distance
        self._fighters: Mapping[Side, Fighter] = {"a": Fighter(a, b, distance), "b": Fighter(b, a, distance)}
        self._barred = {side: self._bar(side) for side in odds.SIDES}
        self.initiative: Chance = number(odds.initiative_chance())
        self.start = DuelState(self._unit("a"), self._unit("b"), True)
        self._roll, self._element, self._volley = cache(self._one_roll), cache(self._one_element), cache(self._all)
        self._kill = cache(self._kill_chance)

    def round(self, state: DuelState) -> Distribution[Any]:
        """The state after both sides have acted, in the order of the initiative (G1)."""
        both = odds.both_act(self.initiative, state, self._attack)
        return then(both, lambda now: self._end_round(state, now))

    def attack(self, state: DuelState, side: Side) -> Distribution[Any]:
        """The state after one side has acted."""
        return then(self._attack(state, side), lambda now: self._end_round(state, now))

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The rolls to hit of round 1, and the chances that one hits and kills."""
        able = self._hindrance(self.start, side) is None
        fighter, models = self._fighters[side], self._conditions.of(side, "models")
        return {
            "attacks": models * fighter.weapons if able else 0,
            "hit": self._number(Fraction(self._to_hit(side, True).chance)) if able else 0,
            "kill": self._number(self._kill(side, True)) if able else 0,
        }

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """Rolls to hit, power against armor, and the save."""
        if reason := self._hindrance(self.start, side):
            return {"hit": (reason,), "kill": (reason,)}
        hit, (armor, save) = self._to_hit(side, True), self._defense(side)
        return {"hit": (hit,), "kill": (Factor(_("The attack hits"), hit.chance, ""), armor, save)}

    def turn(self, side: Side) -> Distribution[int]:
        """The elements that a side's attacks destroy in round 1."""
        full: UnitState = getattr(self.start, other(side))
        after = self._attack(self.start, side)
        return total((full.left - getattr(state, other(side)).left, chance) for state, chance in after.items())

    def size(self) -> int:
        """Each loss of both leads to every further one, and fractions grow with each weapon."""
        weapons = max(fighter.weapons for fighter in self._fighters.values())
        return int((self._conditions.a_models * self._conditions.b_models) ** 2 * weapons)

    # ---------------------------------------------------------------- who may attack whom

    def _unit(self, side: Side) -> UnitState:
        moved = self._conditions.of(side, "moved")
        hidden = self._fighters[side].is_hidden(self._conditions.distance, moved)
        return UnitState(self._conditions.of(side, "models"), hidden)

    def _hindrance(self, state: DuelState, side: Side) -> Factor | None:
        """Why a side cannot attack; None if it can."""
        unit, target = (state.a, state.b) if side == "a" else (state.b, state.a)
        if target.hidden:
            return HIDDEN
        if unit.spent or not (unit.left and target.left):
            return SPENT
        if unit.resting and self._conditions.distance:  # R12: melee is not firing
            return RESTING
        return self._barred[side]

    def _bar(self, side: Side) -> Factor | None:
        """Why a side cannot attack in any round; None if it can."""
        fighter, distance = self._fighters[side], self._conditions.distance
        if fighter.stats.to_hit >= 7 or not fighter.weapons:
            return Factor(_("It has no attack"), 0, "R1, R11")
        if distance == 0:
            return None  # R3: melee is open to all
        if not fighter.reaches(self._fighters[other(side)], distance):
            return Factor(_("Out of range"), 0, "R3, R4, R17")
        if not self._conditions.in_sight and "IF" not in fighter.codes:
            return Factor(_("Not in sight"), 0, "R15")
        moved = "MoF" in fighter.codes and self._conditions.of(side, "moved")
        return Factor(_("It moved and cannot fire"), 0, "R13") if moved else None

    # ---------------------------------------------------------------- one attack

    @property
    def _indirect(self) -> bool:
        return self._conditions.distance > 0 and not self._conditions.in_sight

    def _from_rear(self, side: Side) -> bool:
        """Whether the attacks of a side come from the rear, which indirect fire never does (R7, R15)."""
        return self._conditions.of(other(side), "rear") and not self._indirect

    def _to_hit(self, side: Side, first: bool) -> Factor:
        """The roll to hit."""
        fighter, conditions = self._fighters[side], self._conditions
        target, modifiers = fighter.stats.to_hit, tuple[Modifier, ...]()
        if target > 0:  # R1: To Hit 0 always hits
            charge = first and conditions.distance == 0 and "Ch" in fighter.codes
            still = not conditions.of(side, "moved") and not (first and "MoF" in fighter.codes)
            every = (
                (still, Modifier(_("did not move"), 1, "R2, R13")),
                (charge, Modifier(_("charges"), 1, "R8")),
                (self._from_rear(side), Modifier(_("from the rear"), 1, "R7")),
                (self._indirect and not conditions.of(side, "recon"), Modifier(_("fires unguided"), -1, "R15")),
            )
            modifiers = tuple(modifier for counts, modifier in every if counts)
        bonus = added(modifiers)
        label = _("Hits on {needed} (To Hit {target}+)").format(needed=needed(target - bonus), target=max(target, 0))
        return Factor(label, at_least(target, bonus), "R1", modifiers)

    def _defense(self, side: Side) -> tuple[Factor, Factor]:
        """Power against armor, and the target's save."""
        fighter, target = self._fighters[side], self._fighters[other(side)]
        exposed = self._from_rear(side) and "FA" not in target.codes and not target.is_infantry
        cover = self._conditions.of(other(side), "cover")
        save = target.stats.save if cover is None or "IC" in fighter.codes else min(target.stats.save, cover)  # R5
        no_save = _("No save") if save >= 7 else _("The save of {needed} fails").format(needed=needed(save))
        return (
            fighter.blow(target, self._conditions.distance, exposed),
            Factor(no_save, 1 - at_least(save), "R5"),
        )

    def _kill_chance(self, side: Side, first: bool) -> Any:
        return odds.product((self._to_hit(side, first), *self._defense(side)))

    # ---------------------------------------------------------------- a turn

    def _one_roll(self, side: Side, first: bool, left: int) -> Distribution[int]:
        """The targets left after one roll to hit: of a template, one for each element that is caught (R21)."""
        kill = self._number(self._kill(side, first))
        caught = self._conditions.of(other(side), "caught") if self._fighters[side].has_template else 1
        after: Distribution[int] = {left: 1}
        for _target in range(min(caught, left)):
            after = then(after, lambda now: total([(now - 1, kill), (now, 1 - kill)]))
        return after

    def _one_element(self, side: Side, first: bool, left: int) -> Distribution[int]:
        after: Distribution[int] = {left: 1}
        for _weapon in range(self._fighters[side].weapons):
            after = then(after, lambda now: self._roll(side, first, now))
        return after

    def _all(self, side: Side, first: bool, attackers: int, left: int) -> Distribution[int]:
        """The targets left after all elements of a side have attacked, one after the other (R19)."""
        if attackers == 0:
            return {left: 1}
        return then(self._volley(side, first, attackers - 1, left), lambda now: self._element(side, first, now))

    def _attack(self, state: DuelState, side: Side) -> Distribution[DuelState]:
        """The state after the turn of one side."""
        unit, target = (state.a, state.b) if side == "a" else (state.b, state.a)
        if self._hindrance(state, side):
            return {_replace(state, side, unit._replace(resting=False)): 1}
        codes = self._fighters[side].codes
        acted = _replace(state, side, unit._replace(hidden=False, resting="Feot" in codes, spent="OS" in codes))
        volley = self._volley(side, state.first, unit.left, target.left)
        return {_replace(acted, other(side), target._replace(left=left)): chance for left, chance in volley.items()}

    def _end_round(self, before: DuelState, now: DuelState) -> Distribution[Any]:
        """The next state after tests of morale, both sides at once (R20)."""
        stay_a, stay_b = self._stay_chance("a", before.a, now.a), self._stay_chance("b", before.b, now.b)
        return total(
            [
                (now._replace(first=False), stay_a * stay_b),
                (WIN, stay_a * (1 - stay_b)),
                (LOSE, (1 - stay_a) * stay_b),
                (DRAW, (1 - stay_a) * (1 - stay_b)),
            ]
        )

    def _stay_chance(self, side: Side, before: UnitState, now: UnitState) -> Chance:
        """The chance that a unit is there after a round; it tests once, when it has lost half, rounded up."""
        models = self._conditions.of(side, "models")
        half = models - (models + 1) // 2
        if now.left == 0:
            return 0
        tests = now.left <= half < before.left
        return self._number(at_least(self._fighters[side].stats.morale)) if tests else 1


def _replace(state: DuelState, side: Side, unit: UnitState) -> DuelState:
    return state._replace(a=unit) if side == "a" else state._replace(b=unit)
