"""Mini Combat at the table: what marks bring about, what the panel prints, and the numbers of a battle."""

from rosters.core.appraisals import appraise, terms_of
from rosters.core.play import Side, marked_boxes, toggle_box
from rosters.registry import SYSTEMS, read
from rosters.systems.mini_combat import play, tables
from rosters.systems.mini_combat.rules import CAPABILITIES
from tests.support import roster

SYSTEM = "mini-combat"
LINE = {"movement": 10, "range": 20, "save": 6, "power": 3, "armor": 2, "to_hit": 4, "morale": 4}
"""22 points: (2 + 4 + 1 + 3 + 2) x 3 x 3 / 5 = 21.6"""
HUNDRED = {"power": 100, "to_hit": 2, "morale": 6}
"""100 points: 100 x 1 x 5 / 5"""


def lost(models, quantity, **more):
    """A line of ``quantity`` models, the first ``models`` of them out."""
    return {**LINE, "quantity": quantity, "marks": [{"out": True}] * models, **more}


def having(*written, **more):
    """An element with capabilities, by code or as objects."""
    caps = [{"code": item} if isinstance(item, str) else item for item in written]
    return {**LINE, "capabilities": caps, **more}


def played(*units, **root):
    document = read(roster(SYSTEM, *units, **root))
    return document, terms_of(document)


def alerts(*units, **root):
    return [(alert.where, alert.text) for alert in play.alerts(*played(*units, **root))]


def panels(*units, **root):
    """The panels of a roster by title."""
    return {panel.title: panel for panel in play.panels(*played(*units, **root))}


def side(*units, **root):
    document = read(roster(SYSTEM, *units, **root))
    return Side(document, appraise(document, SYSTEMS[SYSTEM].rules))


def worth(hundreds, **root):
    """A force of one unit of ``hundreds`` elements of 100 points."""
    return side([{**HUNDRED, "quantity": hundreds}], **root)


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


# ---------------------------------------------------------------- tracks


def test_an_element_has_one_box_that_a_tap_marks_and_opens():
    document, terms = played([{"quantity": 5}])
    element = document.formations[0].elements[0]
    (track,) = play.tracks(element, terms)
    assert (track.key, track.kind, len(track.boxes)) == ("out", "flag", 1)
    element = toggle_box(element, 3, track, 0)
    assert [mark.out for mark in element.marks] == [False, False, False, True]
    assert marked_boxes(track, element.marks[3]) == (True,)
    assert toggle_box(element, 3, track, 0).marks == ()


# ---------------------------------------------------------------- alerts


def test_a_unit_tests_morale_from_half_of_its_elements_rounded_up():
    for models, below, at in [(2, 0, 1), (3, 1, 2), (4, 1, 2), (5, 2, 3), (6, 2, 3), (9, 4, 5)]:
        assert alerts([lost(below, models)]) == []
        for out in (at, models - 1):
            ((where, text),) = alerts([lost(out, models)])
            assert where == "formations/0"
            assert text == (
                f"Formation 1: {out} of {models} elements lost, which gives half of its points; "
                "roll a D6 in the morale phase; 4 or more holds, less removes the unit."
            )


def test_losses_are_counted_over_all_lines_of_a_unit_and_not_over_units():
    assert alerts([lost(1, 3), lost(1, 2)], [lost(1, 3)]) == []
    assert [where for where, _ in alerts([lost(1, 3), lost(2, 2)], [lost(1, 3)])] == ["formations/0"]


def test_a_unit_without_a_model_left_is_destroyed_and_tests_no_more():
    text = "Formation 1: destroyed, so the enemy scores all of its points."
    assert alerts([lost(2, 2)], [LINE]) == [("formations/0", text)]
    assert alerts([lost(1, 1)], [LINE]) == [("formations/0", text)]


def test_the_best_morale_is_that_of_an_element_that_is_left():
    officer = {**LINE, "command": True, "morale": 2}
    assert "; 2 or more holds" in alerts([lost(3, 4), officer])[0][1]
    assert "; 4 or more holds" in alerts([lost(2, 4), {**officer, "marks": [{"out": True}]}])[0][1]


def test_morale_that_cannot_fail_or_cannot_hold_needs_no_roll():
    rows = [
        (None, "it is fearless and needs no morale test"),
        (1, "it is fearless and needs no morale test"),
        (-5, "it is fearless and needs no morale test"),
        (2, "2 or more holds"),
        (6, "6 or more holds"),
        (7, "no D6 reaches its morale, so remove it in the morale phase"),
        (10**6, "no D6 reaches its morale, so remove it in the morale phase"),
    ]
    for morale, words in rows:
        assert words in alerts([lost(1, 2, morale=morale)])[0][1]


