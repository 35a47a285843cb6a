"""URUTSK minis in play: Fate, commanders, panels and briefings, worked by hand from the rulebook."""

from functools import partial

from rosters.core.findings import Finding
from rosters.core.play import MAX_BOXES, count_losses
from rosters.core.values import MAX_INTEGER
from rosters.systems.urutsk import play, tables
from tests import support
from tests.support import FIRST, briefing, read, roster_data

alerts, panels, side = (partial(each, "urutsk") for each in (support.alerts, support.panels, support.side))


def figure(fate, *lost, **profile):
    """A figure as document data, with the Fate that each of its models has lost."""
    return {"fate": fate, "marks": [{"fate": number} for number in lost], **profile}


def figures(name, *quantities):
    """A side with one detachment for each quantity."""
    return side(*([{"quantity": number}] for number in quantities), name=name)


def test_a_figure_has_a_box_for_each_point_of_fate_up_to_the_most_boxes():
    rows = [  # Fate, boxes, the number of lost ones that breaks it
        *((fate, fate, fate) for fate in (1, 2, 5, MAX_BOXES)),
        *((fate, 0, None) for fate in (0, -1, -MAX_INTEGER)),
        (MAX_INTEGER, MAX_BOXES, MAX_INTEGER),
    ]
    for fate, boxes, breaks_at in rows:
        track, *others = play.tracks(read(roster_data("urutsk", [{"fate": fate}])).formations[0].elements[0], None)
        assert (track.key, track.kind, len(track.boxes), track.breaks_at) == ("fate", "count", boxes, breaks_at)
        assert track.label == ("Fate 1000000" if fate == MAX_INTEGER else "Fate")
        assert [(other.key, len(other.boxes)) for other in others] == [("rounds", 4), ("states", 7)]  # as on its record


def test_hits_equal_to_fate_injure_a_figure_and_more_incapacitate_it():
    rows = [  # Fate, how much of it is lost, what happens
        *((5, 0, None), (5, 1, None), (5, 4, None), (5, 5, "injured"), (0, 0, None), (-3, 0, None)),
        *((fate, lost, "incapacitated.") for fate, lost in ((5, 6), (5, MAX_INTEGER), (1, 2), (0, 1), (-3, 1))),
    ]
    for fate, lost, happens in rows:
        found = [text for where, text, *_ in alerts([figure(fate, lost)]) if where == FIRST]
        assert [happens in text for text in found] == [True] * bool(happens)
    damage = {"guard 0": {"states": ["injured", "dead"]}, "guard 1": {"states": ["injured"]}}
    assert count_losses(side([{"id": "guard", "quantity": 3}]), damage, play) == (1, 3)
    assert count_losses(side([{"id": "guard", "quantity": 0}]), damage, play) is None
    found = alerts([figure(2, 0, 2, 3, quantity=5, name="Archers")])
    assert [text.values for _where, text, *_ in found] == [{"figure": "Archers 2"}, {"figure": "Archers 3"}]
    assert [alert.kind for alert in found] == ["", "roll"]
    assert alerts([figure(2, 2, name=" ")])[0].text.values == {"figure": "Unnamed figure"}


def test_a_lost_commander_is_announced_for_its_detachment_and_the_last_one_for_the_roster():
    lost, left = figure(2, 2, command=True), figure(2, command=True)
    two = {"quantity": 2, "command": True}
    rows = [  # formations, and the places of the alerts
        ([[figure(2, 2, **two), figure(2, 2)]], [FIRST, "formations/0/elements/1"]),
        *(([[figure(2, 2, 1, **two)]], [FIRST]), ([[figure(2, 2, 2, **two)]], [FIRST, FIRST, ""])),
        *(
            ([[figure(2, 2, 9, **two)]], [FIRST, FIRST, ""]),
            ([[figure(2, 2), {"command": True, "quantity": 0}]], [FIRST]),
        ),
        ([[lost, figure(3)], [left]], [FIRST, "formations/0"]),
        (
            [[lost, figure(3, 3)], [left, figure(1, 1)]],
            [FIRST, "formations/0/elements/1", "formations/0", "formations/1/elements/1"],
        ),
        ([[lost], [lost]], [FIRST, "formations/1/elements/0", ""]),
    ]
    for formations, places in rows:
        assert [where for where, *_ in alerts(*formations)] == places


