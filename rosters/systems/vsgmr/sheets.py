"""The sheets of VSGMR: figure cards, the same as a list, the scenario's set-up, and paper-measure strips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from hashlib import sha1
from itertools import islice
from math import ceil
from typing import NamedTuple, cast

from rosters.core.cache import cached
from rosters.core.play import MAX_BOXES, Side, names_of
from rosters.core.reference import SuperPower
from rosters.pdf.blocks import (
    Blank,
    Block,
    Boxes,
    Cell,
    Column,
    Content,
    Drawing,
    Heading,
    Heads,
    Prose,
    Row,
    Space,
    Stack,
    Words,
    prose,
    written,
)
from rosters.pdf.canvas import HAIR, LINE, MM, SOFT, THICK, Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.job import Choice, Entry, Job, Model, Sheet
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER, frame_width
from rosters.pdf.text import LEADING, fit_text, truncate, wrap
from rosters.systems.vsgmr import play, tables
from rosters.systems.vsgmr.rules import MOUNTS, POWERS, SCENARIOS, TRAITS, Element, ForceTerms, armor_of, powers_of
from rosters.systems.vsgmr.tables import ROLLS, Pace, Roll, pace, rolls, traits_of

CARD = (63.0, 88.0)
"""Width and height of a figure card in millimetres, as game cards have them."""
LARGE_CARD = 1.508
"""In large print a card is so many times larger, so that four stand on a page."""
BOXES_A_CARD = 30
"""Of more figures than this, the next ones have a card or a row of their own."""
MANY_CARDS = 18
"""With more cards than this, the pack has the list instead."""

CHOICES: Mapping[str, Choice] = {}

# ---------------------------------------------------------------- what is printed of a figure


class Figure(NamedTuple):
    """Figures that share a card or a row: what they are, and the boxes of at most thirty models."""

    name: str
    kind: str
    points: str
    """What one is worth, and all of them; without the word for points, which is apart."""
    word: str
    rolls: tuple[Roll, ...]
    ruler: Pace | None
    paper: Pace | None
    carries: str
    abilities: tuple[tuple[str, str], ...]
    """Name and text of each trait and power; no text where the rolls and the move have it already."""
    notes: str
    number: str
    """How many figures there are, or which of them these are; "" for one."""
    boxes: tuple[tuple[str, bool], ...]
    """The name of each model's box for being out, and whether it is."""
    description: str = ""
    warband: str = ""


def figures(job: Job) -> Iterator[Figure]:
    """Everything to print, a warband after another; a model by itself where the roster is not to be merged."""
    for number, formation, _ in job.formations():
        for entry in job.entries(number):
            yield from _figures(job, entry, formation.name)


def _figures(job: Job, entry: Entry, warband: str) -> Iterator[Figure]:
    models, done = entry.models, 0
    while batch := tuple(islice(models, BOXES_A_CARD)):
        yield _figure(job, entry, batch, _numbered(entry.quantity, done, len(batch)))._replace(warband=warband)
        done += len(batch)


def _numbered(quantity: int, done: int, here: int) -> str:
    if quantity > BOXES_A_CARD:
        return f"{done + 1}–{done + here} of {quantity}"
    return f"×{quantity}" if quantity > 1 else ""


def _figure(job: Job, entry: Entry, models: Sequence[Model], number: str) -> Figure:
    element, terms = cast(Element, entry.element), job.terms
    return Figure(
        entry.name,
        _kind(element),
        *_points(job, entry),
        rolls(element, terms),
        pace(element),
        pace(element, paper=True),
        _carries(element),
        tuple(_abilities(element, terms)),
        element.notes,
        number,
        tuple((f"{model.path}.out.0", _is_out(job, element, model)) for model in models),
        entry.description,
    )


def _is_out(job: Job, element: Element, model: Model) -> bool:
    return any(job.marked(track, model.mark)[0] for track in job.tracks(element))


def _kind(element: Element) -> str:
    """What it is in a line: kind, commander, and that it has no armor; other armor stands among the rolls."""
    kind = f"Large {element.kind}" if element.large else element.kind
    armor = "" if armor_of(element) else "no armor"
    return ", ".join(part for part in (kind.capitalize(), "commander" if element.commander else "", armor) if part)


def _points(job: Job, entry: Entry) -> tuple[str, str]:
    """What one figure is worth, and all of them; and the word for it."""
    each, whole = job.amount(entry.priced.each), job.amount(entry.priced.points)
    word = job.points.removesuffix("s") if whole == "1" else job.points
    return (whole if entry.quantity == 1 else f"{each} each, {whole}", word) if each else ("", "")


def _carries(element: Element) -> str:
    """Whom it needs aboard and what room is left; nothing for the Independent, who need nobody and may carry some."""
    if "independent" in element.traits:
        return ""
    if element.large and element.kind == "cavalry":
        return tables.LARGE_CARRIES
    return tables.MOVES[element.kind].carries if element.kind in MOUNTS else ""


COUNTED = {*tables.ROLL_TRAITS.values(), "sniper", "super-armor", "super-skill", "super-move"}
"""Traits and powers that the rolls and the move of a figure tell completely."""


