"""The past of a roster: frozen pages, what changed, restoring, comparisons; and what is hidden stays hidden there."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import appraisals, documents, edits
from rosters.core.findings import Finding
from rosters.core.receipts import Receipt
from rosters.models import Revision, Roster
from rosters.store import access, revisions, snapshots, writer
from rosters.store import state as states
from rosters.web.sharing import compare
from tests import people, strategies, support
from tests.paper import pdf_text
from tests.people import SHIP, change_element, document_of, element, element_ids, reload, url_of
from tests.support import rules

SECRET = "Xanthippe-in-hiding"


def set_guards(client, roster, number):
    client.post_to(roster, "quantities", **{f"quantity-{element(roster, 'Guard').id}": str(number)})


@given(strategies.any_documents(), st.sampled_from([(9, 2), (10**30 + 1, 3), (0, 1), None]))
def test_an_appraisal_read_back_from_its_json_is_the_same_to_the_last_fraction(data, exact):
    found = support.appraise(data)
    for before in (found, found._replace(points=exact and Fraction(*exact), exact=exact and Fraction(*exact))):
        written = json.loads(json.dumps(appraisals.to_json(before)))
        after = appraisals.from_json(written)
        assert appraisals.to_json(after) == written
        assert (after.points, after.exact, after.legal) == (before.points, before.exact, before.legal)
        assert after._replace(facts={}, formations=()) == before._replace(facts={}, formations=())
        for one, other in zip(after.formations, before.formations, strict=True):
            assert (one.points, one.exact) == (other.points, other.exact)
            assert [e._replace(facts={}) for e in one.elements] == [e._replace(facts={}) for e in other.elements]


def test_a_frozen_page_stays_as_it_is_when_the_roster_changes_and_is_printed_and_copied_so(owner, stranger, dwarves):
    address, first = f"/s/{dwarves.token}/r1", document_of(dwarves)
    links = re.findall(r'data-copy[^>]*\s+value="http://testserver([^"]*)"', stranger.text(address))
    assert links == [address], "its own, not that of the roster"
    before = stranger.context(address)["roster_page"]
    owner.post_to(dwarves, "element/duplicate", element=element_ids(dwarves)[0][0])
    for client in (owner, stranger):
        context = client.context(address)
        assert (context["roster_page"].formations, context["roster_page"].total) == (before.formations, before.total)
        assert not context["revision"].current
    data = stranger.get(f"{address}.json").json()
    assert data["changed"] == dwarves.revisions.get(number=1).at.isoformat()
    assert registry.read(data).replace(changed=None) == first
    assert stranger.context(f"/s/{dwarves.token}/compare?from=r1&with=r2")["changes"]
    for end in ("r1", "history", "compare"):
        assert "noindex" in stranger.get(f"/s/{dwarves.token}/{end}")["X-Robots-Tag"]
    # Three ships of 15 BP, then four.
    fleet = owner.create(support.roster_data("msc", [{**SHIP, "quantity": 3}]))
    people.add_element(fleet, 1)

    def shown(client, address):
        return [(entry.points, entry.change) for entry in client.context(address)["entries"]]

    expected = [("60", "+15"), ("45", "")]
    assert shown(owner, f"/r/{fleet.token}/history") == shown(stranger, f"/s/{fleet.token}/history") == expected
    sheets = [pdf_text(stranger.get(f"/s/{fleet.token}{version}.pdf").content) for version in ("", "/r1")]
    assert ["Newcomer" in text for text in sheets] == [True, False]
    for client in (owner, stranger):
        copy = Roster.objects.get(token=people.token_in(client.submit(f"/s/{fleet.token}/copy", version="1").url))
        assert (copy.quantity, copy.pk != fleet.pk) == (3, True)
    writer.update_roster(fleet, hide_points=True)
    assert shown(stranger, f"/s/{fleet.token}/history") == [("", "")] * 2


def test_a_frozen_page_keeps_the_appraisal_of_its_day_and_its_verdict_says_how_todays_rules_differ(
    stranger, dwarves, monkeypatch
):
    then = support.appraise(support.roster_data("msc", [{"engine": 3}], budget=500))._replace(findings=())
    same = snapshots.verdict(then, then)
    worse = [
        then._replace(edition="New"),
        then._replace(edition="New", points=then.points + 1),
        then._replace(edition="New", findings=(Finding("x", "error", "", "Not so."),)),
        then._replace(edition="New", findings=(Finding("x", "note", "", "Mind."),)),
    ]
    assert len({same, *(snapshots.verdict(then, now) for now in worse)}) == 5
    price, total = rules("vsgmr").price, f"{reload(dwarves).points:g}"

    def dearer(profile, terms):
        """Seven points more for everything."""
        steps = price(profile, terms).steps
        return Receipt((*steps, steps[-1]._replace(subtotal=steps[-1].subtotal + 7)))

    monkeypatch.setattr(rules("vsgmr"), "price", dearer)
    monkeypatch.setattr(rules("vsgmr"), "EDITION", "VSGMR, corrected")
    states._cache.clear()
    context = stranger.context(f"/s/{dwarves.token}/r1")
    assert context["roster_page"].total.exact == total
    assert [word for word in ("VSGMR, corrected", total) if word not in context["frozen"].verdict] == []
    assert stranger.context(f"/s/{dwarves.token}")["roster_page"].total.exact != total
    writer.update_roster(dwarves, hide_points=True)
    assert total not in stranger.context(f"/s/{dwarves.token}/r1")["frozen"].verdict


def test_a_revision_that_is_not_there_is_404_and_what_is_no_number_is_400(owner, dwarves):
    here = f"/s/{dwarves.token}"
    for end in ("r0", "r2", "r99999999999999999999", "r1x", "r-1", "rx", "r0.json", "r2.json"):
        owner.text(f"{here}/{end}", 404)
    for since, status in (("99", 404), ("0", 404), ("x", 400), ("", 400), ("-1", 400), ("٣", 400)):
        owner.text(f"{here}?since={since}", status)
    for word, status in (("x" * 22, 404), ("r99", 404), ("what is this", 400), ("http://x.example/", 400), ("\0", 400)):
        for field in ("with", "from"):
            response = owner.get(f"{here}/compare", {"with": "r1", field: word})
            assert response.status_code == status
            assert status != 400 or field in response.context["form"].errors
    for number in ("0", "99", "9" * 20, "", "x", "٣", "-1"):
        assert owner.post_to(dwarves, f"history/{number}/restore").status_code == 404, number
    assert reload(dwarves).revision == 1


def everything(client, roster):
    """All that a reader is told of a roster's past."""
    token = roster.token
    paths = [f"/s/{token}", f"/s/{token}/history", f"/s/{token}.json"]
    for number in range(1, reload(roster).revision + 1):
        paths += [f"/s/{token}/r{number}?receipt=all", f"/s/{token}/r{number}.json"]
        paths += [f"/s/{token}?since={number}", f"/s/{token}/compare?with=r{number}"]
    return "\n".join(client.text(path) for path in paths)


