"""Mini Combat's prices, worked out by hand from Appendix B, its rules check and the documents that it accepts."""

from fractions import Fraction
from itertools import product

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core import appraisals, documents
from rosters.core.amounts import format_exact
from rosters.core.rulebook import Terms
from rosters.systems.mini_combat import tables
from rosters.systems.mini_combat.rules import CAPABILITIES, FINDINGS, Element, Modifier, Options, Profile, price
from tests.strategies import HOUSE_RULES
from tests.support import FIXTURES, HERE, appraise, army, codes, refused, roster, rules, types

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


def line(*capabilities, **stats):
    return having({**LINE, **stats}, *capabilities)


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
    return codes(one(element, **options), HERE)


def terms(**options):
    return Terms(Options(**options), None, None)


PERCENTAGES = {
    **{"MA": 25, "SS": 25, "MoF": -50, "Cone": 25, "5c": 25, "10c": 50, "Bmb": 100, "IF": 25, "Rec": 20},
    **{"Fly": 25, "Sk": 25, "Sc": 25, "Feot": -50, "Drp": 40, "Tel": 60, "RdM": -10, "RsM": -20, "LM": -30},
    **{"RdFA": -10, "RsFA": -20, "LFA": -30, "IC": 50, "Sub": 30, "OS": -90, "WB": -30, "Amph": 20, "T": 25},
    **{"FA": 20, "Org": -40, "Ch": 15, "Den": 0, "Ins": 10, "Heal": 200, "Rep": 200, "Se": 20, "St": 35, "MW": 80},
}


STAT_PRICES = [
    (LINE, "22"),  # 21.6
    *((GUN, "72"), (HUNDRED, "100")),
    (having({"power": 10, "to_hit": 6, "morale": 6}, "MA"), "3"),  # 10 x 1 x 1 / 5 = 2; 2.5 goes up
    ({}, "0"),  # no attack, no save, fearless: 0 x 6 x 0
    ({"power": 3, "to_hit": 0, "morale": 6}, "4"),  # automatic: 3 x 1 x 7 / 5 = 4.2
    ({"power": 5, "to_hit": 6}, "6"),  # fearless: 5 x 6 x 1 / 5
    ({"save": 1, "to_hit": 2, "morale": 6}, "6"),  # 6 x 1 x 5 / 5
    ({"movement": 3, "power": 2, "to_hit": 2, "morale": 6}, "3"),  # 0.6 + 2 = 2.6
    ({"movement": 1, "to_hit": 6, "morale": 6}, "1"),  # 0.04, at least 1
    *((line(to_hit=7), "0"), (line(morale=7), "0")),
    (line(to_hit=9), "-14"),  # 12 x 3 x -2 / 5 = -14.4, priced as written
    (line(power=-3), "11"),  # 6 x 9 / 5 = 10.8
    (line("MA", "Ch"), "30"),  # 21.6 x 1.4 = 30.24
    (having(GUN, "MoF", "Feot", "LFA", "RdM"), "11"),  # 72 x 0.6 x 0.5 x 0.5 = 10.8
    (having(GUN, "MoF", "Feot", "LFA"), "15"),  # 72 x 0.85 x 0.25 = 15.3
]


HUNDRED_PRICES = {  # prices of HUNDRED, and the lists of capabilities that lead to them
    "0": ([own(-100)], [own(-150), "MA"], [own(-100, separate=True)], [own(-150, separate=True)]),
    "1": (["OS", "OS"], [own(-99)]),
    "20": ([{"code": "OS", "turns": 5}], [{"code": "MW", "count": 0}]),
    "33": ([{"code": "OS", "turns": 3}],),
    "60": (["LM", "RdFA"], ["RsM", "RsFA"], ["RdM", "LFA"], ["RdM", "LM"]),
    "75": ([{"code": "T", "count": -1}],),
    "80": (["RdFA", "LFA"],),  # -5 - 15
    "85": ([{"code": "RdM", "waived": True}, "LFA"],),
    "100": (
        *([{"code": "OS", "turns": 1}], [{"code": "MW", "count": 1}], [deny("Den")], [deny("Fog")], ["Xyz", "ma"]),
        *([own(75, waived=True)], [{"code": "MA", "waived": True}], [{"code": "OS", "waived": True}]),
    ),
    "101": ([own(0.5)],),  # 100.5
    "120": ([{"code": "Drp", "scatters": True}],),
    "130": ([deny("LFA")],),
    "140": ([{"code": "Tel", "scatters": True}],),
    "150": (["MA", "MA"], [{"code": "Fly", "form": "jump"}, {"code": "Sk", "form": "ethereal"}]),
    "190": ([deny("OS")],),
    "200": ([{"code": "Heal", "on": 4}], [{"code": "Rep", "on": 4}], [{"code": "T", "count": 4}], [own(75), "MA"]),
    "219": ([own(75, separate=True), "MA"],),  # 125 x 1.75 = 218.75
    "225": (["Cone", "Bmb"],),
    "260": ([{"code": "MW", "count": 3}],),
}


