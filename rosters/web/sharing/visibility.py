"""The sharing page: who may read a roster, what is hidden from them, and its links."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from rosters.core.crests import crest_of
from rosters.core.messages import translate
from rosters.models import HIDE_FIELDS, Visibility
from rosters.store import access, writer
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import OWNER
from rosters.web.sharing.forms import VISIBILITIES, SharingForm


@roster_view(OWNER, "GET", "POST")
def sharing(ctx: RosterContext) -> HttpResponse:
    """Show and save who may read the roster, and what is hidden from them."""
    if "do" in ctx.request.POST:
        return redirect_outdated(ctx.request, "sharing", ctx.roster.token)
    if ctx.request.method != "POST":
        form = SharingForm(initial={name: getattr(ctx.roster, name) for name in ("visibility", *HIDE_FIELDS)})
        return ctx.render("sharing/sharing.html", sharing_context(ctx, form))
    form = SharingForm(ctx.request.POST)
    if not form.is_valid():
        return ctx.render("sharing/sharing.html", sharing_context(ctx, form), status=422)
    writer.update_roster(ctx.roster, ctx.visitor, **form.cleaned_data)
    messages.success(ctx.request, _("Sharing saved."))
    return redirect("sharing", ctx.roster.token)


def sharing_context(ctx: RosterContext, form: SharingForm) -> dict[str, object]:
    """The form, each choice with its explanation, the secret elements, the latest version and the edit links."""
    elements = translate(ctx.system.rules.WORDS.nouns.elements)
    form.fields["hide_secrets"].label = _("Hide secret %(elements)s") % {"elements": elements}
    return {
        "crest": crest_of(ctx.document),
        "version": {"number": ctx.roster.revision},
        "links": access.links_of(ctx.roster),
        "form": form,
        "choices": [(choice, VISIBILITIES[choice.data["value"]].text) for choice in form["visibility"]],
        "switches": [form[name] for name in HIDE_FIELDS if name != "hide_points" or ctx.system.rules.WORDS.has_points],
        "secret": [e for e in ctx.document.elements if e.secret],
        "private": ctx.roster.visibility == Visibility.CLOSED,
    }


@roster_view(OWNER, "POST")
def reset_share_link(ctx: RosterContext) -> HttpResponse:
    """Give the roster a new token; its old links stop working."""
    token = writer.reset_share_link(ctx.roster, ctx.visitor)
    messages.success(
        ctx.request,
        _(
            "The share link was reset. Old links no longer work, nor do edit links and fixed versions. Copy the edit "
            "links again, and reset the owner link. Browsers that could edit still can."
        ),
    )
    return redirect("sharing", token)
