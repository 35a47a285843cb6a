"""The play page: boxes and turns are set, alerts shown, damage reset and undone; nothing tapped is lost or doubled."""

import json
import re
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone

from rosters.core.play import with_damage
from rosters.store import play
from tests.people import ELEMENTS, SHIP, document_of, element, reload
from tests.support import roster_data


@pytest.fixture
def squadron(owner):
    """Three ships with shields of 3 and more."""
    return owner.copy_sample("msc/book-squadron")


def act(client, squadron, button, **sent):
    """Press a button of the play page; the page that follows."""
    return client.post_to(squadron, f"marks/{button}", **{"request_id": uuid4().hex, "follow": True} | sent)


def tap(client, squadron, name, place, **more):
    """Press a box of a ship, given as model, track, number, and 1 to mark or 0 to clear it."""
    return act(client, squadron, "box", box=f"{element(squadron, name).id} {place}", **more)


def ships(squadron):
    """The marks of each ship as data; None without any."""
    document = with_damage(document_of(squadron), play.play_of(squadron).damage)
    return [ship.marks[0].model_dump(exclude_defaults=True) if ship.marks else None
            for ship in document.formations[0].elements]  # fmt: skip


TAPS = [
    ("0 shield 1 1", {"shield": 2}),  # the boxes before it are marked too
    ("0 shield 0 1", {"shield": 2}),  # is so already
    ("0 shield 1 0", {"shield": 1}),
    ("0 weapons 1 1", {"shield": 1, "weapons": ("FL",)}),
    ("0 shield 0 0", {"weapons": ("FL",)}),
    ("0 weapons 1 0", None),
]


def test_a_bar_stands_where_something_happens_before_the_last_box(owner, squadron):
    """A warband of 6MM has strength 5 and routs at 2, after three boxes; a ship's track breaks at its end.

    A unit of three elements alike tests morale after two; what is alone has a box that says whether it is in play.
    """
    warband = owner.create(roster_data("6mm", [{"type": "WBD"}]))
    rifle = ELEMENTS["mini-combat"]
    rifles, alone = (owner.create(roster_data("mini-combat", [rifle | {"quantity": number}])) for number in (3, 1))
    boxes = {each: re.findall(r'<button class="mark([^"]*)"[^>]*>(.*?)</button>', owner.text(f"/r/{each.token}/marks"))
             for each in (warband, rifles, alone)}  # fmt: skip
    assert boxes[warband] == [("", "5"), ("", "4"), (" breaks", "3"), ("", "2"), ("", "1")]
    assert boxes[rifles] == [("", "1"), (" breaks", "2"), ("", "3")]
    assert boxes[alone] == [("", "<span>In play</span><span>Destroyed</span>")]
    for box, broken in enumerate(("", "", "routs", "routs", "")):
        page = act(owner, warband, "box", box=f"{document_of(warband).formations[0].elements[0].id} 0 strength {box} 1")
        assert page.context["sections"][0].cards[0].models[0].broken == broken, box
    assert ([alert.kind for alert in page.context["alerts"]], page.context["lasting"]) == (["event", ""], 1)
    uid = document_of(warband).formations[0].elements[0].id
    act(owner, warband, "box", box=f"{uid} 0 strength 4 0")
    page = act(owner, warband, "box", box=f"{uid} 0 rallied 0 1")
    (aside,) = [aside for *_, aside in page.context["sections"][0].cards[0].rows()]
    assert (aside.text, aside.lost, aside.marked, aside.value) == ("routs", "rallied", True, f"{uid} 0 rallied 0 0")
    assert [owner.context(f"/r/{each.token}/marks")["barred"] for each in (warband, squadron)] == [True, False]


NO_BOX = ["", "x", "x 0 shield 0 1", *(f"{{}} {box}" for box in ("9 shield 0 1", "0 shield 9 1", "0 sails 0 1"))]
NO_BOX += ["{} a b c 1", "{} 0 shield 0 2"]
NO_TURN = [{"turn": "x", "shown_turn": "0"}, {"turn": "1000", "shown_turn": "0"}, {"turn": "1"}]


def test_a_box_is_set_to_what_the_tap_says_and_one_that_is_not_there_changes_nothing(owner, squadron):
    uid = element(squadron, "Ship 1").id
    for box in NO_BOX:
        assert act(owner, squadron, "box", box=box.format(uid), follow=False).status_code in (302, 404), box
    for sent in NO_TURN:
        assert act(owner, squadron, "turn", **sent).status_code == 404
    assert (ships(squadron), play.play_of(squadron).turn) == ([None] * 3, 0)
    # Each button sends what pressing it shall make: of two marked boxes, the first clears the second.
    for place, marks in TAPS:
        page = tap(owner, squadron, "Ship 1", place)
        assert ships(squadron) == [marks, None, None], place
        if place == "0 shield 0 1":
            sent = re.findall(r'value="\S+ (0 shield \d+ [01])" aria-pressed="(\w+)"', page.content.decode())[:3]
            assert sent == [("0 shield 1 0", "true"), ("0 shield 1 0", "true"), ("0 shield 2 1", "false")]
    (alert,) = tap(owner, squadron, "Ship 1", "0 shield 2 1").context["alerts"]
    assert alert.where == "formations/0/elements/0"


