"""The form of an element: what it shows is what is saved, every variant included."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.filled import page, saved, system_form
from tests.support import FIXTURES, reference

PLAIN = {"movement": 10, "range": 20, "to_hit": 4, "save": 6, "power": 2, "armor": 1, "morale": 4, "kind": "infantry"}


def capabilities(*modifiers, **changes):
    """What the list of capabilities is after saving an element that had these."""
    return saved("mini-combat", {**PLAIN, "capabilities": [*modifiers]}, **changes).get("capabilities", [])


def fixture_elements():
    for path in sorted((FIXTURES / "armies" / "mini-combat").glob("*.json")):
        for formation in json.loads(path.read_text())["formations"]:
            for element in formation["elements"]:
                common = ("name", "quantity", "notes", "secret", "marks", "id")
                yield pytest.param({k: v for k, v in element.items() if k not in common}, id=element["name"])


@pytest.mark.parametrize("profile", [*fixture_elements()])
def test_opening_and_saving_an_element_of_the_books_changes_nothing(profile):
    once = saved("mini-combat", profile)
    assert once.get("capabilities", []) == profile.get("capabilities", [])
    for key, value in profile.items():
        assert once.get(key, value) == value


codes = st.sampled_from([*reference().capabilities]) | st.text("abcXYZ #?", min_size=1, max_size=8)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=20)
numbers = st.integers(-1_000_000, 1_000_000)


@st.composite
def modifiers(draw):
    """Any capability that a document may hold, as it is written."""
    waived = {"waived": True} if draw(st.booleans()) else {}
    if draw(st.integers(0, 4)) == 0:
        separate = {"separate": True} if draw(st.booleans()) else {}
        return {"custom": draw(texts), "percent": draw(numbers), **separate, **waived}
    code = draw(codes)
    keys = {
        "Drp": {"scatters": True},
        "Tel": {"scatters": True},
        "T": {"count": draw(numbers)},
        "MW": {"count": draw(numbers)},
        "Den": {"denies": draw(codes)},
        "Heal": {"on": 4},
        "Rep": {"on": 4},
        "OS": {"turns": draw(st.integers(1, 1_000_000))},
        "Fly": {"form": draw(st.sampled_from(["flying", "jump"]))},
        "Sk": {"form": draw(st.sampled_from(["skimmer", "ethereal"]))},
    }.get(code, {})
    return {"code": code, **(keys if draw(st.booleans()) else {}), **waived}


@settings(deadline=None, max_examples=25)
@given(st.lists(modifiers(), max_size=8), numbers, st.none() | numbers)
def test_nothing_that_a_document_may_hold_is_lost(found, movement, to_hit):
    profile = saved("mini-combat", {"movement": movement, "to_hit": to_hit, "capabilities": found})
    assert profile.get("capabilities", []) == found
    assert (profile.get("movement", 0), profile.get("to_hit")) == (movement, to_hit)


VARIANTS = [
    ({"capabilities": ["Drp"], "scatters-Drp": "on"}, {"code": "Drp", "scatters": True}),
    ({"capabilities": ["Tel"], "scatters-Tel": "on"}, {"code": "Tel", "scatters": True}),
    ({"capabilities": ["T"], "count-T": "4"}, {"code": "T", "count": 4}),
    ({"capabilities": ["MW"], "count-MW": "3"}, {"code": "MW", "count": 3}),
    ({"capabilities": ["Heal"], "on-Heal": "4"}, {"code": "Heal", "on": 4}),
    ({"capabilities": ["Rep"], "on-Rep": "4"}, {"code": "Rep", "on": 4}),
    ({"capabilities": ["OS"], "turns-OS": "5"}, {"code": "OS", "turns": 5}),
    ({"capabilities": ["Fly"], "form-Fly": "jump"}, {"code": "Fly", "form": "jump"}),
    ({"capabilities": ["Sk"], "form-Sk": "ethereal"}, {"code": "Sk", "form": "ethereal"}),
    ({"capabilities": ["LFA"], "waived": ["LFA"]}, {"code": "LFA", "waived": True}),
    ({"denies-0": "Ch"}, {"code": "Den", "denies": "Ch"}),
    ({"denies-1": "St", "denies-waived-1": "on"}, {"code": "Den", "denies": "St", "waived": True}),
    ({"custom-0": "Larger blast", "percent-0": "75"}, {"custom": "Larger blast", "percent": 75}),
    (
        {"custom-0": "Clumsy", "percent-0": "-12.5", "separate-0": "on"},
        {"custom": "Clumsy", "percent": -12.5, "separate": True},
    ),
]


@pytest.mark.parametrize(("filled", "expected"), VARIANTS, ids=str)
def test_every_variant_is_set_through_the_form(filled, expected):
    assert capabilities(**filled) == [expected]


def test_a_variant_of_a_capability_that_is_not_ticked_is_left_out():
    assert capabilities(**{"count-T": "4", "scatters-Drp": "on", "waived": ["MA"]}) == []


def test_new_capabilities_go_behind_what_was_there():
    was = [{"code": "MW", "count": 3}, {"custom": "Own", "percent": 5}, {"code": "MA"}]
    ticked = ["MW", "MA", "SS"]
    assert capabilities(*was, capabilities=ticked) == [*was, {"code": "SS"}]


def test_an_emptied_percentage_drops_a_custom_capability():
    assert capabilities({"custom": "Own", "percent": 5}, **{"percent-0": "", "custom-0": ""}) == []


def test_unticking_what_is_as_written_drops_it():
    odd = {"code": "Zap"}
    assert capabilities(odd, {"code": "MA"}, {"code": "MA"}, as_written=["2"]) == [{"code": "MA"}, {"code": "MA"}]


FAULTS = [
    ("movement", "fast", "whole number"),
    ("count-T", "many", "whole number"),
    ("turns-OS", "0", "greater than or equal to 1"),
    ("percent-0", "half", "Enter a number"),
    ("movement", "1000001", "less than or equal"),
]


@pytest.mark.parametrize(("field", "value", "message"), FAULTS)
def test_a_value_of_the_wrong_kind_is_faulted_beside_its_field(field, value, message):
    data = page(system_form("mini-combat", PLAIN)).sent()
    data[field] = value
    form = system_form("mini-combat", PLAIN, data)
    assert not form.is_valid()
    assert message in str(form.errors[field])


def test_a_custom_capability_without_a_percentage_is_faulted():
    data = page(system_form("mini-combat", PLAIN)).sent()
    data["custom-1"] = "Half done"
    form = system_form("mini-combat", PLAIN, data)
    assert list(form.errors) == ["percent-1"]


def test_every_capability_has_its_box_and_its_explanation():
    shown = page(system_form("mini-combat"))
    boxes = {found["value"] for found in shown.inputs if found.get("name") == "capabilities"}
    assert boxes | {"Den"} == set(reference().capabilities)
    for code, row in reference().capabilities.items():
        assert code == "Den" or row.text in shown.text


def test_every_input_has_a_label():
    shown = page(system_form("mini-combat"))
    bare = [f["name"] for f in shown.inputs if f.get("id") not in shown.labels and "aria-label" not in f]
    assert bare == []


ODD = [
    {"to_hit": 9, "save": -3, "morale": 1},
    {"to_hit": 7, "save": 7, "morale": 7, "kind": "structure", "command": True},
    {"capabilities": [{"custom": "two\nlines", "percent": 5}, {"custom": " spaced ", "percent": 1e-7}]},
    {"capabilities": [{"code": "Den"}, {"code": "Den", "denies": "Den"}, {"code": "Den", "denies": "a\nb"}]},
    {"capabilities": [{"code": "T", "count": 0}, {"code": "T", "waived": True}, {"code": "line\nend"}]},
]


@pytest.mark.parametrize("profile", ODD, ids=str)
def test_odd_values_stay_as_they_were_written(profile):
    assert saved("mini-combat", profile) == profile


def test_what_is_as_written_says_what_is_the_matter():
    odd = [{"code": "Zap", "waived": True}, {"code": "MA"}, {"code": "MA"}, {"code": "Den", "denies": "Fog"}]
    shown = page(system_form("mini-combat", {**PLAIN, "capabilities": odd})).text
    for words in ("“Zap”, waived: not a capability", "Melee advantage (MA): once more", "As written: “Fog”"):
        assert words in shown


def test_the_kind_says_what_it_brings_for_nothing():
    form = system_form("mini-combat", {**PLAIN, "kind": "vehicle"})
    assert form.fields["kind"].help_text == "Stays out of woods and buildings. Double move on roads."


def test_a_list_at_the_limit_can_be_edited_and_one_too_many_is_faulted():
    full = [{"code": "Zap"}] * 200
    assert capabilities(*full) == full
    data = page(system_form("mini-combat", {**PLAIN, "capabilities": full})).sent()
    data.setlist("capabilities", ["MA"])
    form = system_form("mini-combat", {**PLAIN, "capabilities": full}, data)
    assert form.errors["capabilities"] == ["holds 201; at most 200 are read"]
