"""The element forms of the five games: untouched they lose nothing, and what is filled in is what the element holds."""

import re
from fractions import Fraction
from functools import cache

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundWidget
from django.forms.renderers import TemplatesSetting
from django.test.html import parse_html
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core.appraisals import terms_of
from rosters.core.documents import profile_of, write_element
from rosters.forms.conflicts import submitted_values
from rosters.forms.renderer import Renderer
from rosters.registry import SYSTEMS
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.mini_combat.tables import KIND_NOTES
from rosters.systems.msc.rules import SIDES
from rosters.systems.vsgmr.forms import TRAIT_GROUPS, powers_by_field
from rosters.systems.vsgmr.forms import UNKNOWN as AS_WRITTEN
from rosters.systems.vsgmr.rules import KINDS, POWERS, TRAITS, Profile, check_element, describe, powers_of, price
from tests.notation import ELEMENTS, figure, rows, ship, stand, unit
from tests.rendered_forms import element_of, parse_form, save_form, system_form, without_defaults
from tests.strategies import fields, profiles
from tests.support import FIXTURES, missing, read, roster_data, sample_data

PLAIN = {"mini-combat": "line", "6mm": "MSK", "msc": "3 3 3 F FL FR", "vsgmr": "troop"}
PLAIN = {slug: ELEMENTS[slug](text) for slug, text in PLAIN.items()}
PLAIN["urutsk"] = {"ranged": 1, "close": 2, "weapon_ability": 3, "fate": 4}
NEW = {"6mm": stand("INF/U"), "msc": PLAIN["msc"], "vsgmr": {"kind": "troop"}}
NEW["urutsk"] = {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2}

ODD = {  # what no form would offer
    "mini-combat": [
        *(unit("to_hit=9 save=-3 morale=1"), unit("to_hit=7 save=7 morale=7 kind=structure command")),
        {"capabilities": [{"custom": "two\nlines", "percent": 5}, {"custom": " spaced ", "percent": 1e-7}]},
        {"capabilities": [{"code": "Den"}, {"code": "Den", "denies": "Den"}, {"code": "Den", "denies": "a\nb"}]},
        *(unit("T:0 (T)", to_hit=4), {"capabilities": [{"code": "line\nend"}]}, unit("Zap " * 200)),
    ],
    "msc": [
        *({}, ship("9 -2 1000000 RR F F R FL R")),
        {"weapons": ["", " ", "f", "<b>", '"', "Ω", "0", "X", "FR", "as-written", "1"]},
    ],
    "vsgmr": [
        *({"kind": ""}, {"kind": AS_WRITTEN, "armor": AS_WRITTEN, "powers": {"super-move": AS_WRITTEN}}),
        figure("mook armor= commander large automatic_fire support=armor"),
        figure("troop", traits=["weapon-master", "combat-master", "weapon-master", "tough", "", "<b>", "power-0"]),
        {"kind": "troop", "powers": {"super-nap": "minor", "": "", "super-move": "cosmic", "super_move": "minor"}},
    ],
    "urutsk": [
        *({}, {"ranged": -3, "close": -1_000_000, "weapon_ability": 99, "fate": -1}),
        *({"protection": text} for text in ("\r\n  two kinds\rof line end\n ", " ", "\n\n \n")),
        *({"protection": text} for text in ('<b>"&quot;', "wall\n" * 2_000)),
    ],
}  # fmt: skip
ERRORS = {  # system, field: what is refused beside it
    "mini-combat": {"movement": "fast", "armor": "1000001", "count-T": "-3", "turns-OS": "0", "percent-0": "x"},
    "msc": {"engine": "fast", "shield": "2.5", "weapons": "R", "to_hit": "9" * 5000},
    "vsgmr": {"kind": "wizard", **dict.fromkeys(("armor", "traits", "support", "super_move"), "cosmic")},
    "urutsk": {
        "ranged": "good",
        "fate": "1.5",
        "close": "-1000001",
        **dict.fromkeys(("weapon_ability", "fire"), ""),
        "protection": "x" * 10_001,
    },
}


@cache
def samples(slug):
    """The profiles of the sample armies."""
    armies = [sample_data(slug, path.stem) for path in sorted((FIXTURES / "armies" / slug).glob("*.json"))]
    elements = [element for army in armies for formation in army["formations"] for element in formation["elements"]]
    own = SYSTEMS[slug].rules.Profile.model_fields
    return [{key: element[key] for key in element if key in own} for element in elements]


def sorted_lists(profile):
    return {key: sorted(map(repr, value)) if isinstance(value, list) else value for key, value in profile.items()}


