"""6MM: strength and points of stands, army morale (sections 2, 5, 7 and 8).

Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from rosters.core import values
from rosters.core.amounts import Amount, round_half_up, with_minus_sign
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, FindingType, Problem, error, over_budget, warning
from rosters.core.messages import Message, _, join, ngettext
from rosters.core.receipts import Receipt, ReceiptBuilder, Totals
from rosters.core.reference import GlossaryEntry
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Count, Integer, JsonList, Loss, reject_keys
from rosters.systems.six_mm.tables import (
    ARMOUR,
    FOOT,
    GENERALS,
    GUNS,
    MORALE_STEPS,
    OPTION_POINTS,
    ORDNANCE,
    PURCHASES,
    QUALITY,
    TRANSPORT,
    TRANSPORT_POINTS,
    TYPES,
)

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
FORMULA = _("Strength (type, quality, general, special trait; 4 to 15) + gun + equipment + transport + ordnance")
SCENARIOS: Mapping[str, Scenario] = {}
SIZES = (*(Size(WORDS.count_points(points), points) for points in (120, 100, 150)), Size(_("No limit"), None))

MIN_STRENGTH, MAX_STRENGTH = 4, 15
SET = 3
"""Stands that act together."""
MODERN = ("SKI/F", "SKI/S")
"""The types that gain from weapons after 1906, and the only ones with guided weapons."""
GUNNED = ("ART", "TNK")
SOFT = ("ART", *FOOT)
"""The types that may ride in soft motor transport."""
LONG_GUNS = ("breech-loader-130", "breech-loader-heavy")
"""Classes with guns above 100 mm, which can fire from off the board; of 80-130 mm only if the players say so."""


class Stats(values.Profile):
    """The stats of a stand or of one of its alternates. Unknown types and qualities are reported as findings."""

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


class Alternate(Stats):
    """An alternate stand (a duplicate): ``quantity`` stands of a profile that inherits nothing."""

    quantity: Count = 1

    @model_validator(mode="wrap")
    @classmethod
    def _no_nested_duplicates(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        surplus = ["duplicates"] if isinstance(data, dict) and "duplicates" in data else []
        return _reject(data, surplus, _("is a duplicate inside a duplicate; an alternate stand has none."), handler)


class Profile(Stats):
    """A stand, or a purchase without one; ``duplicates`` are the alternate stands that can be swapped in."""

    duplicates: JsonList[Alternate] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _only_purchase_keys(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict) or data.get("type") not in (*PURCHASES,):
            return handler(data)
        surplus = [key for key in data if key in Element.model_fields and key not in _PURCHASE_KEYS]
        reason = _("is only for stands, and {name} is not one: leave it out").format(name=PURCHASES[data["type"]].name)
        return _reject(data, surplus, reason, handler)


_PURCHASE_KEYS = ("type", "id", "name", "quantity", "notes", "secret")


def _reject(data: Any, surplus: Sequence[str], reason: Message, handler: ModelWrapValidatorHandler[StatsT]) -> StatsT:
    """Report each surplus key once, and everything else that is wrong with ``data``."""
    if not surplus:
        return handler(data)
    rest = {key: value for key, value in data.items() if key not in surplus}
    return reject_keys(data, dict.fromkeys(surplus, reason), lambda _data: handler(rest))


class Options(values.Options):
    """The house rules of 6MM."""

    tank_gun_reduced: bool = Field(
        default=False,
        title=_("Tank guns cost 1 less"),
        description=_(
            "A tank pays the full factor of its gun, as in the rulebook's example. With this rule it pays 1 less, "
            "never below 0, because tanks also deduct 1 when they shoot."
        ),
    )
    animal_is_no_transport: bool = Field(
        default=False,
        title=_("Animals do not count as transport"),
        description=_(
            "Animal transport of artillery costs nothing and saves nothing. With this rule it saves 1 point, like "
            "no transport."
        ),
    )
    traits_agreed: bool = Field(
        default=False,
        title=_("Special traits are agreed"),
        description=_(
            "Both players must agree on special traits, and the rules check says so for each. With this rule they have "
            "agreed on all of this roster."
        ),
    )
    torsion_factor: Annotated[int, Field(ge=0, le=1)] = Field(
        default=0,
        title=_("Torsion gun factor"),
        description=_(
            "The rulebook lists no gun factor for torsion engines, so it is 0. At 1 they pay as much as a smoothbore; "
            "the point saved for torsion remains."
        ),
    )


class Mark(values.Mark):
    """Strength points that a stand has lost, and whether it has rallied since it routed."""

    strength: Loss = 0
    rallied: bool = False


def type_name(code: str) -> str:
    """The name of a type of stand or of a purchase; an unknown code as it is."""
    known = TYPES.get(code) or PURCHASES.get(code)
    return known.name if known else code


class Element(BaseElement, Profile):
    """A line of stands in an army, or a purchase without stands."""

    unnamed = _("Unnamed stand")
    marks: JsonList[Mark] = ()

    @property
    def type_name(self) -> str:
        return type_name(self.type)


ArmyTerms = Terms[Options]

FINDINGS: Mapping[str, FindingType] = {
    "unknown-type": error(
        _("The rulebook has no such type of stand; it costs 0 points."),
        _(
            "A stand's strength and points begin with the base strength of its type. Without one there is "
            "nothing to add to."
        ),
        "2.2.1",
        reveals_points=False,
    ),
    "unknown-quality": error(
        _("Quality is poor, average, good or elite; anything else counts as average."),
        _("Quality adds to the base strength or takes from it, and the table has only these four."),
        "2.2.1",
        reveals_points=False,
    ),
    "agreed-range": error(
        _("A special trait adds or deducts 1 at most."),
        _(
            "Players may agree on a historical strength or weakness, and the table gives it 1 point of "
            "strength, not more."
        ),
        "2.2.1",
        reveals_points=False,
    ),
    "post-1906-only-skirmishers": error(
        _("Only skirmishers on foot and support weapons gain from a date after 1906; for others it costs nothing."),
        _("The table gives +2 for the better weapons after 1906 to skirmishers on foot and to support weapons alone."),
        "2.2.1",
        reveals_points=False,
    ),
    "elephant-only-pikes": error(
        _("Elephants count as pikes."),
        _("War elephants are grouped with the pikes, and their −1 belongs to that type."),
        "2.1",
        reveals_points=False,
    ),
    "gun-only-art-tnk": error(
        _("Only artillery and tanks have guns; for others a gun costs nothing."),
        _(
            "A gun gives range and shooting factor to artillery and tanks, and adds its factor to their price. "
            "No other type shoots with one."
        ),
        "2.1.2",
        reveals_points=False,
    ),
    "art-needs-gun": error(
        _("Artillery needs a gun or an engine."),
        _("The range, the shooting factor and the extra points of artillery all come from its gun."),
        "5.1",
        reveals_points=False,
    ),
    "torsion-only-art": error(
        _("Torsion engines are artillery; for others they cost nothing."),
        _("Torsion engines such as catapults are a kind of artillery, 1 point cheaper and with a short range."),
        "2.1.2",
        reveals_points=False,
    ),
    "guided-only-skirmishers": error(
        _("Only skirmishers on foot and support weapons have guided weapons; for others they cost nothing."),
        _(
            "The list of points names guided missiles for skirmishers on foot and for support weapons alone, 1 "
            "point extra."
        ),
        "2.1.2",
        reveals_points=False,
    ),
    "ordnance-only-air": error(
        _("Only aircraft carry ordnance; for others it costs nothing."),
        _("The table of ordnance lists aircraft only: each load has its points and its number of attacks."),
        "8.3",
        reveals_points=False,
    ),
    "soft-transport-not-allowed": error(
        _("Soft motor transport is for artillery and foot; for others it costs nothing."),
        _("Trucks carry artillery and foot, for 1 point extra. Mounted stands, tanks and aircraft move by themselves."),
        "2.1.2",
        reveals_points=False,
    ),
    "transport-state-only-art": error(
        _("Animal transport and no transport are choices for artillery only."),
        _("Only the points of artillery depend on how it is moved: 1 less without transport."),
        "2.1.2",
        reveals_points=False,
    ),
    "tank-needs-armour": error(
        _("A tank is light, medium, heavy or super-heavy; if not chosen, it counts as light."),
        _("The class of armor gives a tank its base strength, 5 to 8, and says how many hits it stops."),
        "2.2.1",
        reveals_points=False,
    ),
    "armour-only-tnk": error(
        _("Only tanks have a class of armor; for others it has no effect."),
        _("The table has classes of armor for tanks alone. Armored infantry and armored cavalry are other types."),
        "2.1",
        reveals_points=False,
    ),
    "off-board-needs-heavy-gun": error(
        _("Only artillery with a breech-loader above 100\xa0mm fires from off the board."),
        _(
            "Firing from off the board is a rule for heavy artillery alone, above 100\u00a0mm. It reaches ten "
            "squares onto the map."
        ),
        "8.2",
        reveals_points=False,
    ),
    "needs-agreement": warning(
        _("Both players must agree on a special trait."),
        _(
            "A special trait stands for troops that history knows as better or worse than the norm, so your "
            "opponent has a say in it."
        ),
        "2.2.1",
        reveals_points=False,
    ),
    "ordnance-not-set": warning(
        _("Players agree on the ordnance of an aircraft before play; if not chosen, it adds 0 points."),
        _("Bombs and rockets are part of the price, 1 to 5 points, and the opponent should know them before play."),
        "8.3",
        reveals_points=False,
    ),
    "two-transports": warning(
        _("The stand pays for soft transport and also has a tank to ride in."),
        _(
            "A stand that rides in a tank costs the average of the two. A truck as well costs 1 point more and "
            "carries nobody."
        ),
        "2.1.2",
        reveals_points=False,
    ),
    "raised-to-minimum": warning(
        _("A strength below 4 is raised to 4."),
        _("No stand has a strength below 4, so a further deduction makes it neither weaker nor cheaper."),
        "2.2.1",
        reveals_points=False,
    ),
    "cut-to-maximum": warning(
        _("A strength above 15 is reduced to 15."),
        _("No stand has a strength above 15, so what is added beyond that is lost."),
        "2.2.1",
        reveals_points=False,
    ),
    "no-general": error(
        _("An army needs a general."),
        _(
            "Every stand needs a line of stands to its general, or it must move back into one; without a general "
            "no stand has it. The general also counts in the roll for initiative."
        ),
        "4.1.2",
        reveals_points=False,
        missing=True,
    ),
    "several-generals": warning(
        _("The army has more than one general."),
        _(
            "Command needs one. Each further general costs 1 point, and each that is killed takes 1 from your "
            "rolls for army morale."
        ),
        "7.1",
        reveals_points=False,
    ),
    "last-set-short": warning(
        _("Stands act in sets of exactly three; these do not divide into sets."),
        _(
            "In its turn a side acts with three stands, no more and no less. A set with fewer has to wait until"
            " the end of the round."
        ),
        "3.3",
        reveals_points=False,
    ),
}

LABELS: Mapping[str, str] = {
    "type": _("Type"),
    "armour": _("Armor"),
    "quality": _("Quality"),
    "post_1906": _("After 1906"),
    "general": _("General"),
    "elephant": _("Elephants"),
    "agreed": _("Special trait (by agreement)"),
    "gun": _("Gun"),
    "transport": _("Transport"),
    "guided": _("Guided weapons"),
    "ordnance": _("Ordnance"),
    "off_board": _("Fires from off the board"),
    "horse": _("Horse artillery"),
    "duplicates": _("Alternate stands"),
    "quantity": _("Stands"),
    **{
        f"{key}-{code}": each.name
        for key, table in {"armour": ARMOUR, "quality": QUALITY, "general": GENERALS}.items()
        for code, each in table.items()
    },
    **{f"gun-{code}": gun.name for code, gun in GUNS.items()},
    **{f"ordnance-{code}": each.name for code, each in ORDNANCE.items()},
    **{f"transport-{code}": name for code, name in TRANSPORT.items()},
}

FACTS: Mapping[str, Fact] = {
    "strength": Fact(
        _("Strength"), _("The starting strength of the stand; strength is not points."), reveals_points=False
    ),
    "routs_at": Fact(
        _("Routs at"), _("The strength at which the stand routs: the highest below half."), reveals_points=False
    ),
    "army_morale": Fact(
        _("Army morale"),
        _("Army morale (7.1): percentage of stands lost, number of stands (rounded up), highest die that retreats."),
        reveals_points=False,
    ),
}

# ---------------------------------------------------------------- price

PricePart = tuple[str, int]
"""A label and what it adds."""


def price(profile: Profile, terms: ArmyTerms) -> Receipt:
    """The points of one stand, step by step (2.2, points system); with alternate stands, the average of the forms."""
    tally = ReceiptBuilder()
    if profile.type in PURCHASES:
        tally.add(PURCHASES[profile.type].name, PURCHASES[profile.type].points)
        return tally.receipt()
    forms = (profile, *profile.duplicates)
    for number, stats in enumerate(forms, 1):
        before = tally.subtotal
        for label, amount in _parts(stats, terms.options):
            tally.add(_of_form(number, label), amount)
        if isinstance(stats, Alternate) and stats.quantity != 1:
            n = stats.quantity
            label = ngettext("{n} such stand", "{n} such stands", n).format(n=n)
            tally.add(_of_form(number, label), (tally.subtotal - before) * (n - 1))
    if profile.duplicates:
        n = len(forms)
        label = ngettext("Average of {n} stand", "Average of {n} stands", n).format(n=n)
        tally.set_to(label, Fraction(tally.subtotal) / n)
    return tally.receipt()


def _of_form(number: int, text: str) -> str:
    return text if number == 1 else _("Alternate stand {number}: {text}").format(number=number - 1, text=text)


def _parts(stats: Stats, options: Options) -> Iterator[PricePart]:
    if stats.type not in TYPES:
        yield _("Unknown type “{type}”").format(type=stats.type), 0
        return
    yield from _strength_parts(stats)
    unlimited = _unlimited(stats)
    limited = _limit(unlimited)
    if limited > unlimited:
        yield _("Strength raised to {limit}").format(limit=limited), limited - unlimited
    elif limited < unlimited:
        yield _("Strength reduced to {limit}").format(limit=limited), limited - unlimited
    if stats.gun:
        yield from _gun(stats, stats.gun, options)
    if stats.type == "SKI/S":
        yield TYPES["SKI/S"].name, 1
    if stats.guided:
        yield _only(LABELS["guided"], OPTION_POINTS["guided"], MODERN, stats)
    if stats.transport:
        yield _transport(stats, stats.transport, options)
    if stats.ordnance:
        load = ORDNANCE[stats.ordnance]
        yield _only(_("Ordnance, {ordnance}").format(ordnance=load.name), load.value, ("AIR",), stats)


def _only(label: str, amount: int, types: tuple[str, ...], stats: Stats) -> PricePart:
    """The part at its price for ``types``, at 0 for others."""
    if stats.type in types:
        return label, amount
    return _("{item}, not for {type}").format(item=label, type=type_name(stats.type)), 0


def _strength_parts(stats: Stats) -> Iterator[PricePart]:
    if stats.type != "TNK":
        yield _("Base strength: {type}").format(type=type_name(stats.type)), TYPES[stats.type].strength
    elif stats.armour is None:
        yield _("Base strength: tanks without armor, as light"), ARMOUR["light"].value
    else:
        yield _("Base strength: {armor} tanks").format(armor=ARMOUR[stats.armour].name), ARMOUR[stats.armour].value
    if stats.quality not in QUALITY:
        yield _("Unknown quality “{quality}”, counts as average").format(quality=stats.quality), 0
    elif stats.quality != "average":
        yield _("Quality, {quality}").format(quality=QUALITY[stats.quality].name), QUALITY[stats.quality].value
    if stats.post_1906:
        yield _only(LABELS["post_1906"], OPTION_POINTS["post_1906"], MODERN, stats)
    if stats.general:
        yield _("General, {rating}").format(rating=GENERALS[stats.general].name), OPTION_POINTS["general"]
    if stats.elephant:
        yield _only(LABELS["elephant"], OPTION_POINTS["elephant"], ("PKE",), stats)
    if stats.agreed:
        yield _("Special trait (by agreement)"), stats.agreed


def _unlimited(stats: Stats) -> int:
    return sum(amount for _label, amount in _strength_parts(stats))


def _limit(points: int) -> int:
    return min(max(points, MIN_STRENGTH), MAX_STRENGTH)


def strength(stats: Stats) -> int:
    """Strength points at the start of play, 4..15, of a stand whose type is known."""
    return _limit(_unlimited(stats))


def _gun(stats: Stats, gun: str, options: Options) -> Iterator[PricePart]:
    label, factor = _("Gun factor, {gun}").format(gun=GUNS[gun].name), GUNS[gun].factor
    if gun == "torsion":
        yield _only(label, options.torsion_factor, ("ART",), stats)
        if stats.type == "ART":
            yield _("Torsion artillery"), -1
    elif stats.type == "TNK" and options.tank_gun_reduced:
        yield _("{gun}, 1 less on a tank").format(gun=label), factor - 1
    else:
        yield _only(label, factor, GUNNED, stats)


def _transport(stats: Stats, transport: str, options: Options) -> PricePart:
    points = TRANSPORT_POINTS[transport]
    if transport == "soft":
        return _only(_("Soft motor transport"), points, SOFT, stats)
    if transport == "none":
        return _only(_("No transport"), points, ("ART",), stats)
    if options.animal_is_no_transport:
        return _only(_("Animal transport, counts as none"), TRANSPORT_POINTS["none"], ("ART",), stats)
    return _only(_("Animal transport"), points, ("ART",), stats)


def headcount(element: Element) -> int:
    """The stands of an element: none for field works and shared transport."""
    return 0 if element.type in PURCHASES else element.quantity


def totals(sums: Sequence[Amount], terms: ArmyTerms) -> Totals:
    """Averages keep their fractions; the army's total is rounded half up."""
    exact = sum(sums)
    return Totals(tuple(sums), round_half_up(exact), exact)


