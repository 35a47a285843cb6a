"""The queue of fairness reports and searches for forces: requested on a page, worked on by `manage.py worker`.

Django's tasks start the work, but know neither progress nor the end of a worker. So the report's own row has the
tallies so far and a lease that the worker renews. A report whose lease has expired goes back into the queue and is
continued after its last tally, with the same result as without the interruption. If that tally is no longer the one
that its trial gives, it begins anew.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks_db.models import DBTaskResult

from rosters import registry
from rosters.balance import forces
from rosters.balance import report as balance
from rosters.balance.report import BLOCK, Settings, Study, Tally, Trial
from rosters.core import documents
from rosters.core.documents import AnyDocument, Fault, InvalidDocument
from rosters.core.messages import Message, translate
from rosters.core.odds import SIDES
from rosters.models import Battle, Force, Report, ReportKind, ReportState, Roster
from rosters.store.access import Requester
from rosters.store.revisions import secret_ids
from rosters.store.state import current_document, hidden_parts

try:
    from django.tasks import task
except ImportError:  # Django 5.2
    from django_tasks import task  # type: ignore[no-redef]

SEED = 1
"""The seed of all reports, so that two reports of the same forces simulate the same battles."""
LEASE = timedelta(seconds=60)
LATE = timedelta(seconds=10)
"""The page says that no worker has started if a report has waited this long."""
SAVE_SECONDS = 0.3
"""The time after which a worker saves its progress and reads whether to stop."""
MAX_MODELS, MAX_LINES = 400, 100
"""Models and elements of both forces together. Each element is a variant, and memory grows with the product of both
sides: 200 against 200 would take hours and 1.5 GB.
"""
MAX_SECONDS = 900
"""The processor time after which a worker gives up a report, so that the next one in the queue can run."""
TURN_SECONDS = 30
"""The processor time after which a report lets others go first: three long ones would hold a worker for 45 minutes."""
LATER = -1
"""The priority of a client's second report, and of one that had its turn: first reports of others (0) go before."""
MAX_REPORTS = 20
"""The most finished reports that are stored for one battle, roster or shelf: older ones are removed."""
LISTED_BY: Mapping[str, str] = {ReportKind.FAIRNESS: "battle", ReportKind.SEARCH: "a", ReportKind.PAIR: "shelf"}
"""What the reports of each kind belong to."""
QUEUE_LOCK = 0x7265706F7274
"""The advisory lock of whoever counts and extends the queue on PostgreSQL; any number that nobody else takes."""
IN_QUEUE = (ReportState.WAITING, ReportState.RUNNING)
log = logging.getLogger("armybuilder.reports")


class ReportError(Exception):
    """Why no report is created, as a sentence."""


# ---------------------------------------------------------------- requested


def request_report(
    battle: Battle, fielded: Sequence[Force], states: Sequence[AnyDocument], requester: Requester
) -> Report:
    """The report of two forces, of which everybody sees these documents: the one that there is, or a new one in the
    queue. Raises ReportError.
    """
    a, b = fielded
    question = question_of(states)
    known, basis = known_report(battle.reports.all(), question)
    if known is not None:
        return known
    require_size(states)
    rosters = {"a": a.roster, "b": b.roster, "a_revision": a.revision, "b_revision": b.revision}
    hidden = [hidden_parts(force.roster) for force in fielded]
    report = Report(battle=battle, basis=basis, question=question | {"hidden": hidden}, **rosters)
    return enqueue(report, requester)


def request_again(report: Report, states: Sequence[AnyDocument], requester: Requester) -> Report:
    """Put a removed report back into the queue, with the documents of its revisions as everybody sees them.

    Raises ReportError if they, or the rules, are not those that its figures were of.
    """
    question = question_of(states)
    known, basis = known_report(Report.objects.filter(pk=report.pk), question)
    if known is not None:
        return known
    if basis != report.basis:
        raise ReportError(
            _(
                "These figures cannot be computed again: the rules, the battle’s terms or what the rosters hide have "
                "changed since. Simulate the battle as it is now."
            )
        )
    require_size(states)
    report.question |= question
    report.state, report.stop, report.created = ReportState.WAITING, False, timezone.now()
    return enqueue(report, requester)


def question_of(states: Sequence[AnyDocument]) -> dict[str, Any]:
    """The input of a fairness report: both documents."""
    return dict(zip(SIDES, map(documents.write, states), strict=True))


def known_report(reports: QuerySet[Report], question: Mapping[str, Any]) -> tuple[Report | None, str]:
    """The one of these reports that has or will have the answer, if there is one; and the basis of the question."""
    edition = registry.SYSTEMS[question["a"]["system"]].rules.EDITION
    basis = sha256(documents.dumps([question, SEED, edition]).encode()).hexdigest()
    return _with_basis(reports, basis), basis


