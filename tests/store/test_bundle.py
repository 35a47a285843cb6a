"""Back up everything, restore it, back it up again: the same bytes. And integrity, which finds each kind of damage."""

import io
import json
import threading
import tracemalloc
import zipfile
from types import SimpleNamespace

import pytest
import zstandard
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate, get_user_model
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from rosters import registry
from rosters.core import documents, edits
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
    new_token,
)
from rosters.ops import integrity
from rosters.ops import seed as sowing
from rosters.store import bundle, bundle_format, importing, revisions, writer
from rosters.store.importing import Source
from rosters.store.reference import reference
from rosters.store.state import read_document
from rosters.web.http import permissions
from tests.strategies import EDITS, fleet
from tests.support import FIXTURES
from tools.fuzz.kit import undone
from tools.served import Site, database

pytestmark = pytest.mark.django_db
SECRET, FRIEND = "a browser's secret", "a friend's"
EMAIL, PASSWORD = "thane@example.com", "correct horse battery"
SAMPLE = "msc/book-squadron"


# ---------------------------------------------------------------- a database with something of everything


def army(path):
    return registry.read(documents.parse((FIXTURES / "armies" / path).read_bytes()))


def told():
    """An account, two browsers, rosters with histories in every state, one sample, and a battle; their tokens."""
    user = get_user_model().objects.create_user("thane", EMAIL, PASSWORD, last_login=timezone.now())
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    ApiToken.objects.create(user=user, name="a script", key_hash=hashed("key"), used=timezone.now())
    browser, friend = (Browser.objects.create(key_hash=hashed(secret)) for secret in (SECRET, FRIEND))
    made, link = writer.create(fleet(), browser=browser, owner=user)
    for name, edit in EDITS.items():
        writer.apply_edit(made, edit, f"Did {name}, Łódź 👩‍🚀\u2028")
        writer.undo(made)
    writer.redo(made)
    writer.grant_edit(made, friend)
    other = writer.create(army("vsgmr/orcs.json"), browser=friend).roster
    for name in ("odin", "loki"):  # both say that an address is theirs, and neither has proved it
        user_too = get_user_model().objects.create_user(name, f"{name}@example.com")
        EmailAddress.objects.create(user=user_too, email="both@example.com", verified=False, primary=False)
    binned = writer.create(army("urutsk/ferry-crossing-garrison.json"), browser=browser).roster
    writer.update_roster(made, folder="Club\u00e9", tags="a, b", archived=True, visibility="closed", hide_points=True)
    writer.save_print_settings(made, {"paper": "letter", "marks": True})
    writer.set_turn(other, 4)
    writer.move_to_bin(binned)
    Roster.objects.exclude(sample=None).exclude(sample=SAMPLE).delete()
    Roster.objects.filter(sample=SAMPLE).update(token=new_token())  # each site has its samples at addresses of its own
    sample = Roster.objects.get(sample=SAMPLE)
    battle = Battle.objects.create(system="msc", name="At dawn", owner=user, options={"max_engine": 6}, creator=browser)
    battle.browsers.add(browser)
    Force.objects.create(battle=battle, roster=made, position=1, revision=3)
    Force.objects.create(battle=battle, roster=sample, position=2, revision=1)
    tokens = {"made": made.token, "other": other.token, "sample": sample.token, "battle": battle.token}
    return SimpleNamespace(**tokens, link=link, data=backup(), rows=kept())


def backup():
    file = io.BytesIO()
    bundle.write(file)
    return file.getvalue()


def restore(data):
    return bundle.restore(io.BytesIO(data))


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
        rows[roster.token] = {n: getattr(roster, n) for n in columns}, read_document(roster), history, people, browsers
    battles = [*Battle.objects.order_by("token").values("token", "system", "name", "options", "created", "changed")]
    forces = [*Force.objects.order_by("position").values_list("battle__token", "roster__token", "revision")]
    return rows, battles, forces


