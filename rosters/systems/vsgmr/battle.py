"""Battles of VSGMR on a line, many at once: the first axis of every array of state is the battle.

Rulebook: VSGMR, Domino Writing; sections II to VI. R61 to R74 are the readings of docs/odds.md, R130 to R138 those of
docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from rosters.core.messages import Message, _, ngettext
from rosters.core.odds import SIDES, Side, other
from rosters.core.simulation import (
    COMMON,
    Array,
    Battlefield,
    Combatant,
    Dice,
    Forces,
    Log,
    Outcome,
    deploy,
    in_play,
    side_of,
)
from rosters.systems.vsgmr.odds import DISTANCE, HAND, MORE_ATTACKS, attack_of, reach_of
from rosters.systems.vsgmr.rules import GUYS, KINDS, Element, trait_codes
from rosters.systems.vsgmr.tables import MOVES, Roll, pace

ROLLS: Mapping[str, int] = {"initiative": 0, "attack": 0, "attack again": 2, "armor": 4, "armor again": 6}
"""The number of each roll; initiative counts on with each tie. The second die of two adds 1.

The attacker rolls for armor, too, for its target. Each further attack adds 8, Revenge 24.
"""
POLICIES = ("advance",)
ORDER = _(
    "Figures ride and attack in the order of the roster. One figure fewer gives the others other mounts and targets."
)
APART, TURNS = 36, 5
HALF_INCHES = 2
"""Places are in half inches: cavalry moves half an inch at the least."""
AREA = MOVES["troop"].half * HALF_INCHES
"""How far from the first target further ones of an Area Effect Attack are (section V)."""
ROLLS_OF_ATTACK, REVENGE = 8, 24
"""The rolls of one attack; the first of an attack by Revenge."""
TYPES = (HAND, DISTANCE)
NAMES = {"attack": _("Attack"), "armor": _("Armor")}
NONE, FAR = -1, 10_000


def takes_part(element: Element) -> bool:
    """Whether an element has figures of a known kind."""
    return element.quantity > 0 and element.kind in KINDS


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """None: every figure can fight."""
    yield from ()


def fight(
    forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
) -> Outcome:
    """Fight all battles of the dice."""
    return Battle(forces, dice, battlefield, log).fight()


def riders(figures: Sequence[Combatant]) -> Iterator[tuple[int, int | None]]:
    """Each mount that needs a rider, and its rider (R132).

    That is the next guy of its warband after it that rides nothing yet, or else the last before it; None without one.
    """
    free = {number for number, figure in enumerate(figures) if figure.element.kind in GUYS}
    for mount, figure in enumerate(figures):
        if figure.element.kind in GUYS or "independent" in trait_codes(figure.element):
            continue
        own = [number for number in free if figures[number].formation == figure.formation]
        after = [number for number in own if number > mount]
        rider = min(after) if after else max(own, default=None)
        yield mount, rider
        free -= {rider}


class Army:
    """One side: its figures and their state in every battle."""

    def __init__(self, figures: Sequence[Combatant], place: int, battles: int) -> None:
        self.figures = figures
        self.lines = {figure.line: figure for figure in reversed(figures)}
        self.line = np.array([figure.line for figure in figures])
        self.elements: Sequence[Element] = [figure.element for figure in figures]
        self.traits = [trait_codes(element) for element in self.elements]
        self.points = np.array([figure.points for figure in figures])
        paces = [pace(element) for element in self.elements]
        self.moves = [int(each.move * HALF_INCHES) if each else 0 for each in paces]
        self.initiative = np.array([each.initiative if each else 0 for each in paces])
        self.reach = [reach_of(element) * HALF_INCHES for element in self.elements]
        self.rider_of = dict(riders(figures))
        self.mount_of = {rider: mount for mount, rider in self.rider_of.items() if rider is not None}
        self.inspiring = [number for number, traits in enumerate(self.traits) if "inspiration" in traits]
        self.avenging = [number for number, traits in enumerate(self.traits) if "revenge" in traits]
        shape = battles, len(figures)
        self.alive, self.attacked = np.ones(shape, bool), np.zeros(shape, bool)
        self.inspired = np.zeros(shape, bool)
        """Whether a figure's Inspiration was used this round."""
        self.place = np.full(shape, place * HALF_INCHES)

    def rides(self, battles: Array) -> Array:
        """The figures that ride, in some battles: both rider and mount are left."""
        riding = np.zeros((len(battles), len(self.figures)), bool)
        for rider, mount in self.mount_of.items():
            riding[:, rider] = self.alive[battles, rider] & self.alive[battles, mount]
        return riding

    def acts(self, figure: int, battles: Array) -> Array:
        """The battles in which a figure moves and attacks: not what rides, nor a mount without its rider."""
        able = self.alive[battles, figure]
        if figure in self.mount_of:
            able = able & ~self.alive[battles, self.mount_of[figure]]
        if figure in self.rider_of:
            rider = self.rider_of[figure]
            able = able & (False if rider is None else self.alive[battles, rider])
        return battles[able]


