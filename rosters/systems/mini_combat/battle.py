"""Battles of Mini Combat on a line, many at once: the first axis of every array of state is the battle.

Rulebook: Mini Combat (author not named), phases 1 to 7 and Special Rules. The readings R1 to R21 are those of
docs/odds.md, R90 to R98 those of docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby, product
from typing import NamedTuple

import numpy as np

from rosters.core import simulation
from rosters.core.cache import cached
from rosters.core.messages import _
from rosters.core.odds import SIDES, Side, other
from rosters.core.simulation import Array, Battlefield, Combatant, Dice, Forces, Log, Outcome, deploy, rows_of, side_of
from rosters.core.values import MAX_INTEGER
from rosters.systems.mini_combat.odds import DENIAL_REACH, FLYING_EXTRA, USUAL_DENIAL_REACH, Fighter, problems
from rosters.systems.mini_combat.rules import Element

__all__ = ["POLICIES", "ROLLS", "fight", "problems", "takes_part"]

ROLLS: Mapping[str, int] = {"initiative": 0, "morale": 1, "hit": 1000, "save": 2000}
"""Initiative counts on with each tie; a model's hits and saves with its weapons and the elements under a template."""
POLICIES = ("advance",)
ORDER = _(
    "Units act in the order of the roster, each at the pace of its slowest element. One element fewer lets the others "
    "arrive and attack at other times."
)
APART, TURNS = 80, 12
CAUGHT = {"Cone": 2, "5c": 2, "10c": 4, "Bmb": 4}
"""The elements under each template (R95)."""
MAX_CAUGHT = max(CAUGHT.values())
ZONES = (0, USUAL_DENIAL_REACH, DENIAL_REACH["St"], MAX_INTEGER)
"""The distances up to which the same capabilities act (R6)."""
FAR = 2 * MAX_INTEGER
"""Farther than anything reaches or moves."""
MAX_ROWS = 256
"""Dice of a line to hit that are rolled at once: more take more memory."""
ALWAYS, NEVER = -9, 9
"""What a die needs that cannot fail, and one that cannot succeed, whatever its bonus."""


def takes_part(element: Element) -> bool:
    """Whether an element has models on the table."""
    return element.quantity > 0


def fight(
    forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
) -> Outcome:
    """Fight all battles of the dice."""
    return Battle(forces, dice, battlefield, log).fight()


