"""The sheets of URUTSK minis: the detachment sheet, the dice tables, and cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import NamedTuple

from rosters.core.play import Panel
from rosters.core.values import Mark
from rosters.pdf.blocks import GAP, Blank, Block, Boxes, Cell, Column, Heading, Heads, Prose, Row, Space, Stack, prose
from rosters.pdf.canvas import HAIR, MM, SOFT, Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.job import Choice, Entry, Job, Model, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width, panel_group
from rosters.pdf.text import LEADING, SMALLEST, FittedText, fit_text, truncate, wrap
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import FIRES, WORDS, Element

WIDE = 52
"""From this width on, in ems of running text, a figure's boxes stand in one row under column heads."""
BESIDE = 34
"""From this width on, in ems, the scores stand beside the name."""
NAME = 10.4
"""The width of a figure's name before its boxes, in ems."""
SCORE = 5.2
"""The width of a score, in ems."""
NUMBER = 1.7
"""The least width of what stands before the boxes of Fate, in ems."""
SPARE_FATE = 10
"""Boxes of Fate on a blank form."""
MOST_LINES = 4
"""Of cover and armor beside the scores; more of it runs below."""
ROUNDS = 10
"""Rounds in a minute."""
CARD = (63 * MM, 88 * MM)
CARD_EDGE = 2.6 * MM
COVER_LINES = 3
MOST_CHARACTERS = 200
"""More than a line of a card can ever hold: what is beyond need not be measured."""

CHOICES: dict[str, Choice] = {}

SCORES = (("ranged", "Ranged"), ("close", "Close"), ("weapon_ability", "Weapon ability"), ("fate", "Fate"))


class Tick(NamedTuple):
    """Something that may befall a figure: its field, its head, words beside its boxes, its width in ems."""

    key: str
    head: str
    words: str
    wide: float = 0.0
    boxes: int = 1


TICKS = (
    Tick("lost", "Rounds lost", "rounds lost", 5.5, 4),
    Tick("out", "Ammo out", "ammo out", 3.5),
    Tick("spare", "Spare ammo", "spare", 3.5),
    Tick("uncommanded", "Out of command", "out of command", 5.0),
    Tick("injured", "Injured", "injured", 4.4),
    Tick("immobile", "Immobile", "immobile", 5.0),
    Tick("unconscious", "Unconscious", "unconscious", 6.2),
    Tick("dead", "Dead", "dead", 3.2),
)
FIRE_TICKS = (
    *(Tick(fire, "", words) for fire, words in FIRES.items()),
    Tick("poor", "", "poor condition"),
    Tick("command", "", "command-capable"),
)


# ---------------------------------------------------------------- boxes with words


class Ticks(NamedTuple):
    """Boxes with words beside them, as many in a line as fit."""

    ticks: tuple[Tick, ...]
    path: str = ""

    def _places(self, style: Style, width: float) -> Iterator[tuple[Tick, float, int]]:
        """Each box's distance from the left, and its line."""
        x, line = 0.0, 0
        for tick in self.ticks:
            wide = _boxes_width(style, tick.boxes) + ems(tick.words) * style.small
            if x and x + wide > width:
                x, line = 0.0, line + 1
            yield tick, x, line
            x += wide + style.body * 0.8

    def height(self, style: Style, width: float) -> float:
        return (max(line for _, _, line in self._places(style, width)) + 1) * style.line * 1.12

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        for tick, left, line in self._places(style, width):
            down = top - line * style.line * 1.12
            beside = _boxes_width(style, tick.boxes)
            _open_boxes(tick, self.path).draw(pen, x + left, down, beside)
            room = width - left - beside
            pen.fit(x + left + beside, down - style.line * 0.78, tick.words, room, style.small)


def _boxes_width(style: Style, boxes: int) -> float:
    """Of so many boxes in a row and a gap, in points."""
    return style.line * 0.82 * 1.18 * boxes + style.body * 0.25


