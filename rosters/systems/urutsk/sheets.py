"""The sheets of URUTSK minis: the detachment sheet, the tables, and cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import NamedTuple, cast

from rosters.core.messages import _, join
from rosters.core.play import Panel
from rosters.pdf.blocks import (
    GAP,
    BlankLine,
    Block,
    Boxes,
    Cell,
    Column,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    text_lines,
)
from rosters.pdf.canvas import HAIR, MM, Ink, Pen, Style
from rosters.pdf.fonts import ASCENT, BOLD, REGULAR, ems
from rosters.pdf.job import Choice, Job, PrintedElement, PrintedModel, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width, panel_group
from rosters.pdf.text import LEADING, MIN_SCALE, FittedText, fit_text, wrap
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import WORDS, Element

WIDE = 52
"""From this width on, in ems, all boxes of a figure are in one row under column heads."""
BESIDE = 34
"""From this width on, in ems, the scores are beside the name."""
NAME_WIDTH = 10.4
"""The width of a figure's name before its boxes, in ems."""
SCORE_WIDTH = 5.2
"""The width of a score, in ems."""
LABEL_WIDTH = 1.7
"""The least width of the label before the boxes of Fate, in ems."""
BLANK_FATE = 10
"""Boxes of Fate on a blank form."""
MAX_LINES = 4
"""Of weapon, cover and armor beside the scores; longer text continues below."""
ROUNDS_PER_MINUTE = 10
CARD = (63 * MM, 88 * MM)
CARD_EDGE = 2.6 * MM
CARD_WIDTH, CARD_HEIGHT = CARD[0] - 2 * CARD_EDGE, CARD[1] - 2 * CARD_EDGE
"""The inside of a card."""
CARD_CHARACTERS = 2000
"""No card has room for more text, so the rest is not measured."""

CHOICES: dict[str, Choice] = {}

SCORES = (
    ("ranged", _("Ranged"), _("Ranged")),
    ("close", _("Close"), _("Close")),
    ("weapon_ability", _("Weapon ability"), _("Weapon")),
    ("fate", _("Fate"), _("Fate")),
)
"""The scores of a figure: field, label, and a shorter label."""


class StateBoxes(NamedTuple):
    """A state of a figure to mark: its form field, its label, and in a row its column head and width in ems."""

    key: str
    label: str
    head: str = ""
    width: float = 0.0
    boxes: int = 1


STATES = (
    StateBoxes("lost", _("rounds lost"), _("Rounds lost"), 5.5, 4),
    StateBoxes("out", _("ammo out"), _("Ammo out"), 3.5),
    StateBoxes("spare", _("spare"), _("Spare ammo"), 3.5),
    StateBoxes("uncommanded", _("out of command"), _("Out of command"), 5.0),
    StateBoxes("injured", _("injured"), _("Injured"), 4.4),
    StateBoxes("immobile", _("immobile"), _("Immobile"), 5.0),
    StateBoxes("unconscious", _("unconscious"), _("Unconscious"), 6.2),
    StateBoxes("dead", _("dead"), _("Dead"), 3.2),
)
WEAPON_STATES = (
    *(StateBoxes(code, fire.lower) for code, fire in tables.FIRE.items()),
    StateBoxes("poor", _("poor condition")),
    StateBoxes("command", _("command-capable")),
)


# ---------------------------------------------------------------- boxes with labels


class LabeledBoxes(NamedTuple):
    """Boxes with labels beside them, as many in a line as fit."""

    states: tuple[StateBoxes, ...]
    path: str = ""

    def _places(self, style: Style, width: float) -> Iterator[tuple[StateBoxes, float, int]]:
        """The distance of each box from the left, and its line."""
        x, line = 0.0, 0
        for state in self.states:
            wide = _boxes_width(style, state.boxes) + ems(state.label) * style.small
            if x and x + wide > width:
                x, line = 0.0, line + 1
            yield state, x, line
            x += wide + style.body * 0.8

    def height(self, style: Style, width: float) -> float:
        return (max(line for _state, _x, line in self._places(style, width)) + 1) * style.line * 1.12

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        for state, left, line in self._places(style, width):
            down, wide = top - line * style.line * 1.12, _boxes_width(style, state.boxes)
            _boxes(state, self.path).draw(pen, x + left, down, wide)
            pen.fit(x + left + wide, down - style.line * 0.78, state.label, width - left - wide, style.small)


