"""The blocks of a page: each computes its height for a width, and draws itself below a given top edge.

Lengths in points. A block is never split; what may continue on the next page is several blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from rosters.core.cache import cached
from rosters.core.messages import _, translate
from rosters.pdf.canvas import BOX, HAIR, LINE, MM, THICK, Align, Block, Ink, Pen, Style
from rosters.pdf.fonts import ASCENT, BOLD, NAME, NARROW, NARROW_BOLD, REGULAR, ems
from rosters.pdf.text import LEADING, FittedText, fit_text, wrap

LABEL_LINE = 5 * MM
"""The height of a label that heads a drawing."""
MIN_BOX = 4.5 * MM
"""The smallest side of a box to mark."""


Method = TypeVar("Method", bound=Callable[..., Any])


def cached_method(method: Method) -> Method:
    """A method that finds its result once for the same arguments: a block is measured several times before it is drawn.

    Its class has a ``__dict__``, which named tuples lack. What an object keeps goes with the print it belongs to.
    """
    name = f"{method.__name__} measured"

    @wraps(method)
    def measure(self: Any, *args: Any) -> Any:
        known = self.__dict__.setdefault(name, {})
        if args not in known:
            known[args] = method(self, *args)
        return known[args]

    return cast(Method, measure)


class Space(NamedTuple):
    """Room between blocks, in lines of running text."""

    lines: float = 0.5

    def height(self, style: Style, width: float) -> float:
        return self.lines * style.line

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pass


class Heading(NamedTuple):
    """A heading with a rule under it, and ``right_text`` at the right margin."""

    text: str
    right_text: str = ""
    scale: float = 1.35
    rule: bool = True

    def height(self, style: Style, width: float) -> float:
        return style.body * self.scale * 1.5 + 2

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.body * self.scale
        baseline = top - size * 1.15
        right = fit_text(self.right_text, width * 0.6, size * 0.85, face=NARROW_BOLD)
        taken = ems(right.lines[0], NARROW_BOLD) * right.size + GAP if self.right_text else 0
        pen.fit(x, baseline, self.text, width - taken, size, face=NAME)
        if self.right_text:
            pen.runs(x + width, baseline, right.lines[0], right.size, face=NARROW_BOLD, align="right")
        if self.rule:
            pen.line(x, baseline - size * 0.3, x + width, baseline - size * 0.3, LINE)


class Label(NamedTuple):
    """A small heading in spaced capitals."""

    text: str

    def height(self, style: Style, width: float) -> float:
        return style.font_size(0.8) * 1.9

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.font_size(0.8)
        pen.label(x, top - size * 1.2, self.text, size=size)


class TextLine(NamedTuple):
    """One line of running text that is known to fit."""

    text: str
    scale: float = 1.0
    face: str = REGULAR
    ink: Ink = "ink"
    indent: float = 0.0

    def height(self, style: Style, width: float) -> float:
        return style.font_size(self.scale) * LEADING

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.font_size(self.scale)
        pen.runs(x + self.indent, top - size * ASCENT, self.text, size, face=self.face, ink=self.ink)


class Paragraph(NamedTuple):
    """Running text that wraps and is not split over pages, for short texts; longer ones are `text_lines`."""

    text: str
    scale: float = 1.0
    face: str = REGULAR
    ink: Ink = "ink"
    lead: str = ""
    """Bold words before the text."""

    def _fitted(self, style: Style, width: float) -> FittedText:
        text = f"{translate(self.lead)} {translate(self.text)}" if self.lead else self.text
        size = style.font_size(self.scale)
        return FittedText(tuple(wrap(text, width * (0.985 if self.lead else 1), size, self.face)), size)

    def height(self, style: Style, width: float) -> float:
        return self._fitted(style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        fitted = self._fitted(pen.style, width)
        lead = translate(self.lead)
        lead = lead if fitted.lines and fitted.lines[0].startswith(lead) else ""
        if lead:
            fitted = FittedText((fitted.lines[0][len(lead) :].lstrip(), *fitted.lines[1:]), fitted.size)
            baseline = top - fitted.size * ASCENT
            bold = NARROW_BOLD if self.face == NARROW else BOLD
            pen.runs(x, baseline, lead, fitted.size, face=bold)
            after = x + _width(f"{lead} ", fitted.size, bold)
            pen.runs(after, baseline, fitted.lines[0], fitted.size, face=self.face, ink=self.ink)
            top, fitted = top - fitted.size * LEADING, FittedText(fitted.lines[1:], fitted.size)
        pen.lines(x, top, fitted, face=self.face, ink=self.ink)


def _width(text: str, size: float, face: str) -> float:
    return ems(text, face) * size


def text_lines(text: str, style: Style, width: float, scale: float = 1.0, ink: Ink = "ink") -> Iterator[Block]:
    """A text of any length with a block for each line, so that it can continue on the next page."""
    for paragraph in translate(text).splitlines():
        for line in wrap(paragraph, width, style.font_size(scale)):
            yield TextLine(line, scale, ink=ink)


class Stack(NamedTuple):
    """Blocks one below another, as one block that is not split."""

    blocks: tuple[Block, ...]

    def height(self, style: Style, width: float) -> float:
        return sum(block.height(style, width) for block in self.blocks)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        for block in self.blocks:
            block.draw(pen, x, top, width)
            top -= block.height(pen.style, width)


FRAME_PAD = 3 * MM
"""The padding at the sides of a frame."""


class Framed(NamedTuple):
    """A block in the frame of a side."""

    block: Block

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width - 2 * FRAME_PAD) + 1.4 * FRAME_PAD

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        height = self.height(pen.style, width)
        pen.frame(x, top - height, width, height)
        self.block.draw(pen, x + FRAME_PAD, top - 0.7 * FRAME_PAD, width - 2 * FRAME_PAD)


class Drawing(NamedTuple):
    """A drawing of a fixed height in points: ``paint(pen, x, top, width)``."""

    fixed_height: float
    paint: Callable[[Pen, float, float, float], None]

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        self.paint(pen, x, top, width)


class NoteLines(NamedTuple):
    """Ruled lines for notes, of a height in points."""

    fixed_height: float

    def height(self, style: Style, width: float) -> float:
        return self.fixed_height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size, step = pen.style.font_size(0.8), 8 * MM
        pen.label(x, top - size * 1.2, _("Notes"), size=size)
        for number in range(1, int(self.fixed_height / step)):
            pen.line(x, top - number * step - size, x + width, top - number * step - size, HAIR, ink="line")


# ---------------------------------------------------------------- tables


class Column(NamedTuple):
    """A column of a table: its head, its share of the width, and the alignment of its cells.

    ``min_text`` is text whose words fit on one line of it, as those of its head do; a non-breaking space keeps two
    together. ``min_width`` is in points.
    """

    head: str
    share: float
    align: Align = "left"
    face: str = NARROW
    min_text: str = ""
    min_width: float = 0.0


class Cell(NamedTuple):
    """A cell that draws itself: its least height in points for a width, and ``paint(pen, x, top, width, height)``."""

    height: Callable[[Style, float], float]
    paint: Callable[[Pen, float, float, float, float], None]


Content = str | Cell
GAP = 5.0
"""The space between columns."""
PAD, HEAD_SCALE = 0.13, 0.84


def _spans(columns: Sequence[Column], width: float, style: Style) -> tuple[tuple[float, float], ...]:
    """Where each column begins, and its width, wide enough for its longest word where the others leave room."""
    texts = tuple([(translate(column.head), translate(column.min_text)) for column in columns])
    return _measured_spans(columns, texts, width, style)


@cached(1 << 20)  # 15 to 35 % of a print
def _measured_spans(
    columns: Sequence[Column], texts: Sequence[tuple[str, str]], width: float, style: Style
) -> tuple[tuple[float, float], ...]:
    """Where columns with these heads and minimal texts, in the language of the print, begin, and their widths."""
    needs = []
    for column, (head, min_text) in zip(columns, texts, strict=True):
        heads = [_width(word, style.font_size(HEAD_SCALE), NARROW_BOLD) for word in head.split()]
        own = [_width(word, style.body, column.face) for word in min_text.split(" ")]
        needs.append(max([column.min_width, *heads, *own]) + GAP)
    return _divide(width, needs, [column.share for column in columns])


def _divide(width: float, needs: Sequence[float], shares: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Where each column begins, and its width: by its share, unless it needs more and the others leave room."""
    if sum(needs) >= width:
        needs = shares = tuple(min(need, _max_column_width(needs, width)) for need in needs)
    tight: set[int] = set()
    while True:
        free = width - sum(needs[number] for number in tight)
        unit = free / (sum(share for number, share in enumerate(shares) if number not in tight) or 1)
        more = {number for number, share in enumerate(shares) if unit * share < needs[number] - 0.001} - tight
        if not more:
            break
        tight |= more
    widths = [needs[number] if number in tight else unit * share for number, share in enumerate(shares)]
    return tuple((sum(widths[:number]), column_width - GAP) for number, column_width in enumerate(widths))


