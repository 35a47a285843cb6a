"""Very Simple Generic Miniatures Rules: figure points, traits, super powers, scenarios (sections IV to VIII).

PURE. Rulebook: VSGMR, Domino Writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from rosters.core import values
from rosters.core.amounts import Amount, format_exact
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, Meaning, Problem, error, over_budget, warning
from rosters.core.messages import _, ngettext
from rosters.core.receipts import Receipt, Tally, Totals, plain_totals
from rosters.core.reference import Entry, SuperPower, Trait, reference_list
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, Many

EDITION = "VSGMR, Domino Writing (reading 2)"
WORDS = Words(
    formation=_("Warband"),
    formations=_("Warbands"),
    element=_("Figure"),
    elements=_("Figures"),
    points=_("points"),
    points_heading=_("Points"),
    nouns=Nouns(_("warband"), _("warbands"), _("figure"), _("figures"), _("point")),
    count_elements=lambda n: ngettext("{n} figure", "{n} figures", n).format(n=n),
)

GUYS: Mapping[str, Amount] = {"mook": Fraction(1, 2), "troop": 1, "hero": 2}
MOUNTS: Mapping[str, Amount] = {"cavalry": 2, "vehicle": 3}
KINDS = {**GUYS, **MOUNTS}
TRAITS: Mapping[str, Trait] = {row.code: row for row in reference_list("vsgmr", "traits", Trait)}
TRAIT_POINTS = 2
ALIASES = {"weapon-master": "combat-master"}
"""Traits that a sample army calls by another name."""
POWERS: Mapping[tuple[str, str], SuperPower] = {
    (row.power, row.tier): row for row in reference_list("vsgmr", "super_powers", SuperPower)
}
"""Super powers by name and tier."""
DISTANCE_TRAITS = ("area-effect-attack", "sharpshooter", "sniper")


class Profile(values.Profile):
    """A figure. Unknown kinds, armors, traits and powers are read and come back as findings."""

    kind: Code
    commander: bool = False
    distance: bool = False
    armor: Code | None = None
    automatic_fire: bool = False
    large: bool = False
    traits: Many[Code] = ()
    support: Literal["distance", "hand-to-hand", "armor", "skill"] | None = None
    powers: dict[Code, Code] = {}


class Options(values.Options):
    """VSGMR has no house rules here."""


class Mark(values.Mark):
    """Whether a figure is out of the game."""

    out: bool = False


class Element(BaseElement, Profile):
    """A figure of a roster."""

    marks: Many[Mark] = ()


ForceTerms = Terms[Options]

FINDINGS: Mapping[str, Meaning] = {
    "unknown-kind": error(
        "A figure is a mook, troop, hero, cavalry or vehicle; anything else is priced 0.", tells_points=False
    ),
    "unknown-armor": error("Armor is light or heavy; anything else is priced 0.", tells_points=False),
    "commander-must-be-guy": error("Only a guy can be the commander, not a mount or a machine.", tells_points=False),
    "mook-commander": error("A mook cannot be the commander.", tells_points=False),
    "automatic-fire-without-distance": error(
        "Automatic fire needs a distance attack; without one it is not priced.", tells_points=False
    ),
    "unknown-trait": error("The rulebook has no such trait; it is priced 0.", tells_points=False),
    "duplicate-trait": error("A figure can have a trait once; every copy is charged.", tells_points=False),
    "independent-guy": error("Independent is for mounts and machines; on a guy it is not priced.", tells_points=False),
    "unknown-power": error("The rulebook has no such super power or tier; it is priced 0.", tells_points=False),
    "super-skill-only-guys": error("Super-Skill is for guys only; on others it is not priced.", tells_points=False),
    "troop-commander": warning("A troop may command, but gets no heavy armor for it.", tells_points=False),
    "trait-alias": warning("The trait is read under the name that the rulebook lists.", tells_points=False),
    "trait-needs-distance": warning(
        "The trait works on distance attacks, and the figure has none.", tells_points=False
    ),
    "trait-needs-armor": warning("Tough helps armor rolls, and the figure has no armor.", tells_points=False),
    "power-needs-armor": warning("Super-Armor changes the armor die, and the figure has no armor.", tells_points=False),
    "power-needs-distance": warning(
        "Super-Blast changes the distance die, and the figure has no distance attack.", tells_points=False
    ),
    "support-roll-not-chosen": warning("Support helps one kind of roll, chosen before the game.", tells_points=False),
    "no-commander": error("A force needs a commander.", tells_points=False),
    "several-commanders": error("A force has exactly one commander.", tells_points=False),
    "mount-without-rider": error(
        "Each cavalry or vehicle that is not Independent needs a guy to ride or drive it.", tells_points=False
    ),
    "mooks-replace-troops": warning("Mooks support troops; here they outnumber them.", tells_points=False),
    "outside-suggested-budget": warning("The scenario suggests other points for this side."),
}

FACTS: Mapping[str, Fact] = {}
"""None: a figure's card needs only its profile."""

