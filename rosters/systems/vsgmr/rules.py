"""Very Simple Generic Miniatures Rules: figure points, traits, super powers, scenarios (sections IV to VIII).

Rulebook: VSGMR, Domino Writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from rosters.core import values
from rosters.core.amounts import Amount, format_exact
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, FindingType, Problem, error, note, over_budget, warning
from rosters.core.messages import Message, _, join, ngettext
from rosters.core.receipts import Receipt, ReceiptBuilder, Totals, plain_totals
from rosters.core.reference import GlossaryEntry, SuperPower, Trait, reference_list
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import Code, JsonList

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
FORMULA = _("Kind + equipment + 2 for each trait + super powers")

GUYS: Mapping[str, Amount] = {"mook": Fraction(1, 2), "troop": 1, "hero": 2}
MOUNTS: Mapping[str, Amount] = {"cavalry": 2, "vehicle": 3}
KINDS = {**GUYS, **MOUNTS}
KIND_NAMES: Mapping[str, Message] = {
    "mook": _("Mook"),
    "troop": _("Troop"),
    "hero": _("Hero"),
    "cavalry": _("Cavalry"),
    "vehicle": _("Vehicle"),
}
ARMOR_NAMES: Mapping[str, Message] = {"light": _("light armor"), "heavy": _("heavy armor")}
ARMOR_POINTS = {"guys": {"light": 1, "heavy": 2}, "mounts": {"light": 0, "heavy": 1}}
DISTANCE_POINTS = 1
AUTOMATIC_FIRE_POINTS = 1
SUPPORT_NAMES: Mapping[str, Message] = {
    "distance": _("distance attacks"),
    "hand-to-hand": _("hand to hand attacks"),
    "armor": _("armor rolls"),
    "skill": _("skill rolls"),
}
"""The kinds of rolls, one of which Support helps (section V)."""
TIER_NAMES: Mapping[str, Message] = {"minor": _("minor"), "major": _("major"), "superior": _("superior")}
TRAITS: Mapping[str, Trait] = {row.code: row for row in reference_list("vsgmr", "traits", Trait)}
TRAIT_POINTS = 2
ALIASES = {"weapon-master": "combat-master"}
"""Traits that a sample army calls by another name."""
ALIAS_NAMES: Mapping[str, Message] = {"weapon-master": _("Weapon Master")}
POWERS: Mapping[tuple[str, str], SuperPower] = {
    (row.power, row.tier): row for row in reference_list("vsgmr", "super_powers", SuperPower)
}
"""Super powers by code and tier, in the order of the rulebook."""
POWER_NAMES = {row.power: row.name for row in POWERS.values()}
DISTANCE_TRAITS = ("area-effect-attack", "sharpshooter", "sniper")


class Profile(values.Profile):
    """A figure. Unknown kinds, armors, traits and powers are read and come back as findings."""

    kind: Code
    commander: bool = False
    distance: bool = False
    armor: Code | None = None
    automatic_fire: bool = False
    large: bool = False
    traits: JsonList[Code] = ()
    support: Literal["distance", "hand-to-hand", "armor", "skill"] | None = None
    powers: dict[Code, Code] = {}


class Options(values.Options):
    """VSGMR has no house rules."""


class Mark(values.Mark):
    """Whether a figure is defeated."""

    out: bool = False


class Element(BaseElement, Profile):
    """A figure of a roster."""

    unnamed = _("Unnamed figure")
    marks: JsonList[Mark] = ()

    @property
    def type_name(self) -> str:
        return KIND_NAMES.get(self.kind, "")


RosterTerms = Terms[Options]

_error, _warning = partial(error, reveals_points=False), partial(warning, reveals_points=False)
FINDINGS: Mapping[str, FindingType] = {
    "unknown-kind": _error(
        _("A figure is a mook, troop, hero, cavalry or vehicle. Any other kind is priced 0."),
        _("Each of these kinds has its points, its move and its rolls. No other kind has any."),
        "IV",
    ),
    "unknown-armor": _error(
        _("Armor is light or heavy. Any other armor is priced 0."),
        _("Armor rolls succeed on 6 or more with light armor, on 4 or more with heavy armor. There is no other."),
        "II",
    ),
    "commander-must-be-guy": _error(
        _("The commander is a guy, never cavalry or a vehicle."),
        _("You buy a guy, usually a hero, as your commander. Cavalry and vehicles carry guys, and cannot lead them."),
        "IV",
    ),
    "mook-commander": _error(
        _("A mook cannot be the commander."),
        _("Mooks are a kind of guy that only supports troops: −1 on every die, and never the commander."),
        "IV",
    ),
    "automatic-fire-without-distance": _error(
        _("Automatic fire needs a distance attack. Without one it is priced 0."),
        _("Automatic fire rolls two dice for a distance attack and uses the higher. Hand weapons cannot use it."),
        "II",
    ),
    "unknown-trait": _error(
        _("The rulebook has no such trait. It is priced 0."),
        _("The rulebook lists the traits, 2 points each. Any other trait has neither effect nor price."),
        "V",
    ),
    "duplicate-trait": _error(
        _("A figure can have each trait once. Every copy is priced."),
        _("A figure can have a trait only once: Sharpshooter twice is not +2."),
        "V",
    ),
    "independent-guy": _error(
        _("Independent is for cavalry and vehicles. On a guy it is priced 0."),
        _(
            "It lets cavalry or a vehicle move and attack without a rider. A guy needs none, and the rulebook "
            "excludes guys."
        ),
        "V",
    ),
    "unknown-power": _error(
        _("The rulebook has no such super power or tier. It is priced 0."),
        _("A super power is minor, major or superior, and each has its die and its points. No other tier has any."),
        "VI",
    ),
    "super-skill-only-guys": _error(
        _("Super-Skill is for guys. On cavalry and vehicles it is priced 0."),
        _("Super-Skill is a better die for skill rolls, and only guys make those."),
        "VI",
    ),
    "troop-commander": _warning(
        _("A troop can be the commander, but gets no free heavy armor."),
        _("A commander has heavy armor for free, but not as a troop. A hero costs 1 point more and has it."),
        "IV",
    ),
    "trait-alias": _warning(
        _("The trait has another name in the rulebook."),
        _(
            "A sample army calls it by a name that the list of traits does not have. The effect is that of the "
            "listed trait."
        ),
        "V",
    ),
    "trait-needs-distance": _warning(
        _("The trait only affects distance attacks, and the figure has none."),
        _(
            "It changes distance attacks, which a figure can make for 1 point more. Without them the 2 points "
            "buy nothing."
        ),
        "V",
    ),
    "trait-needs-armor": _warning(
        _("Tough only affects armor rolls, and the figure has no armor."),
        _("It adds 1 to armor rolls, and who has no armor makes none. The 2 points buy nothing."),
        "V",
    ),
    "power-needs-armor": _warning(
        _("Super-Armor only affects armor rolls, and the figure has no armor."),
        _("It is a better die for armor rolls, and who has no armor makes none. Its points buy nothing."),
        "VI",
    ),
    "power-needs-distance": _warning(
        _("Super-Blast only affects distance attacks, and the figure has none."),
        _(
            "It is a better die for distance attacks, which a figure can make for 1 point more. Without them "
            "its points buy nothing."
        ),
        "VI",
    ),
    "support-roll-not-chosen": _warning(
        _("Support affects one kind of roll, chosen before the game."),
        _("Support adds 1 to one kind of roll of allied figures close by. Which one has to be fixed before the game."),
        "V",
    ),
    "no-commander": _error(
        _("A roster needs a commander."),
        _(
            "Before the game you name a guy, usually a hero, as your commander, and show which figure it is. A "
            "hero gets heavy armor for it."
        ),
        "IV",
        missing=True,
    ),
    "several-commanders": _error(
        _("A roster has only one commander."),
        _("You name one of your figures, and that one alone has heavy armor for free."),
        "IV",
    ),
    "mount-without-rider": _error(
        _("Each cavalry figure or vehicle that is not Independent needs a guy to ride or drive it."),
        _("Without a rider or a driver it cannot move at all."),
        "II",
        missing=True,
    ),
    "mooks-replace-troops": _warning(
        _("Mooks should support troops, not replace them."),
        _(
            "A mook costs half a point and has −1 on every die. The rulebook wants them beside troops, such as "
            "militia beside soldiers."
        ),
        "IV",
    ),
    "below-suggested-budget": note(
        _("The scenario suggests more points for this side."),
        _("Scenarios give each side its points, and some sides get more than others. Fewer points shift the balance."),
        "VIII",
    ),
    "over-suggested-budget": warning(
        _("The scenario suggests fewer points for this side."),
        _("Scenarios give each side its points, and some sides get more than others. More points shift the balance."),
        "VIII",
    ),
}

LABELS: Mapping[str, str] = {
    "kind": _("Kind"),
    **{f"kind-{code}": name for code, name in KIND_NAMES.items()},
    "commander": _("Commander"),
    "distance": _("Distance attack"),
    "armor": _("Armor"),
    **{f"armor-{code}": name for code, name in ARMOR_NAMES.items()},
    "automatic_fire": _("Automatic fire"),
    "large": _("Large cavalry"),
    "traits": _("Traits"),
    **{f"traits-{code}": name for code, name in ALIAS_NAMES.items()},
    "support": _("Rolls for Support"),
    **{f"support-{code}": name for code, name in SUPPORT_NAMES.items()},
    "powers": _("Super powers"),
    **{f"powers-{code}": name for code, name in {**POWER_NAMES, **TIER_NAMES}.items()},
}

FACTS: Mapping[str, Fact] = {}
"""None: the profile of a figure is all that its card needs."""

_ANY = {"": (25, 40)}
SCENARIOS = {
    "basic": Scenario(_("Basic game"), _("Defeat the most points of enemy figures in five rounds."), {}, _ANY),
    "escape": Scenario(
        _("Escape"), _("Be the first to move more than half of your original figures across the table."), {}, _ANY
    ),
    "transport": Scenario(_("Transport"), _("Carry an object from the center to your own table edge."), {}, _ANY),
    "spawning": Scenario(
        _("Spawning"),
        _("One side starts with a single figure. Its other figures enter by die roll."),
        {"infiltrator": _("Infiltrator"), "spawner": _("Spawner")},
        {"": (25, 40), "infiltrator": (25, 40), "spawner": (25, 40)},
    ),
    "ambush": Scenario(
        _("Ambush"),
        _("Ambushers in cover attack targets in the open."),
        {"ambusher": _("Ambusher"), "target": _("Target")},
        {"ambusher": (None, 25), "target": (None, 40)},
    ),
    "fortress-assault": Scenario(
        _("Fortress assault"),
        _("Destroy the building, or defend it."),
        {"assaulter": _("Assaulter"), "defender": _("Defender")},
        {"assaulter": (None, 20), "defender": (None, 40)},
    ),
}
SIZES = (
    Size(_("25 points"), 25, "basic"),
    Size(_("30 points"), 30, "basic"),
    Size(_("40 points"), 40, "basic"),
    Size(_("Ambusher, 25 points"), 25, "ambush"),
    Size(_("Fortress assaulter, 20 points"), 20, "fortress-assault"),
)

# ---------------------------------------------------------------- price


def price(profile: Profile, terms: RosterTerms) -> Receipt:
    """The points of one figure, step by step (section IV; traits V; powers VI)."""
    tally = ReceiptBuilder()
    if profile.kind not in KINDS:
        tally.add(_("Unknown kind “{kind}”").format(kind=profile.kind), 0)
        return tally.receipt()
    tally.add(KIND_NAMES[profile.kind], KINDS[profile.kind])
    if profile.distance:
        tally.add(LABELS["distance"], DISTANCE_POINTS)
    _add_armor(tally, profile)
    if profile.automatic_fire and profile.distance:
        tally.add(LABELS["automatic_fire"], AUTOMATIC_FIRE_POINTS)
    elif profile.automatic_fire:
        tally.add(_("Automatic fire, without a distance attack"), 0)
    for slug in profile.traits:
        _add_trait(tally, profile, slug)
    for slug, tier in powers_of(profile):
        _add_power(tally, profile, slug, tier)
    return tally.receipt()


def _add_armor(tally: ReceiptBuilder, profile: Profile) -> None:
    if profile.commander and profile.kind == "hero":
        tally.add(_("Heavy armor, free for a hero commander"), 0)
    elif profile.armor not in (None, *ARMOR_NAMES):
        tally.add(_("Unknown armor “{armor}”").format(armor=profile.armor or ""), 0)
    elif profile.armor == "heavy":
        tally.add(_("Heavy armor"), ARMOR_POINTS["guys" if profile.kind in GUYS else "mounts"]["heavy"])
    elif profile.kind in MOUNTS:
        tally.add(_("Light armor, free"), 0)
    elif profile.armor == "light":
        tally.add(_("Light armor"), ARMOR_POINTS["guys"]["light"])


def _add_trait(tally: ReceiptBuilder, profile: Profile, slug: str) -> None:
    code = ALIASES.get(slug, slug)
    if code not in TRAITS:
        tally.add(_("Unknown trait “{trait}”").format(trait=slug), 0)
    elif code == "independent" and profile.kind in GUYS:
        tally.add(_("Independent, only for cavalry and vehicles"), 0)
    else:
        tally.add(trait_name(slug), TRAIT_POINTS)


def _add_power(tally: ReceiptBuilder, profile: Profile, slug: str, tier: str) -> None:
    power = POWERS.get((slug, tier))
    if power is None:
        tally.add(_("Unknown super power {power}").format(power=power_name(slug, tier)), 0)
    elif slug == "super-skill" and profile.kind in MOUNTS:
        tally.add(_("Super-Skill, only for guys"), 0)
    else:
        tally.add(power_name(slug, tier), power.points)


def trait_name(slug: str, support: str | None = None) -> str:
    """The name of a trait, an alias with the name in the rulebook, Support with its roll; an unknown code as it is."""
    if slug in ALIASES:
        return _("{alias} ({trait})").format(alias=ALIAS_NAMES[slug], trait=TRAITS[ALIASES[slug]].name)
    if slug == "support" and support:
        return _("Support ({rolls})").format(rolls=SUPPORT_NAMES[support])
    return TRAITS[slug].name if slug in TRAITS else slug


def power_name(slug: str, tier: str) -> Message:
    """The name of a super power with its tier; unknown codes as they are."""
    return _("{power} ({tier})").format(power=POWER_NAMES.get(slug, slug), tier=TIER_NAMES.get(tier, tier))


def trait_codes(profile: Profile) -> set[str]:
    """The traits of a figure, aliases resolved."""
    return {ALIASES.get(slug, slug) for slug in profile.traits}


def powers_of(profile: Profile) -> list[tuple[str, str]]:
    """Super powers with their tiers, in the order of the rulebook, then unknown ones by name: a map has no order."""
    unknown = len(POWERS) + 1
    return sorted(profile.powers.items(), key=lambda item: (POWERS[item].number if item in POWERS else unknown, item))


def headcount(element: Element) -> int:
    """The number of figures of an element."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: RosterTerms) -> Totals:
    """Nothing is rounded: half points of mooks stay."""
    return plain_totals(sums, terms)


