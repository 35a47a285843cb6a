"""Mini Combat's prices, worked out by hand from Appendix B, its rules check and the documents that it accepts."""

import json
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core import appraisals, documents
from rosters.core.amounts import format_exact
from rosters.core.rulebook import Terms
from rosters.systems.mini_combat import tables
from rosters.systems.mini_combat.rules import CAPABILITIES, FINDINGS, Element, Modifier, Options, Profile, price
from tests.strategies import HOUSE_RULES
from tests.support import FIXTURES, appraise, codes, read, refused, roster, rules, types

SYSTEM = "mini-combat"
LINE = {"movement": 10, "range": 20, "save": 6, "power": 3, "armor": 2, "to_hit": 4, "morale": 4}
"""(2 + 4 + 1 + 3 + 2) x 3 x 3 / 5 = 21.6"""
GUN = {"movement": 5, "range": 100, "power": 8, "armor": 1, "to_hit": 3, "morale": 4}
"""(1 + 20 + 0 + 8 + 1) x 3 x 4 / 5 = 72"""
HUNDRED = {"power": 100, "to_hit": 2, "morale": 6}
"""100 x 1 x 5 / 5 = 100: points are percentages"""


def having(stats, *capabilities, **more):
    """An element with capabilities, by code or as document data."""
    return {**stats, "capabilities": [{"code": c} if isinstance(c, str) else c for c in capabilities], **more}


def own(percent, separate=False, **more):
    return {"custom": "Own", "percent": percent, "separate": separate, **more}


def deny(code):
    return {"code": "Den", "denies": code}


def one(element, **options):
    """A roster of one element under these house rules."""
    return roster(SYSTEM, [element], options=options)


def priced(element, **options):
    return appraisals.to_json(appraise(one(element, **options)))["formations"][0]["elements"][0]


def found(element, **options):
    return codes(one(element, **options), "formations/0/elements/0")


def terms(**options):
    return Terms(Options(**options), None, None)


# ---------------------------------------------------------------- prices

PERCENTAGES = {
    **{"MA": 25, "SS": 25, "MoF": -50, "Cone": 25, "5c": 25, "10c": 50, "Bmb": 100, "IF": 25, "Rec": 20},
    **{"Fly": 25, "Sk": 25, "Sc": 25, "Feot": -50, "Drp": 40, "Tel": 60, "RdM": -10, "RsM": -20, "LM": -30},
    **{"RdFA": -10, "RsFA": -20, "LFA": -30, "IC": 50, "Sub": 30, "OS": -90, "WB": -30, "Amph": 20, "T": 25},
    **{"FA": 20, "Org": -40, "Ch": 15, "Den": 0, "Ins": 10, "Heal": 200, "Rep": 200, "Se": 20, "St": 35, "MW": 80},
}


STAT_PRICES = [
    (LINE, "22"),  # 21.6
    (GUN, "72"),
    (HUNDRED, "100"),
    ({"power": 10, "to_hit": 6, "morale": 6}, "2"),  # 10 x 1 x 1 / 5
    (having({"power": 10, "to_hit": 6, "morale": 6}, "MA"), "3"),  # 2.5 goes up
    ({}, "0"),  # no attack, no save, fearless: 0 x 6 x 0
    ({"power": 3, "to_hit": 0, "morale": 6}, "4"),  # automatic: 3 x 1 x 7 / 5 = 4.2
    ({"power": 5, "to_hit": 6}, "6"),  # fearless: 5 x 6 x 1 / 5
    ({"power": 5, "to_hit": 6, "morale": 1}, "6"),
    ({"save": 1, "to_hit": 2, "morale": 6}, "6"),  # 6 x 1 x 5 / 5
    ({"save": 7, "power": 1, "to_hit": 2, "morale": 6}, "1"),
    ({"movement": 3, "power": 2, "to_hit": 2, "morale": 6}, "3"),  # 0.6 + 2 = 2.6
    ({"movement": 1, "to_hit": 6, "morale": 6}, "1"),  # 0.04, at least 1
    ({**LINE, "to_hit": 7}, "0"),
    ({**LINE, "morale": 7}, "0"),
    ({**LINE, "to_hit": 9}, "-14"),  # 12 x 3 x -2 / 5 = -14.4, priced as written
    ({**LINE, "power": -3}, "11"),  # 6 x 9 / 5 = 10.8
    (having(LINE, "MA", "Ch"), "30"),  # 21.6 x 1.4 = 30.24
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), "11"),  # 72 x 0.6 x 0.5 x 0.5 = 10.8
    (having(GUN, "MoF", "Feot", "LFA"), "15"),  # 72 x 0.85 x 0.25 = 15.3
]

