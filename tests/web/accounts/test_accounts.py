"""Accounts: signing up and in, claiming, taking all away, deleting all; and what other accounts and strangers get."""

import json
import re
import runpy
import time
from smtplib import SMTPRecipientsRefused
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache

from armybuilder import settings as shipped
from rosters import registry
from rosters.models import ApiToken, Battle, Browser, Force, Revision, Roster
from tests.database import files_of
from tests.people import PASSWORD, Person, message_levels, reload, sample_roster, url_of
from tests.support import missing, roster_data

SENTINEL = "sentinel-4711"
PATHS = ("claim", "login/", "logout/", "password/reset/", "delete", "sessions")
CLAIM, LOGIN, OUT, RESET, DELETE, SESSIONS = (f"/account/{path}" for path in PATHS)
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
SEND = mail.EmailMessage.send
NEW = {"password1": "another horse 9", "password2": "another horse 9"}


def user(email="anna@example.com"):
    return User.objects.get(email=email)


def mailed(what, number=0):
    """The address in a mail."""
    return re.search(rf"http://testserver(/account/{what}/\S+)", mail.outbox[number].body)[1]


@pytest.fixture
def anna(owner):
    """The owner, with an account, signed in."""
    owner.sign_up()
    return owner


@pytest.fixture
def bob(friend):
    """A friend, with another account."""
    friend.sign_up("bob@example.com")
    return friend


def test_an_email_address_and_a_password_that_is_not_weak_make_an_account(owner):
    for password in ("ten letters", "1q2w3e4r5t6y", "123456789012", "anna@example.com"):
        assert [*owner.sign_up(password=password).context["form"].errors] == ["password1"], password
    asked = [name for name, field in owner.context("/account/signup/")["form"].fields.items() if field.required]
    assert asked == ["email", "password1", "password2"]
    assert owner.sign_up().url == CLAIM
    assert user().password.startswith("argon2$argon2id$")
    assert shipped.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher", "and not in one round"
    assert owner.context("/account/")["name"] == "anna@example.com"


def test_signing_in_and_out_and_not_elsewhere(anna, friend):
    assert friend.get("/account/").url == LOGIN
    for address in ("https://evil.example/", "http://[", "//[", "http://[a]b/"):
        assert friend.get(LOGIN, {"next": address}).status_code == 200
        assert friend.sign_in(password="wrong", next=address).status_code == 200
        assert friend.sign_in(next=address).url == CLAIM
        assert [friend.get(address).status_code for address in (OUT, "/account/")] == [200, 200], "asking is not doing"
        assert (friend.submit(OUT).url, friend.get("/account/").status_code) == ("/", 302)
    assert friend.sign_in(next="/account/download").url == "/account/download"


def test_wrong_passwords_tell_nothing_of_the_address_and_too_many_are_stopped(anna, stranger):
    answers = [stranger.sign_in(f"{name}@example.com", "wrong") for name in ("anna", "nobody", *["anna"] * 4)]
    assert answers[0].context["form"].errors == answers[1].context["form"].errors != {}
    for client in (stranger, Person(REMOTE_ADDR="192.0.2.7")):
        refused = client.sign_in()
        assert (refused.status_code, refused["Retry-After"]) == (429, "300"), "even with the right password"
        assert client.get("/account/").status_code == 302


def test_api_tokens_and_another_address_ask_for_the_password_and_then_go_on(anna):
    account, sent = user(), {"/account/tokens": {"name": "a program", "scope": "read"}}
    sent["/account/email/"] = {"action_add": "", "email": "new@example.com"}
    held = account.emailaddress_set.values_list("email", flat=True)
    for number, address in enumerate(sent):
        asked = anna.submit(address, **sent[address]).url
        assert (asked.split("?")[0], anna.get(asked).status_code) == ("/account/reauthenticate/", 200), address
        for password in ("wrong", PASSWORD):
            assert (account.api_tokens.count(), [*held.all()]) == (number, ["anna@example.com"])
            anna.submit(asked, password=password, next=address)
        assert anna.get(address).status_code == 200
        anna.submit(OUT)
        anna.sign_in()
    assert "new@example.com" in held.all()


