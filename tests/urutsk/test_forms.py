"""The form of an URUTSK figure: nothing of it is lost there, and what it says is what the document holds."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.appraisals import terms_of
from rosters.documents import profile_of
from rosters.systems.urutsk.rules import check_element
from tests.filled import element_of, page, saved, system_form
from tests.support import FIXTURES, read, reference, roster

ARMIES = sorted((FIXTURES / "armies" / "urutsk").glob("*.json"))
FIGURES = [
    figure
    for army in map(json.loads, (path.read_text() for path in ARMIES))
    for group in army["formations"]
    for figure in group["elements"]
]
PLAIN = {"ranged": 1, "close": 2, "weapon_ability": 3, "fate": 4}
ODD = [
    {},
    {"ranged": -3, "close": -1_000_000, "weapon_ability": 99, "fate": -1},
    {"fate": 0},
    {"protection": "sandbags\nand a helmet"},
    {"protection": "\r\n  two kinds\rof line end\n "},
    {"protection": " "},
    {"protection": "\n\n \n"},
    {"protection": "wall\n" * 2_000},
    {"protection": '<b>"&quot;'},
]
CHANGES = [
    (PLAIN, {"ranged": "5", "close": "-1", "weapon_ability": "0", "fate": "9"},
     {"ranged": 5, "close": -1, "weapon_ability": 0, "fate": 9}),
    (PLAIN, {"ranged": "", "fate": ""}, {**PLAIN, "ranged": 0, "fate": 1}),
    (PLAIN, {"fire": "autofire"}, {**PLAIN, "fire": "autofire"}),
    (PLAIN, {"fire": "burst"}, {**PLAIN, "fire": "burst"}),
    ({**PLAIN, "fire": "burst"}, {"fire": "single"}, PLAIN),
    (PLAIN, {"poor_condition": "on"}, {**PLAIN, "poor_condition": True}),
    (PLAIN, {"command": "on"}, {**PLAIN, "command": True}),
    ({**PLAIN, "command": True, "poor_condition": True}, {"command": None, "poor_condition": None}, PLAIN),
    (PLAIN, {"protection": "flak vest\r\nand a wall"}, {**PLAIN, "protection": "flak vest\nand a wall"}),
    ({**PLAIN, "protection": "wall"}, {"protection": ""}, PLAIN),
]  # fmt: skip
whole = st.integers(-1_000_000, 1_000_000) | st.integers(-1, 6)
profiles = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("ranged", "close", "weapon_ability", "fate"), whole),
        "fire": st.sampled_from(["single", "autofire", "burst"]),
        "poor_condition": st.booleans(),
        "command": st.booleans(),
        "protection": st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\r\t"), max_size=20),
    },
)


def normal(profile):
    return profile_of(element_of("urutsk", profile))


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_of_the_sample_forces_survives_opening_and_saving(figure):
    form = system_form("urutsk", figure, page(system_form("urutsk", figure)).sent())
    assert form.is_valid(), form.errors
    assert form.element == element_of("urutsk", figure)


@pytest.mark.parametrize("profile", ODD)
def test_an_odd_figure_survives(profile):
    assert saved("urutsk", profile) == normal(profile)


@settings(deadline=None)
@given(profiles)
def test_any_figure_survives(profile):
    assert saved("urutsk", profile) == normal(profile)


@pytest.mark.parametrize(("before", "changes", "after"), CHANGES)
def test_what_is_filled_in_is_what_the_document_holds(before, changes, after):
    assert saved("urutsk", before, **changes) == normal(after)


def test_a_new_figure_begins_as_an_ordinary_one_without_findings():
    data = page(system_form("urutsk")).sent()
    data["name"] = "Levy"
    form = system_form("urutsk", None, data)
    assert form.is_valid()
    assert profile_of(form.element) == {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2}
    assert not list(check_element(form.element, terms_of(read(roster("urutsk", [])), reference())))


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("ranged", "good", "Enter a whole number."),
        ("fate", "1.5", "Enter a whole number."),
        ("close", "-1000001", "must be at least -1000000"),
        ("fire", "laser", "Select a valid choice. laser is not one of the available choices."),
        ("protection", "x" * 10_001, "is longer than 10000 characters"),
    ],
)
def test_a_wrong_value_gets_its_error_beside_the_field(field, value, sentence):
    data = page(system_form("urutsk", PLAIN)).sent()
    data[field] = value
    form = system_form("urutsk", PLAIN, data)
    assert form.errors == {field: [sentence]}
    assert sentence in page(form).text


def test_every_input_has_a_label():
    shown = page(system_form("urutsk", PLAIN))
    assert {box["id"] for box in shown.inputs} <= shown.labels
