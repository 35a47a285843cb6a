"""The form of a battle's terms."""

from typing import Any

from django import forms

from rosters.forms.house_rules import option_fields
from rosters.registry import System


class BattleForm(forms.Form):
    """The terms of a battle: its name, its scenario, and every house rule of its system."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    scenario = forms.ChoiceField(required=False)

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        games = {slug: scenario.name for slug, scenario in system.rules.SCENARIOS.items()}
        self.fields["scenario"] = forms.ChoiceField(
            required=False, choices=[("", "As each roster says"), *games.items()]
        )
        if not games:
            del self.fields["scenario"]
        self.rules_fields = option_fields(system.rules.Options)
        self.fields |= self.rules_fields

    def settings(self) -> dict[str, Any]:
        """Name, scenario and house rules, these as a value."""
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in self.rules_fields if cleaned[name] is not None}
        options = self.system.rules.Options.model_validate(chosen)
        return {"name": cleaned["name"], "scenario": cleaned.get("scenario") or None, "options": options}
