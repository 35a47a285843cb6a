"""Mini Combat: tables of Appendix B with its special costs and free defaults, and the tables that players use in play.

Percentages are integers: 25 is +25 %. The 37 capabilities are in `fixtures/mini-combat.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from rosters.core.messages import Message, _

# ---------------------------------------------------------------- elements

STATS: Mapping[str, Message] = {
    "movement": _("Movement"),
    "to_hit": _("To hit"),
    "range": _("Range"),
    "save": _("Save"),
    "power": _("Power"),
    "armor": _("Armor"),
    "morale": _("Morale"),
}
"""The stats in the order of the rulebook (Element Stats)."""

STAT_LETTERS = (_("M"), _("TH"), _("R"), _("S"), _("P"), _("A"), _("Mo"))
"""The stats as the formula abbreviates them."""

KINDS: Mapping[str, Message] = {
    "infantry": _("Infantry"),
    "cavalry": _("Cavalry"),
    "vehicle": _("Vehicle"),
    "mecha": _("Mecha"),
    "creature": _("Creature"),
    "ship": _("Ship"),
    "aircraft": _("Aircraft"),
    "structure": _("Structure"),
    "other": _("Other"),
}

MACHINES = ("vehicle", "mecha", "ship", "aircraft")

KIND_NOTES: Mapping[str, Message] = {
    "infantry": _("Same armor from every side."),
    "cavalry": _("Stays out of buildings. Double move on roads."),
    "vehicle": _("Stays out of woods and buildings. Double move on roads."),
    "mecha": _("Stays out of buildings, unless it is the size of a man."),
}
"""The free defaults of a kind."""

COMMAND_NOTE = _("Command: a target only while it is the closest element of its unit.")

# ---------------------------------------------------------------- capabilities and their prices

KEYS: Mapping[str, frozenset[str]] = {
    "scatters": frozenset({"Drp", "Tel"}),
    "count": frozenset({"T", "MW"}),
    "denies": frozenset({"Den"}),
    "on": frozenset({"Heal", "Rep"}),
    "turns": frozenset({"OS"}),
    "form": frozenset({"Fly", "Sk"}),
}
"""The capabilities that each key of a variant belongs to."""

FORMS: Mapping[str, tuple[str, str]] = {"Fly": ("flying", "jump"), "Sk": ("skimmer", "ethereal")}
"""Pairs of capabilities with one price; the first is the default."""

FORM_NAMES: Mapping[str, tuple[Message, Message]] = {
    "flying": (_("Flying"), _("flying")),
    "jump": (_("Jump"), _("jump")),
    "skimmer": (_("Skimmer"), _("skimmer")),
    "ethereal": (_("Ethereal"), _("ethereal")),
}
"""Each form as a name, and as part of an abbreviation."""

COUNTS: Mapping[str, int] = {"T": 1, "MW": 2}
"""The default count of counted capabilities: elements carried, weapons in all."""

INCLUDED: Mapping[str, int] = {"T": 0, "MW": 1}
"""How many of a count are free."""

GAME_TURNS = 10
"""The game length in turns for which the percentage of One shot is given."""

VARIANT_PERCENTS: Mapping[str, int] = {"Drp": 20, "Tel": 40, "Heal": 100, "Rep": 100}
"""The percentages of the weaker variants: those that scatter, and those that work on 4+ only."""

MANEUVER_LIMITS = ("RdM", "RsM", "LM")
FIRE_ARC_DEGREES: Mapping[str, int] = {"RdFA": 270, "RsFA": 180, "LFA": 90}
"""The arc in which an element with a limited fire arc may fire (Special Rules)."""
FIRE_ARCS = (*FIRE_ARC_DEGREES,)
TEMPLATE_CM: Mapping[str, int] = {"5c": 5, "10c": 10, "Bmb": 10}
"""How wide a round template is (Special Rules)."""
TEMPLATES = ("Cone", *TEMPLATE_CM)
DEPLOYMENTS = ("Drp", "Tel", "Sc")
WEAPON_ABILITIES = ("SS", "MW", "IC", "IF", "MoF", "Feot", "OS")

SEPARATE: Mapping[str, frozenset[str]] = {
    "recommended": frozenset({"MoF", "Feot", "OS"}),
    "none": frozenset(),
    "one-shot-only": frozenset({"OS"}),
    "with-multiple-weapons": frozenset({"MoF", "Feot", "OS", "MW"}),
}
"""The capabilities that multiply instead of add, by the value of ``star``; with ``all`` it is each one but Den."""

EXCLUSIVE: Mapping[str, tuple[str, ...]] = {
    "two-manoeuvre-limits": MANEUVER_LIMITS,
    "two-fire-arcs": FIRE_ARCS,
    "two-templates": TEMPLATES,
    "two-deployments": DEPLOYMENTS,
}
"""Capabilities of which an element has at most one, by finding code."""

CLASHES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "sealed-included": ("Sub", ("Se",)),
    "amphibious-included": ("Sub", ("Amph",)),
    "fly-and-skim": ("Fly", ("Sk",)),
    "water-bound-conflict": ("WB", ("Amph", "Fly")),
    "one-shot-and-slow-fire": ("OS", ("Feot",)),
}
"""A capability that makes no sense together with any of the others, by finding code."""

_HALF = _("Without a limit of maneuverability only half the percentage counts: −{n}\u00a0%.")
_ON_4 = _("If it only works on 4+, it costs +100\u00a0%.")
PRICING: Mapping[str, Message] = {
    "Drp": _("If it scatters, it costs only +20\u00a0%."),
    "Tel": _("If it scatters, it costs only +40\u00a0%."),
    "RdFA": _HALF.format(n=5),
    "RsFA": _HALF.format(n=10),
    "LFA": _HALF.format(n=15),
    "OS": _("The percentage is for games of 10 turns; for 5 turns it is −80\u00a0%."),
    "WB": _("The percentage can be waived in a naval game without land elements."),
    "T": _("The percentage is for each."),
    "Den": _("It costs as much as that ability, always as a surcharge."),
    "Heal": _ON_4,
    "Rep": _ON_4,
    "MW": _("The percentage is for each weapon after the first: MW3 costs +160\u00a0%."),
}
"""How the percentage of a capability counts, where there is more to say of it, by its code; the rule is its text."""

MAX_CAPABILITIES = 200
"""The longest list of an element, so that the product of its factors can be written out."""

MAX_DENOMINATOR = 10**100
"""Factors are multiplied exactly up to this denominator, far beyond any element in play."""

COMMON_DENOMINATOR = lcm(*range(1, 1001)) * 10**400
"""A multiple of usual denominators of unrounded prices. Only what exceeds it grows with every element added up."""

MAX_EXCESS = 10**24
"""An unrounded price is exact up to this excess over the common denominator: a One shot in a million turns."""

# ---------------------------------------------------------------- reference panels

TURN: tuple[tuple[Message, Message], ...] = (
    (_("1 Initiative"), _("Each player rolls a D6; reroll ties. The higher roll has the initiative this turn.")),
    (
        _("2 Instant combat"),
        _(
            "Alternately, starting with the initiative: place, move and attack with one unit that teleports or "
            "burrows in now. A player can bring several units, or none."
        ),
    ),
    (
        _("3 Normal combat"),
        _(
            "Alternately, starting with the initiative, one unit at a time until all have acted: move its elements, "
            "then shoot or fight with them."
        ),
    ),
    (_("4 Recover"), _("Heal and repair. Recovered elements count before morale is tested.")),
    (
        _("5 Morale"),
        _("Test every unit that has lost half of its elements, rounded up. Remove each unit that fails."),
    ),
    (
        _("6 Drop"),
        _("Alternately, starting with the other player: place one unit that drops in. It acts from the next turn on."),
    ),
    (_("7 Resolution"), _("A side that has reached its objective ends the game.")),
)
"""The phases of a turn (Game Phases)."""

ATTACK: tuple[tuple[Message, Message], ...] = (
    (
        _("Target"),
        _(
            "In range and in sight; in base contact, at range 0, it is melee. A command element is a target only "
            "while it is the closest of its unit."
        ),
    ),
    (_("To hit"), _("Roll a D6 for each attack and apply the modifiers. To hit 0 needs no roll.")),
    (_("Save"), _("The target rolls a D6 for one save, the better of its own and that of its cover.")),
    (_("Damage"), _("Without a save, power greater than armor destroys the target; equal or less has no effect.")),
    (
        _("Coherency"),
        _("Each element stays within 5 cm of another one of its unit; Organized units stay base to base."),
    ),
)
"""The steps of an attack, and the coherency of a unit (phase 3, and Force Components)."""


class PanelRow(NamedTuple):
    """A row of a panel that is shown if a roster has one of ``needs``; without needs always.

    Needs are codes ("MA"), kinds ("infantry"), forms ("flying"), denials ("Den Tel") and "scatters".
    """

    label: Message
    text: Message
    needs: tuple[str, ...] = ()


MODIFIERS = (
    PanelRow(_("The attacker has not moved"), _("+1 to hit")),
    PanelRow(
        _("Move or fire"), _("attacks only if it does not move; +1 to hit from the second such turn on"), ("MoF",)
    ),
    PanelRow(_("Attack from the rear 180°"), _("+1 to hit, armor −1")),
    PanelRow(_("Infantry, from the rear"), _("armor as from the front"), ("infantry",)),
    PanelRow(_("Full armor, from the rear"), _("armor as from the front"), ("FA",)),
    PanelRow(_("Organized in a square"), _("has no rear"), ("Org",)),
    PanelRow(_("Charge, first round of a melee"), _("+1 to hit"), ("Ch",)),
    PanelRow(_("Melee advantage, in melee"), _("power doubled"), ("MA",)),
    PanelRow(_("Sharpshooter, shooting"), _("power doubled"), ("SS",)),
    PanelRow(_("Multiple weapons"), _("a roll to hit for each"), ("MW",)),
    PanelRow(_("Indirect fire at an unseen target"), _("−1 to hit, and no effect of the rear"), ("IF",)),
    PanelRow(_("Indirect fire at what a friend with Recon sees"), _("no −1 to hit"), ("Rec",)),
    PanelRow(_("Bombardment"), _("armor −2"), ("Bmb",)),
    PanelRow(_("Ignores cover"), _("no save from cover; the target keeps its own save"), ("IC",)),
    PanelRow(_("Target in the air"), _("add 5 cm to the measured range"), ("flying",)),
    PanelRow(_("Submersible target in water"), _("+1 cover"), ("Sub",)),
)
"""What modifies a roll, power or armor (phase 3, and Special Rules)."""

STEALTH_DENIAL = _("____ cm: agree how far beyond 25 cm (50 cm proposed)")
"""Anyone sees stealthy elements within 25 cm, so their denial must reach farther; the rulebook gives no distance."""

DISTANCES = (
    PanelRow(_("Stealth: seen within"), _("25 cm, or once it fires; never farther"), ("St",)),
    PanelRow(_("Denial of Teleport or Drop"), _("25 cm"), ("Den Tel", "Den Drp")),
    PanelRow(_("Denial of Stealth"), STEALTH_DENIAL, ("Den St",)),
    PanelRow(_("Heal, Repair"), _("10 cm"), ("Heal", "Rep")),
    PanelRow(_("Flyers in the air"), _("10 cm above the ground"), ("flying",)),
    PanelRow(_("Cone template"), _("10 cm long, 3 cm wide"), ("Cone",)),
    PanelRow(_("Small template"), _("5 cm"), ("5c",)),
    PanelRow(_("Large template, Bombardment"), _("10 cm"), ("10c", "Bmb")),
    PanelRow(_("Scatter"), _("D12 as a clock face, 2D6 cm; a double is on target"), ("scatters",)),
    PanelRow(_("Organized units"), _("base to base"), ("Org",)),
)
"""Ranges of capabilities, unless the players agree on others (Special Rules)."""

TERRAIN: tuple[tuple[Message, str, Message], ...] = (
    (_("Forest"), "5+", _("No vehicles. 10 cm of it block line of sight.")),
    (_("Swamp, rough ground"), "–", _("No vehicles.")),
    (_("Inside a building"), "4+", _("No vehicles. The building can block line of sight.")),
    (_("Urban"), "5+", _("Buildings can block line of sight.")),
    (_("Water"), "–", _("Normal units stay out. A submerged element cannot be seen.")),
    (_("River"), "6+", _("Takes a full turn of movement to cross.")),
    (_("Road"), "–", _("Vehicles and mounted units move double.")),
    (_("Field, open ground"), "–", _("No effect.")),
    (_("Hill"), "5+", _("Blocks line of sight to its far side.")),
)
"""Terrain, the save that it gives, and its effect (Board Set-up)."""

ON_PLAN: Mapping[str, Message] = {
    "wood": _("Forest: save 5+, no vehicles, 10 cm block sight"),
    "hill": _("Hill: save 5+, blocks sight to its far side"),
    "town": _("Building: save 4+ inside, no vehicles, can block sight"),
    "rough": _("Rough ground: no vehicles"),
    "river": _("River: save 6+, a full turn of movement to cross"),
    "road": _("Road: vehicles and mounted units move double"),
}
"""The same in short, for the plan of a table."""

WIN = Fraction(1, 2)
"""The share of the limit that wins a standard battle: 500 of 1000."""

DEFENSE = Fraction(1, 2)
"""A defender's limit as a share of the attacker's: 600 of 1200."""

DESTROY = Fraction(2, 3)
"""The share of the attacker's limit that the defender must destroy: 800 of 1200."""

