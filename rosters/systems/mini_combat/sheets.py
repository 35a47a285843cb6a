"""The sheets of Mini Combat: unit sheets, element cards, and templates and a ruler at true scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import acos, cos, pi, radians, sin
from typing import NamedTuple, cast

from rosters.core.messages import Message, _, join, join_names, ngettext
from rosters.pdf.blocks import (
    GAP,
    BlankLine,
    Block,
    Boxes,
    Cell,
    Column,
    Drawing,
    Heading,
    Paragraph,
    Row,
    Space,
    Stack,
    TableHead,
    fill_in_cell,
    text_lines,
)
from rosters.pdf.canvas import HAIR, LINE, MM, Align, Ink, Pen, Style
from rosters.pdf.fonts import ASCENT, BOLD, REGULAR, ems
from rosters.pdf.job import Choice, Job, PrintedElement, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.pdf.text import ELLIPSIS, LEADING, FittedText, fit_text
from rosters.systems.mini_combat.play import lost_models, survives, unit_name, unit_size
from rosters.systems.mini_combat.rules import (
    Element,
    Modifier,
    capability_name,
    capability_text,
    form_of,
    number_text,
)
from rosters.systems.mini_combat.tables import (
    COMMAND_NOTE,
    DENIAL_RANGES,
    KIND_NOTES,
    KINDS,
    SCATTERS,
    SHORT,
    STAT_LETTERS,
    STATS,
    TEMPLATES,
)

CHOICES = {"capabilities": Choice(_("Abilities"), {"short": _("In short"), "full": _("In full")})}

MAX_UNIT_BOXES = 60
"""A larger unit has a line for its losses instead of boxes."""
MAX_BOXES_BESIDE, BOXES_PER_BLOCK = 40, 100
"""The most boxes beside an element's text; more follow below it, in blocks."""
MAX_MORALES = 3
"""A unit of more different morales, or of more names with one morale, does not list them."""
MAX_LINES_BESIDE = 14
"""The most lines of text beside an element's boxes; longer text follows below."""
MAX_NOTES_BESIDE = 240
"""Longer notes of an element, in characters, follow below."""
MAX_UNSPLIT_BLOCKS, MAX_UNSPLIT_SHARE = 12, 0.6
"""A unit up to this number of blocks and this share of a page is not split over pages."""
SMALL = 0.9
"""The scale of an element's text."""


# ---------------------------------------------------------------- an element as text


def element_of(entry: PrintedElement) -> Element:
    return cast(Element, entry.element)


def stat_texts(element: Element) -> tuple[str, ...]:
    """The seven stats in the order of the rulebook; a dash for no attack, no save and fearless."""
    stats = element.stats

    def target(number: int, none: int) -> str:
        return "–" if number == none else f"{number_text(number)}+"

    return (
        number_text(stats.movement),
        _("auto") if stats.to_hit == 0 else target(stats.to_hit, 7),
        number_text(stats.range),
        target(stats.save, 7),
        number_text(stats.power),
        number_text(stats.armor),
        target(stats.morale, 1),
    )


def notes_of(element: Element) -> Message:
    """The free rules of an element: its kind, command, fearless."""
    parts: list[str] = []
    if element.kind != "other":
        parts.append(_("{kind}.").format(kind=KINDS[element.kind]))
    if element.kind in KIND_NOTES:
        parts.append(KIND_NOTES[element.kind])
    if element.command:
        parts.append(COMMAND_NOTE)
    if element.stats.morale == 1:
        parts.append(_("Fearless: never tests morale."))
    return join(parts, " ")


def in_full(job: Job) -> bool:
    """Whether abilities are printed in full."""
    return job.choice("capabilities", "short") == "full"


def ability_text(modifier: Modifier, *, full: bool) -> str:
    """The rule of a capability in its variant, in short or in full."""
    if full or modifier.row is None:
        return capability_text(modifier)
    code, denied = modifier.row.code, modifier.denied
    parts: list[str] = []
    if denied:
        parts.append(_("The enemy cannot use {ability}.").format(ability=denied.name))
        parts += filter(None, [DENIAL_RANGES.get(denied.code)])
    elif code == "MW":
        text = ngettext("{n} roll to hit.", "{n} rolls to hit.", modifier.counted)
        parts.append(text.format(n=number_text(modifier.counted)))
    else:
        if code == "T":
            parts.append(_("Carries {n}.").format(n=number_text(modifier.counted)))
        parts.append(SHORT[form_of(modifier) or code])
    if modifier.scatters:
        parts.append(SCATTERS)
    if modifier.on is not None:
        parts.append(_("Works on {n}+.").format(n=modifier.on))
    return join(parts, " ")