HUNDRED_PRICES = [  # the capabilities of HUNDRED, and its price
    ([{"code": "Drp", "scatters": True}], "120"),
    ([{"code": "Tel", "scatters": True}], "140"),
    ([{"code": "Heal", "on": 4}], "200"),
    ([{"code": "Rep", "on": 4}], "200"),
    ([{"code": "OS", "turns": 10}], "10"),
    ([{"code": "OS", "turns": 5}], "20"),
    ([{"code": "OS", "turns": 3}], "33"),
    ([{"code": "OS", "turns": 1}], "100"),
    (["LM", "RdFA"], "60"),  # -30 - 10
    (["RsM", "RsFA"], "60"),  # -20 - 20
    (["RdM", "LFA"], "60"),  # -10 - 30
    (["RdFA", "LFA"], "80"),  # -5 - 15
    (["RdM", "LM"], "60"),
    (["Cone", "Bmb"], "225"),
    ([{"code": "T", "count": 4}], "200"),
    ([{"code": "T", "count": 0}], "100"),
    ([{"code": "T", "count": -1}], "75"),
    ([{"code": "MW", "count": 3}], "260"),
    ([{"code": "MW", "count": 1}], "100"),
    ([{"code": "MW", "count": 0}], "20"),
    ([deny("Ch")], "115"),
    ([deny("OS")], "190"),
    ([deny("LFA")], "130"),
    ([deny("MW")], "180"),
    ([deny("Den")], "100"),
    ([deny("Fog")], "100"),
    ([{"code": "Fly", "form": "jump"}, {"code": "Sk", "form": "ethereal"}], "150"),
    (["MA", "MA"], "150"),
    (["OS", "OS"], "1"),
    (["Xyz", "ma"], "100"),
    ([own(75), "MA"], "200"),
    ([own(75, separate=True), "MA"], "219"),  # 125 x 1.75 = 218.75
    ([own(0.5)], "101"),  # 100.5
    ([own(-100, separate=True)], "0"),
    ([own(-150, separate=True)], "0"),
    ([own(-100)], "0"),
    ([own(-150), "MA"], "0"),
    ([own(-99)], "1"),
    ([{"code": "MA", "waived": True}], "100"),
    ([{"code": "OS", "waived": True}], "100"),
    ([own(75, waived=True)], "100"),
    ([{"code": "RdM", "waived": True}, "LFA"], "85"),
]

HOUSE_PRICES = [
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), {"star": "none"}, "0"),  # -140 %
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), {"star": "one-shot-only"}, "0"),
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), {"star": "all"}, "11"),  # 72 x .7 x .9 x .25 = 11.34
    (having(HUNDRED, "OS", "MoF"), {"star": "one-shot-only"}, "5"),
    (having(HUNDRED, "OS", "Heal"), {"star": "none"}, "210"),
    (having(HUNDRED, "MA", {"code": "MW", "count": 3}), {}, "285"),
    (having(HUNDRED, "MA", {"code": "MW", "count": 3}), {"star": "with-multiple-weapons"}, "325"),
    (having(HUNDRED, "MA", "SS"), {"star": "all"}, "156"),  # 156.25
    (having(HUNDRED, "MA", deny("SS"), deny("Ch")), {"star": "all"}, "175"),
    (having(HUNDRED, "MA", own(100), own(100)), {"star": "all"}, "375"),  # 3 x 1.25
    (having(HUNDRED, {"code": "T", "count": -4}), {"star": "all"}, "0"),
    (having(HUNDRED, own(-150)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-90)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-80)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-79)), {"sum_floor": 20}, "21"),
    (having(HUNDRED, own(-10)), {"sum_floor": 100}, "100"),
    (having(HUNDRED, own(-150), "OS"), {"sum_floor": 20}, "2"),
    (having(HUNDRED, own(-150, separate=True)), {"sum_floor": 20}, "0"),
    ({**LINE, "to_hit": None}, {"no_attack_factor": 1}, "7"),  # 12 x 3 x 1 / 5 = 7.2
    ({**LINE, "to_hit": 7}, {"no_attack_factor": 1}, "7"),
    (LINE, {"no_attack_factor": 1}, "22"),
    (having(HUNDRED, "LFA"), {"immobile_is_limited": True}, "70"),
    (having(HUNDRED, "LFA", movement=5), {"immobile_is_limited": True}, "86"),  # 101 x 0.85 = 85.85
    (LINE, {"rounding": "none"}, "21.6"),
    (having(HUNDRED, {"code": "OS", "turns": 3}), {"rounding": "none"}, "100/3"),
    (having(HUNDRED, {"code": "OS", "turns": 1_009}), {"rounding": "none"}, "100/1009"),
    ({"movement": 1, "to_hit": 6, "morale": 6}, {"rounding": "none"}, "0.04"),
    (having(HUNDRED, "WB"), {}, "70"),
    (having(HUNDRED, "WB"), {"naval": True}, "100"),
    (having(HUNDRED, deny("WB")), {"naval": True}, "130"),
]


