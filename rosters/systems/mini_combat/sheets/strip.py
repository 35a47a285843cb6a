"""A strip of the unit sheets: a kind of element with its picture, its stats and a box for each model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.messages import Message, _, join, join_names
from rosters.drawing.primitives import Picture, star
from rosters.pdf.blocks import MIN_BOX, BlankLine, Boxes, Paragraph, Space, Stack, nth_row, text_lines
from rosters.pdf.canvas import BOX, HAIR, PALE, TINT, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement, PrintedModel
from rosters.pdf.sections import frame
from rosters.pdf.text import FittedText, wrap
from rosters.systems.mini_combat.drawing import fire_arc_of
from rosters.systems.mini_combat.rules import Element, capability_name, number_text
from rosters.systems.mini_combat.sheets.texts import (
    SMALL,
    ability_blocks,
    draw_cone,
    element_of,
    has_cone,
    in_full,
    stat_texts,
)
from rosters.systems.mini_combat.tables import CONE_CM, GAME_TURNS, KINDS, STATES, STATS

MAX_BOXES = 120
"""A strip of more elements has a line for its losses instead of boxes."""
MAX_TEXT = 60.0
"""The height in units to which a strip grows for its text; longer ones follow below it."""
MAX_NOTES = 240
"""Longer notes of an element, in characters, follow below."""

SIZES = (0.9, 0.95, 1.0, 1.05, 1.1)
"""The sizes of print, as multiples of the usual one, of which the largest is taken that needs the fewest pages."""
WIDE, PANEL = 150.0, 84.0
"""In units: the least width of a strip whose panel of stats is at the right, and the width of that."""
PICTURES, BARS, BARS_END = 18.4, 43.0, 19.2
"""In units: where boxes begin below the pictures, where names and bars begin right of them, and where bars end."""
EDGE = 1.8
"""The padding of the frame, in units."""
CORNER, LOW_CORNER = 7.6, 11.2
"""In units: where boxes begin that have room below the points, beside kind and move or beside both bars."""
BAR_WORDS = 19.0
"""The width beside a bar for its text, in units."""
CM = 0.5
"""The length in units of a centimeter of move or range; shorter in a roster that reaches farther."""
BARS_STATS = ("movement", "range")
PANEL_STATS = ("to_hit", "power", "armor", "save", "morale")
STAR = Picture("star", 10, 10, 1, (star(5, 5.3, 5),))
BLANK_BOXES = 15


def note_lines(job: Job, text: str) -> Iterator[Block]:
    """The lines of a note, which fit in the largest size of print."""
    return text_lines(text, _sized(job.style, SIZES[-1]), frame(job.options.paper)[0], SMALL, ink="soft")


def _sized(style: Style, size: float) -> Style:
    return style._replace(body=style.body * size)


def _left(width: float) -> float:
    """Where the left part of a strip ends, in units: all of it where the panel of stats is below."""
    return width - (PANEL + 4 if width >= WIDE else 2)


class RosterStrip(NamedTuple):
    """An entry of a unit in a frame. ``leader`` is its command element, whose stats are beside those that differ.

    ``title`` is the name of a unit that has no other strip, and ``test`` its morale test. ``reach`` is the longest move
    or range of the roster in cm, for which all its bars have room.
    """

    job: Job
    entry: PrintedElement
    reach: float
    price: str
    title: str = ""
    test: Message | str = ""
    leader: PrintedElement | None = None

    @property
    def element(self) -> Element:
        return element_of(self.entry)

    def height(self, style: Style, width: float) -> float:
        return _Places(self, style, width).height

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        places, unit = _Places(self, pen.style, width), pen.style.unit
        pen.frame(x, top - places.height, width, places.height)
        _draw_pictures(pen, self, x, top)
        _draw_names(pen, self, places, x + BARS * unit, top)
        _draw_bars(pen, self, places.scale, x + BARS * unit, top)
        _draw_stats(pen, self, x + places.panel, top - places.panel_top, places.panel_width)
        places.text.draw(pen, x + places.panel, top - places.panel_top - 14.6 * unit, places.panel_width)
        places.first_text.draw(pen, x + places.first_left, top - places.first_top, places.first_width)
        _draw_boxes(pen, self, places, x, top)

    def text(self, style: Style, width: float) -> Stack:
        """The abilities and notes; only the names of abilities if they do not fit."""
        full = self._full_text()
        if full.height(style, width) <= MAX_TEXT * style.unit:
            return full if full.blocks else Stack((Paragraph(_("No special rules."), SMALL, face=NARROW, ink="soft"),))
        names = join_names(map(capability_name, self.element.capabilities))
        short = Stack((Paragraph(names, SMALL, face=NARROW), *_states(self)))
        return short if short.height(style, width) <= MAX_TEXT * style.unit else Stack(())

    def _full_text(self) -> Stack:
        element = self.element
        notes = bool(element.notes.strip()) and len(element.notes) <= MAX_NOTES
        return Stack(
            (
                *ability_blocks(element, full=in_full(self.job)),
                *([Paragraph(element.notes, SMALL, ink="soft", face=NARROW)] if notes else []),
                *_states(self),
            )
        )

    def below(self) -> Iterator[Block]:
        """The text that does not fit into the frame."""
        text, width = self._full_text(), frame(self.job.options.paper)[0]
        for style in (_sized(self.job.style, SIZES[0]), _sized(self.job.style, SIZES[-1])):  # each can need more lines
            if text.height(style, _panel_width(style, width)) > MAX_TEXT * style.unit:
                yield Space(0.2)
                yield from (block for block in text.blocks if not isinstance(block, StateBoxes))
                break
        if self.element.notes.strip() and len(self.element.notes) > MAX_NOTES:
            yield from note_lines(self.job, self.element.notes)

    @property
    def models(self) -> Iterator[PrintedModel]:
        yield from self.entry.models
        yield from self.leader.models if self.leader else ()

    @property
    def quantity(self) -> int:
        return self.entry.quantity + bool(self.leader)


class StateBoxes(NamedTuple):
    """A state in play: a box for each element, or for each turn."""

    label: str
    boxes: Boxes

    def height(self, style: Style, width: float) -> float:
        return self.boxes.height(style, self._room(style, width)) + 0.6 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        available, unit = self._room(pen.style, width), pen.style.unit
        size = pen.style.font_size(SMALL)
        pen.fit(x, top - 4.2 * unit, self.label, width - available - unit, size, face=NARROW_BOLD, ink="deep")
        self.boxes.draw(pen, x + width - available, top - 0.6 * unit, available)

    @staticmethod
    def _room(style: Style, width: float) -> float:
        return width - 24 * style.unit


def _states(strip: RosterStrip) -> Iterator[StateBoxes]:
    """The states to mark of an element with certain abilities."""
    entry = strip.entry
    for code, (label, by_turn) in STATES.items():
        number = GAME_TURNS if by_turn else strip.quantity
        if code in element_of(entry).codes and number <= MAX_BOXES:
            texts = (_("{name}: {box}").format(name=entry.name, box=label),) * number
            boxes = Boxes(
                (False,) * number,
                names=tuple(f"{entry.path}.{code}.{each}" for each in range(number)),
                labels=tuple(str(each + 1) for each in range(number)) if by_turn else (),
                tooltip=tuple(nth_row(text, each + 1) for each, text in enumerate(texts)),
            )
            yield StateBoxes(label, boxes)


def _is_wide(style: Style, width: float) -> bool:
    """Whether the panel of stats and abilities stands beside the rest, not below it."""
    return width >= WIDE * style.unit


def _panel_width(style: Style, width: float) -> float:
    return PANEL * style.unit if _is_wide(style, width) else width - 4 * style.unit


class _Places:
    """The places of a strip's parts, and its height. Lengths in points from its upper left corner."""

    def __init__(self, strip: RosterStrip, style: Style, width: float) -> None:
        unit = style.unit
        self.wide = _is_wide(style, width)
        self.left = _left(width / unit) * unit
        self.scale = min(CM, (self.left / unit - BARS - BAR_WORDS) / strip.reach)
        self.panel = width - (PANEL + 2) * unit if self.wide else 2 * unit
        self.panel_width = _panel_width(style, width)
        self.text = strip.text(style, self.panel_width)
        below = self._boxes(strip, style, unit)
        self.panel_top = 0.0 if self.wide else below
        beside = not strip.test and EDGE * unit < self.test_x <= BARS * unit
        self.first_left, self.first_top = (BARS, PICTURES * unit) if beside else (EDGE, below)
        self.first_left *= unit
        self.first_width = self.left - self.first_left - EDGE * unit
        self.first_text = Stack(())
        if self.wide:
            self._share_words(style, unit)
        panel = self.panel_top + 16 * unit + self.text.height(style, self.panel_width)
        self.height = max(below, panel, self._first_bottom(self.first_text, style))

    def _share_words(self, style: Style, unit: float) -> None:
        """Put the first of many blocks of text below the bars, where that makes the strip lower."""
        blocks = self.text.blocks
        lowest = 16 * unit + self.text.height(style, self.panel_width)
        for number in range(1, sum(not isinstance(block, StateBoxes) for block in blocks) + 1):
            first, rest = Stack(blocks[:number]), Stack(blocks[number:])
            bottom = max(self._first_bottom(first, style), 16 * unit + rest.height(style, self.panel_width))
            if bottom < lowest - unit:
                lowest, self.first_text, self.text = bottom, first, rest

    def _first_bottom(self, text: Stack, style: Style) -> float:
        return self.first_top + text.height(style, self.first_width) + 1.4 * style.unit if text.blocks else 0.0

    def _boxes(self, strip: RosterStrip, style: Style, unit: float) -> float:
        """Place the boxes, and the test beside or below them; return where they end."""
        self.side, edge = max(BOX * style.scale, MIN_BOX), EDGE * unit
        boxes, available = Boxes((False,) * strip.quantity if strip.quantity <= MAX_BOXES else ()), self.left - 2 * edge
        height = boxes.height(style, available) if strip.quantity else 0.0
        used = boxes.width(style, available) if strip.quantity <= MAX_BOXES else 48 * unit
        self.names_width = self.left - BARS * unit
        if 0 < strip.quantity <= MAX_BOXES and (corner := self._corner(strip, style, used + 2 * unit)):
            self.boxes_left, self.boxes_top = self.left - used, corner * unit
            size = style.font_size(0.9)
            self.test_x, self.test_top = edge, BARS_END * unit
            self.test = FittedText((*wrap(strip.test, available, size, NARROW),) if strip.test else (), size)
            return self.test_top + (self.test.height + 1.2 * unit if strip.test else 0.0)
        self.boxes_left, self.boxes_top = edge, PICTURES * unit
        return self._test(strip, style, edge + used + 2 * unit if strip.quantity else edge, height)

    def _corner(self, strip: RosterStrip, style: Style, used: float) -> float:
        """Where boxes have room below the points in units, right of the bars or of the text above them; 0: nowhere."""
        unit, size = style.unit, style.font_size(0.95)
        move, reach = (
            cm * self.scale * unit + (1.2 * unit if cm else 0) + ems(text, NARROW_BOLD) * size
            for cm, text in _bars(strip.element)
        )
        if max(ems(_kind_text(strip), NARROW) * size, move) <= self.names_width - used:
            self.names_width -= used
            return CORNER
        return LOW_CORNER if max(move, reach) <= self.names_width - used else 0.0

    def _test(self, strip: RosterStrip, style: Style, left: float, height: float) -> float:
        """Place the test beside boxes of a height that end at the ``left``, or below them; return where both end."""
        unit, edge, size = style.unit, EDGE * style.unit, style.font_size(0.9)
        beside, self.test_x = (*wrap(strip.test, self.left - left, size, NARROW),), left
        if len(beside) <= 2 and height < 2 * self.side:
            self.test, self.test_top = FittedText(beside, size), (PICTURES + 0.4) * unit
            if len(beside) == 1:
                self.test_top += self.side / 2 - size * 0.6
            return PICTURES * unit + max(height, self.test.height, self.side) + 1.2 * unit
        self.test_x, self.test_top = edge, PICTURES * unit + height
        self.test = FittedText((*wrap(strip.test, self.left - 2 * edge, size, NARROW),), size)
        return self.test_top + self.test.height + 1.2 * unit


