"""Elements of samples and of a visitor's own rosters, found by name."""

import pytest

from rosters.store import access
from rosters.store.elements import elements_named
from tests.support import roster

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_samples_come_first_then_ones_own_and_never_anybody_elses(owner, stranger, django_assert_max_num_queries):
    ship = {"name": "Ship 1", "quantity": 4, "engine": 5, "notes": "n", "secret": True}
    mine = owner.make(roster("msc", [ship, {**ship, "name": "SHIP 1"}, {**ship, "name": "Łódź"}], name="Mine"))
    stranger.make(roster("msc", [{"name": "Ship 1", "engine": 1}], name="Theirs"))
    owner.make(roster("vsgmr", [{"name": "Ship 1", "kind": "hero"}]))
    names = ["ship  1", "Ship 1", "Łódź", "Ship", "", *(f"Name {n}" for n in range(1_000))]
    visitor = access.Visitor(browser=owner.browser.key_hash)
    with django_assert_max_num_queries(4):
        found = elements_named("msc", names, visitor)
    assert {*found} == {"Ship 1", "ship  1", "Łódź"}
    [sample, own] = found["Ship 1"]
    assert (sample.is_sample, sample.element.engine, own.is_sample, own.roster, own.token) == (
        True,
        3,
        False,
        "Mine",
        mine.token,
    )
    assert (own.element.engine, own.element.quantity, own.element.notes, own.element.secret) == (5, 4, "n", False)
    assert [each.is_sample for each in elements_named("msc", names, access.Visitor())["Ship 1"]] == [True]