def test_elements_are_priced_by_appendix_b_and_the_house_rules():
    rows = [*((element, {}, expected) for element, expected in STAT_PRICES), *HOUSE_PRICES]
    rows += [(having(HUNDRED, *capabilities), {}, expected) for capabilities, expected in HUNDRED_PRICES]
    assert [row for row in rows if priced(row[0], **row[1])["each"] != row[2]] == []


def test_every_capability_changes_the_price_by_its_percentage():
    """A fire arc without a maneuver limit gets half of its discount."""
    rows = [*CAPABILITIES.values()]
    assert [(row.code, row.percent) for row in rows] == [*PERCENTAGES.items()]
    assert [row.number for row in rows] == [*range(1, 38)]
    percents = PERCENTAGES | {"RdFA": -5, "RsFA": -10, "LFA": -15}
    prices = {code: priced(having(HUNDRED, code))["each"] for code in PERCENTAGES}
    assert prices == {code: str(100 + percent) for code, percent in percents.items()}


def test_a_receipt_has_every_step_and_ends_with_the_rounding():
    steps = priced(having(GUN, "MoF", "LFA", {"code": "IF", "waived": True}))["receipt"]
    assert [(step["change"], step["subtotal"]) for step in steps] == [
        ("+1", "1"),  # movement
        ("+20", "21"),  # range
        ("+0", "21"),  # no save
        ("+8", "29"),  # power
        ("+1", "30"),  # armor
        ("×3", "90"),  # morale
        ("×4", "360"),  # to hit
        ("×0.2", "72"),
        ("-10.8", "61.2"),  # half of -30 %
        ("+0", "61.2"),  # waived
        ("×0.5", "30.6"),
        ("+0.4", "31"),
    ]
    assert all(step["label"] for step in steps)


def test_without_rounding_each_unit_is_rounded_and_the_roster_is_their_sum():
    """21.6 and 43.2; two of 21.6 count 44, though they are worth 43.2."""
    made = appraise(roster(SYSTEM, [LINE], [{**LINE, "quantity": 2}], options={"rounding": "none"}))
    assert [(unit.points, unit.exact) for unit in made.formations] == [(22, Fraction(108, 5)), (43, Fraction(216, 5))]
    assert (made.points, made.exact) == (65, Fraction(324, 5))
    assert appraise(roster(SYSTEM, [LINE], [LINE], options={"rounding": "none"})).points == 44
    made = appraise(roster(SYSTEM, [LINE], [{**LINE, "quantity": 2}]))
    assert ([unit.points for unit in made.formations], made.points, made.exact, made.quantity) == ([22, 44], 66, 66, 3)


def test_without_rounding_sums_are_exact_however_long_the_game():
    """One shot in 999,983 turns makes 100 points 100/999983; the unit's sum is exact, and only then rounded."""
    line = {**having(HUNDRED, {"code": "OS", "turns": 999_983}), "quantity": 9_999}
    made = appraise(roster(SYSTEM, [line] * 100, options={"rounding": "none"}))
    assert (made.exact, made.points) == (Fraction(100 * 9_999 * 100, 999_983), 100)


SAMPLES = [json.loads(path.read_text("utf-8")) for path in sorted((FIXTURES / "armies" / SYSTEM).glob("*.json"))]
SAMPLE_PRICES = {
    "Legionaries": 14,  # (2 + 1 + 2 + 3 + 2) x 4 x 3 / 5 x 0.6 = 14.4
    "Medium tank": 50,  # (6 + 12 + 1 + 5 + 4) x 3 x 3 / 5 = 50.4
    "Dragon": 229,  # (8 + 3 + 3 + 7 + 5) x 5 x 4 / 5 x 2.2 = 228.8: +25 +25 +50 +20
    "Titan": 213,  # (3 + 18 + 3 + 9 + 8) x 5 x 4 / 5 = 164; +160 +20 +20 -20 -20; x 0.5 = 213.2
    "Battleship": 402,  # (3 + 30 + 2 + 10 + 9) x 4 x 3 / 5 = 129.6; +240 -20 -10: x 3.1 = 401.76
}


