"""The shelf: what is the same element, what rosters need, and what is kept when models are put on it."""

import operator

import pytest

from rosters.store import shelf
from rosters.store.access import AccessEnded, Visitor
from rosters.store.shelf import Models
from tests.people import ELEMENTS, SHIP
from tests.support import SYSTEMS, read, roster_data

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def element(system="msc", **fields):
    return read(roster_data(system, [{**ELEMENTS[system], "name": "Fox", **fields}])).elements[0]


CHANGES = [  # what differs of two elements, and whether they are the same
    *(({"name": " FOX "}, True), ({"quantity": 3, "notes": "n", "secret": True, "id": "e9"}, True)),
    *(({"weapons": ["FR", "F", "FL"]}, True), ({"weapons": ["F", "FL"]}, False)),
    *(({"engine": 4}, False), ({"name": "Vixen"}, False)),
]


def test_elements_are_the_same_by_name_and_profile_and_rosters_need_the_most_or_the_sum_of_them():
    for change, same in CHANGES:
        assert (shelf.key_of("msc", element(**change)) == shelf.key_of("msc", element())) is same, change
    first, second = roster_data("msc", [{**SHIP, "quantity": 4}]), roster_data("msc", [{**SHIP, "quantity": 2}])
    second["formations"][0]["elements"] += [{**SHIP, "quantity": 3, "name": "element 1"}, {**SHIP, "name": "Other"}]
    for at_once, quantity in ((False, 5), (True, 9)):
        need = shelf.required_models([read(first), read(second)], together=at_once)
        assert [(each.element.name, each.quantity) for each in need.values()] == [("Element 1", quantity), ("Other", 1)]


def test_a_shelf_holds_elements_of_every_game_as_they_are_in_a_document(owner):
    own, visitor = shelf.create(owner.browser), Visitor(browser=owner.browser.key_hash)
    assert shelf.add_models(own, [Models(slug, element(slug), 5, 3, 2) for slug in SYSTEMS], visitor) == len(SYSTEMS)
    for slug in SYSTEMS:
        assert [*shelf.owned(own, slug)] == [(element(slug), 5)]
    for combine, expected in ((max, (5, 4, 2)), (operator.add, (9, 8, 3))):
        assert shelf.add_models(own, [Models("msc", element(), 4, 4, 1)], visitor, combine=combine) == 1
        [entry] = shelf.entries_by_key(own, "msc").values()
        assert (entry.quantity, entry.built, entry.painted) == expected


def test_nobody_else_changes_a_shelf_and_its_limits_hold(owner, stranger, monkeypatch):
    own, other = shelf.create(owner.browser), Visitor(browser=stranger.browser.key_hash)
    with pytest.raises(AccessEnded):
        shelf.add_models(own, [Models("msc", element(), 1)], other)
    monkeypatch.setattr(shelf, "MAX_ENTRIES", 1)
    for items in ([Models("msc", element(), 10_001)], [Models("msc", element(engine=n), 1) for n in (1, 2)]):
        with pytest.raises(shelf.ShelfLimit):
            shelf.add_models(own, items)
    assert not own.entries.exists()
