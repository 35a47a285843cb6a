"""The forms of a roster: its start, its settings, and those of a formation."""

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms

from rosters.forms.house_rules import option_fields
from rosters.registry import System


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
        self.rules_fields = option_fields(system.rules.Options)
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


class FormationForm(forms.Form):
    """Name and notes of a formation."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    notes = forms.CharField(required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