# ---------------------------------------------------------------- legality

_PROBLEMS: Mapping[str, Message] = {
    "unknown-quality": _("“{quality}” is not a quality; it counts as average."),
    "post-1906-only-skirmishers": _("{type} cannot gain from a date after 1906."),
    "elephant-only-pikes": _("Elephants count as pikes; {type} cannot have them."),
    "agreed-range": _("The special trait is {change}; it adds or deducts 1 at most."),
    "needs-agreement": _("Agree on the special trait ({change} strength) with your opponent."),
    "raised-to-minimum": _("The strength would be {strength}. No stand has less than 4: it fights and is priced as 4."),
    "cut-to-maximum": _("The strength would be {strength}. No stand has more than 15: it fights and is priced as 15."),
    "tank-needs-armour": _("Choose the armor of the tank; until then it counts as light."),
    "armour-only-tnk": _("{type} cannot have a class of armor."),
    "gun-only-art-tnk": _("{type} cannot have a gun."),
    "art-needs-gun": _("Choose the gun of the artillery."),
    "torsion-only-art": _("{type} cannot have a torsion engine; only artillery can."),
    "off-board-needs-heavy-gun": _("{type} with {gun} cannot fire from off the board."),
    "guided-only-skirmishers": _("{type} cannot have guided weapons."),
    "ordnance-only-air": _("{type} cannot carry the ordnance of an aircraft."),
    "ordnance-not-set": _("Choose the ordnance of the aircraft; until then it adds 0 points."),
    "soft-transport-not-allowed": _("{type} cannot have soft motor transport."),
    "transport-state-only-art": _("Animal transport and no transport are for artillery, not for {type}."),
}
"""The message of each finding about a stand."""


