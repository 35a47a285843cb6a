"""The detachment sheet: a row of boxes for each figure beside the profile of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import ceil
from typing import NamedTuple, cast

from rosters.core.messages import Message, _, join
from rosters.pdf.blocks import MIN_BOX, BlankLine, Heading, Paragraph, Space, Stack, text_lines
from rosters.pdf.canvas import BOX, HAIR, LINE, PALE, TINT, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.sections import MASTHEAD, STRIP, Group, Section, frame
from rosters.pdf.text import MIN_SIZE, FittedText, wrap
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.drawing import figure_of
from rosters.systems.urutsk.rules import WORDS, Element
from rosters.systems.urutsk.sheets.texts import SCORES, STATES, Figure, State, figures, to_hit, weapon_text

PROFILE_WIDTH = 70.0
"""The width in units of a profile at the left of its figures."""
NUMBER_WIDTH = 5.0
"""The width in units of a figure's number before its boxes."""
PRINT_SIZES = (0.9, 0.95, 1.0)
"""The sizes of print, as multiples of the usual one, of which the largest is taken that needs the fewest pages."""
ROW_HEIGHT, BOX_STEP, COLUMN_GAP = 6.5, 5.2, 0.8
"""In units: the height of a row of boxes, from box to box, and between columns."""
FATE_PER_ROW = 5
"""The points of Fate in one row; more are below them."""
MAX_LINES = 3
"""The most lines of weapon, cover and armor in a profile; longer text is below it."""
ROUNDS_PER_MINUTE = 10
"""The rounds of a minute."""


# ---------------------------------------------------------------- the places of boxes


class Column(NamedTuple):
    """The boxes of a state, from the left edge of all; ``line`` is its row where a figure has two."""

    state: State
    x: float
    line: int = 0


class Columns(NamedTuple):
    """Where the boxes are: at the right of profiles or, where there is little width, below them in one or two rows.

    Lengths in units of ``unit`` points, which stay the same where print shrinks to save a page.
    """

    unit: float
    left: float
    columns: tuple[Column, ...]
    lines: int
    right: float


def columns_of(width: float, unit: float) -> Columns:
    """The places of boxes in a width, in units of so many points."""
    states = (State("fate", (_("fate"),), FATE_PER_ROW * BOX_STEP + 0.3), *STATES)
    total = sum(state.width for state in states) + COLUMN_GAP * len(states)
    left = PROFILE_WIDTH if width >= PROFILE_WIDTH + NUMBER_WIDTH + total else 0.0
    lines = 1 if left or width >= NUMBER_WIDTH + total else 2
    placed, x = [], left + NUMBER_WIDTH
    for number, state in enumerate(states):
        if lines == 2 and number == 2:
            x = left + NUMBER_WIDTH
        placed.append(Column(state, x, int(lines == 2 and number >= 2)))
        x += state.width + COLUMN_GAP
    right = max(column.x + column.state.width for column in placed)
    stretch = (width - right) / len(placed)
    moved = (column._replace(x=column.x + stretch * number) for number, column in enumerate(placed))
    return Columns(unit, left, (*moved,), lines, right)


class ColumnHeads(NamedTuple):
    """The names of scores and of states over their columns."""

    columns: Columns

    def height(self, style: Style, width: float) -> float:
        return style.unit * (7.0 + (6.6 if self.columns.lines == 2 else 0))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, size = pen.style.unit, pen.style.font_size(0.78)
        if self.columns.left:
            pen.label(x, top - 6.2 * unit, WORDS.elements, size=size)
            for number, (_field, _name, letter) in enumerate(SCORES):
                pen.label(x + (50 + 8 * number) * unit, top - 6.2 * unit, letter, align="centre", size=size)
        for column in self.columns.columns:
            middle = x + (column.x + column.state.width / 2) * self.columns.unit
            for row, text in enumerate(reversed(column.state.head)):
                y = top - (6.2 + 6.6 * column.line - 2.9 * row) * unit
                pen.text(middle, y, text, size, face=NARROW_BOLD, align="centre", ink="deep")


def _draw_boxes(pen: Pen, columns: Columns, figure: Figure, x: float, top: float) -> None:
    """Draw the boxes of a figure."""
    unit = pen.style.unit
    side = max(BOX * pen.style.scale, MIN_BOX)
    for column in columns.columns:
        upper = top - column.line * ROW_HEIGHT * unit - 0.8 * unit
        marked = figure.fate if column.state.key == "fate" else (False,) * column.state.boxes
        inset = (column.state.width - BOX_STEP * min(len(marked), FATE_PER_ROW)) / 2 if column.state.boxes == 1 else 0
        inset = 0 if column.state.key == "fate" else inset
        for box, lost in enumerate(marked):
            row, place = divmod(box, FATE_PER_ROW)
            left = x + (column.x + inset + place * BOX_STEP + 0.15) * columns.unit
            tooltip = _("{name}: {state} {n}").format(name=figure.name, state=column.state.name, n=box + 1)
            name = f"{figure.path}.{column.state.key}.{box}"
            pen.box(left, upper - side - row * BOX_STEP * 1.05 * unit, side, marked=lost, name=name, tooltip=tooltip)


