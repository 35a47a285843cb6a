"""The odds of one element against another: reads a question and answers it for any game."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import ValidationError

from rosters import registry
from rosters.balance import chains
from rosters.core import documents
from rosters.core.documents import Element, Fault, InvalidDocument
from rosters.core.messages import _
from rosters.core.odds import DRAW, ENDS, LOSE, SIDES, WIN, AnyDuel, Conditions, Side
from rosters.core.values import FrozenModel
from rosters.registry import SYSTEMS, System


class Question(FrozenModel):
    """A question as JSON data: two elements of one system, and conditions that differ from the defaults."""

    system: Any
    a: Any
    b: Any
    conditions: Any = None


MAX_SIZE = 100_000
"""The largest duel that a ``limited`` question may ask for: about 0.5 s in floats."""
MAX_SECONDS = 4.0
"""Processor time after which a ``limited`` question is given up: fractions of a long duel get ever more digits. The
largest ship of the samples takes a quarter of that.
"""
DIGITS = 4_000
DIGITS_LIMIT = 10**DIGITS

ELEMENT_PATH = "formations/0/elements/0"
"""The place of the element in the document that `_read_element` makes of it."""


class Matchup(NamedTuple):
    """Two elements of one game under conditions."""

    system: System
    a: Element
    b: Element
    conditions: Conditions

    def duel(self, exact: bool = False, *, limited: bool = True) -> AnyDuel:
        """The duel, in floats unless ``exact``. Raises InvalidDocument if it is above `MAX_SIZE` and ``limited``."""
        duel = self.system.odds.Duel(self.a, self.b, self.conditions, Fraction if exact else float)
        if limited and duel.size() > MAX_SIZE:
            raise InvalidDocument([Fault("", _("makes a duel that is too long to compute: choose smaller numbers"))])
        return duel

    def solve(self, exact: bool = False, *, limited: bool = True) -> dict[str, Any]:
        """The odds as JSON data. Raises InvalidDocument if the duel is too long."""
        duel = self.duel(exact, limited=limited)
        try:
            solved: dict[str, Any] = _plain(_solve(duel, _deadline(limited=limited)), exact)
            return solved
        except chains.TooManyStates:
            message = _("has more than {most} states: choose smaller numbers").format(most=f"{chains.MAX_STATES:,}")
        except chains.TooLong:
            words = _("takes more than {most} seconds to compute: choose fewer models or weapons, or less to destroy")
            message = words.format(most=round(MAX_SECONDS))
        raise InvalidDocument([Fault("", message)])

    def expected_rounds(self, duel: AnyDuel, side: Side) -> Any:
        """The mean number of rounds that a side needs alone; None if it may never succeed, or takes too long."""
        try:
            return chains.solve(duel.start, lambda state: duel.attack(state, side), _deadline()).expected
        except chains.TooLong:
            return None

    def measure(self, name: str) -> tuple[float, float]:
        """One chance of A, and the same of B where they exclude each other: to ``win`` the duel, to beat B in ``round``
        1, or one of the duel's facts. Raises InvalidDocument if the duel is too long.
        """
        duel = self.duel()
        if name == "win":
            try:
                ends = chains.solve(duel.start, duel.round, _deadline()).ends
            except chains.TooLong:
                raise InvalidDocument([]) from None
            return float(ends[WIN]), float(ends[LOSE])
        if name == "round":
            after = duel.attack(duel.start, "a")
            return float(after.get(WIN, 0) + after.get(DRAW, 0)), 0
        return float(duel.facts("a")[name]), 0


def _deadline(*, limited: bool = True) -> chains.Check:
    """What raises TooLong once this thread has computed for `MAX_SECONDS` more; never unless ``limited``."""
    stop = time.thread_time() + (MAX_SECONDS if limited else math.inf)

    def check() -> None:
        if time.thread_time() > stop:
            raise chains.TooLong

    return check


def odds(system: str, a: Any, b: Any, conditions: Any = None, exact: bool = True) -> dict[str, Any]:
    """The odds of element ``a`` against ``b``, as JSON data: fractions as text, or floats if not ``exact``.

    Elements and conditions are JSON data, as in roster documents and requests. Raises InvalidDocument with all errors.
    """
    return answer({"system": system, "a": a, "b": b, "conditions": conditions}, exact)


def answer(data: Any, exact: bool = True, *, limited: bool = False) -> dict[str, Any]:
    """The odds that JSON data asks for, as a `Question`. Raises InvalidDocument with all errors.

    A question that comes in over the network (``limited``) is refused if its duel is above `MAX_SIZE` or `MAX_SECONDS`.
    """
    matchup = read(data)
    solved = matchup.solve(exact, limited=limited)
    return {"conditions": matchup.conditions.model_dump(mode="json"), **solved}


def read(data: Any) -> Matchup:
    """The two elements and the conditions of a `Question`. Raises InvalidDocument with all errors."""
    try:
        question = Question.model_validate(data)
    except ValidationError as error:
        raise InvalidDocument([documents.fault(line) for line in error.errors(include_url=False)]) from None
    if not isinstance(question.system, str) or question.system not in SYSTEMS:
        raise InvalidDocument([Fault("system", _("must be one of {codes}").format(codes=", ".join(SYSTEMS)))])
    game, faults = SYSTEMS[question.system], list[Fault]()
    a, b = _read_element(game, "a", question.a, faults), _read_element(game, "b", question.b, faults)
    terms = _read_conditions(game, {} if question.conditions is None else question.conditions, faults)
    if faults or a is None or b is None or terms is None:
        raise InvalidDocument(faults)
    return Matchup(game, a, b, terms)


def mean_of(weighted: Sequence[tuple[int, tuple[float, float]]]) -> tuple[float, float]:
    """The mean of pairs of chances, by weights; zeros without any weight."""
    weights = sum(weight for weight, _chances in weighted) or 1
    first, second = (sum(weight * chances[place] for weight, chances in weighted) / weights for place in (0, 1))
    return first, second


# ---------------------------------------------------------------- reading


def _read_element(system: System, side: Side, data: Any, faults: list[Fault]) -> Element | None:
    """An element of a document, without its marks; None, and its errors added to ``faults``, if it has no odds."""
    unmarked = {key: value for key, value in data.items() if key != "marks"} if isinstance(data, dict) else data
    document = {
        "format": documents.FORMAT,
        "version": documents.VERSION,
        "name": "",
        "system": system.slug,
        "formations": [{"name": "", "elements": [unmarked]}],
    }
    try:
        element: Element = registry.read(document, limited=True).formations[0].elements[0]
    except InvalidDocument as error:
        faults += [Fault(fault.path.replace(ELEMENT_PATH, side, 1), fault.message) for fault in error.faults]
        return None
    faults += [Fault(f"{side}/{key}", reason) for key, reason in system.odds.problems(element)]
    return element


def _read_conditions(system: System, data: Any, faults: list[Fault]) -> Conditions | None:
    try:
        return system.odds.Conditions.model_validate(data)
    except ValidationError as error:
        details = [documents.fault(line) for line in error.errors(include_url=False)]
        faults += [Fault(f"conditions/{fault.path}".rstrip("/"), fault.message) for fault in details]
        return None


# ---------------------------------------------------------------- the answer


def _solve(duel: AnyDuel, check: chains.Check) -> dict[str, Any]:
    return {
        **{side: _one_sided(duel, side, check) for side in SIDES},
        "initiative": duel.initiative,
        **_two_sided(duel, check),
        **duel.totals(),
    }


def _one_sided(duel: AnyDuel, side: Side, check: chains.Check) -> dict[str, Any]:
    """The attack of one side on the other, which only defends itself (G5)."""
    solution = chains.solve(duel.start, lambda state: duel.attack(state, side), check)
    beaten = (WIN, DRAW) if side == "a" else (LOSE, DRAW)
    by_then = [sum(ends[end] for end in beaten) for ends in solution.by_round]
    by_round = [now - before for now, before in zip(by_then, [0, *by_then], strict=False)]
    turn = duel.turn(side)
    return {
        **duel.facts(side),
        "turn": {str(outcome): turn[outcome] for outcome in sorted(turn)},
        "rate": sum(outcome * chance for outcome, chance in turn.items()),
        "turn_kill": by_round[0],
        "destroy": {"by_round": by_round, "never": solution.never, "expected": solution.expected},
    }


def _two_sided(duel: AnyDuel, check: chains.Check) -> dict[str, Any]:
    """One round of both, and the duel to its end."""
    solution = chains.solve(duel.start, duel.round, check)
    first = duel.round(duel.start)
    return {
        "exchange": {
            "a_only": first.get(WIN, 0),
            "b_only": first.get(LOSE, 0),
            "neither": first.get(DRAW, 0),
            "both": sum(chance for state, chance in first.items() if state not in ENDS),
        },
        "duel": {
            **solution.ends,
            "draw": solution.ends[DRAW] + solution.never,
            "never": solution.never,
            "expected": solution.expected,
            "by_round": [[ends[end] for end in ENDS] for ends in solution.by_round],
        },
    }


def _plain(value: Any, exact: bool) -> Any:
    """JSON data of an answer: fractions as text, or floats."""
    if isinstance(value, Mapping):
        return {key: _plain(each, exact) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, exact) for each in value]
    if value is None or not exact:
        return value if value is None else float(value)
    top, bottom = Fraction(value).as_integer_ratio()
    return _digits(top) if bottom == 1 else f"{_digits(top)}/{_digits(bottom)}"


def _digits(number: int) -> str:
    """A positive integer in decimal. Python itself refuses more than 4,300 digits, which long chains exceed."""
    if number < DIGITS_LIMIT:
        return str(number)
    high, low = divmod(number, DIGITS_LIMIT)
    return _digits(high) + str(low).zfill(DIGITS)
