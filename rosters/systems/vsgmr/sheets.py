"""The sheets of VSGMR: figure cards, the same as a list, the scenario's set-up, and paper-measure strips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha1
from itertools import islice
from typing import NamedTuple, cast

from rosters.play import Panel, Side
from rosters.sheetkit.blocks import (
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
    prose,
    written,
)
from rosters.sheetkit.fonts import ASCENT, ems
from rosters.sheetkit.force import REFERENCE, ROSTER, frame_width, panel_group
from rosters.sheetkit.job import Choice, Entry, Job, Model, Sheet
from rosters.sheetkit.layout import Grid, Group, Section, frame
from rosters.sheetkit.pen import HAIR, LINE, MM, SOFT, Pen, Style
from rosters.sheetkit.words import LEADING, Fitted, cut, fitted, wrap
from rosters.systems.vsgmr import play, tables
from rosters.systems.vsgmr.rules import KINDS, MOUNTS, SCENARIOS, Element, ForceTerms, armor_of, powers_of
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
    return f"× {quantity}" if quantity > 1 else ""


def _figure(job: Job, entry: Entry, models: Sequence[Model], number: str) -> Figure:
    element, terms = cast(Element, entry.element), job.terms
    return Figure(
        entry.name,
        _kind(element),
        _points(job, entry),
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
    """What it is in a line: kind, commander, armor."""
    kind = f"Large {element.kind}" if element.large else element.kind
    armor = f"{armor_of(element)} armor" if armor_of(element) else "no armor"
    return ", ".join(part for part in (kind.capitalize(), "commander" if element.commander else "", armor) if part)


def _points(job: Job, entry: Entry) -> str:
    """What one figure is worth, and all of them."""
    each, whole = job.amount(entry.priced.each), job.amount(entry.priced.points)
    if not each:
        return ""
    return f"{each} {job.points}" if entry.quantity == 1 else f"{each} each, {whole} {job.points}"


def _carries(element: Element) -> str:
    if element.large and element.kind == "cavalry":
        return tables.LARGE_CARRIES
    return tables.MOVES[element.kind].carries if element.kind in MOUNTS else ""


COUNTED = {*tables.ROLL_TRAITS.values(), "super-armor", "super-skill", "super-move"}
"""Traits and powers that the rolls and the move of a figure tell completely."""


def _abilities(element: Element, terms: ForceTerms) -> Iterator[tuple[str, str]]:
    """Traits, then powers, in the order of the rulebook; those it does not know at the end, as written."""
    codes = traits_of(element)
    for code, trait in terms.reference.traits.items():
        if code in codes:
            chosen = f" ({element.support.replace('-', ' ')})" if code == "support" and element.support else ""
            yield trait.name + chosen, "" if code in COUNTED else trait.text
    for power, tier in powers_of(element, terms.reference):
        row = terms.reference.powers.get((power, tier))
        if row:
            yield row.name, "" if power in COUNTED else row.text
        else:
            yield f"{power} ({tier})", ""
    yield from ((code, "") for code in sorted(codes - terms.reference.traits.keys()))


def inches(amount: Fraction) -> str:
    """Inches as rulers say them: "6", "4½"."""
    whole, rest = divmod(amount, 1)
    return f"{whole}½" if rest else str(whole)


# ---------------------------------------------------------------- dice

SHAPES: Mapping[int, tuple[tuple[float, float], ...]] = {
    6: ((0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)),
    8: ((0.5, -0.16), (1.16, 0.5), (0.5, 1.16), (-0.16, 0.5)),
    10: ((0.5, -0.14), (1.16, 0.36), (1.16, 0.6), (0.5, 1.14), (-0.16, 0.6), (-0.16, 0.36)),
    12: ((0.13, -0.06), (0.87, -0.06), (1.12, 0.62), (0.5, 1.12), (-0.12, 0.62)),
}
"""What each die looks like, in a square of one."""


def _die(pen: Pen, x: float, y: float, side: float, faces: int) -> None:
    """A die in a square with this lower left corner, which it may overlap by a sixth."""
    pen.outline([(x + across * side, y + up * side) for across, up in SHAPES[faces]], line=HAIR * 1.3)
    pen.text(x + side / 2, y + side * 0.32, f"d{faces}", side * 0.46, align="centre")


def _dice(pen: Pen, right: float, y: float, side: float, roll: Roll) -> None:
    """The dice of a roll, so that the last one ends at ``right``."""
    for place in range(roll.dice):
        _die(pen, right - side * (1 + 1.25 * (roll.dice - 1 - place)), y, side, roll.die)


# ---------------------------------------------------------------- cards

PAD = 3.0
"""Between the edge of a card and what stands on it, in millimetres."""


class Card(NamedTuple):
    """A figure card; everything on it grows with its width."""

    figure: Figure

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        face = self.figure._replace(name="", boxes=(), number="", points="", description="", warband="")
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
    number = fitted(figure.number, 20 * unit, 8 * size)
    aside = 20 * unit if figure.number else 0.0
    room = width - 2 * PAD * unit - aside
    name = fitted(figure.name, room, 11 * size, bold=True)
    if name.lines and name.lines[0] != figure.name:
        name = fitted(figure.name, room, 7.4 * size, lines=2, bold=True)
    pen.lines(PAD * unit, -5.6 * unit + name.height / 2, name, bold=True, accent=True)
    if figure.number:
        pen.text(width - PAD * unit, -6.6 * unit, number.lines[0], number.size, align="right")
    pen.fit(width - (PAD + 24) * unit, -12.4 * unit, figure.points, 24 * unit, 6.8 * size, align="right")


def _face(pen: Pen, figure: Figure, width: float, boxes: float) -> None:
    """What figures of a kind have in common: the card from its kind to its abilities."""
    unit, size = _mm(width), width / CARD[0] / MM
    pen.rect(0, -width * CARD[1] / CARD[0], width, width * CARD[1] / CARD[0], line=HAIR)
    pen.fit(PAD * unit, -12.4 * unit, figure.kind, width - (2 * PAD + 25) * unit, 6.8 * size, bold=True)
    pen.line(PAD * unit, -13.7 * unit, width - PAD * unit, -13.7 * unit)
    _moves(pen, figure, width)
    down = _card_rolls(pen, figure.rolls, width)
    foot = width * CARD[1] / CARD[0] - 2.4 * unit - boxes
    pen.text(PAD * unit, -foot - 2.7 * unit, "Out", 6.8 * size, bold=True)
    room = foot - 0.8 * unit - down
    paragraphs = (*_paragraphs(figure.abilities), *((("", figure.notes),) if figure.notes.strip() else ()))
    for line in _lines(paragraphs, bool(figure.notes.strip()), width - 2 * PAD * unit, room, 6.6 * size):
        pen.runs(PAD * unit, -down - line.down, line.lead, line.size, bold=True)
        pen.runs(PAD * unit + line.indent, -down - line.down, line.words, line.size)


def _moves(pen: Pen, figure: Figure, width: float) -> None:
    """How far it goes and shoots: by the ruler, and in small by the paper."""
    unit, size = _mm(width), width / CARD[0] / MM
    room = width - 2 * PAD * unit
    pen.fit(PAD * unit, -17.2 * unit, moves_in_words(figure.ruler), room, 7.4 * size, bold=True)
    if figure.paper:
        more = [f"by paper {_short(figure.paper)}"]
        more += [f"initiative +{figure.paper.initiative}"] if figure.paper.initiative else []
        more += [f"carries {figure.carries}"] if figure.carries else []
        pen.fit(PAD * unit, -20.1 * unit, " · ".join(more), room, 5.8 * size, grey=SOFT * 0.6)


def moves_in_words(found: Pace | None) -> str:
    """Move, half move and range in inches."""
    if found is None:
        return "Move not known"
    reach = f" · Range {inches(found.reach)}" if found.reach else ""
    return f"Move {inches(found.move)} · Half {inches(found.half)}{reach} inches"


def _short(found: Pace) -> str:
    """The same measures, for a line that says what they are already."""
    return " · ".join(inches(each) for each in (found.move, found.half, found.reach) if each)


def _card_rolls(pen: Pen, made: Sequence[Roll], width: float) -> float:
    """The rolls of a card one below another; how far down they end."""
    unit, size = _mm(width), width / CARD[0] / MM
    notes = [roll.note if number == 0 or roll.note != made[number - 1].note else "" for number, roll in enumerate(made)]
    tall = sum(6.6 if note else 4.8 for note in notes)
    squeeze, down = min(1.0, 44 / tall), 22.0
    for roll, note in zip(made, notes, strict=True):
        baseline = down + 3.6 * squeeze
        pen.text(PAD * unit, -baseline * unit, roll.name, 7.4 * size * squeeze)
        _dice(pen, width - (PAD + 8.4) * unit, -(baseline + 0.9 * squeeze) * unit, 3.8 * unit * squeeze, roll)
        target = f"{roll.target}+"
        pen.text(width - PAD * unit, -(baseline + 0.4) * unit, target, 10 * size * squeeze, bold=True, align="right")
        if note:
            at = -(baseline + 2.3 * squeeze) * unit
            pen.fit(PAD * unit, at, note, width - 2 * PAD * unit, 5.6 * size * squeeze, grey=SOFT * 0.6)
        down += (6.6 if note else 4.8) * squeeze
        pen.line(PAD * unit, -down * unit, width - PAD * unit, -down * unit, HAIR * 0.6)
    return (down + 0.8) * unit


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
    """Each trait and power that has something to tell, then the names of those that are counted already."""
    yield from ((f"{name}.", text) for name, text in abilities if text)
    counted = [name for name, text in abilities if not text]
    if counted:
        yield "Counted above:", ", ".join(counted)


@lru_cache(maxsize=256)
def _lines(paragraphs: tuple[Paragraph, ...], noted: bool, width: float, room: float, size: float) -> tuple[Line, ...]:
    """Paragraphs as lines in a width and a height, as large as they fit; the last one is a note that may be cut.

    What does not fit at 80 % is named only: the reference panel explains it.
    """
    told, notes = (paragraphs[:-1], paragraphs[-1:]) if noted else (paragraphs, ())
    for scale in (1, 0.9, 0.8):
        lines = [line for paragraph in told for line in _wrapped(paragraph, width, size * scale)]
        if len(lines) * size * scale * LEADING <= room:
            return _placed(lines, notes, width, room, size * scale)
    names = ", ".join(part.rstrip(".") if text else part for part, text in told)
    return _placed([], (("Look up:", names), *notes), width, room, size * 0.8)


def _wrapped(paragraph: Paragraph, width: float, size: float) -> Iterator[tuple[str, str]]:
    """The lines of a paragraph; only the first has bold words."""
    lead, words = paragraph[0], " ".join(paragraph[1].split())
    first = next(wrap(words, width - _lead(lead, size), size), "")
    yield lead, first
    yield from (("", line) for line in wrap(words[len(first) :].strip(), width, size))


def _lead(lead: str, size: float) -> float:
    """The width of bold words and the space after them."""
    return ems(lead + " ", True) * size if lead else 0.0


def _placed(
    lines: list[tuple[str, str]], more: Sequence[Paragraph], width: float, room: float, size: float
) -> tuple[Line, ...]:
    """Lines at their places, and as many of ``more`` as there is room for; the last one says so when it is cut."""
    most = int(room / (size * LEADING))
    rest = (line for paragraph in more for line in _wrapped(paragraph, width, size))
    lines = [*lines, *islice(rest, max(most - len(lines), 0))]
    if lines and next(rest, None):
        lead, words = lines[-1]
        lines[-1] = lead, cut(words + " …", width - _lead(lead, size), size) if more else words
    return tuple(
        Line(size * (ASCENT + number * LEADING), lead, _lead(lead, size), words, size)
        for number, (lead, words) in enumerate(lines)
    )


CARD_ROLLS = ("Distance attack", "… on a target in cover", "Hand to hand attack", "Armor saves", "Skill", "")
"""The rolls of a card to fill in."""


class BlankCard(NamedTuple):
    """A card to fill in by hand."""

    path: str

    def height(self, style: Style, width: float) -> float:
        return width * CARD[1] / CARD[0]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.stamp(f"blank-card-{round(width)}", x, top, lambda: _blank_card(pen, width))
        if pen.style.fillable:
            _blank_fields(pen, self.path, x, top, width)


def _blank_card(pen: Pen, width: float) -> None:
    unit, size = _mm(width), width / CARD[0] / MM
    left, right = PAD * unit, width - PAD * unit
    pen.rect(0, -CARD[1] * unit, width, CARD[1] * unit, line=HAIR)
    pen.text(left, -7 * unit, "Name", 5.8 * size, grey=SOFT)
    pen.line(left, -7.8 * unit, right, -7.8 * unit, HAIR)
    for place, kind in enumerate(play.TITLES.values()):
        pen.text(left + place * 11.5 * unit, -11.6 * unit, kind, 6.2 * size)
    for place in range(len(play.TITLES)):
        pen.rect(left + (place * 11.5 + 7.8) * unit, -11.9 * unit, 2.4 * unit, 2.4 * unit, line=HAIR)
    pen.line(left, -13.7 * unit, right, -13.7 * unit)
    for place, label in enumerate(("Move", "Half", "Range")):
        pen.text(left + place * 19.5 * unit, -18 * unit, label, 7.4 * size)
        pen.line(
            left + (place * 19.5 + 8.5) * unit, -18.6 * unit, left + (place * 19.5 + 17.5) * unit, -18.6 * unit, HAIR
        )
    for row, label in enumerate(CARD_ROLLS):
        baseline = -(25.5 + row * 5.6) * unit
        pen.text(left, baseline, label, 7.4 * size)
        pen.text(right - 18 * unit, baseline, "d", 7.4 * size, align="right")
        pen.line(right - 17.6 * unit, baseline - 0.5 * unit, right - 11 * unit, baseline - 0.5 * unit, HAIR)
        pen.line(right - 9 * unit, baseline - 0.5 * unit, right - 2.4 * unit, baseline - 0.5 * unit, HAIR)
        pen.text(right, baseline, "+", 7.4 * size, bold=True, align="right")
    pen.text(left, -60.2 * unit, "Traits and powers", 5.8 * size, grey=SOFT)
    for row in range(4):
        pen.line(left, -(65 + row * 5.4) * unit, right, -(65 + row * 5.4) * unit, HAIR)
    pen.text(left, -85 * unit, "Out", 6.8 * size, bold=True)
    for place in range(10):
        pen.rect(left + (7 + place * 3.9 + place // 5 * 1.6) * unit, -85.4 * unit, 3.2 * unit, 3.2 * unit)


def _blank_fields(pen: Pen, path: str, x: float, top: float, width: float) -> None:
    unit = _mm(width)
    left, right = x + PAD * unit, x + width - PAD * unit
    pen.field(f"{path}.name", left + 8 * unit, top - 7.6 * unit, right - left - 8 * unit, 4.6 * unit)
    for place, kind in enumerate(play.TITLES):
        at = left + (place * 11.5 + 7.8) * unit
        pen.check(f"{path}.kind.{kind}", at, top - 11.9 * unit, 2.4 * unit, 2.4 * unit)
    for place, label in enumerate(("move", "half", "range")):
        pen.field(f"{path}.{label}", left + (place * 19.5 + 8.5) * unit, top - 18.4 * unit, 9 * unit, 4 * unit)
    for row in range(len(CARD_ROLLS)):
        bottom = top - (25.8 + row * 5.6) * unit
        pen.field(f"{path}.die.{row}", right - 17.6 * unit, bottom, 6.6 * unit, 4 * unit)
        pen.field(f"{path}.target.{row}", right - 9 * unit, bottom, 6.6 * unit, 4 * unit)
    for row in range(4):
        pen.field(f"{path}.trait.{row}", left, top - (64.8 + row * 5.4) * unit, right - left, 4.6 * unit)
    for place in range(10):
        at = left + (7 + place * 3.9 + place // 5 * 1.6) * unit
        pen.check(f"{path}.out.{place}", at, top - 85.4 * unit, 3.2 * unit, 3.2 * unit)


def cards(job: Job) -> Iterator[Grid]:
    """Figure cards of 63 by 88 mm: nine a page, four on a half sheet or in large print."""
    scale = LARGE_CARD if job.settings.large else 1.0
    cell = CARD[0] * MM * scale, CARD[1] * MM * scale
    blocks: Iterator[tuple[str, Block]] = ((figure.warband, Card(figure)) for figure in figures(job))
    if job.blank:
        blocks = (("", BlankCard(f"blank{number}")) for number in range(_cards_a_page(job)))
    yield Grid("Figure cards", blocks, cell=cell)


def _cards_a_page(job: Job) -> int:
    if job.settings.large:
        return 1 if job.settings.paper == "a5" else 4
    return 4 if job.settings.paper == "a5" else 9


# ---------------------------------------------------------------- the list

LIST_LABELS = ("Distance", "In cover", "Hand to hand", "Armor", "Skill")
BLANK_ROWS = 20


def force_table(job: Job) -> Iterator[Section]:
    """The cards' facts as a table: a row a figure, with a box for each model."""
    land = job.settings.large or job.settings.paper == "a5"
    groups = _blank_table(job) if job.blank else _list_groups(job, frame(job.settings.paper, landscape=land)[0])
    yield Section("Figure list", groups, landscape=land)


