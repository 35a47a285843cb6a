"""The past of a roster: frozen pages, what changed, the history and its restoring, comparisons; undo and redo."""

import json
import re

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from rosters import appraisals, changes, edits, frozen, registry, revisions, standing
from rosters.models import Revision, Roster
from rosters.rulekit import Finding, Receipt
from tests import strategies, support
from tests.support import rules

SYSTEMS = ["mini-combat", "6mm", "msc", "vsgmr", "urutsk"]
SECRET = "Xanthippe-in-hiding"


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def friend():
    """Somebody who was given the edit link."""
    return Client()


@pytest.fixture
def stranger():
    return Client()


def use(client, sample="vsgmr/dwarves"):
    """A roster of one's own that began as a sample army."""
    source = Roster.objects.get(sample=sample)
    response = client.post(f"/s/{source.token}/copy", follow=True)
    roster = Roster.objects.get(token=response.redirect_chain[-1][0].split("/")[2])
    roster.edit_link = re.search(rf"/e/{roster.token}/[\w-]+", response.content.decode())[0]
    return roster


def fresh(roster):
    return Roster.objects.get(pk=roster.pk)


def document(roster):
    return standing.document_of(fresh(roster))


def act(client, roster, do, **sent):
    return client.post(f"/r/{roster.token}/", {"do": do, **sent}, follow=True)


def element(roster, name):
    return next(e for f in document(roster).formations for e in f.elements if e.name == name)


def put(roster, which, **fields):
    """Change an element as its form does."""
    now = edits.changed(element(roster, which), **fields)
    assert changes.change(fresh(roster), edits.put_element(now), f"Changed {now.name}")
    return fresh(roster).revision


def set_number(client, roster, name, number):
    act(client, roster, "quantities", **{f"q {element(roster, name).id}": str(number)})
    return fresh(roster).revision


def page(client, path, status=200):
    response = client.get(path)
    assert response.status_code == status, path
    return response.content.decode()


def text_of(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html.split("<main")[1].split("</main>")[0]).split())


# ---------------------------------------------------------------- appraisals, read back


@pytest.mark.parametrize("system", SYSTEMS)
@strategies.PATIENT
@given(data=st.data())
def test_an_appraisal_read_back_from_its_json_is_the_same_to_the_last_fraction(system, data):
    found = support.appraise(data.draw(strategies.documents(system)))
    written = json.loads(json.dumps(appraisals.to_json(found)))
    read = appraisals.from_json(written)
    assert appraisals.to_json(read) == written
    assert (read.points, read.exact, read.legal) == (found.points, found.exact, found.legal)
    assert read._replace(facts={}, formations=()) == found._replace(facts={}, formations=())
    for after, before in zip(read.formations, found.formations, strict=True):
        assert (after.points, after.exact) == (before.points, before.exact)
        assert [e._replace(facts={}) for e in after.elements] == [e._replace(facts={}) for e in before.elements]


def test_thirds_halves_and_huge_totals_come_back_exactly():
    from fractions import Fraction

    plain = support.appraise(support.roster("msc"))
    for points, exact in [
        (Fraction(43, 3), Fraction(43, 3)),
        (Fraction(9, 2), Fraction(9, 2)),
        (14, Fraction(43, 3)),
        (10**30 + 1, 10**30 + 1),
        (None, None),
        (0, 0),
    ]:
        made = plain._replace(points=points, exact=exact)
        assert appraisals.from_json(json.loads(json.dumps(appraisals.to_json(made)))) == made


# ---------------------------------------------------------------- frozen pages


@pytest.mark.django_db
@pytest.mark.parametrize("sample", ["vsgmr/dwarves", "6mm/rommel", "msc/book-squadron", "mini-combat/second-world-war"])
def test_a_frozen_page_of_every_game_opens_for_everybody_and_links_to_the_live_page(stranger, owner, sample):
    roster = use(owner, sample)
    for client in (stranger, owner):
        html = page(client, f"/s/{roster.token}/r1")
        assert f'href="/s/{roster.token}"' in html
        assert "revision 1 of 1" in html
        assert "say the same" in html
    assert 'name="do"' not in page(stranger, f"/s/{roster.token}/r1")


