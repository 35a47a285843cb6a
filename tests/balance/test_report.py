"""The fairness report of battles whose result is known: each model of a side is as good as one of the other."""

import json

import pytest

from rosters import registry
from rosters.balance.report import BLOCK, Settings, Tally, Trial, study, wilson
from rosters.store import reports
from tests.support import FIXTURES, roster_data, sample_data

SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "F"]}


@pytest.mark.parametrize(
    ("successes", "battles", "interval"), [(8, 10, (0.490, 0.943)), (0, 10, (0, 0.278)), (500, 1000, (0.469, 0.531))]
)
def test_intervals_are_wilsons(successes, battles, interval):
    assert wilson(successes, battles) == pytest.approx(interval, abs=0.0005)


def models(document):
    return sum(element.quantity for element in document.elements)


def by_models(trial):
    """A wins as large a share of the battles as it has of the models."""
    a, b = models(trial.a), models(trial.b)
    wins = round(BLOCK * a / (a + b))
    return Tally(wins, BLOCK - wins, 0, 3 * BLOCK, a * BLOCK, 0)


def finish(plan, known=()):
    """The report, and the tallies of its trials, of which the first are known already."""
    tallies, trial = [], next(plan)
    while True:
        tallies.append(known[len(tallies)] if len(tallies) < len(known) else by_models(trial))
        try:
            trial = plan.send(tallies[-1])
        except StopIteration as end:
            return end.value, tallies


def plan(a, b, **settings):
    sides = (registry.read(roster_data("msc", [{**SHIP, "quantity": quantity}, SHIP])) for quantity in (a, b))
    game = registry.SYSTEMS["msc"]
    return study(*sides, game.varied, game.battle, Settings(("plain", "clever"), **settings))


def test_a_report_has_shares_variants_on_the_same_dice_and_what_makes_it_even_if_anything_does():
    report, tallies = finish(plan(3, 7))
    assert report["battles"] == 2_000
    assert report["win"]["share"] == pytest.approx(4 / 12, abs=0.001)
    assert report["turns"] == 3
    variants = {
        tuple(value for value in each.values() if isinstance(value, str | int)): each for each in report["variants"]
    }
    fewer = [each["score"] for each in report["variants"] if each["kind"] == "fewer"]
    assert fewer == pytest.approx([3 / 11, 3 / 11, 4 / 11, 4 / 11], abs=0.001)
    assert variants["stat", "a", "engine", 1]["difference"] == variants["policy", "clever"]["difference"] == 0
    assert variants["exchanged",]["score"] == report["win"]["share"]
    # The interval of 250 in 500 ends 0.0437 from one half; 2 and 3 more win 0.428 and 0.466, 4 and 8 more 0.5 and 0.6.
    interval = report["handicap"].pop("interval")
    assert report["handicap"] == {"side": "a", "place": 0, "models": 4}
    assert interval == pytest.approx((2 + 0.0283 / 0.038, 4 + 4 * 0.0437 / 0.1), abs=0.01)
    report["handicap"]["interval"] = interval
    assert finish(plan(3, 7), tallies[:20])[0] == report
    assert finish(plan(4, 4))[0]["handicap"] is None
    assert finish(plan(1, 9_000))[0]["handicap"] == {"side": "a", "place": 0, "models": None}


FIGURE, STAND = {"ranged": 1, "close": 1, "weapon_ability": 1, "fire": "single"}, {"type": "MSK", "quality": "average"}
NOBODY_LEFT = [
    ("msc", [{**SHIP, "shield": 1}], SHIP, {"field": "shield", "step": -1}),
    ("urutsk", [{**FIGURE, "fate": 1}], {**FIGURE, "fate": 2}, {"field": "fate", "step": -1}),
    ("6mm", [STAND, {"type": "WORKS", "quantity": 3}], {**STAND, "quantity": 2}, {"kind": "fewer", "place": 0}),
]


@pytest.mark.parametrize(("system", "elements", "enemy", "variant"), NOBODY_LEFT, ids=[row[0] for row in NOBODY_LEFT])
def test_what_cannot_fight_is_no_variant_and_makes_nothing_even(system, elements, enemy, variant):
    weak, strong = (registry.read(roster_data(system, each)) for each in (elements, [enemy, enemy]))
    game = registry.SYSTEMS[system]
    report, _tallies = finish(study(weak, strong, game.varied, game.battle, Settings(("plain",))))
    assert {each["side"] for each in report["variants"] if variant.items() <= each.items()} == {"b"}
    assert report["handicap"] is None or report["handicap"]["place"] == 0


@pytest.mark.parametrize(
    ("system", "first", "second", "share"),
    [(game, *pair) for game, found in json.loads((FIXTURES / "pairs.json").read_text()).items() for pair in found],
)
def test_the_page_of_a_sample_pair_states_the_share_of_its_report(system, first, second, share, monkeypatch):
    a, b = (registry.read(sample_data(system, slug)) for slug in (first, second))
    policy = reports.settings_of(system).policies[0]
    blocks, battles = (1, 100) if first == "hearthward-navy" else (4, BLOCK)  # 35 ships a side take long
    monkeypatch.setattr(reports, "BLOCK", battles)
    trials = (Trial("battle", a, b, policy, number * BLOCK) for number in range(blocks))
    score = sum((reports.fight(trial, reports.SEED) for trial in trials), Tally()).score
    assert score == share if blocks == 4 else abs(score - share) < 4 / (2 * battles**0.5)
