"""What others get to see of a roster, and at which address: the owner's choices."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from rosters.models import HIDING, Visibility
from rosters.store import writer
from rosters.web.editor import EditorContext, editor
from rosters.web.http.permissions import EDITOR, allow
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


@allow(EDITOR, "GET", "POST")
@editor
def sharing(bench: EditorContext) -> HttpResponse:
    """Who may read the roster, what is hidden from them, and its links."""
    sent = bench.request.POST if bench.request.method == "POST" else None
    if sent is not None and sent.get("do") in LINKS:
        return LINKS[sent["do"]](bench)
    form = SharingForm(sent, initial={name: getattr(bench.roster, name) for name in ("visibility", *HIDING)})
    if sent is None:
        return bench.draw("sharing/sharing.html", sharing_context(bench, form))
    if sent.get("do") != "save":
        raise Http404("There is no such action.")
    if not form.is_valid():
        return bench.draw("sharing/sharing.html", sharing_context(bench, form), status=422)
    writer.update_roster(bench.roster, **form.cleaned_data)
    messages.success(bench.request, "Saved. From now on others see it so.")
    return redirect("sharing", bench.roster.token)


def sharing_context(bench: EditorContext, form: SharingForm) -> dict[str, object]:
    """The form, each choice with what it means, and how many elements are marked secret."""
    choices = [(tick, VISIBILITY_HELP[Visibility(tick.data["value"])]) for tick in form["visibility"]]
    secret = [e for f in bench.document.formations for e in f.elements if e.secret]
    return {
        "form": form,
        "choices": choices,
        "switches": [form[name] for name in HIDING if name != "hide_points" or bench.system.rules.WORDS.points],
        "secret": secret,
        "closed": bench.roster.visibility == Visibility.CLOSED,
    }


def reset_share_link(bench: EditorContext) -> HttpResponse:
    """Another share address; whoever has the old one sees nothing any more."""
    token = writer.reset_share_link(bench.roster)
    messages.success(
        bench.request,
        "The roster has a new address. The old one is gone: it opens nothing for anybody, and neither do links to "
        "revisions and edit links that were made from it. Browsers that could edit still can.",
    )
    return redirect("sharing", token)


def new_edit_link(bench: EditorContext) -> HttpResponse:
    """Replace the edit link and show the new one, once."""
    show_edit_link(bench.request, bench.roster, writer.reset_edit_link(bench.roster))
    return redirect("sharing", bench.roster.token)


LINKS = {"replace-address": reset_share_link, "new-edit-link": new_edit_link}
