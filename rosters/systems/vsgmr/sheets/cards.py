"""Figure cards: the picture, the moves and the rolls on the face, traits and powers in words on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from rosters.core.messages import Message, _, join, translate
from rosters.core.odds import die_roll
from rosters.pdf.canvas import HAIR, MM, Pen
from rosters.pdf.cards import (
    BOX,
    STEP,
    Blank,
    Card,
    CardBox,
    CardText,
    Contents,
    Design,
    Edge,
    Spot,
    Stat,
    back_of,
    card_grid,
    draw_boxes,
)
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.pdf.text import fill_text
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.drawing import die_picture
from rosters.systems.vsgmr.rules import KIND_NAMES
from rosters.systems.vsgmr.sheets.figures import PrintedFigure, State, figures, inches
from rosters.systems.vsgmr.tables import Pace, Roll

FACE = Design(
    {
        "picture": Spot(4.2, 4.4, 26.4, 25.6),
        "points": Spot(36, 4.6, 22.2, 6.6, 20, NAME, "right"),
        "worth": Spot(31, 11.4, 27.2, 3, 7.5, align="right", ink="soft"),
        "move": Spot(32, 17, 15, 12.5),
        "range": Spot(47.5, 17, 11, 12.5),
        "name": Spot(5, 30.6, 53, 6.6, 16, NAME),
        "kind": Spot(5, 37.3, 53, 3.3, 8, ink="soft"),
        "edge": Spot(5, 41.2, 53, 0.9),
        "rolls": Spot(5, 42.6, 53, 41.2, grows=True),
    },
    {
        "picture": Spot(4.6, 4.4, 26.4, 25.6),
        "name": Spot(5, 30, 34, 9.6, 15, NAME),
        "kind": Spot(5, 39.7, 34, 5.6, 8, ink="soft"),
        "move": Spot(5, 45.8, 16, 12.5),
        "range": Spot(23, 45.8, 14, 12.5),
        "points": Spot(60, 4.6, 23.2, 6.6, 20, NAME, "right"),
        "worth": Spot(43, 8.2, 24, 3, 7.5, ink="soft"),
        "edge": Spot(43, 13.2, 40, 0.9),
        "rolls": Spot(43, 14.6, 40, 44.2),
    },
)
SHORT_NAMES = {"distance": _("Distance"), "hand-to-hand": _("Hand to hand")}
"""Rolls on a card, where they have another name than in the tables."""


def figure_cards(job: Job) -> Iterator[Grid]:
    """Cards of figures; blank ones fill a page."""
    every = _blank_cards(job) if job.blank else ((figure.warband, _card(job, figure)) for figure in figures(job))
    yield card_grid(job, _("Figure cards"), every, FACE)


def _owner(job: Job, figure: PrintedFigure) -> Message:
    """The roster, and the warband if it has several."""
    names = [job.document.name, *([figure.warband] if len(job.document.formations) > 1 else [])]
    return join([name for name in names if name], " · ")


def _card(job: Job, figure: PrintedFigure) -> Card:
    face: Contents = {
        "picture": figure.picture,
        "points": figure.unit_points,
        "worth": figure.worth,
        **_moves(figure.ruler),
        "name": join((figure.name, *([figure.number] if figure.number else [])), " "),
        "kind": _kind(figure, _owner(job, figure)),
        "edge": Edge(),
        "rolls": Rolls(_rows(figure.rolls), figure.traits, figure.boxes, figure.states),
    }
    back = CardText(figure.rules, figure.notes, figure.extras, _paper(figure.paper) if figure.paper else "")
    return Card(face, back_of(job, figure.name, _owner(job, figure), back))


def _kind(figure: PrintedFigure, owner: str) -> Message:
    """Kind, what it carries and whose it is, which is left out where it is too long."""
    parts = [figure.kind]
    if figure.carries:
        parts.append(_("carries {passengers}").format(passengers=figure.carries))
    with_owner = join((*parts, *([owner] if owner else [])), " · ")
    return with_owner if ems(translate(with_owner), NARROW) * 8 <= 53 * MM else join(parts, " · ")


def _moves(measures: Pace | None) -> Contents:
    if measures is None:
        return {"move": Stat(_("Move"), "–"), "range": Stat(_("Range"), "–")}
    half = _("half {n} inches").format(n=inches(measures.half))
    reach = Stat(_("Range"), "–")
    if measures.reach is not None:
        reach = Stat(_("Range"), inches(measures.reach), _("inches"))
    return {"move": Stat(_("Move"), inches(measures.move), half), "range": reach}


def _paper(measures: Pace) -> Message:
    """The same distances with a sheet of paper in place of a ruler."""
    texts = [_("By paper: move {n}").format(n=inches(measures.move)), _("half {n}").format(n=inches(measures.half))]
    if measures.reach is not None:
        texts.append(_("range {n}").format(n=inches(measures.reach)))
    return join(texts)


class RollRow(NamedTuple):
    """A row of a card: the dice, the lowest result that succeeds, and what else is to know."""

    name: str
    dice: int
    die: int
    target: int
    notes: tuple[str, ...]


def _rows(rolls: Sequence[Roll]) -> tuple[RollRow, ...]:
    """A row for each roll; that of a target in cover is a note on the row before it."""
    covered = next((roll.target for roll in rolls if roll.code == "cover"), None)
    rows = []
    for roll in rolls:
        if roll.code == "cover":
            continue
        die = die_roll(roll.target, roll.die, roll.dice)
        notes: list[str] = [die.percent] if die else []
        notes += [_("best of 2")] if roll.dice > 1 else []
        notes += [_("cover {n}+").format(n=covered)] if roll.code == "distance" and covered else []
        notes += [remark for remark in roll.remarks if remark is not tables.BEST_OF_TWO]
        rows.append(RollRow(SHORT_NAMES.get(roll.code, roll.name), roll.dice, roll.die, roll.target, tuple(notes)))
    return tuple(rows)


class Rolls(NamedTuple):
    """Rolls in rows, over states as far as there is room, traits and the boxes of defeated figures."""

    rows: tuple[RollRow, ...]
    traits: tuple[str, ...]
    boxes: tuple[CardBox, ...]
    states: tuple[State, ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        foot = _draw_foot(pen, self.traits, self.boxes, x, top - height, width)
        min_height = len(self.rows) * (TWO_LINES if any(row.notes for row in self.rows) else ONE_LINE)
        for state in reversed(self.states[: max(0, int((top - foot - min_height) / STATE))]):
            _draw_state(pen, state, x, foot, width)
            foot += STATE
        step = min((top - foot) / max(len(self.rows), 1), 12 * MM)
        pen.draw_cached((self.rows, width, step), x, top, lambda: self._draw_rows(pen, width, step))

    def _draw_rows(self, pen: Pen, width: float, step: float) -> None:
        """Draw the rolls below and to the right of the origin."""
        for number, row in enumerate(self.rows, start=1):
            _draw_row(pen, row, 0, (1 - number) * step, width, step)
            pen.line(0, -number * step, width, -number * step, HAIR, ink="line")


NOTE = 7.4
ONE_LINE, TWO_LINES = 6.4 * MM, 7.6 * MM
"""The least height of a row, and of one that has its note below the name; others have it beside the name."""
STATE, ASIDE = 5.2 * MM, 26 * MM
"""The height of the boxes of a state, and the least room for two labels at the left of them."""


def _draw_state(pen: Pen, state: State, x: float, low: float, width: float) -> None:
    """Draw a state's label and its boxes, which are numbered by rounds."""
    left, base, start = x + width - len(state.boxes) * STEP, low + 1.5 * MM, x
    if (aside := state.aside) and left - x >= ASIDE:
        (box,) = aside.boxes
        pen.box(x, low, BOX, marked=box.marked, name=box.name, tooltip=box.tooltip)
        pen.text(x + BOX + 1 * MM, base, aside.label, 8, face=NARROW, ink="soft")
        start += ASIDE / 2
    align = "left" if start == x else "right"
    pen.fit(start, base, state.label, left - start - 1 * MM, 8, face=NARROW, ink="soft", align=align)
    for number, each in enumerate(state.boxes):
        label = str(number + 1) if state.numbered else ""
        at = left + number * STEP + (STEP - BOX) / 2
        pen.box(at, low, BOX, marked=each.marked, name=each.name, tooltip=each.tooltip, label=label)


