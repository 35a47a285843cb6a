"""URUTSK minis: no points, three findings, a record of figures; worked by hand from the rulebook."""

from rosters.core import documents
from rosters.core.receipts import Totals
from rosters.core.rulebook import Terms
from rosters.systems.urutsk import rules
from tests.support import FIXTURES, appraise, codes, refused, roster

LEADER = {"name": "Leader", "command": True}
FIGURE = "formations/0/elements/0"
TERMS = Terms(rules.Options(), None, None)

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

REFUSED = [  # a figure's fields, and the paths of the faults
    ({"ranged": "2", "close": True, "fate": 2.0}, ["close", "fate", "ranged"]),
    ({"fire": "volley", "protection": "a\0b"}, ["fire", "protection"]),
    ({"armor": "light", "marks": [{"out": True}]}, ["armor", "marks/0/out"]),
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


def test_there_are_no_budgets_scenarios_house_rules_or_rows_to_look_up():
    assert [size.budget for size in rules.SIZES] == [None]
    assert not rules.SCENARIOS
    assert not rules.Options.model_fields
    assert list(rules.glossary()) == []


# ---------------------------------------------------------------- findings


def test_scores_are_free_as_long_as_they_are_not_too_low():
    for fields, expected in FOUND:
        assert (
            codes(roster("urutsk", [fields, LEADER])) == codes(roster("urutsk", [fields, LEADER]), FIGURE) == expected
        )


def test_a_force_without_a_command_figure_is_warned_about():
    for formations in UNCOMMANDED:
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


# ---------------------------------------------------------------- words, documents, fixtures


def test_a_figure_is_described_in_one_line():
    for fields, line in LINES:
        assert rules.describe(rules.Profile(**fields), TERMS) == line


def test_an_impossible_value_is_refused_at_its_path():
    for fields, paths in REFUSED:
        assert refused(roster("urutsk", [fields])) == [f"{FIGURE}/{path}" for path in paths]


def test_what_these_rules_do_not_have_is_refused():
    for root, paths in REFUSED_ROOTS:
        assert refused(roster("urutsk", [LEADER], **root)) == paths


def test_the_garrison_has_a_command_figure_and_every_kind_of_weapon():
    path = FIXTURES / "armies" / "urutsk" / "ferry-crossing-garrison.json"
    data = documents.parse(path.read_bytes())
    found = appraise(data)
    assert (found.quantity, found.findings) == (26, ())
    figures = [figure for formation in data["formations"] for figure in formation["elements"]]
    assert {figure.get("fire", "single") for figure in figures} == {"single", "autofire", "burst"}
    assert sum(figure.get("command", False) for figure in figures) == 2
