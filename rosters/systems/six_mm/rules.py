"""6MM: strength and points of stands, army morale (sections 2, 5, 7 and 8).

PURE. Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from rosters.core import values
from rosters.core.amounts import Amount, round_half_up
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, Meaning, Problem, error, over_budget, warning
from rosters.core.messages import _, ngettext
from rosters.core.receipts import Receipt, Tally, Totals
from rosters.core.reference import Entry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Count, Integer, Loss, Many, reject_keys
from rosters.systems.six_mm import tables
from rosters.systems.six_mm.tables import ARMOUR, FOOT, GUNS, ORDNANCE, QUALITY, TYPES

EDITION = "6MM, Gary Mitchell and STaB (reading 2)"
WORDS = Words(
    formation=_("Command"),
    formations=_("Commands"),
    element=_("Stand"),
    elements=_("Stands"),
    points=_("points"),
    points_heading=_("Points"),
    nouns=Nouns(_("command"), _("commands"), _("stand"), _("stands"), _("point")),
    count_elements=lambda n: ngettext("{n} stand", "{n} stands", n).format(n=n),
)

LEAST_STRENGTH, MOST_STRENGTH = 4, 15
SET = 3
"""Stands that move together; a set is always whole."""
PURCHASES = {"WORKS": ("Field works, a square", 2), "TRANSPORT": ("Shared soft transport, one", 1)}
"""What is bought without a stand, and its points each."""
MODERN = ("SKI/F", "SKI/S")
"""The types that gain from weapons after 1906, and the only ones with guided weapons."""
GUNNED = ("ART", "TNK")
SOFT = ("ART", *FOOT)
"""The types that may ride in soft motor transport."""
LONG_GUNS = ("breech-loader-130", "breech-loader-heavy")
"""Classes with guns above 100 mm, which can fire from off the board; of 80 to 130 mm, those that the players say."""


class Stats(values.Profile):
    """What a stand and each of its other states have. Unknown types and qualities come back as findings."""

    type: Code
    armour: Literal["light", "medium", "heavy", "super-heavy"] | None = None
    quality: Code = "average"
    post_1906: bool = False
    general: Literal["superior", "competent", "inferior"] | None = None
    elephant: bool = False
    agreed: Integer = 0
    gun: (
        Literal[
            "torsion",
            "smoothbore",
            "rifled-muzzle-loader",
            "breech-loader-79",
            "breech-loader-130",
            "breech-loader-heavy",
        ]
        | None
    ) = None
    transport: Literal["soft", "animal", "none"] | None = None
    guided: bool = False
    ordnance: (
        Literal["unarmed", "fighter", "fighter-bomber", "bomber", "jet-fighter-bomber", "attack-helicopter"] | None
    ) = None
    off_board: bool = False
    horse: bool = False


StatsT = TypeVar("StatsT", bound=Stats)


class State(Stats):
    """Another state of a stand (a duplicate): so many stands of a profile that inherits nothing."""

    quantity: Count = 1

    @model_validator(mode="wrap")
    @classmethod
    def _no_states_within(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        surplus = ["duplicates"] if isinstance(data, dict) and "duplicates" in data else []
        why = "is a duplicate inside a duplicate; a state has no states of its own"
        return _refuse(data, dict.fromkeys(surplus, why), handler)


class Profile(Stats):
    """A stand, or a purchase without one; ``duplicates`` are the states that it can change into."""

    duplicates: Many[State] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _bare_purchases(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict) or data.get("type") not in (*PURCHASES,):
            return handler(data)
        surplus = [key for key in data if key in Element.model_fields and key not in _PURCHASE_KEYS]
        return _refuse(data, dict.fromkeys(surplus, f"is not for {data['type']}, which has no stand"), handler)


_PURCHASE_KEYS = ("type", "id", "name", "quantity", "notes", "secret")


def _refuse(data: Any, surplus: Mapping[str, str], handler: ModelWrapValidatorHandler[StatsT]) -> StatsT:
    """Fault each surplus key once, and everything else that is wrong with ``data``."""
    if not surplus:
        return handler(data)
    rest = {key: value for key, value in data.items() if key not in surplus}
    return reject_keys(data, surplus, lambda _: handler(rest))


class Options(values.Options):
    """The house rules of 6MM."""

    tank_gun_reduced: bool = Field(
        default=False,
        title="Tank guns priced one lower",
        description=(
            "A tank pays the full factor of its gun, as the rulebook's example does. "
            "Switched on, it pays one less, never below 0, because tanks also shoot one lower."
        ),
    )
    animal_is_no_transport: bool = Field(
        default=False,
        title="Animals are no transport",
        description=(
            "Animal-drawn artillery neither pays nor saves for its transport. "
            "Switched on, it saves 1 point like artillery without any."
        ),
    )
    torsion_factor: Annotated[int, Field(ge=0, le=1)] = Field(
        default=0,
        title="Torsion gun factor",
        description=(
            "The rulebook lists no gun factor for torsion engines, so it is 0. "
            "At 1 they pay as much as a smoothbore; the point saved for torsion remains."
        ),
    )


class Mark(values.Mark):
    """Strength points that a stand has lost."""

    strength: Loss = 0


class Element(BaseElement, Profile):
    """A line of stands in an army, or a purchase without stands."""

    marks: Many[Mark] = ()


ArmyTerms = Terms[Options]

FINDINGS: Mapping[str, Meaning] = {
    "unknown-type": error("The rulebook has no such type of stand; it is priced 0.", tells_points=False),
    "unknown-quality": error(
        "Quality is poor, average, good or elite; anything else counts as average.", tells_points=False
    ),
    "agreed-range": error("Agreed peculiarities add or deduct 1 at most.", tells_points=False),
    "post-1906-only-skirmishers": error("Only SKI/F and SKI/S gain from being later than 1906.", tells_points=False),
    "elephant-only-pikes": error("Elephants are PKE stands.", tells_points=False),
    "gun-only-art-tnk": error("Only ART and TNK stands have guns; on others a gun is not priced.", tells_points=False),
    "art-needs-gun": error("An ART stand needs a gun or an engine.", tells_points=False),
    "torsion-only-art": error("Torsion engines are ART; on others they are not priced.", tells_points=False),
    "guided-only-skirmishers": error(
        "Only SKI/F and SKI/S carry guided weapons; others do not pay for them.", tells_points=False
    ),
    "ordnance-only-air": error("Only AIR stands carry ordnance; on others it is not priced.", tells_points=False),
    "soft-transport-not-allowed": error(
        "Soft motor transport is for ART and foot; others do not pay for it.", tells_points=False
    ),
    "transport-state-only-art": error(
        "Animal transport and no transport are choices for ART only.", tells_points=False
    ),
    "tank-needs-armour": error(
        "A TNK stand is light, medium, heavy or super-heavy; without it, light.", tells_points=False
    ),
    "armour-only-tnk": error(
        "Only TNK stands have a class of armour; on others it changes nothing.", tells_points=False
    ),
    "off-board-needs-heavy-gun": error(
        "Only ART with a breech-loader above 100 mm fires from off the board.", tells_points=False
    ),
    "needs-agreement": warning("Both players must agree on a historical peculiarity.", tells_points=False),
    "ordnance-not-set": warning(
        "The ordnance of an aircraft is agreed before play; not chosen, it counts 0.", tells_points=False
    ),
    "two-transports": warning("The stand pays for soft transport and also has a TNK to ride in.", tells_points=False),
    "raised-to-minimum": warning("The strength comes out below 4 and is raised to it.", tells_points=False),
    "cut-to-maximum": warning("The strength comes out above 15 and is cut to it.", tells_points=False),
    "no-general": error("An army needs a general.", tells_points=False),
    "several-generals": warning("The army has more than one general.", tells_points=False),
    "last-set-short": warning("Stands act in sets of exactly three, and the last set is short.", tells_points=False),
}

FACTS: Mapping[str, Fact] = {
    "strength": Fact("The starting strength of the stand; strength is not points.", tells_points=False),
    "routs_at": Fact("The strength at which the stand routs: the most that is below half.", tells_points=False),
    "army_morale": Fact(
        "Army morale (7.1): percent of stands lost, that many stands (rounded up), the die that retreats.",
        tells_points=False,
    ),
}

SCENARIOS: Mapping[str, Scenario] = {}
SIZES = (Size("120 points", 120), Size("100 points", 100), Size("150 points", 150), Size("No limit", None))

# ---------------------------------------------------------------- price

Part = tuple[str, int]
"""A label and what it adds."""


def price(profile: Profile, terms: ArmyTerms) -> Receipt:
    """The points of one stand, step by step (2.2, points system); of several states, their average."""
    tally = Tally()
    if profile.type in PURCHASES:
        tally.add(*PURCHASES[profile.type])
        return tally.receipt()
    _add_stand(tally, profile, terms.options, "State 1: " if profile.duplicates else "")
    for number, state in enumerate(profile.duplicates, 2):
        _add_state(tally, state, terms.options, f"State {number}: ")
    if profile.duplicates:
        states = 1 + len(profile.duplicates)
        tally.set_to(f"Average of {states} states", Fraction(tally.subtotal) / states)
    return tally.receipt()


def _add_state(tally: Tally, state: State, options: Options, prefix: str) -> None:
    before = tally.subtotal
    _add_stand(tally, state, options, prefix)
    if state.quantity != 1:
        one = tally.subtotal - before
        tally.add(f"{prefix}{state.quantity} such stands together", one * (state.quantity - 1))


def _add_stand(tally: Tally, stats: Stats, options: Options, prefix: str) -> None:
    if stats.type not in TYPES:
        tally.add(f"{prefix}Unknown type {stats.type!r}", 0)
        return
    for label, amount in (*_strength_parts(stats), *_limit(stats), *_extras(stats, options)):
        tally.add(f"{prefix}{label}", amount)


def _only(label: str, amount: int, types: tuple[str, ...], stats: Stats) -> Part:
    """The part as it is for the types that may have it, else at 0."""
    return (label, amount) if stats.type in types else (f"{label}, not for {stats.type}", 0)


def _strength_parts(stats: Stats) -> Iterator[Part]:
    yield _base(stats)
    if stats.quality not in QUALITY:
        yield f"Unknown quality {stats.quality!r}, counted as average", 0
    elif stats.quality != "average":
        yield f"{stats.quality.title()} quality", QUALITY[stats.quality]
    if stats.post_1906:
        yield _only("After 1906", 2, MODERN, stats)
    if stats.general:
        yield f"General, {stats.general}", 1
    if stats.elephant:
        yield _only("Elephant", -1, ("PKE",), stats)
    if stats.agreed:
        yield "Agreed peculiarity", stats.agreed


def _base(stats: Stats) -> Part:
    if stats.type != "TNK":
        return f"Base strength, {stats.type}", TYPES[stats.type].strength
    if stats.armour is None:
        return "Base strength, TNK without armour, as light", ARMOUR["light"]
    return f"Base strength, TNK {stats.armour}", ARMOUR[stats.armour]


def _unlimited(stats: Stats) -> int:
    return sum(amount for _, amount in _strength_parts(stats))


def strength(stats: Stats) -> int:
    """Strength points at the start of play, 4..15, of a stand whose type is known."""
    return min(max(_unlimited(stats), LEAST_STRENGTH), MOST_STRENGTH)


def _limit(stats: Stats) -> Iterator[Part]:
    change = strength(stats) - _unlimited(stats)
    if change > 0:
        yield f"Strength raised to {LEAST_STRENGTH}", change
    elif change < 0:
        yield f"Strength cut to {MOST_STRENGTH}", change


def _extras(stats: Stats, options: Options) -> Iterator[Part]:
    if stats.gun:
        yield from _gun(stats, stats.gun, options)
    if stats.type == "SKI/S":
        yield "Support weapons, SKI/S", 1
    if stats.guided:
        yield _only("Guided weapons", 1, MODERN, stats)
    if stats.transport:
        yield _transport(stats, stats.transport, options)
    if stats.ordnance:
        load = ORDNANCE[stats.ordnance]
        yield _only(f"Ordnance, {load.name}", load.points, ("AIR",), stats)


def _gun(stats: Stats, gun: str, options: Options) -> Iterator[Part]:
    name, factor = GUNS[gun].name, GUNS[gun].factor
    if gun == "torsion":
        yield _only(f"Gun factor, {name}", options.torsion_factor, ("ART",), stats)
        if stats.type == "ART":
            yield "Torsion artillery", -1
    elif stats.type == "TNK" and options.tank_gun_reduced:
        yield f"Gun factor, {name}, one less on a tank", max(factor - 1, 0)
    else:
        yield _only(f"Gun factor, {name}", factor, GUNNED, stats)


def _transport(stats: Stats, transport: str, options: Options) -> Part:
    if transport == "soft":
        return _only("Soft motor transport", 1, SOFT, stats)
    if transport == "none":
        return _only("Without transport", -1, ("ART",), stats)
    if options.animal_is_no_transport:
        return _only("Animal transport, counted as none", -1, ("ART",), stats)
    return _only("Animal transport", 0, ("ART",), stats)


def headcount(element: Element) -> int:
    """Stands that the element stands for: none for field works and shared transport."""
    return 0 if element.type in PURCHASES else element.quantity


def totals(sums: Sequence[Amount], terms: ArmyTerms) -> Totals:
    """Averages keep their fractions; the army's total is rounded half up."""
    whole = sum(sums)
    return Totals(tuple(sums), round_half_up(whole), whole)


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: ArmyTerms) -> Iterator[Problem]:
    """Findings about one stand and each of its other states."""
    if element.type in PURCHASES:
        return
    yield from _check_stats(element)
    for number, state in enumerate(element.duplicates, 2):
        for code, message in _check_stats(state):
            yield Problem(code, f"State {number}: {message}")
    if _two_transports((element, *element.duplicates)):
        yield Problem("two-transports", "Soft transport is paid for, and there is a TNK to ride in.")


