"""The appraisal of a roster: its shape as JSON, its totals, and what no order of its lines can change."""

import json
import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core import amounts, appraisals
from rosters.core.receipts import Receipt, Step
from rosters.web import roster_page
from tests.strategies import PATIENT, SYSTEMS, documents
from tests.support import appraise, codes, read, roster, rules

# The example of the roster format, as it stands there.
DWARVES = {
    "format": "armybuilder-roster",
    "version": 1,
    "system": "vsgmr",
    "name": "Dwarves of the Deep",
    "budget": 30,
    "scenario": "basic",
    "side": None,
    "options": {},
    "notes": "",
    "formations": [
        {
            "name": "Warband",
            "notes": "",
            "elements": [
                {"name": "Thane", "quantity": 1, "kind": "hero", "commander": True, "traits": ["tough"]},
                {"name": "Guard", "quantity": 3, "kind": "hero", "armor": "heavy", "traits": ["tough"]},
            ],
        }
    ],
}
APPRAISED = {
    "system": "vsgmr",
    "edition": rules("vsgmr").EDITION,
    "name": "Dwarves of the Deep",
    "points": 22,
    "exact": "22",
    "budget": 30,
    "legal": True,
    "quantity": 4,
    "house_rules": [],
    "findings": [
        {
            "code": "outside-suggested-budget",
            "severity": "warning",
            "where": "",
            "message": "Basic game: 25–40 points are suggested, and this roster has 22.",
        }
    ],
    "formations": [
        {
            "name": "Warband",
            "points": 22,
            "exact": "22",
            "facts": {},
            "elements": [
                {
                    "name": "Thane",
                    "quantity": 1,
                    "each": "4",
                    "points": "4",
                    "receipt": [
                        {"label": "Hero", "change": "+2", "subtotal": "2"},
                        {"label": "Heavy armor, free for a hero commander", "change": "+0", "subtotal": "2"},
                        {"label": "Tough", "change": "+2", "subtotal": "4"},
                    ],
                },
                {
                    "name": "Guard",
                    "quantity": 3,
                    "each": "6",
                    "points": "18",
                    "receipt": [
                        {"label": "Hero", "change": "+2", "subtotal": "2"},
                        {"label": "Heavy armor", "change": "+2", "subtotal": "4"},
                        {"label": "Tough", "change": "+2", "subtotal": "6"},
                    ],
                },
            ],
        }
    ],
    "facts": {},
}

AMOUNT = re.compile(r"-?\d+(\.\d+|/\d+)?")
CHANGE = re.compile(r"[+-]\d+(\.\d+|/\d+)?|×-?\d+(\.\d+|/\d+)?")
WHERE = re.compile(r"|formations/\d+(/elements/\d+)?")

ROSTER_KEYS = [*APPRAISED]
FORMATION_KEYS = [*APPRAISED["formations"][0]]
ELEMENT_KEYS = [*APPRAISED["formations"][0]["elements"][0]]

# system: the facts of a formation and of the roster; and those that an element may have
FACTS = {
    "mini-combat": ({"morale_test_at", "transport_capacity"}, set()),
    "6mm": (set(), {"army_morale"}),
    "msc": ({"offensive", "defensive", "speed", "attack_dice", "save_dice"}, set()),
    "vsgmr": (set(), set()),
    "urutsk": (set(), set()),
}
SIZED = {"size", "offensive", "defensive"}
ELEMENT_FACTS = {
    "6mm": [set(), {"strength", "routs_at"}],
    "msc": [{*SIZED, "unspent"}, {*SIZED, "over"}],
}

# house rules, and those of them that are in force
IN_FORCE = [
    ("mini-combat", {"star": "none"}, {"star": "none"}),
    ("mini-combat", {"sum_floor": 20, "naval": True}, {"sum_floor": 20, "naval": True}),
    ("mini-combat", {"no_attack_factor": 1, "immobile_is_limited": True, "rounding": "none"}, ...),
    ("mini-combat", {"star": "recommended", "sum_floor": None, "naval": False, "rounding": "element"}, {}),
    ("6mm", {"tank_gun_reduced": True, "animal_is_no_transport": True, "torsion_factor": 1}, ...),
    ("msc", {"max_engine": 6}, {"max_engine": 6}),
    ("msc", {"max_engine": 5}, {}),
]

SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
MOOK = {"kind": "mook"}
STAND = {"type": "INF/U", "duplicates": [{"type": "INF/A"}]}

# what an army is worth, its budget, and whether it is over it
BUDGETS = [
    ("msc", SHIP, 15, 15, False),
    ("msc", SHIP, 15, 14, True),
    ("msc", SHIP, 15, 14.9, True),
    ("msc", SHIP, 15, 0, True),
    ("msc", SHIP, 15, -1, True),
    ("msc", SHIP, 15, None, False),
    ("vsgmr", MOOK, 0.5, 0.5, False),
    ("vsgmr", MOOK, 0.5, 0.4, True),
    ("vsgmr", MOOK, 0.5, 0, True),
]

# an amount, and how it is shown
SHOWN = [
    (None, ""),
    (0, "0"),
    (Fraction(9, 2), "4.5"),
    (Fraction(1, 8), "0.125"),
    (Fraction(1, 3), "0.33"),
    (Fraction(2, 3), "0.67"),
    (Fraction(-1, 3), "-0.33"),
    (Fraction(1, 300), "0.00"),
    (Fraction(299, 300), "1.00"),
    (10**400, "1" + "0" * 400),
    (Fraction(10**400, 3), "3" * 400 + ".33"),
]


def to_json(data):
    """The appraisal of a document as a reader of the JSON gets it."""
    return json.loads(json.dumps(appraisals.to_json(appraise(data)), allow_nan=False))


def finding(data, code):
    return [found for found in appraise(data).findings if found.code == code]


# ---------------------------------------------------------------- the shape


def test_the_example_of_the_format_is_appraised_to_the_letter():
    found = to_json(DWARVES)
    assert found == APPRAISED
    assert [*found] == [*APPRAISED]


def check_shape(found, counts_points):
    """Every key, every type, no binary float where an amount stands."""
    assert [*found] == ROSTER_KEYS
    assert all(isinstance(found[key], str) for key in ("system", "edition", "name"))
    check_total(found, counts_points)
    assert found["budget"] is None or type(found["budget"]) in (int, float)
    assert type(found["legal"]) is bool
    assert type(found["quantity"]) is int
    assert found["quantity"] >= 0
    for rule in found["house_rules"]:
        assert [*rule] == ["rule", "value", "text"]
        assert type(rule["value"]) in (str, int, bool)
    for each in found["findings"]:
        assert [*each] == ["code", "severity", "where", "message"]
        assert each["severity"] in ("error", "warning", "note")
        assert WHERE.fullmatch(each["where"])
        assert each["message"]
    for formation in found["formations"]:
        check_formation(formation, found["system"], counts_points)
    assert set(found["facts"]) == FACTS[found["system"]][1]


def check_total(found, counts_points):
    assert (found["points"] is not None) == (found["exact"] is not None) == counts_points
    if counts_points:
        assert type(found["points"]) in (int, float)
        assert AMOUNT.fullmatch(found["exact"])


def check_formation(found, system, counts_points):
    assert [*found] == FORMATION_KEYS
    assert set(found["facts"]) == FACTS[system][0]
    check_total(found, counts_points)
    for element in found["elements"]:
        known = ELEMENT_FACTS.get(system, [set()])
        assert [key for key in element if key != "facts"] == ELEMENT_KEYS
        assert set(element.get("facts", {})) in known
        assert "facts" not in element or element["facts"]
        assert type(element["quantity"]) is int
        check_receipt(element, counts_points)


