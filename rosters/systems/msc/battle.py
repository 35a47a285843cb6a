"""Battles of Minimal Space Combat, many at once: ships on a hex map without edges, by two ways to play.

Rulebook: Minimal Space Combat, Timothy Swenson; rules 4 to 7 and the solo rules. The readings R51, R52 and R110 to R122
are those of docs/odds.md and docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby, product
from typing import Any

import numpy as np

from rosters.core.messages import Message, _
from rosters.core.odds import SIDES, Side, other
from rosters.core.simulation import Array, Dice, Forces, Ground, Outcome, Tell
from rosters.systems.msc import rules
from rosters.systems.msc.odds import hit_chance, weapons_of
from rosters.systems.msc.rules import Element
from rosters.systems.msc.tables import RANGE_MODIFIERS, SIDE_NAMES, SOLO_MOVEMENT, SOLO_TARGETS

ROLLS: Mapping[str, int] = {
    "nearest friend": 0,
    "nearest enemy": 1,
    "side of the friend": 2,
    "side of the enemy": 3,
    "order": 4,
    "target": 10,
    "to hit": 20,
    "damage": 30,
    "initiative": 100,
}
"""The number of each roll. Target, to hit and damage add that of the weapon, F 0 to RR 4.

Initiative is a die of each side's first ship, even if that is destroyed, and adds 1 for each tie before.
"""

POLICIES = ("solo", "hunt")
TURNS = 30
"""The turns of a battle; the Ship Turn Record has as many."""
START_DISTANCE, START_SPEED, SPACING = 12, 3, (-1, 2)
MAX_SPEED = max(SOLO_MOVEMENT)
"""A larger ENGINE moves no faster: the solo tables end there (R112)."""

# ---------------------------------------------------------------- hexes
# A hex is (q, r); the third coordinate is −q − r. Directions and sides count clockwise, sides from the bow.

DIRECTIONS = np.array([(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)])
FACINGS: Mapping[Side, int] = {"a": 2, "b": 5}
CLOCKWISE = ("F", "FR", "RR", "R", "RL", "FL")
LANES = [rules.SIDES.index(side) if side in rules.SIDES else len(rules.SIDES) for side in CLOCKWISE]
"""For each side the number of its weapon; the rear has the number of none."""

REACH = RANGE_MODIFIERS[-1][0]
EDGE = REACH + 1
WIDTH = 2 * EDGE + 1
CELLS = WIDTH * WIDTH
"""Ways from one hex to another are numbered within a square; all that leave it are farther than any shot."""
WAYS = np.array([*product(range(-EDGE, EDGE + 1), repeat=2)])
FAR = 10_000
"""Where a destroyed ship is put: out of every range and sight."""

LANE = np.uint64(0xFF)
ALL_LANES = np.uint64(0x01010101_01010101)
"""Weapons are bytes of one number: a product with this has the sum of all bytes on top."""
TOP = np.uint64(56)


def _dot(way: Array, along: Array) -> Array:
    """The scalar product of two ways in hexes, times a constant."""
    q, r, other_q, other_r = way[..., 0], way[..., 1], along[..., 0], along[..., 1]
    return q * other_q + r * other_r + (q + r) * (other_q + other_r)


def _length(q: Array, r: Array) -> Array:
    """The length of a way in hexes."""
    return np.maximum(np.maximum(abs(q), abs(r)), abs(q + r))


def _number(q: Array, r: Array) -> Array:
    """The number of a way in the square; the way back has CELLS − 1 less that number."""
    q, r = (np.minimum(np.maximum(each, -EDGE), EDGE) for each in (q, r))  # np.clip takes longer
    return q * WIDTH + r + CELLS // 2


def _sum(weapons: Array) -> Array:
    """The sum of the bytes of numbers."""
    return (weapons * ALL_LANES >> TOP).astype(int)


def _lane(weapon: Array | int) -> Array:
    """The byte of a weapon."""
    return LANE << np.asarray(8 * weapon, np.uint64)


LENGTHS = _length(WAYS[:, 0], WAYS[:, 1])
RIGHTS = np.array([DIRECTIONS[(facing + 1) % 6] + DIRECTIONS[(facing + 2) % 6] for facing in range(6)])


def _bearings() -> tuple[Array, Array]:
    """The weapons that bear on a way, and the number of the weapon where a hit from there strikes, by facing and way.

    A way belongs to the side whose direction has the greatest scalar product with it, on a tie to both (R116).
    """
    bears, struck = np.zeros((6, CELLS), np.uint64), np.zeros((6, CELLS), int)
    products = _dot(WAYS[:, None], DIRECTIONS)
    within = (products == products.max(axis=1, keepdims=True)) & (LENGTHS <= REACH)[:, None]
    for facing in range(6):
        for side in (3, 4, 2, 5, 1, 0):  # the bow last, so that on a tie the side nearer to it is struck
            here = within[:, (facing + side) % 6]
            struck[facing, here] = LANES[side]
            if LANES[side] < len(rules.SIDES):
                bears[facing, here] |= LANE << np.uint64(8 * LANES[side])
    return bears.ravel(), struck.ravel()


def _sights() -> Array:
    """By the way to a target and the way to another ship, how that ship blocks the line of sight (R117).

    Bit 0: the line crosses its hex. Bits 1 and 2, 3 and 4, 5 and 6: it is to the left or right of an edge that the line
    runs along.
    """
    corners = 3 * WAYS[:, None] + DIRECTIONS + np.roll(DIRECTIONS, 1, axis=0)
    target, hexes = WAYS[:, None], WAYS[None]
    turns = target[..., None, 0] * corners[None, ..., 1] - target[..., None, 1] * corners[None, ..., 0]
    low, high = turns.min(axis=2), turns.max(axis=2)
    along = _dot(target, hexes)
    between = (along > 0) & (along < _dot(target, target)) & (LENGTHS <= REACH)[:, None]
    edge = between & ((low == 0) | (high == 0)) & ((turns == 0).sum(axis=2) == 2)
    pair = along // np.maximum(3 * LENGTHS[:, None], 1)
    bit = np.where(edge, 1 + 2 * pair + (high == 0), 0)
    codes: Array = np.where(between & (low < 0) & (high > 0) | edge, 1 << bit, 0).astype(np.uint8)
    return codes


BEARS, STRUCK = _bearings()
SIGHTS = _sights()
BLOCKED = np.array([bool(code & 1 or code & code >> 1 & 0b101010) for code in range(256)])


# ---------------------------------------------------------------- orders


def _orders() -> Iterator[str]:
    """Every legal order, F a hex forward, by SPEED and then F before L before R; no two turns in a row (rule 6)."""
    for speed in range(MAX_SPEED + 1):
        for steps in product("FLR", repeat=speed):
            order = "".join(steps)
            if not any(turns in order for turns in ("LL", "LR", "RL", "RR")):
                yield order


ORDERS = (*_orders(),)
SPEEDS = np.array([len(order) for order in ORDERS])


def notation(order: str) -> str:
    """An order as players write it: FFLF is 2L1."""
    return "".join(str(len([*run])) if step == "F" else step for step, run in groupby(order))


NOTATIONS = [notation(order) for order in ORDERS]
SOLO = np.array(
    [
        [[NOTATIONS.index(order) for order in row] for row in SOLO_MOVEMENT.get(speed, [("",) * 4] * 6)]
        for speed in range(MAX_SPEED + 1)
    ]
)
"""The order by SPEED, die less 1, and column of the solo movement table."""
PICKS = np.array([[0 if two == "N" else 1, "NMF".index(three)] for two, three in SOLO_TARGETS])
"""The place by distance of the target of two and of three, by die less 1."""


def _paths() -> tuple[Array, Array, Array]:
    """Where each order ends, by the facing at its start: q, r and facing."""
    ends = np.zeros((3, 6, len(ORDERS)), int)
    for facing, (number, order) in product(range(6), enumerate(ORDERS)):
        q, r, now = 0, 0, facing
        for step in order:
            if step == "F":
                q, r = q + DIRECTIONS[now][0], r + DIRECTIONS[now][1]
            else:
                now = (now + (1 if step == "R" else -1)) % 6
        ends[:, facing, number] = q, r, now
    return ends[0], ends[1], ends[2]


PATH_Q, PATH_R, PATH_FACING = _paths()


@cache
def _needed(to_hit: int) -> Array:
    """The highest roll that hits, by the way to the target (R51)."""
    return np.array([6 * hit_chance(to_hit, int(length)) for length in LENGTHS], int)


@cache
def _scores(to_hit: int) -> Array:
    """The highest roll that hits of each weapon that bears, as bytes, by facing and way."""
    return BEARS & np.tile(_needed(to_hit).astype(np.uint64) * ALL_LANES, 6)


# ---------------------------------------------------------------- the battle


def takes_part(element: Element) -> bool:
    """Whether a ship has SHIELD; others are destroyed before the battle (R110)."""
    return element.shield > 0


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """None: every ship can fight."""
    yield from ()


def fight(forces: Forces, dice: Dice, policies: Mapping[Side, str], ground: Ground, tell: Tell | None) -> Outcome:
    """Fight all battles of the dice; on a fixed ground nobody moves."""
    battles = Battles(forces, dice, policies, START_DISTANCE if ground.distance is None else ground.distance, tell)
    return battles.play(TURNS if ground.turns is None else ground.turns, ground.distance is None)


@dataclass
class Ships:
    """The ships of the battles that go on, as arrays: battles on the first axis, ships on the second, A's first."""

    battle: Array
    q: Array
    r: Array
    facing: Array
    speed: Array
    engine: Array
    shield: Array
    weapons: Array
    """The weapons that work, as bytes of one number, in the order of `rules.SIDES`."""

    def kept(self, rows: Array) -> Ships:
        """The ships of some of the battles."""
        return Ships(*(getattr(self, field.name)[rows] for field in fields(self)))


