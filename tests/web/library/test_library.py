"""My rosters: what the owner, a friend with the edit link, another account and a stranger find there, and the bin."""

import gzip
import re
from datetime import timedelta
from io import StringIO
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.models.signals import pre_delete
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rosters.balance import worth
from rosters.core.amounts import format_exact
from rosters.models import Revision, Roster, split_tags
from rosters.registry import SYSTEMS, explanations
from rosters.store.state import current_state
from rosters.web.library import pictures, queries, views
from rosters.web.library.help_tasks import TASKS
from tests.people import COOKIE, SHIP, Person, add_element, message_levels, reload, sample_roster, url_of
from tests.support import FOLDERS, roster_data

BIN = "/mine/bin"
UNDO, RESTORE, DELETE = "bin/undo", "bin/restore", "bin/delete"
SENTINEL = "sentinel-4711"
IRON = roster_data("msc", [], name="Iron Guard")

LISTED = {
    ("Red Łódź", "Bored", "Blue"): ["", "game=nosuch", "least=nan", "sort=zzz&page=99", "page=x", "page=0"],
    ("Red Łódź", "Bored"): ["q=red"],
    ("Red Łódź",): ["q=LODZ", "q=red+minimal", "q=Éclair", "least=20"],
    ("Bored",): ["game=vsgmr", "most=20"],
    ("Blue",): ["q=club", "folder=Summer", "tag=club", "most=-1&q=blue"],
    ("Red Łódź", "Blue"): ["q=VIXEN"],
    (): ["q=summer", "q=100%25", "tag=clu"],
    ("Old",): ["archived=1"],
    ("Old", "Red Łódź", "Bored", "Blue"): ["archived=all"],
    ("Red Łódź", "Bored", "Old", "Blue"): ["sort=points&archived=all"],
    ("Blue", "Bored", "Red Łódź"): ["sort=name"],
    ("Red Łódź", "Blue", "Bored"): ["sort=game"],
}
ELEMENTS_OF = {name: [{**SHIP, "name": "Old vixen"}] for name in ("Blue", "Red Łódź", "Old")}
ELEMENTS_OF["Red Łódź"] += [{**SHIP, "name": "Éclair"}]


def test_the_query_says_what_is_listed_and_a_stranger_has_nothing(owner, stranger):
    made = {}
    for name, points in (("Blue", None), ("Bored", 10), ("Red Łódź", 30), ("Old", None)):
        made[name] = owner.create(
            roster_data("vsgmr" if name == "Bored" else "msc", ELEMENTS_OF.get(name, []), name=name)
        )
        Roster.objects.filter(pk=made[name].pk).update(points=points)
    owner.bulk_action("folder", made["Blue"], folder="Summer")
    owner.bulk_action("tags/add", made["Blue"], tags="Club Night, club")
    owner.bulk_action("archive", made["Old"])
    for names, texts in LISTED.items():
        assert {query: tuple(owner.roster_names(f"/mine/?{query}")) for query in texts} == dict.fromkeys(texts, names)
    assert stranger.roster_names() == []
    assert "Red" not in stranger.text("/mine/")


def test_fifty_a_page_by_a_number_of_queries_that_does_not_grow(db):
    counted, links = [], Roster.browsers.through
    for number in (5, 320):
        client = Person()
        row = {"system": "msc", "creator": client.browser, "changed": timezone.now()}
        rows = [Roster(name=f"R{n}", folded_name=f"r{n}", tags=f"t{n}", **row) for n in range(number)]
        links.objects.bulk_create(
            links(roster=each, browser=client.browser) for each in Roster.objects.bulk_create(rows)
        )
        with CaptureQueriesContext(connection) as ran:
            client.get("/mine/?q=R")
        counted.append(len(ran))
    assert counted[0] == counted[1] <= 8
    assert (len(client.roster_names()), len(client.roster_names("/mine/?page=7"))) == (50, 20)
    assert 'href="/mine/?sort=name&amp;page=2"' in client.text("/mine/?sort=name")
    assert client.context("/mine/?tag=t1&page=2")["links"] == ("/mine/?tag=t1&folder=", "/mine/?tag=")