def check_element(element: Element, terms: ArmyTerms) -> Iterator[Problem]:
    """Findings about one stand and each of its alternates."""
    if element.type in PURCHASES:
        return
    yield from _check_stats(element, terms)
    for number, alternate in enumerate(element.duplicates, 2):
        yield from (Problem(code, _of_form(number, message)) for code, message in _check_stats(alternate, terms))
    forms = (element, *element.duplicates)
    tanks = sum(stats.type == "TNK" for stats in forms)
    riders = [stats for stats in forms if stats.transport == "soft" and stats.type in TYPES]
    if any(tanks > (rider.type == "TNK") for rider in riders):
        yield Problem("two-transports", _("The stand pays for soft transport, and there is a tank to ride in."))


def _check_stats(stats: Stats, terms: ArmyTerms) -> Iterator[Problem]:
    if stats.type in PURCHASES:
        yield Problem("unknown-type", _("{type} cannot be an alternate stand.").format(type=type_name(stats.type)))
        return
    if stats.type not in TYPES:
        yield Problem("unknown-type", _("“{type}” is not a type of stand.").format(type=stats.type))
        return
    for code in broken_rules(stats):
        if code == "needs-agreement" and terms.options.traits_agreed:
            continue
        used = {name: value for name, value in _values(stats).items() if f"{{{name}}}" in _PROBLEMS[code]}
        yield Problem(code, _PROBLEMS[code].format(**used))


