"""A site's backup is restored to the byte or not at all; a player's download is imported as the visitor's own."""

import io
import json
import tracemalloc
import zipfile
from contextlib import nullcontext

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from rosters import models
from rosters.models import Battle, Browser, Element, Formation, Revision, Roster, hashed
from rosters.ops import integrity
from rosters.store import bundle, importing, restoring, revisions, shelf, writer
from rosters.store.access import Visitor
from rosters.store.bundle import BundleError
from rosters.store.importing import Source
from tests.concurrency import run_in_threads
from tests.database import backup, files_of, summaries
from tests.store.test_head_data import DATA, HEAD, as_browser
from tests.store.test_head_data import SQUADRON as TOKEN
from tests.strategies import EDITS, fleet
from tools.fuzz.kit import undone
from tools.served import Site, database

pytestmark = pytest.mark.django_db
MANIFEST, BATTLES, ACCOUNTS, BROWSERS = "manifest.json", "battles.jsonl", "accounts.jsonl", "browsers.jsonl"
SHELVES = "shelves.jsonl"
ROSTER = f"rosters/{TOKEN}.jsonl"


def restore(data, **options):
    return restoring.restore_backup(io.BytesIO(data), **options)


@pytest.fixture(scope="module")
def data(django_db_setup, django_db_blocker):
    """A backup of the site in head-backup.zip, with two accounts that claim one address and have not confirmed it."""
    with django_db_blocker.unblock(), undone():
        restore((DATA / "head-backup.zip").read_bytes())
        for name in ("odin", "loki"):
            user = get_user_model().objects.create_user(name, f"{name}@example.com")
            EmailAddress.objects.create(user=user, email="both@example.com", verified=False, primary=False)
        Authenticator.objects.create(user=user, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
        models.ApiToken.objects.create(user=user, key_hash="0" * 64, scope="read", expires=timezone.now())
        for number, key in enumerate(({"user": user}, {"browser": Browser.objects.first()})):
            models.PrintDefault.objects.create(**key, settings={"options": {"fit": number}, "games": {}})
        owned = shelf.create(key["browser"], user)
        shelf.add_models(owned, [shelf.Models("msc", fleet().elements[0], 3, 2, 1)])
        return backup()


@pytest.mark.database
def test_a_restored_site_is_the_same_to_the_byte_sound_and_goes_on_as_before(data):
    restore(data)
    assert backup() == data
    assert (Authenticator.objects.count(), models.ApiToken.objects.filter(scope="read").count()) == (1, 1)
    assert models.PrintDefault.objects.count() == 2
    [entry] = shelf.shelf_of(Visitor(get_user_model().objects.get(username="loki").pk)).entries.all()
    assert (entry.key, entry.painted) == (shelf.key_of("msc", fleet().elements[0]), 1)
    assert [progress.fault for progress in integrity.check() if progress.fault] == []
    for model, parent in ((Formation, "roster"), (Element, "formation")):
        places = model.objects.values_list(parent, "position")
        assert len({*places}) == len(places), "no two rows have one place"
    assert writer.apply_edit(Roster.objects.get(token=TOKEN), EDITS["settings"], "Changed")


THERE_AND_BACK = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("restore", {there!r})
call_command("backup", {back!r})
call_command("migrate", "rosters", "0004", verbosity=0)
call_command("migrate", verbosity=0)
call_command("integrity")
"""


def test_moving_to_postgresql_loses_nothing(data, tmp_path):
    """As docs/deploy.md tells it."""
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    there.write_bytes(data)
    with database("postgresql") as url:
        command = THERE_AND_BACK.format(there=str(there), back=str(back))
        code, output = Site(url, 0, 1).manage("shell", "-v0", "-c", command)
    assert code == 0, output
    assert back.read_bytes() == data


def test_a_backup_without_people_restores_too_and_over_the_samples():
    """Into a database as `load` leaves it, and as `migrate` does."""
    writer.create(fleet())
    for emptied in (Roster.objects.filter(sample=None), Roster.objects.all()):
        first = backup()
        emptied.delete()
        models.Capability.objects.all().delete()
        restore(first)
        assert backup() == first
        assert models.Capability.objects.exists()


@pytest.mark.parametrize("target", ["FILE", "-"])
def test_the_commands_take_a_file_or_a_stream(data, tmp_path, capfdbinary, monkeypatch, target):
    restore(data)
    path = tmp_path / "site.zip"
    call_command("backup", str(path) if target == "FILE" else target, stdout=io.StringIO(), stderr=io.StringIO())
    written = path.read_bytes() if target == "FILE" else capfdbinary.readouterr().out
    assert written == data
    assert target == "-" or path.stat().st_mode & 0o077 == 0, "it holds password hashes"
    empty_database()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written)))
    call_command("restore", str(path) if target == "FILE" else target, stdout=io.StringIO())
    assert backup() == data


def test_restore_names_the_accounts_with_staff_rights_also_one_that_would_hide_and_can_take_these_away(tmp_path):
    users = get_user_model().objects.filter(Q(is_staff=True) | Q(is_superuser=True))
    for flags, kept in (([], ["staff"]), (["--without-staff"], [])):
        empty_database()
        out = io.StringIO()
        call_command("restore", str(DATA / "head-backup.zip"), *flags, stdout=out)
        assert ([user.username for user in users.all()], "staff" in out.getvalue().split(":")[-1]) == (kept, True)
    get_user_model().objects.create_superuser("mallory\x1b[2K\r")
    (tmp_path / "site.zip").write_bytes(backup())
    empty_database()
    out = io.StringIO()
    call_command("restore", str(tmp_path / "site.zip"), stdout=out)
    assert "mallory?[2K?." in out.getvalue()


def test_a_backup_that_fails_says_where_and_leaves_the_last_one_as_it_was(data, tmp_path):
    restore(data)
    path = tmp_path / "site.zip"
    path.write_bytes(b"the last one")
    Revision.objects.filter(roster__token=TOKEN, number=1).update(packed=b"spoiled")
    with pytest.raises(CommandError, match=f"{TOKEN}, after revision 0"):
        call_command("backup", str(path))

    def broken(execute, *arguments):
        raise OperationalError("no such table: auth_user")

    with connection.execute_wrapper(broken), pytest.raises(CommandError, match=r"no such table: auth_user"):
        call_command("backup", str(path))
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"the last one"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_and_keeps_nobody_waiting(monkeypatch):
    writer.create(fleet())
    first, add_file = backup(), bundle.add_file

    def write_meanwhile(archive, name, lines):
        if name == BATTLES:
            assert run_in_threads(lambda: writer.create(fleet())) == []
        add_file(archive, name, lines)

    monkeypatch.setattr(bundle, "add_file", write_meanwhile)
    assert backup() == first
    assert Roster.objects.filter(sample=None).count() == 2


def edited(data, change):
    """A zip with other files: ``change`` is given them by name, as lists of lines."""
    files = {name: text.split("\n") for name, text in files_of(data).items()}
    change(files)
    return zipped({name: "\n".join(lines) for name, lines in files.items()})


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def put(name, line, path, *value):
    """Set a value in a line of a file, or take it away."""

    def change(files):
        row = place = json.loads(files[name][line])
        *parents, last = path.split("/")
        for key in parents:
            place = place[int(key) if key.isdigit() else key]
        place.pop(last, None)
        place.update(dict.fromkeys([last], *value) if value else {})
        files[name][line] = json.dumps(row)

    return change


def set_lines(name, start, stop, *others):
    return lambda files: files[name].__setitem__(slice(start, stop), others)


WRONG_COLUMNS = {"edit_hash": "x", "folder": "x" * 61, "tags": "\0", "more": 1, "turn": -1}
WRONG_COLUMNS |= {"created": "yesterday", "visibility": "open"}


def another_game(files):
    """A revision of a 6MM roster in the history of a squadron."""
    other, squadron = (next(name for name in files if token in name and ".jsonl" in name) for token in ("elan", TOKEN))
    files[squadron][2] = json.dumps(json.loads(files[other][1]) | {"number": 2})


WRONG_ENTRIES = {"painted": 3, "built": 4, "quantity": -1, "system": "chess", "profile": {"guns": 1}, "name": "\0"}

# what is done to the file of a roster, a battle or the whole: what the refusal names
TAMPERINGS = [
    (lambda files: files.pop(MANIFEST), MANIFEST),
    (lambda files: files.pop(ACCOUNTS), ACCOUNTS),
    (lambda files: files.update({"rosters/../../etc/passwd": ["x"]}), "etc/passwd"),
    (lambda files: files.update({"rosters/abc.json": ["x"]}), r"abc\.json"),
    (put(MANIFEST, 0, "format", "armybuilder-rosters"), "format"),
    (put(MANIFEST, 0, "version", 2), "line 1: version"),
    *((put(MANIFEST, 0, name, 9), f"{name}=9") for name in ("accounts", "rosters", "revisions", "battles", "shelves")),
    (set_lines(MANIFEST, 0, 1, "[" * 100_000), "line 1"),
    *((set_lines(ROSTER, 0, 1, text), "line 1") for text in ("{", "[]")),
    (set_lines(ROSTER, 3, 4, "\xff"), "line 4"),
    (set_lines(ROSTER, 3, 4), "line 4"),
    (set_lines(ROSTER, 1, None), "no revision"),
    (set_lines(ROSTER, 2, None), "no revision 2"),
    (put(ROSTER, 0, "token", "another"), "token"),
    *((put(ROSTER, 0, name, value), f"line 1: {name}") for name, value in WRONG_COLUMNS.items()),
    (put(ROSTER, 0, "owner", "nobody"), "owner"),
    (put(ROSTER, 0, "creator", "0" * 64), "browser"),
    (put(ROSTER, 0, "browsers", ["0" * 64]), "browser"),
    (put(ROSTER, 2, "number", 7), "line 3: 7"),
    *((put(ROSTER, 2, "restores", number), f"line 3.* {number}") for number in (0, 9)),
    (put(ROSTER, 2, "who", "me"), "line 3: who"),
    (put(ROSTER, 2, "document/name", 1), "line 3.*document.*name"),
    (put(ROSTER, 2, "document/system", "6mm"), "line 3.*document"),
    (put(ROSTER, 2, "document/formations/0/id"), "line 3.*id"),
    (put(ROSTER, 2, "appraisal", {}), "line 3.*appraisal"),
    (put(ROSTER, 2, "appraisal/exact", "1/0"), "line 3.*appraisal"),
    (put(ROSTER, 2, "edition", "of yesterday"), "line 3.*edition"),
    (another_game, "line 3.*another game"),
    (lambda files: files.pop(ROSTER), "roster"),
    *((put(BATTLES, 0, "forces/0/revision", number), f"revision {number} of") for number in (0, 999)),
    (put(BATTLES, 0, "system", "vsgmr"), BATTLES),
    (put(BATTLES, 0, "system", "chess"), "chess"),
    (put(BATTLES, 0, "owner", "nobody"), "owner"),
    *((lambda files, n=name: files[n].insert(0, files[n][0]), "(?i)unique") for name in (BATTLES, ACCOUNTS, BROWSERS)),
    (put(SHELVES, 0, "owner", "nobody"), "owner"),
    *((put(SHELVES, 0, f"entries/0/{name}", value), SHELVES) for name, value in WRONG_ENTRIES.items()),
    (put(ACCOUNTS, 0, "password", 5), "line 1: password"),
    (put(ACCOUNTS, 0, "username", ""), "line 1: username"),
]


def test_a_backup_with_anything_wrong_in_it_is_refused_and_nothing_is_written(data):
    before = summaries()
    for change, named in TAMPERINGS:
        with pytest.raises(BundleError, match=named):
            restore(edited(data, change))
    assert summaries() == before


def test_what_is_no_backup_is_refused(data, tmp_path):
    """Nor a file whose name is no UTF-8: at both places that tell it, or only before the file itself."""
    path, before = tmp_path / "x.zip", summaries()
    end, start = b"PK\x05\x06" + bytes(18), b"PK\x03\x04"
    wrongly = [zipped({"rosters/é.json": "{}"}).replace("é".encode(), b"\xff\xfe", times) for times in (1, 2)]
    for content in (None, b"", b"no zip", start, end, *wrongly, data[1:]):
        if content is not None:
            path.write_bytes(content)
            with pytest.raises(BundleError):
                importing.read_player_zip(content)
        with pytest.raises(CommandError):
            call_command("restore", str(path))
    assert summaries() == before


def test_a_backup_that_was_cut_off_or_damaged_anywhere_is_refused_or_reads_the_same(data):
    """A changed time or permission of a file in the zip is harmless."""
    for place in range(50, len(data), len(data) // 40):
        damaged = bytearray(data)
        damaged[place] ^= 0x55
        for spoiled in (data[:place], bytes(damaged)):
            try:
                restore(spoiled)
            except BundleError:
                continue
            assert files_of(spoiled) == files_of(data)
            assert backup() == data
            empty_database()


def empty_database():
    for model in (Battle, Roster, get_user_model(), Browser):
        model.objects.all().delete()


def test_a_zip_bomb_is_refused_before_it_is_inflated(data, monkeypatch):
    """Whichever file it is in; no more of it is held than the longest line."""
    monkeypatch.setattr(bundle, "MAX_LINE", 1 << 20)
    for name in ("README.txt", ACCOUNTS, MANIFEST, ROSTER):
        bomb = edited(data, lambda files, name=name: files.update({name: ["{" + " " * (48 << 20)]}))
        assert len(bomb) < 1 << 20
        tracemalloc.start()
        with pytest.raises(BundleError, match=rf"{name}, line 1"):
            restore(bomb)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 32 << 20


FORGED = [({}, None), ({"flag_bits": 1}, "encrypted"), ({"compress_size": 2_000}, "overlap")]
FORGED += [({"header_offset": -1}, "missing")]


@pytest.mark.parametrize(("forged", "named"), FORGED)
def test_forged_members_of_a_zip_are_refused(forged, named):
    member = zipfile.ZipInfo("rosters/-.jsonl")
    honest = {"compress_type": zipfile.ZIP_DEFLATED, "compress_size": 10, "file_size": 100, "header_offset": 0}
    for name, value in (honest | forged).items():
        setattr(member, name, value)
    with pytest.raises(BundleError, match=named) if named else nullcontext():
        bundle._check_members([member], 1_000, bundle.MEMBERS[bundle.SITE])


def test_a_database_that_holds_anything_is_left_alone(data):
    create_user = get_user_model().objects.create_user
    make_battle = Battle.objects.create
    for make, given in ((writer.create, fleet()), (lambda name: make_battle(name=name), ""), (create_user, "t")):
        with undone():
            make(given)
            before = summaries()
            with pytest.raises(BundleError):
                restore(data)
            assert summaries() == before


def download(client, address="/mine/backup"):
    response = client.get(address)
    assert response.status_code == 200
    return b"".join(response.streaming_content)


def squadron_in(files):
    return next(name for name in files if name.endswith(f"{TOKEN}.jsonl"))


def test_a_download_holds_nobodys_secrets_and_the_folders_of_its_owner_alone(data):
    restore(data)
    owner = Client()
    owner.force_login(get_user_model().objects.get(username="owner"))
    zips = [files_of(download(owner, "/account/download"))]
    zips += [files_of(download(as_browser(name))) for name in ("owner", "friend")]
    secrets = [*HEAD["browsers"].values(), *(account["api_token"] for account in HEAD["accounts"].values())]
    secrets += [roster["secret"] for roster in HEAD["rosters"].values() if roster["secret"]]
    assert [bool(files.pop("account.json", "")) for files in zips] == [True, False, False]
    for files in zips:
        text = "".join(files.values())
        assert [secret for secret in secrets if secret in text or hashed(secret) in text] == []
        assert "@example.org" not in text
    of_the_owner, _, of_a_friend = (json.loads(files[squadron_in(files)].split("\n")[0]) for files in zips)
    assert of_the_owner["folder"] == HEAD["rosters"][TOKEN]["folder"]
    assert "folder" not in of_a_friend


def send(content):
    return Client().post("/import", {"files": [SimpleUploadedFile("x.zip", content)]})


def test_nobody_imports_a_price_or_a_time_of_their_own_making(data):
    restore(data)
    genuine = download(as_browser("owner"))
    name, before = squadron_in(files_of(genuine)), [*Roster.objects.values_list("pk", flat=True)]
    forgeries = [(1, "appraisal", {"points": 1, "edition": "x"}), (1, "at", "0001-01-01T00:00:00+14:00")]
    last = "9999-12-31T23:59:59-14:00"
    played = {"turn": 1, "damage": {}, "sessions": [[forgeries[1][2], last, 1]]}
    for line, path, value in (*forgeries, (0, "changed", last), (0, "play", played)):
        genuine = edited(genuine, put(name, line, path, value))
    assert send(genuine).status_code == 302
    roster = Roster.objects.exclude(pk__in=before).get(name=HEAD["rosters"][TOKEN]["name"])
    first, original = (each.revisions.get(number=1) for each in (roster, Roster.objects.get(token=TOKEN)))
    assert revisions.unpack(first).appraisal["points"] == revisions.unpack(original).appraisal["points"]
    assert (first.at.year, roster.changed.year < 9999) == (2000, True)
    [(began, ended, changes)] = roster.play.sessions
    assert (began[:4], ended < last, changes) == ("2000", True, 1)


def test_a_faulty_download_is_refused_by_its_place_and_nothing_is_imported(data, monkeypatch):
    restore(data)
    genuine, before = download(as_browser("owner")), summaries()
    name, deep = squadron_in(files_of(genuine)), json.loads("[" * 150 + "]" * 150)
    faulty = {
        "line 2": put(name, 1, "document/name", 1),
        "too deeply": put(name, 1, "document/notes", deep),
        "another game": another_game,
        "line 1: visibility": put(name, 0, "visibility", "open"),
        "evil.exe": lambda files: files.update({"evil.exe": ["x"]}),
        "unpacks to more": lambda files: files.update({"account.json": ["x" * (129 << 20)]}),
    }
    for named, content in [*((named, edited(genuine, change)) for named, change in faulty.items()), (ACCOUNTS, data)]:
        response = send(content)
        assert (response.status_code, named in response.content.decode()) == (400, True), named
    assert len(importing.read([Source("a.zip", genuine), Source("b.zip", genuine)]).unreadable) == 1
    for limit in ("MAX_ZIP_ROSTERS", "MAX_ZIP_REVISIONS"):
        with monkeypatch.context() as patch:
            patch.setattr(importing, limit, 2)
            with pytest.raises(BundleError, match="more than 2"):
                importing.read_player_zip(genuine)
    assert summaries() == before
