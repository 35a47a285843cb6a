"""The owner link and edit links: what each opens, what opening writes, and how the owner ends it.

What each may do with every address stands in the matrix of permissions.
"""

import re
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core import signing
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rosters.core import edits, play
from rosters.models import Browser, EditLink, Editor, PlayState, Roster, hashed
from rosters.store import access, shelf, writer
from rosters.store.access import AccessEnded, OpenedLink, Visitor
from rosters.store.play import set_turn, show_damage
from rosters.web.http import permissions
from tests.people import COOKIE, SHIP, Person, add_element, document_of, element_ids, reload, url_of
from tests.support import roster_data

pytestmark = [pytest.mark.usefixtures("db", "without_limits"), pytest.mark.database]
LINKS = "armybuilder_links"


def change(client, roster, quantity):
    """Set the quantity of the first line; the status of the answer."""
    return client.post_to(roster, "quantities", **{f"quantity-{element_ids(roster)[0][0]}": quantity}).status_code


def links_of(client, roster):
    """The edit links that the page shows, by their names: path and primary key."""
    rows = client.context(url_of(roster, "links"))["links"]
    return {row["link"].name: (row["address"].removeprefix("http://testserver"), row["link"].pk) for row in rows}


def key_of(link):
    return hashed(link.split("/")[-1])


def editors(client, roster):
    """The rows of the page of those who can still edit, each with whether it can be removed."""
    return {row: removable for row, removable in client.context(url_of(roster, "links"))["editors"] if not row.ended}


@pytest.mark.parametrize(("which", "is_owner"), [("owner_link", True), ("edit_link", False)])
def test_opening_a_link_writes_nothing_and_the_first_change_a_row(owner, friend, dwarves, which, is_owner):
    attacker = Person("who has planted a cookie in the friend's browser")
    attacker.cookies[COOKIE] = friend.cookies[COOKIE] = "planted"
    with CaptureQueriesContext(connection) as ran:
        for method, cookies in (("head", False), ("get", True)):
            answer = getattr(friend, method)(getattr(dwarves, which))
            assert (answer.status_code, answer.url, LINKS in answer.cookies) == (302, url_of(dwarves), cookies)
            assert "no-store" in answer["Cache-Control"]
        assert friend.get(url_of(dwarves)).status_code == 200
        assert friend.roster_names() == [dwarves.name]
    assert [each["sql"] for each in ran if not each["sql"].startswith("SELECT")] == []
    assert dwarves.editors.count() == 1
    assert [change(friend, dwarves, number) for number in (5, 5, 6)] == [302] * 3
    row = dwarves.editors.get(browser=friend.browser)
    assert (row.is_owner, row.link) == (is_owner, None if is_owner else dwarves.edit_links.get())
    assert [*dwarves.revisions.values_list("who", flat=True)][:2] == (["owner"] if is_owner else ["editor"]) * 2
    assert row in editors(owner, dwarves)
    assert attacker.get(url_of(dwarves)).status_code == 302


def test_the_cookie_names_the_last_twenty_links_for_400_days_and_counts_only_as_signed(owner, friend, monkeypatch):
    roster = [owner.create(roster_data("msc", [SHIP])) for _ in range(22)]
    for each in roster:
        friend.get(each.edit_link)
    assert [friend.get(url_of(each)).status_code for each in roster] == [302] * 2 + [200] * 20
    assert len(friend.cookies[LINKS].value) < 3500
    thief = Person("who has copied one cookie")
    assert thief.browser
    thief.cookies[LINKS] = friend.cookies[LINKS].value
    assert thief.get(url_of(roster[-1])).status_code == 302
    forged = re.sub(r"^.", lambda first: "A" if first[0] != "A" else "B", friend.cookies[LINKS].value)
    signed, friend.cookies[LINKS] = friend.cookies[LINKS].value, forged
    assert friend.get(url_of(roster[-1])).status_code == 302
    now, friend.cookies[LINKS] = permissions.time.time(), signed
    for days, status in ((399, 200), (401, 302)):
        monkeypatch.setattr(permissions, "time", SimpleNamespace(time=lambda days=days: now + days * 86_400))
        assert friend.get(url_of(roster[-1])).status_code == status