CURBED = having(GUN, "MoF", "Feot", "LFA", "RdM")
HOUSE_PRICES = [
    *((CURBED, {"star": star}, "0") for star in ("none", "one-shot-only")),  # -140 %
    (CURBED, {"star": "all"}, "11"),  # 72 x .7 x .9 x .25 = 11.34
    *(
        (having(HUNDRED, *capabilities), {"star": star}, points)
        for star, capabilities, points in [
            *(("one-shot-only", ["OS", "MoF"], "5"), ("none", ["OS", "Heal"], "210")),
            ("recommended", ["MA", {"code": "MW", "count": 3}], "285"),
            ("with-multiple-weapons", ["MA", {"code": "MW", "count": 3}], "325"),
            ("all", ["MA", "SS"], "156"),  # 156.25
            ("all", ["MA", deny("SS"), deny("Ch")], "175"),
            ("all", ["MA", own(100), own(100)], "375"),  # 3 x 1.25
            ("all", [{"code": "T", "count": -4}], "0"),
        ]
    ),
    *((having(HUNDRED, own(-p)), {"sum_floor": 20}, points) for p, points in ((150, "20"), (80, "20"), (79, "21"))),
    (having(HUNDRED, own(-10)), {"sum_floor": 100}, "100"),
    (having(HUNDRED, own(-150), "OS"), {"sum_floor": 20}, "2"),
    (having(HUNDRED, own(-150, separate=True)), {"sum_floor": 20}, "0"),
    (line(to_hit=None), {"no_attack_factor": 1}, "7"),  # 12 x 3 x 1 / 5 = 7.2
    *((LINE, {"no_attack_factor": 1}, "22"), (having(HUNDRED, "LFA"), {"immobile_is_limited": True}, "70")),
    (having(HUNDRED, "LFA", movement=5), {"immobile_is_limited": True}, "86"),  # 101 x 0.85 = 85.85
    (LINE, {"rounding": "none"}, "21.6"),
    (having(HUNDRED, {"code": "OS", "turns": 3}), {"rounding": "none"}, "100/3"),
    (having(HUNDRED, {"code": "OS", "turns": 1_009}), {"rounding": "none"}, "100/1009"),
    ({"movement": 1, "to_hit": 6, "morale": 6}, {"rounding": "none"}, "0.04"),
    *((having(HUNDRED, "WB"), {"naval": True}, "100"), (having(HUNDRED, deny("WB")), {"naval": True}, "130")),
]


def test_elements_are_priced_by_appendix_b_and_the_house_rules():
    rows = [*((element, {}, expected) for element, expected in STAT_PRICES), *HOUSE_PRICES]
    rows += [(having(HUNDRED, *each), {}, expected) for expected, lists in HUNDRED_PRICES.items() for each in lists]
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
    changes = [
        *(("+1", "1"), ("+20", "21"), ("+0", "21"), ("+8", "29"), ("+1", "30")),  # movement, range, save, power, armor
        *(("×3", "90"), ("×4", "360"), ("×0.2", "72")),  # morale, to hit
        *(("-10.8", "61.2"), ("+0", "61.2"), ("×0.5", "30.6"), ("+0.4", "31")),  # half of -30 %; waived
    ]
    assert [(step["change"], step["subtotal"]) for step in steps] == changes
    assert all(step["label"] for step in steps)


def test_without_rounding_each_unit_is_rounded_and_the_roster_is_their_sum():
    """21.6 and 43.2; two of 21.6 count 44, though they are worth 43.2. However long the game, sums are exact."""
    made = appraise(roster(SYSTEM, [LINE], [line(quantity=2)], options={"rounding": "none"}))
    assert [(unit.points, unit.exact) for unit in made.formations] == [(22, Fraction(108, 5)), (43, Fraction(216, 5))]
    assert (made.points, made.exact) == (65, Fraction(324, 5))
    assert appraise(roster(SYSTEM, [LINE], [LINE], options={"rounding": "none"})).points == 44
    made = appraise(roster(SYSTEM, [LINE], [line(quantity=2)]))
    assert ([unit.points for unit in made.formations], made.points, made.exact, made.quantity) == ([22, 44], 66, 66, 3)
    rare = {**having(HUNDRED, {"code": "OS", "turns": 999_983}), "quantity": 9_999}
    made = appraise(roster(SYSTEM, [rare] * 100, options={"rounding": "none"}))
    assert (made.exact, made.points) == (Fraction(100 * 9_999 * 100, 999_983), 100)