def _draw_row(pen: Pen, row: RollRow, x: float, top: float, width: float, height: float) -> None:
    side, middle = min(8.6 * MM, height * 1.02), top - height / 2
    for number in range(row.dice):
        pen.picture(die_picture(row.die), x + number * side, middle + side / 2, side)
    left, target, size = x + row.dice * side + 2.4 * MM, f"{row.target}+", min(19.0, height * 0.8)
    right = x + width - 1 * MM
    pen.runs(right, middle - size * 0.33, target, size, face=NAME, align="right")
    available = right - left - ems(target, NAME) * size - 1.5 * MM
    name = fill_text(row.name, available, 10, min(10.5, height * 0.6), NARROW_BOLD)
    two = height >= TWO_LINES - 0.1 and bool(_that_fit(row.notes, available, NARROW, NOTE))
    pen.runs(left, middle + (0.2 * MM if two else -name.size * 0.34), name.lines[0], name.size, face=NARROW_BOLD)
    taken = 0.0 if two else ems(name.lines[0], NARROW_BOLD) * name.size + 1.5 * MM
    if note := _that_fit(row.notes, available - taken, NARROW, NOTE):
        pen.text(left + taken, middle - (3 * MM if two else name.size * 0.34), note, NOTE, face=NARROW, ink="soft")


FEW = 3
"""So many boxes stand beside the traits."""


