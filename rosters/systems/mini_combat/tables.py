"""Mini Combat: tables of Appendix B, its special costs and its free defaults.

PURE. Percentages are whole numbers: 25 is +25 %. The 37 basic percentages are in `fixtures/mini-combat.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

KEYS: Mapping[str, frozenset[str]] = {
    "scatters": frozenset({"Drp", "Tel"}),
    "count": frozenset({"T", "MW"}),
    "denies": frozenset({"Den"}),
    "on": frozenset({"Heal", "Rep"}),
    "turns": frozenset({"OS"}),
    "form": frozenset({"Fly", "Sk"}),
}
"""Which capabilities have which key for their variant."""

FORMS: Mapping[str, tuple[str, str]] = {"Fly": ("flying", "jump"), "Sk": ("skimmer", "ethereal")}
"""Two capabilities at one price each; the first is meant when none is chosen."""

COUNTS: Mapping[str, int] = {"T": 1, "MW": 2}
"""Counted capabilities, and how many are meant without a count: elements carried, weapons in all."""

INCLUDED: Mapping[str, int] = {"T": 0, "MW": 1}
"""How many of a count are in the price already."""

GAME_TURNS = 10
"""Turns of a usual game, to which the price of One shot belongs."""

CHEAPER: Mapping[str, int] = {"Drp": 20, "Tel": 40, "Heal": 100, "Rep": 100}
"""Percentages of the lesser variants: those that scatter, and those that work on a 4+ only."""

MANOEUVRE_LIMITS = ("RdM", "RsM", "LM")
FIRE_ARCS = ("RdFA", "RsFA", "LFA")
TEMPLATES = ("Cone", "5c", "10c", "Bmb")
DEPLOYMENTS = ("Drp", "Tel", "Sc")
WEAPON_ABILITIES = ("SS", "MW", "IC", "IF", "MoF", "Feot", "OS")

SEPARATE: Mapping[str, frozenset[str]] = {
    "recommended": frozenset({"MoF", "Feot", "OS"}),
    "none": frozenset(),
    "one-shot-only": frozenset({"OS"}),
    "with-multiple-weapons": frozenset({"MoF", "Feot", "OS", "MW"}),
}
"""Capabilities that multiply on their own, by the value of ``star``; under ``all`` it is all but Den."""


class Exclusive(NamedTuple):
    """Capabilities of which an element has at most one; ``plural`` is what they are."""

    code: str
    members: tuple[str, ...]
    plural: str


EXCLUSIVE = (
    Exclusive("two-manoeuvre-limits", MANOEUVRE_LIMITS, "limits of manoeuvre"),
    Exclusive("two-fire-arcs", FIRE_ARCS, "fire arcs"),
    Exclusive("two-templates", TEMPLATES, "templates"),
    Exclusive("two-deployments", DEPLOYMENTS, "ways to deploy"),
)


class Clash(NamedTuple):
    """A capability that is odd beside any of ``others``, and a sentence that says why."""

    code: str
    one: str
    others: tuple[str, ...]
    why: str


CLASHES = (
    Clash("sealed-included", "Sub", ("Se",), "Submersible already includes Sealed."),
    Clash("amphibious-included", "Sub", ("Amph",), "Submersible already moves freely in water."),
    Clash("fly-and-skim", "Fly", ("Sk",), "Flying or jump and skimmer or ethereal lift the same limits."),
    Clash("water-bound-conflict", "WB", ("Amph", "Fly"), "Water bound, and yet paid to leave the water."),
    Clash("one-shot-and-slow-fire", "OS", ("Feot",), "A single shot never waits for the next one."),
)

KIND_NOTES: Mapping[str, tuple[str, ...]] = {
    "infantry": ("Same armor from every side.",),
    "cavalry": ("Stays out of buildings.", "Double move on roads."),
    "vehicle": ("Stays out of woods and buildings.", "Double move on roads."),
    "mecha": ("Stays out of buildings, unless it is the size of a man.",),
}
"""What an element of a kind has or suffers without paying, for its card."""

MOST_CAPABILITIES = 200
"""An element's list holds no more, so that the product of its factors stays short enough to write out."""

