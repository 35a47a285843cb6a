"""Accounts: signing up and in, claiming, taking all away, deleting all; and what other accounts and strangers get."""

import json
import os
import re
import subprocess
import sys
import zipfile
from io import BytesIO, StringIO
from smtplib import SMTPRecipientsRefused

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from armybuilder import settings as shipped
from rosters import registry
from rosters.models import ApiToken, Battle, Browser, Force, Revision, Roster
from rosters.views.accounts import SIGNING

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse 9"
SENTINEL = "sentinel-4711"


@pytest.fixture(autouse=True)
def no_attempts_yet():
    """Attempts are counted in the cache."""
    cache.clear()


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def friend():
    return Client()


@pytest.fixture
def stranger():
    return Client()


def sign_up(client, email="anna@example.com", password=PASSWORD):
    return client.post("/account/signup/", {"email": email, "password1": password, "password2": password})


def sign_in(client, email="anna@example.com", password=PASSWORD, **more):
    return client.post("/account/login/", {"login": email, "password": password, **more})


def expire(client):
    """The session runs out; the browser and its own cookie stay."""
    Session.objects.filter(session_key=client.session.session_key).delete()


def start(client, name="Iron Guard", system="msc"):
    response = client.post(f"/new/{system}", {"name": name, "size": "0"})
    return Roster.objects.get(token=response.url.split("/")[2])


def lend(client, friend, roster):
    """Let a friend open the roster by a new edit link."""
    page = client.post(f"/r/{roster.token}/", {"do": "new-edit-link"}, follow=True).content.decode()
    friend.get(re.findall(rf"/e/{roster.token}/[\w-]+", page)[-1])


def claim(client, *rosters):
    return client.post("/account/claim", {"pick": [r.token for r in rosters]})


def user(email="anna@example.com"):
    return User.objects.get(email=email)


def fresh(roster):
    return Roster.objects.get(pk=roster.pk)


# ---------------------------------------------------------------- signing up, in and out


def test_an_email_address_and_a_password_make_an_account(owner):
    page = owner.get("/account/signup/").content.decode()
    assert re.findall(r'<input type="(?:email|text|password)" name="(\w+)"', page) == [
        "email",
        "password1",
        "password2",
    ]
    assert sign_up(owner).url == "/account/claim"
    assert user().password.startswith("argon2$argon2id$")
    assert shipped.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher", "and not in one round"
    assert "anna@example.com" in owner.get("/account/").content.decode()


@pytest.mark.parametrize("password", ["short", "password1", "anna@example.com"])
def test_a_weak_password_is_refused(owner, password):
    response = sign_up(owner, password=password)
    assert response.status_code == 200
    assert 'class="invalid-feedback"' in response.content.decode()
    assert not User.objects.exists()


def test_signing_in_and_out(owner, friend):
    sign_up(owner)
    assert friend.get("/account/").url == "/account/login/"
    assert sign_in(friend).url == "/account/claim"
    assert friend.get("/account/").status_code == 200
    assert friend.get("/account/logout/").status_code == 200
    assert friend.get("/account/").status_code == 200, "asking is not signing out"
    assert friend.post("/account/logout/").url == "/"
    assert friend.get("/account/").status_code == 302


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(owner, stranger):
    sign_up(owner)
    wrong, unknown = sign_in(stranger, password="wrong"), sign_in(stranger, "nobody@example.com", "wrong")
    said = [
        re.search(r'<div class="alert[^>]*>(.*?)</div>', r.content.decode(), re.DOTALL)[1] for r in (wrong, unknown)
    ]
    assert said[0] == said[1] != ""


def test_too_many_attempts_are_stopped_in_words(owner, stranger):
    sign_up(owner)
    for _ in range(5):
        sign_in(stranger, password="wrong")
    for client in (stranger, Client(REMOTE_ADDR="192.0.2.7")):
        refused = sign_in(client)
        assert (refused.status_code, refused["Retry-After"]) == (429, "300"), "even with the right password"
        assert "Wait 5 minutes" in refused.content.decode()
        assert client.get("/account/").status_code == 302


