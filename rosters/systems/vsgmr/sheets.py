"""The sheets of VSGMR: figure cards, the same as a list, the set-up of the scenario, and paper measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from hashlib import sha1
from itertools import islice
from math import ceil
from typing import NamedTuple, cast

from rosters.core.appraisals import RosterState
from rosters.core.cache import cached
from rosters.core.messages import Message, _, join, translate
from rosters.core.play import MAX_BOXES
from rosters.pdf.blocks import (
    BlankLine,
    Block,
    Boxes,
    Cell,
    Column,
    Content,
    Drawing,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    TextLine,
    fill_in_cell,
    text_lines,
)
from rosters.pdf.canvas import HAIR, LINE, MM, THICK, Pen, Style
from rosters.pdf.fonts import ASCENT, BOLD, REGULAR, ems
from rosters.pdf.job import Choice, Job, PrintedElement, PrintedModel, Sheet
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width
from rosters.pdf.text import LEADING, fit_text, truncate, wrap
from rosters.systems.vsgmr import play, tables
from rosters.systems.vsgmr.rules import (
    KIND_NAMES,
    KINDS,
    MOUNTS,
    POWERS,
    SCENARIOS,
    SUPPORT_NAMES,
    TRAITS,
    Element,
    RosterTerms,
    armor_of,
    power_name,
    powers_of,
    trait_codes,
)
from rosters.systems.vsgmr.tables import Pace, Roll, pace, rolls

CARD = (63.0, 88.0)
"""Width and height of a figure card in millimeters, a common size of game cards."""
LARGE_CARD = 1.508
"""The scale of cards in large print: four fit on a page."""
MAX_BOXES_PER_CARD = 30
"""The figures of one card or row; further figures get another one."""
MAX_CARDS = 18
"""With more cards than this, the default pack has the list instead."""

CHOICES: Mapping[str, Choice] = {}

# ---------------------------------------------------------------- the contents of a card or row


class PrintedFigure(NamedTuple):
    """Figures that share a card or a row of the list, at most thirty."""

    name: str
    kind: Message
    """Kind, commander, and whether it has no armor; other armor is among the rolls."""
    points: str
    """Points of one and of all, without the word; "" if points are hidden."""
    worth: str
    """The same with the word."""
    rolls: tuple[Roll, ...]
    ruler: Pace | None
    paper: Pace | None
    carries: str
    abilities: tuple[tuple[str, str], ...]
    """Name and text of each trait and power; no text if the rolls and the move include it."""
    notes: str
    number: str
    """The number of figures, or which of them these are; "" for one."""
    boxes: tuple[tuple[str, bool], ...]
    """The form field of each figure's damage box, and whether it is marked."""
    description: str = ""
    warband: str = ""


def figures(job: Job) -> Iterator[PrintedFigure]:
    """The figures to print, warband by warband; each by itself if the roster is not merged."""
    for number, formation, _priced in job.formations():
        for entry in job.entries(number):
            yield from _figures(job, entry, formation.name)


def _figures(job: Job, entry: PrintedElement, warband: str) -> Iterator[PrintedFigure]:
    models, done = entry.models, 0
    while batch := tuple(islice(models, MAX_BOXES_PER_CARD)):
        number = f"×{entry.quantity}" if entry.quantity > 1 else ""
        if entry.quantity > MAX_BOXES_PER_CARD:
            values = {"first": done + 1, "last": done + len(batch), "total": entry.quantity}
            number = _("{first}–{last} of {total}").format(**values)
        yield _figure(job, entry, batch, number)._replace(warband=warband)
        done += len(batch)


def _figure(job: Job, entry: PrintedElement, models: Sequence[PrintedModel], number: str) -> PrintedFigure:
    element, terms = cast(Element, entry.element), job.terms
    kind = KIND_NAMES.get(element.kind, element.kind)
    flags = ((element.large, _("large")), (element.commander, _("commander")), (not armor_of(element), _("no armor")))
    return PrintedFigure(
        entry.name,
        join((kind, *(text for applies, text in flags if applies))),
        *_points(job, entry),
        rolls(element, terms),
        pace(element),
        pace(element, paper=True),
        _carries(element),
        tuple(_abilities(element, terms)),
        element.notes,
        number,
        tuple((f"{m.path}.out.0", any(job.marked(t, m.mark)[0] for t in job.tracks(element))) for m in models),
        entry.description,
    )


def _points(job: Job, entry: PrintedElement) -> tuple[str, str]:
    """The points of one figure and of all, without and with the word for points."""
    each, total = entry.priced.each, entry.priced.points
    if not job.points or each is None or total is None:
        return "", ""
    if entry.quantity == 1:
        return job.amount(total), job.words.count_points(total)
    text = _("{each} each, {total}")
    amount = job.amount(each)
    return text.format(each=amount, total=job.amount(total)), text.format(
        each=amount, total=job.words.count_points(total)
    )


def _carries(element: Element) -> str:
    """Who can be aboard; nothing for the Independent, who need nobody."""
    if "independent" in element.traits:
        return ""
    if element.large and element.kind == "cavalry":
        return tables.LARGE_CARRIES
    return tables.MOVES[element.kind].carries if element.kind in MOUNTS else ""


INCLUDED = {*tables.ROLL_TRAITS.values(), "sniper", "super-armor", "super-skill", "super-move"}
"""Traits and powers that the rolls and the move of a figure show completely."""


def _abilities(element: Element, terms: RosterTerms) -> Iterator[tuple[str, str]]:
    """Traits, then powers, in the order of the rulebook; unknown ones at the end."""
    codes = trait_codes(element)
    for code, trait in TRAITS.items():
        if code == "support" and code in codes and element.support:
            text = _("This figure and friends within half a move unit add +1 to {rolls}.")
            yield trait.name, text.format(rolls=SUPPORT_NAMES[element.support])
        elif code in codes:
            yield trait.name, "" if code in INCLUDED else trait.text
    for power, tier in powers_of(element):
        if (power, tier) in POWERS:
            yield POWERS[power, tier].name, "" if power in INCLUDED else tables.KNOCKBACK
    unknown = [item for item in powers_of(element) if item not in POWERS]
    if names := [*sorted(codes - TRAITS.keys()), *(power_name(*item) for item in unknown)]:
        yield _("Not in the rulebook"), join(names)


