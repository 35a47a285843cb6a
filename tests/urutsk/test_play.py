"""URUTSK minis at the table: Fate, commanders, panels and briefings, worked by hand from the rulebook."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import appraisals, registry
from rosters.play import MOST_BOXES, Side
from rosters.rulekit import LIMIT
from rosters.systems.urutsk import play, tables
from rosters.systems.urutsk.rules import FIRES
from tests.strategies import PATIENT, documents
from tests.support import FIXTURES, reference, roster

HERE = "formations/0/elements/0"


def figure(fate, *lost, **profile):
    """A figure as document data, with the Fate that each of its models has lost."""
    return {"fate": fate, "marks": [{"fate": number} for number in lost], **profile}


def force(*formations, **root):
    return registry.read(roster("urutsk", *formations, **root))


def terms(document):
    return appraisals.terms_of(document, reference())


def alerts(*formations):
    document = force(*formations)
    return [*play.alerts(document, terms(document))]


def texts(*formations, where=HERE):
    return [alert.text for alert in alerts(*formations) if alert.where == where]


def panels(*elements):
    document = force([*elements])
    return {panel.title: panel for panel in play.panels(document, terms(document))}


def side(data):
    document = registry.read(data)
    return Side(document, registry.appraise(document, reference()))


def figures(name, *quantities, **profile):
    """A side of one detachment for each quantity."""
    return side(roster("urutsk", *([{"quantity": number, **profile}] for number in quantities), name=name))


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


# ---------------------------------------------------------------- tracks


@pytest.mark.parametrize("fate", [1, 2, 5, MOST_BOXES])
def test_a_figure_has_a_box_for_each_point_of_fate(fate):
    (track,) = play.tracks(force([{"fate": fate}]).formations[0].elements[0], None)
    assert (track.key, track.kind, track.label) == ("fate", "count", "Fate")
    assert len(track.boxes) == track.breaks_at == fate


@pytest.mark.parametrize("fate", [0, -1, -LIMIT])
def test_a_figure_without_fate_has_no_boxes(fate):
    (track,) = play.tracks(force([{"fate": fate}]).formations[0].elements[0], None)
    assert (track.boxes, track.breaks_at) == ((), None)


def test_the_label_tells_fate_that_is_too_much_to_draw():
    (track,) = play.tracks(force([{"fate": LIMIT}]).formations[0].elements[0], None)
    assert (track.label, len(track.boxes), track.breaks_at) == ("Fate 1000000", MOST_BOXES, LIMIT)


# ---------------------------------------------------------------- alerts


@pytest.mark.parametrize("lost", [0, 1, 4])
def test_a_figure_with_fate_left_fights_on(lost):
    assert alerts([figure(5, lost)]) == []


def test_a_figure_that_has_lost_as_much_as_its_fate_is_injured():
    (text,) = texts([figure(5, 5)])
    assert text.startswith("Element 1 has lost all its Fate: injured by as many hits as it had, it acts again on the ")


@pytest.mark.parametrize(("fate", "lost"), [(5, 6), (5, LIMIT), (1, 2), (0, 1), (-3, 1)])
def test_a_figure_that_has_lost_more_than_its_fate_is_incapacitated(fate, lost):
    assert texts([figure(fate, lost)]) == [
        "Element 1 is incapacitated: roll a D6, on 1 to 2 dead, 3 to 5 immobile, 6 unconscious for D6 minutes."
    ]


@pytest.mark.parametrize("fate", [0, -3])
def test_an_unmarked_figure_says_nothing_even_without_fate(fate):
    assert alerts([figure(fate, 0), figure(fate)]) == []


def test_a_model_is_told_by_its_number_only_among_several():
    found = texts([figure(2, 0, 2, 3, quantity=5, name="Archers")])
    assert [text.split(" ", 2)[:2] for text in found] == [["Archers", "2"], ["Archers", "3"]]


def test_a_figure_without_a_name_is_announced_all_the_same():
    assert texts([figure(2, 3, name="")])[0].startswith("Unnamed figure is incapacitated")


NOBODY = "No command-capable figure has Fate left: at the next check all are out of command."


@pytest.mark.parametrize(("lost", "said"), [([2], []), ([2, 1], []), ([2, 2], [NOBODY]), ([2, 9], [NOBODY])])
def test_the_last_commander_lost_is_announced_for_the_force(lost, said):
    assert texts([figure(2, *lost, quantity=2, command=True), figure(2, 2)], where="") == said


def test_a_detachment_that_loses_its_commander_looks_for_another():
    found = alerts([figure(2, 2, command=True), figure(3)], [figure(2, command=True)])
    assert [alert.where for alert in found] == [HERE, "formations/0"]
    assert found[1].text == (
        "Formation 1 has no commander with Fate left: at the next check, look for one of another within 10 yards."
    )


def test_a_detachment_says_so_after_its_figures_and_before_the_next():
    found = alerts([figure(2, 2, command=True), figure(3, 3)], [figure(2, command=True), figure(1, 1)])
    assert [alert.where for alert in found] == [
        HERE,
        "formations/0/elements/1",
        "formations/0",
        "formations/1/elements/1",
    ]


def test_the_whole_force_is_announced_once_and_not_for_each_detachment_too():
    lost = figure(2, 2, command=True)
    assert [alert.where for alert in alerts([lost], [lost])] == [HERE, "formations/1/elements/0", ""]


@pytest.mark.parametrize("commander", [{}, {"command": True, "quantity": 0}])
def test_a_force_that_never_had_a_commander_has_not_lost_the_last(commander):
    assert texts([figure(2, 2), commander], where="") == []


# ---------------------------------------------------------------- panels

COMMON = [
    "Scale and time",
    "The round",
    "Range penalty",
    "Ranged fire",
    "Group fire",
    "A clean miss, D6",
    "Melee",
    "Mass charge",
    "Command",
    "Hits against Fate",
    "Incapacitated, D6",
    "Shock, D6",
]
WEAPONS = "Weapons in use: modified results that roll again"


def test_a_force_without_figures_has_the_common_panels_alone():
    assert [*panels()] == COMMON == [*panels({"fire": "burst", "poor_condition": True, "quantity": 0})]


def test_the_range_penalty_is_as_printed():
    assert panels()["Range penalty"].rows == (
        ("Point-blank", "0"),
        ("Short", "1"),
        ("Medium", "2"),
        ("Long", "3"),
        ("Extreme", "4"),
    )


IN_USE = [
    # figures, and the rows about their weapons
    ([{}], ["Single shots"]),
    ([{"fire": "autofire"}], ["Autofire, volley", "In a group"]),
    ([{"fire": "burst"}], ["Burst effect"]),
    ([{"poor_condition": True}, {"fire": "burst", "poor_condition": True}], ["Single shots", "Burst effect"]),
    ([{"fire": "autofire", "poor_condition": True}], ["Autofire, volley", "In a group", "Poor condition"]),
    ([{"fire": "burst"}, {}, {"fire": "autofire", "quantity": 0}], ["Single shots", "Burst effect"]),
]


@pytest.mark.parametrize(("elements", "rows"), IN_USE)
def test_only_the_weapons_that_the_force_has_are_explained(elements, rows):
    found = panels(*elements)
    assert [row[0] for row in found[WEAPONS].rows] == rows
    assert ("Bursts" in found) == ("Burst effect" in rows)
    assert [*found][: len(COMMON)] == COMMON


def test_autofire_rolls_again_from_five_and_a_burst_from_four():
    rows = dict(panels({}, {"fire": "autofire"}, {"fire": "burst"})[WEAPONS].rows)
    assert [rows[name] for name in ("Single shots", "Autofire, volley", "Burst effect")] == [
        "6 or more",
        "5 or more",
        "4 or more",
    ]


@pytest.mark.parametrize(
    ("fire", "ranged", "faces"),
    [
        ("single", 0, "6 – – – –"),
        ("single", 2, "4+ 5+ 6 – –"),
        ("autofire", 1, "4+ 5+ 6 – –"),
        ("burst", 0, "4+ 5+ 6 – –"),
        ("burst", 3, "any 2+ 3+ 4+ 5+"),
        ("single", 9, "any any any any any"),
    ],
)
def test_the_faces_that_roll_again_follow_from_ranged_and_the_penalty_of_each_range(fire, ranged, faces):
    """A face rolls again if face + Ranged - 0, 1, 2, 3, 4 is 6, 5 or 4 or more, by the way the weapon fires."""
    assert tables.faces_by_range(fire, ranged) == faces


def test_every_way_to_fire_has_its_row():
    assert {*tables.ROLLS_AGAIN} == {*FIRES}


# ---------------------------------------------------------------- briefing


def test_the_briefing_counts_figures_detachments_and_commanders():
    """The garrison: 10 and 16 figures in two detachments, a lieutenant and a headwoman."""
    path = FIXTURES / "armies" / "urutsk" / "ferry-crossing-garrison.json"
    garrison = side(json.loads(path.read_text()))
    found = briefing(garrison, figures("Raiders", 8))
    assert found["Forces"].rows == (
        ("Ferry Crossing Garrison", "26", "2", "2"),
        ("Raiders", "8", "1", "none: all are out of command at the first check"),
    )
    assert found["Forces"].text.endswith(" Ferry Crossing Garrison has 18 more than the smallest force.")
    assert found["Charging three to one"].rows == (
        ("All of Ferry Crossing Garrison", "78 chargers: nobody has so many"),
        ("All of Raiders", "24 chargers: Ferry Crossing Garrison can"),
    )


@pytest.mark.parametrize(
    ("mine", "said"),
    [(23, "nobody has so many"), (24, "The Many can"), (25, "The Many can"), (8, "nobody has so many")],
)
def test_three_to_one_is_told_from_the_very_number(mine, said):
    rows = dict(briefing(figures("The Many", mine), figures("The Few", 8))["Charging three to one"].rows)
    assert rows["All of The Few"] == f"24 chargers: {said}"


@pytest.mark.parametrize(
    ("quantities", "end"),
    [
        ([5, 5], "All forces have 5 figures."),
        ([1, 1], "All forces have 1 figure."),
        ([5, 3], "A has 2 more than the smallest force."),
        ([5, 5, 3], "A and B have 2 more than the smallest force."),
        ([4], "compare figures and scores."),
        ([], "compare figures and scores."),
    ],
)
def test_forces_are_compared_by_their_figures(quantities, end):
    sides = [figures(name, number) for name, number in zip("ABC", quantities, strict=False)]
    assert briefing(*sides)["Forces"].text.endswith(end)


def test_what_the_rules_leave_open_is_agreed_beforehand():
    found = briefing(figures("A", 1))
    assert "Referee" in dict(found["Agree beforehand"].rows)
    assert [*found] == ["Forces", "Agree beforehand", "Victory"]


# ---------------------------------------------------------------- any force


@PATIENT
@given(st.lists(documents("urutsk"), max_size=3))
def test_any_force_can_be_played(found):
    """Nothing raises, every cell is text, every row fits its heads."""
    sides = [side(data) for data in found]
    for document, _ in sides:
        for formation in document.formations:
            for element in formation.elements:
                for track in play.tracks(element, terms(document)):
                    assert len(track.boxes) <= MOST_BOXES
        assert all(alert.text.endswith(".") for alert in play.alerts(document, terms(document)))
        assert_printable(play.panels(document, terms(document)))
    assert_printable(play.briefing(sides))


def assert_printable(panels):
    for panel in panels:
        assert panel.title
        assert panel.rows or panel.heads
        assert {len(row) for row in panel.rows} <= {len(panel.heads) or 2}
        assert all(isinstance(cell, str) for row in panel.rows for cell in row)
