"""Widgets that are drawn in Python."""

import pytest
from django import forms
from django.forms.boundfield import BoundWidget
from django.forms.renderers import TemplatesSetting
from django.test.html import parse_html

from rosters.forms.renderer import Renderer

CHOICES = [("", "–"), ("a&b", 'A "quoted" & <b>'), ("Group <1>", [(2, "Two"), (3, "Three")])]
ATTRS = {"id": "x<>", "required": True, "disabled": False, "title": '"&'}
INPUTS = (
    *(forms.TextInput, forms.Textarea, forms.NumberInput, forms.EmailInput, forms.URLInput, forms.HiddenInput),
    forms.CheckboxInput,
)
SELECTS = (forms.Select, forms.SelectMultiple, forms.RadioSelect, forms.CheckboxSelectMultiple)


@pytest.mark.parametrize("kind", [*INPUTS, *SELECTS])
@pytest.mark.parametrize("value", [None, "", 0, True, '"><script>', ["a&b", 2], 3])
def test_a_widget_is_drawn_as_by_the_templates_of_django(kind, value):
    widget = kind(ATTRS, CHOICES) if kind in SELECTS else kind(ATTRS)

    def drawn(renderer):
        yield widget.render("field", value, renderer=renderer)
        if kind in SELECTS[2:]:  # their options are drawn one by one, too
            options = [BoundWidget(widget, each, renderer) for each in widget.subwidgets("field", value)]
            yield from (option.tag(wrap_label) for option in options for wrap_label in (False, True))

    assert [*map(parse_html, drawn(Renderer()))] == [*map(parse_html, drawn(TemplatesSetting()))]
