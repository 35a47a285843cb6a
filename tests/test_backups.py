"""Back up everything, restore it, back it up again: the same bytes. And integrity, which finds each kind of damage."""

import io
import json
import threading
import tracemalloc
import zipfile

import pytest
import zstandard
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate, get_user_model
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from rosters import (
    access,
    backups,
    backupzip,
    changes,
    documents,
    edits,
    importing,
    integrity,
    registry,
    revisions,
    seeding,
)
from rosters.importing import Source
from rosters.models import (
    ApiToken,
    Battle,
    Browser,
    Capability,
    Element,
    Force,
    Formation,
    Revision,
    Roster,
    hashed,
)
from rosters.reference import reference
from rosters.standing import document_of
from tests.served import Site, Visitor, database, free_port
from tests.strategies import EDITS, fleet
from tests.support import FIXTURES

pytestmark = [pytest.mark.django_db, pytest.mark.database]
committed = pytest.mark.django_db(transaction=True)
SECRET = "a browser's secret"
EMAIL, PASSWORD = "thane@example.com", "correct horse battery"


# ---------------------------------------------------------------- a database with something of everything


def army(path):
    return registry.read(documents.parse((FIXTURES / "armies" / path).read_bytes()))


@pytest.fixture
def story():
    """An account, two browsers, rosters with histories in every state, and a battle; by name."""
    user = get_user_model().objects.create_user("thane", EMAIL, PASSWORD, last_login=timezone.now())
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    ApiToken.objects.create(user=user, name="a script", key_hash=hashed("key"), used=timezone.now())
    browser, friend = (Browser.objects.create(key_hash=hashed(secret)) for secret in (SECRET, "a friend's"))
    made, link = changes.create(fleet(), browser=browser, owner=user)
    for name, edit in EDITS.items():
        changes.change(made, edit, f"Did {name}, Łódź 👩‍🚀\u2028")
        changes.undo(made)
    changes.redo(made)
    changes.let_edit(made, friend)
    other = changes.create(army("vsgmr/orcs.json"), browser=friend).roster
    for name in ("odin", "loki"):  # both say that an address is theirs, and neither has proved it
        user_too = get_user_model().objects.create_user(name, f"{name}@example.com")
        EmailAddress.objects.create(user=user_too, email="both@example.com", verified=False, primary=False)
    binned = changes.create(army("urutsk/ferry-crossing-garrison.json"), browser=browser).roster
    changes.keep(made, folder="Club\u00e9", tags="a, b", archived=True, visibility="closed", hide_points=True)
    changes.keep_print_settings(made, {"paper": "letter", "marks": True})
    changes.set_turn(other, 4)
    changes.bin_roster(binned)
    sample = Roster.objects.get(sample="msc/book-squadron")
    battle = Battle.objects.create(system="msc", name="At dawn", owner=user, options={"max_engine": 6}, creator=browser)
    battle.browsers.add(browser)
    Force.objects.create(battle=battle, roster=made, position=1, revision=3)
    Force.objects.create(battle=battle, roster=sample, position=2, revision=1)
    rosters = {name: Roster.objects.get(pk=each.pk) for name, each in {"made": made, "other": other}.items()}
    return {"user": user, "link": link, "battle": battle, "sample": sample, **rosters}


def backup():
    file = io.BytesIO()
    backups.write(file)
    return file.getvalue()


def empty():
    """What a new database holds after `migrate`."""
    Battle.objects.all().delete()
    Roster.objects.all().delete()
    get_user_model().objects.all().delete()
    Browser.objects.all().delete()
    Capability.objects.all().delete()
    reference.cache_clear()


def reborn():
    """What a new database holds after `load`: sample armies at addresses of their own."""
    empty()
    call_command("load", stdout=io.StringIO())


