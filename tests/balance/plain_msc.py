"""One battle of Minimal Space Combat in plain Python, from the rules and the readings R110 to R122, not from battle.py.

Its geometry is worked out by angles and by clipping lines, where battle.py has products and tables.
"""

from functools import lru_cache
from itertools import pairwise, product
from math import atan2, degrees, sqrt

from rosters.systems.msc.tables import SOLO_MOVEMENT, SOLO_TARGETS

SIDES = ["F", "FL", "FR", "RL", "RR"]
AROUND = ["F", "FR", "RR", "R", "RL", "FL"]
STEPS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]  # clockwise, each 60 degrees


class Ship:
    """A ship of one side; q, r is its hex, facing the number of a step."""

    def __init__(self, combatant, side, q, r):
        element = combatant.element
        self.number, self.points, self.side, self.q, self.r = combatant.number, combatant.points, side, q, r
        self.facing = 2 if side == "a" else 5
        self.engine, self.shield, self.to_hit = max(0, element.engine), element.shield, element.to_hit
        self.speed = min(3, self.engine)
        self.weapons = [each for each in SIDES if each in element.weapons]


def line(force, side, distance):
    """The ships of a side 2 hexes apart, from its left to its right."""
    for place, combatant in enumerate(force if side == "a" else force[::-1]):
        down = place - len(force) // 2
        yield Ship(combatant, side, -down + (distance if side == "b" else 0), 2 * down)


def length(way):
    q, r = way
    return max(abs(q), abs(r), abs(q + r))


def way(start, end):
    return end.q - start.q, end.r - start.r


@lru_cache(None)
def angle(way):
    """Clockwise from east, in degrees."""
    q, r = way
    return degrees(atan2(r * sqrt(3) / 2, q + r / 2))


@lru_cache(None)
def off_bow(facing, way):
    """How far a way is to the right of the bow, from -180 to 180 degrees."""
    turned = (angle(way) - angle(STEPS[facing])) % 360
    turned = round(turned, 6) % 360
    return turned - 360 if turned > 180 else turned


@lru_cache(None)
def sides(facing, way):
    """The sides that a way belongs to, the nearest to the bow first."""
    if way == (0, 0):
        return SIDES
    turned = [abs((off_bow(facing, way) - 60 * number + 180) % 360 - 180) for number in range(6)]
    best = [number for number in range(6) if turned[number] < min(turned) + 1e-4]
    return [AROUND[number] for number in sorted(best, key=lambda number: min(number, 6 - number))]


@lru_cache(None)
def crossing(way, other):
    """How a line to ``way`` meets the hex ``other``: None, "in", or the side of the line on which it has an edge."""
    if other in ((0, 0), way):
        return None
    low, high, edge = 0.0, 1.0, None
    for axis in ((1, -1), (1, 2), (2, 1)):  # the hex is where these products differ by less than 1 from its center's
        slope = axis[0] * way[0] + axis[1] * way[1]
        center = axis[0] * other[0] + axis[1] * other[1]
        if slope == 0:
            if abs(center) > 1:
                return None
            edge = center if abs(center) == 1 else edge
            continue
        ends = sorted(((center - 1) / slope, (center + 1) / slope))
        low, high = max(low, ends[0]), min(high, ends[1])
    if high - low < 1e-9:
        return None
    return ("edge", edge, round(low, 6)) if edge else "in"


def in_sight(shooter, target, ships):
    met = [crossing(way(shooter, target), way(shooter, ship)) for ship in ships if ship.shield > 0]
    edges = {each for each in met if each and each != "in"}
    return "in" not in met and not any(("edge", -side, low) in edges for _edge, side, low in edges)


def need(to_hit, distance):
    """The highest roll that hits."""
    if distance > 6:
        return 0
    modifier = 2 if distance == 0 else 1 if distance <= 2 else 0 if distance <= 4 else -1
    return min(6, max(0, to_hit + modifier))


def steps_of(order):
    """2L1 as FFLF."""
    return "".join("F" * int(each) if each.isdigit() else each for each in order)


def end_of(q, r, facing, steps):
    for step in steps:
        if step == "F":
            q, r = q + STEPS[facing][0], r + STEPS[facing][1]
        else:
            facing = (facing + (1 if step == "R" else 5)) % 6
    return q, r, facing


@lru_cache(None)
def orders(speed):
    words = ("".join(word) for word in product("FLR", repeat=speed))
    return [word for word in words if not any(a != "F" and b != "F" for a, b in pairwise(word))]


def aimed(shooter, place, to):
    """The highest rolls that hit of the weapons of a ship at a place (q, r, facing) that bear on another place."""
    path = to[0] - place[0], to[1] - place[1]
    if length(path) > 6:
        return {}
    bearing = sides(place[2], path)
    return {weapon: need(shooter.to_hit, length(path)) for weapon in shooter.weapons if weapon in bearing}


