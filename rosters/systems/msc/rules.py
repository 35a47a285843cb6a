"""Minimal Space Combat: ships in build points (rules 2 and 3), fleets and their dice (strategic game).

PURE. Rulebook: Minimal Space Combat, Timothy Swenson.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from rosters.core import values
from rosters.core.amounts import Amount, format_amount, format_change, format_exact
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, Meaning, Problem, error, note, over_budget, warning
from rosters.core.messages import _, ngettext
from rosters.core.receipts import Receipt, Step, Totals, plain_totals
from rosters.core.reference import Entry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Integer, Loss, Many

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

SIDES = ("F", "FL", "FR", "RL", "RR")
"""The sides that may hold a weapon, in the order of the Ship Turn Record. The sixth, R, never may."""
REAR = "R"
MAX_STAT = 5
"""The most SHIELD and TO-HIT, and without the house rule also ENGINE; the least is 0."""
WEAPON_POINTS = 2
LARGEST = 25
"""The largest ship in BP; each point of ENGINE that a house rule allows on top raises it by one."""
STRATEGIC_SIZES = (10, 15, 20)
USUAL_SIZES = (*STRATEGIC_SIZES, LARGEST)
POINTS_PER_ATTACK_DIE = 7
POINTS_PER_SAVE_DIE = 3


class Profile(values.Profile):
    """A ship's design. Numbers out of range and unknown sides are read and come back as findings."""

    engine: Integer = 0
    shield: Integer = 0
    to_hit: Integer = 0
    weapons: Many[Code] = ()


class Options(values.Options):
    """The house rules of Minimal Space Combat."""

    max_engine: Annotated[int, Field(ge=5, le=6)] = Field(
        5,
        title="Highest ENGINE",
        description=(
            "ENGINE goes up to 5, as the rules of ship design say. The solo rules speak of 6: choosing it "
            "allows ENGINE 6 and ships of 26 BP, and the Ship Turn Record draws six ovals."
        ),
    )


class Mark(values.Mark):
    """What one ship has lost: points of ENGINE and SHIELD, and the sides whose weapons are gone."""

    engine: Loss = 0
    shield: Loss = 0
    weapons: Many[Code] = ()


class Element(BaseElement, Profile):
    """A ship, or a class of equal ships, of a roster."""

    marks: Many[Mark] = ()


FleetTerms = Terms[Options]

FINDINGS: Mapping[str, Meaning] = {
    "engine-range": error(
        "ENGINE is 0 to 5, or to 6 under the house rule; it is priced as written.", tells_points=False
    ),
    "shield-range": error("SHIELD is 0 to 5; it is priced as written.", tells_points=False),
    "to-hit-range": error("TO-HIT is 0 to 5; it is priced as written.", tells_points=False),
    "no-shield": error("A ship without SHIELD counts as destroyed before the game begins.", tells_points=False),
    "weapon-in-rear": error("The rear side takes no weapon; it is priced all the same.", tells_points=False),
    "unknown-side": error(
        "A weapon sits on F, FL, FR, RL or RR; on any other side it is priced all the same.", tells_points=False
    ),
    "two-weapons-on-a-side": error("Each side takes one weapon; every weapon listed is priced.", tells_points=False),
    "over-25": error("The largest ship is 25 BP, or 26 where the house rule allows ENGINE 6."),
    "strategic-size": error("In the strategic game ships are built at exactly 10, 15 or 20 BP."),
    "no-engine": warning("Without ENGINE the ship never moves, and neither does its fleet.", tells_points=False),
    "no-to-hit": warning(
        "The ship has weapons, but with TO-HIT 0 they hit at close range at best.", tells_points=False
    ),
    "unarmed": warning("The ship has no weapon.", tells_points=False),
    "unusual-size": note("The usual sizes are 10, 15, 20 and 25 BP; others are allowed in tactical games."),
    "empty-fleet": error("A fleet holds at least one ship.", tells_points=False),
    "duplicate-ship-name": warning(
        "Several lines share a name, so their records are easily confused.", tells_points=False
    ),
}

