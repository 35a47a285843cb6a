"""Cards to cut out: a face and a back, each a table of named spots and what is printed in them.

Lengths of spots in millimeters of a card of 63 × 88, or of 88 × 63 if it is landscape; all other sizes are scaled from
these. Sizes of text in points at that size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from math import ceil
from typing import Literal, NamedTuple, Protocol

from rosters.core.cache import cached
from rosters.core.messages import _, translate
from rosters.drawing.primitives import Picture
from rosters.pdf.blocks import Stack
from rosters.pdf.canvas import HAIR, MM, PALE, Align, Block, Ink, Pen, Style
from rosters.pdf.fonts import CAP_HEIGHT, NAME, NARROW, NARROW_BOLD, REGULAR, ems
from rosters.pdf.job import Choice, Job
from rosters.pdf.layout import capacity
from rosters.pdf.panels import panel_group
from rosters.pdf.sections import CUT_FOOT, CUT_MARGIN, PAPERS, Grid, Page, PlacedBlock
from rosters.pdf.text import LEADING, MIN_SIZE, fill_text, truncate, wrap

WIDTH, HEIGHT = 63.0, 88.0
"""A card for common sleeves, in millimeters."""
LARGE = 1.508
"""The scale of cards in large print: four fit on a page."""
BLEED = 3 * MM
EDGE = 2.2
"""The distance from the edge of a card to its frame."""

CARDS = ("cards",)
"""The code of the sheet of cards in every game."""
CHOICES: Mapping[str, Choice] = {
    "card-size": Choice(
        _("Card size"),
        {"upright": _("63 × 88 mm"), "landscape": _("88 × 63 mm, landscape"), "tall": _("70 × 120 mm")},
        CARDS,
    ),
    "card-backs": Choice(
        _("Card backs"),
        {
            "long": _("Two-sided, flip on long edge"),
            "short": _("Two-sided, flip on short edge"),
            "fold": _("Beside the front, to fold"),
            "none": _("None"),
        },
        CARDS,
    ),
    "card-cut": Choice(_("Cut marks"), {"corners": _("Corners"), "lines": _("Lines")}, CARDS),
    "card-bleed": Choice(_("Bleed"), {"0": _("None"), "3": _("3 mm")}, CARDS),
    "card-rest": Choice(_("Empty card spaces"), {"rules": _("Rules of play"), "none": _("Leave empty")}, CARDS),
}
"""The print options of every game that has cards."""


class Content(Protocol):
    """What is printed in a spot. It is a value: equal contents are drawn alike."""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None: ...


class Spot(NamedTuple):
    """A place on a card from its upper left corner, and how a text is set there: in as many lines as the height holds,
    as large as it fits.

    A ``grows`` spot takes the height that a taller card has more; what is below it moves down.
    """

    x: float
    top: float
    width: float
    height: float
    size: float = 9.0
    face: str = NARROW
    align: Align = "left"
    ink: Ink = "ink"
    grows: bool = False


Spots = Mapping[str, Spot]
Contents = Mapping[str, "str | Picture | Content"]
"""What is in the spots; a spot without contents stays empty."""


class Design(NamedTuple):
    """The spots of one side of a card, upright and landscape."""

    upright: Spots
    landscape: Spots


class Card(NamedTuple):
    """A card; no ``back`` leaves the paper behind it empty."""

    face: Contents
    back: Contents = {}


class Size(NamedTuple):
    """A size of cards: that of its spots in millimeters, and the scale at which it is printed."""

    width: float
    height: float
    scale: float = 1.0


SIZES: Mapping[str, Size] = {
    "upright": Size(WIDTH, HEIGHT),
    "landscape": Size(HEIGHT, WIDTH),
    "tall": Size(WIDTH, 120 * WIDTH / 70, 70 / WIDTH),
}

BACK = Design(
    {
        "crest": Spot(5, 4.6, 9, 11.2),
        "name": Spot(16, 4.8, 42, 6, 13, NAME),
        "owner": Spot(16, 10.9, 42, 5.8, 8, ink="soft"),
        "edge": Spot(5, 17.2, 53, 0.9),
        "text": Spot(5, 19.8, 53, 64, grows=True),
    },
    {
        "crest": Spot(5, 4.6, 9, 11.2),
        "name": Spot(16, 4.8, 67, 6, 13, NAME),
        "owner": Spot(16, 10.9, 67, 5.8, 8, ink="soft"),
        "edge": Spot(5, 17.2, 78, 0.9),
        "text": Spot(5, 19.8, 78, 39, grows=True),
    },
)
"""The usual back: crest, name, roster and rules in words."""


def back_of(job: Job, name: str, owner: str, text: Content) -> Contents:
    """The usual back of a card."""
    crest = {"crest": job.header.crest} if job.header.crest else {}
    return {**crest, "name": name, "owner": owner, "edge": Edge(), "text": text}


# ---------------------------------------------------------------- contents


class Edge(NamedTuple):
    """The edge of a map, between the head of a card and the rest."""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.zebra(x, top - height, width, height, 3.1 * MM)


class Stat(NamedTuple):
    """A large number under its label, and its unit below."""

    label: str
    value: str
    unit: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.label(x, top - 2.4 * MM, self.label)
        pen.fit(x, top - 9.2 * MM, self.value, width, 18, face=NAME)
        pen.fit(x, top - 12.2 * MM, self.unit, width, 7, face=NARROW, ink="soft")


LOW, WIDE_LINE = 7 * MM, 40 * MM
"""Lower and wider lines to write on have their label at the left."""


class Blank(NamedTuple):
    """A line to write on over its label, or beside it where that is low and wide, and a field in a fillable sheet."""

    name: str
    label: str = ""
    tooltip: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        beside = bool(self.label) and height < LOW and width > WIDE_LINE
        low = top - height + (2.9 * MM if self.label and not beside else 0)
        left = x + (ems(self.label, NARROW) * 7 + 1 * MM if beside else 0)
        pen.line(left, low, x + width - 1.5 * MM, low, HAIR, ink="soft")
        if self.label:
            pen.fit(x, top - height, self.label, width, 7, face=NARROW, ink="soft")
        pen.field(self.name, left, low, x + width - left, top - low, tooltip=self.tooltip or self.label)


Paragraphs = tuple[tuple[str, str], ...]
"""Heads and texts."""


class CardText(NamedTuple):
    """Paragraphs under their heads, or after them where there is less room, as large as they fit; notes as far as they
    fit, and lines to write on.

    ``extras`` are paragraphs that are left out where the others need the room. Of paragraphs that do not fit, the last
    ones have their heads alone. ``foot`` is a line at the bottom.
    """

    paragraphs: Paragraphs
    notes: str = ""
    extras: Paragraphs = ()
    foot: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.draw_cached((self, width, height), x, top, lambda: self._draw_form(pen, width, height))

    def _draw_form(self, pen: Pen, width: float, height: float) -> None:
        """Draw below and to the right of the origin."""
        available = height
        if self.foot:
            pen.fit(0, 0.6 * MM - height, self.foot, width, 7.5, face=NARROW, ink="soft")
            available -= 4 * MM
        main, extras = (
            tuple((translate(head), translate(text)) for head, text in each) for each in (self.paragraphs, self.extras)
        )
        down = 0.0
        for line in set_text(main, extras, self.notes, width, available):
            ink: Ink = "deep" if line.face == NARROW_BOLD else line.ink
            pen.runs(line.right, -line.down, line.text, line.size, face=line.face, ink=ink)
            down = line.down
        ruled = available
        while ruled > down + 0.4 * RULE_STEP:
            pen.line(0, -ruled, width, -ruled, HAIR, ink="line")
            ruled -= RULE_STEP


RULE_STEP = 5.6 * MM
TEXT_SIZES = (10.5, 10, 9.5, 9, 8.5)
"""The sizes of paragraphs under their heads."""
RUN_IN_SIZES = (9, 8.5, 8, 7.5, 7)
"""The sizes of paragraphs after their heads."""
MIN_WITH_EXTRAS = 9


class CardLine(NamedTuple):
    """A line of text on a card, or a part of one; ``down`` is its baseline from the top."""

    down: float
    text: str
    size: float
    face: str = REGULAR
    ink: Ink = "ink"
    right: float = 0.0


@cached(1 << 20)  # 8 % of the cards of VSGMR
def set_text(
    paragraphs: Paragraphs, extras: Paragraphs, notes: str, width: float, height: float
) -> tuple[CardLine, ...]:
    """Paragraphs and notes as lines in this room, by the rules of `CardText`."""
    lines = None
    above_notes = height - _notes_height(notes, width)
    if extras:
        lines = _largest((*paragraphs, *extras), width, above_notes, MIN_WITH_EXTRAS)
    for available in (above_notes, height):
        lines = lines if lines is not None else _largest(paragraphs, width, available)
    if lines is None:  # as many as fit in the smallest size, and the heads of the others
        for number in range(len(paragraphs), -1, -1):
            others = ", ".join(head for head, _text in paragraphs[number:])
            shown = (*paragraphs[:number], (translate(_("See the reference")), others))
            lines = tuple(_run_in(shown, width, MIN_SIZE))
            if lines[-1].down + 0.3 * MIN_SIZE <= height:
                break
        lines = tuple(line for line in lines or () if line.down <= height)
    start = lines[-1].down + lines[-1].size * 0.7 if lines else 0.0
    return (*lines, *_set_notes(notes, width, height, start))


def _largest(paragraphs: Paragraphs, width: float, height: float, min_size: float = 0) -> tuple[CardLine, ...] | None:
    """The lines in the largest size that fits; None if none does."""
    ways = (*((_set, size) for size in TEXT_SIZES), *((_run_in, size) for size in RUN_IN_SIZES))
    for way, size in ways:
        lines = tuple(way(paragraphs, width, size)) if size >= min_size else None
        if lines is not None and (not lines or lines[-1].down + 0.3 * size <= height):
            return lines
    return None


def _set(paragraphs: Sequence[tuple[str, str]], width: float, size: float) -> Iterator[CardLine]:
    """Every paragraph after its head; a head stands on a line of its own."""
    down = 0.0
    for number, (head, text) in enumerate(paragraphs):
        down += size * 0.45 if number else 0
        for line in wrap(head, width, size + 0.5, NARROW_BOLD) if head else ():
            down += (size + 0.5) * (LEADING if down else 0.95)
            yield CardLine(down, line, size + 0.5, NARROW_BOLD)
        for line in wrap(" ".join(text.split()), width, size):
            down += size * (LEADING if down else 0.95)
            yield CardLine(down, line, size)


def _run_in(paragraphs: Sequence[tuple[str, str]], width: float, size: float) -> Iterator[CardLine]:
    """Every paragraph on the line of its head."""
    down = 0.0
    for number, (head, text) in enumerate(paragraphs):
        down += size * 0.3 if number else 0
        lead = translate(_("{head}:")).format(head=head) if head else ""
        for place, line in enumerate(wrap(" ".join((lead, *text.split())), width * 0.98, size)):
            down += size * (LEADING if down else 0.95)
            begins = place == 0 and lead and line.startswith(lead)
            if begins:
                yield CardLine(down, lead, size, NARROW_BOLD)
            right = ems(f"{lead} ", NARROW_BOLD) * size if begins else 0.0
            yield CardLine(down, line[len(lead) :].lstrip() if begins else line, size, right=right)


NOTES, MAX_NOTES = 8.0, 3
"""The size of notes, and how many lines of them paragraphs of smaller print leave room for."""


def _notes_height(notes: str, width: float) -> float:
    lines = len([*islice(wrap(" ".join(notes.split()), width, NOTES), MAX_NOTES)])
    return (lines + 0.7) * NOTES * LEADING if lines else 0.0


def _set_notes(notes: str, width: float, height: float, start: float) -> Iterator[CardLine]:
    size = NOTES
    line_count = int((height - start) / (size * LEADING))
    wrapped = wrap(" ".join(notes.split()), width, size)
    lines = list(islice(wrapped, max(line_count, 0)))
    if lines and any(True for _more in wrapped):
        lines[-1] = truncate(lines[-1] + " …", width * 0.96, size)
    for number, line in enumerate(lines, start=1):
        yield CardLine(start + number * size * LEADING, line, size, ink="soft")


def draw_content(pen: Pen, content: str | Picture | Content, spot: Spot) -> None:
    """Draw the content of a spot of a card whose upper left corner is the origin."""
    x, top, width, height = spot.x * MM, -spot.top * MM, spot.width * MM, spot.height * MM
    if isinstance(content, str):
        text = fill_text(content, width, height, spot.size, spot.face)
        middle = top - height / 2
        first = middle + ((len(text.lines) - 1) * LEADING - CAP_HEIGHT) * text.size / 2
        for number, line in enumerate(text.lines):
            at = x + {"left": 0.0, "centre": width / 2, "right": width}[spot.align]
            baseline = first - number * text.size * LEADING
            pen.runs(at, baseline, line, text.size, face=spot.face, align=spot.align, ink=spot.ink)
    elif isinstance(content, Picture):
        picture_width = min(width, height * content.width / content.height)
        picture_height = picture_width * content.height / content.width
        pen.picture(content, x + (width - picture_width) / 2, top - (height - picture_height) / 2, picture_width)
    else:
        content.draw(pen, x, top, width, height)


class CardBox(NamedTuple):
    """A box to mark on a card: its form field, whether it is marked, and what is read out for it."""

    name: str
    marked: bool
    tooltip: str


BOX, STEP, GROUP_GAP = 4.6 * MM, 5 * MM, 1 * MM
"""The side of a box on a card, from one to the next, and the room after five."""


def draw_boxes(pen: Pen, boxes: Sequence[CardBox], x: float, low: float, width: float) -> float:
    """Draw boxes at the right, in rows from ``low`` upward; return where they end."""
    per_row = max(1, int(width // STEP))
    gap = GROUP_GAP if per_row % 5 == 0 else 0.0
    last = min(len(boxes), per_row) - 1
    rows = ceil(len(boxes) / per_row)
    for number, box in enumerate(boxes):
        row, column = divmod(number, per_row)
        left = x + width - (last + 1 - column) * STEP - (last // 5 - column // 5) * gap + (STEP - BOX) / 2
        pen.box(left, low + (rows - 1 - row) * STEP, BOX, marked=box.marked, name=box.name, tooltip=box.tooltip)
    return low + rows * STEP


# ---------------------------------------------------------------- cards and their sheets


class Side(NamedTuple):
    """One side of a card."""

    spots: Spots
    contents: Contents

    def draw(self, pen: Pen, size: Size) -> None:
        inset = EDGE * MM
        pen.frame(inset, inset - size.height * MM, (size.width - 2 * EDGE) * MM, (size.height - 2 * EDGE) * MM, 2 * MM)
        for name, spot in self.spots.items():
            if (content := self.contents.get(name, "")) != "":
                draw_content(pen, content, spot)


class PrintedCard(NamedTuple):
    """One side of a card, or both beside each other, in the cell of a grid; ``behind`` is on the back of the paper."""

    sides: tuple[Side, ...]
    size: Size
    bleed: float = 0.0
    behind: Side | None = None

    @property
    def back(self) -> Block:
        return self._replace(sides=(self.behind,) if self.behind else (), behind=None)

    def height(self, style: Style, width: float) -> float:
        return self.size.height * self.size.scale * MM + 2 * self.bleed

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        if self.bleed and self.sides:
            height = self.height(pen.style, width)
            pen.shade(x, top - height, width, height, PALE)
            self._white(pen, x, top)
        for number, side in enumerate(self.sides):
            left = x + self.bleed + number * self.size.width * self.size.scale * MM
            with pen.transformed(left, top - self.bleed, scale=self.size.scale):
                side.draw(pen, self.size)

    def _white(self, pen: Pen, x: float, top: float) -> None:
        """The ground inside the frames."""
        scale = self.size.scale * MM
        for number in range(len(self.sides)):
            left = x + self.bleed + (number * self.size.width + EDGE) * scale
            low = top - self.bleed - (self.size.height - EDGE) * scale
            width, height = (self.size.width - 2 * EDGE) * scale, (self.size.height - 2 * EDGE) * scale
            pen.rect(left, low, width, height, line=0, fill=0, radius=2 * scale)


TURNS: Mapping[str, Literal["long", "short"]] = {"long": "long", "short": "short"}
"""The edges over which the paper is turned, by the print option."""


def size_of(job: Job) -> Size:
    """The size of cards that the print options name."""
    size = SIZES[job.choice("card-size", "upright")]
    return size._replace(scale=size.scale * LARGE) if job.options.large else size


def card_grid(job: Job, title: str, cards: Iterable[tuple[str, Card]], face: Design) -> Grid:
    """Cards with their bookmarks as sheets to cut, by the print options.

    Blank cards, of which there may be any number, fill a page and have no backs.
    """
    size, backs = size_of(job), "none" if job.blank else job.choice("card-backs", "long")
    bleed = BLEED if job.choice("card-bleed", "0") == "3" else 0.0
    shape = "landscape" if size.width > size.height else "upright"
    spots = [_grown(getattr(design, shape), size) for design in (face, BACK)]
    width, height = size.width * size.scale * MM, size.height * size.scale * MM

    def block(card: Card) -> PrintedCard:
        front, behind = (Side(*each) for each in zip(spots, card, strict=True))
        if backs == "fold":
            return PrintedCard((front, behind), size, bleed)
        return PrintedCard((front,), size, bleed, behind if card.back and backs != "none" else None)

    grid = Grid(
        title,
        (),
        cell=(width * (2 if backs == "fold" else 1) + 2 * bleed, height + 2 * bleed),
        cut=True,
        note=_("{width} × {height} mm").format(width=round(width / MM), height=round(height / MM)),
        turn=TURNS.get(backs, ""),
        marks=partial(
            _draw_marks, bleed=bleed, lines=job.choice("card-cut", "corners") == "lines", fold=backs == "fold"
        ),
    )
    shown = islice(cards, capacity(grid, PAPERS[job.options.paper])) if job.blank else cards
    rules = _rules_cards(job, size, bleed) if job.choice("card-rest", "rules") == "rules" else ()
    return grid._replace(blocks=((bookmark, block(card)) for bookmark, card in shown), spare=rules)


RULES_INSET = 5.0
"""The distance from the edge of a card to the rules on it, in millimeters."""
RULES_SIZES = (9.5, 9.0, 8.5, 8.0)
"""The sizes of rules on cards; several panels share a card in all but the last."""


class Rules(NamedTuple):
    """A panel of the reference on a card, in a size in which all of it fits."""

    blocks: tuple[Block, ...]
    style: Style

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        usual, pen.style = pen.style, self.style
        Stack(self.blocks).draw(pen, x, top, width)
        pen.style = usual


def _rules_cards(job: Job, size: Size, bleed: float) -> Iterator[Block]:
    """Cards with the panels of the reference, of those that fit on one."""
    width, height = size.width - 2 * RULES_INSET, size.height - 2 * RULES_INSET
    spots = {"rules": Spot(RULES_INSET, RULES_INSET, width, height)}
    styles = [job.style._replace(body=body) for body in RULES_SIZES]

    def fitting(blocks: tuple[Block, ...], styles: Iterable[Style]) -> Style | None:
        return next((style for style in styles if Stack(blocks).height(style, width * MM) <= height * MM), None)

    groups = (panel_group(panel) for panel in job.play.panels(job.document, job.terms))
    panels = ((*([group.head] if group.head else ()), *group.blocks) for group in groups)
    shared: tuple[Block, ...] = ()
    for panel in (*(panel for panel in panels if fitting(panel, styles)), ()):
        if panel and fitting((*shared, *panel), styles[:-1]):
            shared = (*shared, *panel)
            continue
        if shared and (style := fitting(shared, styles)):
            yield PrintedCard((Side(spots, {"rules": Rules(shared, style)}),), size, bleed)
        shared = panel


def _grown(spots: Spots, size: Size) -> Spots:
    """The spots of a card that is taller than usual."""
    more = size.height - (WIDTH if size.width > size.height else HEIGHT)
    edge = next((spot.top for spot in spots.values() if spot.grows), 0.0)
    return {
        name: spot._replace(height=spot.height + more)
        if spot.grows
        else spot._replace(top=spot.top + more)
        if edge and spot.top > edge
        else spot
        for name, spot in spots.items()
    }


TICK = 1.6 * MM
MARGIN_TICK = 6 * MM
"""The lengths of a corner mark between cards and in the margin of the paper."""


def _draw_marks(pen: Pen, page: Page, placed: Sequence[PlacedBlock], *, bleed: float, lines: bool, fold: bool) -> None:
    """Draw what to cut along, and dashed where to fold."""
    boxes = []
    for card in placed:
        low = card.top - card.block.height(pen.style, card.width)
        boxes.append((card.x + bleed, low + bleed, card.x + card.width - bleed, card.top - bleed))
    for left, low, right, high in boxes:
        if lines:
            pen.rect(left, low, right - left, high - low, line=HAIR, ink="ink")
        if fold:
            pen.line((left + right) / 2, low, (left + right) / 2, high, HAIR, dash=(2, 2), ink="soft")
    if boxes and not lines:
        side, foot = (
            (CUT_MARGIN, page.foot + 3 * MM) if page.foot else (CUT_FOOT + 3 * MM, CUT_MARGIN)
        )  # for the footer
        horizontal = _Ticks(min(box[0] for box in boxes), max(box[2] for box in boxes), side, page.width - CUT_MARGIN)
        vertical = _Ticks(min(box[1] for box in boxes), max(box[3] for box in boxes), foot, page.height - CUT_MARGIN)
        for left, low, right, high in boxes:
            for x, x_sign in ((left, -1), (right, 1)):
                for y, y_sign in ((low, -1), (high, 1)):
                    start, end = horizontal.tick(x, x_sign, bleed)
                    pen.line(start, y, end, y, HAIR)
                    start, end = vertical.tick(y, y_sign, bleed)
                    pen.line(x, start, x, end, HAIR)


class _Ticks(NamedTuple):
    """The marks of corners in one direction: where the first and the last card end, and how far the marks may go."""

    first: float
    last: float
    minimum: float
    maximum: float

    def tick(self, at: float, sign: int, bleed: float) -> tuple[float, float]:
        """Where the mark of a corner begins and ends: short between cards, long in the margin of the paper."""
        available = (at - self.minimum) if sign < 0 else (self.maximum - at)
        if abs(at - (self.first if sign < 0 else self.last)) > 1 or available < 2 * TICK:
            return at, at + sign * min(TICK, available) if available > 0 else at
        return at + sign * (bleed or 0.8 * MM), at + sign * min(available, MARGIN_TICK + bleed)
