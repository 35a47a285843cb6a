"""Common widgets in Python: Django's templates for them include up to four others each, and a form has hundreds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import TemplatesSetting
from django.utils.html import conditional_escape
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
DRAWN: dict[str, Callable[[Widget], str]] = {
    **{f"django/forms/widgets/{name}.html": _input for name in INPUTS},
    **{f"django/forms/widgets/{name}_option.html": _option for name in ("checkbox", "radio")},
    "django/forms/widgets/select.html": _select,
}


class Renderer(TemplatesSetting):
    """Renders common widgets as Django's templates would, and everything else with templates."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> SafeString:
        draw = DRAWN.get(template_name)
        if draw is None:
            return mark_safe(super().render(template_name, context, request))
        return mark_safe(draw(context["widget"]))
