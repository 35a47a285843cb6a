"""Mini Combat's prices, worked by hand from Appendix B, and what its legality says."""

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
from rosters.systems.mini_combat.rules import (
    CAPABILITIES,
    FINDINGS,
    Element,
    Modifier,
    Options,
    Profile,
    describe,
    price,
)
from tests.support import FIXTURES, appraise, codes, read, refused, roster, types

SYSTEM = "mini-combat"
LINE = {"movement": 10, "range": 20, "save": 6, "power": 3, "armor": 2, "to_hit": 4, "morale": 4}
"""(2 + 4 + 1 + 3 + 2) x 3 x 3 / 5 = 21.6"""
GUN = {"movement": 5, "range": 100, "power": 8, "armor": 1, "to_hit": 3, "morale": 4}
"""(1 + 20 + 0 + 8 + 1) x 3 x 4 / 5 = 72"""
TEN = {"power": 10, "to_hit": 6, "morale": 6}
"""10 x 1 x 1 / 5 = 2"""
HUNDRED = {"power": 100, "to_hit": 2, "morale": 6}
"""100 x 1 x 5 / 5 = 100: points are percentages"""


def caps(*written):
    """Capabilities from codes or whole objects."""
    return [{"code": item} if isinstance(item, str) else item for item in written]


def having(stats, *written, **more):
    return {**stats, "capabilities": caps(*written), **more}


def own(percent, separate=False, **more):
    return {"custom": "Own", "percent": percent, "separate": separate, **more}


def one(element, **options):
    """A roster of one element under these house rules."""
    return roster(SYSTEM, [element], options=options)


def each(element, **options):
    return appraisals.to_json(appraise(one(element, **options)))["formations"][0]["elements"][0]["each"]


def found(element, **options):
    return codes(one(element, **options), "formations/0/elements/0")


# ---------------------------------------------------------------- prices

STAT_PRICES = [
    (LINE, "22"),  # 21.6
    (GUN, "72"),
    (TEN, "2"),
    (HUNDRED, "100"),
    ({}, "0"),  # no attack, no save, fearless: 0 x 6 x 0
    ({"power": 3, "to_hit": 0, "morale": 6}, "4"),  # automatic: 3 x 1 x 7 / 5 = 4.2
    ({"power": 5, "to_hit": 6}, "6"),  # fearless: 5 x 6 x 1 / 5
    ({"power": 5, "to_hit": 6, "morale": 1}, "6"),
    ({"save": 1, "to_hit": 2, "morale": 6}, "6"),  # 6 x 1 x 5 / 5
    ({"save": 7, "power": 1, "to_hit": 2, "morale": 6}, "1"),
    ({"movement": 3, "power": 2, "to_hit": 2, "morale": 6}, "3"),  # 0.6 + 2 = 2.6
    ({"movement": 5, "to_hit": 6, "morale": 6}, "1"),  # 0.2, at least 1
    ({"movement": 1, "to_hit": 6, "morale": 6}, "1"),  # 0.04, at least 1
    ({**LINE, "to_hit": 7}, "0"),
    ({**LINE, "morale": 7}, "0"),
    ({**LINE, "to_hit": 9}, "-14"),  # 12 x 3 x -2 / 5 = -14.4, priced as written
    ({**LINE, "power": -3}, "11"),  # 6 x 9 / 5 = 10.8
]