def _draw_pictures(pen: Pen, strip: RosterStrip, x: float, top: float) -> None:
    unit = pen.style.unit
    pen.picture(strip.job.counter(strip.element, large=False), x + 1.8 * unit, top - 2 * unit, 20.5 * unit)
    if arc := fire_arc_of(strip.element):
        pen.picture(arc, x + 25 * unit, top - 1.5 * unit, 14.2 * unit)


def _kind_text(strip: RosterStrip) -> Message | str:
    """Kind, number and name of the elements of a strip that has the name of its unit; or kind and number."""
    own = strip.entry.name
    count = _("{n} × {name}").format(n=strip.entry.quantity, name=own)
    below = count if own != (strip.title or own) else ""
    if not below and strip.entry.quantity != 1:
        below = strip.job.words.count_elements(strip.entry.quantity)
    if leader := strip.leader:
        below = _("{count} and {name}").format(count=count, name=leader.name)
    return join(filter(None, (KINDS[strip.element.kind], below)), " · ")


def _draw_names(pen: Pen, strip: RosterStrip, places: _Places, x: float, top: float) -> None:
    """Draw the unit's name and points over kind, number and name of its element; or the element's."""
    body, unit = pen.style.body, pen.style.unit
    size, width = pen.style.font_size(0.95), places.left - BARS * unit
    taken = ems(strip.price, NARROW_BOLD) * size
    title = strip.title or strip.entry.name
    pen.fit(x, top - 5.8 * unit, title, width - taken - 2 * unit, body * 1.45, face=NAME)
    pen.runs(x + width, top - 5.8 * unit, strip.price, size, face=NARROW_BOLD, align="right")
    pen.fit(x, top - 9.4 * unit, _kind_text(strip), places.names_width, body * 0.95, face=NARROW, ink="soft")


