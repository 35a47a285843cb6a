"""A stand on paper: its words and figures, and the block that draws it in the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import ceil
from typing import NamedTuple, TypeVar

from rosters.core.grid import DASH
from rosters.core.messages import _, join, translate
from rosters.core.play import Track
from rosters.pdf.blocks import MIN_BOX, cached_method
from rosters.pdf.canvas import RADIUS, TINT, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement, PrintedModel
from rosters.pdf.sections import Area
from rosters.pdf.text import LEADING, FittedText, fit_text
from rosters.systems.six_mm.dice import against, totals
from rosters.systems.six_mm.play import before_firearms, move, weapon_range
from rosters.systems.six_mm.rules import Element, Stats, features, strength
from rosters.systems.six_mm.tables import FOOT, PURCHASES, QUALITY, TRANSPORT, Reach

MAX_ALTERNATES, MAX_LARGE_ALTERNATES = 4, 2
"""Alternates that are drawn with their stand, and those in large print; the others are in words among the notes."""
WIDE_PAGE = 170.0
"""Pages of at least this width in mm have a set of stands in a row; on others they are one below another."""

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in order, ``size`` at a time, lazily."""
    rest = iter(items)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def max_alternates(style: Style) -> int:
    """How many alternates are drawn with their stand."""
    return MAX_ALTERNATES if style.body < 12 else MAX_LARGE_ALTERNATES


# ---------------------------------------------------------------- a stand in words


@dataclass(frozen=True)
class Stand:
    """A stand of the army, with the command that it is in if the army has several, and whether the army may have
    firearms.
    """

    job: Job
    entry: PrintedElement
    model: PrintedModel
    command: str = ""
    firearms: bool = True

    @property
    def element(self) -> Element:
        return self.entry.element  # type: ignore[return-value]

    @cached_property
    def name(self) -> str:
        """The stand's own name, or what it is, with its number among several."""
        return self.model.name.strip() if self.element.name.strip() else self._numbered

    @property
    def number(self) -> str:
        """Its number among several, "" for one alone."""
        number = int(self.model.path.rpartition(".m")[2])
        return str(number + 1) if self.entry.element.quantity > 1 else ""

    @property
    def _numbered(self) -> str:
        name = self.element.display_name
        return join((name, self.number), " ") if self.number else name

    @cached_property
    def track(self) -> Track | None:
        """The boxes of its strength; None for a type that the rulebook does not have."""
        return next(iter(self.job.tracks(self.element)), None)

    @property
    def routs_at(self) -> str:
        return str(self.entry.priced.facts.get("routs_at", DASH))

    @cached_property
    def marked(self) -> tuple[bool, ...]:
        """Whether each box of its strength is lost."""
        return self.job.marked(self.track, self.model.mark) if self.track else ()

    @property
    def lost(self) -> bool:
        """Whether the marks that are printed leave it without strength."""
        return bool(self.marked) and all(self.marked)

    @cached_property
    def details(self) -> str:
        """What it has beside type and quality."""
        own = (*equipment(self.element, self.element.duplicates), *against(self.element))
        return join((*own, *((self.command,) if self.command else ())))


def army_stands(job: Job) -> Iterator[Stand]:
    """Every stand of the army in order; no purchases."""
    several, firearms = len(job.document.formations) > 1, not before_firearms(job.document)
    for number, formation, _priced in job.formations():
        for entry in job.merged(number):
            if entry.element.type not in PURCHASES:  # type: ignore[attr-defined]
                command = formation.name if several else ""
                yield from (Stand(job, entry, model, command, firearms) for model in entry.models)


def type_and_quality(stats: Stats) -> str:
    """The type of a stand and its quality in words."""
    quality = QUALITY[stats.quality].name if stats.quality in QUALITY else stats.quality
    return join((stats.type or DASH, quality))


def equipment(stats: Stats, alternates: Iterable[Stats] = ()) -> Iterator[str]:
    """What a stand has, and how it is carried: by what it pays for, or by the TNK among its alternates."""
    yield from features(stats)
    if stats.transport:
        yield TRANSPORT[stats.transport]
    elif stats.type in FOOT and any(other.type == "TNK" for other in alternates):
        yield _("own TNK")


# ---------------------------------------------------------------- move and range

NUMBER_PATTERN = re.compile(r"\d+(–\d+)?(/\d+(–\d+)?)*")
LABEL_SIZE, NUMBER_SIZE, CAPTION_SIZE = 7.0, 20.0, 7.0
"""Sizes of the labels and numbers of reaches and of the words beside them, in points."""


class ReachNumber(NamedTuple):
    """A number of squares with its circumstances; a ``choice`` is one of several, marked by the player."""

    number: str
    caption: str
    choice: bool = False