CAPABILITY_PRICES = [
    (having(LINE, "MA"), "27"),  # 21.6 x 1.25
    (having(LINE, "MA", "Ch"), "30"),  # 21.6 x 1.4 = 30.24
    (having(TEN, "MA"), "3"),  # 2.5 goes up
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), "11"),  # 72 x 0.6 x 0.5 x 0.5 = 10.8
    (having(GUN, "MoF", "Feot", "LFA"), "15"),  # 72 x 0.85 x 0.25 = 15.3
    (having(HUNDRED, "Org"), "60"),
    (having(HUNDRED, "Drp"), "140"),
    (having(HUNDRED, {"code": "Drp", "scatters": True}), "120"),
    (having(HUNDRED, "Tel"), "160"),
    (having(HUNDRED, {"code": "Tel", "scatters": True}), "140"),
    (having(HUNDRED, "Heal"), "300"),
    (having(HUNDRED, {"code": "Heal", "on": 4}), "200"),
    (having(HUNDRED, {"code": "Rep", "on": 4}), "200"),
    (having(HUNDRED, "OS"), "10"),
    (having(HUNDRED, {"code": "OS", "turns": 10}), "10"),
    (having(HUNDRED, {"code": "OS", "turns": 5}), "20"),
    (having(HUNDRED, {"code": "OS", "turns": 3}), "33"),
    (having(HUNDRED, {"code": "OS", "turns": 1}), "100"),
    (having(HUNDRED, "RdFA"), "95"),
    (having(HUNDRED, "RsFA"), "90"),
    (having(HUNDRED, "LFA"), "85"),
    (having(HUNDRED, "LM", "RdFA"), "60"),  # -30 - 10
    (having(HUNDRED, "RsM", "RsFA"), "60"),  # -20 - 20
    (having(HUNDRED, "RdM", "LFA"), "60"),  # -10 - 30
    (having(HUNDRED, "RdFA", "LFA"), "80"),  # both priced: -5 - 15
    (having(HUNDRED, "RdM", "LM"), "60"),
    (having(HUNDRED, "Cone", "Bmb"), "225"),
    (having(HUNDRED, "T"), "125"),
    (having(HUNDRED, {"code": "T", "count": 4}), "200"),
    (having(HUNDRED, {"code": "T", "count": 0}), "100"),
    (having(HUNDRED, {"code": "T", "count": -1}), "75"),
    (having(HUNDRED, "MW"), "180"),
    (having(HUNDRED, {"code": "MW", "count": 3}), "260"),
    (having(HUNDRED, {"code": "MW", "count": 1}), "100"),
    (having(HUNDRED, {"code": "MW", "count": 0}), "20"),
    (having(HUNDRED, {"code": "Den", "denies": "Ch"}), "115"),
    (having(HUNDRED, {"code": "Den", "denies": "OS"}), "190"),
    (having(HUNDRED, {"code": "Den", "denies": "LFA"}), "130"),
    (having(HUNDRED, {"code": "Den", "denies": "Drp"}), "140"),
    (having(HUNDRED, {"code": "Den", "denies": "MW"}), "180"),
    (having(HUNDRED, {"code": "Den", "denies": "Den"}), "100"),
    (having(HUNDRED, {"code": "Den", "denies": "Fog"}), "100"),
    (having(HUNDRED, "Den"), "100"),
    (having(HUNDRED, {"code": "Fly", "form": "jump"}, {"code": "Sk", "form": "ethereal"}), "150"),
    (having(HUNDRED, "MA", "MA"), "150"),
    (having(HUNDRED, "OS", "OS"), "1"),
    (having(HUNDRED, "Xyz", "ma"), "100"),
    (having(HUNDRED, own(75)), "175"),
    (having(HUNDRED, own(75), "MA"), "200"),
    (having(HUNDRED, own(75, separate=True), "MA"), "219"),  # 125 x 1.75 = 218.75
    (having(HUNDRED, own(0.5)), "101"),  # 100.5
    (having(HUNDRED, own(-100, separate=True)), "0"),
    (having(HUNDRED, own(-150, separate=True)), "0"),
    (having(HUNDRED, own(-100)), "0"),
    (having(HUNDRED, own(-150), "MA"), "0"),
    (having(HUNDRED, own(-99)), "1"),
    (having(HUNDRED, {"code": "MA", "waived": True}), "100"),
    (having(HUNDRED, {"code": "OS", "waived": True}), "100"),
    (having(HUNDRED, own(75, waived=True)), "100"),
    (having(HUNDRED, {"code": "RdM", "waived": True}, "LFA"), "85"),
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
    (having(HUNDRED, "MA", {"code": "Den", "denies": "SS"}, {"code": "Den", "denies": "Ch"}), {"star": "all"}, "175"),
    (having(HUNDRED, "MA", own(100), own(100)), {"star": "all"}, "375"),  # 3 x 1.25
    (having(HUNDRED, {"code": "T", "count": -4}), {"star": "all"}, "0"),
    (having(HUNDRED, own(-150)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-90)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-80)), {"sum_floor": 20}, "20"),
    (having(HUNDRED, own(-70)), {"sum_floor": 20}, "30"),
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
    (having(HUNDRED, {"code": "Den", "denies": "WB"}), {"naval": True}, "130"),
]


