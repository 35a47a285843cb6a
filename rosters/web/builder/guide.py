"""The guide to a first roster: steps above the builder's pages, of which the roster itself shows what is done.

A cookie for the addresses of this roster says that the visitor is guided, so that the guide is nobody else's.
"""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from rosters.core.help import GuideStep
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT

COOKIE, COOKIE_AGE = "guide", 30 * 24 * 3600


class Guide(NamedTuple):
    """The steps with whether each is done, the ``number`` of the first that is not, and the address of its page."""

    steps: list[tuple[GuideStep, bool]]
    number: int
    step: GuideStep
    url: str

    @property
    def page_steps(self) -> list[GuideStep]:
        """The first step that is not done, and the later ones on the same page."""
        return [step for step, done in self.steps if not done and step.page == self.step.page]


def guide_of(ctx: RosterContext) -> Guide | None:
    """The guide of a visitor who is guided; None for others, and in a game without one."""
    steps = [(step, step.is_done(ctx.state)) for step in ctx.system.help.GUIDE if ctx.request.COOKIES.get(COOKIE)]
    if not steps:
        return None
    number = next(n for n, (_step, done) in enumerate(steps, 1) if not done)
    step = steps[number - 1][0]
    return Guide(steps, number, step, _url_of(ctx, step.page))


def _url_of(ctx: RosterContext, page: str) -> str:
    """The address of the page on which a step is done, "" for the builder itself."""
    if page == "settings":
        return reverse(page, args=[ctx.roster.token])
    formations = ctx.document.formations
    first = next((element.id for formation in formations for element in formation.elements), None)
    if page not in ("element", "add", "more") or not formations:
        return ""
    query = {"id": first} if page == "element" and first else {"in": formations[-1].id}
    return f"{reverse('element', args=[ctx.roster.token])}?{urlencode(query)}"


def after_saving(ctx: RosterContext, uid: str) -> HttpResponse:
    """Back to the builder: to the next step of a visitor who is guided, and to the element for others."""
    if ctx.system.help.GUIDE and ctx.request.COOKIES.get(COOKIE):
        return redirect(reverse("roster", args=[ctx.roster.token]) + "#guide")
    return ctx.redirect("e", uid)


def start_guide(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Guide this visitor in the pages of a roster."""
    path, secure = reverse("roster", args=[token]), request.is_secure()
    response.set_cookie(COOKIE, "1", COOKIE_AGE, path=path, secure=secure, httponly=True, samesite="Lax")


@roster_view(EDIT, "POST")
def leave_guide(ctx: RosterContext) -> HttpResponse:
    """Leave the guide: to the page that prints the roster at the end of it, else back to the builder."""
    ends = ctx.request.POST.get("to") == "print"
    response = redirect("print" if ends else "roster", ctx.roster.token)
    response.delete_cookie(COOKIE, path=reverse("roster", args=[ctx.roster.token]), samesite="Lax")
    return response