USUAL_LIMIT: Mapping[str, int] = {"standard": 1000, "defensive": 1200}
"""The usual limit of a side, or of the attacker, in points (Battles)."""

BATTLES: Mapping[str, tuple[tuple[Message, Message], ...]] = {
    "standard": (
        (_("Points"), _("Both sides have the same limit, usually 1,000.")),
        (_("Table"), _("120 × 180 cm, or what suits your scale; agree on the terrain.")),
        (_("Deployment"), _("Each side within 20 cm of its own edge.")),
        (_("First to deploy"), _("The book does not say: roll off, and the lower D6 deploys first.")),
        (_("Scoring"), _("Full points for a destroyed unit, half for one that has lost half of its elements.")),
        (_("Victory"), _("The first to score half of the limit wins.")),
        (_("Both in one turn"), _("The book does not say: the higher score wins, and on a tie you play on.")),
    ),
    "defensive": (
        (_("Points"), _("The attacker usually has 1,200, and the defender half as many.")),
        (_("Table"), _("120 × 180 cm, or what suits your scale; the defender places all terrain.")),
        (_("Markers"), _("The defender places 8 within 40 cm of their own edge, at least 30 cm from each other.")),
        (_("Defender deploys"), _("Within 40 cm of their own edge.")),
        (
            _("Attacker deploys"),
            _("Within 20 cm of the opposite edge. The book does not give the order: defender first."),
        ),
        (_("Holding a marker"), _("A side holds it with the only units within 10 cm; with both there, nobody does.")),
        (_("Attacker wins"), _("With 6 markers held.")),
        (_("Defender wins"), _("With two thirds of the attacker's limit destroyed, or if both sides succeed.")),
        (
            _("Scoring"),
            _("As in a standard battle, half points included, unless you agree to count destroyed units only."),
        ),
    ),
}
"""Set-up and victory in each battle (Battles)."""