def _bars(element: Element) -> tuple[tuple[int, Message], tuple[int, Message]]:
    """The bars of move and range: their lengths in cm, and texts."""
    stats, cone = element.stats, has_cone(element)
    ranged = stats.to_hit < 7
    reach = CONE_CM[1] if cone else max(stats.range, 0) if ranged else 0
    if cone:
        text = _("cone {n}").format(n=reach)
    elif not reach:
        text = _("melee") if ranged else _("no attack")
    else:
        text = _("range {n}").format(n=number_text(stats.range))
    return (max(stats.movement, 0), _("move {n}").format(n=number_text(stats.movement))), (reach, text)


def _draw_bars(pen: Pen, strip: RosterStrip, scale: float, x: float, top: float) -> None:
    """Draw move and range to one scale, with a mark for each 10 cm of range."""
    unit, size, cone = pen.style.unit, pen.style.font_size(0.9), has_cone(strip.element)
    for row, (cm, text) in enumerate(_bars(strip.element)):
        bottom, long = top - (13.4 + 3.8 * row) * unit, cm * scale * unit
        if row and cone:
            draw_cone(pen, x, bottom + 1.5 * unit, scale * unit, 3 * unit)
        elif cm:
            pen.rect(x, bottom, long, 3 * unit, fill=0.0 if row else TINT)
            for mark in range(10, cm, 10) if row else ():
                at = x + mark * scale * unit
                pen.line(at, bottom, at, bottom + 3 * unit, HAIR, ink="deep")
        pen.text(x + long + (1.2 * unit if cm else 0), bottom + 0.7 * unit, text, size, face=NARROW_BOLD)


