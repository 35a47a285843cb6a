"""VSGMR at the table: who is out, panels and briefings, worked by hand from sections II to XI."""

import json

from hypothesis import given

from rosters.core.appraisals import terms_of
from rosters.core.play import Side
from rosters.systems.vsgmr import play, rules, tables
from rosters.systems.vsgmr.rules import POWERS, TRAITS
from tests.strategies import PATIENT
from tests.strategies import documents as any_documents
from tests.support import FIXTURES, appraise, read, roster

HERE = "formations/0/elements/0"
BOSS = {"name": "Boss", "kind": "hero", "commander": True}
OUT = [{"out": True}]


def figure(kind="troop", *traits, **more):
    return {"kind": kind, "traits": [*traits], **more}


def alerts(*warbands, **root):
    document = read(roster("vsgmr", *warbands, **root))
    return [tuple(alert) for alert in play.alerts(document, terms_of(document))]


def said(*warbands, **root):
    return [text for _, text in alerts(*warbands, **root)]


def panels(*figures, **root):
    document = read(roster("vsgmr", figures, **root))
    return {panel.title: panel for panel in play.panels(document, terms_of(document))}


def side(*figures, **root):
    data = roster("vsgmr", figures, **root)
    return Side(read(data), appraise(data))


def troops(number, **root):
    """A force of so many points and figures, with a commander."""
    return side(figure(name="Sergeant", commander=True), figure(quantity=number - 1), **root)


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


def army(slug):
    data = json.loads((FIXTURES / "armies" / "vsgmr" / f"{slug}.json").read_text())
    return Side(read(data), appraise(data))


# ---------------------------------------------------------------- tracks


# ---------------------------------------------------------------- alerts


def test_a_plain_loss_is_counted_with_its_points_at_the_roster():
    """Two mooks with distance attacks are 1.5 points each."""
    mooks = figure("mook", distance=True, quantity=3, marks=[{"out": True}, {}, {"out": True}])
    lost = "Test has lost 2 of 4 figures, worth 3 points to whoever defeated them."
    assert alerts([BOSS, mooks]) == [("", lost)]
    mooks["marks"].pop()
    assert said([BOSS, mooks]) == ["Test has lost 1 of 4 figures, worth 1.5 points to whoever defeated them."]


def test_a_lost_commander_is_announced_though_the_rules_attach_nothing_to_it():
    found = alerts([{**BOSS, "marks": OUT}, figure()])
    assert found[0] == (HERE, "Boss, the commander, is out: the battle goes on, for the rules attach no penalty to it.")
    assert found[1] == ("", "Test has lost 1 of 2 figures, worth 2 points to whoever defeated them.")


def test_a_lost_figure_tells_what_goes_or_comes_with_its_trait():
    for trait, told in [
        ("inspiration", "the reroll"),
        ("revenge", "last attack now"),
        ("support", "+1"),
        ("tough", None),
    ]:
        found = alerts([figure("hero", trait, name="Bard", marks=OUT), BOSS])
        texts = [text for where, text in found if where == HERE]
        assert len(texts) == (1 if told else 0)
        assert all(text.startswith("Bard is out: ") and told in text for text in texts)


def test_only_a_line_of_several_figures_tells_which_one_by_its_number():
    found = alerts([figure("cavalry", name="Horse", quantity=4, marks=[{}, {}, {"out": True}]), BOSS])
    assert found[0][1].startswith("Horse 3 is out: leave whoever it carried on the spot")
    assert alerts([figure("vehicle", name="Tank", marks=OUT), BOSS])[0][1].startswith("Tank is out:")


def test_mounts_stand_idle_once_they_outnumber_the_guys_that_are_left():
    horses = figure("cavalry", quantity=2)
    robot = figure("vehicle", "independent")
    riders = figure(quantity=3, marks=[{"out": True}])
    assert len(said([horses, riders, robot])) == 1
    riders["marks"].append({"out": True})
    assert said([horses, riders, robot])[1] == ("2 mounts and 1 guy are left: a mount with nobody aboard cannot move.")
    too_many = [figure("cavalry", quantity=3, marks=OUT), figure()]
    assert not any("aboard" in text for text in said(too_many))


def test_a_force_that_is_too_small_to_escape_is_told_so():
    """Of five figures three must cross, of four three as well."""
    for figures, out, lost_hope in [(5, 2, False), (5, 3, True), (4, 1, False), (4, 2, True)]:
        force = [figure(quantity=figures, marks=OUT * out)]
        told = [text for text in said(force, scenario="escape") if "can no longer win" in text]
        assert bool(told) is lost_hope
        assert not any("can no longer win" in text for text in said(force))