def _open_boxes(tick: Tick, path: str) -> Boxes:
    return Boxes((False,) * tick.boxes, names=tuple(f"{path}.{tick.key}.{box}" for box in range(tick.boxes)))


# ---------------------------------------------------------------- a figure's boxes


def _columns(style: Style, width: float) -> tuple[Column, ...]:
    """Of the boxes of figures, their shares in points; with little width fewer of them stand in the row."""
    body = style.body
    beside = TICKS if width >= WIDE * body else TICKS[:1]
    ticks = tuple(Column(tick.head, tick.wide * body, "centre") for tick in beside)
    rest = width - sum(column.share for column in ticks)
    name = NAME * body if len(ticks) > 1 else 0.45 * rest
    return Column(WORDS.element, name), Column("Fate", rest - name), *ticks


class FigureRow(NamedTuple):
    """One figure's boxes: Fate, rounds lost, ammunition, command, wounds. ``named``: the name's width in points.

    ``number`` is the figure's among several; ``score`` stands before the boxes of Fate. Either may be "".
    """

    name: str
    fate: tuple[bool, ...]
    path: str
    number: str = ""
    score: str = ""
    remark: str = ""
    named: float | None = None

    def _spans(self, style: Style, width: float) -> tuple[float, ...]:
        """The widths of name, Fate and, in a wide row, each tick."""
        if self.named is not None:
            return self.named, width - self.named
        return tuple(column.share for column in _columns(style, width))

    def _first(self, style: Style, spans: Sequence[float]) -> float:
        """The height of name and Fate."""
        return self._boxes().height(style, self._fate_room(style, spans)) + (style.line if self.remark else 0)

    def _fate_room(self, style: Style, spans: Sequence[float]) -> float:
        """The width of the boxes of Fate after their number: for all of them, or for whole fives."""
        room = spans[1] - GAP - self._offset(style)
        five = style.line * 0.82 * (5 * 1.18 + 0.5)
        return room if self._boxes().rows(style, room) == 1 or room < five else room // five * five

    def _offset(self, style: Style) -> float:
        """Where the boxes of Fate begin, after their number."""
        return max(NUMBER, ems(self.score, True) + 0.5) * style.body if self.score else 0.0

    def height(self, style: Style, width: float) -> float:
        spans = self._spans(style, width)
        below = _below(spans, self.path)
        return self._first(style, spans) + (below.height(style, width) if below else 0.0) + style.body * 0.4

    def _boxes(self) -> Boxes:
        return Boxes(self.fate, names=tuple(f"{self.path}.fate.{box}" for box in range(len(self.fate))))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, height = pen.style, self.height(pen.style, width)
        spans = self._spans(style, width)
        inner = top - style.body * 0.2
        if style.fillable:
            self._draw_boxes(pen, x, inner, width)
        else:
            sizes = [width, spans[0], 10 * self._offset(style), 100 * style.body]
            numbers = [len(self.fate), sum(self.fate), *map(round, sizes)]
            key = f"figure-{'-'.join(map(str, numbers))}"
            pen.stamp(key, x, inner, lambda: self._draw_boxes(pen, 0, 0, width))
        self._draw_words(pen, x, inner, spans)
        pen.line(x, top - height, x + width, top - height, HAIR)

    def _draw_words(self, pen: Pen, x: float, top: float, spans: Sequence[float]) -> None:
        """The name, its number, which is never cut off, the number of Fate, and the remark."""
        style = pen.style
        baseline, number = top - style.line * 0.82, f" {self.number}" if self.number else ""
        room = spans[0] - GAP - ems(number) * style.body
        name = fit_text(self.name, room, style.body) if self.name and room > 0 else FittedText(("",), style.body)
        pen.runs(x, baseline, name.lines[0], name.size)
        pen.text(x + ems(name.lines[0]) * name.size, baseline, number if self.name else self.number)
        pen.text(x + spans[0], baseline, self.score, bold=True)
        bottom = top - self._boxes().height(style, self._fate_room(style, spans)) - style.small
        pen.fit(x + spans[0], bottom, self.remark, spans[1] - GAP, style.small)

    def _draw_boxes(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        spans = self._spans(style, width)
        self._boxes().draw(pen, x + spans[0] + self._offset(style), top, self._fate_room(style, spans))
        below = _below(spans, self.path)
        if below:
            below.draw(pen, x, top - self._first(style, spans), width)
        left = x + spans[0] + spans[1]
        for tick, span in zip(TICKS, spans[2:], strict=False):
            wide = _boxes_width(style, tick.boxes)
            middle = left + (span - GAP - wide + style.body * 0.25 + style.line * 0.15) / 2
            _open_boxes(tick, self.path).draw(pen, middle, top, wide)
            left += span


def _below(spans: Sequence[float], path: str) -> Ticks | None:
    """The boxes that a row's columns leave over."""
    rest = TICKS[len(spans) - 2 :]
    return Ticks(rest, path) if rest else None


def _figure_row(job: Job, entry: Entry, number: int, model: Model) -> FigureRow:
    """The row of one model; its name and number where the entry stands for several."""
    element: Element = entry.element  # type: ignore[assignment]
    track = job.tracks(element)[0]
    several = entry.quantity > 1
    return FigureRow(
        (entry.name or WORDS.element) if several else "",
        job.marked(track, model.mark),
        model.path,
        str(number) if several else "",
        str(element.fate) if element.fate == len(track.boxes) else "",
        _remark(job, entry, model.mark),
    )


def _remark(job: Job, entry: Entry, mark: Mark | None) -> str:
    """What the boxes cannot tell: Fate beyond those drawn, and more of it lost than there was."""
    element: Element = entry.element  # type: ignore[assignment]
    drawn = len(job.tracks(element)[0].boxes)
    lost = int(getattr(mark, "fate", 0)) if job.settings.marks else 0
    parts = [f"first {drawn} of {element.fate}"] if element.fate > drawn else []
    parts += [f"{lost} lost"] if lost > drawn else []
    return ", ".join(parts)


# ---------------------------------------------------------------- a figure's profile


class Band(NamedTuple):
    """Name, number, command, weapon and scores of equal figures; ``element`` None leaves all open to fill in."""

    element: Element | None = None
    name: str = ""
    quantity: int = 1
    texts: tuple[str, ...] = ()
    path: str = ""

    def room(self, style: Style, width: float) -> float:
        """What is left for the name and the texts."""
        return width - (4 * SCORE + 1) * style.body if width >= BESIDE * style.body else width

    def lines(self, style: Style, width: float) -> list[str]:
        room = self.room(style, width)
        return [line for text in self.texts for line in wrap(text, room, style.small)]

    def _left(self, style: Style, width: float) -> float:
        """The height of name and texts."""
        room = self.room(style, width)
        name = style.body * (0.45 if room < width else 0.75) + self._name(style, room).height
        return name + len(self.lines(style, width)) * style.small * LEADING

    def height(self, style: Style, width: float) -> float:
        scores = style.body * 2.45
        left = self._left(style, width)
        both = max(left, scores) if self.room(style, width) < width else left + scores
        return both + style.body * 0.5

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, room = pen.style, self.room(pen.style, width)
        inner = top - style.body * 0.25
        self._draw_name(pen, x, inner, room)
        lines = FittedText(tuple(self.lines(style, width)), style.small)
        pen.lines(x, inner - style.body * 0.15 - self._name(style, room).height, lines, grey=0.25)
        if room < width:
            _draw_scores(pen, x + room + style.body, inner, 4 * SCORE * style.body, self)
        else:
            _draw_scores(pen, x, inner - self._left(style, width), width, self)

    @property
    def _number(self) -> str:
        return f" ×{self.quantity}" if self.quantity != 1 else ""

    def _name(self, style: Style, room: float) -> FittedText:
        """The name beside its number and its badge, on as many as three lines."""
        size = style.body * 1.15
        badge = _badge_width(style) if self.element and self.element.command else 0.0
        return fit_text(self.name, room - ems(self._number) * size - badge, size, 3, bold=True)

    def _draw_name(self, pen: Pen, x: float, top: float, room: float) -> None:
        """The name, how many, and whether they command."""
        text = self._name(pen.style, room)
        pen.lines(x, top, text, bold=True)
        last = text.lines[-1] if text.lines else ""
        baseline = top - text.size * (ASCENT + max(len(text.lines) - 1, 0) * LEADING)
        after = x + ems(last, True) * text.size
        pen.text(after, baseline, self._number, text.size)
        if self.element and self.element.command:
            _badge(pen, after + ems(self._number) * text.size + pen.style.body * 0.5, baseline)


BADGE = "COMMAND"


def _badge_width(style: Style) -> float:
    return ems(BADGE, True) * style.body * 0.66 + style.body * 1.3


def _badge(pen: Pen, x: float, baseline: float) -> None:
    """The mark of command-capable figures."""
    body = pen.style.body
    wide = ems(BADGE, True) * body * 0.66
    pen.round_rect(x, baseline - body * 0.2, wide + body * 0.7, body * 0.95, body * 0.3)
    pen.text(x + body * 0.35, baseline + body * 0.03, BADGE, body * 0.66, bold=True)


def _draw_scores(pen: Pen, x: float, top: float, width: float, band: Band) -> None:
    """Four cells, each with a label over a number."""
    body, wide = pen.style.body, width / len(SCORES)
    for number, (key, label) in enumerate(SCORES):
        left, low = x + number * wide, top - body * 2.3
        pen.fit(
            left + 1, top - body * 0.62, _label(label, wide - 4, body * 0.72), wide - 4, body * 0.72, align="centre"
        )
        pen.rect(left + 1, low, wide - 4, body * 1.4, line=HAIR)
        if band.element is None:
            pen.field(f"{band.path}.{key}", left + 1, low, wide - 4, body * 1.4)
        else:
            value = str(getattr(band.element, key))
            pen.fit(left + 2, low + body * 0.28, value, wide - 6, body * 1.2, bold=True, align="centre")


def _label(label: str, width: float, size: float) -> str:
    """A label, or its first word where there is no room for all of it."""
    return label if ems(label) * size * SMALLEST <= width else label.split(maxsplit=1)[0]


def weapon_words(element: Element) -> str:
    """How the weapon fires, which faces of the die roll again at each range, and its condition."""
    again = tables.faces_by_range(element.fire, element.ranged)
    poor = "; poor condition" if element.poor_condition else ""
    poor += ": modified 2 misses" if poor and element.fire == "autofire" else ""
    return f"{FIRES[element.fire].capitalize()}: again on {again} by range{poor}"


# ---------------------------------------------------------------- the detachment sheet


def record(job: Job) -> Iterator[Section]:
    """The detachment sheet: the clock, then a block for each entry with a row for each figure."""
    groups = _blank_groups(job) if job.blank else _detachments(job)
    yield Section("Detachment sheet", chain([Group([_clock(job)])], groups))


def _detachments(job: Job) -> Iterator[Group]:
    heads = Heads(_columns(job.style, frame_width(job)))
    for number, formation, _ in job.formations():
        title = formation.name or WORDS.formation
        head = Stack((Space(0.5), Heading(title, _strength(formation.elements), 1.2, rule=False), heads))
        yield Group(_entries(job, number), head, title)


def _strength(elements: Iterable[Element]) -> str:
    """How many figures, and how many of them command."""
    figures = sum(element.quantity for element in elements)
    commanders = sum(element.quantity for element in elements if element.command)
    noun = WORDS.element if figures == 1 else WORDS.elements
    return f"{figures} {noun.lower()}, {commanders or 'none'} command-capable"


def _entries(job: Job, number: int) -> Iterator[Block]:
    for entry in job.entries(number):
        if entry.quantity:
            yield from _entry(job, entry)


def _entry(job: Job, entry: Entry) -> Iterator[Block]:
    """The profile with the first figure, and the others; long texts run between them."""
    profile, below = _profile(job, entry)
    rows = (_figure_row(job, entry, number, model) for number, model in enumerate(entry.models, start=1))
    if below:
        yield profile
        yield from prose(below, job.style, frame_width(job), 0.82, grey=0.25)
        yield from rows
    else:
        yield Stack((profile, next(rows)))
        yield from rows


def _profile(job: Job, entry: Entry) -> tuple[Band, str]:
    """The profile of an entry, and what cover and armor it has no room for."""
    element: Element = entry.element  # type: ignore[assignment]
    weapon, protection = weapon_words(element), element.protection.strip()
    made = Band(
        element, entry.name or WORDS.element, entry.quantity, (f"{weapon} · {protection}" if protection else weapon,)
    )
    if len(protection) > 1000 or len(made.lines(job.style, frame_width(job))) > MOST_LINES:
        return made._replace(texts=(weapon,)), protection
    return made, ""


def _clock(job: Job) -> Clock:
    """Two lines of minutes."""
    return Clock(2 * Clock(0).across(job.style, frame_width(job)))


class Clock(NamedTuple):
    """Minutes of ten rounds, each with a box for its command check."""

    minutes: int

    def across(self, style: Style, width: float) -> int:
        return max(1, int(width // (26 * style.body)))

    def height(self, style: Style, width: float) -> float:
        return -(-self.minutes // self.across(style, width)) * style.line * 1.3 + style.body * 0.6

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, across = pen.style, self.across(pen.style, width)
        for minute in range(self.minutes):
            left = x + minute % across * width / across
            down = top - style.body * 0.4 - minute // across * style.line * 1.3
            self._draw_minute(pen, left, down, width / across, minute + 1)

    def _draw_minute(self, pen: Pen, x: float, top: float, width: float, minute: int) -> None:
        style, name = pen.style, f"minute{minute}"
        pen.text(x, top - style.line * 0.78, f"Minute {minute}", bold=True)
        rounds = Boxes((False,) * ROUNDS, names=tuple(f"{name}.round.{number}" for number in range(ROUNDS)))
        start = x + style.body * 4.4
        rounds.draw(pen, start, top, width)
        beside = start + _boxes_width(style, ROUNDS) + style.body * 1.5
        Ticks((Tick("command", "", "command check"),), name).draw(pen, beside, top, x + width - beside)


# ---------------------------------------------------------------- blank forms


def _blank_groups(job: Job) -> Iterator[Group]:
    """One page of figures to fill in."""
    width, tall = frame(job.settings.paper)
    head = Stack((Blank(WORDS.formation, "detachment"), Space(0.3), Heads(_columns(job.style, width))))
    figures = _blank_figure(job, 0)
    room = tall - _clock(job).height(job.style, width) - head.height(job.style, width)
    number = max(1, int(room // figures.height(job.style, width)))
    yield Group([_blank_figure(job, figure) for figure in range(number)], head, WORDS.formation)


def _blank_figure(job: Job, number: int) -> Stack:
    path = f"blank{number}"
    rows = 3 if frame_width(job) >= WIDE * job.style.body else 2
    return Stack((BlankBand(path), *(_blank_row(path, row) for row in range(rows))))


def _blank_row(path: str, row: int, named: float | None = None) -> FigureRow:
    return FigureRow(
        "", (False,) * SPARE_FATE, f"{path}.m{row}", str(row + 1), "" if named is None else "Fate", named=named
    )


class BlankBand(NamedTuple):
    """A band to fill in: lines for the name and for cover and armor, open scores, ways to fire."""

    path: str

    def _beside(self, style: Style, width: float) -> tuple[Block, ...]:
        """What stands beside the scores, or above them where all is narrow."""
        name = Blank(WORDS.element, f"{self.path}.name")
        cover = Blank("Cover and armor", f"{self.path}.protection", 0.82)
        return (Pair(name, cover), Ticks(FIRE_TICKS, self.path)) if width >= WIDE * style.body else (name, cover)

    def _blocks(self, style: Style, width: float) -> tuple[Block, ...]:
        scores = Band(path=self.path)
        band = Beside(scores, Stack(self._beside(style, width)))
        return (band,) if width >= WIDE * style.body else (band, Ticks(FIRE_TICKS, self.path))

    def height(self, style: Style, width: float) -> float:
        return Stack(self._blocks(style, width)).height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        Stack(self._blocks(pen.style, width)).draw(pen, x, top, width)


class Pair(NamedTuple):
    """Two blocks side by side, a little apart."""

    left: Block
    right: Block

    def height(self, style: Style, width: float) -> float:
        return max(block.height(style, width / 2 - GAP) for block in self)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        self.left.draw(pen, x, top, width / 2 - GAP)
        self.right.draw(pen, x + width / 2 + GAP, top, width / 2 - GAP)


class Beside(NamedTuple):
    """Open scores at the right of a block, or below it where there is no room."""

    band: Band
    block: Block

    def height(self, style: Style, width: float) -> float:
        room, scores = self.band.room(style, width), style.body * 2.6
        tall = self.block.height(style, room)
        return (max(tall, scores) if room < width else tall + scores) + style.body * 0.3

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, room = pen.style, self.band.room(pen.style, width)
        self.block.draw(pen, x, top, room)
        if room < width:
            _draw_scores(pen, x + room + style.body, top - style.body * 0.25, 4 * SCORE * style.body, self.band)
        else:
            _draw_scores(pen, x, top - self.block.height(style, room) - style.body * 0.3, width, self.band)


# ---------------------------------------------------------------- cards


class Card(NamedTuple):
    """A card of 63 × 88 mm: a profile and as many figures as it has room for, set smaller where one is too much."""

    profile: Block
    rows: tuple[FigureRow, ...]
    notes: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.profile, *self.rows

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def _body(self, style: Style) -> Style:
        """The largest text, in steps of a tenth, at which everything fits."""
        sizes = [style._replace(body=style.body * tenths / 10) for tenths in range(10, 2, -1)]
        return next((size for size in sizes if self._tall(size) <= CARD[1] - 2 * CARD_EDGE), sizes[-1])

    def _tall(self, style: Style) -> float:
        return sum(block.height(style, CARD_WIDTH) for block in self.blocks)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.rect(x, top - CARD[1], *CARD, line=HAIR)
        with _set_in(pen, self._body(pen.style)):
            down = top - CARD_EDGE
            for block in self.blocks:
                block.draw(pen, x + CARD_EDGE, down, CARD_WIDTH)
                down -= block.height(pen.style, CARD_WIDTH)
            self._draw_notes(pen, x + CARD_EDGE, down, down - (top - CARD[1] + CARD_EDGE))

    def _draw_notes(self, pen: Pen, x: float, top: float, room: float) -> None:
        """As much of the notes as there is room for."""
        size = pen.style.small
        lines = int((room - size * 0.4) // (size * LEADING))
        if self.notes and lines > 0:
            text = fit_text(self.notes[: lines * MOST_CHARACTERS], CARD_WIDTH, size, lines)
            pen.lines(x, top - size * 0.4, text, grey=0.25)


CARD_WIDTH = CARD[0] - 2 * CARD_EDGE


@contextmanager
def _set_in(pen: Pen, style: Style) -> Iterator[None]:
    """Draw in another style for a while."""
    before, pen.style = pen.style, style
    yield
    pen.style = before


def cards(job: Job) -> Iterator[Grid]:
    """Cards to cut out: equal figures share one as long as there is room."""
    made = _blank_cards(job) if job.blank else _cards(job)
    yield Grid("Cards", made, cell=CARD)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number, formation, _ in job.formations():
        for entry in job.entries(number):
            models = enumerate(entry.models, start=1)
            profile = _card_profile(job, entry)
            first = next(models, None)
            while first:
                room = _rows_of_a_card(job, profile, _card_row(job, entry, *first))
                rows = [_card_row(job, entry, *pair) for pair in (first, *islice(models, room - 1))]
                yield formation.name or WORDS.formation, Card(profile, tuple(rows), entry.element.notes)
                first = next(models, None)


def _card_profile(job: Job, entry: Entry) -> Band:
    element: Element = entry.element  # type: ignore[assignment]
    small = job.style.small
    texts = (*wrap(weapon_words(element), CARD_WIDTH, small), *_cover(element.protection, small))
    return Band(element, entry.name or WORDS.element, entry.quantity, texts)


def _cover(protection: str, size: float) -> list[str]:
    """Cover and armor in as many lines as a card gives it; the sheet has all of it."""
    lines = list(islice(wrap(protection[: COVER_LINES * MOST_CHARACTERS], CARD_WIDTH, size), COVER_LINES + 1))
    if len(lines) <= COVER_LINES:
        return lines
    return [*lines[: COVER_LINES - 1], truncate(" ".join(lines[COVER_LINES - 1 :]), CARD_WIDTH, size)]


def _card_row(job: Job, entry: Entry, number: int, model: Model) -> FigureRow:
    named = (0.6 + 0.6 * len(str(entry.quantity))) * job.style.body if entry.quantity > 1 else 0.0
    return _figure_row(job, entry, number, model)._replace(name="", score="Fate", named=named)


def _rows_of_a_card(job: Job, profile: Band, row: FigureRow) -> int:
    """How many figures of this kind a card has room for: at least one."""
    room = CARD[1] - 2 * CARD_EDGE - profile.height(job.style, CARD_WIDTH)
    return max(1, int(room // row.height(job.style, CARD_WIDTH)))


def _blank_cards(job: Job) -> Iterator[tuple[str, Block]]:
    """One page of them."""
    for number in range(4 if job.settings.paper == "a5" else 9):
        yield "", _blank_card(job.style, BlankBand(f"card{number}"))


def _blank_card(style: Style, band: BlankBand) -> Card:
    rows = (_blank_row(band.path, row, 1.6 * style.body) for row in range(9))
    room = CARD[1] - 2 * CARD_EDGE - band.height(style, CARD_WIDTH)
    first = next(rows)
    more = int(room // first.height(style, CARD_WIDTH)) - 1
    return Card(band, (first, *islice(rows, max(more, 0))))


# ---------------------------------------------------------------- the tables


def dice_tables(job: Job) -> Iterator[Section]:
    """Ranges, shooting, melee, charges and wounds on one page."""
    yield Section("Tables", _table_groups(), columns=2)


def _table_groups() -> Iterator[Group]:
    yield _ranges()
    yield _rows("Ranged fire", tables.RANGED)
    yield _rows("A clean miss, D6", tables.CLEAN_MISS)
    yield _weapons()
    yield _rows("Bursts", tables.BURST)
    yield _rows("Group fire", tables.GROUP)
    yield _rows("Melee", tables.MELEE)
    yield _charge()
    yield _rows("Command", tables.COMMAND)
    yield _rows("Hits against Fate", tables.FATE)
    yield _rows("Incapacitated, D6", tables.INCAPACITATED)
    yield _rows("Shock, D6", tables.SHOCK)


def _together(*blocks: Block) -> Group:
    """A table that is not split."""
    return Group([Stack(blocks)])


def _rows(title: str, rows: Iterable[tuple[str, str]]) -> Group:
    group = panel_group(Panel(title, tuple(rows)))
    return _together(*([group.head] if group.head else []), *group.blocks)


WEAPONS = 3
"""Weapons whose ranges can be written in."""


def _ranges() -> Group:
    columns = (
        Column("Range", 2.2, bold=True),
        Column("Off the die", 1.6, "centre", bold=True),
        *(Column("", 2, "centre") for _ in range(WEAPONS)),
    )
    text = "Write in weapons, and how many yards each range of theirs reaches: the rules leave that to you."
    rows = [
        Row(columns, (name, f"−{off}" if off else "0", *_to_write(name.lower()))) for name, off in tables.RANGES.items()
    ]
    weapons = Row(columns, ("Weapon", "", *_to_write("weapon")))
    return _together(Space(0.4), Heading("Range", "", 1.1), Prose(text, 0.92), Heads(columns), weapons, *rows)


def _to_write(row: str) -> Iterator[Cell]:
    return (_open(f"ranges.{row}.{weapon}") for weapon in range(WEAPONS))


def _open(name: str) -> Cell:
    """A box to write in."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.rect(x, top - height, width, height, line=HAIR)
        pen.field(name, x, top - height, width, height)

    return Cell(lambda style, width: style.line * 1.1, paint)


# ---------------------------------------------------------------- dice with rings

AGAIN = re.compile(r"[1-6](, [1-6])*( and [1-6])?( rolls? again)?")
"""A text that names scores and nothing else."""


def scores_in(text: str) -> frozenset[int]:
    """The scores of a die that a text names; none where it says more than that."""
    digits = text if AGAIN.fullmatch(text) else ""
    return frozenset(int(character) for character in digits if character.isdigit())


def _dice(again: frozenset[int]) -> Cell:
    """The scores of a die in a row, a ring around those that roll again."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size, step = pen.style.body, min(width / 6, pen.style.body * 1.6)
        for score in range(1, 7):
            middle, ringed = x + (score - 0.5) * step, score in again
            grey = 0.0 if ringed else SOFT
            pen.text(middle, top - size * 0.98, str(score), size, bold=ringed, align="centre", grey=grey)
            if ringed:
                pen.circle(middle, top - size * 0.63, size * 0.58)

    return Cell(lambda style, width: style.body * 1.3, paint)


def _weapons() -> Group:
    """Which faces roll again, by the way a weapon fires and by what is added to the die in all."""
    names = (Column(name, 1.6) for name, _ in tables.ROLLS_AGAIN.values())
    columns, plain = (Column("In all", 0.6, "centre", bold=True), *names), (Column("", 1, bold=True), Column("", 3.4))
    rows = [
        Row(
            columns,
            (_signed(modifier), *(_dice(tables.faces_again(fire, modifier)) for fire in tables.ROLLS_AGAIN)),
            0.92,
        )
        for modifier in MODIFIERS
    ]
    words = [Row(plain, row, 0.92) for row in (tables.AUTOFIRE_GROUP, tables.POOR)]
    text = "In all: Ranged, less range and cover. Ringed faces roll again and add; the modified result counts."
    return _together(Space(0.4), Heading("Weapons", "", 1.1), Prose(text, 0.92), Heads(columns), *rows, *words)


MODIFIERS = range(-2, 3)
"""What Ranged less penalties comes to, as far as the table shows it; below −2 no die rolls again."""


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}" if number else "0"


def _charge() -> Group:
    """Which scores roll again in a charge, for receivers also with weapons readied, and the charge in words."""
    columns = Column("", 1.25, bold=True), Column("Roll again", 1), Column("Weapons readied", 1)
    plain = Column("", 1, bold=True), Column("", 2.2)
    dice = [(name, scores_in(text)) for name, text in tables.CHARGE if scores_in(text)]
    rows = [
        Row(columns, (name, _dice(scores), _dice(readied(scores)) if name.startswith("Receivers") else ""), 0.92)
        for name, scores in dice
    ]
    words = [Row(plain, row, 0.92) for row in tables.CHARGE if not scores_in(row[1])]
    return _together(Space(0.4), Heading("Mass charge", "", 1.1), *words, Heads(columns), *rows)


def readied(scores: frozenset[int]) -> frozenset[int]:
    """With weapons readied one score more rolls again, but none below 4."""
    return scores | {max(4, min(scores) - 1)}


# ---------------------------------------------------------------- the list

SHEETS = (
    ROSTER,
    Sheet("record", "Detachment sheet", "Fate, ammunition, command and wounds of every figure.", record),
    Sheet("tables", "Tables", "Ranges, shooting, melee, charges and wounds on one page.", dice_tables, shared=True),
    Sheet("cards", "Cards", "Cards of 63 × 88 mm, to cut out.", cards, never),
    REFERENCE._replace(pack=never),
)