def set_up_app(person):
    """Set up an authenticator app, as its page leads to it; the secret."""
    secret = person.context("/account/2fa/totp/activate/")["form"].secret
    assert person.submit("/account/2fa/totp/activate/", code="000000").status_code == 200
    assert person.submit("/account/2fa/totp/activate/", code=code_of(secret)).url == "/account/2fa/recovery-codes/"
    return secret


def code_of(secret):
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def test_with_an_authenticator_app_the_password_alone_opens_nothing(anna, friend):
    anna.confirm_password()
    secret = set_up_app(anna)
    pages = [f"/account/2fa/{page}" for page in ("", "recovery-codes/", "recovery-codes/download/", "totp/deactivate/")]
    assert ["no-store" in anna.get(page)["Cache-Control"] for page in pages] == [True] * 4
    codes = anna.context("/account/2fa/recovery-codes/")["unused_codes"]
    assert (len(codes), codes[0] in anna.text("/account/2fa/recovery-codes/download/")) == (10, True)
    for code in (code_of(secret), codes[0]):
        asked = friend.sign_in().url
        assert (asked, friend.get("/account/").status_code) == ("/account/2fa/authenticate/", 302)
        for tried, status in (("000000", 200), (code, 302)):
            assert friend.submit(asked, code=tried).status_code == status
        assert friend.get("/account/").status_code == 200
        friend.submit(OUT)
    friend.sign_in()
    assert friend.submit(asked, code=codes[0]).status_code == 200, "each works once"
    account = json.loads(unzipped(anna.get("/account/download"))["account.json"])
    assert account["second_factors"] == ["totp", "recovery_codes"]
    assert friend.submit(OUT, next=LOGIN).url == LOGIN, "which is to cancel"
    assert anna.submit("/account/2fa/totp/deactivate/").url == "/account/2fa/"
    assert friend.sign_in().url == CLAIM


