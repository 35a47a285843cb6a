"""Mini Combat's prices, worked out by hand from Appendix B, its rules check and the documents that it accepts."""

from fractions import Fraction
from itertools import product

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from rosters.core import appraisals, documents
from rosters.core.amounts import format_exact
from rosters.core.rulebook import Terms
from rosters.systems.mini_combat import tables
from rosters.systems.mini_combat.rules import CAPABILITIES, FINDINGS, Element, Modifier, Options, Profile, price
from tests.notation import capability, profile, rows, unit
from tests.strategies import HOUSE_RULES
from tests.support import FIRST, appraise, finding_codes, invalid_paths, missing, roster_data, rules, types

SYSTEM = "mini-combat"


def one(element, **options):
    """A roster of one element, as data or in words, under these house rules."""
    return roster_data(SYSTEM, [unit(element) if isinstance(element, str) else element], options=options)


def priced(element, **options):
    return appraisals.to_json(appraise(one(element, **options)))["formations"][0]["elements"][0]


def found(element, **options):
    return finding_codes(one(element, **options), FIRST)


def terms(**options):
    return Terms(Options(**options), None, None)


PERCENTAGES = {
    **{"MA": 25, "SS": 25, "MoF": -50, "Cone": 25, "5c": 25, "10c": 50, "Bmb": 100, "IF": 25, "Rec": 20},
    **{"Fly": 25, "Sk": 25, "Sc": 25, "Feot": -50, "Drp": 40, "Tel": 60, "RdM": -10, "RsM": -20, "LM": -30},
    **{"RdFA": -10, "RsFA": -20, "LFA": -30, "IC": 50, "Sub": 30, "OS": -90, "WB": -30, "Amph": 20, "T": 25},
    **{"FA": 20, "Org": -40, "Ch": 15, "Den": 0, "Ins": 10, "Heal": 200, "Rep": 200, "Se": 20, "St": 35, "MW": 80},
}
PRICES = rows("""
    line = 22 | gun = 72 | hundred = 100 | line to_hit=7 = 0 | line morale=7 = 0
    MA power=10 to_hit=6 morale=6 = 3  # 10 x 1 x 1 / 5 = 2; 2.5 goes up
    quantity=1 = 0  # no attack, no save, fearless: 0 x 6 x 0
    power=3 to_hit=0 morale=6 = 4  # automatic: 3 x 1 x 7 / 5 = 4.2
    power=5 to_hit=6 = 6  # fearless: 5 x 6 x 1 / 5
    save=1 to_hit=2 morale=6 = 6  # 6 x 1 x 5 / 5
    movement=3 power=2 to_hit=2 morale=6 = 3  # 0.6 + 2 = 2.6
    movement=1 to_hit=6 morale=6 = 1  # 0.04, at least 1
    line to_hit=9 = -14  # 12 x 3 x -2 / 5 = -14.4, priced as written
    line power=-3 = 11  # 6 x 9 / 5 = 10.8
    line MA Ch = 30  # 21.6 x 1.4 = 30.24
    gun MoF Feot LFA RdM = 11 | gun MoF Feot LFA = 15  # 72 x 0.6 x 0.5 x 0.5 = 10.8; 72 x 0.85 x 0.25 = 15.3

    hundred own:-100 = 0 | hundred own:-150 MA = 0 | hundred own:-100* = 0 | hundred own:-150* = 0
    hundred OS OS = 1 | hundred own:-99 = 1 | hundred OS:5 = 20 | hundred MW:0 = 20 | hundred OS:3 = 33
    hundred LM RdFA = 60 | hundred RsM RsFA = 60 | hundred RdM LFA = 60 | hundred RdM LM = 60
    hundred T:-1 = 75 | hundred RdFA LFA = 80 | hundred (RdM) LFA = 85  # -5 - 15
    hundred OS:1 = 100 | hundred MW:1 = 100 | hundred Den:Den = 100 | hundred Den:Fog = 100 | hundred Xyz ma = 100
    hundred (own:75) = 100 | hundred (MA) = 100 | hundred (OS) = 100 | hundred own:0.5 = 101  # 100.5
    hundred Drp:scatters = 120 | hundred Den:LFA = 130 | hundred Tel:scatters = 140 | hundred MA MA = 150
    hundred Fly:jump Sk:ethereal = 150 | hundred Den:OS = 190 | hundred Heal:4 = 200 | hundred Rep:4 = 200
    hundred T:4 = 200 | hundred own:75 MA = 200 | hundred Cone Bmb = 225 | hundred MW:3 = 260
    hundred own:75* MA = 219  # 125 x 1.75 = 218.75

    gun MoF Feot LFA RdM = 0 = star=none | gun MoF Feot LFA RdM = 0 = star=one-shot-only  # -140 %
    gun MoF Feot LFA RdM = 11 = star=all  # 72 x .7 x .9 x .25 = 11.34
    hundred OS MoF = 5 = star=one-shot-only | hundred OS Heal = 210 = star=none
    hundred MA MW:3 = 285 = star=recommended | hundred MA MW:3 = 325 = star=with-multiple-weapons
    hundred MA SS = 156 = star=all | hundred MA Den:SS Den:Ch = 175 = star=all  # 156.25
    hundred MA own:100 own:100 = 375 = star=all | hundred T:-4 = 0 = star=all  # 3 x 1.25
    hundred own:-150 = 20 = sum_floor=20 | hundred own:-80 = 20 = sum_floor=20 | hundred own:-79 = 21 = sum_floor=20
    hundred own:-10 = 100 = sum_floor=100 | hundred own:-150 OS = 2 = sum_floor=20
    hundred own:-150* = 0 = sum_floor=20 | line to_hit=None = 7 = no_attack_factor=1  # 12 x 3 x 1 / 5 = 7.2
    line to_hit=9 = -14 = no_attack_factor=1 | line = 22 = no_attack_factor=1 | hundred LFA = 70 = immobile_is_limited
    hundred LFA movement=5 = 86 = immobile_is_limited  # 101 x 0.85 = 85.85
    line = 21.6 = rounding=none | hundred OS:3 = 100/3 = rounding=none | hundred OS:1009 = 100/1009 = rounding=none
    movement=1 to_hit=6 morale=6 = 0.04 = rounding=none | hundred WB = 100 = naval | hundred Den:WB = 130 = naval
""")


