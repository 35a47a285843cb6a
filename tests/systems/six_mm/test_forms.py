"""The form of a stand: nothing is lost in it, each type has its own fields, and alternates are added and removed."""

from functools import partial

import pytest
from django.urls import reverse

from rosters.core.documents import profile_of
from rosters.models import Roster
from rosters.systems.six_mm.forms import CHECKBOXES, MAX_ALTERNATES, ORDER, SELECTS, UNKNOWN, labels, type_groups
from rosters.systems.six_mm.tables import PURCHASES, TYPES
from tests import filled
from tests.filled import element_of, page

EVERYTHING = {
    **{"armour": "heavy", "quality": "elite", "general": "inferior", "agreed": -1, "gun": "torsion"},
    **{"transport": "animal", "ordnance": "bomber", **dict.fromkeys(CHECKBOXES, True)},
}

FOOT, INF = {"type": "SKI/F"}, {"type": "INF/U"}
CARRIED = {**FOOT, "duplicates": [{"type": "TNK", "armour": "light"}]}
MANY = [{"type": "SKI/F", "quantity": n} for n in range(2, MAX_ALTERNATES + 7)]
MANY_ALTERNATES = {"type": "MSK", "duplicates": MANY}


ODD = [
    *({"type": code, **EVERYTHING} for code in ("", "GOBLIN", "ski/f", UNKNOWN, "A\nB", "SKI/F", "ART", "AIR")),
    *({**INF, "quality": code} for code in ("veteran", "", UNKNOWN)),
    *({**INF, "agreed": number} for number in (7, -1_000_000)),
    {"type": "{% now 'Y' %}<script>", "quality": "</select>"},
    *({"type": "TNK", "gun": "torsion", "transport": "soft"}, {"type": "ART", "gun": "smoothbore", "off_board": True}),
    {"type": "MSK", "duplicates": [{"type": "SKI/F", "quantity": 0}, {"type": "SKI/F", "quantity": 10_000}]},
    {"type": "MSK", "duplicates": [{"type": "WORKS"}, {"type": ""}, {"type": "ORC", "quality": "odd", "agreed": 5}]},
    {"type": "MSK", "duplicates": [{"type": "TRANSPORT", **EVERYTHING}, {"type": UNKNOWN, "quality": UNKNOWN}]},
    *(MANY_ALTERNATES, {"type": "WORKS"}, {"type": "TRANSPORT"}),
]
CHANGES = [  # profile before, what is filled in, profile after
    *((INF, {"type": code}, {"type": code}) for code in (*TYPES, *PURCHASES)),
    *(
        ({"type": kind}, {key: code}, {"type": kind, key: code})
        for key, kind in zip(SELECTS, ("TNK", "WBD", "ART", "ART", "AIR"), strict=True)
        for code in labels(key)
    ),
    *(({"type": "MSK"}, {"quality": slug}, {"type": "MSK", "quality": slug}) for slug in ("poor", "good", "elite")),
    *(({"type": "MSK"}, {"agreed": number}, {"type": "MSK", "agreed": int(number)}) for number in ("-1", "1", "7")),
    *(
        ({"type": box.types[0]} | gun, {key: "on"}, {"type": box.types[0], key: True} | gun)
        for key, box in CHECKBOXES.items()
        for gun in [{"gun": "breech-loader-heavy"} if key == "off_board" else {}]
    ),
    *(
        (INF | {key: code}, {key: empty}, INF)
        for key, code, empty in (("elephant", True, None), ("gun", "torsion", ""))
    ),
    (INF | {"quality": "veteran"}, {"quality": "good"}, INF | {"quality": "good"}),
    ({"type": "GOBLIN", "quality": "good"}, {"type": "WBD"}, {"type": "WBD", "quality": "good"}),
    ({"type": "ART", "gun": "torsion"}, INF, INF | {"gun": "torsion"}),
    (FOOT, {"add-alternate": "TNK"}, {**FOOT, "duplicates": [{"type": "TNK"}]}),
    (CARRIED, {"form-2-armour": "medium"}, {**FOOT, "duplicates": [{"type": "TNK", "armour": "medium"}]}),
    (CARRIED, {"form-2-quantity": "2"}, {**FOOT, "duplicates": [{"type": "TNK", "armour": "light", "quantity": 2}]}),
    (CARRIED, {"form-2-remove": "on", "form-2-quantity": "many"}, FOOT),
    (CARRIED, {"form-2-remove": "on", "add-alternate": "SKI/S"}, {**FOOT, "duplicates": [{"type": "SKI/S"}]}),
    (CARRIED, {"type": "WORKS"}, {"type": "WORKS"}),
    (MANY_ALTERNATES, {"keep-rest": None}, {"type": "MSK", "duplicates": MANY[:MAX_ALTERNATES]}),
    (MANY_ALTERNATES, {"form-2-remove": "on"}, {"type": "MSK", "duplicates": MANY[1:]}),
]