def kept():
    """Every row of every roster and battle, without keys; the documents of its rows and of its revisions."""
    columns = [f.name for f in Roster._meta.fields if f.name not in ("id", "creator", "owner")]
    rows = {}
    for roster in Roster.objects.all():
        history = [
            (r.number, r.at, r.who, r.summary, r.edition, r.restores, r.base, bytes(r.packed), revisions.unpack(r))
            for r in roster.revisions.all()
        ]
        people = roster.owner and roster.owner.email, roster.creator and roster.creator.key_hash
        browsers = sorted(roster.browsers.values_list("key_hash", flat=True))
        rows[roster.token] = {n: getattr(roster, n) for n in columns}, document_of(roster), history, people, browsers
    return rows


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("emptied", [empty, reborn])
def test_backing_up_restoring_and_backing_up_again_gives_identical_bytes(story, emptied):
    first, before = backup(), kept()
    assert backup() == first
    emptied()
    manifest = backups.restore(io.BytesIO(first))
    assert backup() == first
    assert kept() == before
    assert (manifest.accounts, manifest.battles, manifest.rosters) == (3, 1, len(before))
    assert [looked.fault for looked in integrity.check() if looked.fault] == []


def test_after_a_restore_links_browsers_passwords_and_tokens_work(story):
    first = backup()
    reborn()
    backups.restore(io.BytesIO(first))
    roster = Roster.objects.get(token=story["made"].token)
    assert access.opens(roster, story["link"])
    assert authenticate(None, username="thane", password=PASSWORD).email == EMAIL
    client = Client()
    client.cookies["armybuilder_browser"] = SECRET
    assert client.get(f"/r/{roster.token}/").status_code == 200
    assert Client().get(f"/r/{roster.token}/").status_code == 404
    assert Client().get(f"/r/{story['other'].token}/").url == f"/s/{story['other'].token}"
    assert Client().get(f"/s/{story['sample'].token}").status_code == 200
    assert ApiToken.objects.get().key_hash == hashed("key")
    battle = Battle.objects.get(token=story["battle"].token)
    assert [(f.roster.token, f.revision) for f in battle.forces.all()] == [
        (roster.token, 3),
        (story["sample"].token, 1),
    ]
    assert (battle.created, battle.changed) == (story["battle"].created, story["battle"].changed)


def test_a_restored_roster_goes_on_as_before(story):
    first = backup()
    reborn()
    backups.restore(io.BytesIO(first))
    roster = Roster.objects.get(token=story["made"].token)
    undone = changes.last_undoable(roster).summary
    assert changes.undo(roster) == undone
    assert changes.change(roster, EDITS["settings"], "Changed")
    assert [*integrity.check()][-1].fault is None


OTHER = {"sqlite": "postgresql", "postgresql": "sqlite"}


def test_moving_to_the_other_database_loses_nothing(story, tmp_path):
    """As docs/deploy.md tells it: from SQLite to a real PostgreSQL; and back, where the tests run on PostgreSQL."""
    there, back = tmp_path / "move.zip", tmp_path / "back.zip"
    call_command("backup", str(there), stdout=io.StringIO())
    with database(OTHER[connection.vendor]) as url:
        moved = Site(url, free_port(), workers=1)
        for command in (["migrate", "-v0"], ["restore", str(there)], ["integrity"], ["backup", str(back)]):
            code, said = moved.manage(*command)
            assert code == 0, said
        moved.start()
        try:
            visitor, token = Visitor(moved), story["made"].token
            assert visitor.get(f"/r/{token}/")[0] == 404
            visitor.get(f"/e/{token}/{story['link']}")
            page = visitor.get(f"/r/{token}/")
        finally:
            moved.stop()
    assert back.read_bytes() == there.read_bytes()
    assert page[0] == 200, "the edit link opens it as before"


@pytest.mark.parametrize("rosters", [0, 3])
def test_the_backup_of_a_database_without_people_restores_too(rosters):
    for _ in range(rosters):
        changes.create(fleet())
    first = backup()
    empty()
    backups.restore(io.BytesIO(first))
    assert backup() == first


def test_the_command_writes_the_same_bytes_to_a_file_and_to_standard_output(story, tmp_path, capfdbinary):
    call_command("backup", str(tmp_path / "site.zip"), stdout=io.StringIO())
    call_command("backup", "-", stderr=io.StringIO())
    data = (tmp_path / "site.zip").read_bytes()
    assert capfdbinary.readouterr().out == data == backup()
    assert (tmp_path / "site.zip").stat().st_mode & 0o077 == 0, "it holds password hashes"
    empty()
    out = io.StringIO()
    call_command("restore", str(tmp_path / "site.zip"), stdout=out)
    assert out.getvalue().startswith("Restored ")
    assert backup() == data


