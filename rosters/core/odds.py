"""Distributions of dice, and the interface of every ``systems/<x>/odds.py``: one round of its game as probabilities.
The numbered readings (G1, R80, …) are those of docs/odds.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from rosters.core.messages import Message, _
from rosters.core.values import FrozenModel

Chance = Fraction | float
"""A probability or an expectation: exact, or a float where speed is needed."""

Number = Callable[[Fraction], Chance]
"""``Fraction`` for exact odds, ``float`` for fast ones. A game converts its basic probabilities with it."""

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
Distribution = dict[T, Chance]
"""The probability of each possible outcome. Impossible outcomes are left out: a chain follows every key."""

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


def other(side: Side) -> Side:
    """The opponent of a side."""
    return "b" if side == "a" else "a"


WIN, LOSE, DRAW = "win", "lose", "draw"
"""The states in which a duel has ended, from A's side: B is beaten, A is beaten, both are."""
ENDS = (WIN, LOSE, DRAW)

SIXTH = Fraction(1, 6)
D6 = range(1, 7)


class Modifier(NamedTuple):
    """What changes a die or a score, and the reading that says so: it is added, or else multiplies or divides."""

    label: str
    amount: int
    reading: str
    sign: Literal["+", "×", "÷"] = "+"

    def __str__(self) -> str:
        if self.sign != "+":
            return f"{self.sign}\u00a0{self.amount}"
        return f"−{-self.amount}" if self.amount < 0 else f"+{self.amount}"


class Factor(NamedTuple):
    """One chance in a receipt: what must happen, its probability, the readings, and what changes its die."""

    label: str
    chance: Chance
    readings: str
    modifiers: Sequence[Modifier] = ()


Receipt = Sequence[Factor]
"""How a chance is computed: the product of its factors."""


def product(receipt: Receipt) -> Chance:
    """The chance that a receipt explains."""
    return prod(factor.chance for factor in receipt)


def added(modifiers: Iterable[Modifier]) -> int:
    """The sum of what is added to a die."""
    return sum(modifier.amount for modifier in modifiers if modifier.sign == "+")


class Conditions(FrozenModel):
    """The conditions of a duel, all with defaults; each system has a subclass. ``a_…`` belong to A, ``b_…`` to B."""

    def of(self, side: Side, name: str) -> Any:
        """The condition ``name`` of one side."""
        return getattr(self, f"{side}_{name}")

    def note(self, side: Side, element: Any) -> str:
        """What they mean for the element of a side, as a Message; "" if they speak for themselves."""
        return ""


class AnyDuel(Protocol):
    """The ``Duel`` of a system: one round of two elements under conditions.

    States are hashable; `ENDS` are absorbing.
    """

    start: Hashable
    initiative: Chance | None
    """The probability that A goes first; None if both act at once."""

    def round(self, state: Any) -> Distribution[Any]:
        """The state after a round in which both sides act (G1)."""

    def attack(self, state: Any, side: Side) -> Distribution[Any]:
        """The state after a round in which ``side`` acts and the other only defends itself (G5)."""

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The result of one attack of a side in round 1: ``hit``, ``kill``, and fields of this game only."""

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """How the chances of `facts` are computed, by their names; without an attack one factor says why."""

    def turn(self, side: Side) -> Distribution[int]:
        """The losses by a side's attacks in round 1, in the unit of this game."""

    def totals(self) -> Mapping[str, Any]:
        """Further fields of the answer that only this game has."""
        return {}

    def size(self) -> int:
        """About how many transitions a long duel has, to refuse it before it is explored; 0 if all are short."""
        return 0


