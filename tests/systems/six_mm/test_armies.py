"""The six published armies of 6MM: each line and each total, as the rulebook prints them or as its rules correct it."""

from fractions import Fraction

from tests.support import FIXTURES, appraise, army

ARMIES = {  # stands, exact total, points, and each line: quantity, type, points of one stand
    "suetonius": (15, "101", 101, "7 INF/A 8, 3 WBD 7, 1 ARC 5, 2 CAV/U 5, 1 CAV/U 6, 1 ART 3"),
    # the book prints 100
    "boudicca": (21, "104", 104, "10 WBD 5, 2 CAV/U 5, 1 CAV/U 6, 2 CAV/U 5, 4 SKI/F 4, 2 SKI/M 6"),
    "napoleon": (15, "104", 104, "6 MSK 7, 2 MSK 10, 2 CAV/U 7, 1 CAV/A 7, 1 SKI/M 7, 2 ART 4, 1 SKI/M 6"),
    # the book prints 103
    "wellington": (
        *(20, "134", 134),
        "6 MSK 8, 6 MSK 6, 1 MSK 10, 1 SKI/F 8, 1 CAV/U 5, 1 CAV/A 6, 1 SKI/M 7, 2 ART 4, 1 SKI/M 6",
    ),
    # SKI/S is (9 + 5) / 2 in both; the book prints 6.5, and 120 for Monty
    "rommel": (15, "239/2", 120, "5 SKI/F 13/2, 1 SKI/S 7, 5 TNK 9, 1 SKI/F 7, 1 AIR 6, 2 ART 11"),
    "monty": (15, "245/2", 123, "5 SKI/F 13/2, 1 SKI/S 7, 5 TNK 9, 1 SKI/F 10, 1 AIR 6, 2 ART 11"),
}


def test_a_published_army_has_its_lines_and_totals():
    assert {path.stem for path in (FIXTURES / "armies" / "6mm").glob("*.json")} == set(ARMIES)
    for slug, (stands, exact, points, lines) in ARMIES.items():
        data = army("6mm", slug)
        types = [element["type"] for formation in data["formations"] for element in formation["elements"]]
        appraisal = appraise(data)
        elements = [element for formation in appraisal.formations for element in formation.elements]
        rows = [f"{element.quantity} {type_} {element.each}" for element, type_ in zip(elements, types, strict=True)]
        assert ", ".join(rows) == lines
        assert (appraisal.quantity, appraisal.exact, appraisal.points) == (stands, Fraction(exact), points)


def test_wellington_with_one_allied_unit_is_fifteen_stands_and_104_points():
    data = army("6mm", "wellington")
    data["formations"][0]["elements"][1]["quantity"] = 1
    appraisal = appraise(data)
    assert (appraisal.quantity, appraisal.points) == (15, 104)
