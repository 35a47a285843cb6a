"""The streaming replica: what it may answer, and how its age is measured. It is a copy of the SQLite file here."""

import re
import sqlite3
from contextlib import closing
from math import inf
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection, connections

from rosters.core import edits
from rosters.models import Roster
from rosters.store import replica, state, writer
from rosters.web.sharing import cached
from tests.people import SHIP
from tests.support import roster_data

FLEET = roster_data("msc", [SHIP], name="Zyzzyva")


@pytest.fixture
def copied(transactional_db, tmp_path, monkeypatch):
    """A function that copies the database to the replica, which then is recent."""
    if connection.vendor != "sqlite":
        pytest.skip("copies an SQLite file")
    settings = connection.settings_dict | {"NAME": str(tmp_path / "replica.sqlite3")}
    monkeypatch.setitem(connections.databases, "replica", settings)
    monkeypatch.setattr(replica, "age", age := replica.ReplicaAge())

    def copy():
        connection.ensure_connection()
        with closing(sqlite3.connect(settings["NAME"])) as to:
            connection.connection.backup(to)
        connections["replica"].connect()
        age.as_of, age._due = replica.time.monotonic(), inf
        return age

    yield copy
    connections["replica"].close()
    del connections["replica"]


def test_a_recent_replica_is_read_and_never_for_what_is_old_hidden_closed_or_deleted(owner, stranger, copied):
    roster = owner.create(FLEET, visibility="listed")
    age, copies = copied(), Roster.objects.using("replica").filter(pk=roster.pk)
    copies.update(document=roster.document.replace("Zyzzyva", "Copy"))

    def shown():
        """What the roster's text and Browse show of the name, and whether of the points; nothing is cached."""
        state._cache.clear()
        cached.clear_responses()
        text = stranger.get(f"/s/{roster.token}.txt")
        page = stranger.get("/books/?q=zyzzyva")
        assert (text.status_code in (200, 404), page.status_code) == (True, 200)
        names = re.findall("Copy|Zyzzyva", text.content.decode()), page.context["page"].rosters
        return "".join(names[0][:1]), "15 BP" in text.content.decode(), [(each.name, each.points) for each in names[1]]

    listed = [("Zyzzyva", 15)]
    assert shown() == ("Copy", True, listed)
    writer.update_roster(roster, hide_points=True)
    assert shown() == ("Copy", False, [("Zyzzyva", None)])
    writer.update_roster(roster, hide_points=False)
    age.as_of -= 6
    assert shown() == ("Zyzzyva", True, listed), "it is too old"
    age.as_of += 6
    with connections["replica"].execute_wrapper(gone):
        assert shown() == ("Zyzzyva", True, listed)
    assert age.as_of == -inf, "it is left alone until it is measured again"
    age.as_of = replica.time.monotonic()
    writer.update_roster(roster, visibility="closed")
    assert shown() == ("", False, [])
    writer.update_roster(roster, visibility="listed")
    writer.apply_edit(roster, edits.settings(name="Zyzzyva II"), "Renamed")
    assert shown() == ("Zyzzyva", True, [("Zyzzyva II", 15)]), "the replica has another revision"
    writer.move_to_bin(roster)
    assert shown() == ("", False, [])


def gone(execute, *arguments):
    raise OperationalError("the connection is closed")


# seconds, the primary's position in the log, what the replica has replayed, the moment from which it has everything
MEASURED = [(0, 10, 10, 0), (1, 10, 10, 1), (2, 20, 10, 1), (3, 20, 15, 1), (4, 30, 20, 3)]
MEASURED += [(5, 30, None, -inf), (6, 30, 30, 6)]


def test_a_replica_is_as_old_as_the_log_that_it_has_replayed(monkeypatch, settings):
    age = replica.ReplicaAge()
    monkeypatch.setattr(replica, "close_old_connections", lambda: None)  # it asks one that has become old
    for seconds, logged, replayed, as_of in MEASURED:
        positions = {"default": logged, "replica": replayed}
        monkeypatch.setattr(replica, "time", SimpleNamespace(monotonic=lambda now=seconds: now))
        monkeypatch.setattr(replica, "_query", lambda alias, statement, at=positions: at[alias])
        age.measure()
        assert age.as_of == as_of, seconds