def test_a_lost_transport_lets_its_passengers_roll_before_the_unit_is_spoken_of():
    truck = having({"code": "T", "count": 2}, name="Truck", quantity=5)
    found = alerts([{**truck, "marks": [{}, {"out": True}, {}, {"out": True}]}])
    assert found == [
        (
            "formations/0/elements/0",
            "Truck 2 and 4: lost, so roll a D6 for each of up to 2 elements aboard, which survives on 4 or more.",
        )
    ]
    single = alerts([having("T", name="Truck", marks=[{"out": True}]), LINE, LINE])
    assert [text for _, text in single] == [
        "Truck: lost, so roll a D6 for each element aboard, which survives on 4 or more."
    ]


def test_what_can_be_recovered_is_announced_while_somebody_stands_who_can():
    surgeon, gone = having("Heal", name="Surgeon"), [{"out": True}]
    foot = lost(1, 3, kind="infantry")
    text = "Surgeon may bring back a lost infantry element or creature within 10 cm in the recover phase."
    assert alerts([foot], [surgeon]) == [("", text)]
    assert alerts([lost(1, 3, kind="vehicle")], [surgeon]) == []
    assert alerts([lost(0, 3, kind="infantry")], [surgeon]) == []
    assert ("", text) not in alerts([foot], [{**surgeon, "marks": gone}])
    mechanic = having("Rep", name="Mechanic")
    assert (
        "Mechanic may bring back a lost vehicle or structure" in alerts([lost(1, 3, kind="vehicle")], [mechanic])[0][1]
    )


def test_the_end_of_the_last_unit_is_the_end_of_the_force_and_comes_last():
    assert "" not in [where for where, _ in alerts([lost(2, 2)], [lost(1, 3)])]
    found = alerts([lost(2, 2)], [lost(1, 1)], [])
    assert [where for where, _ in found] == ["formations/0", "formations/1", ""]
    assert found[-1][1] == "Every unit is destroyed: this force is wiped out."


# ---------------------------------------------------------------- panels

COMMON = ["Turn", "An attack", "Modifiers", "Morale", "Terrain"]


def test_an_empty_roster_has_the_common_panels_alone_in_the_order_of_play():
    found = panels()
    assert [*found] == COMMON
    assert [row[0][0] for row in found["Turn"].rows] == [*"1234567"]
    assert found["Modifiers"].rows == (
        ("The attacker has not moved", "+1 to hit"),
        ("Attack from the rear 180 degrees", "+1 to hit, armor -1"),
    )
    assert found["Morale"].rows == ()


def test_a_modifier_is_printed_for_whoever_has_its_capability():
    rows = [
        (having("Ch"), "+1 to hit"),
        (having("MA"), "power doubled"),
        (having("SS"), "power doubled"),
        (having("IF"), "-1 to hit, and no effect of the rear"),
        (having("Rec"), "no -1 to hit"),
        (having("Bmb"), "armor -2"),
        (having("FA"), "armor as from the front"),
        (having("Fly"), "measure 5 cm more"),
        (having("Sub"), "+1 cover"),
        (having("IC"), "no save from cover; the target's own remains"),
        (having("MW"), "a roll to hit for each"),
        (having("Org"), "has no rear"),
        ({"kind": "infantry"}, "armor as from the front"),
    ]
    for element, effect in rows:
        bare, with_it = panels([{}])["Modifiers"].rows, panels([element])["Modifiers"].rows
        assert [row[1] for row in with_it if row not in bare] == [effect]


def test_a_jumper_lands_and_is_measured_as_it_stands():
    jumper = having({"code": "Fly", "form": "jump"})
    assert panels([jumper])["Modifiers"].rows == panels([LINE])["Modifiers"].rows


def test_a_distance_is_printed_for_the_capabilities_that_have_one():
    rows = [
        ("St", "25 cm, or once it fires; never farther"),
        ({"code": "Den", "denies": "Tel"}, "25 cm"),
        ({"code": "Den", "denies": "St"}, "____ cm: agree how far beyond 25 cm (50 cm proposed)"),
        ("Heal", "10 cm"),
        ("Rep", "10 cm"),
        ("Cone", "10 cm long, 3 cm wide"),
        ("Bmb", "10 cm"),
        ({"code": "Drp", "scatters": True}, "D12 as on a clock, 2D6 cm; a double is on target"),
    ]
    for capability, reach in rows:
        assert [row[1] for row in panels([having(capability)])["Distances"].rows] == [reach]


