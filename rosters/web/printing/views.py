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
from django.utils.translation import gettext as _

from rosters.core.documents import dumps, write
from rosters.models import Roster
from rosters.pdf.job import Settings
from rosters.pdf.layout import TooManyPages
from rosters.registry import System
from rosters.store import writer
from rosters.store.state import document_for_export, visible_state
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.errors import error_page
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.forms import PrintForm, as_query, saved_settings
from rosters.web.printing.service import Copy, Print, printing_limits, roster_print

PREVIEW_SCALE = 1.4
"""Pixels for each point of the first page's picture."""


class InvalidPrintOptions(Exception):
    """Print options that are not valid."""


# ---------------------------------------------------------------- print options


def parse_print_options(system: System, query: QueryDict, saved: Any = None) -> Settings:
    """The settings of a query string over the ``saved`` ones. Raises InvalidPrintOptions, or Http404 for a sheet."""
    return valid_settings(PrintForm(system, query, saved))


def valid_settings(form: PrintForm) -> Settings:
    """The settings of a form. Raises InvalidPrintOptions, or Http404 for a sheet that the system does not have."""
    if form.is_valid():
        return form.settings()
    texts = {name: " ".join(str(error) for error in errors) for name, errors in form.errors.items()}
    if "sheet" in texts:
        raise Http404(texts["sheet"])
    raise InvalidPrintOptions("; ".join(f"{form[name].label}: {text}" for name, text in texts.items()))


# ---------------------------------------------------------------- drawing


def copy_for(request: HttpRequest, roster: Roster, whole: bool) -> Copy:
    """The roster as this visitor may see it, with its address for the QR code."""
    state = visible_state(roster, whole)
    address = request.build_absolute_uri(reverse("shared", args=[roster.token]))
    return Copy(document_for_export(roster, state.document), state.appraisal, state.lines, address)


def content_key(copies: Sequence[Copy], settings: Settings, kind: str) -> str:
    """A hash of everything that a drawing depends on."""
    parts = [kind, settings.model_dump_json()]
    for copy in copies:
        parts += [dumps(write(copy.document)), repr(copy.appraisal), copy.address]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def page_picture(made: Print) -> bytes:
    """The first page as PNG."""
    from io import BytesIO  # noqa: PLC0415 (the renderer is large, and only previews need it)

    import pypdfium2  # noqa: PLC0415

    document = pypdfium2.PdfDocument(made.pdf(last=1))
    try:
        image = document[0].render(scale=PREVIEW_SCALE).to_pil()
    finally:
        document.close()
    out = BytesIO()
    image.convert("L" if not made.settings.colour else "RGB").save(out, "PNG", optimize=False)
    return out.getvalue()


def render_print_errors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 400 with the reason where the options are not valid, or the pages too many."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (InvalidPrintOptions, TooManyPages, printing.NotOneGame) as problem:
            return error_page(request, 400, _("These options cannot be printed"), str(problem))

    return guarded


# ---------------------------------------------------------------- the views


class PrintRequest:
    """A request for a roster's sheets: the copies, the settings, and the pages when they are needed."""

    def __init__(self, ctx: RosterContext, *, saved: bool) -> None:
        request, self.roster, self.editable = ctx.request, ctx.roster, ctx.editable
        whole = self.editable and request.GET.get("others") != "1"
        self.copies = [copy_for(request, self.roster, whole)]
        for other in request.GET.getlist("against"):
            rival, _ = permissions.roster_for(request, token_in(other))
            self.copies.append(copy_for(request, rival, False))
        self.system = self.copies[0].system
        default = saved_settings(self.system, self.roster.print_settings) if saved and self.editable else None
        formations = [formation.name for formation in self.copies[0].document.formations]
        self.form = PrintForm(self.system, request.GET, default, formations)

    @cached_property
    def settings(self) -> Settings:
        """The valid settings. Raises InvalidPrintOptions, or Http404 for a sheet."""
        return valid_settings(self.form)

    def pages(self) -> Print:
        draw = printing.battle_print if len(self.copies) > 1 else roster_print
        return draw(self.copies, self.settings, printing_limits())


