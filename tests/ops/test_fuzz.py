"""A short run of every fuzzer with one seed; that they reach everything, and that they find what they look for."""

from importlib import import_module

import pytest
from django.http import HttpResponse

from rosters.models import Roster
from rosters.web.http.checks import routes
from tools.fuzz import PARTS, forms, kit, uploads
from tools.fuzz.kit import Tally

pytestmark = pytest.mark.django_db

SHORT = {
    "sheets": (20, {}),
    "api": (19, {"systems": ("urutsk",)}),
    "forms": (30, {}),
    "uploads": (25, {}),
    "worst": (30, {"systems": ("urutsk",), "shapes": ("lists",), "scale": 0.1}),
}
"""Cases of each part, and what else keeps it short."""


@pytest.mark.parametrize("part", PARTS)
def test_nothing_that_is_sent_breaks_anything(part):
    cases, short = SHORT[part]
    before = Roster.objects.count()
    tally = import_module(f"tools.fuzz.{part}").run(cases, 1, **short)
    assert tally.failures == []
    assert tally.cases >= cases * 0.7, "operations without anything to forbid send less"
    assert Roster.objects.count() == before


def test_every_route_that_takes_a_form_is_sent_one():
    taking = [route for route in routes() if "POST" in route["methods"]]
    wanted = {route["name"] for route in taking if not route["route"].startswith(("/admin/", "/api/"))}
    with kit.undone():
        found = {*forms.routes_sent_to(forms.Walk(("msc",)))}
    assert wanted - found == set(forms.NOT_ON_A_PAGE)


def test_bombs_are_refused():
    with kit.undone():
        desk, bombs = uploads.Desk(), uploads.bombs()
        for name in ("wide.json", "deep.json", "laughs.ros", "zeros.rosz", "lying.rosz", "own-zeros.zip"):
            assert desk.file(name, bombs[name]) in (400, 413), name
        assert desk.appraise("wide.json", bombs["wide.json"]) == 400
        assert desk.own("own-zeros.zip", bombs["own-zeros.zip"]) == "refused"
        assert desk.restore("zeros.zip", bombs["zeros.zip"]) == "refused"


# ---------------------------------------------------------------- they can fail


BAD_ANSWERS = [
    HttpResponse("Sorry", status=500),
    HttpResponse("Sorry", status=503),
    HttpResponse("Traceback (most recent call last): ..."),
    HttpResponse("ValueError at /mine/", status=400),
    HttpResponse('{"errors": "pydantic_core says no"}', content_type="application/json", status=400),
]


def test_an_answer_that_no_visitor_may_get_fails():
    for response in BAD_ANSWERS:
        with pytest.raises(AssertionError):
            kit.sound(response)
    assert kit.sound(HttpResponse("An Error was made", status=422)).status_code == 422


def test_a_failure_is_recorded_with_what_was_sent_and_too_much_memory_is_one(monkeypatch):
    tally = Tally()
    with tally.case(lambda: {"sent": "x"}):
        raise ValueError("no")
    held = iter([100, 100, 100, 100 + kit.MAX_GROWN, 100 + kit.MAX_GROWN])
    monkeypatch.setattr(kit, "peak", lambda: next(held))
    for sent in "yz":
        with tally.case(lambda sent=sent: {"sent": sent}):
            pass
    assert (tally.cases, [failure["sent"] for failure in tally.failures]) == (3, ["x", "z"])
    assert "ValueError: no" in tally.failures[0]["error"]


def test_a_roster_whose_rows_were_spoiled_is_not_whole_and_a_case_leaves_nothing_behind():
    count = Roster.objects.count()
    with kit.undone():
        site, before = uploads.furnished(), kit.state()
        kit.whole(before, *site.rosters.values())
        Roster.objects.filter(token=site.rosters["msc"]).update(quantity=99)
        with pytest.raises(AssertionError):
            kit.whole(before)
    assert Roster.objects.count() == count