def _abilities(element: Element, terms: ForceTerms) -> Iterator[tuple[str, str]]:
    """Traits, then powers, in the order of the rulebook; those it does not know at the end, as written."""
    codes = traits_of(element)
    for code, trait in TRAITS.items():
        if code == "support" and code in codes and element.support:
            yield trait.name, f"This figure and friends within a half move unit add +1 to {_spoken(element.support)}."
        elif code in codes:
            yield trait.name, "" if code in COUNTED else trait.text
    for power, tier in powers_of(element):
        row = POWERS.get((power, tier))
        if row:
            yield row.name, _told(row)
    unknown = [*sorted(codes - TRAITS.keys()), *_unknown_powers(element)]
    if unknown:
        yield "Not in the rulebook", ", ".join(unknown)


def _unknown_powers(element: Element) -> list[str]:
    return [f"{power} ({tier})" for power, tier in sorted(element.powers.items() - POWERS.keys())]


def _spoken(roll: str) -> str:
    """The rolls that Support helps, in a sentence."""
    return {"distance": "distance attacks", "hand-to-hand": "hand to hand attacks"}.get(roll, f"{roll} rolls")


def _told(row: SuperPower) -> str:
    """What a power does beyond the die, which the rolls tell, and which its text begins with."""
    return "" if row.power in COUNTED else row.text.partition(". ")[2]


def inches(amount: Fraction) -> str:
    """Inches as rulers say them: "6", "4½"."""
    whole, rest = divmod(amount, 1)
    return f"{whole}½" if rest else str(whole)


# ---------------------------------------------------------------- dice

SHAPES: Mapping[int, tuple[tuple[float, float], ...]] = {
    6: ((0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96)),
    8: ((0.5, -0.08), (1.16, 0.5), (0.5, 1.08), (-0.16, 0.5)),
    10: ((0.5, -0.08), (1.14, 0.38), (1.14, 0.6), (0.5, 1.08), (-0.14, 0.6), (-0.14, 0.38)),
    12: ((0.16, -0.06), (0.84, -0.06), (1.12, 0.56), (0.5, 1.08), (-0.12, 0.56)),
}
"""What each die looks like, in a square of one."""
DIE_STEP = 1.34
"""From one die to the next, in sides."""


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
"""Between the edge of a card and what stands on it, in millimetres."""


class Card(NamedTuple):
    """A figure card; everything on it grows with its width."""

    figure: Figure

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        face = self.figure._replace(name="", boxes=(), number="", points="", word="", description="", warband="")
        tall = _boxes(self.figure, pen.style, width).height(pen.style, width - 12 * _mm(width))
        key = f"card-{round(width)}-{round(tall)}-{sha1(repr(face).encode()).hexdigest()}"
        pen.stamp(key, x, top, lambda: _face(pen, face, width, tall))
        with pen.moved(x, top):
            _whose_card(pen, self.figure, width)
        unit = _mm(width)
        left, above = x + (PAD + 7) * unit, top - width * CARD[1] / CARD[0] + 2.4 * unit + tall
        _boxes(self.figure, pen.style, width).draw(pen, left, above, width - (2 * PAD + 7) * unit)


def _mm(width: float) -> float:
    """A millimetre of a card of the usual width, in points."""
    return width / CARD[0]


def _boxes(figure: Figure, style: Style, width: float) -> Boxes:
    names, marked = tuple(name for name, _ in figure.boxes), tuple(out for _, out in figure.boxes)
    return Boxes(marked, names=names, size=width / (CARD[0] * MM) * 9 / style.body * 0.95)


def _whose_card(pen: Pen, figure: Figure, width: float) -> None:
    """Name, number and points of a card, whose upper left corner is at the origin."""
    unit, size = _mm(width), width / CARD[0] / MM
    number = fit_text(figure.number, 20 * unit, 8 * size)
    aside = 20 * unit if figure.number else 0.0
    room = width - 2 * PAD * unit - aside
    name = fit_text(figure.name, room, 11 * size, bold=True)
    if name.lines and name.lines[0] != figure.name:
        name = fit_text(figure.name, room, 7.4 * size, lines=2, bold=True)
    pen.lines(PAD * unit, -5.1 * unit + name.height / 2, name, bold=True, accent=True)
    if figure.number:
        pen.text(width - PAD * unit, -6.2 * unit, number.lines[0], number.size, align="right")
    pen.fit(
        width - (PAD + 24) * unit, -11.3 * unit, f"{figure.points} {figure.word}", 24 * unit, 6.8 * size, align="right"
    )


def _face(pen: Pen, figure: Figure, width: float, boxes: float) -> None:
    """What figures of a kind have in common: the card from its kind to its abilities."""
    unit, size = _mm(width), width / CARD[0] / MM
    pen.rect(0, -width * CARD[1] / CARD[0], width, width * CARD[1] / CARD[0], line=HAIR)
    pen.fit(PAD * unit, -11.3 * unit, figure.kind, width - (2 * PAD + 25) * unit, 6.8 * size, bold=True)
    pen.line(PAD * unit, -12.5 * unit, width - PAD * unit, -12.5 * unit)
    _moves(pen, figure, width)
    down = _card_rolls(pen, figure.rolls, width)
    foot = width * CARD[1] / CARD[0] - 2.4 * unit - boxes
    pen.text(PAD * unit, -foot - 2.7 * unit, "Out", 6.8 * size, bold=True)
    room = foot - 0.8 * unit - down
    told = tuple(_paragraphs(figure.abilities))
    for line in _lines(told, figure.notes, width - 2 * PAD * unit, room, 6.6 * size):
        pen.runs(PAD * unit, -down - line.down, line.lead, line.size, bold=True)
        pen.runs(PAD * unit + line.indent, -down - line.down, line.words, line.size)