def _boxes_width(style: Style, boxes: int) -> float:
    """The width of boxes in a row and a gap, in points."""
    return style.line * 0.82 * 1.18 * boxes + style.body * 0.25


def _boxes(state: StateBoxes, path: str) -> Boxes:
    return Boxes((False,) * state.boxes, names=tuple(f"{path}.{state.key}.{box}" for box in range(state.boxes)))


# ---------------------------------------------------------------- the boxes of a figure


def _columns(style: Style, width: float) -> tuple[Column, ...]:
    """The columns of the rows of figures, their shares in points; with little width most states are below the row."""
    body = style.body
    states = tuple(
        Column(state.head, state.width * body, "centre") for state in (STATES if width >= WIDE * body else STATES[:1])
    )
    rest = width - sum(column.share for column in states)
    name = NAME_WIDTH * body if len(states) > 1 else 0.45 * rest
    return Column(WORDS.element, name), Column(_("Fate"), rest - name), *states


class FigureBoxes(NamedTuple):
    """The boxes of one figure: Fate, rounds lost, ammunition, command, wounds.

    ``number`` is its number among several figures; ``label`` is before the boxes of Fate. Either may be "".
    ``name_width`` in points: all states are below the row; None: the widths are those of `_columns`.
    """

    name: str
    fate: tuple[bool, ...]
    path: str
    number: str = ""
    label: str = ""
    remark: str = ""
    name_width: float | None = None

    def _spans(self, style: Style, width: float) -> tuple[float, ...]:
        """The widths of name, Fate and, in a wide row, each state."""
        if self.name_width is not None:
            return self.name_width, width - self.name_width
        return tuple(column.share for column in _columns(style, width))

    def _fate_boxes(self) -> Boxes:
        return Boxes(self.fate, names=tuple(f"{self.path}.fate.{box}" for box in range(len(self.fate))))

    def _label_width(self, style: Style) -> float:
        return max(LABEL_WIDTH, ems(self.label, BOLD) + 0.5) * style.body if self.label else 0.0

    def _fate_width(self, style: Style, spans: Sequence[float]) -> float:
        """The width of the boxes of Fate: one row, or else complete groups of five."""
        room = spans[1] - GAP - self._label_width(style)
        five = style.line * 0.82 * (5 * 1.18 + 0.5)
        return room if self._fate_boxes().rows(style, room) == 1 or room < five else room // five * five

    def _first_height(self, style: Style, spans: Sequence[float]) -> float:
        """The height of name and Fate."""
        return self._fate_boxes().height(style, self._fate_width(style, spans)) + (style.line if self.remark else 0)

    def _below(self, spans: Sequence[float]) -> LabeledBoxes | None:
        """The states without a column."""
        rest = STATES[len(spans) - 2 :]
        return LabeledBoxes(rest, self.path) if rest else None

    def height(self, style: Style, width: float) -> float:
        spans = self._spans(style, width)
        below = self._below(spans)
        return self._first_height(style, spans) + (below.height(style, width) if below else 0.0) + style.body * 0.4

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, height = pen.style, self.height(pen.style, width)
        spans = self._spans(style, width)
        inner = top - style.body * 0.2
        if style.fillable:
            self._draw_boxes(pen, x, inner, width)
        else:  # equal boxes are in the file once
            sizes = (width, spans[0], 10 * self._label_width(style), 100 * style.body)
            key = "-".join(map(str, ("figure", len(self.fate), sum(self.fate), *map(round, sizes))))
            pen.draw_cached(key, x, inner, lambda: self._draw_boxes(pen, 0, 0, width))
        self._draw_text(pen, x, inner, spans)
        pen.line(x, top - height, x + width, top - height, HAIR)

    def _draw_text(self, pen: Pen, x: float, top: float, spans: Sequence[float]) -> None:
        """The name and its number, which is never cut off; the label of Fate; the remark."""
        style = pen.style
        baseline, number = top - style.line * 0.82, f" {self.number}" if self.number else ""
        room = spans[0] - GAP - ems(number) * style.body
        name = fit_text(self.name, room, style.body) if self.name and room > 0 else FittedText(("",), style.body)
        pen.runs(x, baseline, name.lines[0], name.size)
        pen.text(x + ems(name.lines[0]) * name.size, baseline, number if self.name else self.number)
        pen.text(x + spans[0], baseline, self.label, face=BOLD)
        bottom = top - self._fate_boxes().height(style, self._fate_width(style, spans)) - style.small
        pen.fit(x + spans[0], bottom, self.remark, spans[1] - GAP, style.small)

    def _draw_boxes(self, pen: Pen, x: float, top: float, width: float) -> None:
        style = pen.style
        spans = self._spans(style, width)
        left = x + spans[0] + self._label_width(style)
        self._fate_boxes().draw(pen, left, top, self._fate_width(style, spans))
        below = self._below(spans)
        if below:
            below.draw(pen, x, top - self._first_height(style, spans), width)
        left = x + spans[0] + spans[1]
        for state, span in zip(STATES, spans[2:], strict=False):
            wide = _boxes_width(style, state.boxes)
            middle = left + (span - GAP - wide + style.body * 0.25 + style.line * 0.15) / 2
            _boxes(state, self.path).draw(pen, middle, top, wide)
            left += span