def _list_columns(job: Job) -> tuple[Column, ...]:
    worth = (Column(job.points.capitalize(), 1.9, "right"),) if job.points else ()
    rolled = (Column(label, 1.5) for label in LIST_LABELS)
    return (Column("Out", 2.1), Column("Figure", 4.4, bold=True), Column("Move, half, range", 2.3), *rolled, *worth)


def _list_groups(job: Job, width: float) -> Iterator[Group]:
    columns = _list_columns(job)
    for number, formation, _ in job.formations():
        found = (figure for entry in job.entries(number) for figure in _figures(job, entry, formation.name))
        rows = (block for figure in found for block in _list_row(job, columns, figure, width))
        title = formation.name or job.words.formation
        yield Group(rows, Stack((Heading(title, "", 1.15), Heads(columns))), title)


def _list_row(job: Job, columns: tuple[Column, ...], figure: Figure, width: float) -> Iterator[Block]:
    boxes = Boxes(tuple(out for _, out in figure.boxes), names=tuple(name for name, _ in figure.boxes))
    by_kind = {_list_place(roll): roll for roll in reversed(figure.rolls) if _list_place(roll)}
    rolled: list[Content] = [_roll_cell(by_kind[label]) if label in by_kind else "–" for label in LIST_LABELS]
    name = " ".join(part for part in (figure.name, figure.number) if part)
    goes = _short(figure.ruler) if figure.ruler else "–"
    worth = (figure.points.removesuffix(job.points).strip(),) if job.points else ()
    main = Row(columns, (boxes.cell(), name, goes, *rolled, *worth), lines=3, rule=0)
    below = [*prose(_described(figure), job.style, width, 0.82, grey=0.25)]
    yield Stack((main, *below[:4]))
    yield from below[4:]
    yield from prose(figure.notes, job.style, width, 0.82, grey=0.25)
    yield Drawing(job.style.line * 0.3, lambda pen, x, top, wide: pen.line(x, top - 1, x + wide, top - 1, HAIR))


def _described(figure: Figure) -> str:
    """What it is, and its rolls that have no column."""
    others = [f"{roll.name} {roll.target}+" for roll in figure.rolls if not _list_place(roll) and roll.die == 6]
    return ". ".join([figure.description, *(["Rolls: " + ", ".join(others)] if others else [])])


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
        size = pen.style.body
        side = size * 1.12
        right = x + side * (1.16 + 1.25 * (roll.dice - 1))
        _dice(pen, right, top - side * 1.12, side, roll)
        pen.text(right + side * 0.35, top - size * 1.02, f"{roll.target}+", size * 1.08, bold=True)

    return Cell(lambda style, width: style.body * 1.4, paint)


def _blank_table(job: Job) -> Iterator[Group]:
    columns = _list_columns(job)
    rows = [
        Row(columns, tuple(written(f"list.r{row}.c{column}") for column in range(len(columns))), least=2.2)
        for row in range(BLANK_ROWS)
    ]
    yield Group(rows, Stack((Heading("Figures", "", 1.15), Heads(columns))))


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
    REFERENCE,
)
