"""6MM's tables: strengths and prices (tables 2, 3, 11), ranges and moves (6, 4), the reference panels.

Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB). The texts are in our words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rosters.core.messages import Message, _, join


class Type(NamedTuple):
    """A type of stand: its base strength (table 2) and what it represents (table 1)."""

    strength: int
    name: str
    text: str


class StandOption(NamedTuple):
    """A choice for a stand: what it adds, its name within a sentence and on its own, and its effect."""

    value: int
    name: str
    title: str
    text: str = ""


class Gun(NamedTuple):
    """A gun: what it adds to points and shooting (table 7), its range in squares on ART (table 6), its names."""

    factor: int
    range: int
    name: str
    title: str


class Purchase(NamedTuple):
    """What is bought without a stand: points each, its name, what is counted, and its effect."""

    points: int
    name: str
    units: str
    text: str


TYPES: Mapping[str, Type] = {
    "INF/A": Type(7, _("Armored infantry"), _("Armored foot in close order who fight hand to hand.")),
    "INF/U": Type(6, _("Unarmored infantry"), _("Unarmored foot in close order who fight hand to hand.")),
    "WBD": Type(5, _("Warband"), _("Tribesmen and irregulars in loose order, best when they charge.")),
    "PKE": Type(6, _("Pikes"), _("Close order foot with long pikes. Elephants count as pikes.")),
    "ARC": Type(5, _("Archers"), _("Close order foot with bows, crossbows or matchlocks.")),
    "MSK": Type(6, _("Muskets"), _("Close order foot who fire volleys and carry bayonets.")),
    "SKI/F": Type(4, _("Skirmishers on foot"), _("Open order foot with missiles or firearms.")),
    "SKI/M": Type(4, _("Mounted skirmishers"), _("Open order riders with missiles or firearms.")),
    "SKI/S": Type(4, _("Support weapons"), _("Infantry with heavy machine guns or mortars; 1 point more.")),
    "CAV/A": Type(6, _("Armored cavalry"), _("Armored cavalry who fight mounted.")),
    "CAV/U": Type(5, _("Unarmored cavalry"), _("Lighter cavalry and camels who fight mounted.")),
    "ART": Type(4, _("Artillery"), _("Heavy guns and engines with their transport, also against aircraft.")),
    "TNK": Type(5, _("Tanks"), _("Armored vehicles: strength 5 light, 6 medium, 7 heavy, 8 super-heavy.")),
    "AIR": Type(4, _("Aircraft"), _("Strike aircraft and helicopters. Their ordnance adds points.")),
}
ARMOUR: Mapping[str, StandOption] = {
    "light": StandOption(5, _("light"), _("Light")),
    "medium": StandOption(6, _("medium"), _("Medium")),
    "heavy": StandOption(7, _("heavy"), _("Heavy")),
    "super-heavy": StandOption(8, _("super-heavy"), _("Super-heavy")),
}
"""Base strength of a TNK stand by its armor."""
QUALITY: Mapping[str, StandOption] = {
    "poor": StandOption(-2, _("poor"), _("Poor")),
    "average": StandOption(0, _("average"), _("Average")),
    "good": StandOption(2, _("good"), _("Good")),
    "elite": StandOption(3, _("elite"), _("Elite")),
}
GENERALS: Mapping[str, StandOption] = {
    "superior": StandOption(1, _("superior"), _("Superior")),
    "competent": StandOption(0, _("competent"), _("Competent")),
    "inferior": StandOption(-1, _("inferior"), _("Inferior")),
}
"""What a general adds to the initiative die (3.3)."""
GUNS: Mapping[str, Gun] = {
    "torsion": Gun(0, 2, _("torsion engine"), _("Torsion engine")),
    "smoothbore": Gun(1, 4, _("smoothbore muzzle-loader"), _("Smoothbore muzzle-loader")),
    "rifled-muzzle-loader": Gun(2, 6, _("rifled muzzle-loader"), _("Rifled muzzle-loader")),
    "breech-loader-79": Gun(3, 7, _("breech-loader to 79\xa0mm"), _("Breech-loader to 79\xa0mm")),
    "breech-loader-130": Gun(4, 9, _("breech-loader, 80–130\xa0mm"), _("Breech-loader, 80–130\xa0mm")),
    "breech-loader-heavy": Gun(5, 12, _("breech-loader above 130\xa0mm"), _("Breech-loader above 130\xa0mm")),
}
ORDNANCE: Mapping[str, StandOption] = {
    "unarmed": StandOption(0, _("unarmed"), _("Unarmed"), _("Neither shoots nor bombs.")),
    "fighter": StandOption(1, _("fighter"), _("Fighter"), _("Strafes as muskets with rifles.")),
    "fighter-bomber": StandOption(
        2, _("fighter-bomber"), _("Fighter-bomber"), _("Strafes as muskets with rifles; one load of bombs or rockets.")
    ),
    "bomber": StandOption(3, _("larger bomber"), _("Larger bomber"), _("Two loads of bombs.")),
    "jet-fighter-bomber": StandOption(
        4,
        _("jet fighter-bomber"),
        _("Jet fighter-bomber"),
        _("Strafes as muskets with rifles; two loads of bombs or rockets."),
    ),
    "attack-helicopter": StandOption(
        5, _("attack helicopter"), _("Attack helicopter"), _("Shoots as support weapons; two loads of rockets.")
    ),
}
"""Points of an aircraft on top of its strength (table 11)."""
PURCHASES: Mapping[str, Purchase] = {
    "WORKS": Purchase(
        2, _("Field works"), _("Squares"), _("Entrenchments that count as double cover. 2 points a square, no stand.")
    ),
    "TRANSPORT": Purchase(
        1,
        _("Shared transport"),
        _("Vehicles"),
        _("A pool of soft motor transport for artillery or foot. 1 point each, no stand."),
    ),
}
TRANSPORT = {"soft": _("soft transport"), "animal": _("animal transport"), "none": _("no transport")}
TRANSPORT_POINTS = {"soft": 1, "animal": 0, "none": -1}
OPTION_POINTS = {"post_1906": 2, "general": 1, "elephant": -1, "guided": 1}
"""What each other option adds to the price of a stand (2.2); but for guided weapons it is strength."""
FOOT = ("INF/A", "INF/U", "PKE", "MSK", "WBD", "ARC", "SKI/F", "SKI/S")

ARMS: Sequence[tuple[Message, Sequence[str]]] = (
    (_("Foot"), tuple(code for code in FOOT if not code.startswith("SKI"))),
    (_("Horse"), ("CAV/A", "CAV/U")),
    (_("Tanks"), ("TNK",)),
    (_("Guns"), ("ART",)),
    (_("Skirmishers"), ("SKI/F", "SKI/M", "SKI/S")),
    (_("Aircraft"), ("AIR",)),
)
"""The types of stands by arm."""

# ---------------------------------------------------------------- ranges and moves, in squares


class Reach(NamedTuple):
    """How far a stand shoots or moves, in squares: first its ``choices`` alternatives, then what always applies.

    The player selects one of the alternatives: a profile does not say whether archers have longbows.
    """

    parts: tuple[str, ...] = ()
    choices: int = 0

    @property
    def text(self) -> str:
        """All parts as one text, "" for none."""
        return join(self.parts)


RANGES: Mapping[str, Reach] = {
    "ARC": Reach(("1", _("longbow\xa02")), 2),
    "MSK": Reach(("1", _("rifles\xa02")), 2),
    "SKI/F": Reach(("1", _("rifles\xa02")), 2),
    "SKI/M": Reach(("1",)),
    "SKI/S": Reach(("3",)),
}
RIFLED = Reach(("2",))
FLOWN_OVER, ROCKET_RANGE = _("squares flown over"), _("rockets\xa02")
"""What all armed aircraft shoot at, and how far those with rockets do (5.1); helicopters also shoot as SKI/S."""
GUIDED_RANGES = (_("guided AT\xa04"), _("AA\xa02"))
MOVES: Mapping[str, Reach] = {
    "WBD": Reach(("2", _("charging\xa03"))),
    "SKI/F": Reach(("3",)),
    "SKI/S": Reach(("3",)),
    "SKI/M": Reach(("4", _("charging\xa05"))),
    "CAV/A": Reach(("4",)),
    "CAV/U": Reach(("4", _("charging\xa05"))),
    "TNK": Reach((_("slow\xa03"), _("medium\xa04"), _("fast\xa06")), 3),
    "rotary": Reach(("2–10",)),
    "fixed wing": Reach(("8–24",)),
    "unknown wing": Reach((_("rotary 2–10"), _("fixed wing 8–24")), 2),
    "unknown team": Reach((_("animals\xa02"), _("motor\xa04"), _("by hand\xa01")), 3),
}
TANK_RANGE = -3
HORSE_RANGE = -1
STRAFES = ("fighter", "fighter-bomber", "jet-fighter-bomber")
BOMBS = ("fighter-bomber", "bomber", "jet-fighter-bomber")
ROCKETS = ("fighter-bomber", "jet-fighter-bomber", "attack-helicopter")
"""Ordnance by what it does (table 11)."""
LOADS = {"fighter-bomber": 1, "bomber": 2, "jet-fighter-bomber": 2, "attack-helicopter": 2}
"""Loads of bombs or rockets that an aircraft uses up (table 11)."""
TURNS_AWAY = 5
"""The least number of turns that an aircraft is off the board before a 6 brings it back (8.3)."""

# ---------------------------------------------------------------- the reference panels

Case = tuple[tuple[str, ...], str, str]
"""What an army must have one of (none: the case is for every army), then a case and its effect."""
Rows = tuple[tuple[str, str], ...]
Table = tuple[str, Rows]
"""A title, and rows."""

TERRAIN = (
    _("Terrain and moves (table 5)"),
    (
        ((), _("Steep slope, uphill"), "−1"),
        (("SKI",), _("Woods: SKI"), "−1"),
        (("CAV/A", "CAV/U", "ART", "TNK"), _("Woods: CAV, ART, TNK"), _("at most 1, no shooting or fighting")),
        (("PKE",), _("Woods: PKE"), _("impassable")),
        (("INF/A", "INF/U", "WBD", "ARC", "MSK"), _("Woods: all others"), _("double cost")),
        ((), _("Built-up area"), _("at most 1; PKE, CAV, ART, TNK by road only")),
        ((), _("Marsh"), _("−1; not ART, TNK, CAV, PKE or motors")),
        ((), _("River"), _("at bridges and fords; SKI without motors anywhere at double cost")),
        ((), _("Road all the way, not charging"), _("+1; TNK and motors +2")),
    ),
)
ON_PLAN: Mapping[str, str] = {
    "wood": _("Woods: slow, no PKE; hits halved"),
    "hill": _("Hill: −1 uphill; hits halved in close combat"),
    "town": _("Built-up: at most 1 square; hits halved"),
    "rough": _("Marsh: −1; no ART, TNK, CAV, PKE"),
    "river": _("River: at bridges and fords"),
    "road": _("Road: +1, motors +2"),
}
"""Terrain in short, for the plan of a table."""
SHOOTING_PLUS: Table = (
    _("Shooting: add to the die (table 7)"),
    (
        (_("Half the shooter's current strength"), "+½"),
        (_("SKI/F or MSK with breech-loading rifles or better"), "+2"),
        ("SKI/S", "+3"),
        *((gun.title, f"+{gun.factor}") for gun in GUNS.values() if gun.factor),
        (_("Gun on a TNK"), "−1"),
        (_("Guided missile"), "+1"),
        (_("Target's flank"), "+2"),
        (_("Target's rear"), "+3"),
    ),
)
SHOOTING_MINUS: Table = (
    _("Shooting: deduct from the die (table 8)"),
    (
        (_("Target is SKI"), "−2"),
        (_("Shooter is SKI"), "−2"),
        (_("Target is INF/A, shot at without gunpowder"), "−2"),
        (_("Target is a light TNK"), "−2"),
        (_("Target is a medium TNK"), "−3"),
        (_("Target is a heavy TNK"), "−4"),
        (_("Target is a super-heavy TNK"), "−5"),
        (_("Shooter is off-board artillery"), "−2"),
        (_("Then indirect fire or bombs"), _("half")),
        (_("Then cover"), _("half")),
        (_("Then the target's save"), "−D6"),
    ),
)
CONTACT_PLUS: Table = (
    _("Close combat: add to the die (table 9)"),
    (
        (_("Half the attacker's current strength"), "+½"),
        (_("A quarter instead if it is armored or motorized"), "+¼"),
        (_("INF or MSK; mounted against foot or ART"), "+2"),
        (_("Foot against TNK, SKI/S or elephants in the open"), "+1"),
        (_("Foot against TNK, SKI/S or elephants in woods or a built-up area"), "+2"),
        (_("Charging, or a general's stand"), "+1"),
        (_("SKI/F after 1915, or a charging WBD"), "+1"),
        (_("PKE to its front"), "+2"),
    ),
)
CONTACT_MINUS: Table = (
    _("Close combat: deduct from the die (table 10)"),
    (
        (_("Defender is CAV/A, attacked without firearms or with those before about 1700"), "−1"),
        (_("Defender is INF/A, attacked without firearms or with those before about 1700"), "−2"),
        (_("Attacker is SKI"), "−2"),
        (_("Then foot or ART defending terrain"), _("half")),
        (_("Then flank or rear"), _("double; against PKE treble")),
        (_("Then the defender's save"), "−D6"),
    ),
)
"""Tables 7 to 10 whole: a deduction depends on the type of the target, which the other army has."""

ROUND: Rows = (
    (
        _("Initiative"),
        _("Each side rolls a D6: superior general +1, inferior −1. The higher takes the first turn."),
    ),
    (
        _("Turns"),
        _("The sides take turns. In its turn, a side acts with a set of exactly three stands, adjacent or not."),
    ),
    (_("Last set"), _("A set of fewer than three waits until the end. When all stands have acted, begin a new round.")),
    (_("1 Command"), _("Check that each stand of the set is within command distance.")),
    (_("2 Forced moves"), _("First routs, then stands that must return to command.")),
    (_("3 Other moves"), _("A stand moves and shoots, or moves and fights, never all three.")),
    (_("4 Shooting"), _("Resolve it stand by stand.")),
    (_("5 Close combat"), _("Resolve it. Only the stands of this set inflict hits.")),
    (_("6 End of turn"), _("Rally tests, army morale, anything else.")),
    (_("Fractions"), _("Round a half or more up, anything less down.")),
)
"""Section 3.3 and rule 1.2."""

COMMAND: Rows = (
    (_("Free to move"), _("A stand next to its general or to a friend.")),
    (_("Otherwise"), _("It stays within command distance of a stand that a line of friends joins to a general.")),
    (_("Without radio"), _("2 squares, one between")),
    (_("With radio"), _("4 squares, three between")),
    (_("Out of command"), _("It must move so as to join a line again.")),
)
"""Rule 4.1.2."""

MOVING: Rows = (
    (_("At least"), _("1 square, whatever is deducted")),
    (_("Diagonals"), _("Beyond the first square, a diagonal move or range reaches one square less.")),
    (_("Facing"), _("One change a turn")),
    (_("Mounting, dismounting"), _("1 square; then at the speed of the transport, on animals 4")),
    (
        _("Leaving a close combat"),
        _("1 square less, straight away, after a change of facing if you like; no shot, no new fight"),
    ),
    (_("Through friends"), _("SKI only, or through SKI. Others swap adjacent squares for 2 squares each.")),
)
"""Rules 1.3, 4.2 and 4.3."""

CHARGES: Rows = (
    (_("A charge"), _("A move to drive an enemy out of its square. A move from an adjacent square is no charge.")),
    (_("Path"), _("Straight; turn once at the start, by one facing at most. Off a diagonal, end against a flat side.")),
    (_("Never charge"), "PKE, TNK, SKI/S, ARC, ART"),
    (_("No bonus"), _("Against the front of ART, PKE or SKI/S it is an advance into contact.")),
    (_("Movement"), _("The stand needs enough left to enter the square that it attacks.")),
    (
        _("Fire at chargers"),
        _("Range above 1, and chargers from more than a square away: one shot before contact."),
    ),
)
"""Rules 4.4 and 6.3."""

SHOOTING: Rows = (
    (
        _("Who shoots"),
        _("ARC, MSK, ART, SKI, TNK at one target within 45 degrees of their facing, the diagonal included"),
    ),
    (
        _("Roll"),
        _("D6, then the additions and deductions below, in order. The result is the hits; below 0 counts as none."),
    ),
)
"""Rules 5.1 and 5.2."""

CONTACT: Rows = (
    (_("Who fights"), _("Ground stands, to their front. Each enemy in contact attacks in its own turn.")),
    (_("Turning"), _("Face a flank attacker in your next turn, unless an enemy in front pins the stand.")),
    (_("Charge bonus"), _("In the first turn of contact only")),
    (_("Roll"), _("D6 for each stand, then the additions and deductions below, in order.")),
)
"""Rules 6.1 to 6.3."""

OUTCOME: Rows = (
    (_("Up to half its current strength"), _("Stays and fights on next turn (exactly half: our interpretation)")),
    (_("More than half"), _("Recoils a square from the attacker in front. If it cannot, it is eliminated.")),
    (_("Attacker in front"), _("May enter the square that was left.")),
    (_("No strength left"), _("Eliminated")),
)
"""Rule 6.5: what the hits of a close combat do to the stand that takes them."""

ROUT: Rows = (
    (_("Below half its starting strength"), _("Flees for the edge, one standard move a turn, until it rallies")),
    (_("Rally"), _("5 or 6 on a D6. Any later hit routs it again.")),
    (_("No strength left"), _("Eliminated")),
)
"""Rules 7.2 to 7.4."""

SIGHT: Rows = (
    (_("In the open"), _("Unlimited")),
    (_("Terrain"), _("One square into it, never through it")),
    (_("Stands"), _("Block sight, except SKI")),
)
"""Rule 8.6."""

SPECIALS: tuple[Case, ...] = (
    (("general",), _("General"), _("Each general lost deducts 1 from all later army-morale dice of its side.")),
    (
        ("alternates",),
        _("Alternate stands"),
        _("Swap the stand when it mounts, dismounts or changes its order."),
    ),
    (
        ("INF/A", "INF/U"),
        _("Backstep"),
        _("INF/A and INF/U (our interpretation) may step back one square without turning, not diagonally."),
    ),
    (("SKI/F", "SKI/M"), _("Evading"), _("When charged, SKI/F and SKI/M may fall back one square.")),
    (
        ("MSK",),
        _("Infantry squares"),
        _(
            "From about 1700, for 1 square of movement: no moving or shooting. No flanks; counts as PKE from every "
            "side and as defending terrain in close combat; shots hit as usual."
        ),
    ),
    (("ART",), _("Limbering"), _("1 square of movement, and 1 to unlimber")),
    (
        ("off-board",),
        _("Off-board artillery"),
        _("Guns above 100\xa0mm. They reach 10 squares onto the board; −2 on the die; indirect, so halved."),
    ),
    (
        ("TNK",),
        _("Tanks"),
        _("Fixed guns shoot straight ahead only. SKI in an infantry combat vehicle shoot as SKI/S."),
    ),
    (("WORKS",), _("Field works"), _("Double cover: halve the hits twice (our interpretation).")),
    (
        ("AIR",),
        _("Aircraft"),
        _("One pass and one attack, ahead or on what it flew over. After five turns or more, it returns on a 6."),
    ),
    (("AIR",), _("Landing, taking off"), _("10 squares of movement each")),
    (
        ("strafes",),
        _("Strafing"),
        _(
            "The square that is flown over (5.1), as MSK with rifles (5.2): +2 on the die, without the −2 of SKI. "
            "Table 11 prints SKI/F; this is our interpretation."
        ),
    ),
    (
        ("bombs",),
        _("Bombs"),
        _("Each load once, as a gun of 130\xa0mm, on what is flown over; indirect, so halved."),
    ),
    (("rockets",), _("Rockets"), _("2 squares, during the move or after it, as the comparable gun.")),
    (
        ("off-board", "bombs"),
        _("Chemical weapons"),
        _("If agreed: a stand that is hit loses another D6\u00a0−\u00a02."),
    ),
)
"""Rules of single kinds of stand: 2.1, 4.2, 4.3, 5, 6.4 and 8."""

TO_AGREE: tuple[Case, ...] = (
    (
        ("traits",),
        _("Special traits"),
        _("Accept what is stronger or weaker than others of its type: {stands}."),
    ),
    (("AIR",), _("Ordnance"), _("Write down the bombs and rockets: {stands}.")),
    (("TNK",), _("Speed of tanks"), _("Slow 3, medium 4 or fast 6 squares: {stands}.")),
    (("ARC",), _("Bows"), _("Longbows reach 2 squares, others 1: {stands}.")),
    (
        ("open arms",),
        _("Rifles"),
        _("Breech-loaders and better add 2 to the die; rifles reach 2 squares: {stands}."),
    ),
    (
        ("off-board 80-130",),
        _("Off-board guns"),
        _("Only guns above 100\xa0mm may be off the board; confirm that these are: {stands}."),
    ),
    (
        ("TRANSPORT",),
        _("Shared transport"),
        _("Choose the stands, ART or foot, that ride in the pool: {stands}."),
    ),
    (("WORKS",), _("Field works"), _("Mark the squares: {stands}.")),
)
"""What players agree before a battle when an army has one of these; ``{stands}`` names them."""

MORALE_STEPS = tuple((10 * die, die) for die in range(1, 7))
"""Army morale (7.1): the percentage of stands lost, and the highest die on which the army then retreats."""
END: Rows = (
    (_("The battle ends"), _("when a side leaves the field or concedes; both may retreat at once.")),
    (_("Turns"), _("There is no limit of turns.")),
)

SETTING_UP: Rows = (
    (_("Board"), _("Squares of 50\xa0mm, as many as you like. One stand or terrain feature fills a square.")),
    (_("Terrain"), _("Lay it out first, to suit the period and the place.")),
    (_("Who begins"), _("Roll a die: the winner sets up first or lets the opponent do so.")),
    (_("Placing"), _("Three stands at a time, in turns, until all are down.")),
    (_("Where"), _("At most 4 squares in from your own edge, and never on the outermost ring of squares.")),
    (_("Radio"), _("Agree whether the armies have it: command distance 4 squares instead of 2.")),
)
"""Sections 3.1 and 3.2."""
