"""The form of an element: seven stats, a check box for each ability, denials, and custom abilities."""

import builtins
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from crispy_forms.layout import HTML, Div, Fieldset, LayoutObject
from django import forms
from django.forms.boundfield import BoundField
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

from rosters.core.amounts import to_amount
from rosters.core.messages import _, translate
from rosters.core.values import MAX_INTEGER
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.element_form import WholeNumberField
from rosters.forms.picker import Pick, Picker
from rosters.forms.unknown_codes import UnknownCodesField
from rosters.systems.mini_combat.rules import (
    CAPABILITIES,
    DENY,
    FINDINGS,
    LABELS,
    Modifier,
    Profile,
    adjustments,
    capability_name,
    percent_text,
    rule_and_price,
)
from rosters.systems.mini_combat.tables import (
    COUNTS,
    FIRE_ARCS,
    FORM_NAMES,
    FORMS,
    GAME_TURNS,
    KEYS,
    KIND_NOTES,
    KINDS,
    STATS,
    VARIANT_PERCENTS,
)

UNCHANGED = "as-written"
"""The choice that keeps a denied code that the rulebook does not know."""
NO_NOTE = _("Shown on the card; changes no rule.")
BLANK_ROWS = 2
DICE: dict[int | None, str] = {number: f"{number}+" for number in range(1, 7)}
TARGETS: Mapping[str, Mapping[int | None, str]] = {
    "to_hit": {None: _("No attack"), 0: _("Automatic"), **DICE},
    "save": {None: _("No save"), **DICE},
    "morale": {None: _("Fearless"), **{n: text for n, text in DICE.items() if n != 1}, 7: "7+"},
}
"""The choices of each D6 target. Another number is a choice only for a profile that has it."""
VARIANTS = {code: (key, f"{key}-{code}") for key, codes in KEYS.items() if key != "denies" for code in codes}
"""The key of each capability's variant, and the name of its field."""
COUNT_LABELS = {
    "T": (COUNTS["T"], gettext_lazy("Elements carried")),
    "MW": (COUNTS["MW"], gettext_lazy("Weapons in all")),
    "OS": (GAME_TURNS, gettext_lazy("Turns of the game")),
}
"""The default and the label of each number that belongs to a capability."""
MOST_USED = ("RdM", "LFA", "WB", "Ch", "MW", "RsM", "Fly", "FA", "Se", "MA", "Org", "T", "IF", "MoF", "St")
"""Abilities by how often the sample rosters have them."""
SEARCH_WORDS = {
    "MA": _("double power, assassin, grenades"),
    "SS": _("double power, anti-tank"),
    "MoF": _("stationary, artillery, titan"),
    "Cone": _("area effect, flamethrower, gas, spray, beam"),
    "5c": _("5 cm area effect, blast, mortar"),
    "10c": _("10 cm area effect, blast"),
    "Bmb": _("area effect, blast, missile battery, large guns"),
    "IF": _("artillery, barrage, line of sight"),
    "Rec": _("reconnaissance, spotter"),
    "Fly": _("jump pack, jump jet, aircraft, wings"),
    "Sk": _("hover, anti-grav, jet bike, phase"),
    "Sc": _("sniper, hidden"),
    "Feot": _("reload, musket"),
    "Drp": _("airborne, paratroops, drop pod"),
    "Tel": _("warp, hyper-jump"),
    "RdM": _("maneuver, turning"),
    "RsM": _("maneuver, turning"),
    "LM": _("maneuver, turning"),
    "RdFA": _("turret, spacecraft"),
    "RsFA": _("broadside, robot"),
    "LFA": _("tank destroyer, towed gun"),
    "IC": _("flamethrower, gas, poison"),
    "Sub": _("underwater, submarine, diver"),
    "OS": _("missile, warhead, kamikaze"),
    "WB": _("ship, boat, naval"),
    "Amph": _("swim, hovercraft"),
    "T": _("carrier, APC, medivac"),
    "FA": _("rear, all round, tortoise"),
    "Org": _("line, column, square"),
    "Ch": _("heavy cavalry, lance"),
    "Ins": _("ghost, cloak, invisible"),
    "Heal": _("medic, medivac, apothecary"),
    "Rep": _("mechanic, recovery vehicle"),
    "Se": _("gas mask, vacuum, spacesuit, power armor"),
    "St": _("cloak, camouflage, sniper"),
    "MW": _("turrets, guns, battery"),
}
"""Words that abilities are searched by beside their names: those of the rulebook, Appendix B and examples of use."""
PERCENTS = {
    "T": _("{percent} each"),
    "MW": _("{percent} each extra"),
    **dict.fromkeys(FIRE_ARCS, _("{half} or {percent}")),
}
"""The percentage of counted capabilities, and of those that count half without a limit of maneuverability."""