def _with_basis(reports: QuerySet[Report], basis: str) -> Report | None:
    return reports.filter(basis=basis, state__in=[*IN_QUEUE, ReportState.DONE]).first()


def enqueue(report: Report, requester: Requester) -> Report:
    """Save a new report and put it into the queue if it waits; or the equal one that was requested at the same time.

    Raises ReportError if there is no place in the queue.
    """
    report.seed, report.edition = SEED, registry.SYSTEMS[report.system].rules.EDITION
    report.browser, report.network = requester
    with transaction.atomic():
        others = _lock_others(report)
        known = _with_basis(others, report.basis)
        if known is not None:
            return known
        is_waiting = report.state == ReportState.WAITING
        own = _require_place(report.network) if is_waiting else 0
        _remove_oldest(others.exclude(pk=report.pk))
        report.save()
        if is_waiting:
            run_report.using(priority=LATER if own else 0).enqueue(report.pk)
    return report


def _lock_others(report: Report) -> QuerySet[Report]:
    """The reports of the same battle or shelf, or the searches for the same roster, for one writer at a time."""
    field = LISTED_BY[report.kind]
    subject = getattr(report, field)
    list(type(subject)._default_manager.select_for_update(no_key=True).filter(pk=subject.pk).values_list("pk"))
    return Report.objects.filter(kind=report.kind, **{field: subject})


def _remove_oldest(others: QuerySet[Report]) -> None:
    """Make room for one more within `MAX_REPORTS`: delete the oldest that have ended.

    The link of a fairness report may have been passed on: its row stays, without documents and figures, and says how to
    compute it again.
    """
    for old in others.exclude(state__in=[*IN_QUEUE, ReportState.REMOVED])[MAX_REPORTS - 1 :]:
        if old.kind == ReportKind.FAIRNESS and old.state == ReportState.DONE:
            old.question = {"a": {"system": old.system}, "hidden": old.question["hidden"]}
            old.state, old.tallies, old.result = ReportState.REMOVED, [], {}
            old.save()
        else:
            old.delete()


def require_size(states: Sequence[AnyDocument]) -> None:
    """Raise ReportError if two forces are empty or too large."""
    fighters = [[element.quantity for element in document.elements if element.quantity] for document in states]
    models, lines = [sum(each) for each in fighters], sum(map(len, fighters))
    if not all(models):
        raise ReportError(_("A side without models cannot fight: add some first."))
    if sum(models) > MAX_MODELS:
        message = _("The forces have %(models)d models; battles of up to %(most)d are simulated.")
        raise ReportError(message % {"models": sum(models), "most": MAX_MODELS})
    if lines > MAX_LINES:
        message = _("The forces have %(lines)d elements; battles of up to %(most)d are simulated.")
        raise ReportError(message % {"lines": lines, "most": MAX_LINES})