def test_the_last_figure_ends_the_game_as_its_scenario_says():
    rows = [
        (None, None, "Test is wiped out: the game ends now."),
        ("basic", None, "Test is wiped out: the game ends now."),
        ("escape", None, "Test is wiped out: the game ends now."),
        ("ambush", "target", "Test is wiped out: the game ends as soon as nobody else fights on its side."),
        ("ambush", None, "Test is wiped out: the game ends as soon as nobody else fights on its side."),
        (
            "fortress-assault",
            "assaulter",
            "Test is wiped out: if no other assaulter is left, the surviving defenders win.",
        ),
        ("fortress-assault", "defender", "Test is wiped out: the assault goes on until the building falls."),
    ]
    for scenario, role, told in rows:
        force = [figure(marks=OUT)], [figure(quantity=2, marks=OUT)]
        assert "wiped out" not in " ".join(said(*force, scenario=scenario, side=role))
        force[1][0]["marks"] = OUT * 2
        assert alerts(*force, scenario=scenario, side=role)[-1] == ("", told)


# ---------------------------------------------------------------- panels


def test_an_empty_document_has_the_rolls_of_a_troop():
    assert [row[1] for row in panels()["Rolls"].rows] == ["5+", "6+", "4+", "4+"]


def test_the_rolls_have_a_column_for_each_kind_in_use_with_its_bonus_taken_off():
    """A hero adds 1 to attacks and skills, a vehicle to attacks and armor, and a mook loses 1 on everything."""
    found = panels(figure("vehicle"), figure("hero", armor="heavy"), figure("mook"))["Rolls"]
    assert found.heads == ("Roll", "Result", "Mook", "Hero", "Vehicle")
    assert found.rows == (
        ("Distance attack", "5+", "6+", "4+", "4+"),
        ("… on a target in cover", "6+", "7+", "5+", "5+"),
        ("Hand to hand attack", "4+", "5+", "3+", "3+"),
        ("Light armor saves", "6+", "7+", "6+", "5+"),
        ("Heavy armor saves", "4+", "5+", "4+", "3+"),
        ("Skill", "4+", "5+", "3+", "–"),
    )


def test_a_round_tells_how_the_basic_game_ends_only_where_no_scenario_says_otherwise():
    assert [head for head, _ in panels()["A round"].rows][-2:] == ["End", "Victory"]
    assert len(panels(scenario="ambush")["A round"].rows) == 5


def test_automatic_fire_is_explained_where_somebody_can_use_it():
    assert "Automatic fire" in panels(figure(distance=True, automatic_fire=True))["Rolls"].text
    assert "Automatic fire" not in panels(figure(automatic_fire=True), figure(distance=True))["Rolls"].text


def test_moves_are_listed_for_the_kinds_in_use_with_super_move_worked_out():
    """Half a move unit more for minor, one for major, one and a half for superior."""
    horses = figure("cavalry", large=True, powers={"super-move": "superior"})
    found = panels(horses, figure("hero", powers={"super-move": "minor"}), figure("wizard"))["Figures, in inches"]
    assert found.rows == (
        ("Hero", "6", "3", "–", "+1 to attacks and skills"),
        ("… Super-Move, minor", "9", "3", "–", "+1 to initiative"),
        ("Cavalry", "9", "4.5", "its rider", "–"),
        ("Large cavalry", "9", "4.5", "its rider and one guy more", "–"),
        ("… Super-Move, superior", "22.5", "4.5", "–", "+3 to initiative"),
    )
    assert "Figures, in inches" not in panels(figure("wizard"))


def test_knockback_is_half_a_move_unit_of_the_target_for_each_point_above_seven():
    rows = [(8, ("3", "4.5", "6")), (9, ("6", "9", "12")), (10, ("9", "13.5", "18")), (12, ("15", "22.5", "30"))]
    for die, inches in rows:
        assert play.knockback(die) == inches


def test_knockback_goes_up_to_the_largest_die_of_the_force():
    rows = [
        ({"super-blast": "minor"}, ["8"]),
        ({"super-fight": "major", "super-blast": "minor"}, ["8", "9", "10"]),
        ({"super-fight": "superior"}, ["8", "9", "10", "11", "12"]),
    ]
    for powers, dice in rows:
        assert [row[0] for row in panels(figure("hero", powers=powers))["Knockback"].rows] == dice


def test_there_is_no_knockback_without_the_powers_that_cause_it():
    assert "Knockback" not in panels(figure("hero", powers={"super-armor": "superior", "super-blast": "cosmic"}))


