"""Plain players: one duel die by die, from the readings; defaults, some tables and strengths are the product's."""

from collections import Counter
from types import SimpleNamespace

from rosters.registry import SYSTEMS
from rosters.systems.six_mm.rules import strength
from rosters.systems.six_mm.tables import ARMOUR, FOOT, GENERALS, GUNS


class Duel:
    """Two sides, A first; ``lost`` is what attacks took from each in this round."""

    def __init__(self, system, a, b, conditions, die, active=(True, True)):
        game, self.die, self.number = SYSTEMS[system], die, 0
        terms = game.odds.Conditions.model_validate(conditions).model_dump()
        self.c, self.sides = SimpleNamespace(**terms), []
        for letter, element, acts in zip("ab", (a, b), active, strict=True):
            entry = game.rules.Element.model_validate({"name": "", **element})
            own = {key[2:]: value for key, value in terms.items() if key.startswith(f"{letter}_")}
            values = {**entry.model_dump(), **own, "out": False, "lost": 0, "bonus": 0, "acts": acts}
            self.sides.append(SimpleNamespace(**values, entry=entry))
            self.prepare(self.sides[-1])

    def prepare(self, side): ...

    def begin(self): ...

    def end(self): ...

    def order(self):
        """G1: the higher die goes first, ties again."""
        first, second = (self.die(6) + side.bonus for side in self.sides)
        return self.order() if first == second else self.sides if first > second else self.sides[::-1]

    def round(self):
        self.number += 1
        for side in self.sides:
            side.lost = 0
        self.begin()
        first, second = self.order()
        for me, foe in ((first, second), (second, first)):
            if me.acts and not (me.out or foe.out):
                self.act(me, foe)
        self.end()


class MiniCombat(Duel):
    def prepare(self, side):
        side.left, side.fired, side.attacked, side.tested = side.models, -1, False, False

    def has(self, me, foe):
        """R6, R18: the capabilities that ``foe`` does not deny here."""
        reach = {"MA": 1e9, "Ch": 1e9, "St": 50}
        denied = {m["denies"] for m in foe.capabilities if m["code"] == "Den"}
        denied = {code for code in denied if self.c.distance <= reach.get(code, 25)}
        return {m["code"]: m for m in me.capabilities if m["code"] not in denied}

    def can(self, me, foe):
        mine, its, far = self.has(me, foe), self.has(foe, me), self.c.distance
        hidden = ("St" in its and far > 25) or ("Sc" in its and not foe.moved)
        if me.to_hit in (None, 7) or ("OS" in mine and me.attacked) or (hidden and not foe.attacked):
            return False
        flying = "Fly" in its and its["Fly"]["form"] != "jump"
        empty = ("Feot" in mine and me.fired == self.number - 1) or ("MoF" in mine and me.moved)
        reach = 10 if "Cone" in mine and me.range == 0 else me.range
        return far == 0 or (not empty and far + 5 * flying <= reach and (self.c.in_sight or "IF" in mine))

    def strikes(self, me, foe):
        mine, its, far = self.has(me, foe), self.has(foe, me), self.c.distance
        unseen, first = far > 0 and not self.c.in_sight, self.number == 1
        bonus = (not me.moved and not ("MoF" in mine and first)) + (foe.rear and not unseen)
        bonus += ("Ch" in mine and first and far == 0) - (unseen and not me.recon)
        if self.die(6) + bonus < me.to_hit and me.to_hit:
            return False
        save = min(foe.save or 7, 7 if "IC" in mine else foe.cover or 7)
        if save < 7 and self.die(6) >= save:
            return False
        rear = foe.rear and not unseen and foe.kind != "infantry" and "FA" not in its
        power = me.power * (2 if ("SS" if far else "MA") in mine else 1)
        return power > foe.armor - rear - 2 * ("Bmb" in mine)

    def act(self, me, foe):
        if not self.can(me, foe):
            return
        mine = self.has(me, foe)
        me.fired, me.attacked = self.number if self.c.distance else me.fired, True
        template = mine.keys() & {"Cone", "5c", "10c", "Bmb"}
        for _roll in range(me.left * (mine["MW"]["count"] or 2 if "MW" in mine else 1)):
            for _target in range(min(foe.caught if template else 1, foe.left)):
                kill = self.strikes(me, foe)
                foe.left, foe.lost = foe.left - kill, foe.lost + kill
        foe.out = foe.left == 0

    def end(self):
        for side in self.sides:  # R20
            if not (side.out or side.tested) and side.models - side.left >= (side.models + 1) // 2:
                side.tested = True
                side.out = side.morale is not None and self.die(6) < side.morale