_ANY = {"": (25, 40)}
SCENARIOS = {
    "basic": Scenario("Basic game", "Most points of defeated figures after five rounds.", {}, _ANY),
    "escape": Scenario("Escape", "First to bring more than half of the original figures across.", {}, _ANY),
    "transport": Scenario("Transport", "Carry the object from the middle to your own edge.", {}, _ANY),
    "spawning": Scenario(
        "Spawning",
        "One side starts with a single figure and brings the others on by the die.",
        {"infiltrator": "Infiltrator", "spawner": "Spawner"},
        {"": (25, 40), "infiltrator": (25, 40), "spawner": (25, 40)},
    ),
    "ambush": Scenario(
        "Ambush",
        "Hidden ambushers against a force in the open.",
        {"ambusher": "Ambusher", "target": "Target"},
        {"ambusher": (None, 25), "target": (None, 40)},
    ),
    "fortress-assault": Scenario(
        "Fortress assault",
        "Destroy the building, or hold it.",
        {"assaulter": "Assaulter", "defender": "Defender"},
        {"assaulter": (None, 20), "defender": (None, 40)},
    ),
}
SIZES = (
    Size("25 points", 25, "basic"),
    Size("30 points", 30, "basic"),
    Size("40 points", 40, "basic"),
    Size("Ambusher, 25 points", 25, "ambush"),
    Size("Fortress assaulter, 20 points", 20, "fortress-assault"),
)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: ForceTerms) -> Receipt:
    """The points of one figure, step by step (section IV; traits V; powers VI)."""
    tally = Tally()
    if profile.kind not in KINDS:
        tally.add(f"Unknown kind {profile.kind!r}", 0)
        return tally.receipt()
    tally.add(profile.kind.title(), KINDS[profile.kind])
    if profile.distance:
        tally.add("Distance attack", 1)
    _add_armor(tally, profile)
    if profile.automatic_fire:
        tally.add(
            "Automatic fire" if profile.distance else "Automatic fire without a distance attack",
            int(profile.distance),
        )
    for slug in profile.traits:
        _add_trait(tally, profile, slug)
    for slug, tier in powers_of(profile):
        _add_power(tally, profile, slug, tier)
    return tally.receipt()


def _add_armor(tally: Tally, profile: Profile) -> None:
    if profile.commander and profile.kind == "hero":
        tally.add("Heavy armor, free to a hero commander", 0)
    elif profile.armor == "light":
        tally.add("Light armor", 1) if profile.kind in GUYS else tally.add("Light armor, free", 0)
    elif profile.armor == "heavy":
        tally.add("Heavy armor", 2 if profile.kind in GUYS else 1)
    elif profile.armor is not None:
        tally.add(f"Unknown armor {profile.armor!r}", 0)
    elif profile.kind in MOUNTS:
        tally.add("Light armor, free", 0)


def _add_trait(tally: Tally, profile: Profile, slug: str) -> None:
    code = ALIASES.get(slug, slug)
    if code not in TRAITS:
        tally.add(f"Unknown trait {slug!r}", 0)
    elif code == "independent" and profile.kind in GUYS:
        tally.add("Independent, not for guys", 0)
    else:
        tally.add(_trait_name(slug), TRAIT_POINTS)


def _trait_name(slug: str) -> str:
    """The trait's name; an alias keeps its own and tells which trait it is read as."""
    trait = TRAITS.get(ALIASES.get(slug, slug))
    if trait is None:
        return slug
    return trait.name if trait.code == slug else f"{_spoken(slug)} ({trait.name})"


def _spoken(slug: str) -> str:
    return slug.replace("-", " ").title()