def test_a_backup_that_fails_says_where_and_leaves_the_last_one_as_it_was(story, tmp_path):
    path = tmp_path / "site.zip"
    path.write_bytes(b"the last one")
    story["made"].revisions.filter(number=1).update(packed=b"spoiled")
    with pytest.raises(CommandError, match=rf"Roster {story['made'].token}, after revision 0: cannot be read"):
        call_command("backup", str(path))
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"the last one"]


def test_a_database_without_tables_is_told_in_a_sentence(tmp_path):
    def gone(execute, *arguments):
        raise OperationalError("no such table: auth_user")

    with (
        connection.execute_wrapper(gone),
        pytest.raises(CommandError, match=r"cannot be read: no such table: auth_user\."),
    ):
        call_command("backup", str(tmp_path / "backup.zip"))
    assert [*tmp_path.iterdir()] == []


@committed
def test_a_backup_is_of_one_moment_and_keeps_nobody_waiting(monkeypatch):
    changes.create(fleet())
    first, browsers = backup(), backups._browsers

    def meanwhile():
        def write():
            changes.create(fleet())
            connection.close()

        writer = threading.Thread(target=write)
        writer.start()
        writer.join(timeout=15)
        assert not writer.is_alive(), "the writer had to wait"
        return browsers()

    monkeypatch.setattr(backups, "_browsers", meanwhile)
    assert backup() == first
    assert Roster.objects.filter(sample=None).count() == 2


# ---------------------------------------------------------------- what is refused


def edited(data, change):
    """A backup with other files: ``change`` is given them by name, as lists of lines."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name).decode().split("\n") for name in archive.namelist()}
    change(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.items():
            archive.writestr(name, "\n".join(lines))
    return out.getvalue()


def set_in(name, line, *path, to):
    """Set a value in a line of a file; ``name`` begins the file's name after "rosters/" where that is TOKEN."""

    def change(files, token):
        file = f"rosters/{token}.jsonl" if name == "TOKEN" else name
        data = json.loads(files[file][line])
        place = data
        for key in path[:-1]:
            place = place[key]
        if to is None:
            del place[path[-1]]
        else:
            place[path[-1]] = to
        files[file][line] = json.dumps(data)

    return change


def without(name):
    return lambda files, token: files.pop(name.replace("TOKEN", token))


def spoil(name, line, text):
    def change(files, token):
        files[name.replace("TOKEN", token)][line] = text

    return change


def drop_line(line):
    return lambda files, token: files[f"rosters/{token}.jsonl"].pop(line)


def drop_after(line):
    def change(files, token):
        del files[f"rosters/{token}.jsonl"][line:]

    return change


def stray(name):
    return lambda files, token: files.update({name: ["x"]})


def twice(name):
    return lambda files, token: files[name].insert(0, files[name][0])


