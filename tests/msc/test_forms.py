"""The form of a ship: nothing of a design is lost in it, and what it says is what the document holds."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters import documents
from rosters.appraisals import terms_of
from rosters.documents import profile_of
from rosters.systems.msc.rules import SIDES, check_element
from tests.filled import element_of, page, saved, system_form
from tests.support import FIXTURES, appraise, read, reference, roster, rules

ARMIES = sorted((FIXTURES / "armies" / "msc").glob("*.json"))
SHIPS = [
    (army["name"], ship)
    for army in map(json.loads, (path.read_text() for path in ARMIES))
    for fleet in army["formations"]
    for ship in fleet["elements"]
]
PLAIN = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
ODD = [  # designs that no form would offer
    {},
    {"engine": 9, "shield": -2, "to_hit": 1_000_000},
    {"weapons": ["R"]},
    {"weapons": ["RR", "F", "FL"]},
    {"weapons": ["F", "F", "R", "F", "R"]},
    {"weapons": ["", " ", "f", "<b>", '"', "Ω", "0"]},
    {"weapons": ["X", "F", "X", "FR"]},
    {"engine": 2, "weapons": ["as-written", "0", "1"]},
]
CHANGES = [  # before, what is filled in, after
    (PLAIN, {"engine": "5", "shield": "0", "to_hit": "1"}, {**PLAIN, "engine": 5, "shield": 0, "to_hit": 1}),
    (PLAIN, {"engine": "9"}, {**PLAIN, "engine": 9}),
    (PLAIN, {"shield": "-1"}, {**PLAIN, "shield": -1}),
    (PLAIN, {"to_hit": ""}, {**PLAIN, "to_hit": 0}),
    (PLAIN, {"weapons": ["FL", "RL", "RR"]}, {**PLAIN, "weapons": ["FL", "RL", "RR"]}),
    (PLAIN, {"weapons": None}, {**PLAIN, "weapons": []}),
    ({"weapons": ["FR", "F"]}, {"weapons": ["F", "FL", "FR"]}, {"weapons": ["FR", "F", "FL"]}),
    ({"weapons": ["F", "R", "F"]}, {"as_written": None}, {"weapons": ["F"]}),
    ({"weapons": ["F", "R", "F"]}, {"as_written": ["1"]}, {"weapons": ["F", "R"]}),
    ({"weapons": ["F", "R", "F"]}, {"weapons": ["RR"]}, {"weapons": ["R", "F", "RR"]}),
]
codes = st.sampled_from([*SIDES, "R", "X", ""]) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4)
whole = st.integers(-1_000_000, 1_000_000) | st.integers(-1, 6)


def normal(profile):
    """The profile as a document is written: without what is default."""
    return profile_of(element_of("msc", profile))


@pytest.mark.parametrize(("army", "ship"), SHIPS)
def test_every_ship_of_the_sample_fleets_survives_opening_and_saving(army, ship):
    form = system_form("msc", ship, page(system_form("msc", ship)).sent())
    assert form.is_valid(), (army, form.errors)
    assert form.element == element_of("msc", ship)


@pytest.mark.parametrize("profile", ODD)
def test_a_design_that_no_form_would_offer_survives(profile):
    assert saved("msc", profile) == normal(profile)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("engine", "shield", "to_hit"), whole) | {"weapons": st.lists(codes, max_size=9)}
    )
)
def test_any_design_survives(profile):
    assert saved("msc", profile) == normal(profile)


@pytest.mark.parametrize(("before", "changes", "after"), CHANGES)
def test_what_is_filled_in_is_what_the_document_holds(before, changes, after):
    assert saved("msc", before, **changes) == normal(after)


def test_a_new_ship_begins_as_the_first_ship_of_the_book_without_findings():
    shown = page(system_form("msc"))
    data = shown.sent()
    data["name"] = "Ship 1"
    form = system_form("msc", None, data)
    assert form.is_valid()
    assert profile_of(form.element) == PLAIN
    document = read(roster("msc", []))
    assert not list(check_element(form.element, terms_of(document, reference())))


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("engine", "fast", "Enter a whole number."),
        ("shield", "2.5", "Enter a whole number."),
        ("to_hit", "9" * 5000, "Enter a whole number."),
        ("to_hit", "1000001", "must be at most 1000000"),
        ("weapons", "R", "Select a valid choice. R is not one of the available choices."),
    ],
)
def test_a_wrong_value_gets_its_error_beside_the_field(field, value, sentence):
    data = page(system_form("msc", PLAIN)).sent()
    data[field] = value
    form = system_form("msc", PLAIN, data)
    assert form.errors == {field: [sentence]}
    assert sentence in page(form).text


def test_five_is_offered_for_the_engine_and_six_under_the_house_rule():
    most = [
        {box["name"]: box["max"] for box in page(form).inputs if "max" in box}
        for form in (system_form("msc", PLAIN), system_form("msc", PLAIN, options={"max_engine": 6}))
    ]
    assert most[0] == {"quantity": "10000", "engine": "5", "shield": "5", "to_hit": "5"}
    assert most[1]["engine"] == "6"


def test_every_side_has_a_labelled_box_in_the_order_of_the_record():
    shown = page(system_form("msc", {"weapons": ["FL", "R"]}))
    boxes = [box for box in shown.inputs if box["name"] == "weapons"]
    assert [(box["value"], "checked" in box) for box in boxes] == [(side, side == "FL") for side in SIDES]
    assert {box["id"] for box in shown.inputs} <= shown.labels


def test_what_is_wrong_with_a_weapon_as_written_is_said():
    shown = page(system_form("msc", {"weapons": ["F", "F", "R", "<X>"]})).text
    assert "F: one weapon more on the same side" in shown
    assert "R: the rear takes no weapon" in shown
    assert "“<X>”: not a side of a ship" in shown
    assert "As written" not in page(system_form("msc", PLAIN)).text


@pytest.mark.parametrize(
    ("ship", "head", "facts"),
    [
        (PLAIN, {}, {"offensive": 9, "defensive": 3, "size": 15, "unspent": 0}),
        ({"engine": 3, "shield": 3}, {}, {"offensive": 0, "defensive": 3, "size": 10, "unspent": 4}),
        ({**PLAIN, "shield": 10}, {}, {"offensive": 9, "defensive": 10, "size": 25, "unspent": 3}),
        ({**PLAIN, "shield": 15}, {}, {"offensive": 9, "defensive": 15, "size": 25, "over": 2}),
        (
            {**PLAIN, "shield": 14},
            {"options": {"max_engine": 6}},
            {"offensive": 9, "defensive": 14, "size": 26, "unspent": 0},
        ),
        (
            {**PLAIN, "shield": 9},
            {"scenario": "strategic"},
            {"offensive": 9, "defensive": 9, "size": 20, "over": 1},
        ),
        ({"weapons": ["R", "F", "F"]}, {}, {"offensive": 6, "defensive": 0, "size": 10, "unspent": 4}),
    ],
)
def test_the_facts_of_a_ship_tell_how_far_it_fills_its_size(ship, head, facts):
    assert appraise(roster("msc", [ship], **head)).formations[0].elements[0].facts == facts


@given(st.builds(dict, engine=whole, shield=whole, to_hit=whole, weapons=st.lists(codes, max_size=9)))
def test_the_size_and_what_is_left_of_it_make_up_the_points(ship):
    line = appraise(roster("msc", [ship])).formations[0].elements[0]
    assert line.facts["size"] - line.facts.get("unspent", 0) + line.facts.get("over", 0) == line.each


def test_the_form_keeps_what_is_not_its_own():
    ship = {**PLAIN, "id": "ship1", "secret": True, "quantity": 2, "marks": [{"engine": 1}, {"shield": 2}]}
    form = system_form("msc", ship, page(system_form("msc", ship)).sent())
    assert form.is_valid()
    assert documents.write_element(form.element) == documents.write_element(element_of("msc", ship))
    assert rules("msc").headcount(form.element) == 2