def test_the_script_is_sent_the_page_again_only_after_a_change(owner, squadron):
    def ask():
        return owner.get(f"/r/{squadron.token}/marks", headers={"HX-Request": "true", "If-None-Match": known})

    known = owner.context(f"/r/{squadron.token}/marks")["version"]
    assert ask().status_code == 304
    for change in (partial(tap, name="Ship 1", place="0 shield 0 1"), partial(act, button="undo"),
                   lambda owner, squadron: owner.post_to(squadron, "formation/add")):  # fmt: skip
        change(owner, squadron)
        squadron.refresh_from_db()
        answer = ask()
        assert answer.status_code == 200
        known = answer.context["version"]
    assert owner.get(f"/r/{squadron.token}/marks", headers={"If-None-Match": known}).status_code == 200  # a form once


def test_the_script_is_sent_the_page_at_once_and_a_page_of_an_older_release_is_told_to_try_again(owner, squadron):
    sent = {"request_id": "a", "turn": "1", "shown_turn": "0"}
    answer = owner.post(f"/r/{squadron.token}/marks/turn", sent, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.context["play"].turn) == (200, 1)
    for at in ("marks", "marks/box", "marks/turn", "marks/reset"):
        response = owner.post_to(squadron, at, do="next-turn")
        assert (response.status_code, response.url) == (303, f"/r/{squadron.token}/marks")


def test_a_repeated_request_changes_nothing_unless_it_asks_for_another_box(owner, squadron):
    """Not even where somebody has set the box or the turn back meanwhile; a page that one goes back to works again."""
    for _ in range(2):
        tap(owner, squadron, "Ship 1", "0 shield 0 1", request_id="a")
        act(owner, squadron, "turn", turn=1, shown_turn=0, request_id="b")
        tap(owner, squadron, "Ship 1", "0 shield 0 0")
        play.set_turn(squadron, "", 0, 1)
    assert (ships(squadron), play.play_of(squadron).turn) == ([None] * 3, 0)
    assert play.play_of(squadron).sessions[0][2] == 4
    for box in (0, 1, 2):
        tap(owner, squadron, "Ship 1", f"0 shield {box} 1", request_id="c")
    assert ships(squadron)[0] == {"shield": 3}


@pytest.mark.parametrize(("asked", "shown", "after", "warned"), [
    (6, 5, 6, False), (4, 5, 4, False), (5, 4, 5, False), (4, 3, 5, True), (7, 6, 5, True), (5, 5, 5, False),
])  # fmt: skip
def test_a_turn_is_set_from_the_one_that_was_shown(owner, squadron, asked, shown, after, warned):
    play.set_turn(squadron, "", 5, 0)
    page = act(owner, squadron, "turn", turn=asked, shown_turn=shown)
    assert (play.play_of(squadron).turn, page.context["play"].turn) == (after, after)
    assert [str(message) for message in page.context["messages"]] == ["Turn 5 already."] * warned


def test_play_is_undone_step_by_step_and_the_roster_apart_from_it(owner, squadron):
    tap(owner, squadron, "Ship 1", "0 shield 2 1")
    act(owner, squadron, "turn", turn=1, shown_turn=0)
    owner.post_to(squadron, "formation/add")
    tap(owner, squadron, "Ship 2", "0 engine 0 1")
    act(owner, squadron, "reset")
    states, said = [], []
    for _ in range(5):
        states.append((ships(squadron), play.play_of(squadron).turn))
        said += [str(message) for message in act(owner, squadron, "undo").context["messages"]]
    assert said == [
        f"Undone: {each}" for each in ("Reset damage", "Ship 2, ENGINE 2", "Turn 1", "Ship 1, SHIELD 3, 2, 1")
    ]
    none, one = [None] * 3, [{"shield": 3}, None, None]
    assert states == [(none, 0), ([{"shield": 3}, {"engine": 1}, None], 1), (one, 1), (one, 0), (none, 0)]
    assert (reload(squadron).revision, len(document_of(squadron).formations)) == (2, 2)
    tap(owner, squadron, "Ship 1", "0 shield 0 1")
    owner.post_to(squadron, "undo")
    assert (len(document_of(squadron).formations), ships(squadron)[0]) == (1, {"shield": 1})


