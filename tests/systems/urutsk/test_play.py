"""URUTSK minis at the table: Fate, commanders, panels and briefings, worked by hand from the rulebook."""

import json

from rosters import registry
from rosters.core import appraisals
from rosters.core.play import MAX_BOXES, Side
from rosters.core.values import LIMIT
from rosters.systems.urutsk import play, tables

from tests.support import FIXTURES, roster

HERE = "formations/0/elements/0"


def figure(fate, *lost, **profile):
    """A figure as document data, with the Fate that each of its models has lost."""
    return {"fate": fate, "marks": [{"fate": number} for number in lost], **profile}


def force(*formations, **root):
    return registry.read(roster("urutsk", *formations, **root))


def terms(document):
    return appraisals.terms_of(document)


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
    return Side(document, registry.appraise(document))


def figures(name, *quantities, **profile):
    """A side of one detachment for each quantity."""
    return side(roster("urutsk", *([{"quantity": number, **profile}] for number in quantities), name=name))


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


# ---------------------------------------------------------------- tracks


def test_a_figure_has_a_box_for_each_point_of_fate_as_far_as_they_can_be_drawn():
    rows = [  # Fate, boxes, where the track breaks
        *((fate, fate, fate) for fate in (1, 2, 5, MAX_BOXES)),
        *((fate, 0, None) for fate in (0, -1, -LIMIT)),
        (LIMIT, MAX_BOXES, LIMIT),
    ]
    for fate, boxes, breaks_at in rows:
        (track,) = play.tracks(force([{"fate": fate}]).formations[0].elements[0], None)
        assert (track.key, track.kind, len(track.boxes), track.breaks_at) == ("fate", "count", boxes, breaks_at)
        assert track.label == ("Fate 1000000" if fate == LIMIT else "Fate")


# ---------------------------------------------------------------- alerts


def test_a_figure_is_injured_by_as_much_as_its_fate_and_incapacitated_by_more():
    rows = [  # Fate, how much of it is lost, what happens
        *((5, 0, None), (5, 1, None), (5, 4, None), (5, 5, "injured"), (0, 0, None), (-3, 0, None)),
        *((fate, lost, "incapacitated") for fate, lost in ((5, 6), (5, LIMIT), (1, 2), (0, 1), (-3, 1))),
    ]
    for fate, lost, happens in rows:
        found = texts([figure(fate, lost)])
        assert len(found) == bool(happens)
        assert not happens or happens in found[0]


def test_a_model_is_told_by_its_number_only_among_several():
    found = texts([figure(2, 0, 2, 3, quantity=5, name="Archers")])
    assert [text.split(" ", 2)[:2] for text in found] == [["Archers", "2"], ["Archers", "3"]]


def test_the_last_commander_lost_is_announced_for_the_force():
    for lost, announced in (([2], 0), ([2, 1], 0), ([2, 2], 1), ([2, 9], 1)):
        assert len(texts([figure(2, *lost, quantity=2, command=True), figure(2, 2)], where="")) == announced
    for commander in ({}, {"command": True, "quantity": 0}):
        assert texts([figure(2, 2), commander], where="") == []


def test_a_detachment_without_commander_is_announced_after_its_figures_unless_the_force_is():
    lost, left = figure(2, 2, command=True), figure(2, command=True)
    second = "formations/1/elements"
    assert [a.where for a in alerts([lost, figure(3)], [left])] == [HERE, "formations/0"]
    found = alerts([lost, figure(3, 3)], [left, figure(1, 1)])
    assert [a.where for a in found] == [HERE, "formations/0/elements/1", "formations/0", f"{second}/1"]
    assert [a.where for a in alerts([lost], [lost])] == [HERE, f"{second}/0", ""]


# ---------------------------------------------------------------- panels

WEAPONS = "Weapons in use: modified results that roll again"


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


def test_only_the_weapons_that_the_force_has_are_explained():
    for elements, weapons in IN_USE:
        found = panels(*elements)
        assert [row[0] for row in found[WEAPONS].rows] == weapons
        assert ("Bursts" in found) == ("Burst effect" in weapons)
        assert [*found][: len(panels())] == [*panels()]


def test_autofire_rolls_again_from_five_and_a_burst_from_four():
    rows = dict(panels({}, {"fire": "autofire"}, {"fire": "burst"})[WEAPONS].rows)
    assert [rows[name] for name in ("Single shots", "Autofire, volley", "Burst effect")] == [
        "6 or more",
        "5 or more",
        "4 or more",
    ]


def test_the_faces_that_roll_again_follow_from_ranged_and_the_penalty_of_each_range():
    """A face rolls again if face + Ranged - 0, 1, 2, 3, 4 is 6, 5 or 4 or more, by the way the weapon fires."""
    rows = [
        ("single", 0, "6 – – – –"),
        ("single", 2, "4+ 5+ 6 – –"),
        ("autofire", 1, "4+ 5+ 6 – –"),
        ("burst", 0, "4+ 5+ 6 – –"),
        ("burst", 3, "any 2+ 3+ 4+ 5+"),
        ("single", 9, "any any any any any"),
    ]
    assert [(fire, ranged, tables.faces_by_range(fire, ranged)) for fire, ranged, _ in rows] == rows
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


def test_three_to_one_is_told_from_the_very_number():
    for mine, said in [(23, "nobody has"), (24, "The Many can"), (25, "The Many can"), (8, "nobody has")]:
        found = dict(briefing(figures("The Many", mine), figures("The Few", 8))["Charging three to one"].rows)
        assert found["All of The Few"].startswith(f"24 chargers: {said}")


def test_forces_are_compared_by_their_figures():
    rows = [
        ([5, 5], "All forces have 5 figures."),
        ([1, 1], "All forces have 1 figure."),
        ([5, 3], "A has 2 more than the smallest force."),
        ([5, 5, 3], "A and B have 2 more than the smallest force."),
        ([4], "compare figures and scores."),
        ([], "compare figures and scores."),
    ]
    for quantities, end in rows:
        sides = [figures(name, number) for name, number in zip("ABC", quantities, strict=False)]
        assert briefing(*sides)["Forces"].text.endswith(end)


# ---------------------------------------------------------------- any force
