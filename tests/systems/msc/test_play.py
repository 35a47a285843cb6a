"""Minimal Space Combat at the table: ovals, alerts, panels and briefings, worked by hand from rules 4 to 8."""

from hypothesis import given

from rosters.core import documents
from rosters.core.appraisals import terms_of
from rosters.core.play import MAX_BOXES, Side
from rosters.systems.msc import play, tables
from tests.strategies import PATIENT
from tests.strategies import documents as any_documents
from tests.support import FIXTURES, appraise, read, roster

ARMIES = FIXTURES / "armies" / "msc"


def ship(engine=3, shield=3, to_hit=3, weapons="F FL FR", **more):
    return {"engine": engine, "shield": shield, "to_hit": to_hit, "weapons": weapons.split(), **more}


def element(*args, **more):
    return read(roster("msc", [ship(*args, **more)])).formations[0].elements[0]


def tracks(*args, **more):
    return play.tracks(element(*args, **more), None)


def alerts(*fleets, **root):
    document = read(roster("msc", *fleets, **root))
    return [tuple(alert) for alert in play.alerts(document, terms_of(document))]


def panels(*fleets, **root):
    document = read(roster("msc", *fleets, **root))
    return {panel.title: panel for panel in play.panels(document, terms_of(document))}


def side(*fleets, **root):
    data = roster("msc", *fleets, **root)
    return Side(read(data), appraise(data))


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


def army(slug):
    return documents.parse((ARMIES / f"{slug}.json").read_bytes())


# ---------------------------------------------------------------- tracks


def test_a_ship_has_an_oval_for_each_point_bought_and_for_each_weapon():
    assert tracks(2, 4, 3, "FR F FL") == (
        ("engine", "ENGINE", ("", ""), "count", 2),
        ("shield", "SHIELD", ("", "", "", ""), "count", 4),
        ("weapons", "Weapons", ("F", "FL", "FR"), "names", 3),
    )


def test_weapons_on_no_side_or_in_the_rear_have_no_oval_and_doubled_ones_have_one():
    assert tracks(3, 3, 3, "R F F X f")[2].boxes == ("F",)
    assert [track.key for track in tracks(3, 3, 3, "R X")] == ["engine", "shield"]


def test_odd_numbers_have_no_more_ovals_than_can_be_drawn_and_tell_the_whole_number():
    rows = [
        (-1_000_000, 0, "SHIELD", None),
        (0, 0, "SHIELD", None),
        (1, 1, "SHIELD", 1),
        (MAX_BOXES, MAX_BOXES, "SHIELD", MAX_BOXES),
        (MAX_BOXES + 1, MAX_BOXES, "SHIELD 61", MAX_BOXES + 1),
        (1_000_000, MAX_BOXES, "SHIELD 1000000", 1_000_000),
    ]
    for bought, boxes, label, breaks_at in rows:
        found = tracks(3, bought)[1]
        assert (len(found.boxes), found.label, found.breaks_at) == (boxes, label, breaks_at)


# ---------------------------------------------------------------- alerts

HERE = "formations/0/elements/0"
OTHER = ship(name="Other")


def test_a_ship_is_announced_when_its_last_point_or_weapon_goes_and_not_before():
    all_weapons = ["F", "FL", "FR"]
    rows = [  # what is lost, and what is said to be gone
        *(({}, []), ({"shield": 2}, []), ({"shield": 3}, ["SHIELD"]), ({"shield": 4}, ["SHIELD"])),
        *(({"engine": 2}, []), ({"engine": 3}, ["ENGINE"]), ({"engine": 1_000_000}, ["ENGINE"])),
        *(({"weapons": ["F", "FL"]}, []), ({"weapons": ["RL", "RR", "R"]}, [])),
        *(({"weapons": all_weapons}, ["weapon"]), ({"weapons": [*all_weapons, "R"]}, ["weapon"])),
        ({"engine": 3, "shield": 2, "weapons": all_weapons}, ["ENGINE", "weapon"]),
        ({"engine": 3, "shield": 3, "weapons": all_weapons}, ["SHIELD"]),
    ]
    for mark, gone in rows:
        found = alerts([ship(marks=[mark]), OTHER])
        assert [where for where, _ in found] == [HERE] * len(gone)
        assert all(f"no {what} left" in text for (_, text), what in zip(found, gone, strict=True))
    for engine in (0, -4):
        marks = [{"engine": 1, "shield": 1, "weapons": ["F"]}]
        assert alerts([ship(engine, engine, 3, "", marks=marks), OTHER]) == []


