"""Integrity finds each kind of damage and changes nothing; seed makes rosters that are sound."""

import io
import json

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import connection

from rosters.core import documents, edits
from rosters.models import Battle, Capability, Element, Force, Formation, Revision, Roster, SuperPower, Trait
from rosters.ops import integrity
from rosters.ops import seed as sowing
from rosters.store import revisions, writer
from rosters.store.reference import load_rows
from tests.database import summaries
from tests.strategies import fleet
from tools.fuzz.kit import undone

pytestmark = pytest.mark.django_db


def faults():
    return [progress.fault for progress in integrity.check() if progress.fault]


@pytest.fixture
def sound():
    """A roster with five revisions, alone, so that looking at everything is soon done."""
    Roster.objects.all().delete()
    roster = writer.create(fleet()).roster
    for quantity in (2, 3, 4, 5):
        writer.apply_edit(roster, edits.set_quantities({"b": quantity}), "Changed")
    return Roster.objects.defer(None).get(pk=roster.pk)


def element(roster):
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


def of_yesterday(roster):
    """A revision is what was seen: today's rules may well say otherwise."""
    packed(lambda data: data["appraisal"].update({"edition": "of yesterday", "points": 1, "exact": "1"}))(roster)
    third(edition="of yesterday")(roster)


def element_of_another(roster):
    other = writer.create(fleet()).roster
    element(roster).update(formation=Formation.objects.filter(roster=other).first())


def battle(system, revision=None):
    def damage(roster):
        fight = Battle.objects.create(system=system, name="")
        if revision:
            Force.objects.create(battle=fight, roster=roster, position=1, revision=revision)

    return damage


# damage to a roster of 5 revisions, and each inconsistency: the revision, and words of the message
DAMAGE = {
    "rows": (lambda r: element(r).update(quantity=9), [(None, "rows differ")]),
    "name": (row(name="Another"), [(None, "name column"), (None, "folded_name")]),
    "crest": (row(crest="0badcafe"), [(None, "crest column")]),
    "element gone": (lambda r: element(r).delete(), [(None, "rows differ")]),
    "profile": (lambda r: element(r).update(profile={"engine": "fast"}), [(None, "rows differ")]),
    "formation of another": (element_of_another, [(None, "rows differ")]),
    "current document": (
        lambda r: row(document=r.document.replace('"quantity":5', '"quantity":9'))(r),
        [(None, words) for words in ("differs from the latest", "rows differ", "points", "quantity")],
    ),
    "no document": (row(document=""), [(None, "JSONDecodeError")]),
    "points": (row(points=lambda r: r.points + 1), [(None, "points column")]),
    "legal": (row(legal=lambda r: not r.legal), [(None, "legal column")]),
    "errors": (row(errors=7), [(None, "errors column")]),
    "errors from before they were counted": (row(errors=None), []),
    "quantity": (row(quantity=lambda r: r.quantity + 1), [(None, "quantity column")]),
    "system": (row(system="chess"), [*((n, "chess") for n in range(1, 6)), (None, "chess")]),
    "bytes": (third(packed=b"\0\1\2"), [(3, "ZstdError")]),
    "base gone": (gone(1), [*((n, "based on revision 1") for n in range(2, 6)), (None, "1 of 5")]),
    "base another": (third(base=2), [(3, "based on revision 2")]),
    "revision gone": (gone(3), [(None, "missing: 3")]),
    "latest gone": (gone(5), [(None, "missing: 5")]),
    "all gone": (gone(*range(1, 6)), [(None, "missing: 1, 2, 3, 4, 5")]),
    "one too many": (row(revision=4), [(None, "revision 5"), (None, "document differs")]),
    "tags": (row(tags="club"), [(None, "tag rows")]),
    "gallery": (row(visibility="listed"), [(None, "gallery words")]),
    "document": (packed(lambda data: data["document"].update(budget="much")), [(3, "InvalidDocument: budget")]),
    "appraisal gone": (packed(lambda data: data.pop("appraisal")), [(3, "KeyError")]),
    "appraisal empty": (packed(lambda data: data.update(appraisal={})), [(3, "KeyError")]),
    "appraisal forged": (
        packed(lambda data: data["appraisal"]["formations"][0]["elements"][0].update(points="1")),
        [(3, "appraisal")],
    ),
    "total forged": (packed(lambda data: data["appraisal"].update(points=1, exact="1")), [(3, "appraisal: 1 (")]),
    "edition": (third(edition="of yesterday"), [(3, "appraisal")]),
    "rules of yesterday": (of_yesterday, []),
    "restores a later": (third(restores=4), [(3, "revision 4")]),
    "battle of another game": (battle("6mm", 1), [(None, "6mm")]),
    "battle at no revision": (battle("msc", 99), [(None, "99")]),
    "battle of no game": (battle("chess"), [(None, "chess")]),
}


def test_integrity_finds_damage_and_names_the_roster_and_the_fault(sound):
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


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL always watches its foreign keys")
def test_a_missing_row_that_another_refers_to_is_reported(sound):
    element(sound).update(formation_id=10**9)
    found = faults()
    Element.objects.filter(formation_id=10**9).delete()
    assert [fault for fault in found if fault.roster is fault.battle is None]


def test_the_command_exits_1_on_any_fault_and_prints_it_as_json_too(sound, capsys):
    call_command("integrity")
    row(points=99)(sound)
    for flags in ([], ["--json"]):
        with pytest.raises(SystemExit) as stop:
            call_command("integrity", *flags)
        text = capsys.readouterr().out
        assert (stop.value.code, sound.token in text) == (1, True)
    [fault] = json.loads(text)["faults"]
    assert (fault["roster"], fault["revision"], "points" in fault["message"]) == (sound.token, None, True)


@pytest.fixture
def seed(monkeypatch):
    """Run the command, with few forces: most of the time would go into appraising what the rosters are made of."""
    monkeypatch.setattr(sowing, "FORCES", 8)
    return lambda *more: call_command("seed", *map(str, more), stdout=io.StringIO())


def test_seeded_rosters_are_sound_and_varied(seed):
    seed("--rosters", 100, "--revisions", 3)
    with pytest.raises(CommandError, match="--seed"):
        seed("--rosters", 100)
    roster = Roster.objects.filter(sample=None)
    assert roster.count() == 100
    for column, at_least in {"system": 5, "name": 85, "visibility": 3, "tags": 20, "legal": 2, "owner": 3}.items():
        assert roster.order_by().values(column).distinct().count() >= at_least, column
    assert roster.exclude(binned=None).exists()
    assert Revision.objects.filter(roster__sample=None).count() > 130
    assert faults() == []


def test_reference_rows_are_compared_with_their_lists_and_load_corrects_them(sound):
    Capability.objects.filter(code="MA").update(percent=26)
    Trait.objects.filter(code="tough").delete()
    SuperPower.objects.create(power="x", tier="y", number=99, die=8, points=1)
    assert [(fault.roster, fault.battle, fault.revision) for fault in faults()] == [(None, None, None)] * 3
    load_rows()
    assert faults() == []
    assert Capability.objects.get(code="MA").percent == 25
