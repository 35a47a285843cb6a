"""Panels of the rules: tables in words, dice and diagrams, for the reference panel, cards and sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from rosters.core.messages import _, translate
from rosters.core.play import Panel
from rosters.drawing.primitives import Picture, Text
from rosters.pdf.blocks import Cell, Column, Content, Paragraph, Row, Space, Stack, TableHead
from rosters.pdf.canvas import HAIR, MM, THICK, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.sections import Group

NO_DIAGRAMS: Mapping[str, Picture] = {}
VIGNETTE = 9 * MM
"""The greatest height of a diagram beside a title."""


class PanelTitle(NamedTuple):
    """The title of a panel in the side's color over a thick rule, and the diagram that shows it."""

    text: str
    diagram: Picture | None = None

    def _size(self, style: Style) -> tuple[float, float]:
        """Width and height of the diagram."""
        if not self.diagram:
            return 0.0, 0.0
        width = min(DIAGRAM, VIGNETTE * self.diagram.width / self.diagram.height) * style.scale
        return width, width * self.diagram.height / self.diagram.width

    def height(self, style: Style, width: float) -> float:
        return max(style.body * 1.75, self._size(style)[1] + 1 * MM)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size, rule = pen.style.body * 1.15, top - self.height(pen.style, width) + pen.style.body * 0.14
        diagram_width, diagram_height = self._size(pen.style)
        if self.diagram:
            pen.picture(self.diagram, x + width - diagram_width, rule + diagram_height, diagram_width)
        pen.fit(x, rule + size * 0.35, self.text, width - diagram_width, size, face=NAME, ink="side")
        pen.line(x, rule, x + width, rule, THICK, ink="side")


MAX_ROWS, MAX_TALL_ROWS = 9, 6
"""Panels of at most so many rows are not split; those with dice or diagrams, of fewer."""
DIAGRAM = 18 * MM
"""The least width of a diagram in a panel: its smallest text has then 7 points."""


def _diagram_width(style: Style) -> float:
    return DIAGRAM * style.enlargement


def _diagram_height(diagram: Picture, style: Style) -> float:
    return _diagram_width(style) * diagram.height / diagram.width


def panel_group(panel: Panel, diagrams: Mapping[str, Picture] = NO_DIAGRAMS) -> Group:
    """A panel as a group: its heading, its remark, its rows; with the diagrams of the terms that they name."""
    columns, cells = _panel_cells(panel, diagrams)
    diagram = diagrams.get(panel.title.partition(" (")[0])
    if diagram and any(isinstance(shape, Text) for shape in diagram.shapes):
        diagram = None
    title = PanelTitle(panel.title, diagram)
    heads: list[Block] = [TableHead(columns)] if panel.heads and any(column.head for column in columns[:-1]) else []
    head: tuple[Block, ...] = (Space(0.4), title, *([Paragraph(panel.text, 0.88)] if panel.text else []), *heads)
    continued: tuple[Block, ...] = (Space(0.4), title._replace(diagram=None), *heads)
    rows: list[Block] = [Row(columns, row, 0.88, lines=30) for row in cells]
    if 0 < len(cells) <= (MAX_ROWS if all(isinstance(row[0], str) for row in cells) else MAX_TALL_ROWS):
        rows = [Stack(tuple(rows))]
    return Group(rows, Stack(head), continued=Stack(continued))


def _panel_cells(panel: Panel, diagrams: Mapping[str, Picture]) -> tuple[tuple[Column, ...], list[tuple[Content, ...]]]:
    """The columns and rows of a panel: dice for the faces of one, diagrams where at least half of the rows have any."""
    column_count = max((len(row) for row in panel.rows), default=0)
    columns = _panel_columns(panel, column_count)
    cells: list[tuple[Content, ...]] = [(*row, *("",) * (column_count - len(row))) for row in panel.rows]
    pictures = [next((diagrams[cell] for cell in row[:2] if cell in diagrams), None) for row in panel.rows]
    if faces := _faces([row[0] for row in panel.rows if row]):
        columns = (columns[0]._replace(min_text="000" * max(map(len, faces))), *columns[1:])
        cells = [(dice_cell(shown), *row[1:]) for shown, row in zip(faces, cells, strict=True)]
    elif 0 < len(panel.rows) <= 2 * sum(map(bool, pictures)):
        columns = (Column("", 0.01, min_text="0" * 11), Column("", 1))
        cells = [
            (_diagram_cell(picture) if picture else "", _named_cell(_row_name(row[:-1]), row[-1]))
            for row, picture in zip(panel.rows, pictures, strict=True)
        ]
    return columns, cells


