"""URUTSK minis: no points, three findings, a record of figures; worked by hand from the rulebook."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import appraisals, documents
from rosters.rulekit import SHARED_FINDINGS, Terms, Totals
from rosters.systems.urutsk import rules
from tests.support import FIXTURES, appraise, codes, refused, roster

LEADER = {"name": "Leader", "command": True}
FIGURE = "formations/0/elements/0"
TERMS = Terms(rules.Options(), None, None, None)

FOUND = [
    # fields of one figure, and what is said about it
    ({"ranged": -1}, ["negative-score"]),
    ({"close": -1}, ["negative-score"]),
    ({"weapon_ability": -1}, ["negative-score"]),
    ({"ranged": -5, "close": -1, "weapon_ability": -1_000_000}, ["negative-score"] * 3),
    ({"fate": 0}, ["fate-below-one"]),
    ({"fate": -3}, ["fate-below-one"]),
    ({"fate": 0, "quantity": 0}, ["fate-below-one"]),
    ({"ranged": -1, "fate": 0}, ["fate-below-one", "negative-score"]),
    # allowed, however little or much
    ({}, []),
    ({"ranged": 0, "close": 0, "weapon_ability": 0, "fate": 1}, []),
    ({"ranged": 1_000_000, "close": 40, "fate": 999}, []),
]

UNCOMMANDED = [
    # formations without anybody to command them
    [],
    [[]],
    [[{"ranged": 2}], [{"close": 2}]],
    [[{"command": True, "quantity": 0}], [{}]],
]

REFUSED = [
    # a figure's fields of the wrong type or unknown, and the paths of the faults
    ({"ranged": "2"}, ["ranged"]),
    ({"close": True}, ["close"]),
    ({"fate": 2.0}, ["fate"]),
    ({"weapon_ability": None}, ["weapon_ability"]),
    ({"weapon_ability": -1_000_001}, ["weapon_ability"]),
    ({"fire": "volley"}, ["fire"]),
    ({"poor_condition": 1}, ["poor_condition"]),
    ({"command": "yes"}, ["command"]),
    ({"protection": 3}, ["protection"]),
    ({"protection": "a\0b"}, ["protection"]),
    ({"armor": "light", "points": 3}, ["armor", "points"]),
    ({"marks": [{"fate": -1}]}, ["marks/0/fate"]),
    ({"marks": [{"out": True}]}, ["marks/0/out"]),
    ({"marks": [{}, {}]}, ["marks"]),
]

REFUSED_ROOTS = [
    ({"budget": 100}, ["budget"]),
    ({"scenario": "standard"}, ["scenario"]),
    ({"side": "attacker"}, ["side"]),
    ({"options": {"max_engine": 6}}, ["options/max_engine"]),
]

LINES = [
    ({}, "Ranged 0, Close 0, Fate 1, weapon ability 0, single shots"),
    (
        {"ranged": 2, "close": 1, "fate": 3, "weapon_ability": 1, "fire": "autofire", "command": True},
        "Ranged 2, Close 1, Fate 3, weapon ability 1, autofire or volley, commands",
    ),
    (
        {"fire": "burst", "poor_condition": True, "protection": "brick wall"},
        "Ranged 0, Close 0, Fate 1, weapon ability 0, burst effect, poor condition, brick wall",
    ),
]

# ---------------------------------------------------------------- no points


def test_there_are_no_points_anywhere():
    found = appraise(roster("urutsk", [LEADER, {"quantity": 4}]))
    assert (found.points, found.exact, found.quantity) == (None, None, 5)
    assert [fleet.points for fleet in found.formations] == [None]
    assert [(line.each, line.points) for line in found.formations[0].elements] == [(None, None)] * 2
    assert rules.price(rules.Profile(), TERMS) is None
    assert rules.totals([0, 0], TERMS) == Totals(None, None, None)
    assert rules.WORDS.points == ""


def test_the_appraisal_as_json_has_null_for_points_and_empty_receipts():
    data = appraisals.to_json(appraise(roster("urutsk", [LEADER])))
    line = data["formations"][0]["elements"][0]
    assert (data["points"], data["exact"], data["formations"][0]["points"]) == (None, None, None)
    assert (line["each"], line["points"], line["receipt"]) == (None, None, [])


def test_there_are_no_budgets_scenarios_house_rules_or_rows_to_look_up():
    assert [size.budget for size in rules.SIZES] == [None]
    assert not rules.SCENARIOS
    assert not rules.Options.model_fields
    assert list(rules.glossary(None)) == []


# ---------------------------------------------------------------- findings


@pytest.mark.parametrize(("fields", "expected"), FOUND)
def test_scores_are_free_as_long_as_they_are_not_too_low(fields, expected):
    assert codes(roster("urutsk", [fields, LEADER])) == codes(roster("urutsk", [fields, LEADER]), FIGURE) == expected


@pytest.mark.parametrize("formations", UNCOMMANDED)
def test_a_force_without_a_command_figure_is_warned_about(formations):
    assert codes(roster("urutsk", *formations)) == ["no-command-figure"]
    assert codes(roster("urutsk", *formations), "") == ["no-command-figure"]


def test_one_command_figure_anywhere_is_enough():
    assert codes(roster("urutsk", [{}], [], [{}, LEADER])) == []


def test_the_warning_leaves_the_roster_legal_and_a_bad_score_does_not():
    assert appraise(roster("urutsk")).legal
    assert not appraise(roster("urutsk", [{**LEADER, "fate": 0}])).legal


def test_every_finding_is_tested():
    tested = {code for _, expected in FOUND for code in expected} | {"no-command-figure"}
    assert tested == set(rules.FINDINGS)


ANY_NUMBER = st.integers(-1_000_000, 1_000_000)
ANY_FIGURE = st.fixed_dictionaries(
    {"name": st.sampled_from(["A", "B"]), "quantity": st.integers(0, 10_000)},
    optional={
        "ranged": ANY_NUMBER,
        "close": ANY_NUMBER,
        "weapon_ability": ANY_NUMBER,
        "fate": ANY_NUMBER,
        "fire": st.sampled_from(["single", "autofire", "burst"]),
        "poor_condition": st.booleans(),
        "command": st.booleans(),
        "protection": st.sampled_from(["", "wall"]),
    },
)


@given(st.lists(st.lists(ANY_FIGURE, max_size=4), max_size=4))
def test_any_readable_roster_is_appraised_and_its_figures_counted(detachments):
    found = appraise(roster("urutsk", *detachments))
    assert found.quantity == sum(figure["quantity"] for figures in detachments for figure in figures)
    assert found.points is None
    assert {finding.code for finding in found.findings} <= {*rules.FINDINGS, *SHARED_FINDINGS}


# ---------------------------------------------------------------- words, documents, fixtures


@pytest.mark.parametrize(("fields", "line"), LINES)
def test_a_figure_is_described_in_one_line(fields, line):
    assert rules.describe(rules.Profile(**fields), TERMS) == line


@pytest.mark.parametrize(("fields", "paths"), REFUSED)
def test_an_impossible_value_is_refused_at_its_path(fields, paths):
    assert refused(roster("urutsk", [fields])) == [f"{FIGURE}/{path}" for path in paths]


@pytest.mark.parametrize(("root", "paths"), REFUSED_ROOTS)
def test_what_these_rules_do_not_have_is_refused(root, paths):
    assert refused(roster("urutsk", [LEADER], **root)) == paths


def test_lost_fate_changes_nothing():
    hurt = {**LEADER, "quantity": 2, "marks": [{"fate": 1}]}
    assert appraise(roster("urutsk", [hurt])) == appraise(roster("urutsk", [{**LEADER, "quantity": 2}]))


def test_the_garrison_has_a_command_figure_and_every_kind_of_weapon():
    path = FIXTURES / "armies" / "urutsk" / "ferry-crossing-garrison.json"
    data = documents.parse(path.read_bytes())
    found = appraise(data)
    assert (found.quantity, found.findings) == (26, ())
    figures = [figure for formation in data["formations"] for figure in formation["elements"]]
    assert {figure.get("fire", "single") for figure in figures} == {"single", "autofire", "burst"}
    assert sum(figure.get("command", False) for figure in figures) == 2
