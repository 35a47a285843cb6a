"""Absorbing Markov chains, solved exactly in fractions, or in floats by the same steps.

PURE. A chain is a start and a function from a state to the distribution of next states; the states in
`core.odds.ENDS` are the last ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rosters.core.odds import ENDS, Chance, Distribution

ROUNDS = 6
"""The rounds that an answer lists one by one."""

State = Any
"""Any hashable value."""
Edges = Mapping[State, Mapping[State, Chance]]


class Solution(NamedTuple):
    """Where a chain ends and when.

    ``by_round`` has the probability of each end after 1, 2, … `ROUNDS` rounds. ``never`` is the probability that no
    end is reached any more; ``expected`` rounds is None unless that is 0.
    """

    ends: Mapping[State, Chance]
    never: Chance
    expected: Chance | None
    by_round: tuple[Mapping[State, Chance], ...]


def solve(start: State, step: Callable[[State], Mapping[State, Chance]]) -> Solution:
    """Solve a chain: the expected visits of each state, part by part in the order in which they are entered."""
    edges = _explore(start, step)
    inflow: dict[State, Chance] = dict.fromkeys([*edges, *ENDS], 0)
    inflow[start] = 1
    never: Chance = 0
    expected: Chance = 0
    for part in _parts(start, edges):
        leaves = any(following not in part for state in part for following in edges[state])
        if not leaves:
            never += sum(inflow[state] for state in part)
            continue
        for state, visits in _visits(part, edges, inflow).items():
            expected += visits
            for following, chance in edges[state].items():
                if following not in part:
                    inflow[following] += visits * chance
    ends = {end: inflow[end] for end in ENDS}
    return Solution(ends, never, None if never else expected, tuple(_rounds(start, edges)))


def _explore(start: State, step: Callable[[State], Mapping[State, Chance]]) -> Edges:
    edges: dict[State, Mapping[State, Chance]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in edges:
            edges[state] = step(state)
            waiting += [following for following in edges[state] if following not in ENDS and following not in edges]
    return edges


def _rounds(start: State, edges: Edges) -> Iterator[Mapping[State, Chance]]:
    """The probability of each end after each of the first rounds."""
    now: Distribution[State] = {start: 1}
    ended: Distribution[State] = dict.fromkeys(ENDS, 0)
    for _round in range(ROUNDS):
        after: Distribution[State] = {}
        for state, chance in now.items():
            for following, next_chance in edges[state].items():
                after[following] = after.get(following, 0) + chance * next_chance
        for end in ENDS:
            ended[end] += after.pop(end, 0)
        now = after
        yield {**ended}


def _visits(part: set[State], edges: Edges, inflow: Mapping[State, Chance]) -> Distribution[State]:
    """The expected visits of the states of a part that is left in the end.

    A single state is divided by the probability of leaving it, as a sum: 1 − p would cancel digits of floats.
    """
    if len(part) == 1:
        (state,) = part
        leaving = sum(chance for following, chance in edges[state].items() if following != state)
        return {state: inflow[state] / leaving}
    states = [*part]
    rows: list[list[Any]] = [[int(to == at) - edges[at].get(to, 0) for at in states] + [inflow[to]] for to in states]
    return dict(zip(states, _eliminate(rows), strict=True))


def _eliminate(rows: list[list[Any]]) -> list[Any]:
    """Solve a regular system of linear equations, the right side in the last column, by Gauss and Jordan.

    Without pivoting: no part that is left in the end has a row of which more stays than leaves.
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


def _parts(start: State, edges: Edges) -> list[set[State]]:
    """The strongly connected parts, each before those that it leads to (Tarjan's algorithm, without recursion)."""
    number: dict[State, int] = {start: 0}
    lowest: dict[State, int] = {start: 0}
    stack, open_states = [start], {start}
    parts: list[set[State]] = []
    path = [(start, iter(edges[start]))]
    while path:
        state, rest = path[-1]
        for following in rest:
            if following in open_states:
                lowest[state] = min(lowest[state], number[following])
            elif following not in number and following not in ENDS:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                open_states.add(following)
                path.append((following, iter(edges[following])))
                break
        else:
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[state])
            if lowest[state] == number[state]:
                part = {state}
                while (last := stack.pop()) != state:
                    part.add(last)
                open_states -= part
                parts.append(part)
    return parts[::-1]