def inches(amount: Fraction) -> str:
    """Inches as on a ruler: "6", "4½"."""
    whole, rest = divmod(amount, 1)
    return f"{whole}½" if rest else str(whole)


# ---------------------------------------------------------------- dice

SHAPES: Mapping[int, tuple[tuple[float, float], ...]] = {
    6: ((0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96)),
    8: ((0.5, -0.08), (1.16, 0.5), (0.5, 1.08), (-0.16, 0.5)),
    10: ((0.5, -0.08), (1.14, 0.38), (1.14, 0.6), (0.5, 1.08), (-0.14, 0.6), (-0.14, 0.38)),
    12: ((0.16, -0.06), (0.84, -0.06), (1.12, 0.56), (0.5, 1.08), (-0.12, 0.56)),
}
"""The outline of each die in a unit square."""
DIE_STEP = 1.34
"""The distance of two dice, in sides."""


def _die(pen: Pen, x: float, y: float, side: float, faces: int) -> None:
    """A die in a square with this lower left corner, which it may overlap by a sixth."""
    pen.outline([(x + across * side, y + up * side) for across, up in SHAPES[faces]], line=HAIR * 1.3)
    pen.text(x + side / 2, y + side * 0.33, f"d{faces}", side * 0.5, align="centre")


def _dice(pen: Pen, right: float, y: float, side: float, roll: Roll) -> None:
    """The dice of a roll, so that the last one ends at ``right``."""
    for place in range(roll.dice):
        _die(pen, right - side * (1 + DIE_STEP * (roll.dice - 1 - place)), y, side, roll.die)


# ---------------------------------------------------------------- cards

PAD = 3.0
"""The margin of a card in millimeters."""


DEFEATED = _("Defeated")
BOXES_LEFT = 12.0
"""The room for that label before the boxes of a card, in millimeters."""


class Card(NamedTuple):
    """A figure card; everything on it scales with its width."""

    figure: PrintedFigure

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        face = self.figure._replace(name="", boxes=(), number="", points="", worth="", description="", warband="")
        unit = _mm(width)
        boxes, room = _boxes(self.figure, pen.style, width), width - (2 * PAD + BOXES_LEFT) * unit
        tall = boxes.height(pen.style, room)
        key = f"card-{round(width)}-{round(tall)}-{sha1(repr(face).encode()).hexdigest()}"
        pen.draw_cached(key, x, top, lambda: _face(pen, face, width, tall))
        with pen.transformed(x, top):
            _card_title(pen, self.figure, width)
        bottom = top - self.height(pen.style, width) + 2.4 * unit
        boxes.draw(pen, x + (PAD + BOXES_LEFT) * unit, bottom + tall, room)


def _mm(width: float) -> float:
    """A millimeter of a card of the usual width, in points."""
    return width / CARD[0]


def _boxes(figure: PrintedFigure, style: Style, width: float) -> Boxes:
    names, marked = tuple(name for name, _out in figure.boxes), tuple(out for _name, out in figure.boxes)
    return Boxes(marked, names=names, size=width / (CARD[0] * MM) * 9 / style.body * 0.95)


def _card_title(pen: Pen, figure: PrintedFigure, width: float) -> None:
    """Name, number and points of a card, whose upper left corner is at the origin."""
    unit, size = _mm(width), width / CARD[0] / MM
    aside = 20 * unit if figure.number else 0.0
    room = width - 2 * PAD * unit - aside
    name = fit_text(figure.name, room, 11 * size, face=BOLD)
    if name.lines and name.lines[0] != figure.name:
        name = fit_text(figure.name, room, 7.4 * size, lines=2, face=BOLD)
    pen.lines(PAD * unit, -5.1 * unit + name.height / 2, name, face=BOLD, ink="deep")
    right = width - PAD * unit
    if figure.number:
        pen.fit(right - 20 * unit, -6.2 * unit, figure.number, 20 * unit, 8 * size, align="right")
    pen.fit(right - 24 * unit, -11.3 * unit, figure.worth, 24 * unit, 6.8 * size, align="right")


def _face(pen: Pen, figure: PrintedFigure, width: float, boxes: float) -> None:
    """What figures of a kind have in common: the card from its kind to its abilities."""
    unit, size = _mm(width), width / CARD[0] / MM
    pen.rect(0, -width * CARD[1] / CARD[0], width, width * CARD[1] / CARD[0], line=HAIR)
    pen.fit(PAD * unit, -11.3 * unit, figure.kind, width - (2 * PAD + 25) * unit, 6.8 * size, face=BOLD)
    pen.line(PAD * unit, -12.5 * unit, width - PAD * unit, -12.5 * unit)
    _moves(pen, figure, width)
    down = _card_rolls(pen, figure.rolls, width)
    foot = width * CARD[1] / CARD[0] - 2.4 * unit - boxes
    pen.fit(PAD * unit, -foot - 2.7 * unit, DEFEATED, (BOXES_LEFT - 1) * unit, 6.8 * size, face=BOLD)
    room = foot - 0.8 * unit - down
    paragraphs = tuple(_paragraphs(figure.abilities))
    for line in _lines(paragraphs, figure.notes, width - 2 * PAD * unit, room, 6.6 * size):
        pen.runs(PAD * unit, -down - line.down, line.lead, line.size, face=BOLD)
        pen.runs(PAD * unit + line.indent, -down - line.down, line.words, line.size)


