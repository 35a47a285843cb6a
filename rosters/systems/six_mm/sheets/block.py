"""The block of a stand in the army record: its counter, move and range, its boxes, and its alternate stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil
from typing import NamedTuple

from rosters.core.grid import DASH
from rosters.core.messages import _, join, ngettext
from rosters.drawing.counter import COUNTER_SHAPE
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import MIN_BOX, BlankLine, cached_method
from rosters.pdf.canvas import HAIR, PALE, RADIUS, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.text import FittedText, fit_one_or_two, wrap
from rosters.systems.six_mm.dice import half
from rosters.systems.six_mm.rules import MAX_STRENGTH, Alternate, Element, Stats, times
from rosters.systems.six_mm.sheets.stand import (
    MoveAndRange,
    Stand,
    StrengthTrack,
    alternate_track,
    chunks,
    equipment,
    max_alternates,
    move_and_range,
    reach_numbers,
    strength_track,
    type_and_quality,
)
from rosters.systems.six_mm.tables import LOADS, TURNS_AWAY

PAD, COUNTER, GAP = 1.7, 20.0, 1.4
"""Lengths of a block in mm: inside its frame, the width of a counter, and what is between it and the text."""
STRIP = 80.0
"""Blocks of at least this width in mm have their boxes beside the counter."""
BESIDE = 58.0
"""The left edge of boxes beside the counter, in mm."""
SMALL_COUNTER = 11.0
MAX_ROWS = 2
"""The most stands of an alternate that have boxes."""
FIGURES = 11.5
"""The height of move and range side by side, at most."""


class StandText(NamedTuple):
    """Type and quality of a stand, and below them what it has, in as many lines as that needs."""

    head: str
    text: str

    def _lines(self, style: Style, width: float) -> FittedText:
        size = style.sized(7)
        return FittedText(tuple(wrap(self.text, width, size, NARROW)), size)

    def height(self, style: Style, width: float) -> float:
        return 3.9 * style.unit + self._lines(style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.fit(x, top - 2.5 * pen.style.unit, self.head, width, pen.style.sized(8.5), face=NARROW_BOLD)
        pen.lines(x, top - 3.3 * pen.style.unit, self._lines(pen.style, width), face=NARROW, ink="soft")


class Sorties(NamedTuple):
    """Boxes of an aircraft: its loads, and the turns before it may return."""

    stand: Stand

    @property
    def _rows(self) -> Iterator[tuple[str, str, int, str]]:
        """A label, the key of the fields, how many boxes, and a text after them."""
        loads = LOADS.get(self.stand.element.ordnance or "", 0)
        if loads:
            yield ngettext("load used", "loads used", loads), "load", loads, ""
        yield _("away"), "away", TURNS_AWAY, _("back on a 6")

    def height(self, style: Style, width: float) -> float:
        return len([*self._rows]) * 5.4 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(7.5)
        side = MIN_BOX * pen.style.enlargement
        labels = max(ems(text, NARROW) * size for text, *_rest in self._rows) + 1.2 * mm
        for row, (text, key, number, after) in enumerate(self._rows):
            boxes = number * (side + 0.4 * mm) + 0.8 * mm
            aligned = labels + boxes + ems(after, NARROW) * size <= width
            label = labels if aligned else ems(text, NARROW) * size + 1.2 * mm
            bottom = top - (row + 1) * 5.4 * mm + 0.6 * mm
            pen.fit(x, bottom + 1.3 * mm, text, label, size, face=NARROW, ink="soft")
            for box in range(number):
                tooltip = _("{stand}: {what} {number} of {total}").format(
                    stand=self.stand.name, what=text, number=box + 1, total=number
                )
                name = f"{self.stand.model.path}.{key}.{box}"
                pen.box(x + label + box * (side + 0.4 * mm), bottom, side, name=name, tooltip=tooltip)
            right = label + boxes
            if after and right < width:
                pen.fit(x + right, bottom + 1.3 * mm, after, width - right, size, face=NARROW, ink="soft")


@dataclass(frozen=True)
class AlternateStand:
    """An alternate of a stand: its counter, what it is, its move and range."""

    stand: Stand
    stats: Alternate
    path: str
    boxes: bool = True

    @property
    def text(self) -> str:
        what = join((self.stats.type or DASH, *equipment(self.stats)))
        return _("or {stand}").format(stand=times(self.stats.quantity, what))

    @cached_property
    def _figures(self) -> MoveAndRange:
        name = join((self.stand.name, self.text))
        return move_and_range(self.stats, self.path, name, 14, firearms=self.stand.firearms)

    @cached_method
    def _parts(self, style: Style, width: float) -> tuple[FittedText, float, float]:
        """Its text, and where its figures are: beside them, or below where there is no room."""
        mm, size = style.unit, style.sized(7.5)
        left = (SMALL_COUNTER + GAP) * mm
        available = max((width - left) * 0.36, 14 * mm)
        beside = FittedText(tuple(wrap(self.text, available - 1 * mm, size, NARROW)), size)
        in_a_row = self._figures.height(style, width - left - available) <= FIGURES * mm
        if in_a_row and max(ems(word, NARROW) for word in self.text.split()) * size < available - 1 * mm:
            return beside, left + available, 0.0
        text = FittedText(tuple(wrap(self.text, width - left, size, NARROW)), size)
        return text, left, text.height + 0.9 * mm

    @cached_property
    def tracks(self) -> tuple[StrengthTrack, ...]:
        """The boxes of each of its stands, if they are drawn with it."""
        if not self.boxes:
            return ()
        element, name = _element_of(self.stats), join((self.stand.name, self.text))
        paths = (f"{self.path}.{number}" for number in range(min(self.stats.quantity, MAX_ROWS)))
        return tuple(filter(None, (alternate_track(self.stand.job, element, path, name) for path in paths)))

    def _above(self, style: Style, width: float) -> float:
        """The height of what is above its boxes."""
        if self._in_a_row(style, width):
            return 5.4 * style.unit
        text, left, down = self._parts(style, width)
        figures = down + self._figures.height(style, width - left)
        return max(text.height, figures, SMALL_COUNTER * COUNTER_SHAPE * style.unit) + 1.8 * style.unit

    @cached_method
    def _in_a_row(self, style: Style, width: float) -> bool:
        """Whether its text and its move have room in a line above the boxes, right of the counter."""
        available, move = width - (SMALL_COUNTER + GAP) * style.unit, self._figures.move
        alone = self._figures.only_move and not any(figure.caption for figure in reach_numbers(move.reach))
        needed = ems(self.text, NARROW_BOLD) * style.sized(7.5) + 3 * style.unit + self._move_width(style)
        one = all(track.height(style, available) == track.height(style, 9 * width) for track in self.tracks)
        return alone and needed <= available and one and bool(self.tracks)

    def _move_width(self, style: Style) -> float:
        label = Pen.label_width(self._figures.move.label, style.sized(7)) + 1.4 * style.unit
        return label + ems(self._figures.move.reach.text, NAME) * style.sized(11)

    def height(self, style: Style, width: float) -> float:
        available = width - (SMALL_COUNTER + GAP) * style.unit if self._in_a_row(style, width) else width
        return self._above(style, width) + sum(track.height(style, available) for track in self.tracks)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, above = pen.style.unit, self._above(pen.style, width)
        text, left, down = self._parts(pen.style, width)
        pen.line(x, top - 0.5 * mm, x + width, top - 0.5 * mm, HAIR, ink="line")
        counter = (SMALL_COUNTER + GAP) * mm
        pen.picture(_picture(self.stand, self.stats), x, top - 1.3 * mm, SMALL_COUNTER * mm)
        if self._in_a_row(pen.style, width):
            x, width = x + counter, width - counter
            self._draw_line(pen, x, top - 4.4 * mm, width)
        else:
            pen.lines(x + counter, top - 1.3 * mm, text, face=NARROW)
            self._figures.draw(pen, x + left, top - 1.3 * mm - down, width - left)
        top -= above
        for track in self.tracks:
            track.draw(pen, x, top, width)
            top -= track.height(pen.style, width)

    def _draw_line(self, pen: Pen, x: float, baseline: float, width: float) -> None:
        """Draw its text and its move in a line."""
        style, move = pen.style, self._figures.move
        pen.text(x, baseline, self.text, style.sized(7.5), face=NARROW_BOLD)
        start = x + width - self._move_width(style)
        pen.label(start, baseline, move.label, size=style.sized(7))
        pen.text(x + width, baseline, move.reach.text, style.sized(11), face=NAME, align="right")


def _picture(stand: Stand, stats: Stats) -> Picture:
    """The counter of a stand or of one of its alternates."""
    return stand.job.counter(stats if isinstance(stats, Element) else _element_of(stats), large=False)


@lru_cache(maxsize=256)  # one element, whose JSON text is written once: 15 % of a pack
def _element_of(stats: Alternate) -> Element:
    """A single stand like an alternate."""
    return Element.model_construct(name="", **{**dict(stats), "quantity": 1})


@dataclass(frozen=True)
class StandBlock:
    """A stand in its frame. Narrow ones have their boxes below the counter, wide ones beside it.

    ``min_text_height`` is as much as the texts of its neighbors need, so that numbers align.
    """

    stand: Stand
    min_text_height: float = 0.0

    @cached_property
    def alternates(self) -> tuple[AlternateStand, ...]:
        shown, path = max_alternates(self.stand.job.style), f"{self.stand.model.path}.state"
        alternates = enumerate(self.stand.element.duplicates[:shown])
        return tuple(AlternateStand(self.stand, stats, f"{path}.{number}") for number, stats in alternates)

    @cached_property
    def _text(self) -> StandText:
        return StandText(type_and_quality(self.stand.element), self.stand.details)

    @cached_method
    def _heights(self, style: Style, width: float) -> tuple[float, float, float, float]:
        """Heights of the name, of what is beside the counter, of the boxes, and of everything."""
        mm = style.unit
        inner = width - 2 * PAD * mm
        named = inner - (self._room(style, width) + GAP * mm if self._wide(style, width) else 0.0)
        name = fit_one_or_two(self.stand.name, named, style.sized(11.5), NAME).height + 0.4 * mm
        beside = self.beside_counter(style, width)
        wide = self._wide(style, width)
        boxes = self._boxes(style, self._room(style, width))
        below = sum(
            alternate.height(style, self._room(style, width) if wide else inner) for alternate in self.alternates
        )
        both = max(name + beside, boxes + below) if wide else name + beside + 0.8 * mm + boxes + below
        return name, beside, boxes, PAD * mm * 1.6 + both

    def beside_counter(self, style: Style, width: float) -> float:
        """The height of the counter, or of what is beside it."""
        right = self._column(style, width)
        text_height = self._text_height(style, right) + self._figures.height(style, right)
        return max(COUNTER * COUNTER_SHAPE * style.unit, text_height)

    def draw_counter(self, pen: Pen, x: float, top: float, width: float) -> None:
        """Draw the counter and what is beside it."""
        pen.picture(_picture(self.stand, self.stand.element), x, top, COUNTER * pen.style.unit)
        column, right = x + (COUNTER + GAP) * pen.style.unit, self._column(pen.style, width)
        self._text.draw(pen, column, top, right)
        self._figures.draw(pen, column, top - self._text_height(pen.style, right), right)

    @cached_property
    def _figures(self) -> MoveAndRange:
        stand = self.stand
        return move_and_range(stand.element, stand.model.path, stand.name, firearms=stand.firearms)

    def beside(self, neighbors: Iterable[StandBlock], style: Style, width: float) -> StandBlock:
        """The block with its numbers level with those of its neighbors in a row of blocks of this width."""
        right = self._column(style, width)
        return replace(self, min_text_height=max(block._text.height(style, right) for block in neighbors))

    def _text_height(self, style: Style, width: float) -> float:
        """Numbers of usual size end with the counter, or are below a longer text."""
        usual = COUNTER * COUNTER_SHAPE * style.unit - 8.6 * style.unit
        return max(self.min_text_height, self._text.height(style, width), usual)

    def _wide(self, style: Style, width: float) -> bool:
        return width >= STRIP * style.unit

    def _column(self, style: Style, width: float) -> float:
        """The width of what is beside the counter."""
        end = BESIDE * style.unit if self._wide(style, width) else width - PAD * style.unit
        return end - (PAD + COUNTER + GAP) * style.unit

    def _room(self, style: Style, width: float) -> float:
        """The width of the boxes."""
        start = BESIDE + GAP if self._wide(style, width) else PAD
        return width - (start + PAD) * style.unit

    @cached_property
    def track(self) -> StrengthTrack | None:
        return strength_track(self.stand)

    def _boxes(self, style: Style, available: float) -> float:
        track = self.track.height(style, available) if self.track else 0.0
        return track + (Sorties(self.stand).height(style, available) if self.stand.element.type == "AIR" else 0.0)

    def height(self, style: Style, width: float) -> float:
        return self._heights(style, width)[3]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, style, stand = pen.style.unit, pen.style, self.stand
        name, beside, boxes, _height = self._heights(style, width)
        available, wide, left = self._room(style, width), self._wide(style, width), x + PAD * mm
        inner = width - 2 * PAD * mm - (available + GAP * mm if wide else 0.0)
        top -= PAD * mm * 0.8
        start = top
        pen.lines(left, top, fit_one_or_two(stand.name, inner, style.sized(11.5), NAME), face=NAME)
        top -= name
        self.draw_counter(pen, left, top, width)
        if wide:
            left, top = x + width - PAD * mm - available, start
        else:
            top -= beside + 0.8 * mm
        self._draw_boxes(pen, left, top, available)
        top -= boxes
        for alternate in self.alternates:
            alternate.draw(pen, left, top, available)
            top -= alternate.height(style, available)

    def _draw_boxes(self, pen: Pen, x: float, top: float, available: float) -> None:
        if self.track:
            self.track.draw(pen, x, top, available)
            top -= self.track.height(pen.style, available)
        if self.stand.element.type == "AIR":
            Sorties(self.stand).draw(pen, x, top, available)


ALIKE = 10
"""How many alike stands share a block."""
NUMBER, COLUMNS_GAP = 4.4, 3.0
"""In mm: before the boxes of a stand, for its number, and between two columns of stands."""


@dataclass(frozen=True)
class AlikeBlock:
    """Alike stands in one frame: what they have in common at the left, the boxes of each in columns at the right.

    What a strength adds to the die is below the last stand of a column.
    """

    stands: tuple[Stand, ...]

    @cached_property
    def _common(self) -> StandBlock:
        return StandBlock(self.stands[0])

    @cached_property
    def _alternates(self) -> tuple[AlternateStand, ...]:
        return tuple(replace(each, boxes=False) for each in self._common.alternates)

    @cached_property
    def _title(self) -> str:
        return times(len(self.stands), self.stands[0].element.display_name)

    def _tracks(self, stand: Stand, *, last: bool) -> Iterator[tuple[str, StrengthTrack | Sorties]]:
        """The boxes of a stand and of its alternates, each with what is before it."""
        block = StandBlock(stand)
        if block.track:
            yield stand.number, block.track if last else block.track._replace(rows=())
        if stand.element.type == "AIR":
            yield "", Sorties(stand)
        for alternate in block.alternates:
            for track in alternate.tracks:
                yield alternate.stats.type, track if last else track._replace(rows=())

    def _columns(self, style: Style, available: float) -> tuple[tuple[Stand, ...], ...]:
        """The stands in two columns if there is room, or in one."""
        boxes = max((len(stand.marked) for stand in self.stands), default=0)
        two = len(self.stands) > 1 and (2 * (NUMBER + boxes * 5.2 + 10) + COLUMNS_GAP) * style.unit <= available
        return (*chunks(self.stands, ceil(len(self.stands) / 2)),) if two else (self.stands,)

    def _placed(
        self, style: Style, available: float
    ) -> Iterator[tuple[float, float, float, str, StrengthTrack | Sorties]]:
        """Every row of boxes: its left edge, its distance from the top, its width, what is before it, and itself."""
        mm, columns = style.unit, self._columns(style, available)
        track_width = (available - (len(columns) - 1) * COLUMNS_GAP * mm) / len(columns)
        for place, stands in enumerate(columns):
            left, down = place * (track_width + COLUMNS_GAP * mm), 0.0
            for stand in stands:
                for text, track in self._tracks(stand, last=stand is stands[-1]):
                    yield left, down, track_width, text, track
                    down += track.height(style, track_width - self._before(style))

    def _before(self, style: Style) -> float:
        """What is before boxes: a number, or the type of an alternate."""
        mm, types = style.unit, [each.stats.type for each in self._alternates]
        return max([NUMBER * mm, *(ems(each, NARROW) * style.sized(7) + mm for each in types)])

    @cached_method
    def _heights(self, style: Style, width: float) -> tuple[float, float, float, float]:
        """Heights of the name, of what is beside the counter, of the alternates below it, and of everything."""
        mm, column = style.unit, BESIDE * style.unit - PAD * style.unit
        name = fit_one_or_two(self._title, column, style.sized(11.5), NAME).height + 0.4 * mm
        beside = self._common.beside_counter(style, width)
        below = sum(alternate.height(style, column) for alternate in self._alternates)
        available = width - (BESIDE + GAP + PAD) * mm
        rows = (
            down + track.height(style, track_width - self._before(style))
            for _left, down, track_width, _words, track in self._placed(style, available)
        )
        return name, beside, below, PAD * mm * 1.6 + max(name + beside + below, *rows, 0.0)

    def height(self, style: Style, width: float) -> float:
        return self._heights(style, width)[3] + BETWEEN * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, style, column = pen.style.unit, pen.style, (BESIDE - PAD) * pen.style.unit
        name, beside, _below, height = self._heights(style, width)
        pen.frame(x, top - height, width, height)
        left, top = x + PAD * mm, top - PAD * mm * 0.8
        pen.lines(left, top, fit_one_or_two(self._title, column, style.sized(11.5), NAME), face=NAME)
        self._common.draw_counter(pen, left, top - name, width)
        down = name + beside
        for alternate in self._alternates:
            alternate.draw(pen, left, top - down, column)
            down += alternate.height(style, column)
        start, before = x + (BESIDE + GAP) * mm, self._before(style)
        for right, lower, track_width, text, track in self._placed(style, x + width - PAD * mm - start):
            size = style.sized(7 if len(text) > 2 else 9)
            pen.text(start + right, top - lower - 4.4 * mm, text, size, face=NARROW_BOLD, ink="soft")
            track.draw(pen, start + right + before, top - lower, track_width - before)


BETWEEN = 1.4
"""The space between blocks, in mm."""


def draw_blank_counter(pen: Pen, x: float, top: float, width: float) -> None:
    """Draw a counter with an empty box for its symbol and room for its number."""
    step, height = width / 46, width * COUNTER_SHAPE
    pen.rect(x, top - height, width, height, radius=3 * step, fill=PALE)
    pen.rect(x + 4 * step, top - 21 * step, 24 * step, 16 * step, fill=0, dash=(2, 1.5), line=HAIR)


class BlankBlock(NamedTuple):
    """A block to fill in by hand: boxes for every strength that a stand can have."""

    number: int
    priced: bool = True

    def height(self, style: Style, width: float) -> float:
        boxes = (1.6 + 8.6 * (1 if width >= STRIP * style.unit else 2) + 0.6) * style.unit
        return (6.2 + BLANK_LINES) * style.unit + boxes

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, path = pen.style.unit, f"blank{self.number}"
        x, width, counter = x + PAD * mm, width - 2 * PAD * mm, BLANK_LINES * mm
        right = 15 * mm if self.priced else 0.0
        BlankLine(_("Stand"), f"{path}.name", 0.8).draw(pen, x, top - 0.6 * mm, width - right - 1.2 * mm)
        if self.priced:
            BlankLine(_("Points"), f"{path}.points", 0.8).draw(pen, x + width - right, top - 0.6 * mm, right)
        top -= 6.2 * mm
        draw_blank_counter(pen, x, top, COUNTER * mm)
        column = x + (COUNTER + GAP) * mm
        right = x + width - column
        for row, names in enumerate(BLANK_FIELDS):
            available = right / len(names) - 1.2 * mm
            for place, (key, label) in enumerate(names):
                left = column + place * (available + 1.2 * mm)
                BlankLine(label, f"{path}.{key}", 0.8).draw(pen, left, top + (1.2 - 5.0 * row) * mm, available)
        self._boxes(pen, x, top - counter - 1.6 * mm, width)

    def _boxes(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, small = pen.style.unit, pen.style.sized(7)
        per_row = MAX_STRENGTH if width >= (STRIP - 2 * PAD) * mm else ceil(MAX_STRENGTH / 2)
        step = min(7 * mm, width / per_row)
        for number in range(MAX_STRENGTH):
            row, place = divmod(number, per_row)
            left, low = x + place * step, top - row * 8.6 * mm - 5.6 * mm
            pen.rect(left, low, step - 0.4 * mm, 5.6 * mm, fill=0, radius=RADIUS)
            middle, left_over = left + step / 2 - 0.2 * mm, MAX_STRENGTH - number
            pen.text(
                middle, low + 1.6 * mm, str(left_over), pen.style.sized(9), face=NARROW, align="centre", ink="soft"
            )
            add = f"+{half(left_over)}"
            pen.text(middle, low - small, add, small, face=NARROW, align="centre", ink="soft")
            tooltip = _("Stand {stand}: strength {number} of {total}").format(
                stand=self.number + 1, number=number + 1, total=MAX_STRENGTH
            )
            name = f"blank{self.number}.strength.{number}"
            pen.check(name, left, low, step - 0.4 * mm, 5.6 * mm, tooltip=tooltip)


BLANK_LINES = 14.0
"""The height of the lines beside the counter of a blank block, in mm."""
BLANK_FIELDS = (
    (("type", _("Type")), ("quality", _("Quality"))),
    (("equipment", _("Equipment")), ("routs", _("Routs at"))),
    (("move", _("Move")), ("range", _("Range"))),
)
"""What is filled in beside the counter of a blank block: lines of fields with their labels."""
