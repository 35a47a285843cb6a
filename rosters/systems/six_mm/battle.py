"""Battles of 6MM on a line of squares, many at once: the first axis of every array of state is the battle.

Rulebook: 6MM, Gary Mitchell and STaB; sections 3 to 8. The readings R30 to R42 are those of docs/odds.md, R100 to R108
those of docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import lcm
from typing import NamedTuple

import numpy as np

from rosters.core import simulation
from rosters.core.cache import cached
from rosters.core.messages import _, ngettext
from rosters.core.odds import SIDES, Side, other
from rosters.core.simulation import Array, Battlefield, Combatant, Dice, Forces, Log, Outcome, deploy, rows_of, side_of
from rosters.systems.six_mm.odds import Conditions, Duel, problems
from rosters.systems.six_mm.rules import MAX_STRENGTH, SET, Element, strength
from rosters.systems.six_mm.tables import FOOT, GENERALS, TYPES

__all__ = ["POLICIES", "ROLLS", "fight", "problems", "takes_part"]

ROLLS: Mapping[str, int] = {
    "initiative": 0,
    "shoot": 1000,
    "save from shooting": 1001,
    "fight": 1002,
    "save from fighting": 1003,
    "answer": 1004,
    "save from an answer": 1005,
    "rally": 1006,
    "morale": 1010,
}
"""Initiative counts on with each tie, morale with each tenth of the army that is lost."""
SAVES = {"shoot": "save from shooting", "fight": "save from fighting", "answer": "save from an answer"}
VERBS = {
    "shoot": _("{side}: {attacker} shoots at {target}: {die} makes {score}"),
    "fight": _("{side}: {attacker} fights {target}: {die} makes {score}"),
    "answer": _("{side}: {attacker} shoots at {target}, who charges: {die} makes {score}"),
}
POLICIES = ("advance",)
ORDER = _(
    "Stands act in sets of three, in the order of the roster. One stand fewer puts those behind it into other sets."
)
APART, ROUNDS, BEHIND = 10, 15, 3
"""Squares between the armies, rounds, and squares between a line and its edge of the table."""
MOVES = {"WBD": 2, "SKI/F": 3, "SKI/S": 3, "SKI/M": 4, "CAV/A": 4, "CAV/U": 4, "TNK": 4}
USUAL_MOVE, CARRIED = 2, 4
CHARGES = {"WBD": 3, "SKI/M": 5, "CAV/U": 5}
"""Moves by table 4; of those who charge, where that is more."""
TEAMS = {"soft": CARRIED, "none": 1}
HORSES = 3
RALLIES = 5
LEVELS = MAX_STRENGTH + 1
"""The strengths that a stand may have."""
MAX_LEVEL = 6
"""The tenths of an army that may not be lost (7.1)."""
FAR, MAX_DISTANCE = 10_000_000, 5_000_000
"""The place of stands that left the table, and a distance that is less than that to any stand on it."""
D6 = np.arange(1, 7)


def takes_part(element: Element) -> bool:
    """Whether an element has stands on the table; aircraft only pass over it (R41)."""
    return element.type in TYPES and element.type != "AIR" and element.quantity > 0


def fight(
    forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
) -> Outcome:
    """Fight all battles of the dice."""
    return Battle(forces, dice, battlefield, log).fight()


def move(stand: Element) -> int:
    """The squares that a stand moves (R102)."""
    if stand.type == "ART":
        by_team = TEAMS.get(stand.transport or "", HORSES if stand.horse else USUAL_MOVE)
        return 0 if stand.off_board else by_team
    carried = stand.transport == "soft" and stand.type in FOOT
    return CARRIED if carried else MOVES.get(stand.type, USUAL_MOVE)


class Army:
    """One side: its stands, their kinds (lines of the roster), and their state in every battle."""

    def __init__(self, stands: Sequence[Combatant], place: int, battles: int) -> None:
        self.stands = stands
        lines = [*dict.fromkeys(stand.line for stand in stands)]
        self.kind = np.array([lines.index(stand.line) for stand in stands])
        self.kinds: list[Element] = [next(s.element for s in stands if s.line == line) for line in lines]
        self.full = np.array([strength(stand.element) for stand in stands])
        self.points = np.array([stand.points for stand in stands])
        self.start = place
        numbers = range(len(stands))
        self.sets = [[*numbers[first : first + SET]] for first in range(0, len(stands), SET)]
        self.general = np.array([stand.element.general is not None for stand in stands])

        def state(value: int, dtype: type = np.int64) -> Array:
            return np.full((battles, len(stands)), value, dtype, order="F")  # a column is read as a whole

        self.strength, self.place = state(0) + self.full, state(place)
        self.here, self.routing, self.charging = state(1, bool), state(0, bool), state(0, bool)
        self.answered = state(0)
        """The last round in which a stand fired at one that charged it."""
        self.level = np.zeros(battles, int)
        """The tenths of the army whose loss has been tested."""

    def remove(self, battles: Array, stands: Array | int) -> None:
        """Take stands from the table, out of everybody's reach."""
        self.here[battles, stands], self.place[battles, stands] = False, FAR * (1 if self.start else -1)

    def initiative(self, battles: Array) -> Array:
        """What the first general of the roster adds to the die while it is on the table (R30)."""
        leaders = np.flatnonzero(self.general)
        if not leaders.size:
            return np.zeros(len(battles), int)
        rating = GENERALS[self.stands[leaders[0]].element.general].value
        return rating * self.here[battles, leaders[0]]


