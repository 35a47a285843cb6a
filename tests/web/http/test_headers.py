"""The headers that every response carries (the matrix looks at those of every route), and pages that live by them."""

import re
from pathlib import Path

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from rosters.store import shelf
from tests.people import SHIP, document_of, element_ids, message_levels, reload, sample_roster, url_of
from tests.support import assert_secure_headers, roster_data

TEMPLATES = sorted((Path(__file__).parent.parent.parent.parent / "templates").rglob("*.html"))
FORM = "multipart/form-data; boundary=x"


@pytest.mark.django_db
def test_what_is_refused_before_any_view_carries_them_too(settings):
    visitor, settings.MOST_SENT = Client(), 1000
    for status, response in (
        (404, visitor.get("/nowhere")),
        (400, visitor.get("/", HTTP_HOST="evil.example")),
        (413, visitor.post("/new/msc", {"name": "x" * 1000})),
        *((400, visitor.generic("POST", "/new/msc", b"-", f"{FORM}; charset={name}")) for name in ("base64", "idna")),
        (403, Client(enforce_csrf_checks=True).post("/new/msc")),
        (200, visitor.get("/static/css/app.css")),
    ):
        assert response.status_code == status
        assert_secure_headers(response)


def broken(request):
    raise ValueError("A fault that nobody foresaw, at 203.0.113.9")


def weak(request):
    return HttpResponse(headers={"Content-Security-Policy": "script-src 'unsafe-inline'"})


urlpatterns = [path("broken", broken), path("weak", weak)]
handler500 = "rosters.web.http.errors.server_error"


@pytest.mark.urls(__name__)
def test_a_page_about_a_fault_carries_them_and_a_number_to_tell_and_no_view_weakens_them():
    visitor = Client(raise_request_exception=False)
    response = visitor.get("/broken")
    assert response.status_code == 500
    assert_secure_headers(response)
    assert f"<code>{response.headers['X-Request-ID']}</code>" in response.content.decode()
    assert "ValueError" not in response.content.decode()
    assert_secure_headers(visitor.get("/weak"))


def test_no_page_holds_a_script_or_a_style_of_its_own():
    """A browser would refuse to run it: it belongs into static/."""
    own = r"<style|<script(?![^>]*(?:\bsrc=|application/json))|\sstyle=|\son[a-z]+=|javascript:"
    found = {path.name: re.findall(own, re.sub(r"{%.*?%}", "", path.read_text("utf-8"))) for path in TEMPLATES}
    assert {name: words for name, words in found.items() if words} == {}


def test_no_nul_reaches_the_database_which_would_fail_on_postgresql(owner):
    mine, own_shelf = owner.start_roster(), shelf.create(owner.browser)
    owner.cookies["sessionid"] = "a session\0"  # which Cookie quotes as \\000

    def execute_text(execute, sql, values, *rest):
        assert not [each for each in values or () if "\0" in str(each)], sql
        return execute(sql, values, *rest)

    with connection.execute_wrapper(execute_text):
        for address in ("/mine/", url_of(mine, "fill?from=%00"), f"/shelf/{own_shelf.token}/rosters?roster=%00"):
            assert owner.get(address).status_code == 200, address


def test_listed_rosters_are_for_search_engines_and_pages_of_a_roster_stored_by_the_browser_alone_if_at_all(
    owner, stranger
):
    rosters = [owner.copy_sample(), owner.copy_sample(visibility="listed"), sample_roster("vsgmr/dwarves")]
    for end in ("", ".json"):
        tags = [stranger.get(f"/s/{roster.token}{end}").headers.get("X-Robots-Tag", "") for roster in rosters]
        assert tags == ["noindex, nofollow", "", ""]
    fleet = owner.copy_sample()
    page = owner.get(url_of(fleet, "links"))
    link = re.search(r"/e/[\w-]{22}/[\w-]{43}", page.content.decode())[0]
    assert ["no-store" in each["Cache-Control"] for each in (page, stranger.get(link))] == [True, True]
    pages = [url_of(fleet, at) for at in ("", "marks", "history", "sharing", f"element?id={element_ids(fleet)[0][0]}")]
    assert {owner.get(page)["Cache-Control"] for page in (*pages, url_of(owner.create_battle(fleet)))} == {
        "private, no-cache"
    }
    assert "no-store" not in owner.get("/").headers.get("Cache-Control", "")


PAGES = [f"/r/{{t}}/{at}" for at in ("", "add", "settings", "element?in=f1", "history", "sharing", "marks")]
PAGES += ["/s/{t}/print", "/b/{b}", "/mine/?q=a", "/mine/bin", "/account/tokens"]


def test_a_script_that_sends_a_form_gets_the_next_address_and_one_of_an_earlier_release_changes_nothing(owner):
    roster = owner.copy_sample()
    answer = owner.post(f"/r/{roster.token}/settings", {"name": "Iron Guard"}, headers={"X-Form": "1"})
    assert (answer.status_code, answer.content, "Location" in answer.headers) == (204, b"", False)
    assert "Changed the settings." in owner.text(answer["X-Location"])
    owner.sign_up()
    owner.confirm_password()
    mine = owner.create(roster_data("msc", [SHIP]))
    battle, before = owner.create_battle(mine), document_of(mine)
    for address in (at.format(t=mine.token, b=battle.token) for at in PAGES):
        response = owner.submit(address, do="delete", name="Changed", revoke="1", visibility="closed")
        assert (response.status_code, response.url) == (303, address)
        assert message_levels(owner.get("/"))[-1:] == ["warning"], address
        now = (document_of(mine), reload(battle).name, reload(mine).visibility)
        assert now == (before, battle.name, "link"), address