def _values(stats: Stats) -> Mapping[str, str]:
    """What the messages of findings may name."""
    return {
        "type": type_name(stats.type),
        "quality": stats.quality,
        "change": signed(stats.agreed),
        "strength": with_minus_sign(str(_unlimited(stats))),
        "gun": GUNS[stats.gun].name if stats.gun else _("no gun"),
    }


def broken_rules(stats: Stats) -> Iterator[str]:
    """Codes of the rules that a stand of a known type breaks."""
    art, tank, air = (stats.type == code for code in ("ART", "TNK", "AIR"))
    unlimited = _unlimited(stats)
    rules = {
        "unknown-quality": stats.quality not in QUALITY,
        "post-1906-only-skirmishers": stats.post_1906 and stats.type not in MODERN,
        "elephant-only-pikes": stats.elephant and stats.type != "PKE",
        "agreed-range": abs(stats.agreed) > 1,
        "needs-agreement": stats.agreed != 0,
        "raised-to-minimum": unlimited < MIN_STRENGTH,
        "cut-to-maximum": unlimited > MAX_STRENGTH,
        "tank-needs-armour": tank and stats.armour is None,
        "armour-only-tnk": not tank and stats.armour is not None,
        "gun-only-art-tnk": stats.gun is not None and stats.type not in GUNNED,
        "art-needs-gun": art and stats.gun is None,
        "torsion-only-art": stats.gun == "torsion" and not art,
        "off-board-needs-heavy-gun": stats.off_board and not (art and stats.gun in LONG_GUNS),
        "guided-only-skirmishers": stats.guided and stats.type not in MODERN,
        "ordnance-only-air": stats.ordnance is not None and not air,
        "ordnance-not-set": air and stats.ordnance is None,
        "soft-transport-not-allowed": stats.transport == "soft" and stats.type not in SOFT,
        "transport-state-only-art": stats.transport in ("animal", "none") and not art,
    }
    return (code for code, broken in rules.items() if broken)


