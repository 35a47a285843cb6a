"""One battle of VSGMR in plain Python, from the rules and the readings R61 to R74, R130 to R138, not from battle.py."""

from fractions import Fraction

GUYS = ("mook", "troop", "hero")
MOVES = {"mook": 12, "troop": 12, "hero": 12, "cavalry": 18, "vehicle": 24}  # in half inches
SIDES = {"minor": 8, "major": 10, "superior": 12}
TIERS = {"minor": 1, "major": 2, "superior": 3}
MORE = {"hand-to-hand": ("double-strike", 1), "distance": ("area-effect-attack", 2)}
SKILLED = {"hand-to-hand": "combat-master", "distance": "sharpshooter", "armor": "tough"}
POWERS = {"hand-to-hand": "super-fight", "distance": "super-blast", "armor": "super-armor"}


class Figure:
    def __init__(self, combatant, place):
        self.number, self.points, self.place = combatant.number, combatant.points, place
        self.formation, self.element = combatant.formation, combatant.element
        self.kind = self.element.kind
        self.traits = {"combat-master" if each == "weapon-master" else each for each in self.element.traits}
        self.guy = self.kind in GUYS
        armor = self.element.armor if self.element.armor in ("light", "heavy") else None
        if self.kind == "hero" and self.element.commander:
            armor = "heavy"
        self.armor = armor or (None if self.guy else "light")
        self.distance = self.element.distance
        self.reach = 2 * (24 if "sniper" in self.traits else 12) if self.distance else -1
        tier = TIERS.get(self.element.powers.get("super-move"), 0)
        self.initiative = tier
        self.move = MOVES[self.kind] * (2 + tier) // 2 if tier != 1 else MOVES[self.kind] * 3 // 2
        self.needs_rider = not self.guy and "independent" not in self.traits
        self.rider = self.mount = None
        self.alive, self.attacked, self.inspired = True, False, False

    @property
    def rides(self):
        return self.alive and self.mount is not None and self.mount.alive

    @property
    def acts(self):
        return self.alive and not self.rides and (not self.needs_rider or (self.rider and self.rider.alive))

    def bonus(self, roll):
        found = {"mook": -1, "vehicle": 1, "hero": int(roll != "armor")}.get(self.kind, 0)
        return found + (SKILLED[roll] in self.traits) + ("support" in self.traits and self.element.support == roll)

    def die(self, roll):
        return SIDES.get(self.element.powers.get(POWERS[roll]), 6)

    def dice(self, roll):
        return 2 if roll == "distance" and self.element.automatic_fire else 1


def army(force, place):
    figures = [Figure(each, place) for each in force]
    for at, mount in enumerate(figures):
        if mount.needs_rider:
            free = [n for n, each in enumerate(figures) if each.guy and not each.mount]
            own = [n for n in free if figures[n].formation == mount.formation]
            rider = next((n for n in own if n > at), own[-1] if own else None)
            if rider is not None:
                mount.rider, figures[rider].mount = figures[rider], mount
    return figures


def need(me, foe, roll):
    target = (4 if roll == "hand-to-hand" else 5) - me.bonus(roll)
    if roll == "distance" and me.place != foe.place:
        target += foe.rides + ("stealth" in foe.traits)
    return max(target, 3 if "cause-fear" in foe.traits else 1)


def armor_need(foe):
    return (4 if foe.armor == "heavy" else 6) - foe.bonus("armor")


def chance(least, die, dice):
    return 1 - Fraction(min(max(least - 1, 0), die), die) ** dice


def value(me, foe, roll):
    hit = chance(need(me, foe, roll), me.die(roll), me.dice(roll))
    saved = chance(armor_need(foe), foe.die("armor"), 1) if foe.armor else 0
    return hit * (1 - saved ** (2 if "ignores-armor" in me.traits else 1)) * foe.points