def _draw_stats(pen: Pen, strip: RosterStrip, x: float, top: float, available: float) -> None:
    """Draw the numbers of the rolls under their names; those of the leader that differ are beside them, with a star."""
    unit, body, width = pen.style.unit, pen.style.body, available / len(PANEL_STATS)
    shown = dict(zip(STATS, stat_texts(strip.element), strict=True))
    better = dict(zip(STATS, stat_texts(element_of(strip.leader)), strict=True)) if strip.leader else shown
    for number, stat in enumerate(PANEL_STATS):
        left = x + number * width
        if number:
            pen.line(left, top - 2.4 * unit, left, top - 13.4 * unit, HAIR, ink="line")
        pen.label(left + width / 2, top - 4.6 * unit, STATS[stat], align="centre", size=pen.style.font_size(0.78))
        differs = better[stat] != shown[stat]
        own = width * (0.58 if differs else 0.94)
        pen.fit(left + width * 0.03, top - 12.4 * unit, shown[stat], own, body * 2.2, face=NAME, align="centre")
        if differs:
            pen.picture(STAR, left + width * 0.72, top - 5.8 * unit, 2.6 * unit)
            beside = left + width * 0.6
            pen.fit(
                beside, top - 12.4 * unit, better[stat], width * 0.38, body * 1.2, face=NAME, align="centre", ink="deep"
            )