@pytest.mark.django_db
def test_a_frozen_page_stays_as_it_is_when_the_roster_changes(owner, stranger):
    roster = use(owner)
    before = page(stranger, f"/s/{roster.token}/r1")
    set_number(owner, roster, "Guard", 9)
    after = page(stranger, f"/s/{roster.token}/r1")
    assert '<td class="number" data-label="Number">3</td>' in after
    main = re.compile(r'<div class="columns roster-page">.*', re.DOTALL)
    assert main.search(before)[0] == main.search(after)[0]
    assert f'href="/s/{roster.token}?since=1"' in after


@pytest.mark.django_db
def test_a_frozen_page_keeps_the_appraisal_of_its_day_and_says_what_todays_rules_would_differ_in(
    owner, stranger, monkeypatch
):
    roster = use(owner)
    points = fresh(roster).points
    price = rules("vsgmr").price

    def dearer(profile, terms):
        """Seven points more for everything."""
        steps = price(profile, terms).steps
        return Receipt((*steps, steps[-1]._replace(subtotal=steps[-1].subtotal + 7)))

    monkeypatch.setattr(rules("vsgmr"), "price", dearer)
    monkeypatch.setattr(rules("vsgmr"), "EDITION", "VSGMR, corrected")
    standing._kept.clear()
    html = page(stranger, f"/s/{roster.token}/r1")
    assert f'data-points="{points:g}" data-where=""' in html
    said = re.search(r"<span data-verdict>(.*?)</span>", html)[1]
    assert "VSGMR, corrected" in said
    assert f"points instead of {points:g}" in said
    live = page(stranger, f"/s/{roster.token}")
    assert f'data-points="{points:g}" data-where=""' not in live
    changes.keep(roster, hide_points=True)
    hidden = page(stranger, f"/s/{roster.token}/r1")
    assert "instead of" not in hidden
    assert f"{points:g}" not in re.search(r"<span data-verdict>(.*?)</span>", hidden)[1]


@pytest.mark.django_db
def test_the_verdict_names_points_legality_and_findings():
    then = support.appraise(support.roster("msc", [{"engine": 3}], budget=500))
    now = then._replace(points=then.points + 1, findings=(), edition="New")
    worse = now._replace(findings=(Finding("x", "error", "", "Not so."),))
    assert frozen.verdict(then, then) == f"Today's rules ({then.edition}) say the same."
    assert frozen.verdict(then, then._replace(edition="New")).endswith(f"corrected since {then.edition}.")
    said = frozen.verdict(then._replace(findings=()), worse)
    assert f"{now.points} BP instead of {then.points}" in said
    assert "not legal" in said
    assert "other findings" in said


@pytest.mark.django_db
def test_the_document_of_a_revision_is_given_as_json_with_the_time_of_that_revision(owner, stranger):
    roster = use(owner)
    first = document(roster)
    set_number(owner, roster, "Guard", 9)
    data = stranger.get(f"/s/{roster.token}/r1.json").json()
    assert data["changed"] == roster.revisions.get(number=1).at.isoformat()
    assert edits.changed(registry.read(data), changed=None) == first


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["r0", "r2", "r99999999999999999999", "r1x", "r-1", "rx", "r0.json", "r2.json"])
def test_a_revision_that_is_not_there_is_404(owner, end):
    roster = use(owner)
    assert owner.get(f"/s/{roster.token}/{end}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["s/{}/r1", "s/{}/r1.json", "s/{}/history", "s/{}/compare", "r/{}/history", "s/{}?since=1"]
)
def test_closed_and_binned_rosters_and_tokens_of_nobody_have_no_past_for_others(owner, stranger, path):
    roster = use(owner)
    assert stranger.get("/" + path.format("nosuchtokenanywhere000")).status_code == 404
    changes.keep(roster, visibility="closed")
    assert stranger.get("/" + path.format(roster.token)).status_code == 404
    assert owner.get("/" + path.format(roster.token)).status_code == 200
    changes.bin_roster(roster)
    assert owner.get("/" + path.format(roster.token)).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["s/{}/r1", "s/{}/r1.json", "s/{}/history", "s/{}/compare"])
def test_the_pages_of_the_past_are_only_read(owner, path):
    roster = use(owner)
    for method in ("post", "put", "delete"):
        assert getattr(owner, method)("/" + path.format(roster.token)).status_code == 405
    assert owner.put(f"/r/{roster.token}/history").status_code == 405