FACTS: Mapping[str, Fact] = {
    "size": Fact("The usual size in BP that the ship is being built to."),
    "unspent": Fact("BP left below that size."),
    "over": Fact("BP above that size."),
    "offensive": Fact("BP spent on attack."),
    "defensive": Fact("BP spent on defense."),
    "attack_dice": Fact("Attack dice of the fleet in the strategic game (rules 7 and 8 there), from its offensive BP."),
    "save_dice": Fact("Save dice of the fleet in the strategic game, from its defensive BP."),
    "speed": Fact("Hexes a turn of the fleet in the strategic game.", tells_points=False),
}

SCENARIOS = {
    "tactical": Scenario("Tactical battle", "Ship against ship on one hex map, at any size up to 25 BP.", {}, {}),
    "strategic": Scenario(
        "Strategic game",
        "A campaign of fleets between star systems, with ships of exactly 10, 15 or 20 BP.",
        {},
        {},
    ),
}
SIZES = (
    Size("Strategic game, 525 BP", 525, "strategic"),
    Size("Skirmish, 60 BP: four ships of 15", 60, "tactical"),
    Size("Battle, 100 BP", 100, "tactical"),
    Size("No limit", None),
)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: FleetTerms) -> Receipt:
    """The build points of one ship, step by step (rule 3). Always a whole number."""
    engine, shield, to_hit, weapons = profile.engine, profile.shield, profile.to_hit, profile.weapons
    armament = WEAPON_POINTS * len(weapons)
    bare = engine + shield + to_hit
    return Receipt(
        (
            _stat_step("ENGINE", engine, engine),
            _stat_step("SHIELD", shield, engine + shield),
            _stat_step("TO-HIT", to_hit, bare),
            Step(_weapons_label(weapons), f"+{armament}", bare + armament),
        )
    )


@lru_cache(maxsize=1024)
def _stat_step(stat: str, points: int, subtotal: int) -> Step:
    """One step of a receipt. Kept, because ships repeat the same few and pricing has to be quick."""
    return Step(f"{stat} {points}", format_change(points), subtotal)


def _weapons_label(weapons: Sequence[str]) -> str:
    return f"Weapons {' '.join(weapons)}, {WEAPON_POINTS} each" if weapons else "No weapons"


def offensive(profile: Profile) -> int:
    """The BP of one ship spent on weapons and TO-HIT, for the strategic game."""
    return WEAPON_POINTS * len(profile.weapons) + profile.to_hit


def defensive(profile: Profile) -> int:
    """The BP of one ship spent on SHIELD, for the strategic game."""
    return profile.shield


