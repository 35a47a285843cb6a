"""Icons, drawn once a page and used by name; rows of a roster, drawn once and kept."""

import re
from functools import cache
from typing import Any

from django import template
from django.template.loader import get_template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from rosters.core.cache import cached
from rosters.core.messages import Message
from rosters.core.rulebook import Words
from rosters.web.roster_page import Row

register = template.Library()

_DRAWING = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


@register.simple_tag
@cache
def icon_sprite(names: str) -> SafeString:
    """The drawings of the named icons, invisible, for `icon` to refer to."""
    drawings = ((name, mark_safe(_drawing(name))) for name in names.split())
    symbols = format_html_join("", '<symbol id="i-{}" viewBox="0 0 16 16">{}</symbol>', drawings)
    return format_html('<svg class="sprite" aria-hidden="true">{}</svg>', symbols)


def _drawing(name: str) -> str:
    found = _DRAWING.search(get_template(f"bs_icon/{name}.svg").render({}))
    return " ".join(found[1].split()) if found else ""


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the page's sprite; it says nothing to a screen reader."""
    return format_html('<svg class="bi" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.filter
def count(words: Words, number: int) -> Message:
    """A number of elements in the system's own word: "1 ship", "3 ships"."""
    return words.count_elements(number)


@register.filter
def points_noun(words: Words, number: str) -> str:
    """The system's word for points beside a number: "1 point", "0.5 points", "1 BP"."""
    return words.nouns.point if words.points and number == "1" else words.points


@register.simple_tag(takes_context=True)
def element_row(context: template.Context, row: Row) -> SafeString:
    """The builder's row of an element, with what was typed and selected in it if the page's form has errors."""
    words, urls, form = context["words"], context["row_urls"], context["page_form"]
    unit = words.points and words.points_heading
    if form is None:
        return _cached_row(row, urls, unit)
    errors, selected = form.errors.get(f"quantity-{row.id}"), row.id in form.data.getlist("pick")
    return _draw_row(row, urls, unit, typed=form.typed(row.id), errors=errors, selected=selected)


def _draw_row(row: Row, urls: tuple[str, ...], unit: str, **sent: Any) -> SafeString:
    context = {"row": row, "urls": urls, "unit": unit, "typed": None, **sent}
    return SafeString(get_template("builder/_row.html").render(context))


_cached_row = cached(16 << 20)(_draw_row)
"""A row is a function of what it shows: after a change, only the changed ones are drawn."""
