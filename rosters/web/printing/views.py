"""Printing: the PDF of a roster, the page that chooses what to print, blank sheets, and pictures of page one."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rosters.core.appraisals import stored_text
from rosters.core.cache import MemoryCache
from rosters.core.documents import text_of
from rosters.core.messages import translate
from rosters.models import Roster
from rosters.pdf.job import PrintOptions
from rosters.pdf.layout import TooManyPages
from rosters.registry import System
from rosters.store import writer
from rosters.store.play import state_in_play
from rosters.store.state import document_for_export
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.errors import error_page
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.forms import QUERY_NAMES, CopiesForm, PrintForm, as_query, saved_options
from rosters.web.printing.service import PrintableRoster, PrintJob, printing_limits, roster_print
from rosters.web.sharing.cached import shared_view

PREVIEW_SCALE = 1.4
"""Pixels for each point of the first page's picture."""


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
    """A hash of everything that a drawing depends on."""
    parts = [kind, get_language() or "", options.model_dump_json()]
    for copy in copies:
        parts += [text_of(copy.state.document), stored_text(copy.state.appraisal, copy.state.lines), copy.url]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def page_picture(job: PrintJob) -> bytes:
    """The first page as PNG."""
    from io import BytesIO  # noqa: PLC0415 (the renderer is large, and only previews need it)

    import pypdfium2  # noqa: PLC0415

    document = pypdfium2.PdfDocument(job.pdf(last=1))
    try:
        image = document[0].render(scale=PREVIEW_SCALE).to_pil()
    finally:
        document.close()
    out = BytesIO()
    image.convert("L" if not job.options.colour else "RGB").save(out, "PNG", optimize=False)
    return out.getvalue()


def render_print_errors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 400 with the reason if the options are not valid or the pages too many."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (InvalidPrintOptions, TooManyPages, printing.NotOneGame) as problem:
            return error_page(request, 400, _("These options cannot be printed"), translate(problem.args[0]))

    return guarded


# ---------------------------------------------------------------- the views


class PrintRequest:
    """A request for a roster's sheets: the copies, the options, and the pages, which are laid out on demand."""

    def __init__(self, ctx: RosterContext, *, saved: bool) -> None:
        request, self.roster, self.editable = ctx.request, ctx.roster, ctx.editable
        self.copies_form = CopiesForm(request.GET)
        self.copies_form.is_valid()  # always true
        query = self.copies_form.cleaned_data
        self.copies = [copy_for(request, self.roster, complete=self.editable and not query["others"])]
        for link in query["against"]:
            opponent, _editable = permissions.roster_for(request, link.token)
            self.copies.append(copy_for(request, opponent, complete=False))
        self.system = self.copies[0].system
        default = saved_options(self.system, self.roster.print_settings) if saved and self.editable else None
        formations = [formation.name for formation in self.copies[0].state.document.formations]
        self.form = PrintForm(self.system, request.GET, default, formations)

    @cached_property
    def options(self) -> PrintOptions:
        """The valid options. Raises InvalidPrintOptions, or Http404 for a sheet."""
        return valid_options(self.form)

    def print_job(self) -> PrintJob:
        draw = printing.battle_print if len(self.copies) > 1 else roster_print
        return draw(self.copies, self.options, printing_limits())


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@shared_view(*QUERY_NAMES, ordinary="against")
def pdf(ctx: RosterContext) -> HttpResponse:
    """Send the roster's pack as PDF, or the sheets that the query names, as others see them."""
    return _pdf(ctx)


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@roster_view(EDIT, "GET")
def own_pdf(ctx: RosterContext) -> HttpResponse:
    """Send the complete pack, unless the query has ``others``."""
    return _pdf(ctx)


def _pdf(ctx: RosterContext) -> HttpResponse:
    printed = PrintRequest(ctx, saved=False)
    key = content_key(printed.copies, printed.options, "pdf")
    response = file_response(ctx.request, key, "application/pdf", lambda: printed.print_job().pdf())
    name = slugify(printed.copies[0].state.document.name) or "roster"
    response["Content-Disposition"] = f'inline; filename="{name[:60]}.pdf"'
    return response


