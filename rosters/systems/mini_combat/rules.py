"""Mini Combat: element cost, capabilities, units and battles (Appendix B).

PURE. Rulebook: Mini Combat, with Appendix B (author not named).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rosters.core import values
from rosters.core.amounts import Amount, format_change, format_exact, round_half_up, to_amount
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, Meaning, Problem, error, note, over_budget, warning
from rosters.core.messages import _, join_names, ngettext
from rosters.core.receipts import Receipt, Tally, Totals, plain_totals
from rosters.core.reference import Capability, Entry, reference_list
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import LIMIT, Code, Frozen, Integer, Many, Name, Number, reject_keys
from rosters.systems.mini_combat.tables import (
    CHEAPER,
    CLASHES,
    COMMON_DENOMINATOR,
    COUNTS,
    EXCLUSIVE,
    FIRE_ARCS,
    FORMS,
    GAME_TURNS,
    INCLUDED,
    KEYS,
    LONGEST_FRACTION,
    MANOEUVRE_LIMITS,
    MOST_BESIDE,
    MOST_CAPABILITIES,
    SEPARATE,
    WEAPON_ABILITIES,
)

EDITION = "Mini Combat, Appendix B (reading 2)"
WORDS = Words(
    formation=_("Unit"),
    formations=_("Units"),
    element=_("Element"),
    elements=_("Elements"),
    points=_("points"),
    points_heading=_("Points"),
    nouns=Nouns(_("unit"), _("units"), _("element"), _("elements"), _("point")),
    count_elements=lambda n: ngettext("{n} element", "{n} elements", n).format(n=n),
)

CAPABILITIES: Mapping[str, Capability] = {
    row.code: row for row in reference_list("mini-combat", "capabilities", Capability)
}
"""The basic capabilities by their codes, in the order of Appendix B."""


def _wrong_keys(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each key that does not belong to this modifier, or is missing from it, and why."""
    yield from ((key, "must not be null") for key, value in data.items() if value is None)
    if "code" in data and "custom" in data:
        yield "custom", "cannot stand beside a code: a capability has one or the other"
    elif "code" not in data and "custom" not in data:
        yield "code", "is missing, and so is custom: a capability has one or the other"
    elif "code" not in data and "percent" not in data:
        yield "percent", "is missing: a custom capability needs its percentage"
    if "custom" not in data:
        yield from ((key, "is for custom capabilities only") for key in ("percent", "separate") if key in data)
    code = data.get("code", "" if "custom" in data else None)
    if not isinstance(code, str):
        return
    for key, codes in KEYS.items():
        if key in data and code not in codes:
            yield key, f"is for {join_names(sorted(codes))} only"
    if code in FORMS and "form" in data and data["form"] not in FORMS[code]:
        yield "form", f"must be {' or '.join(FORMS[code])}"


def _modifier_schema(schema: dict[str, Any]) -> None:
    """Say in JSON Schema which keys go together, from the same tables, and that none is null."""
    for field in schema["properties"].values():
        kinds = [kind for kind in field.pop("anyOf", []) if kind != {"type": "null"}]
        if kinds:
            field.update(kinds[0])
            field.pop("default")
    needed: dict[str, Any] = {
        key: {"required": ["code"], "properties": {"code": {"enum": sorted(codes)}}} for key, codes in KEYS.items()
    }
    forms = [{"properties": {"code": {"const": c}, "form": {"enum": [*f]}}} for c, f in FORMS.items()]
    needed["form"] = {"required": ["code"], "anyOf": forms}
    needed |= {key: {"required": ["custom"]} for key in ("percent", "separate")}
    needed["custom"] = {"required": ["percent"]}
    schema["dependentSchemas"] = needed
    schema["oneOf"] = [{"required": ["code"]}, {"required": ["custom"]}]