TOUCHING, APART_FROM, MOUNTED = range(3)
"""How an enemy stands to a figure: it touches, is some way off, or is some way off and rides, which is cover (R132)."""


class Matchup:
    """What each line of one side does to each of the other: tables by line, type, enemy line and case."""

    def __init__(self, me: Army, foe: Army) -> None:
        shape = len(me.lines), len(TYPES), len(foe.lines), 3
        self.need, self.value = np.zeros(shape, int), np.full(shape, NONE)
        """What the die needs; the rank, which is exact, of the points that an attack takes on average, or NONE."""
        self.armor_need, self.armor_die = np.zeros(len(foe.lines), int), np.full(len(foe.lines), NONE)
        """What an armor roll needs, and its die, NONE without armor."""
        self.rolls: dict[tuple[int, int], Roll] = {}
        worth: dict[tuple[int, int, int, int], Fraction] = {}
        for i, kind, j, case in product(*map(range, shape)):
            element, enemy = me.lines[i].element, foe.lines[j].element
            if (TYPES[kind] == HAND and case != TOUCHING) or (TYPES[kind] == DISTANCE and not element.distance):
                continue
            attack = attack_of(element, enemy, TYPES[kind], cover=case == MOUNTED, touching=case == TOUCHING)
            self.rolls[i, kind], self.need[i, kind, j, case] = attack.roll, attack.need
            worth[i, kind, j, case] = Fraction(attack.kill) * foe.lines[j].points
            if attack.armor_roll:
                self.armor_need[j], self.armor_die[j] = attack.armor_roll.target, attack.armor_roll.die
        ranks = {points: rank for rank, points in enumerate(sorted({*worth.values()}))}
        for key, points in worth.items():
            self.value[key] = ranks[points]


class Strike(NamedTuple):
    """Attacks of one type by one figure: the battles in which it attacks, and there its target."""

    side: Side
    figure: int
    kind: int
    battles: Array
    target: Array
    first_roll: int = 0

    def of(self, rows: Array) -> Strike:
        """The attacks in some of the battles."""
        return self._replace(battles=self.battles[rows], target=self.target[rows])