def test_elements_are_priced_by_appendix_b_the_house_rules_and_the_percentages_of_capabilities():
    wrong = [row for row in PRICES if priced(row[0], **profile(row[2:], {}))["each"] != row[1]]
    assert wrong == []
    # A fire arc without a maneuver limit gets half of its discount.
    assert [(row.code, row.percent) for row in CAPABILITIES.values()] == [*PERCENTAGES.items()]
    assert [row.number for row in CAPABILITIES.values()] == [*range(1, 38)]
    percents = PERCENTAGES | {"RdFA": -5, "RsFA": -10, "LFA": -15}
    prices = {code: priced(f"hundred {code}")["each"] for code in PERCENTAGES}
    assert prices == {code: str(100 + percent) for code, percent in percents.items()}


def test_a_receipt_has_every_step_and_ends_with_the_rounding_which_a_house_rule_leaves_to_each_unit():
    """Movement, range, save, power, armor; morale, to hit; half of -30 %; waived; the rest."""
    steps = priced("gun MoF LFA (IF)")["receipt"]
    changes = "+1 1, +20 21, +0 21, +8 29, +1 30, ×3 90, ×4 360, ×0.2 72, -10.8 61.2, +0 61.2, ×0.5 30.6, +0.4 31"
    assert ", ".join(f"{step['change']} {step['subtotal']}" for step in steps) == changes
    assert all(step["label"] for step in steps)
    floors = [("hundred own:-80", {"sum_floor": 21}), ("hundred own:-80", {"sum_floor": 20}), ("hundred own:-100", {})]
    assert [len(priced(text, **floor)["receipt"]) for text, floor in floors] == [10, 9, 10], "a minimum that applies"
    # 21.6 and 43.2; two of 21.6 count 44, though they are worth 43.2. However long the game, sums are exact.
    line, two = unit("line"), unit("line x2")
    made = appraise(roster_data(SYSTEM, [line], [two], options={"rounding": "none"}))
    assert [(each.points, each.exact) for each in made.formations] == [(22, Fraction(108, 5)), (43, Fraction(216, 5))]
    assert (made.points, made.exact) == (65, Fraction(324, 5))
    assert appraise(roster_data(SYSTEM, [line], [line], options={"rounding": "none"})).points == 44
    made = appraise(roster_data(SYSTEM, [line], [two]))
    assert ([each.points for each in made.formations], made.points, made.exact, made.quantity) == ([22, 44], 66, 66, 3)
    made = appraise(roster_data(SYSTEM, [unit("hundred OS:999983 x9999")] * 100, options={"rounding": "none"}))
    assert (made.exact, made.points) == (Fraction(100 * 9_999 * 100, 999_983), 100)


