"""The odds of elements of two rosters, as pages show them."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rosters.balance.answers import Matchup, mean_of
from rosters.balance.words import CHANCES, NUMBERS, readings_named
from rosters.core.appraisals import RosterState, headcount, terms_of
from rosters.core.cache import MemoryCache
from rosters.core.documents import Element, InvalidDocument, profile_key
from rosters.core.messages import Message, _
from rosters.core.odds import SIDES, Conditions, Factor, Side, other, percent, product
from rosters.drawing.svg import Symbol
from rosters.registry import SYSTEMS, System
from rosters.web import roster_page

MAX_SHOWN = 10
"""Elements of each side on one page of a matrix."""
SECONDS = 1.5
"""The time after which a matrix computes no more; what it has computed is cached for the next load of the page."""


class Row(NamedTuple):
    """Equal elements of a roster: one of them, their names, their counter, and how many models they have."""

    element: Element
    name: str
    counter: Symbol
    quantity: int


def rows_of(state: RosterState) -> list[Row]:
    """The elements of a roster that have odds, equal ones once, in their order."""
    system, terms = SYSTEMS[state.document.system], terms_of(state.document)
    groups: dict[Any, list[Element]] = {}
    for element in state.document.elements:
        if not [*system.odds.problems(element)]:
            groups.setdefault(profile_key(element), []).append(element)
    return [_row(system, terms, elements) for elements in groups.values()]


def row_of(state: RosterState, uid: str | None) -> Row | None:
    """The element with this id, or the first one without an id; None if it is not there or has no odds."""
    system = SYSTEMS[state.document.system]
    for element in state.document.elements:
        if uid in (None, element.id) and not [*system.odds.problems(element)]:
            return _row(system, terms_of(state.document), [element])
    return None


def _row(system: System, terms: Any, elements: Sequence[Element]) -> Row:
    first, *others = dict.fromkeys(element.display_name for element in elements)
    name: str = first
    if others:
        name = _("{name} and {more} more").format(name=first, more=len(others))
    counter = roster_page.strip_counter(system, elements[0], terms)
    return Row(elements[0], name, counter, headcount(system.rules, elements))


# ---------------------------------------------------------------- the matrix


class Cell(NamedTuple):
    """A chance of a row against a column: whole percent or a sign, the level of its color, and both elements."""

    text: str
    level: int
    a: Row
    b: Row
    value: float | None


class Mean(NamedTuple):
    """The mean of a row over the models of all columns: whole percent or a sign, and the level of its color."""

    text: str
    level: int


_chances = MemoryCache[tuple[Any, ...], tuple[float, float]](8 << 20)
"""The two chances of equal pairs: for A, and where there is one for B; 0 for what is too long to compute."""
CHANCES_BYTES = 2048


def matrix(
    system: System, sides: Sequence[Sequence[Row]], conditions: Conditions, measure: str
) -> list[tuple[Row, list[Cell], Mean]]:
    """The chances of all rows of A against all of B, and the mean of each row."""
    stop = time.process_time() + SECONDS
    table: list[tuple[Row, list[Cell], Mean]] = []
    for a in sides[0]:
        against = [(b, _chances_of(Matchup(system, a.element, b.element, conditions), measure, stop)) for b in sides[1]]
        cells = [_cell(a, b, measure, chances) for b, chances in against]
        table.append((a, cells, _mean(measure, [(b.quantity, chances) for b, chances in against])))
    return table


def mean_against(against: Iterable[tuple[Row, Matchup]], measure: str, stop: float) -> Mean:
    """The mean chance of an element against the models of these rows, as in a matrix."""
    return _mean(measure, [(row.quantity, _chances_of(matchup, measure, stop)) for row, matchup in against])


def _chances_of(matchup: Matchup, measure: str, stop: float) -> tuple[float, float] | None:
    """The two chances of a pair; None if they are not known and it is later than ``stop``, in seconds of the CPU."""
    key = (matchup.system.slug, profile_key(matchup.a), profile_key(matchup.b), matchup.conditions, measure)
    chances = _chances.get(key)
    if chances is None and time.process_time() <= stop:
        try:
            chances = matchup.measure(measure)
        except InvalidDocument:
            chances = 0, 0
        _chances.set(key, chances, CHANCES_BYTES)
    return chances


def _cell(a: Row, b: Row, measure: str, chances: tuple[float, float] | None) -> Cell:
    if chances is None or not any(chances):
        return Cell("…" if chances is None else "–", 0, a, b, None)
    return Cell(_percent(chances[0]), _level(measure, *chances), a, b, chances[0])


def _mean(measure: str, weighted: Sequence[tuple[int, tuple[float, float] | None]]) -> Mean:
    known = [(quantity, chances) for quantity, chances in weighted if chances is not None]
    if len(known) < len(weighted):
        return Mean("…", 0)
    mine, theirs = mean_of(known)
    return Mean(_percent(mine), _level(measure, mine, theirs)) if mine or theirs else Mean("–", 0)


def _percent(chance: float) -> str:
    return percent(chance).removesuffix("\u00a0%")


def _level(measure: str, mine: float, theirs: float) -> int:
    """From 1, nearly certain, over 3, even, to 5, nearly lost. Only a duel has a loser."""
    if measure != "win":
        return 1 if mine >= 2 / 3 else 2 if mine >= 1 / 3 else 3
    share = mine / (mine + theirs)
    return next((level for level, least in ((1, 0.795), (2, 0.545), (3, 0.455), (4, 0.205)) if share >= least), 5)


def sentences(table: Sequence[tuple[Row, Sequence[Cell], Mean]]) -> Iterator[str]:
    """What a matrix of duels says at a glance."""
    cells = [cell for _row, cells, _mean in table for cell in cells if cell.value is not None]
    lost, won = (len([cell for cell in cells if cell.text == text]) for text in ("0", "100"))
    duels = len([cell for _row, cells, _mean in table for cell in cells])
    if won:
        yield _("Certain wins: {number} of {all} duels.").format(number=won, all=duels)
    if lost:
        yield _("Certain losses: {number} of {all} duels.").format(number=lost, all=duels)
    for column in zip(*(cells for _row, cells, _mean in table), strict=True):
        answers = [cell for cell in column if (cell.value or 0) >= 0.5]
        if len(answers) == 1 and len(column) > 2:
            yield _("Only {a} beats the enemy’s {b} in at least half of the duels.").format(
                a=answers[0].a.name, b=answers[0].b.name
            )


# ---------------------------------------------------------------- a pair


class Receipt(NamedTuple):
    """One chance with its factors."""

    label: str
    text: str
    factors: Sequence[tuple[str, Factor]]


class Attack(NamedTuple):
    """What one element does to the other: numbers by their labels, and the receipts of its chances."""

    attacker: Row
    target: Row
    numbers: Sequence[tuple[str, str]]
    receipts: Sequence[Receipt]


class RangeRow(NamedTuple):
    """What two elements do to each other at a range: numbers of A, then of B, and the receipts of both."""

    label: Message | str
    texts: Sequence[str]
    receipts: Sequence[tuple[int, Sequence[Receipt]]]
    """The receipts of the first and of the second element, by the number of the seat."""


class Pair(NamedTuple):
    """Two elements in both directions, the duel, and the chances at each range."""

    attacks: Sequence[Attack]
    duel: Sequence[tuple[str, str, int, int]]
    """Who wins: the label, the percent as text, the side as a number, and the whole percent."""
    expected: str
    initiative: str
    """The chance that A goes first, "" where both act at once."""
    rounds: Sequence[Sequence[str]]
    ranges: Sequence[RangeRow]
    readings: Sequence[tuple[str, str]]


def pair(matchup: Matchup, a: Row, b: Row) -> Pair:
    """The odds of two elements. Raises InvalidDocument if the duel is too long."""
    answer, duel = matchup.solve(), matchup.duel()
    rows: Mapping[Side, Row] = {"a": a, "b": b}
    attacks = [_attack(answer[side], duel, side, rows) for side in SIDES]
    ends, at_ranges = answer["duel"], [*ranges(matchup)]
    results: list[tuple[str, float, int]] = [
        (a.name, ends["win"], 1),
        (b.name, ends["lose"], 2),
        (_("both fall"), ends["draw"] - ends["never"], 0),
        (_("nobody can win"), ends["never"], 0),
    ]
    return Pair(
        attacks,
        [(label, percent(chance), side, round(100 * chance)) for label, chance, side in results if chance > 1e-9],
        rounds_text(ends["expected"]),
        "" if answer["initiative"] is None else percent(answer["initiative"]),
        [
            *((str(number), *map(percent, chances)) for number, chances in enumerate(ends["by_round"], 1)),
            (_("in the end"), *map(percent, (ends["win"], ends["lose"], ends["draw"] - ends["never"]))),
        ],
        at_ranges,
        readings_named(readings_in((*receipts_in(at_ranges), *attacks[0].receipts, *attacks[1].receipts))),
    )


def rounds_text(expected: float | None) -> str:
    """An expected number of rounds, "–" where it may take for ever."""
    return "–" if expected is None else f"{expected:.1f}"


def _attack(solved: Mapping[str, Any], duel: Any, side: Side, rows: Mapping[Side, Row]) -> Attack:
    destroy = solved["destroy"]
    numbers: list[tuple[str, str]] = []
    if "attacks" in solved:
        numbers.append((NUMBERS["attacks"], f"{solved['attacks']:.0f}"))
    numbers += [(CHANCES[key], percent(solved[key])) for key in ("hit", "injure", "kill", "turn_kill") if key in solved]
    numbers.append((_("Expected rounds to beat it"), rounds_text(destroy["expected"])))
    return Attack(rows[side], rows[other(side)], numbers, attack_of(duel, side))


def attack_of(duel: Any, side: Side) -> list[Receipt]:
    """The receipts of a side's chances."""
    return [
        Receipt(CHANCES[key], percent(product(factors)), [(percent(factor.chance), factor) for factor in factors])
        for key, factors in duel.receipts(side).items()
    ]


