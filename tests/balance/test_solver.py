"""The solver against all selections one by one, and the rules of forces against the rules check."""

from fractions import Fraction
from itertools import islice, product

from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.balance.solver import Condition, Design, Knapsack, Selection

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
    for counts in product(*(range(design.most + 1) for design in designs)):
        taken = [*zip(counts, designs, strict=True)]
        sums = [
            each.start + sum(number * design.weights[place] for number, design in taken)
            for place, each in enumerate(conditions)
        ]
        if sum(number * design.price for number, design in taken) <= budget and all(map(allows, conditions, sums)):
            found.append(Selection(sum(number * design.value for number, design in taken), counts))
    return sorted(found, key=lambda each: -each.value)


def allows(condition, total):
    below = condition.least is not None and total < condition.least
    return not below and (condition.most is None or total <= condition.most) and total % condition.multiple == 0


@given(tasks())
@settings(max_examples=80)
def test_the_solver_lists_what_an_exhaustive_search_finds_best_first(task):
    knapsack, expected = Knapsack(*task), exhaustive(*task)
    found = [*knapsack.ranked()]
    assert [each.value for each in found] == [each.value for each in expected]
    assert {each.counts for each in found} == {each.counts for each in expected}
    assert (knapsack.is_exact, knapsack.used) == (True, len(task[2]))


def test_prices_that_fit_no_grid_are_rounded_up_and_conditions_that_fit_no_table_left_out():
    awkward = [Design(Fraction(number, number - 1), 1, 40) for number in range(30, 60)]
    knapsack = Knapsack(awkward, Fraction(50))
    best = next(knapsack.ranked())
    assert not knapsack.is_exact
    assert sum(number * each.price for number, each in zip(best.counts, awkward, strict=True)) <= 50
    wide = [Design(Fraction(1), 1, 10**6, (1, -1)), Design(Fraction(1), 2, 10**6, (-1, 1))]
    assert Knapsack(wide, Fraction(5_000), [Condition(0, 0), Condition(0, 0)]).used == 0


def test_two_hundred_designs_are_solved_for_a_thousand_points():
    """The same in `make bench`, with its time."""
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