ROSTER = "rosters/TOKEN.jsonl"
# what is done to a backup: the sentence that tells it
TAMPERINGS = [
    (without("manifest.json"), r"has no manifest\.json"),
    (without("accounts.jsonl"), r"has no accounts\.jsonl"),
    (stray("rosters/../../etc/passwd"), r"is no file of a backup"),
    (stray("rosters/abc.json"), r"is no file of a backup"),
    (set_in("manifest.json", 0, "version", to=2), r"manifest\.json, line 1: version: "),
    (set_in("manifest.json", 0, "format", to="zip"), r"manifest\.json, line 1: format: "),
    (set_in("manifest.json", 0, "rosters", to=1), r"says 1 rosters, but there are "),
    (set_in("manifest.json", 0, "revisions", to=1), r"says 1 revisions, but there are "),
    (set_in("manifest.json", 0, "accounts", to=0), r"says 0 accounts, but there are 3"),
    (set_in("manifest.json", 0, "battles", to=7), r"says 7 battles, but there are 1"),
    (set_in("manifest.json", 0, "browsers", to=7), r"says 7 browsers, but there are 2"),
    (spoil("manifest.json", 0, "[" * 100_000), r"manifest\.json, line 1: is not usable JSON"),
    (spoil(ROSTER, 0, "{"), r"line 1: is not usable JSON"),
    (spoil(ROSTER, 0, "[]"), r"line 1: the line: "),
    (spoil(ROSTER, 3, "\xff"), r"line 4: is not usable JSON"),
    (set_in("TOKEN", 0, "token", to="another"), r"the roster's token is not the file's name"),
    (set_in("TOKEN", 0, "edit_hash", to="x"), r"line 1: edit_hash"),
    (set_in("TOKEN", 0, "folder", to="x" * 61), r"line 1: folder: "),
    (set_in("TOKEN", 0, "tags", to="\0"), r"line 1: tags: "),
    (set_in("TOKEN", 0, "more", to=1), r"line 1: more: "),
    (set_in("TOKEN", 0, "turn", to=-1), r"line 1: turn: "),
    (set_in("TOKEN", 0, "created", to="yesterday"), r"line 1: created: "),
    (set_in("TOKEN", 0, "visibility", to="open"), r"line 1: visibility: "),
    (set_in("TOKEN", 0, "owner", to="nobody"), r"its owner is not in the backup"),
    (set_in("TOKEN", 0, "creator", to="0" * 64), r"a browser that it names is not in the backup"),
    (set_in("TOKEN", 0, "browsers", to=["0" * 64]), r"a browser that it names is not in the backup"),
    (set_in("TOKEN", 2, "number", to=7), r"line 3: is revision 7, where 2 should be"),
    (set_in("TOKEN", 2, "restores", to=9), r"line 3: brings back revision 9, which is no earlier one"),
    (set_in("TOKEN", 2, "who", to="me"), r"line 3: who: "),
    (set_in("TOKEN", 2, "document", "name", to=1), r"line 3: its document cannot be read: name: must be text"),
    (set_in("TOKEN", 2, "document", "system", to="6mm"), r"line 3: its document cannot be read"),
    (set_in("TOKEN", 2, "document", "formations", 0, "id", to=None), r"line 3: a formation or an element has no id"),
    (set_in("TOKEN", 2, "appraisal", to={}), r"line 3: its appraisal cannot be read"),
    (set_in("TOKEN", 2, "appraisal", "exact", to="1/0"), r"line 3: its appraisal cannot be read"),
    (set_in("TOKEN", 2, "edition", to="of yesterday"), r"line 3: its appraisal is of another edition"),
    (drop_line(3), r"line 4: is revision 4, where 3 should be"),
    (drop_after(1), r"has no revision"),
    (drop_after(3), r"accounts|has no revision 3"),
    (without(ROSTER), r"roster [\w-]+ of this battle is not in the backup|says "),
    (set_in("battles.jsonl", 0, "forces", 0, "revision", to=999), r"has no revision 999"),
    (set_in("battles.jsonl", 0, "system", to="vsgmr"), r"its house rules are none of its game's"),
    (set_in("battles.jsonl", 0, "system", to="chess"), r"'chess' is no game that is known here"),
    (set_in("battles.jsonl", 0, "owner", to="nobody"), r"its owner is not in the backup"),
    (twice("battles.jsonl"), r"stands twice"),
    (twice("accounts.jsonl"), r"stands twice"),
    (twice("browsers.jsonl"), r"stands twice"),
    (set_in("accounts.jsonl", 0, "password", to=5), r"accounts\.jsonl, line 1: password: "),
]


def test_a_backup_with_anything_wrong_in_it_is_refused_and_nothing_is_written(story):
    """Each tampering by its sentence; the database stays as it is."""
    data, token = backup(), story["made"].token
    reborn()
    before = kept()
    for change, sentence in TAMPERINGS:
        spoiled = edited(data, lambda files, change=change: change(files, token))
        with pytest.raises(backupzip.BadBackup, match=sentence):
            backups.restore(io.BytesIO(spoiled))
    assert kept() == before
    assert (get_user_model().objects.count(), Browser.objects.count()) == (0, 0)


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_backup_is_refused(data, tmp_path):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(CommandError, match=r"Nothing was restored"):
        call_command("restore", str(tmp_path / "x.zip"))
    with pytest.raises(CommandError, match=r"cannot be opened"):
        call_command("restore", str(tmp_path / "none.zip"))


