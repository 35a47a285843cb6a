"""Printing: the PDF of a roster, the page that chooses what to print, blank sheets, and pictures of pages."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rosters.core.cache import MemoryCache
from rosters.core.documents import text_of
from rosters.core.messages import translate
from rosters.models import Roster
from rosters.pdf.job import PrintOptions
from rosters.pdf.picture import page_as_png
from rosters.pdf.shaping import TooLarge
from rosters.registry import System
from rosters.store import writer
from rosters.store.print_defaults import print_default, save_print_default
from rosters.store.snapshots import state_in_play
from rosters.store.state import document_for_export
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.errors import error_page
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.forms import (
    PAGE_NAMES,
    QUERY_NAMES,
    CopiesForm,
    PreviewPageForm,
    PrintForm,
    SaveOptionsForm,
    saved_options,
    to_query,
)
from rosters.web.printing.service import PrintableRoster, PrintLayout, printing_limits, roster_print
from rosters.web.sharing.cached import release, shared_view
from rosters.web.sharing.versions import exported_version

PICTURE_SCALE, SMALL_SCALE = 1.4, 0.4
"""Pixels for each point of a page's picture."""

layouts = MemoryCache[str, PrintLayout](16 << 20)
"""The latest prints, by the key of their content: the pictures of all pages are drawn from one layout."""
PAGE_BYTES = 64 << 10
"""The memory of the blocks of a page, estimated."""


class InvalidPrintOptions(Exception):
    """Print options that are not valid."""


# ---------------------------------------------------------------- print options


def parse_print_options(system: System, query: QueryDict, saved: Any = None) -> PrintOptions:
    """The options of a query string over the ``saved`` ones. Raises InvalidPrintOptions, or Http404 for a sheet."""
    return valid_options(PrintForm(system, query, saved))


def valid_options(form: PrintForm) -> PrintOptions:
    """The options of a form. Raises InvalidPrintOptions, or Http404 for a sheet that the system does not have."""
    if form.is_valid():
        return form.options()
    texts = {name: " ".join(str(error) for error in errors) for name, errors in form.errors.items()}
    if "sheet" in texts:
        raise Http404(texts["sheet"])
    raise InvalidPrintOptions("; ".join(f"{form[name].label}: {text}" for name, text in texts.items()))


# ---------------------------------------------------------------- drawing


def copy_for(request: HttpRequest, roster: Roster, *, complete: bool) -> PrintableRoster:
    """The roster, redacted unless ``complete``, with its URL for the QR code."""
    state = state_in_play(roster, complete=complete)
    address = request.build_absolute_uri(reverse("shared", args=[roster.token]))
    return PrintableRoster(state._replace(document=document_for_export(roster, state.document)), address)


def content_key(copies: Sequence[PrintableRoster], options: PrintOptions, kind: str) -> str:
    """A hash of everything that a drawing depends on.

    Of an appraisal only the edition and the points: all else follows from the document, which has the time of its last
    change. Points may be hidden, or include those of secret elements.
    """
    parts: list[object] = [release(), kind, get_language(), options.model_dump_json()]
    for copy in copies:
        parts += [text_of(copy.state.document), copy.state.appraisal.edition, copy.state.appraisal.points, copy.url]
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def page_picture(job: PrintLayout, number: int, scale: float) -> bytes:
    """A page, by its number from 0, as PNG. Raises Http404 if there is no such page."""
    if number >= len(job.pages):
        raise Http404("There is no such page.")
    return page_as_png(job.pdf(number, number + 1), scale, colour=job.options.colour)


def render_print_errors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 400 with the reason if the options are not valid or the pages too many."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (InvalidPrintOptions, TooLarge, printing.NotOneGame) as problem:
            return error_page(request, 400, _("These options cannot be printed"), translate(problem.args[0]))

    return guarded


# ---------------------------------------------------------------- the views


class PrintRequest:
    """A request for a roster's sheets: the copies, the options, and the pages, which are laid out on demand."""

    def __init__(self, ctx: RosterContext, *, saved: bool, version: int | None = None) -> None:
        request, self.roster, self.editable = ctx.request, ctx.roster, ctx.editable
        self.copies_form = CopiesForm(request.GET)
        self.copies_form.is_valid()  # always true
        query = self.copies_form.cleaned_data
        if version is None:
            self.copies = [copy_for(request, self.roster, complete=self.editable and not query["others"])]
        else:
            fixed = exported_version(self.roster, version)
            self.copies = [PrintableRoster(fixed.state, request.build_absolute_uri(fixed.path))]
        for link in query["against"]:
            opponent, _editable = permissions.roster_for(request, link.token)
            self.copies.append(copy_for(request, opponent, complete=False))
        self.system = self.copies[0].system
        default = None
        if saved and self.editable:
            default = saved_options(
                self.system, self.roster.print_settings or print_default(ctx.visitor, self.system.slug)
            )
        formations = [formation.name for formation in self.copies[0].state.document.formations]
        self.form = PrintForm(self.system, request.GET, default, formations)

    @cached_property
    def options(self) -> PrintOptions:
        """The valid options. Raises InvalidPrintOptions, or Http404 for a sheet."""
        return valid_options(self.form)

    def select_pack(self) -> None:
        """Select the sheets of the roster's pack if the options name none. Raises as `options` does."""
        if not self.form.data.get("sheet"):
            codes = pack_of(self.copies[0], self.options)
            self.form.data.setlist("sheet", codes)  # type: ignore[attr-defined]
            self.options = self.options.replace(sheets=codes)

    def print_job(self) -> PrintLayout:
        key = content_key(self.copies, self.options, f"pages {printing_limits()}")
        job = layouts.get(key)
        if job is None:
            job = self._lay_out(self.options)
            layouts.set(key, job, len(job.pages) * PAGE_BYTES)
        return job

    def fewest_pages(self) -> int:
        """The number of pages in the smallest print."""
        return len(self._lay_out(self.options.replace(fit=0).with_scale(printing.SIZES[-1])).pages)

    def _lay_out(self, options: PrintOptions) -> PrintLayout:
        draw = printing.battle_print if len(self.copies) > 1 else roster_print
        return draw(self.copies, options, printing_limits())


def pack_of(copy: PrintableRoster, options: PrintOptions) -> tuple[str, ...]:
    """The codes of the sheets that are printed of a roster if the options name none."""
    job = printing.job(copy, options.replace(sheets=()))
    return tuple(sheet.code for sheet in printing.sheets_to_print(job, copy.system))


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