class Modifier(Frozen):
    """A capability as an element has it: by its code, with the variant chosen, or one of the owner's own.

    ``count`` is elements carried (T) or weapons in all (MW); ``turns`` the length of the game; ``percent``
    as written, 25 is +25 %. Keys that do not belong to the code are refused, each at its own path.
    """

    model_config = ConfigDict(json_schema_extra=_modifier_schema)

    code: Code | None = None
    scatters: bool = False
    count: Integer | None = None
    denies: Code | None = None
    on: Annotated[int, Field(ge=4, le=4)] | None = None
    turns: Annotated[int, Field(ge=1, le=LIMIT)] | None = None
    form: Literal["flying", "jump", "skimmer", "ethereal"] | None = None
    custom: Name | None = None
    percent: Number | None = None
    separate: bool = False
    waived: bool = False

    @model_validator(mode="wrap")
    @classmethod
    def _own_keys(cls, data: Any, handler: Callable[[Any], Any]) -> Any:
        if not isinstance(data, dict):
            return handler(data)
        wrong = dict(_wrong_keys(data))

        def without_wrong(whole: Any) -> Any:
            return handler({key: value for key, value in whole.items() if key not in wrong})

        return reject_keys({**dict.fromkeys(wrong), **data}, wrong, without_wrong)

    @property
    def counted(self) -> int:
        """How many elements (T) or weapons (MW) it stands for; 0 for others."""
        return COUNTS.get(self.code or "", 0) if self.count is None else self.count


class Stats(NamedTuple):
    """The seven numbers of the formula, "none" filled in. Movement and range in cm, three D6 targets."""

    movement: int
    to_hit: int
    range: int
    save: int
    power: int
    armor: int
    morale: int


def _not_too_many(found: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    if len(found) > MOST_CAPABILITIES:
        message = "holds {number}; at most {most} are read"
        raise PydanticCustomError("too_many", message, {"number": len(found), "most": MOST_CAPABILITIES})
    return found


class Profile(values.Profile):
    """An element. Numbers out of range and unknown capabilities are read and come back as findings."""

    movement: Integer = 0
    to_hit: Integer | None = None
    range: Integer = 0
    save: Integer | None = None
    power: Integer = 0
    armor: Integer = 0
    morale: Integer | None = None
    kind: Literal["infantry", "cavalry", "vehicle", "mecha", "creature", "ship", "aircraft", "structure", "other"] = (
        "other"
    )
    command: bool = False
    capabilities: Annotated[
        Many[Modifier], AfterValidator(_not_too_many), Field(json_schema_extra={"maxItems": MOST_CAPABILITIES})
    ] = ()

    @property
    def stats(self) -> Stats:
        """No attack is 7, no save is 7, fearless is 1 (Appendix B, notes on the formula)."""
        return Stats(
            self.movement,
            7 if self.to_hit is None else self.to_hit,
            self.range,
            7 if self.save is None else self.save,
            self.power,
            self.armor,
            1 if self.morale is None else self.morale,
        )

    @property
    def codes(self) -> frozenset[str]:
        """Codes of all its capabilities, the waived ones too."""
        return frozenset(modifier.code for modifier in self.capabilities if modifier.code is not None)


class Options(values.Options):
    """The house rules of Mini Combat."""

    star: Literal["recommended", "none", "one-shot-only", "with-multiple-weapons", "all"] = Field(
        "recommended",
        title="Capabilities that multiply separately",
        description="The mark that tells them apart is lost. By default Move or fire, Fires every other turn "
        "and One shot are factors of their own, and the rest is summed; choose which ones multiply here.",
        json_schema_extra={
            "words": {
                "recommended": "Move or fire, Fires every other turn, One shot",
                "none": "none of them",
                "one-shot-only": "One shot alone",
                "with-multiple-weapons": "those three and Multiple weapons",
                "all": "all of them",
            }
        },
    )
    sum_floor: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None,
        title="Lowest factor of the sum, in percent",
        description="By default, ordinary percentages that add up to -100 % or less are an error and price "
        "the element at 0. With a floor, their factor never falls below it.",
    )
    no_attack_factor: Annotated[int, Field(ge=0, le=1)] = Field(
        0,
        title="No attack counts as",
        description="By default an element without an attack costs nothing, since 7 - 7 is 0. With 1, walls "
        "and unarmed transports are paid for.",
        json_schema_extra={"words": {"0": "0, so that it costs nothing", "1": "1, so that it is paid for"}},
    )
    immobile_is_limited: bool = Field(
        False,
        title="Movement 0 is a manoeuvre limit",
        description="By default a fire arc gives half its reduction to an element that cannot move. Switched "
        "on, standing still counts as a limit of manoeuvre, and the reduction is full.",
    )
    rounding: Literal["element", "none"] = Field(
        "element",
        title="Rounding",
        description="By default each element is rounded half up and costs at least 1. With none, elements "
        "keep their fractions, and each unit's sum is rounded.",
        json_schema_extra={"words": {"element": "each element", "none": "each unit's sum"}},
    )
    naval: bool = Field(
        False,
        title="Naval game",
        description="By default Water bound makes an element cheaper. Switched on, where nobody has land "
        "elements, it changes nothing.",
    )


