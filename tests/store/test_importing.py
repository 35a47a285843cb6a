"""An import is saved in many transactions, between which others write, and becomes visible in one."""

import pytest
from django.db import OperationalError
from django.utils import timezone

from rosters.models import PlayState, Roster
from rosters.ops import integrity
from rosters.store import bulk, importing, writer
from tests.concurrency import run_in_threads
from tests.people import reload
from tests.strategies import fleet
from tests.support import read, roster_data

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
DOCUMENTS = tuple(read(roster_data("msc", [{"engine": engine, "marks": [{"engine": 1}]}])) for engine in (1, 2))


def imported_by(person):
    return importing.save(importing.ParsedSources(DOCUMENTS, (), ()), browser=person.browser)


def test_others_write_while_an_import_is_worked_out_and_between_its_batches(owner, monkeypatch):
    other, compute, folders = writer.create(fleet()).roster, writer.compute_state, []

    def write_meanwhile(folder):
        assert run_in_threads(lambda: writer.update_roster(other, folder=folder)) == []
        folders.append(reload(other).folder)

    def compute_slowly(document):
        write_meanwhile("appraised")
        return compute(document)

    for module in (bulk, writer):
        monkeypatch.setattr(module, "compute_state", compute_slowly)
    monkeypatch.setattr(bulk, "MAX_BATCH_ELEMENTS", 1)
    monkeypatch.setattr(bulk, "pause_for_writers", lambda: write_meanwhile("between"))
    assert len(imported_by(owner)) == 2
    writer.create(DOCUMENTS[0])
    assert folders == ["appraised", "between"] * 2 + ["between", "appraised"]


def test_what_a_failed_import_leaves_is_nobodys_and_deleted_with_the_bin(owner, monkeypatch):
    insert = bulk._insert_rosters

    def fail_later(bundles):
        if Roster.objects.filter(sample=None).exists():
            raise OperationalError("the disk is full")
        insert(bundles)

    monkeypatch.setattr(bulk, "MAX_BATCH_ELEMENTS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(bulk, "_insert_rosters", fail_later)
        with pytest.raises(OperationalError):
            imported_by(owner)
    [left] = Roster.objects.filter(sample=None)
    assert [owner.roster_names(), left.owner, left.creator, [*left.browsers.all()]] == [[], None, None, []]
    assert writer.empty_bin(timezone.now()).deleted == 1
    assert len(imported_by(owner)) == len(owner.roster_names()) == 2
    assert [*integrity.check()][-1].fault is None
    assert PlayState.objects.count() == 2, "damage in a document is that of the roster in play"