def _two_transports(states: Sequence[Stats]) -> bool:
    tanks = sum(stats.type == "TNK" for stats in states)
    riders = [stats for stats in states if stats.transport == "soft" and stats.type in TYPES]
    return any(tanks > (rider.type == "TNK") for rider in riders)


def _check_stats(stats: Stats) -> Iterator[Problem]:
    if stats.type in PURCHASES:
        yield Problem("unknown-type", f"{stats.type} is bought on its own and is no state of a stand.")
    elif stats.type not in TYPES:
        yield Problem("unknown-type", f"{stats.type!r} is no type of stand.")
    else:
        for check in (_check_strength, _check_limits, _check_armour, _check_gun, _check_kit, _check_transport):
            yield from check(stats)


def _check_strength(stats: Stats) -> Iterator[Problem]:
    if stats.quality not in QUALITY:
        yield Problem("unknown-quality", f"{stats.quality!r} is no quality; it counts as average.")
    if stats.post_1906 and stats.type not in MODERN:
        yield Problem("post-1906-only-skirmishers", f"{stats.type} gains nothing from being later than 1906.")
    if stats.elephant and stats.type != "PKE":
        yield Problem("elephant-only-pikes", f"Elephants are PKE, not {stats.type}.")
    if stats.agreed not in (-1, 0, 1):
        yield Problem("agreed-range", f"{stats.agreed:+} is agreed; at most 1 either way is allowed.")
    if stats.agreed:
        yield Problem("needs-agreement", f"Agree on the {stats.agreed:+} strength with your opponent.")


