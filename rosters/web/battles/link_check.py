"""The link check for tournament organizers: which of many rosters are legal, and why not, as a page and as CSV."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

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
from rosters.web.battles.forms import MAX_LINKS, LinkCheckForm, error_status
from rosters.web.http import permissions
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.links import Link, parse_link, version_path

UNKNOWN = gettext_lazy("There is no roster at this link.")
COLUMNS = ("link", "name", "game", "points", "limit", "legal", "reasons", "edition", "revision")


class LinkCheck(NamedTuple):
    """A pasted line and its roster as others see it; without a roster, all else is empty."""

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
        """Why it is not legal, or that there is no roster."""
        if self.document is None or self.appraisal is None:
            return [str(UNKNOWN)]
        return listing.reasons(self.document, self.appraisal)

    def row(self) -> tuple[Any, ...]:
        """The columns of the CSV."""
        if self.system is None or self.document is None or self.appraisal is None:
            return (escape_formula(self.text), "", "", "", "", "", str(UNKNOWN), "", "")
        legal = "yes" if self.appraisal.legal else "no"
        name, reasons = escape_formula(self.document.name), escape_formula(" ".join(self.reasons))
        figures = self.system.name, self.points, self.limit, legal
        return (self.address, name, *figures, reasons, self.appraisal.edition, self.revision)


def check_links(request: HttpRequest, lines: list[str]) -> Iterator[LinkCheck]:
    """Each line with its roster, in the order in which they were pasted."""
    links = [parse_link(line) for line in lines]
    rosters = {r.token: r for r in Roster.objects.filter(token__in={link.token for link in links}, binned=None)}
    for line, link in zip(lines, links, strict=True):
        roster = rosters.get(link.token)
        state = None if roster is None or _is_hidden(request, roster) else _state(roster, link)
        yield LinkCheck(line) if roster is None or state is None else _check_link(request, line, roster, link, state)


def _is_hidden(request: HttpRequest, roster: Roster) -> bool:
    return roster.visibility == Visibility.CLOSED and not permissions.may_edit(request, roster)


def _state(roster: Roster, link: Link) -> RosterState | None:
    """The roster as others see it, at the version that the link names; None where there is no such version."""
    if link.version is None:
        return visible_state(roster, False)
    try:
        return battles.visible_document(roster, battles.pinned_revision(roster, link.version).document, False)
    except Revision.DoesNotExist:
        return None


def _check_link(request: HttpRequest, line: str, roster: Roster, link: Link, state: RosterState) -> LinkCheck:
    revision, system = link.version or roster.revision, registry.SYSTEMS[roster.system]
    address = request.build_absolute_uri(version_path(roster, link.version))
    return LinkCheck(line, address, revision, roster.revision, system, state.document, state.appraisal)


@public_view("GET", "POST")
def check(request: HttpRequest) -> HttpResponse:
    """Show the form; POST checks the links."""
    if request.method == "POST":
        return results(request)
    return render(request, "battles/link_check.html", {"form": LinkCheckForm(), "max": MAX_LINKS})


@rate_limited("CHECKS_A_MINUTE")
def results(request: HttpRequest) -> HttpResponse:
    """Check the links, and show the rows as a table or send them as CSV."""
    form = LinkCheckForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "max": MAX_LINKS}
        return render(request, "battles/link_check.html", context, status=error_status(form))
    rows = list(check_links(request, form.lines))
    if form.cleaned_data["as"] == "csv":
        return as_csv(rows)
    legal = len([row for row in rows if row.appraisal and row.appraisal.legal])
    context = {"form": form, "rows": rows, "legal": legal, "max": MAX_LINKS}
    return render(request, "battles/link_check.html", context)


def as_csv(rows: list[LinkCheck]) -> HttpResponse:
    """The rows as CSV for a spreadsheet; each ends with CR and LF."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    table.writerows(row.row() for row in rows)
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="rosters.csv"'
    return response