SAMPLE_PRICES = {
    "Legionaries": 14,  # (2 + 1 + 2 + 3 + 2) x 4 x 3 / 5 x 0.6 = 14.4
    "Medium tank": 50,  # (6 + 12 + 1 + 5 + 4) x 3 x 3 / 5 = 50.4
    "Dragon": 229,  # (8 + 3 + 3 + 7 + 5) x 5 x 4 / 5 x 2.2 = 228.8: +25 +25 +50 +20
    "Titan": 213,  # (3 + 18 + 3 + 9 + 8) x 5 x 4 / 5 = 164; +160 +20 +20 -20 -20; x 0.5 = 213.2
    "Battleship": 402,  # (3 + 30 + 2 + 10 + 9) x 4 x 3 / 5 = 129.6; +240 -20 -10: x 3.1 = 401.76
}


def test_some_elements_of_the_samples_are_worked_out_by_hand():
    samples = [army(SYSTEM, path.stem) for path in (FIXTURES / "armies" / SYSTEM).glob("*.json")]
    lines = [line for data in samples for unit in appraise(data).formations for line in unit.elements]
    assert {line.name: line.each for line in lines if line.name in SAMPLE_PRICES} == SAMPLE_PRICES


CLAUSES = {  # finding: elements that have it once, and near misses
    "stat-negative": ([line(**{stat: -1}) for stat in ("movement", "range", "power", "armor")], [line(armor=0)]),
    "to-hit-range": ([line(to_hit=8), line(to_hit=-1)], [line(to_hit=0), line(to_hit=7)]),
    "save-range": ([line(save=8), line(save=0)], [line(save=1), line(save=7)]),
    "morale-range": ([line(morale=8), line(morale=0)], [line(morale=1), line(morale=7)]),
    "unknown-capability": ([line("Xyz"), line("ma"), line("")], [line(own(5))]),
    "duplicate-capability": (
        [line("MA", "Ch", "MA"), line("T", {"code": "T", "count": 3}), line(deny("Ch"), deny("Ch"))],
        [line(deny("Ch"), deny("MA")), line("Xyz", "Xyz"), line(own(5), own(5))],
    ),
    "deny-unknown": ([line("Den"), line(deny("Fog"))], [line(deny("Den"))]),
    "deny-deny": ([line(deny("Den"))], [line(deny("Ch"))]),
    "weapons-count": ([line({"code": "MW", "count": 1})], [line("MW"), line({"code": "MW", "count": 2})]),
    "transport-count": ([line({"code": "T", "count": 0})], [line("T"), line({"code": "T", "count": 1})]),
    "two-manoeuvre-limits": ([line("RdM", "LM"), line("RdM", "RsM", "LM")], [line("RdM", "RdM")]),
    "two-fire-arcs": ([line("RdFA", "LFA"), line("RsFA", "LFA")], [line("LFA", "LM")]),
    "two-templates": ([line("Cone", "5c"), line("10c", "Bmb")], [line("Bmb", "IF")]),
    "modifier-sum": (
        [line(own(-100), "Xyz"), line(own(-140)), line(own(-100, separate=True))],
        [line(own(-99)), line(own(-99, True), own(-99, True)), line("MoF", "Feot", "OS"), line(own(-140, waived=True))],
    ),
    "save-cannot-fail": ([line(save=1)], [line(save=2)]),
    "morale-costs-zero": ([line(morale=7)], [line(morale=6)]),
    "no-attack-costs-zero": ([line(to_hit=7), line(to_hit=None)], [line(to_hit=6)]),
    "deny-drawback": ([line(deny("Org"))], [line(deny("Ch"))]),
    "manoeuvre-limit-on-immobile": ([line("RdM", movement=0)], [line("RdM"), line("LFA", movement=0)]),
    "full-armor-free": ([line("FA", kind="infantry")], [line("FA", kind="vehicle"), line(kind="infantry")]),
    "sealed-included": ([line("Se", "Sub")], [line("Se", "Amph")]),
    "amphibious-included": ([line("Sub", "Amph")], [line("Sub")]),
    "fly-and-skim": ([line("Fly", "Sk")], [line("Fly", "Ins")]),
    "water-bound-conflict": ([line("WB", "Amph"), line("WB", "Fly")], [line("WB", "Sub")]),
    "two-deployments": ([line("Drp", "Tel"), line("Sc", "Drp", "Tel")], [line("Drp", "St")]),
    "one-shot-and-slow-fire": ([line("OS", "Feot")], [line("OS", "MoF")]),
    "indirect-without-range": ([line("IF", range=0)], [line("IF")]),
    "weapon-ability-without-attack": (
        [line(code, to_hit=7) for code in ("SS", "MW", "IC", "IF", "MoF", "Feot", "OS")],
        [line("SS"), line("MA", "FA", to_hit=7)],
    ),
    "custom-capability": ([line(own(75))], [line("Xyz")]),
    "waived-modifier": ([line({"code": "MA", "waived": True})], [line({"code": "MA", "waived": False})]),
}