def offered():
    """Profiles, by system, that can be filled in from nothing."""
    variants = {"Drp": {"scatters": True}, "Tel": {"scatters": True}, "T": {"count": 4}, "MW": {"count": 4}}
    variants |= {"Heal": {"on": 4}, "Rep": {"on": 4}, "OS": {"turns": 5}, "Den": {"denies": "Ch"}}
    variants |= {"Fly": {"form": "jump"}, "Sk": {"form": "ethereal"}}
    known = [{"code": code, **variants.get(code, {})} for code in CAPABILITIES]
    known += [{**capability, "waived": True} for capability in known]
    known += [{"custom": "Own", "percent": 75}, {"custom": "Clumsy", "percent": -12.5, "separate": True}]
    capabilities = st.lists(st.sampled_from(known), unique_by=lambda each: each.get("code", each.get("custom")))
    powers = st.dictionaries(*map(st.sampled_from, ([power for power, _ in POWERS], ["minor", "major", "superior"])))
    own = {
        "mini-combat": {"capabilities": capabilities},
        "msc": {"weapons": st.lists(st.sampled_from([*SIDES]), unique=True)},
        "vsgmr": {
            **{"kind": st.sampled_from([*KINDS]), "armor": st.sampled_from([None, "light", "heavy"])},
            **{"traits": st.lists(st.sampled_from([*TRAITS]), unique=True), "powers": powers},
        },
        "urutsk": {"protection": st.sampled_from(["", "wall", "flak vest\nand a wall"])},
    }
    return {slug: fields(SYSTEMS[slug].rules.Profile, st.integers(2, 5), **lists) for slug, lists in own.items()}


OFFERED = offered()


@pytest.mark.parametrize("slug", SYSTEMS)
@settings(max_examples=15)
@given(data=st.data())
def test_an_element_that_is_opened_and_saved_stays_as_it_was(slug, data):
    profile = data.draw(profiles(slug) | st.sampled_from(samples(slug)))
    assert save_form(slug, profile) == without_defaults(slug, profile)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_what_no_form_would_offer_stays_as_it_was_written_and_every_control_has_a_label(slug):
    for profile in (PLAIN[slug], *ODD.get(slug, [])):
        assert save_form(slug, profile) == without_defaults(slug, profile)
    for profile in (PLAIN[slug], *ODD.get(slug, [])[:5]):
        shown = parse_form(system_form(slug, profile))
        controls = [each for each in shown.inputs if each.get("type") != "hidden" and "aria-label" not in each]
        assert [each["name"] for each in controls if each.get("id") not in shown.labels] == []


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_field_that_nobody_touches_is_sent_as_the_merge_of_two_changes_expects(slug):
    for form in (system_form(slug, profile) for profile in samples(slug)[::6]):
        sent = parse_form(form).form_data()
        for name in form.fields:
            typed = [value.replace("\r\n", "\n") for value in sent.getlist(name) if value]
            assert sorted(typed) == sorted(submitted_values(form, name)), name


@pytest.mark.parametrize("slug", OFFERED)
@settings(max_examples=12)
@given(data=st.data())
def test_what_is_filled_in_is_what_the_element_holds(slug, data):
    profile = data.draw(OFFERED[slug])
    form = system_form(slug, PLAIN[slug], parse_form(system_form(slug, profile)).form_data())
    assert form.is_valid(), form.errors
    assert sorted_lists(profile_of(form.element)) == sorted_lists(without_defaults(slug, profile))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_new_element_has_no_findings_a_wrong_value_is_marked_and_what_is_not_the_forms_own_is_kept(slug):
    data = parse_form(system_form(slug)).form_data()
    data["name"] = "New"
    form = system_form(slug, None, data)
    assert form.is_valid()
    if slug in NEW:
        assert NEW[slug] == profile_of(form.element)
        assert not [*SYSTEMS[slug].rules.check_element(form.element, terms_of(read(roster_data(slug, []))))]
    for field, value in ERRORS.get(slug, {}).items():
        data = parse_form(system_form(slug, PLAIN[slug])).form_data()
        data[field], data["quantity"] = value, "7"
        form = system_form(slug, PLAIN[slug], data)
        assert [*form.errors] == [field]
        assert form.errors[field][0].split(".")[0] in parse_form(form).text
        shown = form.preview_element
        assert (shown.quantity, profile_of(shown), form.price_each()) == (7, without_defaults(slug, PLAIN[slug]), "–")
    assert {*form.finding_fields} <= {*SYSTEMS[slug].rules.FINDINGS}
    assert {*form.finding_fields.values()} <= {*form.fields}
    element = {**PLAIN[slug], "id": "one", "secret": True, "quantity": 2, "notes": "n"}
    form = system_form(slug, element, parse_form(system_form(slug, element)).form_data())
    assert form.is_valid()
    assert write_element(form.element) == write_element(element_of(slug, element))


