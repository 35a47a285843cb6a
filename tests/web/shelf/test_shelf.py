"""The shelf on its pages: entering what one owns, what rosters need of it, and whose it is."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django_tasks_db.models import DBTaskResult

from rosters.models import Force, Shelf, ShelfEntry
from rosters.store import access, reports, shelf
from tests.concurrency import before_next_call
from tests.notation import rows
from tests.people import SHIP, message_levels
from tests.support import roster_data

pytestmark = [pytest.mark.database, pytest.mark.django_db, pytest.mark.usefixtures("without_limits")]


def begin(person):
    person.submit("/shelf/")
    return shelf.shelf_of(access.Visitor(browser=person.browser.key_hash))


def add(person, line, game="msc", **sent):
    address = f"/shelf/{begin(person).token}/add"
    return person.submit(address, line=line, **{"in": game}, **sent)


def counts(own):
    return [(entry.name, entry.quantity, entry.built, entry.painted) for entry in own.entries.all()]


def test_lines_of_any_game_add_to_what_is_there_as_in_the_builder(owner):
    for line, game in (("2 3/3/4 Fox", "msc"), ("3/3/4 Fox", "msc"), ("6 wbd Gauls", "6mm")):
        assert add(owner, line, game).status_code == 302
    own = begin(owner)
    assert counts(own) == [("Fox", 3, 0, 0), ("Gauls", 6, 0, 0)]
    for line, game in (("Fox", "msc"), ("", "msc"), ("R Rear guard E6 S2 T2 R", "msc"), ("10001 wbd Gauls", "6mm")):
        response = add(owner, line, game)
        assert response.status_code == 422, line
    assert owner.text(f"/shelf/{own.token}/line?in=mini-combat&line=2+Wolf"), "a name alone"
    line = f"/shelf/{own.token}/line?in=mini-combat&line=inf+M10+TH4+R20+P2+A1+"
    fearless, tested = (owner.context(line + each)["line_preview"]["parses"][0] for each in ("", "Mo4"))
    assert (fearless.unit_points in fearless.note, tested.unit_points in fearless.note, tested.note) == (True, True, "")
    for _sent_again in range(2):
        answer = add(owner, "2 Vixen", request_id="1")
        assert answer.status_code == 302, "the only element of that name, from a sample"
    assert counts(own)[2:] == [("Vixen", 2, 0, 0)]
    groups = [[row.entry.name for row in rows] for _game, rows in owner.context(f"/shelf/{own.token}/")["groups"]]
    assert groups == [["Gauls"], ["Fox", "Vixen"]]


# what is sent of an entry of 5 of which 3 are built and 1 is painted; what is stored, or the field with the error
COUNTS = rows("""
    painted=3 = 5 3 3 | quantity=0 = | quantity=4 built=4 painted=4 = 4 4 4 | painted=4 = painted | built=6 = built
    quantity=2 = built | quantity=2 built=3 = built | quantity=10001 = quantity | built=many = built | built= = built
    painted=0 initial-painted=0 = 5 3 1
