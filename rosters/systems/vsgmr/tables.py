"""The tables of a VSGMR game: moves, rolls, damage, scenarios, scales, paper measures and solo play, in our words.

Rulebook: VSGMR, Domino Writing; sections II to VI and VIII to XII.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from rosters.core.messages import Message, _, join
from rosters.systems.vsgmr.rules import (
    GUYS,
    KIND_NAMES,
    KINDS,
    POWERS,
    TRAITS,
    Profile,
    RosterTerms,
    armor_of,
    trait_codes,
)

Rows = tuple[tuple[str, Message], ...]
"""A heading and a sentence or two, row by row."""

MAX_DIFFERENCE = 5
"""Rosters are even if they are at most so many points apart (section IV)."""

# ---------------------------------------------------------------- a round

ROUND: Rows = (
    (_("1 Initiative"), _("All players roll a die. The highest chooses who goes first, then clockwise. Reroll ties.")),
    (_("2 Movement"), _("In this order, each player moves any of their figures, each figure once.")),
    (_("3 Distance attacks"), _("In this order, each player makes distance attacks.")),
    (_("4 Hand to hand"), _("In this order, each player attacks with figures that touch an enemy.")),
    (_("5 Skill"), _("In this order, each player makes skill rolls with guys.")),
)
"""The steps of a round (section II)."""

MOVING: Rows = (
    (_("Path"), _("Any curve, also through other figures. Turn the figure in any direction at the end.")),
    (_("Rough terrain"), _("Half a move until the figure is completely outside: woods, rocks, water, hillsides.")),
    (_("Barriers"), _("A figure cannot move through walls and fences.")),
    (_("Off the table"), _("A figure that leaves the table cannot return.")),
)
"""Movement (section II.2)."""

ON_PLAN: Mapping[str, str] = {
    "wood": _("Woods: half a move, cover"),
    "hill": _("Hillside: half a move"),
    "town": _("Building: cover, armor roll 3+"),
    "rough": _("Rocks, water: half a move"),
    "wall": _("Wall: cover, no way through"),
    "road": _("Road: no effect"),
}
"""Terrain in short, for the plan of a table (sections I to III)."""
RIDING: Rows = (
    (_("Mounting"), _("A guy rides or drives what it moves onto, and gets off by moving away.")),
    (
        _("Aboard"),
        _("They move with the mount or vehicle, in cover, and do not move, attack or use skills themselves."),
    ),
    (_("Nobody aboard"), _("A mount or vehicle without a rider or driver cannot move, unless Independent.")),
)
"""Riders and drivers (section II.2)."""


class Move(NamedTuple):
    """How far a kind moves in a turn, in inches at the scale of 25 to 32 mm; half of it is its half move unit."""

    inches: int
    carries: str = ""
    dice: str = ""

    @property
    def half(self) -> Fraction:
        return Fraction(self.inches, 2)


MOVES: Mapping[str, Move] = {
    "mook": Move(6, dice=_("−1 to all rolls")),
    "troop": Move(6),
    "hero": Move(6, dice=_("+1 to attacks and skill rolls")),
    "cavalry": Move(9, _("rider")),
    "vehicle": Move(12, _("driver and 4 guys"), _("+1 to attacks and armor rolls")),
}
"""Kinds of figures (sections II and IV)."""
LARGE_CARRIES = _("rider and 1 guy")
"""What large cavalry carries (section IV)."""
SEATS: Mapping[str, int] = {"cavalry": 1, "vehicle": 5}
"""The places on a mount or vehicle; large cavalry has one more."""
EXTRA_HALF_MOVES: Mapping[str, int] = {"minor": 1, "major": 2, "superior": 3}
"""Half move units that each tier of Super-Move adds to a turn; as much is added to initiative (section VI)."""
REACH = 12
"""The distance attack unit in inches; twice as much for a Sniper (section II.3)."""

# ---------------------------------------------------------------- rolls

BONUSES: Mapping[str, Mapping[str, int]] = {
    "mook": {"distance": -1, "hand-to-hand": -1, "armor": -1, "skill": -1},
    "troop": {},
    "hero": {"distance": 1, "hand-to-hand": 1, "skill": 1},
    "cavalry": {},
    "vehicle": {"distance": 1, "hand-to-hand": 1, "armor": 1},
}
"""What each kind of figure adds to its die, by the kind of roll (sections II and IV)."""

ROLLS: tuple[tuple[str, Message, str, int], ...] = (
    ("distance", _("Distance attack"), "distance", 5),
    ("cover", _("… in cover"), "distance", 6),
    ("hand-to-hand", _("Hand to hand attack"), "hand-to-hand", 4),
    ("light", _("Light armor"), "armor", 6),
    ("heavy", _("Heavy armor"), "armor", 4),
    ("skill", _("Skill"), "skill", 4),
)
"""The code of a roll, its name, its kind, and the lowest result that succeeds (section XII)."""

ATTACKING: Rows = (
    (_("Distance"), _("The target is in front, in sight and within 12 inches in a straight line.")),
    (_("Hand to hand"), _("The target is touched. To check, lay the figure down. Cover does not count.")),
    (_("Number"), _("One attack in a round, distance or hand to hand, also after a move.")),
    (
        _("Cover"),
        _("At least half hidden. Riders and drivers are always in cover. In doubt, roll: on 4+ it is covered."),
    ),
    (_("Line of sight"), _("In doubt, roll a die: on 4+ the figure sees its target.")),
    (_("Skill"), _("Only guys, and not while riding or driving; in addition to a move and an attack.")),
)
"""The conditions of attacks and skill rolls (sections II.3 to II.5)."""

DEFEAT: Rows = (
    (_("Armor"), _("A figure that is hit makes an armor roll at once, if it has armor. A success cancels the hit.")),
    (_("Defeated"), _("Otherwise remove it. What it carried stays on the spot; a rider or driver acts as a guy.")),
    (_("Objects"), _("Any figure picks one up by ending its move on it, and can carry any number.")),
    (_("Buildings"), _("Never in cover. When hit, 3+ cancels the hit; otherwise players agree how much is destroyed.")),
)
"""What a hit does (section III)."""

KNOCKBACK_ABOVE = 7
"""Each point of the die above this knocks the target back half a move unit (section VI)."""
KNOCKBACK_POWERS = ("super-blast", "super-fight")
KNOCKBACK_KINDS = ((_("Guy"), "troop"), (KIND_NAMES["cavalry"], "cavalry"), (KIND_NAMES["vehicle"], "vehicle"))
"""The targets in a table of knockback, and the kind whose move unit each has."""
KNOCKBACK = _("On a die of 8+, a target that is not defeated is knocked back half a move unit for each point above 7.")
KNOCKBACK_TEXT = _(
    "In {unit}, for an attack with Super-Blast or Super-Fight that rolls 8+ and does not defeat its target. "
    "The target moves straight back as far as it can, even off the table, and does not turn."
)

TRAITS_LOST: Mapping[str, Message] = {
    "inspiration": _("{figure} is defeated: its reroll by Inspiration is no longer available."),
    "revenge": _(
        "{figure} is defeated. Revenge: it makes a last attack of the same kind now, on the figure that defeated it."
    ),
    "support": _("{figure} is defeated: its Support no longer adds +1 to rolls of friends nearby."),
}
"""What changes when a figure with a trait is defeated (section V)."""

# ---------------------------------------------------------------- scenarios

_EDGE = _("Set up all figures along one side of the table, at least 2 move units from those of other players.")
_MOST_POINTS = _("Defeat the most points of enemies. By agreement instead: have the last figures left after 5 rounds.")
_FIVE_ROUNDS = _("After 5 rounds, or when a roster is wiped out.")
_WIPED_OUT = _("{roster} is wiped out: the game ends now.")


class Setup(NamedTuple):
    """How a scenario is played. ``deploy``, ``wins`` and ``wiped_out`` go by side; "" is every side.

    ``wiped_out`` is a template for the name of a roster without figures. ``shared`` rows concern all players.
    """

    deploy: Mapping[str, Message]
    wins: Mapping[str, Message]
    ends: Message
    wiped_out: Mapping[str, Message]
    shared: Rows = ()


SIDE_NAMES: Mapping[str, Message] = {
    "infiltrator": _("Infiltrators"),
    "spawner": _("Spawners"),
    "ambusher": _("Ambushers"),
    "target": _("Targets"),
    "assaulter": _("Assaulters"),
    "defender": _("Defenders"),
}
"""The sides of scenarios, in the plural."""

SCENARIO_SETUP: Mapping[str, Setup] = {
    "basic": Setup({"": _EDGE}, {"": _MOST_POINTS}, _FIVE_ROUNDS, {"": _WIPED_OUT}),
    "escape": Setup(
        {"": _EDGE},
        {"": _("Be the first to move more than half of your original figures, not points, to the opposite edge.")},
        _("When a player has won, after 5 rounds, or when a roster is wiped out."),
        {"": _WIPED_OUT},
        ((_("Too few left"), _("A player who cannot win any more can still attack to stop the others.")),),
    ),
    "transport": Setup(
        {"": _EDGE},
        {"": _("Bring the object back to the side of the table where you began.")},
        _("When the object is home, after 5 rounds, or when a roster is wiped out."),
        {"": _WIPED_OUT},
        (
            (_("Object"), _("Put a marker in the center of the table. It can be a person who does not fight.")),
            (
                _("Carrying"),
                _("No effect on its carrier. It cannot be attacked, and drops where its carrier is defeated."),
            ),
        ),
    ),
    "spawning": Setup(
        {
            "infiltrator": _("Set up all figures along one side of the table."),
            "spawner": _("Set up a single figure of your choice on the opposite side. The others wait."),
        },
        {"": join((_("The rulebook defines no other goal."), _MOST_POINTS), " ")},
        _FIVE_ROUNDS,
        {"": _WIPED_OUT},
        (
            (
                _("Spawning"),
                _("At the start of its turn, a spawner with waiting figures rolls a die. Defeated ones stay out."),
            ),
            (_("1, 2, 3, 4"), _("A figure enters: opposite side, on your right, your own side, on your left.")),
            (_("5, 6"), _("5: it enters on a side of your choice. 6: no figure enters.")),
            (_("Entering"), _("Within 1 move unit of the edge. It can move and attack at once.")),
        ),
    ),
    "ambush": Setup(
        {
            "ambusher": _("Set up behind terrain and buildings, covered as much as possible."),
            "target": _("Set up in the open, each figure within 1 move unit of another target figure."),
        },
        {"ambusher": _("Defeat every target figure."), "target": _("Defeat every ambusher figure.")},
        _("When all figures of one side are defeated, without a limit of rounds."),
        {"": _("{roster} is wiped out: the game ends, unless other rosters of its side have figures left.")},
        ((_("Initiative"), _("Ambushers add +1 to initiative rolls in the whole game.")),),
    ),
    "fortress-assault": Setup(
        {
            "assaulter": _("Set up 2 move units away from the building."),
            "defender": _("Set up within half a move unit of the building."),
        },
        {"assaulter": _("Destroy the building."), "defender": _("Defeat every assaulter figure.")},
        _("When the building is destroyed or all assaulters are defeated, without a limit of rounds."),
        {
            "assaulter": _("{roster} is wiped out: if no other assaulter is left, the surviving defenders win."),
            "defender": _("{roster} is wiped out: the assault continues until the building is destroyed."),
            "": _(
                "{roster} is wiped out: without assaulters the defenders win; without defenders the assault continues."
            ),
        },
        (
            (
                _("Building"),
                _("A large one. It falls to the second hit, one later for each further assaulter. 3+ cancels a hit."),
            ),
        ),
    ),
}
"""Every scenario (section VIII)."""

# ---------------------------------------------------------------- measures


class Scale(NamedTuple):
    """A size of figures; ``space`` in words, the move unit and both ranges in spaces (section IX)."""

    figures: Message
    examples: Message
    space: Message
    move: int
    short: int
    long: int


SCALES: tuple[Scale, ...] = (
    Scale(_("4.7 mm"), _("small toy cars"), _("½ inch"), 12, 20, 50),
    Scale(_("15 mm"), _("traditional wargame figures, N gauge"), _("½ inch"), 12, 20, 50),
    Scale(_("25–32 mm"), _("most gaming figures, HO gauge"), _("1 or 1½ inches"), 6, 10, 25),
    Scale(_("54 mm"), _("plastic soldiers, small action figures, O gauge"), _("2 inches"), 3, 8, 15),
    Scale(_("90 mm"), _("4-inch action figures, G gauge"), _("3 inches"), 2, 5, 10),
    Scale(_("180 mm"), _("7-inch action figures"), _("3 inches"), 2, 3, 8),
    Scale(_("300 mm"), _("fashion dolls, large soft toys"), _("6 inches"), 1, 2, 5),
)
"""Measures for every size of figures; the short range is the distance attack unit."""
SCALES_TITLE = _("Scales")
SCALES_TEXT = _(
    "In spaces: squares, hexes or lengths of that size. "
    "The rules themselves are for 25–32 mm, with a short range of 12."
)

PAPER_INCHES: Mapping[str, tuple[Fraction, Fraction | None]] = {
    "guy": (Fraction(17, 2), Fraction(4)),
    "cavalry": (Fraction(11), Fraction(17, 2)),
    "vehicle": (Fraction(15), Fraction(17, 2)),
    "distance": (Fraction(11), None),
}
"""Move unit and half move unit in inches by a sheet of letter paper in place of a ruler (section X).

