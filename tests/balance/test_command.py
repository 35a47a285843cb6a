"""`manage.py odds`, `battle` and `forces`: files and JSON Lines in, words and JSON out, errors and exit codes."""

import io
import json
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from rosters.balance import odds
from tests.notation import UNITS, rows
from tests.support import roster_data

FIGURES = [{"name": "Scout", "close": 1, "fate": 2}, {"name": "Guard", "close": 2, "fate": 3}]
SCOUT, GUARD = FIGURES
LINE = {"system": "urutsk", "a": SCOUT, "b": GUARD}


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command in a directory with two rosters; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "figures.json").write_text(json.dumps(roster_data("urutsk", FIGURES)))
    (tmp_path / "troops.json").write_text(json.dumps(roster_data("mini-combat", [{**UNITS["line"], "quantity": 4}])))
    many = {**UNITS["line"], "quantity": 2000, "range": 10**6, "morale": 1}
    (tmp_path / "too-much.json").write_text(json.dumps(roster_data("mini-combat", [{"quantity": 0}], [many])))
    (tmp_path / "ship.json").write_text(json.dumps(roster_data("msc", [{"shield": "x"}])))

    def call(*args, stdin="", command="odds"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = 0
        try:
            call_command(command, *args)
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return call


def test_elements_of_files_or_json_lines_answer_as_in_python_or_with_errors_and_in_words_line_by_line(run):
    code, out, _errors = run(
        "figures.json", "figures.json#0/1", "--json", "--set", "distance=short", "--set", "b_cover=2"
    )
    assert (code, json.loads(out)) == (0, odds("urutsk", SCOUT, GUARD, {"distance": "short", "b_cover": 2}))
    code, out, _errors = run("figures.json", "figures.json#0/1", "--set", "distance=point-blank")
    assert (code, out.splitlines()[0]) == (0, "Scout (A) against Guard (B)")
    assert "  An attack injures it        16.7 % (1/6)" in out.replace("\u00a0", " ")
    lines = [LINE, {**LINE, "b": None, "conditions": {"a_cover": True}}, {"system": "urutsk", "A": 1}, []]
    code, out, _errors = run("--json", "-", stdin="\n".join(map(json.dumps, lines)) + "\n{")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, answers[0]) == (2, odds(**LINE))
    paths = [[error["path"] for error in answer["errors"]] for answer in answers[1:]]
    assert paths == [["b", "conditions/a_cover"], ["a", "b", "A"], [""], [""]]


REFUSED = rows("""  # a command, its arguments, and the paths of the errors
    odds = figures.json ship.json = b/formations/0/elements/0/shield | odds = figures.json#0/2 figures.json = a
    odds = missing.json figures.json = a | odds = figures.json figures.json --set distance=far = conditions/distance
    battle = troops.json ship.json = b/formations/0/elements/0/shield | battle = troops.json figures.json = b/system
    battle = troops.json too-much.json = b b | battle = troops.json troops.json --policy flee = policies/a policies/b
""")


def test_what_cannot_be_answered_or_fought_says_why_and_wrong_arguments_exit_with_2(run):
    for command, args, paths in REFUSED:
        code, out, _errors = run(*args.split(), "--json", command=command)
        assert (code, [error["path"] for error in json.loads(out)["errors"]]) == (2, paths.split()), args
        code, _out, errors = run(*args.split(), command=command)
        assert (code, errors.split(":")[0]) == (2, paths.split()[0]), args
    for args in ("figures.json", "- figures.json", "- --set a=1", "x y --set a"):
        with pytest.raises(CommandError) as error:
            run(*args.split())
        assert error.value.returncode == 2, args


def test_battles_are_counted_as_json_said_in_words_and_told_die_by_die(run):
    troops = "troops.json", "troops.json", "--battles", "500"
    code, out, _errors = run(*troops, "--json", command="battle")
    found = json.loads(out)
    assert (code, found["battles"], sum(found[key]["share"] for key in ("win", "lose", "draw"))) == (0, 500, 1)
    assert 0 < found["win"]["low"] < found["win"]["share"] < found["win"]["high"] < 1
    share = f"{100 * found['win']['share']:.1f}"
    assert share in run(*troops, command="battle")[1]
    assert run(*troops, "--replay", "3", command="battle") == run(*troops, "--replay", "3", command="battle")


def test_forces_are_found_for_points_and_among_owned_models(run):
    asked = ["figures.json", "--against", "figures.json", "--points", "1", "--json"]
    code, printed, _errors = run(*asked, command="forces")
    added = [each["models"] for each in json.loads(printed)["forces"]]
    assert (code, sorted(added)) == (0, [[[["Guard", 1]]], [[["Scout", 1]]]])
    code, printed, _errors = run("figures.json", "--split", "1", "--json", command="forces")
    [pair] = json.loads(printed)["forces"]
    assert sorted(name for side in pair["models"] for name, _number in side) == ["Guard", "Scout"]
    assert [run("figures.json", "--split", each, command="forces")[0] for each in ("1/2", "1")] == [1, 0]
    assert run("ship.json", "--split", "1", command="forces")[0] == 2