def _figure_row(job: Job, entry: PrintedElement, number: int, model: PrintedModel) -> FigureBoxes:
    """The row of one model; with its name and number where the entry has several."""
    element = cast(Element, entry.element)
    track = job.tracks(element)[0]
    boxes, lost = len(track.boxes), int(getattr(model.mark, "fate", 0)) if job.options.marks else 0
    remarks = [_("first {n} of {total}").format(n=boxes, total=element.fate)] if element.fate > boxes else []
    remarks += [_("{n} lost").format(n=lost)] if lost > boxes else []
    return FigureBoxes(
        (entry.name or WORDS.element) if entry.quantity > 1 else "",
        job.marked(track, model.mark),
        model.path,
        str(number) if entry.quantity > 1 else "",
        str(element.fate) if element.fate == boxes else "",
        join(remarks),
    )


# ---------------------------------------------------------------- the profile of figures


class Scores(NamedTuple):
    """The scores, each a label above a box; None leaves the boxes open, as form fields."""

    element: Element | None = None
    path: str = ""

    def height(self, style: Style, width: float) -> float:
        return style.body * 2.45

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body, wide = pen.style.body, width / len(SCORES)
        room, size = wide - 4, body * 0.72
        for number, (key, label, short) in enumerate(SCORES):
            left, low = x + number * wide, top - body * 2.3
            text = label if ems(label) * size * MIN_SCALE <= room else short
            pen.fit(left + 1, top - body * 0.62, text, room, size, align="centre")
            pen.rect(left + 1, low, room, body * 1.4, line=HAIR)
            if self.element is None:
                pen.field(f"{self.path}.{key}", left + 1, low, room, body * 1.4)
            else:
                value = str(getattr(self.element, key))
                pen.fit(left + 2, low + body * 0.28, value, wide - 6, body * 1.2, face=BOLD, align="centre")


class BesideScores(NamedTuple):
    """A block with scores on its right, or below it where there is little width."""

    block: Block
    scores: Scores

    def height(self, style: Style, width: float) -> float:
        room = _beside_scores(style, width)
        block, scores = self.block.height(style, room), self.scores.height(style, width)
        return (max(block, scores) if room < width else block + style.body * 0.3 + scores) + style.body * 0.5

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        body, room = pen.style.body, _beside_scores(pen.style, width)
        top -= body * 0.25
        self.block.draw(pen, x, top, room)
        if room < width:
            self.scores.draw(pen, x + room + body, top, width - room - body)
        else:
            self.scores.draw(pen, x, top - self.block.height(pen.style, room) - body * 0.3, width)


def _beside_scores(style: Style, width: float) -> float:
    """The width that the scores leave for a block; all of it where they are below."""
    return width - (4 * SCORE_WIDTH + 1) * style.body if width >= BESIDE * style.body else width


