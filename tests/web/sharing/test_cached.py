"""Shared pages: the same bytes for everybody, from the cache, and never those of an earlier state."""

import gzip
import re
import threading
from functools import partial

import pytest
from django.db import connection

from rosters.core.cache import MemoryCache
from rosters.store import play, writer
from rosters.web.sharing import cached
from tests.people import SHIP, add_element, element_ids, reload, sample_roster, url_of
from tests.support import roster_data

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_limits")]

ENDINGS = ["", "?receipt=all", "?since=1", ".json", ".txt", ".md", ".csv", ".ros", ".rosz", ".png", ".pdf", "/line.txt"]
ENDINGS += ["/qr.svg", "/page.png", "/r1", "/r1.json", "/r1.txt", "/r1.png", "/r1/qr.svg", ".pdf?paper=letter"]
ADDED = {"X-Request-ID"}
"""The one header that is another for each request."""


@pytest.fixture
def fleet(owner):
    """A roster with damage that its owner shows."""
    roster = owner.copy_sample("msc/book-squadron")
    owner.post_to(roster, "marks/box", box=f"{element_ids(roster)[0][0]} 0 shield 0 1", request_id="a")
    play.show_damage(roster, True)
    return roster


def test_everybody_gets_the_same_bytes_which_every_cache_may_store(owner, friend, stranger, fleet):
    """Whoever comes first, whatever cookies and messages they have."""
    friend.get(fleet.edit_link)
    owner.sign_up()
    owner.post_to(fleet, "undo")  # leaves a message for the next page of the owner's own
    for ending in ENDINGS:
        answers = []
        for first in (owner, stranger):
            cached.clear_responses()
            answers += [client.get(f"/s/{fleet.token}{ending}") for client in (first, owner, friend, stranger)]
        assert {answer.status_code for answer in answers} == {200}, ending
        heads = {tuple(item for item in answer.items() if item[0] not in ADDED) for answer in answers}
        assert (len({answer.content for answer in answers}), len(heads)) == (1, 1), ending
        assert [answer.cookies for answer in answers] == [{}] * len(answers), ending
        head = dict(heads.pop())
        assert (head["Vary"], head["Cache-Control"]) == ("Accept-Encoding", "public, no-cache"), ending
        assert b"csrf" not in answers[0].content.lower()
    assert "notice-" in owner.text(url_of(fleet)), "the message has waited"


CHANGES = {
    "an edit": add_element,
    "a hidden total": partial(writer.update_roster, hide_points=True),
    "hidden damage": partial(play.show_damage, shown=False),
    "more damage": lambda roster: play.replace_damage(roster, {f"{element_ids(roster)[0][0]} 0": {"shield": 2}}),
}
GONE = {
    "closed": partial(writer.update_roster, visibility="closed"),
    "binned": writer.move_to_bin,
    "deleted": lambda roster: writer.delete_permanently(type(roster).objects.filter(pk=roster.pk)),
    "moved": writer.reset_share_link,
}


@pytest.mark.parametrize("change", [*CHANGES, *GONE])
def test_a_change_shows_with_the_next_request_in_every_process(stranger, fleet, monkeypatch, change):
    address, processes = f"/s/{fleet.token}", [MemoryCache(1 << 20) for _ in range(2)]

    def answers():
        for memory in processes:
            monkeypatch.setattr(cached, "_responses", memory)
            yield stranger.get(address, headers={"If-None-Match": tag} if tag else {})

    tag = ""
    before = [*answers()]
    tag = before[0]["ETag"]
    assert [each.status_code for each in (*before, *answers())] == [200, 200, 304, 304]
    (CHANGES | GONE)[change](reload(fleet))
    after = [*answers()]
    assert {each.status_code for each in after} == {404 if change in GONE else 200}
    assert {each.content for each in after}.isdisjoint({before[0].content})


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_what_is_shown_for_a_moment_while_a_page_is_drawn_is_not_cached(owner, stranger, monkeypatch):
    roster, asked, state = owner.copy_sample(hide_points=True), [], cached.shared_state

    def hide(hidden):
        def write():
            writer.update_roster(roster, hide_points=hidden)
            connection.close()

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()

    def ask(token):
        asked.append(state(token))
        if len(asked) == 2:
            hide(False)  # between the question and the drawing
        return asked[-1]

    monkeypatch.setattr(cached, "shared_state", ask)
    stranger.get(f"/s/{roster.token}")
    hide(True)
    assert "data-points" not in stranger.text(f"/s/{roster.token}")