def test_a_cookie_of_an_earlier_release_is_bound_to_its_browser(friend, dwarves):
    assert friend.browser
    link = OpenedLink(dwarves.pk, key_of(dwarves.edit_link), permissions.time.time())
    friend.cookies[LINKS] = unbound = signing.dumps([link], salt=LINKS)
    assert friend.get(url_of(dwarves)).status_code == 200
    bound = friend.cookies[LINKS].value
    assert (bound != unbound, friend.get(url_of(dwarves)).status_code) == (True, 200)
    friend.start_roster("Mine")
    assert (friend.get(url_of(dwarves)).status_code, friend.cookies[LINKS].value) == (200, bound)


def test_who_opens_the_owner_link_may_claim_a_roster_that_a_program_made(owner, friend, dwarves):
    roster = writer.create(document_of(dwarves))
    friend.get(f"/e/{roster.roster.token}/{access.decrypt(access.create_link(roster.roster, 'Ana').secret)}")
    owner.get(f"/e/{roster.roster.token}/{roster.secret}")
    for person in (friend, owner):
        person.sign_up(f"{person.name.split()[1]}@example.com")
        person.submit("/account/claim", pick=[roster.roster.token])
    assert reload(roster.roster).owner.email == "owner@example.com"


def test_edit_links_are_created_shown_again_replaced_and_revoked_after_a_question(owner, friend, dwarves, monkeypatch):
    for name in ("Ana’s phone", "<b>Club"):
        answer = owner.post_to(dwarves, "links", name=name, follow=True)
        address, pk = links_of(owner, dwarves)[name]
        assert answer.redirect_chain[0][0] == f"{url_of(dwarves, 'links')}?show={pk}#link-{pk}"
        assert EditLink.objects.get(pk=pk).key_hash == key_of(address)
        assert address.split("/")[-1] not in str(EditLink.objects.values_list())
    assert owner.post_to(dwarves, "links", name=" ").status_code == 422
    assert "no-store" in owner.get(url_of(dwarves, "links"))["Cache-Control"]
    for action, left in (("replace", True), ("revoke", False)):
        address, pk = links_of(owner, dwarves)["Ana’s phone"]
        friend.get(address)
        assert change(friend, dwarves, 7) == 302
        assert owner.get(url_of(dwarves, f"links/{pk}/{action}")).status_code == 200
        assert friend.get(url_of(dwarves)).status_code == 200, "it was but a question"
        owner.post_to(dwarves, f"links/{pk}/{action}")
        assert [Person().get(address).status_code, change(friend, dwarves, 8)] == [410, 403]
        assert [row.ended for row, _removable in owner.context(url_of(dwarves, "links"))["editors"]] == [False, True]
        assert friend.get(url_of(dwarves)).context["shared"] == f"/s/{dwarves.token}"
        assert document_of(dwarves).elements[0].quantity == 7
        assert ("Ana’s phone" in links_of(owner, dwarves)) == left
        assert owner.get(url_of(dwarves, f"links/{pk}/{action}")).status_code == 404
    assert Person().get(links_of(owner, dwarves)["<b>Club"][0]).status_code == 302
    monkeypatch.setattr(access, "MAX_LINKS", 3)
    assert [owner.post_to(dwarves, "links", name=name).status_code for name in "ab"] == [302, 422]


def test_of_very_many_browsers_some_are_listed_and_a_link_works_under_another_key_that_cannot_show_it(
    owner, dwarves, friend, settings
):
    link, number = dwarves.edit_links.get(), access.MAX_LISTED + 1
    browsers = Browser.objects.bulk_create(Browser(key_hash=f"{each}") for each in range(number))
    Editor.objects.bulk_create(Editor(roster=dwarves, browser=each, link=link, is_owner=False) for each in browsers)
    context = owner.context(url_of(dwarves, "links"))
    assert (len(context["editors"]), context["more"]) == (access.MAX_LISTED, 2)
    assert f"{number} have made changes" in owner.text(url_of(dwarves, f"links/{link.pk}/revoke"))
    kept, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    settings.SECRET_KEY_FALLBACKS = [kept]
    link = dwarves.edit_links.get()
    assert access.decrypt(link.secret) == dwarves.edit_link.split("/")[-1]
    settings.SECRET_KEY_FALLBACKS = []
    assert access.decrypt(link.secret) == ""
    assert owner.get(url_of(dwarves, f"links?show={link.pk}")).status_code == 200
    assert friend.get(dwarves.edit_link).status_code == 302


