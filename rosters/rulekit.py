"""Words that every rulebook shares: exact amounts, receipts, findings, reference rows, profile bases.

PURE: the standard library and pydantic only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError

Amount = int | Fraction
"""An exact number of points. Binary floats never enter a price."""

Severity = Literal["error", "warning", "note"]
T = TypeVar("T")
OptionsT = TypeVar("OptionsT", bound="Options")

# ---------------------------------------------------------------- values of a document

LIMIT = 1_000_000
"""The largest integer, either way, that a document may hold."""

NO_NUL = r"^[^\x00]*$"


def _number(value: Any) -> int | float:
    if type(value) is int:
        return value
    if type(value) is not float or not math.isfinite(value):
        raise PydanticCustomError("number", "must be a finite number")
    return int(value) if value.is_integer() else value


Whole = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Loss = Annotated[int, Field(ge=0, le=LIMIT)]
Number = Annotated[
    int | float,
    Field(ge=-LIMIT, le=LIMIT),
    BeforeValidator(_number),
    WithJsonSchema({"type": "number", "minimum": -LIMIT, "maximum": LIMIT}),
]
"""A number that may have decimals; whole ones are kept as integers. Calculate with `to_amount`."""
Code = Annotated[str, Field(max_length=60, pattern=NO_NUL)]
Name = Annotated[str, Field(max_length=120, pattern=NO_NUL)]
Notes = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]
Identifier = Annotated[str, Field(min_length=1, max_length=36, pattern=NO_NUL)]
Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in JSON, an immutable tuple in Python; its items stay strictly typed."""


class Frozen(BaseModel):
    """A value: immutable, strictly typed, and refusing keys it does not know."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Profile(Frozen):
    """The stats of an element as the rules see them; each system has its own subclass."""


class Options(Frozen):
    """The house rules of a roster; each field's title and description explain the switch."""


class Mark(Frozen):
    """What play has taken from one model; each system has its own subclass."""


def refuse_keys(data: Any, surplus: Mapping[str, str], handler: Callable[[Any], T]) -> T:
    """Validate ``data`` with ``handler``, and fault each key in ``surplus`` for the reason given there.

    For wrap validators whose keys depend on another key: all faults come back at once.
    Raises pydantic's ValidationError.
    """
    faults = [
        InitErrorDetails(type=PydanticCustomError("surplus_key", "{why}", {"why": why}), loc=(key,), input=data[key])
        for key, why in surplus.items()
    ]
    try:
        value = handler(data)
    except ValidationError as error:
        faults += [_as_custom(fault) for fault in error.errors(include_url=False)]
    if faults:
        raise ValidationError.from_exception_data("refused", faults)
    return value


def _as_custom(fault: Any) -> InitErrorDetails:
    kind = PydanticCustomError(fault["type"], "{why}", {"why": fault["msg"], **fault.get("ctx", {})})
    return InitErrorDetails(type=kind, loc=fault["loc"], input=fault["input"])


# ---------------------------------------------------------------- exact amounts


def half_up(amount: Amount) -> int:
    """The nearest whole number; a half or more goes up (towards plus infinity)."""
    return (2 * amount + 1) // 2


def exact(amount: Amount) -> str:
    """``amount`` as text that loses nothing: ``"4"``, ``"4.5"``, or ``"43/3"`` where no decimal ends."""
    if isinstance(amount, int):
        return str(amount)
    denominator = amount.denominator
    if denominator == 1:
        return str(amount.numerator)
    denominator, twos = _without(denominator, 2)
    denominator, fives = _without(denominator, 5)
    if denominator > 1:
        return f"{amount.numerator}/{amount.denominator}"
    return _decimal(amount, max(twos, fives))


LONGEST_SUM = 10**3000
"""Sums are kept exactly up to this denominator: Python writes out integers of 4,300 digits at most."""


def writable(amount: Amount) -> Amount:
    """``amount``; to twelve decimals where its fraction is too long to be written out."""
    short = Fraction(amount).denominator <= LONGEST_SUM
    return amount if short else Fraction(half_up(amount * 10**12), 10**12)


def _without(number: int, prime: int) -> tuple[int, int]:
    """``number`` without its factors ``prime``, and how many there were. Quick for thousands of them, by squares."""
    powers = [prime]
    while number % powers[-1] == 0:
        powers.append(powers[-1] ** 2)
    count = 0
    for exponent, power in reversed([*enumerate(powers)]):
        if number % power == 0:
            number, count = number // power, count + 2**exponent
    return number, count


def _decimal(amount: Fraction, places: int) -> str:
    digits = str(abs(amount.numerator) * 10**places // amount.denominator).rjust(places + 1, "0")
    return f"{'-' if amount < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def shown(amount: Amount | None) -> str:
    """An amount for reading: exact where a decimal ends, else to two decimals."""
    text = "" if amount is None else exact(amount)
    return _to_hundredths(amount) if amount is not None and "/" in text else text


def _to_hundredths(amount: Amount) -> str:
    """Without floats: a price may be larger than any of them."""
    whole, rest = divmod(half_up(100 * abs(Fraction(amount))), 100)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:02}"


def signed(amount: Amount) -> str:
    """``amount`` as a change: ``"+2"``, ``"+0"``, ``"-1.5"``."""
    return exact(amount) if amount < 0 else f"+{exact(amount)}"