CLAUSES = rows("""  # a finding, changes of a line that has it once, and near misses
    stat-negative = movement=-1, range=-1, power=-1, armor=-1 = armor=0
    to-hit-range = to_hit=8, to_hit=-1 = to_hit=0, to_hit=7 | save-range = save=8, save=0 = save=1, save=7
    morale-range = morale=8, morale=0 = morale=1, morale=7 | unknown-capability = Xyz, ma = own:5
    duplicate-capability = MA Ch MA, T T:3, Den:Ch Den:Ch = Den:Ch Den:MA, Xyz Xyz, own:5 own:5
    deny-unknown = Den, Den:Fog = Den:Den | deny-deny = Den:Den = Den:Ch | weapons-count = MW:1 = MW, MW:2
    transport-count = T:0 = T, T:1 | two-manoeuvre-limits = RdM LM, RdM RsM LM, (RdM) LM = RdM RdM
    two-fire-arcs = RdFA LFA, RsFA LFA = LFA LM | two-templates = Cone 5c, 10c Bmb = Bmb IF
    modifier-sum = own:-100 Xyz, own:-140, own:-100* = own:-99, own:-99* own:-99*, MoF Feot OS, (own:-140)
    save-cannot-fail = save=1 = save=2 | morale-costs-zero = morale=7 = morale=6
    no-attack-costs-zero = to_hit=7, to_hit=None = to_hit=6 | deny-drawback = Den:Org = Den:Ch
    manoeuvre-limit-on-immobile = RdM movement=0 = RdM, LFA movement=0
    full-armor-free = FA kind=infantry = FA kind=vehicle, kind=infantry | sealed-included = Se Sub = Se Amph
    amphibious-included = Sub Amph = Sub | fly-and-skim = Fly Sk = Fly Ins
    water-bound-conflict = WB Amph, WB Fly = WB Sub | two-deployments = Drp Tel, Sc Drp Tel = Drp St
    one-shot-and-slow-fire = OS Feot = OS MoF | indirect-without-range = IF range=0 = IF
    weapon-ability-without-attack = SS to_hit=7, MW to_hit=7, IC to_hit=7, IF to_hit=7, MoF to_hit=7 = SS
    weapon-ability-without-attack = Feot to_hit=7, OS to_hit=7 = MA FA to_hit=7 | custom-capability = own:75 = Xyz
    waived-modifier = (MA) = MA
""")
HOUSE_CLAUSES = rows("""
    line own:-140 = sum_floor=1 = modifier-sum = no | line own:-140* = sum_floor=1 = modifier-sum = yes
    gun MoF Feot = star=none = modifier-sum = yes | gun MoF Feot = star=all = modifier-sum = no
    line to_hit=7 = no_attack_factor=1 = no-attack-costs-zero = yes
""")

UNITS = rows("""  # finding of a unit, or none, and the changes of lines that have it
    empty-unit = | empty-unit = x0 | mixed-unit = , save=5 | mixed-unit = , MA | mixed-unit = Fly:jump, Fly
    several-command-elements = , command x2 | several-command-elements = command, command
    partly-organised = Org, command | = , | = , kind=infantry | = MA Ch, Ch MA | = save=7, save=None
    = , save=5 x0, save=5 command | = T Fly, T:1 Fly:flying | = OS, OS:10 | mixed-unit = MA, (MA)
    = Org, Org command | = Org, command x0 | = Org x0, command
""")
LIMITS = [(21, {}, True), (21.9, {}, True), (22, {}, False), (None, {}, False), (21.7, {"rounding": "none"}, True)]
FACTS = [  # the elements of a unit, losses at the morale test, elements carried
    *(([], 0, 0), (["line"], 1, 0), (["line x4", "line"], 3, 0), (["line x6"], 3, 0)),
    *((["line T:4 x3", "line T"], 2, 13), (["line (T)"], 1, 1)),
]


def test_a_broken_clause_of_an_element_or_a_unit_is_reported_once_and_its_near_misses_are_not():
    for code, broken, near in CLAUSES:
        assert [text for text in broken.split(", ") if found(f"line {text}").count(code) != 1] == [], code
        assert [text for text in near.split(", ") if code in found(f"line {text}")] == [], code
    of_units = {"empty-unit", "mixed-unit", "several-command-elements", "partly-organised"}
    assert {row[0] for row in CLAUSES} | of_units == set(FINDINGS)
    for text, option, code, expected in HOUSE_CLAUSES:
        assert (code in found(text, **profile([option], {}))) is (expected == "yes"), (text, option)
    for code, texts in UNITS:
        elements = [unit(f"line {text}") for text in texts.split(",") if texts]
        assert finding_codes(roster_data(SYSTEM, elements), "formations/0") == [code] * bool(code), texts
    for texts, test_at, capacity in FACTS:
        facts = appraise(roster_data(SYSTEM, [*map(unit, texts)])).formations[0].facts
        assert facts == {"morale_test_at": test_at, "transport_capacity": capacity}
    for budget, options, over in LIMITS:  # of the rounded points
        assert (
            "over-budget" in finding_codes(roster_data(SYSTEM, [unit("line")], budget=budget, options=options), "")
        ) is over


NAMES = rows("""  # a capability, its abbreviation, and its full name without that
    T:4 = T4 = T | MW = MW2 = MW | Heal:4 = Heal 4+ = Heal | Den:Ch = Den Ch = Ch | Den:Fog = Den Fog = Den
    Den = Den ? = Den
""")


