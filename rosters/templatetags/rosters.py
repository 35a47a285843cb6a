"""Icons, and parts of pages that are rendered once and cached."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template.loader import get_template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy

from rosters.core import appraisals, odds
from rosters.core.amounts import Amount, format_amount
from rosters.core.cache import cached
from rosters.core.crests import crest_of
from rosters.core.findings import Finding, FindingType
from rosters.core.messages import Message, translate
from rosters.core.odds import DieRoll
from rosters.core.play import Gauge
from rosters.core.receipts import Bar
from rosters.core.rulebook import Words
from rosters.drawing import crest as crests
from rosters.drawing import plots
from rosters.drawing.svg import Symbol, svg
from rosters.registry import SYSTEMS
from rosters.web.builder.page import Urls
from rosters.web.library import pictures
from rosters.web.roster_page import ElementRow, ReceiptStep

register = template.Library()
register.filter(appraisals.edition_label)

_DRAWING = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
_UNBROKEN_DASH = re.compile(r"(?<=\d)–(?=\d)|(?<=[A-Z])-(?=[A-Z])")
_UNBROKEN_SPACE = re.compile(r"(?<=\d) (?=[^\W\d])| (?=\d+\))")
_ICONS = """
    archive arrow-clockwise arrow-counterclockwise arrow-down arrow-left-right arrow-up book box-arrow-in-down
    box-arrow-up check-circle check2 check2-square clipboard clock-history copy dice-5 exclamation-octagon
    exclamation-triangle eye eye-slash flag folder folder-plus gear info-circle link-45deg list-check pencil
    person-plus plus-lg printer receipt scissors share snow stop-circle tag three-dots trash x-lg
"""
"""All icons of the pages, by their names in Bootstrap Icons."""
_ROW_BUTTONS = (
    ("element_up", "arrow-up", gettext_lazy("Move up"), gettext_lazy("Move %(name)s up")),
    ("element_down", "arrow-down", gettext_lazy("Move down"), gettext_lazy("Move %(name)s down")),
    ("element_duplicate", "copy", gettext_lazy("Duplicate"), gettext_lazy("Duplicate %(name)s")),
    ("element_split", "scissors", gettext_lazy("Split one off"), gettext_lazy("Split one off %(name)s")),
    ("element_delete", "trash", gettext_lazy("Delete"), gettext_lazy("Delete %(name)s")),
)
"""The buttons of an element's row: the URL of `Urls`, the icon, the title, and the label for screen readers."""
_SEVERITIES = {
    "error": ("exclamation-octagon", gettext_lazy("error")),
    "to-do": ("check2-square", gettext_lazy("to do")),
    "warning": ("exclamation-triangle", gettext_lazy("warning")),
    "note": ("info-circle", gettext_lazy("note")),
}
"""The icon and the label of each severity of a finding."""


@register.simple_tag
@cache  # 60 µs an icon, of which a page has some thirty
def icon_sprite() -> SafeString:
    """The drawings of all icons, invisible, for `icon` to refer to."""
    drawings = ((name, mark_safe(_drawing(name))) for name in _ICONS.split())
    symbols = format_html_join("", '<symbol id="i-{}" viewBox="0 0 16 16">{}</symbol>', drawings)
    return format_html('<svg class="sprite" aria-hidden="true">{}</svg>', symbols)


def _drawing(name: str) -> str:
    match = _DRAWING.search(get_template(f"bs_icon/{name}.svg").render({}))
    return " ".join(match[1].split()) if match else ""


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the page's sprite, hidden from screen readers."""
    return mark_safe(f'<svg class="bi" aria-hidden="true"><use href="#i-{name}"/></svg>')


@register.simple_tag
def severity_icon(severity: str) -> SafeString:
    """The icon of a finding."""
    return icon(_SEVERITIES[severity][0])


@register.simple_tag
def severity_label(severity: str) -> str:
    """The severity of a finding as a word."""
    return str(_SEVERITIES[severity][1])


@register.simple_tag
def finding_type(slug: str, code: str) -> FindingType:
    """What a finding of a game means, and why it matters."""
    return appraisals.finding_type(SYSTEMS[slug].rules, code)


@register.simple_tag
def finding_flag(finding: Finding, identity: str, number: int) -> SafeString:
    """The icon of a finding beside what it is about, with its message, whose id has ``identity`` and ``number``."""
    return format_html(
        '<button type="button" class="flag {0}" popovertarget="{1}" title="{3}">{2}</button>'
        '<span class="flag-text" id="{1}" popover>{3}</span>',
        finding.severity,
        f"flag-{identity}-{number}",
        severity_icon(finding.severity),
        finding.message,
    )


@register.filter
def count(words: Words, number: int) -> Message:
    """A number of elements in the system's own word: "1 ship", "3 ships"."""
    return words.count_elements(number)


@register.filter
def unbroken(text: str) -> SafeString:
    """A text with ranges, stats and numbers, such as 1–5, TO-HIT and 15 BP, on one line each.

    A word joiner follows their dash; the space between a number and its word is unbreakable.
    """
    joined = _UNBROKEN_DASH.sub("\\g<0>\u2060", conditional_escape(translate(text)))
    return mark_safe(_UNBROKEN_SPACE.sub("\u00a0", joined))


