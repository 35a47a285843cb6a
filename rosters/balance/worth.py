"""What the points miss: price against worth in each game, as ``python -m tools.worth`` measured it.

fixtures/worth.json has numbers and names; every sentence is composed of them here, so that none can say anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from rosters.balance.words import readings
from rosters.core.amounts import format_amount
from rosters.core.documents import Element
from rosters.core.lines import write_line
from rosters.core.messages import Message, _, join
from rosters.core.reference import fixtures_folder
from rosters.core.values import FrozenModel
from rosters.drawing.worth import Point
from rosters.registry import SYSTEMS, System

INTRODUCTION = _(
    "What do the points buy? Each line changes one thing. Both sides spend the same points: one on changed elements, "
    "one on plain ones. Price is what the rules charge for it, worth is how many plain ones are an even fight; both in "
    "times the plain element. What is priced 1.5 and worth 3 earns 2 times its price: a bargain."
)
BY_ODDS = _(
    "“By odds” comes from the exact odds of one against one where nobody moves: the square root of how long the plain "
    "one takes to beat it, divided by how long it takes to beat the plain one (Lanchester's square law)."
)
LEFT_OUT = _(
    "This is our estimate, and changes no price and no legality. It holds for equal forces on open ground that follow "
    "simple orders. Terrain, objectives, mixed forces and cunning are left out, and against other opponents a stat is "
    "worth something else. Who has won is decided as the game decides it, mostly by points left. Numbers in brackets "
    "are the 95 % interval."
)
MARGIN = 0.1
"""The margin beyond which a purchase is called a bargain or poor, if its whole interval is beyond."""
MAX_LISTED = 4
"""Bargains and poor purchases that are named."""
POLICIES = {"solo": _("Both by the solo tables"), "hunt": _("Both seeking the best shots")}
"""The orders of ships in words."""
EVEN_CHANCE = 0.5


class Row(FrozenModel):
    """A purchase in times the plain one: its price, its worth by battles with the 95 % interval, and by exact odds.

    Without ``worth`` it is more than ``low`` or less than ``high``. ``models`` fought.
    """

    label: str
    price: float | None
    worth: float | None
    low: float | None
    high: float | None
    exact: float | None
    models: int

    def earned(self, bound: str = "worth") -> float:
        """How many times its price a purchase is worth, or a ``low`` or ``high`` bound of that."""
        worth = getattr(self, bound)
        if worth is None:
            worth = inf if self.high is None and bound != "low" else self.low or 0
        return float(worth) / (self.price or 1)

    @property
    def point(self) -> Point:
        """The row as a point of the chart."""
        return Point(self.label, self.price, self.worth, self.low, self.high)

    @property
    def price_text(self) -> str:
        return "–" if self.price is None else decimals(self.price)

    @property
    def worth_text(self) -> str:
        """The worth with its interval."""
        if self.worth is None:
            return _bound(self, 1)
        return f"{decimals(self.worth)} ({decimals(self.low or 0)}–{decimals(self.high or 0)})"

    @property
    def earned_text(self) -> str:
        """How many times its price it is worth."""
        return _bound(self, self.price or 1) if self.worth is None else decimals(self.earned())

    @property
    def exact_text(self) -> str:
        return "–" if self.exact is None else decimals(self.exact)


def _bound(row: Row, price: float) -> str:
    if row.high is None:
        return _("more than {number}").format(number=decimals((row.low or 0) / price))
    return _("less than {number}").format(number=decimals(row.high / price))


def decimals(number: float) -> str:
    """A number as precisely as it is known: two decimals, one from 10 on."""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}"


class Group(FrozenModel):
    """Rows of one kind; those of a stat are its values in order."""

    title: str
    stat: bool
    rows: tuple[Row, ...]

    @property
    def values(self) -> list[str]:
        """The values of a stat, without its name."""
        return [row.label.removeprefix(self.title).strip() for row in self.rows]


class Study(FrozenModel):
    """A plain element with its points, and what was changed of it.

    ``turns`` is the mean length of a battle of the plain force against itself.
    """

    key: str
    title: str
    plain: dict[str, Any]
    points: float | None
    models: int
    battles: int
    policy: str | None
    fixed: bool
    distance: Any
    turns: float
    unit: int | None
    groups: tuple[Group, ...]

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]


class Side(FrozenModel):
    """A force of a match."""

    name: str
    models: int
    points: float | None


class Match(FrozenModel):
    """How often one force beat another, the winner first."""

    a: Side
    b: Side
    policy: str | None
    unit: int | None
    win: float
    low: float
    high: float
    draw: float


class Question(FrozenModel):
    """Which of some rows of a study is the better purchase."""

    question: str
    study: str
    rows: tuple[str, ...]


class GameWorth(FrozenModel):
    """All that was measured of a game. ``unmeasured`` has a price and does nothing in these battles."""

    system: str
    readings: str
    unmeasured: str
    studies: tuple[Study, ...]
    matches: tuple[Match, ...]
    questions: tuple[Question, ...]


class Worth(FrozenModel):
    """The measurements of all games; ``battles`` are those of a match."""

    seed: int
    battles: int
    games: tuple[GameWorth, ...]


def path() -> Path:
    """The file of the measurements."""
    return fixtures_folder() / "worth.json"


@cache  # 1.3 ms
def measurements() -> Worth:
    """The measurements as committed."""
    return Worth.model_validate_json(path().read_text(encoding="utf-8"))


def measurements_of(system: System) -> GameWorth:
    """The measurements of a game."""
    return next(game for game in measurements().games if game.system == system.slug)


# ---------------------------------------------------------------- sentences


class Answer(NamedTuple):
    """A question with its answer, and the rows of a study that it is about, best first."""

    question: str
    text: Message
    study: Study
    rows: list[Row]


class Extremes(NamedTuple):
    """What earns most and least of its price in a study, as far as that is certain."""

    study: Study
    bargains: list[Row]
    poor: list[Row]


def answers(game: GameWorth) -> Iterator[Answer]:
    """Each question with its answer."""
    for question in game.questions:
        study = next(study for study in game.studies if study.key == question.study)
        rows = ranked([row for row in study.rows if row.label in question.rows])
        yield Answer(question.question, answer_of(rows), study, rows)


def ranked(rows: Iterable[Row]) -> list[Row]:
    """Rows by how many times their price they are worth, the best first."""
    return sorted(rows, key=Row.earned, reverse=True)


def answer_of(rows: Sequence[Row]) -> Message:
    """The best and the last of ranked purchases; they are distinguished only if their intervals do not touch."""
    best, second, last = rows[0], rows[1], rows[-1]
    if best.earned("low") <= last.earned("high"):
        return _("There is no difference that chance could not make.")
    if best.earned("low") > second.earned("high"):
        return _("Best: {best}. Last: {last}.").format(best=_valued(best), last=_valued(last))
    text = _("Best (too close to separate): {best}; {second}. Last: {last}.")
    return text.format(best=_valued(best), second=_valued(second), last=_valued(last))


def _valued(row: Row) -> Message:
    if row.price is None:
        return _("{label}, worth {worth}").format(label=row.label, worth=row.worth_text)
    texts = {"label": row.label, "price": row.price_text, "worth": row.worth_text}
    return _("{label}, worth {worth} for {price}").format(**texts)


def extremes(game: GameWorth) -> Iterator[Extremes]:
    """The bargains and the poor purchases of each study that has prices."""
    for study in game.studies:
        priced = [row for row in study.rows if row.price is not None]
        bargains = ranked(row for row in priced if row.earned("low") > 1 + MARGIN)
        poor = ranked(row for row in priced if row.earned("high") < 1 - MARGIN)[::-1]
        if bargains or poor:
            yield Extremes(study, bargains[:MAX_LISTED], poor[:MAX_LISTED])


def matches(game: GameWorth) -> Iterator[tuple[Match, Message]]:
    """Each match with who beats whom in words."""
    for match in game.matches:
        yield match, _match(game, match)


def _match(game: GameWorth, match: Match) -> Message:
    """Who beats whom, and how often."""
    a, b = (_side(game, side) for side in (match.a, match.b))
    shares = [format_amount(Fraction(round(1000 * share), 10)) for share in (match.win, match.low, match.high)]
    values: dict[str, str] = {"a": a, "b": b, **dict(zip(("win", "low", "high"), shares, strict=True))}
    if match.low <= EVEN_CHANCE <= match.high:
        text = _("{a} against {b} is even: {win} of 100 battles won ({low}–{high}).")
    else:
        text = _("{a} beat {b} {win} times in 100 ({low}–{high}).")
    sentence = text.format(**values)
    if match.unit:
        return _("In units of {unit}: {sentence}").format(unit=match.unit, sentence=sentence)
    if any(each.unit for each in game.matches):
        return _("Each in one unit: {sentence}").format(sentence=sentence)
    if match.policy:
        return _("{policy}: {sentence}").format(policy=POLICIES[match.policy], sentence=sentence)
    return sentence


def _side(game: GameWorth, side: Side) -> Message:
    words = SYSTEMS[game.system].rules.WORDS
    if side.points is None:
        return _("{number} × {name}").format(number=side.models, name=side.name)
    points = words.count_points(Fraction(side.points))
    return _("{number} × {name} ({points})").format(number=side.models, name=side.name, points=points)


def plain_line(system: System, study: Study) -> str:
    """The plain element of a study as it is written in quick add."""
    element: Element = system.rules.Element.model_validate({"name": "", **study.plain})
    return write_line(system.grammar, element)


def unmeasured(game: GameWorth) -> Message:
    """What a game's measurements leave out."""
    text = _("Not measured: {what}.").format(what=game.unmeasured)
    if SYSTEMS[game.system].rules.WORDS.has_points:
        return text
    return join(
        [text, _("The rules have no points: worth is in figures, and as many as of the plain ones fight.")], " "
    )