class Battle:
    def __init__(self, forces, die, battlefield):
        self.die, self.fixed = die, battlefield.distance is not None
        apart = 2 * (36 if battlefield.distance is None else battlefield.distance)
        self.armies = {"a": army(forces["a"], 0), "b": army(forces["b"], apart)}
        self.turns, self.turn = battlefield.turns or 5, 0

    def choose(self, me, foes, roll, among=None):
        """(value, target) of the best attack of a type, or None."""
        reach = 0 if roll == "hand-to-hand" else me.reach
        able = [each for each in foes if each.alive and abs(each.place - me.place) <= reach]
        able = [each for each in able if among is None or abs(each.place - among) <= 6]
        found = [(value(me, each, roll), -abs(each.place - me.place), -n, each) for n, each in enumerate(able)]
        return max(found, key=lambda each: each[:3]) if found else None

    def rolled(self, unit, first, dice, size):
        return max(self.die(self.turn, unit, first + n, size) for n in range(dice))

    def succeeds(self, side, unit, first, again, dice, size, least):
        if self.rolled(unit, first, dice, size) >= least:
            return True
        for each in self.armies[side]:
            if each.alive and "inspiration" in each.traits and not each.inspired:
                each.inspired = True
                return self.rolled(unit, again, dice, size) >= least
        return False

    def strike(self, side, me, foe, roll, base, avenged=True):
        other = "b" if side == "a" else "a"
        if not self.succeeds(side, me.number, base, base + 2, me.dice(roll), me.die(roll), need(me, foe, roll)):
            return False
        rolls = (2 if "ignores-armor" in me.traits else 1) if foe.armor else 0
        args = 1, foe.die("armor"), armor_need(foe)
        if rolls and all(self.succeeds(other, me.number, base + 4 + n, base + 6 + n, *args) for n in range(rolls)):
            return True
        foe.alive = False
        gap = abs(me.place - foe.place)
        if avenged and "revenge" in foe.traits and gap <= (0 if roll == "hand-to-hand" else foe.reach):
            self.strike(other, foe, me, roll, 24, avenged=False)
        return True

    def attack(self, side, me, considered, made):
        foes = self.armies["b" if side == "a" else "a"]
        if not me.acts or me.attacked:
            return
        options = [(found[0], roll, found[3]) for roll in considered if (found := self.choose(me, foes, roll))]
        if not options:
            return
        _value, roll, target = max(options, key=lambda each: each[0])
        if roll not in made:
            return
        me.attacked = True
        trait, more = MORE[roll]
        center = target.place
        for number in range(1 + more * (trait in me.traits)):
            if number:
                found = self.choose(me, foes, roll, center if roll == "distance" else None)
                if not found:
                    return
                target = found[3]
            if not self.strike(side, me, target, roll, 8 * number) or not me.alive:
                return

    def move(self, side):
        foes = self.armies["b" if side == "a" else "a"]
        for me in self.armies[side]:
            gaps = [abs(each.place - me.place) for each in foes if each.alive]
            if me.acts and gaps:
                step = min(max(min(gaps) - max(me.reach, 0), 0), me.move)
                me.place += step if side == "a" else -step
                if me.rider:
                    me.rider.place = me.place

    def order(self):
        tie = 0
        while True:
            a, b = (
                self.die(self.turn, 2000 + n, tie) + max(each.initiative * each.alive for each in self.armies[side])
                for n, side in enumerate("ab")
            )
            if a != b:
                return "ab" if a > b else "ba"
            tie += 1

    def round(self):
        order = self.order()
        for each in self.armies["a"] + self.armies["b"]:
            each.attacked = each.inspired = False
        both = "hand-to-hand", "distance"
        for side in "" if self.fixed else order:
            self.move(side)
        for considered, made in [(both, both)] if self.fixed else [(both, both[1:]), (both[:1], both[:1])]:
            for side in order:
                for me in self.armies[side]:
                    self.attack(side, me, considered, made)


def play(forces, policies, die, battlefield):
    """(winner, turns, points left of A and of B)."""
    battle = Battle(forces, die, battlefield)
    while battle.turn < battle.turns and all(any(each.alive for each in army) for army in battle.armies.values()):
        battle.turn += 1
        battle.round()
    a, b = ([each.points for each in army if each.alive] for army in battle.armies.values())
    lost = [
        sum(each.points for each in army) - sum(left) for army, left in zip(battle.armies.values(), (a, b), strict=True)
    ]
    winner = bool(a) - bool(b) if battle.fixed else (lost[1] > lost[0]) - (lost[1] < lost[0])
    return winner, battle.turn, sum(a), sum(b)