def test_elements_price_as_appendix_b_and_the_house_rules_say():
    rows = [*((element, {}, expected) for element, expected in STAT_PRICES + CAPABILITY_PRICES), *HOUSE_PRICES]
    assert [(*row, each(row[0], **row[1])) for row in rows if each(row[0], **row[1]) != row[2]] == []


def test_a_receipt_tells_every_step_and_ends_with_the_rounding():
    gun = having(GUN, "MoF", "LFA", {"code": "IF", "waived": True})
    line = appraisals.to_json(appraise(one(gun)))["formations"][0]["elements"][0]["receipt"]
    assert [(step["label"], step["change"], step["subtotal"]) for step in line] == [
        ("Movement 5 cm, a fifth", "+1", "1"),
        ("Range 100 cm, a fifth", "+20", "21"),
        ("No save", "+0", "21"),
        ("Power 8", "+8", "29"),
        ("Armor 1", "+1", "30"),
        ("Morale 4+: 7 less 4", "×3", "90"),
        ("To hit 3+: 7 less 3", "×4", "360"),
        ("A fifth of that", "×0.2", "72"),
        ("Limited fire arc (LFA), half without a manoeuvre limit, -15 %", "-10.8", "61.2"),
        ("Indirect fire (IF), waived, +0 %", "+0", "61.2"),
        ("Move or fire (MoF), -50 %", "×0.5", "30.6"),
        ("Rounded, a half goes up", "+0.4", "31"),
    ]


LAST_LABELS = [
    (having(HUNDRED, own(-140)), {}, "The percentages add up to -140 %: priced 0"),
    (having(HUNDRED, own(-140)), {"sum_floor": 5}, "Never below 5 % (house rule)"),
    (having(HUNDRED, own(-100, separate=True)), {}, "Own (own rule), -100 %: nothing is left, priced 0"),
    ({"movement": 1, "to_hit": 6, "morale": 6}, {}, "Rounded up: at least 1"),
    (having(HUNDRED, {"code": "MW", "count": 3}), {}, "Multiple weapons (MW3), +160 %"),
    (having(HUNDRED, {"code": "Den", "denies": "Ch"}), {}, "Deny Charge (Den Ch), +15 %"),
    (having(HUNDRED, {"code": "Fly", "form": "jump"}), {}, "Jump (Fly jump), +25 %"),
    (having(HUNDRED, "WB"), {"naval": True}, "Water bound (WB), free in a naval game, +0 %"),
    (having(HUNDRED, "Xyz"), {}, "Unknown capability 'Xyz', +0 %"),
    ({"power": 1}, {}, "A fifth of that"),
]


def test_receipts_name_what_they_did_last():
    for element, options, label in LAST_LABELS:
        steps = appraise(one(element, **options)).formations[0].elements[0].receipt.steps
        assert steps[-1].label == label


def test_without_rounding_each_unit_is_rounded_and_the_roster_adds_them_up():
    """21.6 and 43.2; two of 21.6 count 44, though they are worth 43.2."""
    made = appraise(roster(SYSTEM, [LINE], [{**LINE, "quantity": 2}], options={"rounding": "none"}))
    assert [(unit.points, unit.exact) for unit in made.formations] == [(22, Fraction(108, 5)), (43, Fraction(216, 5))]
    assert (made.points, made.exact) == (65, Fraction(324, 5))
    assert appraise(roster(SYSTEM, [LINE], [LINE], options={"rounding": "none"})).points == 44