class FigureRow(NamedTuple):
    """The boxes of one figure, with its number."""

    figure: Figure
    columns: Columns

    def height(self, style: Style, width: float) -> float:
        more = max(0, ceil(len(self.figure.fate) / FATE_PER_ROW) - 1)
        remark = style.font_size(0.78) * 1.3 if self.figure.remark else 0.0
        return (ROW_HEIGHT * self.columns.lines + more * BOX_STEP * 1.05) * style.unit + remark

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, figure, height = pen.style.unit, self.figure, self.height(pen.style, width)
        _tint(pen, self.columns, x, top, height)
        if figure.number:
            right = x + (self.columns.left + NUMBER_WIDTH - 1) * self.columns.unit
            pen.text(right, top - 4.6 * unit, figure.number, face=NARROW_BOLD, align="right", ink="soft")
        if pen.style.fillable:
            _draw_boxes(pen, self.columns, figure, x, top)
        else:  # equal rows are in the file once
            key = ("figure", figure.fate, self.columns, pen.style.body)
            pen.draw_cached(key, x, top, lambda: _draw_boxes(pen, self.columns, figure, 0, 0))
        if figure.remark:
            size = pen.style.font_size(0.78)
            left = x + self.columns.columns[0].x * self.columns.unit
            pen.text(left, top - height + size * 0.4, figure.remark, size, face=NARROW)


def _tint(pen: Pen, columns: Columns, x: float, top: float, height: float) -> None:
    """Lay a light ground under every other pair of columns."""
    unit = columns.unit
    for first in range(0, len(columns.columns) if columns.lines == 1 else 0, 4):
        pair = columns.columns[first : first + 2]
        left, right = pair[0].x - 0.5, pair[-1].x + pair[-1].state.width + 0.5
        pen.shade(x + left * unit, top - height, (right - left) * unit, height)


# ---------------------------------------------------------------- a kind of figures