LONGEST_FRACTION = 10**100
"""Separate factors are multiplied out exactly up to this denominator, far beyond any element in play."""

COMMON_DENOMINATOR = lcm(*range(1, 1001)) * 10**400
"""Denominators that unrounded prices usually divide; what they have beside it grows with every element added up."""

MOST_BESIDE = 10**24
"""An unrounded price is exact while its denominator has no more beside the common one: one shots of a million turns."""

# ---------------------------------------------------------------- the table: what players look up in play

TURN: tuple[tuple[str, str], ...] = (
    ("1 Initiative", "Each player rolls a D6; roll ties again. The higher has the initiative this turn."),
    (
        "2 Instant combat",
        "In turns, the initiative first: place, move and attack with one unit that teleports or burrows in now. "
        "A player may bring several, or none.",
    ),
    (
        "3 Normal combat",
        "In turns, the initiative first, one unit at a time until all have acted: "
        "move its elements, then shoot or fight with them.",
    ),
    ("4 Recover", "Heal and repair. What comes back counts before morale is tested."),
    ("5 Morale", "Test every unit that has lost half of its elements, rounded up. A unit that fails is removed."),
    ("6 Drop", "In turns, the other player first: place one unit that drops in. It acts from the next turn on."),
    ("7 Resolution", "A side that has reached its objective ends the game."),
)
"""The phases of a turn (Game Phases)."""

ATTACK: tuple[tuple[str, str], ...] = (
    (
        "Target",
        "In range and in sight; touching, at range 0, is melee. "
        "A command element is a target only while it is the closest of its unit.",
    ),
    ("To hit", "Roll a D6 for each attack: to hit or more, modifiers counted, is a hit. To hit 0 needs no roll."),
    ("Save", "The target rolls a D6 for one save, the best that it has from itself or its cover."),
    ("Damage", "Unsaved, power greater than armor destroys the target; equal or less does nothing."),
    ("Together", "Each element stays within 5 cm of another of its unit; Organised units stay base to base."),
)
"""How one attack goes, and what holds a unit together (phase 3, and Force Components)."""


class CombatModifier(NamedTuple):
    """A row of combat modifiers. ``needs``: words of which a roster has one; none: always.

    Words are codes ("MA"), kinds ("infantry"), forms ("flying"), denials ("Den Tel") and "scatters".
    """

    when: str
    effect: str
    needs: tuple[str, ...] = ()


MODIFIERS = (
    CombatModifier("The attacker has not moved", "+1 to hit"),
    CombatModifier(
        "Move or fire", "attacks only if it stands still; +1 to hit from the second still turn in a row", ("MoF",)
    ),
    CombatModifier("Attack from the rear 180 degrees", "+1 to hit, armor -1"),
    CombatModifier("Infantry, from the rear", "armor as from the front", ("infantry",)),
    CombatModifier("Full armor, from the rear", "armor as from the front", ("FA",)),
    CombatModifier("Organised in a square", "has no rear", ("Org",)),
    CombatModifier("Charge, first round of a melee", "+1 to hit", ("Ch",)),
    CombatModifier("Melee advantage, in melee", "power doubled", ("MA",)),
    CombatModifier("Sharpshooter, shooting", "power doubled", ("SS",)),
    CombatModifier("Multiple weapons", "a roll to hit for each", ("MW",)),
    CombatModifier("Indirect fire at the unseen", "-1 to hit, and no effect of the rear", ("IF",)),
    CombatModifier("Indirect fire at what a friend with Recon sees", "no -1 to hit", ("Rec",)),
    CombatModifier("Bombardment", "armor -2", ("Bmb",)),
    CombatModifier("Ignores cover", "no save from cover; the target's own remains", ("IC",)),
    CombatModifier("Target in the air", "measure 5 cm more", ("flying",)),
    CombatModifier("Submersible target in water", "+1 cover", ("Sub",)),
)
"""What changes a roll, a power or an armor (phase 3, and Special Rules)."""


