"""Receipts, which explain a price in labelled steps, and the totals of a roster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from rosters.core.amounts import Amount, format_change, format_exact, with_minus_sign
from rosters.core.messages import translate
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
    def unit_points(self) -> Amount:
        return self.steps[-1].subtotal if self.steps else 0


def points_by_kind(lines: Iterable[tuple[Receipt, int]]) -> dict[str, Amount]:
    """The points of each kind of step, added up over elements with their quantities; a factor counts as negative."""
    sums: dict[str, Amount] = {}
    for receipt, quantity in lines:
        before: Amount = 0
        for step in receipt.steps:
            if step.subtotal != before:
                points = -1 if step.change.startswith("×") else step.subtotal - before
                kind = _kind(step.label)
                sums[kind] = sums.get(kind, 0) + points * quantity
            before = step.subtotal
    return sums


def _kind(label: str) -> str:
    """The words of a step's label before its first value, or that value if the label begins with it."""
    words = translate(label)
    first = translate(str(next(iter(getattr(label, "values", {}).values()), "")))
    return (words.partition(first)[0].rstrip(" ,:") or first) if first else words


class Bar(NamedTuple):
    """A step of a receipt in a waterfall: its left end and its width in percent of the drawing's, and its kind."""

    x: float
    width: float
    kind: Literal["add", "cut", "total"]


def waterfall(receipt: Receipt) -> tuple[Bar, ...]:
    """A bar for each step, from the subtotal before it to the one after, and one for the price."""
    after = [step.subtotal for step in receipt.steps]
    spans = [*pairwise([0, *after]), (0, receipt.unit_points)]
    ends: list[Amount] = [0, *(end for span in spans for end in span)]
    low = min(ends)
    share = Fraction(100) / (max(ends) - low or 1)
    places = {end: float((end - low) * share) for end in ends}

    def bar(start: Amount, end: Amount, is_last: bool) -> Bar:
        kind: Literal["add", "cut", "total"] = "total" if is_last else "cut" if end < start else "add"
        left, right = sorted((places[start], places[end]))
        return Bar(round(left, 1), round(right - left, 1), kind)

    return tuple(bar(*span, number == len(spans)) for number, span in enumerate(spans, 1))


def format_operation(change: str) -> str:
    """The change of a step for display: "+2", "−1.5", "× 3", "÷ 5"."""
    if not change.startswith("×"):
        return with_minus_sign(change)
    factor = Fraction(change[1:])
    if factor.numerator == 1 and factor.denominator > 1:
        return f"÷ {factor.denominator}"
    return f"× {with_minus_sign(change[1:])}"


class ReceiptBuilder:
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