def test_nobody_is_sent_elsewhere_after_signing_in(owner):
    sign_up(owner)
    owner.post("/account/logout/")
    assert sign_in(owner, next="https://evil.example/").url == "/account/claim"
    owner.post("/account/logout/")
    assert sign_in(owner, next="/account/download").url == "/account/download"


@pytest.mark.parametrize("address", ["http://[", "//[", "http://[a]b/"])
def test_an_address_that_is_none_is_not_gone_on_to(owner, address):
    sign_up(owner)
    owner.post("/account/logout/")
    assert owner.get("/account/login/", {"next": address}).status_code == 200
    assert sign_in(owner, password="wrong", next=address).status_code == 200
    assert sign_in(owner, next=address).url == "/account/claim"


def test_a_forgotten_password_is_replaced_by_mail(owner, stranger):
    sign_up(owner)
    mail.outbox.clear()
    known = stranger.post("/account/password/reset/", {"email": "anna@example.com"})
    unknown = stranger.post("/account/password/reset/", {"email": "nobody@example.com"})
    assert known.url == unknown.url
    assert [m.to for m in mail.outbox] == [["anna@example.com"], ["nobody@example.com"]], "both take time"
    assert "there is no account with this address" in mail.outbox[1].body
    link = re.search(r"http://testserver(/account/password/reset/key/\S+)", mail.outbox[0].body)[1]
    form = stranger.get(link, follow=True).redirect_chain[-1][0]
    stranger.post(form, {"password1": "another horse 9", "password2": "another horse 9"})
    assert sign_in(stranger, password="another horse 9").status_code == 302
    assert owner.get("/account/").status_code == 302, "a new password ends the other sessions"
    assert "no longer works" in Client().get(link, follow=True).content.decode()


def test_the_address_is_confirmed_by_the_link_in_the_mail(owner):
    sign_up(owner)
    link = re.search(r"http://testserver(/account/confirm-email/\S+)", mail.outbox[0].body)[1]
    assert "anna@example.com" in owner.get(link).content.decode()
    owner.post(link)
    assert user().emailaddress_set.get().verified