def named_wrongly(times):
    """A zip whose file has a name that is no UTF-8: at both places that tell it, or only before the file itself."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("rosters/é.json", "{}")
    return file.getvalue().replace("é".encode(), b"\xff\xfe", times)


def test_a_zip_with_a_wrong_name_or_without_its_first_byte_is_refused(story, tmp_path):
    whole = backup()
    reborn()
    for data in (named_wrongly(2), named_wrongly(1), whole[1:]):
        (tmp_path / "x.zip").write_bytes(data)
        with pytest.raises(CommandError, match=r"(?s)(damaged|no backup).*Nothing was restored"):
            call_command("restore", str(tmp_path / "x.zip"))
        with pytest.raises(documents.Refused):
            backups.documents_in(data)


def test_a_backup_that_was_cut_off_or_damaged_anywhere_is_refused(story):
    data = backup()
    reborn()
    for place in range(50, len(data), len(data) // 40):
        damaged = bytearray(data)
        damaged[place] ^= 0x55
        for spoiled in (data[:place], bytes(damaged)):
            if spoiled == data or is_only_a_label(data, spoiled):
                continue
            with pytest.raises(backupzip.BadBackup):
                backups.check(io.BytesIO(spoiled))


def is_only_a_label(data, spoiled):
    """Whether the zip reads the same all the same: a changed time or permission of a file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as one, zipfile.ZipFile(io.BytesIO(spoiled)) as other:
            return {n: one.read(n) for n in one.namelist()} == {n: other.read(n) for n in other.namelist()}
    except Exception:
        return False


@pytest.mark.parametrize("name", ["README.txt", "accounts.jsonl", "manifest.json", "rosters/TOKEN.jsonl"])
def test_a_zip_bomb_is_refused_before_it_is_inflated(sound, monkeypatch, name):
    """Whichever file it is in; no more of it is held than the longest line."""
    name = name.replace("TOKEN", sound.token)
    data = edited(backup(), lambda files: files.update({name: ["{" + " " * (96 << 20)]}))
    assert len(data) < 1 << 20
    monkeypatch.setattr(backupzip, "LONGEST_LINE", 1 << 20)
    tracemalloc.start()
    with pytest.raises(backupzip.BadBackup, match=rf"{name}, line 1: is longer than the longest there can be"):
        backups.check(io.BytesIO(data))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 32 << 20


def test_files_of_a_zip_that_share_their_bytes_are_refused():
    data = backup()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    for each in members:
        each.compress_size = len(data)
    with pytest.raises(backupzip.BadBackup, match=r"its files overlap"):
        backupzip._look(members, len(data))


def test_a_file_that_claims_more_than_it_can_hold_is_refused():
    member = zipfile.ZipInfo("rosters/-.jsonl")
    member.compress_type, member.compress_size, member.file_size = zipfile.ZIP_DEFLATED, 10, 1 << 40
    member.header_offset = 0
    with pytest.raises(backupzip.BadBackup, match=r"claims to be 1,099,511,627,776 bytes long"):
        backupzip._look([member], 1_000)


@pytest.mark.parametrize("what", ["roster", "battle", "account"])
def test_a_database_that_holds_anything_is_left_alone(what):
    data = backup()
    if what == "roster":
        changes.create(fleet())
    elif what == "battle":
        Battle.objects.create(system="msc", name="At dawn")
    else:
        get_user_model().objects.create_user("thane")
    before = kept()
    with pytest.raises(backups.NotEmpty, match=rf"This database holds 1 {what}\. "):
        backups.restore(io.BytesIO(data))
    assert kept() == before


# ---------------------------------------------------------------- integrity


def faults():
    return [str(looked.fault) for looked in integrity.check() if looked.fault]


def first_of(model, roster):
    return model.objects.filter(roster=roster).order_by("pk").first()


def repack(roster, number, change):
    """Write a revision again with other content, packed whole."""
    revision = roster.revisions.get(number=number)
    data = json.loads(revisions._raw(revision))
    change(data)
    packed = zstandard.ZstdCompressor().compress(documents.dumps(data).encode())
    roster.revisions.filter(number=number).update(packed=packed, base=None)


def rows_differ(roster):
    Element.objects.filter(pk=first_of(Element, roster).pk).update(quantity=9)


def name_differs(roster):
    Roster.objects.filter(pk=roster.pk).update(name="Another")


