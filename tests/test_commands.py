"""The command line: appraise, explain, routes and load, with what they print and how they exit."""

import io
import json
import sys

import pytest
from django.core.management import load_command_class
from django.urls import get_resolver

from rosters import appraisals, registry
from rosters.documents import dumps
from rosters.models import Revision, Roster
from rosters.reference import reference
from rosters.urls import urlpatterns
from tests.strategies import SYSTEMS
from tests.support import FIXTURES, appraise, roster

pytestmark = pytest.mark.django_db

SHIP = {"name": "Łódź 👩‍🚀", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
LEGAL = roster("msc", [SHIP])
ILLEGAL = roster("msc", [{**SHIP, "engine": 9, "quantity": 2}], budget=40)
UNREADABLE = {**roster("msc", [{**SHIP, "engine": "x", "speed": 1}]), "budget": True}
FAULTS = [
    {"path": "budget", "message": "must be a finite number"},
    {"path": "formations/0/elements/0/engine", "message": "must be a whole number"},
    {"path": "formations/0/elements/0/speed", "message": "is not a key that is known here"},
]

# files by name: what they hold, and the exit code when only such are given
FILES = {
    "legal.json": (dumps(LEGAL), 0),
    "legal, too.json": (dumps({**LEGAL, "name": "Another"}), 0),
    "illegal.json": (dumps(ILLEGAL), 1),
    "refused.json": (dumps(UNREADABLE), 2),
    "broken.json": ("{", 2),
    "empty.json": ("", 2),
}
ORDERS = [
    ["legal.json"],
    ["legal.json", "legal, too.json"],
    ["illegal.json"],
    ["legal.json", "illegal.json", "legal, too.json"],
    ["refused.json"],
    ["broken.json", "illegal.json"],
    ["illegal.json", "refused.json", "legal.json", "empty.json", "legal.json"],
]

# the receipt of an illegal roster, to the letter
IN_WORDS = """\
Test (Minimal Space Combat, Timothy Swenson (reading 1)): 42 of 40 BP, 2 in all, NOT LEGAL
  Formation 1: 42 BP
    2 × Łódź 👩‍🚀: 21 each, 42
        ENGINE 9                                                   +9  = 9
        SHIELD 3                                                   +3  = 12
        TO-HIT 3                                                   +3  = 15
        Weapons F FL FR, 2 each                                    +6  = 21
  error over-budget: 42 points are 2 more than the budget of 40.
  error engine-range (formations/0/elements/0): ENGINE 9 is outside 0 to 5.
  note unusual-size (formations/0/elements/0): 21 BP is none of the usual sizes 10, 15, 20 and 25.

"""

# system and word: how the explanation begins, and of what kind it is
EXPLAINED = [
    ("mini-combat", "IF", "IF Indirect fire", "(rule)"),
    ("mini-combat", "if", "IF Indirect fire", "(rule)"),
    ("mini-combat", "indirect fire", "IF Indirect fire", "(rule)"),
    ("mini-combat", "star", "star Capabilities that multiply separately", "(house rule)"),
    ("mini-combat", "deny-deny", "deny-deny", "(error)"),
    ("mini-combat", "house-rule", "house-rule", "(note)"),
    ("6mm", "INF/A", "INF/A Armoured infantry", "(rule)"),
    ("6mm", "WORKS", "WORKS Field works", "(rule)"),
    ("6mm", "torsion_factor", "torsion_factor Torsion gun factor", "(house rule)"),
    ("6mm", "last-set-short", "last-set-short", "(warning)"),
    ("msc", "max_engine", "max_engine Highest ENGINE", "(house rule)"),
    ("msc", "no-shield", "no-shield", "(error)"),
    ("vsgmr", "tough", "tough Tough", "(rule)"),
    ("vsgmr", "super-armor-superior", "super-armor-superior Super-Armor, superior", "(rule)"),
    ("vsgmr", "over-budget", "over-budget", "(error)"),
    ("urutsk", "fate-below-one", "fate-below-one", "(error)"),
]
IMPOSSIBLE = [["urutsk", "over-budget"], ["urutsk", "house-rule"], ["vsgmr", "house-rule"]]
UNEXPLAINED = [
    *IMPOSSIBLE,
    ["msc", "IF"],
    ["vsgmr", "star"],
    ["urutsk", ""],
    ["mini-combat", "zz"],
    ["chess"],
    ["chess", "IF"],
    [],
]

# addresses that stay, with their methods and who may use them
ROUTES = {
    "/": (["GET", "HEAD"], "anyone"),
    "/new/<str:slug>": (["GET", "HEAD", "POST"], "anyone"),
    "/s/<str:token>": (["GET", "HEAD"], "anyone with the link"),
    "/s/<str:token>.json": (["GET", "HEAD"], "anyone with the link"),
    "/books/": (["GET", "HEAD"], "anyone"),
    "/errata/": (["GET", "HEAD"], "anyone"),
    "/schema/roster.json": (["GET", "HEAD"], "anyone"),
    "/e/<str:token>/<str:secret>": (["GET", "HEAD"], "anyone with the edit link"),
    "/r/<str:token>/": (["GET", "HEAD", "POST"], "a browser that may edit"),
    "/r/<str:token>/element/preview": (["POST"], "a browser that may edit"),
}
WHO = {"anyone", "anyone with the link", "anyone with the edit link", "a browser that may edit", "staff"}
WHO |= {"an account, signed in", "anyone with the link; PUT, DELETE: a bearer who may edit", "with the metrics token"}
WHO |= {"anyone with the link; POST: a browser that may edit"}


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
    """The folder that holds FILES."""
    for name, (text, _) in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def as_json(data):
    """The line that --json prints for a document."""
    return appraisals.to_json(registry.appraise(registry.read(data), reference()))


# ---------------------------------------------------------------- appraise


@pytest.mark.parametrize("names", ORDERS, ids=" ".join)
@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["in words", "as JSON"])
def test_appraise_exits_with_the_worst_of_its_files(run, files, names, flags):
    """0: all legal. 1: some are not. 2: one could not be read."""
    code, *_ = run("appraise", *flags, *(files / name for name in names))
    assert code == max(FILES[name][1] for name in names)