def test_without_rounding_nothing_is_lost_however_long_the_game():
    """One shot in 999,983 turns makes 100 points 100/999983; the unit's sum is exact, and only then rounded."""
    line = {**having(HUNDRED, {"code": "OS", "turns": 999_983}), "quantity": 9_999}
    made = appraise(roster(SYSTEM, [line] * 100, options={"rounding": "none"}))
    assert made.exact == Fraction(100 * 9_999 * 100, 999_983)
    assert made.points == 100


def test_with_rounding_everything_is_whole():
    made = appraise(roster(SYSTEM, [LINE], [{**LINE, "quantity": 2}]))
    assert ([unit.points for unit in made.formations], made.points, made.exact, made.quantity) == ([22, 44], 66, 66, 3)


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
        having(LINE, {"code": "Den", "denies": "Ch"}, {"code": "Den", "denies": "Ch"}),
    ],
    "deny-unknown": [having(LINE, "Den"), having(LINE, {"code": "Den", "denies": "Fog"})],
    "deny-deny": [having(LINE, {"code": "Den", "denies": "Den"})],
    "weapons-count": [having(LINE, {"code": "MW", "count": count}) for count in (1, 0, -2)],
    "transport-count": [having(LINE, {"code": "T", "count": count}) for count in (0, -1)],
    "two-manoeuvre-limits": [having(LINE, "RdM", "LM"), having(LINE, "RdM", "RsM", "LM")],
    "two-fire-arcs": [having(LINE, "RdFA", "LFA")],
    "two-templates": [having(LINE, "Cone", "5c"), having(LINE, "10c", "Bmb")],
    "modifier-sum": [having(LINE, own(-100), "Xyz"), having(LINE, own(-140)), having(LINE, own(-100, separate=True))],
    "save-cannot-fail": [{**LINE, "save": 1}],
    "morale-costs-zero": [{**LINE, "morale": 7}],
    "no-attack-costs-zero": [{**LINE, "to_hit": 7}, {**LINE, "to_hit": None}],
    "deny-drawback": [having(LINE, {"code": "Den", "denies": "Org"})],
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
        having(LINE, {"code": "Den", "denies": "Ch"}, {"code": "Den", "denies": "MA"}),
        having(LINE, "Xyz", "Xyz"),
        having(LINE, own(5), own(5)),
    ],
    "deny-unknown": [having(LINE, {"code": "Den", "denies": "Den"})],
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
    "deny-drawback": [having(LINE, {"code": "Den", "denies": "Ch"})],
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


def test_what_breaks_a_clause_is_reported_under_its_code_once():
    for code, element in [(code, e) for code, list_ in CAUSES.items() for e in list_]:
        assert found(element).count(code) == 1


def test_what_comes_near_a_clause_is_not_reported():
    for code, element in [(code, e) for code, list_ in INNOCENT.items() for e in list_]:
        assert code not in found(element)


def test_every_finding_has_a_test():
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
    for element, options, code, there in rows:
        assert (code in found(element, **options)) is there


def test_a_waived_capability_is_still_there_for_the_other_findings():
    waived = having(LINE, {"code": "RdM", "waived": True}, "LM")
    assert found(waived) == ["two-manoeuvre-limits", "waived-modifier"]


def test_a_message_names_the_thing_and_the_number():
    messages = {f.code: f.message for f in appraise(one(having(LINE, "Ch", "Ch", "Ch", power=-2))).findings}
    assert messages == {
        "duplicate-capability": "Charge (Ch) is bought 3 times.",
        "stat-negative": "Power -2 is below 0.",
    }


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


def test_units_are_checked_by_their_models():
    for elements, expected in UNITS:
        assert codes(roster(SYSTEM, elements), "formations/0") == expected


BUDGETS = [(21, {}, True), (21.9, {}, True), (22, {}, False), (None, {}, False), (21.7, {"rounding": "none"}, True)]


def test_the_budget_is_compared_with_the_points_as_they_count():
    for budget, options, over in BUDGETS:
        assert ("over-budget" in codes(roster(SYSTEM, [LINE], budget=budget, options=options), "")) is over


# ---------------------------------------------------------------- facts and words