def _require_place(network: str) -> int:
    """The number of this client's reports in the queue. Raises ReportError if it is full, of theirs or altogether.

    Until the transaction ends nobody else takes the place: on SQLite each transaction is the only one that writes.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [QUEUE_LOCK])
    queue = Report.objects.filter(state__in=IN_QUEUE)
    own = queue.filter(network=network).count()
    if settings.REPORTS_AT_ONCE and own >= settings.REPORTS_AT_ONCE:
        message = _("%(number)d of your reports are waiting or being worked on. Please wait until one is done.")
        raise ReportError(message % {"number": own})
    if settings.MOST_REPORTS and queue.count() >= settings.MOST_REPORTS:
        raise ReportError(_("Too many reports are waiting. Please try again in some minutes."))
    return own


def is_still_visible(report: Report) -> bool:
    """Whether nothing of the rosters of others has been hidden since the report was requested."""
    sides = zip(SIDES, (report.a, report.b), report.question["hidden"], strict=True)
    return all(
        then is None or (list(hidden_parts(roster)) == then and not _names_secrets(roster, report.question.get(side)))
        for side, roster, then in sides
    )


def _names_secrets(roster: Roster, document: Any) -> bool:
    """Whether a roster hides an element that a report has as a visible one: it has become secret since."""
    return bool(roster.hide_secrets and document and "formations" in document) and bool(
        secret_ids(roster, current_document(roster), registry.read(document))
    )


def documents_of(report: Report) -> tuple[AnyDocument, AnyDocument]:
    """Both rosters of a report as everybody saw them."""
    return registry.read(report.question["a"]), registry.read(report.question["b"])


def owned_of(report: Report) -> tuple[AnyDocument, forces.Owned, list[forces.Split]]:
    """The terms of matched forces as an empty roster, the models owned, and the splits."""
    empty, offers = registry.read(report.question["a"]), forces.read_offers(report.system, report.question["offers"])
    owned = [(offer.element, number) for offer, number in zip(offers, report.question["owned"], strict=True)]
    return empty, owned, [forces.Split(tuple(a), tuple(b)) for a, b in report.question["found"]]


def progress_of(row: Report, planned: int) -> dict[str, Any]:
    """The battles fought so far, and about how many there will be; whether a worker is missing; what went wrong."""
    fought, planned = len(row.tallies) * BLOCK, max(planned, len(row.tallies)) * BLOCK
    texts = {"fought": f"{fought:,}", "planned": f"{planned:,}", "usual": f"{balance.BATTLES:,}"}
    return {
        "progress": {"value": fought, "max": planned, **texts},
        "is_late": row.state == ReportState.WAITING and timezone.now() - row.created > LATE and not _is_worked_on(),
        "errors": row.result["errors"] if row.state == ReportState.FAILED else [],
    }


def _is_worked_on() -> bool:
    """Whether a worker has any report."""
    return Report.objects.filter(state=ReportState.RUNNING, lease__gt=timezone.now()).exists()


def stop(report: Report) -> None:
    """End a report that is not done: at once if it waits, else after the trial in progress."""
    Report.objects.filter(pk=report.pk, state=ReportState.WAITING).update(state=ReportState.STOPPED)
    Report.objects.filter(pk=report.pk, state=ReportState.RUNNING).update(stop=True)


# ---------------------------------------------------------------- worked on


@task()
def run_report(pk: int, worked: float = 0) -> None:
    """Work on a report that waits, unless another worker has it. ``worked``: the seconds of its turns before."""
    lease = timezone.now() + LEASE
    claimed = Report.objects.filter(pk=pk, state=ReportState.WAITING)
    if claimed.update(state=ReportState.RUNNING, lease=lease):
        report = Report.objects.filter(pk=pk, lease=lease).first()
        if report is not None:
            _work_on(report, worked)


class TurnOver(Exception):
    """Other reports wait; ``seconds`` is the processor time of this turn."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


def _work_on(report: Report, worked: float) -> None:
    """Run the trials that have no tally yet, and save the result."""
    ends: dict[str, Any]
    try:
        if report.tallies and not _may_continue(report):
            report.tallies = []
        result = _finish(report, STUDIES[report.kind](report), worked)
        ends = {"state": ReportState.DONE, "result": result} if result else {"state": ReportState.STOPPED}
    except TurnOver as over:
        ends = {"state": ReportState.WAITING}
        worked += over.seconds
    except InvalidDocument as error:
        faults = [{"path": fault.path, "message": translate(fault.message)} for fault in error.faults]
        ends = {"state": ReportState.FAILED, "result": {"errors": faults}}
    except Exception:
        _leased(report).update(state=ReportState.FAILED, result={"errors": []}, lease=None)
        raise
    with transaction.atomic():
        has_lease = _leased(report).update(tallies=report.tallies, lease=None, **ends)
        if has_lease and ends["state"] == ReportState.WAITING:
            run_report.using(priority=LATER).enqueue(report.pk, worked)


def _may_continue(report: Report) -> bool:
    """Whether the last tally that is saved is still that of its trial: an upgrade may have changed rules or trials."""
    study, last = STUDIES[report.kind](report), report.tallies[-1]
    try:
        trial = next(study)
        for tally in report.tallies[:-1]:
            trial = study.send(Tally(*tally))
    except StopIteration:
        return False
    return bool([*fight(trial, report.seed)] == last)


def _leased(report: Report) -> QuerySet[Report]:
    """The row of a report as long as this worker has its lease: another one may have it when it has expired."""
    return Report.objects.filter(pk=report.pk, state=ReportState.RUNNING, lease=report.lease)


def study_of(a: AnyDocument, b: AnyDocument) -> Study:
    """The study of two forces from its beginning. Raises InvalidDocument."""
    system = registry.SYSTEMS[a.system]
    return balance.study(a, b, system.varied, system.battle, settings_of(a.system))


def _search(report: Report) -> Study:
    a, b = documents_of(report)
    offers = forces.read_offers(report.system, report.question["offers"])
    selections = [forces.with_additions(a, offers, each["counts"]) for each in report.question["found"]]
    return forces.search(selections, b, settings_of(report.system))


def _match(report: Report) -> Study:
    empty, owned, splits = owned_of(report)
    return forces.match([forces.forces_of(empty, owned, each) for each in splits], settings_of(report.system))