class Mark(values.Mark):
    """Whether an element has been destroyed."""

    out: bool = False


class Element(BaseElement, Profile):
    """An element of a roster."""

    marks: Many[Mark] = ()


ForceTerms = Terms[Options]

FINDINGS: Mapping[str, Meaning] = {
    "stat-negative": error("Movement, range, power and armor are never below 0.", tells_points=False),
    "to-hit-range": error("To hit goes from 0 (automatic) to 7 (no attack).", tells_points=False),
    "save-range": error("A save goes from 1 to 7 (none).", tells_points=False),
    "morale-range": error("Morale goes from 1 (fearless) to 7.", tells_points=False),
    "unknown-capability": error("The rulebook has no such capability; it is priced 0.", tells_points=False),
    "duplicate-capability": error("An element has a capability once; every copy is charged.", tells_points=False),
    "deny-unknown": error(
        "Deny capability needs a capability that it denies; without one it is priced 0.", tells_points=False
    ),
    "deny-deny": error("Deny capability cannot be denied; this is priced 0.", tells_points=False),
    "weapons-count": error("Multiple weapons means two or more.", tells_points=False),
    "transport-count": error("A transport carries one element or more.", tells_points=False),
    "two-manoeuvre-limits": error("An element has one limit of manoeuvre at most.", tells_points=False),
    "two-fire-arcs": error("An element has one fire arc at most.", tells_points=False),
    "two-templates": error("An attack has one template at most.", tells_points=False),
    "modifier-sum": error("The percentages leave nothing of the price, which is 0."),
    "save-cannot-fail": warning("A save on 1 or more never fails.", tells_points=False),
    "morale-costs-zero": warning("Morale 7 makes the whole element cost nothing."),
    "no-attack-costs-zero": warning("Without an attack, the formula gives the element no price."),
    "deny-drawback": warning("Denying a drawback does the enemy a favor, and is paid for.", tells_points=False),
    "manoeuvre-limit-on-immobile": warning(
        "A limit of manoeuvre costs nothing to what never moves.", tells_points=False
    ),
    "full-armor-free": warning("Infantry has the same armor on all sides for nothing.", tells_points=False),
    "sealed-included": warning("Submersible elements are sealed without paying for it.", tells_points=False),
    "amphibious-included": warning(
        "Submersible elements move through water without paying for Amphibious.", tells_points=False
    ),
    "fly-and-skim": warning("Two capabilities that do nearly the same are both paid for.", tells_points=False),
    "water-bound-conflict": warning("The element is bound to the water and paid to leave it.", tells_points=False),
    "two-deployments": warning("Only one special way to deploy can be used.", tells_points=False),
    "one-shot-and-slow-fire": warning("What fires once needs no turn to reload.", tells_points=False),
    "indirect-without-range": warning("Indirect fire needs a range.", tells_points=False),
    "weapon-ability-without-attack": warning("Abilities of a weapon do nothing without an attack.", tells_points=False),
    "custom-capability": note("A capability that is not in the rulebook; the players agree on it.", tells_points=False),
    "waived-modifier": note("The percentage of a capability is left out of the price.", tells_points=False),
    "empty-unit": error("A unit needs at least one element.", tells_points=False),
    "mixed-unit": warning("Apart from the command, the elements of a unit are usually alike.", tells_points=False),
    "several-command-elements": warning("A unit usually has one command element.", tells_points=False),
    "partly-organised": warning(
        "Organised elements keep formation with the whole unit; some cannot.", tells_points=False
    ),
}

FACTS: Mapping[str, Fact] = {
    "morale_test_at": Fact("So many elements of the unit lost require a morale test.", tells_points=False),
    "transport_capacity": Fact("So many elements can be carried by the unit.", tells_points=False),
}