class Odds(Protocol):
    """The interface of every ``systems/<x>/odds.py``."""

    @property
    def LABELS(self) -> Mapping[str, str]:
        """The labels of the conditions, those of a side without its letter."""

    @property
    def VALUES(self) -> Mapping[str, str]:
        """The names of values of conditions that are codes."""

    @property
    def RANGES(self) -> Mapping[Any, str]:
        """The distances that a table of odds lists, by the value of the condition, nearest first."""

    @property
    def TARGETS(self) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Typical targets: name and profile of each."""

    @property
    def Conditions(self) -> type[Conditions]: ...

    def Duel(self, a: Any, b: Any, conditions: Any, number: Number) -> AnyDuel: ...
    def problems(self, element: Any) -> Iterable[tuple[str, str]]:
        """The keys of an element that the odds cannot be computed with, each with the reason."""


def total(pairs: Iterable[tuple[T, Chance]]) -> Distribution[T]:
    """The distribution of outcomes that may be listed more than once; those without probability are left out."""
    result: Distribution[T] = {}
    for outcome, chance in pairs:
        if chance:
            result[outcome] = result.get(outcome, 0) + chance
    return result


def then(first: Mapping[T, Chance], step: Callable[[T], Mapping[U, Chance]]) -> Distribution[U]:
    """The distribution after ``step`` from each outcome of ``first``."""
    return total((last, p * q) for outcome, p in first.items() for last, q in step(outcome).items())


def both_act(initiative: Chance, start: T, act: Callable[[T, Side], Mapping[T, Chance]]) -> Distribution[T]:
    """The distribution after both sides act, the winner of the initiative first (G1)."""
    lead: Distribution[Side] = {"a": initiative, "b": 1 - initiative}
    return then(lead, lambda side: then(act(start, side), lambda after: act(after, other(side))))


def at_least(target: int, modifier: int = 0) -> Fraction:
    """The probability that a D6 with a modifier reaches a target; no natural 1 or 6."""
    return Fraction(sum(face + modifier >= target for face in D6), 6)


def needed(target: int, die: int = 6) -> str:
    """What a die must show, as players say it: "4+", "6", "anything", "–" for what it cannot show."""
    if target > die:
        return "–"
    return _("anything") if target <= 1 else str(die) if target == die else f"{target}+"


def best_of(target: int, die: int = 6, dice: int = 1) -> Fraction:
    """The probability that the best of some dice shows at least a target."""
    return 1 - Fraction(min(max(target - 1, 0), die), die) ** dice


class DieRoll(NamedTuple):
    """A roll of ``dice`` with ``die`` faces, of which the best must show at least ``target``: "4+", "5+ on 2D6"."""

    target: int
    die: int = 6
    dice: int = 1

    @property
    def text(self) -> Message:
        if (self.die, self.dice) == (6, 1):
            return Message(f"{self.target}+")
        dice = f"D{self.die}" if self.dice == 1 else f"{self.dice}D{self.die}"
        return _("{target}+ on {dice}").format(target=self.target, dice=dice)

    @property
    def needed(self) -> str:
        return needed(self.target, self.die)

    @property
    def chance(self) -> Fraction:
        return best_of(*self)

    @property
    def percent(self) -> str:
        return percent(self.chance)


def die_roll(target: int, die: int = 6, dice: int = 1) -> DieRoll | None:
    """The roll for a number that a die must show; None where it decides nothing."""
    roll = DieRoll(target, die, dice)
    return roll if 0 < roll.chance < 1 else None


_TARGET = re.compile(r"(?<![\w.,–])(?<!\+ )([2-6])\+(?![ \u00a0]?\d)")


def with_chances(text: str, show: Callable[[DieRoll], str]) -> str:
    """A text on D6 rolls with what shows the chance beside each number that is needed: "on 4+ (50 %)"; not in lists."""
    return _TARGET.sub(lambda match: f"{match[0]} ({show(DieRoll(int(match[1])))})", text)


def percent(chance: Chance) -> str:
    """A chance in whole percent; only what is certain is 0 or 100."""
    number = round(100 * chance)
    text = "<\u00a01" if chance > 0 and number == 0 else ">\u00a099" if chance < 1 and number == 100 else number
    return f"{text}\u00a0%"


def initiative_chance(bonus_a: int = 0, bonus_b: int = 0) -> Fraction:
    """The probability that A wins the initiative: a D6 each with its bonus, ties again (G1).

    A side whose lowest roll beats the other's highest always wins; between equal rolls nothing is decided.
    """
    wins = sum(a + bonus_a > b + bonus_b for a in D6 for b in D6)
    losses = sum(a + bonus_a < b + bonus_b for a in D6 for b in D6)
    return Fraction(wins, wins + losses)