def element_is_gone(roster):
    first_of(Element, roster).delete()


def profile_is_spoiled(roster):
    Element.objects.filter(pk=first_of(Element, roster).pk).update(profile={"engine": "fast"})


def formation_of_another(roster):
    other = changes.create(fleet()).roster
    Element.objects.filter(pk=first_of(Element, roster).pk).update(formation=first_of(Formation, other))


def points_are_wrong(roster):
    Roster.objects.filter(pk=roster.pk).update(points=roster.points + 1)


def legal_is_wrong(roster):
    Roster.objects.filter(pk=roster.pk).update(legal=not roster.legal)


def quantity_is_wrong(roster):
    Roster.objects.filter(pk=roster.pk).update(quantity=roster.quantity + 1)


def system_is_unknown(roster):
    Roster.objects.filter(pk=roster.pk).update(system="chess")


def bytes_are_spoiled(roster):
    roster.revisions.filter(number=3).update(packed=b"\0\1\2")


def base_is_gone(roster):
    roster.revisions.filter(number=1).delete()


def base_is_another(roster):
    roster.revisions.filter(number=3).update(base=2)


def revision_is_gone(roster):
    roster.revisions.filter(number=3).delete()


def latest_is_gone(roster):
    roster.revisions.filter(number=roster.revision).delete()


def all_are_gone(roster):
    roster.revisions.all().delete()


def one_is_too_many(roster):
    Roster.objects.filter(pk=roster.pk).update(revision=roster.revision - 1)


def document_is_spoiled(roster):
    repack(roster, 3, lambda data: data["document"].update(budget="much"))


def appraisal_is_gone(roster):
    repack(roster, 3, lambda data: data.pop("appraisal"))


def appraisal_is_empty(roster):
    repack(roster, 3, lambda data: data.update(appraisal={}))


def appraisal_is_forged(roster):
    repack(roster, 3, lambda data: data["appraisal"]["formations"][0]["elements"][0].update(points="1"))


def total_is_forged(roster):
    repack(roster, 3, lambda data: data["appraisal"].update(points=1, exact="1"))


def edition_is_another(roster):
    roster.revisions.filter(number=3).update(edition="of yesterday")


def restores_a_later(roster):
    roster.revisions.filter(number=3).update(restores=4)


def battle_of_another_game(roster):
    Force.objects.create(battle=Battle.objects.create(system="6mm", name=""), roster=roster, position=1, revision=1)


def battle_at_no_revision(roster):
    Force.objects.create(battle=Battle.objects.create(system="msc", name=""), roster=roster, position=1, revision=99)


def battle_of_no_game(roster):
    Battle.objects.create(system="chess", name="")


ROWS_DIFFER = "Roster T: its rows differ from its latest revision, 5"
POINTS, QUANTITY = "Roster T: its points column says ", "Roster T: its quantity column says "
# damage to a roster of 5 revisions: what its sentences say
DAMAGE = {
    rows_differ: [ROWS_DIFFER, POINTS, QUANTITY],
    name_differs: [ROWS_DIFFER],
    element_is_gone: [ROWS_DIFFER, POINTS, QUANTITY],
    profile_is_spoiled: ["Roster T: its rows cannot be read (ValidationError"],
    formation_of_another: ["Roster T: its rows cannot be read (KeyError"],
    points_are_wrong: [POINTS],
    legal_is_wrong: ["Roster T: its legal column says "],
    quantity_is_wrong: [QUANTITY],
    system_is_unknown: [
        *(f"Roster T, revision {n}: is of the game msc, and its roster of chess" for n in range(1, 6)),
        "Roster T: 'chess' is no game that is known here",
    ],
    bytes_are_spoiled: ["Roster T, revision 3: cannot be read (ZstdError"],
    base_is_gone: [
        *(f"Roster T, revision {n}: builds on revision 1, which is missing or cannot be read" for n in range(2, 6)),
        "Roster T: has no revision 1 of 5",
    ],
    base_is_another: ["Roster T, revision 3: builds on revision 2, which is missing or cannot be read"],
    revision_is_gone: ["Roster T: has no revision 3 of 5"],
    latest_is_gone: ["Roster T: has no revision 5 of 5"],
    all_are_gone: ["Roster T: has no revision 1, 2, 3, 4, 5 of 5"],
    one_is_too_many: [
        "Roster T: says that its latest revision is 4, but there is a revision 5",
        "Roster T: its rows differ from its latest revision, 4",
    ],
    document_is_spoiled: ["Roster T, revision 3: cannot be read (Refused: budget: must be a finite number"],
    appraisal_is_gone: ["Roster T, revision 3: cannot be read (KeyError: 'appraisal')"],
    appraisal_is_empty: ["Roster T, revision 3: cannot be read (KeyError"],
    appraisal_is_forged: ["Roster T, revision 3: its appraisal does not follow from its document"],
    total_is_forged: ["Roster T, revision 3: its appraisal does not follow from its document: it says 1 points for "],
    edition_is_another: ["Roster T, revision 3: its appraisal is by the rules "],
    restores_a_later: ["Roster T, revision 3: says that it brought back revision 4, which is no earlier one"],
    battle_of_another_game: ["Battle B: roster T is of the game msc, the battle of 6mm"],
    battle_at_no_revision: ["Battle B: roster T has no revision 99, at which it was frozen"],
    battle_of_no_game: ["Battle B: 'chess' is no game that is known here"],
}