WEAPONS = "Exploding dice of the weapons in use"

IN_USE = [  # figures, and the rows about their weapons
    *(([{}], ["Single shots"]), ([{"fire": "autofire"}], ["Autofire or volley", "Autofire group"])),
    ([{"fire": "burst"}], ["Burst effect"]),
    ([{"poor_condition": True}, {"fire": "burst", "poor_condition": True}], ["Single shots", "Burst effect"]),
    ([{"fire": "autofire", "poor_condition": True}], ["Autofire or volley", "Autofire group", "Poor condition"]),
    ([{"fire": "burst"}, {}, {"fire": "autofire", "quantity": 0}], ["Single shots", "Burst effect"]),
]


def test_the_dice_of_weapons_in_use_and_of_charges_are_as_printed():
    for elements, weapons in IN_USE:
        found = panels([*elements])
        assert [row[0] for row in found[WEAPONS].rows] == weapons
        assert ("Bursts" in found) == ("Burst effect" in weapons)
        assert [*found][: len(panels([]))] == [*panels([])]
    assert [penalty for _range, penalty in panels([])["Range penalty"].rows] == ["0", "−1", "−2", "−3", "−4"]
    assert {code: fire.explodes for code, fire in tables.FIRE.items()} == {"single": 6, "autofire": 5, "burst": 4}
    rows = panels([{}, {"fire": "autofire"}, {"fire": "burst"}])[WEAPONS].rows
    assert [text.values.get("lowest") for _name, text in rows] == [6, 5, 4, None]
    # A face explodes if face + Ranged − 0, 1, 2, 3, 4 is 6, 5 or 4 or more, by the way the weapon fires.
    rows = [("single", 0, "6 – – – –"), ("burst", 3, "1+ 2+ 3+ 4+ 5+"), ("single", 9, "1+ 1+ 1+ 1+ 1+")]
    rows += [(fire, ranged, "4+ 5+ 6 – –") for fire, ranged in (("single", 2), ("autofire", 1), ("burst", 0))]
    assert [(fire, ranged, tables.exploding_by_range(fire, ranged)) for fire, ranged, _text in rows] == rows
    assert [face for _case, face in tables.CHARGERS] == [6, 5]
    assert [(face, tables.readied(face)) for _case, face in tables.RECEIVERS] == [(6, 5), (5, 4), (4, 4)]
    faces = [text.values.get("faces") for _case, text in panels([])["Mass charge"].rows]
    assert [each for each in faces if each] == ["6", "5–6", "6", "5–6", "4–6"]


def test_the_briefing_counts_figures_detachments_commanders_and_those_for_a_charge_at_three_to_one():
    """The garrison: 10 and 16 figures in two detachments, a lieutenant and a headwoman."""
    garrison = support.side_of(support.sample_data("urutsk", "ferry-crossing-garrison"))
    found = briefing(garrison, figures("Raiders", 8))["Rosters"].rows
    assert found[0] == ("Ferry Crossing Garrison", "26", "2", "2")
    assert {element.fire for element in garrison.document.elements} == {*tables.FIRE}, "every kind of weapon"
    assert found[1][:3] == ("Raiders", "8", "1")
    assert not found[1][3].isdigit()
    for many, able in [(23, False), (24, True), (25, True), (8, False)]:
        panel = briefing(figures("Many", many), figures("Few", 8)).get("3:1 charge")
        assert [text.values for _, text in (panel.rows if panel else ())] == [{"n": 24, "rosters": "Many"}] * able


def test_rosters_are_compared_by_their_figures():
    rows = [  # figures of A, B and C: equal, and the values of the sentence
        *(([5, 5], True, {"figures": "5 figures"}), ([1, 1], True, {"figures": "1 figure"})),
        ([5, 3], False, {"rosters": "A", "figures": "2 figures"}),
        *(([5, 5, 3], False, {"rosters": "A and B", "figures": "2 figures"}), ([4], None, {}), ([], None, {})),
    ]
    for quantities, equal, values in rows:
        match = play.match([figures(name, number) for name, number in zip("ABC", quantities, strict=False)])
        assert (match.matched, match.sentences[-1].values) == (equal, values)
    hidden = figures("Test", 5)
    secret = hidden.appraisal._replace(findings=(Finding("something-secret", "note", "", ""),))
    assert play.match([figures("A", 5), hidden._replace(appraisal=secret)]).matched is None