def test_some_elements_of_the_samples_are_worked_out_by_hand():
    lines = [line for data in SAMPLES for unit in appraise(data).formations for line in unit.elements]
    assert {line.name: line.each for line in lines if line.name in SAMPLE_PRICES} == SAMPLE_PRICES


def test_the_samples_use_every_capability_and_kind():
    elements = [element for data in SAMPLES for unit in data["formations"] for element in unit["elements"]]
    used = [capability for element in elements for capability in element.get("capabilities", [])]
    assert {capability["code"] for capability in used if "code" in capability} == set(PERCENTAGES)
    keys = {key for capability in used for key in capability}
    assert keys >= {*tables.KEYS, "custom", "percent", "waived"}
    assert {element["kind"] for element in elements} == set(tables.KINDS)


# ---------------------------------------------------------------- findings of an element

CAUSES = {
    "stat-negative": [*({**LINE, stat: -1} for stat in ("movement", "range", "power", "armor"))],
    "to-hit-range": [{**LINE, "to_hit": 8}, {**LINE, "to_hit": -1}],
    "save-range": [{**LINE, "save": 8}, {**LINE, "save": 0}],
    "morale-range": [{**LINE, "morale": 8}, {**LINE, "morale": 0}],
    "unknown-capability": [having(LINE, "Xyz"), having(LINE, "ma"), having(LINE, "")],
    "duplicate-capability": [
        having(LINE, "MA", "Ch", "MA"),
        having(LINE, "T", {"code": "T", "count": 3}),
        having(LINE, deny("Ch"), deny("Ch")),
    ],
    "deny-unknown": [having(LINE, "Den"), having(LINE, deny("Fog"))],
    "deny-deny": [having(LINE, deny("Den"))],
    "weapons-count": [having(LINE, {"code": "MW", "count": count}) for count in (1, 0, -2)],
    "transport-count": [having(LINE, {"code": "T", "count": count}) for count in (0, -1)],
    "two-manoeuvre-limits": [having(LINE, "RdM", "LM"), having(LINE, "RdM", "RsM", "LM")],
    "two-fire-arcs": [having(LINE, "RdFA", "LFA")],
    "two-templates": [having(LINE, "Cone", "5c"), having(LINE, "10c", "Bmb")],
    "modifier-sum": [having(LINE, own(-100), "Xyz"), having(LINE, own(-140)), having(LINE, own(-100, separate=True))],
    "save-cannot-fail": [{**LINE, "save": 1}],
    "morale-costs-zero": [{**LINE, "morale": 7}],
    "no-attack-costs-zero": [{**LINE, "to_hit": 7}, {**LINE, "to_hit": None}],
    "deny-drawback": [having(LINE, deny("Org"))],
    "manoeuvre-limit-on-immobile": [having(LINE, "RdM", movement=0)],
    "full-armor-free": [having(LINE, "FA", kind="infantry")],
    "sealed-included": [having(LINE, "Se", "Sub")],
    "amphibious-included": [having(LINE, "Sub", "Amph")],
    "fly-and-skim": [having(LINE, "Fly", "Sk")],
    "water-bound-conflict": [having(LINE, "WB", "Amph"), having(LINE, "WB", "Fly")],
    "two-deployments": [having(LINE, "Drp", "Tel"), having(LINE, "Sc", "Drp", "Tel")],
    "one-shot-and-slow-fire": [having(LINE, "OS", "Feot")],
    "indirect-without-range": [having(LINE, "IF", range=0)],
    "weapon-ability-without-attack": [
        having(LINE, code, to_hit=7) for code in ("SS", "MW", "IC", "IF", "MoF", "Feot", "OS")
    ],
    "custom-capability": [having(LINE, own(75))],
    "waived-modifier": [having(LINE, {"code": "MA", "waived": True})],
}

