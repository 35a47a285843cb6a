"""Requests for sheets: their options, what they print and its key, and the answer if that cannot be printed."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rosters.core.cache import MemoryCache
from rosters.core.documents import text_of
from rosters.core.messages import translate
from rosters.models import Roster
from rosters.pdf.job import PrintOptions
from rosters.pdf.shaping import TooLarge
from rosters.registry import System
from rosters.store.print_defaults import print_default
from rosters.store.snapshots import state_in_play
from rosters.store.state import document_for_export
from rosters.web.context import RosterContext
from rosters.web.http import permissions
from rosters.web.http.conditional import release
from rosters.web.http.errors import error_page
from rosters.web.printing import service as printing
from rosters.web.printing.forms import (
    CopiesForm,
    PrintForm,
    saved_options,
)
from rosters.web.printing.service import PrintableRoster, PrintLayout, printing_limits, roster_print
from rosters.web.sharing.versions import exported_version

layouts = MemoryCache[str, PrintLayout](16 << 20)
"""The latest prints, by the key of their content: the pictures of all pages are drawn from one layout."""
PAGE_BYTES = 64 << 10
"""The memory of the blocks of a page, estimated."""


class InvalidPrintOptions(Exception):
    """Print options that are not valid."""


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


def render_print_errors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 400 with the reason if the options are not valid or the pages too many."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (InvalidPrintOptions, TooLarge, printing.NotOneGame) as problem:
            return error_page(request, 400, _("These options cannot be printed"), translate(problem.args[0]))

    return guarded


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
