"""A backup, a player's download and a database that an earlier version made are read without loss.

What each of them holds stands in tests/data/head.json; tests/data/README.md says how they came about.
"""

import io
import json
import lzma
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.contrib.auth import authenticate, get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from rosters import registry
from rosters.core.documents import write
from rosters.models import Battle, Browser, Editor, Roster, hashed
from rosters.store.play import play_of, state_in_play
from rosters.store.revisions import unpack

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parent.parent / "data"
HEAD = json.loads((DATA / "head.json").read_text(encoding="utf-8"))
PLAIN = (
    *("system", "name", "sample", "visibility", "hide_points", "hide_notes", "hide_secrets", "folder", "tags"),
    *("archived", "print_settings", "revision", "points", "legal", "quantity"),
)
BROWSERS = {hashed(secret): name for name, secret in HEAD["browsers"].items()}


@pytest.fixture(autouse=True)
def unlimited(settings):
    settings.API_A_MINUTE = settings.CREATIONS_A_MINUTE = 0


@pytest.fixture
def restored():
    """The database as the backup has it."""
    restore(DATA / "head-backup.zip")


def restore(path):
    call_command("restore", str(path), stdout=io.StringIO())


def as_browser(name):
    """Somebody whose browser the site knows."""
    client = Client()
    client.cookies[site.BROWSER_COOKIE] = HEAD["browsers"][name]
    return client


# ---------------------------------------------------------------- what a database holds


def rosters():
    """How every roster is kept."""
    return {
        roster.token: {
            **{name: getattr(roster, name) for name in PLAIN},
            "turn": play_of(roster).turn,
            "secret": roster.edit_hash,
            **{name: iso(getattr(roster, name)) for name in ("binned", "created", "changed")},
            **people(roster),
        }
        for roster in Roster.objects.all()
    }


def people(thing):
    """Who may edit a roster or a battle, and who began it."""
    return {
        "owner": thing.owner and thing.owner.username,
        "creator": thing.creator and BROWSERS[thing.creator.key_hash],
        "browsers": sorted(BROWSERS[browser.key_hash] for browser in thing.browsers.all()),
    }


def iso(moment):
    return moment and moment.isoformat()


def as_kept(roster):
    """A roster in head.json without its history, and with the hash of its secret."""
    others = {name: value for name, value in roster.items() if name not in ("revisions", "undo", "redo")}
    return {**others, "secret": hashed(roster["secret"]) if roster["secret"] else ""}


def revisions(roster, kept):
    """The history of a roster, as its edit secret reads it by the API."""
    headers = {"Authorization": f"Bearer {kept['secret']}"} if kept["secret"] else {}
    client, place = Client(headers=headers), f"/api/v1/rosters/{roster.token}/revisions"
    rows = []
    for row in roster.revisions.order_by("number"):
        answer = client.get(f"{place}/{row.number}").json()
        document, appraisal = answer["document"], answer["appraisal"]
        del document["changed"]
        columns = {name: getattr(row, name) for name in ("number", "who", "summary", "restores", "edition")}
        figures = {name: appraisal[name] for name in ("points", "exact", "legal", "quantity")}
        findings = [[each["code"], each["where"]] for each in appraisal["findings"]]
        rows.append({**columns, "at": iso(row.at), **figures, "findings": findings, "document": document})
    return rows


def expected_revisions(kept):
    """The same out of head.json: a revision that brings another back has its document."""
    found = {}
    for each in kept["revisions"]:
        found[each["number"]] = {"document": found.get(each["restores"], {}).get("document"), **each}
    return [*found.values()]


def battles():
    return {
        battle.token: {
            **{name: getattr(battle, name) for name in ("name", "system", "scenario", "options")},
            **{name: iso(getattr(battle, name)) for name in ("created", "changed")},
            **people(battle),
            "forces": [
                {name: getattr(force, name) for name in ("position", "revision", "side")}
                | {"roster": force.roster.token}
                for force in battle.forces.all()
            ],
        }
        for battle in Battle.objects.all()
    }


def accounts():
    """Every account; its password and its API token, where they are the right ones."""
    found = {}
    for user in get_user_model().objects.all():
        want, token = HEAD["accounts"][user.username], user.api_tokens.get()
        opens = authenticate(None, username=user.username, password=want["password"])
        found[user.username] = {
            "email": user.email,
            "password": want["password"] if opens else "",
            "staff": user.is_staff and user.is_superuser,
            "verified": EmailAddress.objects.get(user=user).verified,
            "api_token": want["api_token"] if token.key_hash == hashed(want["api_token"]) else "",
            "api_token_name": token.name,
        }
    return found