def test_a_capability_without_a_distance_brings_no_panel_of_distances():
    for capability in ["MA", "Drp", {"code": "Den", "denies": "Ch"}]:
        assert "Distances" not in panels([having(capability)])


def test_capabilities_in_use_stand_once_in_the_order_of_the_rulebook_with_our_text():
    found = panels([having("St", "MA"), having("MA")], [having("Ch")])["Capabilities"]
    known = CAPABILITIES
    assert found.rows == tuple((code, known[code].name, known[code].text) for code in ("MA", "Ch", "St"))


def test_variants_of_a_capability_share_its_row():
    four, plain = {"code": "T", "count": 4}, "T"
    heal, shot = {"code": "Heal", "on": 4}, {"code": "OS", "turns": 5}
    rows = panels([having(four), having(plain), having(heal), having(shot), having({"code": "Fly", "form": "jump"})])
    found = {row[0]: row[2] for row in rows["Capabilities"].rows}
    assert [*found] == ["Fly jump", "OS 5 turns", "T4 and T1", "Heal 4+"]
    assert found["T4 and T1"].endswith(" T4 carries 4. T1 carries 1.")
    assert found["Heal 4+"].endswith(" Heal 4+ works on 4 or more of a D6.")
    assert found["OS 5 turns"].endswith(" OS 5 turns is priced for a game of 5 turns.")


def test_a_denial_tells_what_the_enemy_may_not_do():
    charge = CAPABILITIES["Ch"]
    rows = panels([having({"code": "Den", "denies": "Ch"})])["Capabilities"].rows
    assert rows[0][:2] == ("Den", "Deny capability")
    assert rows[1:] == (("Den Ch", "Deny Charge", f"The enemy may not: {charge.text}"),)
    both = panels([having({"code": "Den", "denies": "Ch"}, "Ch")])["Capabilities"].rows
    assert ("Den Ch", "Deny Charge", "See Ch.") in both


def test_what_the_rulebook_does_not_know_is_printed_last_for_the_players_to_agree_on():
    own = {"custom": "Frightful", "percent": 10}
    rows = panels([having("Warp", own, "MA")])["Capabilities"].rows
    assert [row[:2] for row in rows] == [
        ("MA", "Melee advantage"),
        ("Warp", "Not in the rulebook"),
        ("Frightful", "Own rule"),
    ]


def test_free_defaults_are_those_of_the_kinds_in_use():
    assert panels([{"kind": "cavalry"}, {"kind": "infantry"}, {"kind": "ship"}])["Free defaults"].rows == (
        ("Infantry", "Same armor from every side."),
        ("Cavalry", "Stays out of buildings. Double move on roads."),
    )
    assert "Free defaults" not in panels([{"kind": "ship"}])


def test_the_terrain_table_gives_the_saves_of_the_rulebook():
    saves = {row[0]: row[1] for row in panels()["Terrain"].rows}
    assert saves == {
        **{"Forest": "5+", "Swamp, rough ground": "none", "Inside a building": "4+", "Urban": "5+", "Water": "none"},
        **{"River": "6+", "Road": "none", "Field, open ground": "none", "Hill": "5+"},
    }


def test_the_morale_panel_tells_when_each_unit_tests_and_on_what():
    rows = panels(
        [{**LINE, "quantity": 5}, {**LINE, "morale": 2}],
        [],
        [{**LINE, "morale": None}, {**LINE, "morale": 2, "quantity": 0}],
        [{**LINE, "morale": 7, "quantity": 3}],
    )["Morale"].rows
    assert rows == (
        ("Formation 1", "6", "3", "2+"),
        ("Formation 3", "1", "1", "always"),
        ("Formation 4", "3", "2", "never"),
    )


def test_the_battle_of_the_roster_closes_the_panel():
    rows = [
        ({"scenario": "standard"}, "Standard battle", ""),
        ({"scenario": "standard", "budget": 750}, "Standard battle", "With 750 points a side, 375 points scored win."),
        ({"scenario": "standard", "budget": 0}, "Standard battle", ""),
        (
            {"scenario": "defensive", "side": "defender", "budget": 600},
            "Defensive battle",
            "With 1200 points of attackers, the defender must destroy 800.",
        ),
        (
            {"scenario": "defensive", "side": "attacker", "budget": 1000},
            "Defensive battle",
            "With 1000 points of attackers, the defender must destroy 666.67.",
        ),
    ]
    for root, title, text in rows:
        found = panels(**root)
        assert [*found][-1] == title
        assert found[title].text == text


# ---------------------------------------------------------------- briefings