def text_blocks(element: Element, *, full: bool, scale: float = SMALL) -> Iterator[Block]:
    """The free rules and the abilities, a paragraph each."""
    if notes := notes_of(element):
        yield Paragraph(notes, scale)
    for modifier in element.capabilities:
        lead = _("{ability}:").format(ability=capability_name(modifier))
        yield Paragraph(ability_text(modifier, full=full), scale, lead=lead)


# ---------------------------------------------------------------- blocks of a unit


class Title(NamedTuple):
    """A unit's name in full, however long, and its points on the right."""

    name: str
    points: str

    def _fitted(self, style: Style, width: float) -> FittedText:
        return fit_text(self.name, width * (0.72 if self.points else 1), style.body * 1.2, 6, face=BOLD)

    def height(self, style: Style, width: float) -> float:
        return self._fitted(style, width).height + style.body * 0.35

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.body * 1.2
        pen.lines(x, top, self._fitted(pen.style, width), face=BOLD, ink="deep")
        small = min(size * 0.85, width * 0.26 / max(ems(self.points, BOLD), 0.1))
        pen.runs(x + width, top - size * ASCENT, self.points, small, face=BOLD, align="right")
        bottom = top - self.height(pen.style, width) + 1
        pen.line(x, bottom, x + width, bottom, LINE)


class Labelled(NamedTuple):
    """A block with a bold label before it."""

    label: str
    block: Block

    def _label_width(self, style: Style) -> float:
        return (ems(self.label, BOLD) + ems("  ", BOLD)) * style.small

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width - self._label_width(style))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        indent, size = self._label_width(pen.style), pen.style.small
        pen.runs(x, top - pen.style.line * 0.53 - size * 0.345, self.label, size, face=BOLD)
        self.block.draw(pen, x + indent, top, width - indent)


def cell(block: Block) -> Cell:
    """A block as a cell of a table."""
    return Cell(block.height, lambda pen, x, top, width, height: block.draw(pen, x, top, width))


