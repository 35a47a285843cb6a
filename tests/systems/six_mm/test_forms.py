"""The form of a stand: nothing is lost there, each type shows what it has, and states are added and removed."""

import pytest
from django.urls import reverse

from rosters.core.documents import profile_of
from rosters.systems.six_mm.forms import AS_WRITTEN, CHOICES, KINDS, MOST_STATES, SELECTS, TICKS, prefix_of
from rosters.systems.six_mm.rules import PURCHASES
from rosters.systems.six_mm.tables import TYPES
from tests import filled
from tests.filled import element_of, page

EVERYTHING = {
    "armour": "heavy",
    "quality": "elite",
    "post_1906": True,
    "general": "inferior",
    "elephant": True,
    "agreed": -1,
    "gun": "torsion",
    "transport": "animal",
    "guided": True,
    "ordnance": "bomber",
    "off_board": True,
    "horse": True,
}
FOOT = {"type": "SKI/F"}
CARRIED = {**FOOT, "duplicates": [{"type": "TNK", "armour": "light"}]}
MANY = [{"type": "SKI/F", "quantity": n} for n in range(2, MOST_STATES + 7)]

ODD = [
    *({"type": code, **EVERYTHING} for code in ("", "GOBLIN", "ski/f", AS_WRITTEN, "A\nB", "SKI/F", "ART", "AIR")),
    {"type": "INF/U", "quality": "veteran"},
    {"type": "INF/U", "quality": ""},
    {"type": "INF/U", "quality": AS_WRITTEN},
    {"type": "INF/U", "agreed": 7},
    {"type": "INF/U", "agreed": -1_000_000},
    {"type": "{% now 'Y' %}<script>", "quality": "</select>"},
    {"type": "TNK", "gun": "torsion", "transport": "soft"},
    {"type": "ART", "gun": "smoothbore", "off_board": True},
    {"type": "MSK", "duplicates": [{"type": "SKI/F", "quantity": 0}, {"type": "SKI/F", "quantity": 10_000}]},
    {"type": "MSK", "duplicates": [{"type": "WORKS"}, {"type": ""}, {"type": "ORC", "quality": "odd", "agreed": 5}]},
    {"type": "MSK", "duplicates": [{"type": "TRANSPORT", **EVERYTHING}, {"type": AS_WRITTEN, "quality": AS_WRITTEN}]},
    {"type": "MSK", "duplicates": MANY},
    {"type": "WORKS"},
    {"type": "TRANSPORT"},
]
CHANGES = [  # before, what is filled in, after
    *(({"type": "INF/U"}, {"type": code}, {"type": code}) for code in (*TYPES, *PURCHASES)),
    *(
        ({"type": kind}, {key: slug}, {"type": kind, key: slug})
        for key, choice in CHOICES.items()
        for kind in choice.types[:1]
        for slug in choice.names
        if key != "gun"
    ),
    *(({"type": "ART"}, {"gun": slug}, {"type": "ART", "gun": slug}) for slug in CHOICES["gun"].names),
    ({"type": "MSK"}, {"transport": "soft"}, {"type": "MSK", "transport": "soft"}),
    *(({"type": "MSK"}, {"quality": slug}, {"type": "MSK", "quality": slug}) for slug in ("poor", "good", "elite")),
    *(({"type": "MSK"}, {"agreed": number}, {"type": "MSK", "agreed": int(number)}) for number in ("-1", "1", "7")),
    *(
        ({"type": tick.types[0]}, {key: "on"}, {"type": tick.types[0], key: True})
        for key, tick in TICKS.items()
        if key != "off_board"
    ),
    (
        {"type": "ART", "gun": "breech-loader-heavy"},
        {"off_board": "on"},
        {"type": "ART", "gun": "breech-loader-heavy", "off_board": True},
    ),
    ({"type": "INF/U", "elephant": True}, {"elephant": None}, {"type": "INF/U"}),
    ({"type": "INF/U", "gun": "torsion"}, {"gun": ""}, {"type": "INF/U"}),
    ({"type": "INF/U", "quality": "veteran"}, {"quality": "good"}, {"type": "INF/U", "quality": "good"}),
    ({"type": "GOBLIN", "quality": "good"}, {"type": "WBD"}, {"type": "WBD", "quality": "good"}),
    ({"type": "ART", "gun": "torsion"}, {"type": "INF/U"}, {"type": "INF/U", "gun": "torsion"}),
    (FOOT, {"add-state": "TNK"}, {**FOOT, "duplicates": [{"type": "TNK"}]}),
    (CARRIED, {"state-2-armour": "medium"}, {**FOOT, "duplicates": [{"type": "TNK", "armour": "medium"}]}),
    (CARRIED, {"state-2-quantity": "2"}, {**FOOT, "duplicates": [{"type": "TNK", "armour": "light", "quantity": 2}]}),
    (CARRIED, {"state-2-remove": "on"}, FOOT),
    (CARRIED, {"state-2-remove": "on", "state-2-quantity": "many"}, FOOT),
    (CARRIED, {"state-2-remove": "on", "add-state": "SKI/S"}, {**FOOT, "duplicates": [{"type": "SKI/S"}]}),
    (CARRIED, {"type": "WORKS"}, {"type": "WORKS"}),
    ({"type": "MSK", "duplicates": MANY}, {"keep-rest": None}, {"type": "MSK", "duplicates": MANY[:MOST_STATES]}),
]  # fmt: skip
SHOWN = {  # what a type has, besides its type, quality, general and agreed peculiarity
    "INF/A": {"transport"},
    "WBD": {"transport"},
    "PKE": {"transport", "elephant"},
    "SKI/F": {"transport", "post_1906", "guided"},
    "SKI/M": set(),
    "SKI/S": {"transport", "post_1906", "guided"},
    "CAV/U": set(),
    "ART": {"transport", "gun", "horse"},
    "TNK": {"armour", "gun"},
    "AIR": {"ordnance"},
    "GOBLIN": set(),
}
ERRORS = [  # before, what is filled in, the fields that are marked
    ({"type": "MSK"}, {"agreed": "much"}, {"agreed"}),
    ({"type": "MSK"}, {"agreed": "1.5"}, {"agreed"}),
    ({"type": "MSK"}, {"agreed": "1000001"}, {"agreed"}),
    ({"type": "MSK"}, {"quantity": "-1"}, {"quantity"}),
    ({"type": "MSK"}, {"type": "GOBLIN"}, {"type"}),
    ({"type": "MSK"}, {"type": AS_WRITTEN}, {"type"}),
    ({"type": "MSK"}, {"quality": "veteran", "transport": "balloon"}, {"quality", "transport"}),
    ({"type": "MSK"}, {"notes": "x" * 10_001}, {"notes"}),
    ({"type": "WORKS"}, {"notes": "x" * 10_001}, {"notes"}),
    (CARRIED, {"state-2-quantity": "many"}, {"state-2-quantity"}),
    (CARRIED, {"state-2-quantity": ""}, {"state-2-quantity"}),
    (CARRIED, {"state-2-quantity": "10001"}, {"state-2-quantity"}),
    (CARRIED, {"state-2-type": "WORKS"}, {"state-2-type"}),
    (CARRIED, {"state-2-agreed": "x"}, {"state-2-agreed"}),
]


