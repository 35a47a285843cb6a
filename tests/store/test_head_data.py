"""A backup, a player's download and a database that an earlier version made are read without loss.

tests/data/README.md says how they came about; tests/data/head.json has the secrets and passwords.
"""

import io
import json
import lzma
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings as site
from django.contrib.auth import authenticate, get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from rosters.core.documents import write
from rosters.models import Editor, Roster
from rosters.store.play import play_of
from rosters.store.revisions import unpack
from rosters.store.snapshots import state_in_play
from tests.database import backup, files_of
from tools.served import Site

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_limits")]

DATA = Path(__file__).parent.parent / "data"
HEAD = json.loads((DATA / "head.json").read_text(encoding="utf-8"))
OLD = files_of((DATA / "head-backup.zip").read_bytes())
SQUADRON = "squadron".ljust(22, "-")


def restore(path=DATA / "head-backup.zip"):
    call_command("restore", str(path), stdout=io.StringIO())


def as_browser(name):
    """Somebody whose browser the site knows."""
    client = Client()
    client.cookies[site.BROWSER_COOKIE] = HEAD["browsers"][name]
    return client


def has(new, old):
    """Whether data has all that other data has, and perhaps more."""
    if isinstance(old, dict):
        return all(name in new and has(new[name], value) for name, value in old.items())
    return len(new) == len(old) and all(map(has, new, old)) if isinstance(old, list) else new == old


def rows(text):
    """The lines of a file as data; browsers and accounts, which have no order, by their key."""
    return sorted(map(json.loads, text.splitlines()), key=lambda row: row.get("key_hash", row.get("username", "")))


def check_all():
    """The database holds all that the old backup does; what came later has its default."""
    new = files_of(backup())
    for name in {*OLD} - {"README.txt"}:
        for was, now in zip(rows(OLD[name]), rows(new[name]), strict=True):
            if turn := was.pop("turn", 0):
                was["play"] = {"turn": turn}
            assert has(now, was), name
    for editor in Editor.objects.select_related("roster"):  # others than makers may only edit, if somebody else owns
        makers = (editor.browser_id, None if editor.roster.owner_id is None else editor.browser_id)
        assert editor.is_owner == (editor.roster.creator_id in makers)
    for roster in Roster.objects.defer(None):
        assert state_in_play(roster, complete=True).document == unpack(roster.revisions.first()).document
        assert '"marks":' not in roster.document