def _max_column_width(needs: Sequence[float], width: float) -> float:
    """The most that a column may take where together they need more than there is."""
    for number, need in enumerate(sorted(needs)):
        if need * (len(needs) - number) >= width:
            return width / (len(needs) - number)
        width -= need
    return max(needs)


@dataclass(frozen=True)
class Row:
    """A row of a table, as high as its highest cell, with a hair line below."""

    columns: tuple[Column, ...]
    cells: tuple[Content, ...]
    scale: float = 1.0
    lines: int = 3
    min_lines: float = 0.0
    """The least height, in lines of running text."""
    rule: float = HAIR
    middle: bool = False
    """Whether text is in the middle of the row's height."""

    def _fitted(self, style: Style, span: float, column: Column, text: str) -> FittedText:
        return fit_text(text, span, style.font_size(self.scale), self.lines, column.face)

    @cached_method
    def height(self, style: Style, width: float) -> float:
        tallest, spans = self.min_lines * style.line, _spans(self.columns, width, style)
        for column, cell, (_left, span) in zip(self.columns, self.cells, spans, strict=True):
            own = self._fitted(style, span, column, cell).height if isinstance(cell, str) else cell.height(style, span)
            tallest = max(tallest, own)
        return tallest + style.body * 2 * PAD

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        height = self.height(pen.style, width)
        pad = pen.style.body * PAD
        spans = _spans(self.columns, width, pen.style)
        for column, cell, (left, span) in zip(self.columns, self.cells, spans, strict=True):
            if isinstance(cell, str):
                text = self._fitted(pen.style, span, column, cell)
                down = (height - text.height) / 2 if self.min_lines or self.middle else pad
                pen.lines(x + left, top - down, text, span, align=column.align, face=column.face)
            else:
                cell.paint(pen, x + left, top - pad, span, height - 2 * pad)
        if self.rule:
            pen.line(x, top - height, x + width, top - height, self.rule, ink="line")