MAX_CM, MAX_POWER, MAX_COUNT = 1000, 100, 100
"""More is a typing error: ten meters, what no armor stops, and a hundred weapons. Stored elements keep theirs."""


def number_field(label: str, help_text: Any, maximum: int, step: int = 1) -> WholeNumberField:
    """A stat that is not a target, and the ``step`` in which it costs points."""
    return WholeNumberField(label=label, help_text=help_text, maximum=maximum, step=step)


def target_field(label: str) -> forms.TypedChoiceField:
    """A D6 target, or none."""
    return forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        label=label,
        help_text=gettext_lazy("on a D6"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )


class CapabilityGroups:
    """The capabilities of a profile by their place in the form: each group by key; ``keys`` in document order."""

    def __init__(self, capabilities: Iterable[dict[str, Any]]) -> None:
        self.selected: dict[str, dict[str, Any]] = {}
        self.denials: dict[str, dict[str, Any]] = {}
        self.custom: dict[str, dict[str, Any]] = {}
        self.others: dict[str, dict[str, Any]] = {}
        self.keys = [self._add(index, modifier) for index, modifier in enumerate(capabilities)]

    def _add(self, index: int, modifier: dict[str, Any]) -> str:
        code = modifier.get("code")
        if code == DENY:
            group, key = self.denials, f"denies-{len(self.denials)}"
        elif code in CAPABILITIES and code not in self.selected:
            group, key = self.selected, str(code)
        elif "custom" in modifier and not {*modifier["custom"]} & {"\r", "\n"}:  # an input has one line
            group, key = self.custom, f"custom-{len(self.custom)}"
        else:
            group, key = self.others, str(index)
        group[key] = modifier
        return key


