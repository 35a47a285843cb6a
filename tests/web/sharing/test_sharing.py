"""What others get to see: nothing of what is hidden, wherever they look; and the owner's choices about it."""

import html
import io
import re
import zipfile

import pytest

from rosters import registry
from rosters.core import edits
from rosters.core.amounts import format_amount, format_exact
from rosters.core.crests import crest_of
from rosters.models import Roster, Visibility
from rosters.store import revisions, search, writer
from rosters.store.state import current_state
from rosters.web.http.checks import routes
from tests import paper, people
from tests.people import ELEMENTS, Person, change_element, document_of, element, reload, url_of
from tests.support import FOLDERS, roster_data, without_ids

pytestmark = pytest.mark.usefixtures("db", "without_limits")

SYSTEMS = [*FOLDERS]
MANY, BUDGET = 1597, 98765
"""How many of the secret element there are, and the hidden budget: numbers that nothing else on a page is."""
WORDS = ["Zqsecret", "Zqgone", "Zqelementnote", "Zqformationnote", "Zqrosternote"]
"""Names of what is secret, and notes."""
EVERYTHING = {"hide_points": True, "hide_notes": True, "hide_secrets": True}
ALL_OPTIONS = "receipt=all&asked=1&points=1&receipts=1&marks=1&others=0&since=1&from=r1&only=0&before=9"
"""Whatever an address of ours may ask for, all at once."""


def hiding(system, client, **keep):
    """A roster with sentinels in notes, in a secret element, and in one that was secret and is gone."""
    profile = ELEMENTS[system]
    lines = [
        {**profile, "id": "shown", "name": "Plainly", "notes": "Zqelementnote"},
        {**profile, "id": "secret", "name": "Zqsecret", "quantity": MANY, "notes": "Zqelementnote"},
        {**profile, "id": "gone", "name": "Zqgone"},
    ]
    limit = {} if system == "urutsk" else {"budget": BUDGET}
    data = roster_data(system, lines, notes="Zqrosternote", name="Openly", **limit)
    data["formations"][0]["notes"] = "Zqformationnote"
    roster = client.create(data)
    for name in ("Zqsecret", "Zqgone"):
        change_element(roster, name, secret=True)
    writer.apply_edit(reload(roster), edits.delete_elements(["gone"]), "Deleted Zqgone")
    writer.update_roster(roster, **EVERYTHING | keep)
    return reload(roster)


def sentinels(roster):
    """What must not be found of a roster that hides everything: words, and numbers that stand alone."""
    appraisal = current_state(roster).appraisal
    amounts = [appraisal.points, *(priced.points for priced in appraisal.formations)]
    numbers = {str(MANY), str(BUDGET), str(appraisal.quantity)}
    for amount in amounts:
        if amount is not None:
            numbers |= {format_amount(amount), format_exact(amount)}
    assert all(len(number) >= 4 for number in numbers)
    escaped = map(re.escape, numbers)  # looked for first, and only then at what stands before: a tenth of the time
    return [*map(re.escape, WORDS), *(rf"{number}(?<![\w.-]{number})(?![\w-])" for number in escaped)]


