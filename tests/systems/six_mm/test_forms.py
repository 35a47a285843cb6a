"""The form of a stand: nothing is lost in it, it shows the fields of a type, and alternates are added and removed."""

import re
from functools import partial
from pathlib import Path

from crispy_forms.utils import render_crispy_form

from rosters.core.documents import profile_of
from rosters.systems.six_mm.forms import CHECKBOXES, MAX_ALTERNATES, SELECTS, UNKNOWN, labels, type_groups
from rosters.systems.six_mm.rules import type_name
from rosters.systems.six_mm.tables import PURCHASES, TYPES
from tests import rendered_forms
from tests.notation import rows, stand
from tests.rendered_forms import element_of, parse_form
from tests.support import missing

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
    ART torsion = type=INF/U = INF/U torsion | SKI/F = form-2-type=TNK = SKI/F + TNK
    SKI/F + TNK light = form-2-armour=medium = SKI/F + TNK medium
    SKI/F + TNK light = form-2-quantity=2 = SKI/F + TNK light x2
    SKI/F + TNK light = form-2-type= form-2-quantity=many = SKI/F | SKI/F + TNK light = type=WORKS agreed=x = WORKS
    SKI/F + TNK light = form-2-type= form-3-type=SKI/S = SKI/F + SKI/S
""")
CHANGES += [("INF/U", f"type={code}", code) for code in (*TYPES, *PURCHASES)]
CHANGES += [
    (kind, f"{key}={code}", f"{kind} {code}")
    for key, kind in zip(SELECTS, ("TNK", "WBD", "ART", "ART", "AIR"), strict=True)
    for code in labels(key)
]
BOXES = [(box.types[0] + " breech-loader-heavy" * (key == "off_board"), key) for key, box in CHECKBOXES.items()]
CHANGES += [(before, f"{key}=on", f"{before} {key}") for before, key in BOXES]

ERRORS = rows("""  # before, what is filled in, the fields with errors
    MSK = agreed=much = agreed | MSK = agreed=1.5 = agreed | MSK = agreed=1000001 = agreed | MSK = type=GOBLIN = type
    MSK = quantity=-1 = quantity | MSK = quality=veteran transport=balloon = quality transport
    SKI/F + TNK light = form-2-quantity=many = form-2-quantity | SKI/F + TNK light = form-2-quantity= = form-2-quantity
    SKI/F + TNK light = form-2-quantity=10001 = form-2-quantity
    SKI/F + TNK light = form-2-type=WORKS = form-2-type | SKI/F + TNK light = form-2-agreed=x = form-2-agreed