class Profile(NamedTuple):
    """Picture, name, the faces needed at each range, scores, and weapon, cover and armor in words."""

    element: Element
    name: str
    text: Message | str
    lettered: bool = False
    """Whether the letters of scores stand above them, at the right end: where no heads do."""

    def _fitted_text(self, style: Style, width: float) -> FittedText:
        size = style.font_size(0.88)
        return FittedText((*wrap(self.text, width - 15 * style.unit, size, NARROW),), size)

    def height(self, style: Style, width: float) -> float:
        return 13.2 * style.unit + self._fitted_text(style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, body, left = pen.style.unit, pen.style.body, x + 13.4 * pen.style.unit
        pen.picture(figure_of(self.element), x - 0.6 * unit, top - 0.6 * unit, 13 * unit)
        scores = width - 24 * unit if self.lettered else 50 * unit
        available = scores - 18 * unit if self.lettered else 56 * unit
        pen.fit(left, top - 4.2 * unit, self.name, available, body * 1.2, face=NARROW_BOLD)
        _draw_ranges(pen, self.element, left, top - 5.2 * unit)
        for number, (field, _name, letter) in enumerate(SCORES):
            value, middle = str(getattr(self.element, field)), x + scores + 8 * number * unit
            if self.lettered:
                pen.label(middle, top - 4.2 * unit, letter, align="centre", size=pen.style.font_size(0.78))
            pen.fit(middle - 3.9 * unit, top - 11 * unit, value, 7.8 * unit, body * 1.8, face=NAME, align="centre")
        pen.lines(left, top - 12.6 * unit, self._fitted_text(pen.style, width), ink="soft", face=NARROW)


def _draw_ranges(pen: Pen, element: Element, x: float, top: float) -> None:
    """Draw a cell for each range: the lowest face that hits, and beside it, ringed, the lowest that explodes."""
    unit, size = pen.style.unit, pen.style.font_size(0.95)
    width, height = 6.3 * unit, 6.4 * unit
    for number, (_name, hits, explodes) in enumerate(to_hit(element)):
        left = x + number * width
        pen.rect(left, top - height, width, height, line=HAIR, fill=PALE if number % 2 == 0 else 0)
        pen.fit(left + 0.3 * unit, top - 2.9 * unit, hits, width - 0.6 * unit, size, face=NARROW_BOLD, align="centre")
        ring = _("↻ {face}").format(face=explodes) if explodes != "–" else "–"
        small = max(size * 0.8, MIN_SIZE)
        pen.fit(left, top - 5.7 * unit, ring, width, small, face=NARROW, align="centre", ink="soft")


class ProfileWithRows(NamedTuple):
    """A profile with the first of its figures at its right, or below it."""

    profile: Profile
    rows: tuple[FigureRow, ...]
    columns: Columns

    def height(self, style: Style, width: float) -> float:
        rows, profile = self._rows_height(style, width), self.profile.height(style, self._profile_width(style, width))
        return max(rows, profile + 0.6 * style.unit) if self.columns.left else rows + profile

    def _rows_height(self, style: Style, width: float) -> float:
        return sum(row.height(style, width) for row in self.rows)

    def _profile_width(self, style: Style, width: float) -> float:
        return self.columns.left * self.columns.unit or width

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        height = self.height(pen.style, width)
        self.profile.draw(pen, x, top, self._profile_width(pen.style, width))
        below = (
            top if self.columns.left else top - self.profile.height(pen.style, self._profile_width(pen.style, width))
        )
        rows = self._rows_height(pen.style, width)
        if self.columns.left and rows < height:
            _tint(pen, self.columns, x, top - rows, height - rows)
        for row in self.rows:
            row.draw(pen, x, below, width)
            below -= row.height(pen.style, width)
        pen.line(x, top, x + width, top, LINE, ink="line")


# ---------------------------------------------------------------- the sheet


def record(job: Job) -> Iterator[Section]:
    """The clock, then for each kind of figures its profile and a row for each figure."""
    groups = _blank_groups(job) if job.blank else _detachments(job)
    note = join(_("{letter} {score}").format(letter=letter, score=name) for _field, name, letter in SCORES)
    every = (group for part in ([Group([_clock(job)])], groups) for group in part)
    yield Section(_("Detachment sheet"), every, note=note, keep_together=True, fills=PRINT_SIZES)


def _columns(job: Job) -> Columns:
    unit = job.style.unit
    return columns_of(frame(job.options.paper)[0] / unit, unit)


def _detachments(job: Job) -> Iterator[Group]:
    columns = _columns(job)
    for number, formation, _priced in job.formations():
        commanders = sum(element.quantity for element in formation.elements if element.command)
        aside = (
            WORDS.count_elements(sum(element.quantity for element in formation.elements)),
            _("{n} command-capable").format(n=commanders) if commanders else _("none command-capable"),
        )
        title = formation.name or WORDS.formation
        head = Stack((Space(0.3), Heading(title, join(aside), 1.35, rule=False), ColumnHeads(columns)))
        blocks = (
            block for entry in job.entries(number) if entry.quantity for block in _profile_blocks(job, entry, columns)
        )
        yield Group(blocks, head, title)


def _profile_blocks(job: Job, entry: PrintedElement, columns: Columns) -> Iterator[Block]:
    """The profile with as many figures as are beside it, then the others; long cover and armor below."""
    element, style = cast(Element, entry.element), job.style
    count = f" × {entry.quantity}" if entry.quantity != 1 else ""
    text, long = weapon_text(element), False
    profile = Profile(element, f"{entry.name}{count}", text, lettered=not columns.left)
    width = frame(job.options.paper)[0]
    available = columns.left * columns.unit or width
    if len([*islice(wrap(text, available - 15 * style.unit, style.body * 0.88, NARROW), MAX_LINES + 1)]) > MAX_LINES:
        profile, long = profile._replace(text=tables.FIRE[element.fire].name), True
    rows = (FigureRow(figure, columns) for figure in figures(job, entry))
    beside, used = [next(rows)], 0.0
    while columns.left and (used := used + beside[-1].height(style, width)) < profile.height(style, available):
        more = next(rows, None)
        if more is None:
            break
        beside.append(more)
    yield ProfileWithRows(profile, tuple(beside), columns)
    yield from rows
    if long:
        yield from text_lines(text, style, width, 0.84, ink="soft")
    yield from text_lines(element.notes, style, width, 0.84, ink="soft")


class Clock(NamedTuple):
    """Minutes of ten rounds; with the last of each comes a command check."""

    minutes: int

    def _per_row(self, style: Style, width: float) -> int:
        return max(1, int(width / style.unit // 80))

    def height(self, style: Style, width: float) -> float:
        return (ceil(self.minutes / self._per_row(style, width)) * 7.2 + 1) * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, per_row = pen.style.unit, self._per_row(pen.style, width)
        for minute in range(self.minutes):
            left, upper = x + minute % per_row * width / per_row, top - minute // per_row * 7.2 * unit
            pen.label(left, upper - 5 * unit, _("Minute {n}").format(n=minute + 1), size=pen.style.font_size(0.78))
            left += 19 * unit
            for number in range(ROUNDS_PER_MINUTE):
                last = number + 1 == ROUNDS_PER_MINUTE
                pen.box(
                    left,
                    upper - 6.8 * unit,
                    5.6 * unit,
                    name=f"minute{minute + 1}.{'command' if last else 'round'}.{0 if last else number}",
                    label=str(number + 1),
                    fill=TINT if last else 0,
                    tooltip=_("Minute {minute}, round {n}").format(minute=minute + 1, n=number + 1),
                )
                left += 5.9 * unit


def _clock(job: Job) -> Block:
    """A line of minutes, and what their last boxes are for."""
    text = _(
        "Cells: the face that hits at each range, from point-blank to extreme, without cover; ↻ rolls again. "
        "The tenth round: a command check. A star may command."
    )
    width = frame(job.options.paper)[0]
    return Stack((Clock(Clock(0)._per_row(job.style, width)), Paragraph(text, 0.84, ink="soft", face=NARROW)))


# ---------------------------------------------------------------- blank forms


def _blank_groups(job: Job) -> Iterator[Group]:
    """One page of blank figures."""
    (width, height), columns = frame(job.options.paper), _columns(job)
    head = Stack((BlankLine(_("{label}:").format(label=WORDS.formation), "detachment"), ColumnHeads(columns)))
    kind = _blank_kind(0, columns)
    available = height - MASTHEAD + STRIP - _clock(job).height(job.style, width) - head.height(job.style, width)
    number = max(1, int(available // kind.height(job.style, width)))
    yield Group([_blank_kind(each, columns) for each in range(number)], head, WORDS.formation)


def _blank_kind(number: int, columns: Columns) -> Block:
    rows = tuple(
        FigureRow(Figure((False,) * FATE_PER_ROW, f"blank{number}.m{row}", str(row + 1), _("Figure")), columns)
        for row in range(3 if columns.left else 2)
    )
    return BlankKind(f"blank{number}", rows, columns)


BLANK_FIRES = (0, 22, 49, PROFILE_WIDTH)
"""Where the boxes of ways to fire begin on a blank profile, in units, and where their words end."""


class BlankKind(NamedTuple):
    """A profile to fill in by hand, with rows of figures."""

    path: str
    rows: tuple[FigureRow, ...]
    columns: Columns

    def height(self, style: Style, width: float) -> float:
        rows = sum(row.height(style, width) for row in self.rows)
        return max(rows, 24 * style.unit) if self.columns.left else rows + 24.5 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, height = pen.style.unit, self.height(pen.style, width)
        available = (self.columns.left or width / unit) * unit
        pen.line(x, top, x + width, top, LINE, ink="line")
        BlankLine(_("{label}:").format(label=WORDS.element), f"{self.path}.name", 0.9).draw(
            pen, x, top, available - 31 * unit
        )
        line = BlankLine(_("Weapon, cover:"), f"{self.path}.protection", 0.9)
        line.draw(pen, x, top - 6.4 * unit, available - 31 * unit)
        for number, (field, name, _letter) in enumerate(SCORES):
            left = x + available - (29 - 9 * number) * unit
            pen.rect(left, top - 10.5 * unit, 8 * unit, 8 * unit, fill=0, line=HAIR, radius=0.6 * unit)
            pen.field(f"{self.path}.{field}", left, top - 10.5 * unit, 8 * unit, 8 * unit, tooltip=name)
        fires = [*tables.FIRE.items(), ("poor", None), ("command", None)]
        for number, (code, fire) in enumerate(fires):
            column = number % 3
            left, low = x + BLANK_FIRES[column] * unit, top - (18 + number // 3 * 5.4) * unit
            label = fire.lower if fire else {"poor": _("poor condition"), "command": _("command-capable")}[code]
            pen.box(left, low, 4.6 * unit, name=f"{self.path}.{code}.0", tooltip=label)
            size = pen.style.font_size(0.8)
            pen.fit(
                left + 5.2 * unit,
                low + 1.2 * unit,
                label,
                (BLANK_FIRES[column + 1] - BLANK_FIRES[column] - 6) * unit,
                size,
                face=NARROW,
            )
        below = top if self.columns.left else top - 24.5 * unit
        for row in self.rows:
            row.draw(pen, x, below, width)
            below -= row.height(pen.style, width)
        pen.line(x, top - height, x + width, top - height, HAIR, ink="line")
