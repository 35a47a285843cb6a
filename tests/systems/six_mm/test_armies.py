"""The six published armies of 6MM: each line and each total, as the rulebook prints them or as its rules correct it."""

import json
from fractions import Fraction

from tests.support import FIXTURES, appraise

HALF = Fraction(1, 2)

# slug: (stands, exact total, points, lines as (quantity, type, value of one stand))
ARMIES = {
    "suetonius": (
        15,
        101,
        101,
        [(7, "INF/A", 8), (3, "WBD", 7), (1, "ARC", 5), (2, "CAV/U", 5), (1, "CAV/U", 6), (1, "ART", 3)],
    ),
    "boudicca": (
        21,
        104,  # the book prints 100
        104,
        [(10, "WBD", 5), (2, "CAV/U", 5), (1, "CAV/U", 6), (2, "CAV/U", 5), (4, "SKI/F", 4), (2, "SKI/M", 6)],
    ),
    "napoleon": (
        15,
        104,
        104,
        [
            (6, "MSK", 7),
            (2, "MSK", 10),
            (2, "CAV/U", 7),
            (1, "CAV/A", 7),
            (1, "SKI/M", 7),
            (2, "ART", 4),
            (1, "SKI/M", 6),
        ],
    ),
    "wellington": (
        20,
        134,  # the book prints 103
        134,
        [
            (6, "MSK", 8),
            (6, "MSK", 6),
            (1, "MSK", 10),
            (1, "SKI/F", 8),
            (1, "CAV/U", 5),
            (1, "CAV/A", 6),
            (1, "SKI/M", 7),
            (2, "ART", 4),
            (1, "SKI/M", 6),
        ],
    ),
    "rommel": (
        15,
        119 + HALF,
        120,
        [
            (5, "SKI/F", 6 + HALF),
            (1, "SKI/S", 7),  # (9 + 5) / 2; the book prints 6.5
            (5, "TNK", 9),
            (1, "SKI/F", 7),
            (1, "AIR", 6),
            (2, "ART", 11),
        ],
    ),
    "monty": (
        15,
        122 + HALF,
        123,  # the book prints 120
        [
            (5, "SKI/F", 6 + HALF),
            (1, "SKI/S", 7),  # as Rommel's
            (5, "TNK", 9),
            (1, "SKI/F", 10),
            (1, "AIR", 6),
            (2, "ART", 11),
        ],
    ),
}
STRENGTHS = {"rommel": [8, 8, 6, 9, 4, 6], "suetonius": [8, 7, 5, 5, 6, 4]}


def army(slug):
    return json.loads((FIXTURES / "armies" / "6mm" / f"{slug}.json").read_text(encoding="utf-8"))


def test_a_published_army_comes_out_line_by_line():
    assert {path.stem for path in (FIXTURES / "armies" / "6mm").glob("*.json")} == set(ARMIES)
    for slug, (stands, exact, points, lines) in ARMIES.items():
        data = army(slug)
        types = [element["type"] for formation in data["formations"] for element in formation["elements"]]
        appraisal = appraise(data)
        elements = [element for formation in appraisal.formations for element in formation.elements]
        assert [(e.quantity, t, e.each) for e, t in zip(elements, types, strict=True)] == lines
        assert (appraisal.quantity, appraisal.exact, appraisal.points) == (stands, exact, points)


def test_strengths_leave_out_what_only_costs_points():
    for slug, strengths in STRENGTHS.items():
        elements = appraise(army(slug)).formations[0].elements
        assert [element.facts["strength"] for element in elements] == strengths


def test_wellington_with_one_allied_unit_is_fifteen_stands_and_104_points():
    data = army("wellington")
    data["formations"][0]["elements"][1]["quantity"] = 1
    appraisal = appraise(data)
    assert (appraisal.quantity, appraisal.points) == (15, 104)
