"""Minimal Space Combat: ships in build points (rules 2 and 3), fleets and their dice (strategic game).

Rulebook: Minimal Space Combat, Timothy Swenson.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from rosters.core import values
from rosters.core.amounts import Amount, format_amount, format_change, with_minus_sign
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, FindingType, Problem, error, note, over_budget, warning
from rosters.core.messages import Message, _, join, ngettext
from rosters.core.receipts import Receipt, Step, Totals, plain_totals
from rosters.core.reference import GlossaryEntry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Integer, JsonList, Loss
from rosters.systems.msc.tables import SIDE_NAMES

EDITION = "Minimal Space Combat, Timothy Swenson (reading 1)"
WORDS = Words(
    formation=_("Fleet"),
    formations=_("Fleets"),
    element=_("Ship"),
    elements=_("Ships"),
    points=_("BP"),
    points_heading=_("BP"),
    nouns=Nouns(_("fleet"), _("fleets"), _("ship"), _("ships"), _("BP")),
    count_elements=lambda n: ngettext("{n} ship", "{n} ships", n).format(n=n),
    count_points=lambda amount: _("{n} BP").format(n=format_amount(amount)),
)

FORMULA = _("ENGINE + SHIELD + TO-HIT + 2 for each weapon")
ENGINE, SHIELD, TO_HIT = _("ENGINE"), _("SHIELD"), _("TO-HIT")
STATS = {"engine": ENGINE, "shield": SHIELD, "to_hit": TO_HIT}
"""The stats of a ship; each point costs 1 BP."""
SIDES = ("F", "FL", "FR", "RL", "RR")
"""The sides that may have a weapon, in the order of the Ship Turn Record. The sixth side, R, may not."""
REAR = "R"
MAX_STAT = 5
"""The highest SHIELD and TO-HIT, and without the house rule also ENGINE; the lowest is 0."""
WEAPON_POINTS = 2
MAX_SIZE = 25
"""The largest ship in BP; a house rule for ENGINE 6 raises it to 26."""
STRATEGIC = "strategic"
STRATEGIC_SIZES = (10, 15, 20)
USUAL_SIZES = (*STRATEGIC_SIZES, MAX_SIZE)
POINTS_PER_ATTACK_DIE = 7
POINTS_PER_SAVE_DIE = 3


class Profile(values.Profile):
    """The design of a ship. Stats out of range and unknown sides are accepted and reported as findings."""

    engine: Integer = 0
    shield: Integer = 0
    to_hit: Integer = 0
    weapons: JsonList[Code] = ()


class Options(values.Options):
    """The house rules of Minimal Space Combat."""

    max_engine: Annotated[int, Field(ge=5, le=6)] = Field(
        5,
        title=_("Highest ENGINE"),
        description=_(
            "The rules of ship design allow ENGINE 0 to 5, the solo rules mention ENGINE 6. With 6, ships may have up "
            "to 26 BP and the Ship Turn Record shows six ovals."
        ),
    )


class Mark(values.Mark):
    """The damage of one ship: ENGINE and SHIELD lost, the sides whose weapons are destroyed; and its SPEED."""

    engine: Loss = 0
    shield: Loss = 0
    weapons: JsonList[Code] = ()
    speed: Loss = 0


class Element(BaseElement, Profile):
    """A ship, or several ships of one design."""

    unnamed = _("Unnamed ship")
    marks: JsonList[Mark] = ()


FleetTerms = Terms[Options]

FINDINGS: Mapping[str, FindingType] = {
    "engine-range": error(
        _("ENGINE is 0 to 5, or 0 to 6 with the house rule. It is priced as entered."),
        _("ENGINE is the highest speed of a ship. It may never exceed 5; the house rule allows 6."),
        "3.0",
        reveals_points=False,
    ),
    "shield-range": error(
        _("SHIELD is 0 to 5. It is priced as entered."),
        _("SHIELD is the damage that a ship takes until it is destroyed. It may never exceed 5."),
        "3.0",
        reveals_points=False,
    ),
    "to-hit-range": error(
        _("TO-HIT is 0 to 5. It is priced as entered."),
        _("A shot hits if the die shows TO-HIT or less. It may never exceed 5."),
        "3.0",
        reveals_points=False,
    ),
    "no-shield": error(
        _("A ship without SHIELD is destroyed before the game begins."),
        _("A ship without an oval of SHIELD counts as destroyed, and this one starts with none."),
        "7.0",
        reveals_points=False,
    ),
    "weapon-in-rear": error(
        _("The rear of a ship cannot have a weapon. The weapon is priced all the same."),
        _("No weapon may go in the rear: a ship cannot fire at what follows it."),
        "3.0",
        reveals_points=False,
    ),
    "unknown-side": error(
        _(
            "A weapon is in front, front left, front right, rear left or rear right. Elsewhere it is priced all the "
            "same."
        ),
        _("A weapon fires into the arc of the side on which it is, so it needs one of the ship's sides."),
        "2.0",
        reveals_points=False,
    ),
    "two-weapons-on-a-side": error(
        _("Each side has at most one weapon. Every weapon is priced."),
        _(
            "Each side has room for one weapon, and its record has one oval for it. Damage of 6 destroys the "
            "weapon of the side that is hit."
        ),
        "3.0",
        reveals_points=False,
    ),
    "over-25": error(
        _("The largest ship has 25 BP, or 26 with the house rule for ENGINE 6."),
        _(
            "The highest ENGINE, SHIELD and TO-HIT (5 + 5 + 5) and five weapons (10) come to 25 BP, the largest"
            " ship possible."
        ),
        "3.0",
    ),
    "strategic-size": error(
        _("In the strategic game a ship has exactly 10, 15 or 20 BP."),
        _("In the campaign, ships are built from what your systems produce, in three sizes only."),
        _("Strategic Game, 6.0"),
    ),
    "no-engine": warning(
        _("A ship with ENGINE 0 cannot move, nor can its strategic fleet."),
        _("Speed may never exceed ENGINE, and in the strategic game a fleet is as fast as its slowest ship."),
        "6.0",
        reveals_points=False,
    ),
    "no-to-hit": warning(
        _("With TO-HIT 0 the weapons of a ship hit at 0 to 2 hexes only."),
        _("A shot hits if the die shows TO-HIT or less. From 0 only the bonus at short range makes that possible."),
        "7.0",
        reveals_points=False,
    ),
    "unarmed": warning(
        _("The ship has no weapons."),
        _("Each weapon fires once in a turn. Without one, the ship never attacks and its TO-HIT is wasted."),
        "7.0",
        reveals_points=False,
    ),
    "unusual-size": note(
        _("The usual sizes are 10, 15, 20 and 25 BP. Tactical games allow others."),
        _(
            "The rulebook names 15 BP as the average, 10 and 20 as other values and 25 as the largest, and "
            "leaves the choice to the players."
        ),
        "3.0",
    ),
    "empty-fleet": error(
        _("A fleet has at least one ship."),
        _("A fleet is its ships: without any it has nothing to move or to fight with."),
        _("Strategic Game, 4.0"),
        reveals_points=False,
        missing=True,
    ),
    "duplicate-ship-name": warning(
        _("Several ships are called the same, so their records are easily confused."),
        _(
            "Damage, speed and movement are written down for each ship. With equal names nobody knows whose "
            "record is whose."
        ),
        "2.0",
        reveals_points=False,
    ),
}

LABELS: Mapping[str, str] = {**STATS, "weapons": _("Weapons")}

FACTS: Mapping[str, Fact] = {
    "size": Fact(_("Size"), _("The usual size of the ship in BP: the smallest that its points fit in.")),
    "unspent": Fact(_("Unspent"), _("BP below that size.")),
    "over": Fact(_("Over"), _("BP above that size.")),
    "offensive": Fact(_("Offensive"), _("Offensive BP: weapons and TO-HIT.")),
    "defensive": Fact(_("Defensive"), _("Defensive BP: SHIELD.")),
    "attack_dice": Fact(
        _("Attack dice"),
        _("Attack dice of the fleet in strategic combat: 1 for each 7 offensive BP."),
        scenario=STRATEGIC,
    ),
    "save_dice": Fact(
        _("Save dice"), _("Save dice of the fleet in strategic combat: 1 for each 3 defensive BP."), scenario=STRATEGIC
    ),
    "speed": Fact(_("Speed"), _("Speed of the fleet in the strategic game, in hexes per turn."), reveals_points=False),
}

SCENARIOS = {
    "tactical": Scenario(
        _("Tactical battle"), _("A battle of single ships on a hex map. Ships have up to 25 BP."), {}, {}
    ),
    STRATEGIC: Scenario(
        _("Strategic game"),
        _("A campaign of fleets between star systems. Ships have exactly 10, 15 or 20 BP."),
        {},
        {},
    ),
}
SIZES = (
    Size(_("Strategic game, 525 BP"), 525, STRATEGIC),
    Size(_("Skirmish, 60 BP: 4 ships of 15 BP"), 60, "tactical"),
    Size(_("Battle, 100 BP"), 100, "tactical"),
    Size(_("No limit"), None),
)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: FleetTerms) -> Receipt:
    """The build points of one ship, step by step (rule 3). Always a whole number."""
    steps, subtotal = [], 0
    for name, label in STATS.items():
        points = getattr(profile, name)
        subtotal += points
        steps.append(_stat_step(label, points, subtotal))
    armament = WEAPON_POINTS * len(profile.weapons)
    weapons = (
        _("Weapons {sides}, {points} BP each").format(sides=" ".join(profile.weapons), points=WEAPON_POINTS)
        if profile.weapons
        else _("No weapons")
    )
    return Receipt((*steps, Step(weapons, f"+{armament}", subtotal + armament)))


def build_points(profile: Profile, terms: FleetTerms) -> int:
    """The price of one ship as a whole number."""
    return int(price(profile, terms).unit_points)


@lru_cache(maxsize=1024)
def _stat_step(stat: Message, points: int, subtotal: int) -> Step:
    """One step of a receipt. Cached: ships share few values, and every edit prices the whole roster."""
    return Step(join((stat, with_minus_sign(str(points))), " "), format_change(points), subtotal)


def offensive(profile: Profile) -> int:
    """The BP of one ship spent on weapons and TO-HIT (strategic game, rule 2)."""
    return WEAPON_POINTS * len(profile.weapons) + profile.to_hit


def defensive(profile: Profile) -> int:
    """The BP of one ship spent on SHIELD (strategic game, rule 2)."""
    return profile.shield


def headcount(element: Element) -> int:
    """The number of ships of an element."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: FleetTerms) -> Totals:
    """The sums themselves: build points are whole."""
    return plain_totals(sums, terms)


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: FleetTerms) -> Iterator[Problem]:
    """Findings about one ship."""
    for name, label in STATS.items():
        value, highest = getattr(element, name), terms.options.max_engine if name == "engine" else MAX_STAT
        if not 0 <= value <= highest:
            text = _("{stat} is {value}. It must be 0 to {highest}.")
            yield Problem(
                f"{name.replace('_', '-')}-range",
                text.format(stat=label, value=with_minus_sign(str(value)), highest=highest),
            )
    if element.shield == 0:
        yield Problem("no-shield", _("SHIELD is 0: the ship is destroyed before the first shot."))
    if element.engine == 0:
        yield Problem("no-engine", _("ENGINE is 0: the ship cannot move."))
    yield from _check_weapons(element)
    yield from _check_size(build_points(element, terms), terms)