def check_all():
    """Whether the database holds what head.json says."""
    assert accounts() == HEAD["accounts"]
    assert {browser.key_hash for browser in Browser.objects.all()} == {*BROWSERS}
    assert rosters() == {token: as_kept(kept) for token, kept in HEAD["rosters"].items()}
    assert battles() == HEAD["battles"]
    for editor in Editor.objects.select_related("roster"):  # others than makers may only edit, if somebody else owns
        makers = (editor.browser_id, None if editor.roster.owner_id is None else editor.browser_id)
        assert editor.is_owner == (editor.roster.creator_id in makers)
    Roster.objects.update(binned=None)  # nobody reads what is in the bin
    for roster in Roster.objects.all():
        kept = HEAD["rosters"][roster.token]
        assert revisions(roster, kept) == expected_revisions(kept), roster.token
        assert state_in_play(roster, complete=True).document == registry.read(expected_revisions(kept)[-1]["document"])
        assert '"marks":' not in Roster.objects.defer(None).get(pk=roster.pk).document


# ---------------------------------------------------------------- backup and database


def test_the_backup_is_restored_without_loss(restored):
    check_all()


def test_edit_links_browsers_and_api_tokens_open_what_they_opened_before(restored):
    token = "squadron".ljust(22, "-")
    kept = HEAD["rosters"][token]
    for name, status in (("owner", 200), ("friend", 200), ("stranger", 404)):
        assert as_browser(name).get(f"/r/{token}/").status_code == status
    for name, status in (("owner", 200), ("friend", 404)):
        headers = {"Authorization": f"Bearer {HEAD['accounts'][name]['api_token']}"}
        assert Client().get(f"/api/v1/rosters/{token}", headers=headers).status_code == status
    client = Client()
    client.get(f"/e/{token}/{kept['secret']}")
    assert client.get(f"/r/{token}/").status_code == 200
    for battle in HEAD["battles"]:
        assert client.get(f"/b/{battle}").status_code == 200


BACK_AND_FORTH = """
from importlib import import_module
from django.core.management import call_command
for name in ("0005_roster_document", "0007_remove_scenario_side_options", "0009_play_state"):
    import_module(f"rosters.migrations.{name}").BATCH_SIZE = 2
call_command("migrate", verbosity=0)
call_command("migrate", "rosters", "0004", verbosity=0)
"""


def test_the_database_is_migrated_without_loss_and_back(tmp_path):
    database = tmp_path / "head.sqlite3"
    database.write_bytes(lzma.decompress((DATA / "head.sqlite3.xz").read_bytes()))
    before = roster_rows(database)
    manage(database, "shell", "-v0", "-c", BACK_AND_FORTH)
    assert roster_rows(database) == before
    manage(database, "migrate", "--verbosity", "0")
    manage(database, "backup", str(tmp_path / "site.zip"))
    manage(database, "load")
    assert json.loads(manage(database, "integrity", "--json"))["faults"] == []
    restore(tmp_path / "site.zip")
    check_all()


def roster_rows(database):
    """The rosters as rows of an SQLite file, by the names of their columns."""
    with closing(sqlite3.connect(database)) as found:
        found.row_factory = sqlite3.Row
        rows = [*found.execute("SELECT * FROM rosters_roster ORDER BY id")]
    return [{**row, "options": json.loads(row["options"])} for row in rows]


def manage(database, *arguments):
    """What a command prints that runs on a database of its own."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}
    command = [sys.executable, str(site.BASE_DIR / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


# ---------------------------------------------------------------- a player's download


def todays_download():
    """What the player of head-player.zip gets today, from a site that is empty afterwards."""
    restore(DATA / "head-backup.zip")
    client = as_browser(HEAD["player"]["browser"])
    client.force_login(get_user_model().objects.get(username=HEAD["player"]["account"]))
    data = b"".join(client.get("/mine/backup").streaming_content)
    Roster.objects.all().delete()
    return data


@pytest.mark.parametrize("download", [(DATA / "head-player.zip").read_bytes, todays_download])
def test_a_players_download_is_imported_with_its_histories_under_new_links(download):
    client, file = Client(), SimpleUploadedFile("armybuilder-backup.zip", download())
    assert client.post("/import", {"files": [file]}).status_code == 302
    rosters = Roster.objects.filter(sample=None)
    old = {token: HEAD["rosters"][token] for token in HEAD["player"]["rosters"]}
    assert {roster.token for roster in rosters}.isdisjoint(old)
    assert {roster.edit_hash for roster in rosters}.isdisjoint(hashed(kept["secret"]) for kept in old.values())
    by_name = {kept["name"]: kept for kept in old.values()}
    for roster in rosters:
        kept = by_name.pop(roster.name)
        content = [(r.number, r.summary, write(unpack(r).document)) for r in roster.revisions.order_by("number")]
        assert content == [(each["number"], each["summary"], each["document"]) for each in expected_revisions(kept)]
        same = ["points", "legal", "quantity", "hide_points", "hide_notes", "hide_secrets"]
        same += ["folder", "tags", "archived"] if kept["owner"] == "owner" else []
        assert {name: getattr(roster, name) for name in same} == {name: kept[name] for name in same}
        assert play_of(roster).turn == kept["turn"]
        assert state_in_play(roster, complete=True).document == registry.read(expected_revisions(kept)[-1]["document"])
        assert roster.owner is roster.sample is None
        assert roster.visibility == ("closed" if kept["visibility"] == "closed" else "link")
        assert (roster.binned is None) == (kept["binned"] is None)
        assert roster.browsers.get() == roster.creator
    assert by_name == {}
