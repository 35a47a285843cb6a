"""Simulated battles of two rosters: makes the combatants and the dice, and asks the game's battle.py to fight.

The contract of battle.py is `rosters.core.simulation`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from rosters import registry
from rosters.balance.dice import AddressedDice, shared_dice
from rosters.balance.report import wilson
from rosters.core.documents import AnyDocument, Element, Fault, InvalidDocument
from rosters.core.messages import Message, _
from rosters.core.odds import SIDES, Side
from rosters.core.simulation import SIDE_B, SIDE_NAMES, Battlefield, Combatant, Dice, Log, Outcome, numbers_of
from rosters.registry import SYSTEMS, System

BLOCK = 2_000
"""The battles that are fought at once: more take more memory and no less time each."""
MAX_POINTS = 10**9
"""The points of a force, in the unit of its combatants, with which games calculate in 64 bits."""


class Arena:
    """Two rosters of one game and how they fight. Raises InvalidDocument with all errors."""

    def __init__(
        self,
        a: AnyDocument,
        b: AnyDocument,
        policies: Mapping[Side, str] | None = None,
        field: Battlefield | None = None,
    ) -> None:
        if a.system != b.system:
            raise InvalidDocument([Fault("b/system", _("must be {code}").format(code=a.system))])
        self.system = SYSTEMS[a.system]
        known = self.system.battle.POLICIES
        self.policies: Mapping[Side, str] = {"a": known[0], "b": known[0], **(policies or {})}
        self.battlefield = field or Battlefield()
        rows: Mapping[Side, list[Row]] = {"a": [*_rows(self.system, a)], "b": [*_rows(self.system, b)]}
        faults = [fault for side in SIDES for fault in _problems(self.system, side, rows[side])]
        wrong = _("must be one of {codes}").format(codes=", ".join(known))
        faults += [Fault(f"policies/{side}", wrong) for side, policy in self.policies.items() if policy not in known]
        if faults:
            raise InvalidDocument(faults)
        self.scale = _scale([row for each in rows.values() for row in each])
        """How many of the combatants' points are one point of the game."""
        self.forces: Mapping[Side, tuple[Combatant, ...]] = {
            side: tuple(_combatants(side, rows[side], self.scale)) for side in SIDES
        }

    def fight(self, battles: int, seed: int, first: int = 0) -> Outcome:
        """Fight a number of battles from battle ``first`` on; points are those of the game."""
        blocks = [
            self._fight(shared_dice(seed, min(BLOCK, first + battles - start), start))
            for start in range(first, first + battles, BLOCK)
        ]
        outcome = Outcome(*map(np.concatenate, zip(*blocks, strict=True)))
        return outcome._replace(a_left=outcome.a_left / self.scale, b_left=outcome.b_left / self.scale)

    def replay(self, battle: int, seed: int, hidden: Collection[Side] = ()) -> list[Message]:
        """The log of one battle, die by die, with the points that are left at its end, but those that a side hides.

        An event without words has the numbers of the combatants that are in play at the end of a turn.
        """
        events: list[Message] = []
        outcome = self._fight(AddressedDice(seed, 1, battle), events.append)
        winner, turn = int(outcome.winner[0]), int(outcome.turns[0])
        result = _("{side} wins").format(side=SIDE_NAMES["a" if winner > 0 else "b"]) if winner else _("Nobody wins")
        a, b = (
            _("hidden") if side in hidden and self.system.rules.WORDS.has_points else self._count(left)
            for side, left in zip(SIDES, (outcome.a_left, outcome.b_left), strict=True)
        )
        end = _("{result} in turn {turn}. Left of Blue: {a}; of Red: {b}.").format(result=result, turn=turn, a=a, b=b)
        return [*events, end]

    def _count(self, left: np.ndarray[Any, Any]) -> str:
        """The points left of the first battle in words; figures in a game without points."""
        words, amount = self.system.rules.WORDS, Fraction(int(left[0]), self.scale)
        return words.count_points(amount) if words.has_points else words.count_elements(int(amount))

    def _fight(self, dice: Dice, log: Log | None = None) -> Outcome:
        return self.system.battle.fight(self.forces, dice, self.policies, self.battlefield, log)


class Share(NamedTuple):
    """A share of battles, with its 95 % confidence interval by Wilson."""

    share: float
    low: float
    high: float


class Summary(NamedTuple):
    """How a number of battles ended: the share of each result, the mean turns, the mean points left."""

    battles: int
    win: Share
    lose: Share
    draw: Share
    turns: float
    a_left: float
    b_left: float


def summarize(outcome: Outcome) -> Summary:
    """Count the results of battles."""
    battles = len(outcome.winner)
    numbers = (int((outcome.winner == result).sum()) for result in (1, -1, 0))
    win, lose, draw = (Share(number / battles, *wilson(number, battles)) for number in numbers)
    turns, a_left, b_left = (float(each.mean()) for each in outcome[1:])
    return Summary(battles, win, lose, draw, turns, a_left, b_left)


class Row(NamedTuple):
    """An element of a roster, its formation and path in the document, and the points of one model."""

    formation: int
    group: str
    path: str
    element: Element
    points: Fraction


def _rows(system: System, document: AnyDocument) -> Iterator[Row]:
    """The elements of a roster that take part in a battle; each model is 1 point in a game without points."""
    for place, formation in enumerate(registry.appraise_elements(document)):
        group = formation.formation.name
        for number, each in enumerate(formation.elements):
            points = 1 if each.priced.unit_points is None else each.priced.unit_points
            if system.battle.takes_part(each.element):
                yield Row(place, group, f"formations/{place}/elements/{number}", each.element, Fraction(points))


def _problems(system: System, side: Side, rows: Sequence[Row]) -> Iterator[Fault]:
    """Why a force cannot be simulated."""
    for row in rows:
        yield from (Fault(f"{side}/{row.path}/{key}", reason) for key, reason in system.battle.problems(row.element))
    models = sum(row.element.quantity for row in rows)
    if not models:
        yield Fault(side, _("has nobody who fights"))
    if models > SIDE_B:
        yield Fault(side, _("has {number} models; at most {most} can be simulated").format(number=models, most=SIDE_B))
    if sum(row.points * row.element.quantity for row in rows) > MAX_POINTS:
        yield Fault(side, _("has more than {most} points").format(most=f"{MAX_POINTS:,}"))


def _scale(rows: Sequence[Row]) -> int:
    """The factor that makes the points of all rows whole, or as nearly as their sum stays within `MAX_POINTS`."""
    total = sum(max(row.points, Fraction(0)) * row.element.quantity for row in rows)
    exact = lcm(*(row.points.denominator for row in rows))
    return exact if total * exact <= MAX_POINTS else max(1, int(MAX_POINTS / total))


def _combatants(side: Side, rows: Sequence[Row], scale: int) -> Iterator[Combatant]:
    """The models of a force in the order of the roster."""
    numbers = numbers_of(side, (row.element.quantity for row in rows))
    for line, (row, own) in enumerate(zip(rows, numbers, strict=True)):
        for model, number in enumerate(own, 1):
            name = f"{row.element.display_name} {model}" if row.element.quantity > 1 else row.element.display_name
            points = max(0, round(row.points * scale))
            yield Combatant(number, name, row.formation, line, row.element, points, row.group)
