"""Forms of what queries and buttons send on several pages."""

from collections.abc import Sized
from typing import Any

from django import forms
from django.core.exceptions import BadRequest, ValidationError
from django.http import QueryDict


def cleaned_query(form: forms.Form) -> dict[str, Any]:
    """The values of a form that is bound to a query. Raises BadRequest, which names each faulty parameter."""
    if not form.is_valid():
        raise BadRequest(" ".join(f"{name}: {error}" for name, errors in form.errors.items() for error in errors))
    return form.cleaned_data


def clean_line(text: str) -> str:
    """A line of text: single spaces, nothing invisible."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


class PageField(forms.IntegerField):
    """The number of a page in a query; 1 where it is missing or invalid."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False, min_value=1)

    def clean(self, value: Any) -> int:
        try:
            return super().clean(value) or 1
        except ValidationError:
            return 1


class PaginationForm(forms.Form):
    """The page of a list."""

    page = PageField()


class ResultForm(forms.Form):
    """The number of one of the results of a search, from 0."""

    def __init__(self, data: QueryDict, name: str, results: Sized) -> None:
        super().__init__(data)
        self.fields[name] = forms.IntegerField(min_value=0, max_value=len(results) - 1)


class OriginForm(forms.Form):
    """Where a form of the builder was opened: at which revision, and on which page of the roster."""

    opened_version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    page = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