def texts(response):
    """All that can be read in a response: its head, its body as it stands, and what is packed in it."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    random = ("ETag", "Content-Length", "X-Request-ID")  # digits that may stand for anything
    yield " ".join(f"{name}: {value}" for name, value in response.items() if name not in random)
    kind = response.get("Content-Type", "")
    if kind.startswith("application/pdf"):
        pdf = paper.reader(body)
        yield from paper.texts(body)
        yield f"{pdf.metadata} {pdf.xmp_metadata} {pdf.outline} {pdf.get_fields()} {pdf.attachments}"
    elif kind.startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            yield from (archive.read(name).decode() for name in archive.namelist())
    elif not kind.startswith("image/png"):
        yield html.unescape(body.decode())


def leaks(response, forbidden):
    """Each sentinel that is in a response."""
    return [pattern for text in texts(response) for pattern in forbidden if re.search(pattern, text)]


KNOWN = {"pk": ["1"], "number": ["1", "3"], "secret": ["nosecretatall"], "slug": ["msc"], "report": ["noreportatall"]}
KNOWN["searched"] = ["x" * 22]
"""What to put for the other parts of an address."""


def addresses(method, *tokens):
    """Every route that takes a token, with its addresses: for each token and each value of what else it takes."""
    for route in (each["route"] for each in routes() if ":token>" in each["route"] and method in each["methods"]):
        found = [route]
        for part in re.findall(r"<[^>]*>", route):
            name = part.strip("<>").split(":")[-1]
            assert name == "token" or name in KNOWN, f"{route}: tell this test in KNOWN what to put for {part}"
            values = tokens if name == "token" else KNOWN[name]
            found = [address.replace(part, value) for address in found for value in values]
        yield from ((route, address) for address in found)


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_that_is_hidden_is_at_any_address_for_a_stranger(owner, stranger, system):
    """Every route that takes a token, with all that it may be asked for, unpacked where it is packed.

    Who may open a page, and what it is without asking for more, is the same for every game, so one game tries that too.
    """
    roster = hiding(system, owner, visibility=Visibility.LISTED)
    other = Roster.objects.filter(sample__isnull=False, system=system).first()
    battle, forbidden, read_at = owner.create_battle(roster, other), sentinels(roster), set()
    all_at_once = f"?{ALL_OPTIONS}&with={roster.token}&against={other.token}"
    for route, address in addresses("GET", roster.token, battle.token):
        if system != "msc" and not address.startswith((f"/s/{roster.token}", "/api/", f"/b/{battle.token}")):
            continue
        for asked in ("", all_at_once) if system == "msc" else (all_at_once,):
            response = stranger.get(address + asked)
            assert leaks(response, forbidden) == [], address + asked
            assert response.status_code < 500, address + asked
            assert not isinstance((response.context or {}).get("roster"), Roster), address + asked
            read_at |= {route} if response.status_code == 200 else set()
    assert read_at >= {f"/s/<token:token>{end}" for end in ("", ".json", ".rosz", ".pdf", "/r<int:number>")}
    page = stranger.text(f"/s/{roster.token}")
    assert ("Plainly" in page, re.findall(r'data-points="[^"]', page)) == (True, [])


def test_nothing_that_is_hidden_is_in_what_a_stranger_makes_of_it(owner, stranger):
    """Whatever a stranger may send to an address with a token: a copy, an opponent, or nothing at all."""
    roster = hiding("msc", owner)
    before = current_state(roster).document
    forbidden = sentinels(roster)
    for _route, address in addresses("POST", roster.token, owner.create_battle(roster).token):
        for old in ({}, {"do": "save"}):  # as the pages of an older release ask
            response = stranger.submit(address, name="x", visibility="link", **old)
            assert leaks(response, forbidden) == [], address
    own = Roster.objects.exclude(pk=roster.pk).filter(sample=None)
    assert any("Plainly" in str(current_state(each).document) for each in own)
    for copied in {each.name: each for each in own}.values():
        for path in ("r/{}/", "r/{}/document.json", "r/{}/history", "r/{}/sharing", "s/{}.json", "s/{}/r1"):
            assert leaks(stranger.get("/" + path.format(copied.token)), forbidden) == [], path
        for revision in copied.revisions.all():
            assert not re.search("|".join(WORDS), str(revisions.unpack(revision)))
    after = reload(roster)
    assert (after.token, after.revision, current_state(after).document) == (roster.token, roster.revision, before)


@pytest.mark.parametrize(
    ("visibility", "after"),
    [(Visibility.LINK, Visibility.LINK), (Visibility.LISTED, Visibility.LINK), (Visibility.CLOSED, Visibility.CLOSED)],
)
def test_a_duplicate_of_ones_own_is_whole_and_hides_as_much(owner, stranger, visibility, after):
    roster = hiding("vsgmr", owner, visibility=visibility)
    token = people.token_in(owner.submit(f"/s/{roster.token}/copy").url)
    twin = Roster.objects.get(token=token)
    assert (twin.name, twin.visibility) == ("Openly (2)", after)
    taken = {"A", "A (2)", "N" * 120}
    names = [edits.numbered_name(name, taken) for name in ("A", "A (2)", "A (3)", "N" * 120)]
    assert names == ["A (3)", "A (3)", "A (3)", "N" * 116 + " (2)"], "as long as a name may be"
    own = {"name": twin.name, "crest": crest_of(document_of(roster))}
    assert without_ids(document_of(twin)) == without_ids(document_of(roster)) | own
    assert leaks(stranger.get(f"/s/{token}"), sentinels(twin)) == []


def test_nothing_that_is_hidden_is_on_pages_that_name_many_rosters(owner, stranger):
    roster = [hiding(system, owner, visibility=Visibility.LISTED) for system in SYSTEMS]
    forbidden = {pattern for each in roster for pattern in sentinels(each)}
    links = [f"http://testserver/s/{each.token}/r1" for each in roster]
    pages = [stranger.get(path) for path in ("/", "/books/", "/books/?q=openly")]
    pages += [stranger.get(f"/battle/new?roster={each.token}") for each in roster]
    pages += [stranger.submit("/check", links="\n".join(links), **more) for more in ({}, {"as": "csv"})]
    pages += [stranger.submit("/battle/new", follow=True, links=link) for link in links]
    assert [response.status_code for response in pages] == [200] * len(pages)
    for response in pages:
        assert leaks(response, forbidden) == [], response.request["PATH_INFO"]


def test_the_search_for_leaks_finds_them(owner):
    """On the owner's own pages, and in every kind of file."""
    roster = hiding("msc", owner)
    found = {*leaks(owner.get(f"/r/{roster.token}/"), sentinels(roster))}
    assert found >= {"Zqsecret", "Zqrosternote", "Zqformationnote"}
    response = owner.get(url_of(roster, "document.json"))
    assert registry.read(response.json()).formations == current_state(roster).document.formations
    assert "attachment" in response["Content-Disposition"]
    writer.update_roster(roster, hide_points=False, hide_notes=False, hide_secrets=False)
    for ending in ("json", "txt", "md", "csv", "ros", "rosz", "pdf"):
        found = {*leaks(owner.get(f"/s/{roster.token}.{ending}?sheet=roster"), sentinels(roster))}
        assert "Zqsecret" in found, ending
        assert any(str(MANY) in pattern for pattern in found), ending