def test_where_confirming_is_mandatory_nobody_gets_in_without(owner, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert sign_up(owner).url == "/account/confirm-email/"
    assert "Look into your mail" in owner.get("/account/confirm-email/").content.decode()
    assert owner.get("/account/").status_code == 302
    again = sign_up(Client())
    assert again.url == "/account/confirm-email/", "nor does a second sign-up tell that the address is taken"
    assert User.objects.count() == 1


def test_confirming_signs_in_the_browser_that_signed_up_and_offers_its_rosters_and_no_other(owner, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    begun = start(owner)
    sign_up(owner)
    link = re.search(r"http://testserver(/account/confirm-email/\S+)", mail.outbox[0].body)[1]
    elsewhere = Client()
    elsewhere.get(link)
    assert owner.post(link, follow=True).redirect_chain[-1][0] == "/account/claim"
    assert begun.token in owner.get("/account/claim").content.decode()
    assert elsewhere.get("/account/").status_code == 302


@pytest.fixture
def mail_server(monkeypatch):
    """A switch: after ``mail_server(error)`` every mail fails so, after ``mail_server(None)`` none."""
    sending = mail.EmailMessage.send

    def fails_with(error):
        def send(message, *arguments):
            if error:
                raise error
            return sending(message, *arguments)

        monkeypatch.setattr(mail.EmailMessage, "send", send)

    return fails_with


def unsent(response):
    assert (response.status_code, response["Retry-After"]) == (503, "60")
    assert "cannot send mail just now" in response.content.decode()
    return re.sub(r"<code>\w+</code>", "", response.content.decode())


@pytest.mark.parametrize("error", [ConnectionRefusedError(111, "refused"), SMTPRecipientsRefused({})])
def test_a_mail_server_that_is_gone_is_told_and_signing_in_later_sends_the_link(owner, settings, mail_server, error):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    mail_server(error)
    new, taken = unsent(sign_up(owner)), unsent(sign_up(Client()))
    assert new == taken, "nor does it tell that the address is taken"
    unsent(sign_in(owner))
    mail_server(None)
    assert sign_in(owner).url == "/account/confirm-email/"
    link = re.search(r"http://testserver(/account/confirm-email/\S+)", mail.outbox[0].body)[1]
    owner.post(link)
    assert owner.get("/account/").status_code == 200


def test_a_forgotten_password_waits_for_the_mail_server(owner, stranger, mail_server):
    sign_up(owner)
    mail_server(TimeoutError())
    unsent(stranger.post("/account/password/reset/", {"email": "anna@example.com"}))


def test_a_change_that_is_made_stays_made_without_the_mail_that_tells_of_it(owner, stranger, mail_server):
    sign_up(owner)
    mail_server(TimeoutError())
    new = {"password1": "another horse 9", "password2": "another horse 9"}
    assert owner.post("/account/password/change/", {"oldpassword": PASSWORD, **new}).status_code == 302
    assert owner.get("/account/").status_code == 200, "still signed in"
    assert sign_in(stranger, password="another horse 9").status_code == 302


def test_the_mail_server_stands_in_the_environment():
    ask = "from armybuilder import settings as s; print(s.EMAIL_BACKEND.split('.')[-2], s.EMAIL_HOST, s.EMAIL_PORT,"
    ask += " s.EMAIL_HOST_USER, s.EMAIL_HOST_PASSWORD, s.EMAIL_USE_TLS, s.EMAIL_USE_SSL, s.ACCOUNT_EMAIL_VERIFICATION)"
    more = {"EMAIL_URL": "smtp+tls://me:p%40ss@mail.example.com:587", "EMAIL_VERIFICATION": ""}
    run = [sys.executable, "-c", ask]
    done = subprocess.run(run, env=os.environ | more, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["smtp", "mail.example.com", "587", "me", "p@ss", "True", "False", "mandatory"]
    done = subprocess.run(run, env=os.environ | {"EMAIL_URL": ""}, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "console"
    assert done.stdout.split()[-1] == "optional", "where no mail goes out, nobody could confirm an address"


PAGES = ["login", "signup", "inactive", "password/reset", "password/reset/done", "password/reset/key/done"]
PAGES += ["confirm-email", "confirm-email/none", "password/reset/key/1-none"]
OWN_PAGES = ["", "email/", "password/change/", "reauthenticate/", "logout/", "delete"]


@pytest.mark.parametrize("path", [*(f"{page}/" for page in PAGES), *OWN_PAGES])
def test_every_page_of_an_account_looks_like_the_others(owner, path):
    if path in OWN_PAGES:
        sign_up(owner)
    page = owner.get(f"/account/{path}").content.decode()
    assert '<header class="site">' in page
    assert "· Armybuilder</title>" in page
    assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son\w+=", page), "no inline scripts or styles"


def test_every_route_of_an_account_is_listed_with_its_rights():
    said = StringIO()
    call_command("routes", "--json", stdout=said)
    found = {row["name"]: row for row in json.loads(said.getvalue()) if row["route"].startswith("/account/")}
    assert {pattern.name for pattern in SIGNING} < set(found)
    assert not [name for name, row in found.items() if row["who"] == "staff"]
    assert found["account-delete"]["who"] == found["account_email"]["who"] == "an account, signed in"
    assert found["account_login"]["methods"] == ["GET", "HEAD", "POST"]


@pytest.mark.parametrize("path", ["", "claim", "download", "delete", "email/", "password/change/"])
def test_a_stranger_is_asked_to_sign_in(stranger, path):
    response = stranger.get(f"/account/{path}")
    assert response.status_code == 302
    assert response.url.startswith("/account/login/")
    if path in ("claim", "delete"):
        assert stranger.post(f"/account/{path}").url.startswith("/account/login/")


# ---------------------------------------------------------------- claiming


def test_signing_up_offers_this_browsers_rosters_and_takes_only_the_ticked(owner):
    one, two = start(owner, "One"), start(owner, "Two")
    page = owner.get(sign_up(owner).url).content.decode()
    assert one.token in page
    assert two.token in page
    assert (fresh(one).owner, fresh(two).owner) == (None, None), "nothing is claimed silently"
    assert claim(owner, two).url == "/mine/"
    assert (fresh(one).owner, fresh(two).owner) == (None, user())
    assert "1 roster of this browser is not under your account yet" in owner.get("/mine/").content.decode()


def meet(client, *rosters):
    """A battle of rosters, made by this client."""
    response = client.post("/battle/new", {"links": "\n".join(f"/s/{roster.token}" for roster in rosters)})
    return Battle.objects.get(token=response.url.split("/")[2])


def test_signing_in_offers_this_browsers_battles_too_and_takes_only_the_ticked(owner, friend):
    one, two = meet(owner, start(owner)), meet(owner, start(owner))
    theirs = meet(friend, start(friend))
    page = owner.get(sign_up(owner).url).content.decode()
    assert f'name="battle" value="{one.token}" checked' in page
    assert theirs.token not in page
    response = owner.post("/account/claim", {"battle": [two.token, theirs.token]}, follow=True)
    assert "1 battle now under your account" in response.content.decode()
    assert [Battle.objects.get(pk=each.pk).owner for each in (one, two, theirs)] == [None, user(), None]
    elsewhere = Client()
    sign_in(elsewhere)
    listed = elsewhere.get("/mine/").content.decode()
    assert f"/b/{two.token}" in listed
    assert f"/b/{one.token}" not in listed
    assert elsewhere.post(f"/b/{two.token}", {"do": "agree"}).status_code == 302
    assert elsewhere.post(f"/b/{one.token}", {"do": "agree"}).status_code == 404


def test_a_battle_alone_is_offered_too_but_not_one_that_another_account_owns(owner, friend):
    sign_up(friend, "bob@example.com")
    battle = meet(friend, start(friend))
    roster = start(owner)
    owner.post(f"/b/{battle.token}/opponent", {"roster": roster.token})
    assert f"/b/{battle.token}" in owner.get("/mine/").content.decode()
    sign_up(owner)
    claim(owner, roster)
    assert owner.get("/account/claim").url == "/mine/"
    owner.post("/account/claim", {"battle": battle.token})
    assert Battle.objects.get().owner == user("bob@example.com")
    Battle.objects.update(owner=None)
    assert battle.token in friend.get("/account/claim").content.decode()
    assert owner.get("/account/claim").url == "/mine/", "who joined a battle did not begin it"


def test_with_nothing_to_claim_signing_in_leads_to_my_rosters(owner):
    sign_up(owner)
    assert owner.get("/account/claim").url == "/mine/"


def test_what_was_lent_deleted_or_is_anothers_is_not_offered(owner, friend):
    lent, taken, mine, gone = start(friend, "Lent"), start(owner, "Taken"), start(owner, "Mine"), start(owner, "Gone")
    lend(friend, owner, lent)
    owner.post(f"/r/{gone.token}/delete")
    bob = User.objects.create(username="bob")
    Roster.objects.filter(pk=taken.pk).update(owner=bob)
    owner.get("/mine/")  # which tells what was just done
    sign_up(owner)
    page = owner.get("/account/claim").content.decode()
    assert f'value="{mine.token}"' in page
    for roster in (lent, taken, gone, Roster.objects.exclude(sample=None).first()):
        assert f'value="{roster.token}"' not in page
        claim(owner, roster)
    assert [fresh(r).owner for r in (lent, taken, gone)] == [None, bob, None]


def test_a_roster_that_is_started_signed_in_belongs_to_the_account(owner):
    sign_up(owner)
    assert start(owner).owner == user()


def test_the_account_edits_its_rosters_from_any_browser_and_nobody_else_does(owner, friend, stranger):
    sign_up(owner)
    one = start(owner)
    elsewhere = Client()
    sign_in(elsewhere)
    sign_up(friend, "bob@example.com")
    assert elsewhere.get(f"/r/{one.token}/").status_code == 200
    assert one.name in elsewhere.get("/mine/").content.decode()
    assert elsewhere.post(f"/r/{one.token}/delete").status_code == 302
    for other in (friend, stranger):
        assert one.name not in other.get("/mine/bin").content.decode()
        assert other.post("/mine/bin", {"do": "forever-sure", "pick": one.token}).status_code == 302
    elsewhere.post("/mine/bin", {"do": "undo", "pick": one.token})
    for other in (friend, stranger):
        assert other.get(f"/r/{one.token}/").url == f"/s/{one.token}"
        assert other.post(f"/r/{one.token}/", {"do": "add-formation"}).status_code == 404
        assert other.post(f"/r/{one.token}/delete").status_code == 404
        assert one.name not in other.get("/mine/").content.decode()
    assert fresh(one).binned is None


def test_when_the_session_expires_another_browser_may_do_nothing_more(owner):
    sign_up(owner)
    one = start(owner)
    elsewhere = Client()
    sign_in(elsewhere)
    expire(elsewhere)
    assert elsewhere.get(f"/r/{one.token}/").url == f"/s/{one.token}"
    assert elsewhere.post(f"/r/{one.token}/delete").status_code == 404
    assert one.name not in elsewhere.get("/mine/").content.decode()
    assert elsewhere.get("/account/download").url.startswith("/account/login/")
    assert elsewhere.post("/account/delete", {"password": PASSWORD}).url.startswith("/account/login/")
    assert User.objects.exists()


def test_the_browser_that_made_a_roster_edits_it_signed_out_too_but_cannot_delete_it_for_good(owner):
    sign_up(owner)
    one = start(owner)
    expire(owner)
    assert owner.get(f"/r/{one.token}/").status_code == 200
    owner.post(f"/r/{one.token}/delete")
    owner.post("/mine/bin", {"do": "forever-sure", "pick": one.token})
    assert fresh(one).binned


def test_signing_out_of_somebody_elses_computer_leaves_nothing_open_there(owner, friend):
    loose = start(owner, "Loose")
    sign_up(owner)
    one = start(owner)
    lend(owner, friend, one)
    owner.post("/account/logout/", {"forget": "1"})
    assert owner.get(f"/r/{one.token}/").url == f"/s/{one.token}"
    assert owner.get(f"/r/{loose.token}/").status_code == 200, "what the account does not own stays this browser's"
    assert friend.get(f"/r/{one.token}/").status_code == 200, "nor does it touch other browsers"
    sign_in(owner)
    assert owner.get(f"/r/{one.token}/").status_code == 200


# ---------------------------------------------------------------- taking all away


def holding(client):
    """An account with two rosters, one of them in the bin, a battle and a token; the rosters."""
    sign_up(client)
    one, two = start(client, "One"), start(client, "Two")
    client.post(f"/r/{one.token}/", {"do": "add-formation"})
    client.post("/mine/", {"do": "label", "pick": one.token, "folder": "Summer", "tags": "club"})
    client.post(f"/r/{two.token}/delete")
    battle = Battle.objects.create(system="msc", name="Meeting", owner=user())
    Force.objects.create(battle=battle, roster=one, position=1, revision=1)
    ApiToken.objects.create(user=user(), name="script", key_hash=SENTINEL)
    return one, two


def unzipped(response):
    archive = zipfile.ZipFile(BytesIO(b"".join(response.streaming_content)))
    return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_download_holds_every_roster_with_its_history_and_nothing_of_others(owner, friend):
    start(friend, f"Theirs {SENTINEL}")
    one, two = holding(owner)
    response = owner.get("/account/download")
    assert response["Content-Type"] == "application/zip"
    files = unzipped(response)
    kept = {row["token"]: row for row in json.loads(files["index.json"])}
    assert set(kept) == {one.token, two.token}
    assert (kept[one.token]["folder"], kept[one.token]["tags"], kept[one.token]["deleted"]) == ("Summer", "club", None)
    assert kept[two.token]["deleted"]
    history = [json.loads(line) for line in files[f"histories/{kept[one.token]['file']}.jsonl"].splitlines()]
    document = json.loads(files[f"rosters/{kept[one.token]['file']}.json"])
    assert [revision["number"] for revision in history] == [1, 2]
    assert history[-1]["document"]["formations"] == document["formations"]
    registry.read(document)
    assert "nothing of your account" not in files["README.txt"]
    account = json.loads(files["account.json"])
    assert (account["email"], account["battles"][0]["forces"][0]["roster"]) == ("anna@example.com", one.token)
    assert [token["name"] for token in account["api_tokens"]] == ["script"]
    everything = "".join(files.values())
    for secret in (SENTINEL, user().password, one.edit_hash, Browser.objects.first().key_hash):
        assert secret not in everything


def test_the_downloads_of_a_minute_are_limited(owner, settings):
    settings.DOWNLOADS_A_MINUTE = 2
    sign_up(owner)
    assert [owner.get("/account/download").status_code for _ in range(3)] == [200, 200, 429]


# ---------------------------------------------------------------- deleting all


def test_deleting_the_account_says_what_goes_and_asks_for_the_password(owner):
    holding(owner)
    page = owner.get("/account/delete").content.decode()
    assert "1 roster and 1 in the bin" in page
    assert "1 battle in which nobody else has a roster" in page
    assert "1 API token" in page
    for password in ("", "wrong"):
        response = owner.post("/account/delete", {"password": password})
        assert response.status_code == 422
        assert "Nothing was deleted" in response.content.decode()
    assert (Roster.objects.filter(owner=user()).count(), Battle.objects.count()) == (2, 1)


def test_deleting_the_account_deletes_all_it_holds_and_nothing_else(owner, friend):
    loose, theirs = start(owner, "Loose"), start(friend, "Theirs")
    one, two = holding(owner)
    elsewhere = Client()
    sign_in(elsewhere)
    page = owner.post("/account/delete", {"password": PASSWORD}, follow=True).content.decode()
    assert "is deleted" in page
    assert not User.objects.exists()
    assert not Roster.objects.filter(pk__in=[one.pk, two.pk]).exists()
    assert not Revision.objects.filter(roster_id__in=[one.pk, two.pk]).exists()
    assert (Battle.objects.count(), ApiToken.objects.count()) == (0, 0)
    assert Roster.objects.filter(pk__in=[loose.pk, theirs.pk]).count() == 2
    assert owner.get(f"/r/{loose.token}/").status_code == 200
    assert owner.get(f"/s/{one.token}").status_code == 404
    for client in (owner, elsewhere):
        assert client.get("/account/").status_code == 302
    assert sign_in(owner).status_code == 200, "there is nothing to sign in to"


def test_a_battle_in_which_somebody_else_has_a_roster_goes_on_without_the_account(owner, friend):
    sign_up(owner)
    mine, theirs = start(owner), start(friend)
    alone, both = meet(owner, mine), meet(owner, mine)
    friend.post(f"/b/{both.token}/opponent", {"roster": theirs.token})
    page = owner.get("/account/delete").content.decode()
    assert "1 battle in which nobody else has a roster" in page
    assert "Battles in which somebody else has a roster go on without you" in page
    owner.post("/account/delete", {"password": PASSWORD})
    assert [(each.pk, each.owner) for each in Battle.objects.all()] == [(both.pk, None)]
    assert [force.roster for force in both.forces.all()] == [theirs]
    assert friend.post(f"/b/{both.token}", {"do": "agree"}).status_code == 302
    assert friend.get(f"/b/{alone.token}").status_code == 404


def test_passwords_cannot_be_guessed_at_the_delete_page(owner):
    sign_up(owner)
    answers = [owner.post("/account/delete", {"password": "wrong"}).status_code for _ in range(12)]
    assert answers[0] == 422
    assert answers[-1] == 429


def test_another_account_deletes_only_itself(owner, friend):
    one, _ = holding(owner)
    sign_up(friend, "bob@example.com")
    friend.post("/account/delete", {"password": PASSWORD})
    assert [u.email for u in User.objects.all()] == ["anna@example.com"]
    assert fresh(one).owner == user()
