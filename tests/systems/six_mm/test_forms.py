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
from tests.notation import rows, stand

EVERYTHING = {
    **{"armour": "heavy", "quality": "elite", "general": "inferior", "agreed": -1, "gun": "torsion"},
    **{"transport": "animal", "ordnance": "bomber", **dict.fromkeys(CHECKBOXES, True)},
}

CARRIED = stand("SKI/F + TNK light")
MANY = [stand(f"SKI/F x{n}") for n in range(2, MAX_ALTERNATES + 7)]
MANY_ALTERNATES = stand("MSK", duplicates=MANY)

ODD = [
    *({"type": code, **EVERYTHING} for code in ("", "GOBLIN", "ski/f", UNKNOWN, "A\nB", "SKI/F", "ART", "AIR")),
    *(stand("INF/U", quality=code) for code in ("veteran", "", UNKNOWN)),
    *(stand("INF/U", agreed=number) for number in (7, -1_000_000)),
    {"type": "{% now 'Y' %}<script>", "quality": "</select>"},
    *map(
        stand, ("TNK torsion soft", "ART smoothbore off_board", "MSK + SKI/F x0 + SKI/F x10000", "WORKS", "TRANSPORT")
    ),
    stand("MSK", duplicates=[stand("WORKS"), {"type": ""}, stand("ORC quality=odd agreed=5")]),
    stand("MSK", duplicates=[{"type": "TRANSPORT", **EVERYTHING}, {"type": UNKNOWN, "quality": UNKNOWN}]),
    MANY_ALTERNATES,
]
CHANGES = rows("""  # profile before, what is filled in, profile after
    MSK = quality=poor = MSK poor | MSK = quality=good = MSK good | MSK = quality=elite = MSK elite
    MSK = agreed=-1 = MSK agreed=-1 | MSK = agreed=1 = MSK agreed=1 | MSK = agreed=7 = MSK agreed=7
    INF/U elephant = elephant=- = INF/U | INF/U torsion = gun= = INF/U
    INF/U quality=veteran = quality=good = INF/U good | GOBLIN good = type=WBD = WBD good
    ART torsion = type=INF/U = INF/U torsion | SKI/F = add-alternate=TNK = SKI/F + TNK
    SKI/F + TNK light = form-2-armour=medium = SKI/F + TNK medium
    SKI/F + TNK light = form-2-quantity=2 = SKI/F + TNK light x2
    SKI/F + TNK light = form-2-remove=on form-2-quantity=many = SKI/F
    SKI/F + TNK light = form-2-remove=on add-alternate=SKI/S = SKI/F + SKI/S | SKI/F + TNK light = type=WORKS = WORKS
""")
CHANGES += [("INF/U", f"type={code}", code) for code in (*TYPES, *PURCHASES)]
CHANGES += [
    (kind, f"{key}={code}", f"{kind} {code}")
    for key, kind in zip(SELECTS, ("TNK", "WBD", "ART", "ART", "AIR"), strict=True)
    for code in labels(key)
]
BOXES = [(box.types[0] + " breech-loader-heavy" * (key == "off_board"), key) for key, box in CHECKBOXES.items()]
CHANGES += [(before, f"{key}=on", f"{before} {key}") for before, key in BOXES]

OWN = rows("""  # the fields of a type, besides its type, quality, general and special trait
    INF/A = transport | WBD = transport | SKI/F = transport post_1906 guided | SKI/S = transport post_1906 guided
    SKI/M = | CAV/U = | GOBLIN = | PKE = transport elephant | ART = transport gun horse | TNK = armour gun
    AIR = ordnance
""")
ERRORS = rows("""  # before, what is filled in, the fields with errors
    MSK = agreed=much = agreed | MSK = agreed=1.5 = agreed | MSK = agreed=1000001 = agreed | MSK = type=GOBLIN = type
    MSK = quantity=-1 = quantity | MSK = quality=veteran transport=balloon = quality transport
    SKI/F + TNK light = form-2-quantity=many = form-2-quantity | SKI/F + TNK light = form-2-quantity= = form-2-quantity
    SKI/F + TNK light = form-2-quantity=10001 = form-2-quantity
    SKI/F + TNK light = form-2-type=WORKS = form-2-type | SKI/F + TNK light = form-2-agreed=x = form-2-agreed
""")
ERRORS += [("MSK", f"type={UNKNOWN}", "type"), *((kind, f"notes={'x' * 10_001}", "notes") for kind in ("MSK", "WORKS"))]

form_of, normal = partial(filled.system_form, "6mm"), partial(filled.normal, "6mm")


def changed(text):
    """What is filled in, from words; - is deselected."""
    return {name: None if value == "-" else value for name, value in (word.split("=") for word in text.split())}


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
    for kind, own in OWN:
        general = {"general"} if kind in TYPES else set()
        assert names(form_of({"type": kind})) == always | {*own.split()} | general
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
    for before, changes, after in CHANGES:
        assert filled.saved("6mm", stand(before), **changed(changes)) == normal(stand(after)), (before, changes)
    assert filled.saved("6mm", MANY_ALTERNATES, **{"keep-rest": None})["duplicates"] == MANY[:MAX_ALTERNATES]
    assert filled.saved("6mm", MANY_ALTERNATES, **{"form-2-remove": "on"})["duplicates"] == MANY[1:]


def test_selects_have_the_codes_of_the_rulebook_that_a_type_may_have():
    assert sorted(code for _, codes in type_groups() for code, _ in codes) == sorted(TYPES)
    assert {"INF/A", "TNK", "ART"} <= {*SELECTS["general"].types}
    assert "torsion" not in dict(form_of({"type": "TNK"}).fields["gun"].choices)
    assert [*dict(form_of({"type": "MSK"}).fields["transport"].choices)] == ["", "soft"]


def test_an_alternate_that_is_added_has_the_fields_of_its_type():
    form = reloaded(stand("SKI/F"), {"add-alternate": "TNK"})
    assert {"form-2-armour", "form-2-gun", "form-2-quantity", "form-2-remove"} <= names(form)
    assert page(form).sent()["add-alternate"] == ""
    form = reloaded(stand("SKI/F"), {"add-alternate": "TNK"}, {"form-2-armour": "heavy"}, {"add-alternate": "SKI/S"})
    assert resaved(stand("SKI/F"), form) == normal(stand("SKI/F + TNK heavy + SKI/S"))
    form = reloaded(stand("SKI/F"), *({"add-alternate": "SKI/F"} for _ in range(MAX_ALTERNATES)))
    assert "add-alternate" not in names(form)
    assert len(resaved(stand("SKI/F"), form)["duplicates"]) == MAX_ALTERNATES


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
        form = reloaded(stand(before), changed(changes))
        assert {*form.errors} == {*wrong.split()}
        assert all(form[name].errors for name in wrong.split())


def test_field_works_keep_id_and_secrecy():
    before = element_of("6mm", {"type": "MSK", "id": "m", "secret": True})
    form, sent = form_of(stand("SKI/F")), page(form_of({"type": "MSK", "secret": True})).sent()
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