# ---------------------------------------------------------------- what changed since


@pytest.mark.django_db
def test_the_live_page_says_what_changed_since_a_revision_in_words(owner, stranger):
    roster = use(owner)
    set_number(owner, roster, "Guard", 5)
    html = page(stranger, f"/s/{roster.token}?since=1")
    assert "+2 Guard, now 5" in html
    assert "Total" in text_of(html).split("What changed since")[1]
    assert "Nothing: this roster is as it was then" in page(stranger, f"/s/{roster.token}?since=2")
    assert "What changed since" not in page(stranger, f"/s/{roster.token}")


@pytest.mark.django_db
@pytest.mark.parametrize(("since", "status"), [("99", 404), ("0", 404), ("x", 400), ("", 400), ("-1", 400), ("٣", 400)])
def test_a_since_that_is_no_revision_is_told(owner, since, status):
    roster = use(owner)
    html = page(owner, f"/s/{roster.token}?since={since}", status)
    assert status == 404 or "since: " in html


# ---------------------------------------------------------------- what is hidden stays hidden


def everything(client, roster):
    """All that a reader is told of a roster's past."""
    token, last = roster.token, fresh(roster).revision
    paths = [f"/s/{token}", f"/s/{token}/history", f"/s/{token}.json"]
    for number in range(1, last + 1):
        paths += [
            f"/s/{token}/r{number}?receipt=all&others=1",
            f"/s/{token}/r{number}.json",
            f"/s/{token}?since={number}",
        ]
        paths += [f"/s/{token}/compare?from=r{number}&with={token}", f"/s/{token}/compare?with=r{number}"]
        paths += [f"/s/{token}/compare?from=r{number}&with=r{other}" for other in range(1, last + 1)]
    return "\n".join(page(client, path) for path in paths)


@pytest.mark.django_db
def test_what_is_secret_now_is_secret_in_every_revision_even_before_it_was_marked(owner, stranger):
    roster = use(owner)
    put(roster, "Guard", name=SECRET)
    assert SECRET in everything(stranger, roster)
    put(roster, SECRET, secret=True)
    put(roster, SECRET, quantity=8)
    assert SECRET not in everything(stranger, roster)
    assert SECRET in page(owner, f"/s/{roster.token}/r2")
    assert SECRET not in page(owner, f"/s/{roster.token}/r2?others=1")


@pytest.mark.django_db
def test_what_was_secret_when_it_was_deleted_stays_secret_in_every_revision(owner, stranger):
    roster = use(owner)
    put(roster, "Guard", name=SECRET)
    put(roster, SECRET, secret=True)
    uid = element(roster, SECRET).id
    changes.change(fresh(roster), edits.delete_elements([uid]), f"Deleted {SECRET}")
    assert SECRET not in everything(stranger, roster)
    changes.undo(fresh(roster))
    put(roster, SECRET, secret=False)
    assert SECRET in everything(stranger, roster)
    changes.change(fresh(roster), edits.delete_elements([uid]), f"Deleted {SECRET}")
    assert SECRET in page(stranger, f"/s/{roster.token}/r2")
    assert SECRET not in page(stranger, f"/s/{roster.token}/r3")


@pytest.mark.django_db
def test_hidden_notes_and_points_are_hidden_in_every_revision(owner, stranger):
    roster = use(owner)
    put(roster, "Guard", notes=SECRET)
    put(roster, "Guard", notes="")
    changes.change(fresh(roster), edits.settings(budget=31337), "Changed the settings")
    changes.change(fresh(roster), edits.settings(budget=None), "Changed the settings")
    assert SECRET in everything(stranger, roster)
    assert "31337" in everything(stranger, roster)
    changes.keep(roster, hide_points=True, hide_notes=True)
    told = everything(stranger, roster)
    assert SECRET not in told
    assert "31337" not in told
    assert 'data-points="' not in told


@pytest.mark.django_db
def test_readers_get_no_summaries_because_those_may_name_what_is_secret(owner, stranger):
    roster = use(owner)
    put(roster, "Guard", name=SECRET, secret=True)
    html = page(stranger, f"/s/{roster.token}/history")
    assert SECRET not in html
    assert "Changed" not in html
    assert f"/s/{roster.token}/r2" in html
    assert f"Changed {SECRET}" in page(owner, f"/r/{roster.token}/history")