@pytest.fixture
def former(dwarves):
    """Somebody who edited by the only link that a roster of an earlier release had."""
    person = Person("a former editor")
    dwarves.editors.create(browser=person.browser, is_owner=False)
    return person


@pytest.mark.parametrize("removing", [False, True])
def test_a_replaced_owner_link_takes_those_along_who_came_by_it_if_the_owner_says_so(
    owner, friend, former, dwarves, removing
):
    holder, second = Person("holder"), Person("another device")
    for number, (person, link) in enumerate(((holder, dwarves.owner_link), (friend, dwarves.edit_link)), start=5):
        person.get(link)
        change(person, dwarves, number)
    second.get(dwarves.owner_link)
    answer = second.post_to(dwarves, "edit-link", follow=True, **({"remove": "on"} if removing else {}))
    link = answer.context["owner_link"]
    ended = 403 if removing else 200
    for person, status in ((owner, 200), (second, 200), (friend, 200), (former, ended), (holder, ended)):
        assert person.get(url_of(dwarves)).status_code == status, person
    assert [Person().get(each).status_code for each in (dwarves.owner_link, link)] == [410, 302]
    holder.get(link)
    assert change(holder, dwarves, 9) == 302, "who has the new link is back"


def test_an_editor_is_removed_alone_and_comes_back_by_a_link_that_works(owner, friend, former, dwarves):
    other = Person("other")
    for number, person in ((4, friend), (3, other)):
        person.get(dwarves.edit_link)
        change(person, dwarves, number)
    rows = {row.browser: url_of(dwarves, f"editors/{row.pk}/remove") for row in editors(owner, dwarves)}
    assert {*rows} == {each.browser for each in (owner, friend, other, former)}
    assert owner.submit(rows[owner.browser]).status_code == 404, "nobody removes oneself"
    for person in (friend, former):
        owner.get(rows[person.browser])
        assert person.get(url_of(dwarves)).status_code == 200, "it was but a question"
        owner.submit(rows[person.browser])
        assert (person.get(url_of(dwarves)).status_code, change(person, dwarves, 5)) == (403, 403)
        assert person.roster_names() == []
    assert change(other, dwarves, 6) == 302
    friend.get(dwarves.edit_link)
    assert friend.roster_names() == [dwarves.name], "before the first change, too"
    assert (change(friend, dwarves, 7), friend.roster_names()) == (302, [dwarves.name])


def with_damage(roster):
    return play.with_damage(document_of(roster), {play.model_key(element_ids(roster)[0][0], 0): {"out": True}})


LATE = {
    "edit": lambda roster, who: writer.apply_edit(roster, edits.settings(name="Late"), "", who),
    "undo": writer.undo,
    "restore": lambda roster, who: writer.restore_revision(roster, 1, who),
    "replace": lambda roster, who: writer.replace(roster, with_damage(roster), None, who),
    "turn": lambda roster, who: set_turn(roster, "", 1, 0, who),
    "print defaults": lambda roster, who: writer.save_view_settings(roster, who, print_settings={"paper": "letter"}),
    "sharing": lambda roster, who: writer.update_roster(roster, who, visibility="closed"),
    "share link": writer.reset_share_link,
    "delete": writer.move_to_bin,
    "delete permanently": lambda roster, who: writer.delete_permanently(Roster.objects.filter(pk=roster.pk), who),
    "damage": lambda roster, who: show_damage(roster, True, who),
    "claim": lambda roster, who: writer.claim(Roster.objects.filter(pk=roster.pk), None, who),
    "edit link": lambda roster, who: access.create_link(roster, "x", who),
    "owner link": access.reset_owner_link,
}
"""What writes to a roster for a visitor; from "sharing" on, only for an owner."""


def rows(roster):
    """All that the changes of LATE could write."""
    related = roster.revisions.values(), roster.editors.values(), roster.edit_links.values(), PlayState.objects.values()
    return [[*each] for each in (Roster.objects.filter(pk=roster.pk).values(), *related)]