STANDARD = {"scenario": "standard", "budget": 1000}
ATTACK = {"scenario": "defensive", "side": "attacker", "budget": 1200}
DEFENCE = {"scenario": "defensive", "side": "defender", "budget": 600}


def test_a_standard_battle_is_won_at_half_the_limit():
    found = briefing(worth(9, name="Red", **STANDARD), worth(10, name="Blue", **STANDARD))
    assert [*found] == ["Standard battle", "Forces", "Victory", "Values: Red", "Values: Blue"]
    assert found["Standard battle"].text == ""
    assert found["Forces"].rows == (("Red", "-", "900", "1000", "100"), ("Blue", "-", "1000", "1000", "0"))
    assert found["Forces"].text == "All are within their limits: the forces match. They differ by 100 points."
    wins = "wins with 500 points scored, half of 1000."
    assert found["Victory"].rows == (("Red", wins), ("Blue", wins))
    assert found["Victory"].text == ""


def test_other_limits_scale_the_points_that_win():
    for budget, goal in [(750, "375"), (1001, "500.5"), (2000, "1000"), (0.1, "0.05")]:
        forces = [worth(1, scenario="standard", budget=budget)] * 2
        assert briefing(*forces)["Victory"].rows[0][1] == f"wins with {goal} points scored, half of {budget}."


def test_a_force_above_its_limit_does_not_match():
    found = briefing(worth(11, name="Red", **STANDARD), worth(10, name="Blue", **STANDARD))["Forces"]
    assert found.text == (
        "Red is 100 points above its limit: trim it, or agree on a larger battle. They differ by 100 points."
    )
    assert found.rows[0] == ("Red", "-", "1100", "1000", "-100")


def test_what_the_enemy_is_not_worth_cannot_be_scored():
    forces = worth(4, name="Red", **STANDARD), worth(5, name="Blue", **STANDARD)
    assert briefing(*forces)["Victory"].text == (
        "Blue cannot score 500 points, as the enemy is worth 400: lower the limit."
    )


def test_a_defensive_battle_gives_half_the_limit_to_the_defender_who_destroys_two_thirds():
    found = briefing(worth(6, name="Wall", **DEFENCE), worth(12, name="Horde", **ATTACK))
    assert found["Defensive battle"].text == ""
    assert found["Forces"].rows == (("Horde", "Attacker", "1200", "1200", "0"), ("Wall", "Defender", "600", "600", "0"))
    assert found["Forces"].text == "All are within their limits: the forces match."
    assert found["Victory"].rows == (
        ("Horde", "wins by holding six of the eight markers."),
        ("Wall", "wins by destroying 800 points of the attacker, two thirds of 1200; also if both sides succeed."),
    )
    setup = dict(found["Defensive battle"].rows)
    assert "eight within 40 cm" in setup["Markers"]
    assert "at least 30 cm" in setup["Markers"]
    assert "20 cm of the opposite edge" in setup["Attacker deploys"]
    assert "10 cm" in setup["Holding a marker"]


def test_a_defensive_battle_scales_with_the_attackers_limit():
    for budget, half, destroy in [(900, "450", "600"), (1000, "500", "666.67"), (75, "37.5", "50")]:
        defender = worth(0, name="Wall", scenario="defensive", side="defender")
        found = briefing(worth(9, **{**ATTACK, "budget": budget}), defender)
        assert found["Forces"].rows[1] == ("Wall", "Defender", "0", half, half)
        assert f"destroying {destroy} points" in found["Victory"].rows[1][1]


def test_the_defenders_limit_alone_doubles_and_a_limit_of_their_own_gives_way():
    attacker = worth(10, scenario="defensive", side="attacker")
    found = briefing(attacker, worth(5, **{**DEFENCE, "budget": 500}))
    assert found["Forces"].rows[0][3] == "1000"
    assert "twice the defender's: 1000." in found["Defensive battle"].text
    found = briefing(worth(10, **ATTACK), worth(5, **{**DEFENCE, "budget": 700}))
    assert [row[3] for row in found["Forces"].rows] == ["1200", "600"]
    assert "half of the attacker's, 600 points, not 700." in found["Defensive battle"].text


def test_without_a_limit_the_larger_force_sets_it_and_the_briefing_says_so():
    found = briefing(worth(4), worth(6))
    assert [row[3] for row in found["Forces"].rows] == ["600", "600"]
    assert found["Standard battle"].text == (
        "Not every force names its battle; a standard battle is assumed. No force has a limit; 600 points are assumed."
    )
    assert briefing(side(), side())["Forces"].rows[0][3] == "1000"
    differ = briefing(worth(4, scenario="standard", budget=500), worth(6, **STANDARD))
    assert differ["Standard battle"].text == "Their limits differ; 1000 points are assumed."


