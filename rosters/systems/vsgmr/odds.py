"""One round of VSGMR as probabilities: one attack of each figure, with its rerolls (sections II, V and VI).

Rulebook: VSGMR, Domino Writing. The readings R61 to R74 are those of docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from rosters.core import odds
from rosters.core.messages import Message, _
from rosters.core.odds import (
    DRAW,
    LOSE,
    SIDES,
    WIN,
    Chance,
    Distribution,
    Factor,
    Modifier,
    Number,
    Receipt,
    Side,
    added,
    needed,
    then,
    total,
)
from rosters.core.values import MAX_INTEGER
from rosters.systems.vsgmr.rules import Element, Options, RosterTerms, trait_codes
from rosters.systems.vsgmr.tables import EXTRA_HALF_MOVES, REACH, Roll, rolls

HAND, DISTANCE = "hand-to-hand", "distance"
MORE_ATTACKS = {HAND: ("double-strike", 1), DISTANCE: ("area-effect-attack", 2)}
"""The trait that gives further attacks of a type, and how many (R70)."""
ARMORS = ("light", "heavy")
FRIGHTENING = 2
"""A die up to this fails against Cause Fear (R71)."""
READINGS = {HAND: "R61", DISTANCE: "R61, R64"}
BOTH = "both"
"""The state in which both figures are left: a round leaves no other traces."""
TERMS = RosterTerms(Options(), None, None)


class Conditions(odds.Conditions):
    """The distance in inches, 0 for figures that touch, and which of them are in cover."""

    distance: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 0
    a_cover: bool = False
    b_cover: bool = False


LABELS = {"distance": _("Distance in inches, 0 touching"), "cover": _("In cover")}
VALUES: Mapping[str, str] = {}
RANGES = {0: _("touching"), REACH: _("12 inches"), 2 * REACH: _("24 inches")}
TARGETS = (
    (_("Mook"), {"kind": "mook"}),
    (_("Troop with a distance attack"), {"kind": "troop", "distance": True}),
    (_("Troop in light armor"), {"kind": "troop", "armor": "light"}),
    (_("Troop in heavy armor"), {"kind": "troop", "armor": "heavy"}),
    (_("Hero in heavy armor"), {"kind": "hero", "armor": "heavy", "distance": True}),
    (_("Vehicle"), {"kind": "vehicle", "distance": True}),
)


class Attack(NamedTuple):
    """An attack of one figure on another: its type, its roll, what the die needs, and the armor roll against it.

    ``hit`` and ``armor`` are the chances that one roll of each succeeds; ``armor_roll`` is None without armor.
    """

    type: str
    roll: Roll
    need: int
    hit: Chance
    armor_roll: Roll | None
    armor: Chance
    armor_rolls: int
    receipt: Receipt
    """The roll to hit, then the armor rolls that must fail."""

    @property
    def save(self) -> Chance:
        """The chance that armor stops a hit, before rerolls; 0 without armor."""
        return self.armor**self.armor_rolls if self.armor_rolls else 0

    @property
    def kill(self) -> Chance:
        return self.hit * (1 - self.save)

    def converted(self, number: Number) -> Attack:
        """The same with other numbers. Attacks are compared before: in floats a tie could be missed."""
        return self._replace(hit=number(Fraction(self.hit)), armor=number(Fraction(self.armor)))


class Strike(NamedTuple):
    """The result of an attack: who is beaten, and who can still roll again by Inspiration (R72)."""

    beaten: frozenset[Side]
    inspired: frozenset[Side]


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """None: every figure has odds."""
    yield from ()


class Duel(odds.AnyDuel):
    """Two figures under conditions."""

    def __init__(self, a: Element, b: Element, conditions: Conditions, number: Number) -> None:
        self._figures: Mapping[Side, Element] = {"a": a, "b": b}
        self._traits = {side: trait_codes(figure) for side, figure in self._figures.items()}
        self._conditions = conditions
        moves = (EXTRA_HALF_MOVES.get(figure.powers.get("super-move", ""), 0) for figure in (a, b))  # R68
        self.initiative = number(odds.initiative_chance(*moves))
        exact = {side: self._attacks(side) for side in SIDES}
        self._attacks_of = {side: {each.type: each.converted(number) for each in exact[side]} for side in SIDES}
        best = {side: max(exact[side], key=lambda each: each.kill, default=None) for side in SIDES}  # R61
        self._chosen = {side: self._attacks_of[side][attack.type] if attack else None for side, attack in best.items()}
        self.start = BOTH

    def round(self, state: str) -> Distribution[str]:
        """The state after both have acted, the winner of the initiative first (G1)."""
        both = odds.both_act(self.initiative, self._fresh, self._act)
        return total((_end(strike), chance) for strike, chance in both.items())

    def attack(self, state: str, side: Side) -> Distribution[str]:
        """The state after one side has acted."""
        strikes = self._act(self._fresh, side, revenge=False)
        return total((_end(strike), chance) for strike, chance in strikes.items())

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The chances of one roll to hit, and that it takes out, before rerolls; the chance that armor stops a hit."""
        chosen = self._chosen[side]
        if chosen is None:
            return {"hit": 0, "kill": 0, "save": None}
        return {"hit": chosen.hit, "kill": chosen.kill, "save": chosen.save if chosen.armor_rolls else None}

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """One roll to hit, and the armor rolls, before rerolls."""
        chosen = self._chosen[side]
        receipt = chosen.receipt if chosen else (Factor(_("Out of reach"), 0, "R61, R64"),)
        return {"hit": receipt[:1], "kill": receipt}

    def turn(self, side: Side) -> Distribution[int]:
        """Whether the enemy is beaten in round 1."""
        return total((int(state != BOTH), chance) for state, chance in self.attack(BOTH, side).items())

    @property
    def _fresh(self) -> Strike:
        """The start of a round: Inspiration is there again."""
        return Strike(frozenset(), frozenset(side for side in SIDES if "inspiration" in self._traits[side]))

    # ---------------------------------------------------------------- the attacks of a figure

    def _attacks(self, side: Side) -> list[Attack]:
        """The attacks that reach the enemy, hand to hand first (R61, R64)."""
        figure, distance, foe = self._figures[side], self._conditions.distance, odds.other(side)
        cover = self._conditions.of(foe, "cover") and distance > 0  # R65
        kinds = [HAND] * (distance == 0) + [DISTANCE] * (distance <= reach_of(figure))
        return [attack_of(figure, self._figures[foe], kind, cover=cover, touching=distance == 0) for kind in kinds]

    # ---------------------------------------------------------------- what they do

    def _act(self, before: Strike, side: Side, *, revenge: bool = True) -> Distribution[Strike]:
        """The results of a side's turn: nothing, if somebody is beaten or the enemy is out of reach."""
        chosen = self._chosen[side]
        if before.beaten or chosen is None:
            return {before: 1}
        trait, number = MORE_ATTACKS[chosen.type]
        attacks = 1 + number if trait in self._traits[side] else 1
        strikes = self._strike(before, side, chosen, attacks)
        return (
            then(strikes, lambda strike: self._revenge(strike, odds.other(side), chosen.type)) if revenge else strikes
        )

    def _strike(self, before: Strike, side: Side, attack: Attack, attacks: int) -> Distribution[Strike]:
        """Attacks one after the other, each if the one before hit and the enemy is not beaten (R70)."""
        foe = odds.other(side)
        result: list[tuple[Strike, Chance]] = []
        for (hit, inspired), chance in _roll(attack.hit, before.inspired, side).items():
            if not hit:
                result.append((before._replace(inspired=inspired), chance))
                continue
            for (saved, left), p in _save(attack, inspired, foe).items():
                if not saved:
                    result.append((Strike(before.beaten | {foe}, left), chance * p))
                elif attacks > 1:
                    further = self._strike(before._replace(inspired=left), side, attack, attacks - 1)
                    result += [(strike, chance * p * q) for strike, q in further.items()]
                else:
                    result.append((before._replace(inspired=left), chance * p))
        return total(result)

    def _revenge(self, strike: Strike, side: Side, kind: str) -> Distribution[Strike]:
        """The last attack of a side that was beaten, of the type that beat it, without its Inspiration (R73)."""
        attack = self._attacks_of[side].get(kind)
        if side not in strike.beaten or "revenge" not in self._traits[side] or attack is None:
            return {strike: 1}
        return self._strike(strike._replace(inspired=strike.inspired - {side}), side, attack, 1)


