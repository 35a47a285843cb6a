"""The play page: boxes are marked and cleared, alerts shown, turns counted, damage reset."""

import re

import pytest

from tests.people import document_of, element
from tests.support import roster

pytestmark = pytest.mark.django_db


@pytest.fixture
def squadron(owner):
    """Three ships with shields of 3 and more."""
    return owner.use("msc/book-squadron")


def tap(client, squadron, name, place, **more):
    """Tap a box of a ship, given as model, track and number; the page that follows."""
    return client.act(squadron, at="marks/box", box=f"{element(squadron, name).id} {place}", follow=True, **more)


def marks(squadron):
    return [ship.marks for ship in document_of(squadron).formations[0].elements]


def test_a_tap_marks_a_box_and_a_second_tap_clears_it(owner, squadron):
    page = tap(owner, squadron, "Ship 1", "0 shield 1").content.decode()
    assert marks(squadron)[0][0].shield == 2
    assert page.count('aria-pressed="true"') == 2
    tap(owner, squadron, "Ship 1", "0 shield 1")
    assert marks(squadron)[0][0].shield == 1
    tap(owner, squadron, "Ship 1", "0 weapons 1")
    assert marks(squadron)[0][0].weapons == ("FL",)


def test_the_effect_of_damage_is_shown(owner, squadron):
    (alert,) = tap(owner, squadron, "Ship 1", "0 shield 2").context["alerts"]
    assert alert.where == "formations/0/elements/0"


def test_a_bar_stands_where_something_happens_before_the_last_box(owner, squadron):
    """A warband of 6MM has strength 5 and routs at 2, after three boxes; a ship's track breaks at its end."""
    warband = owner.make(roster("6mm", [{"type": "WBD"}]))
    boxes = re.findall(r'<button class="mark([^"]*)"', owner.read(f"/r/{warband.token}/marks"))
    assert boxes == ["", "", " breaks", "", ""]
    assert [owner.see(f"/r/{each.token}/marks")["barred"] for each in (warband, squadron)] == [True, False]


def test_the_turn_counts_up_and_down_and_never_below_zero(owner, squadron):
    for step, turn in (("1", 1), ("1", 2), ("-1", 1), ("-1", 0), ("-1", 0)):
        page = owner.act(squadron, at="marks/turn", step=step, follow=True)
        assert page.context["roster"].turn == turn


def test_resetting_damage_clears_every_box_and_can_be_undone(owner, squadron):
    tap(owner, squadron, "Ship 1", "0 shield 2")
    tap(owner, squadron, "Ship 2", "0 engine 0")
    owner.act(squadron, at="marks/reset")
    assert marks(squadron) == [(), (), ()]
    owner.act(squadron, at="undo")
    assert marks(squadron)[0][0].shield == 3


NO_BOX = ["", "x", "x 0 shield 0", "{} 9 shield 0", "{} 0 shield 9", "{} 0 sails 0", "{} a b c", "{} -1 shield 0"]


def test_a_box_or_a_turn_that_is_not_there_changes_nothing(owner, squadron):
    uid = element(squadron, "Ship 1").id
    for box in NO_BOX:
        assert owner.act(squadron, at="marks/box", box=box.format(uid)).status_code in (302, 404), box
    assert owner.act(squadron, at="marks/turn", step="2").status_code == 404
    assert (marks(squadron), owner.see(f"/r/{squadron.token}/marks")["roster"].turn) == ([(), (), ()], 0)


def test_a_page_of_an_older_release_is_told_to_try_again(owner, squadron):
    response = owner.act(squadron, at="marks", do="next-turn")
    assert (response.status_code, response.url) == (303, f"/r/{squadron.token}/marks")
