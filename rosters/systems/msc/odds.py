"""One round of Minimal Space Combat as probabilities: two ships that keep their distance, and strategic fleets.

Rulebook: Minimal Space Combat, Timothy Swenson. The readings R51 to R56 are those of docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from rosters.core import odds
from rosters.core.messages import Message, _
from rosters.core.odds import LOSE, WIN, Chance, Distribution, Factor, Modifier, Number, Receipt, Side, then, total
from rosters.core.values import MAX_INTEGER, JsonList
from rosters.systems.msc import rules
from rosters.systems.msc.rules import Element
from rosters.systems.msc.tables import RANGE_MODIFIERS

MAX_SHIPS, MAX_FLEET_POINTS = 200, 3_000
"""The largest fleet of which strategic combat is computed, in ships and in offensive or defensive BP.

200 legal ships stay within both; the work grows with the third power.
"""

ShipSide = Literal["F", "FL", "FR", "RL", "RR", "R"]


class Conditions(odds.Conditions):
    """The distance in hexes, and how the ships face each other.

    ``aspect`` any: each side as likely as the others, every round. ``fixed``: the sides that bear, and the side hit.
    """

    distance: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 3
    aspect: Literal["any", "fixed"] = "any"
    a_bears: JsonList[ShipSide] = ("F",)
    b_bears: JsonList[ShipSide] = ("F",)
    a_side: ShipSide = "F"
    b_side: ShipSide = "F"

    def note(self, side: Side, element: Any) -> str:
        """The weapons of a ship that bear."""
        if self.aspect == "any":
            return ""
        able = [each for each in rules.SIDES if each in weapons_of(element)]
        bearing = [each for each in able if each in self.of(side, "bears")]
        if bearing:
            return _("Weapons that bear: {sides}.").format(sides=", ".join(bearing))
        if not able:
            return _("It has no weapons.")
        return _("No weapon bears: its weapons are on {sides}.").format(sides=", ".join(able))


LABELS = {
    "distance": _("Distance in hexes"),
    "aspect": _("Facing"),
    "bears": _("Sides that bear"),
    "side": _("Side that is hit"),
}
VALUES: Mapping[str, str] = {"any": _("at random"), "fixed": _("as selected")}
RANGES = {0: _("0 hexes"), 1: _("1–2 hexes"), 3: _("3–4 hexes"), 5: _("5–6 hexes")}
TARGETS = (
    (_("Ship 3/3/3 with three weapons"), {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}),
    (_("Ship 2/4/3 with three weapons"), {"engine": 2, "shield": 4, "to_hit": 3, "weapons": ["F", "FL", "FR"]}),
    (_("Ship 4/4/5 with one weapon"), {"engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]}),
)


class ShipState(NamedTuple):
    """The damage of one side. ``weapons`` are those that can be lost: with ``fixed`` the one on the side hit."""

    shield: int
    engine: int
    weapons: int


Hit = tuple[ShipState, bool]
"""A ship, and whether the side that faces the enemy has a weapon left."""


class Guns(NamedTuple):
    """How one side shoots: its chance to hit, and the number of shots that it cannot lose.

    ``facing`` says whether the weapon on the side that is hit shoots too, as long as it is left.
    """

    hit: Chance
    safe: int
    facing: bool

    def shots(self, armed: bool) -> int:
        """The shots of a round, with a weapon on the side that is hit or without."""
        return self.safe + (armed and self.facing)


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """The keys of a ship that has no odds, each with the reason."""
    if element.shield < 1:
        yield "shield", _("must be at least 1: without SHIELD the ship is destroyed")
    if element.quantity > MAX_SHIPS:
        yield "quantity", _("must be at most {most}").format(most=MAX_SHIPS)
    elif element.quantity * max(rules.offensive(element), rules.defensive(element)) > MAX_FLEET_POINTS:
        yield "quantity", _("makes a fleet of more than {most} BP").format(most=MAX_FLEET_POINTS)


def weapons_of(element: Element) -> frozenset[str]:
    """The sides with a weapon: each once, and others do not exist (R53)."""
    return frozenset(element.weapons) & {*rules.SIDES}


def to_hit_roll(to_hit: int, distance: int) -> Factor:
    """The roll of a shot: a D6 of at most TO-HIT and its modifier, 6 always, 0 never (R51)."""
    modifier = next((modifier for farthest, modifier in RANGE_MODIFIERS if distance <= farthest), None)
    if modifier is None:
        return Factor(_("Out of range"), Fraction(0), "R51")
    highest = min(max(to_hit + modifier, 0), 6)
    modifiers = [Modifier(_("TO-HIT"), to_hit, "R51")] + [Modifier(_("range"), modifier, "R51")] * bool(modifier)
    words = _("Hits on {needed} or less") if highest else _("Cannot hit")
    return Factor(words.format(needed=highest), Fraction(highest, 6), "R51", modifiers)


def hit_chance(to_hit: int, distance: int) -> Fraction:
    """The chance that a shot hits."""
    return Fraction(to_hit_roll(to_hit, distance).chance)


class Duel(odds.AnyDuel):
    """Two ships under conditions.

    A state is one integer for both ships, so that a loss is a number to subtract: a duel has thousands of states.
    """

    def __init__(self, a: Element, b: Element, conditions: Conditions, number: Number) -> None:
        self._elements: Mapping[Side, Element] = {"a": a, "b": b}
        self._conditions, self._number, self._sixth = conditions, number, number(odds.SIXTH)
        self.initiative: Chance = number(odds.initiative_chance())
        self._ships = {side: self._ship(side) for side in odds.SIDES}
        self._guns = {side: self._guns_of(side) for side in odds.SIDES}
        self._size = self._code("b", self._ships["b"]) + 1
        self.start = self._code("a", self._ships["a"]) * self._size + self._size - 1
        self._volley, self._moves, self._small = cache(self._fire), cache(self._all_moves), cache(self._small_ship)

    def round(self, state: int) -> Distribution[Any]:
        """The state after a round in which both shoot."""
        return self._step(state, odds.SIDES)

    def attack(self, state: int, side: Side) -> Distribution[Any]:
        """The state after a round in which one side shoots."""
        return self._step(state, (side,))

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The effect of one shot at an undamaged ship, even of a side without a weapon (R55)."""
        damage = self._damage(side)
        only_one = self._ships[odds.other(side)].shield == 1
        return {"hit": self._guns[side].hit, "kill": damage["shield"] if only_one else 0, "damage": damage}

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """The roll to hit, the damage die, and whether the enemy has any SHIELD to spare."""
        roll, shield = self._roll(side), self._ships[odds.other(side)].shield
        if not roll.chance:
            return {"hit": (roll,), "kill": (roll,)}
        destroys = _("SHIELD is 1") if shield == 1 else _("SHIELD is {shield}: one shot is not enough")
        factors = (
            Factor(_("The shot hits"), roll.chance, ""),
            Factor(_("The damage die takes SHIELD"), self._damage(side)["shield"] / self._guns[side].hit, "R52, R55"),
            Factor(destroys.format(shield=shield), int(shield == 1), "R55"),
        )
        return {"hit": (roll,), "kill": factors}

    def turn(self, side: Side) -> Distribution[int]:
        """The SHIELD that the first round's shots take."""
        guns, enemy = self._guns[side], odds.other(side)
        target = self._ships[enemy]
        return total(
            (target.shield - left.shield, p * q * r)
            for armed, p in self._facing(self._ships[side]).items()
            for target_armed, q in self._facing(target).items()
            for (left, _armed), r in self._volley(side, guns.shots(armed), target, target_armed).items()
        )

    def totals(self) -> Mapping[str, Any]:
        """Strategic combat of two fleets: A attacks, then what B has left attacks all of A (R56)."""
        a, b = self._elements["a"], self._elements["b"]
        b_lost = strategic_losses(a, a.quantity, b)
        a_lost = total(
            (lost, chance * after)
            for gone, chance in b_lost.items()
            for lost, after in strategic_losses(b, b.quantity - gone, a).items()
        )
        return {"strategic": {"b_lost": self._sorted(b_lost), "a_lost": self._sorted(a_lost)}}

    def _sorted(self, losses: Distribution[int]) -> Distribution[str]:
        return {str(lost): losses[lost] for lost in sorted(losses)}

    # ---------------------------------------------------------------- the two ships

    def _ship(self, side: Side) -> ShipState:
        element = self._elements[side]
        weapons = weapons_of(element)
        exposed = weapons if self._conditions.aspect == "any" else weapons & {self._conditions.of(side, "side")}
        return ShipState(element.shield, max(0, element.engine), len(exposed))

    def _roll(self, side: Side) -> Factor:
        return to_hit_roll(self._elements[side].to_hit, self._conditions.distance)

    def _guns_of(self, side: Side) -> Guns:
        hit = self._number(hit_chance(self._elements[side].to_hit, self._conditions.distance))
        if self._conditions.aspect == "any":
            return Guns(hit, 0, True)  # R54: the weapon that faces the foe, if any is left there
        bears, exposed = {*self._conditions.of(side, "bears")}, self._conditions.of(side, "side")
        return Guns(hit, len(weapons_of(self._elements[side]) & bears - {exposed}), exposed in bears)  # R53

    def _facing(self, ship: ShipState) -> Distribution[bool]:
        """The chances that there is a weapon on the side that faces the enemy in a round, and that there is none."""
        if self._conditions.aspect == "fixed":
            return {ship.weapons > 0: 1}
        return total([(True, ship.weapons * self._sixth), (False, (6 - ship.weapons) * self._sixth)])  # R54

    # ---------------------------------------------------------------- shots

    def _shoot(self, side: Side, target: ShipState, armed: bool) -> Distribution[Hit]:
        """One shot of a side (R52); a destroyed ship suffers no more."""
        hit = self._guns[side].hit * self._sixth
        if target.shield == 0 or not hit:
            return {(target, armed): 1}
        shield = target._replace(shield=target.shield - 1), armed
        engine = (target._replace(engine=target.engine - 1), armed) if target.engine else shield
        weapon = (target._replace(weapons=target.weapons - 1), False) if armed else shield
        return total([((target, armed), 1 - 6 * hit), (shield, 4 * hit), (engine, hit), (weapon, hit)])

    def _fire(self, side: Side, shots: int, target: ShipState, armed: bool) -> Distribution[Hit]:
        """All shots of a side in one round."""
        volley: Distribution[Hit] = {(target, armed): 1}
        for _shot in range(shots):
            volley = then(volley, lambda after: self._shoot(side, *after))
        return volley

    def _damage(self, side: Side) -> Mapping[str, Chance]:
        """What one shot at an undamaged ship does, over the sides that may be hit."""
        target = self._ships[odds.other(side)]
        damage: dict[str, Chance] = dict.fromkeys(("none", "shield", "engine", "weapon"), 0)
        for armed, p in self._facing(target).items():
            for (after, _armed), q in self._shoot(side, target, armed).items():
                lost = [name for name in ShipState._fields if getattr(after, name) < getattr(target, name)]
                damage[lost[0].removesuffix("s") if lost else "none"] += p * q
        return damage

    # ---------------------------------------------------------------- a round

    def _code(self, side: Side, ship: ShipState) -> int:
        return (ship.shield * (self._ships[side].engine + 1) + ship.engine) * 6 + ship.weapons

    def _small_ship(self, side: Side, code: int) -> ShipState:
        """A ship with the least ENGINE and SHIELD that suffers the same in a round as the ship of that code."""
        enemy = self._guns[odds.other(side)]
        most = enemy.safe + enemy.facing
        rest, weapons = divmod(code, 6)
        shield, engine = divmod(rest, self._ships[side].engine + 1)
        return ShipState(min(shield, most + 1), min(engine, most), weapons)

    def _step(self, state: int, acting: tuple[Side, ...]) -> Distribution[Any]:
        a, b = divmod(state, self._size)
        ends, losses = self._moves(acting, self._small("a", a), self._small("b", b))
        return {**ends, **{state - loss: chance for loss, chance in losses.items()}}

    def _all_moves(
        self, acting: tuple[Side, ...], a: ShipState, b: ShipState
    ) -> tuple[Distribution[str], Distribution[int]]:
        """The chances of each end of a round, and of each loss that is subtracted from the state."""
        ends: Distribution[str] = {}
        losses: Distribution[int] = {}
        for (a_left, b_left), chance in self._exchanges(acting, a, b).items():
            if a_left.shield and b_left.shield:
                loss = (self._code("a", a) - self._code("a", a_left)) * self._size
                losses[loss + self._code("b", b) - self._code("b", b_left)] = chance
            else:
                end = WIN if a_left.shield else LOSE
                ends[end] = ends.get(end, 0) + chance
        return ends, losses

    def _exchanges(
        self, acting: tuple[Side, ...], a: ShipState, b: ShipState
    ) -> Distribution[tuple[ShipState, ShipState]]:
        """Both ships after a round; each side that acts is as likely to shoot first as the other."""
        return total(
            (left, p * q * chance / len(acting))
            for a_armed, p in self._facing(a).items()
            for b_armed, q in self._facing(b).items()
            for first in acting
            for left, chance in self._exchange(first, acting, {"a": (a, a_armed), "b": (b, b_armed)})
        )

    def _exchange(
        self, first: Side, acting: tuple[Side, ...], hits: Mapping[Side, Hit]
    ) -> Iterator[tuple[tuple[ShipState, ShipState], Chance]]:
        """Both ships after ``first`` has shot, and the other with what is left (G1)."""
        enemy = odds.other(first)
        for (struck, armed), p in self._volley(first, self._guns[first].shots(hits[first][1]), *hits[enemy]).items():
            shots = self._guns[enemy].shots(armed) if struck.shield and enemy in acting else 0
            for (left, _armed), q in self._volley(enemy, shots, *hits[first]).items():
                yield (left, struck) if first == "a" else (struck, left), p * q