def _check_limits(stats: Stats) -> Iterator[Problem]:
    unlimited = _unlimited(stats)
    if unlimited < LEAST_STRENGTH:
        yield Problem("raised-to-minimum", f"Strength {unlimited} is raised to {LEAST_STRENGTH}.")
    elif unlimited > MOST_STRENGTH:
        yield Problem("cut-to-maximum", f"Strength {unlimited} is cut to {MOST_STRENGTH}.")


def _check_armour(stats: Stats) -> Iterator[Problem]:
    if stats.type == "TNK" and stats.armour is None:
        yield Problem("tank-needs-armour", "Choose the armour of the TNK; until then it counts as light.")
    elif stats.type != "TNK" and stats.armour is not None:
        yield Problem("armour-only-tnk", f"{stats.type} has no class of armour such as {stats.armour}.")


def _check_gun(stats: Stats) -> Iterator[Problem]:
    name = GUNS[stats.gun].name if stats.gun else "gun"
    if stats.gun and stats.type not in GUNNED:
        yield Problem("gun-only-art-tnk", f"{stats.type} cannot have a {name}.")
    if stats.type == "ART" and stats.gun is None:
        yield Problem("art-needs-gun", "Choose the gun of the ART stand.")
    if stats.gun == "torsion" and stats.type != "ART":
        yield Problem("torsion-only-art", f"A {name} is ART, not {stats.type}.")
    if stats.off_board and (stats.type != "ART" or stats.gun not in LONG_GUNS):
        what = f"{stats.type} with a {name}" if stats.gun else f"{stats.type} without a gun"
        yield Problem("off-board-needs-heavy-gun", f"{what} cannot fire from off the board.")


