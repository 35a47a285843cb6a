"""The form of a figure: nothing is lost there, what it says is what the document holds, and its labels are true."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.appraisals import terms_of
from rosters.documents import profile_of
from rosters.rulekit import Reference, Terms, exact
from rosters.systems.vsgmr.forms import AS_WRITTEN, TRAIT_GROUPS, ElementForm, powers_by_field
from rosters.systems.vsgmr.rules import KINDS, Options, Profile, check_element, describe, price
from tests.filled import element_of, page, saved, system_form
from tests.support import FIXTURES, read, reference, roster

ARMIES = sorted((FIXTURES / "armies" / "vsgmr").glob("*.json"))
FIGURES = [
    (army["name"], figure)
    for army in map(json.loads, (path.read_text() for path in ARMIES))
    for band in army["formations"]
    for figure in band["elements"]
]
TERMS = Terms(Options(), None, None, reference())
TRAITS = [*reference().traits]
TIERS = ("minor", "major", "superior")
TROOP = {"kind": "troop"}

ODD = [
    {"kind": "wizard"},
    {"kind": ""},
    {"kind": AS_WRITTEN, "armor": AS_WRITTEN, "powers": {"super-move": AS_WRITTEN}},
    {"kind": "hero", "armor": "mithril"},
    {"kind": "hero", "armor": ""},
    {"kind": "cavalry", "armor": "light"},
    {"kind": "mook", "commander": True, "large": True, "automatic_fire": True},
    {"kind": "vehicle", "large": True},
    {"kind": "troop", "support": "armor"},
    {"kind": "troop", "traits": ["tough", "tough", "stealth", "tough"]},
    {"kind": "troop", "traits": ["weapon-master"]},
    {"kind": "troop", "traits": ["weapon-master", "combat-master", "weapon-master"]},
    {"kind": "troop", "traits": ["juggling", "", "<b>", "sniper", "0", "power-0"]},
    {"kind": "troop", "powers": {"super-nap": "minor", "": "", "super-move": "cosmic", "super-fight": "major"}},
    {"kind": "troop", "powers": {"super-move": "", "super_move": "minor"}},
]
CHANGES = [  # before, what is filled in, after
    *((TROOP, {"kind": kind}, {"kind": kind}) for kind in KINDS),
    ({"kind": "wizard"}, {"kind": "hero"}, {"kind": "hero"}),
    (TROOP, {"commander": "on"}, {"kind": "troop", "commander": True}),
    (TROOP, {"distance": "on", "automatic_fire": "on"}, {"kind": "troop", "distance": True, "automatic_fire": True}),
    ({"kind": "cavalry"}, {"large": "on"}, {"kind": "cavalry", "large": True}),
    ({"kind": "cavalry", "large": True}, {"large": None}, {"kind": "cavalry"}),
    (TROOP, {"armor": "light"}, {"kind": "troop", "armor": "light"}),
    (TROOP, {"armor": "heavy"}, {"kind": "troop", "armor": "heavy"}),
    ({"kind": "troop", "armor": "mithril"}, {"armor": ""}, TROOP),
    *((TROOP, {"traits": [trait]}, {"kind": "troop", "traits": [trait]}) for trait in TRAITS),
    (
        {"kind": "troop", "traits": ["tough", "disable"]},
        {"traits": ["cause-fear", "disable", "tough"]},
        {"kind": "troop", "traits": ["tough", "disable", "cause-fear"]},
    ),
    *(
        (TROOP, {"traits": ["support"], "support": roll}, {"kind": "troop", "traits": ["support"], "support": roll})
        for roll in ("distance", "hand-to-hand", "armor", "skill")
    ),
    *(
        (TROOP, {power.replace("-", "_"): tier}, {"kind": "troop", "powers": {power: tier}})
        for power, tier in reference().powers
    ),
    ({"kind": "troop", "powers": {"super-move": "cosmic"}}, {"super_move": ""}, TROOP),
    ({**TROOP, "traits": ["x", "tough", "y"]}, {"as_written": ["2"]}, {**TROOP, "traits": ["tough", "y"]}),
    ({"kind": "troop", "traits": ["x"], "powers": {"nap": "long"}}, {"as_written": None}, TROOP),
    ({**TROOP, "powers": {"a": "b", "c": "d"}}, {"as_written": ["power-1"]}, {**TROOP, "powers": {"c": "d"}}),
]  # fmt: skip
text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5)
profiles = st.fixed_dictionaries(
    {"kind": st.sampled_from([*KINDS]) | text},
    optional={
        **dict.fromkeys(("commander", "distance", "automatic_fire", "large"), st.booleans()),
        "armor": st.none() | st.sampled_from(["light", "heavy"]) | text,
        "traits": st.lists(st.sampled_from([*TRAITS, "weapon-master"]) | text, max_size=6),
        "support": st.none() | st.sampled_from(["distance", "hand-to-hand", "armor", "skill"]),
        "powers": st.dictionaries(
            st.sampled_from([power for power, _ in reference().powers]) | text,
            st.sampled_from(TIERS) | text,
            max_size=5,
        ),
    },
)


def normal(profile):
    return profile_of(element_of("vsgmr", profile))


def points(profile):
    return price(Profile.model_validate(profile), TERMS).each


# ---------------------------------------------------------------- nothing is lost


@pytest.mark.parametrize(("army", "figure"), FIGURES)
def test_every_figure_of_the_sample_armies_survives_opening_and_saving(army, figure):
    form = system_form("vsgmr", figure, page(system_form("vsgmr", figure)).sent())
    assert form.is_valid(), (army, form.errors)
    assert form.element == element_of("vsgmr", figure)


@pytest.mark.parametrize("profile", ODD)
def test_a_figure_that_no_form_would_offer_survives(profile):
    assert saved("vsgmr", profile) == normal(profile)


@settings(deadline=None)
@given(profiles)
def test_any_figure_survives(profile):
    assert saved("vsgmr", profile) == normal(profile)


def test_a_figure_survives_where_the_reference_rows_are_missing():
    profile = {"kind": "hero", "traits": ["tough", "x"], "powers": {"super-move": "minor"}}
    bare = Terms(Options(), None, None, Reference({}, {}, {}))
    system, element = system_form("vsgmr").system, element_of("vsgmr", profile)
    data = page(ElementForm(system=system, terms=bare, element=element)).sent()
    form = ElementForm(data, system=system, terms=bare, element=element)
    assert form.is_valid()
    assert form.element == element


# ---------------------------------------------------------------- what it says


@pytest.mark.parametrize(("before", "changes", "after"), CHANGES)
def test_what_is_filled_in_is_what_the_document_holds(before, changes, after):
    assert saved("vsgmr", before, **changes) == normal(after)


def test_a_new_figure_begins_as_a_plain_troop_without_findings():
    data = page(system_form("vsgmr")).sent()
    data["name"] = "Guard"
    form = system_form("vsgmr", None, data)
    assert form.is_valid()
    assert profile_of(form.element) == TROOP
    assert not list(check_element(form.element, terms_of(read(roster("vsgmr", [])), reference())))


def test_large_is_asked_of_cavalry_and_of_what_is_large_already():
    def asked(profile, **sent):
        data = page(system_form("vsgmr", profile)).sent()
        for name, value in sent.items():
            data[name] = value
        return "large" in system_form("vsgmr", profile, data).fields

    assert asked({"kind": "cavalry"})
    assert asked({"kind": "hero", "large": True})
    assert not asked({"kind": "hero"})
    assert asked({"kind": "hero"}, kind="cavalry")
    assert not asked({"kind": "cavalry"}, kind="hero")
    assert asked({"kind": "cavalry"}, kind="hero", large="on")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("kind", "wizard", "Select a valid choice. wizard is not one of the available choices."),
        ("kind", AS_WRITTEN, f"Select a valid choice. {AS_WRITTEN} is not one of the available choices."),
        ("kind", "", "This field is required."),
        ("armor", "mithril", "Select a valid choice. mithril is not one of the available choices."),
        ("traits", "juggling", "Select a valid choice. juggling is not one of the available choices."),
        ("support", "cooking", "Select a valid choice. cooking is not one of the available choices."),
        ("super_move", "cosmic", "Select a valid choice. cosmic is not one of the available choices."),
    ],
)
def test_a_wrong_value_gets_its_error_beside_the_field(field, value, sentence):
    data = page(system_form("vsgmr", TROOP)).sent()
    data[field] = value
    form = system_form("vsgmr", TROOP, data)
    assert form.errors == {field: [sentence]}
    assert sentence in page(form).text


# ---------------------------------------------------------------- its words


def told(label):
    """The points that a label tells, after its plus sign."""
    return Fraction(re.search(r"\+([\d.]+)$", label)[1]) if "+" in label else 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_points_on_the_labels_are_those_of_the_receipt(kind):
    fields = system_form("vsgmr", {"kind": kind, "distance": True}).fields
    bare = points({"kind": kind, "distance": True})
    assert told(dict(fields["kind"].choices)[kind]) + told(fields["distance"].label) == bare
    assert (
        told(fields["automatic_fire"].label) == points({"kind": kind, "distance": True, "automatic_fire": True}) - bare
    )
    for armor, label in fields["armor"].choices:
        assert told(label) == points({"kind": kind, "distance": True, "armor": armor or None}) - bare
    for name, rows in powers_by_field(reference()).items():
        for tier, label in fields[name].choices:
            assert told(label) == (reference().powers[rows[0].power, tier].points if tier else 0)


def test_every_trait_is_offered_once_with_its_explanation():
    shown = page(system_form("vsgmr", {"kind": "hero", "traits": ["sniper"]}))
    boxes = [box["value"] for box in shown.inputs if box["name"] == "traits"]
    assert sorted(boxes) == sorted(TRAITS)
    assert sorted(code for codes in TRAIT_GROUPS.values() for code in codes) == sorted(TRAITS)
    assert all(trait.text in shown.text for trait in reference().traits.values())


def test_a_power_is_explained_once_for_all_its_dice():
    fields = system_form("vsgmr", TROOP).fields
    assert fields["super_armor"].help_text.startswith("Armor rolls use a d8, d10 or d12 in place of")
    assert fields["super_move"].help_text.startswith("Minor: Moves half a move unit farther")
    assert fields["super_move"].choices[1:] == [
        ("minor", "Minor, d8 +2"),
        ("major", "Major, d10 +3"),
        ("superior", "Superior, d12 +4"),
    ]


def test_what_stands_as_written_is_shown_with_its_reason():
    odd = {
        "kind": "wizard",
        "armor": "mithril",
        "traits": ["weapon-master", "tough", "tough", "<x>"],
        "powers": {"super-nap": "long", "super-move": "cosmic"},
    }
    shown = page(system_form("vsgmr", odd)).text
    for words in (
        "As written: “wizard”",
        "As written: “mithril”",
        "As written: “cosmic”",
        "“weapon-master”: read as Combat Master",
        "Tough, once more",
        "“<x>”: not a trait",
        "“super-nap”, “long”: not a super power",
    ):
        assert words in shown
    assert "As written" not in page(system_form("vsgmr", TROOP)).text


def test_every_input_has_a_label():
    shown = page(system_form("vsgmr", {"kind": "cavalry", "traits": ["x"]}))
    assert {box["id"] for box in shown.inputs if "id" in box} <= shown.labels


# ---------------------------------------------------------------- powers have no order


@pytest.mark.parametrize(
    "powers",
    [
        {"super-skill": "minor", "super-armor": "major", "zap": "x", "arc": "y", "super-fight": "cosmic"},
        {"zap": "x", "super-fight": "cosmic", "arc": "y", "super-armor": "major", "super-skill": "minor"},
    ],
)
def test_powers_stand_in_the_order_of_the_rulebook_and_unknown_ones_last_by_name(powers):
    figure = element_of("vsgmr", {"kind": "cavalry", "powers": powers})
    assert [(step.label, exact(step.subtotal)) for step in price(figure, TERMS).steps[2:]] == [
        ("Super-Armor, major", "6"),
        ("Super-Skill, for guys only", "6"),
        ("Unknown super power 'arc', 'y'", "6"),
        ("Unknown super power 'super-fight', 'cosmic'", "6"),
        ("Unknown super power 'zap', 'x'", "6"),
    ]
    assert [problem.message.split()[0] for problem in check_element(figure, TERMS)] == [
        "A",
        "'arc'",
        "'super-fight'",
        "'zap'",
    ]
    assert describe(figure, TERMS).endswith(
        "Super-Armor (major), Super-Skill (minor), arc (y), super-fight (cosmic), zap (x)"
    )


@given(profiles, st.randoms())
def test_the_order_of_keys_changes_nothing(profile, random):
    pairs = [*profile.get("powers", {}).items()]
    random.shuffle(pairs)
    one, other = (
        element_of("vsgmr", {**profile, "powers": dict(powers)}) for powers in (profile.get("powers", {}), pairs)
    )
    assert price(one, TERMS) == price(other, TERMS)
    assert [*check_element(one, TERMS)] == [*check_element(other, TERMS)]
    assert describe(one, TERMS) == describe(other, TERMS)