""")
ERRORS += [("MSK", f"type={UNKNOWN}", "type"), *((kind, f"notes={'x' * 10_001}", "notes") for kind in ("MSK", "WORKS"))]

form_of, save_form, without_defaults = (
    partial(function, "6mm")
    for function in (rendered_forms.system_form, rendered_forms.save_form, rendered_forms.without_defaults)
)


def changed(text):
    """What is filled in, from words; - is deselected."""
    return {name: None if value == "-" else value for name, value in (word.split("=") for word in text.split())}


def reloaded(profile, *steps):
    """The form after it was sent and reloaded with each of these changes."""
    form = form_of(profile)
    for changes in steps:
        sent = parse_form(form).form_data()
        for name, value in changes.items():
            sent.setlist(name, [] if value is None else [value])
        form = form_of(profile, sent)
    return form


def resaved(profile, form):
    """The profile of a form that is sent unchanged."""
    last = form_of(profile, parse_form(form).form_data())
    assert last.is_valid(), last.errors
    return profile_of(last.element)


def names(form):
    return {field["name"] for field in parse_form(form).inputs}


def test_selects_have_the_codes_of_the_rulebook_and_the_style_sheet_shows_what_each_type_may_have():
    """By the classes of the fields; whatever has a value is shown too."""
    sheet = (Path(__file__).parents[3] / "static/css/editor-games.css").read_text()
    shown = dict(re.findall(r'option\[value="([^"]+)"\]:checked\) \.(for-[\w-]+)[,\s]', sheet))
    html = render_crispy_form(form_of(stand("MSK")))
    fields = {re.sub(r"\W", "-", key): each.types for key, each in {**SELECTS, **CHECKBOXES}.items()}
    drawn = re.findall(r'<div class="of-type ([^"]*) of-(\w+)">', html)
    own = {key: classes.split() for classes, key in drawn}
    assert own == {key: [shown[code] for code in types] for key, types in fields.items() if types is not TYPES}
    assert {*shown} >= {*TYPES, *PURCHASES}
    assert missing([each.text for each in (*TYPES.values(), *PURCHASES.values())], html) == []
    assert sorted(code for _, codes in type_groups() for code, _ in codes) == sorted(TYPES)
    assert {"INF/A", "TNK", "ART"} <= {*SELECTS["general"].types}


def test_a_form_that_gets_a_type_is_an_alternate_also_in_a_live_preview_and_another_empty_one_follows():
    form = reloaded(stand("SKI/F"), {"form-2-type": "TNK", "form-2-armour": "heavy"}, {"form-3-type": "SKI/S"})
    assert resaved(stand("SKI/F"), form) == without_defaults(stand("SKI/F + TNK heavy + SKI/S"))
    assert "form-4-type" in names(form)
    nearly = stand("SKI/F", duplicates=[stand("SKI/F")] * (MAX_ALTERNATES - 1))
    form = reloaded(nearly, {f"form-{MAX_ALTERNATES + 1}-type": "SKI/F"})
    assert f"form-{MAX_ALTERNATES + 2}-type" not in names(form)
    assert len(resaved(nearly, form)["duplicates"]) == MAX_ALTERNATES
    opened = form_of(stand("SKI/F"))
    sent = parse_form(reloaded(stand("SKI/F"), {"form-2-type": "TNK"}, {"form-3-type": "SKI/S"})).form_data()
    form = opened.with_data(sent, None)
    assert form.is_valid()
    assert [each.type for each in form.element.duplicates] == ["TNK", "SKI/S"]


def test_the_document_holds_what_is_filled_in_and_a_wrong_value_is_reported_at_its_field():
    for before, changes, after in CHANGES:
        found = save_form(stand(before), **changed(changes))
        assert found == without_defaults(stand(after)), (before, changes)
    assert save_form(MANY_ALTERNATES, **{"keep-rest": None})["duplicates"] == MANY[:MAX_ALTERNATES]
    assert save_form(MANY_ALTERNATES, **{"form-2-type": ""})["duplicates"] == MANY[1:]
    for before, changes, wrong in ERRORS:
        form = reloaded(stand(before), changed(changes))
        assert {*form.errors} == {*wrong.split()}
        assert all(form[name].errors for name in wrong.split())


def test_odd_stands_are_saved_unchanged_also_when_shown_again_and_field_works_keep_id_and_secrecy():
    assert [profile for profile in ODD if resaved(profile, reloaded(profile, {})) != without_defaults(profile)] == []
    for before in ({"type": "ART", **EVERYTHING}, CARRIED):  # also what was field works for a moment
        assert resaved(before, reloaded(before, {"type": "WORKS"}, {"type": before["type"]})) == without_defaults(
            before
        )
    for profile in (CARRIED, *ODD):
        text = parse_form(form_of(profile)).text.replace("\n", "")
        assert type_name(profile["type"]).replace("\n", "") in text
    before = element_of("6mm", {"type": "MSK", "id": "m", "secret": True})
    form, sent = form_of(stand("SKI/F")), parse_form(form_of({"type": "MSK", "secret": True})).form_data()
    for type_ in ("MSK", "WORKS"):
        sent["type"] = type_
        bound = type(form)(sent, rules=form.rules, terms=form.terms, element=before)
        assert bound.is_valid(), bound.errors
        assert (bound.element.type, bound.element.id, bound.element.secret) == (type_, "m", True)
