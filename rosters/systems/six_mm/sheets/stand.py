"""A stand on paper: its words and figures, and the block that draws it in the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple, TypeVar

from rosters.core.messages import _, join, translate
from rosters.core.play import Track
from rosters.pdf.blocks import measured_once
from rosters.pdf.canvas import MM, RADIUS, TINT, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement, PrintedModel
from rosters.pdf.layout import Area
from rosters.pdf.text import LEADING, FittedText, fit_text
from rosters.systems.six_mm.play import move, strength_adds, weapon_range
from rosters.systems.six_mm.rules import Element, Stats, features
from rosters.systems.six_mm.tables import FOOT, PURCHASES, QUALITY, TRANSPORT, Reach

MAX_ALTERNATES, MAX_LARGE_ALTERNATES = 4, 2
"""Alternates that are drawn with their stand, and those in large print; the others are in words among the notes."""
NONE = "–"

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in order, ``size`` at a time, lazily."""
    rest = iter(items)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def unit(style: Style) -> float:
    """A millimetre of usual print in points; in large print more."""
    return MM * style.body / 9


def least(size: float, style: Style) -> float:
    """A size of text in usual print as it is in this style, 7 points at least."""
    return max(7.0, size * style.body / 9)


def most_alternates(style: Style) -> int:
    """How many alternates are drawn with their stand."""
    return MAX_ALTERNATES if style.body < 12 else MAX_LARGE_ALTERNATES


# ---------------------------------------------------------------- a stand in words


@dataclass(frozen=True)
class Stand:
    """A stand of the army, with the command that it is in if the army has several."""

    job: Job
    entry: PrintedElement
    model: PrintedModel
    command: str = ""

    @property
    def element(self) -> Element:
        return self.entry.element  # type: ignore[return-value]

    @cached_property
    def name(self) -> str:
        """The stand's own name, or what it is, with its number among several."""
        return self.model.name.strip() if self.element.name.strip() else self._numbered

    @property
    def _numbered(self) -> str:
        number = self.model.path.rpartition(".m")[2]
        many = self.entry.element.quantity > 1
        return join((self.element.shown_name, str(int(number) + 1)), " ") if many else self.element.shown_name

    @cached_property
    def track(self) -> Track | None:
        """The boxes of its strength; None for a type that the rulebook does not have."""
        return next(iter(self.job.tracks(self.element)), None)

    @property
    def routs_at(self) -> str:
        return str(self.entry.priced.facts.get("routs_at", NONE))

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
        return join((*equipment(self.element, self.element.duplicates), *((self.command,) if self.command else ())))


def army_stands(job: Job) -> Iterator[Stand]:
    """Every stand of the army in order; no purchases."""
    several = len(job.document.formations) > 1
    for number, formation, _priced in job.formations():
        for entry in job.merged(number):
            if entry.element.type not in PURCHASES:  # type: ignore[attr-defined]
                yield from (Stand(job, entry, model, formation.name if several else "") for model in entry.models)


def kind(stats: Stats) -> str:
    """Type and quality."""
    quality = QUALITY[stats.quality].name if stats.quality in QUALITY else stats.quality
    return join((stats.type or NONE, quality))


def equipment(stats: Stats, alternates: Iterable[Stats] = ()) -> Iterator[str]:
    """What a stand has, and how it is carried: by what it pays for, or by the TNK among its alternates."""
    yield from features(stats)
    if stats.transport:
        yield TRANSPORT[stats.transport]
    elif stats.type in FOOT and any(other.type == "TNK" for other in alternates):
        yield _("own TNK")


# ---------------------------------------------------------------- move and range

NUMBER = re.compile(r"\d+(–\d+)?")
LABEL, BIG, CAPTION = 7.0, 20.0, 7.0
"""Sizes of labels, numbers and what is beside them, in points."""


class Figure(NamedTuple):
    """A number of squares with its circumstances; a ``choice`` is one of several, marked by the player."""

    number: str
    caption: str
    choice: bool = False


def figures_of(reach: Reach) -> Iterator[Figure]:
    """The numbers of a move or range: its choices, then a number alone, then what is in words."""
    in_words = []
    for place, part in enumerate(reach.parts):
        words = translate(part)
        found = NUMBER.search(words)
        choice = place < reach.choices
        if found and (choice or (place == 0 and found[0] == words)):
            yield Figure(found[0], " ".join(words.replace(found[0], "").split()), choice)
        else:
            in_words.append(words)
    if in_words or not reach.parts:
        yield Figure("" if in_words else NONE, ", ".join(in_words))