# ---------------------------------------------------------------- history and restoring


@pytest.mark.django_db
def test_the_history_says_who_when_and_what_newest_first(owner, friend):
    roster = use(owner)
    friend.get(roster.edit_link)
    set_number(owner, roster, "Guard", 5)
    set_number(friend, roster, "Guard", 6)
    told = text_of(page(owner, f"/r/{roster.token}/history"))
    assert told.index("Set Guard to 6") < told.index("Set Guard to 5") < told.index("Started")
    assert "Revision 3 · by an editor by link" in told
    assert "Revision 2 · by the owner" in told
    at = fresh(roster).revisions.get(number=2).at
    assert f"{at:%H:%M:%S}" in told
    assert text_of(page(friend, f"/r/{roster.token}/history")) == told


@pytest.mark.django_db
def test_any_revision_can_be_restored_and_restoring_can_be_undone(owner, friend):
    roster = use(owner)
    first = document(roster)
    friend.get(roster.edit_link)
    set_number(owner, roster, "Guard", 5)
    act(owner, roster, f"delete {element(roster, 'Thane').id}")
    changed = document(roster)
    response = friend.post(f"/r/{roster.token}/history", {"do": "restore 1"}, follow=True)
    assert "Restored revision 1." in response.content.decode()
    assert document(roster) == first
    assert fresh(roster).revisions.first().who == "editor"
    act(owner, roster, "undo")
    assert document(roster) == changed
    response = owner.post(f"/r/{roster.token}/history", {"do": "restore 3"}, follow=True)
    assert "already is as it was at revision 3" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "do", ["restore 0", "restore 99", "restore", "restore x", "delete 1", "", "restore ٣", "restore -1"]
)
def test_restoring_what_is_not_there_is_404_and_changes_nothing(owner, do):
    roster = use(owner)
    assert owner.post(f"/r/{roster.token}/history", {"do": do}).status_code == 404
    assert fresh(roster).revision == 1


@pytest.mark.django_db
def test_a_stranger_neither_reads_the_editors_history_nor_restores(owner, stranger):
    roster = use(owner)
    set_number(owner, roster, "Guard", 5)
    assert stranger.get(f"/r/{roster.token}/history").url == f"/s/{roster.token}"
    assert stranger.post(f"/r/{roster.token}/history", {"do": "restore 1"}).status_code == 404
    assert "Restore" not in page(stranger, f"/s/{roster.token}/history")
    assert fresh(roster).revision == 2


@pytest.mark.django_db
def test_restoring_needs_the_token_of_the_form(owner):
    roster = use(owner)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.cookies
    set_number(owner, roster, "Guard", 5)
    assert strict.post(f"/r/{roster.token}/history", {"do": "restore 1"}).status_code == 403
    assert fresh(roster).revision == 2


def many_revisions(roster, number, name="Guard"):
    """A long history, as edits make one."""
    state = standing.standing(fresh(roster))
    edited = next(e for f in state.document.formations for e in f.elements if e.name == name)
    for count in range(number):
        edit = edits.put_element(edits.changed(edited, quantity=2 + count % 50, notes=f"note {count}"))
        changes.change(roster, edit, f"Set {name} to {count}")


@pytest.mark.django_db
def test_a_long_history_is_turned_over_page_by_page(owner, stranger, django_assert_max_num_queries):
    roster = use(owner)
    filled_up(roster, 206)
    owner.get(f"/r/{roster.token}/")
    with django_assert_max_num_queries(6):
        html = page(owner, f"/r/{roster.token}/history")
    assert (html.count('<tr id="r'), "?before=107" in html) == (100, True)
    html = page(stranger, f"/s/{roster.token}/history?before=107")
    assert 'id="r106"' in html
    assert 'id="r107"' not in html
    last = page(owner, f"/r/{roster.token}/history?before=7")
    assert 'id="r1"' in last
    assert "Older" not in last
    assert "nothing before that" in page(owner, f"/r/{roster.token}/history?before=1")
    assert "before: " in page(owner, f"/r/{roster.token}/history?before=soon", 400)