def check_formation(formation: Formation[Element], terms: ArmyTerms) -> Iterable[Problem]:
    """The rules have no limits for a single command."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: ArmyTerms) -> Iterator[Problem]:
    """Findings about the army: generals, sets of three, points."""
    generals = sum(element.quantity for element in document.elements if element.general)
    if generals == 0:
        yield Problem("no-general", _("Choose a general."))
    elif generals > 1:
        message = ngettext("{n} stand is a general; choose one.", "{n} stands are generals; choose one.", generals)
        yield Problem("several-generals", message.format(n=generals))
    n = _stands(document)
    if n % SET:
        message = ngettext(
            "{n} stand does not divide into sets of three (add {more} or remove {surplus}).",
            "{n} stands do not divide into sets of three (add {more} or remove {surplus}).",
            n,
        )
        yield Problem("last-set-short", message.format(n=n, more=-n % SET, surplus=n % SET))
    yield from over_budget(totals.exact, document.budget)


def _stands(document: Document[Element, Options]) -> int:
    return sum(map(headcount, document.elements))


# ---------------------------------------------------------------- facts and descriptions


def element_facts(element: Element, terms: ArmyTerms) -> Mapping[str, Any]:
    """Starting strength, and the strength at which the stand routs: the highest below half."""
    if element.type not in TYPES:
        return {}
    points = strength(element)
    return {"strength": points, "routs_at": (points - 1) // 2}


def formation_facts(formation: Formation[Element], terms: ArmyTerms) -> Mapping[str, Any]:
    return {}


def roster_facts(document: Document[Element, Options], terms: ArmyTerms) -> Mapping[str, Any]:
    """Army morale (7.1): percentage of stands lost, number of stands (rounded up), highest die that retreats."""
    stands = _stands(document)
    steps = MORALE_STEPS if stands else ()
    return {"army_morale": [[percent, -(-stands * percent // 100), die] for percent, die in steps]}


def describe(profile: Profile, terms: ArmyTerms) -> str:
    """The stand in one line, its forms separated by slashes."""
    if profile.type in PURCHASES:
        return PURCHASES[profile.type].name
    alternates = (times(stats.quantity, describe_stats(stats)) for stats in profile.duplicates)
    return join((describe_stats(profile), *alternates), " / ")


def times(quantity: int, text: str) -> str:
    """A text for one stand as a text for ``quantity`` stands."""
    return text if quantity == 1 else join((f"{quantity} ×", text), " ")


def describe_stats(stats: Stats) -> str:
    """A stand without its alternates, or one of these, in a line."""
    quality = QUALITY[stats.quality].name if stats.quality in QUALITY else stats.quality
    transport = TRANSPORT[stats.transport] if stats.transport else ""
    parts = (
        type_name(stats.type) or _("no type"),
        "" if stats.quality == "average" else quality,
        *features(stats),
        transport,
    )
    return join((part for part in parts if part), " · ")


def features(stats: Stats) -> Iterator[str]:
    """What a stand has beside its type, quality and transport."""
    parts = (
        _("{rating} general").format(rating=GENERALS[stats.general].name) if stats.general else "",
        _("{armor} armor").format(armor=ARMOUR[stats.armour].name) if stats.armour else "",
        _("special trait {change}").format(change=signed(stats.agreed)) if stats.agreed else "",
        _("elephants") if stats.elephant else "",
        _("after 1906") if stats.post_1906 else "",
        GUNS[stats.gun].name if stats.gun else "",
        _("horse artillery") if stats.horse else "",
        _("off the board") if stats.off_board else "",
        _("guided weapons") if stats.guided else "",
        ORDNANCE[stats.ordnance].name if stats.ordnance else "",
    )
    return (part for part in parts if part)


def signed(number: int) -> str:
    """ "+1", "0" or "−1"."""
    return with_minus_sign(f"{number:+}") if number else "0"


def glossary() -> Iterator[GlossaryEntry]:
    """Types of stand, guns, ordnance and purchases, in the order of the rulebook."""
    for code, kind in TYPES.items():
        text = _("{text} Base strength {strength}.").format(text=kind.text, strength=kind.strength)
        yield GlossaryEntry(code, kind.name, text)
    for code, gun in GUNS.items():
        text = _("Gun factor {factor}, range {range} squares as artillery.").format(factor=gun.factor, range=gun.range)
        yield GlossaryEntry(code, gun.title, text)
    for code, load in ORDNANCE.items():
        text = _("{text} Adds {points} to the points of an aircraft.").format(text=load.text, points=load.value)
        yield GlossaryEntry(code, load.title, text)
    for code, purchase in PURCHASES.items():
        yield GlossaryEntry(code, purchase.name, purchase.text)