def hunt(ship, enemies, turn):
    best = None
    for speed in range(min(6, ship.engine) + 1):
        if not min(ship.speed - (turn > 1), ship.engine) <= speed <= ship.speed + (turn > 1):
            continue
        for word in orders(speed):
            end = end_of(ship.q, ship.r, ship.facing, word)
            own, theirs = {}, 0
            for enemy in enemies:
                place = enemy.q, enemy.r, enemy.facing
                for weapon, number in aimed(ship, end, place).items():
                    own[weapon] = max(own.get(weapon, 0), number)
                theirs += sum(aimed(enemy, place, end).values())
            nearest = min(length((enemy.q - end[0], enemy.r - end[1])) for enemy in enemies)
            worth = (sum(own.values()) - theirs, -nearest)
            if best is None or worth > best[0]:
                best = worth, speed, word
    return best[1:]


def to_right(ship, others, turn, die, base):
    distances = [length(way(ship, each)) for each in others]
    near = [each for each, distance in zip(others, distances, strict=True) if distance == min(distances)]
    chosen = near[0] if len(near) == 1 or die(turn, ship.number, base) % 2 else near[-1]
    turned = 0 if length(way(ship, chosen)) == 0 else off_bow(ship.facing, way(ship, chosen))
    if turned in (0, 180):
        return die(turn, ship.number, base + 2) % 2 == 0
    return turned > 0


def solo(ship, ships, turn, die):
    speed = min(ship.speed + (turn > 1), ship.engine, 6)
    if speed == 0:
        return 0, ""
    friends = [each for each in ships if each.side == ship.side and each is not ship]
    enemy = to_right(ship, [each for each in ships if each.side != ship.side], turn, die, 1)
    friend = to_right(ship, friends, turn, die, 0) if friends else enemy
    row = SOLO_MOVEMENT[speed][die(turn, ship.number, 4) - 1]
    return speed, steps_of(row[2 * friend + enemy])


def fire(ship, number, ships, turn, die, policy):
    weapon = SIDES[number]
    seen = [
        (length(way(ship, each)), place, each)
        for place, each in enumerate(ships)
        if each.side != ship.side and each.shield > 0 and length(way(ship, each)) <= 6
        if weapon in sides(ship.facing, way(ship, each)) and in_sight(ship, each, ships)
    ]
    if not seen:
        return
    seen.sort(key=lambda each: each[:2])
    place = 0
    if policy == "solo" and len(seen) > 1:
        letter = SOLO_TARGETS[die(turn, ship.number, 10 + number) - 1][len(seen) > 2]
        place = {"N": 0, "M": 1, "F": min(len(seen), 3) - 1}[letter]
    distance, _place, target = seen[place]
    if die(turn, ship.number, 20 + number) > need(ship.to_hit, distance):
        return
    damage = die(turn, ship.number, 30 + number)
    side = sides(target.facing, way(target, ship))[0]
    if damage == 6 and side in target.weapons:
        target.weapons.remove(side)
    elif damage == 5 and target.engine:
        target.engine -= 1
    else:
        target.shield -= 1


def combat(ships, policies, turn, die):
    tie = 100
    while (a := die(turn, 0, tie)) == (b := die(turn, 1000, tie)):
        tie += 1
    for side in "ab" if a > b else "ba":
        for ship in ships:
            for number, weapon in enumerate(SIDES):
                if ship.side == side and ship.shield > 0 and weapon in ship.weapons:
                    fire(ship, number, ships, turn, die, policies[side])


def play(forces, policies, die, battlefield):
    """(winner, turns, points left of A and of B)."""
    distance, turns = battlefield.distance, battlefield.turns or 30
    ships = [ship for side in "ab" for ship in line(forces[side], side, 12 if distance is None else distance)]
    ships.sort(key=lambda ship: ship.number)
    for turn in range(1, turns + 1):
        plotted = []
        for ship in ships if distance is None else ():
            enemies = [each for each in ships if each.side != ship.side]
            hunting = policies[ship.side] == "hunt"
            plotted.append(hunt(ship, enemies, turn) if hunting else solo(ship, ships, turn, die))
        for ship, (speed, steps) in zip(ships, plotted, strict=False):
            ship.speed = speed
            ship.q, ship.r, ship.facing = end_of(ship.q, ship.r, ship.facing, steps)
        combat(ships, policies, turn, die)
        ships = [ship for ship in ships if ship.shield > 0]
        left = {side: [ship.points for ship in ships if ship.side == side] for side in "ab"}
        if not left["a"] or not left["b"] or turn == turns:
            break
    a, b = sum(left["a"]), sum(left["b"])
    if left["a"] and left["b"]:
        return (a > b) - (a < b), turn, a, b
    return bool(left["a"]) - bool(left["b"]), turn, a, b