def form_of(profile, data=None):
    return filled.system_form("6mm", profile, data)


def saved(profile, **changes):
    return filled.saved("6mm", profile, **changes)


def normal(profile):
    """The profile as the document writes it, without what is default."""
    return profile_of(element_of("6mm", profile))


def redrawn(profile, *steps):
    """The form after it was sent and drawn anew once for each of these changes."""
    form = form_of(profile)
    for changes in steps:
        sent = page(form).sent()
        for name, value in changes.items():
            sent.setlist(name, [] if value is None else [value])
        form = form_of(profile, sent)
    return form


def resaved(profile, form):
    """The profile that a drawn form says when it is sent as it stands."""
    last = form_of(profile, page(form).sent())
    assert last.is_valid(), last.errors
    return profile_of(last.element)


def shown(form):
    return {field["name"] for field in page(form).inputs}


def test_odd_stands_are_saved_as_they_were_and_when_the_form_is_drawn_anew():
    for profile in ODD:
        assert resaved(profile, redrawn(profile, {})) == normal(profile)


def test_what_is_filled_in_is_what_the_document_holds():
    for before, changes, after in CHANGES:
        assert saved(before, **changes) == normal(after)


def test_a_type_shows_only_what_it_has():
    for kind, own in SHOWN.items():
        always = {"name", "quantity", "notes", "secret", "type", "quality", "agreed", "states", "add-state"}
        general = {"general"} if kind in TYPES else set()
        assert shown(form_of({"type": kind})) == always | general | own


def test_what_a_type_does_not_have_is_shown_when_the_profile_holds_it():
    for kind in [*TYPES, "GOBLIN"]:
        assert shown(form_of({"type": kind, **EVERYTHING})) >= {"type", *SELECTS, *TICKS}


def test_what_is_bought_without_a_stand_shows_only_who_it_is():
    for kind, label in [("WORKS", "Squares"), ("TRANSPORT", "Transports")]:
        form = form_of({"type": kind})
        assert shown(form) == {"name", "quantity", "notes", "secret", "type"}
        assert form["quantity"].label == label


def test_off_board_fire_is_offered_for_heavy_guns_only():
    light = {"type": "ART", "gun": "smoothbore"}
    assert "off_board" not in shown(form_of(light))
    assert "off_board" in shown(redrawn(light, {"gun": "breech-loader-130"}))


def test_every_type_can_be_chosen_once():
    assert sorted(code for codes in KINDS.values() for code in codes) == sorted(TYPES)