def reach_of(figure: Element) -> int:
    """How far a figure makes distance attacks, in inches; -1 without one (R64)."""
    return REACH * (2 if "sniper" in trait_codes(figure) else 1) if figure.distance else -1


def attack_of(figure: Element, foe: Element, kind: str, *, cover: bool, touching: bool) -> Attack:
    """An attack on a foe, which Stealth shelters from distance attacks, too, unless they touch (R65)."""
    roll, armor = _roll_of(figure, kind), _roll_of(foe, *ARMORS)
    assert roll
    shelter, target = _shelter(roll, trait_codes(foe), cover, stealth=kind == DISTANCE and not touching)
    hit, save = _chance(roll, target), _chance(armor, armor.target) if armor else Fraction(0)
    armor_rolls = 0 if armor is None else 2 if "ignores-armor" in trait_codes(figure) else 1  # R69
    label = _("{roll}: {needed} on {dice}").format(roll=roll.name, needed=needed(target, roll.die), dice=_dice(roll))
    receipt = [Factor(label, hit, READINGS[roll.code], (*_bonuses(roll), *shelter))]
    if armor:
        words = _("{roll} fails: {needed} on {dice}")
        words = words if armor_rolls == 1 else _("One of two rolls fails. {roll}: {needed} on {dice}")
        label = words.format(roll=armor.name, needed=needed(armor.target, armor.die), dice=_dice(armor))
        receipt.append(Factor(label, 1 - save**armor_rolls, "R62, R69", tuple(_bonuses(armor))))
    return Attack(kind, roll, target, hit, armor, save, armor_rolls, receipt)