# ---------------------------------------------------------------- legality


def armor_of(profile: Profile) -> str | None:
    """The armor that a figure has in play: heavy for a hero commander, at least light for cavalry and vehicles."""
    if profile.commander and profile.kind == "hero":
        return "heavy"
    if profile.kind in MOUNTS and profile.armor != "heavy":
        return "light"
    return profile.armor if profile.armor in ARMOR_NAMES else None


def check_element(element: Element, terms: RosterTerms) -> Iterator[Problem]:
    """Findings about one figure; only one about a figure of unknown kind."""
    if element.kind not in KINDS:
        yield Problem("unknown-kind", _("Unknown kind “{kind}”.").format(kind=element.kind))
        return
    if element.commander and element.kind in MOUNTS:
        yield Problem(
            "commander-must-be-guy", _("Cavalry or a vehicle cannot be the commander. Choose a hero or a troop.")
        )
    elif element.commander and element.kind == "mook":
        yield Problem("mook-commander", _("A mook cannot be the commander. Choose a hero or a troop."))
    elif element.commander and element.kind == "troop":
        yield Problem("troop-commander", _("A troop commander gets no free heavy armor."))
    if element.armor not in (None, *ARMOR_NAMES):
        yield Problem("unknown-armor", _("Unknown armor “{armor}”.").format(armor=element.armor or ""))
    if element.automatic_fire and not element.distance:
        yield Problem("automatic-fire-without-distance", _("Automatic fire needs a distance attack."))
    yield from _check_traits(element)
    yield from _check_powers(element)


