"""VSGMR in play: alerts, panels, briefings and matches, worked by hand from sections II to XI."""

from functools import partial

from rosters.systems.vsgmr import play, rules, tables
from rosters.systems.vsgmr.rules import POWERS, TRAITS, WORDS
from tests import support
from tests.notation import figure, rows
from tests.support import FIRST, briefing

alerts, panels, side = (partial(each, "vsgmr") for each in (support.alerts, support.panels, support.side))
BOSS = figure("hero commander", name="Boss")
OUT = {"out": True}


def force(*texts, **root):
    return side([*map(figure, texts)], **root)


def out(text, number, **more):
    """A figure with the first of its models defeated."""
    return figure(text, marks=[OUT] * number, **more)


def losses(figures, **root):
    """The values of the alerts at the roster."""
    return [alert.text.values for alert in alerts(figures, **root) if alert.where == ""]


def troops(points, **root):
    """A roster of troops, one of them the commander, as many as points."""
    return side([figure("troop commander", name="Sergeant"), figure("troop", quantity=points - 1)], **root)


def values(message):
    """All values of a message and of the messages in it."""
    own = getattr(message, "values", {})
    return own | {name: value for part in own.values() for name, value in values(part).items()}


def sample(slug):
    return support.side_of(support.sample_data("vsgmr", slug))


CONSEQUENCES = rows("""  # a figure, and how many consequences its defeat has
    hero commander = 1 | wizard commander = 0 | cavalry = 1 | hero inspiration = 1 | hero revenge = 1
    hero support = 1 | vehicle revenge = 2 | hero tough = 0
""")


def test_losses_are_counted_with_their_points_and_have_the_consequences_of_kinds_and_traits():
    """Mooks with distance attacks are 1.5 points each, the commander 2."""
    for marks, lost, points in (([OUT, {}, OUT], 2, 3), ([OUT], 1, 1.5)):
        [found] = losses([BOSS, figure("mook distance x3", marks=marks)])
        assert (found["lost"], values(found["points"])["n"], values(found["figures"])["n"]) == (lost, str(points), 4)
    assert [each.kind for each in alerts([{**BOSS, "marks": [OUT]}, figure("troop")])] == ["", "tally"]
    [found] = losses([{**BOSS, "marks": [OUT]}, figure("troop")])
    assert (found["lost"], found["points"]) == (1, WORDS.count_points(2))
    for text, expected in CONSEQUENCES:
        for quantity, marks, name in ((1, [OUT], "Bard"), (4, [{}, {}, OUT], "Bard 3")):
            found = alerts([figure(text, name="Bard", quantity=quantity, marks=marks), BOSS])
            here = [alert.text.values["figure"] for alert in found if alert.where == FIRST]
            assert here == [name] * int(expected)
        assert alerts([figure(text), BOSS]) == []


def test_mounts_without_guys_a_roster_too_small_to_escape_and_the_end_of_the_game_are_announced():
    for number, expected in ((1, []), (2, [("2 mounts or vehicles", "1 guy")])):
        found = losses([figure("cavalry x2"), out("troop x3", number), figure("vehicle independent")])
        assert [(each["mounts"], each["guys"]) for each in found if "guys" in each] == expected
    assert len(losses([out("cavalry x3", 1), figure("troop")])) == 1
    # Of five figures three must cross, of four three as well.
    for figures, number, lost in [(5, 2, False), (5, 3, True), (4, 1, False), (4, 2, True)]:
        few = out("troop", number, quantity=figures)
        assert any("needed" in each for each in losses([few], scenario="escape")) is lost
        assert len(losses([few])) == 1
    for scenario, setup in [(None, tables.SCENARIO_SETUP["basic"]), *tables.SCENARIO_SETUP.items()]:
        for role in [None, *(rules.SCENARIOS[scenario].sides if scenario else ())]:
            ends = {side: text.format(roster="Test") for side, text in setup.wiped_out.items()}
            where = {"scenario": scenario, "side": role}
            assert not {alert.text for alert in alerts([out("troop x2", 1)], **where)} & {*ends.values()}
            assert alerts([out("troop x2", 2)], **where)[-1].text == ends.get(role or "", ends[""])


