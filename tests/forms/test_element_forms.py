"""The element forms of the five games: untouched they lose nothing, and what is filled in is what the element holds."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core.appraisals import terms_of
from rosters.core.documents import profile_of, write_element
from rosters.registry import SYSTEMS
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.msc.rules import SIDES
from rosters.systems.vsgmr.forms import UNKNOWN as AS_WRITTEN
from rosters.systems.vsgmr.rules import KINDS, POWERS, TRAITS
from rosters.web.builder.merging import submitted_values
from tests.filled import element_of, normal, page, saved, system_form
from tests.strategies import profiles
from tests.support import FIXTURES, army, read, roster

PLAIN = {
    "mini-combat": {"movement": 10, "range": 20, "to_hit": 4, "save": 6, "power": 2, "armor": 1, "morale": 4},
    "6mm": {"type": "MSK"},
    "msc": {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]},
    "vsgmr": {"kind": "troop"},
    "urutsk": {"ranged": 1, "close": 2, "weapon_ability": 3, "fate": 4},
}
NEW = {"6mm": {"type": "INF/U"}, "msc": PLAIN["msc"], "vsgmr": {"kind": "troop"}}
NEW["urutsk"] = {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2}

ODD = {  # what no form would offer
    "mini-combat": [
        {"to_hit": 9, "save": -3, "morale": 1},
        {"to_hit": 7, "save": 7, "morale": 7, "kind": "structure", "command": True},
        {"capabilities": [{"custom": "two\nlines", "percent": 5}, {"custom": " spaced ", "percent": 1e-7}]},
        {"capabilities": [{"code": "Den"}, {"code": "Den", "denies": "Den"}, {"code": "Den", "denies": "a\nb"}]},
        {"capabilities": [{"code": "T", "count": 0}, {"code": "T", "waived": True}, {"code": "line\nend"}]},
        {"capabilities": [{"code": "Zap"}] * 200},
    ],
    "msc": [
        *({}, {"engine": 9, "shield": -2, "to_hit": 1_000_000, "weapons": ["RR", "F", "F", "R", "FL", "R"]}),
        {"weapons": ["", " ", "f", "<b>", '"', "Ω", "0", "X", "FR", "as-written", "1"]},
    ],
    "vsgmr": [
        *({"kind": ""}, {"kind": AS_WRITTEN, "armor": AS_WRITTEN, "powers": {"super-move": AS_WRITTEN}}),
        {"kind": "mook", "armor": "", "commander": True, "large": True, "automatic_fire": True, "support": "armor"},
        {"kind": "troop", "traits": ["weapon-master", "combat-master", "weapon-master", "tough", "", "<b>", "power-0"]},
        {"kind": "troop", "powers": {"super-nap": "minor", "": "", "super-move": "cosmic", "super_move": "minor"}},
    ],
    "urutsk": [
        *({}, {"ranged": -3, "close": -1_000_000, "weapon_ability": 99, "fate": -1}),
        *({"protection": text} for text in ("\r\n  two kinds\rof line end\n ", " ", "\n\n \n")),
        *({"protection": text} for text in ('<b>"&quot;', "wall\n" * 2_000)),
    ],
}  # fmt: skip
ERRORS = {  # system, field: what is refused beside it
    "mini-combat": {"movement": "fast", "armor": "1000001", "count-T": "many", "turns-OS": "0", "percent-0": "x"},
    "msc": {"engine": "fast", "shield": "2.5", "weapons": "R", "to_hit": "9" * 5000},
    "vsgmr": {"kind": "wizard", **dict.fromkeys(("armor", "traits", "support", "super_move"), "cosmic")},
    "urutsk": {"ranged": "good", "fate": "1.5", "close": "-1000001", "fire": "laser", "protection": "x" * 10_001},
}


@cache
def samples(slug):
    """The profiles of the sample armies."""
    armies = [army(slug, path.stem) for path in sorted((FIXTURES / "armies" / slug).glob("*.json"))]
    elements = [element for army in armies for formation in army["formations"] for element in formation["elements"]]
    own = SYSTEMS[slug].rules.Profile.model_fields
    return [{key: element[key] for key in element if key in own} for element in elements]


def sorted_lists(profile):
    return {key: sorted(map(repr, value)) if isinstance(value, list) else value for key, value in profile.items()}


def offered():
    """Profiles, by system, that can be filled in from nothing."""
    stats = st.integers(-1_000_000, 1_000_000) | st.integers(0, 6)
    flags, targets = st.booleans(), st.none() | st.integers(2, 6)
    variants = {"Drp": {"scatters": True}, "Tel": {"scatters": True}, "T": {"count": 4}, "MW": {"count": 4}}
    variants |= {"Heal": {"on": 4}, "Rep": {"on": 4}, "OS": {"turns": 5}, "Den": {"denies": "Ch"}}
    variants |= {"Fly": {"form": "jump"}, "Sk": {"form": "ethereal"}}
    known = [{"code": code, **variants.get(code, {})} for code in CAPABILITIES]
    known += [{**capability, "waived": True} for capability in known]
    known += [{"custom": "Own", "percent": 75}, {"custom": "Clumsy", "percent": -12.5, "separate": True}]
    capabilities = st.lists(st.sampled_from(known), unique_by=lambda each: each.get("code", each.get("custom")))
    powers = st.dictionaries(*map(st.sampled_from, ([power for power, _ in POWERS], ["minor", "major", "superior"])))
    return {
        "mini-combat": {
            **dict.fromkeys(("movement", "range", "power", "armor"), stats),
            **dict.fromkeys(("to_hit", "save", "morale"), targets),
            "kind": st.sampled_from(["infantry", "cavalry", "vehicle", "ship", "structure", "other"]),
            **{"command": flags, "capabilities": capabilities},
        },
        "msc": {
            **dict.fromkeys(("engine", "shield", "to_hit"), stats),
            "weapons": st.lists(st.sampled_from([*SIDES]), unique=True),
        },
        "vsgmr": {
            **dict.fromkeys(("commander", "distance", "automatic_fire", "large"), flags),
            "kind": st.sampled_from([*KINDS]),
            "armor": st.sampled_from([None, "light", "heavy"]),
            "traits": st.lists(st.sampled_from([*TRAITS]), unique=True),
            "support": st.sampled_from([None, "distance", "hand-to-hand", "armor", "skill"]),
            "powers": powers,
        },
        "urutsk": {
            **dict.fromkeys(("ranged", "close", "weapon_ability", "fate"), stats),
            **{"fire": st.sampled_from(["single", "autofire", "burst"]), "poor_condition": flags, "command": flags},
            "protection": st.sampled_from(["", "wall", "flak vest\nand a wall"]),
        },
    }


OFFERED = {slug: st.fixed_dictionaries(fields) for slug, fields in offered().items()}


@pytest.mark.parametrize("slug", SYSTEMS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_an_element_that_is_opened_and_saved_stays_as_it_was(slug, data):
    profile = data.draw(profiles(slug) | st.sampled_from(samples(slug)))
    assert saved(slug, profile) == normal(slug, profile)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_what_no_form_would_offer_stays_as_it_was_written_and_every_control_has_a_label(slug):
    for profile in (PLAIN[slug], *ODD.get(slug, [])):
        assert saved(slug, profile) == normal(slug, profile)
    for profile in (PLAIN[slug], *ODD.get(slug, [])[:5]):
        shown = page(system_form(slug, profile))
        controls = [each for each in shown.inputs if each.get("type") != "hidden" and "aria-label" not in each]
        assert [each["name"] for each in controls if each.get("id") not in shown.labels] == []


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_field_that_nobody_touches_is_sent_as_the_merge_of_two_changes_expects(slug):
    for form in (system_form(slug, profile) for profile in samples(slug)):
        sent = page(form).sent()
        for name in form.fields:
            typed = [value.replace("\r\n", "\n") for value in sent.getlist(name) if value]
            assert sorted(typed) == sorted(submitted_values(form, name)), name


@pytest.mark.parametrize("slug", OFFERED)
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_what_is_filled_in_is_what_the_element_holds(slug, data):
    profile = data.draw(OFFERED[slug])
    form = system_form(slug, PLAIN[slug], page(system_form(slug, profile)).sent())
    assert form.is_valid(), form.errors
    assert sorted_lists(profile_of(form.element)) == sorted_lists(normal(slug, profile))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_new_element_has_no_findings(slug):
    data = page(system_form(slug)).sent()
    data["name"] = "New"
    form = system_form(slug, None, data)
    assert form.is_valid()
    if slug in NEW:
        assert NEW[slug] == profile_of(form.element)
        assert not [*SYSTEMS[slug].rules.check_element(form.element, terms_of(read(roster(slug, []))))]


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_wrong_value_is_marked_beside_its_field(slug):
    for field, value in ERRORS.get(slug, {}).items():
        data = page(system_form(slug, PLAIN[slug])).sent()
        data[field] = value
        form = system_form(slug, PLAIN[slug], data)
        assert [*form.errors] == [field]
        assert form.errors[field][0].split(".")[0] in page(form).text


@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_form_keeps_what_is_not_its_own(slug):
    element = {**PLAIN[slug], "id": "one", "secret": True, "quantity": 2, "notes": "n"}
    form = system_form(slug, element, page(system_form(slug, element)).sent())
    assert form.is_valid()
    assert write_element(form.element) == write_element(element_of(slug, element))
