"""Two tabs, or two people, at once: both survive where they can, and the second hears of it where they cannot."""

import re

import pytest
from django.db import connection

from rosters.store import writer
from rosters.store.play import play_of
from rosters.web.builder.forms import RosterPageForm
from tests.concurrency import before_next_call
from tests.people import Person, change_element, document_of, form_data_of, url_of
from tools.attack import lost_taps

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def mine(owner, friend):
    """A roster of the owner's that a friend may edit by link."""
    roster = owner.copy_sample("msc/book-squadron")
    friend.get(roster.edit_link)
    return roster


def elements(roster):
    return document_of(roster).formations[0].elements


def typed(client, roster, at, **changed):
    """What a browser would send for a form as it is open now, with these fields changed."""
    return form_data_of(client.get(url_of(roster, at))) | changed


def at_element(roster, number):
    return f"element?id={elements(roster)[number].id}"


@pytest.fixture(params=["element", "formation", "settings"])
def form(request, mine):
    """The address of a form, and a function that gives the document's part that it changes."""
    at = {"element": at_element(mine, 0), "formation": f"formation?id={document_of(mine).formations[0].id}"}
    parts = {"element": lambda document: document.formations[0].elements[0], "formation": lambda d: d.formations[0]}
    part = parts.get(request.param, lambda document: document)
    return at.get(request.param, request.param), lambda: part(document_of(mine))


@pytest.mark.parametrize(("second", "choice", "name"), [
    ("friend", {}, "Second"), ("friend", {"take-name": "theirs"}, "First"), ("owner", {"take-name": "theirs"}, "First"),
])  # fmt: skip
def test_two_changes_of_one_thing_are_merged_and_a_field_that_both_changed_is_asked_about(
    request, owner, mine, form, second, choice, name
):
    (at, stored), friend = form, request.getfixturevalue(second)
    sent = typed(friend, mine, at, name="Second", notes="a\r\nb")
    owner.post_to(mine, at, **typed(owner, mine, at, name="First", **{"engine": "5", "secret": "on", "budget": "99.5"}))
    clash = friend.post_to(mine, at, **sent)
    assert (clash.status_code, bool(clash.context["conflict"])) == (409, True)
    [(field, [error])] = clash.context["form"].errors.items()
    assert (field, "another device" in error) == ("name", second == "owner")
    offered = re.findall('name="take-name" value="(.*?)" data-value="(.*?)"( checked)?', clash.content.decode())
    assert offered == [("mine", "Second", " checked"), ("theirs", "First", "")]
    assert stored().name == "First"
    assert friend.post_to(mine, at, **form_data_of(clash) | choice).status_code == 302
    expected = {"name": name, "engine": 5, "secret": True, "budget": 99.5}
    assert {name: getattr(stored(), name, value) for name, value in expected.items()} == expected  # what it has of them
    assert stored().notes.splitlines() == ["a", "b"]


@pytest.mark.parametrize(("opened", "first", "second", "after"), [
    ("F FL", "F FL FR", "F", "F FR"), ("F FL", "FL", "FL", "FL"), ("F", "FL", "F", "FL"), ("F", "F", "", ""),
])  # fmt: skip
def test_each_box_of_a_list_is_a_field_of_its_own(owner, friend, mine, opened, first, second, after):
    change_element(mine, "Ship 1", weapons=tuple(opened.split()))
    at = at_element(mine, 0)
    sent = [typed(each, mine, at, weapons=weapons.split()) for each, weapons in ((owner, first), (friend, second))]
    for person, form in zip((owner, friend), sent, strict=True):
        assert person.post_to(mine, at, **form).status_code == 302
    assert elements(mine)[0].weapons == tuple(after.split())


def test_a_change_between_reading_and_writing_is_merged_too(owner, mine, monkeypatch, form):
    at, stored = form
    sent, other = typed(owner, mine, at, notes="Mine"), typed(owner, mine, at, name="Other")
    before_next_call(monkeypatch, writer, "apply_edit", lambda: owner.post_to(mine, at, **other))
    assert owner.post_to(mine, at, **sent).status_code == 302
    assert (stored().name, stored().notes) == ("Other", "Mine")


@pytest.mark.parametrize("opened", ["", "x", "0", "999", "9" * 30, "a1b2c3d4e5f60718"])
def test_a_form_that_does_not_say_when_it_was_opened_is_saved_as_sent(owner, mine, opened):
    """Such as one of a page of an older release."""
    at = at_element(mine, 0)
    sent = typed(owner, mine, at, name="Mine", opened_version=opened)
    change_element(mine, "Ship 1", engine=5)
    assert owner.post_to(mine, at, **sent).status_code == 302
    assert (elements(mine)[0].name, elements(mine)[0].engine) == ("Mine", 3)


def test_an_element_that_was_deleted_meanwhile_can_be_added_again_as_typed(owner, friend, mine):
    at = at_element(mine, 0)
    sent = typed(friend, mine, at, name="Still here")
    owner.post_to(mine, "element/delete", element=elements(mine)[0].id)
    clash = friend.post_to(mine, at, **sent)
    assert clash.status_code == 409
    assert friend.post_to(mine, f"element?{clash.context['query']}", **form_data_of(clash)).status_code == 302
    assert [element.name for element in elements(mine)] == ["Ship 2", "Ship 3", "Still here"]


