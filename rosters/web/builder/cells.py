"""The fields that the roster's table edits: once in the page, for its script."""

from typing import Any, cast

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import gettext

from rosters.core.cache import cached
from rosters.core.grid import MORE_OPTIONS, OPTIONS, GridColumn
from rosters.core.messages import translate
from rosters.core.rulebook import Terms
from rosters.forms.element_form import ElementForm
from rosters.registry import SYSTEMS, System


def cell_fields(slug: str) -> list[str]:
    """The fields of an element's form that the table edits, in the order of its columns."""
    columns = (column.field for column in SYSTEMS[slug].grid.COLUMNS)
    return ["name", "quantity", *(field for field in columns if field not in ("", OPTIONS))]


@cached(1 << 20)  # a fifth of the builder
def field_templates(slug: str, language: str | None) -> tuple[tuple[str, str, str], ...]:
    """Name, label and HTML of the fields that are edited for a cell or a selection: once in the page, for a script."""
    system = SYSTEMS[slug]
    form = system.forms.ElementForm(rules=system.rules, terms=Terms(system.rules.Options(), None, None))
    names = dict.fromkeys((*cell_fields(slug), *system.grid.SHARED_FIELDS))
    more = [_more_options(system)] if names.pop(MORE_OPTIONS, "") is None else []
    label = translate(_options_column(system).title)
    attrs = {"aria-label": label, "class": "form-control words", "autocapitalize": "off", "spellcheck": "false"}
    options = forms.TextInput(attrs).render(OPTIONS, "")
    fields = ((name, _label(form, name), _widget(slug, form, name)) for name in names)
    return (*fields, (OPTIONS, label, options), *more)


def _options_column(system: System) -> GridColumn:
    return next(column for column in system.grid.COLUMNS if column.field == OPTIONS)


def _more_options(system: System) -> tuple[str, str, str]:
    label = gettext("Add: %(options)s") % {"options": translate(_options_column(system).heading)}
    words = [(word.main_spelling, translate(word.label)) for word in system.grammar.option_words]
    select = forms.Select({"aria-label": label, "class": "form-select"}, words)
    return MORE_OPTIONS, label, select.render(MORE_OPTIONS, None)


def _label(form: ElementForm, name: str) -> str:
    return str(translate(cast(str, form.fields[name].label or name)))


def _widget(slug: str, form: ElementForm, name: str) -> str:
    field, labels, label = form.fields[name], SYSTEMS[slug].rules.LABELS, _label(form, name)
    if not isinstance(field, forms.ChoiceField):
        kind = "form-select" if isinstance(field.widget, forms.Select) else "form-control"
        return str(field.widget.render(name, "", {"aria-label": label, "class": kind}))
    # Prices beside the choices of a form are those of its kind of element: a cell may be another's.
    choices = [
        (code, translate(labels.get(f"{name}-{code}", choice)))
        for code, choice in cast(Any, flatten_choices)(field.choices)
    ]
    return forms.Select({"aria-label": label, "class": "form-select"}, choices).render(name, None)