def _check_weapons(profile: Profile) -> Iterator[Problem]:
    number = len(profile.weapons)
    if not number:
        yield Problem("unarmed", _("The ship has no weapons."))
    elif profile.to_hit == 0:
        text = ngettext(
            "TO-HIT is 0, but the ship has {n} weapon.", "TO-HIT is 0, but the ship has {n} weapons.", number
        )
        yield Problem("no-to-hit", text.format(n=number))
    for side, weapons in Counter(profile.weapons).items():
        if side not in (*SIDES, REAR):
            yield Problem("unknown-side", _("“{side}” is not a side of a ship.").format(side=side))
            continue
        if side == REAR:
            yield Problem("weapon-in-rear", _("The rear cannot have a weapon."))
        if weapons > 1:
            text = _("{side}: {n} weapons. Only one is allowed on a side.")
            yield Problem("two-weapons-on-a-side", text.format(side=SIDE_NAMES.get(side, side), n=weapons))


def _check_size(points: int, terms: FleetTerms) -> Iterator[Problem]:
    largest = largest_ship(terms)
    if points > largest:
        text = _("The ship has {points} BP. The maximum is {largest} BP.")
        yield Problem("over-25", text.format(points=points, largest=largest))
    if terms.scenario == STRATEGIC:
        if points not in STRATEGIC_SIZES:
            text = _("The ship has {points} BP. The strategic game requires 10, 15 or 20 BP.")
            yield Problem("strategic-size", text.format(points=with_minus_sign(str(points))))
    elif points not in USUAL_SIZES:
        text = _("The ship has {points} BP. Usual sizes are 10, 15, 20 and 25 BP.")
        yield Problem("unusual-size", text.format(points=with_minus_sign(str(points))))


