"""The figures of a roster as a table: a row for each, with its picture, rolls and boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.messages import Message, _, join, translate
from rosters.pdf.blocks import (
    Boxes,
    Cell,
    Column,
    Content,
    Drawing,
    Heading,
    NoteLines,
    Row,
    Space,
    Stack,
    TableHead,
    TextLine,
    fill_in_cell,
)
from rosters.pdf.canvas import BOX, HAIR, MM, Align, Block, Pen, Style
from rosters.pdf.fonts import CAP_HEIGHT, NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.panels import panel_group
from rosters.pdf.sections import Group, Section, frame
from rosters.pdf.text import LEADING, FittedText, fit_text, wrap
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.drawing import die_picture
from rosters.systems.vsgmr.sheets.figures import PrintedFigure, State, figures_of_entry, inches
from rosters.systems.vsgmr.tables import Roll

PICTURE_WIDTH, DIE_WIDTH = 11.4 * MM, 6.6 * MM
"""The widths of the picture of a figure and of a die, in points of normal print."""
COVER = "cover"
"""The roll at a target in cover, with the dice of that at a distance."""
LIST_ROLLS: tuple[tuple[str, Message, float, tuple[str, ...]], ...] = (
    ("distance", _("Distance"), 2.4, ("distance",)),
    ("in-cover", _("In cover"), 1.2, (COVER,)),
    ("hand-to-hand", _("Hand to hand"), 1.9, ("hand-to-hand",)),
    ("armor", _("Armor"), 1.9, ("light", "heavy")),
    ("skill", _("Skill"), 1.9, ("skill",)),
)
"""Columns of rolls: the name of the form field, the head, the share of the width, and the codes of the rolls."""
IN_COLUMNS = {code for _field, _head, _share, codes in LIST_ROLLS for code in codes} | {tables.BUILDING_ROLL.code}
BUILDINGS = _("Buildings: {target}+ on a d{die} cancels a hit").format(
    target=tables.BUILDING_ROLL.target, die=tables.BUILDING_ROLL.die
)


LIST_PANELS = frozenset(
    {_("Rolls"), _("Attacks and skill rolls"), _("Knockback"), _("Hits"), _("Traits"), _("Super powers")}
)
"""The reference panels below the list, which say what its rolls, traits and powers do."""


def figure_list(job: Job) -> Iterator[Section]:
    """The contents of the cards as a table: a row for each figure, with a damage box for each model."""
    land = job.options.large or job.options.half
    width, height = frame(job.options.paper, landscape=land)
    groups = _blank_table(job, height) if job.blank else _list_groups(job, width)
    yield Section(_("Figure list"), groups, landscape=land, rest=NoteLines)
    if not job.blank:
        panels = (panel for panel in job.play.panels(job.document, job.terms) if panel.title in LIST_PANELS)
        yield Section(_("Reference"), map(panel_group, panels), columns=2, landscape=land)


def _list_columns(job: Job) -> tuple[Column, ...]:
    points = (Column(_("Points"), 1.6, "right", NAME),) if job.points else ()
    return (
        Column("", 2.0),
        Column(_("Figure"), 4.4, face=NARROW_BOLD),
        *(Column(head, 1.2, "centre") for head in (_("Move"), _("Half"), _("Range"))),
        *(Column(head, share, "centre") for _field, head, share, _codes in LIST_ROLLS),
        *points,
        Column(_("Out"), 1.1, "centre"),
    )


def _list_groups(job: Job, width: float) -> Iterator[Group]:
    columns = _list_columns(job)
    for number, formation, _priced in job.formations():
        shown = (figure for entry in job.entries(number) for figure in figures_of_entry(job, entry, formation.name))
        rows = (block for figure in shown for block in _list_row(job, columns, figure, width))
        title = formation.name or job.words.formation
        yield Group(rows, Stack((Space(0.3), Heading(title, BUILDINGS, 1.15), TableHead(columns))), title)


def _list_row(job: Job, columns: tuple[Column, ...], figure: PrintedFigure, width: float) -> Iterator[Block]:
    boxes = Boxes(
        tuple(box.marked for box in figure.boxes),
        names=tuple(box.name for box in figure.boxes),
        tooltip=tuple(box.tooltip for box in figure.boxes),
    )
    alone, none = len(figure.boxes) == 1, _number_cell("–")
    by_code = {
        roll.code: _number_cell(f"{roll.target}+") if roll.code == COVER else _roll_cell(roll) for roll in figure.rolls
    }
    shown = [next((by_code[code] for code in codes if code in by_code), none) for *_column, codes in LIST_ROLLS]
    ruler = figure.ruler[:3] if figure.ruler else (None,) * 3
    moves = [_number_cell(inches(each) if each else "–") for each in ruler]
    points = (_number_cell(figure.unit_points, "right"),) if job.points else ()
    cells = (_picture_cell(figure), _name_cell(figure), *moves, *shown, *points, _box_cell(boxes) if alone else "")
    main = Row(columns, cells, rule=0)
    indent, out = (width * column.share / sum(each.share for each in columns) for column in (columns[0], columns[-1]))
    texts = [*_lines_below(job, figure, width - indent)] or [""] * (not alone)
    lines = [TextLine(text, 0.84, NARROW, "soft", indent) for text in texts]
    below: list[Block] = [*lines] if alone else [OutBoxes(boxes, lines[0], out), *lines[1:]]
    below += [StateLine(state, indent) for state in figure.states if state.code in LISTED_STATES]
    yield Stack((main, *below[:4]))
    yield from below[4:]
    yield Drawing(job.style.line * 0.3, _draw_rule)


def _draw_rule(pen: Pen, x: float, top: float, width: float) -> None:
    pen.line(x, top - 1, x + width, top - 1, HAIR, ink="line")


LISTED_STATES = ("inspiration", "aboard")
"""States that few figures have, so that a row has them below it."""


class StateLine(NamedTuple):
    """The boxes of a state after its label."""

    state: State
    indent: float

    def height(self, style: Style, width: float) -> float:
        return BOX * 1.1

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size, left, boxes = pen.style.small, x + self.indent, self.state.boxes
        pen.text(left, top - BOX * 0.72, self.state.label, size, face=NARROW, ink="soft")
        left += ems(translate(self.state.label), NARROW) * size + 2 * MM
        for number, box in enumerate(boxes):
            label = str(number + 1) if self.state.numbered else ""
            at = left + number * BOX * 1.16
            pen.box(at, top - BOX, BOX, marked=box.marked, name=box.name, tooltip=box.tooltip, label=label)


class OutBoxes(NamedTuple):
    """The boxes of several figures below their row, the last of them under the head of the ``column``, so wide, for
    one; the first line of their text is on their left if there is room.
    """

    boxes: Boxes
    line: TextLine
    column: float

    def _beside(self, style: Style, width: float) -> bool:
        """Whether the line is on the left of the boxes, which then are in one row."""
        needed = ems(self.line.text, self.line.face) * style.font_size(self.line.scale) + 4 * MM
        available = width - self.line.indent
        return (
            self.boxes.rows(style, available) == 1
            and needed + self.boxes.width(style, available) + self.column / 2 <= available
        )

    def height(self, style: Style, width: float) -> float:
        line = 0.0 if self._beside(style, width) else self.line.height(style, width)
        return self.boxes.height(style, width - self.line.indent) + line

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        available, side = width - self.line.indent, self.boxes.side(pen.style)
        wide = self.boxes.width(pen.style, available)
        inset = min((self.column - side) / 2, available - wide)
        self.boxes.draw(pen, x + width - wide - inset, top, available)
        down = self.boxes.height(pen.style, available)
        if self._beside(pen.style, width):
            down = (down - self.line.height(pen.style, width)) / 2
        self.line.draw(pen, x, top - down, width)


def _box_cell(boxes: Boxes) -> Cell:
    """The box of a single figure, in the middle of its row."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes.draw(
            pen, x + (width - boxes.side(pen.style)) / 2, top - (height - boxes.height(pen.style, width)) / 2, width
        )

    return Cell(boxes.height, paint)