def powers_of(profile: Profile) -> list[tuple[str, str]]:
    """Super powers with their tiers, in the order of the rulebook, unknown ones last by name: a map has no order."""

    def place(item: tuple[str, str]) -> tuple[bool, int, tuple[str, str]]:
        row = POWERS.get(item)
        return row is None, row.number if row else 0, item

    return sorted(profile.powers.items(), key=place)


def _add_power(tally: Tally, profile: Profile, slug: str, tier: str) -> None:
    power = POWERS.get((slug, tier))
    if power is None:
        tally.add(f"Unknown super power {slug!r}, {tier!r}", 0)
    elif slug == "super-skill" and profile.kind in MOUNTS:
        tally.add("Super-Skill, for guys only", 0)
    else:
        tally.add(f"{power.name}, {tier}", power.points)


def headcount(element: Element) -> int:
    """Figures that the element stands for."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: ForceTerms) -> Totals:
    """Nothing is rounded: half points of mooks stay."""
    return plain_totals(sums, terms)


# ---------------------------------------------------------------- legality


def armor_of(profile: Profile) -> str | None:
    """The armor that a figure really has: heavy for a hero commander, at least light for a mount."""
    if profile.commander and profile.kind == "hero":
        return "heavy"
    if profile.kind in MOUNTS and profile.armor != "heavy":
        return "light"
    return profile.armor if profile.armor in ("light", "heavy") else None


def check_element(element: Element, terms: ForceTerms) -> Iterator[Problem]:
    """Findings about one figure."""
    if element.kind not in KINDS:
        yield Problem("unknown-kind", f"{element.kind!r} is no kind of figure.")
        return
    yield from _check_commander(element)
    if element.armor not in (None, "light", "heavy"):
        yield Problem("unknown-armor", f"{element.armor!r} is no armor.")
    if element.automatic_fire and not element.distance:
        yield Problem("automatic-fire-without-distance", "Automatic fire needs a distance attack.")
    yield from _check_traits(element)
    yield from _check_powers(element)


def _check_commander(profile: Profile) -> Iterator[Problem]:
    if not profile.commander:
        return
    if profile.kind in MOUNTS:
        yield Problem("commander-must-be-guy", f"A {profile.kind} cannot be the commander.")
    elif profile.kind == "mook":
        yield Problem("mook-commander", "A mook cannot be the commander.")
    elif profile.kind == "troop":
        yield Problem("troop-commander", "A troop commander gets no free heavy armor.")


def _check_traits(profile: Profile) -> Iterator[Problem]:
    copies = Counter(ALIASES.get(slug, slug) for slug in profile.traits)
    for slug in dict.fromkeys(profile.traits):
        if ALIASES.get(slug, slug) not in TRAITS:
            yield Problem("unknown-trait", f"{slug!r} is no trait.")
        elif slug in ALIASES:
            name = TRAITS[ALIASES[slug]].name
            yield Problem("trait-alias", f"{_spoken(slug)} is read as {name}.")
    for code in [code for code in copies if code in TRAITS]:
        yield from _check_trait(profile, code, copies[code], TRAITS[code].name)


def _check_trait(profile: Profile, code: str, copies: int, name: str) -> Iterator[Problem]:
    if copies > 1:
        yield Problem("duplicate-trait", f"{name} is bought {copies} times; a figure can have it once.")
    if code == "independent" and profile.kind in GUYS:
        yield Problem("independent-guy", f"A {profile.kind} is a guy and cannot be Independent.")
    elif code in DISTANCE_TRAITS and not profile.distance:
        yield Problem("trait-needs-distance", f"{name} works on distance attacks, and there is none.")
    elif code == "tough" and armor_of(profile) is None:
        yield Problem("trait-needs-armor", f"{name} helps armor rolls, and there is no armor.")
    elif code == "support" and profile.support is None:
        yield Problem("support-roll-not-chosen", f"Choose the roll that {name} helps.")


def _check_powers(profile: Profile) -> Iterator[Problem]:
    for slug, tier in powers_of(profile):
        if (slug, tier) not in POWERS:
            yield Problem("unknown-power", f"{slug!r} at {tier!r} is no super power.")
        elif slug == "super-skill" and profile.kind in MOUNTS:
            yield Problem("super-skill-only-guys", f"A {profile.kind} cannot have Super-Skill.")
        elif slug == "super-armor" and armor_of(profile) is None:
            yield Problem("power-needs-armor", "Super-Armor changes armor rolls, and there is no armor.")
        elif slug == "super-blast" and not profile.distance:
            yield Problem("power-needs-distance", "Super-Blast changes distance attacks, and there is none.")


def check_formation(formation: Formation[Element], terms: ForceTerms) -> Iterable[Problem]:
    """The rules ask nothing of a single warband."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: ForceTerms) -> Iterator[Problem]:
    """Findings about the whole force: commander, riders, mooks, points."""
    figures = [element for formation in document.formations for element in formation.elements]
    commanders = _number(figures, lambda figure: figure.commander and figure.kind in KINDS)
    if commanders == 0:
        yield Problem("no-commander", "Name one guy as the commander.")
    elif commanders > 1:
        yield Problem("several-commanders", f"{commanders} figures are commanders; a force has one.")
    yield from _check_numbers(figures)
    yield from over_budget(totals.points, document.budget)
    yield from _check_suggestion(totals.points or 0, terms)