The half move units are not always halves.
"""
PAPER_MEASURES: tuple[tuple[Message, str, str], ...] = (
    (_("Guy"), _("short edge, 8½ inches"), _("half the short edge, 4 inches")),
    (_("Cavalry"), _("long edge, 11 inches"), _("short edge, 8½ inches")),
    (_("Vehicle"), _("long edge and half the short edge, 15 inches"), _("short edge, 8½ inches")),
    (_("Distance attack"), _("long edge, 11 inches"), "–"),
)
"""The same measures in words."""

SOLO: tuple[tuple[str, Message], ...] = (
    (
        "6",
        _(
            "All its figures act. Then one defeated figure, with its mount or crew, returns within 1 move unit of "
            "where it began, more than 1 move unit from any enemy."
        ),
    ),
    ("4–5", _("All its figures act.")),
    ("2–3", _("Half its figures act, rounded up; or half its points.")),
    ("1", _("One figure acts.")),
)
"""Which figures act in a turn of a side, by a D6 rolled at its start for each side (section XI)."""

# ---------------------------------------------------------------- rolls and moves of a figure


class Roll(NamedTuple):
    """A roll of one figure: ``dice`` of the highest count; one must show ``target`` or more.

    ``die`` is 6, 8, 10 or 12. ``target`` includes the bonuses that ``note`` lists.
    """

    code: str
    name: str
    die: int
    target: int
    note: str = ""
    dice: int = 1
    remarks: tuple[str, ...] = ()
    """The parts of the note that are not about bonuses."""
    bonuses: tuple[tuple[str, int], ...] = ()


BEST_OF_TWO = _("best of 2 dice")
BUILDING_ROLL = Roll("building", _("Building, when hit"), 6, 3)
"""The roll of a building or terrain feature, which has no bonuses (section III)."""
ROLL_TRAITS: Mapping[str, str] = {"distance": "sharpshooter", "hand-to-hand": "combat-master", "armor": "tough"}
"""Traits that add +1 to a kind of roll (section V)."""
ROLL_POWERS: Mapping[str, str] = {
    "distance": "super-blast",
    "hand-to-hand": "super-fight",
    "armor": "super-armor",
    "skill": "super-skill",
}
"""Super powers that change the die of a kind of roll (section VI)."""
TRAIT_ROLLS: tuple[tuple[str, int, Message], ...] = (
    ("disable", 4, _("in place of an attack or skill roll")),
    ("summon", 5, _("in place of an attack or skill roll")),
    ("recruit", 5, _("after defeating hand to hand")),
)
"""Traits with a roll of their own: code, lowest result that succeeds, and when it is rolled (section V)."""


def rolls(figure: Profile, terms: RosterTerms) -> tuple[Roll, ...]:
    """Every roll of a figure with its bonuses, and last that of a building it hits (sections II to VI and XII)."""
    possible = {
        "distance": figure.distance,
        "cover": figure.distance,
        "light": armor_of(figure) == "light",
        "heavy": armor_of(figure) == "heavy",
        "skill": figure.kind in GUYS,
    }
    own = [_roll(figure, code, name, kind, least) for code, name, kind, least in ROLLS if possible.get(code, True)]
    return (*own, *_trait_rolls(figure), BUILDING_ROLL)


def _roll(figure: Profile, code: str, name: str, kind: str, least: int) -> Roll:
    bonuses = [*_bonuses(figure, kind)]
    power = POWERS.get((ROLL_POWERS[kind], figure.powers.get(ROLL_POWERS[kind], "")))
    die, target = power.die if power else 6, least - sum(bonus for _name, bonus in bonuses)
    twice = kind == "distance" and figure.automatic_fire
    remarks = [BEST_OF_TWO] if twice else []
    remarks += [_("knockback on 8+")] if power and power.power in KNOCKBACK_POWERS else []
    remarks += [_("only with Support from a friend")] if target > die else []
    note = join((*(_bonus_text(name, bonus) for name, bonus in bonuses), *remarks))
    return Roll(code, name, die, target, note, 2 if twice else 1, tuple(remarks), tuple(bonuses))


def _bonuses(figure: Profile, kind: str) -> Iterator[tuple[str, int]]:
    """What is added to the die of a kind of roll: the name of the reason, and the bonus."""
    traits, trait = trait_codes(figure), ROLL_TRAITS.get(kind)
    if by_kind := BONUSES.get(figure.kind, {}).get(kind):
        yield KIND_NAMES[figure.kind], by_kind
    if trait in traits:
        yield TRAITS[trait].name, 1
    if "support" in traits and figure.support == kind:
        yield TRAITS["support"].name, 1


def _bonus_text(name: str, bonus: int) -> Message:
    return join((name, f"{'+' if bonus > 0 else '−'}{abs(bonus)}"), " ")


def _trait_rolls(figure: Profile) -> Iterator[Roll]:
    """Rolls of traits. A mook's penalty is to all rolls (section IV)."""
    penalty = [_bonus_text(KIND_NAMES["mook"], -1)] if figure.kind == "mook" else []
    for code, least, when in TRAIT_ROLLS:
        if code in trait_codes(figure):
            yield Roll(code, TRAITS[code].name, 6, least + len(penalty), join((*penalty, when)), remarks=(when,))


class Pace(NamedTuple):
    """How far a figure moves and shoots, in inches; ``initiative`` is what it adds to the initiative roll.

    ``reach`` is None for a figure without a distance attack.
    """

    move: Fraction
    half: Fraction
    reach: Fraction | None
    initiative: int


def pace(figure: Profile, *, paper: bool = False) -> Pace | None:
    """A figure's move with Super-Move, by a ruler or a sheet of paper (sections II, VI, X); None for an unknown kind.

    The half move unit stays that of the kind. An additional unit is two halves, but not on paper.
    """
    if figure.kind not in KINDS:
        return None
    if paper:
        unit, half = PAPER_INCHES["guy" if figure.kind in GUYS else figure.kind]
        reach = PAPER_INCHES["distance"][0]
    else:
        unit, half, reach = Fraction(MOVES[figure.kind].inches), MOVES[figure.kind].half, Fraction(REACH)
    more = EXTRA_HALF_MOVES.get(figure.powers.get("super-move", ""), 0)
    shoots = reach * (2 if "sniper" in trait_codes(figure) else 1) if figure.distance else None
    half = half or Fraction(0)
    return Pace(unit + more // 2 * unit + more % 2 * half, half, shoots, more)