def strategic_losses(attacker: Element, ships: int, target: Element) -> Distribution[int]:
    """The ships that a fleet loses to ``ships`` of the attacker (R56; rule 8 of the strategic game).

    The dice are those of RULES: each 5 or 6 destroys a ship or saves one.
    """
    offensive = max(0, rules.offensive(attacker))  # TO-HIT below 0 makes no dice
    hits = _successes(ships * offensive // rules.POINTS_PER_ATTACK_DIE)
    saves = _successes(target.quantity * rules.defensive(target) // rules.POINTS_PER_SAVE_DIE)
    ways = _multiply(hits, saves[::-1])  # by the hits less the saves, from the most saves and no hit on
    spare = len(saves) - 1
    lost = [0] * (target.quantity + 1)
    for place, number in enumerate(ways):
        lost[min(max(place - spare, 0), target.quantity)] += number
    every = sum(lost)
    return {number: Fraction(count, every) for number, count in enumerate(lost) if count}


def _multiply(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The product of two polynomials with positive coefficients: of two large integers, whose digits they are."""
    size = (sum(first) * sum(second)).bit_length() // 8 + 1  # bytes: no digit of the product is larger
    a, b = (b"".join(each.to_bytes(size, "little") for each in one) for one in (first, second))
    product = int.from_bytes(a, "little") * int.from_bytes(b, "little")
    digits = product.to_bytes(size * (len(first) + len(second)), "little")
    return [int.from_bytes(digits[place * size :][:size], "little") for place in range(len(first) + len(second) - 1)]


def _successes(dice: int) -> list[int]:
    """In how many ways 0, 1, 2, … of some dice show 5 or 6, counting a die as three equal thirds."""
    return [comb(dice, number) * 2 ** (dice - number) for number in range(dice + 1)]
