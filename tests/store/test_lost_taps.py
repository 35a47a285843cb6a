"""Sixteen browsers tap at once, and a third of the answers is cut off: `python -m tools.attack lost_taps`, in small."""

import pytest
from django.db import connection

from tests.people import Person
from tools.attack import lost_taps

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def sender(client, place):
    """How a browser sends a tap; the answer that is cut off is not read."""

    def send(button, fields, cut):
        answer = client.post(f"{place}/{button}", fields, headers={"HX-Request": "true"})
        return None if cut else answer.content.decode()

    return send


def test_no_tap_is_lost_or_doubled_and_the_turn_never_falls(owner):
    made = owner.make(lost_taps.document())
    place, players = f"/r/{made.token}/marks", []
    for number in range(1, lost_taps.BROWSERS + 1):
        client = Person(f"browser {number}")
        made.browsers.add(client.browser)
        players.append(lost_taps.Player(sender(client, place), number, 1))
    assert [*lost_taps.played(players, 2, owner.read, place, lambda: connection.close())] == []  # noqa: PLW0108