def _moves(pen: Pen, figure: Figure, width: float) -> None:
    """How far it goes and shoots: by the ruler, and in small by the paper."""
    unit, size = _mm(width), width / CARD[0] / MM
    room = width - 2 * PAD * unit
    pen.fit(PAD * unit, -16.1 * unit, moves_in_words(figure.ruler), room, 7.4 * size, bold=True)
    if figure.paper:
        more = [f"by paper {_short(figure.paper)}"]
        more += [f"initiative +{figure.paper.initiative}"] if figure.paper.initiative else []
        more += [f"carries {figure.carries}"] if figure.carries else []
        pen.fit(PAD * unit, -18.9 * unit, " · ".join(more), room, 5.8 * size, grey=SOFT * 0.6)


def moves_in_words(found: Pace | None) -> str:
    """Move, half move and range in inches."""
    if found is None:
        return "Move not known"
    reach = f" · Range {inches(found.reach)}" if found.reach else ""
    return f"Move {inches(found.move)} · Half {inches(found.half)}{reach} inches"


def _short(found: Pace) -> str:
    """The same measures, for a line that says what they are already."""
    return " · ".join(inches(each) for each in (found.move, found.half, found.reach) if each)


COVER = ROLLS[1][0]
"""This roll follows that on a target in the open, and mostly has the same note."""
ROW, LITTLE_ROW = 5.8, 3.6
"""Heights of a roll on a card, and of the building's, in millimetres."""


def _card_rolls(pen: Pen, made: Sequence[Roll], width: float) -> float:
    """The rolls of a card one below another; how far down they end."""
    squeeze, down = min(1.0, 44 / (ROW * len(made))), 20.4
    unit = _mm(width)
    said = ""
    for roll in made:
        with pen.moved(PAD * unit, -down * unit):
            if roll == tables.BUILDING_ROLL:
                _little_roll(pen, roll, width - 2 * PAD * unit, unit * squeeze)
            else:
                _card_roll(
                    pen,
                    roll,
                    "" if roll.name == COVER and roll.note == said else roll.note,
                    width - 2 * PAD * unit,
                    unit * squeeze,
                )
        said, tall = roll.note, LITTLE_ROW if roll == tables.BUILDING_ROLL else ROW
        down += tall * squeeze
        pen.line(PAD * unit, -down * unit, width - PAD * unit, -down * unit, HAIR * 0.6)
    return (down + 0.9) * unit


def _card_roll(pen: Pen, roll: Roll, note: str, width: float, unit: float) -> None:
    """A roll in a row whose upper left corner is the origin."""
    point = unit / MM
    room = width - (14.5 if roll.dice == 1 else 20.5) * unit
    if note:
        small = fit_text(note, room, 5.6 * point)
        pen.text(0, -4.9 * unit, small.lines[0], small.size, grey=SOFT * 0.6)
    pen.fit(0, (-2.75 if note else -3.75) * unit, roll.name, room, 7.6 * point)
    _dice(pen, width - 8.6 * unit, -4.95 * unit, 4.1 * unit, roll)
    pen.text(width, -4.15 * unit, f"{roll.target}+", 11 * point, bold=True, align="right")


def _little_roll(pen: Pen, roll: Roll, width: float, unit: float) -> None:
    pen.text(0, -2.5 * unit, roll.name, 6 * unit / MM)
    pen.text(width, -2.5 * unit, f"d{roll.die}   {roll.target}+", 6 * unit / MM, align="right")


class Line(NamedTuple):
    """A line on a card: so far down, bold words first, the others after so much room."""

    down: float
    lead: str
    indent: float
    words: str
    size: float


Paragraph = tuple[str, str]
"""Bold words, and what follows them."""


def _paragraphs(abilities: Sequence[tuple[str, str]]) -> Iterator[Paragraph]:
    """The names of those that are counted already, then each trait and power that has something to tell."""
    counted = [name for name, text in abilities if not text]
    if counted:
        yield "Counted above:", ", ".join(counted)
    names: dict[str, list[str]] = {}
    for name, text in abilities:
        if text:
            names.setdefault(text, []).append(name)
    yield from ((f"{', '.join(alike)}.", text) for text, alike in names.items())


@cached(1 << 20)
def _lines(told: tuple[Paragraph, ...], notes: str, width: float, room: float, size: float) -> tuple[Line, ...]:
    """Paragraphs as lines in a width and a height, as large as they fit, and as much of the notes as then fits.

    What does not fit at 80 % is named only: the reference panel explains it.
    """
    for scale in (1, 0.9, 0.8):
        if _tall(told, width, size * scale) <= room:
            return _placed((*told, ("", notes)), width, room, size * scale)
    size *= 0.8
    for number in range(min(len(told), 12) - 1, 0, -1):
        kept = (*told[:number], _names(told[number:]))
        if _tall(kept, width, size) <= room:
            return _placed((*kept, ("", notes)), width, room, size)
    return _placed((_names(told),), width, room, size)


def _tall(told: Sequence[Paragraph], width: float, size: float) -> float:
    """How high paragraphs stand."""
    return sum(1 for paragraph in told for _ in _wrapped(paragraph, width, size)) * size * LEADING