@pytest.mark.parametrize("name", LATE)
def test_nothing_is_saved_by_a_link_that_ended_after_the_request_came_in_or_by_an_editor_who_may_not(
    owner, dwarves, name
):
    """The right is looked up again under the roster's lock."""
    add_element(dwarves)
    editor, holder = (Visitor(bearer=key_of(link)) for link in (dwarves.edit_link, dwarves.owner_link))
    if [*LATE].index(name) >= [*LATE].index("sharing"):
        with pytest.raises(AccessEnded):
            LATE[name](dwarves, editor)
    access.revoke_link(dwarves.edit_links.get())
    access.reset_owner_link(dwarves, Visitor(browser=owner.browser.key_hash))
    before = rows(dwarves)
    for visitor in (editor, holder):
        with pytest.raises(AccessEnded):
            LATE[name](dwarves, visitor)
        assert rows(dwarves) == before


def test_a_claim_by_a_leaked_owner_link_ends_in_the_browser_that_made_the_roster_alone(owner, friend, dwarves):
    thief, maker = friend, owner
    thief.get(dwarves.owner_link)
    thief.sign_up("thief@example.com")
    thief.submit("/account/claim", pick=[dwarves.token])
    assert change(thief, dwarves, 3) == 302
    (row,) = (row for row in editors(thief, dwarves) if row.browser == maker.browser)
    assert thief.submit(url_of(dwarves, f"editors/{row.pk}/remove")).status_code == 404, "the maker stays"
    assert thief.post_to(dwarves, "edit-link", remove="on").status_code == 302
    assert reload(dwarves).owner.email == "thief@example.com"
    asked = maker.context(url_of(dwarves, "edit-link"))
    assert asked["claimed"]
    for remove, left in (({}, True), ({"remove": "on"}, False)):
        maker.post_to(dwarves, "edit-link", **remove)
        assert bool(reload(dwarves).owner) == left
    assert thief.get(url_of(dwarves)).status_code in (302, 403)
    maker.sign_up("maker@example.com")
    maker.submit("/account/claim", pick=[dwarves.token])
    elsewhere = Person("the maker's other device")
    elsewhere.sign_in("maker@example.com")
    (row,) = (row for row, removable in editors(elsewhere, dwarves).items() if removable)
    assert row.browser == maker.browser, "an account that came first may remove it"


def browser(name, days=500):
    return Browser.objects.create(key_hash=hashed(name), used=timezone.now() - timedelta(days=days))


def test_unused_browsers_go_unless_they_are_the_only_way_into_something(owner, dwarves, django_user_model):
    user = django_user_model.objects.create(username="u")
    names = ("alone", "claimed", "one of two", "two of two", "with another", "host", "shelf")
    makers = {name: browser(name) for name in names}
    rosters = {name: writer.create(document_of(dwarves), browser=each).roster for name, each in makers.items()}
    writer.update_roster(rosters["claimed"], owner=user)
    rosters["one of two"].editors.create(browser=makers["two of two"])
    rosters["two of two"].delete()
    rosters["with another"].editors.create(browser=owner.browser)
    for name in ("host", "shelf"):
        rosters[name].delete()
    shelf.create(makers["shelf"])
    link = access.create_link(rosters["alone"], "x")
    rosters["alone"].editors.create(browser=browser("editor"), link=link, is_owner=False)
    browser("nothing")
    browser("young", days=399)
    owner.create_battle(dwarves).browsers.set([makers["host"]])
    for more in ({"dry_run": True}, {}):
        call_command("purgebrowsers", **more, stdout=StringIO())
        gone = {"claimed", "with another", "editor", "nothing"} if not more else set()
        for name in (*makers, "editor", "nothing", "young"):
            assert Browser.objects.filter(key_hash=hashed(name)).exists() == (name not in gone), name
    assert Roster.objects.filter(pk__in=[rosters["claimed"].pk, rosters["with another"].pk]).count() == 2


def test_a_browser_is_used_by_a_change_and_noted_once_a_day(owner, dwarves):
    long_ago = timezone.now() - timedelta(days=300)
    for last in (long_ago, timezone.now() - timedelta(hours=23)):
        Browser.objects.filter(pk=owner.browser.pk).update(used=last)
        dwarves.editors.update(changed=last)
        owner.get(url_of(dwarves))
        assert owner.browser.used == last
        change(owner, dwarves, 8 if last == long_ago else 9)
        assert (owner.browser.used > last) == (last == long_ago)