def _picture_cell(figure: PrintedFigure) -> Cell:
    scale = figure.small.height / figure.small.width

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        picture_width = min(width, PICTURE_WIDTH * pen.style.scale)
        pen.picture(figure.small, x, top - (height - picture_width * scale) / 2, picture_width)

    return Cell(lambda style, width: min(width, PICTURE_WIDTH * style.scale) * scale, paint)


def _name_cell(figure: PrintedFigure) -> Cell:
    """The name over the kind."""
    name = " ".join(part for part in (figure.name, translate(figure.number)) if part)

    def fitted(style: Style, width: float) -> FittedText:
        return fit_text(name, width, style.body * 1.1, 3, NARROW_BOLD)

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        text, small = fitted(pen.style, width), pen.style.small
        upper = top - (height - text.height - small * LEADING) / 2
        pen.lines(x, upper, text, face=NARROW_BOLD)
        pen.fit(x, upper - text.height - small, figure.kind, width, small, face=NARROW, ink="soft")

    return Cell(lambda style, width: fitted(style, width).height + style.small * LEADING, paint)


def _number_cell(text: str, align: Align = "centre") -> Cell:
    """A number in the middle of a row."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size = min(pen.style.body * 1.5, width / max(ems(text, NAME), 0.1))
        at = x + (width / 2 if align == "centre" else width)
        pen.runs(at, top - height / 2 - size * CAP_HEIGHT / 2, text, size, face=NAME, align=align)

    return Cell(lambda style, width: style.line, paint)


def _lines_below(job: Job, figure: PrintedFigure, width: float) -> Iterator[str]:
    """The lines under a row: points of several, traits and powers, rolls without a column, notes."""
    others = [join((roll.name, f"{roll.target}+"), " ") for roll in figure.rolls if roll.code not in IN_COLUMNS]
    several = [join((figure.unit_points, figure.worth), " ")] if figure.unit_points and len(figure.boxes) > 1 else []
    texts = [
        *several,
        *([figure.abilities] if figure.abilities else []),
        *([_("Rolls: {rolls}").format(rolls=join(others))] if others else []),
    ]
    for paragraph in (translate(join(texts, ". ")), *figure.notes.splitlines()):
        yield from wrap(paragraph, width, job.style.body * 0.84, NARROW)


def _roll_cell(roll: Roll) -> Cell:
    """The dice and the number they need."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        target, middle = f"{roll.target}+", top - height / 2
        size, gap = pen.style.body * 1.5, 1 * MM
        number = ems(target, NAME) * size
        side = min(DIE_WIDTH * pen.style.scale, (width - number - gap) / roll.dice)
        x += max((width - roll.dice * side - gap - number) / 2, 0)
        for die in range(roll.dice):
            pen.picture(die_picture(roll.die), x + die * side, middle + side / 2, side)
        pen.runs(x + roll.dice * side + gap, middle - size * CAP_HEIGHT / 2, target, size, face=NAME)

    return Cell(lambda style, width: DIE_WIDTH * style.scale, paint)