@rate_limited("PREVIEWS_A_MINUTE")
@render_print_errors
@shared_view(*QUERY_NAMES, ordinary="against")
def first_page(ctx: RosterContext) -> HttpResponse:
    """Send a picture of the first page, as others see it."""
    return _first_page(ctx)


@rate_limited("PREVIEWS_A_MINUTE")
@render_print_errors
@roster_view(EDIT, "GET")
def own_first_page(ctx: RosterContext) -> HttpResponse:
    """Send a picture of the complete first page, unless the query has ``others``."""
    return _first_page(ctx)


def _first_page(ctx: RosterContext) -> HttpResponse:
    printed = PrintRequest(ctx, saved=True)
    key = content_key(printed.copies, printed.options, "page-one")
    return file_response(ctx.request, key, "image/png", lambda: page_picture(printed.print_job()))


@public_view("GET")
@rate_limited("PDFS_A_MINUTE")
@render_print_errors
def blank(request: HttpRequest, system: System) -> HttpResponse:
    """Send a game's blank sheets."""
    options = parse_print_options(system, request.GET)
    key = hashlib.sha256(f"blank {system.slug} {options.model_dump_json()}".encode()).hexdigest()

    def draw() -> bytes:
        return printing.blank_print(system, options, printing_limits()).pdf()

    response = file_response(request, key, "application/pdf", draw)
    response["Content-Disposition"] = f'inline; filename="{system.slug}-blank.pdf"'
    return response


page_counts = MemoryCache[str, int](1 << 20)
"""The number of pages by content key, cached because counting requires a complete layout."""


def print_context(request: HttpRequest, printed: PrintRequest) -> dict[str, Any]:
    """What the print page and its preview show."""
    context = {"roster": printed.roster, "editable": printed.editable, "system": printed.system}
    if not printed.form.is_valid():
        return {**context, "problem": _("Fix the errors of the form.")}
    context["query"] = request.GET.urlencode() or as_query(printed.options).urlencode()
    key = content_key(printed.copies, printed.options, "pages")
    try:
        count = page_counts.get(key) or len(printed.print_job().pages)
        page_counts.set(key, count)
        return {**context, "pages": count}
    except (TooManyPages, printing.NotOneGame) as problem:
        return {**context, "problem": problem.args[0]}


@rate_limited("PRINT_PAGES_A_MINUTE")
@roster_view(READ, "GET", POST=EDIT)
def print_page(ctx: RosterContext) -> HttpResponse:
    """Show the print options beside a picture of page one; for htmx, the picture alone."""
    request = ctx.request
    if request.method == "POST":
        return redirect_outdated(request, "print", ctx.roster.token)
    printed = PrintRequest(ctx, saved=True)
    context = print_context(request, printed)
    status = 200 if printed.form.is_valid() else 422
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "printing/_print_preview.html", context, status=status)
    if printed.form.is_valid():
        job = printing.job(printed.copies[0], printed.options.model_copy(update={"sheets": ()}))
        printed.form.select_sheets([sheet.code for sheet in printing.sheets_to_print(job, printed.system)])
    context |= {"form": printed.form, "copies_form": printed.copies_form}
    return render(request, "printing/print.html", context, status=status)


@render_print_errors
@roster_view(EDIT, "POST")
def save_as_default(ctx: RosterContext) -> HttpResponse:
    """Save the print options as the roster's default."""
    options = parse_print_options(ctx.system, QueryDict(ctx.request.POST.get("query", "")))
    writer.save_print_settings(ctx.roster, options.model_dump(mode="json", exclude={"formations"}), ctx.visitor)
    messages.success(ctx.request, _("Saved as the default of this roster."))
    return redirect("print", ctx.roster.token)