class TableHead(NamedTuple):
    """The heads of a table's columns, on a light ground or without it."""

    columns: tuple[Column, ...]
    scale: float = HEAD_SCALE
    ground: bool = True

    def height(self, style: Style, width: float) -> float:
        texts = zip(self.columns, _spans(self.columns, width, style), strict=True)
        return max(self._fitted(style, c, span).height for c, (_, span) in texts) + style.body * 0.5

    def _fitted(self, style: Style, column: Column, span: float) -> FittedText:
        lines = 2 if " " in column.head else 1
        return fit_text(column.head, span, style.font_size(self.scale), lines, face=NARROW_BOLD)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        height = self.height(pen.style, width)
        if self.ground:
            pen.shade(x, top - height, width, height)
            pen.line(x, top - height, x + width, top - height, LINE, ink="deep")
        for column, (left, span) in zip(self.columns, _spans(self.columns, width, pen.style), strict=True):
            text = self._fitted(pen.style, column, span)
            pen.lines(
                x + left, top - (height - text.height) / 2, text, span, align=column.align, face=NARROW_BOLD, ink="deep"
            )


def table(columns: tuple[Column, ...], rows: Iterable[Sequence[Content]], **how: float) -> Iterator[Block]:
    """The rows of a table, without its heads: those belong to the group, which repeats them."""
    for cells in rows:
        yield Row(columns, tuple(cells), **how)  # type: ignore[arg-type]