def test_a_description_has_the_stats_and_the_capabilities_in_their_variants():
    for word, short, code in NAMES:
        modifier = Modifier(**capability(word))
        assert rules(SYSTEM).abbreviation(modifier) == short
        assert missing((CAPABILITIES[code].name, short), rules(SYSTEM).capability_name(modifier)) == []
        assert CAPABILITIES[modifier.code].text in rules(SYSTEM).capability_text(modifier)
    assert CAPABILITIES["Ch"].text in rules(SYSTEM).capability_text(Modifier(**capability("Den:Ch")))
    element = unit("line T own:5 movement=11 range=22 power=33 armor=44 kind=mecha")
    described = rules(SYSTEM).describe(Profile.model_validate(element), terms())
    assert missing(("11", "22", "33", "44", "4+", "6+", "T1", "Own"), described) == []
    unarmed = rules(SYSTEM).describe(Profile.model_validate({**element, "to_hit": None, "save": None}), terms())
    assert missing(("22", "33", "6+"), unarmed) == ["22", "33", "6+"]


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


MANY = tables.MAX_CAPABILITIES
HEAPS = ["MA", "OS", "Xyz", " ".join(f"OS:{990_000 + turns}" for turns in range(MANY))]
HEAPS += ["own:1000000*", "own:5e-324*", "own:0.1* own:1e-300"]


def test_a_capability_has_its_own_keys_and_values_and_the_longest_list_of_them_is_priced_exactly():
    for code, (key, (value, owners)) in product([*PERCENTAGES, "Xyz"], KEYS.items()):
        data = one({"capabilities": [{"code": code, key: value}]})
        assert SCHEMA.is_valid(data) is (code in owners)
        assert code in owners or invalid_paths(data) == [f"{FIRST}/capabilities/0/{key}"]
    for wrong, paths in REFUSED:
        data = one({"capabilities": [wrong]})
        assert invalid_paths(data) == [f"{FIRST}/capabilities/0/{path}" for path in paths]
        assert not SCHEMA.is_valid(data)
    lenient = {"percent": {"custom": "Own", "percent": float("nan")}, "count": {"code": "T", "count": 2.0}}
    for path, data in lenient.items():  # the schema accepts these
        assert invalid_paths(one({"capabilities": [data]})) == [f"{FIRST}/capabilities/0/{path}"]
    assert [row for row in PRICES if not SCHEMA.is_valid(one(row[0]))] == []
    for heap, options in product(HEAPS, ({"rounding": "none"}, {"star": "none", "rounding": "none"}, {"star": "all"})):
        assert priced(f"line {f'{heap} ' * (MANY // len(heap.split()))}", **options)["receipt"]
    assert priced(f"hundred {'MA ' * MANY}")["each"] == str(100 + 25 * MANY)
    assert priced(f"hundred {'own:100* ' * MANY}")["each"] == str(100 * 2**MANY)
    too_many = one(f"line {'MA ' * (MANY + 1)}")
    assert invalid_paths(too_many) == [f"{FIRST}/capabilities"]
    assert not SCHEMA.is_valid(too_many)
    dozen = priced(f"hundred {'own:0.01* ' * 12}", rounding="none")["each"]
    assert dozen == format_exact(100 * Fraction(10001, 10000) ** 12)
    assert priced("hundred own:1e-300* own:1e-300*", rounding="none")["each"] == "100"
    lines = [unit(f"hundred OS:{999_000 + number}") for number in range(1_000)]
    made = appraisals.to_json(appraise(roster_data(SYSTEM, lines, options={"rounding": "none"})))
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
    st.integers(1, 9).map("T:{}".format) | st.integers(2, 9).map("MW:{}".format),
    st.sampled_from(sorted(PERCENTAGES)).map("Den:{}".format),
    st.builds("own:{}{}".format, st.integers(0, 300), st.sampled_from(["", "*"])),
)
ANY_LIST = st.lists(st.sampled_from(sorted(PERCENTAGES)) | NO_DRAWBACK, max_size=5)
ANY_OPTIONS = st.fixed_dictionaries({}, optional=HOUSE_RULES[SYSTEM])


def having(stats, words):
    return stats | {"capabilities": [*map(capability, words)]}


@given(STATS, ANY_LIST, NO_DRAWBACK, ANY_OPTIONS)
def test_another_capability_that_is_no_drawback_never_makes_a_legal_element_cheaper(stats, had, more, options):
    before, after = (Element(name="E", **having(stats, each)) for each in (had, [*had, more]))
    if not any(FINDINGS[code].severity == "error" for code in found(having(stats, had), **options)):
        assert price(after, terms(**options)).unit_points >= price(before, terms(**options)).unit_points