def test_a_tank_is_not_offered_a_torsion_engine_and_foot_only_soft_transport():
    assert "torsion" not in dict(form_of({"type": "TNK"}).fields["gun"].choices)
    assert [*dict(form_of({"type": "MSK"}).fields["transport"].choices)] == ["", "soft"]


def test_a_stand_that_was_field_works_for_a_moment_is_what_it_was():
    for before in ({"type": "ART", **EVERYTHING}, CARRIED):
        form = redrawn(before, {"type": "WORKS"}, {"type": before["type"]})
        assert resaved(before, form) == normal(before)


def test_a_state_that_is_added_gets_the_choices_of_its_type():
    form = redrawn(FOOT, {"add-state": "TNK"})
    assert {"state-2-armour", "state-2-gun", "state-2-quantity", "state-2-remove"} <= shown(form)
    assert page(form).sent()["add-state"] == ""
    form = redrawn(FOOT, {"add-state": "TNK"}, {"state-2-armour": "heavy"}, {"add-state": "SKI/S"})
    states = [{"type": "TNK", "armour": "heavy"}, {"type": "SKI/S"}]
    assert resaved(FOOT, form) == normal({**FOOT, "duplicates": states})


def test_states_are_offered_until_the_form_is_full():
    form = redrawn(FOOT, *({"add-state": "SKI/F"} for _ in range(MOST_STATES)))
    assert "add-state" not in shown(form)
    assert len(resaved(FOOT, form)["duplicates"]) == MOST_STATES
    assert f"{prefix_of(MOST_STATES + 1)}type" in shown(form)


def test_states_beyond_the_form_are_kept_as_written_and_follow_the_others():
    before = {"type": "MSK", "duplicates": MANY}
    form = form_of(before)
    assert f"Keep {len(MANY) - MOST_STATES} more states" in page(form).text
    assert saved(before, **{"state-2-remove": "on"}) == normal({"type": "MSK", "duplicates": MANY[1:]})


def test_a_request_that_names_no_states_leaves_them_as_they_are():
    for before in (CARRIED, {"type": "MSK", "duplicates": MANY}, {"type": "SKI/F", **EVERYTHING}):
        form = form_of(before, {"name": "One", "quantity": "1", "notes": "", "type": before["type"]})
        assert form.is_valid(), form.errors
        assert profile_of(form.element) == normal(before)


def test_a_count_of_states_that_makes_no_sense_breaks_nothing():
    for count in ["", "-3", "two", "9" * 5000, "²"]:
        sent = page(form_of(CARRIED)).sent()
        sent["states"] = count
        form = form_of(CARRIED, sent)
        form.is_valid()
        page(form)


def test_a_wrong_value_is_marked_beside_its_field():
    for before, changes, marked in ERRORS:
        form = redrawn(before, changes)
        assert set(form.errors) == marked
        assert all(form[name].errors for name in marked)
        page(form)


def test_field_works_take_no_marks_and_stay_secret():
    marked = element_of("6mm", {"type": "MSK", "id": "m", "secret": True, "marks": [{"strength": 3}]})
    rules, terms = form_of(FOOT).rules, form_of(FOOT).terms
    sent = page(form_of({"type": "MSK", "secret": True})).sent()
    form = type(form_of(FOOT))(sent, rules=rules, terms=terms, element=marked)
    assert form.is_valid()
    assert form.element.marks == marked.marks
    sent["type"] = "WORKS"
    form = type(form_of(FOOT))(sent, rules=rules, terms=terms, element=marked)
    assert form.is_valid(), form.errors
    assert (form.element.type, form.element.id, form.element.secret, form.element.marks) == ("WORKS", "m", True, ())


def test_controls_have_labels_say_what_redraws_the_form_and_are_never_read_as_templates():
    for profile in (CARRIED, *ODD):
        found = page(form_of(profile))
        controls = [control for control in found.inputs if control.get("type") != "hidden"]
        assert [control["name"] for control in controls if control["id"] not in found.labels] == []
        redraw = [control for control in controls if control["name"].endswith("type") or control["name"] == "add-state"]
        assert all(control["data-reshapes"] for control in redraw)
        assert profile["type"].replace("\n", "") in found.text.replace("\n", "") or profile["type"] in TYPES


@pytest.mark.django_db
def test_without_javascript_the_show_button_draws_what_the_new_type_has(client):
    client.post(reverse("start", args=["6mm"]), {"name": "Army", "size": "0"}, follow=True)
    from rosters.models import Roster

    roster = Roster.objects.latest("pk")
    address = f"{reverse('element', args=[roster.token])}?in={roster.formations.get().uid}"
    sent = {"name": "Guns", "quantity": "2", "notes": "", "type": "ART", "add-state": "TNK", "do": "show"}
    html = client.post(address, sent).content.decode()
    assert 'name="gun"' in html
    assert 'name="state-2-armour"' in html
    assert "Average of 2 states" in html