""")


@pytest.mark.parametrize(("sent", "expected"), COUNTS)
def test_no_more_are_painted_than_built_nor_built_than_owned(owner, sent, expected):
    add(owner, "5 3/3/4 Fox")
    own = begin(owner)
    own.entries.update(built=3, painted=1)
    pk = own.entries.get().pk
    data = {f"{name}-{pk}": value for name, _, value in (each.partition("=") for each in sent.split())}
    response = owner.submit(f"/shelf/{own.token}/counts", **data)
    if expected.isalpha():
        assert (response.status_code, [*response.context["form"].errors]) == (422, [f"{expected}-{pk}"])
        assert counts(own) == [("Fox", 5, 3, 1)]
    else:
        assert (response.status_code, counts(own)) == (302, [("Fox", *map(int, expected.split()))] if expected else [])


def test_rosters_say_what_is_missing_and_put_it_on_the_shelf(owner, stranger, monkeypatch):
    first = owner.create(roster_data("msc", [{**SHIP, "quantity": 4}], name="A"))
    second = owner.create(roster_data("msc", [{**SHIP, "quantity": 3}], name="B"))
    foreign = stranger.create(roster_data("msc", [{**SHIP, "quantity": 9}], name="C"))
    started = owner.submit(f"/shelf/?roster={first.token}").url
    own, tokens = begin(owner), [each.token for each in (first, second, foreign)]
    address = f"/shelf/{own.token}/rosters"
    assert started == f"{address}?roster={first.token}"
    for query, needed in (("", 4), ("&at_once=on", 7)):
        page = owner.context(f"{address}?roster={'&roster='.join(tokens)}{query}")
        assert (page["needed"], page["missing"]) == (needed, needed), query
    monkeypatch.setattr("rosters.web.shelf.forms.MAX_CHARACTERS", 500)
    answers = [owner.get(f"{address}?roster={'&roster='.join(some)}") for some in (tokens, tokens[:1])]
    assert [answer.status_code for answer in answers] == [422, 200], "each is less"
    monkeypatch.undo()
    assert owner.submit(address, roster=tokens).status_code == 302
    own.entries.update(built=2, painted=2)
    assert owner.submit(address, roster=tokens[:1]).status_code == 302, "the larger number, not the sum"
    assert counts(own) == [("Element 1", 4, 2, 2)]
    [rows] = [formation.rows for formation in owner.context(f"/r/{second.token}/")["roster_page"].formations]
    assert rows[0].owned == (3, 3, 2), "3 of 3, 2 painted"
    assert [f.rows[0].owned for f in stranger.context(f"/r/{foreign.token}/")["roster_page"].formations] == [None]


def test_a_shelf_is_opened_by_its_owner_link_alone_until_that_is_reset(owner, friend, stranger):
    add(owner, "3/3/4 Fox")
    own = begin(owner)
    base = f"/shelf/{own.token}/"
    link = f"{base}open/{access.decrypt(own.owner_secret)}"
    assert [person.get(base).status_code for person in (friend, stranger)] == [404, 404]
    assert stranger.get(f"{base}open/{'x' * 43}").status_code == 404
    assert friend.get(link).url == base
    assert (friend.get("/shelf/").url, friend.get(base)["Cache-Control"].count("no-store")) == (base, 1)
    assert own.browsers.count() == 1, "opening it writes nothing"
    assert friend.submit(f"{base}add", line="3/3/4 Fox", **{"in": "msc"}).status_code == 302
    assert (own.browsers.count(), counts(own)) == (2, [("Fox", 2, 0, 0)])
    owner.submit(f"{base}link")
    assert [person.get(base).status_code for person in (owner, friend)] == [200, 404]
    assert friend.get(link).status_code == 404
    owner.submit(f"{base}delete")
    assert not Shelf.objects.exists()


def test_a_shelf_is_in_the_players_zip_and_imported_into_another(owner, friend):
    add(owner, "2 3/3/4 Fox")
    begin(owner).entries.update(built=2, painted=1)
    add(friend, "3/3/4 Fox")
    content = b"".join(owner.get("/mine/backup").streaming_content)
    for times in range(2):
        sent = friend.post("/import", {"files": [SimpleUploadedFile("own.zip", content)]})
        assert (sent.status_code, counts(begin(friend))) == (302, [("Fox", 2, 2, 1)]), times
    with ZipFile(forged := BytesIO(), "w") as archive:
        for name in ("manifest.json", "shelf.jsonl"):
            archive.writestr(name, "{}")
    assert friend.post("/import", {"files": [SimpleUploadedFile("x.zip", forged.getvalue())]}).status_code == 400


def test_an_account_claims_the_shelf_and_deletes_it_with_itself(owner, friend, monkeypatch):
    add(owner, "2 3/3/4 Fox")
    owner.sign_up()
    taken = get_user_model().objects.create_user("another")
    before_next_call(monkeypatch, shelf, "claim", lambda: Shelf.objects.update(owner=taken))
    assert message_levels(owner.submit("/account/claim", shelf="on", follow=True))[-1] == "error"
    Shelf.objects.update(owner=None)
    owner.submit("/account/claim", shelf="on")
    own = Shelf.objects.get()
    assert own.owner is not None
    add(friend, "5 3/3/4 Fox")
    friend.sign_in()
    assert friend.get("/shelf/").url == f"/shelf/{own.token}/", "the account's comes first"
    friend.submit("/account/claim", shelf="on")
    assert (Shelf.objects.get(), counts(own)) == (own, [("Fox", 5, 0, 0)]), "the larger number of both"
    owner.submit("/account/delete", password="correct horse 9")
    assert not ShelfEntry.objects.exists()


def test_models_are_split_into_two_matched_forces_that_become_a_battle(owner, stranger):
    place = f"/shelf/{begin(owner).token}/match"
    for line in ("3 Vixen E3 S3 T3 F FL FR", "3 Gun E2 S4 T3 F FL FR"):
        add(owner, line)
    asked = {"game": "msc", "points": "30", "within": "0"}
    for wrong, field in (("points", "0"), ("within", "-1"), ("game", "6mm")):
        assert [*owner.submit(place, **{**asked, wrong: field}).context["form"].errors] == [wrong]
    address = owner.post(place, asked).url
    assert (owner.post(place, asked).url, stranger.get(address).status_code) == (address, 404)
    page = owner.context(address)
    assert (page["report"].state, {side.points for pair in page["pairs"] for side in pair.sides}) == ("waiting", {"30"})
    for task in DBTaskResult.objects.ready():
        reports.run_report.call(*task.args_kwargs["args"])
    pairs = owner.context(address)["pairs"]
    distances = [abs(pair.percents["won"] - 50) for pair in pairs]
    assert (distances, len(pairs) > 1) == (sorted(distances), True)
    assert owner.get(owner.post(f"{address}/battle", {"pair": pairs[0].number}).url).status_code == 200
    assert owner.post(f"{address}/battle", {"pair": "9" * 5_000}).status_code == 404
    made = [force.roster for force in Force.objects.select_related("roster")]
    assert [(each.points, each.budget) for each in made] == [(30, 30)] * 2
    assert owner.submit(place, **{**asked, "points": "5"}).context["form"].errors["within"]