class Pair(NamedTuple):
    """What a stand does to an enemy, as exact odds have it."""

    reach: int
    charges: bool
    shot: Array
    """The score before the save, by strength and face of the die."""
    contact: Array
    """The same in contact, without and with a charge."""


@cached(4 << 20)  # most pairs of a report are the same in all its variants
def _pair(stand: Element, enemy: Element) -> Pair:
    """The tables of two stands; those of a report's variants are mostly the same."""
    shooting = Duel(stand, enemy, Conditions(distance=1), float)
    contact = Duel(stand, enemy, Conditions(a_charges=True), float)
    scores = np.zeros((3, LEVELS, 6), int)
    for left in range(1, strength(stand) + 1):
        ways = (shooting, False), (contact, False), (contact, True)
        scores[:, left] = [[*duel.scores("a", left, charges)] for duel, charges in ways]
    return Pair(shooting.reach("a"), contact.charges("a"), scores[0], scores[1:])


class Matchup:
    """The tables of each kind of stand of one side against each of the other."""

    def __init__(self, me: Army, foe: Army) -> None:
        pairs = [[_pair(stand, enemy) for enemy in foe.kinds] for stand in me.kinds]

        def table(name: str) -> Array:
            return np.array([[getattr(pair, name) for pair in row] for row in pairs])

        self.reach, self.charges, self.shot, self.contact = map(table, Pair._fields)
        self.shot_loss, self.contact_loss = (_losses(scores) for scores in (self.shot, self.contact))
        share = foe.points * lcm(*map(int, foe.full)) // foe.full
        self.worth = np.array([share[foe.kind == kind][0] for kind in range(len(foe.kinds))])
        """What a point of strength of each enemy is worth, in a unit that makes it whole."""


def _losses(scores: Array) -> Array:
    """36 times the mean loss of an enemy by scores, for each strength that it may have left (last axis)."""
    hits = np.maximum(scores[..., None] - D6, 0)
    return np.stack([np.minimum(hits, left).sum(axis=(-1, -2)) for left in range(LEVELS)], axis=-1)


