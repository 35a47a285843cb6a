"""The headers that every response carries, and pages that live by them: no script and no style inside a page."""

import re
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from rosters.web.http import security
from rosters.web.http.checks import routes
from tests.people import army

ROOT = Path(__file__).parent.parent.parent.parent
ROUTES = sorted({route["route"] for route in routes()})
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

EXPECTED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FORBIDDEN_WORDS = ["unsafe-inline", "unsafe-eval", "http:", "https:", "*", "blob:"]
"""What would let strangers' scripts or styles in."""


def filled(route):
    """An address of this route: made-up tokens, the number 1, a word for the rest."""
    address = re.sub(r"<int:\w+>", "1", route)
    address = re.sub(r"<(?:\w+:)?(?:token|secret|key|\w*id)>", "x" * 22, address)
    address = re.sub(r"<(?:\w+:)?\w+>", "word", address)
    address = re.sub(r"\(\?P<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)", "word", address)
    return re.sub(r"[\\^$?]", "", address)


def guarded(response):
    """Every header is there, with a policy that lets nothing of strangers in."""
    missing = {
        name: response.headers.get(name) for name, value in EXPECTED.items() if response.headers.get(name) != value
    }
    policy = response.headers.get("Content-Security-Policy", "")
    weak = [word for word in FORBIDDEN_WORDS if word in policy]
    page = response.headers.get("Content-Type", "text/html").startswith("text/html")
    wanted = ["default-src 'none'", "script-src 'self'", "style-src 'self'"] if page else ["script-src 'none'"]
    closed = all(part in policy for part in (*wanted, "base-uri 'none'", "form-action", "frame-ancestors 'none'"))
    lends_nothing = "camera=()" in response.headers.get("Permissions-Policy", "")
    numbered = re.fullmatch(r"[0-9a-f]{16}", response.headers.get("X-Request-ID", ""))
    assert (missing, weak, closed, lends_nothing, bool(numbered)) == ({}, [], True, True, True)


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post", "put"])
def test_every_address_carries_them_whatever_it_answers(visitor, method):
    for route in ROUTES:
        response = getattr(visitor, method)(filled(route))
        assert response.status_code < 500, route
        guarded(response)


@pytest.mark.django_db
def test_pages_files_and_redirects_of_a_roster_carry_them(visitor):
    token = army("vsgmr/dwarves").token
    for ending in ("", ".json", ".csv", ".pdf", ".png", "/qr.svg", "/print", "/history"):
        response = visitor.get(f"/s/{token}{ending}")
        assert response.status_code == 200, ending
        guarded(response)
    guarded(visitor.post(f"/s/{token}/copy"))


@pytest.mark.django_db
def test_the_admin_carries_them_for_those_who_are_signed_in(operator):
    for address in ("/admin/", "/admin/rosters/", "/admin/auth/user/add/"):
        response = operator.get(address)
        assert response.status_code == 200, address
        guarded(response)


@pytest.mark.django_db
def test_what_is_refused_before_any_view_carries_them_too(visitor, settings):
    settings.MOST_SENT = 1000
    for status, response in (
        (404, visitor.get("/nowhere")),
        (400, visitor.get("/", HTTP_HOST="evil.example")),
        (413, visitor.post("/new/msc", {"name": "x" * 1000})),
        (403, Client(enforce_csrf_checks=True).post("/new/msc")),
        (200, visitor.get("/static/css/app.css")),
    ):
        assert response.status_code == status
        guarded(response)


def broken(request):
    raise ValueError("A fault that nobody foresaw, at 203.0.113.9")


urlpatterns = [path("broken", broken)]
handler500 = "rosters.web.http.errors.server_error"


@pytest.mark.urls(__name__)
def test_a_page_about_a_fault_carries_them_and_a_number_to_tell(visitor):
    response = visitor.get("/broken")
    assert response.status_code == 500
    guarded(response)
    assert f"<code>{response.headers['X-Request-ID']}</code>" in response.content.decode()
    assert "ValueError" not in response.content.decode()


def test_a_view_cannot_weaken_them(rf):
    def view(request):
        return HttpResponse(headers={"Content-Security-Policy": "script-src 'unsafe-inline'"})

    response = security.content_security_policy(view)(rf.get("/"))
    assert "unsafe-inline" not in response.headers["Content-Security-Policy"]


def test_no_page_holds_a_script_or_a_style_of_its_own():
    """A browser would refuse to run it: it belongs into static/."""
    own = r"<style|<script(?![^>]*(?:\bsrc=|application/json))|\sstyle=|\son[a-z]+=|javascript:"
    found = {path.name: re.findall(own, re.sub(r"{%.*?%}", "", path.read_text("utf-8"))) for path in TEMPLATES}
    assert {name: words for name, words in found.items() if words} == {}
