"""Mini Combat: element cost, capabilities, units and battles (Appendix B).

Rulebook: Mini Combat, with Appendix B (author not named). On pages a capability is called an ability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from rosters.core import values
from rosters.core.amounts import Amount, format_change, format_exact, round_half_up, to_amount, with_minus_sign
from rosters.core.documents import Document, Formation
from rosters.core.documents import Element as BaseElement
from rosters.core.findings import Fact, FindingType, Problem, error, note, over_budget, warning
from rosters.core.messages import Message, _, join, join_names, ngettext
from rosters.core.receipts import Receipt, ReceiptBuilder, Totals, plain_totals
from rosters.core.reference import Capability, GlossaryEntry, reference_list
from rosters.core.rulebook import Nouns, Scenario, Size, Terms, Words
from rosters.core.values import (
    MAX_INTEGER,
    Code,
    FrozenModel,
    Integer,
    JsonList,
    Name,
    Number,
    reject_keys,
    value_error,
)
from rosters.systems.mini_combat.tables import (
    CLASHES,
    COMMON_DENOMINATOR,
    COUNTS,
    DENIAL_RANGES,
    EXCLUSIVE,
    FIRE_ARCS,
    FORM_NAMES,
    FORMS,
    GAME_TURNS,
    INCLUDED,
    KEYS,
    KINDS,
    MANEUVER_LIMITS,
    MAX_CAPABILITIES,
    MAX_DENOMINATOR,
    MAX_EXCESS,
    PRICING,
    SEPARATE,
    STATS,
    VARIANT_PERCENTS,
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

FORMULA = _(
    "(Movement ÷ 5 + Range ÷ 5 + (7 − Save) + Power + Armor) × (7 − Morale) × (7 − To hit) ÷ 5, "
    "then the percentages of abilities, rounded"
)

CAPABILITIES: Mapping[str, Capability] = {
    row.code: row for row in reference_list("mini-combat", "capabilities", Capability)
}
"""The capabilities by code, in the order of Appendix B."""

DENY = "Den"


def _wrong_keys(data: Mapping[str, Any]) -> Iterator[tuple[str, Message]]:
    """Each key that does not belong to this modifier, or is missing from it, with the reason."""
    yield from ((key, _("must not be null")) for key, value in data.items() if value is None)
    if "code" in data and "custom" in data:
        yield "custom", _("must not be given together with code")
    elif "code" not in data and "custom" not in data:
        yield "code", _("is missing: a capability needs code or custom")
    elif "code" not in data and "percent" not in data:
        yield "percent", _("is missing: a custom capability needs a percentage")
    if "custom" not in data:
        yield from ((key, _("is for custom capabilities only")) for key in ("percent", "separate") if key in data)
    code = data.get("code", "" if "custom" in data else None)
    if not isinstance(code, str):
        return
    for key, codes in KEYS.items():
        if key in data and code not in codes:
            yield key, _("is for {codes} only").format(codes=join_names(sorted(codes)))
    if code in FORMS and "form" in data and data["form"] not in FORMS[code]:
        first, last = FORMS[code]
        yield "form", _("must be {codes} or {last}").format(codes=first, last=last)


def _modifier_schema(schema: dict[str, Any]) -> None:
    """Declare in JSON Schema which keys belong together, from the same tables, and that none is null."""
    for field in schema["properties"].values():
        kinds = [kind for kind in field.pop("anyOf", []) if kind != {"type": "null"}]
        if kinds:
            field.update(kinds[0])
            field.pop("default")
    forms = [{"properties": {"code": {"const": c}, "form": {"enum": [*f]}}} for c, f in FORMS.items()]
    schema["dependentSchemas"] = {
        **{key: {"required": ["code"], "properties": {"code": {"enum": sorted(codes)}}} for key, codes in KEYS.items()},
        "form": {"required": ["code"], "anyOf": forms},
        **{key: {"required": ["custom"]} for key in ("percent", "separate")},
        "custom": {"required": ["percent"]},
    }
    schema["oneOf"] = [{"required": ["code"]}, {"required": ["custom"]}]


class Modifier(FrozenModel):
    """A capability of an element: a code with the keys of its variant, or a custom one.

    ``count`` is elements carried (T) or weapons in all (MW); ``turns`` the length of the game; ``percent`` 25 is
    +25 %. Keys that do not belong to the code are errors, each at its own path.
    """

    model_config = ConfigDict(json_schema_extra=_modifier_schema)

    code: Code | None = None
    scatters: bool = False
    count: Integer | None = None
    denies: Code | None = None
    on: Annotated[int, Field(ge=4, le=4)] | None = None
    turns: Annotated[int, Field(ge=1, le=MAX_INTEGER)] | None = None
    form: Literal["flying", "jump", "skimmer", "ethereal"] | None = None
    custom: Name | None = None
    percent: Number | None = None
    separate: bool = False
    waived: bool = False

    @model_validator(mode="wrap")
    @classmethod
    def _check_keys(cls, data: Any, handler: Callable[[Any], Any]) -> Any:
        if not isinstance(data, dict) or (len(data) == 1 and isinstance(data.get("code"), str)):  # most have but a code
            return handler(data)
        wrong = dict(_wrong_keys(data))

        def validate_rest(keys: Any) -> Any:
            return handler({key: value for key, value in keys.items() if key not in wrong})

        return reject_keys({**dict.fromkeys(wrong), **data}, wrong, validate_rest)

    @property
    def row(self) -> Capability | None:
        """The capability; None if it is custom or unknown."""
        return CAPABILITIES.get(self.code or "")

    @property
    def denied(self) -> Capability | None:
        """The denied capability; None if it is missing or unknown."""
        return CAPABILITIES.get(self.denies or "")

    @property
    def counted(self) -> int:
        """The number of elements (T) or weapons (MW); 0 for other capabilities."""
        return COUNTS.get(self.code or "", 0) if self.count is None else self.count


class Stats(NamedTuple):
    """The seven numbers of the formula. Movement and range are in cm; to hit, save and morale are D6 targets."""

    movement: int
    to_hit: int
    range: int
    save: int
    power: int
    armor: int
    morale: int


def _check_length(capabilities: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    if len(capabilities) > MAX_CAPABILITIES:
        message = _("has {number} items; at most {most} are allowed")
        raise value_error(message.format(number=len(capabilities), most=MAX_CAPABILITIES))
    return capabilities


class Profile(values.Profile):
    """The stats and capabilities of an element. Numbers out of range and unknown capabilities become findings."""

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
        JsonList[Modifier], AfterValidator(_check_length), Field(json_schema_extra={"maxItems": MAX_CAPABILITIES})
    ] = ()

    @property
    def stats(self) -> Stats:
        """The stats with 7 for no attack, 7 for no save and 1 for fearless (Appendix B, notes on the formula)."""
        return Stats(
            self.movement,
            7 if self.to_hit is None else self.to_hit,
            self.range,
            7 if self.save is None else self.save,
            self.power,
            self.armor,
            1 if self.morale is None else self.morale,
        )

    @cached_property
    def likeness(self) -> tuple[Stats, frozenset[tuple[tuple[Any, ...], int]]]:
        """A value that is equal for elements with the same stats and capabilities, in any order and with any spelling
        of defaults. Cached, because all elements of a unit are compared after each change of one.
        """
        times = Counter(
            (
                *(m.code, m.counted, m.denies, m.on, m.turns or GAME_TURNS, m.scatters, m.waived),
                *(form_of(m), m.custom, m.percent, m.separate),
            )
            for m in self.capabilities
        )
        return self.stats, frozenset(times.items())

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all capabilities, waived ones included."""
        return frozenset(modifier.code for modifier in self.capabilities if modifier.code is not None)