def test_only_a_line_of_several_ships_tells_which_one_by_its_number():
    spitfires = ship(name="Spitfire", quantity=5, marks=[{}, {"shield": 1}, {"shield": 3}])
    found = alerts([spitfires])
    assert found == [(HERE, "Spitfire 3 has no SHIELD left: it is destroyed, take it off the map.")]


def test_a_fleet_and_the_force_are_announced_after_their_last_ship_and_not_before():
    one, two = ship(marks=[{"shield": 3}]), ship(quantity=2, marks=[{"shield": 3}, {"shield": 2}])
    assert [where for where, _ in alerts([one], [two])] == [HERE, "formations/0", "formations/1/elements/0"]
    two["marks"][1]["shield"] = 3
    found = alerts([one], [two])
    assert [where for where, _ in found][-2:] == ["formations/1", ""]
    assert found[-2][1] == "Formation 2 has lost its last ship: take its counter away."
    assert found[-1][1] == "Test has no ship left: it is beaten, unless you agreed on another way to win."
    assert alerts([one], scenario="strategic")[-1][1].endswith("its whole fleet is destroyed, and the enemy wins.")


def test_a_strategic_fleet_tells_its_dice_once_losses_have_changed_them():
    """Seven ships of 9 and 3 have 9 and 7 dice; six have 54 and 18: 7 and 6."""
    seven = ship(quantity=7, marks=[{}, {"shield": 2}])
    assert alerts([seven], scenario="strategic") == []
    seven["marks"][1]["shield"] = 3
    told = alerts([seven], scenario="strategic")[-1]
    assert told == (
        "formations/0",
        "Formation 1 has 6 ships left: it moves up to 3 and has 7 attack dice and 6 save dice.",
    )
    assert [where for where, _ in alerts([seven], scenario="tactical")] == [HERE]


def test_a_strategic_fleet_moves_at_the_lowest_engine_that_is_left():
    hurt = ship(quantity=2, marks=[{"engine": 2}])
    assert alerts([hurt, ship(2)], scenario="strategic") == [
        ("formations/0", "Formation 1 has 3 ships left: it moves up to 1 and has 3 attack dice and 3 save dice.")
    ]
    slowest_lost = ship(1, marks=[{"shield": 3}])
    assert "moves up to 3" in alerts([slowest_lost, ship()], scenario="strategic")[-1][1]


# ---------------------------------------------------------------- panels


def test_the_die_needed_is_worked_out_for_each_to_hit_that_has_weapons():
    """TO-HIT 3 needs 5, 4, 3 and 2 or less; 5 always hits close by, for 7 and 6 cannot be missed."""
    armed = [ship(to_hit=score) for score in (5, 3, 1, 3)]
    found = panels([*armed, ship(to_hit=4, weapons=""), ship(to_hit=2, quantity=0)])["The die needed"]
    assert found.heads == ("TO-HIT", "Range 0", "Range 1–2", "Range 3–4", "Range 5–6")
    assert found.rows[1:] == (
        ("1", "1–3", "1–2", "1", "never"),
        ("3", "1–5", "1–4", "1–3", "1–2"),
        ("5", "always", "always", "1–5", "1–4"),
    )


def test_a_number_needed_is_told_as_rolls_of_a_die():
    for score, rolls in [
        (-9, "never"),
        (0, "never"),
        (1, "1"),
        (2, "1–2"),
        (5, "1–5"),
        (6, "always"),
        (10**6, "always"),
    ]:
        assert play.needed(score) == rolls


def test_the_letters_of_weapons_are_told_for_the_sides_in_use_only():
    found = panels([ship(weapons="RR F R"), ship(weapons="FL", quantity=0)])
    assert [row[0] for row in found["Weapons on board"].rows] == ["F", "RR"]
    assert "Weapons on board" not in panels([ship(weapons="R")])


def test_the_damage_table_is_that_of_rule_7():
    assert [roll for roll, _ in tables.DAMAGE] == ["1–4", "5", "6"]
    assert ["SHIELD" in text for _, text in tables.DAMAGE] == [True, True, True]
    assert tables.DAMAGE[1][1].startswith("Mark one ENGINE")


def test_only_the_strategic_game_has_its_rules_on_the_panel_and_they_come_first():
    assert [*panels(scenario="tactical")] == [*panels()]
    titles = [*panels([ship()], scenario="strategic")]
    assert titles[:4] == [
        "A turn of the strategic game",
        "Fleets and systems",
        "Combat by dice",
        "Fleets at full strength",
    ]
    assert titles[4] == "A turn of a battle"
    assert "Fleets at full strength" not in panels([], scenario="strategic")


def test_the_fleets_of_the_navy_have_the_dice_of_their_sheets():
    """Spear: 53 offensive BP are seven dice, 22 defensive are seven."""
    data = army("hearthward-navy")
    document = read(data)
    found = {panel.title: panel for panel in play.panels(document, terms_of(document))}
    assert ("Spear", "5", "7", "7") in found["Fleets at full strength"].rows