def without_choices(reach: Reach) -> Reach:
    """The same without choices, which are made once for each kind of stand: its numbers in a row, or what is usual
    and the other in words."""
    if NUMBER_PATTERN.fullmatch(translate(reach.parts[0])):
        return reach._replace(choices=0)
    numbers = [match[0] for part in reach.parts[: reach.choices] if (match := NUMBER_PATTERN.search(translate(part)))]
    return Reach(("/".join(numbers), *reach.parts[reach.choices :])) if reach.choices else reach


def reach_numbers(reach: Reach) -> Iterator[ReachNumber]:
    """The numbers of a move or range: its choices, then a number alone, then what is in words."""
    in_words = []
    for place, part in enumerate(reach.parts):
        text = translate(part)
        match = NUMBER_PATTERN.search(text)
        choice = place < reach.choices
        if match and (choice or (place == 0 and match[0] == text)):
            yield ReachNumber(match[0], " ".join(text.replace(match[0], "").split()), choice)
        else:
            in_words.append(text)
    if in_words or not reach.parts:
        yield ReachNumber("" if in_words else DASH, ", ".join(in_words))


class ReachField(NamedTuple):
    """A move or range under its label: numbers, boxes to select one of several, and words.

    The words of boxes are beside them, or ``below`` where there is less room.
    """

    label: str
    reach: Reach
    path: str
    tooltip: str
    size: float = NUMBER_SIZE
    below: bool = False

    def placed(self, style: Style, available: float) -> Iterator[tuple[ReachNumber, float, float, FittedText]]:
        """Each figure with its left edge, the width of its number or box, and its words."""
        mm, x = style.unit, 0.0
        small = style.sized(CAPTION_SIZE)
        for figure in reach_numbers(self.reach):
            if figure.choice:
                text = FittedText(tuple(figure.caption.split()), small)
                text_width = text.width(NARROW)
                own = max(5 * mm, text_width) if self.below else 5 * mm
                yield figure, x, own, text
                x += own + (0.5 if self.below or not text_width else 0.9) * mm + (0 if self.below else text_width)
                continue
            own = ems(figure.number, NAME) * style.sized(self.size) if figure.number else 0.0
            rest = max(available - x - own, 9 * mm)
            text = fit_text(figure.caption, rest, small, 3, NARROW) if figure.caption else FittedText((), small)
            yield figure, x, own, text
            x += own + text.width(NARROW) + 0.8 * mm

    def width(self, style: Style, available: float = 0) -> float:
        """The width of its figures, or of its label where that is wider."""
        placed = self.placed(style, available)
        ends = (
            x + own + (0 if figure.choice and self.below else text.width(NARROW)) for figure, x, own, text in placed
        )
        return max(*ends, Pen.label_width(self.label, style.sized(LABEL_SIZE)))

    def height(self, style: Style, available: float) -> float:
        mm, lowest = style.unit, 0.0
        for figure, _x, _own, text in self.placed(style, available):
            if figure.choice:
                lowest = max(lowest, 7.9 * mm + (text.height if self.below else 0))
            else:
                number = 3.8 * mm + style.sized(self.size) * 0.65 if figure.number else 0.0
                lowest = max(lowest, 3.3 * mm + text.height, number)
        return lowest

    def draw(self, pen: Pen, x: float, top: float, available: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(self.size)
        pen.label(x, top - 1.9 * mm, self.label, size=pen.style.sized(LABEL_SIZE))
        for number, (figure, left, width, text) in enumerate(self.placed(pen.style, available)):
            if figure.choice:
                self.draw_choice(pen, number, figure, Area(x + left, top - 2.7 * mm, width, 5 * mm), text)
            else:
                pen.runs(x + left, top - 3.4 * mm - size * 0.65, figure.number, size, face=NAME)
                pen.lines(x + left + width, top - 3.3 * mm, text, face=NARROW, ink="soft")

    def draw_choice(self, pen: Pen, number: int, figure: ReachNumber, place: Area, text: FittedText) -> None:
        mm, side, size = pen.style.unit, place.height, pen.style.sized(10)
        left, bottom = place.x + (place.width - side) / 2, place.top - side
        pen.rect(left, bottom, side, side, fill=0, radius=RADIUS)
        pen.fit(left, bottom + side / 2 - size * 0.345, figure.number, side, size, face=NARROW_BOLD, align="centre")
        tooltip = join((self.tooltip, self.label, figure.caption or figure.number), ": ")
        pen.check(f"{self.path}.{number}", left, bottom, side, side, tooltip=tooltip)
        if self.below:
            pen.lines(place.x, bottom - 0.3 * mm, text, place.width, align="centre", face=NARROW, ink="soft")
        else:
            middle = place.top - (side - text.height) / 2
            pen.lines(place.x + side + 0.5 * mm, middle, text, face=NARROW, ink="soft")


@dataclass(frozen=True)
class MoveAndRange:
    """Move and range side by side, or one below the other where there is no room."""

    move: ReachField
    range: ReachField
    only_move: bool = False

    @cached_method
    def _placed(self, style: Style, width: float) -> tuple[tuple[ReachField, float, float], ...]:
        """Move and range, where each begins, and how far down."""
        mm = style.unit
        for below in (False, True):
            move, reach = self.move._replace(below=below), self.range._replace(below=below)
            if self.only_move and move.width(style, width) <= width:
                return ((move, 0.0, 0.0),)
            left = max(
                13 * mm, move.width(style, width) + (3.4 if move.reach.choices or "/" in move.reach.text else 1.4) * mm
            )
            if left + reach.width(style, width - left) <= width + 0.1:
                return (move, 0.0, 0.0), (reach, left, 0.0)
        return (move, 0.0, 0.0), (reach, 0.0, move.height(style, width) + mm)

    def height(self, style: Style, width: float) -> float:
        return max(down + each.height(style, width - left) for each, left, down in self._placed(style, width))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        for each, left, down in self._placed(pen.style, width):
            each.draw(pen, x + left, top - down, width - left)


def move_and_range(
    stats: Stats, path: str, tooltip: str, size: float = NUMBER_SIZE, *, choices: bool = False, firearms: bool
) -> MoveAndRange:
    """How far a stand moves and shoots, in squares; small figures leave out the range of what does not shoot.

    With ``choices``, the player marks one of several that the profile leaves open.
    """
    moves, ranges = (
        reach if choices or not reach.parts else without_choices(reach)
        for reach in (move(stats), weapon_range(stats, firearms=firearms))
    )
    return MoveAndRange(
        ReachField(_("Move"), moves, f"{path}.move", tooltip, size),
        ReachField(_("Range"), ranges, f"{path}.range", tooltip, size),
        only_move=size < NUMBER_SIZE and not ranges.parts,
    )


# ---------------------------------------------------------------- strength


class StrengthTrack(NamedTuple):
    """A box for each point of strength: in it the strength left, below it what that adds to the die, in named rows.

    A bar is before the boxes in which the stand routs, which are tinted. At their right is a box to mark when it does,
    and below them one for each other state.
    """

    name: str
    path: str
    marked: tuple[bool, ...]
    routs: int
    """The most strength at which the stand routs."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    states: tuple[tuple[str, str], ...] = ()
    """The keys of the fields of its other states, and their words."""
    box_height: float = 5.1

    def _row(self, style: Style, width: float) -> tuple[int, float]:
        """The boxes in a row, and the step from one to the next."""
        total, mm = len(self.marked), style.unit
        available = width - self._beside(style, width) - 0.5 * mm
        rows = 1
        while rows < total and ceil(total / rows) * self._step(style) > available:
            rows += 1
        per_row = ceil(total / rows)
        return per_row, min(7 * mm, available / max(per_row, 1))

    def _side(self, style: Style) -> float:
        """The height of a box."""
        return max(self.box_height * style.unit, MIN_BOX)

    @staticmethod
    def _step(style: Style) -> float:
        """From one box to the next, at least."""
        return max(4.8 * style.unit, MIN_BOX + 0.3 * style.unit)

    def _state_widths(self, style: Style) -> list[float]:
        """The widths of the boxes of its states, the words in them."""
        texts = (_("routs"), *(texts for _key, texts in self.states))
        return [ems(each, NARROW) * style.sized(7) + 1.6 * style.unit for each in texts]

    def _beside(self, style: Style, width: float) -> float:
        """The width of the boxes of states: at the right of the others, or only the first where there is no room."""
        every = sum(self._state_widths(style)) + 0.6 * style.unit * len(self.states)
        fits = every + len(self.marked) * self._step(style) + 0.5 * style.unit <= width
        return every if fits else self._state_widths(style)[0]

    def states_below(self, style: Style, width: float) -> bool:
        """Whether there are boxes of states below."""
        return bool(self.states) and self._beside(style, width) == self._state_widths(style)[0]

    def _line(self, style: Style) -> float:
        """The height of a row of boxes with what is below it."""
        return self._side(style) + 1.2 * style.unit + len(self.rows) * style.sized(7) * LEADING

    def height(self, style: Style, width: float) -> float:
        per_row, _step = self._row(style, width)
        states = 6 * style.unit if self.states_below(style, width) else 0
        return ceil(len(self.marked) / per_row) * self._line(style) + states

    def _box(self, style: Style, number: int, width: float) -> Area:
        """A box, below and to the right of the origin."""
        mm, (per_row, step) = style.unit, self._row(style, width)
        row, place = divmod(number, per_row)
        return Area(place * step, -row * self._line(style) - 0.9 * mm, step - 0.3 * mm, self._side(style))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        shown = self.marked if not style.fillable else (False,) * len(self.marked)
        key = ("strength", shown, self.routs, self.rows, self.box_height, width)
        pen.draw_cached(key, x, top, lambda: self._draw(pen, shown, width))
        self._draw_states(pen, x, top, width)
        if not style.fillable:
            return
        for number, mark in enumerate(self.marked):
            box = self._box(style, number, width)
            tooltip = _("{stand}: strength {number} of {total}").format(
                stand=self.name, number=number + 1, total=len(self.marked)
            )
            name, bottom = f"{self.path}.strength.{number}", top + box.top - box.height
            pen.check(name, x + box.x, bottom, box.width, box.height, mark, tooltip)

    def _draw(self, pen: Pen, marked: tuple[bool, ...], width: float) -> None:
        mm, size, small = pen.style.unit, pen.style.sized(10), pen.style.sized(7)
        per_row, _step = self._row(pen.style, width)
        for number, mark in enumerate(marked):
            box, left = self._box(pen.style, number, width), len(marked) - number
            middle, bottom = box.x + box.width / 2, box.top - box.height
            fill = 1 if mark else TINT if left <= self.routs else 0
            pen.rect(box.x, bottom, box.width, box.height, fill=fill, radius=RADIUS)
            if not mark:
                baseline = bottom + box.height / 2 - size * 0.345
                pen.text(middle, baseline, str(left), size, face=NARROW_BOLD, align="centre", ink="soft")
            for line, (text, adds) in enumerate(self.rows):
                baseline = bottom - small * (1.0 + line * LEADING)
                pen.text(middle, baseline, adds[number], small, face=NARROW, align="centre")
                if number % per_row == 0:
                    pen.text(width, baseline, text, small, face=NARROW, align="right", ink="soft")
            if left == self.routs + 1 and self.routs:
                edge = box.x + box.width + 0.15 * mm
                pen.line(edge, box.top + 0.9 * mm, edge, bottom - 0.9 * mm, 1.0 * mm)

    def _draw_states(self, pen: Pen, x: float, top: float, width: float) -> None:
        """A box for each state that the stand can be in, its word in it; that of routs at the right."""
        mm, right, below = pen.style.unit, x + width, self.states_below(pen.style, width)
        states = (("routs", _("routs")), *self.states)
        for (key, text), box_width in zip(states, self._state_widths(pen.style), strict=True):
            box_height, size = self._side(pen.style), pen.style.sized(7)
            left, bottom = right - box_width, top - 0.9 * mm - box_height
            pen.rect(left, bottom, box_width, box_height, fill=0, radius=RADIUS, dash=(2, 1.2))
            baseline, tooltip = bottom + box_height / 2 - size * 0.32, join((self.name, text), ": ")
            pen.text(left + box_width / 2, baseline, text, size, face=NARROW, align="centre")
            pen.check(f"{self.path}.now.{key}", left, bottom, box_width, box_height, tooltip=tooltip)
            if below and key == "routs":
                right, top = x + width, top - self.height(pen.style, width) + box_height + 1.5 * mm
            else:
                right = left - 0.6 * mm


STATES = (("square", _("square")), ("limbered", _("limbered")))
"""The states of a stand beside routs: the keys of their fields, and their words."""


def strength_track(stand: Stand) -> StrengthTrack | None:
    """The boxes of a stand with its states; None for a type that the rulebook does not have."""
    element, path = stand.element, stand.model.path
    if not stand.track:
        return None
    rows = tuple(totals(element, bool(weapon_range(element).parts), len(stand.marked)))
    square, limbered = STATES
    states: tuple[tuple[str, str], ...] = ()
    if element.type == "MSK":
        states = (square,)
    elif element.type == "ART" and not element.off_board:
        states = (limbered,)
    return StrengthTrack(stand.name, path, stand.marked, _routs(stand.track), rows, states)


def alternate_track(job: Job, element: Element, path: str, name: str) -> StrengthTrack | None:
    """The boxes of an alternate stand."""
    track = next(iter(job.tracks(element)), None)
    if not track:
        return None
    rows = tuple(totals(element, bool(weapon_range(element).parts), strength(element)))
    return StrengthTrack(name, path, (False,) * strength(element), _routs(track), rows, box_height=4.8)


def _routs(track: Track) -> int:
    return int(len(track.boxes) - (track.breaks_at or 0))