def number_cell(text: str, align: Align = "centre") -> Cell:
    """A number on one line, shrunk to fit, because a number must not be cut off."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        left = x + (width / 2 if align == "centre" else width)
        size = min(pen.style.body, width / max(ems(text), 0.1))
        pen.runs(left, top - pen.style.body * ASCENT, text, size, align=align)

    return Cell(lambda style, width: style.line, paint)


NAME_SHARE, STAT_SHARE, POINTS_SHARE = 4.8, 1.0, 1.4


def columns(job: Job) -> tuple[Column, ...]:
    """Name, the seven stats, and points unless they are hidden."""
    points = (Column(_("each"), POINTS_SHARE, "right"),) if job.points else ()
    stats = (Column(head, STAT_SHARE, "centre") for head in _stat_heads(job))
    return (Column(job.words.element, NAME_SHARE, face=BOLD), *stats, *points)


def _stat_heads(job: Job) -> tuple[str, ...]:
    """The names of the stats if the columns are wide enough, else their letters."""
    total = NAME_SHARE + 7 * STAT_SHARE + (POINTS_SHARE if job.points else 0)
    room = frame(job.options.paper)[0] * STAT_SHARE / total - GAP
    fit = all(ems(name, BOLD) * job.style.small <= room for name in STATS.values())
    return tuple(STATS.values()) if fit else STAT_LETTERS


def halves(job: Job) -> tuple[Column, Column]:
    """Columns for boxes under the name and text under the stats."""
    return Column("", NAME_SHARE), Column("", 7 * STAT_SHARE + (POINTS_SHARE if job.points else 0))


def left_half(job: Job) -> float:
    """The width under a name."""
    left, right = halves(job)
    return frame(job.options.paper)[0] * left.share / (left.share + right.share) - GAP


def legend(job: Job) -> Paragraph:
    """How to read the stats, at the top of the sheet."""
    text = _(
        "Movement and range in cm; range 0 is melee. To hit, save and morale: roll this number or more on a D6; "
        "– is none. Mark a box for each lost element, and one in the row of its unit. Remove a unit that fails its "
        "morale test."
    )
    if _stat_heads(job) == STAT_LETTERS:
        letters = zip(STAT_LETTERS, STATS.values(), strict=True)
        names = join(_("{letter} {stat}").format(letter=letter, stat=stat) for letter, stat in letters)
        text = join([_("{names}.").format(names=names), text], " ")
    return Paragraph(text, 0.85, ink="soft")


# ---------------------------------------------------------------- unit sheets


def units(job: Job) -> Iterator[Section]:
    """A block for each unit: its losses with the morale test, and every element with its boxes."""
    yield Section(_("Units"), _blank_units(job) if job.blank else _units(job))


def _units(job: Job) -> Iterator[Group]:
    yield Group([legend(job)])
    for index, unit, priced in job.formations():
        name = unit_name(unit, index)
        points = _points(job, job.amount(priced.points))
        head = Stack((Space(0.8), Title(name, points), TableHead(columns(job))))
        yield Group(_keep_together(job, _unit_blocks(job, index)), head, name)


def _points(job: Job, amount: str) -> str:
    return _("{amount} {points}").format(amount=amount, points=job.points) if job.points else ""


def _keep_together(job: Job, blocks: Iterator[Block]) -> Iterator[Block]:
    """A small unit as one block; the blocks of a large one as they are."""
    first = tuple(islice(blocks, MAX_UNSPLIT_BLOCKS + 1))
    width, height = frame(job.options.paper)
    stack = Stack(first)
    if len(first) <= MAX_UNSPLIT_BLOCKS and stack.height(job.style, width) <= height * MAX_UNSPLIT_SHARE:
        yield stack
        return
    yield from first
    yield from blocks


def _unit_blocks(job: Job, index: int) -> Iterator[Block]:
    unit, priced = job.document.formations[index], job.appraisal.formations[index]
    if unit.notes.strip():
        yield from text_lines(unit.notes, job.style, frame(job.options.paper)[0], SMALL, ink="soft")
        yield Space(0.2)
    lost = len([model for element in unit.elements for model in lost_models(element)]) if job.options.marks else 0
    left = [e for e in unit.elements if e.quantity and (survives(e) or not job.options.marks)]
    strip = _losses(job, f"f{index}", (unit_size(unit), int(priced.facts["morale_test_at"]), lost), morale_text(left))
    elements = (block for entry in job.entries(index) for block in _element_blocks(job, entry))
    yield Stack((strip, *islice(elements, 1)))
    yield from elements


def _losses(job: Job, path: str, numbers: tuple[int, int, int], morale: str) -> Block:
    """A box for each element of a unit, with a bar at the morale test. ``numbers``: all, those at the test, lost."""
    models, test, lost = numbers
    if models <= 1:
        text = _("One element: when it is lost, the unit is destroyed without a test.") if models else _("No elements.")
        return Row((Column("", 1),), (cell(Paragraph(text, SMALL, ink="soft")),))
    text = _("{n} of {total} lost. {morale}").format(n=test, total=models, morale=morale)
    words = cell(Paragraph(text, SMALL, lead=_("Morale test at")))
    if models > MAX_UNIT_BOXES:
        blank = BlankLine(_("Lost of {total}:").format(total=models), f"{path}.lost", SMALL)
        return Row(halves(job), (cell(blank), words), rule=LINE)
    names = tuple(f"{path}.lost.{n}" for n in range(models))
    row = Labelled(_("Lost"), Boxes(tuple(n < lost for n in range(models)), test, names))
    if row.height(job.style, left_half(job)) <= 1.1 * job.style.line:
        return Row(halves(job), (cell(row), words), rule=LINE)
    full_width = (Column("", 1),)
    return Stack((Row(full_width, (cell(row),), rule=0), Row(full_width, (words,), rule=LINE)))


def morale_text(elements: Iterable[Element]) -> Message:
    """The target of a unit's morale test: the best morale left, and whose it is."""
    owners: dict[int, list[str]] = {}
    for element in sorted(elements, key=lambda element: element.stats.morale):
        owners.setdefault(min(7, max(1, element.stats.morale)), []).append(element.name or _("its best element"))
    if not owners:
        return _("All are lost: the unit is destroyed.")
    best, last = min(owners), max(owners)
    if len(owners) == 1 and best == 1:
        return _("Fearless: it holds without a roll.")
    if len(owners) == 1 and best == 7:
        return _("No D6 reaches its morale: it fails.")
    if len(owners) == 1:
        return _("Holds on {target}.").format(target=_target(best))
    if len(owners) > MAX_MORALES or any(len({*names}) > MAX_MORALES for names in owners.values()):
        return _("Holds on {target} at first, then on the best morale left.").format(target=_target(best))
    steps = []
    for morale in [*owners][:-1]:
        names = [*dict.fromkeys(owners[morale])]
        text = _("{target} while {names} is left") if len(names) == 1 else _("{target} while one of {names} is left")
        steps.append(text.format(target=_target(morale), names=join_names(names)))
    return _("Holds on {steps}, then on {target}.").format(steps=join(steps), target=_target(last))


def _target(morale: int) -> str:
    return _("any roll") if morale == 1 else _("no roll") if morale == 7 else f"{morale}+"