def test_what_is_secret_now_or_was_when_it_was_deleted_is_secret_in_every_revision(owner, stranger, dwarves):
    change_element(dwarves, "Guard", name=SECRET)
    assert SECRET in everything(stranger, dwarves)
    change_element(dwarves, SECRET, secret=True)
    assert SECRET not in everything(stranger, dwarves)
    assert SECRET in owner.text(f"/r/{dwarves.token}/history/2")
    assert SECRET not in owner.text(f"/s/{dwarves.token}/r2")
    delete = edits.delete_elements([element(dwarves, SECRET).id])
    writer.apply_edit(reload(dwarves), delete, f"Deleted {SECRET}")
    assert SECRET not in everything(stranger, dwarves), "not even in the summaries of the history"
    assert SECRET in owner.text(f"/r/{dwarves.token}/history")
    writer.undo(reload(dwarves))
    change_element(dwarves, SECRET, secret=False)
    assert SECRET in everything(stranger, dwarves)
    writer.apply_edit(reload(dwarves), delete, f"Deleted {SECRET}")
    assert SECRET in stranger.text(f"/s/{dwarves.token}/r2")
    assert SECRET not in stranger.text(f"/s/{dwarves.token}/r3")


@pytest.mark.parametrize("way", ["restore", "send", "a formation"])
def test_an_editor_who_deletes_a_secret_element_reveals_it_in_no_version(friend, stranger, dwarves, way):
    change_element(dwarves, "Guard", name=SECRET)
    public = documents.write(document_of(dwarves))
    change_element(dwarves, SECRET, secret=True)
    uid, number = element(dwarves, SECRET).id, reload(dwarves).revision - 1
    friend.get(dwarves.edit_link)
    friend.post_to(dwarves, "selected/delete", pick=[uid])
    assert SECRET not in everything(stranger, dwarves)
    if way == "restore":
        friend.post_to(dwarves, f"history/{number}/restore")
        assert element(dwarves, SECRET).secret
    else:
        if way == "a formation":
            public = documents.write(document_of(dwarves))
            public["formations"][0]["id"] = uid
        response = friend.put_document(dwarves, public, dwarves.edit_link)
        assert response.status_code == (403 if way == "send" else 200)
    assert SECRET not in everything(stranger, dwarves)