def half(number):
    return (number + 1) // 2


class SixMm(Duel):
    def prepare(self, side):
        general, ski = side.general or side.entry.general, side.type[:3] == "SKI"
        side.bonus = GENERALS[general].value if general else 0
        side.now, side.ski, side.gun = strength(side.entry), ski, side.gun if side.type in ("ART", "TNK") else None
        side.arm = side.arm or ("musket" if side.type == "MSK" else "rifle" if side.post_1906 and ski else "bow")
        side.weight = 2 + list(ARMOUR).index(side.armour or "light") if side.type == "TNK" else 0
        side.off = side.type == "ART" and side.off_board

    def reach(self, me, foe):
        if me.gun:
            return GUNS[me.gun].range - 3 if me.type == "TNK" else 10 if me.off else GUNS[me.gun].range - me.horse
        better = (me.type, me.arm) in (("ARC", "longbow"), ("MSK", "rifle"), ("SKI/F", "rifle"))
        reach = {"ARC": 1, "MSK": 1, "SKI/F": 1, "SKI/M": 1, "SKI/S": 3}.get(me.type, 0) + better
        return max(reach, {"TNK": 4, "AIR": 2}.get(foe.type, 0)) if me.guided else reach

    def melee(self, me, foe):
        foot, front = foe.type in FOOT, foe.aspect == "front"
        charge = me.charges and self.number == 1 and me.type not in ("PKE", "TNK", "SKI/S", "ARC", "ART")
        charge = charge and not (front and foe.type in ("ART", "PKE", "SKI/S"))
        score = self.die(6) + ((me.now + 2) // 4 if me.type == "TNK" else half(me.now)) - 2 * me.ski
        score += 2 * (me.type in ("INF/A", "INF/U", "MSK", "PKE"))
        score += 2 * (me.type in ("CAV/A", "CAV/U", "SKI/M") and (foot or foe.type == "ART"))
        big = foe.type in ("TNK", "SKI/S") or (foe.type == "PKE" and foe.elephant)
        score += (1 + foe.cover) * (me.type in FOOT and big) + (me.type == "SKI/F" and me.post_1906)
        score += bool(charge or me.entry.general) + bool(charge and me.type == "WBD")
        firearms = me.type in ("MSK", "TNK", "SKI/S") or me.post_1906 if self.c.modern is None else self.c.modern
        score = max(0, score - (not firearms) * {"CAV/A": 1, "INF/A": 2}.get(foe.type, 0))
        return self.shelter(foe, score, foot or foe.type == "ART") * (1 if front else 3 if foe.type == "PKE" else 2)

    def shelter(self, foe, score, sheltered=True):
        halvings = sheltered and (2 if foe.entrenched else foe.cover)
        return half(half(score)) if halvings == 2 else half(score) if halvings else score

    def shot(self, me, foe):
        powder = me.gun != "torsion" if me.gun else me.arm in ("musket", "rifle") or me.type == "SKI/S"
        score = self.die(6) + half(me.now) + {"front": 0, "flank": 2, "rear": 3}[foe.aspect] - 2 * me.off
        score += max(0, GUNS[me.gun].factor - (me.type == "TNK")) if me.gun else 0
        score += 2 * (me.type in ("SKI/F", "MSK") and me.arm == "rifle") + 3 * (me.type == "SKI/S")
        score -= 2 * (me.ski + foe.ski + (foe.type == "INF/A" and not powder)) + foe.weight
        score = max(0, score + (me.guided and foe.type in ("TNK", "AIR")))
        return self.shelter(foe, half(score) if me.off or me.indirect else score)

    def act(self, me, foe):
        far = self.c.distance
        if me.type == "AIR" or (far > self.reach(me, foe) if far else foe.type == "AIR"):
            return
        foe.lost = min(max(0, (self.shot if far else self.melee)(me, foe) - self.die(6)), foe.now)
        foe.now -= foe.lost
        foe.out = 2 * foe.now < strength(foe.entry)


class Msc(Duel):
    def prepare(self, side):
        side.guns = {name for name in side.weapons if name in ("F", "FL", "FR", "RL", "RR")}

    def begin(self):
        for side in self.sides if self.c.aspect == "any" else ():  # R54
            side.side = ("F", "FL", "FR", "RL", "RR", "R")[self.die(6) - 1]
            side.bears = [side.side]

    def act(self, me, foe):
        modifier = next((plus for far, plus in ((0, 2), (2, 1), (4, 0), (6, -1)) if self.c.distance <= far), -1e9)
        for _gun in me.guns & {*me.bears}:
            if foe.shield > 0 and self.die(6) <= me.to_hit + modifier:
                damage = self.die(6)
                if damage == 6 and foe.side in foe.guns:
                    foe.guns.remove(foe.side)
                elif damage == 5 and foe.engine > 0:
                    foe.engine -= 1
                else:
                    foe.shield, foe.lost = foe.shield - 1, foe.lost + 1
        foe.out = foe.shield <= 0


TIERS = {"minor": 1, "major": 2, "superior": 3}
HAND, SHOOT = ("hand-to-hand", "combat-master", "super-fight"), ("distance", "sharpshooter", "super-blast")
ARMOR = ("armor", "tough", "super-armor")


class Vsgmr(Duel):
    def prepare(self, side):
        side.traits = {"combat-master" if trait == "weapon-master" else trait for trait in side.traits}
        side.bonus = TIERS.get(side.powers.get("super-move"), 0)
        heavy = side.armor == "heavy" or (side.commander and side.kind == "hero")
        light = side.armor == "light" or side.kind in ("cavalry", "vehicle")
        side.least = 4 if heavy else 6 if light else None

    def begin(self):
        for me, foe in (self.sides, self.sides[::-1]):
            me.inspired = "inspiration" in me.traits
            kinds = [HAND] * (self.c.distance == 0) + [SHOOT] * self.shoots(me)
            me.way = max(kinds, key=lambda kind: self.kill(me, foe, kind), default=None)

    def shoots(self, side):
        return side.distance and self.c.distance <= (24 if "sniper" in side.traits else 12)

    def faces(self, side, roll):
        """Every result of a die with its bonuses, and the number on the die."""
        code, trait, power = roll
        plus = {"mook": -1, "hero": code != "armor", "vehicle": 1}.get(side.kind, 0) + (trait in side.traits)
        plus += "support" in side.traits and side.support == code
        sides = 6 + 2 * TIERS[side.powers[power]] if power in side.powers else 6
        return [(face + plus, face) for face in range(1, sides + 1)]

    def succeeds(self, foe, kind, result):
        shelter = (foe.cover + ("stealth" in foe.traits)) * (self.c.distance > 0)
        fear = "cause-fear" in foe.traits and result[1] <= 2
        return result[0] >= (4 if kind == HAND else 5 + shelter) and not fear

    def kill(self, me, foe, kind):
        faces, armor = self.faces(me, kind), self.faces(foe, ARMOR)
        miss = sum(not self.succeeds(foe, kind, face) for face in faces) / len(faces)
        save = sum(face[0] >= (foe.least or 99) for face in armor) / len(armor)
        twice = 2 if kind == SHOOT and me.automatic_fire else 1
        return round((1 - miss**twice) * (1 - save ** (2 if "ignores-armor" in me.traits else 1)), 12)

    def roll(self, side, kind):
        faces = self.faces(side, kind)
        return faces[self.die(len(faces)) - 1]

    def hits(self, me, foe, kind):
        dice = [self.roll(me, kind) for _die in range(2 if kind == SHOOT and me.automatic_fire else 1)]
        return self.succeeds(foe, kind, max(dice))

    def again(self, side, roll):
        """R72."""
        if roll():
            return True
        inspired, side.inspired = side.inspired, False
        return inspired and roll()

    def kills(self, me, foe):
        rolls = 2 if "ignores-armor" in me.traits else 1
        saved = foe.least and all(
            self.again(foe, lambda: self.roll(foe, ARMOR)[0] >= foe.least) for _roll in range(rolls)
        )
        if not saved:
            foe.out, foe.lost = True, 1
        return not saved

    def act(self, me, foe):
        trait, number = ("double-strike", 1) if me.way == HAND else ("area-effect-attack", 2)
        more = bool(me.way) * (1 + number * (trait in me.traits))
        while more and not foe.out and self.again(me, lambda: self.hits(me, foe, me.way)):
            more -= 1
            revenge = foe.acts and "revenge" in foe.traits and (me.way == HAND or self.shoots(foe))
            if self.kills(me, foe) and revenge and self.hits(foe, me, me.way):  # R73
                self.kills(foe, me)


class Urutsk(Duel):
    def prepare(self, side):
        side.jammed, side.hurt = False, -1

    def round(self):
        a, b = self.sides
        self.number += 1
        melee = self.c.distance == "melee"
        b.lost, a.lost = self.melee(a, b) if melee else (self.shot(a, b), self.shot(b, a))
        for side, foe in ((a, b), (b, a)):
            side.lost *= foe.acts
            if side.lost == side.fate and side.lost:
                side.fate, side.hurt = side.fate - 1, self.number
            else:
                side.out, side.fate = side.lost > side.fate, side.fate - side.lost

    def melee(self, *sides):
        a, b = (s.close + (1 if s.hurt == self.number - 1 and d <= 3 else d) for s in sides for d in [self.die(6)])
        if a == b:
            a, b = a + self.die(6), b + self.die(6)
        x, y = (side.close for side in sides)
        parried = min(x, b) + min(y, a)
        return max(0, a - parried) * (a != b or x >= y), max(0, b - parried) * (a != b or y >= x)

    def shot(self, me, foe):
        if not me.acts or me.jammed or me.hurt == self.number - 1:
            return 0
        if me.fire == "burst" and foe.cover == 0:
            return 12
        band = ("point-blank", "short", "medium", "long", "extreme").index(self.c.distance)
        m = self.die(6) + me.ranged - band - foe.cover
        if m < 2 or (m == 2 and me.fire == "autofire" and me.poor_condition):
            me.jammed = self.die(6) == 1 and self.die(6) + me.weapon_ability < 6
            return 0
        return m + (self.die(6) if m >= {"single": 6, "autofire": 5, "burst": 4}[me.fire] else 0)


GAMES = {"mini-combat": MiniCombat, "6mm": SixMm, "msc": Msc, "vsgmr": Vsgmr, "urutsk": Urutsk}


def events(system, a, b, conditions, duels, die, rounds=6):
    """How often each event of an answer came: (who acts, what, when or how much)."""
    seen = Counter()
    for who, active in {"duel": (True, True), "a": (True, False), "b": (False, True)}.items():
        for _duel in range(duels):
            duel = GAMES[system](system, a, b, conditions, die, active)
            for number in range(1, rounds + 1):
                duel.round()
                out = tuple(side.out for side in duel.sides)
                if number == 1:
                    seen[who, "turn", duel.sides[who == "a"].lost] += 1
                if any(out):
                    seen[who, out, number] += 1
                    break
    return seen
