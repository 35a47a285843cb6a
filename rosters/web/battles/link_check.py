"""The link check for tournament organizers: which of many rosters are legal, and why not, as a page and as CSV."""

import csv
import time
from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy, ngettext

from rosters import registry
from rosters.core.amounts import Amount, format_decimal
from rosters.core.appraisals import RosterState
from rosters.exports import listing
from rosters.exports.csv import escape_formula
from rosters.models import Revision, Roster
from rosters.registry import System
from rosters.store.state import visible_state
from rosters.web.battles import service as battles
from rosters.web.battles.forms import MAX_LINKS, LinkCheckForm, error_status
from rosters.web.http import permissions
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.links import Link, parse_link, version_path

UNKNOWN = gettext_lazy("There is no roster at this link.")
TOO_MUCH = gettext_lazy("Not checked: these rosters are too large to check at once. Check fewer links.")
MAX_SECONDS = 10
"""The processor time of a check: 200 versions of the largest rosters would take a minute."""
MAX_REASONS = 20
"""Reasons that are listed for one roster."""
COLUMNS = ("link", "name", "game", "points", "limit", "legal", "reasons", "edition", "revision")


class LinkCheck(NamedTuple):
    """A pasted line and the check of its roster as others see it; without the document, since many are checked at once.

    Without a roster, all but ``text`` and ``reasons`` is empty. ``reasons`` say why it is not legal.
    """

    text: str
    reasons: tuple[str, ...]
    address: str = ""
    name: str = ""
    system: System | None = None
    points: Amount | None = None
    limit: Amount | None = None
    legal: bool = False
    edition: str = ""
    revision: int = 0
    newest: int = 0

    def row(self) -> tuple[Any, ...]:
        """The columns of the CSV."""
        reasons = escape_formula(" ".join(self.reasons))
        if self.system is None:
            return (escape_formula(self.text), "", "", "", "", "", reasons, "", "")
        points, limit = format_decimal(self.points), format_decimal(self.limit)
        figures = self.system.name, points, limit, "yes" if self.legal else "no"
        return (self.address, escape_formula(self.name), *figures, reasons, self.edition, self.revision)


def check_links(request: HttpRequest, lines: list[str]) -> Iterator[LinkCheck]:
    """Each line with its roster, in the order in which they were pasted. A link that is repeated is checked once."""
    links, visitor = [parse_link(line) for line in lines], permissions.visitor_of(request)
    rosters = {r.token: r for r in Roster.objects.filter(token__in={link.token for link in links}, binned=None)}

    stop = time.thread_time() + MAX_SECONDS

    @cache
    def check_link(link: Link) -> LinkCheck:
        if time.thread_time() > stop:
            return LinkCheck("", (str(TOO_MUCH),))
        roster = rosters.get(link.token)
        state = None if roster is None or battles.is_hidden(roster, visitor) else _state(roster, link)
        unknown = LinkCheck("", (str(UNKNOWN),))
        return unknown if roster is None or state is None else _check_link(request, roster, link, state)

    yield from (check_link(link)._replace(text=line) for line, link in zip(lines, links, strict=True))


def _state(roster: Roster, link: Link) -> RosterState | None:
    """The roster as others see it, at the version that the link names; None where there is no such version."""
    if link.version is None:
        return visible_state(roster, complete=False)
    try:
        return battles.visible_state_of(roster, battles.locked_revision(roster, link.version).document, complete=False)
    except Revision.DoesNotExist:
        return None


def _check_link(request: HttpRequest, roster: Roster, link: Link, state: RosterState) -> LinkCheck:
    document, appraisal = state.document, state.appraisal
    reasons = listing.reasons(document, appraisal)
    if len(reasons) > MAX_REASONS:
        more = len(reasons) - MAX_REASONS
        reasons[MAX_REASONS:] = [ngettext("And %(n)d more reason.", "And %(n)d more reasons.", more) % {"n": more}]
    return LinkCheck(
        "",
        tuple(reasons),
        request.build_absolute_uri(version_path(roster, link.version)),
        document.name,
        registry.SYSTEMS[roster.system],
        appraisal.points,
        listing.budget(appraisal),
        appraisal.legal,
        appraisal.edition,
        link.version or roster.revision,
        roster.revision,
    )


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
    legal = len([row for row in rows if row.legal])
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