@pytest.mark.parametrize("name", ["keeper", "keeper@example.com"])
def test_staff_sign_in_to_the_admin_as_everybody_does_and_with_a_second_factor_if_it_is_required(name, owner, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    User.objects.create_superuser("keeper", "keeper@example.com", PASSWORD)
    asked = owner.get("/admin/", follow=True).redirect_chain[-1][0]
    assert asked.startswith("/account/login/?next=")
    assert owner.sign_in(name, next="/admin/").url == "/admin/"
    assert owner.get("/admin/").status_code == 200
    settings.STAFF_SECOND_FACTOR = True
    assert owner.get("/admin/", follow=True).redirect_chain[-2][0] == "/account/2fa/totp/activate/"
    owner.confirm_password()
    set_up_app(owner)
    assert owner.get("/admin/").status_code == 200


def test_a_forgotten_password_is_replaced_by_mail(anna, stranger):
    mail.outbox.clear()
    known, unknown = (stranger.submit(RESET, email=email) for email in ("anna@example.com", "nobody@example.com"))
    assert known.url == unknown.url
    assert [m.to for m in mail.outbox] == [["anna@example.com"], ["nobody@example.com"]], "both take time"
    link = mailed("password/reset/key")
    assert "/account/password/reset/key/" not in mail.outbox[1].body
    stranger.submit(stranger.get(link, follow=True).redirect_chain[-1][0], **NEW)
    assert stranger.sign_in(password=NEW["password1"]).status_code == 302
    assert anna.get("/account/").status_code == 302, "a new password ends the other sessions"
    assert Person().get(link, follow=True).context["token_fail"]


def test_an_address_gets_few_mails_whoever_asks_and_the_answer_is_the_same(anna, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    mail.outbox.clear()  # of her sign-up, which counts
    for email in ("anna@example.com", "nobody@example.com"):
        answers = [Person(REMOTE_ADDR=f"192.0.2.{n}").submit(RESET, email=email).url for n in range(7)]
        assert {*answers} == {"/account/password/reset/done/"}
    for email in ("anna@example.com", "Nobody+1@example.com"):
        assert Person().sign_up(email).status_code == 302
    assert [m.to for m in mail.outbox] == [["anna@example.com"]] * 4 + [["nobody@example.com"]] * 5


@pytest.mark.parametrize("address", [
    '"a\x0b<p>Lines\x0b"@example.com', '"a\\\x1cBcc:b@example.com,c"@example.com', "a\nBcc: b@example.com",
    "a@b\u202ec.example", f"a@{'ü' * 63}.example",
])  # fmt: skip
def test_an_address_that_cannot_be_a_header_is_refused_and_no_mail_sent(anna, stranger, address):
    anna.confirm_password()
    mail.outbox.clear()
    sent = (anna.submit("/account/email/", action_add="", email=address), stranger.submit(RESET, email=address))
    for refused in (*sent, stranger.sign_up(address)):
        assert [*refused.context["form"].errors] == ["email"]
    EmailAddress.objects.update(email=address)  # by the admin, or from an old backup
    assert anna.submit("/account/password/change/", oldpassword=PASSWORD, **NEW).status_code == 302
    assert mail.outbox == []


HEADERS = {"Host: evil.example": 400, "X-Forwarded-Host: evil.example": 302, "X-Host: evil.example": 302}
HEADERS |= {"Host: testserver:8443": 400, "Host: testserver:443": 302}


def test_links_in_mail_lead_to_this_site_alone(anna, stranger, settings):
    settings.HTTPS = True
    mail.outbox.clear()
    for header, status in HEADERS.items():
        name, _, value = header.partition(": ")
        assert stranger.post(RESET, {"email": "anna@example.com"}, headers={name: value}).status_code == status, header
    assert [re.findall(r"//([^/]+)/", each.body) for each in mail.outbox] == [["testserver"]] * 2 + [["testserver:443"]]


@pytest.mark.parametrize("mandatory", [False, True])
def test_the_address_is_confirmed_by_the_link_in_the_mail(owner, settings, mandatory):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory" if mandatory else "optional"
    begun, elsewhere = owner.start_roster(), Person()
    assert owner.sign_up().url == ("/account/confirm-email/" if mandatory else CLAIM)
    assert owner.get("/account/").status_code == (302 if mandatory else 200)
    if mandatory:
        assert Person().sign_up().url == "/account/confirm-email/", "nor does it tell that the address is taken"
        assert User.objects.count() == 1
    link = mailed("confirm-email")
    elsewhere.get(link)
    owner.submit(link)
    assert user().emailaddress_set.get().verified
    assert [roster.token for roster, _ in owner.context(CLAIM)["rows"]] == [begun.token]
    assert elsewhere.get("/account/").status_code == 302


@pytest.fixture
def mail_server(monkeypatch):
    """A switch: after ``mail_server(error)`` every mail fails so, after ``mail_server(None)`` none."""
    return lambda error: monkeypatch.setattr(mail.EmailMessage, "send", Mock(side_effect=error) if error else SEND)


def unsent(response):
    assert (response.status_code, response["Retry-After"]) == (503, "60")
    return re.sub(r"<code>\w+</code>", "", response.content.decode())


@pytest.mark.parametrize("error", [ConnectionRefusedError(111, "refused"), SMTPRecipientsRefused({})])
def test_an_unreachable_mail_server_is_503_and_signing_in_later_sends_the_link(owner, settings, mail_server, error):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    mail_server(error)
    assert unsent(owner.sign_up()) == unsent(Person().sign_up()), "nor does it tell that the address is taken"
    unsent(owner.sign_in())
    unsent(Person().submit(RESET, email="anna@example.com"))
    mail_server(None)
    assert owner.sign_in().url == "/account/confirm-email/"
    owner.submit(mailed("confirm-email"))
    mail_server(TimeoutError())
    assert owner.submit("/account/password/change/", oldpassword=PASSWORD, **NEW).status_code == 302
    assert owner.get("/account/").status_code == 200, "a change stays made without the mail that tells of it"
    assert Person().sign_in(password=NEW["password1"]).status_code == 302


def test_addresses_are_confirmed_where_mail_goes_out(monkeypatch):
    monkeypatch.setenv("EMAIL_VERIFICATION", "")
    for url, expected in (("smtp+tls://mail.example.com:587", ("smtp", "mandatory")), ("", ("console", "optional"))):
        monkeypatch.setenv("EMAIL_URL", url)
        read = runpy.run_path(shipped.__file__)
        assert (read["EMAIL_BACKEND"].split(".")[-2], read["ACCOUNT_EMAIL_VERIFICATION"]) == expected


def test_signed_in_browsers_are_listed_without_their_addresses_and_signed_out_one_by_one_or_all(anna, bob):
    phone, tablet, unlisted = (Person(name, HTTP_USER_AGENT=PHONE) for name in ("phone", "tablet", "from before"))
    for person in (phone, tablet, unlisted):
        person.sign_in()
    UserSession.objects.filter(session_key=unlisted.cookies["sessionid"].value).delete()
    rows = anna.context(SESSIONS)["rows"]
    assert [name for _row, name, current in rows if not current] == ["Safari, iPhone"] * 2
    assert [current for *_names, current in rows] == [False, False, True]
    assert {*UserSession.objects.values_list("ip", flat=True)} == {"0.0.0.0"}
    ended = next(row.pk for row, *_names in rows if row.session_key == phone.cookies["sessionid"].value)
    for person, status in ((bob, 200), (phone, 200), (anna, 302)):
        person.submit(f"{SESSIONS}/{ended}/end")
        assert [each.get("/account/").status_code for each in (anna, tablet, phone)] == [200, 200, status], person
    password = user().password
    assert (anna.submit(SESSIONS, password="wrong").status_code, user().password) == (422, password)
    assert anna.submit(SESSIONS, password=PASSWORD).status_code == 302
    assert [each.get("/account/").status_code for each in (anna, bob, tablet, unlisted)] == [200, 200, 302, 302]
    assert [current for *_names, current in anna.context(SESSIONS)["rows"]] == [True]
    assert tablet.sign_in().status_code == 302, "the password stays"
    anna.submit("/account/password/change/", oldpassword=PASSWORD, **NEW)
    assert [each.get("/account/").status_code for each in (anna, tablet)] == [200, 302]
    assert len(anna.context(SESSIONS)["rows"]) == 1


def test_signing_up_offers_what_this_browser_began_and_takes_only_what_is_selected(owner, friend):
    one, two = owner.start_roster("One"), owner.start_roster("Two")
    first, second = owner.create_battle(one), owner.create_battle(two)
    theirs = friend.create_battle(friend.start_roster())
    offered = owner.context(owner.sign_up().url)
    assert {roster.token for roster, _ in offered["rows"]} == {one.token, two.token}
    assert {each.battle for each in offered["battles"]} == {first, second}
    assert reload(one).owner is None, "nothing is claimed silently"
    assert owner.submit(CLAIM, pick=[two.token], battle=[second.token, theirs.token]).url == "/mine/"
    assert [reload(each).owner for each in (one, two)] == [None, user()]
    assert [reload(each).owner for each in (first, second, theirs)] == [None, user(), None]
    assert (owner.context("/mine/")["counts"].claimable, owner.start_roster("Three").owner) == (1, user())
    elsewhere = Person()
    elsewhere.sign_in()
    assert [client.roster_names() for client in (elsewhere, friend)] == [["Three", "Two"], ["Iron Guard"]]
    assert [elsewhere.post_to(each, "pin").status_code for each in (first, second)] == [404, 302]


def test_what_was_lent_deleted_or_is_anothers_is_not_offered(owner, bob):
    lent, taken = bob.create(roster_data("msc")), owner.start_roster()
    mine, gone = owner.start_roster("Mine"), owner.start_roster()
    battle = bob.create_battle(lent)
    owner.get(lent.edit_link)
    owner.post_to(gone, "delete")
    assert owner.post_to(battle, "join", roster=taken.token).status_code == 302
    Roster.objects.filter(pk=taken.pk).update(owner=user("bob@example.com"))
    owner.sign_up()
    assert [roster.token for roster, _ in owner.context(CLAIM)["rows"]] == [mine.token]
    selected = [each.token for each in (lent, taken, gone, mine, sample_roster("vsgmr/dwarves"))]
    said = [message_levels(owner.submit(CLAIM, pick=each, follow=True)) for each in (selected, mine.token)]
    assert said == [["success", "warning"], []], "a repeated claim misses nothing"
    assert [reload(each).owner for each in (lent, taken, gone, mine)] == [None, user("bob@example.com"), None, user()]
    for _ in range(2):  # an account has the battle, then none
        assert owner.get(CLAIM).url == "/mine/", "there is nothing to claim"
        owner.submit(CLAIM, battle=battle.token)
        assert reload(battle).owner != user()
        Battle.objects.update(owner=None)
    assert [each.battle for each in bob.context(CLAIM)["battles"]] == [battle]


def test_signing_out_of_somebody_elses_computer_leaves_nothing_open_there(owner, friend):
    loose = owner.start_roster("Loose")
    one, lent, given = (who.create(roster_data("msc")) for who in (owner, friend, friend))
    friend.get(one.edit_link)
    for link, made in ((lent.edit_link, lent), (given.owner_link, given)):
        owner.get(link)
        owner.post_to(made, "formation/add")
        assert made.editors.count() == 2
    owner.sign_up()
    owner.submit(CLAIM, pick=[one.token])
    token = owner.cookies["csrftoken"].value
    owner.submit(OUT, forget="1")
    assert owner.cookies["csrftoken"].value != token, "unsent.js forgets what was typed"
    assert [owner.get(url_of(each)).status_code for each in (lent, given)] == [302, 302], "links are forgotten"
    assert owner.get(url_of(one)).url == f"/s/{one.token}"
    assert owner.get(url_of(loose)).status_code == 200, "what the account does not own stays this browser's"
    assert friend.get(url_of(one)).status_code == 200, "nor does it touch other browsers"
    owner.sign_in()
    assert owner.get(url_of(one)).status_code == 200


def holding(client):
    """Two rosters of an account, one of them in the bin, a battle and a token; the rosters."""
    one, two = client.start_roster("One"), client.start_roster("Two")
    client.post_to(one, "formation/add")
    client.post_to(two, "delete")
    battle = Battle.objects.create(system="msc", name="Meeting", owner=user())
    Force.objects.create(battle=battle, roster=one, position=1, revision=1)
    ApiToken.objects.create(user=user(), name="script", key_hash=SENTINEL)
    return one, two


def unzipped(response):
    return files_of(b"".join(response.streaming_content))


def test_the_download_holds_every_roster_with_its_history_and_nothing_of_others(anna, friend):
    friend.start_roster(f"Theirs {SENTINEL}")
    one, two = holding(anna)
    files = unzipped(anna.get("/account/download"))
    rosters = [[*map(json.loads, text.splitlines())] for name, text in files.items() if name.endswith(".jsonl")]
    assert {row["token"]: len(history) for row, *history in rosters} == {one.token: 2, two.token: 1}
    for token in (one.token, two.token):
        (document,) = (text for name, text in files.items() if name.endswith(f"{token}.json"))
        registry.read(json.loads(document))
    account = json.loads(files["account.json"])
    assert (account["email"], account["battles"][0]["forces"][0]["roster"]) == ("anna@example.com", one.token)
    assert [token["name"] for token in account["api_tokens"]] == ["script"]
    secrets = [SENTINEL, user().password, one.edit_hash, Browser.objects.first().key_hash]
    assert missing(secrets, "".join(files.values())) == secrets


def test_deleting_the_account_asks_for_the_password_then_deletes_all_it_holds_and_nothing_else(owner, bob):
    loose, theirs, elsewhere = owner.start_roster("Loose"), bob.start_roster("Theirs"), Person()
    owner.sign_up()
    one, two = holding(owner)
    both = owner.create_battle(one)
    assert bob.post_to(both, "join", roster=theirs.token).status_code == 302
    elsewhere.sign_in()
    totals = owner.context(DELETE)["totals"]
    assert [totals[name] for name in ("rosters", "binned", "battles", "alone", "tokens")] == [1, 1, 2, 1, 1]
    answers = [owner.submit(DELETE, password=password).status_code for password in ("", *["wrong"] * 11)]
    assert (answers[0], answers[-1]) == (422, 429), "nor can it be guessed"
    assert (Roster.objects.filter(owner=user()).count(), Battle.objects.count()) == (2, 2)
    cache.clear()  # in which attempts are counted
    assert owner.submit(DELETE, password=PASSWORD, follow=True).status_code == 200
    assert [each.email for each in User.objects.all()] == ["bob@example.com"]
    assert {*Roster.objects.filter(sample=None)} == {loose, theirs}
    gone = Revision.objects.filter(roster_id__in=[one.pk, two.pk]), ApiToken.objects.all()
    assert not any(rows.exists() for rows in gone)
    assert [(each.pk, each.owner) for each in Battle.objects.all()] == [(both.pk, None)], "another plays in it"
    assert [force.roster for force in both.forces.all()] == [theirs]
    assert bob.post_to(both, "pin").status_code == 302
    assert owner.get(url_of(loose)).status_code == 200
    assert [client.get("/account/").status_code for client in (owner, elsewhere)] == [302, 302]
    assert owner.sign_in().status_code == 200, "there is nothing to sign in to"
