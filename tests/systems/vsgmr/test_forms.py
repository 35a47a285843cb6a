"""The form of a figure of VSGMR: points on its labels, and powers, beyond what the forms of all games are held to."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.core.amounts import format_exact
from rosters.core.rulebook import Terms
from rosters.systems.vsgmr.forms import TRAIT_GROUPS, powers_by_field
from rosters.systems.vsgmr.rules import KINDS, POWERS, TRAITS, Options, Profile, check_element, describe, price
from tests.filled import element_of, page, saved, system_form
from tests.strategies import PROFILES, dictionaries

TERMS = Terms(Options(), None, None)
TROOP = {"kind": "troop"}


def points(profile):
    return price(Profile.model_validate(profile), TERMS).each


def test_traits_keep_their_order_and_what_is_as_written_is_kept_until_it_is_dropped():
    tough = {**TROOP, "traits": ["tough", "disable"]}
    rows = [  # before, what is filled in, after
        ({"kind": "wizard"}, {"kind": "hero"}, {"kind": "hero"}),
        ({**TROOP, "armor": "mithril"}, {"armor": ""}, TROOP),
        (tough, {"traits": ["cause-fear", "disable", "tough"]}, {**tough, "traits": [*tough["traits"], "cause-fear"]}),
        ({**TROOP, "powers": {"super-move": "cosmic"}}, {"super_move": ""}, TROOP),
        ({**TROOP, "traits": ["x", "tough", "y"]}, {"as_written": ["2"]}, {**TROOP, "traits": ["tough", "y"]}),
        ({**TROOP, "traits": ["x"], "powers": {"nap": "long"}}, {"as_written": None}, TROOP),
        ({**TROOP, "powers": {"a": "b", "c": "d"}}, {"as_written": ["power-1"]}, {**TROOP, "powers": {"c": "d"}}),
    ]
    for before, changes, after in rows:
        assert saved("vsgmr", before, **changes) == after


def test_large_is_asked_of_cavalry_and_of_what_is_large_already():
    hero, cavalry, large = {"kind": "hero"}, {"kind": "cavalry"}, {"kind": "hero", "large": True}
    rows = [  # profile, what is sent, whether it is asked
        *((cavalry, {}, True), (large, {}, True), (hero, {}, False), (hero, cavalry, True), (cavalry, hero, False)),
        (cavalry, {"kind": "hero", "large": "on"}, True),
    ]
    for profile, sent, asked in rows:
        data = page(system_form("vsgmr", profile)).sent()
        for name, value in sent.items():
            data[name] = value
        assert ("large" in system_form("vsgmr", profile, data).fields) is asked


def labelled(label):
    """The points that a label tells, after its plus sign."""
    return Fraction(re.search(r"\+([\d.]+)$", label)[1]) if "+" in label else 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_points_on_the_labels_are_those_of_the_receipt(kind):
    fields, profile = system_form("vsgmr", {"kind": kind, "distance": True}).fields, {"kind": kind, "distance": True}
    bare = points(profile)
    assert labelled(dict(fields["kind"].choices)[kind]) + labelled(fields["distance"].label) == bare
    assert labelled(fields["automatic_fire"].label) == points({**profile, "automatic_fire": True}) - bare
    for armor, label in fields["armor"].choices:
        assert labelled(label) == points({**profile, "armor": armor or None}) - bare
    for name, rows in powers_by_field().items():
        for tier, label in fields[name].choices:
            assert labelled(label) == (POWERS[rows[0].power, tier].points if tier else 0)


def test_every_trait_is_offered_once_and_explained_and_odd_values_are_named():
    odd = {"kind": "wizard", "armor": "mithril", "traits": ["weapon-master", "tough", "tough", "<x>", "sniper"]}
    shown = page(system_form("vsgmr", {**odd, "powers": {"super-nap": "long", "super-move": "cosmic"}}))
    assert sorted(box["value"] for box in shown.inputs if box["name"] == "traits") == sorted(TRAITS)
    assert sorted(code for codes in TRAIT_GROUPS.values() for code in codes) == sorted(TRAITS)
    assert [trait.code for trait in TRAITS.values() if trait.text not in shown.text] == []
    words = ("“wizard”", "“mithril”", "“cosmic”", "“weapon-master”", "once more", "“<x>”", "“super-nap”, “long”")
    assert [word for word in words if word not in shown.text] == []
    assert "As written" not in page(system_form("vsgmr", TROOP)).text


def test_a_power_is_explained_once_for_all_its_dice():
    fields = system_form("vsgmr", TROOP).fields
    labels = [label for _, label in fields["super_move"].choices[1:]]
    assert labels == ["Minor, d8 +2", "Major, d10 +3", "Superior, d12 +4"]
    assert "d8, d10 or d12" in fields["super_armor"].help_text


def test_powers_stand_in_the_order_of_the_rulebook_and_unknown_ones_last_by_name():
    powers = {"zap": "x", "super-skill": "minor", "super-fight": "cosmic", "arc": "y", "super-armor": "major"}
    figure = element_of("vsgmr", {"kind": "cavalry", "powers": powers})
    steps = [(step.label, format_exact(step.subtotal)) for step in price(figure, TERMS).steps[2:]]
    names = ("Super-Armor", "Super-Skill", "Unknown super power 'arc'", "Unknown super power 'super-fight'")
    assert [label.split(",")[0] for label, _ in steps] == [*names, "Unknown super power 'zap'"]
    assert {subtotal for _, subtotal in steps} == {"6"}
    assert [each.code for each in check_element(figure, TERMS)] == ["super-skill-only-guys", *["unknown-power"] * 3]


@given(dictionaries(*PROFILES["vsgmr"][0]()), st.randoms())
def test_the_order_of_keys_changes_nothing(profile, random):
    pairs = [*profile.get("powers", {}).items()]
    random.shuffle(pairs)
    one, other = (
        element_of("vsgmr", {**profile, "powers": dict(powers)}) for powers in (profile.get("powers", {}), pairs)
    )
    assert price(one, TERMS) == price(other, TERMS)
    assert [*check_element(one, TERMS)] == [*check_element(other, TERMS)]
    assert describe(one, TERMS) == describe(other, TERMS)