SAVED = rows("""  # system, element, what is filled in (- is deselected), the element after
    mini-combat = line = count-T=4 scatters-Drp=on waived=MA = line
    mini-combat = line = denies-1=St denies-waived-1=on = line (Den:St)
    mini-combat = line MW:3 own:5 MA = capabilities=MW,MA,SS = line MW:3 own:5 MA SS
    mini-combat = line own:5 = percent-0= custom-0= = line | mini-combat = line Zap MA MA = as_written=2 = line MA MA
    msc = 3 3 3 F FL FR = weapons=- = 3 3 3 | msc = 3 3 3 FR F = weapons=F,FL,FR = 3 3 3 FR F FL
    msc = 3 3 3 F R F = as_written=- = 3 3 3 F | msc = 3 3 3 F R F = as_written=1 = 3 3 3 F R
    msc = 3 3 3 F R F = weapons=RR = 3 3 3 R F RR | msc = 3 3 3 F = to_hit=0 = 3 3 0 F
    vsgmr = wizard = kind=hero = hero | vsgmr = troop armor=mithril = armor= = troop
    vsgmr = troop tough disable = traits=cause-fear,disable,tough = troop tough disable cause-fear
    vsgmr = troop super-move:cosmic = super_move= = troop | vsgmr = troop x tough y = as_written=2 = troop tough y
    vsgmr = troop x nap:long = as_written=- = troop | vsgmr = troop a:b c:d = as_written=power-1 = troop c:d
""")


@pytest.mark.parametrize(("slug", "before", "changes", "after"), SAVED)
def test_own_lists_keep_their_order_and_unknown_codes_stay_until_they_are_removed(slug, before, changes, after):
    pairs = (change.partition("=")[::2] for change in changes.split())
    filled = {name: None if value == "-" else value.split(",") for name, value in pairs}
    assert save_form(slug, ELEMENTS[slug](before), **filled) == without_defaults(slug, ELEMENTS[slug](after))


def test_own_rules_of_capabilities_are_checked_named_and_explained_and_a_fraction_suggests_whole_steps():
    fields = {**system_form("mini-combat", PLAIN["mini-combat"]).fields}
    for name, numbers in {"movement": ["10", "15"], "power": ["12", "13"]}.items():
        with pytest.raises(ValidationError) as caught:
            fields[name].clean("12.5")
        assert re.findall(r"\d+", caught.value.messages[0]) == numbers

    def errors(profile, name, value):
        data = parse_form(system_form("mini-combat", profile)).form_data()
        data.setlist(name, [value])
        return [*system_form("mini-combat", profile, data).errors]

    assert errors(PLAIN["mini-combat"], "custom-1", "Half done") == ["percent-1"]
    folded = system_form("mini-combat", unit("line own:5 Den:Ch Den:IF")).live_parts()
    assert {name: len(folded[name].split(", ")) for name in ("denials", "custom")} == {"denials": 2, "custom": 1}
    steps = system_form("mini-combat", PLAIN["mini-combat"]).step_buttons()
    assert [each.label.split(":")[0] for each in steps["to_hit"]] == ["Worse", "Better"]
    arcs = ("line", "line LFA", "line LFA RdM", "line (LFA) RdM", "line T:3")
    shown = [system_form("mini-combat", unit(text)).live_parts() for text in arcs]
    assert [each["price-LFA"][:4] for each in shown] == ["−15\xa0", "−15\xa0", "−30\xa0", "−15\xa0", "−15\xa0"]
    assert shown[-1]["price-T"] != shown[0]["price-T"]
    assert errors(unit("Zap " * 200), "capabilities", "MA") == ["capabilities"]
    new, odd = (parse_form(system_form("mini-combat", data)) for data in (None, unit("line (Zap) MA MA Den:Fog")))
    boxes = {found["value"] for found in new.inputs if found.get("name") == "capabilities"}
    assert boxes | {"Den"} == set(CAPABILITIES)
    assert missing([row.text for code, row in CAPABILITIES.items() if code != "Den"], new.text) == []
    assert missing(("Zap (unknown", "(MA): ", "“Fog”"), odd.text) == []
    assert missing(KIND_NOTES.values(), new.text) == []