def test_the_history_says_who_when_and_what_in_models_with_counters_of_that_time(owner, friend, dwarves, stranger):
    friend.get(dwarves.edit_link)
    set_guards(owner, dwarves, 5)
    set_guards(friend, dwarves, 6)
    entries = owner.context(f"/r/{dwarves.token}/history")["entries"]
    assert [(each.number, each.summary) for each in entries[:2]] == [("3", "Set Guard to 6"), ("2", "Set Guard to 5")]
    assert [*dwarves.revisions.values_list("who", flat=True)] == ["editor", "owner", "owner"]
    assert entries[1].iso == dwarves.revisions.get(number=2).at.isoformat()
    by_whom = [
        [each.who for each in person.context(url_of(dwarves, "history"))["entries"]] for person in (owner, friend)
    ]
    assert by_whom == [["A friend", *["you"] * 2], ["an editor by link", *["the owner"] * 2]]
    access.revoke_link(dwarves.edit_links.get())
    assert owner.context(url_of(dwarves, "history"))["entries"][0].who == "a revoked link: A friend"
    # One line of 3 ships to 5, another added and removed again; then the first became another ship.
    fleet = owner.create(support.roster_data("msc", [{**SHIP, "quantity": 3}]))
    ((uid,),) = element_ids(fleet)
    owner.post_to(fleet, "quantities", **{f"quantity-{uid}": 5, f"initial-quantity-{uid}": 3})
    people.add_element(fleet, 1)
    owner.post_to(fleet, "element/delete", element=element_ids(fleet)[0][1])
    people.change_element(fleet, "Element 1", engine=5, shield=1)
    changes = [entry.changes for entry in owner.context(f"/r/{fleet.token}/history")["entries"]]
    assert [(*each[:4], len(each.counters)) for each in changes] == [
        (0, 0, 5, None, 1), (0, 1, 0, None, 1), (1, 0, 0, None, 1), (0, 0, 5, (3, 5), 1), (0, 0, 0, None, 0),
    ]  # fmt: skip
    assert changes[0].counters != changes[3].counters, "the ship as it was then"
    assert not any(entry.changes for entry in stranger.context(f"/s/{fleet.token}/history")["entries"])
    raw = revisions.json_of(reload(fleet), revisions.write_json(states.current_state(fleet)))
    unreadable = raw.replace(b'"engine":5', b'"engine":"?"')
    [packed] = revisions.pack_all([(6, unreadable)])
    at, edition = fleet.revisions.values_list("at", "edition").get(number=5)
    fleet.revisions.create(number=6, at=at, edition=edition, base=packed.base, packed=packed.data)
    Roster.objects.filter(pk=fleet.pk).update(revision=6)
    changes = owner.context(f"/r/{fleet.token}/history")["entries"][0].changes
    assert (changes.changed, changes.counters) == (5, ()), "what can no longer be read hides nothing else"


def test_any_revision_can_be_restored_and_restoring_can_be_undone(owner, friend, dwarves):
    first = document_of(dwarves)
    set_guards(owner, dwarves, 5)
    changed = document_of(dwarves)
    friend.get(dwarves.edit_link)
    assert friend.post_to(dwarves, "history/1/restore").status_code == 302
    assert document_of(dwarves) == first
    assert reload(dwarves).revisions.first().who == "editor"
    owner.post_to(dwarves, "undo")
    assert document_of(dwarves) == changed
    last = reload(dwarves).revision
    assert people.message_levels(owner.post_to(dwarves, f"history/{last}/restore", follow=True))[-1] == "info"
    assert reload(dwarves).revision == last


