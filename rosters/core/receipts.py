"""Receipts, which explain a price in labelled steps, and the totals of a roster.

PURE: the standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rosters.core.amounts import Amount, format_change, format_exact
from rosters.core.rulebook import Terms


class Step(NamedTuple):
    """One line of a receipt: its label, the change, and the subtotal after it."""

    label: str
    change: str
    subtotal: Amount


class Receipt(NamedTuple):
    """The steps of a price. The last subtotal is the price of one element."""

    steps: tuple[Step, ...]

    @property
    def each(self) -> Amount:
        return self.steps[-1].subtotal if self.steps else 0


class Tally:
    """Builds a receipt step by step and keeps the subtotal."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.subtotal: Amount = 0

    def add(self, label: str, amount: Amount) -> None:
        self.subtotal += amount
        self.steps.append(Step(label, format_change(amount), self.subtotal))

    def multiply(self, label: str, factor: Amount) -> None:
        self.subtotal *= factor
        self.steps.append(Step(label, f"×{format_exact(factor)}", self.subtotal))

    def set_to(self, label: str, amount: Amount) -> None:
        """Set the subtotal to ``amount``, as one step: rounding, limits, averages."""
        self.add(label, amount - self.subtotal)

    def receipt(self) -> Receipt:
        return Receipt(tuple(self.steps))


class Totals(NamedTuple):
    """Points as a rulebook adds them up. All None in a game without points.

    ``formations``: each formation's points; ``points``: the roster's; ``exact``: its sum before rounding.
    """

    formations: tuple[Amount, ...] | None
    points: Amount | None
    exact: Amount | None


def plain_totals(sums: Sequence[Amount], terms: Terms[Any]) -> Totals:
    """Totals of a rulebook that rounds nothing beyond the element."""
    return Totals(tuple(sums), sum(sums), sum(sums))