def test_home_has_a_small_map_and_prices_an_element_as_its_roster_does_and_with_the_stats_asked_for(stranger):
    page = stranger.text("/")
    used = re.findall(r'<use href="#(counter-\w+)" x', page)
    assert {*used} == {*re.findall(r'<symbol[^>]* id="(counter-\w+)"', page)} != set()
    assert page.count('class="advance') == 3
    assert len(gzip.compress(pictures.battle_map().encode())) < 20_000
    assert [page.count(f'href="/new/{slug}"') for slug in SYSTEMS] == [1] * len(SYSTEMS)

    def priced(address):
        return stranger.context(address)["price_form"].price.unit_points.exact

    name, sample = stranger.context("/")["price_form"].price.name, sample_roster("mini-combat/second-world-war")
    [line] = [each for each in current_state(sample).appraised_elements if each.element.name == name]
    assert (
        priced("/") == priced("/price") == priced("/price?range=nan&power=999") == format_exact(line.priced.unit_points)
    )
    assert priced("/?range=100") == priced("/price?range=100") > priced("/price?range=60")
    *steps, total = stranger.context("/")["price_form"].price.receipt
    subtotals = [step.exact for step in steps]
    assert all(before != after for before, after in pairwise(subtotals))  # those that change nothing are left out
    assert subtotals[-1] == total.exact


def test_home_keeps_the_last_few_of_all_games(owner):
    for system in (*FOLDERS, "msc", "6mm"):
        owner.start_roster(f"My {system}", system)
    assert [each.system.slug for each in owner.context("/")["mine"]] == ["6mm", "msc", [*FOLDERS][-1]]
    assert 'class="ok"' not in owner.get("/mine/").content.decode()  # none is legal while it is empty


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plan of SQLite")
def test_lists_of_ones_own_say_how_many_errors_a_roster_has_if_they_were_counted(owner):
    over = owner.create(roster_data("msc", [{**SHIP, "engine": 6}], budget=10))  # ENGINE 0 to 5; above its limit
    for errors, shown in ((2, True), (None, False)):
        Roster.objects.filter(pk=over.pk, errors=2).update(errors=errors)
        pages = [owner.get(path).content.decode() for path in ("/", "/mine/")]
        assert [("Not legal" in page, "2 errors" in page) for page in pages] == [(True, shown)] * 2


def test_the_list_looks_rosters_up_by_index_alone(rf, db):
    request = rf.get("/")
    request.user, request.COOKIES = User.objects.create(username="u"), {COOKIE: "secret"}
    plan = queries.my_rosters_with_bin(request).explain()
    assert [step for step in plan.splitlines() if re.match(r"[\d ]*SCAN", step)] == []


def labels(*rosters):
    return [(reload(each).folder, reload(each).tags) for each in rosters]


@pytest.mark.database
@pytest.mark.parametrize(("second", "kept"), [("second", "first, second"), ("b" * 300, "first")])
def test_tags_that_are_added_at_the_same_time_are_both_kept_if_they_fit(owner, monkeypatch, second, kept):
    one = owner.start_roster()

    def late(text):
        monkeypatch.setattr(views, "split_tags", split_tags)
        owner.bulk_action("tags/add", one, tags="first")
        return split_tags(text)

    monkeypatch.setattr(views, "split_tags", late)
    owner.bulk_action("tags/add", one, tags=second)
    assert labels(one) == [("", kept)]


def test_labels_are_put_on_and_taken_off_and_the_page_keeps_what_could_not_be_done(owner):
    one, two = owner.start_roster("One"), owner.start_roster("Two")
    owner.bulk_action("folder", one, two, folder="  Summer   2026 ")
    owner.bulk_action("tags/add", one, tags="Club, league ,CLUB")
    assert message_levels(owner.bulk_action("tags/add", one, two, tags="new")) == ["success"]
    assert labels(one, two) == [("Summer 2026", "club, league, new"), ("Summer 2026", "new")]
    owner.bulk_action("tags/remove", one, two, tags="club, new")
    owner.bulk_action("folder", one, folder="")
    assert labels(one, two) == [("", "league"), ("Summer 2026", "")]
    for action, archived in (("archive", True), ("unarchive", False)):
        owner.bulk_action(action, one)
        assert reload(one).archived is archived
    before = ("Keep me", "")
    for folder, tags, status, after in (
        ("", "fast", 200, ("Keep me", "fast")),
        ("Other", "", 200, ("Other", "")),
        ("Other", "fast", 200, ("Other", "fast")),
        ("x" * 61, "", 422, before),
        ("", "y" * 301, 422, before),
    ):
        Roster.objects.filter(pk=one.pk).update(folder=before[0], tags="")
        assert (owner.bulk_action("label", one, folder=folder, tags=tags).status_code, *labels(one)) == (status, after)
    one, query = owner.start_roster(), "?q=iron&sort=name"
    assert owner.bulk_action("tags/add", one, query=query, tags="a" * 200).redirect_chain == [(f"/mine/{query}", 302)]
    for action, picked, sent, wrong in (
        ("archive", [], {}, "pick"),
        ("folder", [], {"folder": "Summer"}, "pick"),
        ("tags/remove", [one], {"tags": " , "}, "tags"),
        ("tags/add", [one], {"tags": "b" * 200}, "tags"),
    ):
        refused = owner.bulk_action(action, *picked, query=query, **sent)
        assert (refused.status_code, [*refused.context["bulk_form"].errors]) == (422, [wrong])
        page = refused.content.decode()
        assert [typed for typed in sent.values() if f'value="{typed.strip()}"' not in page and typed.strip(" ,")] == []
        assert page.count(" checked") == len(picked)
    assert labels(one) == [("", "a" * 200)]