def test_pictures_have_no_points_where_they_are_hidden(owner, stranger):
    """Equal elements share a counter; the picture for a chat is the same with and without what is hidden."""
    roster = owner.create(roster_data("vsgmr", [{"name": name, "kind": "hero"} for name in ("Guard", "Guide")]))
    writer.update_roster(roster, hide_points=True)
    numbers = []
    for page, uses in ((owner.text(url_of(roster)), 2), (stranger.text(f"/s/{roster.token}"), 4)):
        (symbol,) = re.findall(r'<symbol class="drawing" id="(counter-\w+)"', page)
        assert page.count(f'<use href="#{symbol}"/>') == uses, "a row each, and in the order of battle too"
        numbers.append(re.findall(r"<text[^>]*>([^<]+)</text>", page))
    (each,) = {line.priced.unit_points for line in current_state(roster).appraised[0].elements}
    assert numbers == [[format_amount(each)], []]
    roster = hiding("msc", owner)
    pictures = [stranger.get(f"/s/{roster.token}.png").content]
    writer.apply_edit(roster, edits.delete_elements(["secret"]), "Deleted")
    pictures.append(stranger.get(f"/s/{roster.token}.png").content)
    writer.update_roster(roster, hide_points=False)
    assert pictures[0] == pictures[1] != stranger.get(f"/s/{roster.token}.png").content


def test_an_element_is_secret_while_its_box_is_checked(owner, stranger):
    """In the form with most of its own; tests/forms has what all five keep."""
    roster = owner.create(roster_data("6mm", []))
    save(owner, roster, f"element?in={document_of(roster).formations[0].id}", name="Zqsecret", secret="on")
    editing = f"element?id={people.element_ids(roster)[0][0]}"
    assert element(roster, "Zqsecret").secret
    assert "Zqsecret" not in stranger.text(f"/s/{roster.token}")
    save(owner, roster, editing, name="Zqsecret again")
    assert element(roster, "Zqsecret again").secret
    save(owner, roster, editing, secret=None)
    assert "Zqsecret again" in stranger.text(f"/s/{roster.token}")