def test_own_sides_of_a_ship_have_a_check_box_each_and_engine_its_limit():
    for options, engine in (({}, "5"), ({"max_engine": 6}, "6")):
        shown = parse_form(system_form("msc", PLAIN["msc"], options=options))
        highest = {box["name"]: box["max"] for box in shown.inputs if "max" in box}
        assert highest == {"quantity": "10000", "engine": engine, "shield": "5", "to_hit": "5"}
    cheaper = {name: below for name, (below, _) in system_form("msc", ship("1 1 1 F")).step_buttons().items()}
    assert [name for name, button in cheaper.items() if button is None] == ["shield"]  # 0 is destroyed before the game
    shown = parse_form(system_form("msc", {"weapons": ["FL", "FL", "R", "<X>"]}))
    boxes = [box for box in shown.inputs if box["name"] == "weapons"]
    assert [(box["value"], "checked" in box) for box in boxes] == [(side, side == "FL") for side in SIDES]
    assert len([box for box in shown.inputs if box["name"] == "as_written"]) == 3
    assert missing(("FL:", "R:", "“<X>”"), shown.text) == []


def labelled(label):
    """The points on a label, after its plus sign."""
    return Fraction(re.search(r"\+([\d.]+)$", str(label))[1]) if "+" in label else 0


@pytest.mark.parametrize("kind", KINDS)
def test_own_labels_of_vsgmr_have_the_points_of_the_receipt(kind):
    def points(**more):
        return price(Profile(kind=kind, distance=True, **more), None).unit_points

    fields = system_form("vsgmr", {"kind": kind, "distance": True}).fields
    assert labelled(dict(fields["kind"].choices)[kind]) + labelled(fields["distance"].label) == points()
    assert labelled(fields["automatic_fire"].label) == points(automatic_fire=True) - points()
    for armor, label in fields["armor"].choices:
        assert labelled(label) == points(armor=armor or None) - points()
    for name, powers in powers_by_field().items():
        tiers = {row.tier: row.points for row in powers}
        assert {tier: labelled(label) for tier, label in fields[name].choices} == {"": 0, **tiers}


def test_own_traits_are_offered_once_and_explained_and_unknown_codes_are_named():
    odd = figure("wizard armor=mithril weapon-master tough tough <x> sniper super-nap:long super-move:cosmic")
    shown = parse_form(system_form("vsgmr", odd))
    assert sorted(box["value"] for box in shown.inputs if box.get("name") == "traits") == sorted(TRAITS)
    assert sorted(code for codes in TRAIT_GROUPS.values() for code in codes) == sorted(TRAITS)
    assert missing([trait.text for trait in TRAITS.values()], shown.text) == []
    codes = ("“wizard”", "“mithril”", "“cosmic”", "“weapon-master”", "“<x>”", "“super-nap”, “long”")
    assert missing(codes, shown.text) == []


@given(profiles("vsgmr"), st.randoms())
def test_own_powers_are_in_the_order_of_the_rulebook_whatever_the_order_of_keys(profile, random):
    pairs = [*profile.get("powers", {}).items()]
    random.shuffle(pairs)
    one, other = (element_of("vsgmr", {**profile, "powers": dict(powers)}) for powers in (sorted(pairs), pairs))
    for function in (price, lambda *args: [*check_element(*args)], describe):
        assert function(one, None) == function(other, None)
    odd = figure("cavalry zap:x super-skill:minor super-fight:cosmic arc:y super-armor:major")
    ordered = ["super-armor", "super-skill", "arc", "super-fight", "zap"]  # unknown ones last, by name
    assert [power for power, _ in powers_of(element_of("vsgmr", odd))] == ordered


CHOICES = [("", "–"), ("a&b", 'A "quoted" & <b>'), ("Group <1>", [(2, "Two"), (3, "Three")])]
ATTRS = {"id": "x<>", "required": True, "disabled": False, "title": '"&'}
INPUTS = (
    *(forms.TextInput, forms.Textarea, forms.NumberInput, forms.EmailInput, forms.URLInput, forms.HiddenInput),
    forms.CheckboxInput,
)
SELECTS = (forms.Select, forms.SelectMultiple, forms.RadioSelect, forms.CheckboxSelectMultiple)


@pytest.mark.parametrize("kind", [*INPUTS, *SELECTS])
@pytest.mark.parametrize("value", [None, "", 0, True, '"><script>', ["a&b", 2], 3])
def test_a_widget_is_drawn_as_by_the_templates_of_django(kind, value):
    widget = kind(ATTRS, CHOICES) if kind in SELECTS else kind(ATTRS)

    def drawn(renderer):
        yield widget.render("field", value, renderer=renderer)
        if kind in SELECTS[2:]:  # their options are drawn one by one, too
            options = [BoundWidget(widget, each, renderer) for each in widget.subwidgets("field", value)]
            yield from (option.tag(wrap_label) for option in options for wrap_label in (False, True))

    assert [*map(parse_html, drawn(Renderer()))] == [*map(parse_html, drawn(TemplatesSetting()))]
