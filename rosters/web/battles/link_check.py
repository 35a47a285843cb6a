"""Many links at once, for whoever runs a tournament day: legal or not, and why, as a page and as CSV."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rosters import registry
from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal
from rosters.core.documents import AnyDocument
from rosters.exports import listing
from rosters.exports.csv import escape_formula
from rosters.models import Revision, Roster, Visibility
from rosters.registry import System
from rosters.store.state import RosterState, visible_state
from rosters.web.battles import service as battles
from rosters.web.battles.service import Link
from rosters.web.http import permissions
from rosters.web.http.errors import error_page
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import rate_limited

MAX_LINKS = 200
MAX_CHARACTERS = 100_000
UNKNOWN = "There is no roster at this address."
COLUMNS = ("link", "name", "game", "points", "limit", "legal", "reasons", "edition", "revision")


class LinkCheck(NamedTuple):
    """A pasted line, and the roster that it leads to as others see it; without one, all else is empty."""

    text: str
    address: str = ""
    revision: int = 0
    newest: int = 0
    system: System | None = None
    document: AnyDocument | None = None
    appraisal: Appraisal | None = None

    @property
    def points(self) -> str:
        return format_amount(self.appraisal.points) if self.appraisal else ""

    @property
    def limit(self) -> str:
        return listing.budget(self.appraisal) if self.appraisal else ""

    @property
    def reasons(self) -> list[str]:
        """Why it is not legal; or that there is nothing."""
        if self.document is None or self.appraisal is None:
            return [UNKNOWN]
        return listing.reasons(self.document, self.appraisal)

    def row(self) -> tuple[Any, ...]:
        """The line as the columns of the CSV."""
        if self.system is None or self.document is None or self.appraisal is None:
            return (escape_formula(self.text), "", "", "", "", "", UNKNOWN, "", "")
        legal = "yes" if self.appraisal.legal else "no"
        named = escape_formula(self.document.name), self.system.name, self.points, self.limit
        return (
            self.address,
            *named,
            legal,
            escape_formula(" ".join(self.reasons)),
            self.appraisal.edition,
            self.revision,
        )


def check_links(request: HttpRequest, lines: list[str]) -> Iterator[LinkCheck]:
    """Every line with what it leads to, in the order in which they were pasted."""
    links = [battles.link_in(line) for line in lines]
    found = {r.token: r for r in Roster.objects.filter(token__in={link.token for link in links}, binned=None)}
    for line, link in zip(lines, links, strict=True):
        roster = found.get(link.token)
        closed = (
            roster is not None and roster.visibility == Visibility.CLOSED and not permissions.may_edit(request, roster)
        )
        state = None if roster is None or closed else _state(roster, link)
        yield LinkCheck(line) if roster is None or state is None else _check_link(request, line, roster, link, state)


def _state(roster: Roster, link: Link) -> RosterState | None:
    """The roster as others see it, at the revision that the link names; None where there is no such revision."""
    if link.revision is None:
        return visible_state(roster, False)
    try:
        return battles.visible_document(roster, battles.pinned_revision(roster, link.revision).document, False)
    except Revision.DoesNotExist:
        return None


def _check_link(request: HttpRequest, line: str, roster: Roster, link: Link, state: RosterState) -> LinkCheck:
    revision, system = link.revision or roster.revision, registry.SYSTEMS[roster.system]
    address = request.build_absolute_uri(battles.address_of(roster, link.revision))
    return LinkCheck(line, address, revision, roster.revision, system, state.document, state.appraisal)


@public_view("GET", "POST")
def check(request: HttpRequest) -> HttpResponse:
    """Paste links, one a line."""
    return (
        results(request)
        if request.method == "POST"
        else render(request, "battles/link_check.html", {"most": MAX_LINKS})
    )


@rate_limited("CHECKS_A_MINUTE")
def results(request: HttpRequest) -> HttpResponse:
    """The table of what was pasted, or the same as CSV."""
    text = request.POST.get("links", "")
    if len(text) > MAX_CHARACTERS:
        return error_page(request, 413, "That is too much text", f"Paste {MAX_LINKS} links at most, one a line.")
    lines = battles.lines_in(text)
    if not lines or len(lines) > MAX_LINKS:
        trouble = (
            f"These are {len(lines)} lines; {MAX_LINKS} are checked at once." if lines else "Paste some links first."
        )
        context = {"links": text, "trouble": trouble, "most": MAX_LINKS}
        return render(request, "battles/link_check.html", context, status=422)
    rows = list(check_links(request, lines))
    if request.POST.get("as") == "csv":
        return as_csv(rows)
    legal = len([row for row in rows if row.appraisal and row.appraisal.legal])
    context = {"links": text, "rows": rows, "legal": legal, "most": MAX_LINKS}
    return render(request, "battles/link_check.html", context)


def as_csv(rows: list[LinkCheck]) -> HttpResponse:
    """The table for a spreadsheet; every row ends with CR and LF."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    table.writerows(row.row() for row in rows)
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="rosters.csv"'
    return response