def test_the_history_has_one_line_for_each_session_of_play(owner, squadron, friend, monkeypatch):
    began = timezone.now()
    times = [began + timedelta(minutes=minutes) for minutes in (1, 20, 40, 40 + 179, 40 + 179 + 181)]
    for number, now in enumerate(times):
        monkeypatch.setattr(play.timezone, "now", lambda now=now: now)
        tap(owner, squadron, "Ship 1", f"0 shield 0 {(number + 1) % 2}")
    monkeypatch.undo()
    (entry,) = owner.context(f"/r/{squadron.token}/history")["entries"]
    assert [session.changes for session in entry.played] == [1, 4]
    assert friend.context(f"/s/{squadron.token}/history")["entries"][0].played == []


def marks_sent(text):
    return [ship.get("marks") for ship in json.loads(text)["formations"][0]["elements"]]


def test_others_get_damage_only_where_the_owner_shows_it(owner, friend, squadron):
    tap(owner, squadron, "Ship 1", "0 shield 0 1")
    addresses = [f"/s/{squadron.token}.json", f"/s/{squadron.token}.txt", f"/s/{squadron.token}.pdf?marks=1"]
    before = [friend.get(address).content for address in addresses]
    assert marks_sent(owner.text(f"/r/{squadron.token}/document.json"))[0] == [{"shield": 1}]
    assert marks_sent(before[0]) == [None] * 3
    act(owner, squadron, "show", show=1)
    after = [friend.get(address).content for address in addresses]
    assert marks_sent(after[0])[0] == [{"shield": 1}]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, False]
    assert marks_sent(friend.text(f"/s/{squadron.token}/r1.json")) == [None] * 3
    act(owner, squadron, "show", show=0)
    assert [friend.get(address).content for address in addresses] == before


def test_damage_follows_its_models_through_edits_of_the_roster(owner, squadron):
    uid = element(squadron, "Ship 1").id

    def quantity(number):
        now = element(squadron, "Ship 1").quantity
        owner.post_to(squadron, "quantities", **{f"quantity-{uid}": number, f"initial-quantity-{uid}": now})

    quantity(3)
    tap(owner, squadron, "Ship 1", "2 shield 0 1")
    owner.post_to(squadron, "element/split", element=uid)
    split = document_of(squadron).formations[0].elements[1]
    assert {*play.play_of(squadron).damage} >= {f"{split.id} 0"}
    owner.post_to(squadron, "undo")
    document = with_damage(document_of(squadron), play.play_of(squadron).damage)
    assert [mark.shield for mark in document.formations[0].elements[0].marks] == [0, 0, 1]
    owner.post_to(squadron, "element/delete", element=uid)
    owner.post_to(squadron, "undo")
    assert f"{uid} 2" in play.play_of(squadron).damage
    typed = {f"quantity-{uid}": 5, f"initial-quantity-{uid}": 3}
    owner.post_to(squadron, "element/split", element=uid, **typed)
    split = document_of(squadron).formations[0].elements[1]
    assert f"{split.id} 0" not in play.play_of(squadron).damage, "the fifth model has none"
    quantity(2)
    quantity(3)
    assert f"{uid} 2" not in play.play_of(squadron).damage


def test_equal_elements_share_a_card_and_a_large_roster_is_folded_by_formation(owner):
    """Three ships alike, the second line of two; a ship of another name has a card of its own."""
    named = SHIP | {"name": "Raider"}
    same = owner.create(roster_data("msc", [named, named | {"quantity": 2}, SHIP | {"name": "Other"}]))
    second = document_of(same).formations[0].elements[1].id
    page = act(owner, same, "box", box=f"{second} 1 shield 0 1", start=0)
    first, other = page.context["sections"][0].cards
    assert (first.quantity, other.quantity) == (3, 1)
    assert [any(marked[0] for _track, marked in model.tracks) for model in first.models] == [False, False, True]
    boxes = [box for _model, rows, _rare, _aside in [*first.rows()][1:] for row in rows for box in row.boxes]
    assert {box.value.split()[0] for box in boxes} == {second}
    # 150 ships in the first fleet, none in the second, 30 in the third.
    data = roster_data("msc", [SHIP | {"quantity": 150}], [], [SHIP | {"quantity": number} for number in (10, 20)])
    large = owner.create(data)
    shown, folds = {}, {}
    for start in (0, 100, 170):
        sections = owner.context(f"/r/{large.token}/marks?start={start}")["sections"]
        shown[start] = [sum(len(card.models) for card in section.cards) for section in sections]
        folds[start] = [[*section.folds] for section in sections]
    assert shown == {0: [100, 0, 0], 100: [50, 0, 30], 170: [0, 0, 10]}
    assert folds[0] == [[(100, 50)], [], [(150, 30)]]
    assert folds[170] == [[(0, 100), (100, 50)], [], [(150, 20)]]
    page = act(owner, large, "box", box=f"{document_of(large).formations[2].elements[1].id} 19 shield 0 1", start=170)
    models = [model for card in page.context["sections"][2].cards for model in card.models]
    assert (page.context["played"].start, sum(any(marked) for model in models for _, marked in model.tracks)) == (
        170,
        1,
    )