@register.filter
def with_chances(text: str, path: str) -> SafeString:
    """A text of a rulebook with the chance beside each number that a D6 must show, linked to its receipt.

    Without the ``path`` of the game's rolls it is the text alone.
    """
    if not path:
        return unbroken(text)

    def link(roll: DieRoll) -> str:
        return format_html('<a href="{}">{}</a>', roll_url(roll, path), roll.percent)

    return mark_safe(odds.with_chances(unbroken(text), link))


@register.filter
def roll_url(roll: DieRoll, path: str) -> str:
    """The receipt of a roll: ``path`` is that of the game's rolls."""
    return f"{path}?{urlencode(roll._asdict())}"


@register.filter
def amount(points: Amount) -> str:
    """An amount of points for display: "4.5", "−1"."""
    return format_amount(points)


@register.filter
def points_noun(words: Words, number: str) -> str:
    """The system's word for points beside a number: "1 point", "0.5 points", "1 BP"."""
    return words.nouns.point if words.has_points and number == "1" else words.points


@register.simple_tag(takes_context=True)
def page_query(context: template.Context, value: int | str, name: str | None) -> str:
    """The page's query with another value of the parameter ``name``; Django's `querystring` takes fixed names."""
    query = context["request"].GET.copy()
    query[name or "page"] = str(value)
    return f"?{query.urlencode()}"


register.filter("crest_seed", crest_of)


@register.simple_tag
@cached(4 << 20)  # a crest takes 0.4 ms, and a page of Browse has 24
def crest(seed: str, classes: str = "") -> SafeString:
    """The crest of a seed, hidden from screen readers."""
    return mark_safe(svg(crests.crest(seed), classes))


@register.simple_tag
def gauge(losses: Gauge) -> SafeString:
    """The picture of a gauge; the words beside it say the same."""
    return mark_safe(svg(plots.gauge(losses.lost, losses.total, [step for step, _text in losses.steps])))


@register.simple_tag
def counter_sprite(counters: Iterable[Symbol]) -> SafeString:
    """The counters and tracks of a page's rows, invisible, for the rows to refer to."""
    symbols = "".join(counter.symbol for counter in counters)
    return mark_safe(f'<svg class="sprite" aria-hidden="true">{symbols}</svg>')


register.simple_tag(pictures.game_counters, name="game_counters")


@register.simple_tag
def ghost_counters() -> SafeString:
    """Gray counters over the words of an empty list."""
    return format_html('<p class="ghost-counters" aria-hidden="true">{}</p>', pictures.ghost_counters())


@register.simple_tag
def part(template_name: str, **values: Any) -> SafeString:
    """Include a template, cached by its ``values``, which must be hashable, immutable and everything that it depends
    on. Not model instances: they compare equal after a change, so the first rendering would stay.
    """
    return _render_part(template_name, get_language(), **values)


@cached(32 << 20)  # saves nine tenths of the builder and of the play page
def _render_part(template_name: str, language: str, /, **values: Any) -> SafeString:
    return SafeString(get_template(template_name).render(values))


@register.simple_tag
def row_buttons(row: ElementRow, urls: Urls) -> SafeString:
    """The buttons of an element's row; one model alone cannot be split."""
    return format_html_join(
        "",
        '<button class="btn btn-icon" formaction="{}" name="element" value="{}" title="{}" aria-label="{}">{}</button>',
        (
            (getattr(urls, action), row.id, title, label % {"name": translate(row.display_name)}, icon(drawing))
            for action, drawing, title, label in _ROW_BUTTONS
            if action != "element_split" or row.quantity > 1
        ),
    )


@register.simple_tag
def receipt_steps(steps: Iterable[ReceiptStep], live: bool = False) -> SafeString:
    """The rows of a receipt, its bars with ids if live. Not a template: a live preview renders them after each key."""
    return format_html_join(
        "",
        '<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td data-points="{}">{}</td></tr>',
        (
            (step.label, _bar(step.bar, f' id="bar-{place}"' if live else ""), step.change, step.exact, step.subtotal)
            for place, step in enumerate(steps)
        ),
    )


def _bar(bar: Bar, identity: str) -> SafeString:
    """The bar of a step, by whose id htmx moves it; nothing for a step that changes nothing."""
    if not bar.width:
        return SafeString("")
    return SafeString(  # of numbers and a word of ours: escaping them takes most of a live preview's receipt
        '<svg class="waterfall" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect{identity} class="{bar.kind}" x="{bar.x}" y="0" width="{bar.width}" height="10"/></svg>'
    )


@register.simple_tag(takes_context=True)
def element_row(context: template.Context, row: ElementRow) -> SafeString:
    """The builder's row of an element, with what was typed and selected in it if the page's form has errors."""
    words = context["words"]
    values = {
        "row": row,
        "urls": context["urls"],
        "span": context["span"] + 1,
        "unit": words.points_heading if words.has_points else "",
        "formula": context["formula"],
        "typed": None,
        "theirs": None,
        "errors": None,
        "selected": False,
    }
    form = context.get("page_form")
    if form is None:
        return part("builder/_row.html", **values)
    values |= {"typed": form.typed(row.id), "errors": form.errors.get(f"quantity-{row.id}")}
    values["selected"] = row.id in form.data.getlist("pick")
    values["theirs"] = form.changed_elsewhere.get(row.id)
    return SafeString(get_template("builder/_row.html").render(values))