def test_a_lent_roster_is_listed_without_the_owners_labels_and_keeps_them(owner, friend):
    one = owner.create(IRON)
    owner.bulk_action("folder", one, folder=f"Folder {SENTINEL}")
    owner.bulk_action("tags/add", one, tags=f"tag {SENTINEL}")
    owner.bulk_action("archive", one)
    friend.get(one.edit_link)
    searches = f"q={SENTINEL}", f"folder=Folder+{SENTINEL}", f"tag=tag+{SENTINEL}"
    found = [friend.roster_names(f"/mine/?{each}") for each in searches]
    assert (friend.roster_names(), found) == ([one.name], [[], [], []])
    assert SENTINEL not in friend.text("/mine/")
    for action, tags in {"folder": "", "tags/add": "b", "tags/remove": f"tag {SENTINEL}", "unarchive": ""}.items():
        assert message_levels(friend.bulk_action(action, one, folder="theirs", tags=tags)) == ["warning"]
    assert (labels(one), reload(one).archived) == ([(f"Folder {SENTINEL}", f"tag {SENTINEL}")], True)
    owner.sign_up()
    owner.submit("/account/claim", pick=[one.token])
    signed_in = owner.context("/mine/?archived=1")["rows"]
    owner.submit("/account/logout/")
    rows = [*signed_in, *owner.context("/mine/?archived=all")["rows"], *friend.context("/mine/")["rows"]]
    assert [(row.own, row.elsewhere) for row, _ in rows] == [(True, False), (True, True), (False, True)]


def test_a_roster_that_its_owner_deleted_is_gone_for_everybody_and_undo_leads_back(owner, friend, stranger):
    one = owner.create(IRON)
    friend.get(one.edit_link)
    assert message_levels(friend.bulk_action("delete", one)) == ["warning"]
    assert reload(one).binned is None
    deleted = owner.post_to(one, "delete", follow=True)
    binned = reload(one).binned
    assert owner.post_to(one, "delete").status_code == 302, "twice is once"
    assert reload(one).binned == binned
    for action in (RESTORE, DELETE):
        friend.bulk_action(action, one, confirmed="1")
    assert (friend.roster_names(BIN), owner.roster_names(BIN)) == ([], [one.name])
    for client in (owner, friend, stranger):
        statuses = [client.get(path).status_code for path in (f"/s/{one.token}", f"/r/{one.token}/")]
        assert (statuses, client.roster_names()) == ([404, 404], [])
    assert f'name="pick" value="{one.token}"' in deleted.content.decode(), "it offers to undo it"
    assert owner.submit(f"{BIN}/undo", pick=one.token).url == f"/r/{one.token}/"
    assert stranger.get(f"/s/{one.token}").status_code == 200


def test_several_are_deleted_taken_out_together_or_deleted_for_good(owner):
    one, two = owner.start_roster("One"), owner.start_roster("Two")
    owner.bulk_action(DELETE, one, confirmed="1")
    assert owner.roster_names() == ["Two", "One"], "what is not in the bin cannot be deleted for good"
    owner.bulk_action("delete", one, two)
    assert sorted(owner.roster_names(BIN)) == ["One", "Two"]
    owner.bulk_action(UNDO, one, two)
    assert owner.roster_names(BIN) == []
    owner.bulk_action("delete", one, two)
    assert (reload(one).binned + timedelta(days=30)).isoformat()[:10] in owner.text(BIN)
    owner.bulk_action(RESTORE, two)
    assert (owner.roster_names(BIN), owner.roster_names()) == (["One"], ["Two"])
    owner.bulk_action(DELETE, one)
    assert reload(one).binned, "it asks first"
    owner.bulk_action(DELETE, one, confirmed="1")
    assert not Revision.objects.filter(roster_id=one.pk).exists()
    owner.bulk_action("delete", two)
    assert owner.context("/mine/bin/empty")["number"] == 1
    owner.submit("/mine/bin/empty")
    assert not Roster.objects.filter(sample=None).exists()


