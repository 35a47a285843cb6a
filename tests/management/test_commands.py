"""The command line: appraise, explain, routes and load, with what they print and how they exit."""

import io
import json
import sys

import pytest
from django.core.management import load_command_class

from rosters import registry
from rosters.core import appraisals
from rosters.core.documents import dumps
from rosters.models import Revision, Roster
from rosters.store import writer
from tests.strategies import SYSTEMS
from tests.support import FIXTURES, appraise, roster_data

pytestmark = pytest.mark.django_db

SHIP = {"name": "Łódź 👩‍🚀", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
LEGAL = roster_data("msc", [SHIP])
ILLEGAL = roster_data("msc", [{**SHIP, "engine": 9, "quantity": 2}], budget=40)
DOCUMENT_ERRORS = {**roster_data("msc", [{**SHIP, "engine": "x", "speed": 1}]), "budget": True}

FAULTS = [
    {"path": "budget", "message": "must be a finite number"},
    {"path": "formations/0/elements/0/engine", "message": "must be a whole number"},
    {"path": "formations/0/elements/0/speed", "message": "is not a key that is known here"},
]
FILES = {  # files by name: what they hold, and the exit code when only such are given
    "legal.json": (dumps(LEGAL), 0),
    "counted.json": (dumps(roster_data("urutsk", [{"quantity": 3, "command": True}])), 0),
    "illegal.json": (dumps(ILLEGAL), 1),
    "refused.json": (dumps(DOCUMENT_ERRORS), 2),
    "broken.json": ("{", 2),
    "empty.json": ("", 2),
}
ORDERS = ["legal counted", "legal illegal legal", "broken illegal", "illegal refused legal empty legal"]
EXPLAINED = [  # system and code: the kind of the explanation; None for what has none
    *(("mini-combat", code, "(rule)") for code in ("IF", "if", "indirect fire")),
    *(("mini-combat", "star", "(house rule)"), ("mini-combat", "house-rule", "(note)")),
    *(("6mm", "last-set-short", "(warning)"), ("vsgmr", "super-armor-superior", "(rule)")),
    *(("urutsk", "fate-below-one", "(error)"), *(("urutsk", code, None) for code in ("over-budget", "house-rule", ""))),
    *((system, code, None) for system, code in [("vsgmr", "house-rule"), ("msc", "IF"), ("chess", "IF")]),
]


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command as manage.py does: its exit code, what it printed, and what it complained about."""
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)  # the test's transaction goes on

    def run(name, *arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = 0
        try:
            load_command_class("rosters", name).run_from_argv(["manage.py", name, *map(str, arguments)])
        except SystemExit as end:
            code = end.code or 0
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def files(tmp_path):
    for name, (text, _) in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_appraise_exits_with_the_worst_of_its_files_and_prints_receipts_findings_and_every_fault(run, files):
    """0: all legal. 1: some are not. 2: one could not be read."""
    for order in ORDERS:
        for flags in ([], ["--json"]):
            names = [f"{name}.json" for name in order.split()]
            code, *_ = run("appraise", *flags, *(files / name for name in names))
            assert code == max(FILES[name][1] for name in names), names
    # Two ships of 9 + 3 + 3 + 6 = 21 BP, 2 above the limit of 40.
    refused = files / "refused.json"
    code, out, err = run("appraise", refused, files / "illegal.json")
    assert (code, out.splitlines()[0].endswith(": 42 of 40 BP, 2 in all, NOT LEGAL")) == (2, True)
    assert [line.split()[-1] for line in out.splitlines() if " = " in line] == ["9", "12", "15", "21"]
    assert "42 of 1,500 BP" in run("appraise", "-", stdin=dumps(ILLEGAL | {"budget": 1_500}).encode())[1]
    findings = ["over-budget", "engine-range", "unusual-size"]
    assert [code for code in findings for line in out.splitlines() if f" {code}" in line] == findings
    assert [line for fault in FAULTS for line in err.splitlines() if fault["path"] in line] == err.splitlines()[1:]
    again, same, err = run("appraise", "-", stdin=b"\n" + dumps(ILLEGAL).encode() + b"\n\xff\n")
    assert (again, same, "line 3" in err.splitlines()[0]) == (2, out, True)


def test_as_json_every_document_has_its_line_in_order(run, files):
    """The appraisal of the pure rules with readable Unicode, or where it came from and its faults."""
    paths = [files / name for name in ("illegal.json", "refused.json", "none.json", ".", "broken.json")]
    lines = [dumps(LEGAL), "", "   ", dumps(DOCUMENT_ERRORS), "{"]
    code, out, err = run("appraise", "--json", paths[0], "-", *paths[1:], stdin="\r\n".join(lines).encode())
    illegal, legal, *others = out.splitlines()
    assert (code, err, json.loads(illegal)) == (2, "", appraisals.to_json(appraise(ILLEGAL)))
    assert legal == dumps(appraisals.to_json(appraise(LEGAL)))
    rows = [*map(json.loads, others)]
    places = [("-", 4), ("-", 5), *((str(path), None) for path in paths[1:])]
    assert [(row["file"], row.get("line")) for row in rows] == places
    assert rows[0]["errors"] == rows[2]["errors"] == FAULTS
    assert [[fault["path"] for fault in row["errors"]] for row in rows[3:]] == [[""]] * 3
    assert run("appraise", "--json", "-", stdin=b"\n \n") == (0, "", "")


def test_explain_has_one_explanation_of_a_code_or_name_and_without_one_all(run):
    for system, word, kind in EXPLAINED:
        code, out, err = run("explain", system, word)
        assert (code, bool(err)) == ((0, False) if kind else (2, True)), word
        assert kind is None or f" {kind}: " in out
    for system in SYSTEMS:
        code, out, _ = run("explain", system)
        entries = registry.explanations(registry.SYSTEMS[system])
        assert (code, len(out.splitlines())) == (0, len(entries))
        assert [e.code for e in entries if run("explain", system, e.code)[0] or not e.text.endswith(".")] == [], system


def test_loading_again_brings_back_a_sample_that_was_changed_alone_and_names_one_that_cannot_be_read(
    run, settings, tmp_path
):
    def counted():
        rosters = [*Roster.objects.order_by("pk").values_list("sample", "name", "revision", "changed")]
        return rosters, Revision.objects.count()

    before, armies = counted(), len([*FIXTURES.glob("armies/*/*.json")])
    assert run("load") == (0, f"Sample rosters: {armies}, new or changed: 0.\n", "")
    assert counted() == before
    sample = Roster.objects.filter(sample__isnull=False).first()
    writer.apply_edit(sample, lambda document: document.replace(name="Spoiled"), "Spoiled")
    assert "changed: 1." in run("load")[1]
    assert Roster.objects.get(pk=sample.pk).name != "Spoiled"
    broken, over = (writer.create(registry.read(ILLEGAL)).roster.pk for _ in range(2))
    Roster.objects.filter(pk=broken).update(document="{")
    Roster.objects.filter(pk__in=[broken, over]).update(errors=None)
    run("load")
    assert [Roster.objects.get(pk=pk).errors for pk in (broken, over)] == [None, 2], "counted, where it can be read"
    settings.ARMIES = tmp_path
    (tmp_path / "msc").mkdir()
    for text in ("{", dumps(DOCUMENT_ERRORS)):
        (tmp_path / "msc" / "bad.json").write_text(text)
        code, _, err = run("load")
        assert (code, "msc/bad: " in err) == (1, True)
