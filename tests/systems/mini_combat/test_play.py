"""Mini Combat in play: the consequences of damage, the rows of the reference panels, and the numbers of a battle."""

from functools import partial

from rosters.core.appraisals import terms_of
from rosters.systems.mini_combat import play, tables
from rosters.systems.mini_combat.rules import CAPABILITIES
from tests import support
from tests.notation import rows, unit
from tests.support import FIRST, briefing, missing, roster_data

SYSTEM = "mini-combat"
alerts, panels, side = (partial(each, SYSTEM) for each in (support.alerts, support.panels, support.side))
LINE, HUNDRED = unit("line"), unit("hundred")


def lost(models, quantity, text="line", **more):
    """An element with a quantity, the first ``models`` of them destroyed."""
    return unit(text, quantity=quantity, marks=[{"out": True}] * models, **more)


def places(*units):
    return [alert.where for alert in alerts(*units)]


def worth(hundreds, **root):
    """A side of one unit of ``hundreds`` elements of 100 points."""
    return side([{**HUNDRED, "quantity": hundreds}], **root)


attack = partial(worth, scenario="defensive", side="attacker")
defense = partial(worth, scenario="defensive", side="defender")
standard = partial(worth, scenario="standard")


def test_a_unit_tests_the_best_morale_left_at_half_of_all_its_elements_rounded_up():
    document = support.read(roster_data(SYSTEM, [{"quantity": 5}]))
    (track,) = play.tracks(document.formations[0].elements[0], terms_of(document))
    assert (track.key, track.kind, len(track.boxes)) == ("out", "flag", 1)
    for models, test in [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (9, 5)]:
        assert alerts([lost(test - 1, models)]) == []
        for number in (test, models - 1):
            ((where, text, *_),) = alerts([lost(number, models)])
            assert (where, missing((f"{number} of {models}", "4+"), text)) == ("formations/0", [])
        assert "4+" not in alerts([lost(models, models)], [LINE])[0].text
    assert alerts([lost(1, 3), lost(1, 2)], [lost(1, 3)]) == []
    assert places([lost(1, 3), lost(2, 2)], [lost(1, 3)]) == ["formations/0"]
    assert places([lost(2, 2)], [lost(1, 1)], []) == ["formations/0", "formations/1", ""]  # all of the roster, last
    assert "2+" in alerts([lost(3, 4), unit("line command morale=2")])[0].text
    assert "4+" in alerts([lost(2, 4), lost(1, 1, "line command morale=2")])[0].text
    tests = {morale: alerts([lost(1, 2, morale=morale)])[0] for morale in (None, 1, -5, 6, 7, 10**6)}
    texts = {morale: alert.text for morale, alert in tests.items()}
    assert texts[None] == texts[1] == texts[-5] != texts[7] == texts[10**6]
    found = [("+" in texts[morale], tests[morale].kind) for morale in (1, 6, 7)]
    assert found == [(False, ""), (True, "roll"), (False, "")]


def test_lost_transports_and_what_can_be_recovered_while_a_helper_survives_are_announced():
    ((where, text, *_),) = alerts([unit("line T:3 x5", marks=[{}, {"out": True}, {}, {"out": True}])])
    assert (where, missing(("Element 1 2 and 4", "3", "4+"), text)) == (FIRST, [])
    assert places([lost(1, 1, "line T"), LINE]) == [FIRST, "formations/0"]
    assert places([lost(1, 1, "line T:0"), LINE, LINE]) == []
    surgeon, mechanic = unit("line Heal", name="Surgeon"), unit("line Rep", name="Mechanic")
    foot, car = lost(1, 3, kind="infantry"), lost(1, 3, kind="vehicle")
    for injured, helper, announced in [
        *((foot, surgeon, True), (car, surgeon, False), (car, mechanic, True), (foot, mechanic, False)),
        *((lost(0, 3, kind="infantry"), surgeon, False), (foot, {**surgeon, "marks": [{"out": True}]}, False)),
    ]:
        helped = [text for where, text, *_ in alerts([injured], [helper]) if where == "" and helper["name"] in text]
        assert bool(helped) is announced


NEEDS = rows("""  # an element, and how many rows of modifiers and of distances it adds
    line Ch = 1 0 | line Fly = 1 1 | line Fly:jump = 0 0 | kind=infantry = 1 0 | line Bmb = 1 1 | line St = 0 1
    line Drp = 0 0 | line Den:Tel = 0 1 | line Den:St = 0 1 | line Den:Ch = 0 0 | line Drp:scatters = 0 1
    line Ch x0 = 0 0
""")