OWN = {  # the fields of a type, besides its type, quality, general and special trait
    **{code: {"transport"} for code in ("INF/A", "WBD")},
    **{code: {"transport", "post_1906", "guided"} for code in ("SKI/F", "SKI/S")},
    **{code: set() for code in ("SKI/M", "CAV/U", "GOBLIN")},
    **{"PKE": {"transport", "elephant"}, "ART": {"transport", "gun", "horse"}},
    **{"TNK": {"armour", "gun"}, "AIR": {"ordnance"}},
}


ERRORS = [  # before, what is filled in, the fields with errors
    *(({"type": "MSK"}, {"agreed": text}, {"agreed"}) for text in ("much", "1.5", "1000001")),
    *(({"type": "MSK"}, {"type": code}, {"type"}) for code in ("GOBLIN", UNKNOWN)),
    ({"type": "MSK"}, {"quantity": "-1"}, {"quantity"}),
    ({"type": "MSK"}, {"quality": "veteran", "transport": "balloon"}, {"quality", "transport"}),
    *(({"type": kind}, {"notes": "x" * 10_001}, {"notes"}) for kind in ("MSK", "WORKS")),
    *((CARRIED, {"form-2-quantity": text}, {"form-2-quantity"}) for text in ("many", "", "10001")),
    *((CARRIED, {field: text}, {field}) for field, text in (("form-2-type", "WORKS"), ("form-2-agreed", "x"))),
]


form_of, normal = partial(filled.system_form, "6mm"), partial(filled.normal, "6mm")


def reloaded(profile, *steps):
    """The form after it was sent and reloaded with each of these changes."""
    form = form_of(profile)
    for changes in steps:
        sent = page(form).sent()
        for name, value in changes.items():
            sent.setlist(name, [] if value is None else [value])
        form = form_of(profile, sent)
    return form


def resaved(profile, form):
    """The profile of a form that is sent unchanged."""
    last = form_of(profile, page(form).sent())
    assert last.is_valid(), last.errors
    return profile_of(last.element)


def names(form):
    return {field["name"] for field in page(form).inputs}


def test_a_type_has_only_its_own_fields_and_those_that_the_profile_fills():
    always = {"name", "quantity", "notes", "secret", "type", "quality", "agreed", "alternates", "add-alternate"}
    for kind, own in OWN.items():
        assert names(form_of({"type": kind})) == always | own | ({"general"} if kind in TYPES else set())
        assert names(form_of({"type": kind, **EVERYTHING})) == always | {*ORDER}
    for kind in PURCHASES:
        assert names(form_of({"type": kind})) == {"name", "quantity", "notes", "secret", "type"}
    light = {"type": "ART", "gun": "smoothbore"}
    assert "off_board" not in names(form_of(light))
    assert "off_board" in names(reloaded(light, {"gun": "breech-loader-130"}))


def test_odd_stands_are_saved_unchanged_also_after_the_form_is_reloaded():
    assert [profile for profile in ODD if resaved(profile, reloaded(profile, {})) != normal(profile)] == []
    for before in ({"type": "ART", **EVERYTHING}, CARRIED):  # also what was field works for a moment
        assert resaved(before, reloaded(before, {"type": "WORKS"}, {"type": before["type"]})) == normal(before)


