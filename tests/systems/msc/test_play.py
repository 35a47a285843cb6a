"""Minimal Space Combat in play: ovals, alerts, panels and briefings, worked by hand from rules 4 to 8."""

from functools import partial

from rosters.core.play import MAX_BOXES, roster_names
from rosters.systems.msc import play
from tests import notation, support
from tests.support import FIRST, briefing, read, roster_data

alerts, panels, side = (partial(each, "msc") for each in (support.alerts, support.panels, support.side))

STRATEGIC = {"scenario": "strategic"}


def ship(engine=3, shield=3, to_hit=3, weapons="F FL FR", **more):
    return notation.ship(f"{engine} {shield} {to_hit} {weapons}", **more)


def tracks(*args, **more):
    return play.tracks(read(roster_data("msc", [ship(*args, **more)])).formations[0].elements[0], None)


def test_a_ship_has_an_oval_for_each_point_bought_and_for_each_weapon_that_can_be_drawn():
    assert tracks(2, 4, 3, "FR F FL") == (
        ("engine", "ENGINE", ("", ""), "count", 2, (), False, False, "", "", False, ""),
        ("shield", "SHIELD", ("", "", "", ""), "count", 4, (), True, False, "", "", False, ""),
        ("weapons", "Weapons", ("F", "FL", "FR"), "names", 3, (), False, False, "", "", False, ""),
        ("speed", "SPEED", ("", ""), "count", None, (), False, False, "", "", True, ""),
    )
    assert tracks(3, 3, 3, "R F F X f")[2].boxes == ("F",)  # none in the rear or on unknown sides
    assert [track.key for track in tracks(3, 3, 3, "R X")] == ["engine", "shield", "speed"]
    for bought, boxes, breaks_at in [(-9, 0, None), (0, 0, None), (1, 1, 1), (60, 60, 60), (61, MAX_BOXES, 61)]:
        track = tracks(3, bought)[1]
        assert (len(track.boxes), track.breaks_at) == (boxes, breaks_at)
        assert track.label == ("SHIELD 61" if bought == 61 else "SHIELD")


def test_a_ship_is_announced_when_its_last_point_or_weapon_is_lost_and_not_before():
    weapons = ["F", "FL", "FR"]
    rows = [  # damage, and what none is left of
        *(({}, []), ({"shield": 2}, []), ({"shield": 3}, ["SHIELD"]), ({"shield": 4}, ["SHIELD"])),
        *(({"engine": 2}, []), ({"engine": 3}, ["ENGINE"]), ({"engine": 1_000_000}, ["ENGINE"])),
        *(({"weapons": ["F", "FL"]}, []), ({"weapons": ["RL", "RR", "R"]}, [])),
        *(({"weapons": weapons}, ["weapons"]), ({"weapons": [*weapons, "R"]}, ["weapons"])),
        ({"engine": 3, "shield": 2, "weapons": weapons}, ["ENGINE", "weapons"]),
        ({"engine": 3, "shield": 3, "weapons": weapons}, ["SHIELD"]),
    ]
    for mark, lost in rows:
        found = alerts([ship(marks=[mark]), ship(name="Other")])
        assert [where for where, *_ in found] == [FIRST] * len(lost)
        assert all(f"no {what} left" in text for (_where, text, *_), what in zip(found, lost, strict=True))
    for engine in (0, -4):
        marks = [{"engine": 1, "shield": 1, "weapons": ["F"]}]
        assert alerts([ship(engine, engine, 3, "", marks=marks), ship(name="Other")]) == []
    # among several by its number
    [alert] = alerts([ship(name="Spitfire", quantity=5, marks=[{}, {"shield": 1}, {"shield": 3}])])
    assert (alert.where, alert.text.values, alert.kind) == (FIRST, {"ship": "Spitfire 3"}, "event")
    assert alerts([ship(name="Spitfire", marks=[{"engine": 3}])])[0].text.values == {"ship": "Spitfire"}


def test_a_fleet_is_announced_after_its_last_ship_and_in_the_strategic_game_with_what_losses_leave_of_it():
    one, two = ship(marks=[{"shield": 3}]), ship(quantity=2, marks=[{"shield": 3}, {"shield": 2}])
    assert [where for where, *_ in alerts([one], [two])] == [FIRST, "formations/0", "formations/1/elements/0"]
    two["marks"][1]["shield"] = 3
    found = alerts([one], [two])
    assert [where for where, *_ in found][-2:] == ["formations/1", ""]
    assert [text.values for _where, text, *_ in found[-2:]] == [{"fleet": "Formation 2"}, {"roster": "Test"}]
    assert alerts([one], **STRATEGIC)[-1].text.template != found[-1].text.template
    # Seven ships of 9 and 3 have 9 and 7 dice; six have 54 and 18: 7 and 6. Engines lost slow the fleet.
    rows = [  # ships: ships, speed, attack dice and save dice that are left
        ([ship(quantity=7, marks=[{}, {"shield": 2}])], None),
        ([ship(quantity=7, marks=[{}, {"shield": 3}])], ("6 ships", 3, 7, 6)),
        ([ship(quantity=2, marks=[{"engine": 2}]), ship(2)], ("3 ships", 1, 3, 3)),
        ([ship(1, marks=[{"shield": 3}]), ship()], ("1 ship", 3, 1, 1)),
    ]
    for ships, left in rows:
        values = [text.values for where, text, *_ in alerts(ships, **STRATEGIC) if where == "formations/0"]
        assert [tuple(each.values())[1:] for each in values] == [left] * bool(left)
        assert not [alert for alert in alerts(ships, scenario="tactical") if alert.where == "formations/0"]