def test_damage_is_on_the_live_page_and_what_is_not_for_everybody_drawn_for_each_alone(owner, friend, stranger, fleet):
    assert "SHIELD: 2 of 3 left" in stranger.text(f"/s/{fleet.token}")
    assert stranger.context(f"/s/{fleet.token}/r1")["roster_page"].formations[0].rows[0].damage == ()
    friend.get(fleet.edit_link)
    address, htmx = f"/s/{fleet.token}/tools", {"HX-Request": "true"}
    assert f'href="{address}"' in stranger.text(f"/s/{fleet.token}")
    for client, edits in ((owner, True), (friend, True), (stranger, False)):
        links, page = client.get(address, headers=htmx), client.get(address)
        assert ["no-store" in each["Cache-Control"] for each in (links, page)] == [True] * 2
        assert (links.status_code, url_of(fleet) in links.content.decode()) == (200 if edits else 204, edits)
        assert (url_of(fleet) in page.content.decode(), b'/copy"' in page.content) == (edits, True)
        assert page.context["roster_page"].appraisal.quantity == 3
    other = sample_roster("msc/book-squadron").token
    battle = stranger.get(f"/s/{fleet.token}.pdf?against={other}")
    assert (battle.status_code, battle["Cache-Control"]) == (200, "private, no-cache")
    writer.update_roster(fleet, visibility="closed")
    for ending in ENDINGS:
        mine, theirs = (client.get(f"/s/{fleet.token}{ending}") for client in (owner, stranger))
        assert (mine.status_code, mine["Cache-Control"], "Cookie" in mine["Vary"]) == (200, "private, no-cache", True)
        assert theirs.status_code == 404


def test_the_visitors_last_roster_of_the_game_is_beside_the_shared_one(owner, friend, stranger, fleet):
    """The page is the same for everybody; a fragment of it compares, and both versions make a battle."""
    page = stranger.get(f"/s/{fleet.token}").content
    older, last, _empty = (stranger.create(roster_data("msc", *ships)) for ships in ([[SHIP]], [[SHIP]], []))
    stranger.copy_sample("vsgmr/dwarves")
    assert stranger.get(f"/s/{fleet.token}").content == page
    for version, reference in (("", fleet.token), ("?version=1", f"{fleet.token}/r1")):
        fragment = stranger.get(f"/s/{fleet.token}/tools{version}", headers={"HX-Request": "true"})
        beside = fragment.context["beside"]
        assert (fragment["HX-Reswap"], beside.mine.roster, beside.theirs.reference) == ("none", last, reference)
        assert [cell.shown for cell in beside.comparison.figures[0].cells] == ["15", "45"]
    assert stranger.context(f"/s/{fleet.token}/tools")["beside"].mine.roster == last
    assert [owner.context(f"/s/{each.token}/tools")["beside"] is None for each in (fleet, older)] == [True, False]


def test_what_is_drawn_costs_one_query_is_compressed_and_304_once_it_is_known_by_any_spelling(
    stranger, fleet, settings, django_assert_num_queries
):
    address = f"/s/{fleet.token}"
    plain = stranger.get(f"{address}?utm_source=x")
    with django_assert_num_queries(1):
        packed = stranger.get(address, headers={"Accept-Encoding": "br, gzip"})
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain.content)
    assert not stranger.get(address, headers={"Accept-Encoding": "gzip;q=0"}).has_header("Content-Encoding")
    assert stranger.head(address).headers["ETag"] == plain["ETag"] != stranger.get(f"{address}?receipt=all")["ETag"]
    cached.clear_responses()
    with django_assert_num_queries(1):
        known = stranger.get(address, headers={"If-None-Match": packed["ETag"]})
    assert (known.status_code, known.content, known["Cache-Control"]) == (304, b"", "public, no-cache")
    settings.SHARED_CACHE_SECONDS = 2
    head = stranger.get(address).headers
    assert head["Cache-Control"] == "public, max-age=0, s-maxage=2"
    assert re.fullmatch(r"@\d{10}", head["X-Accel-Expires"])
    tag = stranger.get(f"/s/{fleet.token}/r1")["ETag"]
    for spelling in ("/r1?=1", "/r1?new=2", "/r0001"):
        assert stranger.get(f"/s/{fleet.token}{spelling}")["ETag"] == tag, spelling
    ignored = (("Match", '"x"'), ("None-Match", "*"), ("None-Match", tag.replace('"', '"x', 1)))
    for name, value in (*ignored, ("Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT")):
        assert stranger.get(f"/s/{fleet.token}/r1", headers={f"If-{name}": value}).status_code == 200, value
    assert stranger.get(f"/s/{fleet.token}/r1", headers={"If-None-Match": f'"x", {tag}'}).status_code == 304