def headcount(element: Element) -> int:
    """Ships that the element stands for."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: FleetTerms) -> Totals:
    """Build points are whole; nothing is rounded."""
    return plain_totals(sums, terms)


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: FleetTerms) -> Iterator[Problem]:
    """Findings about one ship."""
    yield from _check_stats(element, terms.options.max_engine)
    yield from _check_weapons(element)
    yield from _check_size(price(element, terms).each, terms)


def _check_stats(profile: Profile, max_engine: int) -> Iterator[Problem]:
    for code, stat, value, highest in (
        ("engine-range", "ENGINE", profile.engine, max_engine),
        ("shield-range", "SHIELD", profile.shield, MAX_STAT),
        ("to-hit-range", "TO-HIT", profile.to_hit, MAX_STAT),
    ):
        if not 0 <= value <= highest:
            yield Problem(code, f"{stat} {value} is outside 0 to {highest}.")
    if profile.shield == 0:
        yield Problem("no-shield", "SHIELD 0: the ship is destroyed before the first shot.")
    if profile.engine == 0:
        yield Problem("no-engine", "ENGINE 0: the ship cannot move.")


def _check_weapons(profile: Profile) -> Iterator[Problem]:
    if not profile.weapons:
        yield Problem("unarmed", "The ship has no weapon.")
    elif profile.to_hit == 0:
        yield Problem("no-to-hit", f"TO-HIT 0, with weapons on board: {len(profile.weapons)}.")
    for side, number in Counter(profile.weapons).items():
        if side not in (*SIDES, REAR):
            yield Problem("unknown-side", f"{side!r} is no side of a ship.")
            continue
        if side == REAR:
            yield Problem("weapon-in-rear", "The rear (R) cannot hold a weapon.")
        if number > 1:
            yield Problem("two-weapons-on-a-side", f"Side {side} holds {number} weapons; one is allowed.")


def _check_size(points: Amount, terms: FleetTerms) -> Iterator[Problem]:
    largest = _largest(terms)
    if points > largest:
        yield Problem("over-25", f"The ship has {format_exact(points)} BP; the largest allowed has {largest}.")
    if terms.scenario == "strategic":
        if points not in STRATEGIC_SIZES:
            yield Problem("strategic-size", f"The ship has {format_exact(points)} BP instead of 10, 15 or 20.")
    elif points not in USUAL_SIZES:
        yield Problem("unusual-size", f"{format_exact(points)} BP is none of the usual sizes 10, 15, 20 and 25.")


def _largest(terms: FleetTerms) -> int:
    return LARGEST + terms.options.max_engine - MAX_STAT


def check_formation(formation: Formation[Element], terms: FleetTerms) -> Iterator[Problem]:
    """Findings about one fleet."""
    if not _ships(formation):
        yield Problem("empty-fleet", f"The fleet {formation.name!r} has no ships.")


def _ships(formation: Formation[Element]) -> list[Element]:
    """The lines of a fleet that stand for at least one ship."""
    return [element for element in formation.elements if element.quantity > 0]


def check_roster(document: Document[Element, Options], totals: Totals, terms: FleetTerms) -> Iterator[Problem]:
    """Findings about the whole force: names and points."""
    lines = Counter(ship.name for formation in document.formations for ship in _ships(formation))
    for name, number in lines.items():
        if number > 1:
            yield Problem("duplicate-ship-name", f"The name {name!r} stands on {number} lines.")
    yield from over_budget(totals.points, document.budget)


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: FleetTerms) -> Mapping[str, Any]:
    """One ship: how far it fills its size, and its BP by purpose, as the Fleet Control Sheet lists them."""
    points, size = _points(element), size_of(element, terms)
    rest = {"unspent": size - points} if points <= size else {"over": points - size}
    return {"size": size, **rest, "offensive": offensive(element), "defensive": defensive(element)}


def size_of(profile: Profile, terms: FleetTerms) -> int:
    """The usual size in BP that a ship is being built to: the smallest that holds it, or else the largest."""
    sizes = STRATEGIC_SIZES if terms.scenario == "strategic" else (*USUAL_SIZES, _largest(terms))
    return next((size for size in sizes if _points(profile) <= size), sizes[-1])


def _points(profile: Profile) -> int:
    return profile.engine + profile.shield + profile.to_hit + WEAPON_POINTS * len(profile.weapons)


def formation_facts(formation: Formation[Element], terms: FleetTerms) -> Mapping[str, Any]:
    """The fleet in the strategic game (rules 7 and 8 there): BP by purpose, speed in hexes a turn, dice."""
    ships = _ships(formation)
    attack = sum(offensive(ship) * ship.quantity for ship in ships)
    defence = sum(defensive(ship) * ship.quantity for ship in ships)
    return {
        "offensive": attack,
        "defensive": defence,
        "speed": min((ship.engine for ship in ships), default=0),
        "attack_dice": attack // POINTS_PER_ATTACK_DIE,
        "save_dice": defence // POINTS_PER_SAVE_DIE,
    }


def roster_facts(document: Document[Element, Options], terms: FleetTerms) -> Mapping[str, Any]:
    return {}


def describe(profile: Profile, terms: FleetTerms) -> str:
    """The ship in one line, as a player would say it."""
    weapons = f"weapons {' '.join(profile.weapons)}" if profile.weapons else "no weapons"
    return f"ENGINE {profile.engine}, SHIELD {profile.shield}, TO-HIT {profile.to_hit}, {weapons}"


def glossary() -> Iterator[Entry]:
    """The rulebook has no reference list."""
    yield from ()
