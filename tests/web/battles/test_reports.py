"""Fairness reports: requested on the battle's page, worked on by a worker that may be killed, and seen by who may."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from rosters import registry
from rosters.balance.report import Tally
from rosters.core.edits import replace_element
from rosters.models import Report, ReportState
from rosters.store import reports, writer
from rosters.store.access import Requester
from rosters.web.battles import reports as views
from tests.balance.test_report import by_models
from tests.concurrency import committed, run_in_threads
from tests.people import ELEMENTS, SHIP, document_of, reload, url_of
from tests.support import roster_data

pytestmark = pytest.mark.usefixtures("without_limits")

FIGHT = reports.fight


@pytest.fixture(autouse=True)
def counted_models(monkeypatch):
    """What becomes of a report does not depend on how its battles end: who has more models wins more of them."""
    monkeypatch.setattr(reports, "fight", lambda trial, seed: by_models(trial))


def fleet(name, quantity, **root):
    return roster_data("msc", [{**SHIP, "quantity": quantity, "name": f"{name} class"}], name=name, **root)


@pytest.fixture
def asked(owner):
    """The address of a report that the owner of the battle has requested."""
    battle = owner.create_battle(owner.create(fleet("Red", 1)), owner.create(fleet("Blue", 3)))
    return owner.post(f"{url_of(battle)}/reports").url


SLOW_WORKER = """
import time
import django
django.setup()
from django.core.management import call_command
from rosters.store import reports
from tests.balance.test_report import by_models
reports.fight = lambda trial, seed: (time.sleep(0.2), by_models(trial))[1]
reports.SAVE_SECONDS = 0
call_command("worker", "--batch")
"""


def work():
    """What a worker does until the queue is empty."""
    reports.requeue_abandoned()
    while task := DBTaskResult.objects.ready().first():
        task.claim("a worker")
        reports.run_report.call(*task.args_kwargs["args"])
        task.set_successful(None)


def test_a_report_waits_is_worked_on_once_and_always_shows_the_same(owner, stranger, asked, monkeypatch):
    """With battles that are really fought."""
    monkeypatch.setattr(reports, "BLOCK", 50)
    monkeypatch.setattr(reports, "fight", FIGHT)
    assert stranger.context(asked)["report"].state == ReportState.WAITING
    work()
    page = stranger.context(asked)
    report = page["report"]
    assert (report.state, page["leader"].key, page["handicap"]["roster"]) == (ReportState.DONE, "lose", "Red")
    assert [each.key for each in page["outcomes"]] == ["win", "draw", "lose"]
    assert sum(each.width for each in page["outcomes"]) == pytest.approx(100)
    assert all(page["handicap"][each] for each in ("models", "points"))
    turns = stranger.context(f"{asked}/replay?battle=2")["turns"]
    assert {side for _turn, events, _sides in turns for side, _event in events} >= {"a", "b"}
    lost = {side: sum(line.lost for turn in turns for line in turn.sides.get(side, ())) for side in ("a", "b")}
    left = {side: lines[0].left for side, lines in turns[-2].sides.items()}
    assert {side: lost[side] + left[side] for side in lost} == {"a": 1, "b": 3}
    assert 0 in left.values()
    again = owner.post(asked.rpartition("/")[0]).url
    assert (again, Report.objects.count()) == (asked, 1)


def test_a_report_counts_half_of_the_draws_and_figures_where_there_are_no_points_that_are_shown(owner, monkeypatch):
    monkeypatch.setattr(reports, "fight", lambda trial, seed: Tally(200, 100, 200))
    for system, hidden, totals in (("urutsk", False, ["1", "2"]), ("msc", True, ["", "30"])):
        sides = ({**ELEMENTS[system], "quantity": quantity} for quantity in (1, 2))
        one, two = (owner.create(roster_data(system, [each], name=str(each["quantity"]))) for each in sides)
        writer.update_roster(one, hide_points=hidden)
        asked = owner.post(f"{url_of(owner.create_battle(one, two))}/reports").url
        work()
        page = owner.context(asked)
        sides = [each for each in page["outcomes"] if each.roster]
        assert [each.total for each in sides] == totals
        assert [each.percent for each in sides] == [page["base"], 100 - page["base"]] == [60, 40]
        end = owner.context(f"{asked}/replay")["turns"][-1][0]
        assert ("Left of Blue: hidden" in end, "of Red: hidden" in end) == (hidden, False)


def test_a_report_is_stopped_by_who_requested_it_or_may_edit_a_roster_and_can_be_requested_anew(
    owner, asked, monkeypatch, friend, stranger
):
    owner.post(f"{asked}/stop")
    work()
    assert owner.context(asked)["report"].state == ReportState.STOPPED
    monkeypatch.setattr(reports, "MAX_REPORTS", 1)
    again = owner.post(asked.rpartition("/")[0]).url
    assert (again != asked, Report.objects.count()) == (True, 1), "older ones without figures are deleted"
    fight = reports.fight
    monkeypatch.setattr(reports, "SAVE_SECONDS", 0)
    monkeypatch.setattr(reports, "fight", lambda *trial: (owner.post(f"{again}/stop"), fight(*trial))[1])
    work()
    report = owner.context(again)["report"]
    assert (report.state, len(report.tallies), report.result) == (ReportState.STOPPED, 1, {})
    Report.objects.all().delete()
    asked = stranger.post(asked.rpartition("/")[0]).url
    assert [each.context(asked)["may_stop"] for each in (owner, friend, stranger)] == [True, False, True]
    for person, state in ((friend, ReportState.WAITING), (stranger, ReportState.STOPPED)):
        person.post(f"{asked}/stop")
        assert Report.objects.get().state == state


def test_the_link_of_a_removed_report_computes_the_same_figures_again_unless_the_rules_changed(
    owner, stranger, asked, monkeypatch
):
    work()
    before, kept = Report.objects.get(), ("question", "tallies", "result", "basis", "a_revision", "b_revision", "seed")
    monkeypatch.setattr(reports, "MAX_REPORTS", 1)
    writer.apply_edit(before.b, lambda document: document.replace(notes="Changed."), "Notes")
    before.battle.forces.filter(roster=before.b).update(revision=2)
    newer = owner.post(asked.rpartition("/")[0]).url
    removed = stranger.context(asked)["report"]
    assert (newer != asked, removed.state, removed.result) == (True, ReportState.REMOVED, {})
    assert "formations" not in removed.question["a"]
    assert [stranger.post(f"{asked}/again").url for _ in range(2)] == [asked] * 2
    work()
    assert [getattr(reload(before), name) for name in kept] == [getattr(before, name) for name in kept]
    Report.objects.filter(pk=before.pk).update(state=ReportState.REMOVED)
    monkeypatch.setattr(registry.SYSTEMS["msc"].rules, "EDITION", "another")
    assert (stranger.post(f"{asked}/again").status_code, reload(before).state) == (422, ReportState.REMOVED)


@pytest.mark.parametrize("save_seconds", [0, 60])
def test_a_worker_whose_report_another_one_took_over_changes_nothing(asked, monkeypatch, save_seconds):
    fight, theirs = reports.fight, timezone.now() + 2 * reports.LEASE
    monkeypatch.setattr(reports, "SAVE_SECONDS", save_seconds)
    monkeypatch.setattr(reports, "fight", lambda *trial: (Report.objects.update(lease=theirs), fight(*trial))[1])
    work()
    report = Report.objects.get()
    assert (report.state, report.lease, report.tallies, report.result) == (ReportState.RUNNING, theirs, [], {})


def test_a_report_that_an_upgrade_interrupted_begins_anew(asked):
    work()
    done = Report.objects.get()
    wins, losses, *rest = done.tallies[1]
    Report.objects.update(state=ReportState.WAITING, result={}, tallies=[done.tallies[0], [losses + 1, wins, *rest]])
    reports.run_report.enqueue(done.pk)
    work()
    again = reload(done)
    assert (again.state, again.tallies, again.result) == (ReportState.DONE, done.tallies, done.result)


def test_a_killed_workers_report_is_continued_after_the_clock_was_set_back_and_one_that_ends_stays_ended(
    asked, monkeypatch
):
    Report.objects.update(state=ReportState.RUNNING, lease=timezone.now() + 5 * reports.LEASE)
    assert (reports.requeue_abandoned(), Report.objects.get().state) == (1, ReportState.WAITING)
    Report.objects.update(state=ReportState.RUNNING, lease=timezone.now())
    atomic = reports.transaction.atomic

    def ended_before(*args, **options):
        Report.objects.update(state=ReportState.DONE)
        return atomic(*args, **options)

    monkeypatch.setattr(reports.transaction, "atomic", ended_before)
    assert (reports.requeue_abandoned(), Report.objects.get().state) == (0, ReportState.DONE)


def test_nothing_secret_fights_and_what_is_hidden_later_hides_the_report(owner, stranger):
    ships = [{**SHIP, "name": "Seen", "quantity": 2}, {**SHIP, "name": "Ghost", "secret": True, "quantity": 9}]
    red, blue = owner.create(roster_data("msc", ships), hide_secrets=True), owner.create(fleet("Blue", 2))
    asked = owner.post(f"{url_of(owner.create_battle(red, blue))}/reports").url
    work()
    assert "Ghost" not in json.dumps(Report.objects.values_list("question", "result")[0])
    assert stranger.context(asked)["is_even"]
    seen = next(element for element in document_of(red).elements if element.name == "Seen")
    for is_secret, status in ((True, 404), (False, 200)):
        writer.apply_edit(reload(red), replace_element(seen.replace(secret=is_secret)), "Secret")
        assert stranger.get(asked).status_code == owner.get(asked).status_code == status
    writer.update_roster(reload(blue), hide_points=True)
    assert stranger.get(asked).status_code == owner.get(asked).status_code == 404


def test_an_empty_side_and_a_full_queue_are_refused_and_nothing_waits(owner, asked, settings):
    settings.MOST_REPORTS = 1
    other = owner.create_battle(owner.create(fleet("Red", 2)), owner.create(fleet("Blue", 3)))
    empty = owner.create_battle(owner.create(fleet("Red", 0)), owner.create(fleet("Blue", 3)))
    refused = [owner.post(f"{url_of(battle)}/reports").status_code for battle in (other, empty)]
    settings.MOST_REPORTS = 0
    lines = owner.create(roster_data("msc", [{**SHIP, "name": str(number)} for number in range(100)]))
    refused.append(
        owner.post(f"{url_of(owner.create_battle(lines, owner.create(fleet('Blue', 1))))}/reports").status_code
    )
    assert (refused, Report.objects.count()) == ([422, 422, 422], 1)


def test_two_equal_requests_at_once_make_one_report_and_a_client_has_few_in_the_queue(
    owner, asked, settings, monkeypatch
):
    first = Report.objects.get()
    at_once = Report(battle=first.battle, a=first.a, b=first.b, basis=first.basis, question=first.question)
    assert reports.enqueue(at_once, Requester(owner.browser, "")) == first
    settings.REPORTS_AT_ONCE = 2
    battles = [
        owner.create_battle(owner.create(fleet("Red", 1)), owner.create(fleet("Blue", number))) for number in (4, 5)
    ]
    assert [owner.post(f"{url_of(battle)}/reports").status_code for battle in battles] == [302, 422]
    assert owner.post(f"{url_of(battles[1])}/reports", REMOTE_ADDR="192.0.2.1").status_code == 302
    assert owner.post(asked.rpartition("/")[0]).url == asked, "an equal one is no further one"
    monkeypatch.setattr(reports, "MAX_SECONDS", 0)
    work()
    reports.forget_finished_tasks()
    assert {*Report.objects.values_list("network", flat=True)} == {""}


def test_a_report_that_takes_too_long_ends_and_says_so(owner, asked, monkeypatch):
    monkeypatch.setattr(reports, "SAVE_SECONDS", 0)
    monkeypatch.setattr(reports, "MAX_SECONDS", 0)
    work()
    page = owner.context(asked)
    assert (page["report"].state, len(page["errors"])) == (ReportState.FAILED, 1)


def test_long_reports_take_turns_and_have_the_same_figures_as_alone(owner, asked, monkeypatch):
    work()
    alone, fought, fight = Report.objects.get(), [], reports.fight
    other = owner.create_battle(owner.create(fleet("Red", 1)), owner.create(fleet("Blue", 2)))
    Report.objects.update(state=ReportState.WAITING, tallies=[], result={})
    reports.run_report.enqueue(alone.pk)
    assert owner.post(f"{url_of(other)}/reports").status_code == 302
    monkeypatch.setattr(reports, "SAVE_SECONDS", 0)
    monkeypatch.setattr(reports, "TURN_SECONDS", 0)
    monkeypatch.setattr(reports, "fight", lambda trial, seed: (fought.append(str(trial.b)), fight(trial, seed))[1])
    work()
    assert fought[0] != fought[1], "one battle of the first, then the other's turn"
    assert {each.state for each in Report.objects.all()} == {ReportState.DONE}
    assert [getattr(reload(alone), name) for name in ("tallies", "result")] == [alone.tallies, alone.result]


def test_the_first_report_of_a_client_goes_before_the_second_of_another(owner, asked, monkeypatch):
    worked, red = [], owner.create(fleet("Red", 1))
    second, of_another = (owner.create_battle(red, owner.create(fleet("Blue", number))) for number in (2, 3))
    owner.post_to(second, "reports")
    owner.post(f"{url_of(of_another)}/reports", REMOTE_ADDR="192.0.2.1")
    monkeypatch.setattr(reports, "_work_on", lambda report, _worked: worked.append(report.battle))
    work()
    assert worked[1:] == [of_another, second]


@pytest.mark.database
@committed
def test_of_six_reports_that_a_client_requests_at_once_in_as_many_battles_few_are_queued(owner, settings):
    settings.REPORTS_AT_ONCE = 2
    red, statuses = owner.create(fleet("Red", 1)), []
    fights = [owner.create_battle(red, owner.create(fleet("Blue", number))) for number in range(1, 7)]
    requests = (lambda at=each: statuses.append(owner.post_to(at, "reports").status_code) for each in fights)
    assert run_in_threads(*requests) == []
    assert (sorted(statuses), Report.objects.count()) == ([302] * 2 + [422] * 4, 2)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_is_followed_by_one_that_continues_and_ends_with_the_same_result(asked, monkeypatch):
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}"}
    worker = subprocess.Popen([sys.executable, "-c", SLOW_WORKER], env=environment)
    report = Report.objects.get()
    while not report.tallies:
        assert worker.poll() is None, "it has ended before it saved anything"
        time.sleep(0.05)
        report.refresh_from_db()
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    fought, fight = [], reports.fight
    monkeypatch.setattr(reports, "fight", lambda *trial: (fought.append(trial), fight(*trial))[1])
    work()  # the lease of the killed one has not ended
    assert reload(report).state == ReportState.RUNNING
    Report.objects.update(lease=timezone.now())
    work()
    continued, undisturbed = reload(report), Report(question=report.question, seed=report.seed, tallies=[])
    assert len(fought) <= len(continued.tallies), "only the last of the killed one is fought again, to compare it"
    monkeypatch.setattr(reports, "SAVE_SECONDS", 60)
    result = reports._finish(undisturbed, reports.study_of(*reports.documents_of(undisturbed)))
    assert continued.result == json.loads(json.dumps(result))
    assert continued.tallies == [[*tally] for tally in undisturbed.tallies]


SQUAD = {"movement": 15, "to_hit": 5, "range": 0, "save": 6, "power": 3, "armor": 1, "morale": 1}
MOVE_OR_FIRE = {**SQUAD, "save": 7, "movement": 20, "capabilities": [{"code": "MoF"}]}
STAT = {"kind": "stat", "step": 0, "code": None}
STEPS = [  # (side, step of a field or what is removed, its name, the side that it should help)
    ("a", {"field": "save", "step": -1}, "Save 6+ → 5+", "a"),
    ("b", {"field": "save", "step": -1}, "Save better by 1", "b"),
    ("a", {"field": "to_hit", "step": 1}, "To hit 5+ → 6+", "b"),
    ("a", {"field": "power", "step": -1}, "Power 3 → 2", "b"),
    ("a", {"field": "movement", "step": 5}, "Movement 15 → 20\xa0cm", "a"),
    ("b", {"field": "movement", "step": -5}, "Movement worse by 5\xa0cm", "a"),
    ("a", {"field": "range", "step": 5}, "Range – → 5\xa0cm", "a"),
    ("b", {"field": "capabilities", "code": "MoF"}, "Without Move or fire", "b"),
    ("a", {"kind": "fewer", "place": 0}, "Without Squad", "b"),
]


def test_a_change_says_what_a_stat_becomes_and_only_what_should_help_the_weaker_side_is_recommended():
    sides = ([{**SQUAD, "name": "Squad"}], [{**SQUAD, "name": "Squad"}, MOVE_OR_FIRE])
    documents = {side: registry.read(roster_data("mini-combat", each)) for side, each in zip("ab", sides, strict=True)}
    variants = [{**STAT, "side": side, "difference": 0.1, **change} for side, change, _name, _helped in STEPS]
    rows = [*views._variant_rows(registry.SYSTEMS["mini-combat"], documents, variants, 44)]
    assert [(row.side, row.name, row.helped) for row in rows] == [
        (side, name, helped) for side, _change, name, helped in STEPS
    ]
    assert {row.is_reversed for row in rows if row.helped == "b"} == {True}
    assert {row.helped for row in views._evening(rows, "a")} == {"a"}
    armour = {"type": "TNK", "quality": "average", "armour": "light"}
    tanks = registry.read(roster_data("6mm", [armour, {"type": "WORKS"}]))
    steps = [{**STAT, "side": "a", "difference": 0, "field": each, "step": 1} for each in ("armour", "quality")]
    names = [row.name for row in views._variant_rows(registry.SYSTEMS["6mm"], {"a": tanks}, steps, 50)]
    assert names == ["Armor light → medium", "Quality average → good"]