def _names(told: Sequence[Paragraph]) -> Paragraph:
    return "Look up:", ", ".join(lead.rstrip(".") if lead.endswith(".") else words for lead, words in told)


def _wrapped(paragraph: Paragraph, width: float, size: float) -> Iterator[Paragraph]:
    """The lines of a paragraph; only the first has bold words."""
    lead, words = paragraph[0], " ".join(paragraph[1].split())
    first = next(wrap(words, width - _lead(lead, size), size), "")
    if lead or first:
        yield lead, first
    yield from (("", line) for line in wrap(words[len(first) :].strip(), width, size))


def _lead(lead: str, size: float) -> float:
    """The width of bold words and the space after them."""
    return ems(lead + " ", True) * size if lead else 0.0


def _placed(told: Sequence[Paragraph], width: float, room: float, size: float) -> tuple[Line, ...]:
    """As many lines as there is room for, at their places; an ellipsis ends the last one where there are more."""
    all_of_them = (line for paragraph in told for line in _wrapped(paragraph, width, size))
    lines = list(islice(all_of_them, int(room / (size * LEADING) + 0.01)))
    if lines and any(True for _ in islice(all_of_them, 1)):
        lead, words = lines[-1]
        lines[-1] = lead, truncate(words, width - _lead(lead, size), size)
    return tuple(
        Line(size * (ASCENT + number * LEADING), lead, _lead(lead, size), words, size)
        for number, (lead, words) in enumerate(lines)
    )


CARD_ROLLS = ("Distance attack", "… on a target in cover", "Hand to hand attack", "Armor saves", "Skill", "")
"""The rolls of a card to fill in."""


