"""How rosters are compared: the parts of a verdict, and what a roster lacks."""

from rosters.core.play import all_or_unknown, missing_points


def test_a_verdict_is_no_by_a_single_part_and_open_by_a_single_unknown():
    assert [all_or_unknown(parts) for parts in ([], [True], [True, None], [None, False])] == [True, True, None, False]


def test_lacking_is_counted_from_the_highest():
    (lacking,) = missing_points([("A", 10), ("B", 9), ("C", 8)], 1)
    assert (lacking.values["name"], str(lacking.values["gap"]), lacking.values["more"]) == ("C", "2 points", "1")
    assert [each.values["name"] for each in missing_points([("A", 1), ("B", 0)], 0)] == ["B"]
    assert [*missing_points([], 0)] == []