def token_in(text: str) -> str:
    """The token in a pasted address, or the text itself."""
    parts = [part for part in text.strip().split("?")[0].split("/") if part]
    place = parts.index("s") + 1 if "s" in parts[:-1] else -1
    return parts[place] if parts else ""


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@roster_view(READ, "GET")
def pdf(ctx: RosterContext) -> HttpResponse:
    """The roster's pack as PDF, or what the address asks for."""
    wanted = PrintRequest(ctx, saved=False)
    key = content_key(wanted.copies, wanted.settings, "pdf")
    response = file_response(ctx.request, key, "application/pdf", lambda: wanted.pages().pdf())
    name = slugify(wanted.copies[0].document.name) or "roster"
    response["Content-Disposition"] = f'inline; filename="{name[:60]}.pdf"'
    return response


@rate_limited("PREVIEWS_A_MINUTE")
@render_print_errors
@roster_view(READ, "GET")
def first_page(ctx: RosterContext) -> HttpResponse:
    """A picture of the first page."""
    wanted = PrintRequest(ctx, saved=True)
    key = content_key(wanted.copies, wanted.settings, "page-one")
    return file_response(ctx.request, key, "image/png", lambda: page_picture(wanted.pages()))


@public_view("GET")
@rate_limited("PDFS_A_MINUTE")
@render_print_errors
def blank(request: HttpRequest, system: System) -> HttpResponse:
    """A game's blank sheets."""
    settings = parse_print_options(system, request.GET)
    key = hashlib.sha256(f"blank {system.slug} {settings.model_dump_json()}".encode()).hexdigest()
    made = printing.blank_print
    response = file_response(request, key, "application/pdf", lambda: made(system, settings, printing_limits()).pdf())
    response["Content-Disposition"] = f'inline; filename="{system.slug}-blank.pdf"'
    return response


def print_context(request: HttpRequest, wanted: PrintRequest) -> dict[str, Any]:
    """What the print page and its preview show."""
    context = {"roster": wanted.roster, "editable": wanted.editable, "system": wanted.system}
    if not wanted.form.is_valid():
        return {**context, "problem": _("Fix the errors of the form.")}
    context["query"] = request.GET.urlencode() or as_query(wanted.settings).urlencode()
    try:
        return {**context, "pages": len(wanted.pages().pages)}
    except (TooManyPages, printing.NotOneGame) as problem:
        return {**context, "problem": str(problem)}


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(READ, "GET", POST=EDIT)
def print_page(ctx: RosterContext) -> HttpResponse:
    """The print page: options beside a picture of page one."""
    request = ctx.request
    if request.method == "POST":
        return redirect_outdated(request, "print", ctx.roster.token)
    wanted = PrintRequest(ctx, saved=True)
    context = print_context(request, wanted)
    status = 200 if wanted.form.is_valid() else 422
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "printing/_print_preview.html", context, status=status)
    if wanted.form.is_valid():
        job = printing.job(wanted.copies[0], wanted.settings.model_copy(update={"sheets": ()}))
        wanted.form.select_sheets([sheet.code for sheet in printing.pack(job, wanted.system)])
    context |= {"form": wanted.form, "against": request.GET.getlist("against")}
    return render(request, "printing/print.html", context, status=status)


@render_print_errors
@roster_view(EDIT, "POST")
def save_as_default(ctx: RosterContext) -> HttpResponse:
    """Save the print options as the roster's default."""
    settings = parse_print_options(ctx.system, QueryDict(ctx.request.POST.get("query", "")))
    writer.save_print_settings(ctx.roster, settings.model_dump(mode="json", exclude={"formations"}))
    messages.success(ctx.request, _("Saved as the default of this roster."))
    return redirect("print", ctx.roster.token)