def readings_in(receipts: Iterable[Receipt]) -> Iterator[str]:
    """The readings that receipts name."""
    for receipt in receipts:
        for _text, factor in receipt.factors:
            yield factor.readings
            yield from (modifier.reading for modifier in factor.modifiers)


def receipts_in(rows: Iterable[RangeRow]) -> Iterator[Receipt]:
    """The receipts of all ranges."""
    return (receipt for row in rows for _number, receipts in row.receipts for receipt in receipts)


def ranges(matchup: Matchup) -> Iterator[RangeRow]:
    """At each range what A does to B, then B to A: an attack hits, takes out, and the expected rounds."""
    for distance, label in matchup.system.odds.RANGES.items():
        there = matchup._replace(conditions=matchup.conditions.replace(distance=distance))
        duel = there.duel()
        sides = ((duel.facts(side), there.expected_rounds(duel, side)) for side in SIDES)
        columns = ((percent(facts["hit"]), percent(facts["kill"]), rounds_text(rounds)) for facts, rounds in sides)
        receipts = [(number, attack_of(duel, side)) for number, side in enumerate(SIDES, 1)]
        yield RangeRow(label, [text for column in columns for text in column], receipts)


def count_models(rows: Iterable[Row]) -> int:
    """The number of models in the rows."""
    return sum(row.quantity for row in rows)


def counters(rows: Iterable[Row]) -> Iterable[Symbol]:
    """The counters of rows, each once."""
    return {row.counter.id: row.counter for row in rows}.values()
