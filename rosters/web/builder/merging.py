"""Changes by several people at once: a form is merged with what others saved while it was open, a save is repeated.

The values of each field are compared: when the form was opened, as stored now, and as submitted. Different fields
merge; the same field is a conflict.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django import forms
from django.http import HttpResponse, QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.documents import AnyDocument
from rosters.forms.conflicts import conflict_error, display_values, submitted_values, take_theirs
from rosters.models import Actor
from rosters.web.context import RosterContext

FormT = TypeVar("FormT", bound=forms.Form)


def merged_form(
    ctx: RosterContext, find: Callable[[AnyDocument], Any], form_of: Callable[[QueryDict | None, Any], FormT]
) -> FormT:
    """The submitted form of what ``find`` returns, merged with what others have saved since it was opened.

    A field that both changed differently keeps the submitted value, and has an error with both. ``form_of`` creates a
    form from submitted data and the stored object.
    """
    sent, now = ctx.request.POST.copy(), find(ctx.document)
    try:
        opened = find(ctx.opened_document)
    except edits.ElementNotFound:
        opened = now
    if opened == now and not any(name.startswith("take-") for name in sent):
        return form_of(sent, now)
    before, stored = form_of(None, opened), form_of(None, now)
    for name in before.fields:
        take_theirs(sent, name, submitted_values(before, name))
    conflicts = [*_merge(sent, before, stored)]
    form = form_of(sent, now)
    for name in conflicts:
        label = str((form if name in form.fields else before)[name].label)
        theirs, yours = submitted_values(stored, name), sent.getlist(name)
        text = conflict_text(ctx, label, display_values(stored, name, theirs), display_values(form, name, yours))
        if name in form.fields and not ctx.is_live_preview:  # which shows texts alone
            form.add_error(name, conflict_error(text, name, yours, theirs))
        else:
            form.add_error(name if name in form.fields else None, forms.ValidationError(text, code="conflict"))
    return form


def _merge(sent: QueryDict, before: forms.Form, stored: forms.Form) -> Iterator[str]:
    """Copy into ``sent`` the fields that only ``stored`` changed. Yields those that both changed differently."""
    for name, field in {**before.fields, **stored.fields}.items():
        old, theirs = submitted_values(before, name), submitted_values(stored, name)
        mine = [value.replace("\r\n", "\n") for value in sent.getlist(name) if value]
        if field.disabled or theirs in (old, mine):
            continue
        if isinstance(field, forms.MultipleChoiceField):  # without what either has removed, with what either has added
            both = dict.fromkeys([*theirs, *mine])
            theirs = [each for each in both if each not in old or (each in theirs and each in mine)]
        elif mine != old:
            yield name
            continue
        sent.pop(name, None)
        if theirs:
            sent.setlist(name, theirs)


def conflict_text(ctx: RosterContext, field: str, theirs: str, yours: str) -> str:
    """Who changed a field to which value since the form was opened: an owner may have done so on another device."""
    since = ctx.roster.revisions.filter(number__gt=ctx.opened_version).order_by()
    who = [*since.values_list("who", flat=True).distinct()]
    if who == [Actor.OWNER] and ctx.is_owner:
        text = gettext("%(field)s was changed on another device to %(theirs)s while you were typing %(yours)s.")
    else:
        text = gettext("%(who)s changed %(field)s to %(theirs)s while you were typing %(yours)s.")
    name = capfirst(Actor(who[0]).label if len(who) == 1 else gettext("somebody else"))
    return text % {"who": name, "field": field, "theirs": theirs, "yours": yours}


def retry_on_conflict(
    ctx: RosterContext,
    save: Callable[[RosterContext], HttpResponse],
    refuse: Callable[[RosterContext, str], HttpResponse],
) -> HttpResponse:
    """Save, and retry once if another change was saved in between; then 409."""
    for _attempt in range(2):
        try:
            return save(ctx)
        except (edits.EditConflict, edits.ElementNotFound):
            ctx = ctx.refreshed()
    return refuse(ctx, gettext("This was changed elsewhere at the same time, and nothing was saved. Save again."))
