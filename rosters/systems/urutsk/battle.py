"""Battles of URUTSK that come nearer band by band, many at once: the first axis of every array is the battle.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis. R80 to R87 are readings of docs/odds.md, R150 to R156 those of
docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rosters.core.messages import Message, _, ngettext
from rosters.core.odds import D6, SIDES, Side, other
from rosters.core.simulation import Array, Battlefield, Combatant, Dice, Forces, Log, Outcome, in_play, side_of
from rosters.systems.urutsk import odds
from rosters.systems.urutsk.odds import BURST_HITS, CHECK
from rosters.systems.urutsk.rules import Element
from rosters.systems.urutsk.tables import FIRE, RANGES, last_miss

ROLLS: Mapping[str, int] = {"shot": 0, "shot again": 1, "miss": 2, "check": 3, "melee": 4, "melee again": 5}
POLICIES = ("advance",)
ORDER = _("Figures choose their targets in the order of the roster. One figure fewer gives the others other targets.")
MELEE = -1
"""The place of melee among the bands, which are known by their penalties; also of a fixed ground."""
NAMES: Mapping[int, Message] = {penalty: name for _code, name, penalty in RANGES}
BANDS = ("long", "medium", "short", "point-blank")
"""The bands through which both sides come nearer, each for some rounds, before melee (R150)."""
ROUNDS_A_BAND, TURNS = 2, 100
MAX_SCORE = 100
MAX_HITS = MAX_SCORE + 12
"""More hit points than one attack does."""
NOBODY, CROWD = -1, 10_000


def takes_part(element: Element) -> bool:
    """Whether an element has figures."""
    return element.quantity > 0


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """The keys of a figure that cannot be simulated, each with the reason."""
    yield from odds.problems(element)
    for key in ("ranged", "close"):
        if getattr(element, key) > MAX_SCORE:
            yield key, _("must be at most {most}").format(most=MAX_SCORE)


def fight(
    forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
) -> Outcome:
    """Fight all battles of the dice; the distance of a fixed ground is a band's penalty, or MELEE."""
    return Battle(forces, dice, battlefield, log).fight()


# ---------------------------------------------------------------- one attack


def shot_points(figure: Element, penalty: int, die: Array, again: Array) -> tuple[Array, Array]:
    """The hit points of a shot, and whether it is a clean miss (R81 to R84)."""
    if figure.fire == "burst":
        return np.full_like(die, BURST_HITS), np.zeros(die.shape, bool)
    points = die + figure.ranged - penalty
    missed = points <= last_miss(figure.fire, figure.poor_condition)
    return np.where(missed, 0, points + again * (points >= FIRE[figure.fire].explodes)), missed


def melee_points(close: tuple[Array, Array], dice: tuple[Array, Array], again: tuple[Array, Array]) -> Array:
    """The hit points that the first of two figures does to the second: its total less both parries (R86)."""
    mine, theirs = (die + score for die, score in zip(dice, close, strict=True))
    tied = mine == theirs
    mine, theirs = mine + again[0] * tied, theirs + again[1] * tied
    points = np.maximum(mine - np.minimum(close[0], theirs) - np.minimum(close[1], mine), 0)
    return np.where((mine == theirs) & (close[0] < close[1]), 0, points)


FACES = np.array(D6)
TWO, FOUR = np.meshgrid(FACES, FACES), np.meshgrid(FACES, FACES, FACES, FACES)
"""All results of two and of four dice."""


def _chances(points: Array) -> Array:
    """How many of some equally likely results take out a figure of each Fate from 0 to MAX_HITS."""
    counts = np.bincount(np.minimum(points.ravel(), MAX_HITS), minlength=MAX_HITS + 1)
    over: Array = counts.sum() - counts.cumsum()
    return over


class Army:
    """One side: its figures and their state in every battle."""

    def __init__(self, figures: Sequence[Combatant], battles: int) -> None:
        self.figures = figures
        lines: Mapping[int, Element] = {figure.line: figure.element for figure in figures}
        self.lines = lines
        self.line = np.array([figure.line for figure in figures])
        self.close = np.array([figure.element.close for figure in figures])
        shape = battles, len(figures)
        self.fate = np.full(shape, [figure.element.fate for figure in figures])
        self.alive, self.loaded, self.injured = np.ones(shape, bool), np.ones(shape, bool), np.zeros(shape, bool)
        """Injured are those whose injury was in the round before (R87)."""

    def suffer(self, battles: Array, points: Array) -> None:
        """Compare the hit points of a round with Fate (R87)."""
        fate = self.fate[battles]
        injured = (points == fate) & (points > 0)
        self.alive[battles] &= points <= fate
        self.injured[battles] = injured
        self.fate[battles] = np.where(injured, points - 1, fate - points)


