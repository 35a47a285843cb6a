"""Exact odds of one element against another: what is asked, the chains, and the answer that all games share."""

from fractions import Fraction

import pytest

from rosters.balance import odds
from rosters.balance.chains import solve
from rosters.core.documents import InvalidDocument

HALF = Fraction(1, 2)
WORDS = {"name": "Figure"}

CHAINS = {
    "a loop is divided by the chance to leave it": ({"s": {"s": HALF, "win": HALF}}, (1, 0, 0, 0, 2)),
    "two states that lead to each other": (
        {"s": {"t": 1}, "t": {"s": HALF, "lose": HALF}},
        (0, 1, 0, 0, 4),
    ),
    "a part that nothing leaves is never": (
        {"s": {"win": HALF, "t": HALF}, "t": {"u": 1}, "u": {"t": 1}},
        (HALF, 0, 0, HALF, None),
    ),
    "what loops for ever at once": ({"s": {"s": 1}}, (0, 0, 0, 1, None)),
}


@pytest.mark.parametrize(("edges", "expected"), CHAINS.values(), ids=CHAINS)
def test_a_chain_is_solved_exactly(edges, expected):
    solution = solve("s", edges.__getitem__)
    assert (*solution.ends.values(), solution.never, solution.expected) == expected


REFUSED = {
    "system": (("chess", WORDS, WORDS, {}), ["system"]),
    "elements": (("urutsk", {"close": "2"}, 5, {}), ["a/name", "a/close", "b"]),
    "conditions": (("urutsk", WORDS, WORDS, {"distance": 3, "cover": 1}), ["conditions/distance", "conditions/cover"]),
    "no object": (("urutsk", WORDS, WORDS, []), ["conditions"]),
    "Fate below 1": (("urutsk", WORDS, {**WORDS, "fate": 0}, {}), ["b/fate"]),
}


@pytest.mark.parametrize(("asked", "paths"), REFUSED.values(), ids=REFUSED)
def test_every_error_of_a_question_is_reported_with_its_path(asked, paths):
    with pytest.raises(InvalidDocument) as error:
        odds(*asked)
    assert sorted(fault.path for fault in error.value.faults) == sorted(paths)


def test_marks_are_ignored():
    marked = {**WORDS, "marks": [{"fate": 1}] * 2}
    assert odds("urutsk", marked, WORDS) == odds("urutsk", WORDS, WORDS)