def test_appraise_prints_the_receipt_and_the_findings(run, files):
    assert run("appraise", files / "illegal.json") == (1, IN_WORDS, "")


def test_a_roster_without_points_is_counted(run, tmp_path):
    (tmp_path / "a.json").write_text(dumps(roster("urutsk", [{"quantity": 3, "command": True}])))
    code, out, _ = run("appraise", tmp_path / "a.json")
    assert code == 0
    assert out.splitlines()[0].endswith("): 3 in all, legal")
    assert out.splitlines()[1:3] == ["  Formation 1", "    3 × Element 1"]


def test_appraise_lists_every_fault_and_still_appraises_the_other_files(run, files):
    refused = files / "refused.json"
    code, out, err = run("appraise", refused, files / "illegal.json")
    assert (code, out) == (2, IN_WORDS)
    assert err.splitlines() == [
        f"{refused} cannot be read:",
        *(f"  {fault['path']}: {fault['message']}" for fault in FAULTS),
    ]


def test_as_json_every_file_has_its_line_in_the_order_of_the_files(run, files):
    names = ["illegal.json", "refused.json", "legal.json", "broken.json", "legal, too.json"]
    code, out, err = run("appraise", "--json", *(files / name for name in names))
    assert (code, err) == (2, "")
    illegal, refused, legal, broken, another = map(json.loads, out.splitlines())
    assert (illegal, legal, another) == (as_json(ILLEGAL), as_json(LEGAL), as_json({**LEGAL, "name": "Another"}))
    assert refused == {"file": str(files / "refused.json"), "errors": FAULTS}
    message = "is not JSON: Expecting property name enclosed in double quotes at line 1, column 2"
    assert broken == {"file": str(files / "broken.json"), "errors": [{"path": "", "message": message}]}


def test_the_line_of_an_appraisal_is_that_of_the_pure_rules_and_keeps_its_letters(run, files):
    """The same rows from the database and from the fixtures, the same code, readable Unicode."""
    _, out, _ = run("appraise", "--json", files / "legal.json")
    assert out == dumps(appraisals.to_json(appraise(LEGAL))) + "\n"
    assert "Łódź 👩‍🚀" in out


def test_standard_input_holds_one_document_a_line_and_blank_lines_are_skipped(run):
    lines = [dumps(LEGAL), "", "   ", dumps(UNREADABLE), "\t", dumps(ILLEGAL), "{"]
    code, out, err = run("appraise", "--json", "-", stdin="\r\n".join(lines).encode())
    assert (code, err) == (2, "")
    legal, refused, illegal, broken = map(json.loads, out.splitlines())
    assert (legal, illegal) == (as_json(LEGAL), as_json(ILLEGAL))
    assert refused == {"file": "-", "line": 4, "errors": FAULTS}
    assert (broken["file"], broken["line"], [fault["path"] for fault in broken["errors"]]) == ("-", 7, [""])


def test_in_words_a_refused_line_of_standard_input_is_told_by_its_number(run):
    code, out, err = run("appraise", "-", stdin=b"\n" + dumps(ILLEGAL).encode() + b"\n\xff\n")
    assert (code, out) == (2, IN_WORDS)
    assert err.splitlines() == ["- line 3 cannot be read:", "  document: is not UTF-8 (byte 0)"]


def test_files_and_standard_input_can_be_mixed(run, files):
    _, out, _ = run(
        "appraise", "--json", files / "legal.json", "-", files / "illegal.json", stdin=dumps(LEGAL).encode()
    )
    assert [json.loads(line)["legal"] for line in out.splitlines()] == [True, True, False]


def test_an_empty_standard_input_is_no_fault(run):
    assert run("appraise", "--json", "-", stdin=b"\n \n") == (0, "", "")