class Options(values.Options):
    """The house rules of Mini Combat."""

    star: Literal["recommended", "none", "one-shot-only", "with-multiple-weapons", "all"] = Field(
        "recommended",
        title=_("Abilities that multiply"),
        description=_(
            "The rulebook marks some abilities as multiplying the price, but the mark is missing in print. By default "
            "Move or fire, Fires every other turn and One shot multiply it, and all other percentages are added up."
        ),
        json_schema_extra={
            "words": {
                "recommended": _("Move or fire, Fires every other turn, One shot"),
                "none": _("none"),
                "one-shot-only": _("One shot"),
                "with-multiple-weapons": _("Move or fire, Fires every other turn, One shot, Multiple weapons"),
                "all": _("all"),
            }
        },
    )
    sum_floor: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None,
        title=_("Minimum multiplier after discounts (%)"),
        description=_(
            "By default, percentages that add up to −100 % or less are an error, and the element costs 0. With a "
            "minimum, it always costs at least this share of its base price."
        ),
    )
    no_attack_factor: Annotated[int, Field(ge=0, le=1)] = Field(
        0,
        title=_("Unarmed elements"),
        description=_(
            "By default an element without an attack is free, because 7 − 7 is 0. If they are priced, walls and "
            "unarmed transports cost points."
        ),
        json_schema_extra={"words": {"0": _("free"), "1": _("priced")}},
    )
    immobile_is_limited: bool = Field(
        False,
        title=_("Movement 0 counts as a maneuver limit"),
        description=_(
            "By default an element that cannot move gets half the discount for a fire arc. With this rule it gets the "
            "full discount, as if it had a maneuver limit."
        ),
    )
    rounding: Literal["element", "none"] = Field(
        "element",
        title=_("Rounding"),
        description=_(
            "By default the price of each element is rounded half up and is at least 1. Otherwise elements keep "
            "their fractions, and the total of each unit is rounded."
        ),
        json_schema_extra={"words": {"element": _("each element"), "none": _("the total of each unit")}},
    )
    naval: bool = Field(
        False,
        title=_("Naval game"),
        description=_(
            "By default Water bound gives a discount. In a naval game, where nobody has land elements, it gives none."
        ),
    )