def test_a_form_with_an_error_takes_what_somebody_else_changed_and_marks_stop_nobody_who_edits(owner, friend, mine):
    at = at_element(mine, 0)
    sent = typed(friend, mine, at, engine="many", notes="Mine")
    change_element(mine, "Ship 1", shield=5)
    page = friend.post_to(mine, at, **sent)
    assert (page.status_code, [*page.context["form"].errors]) == (422, ["engine"])
    assert friend.post_to(mine, at, **form_data_of(page) | {"engine": "4"}).status_code == 302
    assert (elements(mine)[0].engine, elements(mine)[0].shield, elements(mine)[0].notes) == (4, 5, "Mine")
    at, uid = at_element(mine, 0), elements(mine)[0].id
    sent = typed(friend, mine, at, name="Renamed")
    owner.post_to(mine, "marks/box", box=f"{uid} 0 shield 0 1", request_id="a")
    assert friend.post_to(mine, at, **sent).status_code == 302
    assert (elements(mine)[0].name, play_of(mine).damage) == ("Renamed", {f"{uid} 0": {"shield": 1}})


@pytest.mark.parametrize("chosen", ["5", "7"])
def test_a_quantity_that_somebody_else_changed_is_a_conflict(owner, friend, mine, chosen):
    """Both started from the same page; whoever agrees, or comes first, is not asked."""
    uid = elements(mine)[0].id
    page = typed(owner, mine, "")
    name = f"quantity-{uid}"
    for client, quantity in ((owner, "5"), (owner, "5"), (friend, "5")):
        assert client.post_to(mine, "quantities", **page | {name: quantity}).status_code == 302
    clash = friend.post_to(mine, "quantities", **page | {name: "7"})
    wrong = ["It was changed to 5 while you were typing 7."]
    assert (clash.status_code, clash.context["page_form"].errors[name]) == (409, wrong)
    assert re.findall(f'<button[^>]* name="{name}" value="([57])">', clash.content.decode()) == ["7", "5"]
    assert elements(mine)[0].quantity == 5
    assert friend.post_to(mine, "quantities", **form_data_of(clash) | {name: ["7", chosen]}).status_code == 302
    assert elements(mine)[0].quantity == int(chosen)


def test_a_repeated_request_changes_nothing(owner, friend, mine):
    """Its answer was lost, and somebody has changed the roster back meanwhile, or has changed it once more."""
    uid = elements(mine)[0].id
    for at, more in (("quantities", {f"quantity-{uid}": "7"}), ("element/duplicate", {"element": uid}), ("undo", {})):
        sent = typed(owner, mine, "") | more
        for _ in range(2):
            assert owner.post_to(mine, at, **sent).status_code == 302
        for other in ("undo", "formation/add"):
            friend.post_to(mine, other)
        before = document_of(mine)
        assert owner.post_to(mine, at, **sent).status_code == 302
        assert document_of(mine) == before, at
    assert [str(revision.message) for revision in reversed(mine.revisions.all())] == [
        *("Started", "Set Ship 1 to 7", "Undone: Set Ship 1 to 7", "Added Fleet 2"),
        *("Duplicated Ship 1", "Undone: Duplicated Ship 1", "Added Fleet 3", "Undone: Added Fleet 3"),
        *("Undone: Added Fleet 2", "Added Fleet 2"),
    ]


def test_a_quantity_that_changes_between_reading_and_writing_is_a_conflict_too(owner, mine, monkeypatch):
    page, name, init = typed(owner, mine, ""), f"quantity-{elements(mine)[0].id}", RosterPageForm.__init__

    def late(*given, **named):
        monkeypatch.setattr(RosterPageForm, "__init__", init)
        init(*given, **named)
        change_element(mine, "Ship 1", quantity=5)

    monkeypatch.setattr(RosterPageForm, "__init__", late)
    assert owner.post_to(mine, "quantities", **page | {name: "7"}).status_code == 409
    assert elements(mine)[0].quantity == 5


def test_a_model_is_split_off_with_its_damage_although_the_quantity_changes_meanwhile(owner, mine, monkeypatch):
    """The page shows five ships of which the third is damaged; of the three that are left, it is the last."""
    uid = elements(mine)[0].id
    change_element(mine, "Ship 1", quantity=5)
    owner.post_to(mine, "marks/box", box=f"{uid} 2 shield 0 1", request_id="a")
    before_next_call(monkeypatch, writer, "apply_edit", lambda: change_element(mine, "Ship 1", quantity=3))
    owner.post_to(mine, "element/split", element=uid)
    kept, new = elements(mine)[:2]
    assert (kept.quantity, play_of(mine).damage[f"{new.id} 0"]) == (2, {"shield": 1})


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_browsers_no_tap_is_lost_or_doubled_although_a_third_of_the_answers_is_cut_off(owner):
    """`python -m tools.attack lost_taps`, in small."""
    roster = owner.create(lost_taps.document())
    at, players = url_of(roster, "marks"), []

    def sender(client):
        def send(button, fields, cut):
            answer = client.post(f"{at}/{button}", fields, headers={"HX-Request": "true"})
            return None if cut else answer.content.decode()

        return send

    for number in range(1, lost_taps.BROWSERS + 1):
        client = Person(f"browser {number}")
        roster.browsers.add(client.browser)
        players.append(lost_taps.Player(sender(client), number, 1))
    assert [*lost_taps.played(players, 2, owner.text, at, lambda: connection.close())] == []  # noqa: PLW0108
