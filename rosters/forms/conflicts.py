"""The values of a form's fields as browsers submit them and in words, and the messages of conflicting changes."""

from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.choices import flatten_choices
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext

SHOWN = 300
"""The most characters of a value in a message."""


def submitted_values(form: forms.Form, name: str) -> list[str]:
    """The values that a browser sends for an unchanged field; none for an empty one."""
    value = form[name].value() if name in form.fields else None
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    if value is None or value is False or value == "":
        codes = [*_labels(form, name)] if isinstance(form.fields.get(name), forms.ChoiceField) else []
        return [] if "" in codes else codes[:1]  # browsers select the first choice
    return ["on"] if value is True else [str(value).replace("\r\n", "\n")]


def display_values(form: forms.Form, name: str, values: list[str]) -> str:
    """Values of a field as a message shows them: the labels of choices, “–” for nothing."""
    labels = _labels(form, name) if name in form.fields else {}
    return Truncator(", ".join(labels.get(each, each) for each in values if each) or "–").chars(SHOWN)


def _labels(form: forms.Form, name: str) -> dict[str, str]:
    """The labels of a field's choices by their codes."""
    choices = getattr(form.fields[name].widget, "choices", ())
    return {str(code): str(label) for code, label in cast(Any, flatten_choices)(choices)}


def take_theirs(data: QueryDict, name: str, stored: list[str]) -> None:
    """Replace the submitted value of a field by the ``stored`` one if that is what was chosen in `conflict_error`."""
    if data.get(f"take-{name}") == "theirs":
        data.setlist(name, stored)


def conflict_error(text: str, name: str, mine: list[str], theirs: list[str]) -> forms.ValidationError:
    """The error of a field that somebody else has changed, with the choice of a value, which the form sends along.

    Each button has its value for the script that puts it into the field.
    """
    choices = (
        ("mine", "".join(mine[:1]), SafeString(" checked"), gettext("Keep mine")),
        ("theirs", "".join(theirs[:1]), "", gettext("Take theirs")),
    )
    radio = '<input type="radio" name="take-{}" value="{}" data-value="{}"{}>'
    button = f'<label class="btn btn-sm btn-outline-secondary">{radio} {{}}</label>'
    buttons = format_html_join("", button, ((name, *choice) for choice in choices))
    html = format_html('{} <span class="conflict" role="group" data-field="{}">{}</span>', text, name, buttons)
    return forms.ValidationError(html, code="conflict")


def conflict_in(form: forms.Form) -> str:
    """The message at the top of a form with conflicts; "" without any."""
    if not any(error.code == "conflict" for errors in form.errors.as_data().values() for error in errors):
        return ""
    return gettext("This was changed elsewhere while you were typing. Choose a value at each marked field, then save.")
