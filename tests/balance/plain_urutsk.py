"""One battle of URUTSK in plain Python, from the rules and R80 to R87 and R150 to R156, not from battle.py."""

from functools import lru_cache
from itertools import product

PENALTIES = {"long": 3, "medium": 2, "short": 1, "point-blank": 0}
EXPLODES = {"single": 6, "autofire": 5, "burst": 4}


class Figure:
    def __init__(self, combatant):
        self.number, self.element = combatant.number, combatant.element
        self.fate, self.loaded, self.injured, self.alive = self.element.fate, True, False, True
        self.hits, self.aimed_at = 0, 0


def shot(element, penalty, die, again):
    """The hit points of a shot; None is a clean miss."""
    if element.fire == "burst":
        return 12
    result = die + element.ranged - penalty
    if result < 2 or (result == 2 and element.fire == "autofire" and element.poor_condition):
        return None
    return result + (again if result >= EXPLODES[element.fire] else 0)


def blow(close, other_close, die, other_die, again, other_again):
    own, other = die + close, other_die + other_close
    if own == other:
        own, other = own + again, other + other_again
        if own == other and close < other_close:
            return 0
    return max(0, own - min(close, other) - min(other_close, own))


@lru_cache(None)
def shots(ranged, fire, poor, penalty):
    class Weapon:
        pass

    weapon = Weapon()
    weapon.ranged, weapon.fire, weapon.poor_condition = ranged, fire, poor
    return [shot(weapon, penalty, *dice) or 0 for dice in product(range(1, 7), repeat=2)]


@lru_cache(None)
def blows(close, other_close):
    return [blow(close, other_close, *dice) for dice in product(range(1, 7), repeat=4)]


@lru_cache(None)
def chance(attack, args, fate):
    return sum(points > fate for points in attack(*args))


def aim(army, foes, band):
    """(attacker, target) of a side, in the order of its roster."""
    for each in foes:
        each.aimed_at = 0
    for me in army:
        if not me.alive or (band is not None and (not me.loaded or me.injured)):
            continue
        able = [each for each in foes if each.alive]
        element = me.element
        fewest = min(each.aimed_at for each in able)
        best = None
        for each in able:
            if each.aimed_at > fewest:
                continue
            weapon = (element.ranged, element.fire, element.poor_condition, band)
            call = (blows, (element.close, each.element.close)) if band is None else (shots, weapon)
            value = chance(*call, each.fate)
            if best is None or value > best[0]:
                best = value, each
        best[1].aimed_at += 1
        yield me, best[1]


def attack(me, target, band, roll):
    if band is None:
        dice = [1 if each.injured and roll(each, 4) <= 3 else roll(each, 4) for each in (me, target)]
        target.hits += blow(me.element.close, target.element.close, *dice, roll(me, 5), roll(target, 5))
        return
    points = shot(me.element, band, roll(me, 0), roll(me, 1))
    if points is None:
        if roll(me, 2) == 1 and roll(me, 3) + me.element.weapon_ability < 6:
            me.loaded = False
        return
    target.hits += points


def suffer(figure):
    hits, figure.hits, figure.injured = figure.hits, 0, False
    if hits > figure.fate:
        figure.alive = False
    elif hits and hits == figure.fate:
        figure.fate, figure.injured = figure.fate - 1, True
    else:
        figure.fate -= hits


def play(forces, policies, die, battlefield):
    """(winner, turns, figures left of A and of B)."""
    a, b = ([Figure(each) for each in forces[side]] for side in "ab")
    bands = [band for band in PENALTIES.values() for _round in range(2)]
    for turn in range(1, (battlefield.turns or 100) + 1):
        band = bands[turn - 1] if turn <= len(bands) else None
        if battlefield.distance is not None:
            band = None if battlefield.distance < 0 else battlefield.distance
        pairs = [*aim(a, b, band), *aim(b, a, band)]
        for me, target in pairs:
            attack(me, target, band, lambda figure, number, turn=turn: die(turn, figure.number, number))
        for figure in a + b:
            if figure.alive:
                suffer(figure)
        left = [sum(each.alive for each in army) for army in (a, b)]
        if not all(left):
            break
    return bool(left[0]) - bool(left[1]), turn, *left
