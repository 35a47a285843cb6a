"""Printing: the PDF of a roster, the page that chooses what to print, blank sheets, and pictures of page one."""

import hashlib
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from pydantic import ValidationError

from rosters.core.documents import dumps, write
from rosters.forms.element_form import error_messages
from rosters.models import Roster
from rosters.pdf.job import Settings
from rosters.pdf.layout import PAPERS, TooManyPages
from rosters.registry import System
from rosters.store import writer
from rosters.store.state import document_for_export, visible_state
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.errors import error_page
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.service import Copy, Print, printing_limits, roster_print

PREVIEW_SCALE = 1.4
"""Pixels for each point of the first page's picture."""
SWITCHES = ("points", "merge", "receipts", "marks", "large", "colour", "fillable")


class InvalidPrintOptions(Exception):
    """A print setting that there is not."""


# ---------------------------------------------------------------- what is asked for


def parse_print_options(system: System, query: QueryDict, kept: dict[str, Any]) -> Settings:
    """The settings that an address asks for; without any, those ``kept``. Raises Unaskable, or Http404 for a sheet.

    An address that a form made says ``asked``, and leaves out the switches that are off.
    """
    whole = "asked" in query
    data: dict[str, Any] = {} if whole else dict(kept)
    if "paper" in query:
        data["paper"] = query["paper"]
    for name in ("sheet", "formation"):
        if name in query or whole:
            data[f"{name}s"] = [_number(word) if name == "formation" else word for word in query.getlist(name)]
    for name in SWITCHES:
        if name in query or whole:
            data[name] = query.get(name, "0") not in ("0", "")
    own = {code: query[code] for code in printing.choices_of(system) if code in query}
    data["choices"] = {**data.get("choices", {}), **own}
    return _valid(system, data)


def _number(word: str) -> int:
    if not word.isascii() or not word.isdigit():
        raise InvalidPrintOptions(f"{word[:40]!r} is no number of a formation.")
    return int(word[:9])


def _valid(system: System, data: dict[str, Any]) -> Settings:
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        raise InvalidPrintOptions("; ".join(f"{field}: {text}" for field, text in error_messages(error))) from None
    for code in settings.sheets:
        if code not in printing.sheets_of(system):
            raise Http404(f"{system.name} has no sheet {code[:60]!r}.")
    for code, answer in settings.choices.items():
        choice = printing.choices_of(system).get(code)
        if choice is None or answer not in choice.answers:
            raise InvalidPrintOptions(f"{code[:40]}: {answer[:40]!r} is no choice.")
    return settings


def saved_print_settings(system: System, roster: Roster) -> dict[str, Any]:
    """The print settings that are kept with a roster, as far as its sheets still know them."""
    try:
        return _valid(system, roster.print_settings).model_dump(mode="json")
    except (InvalidPrintOptions, Http404):
        return {}


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
    """Tell on a page what cannot be printed, and why."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (InvalidPrintOptions, TooManyPages, printing.NotOneGame) as trouble:
            return error_page(request, 400, "That cannot be printed", str(trouble))

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
        base = saved_print_settings(self.system, self.roster) if saved and self.editable else {}
        self.settings = parse_print_options(self.system, request.GET, base)

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
    settings = parse_print_options(system, request.GET, {})
    key = hashlib.sha256(f"blank {system.slug} {settings.model_dump_json()}".encode()).hexdigest()
    made = printing.blank_print
    response = file_response(request, key, "application/pdf", lambda: made(system, settings, printing_limits()).pdf())
    response["Content-Disposition"] = f'inline; filename="{system.slug}-blank.pdf"'
    return response


class PrintForm(forms.Form):
    """The print settings of one system."""

    def __init__(self, system: System, settings: Settings, formations: Sequence[str], pack: Sequence[str]) -> None:
        super().__init__()
        sheets = printing.sheets_of(system).values()
        chosen = settings.sheets or pack
        self.fields["sheet"] = _many("Sheets", [(sheet.code, sheet.name) for sheet in sheets], chosen)
        self.fields["paper"] = _one("Paper", [(code, paper.name) for code, paper in PAPERS.items()], settings.paper)
        for code, choice in printing.choices_of(system).items():
            usual = next(iter(choice.answers))
            self.fields[code] = _one(choice.label, [*choice.answers.items()], settings.choices.get(code, usual))
        for name in SWITCHES:
            if name in ("points", "receipts") and not system.rules.WORDS.points:
                continue
            field = Settings.model_fields[name]
            self.fields[name] = forms.BooleanField(
                required=False, label=field.title, help_text=field.description or "", initial=getattr(settings, name)
            )
        names = [(str(number), name) for number, name in enumerate(formations)]
        if len(names) > 1:
            self.fields["formation"] = _many(
                system.rules.WORDS.formations, names, [str(n) for n in settings.formations]
            )


def _many(label: str, choices: list[tuple[str, str]], chosen: Sequence[str]) -> forms.Field:
    return forms.MultipleChoiceField(
        label=label, choices=choices, initial=list(chosen), required=False, widget=forms.CheckboxSelectMultiple
    )


def _one(label: str, choices: list[tuple[str, str]], chosen: str) -> forms.Field:
    return forms.ChoiceField(label=label, choices=choices, initial=chosen)


def print_context(request: HttpRequest, wanted: PrintRequest) -> dict[str, Any]:
    """What the print page and its preview show."""
    query = request.GET.urlencode() or urlencode(_as_query(wanted.settings), doseq=True)
    context = {"roster": wanted.roster, "editable": wanted.editable, "system": wanted.system, "query": query}
    try:
        return {**context, "pages": len(wanted.pages().pages)}
    except (TooManyPages, printing.NotOneGame) as trouble:
        return {**context, "trouble": str(trouble)}


def _as_query(settings: Settings) -> dict[str, Any]:
    """Settings as the form would send them."""
    data = settings.model_dump(mode="json")
    switches = {name: "1" for name in SWITCHES if data[name]}
    lists = {"sheet": data["sheets"], "formation": data["formations"]}
    return {"asked": "1", "paper": data["paper"], **lists, **switches, **data["choices"]}


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@render_print_errors
@roster_view(READ, "GET", POST=EDIT)
def print_page(ctx: RosterContext) -> HttpResponse:
    """The print page: settings beside a picture of page one. Those who may edit can keep their settings."""
    request = ctx.request
    if request.method == "POST":
        return save_settings(ctx)
    wanted = PrintRequest(ctx, saved=True)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "printing/_print_preview.html", print_context(request, wanted))
    made = printing.job(wanted.copies[0], wanted.settings.model_copy(update={"sheets": ()}))
    pack = [sheet.code for sheet in printing.pack(made, wanted.system)]
    formations = [formation.name for formation in wanted.copies[0].document.formations]
    form = PrintForm(wanted.system, wanted.settings, formations, pack)
    context = {"form": form, "against": request.GET.getlist("against"), "switches": SWITCHES}
    return render(request, "printing/print.html", {**context, **print_context(request, wanted)})


def save_settings(ctx: RosterContext) -> HttpResponse:
    """Save what the form says as the roster's default."""
    settings = parse_print_options(ctx.system, QueryDict(ctx.request.POST.get("query", "")), {})
    writer.save_print_settings(ctx.roster, settings.model_dump(mode="json", exclude={"formations"}))
    messages.success(ctx.request, "Saved as the default of this roster.")
    return redirect("print", ctx.roster.token)