def _element_blocks(job: Job, entry: PrintedElement) -> Iterator[Block]:
    """Name and stats; below them boxes, with text beside them or, if there is much, after them."""
    element, width, boxes = element_of(entry), frame(job.options.paper)[0], DamageBoxes(job, entry, 0, entry.quantity)
    notes = element.notes.strip() and len(element.notes) <= MAX_NOTES_BESIDE
    blocks = (
        *text_blocks(element, full=in_full(job)),
        *([Paragraph(element.notes, SMALL, ink="soft")] if notes else []),
    )
    text = Stack(tuple(blocks))
    few = entry.quantity <= MAX_BOXES_BESIDE and boxes.height(job.style, left_half(job)) <= 2.2 * job.style.line
    short = text.height(job.style, width - left_half(job) - 2 * GAP) <= MAX_LINES_BESIDE * job.style.line
    cells = (cell(boxes) if few and entry.quantity else "", cell(text) if short else "")
    below = (Row(halves(job), cells, rule=HAIR if few and short else 0),) if any(cells) else ()
    yield Stack((_stats_row(job, entry), *below))
    if not few:
        for first in range(0, entry.quantity, BOXES_PER_BLOCK):
            yield DamageBoxes(job, entry, first, min(BOXES_PER_BLOCK, entry.quantity - first))
    if not short:
        yield from text.blocks
    if len(element.notes) > MAX_NOTES_BESIDE:
        yield from text_lines(element.notes, job.style, width, SMALL, ink="soft")


def _stats_row(job: Job, entry: PrintedElement) -> Row:
    name = entry.name or job.words.element
    if entry.quantity != 1:
        name = _("{name} × {n}").format(name=name, n=entry.quantity)
    points = (number_cell(job.amount(entry.priced.each), "right"),) if job.points else ()
    stats = map(number_cell, stat_texts(element_of(entry)))
    return Row(columns(job), (name, *stats, *points), lines=9, rule=0)


class DamageBoxes(NamedTuple):
    """A box for each of ``number`` models of an entry from ``first`` on. Layout needs only the height."""

    job: Job
    entry: PrintedElement
    first: int
    number: int

    def height(self, style: Style, width: float) -> float:
        return Boxes((False,) * self.number).height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        track = self.job.tracks(self.entry.element)[0]
        models = tuple(islice(self.entry.models, self.first, self.first + self.number))
        marked = tuple(self.job.marked(track, model.mark)[0] for model in models)
        Boxes(marked, names=tuple(f"{model.path}.{track.key}.0" for model in models)).draw(pen, x, top, width)


# ---------------------------------------------------------------- blank unit sheets

BLANK_BOXES, BLANK_ELEMENTS = 20, 2


def _blank_units(job: Job) -> Iterator[Group]:
    """As many empty units as fit on a page."""
    width, height = frame(job.options.paper)
    rules = legend(job)
    room = height - rules.height(job.style, width)
    tall = _blank_unit(job, 0).height(job.style, width)
    yield Group([rules, *(_blank_unit(job, number) for number in range(max(1, int(room / tall))))])


def _blank_unit(job: Job, number: int) -> Block:
    path = f"blank{number}"
    row = Boxes((False,) * BLANK_BOXES, names=tuple(f"{path}.lost.{box}" for box in range(BLANK_BOXES)))
    text = _("half of its elements lost, rounded up. Draw a bar after that box.")
    rule = Paragraph(text, SMALL, lead=_("Morale test at"))
    strip = Row(halves(job), (cell(Labelled(_("Lost"), row)), cell(rule)), rule=LINE)
    title = BlankLine(_("{label}:").format(label=job.words.formation), f"{path}.name", 1.1)
    return Stack((Space(0.5), title, TableHead(columns(job)), strip, *_blank_elements(job, path)))


def _blank_elements(job: Job, path: str) -> Iterator[Block]:
    for number in range(BLANK_ELEMENTS):
        own = f"{path}.e{number}"
        stats = (_slot(f"{own}.{letter.lower()}") for letter in STAT_LETTERS)
        points = (_slot(f"{own}.each"),) if job.points else ()
        yield Row(columns(job), (fill_in_cell(f"{own}.name"), *stats, *points), min_lines=1.6)
        open_boxes = Boxes((False,) * 10, names=tuple(f"{own}.m{box}.out.0" for box in range(10)))
        words = BlankLine(_("Abilities:"), f"{own}.capabilities", 0.82)
        yield Row(halves(job), (cell(open_boxes), cell(words)), rule=LINE)


