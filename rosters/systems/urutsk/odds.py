"""One round of URUTSK as probabilities: ranged fire or melee, both figures at the same time (R80).

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis. The readings R80 to R87 are those of docs/odds.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from rosters.core import odds
from rosters.core.messages import Message, _, join
from rosters.core.odds import (
    D6,
    DRAW,
    LOSE,
    SIXTH,
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
    total,
)
from rosters.core.values import MAX_INTEGER
from rosters.systems.urutsk.rules import Element
from rosters.systems.urutsk.tables import FIRE, last_miss, lowest_exploding
from rosters.systems.urutsk.tables import RANGES as RANGE_TABLE

MELEE = "melee"
BANDS: Mapping[str, int] = {code: penalty for code, _name, penalty in RANGE_TABLE}
BURST_HITS = 12
"""What a burst does to a figure without cover."""
CHECK = 6
"""What the die and the weapon ability must reach in an ammunition check."""

Penalty = Annotated[int, Field(ge=0, le=MAX_INTEGER)]


class Conditions(odds.Conditions):
    """The range, and the penalty that each side's cover gives to its enemy."""

    distance: Literal["melee", "point-blank", "short", "medium", "long", "extreme"] = "melee"
    a_cover: Penalty = 0
    b_cover: Penalty = 0


LABELS = {"distance": _("Range"), "cover": _("Penalty for its cover")}
VALUES = {MELEE: _("melee"), **{code: name for code, name, _penalty in RANGE_TABLE}}
RANGES = VALUES
TARGETS = (
    (_("Figure with Fate 1"), {"ranged": 1, "close": 1}),
    (_("Figure with Fate 2"), {"ranged": 1, "close": 2, "fate": 2}),
    (_("Figure with Fate 4"), {"ranged": 2, "close": 3, "fate": 4}),
)


class FigureState(NamedTuple):
    """One side of a duel: its Fate, whether it was injured last round, and whether it can still shoot."""

    fate: int
    injured: bool = False
    loaded: bool = True


State = tuple[FigureState, FigureState]
Action = tuple[int, bool]
"""What a figure does in a round: hit points to its enemy, and whether it can still shoot afterwards."""


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """The keys of a figure that has no odds, each with the reason."""
    if element.fate < 1:
        yield "fate", _("must be at least 1: nobody fights with less")


def suffer(figure: FigureState, hits: int) -> FigureState | None:
    """A figure after the hit points of a round (R87); None if it is out of action.

    At Fate 0 an injured figure fights on, and any hit takes it out.
    """
    if hits > figure.fate:
        return None
    if hits and hits == figure.fate:
        return figure._replace(fate=hits - 1, injured=True)
    return figure._replace(fate=figure.fate - hits, injured=False)


