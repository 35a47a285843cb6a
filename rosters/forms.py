"""Forms that every system shares: the base of element forms, and the forms of a roster itself."""

from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, LayoutObject
from django import forms
from pydantic import ValidationError

from rosters.documents import MESSAGES, Element, write_element
from rosters.registry import System
from rosters.rulekit import Terms


def messages_of(error: ValidationError) -> list[tuple[str, str]]:
    """Each fault of a refused value, as (first key of its path, sentence)."""
    faults = []
    for line in error.errors(include_url=False):
        text = MESSAGES.get(line["type"], line["msg"].replace("{", "{{").replace("}", "}}")).format(
            **line.get("ctx", {})
        )
        faults.append((str(line["loc"][0]) if line["loc"] else "", text))
    return faults


COMMON = ("name", "quantity", "notes", "secret")
"""The fields of every element's form; all others are of its profile."""


class ElementForm(forms.Form):
    """The form of one element. A system's own form adds its fields, its sections, and what they mean.

    A subclass declares fields named as the profile's, overrides `sections`, and, where a field is not simply
    a key of the profile, `initial_of` and `profile_data`. Fields named in `reshaping` redraw the form when they change.
    """

    reshaping: ClassVar[tuple[str, ...]] = ()
    starting: ClassVar[dict[str, Any]] = {}
    """The profile that a new element begins with, as document data."""

    name = forms.CharField(max_length=120, strip=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    quantity = forms.IntegerField(min_value=0, max_value=10_000, initial=1)
    notes = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 2}))
    secret = forms.BooleanField(required=False, help_text="Others do not see it until you untick this.")

    def __init__(
        self,
        data: Any = None,
        *,
        system: System,
        terms: Terms[Any],
        element: Element | None = None,
        draft: bool = False,
    ) -> None:
        """``element`` is the one to edit, None for a new one; a ``draft`` may lack its name."""
        self.system, self.terms, self.before = system, terms, element
        self.element: Element | None = None
        self.profile_before = self._profile_before()
        super().__init__(data, initial=self._initial())
        self.fields["name"].required = not draft and (element is None or element.name != "")
        self.shape()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = self._layout()

    # what a system overrides

    def sections(self) -> list[LayoutObject]:
        """The layout between the name and the notes."""
        return [Field(name) for name in self.fields if name not in COMMON]

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        """What the fields show for a profile, given as document data."""
        return profile

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The profile, as document data, that the fields say. None and "" mean: not set."""
        return {name: value for name, value in cleaned.items() if name not in COMMON and value not in (None, "")}

    def kept_keys(self) -> tuple[str, ...]:
        """What an element keeps that no field shows."""
        return ("id", "marks")

    def shape(self) -> None:
        """Add, drop or relabel fields, once it is known what the element is."""

    # what they share

    def shown_element(self) -> Element:
        """The element that the form shows: what was sent (once valid), else what it began with."""
        if self.element is not None:
            return self.element
        return self.before or self.system.rules.Element.model_validate({"name": "New", **self.starting})

    def chosen(self, name: str) -> Any:
        """What a field says now: what was sent, else what it began with. For `shape`."""
        if self.is_bound and self.add_prefix(name) in self.data:
            return self.data[self.add_prefix(name)]
        return self.initial.get(name)

    def _profile_before(self) -> dict[str, Any]:
        if self.before is None:
            return dict(self.starting)
        data = write_element(self.before)
        return {key: value for key, value in data.items() if key not in Element.model_fields}

    def _initial(self) -> dict[str, Any]:
        known: dict[str, Any] = {"quantity": 1}
        if self.before is not None:
            known = {name: getattr(self.before, name) for name in COMMON}
        return {**known, **self.initial_of(self.profile_before)}

    def _layout(self) -> Layout:
        for name in self.reshaping:
            self.fields[name].widget.attrs["data-reshapes"] = "true"
        head = Div(Div("name", css_class="name"), Div("quantity", css_class="quantity"), css_class="who")
        return Layout(head, *self.sections(), Div("notes", "secret", css_class="remarks"))

    def clean_notes(self) -> str:
        """Browsers send line ends as pairs; the document has plain ones."""
        notes: str = self.cleaned_data["notes"].replace("\r\n", "\n")
        return notes

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self._make(cleaned)
        return cleaned

    def _make(self, cleaned: dict[str, Any]) -> None:
        kept = write_element(self.before) if self.before else {}
        data: dict[str, Any] = {key: kept[key] for key in self.kept_keys() if key in kept}
        data |= {name: cleaned[name] for name in COMMON}
        if "marks" in data:
            data["marks"] = data["marks"][: cleaned["quantity"]]
        data |= self.profile_data(cleaned)
        try:
            self.element = self.system.rules.Element.model_validate(data)
        except ValidationError as error:
            for field, message in messages_of(error):
                self.add_error(field if field in self.fields else None, message)


# ---------------------------------------------------------------- the roster itself


def _choices(names: dict[str, str], nothing: str) -> list[tuple[str, str]]:
    return [("", nothing), *names.items()]


class RosterForm(forms.Form):
    """Name, budget, scenario, side and notes of a roster, and every house rule of its system."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    budget = forms.FloatField(required=False, min_value=0, max_value=1_000_000, label="Budget in points")
    scenario = forms.ChoiceField(required=False)
    side = forms.ChoiceField(required=False)
    notes = forms.CharField(required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        self._fit_scenarios()
        if not system.rules.WORDS.points:
            del self.fields["budget"]
        self.rules_fields = option_fields(system)
        self.fields |= self.rules_fields
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(*(name for name in self.fields if name not in self.rules_fields))

    def _fit_scenarios(self) -> None:
        scenarios = self.system.rules.SCENARIOS
        if not scenarios:
            del self.fields["scenario"], self.fields["side"]
            return
        games = _choices({slug: s.name for slug, s in scenarios.items()}, "None chosen")
        self.fields["scenario"] = forms.ChoiceField(required=False, choices=games)
        sides = {slug: name for scenario in scenarios.values() for slug, name in scenario.sides.items()}
        self.fields["side"] = forms.ChoiceField(required=False, choices=_choices(sides, "None"))
        if not sides:
            del self.fields["side"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        scenario, side = cleaned.get("scenario"), cleaned.get("side")
        sides = self.system.rules.SCENARIOS[scenario].sides if scenario else {}
        if side and side not in sides:
            allowed = " or ".join(sides.values()) or "no sides"
            self.add_error("side", f"This scenario has {allowed}.")
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The root fields of the document that the form says, its options as a value."""
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in self.rules_fields if cleaned[name] is not None}
        budget = cleaned.get("budget")
        return {
            "name": cleaned["name"],
            "notes": cleaned["notes"],
            "budget": int(budget) if budget is not None and budget == int(budget) else budget,
            "scenario": cleaned.get("scenario") or None,
            "side": cleaned.get("side") or None,
            "options": self.system.rules.Options.model_validate(chosen),
        }


def option_fields(system: System) -> dict[str, forms.Field]:
    """A form field for each house rule, made from the system's Options."""
    properties = system.rules.Options.model_json_schema().get("properties", {})
    return {name: _option_field(spec) for name, spec in properties.items()}


def _option_field(spec: dict[str, Any]) -> forms.Field:
    label, default, words = spec["title"], spec.get("default"), spec.get("words", {})
    kind = next((part for part in spec.get("anyOf", [spec]) if part.get("type") != "null"), spec)
    if kind.get("type") == "boolean":
        return forms.BooleanField(required=False, label=label, initial=default)
    if "enum" in kind:
        named = [(value, words.get(value, value)) for value in kind["enum"]]
        return forms.ChoiceField(
            label=label, choices=[(v, text[:1].upper() + text[1:]) for v, text in named], initial=default
        )
    low, high = kind.get("minimum"), kind.get("maximum")
    if low is not None and high is not None and high - low < 5:
        choices = [(number, words.get(str(number), str(number))) for number in range(low, high + 1)]
        return forms.TypedChoiceField(label=label, choices=choices, coerce=int, initial=default)
    return forms.IntegerField(required=default is not None, label=label, min_value=low, max_value=high, initial=default)


class StartForm(forms.Form):
    """The start of a roster: name, size, scenario and side."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    size = forms.ChoiceField(required=False)
    budget = forms.FloatField(required=False, min_value=0, max_value=1_000_000, label="Or a budget of your own")

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        rules = system.rules
        self.fields["name"].initial = f"My {system.name} roster"
        sizes = [(str(number), size.label) for number, size in enumerate(rules.SIZES)]
        self.fields["size"] = forms.ChoiceField(widget=forms.RadioSelect, required=False, choices=sizes, initial="0")
        if not rules.WORDS.points:
            del self.fields["size"], self.fields["budget"]
        if rules.SCENARIOS:
            self._add_scenarios()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    def _add_scenarios(self) -> None:
        groups = [("", "By the size, or decide later")]
        for slug, scenario in self.system.rules.SCENARIOS.items():
            groups += [(slug, scenario.name)]
            groups += [(f"{slug}/{side}", f"{scenario.name}: {name}") for side, name in scenario.sides.items()]
        self.fields["scenario"] = forms.ChoiceField(required=False, choices=groups, label="Scenario and side")

    def settings(self) -> dict[str, Any]:
        """Name, budget, scenario and side of the roster to start, as document data."""
        cleaned = self.cleaned_data
        size = self.system.rules.SIZES[int(cleaned["size"])] if cleaned.get("size") else None
        budget = cleaned.get("budget")
        if budget is None and size:
            budget = size.budget
        scenario, _, side = (cleaned.get("scenario") or (size and size.scenario) or "").partition("/")
        return {"name": cleaned["name"], "budget": budget, "scenario": scenario or None, "side": side or None}


class BattleForm(forms.Form):
    """The terms of a battle: its name, its scenario, and every house rule of its system."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    scenario = forms.ChoiceField(required=False)

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        games = {slug: scenario.name for slug, scenario in system.rules.SCENARIOS.items()}
        self.fields["scenario"] = forms.ChoiceField(required=False, choices=_choices(games, "As each roster says"))
        if not games:
            del self.fields["scenario"]
        self.rules_fields = option_fields(system)
        self.fields |= self.rules_fields

    def settings(self) -> dict[str, Any]:
        """Name, scenario and house rules, these as a value."""
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in self.rules_fields if cleaned[name] is not None}
        options = self.system.rules.Options.model_validate(chosen)
        return {"name": cleaned["name"], "scenario": cleaned.get("scenario") or None, "options": options}


class FormationForm(forms.Form):
    """Name and notes of a formation."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    notes = forms.CharField(required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