# ---------------------------------------------------------------- boxes


class Boxes(NamedTuple):
    """Damage boxes in groups of five, wrapped: whether each is marked, and the names of their form fields.

    After ``breaks_at`` boxes there is a bar: when those are marked, a rule applies.
    """

    marked: tuple[bool, ...]
    breaks_at: int | None = None
    names: tuple[str, ...] = ()
    size: float = 1.0
    """The side of a box, as a multiple of 5 mm; in large print it is larger."""
    labels: tuple[str, ...] = ()
    tooltip: tuple[str, ...] = ()

    def side(self, style: Style) -> float:
        return max(BOX * self.size * style.scale, MIN_BOX)

    def places(self, style: Style, width: float) -> Iterator[tuple[float, float]]:
        """Each box's lower left corner, from the upper left one of all. Fives stay together where five fit a row."""
        side = self.side(style)
        step, pause = side * 1.12, side * 0.5
        row_of = max(1, int((width + pause) // (5 * step + pause)) * 5 or int((width + 0.12 * side) // step))
        for number in range(len(self.marked)):
            row, column = divmod(number, row_of)
            yield column * step + column // 5 * pause, row * side * 1.16 + side

    def rows(self, style: Style, width: float) -> int:
        return len({bottom for _left, bottom in self.places(style, width)}) or 1

    def width(self, style: Style, width: float) -> float:
        """How far the boxes reach to the right."""
        return max((left for left, _bottom in self.places(style, width)), default=0) + self.side(style)

    def height(self, style: Style, width: float) -> float:
        return max((bottom for _left, bottom in self.places(style, width)), default=0) + self.side(style) * 0.16

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        side = self.side(pen.style)
        for number, (left, down) in enumerate(self.places(pen.style, width)):
            bottom = top - down
            pen.box(
                x + left,
                bottom,
                side,
                marked=self.marked[number],
                name=self.names[number] if self.names else "",
                tooltip=self.tooltip[number] if self.tooltip else "",
                label=self.labels[number] if self.labels else "",
            )
            if number + 1 == self.breaks_at and number + 1 < len(self.marked):
                edge = x + left + side * 1.06
                pen.line(edge, bottom - side * 0.15, edge, bottom + side * 1.15, THICK * 1.3)

    def cell(self) -> Cell:
        """The boxes as a cell of a table."""
        return Cell(self.height, lambda pen, x, top, width, height: self.draw(pen, x, top, width))


class BlankLine(NamedTuple):
    """A line to write on, named as a field, after a label, which screen readers read."""

    label: str = ""
    name: str = ""
    scale: float = 1.0

    def height(self, style: Style, width: float) -> float:
        return style.line * self.scale * 1.6

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.body * self.scale
        baseline = top - self.height(pen.style, width) * 0.78
        start = _width(f"{translate(self.label)} ", size, REGULAR) if self.label else 0.0
        pen.runs(x, baseline, self.label, size)
        pen.line(x + start, baseline - 1.5, x + width, baseline - 1.5, HAIR)
        tooltip = translate(self.label).rstrip(":")
        pen.field(self.name, x + start, baseline - 1, width - start, size * 1.3, tooltip=tooltip)


def nth_row(head: str, number: int) -> str:
    """What is read out for a field of a table: the head of its column, and its row."""
    return _("{head}, row {n}").format(head=head, n=number)


def fill_in_cell(name: str = "", tooltip: str = "") -> Cell:
    """An empty cell to write in, and a field of that name in a fillable sheet; ``tooltip`` is read out for it."""
    return Cell(
        lambda style, width: style.line * 1.25,
        lambda pen, x, top, width, height: pen.field(name, x, top - height, width, height, tooltip=tooltip),
    )