def _row_name(cells: Sequence[str]) -> str:
    """What a row is about: one word, or a code and its name."""
    return _("{name} ({code})").format(name=cells[1], code=cells[0]) if len(cells) > 1 else cells[0]


def _diagram_cell(diagram: Picture) -> Cell:
    """A diagram, lower if it has no words that would be too small."""
    legible_text = any(isinstance(shape, Text) for shape in diagram.shapes)

    def picture_width(style: Style) -> float:
        scale = 1 if legible_text else min(1, VIGNETTE / _diagram_height(diagram, style) * style.scale)
        return _diagram_width(style) * scale

    return Cell(
        lambda style, width: picture_width(style) * diagram.height / diagram.width,
        lambda pen, x, top, width, height: pen.picture(diagram, x, top, picture_width(pen.style)),
    )


def _named_cell(name: str, text: str) -> Cell:
    """A name in bold over a text, or before a short one."""
    block: Block = Stack((Paragraph(name, 0.88, NARROW_BOLD), Paragraph(text, 0.88, NARROW)))
    if len(translate(text)) <= SHORT_CELL:
        block = Paragraph(text, 0.88, NARROW, lead=name)
    return Cell(block.height, lambda pen, x, top, width, height: block.draw(pen, x, top, width))


def _faces(labels: Sequence[str]) -> list[range]:
    """The faces of a die that each label names, "3–5", if together they are those of one die; otherwise none."""
    matches = [re.fullmatch(r"([1-6])(?:–([1-6]))?", translate(label)) for label in labels]
    faces = [range(int(face[1]), int(face[2] or face[1]) + 1) for face in matches if face]
    return faces if sorted(chain.from_iterable(faces)) == [1, 2, 3, 4, 5, 6] and all(matches) else []


def dice_cell(faces: range) -> Cell:
    """Dice that show these faces."""
    scale = 1.05

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        side = pen.style.body * scale
        for place, face in enumerate(faces):
            left = x + place * side * 1.25
            pen.rect(left, top - side, side, side, fill=0, line=HAIR, radius=side / 6)
            size = pen.style.font_size(0.8)
            pen.text(left + side / 2, top - side / 2 - size * 0.35, str(face), size, face=NARROW_BOLD, align="centre")

    return Cell(lambda style, width: style.body * scale + 1, paint)


SHORT_CELL = 16
"""Cells of a panel with at most so many characters are not wrapped."""


def _panel_columns(panel: Panel, column_count: int) -> tuple[Column, ...]:
    """Columns that hold their longest word, and short cells whole; long ones, or the last, share what is left."""
    heads = (*panel.heads, *("",) * (column_count - len(panel.heads)))
    cells = [tuple(map(translate, (*row, *("",) * (column_count - len(row))))) for row in panel.rows]
    lengths = [max(len(head), *(min(len(row[n]), 60) for row in cells)) for n, head in enumerate(heads)]
    words = [max((word for row in cells for word in row[n].split()), key=len, default="") for n in range(column_count)]
    short = [length <= SHORT_CELL for length in lengths]
    columns = []
    for n, (head, length) in enumerate(zip(heads, lengths, strict=True)):
        longest = max((row[n] for row in cells), key=lambda words: ems(words, NARROW), default="").replace(" ", "\xa0")
        filler = not short[n] or (all(short) and (column_count > 2 or n == column_count - 1))
        columns.append(
            Column(
                head,
                max(length, 4) ** 0.75 if filler else 0.01,
                face=NARROW_BOLD if n == 0 else NARROW,
                min_text=longest if short[n] else words[n],
            )
        )
    return tuple(columns)