def test_emptybin_deletes_what_is_older_than_thirty_days_but_one_that_cannot_be_deleted(owner):
    ages = {"First": 30.01, "Young": 29.99, "Stuck": 31, "Last": 31}
    rosters = {name: owner.start_roster(name) for name in (*ages, "Not binned")}
    for name, days in ages.items():
        Roster.objects.filter(pk=rosters[name].pk).update(binned=timezone.now() - timedelta(days=days))

    def collide(instance, **_):
        if instance == rosters["Stuck"]:
            raise OperationalError("database is locked")

    call_command("emptybin", dry_run=True, stdout=StringIO())
    assert Roster.objects.filter(sample=None).count() == 5
    pre_delete.connect(collide, sender=Roster)
    try:
        with pytest.raises(CommandError, match=rosters["Stuck"].token):
            call_command("emptybin", stdout=StringIO())
    finally:
        pre_delete.disconnect(collide, sender=Roster)
    left = Roster.objects.filter(sample=None).order_by("name")
    assert [roster.name for roster in left] == ["Not binned", "Stuck", "Young"]
    assert rosters["Stuck"].revisions.count() == 1


def test_help_of_all_games_has_the_terms_with_all_words_and_the_tasks_that_answer_a_question(stranger):
    games = {game.system.slug: len(game.terms) for game in stranger.context("/explain/")["games"]}
    assert {*games} == {*SYSTEMS}
    assert min(games.values()) > 1
    assert stranger.context("/explain/?q=armour")["games"] == stranger.context("/explain/?q=armor")["games"] != []
    found = stranger.context("/explain/?q=TO-HIT")["games"]
    first = {game.system.slug: game.terms[0].term for game in found}["msc"]
    assert first.name == "TO-HIT"
    assert first.text.rpartition(". ")[2] in stranger.text("/explain/?q=TO-HIT"), "rolls before it are links"
    context = stranger.context("/explain/?q=backstep")
    [game] = context["games"]
    assert context["results"] == len(game.terms) + 1
    assert [(len(panel.rows), "backstep" in panel.rows[0][0].lower()) for panel in game.panels] == [(1, True)]
    for query, slug, word in (("6mm+routs", "6mm", "rout"), ("How+is+an+ability+priced%3F", "mini-combat", "ability")):
        games = stranger.context(f"/explain/?q={query}")["games"]
        assert [word in game.terms[0].text.casefold() for game in games if game.system.slug == slug] == [True]
    for query in ("nosuchword", "what+is"):
        assert stranger.context(f"/explain/?q={query}")["games"] == []
    asked = {
        "how to print": "printer",
        "share": "share",
        "undo": "arrow-counterclockwise",
        "delete": "arrow-counterclockwise",
    }
    for query, icon in (asked | {"pdf": "printer", "export": "box-arrow-up", "dark mode": "archive"}).items():
        context = stranger.context(f"/explain/?q={query.replace(' ', '+')}")
        assert (context["answered"], context["tasks"][0].icon) == (True, icon), query
    assert stranger.context("/explain/?q=bin")["games"] == [], "no parts of words beside what answers: no combinations"
    assert {stranger.get(guess).headers["Location"] for guess in ("/help", "/help/")} == {"/explain/"}


def test_each_game_has_a_page_with_a_plot_of_what_its_points_miss(stranger):
    for slug in SYSTEMS:
        page = stranger.text(f"/explain/{slug}/worth")
        stats = sum(group.stat for study in worth.measurements_of(SYSTEMS[slug]).studies for group in study.groups)
        rows = sum(len(study.rows) for study in worth.measurements_of(SYSTEMS[slug]).studies)
        assert (page.count('class="drawing plot"'), page.count('data-label="By odds')) == (stats, rows)
        assert f'href="/explain/{slug}/worth"' in stranger.text(f"/explain/{slug}")
        assert all(each.example for each in explanations(SYSTEMS[slug]) if each.kind == "house rule")


def test_help_leads_to_the_last_roster_and_searches_one_game(owner):
    last = owner.create(roster_data("msc", [SHIP]))
    assert f'href="{url_of(last, "paste")}"' in owner.text("/explain/"), "tasks lead to the last roster"
    add_element(last)
    builder = owner.text(url_of(last)).lower()
    named = {str(link.label) for task in TASKS for link in task.links if link.about == "roster"}
    assert [label for label in named if label.lower() not in builder] == [], "as its buttons and menu items"
    groups = owner.context("/explain/mini-combat?q=recon rec")["groups"]
    assert "Rec" in [card.term.code for _, cards in groups for card in cards]
    assert [*owner.context("/explain/msc?q=xyzzy")["groups"]] == []
    for page in ("/explain/urutsk", "/explain/urutsk/findings"):
        assert 'id="no-command-figure"' in owner.text(page)