class Duel(odds.AnyDuel):
    """Two figures under conditions."""

    initiative = None  # R80: both act at the same time

    def __init__(self, a: Element, b: Element, conditions: Conditions, number: Number) -> None:
        self._figures: Mapping[Side, Element] = {"a": a, "b": b}
        self._conditions = conditions
        self._sixth = number(SIXTH)
        self._melee = conditions.distance == MELEE
        self._shots = {} if self._melee else {side: self._shoot(side) for side in odds.SIDES}
        self._fights: dict[tuple[bool, bool], Distribution[tuple[int, int]]] = {}
        self.start: State = (FigureState(a.fate), FigureState(b.fate))

    def round(self, state: State) -> Distribution[Any]:
        """The state after both have acted."""
        return total((_after(state, *actions), chance) for actions, chance in self._actions(state, odds.SIDES).items())

    def attack(self, state: State, side: Side) -> Distribution[Any]:
        """The state after one side has acted."""
        return total((_after(state, *actions), chance) for actions, chance in self._actions(state, side).items())

    def facts(self, side: Side) -> Mapping[str, Any]:
        """The chances that one attack does hit points, takes out, and injures."""
        fate = self._figures[odds.other(side)].fate
        hits = self.turn(side)
        return {
            "hit": sum(chance for points, chance in hits.items() if points > 0),
            "kill": sum(chance for points, chance in hits.items() if points > fate),
            "injure": hits.get(fate, 0),
        }

    def receipts(self, side: Side) -> Mapping[str, Receipt]:
        """One die whose hit points are compared with the enemy's Fate."""
        figure, facts = self._figures[side], self.facts(side)
        fate = self._figures[odds.other(side)].fate
        if self._melee:
            parries = figure.close, self._figures[odds.other(side)].close
            modifiers: tuple[Modifier, ...] = (Modifier(_("Close"), figure.close, "R86"),)
            roll = _("D6 and Close, less the parries of up to {own} and {theirs}").format(
                own=parries[0], theirs=parries[1]
            )
            reading = "R86"
        elif self._is_burst(side):
            modifiers, roll, reading = (
                (),
                _("A burst at no cover does {hits} hit points").format(hits=BURST_HITS),
                "R84",
            )
        else:
            modifiers, reading = tuple(self._shot(side)), "R81, R83"
            exploding = lowest_exploding(figure.fire, added(modifiers))
            explodes = _("explodes on {needed}").format(needed=needed(exploding)) if exploding else _("never explodes")
            roll = join((_("D6 and modifiers"), explodes))
        return {
            "hit": (Factor(_("{roll}: hit points").format(roll=roll), facts["hit"], reading, modifiers),),
            "injure": (Factor(_("Exactly Fate {fate}").format(fate=fate), facts["injure"], "R87"),),
            "kill": (Factor(_("More than Fate {fate}").format(fate=fate), facts["kill"], "R82, R87"),),
        }

    def turn(self, side: Side) -> Distribution[int]:
        """The hit points of a side's first attack."""
        which = odds.SIDES.index(side)
        return total((actions[which][0], chance) for actions, chance in self._actions(self.start, side).items())

    def size(self) -> int:
        """Each Fate of both, with up to 70 results of a round."""
        return self._figures["a"].fate * self._figures["b"].fate * 70

    def _actions(self, state: State, acting: Collection[str]) -> Distribution[tuple[Action, Action]]:
        """What A and B do in a round, those who are not ``acting`` nothing but defend themselves."""
        if self._melee:
            fight = self._fight(state[0].injured, state[1].injured).items()
            return total(
                (((x * ("a" in acting), True), (y * ("b" in acting), True)), chance) for (x, y), chance in fight
            )
        ready = [f.loaded and not f.injured for f in state]  # R87: no shot in the round after an injury
        a, b = (
            self._shots[side] if side in acting and able else {(0, figure.loaded): 1}
            for side, able, figure in zip(odds.SIDES, ready, state, strict=True)
        )
        return total(((x, y), p * q) for x, p in a.items() for y, q in b.items())

    def _is_burst(self, side: Side) -> bool:
        """Whether a side does its hit points without a roll (R84)."""
        return self._figures[side].fire == "burst" and self._conditions.of(odds.other(side), "cover") == 0

    def _shot(self, side: Side) -> Iterator[Modifier]:
        """What is added to the die of a shot (R81)."""
        yield Modifier(_("Ranged"), self._figures[side].ranged, "R81")
        yield Modifier(_("range"), -BANDS[self._conditions.distance], "R81")
        yield Modifier(_("cover"), -self._conditions.of(odds.other(side), "cover"), "R81")

    def _shoot(self, side: Side) -> Distribution[Action]:
        """One shot of a side."""
        figure = self._figures[side]
        if self._is_burst(side):
            return {(BURST_HITS, True): 1}
        modifier = added(self._shot(side))
        jams = self._sixth * sum(face + figure.weapon_ability < CHECK for face in D6) * self._sixth  # R85
        miss: Distribution[Action] = total([((0, False), jams), ((0, True), 1 - jams)])
        results: list[tuple[Action, Chance]] = []
        for face in D6:
            points = face + modifier  # R81
            if points <= last_miss(figure.fire, figure.poor_condition):  # R83
                results += [(action, self._sixth * chance) for action, chance in miss.items()]
            elif points >= FIRE[figure.fire].explodes:  # R82
                results += [((points + more, True), self._sixth * self._sixth) for more in D6]
            else:
                results.append(((points, True), self._sixth))
        return total(results)

    def _fight(self, a_injured: bool, b_injured: bool) -> Distribution[tuple[int, int]]:
        """The hit points that A and B do to each other in one round of melee (R86)."""
        key = a_injured, b_injured
        if key not in self._fights:
            rolls = [[1 if injured and face <= 3 else face for face in D6] for injured in key]  # R87
            self._fights[key] = total(
                (hits, self._sixth * self._sixth * chance)
                for x in rolls[0]
                for y in rolls[1]
                for hits, chance in self._strike(x, y).items()
            )
        return self._fights[key]

    def _strike(self, a_die: int, b_die: int) -> Distribution[tuple[int, int]]:
        close = self._figures["a"].close, self._figures["b"].close
        totals = a_die + close[0], b_die + close[1]
        if totals[0] != totals[1]:
            return {_hits(close, totals): 1}
        again = ((totals[0] + x, totals[1] + y) for x in D6 for y in D6)
        return total((_hits(close, each), self._sixth * self._sixth) for each in again)


def _hits(close: tuple[int, int], totals: tuple[int, int]) -> tuple[int, int]:
    """The hit points that both do: each its own total less both parries, in full (R86).

    If the second dice of a tie are equal too, the higher Close alone wounds.
    """
    parries = min(close[0], totals[1]) + min(close[1], totals[0])
    a, b = (max(0, own - parries) for own in totals)
    tied = totals[0] == totals[1]
    return (0 if tied and close[0] < close[1] else a), (0 if tied and close[1] < close[0] else b)


def _after(state: State, by_a: Action, by_b: Action) -> State | str:
    """The state after both have suffered the other's hit points."""
    a, b = suffer(state[0], by_b[0]), suffer(state[1], by_a[0])
    if a and b:
        return a._replace(loaded=by_a[1]), b._replace(loaded=by_b[1])
    return WIN if a else LOSE if b else DRAW