def test_panels_have_modifiers_distances_kinds_morale_and_abilities_of_the_elements_that_need_them():
    common = len(panels()["Modifiers"].rows)
    for text, expected in NEEDS:
        found = panels([unit(text)])
        distances = len(found["Distances"].rows if "Distances" in found else ())
        assert f"{len(found['Modifiers'].rows) - common} {distances}" == expected, text
    assert [row[1] for row in panels()["Terrain"].rows] == ["5+", "–", "4+", "5+", "–", "6+", "–", "–", "5+"]
    found = panels([{"kind": "cavalry"}, {"kind": "infantry"}, {"kind": "ship"}])["Kinds in use"].rows
    assert found == tuple((tables.KINDS[kind], tables.KIND_NOTES[kind]) for kind in ("infantry", "cavalry"))
    none = [unit("line morale=None"), unit("line morale=2 x0")]
    units = [unit("line x5"), unit("line morale=2")], [], none, [unit("line x3 morale=7")]
    shown = ["Formation 1 6 3 2+", "Formation 3 1 1 always", "Formation 4 3 2 never"]
    assert [" ".join(row) for row in panels(*units)["Morale by unit"].rows] == shown

    def names(*texts):
        found = panels(*([unit(text) for text in each.split(", ")] for each in texts))["Abilities"].rows
        return [row[0] for row in found], [row[2] for row in found]

    shown, texts = names("line St MA Warp own:10, line MA", "line Ch")
    assert shown == ["MA", "Ch", "St", "Warp", "Own"]
    assert texts[:3] == [CAPABILITIES[code].text for code in ("MA", "Ch", "St")]
    shown, texts = names("line T:4, line T, line Heal:4, line OS:5, line Fly:jump")
    assert shown == ["Fly jump", "OS 5 turns", "T4 and T1", "Heal 4+"]
    assert texts[2].count("T4") == texts[2].count("T1") == 1
    shown, texts = names("line Den:Ch")  # a denial has the rule that the enemy loses
    assert (shown, CAPABILITIES["Ch"].text in texts[1]) == (["Den", "Den Ch"], True)
    assert CAPABILITIES["Ch"].text not in dict(zip(*names("line Den:Ch Ch"), strict=True))["Den Ch"]


GOALS = [  # scenario, side, limit, the numbers of the panel's text
    *(("standard", None, None, []), ("standard", None, 0, []), ("standard", None, 750, ["750", "375"])),
    *(("defensive", "defender", 600, ["1,200", "800"]), ("defensive", "attacker", 1000, ["1,000", "666.67"])),
]


def test_a_standard_battle_is_won_at_half_the_limit_and_a_defensive_one_at_two_thirds_of_it():
    for scenario, role, budget, numbers in GOALS:
        (*_, panel) = panels(scenario=scenario, side=role, budget=budget).values()
        assert panel.rows == tables.BATTLES[scenario]
        assert (bool(panel.text), missing(numbers, panel.text)) == (bool(numbers), [])
    # The defender has half of the limit.
    found = briefing(standard(9, budget=1000, name="Red"), standard(10, budget=1000, name="Blue"))
    assert found["Standard battle"].text == found["Victory"].text == ""
    assert found["Rosters"].rows == (("Red", "–", "900", "1,000", "100"), ("Blue", "–", "1,000", "1,000", "0"))
    for budget, goal in [(750, "375"), (1001, "500.5"), (0.1, "0.05")]:
        goals = briefing(*[standard(1, budget=budget)] * 2)["Victory"].rows
        assert [row for row in goals if missing((goal, f"{budget:,}"), row[1])] == []
    found = briefing(defense(6, budget=600, name="Wall"), attack(12, budget=1200, name="Horde"))
    assert found["Defensive battle"].text == ""
    expected = (("Horde", "Attacker", "1,200", "1,200", "0"), ("Wall", "Defender", "600", "600", "0"))
    assert found["Rosters"].rows == expected
    assert [row[0] for row in found["Victory"].rows] == ["Horde", "Wall"]
    for budget, half, destroy in [(900, "450", "600"), (1000, "500", "666.67"), (75, "37.5", "50")]:
        found = briefing(attack(9, budget=budget), defense(0, name="Wall"))
        assert found["Rosters"].rows[1] == ("Wall", "Defender", "0", half, half)
        assert f" {destroy} " in found["Victory"].rows[1][1]


