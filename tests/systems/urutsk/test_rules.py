"""URUTSK minis: no points, three findings; worked by hand from the rulebook."""

from rosters.core.rulebook import Terms
from rosters.systems.urutsk import rules
from tests.notation import fighter, rows
from tests.support import FIRST, appraise, finding_codes, roster_data

LEADER = {"name": "Leader", "command": True}
FOUND = rows("""  # figures, and their findings: none however little or much
    ranged=-1 = negative-score | close=-1 = negative-score | weapon_ability=-1 = negative-score
    ranged=-5 close=-1 weapon_ability=-1000000 = negative-score negative-score negative-score
    fate=0 = fate-below-one | fate=0 x0 = fate-below-one | ranged=-1 fate=-3 = fate-below-one negative-score
    x1 = | ranged=0 close=0 weapon_ability=0 fate=1 = | ranged=1000000 close=40 fate=999 =
""")
UNLED = [[], [[]], [[{"ranged": 2}], [{"close": 2}]], [[{"command": True, "quantity": 0}], [{}]]]


def test_scores_may_be_any_but_too_low_and_a_roster_needs_a_command_figure_but_is_legal_without():
    assert (rules.WORDS.points, [size.budget for size in rules.SIZES]) == ("", [None])
    for text, expected in FOUND:
        data = roster_data("urutsk", [fighter(text), LEADER])
        assert finding_codes(data) == finding_codes(data, FIRST) == expected.split()
    assert {code for row in FOUND for code in row[1].split()} | {"no-command-figure"} == set(rules.FINDINGS)
    assert not appraise(roster_data("urutsk", [{**LEADER, "fate": 0}])).legal
    for formations, expected in (*((each, ["no-command-figure"]) for each in UNLED), ([[{}], [], [{}, LEADER]], [])):
        data = roster_data("urutsk", *formations)
        assert finding_codes(data) == finding_codes(data, "") == expected
        assert appraise(data).legal


def test_a_description_has_all_that_a_figure_is():
    figure = {"ranged": 2, "close": 1, "fate": 3, "weapon_ability": 4, "fire": "burst", "poor_condition": True}
    terms = Terms(rules.Options(), None, None)
    text = rules.describe(rules.Profile(**figure, command=True, protection="brick wall"), terms)
    scores, *rest = text.values.values()
    assert scores.values == {"ranged": "2", "close": "1", "fate": "3", "weapon_ability": "4"}
    assert rest == ["burst effect", "poor condition", "command-capable", "brick wall"]
    assert [*rules.describe(rules.Profile(), terms).values.values()][1:] == ["single shots"]
