"""What a VSGMR game looks up: moves, rolls, damage, scenarios, scales, paper measures and solo play, in our words.

PURE. Rulebook: VSGMR, Domino Writing; sections II to VI and VIII to XII.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from rosters.systems.vsgmr.rules import ALIASES, GUYS, KINDS, POWERS, ForceTerms, Profile, armor_of

Rows = tuple[tuple[str, str], ...]
"""A heading and a sentence or two, row by row."""

FAIR_DIFFERENCE = 5
"""Forces are even when they are at most so many points apart (section IV)."""

# ---------------------------------------------------------------- a round

ROUND: Rows = (
    ("1 Initiative", "Each player rolls a die. The highest says who goes first, then on to the left; roll ties again."),
    ("2 Moves", "In that order, each player moves any of their figures, once each."),
    ("3 Distance attacks", "In that order, each player shoots with any figures that can."),
    ("4 Hand to hand", "In that order, each player attacks with figures that touch an enemy."),
    ("5 Skills", "In that order, each player tries skill rolls with guys."),
)
"""The steps of a round (section II)."""

MOVING: Rows = (
    ("Path", "Twist and turn as you like, also through other figures. Face any way at the end."),
    ("Rough ground", "Half move until the turn that ends wholly outside: woods, rocks, water, up or down a hill."),
    ("Barriers", "Walls and fences stop a figure."),
    ("Off the table", "Whoever leaves does not come back."),
)
"""Moves over the table (section II.2)."""

RIDING: Rows = (
    ("Mounting", "A guy rides or drives whatever it moves onto, and leaves it by moving away."),
    (
        "Aboard",
        "Rider and driver go where the mount goes, in cover, and neither move, attack nor use skills themselves.",
    ),
    ("Nobody aboard", "Cavalry without a rider and a vehicle without a driver do not move, unless Independent."),
)
"""Riders and drivers (section II.2)."""


class Move(NamedTuple):
    """How far a kind moves in a turn, in inches on the scale of 25 to 32 mm; half of it is its half move."""

    inches: int
    carries: str
    dice: str

    @property
    def half(self) -> Fraction:
        return Fraction(self.inches, 2)


MOVES: Mapping[str, Move] = {
    "mook": Move(6, "", "−1 to every roll"),
    "troop": Move(6, "", ""),
    "hero": Move(6, "", "+1 to attacks and skills"),
    "cavalry": Move(9, "its rider", ""),
    "vehicle": Move(12, "its driver and four guys", "+1 to attacks and armor"),
}
"""Kinds of figures (sections II and IV)."""
LARGE_CARRIES = "its rider and one guy more"
"""What large cavalry carries (section IV)."""
HALF_MOVES_MORE: Mapping[str, int] = {"minor": 1, "major": 2, "superior": 3}
"""Half move units that each tier of Super-Move adds to a turn (section VI)."""
REACH = 12
"""The distance attack unit in inches; a Sniper has twice as much (section II.3)."""

# ---------------------------------------------------------------- rolls

BONUSES: Mapping[str, Mapping[str, int]] = {
    "mook": {"distance": -1, "hand to hand": -1, "armor": -1, "skill": -1},
    "troop": {},
    "hero": {"distance": 1, "hand to hand": 1, "skill": 1},
    "cavalry": {},
    "vehicle": {"distance": 1, "hand to hand": 1, "armor": 1},
}
"""What each kind adds to its die, by the kind of roll (sections II and IV)."""

ROLLS: tuple[tuple[str, str, int], ...] = (
    ("Distance attack", "distance", 5),
    ("… on a target in cover", "distance", 6),
    ("Hand to hand attack", "hand to hand", 4),
    ("Light armor saves", "armor", 6),
    ("Heavy armor saves", "armor", 4),
    ("Skill", "skill", 4),
)
"""A roll, its kind, and the least result that succeeds (section XII)."""
ARMOR_ROLLS: Mapping[str, str] = {"Light armor saves": "light", "Heavy armor saves": "heavy"}
"""Rolls that concern only figures with this armor."""

ATTACKING: Rows = (
    ("Distance", f"The target is in front, in sight and within {REACH} inches in a straight line."),
    ("Hand to hand", "The target is touched; lay the figure down where it stands to see. Cover does not help."),
    ("How often", "One attack a round, of one kind, also after a move."),
    ("Cover", "At least half hidden; riders and drivers always. In doubt roll a die: 4 or more is covered."),
    ("Sight", "In doubt roll a die: 4 or more sees the target."),
    ("Skill", "Guys only, and not while riding or driving; besides a move and an attack."),
)
"""What an attack or a skill roll needs (sections II.3 to II.5)."""

DEFEAT: Rows = (
    ("Armor", "A figure that is hit and has armor rolls for it at once; success turns the hit into a miss."),
    (
        "Defeated",
        "Otherwise take it off the table. Whoever and whatever it carried stays on the spot; a rider goes on as a guy.",
    ),
    ("Items", "Any figure picks an item up by ending its move on it, and carries as many as it likes."),
    ("Buildings, walls", "Never in cover. When hit, roll: 3 or more holds, else players agree how much falls."),
)
"""What a hit does (section III)."""

KNOCKBACK_ABOVE = 7
"""Each point of the die above this knocks the target back half a move unit (section VI)."""
KNOCKBACK_POWERS = ("super-blast", "super-fight")
KNOCKBACK_KINDS = (("Guy", "troop"), ("Cavalry", "cavalry"), ("Vehicle", "vehicle"))
"""The targets that a table of knockback tells apart, and the kind whose move unit each has."""
KNOCKBACK_TEXT = (
    "For attacks with Super-Blast or Super-Fight that hit without defeating, when the die shows 8 or more. "
    "The target goes straight back in inches, as far as it can, and may leave the table. It does not turn."
)

TRAITS_LOST: Mapping[str, str] = {
    "inspiration": "the reroll that it gave each round is gone",
    "revenge": "it makes its last attack now, of the kind that defeated it, on the figure that did it",
    "support": "friends near it no longer add its +1",
}
"""What to do, or to stop doing, when a figure with a trait is defeated (section V)."""

# ---------------------------------------------------------------- scenarios

_EDGE = "Set up all figures along one side of the table, 2 move units or more from every other player's."
_MOST_POINTS = "Defeat the most points of enemies. Or agree before: whoever has figures left after five rounds."
_FIVE_ROUNDS = "After five rounds, or when a force is wiped out."
_WIPED_OUT = "is wiped out: the game ends now"


class Setup(NamedTuple):
    """A scenario at the table. ``deploy``, ``wins`` and ``wiped_out`` go by side; "" is every side.

    ``wiped_out``: the end of a sentence for a force without a figure left. ``together``: what all players share.
    """

    deploy: Mapping[str, str]
    wins: Mapping[str, str]
    ends: str
    wiped_out: Mapping[str, str]
    together: Rows = ()


SCENARIO_SETUP: Mapping[str, Setup] = {
    "basic": Setup({"": _EDGE}, {"": _MOST_POINTS}, _FIVE_ROUNDS, {"": _WIPED_OUT}),
    "escape": Setup(
        {"": _EDGE},
        {"": "Be the first with more than half of your original figures, not points, across to the opposite edge."},
        "When a force has won, after five rounds, or when a force is wiped out.",
        {"": _WIPED_OUT},
        (("Too few left", "A force that can no longer win may go on attacking to stop the others."),),
    ),
    "transport": Setup(
        {"": _EDGE},
        {"": "Bring the object back to the side of the table where you began."},
        "When the object is home, after five rounds, or when a force is wiped out.",
        {"": _WIPED_OUT},
        (
            ("Object", "Put a marker in the middle of the table; it may be a person who does not fight."),
            ("Carrying", "It hinders nobody and cannot be harmed. It falls where its carrier is defeated."),
        ),
    ),
    "spawning": Setup(
        {
            "infiltrator": "Set up all figures along one side of the table.",
            "spawner": "Set up a single figure of your choice on the opposite side; the others wait.",
        },
        {"": f"The rulebook names no other goal. {_MOST_POINTS}"},
        _FIVE_ROUNDS,
        {"": _WIPED_OUT},
        (
            (
                "Spawning",
                "At the start of each turn a spawner with figures waiting rolls a die. Defeated ones stay out.",
            ),
            ("1, 2, 3, 4", "A figure enters: opposite your own side, on your right, on your own side, on your left."),
            ("5, 6", "5: it enters on a side of your choice. 6: nobody enters."),
            ("Entering", "Up to 1 move unit from the edge. It may move and attack at once."),
        ),
    ),
    "ambush": Setup(
        {
            "ambusher": "Set up behind terrain and buildings, covered as well as they allow.",
            "target": "Set up in the open, each figure within 1 move unit of another of the targets.",
        },
        {"ambusher": "Defeat every target figure.", "target": "Defeat every ambusher figure."},
        "When all figures of one side are defeated, whatever the round.",
        {"": "is wiped out: the game ends as soon as nobody else fights on its side"},
        (("Initiative", "Ambushers add +1 to their initiative rolls for the whole game."),),
    ),
    "fortress-assault": Setup(
        {
            "assaulter": "Set up 2 move units away from the building.",
            "defender": "Set up within half a move unit of the building.",
        },
        {"assaulter": "Destroy the building.", "defender": "Defeat every assaulter figure."},
        "When the building falls or all assaulters are defeated, whatever the round.",
        {
            "assaulter": "is wiped out: if no other assaulter is left, the surviving defenders win",
            "defender": "is wiped out: the assault goes on until the building falls",
            "": "is wiped out: without any assaulters left the defenders win; without defenders the assault goes on",
        },
        (
            (
                "Building",
                "Use a large one. It is gone after two hits that it does not save on 3 or more, "
                "and after one more for each assaulting player beyond the first.",
            ),
        ),
    ),
}
"""Every scenario (section VIII)."""

# ---------------------------------------------------------------- measures


class Scale(NamedTuple):
    """A size of figures; ``space`` in words, the move unit and both ranges in spaces (section IX)."""

    figures: str
    examples: str
    space: str
    move: int
    short: int
    long: int


SCALES: tuple[Scale, ...] = (
    Scale("4.7 mm", "small toy cars", "1/2 inch", 12, 20, 50),
    Scale("15 mm", "traditional wargame figures, N gauge", "1/2 inch", 12, 20, 50),
    Scale("25 to 32 mm", "most gaming figures, HO gauge", "1 or 1 1/2 inches", 6, 10, 25),
    Scale("54 mm", "plastic soldiers, small action figures, O gauge", "2 inches", 3, 8, 15),
    Scale("90 mm", "4-inch action figures, G gauge", "3 inches", 2, 5, 10),
    Scale("180 mm", "7-inch action figures", "3 inches", 2, 3, 8),
    Scale("300 mm", "fashion dolls, large soft toys", "6 inches", 1, 2, 5),
)
"""Measures for every size of figures; the short range is the distance attack unit."""
SCALES_TEXT = (
    "In spaces: squares, hexes or lengths of that size. "
    "The rules themselves are for 25 to 32 mm, with a short range of 12."
)

PAPER_MEASURES: tuple[tuple[str, str, str], ...] = (
    ("Guy", "short edge, 8 1/2 inches", "half the short edge, 4 inches"),
    ("Cavalry", "long edge, 11 inches", "short edge, 8 1/2 inches"),
    ("Vehicle", "long edge and half the short one, 15 inches", "short edge, 8 1/2 inches"),
    ("Distance attack", "long edge, 11 inches", ""),
)
"""Measuring with a sheet of letter paper instead of a ruler: what, its move unit, its half move unit (section X)."""

SOLO: tuple[tuple[str, str], ...] = (
    (
        "6",
        "All its figures act. Then one defeated figure, with its mount or crew, returns within 1 move unit of where it "
        "began and more than 1 move unit from any enemy.",
    ),
    ("4–5", "All its figures act."),
    ("2–3", "Half its figures act, rounded up; or half its points."),
    ("1", "One figure acts."),
)
"""Who acts in a turn of a side, by a D6 rolled at its start: both the player's and the other (section XI)."""