BADGE = _("COMMAND")


class Name(NamedTuple):
    """The name of equal figures on up to three lines, their number, and a badge if they are command-capable."""

    name: str
    quantity: int
    command: bool

    @property
    def _number(self) -> str:
        return f" ×{self.quantity}" if self.quantity != 1 else ""

    def _badge_width(self, style: Style) -> float:
        return ems(BADGE, BOLD) * style.body * 0.66 + style.body * 0.7

    def _text(self, style: Style, width: float) -> FittedText:
        size = style.body * 1.15
        badge = self._badge_width(style) + style.body * 0.6 if self.command else 0.0
        return fit_text(self.name, width - ems(self._number) * size - badge, size, 3, face=BOLD)

    def height(self, style: Style, width: float) -> float:
        return self._text(style, width).height + style.body * 0.15

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        text, body = self._text(pen.style, width), pen.style.body
        pen.lines(x, top, text, face=BOLD)
        baseline = top - text.size * (ASCENT + max(len(text.lines) - 1, 0) * LEADING)
        x += ems(text.lines[-1] if text.lines else "", BOLD) * text.size
        pen.text(x, baseline, self._number, text.size)
        if self.command:
            x += ems(self._number) * text.size + body * 0.5
            wide = self._badge_width(pen.style)
            pen.rect(x, baseline - body * 0.2, wide, body * 0.95, radius=body * 0.3)
            pen.text(x + body * 0.35, baseline + body * 0.03, BADGE, body * 0.66, face=BOLD)


def _profile(entry: PrintedElement, *texts: Block) -> BesideScores:
    element = cast(Element, entry.element)
    return BesideScores(
        Stack((Name(entry.name or WORDS.element, entry.quantity, element.command), *texts)), Scores(element)
    )


def weapon_text(element: Element) -> str:
    """How the weapon fires, the faces that explode at each range, and its condition."""
    text = _("{fire}: explodes on {faces} by range")
    if element.poor_condition:
        text = _("{fire}: explodes on {faces} by range; poor condition")
        if element.fire == "autofire":
            text = _("{fire}: explodes on {faces} by range; poor condition: modified 2 misses")
    faces = tables.exploding_by_range(element.fire, element.ranged)
    return text.format(fire=tables.FIRE[element.fire].name, faces=faces)


# ---------------------------------------------------------------- the detachment sheet


def record(job: Job) -> Iterator[Section]:
    """The detachment sheet: the clock, then for each entry its profile and a row for each figure."""
    groups = _blank_groups(job) if job.blank else _detachments(job)
    yield Section(_("Detachment sheet"), chain([Group([_clock(job)])], groups))


def _detachments(job: Job) -> Iterator[Group]:
    heads = TableHead(_columns(job.style, frame_width(job)))
    for number, formation, _priced in job.formations():
        figures = sum(element.quantity for element in formation.elements)
        commanders = sum(element.quantity for element in formation.elements if element.command)
        aside = (
            WORDS.count_elements(figures),
            _("{n} command-capable").format(n=commanders) if commanders else _("none command-capable"),
        )
        title = formation.name or WORDS.formation
        head = Stack((Space(0.5), Heading(title, join(aside), 1.2, rule=False), heads))
        blocks = (block for entry in job.entries(number) if entry.quantity for block in _entry(job, entry))
        yield Group(blocks, head, title)


def _entry(job: Job, entry: PrintedElement) -> Iterator[Block]:
    """The profile with the first figure, then the others. Long cover and armor text runs between them."""
    weapon, protection = weapon_text(cast(Element, entry.element)), cast(Element, entry.element).protection.strip()
    rows = (_figure_row(job, entry, number, model) for number, model in enumerate(entry.models, start=1))
    text = join((weapon, protection), " · ") if protection else weapon
    lines = wrap(text, _beside_scores(job.style, frame_width(job)), job.style.small)
    if len([*islice(lines, MAX_LINES + 1)]) <= MAX_LINES:
        yield Stack((_profile(entry, Paragraph(text, 0.82, ink="soft")), next(rows)))
    else:
        yield _profile(entry, Paragraph(weapon, 0.82, ink="soft"))
        yield from text_lines(protection, job.style, frame_width(job), 0.82, ink="soft")
    yield from rows