SCENARIOS = {
    "standard": Scenario(
        "Standard battle",
        "Deploy within 20 cm of your edge; the first to destroy half the agreed points wins.",
        {},
        {"": (None, 1000)},
    ),
    "defensive": Scenario(
        "Defensive battle",
        "The attacker needs six of eight markers; the defender wins by destroying two thirds of the attack.",
        {"attacker": "Attacker", "defender": "Defender"},
        {"attacker": (None, 1200), "defender": (None, 600)},
    ),
}
SIZES = (
    Size("1,000 points", 1000, "standard"),
    Size("500 points", 500, "standard"),
    Size("2,000 points", 2000, "standard"),
    Size("Attacker, 1,200 points", 1200, "defensive"),
    Size("Defender, 600 points", 600, "defensive"),
    Size("No limit", None),
)

# ---------------------------------------------------------------- price


class Share(NamedTuple):
    """What one modifier does to the price: a percentage, and whether it multiplies on its own."""

    label: str
    percent: Amount
    separate: bool

    @property
    def line(self) -> str:
        return f"{self.label}, {format_change(self.percent)} %"

    @property
    def factor(self) -> Amount:
        return 1 + Fraction(self.percent) / 100


def price(profile: Profile, terms: ForceTerms) -> Receipt:
    """The points of one element, step by step (Appendix B, formula and special costs)."""
    tally = Tally()
    _add_stats(tally, profile.stats, terms.options)
    found = shares(profile, terms)
    _add_ordinary(tally, [share for share in found if not share.separate], terms.options)
    for share in found:
        if share.separate and share.factor <= 0:
            tally.set_to(f"{share.line}: nothing is left, priced 0", 0)
        elif share.separate:
            tally.times(share.line, share.factor)
            if Fraction(tally.subtotal).denominator > LONGEST_FRACTION:
                _keep_twelve_decimals(tally)
    _round(tally, terms.options)
    return tally.receipt()


def _add_stats(tally: Tally, stats: Stats, options: Options) -> None:
    tally.add(f"Movement {stats.movement} cm, a fifth", Fraction(stats.movement, 5))
    tally.add(f"Range {stats.range} cm, a fifth", Fraction(stats.range, 5))
    tally.add("No save" if stats.save == 7 else f"Save {stats.save}+: 7 less {stats.save}", 7 - stats.save)
    tally.add(f"Power {stats.power}", stats.power)
    tally.add(f"Armor {stats.armor}", stats.armor)
    fearless = "Fearless, as morale 1" if stats.morale == 1 else f"Morale {stats.morale}+: 7 less {stats.morale}"
    tally.times(fearless, 7 - stats.morale)
    if stats.to_hit != 7:
        tally.times(f"To hit {stats.to_hit}+: 7 less {stats.to_hit}", 7 - stats.to_hit)
    elif options.no_attack_factor:
        tally.times("No attack, counted as 1 (house rule)", 1)
    else:
        tally.times("No attack", 0)
    tally.times("A fifth of that", Fraction(1, 5))


def _add_ordinary(tally: Tally, ordinary: Sequence[Share], options: Options) -> None:
    """Percentages of the same base; at -100 % nothing is left, unless a floor holds."""
    base = tally.subtotal
    for share in ordinary:
        tally.add(share.line, base * Fraction(share.percent, 100))
    total = sum(share.percent for share in ordinary)
    if options.sum_floor is not None and 100 + total < options.sum_floor:
        tally.set_to(f"Never below {options.sum_floor} % (house rule)", base * Fraction(options.sum_floor, 100))
    elif options.sum_floor is None and total <= -100:
        tally.set_to(f"The percentages add up to {format_change(total)} %: priced 0", 0)


def _round(tally: Tally, options: Options) -> None:
    """Half up, at least 1 for what is worth anything; a step only where it changes the number."""
    amount = Fraction(tally.subtotal)
    if options.rounding == "none":
        if amount.denominator // gcd(amount.denominator, COMMON_DENOMINATOR) > MOST_BESIDE:
            _keep_twelve_decimals(tally)
    elif amount > 0 and round_half_up(amount) == 0:
        tally.set_to("Rounded up: at least 1", 1)
    elif round_half_up(amount) != amount:
        tally.set_to("Rounded, a half goes up", round_half_up(amount))


