"""The solver against all selections one by one, and the rules of forces against the rules check."""

from fractions import Fraction
from itertools import islice, product
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters import registry
from rosters.balance import forces
from rosters.balance.report import BLOCK, Settings, Tally, with_quantity
from rosters.balance.solver import Condition, Design, Knapsack, Selection
from tests.support import FIXTURES, roster_data

LIMIT = st.none() | st.integers(-2, 5)
CONDITIONS = st.lists(st.builds(Condition, st.integers(-2, 3), LIMIT, LIMIT, st.integers(1, 3)), max_size=3)
PRICE = st.builds(Fraction, st.integers(0, 12), st.sampled_from([1, 1, 2, 3]))
VALUE = st.integers(0, 8).map(lambda value: value / 4)


@st.composite
def tasks(draw):
    conditions = draw(CONDITIONS)
    weights = st.tuples(*[st.sampled_from([0, 0, 1, -1, 2])] * len(conditions))
    designs = draw(st.lists(st.builds(Design, PRICE, VALUE, st.integers(0, 4), weights), max_size=4))
    return designs, Fraction(draw(st.integers(0, 60)), 2), conditions


def exhaustive(designs, budget, conditions):
    """All selections that there are, best first."""
    found = []
    for counts in product(*(range(design.maximum + 1) for design in designs)):
        taken = [*zip(counts, designs, strict=True)]
        sums = [
            each.start + sum(number * design.weights[place] for number, design in taken)
            for place, each in enumerate(conditions)
        ]
        if sum(number * design.price for number, design in taken) <= budget and all(map(allows, conditions, sums)):
            found.append(Selection(sum(number * design.value for number, design in taken), counts))
    return sorted(found, key=lambda each: -each.value)


def allows(condition, total):
    below = condition.minimum is not None and total < condition.minimum
    return not below and (condition.maximum is None or total <= condition.maximum) and total % condition.multiple == 0


@given(tasks())
@settings(max_examples=30)
def test_the_solver_lists_what_an_exhaustive_search_finds_best_first(task):
    knapsack, expected = Knapsack(*task), exhaustive(*task)
    found = [*knapsack.ranked()]
    assert [each.value for each in found] == [each.value for each in expected]
    assert {each.counts for each in found} == {each.counts for each in expected}
    assert (knapsack.is_exact, knapsack.used) == (True, len(task[2]))


def test_awkward_prices_are_rounded_up_wide_conditions_left_out_and_two_hundred_designs_are_solved():
    awkward = [Design(Fraction(number, number - 1), 1, 40) for number in range(30, 60)]
    knapsack = Knapsack(awkward, Fraction(50))
    best = next(knapsack.ranked())
    assert not knapsack.is_exact
    assert sum(number * each.price for number, each in zip(best.counts, awkward, strict=True)) <= 50
    wide = [Design(Fraction(1), 1, 10**6, (1, -1)), Design(Fraction(1), 2, 10**6, (-1, 1))]
    assert Knapsack(wide, Fraction(5_000), [Condition(0, 0), Condition(0, 0)]).used == 0
    # The same in `make bench`, with its time.
    found = [*islice(large().ranked(), 20)]
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)
    assert found[0].value > 1000
    assert len({each.counts for each in found}) == 20


def large():
    """200 designs with a commander, whose values are nearly their prices: few of them are better than others."""
    designs = [
        Design(Fraction(16 + 7 * number % 200, 2), (16 + 7 * number % 200) / 2 + number % 3 / 128, 10**6, (number < 5,))
        for number in range(200)
    ]
    return Knapsack(designs, Fraction(1000), [Condition(0, 1, 1)])


# ---------------------------------------------------------------- forces

RIFLES = {"to_hit": 4, "range": 25, "power": 3, "armor": 1, "movement": 10, "save": 7, "morale": 4}


@pytest.mark.parametrize("slug", ["6mm", "urutsk", "vsgmr"])
def test_the_rules_of_a_force_are_those_of_the_rules_check(slug):
    """Of samples, with each element left out, doubled and trebled."""
    found = set()
    for path in sorted((FIXTURES / "armies" / slug).glob("*.json"))[:4]:
        document = registry.read(registry.documents.parse(path.read_bytes()))
        places = range(len(document.elements))
        for changed in (with_quantity(document, place, number) for place in places for number in (0, 2, 3)):
            codes = {each.code for each in registry.appraise(changed).findings}
            for rule in registry.SYSTEMS[slug].force_rules:
                total = sum(rule.weigh(element) * element.quantity for element in changed.elements)
                is_broken = not allows(Condition(0, rule.minimum, rule.maximum, rule.multiple), total)
                assert is_broken == (rule.finding in codes), (path.name, rule.finding, total)
                found |= {rule.finding} & codes
    assert found


def test_what_a_design_is_worth_follows_from_what_it_takes_and_how_long_it_lasts():
    """Riflemen hit riflemen with 2/3, in contact and at 20 cm; those with armor 3 are never hurt."""
    elements = [RIFLES, {**RIFLES, "armor": 3}, {**RIFLES, "to_hit": 7}]
    document = registry.read(roster_data("mini-combat", elements))
    plain, armored, unarmed = forces.worths(
        document, document.elements, registry.read(roster_data("mini-combat", [RIFLES]))
    )
    assert armored / plain == pytest.approx(sqrt(2 / 3 / forces.MIN_LOSS))
    assert plain + armored == pytest.approx(sum(forces.price_of(document, each) for each in document.elements[:2]))
    assert unarmed == 0


def test_the_better_half_of_the_forces_goes_on_until_five_are_left():
    ship = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F"]}
    fleets = [registry.read(roster_data("msc", [{**ship, "quantity": number}])) for number in range(1, 13)]
    settings_, trials = Settings(("plain",)), 0
    found, trial = [], next(study := forces.search(fleets, fleets[0], settings_))
    while not found:
        trials, wins = trials + 1, 40 * trial.a.elements[0].quantity
        try:
            trial = study.send(Tally(wins, BLOCK - wins - 10, 10))
        except StopIteration as end:
            found = end.value["forces"]
    assert [each["force"] for each in found] == [11, 10, 9, 8, 7]
    assert found[0]["share"] == pytest.approx((480 + 5) / 500)
    assert trials == forces.planned_trials(12) == 12 + 6 + 5 + 5


@pytest.mark.parametrize(
    ("slug", "points", "within"), [("msc", 60, 5), ("vsgmr", 20, 2), ("6mm", 45, 3), ("urutsk", 5, 1)]
)
def test_a_shelf_is_split_into_two_legal_forces_that_differ_little(slug, points, within):
    document = registry.read(registry.documents.parse(next((FIXTURES / "armies" / slug).glob("*.json")).read_bytes()))
    owned = [(element, 2 * element.quantity) for element in document.elements]
    empty = document.replace(formations=(), budget=None)
    found = forces.split_forces(empty, owned, points, within)
    assert found
    for halves in found:
        sides = [registry.appraise(each) for each in forces.forces_of(empty, owned, halves)]
        sizes = [side.quantity if side.points is None else side.points for side in sides]
        assert all(side.legal for side in sides)
        assert max(sizes) <= points
        assert max(sizes) - min(sizes) <= within
        assert all(a + b <= number for a, b, (_e, number) in zip(*halves, owned, strict=True))