def _check_traits(profile: Profile) -> Iterator[Problem]:
    for slug in dict.fromkeys(profile.traits):
        if ALIASES.get(slug, slug) not in TRAITS:
            yield Problem("unknown-trait", _("Unknown trait “{trait}”.").format(trait=slug))
        elif slug in ALIASES:
            text = _("{alias} is called {trait} in the rulebook.")
            yield Problem("trait-alias", text.format(alias=ALIAS_NAMES[slug], trait=TRAITS[ALIASES[slug]].name))
    for code, copies in Counter(ALIASES.get(slug, slug) for slug in profile.traits).items():
        if code in TRAITS:
            yield from _check_trait(profile, code, copies, TRAITS[code].name)


def _check_trait(profile: Profile, code: str, copies: int, name: str) -> Iterator[Problem]:
    if copies > 1:
        text = _("{trait} is selected {n} times. A figure can have it only once.")
        yield Problem("duplicate-trait", text.format(trait=name, n=copies))
    if code == "independent" and profile.kind in GUYS:
        yield Problem("independent-guy", _("A guy cannot be Independent."))
    elif code in DISTANCE_TRAITS and not profile.distance:
        text = _("{trait} only affects distance attacks, and this figure has none.")
        yield Problem("trait-needs-distance", text.format(trait=name))
    elif code == "tough" and armor_of(profile) is None:
        yield Problem("trait-needs-armor", _("Tough only affects armor rolls, and this figure has no armor."))
    elif code == "support" and profile.support is None:
        yield Problem("support-roll-not-chosen", _("Choose the kind of roll that Support affects."))


