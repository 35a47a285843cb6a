"""Measures a purchase: how many plain elements are an even fight for some of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any

from rosters import registry
from rosters.balance import answers
from rosters.balance.arena import Arena, Summary, summarize
from rosters.balance.report import Z
from rosters.core import documents
from rosters.core.documents import AnyDocument
from rosters.core.simulation import Battlefield, Outcome
from tools.worth.questions import GAMES, Match, Row, Study

SEED = 7
SEARCH = 4
"""A number that is only tried has so many times fewer battles than the two that an even fight lies between."""
MOST = 8
"""At most so many times the plain force is fought; what beats that is only said to be worth more."""
DIGITS = 3

Parts = Sequence[tuple[Mapping[str, Any], int]]


def force(system: str, parts: Parts, times: int = 1, unit: int | None = None) -> AnyDocument:
    """A roster of one formation, or of formations of so many models of its first part."""
    elements = [{"name": "", **fields, "quantity": number * times} for fields, number in parts]
    formations = [{"name": "", "elements": elements}]
    if unit:
        (fields, number), *_none = parts
        sizes = [min(unit, number * times - first) for first in range(0, number * times, unit)]
        formations = [{"name": "", "elements": [{"name": "", **fields, "quantity": size}]} for size in sizes]
    return registry.read(
        {"format": documents.FORMAT, "version": 1, "system": system, "name": "", "formations": formations}
    )


def price(system: str, parts: Parts) -> Fraction | None:
    """The points of a purchase, as players pay them; None in a game without points."""
    total = registry.total_points(force(system, parts))
    return None if total is None else Fraction(total)


def fight(system: str, study: Study | Match, a: AnyDocument, b: AnyDocument, battles: int) -> Outcome:
    """Fight as the study says."""
    policies = {"a": study.policy, "b": study.policy} if study.policy else None
    battlefield = Battlefield(study.ground) if isinstance(study, Study) and study.ground is not None else None
    return Arena(a, b, policies, battlefield).fight(battles, SEED)


def measured(system: str, study: Study, row: Row) -> dict[str, Any]:
    """The row as data: times the plain price, times its worth with the 95 % interval, and the same by exact odds.

    Without ``worth``, ``low`` is less than it is worth, or ``high`` more. ``models`` are those that were bought.
    """
    paid, plain = price(system, row.parts), price(system, [(study.plain, row.plain)])
    times = float(paid / plain) if paid is not None and plain else None
    exact = by_odds(system, study, row.parts)
    units = sum(number for _fields, number in row.parts)
    bought = max(1, round(study.models / row.plain / (times or units)))
    mine = force(system, row.parts, bought, study.unit)

    @lru_cache(None)
    def score(number: int, battles: int) -> float:
        outcome = fight(system, study, mine, force(system, [(study.plain, number)], 1, study.unit), battles)
        return float((outcome.winner + 1).mean() / 2)

    guess, most = round(bought * row.plain * (exact or times or units)), max(MOST * study.models, 2 * bought)
    even = even_fight(score, max(1, min(guess, most)), most, study.battles)
    worths = {
        name: None if number is None else round(number / bought / row.plain, DIGITS) for name, number in even.items()
    }
    return {
        "label": row.label,
        "price": None if times is None else round(times, DIGITS),
        **worths,
        "exact": None if exact is None else round(exact, DIGITS),
        "models": bought,
    }


def even_fight(score: Callable[[int, int], float], guess: int, most: int, battles: int) -> dict[str, float | None]:
    """The number of plain elements against which half of the battles are won, interpolated, with its 95 % interval."""
    low, high = _bracket(lambda number: score(number, battles // SEARCH), guess, most)
    while low >= 1 and score(low, battles) < 1 / 2:
        low, high = low - 1, low
    while 1 <= high <= most and score(high, battles) >= 1 / 2:
        low, high = high, high + 1
    if high > most:
        return {"worth": None, "low": low, "high": None}
    if low < 1:
        return {"worth": None, "low": None, "high": 1}
    above, below = score(low, battles), score(high, battles)
    even, half = low + (above - 1 / 2) / (above - below), Z / 2 / sqrt(battles) / (above - below)
    return {"worth": even, "low": max(even - half, 0), "high": even + half}


def _bracket(score: Callable[[int], float], guess: int, most: int) -> tuple[int, int]:
    """Two numbers in a row; the first wins half of the battles, the second less. 0 and ``most`` + 1 are not tried."""
    low, high, number = 0, most + 1, guess
    while high - low > 1:
        if score(number) >= 1 / 2:
            low = number
        else:
            high = number
        if high > most:
            number = min(max(low + 1, low * 5 // 4), most)
        elif low < 1:
            number = min(high * 4 // 5, high - 1)
        else:
            number = (low + high) // 2
    return low, high


def by_odds(system: str, study: Study, parts: Parts) -> float | None:
    """The worth by Lanchester's square law from exact odds: the root of how long the plain element takes to beat this
    one, over how long this one takes to beat it. None where either may fail, or several are bought at once.
    """
    (fields, number), *others = parts
    if others or number > 1:
        return None
    a, b, conditions = {"name": "", **fields}, {"name": "", **study.plain}, {"distance": study.distance}
    matchup = answers.read({"system": system, "a": a, "b": b, "conditions": conditions})
    duel = matchup.duel()
    mine, theirs = (matchup.expected_rounds(duel, side) for side in ("a", "b"))
    return sqrt(theirs / mine) if mine and theirs else None


def plain_battle(system: str, study: Study) -> float:
    """The mean number of turns in which the plain force fights itself."""
    plain = force(system, [(study.plain, study.models)], 1, study.unit)
    return round(summarize(fight(system, study, plain, plain, study.battles)).turns, 1)


BATTLES = 2_000
"""Battles of a match."""


def matched(system: str, match: Match) -> dict[str, Any]:
    """A match as data, the winner first: both forces, their points, and the share of battles that the first wins."""
    (name_a, fields_a, number_a), (name_b, fields_b, number_b) = match.a, match.b
    paid, each = price(system, [(fields_a, number_a)]), price(system, [(fields_b, 1)])
    number_b = number_b or round(paid / each)  # type: ignore[operator]  # games without points say both numbers
    a, b = (force(system, [part], 1, match.unit) for part in ((fields_a, number_a), (fields_b, number_b)))
    summary: Summary = summarize(fight(system, match, a, b, BATTLES))
    sides = [_side(system, name_a, number_a, a), _side(system, name_b, number_b, b)]
    swapped = summary.lose.share > summary.win.share
    win = summary.lose if swapped else summary.win
    shares = dict(zip(("win", "low", "high"), (round(share, DIGITS) for share in win), strict=True))
    first, second = sides[::-1] if swapped else sides
    return {
        "a": first,
        "b": second,
        "policy": match.policy,
        "unit": match.unit,
        **shares,
        "draw": round(summary.draw.share, DIGITS),
    }


def _side(system: str, name: str, number: int, roster: AnyDocument) -> dict[str, Any]:
    points = registry.total_points(roster)
    return {"name": name, "models": number, "points": None if points is None else float(points)}


Job = tuple[str, str, int, int, int]


def jobs() -> Iterator[Job]:
    """Everything that is measured, by its place: the kind, the game, and numbers."""
    for slug, game in GAMES.items():
        for at, study in enumerate(game.studies):
            yield "plain", slug, at, 0, 0
            for group, each in enumerate(study.groups):
                yield from (("row", slug, at, group, row) for row in range(len(each.rows)))
        yield from (("match", slug, at, 0, 0) for at in range(len(game.matches)))


def work(job: Job) -> Any:
    """The measurement of a job."""
    kind, slug, at, group, row = job
    game = GAMES[slug]
    if kind == "match":
        return matched(slug, game.matches[at])
    study = game.studies[at]
    return plain_battle(slug, study) if kind == "plain" else measured(slug, study, study.groups[group].rows[row])