class Battle:
    """Battles of two sides that act at the same time (R80)."""

    def __init__(self, forces: Forces, dice: Dice, battlefield: Battlefield, log: Log | None) -> None:
        self.dice, self.log, self.turn = dice, log, 0
        self.fixed, self.turns = battlefield.distance, battlefield.turns or TURNS
        self.armies: Mapping[Side, Army] = {side: Army(forces[side], dice.battles) for side in SIDES}
        self.chances: dict[tuple[Side, int], Array] = {}

    def fight(self) -> Outcome:
        """Fight to the end."""
        turns, battles = np.full(self.dice.battles, self.turns), np.arange(self.dice.battles)
        while battles.size and self.turn < self.turns:
            self.turn += 1
            band = self._band()
            if self.log:
                name = NAMES[band] if band != MELEE else _("Melee")
                self.log(_("Round {round}: {band}").format(round=self.turn, band=name))
            aims = {side: self._aim(side, band, battles) for side in SIDES}
            attack = self._melee if band == MELEE else self._shoot
            points = {side: attack(side, band, battles, aims[side]) for side in SIDES}
            for side in SIDES:
                self._suffer(side, battles, points[other(side)])
            if self.log:
                for army in self.armies.values():
                    self.log(in_play(army.figures, army.alive[0]))
            a, b = (army.alive[battles].any(axis=1) for army in self.armies.values())
            turns[battles[~(a & b)]] = self.turn
            battles = battles[a & b]
        a_left, b_left = (army.alive.sum(axis=1) for army in self.armies.values())
        return Outcome(1 * (a_left > 0) - (b_left > 0), turns, a_left, b_left)  # R156

    def _band(self) -> int:
        """The band of this round: two rounds each, then melee (R150)."""
        if self.fixed is not None:
            return self.fixed
        passed = (self.turn - 1) // ROUNDS_A_BAND
        return odds.BANDS[BANDS[passed]] if passed < len(BANDS) else MELEE

    def _suffer(self, side: Side, battles: Array, points: Array) -> None:
        """Apply the hit points of a round to a side."""
        army = self.armies[side]
        before = army.alive[battles]
        army.suffer(battles, points)
        for figure in np.flatnonzero(before[0] & (points[0] > 0)) if self.log else ():
            words = _("{side}: {figure} suffers {points}: Fate {fate}")
            if army.injured[0, figure]:
                words = _("{side}: {figure} suffers {points}: injured, Fate {fate}")
            elif not army.alive[0, figure]:
                words = _("{side}: {figure} suffers {points}: out of action")
            self._log_event(words, side, int(figure), points=int(points[0, figure]), fate=int(army.fate[0, figure]))

    # ---------------------------------------------------------------- targets

    def _aim(self, side: Side, band: int, battles: Array) -> Array:
        """The target of each figure, NOBODY of those who do not attack (R151 to R153).

        In the order of the roster, each aims where the fewest friends do, then where it most probably takes one out.
        """
        me, foe = self.armies[side], self.armies[other(side)]
        able = me.alive[battles]
        if band != MELEE:
            able = able & me.loaded[battles] & ~me.injured[battles]
        crowd = np.where(foe.alive[battles], 0, CROWD)
        fate, chances = np.minimum(foe.fate[battles], MAX_HITS), self._chances_of(side, band)
        aims, rows = np.full(able.shape, NOBODY), np.arange(len(battles))
        for figure in range(len(me.figures)):
            least = crowd == crowd.min(axis=1, keepdims=True)
            chance = chances[me.line[figure], foe.line, fate]
            target = np.where(least, chance, NOBODY).argmax(axis=1)
            crowd[rows, target] += able[:, figure]
            aims[:, figure] = np.where(able[:, figure], target, NOBODY)
        return aims

    def _chances_of(self, side: Side, band: int) -> Array:
        """How probably one attack takes out an enemy: by line, enemy line and Fate."""
        if (side, band) not in self.chances:
            me, foe = self.armies[side], self.armies[other(side)]
            table = np.zeros((max(me.lines) + 1, max(foe.lines) + 1, MAX_HITS + 1), int)
            for i, figure in me.lines.items():
                shots = _chances(shot_points(figure, band, *TWO)[0])
                for j, enemy in foe.lines.items():
                    scores = np.array(figure.close), np.array(enemy.close)
                    melee = band == MELEE
                    table[i, j] = (
                        _chances(melee_points(scores, (FOUR[0], FOUR[1]), (FOUR[2], FOUR[3]))) if melee else shots
                    )
            self.chances[side, band] = table
        return self.chances[side, band]

    # ---------------------------------------------------------------- attacks

    def _roll(self, army: Army, figure: int, name: str, battles: Array) -> Array:
        return self.dice.roll(self.turn, army.figures[figure].number, ROLLS[name])[battles]

    def _shoot(self, side: Side, band: int, battles: Array, aims: Array) -> Array:
        """The hit points that a side's shots do to each enemy; a clean miss can use up the ammunition (R85)."""
        me = self.armies[side]
        done = np.zeros((len(battles), len(self.armies[other(side)].figures)), int)
        for figure, combatant in enumerate(me.figures):
            rows = np.flatnonzero(aims[:, figure] != NOBODY)
            if not rows.size:
                continue
            element, some = combatant.element, battles[rows]
            die, again, miss, check = (
                self._roll(me, figure, name, some) for name in ("shot", "shot again", "miss", "check")
            )
            points, missed = shot_points(element, band, die, again)
            spent = missed & (miss == 1) & (check + element.weapon_ability < CHECK)
            me.loaded[some[spent], figure] = False
            done[rows, aims[rows, figure]] += points
            if self.log:
                self._log_shot(side, figure, int(aims[0, figure]), points=int(points[0]), die=int(die[0]))
                if missed[0]:
                    self._log_miss(side, figure, int(miss[0]), int(check[0]))
        return done

    def _melee(self, side: Side, band: int, battles: Array, aims: Array) -> Array:
        """The hit points that a side's blows do to each enemy, each blow parried in full (R86, R154)."""
        me, foe = self.armies[side], self.armies[other(side)]
        mine, theirs = (self._totals(army, battles) for army in (me, foe))
        rows = np.arange(len(battles))
        done = np.zeros((len(battles), len(foe.figures)), int)
        for figure in range(len(me.figures)):
            target = aims[:, figure]
            dice, again = ((a[:, figure], b[rows, target]) for a, b in zip(mine, theirs, strict=True))
            points = melee_points((me.close[figure], foe.close[target]), dice, again)
            done[rows, target] += np.where(target == NOBODY, 0, points)
            if self.log and target[0] != NOBODY:
                name, n = foe.figures[target[0]].name, int(points[0])
                words = ngettext(
                    "{side}: {figure} strikes at {target}: {die} against {other}, {n} hit point",
                    "{side}: {figure} strikes at {target}: {die} against {other}, {n} hit points",
                    n,
                )
                self._log_event(words, side, figure, target=name, n=n, die=int(dice[0][0]), other=int(dice[1][0]))
        return done

    def _totals(self, army: Army, battles: Array) -> tuple[Array, Array]:
        """The dice of all figures of a side in melee, and those of ties; 1 to 3 of the injured count as 1 (R87)."""
        figures = range(len(army.figures))
        dice, again = (
            np.stack([self._roll(army, figure, name, battles) for figure in figures], axis=1)
            for name in ("melee", "melee again")
        )
        return np.where(army.injured[battles] & (dice <= 3), 1, dice), again

    # ---------------------------------------------------------------- words, of a single battle

    def _log_event(self, message: Message, side: Side, figure: int, **values: str | int) -> None:
        if self.log:
            combatant = self.armies[side].figures[figure]
            self.log(message.format(side=side_of(combatant), figure=combatant.name, **values))

    def _log_shot(self, side: Side, figure: int, target: int, *, points: int, die: int) -> None:
        name = self.armies[other(side)].figures[target].name
        words = _("{side}: {figure} shoots at {target}: {die}, {points} hit points")
        if self.armies[side].figures[figure].element.fire == "burst":
            words = _("{side}: {figure} shoots at {target}: a burst, {points} hit points")
        self._log_event(words, side, figure, target=name, die=die, points=points)

    def _log_miss(self, side: Side, figure: int, miss: int, check: int) -> None:
        if miss > 1:
            self._log_event(_("{side}: {figure} misses clean: {die}"), side, figure, die=miss)
        else:
            loaded = self.armies[side].loaded[0, figure]
            words = _("{side}: {figure} checks its ammunition: {die}, passed")
            spent = _("{side}: {figure} checks its ammunition: {die}, none left")
            self._log_event(words if loaded else spent, side, figure, die=check)