def _clock(job: Job) -> Clock:
    """Two lines of minutes."""
    return Clock(2 * Clock(0).per_line(job.style, frame_width(job)))


class Clock(NamedTuple):
    """Minutes of ten rounds, each with a box for its command check."""

    minutes: int

    def per_line(self, style: Style, width: float) -> int:
        return max(1, int(width // (26 * style.body)))

    def height(self, style: Style, width: float) -> float:
        return -(-self.minutes // self.per_line(style, width)) * style.line * 1.3 + style.body * 0.6

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        style, across = pen.style, self.per_line(pen.style, width)
        for minute in range(self.minutes):
            left = x + minute % across * width / across
            down = top - style.body * 0.4 - minute // across * style.line * 1.3
            path = f"minute{minute + 1}"
            pen.text(left, down - style.line * 0.78, _("Minute {n}").format(n=minute + 1), face=BOLD)
            left += style.body * 4.4
            _boxes(StateBoxes("round", "", boxes=ROUNDS_PER_MINUTE), path).draw(pen, left, down, width)
            left += _boxes_width(style, ROUNDS_PER_MINUTE) + style.body * 1.5
            check = StateBoxes("command", _("command check"))
            LabeledBoxes((check,), path).draw(pen, left, down, width / across - style.body * 13)


# ---------------------------------------------------------------- blank forms


def _blank_groups(job: Job) -> Iterator[Group]:
    """One page of blank figures."""
    width, height = frame(job.options.paper)
    head = Stack((BlankLine(WORDS.formation, "detachment"), Space(0.3), TableHead(_columns(job.style, width))))
    room = height - _clock(job).height(job.style, width) - head.height(job.style, width)
    number = max(1, int(room // _blank_figure(job, 0).height(job.style, width)))
    yield Group([_blank_figure(job, figure) for figure in range(number)], head, WORDS.formation)


def _blank_figure(job: Job, number: int) -> Stack:
    path, width = f"blank{number}", frame_width(job)
    rows = 3 if width >= WIDE * job.style.body else 2
    return Stack((*_blank_profile(path, job.style, width), *(_blank_row(path, row) for row in range(rows))))


def _blank_row(path: str, row: int) -> FigureBoxes:
    return FigureBoxes("", (False,) * BLANK_FATE, f"{path}.m{row}", str(row + 1))


def _blank_profile(path: str, style: Style, width: float) -> tuple[Block, ...]:
    """A blank profile: lines for name, cover and armor; open scores; the ways to fire."""
    name, cover = BlankLine(WORDS.element, f"{path}.name"), BlankLine(_("Cover and armor"), f"{path}.protection", 0.82)
    weapon, scores = LabeledBoxes(WEAPON_STATES, path), Scores(path=path)
    if width < WIDE * style.body:
        return BesideScores(Stack((name, cover)), scores), weapon
    lines = Row((Column("", 1), Column("", 1)), (_cell(name), _cell(cover)), rule=0)
    return (BesideScores(Stack((lines, weapon)), scores),)


def _cell(block: Block) -> Cell:
    return Cell(block.height, lambda pen, x, top, width, _height: block.draw(pen, x, top, width))


# ---------------------------------------------------------------- cards


class Card(NamedTuple):
    """A card of 63 × 88 mm with a profile and figures; its text is smaller where the first figure needs it."""

    blocks: tuple[Block, ...]
    notes: str = ""

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def _style(self, style: Style) -> Style:
        """The style with the largest text, in steps of a tenth, in which everything fits."""
        sizes = [style._replace(body=style.body * tenths / 10) for tenths in range(10, 2, -1)]
        return next((size for size in sizes if Stack(self.blocks).height(size, CARD_WIDTH) <= CARD_HEIGHT), sizes[-1])

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.rect(x, top - CARD[1], *CARD, line=HAIR)
        with _style_of(pen, self._style(pen.style)):
            stack, size = Stack(self.blocks), pen.style.small
            stack.draw(pen, x + CARD_EDGE, top - CARD_EDGE, CARD_WIDTH)
            used = stack.height(pen.style, CARD_WIDTH) + size * 0.4
            lines = int((CARD_HEIGHT - used) // (size * LEADING))
            if self.notes and lines > 0:
                text = fit_text(self.notes[:CARD_CHARACTERS], CARD_WIDTH, size, lines)
                pen.lines(x + CARD_EDGE, top - CARD_EDGE - used, text, ink="soft")


@contextmanager
def _style_of(pen: Pen, style: Style) -> Iterator[None]:
    """Draw in another style."""
    before, pen.style = pen.style, style
    yield
    pen.style = before


def cards(job: Job) -> Iterator[Grid]:
    """Cards to cut out; equal figures share one as long as there is room."""
    yield Grid(_("Cards"), _blank_cards(job) if job.blank else _cards(job), cell=CARD)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    for position, formation, _priced in job.formations():
        for entry in job.entries(position):
            profile = _card_profile(entry)
            rows = (_card_row(job, entry, number, model) for number, model in enumerate(entry.models, start=1))
            room = CARD_HEIGHT - profile.height(job.style, CARD_WIDTH)
            for first in rows:
                more = max(0, int(room // first.height(job.style, CARD_WIDTH)) - 1)
                blocks: tuple[Block, ...] = (profile, first, *islice(rows, more))
                yield formation.name or WORDS.formation, Card(blocks, entry.element.notes)


def _card_profile(entry: PrintedElement) -> BesideScores:
    """The profile with up to three lines of cover and armor; the detachment sheet has all of it."""
    element = cast(Element, entry.element)
    cover = Row((Column("", 1),), (element.protection[:CARD_CHARACTERS],), 0.82, rule=0)
    return _profile(entry, Paragraph(weapon_text(element), 0.82, ink="soft"), *([cover] if element.protection else []))


def _card_row(job: Job, entry: PrintedElement, number: int, model: PrintedModel) -> FigureBoxes:
    width = (0.6 + 0.6 * len(str(entry.quantity))) * job.style.body if entry.quantity > 1 else 0.0
    return _figure_row(job, entry, number, model)._replace(name="", label=_("Fate"), name_width=width)


def _blank_cards(job: Job) -> Iterator[tuple[str, Block]]:
    """One page of blank cards."""
    style = job.style
    for number in range(4 if job.options.paper == "a5" else 9):
        profile = Stack(_blank_profile(f"card{number}", style, CARD_WIDTH))
        rows = [
            _blank_row(f"card{number}", row)._replace(label=_("Fate"), name_width=1.6 * style.body) for row in range(9)
        ]
        room = CARD_HEIGHT - profile.height(style, CARD_WIDTH)
        yield "", Card((profile, *rows[: max(1, int(room // rows[0].height(style, CARD_WIDTH)))]))


# ---------------------------------------------------------------- the tables


def dice_tables(job: Job) -> Iterator[Section]:
    """The tables of play on one page."""
    yield Section(_("Tables"), _table_groups(), columns=2)


def _table_groups() -> Iterator[Group]:
    yield _ranges()
    yield _panel(_("Ranged fire"), tables.RANGED)
    yield _panel(_("Clean miss (D6)"), tables.CLEAN_MISS)
    yield _weapons()
    yield _panel(_("Bursts"), tables.BURST)
    yield _panel(_("Group fire"), tables.GROUP)
    yield _panel(_("Melee"), tables.MELEE)
    yield _charge()
    yield _panel(_("Command"), tables.COMMAND)
    yield _panel(_("Hits compared with Fate"), tables.FATE)
    yield _panel(_("Incapacitated (D6)"), tables.INCAPACITATED)
    yield _panel(_("Shock (D6)"), tables.SHOCK)


def _together(title: str, *blocks: Block) -> Group:
    """A table that is not split."""
    return Group([Stack((Space(0.4), Heading(title, "", 1.1), *blocks))])


def _panel(title: str, rows: tables.Rows) -> Group:
    return _together(title, *panel_group(Panel(title, rows)).blocks)


RANGE_COLUMNS = 3
"""Rows for weapons whose ranges are filled in by hand."""


def _ranges() -> Group:
    columns = (
        Column(_("Range"), 2.2, face=BOLD),
        Column(_("Penalty"), 1.6, "centre", face=BOLD),
        *(Column("", 2, "centre") for _weapon in range(RANGE_COLUMNS)),
    )
    rows = [
        Row(columns, (name, f"−{penalty}" if penalty else "0", *_open_cells(code)))
        for code, name, penalty in tables.RANGES
    ]
    text = _("Enter your weapons and their ranges in yards.")
    weapons = Row(columns, (_("Weapon"), "", *_open_cells("weapon")))
    return _together(_("Range"), Paragraph(text, 0.92), TableHead(columns), weapons, *rows)


def _open_cells(row: str) -> Iterator[Cell]:
    """Boxes to write in, with form fields."""

    def cell(name: str) -> Cell:
        def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
            pen.rect(x, top - height, width, height, line=HAIR)
            pen.field(name, x, top - height, width, height)

        return Cell(lambda style, _width: style.line * 1.1, paint)

    return (cell(f"ranges.{row}.{weapon}") for weapon in range(RANGE_COLUMNS))


def _dice(lowest: int | None) -> Cell:
    """The faces of a die in a row, with circles around those that explode."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size, step = pen.style.body, min(width / 6, pen.style.body * 1.6)
        for face in range(1, 7):
            middle, explodes = x + (face - 0.5) * step, lowest is not None and face >= lowest
            ink: Ink = "ink" if explodes else "soft"
            pen.text(
                middle, top - size * 0.98, str(face), size, face=BOLD if explodes else REGULAR, align="centre", ink=ink
            )
            if explodes:
                pen.circle(middle, top - size * 0.63, size * 0.58)

    return Cell(lambda style, _width: style.body * 1.3, paint)


MODIFIERS = {-2: "−2", -1: "−1", 0: "0", 1: "+1", 2: "+2"}
"""The modifiers in the table of weapons; below −2 no die explodes."""


def _weapons() -> Group:
    """The faces that explode, by the way a weapon fires and the modifier of the die."""
    columns = (
        Column(_("Modifier"), 0.8, "centre", face=BOLD),
        *(Column(fire.name, 1.6) for fire in tables.FIRE.values()),
    )
    plain = Column("", 1, face=BOLD), Column("", 3.4)
    rows = [
        Row(columns, (label, *(_dice(tables.lowest_exploding(fire, modifier)) for fire in tables.FIRE)), 0.92)
        for modifier, label in MODIFIERS.items()
    ]
    notes = [Row(plain, row, 0.92) for row in (tables.AUTOFIRE_GROUP, tables.POOR)]
    text = _("Modifier: Ranged − range − cover. Circled faces explode; the modified result counts.")
    return _together(_("Weapons"), Paragraph(text, 0.92), TableHead(columns), *rows, *notes)


def _charge() -> Group:
    """The faces that explode in a charge, for receivers also with readied weapons, and the rules of a charge."""
    columns = Column("", 1.25, face=BOLD), Column(_("Explodes"), 1), Column(_("Weapons readied"), 1)
    dice = [Row(columns, (name, _dice(face), ""), 0.92) for name, face in tables.CHARGERS]
    dice += [Row(columns, (name, _dice(face), _dice(tables.readied(face))), 0.92) for name, face in tables.RECEIVERS]
    rules = [Row((Column("", 1, face=BOLD), Column("", 2.2)), row, 0.92) for row in tables.CHARGE]
    return _together(_("Mass charge"), *rules, TableHead(columns), *dice)


# ---------------------------------------------------------------- the sheets of the game

SHEETS = (
    ROSTER,
    Sheet("record", _("Detachment sheet"), _("Fate, ammunition, command and wounds of every figure."), record),
    Sheet("tables", _("Tables"), _("Ranges, fire, melee, charges and wounds on one page."), dice_tables, shared=True),
    Sheet("cards", _("Cards"), _("Cards of 63 × 88 mm to cut out."), cards, never),
    REFERENCE._replace(pack=never),
)