class Distance(NamedTuple):
    """How far something reaches, in words; ``needs`` as of a modifier."""

    what: str
    reach: str
    needs: tuple[str, ...]


STEALTH_DENIAL = "____ cm: agree how far beyond 25 cm (50 cm proposed)"
"""Anyone sees the stealthy within 25 cm, so their denial must reach farther; the rulebook leaves open how far."""

DISTANCES = (
    Distance("Stealth: seen within", "25 cm, or once it fires; never farther", ("St",)),
    Distance("Denial of Teleport or Drop", "25 cm", ("Den Tel", "Den Drp")),
    Distance("Denial of Stealth", STEALTH_DENIAL, ("Den St",)),
    Distance("Heal, Repair", "10 cm", ("Heal", "Rep")),
    Distance("Flyers in the air are", "10 cm above the ground", ("flying",)),
    Distance("Cone template", "10 cm long, 3 cm wide", ("Cone",)),
    Distance("Small template", "5 cm", ("5c",)),
    Distance("Large template, Bombardment", "10 cm", ("10c", "Bmb")),
    Distance("Scatter", "D12 as on a clock, 2D6 cm; a double is on target", ("scatters",)),
    Distance("Organised units stand", "base to base", ("Org",)),
)
"""Ranges of capabilities, unless the players agree on others (Special Rules)."""

TERRAIN: tuple[tuple[str, str, str], ...] = (
    ("Forest", "5+", "No vehicles. 10 cm of it block sight."),
    ("Swamp, rough ground", "none", "No vehicles."),
    ("Inside a building", "4+", "No vehicles. The building may block sight."),
    ("Urban", "5+", "Buildings may block sight."),
    ("Water", "none", "Normal units stay out. What has dived cannot be seen."),
    ("River", "6+", "Takes a full turn of movement to cross."),
    ("Road", "none", "Vehicles and mounted units move double."),
    ("Field, open ground", "none", "No effect."),
    ("Hill", "5+", "Blocks sight to its far side."),
)
"""Terrain, the save that it gives, and what it does (Board Set-up)."""

WIN = Fraction(1, 2)
"""Share of the limit that wins a standard battle: 500 of 1000."""

DEFENCE = Fraction(1, 2)
"""A defender's limit as a share of the attacker's: 600 of 1200."""

DESTROY = Fraction(2, 3)
"""Share of the attacker's limit that the defender must destroy: 800 of 1200."""

USUAL_LIMIT: Mapping[str, int] = {"standard": 1000, "defensive": 1200}
"""Points of a side, or of the attacker, where nothing else is agreed (Battles)."""

BATTLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "standard": (
        ("Points", "Both sides keep to one limit, usually 1000."),
        ("Table", "120 x 180 cm, or what suits your scale; agree on the terrain."),
        ("Deployment", "Each force within 20 cm of its own edge."),
        ("First to deploy", "The book leaves it open: roll off, and the lower D6 deploys first."),
        ("Scoring", "Full points for a destroyed unit, half for one that has lost half of its elements."),
        ("Victory", "The first to score half of the limit wins."),
        ("Both in one turn", "The book leaves it open: the higher score wins, and a tie plays on."),
    ),
    "defensive": (
        ("Points", "The attacker usually has 1200, and the defender half as many."),
        ("Table", "120 x 180 cm, or what suits your scale; the defender places all terrain."),
        ("Markers", "The defender places eight within 40 cm of their own edge, at least 30 cm from each other."),
        ("Defender deploys", "Within 40 cm of their own edge."),
        ("Attacker deploys", "Within 20 cm of the opposite edge. The book leaves the order open: defender first."),
        ("Holding a marker", "A side holds it with the only units within 10 cm; with both there, nobody does."),
        ("Attacker wins", "With six markers held."),
        ("Defender wins", "With two thirds of the attacker's limit destroyed, or if both sides succeed."),
        ("Scoring", "As in a standard battle, half points included, unless you agree to count destroyed units only."),
    ),
}
"""How to set up and win each battle (Battles)."""

