"""Form fields for the house rules of a system, from its Options."""

from typing import Any

from django import forms

from rosters.core.values import Options


def option_fields(options: type[Options]) -> dict[str, forms.Field]:
    """A form field for each house rule that ``options`` declares, by its name."""
    properties = options.model_json_schema().get("properties", {})
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