def summaries():
    """The row of every roster, and how many revisions there are."""
    return [*Roster.objects.order_by("pk").values()], Revision.objects.count()


@pytest.fixture(scope="module")
def story(django_db_setup, django_db_blocker):
    """What ``told`` has made and its backup; the database is as it was before."""
    with django_db_blocker.unblock(), undone():
        return told()


@pytest.fixture
def restored(story):
    """The story, in the database."""
    restore(story.data)
    return story


def faults():
    return [looked.fault for looked in integrity.check() if looked.fault]


# ---------------------------------------------------------------- there and back


@pytest.mark.database
def test_a_restored_site_is_the_same_to_the_byte_and_goes_on_as_before(story):
    manifest = restore(story.data)
    assert backup() == story.data
    assert kept() == story.rows
    assert (manifest.accounts, manifest.battles, manifest.rosters) == (3, 1, 4)
    assert faults() == []
    roster = Roster.objects.get(token=story.made)
    assert writer.last_undoable(roster).summary == writer.undo(roster)
    assert writer.apply_edit(roster, EDITS["settings"], "Changed")
    writer.create(fleet())
    assert faults() == []


def test_after_a_restore_links_browsers_passwords_and_tokens_work(restored):
    assert permissions.edit_secret_matches(Roster.objects.get(token=restored.made), restored.link)
    assert authenticate(None, username="thane", password=PASSWORD).email == EMAIL
    assert as_browser(SECRET).get(f"/r/{restored.made}/").status_code == 200
    assert Client().get(f"/r/{restored.made}/").status_code == 404
    assert Client().get(f"/r/{restored.other}/").url == f"/s/{restored.other}"
    assert Client().get(f"/s/{restored.sample}").status_code == 200
    assert ApiToken.objects.get().key_hash == hashed("key")