INNOCENT = {
    "stat-negative": [{"to_hit": 4, "morale": 4}],
    "to-hit-range": [{**LINE, "to_hit": hit} for hit in (0, 7, None)],
    "save-range": [{**LINE, "save": save} for save in (1, 7, None)],
    "morale-range": [{**LINE, "morale": morale} for morale in (1, 7, None)],
    "unknown-capability": [having(LINE, own(5))],
    "duplicate-capability": [
        having(LINE, deny("Ch"), deny("MA")),
        having(LINE, "Xyz", "Xyz"),
        having(LINE, own(5), own(5)),
    ],
    "deny-unknown": [having(LINE, deny("Den"))],
    "weapons-count": [having(LINE, "MW"), having(LINE, {"code": "MW", "count": 2})],
    "transport-count": [having(LINE, "T"), having(LINE, {"code": "T", "count": 1})],
    "two-manoeuvre-limits": [having(LINE, "RdM", "RdM")],
    "two-fire-arcs": [having(LINE, "LFA", "LM")],
    "two-templates": [having(LINE, "Bmb", "IF")],
    "modifier-sum": [
        having(LINE, own(-99)),
        having(LINE, own(-99, separate=True), own(-99, separate=True)),
        having(LINE, "MoF", "Feot", "OS"),
        having(LINE, own(-140, waived=True)),
    ],
    "save-cannot-fail": [{**LINE, "save": 2}],
    "morale-costs-zero": [{**LINE, "morale": 6}],
    "no-attack-costs-zero": [{**LINE, "to_hit": 6}],
    "deny-drawback": [having(LINE, deny("Ch"))],
    "manoeuvre-limit-on-immobile": [having(LINE, "RdM"), having(LINE, "LFA", movement=0)],
    "full-armor-free": [having(LINE, "FA", kind="vehicle"), {**LINE, "kind": "infantry"}],
    "sealed-included": [having(LINE, "Se", "Amph")],
    "amphibious-included": [having(LINE, "Sub")],
    "fly-and-skim": [having(LINE, "Fly", "Ins")],
    "water-bound-conflict": [having(LINE, "WB", "Sub")],
    "two-deployments": [having(LINE, "Drp", "St")],
    "one-shot-and-slow-fire": [having(LINE, "OS", "MoF")],
    "indirect-without-range": [having(LINE, "IF")],
    "weapon-ability-without-attack": [having(LINE, "SS"), having(LINE, "MA", "FA", to_hit=7)],
    "custom-capability": [having(LINE, "Xyz")],
    "waived-modifier": [having(LINE, {"code": "MA", "waived": False})],
}


def test_a_broken_clause_is_reported_once_and_its_near_misses_are_not():
    missing = [(code, e) for code, elements in CAUSES.items() for e in elements if found(e).count(code) != 1]
    wrong = [(code, e) for code, elements in INNOCENT.items() for e in elements if code in found(e)]
    assert missing == wrong == []
    of_units = {"empty-unit", "mixed-unit", "several-command-elements", "partly-organised"}
    assert set(CAUSES) | of_units == set(FINDINGS)


def test_house_rules_decide_some_findings():
    rows = [
        (having(LINE, own(-140)), {"sum_floor": 1}, "modifier-sum", False),
        (having(LINE, own(-140, separate=True)), {"sum_floor": 1}, "modifier-sum", True),
        (having(GUN, "MoF", "Feot"), {"star": "none"}, "modifier-sum", True),
        (having(GUN, "MoF", "Feot"), {"star": "all"}, "modifier-sum", False),
        ({**LINE, "to_hit": 7}, {"no_attack_factor": 1}, "no-attack-costs-zero", True),
    ]
    assert [row for row in rows if (row[2] in found(row[0], **row[1])) is not row[3]] == []


def test_waived_capabilities_count_for_the_other_findings():
    waived = having(LINE, {"code": "RdM", "waived": True}, "LM")
    assert found(waived) == ["two-manoeuvre-limits", "waived-modifier"]


# ---------------------------------------------------------------- findings of a unit and of the roster

UNITS = [
    ([], ["empty-unit"]),
    ([{**LINE, "quantity": 0}], ["empty-unit"]),
    ([LINE], []),
    ([LINE, LINE], []),
    ([LINE, {**LINE, "save": 5}], ["mixed-unit"]),
    ([LINE, {**LINE, "kind": "infantry"}], []),
    ([LINE, {**LINE, "save": 5, "quantity": 0}], []),
    ([LINE, {**LINE, "save": 5, "command": True}], []),
    ([LINE, having(LINE, "MA")], ["mixed-unit"]),
    ([having(LINE, "MA", "Ch"), having(LINE, "Ch", "MA")], []),
    ([having(LINE, "T", "Fly"), having(LINE, {"code": "T", "count": 1}, {"code": "Fly", "form": "flying"})], []),
    ([having(LINE, {"code": "Fly", "form": "jump"}), having(LINE, "Fly")], ["mixed-unit"]),
    ([{**GUN, "save": 7}, GUN], []),
    ([LINE, {**LINE, "command": True, "quantity": 2}], ["several-command-elements"]),
    ([{**LINE, "command": True}, {**LINE, "command": True}], ["several-command-elements"]),
    ([having(LINE, "Org"), having(LINE, command=True)], ["partly-organised"]),
    ([having(LINE, "Org"), having(LINE, "Org", command=True)], []),
    ([having(LINE, "Org"), having(LINE, command=True, quantity=0)], []),
    ([having(LINE, "Org", quantity=0), having(LINE, command=True)], []),
]