class Figures(NamedTuple):
    """A move or range under its label: numbers, boxes to select one of several, and words.

    The words of boxes are beside them, or ``below`` where there is less room.
    """

    label: str
    reach: Reach
    path: str
    spoken: str
    size: float = BIG
    below: bool = False

    def _placed(self, style: Style, room: float) -> Iterator[tuple[Figure, float, float, FittedText]]:
        """Each figure with its left edge, the width of its number or box, and its words."""
        mm, x = unit(style), 0.0
        small = least(CAPTION, style)
        for figure in figures_of(self.reach):
            if figure.choice:
                text = FittedText(tuple(figure.caption.split()), small)
                words = _width(text)
                own = max(5 * mm, words) if self.below else 5 * mm
                yield figure, x, own, text
                x += own + (0.5 if self.below or not words else 0.9) * mm + (0 if self.below else words)
                continue
            own = ems(figure.number, NAME) * least(self.size, style) if figure.number else 0.0
            rest = max(room - x - own, 9 * mm)
            text = fit_text(figure.caption, rest, small, 3, NARROW) if figure.caption else FittedText((), small)
            yield figure, x, own, text
            x += own + _width(text) + 0.8 * mm

    def width(self, style: Style, room: float = 0) -> float:
        """The width of its figures, or of its label where that is wider."""
        placed = self._placed(style, room)
        ends = (x + own + (0 if figure.choice and self.below else _width(text)) for figure, x, own, text in placed)
        return max(*ends, Pen.label_width(self.label, least(LABEL, style)))

    def height(self, style: Style, room: float) -> float:
        mm, lowest = unit(style), 0.0
        for figure, _x, _own, text in self._placed(style, room):
            if figure.choice:
                lowest = max(lowest, 7.9 * mm + (text.height if self.below else 0))
            else:
                number = 3.8 * mm + least(self.size, style) * 0.65 if figure.number else 0.0
                lowest = max(lowest, 3.3 * mm + text.height, number)
        return lowest

    def draw(self, pen: Pen, x: float, top: float, room: float) -> None:
        mm, size = unit(pen.style), least(self.size, pen.style)
        pen.label(x, top - 1.9 * mm, self.label, size=least(LABEL, pen.style))
        for number, (figure, left, wide, text) in enumerate(self._placed(pen.style, room)):
            if figure.choice:
                self._draw_choice(pen, number, figure, Area(x + left, top - 2.7 * mm, wide, 5 * mm), text)
            else:
                pen.runs(x + left, top - 3.4 * mm - size * 0.65, figure.number, size, face=NAME)
                pen.lines(x + left + wide, top - 3.3 * mm, text, face=NARROW, ink="soft")

    def _draw_choice(self, pen: Pen, number: int, figure: Figure, place: Area, text: FittedText) -> None:
        mm, side, size = unit(pen.style), place.height, least(10, pen.style)
        left, bottom = place.x + (place.width - side) / 2, place.top - side
        pen.rect(left, bottom, side, side, fill=0, radius=RADIUS)
        pen.fit(left, bottom + side / 2 - size * 0.345, figure.number, side, size, face=NARROW_BOLD, align="centre")
        spoken = join((self.spoken, self.label, figure.caption or figure.number), ": ")
        pen.check(f"{self.path}.{number}", left, bottom, side, side, spoken=spoken)
        if self.below:
            pen.lines(place.x, bottom - 0.3 * mm, text, place.width, align="centre", face=NARROW, ink="soft")
        else:
            middle = place.top - (side - text.height) / 2
            pen.lines(place.x + side + 0.5 * mm, middle, text, face=NARROW, ink="soft")


def _width(text: FittedText) -> float:
    return max((ems(line, NARROW) * text.size for line in text.lines), default=0.0)


@dataclass(frozen=True)
class MoveAndRange:
    """Move and range side by side, or one below the other where there is no room."""

    move: Figures
    range: Figures
    only_move: bool = False

    @measured_once
    def _placed(self, style: Style, width: float) -> tuple[tuple[Figures, float, float], ...]:
        """Move and range, where each begins, and how far down."""
        mm = unit(style)
        for below in (False, True):
            move, reach = self.move._replace(below=below), self.range._replace(below=below)
            if self.only_move and move.width(style, width) <= width:
                return ((move, 0.0, 0.0),)
            left = max(13 * mm, move.width(style, width) + 1.4 * mm)
            if left + reach.width(style, width - left) <= width + 0.1:
                return (move, 0.0, 0.0), (reach, left, 0.0)
        return (move, 0.0, 0.0), (reach, 0.0, move.height(style, width) + mm)

    def height(self, style: Style, width: float) -> float:
        return max(down + each.height(style, width - left) for each, left, down in self._placed(style, width))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        for each, left, down in self._placed(pen.style, width):
            each.draw(pen, x + left, top - down, width - left)


def move_and_range(stats: Stats, path: str, spoken: str, size: float = BIG) -> MoveAndRange:
    """How far a stand moves and shoots, in squares; small figures leave out the range of what does not shoot."""
    return MoveAndRange(
        Figures(_("Move"), move(stats), f"{path}.move", spoken, size),
        Figures(_("Range"), weapon_range(stats), f"{path}.range", spoken, size),
        only_move=size < BIG and not weapon_range(stats).parts,
    )


# ---------------------------------------------------------------- strength