def largest_ship(terms: FleetTerms) -> int:
    """The most BP of one ship: more where a house rule allows a larger ENGINE."""
    return MAX_SIZE + terms.options.max_engine - MAX_STAT


def check_formation(formation: Formation[Element], terms: FleetTerms) -> Iterator[Problem]:
    """Findings about one fleet."""
    if not _ships(formation):
        yield Problem("empty-fleet", _("The fleet “{fleet}” has no ships.").format(fleet=formation.name))


def _ships(formation: Formation[Element]) -> list[Element]:
    """The elements of a fleet that have at least one ship."""
    return [element for element in formation.elements if element.quantity > 0]


def check_roster(document: Document[Element, Options], totals: Totals, terms: FleetTerms) -> Iterator[Problem]:
    """Findings about the roster: duplicate names and points."""
    ships = [ship for formation in document.formations for ship in _ships(formation)]
    for name, entries in Counter(ship.name for ship in ships).items():
        if entries > 1:
            number = sum(ship.quantity for ship in ships if ship.name == name)
            text = _("{n} ships are called “{name}”.").format(n=number, name=name)
            yield Problem("duplicate-ship-name", text)
    yield from over_budget(totals.points, document.budget)


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: FleetTerms) -> Mapping[str, Any]:
    """The size of one ship in BP, what is below or above it, and BP as in the Fleet Control Sheet."""
    points, size = build_points(element, terms), size_of(element, terms)
    rest = {"unspent": size - points} if points <= size else {"over": points - size}
    return {"size": size, **rest, "offensive": offensive(element), "defensive": defensive(element)}