def test_forces_that_name_different_battles_play_the_first_one():
    found = briefing(worth(12, name="Horde", **ATTACK), worth(6, name="Wall", **STANDARD))
    text = found["Defensive battle"].text
    assert "The forces name different battles; the first one, Defensive battle, is assumed." in text
    assert "it is assumed that Horde attacks." in text


def test_unsettled_sides_are_told_apart_by_who_is_named_or_else_by_who_is_worth_more():
    rows = [
        ((None, None), "Large"),
        (("attacker", "attacker"), "Large"),
        (("defender", "defender"), "Large"),
        (("attacker", None), "Small"),
        ((None, "defender"), "Small"),
        (("defender", None), "Large"),
        (("attacker", "defender"), "Small"),
    ]
    for roles, attacker in rows:
        settings = [{"scenario": "defensive", "side": role} for role in roles]
        found = briefing(worth(3, name="Small", **settings[0]), worth(9, name="Large", **settings[1]))
        assert found["Forces"].rows[0][:2] == (attacker, "Attacker")
        assumed = f"The sides are not settled; it is assumed that {attacker} attacks." in found["Defensive battle"].text
        assert assumed == (set(roles) != {"attacker", "defender"})


def test_allies_share_the_limit_of_their_side():
    forces = [worth(3, name=name, **{**ATTACK, "budget": 300}) for name in ("A", "B")]
    found = briefing(*forces, worth(3, name="C", **{**DEFENCE, "budget": 300}))
    assert found["Forces"].rows == (("A and B", "Attacker", "600", "600", "0"), ("C", "Defender", "300", "300", "0"))


def test_each_unit_has_its_value_and_half_of_it():
    force = side([{**LINE, "quantity": 3}, HUNDRED], [{**LINE, "quantity": 3, "power": 1}], name="Red")
    assert briefing(force)["Values: Red"].rows == (
        ("Formation 1", "4", "2", "83", "166"),  # 3 x 22 + 100
        ("Formation 2", "3", "2", "27", "54"),  # 10 x 9 / 5 = 18 each
    )


def test_half_of_an_odd_value_keeps_its_half():
    assert briefing(side([{**LINE, "power": 1}, {**HUNDRED, "power": 7}], name="Red"))["Values: Red"].rows[0][3:] == (
        "12.5",
        "25",
    )


def test_a_shot_that_is_used_halves_what_the_element_counts():
    rocket = {**HUNDRED, "name": "Rocket", "capabilities": [{"code": "OS", "turns": 4}]}  # 100 / 4
    assert briefing(side([rocket], name="Red"))["Values: Red"].text == (
        "Each Rocket that has fired counts 12.5 instead of 25."
    )


def test_losses_marked_so_far_are_counted_for_the_enemy():
    force = side([lost(2, 2)], [lost(2, 4)], [lost(1, 4)], name="Red")
    text = "The losses marked so far give the enemy 88 points."  # 44 + half of 88
    assert briefing(force)["Values: Red"].text == text


def test_forces_priced_under_different_house_rules_do_not_compare():
    text = briefing(worth(5, **STANDARD), worth(5, options={"star": "all"}, **STANDARD))["Forces"].text
    assert text.startswith("They are priced under different house rules")


def test_elements_that_deploy_apart_are_listed_scouts_first():
    force = side([having("Tel", name="Mage"), having("Drp", name="Paras"), having("Sc", name="Sniper")], name="Red")
    assert [row[:2] for row in briefing(force)["Deployed apart"].rows] == [
        ("Red", "Sniper (Sc)"),
        ("Red", "Paras (Drp)"),
        ("Red", "Mage (Tel)"),
    ]


def test_forces_without_a_name_of_their_own_are_numbered():
    found = briefing(side(name=" "), side(name="Red"), side(name="Red"), side(name="Blue"))
    assert [row[0] for row in found["Forces"].rows] == ["Force 1", "Red 2", "Red 3", "Blue"]


# ---------------------------------------------------------------- whatever a document holds


def test_the_tables_speak_of_capabilities_and_kinds_that_exist():
    words = {*CAPABILITIES, *(form for pair in tables.FORMS.values() for form in pair), "scatters"}
    words |= {*tables.KIND_NOTES, *(f"Den {code}" for code in CAPABILITIES)}
    for row in (*tables.MODIFIERS, *tables.DISTANCES):
        assert {*row.needs} <= words