def test_the_backup_is_restored_without_loss_and_its_links_browsers_and_tokens_open_what_they_did():
    restore()
    check_all()
    roster, revision = (f"/api/v1/rosters/{SQUADRON}{more}" for more in ("", "/revisions/1"))
    for name, account in HEAD["accounts"].items():
        assert authenticate(None, username=name, password=account["password"])
        answer = Client().get(roster, headers={"Authorization": f"Bearer {account['api_token']}"})
        assert answer.status_code == (200 if name == "owner" else 404)
    for name, status in (("owner", 200), ("friend", 200), ("stranger", 404)):
        assert as_browser(name).get(f"/r/{SQUADRON}/").status_code == status
    client, secret = Client(), HEAD["rosters"][SQUADRON]["secret"]
    assert client.get(revision, headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    client.get(f"/e/{SQUADRON}/{secret}")
    for place in (f"/r/{SQUADRON}/", *(f"/b/{battle}" for battle in HEAD["battles"])):
        assert client.get(place).status_code == 200


FORTH_AND_BACK = """
import os
from importlib import import_module
from django.core.management import call_command
from django.db import connection
for name in ("0005_roster_document", "0007_remove_scenario_side_options", "0009_play_state"):
    import_module(f"rosters.migrations.{{name}}").BATCH_SIZE = 2
call_command("migrate", verbosity=0)
call_command("sqlitebackup", {forth!r})
call_command("migrate", "rosters", "0004", verbosity=0)
connection.close()
os.rename({database!r}, {back!r})
os.rename({forth!r}, {database!r})
call_command("backup", {file!r})
call_command("load", verbosity=0)
call_command("integrity", json=True)
"""


def test_the_database_is_migrated_without_loss_and_back(tmp_path):
    """What was migrated back is what it was before, so that it can be migrated forth again."""
    names = {name: str(tmp_path / name) for name in ("database", "forth", "back", "file")}
    database, back = names["database"], names["back"]
    Path(database).write_bytes(lzma.decompress((DATA / "head.sqlite3.xz").read_bytes()))
    before = table_rows(database), schema(database)
    command = FORTH_AND_BACK.format(**names)
    code, printed = Site(f"sqlite:///{database}", 0, 1).manage("shell", "-v0", "-c", command)
    assert code == 0, printed
    assert (table_rows(back), schema(back)) == before
    assert json.loads(printed[printed.index("{") :])["faults"] == []
    assert schema(database) == schema(connection.settings_dict["NAME"]), "as tests have it, from the models"
    restore(names["file"])
    check_all()


def table_rows(database):
    """The rows of our tables in an SQLite file, by the names of their columns, but for the words to search by."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rosters_%' AND name NOT LIKE '%word'"
    with closing(sqlite3.connect(database)) as found:
        found.row_factory = sqlite3.Row
        return {
            name: [dict(row) for row in found.execute(f'SELECT * FROM "{name}" ORDER BY rowid')]
            for name in sorted(row["name"] for row in found.execute(tables))
        }


def schema(database):
    """How each table of ours and its indexes are made in an SQLite file, whatever the order of columns.

    Those of libraries are their own, and Django writes the conditions of their indexes in another way since 6.1.
    """
    ours = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name LIKE 'rosters_%'"
    with closing(sqlite3.connect(database)) as found:
        rows = [*found.execute(ours)]
    return {name: sorted(re.split(', (?="|CONSTRAINT)', sql.partition("(")[2][:-1])) for name, sql in rows}


def todays_download():
    """What the player of head-player.zip gets today, from a site that is empty afterwards."""
    restore()
    client = as_browser(HEAD["player"]["browser"])
    client.force_login(get_user_model().objects.get(username=HEAD["player"]["account"]))
    data = b"".join(client.get("/mine/backup").streaming_content)
    Roster.objects.all().delete()
    return data


@pytest.mark.parametrize("download", [(DATA / "head-player.zip").read_bytes, todays_download])
def test_a_players_download_is_imported_with_its_histories_under_new_links(download):
    client, file = Client(), SimpleUploadedFile("armybuilder-backup.zip", download())
    assert client.post("/import", {"files": [file]}).status_code == 302
    rosters = {roster.name: roster for roster in Roster.objects.filter(sample=None)}
    for token in HEAD["player"]["rosters"]:
        kept, *history = rows(OLD[f"rosters/{token}.jsonl"])
        roster, appraisal = rosters.pop(history[-1]["document"]["name"]), history[-1]["appraisal"]
        assert (roster.token != token, roster.edit_hash != kept["edit_hash"]) == (True, True)
        content = [(r.number, r.summary, write(unpack(r).document)) for r in roster.revisions.order_by("number")]
        assert content == [(each["number"], each["summary"], each["document"]) for each in history]
        same = ["hide_points", "hide_notes", "hide_secrets"]
        same += ["folder", "tags", "archived"] if kept["owner"] == "owner" else []
        expected = {name: appraisal[name] for name in ("points", "legal", "quantity")} | {n: kept[n] for n in same}
        assert {name: getattr(roster, name) for name in expected} == expected
        assert play_of(roster).turn == kept["turn"]
        assert state_in_play(roster, complete=True).document == unpack(roster.revisions.first()).document
        assert roster.owner is roster.sample is None
        assert roster.visibility == ("closed" if kept["visibility"] == "closed" else "link")
        assert (roster.binned is None) == (kept["binned"] is None)
        assert roster.browsers.get() == roster.creator
    assert rosters == {}