def _moves(pen: Pen, figure: PrintedFigure, width: float) -> None:
    """How far the figure moves and shoots: by ruler, and small by paper."""
    unit, size = _mm(width), width / CARD[0] / MM
    room = width - 2 * PAD * unit
    pen.fit(PAD * unit, -16.1 * unit, _move_text(figure.ruler), room, 7.4 * size, face=BOLD)
    if figure.paper:
        texts = [_("by paper {inches}").format(inches=_short_move(figure.paper))]
        texts += [_("initiative +{n}").format(n=figure.paper.initiative)] if figure.paper.initiative else []
        texts += [_("carries {passengers}").format(passengers=figure.carries)] if figure.carries else []
        pen.fit(PAD * unit, -18.9 * unit, join(texts, " · "), room, 5.8 * size, ink="soft")


def _move_text(measures: Pace | None) -> Message:
    """Move, half move and range in inches."""
    if measures is None:
        return _("Unknown move")
    move, half, reach = (inches(each or Fraction(0)) for each in measures[:3])
    if measures.reach is None:
        return _("Move {move} · Half {half} inches").format(move=move, half=half)
    return _("Move {move} · Half {half} · Range {range} inches").format(move=move, half=half, range=reach)


def _short_move(measures: Pace) -> str:
    """The same without words."""
    return " · ".join(inches(each) for each in measures[:3] if each)


ROW, BUILDING_ROW = 5.8, 3.6
"""Heights of a roll on a card, and of that of a building, in millimeters."""


def _card_rolls(pen: Pen, shown: Sequence[Roll], width: float) -> float:
    """Draw the rolls of a card one below another; returns how far down they end."""
    squeeze, down = min(1.0, 44 / (ROW * len(shown))), 20.4
    unit = _mm(width)
    room, note = width - 2 * PAD * unit, ""
    for roll in shown:
        building = roll == tables.BUILDING_ROLL
        with pen.transformed(PAD * unit, -down * unit):
            if building:
                size = 6 * unit * squeeze / MM
                pen.text(0, -2.5 * unit * squeeze, roll.name, size)
                pen.text(room, -2.5 * unit * squeeze, f"d{roll.die}   {roll.target}+", size, align="right")
            else:  # the same note is not repeated for a target in cover
                repeated = roll.code == "cover" and roll.note == note
                _card_roll(pen, roll, "" if repeated else roll.note, room, unit * squeeze)
        note = roll.note
        down += (BUILDING_ROW if building else ROW) * squeeze
        pen.line(PAD * unit, -down * unit, width - PAD * unit, -down * unit, HAIR * 0.6)
    return (down + 0.9) * unit


def _card_roll(pen: Pen, roll: Roll, note: str, width: float, unit: float) -> None:
    """A roll in a row whose upper left corner is the origin."""
    point = unit / MM
    room = width - (14.5 if roll.dice == 1 else 20.5) * unit
    if note:
        pen.fit(0, -4.9 * unit, note, room, 5.6 * point, ink="soft")
    pen.fit(0, (-2.75 if note else -3.75) * unit, roll.name, room, 7.6 * point)
    _dice(pen, width - 8.6 * unit, -4.95 * unit, 4.1 * unit, roll)
    pen.text(width, -4.15 * unit, f"{roll.target}+", 11 * point, face=BOLD, align="right")


class CardLine(NamedTuple):
    """A line on a card: its distance from the top, bold words, and the other words after an indent."""

    down: float
    lead: str
    indent: float
    words: str
    size: float


TextPair = tuple[str, str]
"""Bold words, and the text after them, both translated."""


def _paragraphs(abilities: Sequence[tuple[str, str]]) -> Iterator[TextPair]:
    """The names of abilities without a text, then the others, those of the same text together."""
    names: dict[str, list[str]] = {}
    for name, text in abilities:
        names.setdefault(translate(text), []).append(translate(name))
    if included := names.pop("", []):
        yield translate(_("Included above:")), ", ".join(included)
    yield from ((f"{', '.join(alike)}.", text) for text, alike in names.items())


@cached(1 << 20)
def _lines(
    paragraphs: tuple[tuple[str, str], ...], notes: str, width: float, room: float, size: float
) -> tuple[CardLine, ...]:
    """Paragraphs as lines in a width and a height, as large as they fit, and the part of the notes that then fits.

    What does not fit at 80 % is only named: the reference panel explains it.
    """
    for scale in (1, 0.9, 0.8):
        if _height(paragraphs, width, size * scale) <= room:
            return _placed((*paragraphs, ("", notes)), width, room, size * scale)
    size *= 0.8
    for number in range(min(len(paragraphs), 12) - 1, 0, -1):
        shortened = (*paragraphs[:number], _names(paragraphs[number:]))
        if _height(shortened, width, size) <= room:
            return _placed((*shortened, ("", notes)), width, room, size)
    return _placed((_names(paragraphs),), width, room, size)


def _height(paragraphs: Sequence[TextPair], width: float, size: float) -> float:
    return sum(1 for paragraph in paragraphs for _line in _wrapped(paragraph, width, size)) * size * LEADING


def _names(paragraphs: Sequence[TextPair]) -> tuple[str, str]:
    names = (lead.rstrip(".") if lead.endswith(".") else words for lead, words in paragraphs)
    return translate(_("See the reference panel:")), ", ".join(names)


def _wrapped(paragraph: TextPair, width: float, size: float) -> Iterator[tuple[str, str]]:
    """The lines of a paragraph; only the first has bold words."""
    lead, words = paragraph[0], " ".join(paragraph[1].split())
    first = next(wrap(words, width - _lead(lead, size), size), "")
    if lead or first:
        yield lead, first
    yield from (("", line) for line in wrap(words[len(first) :].strip(), width, size))


def _lead(lead: str, size: float) -> float:
    """The width of bold words and the space after them."""
    return ems(lead + " ", BOLD) * size if lead else 0.0


def _placed(paragraphs: Sequence[TextPair], width: float, room: float, size: float) -> tuple[CardLine, ...]:
    """The lines that fit at their places; an ellipsis ends the last one if there are more."""
    wrapped = (line for paragraph in paragraphs for line in _wrapped(paragraph, width, size))
    lines = list(islice(wrapped, int(room / (size * LEADING) + 0.01)))
    if lines and any(True for _more in wrapped):
        lead, words = lines[-1]
        lines[-1] = lead, truncate(words, width - _lead(lead, size), size)
    return tuple(
        CardLine(size * (ASCENT + number * LEADING), lead, _lead(lead, size), words, size)
        for number, (lead, words) in enumerate(lines)
    )