def test_traits_and_powers_in_use_stand_there_in_the_order_of_the_rulebook_with_their_own_text():
    found = panels(figure("hero", "tough", "weapon-master", "juggling", powers={"super-skill": "minor"}), BOSS)
    assert [row[0] for row in found["Traits"].rows] == ["Combat Master", "Tough"]
    assert found["Traits"].rows[1][1] == TRAITS["tough"].text
    text = POWERS["super-skill", "minor"].text
    assert found["Super powers"].rows == (("Super-Skill, minor", text),)


def test_support_tells_the_rolls_that_were_chosen():
    cleric, chief = figure("hero", "support", support="hand-to-hand"), figure("hero", "support", support="armor")
    text = panels(cleric, chief, figure(support="skill"))["Traits"].rows[0][1]
    assert text.endswith(" Chosen here: armor and hand to hand.")
    assert panels(figure("hero", "support"))["Traits"].rows[0][1] == TRAITS["support"].text


def test_every_scenario_and_every_side_has_a_set_up_and_a_way_to_win():
    assert [*tables.SCENARIO_SETUP] == [*rules.SCENARIOS]
    for slug, setup in tables.SCENARIO_SETUP.items():
        sides = {*rules.SCENARIOS[slug].sides}
        assert {*setup.deploy} == (sides or {""})
        assert {*setup.wins} in ({""}, sides)
        assert "" in setup.wiped_out


def test_the_scales_are_those_of_section_nine():
    assert [(each.figures, each.move, each.short, each.long) for each in tables.SCALES] == [
        ("4.7 mm", 12, 20, 50),
        ("15 mm", 12, 20, 50),
        ("25 to 32 mm", 6, 10, 25),
        ("54 mm", 3, 8, 15),
        ("90 mm", 2, 5, 10),
        ("180 mm", 2, 3, 8),
        ("300 mm", 1, 2, 5),
    ]


# ---------------------------------------------------------------- briefing


def test_two_forces_in_the_basic_game_are_worth_their_points_to_each_other():
    """The Dwarves are 28 points in 5 figures, the Undead 25 in 11: 3 apart."""
    found = briefing(army("dwarves"), army("undead"))
    assert [row[2:] for row in found["Forces"].rows] == [("28", "5", "25 to 40"), ("25", "11", "25 to 40")]
    assert "are even: 3 points apart (25 to 28), and 5 are allowed." in found["Forces"].text
    goals = [goal for _, goal in found["Victory"].rows]
    assert goals[0].endswith("25 points in 11 figures.")
    assert goals[1].endswith("28 points in 5 figures.")
    assert "Playing alone" not in found


def test_forces_are_even_up_to_five_points_apart():
    rows = [
        (0, "are even: 0 points apart (25 to 25)"),
        (1, "are even: 1 point apart (25 to 26)"),
        (5, "are even: 5 points apart (25 to 30)"),
        (6, "are not even: 6 points apart (25 to 31)"),
    ]
    for more, text in rows:
        assert text in briefing(troops(25, name="A"), troops(25 + more, name="B"))["Forces"].text


def test_half_a_point_over_five_is_not_even():
    mooks = side(figure(commander=True), figure("mook", quantity=9), name="B")
    text = briefing(troops(11, name="A"), mooks)["Forces"].text
    assert text == "A and B are not even: 5.5 points apart (5.5 to 11), where 5 are allowed."


def test_each_force_is_compared_with_the_suggestion_for_its_side():
    rows = [
        ("basic", None, 24, "25 to 40: 1 short"),
        ("basic", None, 40, "25 to 40"),
        ("basic", None, 42, "25 to 40: 2 over"),
        ("ambush", "ambusher", 25, "at most 25"),
        ("ambush", "ambusher", 26, "at most 25: 1 over"),
        ("ambush", "target", 40, "at most 40"),
    ]
    for scenario, role, points, cell in rows:
        assert briefing(troops(points, scenario=scenario, side=role))["Forces"].rows[0][4] == cell


def test_more_than_half_of_the_figures_must_escape():
    for figures, needed in [(1, 1), (2, 2), (4, 3), (5, 3), (11, 6)]:
        found = briefing(troops(figures, scenario="escape"))["Victory"].rows[0][1]
        assert found.endswith(f"That is {needed} of {figures} figure{'' if figures == 1 else 's'}.")


def test_a_building_stands_one_hit_for_each_assaulter():
    for assaulters, hits in [(1, 2), (2, 3), (3, 4)]:
        force = [troops(9, name=f"A{n}", scenario="fortress-assault", side="assaulter") for n in range(assaulters)]
        found = briefing(*force, troops(40, name="D", scenario="fortress-assault", side="defender"))["Victory"].rows
        assert found[0][1].endswith(f"It falls to hit number {hits}.")
        prey = " and ".join(f"A{n}, 9 figures" for n in range(assaulters)).replace(" and ", ", ", assaulters - 2)
        assert found[-1][1] == f"Defeat every assaulter figure. To defeat: {prey}."