def _keep_twelve_decimals(tally: Tally) -> None:
    tally.set_to("Kept to twelve decimals", Fraction(round_half_up(tally.subtotal * 10**12), 10**12))


def shares(profile: Profile, terms: ForceTerms) -> list[Share]:
    """What each capability of ``profile`` does to its price, in written order."""
    limited = any(m.code in MANOEUVRE_LIMITS and not m.waived for m in profile.capabilities)
    limited = limited or (terms.options.immobile_is_limited and profile.movement == 0)
    return [_share(modifier, limited, terms) for modifier in profile.capabilities]


def _share(modifier: Modifier, limited: bool, terms: ForceTerms) -> Share:
    options, label = terms.options, _title(modifier)
    if modifier.waived:
        return Share(f"{label}, waived", 0, False)
    if modifier.custom is not None:
        return Share(label, to_amount(modifier.percent or 0), modifier.separate)
    if modifier.code not in CAPABILITIES:
        return Share(label, 0, False)
    if modifier.code == "WB" and options.naval:
        return Share(f"{label}, free in a naval game", 0, False)
    halved = modifier.code in FIRE_ARCS and not limited
    percent = _percent(modifier) * (Fraction(1, 2) if halved else 1)
    separate = modifier.code != "Den" and (options.star == "all" or modifier.code in SEPARATE[options.star])
    return Share(f"{label}, half without a manoeuvre limit" if halved else label, percent, separate)


def _percent(modifier: Modifier) -> Amount:
    """The percentage of a known capability in its variant (Appendix B, special costs)."""
    code = modifier.code or ""
    percent = CAPABILITIES[code].percent
    if modifier.scatters or modifier.on == 4:
        return CHEAPER[code]
    if code in COUNTS:
        return percent * (modifier.counted - INCLUDED[code])
    if code == "OS" and modifier.turns is not None and modifier.turns != GAME_TURNS:
        return Fraction(100, modifier.turns) - 100
    if code == "Den":
        denied = modifier.denies or ""
        return abs(CAPABILITIES[denied].percent) if denied in CAPABILITIES and denied != "Den" else 0
    return percent


