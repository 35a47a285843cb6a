"""Battles of Minimal Space Combat, many at once: ships on a hex map without edges, by two ways to play.

Rulebook: Minimal Space Combat, Timothy Swenson; rules 4 to 7 and the solo rules. The readings R51, R52 and R110 to R122
are those of docs/odds.md and docs/balance.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby, product
from typing import Any, NamedTuple

import numpy as np

from rosters.core import simulation
from rosters.core.messages import Message, _
from rosters.core.odds import D6, SIDES, Side, other
from rosters.core.simulation import Array, Battlefield, Dice, Forces, Log, Outcome, in_play
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
ORDER = _("Ships start and fire in the order of the roster. One ship fewer gives the others other places and targets.")
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
WEAPON_NUMBERS = [rules.SIDES.index(side) if side in rules.SIDES else len(rules.SIDES) for side in CLOCKWISE]
"""For each side the number of its weapon; the rear has the number of none."""

REACH = RANGE_MODIFIERS[-1][0]
EDGE = REACH + 1
WIDTH = 2 * EDGE + 1
CELLS = WIDTH * WIDTH
"""Offsets from one hex to another are numbered within a square; those outside it are farther than any shot."""
OFFSETS = np.array([*product(range(-EDGE, EDGE + 1), repeat=2)])
AT_ONCE = 4
"""Ships that plot their orders at once: more take more memory."""
FAR = 10_000
"""Where a destroyed ship is put: out of every range and sight."""

FIELD_BITS = len(D6)
FIELD_MASK = (1 << FIELD_BITS) - 1
ALL_FIELDS = sum(1 << FIELD_BITS * weapon for weapon in range(len(rules.SIDES)))
"""Weapons are bit fields of one number, each of as many bits as a die has faces. A chance to hit is as many bits as
faces hit: of two chances the better one is ``|``, and the sum over all weapons is the number of bits.
"""


def _dot(offset: Array, along: Array) -> Array:
    """The scalar product of two offsets in hexes, times a constant."""
    q, r, other_q, other_r = offset[..., 0], offset[..., 1], along[..., 0], along[..., 1]
    return q * other_q + r * other_r + (q + r) * (other_q + other_r)


def _length(q: Array, r: Array) -> Array:
    """The length of an offset in hexes."""
    return np.maximum(np.maximum(abs(q), abs(r)), abs(q + r))


def _number(q: Array, r: Array) -> Array:
    """The number of an offset in the square; the opposite offset has CELLS − 1 less that number."""
    q, r = (np.minimum(np.maximum(each, -EDGE), EDGE) for each in (q, r))  # np.clip takes longer
    return q * WIDTH + r + CELLS // 2


FIELD_OF = np.array([*(FIELD_MASK << FIELD_BITS * weapon for weapon in range(len(rules.SIDES))), 0], np.uint32)
"""The field of each weapon, and of none."""


LENGTHS = _length(OFFSETS[:, 0], OFFSETS[:, 1])
RIGHTS = np.array([DIRECTIONS[(facing + 1) % 6] + DIRECTIONS[(facing + 2) % 6] for facing in range(6)])


def _bearings() -> tuple[Array, Array]:
    """By facing and offset, the weapons that bear there, and the weapon that a hit from there strikes, as fields.

    An offset belongs to the side whose direction has the greatest scalar product with it, on a tie to both (R116).
    """
    bears, struck = np.zeros((2, 6, CELLS), np.uint32)
    products = _dot(OFFSETS[:, None], DIRECTIONS)
    within = (products == products.max(axis=1, keepdims=True)) & (LENGTHS <= REACH)[:, None]
    for facing in range(6):
        for side in (3, 4, 2, 5, 1, 0):  # the bow last, so that on a tie the side nearer to it is struck
            here = within[:, (facing + side) % 6]
            struck[facing, here] = FIELD_OF[WEAPON_NUMBERS[side]]
            bears[facing, here] |= FIELD_OF[WEAPON_NUMBERS[side]]
    return bears.ravel(), struck.ravel()


def _sights() -> Array:
    """By the offset to a target and the offset to another ship, how that ship blocks the line of sight (R117).

    Bit 0: the line crosses its hex. Bits 1 and 2, 3 and 4, 5 and 6: it is to the left or right of an edge that the line
    runs along.
    """
    corners = 3 * OFFSETS[:, None] + DIRECTIONS + np.roll(DIRECTIONS, 1, axis=0)
    target, hexes = OFFSETS[:, None], OFFSETS[None]
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
    ends = np.zeros((3, 6, len(ORDERS)), np.int16)
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
TURNED = np.arange(-5, 6) % 6
"""How far one facing is to the right of another, by their difference plus 5."""
ILLEGAL = np.array(
    [FAR * ((least > SPEEDS) | (most < SPEEDS)) for least, most in product(range(MAX_SPEED + 1), repeat=2)], np.int16
)
"""FAR for each order that is slower or faster than allowed, by the least and the highest SPEED."""


@cache
def _highest_hits(to_hit: int) -> Array:
    """The highest roll that hits, by the offset to the target (R51)."""
    return np.array([6 * hit_chance(to_hit, int(length)) for length in LENGTHS], int)


def _chances(to_hit: int) -> Array:
    """The chance to hit of each weapon that bears, by facing and offset."""
    faces = (1 << _highest_hits(to_hit)) - 1
    return BEARS & np.tile(faces * ALL_FIELDS, 6).astype(np.uint32)


# The spot of an enemy is the offset to it from a ship that plots, within a larger square, turned to the ship's facing.

SPOT_EDGE = EDGE + MAX_SPEED
SPOT_WIDTH = 2 * SPOT_EDGE + 1
SPOT_OFFSETS = np.array([*product(range(-SPOT_EDGE, SPOT_EDGE + 1), repeat=2)])
SPOTS = len(SPOT_OFFSETS)


def _spot(q: Array, r: Array) -> Array:
    """The number of an offset in the larger square."""
    q, r = (np.minimum(np.maximum(each, -SPOT_EDGE), SPOT_EDGE) for each in (q, r))
    return q * SPOT_WIDTH + r + SPOTS // 2


def _turned_spots() -> Array:
    """The spot by facing of the ship and offset; those that the larger square does not hold are out of range anyway."""
    axes = [np.linalg.inv([DIRECTIONS[(facing + 2) % 6], DIRECTIONS[(facing + 3) % 6]]) for facing in range(6)]
    return np.stack([_spot(*(SPOT_OFFSETS @ axis).round().astype(int).T) for axis in axes])


TURNED_SPOTS = _turned_spots()


@cache
def _own_chances(to_hit: int, orders: int) -> Array:
    """The chances of a ship to hit an enemy after each order, by spot."""
    q, r = (SPOT_OFFSETS[:, None, axis] - path[0, :orders] for axis, path in enumerate((PATH_Q, PATH_R)))
    return _chances(to_hit)[PATH_FACING[0, :orders] * CELLS + _number(q, r)]


@cache
def _their_chances(to_hit: int, orders: int) -> Array:
    """The chances of an enemy to hit a ship after each of its orders, by facing of the enemy and spot."""
    q, r = (path[0, :orders] - SPOT_OFFSETS[:, None, axis] for axis, path in enumerate((PATH_Q, PATH_R)))
    chances = _chances(to_hit)
    return np.concatenate([chances[facing * CELLS + _number(q, r)] for facing in range(6)])


# ---------------------------------------------------------------- the battle


def takes_part(element: Element) -> bool:
    """Whether a ship has SHIELD; others are destroyed before the battle (R110)."""
    return element.shield > 0


def problems(element: Element) -> Iterator[tuple[str, Message]]:
    """None: every ship can fight."""
    yield from ()


def fight(
    forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
) -> Outcome:
    """Fight all battles of the dice; on a fixed ground nobody moves."""
    distance = START_DISTANCE if battlefield.distance is None else battlefield.distance
    battles = Battles(forces, dice, policies, distance, log)
    return battles.play(TURNS if battlefield.turns is None else battlefield.turns, battlefield.distance is None)


@dataclass
class Ships:
    """The ships of the battles that go on, A's first, as arrays: a row for each ship, a column for each battle."""

    battle: Array
    q: Array
    r: Array
    facing: Array
    speed: Array
    engine: Array
    shield: Array
    weapons: Array
    """The weapons that work, as fields of one number, in the order of `rules.SIDES`."""

    def select(self, battles: Array) -> Ships:
        """The ships of some of the battles."""
        return Ships(*(getattr(self, field.name).take(battles, axis=-1) for field in fields(self)))