def test_the_rolls_that_hit_and_the_sides_are_listed_for_weapons_in_use():
    """TO-HIT 3 needs 5, 4, 3 and 2 or less; 5 always hits close by, for 7 and 6 cannot be missed."""
    armed = [ship(to_hit=score) for score in (5, 3, 1, 3)]
    found = panels([*armed, ship(to_hit=4, weapons=""), ship(to_hit=2, quantity=0)])["Rolls that hit"]
    assert [head.values.get("hexes") for head in found.heads] == [None, "0", "1–2", "3–4", "5–6"]
    table = ["Modifier +2 +1 +0 −1", "1 1–3 1–2 1 never", "3 1–5 1–4 1–3 1–2", "5 any any 1–5 1–4"]
    assert [" ".join(row) for row in found.rows] == table
    assert [play.hits(score) for score in (-9, 0, 1, 5, 6, 10**6)] == ["never", "never", "1", "1–5", "any", "any"]
    # the sides of weapons in use
    found = panels([ship(weapons="RR F R"), ship(weapons="FL", quantity=0)])
    assert [row[0] for row in found["Weapon sides"].rows] == ["F", "RR"]
    assert "Weapon sides" not in panels([ship(weapons="R")])


def test_rosters_compare_by_the_ships_that_are_there_and_are_balanced_at_equal_points_alone():
    fleet = read(roster_data("msc", [ship(2, 4, quantity=2), ship(1, 1, quantity=0)]))
    found = {figure.label: figure.value for figure in play.figures(fleet, None)}
    assert (found["Total SHIELD"], found["Lowest SHIELD"], found["Lowest ENGINE"]) == (8, 4, 2)
    # Three ships of 15 against one of 15 and two: 45 BP and nine SHIELD each.
    found = briefing(side([ship(quantity=3)], name="Red"), side([ship()], [ship(quantity=2)], name="Blue"))
    assert found["Rosters"].rows == (("Red", "45", "3", "1", "9"), ("Blue", "45", "3", "2", "9"))
    goals = [(name, goal.values["ships"]) for name, goal in found["Victory"].rows]
    assert goals == [("Red", "3 ships of Blue"), ("Blue", "3 ships of Red")]
    assert "Solo play" not in found
    three = briefing(*(side([ship(quantity=number)], name=name) for number, name in enumerate("ABC", 1)))
    assert three["Victory"].rows[1][1].values["ships"] == "1 ship of A and 3 ships of C"
    rows = [  # points of the rosters: balanced, and the values of the sentence
        ([45, 45], True, {"points": "45"}),
        ([15, 16], False, {"lowest": "15", "highest": "16", "gap": "1"}),
        ([15, 30, 45], False, {"lowest": "15", "highest": "45", "gap": "30"}),
        ([15], None, {}),
        ([15, None], None, {}),
    ]
    for points, balanced, values in rows:
        base = side([ship()])
        sides = [base._replace(appraisal=base.appraisal._replace(points=number)) for number in points]
        match = play.match(sides)
        assert (match.matched, match.sentences[0].values) == (balanced, values)
        assert len(match.missing) == (len(points) - 1 if balanced is False else 0)
    assert roster_names([side(name="A"), side(name=" "), side(name="A")]) == ("A (1)", "Roster 2", "A (3)")


def test_the_strategic_game_alone_has_panels_and_a_briefing_of_its_fleets_and_the_sizes():
    assert [*panels(scenario="tactical")] == [*panels()]
    assert [*panels([ship()], **STRATEGIC)][5:] == [*panels([ship()])][1:]
    rows = panels([ship(quantity=7)], [], **STRATEGIC)["Fleets without damage"].rows
    assert rows == (("Formation 1", "3", "9", "7"),)
    assert "Fleets without damage" not in panels([], **STRATEGIC)
    # Facts that a redacted roster leaves out are dashes.
    red, blue = side([ship(quantity=7)], name="Red", **STRATEGIC), side([ship()], name="Blue", **STRATEGIC)
    found = briefing(red, blue)
    fleets = (("Red", "Formation 1", "3", "9", "7"), ("Blue", "Formation 1", "3", "1", "1"))
    assert found["Fleets at the start"].rows == fleets
    assert "home system" in found["Victory"].rows[0][1]
    assert "10, 15 or 20" in found["Limits"].rows[0][1]
    without = tuple(fleet._replace(facts={}) for fleet in red.appraisal.formations)
    hidden = briefing(red._replace(appraisal=red.appraisal._replace(formations=without)))
    assert hidden["Fleets at the start"].rows == (("Red", "Formation 1", "–", "–", "–"),)


def test_a_briefing_has_the_scenario_or_an_assumed_one_the_limits_and_the_rules_of_solo_play():
    rows = [  # the rosters' scenarios, the scenario of the battle, and whether it is assumed
        *((("tactical", "tactical"), "Tactical battle", False), (("strategic", "strategic"), "Strategic game", False)),
        *((scenarios, "Strategic game", True) for scenarios in (("strategic", "tactical"), (None, "strategic"))),
        ((None, None), "Tactical battle", True),
    ]
    for scenarios, title, assumed in rows:
        found = briefing(*(side([ship()], name=name, scenario=s) for name, s in zip("AB", scenarios, strict=True)))
        assert ("ssumed" in found[f"Scenario: {title}"].text) is assumed
    limits = briefing(side([ship()], name="A", options={"max_engine": 6}), side([ship()], name="B"))["Limits"].rows
    values = [(name, text.values) for name, text in limits[:-1]]
    assert values == [("Ships", {"points": 25, "engine": 5}), ("A", {"engine": 6, "points": 26})]
    found = briefing(side([ship(quantity=4)]))
    assert found["Solo play"].rows[0][1].values == {"roster": "Test", "ships": "4 ships"}
    assert len(found["Victory"].rows) == 1
