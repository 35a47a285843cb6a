"""The owner, a friend with the link, and a stranger: what each sees, and what each may do."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from rosters import standing
from rosters.models import Roster
from tests.filled import Page

pytestmark = pytest.mark.django_db

SYSTEMS = ["mini-combat", "6mm", "msc", "vsgmr", "urutsk"]


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def friend():
    return Client()


def start(client, system, **sent):
    """Start a roster as a browser does; the roster, and the page that follows."""
    response = client.post(f"/new/{system}", {"name": "Łódź & Søn <b>", "size": "0", **sent}, follow=True)
    assert response.status_code == 200
    token = re.search(r"/r/([\w-]+)/", response.redirect_chain[-1][0])[1]
    return Roster.objects.get(token=token), response


def use(client, sample):
    """A roster of one's own that began as a sample army."""
    source = Roster.objects.get(sample=sample)
    response = client.post(f"/s/{source.token}/copy")
    return Roster.objects.get(token=response.url.split("/")[2])


def document(roster):
    return standing.document_of(Roster.objects.get(pk=roster.pk))


def ids(roster):
    return [[element.id for element in formation.elements] for formation in document(roster).formations]


def act(client, roster, do, **sent):
    return client.post(f"/r/{roster.token}/", {"do": do, **sent}, follow=True)


def test_one_point_is_one_point(owner):
    """A mook costs half a point, a troop one, a hero two."""
    roster, _ = start(owner, "vsgmr")
    address, said = f"/r/{roster.token}/element/preview?in={document(roster).formations[0].id}", {}
    for kind in ("mook", "troop", "hero"):
        preview = owner.post(address, {"name": "x", "quantity": "2", "kind": kind})
        said[kind] = " ".join(re.sub("<[^>]*>", " ", preview.content.decode()).split())[:40]
    assert said["mook"].startswith("0.5 points each × 2 = 1 point Receipt")
    assert said["troop"].startswith("1 point each × 2 = 2 points Receipt")
    assert said["hero"].startswith("2 points each × 2 = 4 points Receipt")


@pytest.mark.parametrize("system", SYSTEMS)
def test_starting_gives_a_roster_with_its_first_formation_and_an_edit_link(owner, system):
    roster, response = start(owner, system)
    page = response.content.decode()
    assert len(document(roster).formations) == 1
    assert f"/e/{roster.token}/" in page
    assert "Łódź &amp; Søn &lt;b&gt;" in page
    assert "<b>" not in page.replace("&lt;b&gt;", "")


def test_starting_asks_again_when_the_name_is_missing_and_keeps_the_rest(owner):
    response = owner.post("/new/vsgmr", {"name": "", "budget": "33"})
    assert response.status_code == 422
    assert 'value="33"' in response.content.decode()
    assert Roster.objects.filter(sample=None).count() == 0


def test_starting_a_defence_sets_scenario_and_side(owner):
    roster, _ = start(owner, "mini-combat", scenario="defensive/defender", budget="600")
    assert (roster.scenario, roster.side, roster.budget) == ("defensive", "defender", 600)


def test_the_edit_link_is_shown_once_and_kept_only_as_a_hash(owner):
    roster, response = start(owner, "msc")
    secret = re.search(rf"/e/{roster.token}/([\w-]+)", response.content.decode())[1]
    assert len(secret) >= 22
    assert secret not in owner.get(f"/r/{roster.token}/").content.decode()
    assert secret not in json.dumps(list(Roster.objects.filter(pk=roster.pk).values()), default=str)


def test_the_edit_link_opens_the_roster_on_another_device_at_a_clean_address(owner, friend):
    roster, response = start(owner, "msc")
    link = re.search(rf"/e/{roster.token}/[\w-]+", response.content.decode())[0]
    opened = friend.get(link)
    assert (opened.status_code, opened.url) == (302, f"/r/{roster.token}/")
    assert friend.get(opened.url).status_code == 200


def test_a_replaced_edit_link_opens_nothing(owner, friend):
    roster, response = start(owner, "msc")
    old = re.search(rf"/e/{roster.token}/[\w-]+", response.content.decode())[0]
    page = act(owner, roster, "new-edit-link").content.decode()
    new = re.search(rf"/e/{roster.token}/[\w-]+", page)[0]
    assert new != old
    assert friend.get(old).status_code == 404
    assert friend.get(new).status_code == 302


def test_the_cookie_lasts_400_days_and_is_renewed_on_every_visit(owner):
    start(owner, "msc")
    cookie = owner.get("/books/").cookies["armybuilder_browser"]
    assert cookie["max-age"] == 400 * 24 * 3600
    assert cookie["httponly"]


def test_a_visitor_who_makes_nothing_gets_no_browser_cookie(friend):
    assert "armybuilder_browser" not in friend.get("/").cookies


