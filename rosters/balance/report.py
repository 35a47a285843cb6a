"""The fairness report of two forces: who wins how often, what would change it, and what would make it even.

A study is a sequence of trials of 500 battles. It yields one at a time and gets its tally, so that whoever
runs it can show its progress, stop it, and continue after an interruption with the tallies of before: the result is the
same.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple, Self

from rosters.core.documents import AnyDocument
from rosters.core.odds import SIDES, Side
from rosters.core.simulation import Battles
from rosters.core.variants import Change, VariedFields, changes_of

BLOCK = 500
"""Battles of one trial."""
BATTLES = 2_000
"""The usual number of battles of two forces, at most."""
MAX_ADDED = 512
"""Models that the weaker side may get to make it even."""
HANDICAP_TRIALS = 9
"""The usual number of trials of the handicap, for the progress."""
Z = 1.959964
"""Standard deviations on either side of the middle that hold 95 % of a normal distribution."""
MAX_CHANCE = Z * sqrt(1 / (2 * BLOCK))
"""The 95 % limit of the difference of the scores of two blocks by chance; with the same dice it is smaller."""


class Tally(NamedTuple):
    """The results of some battles. ``turns``, ``a_left`` and ``b_left`` are sums over them: the points of the
    survivors, or their number where a game has no points.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    turns: float = 0
    a_left: float = 0
    b_left: float = 0

    @property
    def battles(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> float:
        """A's share of the battles, from 0 to 1: a draw is half a victory."""
        return (self.wins + self.draws / 2) / self.battles

    def __add__(self, more: Self) -> Tally:  # type: ignore[override]  # not as tuples are added
        sums: Any = (mine + theirs for mine, theirs in zip(self, more, strict=True))
        return Tally(*sums)


class Trial(NamedTuple):
    """Battles ``first`` to ``first + BLOCK - 1`` of two forces."""

    name: str
    a: AnyDocument
    b: AnyDocument
    policy: str
    first: int = 0


class Settings(NamedTuple):
    """How a study is made: ``precision`` is half the width of A's interval, from 0 to 1, at which it stops."""

    policies: Sequence[str]
    precision: float = 0.022
    battles: int = BATTLES


Forces = dict[Side, AnyDocument]
Study = Generator[Trial, Tally, dict[str, Any]]
"""Asks for the tally of each trial and returns the report as JSON data."""


def wilson(successes: float, battles: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score; exactly from 0 without a success, to 1 without a failure."""
    share, margin = successes / battles, Z * Z / battles
    center = (share + margin / 2) / (1 + margin)
    half = sqrt(margin * (share * (1 - share) + margin / 4)) / (1 + margin)
    return max(center - half, 0.0) if successes else 0.0, min(center + half, 1.0) if successes < battles else 1.0


MARGIN = wilson(BLOCK / 2, BLOCK)[1] - 1 / 2
"""Half the width of the interval of a block's score of one half."""


def study(a: AnyDocument, b: AnyDocument, varied: VariedFields, battle: Battles, settings: Settings) -> Study:
    """The report of two forces: first the battle itself, then its variants on the same dice, then the handicap."""
    forces: Forces = {"a": a, "b": b}
    policy, *other_policies = settings.policies
    total = first = yield Trial("battle", a, b, policy)
    while total.battles < settings.battles and _half_width(total) > settings.precision:
        total += yield Trial("battle", a, b, policy, total.battles)
    variants = []
    for variant, changed in _variants(forces, varied, battle):
        tally = yield Trial("variant", changed["a"], changed["b"], policy)
        variants.append(variant | _effect(tally, first))
    for each in other_policies:
        variants.append({"kind": "policy", "policy": each} | _effect((yield Trial("variant", a, b, each)), first))
    swapped = yield Trial("variant", b, a, policy)
    variants.append({"kind": "exchanged"} | _effect(_exchanged(swapped), first))
    handicap = yield from _handicap(forces, battle, policy, total)
    played = {"policy": policy} if other_policies else {}
    return {**_shares(total), **played, "variants": variants, "handicap": handicap}


def planned_trials(a: AnyDocument, b: AnyDocument, varied: VariedFields) -> int:
    """About how many trials a study has, without NumPy, since pages ask: variants that cannot be fought count too, and
    how many the handicap takes depends on the results."""
    return 1 + sum(1 for force in (a, b) for _change in _changes(force, varied)) + HANDICAP_TRIALS


def _half_width(tally: Tally) -> float:
    low, high = wilson(tally.wins, tally.battles)
    return (high - low) / 2


def _shares(tally: Tally) -> dict[str, Any]:
    """Shares of victories, defeats and draws with their intervals, and the means of a battle."""
    n = tally.battles
    outcomes = {"win": tally.wins, "lose": tally.losses, "draw": tally.draws}
    return {
        "battles": n,
        **{name: {"share": count / n, "interval": wilson(count, n)} for name, count in outcomes.items()},
        "turns": tally.turns / n,
        "a_left": tally.a_left / n,
        "b_left": tally.b_left / n,
    }


def _effect(tally: Tally, base: Tally) -> dict[str, float]:
    """A's score with a variant, and the difference from the first block, which had the same dice."""
    return {"score": tally.score, "difference": tally.score - base.score}


def _exchanged(tally: Tally) -> Tally:
    """A tally from the point of view of the other side."""
    return tally._replace(wins=tally.losses, losses=tally.wins, a_left=tally.b_left, b_left=tally.a_left)


# ---------------------------------------------------------------- variants


def _variants(forces: Forces, varied: VariedFields, battle: Battles) -> Iterator[tuple[dict[str, Any], Forces]]:
    """Each variant as JSON data, with both forces as they then are; only those that can be simulated."""
    for side in SIDES:
        for variant, changed in _changes(forces[side], varied):
            if _can_fight(changed, battle):
                yield {"kind": variant["kind"], "side": side, **variant}, {**forces, side: changed}


def _changes(document: AnyDocument, varied: VariedFields) -> Iterator[tuple[dict[str, Any], AnyDocument]]:
    """Each variant of one force."""
    for change in changes_of(document.elements, varied):
        yield {"kind": "stat", **change._asdict()}, with_change(document, change, varied)
    for place, element in enumerate(document.elements):
        if element.quantity:
            yield {"kind": "fewer", "place": place}, with_quantity(document, place, element.quantity - 1)


def _can_fight(document: AnyDocument, battle: Battles) -> bool:
    """Whether a force can be simulated: a stat of 0 or one model fewer may leave nobody, or somebody without rules."""
    fighters = [element for element in document.elements if element.quantity and battle.takes_part(element)]
    return bool(fighters) and not any(problem for element in fighters for problem in battle.problems(element))


def with_change(document: AnyDocument, change: Change, varied: VariedFields) -> AnyDocument:
    """The document with a change of its elements."""
    formations = (
        formation.replace(elements=tuple(change.apply_to(each, varied) for each in formation.elements))
        for formation in document.formations
    )
    return document.replace(formations=tuple(formations))


def with_quantity(document: AnyDocument, place: int, quantity: int) -> AnyDocument:
    """The document with another quantity of its element number ``place``, counted through all formations."""
    chosen = [*document.elements][place]
    formations = (
        formation.replace(
            elements=tuple(each.replace(quantity=quantity) if each is chosen else each for each in formation.elements),
        )
        for formation in document.formations
    )
    return document.replace(formations=tuple(formations))


# ---------------------------------------------------------------- the handicap


def _handicap(
    forces: Forces, battle: Battles, policy: str, total: Tally
) -> Generator[Trial, Tally, dict[str, Any] | None]:
    """How many models of its most numerous line the weaker side needs for half of the battles; None if the interval of
    its share has 50 % in it.

    ``models`` is interpolated between whole numbers, and None if MAX_ADDED are not enough. The 95 % ``interval`` holds
    the numbers with which one half is in the interval of the score.
    """
    low, high = wilson(total.wins + total.draws / 2, total.battles)
    if low <= 1 / 2 <= high:
        return None
    weaker: Side = "a" if total.score < 1 / 2 else "b"
    document = forces[weaker]
    quantities = [element.quantity for element in document.elements]
    place = max(range(len(quantities)), key=lambda n: (battle.takes_part([*document.elements][n]), quantities[n]))

    def score_with(added: int) -> Generator[Trial, Tally, float]:
        grown = {**forces, weaker: with_quantity(document, place, quantities[place] + added)}
        tally = yield Trial("handicap", grown["a"], grown["b"], policy)
        return tally.score if weaker == "a" else 1 - tally.score

    scores, tried = {0: _score_of(total, weaker)}, 1
    while (score := (yield from score_with(tried))) < 1 / 2 and tried < MAX_ADDED:
        scores[tried] = score
        tried *= 2
    if score < 1 / 2:
        return {"side": weaker, "place": place, "models": None}
    too_few, enough = tried // 2, tried
    scores[enough] = score
    if score < 1 / 2 + MARGIN:  # the interval ends farther on
        scores[2 * enough] = yield from score_with(2 * enough)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        scores[middle] = yield from score_with(middle)
        too_few, enough = (middle, enough) if scores[middle] < 1 / 2 else (too_few, middle)
    models = _rise({each: scores[each] for each in (too_few, enough)}, 1 / 2)
    interval = _rise(scores, 1 / 2 - MARGIN), max(_rise(scores, 1 / 2 + MARGIN, last=True), models)
    return {"side": weaker, "place": place, "models": models, "interval": interval}


def _rise(scores: Mapping[int, float], level: float, *, last: bool = False) -> float:
    """How many models make the score rise to a level for the first or the last time: between numbers that have fought
    in proportion, and beyond them as on average up to there.
    """
    steps = [*pairwise(sorted(scores.items()))]
    for (fewer, below), (more, above) in reversed(steps) if last else steps:
        if below < level <= above:
            return fewer + (more - fewer) * (level - below) / (above - below)
    if scores[0] >= level:
        return 0
    last_known = max(models for models, score in scores.items() if score >= 1 / 2)
    return last_known * (level - scores[0]) / (scores[last_known] - scores[0])


def _score_of(tally: Tally, side: Side) -> float:
    return tally.score if side == "a" else 1 - tally.score
