"""The forms of elements: for a new one, a stored one, or what was submitted; without data they are cached."""

from collections.abc import Callable
from typing import Any

from crispy_forms.utils import render_crispy_form
from django import forms
from django.http import Http404, QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from rosters.core import edits
from rosters.core.appraisals import terms_of
from rosters.core.cache import MemoryCache
from rosters.core.documents import AnyDocument, Element
from rosters.forms.element_form import ElementForm
from rosters.web.builder.forms import place_of
from rosters.web.builder.merging import merged_form
from rosters.web.builder.starts import start_of
from rosters.web.context import RosterContext


def requested_element(ctx: RosterContext) -> tuple[Any, Element | None]:
    """The formation and the element of the query: ?id= an element, or ?in= a formation to add to. Raises Http404."""
    place = place_of(ctx.request)
    try:
        if place["id"]:
            return edits.find_element(ctx.document, place["id"])
        return edits.find_formation(ctx.document, place["in"]), None
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None


def make_form(
    ctx: RosterContext,
    data: QueryDict | None,
    element: Element | None,
    *,
    draft: bool = False,
    start: Element | None = None,
) -> ElementForm:
    """The system's form for this element, or for a new one, with ``data``."""
    form: ElementForm = ctx.system.forms.ElementForm(
        data, rules=ctx.system.rules, terms=terms_of(ctx.document), element=element, start=start
    )
    if draft:
        form.fields["name"].required = False
    if not ctx.is_owner:  # only the owner may mark elements as secret
        form.fields["secret"].disabled, form.fields["secret"].widget = True, forms.HiddenInput()
    return form


def element_form(ctx: RosterContext, element: Element | None, *, draft: bool = False) -> ElementForm:
    """The system's form for this element, or for a new one, bound to the request's data; a draft is not saved."""
    if element is None:
        return make_form(ctx, ctx.post_data, None, draft=draft, start=start_of(ctx))
    if ctx.post_data is None:
        return make_form(ctx, None, element, draft=draft)
    return merged_form(ctx, finder(element), lambda data, element: make_form(ctx, data, element, draft=draft))


_forms = MemoryCache[tuple[Any, ...], ElementForm](16 << 20)
"""Forms of stored elements without data, which live previews take their fields from."""
FORM_BYTES = 1 << 17
"""The memory of a form, estimated from above."""


def live_form(ctx: RosterContext, element: Element | None) -> ElementForm:
    """The bound form for a live preview, which is not rendered: the form itself stays on the page."""
    if ctx.opened_version < ctx.roster.revision:
        return element_form(ctx, element, draft=True)
    start = element or start_of(ctx)
    key = form_key(ctx, start)
    form = _forms.get(key)
    if form is None:
        form = make_form(ctx, None, element, draft=True, start=start)
        _forms.set(key, form, FORM_BYTES)
    return form.with_data(ctx.post_data, element)


def form_key(ctx: RosterContext, element: Element) -> tuple[Any, ...]:
    """The cache key of a form without data: everything that its fields depend on. The start of a new one has no id."""
    return (ctx.system.slug, terms_of(ctx.document), ctx.is_owner, get_language(), element.json_text)


_untouched_fields = MemoryCache[tuple[Any, ...], SafeString](16 << 20)
"""The fields of forms in which nothing was typed, as HTML."""


def unbound_fields_html(ctx: RosterContext, element: Element | None, start: Element) -> SafeString:
    """The fields of an element's form before anything is typed into it, or of a new one that begins as ``start``: the
    same for all owners, and for all other editors.
    """
    key = form_key(ctx, element or start)
    fields = _untouched_fields.get(key)
    if fields is None:
        fields = render_crispy_form(make_form(ctx, None, element, start=start))
        _untouched_fields.set(key, fields)
    return fields


def finder(element: Element) -> Callable[[AnyDocument], Element]:
    """A function that finds the element with this id in any version of its roster."""
    return lambda document: edits.find_element(document, str(element.id))[1]