class Fire(NamedTuple):
    """One weapon that fires in some battles."""

    turn: int
    ship: int
    weapon: int
    battles: Array


class Battles:
    """Battles of two forces: what never changes, and their ships now. A ship is known by its place in `_ships`."""

    def __init__(self, forces: Forces, dice: Dice, policies: Mapping[Side, str], distance: int, log: Log | None):
        self._dice, self._policies, self._log = dice, policies, log
        self._ships = [*forces["a"], *forces["b"]]
        first = len(forces["a"])
        self._of: Mapping[Side, range] = {"a": range(first), "b": range(first, len(self._ships))}
        self._side: list[Side] = [side for side in SIDES for _ship in self._of[side]]
        designs = [weapons_of(ship.element) for ship in self._ships]
        self._weapons = [[weapon for weapon, side in enumerate(rules.SIDES) if side in each] for each in designs]
        self._top_speed = np.array([min(max(ship.element.engine, 0), MAX_SPEED) for ship in self._ships])
        self._alike = {side: [*self._groups(ships)] for side, ships in self._of.items()}
        self._points = np.array([ship.points for ship in self._ships])
        self._now = self._start(distance)
        self._outcome = Outcome(*(np.zeros(dice.battles, int) for _field in Outcome._fields))

    def _groups(self, ships: range) -> Iterator[Array]:
        """The ships of a side that plot at once: as many of one TO-HIT as memory allows."""
        by_to_hit = sorted(ships, key=lambda ship: self._ships[ship].element.to_hit)
        for _to_hit, alike in groupby(by_to_hit, key=lambda ship: self._ships[ship].element.to_hit):
            every = np.array([*alike])
            yield from (every[n : n + AT_ONCE] for n in range(0, len(every), AT_ONCE))

    def _start(self, distance: int) -> Ships:
        """Two lines that face each other, ships 2 hexes apart, the first on the left of its side (R111)."""
        spots = {side: [spot - len(ships) // 2 for spot in range(len(ships))] for side, ships in self._of.items()}
        steps = [*spots["a"], *spots["b"][::-1]]
        elements: list[Element] = [ship.element for ship in self._ships]
        rows: list[list[Any]] = [
            [step * SPACING[0] + distance * (side == "b") for side, step in zip(self._side, steps, strict=True)],
            [step * SPACING[1] for step in steps],
            [FACINGS[side] for side in self._side],
            [min(START_SPEED, speed) for speed in self._top_speed.tolist()],
            [max(element.engine, 0) for element in elements],
            [element.shield for element in elements],
        ]
        weapons = np.array([FIELD_OF[each].sum() for each in self._weapons], np.uint32)
        battles = np.arange(self._dice.battles)
        columns = [*(np.array(row, np.int32) for row in rows), weapons]
        return Ships(battles, *(np.tile(column[:, None], len(battles)) for column in columns))

    def play(self, turns: int, moving: bool) -> Outcome:
        """Fight to the end, or for a number of turns."""
        for turn in range(1, turns + 1):
            self._log_event(_("Turn {turn}"), turn=turn)
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
        if self._log:
            self._log(in_play(self._ships, alive[:, 0]))
        (a, a_left), (b, b_left) = (
            (alive[part].sum(axis=0), self._points[part] @ alive[part]) for part in self._of.values()
        )
        over = (a == 0) | (b == 0) | last
        winner = np.where((a > 0) & (b > 0), np.sign(a_left - b_left), np.sign(a - b))
        for whole, part in zip(self._outcome, (winner, np.full_like(a, turn), a_left, b_left), strict=True):
            whole[self._now.battle[over]] = part[over]
        if over.any():
            self._now = self._now.select(np.flatnonzero(~over))

    def _die(self, turn: int, ship: int, roll: str, weapon: int = 0) -> Array:
        """A die of a ship in each battle."""
        address = self._ships[ship].number, ROLLS[roll] + weapon
        return self._dice.rolls(turn, [address])[0].take(self._now.battle)

    # ---------------------------------------------------------------- movement

    def _move(self, turn: int) -> None:
        """All ships plot their orders by what they see now, then all move (rule 6, R122)."""
        now, plotted = self._now, np.zeros(self._now.speed.shape, int)
        for side, ships in self._of.items():
            if self._policies[side] == "solo":
                plotted[ships] = [self._solo(turn, ship) for ship in ships]
            else:
                for alike in self._alike[side]:
                    self._hunt(turn, alike, plotted)
        facing = now.facing.copy()
        now.q += PATH_Q[facing, plotted]
        now.r += PATH_R[facing, plotted]
        now.facing[:], now.speed[:] = PATH_FACING[facing, plotted], SPEEDS[plotted]
        if self._log:
            for ship in (now.shield[:, 0] > 0).nonzero()[0]:
                order = ORDERS[plotted[ship, 0]]
                written = notation(order) or _("stays")
                self._log_event(
                    _("{ship}: SPEED {speed}, {order}"), ship=self._name(ship), speed=len(order), order=written
                )

    def _hunt(self, turn: int, ships: Array, plotted: Array) -> None:
        """The legal order with the most own hits less those of the enemies, then the nearest, the first (R113, R115).

        An enemy is where it is now. Each weapon of the ship counts at the target that it hits most easily, those of the
        enemies all; sight does not count.
        """
        now, foes = self._now, self._of[other(self._side[ships[0]])]
        place, battle = (now.shield[ships] > 0).nonzero()
        if not battle.size:
            return
        ship = ships[place]
        facing, speed, engine, armed = (each[ship, battle] for each in (now.facing, now.speed, now.engine, now.weapons))
        engine = np.minimum(engine, self._top_speed[ship])
        slowest, fastest = (np.clip(speed + change * (turn > 1), 0, engine) for change in (-1, 1))  # R111
        top_speed = int(fastest.max())
        count = int(np.searchsorted(SPEEDS, top_speed, "right"))
        q, r, facings, weapons = (
            each[foes.start : foes.stop].take(battle, axis=1) for each in (now.q, now.r, now.facing, now.weapons)
        )
        q, r = ((theirs - own[ship, battle]).astype(np.int16) for theirs, own in ((q, now.q), (r, now.r)))
        distance = _length(q, r)
        spots = TURNED_SPOTS.take(facing * SPOTS + _spot(q, r))
        turned = TURNED.take(facings - facing + 5) * SPOTS + spots
        own, theirs = np.zeros((len(ship), count), np.uint32), np.zeros((len(ship), count), np.int16)
        mine = _own_chances(self._ships[ship[0]].element.to_hit, count)
        for enemy in (distance <= REACH + top_speed).any(axis=1).nonzero()[0]:
            own |= mine.take(spots[enemy], axis=0)
            chances = _their_chances(self._ships[foes[enemy]].element.to_hit, count).take(turned[enemy], axis=0)
            theirs += np.bitwise_count(chances & weapons[enemy, :, None])
        gain = np.bitwise_count(own & armed[:, None]) - theirs
        gain -= ILLEGAL.take(slowest * (MAX_SPEED + 1) + fastest, axis=0)[:, :count]
        row, order = (gain == gain.max(axis=1, keepdims=True)).nonzero()
        end_q, end_r = (path[facing[row], order] for path in (PATH_Q, PATH_R))
        nearest = np.full(len(row), FAR, np.int16)
        for enemy in (distance <= distance.min(axis=0) + 2 * top_speed).any(axis=1).nonzero()[0]:  # others are not
            np.minimum(nearest, _length(q[enemy].take(row) - end_q, r[enemy].take(row) - end_r), out=nearest)
        starts = np.searchsorted(row, np.arange(len(ship)))
        plotted[ship, battle] = np.minimum.reduceat(nearest * count + order, starts) % count

    def _solo(self, turn: int, ship: int) -> Array:
        """The order by the solo movement table, SPEED one up to ENGINE (R111, R114)."""
        side = self._side[ship]
        friends = [each for each in self._of[side] if each != ship]
        enemy, _distance = self._direction(turn, ship, [*self._of[other(side)]], "enemy")
        friend, distance = self._direction(turn, ship, friends, "friend") if friends else (enemy, enemy + FAR)
        column = 2 * np.where(distance < FAR // 2, friend, enemy) + enemy
        die = self._die(turn, ship, "order")
        speed = np.minimum(self._now.speed[ship] + (turn > 1), np.minimum(self._now.engine[ship], MAX_SPEED))
        if self._log and self._now.shield[ship, 0] > 0:
            self._log_event(_("{ship} rolls {die} for its order."), ship=self._name(ship), die=int(die[0]))
        return SOLO[speed, die - 1, column]

    def _direction(self, turn: int, ship: int, others: list[int], whom: str) -> tuple[Array, Array]:
        """Whether the nearest of other ships is to the right, 1 or 0, and how far away it is.

        Of several that are as near an odd die takes the first, an even one the last; dead ahead or astern an odd die is
        left (R114).
        """
        now = self._now
        way_q, way_r = (each[others] - each[ship] for each in (now.q, now.r))
        distance, battles = _length(way_q, way_r), np.arange(len(now.battle))
        near = distance == distance.min(axis=0)
        first, last = near.argmax(axis=0), len(others) - 1 - near[::-1].argmax(axis=0)
        odd = self._die(turn, ship, f"nearest {whom}") % 2 == 1
        chosen = np.where(odd, first, last), battles
        across = _dot(np.stack([way_q[chosen], way_r[chosen]], axis=1), RIGHTS[now.facing[ship]])
        even = self._die(turn, ship, f"side of the {whom}") % 2 == 0
        return np.where(across == 0, even, across > 0).astype(int), distance[chosen]

    def _offsets(self, places: Array, ship: int, battles: Array) -> Array:
        """How far all ships are from a ship in some of the battles, along an axis."""
        offsets: Array = places.take(battles, axis=1)
        return offsets - offsets[ship]

    # ---------------------------------------------------------------- combat

    def _combat(self, turn: int) -> None:
        """Both sides fire, the winner of the initiative first (rule 7, R121)."""
        a_first = self._initiative(turn)
        order: Sequence[tuple[Side, Array]]
        order = ("a", np.flatnonzero(a_first)), ("b", np.arange(len(a_first))), ("a", np.flatnonzero(~a_first))
        for side, rows in order:
            for ship in self._of[side]:
                self._fire(turn, ship, rows)

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
            if self._log:
                self._log_event(_("Initiative: Blue rolls {a}, Red rolls {b}."), a=int(a[0]), b=int(b[0]))
        return a > b

    def _fire(self, turn: int, ship: int, battles: Array) -> None:
        """Fire the weapons of a ship that work, one after the other, each in the battles where it has a target.

        A destroyed ship has none.
        """
        foes = self._of[other(self._side[ship])]
        choose = self._choose if self._policies[self._side[ship]] == "solo" else self._nearest
        battles = battles[self._now.weapons[ship, battles] != 0]
        offsets, bears = self._targets(ship, battles)
        for weapon in self._weapons[ship]:
            on = bears & FIELD_OF[weapon] != 0
            some = on.any(axis=0).nonzero()[0]
            if not some.size:
                continue
            fire, in_range = Fire(turn, ship, weapon, battles[some]), offsets[foes.start : foes.stop].take(some, axis=1)
            target = choose(fire, np.where(on.take(some, axis=1), LENGTHS.take(in_range), FAR)) + foes.start
            dead = some[self._hit(fire, target, offsets[target, some])]
            if dead.size and weapon != self._weapons[ship][-1]:  # who was behind them is seen now
                offsets[:, dead], bears[:, dead] = self._targets(ship, battles[dead])

    def _targets(self, ship: int, battles: Array) -> tuple[Array, Array]:
        """The offsets of all ships from a ship in some battles, and its weapons that bear on each enemy in sight."""
        now, foes = self._now, self._of[other(self._side[ship])]
        offsets = _number(*(self._offsets(each, ship, battles) for each in (now.q, now.r)))
        bears = BEARS.take(now.facing[ship, battles] * CELLS + offsets[foes.start : foes.stop])
        bears &= now.weapons[ship, battles]
        if len(self._ships) > 2:
            enemy, place = bears.nonzero()
            blocked = self._is_blocked(offsets.take(place, axis=1), offsets[enemy + foes.start, place])
            bears[enemy[blocked], place[blocked]] = 0
        return offsets, bears

    def _is_blocked(self, offsets: Array, target: Array) -> Array:
        """Whether other ships, on these offsets, block the line of sight along the offset to a target (R117)."""
        blocked: Array = BLOCKED[np.bitwise_or.reduce(SIGHTS.take(target * CELLS + offsets), axis=0)]
        return blocked

    def _nearest(self, _fire: Fire, distances: Array) -> Array:
        """The nearest enemy that is seen, the first of the roster if several are (R118)."""
        number = len(distances)
        keys = distances * number + np.arange(number)[:, None]
        nearest: Array = keys.min(axis=0) % number  # argmin takes three times as long
        return nearest

    def _choose(self, fire: Fire, distances: Array) -> Array:
        """The target by the attack table among the nearest three that are seen (R119); others are FAR."""
        number = (distances < FAR).sum(axis=0)
        die = self._die(fire.turn, fire.ship, "target", fire.weapon)[fire.battles]
        place = np.where(number > 1, PICKS[die - 1, np.clip(number, 2, 3) - 2], 0)
        if self._log and number[0] > 1:
            self._log_event(_("{ship} rolls {die} for its target."), ship=self._name(fire.ship), die=int(die[0]))
        chosen: Array = np.argsort(distances, axis=0, kind="stable")[place, np.arange(len(die))]
        return chosen

    def _hit(self, fire: Fire, targets: Array, offsets: Array) -> Array:
        """Roll to hit and for damage, which takes effect at once (R51, R52); the rows whose target is destroyed."""
        needed = _highest_hits(self._ships[fire.ship].element.to_hit).take(offsets)
        die = self._die(fire.turn, fire.ship, "to hit", fire.weapon).take(fire.battles)
        if self._log:
            self._log_shot(fire, targets[0], (LENGTHS[offsets[0]], needed[0], die[0]))
        hit: Array = (die <= needed).nonzero()[0]
        if not hit.size:
            return hit
        battles = fire.battles[hit]
        damage = self._die(fire.turn, fire.ship, "damage", fire.weapon).take(battles)
        return hit[self._damage(battles, targets[hit], offsets[hit], damage)]

    def _damage(self, battles: Array, targets: Array, offsets: Array, die: Array) -> Array:
        """Damage the targets hit from these offsets; the rows of those without SHIELD, which leave the map."""
        now = self._now
        ships = targets * len(now.battle) + battles
        facing, weapons, engine, shield = (
            each.take(ships) for each in (now.facing, now.weapons, now.engine, now.shield)
        )
        field = STRUCK.take(facing * CELLS + CELLS - 1 - offsets)
        weapon_lost = (die == 6) & (weapons & field != 0)
        engine_lost = (die == 5) & (engine > 0)
        shield -= ~(weapon_lost | engine_lost)
        now.weapons.put(ships, np.where(weapon_lost, weapons & ~field, weapons))
        now.engine.put(ships, engine - engine_lost)
        now.shield.put(ships, shield)
        if self._log:
            self._log_damage(targets[0], die[0], weapon_lost[0], engine_lost[0])
        dead: Array = (shield == 0).nonzero()[0]
        if dead.size:
            now.q.put(ships[dead], FAR)
            now.weapons.put(ships[dead], 0)
        return dead

    # ---------------------------------------------------------------- words, of a single battle

    def _log_event(self, message: Message, **values: Any) -> None:
        if self._log:
            self._log(message.format(**values) if values else message)

    def _name(self, ship: int) -> Message:
        """A ship with its side: both may have ships of one name."""
        return _("{ship} ({side})").format(ship=self._ships[ship].name, side=simulation.SIDE_NAMES[self._side[ship]])

    def _log_shot(self, fire: Fire, target: int, numbers: tuple[int, int, int]) -> None:
        hexes, needed, die = map(int, numbers)
        message = (
            _("{ship}, {weapon}, at {target}, {hexes} hexes: {die}, hits on {needed} or less, hit.")
            if die <= needed
            else _("{ship}, {weapon}, at {target}, {hexes} hexes: {die}, hits on {needed} or less, missed.")
        )
        weapon = SIDE_NAMES[rules.SIDES[fire.weapon]]
        names = {"ship": self._name(fire.ship), "weapon": weapon, "target": self._name(target)}
        self._log_event(message, **names, hexes=hexes, needed=needed, die=die)

    def _log_damage(self, target: int, die: int, weapon_lost: bool, engine_lost: bool) -> None:
        message = _("Damage {die}: {target} loses SHIELD, {left} left.")
        if weapon_lost:
            message = _("Damage {die}: {target} loses the weapon on the side hit.")
        elif engine_lost:
            message = _("Damage {die}: {target} loses ENGINE.")
        left = int(self._now.shield[target, 0])
        self._log_event(message, die=int(die), target=self._name(target), left=left)
        if not left:
            self._log_event(_("{target} is destroyed."), target=self._name(target))