PAPER_INCHES: Mapping[str, tuple[Fraction, Fraction | None]] = {
    "guy": (Fraction(17, 2), Fraction(4)),
    "cavalry": (Fraction(11), Fraction(17, 2)),
    "vehicle": (Fraction(15), Fraction(17, 2)),
    "distance": (Fraction(11), None),
}
"""The same measures as numbers: move unit and half move unit in inches, which are not always halves (section X)."""

# ---------------------------------------------------------------- one figure's rolls


class Roll(NamedTuple):
    """A roll of one figure, worked out.

    ``die`` is 6, 8, 10 or 12; ``target`` the least that the die itself must show, bonuses taken off; ``note`` what
    went into it. ``dice`` of them are rolled, and the highest counts.
    """

    name: str
    die: int
    target: int
    note: str = ""
    dice: int = 1


BUILDING_ROLL = Roll("Building that it hits saves", 6, 3)
"""Nobody's bonus changes what a building or a feature of the terrain rolls (section III)."""
ROLL_TRAITS: Mapping[str, str] = {"distance": "sharpshooter", "hand to hand": "combat-master", "armor": "tough"}
"""Traits that add +1 to a kind of roll (section V)."""
ROLL_POWERS: Mapping[str, str] = {
    "distance": "super-blast",
    "hand to hand": "super-fight",
    "armor": "super-armor",
    "skill": "super-skill",
}
"""Super powers that change the die of a kind of roll (section VI)."""
TRAIT_ROLLS: tuple[tuple[str, str, int, str], ...] = (
    ("disable", "Disable", 4, "instead of attack or skill"),
    ("summon", "Summon", 5, "instead of attack or skill"),
    ("recruit", "Recruit", 5, "after defeating hand to hand"),
)
"""Traits with a die of their own: code, name, the least result that succeeds, and when it is rolled (section V)."""
OTHER_ROLLS: Mapping[str, int] = {"mook": -1}
"""What a kind adds to every other die of its own: a mook's penalty is to all of them (section IV)."""


