"""One battle of 6MM in plain Python, by the readings R100 to R108; a stand's scores are those of the exact odds."""

from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest

from rosters.core.simulation import COMMON
from rosters.systems.six_mm.battle import ROLLS
from rosters.systems.six_mm.odds import Conditions, Duel
from rosters.systems.six_mm.rules import strength

MOVES = {"WBD": 2, "SKI/F": 3, "SKI/S": 3, "SKI/M": 4, "CAV/A": 4, "CAV/U": 4, "TNK": 4}
CHARGES = {"WBD": 3, "SKI/M": 5, "CAV/U": 5}


class Stand:
    """A stand of one side; ``place`` counts from A's line."""

    def __init__(self, combatant, side, place):
        self.number, self.points, self.line, self.element = combatant.number, combatant.points, *combatant[3:5]
        self.side, self.place, self.start, self.ahead = side, place, place, 1 if side == "a" else -1
        self.full = self.strength = strength(self.element)
        self.away = self.routing = self.charging = False
        self.answered = 0
        e = self.element
        if e.type == "ART":
            self.move = 0 if e.off_board else {"soft": 4, "none": 1}.get(e.transport, 3 if e.horse else 2)
        else:
            on_foot = e.type not in ("SKI/M", "CAV/A", "CAV/U", "TNK")
            self.move = 4 if e.transport == "soft" and on_foot else MOVES.get(e.type, 2)

    @property
    def here(self):
        return self.strength > 0 and not self.away


class PlainBattle:
    """One battle; ``die`` gives the face at turn, unit and roll."""

    def __init__(self, forces, die, battlefield):
        self.die, self.fixed, self.limit = die, battlefield.distance is not None, battlefield.turns or 15
        apart = 10 if battlefield.distance is None else battlefield.distance
        self.stands = {side: [Stand(each, side, apart * (side == "b")) for each in forces[side]] for side in "ab"}
        self.level, self.turn, self.winner, self.over = {"a": 0, "b": 0}, 0, 0, False
        self.scores = lru_cache(None)(self.scores)

    def fight(self):
        while not self.over and self.turn < self.limit:
            self.turn += 1
            order = self.initiative()
            sets = {side: [all_[n : n + 3] for n in range(0, len(all_), 3)] for side, all_ in self.stands.items()}
            for full in (True, False):
                rows = ([each for each in sets[side] if (len(each) == 3) == full] for side in order)
                for pair in zip_longest(*rows, fillvalue=[]):
                    for stands in pair:
                        if stands and not self.over:
                            self.take_turn(stands)
        left = (sum(stand.points for stand in self.stands[side] if stand.here) for side in "ab")
        return self.winner, self.turn, *left

    def initiative(self):
        attempt, bonus = ROLLS["initiative"], []
        for side in "ab":
            leader = next((stand for stand in self.stands[side] if stand.element.general), None)
            rating = {"superior": 1, "inferior": -1}.get(leader.element.general, 0) if leader and leader.here else 0
            bonus.append(rating)
        while True:
            a, b = (self.die(self.turn, COMMON + n, attempt) + bonus[n] for n in range(2))
            if a != b:
                return "ab" if a > b else "ba"
            attempt += 1

    # ---------------------------------------------------------------- numbers

    def duel(self, me, foe, contact):
        return Duel(me.element, foe.element, Conditions(distance=0 if contact else 1, a_charges=contact), float)

    def scores(self, me, foe, contact, charging, left):
        return [*self.duel(me, foe, contact).scores("a", left, charging)]

    def reach(self, me, foe):
        return self.duel(me, foe, False).reach("a")

    def enemies(self, stand):
        return [each for each in self.stands["ab"[stand.side == "a"]] if each.here]

    def choose(self, stand, contact):
        def value(foe):
            scores = self.scores(stand, foe, contact, stand.charging and contact, stand.strength)
            loss = sum(min(max(0, score - save), foe.strength) for score in scores for save in range(1, 7))
            return Fraction(loss * foe.points, foe.full), -abs(foe.place - stand.place)

        gaps = [(foe, abs(foe.place - stand.place)) for foe in self.enemies(stand)]
        able = [foe for foe, gap in gaps if (gap == 0 if contact else 0 < gap <= self.reach(stand, foe))]
        return max(able, key=value, default=None)

    # ---------------------------------------------------------------- a set's turn

    def take_turn(self, stands):
        for stand in stands:
            if stand.here and not self.fixed:
                self.advance(stand)
        for contact in (False, True):
            for stand in stands:
                touches = any(foe.place == stand.place for foe in self.enemies(stand))
                if stand.here and not stand.routing and touches == contact:
                    self.attack(stand, self.choose(stand, contact), "fight" if contact else "shoot")
        if self.fixed:
            a, b = (not any(stand.here for stand in self.stands[side]) for side in "ab")
        else:
            for stand in stands:
                if stand.here and stand.routing:
                    stand.routing = self.die(self.turn, stand.number, ROLLS["rally"]) < 5
            a, b = self.retreats("a"), self.retreats("b")
        self.winner, self.over = b - a, a or b

    def advance(self, stand):
        foes = self.enemies(stand)
        stand.charging = False
        if stand.routing:
            stand.place -= stand.ahead * stand.move
            stand.away = (stand.place - stand.start) * stand.ahead < -3
            return
        if not foes:
            return
        gaps = [abs(foe.place - stand.place) for foe in foes]
        missing, nearest = min(gap - self.reach(stand, foe) for foe, gap in zip(foes, gaps, strict=True)), min(gaps)
        near = [foe for foe, gap in zip(foes, gaps, strict=True) if gap == nearest]
        most = max(stand.move, CHARGES.get(stand.element.type, 0))
        if missing != nearest or nearest > most or not any(self.duel(stand, foe, True).charges("a") for foe in near):
            most = stand.move
        step = max(0, min(missing, most, nearest))
        stand.place += stand.ahead * step
        stand.charging = step == nearest > 1
        target = self.choose(stand, True) if stand.charging else None
        if target and not target.routing and target.answered < self.turn and self.reach(target, stand) > 1:
            target.answered = self.turn
            self.attack(target, stand, "answer")

    def attack(self, stand, target, roll):
        if target is None:
            return
        save = {"fight": "save from fighting", "shoot": "save from shooting", "answer": "save from an answer"}[roll]
        contact = roll == "fight"
        scores = self.scores(stand, target, contact, stand.charging and contact, stand.strength)
        score = scores[self.die(self.turn, stand.number, ROLLS[roll]) - 1]
        hits = score - self.die(self.turn, stand.number, ROLLS[save])
        if hits > 0:
            target.strength = max(0, target.strength - hits)
            if 2 * target.strength < target.full:
                target.away, target.routing = self.fixed or target.away, not self.fixed or target.routing

    def retreats(self, side):
        lost = [stand for stand in self.stands[side] if not stand.here]
        level = min(6, 10 * len(lost) // len(self.stands[side]))
        if level <= self.level[side]:
            return False
        self.level[side] = level
        die = self.die(self.turn, COMMON + "ab".index(side), ROLLS["morale"] + level)
        return level == 6 or die - sum(stand.element.general is not None for stand in lost) <= level


def play(forces, policies, die, battlefield):
    """The winner of one battle, its turns, and the points left of A and of B."""
    return PlainBattle(forces, die, battlefield).fight()