def test_a_unit_knows_when_it_tests_morale_and_what_it_carries():
    rows = [
        ([], 0, 0),
        ([LINE], 1, 0),
        ([{**LINE, "quantity": 4}, LINE], 3, 0),
        ([{**LINE, "quantity": 6}], 3, 0),
        ([having(LINE, {"code": "T", "count": 4}, quantity=3), having(LINE, "T")], 2, 13),
        ([having(LINE, {"code": "T", "waived": True})], 1, 1),
    ]
    for elements, test_at, capacity in rows:
        facts = appraise(roster(SYSTEM, elements)).formations[0].facts
        assert facts == {"morale_test_at": test_at, "transport_capacity": capacity}


def terms(**options):
    return Terms(Options(**options), None, None)


DESCRIPTIONS = [
    (LINE, "move 10 cm, hits on 4+ at 20 cm, power 3, armor 2, save 6+, morale 4+"),
    ({"kind": "structure", "armor": 5}, "Structure, move 0 cm, no attack, armor 5, fearless"),
    (
        having({"kind": "mecha", "command": True, "to_hit": 0}, {"code": "MW", "count": 3}, own(5, waived=True)),
        "Mecha, command, move 0 cm, always hits in melee, power 0, armor 0, fearless, MW3, Own (waived)",
    ),
    (
        having(
            {"kind": "infantry", "to_hit": 4},
            "T",
            {"code": "Den", "denies": "Ch"},
            {"code": "Heal", "on": 4},
            {"code": "OS", "turns": 5},
            {"code": "Drp", "scatters": True},
            {"code": "Sk", "form": "ethereal"},
        ),
        "Infantry, move 0 cm, hits on 4+ in melee, power 0, armor 0, fearless, "
        "T1, Den Ch, Heal 4+, OS 5 turns, Drp scatters, Sk ethereal",
    ),
]


def test_an_element_is_described_in_one_line():
    for profile, expected in DESCRIPTIONS:
        assert describe(Profile.model_validate(profile), terms()) == expected


PERCENTAGES = {
    **{"MA": 25, "SS": 25, "MoF": -50, "Cone": 25, "5c": 25, "10c": 50, "Bmb": 100, "IF": 25, "Rec": 20},
    **{"Fly": 25, "Sk": 25, "Sc": 25, "Feot": -50, "Drp": 40, "Tel": 60, "RdM": -10, "RsM": -20, "LM": -30},
    **{"RdFA": -10, "RsFA": -20, "LFA": -30, "IC": 50, "Sub": 30, "OS": -90, "WB": -30, "Amph": 20, "T": 25},
    **{"FA": 20, "Org": -40, "Ch": 15, "Den": 0, "Ins": 10, "Heal": 200, "Rep": 200, "Se": 20, "St": 35, "MW": 80},
}


def test_the_reference_rows_hold_the_percentages_of_appendix_b_in_its_order():
    rows = [*CAPABILITIES.values()]
    assert {row.code: row.percent for row in rows} == PERCENTAGES
    assert [row.code for row in rows] == [*PERCENTAGES]
    assert [row.number for row in rows] == [*range(1, 38)]


def test_the_tables_name_only_known_codes():
    known = set(PERCENTAGES)
    used = set().union(*tables.KEYS.values(), *tables.SEPARATE.values(), *(e.members for e in tables.EXCLUSIVE))
    used |= {*tables.CHEAPER, *tables.COUNTS, *tables.FORMS, *tables.WEAPON_ABILITIES}
    used |= {code for clash in tables.CLASHES for code in (clash.one, *clash.others)}
    assert used <= known
    assert {exclusive.code for exclusive in tables.EXCLUSIVE} <= set(FINDINGS)
    assert {clash.code for clash in tables.CLASHES} <= set(FINDINGS)


# ---------------------------------------------------------------- what is refused

HERE = "formations/0/elements/0"
CAPABILITY = f"{HERE}/capabilities/0"