def _shelter(roll: Roll, foe: Collection[str], cover: bool, *, stealth: bool) -> tuple[list[Modifier], int]:
    """What a target with some traits deducts from the die of an attack, and the least that the die must show."""
    every = (
        (cover, Modifier(_("target in cover"), -1, "R65")),
        (stealth and "stealth" in foe, Modifier(_("Stealth of the target"), -1, "R65")),
    )
    modifiers = [modifier for counts, modifier in every if counts]
    target = roll.target - added(modifiers)
    if "cause-fear" in foe and target <= FRIGHTENING:
        return [*modifiers, Modifier(_("Cause Fear: 1 and 2 fail"), 0, "R71")], FRIGHTENING + 1
    return modifiers, target


def _roll_of(figure: Element, *codes: str) -> Roll | None:
    return next((roll for roll in rolls(figure, TERMS) if roll.code in codes), None)


def _chance(roll: Roll, target: int) -> Fraction:
    """The chance that the best die of a roll shows at least ``target`` (R66, R67)."""
    return odds.best_of(target, roll.die, roll.dice)


def _dice(roll: Roll) -> str:
    die = f"D{roll.die}"
    return _("the better of two {die}").format(die=die) if roll.dice == 2 else die  # R66


def _bonuses(roll: Roll) -> Iterator[Modifier]:
    return (Modifier(name, bonus, "R61, R63") for name, bonus in roll.bonuses)


def _roll(chance: Chance, inspired: frozenset[Side], side: Side) -> Distribution[tuple[bool, frozenset[Side]]]:
    """Whether a roll of a side succeeds, the first failure of a round being rolled again by Inspiration (R72)."""
    again = chance if side in inspired else 0
    return total(
        (
            ((True, inspired), chance),
            ((True, inspired - {side}), (1 - chance) * again),
            ((False, inspired - {side}), (1 - chance) * (1 - again)),
        )
    )


def _save(attack: Attack, inspired: frozenset[Side], side: Side) -> Distribution[tuple[bool, frozenset[Side]]]:
    """Whether a side's armor stops a hit: every roll must succeed, and no roll is made after a failure (R69)."""
    result: Distribution[tuple[bool, frozenset[Side]]] = {(attack.armor_rolls > 0, inspired): 1}
    for _armor_roll in range(attack.armor_rolls):
        result = then(result, lambda last: _roll(attack.armor, last[1], side) if last[0] else {last: 1})
    return result


def _end(strike: Strike) -> str:
    """The state at the end of a round."""
    if len(strike.beaten) == 2:
        return DRAW
    return BOTH if not strike.beaten else WIN if "b" in strike.beaten else LOSE