def _slot(name: str) -> Cell:
    """A place for a number, with a line on its left."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.line(x - GAP / 2, top, x - GAP / 2, top - height, HAIR)
        pen.field(name, x, top - height, width, height)

    return Cell(lambda style, width: style.line * 1.25, paint)


# ---------------------------------------------------------------- element cards

CARD = (63 * MM, 88 * MM)
"""Width and height of a card, for common card sleeves."""
MAX_CARD_BOXES = 30
"""A card of more elements has their number, and boxes are on the unit sheet."""
CARD_BLANK_BOXES = 10
CARD_SCALES = (1.0, SMALL, 0.82, 0.76, 0.7)
"""Scales of a card's text; the first that fits is used."""


class Card(NamedTuple):
    """A card: name and unit, the seven stats, text as large as fits, and a box for each element."""

    job: Job
    entry: PrintedElement | None
    unit: str
    test: str = ""
    path: str = ""

    def height(self, style: Style, width: float) -> float:
        return CARD[1]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.rect(x, top - CARD[1], width, CARD[1], line=HAIR)
        pad = 3 * MM
        left, inner = x + pad, width - 2 * pad
        boxes, bottom = self._boxes(), top - CARD[1] + pad * 0.8
        floor = bottom + boxes.height(pen.style, inner)
        boxes.draw(pen, left, floor, inner)
        below = _card_head(pen, self, left, top - pad, inner)
        below = _card_stats(pen, self, left, below, inner)
        room = below - floor - pen.style.body * 0.3
        if self.entry:
            _card_words(pen, self, element_of(self.entry), left, below, inner, room)
        else:
            _card_lines(pen, self.path, left, below, inner, room)

    def _boxes(self) -> Block:
        if self.entry is None:
            names = tuple(f"{self.path}.m{box}.out.0" for box in range(CARD_BLANK_BOXES))
            return Labelled(_("Lost"), Boxes((False,) * CARD_BLANK_BOXES, names=names))
        if not self.entry.quantity:
            return Paragraph(_("No elements."), SMALL)
        if self.entry.quantity > MAX_CARD_BOXES:
            text = ngettext(
                "{n} element: use the unit sheet.", "{n} elements: use the unit sheet.", self.entry.quantity
            )
            return Paragraph(text.format(n=self.entry.quantity), SMALL)
        return Labelled(_("Lost"), DamageBoxes(self.job, self.entry, 0, self.entry.quantity))


def _card_head(pen: Pen, card: Card, x: float, top: float, width: float) -> float:
    """Draw name and points, then the unit; returns the new top."""
    body = pen.style.body
    if card.entry is None:
        pen.line(x, top - body * 1.5, x + width, top - body * 1.5, HAIR)
        pen.field(f"{card.path}.name", x, top - body * 1.5, width, body * 1.5)
        pen.text(x, top - body * 2.4, _("Element"), body * 0.72, ink="soft")
        return top - body * 2.8
    points = _points(card.job, card.job.amount(card.entry.priced.each))
    name = fit_name(card.entry.name or card.job.words.element, width * (0.7 if points else 1), body * 1.2)
    pen.lines(x, top, name, face=BOLD, ink="deep")
    size = min(body * 0.85, width * 0.28 / max(ems(points), 0.1))
    pen.runs(x + width, top - body * 1.1, points, size, align="right")
    unit = fit_name(card.unit, width, body * 0.85, face=REGULAR)
    pen.lines(x, top - name.height, unit, ink="soft")
    return top - name.height - unit.height - body * 0.2


def fit_name(name: str, width: float, size: float, face: str = BOLD) -> FittedText:
    """A name on a few lines, as small as needed to fit in full."""
    for scale in (1.0, 0.8, 0.65, 0.5):
        text = fit_text(name, width, size * scale, 2 + (scale < 1) + 3 * (scale < 0.8), face)
        if not text.lines or not text.lines[-1].endswith(ELLIPSIS):
            break
    return text