REFUSED_STATS = [
    *(
        ({stat: value}, stat)
        for stat, value in {"movement": 2.0, "armor": None, "to_hit": "4+", "morale": 1_000_001}.items()
    ),
    *(
        ({stat: value}, stat)
        for stat, value in {"kind": "robot", "command": 1, "capabilities": {}, "engine": 1}.items()
    ),
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


def test_an_impossible_value_is_refused_at_its_path():
    for element, path in REFUSED_STATS:
        assert refused(roster(SYSTEM, [element])) == [f"{HERE}/{path}"]


def test_a_capability_takes_only_its_own_keys():
    for capability, paths in REFUSED_CAPABILITIES:
        assert refused(roster(SYSTEM, [{"capabilities": [capability]}])) == [f"{CAPABILITY}/{path}" for path in paths]


def test_a_house_rule_takes_only_its_own_values():
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


def test_capabilities_survive_as_they_were_written():
    written = caps("Xyz", "MA", "MA", {"code": "T", "count": -1}, {"code": "Den", "denies": "Fog"}, own(0.5, True))
    data = roster(SYSTEM, [having(LINE, *written)])
    assert documents.write(read(data))["formations"][0]["elements"][0]["capabilities"] == written


def test_the_schema_says_which_keys_go_together():
    schema = documents.schema(types(SYSTEM))
    validator = jsonschema.Draft202012Validator(schema)
    wrong = [capability for capability, _ in REFUSED_CAPABILITIES if capability != {"code": "T", "count": 1.0}]
    for capability in wrong:
        assert not validator.is_valid(roster(SYSTEM, [{"capabilities": [capability]}])), capability
    for element, _ in CAPABILITY_PRICES:
        data = roster(SYSTEM, [element])
        assert validator.is_valid(data), element


# ---------------------------------------------------------------- properties

MANY = tables.MOST_CAPABILITIES
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
def test_a_full_list_of_capabilities_is_priced_and_written_out(heap, options):
    data = one(having(LINE, *(heap * (MANY // len(heap)))), **options)
    assert appraisals.to_json(appraise(data))["formations"][0]["elements"][0]["receipt"]


def test_many_copies_of_one_capability_are_all_charged():
    assert each(having(HUNDRED, *["MA"] * MANY)) == str(100 + 25 * MANY)
    assert each(having(HUNDRED, *[own(100, separate=True)] * MANY)) == str(100 * 2**MANY)


def test_a_longer_list_of_capabilities_is_refused():
    too_many = having(LINE, *["MA"] * (MANY + 1))
    assert refused(one(too_many)) == [f"{HERE}/capabilities"]
    with pytest.raises(documents.InvalidDocument, match="holds 201; at most 200 are read"):
        read(one(too_many))
    assert not jsonschema.Draft202012Validator(documents.schema(types(SYSTEM))).is_valid(one(too_many))


def test_a_dozen_separate_factors_are_multiplied_out_exactly():
    dozen = having(HUNDRED, *[own(0.01, separate=True)] * 12)
    assert each(dozen, rounding="none") == format_exact(100 * Fraction(10001, 10000) ** 12)


def test_what_would_take_too_many_decimals_is_kept_to_twelve():
    tiny = having(HUNDRED, *[own(1e-300, separate=True)] * 2)
    last = appraise(one(tiny)).formations[0].elements[0].receipt.steps[-1]
    assert (last.label, last.subtotal) == ("Kept to twelve decimals", 100)


def test_the_fractions_of_many_elements_can_be_added_up():
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
CODES = st.sampled_from(sorted(PERCENTAGES))
WORTH_MORE = st.one_of(
    st.sampled_from(sorted(code for code, percent in PERCENTAGES.items() if percent >= 0)).map(
        lambda code: {"code": code}
    ),
    st.integers(1, 9).map(lambda count: {"code": "T", "count": count}),
    st.integers(2, 9).map(lambda count: {"code": "MW", "count": count}),
    CODES.map(lambda code: {"code": "Den", "denies": code}),
    st.tuples(st.integers(0, 300), st.booleans()).map(lambda pair: own(*pair)),
)
ANY_CAPABILITY = st.one_of(CODES.map(lambda code: {"code": code}), WORTH_MORE)
ANY_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "star": st.sampled_from(["recommended", "none", "one-shot-only", "with-multiple-weapons", "all"]),
        "sum_floor": st.none() | st.integers(1, 100),
        "no_attack_factor": st.integers(0, 1),
        "immobile_is_limited": st.booleans(),
        "rounding": st.sampled_from(["element", "none"]),
        "naval": st.booleans(),
    },
)


@settings(deadline=None, max_examples=40)
@given(STATS, st.lists(ANY_CAPABILITY, max_size=5), WORTH_MORE, ANY_OPTIONS)
def test_one_more_capability_that_is_no_drawback_never_makes_a_legal_element_cheaper(stats, had, more, options):
    before, after = (Element(name="E", **having(stats, *given_)) for given_ in (had, [*had, more]))
    if not any(FINDINGS[code].severity == "error" for code in found(having(stats, *had), **options)):
        assert price(after, terms(**options)).each >= price(before, terms(**options)).each


@settings(deadline=None, max_examples=40)
@given(STATS, st.lists(ANY_CAPABILITY, max_size=5))
def test_an_element_with_models_is_free_only_without_attack_or_morale_or_anything_else(stats, had):
    profile = Profile.model_validate(having(stats, *had))
    amount = price(profile, terms()).each
    assert amount >= 0
    if amount == 0 and "modifier-sum" not in found(having(stats, *had)):
        numbers = profile.stats
        worth = numbers.movement + numbers.range + numbers.power + numbers.armor + 7 - numbers.save
        assert numbers.to_hit == 7 or numbers.morale == 7 or worth == 0


# ---------------------------------------------------------------- the books

BOOKS = sorted((FIXTURES / "armies" / SYSTEM).glob("*.json"))
WRITTEN = [json.loads(path.read_text(encoding="utf-8")) for path in BOOKS]


def all_elements():
    return [element for data in WRITTEN for unit in data["formations"] for element in unit["elements"]]


def test_the_books_use_every_capability_variant_and_kind():
    used = [capability for element in all_elements() for capability in element.get("capabilities", [])]
    assert {capability["code"] for capability in used if "code" in capability} == set(PERCENTAGES)
    for variant in [
        {"code": "Drp", "scatters": True},
        {"code": "Tel", "scatters": True},
        {"code": "Heal", "on": 4},
        {"code": "Rep", "on": 4},
        {"code": "OS", "turns": 5},
        {"code": "Fly", "form": "jump"},
        {"code": "Sk", "form": "ethereal"},
        {"code": "MW", "count": 3},
        {"code": "T", "count": 4},
        {"code": "Den", "denies": "Ch"},
    ]:
        assert variant in used
    assert any("custom" in capability for capability in used)
    assert any(capability.get("waived") for capability in used)
    kinds = {"infantry", "cavalry", "vehicle", "mecha", "creature", "ship", "aircraft", "structure", "other"}
    assert {element["kind"] for element in all_elements()} == kinds


BOOK_PRICES = [
    ("Legionaries", 14),  # (2 + 1 + 2 + 3 + 2) x 4 x 3 / 5 x 0.6 = 14.4
    ("Medium tank", 50),  # (6 + 12 + 1 + 5 + 4) x 3 x 3 / 5 = 50.4
    ("Dragon", 229),  # (8 + 3 + 3 + 7 + 5) x 5 x 4 / 5 x 2.2 = 228.8: +25 +25 +50 +20
    ("Titan", 213),  # (3 + 18 + 3 + 9 + 8) x 5 x 4 / 5 = 164; +160 +20 +20 -20 -20; x 0.5 = 213.2
    ("Battleship", 402),  # (3 + 30 + 2 + 10 + 9) x 4 x 3 / 5 = 129.6; +240 -20 -10: x 3.1 = 401.76
]


def test_some_elements_of_the_books_are_worked_by_hand():
    for name, points in BOOK_PRICES:
        priced = {
            line.name: line.each for data in WRITTEN for unit in appraise(data).formations for line in unit.elements
        }
        assert priced[name] == points


def test_a_modifier_already_made_is_taken_as_it_is():
    modifier = Modifier(code="T", count=4)
    assert Profile(capabilities=(modifier,)).capabilities == (modifier,)