def headcount(element: Element) -> int:
    """Elements that the line stands for."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: ForceTerms) -> Totals:
    """Nothing more is rounded, unless the elements kept their fractions: then each unit is."""
    if terms.options.rounding == "element":
        return plain_totals(sums, terms)
    units = tuple(round_half_up(amount) for amount in sums)
    return Totals(units, sum(units), sum(sums))


# ---------------------------------------------------------------- legality


def check_element(element: Element, terms: ForceTerms) -> Iterator[Problem]:
    """Findings about one element."""
    yield from _check_stats(element.stats)
    for modifier in element.capabilities:
        yield from _check_modifier(modifier)
    yield from _check_duplicates(element)
    yield from _check_together(element)
    yield from _check_sum(shares(element, terms), terms.options)


def _check_stats(stats: Stats) -> Iterator[Problem]:
    for name in ("movement", "range", "power", "armor"):
        if (value := getattr(stats, name)) < 0:
            yield Problem("stat-negative", f"{name.title()} {value} is below 0.")
    if not 0 <= stats.to_hit <= 7:
        yield Problem("to-hit-range", f"To hit {stats.to_hit} is not from 0 to 7.")
    if not 1 <= stats.save <= 7:
        yield Problem("save-range", f"Save {stats.save} is not from 1 to 7.")
    if not 1 <= stats.morale <= 7:
        yield Problem("morale-range", f"Morale {stats.morale} is not from 1 to 7.")
    if stats.save == 1:
        yield Problem("save-cannot-fail", "A save on 1 or more never fails.")
    if stats.morale == 7:
        yield Problem("morale-costs-zero", "Morale 7 makes the whole element cost 0.")
    if stats.to_hit == 7:
        yield Problem("no-attack-costs-zero", "There is no attack, and 7 less 7 makes the price 0.")


def _check_modifier(modifier: Modifier) -> Iterator[Problem]:
    """Findings about one capability, on its own."""
    if modifier.waived:
        yield Problem("waived-modifier", f"{_title(modifier)} is not priced.")
    if modifier.custom is not None:
        how = ", multiplied separately" if modifier.separate else ""
        percent = format_change(to_amount(modifier.percent or 0))
        yield Problem("custom-capability", f"{modifier.custom!r} is the owner's own, {percent} %{how}.")
    elif modifier.code not in CAPABILITIES:
        yield Problem("unknown-capability", f"{modifier.code!r} is no capability.")
    elif modifier.code == "MW" and modifier.counted < 2:
        yield Problem("weapons-count", f"{modifier.counted} is too few for Multiple weapons.")
    elif modifier.code == "T" and modifier.counted < 1:
        yield Problem("transport-count", f"A transport cannot carry {modifier.counted} elements.")
    elif modifier.code == "Den":
        yield from _check_denial(modifier.denies)


def _check_denial(denied: str | None) -> Iterator[Problem]:
    if denied is None:
        yield Problem("deny-unknown", "Choose the capability that is denied.")
    elif denied not in CAPABILITIES:
        yield Problem("deny-unknown", f"{denied!r} is no capability that can be denied.")
    elif denied == "Den":
        yield Problem("deny-deny", "Deny capability cannot be denied.")
    elif CAPABILITIES[denied].percent < 0:
        yield Problem("deny-drawback", f"{CAPABILITIES[denied].name} is a drawback: denying it helps its owner.")


def _check_duplicates(profile: Profile) -> Iterator[Problem]:
    """One finding for each capability had more than once; Deny counts once for each thing denied."""
    times = Counter((m.code or "", m.denies) for m in profile.capabilities if m.code in CAPABILITIES)
    for (code, denied), number in times.items():
        if number > 1:
            name = f"{CAPABILITIES[code].name} ({code}{f' {denied}' if denied else ''})"
            yield Problem("duplicate-capability", f"{name} is bought {number} times.")


def _check_together(profile: Profile) -> Iterator[Problem]:
    """Findings about capabilities beside each other, and beside the stats."""
    codes, stats = profile.codes, profile.stats
    for exclusive in EXCLUSIVE:
        if len(members := [code for code in exclusive.members if code in codes]) > 1:
            yield Problem(exclusive.code, f"{_names(members)} are {exclusive.plural}; have one.")
    for clash in CLASHES:
        if clash.one in codes and not codes.isdisjoint(clash.others):
            yield Problem(clash.code, clash.why)
    if stats.movement == 0 and (limits := [code for code in MANOEUVRE_LIMITS if code in codes]):
        yield Problem("manoeuvre-limit-on-immobile", f"{_names(limits)}, but it never moves.")
    if "FA" in codes and profile.kind == "infantry":
        yield Problem("full-armor-free", "Infantry has Full armor without paying for it.")
    if "IF" in codes and stats.range == 0:
        yield Problem("indirect-without-range", "Indirect fire with range 0 reaches nothing unseen.")
    if stats.to_hit == 7 and (useless := [code for code in WEAPON_ABILITIES if code in codes]):
        yield Problem("weapon-ability-without-attack", f"{_names(useless)}, but no attack.")


def _names(codes: Iterable[str]) -> str:
    return join_names(CAPABILITIES[code].name if code in CAPABILITIES else code for code in codes)


def _check_sum(found: Sequence[Share], options: Options) -> Iterator[Problem]:
    total = sum(share.percent for share in found if not share.separate)
    if options.sum_floor is None and total <= -100:
        yield Problem("modifier-sum", f"The percentages add up to {format_change(total)} %, so nothing is left.")
    for share in found:
        if share.separate and share.factor <= 0:
            yield Problem(
                "modifier-sum", f"{share.label} is a factor of {format_exact(share.factor)}: nothing is left."
            )


def check_formation(formation: Formation[Element], terms: ForceTerms) -> Iterator[Problem]:
    """Findings about one unit; only elements with models count."""
    present = [element for element in formation.elements if element.quantity]
    if not present:
        yield Problem("empty-unit", "The unit has no elements.")
        return
    different = {_alike(element) for element in present if not element.command}
    if len(different) > 1:
        yield Problem("mixed-unit", f"{len(different)} different elements, not counting the command.")
    commands = sum(element.quantity for element in present if element.command)
    if commands > 1:
        yield Problem("several-command-elements", f"{commands} command elements; one is usual.")
    models = sum(element.quantity for element in present)
    organised = sum(element.quantity for element in present if "Org" in element.codes)
    if 0 < organised < models:
        yield Problem("partly-organised", f"{organised} of {models} elements are organised.")


def _alike(profile: Profile) -> tuple[Stats, frozenset[tuple[tuple[Any, ...], int]]]:
    """Equal for profiles of the same stats and capabilities, whatever their order or spelling of defaults."""
    times = Counter(
        (
            *(m.code, m.counted, m.denies, m.on, m.turns or GAME_TURNS, m.scatters, m.waived),
            *(m.form or FORMS.get(m.code or "", ("",))[0], m.custom, m.percent, m.separate),
        )
        for m in profile.capabilities
    )
    return profile.stats, frozenset(times.items())


def check_roster(document: Document[Element, Options], totals: Totals, terms: ForceTerms) -> Iterator[Problem]:
    """Findings about the whole force: its points."""
    yield from over_budget(totals.points, document.budget)


# ---------------------------------------------------------------- facts and words


def element_facts(element: Element, terms: ForceTerms) -> Mapping[str, Any]:
    return {}


def formation_facts(formation: Formation[Element], terms: ForceTerms) -> Mapping[str, Any]:
    """``morale_test_at``: elements lost that ask for a test. ``transport_capacity``: elements carried."""
    models = sum(element.quantity for element in formation.elements)
    carried = sum(
        element.quantity * modifier.counted
        for element in formation.elements
        for modifier in element.capabilities
        if modifier.code == "T"
    )
    return {"morale_test_at": (models + 1) // 2, "transport_capacity": carried}


def roster_facts(document: Document[Element, Options], terms: ForceTerms) -> Mapping[str, Any]:
    return {}


def abbreviation(modifier: Modifier) -> str:
    """A capability as cards have it: "MA", "T4", "Den Ch", "Heal 4+"."""
    if modifier.code is None:
        return modifier.custom or ""
    if modifier.code in COUNTS:
        return f"{modifier.code}{modifier.counted}"
    parts = [
        modifier.code,
        "scatters" if modifier.scatters else "",
        (modifier.denies or "?") if modifier.code == "Den" else "",
        "4+" if modifier.on == 4 else "",
        f"{modifier.turns} turns" if modifier.turns is not None else "",
        modifier.form or "",
    ]
    return " ".join(part for part in parts if part)


def _title(modifier: Modifier) -> str:
    """A capability in full, as receipts and findings have it: "Charge (Ch)", "Deny Charge (Den Ch)"."""
    if modifier.custom is not None:
        return f"{modifier.custom} (own rule)"
    if modifier.code is None or modifier.code not in CAPABILITIES:
        return f"Unknown capability {modifier.code!r}"
    name = modifier.form.capitalize() if modifier.form else CAPABILITIES[modifier.code].name
    if modifier.denies is not None and modifier.denies in CAPABILITIES:
        name = f"Deny {CAPABILITIES[modifier.denies].name}"
    return f"{name} ({abbreviation(modifier)})"


def describe(profile: Profile, terms: ForceTerms) -> str:
    """The element in one line, as a player would say it."""
    stats = profile.stats
    reach = f"at {stats.range} cm" if stats.range else "in melee"
    hits = "always hits" if stats.to_hit == 0 else f"hits on {stats.to_hit}+"
    parts = [
        "" if profile.kind == "other" else profile.kind.title(),
        "command" if profile.command else "",
        f"move {stats.movement} cm",
        "no attack" if stats.to_hit == 7 else f"{hits} {reach}, power {stats.power}",
        f"armor {stats.armor}",
        "" if stats.save == 7 else f"save {stats.save}+",
        "fearless" if stats.morale == 1 else f"morale {stats.morale}+",
        *(f"{abbreviation(m)}{' (waived)' if m.waived else ''}" for m in profile.capabilities),
    ]
    return ", ".join(part for part in parts if part)


def glossary() -> Iterator[Entry]:
    """The capabilities, in the order of the rulebook."""
    for row in CAPABILITIES.values():
        yield Entry(row.code, row.name, row.text)
