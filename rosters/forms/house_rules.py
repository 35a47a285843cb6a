"""Form fields for the house rules of a system, from its Options."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django import forms
from django.utils.text import capfirst

from rosters.core.appraisals import option_label
from rosters.core.messages import translate
from rosters.core.values import Options


def option_fields(options: type[Options]) -> dict[str, forms.Field]:
    """A form field for each house rule that ``options`` declares, by its name."""
    return {name: _option_field(options, name, spec) for name, spec in _schema(options).items()}


@cache  # pydantic writes a schema in 0.9 ms, a sixth of the settings
def _schema(options: type[Options]) -> dict[str, Any]:
    properties: dict[str, Any] = options.model_json_schema().get("properties", {})
    return properties


def _option_field(options: type[Options], name: str, spec: dict[str, Any]) -> forms.Field:
    label, default = options.model_fields[name].title or name, spec.get("default")
    kind = next((part for part in spec.get("anyOf", [spec]) if part.get("type") != "null"), spec)
    low, high = kind.get("minimum"), kind.get("maximum")
    if kind.get("type") == "boolean":
        return forms.BooleanField(required=False, label=label, initial=default)

    def choices(values: Iterable[Any]) -> list[tuple[Any, str]]:
        return [(value, capfirst(translate(option_label(options, name, value)))) for value in values]

    if "enum" in kind:
        return forms.ChoiceField(label=label, choices=choices(kind["enum"]), initial=default)
    if low is not None and high is not None and high - low < 5:
        return forms.TypedChoiceField(label=label, choices=choices(range(low, high + 1)), coerce=int, initial=default)
    return forms.IntegerField(required=default is not None, label=label, min_value=low, max_value=high, initial=default)