def _number(figures: Iterable[Element], wanted: Callable[[Element], bool]) -> int:
    return sum(figure.quantity for figure in figures if wanted(figure))


def _check_numbers(figures: Sequence[Element]) -> Iterator[Problem]:
    guys = _number(figures, lambda figure: figure.kind in GUYS)
    mounts = _number(figures, lambda figure: figure.kind in MOUNTS and "independent" not in figure.traits)
    if mounts > guys:
        yield Problem(
            "mount-without-rider",
            f"The mounts ({mounts}) outnumber the guys ({guys}) who could ride or drive them.",
        )
    mooks = _number(figures, lambda figure: figure.kind == "mook")
    troops = _number(figures, lambda figure: figure.kind == "troop")
    if mooks > troops:
        yield Problem("mooks-replace-troops", f"The mooks ({mooks}) outnumber the troops ({troops}) that they support.")


def _check_suggestion(points: Amount, terms: ForceTerms) -> Iterator[Problem]:
    if terms.scenario is None:
        return
    scenario = SCENARIOS[terms.scenario]
    lowest, highest = scenario.suggested.get(terms.side or "", (None, None))
    if (lowest is not None and points < lowest) or (highest is not None and points > highest):
        suggestion = f"{lowest} to {highest}" if lowest is not None else f"at most {highest}"
        yield Problem(
            "outside-suggested-budget",
            f"{scenario.name} suggests {suggestion} points; the force has {format_exact(points)}.",
        )


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: ForceTerms) -> Mapping[str, Any]:
    """None: a figure's card needs only its profile."""
    return {}


def formation_facts(formation: Formation[Element], terms: ForceTerms) -> Mapping[str, Any]:
    """None: a warband is only a heading."""
    return {}


def roster_facts(document: Document[Element, Options], terms: ForceTerms) -> Mapping[str, Any]:
    """None: the rules count nothing of the force beyond its points."""
    return {}


def describe(profile: Profile, terms: ForceTerms) -> str:
    """The figure in one line, as a player would say it."""
    armor = armor_of(profile)
    parts = [
        f"{'Large ' if profile.large else ''}{profile.kind}".capitalize(),
        "commander" if profile.commander else "",
        "distance attack" if profile.distance else "",
        "automatic fire" if profile.automatic_fire else "",
        f"{armor} armor" if armor else "",
        *(_describe_trait(profile, slug) for slug in profile.traits),
        *(_describe_power(slug, tier) for slug, tier in powers_of(profile)),
    ]
    return ", ".join(part for part in parts if part)


def _describe_trait(profile: Profile, slug: str) -> str:
    name = _trait_name(slug)
    return f"{name} ({profile.support.replace('-', ' ')})" if slug == "support" and profile.support else name


def _describe_power(slug: str, tier: str) -> str:
    power = POWERS.get((slug, tier))
    return f"{power.name} ({tier})" if power else f"{slug} ({tier})"


def glossary() -> Iterator[Entry]:
    """Traits and super powers, in the order of the rulebook."""
    for trait in TRAITS.values():
        yield Entry(trait.code, trait.name, trait.text)
    for power in POWERS.values():
        yield Entry(f"{power.power}-{power.tier}", f"{power.name}, {power.tier}", power.text)