class ElementForm(BaseForm):
    """The stats in the order of the rulebook, then the abilities by purpose."""

    default_profile = {
        **{"kind": "infantry", "movement": 10, "to_hit": 4, "range": 15, "save": 6, "power": 2, "armor": 0},
        "morale": 4,
    }
    leading = "command"
    finding_fields = {
        **dict.fromkeys(FINDINGS, "capabilities"),
        **{"to-hit-range": "to_hit", "no-attack-costs-zero": "to_hit", "indirect-without-range": "range"},
        **{"save-range": "save", "save-cannot-fail": "save", "morale-range": "morale", "morale-costs-zero": "morale"},
    }
    stat_values = {
        "movement": range(0, MAX_CM + 1, 5),
        "to_hit": (None, 6, 5, 4, 3, 2, 1, 0),
        "range": range(0, MAX_CM + 1, 5),
        "save": (None, 6, 5, 4, 3, 2, 1),
        "power": range(MAX_POWER + 1),
        "armor": range(MAX_POWER + 1),
        "morale": (7, 6, 5, 4, 3, 2, None),
    }

    kind = forms.ChoiceField(label=LABELS["kind"], choices=[*KINDS.items()])
    command = forms.BooleanField(
        required=False, label=LABELS["command"], help_text=gettext_lazy("Usually one per unit.")
    )
    movement = number_field(STATS["movement"], gettext_lazy("cm per turn"), MAX_CM, 5)
    to_hit = target_field(STATS["to_hit"])
    range = number_field(STATS["range"], gettext_lazy("cm, 0 is melee"), MAX_CM, 5)
    save = target_field(STATS["save"])
    power = number_field(STATS["power"], gettext_lazy("of a hit"), MAX_POWER)
    armor = number_field(STATS["armor"], gettext_lazy("against power"), MAX_POWER)
    morale = target_field(STATS["morale"])
    capabilities = forms.MultipleChoiceField(required=False)
    waived = forms.MultipleChoiceField(required=False)

    # ------------------------------------------------------------ fields

    def adapt_fields(self) -> None:
        for name, texts in TARGETS.items():
            self._set_choices(name, target_choices(texts, self.profile_before.get(name)))
        self.fields["kind"].help_text = mark_safe(  # the style sheet shows the note of the kind that is chosen
            "".join(
                format_html('<span class="of-kind for-{}">{}</span>', kind, KIND_NOTES.get(kind, NO_NOTE))
                for kind in KINDS
            )
        )
        for name in ("capabilities", "waived"):
            self._set_choices(name, self.names.items())
        for code, (key, name) in VARIANTS.items():
            self.fields[name] = variant_field(key, code, self.initial.get(name))
        for index in self.denial_indexes:
            label = gettext("Denied ability {number}").format(number=index + 1)
            self.fields[f"denies-{index}"] = forms.ChoiceField(required=False, label=label, widget=small_select())
            self._set_choices(f"denies-{index}", self._denial_choices(self.groups.denials.get(f"denies-{index}")))
            waived = gettext("Waived: denial {number}").format(number=index + 1)
            self.fields[f"denies-waived-{index}"] = checkbox(waived)
        for index in self.custom_indexes:
            self.fields |= custom_fields(index)
        if self.groups.others:
            labels = {key: unusual_label(Modifier(**modifier)) for key, modifier in self.groups.others.items()}
            self.fields["as_written"] = UnknownCodesField(labels)

    def _set_choices(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = [*choices]

    def sections(self) -> list[LayoutObject]:
        return [
            Div("kind", "command", css_class="pairs"),
            HTML('{% include "builder/_stats.html" %}'),
            HTML('{% include "systems/mini_combat/capabilities.html" %}'),
            *([Fieldset(None, "as_written", css_class="group")] if self.groups.others else []),
        ]

    def _denial_choices(self, denial: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
        """The abilities that can be denied. Deny, or an unknown code, only if the profile has it."""
        yield "", gettext("None")
        denied = (denial or {}).get("denies")
        if denial is not None and denied not in CAPABILITIES:
            unknown = gettext("Not selected") if denied is None else gettext("“{code}” (unknown)").format(code=denied)
            yield UNCHANGED, unknown
        yield from self.deniable
        if denied == DENY:
            yield DENY, f"{self.names[DENY]} ({DENY})"

    @cached_property
    def deniable(self) -> list[tuple[str, str]]:
        """The choices of all denials."""
        percents = {code: percent_text(abs(row.percent)) for code, row in CAPABILITIES.items() if code != DENY}
        return [(code, f"{self.names[code]} ({code}) {percent}") for code, percent in percents.items()]

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of all abilities, translated once because the form shows each several times."""
        return {code: translate(row.name) for code, row in CAPABILITIES.items()}

    # ------------------------------------------------------------ for the template

    @property
    def picker(self) -> Picker:
        """All abilities but denials, by purpose."""
        purposes: dict[str, list[Pick]] = {}
        chosen, waived = (self[name].value() or () for name in ("capabilities", "waived"))
        prices = self.prices
        for place, (code, row) in enumerate(CAPABILITIES.items()):
            if code != DENY:
                detail = self[VARIANTS[code][1]] if code in VARIANTS else None
                rank = MOST_USED.index(code) if code in MOST_USED else len(MOST_USED) + place
                picks = purposes.setdefault(row.purpose, [])
                picks.append(
                    Pick(
                        name="capabilities",
                        code=code,
                        label=self.names[code],
                        price=prices.get(code) or percent_text(row.percent),
                        text=rule_and_price(row),
                        group=[*purposes].index(row.purpose),
                        chosen=code in chosen or bool(detail and detail.errors),
                        details=(detail,) if detail else (),
                        can_be_waived=True,
                        waived=code in waived,
                        place=place,
                        rank=rank,
                        words=SEARCH_WORDS.get(code, ""),
                    )
                )
        label = gettext("Search %(number)s abilities") % {"number": len(CAPABILITIES) - 1}
        return Picker(label, [*purposes.items()], self["capabilities"], "systems/mini_combat/more_abilities.html")

    @property
    def prices(self) -> Mapping[str, str]:
        """The percentage of each ability that has several: that which applies, if it is selected."""
        bought = cast(Profile, self.preview_element)
        applied = {
            modifier.code: percent_text(adjustment.percent)
            for modifier, adjustment in zip(bought.capabilities, adjustments(bought, self.terms), strict=True)
            if not modifier.waived
        }
        rows = ((code, text, CAPABILITIES[code].percent) for code, text in PERCENTS.items())
        usual = {
            code: text.format(percent=percent_text(percent), half=percent_text(Fraction(percent, 2)))
            for code, text, percent in rows
        }
        return {code: applied.get(code, text) for code, text in usual.items()}

    def denial_rows(self) -> list[list[BoundField]]:
        """The fields of each denial: the denied ability, and whether it is waived."""
        return [[self[f"denies-{index}"], self[f"denies-waived-{index}"]] for index in self.denial_indexes]

    def custom_rows(self) -> list[list[BoundField]]:
        """The fields of each custom ability: name, percentage, and two checkboxes."""
        names = ("custom", "percent", "separate", "custom-waived")
        return [[self[f"{name}-{index}"] for name in names] for index in self.custom_indexes]

    @property
    def has_wrong_denials(self) -> bool:
        """Whether a denial has an error, so that its fields are unfolded."""
        return any(field.errors for fields in self.denial_rows() for field in fields)

    @property
    def has_wrong_custom(self) -> bool:
        """Whether a custom ability has an error."""
        return any(field.errors for fields in self.custom_rows() for field in fields)

    def live_parts(self) -> dict[str, SafeString]:
        """What is bought of the abilities whose fields are folded, and the percentages that apply."""
        bought = cast(Profile, self.preview_element).capabilities
        parts = {
            "denials": [
                f"{translate(each.denied.name)} {percent_text(abs(each.denied.percent))}"
                for each in bought
                if each.code == DENY and each.denied
            ],
            "custom": [
                f"{each.custom} {percent_text(to_amount(each.percent or 0))}"
                for each in bought
                if each.custom is not None
            ],
        }
        prices = {f"price-{code}": conditional_escape(text) for code, text in self.prices.items()}
        return {**{name: conditional_escape(", ".join(texts)) for name, texts in parts.items()}, **prices}

    @property
    def denial_text(self) -> str:
        return rule_and_price(CAPABILITIES[DENY])

    # ------------------------------------------------------------ from and to a profile

    @cached_property
    def groups(self) -> CapabilityGroups:
        return CapabilityGroups(self.profile_before.get("capabilities", []))

    @property
    def denial_indexes(self) -> Iterable[int]:
        return builtins.range(len(self.groups.denials) + BLANK_ROWS)

    @property
    def custom_indexes(self) -> Iterable[int]:
        return builtins.range(len(self.groups.custom) + BLANK_ROWS)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        selected = self.groups.selected
        initial = {name: profile.get(name, Profile.model_fields[name].default) for name in (*STATS, "kind", "command")}
        initial |= {name: selected.get(code, {}).get(key) for code, (key, name) in VARIANTS.items()}
        initial |= {"capabilities": [*selected], "waived": [c for c, m in selected.items() if m.get("waived")]}
        for index, denial in enumerate(self.groups.denials.values()):
            denied = denial.get("denies")
            initial[f"denies-{index}"] = denied if denied in CAPABILITIES else UNCHANGED
            initial[f"denies-waived-{index}"] = denial.get("waived")
        for index, custom in enumerate(self.groups.custom.values()):
            initial |= {f"{key}-{index}": custom.get(key) for key in ("custom", "percent", "separate")}
            initial[f"custom-waived-{index}"] = custom.get("waived")
        return initial

    def clean(self) -> dict[str, Any]:
        for index in self.custom_indexes:
            name = f"percent-{index}"
            if self.cleaned_data.get(f"custom-{index}") and self.cleaned_data.get(name, 0) is None:
                self.add_error(name, gettext("Enter a percentage, or clear the name too."))
        return super().clean()

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        stats = {name: cleaned[name] for name in STATS if cleaned[name] is not None}
        submitted = dict(self._capabilities(cleaned))
        listed = [submitted.pop(key) for key in self.groups.keys if key in submitted]
        both = {name: cleaned[name] for name in ("kind", "command")}
        return {**both, **stats, "capabilities": [*listed, *submitted.values()]}

    def _capabilities(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every submitted capability with its key."""
        for code in (code for code in CAPABILITIES if code in cleaned["capabilities"]):
            key, name = VARIANTS.get(code, ("", ""))
            yield code, {"code": code, **without_unset({key: cleaned.get(name), "waived": code in cleaned["waived"]})}
        for index in self.denial_indexes:
            name = f"denies-{index}"
            if denied := cleaned[name]:
                denied = self.groups.denials[name].get("denies") if denied == UNCHANGED else denied
                keys = {"denies": denied, "waived": cleaned[f"denies-waived-{index}"]}
                yield name, {"code": DENY, **without_unset(keys)}
        for index in self.custom_indexes:
            if (percent := cleaned[f"percent-{index}"]) is not None:
                keys = {"separate": cleaned[f"separate-{index}"], "waived": cleaned[f"custom-waived-{index}"]}
                yield (
                    f"custom-{index}",
                    {"custom": cleaned[f"custom-{index}"], "percent": percent, **without_unset(keys)},
                )
        for key in cleaned.get("as_written", ()):
            yield key, self.groups.others[key]


def without_unset(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that are neither None nor False. A number may be 0, and a denied code may be empty."""
    return {key: value for key, value in keys.items() if value is not None and value is not False}


# ---------------------------------------------------------------- choices


def target_choices(texts: Mapping[int | None, str], value: int | None) -> Iterator[tuple[int | str, str]]:
    """The choices of a target, and the profile's own value if it is none of them."""
    yield from (("" if target is None else target, text) for target, text in texts.items())
    if value is not None and value not in texts:
        yield value, gettext("{value} (out of range)").format(value=value)


def unusual_label(modifier: Modifier) -> str:
    """A capability that has no field: its name and why."""
    label = translate(capability_name(modifier))
    if modifier.custom is not None:
        label = f"{label} {percent_text(to_amount(modifier.percent or 0))}"
    elif modifier.row:
        label = gettext("{ability}: listed again").format(ability=label)
    if modifier.separate:
        label = gettext("{ability}, multiplied").format(ability=label)
    return gettext("{ability}, waived").format(ability=label) if modifier.waived else label


# ---------------------------------------------------------------- fields


def small_select() -> forms.Select:
    """A narrow select, for a choice beside the label of an ability."""
    return forms.Select(attrs={"class": "form-select form-select-sm"})


def checkbox(label: str) -> forms.BooleanField:
    """A check box with its label."""
    return forms.BooleanField(
        required=False, label=label, widget=forms.CheckboxInput(attrs={"class": "form-check-input"})
    )


def variant_field(key: str, code: str, value: Any) -> forms.Field:
    """The field of a capability's variant; ``value`` is the profile's."""
    if key == "scatters":
        return checkbox(gettext("Scatters, {percent}").format(percent=percent_text(VARIANT_PERCENTS[code])))
    if code in COUNT_LABELS:
        default, label = COUNT_LABELS[code]
        least = 1 if key == "turns" else default  # what is usual is the least that has a price
        field = WholeNumberField(required=False, minimum=least, maximum=MAX_COUNT, label=label)
        field.widget.attrs |= {"class": "form-control form-control-sm", "placeholder": default}
        return field
    choices: list[tuple[Any, str]]
    if key == "on":
        percent = percent_text(VARIANT_PERCENTS[code])
        choices = [("", gettext("always")), (4, gettext("on 4+, {percent}").format(percent=percent))]
    else:
        usual_form, other = FORMS[code]
        usual = translate(FORM_NAMES[usual_form][0])
        named = [(usual_form, gettext("{form} (set)").format(form=usual))] if value == usual_form else []
        choices = [("", usual), *named, (other, translate(FORM_NAMES[other][0]))]
    return forms.TypedChoiceField(
        required=False,
        choices=choices,
        coerce=int if key == "on" else str,
        empty_value=None,
        label=gettext("Works") if key == "on" else gettext("Form"),
        widget=small_select(),
    )


def custom_fields(index: int) -> dict[str, forms.Field]:
    """The fields of a custom ability. Its name is saved exactly as entered."""
    css, number = {"class": "form-control form-control-sm"}, index + 1
    return {
        f"custom-{index}": forms.CharField(
            required=False,
            max_length=120,
            strip=False,
            label=gettext("Name {number}").format(number=number),
            widget=forms.TextInput(attrs=css),
        ),
        f"percent-{index}": forms.FloatField(
            required=False,
            min_value=-MAX_INTEGER,
            max_value=MAX_INTEGER,
            error_messages=dict.fromkeys(("min_value", "max_value"), gettext("Enter a percentage such as −25 or 50.")),
            label=gettext("Percentage {number}").format(number=number),
            widget=forms.NumberInput(attrs={**css, "step": "any"}),
        ),
        f"separate-{index}": checkbox(gettext("Multiply instead of add")),
        f"custom-waived-{index}": checkbox(gettext("Waived")),
    }