def test_units_are_checked_by_their_elements_on_the_table():
    assert [row for row in UNITS if codes(roster(SYSTEM, row[0]), "formations/0") != row[1]] == []


BUDGETS = [(21, {}, True), (21.9, {}, True), (22, {}, False), (None, {}, False), (21.7, {"rounding": "none"}, True)]


def test_the_points_limit_is_compared_with_the_rounded_points():
    for budget, options, over in BUDGETS:
        assert ("over-budget" in codes(roster(SYSTEM, [LINE], budget=budget, options=options), "")) is over


# ---------------------------------------------------------------- facts and words

FACTS = [  # the elements of a unit, losses at the morale test, elements carried
    ([], 0, 0),
    ([LINE], 1, 0),
    ([{**LINE, "quantity": 4}, LINE], 3, 0),
    ([{**LINE, "quantity": 6}], 3, 0),
    ([having(LINE, {"code": "T", "count": 4}, quantity=3), having(LINE, "T")], 2, 13),
    ([having(LINE, {"code": "T", "waived": True})], 1, 1),
]


def test_a_unit_knows_when_it_tests_morale_and_what_it_carries():
    for elements, test_at, capacity in FACTS:
        facts = appraise(roster(SYSTEM, elements)).formations[0].facts
        assert facts == {"morale_test_at": test_at, "transport_capacity": capacity}


NAMES = [  # a capability, its abbreviation, and its full name without that
    ({"code": "T", "count": 4}, "T4", "T"),
    ({"code": "MW"}, "MW2", "MW"),
    ({"code": "Heal", "on": 4}, "Heal 4+", "Heal"),
    (deny("Ch"), "Den Ch", "Ch"),
    (deny("Fog"), "Den Fog", "Den"),
    ({"code": "Den"}, "Den ?", "Den"),
]


def test_capabilities_are_abbreviated_and_named_in_their_variants():
    for data, short, code in NAMES:
        modifier = Modifier(**data)
        assert rules(SYSTEM).abbreviation(modifier) == short
        full = rules(SYSTEM).capability_name(modifier)
        assert CAPABILITIES[code].name in full
        assert short in full
        assert CAPABILITIES[modifier.code].text in rules(SYSTEM).capability_text(modifier)
    assert CAPABILITIES["Ch"].text in rules(SYSTEM).capability_text(Modifier(**deny("Ch")))


def test_a_description_has_the_stats_and_the_capabilities():
    element = having({**LINE, "movement": 11, "range": 22, "power": 33, "armor": 44, "kind": "mecha"}, "T", own(5))
    described = rules(SYSTEM).describe(Profile.model_validate(element), terms())
    assert [word for word in ("11", "22", "33", "44", "4+", "6+", "T1", "Own") if word not in described] == []
    unarmed = rules(SYSTEM).describe(Profile.model_validate({**element, "to_hit": None, "save": None}), terms())
    assert [word for word in ("22", "33", "6+") if word in unarmed] == []


def test_the_tables_name_only_known_codes():
    used = set().union(*tables.KEYS.values(), *tables.SEPARATE.values(), *tables.EXCLUSIVE.values())
    used |= {*tables.VARIANT_PERCENTS, *tables.COUNTS, *tables.INCLUDED, *tables.FORMS, *tables.WEAPON_ABILITIES}
    used |= {code for one, others in tables.CLASHES.values() for code in (one, *others)}
    assert used <= set(PERCENTAGES)
    assert {*tables.EXCLUSIVE, *tables.CLASHES} <= set(FINDINGS)


# ---------------------------------------------------------------- what is refused

HERE = "formations/0/elements/0"

REFUSED_STATS = [
    ({"movement": 2.0}, "movement"),
    ({"armor": None}, "armor"),
    ({"to_hit": "4+"}, "to_hit"),
    ({"morale": 1_000_001}, "morale"),
    ({"kind": "robot"}, "kind"),
    ({"command": 1}, "command"),
    ({"capabilities": {}}, "capabilities"),
    ({"engine": 1}, "engine"),
    ({"marks": [{"fate": 1}]}, "marks/0/fate"),
]

