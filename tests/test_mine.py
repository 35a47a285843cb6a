"""My rosters: what the owner, a friend with the edit link, another account and a stranger find there, and the bin."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rosters import registry, shelf
from rosters.models import Browser, Revision, Roster, hashed

pytestmark = pytest.mark.django_db

SYSTEMS = ["mini-combat", "6mm", "msc", "vsgmr", "urutsk"]
SENTINEL = "sentinel-4711"


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def friend():
    return Client()


@pytest.fixture
def stranger():
    return Client()


def start(client, name="Iron Guard", system="msc"):
    response = client.post(f"/new/{system}", {"name": name, "size": "0"})
    return Roster.objects.get(token=response.url.split("/")[2])


def lend(client, friend, roster):
    """Let a friend open the roster by a new edit link."""
    page = client.post(f"/r/{roster.token}/", {"do": "new-edit-link"}, follow=True).content.decode()
    friend.get(re.findall(rf"/e/{roster.token}/[\w-]+", page)[-1])  # the first page shows the first link as well


def do(client, verb, *rosters, address="/mine/", **sent):
    return client.post(address, {"do": verb, "pick": [r.token for r in rosters], **sent}, follow=True)


def names(client, address="/mine/"):
    """The names that a page lists, in their order."""
    return re.findall(r'aria-label="Tick ([^"]*)"', client.get(address).content.decode())


def fresh(roster):
    return Roster.objects.get(pk=roster.pk)


# ---------------------------------------------------------------- the list


def test_a_browser_sees_its_own_rosters_and_a_stranger_none(owner, stranger):
    start(owner, "Red")
    start(owner, "Blue")
    assert names(owner) == ["Blue", "Red"]
    assert names(stranger) == []
    page = stranger.get("/mine/").content.decode()
    assert "No rosters yet" in page
    assert "Red" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=red", ["Red Łódź", "Bored"]),
        ("q=łódź", ["Red Łódź"]),
        ("q=LODZ", ["Red Łódź"]),
        ("q=club", ["Blue"]),
        ("q=minimal", ["Red Łódź", "Blue"]),
        ("q=red+minimal", ["Red Łódź"]),
        ("q=nothing", []),
        ("game=vsgmr", ["Bored"]),
        ("game=nosuch", ["Red Łódź", "Bored", "Blue"]),
        ("folder=Summer", ["Blue"]),
        ("tag=club", ["Blue"]),
        ("tag=clu", []),
        ("archived=1", ["Old"]),
        ("archived=all", ["Old", "Red Łódź", "Bored", "Blue"]),
        ("least=20", ["Red Łódź"]),
        ("most=20", ["Bored"]),
        ("least=nan", ["Red Łódź", "Bored", "Blue"]),
        ("sort=points&archived=all", ["Red Łódź", "Bored", "Old", "Blue"]),
        ("sort=name", ["Blue", "Bored", "Red Łódź"]),
        ("sort=game", ["Red Łódź", "Blue", "Bored"]),
        ("sort=zzz&page=99", ["Red Łódź", "Bored", "Blue"]),
    ],
)
def test_what_to_show_stands_in_the_address(owner, query, found):
    kept = {"Blue": ("msc", None), "Bored": ("vsgmr", 10), "Red Łódź": ("msc", 30), "Old": ("msc", None)}
    for name, (system, points) in kept.items():
        roster = start(owner, name, system)
        Roster.objects.filter(pk=roster.pk).update(points=points)
        if name == "Blue":
            do(owner, "folder", roster, folder="Summer")
            do(owner, "tag", roster, tags="Club Night, club")
        if name == "Old":
            do(owner, "archive", roster)
    assert names(owner, f"/mine/?{query}") == found


def test_every_game_has_its_line(owner):
    for system in SYSTEMS:
        start(owner, f"My {system}", system)
    page = owner.get("/mine/").content.decode()
    for system in SYSTEMS:
        assert f"My {system}" in page
        assert registry.SYSTEMS[system].name in page


def many(number):
    """A browser with many rosters."""
    client, browser = Client(), Browser.objects.create(key_hash=hashed("many"))
    client.cookies["armybuilder_browser"] = "many"
    now = timezone.now()
    rows = [Roster(system="msc", name=f"R{n}", creator=browser, changed=now, tags=f"t{n}") for n in range(number)]
    links = Roster.browsers.through
    links.objects.bulk_create([links(roster=r, browser=browser) for r in Roster.objects.bulk_create(rows)])
    return client


def test_fifty_a_page(owner):
    client = many(120)
    assert len(names(client)) == 50
    assert len(names(client, "/mine/?page=3")) == 20
    assert 'href="?sort=name&amp;page=2"' in client.get("/mine/?sort=name").content.decode()


def test_the_queries_of_the_list_do_not_grow():
    client = many(5)
    with CaptureQueriesContext(connection) as few:
        client.get("/mine/?q=R")
    Browser.objects.all().delete()
    client = many(400)
    with CaptureQueriesContext(connection) as lots:
        client.get("/mine/?q=R")
    assert len(few) == len(lots) <= 4


def test_the_list_looks_rosters_up_by_index_alone(rf):
    """No plan step reads the table of all rosters from end to end."""
    user = User.objects.create(username="u")
    request = rf.get("/")
    request.user, request.COOKIES = user, {"armybuilder_browser": "secret"}
    with CaptureQueriesContext(connection) as ran:
        shelf.lines(request)
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {ran[-1]['sql']}")
        assert not [step for *_, step in cursor.fetchall() if step.startswith("SCAN")]


def test_home_keeps_the_last_few_and_leads_to_all(owner):
    for number in range(8):
        start(owner, f"Roster no {number}")
    page = owner.get("/").content.decode()
    assert "Roster no 7" in page
    assert "Roster no 1" not in page
    assert 'href="/mine/"' in page


# ---------------------------------------------------------------- what is done with the ticked ones


def test_folders_and_tags_are_put_on_and_taken_off(owner):
    one, two = start(owner, "One"), start(owner, "Two")
    do(owner, "folder", one, two, folder="  Summer   2026 ")
    do(owner, "tag", one, tags="Club, league ,CLUB")
    page = do(owner, "tag", one, two, tags="new").content.decode()
    assert "Tagged 2 rosters with “new”." in page
    assert [(fresh(r).folder, fresh(r).tags) for r in (one, two)] == [
        ("Summer 2026", "club, league, new"),
        ("Summer 2026", "new"),
    ]
    do(owner, "untag", one, two, tags="club, new")
    do(owner, "folder", one, folder="")
    assert [(fresh(r).folder, fresh(r).tags) for r in (one, two)] == [("", "league"), ("Summer 2026", "")]


def test_enter_does_what_was_typed(owner):
    one = start(owner)
    do(owner, "folder", one, folder="Keep me")
    do(owner, "label", one, folder="", tags="fast")
    assert (fresh(one).folder, fresh(one).tags) == ("Keep me", "fast")
    do(owner, "label", one, folder="Other", tags="")
    assert (fresh(one).folder, fresh(one).tags) == ("Other", "fast")


def test_the_page_comes_back_as_it_was(owner):
    one = start(owner)
    response = do(owner, "archive", one, address="/mine/?q=iron&sort=name")
    assert response.redirect_chain == [("/mine/?q=iron&sort=name", 302)]
    assert fresh(one).archived
    do(owner, "unarchive", one)
    assert not fresh(one).archived


def test_nothing_ticked_is_told(owner):
    start(owner)
    assert "Tick the rosters first" in do(owner, "archive").content.decode()
    assert "Write the tag first" in do(owner, "tag", Roster.objects.get(name="Iron Guard"), tags=" , ").content.decode()


@pytest.mark.parametrize("sent", [{"folder": "x" * 61}, {"tags": "y" * 301}])
def test_a_label_that_is_too_long_is_refused_whole(owner, sent):
    one = start(owner)
    response = do(owner, "label", one, **sent)
    assert response.status_code == 400
    assert "Nothing was changed" in response.content.decode()
    assert (fresh(one).folder, fresh(one).tags) == ("", "")


def test_tags_that_would_not_fit_any_more_are_told_and_left(owner):
    one = start(owner)
    do(owner, "tag", one, tags="a" * 200)
    assert "up to 300 characters" in do(owner, "tag", one, tags="b" * 200).content.decode()
    assert fresh(one).tags == "a" * 200


def test_an_action_that_there_is_not_is_404(owner):
    one = start(owner)
    assert do(owner, "explode", one).status_code == 404
    assert do(owner, "explode", one, address="/mine/bin").status_code == 404


def test_tokens_of_others_are_as_if_they_had_not_been_sent(owner, stranger):
    one = start(owner)
    start(stranger, "Mine")
    for verb in ("folder", "tag", "archive", "delete"):
        page = do(stranger, verb, one, folder="x", tags="x").content.decode()
        assert "Tick the rosters first" in page
        assert one.name not in page
    for verb in ("undo", "restore", "forever", "forever-sure"):
        do(owner, "delete", one)
        assert one.name not in do(stranger, verb, one, address="/mine/bin").content.decode()
        assert fresh(one).binned
    assert (fresh(one).folder, fresh(one).tags, fresh(one).archived) == ("", "", False)


def test_a_lent_roster_is_listed_without_the_owners_labels_and_keeps_them(owner, friend):
    one = start(owner)
    do(owner, "folder", one, folder=f"Folder {SENTINEL}")
    do(owner, "tag", one, tags=f"tag {SENTINEL}")
    do(owner, "archive", one)
    lend(owner, friend, one)
    page = friend.get("/mine/").content.decode()
    assert names(friend) == [one.name]
    assert "lent to you" in page
    assert SENTINEL not in page
    assert names(friend, f"/mine/?q={SENTINEL}") == []
    for verb in ("folder", "tag", "untag", "unarchive"):
        page = do(friend, verb, one, folder="theirs", tags=f"tag {SENTINEL}").content.decode()
        assert "stay as they are" in page
    assert (fresh(one).folder, fresh(one).tags) == (f"Folder {SENTINEL}", f"tag {SENTINEL}")
    assert fresh(one).archived


def test_what_is_under_an_account_is_not_called_lent_where_it_began(owner, friend):
    one = start(owner)
    owner.post(
        "/account/signup/", {"email": "a@example.com", "password1": "correct horse 9", "password2": "correct horse 9"}
    )
    owner.post("/account/claim", {"pick": [one.token]})
    assert "under an account</span>" not in owner.get("/mine/").content.decode()
    lend(owner, friend, one)
    owner.post("/account/logout/")
    page = owner.get("/mine/").content.decode()
    assert "under an account</span>" in page
    assert "lent to you" not in page
    assert "lent to you" in friend.get("/mine/").content.decode()


# ---------------------------------------------------------------- deleting, and the bin


def test_a_deleted_roster_is_gone_for_everybody_and_undo_leads_back(owner, friend, stranger):
    one = start(owner)
    lend(owner, friend, one)
    page = owner.post(f"/r/{one.token}/delete", follow=True).content.decode()
    assert "Deleted “Iron Guard”." in page
    for client in (owner, friend, stranger):
        for path in (f"/s/{one.token}", f"/r/{one.token}/", f"/s/{one.token}.json"):
            assert client.get(path).status_code == 404
        assert names(client) == []
    undo = re.search(r'name="pick" value="([^"]+)"><button[^>]*value="undo"', page)[1]
    response = owner.post("/mine/bin", {"do": "undo", "pick": undo})
    assert response.url == f"/r/{one.token}/"
    assert stranger.get(f"/s/{one.token}").status_code == 200


def test_only_those_who_may_edit_can_delete(owner, friend, stranger):
    one = start(owner)
    assert stranger.post(f"/r/{one.token}/delete").status_code == 404
    assert stranger.post("/r/nosuchtokenanywhere000/delete").status_code == 404
    assert fresh(one).binned is None
    lend(owner, friend, one)
    assert friend.post(f"/r/{one.token}/delete").status_code == 302
    assert names(owner, "/mine/bin") == [one.name]


def test_deleting_twice_deletes_once(owner):
    one = start(owner)
    owner.post(f"/r/{one.token}/delete")
    first = fresh(one).binned
    assert owner.post(f"/r/{one.token}/delete").status_code == 302
    assert fresh(one).binned == first


def test_several_are_deleted_and_taken_out_together(owner):
    one, two = start(owner, "One"), start(owner, "Two")
    page = do(owner, "delete", one, two).content.decode()
    assert "Deleted 2 rosters." in page
    assert sorted(names(owner, "/mine/bin")) == ["One", "Two"]
    undo = re.search(r'name="pick" value="([^"]+)"><button[^>]*value="undo"', page)[1]
    assert owner.post("/mine/bin", {"do": "undo", "pick": undo}).url == "/mine/"
    assert sorted(names(owner)) == ["One", "Two"]


def test_the_bin_says_until_when_and_gives_back_what_is_ticked(owner):
    one, two = start(owner, "One"), start(owner, "Two")
    do(owner, "delete", one, two)
    until = fresh(one).binned + timedelta(days=30)
    assert until.isoformat()[:10] in owner.get("/mine/bin").content.decode()
    do(owner, "restore", two, address="/mine/bin")
    assert names(owner, "/mine/bin") == ["One"]
    assert names(owner) == ["Two"]


def test_deleting_for_good_asks_first_and_takes_the_history_along(owner):
    one = start(owner)
    do(owner, "delete", one)
    page = do(owner, "forever", one, address="/mine/bin").content.decode()
    assert "Delete for good?" in page
    assert fresh(one).binned
    do(owner, "forever-sure", one, address="/mine/bin")
    assert not Roster.objects.filter(pk=one.pk).exists()
    assert not Revision.objects.filter(roster_id=one.pk).exists()


def test_what_is_not_in_the_bin_cannot_be_deleted_for_good(owner):
    one = start(owner)
    do(owner, "forever-sure", one, address="/mine/bin")
    assert Roster.objects.filter(pk=one.pk).exists()


def test_a_friend_may_take_out_what_was_deleted_but_never_delete_it_for_good(owner, friend):
    one = start(owner)
    lend(owner, friend, one)
    do(friend, "delete", one)
    page = do(friend, "forever-sure", one, address="/mine/bin").content.decode()
    assert "Only its owner" in page
    assert fresh(one).binned
    do(friend, "restore", one, address="/mine/bin")
    assert fresh(one).binned is None


def test_emptybin_deletes_what_is_older_than_thirty_days_and_nothing_else(owner):
    old, young, kept = start(owner, "Old"), start(owner, "Young"), start(owner, "Kept")
    now = timezone.now()
    Roster.objects.filter(pk=old.pk).update(binned=now - timedelta(days=30, minutes=1))
    Roster.objects.filter(pk=young.pk).update(binned=now - timedelta(days=29, hours=23))
    said = StringIO()
    call_command("emptybin", "--dry-run", stdout=said)
    assert Roster.objects.filter(pk=old.pk).exists()
    call_command("emptybin", stdout=said)
    assert said.getvalue().split("\n")[:2] == ["1 would be deleted for good.", "1 deleted for good."]
    assert not Roster.objects.filter(pk=old.pk).exists()
    assert Roster.objects.filter(pk__in=[young.pk, kept.pk]).count() == 2
