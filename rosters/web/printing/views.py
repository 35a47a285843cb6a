"""Printing: the PDF of a roster, the page that chooses what to print, blank sheets, and pictures of pages."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _

from rosters.core.cache import MemoryCache
from rosters.core.messages import translate
from rosters.pdf.picture import page_as_png
from rosters.pdf.shaping import TooLarge
from rosters.registry import System
from rosters.store import writer
from rosters.store.print_defaults import save_print_default
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.forms import (
    PAGE_NAMES,
    QUERY_NAMES,
    PreviewPageForm,
    SaveOptionsForm,
    to_query,
)
from rosters.web.printing.requests import (
    PrintRequest,
    content_key,
    copy_for,
    pack_of,
    parse_print_options,
    render_print_errors,
)
from rosters.web.printing.service import PrintLayout, printing_limits
from rosters.web.sharing.cached import shared_view

PICTURE_SCALE, SMALL_SCALE = 1.4, 0.4
"""Pixels for each point of a page's picture."""


def page_picture(job: PrintLayout, number: int, scale: float) -> bytes:
    """A page, by its number from 0, as PNG. Raises Http404 if there is no such page."""
    if number >= len(job.pages):
        raise Http404("There is no such page.")
    return page_as_png(job.pdf(number, number + 1), scale, colour=job.options.colour)


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@shared_view(*QUERY_NAMES, ordinary="against")
def pdf(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the pack of the roster, or of one of its versions, as PDF, or the sheets that the query names, as others
    see them.
    """
    return _pdf(ctx, number)


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@roster_view(EDIT, "GET")
def own_pdf(ctx: RosterContext) -> HttpResponse:
    """Send the complete pack, unless the query has ``others``."""
    return _pdf(ctx)


def _pdf(ctx: RosterContext, version: int | None = None) -> HttpResponse:
    printed = PrintRequest(ctx, saved=False, version=version)
    key = content_key(printed.copies, printed.options, "pdf")
    response = file_response(ctx.request, key, "application/pdf", lambda: printed.print_job().pdf())
    name = slugify(printed.copies[0].state.document.name) or "roster"
    response["Content-Disposition"] = f'inline; filename="{name[:60]}.pdf"'
    return response


@rate_limited("PREVIEWS_A_MINUTE")
@render_print_errors
@shared_view(*QUERY_NAMES, *PAGE_NAMES, ordinary="against")
def page_image(ctx: RosterContext) -> HttpResponse:
    """Send a picture of a page, as others see it."""
    return _page_image(ctx)


@rate_limited("PREVIEWS_A_MINUTE")
@render_print_errors
@roster_view(EDIT, "GET")
def own_page_image(ctx: RosterContext) -> HttpResponse:
    """Send a picture of a complete page, unless the query has ``others``."""
    return _page_image(ctx)


def _page_image(ctx: RosterContext) -> HttpResponse:
    printed, form = PrintRequest(ctx, saved=True), PreviewPageForm(ctx.request.GET)
    if not form.is_valid():
        raise Http404("There is no such page.")
    number, scale = form.cleaned_data["page"], SMALL_SCALE if form.cleaned_data["small"] else PICTURE_SCALE
    key = content_key(printed.copies, printed.options, f"page {number} {scale}")
    return file_response(ctx.request, key, "image/png", lambda: page_picture(printed.print_job(), number - 1, scale))


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@public_view("GET")
def blank(request: HttpRequest, system: System) -> HttpResponse:
    """Send a game's blank sheets."""
    options = parse_print_options(system, request.GET)
    key = content_key((), options, f"blank {system.slug}")

    def draw() -> bytes:
        return printing.blank_print(system, options, printing_limits()).pdf()

    response = file_response(request, key, "application/pdf", draw)
    response["Content-Disposition"] = f'inline; filename="{system.slug}-blank.pdf"'
    return response


class PreviewPage(NamedTuple):
    """A page of the preview: its sheet, and its size in points."""

    title: str
    width: int
    height: int


class Preview(NamedTuple):
    """The pages of a print, or why there are none, and the number of pages in smaller print, if they are fewer.

    Where it does not fit on as few pages as asked for, ``min_pages`` is how many it needs.
    """

    pages: tuple[PreviewPage, ...] = ()
    problem: str = ""
    min_pages: int = 0
    fewer: int = 0


previews = MemoryCache[str, Preview](1 << 20)
"""The previews by the key of their content: the number of pages is only known after the whole layout, which takes nine
tenths of the page.
"""


MAX_PAGES_TO_SHRINK = 50
"""A longer print gets no button to fit on fewer pages: finding their number takes another layout."""


def preview_of(printed: PrintRequest) -> Preview:
    """The preview of a print."""
    key = content_key(printed.copies, printed.options, f"preview {printing_limits()}")
    preview = previews.get(key)
    if preview is None:
        try:
            pages = printed.print_job().pages
            shown = (PreviewPage(translate(page.title), round(page.width), round(page.height)) for page in pages)
            fewer = printed.fewest_pages() if 1 < len(pages) <= MAX_PAGES_TO_SHRINK else len(pages)
            preview = Preview(tuple(shown), fewer=fewer if fewer < len(pages) else 0)
        except (TooLarge, printing.NotOneGame) as problem:
            preview = Preview((), translate(problem.args[0]), getattr(problem, "min_pages", 0))
        previews.set(key, preview)
    return preview


def print_context(request: HttpRequest, printed: PrintRequest) -> dict[str, Any]:
    """What the print page and its preview show."""
    form = printed.form
    context: dict[str, Any] = {"form": form}
    if not form.is_valid():
        return {**context, "problem": _("Fix the errors of the form.")}
    if not (request.htmx and not form.data.get("sheet")):  # type: ignore[attr-defined]
        printed.select_pack()
    query = to_query(printed.options)
    query.setlist("against", request.GET.getlist("against"))
    if printed.copies_form.cleaned_data["others"]:
        query["others"] = "1"
    context["query"] = query.urlencode()
    if not printed.options.sheets:  # all were deselected
        return context
    page_form = PreviewPageForm(request.GET)
    number = page_form.cleaned_data["page"] if page_form.is_valid() else 1
    pages, problem, min_pages, fewer = preview_of(printed)
    if min_pages:
        form.add_error("fit", problem)
    number = min(number, len(pages))
    return {
        **context,
        "problem": problem,
        "min_pages": min_pages,
        "pages": pages,
        "page": pages[number - 1] if pages else None,
        "number": number,
        "chosen": "page" in request.GET,
        "fewer": fewer,
    }


@rate_limited("PRINT_PAGES_A_MINUTE")
@roster_view(READ, "GET", POST=EDIT)
def print_page(ctx: RosterContext) -> HttpResponse:
    """Show the print options beside pictures of the pages; for htmx, the pictures alone."""
    request = ctx.request
    if request.method == "POST":
        return redirect_outdated(request, "print", ctx.roster.token)
    printed = PrintRequest(ctx, saved=True)
    context = print_context(request, printed)
    status = 200 if printed.form.is_valid() else 422
    if request.htmx:  # type: ignore[attr-defined]
        return ctx.render("printing/_print_preview.html", context, status)
    context |= {"copies_form": printed.copies_form, "missing": printing.missing_characters(printed.copies)}
    return ctx.render("printing/print.html", context, status)


@render_print_errors
@roster_view(EDIT, "POST")
def save_as_default(ctx: RosterContext) -> HttpResponse:
    """Save the print options for the roster, or as the default of the account or this browser."""
    request = ctx.request
    sent = cleaned_query(SaveOptionsForm(request.POST))
    options = parse_print_options(ctx.system, QueryDict(sent["query"]))
    if options.sheets == pack_of(copy_for(request, ctx.roster, complete=True), options):
        options = options.replace(sheets=())  # the pack changes with the roster
    if sent["for"] == "mine":
        owner = request.user if request.user.is_authenticated else permissions.browser_for(request)
        saved = options.model_dump(mode="json", exclude={"formations", "fit", "marks"})
        save_print_default(owner, ctx.system.slug, saved)
        messages.success(request, _("Saved as your default. Rosters without settings of their own begin with it."))
    else:
        saved = options.model_dump(mode="json", exclude={"formations"})
        writer.save_view_settings(ctx.roster, ctx.visitor, print_settings=saved)
        messages.success(request, _("Saved for this roster."))
    return redirect("print", ctx.roster.token)