def _card_stats(pen: Pen, card: Card, x: float, top: float, width: float) -> float:
    """Draw movement to save, then power to morale and the quantity; returns the new top."""
    body = pen.style.body
    wide, tall = width / 4, body * 2.35
    values = (*stat_texts(element_of(card.entry)), str(card.entry.quantity)) if card.entry else ("",) * 8
    for row in (0, 1):
        pen.shade(x, top - row * tall - body * 0.9, width, body * 0.9)
    labels = {**STATS, "elements": _("Elements")}
    for number, ((field, label), value) in enumerate(zip(labels.items(), values, strict=True)):
        left, bottom = x + number % 4 * wide, top - (number // 4 + 1) * tall
        pen.rect(left, bottom, wide, tall, line=HAIR)
        pen.fit(left + 1, bottom + tall - body * 0.68, label, wide - 2, body * 0.7, align="centre")
        size = min(body * 1.25, (wide - 4) / max(ems(value, BOLD), 0.1))
        pen.runs(left + wide / 2, bottom + body * 0.35, value, size, face=BOLD, align="centre")
        if card.entry is None:
            pen.field(f"{card.path}.{field}", left, bottom, wide, tall - body * 0.9)
    return top - 2 * tall - body * 0.4


def _card_lines(pen: Pen, path: str, x: float, top: float, width: float, room: float) -> None:
    """Blank lines for abilities."""
    step = pen.style.body * 1.7
    for number in range(int(room / step)):
        y = top - (number + 1) * step
        pen.line(x, y, x + width, y, HAIR)
        pen.field(f"{path}.capabilities.{number}", x, y, width, step)


def _card_words(pen: Pen, card: Card, element: Element, x: float, top: float, width: float, room: float) -> None:
    """Draw kind, abilities, the unit's morale test and notes, with as much text and as large as fits."""
    options = [(full, scale) for full in (True, False) for scale in CARD_SCALES if in_full(card.job) or not full]
    for full, scale in options:
        test = (Paragraph(card.test, scale),) if card.test else ()
        text = _spaced((*text_blocks(element, full=full, scale=scale), *test))
        height = text.height(pen.style, width)
        if height <= room:
            text.draw(pen, x, top, width)
            _draw_within(pen, element.notes, (x, top - height - 3, width, room - height - 3), scale * 0.9, ink="soft")
            return
    parts = (notes_of(element), *map(capability_name, element.capabilities))
    _draw_within(pen, join(filter(None, parts), " · "), (x, top, width, room), 0.8)


def _spaced(paragraphs: Iterable[Block]) -> Stack:
    return Stack(tuple(block for paragraph in paragraphs for block in (paragraph, Space(0.18))))


def _draw_within(pen: Pen, words: str, area: tuple[float, float, float, float], scale: float, ink: Ink = "ink") -> None:
    """Draw text within an area, smaller if needed; what does not fit in the smallest size is cut off."""
    x, top, width, height = area
    for size in (pen.style.body * scale, pen.style.body * scale * 0.8, pen.style.body * 0.56):
        lines = int(height / (size * LEADING))
        if words.strip() and lines > 0:
            text = fit_text(words, width, size, lines)
            if text.size == size or size == pen.style.body * 0.56:
                pen.lines(x, top, text, ink=ink)
                return


def cards(job: Job) -> Iterator[Grid]:
    """A card for each entry, 63 × 88 mm, to cut out."""
    yield Grid(_("Element cards"), _blank_cards(job) if job.blank else _cards(job), cell=CARD)


def _cards(job: Job) -> Iterator[tuple[str, Block]]:
    for index, unit, priced in job.formations():
        name, models, test = unit_name(unit, index), unit_size(unit), ""
        if models > 1:
            text = _("The unit tests morale at {n} of {total} lost.")
            test = text.format(n=priced.facts["morale_test_at"], total=models)
        for entry in job.entries(index):
            yield name, Card(job, entry, name, test)


def _blank_cards(job: Job) -> Iterator[tuple[str, Block]]:
    """A page of cards."""
    number = 4 if job.options.paper == "a5" else 9
    yield from (("", Card(job, None, "", path=f"card{index}")) for index in range(number))


# ---------------------------------------------------------------- templates and rulers at true scale

BIG, LITTLE = 50 * MM, 25 * MM
"""Radii of the round templates."""
CONE = (30 * MM, 100 * MM)
"""Width and length of the cone."""
SPACING = 2.5 * MM
SCALE_HEIGHT, CHECK_HEIGHT = 10 * MM, 17 * MM
"""The height of a ruler's ticks and numbers, and of the ruler that checks the page, with its text."""
USES = (
    (
        _("Blast."),
        _(
            "Everything under a template is attacked, friends too, with a roll to hit each; then save and damage as "
            "usual. At range 0 it is placed over the attacker, who is not attacked."
        ),
    ),
    (_("Bombardment."), _("Uses the 10 cm template; targets have armor −2.")),
    (_("Cone."), _("Its point touches the attacker's base at range 0; with more range it can lie farther away.")),
    (
        _("Scatter."),
        _(
            "Mark the point. A D12, read as a clock face, gives the direction and 2D6 the distance in cm; a double is "
            "on target."
        ),
    ),
)


class Shape(NamedTuple):
    """A template in a rectangle: ``draw(pen, left, bottom)``."""

    width: float
    height: float
    draw: Callable[[Pen, float, float], None]


def templates(job: Job) -> Iterator[Section]:
    """Both blast templates and the cone, with a ruler to check them; two sets if they fit on the page."""
    width, height = frame(job.options.paper)
    drawing = Drawing(height, lambda pen, x, top, wide: _templates(pen, x, top, width, height))
    yield Section(_("Templates"), [Group([drawing])])


def _templates(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    head = Heading(_("Templates"), _("actual size"))
    head.draw(pen, x, top, width)
    below, bottom = top - head.height(pen.style, width) - 1 * MM, top - height + CHECK_HEIGHT
    rows = _template_rows(width)
    left, free = x, width
    if len(rows) == 1:
        twice = 2 * _row_height(rows[0]) + _uses(1.0).height(pen.style, width)
        for row in rows * (2 if twice <= below - bottom else 1):
            below = _draw_row(pen, row, x + (width - _row_width(row)) / 2, below)
    else:
        below = _draw_row(pen, rows[0], x, below)
        _draw_row(pen, rows[1], x, below)
        taken = _row_width(rows[1]) + 2 * SPACING
        left, free = x + taken, width - taken
    scales = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
    fit = (scale for scale in scales if _uses(scale).height(pen.style, free) <= below - bottom)
    _uses(next(fit, 0.4)).draw(pen, left, below, free)
    _scale(pen, x + (width - 100 * MM) / 2, bottom - 2 * MM, 10)
    text = _("Print at actual size (100 %), not fitted to the page: from 0 to 10 this ruler is 10 cm long.")
    pen.fit(x, top - height + 1 * MM, text, width, pen.style.small, align="centre")


def _row_width(row: list[Shape]) -> float:
    first, *others = row
    return first.width + (SPACING + _row_width(others) if others else 0)


def _row_height(row: list[Shape]) -> float:
    return max(shape.height for shape in row) + SPACING


def _draw_row(pen: Pen, row: list[Shape], left: float, top: float) -> float:
    """Draw shapes side by side; returns the new top."""
    for shape in row:
        shape.draw(pen, left, top - shape.height)
        left += shape.width + SPACING
    return top - _row_height(row)


def _template_rows(width: float) -> list[list[Shape]]:
    """One set in a row or, on narrow paper, in two."""
    big = Shape(2 * BIG, 2 * BIG, lambda pen, x, y: _round(pen, x, y, BIG, _("10 cm"), "10c, Bmb"))
    cone = Shape(*CONE, _cone)
    little = Shape(2 * LITTLE, 2 * LITTLE, lambda pen, x, y: _round(pen, x, y, LITTLE, _("5 cm"), "5c"))
    row = [big, cone, little]
    return [row] if _row_width(row) <= width else [[big, cone], [little]]


def _round(pen: Pen, x: float, y: float, radius: float, name: str, codes: str) -> None:
    """A round template with its center, and the hours of a clock face for scatter."""
    middle, center, size = x + radius, y + radius, 9.0
    pen.circle(middle, center, radius)
    for hour in range(1, 13):
        across, up = sin(hour * pi / 6), cos(hour * pi / 6)
        pen.line(
            *(middle + across * radius, center + up * radius),
            *(middle + across * (radius - 2 * MM), center + up * (radius - 2 * MM)),
            HAIR,
        )
        reach = radius - 4.5 * MM
        pen.text(middle + across * reach, center + up * reach - 2.2, str(hour), 6.5, align="centre", ink="soft")
    for way in ((2 * MM, 0), (0, 2 * MM)):
        pen.line(middle - way[0], center - way[1], middle + way[0], center + way[1], LINE)
    pen.text(middle, center + 4 * MM, name, size * 1.2, face=BOLD, align="centre")
    pen.text(middle, center - 6.5 * MM, codes, size * 0.85, align="centre", ink="soft")


def _cone(pen: Pen, x: float, y: float) -> None:
    """A teardrop with its point at the bottom: two tangents to a circle as wide as the cone."""
    radius, length = CONE[0] / 2, CONE[1]
    middle, center = x + radius, y + length - radius
    opening = acos(radius / (length - radius))
    steps = 120
    turns = (-pi / 2 + opening + step * 2 * (pi - opening) / steps for step in range(steps + 1))
    arc = [(middle + radius * cos(turn), center + radius * sin(turn)) for turn in turns]
    with pen.transformed(0, 0):
        pen.canvas.setLineJoin(1)  # a mitred point would be 0.7 mm too long
        pen.outline([(middle, y), *arc])
    pen.line(middle, y + 12 * MM, middle, center - 14 * MM, HAIR, dash=(2, 2))
    pen.text(middle, center + 2 * MM, _("Cone"), 10, face=BOLD, align="centre")
    pen.text(middle, center - 2.5 * MM, _("10 × 3 cm"), 9, align="centre")


def _uses(scale: float) -> Stack:
    """The rules of the templates."""
    return _spaced(Paragraph(text, scale, lead=lead) for lead, text in USES)


def _scale(pen: Pen, x: float, top: float, length: int) -> None:
    """A ruler of ``length`` cm: its edge, a tick for each mm, numbers below."""
    pen.line(x, top, x + length * 10 * MM, top, LINE)
    for tick in range(length * 10 + 1):
        long = 5.0 if tick % 10 == 0 else 3.5 if tick % 5 == 0 else 2.2
        pen.line(x + tick * MM, top, x + tick * MM, top - long * MM, LINE if tick % 10 == 0 else HAIR)
    for number in range(length + 1):
        align: Align = "left" if number == 0 else "right" if number == length else "centre"
        inwards = {"left": 2.0, "right": -2.0, "centre": 0.0}[align]
        pen.runs(x + number * 10 * MM + inwards, top - 8.5 * MM, str(number), 9, face=BOLD, align=align)


STRIP = (200 * MM, 19 * MM)
"""Length and width of the ruler strip."""
MAX_STRIPS = 4
DISTANCES = (
    (0, 5, _("5 cm: unit coherency")),
    (5, 10, _("10 cm: heal, repair, hold a marker")),
    (10, 20, _("20 cm: deploy from your own edge in a standard battle")),
)
"""Distances of the game: where each label starts and ends on the strip, in cm."""


def ruler(job: Job) -> Iterator[Section]:
    """Strips of 20 cm; on A5 a single diagonal one, because the paper is too short."""
    width, height = frame(job.options.paper, landscape=True)
    drawing = Drawing(height, lambda pen, x, top, wide: _strips(pen, x, top, width, height))
    yield Section(_("Ruler"), [Group([drawing])], landscape=True)


def _strips(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    text = _("Print at actual size (100 %), not fitted to the page. Cut along the lines.")
    head = Stack((Heading(_("Ruler, 20 cm"), _("actual size")), Paragraph(text, SMALL)))
    head.draw(pen, x, top, width)
    room = height - head.height(pen.style, width) - 4 * MM
    slant = next(angle for angle in range(90) if _spans(angle)[0] <= width and _spans(angle)[1] <= room)
    number = 1 if slant else min(MAX_STRIPS, int(room // (STRIP[1] + 4 * MM)))
    turn = radians(slant)
    across, rise = _spans(slant)
    left = x + (width - across) / 2 + STRIP[1] * sin(turn)
    below = top - height + ((room - rise) / 2 if slant else room - rise)
    for strip in range(number):
        with pen.transformed(left, below - strip * (STRIP[1] + 4 * MM), rotation=slant):
            pen.draw_cached("ruler-strip", 0, 0, lambda: _strip(pen))


def _spans(angle: int) -> tuple[float, float]:
    """Width and height of a strip rotated by ``angle`` degrees."""
    across, up = cos(radians(angle)), sin(radians(angle))
    return STRIP[0] * across + STRIP[1] * up, STRIP[0] * up + STRIP[1] * across


def _strip(pen: Pen) -> None:
    """One strip with its lower left corner at the origin: cm at the top, the game's distances at the bottom."""
    length, height = STRIP
    pen.rect(0, 0, length, height, line=HAIR)
    _scale(pen, 0, height, 20)
    for start, end, text in DISTANCES:
        pen.line(end * 10 * MM, 0, end * 10 * MM, height - SCALE_HEIGHT, HAIR)
        pen.text((start + end) * 5 * MM, 3 * MM, text, 7, align="centre")


# ---------------------------------------------------------------- sheets


def _uses_templates(job: Job) -> bool:
    """Whether an element of the roster uses a template."""
    elements = (element for _, unit, _ in job.formations() for element in unit.elements)
    return any(not element.codes.isdisjoint(TEMPLATES) for element in elements)


SHEETS = (
    ROSTER,
    Sheet(
        "units", _("Unit sheets"), _("Each unit with its stats, a box for each element, and its morale test."), units
    ),
    Sheet("cards", _("Element cards"), _("63 × 88 mm, one for each kind of element in a unit."), cards, never),
    Sheet(
        "templates",
        _("Blast templates"),
        _("5 cm, 10 cm and the cone at true scale, with a ruler to check them."),
        templates,
        _uses_templates,
        shared=True,
    ),
    Sheet("ruler", _("Ruler"), _("Strips of 20 cm to cut out, at true scale."), ruler, shared=True),
    REFERENCE,
)