@pytest.fixture
def sound():
    """A roster with five revisions, alone, so that looking at everything is soon done."""
    Roster.objects.all().delete()
    made = changes.create(fleet()).roster
    for quantity in (2, 3, 4, 5):
        changes.change(made, edits.set_quantities({"b": quantity}), "Changed")
    return Roster.objects.get(pk=made.pk)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_integrity_finds_damage_and_tells_which_roster_and_what(sound, damage):
    assert faults() == []
    damage(sound)
    found = [text.replace(sound.token, "T") for text in faults()]
    for battle in Battle.objects.all():
        found = [text.replace(battle.token, "B") for text in found]
    assert len(found) == len(DAMAGE[damage]), found
    assert all(text.startswith(begins) for text, begins in zip(found, DAMAGE[damage], strict=True)), found


def test_an_appraisal_by_the_rules_of_another_day_is_no_fault(sound):
    """A revision is what was seen: today's rules may well say otherwise."""
    old = {"edition": "of yesterday", "points": 1, "exact": "1"}
    repack(sound, 3, lambda data: data["appraisal"].update(old))
    sound.revisions.filter(number=3).update(edition="of yesterday")
    assert faults() == []


def test_a_missing_row_that_another_refers_to_is_told(sound):
    """Only a database that does not watch its foreign keys can come to this."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL always watches them")
    Element.objects.filter(pk=first_of(Element, sound).pk).update(formation_id=10**9)
    found = faults()
    Element.objects.filter(formation_id=10**9).delete()
    assert any(text.startswith("The database: ") for text in found)


def test_the_command_exits_1_on_any_fault_and_tells_it_as_json_too(sound):
    def run(*arguments):
        out = io.StringIO()
        try:
            call_command("integrity", *arguments, stdout=out)
        except SystemExit as stop:
            return stop.code, out.getvalue()
        return 0, out.getvalue()

    rosters, revised = Roster.objects.count(), Revision.objects.count()
    assert run() == (0, f"{rosters} rosters, {revised} revisions, 0 battles: no fault.\n")
    points_are_wrong(sound)
    code, told = run()
    assert code == 1
    assert told.splitlines()[-1].endswith(": 1 fault.")
    code, told = run("--json")
    assert code == 1
    [fault] = json.loads(told)["faults"]
    assert (fault["roster"], fault["revision"]) == (sound.token, None)
    assert fault["message"].startswith("its points column says ")


def test_integrity_changes_nothing(sound):
    points_are_wrong(sound)
    before = kept()
    assert faults() != []
    assert kept() == before


# ---------------------------------------------------------------- seed


@pytest.fixture
def few_forces(monkeypatch):
    """So that most of a test's time is not spent on appraising what the rosters are made of."""
    monkeypatch.setattr(seeding, "FORCES", 8)


def seed(number, *more):
    call_command("seed", "--rosters", str(number), *more, stdout=io.StringIO())