def traits_of(figure: Profile) -> set[str]:
    """The traits of a figure, each under the name that the rulebook lists."""
    return {ALIASES.get(slug, slug) for slug in figure.traits}


def rolls(figure: Profile, terms: ForceTerms) -> tuple[Roll, ...]:
    """Every roll of a figure, with its die and its target after bonuses (sections II to VI and XII).

    The building's is last: what a building or a feature of the terrain needs when this figure hits it.
    """
    own = [_roll(figure, label, kind, least, terms) for label, kind, least in ROLLS if _makes(figure, label, kind)]
    return (*own, *_trait_rolls(figure), BUILDING_ROLL)


def _makes(figure: Profile, label: str, kind: str) -> bool:
    if kind == "distance":
        return figure.distance
    if kind == "armor":
        return ARMOR_ROLLS[label] == armor_of(figure)
    return kind != "skill" or figure.kind in GUYS


def _roll(figure: Profile, label: str, kind: str, least: int, terms: ForceTerms) -> Roll:
    bonuses = [*_bonuses(figure, kind)]
    power = POWERS.get((ROLL_POWERS[kind], figure.powers.get(ROLL_POWERS[kind], "")))
    die, target = power.die if power else 6, least - sum(bonus for _, bonus in bonuses)
    twice = kind == "distance" and figure.automatic_fire
    notes = [f"{why} {'+' if bonus > 0 else '−'}{abs(bonus)}" for why, bonus in bonuses]
    notes += ["best of 2"] if twice else []
    notes += ["knockback on 8+"] if power and power.power in KNOCKBACK_POWERS else []
    notes += ["only with a friend’s Support"] if target > die else []
    return Roll(label, die, target, ", ".join(notes), 2 if twice else 1)


