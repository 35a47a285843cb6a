"""Exact amounts of points: rounding, formatting and parsing."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

Amount = int | Fraction
"""An exact number of points. Binary floats never enter a price."""

MINUS = "\N{MINUS SIGN}"
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


def round_half_up(amount: Amount) -> int:
    """The nearest integer; halves are rounded up (towards plus infinity)."""
    return (2 * amount + 1) // 2


def format_exact(amount: Amount) -> str:
    """``amount`` as lossless text: ``"4"``, ``"4.5"``, or ``"43/3"`` if its decimal does not terminate."""
    if isinstance(amount, int):
        return str(amount)
    if amount.denominator == 1:
        return str(amount.numerator)
    places = _decimal_places(amount.denominator)
    return f"{amount.numerator}/{amount.denominator}" if places is None else _decimal(amount, places)


MAX_DENOMINATOR = 10**3000
"""Sums are exact up to this denominator: Python writes out integers of 4,300 digits at most."""


def limit_precision(amount: Amount) -> Amount:
    """``amount``, rounded to twelve decimals if its fraction is too long to print."""
    printable = Fraction(amount).denominator <= MAX_DENOMINATOR
    return amount if printable else Fraction(round_half_up(amount * 10**12), 10**12)


@lru_cache(1024)  # 12 % of an appraisal in Mini Combat
def _decimal_places(denominator: int) -> int | None:
    """How many decimals a fraction with this denominator has; None if they do not end."""
    rest, twos = _divide_out(denominator, 2)
    rest, fives = _divide_out(rest, 5)
    return max(twos, fives) if rest == 1 else None


def _divide_out(number: int, prime: int) -> tuple[int, int]:
    """``number`` divided by ``prime`` as often as possible, and how often.

    By repeated squaring: a sum can hold thousands of factors, and dividing one by one would be quadratic.
    """
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


def format_decimal(amount: Amount | None) -> str:
    """A decimal for other programs: exact if it terminates, else rounded to two places. None is ""."""
    text = "" if amount is None else format_exact(amount)
    return _to_hundredths(amount) if amount is not None and "/" in text else text


def format_amount(amount: Amount | None) -> str:
    """`format_decimal` for display, with a minus sign and with commas from 1,000 on."""
    integer, point, decimals = with_minus_sign(format_decimal(amount)).partition(".")
    return f"{integer if len(integer) < 4 else _THOUSANDS.sub(',', integer)}{point}{decimals}"


def with_minus_sign(number: str) -> str:
    """A formatted number for display: data has the hyphen of programs, print has U+2212."""
    return number.replace("-", MINUS)


def _to_hundredths(amount: Amount) -> str:
    """Two decimals, without floats: a price may exceed their range."""
    integer, hundredths = divmod(round_half_up(100 * abs(Fraction(amount))), 100)
    return f"{'-' if amount < 0 else ''}{integer}.{hundredths:02}"


def format_change(amount: Amount) -> str:
    """``amount`` as a change: ``"+2"``, ``"+0"``, ``"-1.5"``."""
    return format_exact(amount) if amount < 0 else f"+{format_exact(amount)}"


def parse_amount(text: str) -> Amount:
    """Parse the text that `format_exact` returns."""
    if text.isdecimal():
        return int(text)
    amount = Fraction(text)
    return amount.numerator if amount.denominator == 1 else amount


def to_amount(number: int | float) -> Amount:
    """The exact decimal value of a number in a document: 0.1 is one tenth."""
    return number if isinstance(number, int) else Fraction(str(number))