class BlankCard(NamedTuple):
    """A card to fill in by hand; ``points`` is the word for points, "" where they are hidden."""

    path: str
    points: str

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.stamp(f"blank-card-{round(width)}-{self.points}", x, top, lambda: _blank_card(pen, width, self.points))
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
    for place, kind in enumerate(play.TITLES):
        yield Spot((PAD + place * 11.8) * unit, 12.2 * unit, 2.3 * unit, f"kind.{kind}")
    yield Spot(PAD * unit, 17.2 * unit, 2.3 * unit, "commander")
    for place in range(10):
        yield Spot((PAD + 7 + place * 3.9 + place // 5 * 1.6) * unit, 84.9 * unit, 3.2 * unit, f"out.{place}")


def _blank_lines(unit: float) -> Iterator[Spot]:
    """Where to write: under each stands a line, too."""
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
    """What all blank cards have: everything but the boxes."""
    unit, point = _mm(width), width / CARD[0] / MM
    left = PAD * unit
    pen.rect(0, -CARD[1] * unit, width, CARD[1] * unit, line=HAIR)
    pen.text(left, -7.6 * unit, "Name", 7 * point, bold=True)
    for place, kind in enumerate(play.TITLES.values()):
        pen.text(left + (place * 11.8 + 2.9) * unit, -11.9 * unit, kind, 6 * point)
    pen.text(left + 2.9 * unit, -16.9 * unit, "Commander", 6 * point)
    if points:
        pen.text(width - (PAD + 11) * unit, -16.9 * unit, points.capitalize(), 6 * point, align="right")
    for place, label in enumerate(("Move", "Half", "Range")):
        pen.text(left + place * 19.5 * unit, -22.6 * unit, label, 7.4 * point)
    for row, label in enumerate(CARD_ROLLS):
        baseline = -(29.2 + row * 5.4) * unit
        pen.text(left, baseline, label, 7.4 * point)
        pen.text(left + 38.6 * unit, baseline, "d", 7.4 * point, align="right")
        pen.text(width - left, baseline, "+", 7.4 * point, bold=True, align="right")
    pen.text(left, -60.6 * unit, "Traits and powers", 6 * point, grey=SOFT)
    pen.text(left, -84.5 * unit, "Out", 6.8 * point, bold=True)
    for line in _blank_lines(unit):
        if points or line.name != "points":
            pen.line(line.x, -line.down, line.x + line.side, -line.down, HAIR)


def cards(job: Job) -> Iterator[Grid]:
    """Figure cards of 63 by 88 mm: nine a page, four on a half sheet or in large print."""
    scale = LARGE_CARD if job.settings.large else 1.0
    cell = CARD[0] * MM * scale, CARD[1] * MM * scale
    blocks: Iterator[tuple[str, Block]] = ((figure.warband, Card(figure)) for figure in figures(job))
    if job.blank:
        blocks = (("", BlankCard(f"blank{number}", job.points)) for number in range(_cards_a_page(job)))
    yield Grid("Figure cards", blocks, cell=cell)


def _cards_a_page(job: Job) -> int:
    if job.settings.large:
        return 1 if job.settings.paper == "a5" else 4
    return 4 if job.settings.paper == "a5" else 9


# ---------------------------------------------------------------- the list

LIST_LABELS = ("Distance", "In cover", "Hand to hand", "Armor", "Skill")
TWICE = LIST_LABELS[:2]
"""The rolls that may be of two dice."""


def force_table(job: Job) -> Iterator[Section]:
    """The cards' facts as a table: a row a figure, with a box for each model."""
    land = job.settings.large or job.settings.paper == "a5"
    width, height = frame(job.settings.paper, landscape=land)
    yield Section("Figure list", _blank_table(job, height) if job.blank else _list_groups(job, width), landscape=land)


def _list_columns(job: Job) -> tuple[Column, ...]:
    worth = (Column(job.points.capitalize(), 1.9, "right"),) if job.points else ()
    rolled = (Column(label, 2.1 if label in TWICE else 1.5) for label in LIST_LABELS)
    return (
        Column("Out", _wide_out(job)),
        Column("Figure", 4, bold=True),
        Column("Move, half, range", 2),
        *rolled,
        *worth,
    )


def _wide_out(job: Job) -> float:
    """The share of the boxes: five of them or, where figures are many, ten side by side."""
    many = job.settings.merge and any(line.quantity > 5 for _, band, _ in job.formations() for line in band.elements)
    return 4.2 if many else 2.1


BUILDINGS = f"Buildings save on d{tables.BUILDING_ROLL.die}, {tables.BUILDING_ROLL.target}+"


def _list_groups(job: Job, width: float) -> Iterator[Group]:
    columns = _list_columns(job)
    for number, formation, _ in job.formations():
        found = (figure for entry in job.entries(number) for figure in _figures(job, entry, formation.name))
        rows = (block for figure in found for block in _list_row(job, columns, figure, width))
        title = formation.name or job.words.formation
        yield Group(rows, Stack((Space(0.3), Heading(title, BUILDINGS, 1.15), Heads(columns))), title)


def _list_row(job: Job, columns: tuple[Column, ...], figure: Figure, width: float) -> Iterator[Block]:
    boxes = Boxes(tuple(out for _, out in figure.boxes), names=tuple(name for name, _ in figure.boxes))
    by_kind = {_list_place(roll): roll for roll in reversed(figure.rolls) if _list_place(roll)}
    rolled: list[Content] = [_roll_cell(by_kind[label]) if label in by_kind else "–" for label in LIST_LABELS]
    name = " ".join(part for part in (figure.name, figure.number) if part)
    goes = _short(figure.ruler) if figure.ruler else "–"
    worth = (figure.points,) if job.points else ()
    main = Row(columns, (boxes.cell(), name, goes, *rolled, *worth), lines=3, rule=0)
    indent = width * columns[0].share / sum(column.share for column in columns)
    below = [Words(line, 0.82, grey=0.25, indent=indent) for line in _below(job, figure, width - indent)]
    yield Stack((main, *below[:4]))
    yield from below[4:]
    yield Drawing(job.style.line * 0.3, lambda pen, x, top, wide: pen.line(x, top - 1, x + wide, top - 1, HAIR))


def _below(job: Job, figure: Figure, width: float) -> Iterator[str]:
    """Lines under a row: what it is, its rolls that have no column, its notes."""
    others = [
        f"{roll.name} {roll.target}+" for roll in figure.rolls if not _list_place(roll) and roll != tables.BUILDING_ROLL
    ]
    described = ". ".join([figure.description, *(["Rolls: " + ", ".join(others)] if others else [])])
    for paragraph in (described, *figure.notes.splitlines()):
        yield from wrap(paragraph, width, job.style.body * 0.82)


def _list_place(roll: Roll) -> str:
    """The column of a roll, "" for one without."""
    for (label, _, _), column in zip(
        ROLLS, ("Distance", "In cover", "Hand to hand", "Armor", "Armor", "Skill"), strict=True
    ):
        if roll.name == label:
            return column
    return ""


def _roll_cell(roll: Roll) -> Cell:
    """The dice and their target."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        target = f"{roll.target}+"
        wide = 1.25 * (1.5 + DIE_STEP * (roll.dice - 1)) + 1.15 * ems(target, True)
        size = min(pen.style.body, width / wide)
        right = x + size * 1.25 * (1.16 + DIE_STEP * (roll.dice - 1))
        _dice(pen, right, top - pen.style.body - size * 0.36, size * 1.25, roll)
        pen.text(right + size * 0.4, top - pen.style.body, target, size * 1.15, bold=True)

    return Cell(lambda style, width: style.body * 1.6, paint)


def _blank_roll(name: str) -> Cell:
    """A die and its target to write in."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.text(x, top - height + 3, "d", grey=SOFT)
        pen.text(x + width * 0.85, top - height + 3, "+", align="right", grey=SOFT)
        pen.field(f"{name}.die", x + pen.style.body * 0.6, top - height, width * 0.3, height)
        pen.field(f"{name}.target", x + width * 0.45, top - height, width * 0.3, height)

    return Cell(lambda style, width: style.line, paint)


def _blank_table(job: Job, height: float) -> Iterator[Group]:
    """A page of rows to fill in: five boxes for being out, a line for the name, a die and a target for each roll."""
    columns = _list_columns(job)
    number = int((height - 6 * job.style.line) // (2.2 * job.style.line + job.style.body * 0.35))
    rows = [Row(columns, tuple(_blank_cells(f"list.r{row}", len(columns))), least=2.2) for row in range(number)]
    yield Group(rows, Stack((Heading("Figures", BUILDINGS, 1.15), Heads(columns))))


def _blank_cells(name: str, columns: int) -> Iterator[Content]:
    boxes = Boxes((False,) * 5, names=tuple(f"{name}.out.{place}" for place in range(5)), size=0.9)

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        boxes.draw(pen, x, top - height + boxes.height(pen.style, width) + 1, width)

    yield Cell(boxes.height, paint)
    yield from (written(f"{name}.{what}") for what in ("name", "move"))
    yield from (_blank_roll(f"{name}.{label.lower().replace(' ', '-')}") for label in LIST_LABELS)
    if columns > 3 + len(LIST_LABELS):
        yield written(f"{name}.points")


# ---------------------------------------------------------------- set-up

TABLE = (72.0, 48.0)
"""The table of the rulebook in inches (section I)."""
ROUNDS = 5
FIVE_ROUNDS = ("basic", "escape", "transport", "spawning")
"""The scenarios that end after five rounds at the latest (section VIII)."""
HITS, MOST_HITS = 2, 5
"""Hits that destroy the fortress when one player assaults it, and how many boxes it has for more of them."""
PAIRS = (Column("", 2.4, bold=True), Column("", 9))


def set_up(job: Job) -> Iterator[Section]:
    """The scenario for this roster: where everybody starts, how it ends, what to count; and the table of scales."""
    yield Section("Set-up", [Group([*(_blank_set_up(job) if job.blank else _set_up(job))]), _scales()])


def _set_up(job: Job) -> Iterator[Block]:
    sides = [Side(job.document, job.appraisal)]
    slug = job.document.scenario or play.BASIC
    remark = "" if job.document.scenario else "The roster names no scenario, so this is the basic game."
    scenario, role = SCENARIOS[slug], play.roles_of(sides, slug)[0]
    assumed = " (assumed)" if role and job.document.side != role else ""
    yield Heading(f"Scenario: {scenario.name}", scenario.sides.get(role, "") + assumed)
    yield Prose(f"{scenario.text} {remark}".strip())
    yield Space(0.6)
    yield _table_drawing(slug, role, job)
    yield Space(0.6)
    yield from _tracks(slug, role, job.appraisal.quantity)
    yield Space(0.3)
    name = names_of(sides)[0]
    for panel in job.play.briefing(sides):
        if panel.title in ("Set-up", "Victory"):
            yield from (Row(PAIRS, (_label(label, name), text), 0.95, lines=30) for label, text in panel.rows)
    yield Row(PAIRS, ("End", tables.SCENARIO_SETUP[slug].ends), 0.95)


def _label(label: str, name: str) -> str:
    """A row's label without the name of the only force."""
    return "Victory" if label == name else label.removeprefix(f"{name}: ").capitalize()


def _tracks(slug: str, role: str, quantity: int) -> Iterator[Block]:
    """Boxes for what the scenario counts."""
    if slug in FIVE_ROUNDS:
        yield _track("Rounds", "rounds", ROUNDS)
    if slug == "escape" and quantity:
        needed = play.to_escape(quantity)
        yield _track(f"Across, {needed} of {quantity} win", "across", min(needed, MAX_BOXES))
    if slug == "fortress-assault":
        yield _track(
            "Hits on the building; falls at the bar, one later for each further assaulter", "hits", MOST_HITS, HITS
        )
    if role == "spawner" and quantity > 1:
        yield _track(f"Brought on, of {quantity - 1} waiting", "waiting", min(quantity - 1, MAX_BOXES))


def _track(label: str, name: str, number: int, breaks_at: int | None = None) -> Block:
    names = tuple(f"setup.{name}.{place}" for place in range(number))
    labels = tuple(str(place + 1) for place in range(number))
    boxes = Boxes((False,) * number, breaks_at, names, labels=labels)
    return Row(PAIRS, (label, boxes.cell()), 0.95, lines=3)


def _scales() -> Group:
    heads = (
        ("Figures", 2.3),
        ("Such as", 5),
        ("A space", 2.6),
        ("Move unit", 1.4),
        ("Short range", 1.4),
        ("Long range", 1.4),
    )
    columns = tuple(
        Column(head, share, "left" if n < 3 else "centre", bold=n == 0) for n, (head, share) in enumerate(heads)
    )
    ours = tuple(column._replace(bold=True) for column in columns)
    rows = [
        Row(ours if scale.move == tables.MOVES["troop"].inches else columns, _scale_cells(scale), 0.92)
        for scale in tables.SCALES
    ]
    head = Stack(
        (Space(0.8), Heading("Scales", "in spaces", 1.1), Prose(tables.SCALES_TEXT, 0.92), Space(0.2), Heads(columns))
    )
    return Group([Stack(tuple(rows))], head)


def _scale_cells(scale: tables.Scale) -> tuple[str, ...]:
    return scale.figures, scale.examples, scale.space, str(scale.move), str(scale.short), str(scale.long)


def _blank_set_up(job: Job) -> Iterator[Block]:
    yield Heading("Set-up")
    for label in ("Scenario", "Side", "Commander", "Enemy", "How we win"):
        yield Blank(label, f"setup.{label.lower().replace(' ', '-')}")
    yield Space(0.6)
    yield _table_drawing("", "", job)
    yield Space(0.6)
    yield _track("Rounds", "rounds", ROUNDS)


# ---------------------------------------------------------------- the table from above


class Plan(NamedTuple):
    """A table drawn from above: its lower left corner, an inch of it in points, and what to draw on it."""

    pen: Pen
    x: float
    y: float
    inch: float

    def _place(self, left: float, bottom: float, wide: float, tall: float) -> tuple[float, float, float, float]:
        return self.x + left * self.inch, self.y + bottom * self.inch, wide * self.inch, tall * self.inch

    def zone(self, left: float, bottom: float, wide: float, tall: float, label: str, own: bool = False) -> None:
        """Where figures start; those of this force on a light ground."""
        self.block(left, bottom, wide, tall, own=own, line=HAIR)
        self.words(left + wide / 2, bottom + tall / 2, label, wide - 1, bold=own)

    def words(self, x: float, y: float, label: str, wide: float, *, bold: bool = False) -> None:
        """Words around a point, on up to three lines."""
        text = fit_text(label, wide * self.inch, self.pen.style.small, 3, bold)
        left, top = self.x + (x - wide / 2) * self.inch, self.y + y * self.inch + text.height / 2
        self.pen.lines(left, top, text, wide * self.inch, align="centre", bold=bold)

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
        pen.text(left + wide, bottom - small, "6 by 4 feet; sketch the terrain", small, align="right", grey=SOFT)
        if slug:
            SCENES[slug](Plan(pen, left, bottom, inch), role)
        pen.rect(left, bottom, wide, TABLE[1] * inch, line=THICK)

    return Drawing(TABLE[1] * inch + job.style.small, paint)


def _name(slug: str, role: str, own: str, what: str) -> str:
    """What stands in a zone, with whose it is."""
    whose = f"{SCENARIOS[slug].sides[role]}s{' (this force)' if role == own else ''}"
    return f"{whose}: {what}"


def _edges(plan: Plan, own: str) -> None:
    """Forces along opposite sides of the table."""
    plan.zone(0, 0, 72, 8, "This force, along one side", own=True)
    plan.zone(0, 40, 72, 8, "Another force")
    plan.arrow(12, 8.5, 39.5, both=True)
    plan.words(21.5, 24, "2 move units or more from other players’ figures", 17)


def _escape(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.arrow(60, 0.5, 47.5, both=True)
    plan.words(49.5, 24, "each force to the edge opposite its own, with more than half of its original figures", 17)


def _transport(plan: Plan, own: str) -> None:
    _edges(plan, own)
    plan.spot(36, 24, 2)
    plan.words(43, 24, "Object", 8, bold=True)
    plan.arrow(60, 8.5, 39.5, both=True)
    plan.words(53, 24, "and back", 10)


def _spawning(plan: Plan, own: str) -> None:
    slug = "spawning"
    plan.zone(0, 0, 72, 8, _name(slug, "infiltrator", own, "all figures"), own == "infiltrator")
    plan.zone(0, 40, 72, 8, _name(slug, "spawner", own, "one figure, the others by the die"), own == "spawner")
    for x, y, label in ((36, 11, "1"), (4, 24, "2"), (36, 37, "3"), (68, 24, "4")):
        plan.spot(x, y, 1.8)
        plan.words(x, y, label, 4, bold=True)
    plan.words(36, 24, "5: a side of the spawner’s choice. 6: nobody enters.", 30)


def _ambush(plan: Plan, own: str) -> None:
    slug = "ambush"
    plan.zone(
        20, 17, 32, 14, _name(slug, "target", own, "in the open, each within 1 move unit of another"), own == "target"
    )
    for x, y in ((6, 8), (8, 36), (60, 6), (61, 37), (4, 22), (62, 22), (34, 4)):
        plan.block(x, y, 6, 3.2, own=own == "ambusher")
    plan.words(
        36,
        40,
        _name(slug, "ambusher", own, "behind terrain and buildings, covered as well as they allow"),
        34,
        bold=own == "ambusher",
    )


def _fortress(plan: Plan, own: str) -> None:
    slug = "fortress-assault"
    plan.zone(23, 15, 26, 18, "", own == "defender")
    plan.block(28, 19, 16, 10, line=THICK)
    plan.words(36, 24, "Building", 14, bold=True)
    plan.words(36, 31, _name(slug, "defender", own, "within half a move unit"), 25, bold=own == "defender")
    plan.zone(
        0,
        0,
        72,
        5,
        _name(slug, "assaulter", own, "2 move units away from the building, on any side"),
        own == "assaulter",
    )
    plan.arrow(36, 5.5, 18.6, both=True)
    plan.words(42.5, 10, "2 move units", 11)


SCENES: Mapping[str, Callable[[Plan, str], None]] = {
    "basic": _edges,
    "escape": _escape,
    "transport": _transport,
    "spawning": _spawning,
    "ambush": _ambush,
    "fortress-assault": _fortress,
}
"""How the table of each scenario looks (section VIII). The spawner sits at the top and looks down the table."""

# ---------------------------------------------------------------- paper measures


class Strip(NamedTuple):
    """A strip to measure with: a move unit or a range in inches, and the half move unit on it."""

    name: str
    what: str
    inches: Fraction
    half: Fraction | None


class Piece(NamedTuple):
    """A part of a strip between two marks, in inches; the ``number``-th of so many."""

    strip: Strip
    start: Fraction
    end: Fraction
    number: int
    pieces: int


STRIPS = tuple(
    Strip(name, what, *tables.PAPER_INCHES[key])
    for name, what, key in (
        ("Guy", "move", "guy"),
        ("Cavalry", "move", "cavalry"),
        ("Vehicle", "move", "vehicle"),
        ("Distance attack", "range", "distance"),
    )
)
TAB = 6 * MM
"""The end of a piece that the next one is glued on."""
INCH = 72.0
STRIP_HEIGHT, STRIP_GAP = 12.0, 3.5
"""In millimetres, at the usual size of text."""


def pieces(strip: Strip, room: float) -> tuple[Piece, ...]:
    """A strip in as few pieces as fit into so many points with their tabs, cut at half inches."""
    number = 1 if strip.inches * INCH <= room else ceil(strip.inches * INCH / (room - TAB))
    step = Fraction(ceil(2 * strip.inches / number), 2)
    marks = [min(step * place, strip.inches) for place in range(number + 1)]
    return tuple(Piece(strip, marks[place], marks[place + 1], place + 1, number) for place in range(number))


def strips(job: Job) -> Iterator[Section]:
    """The book's measures by a sheet of paper, to cut out at true scale."""
    width = frame(job.settings.paper, landscape=True)[0]
    tall = (STRIP_HEIGHT + STRIP_GAP) * MM * job.style.body / 9
    head: list[Block] = [Heading("Paper measures", "print at 100 %"), Space(0.3)]
    drawn: list[Block] = [
        Drawing(tall, partial(_draw_piece, piece)) for strip in STRIPS for piece in pieces(strip, width)
    ]
    text = [*prose(_how_to_measure(job.settings.paper), job.style, width, 0.95)]
    yield Section("Paper measures", [Group([*head, *text, Space(0.8), *drawn])], landscape=True)


def _how_to_measure(paper: str) -> str:
    edges = " Bare A4 paper will not do: its short edge is shorter and its long edge longer."
    return (
        "Cut the strips out along their outlines, and glue each tab under the piece that follows. They are as long as "
        "the edges of Letter paper, which the rules allow instead of a ruler: agree on one or the other. A dashed line "
        "marks the half move unit, and a Sniper shoots twice as far as the range."
        + (edges if paper != "letter" else "")
        + " The numbered marks are inches; they serve as a ruler, too."
    )


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
        pen.text(x + long - 1.5 * MM, bottom + 0.14 * tall, inches(piece.end), pen.style.body, bold=True, align="right")


def _draw_words(piece: Piece, pen: Pen, x: float, y: float, long: float) -> None:
    """What a strip measures; to the right of a half move unit that stands too near the left end."""
    size, name, half = pen.style.body, piece.strip.name, _half_at(piece)
    part = f"piece {piece.number} of {piece.pieces}" if piece.pieces > 1 else ""
    told = f"{piece.strip.what} {inches(piece.strip.inches)} inches" if piece.number == 1 else ""
    whole = " · ".join(words for words in (told, part) if words)
    aside = ems(name + "  ", True) * size
    shifted = half if aside + ems(whole + "  half 8½  ", True) * size > half else 0.0
    pen.text(x + shifted, y, name, bold=True, accent=True)
    room = (half if half > shifted else long) - shifted - aside - 2 * MM - ems("  half 8½  ", True) * size
    pen.fit(x + shifted + aside, y, whole, room)


def _half_at(piece: Piece) -> float:
    """How far from the left end of a piece its half move unit is, in points; 0 where it has none."""
    half = piece.strip.half
    return float(half - piece.start) * INCH if half is not None and piece.start < half < piece.end else 0.0


def _draw_half(piece: Piece, pen: Pen, x: float, top: float, tall: float) -> None:
    """The half move unit, where this piece has it."""
    at, half = x + _half_at(piece), piece.strip.half
    if half is not None and at > x:
        pen.line(at, top, at, top - tall, LINE, dash=(2.5, 1.8))
        pen.text(at - 1.5 * MM, top - 0.86 * tall, f"half {inches(half)}", bold=True, align="right")


def _draw_tab(pen: Pen, x: float, bottom: float, tall: float) -> None:
    """The tab at the right end of a piece, a little narrower."""
    low, high = bottom + 1.5, bottom + tall - 1.5
    for x1, y1, x2, y2 in (
        (x, low, x + TAB, low + 1),
        (x + TAB, low + 1, x + TAB, high - 1),
        (x + TAB, high - 1, x, high),
    ):
        pen.line(x1, y1, x2, y2, HAIR, dash=(1.5, 1.5))
    with pen.moved(x + TAB * 0.66, bottom + tall / 2, turned=90):
        pen.text(0, 0, "glue", pen.style.small, align="centre", grey=SOFT)


# ---------------------------------------------------------------- the pack


def _card_count(job: Job) -> int:
    """About how many cards a roster takes, without laying any out."""
    merged = job.settings.merge
    lines = (element for _, formation, _ in job.formations() for element in formation.elements)
    return sum(-(-line.quantity // BOXES_A_CARD) if merged else line.quantity for line in lines)


def _has_few(job: Job) -> bool:
    return _card_count(job) <= MANY_CARDS


def _has_many(job: Job) -> bool:
    return not _has_few(job)


SHEETS = (
    ROSTER,
    Sheet("cards", "Figure cards", "A card of 63 by 88 mm for each figure: its rolls worked out.", cards, _has_few),
    Sheet("list", "Figure list", "The same as a table, for large forces: a row a figure.", force_table, _has_many),
    Sheet("setup", "Set-up", "The scenario for this roster from above, what to count, and the scale table.", set_up),
    Sheet(
        "strips",
        "Paper measures",
        "The book’s paper measures as strips to cut out, at true scale.",
        strips,
        shared=True,
    ),
    REFERENCE,
)