def save(client, roster, at, **changed):
    """Open the form of an element, change some fields, and save it as a browser does."""
    sent = people.form_data_of(client.get(url_of(roster, at))) | {name: [value] for name, value in changed.items()}
    sent = {name: values for name, values in sent.items() if values != [None]}
    assert client.post_to(roster, at, **sent).status_code == 302


def test_choices_are_saved_outside_of_history_and_an_unknown_one_changes_nothing(owner):
    dwarves = owner.copy_sample()
    form = owner.context(url_of(dwarves, "sharing"))["form"]
    assert (form["visibility"].value(), form["hide_secrets"].value()) == ("link", True)
    page = owner.text(url_of(dwarves, "sharing"))
    assert all(f'/s/{dwarves.token}{path}"' in page for path in ("", "/r1", "/qr.svg", "/r1/qr.svg", ".png"))
    owner.post_to(dwarves, "sharing", visibility="listed", hide_points="on")
    owner.post_to(dwarves, "undo")
    assert owner.post_to(dwarves, "sharing", visibility="everybody", hide_notes="on").status_code == 422
    after = reload(dwarves)
    assert (after.visibility, after.hide_points, after.hide_notes, after.hide_secrets) == ("listed", True, False, False)
    assert after.revision == 1
    for address in (f"/s/{dwarves.token}", f"/s/{dwarves.token}/r1"):
        assert "data-points" not in Person().text(address)
    switches = [
        field.name for field in owner.context(url_of(owner.start_roster(system="urutsk"), "sharing"))["switches"]
    ]
    assert switches == ["hide_notes", "hide_secrets"], "no points to hide"


@pytest.mark.parametrize("way", ["binned", "replaced"])
def test_what_is_deleted_or_moved_is_404_everywhere_for_a_stranger(owner, stranger, way):
    """What is closed is tried by the matrix of permissions."""
    dwarves = owner.copy_sample()
    before = document_of(dwarves)
    if way == "binned":
        writer.move_to_bin(dwarves)
        assert [Person().get(link).status_code for link in (dwarves.owner_link, dwarves.edit_link)] == [404, 404]
    else:
        answer, new = owner.post_to(dwarves, "sharing/reset-share-link"), reload(dwarves)
        assert answer.url == url_of(new, "sharing") != url_of(dwarves, "sharing")
        assert (document_of(new), stranger.get(f"/s/{new.token}").status_code) == (before, 200)
    for method, visit in (("GET", stranger.get), ("POST", stranger.submit)):
        assert {visit(address).status_code for _route, address in addresses(method, dwarves.token)} == {404}


def listed(client, name, sample="vsgmr/dwarves", **kept):
    document = edits.copy_roster(document_of(people.sample_roster(sample)), name)
    return client.create(document, visibility=Visibility.LISTED, **kept)


def players(client, query):
    """The rosters of players that the gallery finds."""
    page = client.context(f"/books/?from=players&{query}")["page"]
    return [Roster.objects.get(token=each.token) for each in page.rosters]