def _draw_foot(
    pen: Pen,
    traits: Sequence[str],
    boxes: Sequence[CardBox],
    x: float,
    low: float,
    width: float,
    blank: bool = False,
) -> float:
    """Draw traits and boxes from ``low`` upward; returns where they end. A ``blank`` card has the boxes alone."""
    high = draw_boxes(pen, boxes, x, low, width)
    y, right = low + 1.5 * MM, x + width
    if blank:
        return high + 0.6 * MM
    if 0 < len(boxes) <= FEW:
        right -= len(boxes) * STEP + 0.6 * MM
    else:
        y, high = high + 1.2 * MM, high + 4.4 * MM
    out = translate(_("out"))
    pen.text(right, y, out, 7.5, face=NARROW, align="right", ink="soft")
    available = right - x - ems(out, NARROW) * 7.5 - 2 * MM
    if traits:
        names = _that_fit(traits, available, NARROW_BOLD, 7, "+ {n}")
        pen.fit(x, y, names, available, 8.5, face=NARROW_BOLD, ink="deep")
    return high + 0.6 * MM


def _that_fit(names: Sequence[str], width: float, face: str, size: float, more: str = "") -> Message:
    """The first names that fit on a line; ``more`` says how many others there are."""
    for number in range(len(names), 0, -1):
        others = [more.format(n=len(names) - number)] if more and number < len(names) else []
        text = join((*names[:number], *others))
        if ems(translate(text), face) * size <= width:
            return text
    return join(())


# ---------------------------------------------------------------- blank cards

CARD_ROLLS = (_("Distance"), _("Hand to hand"), _("Armor"), _("Skill"), "")
"""The rolls of a blank card; the last is free."""
BLANK_BOXES = 10


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number in count():
        path = f"blank{number}"
        face: Contents = {
            "picture": BlankWords(path),
            **({"points": Blank(f"{path}.points", _("Points"))} if job.points else {}),
            "move": Blank(f"{path}.move", _("Move")),
            "range": Blank(f"{path}.range", _("Range")),
            "name": Blank(f"{path}.name", tooltip=_("Name")),
            "kind": _("Name"),
            "edge": Edge(),
            "rolls": BlankRolls(path),
        }
        yield "", Card(face)


class BlankRolls(NamedTuple):
    """The kinds of figures with boxes, rolls to write in (a die and the number needed), and boxes of the defeated."""

    path: str

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes = tuple(CardBox(f"{self.path}.out.{n}", False, _("Defeated")) for n in range(BLANK_BOXES))
        foot = _draw_foot(pen, (), boxes, x, top - height, width, blank=True)
        top = self._kinds(pen, x, top, width)
        step = (top - foot) / len(CARD_ROLLS)
        die, target, field_width = x + width - 20 * MM, x + width - 10 * MM, 6.5 * MM
        for number, name in enumerate(CARD_ROLLS):
            low = top - (number + 1) * step
            base, tooltip = low + 1.2 * MM, name or _("Roll")
            pen.text(x, base, name, 9, face=NARROW_BOLD)
            if not name:
                pen.field(f"{self.path}.roll.{number}", x, low, width - 24 * MM, step * 0.9, tooltip=tooltip)
            pen.text(die, base, "d", 9, face=NARROW, align="right", ink="soft")
            pen.text(x + width - 1 * MM, base, "+", 12, face=NAME, align="right")
            for left, code, what in ((die, "die", _("die")), (target, "target", _("number needed"))):
                label = join((tooltip, what), ": ")
                pen.field(f"{self.path}.{code}.{number}", left, low, field_width, step * 0.9, tooltip=label)
            pen.line(x, low, x + width, low, HAIR, ink="line")

    def _kinds(self, pen: Pen, x: float, top: float, width: float) -> float:
        """Draw the kinds; returns where they end."""
        kinds = {**KIND_NAMES, "commander": _("Commander")}
        for number, (kind, name) in enumerate(kinds.items()):
            row, column = divmod(number, 3)
            left, low = x + column * width * 0.3, top - 4.8 * MM - row * 5.2 * MM
            code = kind if kind == "commander" else f"kind.{kind}"
            pen.box(left, low, BOX, name=f"{self.path}.{code}", tooltip=name)
            pen.fit(left + BOX + 0.8 * MM, low + 1.4 * MM, name, width * 0.4 - BOX - 1 * MM, 8, face=NARROW)
        return top - 11 * MM


class BlankWords(NamedTuple):
    """Lines for traits and powers."""

    path: str

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.label(x, top - 2.6 * MM, _("Traits and powers"))
        step = 7 * MM
        for number in range(int((height - 3 * MM) / step)):
            low = top - 3 * MM - (number + 1) * step
            pen.line(x, low, x + width, low, HAIR, ink="line")
            pen.field(f"{self.path}.trait.{number}", x, low, width, step * 0.9, tooltip=_("Traits and powers"))
