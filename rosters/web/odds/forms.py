"""The form of the conditions of a duel, from a game's `Conditions`."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from rosters.balance.words import MEASURES
from rosters.core.messages import translate
from rosters.core.odds import Conditions
from rosters.models.roster import MAX_ODDS_COLUMN
from rosters.registry import System
from rosters.web.http.queries import PageField

NUMBER, SELECT = {"class": "form-control"}, {"class": "form-select"}
SIDE_PREFIXES = ("a_", "b_")


def measure_of(query: QueryDict) -> str:
    """What a query asks a matrix to show."""
    measure = query.get("measure", "")
    return measure if measure in MEASURES else next(iter(MEASURES))


class MatrixQuery(forms.Form):
    """What a matrix shows: rosters of a battle by their numbers, pages of their elements, or one element by its id."""

    id = forms.CharField(required=False)
    x = PageField()
    y = PageField()
    rows = PageField()
    columns = PageField()


class RollForm(forms.Form):
    """A roll: how many dice of which size, and what the best of them must show."""

    target = forms.IntegerField(min_value=1, max_value=12)
    die = forms.TypedChoiceField(choices=[(die, die) for die in (6, 8, 10, 12)], coerce=int)
    dice = forms.TypedChoiceField(choices=[(1, 1), (2, 2)], coerce=int)


class ColumnForm(forms.Form):
    """The query of a matrix whose means the builder shows in a column; none without a query."""

    query = forms.CharField(required=False, max_length=MAX_ODDS_COLUMN)


class ConditionsForm(forms.Form):
    """The conditions of a duel in a query; what is left empty or cannot be read has its default.

    It is shown with all that is in force, and so never with an error.
    """

    def __init__(self, data: QueryDict, system: System, *, sides: bool = True) -> None:
        super().__init__(data)
        self.system, self.use_required_attribute = system, False
        schema = system.odds.Conditions.model_json_schema()["properties"]
        for name, described in schema.items():
            if sides or name[:2] not in SIDE_PREFIXES:
                self.fields[name] = _field(system, name, described)
        self.full_clean()
        given = {name: value for name, value in self.cleaned_data.items() if value not in ("", None, [])}
        self.conditions: Conditions = system.odds.Conditions.model_validate(given)
        self.initial = _as_text(self.conditions.model_dump(mode="json"))
        self.is_bound = False

    def _of(self, *prefixes: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if (name[:2] if name[:2] in SIDE_PREFIXES else "") in prefixes]

    @property
    def common(self) -> list[forms.BoundField]:
        """The fields of the duel as a whole."""
        return self._of("")

    @property
    def of_sides(self) -> list[list[forms.BoundField]]:
        """The fields of A and those of B."""
        return [self._of("a_"), self._of("b_")]

    def query(self) -> dict[str, Any]:
        """The conditions that are not the defaults, as values of a query."""
        return _as_text(self.conditions.model_dump(mode="json", exclude_defaults=True))


def _as_text(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of conditions as those of form fields: yes and no are "true" and "false"."""
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items()}


def _field(system: System, name: str, described: Mapping[str, Any]) -> forms.Field:
    """The form field of a condition, as the JSON Schema of the game's `Conditions` has it ``described``."""
    label = translate(system.odds.LABELS[name[2:] if name[:2] in SIDE_PREFIXES else name])
    default = described.get("default")
    options = [each for each in described.get("anyOf", [described]) if each.get("type") != "null"]
    kind = options[0] if options else described
    common: dict[str, Any] = {"label": label, "required": False}
    if values := kind.get("enum"):
        return forms.TypedChoiceField(
            **common, choices=[*_choices(system, values, default)], widget=forms.Select(SELECT)
        )
    if kind.get("type") == "boolean":
        choices = [("", gettext_lazy("by the rules"))] if default is None else []
        choices += [("true", gettext_lazy("yes")), ("false", gettext_lazy("no"))]
        return forms.TypedChoiceField(
            **common,
            choices=choices,
            coerce=lambda value: value == "true",
            empty_value=None,
            widget=forms.Select(SELECT),
        )
    if kind.get("type") == "array":
        values = kind["items"]["enum"]
        return forms.MultipleChoiceField(
            **common, choices=[*_choices(system, values, "")], widget=forms.CheckboxSelectMultiple
        )
    limits: dict[str, Any] = {"min_value": kind.get("minimum"), "max_value": kind.get("maximum")}
    return forms.IntegerField(**common, **limits, widget=forms.NumberInput(NUMBER))


def _choices(system: System, values: list[str], default: Any) -> Iterator[tuple[str, Any]]:
    if default is None:
        yield "", gettext_lazy("usual")
    for value in values:
        yield value, translate(system.odds.VALUES.get(value, value))
