"""Rosters that are selected in a list."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from rosters.web.http.queries import clean_line

MAX_SELECTED = 100
"""Rosters that are changed at once, in one transaction: a page lists 50."""


def tokens_in(values: list[str] | None, max_count: int = MAX_SELECTED) -> list[str]:
    """The tokens that a field was sent with: one in each value or, by a button of a message, several."""
    return clean_line(" ".join(values or [])).split()[:max_count]


class SelectedRostersField(forms.Field):
    """Up to ``max_count`` rosters by their tokens. Tokens of rosters outside ``rosters`` count as not sent."""

    max_count = MAX_SELECTED
    widget = forms.MultipleHiddenInput
    default_error_messages = {"required": _("Select the rosters first.")}
    rosters: QuerySet[Any]

    def clean(self, value: Any) -> list[Any]:
        tokens = tokens_in(value, self.max_count)
        rosters = [*self.rosters.filter(token__in=tokens)] if tokens else []
        if self.required and not rosters:
            raise ValidationError(self.error_messages["required"], "required")
        return rosters


class SelectedRostersForm(forms.Form):
    """The selected rosters among ``rosters``."""

    pick = SelectedRostersField()

    def __init__(self, rosters: QuerySet[Any], data: Any = None, *, required: bool = True) -> None:
        super().__init__(data)
        self.fields["pick"].rosters = rosters  # type: ignore[attr-defined]
        self.fields["pick"].required = required

    @property
    def selected_tokens(self) -> set[str]:
        """The tokens that were sent, so that they stay selected beside an error."""
        return set(" ".join(self["pick"].value() or []).split())
