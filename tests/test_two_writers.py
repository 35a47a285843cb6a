"""Two tabs, or two people, at once: both survive where they can, and the second hears of it where they cannot."""

import re

import pytest
from django.test import Client

from rosters import standing
from rosters.models import Revision, Roster
from tests.filled import Page

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def mine(owner):
    source = Roster.objects.get(sample="msc/book-squadron")
    return Roster.objects.get(token=owner.post(f"/s/{source.token}/copy").url.split("/")[2])


@pytest.fixture
def friend(owner, mine):
    """Somebody else's browser, let in by the edit link."""
    page = owner.post(f"/r/{mine.token}/", {"do": "new-edit-link"}, follow=True).content.decode()
    client = Client()
    client.get(re.findall(rf"/e/{mine.token}/[\w-]+", page)[-1])
    return client


def document(roster):
    return standing.document_of(Roster.objects.get(pk=roster.pk))


def elements(roster):
    return document(roster).formations[0].elements


def open_form(client, address):
    """What a browser would send back from a page's form."""
    return form_on(client.get(address).content.decode())


def form_on(text):
    """What a browser would send for the form of a page."""
    page = Page()
    page.feed(text)
    page.close()
    return dict(page.sent().lists())


def element_address(roster, number):
    return f"/r/{roster.token}/element?id={elements(roster)[number].id}"


def test_changes_to_different_elements_both_survive(owner, friend, mine):
    first, second = element_address(mine, 0), element_address(mine, 1)
    one, other = open_form(owner, first), open_form(friend, second)
    assert owner.post(first, {**one, "name": "Mine", "do": "save"}).status_code == 302
    assert friend.post(second, {**other, "name": "Theirs", "do": "save"}).status_code == 302
    assert [element.name for element in elements(mine)] == ["Mine", "Theirs", "Ship 3"]


def test_the_second_writer_of_an_element_hears_of_the_first_and_keeps_the_typing(owner, friend, mine):
    address = element_address(mine, 0)
    one, other = open_form(owner, address), open_form(friend, address)
    owner.post(address, {**one, "name": "Faster", "engine": "5", "do": "save"})
    clash = friend.post(address, {**other, "name": "Slower typing", "engine": "1", "do": "save"})
    page = clash.content.decode()
    assert clash.status_code == 409
    assert "Changed Faster" in page
    assert "by the owner" in page
    assert "ENGINE 5" in page
    assert 'value="Slower typing"' in page
    assert elements(mine)[0].name == "Faster"
    again = form_on(page)
    assert friend.post(address, {**again, "do": "save"}).status_code == 302
    assert elements(mine)[0].name == "Slower typing"
    assert elements(mine)[0].engine == 1


def test_an_element_that_was_deleted_meanwhile_can_be_added_again_as_typed(owner, friend, mine):
    address, uid = element_address(mine, 0), elements(mine)[0].id
    typed = open_form(friend, address)
    owner.post(f"/r/{mine.token}/", {"do": f"delete {uid}"})
    clash = friend.post(address, {**typed, "name": "Still here", "do": "save"})
    page = clash.content.decode()
    assert clash.status_code == 409
    assert "deleted while you were typing" in page
    action = re.search(r'action="([^"]*element\?in=[^"]*)"', page)[1]
    assert friend.post(action, {**form_on(page), "do": "save"}).status_code == 302
    assert [element.name for element in elements(mine)] == ["Ship 2", "Ship 3", "Still here"]


def test_marks_made_at_the_table_do_not_stop_somebody_who_edits(owner, friend, mine):
    address, uid = element_address(mine, 0), elements(mine)[0].id
    typed = open_form(friend, address)
    owner.post(f"/r/{mine.token}/marks", {"tap": f"{uid} 0 shield 0"})
    assert friend.post(address, {**typed, "name": "Renamed", "do": "save"}).status_code == 302
    assert (elements(mine)[0].name, elements(mine)[0].marks[0].shield) == ("Renamed", 1)


def test_the_second_writer_of_a_formation_hears_of_the_first(owner, friend, mine):
    address = f"/r/{mine.token}/formation?id={document(mine).formations[0].id}"
    one, other = open_form(owner, address), open_form(friend, address)
    owner.post(address, {**one, "name": "First"})
    clash = friend.post(address, {**other, "name": "Second"})
    assert clash.status_code == 409
    assert 'value="Second"' in clash.content.decode()
    assert document(mine).formations[0].name == "First"


def test_the_second_writer_of_the_settings_hears_of_the_first(owner, friend, mine):
    address = f"/r/{mine.token}/settings"
    one, other = open_form(owner, address), open_form(friend, address)
    owner.post(address, {**one, "name": "First", "do": "save"})
    clash = friend.post(address, {**other, "name": "Second", "do": "save"})
    assert clash.status_code == 409
    assert document(mine).name == "First"


def test_a_revision_tells_the_owner_from_somebody_who_had_the_edit_link(owner, friend, mine):
    owner.post(f"/r/{mine.token}/", {"do": "add-formation"})
    friend.post(f"/r/{mine.token}/", {"do": "add-formation"})
    assert list(Revision.objects.filter(roster=mine).values_list("who", flat=True)) == ["editor", "owner", "owner"]