REFUSED_CAPABILITIES = [
    ({}, ["code"]),
    ({"code": 5}, ["code"]),
    ({"code": None}, ["code"]),
    ({"code": []}, ["code"]),
    ({"code": "x" * 61}, ["code"]),
    ({"code": "MA", "custom": "Own"}, ["custom"]),
    ({"custom": "Own"}, ["percent"]),
    ({"custom": "Own", "percent": True}, ["percent"]),
    ({"custom": "Own", "percent": "5"}, ["percent"]),
    ({"custom": "Own", "percent": 5, "separate": 1}, ["separate"]),
    ({"custom": "Own", "percent": 5, "count": 1}, ["count"]),
    ({"code": "MA", "percent": 5}, ["percent"]),
    ({"code": "MA", "separate": False}, ["separate"]),
    ({"code": "MA", "count": 1}, ["count"]),
    ({"code": "Xyz", "count": 1}, ["count"]),
    ({"code": "MA", "scatters": False}, ["scatters"]),
    ({"code": "Ch", "denies": "MA"}, ["denies"]),
    ({"code": "T", "on": 4}, ["on"]),
    ({"code": "MoF", "turns": 5}, ["turns"]),
    ({"code": "Ins", "form": "jump"}, ["form"]),
    ({"code": "Fly", "form": "ethereal"}, ["form"]),
    ({"code": "Sk", "form": "jump"}, ["form"]),
    ({"code": "Sk", "form": ["jump"]}, ["form"]),
    ({"code": "Heal", "on": 5}, ["on"]),
    ({"code": "Heal", "on": True}, ["on"]),
    ({"code": "OS", "turns": 0}, ["turns"]),
    ({"code": "OS", "turns": 2.5}, ["turns"]),
    ({"code": "T", "count": 1.0}, ["count"]),
    ({"code": "T", "count": None}, ["count"]),
    ({"code": "Den", "denies": 3}, ["denies"]),
    ({"code": "MA", "waived": "yes"}, ["waived"]),
    ({"code": "MA", "points": 5}, ["points"]),
    ({"code": "MA", "count": 1, "on": 4, "points": 5, "waived": 0}, ["count", "on", "points", "waived"]),
]

REFUSED_OPTIONS = [
    *({"star": value} for value in ("some", True, None)),
    *({"sum_floor": value} for value in (0, 101, True, 5.0)),
    *({"no_attack_factor": value} for value in (2, -1, True, 1.0, None)),
    *({"immobile_is_limited": value} for value in (1, "yes")),
    {"rounding": "unit"},
    {"naval": 1},
    {"max_engine": 6},
]


def test_an_invalid_value_is_refused_at_its_path():
    for element, path in REFUSED_STATS:
        assert refused(roster(SYSTEM, [element])) == [f"{HERE}/{path}"]
    for capability, paths in REFUSED_CAPABILITIES:
        expected = [f"{HERE}/capabilities/0/{path}" for path in paths]
        assert refused(roster(SYSTEM, [{"capabilities": [capability]}])) == expected
    for options in REFUSED_OPTIONS:
        assert refused(roster(SYSTEM, options=options)) == [f"options/{next(iter(options))}"]


SIDES = [
    ("standard", None, []),
    ("defensive", "attacker", []),
    ("defensive", None, []),
    ("standard", "attacker", ["side"]),
    ("defensive", "ambusher", ["side"]),
    ("basic", None, ["scenario"]),
]


def test_sides_belong_to_the_defensive_battle():
    for scenario, side, paths in SIDES:
        data = roster(SYSTEM, scenario=scenario, side=side)
        assert (refused(data) if paths else read(data) and []) == paths


def test_capabilities_are_kept_as_written():
    written = ["Xyz", "MA", "MA", {"code": "T", "count": -1}, deny("Fog"), own(0.5, True)]
    data = having(LINE, *written)
    element = documents.write(read(roster(SYSTEM, [data])))["formations"][0]["elements"][0]
    assert element["capabilities"] == data["capabilities"]
    modifier = Modifier(code="T", count=4)
    assert Profile(capabilities=(modifier,)).capabilities == (modifier,)


def test_the_schema_declares_which_keys_belong_together():
    validator = jsonschema.Draft202012Validator(documents.schema(types(SYSTEM)))
    wrong = [capability for capability, _ in REFUSED_CAPABILITIES if capability != {"code": "T", "count": 1.0}]
    accepted = [c for c in wrong if validator.is_valid(roster(SYSTEM, [{"capabilities": [c]}]))]
    rows = [capabilities for capabilities, _ in HUNDRED_PRICES]
    rejected = [row for row in rows if not validator.is_valid(roster(SYSTEM, [having(HUNDRED, *row)]))]
    assert accepted == rejected == []


