"""Common widgets, and fields with their labels, in Python: Django's templates for a widget include up to four others,
and a form has hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms import BoundField, CheckboxInput, Select
from django.forms.renderers import TemplatesSetting
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

Widget = Mapping[str, Any]
"""The context variable ``widget`` that Django passes to a widget's template."""


def _input(widget: Widget) -> str:
    value = "" if widget["value"] is None else f' value="{conditional_escape(str(widget["value"]))}"'
    return f'<input type="{widget["type"]}" name="{conditional_escape(widget["name"])}"{value}{_attrs(widget)}>'


def _option(widget: Widget) -> str:
    """A radio button, or one of several check boxes; inside its label unless the template renders that."""
    if not widget["wrap_label"]:
        return _input(widget)
    uid = widget["attrs"].get("id")
    target = f' for="{conditional_escape(uid)}"' if uid else ""
    return f"<label{target}>{_input(widget)} {conditional_escape(widget['label'])}</label>"


def _textarea(widget: Widget) -> str:
    text = conditional_escape(widget["value"] or "")
    return f'<textarea name="{conditional_escape(widget["name"])}"{_attrs(widget)}>\n{text}</textarea>'


def _select(widget: Widget) -> str:
    groups = "".join(_group(name, options) for name, options, _index in widget["optgroups"])
    return f'<select name="{conditional_escape(widget["name"])}"{_attrs(widget)}>{groups}</select>'


def _group(name: str | None, options: list[Widget]) -> str:
    escaped = (
        (conditional_escape(str(each["value"])), _attrs(each), conditional_escape(each["label"])) for each in options
    )
    rendered = "".join(f'<option value="{value}"{attrs}>{label}</option>' for value, attrs, label in escaped)
    return f'<optgroup label="{conditional_escape(name)}">{rendered}</optgroup>' if name else rendered


def _attrs(widget: Widget) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{conditional_escape(str(value))}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )


INPUTS = ("checkbox", "email", "hidden", "input", "number", "password", "text", "url")
RENDERERS: dict[str, Callable[[Widget], str]] = {
    **{f"django/forms/widgets/{name}.html": _input for name in INPUTS},
    **{f"django/forms/widgets/{name}_option.html": _option for name in ("checkbox", "radio")},
    "django/forms/widgets/select.html": _select,
    "django/forms/widgets/textarea.html": _textarea,
}


def _field(field: BoundField) -> SafeString:
    """A field with its label, its errors and its help text, with the classes of forms.css."""
    widget, errors, is_checkbox = field.field.widget, field.errors, isinstance(field.field.widget, CheckboxInput)
    kind = "form-check-input" if is_checkbox else "form-select" if isinstance(widget, Select) else "form-control"
    classes = (widget.attrs.get("class"), kind, "is-invalid" if errors else "")
    control = field.as_widget(attrs={"class": " ".join(dict.fromkeys(filter(None, classes)))})
    label = format_html(
        '<label for="{}" class="{}">{}</label>',
        field.id_for_label,
        "form-check-label" if is_checkbox else "form-label",
        field.label,
    )
    below = SafeString("")
    if errors:
        texts = format_html_join("", "<p>{}</p>", ((error,) for error in errors))
        below = format_html('<div id="{}_error" class="invalid-feedback">{}</div>', field.auto_id, texts)
    if field.help_text:
        below += format_html('<div id="{}_helptext" class="form-text">{}</div>', field.auto_id, field.help_text)
    return format_html(
        '<div id="div_{}" class="{}">{}\n{}\n{}</div>\n',
        field.auto_id,
        "form-field form-check" if is_checkbox else "form-field",
        *((control, label) if is_checkbox else (label, control)),
        below,
    )


class Renderer(TemplatesSetting):
    """Renders common widgets as Django's templates would, fields with their labels, and the rest with templates."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> SafeString:
        if template_name == self.field_template_name:
            field = context["field"]
            if field.is_hidden:
                return SafeString(field)
            if not field.use_fieldset:
                return _field(field)
            template_name, context = "armybuilder/layout/choices.html", {"field": field, "form_show_errors": True}
        draw = RENDERERS.get(template_name)
        if draw is None:
            return mark_safe(super().render(template_name, context, request))
        return mark_safe(draw(context["widget"]))