class Army:
    """One side: its lines of equal models, its units, and their state in every battle."""

    def __init__(self, models: Sequence[Combatant], place: int, battles: int) -> None:
        self.lines = [[*line] for _number, line in groupby(models, key=lambda model: model.line)]
        elements = [line[0].element for line in self.lines]
        self.elements: Sequence[Element] = elements
        units = [*dict.fromkeys(line[0].formation for line in self.lines)]
        self.unit_of = np.array([units.index(line[0].formation) for line in self.lines])
        self.names = [next(m.group.strip() or m.name for m in models if m.formation == unit) for unit in units]
        self.units = [[*map(int, np.flatnonzero(self.unit_of == unit))] for unit in range(len(units))]
        self.points = np.array([line[0].points for line in self.lines])
        self.full = np.array([len(line) for line in self.lines])
        self.movement = np.array([max(0, element.movement) for element in elements])
        self.morale = np.array([element.stats.morale for element in elements])
        self.armed = np.array([element.stats.to_hit < 7 for element in elements])
        command = np.array([element.command for element in elements])
        self.screens = [
            (line, np.flatnonzero((self.unit_of == self.unit_of[line]) & ~command)) for line in np.flatnonzero(command)
        ]
        """Each line of commanders, and the others of its unit, who are attacked before it (R93)."""

        def state(columns: Sequence[object], value: int, dtype: type = np.int64) -> Array:
            return np.full((battles, len(columns)), value, dtype, order="F")  # a column is read as a whole

        self.left = state(self.lines, 0) + self.full
        self.attacked, self.spent = state(self.lines, 0, bool), state(self.lines, 0, bool)
        self.fired = state(self.lines, -1)
        """The last turn in which a line fired."""
        self.place = state(self.units, place)
        self.moved = state(self.units, 0)
        """The last turn in which a unit moved."""
        self.engaged, self.charging, self.tested = (state(self.units, 0, bool) for _array in range(3))

    def left_of(self, unit: int) -> Array:
        """The models of a unit that are left."""
        return self.left[:, self.units[unit]].sum(axis=1)

    @cached_property
    def worth(self) -> Array:
        """The points of each unit at the start."""
        return np.array([(self.points * self.full)[lines].sum() for lines in self.units])

    @cached_property
    def half(self) -> Array:
        """The most models of each unit with which half of it, rounded up, is lost (R20)."""
        return np.array([self.full[lines].sum() // 2 for lines in self.units])

    def halves_lost(self) -> Array:
        """The points that the enemy scores, doubled: half of a unit at half, all of one that is gone (R97)."""
        left = np.stack([self.left_of(unit) for unit in range(len(self.units))], axis=1)
        return (((left <= self.half) + 1 * (left == 0)) * self.worth).sum(axis=1)


CASES = len(ZONES), 3, 2, 2
"""A zone of distance; turns without a move, at most 2; whether the unit charges; whether the line fired last turn."""
STATES = 12
"""The cases of a zone."""


class Pair(NamedTuple):
    """What a model of a line does to one of an enemy line: tables by zone or case, as lists or flat arrays."""

    reach: Sequence[int]
    """How far it can attack an enemy that has attacked before, one that only moved, and one that has not."""
    need: Array
    """What the die to hit needs, by case."""
    chance: Array
    """The 36ths of a chance that one roll takes a model out, by case; -1 if it cannot attack."""
    save: Sequence[int]
    weapons: Sequence[int]
    caught: Sequence[int]
    once: Sequence[bool]
    """Whether it cannot attack again (R14), as the others by zone."""


@cached(8 << 20)  # most pairs of a report are the same in all its variants
def _pair(element: Element, enemy: Element) -> Pair:
    """The tables of two elements; those of a report's variants are mostly the same."""
    need, chance = np.full(CASES, NEVER), np.full(CASES, -1)
    fighters = [Fighter(element, enemy, distance) for distance in ZONES]
    targets = [Fighter(enemy, element, distance) for distance in ZONES]
    save = [
        target.stats.save if fighter.pierces(target, distance) else ALWAYS
        for fighter, target, distance in zip(fighters, targets, ZONES, strict=True)
    ]
    for zone, still, charge, fired in product(*map(range, CASES)):
        codes = fighters[zone].codes
        if not fighters[zone].weapons:
            continue  # R11
        if zone and (("MoF" in codes and not still) or ("Feot" in codes and fired)):
            continue  # R12, R13
        needed = _need(fighters[zone], zone, still, charge)
        need[zone, still, charge, fired] = needed
        chance[zone, still, charge, fired] = min(max(7 - needed, 0), 6) * min(max(save[zone] - 1, 0), 6)
    return Pair(
        [_reach(element, enemy, unseen) for unseen in range(3)],
        need.ravel(),
        chance.ravel(),
        save,
        [fighter.weapons for fighter in fighters],
        [max([1, *(CAUGHT[code] for code in fighter.codes if code in CAUGHT)]) for fighter in fighters],
        ["OS" in fighter.codes for fighter in fighters],
    )


class Matchup:
    """The tables of each line of one side against each line of the other."""

    def __init__(self, me: Army, foe: Army) -> None:
        pairs = [[_pair(element, enemy) for enemy in foe.elements] for element in me.elements]

        def table(name: str) -> Array:
            return np.array([[getattr(pair, name) for pair in row] for row in pairs])

        self.reach, self.need, chance = table("reach"), table("need"), table("chance")
        self.value = np.where(chance < 0, -1, chance * foe.points[:, None])
        """36 times the points that one roll takes on average; -1 if it cannot attack."""
        self.save, self.weapons, self.caught, self.once = map(table, ("save", "weapons", "caught", "once"))
        self.max_weapons, self.max_caught = (each.max(axis=(1, 2), initial=1) for each in (self.weapons, self.caught))
        self.hides = (self.reach != self.reach[..., :1]).any(axis=(1, 2))
        """Whether an enemy can be attacked from farther once it has attacked or moved (R16)."""


def _need(fighter: Fighter, zone: int, still: int, charge: int) -> int:
    """What the die to hit needs (R1, R2, R8, R13)."""
    if fighter.stats.to_hit <= 0:
        return ALWAYS
    bonus = (still > ("MoF" in fighter.codes)) + (charge and zone == 0 and "Ch" in fighter.codes)
    return fighter.stats.to_hit - bonus


def _reach(element: Element, enemy: Element, unseen: int) -> int:
    """The greatest distance at which an element can attack an enemy; -1 if at none (R3, R4, R6, R16)."""
    own = Fighter(element, enemy, MAX_INTEGER).reach, Fighter(element, enemy, 0).reach
    distances = {0, *ZONES[1:-1], *(reach - extra for reach in own for extra in (0, FLYING_EXTRA))}
    for distance in sorted(distances, reverse=True):
        fighter, target = Fighter(element, enemy, distance), Fighter(enemy, element, distance)
        hidden = unseen > 0 and target.is_hidden(distance, moved=unseen == 1)
        if distance >= 0 and fighter.reaches(target, distance) and not hidden:
            return distance
    return -1


class Aim(NamedTuple):
    """The battles in which a line attacks, the enemy line that it attacks there, and the case."""

    battles: Array
    target: Array
    case: Array

    @property
    def zone(self) -> Array:
        """The index of each distance in ZONES."""
        return self.case // STATES


def _limit(tested: Array, kills: Array, element: Array, left: Array) -> None:
    """Leave out of ``tested`` the elements under a template that are not left when it is placed (R21)."""
    size = int(element.max()) + 1
    for first in range(0, len(tested), size):
        rows = slice(first, first + size)
        tested[rows] &= element[rows] < left
        left = left - (tested[rows] & kills[rows]).sum(axis=0)


class Battle:
    """Battles on a line: A advances from 0 upwards, B from the other end downwards, so that no unit passes an enemy."""

    def __init__(self, forces: Forces, dice: Dice, battlefield: Battlefield, log: Log | None) -> None:
        self.dice, self.log, self.turn = dice, log, 0
        self.fixed, self.turns = battlefield.distance is not None, battlefield.turns or TURNS
        self.armies = deploy(Army, forces, dice, battlefield, APART)
        self.matchups = {side: Matchup(self.armies[side], self.armies[other(side)]) for side in SIDES}
        self.gap: Mapping[Side, Array] = {
            side: np.zeros((dice.battles, len(self.armies[other(side)].lines)), int, order="F") for side in SIDES
        }
        """The distance of each enemy line from the unit of a side that acts."""

    def fight(self) -> Outcome:
        """Fight to the end."""
        winner = np.zeros(self.dice.battles, int)
        turns = np.full(self.dice.battles, self.turns)
        battles = np.arange(self.dice.battles)
        while battles.size and self.turn < self.turns:
            self.turn += 1
            a_leads = self._initiative(battles)
            leads: Mapping[Side, Array] = {"a": battles[a_leads], "b": battles[~a_leads]}
            for unit in range(max(len(army.units) for army in self.armies.values())):  # R91
                self._act("a", unit, leads["a"])
                self._act("b", unit, battles)
                self._act("a", unit, leads["b"])
            for side in SIDES:
                self._test_morale(side, battles)
            if self.log:
                for army in self.armies.values():
                    for models, left in zip(army.lines, army.left[0], strict=True):
                        self.log(simulation.in_play(models, np.arange(len(models)) < left))
            winner[battles], over = self._result(battles)
            turns[battles[over]] = self.turn
            battles = battles[~over]
        left = {side: (army.left * army.points).sum(axis=1) for side, army in self.armies.items()}
        return Outcome(winner, turns, left["a"], left["b"])

    def _result(self, battles: Array) -> tuple[Array, Array]:
        """Who wins, and whether the battle is over: a side has scored half of the enemy's points (R97).

        If both have, the greater share wins. On fixed ground a side must have nobody left.
        """
        a, b = (self.armies[side] for side in SIDES)
        if self.fixed or not (a.worth.sum() and b.worth.sum()):
            a_beaten, b_beaten = (~army.left[battles].any(axis=1) for army in (a, b))
            return 1 * b_beaten - a_beaten, a_beaten | b_beaten
        a_lost, b_lost = (army.halves_lost()[battles] for army in (a, b))
        a_total, b_total = a.worth.sum(), b.worth.sum()
        over = (a_lost >= a_total) | (b_lost >= b_total)
        return np.sign(b_lost * a_total - a_lost * b_total) * over, over

    def _initiative(self, battles: Array) -> Array:
        """Whether A wins the initiative: a D6 each, ties again."""
        a_leads, tied, attempt = np.zeros(len(battles), bool), np.ones(len(battles), bool), ROLLS["initiative"]
        while tied.any():
            a, b = (self.dice.roll(self.turn, simulation.COMMON + side, attempt)[battles] for side in range(2))
            if self.log:
                self.log(
                    _("Turn {turn}: initiative, Blue {a}, Red {b}").format(turn=self.turn, a=int(a[0]), b=int(b[0]))
                )
            a_leads[tied], tied, attempt = (a > b)[tied], tied & (a == b), attempt + 1
        return a_leads

    # ---------------------------------------------------------------- a unit's turn

    def _act(self, side: Side, unit: int, battles: Array) -> None:
        """A unit moves and attacks, where it is left and has an enemy."""
        me, foe = self.armies[side], self.armies[other(side)]
        if unit >= len(me.units):
            return
        lines = me.units[unit]
        battles = battles[(me.left_of(unit) > 0)[battles] & rows_of(foe.left, battles).any(axis=1)]
        if battles.size:
            for line, in_reach in zip(lines, self._move(side, unit, battles), strict=True):
                self._attack(side, line, battles[in_reach])

    def _move(self, side: Side, unit: int, battles: Array) -> Sequence[Array]:
        """Advance until an enemy is in reach (R92); for each line where one is then."""
        me, foe = self.armies[side], self.armies[other(side)]
        lines = me.units[unit]
        gap = np.abs(rows_of(foe.place, battles) - me.place[battles, unit, None]).T[foe.unit_of].T
        gaps = np.where(rows_of(foe.left, battles) > 0, gap, FAR)
        missing, able, speed = [], np.zeros(len(battles), bool), np.full(len(battles), FAR)
        for line in lines:
            here = me.left[battles, line] > 0
            ready = here & ~me.spent[battles, line] & me.armed[line]
            missing.append(np.where(ready, self._missing(side, line, battles, gaps), FAR))
            able, speed = able | ready, np.where(here, np.minimum(speed, me.movement[line]), speed)
        nearest = gaps.min(axis=1)
        step = np.zeros(len(battles), int)
        if not self.fixed:
            step = np.maximum(np.minimum(np.minimum.reduce(missing), np.minimum(speed, nearest)), 0) * able
        moves, contact = step > 0, nearest == step
        if self.log and moves[0]:
            words = _("{side}: {unit}: advance {distance} cm")
            self.log(words.format(side=simulation.SIDE_NAMES[side], unit=me.names[unit], distance=int(step[0])))
        me.place[battles, unit] += step if side == "a" else -step
        me.moved[battles[moves], unit] = self.turn
        me.charging[battles, unit] = contact & (moves | ~me.engaged[battles, unit])  # R94
        me.engaged[battles, unit] = contact
        self.gap[side][battles] = gap - step[:, None]
        return [short <= step for short in missing]

    def _missing(self, side: Side, line: int, battles: Array, gap: Array) -> Array:
        """How many centimeters a line is too far from an enemy that it may attack; FAR or more if there is none."""
        reach = self._reach(side, line, battles)
        return np.where(reach >= 0, gap - reach, FAR).min(axis=1)

    def _reach(self, side: Side, line: int, battles: Array) -> Array:
        """How far a line can attack each enemy line."""
        foe, matchup = self.armies[other(side)], self.matchups[side]
        if not matchup.hides[line]:
            return matchup.reach[line, :, 0]
        unseen = ~rows_of(foe.attacked, battles) * (1 + (foe.moved[battles] == 0)[:, foe.unit_of])
        return matchup.reach[line, np.arange(len(foe.lines)), unseen]

    # ---------------------------------------------------------------- attacks

    def _attack(self, side: Side, line: int, battles: Array) -> None:
        """The models of a line attack one after the other; when one target is gone, the rest choose the next (R93)."""
        me = self.armies[side]
        matchup, used = self.matchups[side], np.zeros(self.dice.battles, int)
        weapons = int(matchup.max_weapons[line])
        at_once = max(1, MAX_ROWS // (weapons * int(matchup.max_caught[line])))
        while battles.size:
            aim = self._choose(side, line, battles)
            attacks = me.left[aim.battles, line] * weapons
            self._mark(side, line, aim)
            firing = aim
            for first in range(0, int(attacks.max(initial=0)) // weapons, at_once):
                if firing.battles.size:
                    firing = self._volley(side, line, slice(first, first + at_once), firing, used)
            battles = aim.battles[used[aim.battles] < attacks]

    def _choose(self, side: Side, line: int, battles: Array) -> Aim:
        """The enemy line to attack, if any can be: most expected points, then nearest, then first (R93)."""
        me, foe, unit = self.armies[side], self.armies[other(side)], self.armies[side].unit_of[line]
        still = np.minimum(self.turn - me.moved[battles, unit], 2)
        fired = me.fired[battles, line] == self.turn - 1
        state = (still * 2 + me.charging[battles, unit]) * 2 + fired
        gap, left = rows_of(self.gap[side], battles), rows_of(foe.left, battles)
        zone = sum((gap > distance) * 1 for distance in ZONES[:-1])
        case, enemies = zone * STATES + state[:, None], np.arange(len(foe.lines))
        matchup = self.matchups[side]
        value = matchup.value[line].take((case + enemies * matchup.value.shape[-1]).T).T
        if matchup.max_caught[line] > 1:
            value = value * np.minimum(matchup.caught[line, enemies, zone], np.maximum(left, 1))
        able = (left > 0) & (gap <= self._reach(side, line, battles))
        for commanders, others in foe.screens:
            able[:, commanders] &= ~left[:, others].any(axis=1)
        value = np.where(able, value, -1)
        most = value.max(axis=1)
        near = np.where(value == most[:, None], gap, FAR)
        target = (near * len(foe.lines) + enemies).min(axis=1) % len(foe.lines)  # argmin takes three times as long
        aim = Aim(battles, target, case[np.arange(len(battles)), target])
        return aim if most.min() >= 0 else Aim(*(array[most >= 0] for array in aim))

    def _mark(self, side: Side, line: int, aim: Aim) -> None:
        """Remember that a line attacks (R12, R14, R16)."""
        me = self.armies[side]
        me.attacked[aim.battles, line] = True
        me.spent[aim.battles, line] |= self.matchups[side].once[line, aim.target, aim.zone]
        me.fired[aim.battles[aim.zone > 0], line] = self.turn

    def _volley(self, side: Side, line: int, models: slice, aim: Aim, used: Array) -> Aim:
        """Roll the attacks of some models of a line at their targets, and count those ``used`` until these are gone.

        Returns the battles in which they are left.
        """
        me, foe, matchup = self.armies[side], self.armies[other(side)], self.matchups[side]
        left, zone = foe.left[aim.battles, aim.target], aim.zone
        need, save = matchup.need[line, aim.target, aim.case], matchup.save[line, aim.target, zone]
        max_weapons, max_caught = int(matchup.max_weapons[line]), int(matchup.max_caught[line])
        rows = [*product(me.lines[line][models], range(max_weapons), range(max_caught))]
        hits, saves = self._roll(rows, aim.battles)
        attack, element = (np.arange(len(rows))[:, None] // max_caught, np.arange(len(rows))[:, None] % max_caught)
        attack, attacks = attack + models.start * max_weapons, me.left[aim.battles, line] * max_weapons
        tested = (attack >= used[aim.battles]) & (attack < attacks)
        if max_weapons > 1:
            tested &= attack % max_weapons < matchup.weapons[line, aim.target, zone]  # R11
        kills = (hits >= need) & (saves < save)
        if max_caught > 1:
            tested &= element < matchup.caught[line, aim.target, zone]  # R21
            _limit(tested, kills, element, left)
        lost = (kills & tested).cumsum(axis=0, dtype=np.int16)
        last = attack[(lost >= left).argmax(axis=0), 0]
        after = left - lost[-1]
        used[aim.battles] = np.where(after > 0, np.minimum(attacks, attack[-1] + 1), last + 1)
        if self.log:
            enemies = foe.lines[aim.target[0]]
            for row in np.flatnonzero(tested[:, 0]):
                caught = row % max_caught
                before = int(lost[row - caught - 1, 0]) if row > caught else 0
                place = int(left[0]) - before - 1 - caught
                if place >= 0:
                    dice = (int(hits[row, 0]), int(need[0])), (int(saves[row, 0]), int(save[0]))
                    self._log_attack(rows[row][0], enemies[place], *dice, also=bool(caught))
        foe.left[aim.battles, aim.target] = np.maximum(after, 0)
        return Aim(*(array[after > 0] for array in aim))

    def _roll(self, rows: Sequence[tuple[Combatant, int, int]], battles: Array) -> tuple[Array, Array]:
        """The dice to hit of models with their weapons at each element under the template, and those to save."""
        hits, saves = (
            self.dice.rolls(
                self.turn, [(model.number, ROLLS[name] + MAX_CAUGHT * weapon + n) for model, weapon, n in rows]
            )
            for name in ("hit", "save")
        )
        return (hits, saves) if len(battles) == self.dice.battles else (hits[:, battles], saves[:, battles])

    def _log_attack(
        self, attacker: Combatant, target: Combatant, hit: tuple[int, int], save: tuple[int, int], *, also: bool
    ) -> None:
        """Log one attack: each die beside what it needs; ``also`` at another model under the template (R95)."""
        assert self.log
        if hit[0] < hit[1]:
            result = _("misses with {die} ({need}+)").format(die=hit[0], need=min(hit[1], 7))
        elif save[1] == ALWAYS:
            result = _("hits with {die}, but does not pierce the armor").format(die=hit[0])
        elif save[1] >= 7:
            result = _("hits with {die}: destroyed").format(die=hit[0])
        elif save[0] < save[1]:
            result = _("hits with {die}; save {save} ({need}+) fails: destroyed").format(
                die=hit[0], save=save[0], need=save[1]
            )
        else:
            result = _("hits with {die}; save {save} ({need}+)").format(die=hit[0], save=save[0], need=save[1])
        words = _("{side}: {attacker} at {target}: {result}")
        if also:
            words = _("{side}: {attacker} at {target}, also under the template: {result}")
        self.log(words.format(side=side_of(attacker), attacker=attacker.name, target=target.name, result=result))

    # ---------------------------------------------------------------- the end of a turn

    def _test_morale(self, side: Side, battles: Array) -> None:
        """Each unit with half its models lost tests once, by the best morale left; or all leave (R20)."""
        me = self.armies[side]
        for unit, lines in enumerate(me.units):
            left = me.left[battles][:, lines]
            models = left.sum(axis=1)
            tests = (models > 0) & (models <= me.half[unit]) & ~me.tested[battles, unit]
            if not tests.any():
                continue
            first = me.lines[lines[0]][0]
            die = self.dice.roll(self.turn, first.number, ROLLS["morale"])[battles]
            need = np.where(left > 0, me.morale[lines], NEVER).min(axis=1)
            leaves = tests & (die < need)
            me.tested[battles[tests], unit] = True
            me.left[np.ix_(battles[leaves], lines)] = 0
            if self.log:
                words = _("{side}: {unit} tests morale: {die} ({need}+), leaves the table")
                stays = _("{side}: {unit} tests morale: {die} ({need}+), stays")
                self.log(
                    (words if leaves[0] else stays).format(
                        side=simulation.SIDE_NAMES[side], unit=me.names[unit], die=int(die[0]), need=int(need[0])
                    )
                )