CARD_ROLLS = (*(name for _code, name, _kind, _least in tables.ROLLS[:3]), _("Armor"), tables.ROLLS[-1][1], "")
"""The rolls of a blank card; the last is free."""


class BlankCard(NamedTuple):
    """A card to fill in by hand; ``points`` is "" if points are hidden."""

    path: str
    points: str

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.draw_cached(
            f"blank-card-{round(width)}-{self.points}", x, top, lambda: _blank_card(pen, width, self.points)
        )
        for box in _blank_boxes(_mm(width)):
            pen.box(x + box.x, top - box.down, box.side, name=f"{self.path}.{box.name}")
        if pen.style.fillable:
            for line in _blank_lines(_mm(width)):
                if self.points or line.name != "points":
                    pen.field(f"{self.path}.{line.name}", x + line.x, top - line.down, line.side, 4.2 * _mm(width))


class Spot(NamedTuple):
    """A box, or a line to write on, on a blank card: its lower left corner, its side, and its name."""

    x: float
    down: float
    side: float
    name: str


def _blank_boxes(unit: float) -> Iterator[Spot]:
    for place, kind in enumerate(KINDS):
        yield Spot((PAD + place * 11.8) * unit, 12.2 * unit, 2.3 * unit, f"kind.{kind}")
    yield Spot(PAD * unit, 17.2 * unit, 2.3 * unit, "commander")
    for place in range(10):
        yield Spot((PAD + BOXES_LEFT + place * 3.9 + place // 5 * 1.6) * unit, 84.9 * unit, 3.2 * unit, f"out.{place}")


def _blank_lines(unit: float) -> Iterator[Spot]:
    """The lines to write on, which are also form fields."""
    left, right = PAD * unit, (CARD[0] - PAD) * unit
    yield Spot(left + 8 * unit, 8.2 * unit, right - left - 8 * unit, "name")
    yield Spot(right - 10 * unit, 17.4 * unit, 10 * unit, "points")
    for place, name in enumerate(("move", "half", "range")):
        yield Spot(left + (place * 19.5 + 8.5) * unit, 23.2 * unit, 9 * unit, name)
    for row in range(len(CARD_ROLLS)):
        yield Spot(left + 39 * unit, (29.8 + row * 5.4) * unit, 6.6 * unit, f"die.{row}")
        yield Spot(left + 47.6 * unit, (29.8 + row * 5.4) * unit, 6.6 * unit, f"target.{row}")
    yield Spot(left, (29.8 + 5 * 5.4) * unit, 34 * unit, "roll.5")
    for row in range(4):
        yield Spot(left, (65 + row * 4.9) * unit, right - left, f"trait.{row}")


def _blank_card(pen: Pen, width: float, points: str) -> None:
    """A blank card without its boxes."""
    unit, point = _mm(width), width / CARD[0] / MM
    left = PAD * unit
    pen.rect(0, -CARD[1] * unit, width, CARD[1] * unit, line=HAIR)
    pen.text(left, -7.6 * unit, _("Name"), 7 * point, face=BOLD)
    for place, kind in enumerate(KIND_NAMES.values()):
        pen.text(left + (place * 11.8 + 2.9) * unit, -11.9 * unit, kind, 6 * point)
    pen.text(left + 2.9 * unit, -16.9 * unit, _("Commander"), 6 * point)
    if points:
        pen.text(width - (PAD + 11) * unit, -16.9 * unit, _("Points"), 6 * point, align="right")
    for place, label in enumerate((_("Move"), _("Half"), _("Range"))):
        pen.text(left + place * 19.5 * unit, -22.6 * unit, label, 7.4 * point)
    for row, name in enumerate(CARD_ROLLS):
        baseline = -(29.2 + row * 5.4) * unit
        pen.text(left, baseline, name, 7.4 * point)
        pen.text(left + 38.6 * unit, baseline, "d", 7.4 * point, align="right")
        pen.text(width - left, baseline, "+", 7.4 * point, face=BOLD, align="right")
    pen.text(left, -60.6 * unit, _("Traits and powers"), 6 * point, ink="soft")
    pen.fit(left, -84.5 * unit, DEFEATED, (BOXES_LEFT - 1) * unit, 6.8 * point, face=BOLD)
    for line in _blank_lines(unit):
        if points or line.name != "points":
            pen.line(line.x, -line.down, line.x + line.side, -line.down, HAIR)


def cards(job: Job) -> Iterator[Grid]:
    """Figure cards of 63 by 88 mm: nine a page, four on a half sheet or in large print."""
    scale = LARGE_CARD if job.options.large else 1.0
    cell = CARD[0] * MM * scale, CARD[1] * MM * scale
    blocks: Iterator[tuple[str, Block]] = ((figure.warband, Card(figure)) for figure in figures(job))
    if job.blank:
        small = job.options.paper == "a5"
        number = (1 if small else 4) if job.options.large else 4 if small else 9
        blocks = (("", BlankCard(f"blank{place}", job.points)) for place in range(number))
    yield Grid(_("Figure cards"), blocks, cell=cell)


# ---------------------------------------------------------------- the list

LIST_ROLLS: tuple[tuple[str, Message, float, tuple[str, ...]], ...] = (
    ("distance", _("Distance"), 2.1, ("distance",)),
    ("in-cover", _("In cover"), 2.1, ("cover",)),
    ("hand-to-hand", _("Hand to hand"), 1.5, ("hand-to-hand",)),
    ("armor", _("Armor"), 1.5, ("light", "heavy")),
    ("skill", _("Skill"), 1.5, ("skill",)),
)
"""Columns of rolls: the name of the form field, the head, the share of the width, and the codes of the rolls."""
IN_COLUMNS = {code for _field, _head, _share, codes in LIST_ROLLS for code in codes} | {tables.BUILDING_ROLL.code}
BUILDINGS = _("Buildings: {target}+ on a d{die} cancels a hit").format(
    target=tables.BUILDING_ROLL.target, die=tables.BUILDING_ROLL.die
)


def figure_list(job: Job) -> Iterator[Section]:
    """The contents of the cards as a table: a row for each figure, with a damage box for each model."""
    land = job.options.large or job.options.paper == "a5"
    width, height = frame(job.options.paper, landscape=land)
    groups = _blank_table(job, height) if job.blank else _list_groups(job, width)
    yield Section(_("Figure list"), groups, landscape=land)


def _list_columns(job: Job) -> tuple[Column, ...]:
    many = job.options.merge and any(line.quantity > 5 for _n, band, _p in job.formations() for line in band.elements)
    points = (Column(_("Points"), 1.9, "right"),) if job.points else ()
    return (
        Column(DEFEATED, 4.2 if many else 2.1),  # room for ten boxes or five
        Column(_("Figure"), 4, face=BOLD),
        Column(_("Move, half, range"), 2),
        *(Column(head, share) for _field, head, share, _codes in LIST_ROLLS),
        *points,
    )


def _list_groups(job: Job, width: float) -> Iterator[Group]:
    columns = _list_columns(job)
    for number, formation, _priced in job.formations():
        shown = (figure for entry in job.entries(number) for figure in _figures(job, entry, formation.name))
        rows = (block for figure in shown for block in _list_row(job, columns, figure, width))
        title = formation.name or job.words.formation
        yield Group(rows, Stack((Space(0.3), Heading(title, BUILDINGS, 1.15), TableHead(columns))), title)


def _list_row(job: Job, columns: tuple[Column, ...], figure: PrintedFigure, width: float) -> Iterator[Block]:
    boxes = Boxes(tuple(out for _name, out in figure.boxes), names=tuple(name for name, _out in figure.boxes))
    by_code: dict[str, Content] = {roll.code: _roll_cell(roll) for roll in figure.rolls}
    shown = [next((by_code[code] for code in codes if code in by_code), "–") for *_column, codes in LIST_ROLLS]
    name = " ".join(part for part in (figure.name, translate(figure.number)) if part)
    move = _short_move(figure.ruler) if figure.ruler else "–"
    points = (figure.points,) if job.points else ()
    main = Row(columns, (boxes.cell(), name, move, *shown, *points), lines=3, rule=0)
    indent = width * columns[0].share / sum(column.share for column in columns)
    below = [TextLine(line, 0.82, ink="soft", indent=indent) for line in _below(job, figure, width - indent)]
    yield Stack((main, *below[:4]))
    yield from below[4:]
    yield Drawing(job.style.line * 0.3, lambda pen, x, top, wide: pen.line(x, top - 1, x + wide, top - 1, HAIR))


def _below(job: Job, figure: PrintedFigure, width: float) -> Iterator[str]:
    """The lines under a row: description, rolls without a column, notes."""
    others = [join((roll.name, f"{roll.target}+"), " ") for roll in figure.rolls if roll.code not in IN_COLUMNS]
    texts = [figure.description, *([_("Rolls: {rolls}").format(rolls=join(others))] if others else [])]
    for paragraph in (translate(join(texts, ". ")), *figure.notes.splitlines()):
        yield from wrap(paragraph, width, job.style.body * 0.82)


def _roll_cell(roll: Roll) -> Cell:
    """The dice and their target."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        target = f"{roll.target}+"
        wide = 1.25 * (1.5 + DIE_STEP * (roll.dice - 1)) + 1.15 * ems(target, BOLD)
        size = min(pen.style.body, width / wide)
        right = x + size * 1.25 * (1.16 + DIE_STEP * (roll.dice - 1))
        _dice(pen, right, top - pen.style.body - size * 0.36, size * 1.25, roll)
        pen.text(right + size * 0.4, top - pen.style.body, target, size * 1.15, face=BOLD)

    return Cell(lambda style, width: style.body * 1.6, paint)


def _blank_roll(name: str) -> Cell:
    """A die and its target to write in."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.text(x, top - height + 3, "d", ink="soft")
        pen.text(x + width * 0.85, top - height + 3, "+", align="right", ink="soft")
        pen.field(f"{name}.die", x + pen.style.body * 0.6, top - height, width * 0.3, height)
        pen.field(f"{name}.target", x + width * 0.45, top - height, width * 0.3, height)

    return Cell(lambda style, width: style.line, paint)


def _blank_table(job: Job, height: float) -> Iterator[Group]:
    """A page of rows to fill in: five damage boxes, a name, a die and a target for each roll."""
    columns = _list_columns(job)
    number = int((height - 6 * job.style.line) // (2.2 * job.style.line + job.style.body * 0.35))
    rows = [Row(columns, tuple(_blank_cells(f"list.r{row}", len(columns))), min_lines=2.2) for row in range(number)]
    yield Group(rows, Stack((Heading(_("Figures"), BUILDINGS, 1.15), TableHead(columns))))


def _blank_cells(name: str, columns: int) -> Iterator[Content]:
    boxes = Boxes((False,) * 5, names=tuple(f"{name}.out.{place}" for place in range(5)), size=0.9)

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes.draw(pen, x, top - height + boxes.height(pen.style, width) + 1, width)

    yield Cell(boxes.height, paint)
    yield from (fill_in_cell(f"{name}.{what}") for what in ("name", "move"))
    yield from (_blank_roll(f"{name}.{field}") for field, *_column in LIST_ROLLS)
    if columns > 3 + len(LIST_ROLLS):
        yield fill_in_cell(f"{name}.points")


# ---------------------------------------------------------------- set-up

TABLE = (72.0, 48.0)
"""The table of the rulebook in inches (section I)."""
ROUNDS = 5
FIVE_ROUNDS = ("basic", "escape", "transport", "spawning")
"""The scenarios that end after five rounds at the latest (section VIII)."""
HITS, MAX_HITS = 2, 5
"""The hits that destroy the fortress if one player assaults it, and the number of its boxes, for more players."""
PAIRS = (Column("", 2.4, face=BOLD), Column("", 9))


def set_up(job: Job) -> Iterator[Section]:
    """The scenario of the roster: set-up, victory, end and what to count; and the table of scales."""
    yield Section(_("Set-up"), [Group([*(_blank_set_up(job) if job.blank else _set_up(job))]), _scales()])


def _set_up(job: Job) -> Iterator[Block]:
    sides = [RosterState(job.document, job.appraisal)]
    slug = job.document.scenario or play.BASIC
    scenario, role = SCENARIOS[slug], play.roles_of(sides, slug)[0]
    side = scenario.sides.get(role, "")
    assumed = role and job.document.side != role
    yield Heading(
        _("Scenario: {name}").format(name=scenario.name),
        _("{side} (assumed)").format(side=side) if assumed else side,
    )
    remark = _("This roster names no scenario, so the basic game is assumed.")
    yield Paragraph(scenario.text if job.document.scenario else join((scenario.text, remark), " "))
    yield Space(0.6)
    yield _table_drawing(slug, role, job)
    yield Space(0.6)
    yield from _tracks(slug, role, job.appraisal.quantity)
    yield Space(0.3)
    goals = [(_("Victory"), text) for _name, text in play.goals(sides, slug, [role])]
    end = (_("End"), tables.SCENARIO_SETUP[slug].ends)
    for label, text in (*play.table_rows(slug), *play.roster_rows(sides[0], role), *goals, end):
        yield Row(PAIRS, (label, text), 0.95, lines=30)


def _tracks(slug: str, role: str, quantity: int) -> Iterator[Block]:
    """Boxes for what the scenario counts."""
    if slug in FIVE_ROUNDS:
        yield _track(_("Rounds"), "rounds", ROUNDS)
    if slug == "escape" and quantity:
        needed = play.to_escape(quantity)
        label = _("Across ({needed} of {total} win)").format(needed=needed, total=quantity)
        yield _track(label, "across", min(needed, MAX_BOXES))
    if slug == "fortress-assault":
        label = _("Hits on the building (destroyed at the bar; one hit later for each further assaulter)")
        yield _track(label, "hits", MAX_HITS, HITS)
    if role == "spawner" and quantity > 1:
        label = _("Entered, of {n} waiting").format(n=quantity - 1)
        yield _track(label, "waiting", min(quantity - 1, MAX_BOXES))


def _track(label: str, name: str, number: int, breaks_at: int | None = None) -> Block:
    names = tuple(f"setup.{name}.{place}" for place in range(number))
    labels = tuple(str(place + 1) for place in range(number))
    boxes = Boxes((False,) * number, breaks_at, names, labels=labels)
    return Row(PAIRS, (label, boxes.cell()), 0.95, lines=3)


def _scales() -> Group:
    heads = (
        (_("Figures"), 2.3),
        (_("Examples"), 5),
        (_("A space"), 2.6),
        (_("Move unit"), 1.4),
        (_("Short range"), 1.4),
        (_("Long range"), 1.4),
    )
    columns = tuple(
        Column(head, share, "left" if n < 3 else "centre", face=BOLD if n == 0 else REGULAR)
        for n, (head, share) in enumerate(heads)
    )
    own = tuple(column._replace(face=BOLD) for column in columns)
    rows = [
        Row(
            own if scale.move == tables.MOVES["troop"].inches else columns,
            tuple(cell if isinstance(cell, str) else str(cell) for cell in scale),
            0.92,
        )
        for scale in tables.SCALES
    ]
    title = Heading(_("Scales"), _("in spaces"), 1.1)
    head = Stack((Space(0.8), title, Paragraph(tables.SCALES_TEXT, 0.92), Space(0.2), TableHead(columns)))
    return Group([Stack(tuple(rows))], head)


def _blank_set_up(job: Job) -> Iterator[Block]:
    yield Heading(_("Set-up"))
    labels = {
        "scenario": _("Scenario"),
        "side": _("Side"),
        "commander": _("Commander"),
        "enemy": _("Opponent"),
        "how-we-win": _("Victory"),
    }
    for name, label in labels.items():
        yield BlankLine(label, f"setup.{name}")
    yield Space(0.6)
    yield _table_drawing("", "", job)
    yield Space(0.6)
    yield _track(_("Rounds"), "rounds", ROUNDS)


# ---------------------------------------------------------------- the table from above


class Plan(NamedTuple):
    """A table seen from above: its lower left corner, and the length of an inch in points."""

    pen: Pen
    x: float
    y: float
    inch: float

    def _place(self, left: float, bottom: float, wide: float, tall: float) -> tuple[float, float, float, float]:
        return self.x + left * self.inch, self.y + bottom * self.inch, wide * self.inch, tall * self.inch

    def zone(self, left: float, bottom: float, wide: float, tall: float, label: str, own: bool = False) -> None:
        """Where figures start; on a light ground those of this roster."""
        self.block(left, bottom, wide, tall, own=own, line=HAIR)
        self.words(left + wide / 2, bottom + tall / 2, label, wide - 1, face=BOLD if own else REGULAR)

    def words(self, x: float, y: float, label: str, wide: float, *, face: str = REGULAR) -> None:
        """Text centered on a point, on up to three lines."""
        text = fit_text(label, wide * self.inch, self.pen.style.small, 3, face)
        left, top = self.x + (x - wide / 2) * self.inch, self.y + y * self.inch + text.height / 2
        self.pen.lines(left, top, text, wide * self.inch, align="centre", face=face)

    def arrow(self, x: float, bottom: float, top: float, *, both: bool = False) -> None:
        """An arrow up the table, or one with two heads."""
        at, low, side, tall = self._place(x, bottom, 0.8, top - bottom)
        self.pen.line(at, low, at, low + tall)
        for tip, way in ((low + tall, -2 * side), *(((low, 2 * side),) if both else ())):
            self.pen.line(at - side, tip + way, at, tip)
            self.pen.line(at + side, tip + way, at, tip)

    def spot(self, x: float, y: float, radius: float) -> None:
        self.pen.circle(self.x + x * self.inch, self.y + y * self.inch, radius * self.inch)

    def block(
        self, left: float, bottom: float, wide: float, tall: float, *, own: bool = False, line: float = LINE
    ) -> None:
        """A building, a piece of terrain, or a zone."""
        if own:
            self.pen.shade(*self._place(left, bottom, wide, tall))
        self.pen.rect(*self._place(left, bottom, wide, tall), line=line)


def _table_drawing(slug: str, role: str, job: Job) -> Drawing:
    """The table of a scenario, or an empty one to sketch on."""
    wide = frame_width(job) * 0.57
    inch = wide / TABLE[0]

    def paint(pen: Pen, x: float, top: float, width: float) -> None:
        left, bottom, small = x + (width - wide) / 2, top - TABLE[1] * inch, pen.style.small
        pen.text(left + wide, bottom - small, _("6 by 4 feet; sketch the terrain"), small, align="right", ink="soft")
        if slug:
            SCENES[slug](Plan(pen, left, bottom, inch), role)
        pen.rect(left, bottom, wide, TABLE[1] * inch, line=THICK)

    return Drawing(TABLE[1] * inch + job.style.small, paint)


def _label(role: str, own: str, position: str) -> Message:
    """The label of a zone: whose it is, and the position of the figures."""
    text = _("{side} (this roster): {position}") if role == own else _("{side}: {position}")
    return text.format(side=tables.SIDE_NAMES[role], position=position)


def _edges(plan: Plan, own: str) -> None:
    """Rosters along opposite sides of the table."""
    plan.zone(0, 0, 72, 8, _("This roster, along one side"), own=True)
    plan.zone(0, 40, 72, 8, _("Another roster"))
    plan.arrow(12, 8.5, 39.5, both=True)
    plan.words(21.5, 24, _("at least 2 move units from figures of other players"), 17)


def _escape(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.arrow(60, 0.5, 47.5, both=True)
    plan.words(49.5, 24, _("each roster to the opposite edge, with more than half of its original figures"), 17)


def _transport(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.spot(36, 24, 2)
    plan.words(43, 24, _("Object"), 8, face=BOLD)
    plan.arrow(60, 8.5, 39.5, both=True)
    plan.words(53, 24, _("and back"), 10)


def _spawning(plan: Plan, own: str) -> None:
    infiltrators = _label("infiltrator", own, _("all figures"))
    spawners = _label("spawner", own, _("one figure, the others by die roll"))
    plan.zone(0, 0, 72, 8, infiltrators, own == "infiltrator")
    plan.zone(0, 40, 72, 8, spawners, own == "spawner")
    for x, y, label in ((36, 11, "1"), (4, 24, "2"), (36, 37, "3"), (68, 24, "4")):
        plan.spot(x, y, 1.8)
        plan.words(x, y, label, 4, face=BOLD)
    plan.words(36, 24, _("5: a side of the spawner’s choice. 6: no figure enters."), 30)


def _ambush(plan: Plan, own: str) -> None:
    targets = _label("target", own, _("in the open, each within 1 move unit of another"))
    plan.zone(20, 17, 32, 14, targets, own == "target")
    for x, y in ((6, 8), (8, 36), (60, 6), (61, 37), (4, 22), (62, 22), (34, 4)):
        plan.block(x, y, 6, 3.2, own=own == "ambusher")
    ambushers = _label("ambusher", own, _("behind terrain and buildings, covered as much as possible"))
    plan.words(36, 40, ambushers, 34, face=BOLD if own == "ambusher" else REGULAR)


def _fortress(plan: Plan, own: str) -> None:
    plan.zone(23, 15, 26, 18, "", own == "defender")
    plan.block(28, 19, 16, 10, line=THICK)
    plan.words(36, 24, _("Building"), 14, face=BOLD)
    defenders = _label("defender", own, _("within half a move unit"))
    plan.words(36, 31, defenders, 25, face=BOLD if own == "defender" else REGULAR)
    assaulters = _label("assaulter", own, _("2 move units away from the building, on any side"))
    plan.zone(0, 0, 72, 5, assaulters, own == "assaulter")
    plan.arrow(36, 5.5, 18.6, both=True)
    plan.words(42.5, 10, _("2 move units"), 11)


SCENES: Mapping[str, Callable[[Plan, str], None]] = {
    "basic": _edges,
    "escape": _escape,
    "transport": _transport,
    "spawning": _spawning,
    "ambush": _ambush,
    "fortress-assault": _fortress,
}
"""The drawing of each scenario (section VIII). The spawner sits at the upper edge."""

# ---------------------------------------------------------------- paper measures


class MeasuringStrip(NamedTuple):
    """A strip to measure with: a move unit or range in inches, and its half move unit."""

    name: Message
    text: Message
    inches: Fraction
    half: Fraction | None


class Piece(NamedTuple):
    """A part of a strip between two marks in inches, the ``number``-th of ``pieces``."""

    strip: MeasuringStrip
    start: Fraction
    end: Fraction
    number: int
    pieces: int


_MOVE, _RANGE = _("move {n} inches"), _("range {n} inches")
STRIPS = tuple(
    MeasuringStrip(name, _RANGE if key == "distance" else _MOVE, *tables.PAPER_INCHES[key])
    for key, (name, *_texts) in zip(tables.PAPER_INCHES, tables.PAPER_MEASURES, strict=True)
)
TAB = 6 * MM
"""The tab at the end of a piece, under the next one."""
INCH = 72.0
STRIP_HEIGHT, STRIP_GAP = 12.0, 3.5
"""In millimeters, at the usual size of text."""


def pieces(strip: MeasuringStrip, room: float) -> tuple[Piece, ...]:
    """A strip in as few pieces as fit into ``room`` points with their tabs, cut at half inches."""
    number = 1 if strip.inches * INCH <= room else ceil(strip.inches * INCH / (room - TAB))
    step = Fraction(ceil(2 * strip.inches / number), 2)
    marks = [min(step * place, strip.inches) for place in range(number + 1)]
    return tuple(Piece(strip, marks[place], marks[place + 1], place + 1, number) for place in range(number))


def strips(job: Job) -> Iterator[Section]:
    """The paper measures of the rulebook, to cut out, at true scale."""
    width = frame(job.options.paper, landscape=True)[0]
    tall = (STRIP_HEIGHT + STRIP_GAP) * MM * job.style.body / 9
    head: list[Block] = [Heading(_("Paper measures"), _("print at 100 %")), Space(0.3)]
    pictures: list[Block] = [
        Drawing(tall, partial(_draw_piece, piece)) for strip in STRIPS for piece in pieces(strip, width)
    ]
    texts = [
        _("Cut out the strips along their outlines, and glue each tab under the next piece."),
        _("They are as long as the edges of Letter paper, which can replace a ruler: agree on one or the other."),
        _("A dashed line marks the half move unit. A Sniper shoots twice as far as the range."),
        *([] if job.options.paper == "letter" else [_("A4 paper itself does not fit: it is narrower and longer.")]),
        _("The numbers are inches, so a strip is also a ruler."),
    ]
    text = [*text_lines(translate(join(texts, " ")), job.style, width, 0.95)]
    yield Section(_("Paper measures"), [Group([*head, *text, Space(0.8), *pictures])], landscape=True)


def _draw_piece(piece: Piece, pen: Pen, x: float, top: float, width: float) -> None:
    """A piece at true scale, with marks at every half inch."""
    tall = STRIP_HEIGHT * MM * pen.style.body / 9
    long, bottom, small = float(piece.end - piece.start) * INCH, top - tall, pen.style.small
    pen.rect(x, bottom, long, tall, line=LINE)
    if piece.number < piece.pieces:
        _draw_tab(pen, x + long, bottom, tall)
    for mark in range(int(piece.start * 2) + 1, int(piece.end * 2)):
        at = x + float(Fraction(mark, 2) - piece.start) * INCH
        pen.line(at, top, at, top - (0.12 if mark % 2 else 0.22) * tall, HAIR)
        if mark % 2 == 0 and Fraction(mark, 2) != piece.strip.half:
            pen.text(at, top - 0.24 * tall - small * 0.8, str(mark // 2), small * 0.9, align="centre")
    _draw_half(piece, pen, x, top, tall)
    _draw_words(piece, pen, x + 2 * MM, bottom + 0.14 * tall, long)
    if piece.number == piece.pieces:
        pen.text(x + long - 1.5 * MM, bottom + 0.14 * tall, inches(piece.end), pen.style.body, face=BOLD, align="right")


def _draw_words(piece: Piece, pen: Pen, x: float, y: float, long: float) -> None:
    """The measure of a strip; to the right of a half move unit that is too near the left end."""
    size, name, half = pen.style.body, translate(piece.strip.name), _half_at(piece)
    texts = [piece.strip.text.format(n=inches(piece.strip.inches))] if piece.number == 1 else []
    texts += [_("piece {n} of {total}").format(n=piece.number, total=piece.pieces)] if piece.pieces > 1 else []
    text = translate(join(texts, " · "))
    aside, gap = ems(name + "  ", BOLD) * size, ems("  " + _half_text(piece) + "  ", BOLD) * size
    shifted = half if aside + ems(text, BOLD) * size + gap > half else 0.0
    pen.text(x + shifted, y, name, face=BOLD, ink="deep")
    pen.fit(x + shifted + aside, y, text, (half if half > shifted else long) - shifted - aside - 2 * MM - gap)


def _half_text(piece: Piece) -> str:
    return translate(_("half {n}").format(n=inches(piece.strip.half or Fraction(0))))


def _half_at(piece: Piece) -> float:
    """The distance of the half move unit from the left end of a piece in points; 0 if the piece has none."""
    half = piece.strip.half
    return float(half - piece.start) * INCH if half is not None and piece.start < half < piece.end else 0.0


def _draw_half(piece: Piece, pen: Pen, x: float, top: float, tall: float) -> None:
    """The half move unit, if this piece has it."""
    if _half_at(piece):
        at = x + _half_at(piece)
        pen.line(at, top, at, top - tall, LINE, dash=(2.5, 1.8))
        pen.text(at - 1.5 * MM, top - 0.86 * tall, _half_text(piece), face=BOLD, align="right")


def _draw_tab(pen: Pen, x: float, bottom: float, tall: float) -> None:
    """The tab at the right end of a piece, a little narrower."""
    low, high = bottom + 1.5, bottom + tall - 1.5
    for x1, y1, x2, y2 in (
        (x, low, x + TAB, low + 1),
        (x + TAB, low + 1, x + TAB, high - 1),
        (x + TAB, high - 1, x, high),
    ):
        pen.line(x1, y1, x2, y2, HAIR, dash=(1.5, 1.5))
    with pen.transformed(x + TAB * 0.66, bottom + tall / 2, rotation=90):
        pen.text(0, 0, _("glue"), pen.style.small, align="centre", ink="soft")


# ---------------------------------------------------------------- the pack


def _has_few(job: Job) -> bool:
    """Whether the figures need few cards, without laying out any."""
    boxes = MAX_BOXES_PER_CARD if job.options.merge else 1
    quantities: Iterator[int] = (
        element.quantity for _n, formation, _p in job.formations() for element in formation.elements
    )
    return sum(ceil(quantity / boxes) for quantity in quantities) <= MAX_CARDS


SHEETS = (
    ROSTER,
    Sheet("cards", _("Figure cards"), _("A card of 63 × 88 mm for each figure, with its rolls."), cards, _has_few),
    Sheet(
        "list",
        _("Figure list"),
        _("The same as a table, for large rosters."),
        figure_list,
        lambda job: not _has_few(job),
    ),
    Sheet("setup", _("Set-up"), _("The scenario from above, boxes for what to count, and the scales."), set_up),
    Sheet(
        "strips",
        _("Paper measures"),
        _("The paper measures of the rulebook as strips to cut out, at true scale."),
        strips,
        shared=True,
    ),
    REFERENCE,
)