HOUSE_CLAUSES = [  # an element, house rules, a finding, and whether the element has it under them
    (line(own(-140)), {"sum_floor": 1}, "modifier-sum", False),
    (line(own(-140, separate=True)), {"sum_floor": 1}, "modifier-sum", True),
    (having(GUN, "MoF", "Feot"), {"star": "none"}, "modifier-sum", True),
    (having(GUN, "MoF", "Feot"), {"star": "all"}, "modifier-sum", False),
    (line(to_hit=7), {"no_attack_factor": 1}, "no-attack-costs-zero", True),
    (line({"code": "RdM", "waived": True}, "LM"), {}, "two-manoeuvre-limits", True),
]


def test_a_broken_clause_is_reported_once_and_its_near_misses_are_not():
    wrong = [(code, e) for code, (broken, _) in CLAUSES.items() for e in broken if found(e).count(code) != 1]
    wrong += [(code, e) for code, (_, near) in CLAUSES.items() for e in near if code in found(e)]
    assert wrong == []
    of_units = {"empty-unit", "mixed-unit", "several-command-elements", "partly-organised"}
    assert set(CLAUSES) | of_units == set(FINDINGS)
    assert [row for row in HOUSE_CLAUSES if (row[2] in found(row[0], **row[1])) is not row[3]] == []


UNITS = {  # finding of a unit: elements that have it, "" for none
    "empty-unit": ([], [line(quantity=0)]),
    "mixed-unit": ([LINE, line(save=5)], [LINE, line("MA")], [line({"code": "Fly", "form": "jump"}), line("Fly")]),
    "several-command-elements": ([LINE, line(command=True, quantity=2)], [line(command=True), line(command=True)]),
    "partly-organised": ([line("Org"), line(command=True)],),
    "": (
        *([LINE, LINE], [LINE, line(kind="infantry")], [line("MA", "Ch"), line("Ch", "MA")]),
        *([LINE, line(save=5, quantity=0), line(save=5, command=True)], [line(save=7), line(save=None)]),
        [line("T", "Fly"), line({"code": "T", "count": 1}, {"code": "Fly", "form": "flying"})],
        [line("Org"), line("Org", command=True)],
        *([line("Org"), line(command=True, quantity=0)], [line("Org", quantity=0), line(command=True)]),
    ),
}
LIMITS = [(21, {}, True), (21.9, {}, True), (22, {}, False), (None, {}, False), (21.7, {"rounding": "none"}, True)]
FACTS = [  # the elements of a unit, losses at the morale test, elements carried
    *(([], 0, 0), ([LINE], 1, 0), ([line(quantity=4), LINE], 3, 0), ([line(quantity=6)], 3, 0)),
    *(([line({"code": "T", "count": 4}, quantity=3), line("T")], 2, 13), ([line({"code": "T", "waived": True})], 1, 1)),
]


def test_units_are_checked_by_their_elements_on_the_table():
    for code, elements in ((code, elements) for code, units in UNITS.items() for elements in units):
        assert codes(roster(SYSTEM, elements), "formations/0") == [code] * bool(code), elements
    for elements, test_at, capacity in FACTS:
        facts = appraise(roster(SYSTEM, elements)).formations[0].facts
        assert facts == {"morale_test_at": test_at, "transport_capacity": capacity}


def test_the_points_limit_is_compared_with_the_rounded_points():
    for budget, options, over in LIMITS:
        assert ("over-budget" in codes(roster(SYSTEM, [LINE], budget=budget, options=options), "")) is over


