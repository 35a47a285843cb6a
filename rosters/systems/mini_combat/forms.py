"""The form of an element: seven stats, a tick for each capability, what it denies, and capabilities of one's own."""

import builtins
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from crispy_forms.layout import HTML, Div, Fieldset, LayoutObject
from django import forms
from django.forms.boundfield import BoundField

from rosters.core.amounts import format_change, to_amount
from rosters.core.reference import Capability
from rosters.core.values import LIMIT
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.unknown_codes import UnknownCodesField
from rosters.systems.mini_combat.rules import CAPABILITIES, Modifier, Profile, abbreviation
from rosters.systems.mini_combat.tables import CHEAPER, COUNTS, FORMS, GAME_TURNS, KEYS, KIND_NOTES

AS_WRITTEN = "as-written"
"""The choice that keeps what a denial aims at, where the rulebook does not know it."""
DENY = "Den"
BLANK_ROWS = 2
STATS = ("movement", "to_hit", "range", "save", "power", "armor", "morale")
KINDS = ("infantry", "cavalry", "vehicle", "mecha", "creature", "ship", "aircraft", "structure", "other")
DICE: dict[int | None, str] = {number: f"{number}+" for number in range(1, 7)}
TARGETS: Mapping[str, Mapping[int | None, str]] = {
    "to_hit": {None: "No attack", 0: "Automatic", **DICE},
    "save": {None: "No save", **DICE},
    "morale": {None: "Fearless", **{number: words for number, words in DICE.items() if number != 1}, 7: "7+"},
}
"""What can be chosen for each target of a D6; any other number is offered to the profile that has it."""
VARIANTS = {code: (key, f"{key}-{code}") for key, codes in KEYS.items() if key != "denies" for code in codes}
"""The key that each capability's variant fills in, and the name of its field."""
COUNTED = {
    "T": (COUNTS["T"], "Elements carried"),
    "MW": (COUNTS["MW"], "Weapons in all"),
    "OS": (GAME_TURNS, "Turns of the game"),
}
"""What each number that belongs to a capability is usually, and its label."""
PER_COUNT = {"T": " each", "MW": " each extra"}


def number(label: str, help_text: str) -> forms.IntegerField:
    """A stat. Any number is taken: the appraisal tells what is out of range."""
    box = forms.NumberInput(attrs={"min": 0, "inputmode": "numeric"})
    return forms.IntegerField(
        required=False, min_value=-LIMIT, max_value=LIMIT, label=label, help_text=help_text, widget=box
    )


def target(label: str) -> forms.TypedChoiceField:
    """A stat that a D6 must reach, or none."""
    return forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label=label, help_text="on a D6")


class Box(NamedTuple):
    """A capability to tick, and what stands with it."""

    capability: Capability
    percent: str
    ticked: bool
    waived: bool
    variant: BoundField | None


class Written:
    """The capabilities of a profile, sorted by where the form shows them. ``keys`` has a key for each, in order."""

    def __init__(self, capabilities: Iterable[dict[str, Any]], known: Iterable[str]) -> None:
        self.known = {*known}
        self.ticks: dict[str, dict[str, Any]] = {}
        self.denials: dict[str, dict[str, Any]] = {}
        self.own: dict[str, dict[str, Any]] = {}
        self.others: dict[str, dict[str, Any]] = {}
        self.keys = [self._put(place, modifier) for place, modifier in enumerate(capabilities)]

    def _put(self, place: int, modifier: dict[str, Any]) -> str:
        code = modifier.get("code")
        if code == DENY and code in self.known:
            group, key = self.denials, f"denies-{len(self.denials)}"
        elif code in self.known - {*self.ticks}:
            group, key = self.ticks, str(code)
        elif "custom" in modifier and not {*modifier["custom"]} & {"\r", "\n"}:
            group, key = self.own, f"custom-{len(self.own)}"
        else:
            group, key = self.others, str(place)
        group[key] = modifier
        return key