DEPLOYED: Mapping[str, Message] = {
    "Sc": _("Before all others, anywhere; hidden until it moves or fires."),
    "Drp": _("Off the table; once, in a drop phase, anywhere. Acts from the next turn on."),
    "Tel": _("Off the table; once, in the instant combat phase, anywhere. Acts at once."),
}
"""Where elements with a special deployment start, in the order of the set-up (Special Rules)."""

RECOVERS: Mapping[str, tuple[Message, tuple[str, ...]]] = {
    "Heal": (
        _("{names} can bring back a lost infantry element or creature within 10 cm in the recover phase."),
        ("infantry", "cavalry", "creature"),
    ),
    "Rep": (
        _("{names} can bring back a lost vehicle or structure within 10 cm in the recover phase."),
        ("vehicle", "mecha", "ship", "aircraft", "structure"),
    ),
}
"""What a capability brings back, as a sentence, and the kinds that it applies to."""

SHORT: Mapping[str, Message] = {
    "MA": _("Power doubled in melee."),
    "SS": _("Power doubled when shooting."),
    "MoF": _("Shoots only if it does not move; +1 to hit from the second such turn on."),
    "Cone": _("Attacks everything under the cone, friends too, with a roll each."),
    "5c": _("Attacks everything under the 5 cm template, friends too, with a roll each."),
    "10c": _("Attacks everything under the 10 cm template, friends too, with a roll each."),
    "Bmb": _("Attacks everything under the 10 cm template, friends too, with a roll each; targets have armor −2."),
    "IF": _("Needs no line of sight; −1 to hit unseen targets, which keep cover and front armor."),
    "Rec": _("Cancels the −1 of indirect fire at what it sees."),
    "flying": _("Ignores terrain, no road bonus; in the air it is 10 cm up and shots at it count 5 cm farther."),
    "jump": _("Ignores terrain as it moves, no road bonus; lands at the end of its move."),
    "skimmer": _("Ignores terrain, no road bonus; stays at ground level."),
    "ethereal": _("Goes straight through anything, no road bonus; attacks and is attacked as usual."),
    "Sc": _("Placed before all others, anywhere; hidden until it moves or fires."),
    "Feot": _("Never fires in two consecutive turns."),
    "Drp": _("Placed anywhere in one drop phase; acts from the next turn on."),
    "Tel": _("Placed anywhere in one instant combat phase; acts at once."),
    "RdM": _("Turns at most 180° in a move."),
    "RsM": _("Turns at most 90° in a move."),
    "LM": _("Turns at most 45° in a move."),
    "RdFA": _("Fires within 270° in all."),
    "RsFA": _("Fires within 180° in all."),
    "LFA": _("Fires within 90° in all."),
    "IC": _("Targets get no save from cover, only their own."),
    "Sub": _("Free in water; +1 cover there, or dives; sealed."),
    "OS": _("Fires once in the game, and is worth half after it."),
    "WB": _("Never leaves the water."),
    "Amph": _("Water does not slow it."),
    "T": _("If it is lost, each element aboard survives on 4+."),
    "FA": _("No armor −1 from the rear."),
    "Org": _("The unit stays base to base: line, column, both, or a square, which has no rear and does not move."),
    "Ch": _("+1 to hit in the first round of a melee."),
    "Den": _("Stops one ability of the enemy."),
    "Ins": _("Each turn solid, or out of reach: no attacks either way, no terrain stops it."),
    "Heal": _("Brings back one lost infantry element or creature within 10 cm in the recover phase."),
    "Rep": _("Brings back one lost vehicle or structure within 10 cm in the recover phase."),
    "Se": _("Safe from gas and vacuum."),
    "St": _("Unseen beyond 25 cm until it fires."),
    "MW": _("A roll to hit for each weapon."),
}
"""What a capability does, as short as play needs, by its code; flying and skimming by their form."""

CONE_CM = 3, 10
"""Width and length of the cone (Special Rules)."""

STATES: Mapping[str, tuple[Message, bool]] = {
    "OS": (_("shot used"), False),
    "Feot": (_("fired in turn"), True),
    "MoF": (_("stood still in turn"), True),
    "Sc": (_("revealed"), False),
    "Drp": (_("dropped"), False),
    "Tel": (_("teleported"), False),
}
"""What is marked in play of an element with a capability, by its code, and whether for each turn."""

DENIAL_RANGES: Mapping[str, Message] = {
    "Tel": _("Range 25 cm."),
    "Drp": _("Range 25 cm."),
    "St": _("Range {distance}.").format(distance=STEALTH_DENIAL),
}
"""The range of complex denials, by what they deny; others have none (Special Rules)."""

SCATTERS = _("Scatters: D12 as a clock face, 2D6 cm; a double is on target.")