def _check_powers(profile: Profile) -> Iterator[Problem]:
    for slug, tier in powers_of(profile):
        if (slug, tier) not in POWERS:
            yield Problem("unknown-power", _("Unknown super power {power}.").format(power=power_name(slug, tier)))
        elif slug == "super-skill" and profile.kind in MOUNTS:
            yield Problem("super-skill-only-guys", _("Cavalry and vehicles cannot have Super-Skill."))
        elif slug == "super-armor" and armor_of(profile) is None:
            yield Problem("power-needs-armor", _("Super-Armor only affects armor rolls, and this figure has no armor."))
        elif slug == "super-blast" and not profile.distance:
            text = _("Super-Blast only affects distance attacks, and this figure has none.")
            yield Problem("power-needs-distance", text)


def check_formation(formation: Formation[Element], terms: RosterTerms) -> Iterable[Problem]:
    """None: the rules restrict only figures and rosters."""
    return ()


def check_roster(document: Document[Element, Options], totals: Totals, terms: RosterTerms) -> Iterator[Problem]:
    """Findings about commander, riders, mooks and points of the roster."""
    figures = document.elements
    commanders = sum(figure.quantity for figure in figures if figure.commander and figure.kind in KINDS)
    if commanders == 0:
        yield Problem("no-commander", _("Choose a hero or a troop as the commander."))
    elif commanders > 1:
        text = _("{n} figures are selected as the commander. A roster has only one.")
        yield Problem("several-commanders", text.format(n=commanders))
    yield from _check_numbers(figures)
    yield from over_budget(totals.points, document.budget)
    yield from _check_suggestion(totals.points or 0, terms)