def _check_kit(stats: Stats) -> Iterator[Problem]:
    if stats.guided and stats.type not in MODERN:
        yield Problem("guided-only-skirmishers", f"{stats.type} cannot have guided weapons.")
    if stats.ordnance and stats.type != "AIR":
        yield Problem("ordnance-only-air", f"{stats.type} cannot carry the ordnance of an aircraft.")
    if stats.type == "AIR" and stats.ordnance is None:
        yield Problem("ordnance-not-set", "Choose the ordnance of the aircraft; until then it counts 0.")


def _check_transport(stats: Stats) -> Iterator[Problem]:
    if stats.transport == "soft" and stats.type not in SOFT:
        yield Problem("soft-transport-not-allowed", f"{stats.type} cannot have soft motor transport.")
    if stats.transport in ("animal", "none") and stats.type != "ART":
        way = "Animal transport" if stats.transport == "animal" else "No transport"
        yield Problem("transport-state-only-art", f"{way} is a choice for ART, not for {stats.type}.")


def check_formation(formation: Formation[Element], terms: ArmyTerms) -> Iterable[Problem]:
    """The rules ask nothing of a single command."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: ArmyTerms) -> Iterator[Problem]:
    """Findings about the whole army: generals, sets of three, points."""
    generals = sum(element.quantity for element in _elements(document) if element.general)
    if generals == 0:
        yield Problem("no-general", "Name one stand as the general.")
    elif generals > 1:
        yield Problem("several-generals", f"{generals} stands are generals.")
    stands = _stands(document)
    if stands % SET:
        yield Problem("last-set-short", f"The last set has {stands % SET} of {SET} stands ({stands} in all).")
    yield from over_budget(totals.exact, document.budget)


def _elements(document: Document[Element, Options]) -> Iterator[Element]:
    return (element for formation in document.formations for element in formation.elements)


def _stands(document: Document[Element, Options]) -> int:
    return sum(headcount(element) for element in _elements(document))


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: ArmyTerms) -> Mapping[str, Any]:
    """Starting strength, and the strength at which the stand routs: the most that is below half."""
    if element.type not in TYPES:
        return {}
    return {"strength": strength(element), "routs_at": (strength(element) - 1) // 2}


def formation_facts(formation: Formation[Element], terms: ArmyTerms) -> Mapping[str, Any]:
    return {}


def roster_facts(document: Document[Element, Options], terms: ArmyTerms) -> Mapping[str, Any]:
    """Army morale (7.1): per cent of stands lost, that many stands (rounded up), the die that retreats."""
    stands = _stands(document)
    steps = range(1, 7) if stands else ()
    return {"army_morale": [[10 * step, -(-stands * step // 10), step] for step in steps]}


def describe(profile: Profile, terms: ArmyTerms) -> str:
    """The stand in one line, as a player would say it."""
    if profile.type in PURCHASES:
        return PURCHASES[profile.type][0]
    states = [_describe(profile)]
    for state in profile.duplicates:
        states.append(f"{state.quantity} × {_describe(state)}" if state.quantity != 1 else _describe(state))
    return " / ".join(states)


def _describe(stats: Stats) -> str:
    who = [
        f"{stats.type} {stats.armour}" if stats.armour else stats.type or "no type",
        stats.quality if stats.quality != "average" else "",
        "after 1906" if stats.post_1906 else "",
        f"{stats.general} general" if stats.general else "",
        "elephant" if stats.elephant else "",
        f"agreed {stats.agreed:+}" if stats.agreed else "",
    ]
    return " · ".join([", ".join(word for word in who if word), *_equipment(stats)])


def _equipment(stats: Stats) -> Iterator[str]:
    if stats.gun:
        yield GUNS[stats.gun].name
    if stats.horse:
        yield "horse artillery"
    if stats.off_board:
        yield "off the board"
    if stats.guided:
        yield "guided weapons"
    if stats.transport:
        yield {"soft": "soft transport", "animal": "animal transport", "none": "no transport"}[stats.transport]
    if stats.ordnance:
        yield ORDNANCE[stats.ordnance].name


def glossary() -> Iterator[Entry]:
    """Types of stand, purchases, guns and ordnance, in the order of the rulebook."""
    for code, name, text in tables.words():
        yield Entry(code, name, text)
    yield Entry("WORKS", "Field works", "Entrenchments count as double cover; 2 points a square, no stand.")
    yield Entry("TRANSPORT", "Shared transport", "Soft motor transport for ART or foot; 1 point each, no stand.")