class Battle:
    """Battles on a line: A advances from 0 upwards, B from the other end downwards, so that nobody passes an enemy."""

    def __init__(self, forces: Forces, dice: Dice, battlefield: Battlefield, log: Log | None) -> None:
        self.dice, self.log, self.turn = dice, log, 0
        self.fixed, self.turns = battlefield.distance is not None, battlefield.turns or TURNS
        self.armies = deploy(Army, forces, dice, battlefield, APART)
        self.matchups = {side: Matchup(self.armies[side], self.armies[other(side)]) for side in SIDES}
        self.steps = ((2, (0, 1)),) if self.fixed else ((2, (1,)), (1, (0,)))
        """For each step how many of TYPES a figure chooses from, and those that are made now (R133).

        On a fixed ground all are made at once, as exact odds have it.
        """

    def fight(self) -> Outcome:
        """Fight to the end."""
        turns, battles = np.full(self.dice.battles, self.turns), np.arange(self.dice.battles)
        while battles.size and self.turn < self.turns:
            self.turn += 1
            a_leads = self._initiative(battles)
            order: Sequence[tuple[Side, Array]]
            order = ("a", battles[a_leads]), ("b", battles), ("a", battles[~a_leads])
            for army in self.armies.values():
                army.attacked[:], army.inspired[:] = False, False
            for side, some in () if self.fixed else order:
                self._move(side, some)
            for step, (side, some) in product(self.steps, order):
                for figure in range(len(self.armies[side].figures)):
                    self._attack(side, figure, step, some)
            if self.log:
                for army in self.armies.values():
                    self.log(in_play(army.figures, army.alive[0]))
            a_left, b_left = (army.alive[battles].any(axis=1) for army in self.armies.values())
            over = ~(a_left & b_left)
            turns[battles[over]] = self.turn
            battles = battles[~over]
        a, b = (army.alive @ army.points for army in self.armies.values())
        a_all, b_all = (army.points.sum() for army in self.armies.values())
        if self.fixed:
            a_left, b_left = (army.alive.any(axis=1) for army in self.armies.values())
            return Outcome(1 * a_left - b_left, turns, a, b)
        return Outcome(np.sign((b_all - b) - (a_all - a)), turns, a, b)  # R138

    def _initiative(self, battles: Array) -> Array:
        """Whether A wins the initiative: a D6 each with the best Super-Move left, ties again (R68, R130)."""
        bonus = [(army.alive[battles] * army.initiative).max(axis=1) for army in self.armies.values()]
        a_leads, tied, attempt = np.zeros(len(battles), bool), np.ones(len(battles), bool), ROLLS["initiative"]
        while tied.any():
            dice = [self.dice.roll(self.turn, COMMON + side, attempt)[battles] for side in range(2)]
            a, b = (die + more for die, more in zip(dice, bonus, strict=True))
            self._log_event(_("Turn {turn}: initiative, Blue {a}, Red {b}"), turn=self.turn, a=a, b=b)
            a_leads[tied], tied, attempt = (a > b)[tied], tied & (a == b), attempt + 1
        return a_leads

    def _move(self, side: Side, battles: Array) -> None:
        """All figures of a side advance until an enemy is in reach; riders move with their mounts (R131, R132)."""
        me, foe = self.armies[side], self.armies[other(side)]
        for figure, move in enumerate(me.moves):
            some = me.acts(figure, battles)
            some = some[foe.alive[some].any(axis=1)]
            if not some.size:
                continue
            missing = self._gaps(side, figure, some).min(axis=1) - max(me.reach[figure], 0)
            step = np.minimum(np.maximum(missing, 0), move)
            if self.log and step[0]:
                words = ngettext(
                    "{side}: {figure} moves {distance} inch",
                    "{side}: {figure} moves {distance} inches",
                    -(-int(step[0]) // HALF_INCHES),
                )
                self._log_event(words, **self._names(side, figure), distance=step / HALF_INCHES)
            me.place[some, figure] += step if side == "a" else -step
            rider = me.rider_of.get(figure)
            if rider is not None:
                me.place[some, rider] = me.place[some, figure]

    def _gaps(self, side: Side, figure: int, battles: Array) -> Array:
        """The distance of each enemy that is left, in half inches; FAR of others."""
        me, foe = self.armies[side], self.armies[other(side)]
        return np.where(foe.alive[battles], np.abs(foe.place[battles] - me.place[battles, figure, None]), FAR)

    # ---------------------------------------------------------------- attacks

    def _attack(self, side: Side, figure: int, step: tuple[int, tuple[int, ...]], battles: Array) -> None:
        """The attacks of a figure in a step, where the best that it can still make is of that step (R133)."""
        me = self.armies[side]
        battles = me.acts(figure, battles[~me.attacked[battles, figure]])
        if not battles.size:
            return
        options = [self._choose(side, figure, kind, battles) for kind in range(step[0])]
        values = np.stack([value for _target, value in options])
        best = np.where(values.max(axis=0) > NONE, values.argmax(axis=0), NONE)  # R61: of equals, hand to hand
        for kind in step[1]:
            here = best == kind
            if here.any():
                me.attacked[battles[here], figure] = True
                self._strikes(Strike(side, figure, kind, battles[here], options[kind][0][here]))

    def _choose(
        self, side: Side, figure: int, kind: int, battles: Array, among: Array | None = None
    ) -> tuple[Array, Array]:
        """The best target of a type, and the rank of the points expected of it, NONE if there is none (R134).

        Most expected points, then nearest, then first in the roster.
        """
        me, foe, matchup = self.armies[side], self.armies[other(side)], self.matchups[side]
        gaps = self._gaps(side, figure, battles)
        case = np.where(gaps == 0, TOUCHING, np.where(foe.rides(battles), MOUNTED, APART_FROM))
        value = matchup.value[me.line[figure], kind][foe.line, case]
        allowed = gaps <= (0 if TYPES[kind] == HAND else me.reach[figure])
        value = np.where(allowed if among is None else allowed & among, value, NONE)
        most = value.max(axis=1)
        return np.where(value == most[:, None], gaps, FAR).argmin(axis=1), most

    def _strikes(self, strike: Strike) -> None:
        """An attack, and further ones where the one before hit (R70, R135)."""
        me, foe = self.armies[strike.side], self.armies[other(strike.side)]
        trait, more = MORE_ATTACKS[TYPES[strike.kind]]
        further = more if trait in me.traits[strike.figure] else 0
        center = foe.place[strike.battles, strike.target]
        for number in range(1 + further):
            hit = self._strike(strike) & me.alive[strike.battles, strike.figure]
            if number == further or not hit.any():
                return
            strike, center = strike.of(hit), center[hit]
            near = np.abs(foe.place[strike.battles] - center[:, None]) <= AREA
            among = near if TYPES[strike.kind] == DISTANCE else None
            target, value = self._choose(strike.side, strike.figure, strike.kind, strike.battles, among)
            strike = strike._replace(target=target, first_roll=strike.first_roll + ROLLS_OF_ATTACK).of(value > NONE)
            center = center[value > NONE]
            if not strike.battles.size:
                return

    def _strike(self, strike: Strike, *, avenged: bool = True) -> Array:
        """One attack in each battle; whether it hit. What is beaten is out, after its Revenge if it has one (R73)."""
        me, foe, matchup = self.armies[strike.side], self.armies[other(strike.side)], self.matchups[strike.side]
        line = me.line[strike.figure]
        gaps = np.abs(foe.place[strike.battles, strike.target] - me.place[strike.battles, strike.figure])
        rides = foe.rides(strike.battles)[np.arange(len(gaps)), strike.target]
        case = np.where(gaps == 0, TOUCHING, np.where(rides, MOUNTED, APART_FROM))
        need = matchup.need[line, strike.kind][foe.line[strike.target], case]
        roll = matchup.rolls[line, strike.kind]
        if self.log:
            words = {
                HAND: _("{side}: {figure} strikes at {target}"),
                DISTANCE: _("{side}: {figure} shoots at {target}"),
            }
            target = foe.figures[strike.target[0]].name
            self._log_event(words[TYPES[strike.kind]], **self._names(strike.side, strike.figure), target=target)
        dice = np.full(len(gaps), roll.die)
        hit = self._roll(strike, "attack", (need, dice), roll.dice, strike.side)
        beaten = strike.of(hit)
        beaten = beaten.of(~self._saved(beaten))
        if beaten.battles.size:
            foe.alive[beaten.battles, beaten.target] = False
            self._log_event(_("{target} is beaten"), target=foe.figures[beaten.target[0]].name)
            if avenged:
                self._avenge(beaten)
        return hit

    def _saved(self, strike: Strike) -> Array:
        """Whether armor stops hits; against Ignores Armor two rolls must succeed, the second after the first (R69)."""
        me, foe, matchup = self.armies[strike.side], self.armies[other(strike.side)], self.matchups[strike.side]
        line = foe.line[strike.target]
        need, dice = matchup.armor_need[line], matchup.armor_die[line]
        saved = dice != NONE
        for number in range(2 if "ignores-armor" in me.traits[strike.figure] else 1):
            rows = np.flatnonzero(saved)
            if rows.size:
                rolls = strike.of(rows)._replace(first_roll=strike.first_roll + number)
                saved[rows] = self._roll(rolls, "armor", (need[rows], dice[rows]), 1, other(strike.side))
        return saved

    def _avenge(self, beaten: Strike) -> None:
        """The Revenge of figures that were just beaten: one attack of the same type at who beat them (R73, R136)."""
        side = other(beaten.side)
        me = self.armies[side]
        for figure in me.avenging:
            battles = beaten.battles[beaten.target == figure]
            target = np.full(len(battles), beaten.figure)
            gaps = np.abs(me.place[battles, figure] - self.armies[beaten.side].place[battles, beaten.figure])
            able = gaps <= (0 if TYPES[beaten.kind] == HAND else me.reach[figure])
            if able.any():
                self._strike(Strike(side, figure, beaten.kind, battles, target, REVENGE).of(able), avenged=False)

    def _roll(self, strike: Strike, name: str, targets: tuple[Array, Array], number: int, side: Side) -> Array:
        """Whether the best of some dice is as high as needed, a failed roll of a side being rolled again (R72, R137).

        ``targets`` is what they need and the sizes of the dice.
        """
        need, sizes = targets
        best = self._best(strike, name, sizes, number)
        self._log_event(_("{name}: {die} ({need}+)"), name=NAMES[name], die=best, need=need)
        done, army = best >= need, self.armies[side]
        failed = ~done
        for figure in army.inspiring:
            free = army.alive[strike.battles, figure] & ~army.inspired[strike.battles, figure]
            again = np.flatnonzero(failed & free)
            if again.size:
                army.inspired[strike.battles[again], figure] = True
                rolled = self._best(strike.of(again), f"{name} again", sizes[again], number)
                self._log_event(_("Inspiration of {figure}: {die}"), figure=army.figures[figure].name, die=rolled)
                done[again], failed[again] = rolled >= need[again], False
        return done

    def _best(self, strike: Strike, name: str, sizes: Array, number: int) -> Array:
        """The best of some dice of a figure; their sizes can differ from battle to battle."""
        unit, first = self.armies[strike.side].figures[strike.figure].number, strike.first_roll + ROLLS[name]
        best = np.zeros(len(sizes), int)
        for size, roll in product(map(int, np.unique(sizes)), range(first, first + number)):
            faces = self.dice.roll(self.turn, unit, roll, size)[strike.battles]
            best = np.where(sizes == size, np.maximum(best, faces), best)
        return best

    # ---------------------------------------------------------------- words, of a single battle

    def _names(self, side: Side, figure: int) -> dict[str, str]:
        combatant = self.armies[side].figures[figure]
        return {"side": side_of(combatant), "figure": combatant.name}

    def _log_event(self, message: Message, **values: Array) -> None:
        """Log an event; of arrays the value of the only battle."""
        if self.log:
            plain = {key: f"{value[0]:g}" if isinstance(value, np.ndarray) else value for key, value in values.items()}
            self.log(message.format(**plain))