DEPLOYED: Mapping[str, str] = {
    "Sc": "Placed before all others, anywhere; hidden until it moves or fires.",
    "Drp": "Off the table; once, in a drop phase, anywhere. Acts from the next turn on.",
    "Tel": "Off the table; once, in the instant combat phase, anywhere. Acts at once.",
}
"""Where units with a deployment of their own begin (Special Rules)."""

RECOVERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Heal": ("infantry element or creature", ("infantry", "cavalry", "creature")),
    "Rep": ("vehicle or structure", ("vehicle", "mecha", "ship", "aircraft", "structure")),
}
"""What a capability brings back, in words, and the kinds that count as such."""

SHORT: Mapping[str, str] = {
    "MA": "power doubled in melee",
    "SS": "power doubled when shooting",
    "MoF": "shoots only if it stands still; +1 to hit from its second still turn",
    "Cone": "attacks all under the cone, friends too, a roll each",
    "5c": "attacks all under the 5 cm template, friends too, a roll each",
    "10c": "attacks all under the 10 cm template, friends too, a roll each",
    "Bmb": "attacks all under the 10 cm template, friends too, a roll each; targets have armor -2",
    "IF": "needs no sight; -1 to hit the unseen, who keep cover and front armor",
    "Rec": "cancels the -1 of indirect fire at what it sees",
    "flying": "ignores terrain, no road bonus; in the air it is 10 cm up and targets count 5 cm farther",
    "jump": "ignores terrain as it moves, no road bonus; lands at the end of its move",
    "skimmer": "ignores terrain, no road bonus; stays at ground level",
    "ethereal": "goes straight through anything, no road bonus; fights and is fought as usual",
    "Sc": "placed before all others, anywhere; hidden until it moves or fires",
    "Feot": "never fires two turns in a row",
    "Drp": "placed anywhere in one drop phase; acts from the next turn on",
    "Tel": "placed anywhere in one instant combat phase; acts at once",
    "RdM": "turns 180 degrees at most in a move",
    "RsM": "turns 90 degrees at most in a move",
    "LM": "turns 45 degrees at most in a move",
    "RdFA": "fires within 270 degrees in all",
    "RsFA": "fires within 180 degrees in all",
    "LFA": "fires within 90 degrees in all",
    "IC": "targets get no save from cover, only their own",
    "Sub": "free in water; +1 cover there, or dives; sealed",
    "OS": "fires once in the game, and is worth half after it",
    "WB": "never leaves the water",
    "Amph": "water does not slow it",
    "T": "if it is lost, each element aboard survives on 4+",
    "FA": "no armor -1 from the rear",
    "Org": "the unit stays base to base: line, column, both, or a square, which has no rear and stays put",
    "Ch": "+1 to hit in the first round of a melee",
    "Den": "stops one capability of the enemy",
    "Ins": "each turn solid, or out of reach: no attacks either way, no terrain",
    "Heal": "brings back one lost infantry element or creature within 10 cm in the recover phase",
    "Rep": "brings back one lost vehicle or structure within 10 cm in the recover phase",
    "Se": "safe from gas and vacuum",
    "St": "unseen beyond 25 cm until it fires",
    "MW": "a roll to hit for each weapon",
}
"""What a capability does, in as few words as play needs, by its code; flying and skimming by their form."""

DENIALS: Mapping[str, str] = {"Tel": "within 25 cm", "Drp": "within 25 cm", "St": f"within {STEALTH_DENIAL}"}
"""How far complex denials reach, by what they deny; others have no range (Special Rules)."""

SCATTERS = "scatters: D12 as on a clock, 2D6 cm, a double is on target"
COMMANDS = "a target only while it is the closest element of its unit"
"""What it means to scatter, and to be a command element (phase 3)."""

STAT_NAMES = ("Movement", "To hit", "Range", "Save", "Power", "Armor", "Morale")
STAT_LETTERS = ("M", "TH", "R", "S", "P", "A", "Mo")
"""The stats in the order of the rulebook (Element Stats), and as its formula abbreviates them."""
