"""A short run of every fuzzer with one seed."""

from importlib import import_module

import pytest

from rosters.models import Roster

pytestmark = pytest.mark.django_db

SHORT = {"sheets": (2, {}), "api": (5, {"systems": ("urutsk",)}), "forms": (10, {}), "uploads": (4, {})}
"""Cases of each part that sends something, and what else keeps it short."""


@pytest.mark.parametrize("part", SHORT)
def test_nothing_that_is_sent_breaks_anything(part):
    cases, short = SHORT[part]
    before = Roster.objects.count()
    tally = import_module(f"tools.fuzz.{part}").run(cases, 1, **short)
    assert tally.failures == []
    assert tally.cases >= cases
    assert Roster.objects.count() == before