def to_exact(text: str) -> Amount:
    """The amount that `exact` wrote."""
    amount = Fraction(text)
    return amount.numerator if amount.denominator == 1 else amount


def to_amount(number: int | float) -> Amount:
    """A number as it was written in a document, exactly: 0.1 is one tenth."""
    return number if isinstance(number, int) else Fraction(str(number))


# ---------------------------------------------------------------- receipts


class Step(NamedTuple):
    """One line of a receipt: what it is, what it did, and the points so far."""

    label: str
    change: str
    subtotal: Amount


class Receipt(NamedTuple):
    """How a price came about. The last subtotal is the price of one element."""

    steps: tuple[Step, ...]

    @property
    def each(self) -> Amount:
        return self.steps[-1].subtotal if self.steps else 0


class Tally:
    """Writes a receipt step by step, keeping the subtotal."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.subtotal: Amount = 0

    def add(self, label: str, amount: Amount) -> None:
        self.subtotal += amount
        self.steps.append(Step(label, signed(amount), self.subtotal))

    def times(self, label: str, factor: Amount) -> None:
        self.subtotal *= factor
        self.steps.append(Step(label, f"×{exact(factor)}", self.subtotal))

    def settle(self, label: str, amount: Amount) -> None:
        """Bring the subtotal to ``amount``: rounding, limits, averages."""
        self.add(label, amount - self.subtotal)

    def receipt(self) -> Receipt:
        return Receipt(tuple(self.steps))


# ---------------------------------------------------------------- findings


class Meaning(NamedTuple):
    """What a finding code stands for: its severity and one sentence for ``explain``."""

    severity: Severity
    text: str


def error(text: str) -> Meaning:
    return Meaning("error", text)


def warning(text: str) -> Meaning:
    return Meaning("warning", text)


def note(text: str) -> Meaning:
    return Meaning("note", text)


class Problem(NamedTuple):
    """A finding before its place is known: a code and a sentence about this very case."""

    code: str
    message: str


class Finding(NamedTuple):
    """What legality has to say. ``where`` is "", "formations/0" or "formations/0/elements/1"."""

    code: str
    severity: Severity
    where: str
    message: str


SHARED_FINDINGS: Mapping[str, Meaning] = {
    "house-rule": note("The roster departs from the rules as read: a house rule is in force."),
    "over-budget": error("The roster is worth more points than its budget allows."),
}


# ---------------------------------------------------------------- totals


class Totals(NamedTuple):
    """Points as a rulebook counts them. All None where the rules have no points.

    ``formations``: each formation's points; ``points``: the roster's; ``exact``: its sum before rounding.
    """

    formations: tuple[Amount, ...] | None
    points: Amount | None
    exact: Amount | None


def plain_totals(sums: Sequence[Amount], terms: Terms[Any]) -> Totals:
    """Totals of a rulebook that rounds nothing beyond the element."""
    return Totals(tuple(sums), sum(sums), sum(sums))


def over_budget(points: Amount | None, budget: int | float | None) -> Iterator[Problem]:
    """The finding ``over-budget``, when there is a budget and the points exceed it."""
    if points is None or budget is None or points <= to_amount(budget):
        return
    over = exact(points - to_amount(budget))
    yield Problem(
        "over-budget",
        f"{exact(points)} points are {over} more than the budget of {exact(to_amount(budget))}.",
    )


# ---------------------------------------------------------------- reference rows, as values


class Capability(Frozen):
    """A Mini Combat capability (Appendix B). ``percent`` is a whole number: 25 is +25 %."""

    code: str
    number: int
    name: str
    percent: int
    purpose: str
    text: str


class Trait(Frozen):
    """A VSGMR trait (section V)."""

    code: str
    number: int
    abbreviation: str
    name: str
    text: str


class SuperPower(Frozen):
    """A VSGMR super power at one tier (section VI). ``die`` is 8, 10 or 12, ``points`` its price."""

    power: str
    tier: str
    number: int
    abbreviation: str
    name: str
    die: int
    points: int
    text: str


class Reference(NamedTuple):
    """The rows that the pure functions price and explain with."""

    capabilities: Mapping[str, Capability]
    traits: Mapping[str, Trait]
    powers: Mapping[tuple[str, str], SuperPower]


class Entry(NamedTuple):
    """One explained word of a rulebook, for help texts and ``explain``."""

    code: str
    name: str
    text: str


# ---------------------------------------------------------------- a rulebook


class Words(NamedTuple):
    """A system's own labels, singular and plural; ``points`` is "" where the rules have none."""

    formation: str
    formations: str
    element: str
    elements: str
    points: str


class Scenario(NamedTuple):
    """A kind of game: its sides, and the points suggested for each ("" for a game without sides).

    A suggestion is (lowest, highest); lowest is None where the book gives only a ceiling.
    """

    name: str
    text: str
    sides: Mapping[str, str]
    suggested: Mapping[str, tuple[int | None, int]]


class Size(NamedTuple):
    """A preset on the start page: a budget in points (None: no limit) and the scenario it belongs to."""

    label: str
    budget: int | None
    scenario: str | None = None


class Terms(NamedTuple, Generic[OptionsT]):
    """What a roster is appraised under: its house rules, scenario and side, and the reference rows."""

    options: OptionsT
    scenario: str | None
    side: str | None
    reference: Reference


def joined(names: Iterable[str]) -> str:
    """Names in a sentence: "F, FL and FR"."""
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last