class Battles:
    """Battles of two forces: what never changes, and their ships now. A ship is known by its place in `_ships`."""

    def __init__(self, forces: Forces, dice: Dice, policies: Mapping[Side, str], distance: int, tell: Tell | None):
        self._dice, self._policies, self._tell = dice, policies, tell
        self._ships = [*forces["a"], *forces["b"]]
        first = len(forces["a"])
        self._of: Mapping[Side, range] = {"a": range(first), "b": range(first, len(self._ships))}
        self._side: list[Side] = [side for side in SIDES for _ship in self._of[side]]
        designs = [weapons_of(ship.element) for ship in self._ships]
        self._weapons = [[weapon for weapon, side in enumerate(rules.SIDES) if side in each] for each in designs]
        self._top_speed = [min(max(ship.element.engine, 0), MAX_SPEED) for ship in self._ships]
        self._points = np.array([ship.points for ship in self._ships])
        self._now = self._start(distance)
        self._outcome = Outcome(*(np.zeros(dice.battles, int) for _field in Outcome._fields))

    def _start(self, distance: int) -> Ships:
        """Two lines that face each other, ships 2 hexes apart, the first on the left of its side (R111)."""
        spots = {side: [spot - len(ships) // 2 for spot in range(len(ships))] for side, ships in self._of.items()}
        steps = [*spots["a"], *spots["b"][::-1]]
        elements: list[Element] = [ship.element for ship in self._ships]
        weapons = [[int(LANE) << 8 * weapon for weapon in each] for each in self._weapons]
        rows: list[list[Any]] = [
            [step * SPACING[0] + distance * (side == "b") for side, step in zip(self._side, steps, strict=True)],
            [step * SPACING[1] for step in steps],
            [FACINGS[side] for side in self._side],
            [min(START_SPEED, speed) for speed in self._top_speed],
            [max(element.engine, 0) for element in elements],
            [element.shield for element in elements],
        ]
        columns = [*map(np.array, rows), np.array([sum(each) for each in weapons], np.uint64)]
        battles = np.arange(self._dice.battles)
        return Ships(battles, *(np.tile(column, (len(battles), 1)) for column in columns))

    def play(self, turns: int, moving: bool) -> Outcome:
        """Fight to the end, or for a number of turns."""
        for turn in range(1, turns + 1):
            self._say(_("Turn {turn}"), turn=turn)
            if moving:
                self._move(turn)
            self._combat(turn)
            self._end(turn, turn == turns)
            if not self._now.battle.size:
                break
        return self._outcome

    def _end(self, turn: int, last: bool) -> None:
        """Take out the battles in which a side has no ships, after the last turn all; more BP left win (R120)."""
        alive = self._now.shield > 0
        (a, a_left), (b, b_left) = (
            (alive[:, part].sum(axis=1), alive[:, part] @ self._points[part]) for part in self._of.values()
        )
        over = (a == 0) | (b == 0) | last
        winner = np.where((a > 0) & (b > 0), np.sign(a_left - b_left), np.sign(a - b))
        for whole, part in zip(self._outcome, (winner, np.full_like(a, turn), a_left, b_left), strict=True):
            whole[self._now.battle[over]] = part[over]
        self._now = self._now.kept(~over)

    def _die(self, turn: int, ship: int, roll: str, weapon: int = 0) -> Array:
        """A die of a ship in each battle."""
        return self._dice.roll(turn, self._ships[ship].number, ROLLS[roll] + weapon)[self._now.battle]

    # ---------------------------------------------------------------- movement

    def _move(self, turn: int) -> None:
        """All ships plot their orders by what they see now, then all move (rule 6, R122)."""
        now = self._now
        plotted = [self._plot(turn, ship) for ship in range(len(self._ships))]
        for ship, orders in enumerate(plotted):
            facing = now.facing[:, ship]
            now.q[:, ship] += PATH_Q[facing, orders]
            now.r[:, ship] += PATH_R[facing, orders]
            now.facing[:, ship] = PATH_FACING[facing, orders]
            now.speed[:, ship] = SPEEDS[orders]
            if self._tell and now.shield[0, ship] > 0:
                order = notation(ORDERS[orders[0]]) or _("stays")
                self._say(
                    _("{ship}: SPEED {speed}, {order}"),
                    ship=self._name(ship),
                    speed=int(SPEEDS[orders[0]]),
                    order=order,
                )

    def _plot(self, turn: int, ship: int) -> Array:
        """The order of a ship by the policy of its side."""
        return (self._solo if self._policies[self._side[ship]] == "solo" else self._hunt)(turn, ship)

    def _hunt(self, turn: int, ship: int) -> Array:
        """The legal order with the most own hits less those of the enemies, then the nearest, the first (R113, R115).

        An enemy is where it is now. Each weapon of the ship counts at the target that it hits most easily, those of the
        enemies all; sight does not count.
        """
        now = self._now
        count = int(np.searchsorted(SPEEDS, self._top_speed[ship], "right"))
        speed, engine = now.speed[:, ship, None], np.minimum(now.engine[:, ship, None], self._top_speed[ship])
        slowest, fastest = (np.minimum(speed + change * (turn > 1), engine) for change in (-1, 1))  # R111
        legal = (SPEEDS[:count] >= slowest) & (SPEEDS[:count] <= fastest)
        facing = now.facing[:, ship]
        q = now.q[:, ship, None] + PATH_Q[facing, :count]
        r = now.r[:, ship, None] + PATH_R[facing, :count]
        ahead = PATH_FACING[facing, :count] * CELLS
        own, theirs, nearest = np.zeros(q.shape, np.uint64), np.zeros(q.shape, int), np.full(q.shape, FAR)
        for enemy in self._of[other(self._side[ship])]:
            way_q, way_r = now.q[:, enemy, None] - q, now.r[:, enemy, None] - r
            np.minimum(nearest, _length(way_q, way_r), out=nearest)
            way = _number(way_q, way_r)
            aimed = _scores(self._ships[ship].element.to_hit)[ahead + way]
            np.maximum(own.view(np.uint8), aimed.view(np.uint8), out=own.view(np.uint8))
            back = now.facing[:, enemy, None] * CELLS + CELLS - 1 - way
            theirs += _sum(_scores(self._ships[enemy].element.to_hit)[back] & now.weapons[:, enemy, None])
        gain = _sum(own & now.weapons[:, ship, None]) - theirs
        return np.where(legal, gain * FAR - nearest, -FAR * FAR).argmax(axis=1)

    def _solo(self, turn: int, ship: int) -> Array:
        """The order by the solo movement table, SPEED one up to ENGINE (R111, R114)."""
        side = self._side[ship]
        friends = [each for each in self._of[side] if each != ship]
        enemy, _distance = self._direction(turn, ship, [*self._of[other(side)]], "enemy")
        friend, distance = self._direction(turn, ship, friends, "friend") if friends else (enemy, enemy + FAR)
        column = 2 * np.where(distance < FAR // 2, friend, enemy) + enemy
        die = self._die(turn, ship, "order")
        speed = np.minimum(self._now.speed[:, ship] + (turn > 1), np.minimum(self._now.engine[:, ship], MAX_SPEED))
        if self._tell and self._now.shield[0, ship] > 0:
            self._say(_("{ship} rolls {die} for its order."), ship=self._name(ship), die=int(die[0]))
        return SOLO[speed, die - 1, column]

    def _direction(self, turn: int, ship: int, others: list[int], whom: str) -> tuple[Array, Array]:
        """Whether the nearest of other ships is to the right, 1 or 0, and how far away it is.

        Of several that are as near an odd die takes the first, an even one the last; dead ahead or astern an odd die is
        left (R114).
        """
        now = self._now
        rows = np.arange(len(now.battle))
        way_q, way_r = now.q[:, others] - now.q[:, ship, None], now.r[:, others] - now.r[:, ship, None]
        distance = _length(way_q, way_r)
        near = distance == distance.min(axis=1, keepdims=True)
        first, last = near.argmax(axis=1), len(others) - 1 - near[:, ::-1].argmax(axis=1)
        odd = self._die(turn, ship, f"nearest {whom}") % 2 == 1
        chosen = np.where(odd, first, last)
        way = np.stack([way_q[rows, chosen], way_r[rows, chosen]], axis=1)
        across = _dot(way, RIGHTS[now.facing[:, ship]])
        even = self._die(turn, ship, f"side of the {whom}") % 2 == 0
        return np.where(across == 0, even, across > 0).astype(int), distance[rows, chosen]

    # ---------------------------------------------------------------- combat

    def _combat(self, turn: int) -> None:
        """Both sides fire, the winner of the initiative first (rule 7, R121)."""
        a_first = self._initiative(turn)
        for a_fires in (a_first, ~a_first):
            for ship, side in enumerate(self._side):
                rows = np.flatnonzero(a_fires == (side == "a"))
                for weapon in self._weapons[ship]:
                    self._fire(turn, ship, weapon, rows)

    def _initiative(self, turn: int) -> Array:
        """Whether A wins the initiative; ties roll again."""
        a, b = np.zeros((2, len(self._now.battle)), int)
        again = 0
        while (tied := a == b).any():
            a, b = (
                np.where(tied, self._die(turn, self._of[side][0], "initiative", again), dice)
                for side, dice in zip(SIDES, (a, b), strict=True)
            )
            again += 1
            if self._tell:
                self._say(_("Initiative: A rolls {a}, B rolls {b}."), a=int(a[0]), b=int(b[0]))
        return a > b

    def _fire(self, turn: int, ship: int, weapon: int, rows: Array) -> None:
        """Fire one weapon in the battles where it works and has a target. A destroyed ship has no weapons."""
        rows = rows[self._now.weapons[rows, ship] & _lane(weapon) != 0]
        if not rows.size:
            return
        distances = self._targets(ship, weapon, rows)
        some = (distances < FAR).any(axis=1)
        rows, distances = rows[some], distances[some]
        if rows.size:
            if self._policies[self._side[ship]] == "solo":
                chosen = self._choose(turn, ship, weapon, rows, distances)
            else:
                chosen = distances.argmin(axis=1)  # R118
            self._hit(turn, ship, weapon, rows, chosen + self._of[other(self._side[ship])].start)

    def _targets(self, ship: int, weapon: int, rows: Array) -> Array:
        """The distance of each enemy that a weapon can fire at, FAR for the others."""
        now, enemies = self._now, self._of[other(self._side[ship])]
        hexes = slice(enemies.start, enemies.stop)
        q, r = now.q[rows, ship, None], now.r[rows, ship, None]
        ways = _number(now.q[rows, hexes] - q, now.r[rows, hexes] - r)
        seen = BEARS[now.facing[rows, ship, None] * CELLS + ways] & _lane(weapon) != 0
        row, enemy = np.nonzero(seen)
        if row.size and len(self._ships) > 2:
            others = _number(now.q[rows] - q, now.r[rows] - r)
            codes = SIGHTS[ways[row, enemy, None], others[row]]
            seen[row, enemy] = ~BLOCKED[np.bitwise_or.reduce(codes, axis=1)]
        return np.where(seen, LENGTHS[ways], FAR)

    def _choose(self, turn: int, ship: int, weapon: int, rows: Array, distances: Array) -> Array:
        """The target by the attack table among the nearest three (R119)."""
        number = (distances < FAR).sum(axis=1)
        die = self._die(turn, ship, "target", weapon)[rows]
        place = np.where(number > 1, PICKS[die - 1, np.clip(number, 2, 3) - 2], 0)
        if self._tell and number[0] > 1:
            self._say(_("{ship} rolls {die} for its target."), ship=self._name(ship), die=int(die[0]))
        chosen: Array = np.argsort(distances, axis=1, kind="stable")[np.arange(len(rows)), place]
        return chosen

    def _hit(self, turn: int, ship: int, weapon: int, rows: Array, targets: Array) -> None:
        """Roll to hit and for damage, which takes effect at once (R51, R52)."""
        now = self._now
        way = _number(now.q[rows, targets] - now.q[rows, ship], now.r[rows, targets] - now.r[rows, ship])
        needed = _needed(self._ships[ship].element.to_hit)[way]
        die = self._die(turn, ship, "to hit", weapon)[rows]
        if self._tell:
            self._tell_shot(ship, weapon, targets[0], (LENGTHS[way[0]], needed[0], die[0]))
        hit = die <= needed
        rows, targets, way = rows[hit], targets[hit], way[hit]
        if rows.size:
            self._damage(rows, targets, way, self._die(turn, ship, "damage", weapon)[rows])

    def _damage(self, rows: Array, targets: Array, way: Array, die: Array) -> None:
        """Damage the targets that were hit from a way; those without SHIELD leave the map."""
        now = self._now
        lane = _lane(STRUCK[now.facing[rows, targets] * CELLS + CELLS - 1 - way])
        weapon_lost = (die == 6) & (now.weapons[rows, targets] & lane != 0)
        engine_lost = (die == 5) & (now.engine[rows, targets] > 0)
        now.weapons[rows, targets] &= np.where(weapon_lost, ~lane, ~np.uint64(0))
        now.engine[rows, targets] -= engine_lost
        now.shield[rows, targets] -= ~(weapon_lost | engine_lost)
        if self._tell:
            self._tell_damage(targets[0], die[0], weapon_lost[0], engine_lost[0])
        dead = now.shield[rows, targets] == 0
        now.q[rows[dead], targets[dead]] = FAR
        now.weapons[rows[dead], targets[dead]] = 0

    # ---------------------------------------------------------------- words, of a single battle

    def _say(self, message: Message, **values: Any) -> None:
        if self._tell:
            self._tell(message.format(**values) if values else message)

    def _name(self, ship: int) -> Message:
        """A ship with its side: both may have ships of one name."""
        return _("{ship} ({side})").format(ship=self._ships[ship].name, side=self._side[ship].upper())

    def _tell_shot(self, ship: int, weapon: int, target: int, numbers: tuple[int, int, int]) -> None:
        hexes, needed, die = map(int, numbers)
        message = (
            _("{ship}, {weapon}, at {target}, {hexes} hexes: {die}, hits on {needed} or less, hit.")
            if die <= needed
            else _("{ship}, {weapon}, at {target}, {hexes} hexes: {die}, hits on {needed} or less, missed.")
        )
        names = {"ship": self._name(ship), "weapon": SIDE_NAMES[rules.SIDES[weapon]], "target": self._name(target)}
        self._say(message, **names, hexes=hexes, needed=needed, die=die)

    def _tell_damage(self, target: int, die: int, weapon_lost: bool, engine_lost: bool) -> None:
        message = _("Damage {die}: {target} loses SHIELD, {left} left.")
        if weapon_lost:
            message = _("Damage {die}: {target} loses the weapon on the side hit.")
        elif engine_lost:
            message = _("Damage {die}: {target} loses ENGINE.")
        left = int(self._now.shield[0, target])
        self._say(message, die=int(die), target=self._name(target), left=left)
        if not left:
            self._say(_("{target} is destroyed."), target=self._name(target))
