"""The best selections of designs for a budget: a bounded knapsack with side conditions, by dynamic programming.

A table for each design holds the best value that it and the designs after it can still add, for every budget and
every state of the conditions. So the search that lists selections in the order of their value never takes a wrong turn,
and the first one that it lists is proven best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np

MAX_CELLS = 12_000_000
"""The most cells of all tables together; a cell has 8 bytes."""
MAX_GRID = 20_000
"""Steps of a budget. Prices whose common denominator is too large are rounded up to a coarser grid."""
NEVER = -np.inf


class Design(NamedTuple):
    """What can be selected up to ``maximum`` times: its price, its value, and what one adds to each condition."""

    price: Fraction
    value: float
    maximum: int
    weights: tuple[int, ...] = ()


class Condition(NamedTuple):
    """A sum from ``start`` on that ends between ``minimum`` and ``maximum`` (None: no limit) as a ``multiple``."""

    start: int = 0
    minimum: int | None = None
    maximum: int | None = None
    multiple: int = 1


class Selection(NamedTuple):
    """How many of each design, and their value together."""

    value: float
    counts: tuple[int, ...]


class _Axis(NamedTuple):
    """The states of a condition as indices: sums from ``bottom`` on, or remainders if it is a cycle.

    With ``saturates`` the last index stands for all greater sums, from which no selection falls below the least.
    """

    bottom: int
    size: int
    start: int
    saturates: bool
    is_cycle: bool
    minimum: int | None
    maximum: int | None

    def moved(self, indices: Any, by: Any) -> tuple[Any, Any]:
        """Where sums go, and whether that is allowed."""
        after = indices + by
        if self.is_cycle:
            return after % self.size, np.ones(after.shape, bool)
        if self.saturates:
            after = np.minimum(after, self.size - 1)
        inside = (after >= 0) & (after < self.size)
        return np.where(inside, after, 0), inside

    def allowed_ends(self) -> Any:
        """A mask of the states in which a selection meets the condition."""
        if self.is_cycle:
            return np.arange(self.size) == 0
        sums = np.arange(self.size) + self.bottom
        return (sums >= (sums if self.minimum is None else self.minimum)) & (
            sums <= (sums if self.maximum is None else self.maximum)
        )


class _Item(NamedTuple):
    """A design on the grid of the budget: its price in steps, and what it adds to each axis."""

    steps: int
    value: float
    maximum: int
    by: tuple[int, ...]


class Knapsack:
    """The selections within a budget that meet all conditions.

    ``is_exact`` is False where prices were rounded up. ``used`` is the number of conditions that are applied: the last
    are left out where the tables would be too large, and the caller checks its results for them. ``cells`` is the size
    of the tables, and so about how long they take.
    """

    def __init__(self, designs: Sequence[Design], budget: Fraction, conditions: Sequence[Condition] = ()) -> None:
        budget = max(budget, Fraction(0))
        scale = lcm(*(design.price.denominator for design in designs))
        self.is_exact = budget * scale <= MAX_GRID
        self._scale = Fraction(scale) if self.is_exact else MAX_GRID / budget
        self._budget = int(budget * self._scale)
        limited = [each._replace(maximum=self._maximum(each)) for each in designs]
        self._axes: list[_Axis] = []
        places: list[int] = []
        self.used, self.cells = 0, (self._budget + 1) * (len(designs) + 1)
        for place, condition in enumerate(conditions):
            axes = _axes(limited, self._budget, self._scale, place, condition)
            cells = self.cells * prod(axis.size for axis in axes)
            if cells > MAX_CELLS:
                break
            self.cells = cells
            self.used += 1
            self._axes += axes
            places += [place] * len(axes)
        self._items = [
            _Item(self._steps(each), each.value, each.maximum, tuple(each.weights[place] for place in places))
            for each in limited
        ]

    def ranked(self) -> Iterator[Selection]:
        """All selections, best first."""
        start = tuple(axis.start for axis in self._axes)
        if any(not 0 <= each < axis.size for each, axis in zip(start, self._axes, strict=True)):
            return
        tables, order = self._tables, count()
        if tables[0][(self._budget, *start)] == NEVER:
            return
        if not self._items:
            yield Selection(0.0, ())
            return
        heap: list[tuple[float, int, _Choice]] = []

        def push(choice: _Choice) -> None:
            """Of equal values the last one first, which is nearest to a whole selection."""
            if choice.place < len(choice.options):
                heappush(heap, (choice.loss, -next(order), choice))

        push(self._choice((), 0.0, 0.0, self._budget, start))
        while heap:
            loss, _number, choice = heappop(heap)
            push(choice.next())
            taken = int(choice.options[choice.place])
            item, counts = self._items[len(choice.counts)], (*choice.counts, taken)
            value, left = choice.value + taken * item.value, choice.left - taken * item.steps
            if len(counts) == len(self._items):
                yield Selection(value, counts)
            else:
                state = tuple(int(indices[taken]) for indices in choice.states)
                push(self._choice(counts, loss, value, left, state))

    def _maximum(self, design: Design) -> int:
        steps = self._steps(design)
        return max(0, min(design.maximum, self._budget // steps) if steps else design.maximum)

    def _steps(self, design: Design) -> int:
        """A price in steps, rounded up so that no selection exceeds the budget."""
        return -int(-design.price * self._scale // 1)

    @cached_property
    def _tables(self) -> list[Any]:
        """For each number of designs that are decided, the best value of the rest by budget left and states."""
        table = np.zeros((self._budget + 1, *(axis.size for axis in self._axes)))
        for number, axis in enumerate(self._axes, 1):
            _along(table, number)[~axis.allowed_ends()] = NEVER
        tables = [table]
        for item in reversed(self._items):
            table, covered = tables[-1].copy(), 1  # how many counts, from 0 on, the table has taken into account
            while covered <= item.maximum:
                step = min(covered, item.maximum + 1 - covered)
                moved = self._shifted(table, item, step)
                np.maximum(table, moved, out=table)
                covered += step
            tables.append(table)
        return tables[::-1]

    def _shifted(self, table: Any, item: _Item, times: int) -> Any:
        """The best values after a design was taken some times."""
        result = np.full_like(table, NEVER)
        steps = times * item.steps
        part = table[: self._budget + 1 - steps] if steps else table
        for number, (axis, by) in enumerate(zip(self._axes, item.by, strict=True), 1):
            if by:
                indices, inside = axis.moved(np.arange(axis.size), times * by)
                part = part.take(indices, axis=number)
                _along(part, number)[~inside] = NEVER
        result[steps:] = part + times * item.value
        return result

    def _choice(
        self,
        counts: tuple[int, ...],
        loss: float,
        value: float,
        left: int,
        state: tuple[int, ...],
    ) -> _Choice:
        """How many of the next design can be taken, best first."""
        item, table = self._items[len(counts)], self._tables[len(counts) + 1]
        maximum = min(item.maximum, left // item.steps) if item.steps else item.maximum
        numbers = np.arange(maximum + 1)
        totals = value + numbers * item.value
        states, inside = [], np.ones(maximum + 1, bool)
        for axis, index, by in zip(self._axes, state, item.by, strict=True):
            after, allowed = axis.moved(np.full(maximum + 1, index), numbers * by)
            states.append(after)
            inside &= allowed
        totals = np.where(inside, totals + table[(left - numbers * item.steps, *states)], NEVER)
        options = [each for each in np.argsort(-totals, kind="stable") if totals[each] > NEVER]
        return _Choice(counts, value, left, states, totals, options, loss, 0)


class _Choice(NamedTuple):
    """The counts of the first designs, what is left, and all ``options`` for the next one; ``place`` is one of them.

    ``loss`` is how much less than the best selection all of them are worth that begin so.
    """

    counts: tuple[int, ...]
    value: float
    left: int
    states: Sequence[Any]
    totals: Any
    options: Sequence[Any]
    loss: float
    place: int

    def next(self) -> _Choice:
        """The next best option."""
        if self.place + 1 == len(self.options):
            return self._replace(place=self.place + 1)
        worse = self.totals[self.options[self.place]] - self.totals[self.options[self.place + 1]]
        return self._replace(place=self.place + 1, loss=self.loss + worse)


def _along(table: Any, number: int) -> Any:
    """A view of a table whose first axis is another one."""
    return np.moveaxis(table, number, 0)


def _axes(designs: Sequence[Design], budget: int, scale: Fraction, place: int, condition: Condition) -> list[_Axis]:
    """The axes of a condition: one for its limits, one for its remainders."""
    axes = []
    if condition.multiple > 1:
        start = condition.start % condition.multiple
        axes.append(_Axis(0, condition.multiple, start, False, True, None, None))
    if condition.minimum is not None or condition.maximum is not None:
        rise, fall = (_reach(designs, budget, scale, place, sign) for sign in (1, -1))
        minimum, maximum = condition.minimum, condition.maximum
        bottom, top = condition.start - fall, condition.start + rise
        if (minimum is None or minimum <= bottom) and (maximum is None or maximum >= top):
            return axes  # nothing that can be selected breaks it
        if minimum is not None:
            bottom = max(bottom, minimum - rise)
        if maximum is not None:
            top = min(top, maximum + fall)
        elif minimum is not None:
            top = min(top, minimum + fall)
        start = min(condition.start, top) if maximum is None else condition.start
        axes.append(_Axis(bottom, max(top - bottom + 1, 0), start - bottom, maximum is None, False, minimum, maximum))
    return axes


def _reach(designs: Sequence[Design], budget: int, scale: Fraction, place: int, sign: int) -> int:
    """How far a sum can move in one direction: by all designs, and by what the budget buys of the cheapest."""
    moves = [(sign * each.weights[place], each) for each in designs if sign * each.weights[place] > 0]
    everything = sum(weight * each.maximum for weight, each in moves)
    if not moves or any(each.price <= 0 for _weight, each in moves):
        return everything
    return min(everything, int(max(Fraction(weight) / (each.price * scale) for weight, each in moves) * budget))