def test_the_gallery_is_searched_by_name_game_points_tags_and_traits_and_a_typing_error_is_corrected(owner, stranger):
    empty = owner.create(roster_data("urutsk", []), visibility=Visibility.LISTED)
    one = listed(owner, "Beards of Bronze", tags="campaign, painted")
    two = listed(owner, "Comets", "msc/book-squadron")
    far = listed(owner, "Łowcy Źródeł СТАЯ Straße", "6mm/rommel")
    for queries, found in (
        (f"q=bronze q=painted q={one.points:g} q=bro+BEA most={one.points:g}&legal=on scenario=vsgmr/basic", [one]),
        ("q=minimal+space system=msc", [two]),
        ("q=infantry q=half+tracks q=łowcy q=zrodel q=ŹRÓDEŁ q=стая q=strasse", [far]),
        (f"q=bronze+comets q=ronze system=urutsk&legal=on q={one.points * 10:g} q=com+system+combat", []),
        *(("scenario=msc/tactical&system=vsgmr", [one]), ("system=urutsk", [empty])),
        *((f"least={two.points:g}", [far, two]), ("system=nonsense", [far, two, one, empty])),
    ):
        assert [query for query in queries.split() if players(stranger, query) != found] == []
    for query, sample, name in (("stealth", "vsgmr/justice-team", "Bat-Guy"), ("vixen", "msc/fox-squadron", "Vixen")):
        found = {each.token: each for each in stranger.context(f"/books/?q={query}")["page"].rosters}
        assert name in [each for _n, each in found[Roster.objects.get(sample=sample).token].matches]
    for query, suggestion in [("vixn", "vixen"), ("fox+vixn", "fox vixen"), ("vixen+dwarves", ""), ("zzzz", "")]:
        assert stranger.context(f"/books/?q={query}")["suggestion"] == suggestion


def test_the_gallery_has_what_a_player_lists_under_the_words_that_it_has_now(owner, stranger):
    roster = listed(owner, "Beards of Bronze", tags="painted")
    owner.copy_sample()
    writer.move_to_bin(roster)
    for kept, shown in (({}, 0), ({"binned": None}, 1), ({"visibility": "closed"}, 0), ({"visibility": "listed"}, 1)):
        writer.update_roster(roster, **kept)
        assert (players(stranger, "") == [roster], roster.gallery_words.exists()) == (shown, shown)
    points = f"{roster.points:g}"

    def found(*words):
        return [bool(players(stranger, f"q={word}")) for word in words]

    assert found("bronze", "painted", points) == [True] * 3
    writer.apply_edit(roster, edits.settings(name="Beards of Iron", notes="Zqrosternote"), "Renamed")
    writer.update_rosters([roster.pk], tags="", hide_points=True, hide_notes=True)
    assert found("bronze", "painted", points, "Zqrosternote", "iron") == [False] * 4 + [True]
    assert players(stranger, "least=0") == []
    hidden = hiding("msc", owner, visibility=Visibility.LISTED)
    assert (players(stranger, "q=plainly"), players(stranger, "q=Zqsecret")) == ([hidden], [])
    writer.update_roster(hidden, hide_secrets=False)
    assert players(stranger, "q=Zqsecret") == [hidden]
    assert "data-points" not in stranger.text("/books/?q=beards&from=players")


def test_a_word_that_many_rosters_have_finds_the_same_as_one_that_few_have(owner, monkeypatch):
    """Common words are met on the way, rare ones looked up: the answer is one."""
    roster = [listed(owner, name, tags="painted") for name in ("Iron One", "Iron Two", "Oak Two")]
    for words in ("iron", "two", "iron two", "painted", "painted iron", "oak nothing", "vsgmr"):
        named = {each.pk: f"{each.name} painted vsgmr".lower() for each in reversed(roster)}
        expected = [pk for pk, text in named.items() if all(word in text for word in words.split())]
        for common in (0, 1, 2, 5000):
            monkeypatch.setattr("rosters.store.search.COMMON", common)
            found = search.listed_rosters(search.RosterFilter(words=words))
            assert [each.pk for each in found] == expected, (words, common)


def test_the_gallery_is_paged_with_a_flat_number_of_queries(owner, stranger, django_assert_max_num_queries):
    roster = listed(owner, "Beards 000")
    document = document_of(roster)
    for number in range(1, 30):
        writer.update_roster(writer.create(document).roster, name=f"Beards {number:03}", visibility=Visibility.LISTED)
    with django_assert_max_num_queries(5):  # two of them read documents, once
        first = stranger.text("/books/?q=beards")
    assert (first.count('"roster-line"'), 'rel="next"' in first, 'rel="prev"' in first) == (16, True, False)
    assert [len(players(stranger, f"q=beards&page={page}")) for page in (1, 2, 9)] == [16, 14, 0]
    for text in ("0", "-1", "x", "٣", "9" * 40, ""):
        assert stranger.get("/books/", {"page": text}).status_code == 200, text