def _draw_boxes(pen: Pen, strip: RosterStrip, places: _Places, x: float, top: float) -> None:
    """Draw a box for each model, with a bar at the unit's morale test, and the test."""
    unit, job = pen.style.unit, strip.job
    pen.lines(x + places.test_x, top - places.test_top, places.test, face=NARROW, ink="soft")
    left, upper = x + places.boxes_left, top - places.boxes_top
    if strip.quantity > MAX_BOXES:
        label = _("Lost of {total}:").format(total=strip.quantity)
        BlankLine(label, f"{strip.entry.path}.lost", 0.9).draw(pen, left, upper, 46 * unit)
        return
    track, models, available = job.tracks(strip.element)[0], [*strip.models], places.left - 2 * EDGE * unit
    boxes = Boxes(
        tuple(job.marked(track, model.mark)[0] for model in models),
        _morale_test_at(strip.entry, job) if strip.title and len(models) > 1 else None,
        tuple(f"{model.path}.{track.key}.0" for model in models),
        tooltip=tuple(_("{name}: {box}").format(name=model.name, box=track.label) for model in models),
    )
    boxes.draw(pen, left, upper, available)
    commands = len(models) if strip.element.command else int(strip.leader is not None)
    for number, (at, bottom) in enumerate(boxes.places(pen.style, available)):
        if number >= len(models) - commands and not boxes.marked[number]:
            size = places.side * 0.6
            inset = (places.side - size) / 2
            pen.picture(STAR, left + at + inset, upper - bottom + places.side - inset, size)


def _morale_test_at(entry: PrintedElement, job: Job) -> int:
    formation, _element, _source = entry.sources[0]
    return int(job.appraisal.formations[formation].facts["morale_test_at"])


class BlankStrip(NamedTuple):
    """A strip to fill in by hand."""

    job: Job
    number: int

    def height(self, style: Style, width: float) -> float:
        unit = style.unit
        return (25 if width >= WIDE * unit else 47) * unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        unit, path, height = pen.style.unit, f"blank{self.number}", self.height(pen.style, width)
        wide = width >= WIDE * unit
        pen.frame(x, top - height, width, height)
        left = _left(width / unit) * unit
        panel, panel_top = (x + width - (PANEL + 2) * unit, top) if wide else (x + 2 * unit, top - 24 * unit)
        pen.rect(x + 2 * unit, top - 16 * unit, 20 * unit, 14 * unit, fill=PALE, radius=1.2 * unit)
        for row, (label, field) in enumerate(
            (
                (self.job.words.formation, "name"),
                (self.job.words.element, "element"),
                *((STATS[s], s) for s in BARS_STATS),
            )
        ):
            column, line = (row % 2, row // 2) if row > 1 else (0, row)
            at, wide_line = x + 25 * unit, left - 27 * unit
            if row > 1:
                at, wide_line = at + column * wide_line / 2, wide_line / 2 - 2 * unit
                line = 2
            line_top = top - (1.5 + 5.4 * line) * unit
            BlankLine(_("{label}:").format(label=label), f"{path}.{field}", 0.9).draw(pen, at, line_top, wide_line)
        self._draw_panel(pen, path, panel, panel_top, PANEL * unit if wide else width - 4 * unit)
        count = BLANK_BOXES if wide else 10
        names = tuple(f"{path}.lost.{number}" for number in range(count))
        tooltip = tuple(_("Lost: {n}").format(n=number + 1) for number in range(count))
        Boxes((False,) * count, names=names, tooltip=tooltip).draw(
            pen, x + 2 * unit, top - PICTURES * unit, left - 2 * unit
        )

    def _draw_panel(self, pen: Pen, path: str, x: float, top: float, width: float) -> None:
        unit, size = pen.style.unit, pen.style.font_size(0.78)
        column_width = width / len(PANEL_STATS)
        for number, stat in enumerate(PANEL_STATS):
            left = x + number * column_width
            pen.label(left + column_width / 2, top - 4.6 * unit, STATS[stat], align="centre", size=size)
            box = left + unit, top - 14 * unit, column_width - 2 * unit, 8.6 * unit
            pen.rect(*box, fill=0, line=HAIR, radius=0.6 * unit)
            pen.field(f"{path}.{stat}", *box, tooltip=STATS[stat])
        BlankLine(_("Abilities:"), f"{path}.capabilities", 0.9).draw(pen, x, top - 15 * unit, width)