class ElementForm(BaseForm):
    """The stats in the order of the rulebook, then the capabilities by what they are for."""

    reshaping = ("kind",)
    starting = {
        **{"kind": "infantry", "movement": 10, "to_hit": 4, "range": 15, "save": 6, "power": 2, "armor": 0},
        "morale": 4,
    }

    kind = forms.ChoiceField(choices=[(kind, kind.title()) for kind in KINDS])
    command = forms.BooleanField(required=False, label="Command element", help_text="Usually one in a unit.")
    movement = number("Movement", "cm a turn")
    to_hit = target("To hit")
    range = number("Range", "cm, 0 is melee")
    save = target("Save")
    power = number("Power", "of a hit")
    armor = number("Armor", "to beat")
    morale = target("Morale")
    capabilities = forms.MultipleChoiceField(required=False)
    waived = forms.MultipleChoiceField(required=False)

    # ------------------------------------------------------------ what the form shows

    def shape(self) -> None:
        for name, words in TARGETS.items():
            self._offer(name, with_odd(words, self.profile_before.get(name)))
        self.fields["kind"].help_text = " ".join(KIND_NOTES.get(self.chosen("kind"), ("Only a word for the card.",)))
        for name in ("capabilities", "waived"):
            self._offer(name, ((code, row.name) for code, row in self.rows.items()))
        for code, (key, name) in VARIANTS.items():
            self.fields[name] = variant_field(key, code, self.initial.get(name))
        for place in self.denial_places:
            self.fields[f"denies-{place}"] = forms.ChoiceField(
                required=False, label=f"Denies, {place + 1}", widget=small_select()
            )
            self._offer(f"denies-{place}", self._denied(self.written.denials.get(f"denies-{place}")))
            self.fields[f"denies-waived-{place}"] = tick(f"Waive denial {place + 1}")
        for place in self.own_places:
            self.fields |= own_fields(place)
        if self.written.others:
            labels = {key: self._odd(Modifier(**modifier)) for key, modifier in self.written.others.items()}
            self.fields["as_written"] = UnknownCodesField(labels)

    def _offer(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = [*choices]

    def _denied(self, denial: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
        """What a denial may aim at; denying Deny, or nothing that is known, only where it is so written."""
        yield "", "Nothing"
        denied = (denial or {}).get("denies")
        if denial is not None and denied not in self.rows:
            yield AS_WRITTEN, "Not chosen yet" if denied is None else f"As written: “{denied}”"
        for code, row in self.rows.items():
            if code != DENY:
                yield code, f"{row.name} ({code}) {format_change(abs(row.percent))} %"
            elif denied == DENY:
                yield code, f"{row.name} ({code})"

    def _odd(self, modifier: Modifier) -> str:
        """What is the matter with a capability that has no place of its own."""
        marks = "".join(f", {mark}" for mark in ("separate", "waived") if getattr(modifier, mark))
        if modifier.custom is not None:
            return f"“{modifier.custom}” {format_change(to_amount(modifier.percent or 0))} %{marks}"
        if row := self.rows.get(modifier.code or ""):
            return f"{row.name} ({abbreviation(modifier)}){marks}: once more"
        return f"“{modifier.code}”{marks}: not a capability"

    def sections(self) -> list[LayoutObject]:
        return [
            Fieldset(
                "Stats", Div("kind", "command", css_class="pairs"), Div(*STATS, css_class="stats"), css_class="group"
            ),
            HTML('{% include "systems/mini_combat/capabilities.html" %}'),
            *([Fieldset(None, "as_written", css_class="group")] if self.written.others else []),
        ]

    def groups(self) -> list[tuple[str, list[Box]]]:
        """The capabilities to tick, by what they are for; for the template."""
        found: dict[str, list[Box]] = {}
        ticked, waived = (self[name].value() or () for name in ("capabilities", "waived"))
        for code, row in self.rows.items():
            if code != DENY:
                variant = self[VARIANTS[code][1]] if code in VARIANTS else None
                percent = f"{format_change(row.percent)} %{PER_COUNT.get(code, '')}"
                found.setdefault(row.purpose, []).append(Box(row, percent, code in ticked, code in waived, variant))
        return [*found.items()]

    def denial_rows(self) -> list[list[BoundField]]:
        """The fields of each denial: what it aims at, and whether it is waived."""
        return [[self[f"denies-{place}"], self[f"denies-waived-{place}"]] for place in self.denial_places]

    def own_rows(self) -> list[list[BoundField]]:
        """The fields of each capability of one's own: name, percentage, and two ticks."""
        names = ("custom", "percent", "separate", "custom-waived")
        return [[self[f"{name}-{place}"] for name in names] for place in self.own_places]

    @property
    def denial_text(self) -> str:
        return self.rows[DENY].text

    # ------------------------------------------------------------ from and to a profile

    @property
    def rows(self) -> Mapping[str, Capability]:
        return CAPABILITIES

    @cached_property
    def written(self) -> Written:
        return Written(self.profile_before.get("capabilities", []), self.rows)

    @property
    def denial_places(self) -> Iterable[int]:
        return builtins.range(len(self.written.denials) + BLANK_ROWS)

    @property
    def own_places(self) -> Iterable[int]:
        return builtins.range(len(self.written.own) + BLANK_ROWS)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        written = self.written
        shown = {name: profile.get(name, Profile.model_fields[name].default) for name in (*STATS, "kind", "command")}
        shown |= {name: written.ticks.get(code, {}).get(key) for code, (key, name) in VARIANTS.items()}
        shown |= {"capabilities": [*written.ticks], "waived": [c for c, m in written.ticks.items() if m.get("waived")]}
        for place, denial in enumerate(written.denials.values()):
            denied = denial.get("denies")
            shown[f"denies-{place}"] = denied if denied in self.rows else AS_WRITTEN
            shown[f"denies-waived-{place}"] = denial.get("waived")
        for place, own in enumerate(written.own.values()):
            shown |= {f"{key}-{place}": own.get(key) for key in ("custom", "percent", "separate")}
            shown[f"custom-waived-{place}"] = own.get("waived")
        return shown

    def clean(self) -> dict[str, Any]:
        for place in self.own_places:
            name = f"percent-{place}"
            if self.cleaned_data.get(f"custom-{place}") and self.cleaned_data.get(name, 0) is None:
                self.add_error(name, "Give its percentage, or clear the name too.")
        return super().clean()

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        stats = {name: cleaned[name] for name in STATS if cleaned[name] is not None}
        said = dict(self._said(cleaned))
        stays = [said.pop(key) for key in self.written.keys if key in said]
        both = {name: cleaned[name] for name in ("kind", "command")}
        return {**both, **stats, "capabilities": [*stays, *said.values()]}

    def _said(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every capability that the fields say, with its key."""
        for code in (code for code in self.rows if code in cleaned["capabilities"]):
            key, name = VARIANTS.get(code, ("", ""))
            yield code, {"code": code, **some({key: cleaned.get(name), "waived": code in cleaned["waived"]})}
        for place in self.denial_places:
            if cleaned[f"denies-{place}"]:
                yield f"denies-{place}", self._denial(place, cleaned)
        for place in self.own_places:
            if cleaned[f"percent-{place}"] is not None:
                yield f"custom-{place}", own_capability(place, cleaned)
        for key in cleaned.get("as_written", ()):
            yield key, self.written.others[key]

    def _denial(self, place: int, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        name = f"denies-{place}"
        denied = cleaned[name] if cleaned[name] != AS_WRITTEN else self.written.denials[name].get("denies")
        return {"code": DENY, **some({"denies": denied, "waived": cleaned[f"denies-waived-{place}"]})}


def own_capability(place: int, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    marks = {"separate": cleaned[f"separate-{place}"], "waived": cleaned[f"custom-waived-{place}"]}
    return {"custom": cleaned[f"custom-{place}"], "percent": cleaned[f"percent-{place}"], **some(marks)}


def some(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Those keys of a capability that are set. A number may be 0, and a denied code is text as it stands."""
    return {key: value for key, value in keys.items() if value is not None and value is not False}


def with_odd(words: Mapping[int | None, str], value: int | None) -> Iterator[tuple[int | str, str]]:
    """The choices of a target, and the profile's own value where it is none of them."""
    yield from (("" if target is None else target, text) for target, text in words.items())
    if value is not None and value not in words:
        yield value, f"{value}, as written"


def small_select() -> forms.Select:
    return forms.Select(attrs={"class": "form-select form-select-sm"})


def tick(label: str) -> forms.BooleanField:
    box = forms.CheckboxInput(attrs={"class": "form-check-input"})
    return forms.BooleanField(required=False, label=label, widget=box)


def variant_field(key: str, code: str, written: Any) -> forms.Field:
    """The field that fills in the key of a capability's variant."""
    if key == "scatters":
        return tick(f"Scatters, {format_change(CHEAPER[code])} %")
    if key in ("on", "form"):
        chosen = on_choices(code) if key == "on" else form_choices(code, written)
        coerce = int if key == "on" else str
        return forms.TypedChoiceField(
            required=False,
            choices=chosen,
            coerce=coerce,
            empty_value=None,
            label="Works" if key == "on" else "Form",
            widget=small_select(),
        )
    usual, label = COUNTED[code]
    box = forms.NumberInput(attrs={"class": "form-control form-control-sm", "placeholder": usual})
    least = 1 if key == "turns" else -LIMIT
    return forms.IntegerField(required=False, min_value=least, max_value=LIMIT, label=label, widget=box)


def on_choices(code: str) -> list[tuple[Any, str]]:
    return [("", "always"), (4, f"on a 4+, {format_change(CHEAPER[code])} %")]


def form_choices(code: str, written: str | None) -> list[tuple[Any, str]]:
    """The two forms. The usual one needs no name; it keeps the one that it has."""
    usual, other = FORMS[code]
    named = [(usual, f"{usual.title()}, as named")] if written == usual else []
    return [("", usual.title()), *named, (other, other.title())]


def own_fields(place: int) -> dict[str, forms.Field]:
    """The fields of a capability of one's own. Its name is kept as it is typed."""
    css = {"class": "form-control form-control-sm"}
    return {
        f"custom-{place}": forms.CharField(
            required=False, max_length=120, strip=False, label=f"Name, {place + 1}", widget=forms.TextInput(attrs=css)
        ),
        f"percent-{place}": forms.FloatField(
            required=False,
            min_value=-LIMIT,
            max_value=LIMIT,
            label=f"Percent, {place + 1}",
            widget=forms.NumberInput(attrs={**css, "step": "any"}),
        ),
        f"separate-{place}": tick("Multiplies separately"),
        f"custom-waived-{place}": tick("Waive"),
    }
