"""Deleting while others edit: it succeeds, and whoever comes too late gets 410 or 404."""

import threading

import pytest
from django.contrib.auth import get_user_model

from rosters.models import Element, Revision, Roster
from rosters.store import writer
from rosters.web.builder.forms import RosterPageForm
from tests.concurrency import before_next_call, run_in_threads
from tests.people import PASSWORD
from tests.store.test_writer import rename

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def roster(owner):
    """Of an account in which the owner is signed in."""
    account = get_user_model().objects.create_user("anna", "anna@example.com", PASSWORD)
    owner.force_login(account)
    return owner.copy_sample(owner=account)


def delete_account(owner, roster):
    return owner.submit("/account/delete", password=PASSWORD)


def empty_bin(owner, roster):
    writer.move_to_bin(roster)
    return owner.submit("/mine/bin/empty")


DELETES = pytest.mark.parametrize("delete", [delete_account, empty_bin])


@DELETES
def test_who_comes_too_late_gets_410_and_the_next_time_404(owner, friend, roster, monkeypatch, delete):
    """The roster is deleted between the permission and the change."""
    friend.get(roster.edit_link)
    friend.raise_request_exception = False
    before_next_call(monkeypatch, RosterPageForm, "__init__", lambda: run_in_threads(lambda: delete(owner, roster)))
    assert friend.post_to(roster, "formation/add").status_code == 410
    assert friend.post_to(roster, "formation/add").status_code == 404


@DELETES
def test_deleting_waits_for_a_change_and_takes_its_rows_along(owner, roster, monkeypatch, delete):
    save, answers, started = writer._save, [], threading.Event()

    def start_deleting():
        started.set()
        answers.extend(run_in_threads(lambda: answers.append(delete(owner, roster).status_code)))

    thread = threading.Thread(target=start_deleting)

    def save_slowly(*arguments):
        thread.start()
        started.wait()
        thread.join(0.3)
        save(*arguments)

    monkeypatch.setattr(writer, "_save", save_slowly)
    assert writer.apply_edit(roster, rename("B"), "Renamed")
    thread.join()
    left = [model.objects.filter(roster=roster.pk).count() for model in (Revision, Element)]
    assert (answers, left, Roster.objects.filter(pk=roster.pk).exists()) == ([302], [0, 0], False)


@DELETES
def test_many_rosters_are_deleted_in_several_transactions(owner, roster, monkeypatch, delete):
    for _ in range(2):
        owner.copy_sample(owner=roster.owner, binned=roster.changed)
    at_once, deleted = writer._delete_at_once, []
    monkeypatch.setattr(writer, "DELETED_AT_ONCE", 1)
    monkeypatch.setattr(
        writer, "_delete_at_once", lambda *given: [number := at_once(*given), deleted.append(number)][0]
    )
    delete(owner, roster)
    assert (deleted, Roster.objects.filter(sample=None).exists()) == ([1, 1, 1], False)


@pytest.mark.parametrize("failing", [False, True])
def test_only_who_has_no_account_any_more_is_signed_out(owner, roster, monkeypatch, failing):
    owner.raise_request_exception = False
    if failing:
        monkeypatch.setattr(writer, "delete_account", lambda owner: 1 / 0)
    assert delete_account(owner, roster).status_code == (500 if failing else 302)
    assert owner.get("/account/").status_code == (200 if failing else 302)