# ---------------------------------------------------------------- briefing


def test_forces_of_equal_points_are_even_and_each_must_destroy_the_other():
    """Three ships of 15 against one of 15 and two: 45 BP and nine SHIELD each."""
    found = briefing(
        side([ship(quantity=3)], name="Red", scenario="tactical"),
        side([ship()], [ship(quantity=2)], name="Blue", scenario="tactical"),
    )
    assert found["Forces"].rows == (("Red", "45", "3", "1", "9"), ("Blue", "45", "3", "2", "9"))
    assert found["Forces"].text == "The forces are even: 45 BP each."
    assert found["Victory"].rows == (("Red", "Destroy all: 3 ships of Blue."), ("Blue", "Destroy all: 3 ships of Red."))
    assert "Playing alone" not in found


def test_a_single_point_makes_forces_uneven():
    found = briefing(side([ship()]), side([ship(4)], name="Blue"))["Forces"]
    assert found.text == "The forces are not even: from 15 to 16 BP, 1 apart; even forces have equal BP."


def test_three_forces_each_name_the_others_and_the_widest_gap_counts():
    found = briefing(*(side([ship(quantity=number)], name=name) for number, name in enumerate("ABC", 1)))
    assert found["Victory"].rows[1] == ("B", "Destroy all: 1 ship of A and 3 ships of C.")
    assert "from 15 to 45 BP, 30 apart" in found["Forces"].text


def test_the_scenario_comes_from_the_rosters_and_what_is_assumed_is_said():
    rows = [
        (("tactical", "tactical"), "Tactical battle", ""),
        (("strategic", "strategic"), "Strategic game", ""),
        ((None, None), "Tactical battle", "No roster names a scenario, so a tactical battle is assumed."),
        (("strategic", "tactical"), "Strategic game", "different scenarios; that of A is assumed."),
        ((None, "strategic"), "Strategic game", "rosters without a scenario: A."),
    ]
    for scenarios, title, said in rows:
        found = briefing(*(side([ship()], name=name, scenario=s) for name, s in zip("AB", scenarios, strict=True)))
        panel = found[f"Scenario: {title}"]
        assert panel.text.endswith(said)
        assert ("ssumed" in panel.text) is bool(said)


def test_a_strategic_briefing_lists_the_fleets_and_another_way_to_win():
    found = briefing(
        side([ship(quantity=7)], name="Red", scenario="strategic"), side([ship()], name="Blue", scenario="strategic")
    )
    assert found["Fleets at the start"].rows == (
        ("Red", "Formation 1", "3", "9", "7"),
        ("Blue", "Formation 1", "3", "1", "1"),
    )
    assert found["Victory"].rows[0][1] == "Destroy all: 1 ship of Blue. Or occupy an enemy home system."
    assert found["Limits"].rows[0] == ("Ships", "Exactly 10, 15 or 20 BP each.")


def test_facts_that_a_copy_hides_are_dashes():
    one = side([ship()], scenario="strategic")
    fleets = tuple(fleet._replace(facts={}) for fleet in one.appraisal.formations)
    found = briefing(Side(one.document, one.appraisal._replace(formations=fleets)))
    assert found["Fleets at the start"].rows == (("Test", "Formation 1", "–", "–", "–"),)


def test_a_house_rule_on_engines_is_told_beside_its_force():
    found = briefing(side([ship()], name="A", options={"max_engine": 6}), side([ship()], name="B"))["Limits"]
    assert found.rows[:2] == (
        ("Ships", "At most 25 BP and ENGINE 5 each."),
        ("A", "By its house rule: ENGINE up to 6, and ships up to 26 BP."),
    )


def test_one_force_is_told_how_to_play_alone():
    found = briefing(side([ship(quantity=4)]))
    assert "4 ships" in found["Playing alone"].rows[0][1]
    assert found["Victory"].rows == (("Test", "Destroy every enemy ship."),)


def test_forces_without_a_name_or_with_the_same_one_are_numbered():
    assert play.names_of([side(name="A"), side(name=" "), side(name="A")]) == ("A (1)", "Roster 2", "A (3)")


# ---------------------------------------------------------------- any document


@PATIENT
@given(any_documents("msc"))
def test_what_remains_of_a_fleet_is_all_its_ships_but_the_destroyed(data):
    for fleet in read(data).formations:
        dead = sum(play.destroyed(line, mark) for line in fleet.elements for mark in line.marks)
        left = play.remaining(fleet)
        assert sum(e.quantity for e in left.elements) == sum(e.quantity for e in fleet.elements) - dead
