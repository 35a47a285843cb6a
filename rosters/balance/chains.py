"""Absorbing Markov chains, solved exactly in fractions, or in floats by the same algorithm. A chain is a start and a
function from a state to the distribution of next states; the states in `core.odds.ENDS` are absorbing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rosters.core.odds import ENDS, Chance, Distribution

ROUNDS = 6
"""The rounds that an answer lists one by one."""

MAX_STATES = 40_000
"""The largest chain that is solved; two of the largest legal ships have 32,400 states."""

State = Any
"""Any hashable value."""
Edges = Mapping[State, Mapping[State, Chance]]


class TooLong(Exception):
    """A chain takes too long to solve."""


class TooManyStates(TooLong):
    """A chain has more than `MAX_STATES` states."""


Check = Callable[[], None]
"""What is called for each state, and raises TooLong to give up."""


class Solution(NamedTuple):
    """Where a chain ends and when.

    ``by_round`` has the probability of each end after 1, 2, … `ROUNDS` rounds. ``never`` is the probability of reaching
    no end; ``expected``, the mean number of rounds, is None unless that is 0.
    """

    ends: Mapping[State, Chance]
    never: Chance
    expected: Chance | None
    by_round: tuple[Mapping[State, Chance], ...]


def solve(start: State, step: Callable[[State], Mapping[State, Chance]], check: Check = lambda: None) -> Solution:
    """Solve a chain: the expected visits of each state, part by part in the order in which they are entered.

    Raises TooManyStates, and what ``check`` raises.
    """
    edges, parts = _explore(start, step, check)
    inflow: dict[State, Chance] = dict.fromkeys([*edges, *ENDS], 0)
    inflow[start] = 1
    never: Chance = 0
    expected: Chance = 0
    for part in parts:
        check()
        visits = _visits(part, edges, inflow)
        if not visits:
            never += sum(inflow[state] for state in part)
        for state, number in visits.items():
            expected += number
            for following, chance in edges[state].items():
                inflow[following] += number * chance  # also within the part, where it is not read again
    ends = {end: inflow[end] for end in ENDS}
    return Solution(ends, never, None if never else expected, tuple(_rounds(start, edges, check)))


def _rounds(start: State, edges: Edges, check: Check) -> Iterator[Mapping[State, Chance]]:
    """The probability of each end after each of the first rounds."""
    now: Distribution[State] = {start: 1}
    ended: Distribution[State] = dict.fromkeys(ENDS, 0)
    for _round in range(ROUNDS):
        after: Distribution[State] = {}
        for state, chance in now.items():
            check()
            for following, next_chance in edges[state].items():
                after[following] = after.get(following, 0) + chance * next_chance
        for end in ENDS:
            ended[end] += after.pop(end, 0)
        now = after
        yield {**ended}


def _visits(part: list[State], edges: Edges, inflow: Mapping[State, Chance]) -> Mapping[State, Chance]:
    """The expected visits of each state of a part; none if nothing leaves it.

    A single state is divided by the probability of leaving it, as a sum: 1 − p would cancel digits of floats.
    """
    if len(part) == 1:
        (state,) = part
        if state not in edges[state]:
            return {state: inflow[state]}
        leaving = [chance for following, chance in edges[state].items() if following != state]
        return {state: inflow[state] / sum(leaving)} if leaving else {}
    if not {following for state in part for following in edges[state]} - {*part}:
        return {}
    rows: list[list[Any]] = [[int(to == at) - edges[at].get(to, 0) for at in part] + [inflow[to]] for to in part]
    return dict(zip(part, _eliminate(rows), strict=True))


def _eliminate(rows: list[list[Any]]) -> list[Any]:
    """Solve a regular system of linear equations, the right side in the last column, by Gauss and Jordan.

    Without pivoting: the matrix I − Q of a transient part is diagonally dominant.
    """
    size = len(rows)
    for column in range(size):
        head = [value / rows[column][column] for value in rows[column]]
        rows[column] = head
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [value - factor * other for value, other in zip(rows[row], head, strict=True)]
    return [row[-1] for row in rows]


def _explore(
    start: State, step: Callable[[State], Mapping[State, Chance]], check: Check
) -> tuple[Edges, list[list[State]]]:
    """Every state with what follows it, and the strongly connected parts, each before those that it leads to.

    Tarjan's algorithm, without recursion.
    """
    edges: dict[State, Mapping[State, Chance]] = {start: step(start)}
    number = {start: 0}
    lowest = {start: 0}
    stack, unfinished = [start], {start}
    parts: list[list[State]] = []
    path = [(start, iter(edges[start]))]
    while path:
        state, rest = path[-1]
        for following in rest:
            if following in unfinished:
                lowest[state] = min(lowest[state], number[following])
            elif following not in number and following not in ENDS:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                unfinished.add(following)
                check()
                edges[following] = step(following)
                if len(edges) > MAX_STATES:
                    raise TooManyStates
                path.append((following, iter(edges[following])))
                break
        else:
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[state])
            if lowest[state] == number[state]:
                place = len(stack) - 1
                while stack[place] != state:
                    place -= 1
                parts.append(stack[place:])
                unfinished.difference_update(stack[place:])
                del stack[place:]
    return edges, parts[::-1]