def _check_numbers(figures: Sequence[Element]) -> Iterator[Problem]:
    numbers: Counter[str] = Counter()
    for figure in figures:
        numbers[figure.kind] += figure.quantity if figure.kind in GUYS or "independent" not in figure.traits else 0
    guys, mounts = (sum(numbers[kind] for kind in kinds) for kinds in (GUYS, MOUNTS))
    if mounts > guys:
        text = _("Cavalry and vehicles ({mounts}) outnumber the guys ({guys}) who can ride or drive them.")
        yield Problem("mount-without-rider", text.format(mounts=mounts, guys=guys))
    if numbers["mook"] > numbers["troop"]:
        text = _("Mooks ({mooks}) outnumber the troops ({troops}) that they should support.")
        yield Problem("mooks-replace-troops", text.format(mooks=numbers["mook"], troops=numbers["troop"]))


def _check_suggestion(points: Amount, terms: RosterTerms) -> Iterator[Problem]:
    scenario = SCENARIOS[terms.scenario] if terms.scenario else None
    suggested = scenario and scenario.suggested.get(terms.side or "")
    if not scenario or not suggested or (suggested[0] or 0) <= points <= suggested[1]:
        return
    text = _("{scenario}: {suggestion} points are suggested, and this roster has {points}.")
    yield Problem(
        "over-suggested-budget" if points > suggested[1] else "below-suggested-budget",
        text.format(scenario=scenario.name, suggestion=suggestion(*suggested), points=format_exact(points)),
    )


