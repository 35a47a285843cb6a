"""Searches for forces: the best by exact odds at once, then simulated battles of them by a worker."""

from collections.abc import Sequence
from typing import NamedTuple

from rosters.balance.forces import Offer, Owned, forces_of, propose_forces, split_forces, with_additions, write_offers
from rosters.core import documents
from rosters.core.amounts import Amount, format_exact
from rosters.core.documents import AnyDocument
from rosters.core.findings import Finding
from rosters.models import Report, ReportKind, ReportState, Roster, Shelf
from rosters.store import reports
from rosters.store.access import Requester
from rosters.store.reports import ReportError
from rosters.store.state import hidden_parts


class NoForceFound(ReportError):
    """No legal force is found. ``findings`` are the errors of the best one that is not legal."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("")
        self.findings = findings


class Search(NamedTuple):
    """A search for additions to a roster: from these offers, up to ``points``, and up to ``most`` of each."""

    document: AnyDocument
    offers: Sequence[Offer]
    points: Amount
    most: int | None


def request_search(roster: Roster, search: Search, enemy: Roster, visible: AnyDocument, requester: Requester) -> Report:
    """The report of a search against an enemy, by its ``visible`` document; the report of an equal search is reused.

    Raises NoForceFound. A report whose battles cannot be simulated is failed, and keeps the forces found by odds.
    """
    question = {
        "a": documents.write(search.document),
        "b": documents.write(visible),
        "offers": write_offers(search.offers),
        "points": format_exact(search.points),
        "most": search.most,
    }
    searches = Report.objects.filter(kind=ReportKind.SEARCH, a=roster)
    known, basis = reports.known_report(searches, question)
    if known is not None:
        return known
    proposals = propose_forces(search.document, search.offers, visible, search.points, search.most)
    if not proposals.forces:
        raise NoForceFound(proposals.errors)
    proven = {
        "found": [
            {"counts": each.counts, "worth": each.worth, "points": _text(each.points)} for each in proposals.forces
        ],
        "best": proposals.best,
        "exact": proposals.is_exact,
        "worths": proposals.worths,
    }
    report = Report(kind=ReportKind.SEARCH, a=roster, a_revision=roster.revision, b=enemy, b_revision=enemy.revision)
    report.basis, report.question = basis, {**question, **proven, "hidden": [None, hidden_parts(enemy)]}
    return _enqueue(
        report, [with_additions(search.document, search.offers, proposals.forces[0].counts), visible], requester
    )


class Match(NamedTuple):
    """A search for two forces of owned models, of at most ``points`` each, that differ by at most ``within``.

    ``empty`` is a roster of the game without formations.
    """

    empty: AnyDocument
    owned: Owned
    points: Amount
    within: Amount


def request_match(shelf: Shelf, match: Match, requester: Requester) -> Report:
    """The report of a search for two matched forces from a shelf; that of an equal search is reused.

    Raises NoForceFound.
    """
    empty, owned, points, within = match
    question = {
        "a": documents.write(empty),
        "offers": write_offers([Offer(element, "", is_own=False) for element, _number in owned]),
        "owned": [number for _element, number in owned],
        "points": format_exact(points),
        "within": format_exact(within),
    }
    searches = Report.objects.filter(kind=ReportKind.PAIR, shelf=shelf)
    known, basis = reports.known_report(searches, question)
    if known is not None:
        return known
    splits = split_forces(empty, owned, points, within)
    if not splits:
        raise NoForceFound(())
    report = Report(kind=ReportKind.PAIR, shelf=shelf, basis=basis, question=question | {"found": splits})
    return _enqueue(report, forces_of(empty, owned, splits[0]), requester)


def _enqueue(report: Report, sides: Sequence[AnyDocument], requester: Requester) -> Report:
    """Put a search into the queue; it is failed at once if its battles cannot be simulated."""
    try:
        reports.require_size(sides)
        return reports.enqueue(report, requester)
    except ReportError as error:
        report.state, report.result = ReportState.FAILED, {"errors": [{"path": "", "message": str(error)}]}
    return reports.enqueue(report, requester)


def _text(points: Amount | None) -> str | None:
    return None if points is None else format_exact(points)