def method(system: System, study: Study) -> Message:
    """How a study was measured."""
    words = system.rules.WORDS
    values: dict[str, str | int] = {
        "line": plain_line(system, study),
        "models": study.models,
        "battles": f"{study.battles:,}",
    }
    values |= {"turns": f"{study.turns:.1f}", "distance": system.odds.RANGES.get(study.distance, str(study.distance))}
    values["units"] = _(" in units of {unit}").format(unit=study.unit) if study.unit else ""
    plain = _("Plain: {line}.")
    if study.points is not None:
        plain, values["points"] = _("Plain: {line}, {points}."), words.count_points(Fraction(study.points))
    fight = _("A battle of {models}{units} against as many takes {turns} turns; {battles} battles for each number.")
    sentences = [plain, fight, *([_("Nobody moves.")] if study.fixed else []), _("Odds at: {distance}.")]
    return join([sentence.format(**values) for sentence in sentences], " ")


_RANGE = re.compile(r"R(\d+)–R(\d+)")


def readings_of(game: GameWorth) -> list[tuple[str, str]]:
    """The readings that the measurements of a game rest on: number and text."""
    numbers = [f"R{each}" for low, high in _RANGE.findall(game.readings) for each in range(int(low), int(high) + 1)]
    known = readings()
    return [(number, known[number]) for number in numbers if number in known]