def test_my_rosters_stand_on_the_home_page_of_this_browser_alone(owner, friend):
    roster, _ = start(owner, "msc")
    assert f"/r/{roster.token}/" in owner.get("/").content.decode()
    assert f"/r/{roster.token}/" not in friend.get("/").content.decode()


def test_a_friend_gets_the_read_only_page_wherever_the_owner_edits(owner, friend):
    roster = use(owner, "vsgmr/dwarves")
    uid = ids(roster)[0][0]
    for path in ("", f"element?id={uid}", "settings", "add", "formation?id=x"):
        response = friend.get(f"/r/{roster.token}/{path}")
        assert (response.status_code, response.url) == (302, f"/s/{roster.token}")
    page = friend.get(f"/s/{roster.token}").content.decode()
    assert 'name="do"' not in page
    assert "Thane" in page


def test_a_friend_cannot_change_anything(owner, friend):
    roster = use(owner, "vsgmr/dwarves")
    before, uid = document(roster), ids(roster)[0][0]
    for path in (
        "",
        f"element?id={uid}",
        f"element/preview?id={uid}",
        "settings",
        "settings/preview",
        "add",
        "formation",
    ):
        response = friend.post(f"/r/{roster.token}/{path}", {"do": f"delete {uid}", "name": "x", "quantity": "1"})
        assert response.status_code == 404, path
    assert document(roster) == before


@pytest.mark.parametrize("path", ["/s/{}", "/s/{}.json", "/r/{}/", "/r/{}/settings", "/e/{}/secret"])
def test_a_token_of_nobody_is_404(friend, path):
    assert friend.get(path.format("nosuchtokenanywhere000")).status_code == 404


def test_the_document_of_a_roster_appraises_to_what_its_page_says(owner, friend):
    roster = use(owner, "6mm/rommel")
    data = friend.get(f"/s/{roster.token}.json").json()
    assert data["changed"].startswith("20")
    page = friend.get(f"/s/{roster.token}").content.decode()
    assert 'data-points="120"' in page
    assert 'data-points="119.5"' in page


def test_every_price_explains_itself_at_its_own_address(friend):
    roster = Roster.objects.get(sample="vsgmr/dwarves")
    page = friend.get(f"/s/{roster.token}?receipt=all").content.decode()
    assert "Heavy armor, free to a hero commander" in page


# ---------------------------------------------------------------- what the owner does


def test_quantities_are_changed_in_place_and_can_be_undone(owner):
    roster = use(owner, "vsgmr/dwarves")
    guards = ids(roster)[0][2]
    page = act(owner, roster, "quantities", **{f"q {guards}": "5"}).content.decode()
    assert document(roster).formations[0].elements[2].quantity == 5
    assert "Set Guard to 5" in page
    act(owner, roster, "undo")
    assert document(roster).formations[0].elements[2].quantity == 3


def test_a_quantity_may_have_noughts_before_it(owner):
    roster = use(owner, "vsgmr/dwarves")
    guards = ids(roster)[0][2]
    act(owner, roster, "quantities", **{f"q {guards}": "0" * 5000 + "5"})
    assert document(roster).formations[0].elements[2].quantity == 5
    act(owner, roster, "quantities", **{f"q {guards}": "000"})
    assert document(roster).formations[0].elements[2].quantity == 0


@pytest.mark.parametrize("text", ["-1", "x", "10001", "1.5", "", "٣", "9" * 50, "0" * 9 + "10001"])
def test_a_quantity_that_is_none_is_told_and_changes_nothing(owner, text):
    roster = use(owner, "vsgmr/dwarves")
    before = document(roster)
    page = act(owner, roster, "quantities", **{f"q {ids(roster)[0][2]}": text}).content.decode()
    assert "is no quantity for Guard" in page
    assert document(roster) == before


@pytest.mark.parametrize("verb", ["up", "down", "duplicate", "split", "delete"])
def test_every_click_on_an_element_can_be_undone(owner, verb):
    roster = use(owner, "vsgmr/dwarves")
    before = document(roster)
    uid = before.formations[0].elements[2 if verb != "down" else 0].id
    page = act(owner, roster, f"{verb} {uid}").content.decode()
    assert document(roster) != before
    assert "Undo" in page
    act(owner, roster, "undo")
    assert document(roster) == before


@pytest.mark.parametrize("verb", ["formation-up", "formation-down", "formation-duplicate", "formation-delete"])
def test_every_click_on_a_formation_can_be_undone(owner, verb):
    roster = use(owner, "mini-combat/second-world-war")
    before = document(roster)
    uid = before.formations[1].id
    act(owner, roster, f"{verb} {uid}")
    assert document(roster) != before
    act(owner, roster, "undo")
    assert document(roster) == before


