"""Mini Combat played one battle at a time in plain Python, by the readings in docs/odds.md and docs/balance.md."""

from functools import cache
from itertools import groupby

from rosters.core.simulation import COMMON
from rosters.systems.mini_combat.battle import ROLLS
from rosters.systems.mini_combat.rules import form_of

CAUGHT = {"Cone": 2, "5c": 2, "10c": 4, "Bmb": 4}


def play(forces, policies, die, battlefield):
    """The winner of one battle, its turns, and the points left of A and of B."""
    return PlainBattle(forces, die, battlefield).fight()


class Line:
    """Models of one element."""

    def __init__(self, models):
        self.numbers = [model.number for model in models]
        self.element, self.points = models[0].element, models[0].points
        self.stats, self.left, self.formation = self.element.stats, len(models), models[0].formation
        self.attacked = self.spent = False
        self.fired = -1


class Unit:
    """The lines of one formation, at one place."""

    def __init__(self, lines, place):
        self.lines, self.place, self.full = lines, place, sum(line.left for line in lines)
        self.worth = sum(line.points * line.left for line in lines)
        self.moved, self.engaged, self.charging, self.tested = 0, False, False, False

    @property
    def left(self):
        return sum(line.left for line in self.lines)

    @property
    def halves_lost(self):
        return 2 if not self.left else int(self.left <= self.full // 2)


class PlainBattle:
    """One battle; ``die`` gives the face at turn, unit and roll."""

    def __init__(self, forces, die, battlefield):
        self.die, self.fixed, self.limit = die, battlefield.distance is not None, battlefield.turns or 12
        places = {"a": 0, "b": 80 if battlefield.distance is None else battlefield.distance}
        self.units = {side: self.muster(forces[side], places[side]) for side in "ab"}
        self.acting, self.reach = cache(self.acting), cache(self.reach)

    def muster(self, models, place):
        lines = [Line([*group]) for _line, group in groupby(models, key=lambda model: model.line)]
        names = dict.fromkeys(line.formation for line in lines)
        return [Unit([line for line in lines if line.formation == name], place) for name in names]

    def fight(self):
        """The winner (1 A, -1 B, 0), the last turn, and the points left of both."""
        winner = over = self.turn = 0
        while not over and self.turn < self.limit:
            self.turn += 1
            order = self.initiative()
            for number in range(max(map(len, self.units.values()))):
                for side in order:
                    if number < len(self.units[side]):
                        self.act(side, self.units[side][number])
            for side in "ab":
                for unit in self.units[side]:
                    self.test_morale(unit)
            winner, over = self.result()
        left = (sum(line.left * line.points for u in self.units[side] for line in u.lines) for side in "ab")
        return winner, self.turn, *left

    def initiative(self):
        attempt = ROLLS["initiative"]
        while True:
            a, b = (self.die(self.turn, COMMON + place, attempt) for place in range(2))
            if a != b:
                return "ab" if a > b else "ba"
            attempt += 1

    def result(self):
        worth = {side: sum(unit.worth for unit in units) for side, units in self.units.items()}
        if self.fixed or not all(worth.values()):
            a, b = (not any(unit.left for unit in self.units[side]) for side in "ab")
            return b - a, a or b
        a, b = (sum(u.halves_lost * u.worth for u in self.units[side]) / worth[side] for side in "ab")
        over = a >= 1 or b >= 1
        return ((b > a) - (b < a)) * over, over

    def test_morale(self, unit):
        if unit.left and unit.halves_lost and not unit.tested:
            unit.tested = True
            need = min(line.stats.morale for line in unit.lines if line.left)
            if self.die(self.turn, unit.lines[0].numbers[0], ROLLS["morale"]) < need:
                for line in unit.lines:
                    line.left = 0

    # ---------------------------------------------------------------- what acts at a distance

    def acting(self, line, enemy, distance):
        denied = {m.denies for m in enemy.element.capabilities if m.code == "Den"}
        near = {code for code in denied if code in ("MA", "Ch") or distance <= (50 if code == "St" else 25)}
        return {m.code: m for m in line.element.capabilities if m.code and m.code not in near}

    def reach(self, line, enemy, distance):
        codes, theirs = self.acting(line, enemy, distance), self.acting(enemy, line, distance)
        reach = 10 if "Cone" in codes and line.stats.range == 0 else line.stats.range
        return reach - 5 * ("Fly" in theirs and form_of(theirs["Fly"]) == "flying")

    def in_reach(self, line, enemy, unit, distance):
        """Whether a line could attack one of an enemy unit at a distance, this turn or later."""
        theirs = self.acting(enemy, line, distance)
        hidden = ("St" in theirs and distance > 25) or ("Sc" in theirs and not unit.moved)
        return (not hidden or enemy.attacked) and (distance == 0 or distance <= self.reach(line, enemy, distance))

    # ---------------------------------------------------------------- a unit's turn

    def enemies(self, side):
        return [(unit, line) for unit in self.units["ab"[side == "a"]] for line in unit.lines if line.left]

    def act(self, side, unit):
        enemies = self.enemies(side)
        if not unit.left or not enemies:
            return
        nearest = min(abs(enemy.place - unit.place) for enemy, _line in enemies)
        step = 0 if self.fixed else self.step(unit, enemies, nearest)
        unit.place += step if side == "a" else -step
        if step:
            unit.moved = self.turn
        unit.charging = nearest == step and (step > 0 or not unit.engaged)
        unit.engaged = nearest == step
        for line in unit.lines:
            if line.left and line.stats.to_hit < 7 and not line.spent:
                self.attack(side, unit, line)

    def step(self, unit, enemies, nearest):
        """The fewest whole centimeters after which an enemy is in reach, within the move and up to contact."""
        able = [line for line in unit.lines if line.left and line.stats.to_hit < 7 and not line.spent]
        most = min(nearest, *(max(0, line.stats.movement) for line in unit.lines if line.left))
        for step in range(most if able else 0):
            for foe, enemy in enemies:
                distance = abs(foe.place - unit.place) - step
                if any(self.in_reach(line, enemy, foe, distance) for line in able):
                    return step
        return most if able else 0

    def attack(self, side, unit, line):
        target, rested = None, line.fired != self.turn - 1
        weapons = max([1, *(m.counted for m in line.element.capabilities if m.code == "MW")])
        for model in line.numbers[: line.left]:
            for weapon in range(weapons):
                if target is None or not target[1].left:
                    target = self.choose(unit, line, self.enemies(side), rested)
                if target is None:
                    return
                self.shoot(model, weapon, unit, line, target)

    def choose(self, unit, line, enemies, rested):
        """The enemy with most expected points, then the nearest, then the first; the line remembers its attack."""
        best = None
        for foe, enemy in enemies:
            distance = abs(foe.place - unit.place)
            codes = self.acting(line, enemy, distance)
            screened = enemy.element.command and any(e.left and not e.element.command for e in foe.lines)
            moved = "MoF" in codes and unit.moved == self.turn
            waits = distance and (moved or ("Feot" in codes and not rested))
            if screened or waits or not self.in_reach(line, enemy, foe, distance):
                continue
            need, save, caught = self.needs(unit, line, enemy, distance)
            value = max(0, min(7 - need, 6)) * max(0, min(save - 1, 6)) * enemy.points * min(caught, enemy.left)
            if best is None or (value, -distance) > best[0]:
                best = (value, -distance), (foe, enemy), codes
        if best is None:
            return None
        (_value, minus_distance), target, codes = best
        line.attacked = True
        line.spent = line.spent or "OS" in codes
        line.fired = self.turn if minus_distance else line.fired
        return target

    def needs(self, unit, line, enemy, distance):
        """What the dice to hit and to save need, and the elements under the template."""
        codes = self.acting(line, enemy, distance)
        still = self.turn - unit.moved >= (2 if "MoF" in codes else 1)
        charge = distance == 0 and unit.charging and "Ch" in codes
        need = line.stats.to_hit - still - charge if line.stats.to_hit > 0 else 0
        power = line.stats.power * (1 + (("SS" if distance else "MA") in codes))
        pierces = power > enemy.stats.armor - 2 * ("Bmb" in codes)
        return need, enemy.stats.save if pierces else 0, max([1, *(CAUGHT[c] for c in codes if c in CAUGHT)])

    def shoot(self, model, weapon, unit, line, target):
        foe, enemy = target
        distance = abs(foe.place - unit.place)
        codes = self.acting(line, enemy, distance)
        if weapon >= (codes["MW"].counted if "MW" in codes else 1):
            return
        need, save, caught = self.needs(unit, line, enemy, distance)
        for element in range(min(caught, enemy.left)):
            address = 4 * weapon + element
            if self.die(self.turn, model, ROLLS["hit"] + address) >= need:
                enemy.left -= self.die(self.turn, model, ROLLS["save"] + address) < save