def check_receipt(element, counts_points):
    if not counts_points:
        assert (element["each"], element["points"], element["receipt"]) == (None, None, [])
        return
    for step in element["receipt"]:
        assert [*step] == ["label", "change", "subtotal"]
        assert step["label"]
        assert CHANGE.fullmatch(step["change"])
        assert AMOUNT.fullmatch(step["subtotal"])
    assert element["receipt"][-1]["subtotal"] == element["each"]
    assert Fraction(element["points"]) == Fraction(element["each"]) * element["quantity"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_is_read_appraises_to_that_shape_and_can_be_shown(system):
    """Legal is: no error. The sums are those of the lines; every place that a finding names is there."""

    @settings(PATIENT, max_examples=80)
    @given(documents(system))
    def check(data):
        document, appraisal = read(data), appraise(data)
        found = json.loads(json.dumps(appraisals.to_json(appraisal), allow_nan=False))
        check_shape(found, counts_points=system != "urutsk")
        assert found["legal"] == all(each["severity"] != "error" for each in found["findings"])
        assert [f["name"] for f in found["formations"]] == [f["name"] for f in data["formations"]]
        for formation in found["formations"] if system != "urutsk" else ():
            assert Fraction(formation["exact"]) == sum(Fraction(e["points"]) for e in formation["elements"])
        for each in found["findings"]:
            place = data
            for part in each["where"].split("/") if each["where"] else ():
                place = place[int(part) if part.isdigit() else part]
            assert place is data or place["name"] is not None
        terms = appraisals.terms_of(document)
        for element in [element for formation in document.formations for element in formation.elements]:
            assert isinstance(rules(system).describe(element, terms), str)
        for formation in appraisal.formations:
            assert all(re.fullmatch(r"(-?\d+(\.\d+)?)?", amounts.format_amount(e.each)) for e in formation.elements)
        left = roster_page.budget_of(appraisal)
        assert left is None or 0 <= left.share <= 100

    check()


# ---------------------------------------------------------------- totals


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_order_of_formations_and_elements_changes_no_total_and_no_finding(system):
    @PATIENT
    @given(documents(system), st.randoms(use_true_random=False))
    def check(data, random):
        shuffled = [{**f, "elements": [*f.get("elements", ())]} for f in data["formations"]]
        random.shuffle(shuffled)
        for formation in shuffled:
            random.shuffle(formation["elements"])
        before, after = appraise(data), appraise({**data, "formations": shuffled})
        assert (after.points, after.exact, after.quantity, after.legal, after.facts) == (
            before.points,
            before.exact,
            before.quantity,
            before.legal,
            before.facts,
        )
        assert Counter(each.code for each in after.findings) == Counter(each.code for each in before.findings)
        assert receipts(after) == receipts(before)

    check()


def receipts(appraisal):
    """How often each receipt stands in a roster."""
    return Counter((e.name, e.quantity, e.receipt) for f in appraisal.formations for e in f.elements)


def test_ids_notes_secrets_and_marks_change_nothing():
    plain = roster("msc", [{"quantity": 2, **SHIP}])
    noted = roster("msc", [{"quantity": 2, **SHIP, "id": "a", "notes": "n", "secret": True, "marks": [{"engine": 3}]}])
    assert to_json({**noted, "notes": "x", "changed": "2026-11-21"}) == to_json(plain)


def test_an_empty_roster_is_worth_nothing():
    found = to_json({**roster("msc"), "budget": 0})
    assert (found["points"], found["exact"], found["quantity"], found["legal"]) == (0, "0", 0, True)


def test_6mm_keeps_the_exact_sum_of_a_formation_and_rounds_the_army_half_up():
    found = to_json(roster("6mm", [{**STAND, "general": "competent"}], [{"type": "TRANSPORT"}]))
    assert [(f["points"], f["exact"]) for f in found["formations"]] == [(7, "7"), (1, "1")]
    halves = to_json(roster("6mm", [STAND], [{"type": "TRANSPORT", "quantity": 3}]))
    assert [(f["points"], f["exact"]) for f in halves["formations"]] == [(6.5, "6.5"), (3, "3")]
    assert (halves["points"], halves["exact"]) == (10, "9.5")


def test_quantity_counts_no_field_works_and_no_shared_transport():
    found = to_json(roster("6mm", [STAND, {"type": "WORKS", "quantity": 5}, {"type": "TRANSPORT", "quantity": 2}]))
    assert found["quantity"] == 1


def test_the_points_of_urutsk_are_null_everywhere_and_it_counts_figures():
    found = to_json(roster("urutsk", [{"quantity": 3, "command": True}, {}]))
    assert (found["points"], found["exact"], found["quantity"], found["legal"]) == (None, None, 4, True)


def test_a_receipt_without_steps_is_worth_nothing():
    assert Receipt(()).each == 0
    assert Receipt((Step("One", "+1", 1), Step("Half", "×0.5", Fraction(1, 2)))).each == Fraction(1, 2)


# ---------------------------------------------------------------- house rules and budgets


def test_each_house_rule_in_force_is_listed_and_is_a_note_on_the_roster():
    for system, options, listed in IN_FORCE:
        data = roster(system, options=options)
        found = to_json(data)["house_rules"]
        notes = finding(data, "house-rule")
        assert {rule["rule"]: rule["value"] for rule in found} == (options if listed is ... else listed)
        assert [(note.severity, note.where) for note in notes] == [("note", "")] * len(found)
        assert all(rule["text"] in note.message for rule, note in zip(found, notes, strict=True))


def test_more_points_than_the_budget_are_an_error_on_the_roster():
    for system, element, worth, budget, over in BUDGETS:
        data = roster(system, [element], budget=budget)
        assert (to_json(data)["points"], to_json(data)["budget"]) == (worth, budget)
        assert [(each.severity, each.where) for each in finding(data, "over-budget")] == [("error", "")] * over


def test_the_budget_of_6mm_is_compared_before_the_army_is_rounded():
    """9.5 points round to 10, but are not more than 9.5."""
    army = roster("6mm", [{**STAND, "general": "competent"}, STAND], budget=13.5)
    assert to_json(army)["exact"] == "13.5"
    assert "over-budget" not in codes(army)
    assert "over-budget" in codes({**army, "budget": 13})


def test_an_error_makes_the_roster_illegal_and_a_warning_or_note_does_not():
    assert appraise(roster("msc", [{**SHIP, "engine": 9}])).legal is False
    assert appraise(roster("msc", [{**SHIP, "engine": 4}])).legal is True
    assert appraise(roster("msc", options={"max_engine": 6})).legal is True


# ---------------------------------------------------------------- for reading


def test_an_amount_is_shown_exactly_where_a_decimal_ends_and_else_to_two():
    assert [(amount, amounts.format_amount(amount)) for amount, _ in SHOWN] == SHOWN


def test_a_price_beyond_every_float_still_has_its_share_of_a_budget():
    own = [{"custom": "Own", "percent": 1_000_000, "separate": True}] * 140
    element = {"movement": 10, "to_hit": 3, "power": 3, "capabilities": own}
    for options in ({}, {"rounding": "none"}):
        found = appraise(roster("mini-combat", [element], options=options, budget=1000))
        assert found.points > 10**500
        assert (roster_page.budget_of(found).share, roster_page.budget_of(found).over) == (100, True)


def test_what_is_left_of_a_budget_is_shown_with_the_share_that_is_used():
    found = {
        budget: roster_page.budget_of(appraise(roster("msc", [SHIP], budget=budget))) for budget in (15, 30, 16, 10, 0)
    }
    wanted = {15: ("0", 100, False), 30: ("15", 50, False), 16: ("1", 93, False), 10: ("5", 100, True)}
    for budget, (left, share, over) in {**wanted, 0: ("15", 100, True)}.items():
        assert found[budget] == (str(budget), left, over, share)


def test_the_difference_of_two_appraisals_is_what_the_second_is_worth_more():
    one, two = appraise(roster("msc", [SHIP])), appraise(roster("msc", [SHIP, SHIP]))
    assert (appraisals.points_difference(one, two), appraisals.points_difference(two, one)) == (15, -15)
    assert appraisals.points_difference(appraise(roster("urutsk")), appraise(roster("urutsk"))) is None