def filled_up(roster, number):
    """So many revisions in all, that say what the first says."""
    first = roster.revisions.get()
    kept = {name: getattr(first, name) for name in ("roster", "at", "summary", "edition", "base", "packed")}
    Revision.objects.bulk_create(Revision(number=n, **kept) for n in range(2, number + 1))
    Roster.objects.filter(pk=roster.pk).update(revision=number)


def hundred(system="vsgmr"):
    """A roster of a hundred elements of a sample army."""
    sample = Roster.objects.filter(sample__startswith=f"{system}/").order_by("-quantity").first()
    document = edits.copied(standing.document_of(sample), "A hundred")
    first = document.formations[0]
    lines = [e for f in document.formations for e in f.elements]
    copies = tuple(
        edits.changed(lines[n % len(lines)], id=None, name=f"{lines[n % len(lines)].name} {n}") for n in range(100)
    )
    return edits.changed(document, formations=(edits.changed(first, elements=copies),))


def with_a_hundred(client):
    """A roster of a hundred elements with a hundred and two revisions."""
    roster = use(client)
    changes.change(fresh(roster), edits.replace_with(edits.with_ids(hundred())), "A hundred")
    names = [e.name for f in document(roster).formations for e in f.elements]
    many_revisions(roster, 100, names[42])
    return fresh(roster)


@pytest.mark.django_db
def test_a_hundred_revisions_of_a_hundred_elements_take_under_half_a_megabyte(owner):
    """So that a thousand take under five: every fifty share one that is packed whole."""
    roster = with_a_hundred(owner)
    assert sum(len(revision.packed) for revision in roster.revisions.all()) < 500_000


@pytest.mark.django_db
def test_the_history_of_a_thousand_revisions_opens_without_unpacking_any(owner, monkeypatch):
    roster = use(owner)
    filled_up(roster, 1000)
    monkeypatch.setattr(revisions, "unpack", None)  # a list of revisions reads none of them
    assert page(owner, f"/r/{roster.token}/history").count("Revision ") >= 100


@pytest.mark.django_db
def test_search_engines_are_kept_from_a_thousand_pages_of_the_past(owner, stranger):
    roster = use(owner)
    rules_of_robots = stranger.get("/robots.txt").content.decode()
    for path in ("r", "history", "compare"):
        assert f"Disallow: /s/*/{path}\n" in rules_of_robots
    for path in ("r1", "history", "compare"):
        assert "noindex" in stranger.get(f"/s/{roster.token}/{path}")["X-Robots-Tag"]


# ---------------------------------------------------------------- comparisons


@pytest.mark.django_db
def test_two_revisions_stand_side_by_side(owner, stranger):
    roster = use(owner)
    set_number(owner, roster, "Guard", 5)
    html = page(stranger, f"/s/{roster.token}/compare?from=r1&with=r2")
    told = text_of(html)
    assert "+2 Guard, now 5" in told
    assert "3 ×" in told
    assert "5 ×" in told
    only = page(stranger, f"/s/{roster.token}/compare?from=r1&with=r2&only=1")
    assert "Guard (differs)" in text_of(only)
    assert "Thane" not in text_of(only)
    assert "Thane" in told
    assert "Nothing differs." in page(stranger, f"/s/{roster.token}/compare?from=r2&with={roster.token}")


@pytest.mark.django_db
def test_another_roster_is_named_by_its_token_or_its_address(owner, stranger):
    roster, other = use(owner), use(stranger, "vsgmr/orcs")
    for word in (
        other.token,
        f"http://testserver/s/{other.token}",
        f"  testserver/s/{other.token}?receipt=all ",
        f"https://x.example/s/{other.token}/r1",
        f"/r/{other.token}/",
        f"http://testserver/s/{other.token}.json",
        f"{other.token}/r1",
    ):
        response = stranger.get(f"/s/{roster.token}/compare", {"with": word})
        assert response.status_code == 200, word
        assert other.name in response.content.decode()
        assert "Total" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("word", "status"),
    [("nosuchtokenanywhere000", 404), ("r99", 404), ("what is this", 400), ("http://x.example/", 400), ("\0", 400)],
)
def test_a_comparison_with_what_is_not_there_is_404_and_with_nonsense_400(owner, word, status):
    roster = use(owner)
    for field in ("with", "from"):
        response = owner.get(f"/s/{roster.token}/compare", {"with": "r1", field: word})
        assert response.status_code == status
        assert status == 404 or f"{field}: " in response.content.decode()