STUDIES: Mapping[str, Callable[[Report], Study]] = {
    ReportKind.FAIRNESS: lambda report: study_of(*documents_of(report)),
    ReportKind.SEARCH: _search,
    ReportKind.PAIR: _match,
}
"""The study of each kind of report, from its beginning. They raise InvalidDocument."""


def settings_of(system: str) -> Settings:
    """Both sides are played alike, the best player first: a report is about the forces, not about mistakes."""
    return Settings(tuple(reversed(registry.SYSTEMS[system].battle.POLICIES)))


def _finish(report: Report, study: Study, worked: float = 0) -> dict[str, Any] | None:
    """The result of a study, of which the first trials have tallies; None if somebody stopped it or took it over.

    Raises TurnOver if others wait, and InvalidDocument if it takes too long, with what was ``worked`` before.
    """
    tallies, saved, start = iter([*report.tallies]), time.monotonic(), time.process_time()
    try:
        trial = next(study)
        while True:
            known = next(tallies, None)
            tally = Tally(*known) if known else fight(trial, report.seed)
            if known is None:
                report.tallies.append([*tally])
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                if _save_progress(report):
                    return None
                seconds = time.process_time() - start
                if worked + seconds > MAX_SECONDS:
                    raise InvalidDocument(
                        [Fault("", _("These battles take too long to simulate: compare fewer models."))]
                    )
                if known is None and seconds > TURN_SECONDS and has_tasks():
                    raise TurnOver(seconds)
            trial = study.send(tally)
    except StopIteration as stopped:
        result: dict[str, Any] = stopped.value
        return result


def _save_progress(report: Report) -> bool:
    """Save the tallies and renew the lease. True if the report should stop, is gone, or another worker's."""
    lease = timezone.now() + LEASE
    _leased(report).update(tallies=report.tallies, lease=lease)
    report.lease = lease
    return _leased(report).values_list("stop", flat=True).first() is not False


def fight(trial: Trial, seed: int) -> Tally:
    """The tally of a trial. Raises InvalidDocument."""
    from rosters.balance.arena import Arena  # noqa: PLC0415 - imports NumPy, which no page needs

    outcome = Arena(trial.a, trial.b, dict.fromkeys(SIDES, trial.policy)).fight(BLOCK, seed, trial.first)
    wins, losses = int((outcome.winner > 0).sum()), int((outcome.winner < 0).sum())
    turns, a_left, b_left = (float(each.sum()) for each in (outcome.turns, outcome.a_left, outcome.b_left))
    return Tally(wins, losses, BLOCK - wins - losses, turns, a_left, b_left)


def replay(report: Report, battle: int) -> list[Message]:
    """The log of one battle of a report, counted from 0, die by die, without points that a roster hides."""
    from rosters.balance.arena import Arena  # noqa: PLC0415

    a, b = documents_of(report)
    policy = settings_of(a.system).policies[0]
    hidden = [side for side, roster in zip(SIDES, (report.a, report.b), strict=True) if roster and roster.hide_points]
    return Arena(a, b, dict.fromkeys(SIDES, policy)).replay(battle, report.seed, hidden)


# ---------------------------------------------------------------- the queue


def requeue_abandoned() -> int:
    """Put reports whose worker has ended back into the queue; their number.

    A task that is lost with its worker before it has begun leaves a report that waits while the queue is empty. A lease
    that ends later than any can is of a clock that was set back.
    """
    now = timezone.now()
    without_worker = Q(state=ReportState.RUNNING) & (Q(lease__lt=now) | Q(lease__gt=now + 2 * LEASE))
    if not DBTaskResult.objects.ready().exists():
        without_worker |= Q(state=ReportState.WAITING, created__lt=now - LEASE)
    abandoned, number = Report.objects.filter(without_worker), 0
    for pk, token in abandoned.values_list("pk", "token"):
        with transaction.atomic():
            if abandoned.filter(pk=pk).update(state=ReportState.WAITING, lease=None):  # else it has ended meanwhile
                log.warning("Report %s is continued: its worker has ended.", token)
                run_report.using(priority=LATER).enqueue(pk)
                number += 1
    return number


def has_tasks() -> bool:
    """Whether a task is ready. Reads alone, while django-tasks-db locks the whole database to ask."""
    return bool(DBTaskResult.objects.ready().exists())


def forget_finished_tasks() -> None:
    """Delete the rows of tasks that have ended: reports keep what they need, which is not who requested them."""
    DBTaskResult.objects.finished().delete()
    Report.objects.exclude(network="").exclude(state__in=IN_QUEUE).update(network="")
