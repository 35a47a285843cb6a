"""The form of a figure of VSGMR: points on its labels, traits, powers, beyond the laws of all element forms."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters.core.rulebook import Terms
from rosters.systems.vsgmr.forms import TRAIT_GROUPS, powers_by_field
from rosters.systems.vsgmr.rules import KINDS, TRAITS, Options, Profile, check_element, describe, powers_of, price
from tests.filled import element_of, page, saved, system_form
from tests.strategies import PATIENT, profiles

TERMS = Terms(Options(), None, None)
TROOP = {"kind": "troop"}
TOUGH = {**TROOP, "traits": ["tough", "disable"]}
SAVED = [  # the profile before, the changes in the form, the profile after
    *(({"kind": "wizard"}, {"kind": "hero"}, {"kind": "hero"}), ({**TROOP, "armor": "mithril"}, {"armor": ""}, TROOP)),
    (TOUGH, {"traits": ["cause-fear", "disable", "tough"]}, {**TROOP, "traits": ["tough", "disable", "cause-fear"]}),
    ({**TROOP, "powers": {"super-move": "cosmic"}}, {"super_move": ""}, TROOP),
    ({**TROOP, "traits": ["x", "tough", "y"]}, {"as_written": ["2"]}, {**TROOP, "traits": ["tough", "y"]}),
    ({**TROOP, "traits": ["x"], "powers": {"nap": "long"}}, {"as_written": None}, TROOP),
    ({**TROOP, "powers": {"a": "b", "c": "d"}}, {"as_written": ["power-1"]}, {**TROOP, "powers": {"c": "d"}}),
]
LARGE = [  # a profile, what is sent, whether the field is shown
    *(({"kind": "cavalry"}, {}, True), ({"kind": "hero", "large": True}, {}, True), ({"kind": "hero"}, {}, False)),
    *(({"kind": "hero"}, {"kind": "cavalry"}, True), ({"kind": "cavalry"}, {"kind": "hero"}, False)),
    ({"kind": "cavalry"}, {"kind": "hero", "large": "on"}, True),
]


def test_traits_keep_their_order_and_unknown_codes_stay_until_they_are_removed():
    assert [row for row in SAVED if saved("vsgmr", row[0], **row[1]) != row[2]] == []


def test_large_is_a_field_of_cavalry_and_of_what_is_large_already():
    for profile, sent, shown in LARGE:
        data = page(system_form("vsgmr", profile)).sent()
        for name, value in sent.items():
            data[name] = value
        assert ("large" in system_form("vsgmr", profile, data).fields) is shown


def labelled(label):
    """The points on a label, after its plus sign."""
    return Fraction(re.search(r"\+([\d.]+)$", str(label))[1]) if "+" in label else 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_points_on_the_labels_are_those_of_the_receipt(kind):
    def points(**more):
        return price(Profile(kind=kind, distance=True, **more), TERMS).each

    fields = system_form("vsgmr", {"kind": kind, "distance": True}).fields
    assert labelled(dict(fields["kind"].choices)[kind]) + labelled(fields["distance"].label) == points()
    assert labelled(fields["automatic_fire"].label) == points(automatic_fire=True) - points()
    for armor, label in fields["armor"].choices:
        assert labelled(label) == points(armor=armor or None) - points()
    for name, rows in powers_by_field().items():
        tiers = {row.tier: row.points for row in rows}
        assert {tier: labelled(label) for tier, label in fields[name].choices} == {"": 0, **tiers}


def test_every_trait_is_offered_once_and_explained_and_unknown_codes_are_named():
    odd = {"kind": "wizard", "armor": "mithril", "traits": ["weapon-master", "tough", "tough", "<x>", "sniper"]}
    shown = page(system_form("vsgmr", {**odd, "powers": {"super-nap": "long", "super-move": "cosmic"}}))
    assert sorted(box["value"] for box in shown.inputs if box["name"] == "traits") == sorted(TRAITS)
    assert sorted(code for codes in TRAIT_GROUPS.values() for code in codes) == sorted(TRAITS)
    assert [trait.code for trait in TRAITS.values() if trait.text not in shown.text] == []
    codes = ("“wizard”", "“mithril”", "“cosmic”", "“weapon-master”", "“<x>”", "“super-nap”, “long”")
    assert [code for code in codes if code not in shown.text] == []


@PATIENT
@given(profiles("vsgmr"), st.randoms())
def test_powers_are_in_the_order_of_the_rulebook_whatever_the_order_of_keys(profile, random):
    pairs = [*profile.get("powers", {}).items()]
    random.shuffle(pairs)
    one, other = (element_of("vsgmr", {**profile, "powers": dict(powers)}) for powers in (sorted(pairs), pairs))
    assert price(one, TERMS) == price(other, TERMS)
    assert [*check_element(one, TERMS)] == [*check_element(other, TERMS)]
    assert describe(one, TERMS) == describe(other, TERMS)


def test_unknown_powers_come_last_by_name():
    powers = {"zap": "x", "super-skill": "minor", "super-fight": "cosmic", "arc": "y", "super-armor": "major"}
    ordered = [power for power, _ in powers_of(element_of("vsgmr", {"kind": "cavalry", "powers": powers}))]
    assert ordered == ["super-armor", "super-skill", "arc", "super-fight", "zap"]