class StrengthTrack(NamedTuple):
    """A box for each point of strength: in it the strength left, below it what that adds to the die.

    A bar is before the boxes in which the stand routs, which are tinted. A ``headed`` track has its words above larger
    boxes, others have them at the right.
    """

    stand: Stand
    headed: bool = False

    @property
    def _head(self) -> float:
        """The height of the words above the boxes in mm."""
        return 3.8 if self.headed else 0.0

    @property
    def _tall(self) -> float:
        """The height of a box in mm."""
        return 7.0 if self.headed else 6.0

    def _row(self, style: Style, width: float) -> tuple[int, float]:
        """The boxes in a row, and the step from one to the next."""
        total, mm = len(self.stand.marked), unit(style)
        room = width if self.headed and self._lines() == 1 else width - 7 * mm
        rows = 1
        while -(-total // rows) * 4.8 * mm > room:
            rows += 1
        across = -(-total // rows)
        return across, min((self._tall + 1) * mm, room / across)

    def _lines(self) -> int:
        return len(strength_adds(self.stand.element, 1))

    def height(self, style: Style, width: float) -> float:
        across, _step = self._row(style, width)
        rows = -(-len(self.stand.marked) // across)
        return self._head * unit(style) + rows * self._row_height(style)

    def _row_height(self, style: Style) -> float:
        return (self._tall + 1.2) * unit(style) + self._lines() * least(7, style) * LEADING

    @property
    def _routs(self) -> int:
        """The most strength at which the stand routs."""
        return len(self.stand.marked) - ((self.stand.track and self.stand.track.breaks_at) or 0)

    def _box(self, style: Style, number: int, width: float) -> Area:
        """A box, below and to the right of the origin."""
        mm, (across, step) = unit(style), self._row(style, width)
        row, place = divmod(number, across)
        down = row * self._row_height(style) + (self._head + 0.9) * mm
        return Area(place * step, -down, step - 0.3 * mm, self._tall * mm)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        stand, style = self.stand, pen.style
        shown = stand.marked if not style.fillable else (False,) * len(stand.marked)
        key = ("strength", shown, self._routs, self._lines(), width, self.headed)
        pen.draw_cached(key, x, top, lambda: self._draw(pen, shown, width))
        if not style.fillable:
            return
        for number, mark in enumerate(stand.marked):
            box = self._box(style, number, width)
            spoken = _("{stand}: strength {number} of {total}").format(
                stand=stand.name, number=number + 1, total=len(stand.marked)
            )
            name, bottom = f"{stand.model.path}.strength.{number}", top + box.top - box.height
            pen.check(name, x + box.x, bottom, box.width, box.height, mark, spoken)

    def _draw(self, pen: Pen, marked: tuple[bool, ...], width: float) -> None:
        mm, size, small = unit(pen.style), least(10, pen.style), least(7, pen.style)
        for number, mark in enumerate(marked):
            box, left = self._box(pen.style, number, width), len(marked) - number
            middle, bottom = box.x + box.width / 2, box.top - box.height
            fill = 1 if mark else TINT if left <= self._routs else 0
            pen.rect(box.x, bottom, box.width, box.height, fill=fill, radius=RADIUS)
            if not mark:
                baseline = bottom + box.height / 2 - size * 0.345
                pen.text(middle, baseline, str(left), size, face=NARROW_BOLD, align="centre", ink="soft")
            for line, add in enumerate(strength_adds(self.stand.element, left)):
                baseline = bottom - small * (1.0 + line * LEADING)
                pen.text(middle, baseline, f"+{add}", small, face=NARROW, align="centre", ink="soft")
            if left == self._routs + 1 and self._routs:
                edge = box.x + box.width + 0.15 * mm
                pen.line(edge, box.top + 0.9 * mm, edge, bottom - 0.9 * mm, 1.0 * mm)
        self._draw_words(pen, width)

    def _draw_words(self, pen: Pen, width: float) -> None:
        """Above or at the right of the boxes where the stand routs; at the right what two rows of additions are for."""
        mm, small, (across, step) = unit(pen.style), least(7, pen.style), self._row(pen.style, width)
        right = across * step + 0.6 * mm
        room = width - right
        routs = _("routs at {strength}").format(strength=self._routs)
        if self.headed:
            pen.label(0, -2.6 * mm, _("Strength"), size=small)
            pen.text(width, -2.6 * mm, routs, least(8.5, pen.style), face=NARROW, align="right", ink="soft")
        else:
            words = fit_text(routs, room, least(8, pen.style), 2, NARROW)
            middle = -(0.9 + self._tall / 2) * mm + words.height / 2
            pen.lines(right, middle, words, room, face=NARROW, align="right", ink="soft")
        for line, text in enumerate((_("shooting"), _("fighting"))[: self._lines() if self._lines() > 1 else 0]):
            if ems(text, NARROW) * small <= room:
                baseline = -(self._head + self._tall + 0.9) * mm - small * (1.0 + line * LEADING)
                pen.text(width, baseline, text, small, face=NARROW, align="right", ink="soft")