def test_ambushers_and_targets_have_points_of_their_own_and_each_other_to_defeat():
    ambushers = troops(25, name="A", scenario="ambush", side="ambusher")
    found = briefing(ambushers, troops(40, name="T", scenario="ambush", side="target"))
    assert "different points on purpose" in found["Forces"].text
    assert "even" not in found["Forces"].text.replace("on purpose", "")
    assert found["Victory"].rows == (
        ("A", "Defeat every target figure. To defeat: T, 40 figures."),
        ("T", "Defeat every ambusher figure. To defeat: A, 25 figures."),
    )


def test_forces_on_the_same_side_are_compared_with_each_other():
    force = [troops(n, name=name, scenario="ambush", side="target") for n, name in ((30, "A"), (40, "B"))]
    found = briefing(*force)
    assert "A and B are not even: 10 points apart" in found["Forces"].text
    assert "Nobody plays Ambusher yet." in found["Scenario: Ambush"].text


def test_sides_that_the_rosters_leave_open_are_assumed_and_said():
    rows = [
        (("ambusher", "target"), ["ambusher", "target"], ""),
        ((None, None), ["ambusher", "target"], "Sides assumed: A as Ambusher and B as Target."),
        ((None, "ambusher"), ["target", "ambusher"], "Sides assumed: A as Target."),
        (("target", None), ["target", "ambusher"], "Sides assumed: B as Ambusher."),
        (("target", "target"), ["target", "target"], "Nobody plays Ambusher yet."),
    ]
    for named, roles, told in rows:
        sides = [troops(9, name=name, scenario="ambush", side=role) for name, role in zip("AB", named, strict=True)]
        assert play.roles_of(sides, "ambush") == roles
        assert briefing(*sides)["Scenario: Ambush"].text.endswith(told or "in the open.")


def test_the_scenario_comes_from_the_rosters_and_what_is_assumed_is_said():
    rows = [
        (("escape", "escape"), "Escape", "figures across."),
        ((None, None), "Basic game", "No roster names a scenario, so the basic game is assumed."),
        (("escape", "transport"), "Escape", "different scenarios; that of A is assumed."),
        ((None, "escape"), "Escape", "rosters without a scenario: A."),
    ]
    for scenarios, title, told in rows:
        found = briefing(*(troops(9, name=name, scenario=slug) for name, slug in zip("AB", scenarios, strict=True)))
        assert found[f"Scenario: {title}"].text.endswith(told)


def test_a_spawner_waits_with_all_figures_but_one():
    forces = [
        troops(9, name=name, scenario="spawning", side=role) for name, role in (("I", "infiltrator"), ("S", "spawner"))
    ]
    found = dict(briefing(*forces)["Set-up"].rows)
    assert found["S: waiting"] == "8 figures to bring on by the die."
    assert "I: waiting" not in found


def test_commanders_are_named_before_the_battle():
    found = dict(briefing(army("dwarves"), side(figure(), name="Mob"))["Set-up"].rows)
    assert "Show the others Thane." in found.values()
    assert found["Mob: commander"] == "None is named; name a guy who is no mook."


def test_one_force_alone_hears_what_an_even_enemy_costs_and_how_to_play_alone():
    found = briefing(troops(28))
    assert found["Forces"].text == "An even enemy has 23 to 33 points."
    assert found["Playing alone"] == play.solo_panel()
    assert briefing(troops(28, scenario="ambush"))["Forces"].text == ""


def test_hidden_points_are_not_guessed():
    one, two = troops(9, name="A"), troops(9, name="B")
    hidden = Side(two.document, two.appraisal._replace(points=None, exact=None))
    found = briefing(one, hidden)
    assert found["Forces"].rows[1][2] == "hidden"
    assert "not all points of A and B are shown" in found["Forces"].text
    assert found["Victory"].rows[0][1].endswith("To defeat: B, 9 figures.")


# ---------------------------------------------------------------- any document


@PATIENT
@given(any_documents("vsgmr"))
def test_panels_name_no_trait_that_nobody_has(data):
    document = read(data)
    used = {code for figure in play.figures_of(document) for code in play.trait_codes(figure)}
    found = {panel.title: panel for panel in play.panels(document, terms_of(document))}
    names = {row[0] for row in found["Traits"].rows} if "Traits" in found else set()
    assert names == {trait.name for code, trait in TRAITS.items() if code in used}