def size_of(profile: Profile, terms: FleetTerms) -> int:
    """The smallest usual size in BP that a ship fits in, or else the largest."""
    sizes = STRATEGIC_SIZES if terms.scenario == STRATEGIC else (*USUAL_SIZES, largest_ship(terms))
    points = build_points(profile, terms)
    return next((size for size in sizes if points <= size), sizes[-1])


def formation_facts(formation: Formation[Element], terms: FleetTerms) -> Mapping[str, Any]:
    """The fleet in the strategic game: offensive and defensive BP, speed in hexes per turn, dice (rules 7 and 8)."""
    ships = _ships(formation)
    attack = sum(offensive(ship) * ship.quantity for ship in ships)
    defense = sum(defensive(ship) * ship.quantity for ship in ships)
    return {
        "offensive": attack,
        "defensive": defense,
        "speed": min((ship.engine for ship in ships), default=0),
        "attack_dice": attack // POINTS_PER_ATTACK_DIE,
        "save_dice": defense // POINTS_PER_SAVE_DIE,
    }


class Stair(NamedTuple):
    """Speed and dice of a fleet that has lost all its ships but the first few."""

    speed: int
    attack_dice: int
    save_dice: int


def stairs(ships: Iterable[Profile]) -> Iterator[Stair]:
    """Speed and dice of the first ship, of the first two and so on (strategic game, rules 7 and 8)."""
    attack = defense = 0
    speed: int | None = None
    for ship in ships:
        attack, defense = attack + offensive(ship), defense + defensive(ship)
        speed = ship.engine if speed is None else min(speed, ship.engine)
        yield Stair(speed, attack // POINTS_PER_ATTACK_DIE, defense // POINTS_PER_SAVE_DIE)


def roster_facts(document: Document[Element, Options], terms: FleetTerms) -> Mapping[str, Any]:
    return {}


def describe(profile: Profile, terms: FleetTerms) -> Message:
    """The ship in one line."""
    stats = _("ENGINE {engine}, SHIELD {shield}, TO-HIT {to_hit}, weapons {sides}")
    unarmed = _("ENGINE {engine}, SHIELD {shield}, TO-HIT {to_hit}, no weapons")
    return (stats if profile.weapons else unarmed).format(
        **{name: with_minus_sign(str(getattr(profile, name))) for name in STATS}, sides=" ".join(profile.weapons)
    )


def glossary() -> Iterator[GlossaryEntry]:
    """Nothing: the rulebook has no reference lists."""
    yield from ()