def suggestion(lowest: int | None, highest: int) -> str:
    """The points that a scenario suggests, as a range or an upper limit."""
    return _("at most {highest}").format(highest=highest) if lowest is None else f"{lowest}–{highest}"


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: RosterTerms) -> Mapping[str, Any]:
    """None: the profile of a figure is all that its card needs."""
    return {}


def formation_facts(formation: Formation[Element], terms: RosterTerms) -> Mapping[str, Any]:
    """None: a warband is only a heading."""
    return {}


def roster_facts(document: Document[Element, Options], terms: RosterTerms) -> Mapping[str, Any]:
    """None: the rules count nothing but points."""
    return {}


def describe(profile: Profile, terms: RosterTerms) -> str:
    """The figure in one line: "Hero, commander, heavy armor, Tough"."""
    armor = armor_of(profile)
    flags = (
        (profile.large, _("large")),
        (profile.commander, _("commander")),
        (profile.distance, _("distance attack")),
        (profile.automatic_fire, _("automatic fire")),
    )
    return join(
        (
            KIND_NAMES.get(profile.kind, profile.kind),
            *(text for applies, text in flags if applies),
            *([ARMOR_NAMES[armor]] if armor else []),
            *(trait_name(slug, profile.support) for slug in profile.traits),
            *(power_name(slug, tier) for slug, tier in powers_of(profile)),
        )
    )


def glossary() -> Iterator[GlossaryEntry]:
    """Traits and super powers, in the order of the rulebook."""
    for trait in TRAITS.values():
        yield GlossaryEntry(trait.code, trait.name, trait.text)
    for power in POWERS.values():
        yield GlossaryEntry(f"{power.power}-{power.tier}", power_name(power.power, power.tier), power.text)