@pytest.mark.parametrize(("name", "why"), [("none.json", "No such file or directory"), (".", "Is a directory")])
def test_a_file_that_cannot_be_opened_is_refused_and_the_others_are_appraised(run, files, name, why):
    missing = files / name
    code, out, _ = run("appraise", "--json", missing, files / "legal.json")
    first, second = map(json.loads, out.splitlines())
    assert code == 2
    assert first == {"file": str(missing), "errors": [{"path": "", "message": f"cannot be opened: {why}"}]}
    assert second == as_json(LEGAL)


def test_every_sample_army_is_legal_on_the_command_line(run):
    paths = sorted(FIXTURES.glob("armies/*/*.json"))
    code, out, err = run("appraise", "--json", *paths)
    assert (code, err) == (0, "")
    assert [json.loads(line)["name"] for line in out.splitlines()] == [
        json.loads(path.read_text(encoding="utf-8"))["name"] for path in paths
    ]


# ---------------------------------------------------------------- explain


@pytest.mark.parametrize(("system", "word", "begins", "kind"), EXPLAINED)
def test_explain_tells_what_a_word_means(run, system, word, begins, kind):
    code, out, _ = run("explain", system, word)
    assert code == 0
    assert out.startswith(f"{begins} {kind}: ")
    assert out.rstrip("\n").endswith(".")


@pytest.mark.parametrize("system", SYSTEMS)
def test_explain_without_a_word_tells_everything_and_each_of_it_alone(run, system):
    code, out, _ = run("explain", system)
    entries = registry.explanations(registry.SYSTEMS[system], reference())
    assert code == 0
    assert len(out.splitlines()) == len(entries)
    for entry in entries:
        assert entry.text.endswith("."), f"{entry.code} is explained in a sentence"
        assert (run("explain", system, entry.code)[0], f"{entry.code}" in out) == (0, True)


@pytest.mark.parametrize("arguments", UNEXPLAINED, ids=" ".join)
def test_explain_exits_2_where_there_is_nothing_to_explain(run, arguments):
    code, out, err = run("explain", *arguments)
    assert (code, out) == (2, "")
    assert err


# ---------------------------------------------------------------- routes


def test_routes_lists_every_address_with_its_methods_and_who_may_use_it(run):
    code, out, _ = run("routes", "--json")
    found = json.loads(out)
    assert code == 0
    assert {route["name"] for route in found} >= {pattern.name for pattern in urlpatterns}
    ours = [route for route in found if not route["route"].startswith("/admin/")]
    assert len(ours) == len({route["route"] for route in ours})
    for route in found:
        assert [*route] == ["route", "name", "methods", "who"]
        assert set(route["methods"]) <= {"GET", "HEAD", "POST", "PUT", "DELETE"}
        assert route["methods"]
        assert route["who"] in WHO
    assert all(route["who"] == "staff" for route in found if route not in ours)


@pytest.mark.parametrize("address", ROUTES)
def test_an_address_that_stays_is_listed(run, address):
    _, out, _ = run("routes", "--json")
    (route,) = [route for route in json.loads(out) if route["route"] == address]
    assert (route["methods"], route["who"]) == ROUTES[address]


def test_in_words_routes_lists_the_same(run):
    _, out, _ = run("routes")
    _, data, _ = run("routes", "--json")
    assert [line.split()[-1] for line in out.splitlines()] == [route["route"].split()[-1] for route in json.loads(data)]


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda pattern: pattern.name)
def test_a_method_that_is_not_listed_is_not_allowed(client, pattern):
    """405, before anything else is looked at."""
    address = "/" + get_resolver("rosters.urls").reverse(pattern.name, **dict.fromkeys(pattern.pattern.converters, "1"))
    allowed = pattern.callback.rights.methods
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - {*allowed}:
        assert client.generic(method, address).status_code == 405


# ---------------------------------------------------------------- load


def counted():
    """What the database holds, by number and by time of change."""
    rosters = [*Roster.objects.order_by("pk").values_list("sample", "revision", "changed")]
    return rosters, Revision.objects.count()


def test_loading_again_changes_nothing(run):
    before = counted()
    armies = len([*FIXTURES.glob("armies/*/*.json")])
    assert run("load") == (0, f"{armies} sample armies, 0 of them new or changed.\n", "")
    assert counted() == before


def test_loading_brings_a_sample_that_was_changed_back(run):
    sample = Roster.objects.filter(sample__isnull=False).first()
    sample.name, sample.revision = "Spoiled", sample.revision + 1
    sample.save()
    _, out, _ = run("load")
    assert out.endswith("sample armies, 1 of them new or changed.\n")
    assert Roster.objects.get(pk=sample.pk).name != "Spoiled"


@pytest.mark.parametrize("text", ["{", dumps(UNREADABLE)])
def test_a_sample_that_cannot_be_read_is_named(run, settings, tmp_path, text):
    (tmp_path / "msc").mkdir()
    (tmp_path / "msc" / "bad.json").write_text(text)
    settings.ARMIES = tmp_path
    code, _, err = run("load")
    assert code == 1
    assert "msc/bad: " in err