# ---------------------------------------------------------------- limits and properties

MANY = tables.MAX_CAPABILITIES
HEAPS = [
    [{"code": "MA"}],
    [{"code": "OS"}],
    [{"code": "Xyz"}],
    [{"code": "OS", "turns": turns} for turns in range(990_000, 990_000 + MANY)],
    [{"custom": "Big", "percent": 1_000_000, "separate": True}],
    [{"custom": "Small", "percent": 5e-324, "separate": True}],
    [{"custom": "Third", "percent": 0.1, "separate": True}, {"custom": "Tiny", "percent": 1e-300}],
]


@pytest.mark.parametrize("options", [{"rounding": "none"}, {"star": "none", "rounding": "none"}, {"star": "all"}])
@pytest.mark.parametrize("heap", HEAPS)
def test_the_longest_list_of_capabilities_is_priced_and_written_out(heap, options):
    assert priced(having(LINE, *(heap * (MANY // len(heap)))), **options)["receipt"]


def test_every_copy_of_a_capability_is_priced_and_a_longer_list_is_refused():
    assert priced(having(HUNDRED, *["MA"] * MANY))["each"] == str(100 + 25 * MANY)
    assert priced(having(HUNDRED, *[own(100, separate=True)] * MANY))["each"] == str(100 * 2**MANY)
    too_many = one(having(LINE, *["MA"] * (MANY + 1)))
    assert refused(too_many) == [f"{HERE}/capabilities"]
    assert not jsonschema.Draft202012Validator(documents.schema(types(SYSTEM))).is_valid(too_many)


def test_factors_are_multiplied_exactly_up_to_a_hundred_digits_and_then_to_twelve_decimals():
    dozen = having(HUNDRED, *[own(0.01, separate=True)] * 12)
    assert priced(dozen, rounding="none")["each"] == format_exact(100 * Fraction(10001, 10000) ** 12)
    tiny = having(HUNDRED, *[own(1e-300, separate=True)] * 2)
    assert priced(tiny, rounding="none")["each"] == "100"
    lines = [having(HUNDRED, {"code": "OS", "turns": 999_000 + number}) for number in range(1_000)]
    made = appraisals.to_json(appraise(roster(SYSTEM, lines, options={"rounding": "none"})))
    assert made["exact"].startswith("0.1") or "/" in made["exact"]


STATS = st.fixed_dictionaries(
    {
        **dict.fromkeys(("movement", "range", "power", "armor"), st.integers(0, 200)),
        **dict.fromkeys(("save", "morale"), st.none() | st.integers(1, 7)),
        "to_hit": st.none() | st.integers(0, 7),
    }
)
NO_DRAWBACK = st.one_of(
    st.sampled_from(sorted(code for code, percent in PERCENTAGES.items() if percent >= 0)),
    st.integers(1, 9).map(lambda count: {"code": "T", "count": count}),
    st.integers(2, 9).map(lambda count: {"code": "MW", "count": count}),
    st.sampled_from(sorted(PERCENTAGES)).map(deny),
    st.tuples(st.integers(0, 300), st.booleans()).map(lambda pair: own(*pair)),
)
ANY_LIST = st.lists(st.sampled_from(sorted(PERCENTAGES)) | NO_DRAWBACK, max_size=5)
ANY_OPTIONS = st.fixed_dictionaries({}, optional=HOUSE_RULES[SYSTEM])


@settings(deadline=None, max_examples=40)
@given(STATS, ANY_LIST, NO_DRAWBACK, ANY_OPTIONS)
def test_another_capability_that_is_no_drawback_never_makes_a_legal_element_cheaper(stats, had, more, options):
    before, after = (Element(name="E", **having(stats, *each)) for each in (had, [*had, more]))
    if not any(FINDINGS[code].severity == "error" for code in found(having(stats, *had), **options)):
        assert price(after, terms(**options)).each >= price(before, terms(**options)).each


@settings(deadline=None, max_examples=40)
@given(STATS, ANY_LIST)
def test_an_element_is_free_only_without_attack_or_morale_or_anything_else(stats, had):
    profile = Profile.model_validate(having(stats, *had))
    amount = price(profile, terms()).each
    assert amount >= 0
    if amount == 0 and "modifier-sum" not in found(having(stats, *had)):
        numbers = profile.stats
        worth = numbers.movement + numbers.range + numbers.power + numbers.armor + 7 - numbers.save
        assert numbers.to_hit == 7 or numbers.morale == 7 or worth == 0