def test_ticked_elements_move_to_another_formation(owner):
    roster = use(owner, "mini-combat/second-world-war")
    first, second = document(roster).formations[:2]
    picked = [first.elements[0].id, "gone-meanwhile"]
    act(owner, roster, "move-picked", pick=picked, to=second.id)
    assert document(roster).formations[1].elements[-1].id == first.elements[0].id


def test_nothing_ticked_is_told(owner):
    roster = use(owner, "vsgmr/dwarves")
    assert "Tick the elements" in act(owner, roster, "delete-picked").content.decode()


def test_what_is_gone_is_told_and_does_no_harm(owner):
    roster = use(owner, "vsgmr/dwarves")
    before = document(roster)
    assert "no longer in the roster" in act(owner, roster, "delete nosuchid").content.decode()
    assert document(roster) == before


def test_settings_change_name_budget_scenario_and_house_rules(owner):
    roster = use(owner, "6mm/rommel")
    sent = {"name": "龍", "budget": "99.5", "notes": "n", "tank_gun_reduced": "on", "torsion_factor": "1"}
    assert owner.post(f"/r/{roster.token}/settings", sent).status_code == 302
    found = document(roster)
    assert (found.name, found.budget, found.options.tank_gun_reduced, found.options.torsion_factor) == (
        "龍",
        99.5,
        True,
        1,
    )


def test_settings_show_the_change_of_points_of_every_house_rule_before_saving(owner):
    roster = use(owner, "6mm/rommel")
    page = owner.get(f"/r/{roster.token}/settings").content.decode()
    assert 'data-points="-5"' in page  # five Panzer IV, one point less each
    live = owner.post(
        f"/r/{roster.token}/settings/preview", {"name": "x", "tank_gun_reduced": "on", "torsion_factor": "0"}
    )
    assert 'data-points="115"' in live.content.decode()  # 119.5 - 5 = 114.5, half up
    assert document(roster).options.tank_gun_reduced is False


