"""What others get to see: nothing of what is hidden, wherever they look; and the owner's choices about it."""

import html
import io
import re
import zipfile

import pytest
from django.test import Client
from django.urls import get_resolver

from armybuilder.environment import READ
from rosters import battles, changes, documents, edits, gallery, registry, revisions
from rosters.management.commands.routes import routes
from rosters.models import Battle, Browser, Roster, Visibility, hashed
from rosters.rulekit import exact, shown
from rosters.standing import standing
from tests import paper
from tests.filled import Page
from tests.support import FOLDERS, read, roster
from tests.test_views import act, document, ids, start, use

pytestmark = pytest.mark.django_db

SYSTEMS = [*FOLDERS]
PROFILES = {
    "mini-combat": {"power": 3, "to_hit": 4, "morale": 5},
    "6mm": {"type": "WBD"},
    "msc": {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F"]},
    "vsgmr": {"kind": "troop"},
    "urutsk": {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2},
}
"""An element of each game that anybody may see."""
MANY, BUDGET = 1597, 98765
"""How many of the secret element there are, and the hidden budget: numbers that nothing else on a page is."""
WORDS = ["Zqsecret", "Zqgone", "Zqelementnote", "Zqformationnote", "Zqrosternote"]
"""Names of what is secret, and notes."""
EVERYTHING = {"hide_points": True, "hide_notes": True, "hide_secrets": True}
ALL_OPTIONS = "receipt=all&asked=1&points=1&receipts=1&marks=1&others=0&since=1&from=r1&only=0&before=9"
"""Whatever an address of ours may ask for, all at once."""


@pytest.fixture(autouse=True)
def without_limits(settings):
    for name in READ:
        if name.endswith("_A_MINUTE"):
            setattr(settings, name, 0)


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def stranger():
    return Client()


# ---------------------------------------------------------------- a roster with a lot to hide


def hiding(system, client, **keep):
    """A roster of this client: with sentinels in notes, in a secret element, and in one that was secret and is gone."""
    client.cookies["armybuilder_browser"] = "secret of the owner's browser"
    browser = Browser.objects.get_or_create(key_hash=hashed("secret of the owner's browser"))[0]
    profile = PROFILES[system]
    lines = [
        {**profile, "id": "shown", "name": "Plainly", "notes": "Zqelementnote"},
        {**profile, "id": "secret", "name": "Zqsecret", "quantity": MANY, "notes": "Zqelementnote"},
        {**profile, "id": "gone", "name": "Zqgone"},
    ]
    data = roster(
        system, lines, notes="Zqrosternote", name="Openly", **({} if system == "urutsk" else {"budget": BUDGET})
    )
    data["formations"][0]["notes"] = "Zqformationnote"
    made = changes.create(read(data), browser=browser).roster
    for uid in ("secret", "gone"):
        _, element = edits.find_element(document(made), uid)
        changes.change(made, edits.put_element(edits.changed(element, secret=True)), f"Changed {element.name}")
    changes.change(made, edits.delete_elements(["gone"]), "Deleted Zqgone")
    changes.keep(made, **EVERYTHING | keep)
    return Roster.objects.get(pk=made.pk)


def sentinels(made):
    """What must not be found of a roster that hides everything: words, and numbers that stand alone."""
    appraisal = standing(made).appraisal
    amounts = [appraisal.points, *(priced.points for priced in appraisal.formations)]
    numbers = {str(MANY), str(BUDGET), str(appraisal.quantity)}
    for amount in amounts:
        if amount is not None:
            numbers |= {shown(amount), exact(amount)}
    assert all(len(number) >= 4 for number in numbers)
    escaped = map(re.escape, numbers)  # looked for first, and only then at what stands before: a tenth of the time
    return [*map(re.escape, WORDS), *(rf"{number}(?<![\w.-]{number})(?!\d)" for number in escaped)]


def texts(response):
    """All that can be read in a response: its head, its body as it stands, and what is packed in it."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    yield " ".join(f"{name}: {value}" for name, value in response.items() if name not in ("ETag", "Content-Length"))
    kind = response.get("Content-Type", "")
    if kind.startswith("application/pdf"):
        yield from pdf_texts(body)
    elif kind.startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            yield from (archive.read(name).decode() for name in archive.namelist())
    elif not kind.startswith("image/png"):
        yield html.unescape(body.decode())


def pdf_texts(body):
    yield from paper.texts(body)
    pdf = paper.reader(body)
    yield f"{pdf.metadata} {pdf.xmp_metadata} {pdf.outline} {pdf.get_fields()} {pdf.attachments}"


def leaks(response, forbidden):
    """Each sentinel that is in a response."""
    return [pattern for text in texts(response) for pattern in forbidden if re.search(pattern, text)]


# ---------------------------------------------------------------- the walk

KNOWN = {"number": ["1", "3"], "secret": ["nosecretatall"], "slug": ["msc"]}
"""What to put for the other parts of an address."""


def addresses(route, tokens):
    """A route with each of the tokens, and with each value of what else it takes."""
    found = [route]
    for part in re.findall(r"<[^>]*>", route):
        name = part.strip("<>").split(":")[-1]
        assert name == "token" or name in KNOWN, f"{route}: tell this test in KNOWN what to put for {part}"
        values = tokens if name == "token" else KNOWN[name]
        found = [address.replace(part, value) for address in found for value in values]
    return found


def with_token():
    """Every route of the project that takes a token, with its methods."""
    return [(each["route"], each["methods"]) for each in routes(get_resolver()) if ":token>" in each["route"]]


ACTIONS = ("copy", "delete secret", "save", "replace-address", "restore 1", "delete", "freeze")
"""What a button may ask for. The pages are the same for every game, so one game tries them all."""


def test_the_walk_finds_the_routes_that_everybody_knows():
    found = {route for route, _ in with_token()}
    known = {"/s/<str:token>", "/s/<str:token>.json", "/s/<str:token>.rosz", "/s/<str:token>.pdf", "/r/<str:token>/"}
    assert known <= found


def battle_of(*forces):
    made = battles.create("", [battles.Wanted(force, None) for force in forces], None, None)
    assert isinstance(made, Battle)
    return made


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_that_is_hidden_is_at_any_address_for_a_stranger(owner, stranger, system):
    """Every route that takes a token, plain and with all that it may be asked for, unpacked where it is packed."""
    made = hiding(system, owner, visibility=Visibility.LISTED)
    other = Roster.objects.filter(sample__isnull=False, system=system).first()
    tokens, forbidden, read_at = [made.token, battle_of(made, other).token], sentinels(made), []
    for route, methods in with_token():
        for address in addresses(route, tokens) if "GET" in methods else ():
            for asked in (address, f"{address}?{ALL_OPTIONS}&with={made.token}&against={other.token}"):
                response = stranger.get(asked)
                assert leaks(response, forbidden) == [], asked
                assert response.status_code < 500, asked
                read_at += [route] if response.status_code == 200 else []
    for wanted in ("/s/<str:token>", "/s/<str:token>.rosz", "/s/<str:token>.pdf", "/s/<str:token>/r<int:number>"):
        assert wanted in read_at
    page = stranger.get(f"/s/{made.token}").content.decode()
    assert "Plainly" in page
    assert re.findall(r'data-points="[^"]', page) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_that_is_hidden_is_in_what_a_stranger_makes_of_it(owner, stranger, system):
    """Whatever a stranger may send to an address with a token: a copy, an opponent, or nothing at all."""
    made = hiding(system, owner)
    before = standing(made).document
    tokens, forbidden = [made.token, battle_of(made).token], sentinels(made)
    for route, methods in with_token():
        for address in addresses(route, tokens) if "POST" in methods else ():
            for do in ACTIONS if system == "msc" else ACTIONS[:2]:
                response = stranger.post(address, {"do": do, "name": "x", "visibility": "link"}, follow=True)
                assert leaks(response, forbidden) == [], (address, do)
    own = Roster.objects.exclude(pk=made.pk).filter(sample=None)
    assert any("Plainly" in str(standing(each).document) for each in own)
    for each in {each.name: each for each in own}.values():
        for path in ("r/{}/", "r/{}/document.json", "r/{}/history", "r/{}/sharing", "s/{}.json", "s/{}/r1"):
            assert leaks(stranger.get("/" + path.format(each.token)), forbidden) == [], path
        for revision in each.revisions.all():
            assert not re.search("|".join(WORDS), str(revisions.unpack(revision))), each
    after = Roster.objects.get(pk=made.pk)
    assert (after.token, after.revision, standing(after).document) == (made.token, made.revision, before)


def shape(document):
    """A document but for its name and its ids."""
    data = documents.write(document)
    for formation in data["formations"]:
        for each in (formation, *formation["elements"]):
            del each["id"]
    return {key: value for key, value in data.items() if key not in ("name", "changed")}


@pytest.mark.parametrize(
    ("visibility", "after"),
    [(Visibility.LINK, Visibility.LINK), (Visibility.LISTED, Visibility.LINK), (Visibility.CLOSED, Visibility.CLOSED)],
)
def test_a_duplicate_of_ones_own_is_whole_and_hides_as_much(owner, stranger, visibility, after):
    made = hiding("vsgmr", owner, visibility=visibility)
    token = owner.post(f"/s/{made.token}/copy").url.split("/")[2]
    twin = Roster.objects.get(token=token)
    assert (twin.name, twin.visibility) == ("Copy of Openly", after)
    assert shape(document(twin)) == shape(document(made))
    assert leaks(stranger.get(f"/s/{token}"), sentinels(twin)) == []
    again = owner.post(f"/s/{token}/copy").url.split("/")[2]
    assert Roster.objects.get(token=again).name == "Copy of Copy of Openly"


def test_a_duplicates_name_is_as_long_as_a_name_may_be(owner):
    made = changes.create(read(roster("msc", [], name="N" * 120))).roster
    assert edits.duplicated(document(made)).name == "Copy of " + "N" * 112


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_that_is_hidden_is_on_pages_that_name_many_rosters(owner, stranger, system):
    made = hiding(system, owner, visibility=Visibility.LISTED)
    forbidden = sentinels(made)
    link = f"http://testserver/s/{made.token}"
    pages = [
        stranger.get("/"),
        stranger.get("/books/"),
        stranger.get(f"/books/?q=openly&system={system}"),
        stranger.get(f"/battle/new?roster={made.token}"),
        stranger.post("/check", {"links": f"{link}\n{link}/r1"}),
        stranger.post("/check", {"links": f"{link}\n{link}/r1", "as": "csv"}),
        stranger.post("/battle/new", {"links": f"{link}/r1"}, follow=True),
    ]
    assert [response.status_code for response in pages] == [200] * len(pages)
    for response in pages:
        assert leaks(response, forbidden) == [], response.request["PATH_INFO"]


def test_the_search_for_leaks_finds_them(owner):
    """On the owner's own pages, and in every kind of file."""
    made = hiding("msc", owner)
    assert {*leaks(owner.get(f"/r/{made.token}/"), sentinels(made))} >= {"Zqsecret", "Zqrosternote", "Zqformationnote"}
    changes.keep(made, hide_points=False, hide_notes=False, hide_secrets=False)
    for ending in ("json", "txt", "md", "csv", "ros", "rosz", "pdf"):
        found = {*leaks(owner.get(f"/s/{made.token}.{ending}?sheet=roster"), sentinels(made))}
        assert "Zqsecret" in found, ending
        assert any(str(MANY) in pattern for pattern in found), ending


def test_the_picture_for_a_chat_is_the_same_with_and_without_what_is_hidden(owner, stranger):
    made = hiding("msc", owner)
    with_it = stranger.get(f"/s/{made.token}.png").content
    changes.change(made, edits.delete_elements(["secret"]), "Deleted")
    assert stranger.get(f"/s/{made.token}.png").content == with_it
    changes.keep(made, hide_points=False)
    assert stranger.get(f"/s/{made.token}.png").content != with_it


def test_the_owner_gets_at_the_address_what_others_get(owner, stranger):
    made = hiding("vsgmr", owner)
    for ending in ("json", "txt", "md", "csv", "ros", "rosz", "png"):
        mine, theirs = (client.get(f"/s/{made.token}.{ending}") for client in (owner, stranger))
        assert mine.content == theirs.content, ending


def test_the_owner_alone_gets_the_whole_document(owner, stranger):
    made = hiding("vsgmr", owner)
    response = owner.get(f"/r/{made.token}/document.json")
    assert registry.read(response.json()).formations == standing(made).document.formations
    assert "attachment" in response["Content-Disposition"]
    assert stranger.get(f"/r/{made.token}/document.json").status_code == 302


# ---------------------------------------------------------------- secret elements


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_element_is_secret_as_long_as_its_box_is_ticked(owner, stranger, system):
    made, _ = start(owner, system)
    adding = f"/r/{made.token}/element?in={document(made).formations[0].id}"
    save(owner, adding, name="Zqsecret", secret="on")
    editing = f"/r/{made.token}/element?id={ids(made)[0][0]}"
    assert document(made).formations[0].elements[0].secret
    assert "badge-secret" in owner.get(f"/r/{made.token}/").content.decode()
    assert "Zqsecret" not in stranger.get(f"/s/{made.token}").content.decode()
    assert "Others do not see it until you untick this." in owner.get(editing).content.decode()
    save(owner, editing, name="Zqsecret again")
    assert document(made).formations[0].elements[0].secret
    save(owner, editing, secret=None)
    assert not document(made).formations[0].elements[0].secret
    assert "Zqsecret again" in stranger.get(f"/s/{made.token}").content.decode()


def save(client, address, **changed):
    """Open the form of an element, change some fields, and save it as a browser does."""
    page = Page()
    page.feed(client.get(address).content.decode())
    data = page.sent()
    for name, value in changed.items():
        data.setlist(name, [] if value is None else [value])
    sent = client.post(address, data.urlencode(), content_type="application/x-www-form-urlencoded")
    assert sent.status_code == 302, sent.content.decode()


# ---------------------------------------------------------------- the choices


def choose(client, made, **sent):
    return client.post(f"/r/{made.token}/sharing", {"do": "save", "visibility": "link", **sent}, follow=True)


def test_the_page_shows_the_choices_as_they_are_and_keeps_new_ones(owner, stranger):
    made = use(owner, "vsgmr/dwarves")
    page = owner.get(f"/r/{made.token}/sharing").content.decode()
    assert re.search(r'value="link"[^>]* checked', page)
    assert re.search(r'name="hide_secrets"[^>]* checked', page)
    revision = made.revision
    choose(owner, made, visibility="listed", hide_points="on")
    made.refresh_from_db()
    assert (made.visibility, made.hide_points, made.hide_notes, made.hide_secrets) == ("listed", True, False, False)
    assert made.revision == revision
    for address in (f"/s/{made.token}", f"/s/{made.token}/r1"):
        seen = stranger.get(address).content.decode()
        assert "data-points" not in seen
        assert "Show receipts" not in seen


def test_a_choice_that_there_is_not_changes_nothing(owner):
    made = use(owner, "vsgmr/dwarves")
    assert choose(owner, made, visibility="everybody", hide_notes="on").status_code == 422
    assert owner.post(f"/r/{made.token}/sharing", {"do": "explode"}).status_code == 404
    made.refresh_from_db()
    assert (made.visibility, made.hide_notes) == ("link", False)


def test_points_cannot_be_hidden_where_there_are_none(owner):
    made, _ = start(owner, "urutsk")
    assert "hide_points" not in owner.get(f"/r/{made.token}/sharing").content.decode()


def test_a_stranger_can_neither_see_nor_change_the_choices(owner, stranger):
    made = use(owner, "vsgmr/dwarves")
    assert stranger.get(f"/r/{made.token}/sharing").url == f"/s/{made.token}"
    for do in ("save", "replace-address", "new-edit-link"):
        assert stranger.post(f"/r/{made.token}/sharing", {"do": do, "visibility": "closed"}).status_code == 404
    after = Roster.objects.get(pk=made.pk)
    assert (after.token, after.edit_hash, after.visibility) == (made.token, made.edit_hash, "link")


def test_a_friend_with_the_edit_link_may_choose_too(owner):
    made, friend = use(owner, "vsgmr/dwarves"), Client()
    page = owner.post(f"/r/{made.token}/sharing", {"do": "new-edit-link"}, follow=True).content.decode()
    friend.get(re.findall(rf"/e/{made.token}/[\w-]+", page)[-1])
    assert choose(friend, made, hide_notes="on").status_code == 200
    made.refresh_from_db()
    assert made.hide_notes


@pytest.mark.parametrize("way", ["closed", "binned", "replaced"])
def test_what_is_closed_deleted_or_moved_is_404_everywhere_for_a_stranger(owner, stranger, way):
    made = use(owner, "msc/book-squadron")
    if way == "closed":
        choose(owner, made, visibility="closed")
    elif way == "binned":
        changes.bin_roster(made)
    else:
        owner.post(f"/r/{made.token}/sharing", {"do": "replace-address"})
    for route, methods in with_token():
        for address in addresses(route, [made.token]):
            if "GET" in methods:
                assert stranger.get(address).status_code == 404, address
            if "POST" in methods:
                assert stranger.post(address, {"do": "save"}).status_code == 404, address


def test_a_closed_roster_still_opens_for_its_owner(owner):
    made = use(owner, "msc/book-squadron")
    choose(owner, made, visibility="closed")
    for address in (f"/r/{made.token}/", f"/s/{made.token}", f"/s/{made.token}.txt"):
        assert owner.get(address).status_code == 200
    assert "opens nothing" in owner.get(f"/r/{made.token}/").content.decode()


def test_the_edit_link_of_a_closed_roster_lets_a_new_browser_in_and_a_wrong_one_does_not(owner):
    """The page of choices promises it."""
    made, friend = use(owner, "msc/book-squadron"), Client()
    page = owner.post(f"/r/{made.token}/sharing", {"do": "new-edit-link"}, follow=True).content.decode()
    link = re.findall(rf"/e/{made.token}/[\w-]+", page)[-1]
    choose(owner, made, visibility="closed")
    assert friend.get(link[:-1]).status_code == 404
    assert friend.get(link).url == f"/r/{made.token}/"
    assert friend.get(f"/r/{made.token}/").status_code == 200
    changes.bin_roster(made)
    assert Client().get(link).status_code == 404


def test_a_replaced_address_is_told_and_the_roster_goes_on_at_the_new_one(owner, stranger):
    made = use(owner, "msc/book-squadron")
    before = document(made)
    page = owner.post(f"/r/{made.token}/sharing", {"do": "replace-address"}, follow=True)
    new = Roster.objects.get(pk=made.pk)
    assert new.token != made.token
    assert page.redirect_chain[-1][0] == f"/r/{new.token}/sharing"
    assert "The old one is gone" in page.content.decode()
    assert document(new) == before
    assert stranger.get(f"/s/{new.token}").status_code == 200
    assert owner.get(f"/r/{made.token}/").status_code == 404


def test_the_sharing_page_leads_to_what_others_see(owner):
    made = use(owner, "msc/book-squadron")
    page = owner.get(f"/r/{made.token}/sharing").content.decode()
    for address in (f"/s/{made.token}", f"/r/{made.token}/", f"/s/{made.token}/qr.svg", f"/s/{made.token}.png"):
        assert f'"{address}"' in page
        assert owner.get(address).status_code == 200
    assert f"/r/{made.token}/sharing" in owner.get(f"/r/{made.token}/").content.decode()


# ---------------------------------------------------------------- the gallery


def listed(client, sample, name, **keep):
    made = use(client, sample)
    changes.change(made, edits.settings(name=name), "Renamed")
    changes.keep(made, visibility=Visibility.LISTED, **keep)
    return Roster.objects.get(pk=made.pk)


def test_what_a_player_lists_stands_in_the_gallery_and_nothing_else_does(owner, stranger):
    made = listed(owner, "vsgmr/dwarves", "Beards of Bronze")
    other = use(owner, "vsgmr/dwarves")
    page = stranger.get("/books/").content.decode()
    assert "From players" in page
    assert f"/s/{made.token}" in page
    assert f"/s/{other.token}" not in page
    changes.bin_roster(made)
    assert f"/s/{made.token}" not in stranger.get("/books/").content.decode()
    changes.unbin_roster(made)
    changes.keep(made, visibility=Visibility.CLOSED)
    page = stranger.get("/books/").content.decode()
    assert f"/s/{made.token}" not in page
    assert "From players" not in page


def test_the_gallery_is_searched_by_name_game_points_and_tags(owner, stranger):
    one = listed(owner, "vsgmr/dwarves", "Beards of Bronze", tags="campaign, painted")
    two = listed(owner, "msc/book-squadron", "Comets")

    def found(query):
        page = stranger.get(f"/books/?{query}").content.decode()
        return [made for made in (one, two) if f"/s/{made.token}" in page]

    assert found("q=bronze") == [one]
    assert found("q=bronze+comets") == []
    assert found("q=painted") == [one]
    assert found("q=minimal+space") == [two]
    assert found("system=msc") == [two]
    assert found("system=nonsense") == [one, two]
    assert found(f"q={one.points:g}") == [one]
    assert found(f"q={one.points * 10:g}") == []
    assert found("q=bro+BEA") == [one]
    assert found("q=ronze") == []
    assert found("q=com+system+combat") == []


def test_the_gallery_finds_accents_and_other_alphabets_on_every_database(owner, stranger):
    made = listed(owner, "vsgmr/dwarves", "Łowcy Źródeł СТАЯ Straße")
    for asked in ("łowcy", "zrodel", "ŹRÓDEŁ", "стая", "strasse"):
        assert f"/s/{made.token}" in stranger.get("/books/", {"q": asked}).content.decode(), asked


def test_the_gallery_forgets_the_words_that_a_roster_has_no_more(owner, stranger):
    """Renamed, re-priced, untagged, with points hidden, binned, closed: nothing finds it by what it was."""

    def found(query):
        return f"/s/{made.token}" in stranger.get("/books/", {"q": query}).content.decode()

    made = listed(owner, "vsgmr/dwarves", "Beards of Bronze", tags="painted")
    points = f"{made.points:g}"
    assert all(map(found, ["bronze", "painted", points]))
    changes.change(made, edits.settings(name="Beards of Iron"), "Renamed")
    assert [found(query) for query in ("bronze", "iron")] == [False, True]
    changes.keep_all([made.pk], tags="", hide_points=True)
    assert [found(query) for query in ("painted", points, "iron")] == [False, False, True]
    changes.bin_roster(made)
    assert not made.gallery_words.exists()
    changes.unbin_roster(made)
    assert found("iron")
    changes.keep(made, visibility=Visibility.CLOSED)
    assert not made.gallery_words.exists()


def test_a_word_that_many_rosters_have_finds_the_same_as_one_that_few_have(owner, monkeypatch):
    """Common words are met on the way, rare ones looked up: the answer is one."""
    made = [listed(owner, "vsgmr/dwarves", name, tags="painted") for name in ("Iron One", "Iron Two", "Oak Two")]
    for words in ("iron", "two", "iron two", "painted", "painted iron", "oak nothing", "vsgmr"):
        wanted = [
            each.pk for each in reversed(made) if all(w in f"{each.name} painted vsgmr".lower() for w in words.split())
        ]
        for common in (0, 1, 2, 5000):
            monkeypatch.setattr("rosters.gallery.COMMON", common)
            assert [each.pk for each in gallery.listed("", words)] == wanted, (words, common)


def test_hidden_points_are_neither_shown_in_the_gallery_nor_found_by_it(owner, stranger):
    made = listed(owner, "vsgmr/dwarves", "Beards of Bronze", hide_points=True, hide_notes=True)
    changes.change(made, edits.settings(notes="Zqrosternote"), "Noted")
    for query in (f"{made.points:g}", "Zqrosternote"):
        assert f"/s/{made.token}" not in stranger.get(f"/books/?q={query}").content.decode()
    card = stranger.get("/books/?q=bronze").content.decode().split("From players")[-1]
    assert "Beards of Bronze" in card
    assert "data-points" not in card


def test_the_gallery_is_paged_with_a_flat_number_of_queries(owner, stranger, django_assert_max_num_queries):
    made = listed(owner, "vsgmr/dwarves", "Beards 000")
    for number in range(1, 30):
        changes.keep(changes.create(document(made)).roster, name=f"Beards {number:03}", visibility=Visibility.LISTED)
    with django_assert_max_num_queries(3):
        first = stranger.get("/books/?q=beards").content.decode()
    assert first.count("Beards 0") == 24
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    second = stranger.get("/books/?q=beards&page=2").content.decode()
    assert second.count("Beards 0") == 6
    assert 'rel="next"' not in second
    ninth = stranger.get("/books/?q=beards&page=9").content.decode()
    assert "No more rosters here" in ninth
    assert "Nothing found" not in ninth


@pytest.mark.parametrize("text", ["0", "-1", "x", "٣", "9" * 40, ""])
def test_an_odd_number_of_a_page_does_no_harm(stranger, text):
    assert stranger.get("/books/", {"page": text}).status_code == 200


def test_undo_does_not_bring_back_what_was_shared(owner):
    """How a roster is shared is no part of its history."""
    made = use(owner, "vsgmr/dwarves")
    choose(owner, made, hide_notes="on")
    act(owner, made, "undo")
    made.refresh_from_db()
    assert made.hide_notes
