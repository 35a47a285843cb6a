"""The battle pack as a PDF, and the picture and the QR code of a battle's link."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import ngettext

from rosters.web.battles import service as battles
from rosters.web.battles.forces import ForceView, force_views_of, state_for_all, title_for
from rosters.web.context import BattleContext, battle_view
from rosters.web.http.conditional import file_response
from rosters.web.http.permissions import READ
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.requests import content_key, parse_print_options, render_print_errors
from rosters.web.printing.service import PrintableRoster, printing_limits
from rosters.web.sharing import link_preview
from rosters.web.sharing.downloads import qr_code


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@battle_view(READ, "GET")
def pdf(ctx: BattleContext) -> HttpResponse:
    """Send the battle pack: the briefing, the locked record sheets as others see them, one reference panel."""
    battle = ctx.battle
    force_views = force_views_of(ctx)
    copies = [_copy(ctx, force_view) for force_view in force_views if force_view.locked]
    if not copies:
        raise Http404("This battle has nothing to print.")
    options = parse_print_options(battles.system_of(battle), ctx.request.GET, {})
    key = content_key(copies, options, "battle")

    def draw() -> bytes:
        return printing.battle_print(copies, options, printing_limits()).pdf()

    response = file_response(ctx.request, key, "application/pdf", draw)
    response["Content-Disposition"] = (
        f'inline; filename="{(slugify(title_for(ctx, force_views)) or "battle")[:60]}.pdf"'
    )
    return response


def _copy(ctx: BattleContext, force_view: ForceView) -> PrintableRoster:
    """A force as everybody sees it, with the link of its locked version for the QR code."""
    state = state_for_all(force_view, ctx.battle)
    document = state.document.replace(changed=force_view.locked.own.at.isoformat() if force_view.locked else None)
    return PrintableRoster(state._replace(document=document), ctx.request.build_absolute_uri(force_view.path))


@rate_limited("PREVIEWS_A_MINUTE")
@battle_view(READ, "GET")
def preview_image(ctx: BattleContext) -> HttpResponse:
    """Send the picture that a chat shows for the battle's link: its first two rosters, as everybody sees them."""
    system, public = battles.system_of(ctx.battle), [each for each in force_views_of(ctx) if each.is_public]
    if not public:
        raise Http404("Nobody else sees a roster of this battle.")
    sides = [link_preview.preview_content(*state_for_all(force_view, ctx.battle), system) for force_view in public[:2]]
    more = len(public) - len(sides)
    others = ngettext("and %(count)d more roster", "and %(count)d more rosters", more) % {"count": more} if more else ""
    picture = link_preview.battle_picture(system.name, sides, others)
    return HttpResponse(picture, "image/png")


@battle_view(READ, "GET")
def qr(ctx: BattleContext) -> HttpResponse:
    """Send the QR code of the battle's link."""
    return qr_code(ctx.request.build_absolute_uri(reverse("battle", args=[ctx.battle.token])))
