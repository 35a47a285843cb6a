"""What others get to see of a roster, and at which address: the owner's choices."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from rosters.models import HIDING, Visibility
from rosters.store import writer
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.sharing.views import show_edit_link

VISIBILITY_HELP = {
    Visibility.LINK: "Whoever has the address can read it. Nobody finds it by searching here.",
    Visibility.LISTED: "It stands among the books, under “From players”, with its name and tags.",
    Visibility.CLOSED: "The address opens nothing for others. Those with the edit link still get in.",
}
"""What each choice means."""


class SharingForm(forms.Form):
    """Who may read, and what is hidden from them."""

    visibility = forms.ChoiceField(choices=Visibility.choices, widget=forms.RadioSelect, label="Who may read it")
    hide_points = forms.BooleanField(
        required=False,
        label="Hide the points",
        help_text="All prices, totals, receipts and the budget. Whether it is legal is still told.",
    )
    hide_notes = forms.BooleanField(
        required=False,
        label="Hide the notes",
        help_text="Those of the roster, its formations and its elements.",
    )
    hide_secrets = forms.BooleanField(
        required=False,
        label="Hide what is marked secret",
        help_text="You mark an element as secret in its own form. Others do not see it, though it counts in the total.",
    )


@roster_view(EDIT, "GET", "POST")
def sharing(ctx: RosterContext) -> HttpResponse:
    """Who may read the roster, what is hidden from them, and its links."""
    sent = ctx.request.POST if ctx.request.method == "POST" else None
    if sent is not None and sent.get("do") in LINKS:
        return LINKS[sent["do"]](ctx)
    form = SharingForm(sent, initial={name: getattr(ctx.roster, name) for name in ("visibility", *HIDING)})
    if sent is None:
        return ctx.render("sharing/sharing.html", sharing_context(ctx, form))
    if sent.get("do") != "save":
        raise Http404("There is no such action.")
    if not form.is_valid():
        return ctx.render("sharing/sharing.html", sharing_context(ctx, form), status=422)
    writer.update_roster(ctx.roster, **form.cleaned_data)
    messages.success(ctx.request, "Saved. From now on others see it so.")
    return redirect("sharing", ctx.roster.token)


def sharing_context(ctx: RosterContext, form: SharingForm) -> dict[str, object]:
    """The form, each choice with what it means, and how many elements are marked secret."""
    choices = [(tick, VISIBILITY_HELP[Visibility(tick.data["value"])]) for tick in form["visibility"]]
    secret = [e for f in ctx.document.formations for e in f.elements if e.secret]
    return {
        "form": form,
        "choices": choices,
        "switches": [form[name] for name in HIDING if name != "hide_points" or ctx.system.rules.WORDS.points],
        "secret": secret,
        "closed": ctx.roster.visibility == Visibility.CLOSED,
    }


def reset_share_link(ctx: RosterContext) -> HttpResponse:
    """Another share address; whoever has the old one sees nothing any more."""
    token = writer.reset_share_link(ctx.roster)
    messages.success(
        ctx.request,
        "The roster has a new address. The old one is gone: it opens nothing for anybody, and neither do links to "
        "revisions and edit links that were made from it. Browsers that could edit still can.",
    )
    return redirect("sharing", token)


def new_edit_link(ctx: RosterContext) -> HttpResponse:
    """Replace the edit link and show the new one, once."""
    show_edit_link(ctx.request, ctx.roster, writer.reset_edit_link(ctx.roster))
    return redirect("sharing", ctx.roster.token)


LINKS = {"replace-address": reset_share_link, "new-edit-link": new_edit_link}