@pytest.mark.django_db
def test_rosters_of_different_games_are_not_compared_and_a_sentence_says_so(owner):
    roster, other = use(owner), use(owner, "msc/book-squadron")
    html = page(owner, f"/s/{roster.token}/compare?with={other.token}")
    assert "Only rosters of one game can be compared" in html


@pytest.mark.django_db
def test_the_comparison_offers_my_other_rosters_of_that_game(owner, stranger):
    roster, other, ship = use(owner), use(owner, "vsgmr/orcs"), use(owner, "msc/book-squadron")
    html = page(owner, f"/s/{roster.token}/compare")
    assert f"with={other.token}" in html
    assert ship.token not in html
    assert other.token not in page(stranger, f"/s/{roster.token}/compare")


@pytest.mark.django_db
def test_each_side_is_shown_whole_only_to_those_who_may_edit_that_side(owner, stranger):
    mine, theirs = use(owner), use(stranger)
    put(mine, "Guard", name="Mine-own-secret", secret=True)
    put(theirs, "Guard", name=SECRET, secret=True)
    for path in (f"/s/{mine.token}/compare?with={theirs.token}", f"/s/{theirs.token}/compare?with={mine.token}"):
        seen = page(owner, path)
        assert "Mine-own-secret" in seen
        assert SECRET not in seen


@pytest.mark.django_db
def test_where_one_side_hides_its_points_none_are_compared(owner, stranger):
    mine, theirs = use(owner), use(stranger)
    put(theirs, "Guard", quantity=8)
    changes.keep(theirs, hide_points=True)
    html = page(owner, f"/s/{mine.token}/compare?with={theirs.token}")
    assert "One side hides its points" in html
    assert "data-points" not in html


@pytest.mark.django_db
@pytest.mark.parametrize("sample", ["6mm/rommel", "msc/book-squadron", "mini-combat/second-world-war"])
def test_any_game_is_compared(owner, sample):
    roster = use(owner, sample)
    act(owner, roster, f"duplicate {document(roster).formations[0].elements[0].id}")
    assert "New: " in page(owner, f"/s/{roster.token}/compare?from=r1&with=r2")


# ---------------------------------------------------------------- undo and redo


@pytest.mark.django_db
def test_redo_stands_beside_undo_only_where_there_is_something_to_redo(owner):
    roster = use(owner)
    assert 'value="redo"' not in page(owner, f"/r/{roster.token}/")
    set_number(owner, roster, "Guard", 5)
    assert 'value="redo"' not in page(owner, f"/r/{roster.token}/")
    assert 'value="redo"' in act(owner, roster, "undo").content.decode()
    html = act(owner, roster, "redo").content.decode()
    assert "Redone: Set Guard to 5" in html
    assert 'value="redo"' not in html
    assert element(roster, "Guard").quantity == 5


@pytest.mark.django_db
def test_the_queries_of_the_page_stay_flat_however_much_is_undone(owner, django_assert_max_num_queries):
    roster = use(owner)
    many_revisions(roster, 30)
    for undone in (1, 12):
        for _ in range(undone):
            changes.undo(fresh(roster))
            changes.redo(fresh(roster))
            changes.undo(fresh(roster))
        owner.get(f"/r/{roster.token}/")
        with django_assert_max_num_queries(5):
            owner.get(f"/r/{roster.token}/")


@pytest.mark.django_db
def test_what_undo_and_redo_would_do_is_found_as_they_do_it(owner):
    roster = use(owner)
    many_revisions(roster, 5)
    documents = [revisions.unpack(r).document for r in Revision.objects.filter(roster=roster).order_by("number")]
    for step in range(5, 1, -1):
        assert changes.steps(fresh(roster)).undo.number == step + 1
        changes.undo(fresh(roster))
        assert document(roster) == documents[step - 1]
    for step in range(2, 6):
        assert changes.steps(fresh(roster)).redo.number == step + 1
        changes.redo(fresh(roster))
        assert document(roster) == documents[step]
    assert changes.steps(fresh(roster)).redo is None