NAMES = [  # a capability, its abbreviation, and its full name without that
    *(({"code": "T", "count": 4}, "T4", "T"), ({"code": "MW"}, "MW2", "MW")),
    ({"code": "Heal", "on": 4}, "Heal 4+", "Heal"),
    *((deny("Ch"), "Den Ch", "Ch"), (deny("Fog"), "Den Fog", "Den"), ({"code": "Den"}, "Den ?", "Den")),
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
    element = line("T", own(5), movement=11, range=22, power=33, armor=44, kind="mecha")
    described = rules(SYSTEM).describe(Profile.model_validate(element), terms())
    assert [word for word in ("11", "22", "33", "44", "4+", "6+", "T1", "Own") if word not in described] == []
    unarmed = rules(SYSTEM).describe(Profile.model_validate({**element, "to_hit": None, "save": None}), terms())
    assert [word for word in ("22", "33", "6+") if word in unarmed] == []


SCHEMA = jsonschema.Draft202012Validator(documents.schema(types(SYSTEM)))


KEYS = {  # a key: a value that it may have, and the codes that it belongs to
    **{"count": (3, {"T", "MW"}), "scatters": (True, {"Drp", "Tel"}), "on": (4, {"Heal", "Rep"}), "turns": (5, {"OS"})},
    **{"form": ("jump", {"Fly"}), "denies": ("Ch", {"Den"}), "percent": (5, set()), "separate": (False, set())},
}
WRONG = [  # a code, a key that belongs to it, and a value that it may not have
    *(("Sk", "form", "jump"), ("Sk", "form", ["jump"]), ("Fly", "form", "ethereal"), ("Heal", "on", True)),
    *(("Heal", "on", 5), ("OS", "turns", 2.5), ("OS", "turns", 0), ("T", "count", None), ("Den", "denies", 3)),
    ("MA", "waived", "yes"),
]
REFUSED = [  # a capability, and what is wrong with it
    *(({"code": code, key: value}, [key]) for code, key, value in WRONG),
    *(({"code": code}, ["code"]) for code in (None, [], "x" * 61)),
    *(({"custom": "Own", "percent": percent}, ["percent"]) for percent in ("5", True, 10**400)),
    *(({}, ["code"]), ({"custom": "Own"}, ["percent"]), ({"code": "MA", "custom": "Own"}, ["custom"])),
    *(({"custom": "Own", "percent": 5, key: 1}, [key]) for key in ("separate", "count")),
    ({"code": "MA", "count": 1, "on": 4, "points": 5, "waived": 0}, ["count", "on", "points", "waived"]),
]


def test_a_capability_has_its_own_keys_and_values_for_the_reader_and_the_schema():
    for code, (key, (value, owners)) in product([*PERCENTAGES, "Xyz"], KEYS.items()):
        data = one({"capabilities": [{"code": code, key: value}]})
        assert SCHEMA.is_valid(data) is (code in owners)
        assert code in owners or refused(data) == [f"{HERE}/capabilities/0/{key}"]
    for capability, paths in REFUSED:
        data = one({"capabilities": [capability]})
        assert refused(data) == [f"{HERE}/capabilities/0/{path}" for path in paths]
        assert not SCHEMA.is_valid(data)
    lenient = {"percent": {"custom": "Own", "percent": float("nan")}, "count": {"code": "T", "count": 2.0}}
    for path, capability in lenient.items():  # the schema accepts these
        assert refused(one({"capabilities": [capability]})) == [f"{HERE}/capabilities/0/{path}"]
    priced_above = [each for lists in HUNDRED_PRICES.values() for each in lists]
    assert [each for each in priced_above if not SCHEMA.is_valid(one(having(HUNDRED, *each)))] == []


MANY = tables.MAX_CAPABILITIES

HEAPS = [
    *([{"code": code}] for code in ("MA", "OS", "Xyz")),
    [{"code": "OS", "turns": turns} for turns in range(990_000, 990_000 + MANY)],
    *([own(1_000_000, separate=True)], [own(5e-324, separate=True)], [own(0.1, separate=True), own(1e-300)]),
]


def test_the_longest_list_of_capabilities_is_priced_and_a_longer_one_is_refused():
    for heap, options in product(HEAPS, ({"rounding": "none"}, {"star": "none", "rounding": "none"}, {"star": "all"})):
        assert priced(line(*(heap * (MANY // len(heap)))), **options)["receipt"]
    assert priced(having(HUNDRED, *["MA"] * MANY))["each"] == str(100 + 25 * MANY)
    assert priced(having(HUNDRED, *[own(100, separate=True)] * MANY))["each"] == str(100 * 2**MANY)
    too_many = one(line(*["MA"] * (MANY + 1)))
    assert refused(too_many) == [f"{HERE}/capabilities"]
    assert not SCHEMA.is_valid(too_many)


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