LIMITS = [  # two rosters; the limits they have; how many assumptions are stated
    (attack(10), defense(5, budget=500), ["1,000", "500"], 1),
    (attack(10, budget=1200), defense(5, budget=700), ["1,200", "600"], 1),
    (attack(10, budget=1200), defense(5, budget=600), ["1,200", "600"], 0),
    *((attack(10), defense(5), ["1,000", "500"], 1), (worth(4), worth(6), ["600", "600"], 2)),
    *(
        (side(), side(), ["1,000", "1,000"], 2),
        (standard(4, budget=500), standard(6, budget=1000), ["1,000", "1,000"], 1),
    ),
    (attack(12, budget=1200), standard(6, budget=1000), ["1,200", "600"], 3),
]
MATCHES = [  # the rosters; whether they match; the sides that can still add points
    ([standard(10, budget=1000), standard(9, budget=1000)], True, 1),
    ([standard(11, budget=1000), standard(10, budget=1000)], False, 0),
    ([standard(5, budget=1000), standard(5, budget=1000, options={"star": "all"})], None, 2),
    *(([standard(5, budget=500), standard(5, budget=1000)], False, 2), ([standard(10, budget=1000)], None, 0)),
    ([attack(12, budget=1200), defense(6, budget=600)], True, 0),
    ([attack(12, budget=1200), defense(7, budget=600)], False, 0),
    *(([attack(12, budget=1200), defense(6, budget=700)], False, 0), ([worth(5), worth(5)], None, 1)),
]


def test_rosters_compare_by_who_is_there_and_match_within_one_agreed_limit_under_the_same_rules():
    units = [unit("line range=20 to_hit=4 x3"), unit("line range=90 to_hit=7 x2"), unit("line range=60 movement=90 x0")]
    document = support.read(roster_data(SYSTEM, units))
    found = {figure.label: figure.value for figure in play.figures(document, terms_of(document))}
    assert (found["Shooting"], found["Longest range"], found["Fastest move"] < 90) == (3, 20, True)
    for first, second, limits, assumptions in LIMITS:  # open limits are assumed
        battle = play.battle_of([first, second])
        shown = [row[3] for row in briefing(first, second)["Rosters"].rows]
        assert [play.points_text(camp.limit) for camp in battle.camps] == limits
        assert (shown, len(battle.assumptions)) == (["–", "–"] if battle.agreed is None else limits, assumptions)
    for sides, matched, able in MATCHES:
        found = play.match(sides)
        assert (found.matched, len(found.missing)) == (matched, able)
        assert found.sentences or matched is None
    # a goal that the enemy is not worth is reported
    for first, second, parts in [
        (standard(4, budget=1000, name="Red"), standard(5, budget=1000, name="Blue"), ("Blue", "500", "400")),
        (attack(7, budget=1200, name="Horde"), defense(6, budget=600, name="Wall"), ("Wall", "800", "700")),
    ]:
        assert missing(parts, briefing(first, second)["Victory"].text) == []
    assert briefing(attack(8, budget=1200), defense(1, budget=600))["Victory"].text == ""


ROLES = [  # of a smaller and a larger roster, and which of them attacks
    *((None, None, "Large"), ("attacker", "attacker", "Large"), ("defender", "defender", "Large")),
    *(("attacker", None, "Small"), (None, "defender", "Small"), ("defender", None, "Large")),
    ("attacker", "defender", "Small"),
]


def test_open_roles_go_to_the_roster_that_is_left_or_else_the_attack_to_the_larger():
    for small, large, attacker in ROLES:
        sides = [attack(3, name="Small", side=small), attack(9, name="Large", side=large)]
        assert briefing(*sides)["Rosters"].rows[0][:2] == (attacker, "Attacker")
        assert len(play.battle_of(sides).assumptions) == (1 if {small, large} == {"attacker", "defender"} else 2)
    # allies share the limit of their side
    found = briefing(*(attack(3, budget=300, name=name) for name in ("A", "B")), defense(3, budget=300, name="C"))
    assert found["Rosters"].rows == (("A and B", "Attacker", "600", "600", "0"), ("C", "Defender", "300", "300", "0"))


def test_each_unit_has_its_value_and_half_of_it_and_losses_and_used_shots_count_for_the_enemy():
    def values(*units):
        return briefing(side(*units, name="Red"))["Values: Red"]

    assert values([unit("line x3"), HUNDRED], [unit("line power=1"), unit("hundred power=7")]).rows == (
        ("Formation 1", "4", "2", "83", "166"),  # 3 x 22 + 100
        ("Formation 2", "2", "1", "12.5", "25"),  # 10 x 9 / 5 + 7
    )
    assert missing(("Rocket", "12.5", "25"), values([unit("hundred OS:4", name="Rocket")]).text) == []  # 100 / 4
    assert " 88 " in values([lost(2, 2)], [lost(2, 4)], [lost(1, 4)]).text  # 44 + half of 88
    special = [unit(f"line {code}", name=name) for code, name in (("Tel", "Mage"), ("Drp", "Paras"), ("Sc", "Sniper"))]
    found = briefing(side(special, name="Red"))["Special deployment"].rows  # scouts first
    assert [row[:2] for row in found] == [("Red", name) for name in ("Sniper (Sc)", "Paras (Drp)", "Mage (Tel)")]