def test_the_same_seed_makes_the_same_rosters_and_another_makes_others(few_forces):
    Roster.objects.all().delete()
    backed_up = []
    for number in (5, 5, 6):
        seed(30, "--seed", str(number), "--revisions", "4")
        backed_up.append(backup())
        Roster.objects.all().delete()
        get_user_model().objects.all().delete()
        Browser.objects.all().delete()
    assert backed_up[0] == backed_up[1] != backed_up[2]


def test_seeded_rosters_are_sound_varied_and_restorable(few_forces):
    reborn()
    seed(150, "--revisions", "3")
    made = Roster.objects.filter(sample=None)
    assert made.count() == 150
    for column, at_least in {"system": 5, "name": 130, "visibility": 3, "tags": 30, "legal": 2, "owner": 3}.items():
        assert made.order_by().values(column).distinct().count() >= at_least, column
    assert made.exclude(binned=None).exists()
    assert Revision.objects.filter(roster__sample=None).count() > 200
    assert faults() == []
    first = backup()
    reborn()
    backups.restore(io.BytesIO(first))
    assert backup() == first


def test_a_seed_is_not_sown_twice(few_forces):
    seed(3)
    with pytest.raises(CommandError, match="choose another --seed"):
        seed(3)
    seed(3, "--seed", "2")
    assert Roster.objects.filter(sample=None).count() == 6


# ---------------------------------------------------------------- a visitor's own


def own_zip(client):
    response = client.get("/mine/backup")
    assert response.status_code == 200
    data = b"".join(response.streaming_content)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return data, {name: archive.read(name).decode() for name in archive.namelist()}


def as_browser(secret):
    client = Client()
    client.cookies["armybuilder_browser"] = secret
    return client


def test_a_visitor_takes_home_their_rosters_with_histories_the_bin_included(story):
    _, files = own_zip(as_browser(SECRET))
    index = json.loads(files["index.json"])
    assert len(index) == 2
    assert [bool(each["deleted"]) for each in index] == [False, True]
    for each in index:
        document = registry.read(json.loads(files[f"rosters/{each['file']}.json"]))
        lines = [json.loads(line) for line in files[f"histories/{each['file']}.jsonl"].split("\n") if line]
        assert [line["number"] for line in lines] == [*range(1, len(lines) + 1)]
        assert registry.read(lines[-1]["document"]) == edits.changed(document, changed=None)


def test_nobodys_secrets_go_along(story):
    client = as_browser(SECRET)
    client.force_login(story["user"])
    for visitor in (client, as_browser("a friend's")):
        _, files = own_zip(visitor)
        text = "".join(files.values())
        secrets = [story["made"].edit_hash, hashed(SECRET), hashed("a friend's"), hashed("key"), story["link"]]
        for secret in [*secrets, EMAIL, "thane", story["user"].password]:
            assert secret not in text


def test_folder_and_tags_stay_with_their_owner(story):
    def labels(client):
        return {e["token"]: e.get("folder") for e in json.loads(own_zip(client)[1]["index.json"])}

    owner = Client()
    owner.force_login(story["user"])
    assert labels(owner) == {story["made"].token: "Club\u00e9"}
    assert labels(as_browser("a friend's")) == {story["made"].token: None, story["other"].token: ""}


def test_a_stranger_has_nothing_to_back_up_and_is_told_so(story):
    response = Client().get("/mine/backup", follow=True)
    assert response.redirect_chain[0][0] == "/mine/"
    assert "There is nothing to back up yet" in response.content.decode()
    assert Client().post("/mine/backup").status_code == 405


def test_what_was_taken_home_can_be_imported(story):
    data, _ = own_zip(as_browser("a friend's"))
    found = backups.documents_in(data)
    read = importing.read([Source(name, each) for name, each in found])
    assert read.faulty == ()
    assert {document.name for document in read.documents} == {
        Roster.objects.get(pk=story[name].pk).name for name in ("made", "other")
    }


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06" + bytes(18)])
def test_a_zip_without_documents_is_refused(data):
    with pytest.raises(documents.Refused):
        backups.documents_in(data)


def test_a_zip_of_too_much_is_refused(monkeypatch):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rosters/a.json", bytes(backups.MOST_OWN_BYTES + 1))
    with pytest.raises(documents.Refused, match=r"holds more than 1,000 documents"):
        backups.documents_in(out.getvalue())