class Mark(values.Mark):
    """Whether an element has been destroyed."""

    out: bool = False


class Element(BaseElement, Profile):
    """An element of a roster."""

    marks: JsonList[Mark] = ()

    @property
    def type_name(self) -> str:
        return KINDS[self.kind] if self.kind != "other" else ""


RosterTerms = Terms[Options]

# ---------------------------------------------------------------- declarations

APPENDIX, GUIDELINES, SPECIAL_RULES = _("Appendix B"), _("Final Guidelines"), _("Special Rules")
COMPONENTS, PHASES, STATISTICS = _("Force Components"), _("Game Phases"), _("Element Stats")
"""Sections of the rulebook, which has no numbers."""

FINDINGS: Mapping[str, FindingType] = {
    "stat-negative": error(
        _("Movement, range, power and armor cannot be negative."),
        _(
            "These stats are distances and ratings, and the formula adds them. A negative one would make the "
            "element cheaper without a drawback."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "to-hit-range": error(
        _("To hit is 1 to 6, 0 (automatic) or – (no attack)."),
        _(
            "It is the roll of a D6 that hits. 0 needs no roll, – counts as 7, and the price is multiplied by"
            " 7 minus this value."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "save-range": error(
        _("Save is 1 to 6, or – (no save)."),
        _("It is the roll of a D6 that avoids a hit. – counts as 7 and adds nothing to the price."),
        APPENDIX,
        reveals_points=False,
    ),
    "morale-range": error(
        _("Morale is 2 to 7, or – (fearless)."),
        _(
            "It is the roll of a D6 by which a unit stays after it has lost half its elements. The price is "
            "multiplied by 7 minus this value; – counts as 1."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "unknown-capability": error(
        _("The rulebook has no such ability; it is not priced."),
        _(
            "An ability changes the price by the percentage of its list. For one that is not there, add a "
            "custom ability and agree on a percentage."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "duplicate-capability": error(
        _("An ability is listed more than once; each copy is priced."),
        _(
            "The percentages of all abilities are added. The same one twice changes the price twice, but play "
            "only once."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "deny-unknown": error(
        _("The denied ability is missing or not in the rulebook; the denial is not priced."),
        _("A denial costs as much as the ability that it denies. Without one it has no price and no effect."),
        APPENDIX,
        reveals_points=False,
    ),
    "deny-deny": error(
        _("A denial cannot be denied; it is not priced."),
        _("A denial costs as much as the ability that it denies, and a denial has no percentage of its own."),
        APPENDIX,
        reveals_points=False,
    ),
    "weapons-count": error(
        _("Multiple weapons means at least 2."),
        _(
            "The first weapon is part of the price, and each extra one costs +80\u00a0%. With one alone there is "
            "nothing to pay."
        ),
        APPENDIX,
        reveals_points=False,
    ),
    "transport-count": error(
        _("A transport carries at least 1 element."),
        _("The percentage is for each element that is carried, so there has to be at least one."),
        APPENDIX,
        reveals_points=False,
    ),
    "two-manoeuvre-limits": error(
        _("An element has at most one maneuver limit."),
        _(
            "The limits are steps of one scale: 180°, 90° or 45° of turns. A second one is a discount for what "
            "is forbidden already."
        ),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "two-fire-arcs": error(
        _("An element has at most one limited fire arc."),
        _(
            "The arcs are steps of one scale: 270°, 180° or 90°. A second one is a discount for what is "
            "forbidden already."
        ),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "two-templates": error(
        _("An attack uses at most one template."),
        _("An attack affects what is under its template, and only one can be laid for it."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "modifier-sum": error(
        _("The discounts leave nothing of the price."),
        _(
            "The percentages are added, and the sum multiplies the price. At 0\u00a0% or less the element would "
            "cost nothing or less than nothing."
        ),
        APPENDIX,
    ),
    "save-cannot-fail": warning(
        _("A save on 1+ never fails."),
        _("A D6 never shows less than 1, so no attack can destroy this element, whatever its power."),
        STATISTICS,
        reveals_points=False,
    ),
    "morale-costs-zero": warning(
        _("Morale 7 makes the whole element free, because 7 − 7 is 0."),
        _(
            "The price is multiplied by 7 minus morale, so all that this element can do is free. Agree on a "
            "price with your opponent, or set it to 6+."
        ),
        APPENDIX,
    ),
    "no-attack-costs-zero": warning(
        _("By the formula an element without an attack is free, because 7 − 7 is 0."),
        _(
            "The price is multiplied by 7 minus to hit, so armor and speed of an unarmed element are free. The "
            "house rule “Unarmed elements” prices them."
        ),
        APPENDIX,
    ),
    "deny-drawback": warning(
        _("Denying a drawback costs points and helps the enemy."),
        _("A denial always costs points. Of a drawback it lifts a restriction, and those who have it are the enemy."),
        APPENDIX,
        reveals_points=False,
    ),
    "manoeuvre-limit-on-immobile": warning(
        _("A maneuver limit is a discount without a drawback for an element that never moves."),
        _("The limit is on turns during movement, and an element with movement 0 makes none."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "full-armor-free": warning(
        _("Infantry has Full armor for free."),
        _("By default the armor of infantry is the same from all angles, so the +20\u00a0% buy nothing."),
        APPENDIX,
        reveals_points=False,
    ),
    "sealed-included": warning(
        _("Submersible includes Sealed for free."),
        _("The rule for Sealed says that Submersible has it already, so the +20\u00a0% buy nothing."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "amphibious-included": warning(
        _("Submersible includes free movement in water."),
        _("Water does not hinder an element that is Submersible, so the +20\u00a0% buy nothing."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "fly-and-skim": warning(
        _("Flying or jump and Skimmer or ethereal lift the same restrictions; both are priced."),
        _("Both ignore terrain and lose the road bonus, each for +25\u00a0%. The second one buys nothing."),
        APPENDIX,
        reveals_points=False,
    ),
    "water-bound-conflict": warning(
        _("A Water bound element pays for an ability that takes it out of the water."),
        _("Water bound is a discount for never leaving the water, so an ability for land or air has no use."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "two-deployments": warning(
        _("An element can use only one special deployment."),
        _("Scout, Drop capable and Teleport are ways to come onto the board, which happens once."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "one-shot-and-slow-fire": warning(
        _("Fires every other turn gives a discount to an element with One shot, which fires once."),
        _("Who fires once in a game cannot fire in the turn after that, so the −50\u00a0% restrict nothing."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "indirect-without-range": warning(
        _("Indirect fire has no effect with range 0."),
        _("Indirect fire hits what is out of sight. At range 0 the target is in contact and in sight."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "weapon-ability-without-attack": warning(
        _("Weapon abilities have no effect without an attack."),
        _("These abilities change an attack, and the element never makes one. They still change its price."),
        SPECIAL_RULES,
        reveals_points=False,
    ),
    "custom-capability": note(
        _("Custom abilities are not in the rulebook: agree on them with your opponent."),
        _(
            "The rulebook invites players to add abilities that their background needs, so both should know "
            "what it does and costs."
        ),
        GUIDELINES,
        reveals_points=False,
    ),
    "waived-modifier": note(
        _("A waived ability stays listed, but is not priced."),
        _(
            "The author himself ignores a modifier where it would make a unit unusable. Your opponent sees here"
            " that it happened."
        ),
        GUIDELINES,
        reveals_points=False,
    ),
    "empty-unit": error(
        _("A unit needs at least one element."),
        _("A unit is a group of elements or a single one. Without any it does nothing and costs nothing."),
        COMPONENTS,
        reveals_points=False,
        missing=True,
    ),
    "mixed-unit": warning(
        _("Units are usually all alike, except for the command."),
        _(
            "All elements of a unit are usually the same, except its command. It is allowed, so tell your "
            "opponent which is which."
        ),
        COMPONENTS,
        reveals_points=False,
    ),
    "several-command-elements": warning(
        _("A unit usually has one command element."),
        _(
            "The command may differ from its unit, and it can be fired at only if it is the closest of the "
            "unit. More of them are more that is protected."
        ),
        PHASES,
        reveals_points=False,
    ),
    "partly-organised": warning(
        _("Organized elements keep formation with the whole unit, but some elements cannot."),
        _(
            "Organized is a discount for always standing in formation with the whole unit. Elements without it "
            "are not bound to do so."
        ),
        SPECIAL_RULES,
        reveals_points=False,
    ),
}

LABELS: Mapping[str, str] = {
    **STATS,
    "kind": _("Kind"),
    **{f"kind-{code}": name for code, name in KINDS.items()},
    "command": _("Command element"),
    "capabilities": _("Abilities"),
    "scatters": _("scatters"),
    "count": _("number"),
    "denies": _("denies"),
    "on": _("works on"),
    "turns": _("turns"),
    "form": _("form"),
    **{f"form-{code}": lower for code, (_name, lower) in FORM_NAMES.items()},
    "percent": _("percentage"),
    "separate": _("multiplied"),
    "waived": _("waived"),
}

FACTS: Mapping[str, Fact] = {
    "morale_test_at": Fact(
        _("Losses for a morale test"),
        _("Number of lost elements at which the unit tests morale."),
        reveals_points=False,
        counts_losses=True,
    ),
    "transport_capacity": Fact(
        _("Transport capacity"), _("Number of elements that the unit can carry."), reveals_points=False
    ),
}

SCENARIOS = {
    "standard": Scenario(
        _("Standard battle"),
        _("Deploy within 20 cm of your edge; the first to destroy half of the points limit wins."),
        {},
        {"": (None, 1000)},
    ),
    "defensive": Scenario(
        _("Defensive battle"),
        _("The attacker needs 6 of 8 markers; the defender wins by destroying two thirds of the attacker's limit."),
        {"attacker": _("Attacker"), "defender": _("Defender")},
        {"attacker": (None, 1200), "defender": (None, 600)},
    ),
}
SIZES = (
    Size(_("1,000 points"), 1000, "standard"),
    Size(_("500 points"), 500, "standard"),
    Size(_("2,000 points"), 2000, "standard"),
    Size(_("Attacker, 1,200 points"), 1200, "defensive"),
    Size(_("Defender, 600 points"), 600, "defensive"),
    Size(_("No limit"), None),
)

# ---------------------------------------------------------------- words


def number_text(number: Amount) -> str:
    """A number with a minus sign, as in "−1"."""
    return with_minus_sign(format_exact(number))


def percent_text(percent: Amount) -> str:
    """A change in percent, as in "+25 %"."""
    return f"{with_minus_sign(format_change(percent))}\u00a0%"


def abbreviation(modifier: Modifier) -> str:
    """A capability as cards show it: "MA", "T4", "Den Ch", "Heal 4+"."""
    code = modifier.custom or "" if modifier.code is None else modifier.code
    if code in COUNTS:
        return f"{code}{number_text(modifier.counted)}"
    parts: list[str] = [code]
    if code == DENY:
        parts.append(modifier.denies or "?")
    if modifier.scatters:
        parts.append(_("scatters"))
    if modifier.on is not None:
        parts.append(f"{modifier.on}+")
    if modifier.turns is not None:
        parts.append(ngettext("{n} turn", "{n} turns", modifier.turns).format(n=modifier.turns))
    if modifier.form:
        parts.append(FORM_NAMES[modifier.form][1])
    return join(parts, " ") if len(parts) > 1 else code


def form_of(modifier: Modifier) -> str:
    """The form of a flying or skimming element, the default if none is chosen; "" for other capabilities."""
    return modifier.form or FORMS.get(modifier.code or "", ("",))[0]


def capability_name(modifier: Modifier) -> Message:
    """A capability in full: "Charge (Ch)", "Deny Charge (Den Ch)", "Jump (Fly jump)"."""
    if modifier.custom is not None:
        return _("{name} (custom ability)").format(name=modifier.custom or "?")
    if modifier.row is None:
        return _("{code} (unknown ability)").format(code=modifier.code or "?")
    name: str = modifier.row.name
    if form := form_of(modifier):
        name = FORM_NAMES[form][0]
    elif modifier.denied:
        name = _("Deny {ability}").format(ability=modifier.denied.name)
    return _("{ability} ({code})").format(ability=name, code=abbreviation(modifier))


def capability_text(modifier: Modifier) -> Message:
    """The rule of a capability; of a denial also the range and the rule of what it denies."""
    if modifier.custom is not None:
        return _("As agreed before the game.")
    if modifier.row is None:
        return _("Not in the rulebook: agree on it before the game, or leave it out.")
    parts = [modifier.row.text]
    if denied := modifier.denied:
        text = _("Denied: {ability}.").format(ability=denied.name)
        parts += [text, *filter(None, [DENIAL_RANGES.get(denied.code)]), denied.text]
    return join(parts, " ")


def rule_and_price(row: Capability) -> Message:
    """What a capability does, and how its percentage counts."""
    return join(filter(None, (row.text, PRICING.get(row.code))), " ")


def describe(profile: Profile, terms: RosterTerms) -> Message:
    """The element in one line."""
    stats = profile.stats
    parts: list[Message] = []
    if profile.kind != "other":
        parts.append(KINDS[profile.kind])
    if profile.command:
        parts.append(_("command"))
    parts.append(_("move {n}\u00a0cm").format(n=number_text(stats.movement)))
    if stats.to_hit == 7:
        parts.append(_("no attack"))
    else:
        parts += [
            _("hits on {n}+").format(n=number_text(stats.to_hit)) if stats.to_hit else _("always hits"),
            _("range {n}\u00a0cm").format(n=number_text(stats.range)) if stats.range else _("melee"),
            _("power {n}").format(n=number_text(stats.power)),
        ]
    parts.append(_("armor {n}").format(n=number_text(stats.armor)))
    if stats.save != 7:
        parts.append(_("save {n}+").format(n=number_text(stats.save)))
    parts.append(_("fearless") if stats.morale == 1 else _("morale {n}+").format(n=number_text(stats.morale)))
    return join([*parts, *(listed(modifier) for modifier in profile.capabilities)])


def listed(modifier: Modifier) -> str:
    """A capability in a list of abbreviations: "T4", "MA (waived)"."""
    short = abbreviation(modifier)
    return _("{ability} (waived)").format(ability=short) if modifier.waived else short


def glossary() -> Iterator[GlossaryEntry]:
    """The capabilities, in the order of the rulebook."""
    for row in CAPABILITIES.values():
        yield GlossaryEntry(row.code, row.name, rule_and_price(row))


# ---------------------------------------------------------------- price


class Adjustment(NamedTuple):
    """The effect of a modifier on the price: a percentage, and whether it multiplies instead of adding up."""

    label: Message
    percent: Amount
    share: Fraction
    """The percentage as a number."""
    separate: bool

    @property
    def factor(self) -> Amount:
        return 1 + self.share


def price(profile: Profile, terms: RosterTerms) -> Receipt:
    """The points of one element (Appendix B, formula and special costs)."""
    tally, options = ReceiptBuilder(), terms.options
    _add_stats(tally, profile.stats, options)
    steps = adjustments(profile, terms)
    base, total = tally.subtotal, _sum(steps)
    for step in steps:
        if not step.separate:
            tally.add(step.label, base * step.share)
    if options.sum_floor is not None and 100 + total < options.sum_floor:
        label = _("Minimum multiplier {n}\u00a0% (house rule)").format(n=options.sum_floor)
        tally.set_to(label, base * Fraction(options.sum_floor, 100))
    elif options.sum_floor is None and total <= -100:
        tally.set_to(_("Percentages add up to {sum}").format(sum=percent_text(total)), 0)
    for step in steps:
        if step.separate and step.factor <= 0:
            tally.set_to(_("{step}: nothing is left").format(step=step.label), 0)
        elif step.separate:
            tally.multiply(step.label, step.factor)
            if Fraction(tally.subtotal).denominator > MAX_DENOMINATOR:
                _round_to_twelve_decimals(tally)
    _round(tally, options)
    return tally.receipt()


def _add_stats(tally: ReceiptBuilder, stats: Stats, options: Options) -> None:
    for name in ("movement", "range", "save", "power", "armor"):
        tally.add(*_stat_step(name, getattr(stats, name)))
    tally.multiply(*_stat_step("morale", stats.morale))
    if stats.to_hit == 7 and options.no_attack_factor:
        tally.multiply(_("No attack, priced (house rule)"), 1)
    else:
        tally.multiply(*_stat_step("to_hit", stats.to_hit))
    tally.multiply(_("÷ 5"), Fraction(1, 5))


@lru_cache(1024)  # a sixth of an appraisal
def _stat_step(name: str, value: int) -> tuple[Message, Amount]:
    """The step of a stat in the formula: its label, and what it adds or multiplies by."""
    n = number_text(value)
    if name in ("movement", "range"):
        label = _("Movement {n}\u00a0cm (÷ 5)") if name == "movement" else _("Range {n}\u00a0cm (÷ 5)")
        return label.format(n=n), Fraction(value, 5) if value % 5 else value // 5
    if name in ("power", "armor"):
        return (_("Power {n}") if name == "power" else _("Armor {n}")).format(n=n), value
    if name == "save":
        return _("No save") if value == 7 else _("Save {n}+ (7 − {n})").format(n=n), 7 - value
    if name == "morale":
        label = _("Fearless (7 − 1)") if value == 1 else _("Morale {n}+ (7 − {n})").format(n=n)
        return label, 7 - value
    labels = {0: _("Automatic hit (7 − 0)"), 7: _("No attack (7 − 7)")}
    return labels.get(value) or _("To hit {n}+ (7 − {n})").format(n=n), 7 - value


def _sum(steps: Iterable[Adjustment]) -> Amount:
    """The percentages that add up."""
    return sum(step.percent for step in steps if not step.separate)


def _round(tally: ReceiptBuilder, options: Options) -> None:
    """Round half up, to at least 1 if positive. Adds a step only if the number changes."""
    amount = Fraction(tally.subtotal)
    if options.rounding == "none":
        if amount.denominator // gcd(amount.denominator, COMMON_DENOMINATOR) > MAX_EXCESS:
            _round_to_twelve_decimals(tally)
    elif amount > 0 and round_half_up(amount) == 0:
        tally.set_to(_("Rounded up: at least 1"), 1)
    elif round_half_up(amount) != amount:
        tally.set_to(_("Rounded"), round_half_up(amount))


def _round_to_twelve_decimals(tally: ReceiptBuilder) -> None:
    tally.set_to(_("Rounded to 12 decimals"), Fraction(round_half_up(tally.subtotal * 10**12), 10**12))


def adjustments(profile: Profile, terms: RosterTerms) -> list[Adjustment]:
    """The effect of each capability of ``profile`` on its price, in document order."""
    limited = any(m.code in MANEUVER_LIMITS and not m.waived for m in profile.capabilities)
    limited = limited or (terms.options.immobile_is_limited and profile.movement == 0)
    return [_adjustment(modifier, limited, terms.options) for modifier in profile.capabilities]


@lru_cache(1024)  # a fifth of an appraisal
def _adjustment(modifier: Modifier, limited: bool, options: Options) -> Adjustment:
    code, template, separate = modifier.code or "", _("{ability}, {percent}"), False
    percent: Amount = 0
    if modifier.waived:
        template = _("{ability}, waived")
    elif modifier.custom is not None:
        percent, separate = to_amount(modifier.percent or 0), modifier.separate
    elif code == "WB" and options.naval:
        template = _("{ability}, no discount in a naval game")
    elif modifier.row:
        percent = _percent(modifier, modifier.row)
        separate = code != DENY and (options.star == "all" or code in SEPARATE[options.star])
        if code in FIRE_ARCS and not limited:
            template, percent = _("{ability}, half without a maneuver limit, {percent}"), Fraction(percent, 2)
    label = template.format(ability=capability_name(modifier), percent=percent_text(percent))
    return Adjustment(label, percent, Fraction(percent, 100), separate)


def _percent(modifier: Modifier, row: Capability) -> Amount:
    """The percentage of a capability in its variant (Appendix B, special costs)."""
    code = row.code
    if modifier.scatters or modifier.on == 4:
        return VARIANT_PERCENTS[code]
    if code in COUNTS:
        return row.percent * (modifier.counted - INCLUDED[code])
    if code == "OS" and modifier.turns is not None and modifier.turns != GAME_TURNS:
        return Fraction(100, modifier.turns) - 100
    if code == DENY:
        return abs(modifier.denied.percent) if modifier.denied else 0
    return row.percent


def headcount(element: Element) -> int:
    """The number of elements on the table."""
    return element.quantity


def totals(sums: Sequence[Amount], terms: RosterTerms) -> Totals:
    """Totals, in which each unit is rounded if the elements are not."""
    if terms.options.rounding == "element":
        return plain_totals(sums, terms)
    units = tuple(round_half_up(amount) for amount in sums)
    return Totals(units, sum(units), sum(sums))


# ---------------------------------------------------------------- rules check


def check_element(element: Element, terms: RosterTerms) -> Iterator[Problem]:
    """Problems of one element."""
    yield from _check_stats(element.stats)
    for modifier in element.capabilities:
        yield from _check_modifier(modifier)
    yield from _check_duplicates(element)
    yield from _check_combinations(element)
    steps = adjustments(element, terms)
    if terms.options.sum_floor is None and (total := _sum(steps)) <= -100:
        text = _("The percentages add up to {sum} and leave nothing of the price.")
        yield Problem("modifier-sum", text.format(sum=percent_text(total)))
    for step in steps:
        if step.separate and step.factor <= 0:
            yield Problem("modifier-sum", _("{step}: nothing is left of the price.").format(step=step.label))


TARGETS = (
    ("to_hit", "to-hit-range", 0, _("1 to 6, 0 for automatic, or – for no attack")),
    ("save", "save-range", 1, _("1 to 6, or – for no save")),
    ("morale", "morale-range", 1, _("2 to 7, or – for fearless")),
)
"""The D6 targets with their findings and least numbers, and what is allowed in words."""


def _check_stats(stats: Stats) -> Iterator[Problem]:
    for name in ("movement", "range", "power", "armor"):
        if (value := getattr(stats, name)) < 0:
            text = _("{stat} {value} is negative.").format(stat=STATS[name], value=number_text(value))
            yield Problem("stat-negative", text)
    for name, code, least, allowed in TARGETS:
        if not least <= (value := getattr(stats, name)) <= 7:
            text = _("{stat} is {value}. It must be {allowed}.")
            yield Problem(code, text.format(stat=STATS[name], value=number_text(value), allowed=allowed))
    if stats.save == 1:
        yield Problem("save-cannot-fail", FINDINGS["save-cannot-fail"].text)
    if stats.morale == 7:
        yield Problem("morale-costs-zero", FINDINGS["morale-costs-zero"].text)
    if stats.to_hit == 7:
        yield Problem("no-attack-costs-zero", FINDINGS["no-attack-costs-zero"].text)


def _check_modifier(modifier: Modifier) -> Iterator[Problem]:
    """Problems of one capability by itself."""
    if modifier.waived:
        yield Problem("waived-modifier", _("{ability} is not priced.").format(ability=capability_name(modifier)))
    if modifier.custom is not None:
        percent = percent_text(to_amount(modifier.percent or 0))
        text = _("{ability}, {percent}: agree on it with your opponent.")
        if modifier.separate:
            text = _("{ability}, {percent}, multiplied: agree on it with your opponent.")
        yield Problem("custom-capability", text.format(ability=capability_name(modifier), percent=percent))
    elif modifier.row is None:
        text = _("“{code}” is not an ability of the rulebook.").format(code=modifier.code or "")
        yield Problem("unknown-capability", text)
    elif modifier.code == "MW" and modifier.counted < 2:
        text = _("Multiple weapons means at least 2, not {n}.")
        yield Problem("weapons-count", text.format(n=number_text(modifier.counted)))
    elif modifier.code == "T" and modifier.counted < 1:
        text = _("A transport carries at least 1 element, not {n}.")
        yield Problem("transport-count", text.format(n=number_text(modifier.counted)))
    elif modifier.code == DENY:
        yield from _check_denial(modifier)


def _check_denial(modifier: Modifier) -> Iterator[Problem]:
    if modifier.denies is None:
        yield Problem("deny-unknown", _("Choose the ability to deny."))
    elif modifier.denied is None:
        yield Problem("deny-unknown", _("“{code}” is not an ability of the rulebook.").format(code=modifier.denies))
    elif modifier.denies == DENY:
        yield Problem("deny-deny", FINDINGS["deny-deny"].text)
    elif modifier.denied.percent < 0:
        text = _("{ability} is a drawback: denying it costs points and helps the enemy.")
        yield Problem("deny-drawback", text.format(ability=modifier.denied.name))


def _check_duplicates(profile: Profile) -> Iterator[Problem]:
    """Known capabilities that an element has more than once. Denials of different capabilities are not duplicates."""
    known = [modifier for modifier in profile.capabilities if modifier.row]
    first = {(modifier.code, modifier.denies): modifier for modifier in reversed(known)}
    for key, number in Counter((modifier.code, modifier.denies) for modifier in known).items():
        if number > 1:
            text = ngettext("{ability} is listed {n} time.", "{ability} is listed {n} times.", number)
            yield Problem("duplicate-capability", text.format(ability=capability_name(first[key]), n=number))


def _check_combinations(profile: Profile) -> Iterator[Problem]:
    """Problems of capabilities with each other, with the kind and with the stats."""
    codes, stats = profile.codes, profile.stats
    for finding, members in EXCLUSIVE.items():
        if len(both := codes.intersection(members)) > 1:
            text = _("{abilities} exclude each other: choose one.").format(abilities=_names(members, both))
            yield Problem(finding, text)
    for finding, (one, others) in CLASHES.items():
        if one in codes and not codes.isdisjoint(others):
            yield Problem(finding, FINDINGS[finding].text)
    if stats.movement == 0 and (limits := codes.intersection(MANEUVER_LIMITS)):
        text = _("The element never moves, so {abilities} is a discount without a drawback.")
        yield Problem("manoeuvre-limit-on-immobile", text.format(abilities=_names(MANEUVER_LIMITS, limits)))
    if "FA" in codes and profile.kind == "infantry":
        yield Problem("full-armor-free", FINDINGS["full-armor-free"].text)
    if "IF" in codes and stats.range == 0:
        yield Problem("indirect-without-range", FINDINGS["indirect-without-range"].text)
    if stats.to_hit == 7 and (useless := codes.intersection(WEAPON_ABILITIES)):
        text = _("Without an attack these abilities have no effect: {abilities}.")
        yield Problem("weapon-ability-without-attack", text.format(abilities=_names(WEAPON_ABILITIES, useless)))


def _names(order: Sequence[str], codes: frozenset[str]) -> str:
    return join_names(CAPABILITIES[code].name for code in order if code in codes)


def check_formation(formation: Formation[Element], terms: RosterTerms) -> Iterator[Problem]:
    """Problems of one unit. Elements with quantity 0 do not count."""
    present = [element for element in formation.elements if element.quantity]
    if not present:
        yield Problem("empty-unit", _("The unit has no elements."))
        return
    different = len({element.likeness for element in present if not element.command})
    if different > 1:
        text = ngettext(
            "This unit mixes {n} different element; units are usually all alike.",
            "This unit mixes {n} different elements; units are usually all alike.",
            different,
        )
        yield Problem("mixed-unit", text.format(n=different))
    commands = sum(element.quantity for element in present if element.command)
    if commands > 1:
        text = _("Command elements: {n}. A unit usually has one.").format(n=commands)
        yield Problem("several-command-elements", text)
    models = sum(element.quantity for element in present)
    organised = sum(element.quantity for element in present if "Org" in element.codes)
    if 0 < organised < models:
        text = _("Organized elements: {n} of {total}. Only whole units keep formation.")
        yield Problem("partly-organised", text.format(n=organised, total=models))


def check_roster(document: Document[Element, Options], totals: Totals, terms: RosterTerms) -> Iterator[Problem]:
    """The problem of too many points."""
    yield from over_budget(totals.points, document.budget)


# ---------------------------------------------------------------- facts


def element_facts(element: Element, terms: RosterTerms) -> Mapping[str, Any]:
    return {}


def formation_facts(formation: Formation[Element], terms: RosterTerms) -> Mapping[str, Any]:
    """The losses at which a unit tests its morale, and the elements that it can carry."""
    models = sum(element.quantity for element in formation.elements)
    carried = sum(
        element.quantity * modifier.counted
        for element in formation.elements
        for modifier in element.capabilities
        if modifier.code == "T"
    )
    return {"morale_test_at": (models + 1) // 2, "transport_capacity": carried}


def roster_facts(document: Document[Element, Options], terms: RosterTerms) -> Mapping[str, Any]:
    return {}
