"""The values of a form's fields as browsers submit them and in words, and the messages of conflicting changes."""

from typing import Any, cast

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import gettext


def submitted_values(form: forms.Form, name: str) -> list[str]:
    """The values that a browser sends for an unchanged field; none for an empty one."""
    value = form[name].value() if name in form.fields else None
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    if value is None or value is False or value == "":
        codes = [*_labels(form, name)] if isinstance(form.fields.get(name), forms.ChoiceField) else []
        return [] if "" in codes else codes[:1]  # browsers select the first choice
    return ["on"] if value is True else [str(value).replace("\r\n", "\n")]


def in_words(form: forms.Form, name: str, values: list[str]) -> str:
    """Values of a field as they are shown: the labels of choices, “–” for nothing."""
    labels = _labels(form, name) if name in form.fields else {}
    return ", ".join(labels.get(each, each) for each in values if each) or "–"


def _labels(form: forms.Form, name: str) -> dict[str, str]:
    """The labels of a field's choices by their codes."""
    choices = getattr(form.fields[name].widget, "choices", ())
    return {str(code): str(label) for code, label in cast(Any, flatten_choices)(choices)}


def changed_elsewhere(form: forms.Form, name: str, now: str, typed: str) -> str:
    """The error of a single field that somebody else has changed to ``now``."""
    values = {"now": in_words(form, name, [now]), "typed": in_words(form, name, [typed])}
    return gettext("Changed elsewhere to %(now)s; you typed %(typed)s. Save again to use yours.") % values


def conflict_in(form: forms.Form) -> str:
    """The message at the top of a form with conflicts; "" without any."""
    if not any(error.code == "conflict" for errors in form.errors.as_data().values() for error in errors):
        return ""
    return gettext("This was changed elsewhere while you were typing. Check the marked fields, then save again.")