class Battle:
    """Battles on a line: A advances from 0 upwards, B from the other end downwards, so that none passes an enemy."""

    def __init__(self, forces: Forces, dice: Dice, battlefield: Battlefield, log: Log | None) -> None:
        self.dice, self.log, self.round = dice, log, 0
        self.fixed, self.rounds = battlefield.distance is not None, battlefield.turns or ROUNDS
        self.armies = deploy(Army, forces, dice, battlefield, APART)
        self.matchups = {side: Matchup(self.armies[side], self.armies[other(side)]) for side in SIDES}
        self.winner, self.over = np.zeros(dice.battles, int), np.zeros(dice.battles, bool)

    def fight(self) -> Outcome:
        """Fight to the end."""
        turns, battles = np.full(self.dice.battles, self.rounds), np.arange(self.dice.battles)
        while battles.size and self.round < self.rounds:
            self.round += 1
            a_leads = self._initiative(battles)
            leads: Mapping[Side, Array] = {"a": battles[a_leads], "b": battles[~a_leads]}
            for sets in self._order():
                self._turn("a", sets["a"], leads["a"])
                self._turn("b", sets["b"], battles)
                self._turn("a", sets["a"], leads["b"])
            if self.log:
                for army in self.armies.values():
                    self.log(simulation.in_play(army.stands, army.here[0]))
            turns[battles[self.over[battles]]] = self.round
            battles = battles[~self.over[battles]]
        left = {side: (army.here * army.points).sum(axis=1) for side, army in self.armies.items()}
        return Outcome(self.winner, turns, left["a"], left["b"])

    def _order(self) -> Sequence[Mapping[Side, Sequence[int]]]:
        """The stands of both sides that act after each other: sets of three, those that are short at the end (3.3)."""
        full, short = (
            [[s for s in self.armies[side].sets if (len(s) == SET) == is_set] for side in SIDES]
            for is_set in (True, False)
        )
        pairs = [*zip_longest(*full, fillvalue=()), *zip_longest(*short, fillvalue=())]
        return [{"a": a, "b": b} for a, b in pairs]

    def _initiative(self, battles: Array) -> Array:
        """Whether A wins the initiative: a D6 each and its general's modifier, ties again (R30)."""
        a_leads, tied, attempt = np.zeros(len(battles), bool), np.ones(len(battles), bool), ROLLS["initiative"]
        bonus = [self.armies[side].initiative(battles) for side in SIDES]
        while tied.any():
            a, b = (self.dice.roll(self.round, simulation.COMMON + n, attempt)[battles] + bonus[n] for n in range(2))
            if self.log:
                words = _("Round {round}: initiative, Blue {a}, Red {b}")
                self.log(words.format(round=self.round, a=int(a[0]), b=int(b[0])))
            a_leads[tied], tied, attempt = (a > b)[tied], tied & (a == b), attempt + 1
        return a_leads

    # ---------------------------------------------------------------- a set's turn

    def _turn(self, side: Side, stands: Sequence[int], battles: Array) -> None:
        """A set moves, shoots, fights and rallies; then both armies test their morale."""
        battles = battles[~self.over[battles]]
        if not (battles.size and stands):
            return
        if not self.fixed:
            for stand in stands:
                self._move(side, stand, battles)
        for contact in (False, True):
            for stand in stands:
                self._act(side, stand, battles, contact)
        if self.fixed:
            self._end([~rows_of(self.armies[each].here, battles).any(axis=1) for each in SIDES], battles)
            return
        for stand in stands:
            self._rally(side, stand, battles)
        self._end([self._retreats(each, battles) for each in SIDES], battles)

    def _end(self, beaten: Sequence[Array], battles: Array) -> None:
        a, b = beaten
        self.winner[battles], self.over[battles] = 1 * b - a, a | b

    def _gap(self, side: Side, stand: int, battles: Array) -> Array:
        """The squares between a stand and each enemy; about FAR for those who are gone."""
        me, foe = self.armies[side], self.armies[other(side)]
        gap: Array = np.abs(rows_of(foe.place, battles) - me.place[battles, stand, None])
        return gap

    def _move(self, side: Side, stand: int, battles: Array) -> None:
        """Routed stands flee; others advance until an enemy is in reach, or charge (R101 to R104)."""
        me, foe, matchup = self.armies[side], self.armies[other(side)], self.matchups[side]
        battles = battles[me.here[battles, stand]]
        if not battles.size:
            return
        element, kind = me.stands[stand].element, me.kind[stand]
        gap = self._gap(side, stand, battles)
        missing = (gap - matchup.reach[kind, foe.kind]).min(axis=1)
        nearest, usual = gap.min(axis=1), move(element)
        chargeable = (matchup.charges[kind, foe.kind] & (gap == nearest[:, None])).any(axis=1) & (missing == nearest)
        charge = max(usual, CHARGES.get(element.type, 0))
        most = np.where(chargeable & (nearest <= charge), charge, usual)
        step = np.maximum(np.minimum(missing, np.minimum(most, nearest)), 0) * (nearest < MAX_DISTANCE)
        routing, ahead = me.routing[battles, stand], 1 if side == "a" else -1
        step = np.where(routing, -usual, step)
        me.place[battles, stand] += step * ahead
        flees = routing & ((me.place[battles, stand] - me.start) * ahead < -BEHIND)
        me.remove(battles[flees], stand)
        me.charging[battles, stand] = (step == nearest) & (step > 1)
        self._log_move(me.stands[stand], step, flees)
        charging = battles[me.charging[battles, stand]]
        if charging.size:
            self._answer(side, stand, charging)

    def _answer(self, side: Side, stand: int, battles: Array) -> None:
        """A stand that is charged from more than a square away shoots first, if it reaches more than one (6.3)."""
        me, foe = self.armies[side], self.armies[other(side)]
        battles, targets = self._choose(side, stand, battles, self._gap(side, stand, battles), contact=True)
        able = self.matchups[other(side)].reach[foe.kind[targets], me.kind[stand]] > 1
        able &= ~foe.routing[battles, targets] & (foe.answered[battles, targets] < self.round)
        for target in map(int, np.unique(targets[able])):
            at = battles[able & (targets == target)]
            foe.answered[at, target] = self.round
            self._attack(other(side), target, at, np.full(len(at), stand), "answer")

    def _act(self, side: Side, stand: int, battles: Array, contact: bool) -> None:
        """A stand fights if an enemy is in contact, else it shoots if one is in reach."""
        me = self.armies[side]
        battles = battles[me.here[battles, stand] & ~me.routing[battles, stand]]
        gap = self._gap(side, stand, battles)
        acts = (gap == 0).any(axis=1) == contact
        if acts.any():
            battles, targets = self._choose(side, stand, battles[acts], gap[acts], contact)
            self._attack(side, stand, battles, targets, "fight" if contact else "shoot")

    def _choose(self, side: Side, stand: int, battles: Array, gap: Array, contact: bool) -> tuple[Array, Array]:
        """The battles with a target, and it: most expected points, then nearest, then first (R105)."""
        me, foe, matchup = self.armies[side], self.armies[other(side)], self.matchups[side]
        kind, own, left = me.kind[stand], me.strength[battles, stand, None], rows_of(foe.strength, battles)
        if contact:
            losses, able = matchup.contact_loss[kind], gap == 0
            first = 2 * foe.kind + me.charging[battles, stand, None]
        else:
            losses, able = matchup.shot_loss[kind], (gap > 0) & (gap <= matchup.reach[kind, foe.kind])
            first = foe.kind
        loss = losses.take((((first * LEVELS) + own) * LEVELS + left).T).T
        value = np.where(able, loss * matchup.worth[foe.kind], -1)
        most = value.max(axis=1)
        near, number = np.where(value == most[:, None], gap, FAR), np.arange(len(foe.stands))
        targets = (near * len(number) + number).min(axis=1) % len(number)  # argmin takes three times as long
        return battles[most >= 0], targets[most >= 0]

    def _attack(self, side: Side, stand: int, battles: Array, targets: Array, roll: str) -> None:
        """A stand rolls for hits, its target for its save (R31 to R40)."""
        if not battles.size:
            return
        me, foe, matchup = self.armies[side], self.armies[other(side)], self.matchups[side]
        number = me.stands[stand].number
        die = self.dice.roll(self.round, number, ROLLS[roll])[battles]
        save = self.dice.roll(self.round, number, ROLLS[SAVES[roll]])[battles]
        pair, own = (me.kind[stand], foe.kind[targets]), me.strength[battles, stand]
        if roll == "fight":
            score = matchup.contact[(*pair, me.charging[battles, stand] * 1, own, die - 1)]
        else:
            score = matchup.shot[(*pair, own, die - 1)]
        hits = np.maximum(score - save, 0)
        left = np.maximum(foe.strength[battles, targets] - hits, 0)
        foe.strength[battles, targets] = left
        below = (hits > 0) & (2 * left < foe.full[targets])
        foe.routing[battles, targets] |= below
        gone = below if self.fixed else left == 0  # R42
        foe.remove(battles[gone], targets[gone])
        if self.log:
            self._log_attack(
                me.stands[stand], foe.stands[targets[0]], roll, [int(n[0]) for n in (die, score, save, left)]
            )

    # ---------------------------------------------------------------- the end of a set's turn

    def _rally(self, side: Side, stand: int, battles: Array) -> None:
        """A stand that routed rallies on 5 or 6 (7.3)."""
        me = self.armies[side]
        battles = battles[me.here[battles, stand] & me.routing[battles, stand]]
        if battles.size:
            die = self.dice.roll(self.round, me.stands[stand].number, ROLLS["rally"])[battles]
            me.routing[battles, stand] = die < RALLIES
            if self.log:
                words = (
                    _("{side}: {stand}: rallies with {die}")
                    if die[0] >= RALLIES
                    else _("{side}: {stand}: routs on, {die}")
                )
                self.log(words.format(side=simulation.SIDE_NAMES[side], stand=me.stands[stand].name, die=int(die[0])))

    def _retreats(self, side: Side, battles: Array) -> Array:
        """Whether an army that has lost another tenth of its stands retreats: one die a test (7.1, R107)."""
        me = self.armies[side]
        here = rows_of(me.here, battles)
        level = np.minimum(10 * (~here).sum(axis=1) // len(me.stands), MAX_LEVEL)
        tests, generals = level > me.level[battles], (~here & me.general).sum(axis=1)
        me.level[battles] = np.maximum(level, me.level[battles])
        retreats = np.zeros(len(battles), bool)
        for tenths in map(int, np.unique(level[tests])):
            unit = simulation.COMMON + SIDES.index(side)
            die = self.dice.roll(self.round, unit, ROLLS["morale"] + tenths)[battles]
            at = tests & (level == tenths)
            retreats |= at & ((die - generals <= tenths) | (tenths == MAX_LEVEL))
            if self.log and at[0]:
                words = _("{side}: army morale at {percent} % lost: {die}, retreats on {most} or less")
                most = 6 if tenths == MAX_LEVEL else tenths + int(generals[0])
                self.log(
                    words.format(side=simulation.SIDE_NAMES[side], percent=10 * tenths, die=int(die[0]), most=most)
                )
        return retreats

    # ---------------------------------------------------------------- words

    def _log_move(self, stand: Combatant, step: Array, away: Array) -> None:
        if self.log and step[0]:
            n = abs(int(step[0]))
            names = {"side": side_of(stand), "stand": stand.name}
            if step[0] > 0 and not away[0]:
                words = ngettext(
                    "{side}: {stand}: advance {squares} square", "{side}: {stand}: advance {squares} squares", n
                )
                self.log(words.format(**names, squares=n))
                return
            flee = ngettext("{side}: {stand}: flee {n} square", "{side}: {stand}: flee {n} squares", n)
            self.log((_("{side}: {stand}: flee from the table") if away[0] else flee).format(**names, n=n))

    def _log_attack(self, attacker: Combatant, target: Combatant, roll: str, dice: Sequence[int]) -> None:
        """Log one attack: the die, the score that it makes, the save, and the strength left."""
        assert self.log
        die, score, save, left = dice
        words = VERBS[roll].format(
            side=side_of(attacker), attacker=attacker.name, target=target.name, die=die, score=score
        )
        result = _("save {save}, strength {left} left").format(save=save, left=left)
        self.log(_("{attack}; {result}").format(attack=words, result=result))