def test_faulty_settings_keep_what_was_typed_and_change_nothing(owner):
    roster = use(owner, "vsgmr/dwarves")
    before = document(roster)
    sent = {"name": "Kept words", "budget": "many", "scenario": "basic", "side": "target"}
    response = owner.post(f"/r/{roster.token}/settings", sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert "Kept words" in page
    assert "Enter a number" in page
    assert document(roster) == before


def test_a_formation_is_renamed_and_noted(owner):
    roster = use(owner, "vsgmr/dwarves")
    uid = document(roster).formations[0].id
    owner.post(f"/r/{roster.token}/formation?id={uid}", {"name": "Übermacht", "notes": "of old"})
    assert document(roster).formations[0].name == "Übermacht"


def test_an_element_and_a_formation_are_copied_from_a_book_as_ones_own(owner):
    roster = use(owner, "vsgmr/dwarves")
    orcs = Roster.objects.get(sample="vsgmr/orcs")
    source = standing.document_of(orcs).formations[0]
    into = document(roster).formations[0].id
    sent = {"from": orcs.token, "in": into}
    owner.post(f"/r/{roster.token}/add", {**sent, "do": f"element {source.elements[0].id}"})
    owner.post(f"/r/{roster.token}/add", {**sent, "do": f"formation {source.id}"})
    found = document(roster)
    assert found.formations[0].elements[-1].name == source.elements[0].name
    assert found.formations[0].elements[-1].id != source.elements[0].id
    assert found.formations[-1].name == source.name
    assert standing.document_of(orcs).formations[0] == source


def test_nothing_is_copied_from_a_strangers_roster_or_another_game(owner, friend):
    roster, theirs = use(owner, "vsgmr/dwarves"), use(friend, "vsgmr/orcs")
    other = Roster.objects.get(sample="6mm/rommel")
    for source in (theirs, other):
        uid = ids(source)[0][0]
        response = owner.post(f"/r/{roster.token}/add", {"from": source.token, "do": f"element {uid}"})
        assert response.status_code == 404
        assert owner.get(f"/r/{roster.token}/add?from={source.token}").status_code == 404


def test_the_queries_of_a_page_do_not_grow_with_the_roster(owner, django_assert_max_num_queries):
    roster = use(owner, "vsgmr/dwarves")
    for count in (1, 40):
        for _ in range(count):
            act(owner, roster, f"duplicate {ids(roster)[0][2]}")
        standing._kept.clear()
        with django_assert_max_num_queries(6):
            owner.get(f"/r/{roster.token}/")


# ---------------------------------------------------------------- pages of nobody


@pytest.mark.parametrize("path", ["/", "/books/", "/errata/", "/schema/roster.json", "/explain/msc", "/new/6mm"])
def test_public_pages_open(friend, path):
    assert friend.get(path).status_code == 200


def test_every_sample_army_opens(friend):
    for roster in Roster.objects.filter(sample__isnull=False):
        assert friend.get(reverse("shared", args=[roster.token])).status_code == 200


def test_books_are_searched_by_words_and_by_game(friend):
    page = friend.get("/books/?q=dwarves").content.decode()
    assert "Dwarves" in page
    assert "Rommel" not in page
    page = friend.get("/books/?system=6mm").content.decode()
    assert "Rommel" in page
    assert "Dwarves" not in page


@pytest.mark.parametrize("army", ["Wellington", "Boudicca", "Rommel", "Monty", "Undead"])
def test_the_errata_page_names_the_armies_that_do_not_add_up(friend, army):
    assert army in friend.get("/errata/").content.decode()


@pytest.mark.parametrize("path", ["/new/chess", "/explain/chess", "/nothing", "/r/x/y"])
def test_an_unknown_address_is_a_clear_404(friend, path):
    response = friend.get(path)
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_a_form_without_its_token_is_refused_with_a_sentence():
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/new/msc", {"name": "x", "size": "0"})
    assert response.status_code == 403
    assert "expired" in response.content.decode()


@pytest.mark.parametrize("text", ["\0", "<script>", "x" * 500])
def test_odd_searches_do_no_harm(friend, text):
    response = friend.get("/books/", {"q": text})
    assert response.status_code == 200
    assert "<script>" not in response.content.decode().split("<main")[1]


def test_reference_rows_and_rosters_are_read_only_in_the_admin(admin_client):
    assert admin_client.get("/admin/rosters/capability/").status_code == 200
    assert admin_client.get("/admin/rosters/capability/add/").status_code == 403
    page = admin_client.get("/admin/rosters/capability/MA/change/").content.decode()
    assert "Save" not in page
    assert admin_client.post("/admin/rosters/capability/MA/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize(("sample", "word"), [("msc/book-squadron", "BP"), ("vsgmr/dwarves", "Points")])
def test_the_column_of_points_has_the_games_own_word(owner, sample, word):
    roster = use(owner, sample)
    for address in (f"/r/{roster.token}/", f"/s/{roster.token}"):
        page = owner.get(address).content.decode()
        assert f'<th scope="col" class="number">{word}</th>' in page
        assert f'data-label="{word}"' in page


def test_the_preview_and_the_command_line_give_the_same_receipts(owner, tmp_path, capsys):
    """For elements of a roster of each game: the receipt beside its form is that of `appraise --json`."""
    from django.core.management import call_command

    samples = ("vsgmr/dwarves", "6mm/rommel", "msc/book-squadron", "mini-combat/second-world-war")
    for sample in samples:
        roster = use(owner, sample)
        file = tmp_path / "roster.json"
        file.write_bytes(owner.get(f"/s/{roster.token}.json").content)
        capsys.readouterr()
        call_command("appraise", str(file), json=True)
        appraised = json.loads(capsys.readouterr().out)
        for formation, priced in zip(document(roster).formations, appraised["formations"], strict=True):
            for element, line in [*zip(formation.elements, priced["elements"], strict=True)][:3]:
                assert previewed(owner, roster, element) == [step["subtotal"] for step in line["receipt"]]


def previewed(client, roster, element):
    """The subtotals of the live receipt of an element's form as it stands."""
    form = Page()
    form.feed(client.get(f"/r/{roster.token}/element?id={element.id}").content.decode().split('id="element-form"')[1])
    live = client.post(f"/r/{roster.token}/element/preview?id={element.id}", dict(form.sent().lists()))
    receipt = re.search(r'<table class="receipt">.*?</table>', live.content.decode(), re.DOTALL)[0]
    return re.findall(r'data-points="([^"]*)"', receipt)


# ---------------------------------------------------------------- 304


def again(client, address, response):
    return client.get(address, headers={"If-None-Match": response["ETag"]})


def test_an_unchanged_read_only_page_is_answered_with_304(owner, friend):
    roster = use(owner, "msc/book-squadron")
    address = f"/s/{roster.token}"
    friend.get(address)  # from now on it has the cookie that forms need
    first = friend.get(address)
    assert again(friend, address, first).status_code == 304
    assert again(friend, f"{address}?receipt=all", first).status_code == 200
    assert again(owner, address, first).status_code == 200


@pytest.mark.parametrize("fields", [{"revision": 2}, {"hide_points": True}, {"hide_notes": True}])
def test_a_page_that_would_show_something_else_is_sent_anew(owner, friend, fields):
    roster = use(owner, "msc/book-squadron")
    address = f"/s/{roster.token}"
    friend.get(address)
    first = friend.get(address)
    if "revision" in fields:
        act(owner, roster, "add-formation")
    else:
        Roster.objects.filter(pk=roster.pk).update(**fields)
    assert again(friend, address, first).status_code == 200