def test_moves_are_listed_for_the_kinds_in_use_and_knockback_is_half_a_move_unit_for_each_point_above_seven():
    """Half a move unit more for minor, one for major, one and a half for superior; then for 54 mm, and by paper."""
    texts = ("cavalry large super-move:superior", "hero super-move:minor", "wizard")
    found = panels([*map(figure, texts)])["Figures, in inches"]
    assert [row[1:3] for row in found.rows] == [("6", "3"), ("9", "3"), ("9", "4.5"), ("9", "4.5"), ("22.5", "4.5")]
    scaled = [[row[1:3] for row in found.by_scale[number].rows] for number in (3, 7)]
    assert scaled == [
        [("3", "1.5"), ("4.5", "1.5"), ("4.5", "2.25"), ("4.5", "2.25"), ("11.25", "2.25")],
        [("8.5", "4"), ("12.5", "4"), ("11", "8.5"), ("11", "8.5"), ("30.5", "8.5")],
    ]
    assert [row[3] for row in found.rows[2:4]] == ["rider", "rider and 1 guy"]
    assert [values(row[4])["n"] for row in found.rows if values(row[4])] == [1, 3]
    assert "Figures, in inches" not in panels([figure("wizard")])
    inches = {8: ("3", "4.5", "6"), 9: ("6", "9", "12"), 10: ("9", "13.5", "18"), 12: ("15", "22.5", "30")}
    assert {die: play.knockback(die) for die in inches} == inches
    assert (play.knockback(9, 2), play.knockback(9, 8)) == (("12", "18", "24"), ("8", "17", "17"))  # 15 mm, paper
    for powers, largest in (
        *(("super-blast:minor", 8), ("super-fight:major super-blast:minor", 10), ("super-fight:superior", 12)),
    ):
        found = panels([figure(f"hero {powers}")])["Knockback"].rows
        assert [row[0] for row in found] == [str(die) for die in range(8, largest + 1)]
    assert "Knockback" not in panels([figure("hero super-armor:superior super-blast:cosmic")])


def test_rolls_traits_and_powers_in_use_are_explained_in_the_order_of_the_rulebook():
    """A hero adds 1 to attacks and skills, a vehicle to attacks and armor, and a mook loses 1 on everything."""
    found = panels([*map(figure, ("vehicle", "hero heavy", "mook"))])["Rolls"]
    assert found.heads[2:] == ("Mook", "Hero", "Vehicle")
    expected = ["5+ 6+ 4+ 4+", "6+ 7+ 5+ 5+", "4+ 5+ 3+ 3+", "6+ 7+ 6+ 5+", "4+ 5+ 4+ 3+", "4+ 5+ 3+ –"]
    assert [" ".join(row[1:]) for row in found.rows] == expected
    assert [row[1:] for row in panels([])["Rolls"].rows] == [("5+",), ("6+",), ("4+",), ("4+",)]
    automatic = panels([figure("troop distance automatic_fire")])["Rolls"].text
    assert automatic != panels([figure("troop automatic_fire"), figure("troop distance")])["Rolls"].text
    found = panels([figure("hero tough weapon-master juggling super-skill:minor"), BOSS])
    assert found["Traits"].rows == tuple((TRAITS[code].name, TRAITS[code].text) for code in ("combat-master", "tough"))
    assert [row[1] for row in found["Super powers"].rows] == [POWERS["super-skill", "minor"].text]
    chosen = ("hero support support=hand-to-hand", "hero support support=armor", "troop support=skill")
    text = panels([*map(figure, chosen)])["Traits"].rows[0][1]
    assert values(text)["rolls"] == "armor rolls and hand to hand attacks"


def test_scenarios_have_a_set_up_and_a_way_to_win_for_every_side_and_scales_are_those_of_section_nine():
    for slug, setup in tables.SCENARIO_SETUP.items():
        sides = {*rules.SCENARIOS[slug].sides}
        assert {*setup.deploy} == (sides or {""})
        assert {*setup.wins} in ({""}, sides)
    titles = [title for title in (*panels(), *panels(scenario="ambush")) if title.startswith("Scenario")]
    assert titles == ["Scenario: Basic game", "Scenario: Ambush"]
    scales = [(12, 20, 50), (12, 20, 50), (6, 10, 25), (3, 8, 15), (2, 5, 10), (2, 3, 8), (1, 2, 5)]
    assert [(each.move, each.short, each.long) for each in tables.SCALES] == scales


def hidden(one):
    return one._replace(appraisal=one.appraisal._replace(points=None, exact=None))


def test_rosters_are_even_up_to_five_points_apart_or_each_within_its_own_suggestion():
    for sides, even, apart in [
        *(((troops(25), troops(25)), True, "0"), ((troops(25), troops(30)), True, "5")),
        *(((troops(25), troops(31)), False, "6"), ((troops(11), force("troop commander", "mook x9")), False, "5.5")),
        ((sample("dwarves"), sample("undead")), True, "3"),
    ]:
        found = play.match(sides)
        assert (found.matched, bool(found.missing)) == (even, not even)
        assert found.sentences[0].values["points"].values["n"] == apart
    for points, matched in (
        *(((25, 40), True), ((20, 35), True), ((19, 40), False), ((26, 40), False), ((25, 41), False)),
    ):
        roles = zip(points, ("ambusher", "target"), strict=True)
        sides = [troops(number, name=role, scenario="ambush", side=role) for number, role in roles]
        assert play.match(sides).matched is matched
        assert len(play.match(sides).missing) == sum(number not in (25, 40) for number in points)
        assert not matched or play.match([sides[0], hidden(sides[1])]).matched is None
    for points, bounds in ((28, ("23", "33")), (3, ("0", "8"))):
        found = play.match([troops(points)]).sentences[0].values
        assert (found["lowest"], found["highest"]) == bounds
    assert play.match([troops(28, scenario="ambush")]).sentences == ()
    assert "Solo play" in briefing(troops(28))
    assert "Solo play" not in briefing(troops(28), troops(28))