THERE_AND_BACK = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("restore", {there!r})
call_command("integrity")
call_command("backup", {back!r})
"""


def test_moving_to_postgresql_loses_nothing(story, tmp_path):
    """As docs/deploy.md tells it."""
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    there.write_bytes(story.data)
    with database("postgresql") as url:
        code, said = Site(url, 0, 1).manage(
            "shell", "-v0", "-c", THERE_AND_BACK.format(there=str(there), back=str(back))
        )
    assert code == 0, said
    assert back.read_bytes() == story.data


def test_a_backup_without_people_restores_too_and_over_the_samples():
    """Into a database as `load` leaves it, and as `migrate` does: without reference rows too."""
    writer.create(fleet())
    first = backup()
    Roster.objects.filter(sample=None).delete()
    restore(first)
    assert backup() == first
    Roster.objects.all().delete()
    none = backup()
    Capability.objects.all().delete()
    reference.cache_clear()
    restore(none)
    assert backup() == none
    assert Capability.objects.exists()


def test_the_commands_write_and_read_the_same_bytes(restored, tmp_path, capfdbinary):
    path = tmp_path / "site.zip"
    call_command("backup", str(path), stdout=io.StringIO())
    call_command("backup", "-", stderr=io.StringIO())
    assert capfdbinary.readouterr().out == path.read_bytes() == restored.data
    assert path.stat().st_mode & 0o077 == 0, "it holds password hashes"
    for model in (Battle, Roster, get_user_model(), Browser):
        model.objects.all().delete()
    call_command("restore", str(path), stdout=io.StringIO())
    assert backup() == restored.data


def test_a_backup_that_fails_says_where_and_leaves_the_last_one_as_it_was(restored, tmp_path):
    path = tmp_path / "site.zip"
    path.write_bytes(b"the last one")
    Revision.objects.filter(roster__token=restored.made, number=1).update(packed=b"spoiled")
    with pytest.raises(CommandError, match=f"{restored.made}, after revision 0"):
        call_command("backup", str(path))

    def gone(execute, *arguments):
        raise OperationalError("no such table: auth_user")

    with connection.execute_wrapper(gone), pytest.raises(CommandError, match=r"no such table: auth_user"):
        call_command("backup", str(path))
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"the last one"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_and_keeps_nobody_waiting(monkeypatch):
    writer.create(fleet())
    first, browsers = backup(), bundle._browsers

    def meanwhile():
        def write():
            writer.create(fleet())
            connection.close()

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(timeout=15)
        assert not thread.is_alive(), "the writer had to wait"
        return browsers()

    monkeypatch.setattr(bundle, "_browsers", meanwhile)
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


GONE = object()


def put(name, line, path, to):
    """Set a value in a line of a file, or take it away."""

    def change(files):
        data = place = json.loads(files[name][line])
        *path_to, last = path.split("/")
        for key in path_to:
            place = place[int(key) if key.isdigit() else key]
        if to is GONE:
            del place[last]
        else:
            place[last] = to
        files[name][line] = json.dumps(data)

    return change


def lines(name, change):
    return lambda files: change(files[name])


MANIFEST, BATTLES, ACCOUNTS, ROSTER = "manifest.json", "battles.jsonl", "accounts.jsonl", "rosters/TOKEN.jsonl"
NOT_A_ROSTER_S = {"edit_hash": "x", "folder": "x" * 61, "tags": "\0", "more": 1, "turn": -1}
NOT_A_ROSTER_S |= {"created": "yesterday", "visibility": "open"}
# what is done to the file of a roster, a battle or the whole: what the refusal names
TAMPERINGS = [
    (lambda files: files.pop(MANIFEST), MANIFEST),
    (lambda files: files.pop(ACCOUNTS), ACCOUNTS),
    (lambda files: files.update({"rosters/../../etc/passwd": ["x"]}), "etc/passwd"),
    (lambda files: files.update({"rosters/abc.json": ["x"]}), r"abc\.json"),
    *((put(MANIFEST, 0, name, "9"), f"line 1: {name}") for name in ("version", "format")),
    *((put(MANIFEST, 0, name, 9), f"9 {name}") for name in ("accounts", "browsers", "rosters", "revisions", "battles")),
    (lines(MANIFEST, lambda these: these.__setitem__(0, "[" * 100_000)), "line 1"),
    (lines(ROSTER, lambda these: these.__setitem__(0, "{")), "line 1"),
    (lines(ROSTER, lambda these: these.__setitem__(0, "[]")), "line 1"),
    (lines(ROSTER, lambda these: these.__setitem__(3, "\xff")), "line 4"),
    (lines(ROSTER, lambda these: these.pop(3)), "line 4"),
    (lines(ROSTER, lambda these: these.__delitem__(slice(1, None))), "no revision"),
    (lines(ROSTER, lambda these: these.__delitem__(slice(3, None))), "no revision 3"),
    (put(ROSTER, 0, "token", "another"), "token"),
    *((put(ROSTER, 0, name, value), f"line 1: {name}") for name, value in NOT_A_ROSTER_S.items()),
    (put(ROSTER, 0, "owner", "nobody"), "owner"),
    (put(ROSTER, 0, "creator", "0" * 64), "browser"),
    (put(ROSTER, 0, "browsers", ["0" * 64]), "browser"),
    (put(ROSTER, 2, "number", 7), "line 3.* 7.* 2"),
    (put(ROSTER, 2, "restores", 9), "line 3.* 9"),
    (put(ROSTER, 2, "who", "me"), "line 3: who"),
    (put(ROSTER, 2, "document/name", 1), "line 3.*document.*name"),
    (put(ROSTER, 2, "document/system", "6mm"), "line 3.*document"),
    (put(ROSTER, 2, "document/formations/0/id", GONE), "line 3.*id"),
    (put(ROSTER, 2, "appraisal", {}), "line 3.*appraisal"),
    (put(ROSTER, 2, "appraisal/exact", "1/0"), "line 3.*appraisal"),
    (put(ROSTER, 2, "edition", "of yesterday"), "line 3.*edition"),
    (lambda files: files.pop(ROSTER), "roster"),
    (put(BATTLES, 0, "forces/0/revision", 999), "999"),
    (put(BATTLES, 0, "system", "vsgmr"), BATTLES),
    (put(BATTLES, 0, "system", "chess"), "chess"),
    (put(BATTLES, 0, "owner", "nobody"), "owner"),
    *((lines(name, lambda these: these.insert(0, these[0])), name) for name in (BATTLES, ACCOUNTS, "browsers.jsonl")),
    (put(ACCOUNTS, 0, "password", 5), "line 1: password"),
]


def test_a_backup_with_anything_wrong_in_it_is_refused_and_nothing_is_written(story):
    before, file = summaries(), f"rosters/{story.made}.jsonl"
    for change, named in TAMPERINGS:

        def tamper(files, change=change):
            files[ROSTER] = files.pop(file)
            change(files)
            if ROSTER in files:
                files[file] = files.pop(ROSTER)

        with pytest.raises(bundle_format.BadBackup, match=named):
            restore(edited(story.data, tamper))
    assert summaries() == before
    assert (get_user_model().objects.count(), Browser.objects.count()) == (0, 0)


def named_wrongly(times):
    """A zip whose file has a name that is no UTF-8: at both places that tell it, or only before the file itself."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("rosters/é.json", "{}")
    return file.getvalue().replace("é".encode(), b"\xff\xfe", times)