def test_the_document_holds_what_is_filled_in():
    assert [row for row in CHANGES if filled.saved("6mm", row[0], **row[1]) != normal(row[2])] == []


def test_selects_have_the_codes_of_the_rulebook_that_a_type_may_have():
    assert sorted(code for _, codes in type_groups() for code, _ in codes) == sorted(TYPES)
    assert {"INF/A", "TNK", "ART"} <= {*SELECTS["general"].types}
    assert "torsion" not in dict(form_of({"type": "TNK"}).fields["gun"].choices)
    assert [*dict(form_of({"type": "MSK"}).fields["transport"].choices)] == ["", "soft"]


def test_an_alternate_that_is_added_has_the_fields_of_its_type():
    form = reloaded(FOOT, {"add-alternate": "TNK"})
    assert {"form-2-armour", "form-2-gun", "form-2-quantity", "form-2-remove"} <= names(form)
    assert page(form).sent()["add-alternate"] == ""
    form = reloaded(FOOT, {"add-alternate": "TNK"}, {"form-2-armour": "heavy"}, {"add-alternate": "SKI/S"})
    added = [{"type": "TNK", "armour": "heavy"}, {"type": "SKI/S"}]
    assert resaved(FOOT, form) == normal({**FOOT, "duplicates": added})
    form = reloaded(FOOT, *({"add-alternate": "SKI/F"} for _ in range(MAX_ALTERNATES)))
    assert "add-alternate" not in names(form)
    assert len(resaved(FOOT, form)["duplicates"]) == MAX_ALTERNATES


def test_alternates_that_the_form_has_no_fields_or_no_valid_count_for_are_kept():
    for before in (CARRIED, MANY_ALTERNATES, {"type": "SKI/F", **EVERYTHING}):
        form = form_of(before, {"name": "One", "quantity": "1", "notes": "", "type": before["type"]})
        assert form.is_valid(), form.errors
        assert profile_of(form.element) == normal(before)
    sent = page(form_of(CARRIED)).sent()
    for count in ["", "-3", "two", "²"]:
        sent["alternates"] = count
        assert resaved(CARRIED, form_of(CARRIED, sent)) == normal(CARRIED)
    sent["alternates"] = "9" * 5000
    assert f"form-{MAX_ALTERNATES + 1}-type" in names(form_of(CARRIED, sent))


def test_a_wrong_value_is_reported_at_its_field():
    for before, changes, wrong in ERRORS:
        form = reloaded(before, changes)
        assert set(form.errors) == wrong
        assert all(form[name].errors for name in wrong)
        page(form)


def test_field_works_keep_id_and_secrecy():
    before = element_of("6mm", {"type": "MSK", "id": "m", "secret": True})
    form, sent = form_of(FOOT), page(form_of({"type": "MSK", "secret": True})).sent()
    for type_ in ("MSK", "WORKS"):
        sent["type"] = type_
        bound = type(form)(sent, rules=form.rules, terms=form.terms, element=before)
        assert bound.is_valid(), bound.errors
        assert (bound.element.type, bound.element.id, bound.element.secret) == (type_, "m", True)


def test_types_reload_the_form_and_codes_are_never_templates():
    for profile in (CARRIED, *ODD):
        found = page(form_of(profile))
        reloading = [each for each in found.inputs if each["name"].endswith("type") or each["name"] == "add-alternate"]
        assert all(control["data-reload-on-change"] for control in reloading if control.get("type") != "hidden")
        assert profile["type"].replace("\n", "") in found.text.replace("\n", "") or profile["type"] in TYPES


@pytest.mark.django_db
def test_without_javascript_the_show_button_loads_the_fields_of_the_new_type(client):
    client.post(reverse("start", args=["6mm"]), {"name": "Army", "size": "0"}, follow=True)
    roster = Roster.objects.latest("pk")
    url = f"{reverse('element-preview', args=[roster.token])}?in={roster.formations.get().uid}"
    sent = {"name": "Guns", "quantity": "2", "notes": "", "type": "ART", "add-alternate": "TNK"}
    html = client.post(url, sent).content.decode()
    assert 'name="gun"' in html
    assert 'name="form-2-armour"' in html