def test_a_long_history_is_turned_over_page_by_page_and_unpacks_no_revision(
    owner, stranger, dwarves, django_assert_max_num_queries, monkeypatch
):
    first = dwarves.revisions.get()
    kept = {name: getattr(first, name) for name in ("roster", "at", "summary", "edition", "base", "packed")}
    Revision.objects.bulk_create(Revision(number=n, **kept) for n in range(2, 1001))
    Roster.objects.filter(pk=dwarves.pk).update(revision=1000)
    owner.get(f"/r/{dwarves.token}/")
    monkeypatch.setattr(revisions, "unpack", None)
    with django_assert_max_num_queries(8):
        newest = owner.context(f"/r/{dwarves.token}/history")
    assert ([each.number for each in newest["entries"]][::99], newest["older"]) == (["1000", "901"], "901")
    assert stranger.context(f"/s/{dwarves.token}/history?before=107")["entries"][0].number == "106"
    last = owner.context(f"/r/{dwarves.token}/history?before=7")
    assert ([each.number for each in last["entries"]], last["older"]) == ([*"654321"], None)
    assert owner.context(f"/r/{dwarves.token}/history?before=1")["entries"] == []
    owner.text(f"/r/{dwarves.token}/history?before=soon", 400)


def compared(client, roster, query):
    return client.context(f"/s/{roster.token}/compare?{query}")


def test_what_changed_since_a_revision_is_on_the_live_page_and_side_by_side_with_it(owner, stranger, dwarves):
    set_guards(owner, dwarves, 5)
    numbers = [len(stranger.context(f"/s/{dwarves.token}?since={since}")["since"]["changes"]) for since in (1, 2)]
    assert numbers == [3, 0], "of the Guard, the total and the verdict"
    assert stranger.context(f"/s/{dwarves.token}")["since"] is None
    every = compared(stranger, dwarves, "from=r1&with=r2")
    assert len(every["changes"]) == 3
    (guard,) = [row for _, rows in every["groups"] for row in rows if row.name == "Guard"]
    assert (guard.left.quantity, guard.right.quantity, guard.differs) == (3, 5, True)
    assert guard.left.words[0][0] in stranger.text(f"/s/{dwarves.token}/compare?from=r1&with=r2")
    only = compared(stranger, dwarves, "from=r1&with=r2&only=1")
    assert {row.differs for _, rows in only["groups"] for row in rows} == {True}
    assert compared(stranger, dwarves, f"from=r2&with={dwarves.token}")["changes"].object_list == []


def test_two_rosters_are_compared_by_words_and_what_matters_and_versions_by_the_figures_that_differ(owner, stranger):
    assert compare.compared_words("SHIELD 4, F FL", "SHIELD 5, F FL RL") == (
        (("SHIELD", False), ("4,", True), ("F FL", False)),
        (("SHIELD", False), ("5,", True), ("F FL", False), ("RL", True)),
    )
    assert compare.compared_words("", "F") == ((("", False),), (("F", False),))
    # Three and four ships of 15 BP, in figures and counters; the same roster at one version has neither.
    three, four = (owner.create(support.roster_data("msc", [{**SHIP, "quantity": number}])) for number in (3, 4))
    for query in (f"with={four.token}", f"with={three.token}&link=https://x.example/s/{four.token}"):
        context = compared(stranger, three, query)
        figures = {str(row.label): [cell.shown for cell in row.cells] for row in context["comparison"].figures}
        assert (figures["BP"], figures["Ships"]) == (["45", "60"], ["3", "4"])
        assert (figures["Weapons"], "Weapons, RL" in figures) == (["9", "12"], False)
        assert (context["comparison"].match.matched, len(context["orders"])) == (False, 2)
        assert (context["comparison"].is_built, context["comparison"].is_close) == (True, False)
        changes = [row.change for _formation, rows in context["groups"] for row in rows if row.change]
        assert (context["points_change"], changes, context["is_open"]) == ("+15", ["+15"] * 3, True)
    other = owner.create(support.roster_data("msc", [{**SHIP, "name": "Stranger", "engine": 5}]))
    assert not compared(stranger, three, f"with={other.token}")["is_open"], "nothing of one is in the other"
    writer.update_roster(four, hide_points=True)
    hidden = compared(stranger, three, f"with={four.token}")
    assert (hidden["comparison"].match.matched, hidden["comparison"].figures[0].cells[0].shown) == (None, "3")
    same = compared(owner, three, f"with={three.token}")
    assert (same["comparison"].figures, same["comparison"].match, same["orders"]) == ((), None, [])
    owner.post_to(three, "quantities", **{f"quantity-{element_ids(three)[0][0]}": "5"})
    versions = compared(owner, three, "from=r1&with=r2")
    labels = [str(row.label) for row in versions["comparison"].figures]
    assert ("Ships" in labels, "Lowest SHIELD" in labels) == (True, False)
    assert [[number for number, _at in numbers] for _side, numbers in versions["sides"]] == [[2, 1]] * 2