def test_what_is_no_backup_is_refused(story, tmp_path):
    path, before = tmp_path / "x.zip", Roster.objects.count()
    with pytest.raises(CommandError):
        call_command("restore", str(path))
    no_documents = [b"", b"PK\x05\x06" + bytes(18), named_wrongly(2), named_wrongly(1), story.data[1:]]
    for data in (*no_documents, b"no zip", b"PK\x03\x04"):
        path.write_bytes(data)
        with pytest.raises(CommandError):
            call_command("restore", str(path))
    for data in no_documents:
        with pytest.raises(documents.InvalidDocument):
            bundle.documents_in(data)
    assert Roster.objects.count() == before


def test_a_backup_that_was_cut_off_or_damaged_anywhere_is_refused(story):
    for place in range(50, len(story.data), len(story.data) // 40):
        damaged = bytearray(story.data)
        damaged[place] ^= 0x55
        for spoiled in (story.data[:place], bytes(damaged)):
            if not is_only_a_label(story.data, spoiled):
                with pytest.raises(bundle_format.BadBackup):
                    bundle.check(io.BytesIO(spoiled))


def is_only_a_label(data, spoiled):
    """Whether the zip reads the same all the same: a changed time or permission of a file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as one, zipfile.ZipFile(io.BytesIO(spoiled)) as other:
            return {n: one.read(n) for n in one.namelist()} == {n: other.read(n) for n in other.namelist()}
    except Exception:
        return False


def test_a_zip_bomb_is_refused_before_it_is_inflated(story, monkeypatch):
    """Whichever file it is in; no more of it is held than the longest line."""
    monkeypatch.setattr(bundle_format, "LONGEST_LINE", 1 << 20)
    for name in ("README.txt", ACCOUNTS, MANIFEST, f"rosters/{story.made}.jsonl"):
        data = edited(story.data, lambda files, name=name: files.update({name: ["{" + " " * (48 << 20)]}))
        assert len(data) < 1 << 20
        tracemalloc.start()
        with pytest.raises(bundle_format.BadBackup, match=rf"{name}, line 1"):
            bundle.check(io.BytesIO(data))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 32 << 20


def test_files_of_a_zip_that_overlap_claim_too_much_or_are_encrypted_are_refused(story):
    with zipfile.ZipFile(io.BytesIO(story.data)) as archive:
        members = archive.infolist()
    for each in members:
        each.compress_size = len(story.data)
    with pytest.raises(bundle_format.BadBackup, match="overlap"):
        bundle_format._look(members, len(story.data))
    member = zipfile.ZipInfo("rosters/-.jsonl")
    member.compress_type, member.compress_size, member.file_size = zipfile.ZIP_DEFLATED, 10, 1 << 40
    member.header_offset = 0
    for flags, words in [(0, "1,099,511,627,776"), (1, "encrypted")]:
        member.flag_bits = flags
        with pytest.raises(bundle_format.BadBackup, match=words):
            bundle_format._look([member], 1_000)


def test_a_database_that_holds_anything_is_left_alone(story):
    for make in (
        lambda: writer.create(fleet()),
        lambda: Battle.objects.create(system="msc", name="At dawn"),
        lambda: get_user_model().objects.create_user("thane"),
    ):
        with undone():
            make()
            before = summaries()
            with pytest.raises(bundle.NotEmpty):
                restore(story.data)
            assert summaries() == before


# ---------------------------------------------------------------- integrity


@pytest.fixture
def sound():
    """A roster with five revisions, alone, so that looking at everything is soon done."""
    Roster.objects.all().delete()
    made = writer.create(fleet()).roster
    for quantity in (2, 3, 4, 5):
        writer.apply_edit(made, edits.set_quantities({"b": quantity}), "Changed")
    return Roster.objects.get(pk=made.pk)


def element(roster):
    """The roster's first element, as a query."""
    return Element.objects.filter(pk=Element.objects.filter(roster=roster).order_by("pk").first().pk)


def row(**columns):
    """Write other values into the row of a roster; a function is given the roster."""

    def damage(roster):
        values = {name: value(roster) if callable(value) else value for name, value in columns.items()}
        Roster.objects.filter(pk=roster.pk).update(**values)

    return damage


def third(**columns):
    return lambda roster: roster.revisions.filter(number=3).update(**columns)


def gone(*numbers):
    return lambda roster: roster.revisions.filter(number__in=numbers).delete()


def packed(change):
    """Write the third revision again with other content, packed whole."""

    def damage(roster):
        data = json.loads(revisions._raw(roster.revisions.get(number=3)))
        change(data)
        whole = zstandard.ZstdCompressor().compress(documents.dumps(data).encode())
        roster.revisions.filter(number=3).update(packed=whole, base=None)

    return damage


def read_text(roster):
    return Roster.objects.values_list("document", flat=True).get(pk=roster.pk)


def element_of_another(roster):
    other = writer.create(fleet()).roster
    element(roster).update(formation=Formation.objects.filter(roster=other).first())


def battle(system, revision=None):
    def damage(roster):
        made = Battle.objects.create(system=system, name="")
        if revision:
            Force.objects.create(battle=made, roster=roster, position=1, revision=revision)

    return damage


# damage to a roster of 5 revisions, and each fault that is told: the revision, and words of it
DAMAGE = {
    "rows": (lambda r: element(r).update(quantity=9), [(None, "rows differ")]),
    "name": (row(name="Another"), [(None, "name column")]),
    "element gone": (lambda r: element(r).delete(), [(None, "rows differ")]),
    "profile": (lambda r: element(r).update(profile={"engine": "fast"}), [(None, "rows differ")]),
    "formation of another": (element_of_another, [(None, "rows differ")]),
    "current document": (
        lambda r: row(document=read_text(r).replace('"quantity":5', '"quantity":9'))(r),
        [(None, "differs from its latest revision"), (None, "rows differ"), (None, "points"), (None, "quantity")],
    ),
    "no document": (row(document=""), [(None, "JSONDecodeError")]),
    "points": (row(points=lambda r: r.points + 1), [(None, "points column")]),
    "legal": (row(legal=lambda r: not r.legal), [(None, "legal column")]),
    "quantity": (row(quantity=lambda r: r.quantity + 1), [(None, "quantity column")]),
    "system": (row(system="chess"), [*((n, "chess") for n in range(1, 6)), (None, "chess")]),
    "bytes": (third(packed=b"\0\1\2"), [(3, "ZstdError")]),
    "base gone": (gone(1), [*((n, "builds on revision 1") for n in range(2, 6)), (None, "no revision 1 of 5")]),
    "base another": (third(base=2), [(3, "builds on revision 2")]),
    "revision gone": (gone(3), [(None, "no revision 3 of 5")]),
    "latest gone": (gone(5), [(None, "no revision 5 of 5")]),
    "all gone": (gone(*range(1, 6)), [(None, "no revision 1, 2, 3, 4, 5 of 5")]),
    "one too many": (row(revision=4), [(None, "revision 5"), (None, "document differs")]),
    "document": (packed(lambda data: data["document"].update(budget="much")), [(3, "InvalidDocument: budget")]),
    "appraisal gone": (packed(lambda data: data.pop("appraisal")), [(3, "KeyError")]),
    "appraisal empty": (packed(lambda data: data.update(appraisal={})), [(3, "KeyError")]),
    "appraisal forged": (
        packed(lambda data: data["appraisal"]["formations"][0]["elements"][0].update(points="1")),
        [(3, "appraisal")],
    ),
    "total forged": (packed(lambda data: data["appraisal"].update(points=1, exact="1")), [(3, "says 1 points")]),
    "edition": (third(edition="of yesterday"), [(3, "appraisal")]),
    "restores a later": (third(restores=4), [(3, "revision 4")]),
    "battle of another game": (battle("6mm", 1), [(None, "6mm")]),
    "battle at no revision": (battle("msc", 99), [(None, "99")]),
    "battle of no game": (battle("chess"), [(None, "chess")]),
}


def test_integrity_finds_damage_and_tells_which_roster_and_what(sound):
    assert faults() == []
    for name, (damage, expected) in DAMAGE.items():
        with undone():
            damage(sound)
            before, found = summaries(), faults()
            tokens = {each.token for model in (Roster, Battle) for each in model.objects.all()}
            assert [fault.revision for fault in found] == [number for number, _ in expected], (name, found)
            assert all(words in fault.message for fault, (_, words) in zip(found, expected, strict=True)), (name, found)
            assert all((fault.roster or fault.battle) in tokens for fault in found)
            assert summaries() == before, "it only looks"


def test_an_appraisal_by_the_rules_of_another_day_is_no_fault(sound):
    """A revision is what was seen: today's rules may well say otherwise."""
    old = {"edition": "of yesterday", "points": 1, "exact": "1"}
    packed(lambda data: data["appraisal"].update(old))(sound)
    third(edition="of yesterday")(sound)
    assert faults() == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL always watches its foreign keys")
def test_a_missing_row_that_another_refers_to_is_told(sound):
    element(sound).update(formation_id=10**9)
    found = faults()
    Element.objects.filter(formation_id=10**9).delete()
    assert [fault for fault in found if fault.roster is fault.battle is None]


def test_the_command_exits_1_on_any_fault_and_tells_it_as_json_too(sound):
    def run(*arguments):
        out = io.StringIO()
        try:
            call_command("integrity", *arguments, stdout=out)
        except SystemExit as stop:
            return stop.code, out.getvalue()
        return 0, out.getvalue()

    assert run()[0] == 0
    row(points=99)(sound)
    code, text = run()
    assert (code, sound.token in text) == (1, True)
    code, text = run("--json")
    assert code == 1
    [fault] = json.loads(text)["faults"]
    assert (fault["roster"], fault["revision"], "points" in fault["message"]) == (sound.token, None, True)


# ---------------------------------------------------------------- seed


@pytest.fixture
def seed(monkeypatch):
    """Run the command, with few forces: most of the time would go into appraising what the rosters are made of."""
    monkeypatch.setattr(sowing, "FORCES", 8)
    return lambda *more: call_command("seed", *map(str, more), stdout=io.StringIO())


def test_the_same_seed_makes_the_same_rosters_another_makes_others_and_none_is_sown_twice(seed):
    Roster.objects.all().delete()
    backed_up = []
    for number in (5, 5, 6):
        with undone():
            seed("--rosters", 12, "--seed", number, "--revisions", 4)
            backed_up.append(backup())
            with pytest.raises(CommandError, match="--seed"):
                seed("--rosters", 12, "--seed", number)
    assert backed_up[0] == backed_up[1] != backed_up[2]


def test_seeded_rosters_are_sound_and_varied(seed):
    seed("--rosters", 100, "--revisions", 3)
    made = Roster.objects.filter(sample=None)
    assert made.count() == 100
    for column, at_least in {"system": 5, "name": 85, "visibility": 3, "tags": 20, "legal": 2, "owner": 3}.items():
        assert made.order_by().values(column).distinct().count() >= at_least, column
    assert made.exclude(binned=None).exists()
    assert Revision.objects.filter(roster__sample=None).count() > 130
    assert faults() == []


# ---------------------------------------------------------------- a visitor's own


def as_browser(secret):
    client = Client()
    client.cookies["armybuilder_browser"] = secret
    return client


def own_zip(client):
    response = client.get("/mine/backup")
    assert response.status_code == 200
    data = b"".join(response.streaming_content)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return data, {name: archive.read(name).decode() for name in archive.namelist()}


def test_a_visitor_takes_home_their_rosters_with_histories_the_bin_included(restored):
    _, files = own_zip(as_browser(SECRET))
    index = json.loads(files["index.json"])
    assert sorted(bool(each["deleted"]) for each in index) == [False, True]
    for each in index:
        document = registry.read(json.loads(files[f"rosters/{each['file']}.json"]))
        history = [json.loads(line) for line in files[f"histories/{each['file']}.jsonl"].split("\n") if line]
        assert [line["number"] for line in history] == [*range(1, len(history) + 1)]
        assert registry.read(history[-1]["document"]) == edits.replace_fields(document, changed=None)


def test_nobodys_secrets_go_along_and_folders_stay_with_their_owner(restored):
    def labels(files):
        return {each["token"]: each.get("folder") for each in json.loads(files["index.json"])}

    owner, user = Client(), get_user_model().objects.get(username="thane")
    owner.force_login(user)
    zips = [own_zip(client)[1] for client in (owner, as_browser(SECRET), as_browser(FRIEND))]
    secrets = [Roster.objects.get(token=restored.made).edit_hash, hashed(SECRET), hashed(FRIEND), hashed("key")]
    for files in zips:
        text = "".join(files.values())
        assert [each for each in (*secrets, restored.link, EMAIL, "thane", user.password) if each in text] == []
    assert labels(zips[0]) == {restored.made: "Club\u00e9"}
    assert labels(zips[2]) == {restored.made: None, restored.other: ""}


def test_a_stranger_has_nothing_to_back_up():
    assert Client().get("/mine/backup").url == "/mine/"
    assert Client().post("/mine/backup").status_code == 405


def test_what_was_taken_home_can_be_imported(restored):
    data, _ = own_zip(as_browser(FRIEND))
    read = importing.read([Source(name, each) for name, each in bundle.documents_in(data)])
    assert read.faulty == ()
    names = Roster.objects.filter(token__in=(restored.made, restored.other)).values_list("name", flat=True)
    assert {document.name for document in read.documents} == {*names}


def test_a_zip_of_too_much_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rosters/a.json", bytes(bundle.MOST_OWN_BYTES + 1))
    with pytest.raises(documents.InvalidDocument):
        bundle.documents_in(out.getvalue())