SUGGESTED = rows("""  # scenario, side, points, the suggestion, how many points they are off
    basic = = 24 = 25–40 = 1 | basic = = 40 = 25–40 | basic = = 42 = 25–40 = 2 | ambush = ambusher = 25 = at most 25
    ambush = ambusher = 26 = at most 25 = 1 | ambush = target = 40 = at most 40
""")


def test_a_goal_has_the_numbers_of_these_rosters():
    for figures, needed in [(1, 1), (2, 2), (4, 3), (5, 3), (11, 6)]:
        goal = values(briefing(troops(figures, scenario="escape"))["Victory"].rows[0][1])
        assert (goal["needed"], goal["n"]) == (needed, figures)
    for assaulters, hits in [(1, 2), (2, 3), (3, 4)]:
        fortress = {"scenario": "fortress-assault"}
        attack = [troops(9, name=f"A{n}", **fortress, side="assaulter") for n in range(assaulters)]
        goals = briefing(*attack, troops(40, name="D", **fortress, side="defender"))["Victory"].rows
        assert values(goals[0][1])["n"] == hits
        assert [goals[-1][1].count(f"A{n}") for n in range(assaulters)] == [1] * assaulters
    one, other = (values(goal) for _, goal in briefing(sample("dwarves"), sample("undead"))["Victory"].rows)
    assert (one["points"].values["n"], one["figures"].values["n"]) == ("25", 11)
    assert (other["points"].values["n"], other["figures"].values["n"]) == ("28", 5)


ROLES = [  # the sides of two rosters, those that they play, and how many assumptions are stated
    *((("ambusher", "target"), ["ambusher", "target"], 0), ((None, None), ["ambusher", "target"], 1)),
    *((named, ["target", "ambusher"], 1) for named in ((None, "ambusher"), ("target", None))),
    (("target", "target"), ["target", "target"], 1),
]


def test_hidden_points_leave_the_match_open_and_each_roster_is_compared_with_the_suggestion_for_its_side():
    for sides in ([troops(9), hidden(troops(9))], [troops(9)]):
        assert play.match(sides).matched is None
    targets = [troops(n, name=str(n), scenario="ambush", side="target") for n in (38, 40)]
    assert play.match(targets).matched is False
    found = briefing(troops(9, name="A"), hidden(troops(9, name="B")))
    assert found["Rosters"].rows[1][2] == "hidden"
    assert "points" not in values(found["Victory"].rows[0][1])
    for scenario, role, points, suggested, *off in SUGGESTED:
        cell = briefing(troops(int(points), scenario=scenario, side=role or None))["Rosters"].rows[0][4]
        assert (cell.startswith(suggested), values(cell).get("points")) == (True, off[0] if off else None)
    for named, roles, sentences in ROLES:
        sides = [troops(9, name=name, scenario="ambush", side=role) for name, role in zip("AB", named, strict=True)]
        assert play.roles_of(sides, "ambush") == roles
        assert len(briefing(*sides)["Scenario: Ambush"].text.values) == 1 + sentences


def test_a_spawner_waits_with_all_figures_but_one_and_they_enter_on_the_side_that_the_die_names():
    """1 opposite the spawner, 2 on its right, 3 on its own side, 4 on its left (section VIII)."""
    plan = play.plan([troops(9, scenario="spawning", side=role) for role in ("infiltrator", "spawner")])
    assert (plan.last_turn, play.plan([troops(9, scenario="ambush")]).last_turn) == (5, 0)
    middle = {seat: zone.y + zone.height / 2 for zone in plan.zones for seat in zone.seats}
    ahead = 1 if middle[0] > middle[1] else -1  # the way that the spawner faces
    entries = {
        spot.label: (ahead * (spot.x - plan.width / 2), ahead * (spot.y - plan.height / 2)) for spot in plan.spots
    }
    assert [max("1234", key=lambda die: entries[die][axis]) for axis in (0, 1)] == ["2", "1"]
    assert [min("1234", key=lambda die: entries[die][axis]) for axis in (0, 1)] == ["4", "3"]
    rosters = [troops(9, name=role, scenario="spawning", side=role) for role in ("infiltrator", "spawner")]
    waiting = [text for _, text in briefing(*rosters)["Set-up"].rows if "figures" in getattr(text, "values", {})]
    assert [values(text)["n"] for text in waiting] == [8]
    for one, name in ((sample("dwarves"), "Thane"), (force("troop"), None), (side([BOSS, BOSS]), "Boss and Boss")):
        [[_, text]] = play.roster_rows(one, "")
        assert getattr(text, "values", {}).get("commanders") == name