def test_a_comparison_offers_rosters_of_that_game_and_shows_editors_alone_a_side_whole(
    owner, friend, stranger, dwarves
):
    other, ship = owner.copy_sample("vsgmr/orcs"), owner.copy_sample("msc/book-squadron")
    theirs, closed = friend.copy_sample("vsgmr/orcs"), friend.copy_sample("vsgmr/orcs")
    owner.create_battle(dwarves, theirs)
    owner.create_battle(other, closed)
    writer.update_roster(closed, visibility="closed")
    offers = [compared(client, dwarves, "") for client in (owner, stranger)]
    assert [([*each["mine"]], [*each["opponents"]]) for each in offers] == [([other], [theirs]), ([], [])]
    assert {(each.system, each.sample is None) for each in offers[1]["samples"]} == {("vsgmr", False)}
    assert owner.get(f"/s/{dwarves.token}/compare?link=").status_code == 400
    assert "groups" not in compared(owner, dwarves, f"with={ship.token}")
    theirs = stranger.copy_sample()
    change_element(dwarves, "Guard", name="Mine-own-secret", secret=True)
    change_element(theirs, "Guard", name=SECRET, secret=True)
    for one, other in ((dwarves, theirs), (theirs, dwarves)):
        seen = owner.text(f"/s/{one.token}/compare?with={other.token}")
        assert ("Mine-own-secret" in seen, SECRET in seen) == (True, False)
    writer.update_roster(theirs, hide_points=True)
    assert compared(owner, dwarves, f"with={theirs.token}")["points_hidden"]
    assert "data-points" not in owner.text(f"/s/{dwarves.token}/compare?with={theirs.token}")


def test_undo_and_redo_are_offered_where_there_is_something_to_undo_or_redo(owner, dwarves):
    for at, undoable, redoable in (("", 0, 0), ("formation/add", 1, 0), ("undo", 0, 1), ("redo", 1, 0)):
        owner.post_to(dwarves, at)
        context = owner.context(f"/r/{dwarves.token}/")
        assert (context["undoable"] is not None, context["redoable"] is not None) == (undoable, redoable), at


def test_fifty_revisions_take_little_room_and_the_queries_of_the_page_stay_flat_however_much_is_undone(
    owner, django_assert_max_num_queries
):
    """Of a hundred elements; every fifty share one that is packed whole, so a thousand take less than 5 MB."""
    troops = [{"kind": "troop", "name": f"Somebody {number}", "traits": ["tough"]} for number in range(100)]
    roster = owner.create(support.roster_data("vsgmr", troops))
    for count in range(50):
        change_element(roster, "Somebody 42", quantity=2 + count, notes=f"note {count}")
    assert sum(len(revision.packed) for revision in roster.revisions.all()) < 250_000
    for undone in (1, 6):
        for step in (writer.undo, writer.redo, writer.undo) * undone:
            step(reload(roster))
        owner.get(f"/r/{roster.token}/")
        with django_assert_max_num_queries(7):  # one asks for the battles that have locked a version
            owner.get(f"/r/{roster.token}/")
