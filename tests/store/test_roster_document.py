"""A roster's current document: one column that comes back as written, and that the migration builds from rows."""

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given

from rosters import registry
from rosters.core import documents
from rosters.models import Element, Roster
from rosters.store import writer
from rosters.store.state import read_document
from tests.strategies import PATIENT, any_documents

pytestmark = [pytest.mark.django_db, pytest.mark.database]

write_documents = import_module("rosters.migrations.0005_roster_document").write_documents


def text(roster):
    return Roster.objects.values_list("document", flat=True).get(pk=roster.pk)


def in_order(value):
    """JSON text with keys by name: PostgreSQL orders those of a profile as it likes."""
    return json.dumps(json.loads(value), sort_keys=True) if connection.vendor == "postgresql" else value


@PATIENT
@given(any_documents())
def test_a_document_comes_back_as_written_and_the_migration_builds_the_same_from_rows(data):
    roster = writer.create(registry.read(data)).roster
    with CaptureQueriesContext(
        connection,
    ) as queries:
        document = read_document(Roster.objects.get(pk=roster.pk))
    assert len(queries) == 2, "the roster and its document"
    written = text(roster)
    assert written == documents.dumps(documents.write(document))
    Roster.objects.filter(pk=roster.pk).update(document="")
    write_documents(apps, None)
    assert in_order(text(roster)) == in_order(written)
    assert read_document(Roster.objects.get(pk=roster.pk)) == document


def test_the_migration_may_be_run_again_and_leaves_what_is_written(monkeypatch):
    monkeypatch.setattr("rosters.migrations.0005_roster_document.BATCH_SIZE", 3)
    rosters = [*Roster.objects.defer(None).order_by("pk")]
    Roster.objects.exclude(pk=rosters[0].pk).update(document="")
    Element.objects.filter(roster=rosters[0]).delete()
    write_documents(apps, None)
    assert [in_order(text(roster)) for roster in rosters] == [in_order(roster.document) for roster in rosters]
    with CaptureQueriesContext(connection) as queries:
        write_documents(apps, None)
    assert len(queries) == 1


def test_a_roster_that_was_changed_since_it_was_read_is_brought_up_to_date():
    stale = Roster.objects.filter(sample=None).first() or Roster.objects.first()
    writer.apply_edit(stale, lambda document: document.model_copy(update={"name": "Renamed"}), "Renamed")
    assert (read_document(stale).name, stale.name, stale.revision) == ("Renamed", "Renamed", 2)