def _bonuses(figure: Profile, kind: str) -> Iterator[tuple[str, int]]:
    """What is added to the die of a kind of roll, and why."""
    by_kind = BONUSES.get(figure.kind, {}).get(kind, 0)
    traits, trait = traits_of(figure), ROLL_TRAITS.get(kind)
    if by_kind:
        yield figure.kind, by_kind
    if trait in traits:
        yield trait.replace("-", " ").title(), 1
    if "support" in traits and figure.support and figure.support.replace("-", " ") == kind:
        yield "Support", 1


def _trait_rolls(figure: Profile) -> Iterator[Roll]:
    penalty = OTHER_ROLLS.get(figure.kind, 0)
    for code, name, least, when in TRAIT_ROLLS:
        if code in traits_of(figure):
            yield Roll(name, 6, least - penalty, f"{figure.kind} −{-penalty}, {when}" if penalty else when)


class Pace(NamedTuple):
    """How far a figure goes and shoots, in inches; ``initiative`` is what it adds to its force's roll.

    ``reach`` is None for a figure without a distance attack.
    """

    move: Fraction
    half: Fraction
    reach: Fraction | None
    initiative: int


def pace(figure: Profile, *, paper: bool = False) -> Pace | None:
    """A figure's move with Super-Move, by the ruler or by a sheet of paper (sections II, VI, X); None for no kind.

    The half move unit stays that of the kind. A whole unit more is two halves, but on paper they differ.
    """
    if figure.kind not in KINDS:
        return None
    if paper:
        unit, half = PAPER_INCHES["guy" if figure.kind in GUYS else figure.kind]
        reach = PAPER_INCHES["distance"][0]
    else:
        unit, half, reach = Fraction(MOVES[figure.kind].inches), MOVES[figure.kind].half, Fraction(REACH)
    more = HALF_MOVES_MORE.get(figure.powers.get("super-move", ""), 0)
    shoots = reach * (2 if "sniper" in traits_of(figure) else 1) if figure.distance else None
    half = half or Fraction(0)
    return Pace(unit + more // 2 * unit + more % 2 * half, half, shoots, more)
