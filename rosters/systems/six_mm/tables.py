"""6MM's tables: base strengths and prices (tables 2, 3, 11), ranges and moves (6, 4), the reference panel.

PURE. Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Type(NamedTuple):
    """A type of stand: its base strength (table 2) and what it stands for (table 1)."""

    strength: int
    name: str
    text: str


class Gun(NamedTuple):
    """A gun: the factor that it adds to points (table 7) and its range in squares on an ART stand (table 6)."""

    factor: int
    range: int
    name: str


class Ordnance(NamedTuple):
    """How an aircraft is armed: points on top of its strength (table 11)."""

    points: int
    name: str
    text: str


TYPES: Mapping[str, Type] = {
    "INF/A": Type(7, "Armoured infantry", "Foot in close order, armoured, who fight hand to hand."),
    "INF/U": Type(6, "Unarmoured infantry", "Foot in close order, without armour, who fight hand to hand."),
    "WBD": Type(5, "Warband", "Tribesmen and irregulars in loose order, best when they charge."),
    "PKE": Type(6, "Pikes", "Close order foot with long pikes; elephants are counted here."),
    "ARC": Type(5, "Archers", "Close order foot with bows, crossbows or matchlocks."),
    "MSK": Type(6, "Muskets", "Close order foot who fire volleys and carry bayonets."),
    "SKI/F": Type(4, "Skirmishers on foot", "Open order foot with missiles or firearms."),
    "SKI/M": Type(4, "Mounted skirmishers", "Open order riders with missiles or firearms."),
    "SKI/S": Type(4, "Support weapons", "Infantry with heavy machine guns or mortars; 1 point more."),
    "CAV/A": Type(6, "Armoured cavalry", "Armoured horse that fights mounted."),
    "CAV/U": Type(5, "Unarmoured cavalry", "Lighter horse and camels that fight mounted."),
    "ART": Type(4, "Artillery", "Heavy guns and engines with their transport, also against aircraft."),
    "TNK": Type(5, "Tanks", "Armoured vehicles: strength 5 light, 6 medium, 7 heavy, 8 super-heavy."),
    "AIR": Type(4, "Aircraft", "Strike aircraft and helicopters; their ordnance is paid for."),
}
ARMOUR = {"light": 5, "medium": 6, "heavy": 7, "super-heavy": 8}
"""Base strength of a TNK stand by its armour."""
QUALITY = {"poor": -2, "average": 0, "good": 2, "elite": 3}
GUNS: Mapping[str, Gun] = {
    "torsion": Gun(0, 2, "torsion engine"),
    "smoothbore": Gun(1, 4, "smoothbore muzzle-loader"),
    "rifled-muzzle-loader": Gun(2, 6, "rifled muzzle-loader"),
    "breech-loader-79": Gun(3, 7, "breech-loader to 79 mm"),
    "breech-loader-130": Gun(4, 9, "breech-loader, 80 to 130 mm"),
    "breech-loader-heavy": Gun(5, 12, "breech-loader above 130 mm"),
}
ORDNANCE: Mapping[str, Ordnance] = {
    "unarmed": Ordnance(0, "unarmed", "Shoots nothing and drops nothing."),
    "fighter": Ordnance(1, "fighter", "Strafes as MSK with rifles."),
    "fighter-bomber": Ordnance(2, "fighter-bomber", "Strafes as MSK with rifles; one bomb or load of rockets."),
    "bomber": Ordnance(3, "larger bomber", "Two bombs."),
    "jet-fighter-bomber": Ordnance(
        4, "jet fighter-bomber", "Strafes as MSK with rifles; two bombs or loads of rockets."
    ),
    "attack-helicopter": Ordnance(5, "attack helicopter", "Shoots as SKI/S; two loads of rockets."),
}
FOOT = ("INF/A", "INF/U", "PKE", "MSK", "WBD", "ARC", "SKI/F", "SKI/S")

# ---------------------------------------------------------------- ranges and moves, in squares

RANGES = {
    "ARC": "1, longbow 2",
    "MSK": "1, rifles 2",
    "SKI/F": "1, rifles 2",
    "SKI/M": "1",
    "SKI/S": "3",
    "AIR": "what it flies over, rockets 2",
}
MOVES = {
    "WBD": "2, charging 3",
    "SKI/F": "3",
    "SKI/S": "3",
    "SKI/M": "4, charging 5",
    "CAV/A": "4",
    "CAV/U": "4, charging 5",
    "TNK": "slow 3, medium 4, fast 6",
}
TANK_RANGE = -3
HORSE_RANGE = -1


# ---------------------------------------------------------------- the reference panel

PANEL: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Terrain and moves (table 5)": (
        ("Steep slope, uphill", "-1"),
        ("Woods: SKI", "-1"),
        ("Woods: CAV, ART, TNK", "at most 1, no shooting or fighting"),
        ("Woods: PKE", "impassable"),
        ("Woods: all others", "double cost"),
        ("Built-up area", "at most 1; PKE, CAV, ART, TNK by road only"),
        ("Marsh", "-1; not ART, TNK, CAV, PKE or motors"),
        ("River", "at bridges and fords; SKI without motors anywhere at double cost"),
        ("Road all the way, not charging", "+1; TNK and motors +2"),
    ),
    "Shooting, die plus (table 7)": (
        ("Half the firer's strength now", "+1/2"),
        ("SKI/F or MSK with breech-loading rifles or better", "+2"),
        ("SKI/S", "+3"),
        ("Smoothbore muzzle-loader", "+1"),
        ("Rifled muzzle-loader", "+2"),
        ("Breech-loader to 79 mm", "+3"),
        ("Breech-loader, 80 to 130 mm", "+4"),
        ("Breech-loader above 130 mm", "+5"),
        ("Gun on a TNK", "-1"),
        ("Guided missile", "+1"),
        ("Target's flank", "+2"),
        ("Target's rear", "+3"),
    ),
    "Shooting, die less (table 8)": (
        ("Target is SKI", "-2"),
        ("Firer is SKI", "-2"),
        ("Light TNK; INF/A without gunpowder against it", "-2"),
        ("Medium TNK", "-3"),
        ("Heavy TNK", "-4"),
        ("Super-heavy TNK", "-5"),
        ("Off-board artillery", "-2"),
        ("Then indirect fire or bombs", "half"),
        ("Then cover", "half"),
        ("Then the target's save", "less a D6"),
    ),
    "Close combat, die plus (table 9)": (
        ("Half the attacker's strength now (armoured or motorised: a quarter)", "+1/2"),
        ("INF or MSK; mounted against foot or ART", "+2"),
        ("Foot against TNK, SKI/S or elephants in the open", "+1"),
        ("The same in woods or a built-up area", "+2"),
        ("Charging, or a general's stand", "+1"),
        ("SKI/F after 1915, or a charging WBD", "+1"),
        ("PKE to its front", "+2"),
    ),
    "Close combat, die less (table 10)": (
        ("CAV/A against no firearms or those before about 1700", "-1"),
        ("INF/A against the same", "-2"),
        ("Attacker is SKI", "-2"),
        ("Then foot or ART defending terrain", "half"),
        ("Then flank or rear", "double; against PKE treble"),
        ("Then the defender's save", "less a D6"),
    ),
}
"""What the table needs at hand: per heading, cases and what each does."""


def words() -> Iterator[tuple[str, str, str]]:
    """Code, name and meaning of every type, gun and ordnance."""
    for code, kind in TYPES.items():
        yield code, kind.name, f"{kind.text} Base strength {kind.strength}."
    for code, gun in GUNS.items():
        yield code, gun.name.capitalize(), f"Gun factor {gun.factor}, range {gun.range} squares on ART."
    for code, load in ORDNANCE.items():
        yield code, load.name.capitalize(), f"{load.text} {load.points} more on an aircraft."


# ---------------------------------------------------------------- play, in our words: cases and what each does

Rows = tuple[tuple[str, str], ...]

CONCERNS: Mapping[str, tuple[str, ...]] = {
    "Woods: SKI": ("SKI",),
    "Woods: CAV, ART, TNK": ("CAV/A", "CAV/U", "ART", "TNK"),
    "Woods: PKE": ("PKE",),
    "Woods: all others": ("INF/A", "INF/U", "WBD", "ARC", "MSK"),
    "SKI/F or MSK with breech-loading rifles or better": ("SKI/F", "MSK", "strafes"),
    "SKI/S": ("SKI/S", "attack-helicopter"),
    "Smoothbore muzzle-loader": ("smoothbore",),
    "Rifled muzzle-loader": ("rifled-muzzle-loader",),
    "Breech-loader to 79 mm": ("breech-loader-79",),
    "Breech-loader, 80 to 130 mm": ("breech-loader-130", "bombs"),
    "Breech-loader above 130 mm": ("breech-loader-heavy",),
    "Gun on a TNK": ("TNK gun",),
    "Guided missile": ("guided", "attack-helicopter"),
    "Target is SKI": ("SKI",),
    "Firer is SKI": ("SKI",),
    "Light TNK; INF/A without gunpowder against it": ("TNK light", "INF/A"),
    "Medium TNK": ("TNK medium",),
    "Heavy TNK": ("TNK heavy",),
    "Super-heavy TNK": ("TNK super-heavy",),
    "Off-board artillery": ("off-board",),
    "Then indirect fire or bombs": ("ART", "SKI/S", "bombs"),
    "INF or MSK; mounted against foot or ART": ("INF/A", "INF/U", "MSK", "mounted"),
    "Foot against TNK, SKI/S or elephants in the open": ("foot", "TNK", "elephant"),
    "The same in woods or a built-up area": ("foot", "TNK", "elephant"),
    "SKI/F after 1915, or a charging WBD": ("SKI/F after 1906", "WBD"),
    "PKE to its front": ("PKE",),
    "CAV/A against no firearms or those before about 1700": ("CAV/A",),
    "INF/A against the same": ("INF/A",),
    "Attacker is SKI": ("SKI",),
    "Then foot or ART defending terrain": ("foot", "ART"),
}
"""Cases of ``PANEL`` that matter only to an army with one of these; the other cases are for every army."""

ROUND: Rows = (
    ("Initiative", "Each side rolls a D6, superior general +1, inferior -1. The higher takes the first turn."),
    ("Turns", "In turn, each side acts with a set of exactly three stands, adjacent or not."),
    ("Last", "A set of fewer than three waits until the end. When all stands have acted, begin a new round."),
    ("1 Command", "Check that each stand of the set is in command distance."),
    ("2 Forced moves", "First routs, then stands that must return to command."),
    ("3 Other moves", "A stand moves and shoots, or moves and fights, never all three."),
    ("4 Shooting", "Resolve it stand by stand."),
    ("5 Close combat", "Resolve it; only the stands of this set inflict hits."),
    ("6 Afterwards", "Rally tests, army morale, anything else."),
    ("Fractions", "Round a half or more up, anything less down."),
)
"""Section 3.3 and rule 1.2."""

COMMAND: Rows = (
    ("Free to move", "A stand next to its general or to a friend."),
    ("Otherwise", "It may go no farther than this from a stand that a line of friends joins to a general:"),
    ("Without radio", "2 squares, one between"),
    ("With radio", "4 squares, three between"),
    ("Out of command", "It must move so as to join a line again."),
)
"""Rule 4.1.2."""

MOVING: Rows = (
    ("At least", "1 square, whatever is deducted"),
    ("Diagonals", "Beyond the first square, a diagonal move or range reaches one square less."),
    ("Facing", "One change a turn"),
    ("Mounting, dismounting", "1 square; then at the speed of the transport, on animals 4"),
    ("Leaving a close combat", "1 square less, straight away, facing changed first if you like; no shot, no new fight"),
    ("Through friends", "SKI only, or through SKI. Others swap adjacent squares for 2 squares each."),
)
"""Rules 1.3, 4.2 and 4.3."""

CHARGES: Rows = (
    ("A charge", "A move to drive an enemy out of its square; from an adjacent square it is none."),
    ("Path", "Straight; turn once at the start, by one facing at most. Off a diagonal, end against a flat side."),
    ("Never charge", "PKE, TNK, SKI/S, ARC, ART"),
    ("No bonus", "Against the front of ART, PKE or SKI/S it is an advance into contact."),
    ("Movement", "It needs enough left to enter the square that it attacks."),
    ("Fire at chargers", "Range above 1, and chargers from more than a square away: one shot before contact."),
)
"""Rules 4.4 and 6.3."""

SHOOTING: Rows = (
    ("Actor", "ARC, MSK, ART, SKI, TNK at one target within 45 degrees of their facing, the diagonal included"),
    ("Roll", "D6, plus and less what follows, in that order: hits off the target's strength; below 0, none"),
)
"""Rules 5.1 and 5.2."""

CONTACT: Rows = (
    ("Actor", "Ground stands, to their front; each enemy in contact attacks in its own turn."),
    ("Turning", "Face a flank attacker in your next turn, unless an enemy in front pins the stand."),
    ("Charge bonus", "In the first turn of contact only"),
    ("Roll", "D6 for each stand, plus and less what follows, in that order"),
)
"""Rules 6.1 to 6.3."""

OUTCOME: Rows = (
    ("Up to half its strength now", "Stays and fights on next turn (for exactly half, our reading)"),
    ("More than half", "Recoils a square from the attacker in front; if it cannot, it is eliminated."),
    ("Attacker in front", "May enter the square that was left."),
    ("No strength left", "Eliminated"),
)
"""Rule 6.5: what the hits of a close combat do to the stand that takes them."""

ROUT: Rows = (
    ("Below half its starting strength", "Flees for the edge, one standard move a turn, until it rallies"),
    ("Rally", "5 or 6 on a D6. Any later hit routs it again."),
    ("No strength left", "Eliminated"),
)
"""Rules 7.2 to 7.4."""

SIGHT: Rows = (
    ("In the open", "Unlimited"),
    ("Terrain", "Seen one square into, never through"),
    ("Stands", "Block sight, SKI excepted"),
)
"""Rule 8.6."""

Case = tuple[tuple[str, ...], str, str]
"""What an army must have one of, then a case and what it does."""

SPECIALS: tuple[Case, ...] = (
    (("general",), "General", "Lost, it takes 1 off every later army-morale die of its side."),
    (("states",), "Stands with states", "Swap the stand when it mounts, dismounts or changes its order."),
    (
        ("INF/A", "INF/U"),
        "Backstep",
        "INF/A and INF/U (our reading) may step back one square unturned, not diagonally.",
    ),
    (("SKI/F", "SKI/M"), "Evading", "When charged, SKI/F and SKI/M may fall back one square."),
    (
        ("MSK",),
        "Infantry squares",
        "From about 1700, for 1 square of movement: no moving or shooting. No flanks; counts as PKE from every side "
        "and as defending terrain in close combat; shots hit as usual.",
    ),
    (("ART",), "Limbering", "1 square of movement, and 1 to unlimber"),
    (("off-board",), "Off-board artillery", "Guns above 100 mm. They reach 10 squares onto the board; 2 off the die."),
    (("TNK",), "Tanks", "Fixed guns shoot straight ahead only. SKI in an infantry combat vehicle shoot as SKI/S."),
    (("works",), "Field works", "Double cover: halve the hits twice (our reading)."),
    (
        ("AIR",),
        "Aircraft",
        "One pass and one attack, ahead or on what it flew over. After five turns or more, back on a 6.",
    ),
    (("AIR",), "Landing, taking off", "10 squares of movement each"),
    (
        ("strafes",),
        "Strafing",
        "The square that is flown over (5.1), as MSK with rifles (5.2): 2 on the die, and no SKI's 2 off. "
        "Table 11 prints SKI/F; this is our reading.",
    ),
    (("bombs",), "Bombs", "Each load once, as a gun of 130 mm, on what is flown over; indirect, so halved."),
    (("rockets",), "Rockets", "2 squares, during the move or after it, as the gun that compares."),
    (("off-board", "bombs"), "Chemical weapons", "If agreed: a stand that is hit loses D6 - 2 more."),
)
"""Rules of single kinds of stand: 2.1, 4.2, 4.3, 5, 6.4 and 8."""

TO_AGREE: tuple[Case, ...] = (
    (("agreed",), "Peculiarities", "Accept what is stronger or weaker than others of its type"),
    (("AIR",), "Ordnance", "Write down the bombs and rockets"),
    (("TNK",), "Speed of tanks", "Slow 3, medium 4 or fast 6 squares"),
    (("ARC",), "Bows", "Longbows reach 2 squares, others 1"),
    (("SKI/F", "MSK"), "Rifles", "Breech-loaders and better add 2 to the die; rifles reach 2 squares"),
    (("off-board 80-130",), "Off-board guns", "Only guns above 100 mm may be off the board: say that these are"),
    (("transport",), "Shared transport", "Say which stands, ART or foot, ride in the pool"),
    (("works",), "Field works", "Mark the squares"),
)
"""What players settle before a battle when an army has one of these."""

SETTING_UP: Rows = (
    ("Board", "Squares of 50 mm, as many as you like; one stand or terrain feature fills a square."),
    ("Terrain", "Lay it out first, as the time and the place ask."),
    ("Who begins", "Roll a die: the winner sets up first or leaves that to the opponent."),
    ("Placing", "Three stands at a time, by turns, until all are down."),
    ("Where", "At most 4 squares in from your own edge, and never on the outermost ring of squares."),
    ("Radio", "Agree whether the armies have it: command distance 4 squares instead of 2."),
)
"""Sections 3.1 and 3.2."""

INITIATIVE = {"superior": "+1", "competent": "0", "inferior": "-1"}
"""What the commander adds to the die for initiative (3.3)."""
STRAFES = ("fighter", "fighter-bomber", "jet-fighter-bomber")
BOMBS = ("fighter-bomber", "bomber", "jet-fighter-bomber")
ROCKETS = ("fighter-bomber", "jet-fighter-bomber", "attack-helicopter")
"""Ordnance by what it does (table 11)."""

# ---------------------------------------------------------------- the sheets: what a profile leaves open

LOADS = {"fighter-bomber": 1, "bomber": 2, "jet-fighter-bomber": 2, "attack-helicopter": 2}
"""Bombs or loads of rockets that an aircraft uses up (table 11)."""
TURNS_AWAY = 5
"""Turns that an aircraft is off the board at least, before a 6 brings it back (8.3)."""