def _blank_roll(name: str, roll: str, *, dice: bool = True) -> Cell:
    """The die of a roll, unless it is that of another, and its target to write in."""
    die, needed = (join((roll, what), ": ") for what in (_("die"), _("number needed")))

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        left = width * 0.45 if dice else 0.0
        if dice:
            pen.text(x, top - height + 3, "d", ink="soft")
            pen.field(f"{name}.die", x + pen.style.body * 0.6, top - height, width * 0.3, height, tooltip=die)
        pen.text(x + width * 0.85, top - height + 3, "+", align="right", ink="soft")
        pen.field(f"{name}.target", x + left, top - height, width * 0.75 - left, height, tooltip=needed)

    return Cell(lambda style, width: style.line, paint)


def _blank_table(job: Job, height: float) -> Iterator[Group]:
    """A page of rows to fill in: five damage boxes, a name, a die and a target for each roll."""
    columns = _list_columns(job)
    number = int((height - 6 * job.style.line) // (2.2 * job.style.line + job.style.body * 0.35))
    rows = [Row(columns, tuple(_blank_cells(f"list.r{row}", len(columns))), min_lines=2.2) for row in range(number)]
    yield Group(rows, Stack((Heading(_("Figures"), BUILDINGS, 1.15), TableHead(columns))))


def _blank_cells(name: str, columns: int) -> Iterator[Content]:
    yield ""
    fields = {"name": _("Figure"), "move": _("Move"), "half": _("Half"), "range": _("Range")}
    yield from (fill_in_cell(f"{name}.{what}", tooltip) for what, tooltip in fields.items())
    yield from (
        _blank_roll(f"{name}.{field}", roll, dice=COVER not in codes) for field, roll, _share, codes in LIST_ROLLS
    )
    if columns > 6 + len(LIST_ROLLS):
        yield fill_in_cell(f"{name}.points", _("Points"))
    yield _box_cell(Boxes((False,), names=(f"{name}.out.0",), tooltip=(_("Defeated"),)))
