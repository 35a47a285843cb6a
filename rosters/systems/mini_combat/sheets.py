"""The sheets of Mini Combat: units with their boxes, element cards, templates and a ruler at true scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from math import acos, cos, pi, radians, sin
from typing import NamedTuple, cast

from rosters.core.appraisals import PricedFormation
from rosters.pdf.blocks import (
    GAP,
    Blank,
    Block,
    Boxes,
    Cell,
    Column,
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
from rosters.pdf.canvas import HAIR, LINE, MM, SOFT, Align, Pen, Style
from rosters.pdf.fonts import ASCENT, ems
from rosters.pdf.job import Choice, Entry, Job, Sheet, never
from rosters.pdf.layout import Grid, Group, Section, frame
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.pdf.text import ELLIPSIS, LEADING, FittedText, fit_text
from rosters.systems.mini_combat.play import out, standing
from rosters.systems.mini_combat.rules import CAPABILITIES, Element, Modifier, abbreviation
from rosters.systems.mini_combat.tables import (
    COMMANDS,
    DENIALS,
    FORMS,
    KIND_NOTES,
    SCATTERS,
    SHORT,
    STAT_LETTERS,
    STAT_NAMES,
    TEMPLATES,
)

CHOICES = {
    "capabilities": Choice("Capabilities", {"short": "In short", "full": "In full"}),
}

MOST_IN_A_ROW = 60
"""A unit of more elements has a line for its losses instead of boxes."""
BESIDE, CHUNK = 40, 100
"""Boxes beside an element's words; with more of them they follow below, so many at a time."""
ALONE = {1: "Fearless: it holds without a roll.", 7: "No D6 reaches its morale: it fails."}
"""What a test takes where all elements have the same morale, and nobody rolls."""
MOST_MORALES = 3
"""A unit of more different morales, or of more names for one, does not say whose each is."""
TALLEST_WORDS = 14
"""Lines of words beside an element's boxes; more of them follow below."""
SHORT_NOTES = 240
"""Characters of notes that stand among an element's words."""
KEPT, OF_A_PAGE = 12, 0.6
"""A unit of so many blocks or fewer stays on one page, where it takes so much of it or less."""
SMALL = 0.9
"""The scale of an element's words."""


# ---------------------------------------------------------------- an element in words


def element_of(entry: Entry) -> Element:
    return cast(Element, entry.element)


def stat_words(element: Element) -> tuple[str, ...]:
    """The seven stats in the order of the rulebook; a dash for no attack, no save and fearless."""
    stats = element.stats
    return (
        str(stats.movement),
        "auto" if stats.to_hit == 0 else _target(stats.to_hit, 7),
        str(stats.range),
        _target(stats.save, 7),
        str(stats.power),
        str(stats.armor),
        _target(stats.morale, 1),
    )


def _target(number: int, none: int) -> str:
    return "–" if number == none else f"{number}+"


def traits(element: Element) -> str:
    """What it is without paying: its kind and what that brings, command, fearless."""
    parts = [
        " ".join((f"{element.kind.title()}.", *KIND_NOTES.get(element.kind, ()))) if element.kind != "other" else "",
        f"Command: {COMMANDS}." if element.command else "",
        "Fearless: never tests." if element.stats.morale == 1 else "",
    ]
    return " ".join(part for part in parts if part)


class Ability(NamedTuple):
    """A capability in words: its name with its code, and what it does."""

    name: str
    text: str


def asks_for_all(job: Job) -> bool:
    """Capabilities are wanted in full."""
    return job.choice("capabilities", "short") == "full"


def ability(modifier: Modifier, job: Job, *, full: bool) -> Ability:
    """A capability spelled out, in short or in full."""
    rows, code = CAPABILITIES, modifier.code
    if code is None:
        return Ability(modifier.custom or "?", "own rule, as agreed before the game")
    if code not in rows:
        return Ability(code or "?", "not in the rulebook; agree on it or leave it out")
    form = modifier.form or FORMS.get(code, ("",))[0]
    denied = rows.get(modifier.denies or "")
    name = f"{f'Deny {denied.name}' if denied else form.capitalize() or rows[code].name} ({abbreviation(modifier)})"
    if not full:
        return Ability(name, "; ".join(_short(modifier, form, denied.name if denied else "")))
    if not denied:
        return Ability(name, rows[code].text)
    reach = f", {DENIALS[denied.code]}" if denied.code in DENIALS else ""
    return Ability(name, f"{rows[code].text} Denied: {denied.name}{reach}. {denied.text}")


def _short(modifier: Modifier, form: str, denied: str) -> Iterator[str]:
    """The words of a capability in its variant."""
    code = modifier.code or ""
    if denied:
        yield f"the enemy has no use of {denied} {DENIALS.get(modifier.denies or '', '')}".rstrip()
        return
    if code == "T":
        yield f"carries {modifier.counted}"
    yield f"{modifier.counted} rolls to hit" if code == "MW" else SHORT.get(form) or SHORT.get(code, "")
    if modifier.scatters:
        yield SCATTERS
    if modifier.on is not None:
        yield f"works on {modifier.on}+"


def words_of(element: Element, job: Job, *, full: bool, scale: float = SMALL) -> Iterator[Block]:
    """Kind and capabilities, one a paragraph."""
    if about := traits(element):
        yield Prose(about, scale)
    for modifier in element.capabilities:
        name, text = ability(modifier, job, full=full)
        yield Prose(f"{text.rstrip('.')}.", scale, lead=f"{name}:")


# ---------------------------------------------------------------- pieces of a unit


class Title(NamedTuple):
    """A unit's name, whole however long, and at the right what it is worth."""

    words: str
    aside: str

    def _name(self, style: Style, width: float) -> FittedText:
        room = width * (0.72 if self.aside else 1)
        return fit_text(self.words, room, style.body * 1.2, 6, bold=True)

    def height(self, style: Style, width: float) -> float:
        return self._name(style, width).height + style.body * 0.35

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.body * 1.2
        pen.lines(x, top, self._name(pen.style, width), bold=True, accent=True)
        small = min(size * 0.85, width * 0.26 / max(ems(self.aside, True), 0.1))
        pen.runs(x + width, top - size * ASCENT, self.aside, small, bold=True, align="right")
        bottom = top - self.height(pen.style, width) + 1
        pen.line(x, bottom, x + width, bottom, LINE)


class Labelled(NamedTuple):
    """A block with a bold word before it."""

    label: str
    block: Block

    def _room(self, style: Style) -> float:
        return ems(f"{self.label}  ", True) * style.small

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width - self._room(style))

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        room, size = self._room(pen.style), pen.style.small
        pen.runs(x, top - pen.style.line * 0.53 - size * 0.345, self.label, size, bold=True)
        self.block.draw(pen, x + room, top, width - room)


def cell(block: Block) -> Cell:
    """A block as a cell of a table."""
    return Cell(block.height, lambda pen, x, top, width, height: block.draw(pen, x, top, width))


def figure(words: str, *, bold: bool = False, align: str = "centre") -> Cell:
    """A number on one line, shrunk as far as it must be: a number is never cut."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        left = x + (width / 2 if align == "centre" else width)
        size = min(pen.style.body, width / max(ems(words, bold), 0.1))
        pen.runs(left, top - pen.style.body * ASCENT, words, size, bold=bold, align=align)  # type: ignore[arg-type]

    return Cell(lambda style, width: style.line, paint)


NAME_SHARE, STAT_SHARE, WORTH_SHARE = 4.8, 1.0, 1.4


def columns(job: Job) -> tuple[Column, ...]:
    """Name, the seven stats, and points where there are any."""
    worth = (Column("each", WORTH_SHARE, "right"),) if points_of(job) else ()
    stats = (Column(head, STAT_SHARE, "centre") for head in _heads(job))
    return (Column(job.words.element, NAME_SHARE, bold=True), *stats, *worth)


def points_of(job: Job) -> str:
    """The word for points, "" where they are not printed or not known."""
    return job.points if job.appraisal.points is not None else ""


def _heads(job: Job) -> tuple[str, ...]:
    """The stats' names where the columns are wide enough, else their letters."""
    whole = NAME_SHARE + 7 * STAT_SHARE + (WORTH_SHARE if points_of(job) else 0)
    room = frame(job.settings.paper)[0] * STAT_SHARE / whole - GAP
    fit = all(ems(name, True) * job.style.small <= room for name in STAT_NAMES)
    return STAT_NAMES if fit else STAT_LETTERS


def halves(job: Job) -> tuple[Column, Column]:
    """Boxes under the name, words under the stats."""
    return Column("", NAME_SHARE), Column("", 7 * STAT_SHARE + (WORTH_SHARE if points_of(job) else 0))


def left_half(job: Job) -> float:
    """The width under a name."""
    left, right = halves(job)
    return frame(job.settings.paper)[0] * left.share / (left.share + right.share) - GAP


def legend(job: Job) -> Prose:
    """How to read the numbers; once, on top."""
    letters = zip(STAT_LETTERS, STAT_NAMES, strict=True)
    named = ", ".join(f"{letter} {name.lower()}" for letter, name in letters)
    lead = "" if _heads(job) == STAT_NAMES else f"{named}. "
    return Prose(
        f"{lead}Movement and range in cm; range 0 is melee. To hit, save and morale: roll so much or more on a D6; "
        "a dash is none. Tick a box for each element lost, and one of its unit's row; a unit that "
        "fails its morale test is removed.",
        0.85,
        grey=0.25,
    )


# ---------------------------------------------------------------- unit sheets


def units(job: Job) -> Iterator[Section]:
    """A block for each unit: its losses up to the morale test, and every element with its boxes."""
    yield Section("Units", _blank_units(job) if job.blank else _units(job))


def _units(job: Job) -> Iterator[Group]:
    yield Group([legend(job)])
    for number, unit, priced in job.formations():
        name = unit.name or f"{job.words.formation} {number + 1}"
        worth = f"{job.amount(priced.points)} {points_of(job)}" if points_of(job) else ""
        head = Stack((Space(0.8), Title(name, worth), Heads(columns(job))))
        yield Group(_kept(job, _unit_blocks(job, number)), head, name)


def _kept(job: Job, blocks: Iterator[Block]) -> Iterator[Block]:
    """A small unit in one block; the blocks of a large one, as they come."""
    first = tuple(islice(blocks, KEPT + 1))
    width, height = frame(job.settings.paper)
    whole = Stack(first)
    if len(first) <= KEPT and whole.height(job.style, width) <= height * OF_A_PAGE:
        yield whole
        return
    yield from first
    yield from blocks


def _unit_blocks(job: Job, number: int) -> Iterator[Block]:
    unit, priced = job.document.formations[number], job.appraisal.formations[number]
    if unit.notes.strip():
        yield from prose(unit.notes, job.style, frame(job.settings.paper)[0], SMALL, grey=0.25)
        yield Space(0.2)
    lost = len([model for element in unit.elements for model in out(element)]) if job.settings.marks else 0
    left = [e for e in unit.elements if e.quantity and (standing(e) or not job.settings.marks)]
    count = models_of(priced), int(priced.facts["morale_test_at"]), lost
    strip = losses(job, f"f{number}", count, holding(left))
    elements = (block for entry in job.entries(number) for block in _element_blocks(job, entry))
    yield Stack((strip, *islice(elements, 1)))
    yield from elements


def models_of(priced: PricedFormation) -> int:
    """How many elements a unit has."""
    return Counter(dict(enumerate(line.quantity for line in priced.elements))).total()


def losses(job: Job, path: str, count: tuple[int, int, int], holds: str) -> Block:
    """A unit's elements in one row, with a bar at the morale test. ``count``: all of them, those that ask, lost."""
    models, test, lost = count
    if models <= 1:
        alone = "No elements." if models == 0 else "One element: when it is lost the unit is destroyed, without a test."
        return Row((Column("", 1),), (cell(Prose(alone, SMALL, grey=0.25)),))
    words = cell(Prose(f"{test} of {models} lost. {holds}", SMALL, lead="Morale test at"))
    if models > MOST_IN_A_ROW:
        return Row(halves(job), (cell(Blank(f"Lost of {models}:", f"{path}.lost", SMALL)), words), rule=LINE)
    names = tuple(f"{path}.lost.{n}" for n in range(models))
    row = Labelled("Lost", Boxes(tuple(n < lost for n in range(models)), test, names))
    if row.height(job.style, left_half(job)) <= 1.1 * job.style.line:
        return Row(halves(job), (cell(row), words), rule=LINE)
    whole_width = (Column("", 1),)
    return Stack((Row(whole_width, (cell(row),), rule=0), Row(whole_width, (words,), rule=LINE)))


def holding(elements: Iterable[Element]) -> str:
    """What a morale test takes of a unit: the best morale left, and who has it."""
    owners: dict[int, list[str]] = {}
    for element in sorted(elements, key=lambda element: element.stats.morale):
        owners.setdefault(min(7, max(1, element.stats.morale)), []).append(element.name or "its best element")
    morales = [*owners]
    if not morales:
        return "All are lost: the unit is destroyed."
    if len(morales) == 1:
        return ALONE.get(morales[0], f"Roll {morales[0]}+.")
    if len(morales) > MOST_MORALES or any(len({*names}) > MOST_MORALES for names in owners.values()):
        return f"{_roll(morales[0]).capitalize()} at first, then the best morale left."
    chain = ", ".join(f"{_roll(m)} while {' or '.join(dict.fromkeys(owners[m]))} stands" for m in morales[:-1])
    return f"{chain[0].upper()}{chain[1:]}, else {_roll(morales[-1])}."


def _roll(morale: int) -> str:
    return "hold without a roll" if morale <= 1 else "fail" if morale >= 7 else f"roll {morale}+"


def _element_blocks(job: Job, entry: Entry) -> Iterator[Block]:
    """Name and stats; below them boxes, and words beside them or, when there are many, after them."""
    element, width = element_of(entry), frame(job.settings.paper)[0]
    words, own = Stack(tuple(_words_and_notes(element, job))), Ticks(job, entry, 0, entry.quantity)
    few = entry.quantity <= BESIDE and own.height(job.style, left_half(job)) <= 2.2 * job.style.line
    short = words.height(job.style, width - left_half(job) - 2 * GAP) <= TALLEST_WORDS * job.style.line
    cells = (cell(own) if few and entry.quantity else "", cell(words) if short else "")
    below = (Row(halves(job), cells, rule=HAIR if few and short else 0),) if any(cells) else ()
    yield Stack((_stats_row(job, entry), *below))
    if not few:
        yield from _many_boxes(job, entry)
    if not short:
        yield from words.blocks
    if len(element.notes) > SHORT_NOTES:
        yield from prose(element.notes, job.style, width, SMALL, grey=0.25)


def _words_and_notes(element: Element, job: Job) -> Iterator[Block]:
    yield from words_of(element, job, full=asks_for_all(job))
    if element.notes.strip() and len(element.notes) <= SHORT_NOTES:
        yield Prose(element.notes, SMALL, grey=0.25)


def _stats_row(job: Job, entry: Entry) -> Row:
    own = entry.name or job.words.element
    name = f"{own} × {entry.quantity}" if entry.quantity != 1 else own
    worth = (figure(job.amount(entry.priced.each), align="right"),) if points_of(job) else ()
    stats = (figure(words) for words in stat_words(element_of(entry)))
    return Row(columns(job), (name, *stats, *worth), lines=9, rule=0)


class Ticks(NamedTuple):
    """A box for each of ``number`` models of an entry from ``first`` on. Layout asks for its height alone."""

    job: Job
    entry: Entry
    first: int
    number: int

    def height(self, style: Style, width: float) -> float:
        return _tall_boxes(self.number, style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        track = self.job.tracks(self.entry.element)[0]
        drawn = tuple(islice(self.entry.models, self.first, self.first + self.number))
        ticked = tuple(self.job.marked(track, model.mark)[0] for model in drawn)
        Boxes(ticked, names=tuple(f"{model.path}.{track.key}.0" for model in drawn)).draw(pen, x, top, width)


@lru_cache(maxsize=4096)
def _tall_boxes(count: int, style: Style, width: float) -> float:
    return Boxes((False,) * count).height(style, width)


def _many_boxes(job: Job, entry: Entry) -> Iterator[Block]:
    for first in range(0, entry.quantity, CHUNK):
        yield Ticks(job, entry, first, min(CHUNK, entry.quantity - first))


# ---------------------------------------------------------------- blank unit sheets

BLANK_BOXES, BLANK_ELEMENTS = 20, 2


def _blank_units(job: Job) -> Iterator[Group]:
    """As many empty units as a page holds."""
    width, height = frame(job.settings.paper)
    rules = legend(job)
    room = height - rules.height(job.style, width)
    tall = _blank_unit(job, 0).height(job.style, width)
    yield Group([rules, *(_blank_unit(job, number) for number in range(max(1, int(room / tall))))])


def _blank_unit(job: Job, number: int) -> Block:
    path = f"blank{number}"
    row = Boxes((False,) * BLANK_BOXES, names=tuple(f"{path}.lost.{box}" for box in range(BLANK_BOXES)))
    rule = Prose("half of its elements lost, rounded up. Draw a bar after that box.", SMALL, lead="Morale test at")
    strip = Row(halves(job), (cell(Labelled("Lost", row)), cell(rule)), rule=LINE)
    title = Blank(f"{job.words.formation}:", f"{path}.name", 1.1)
    return Stack((Space(0.5), title, Heads(columns(job)), strip, *_blank_elements(job, path)))


def _blank_elements(job: Job, path: str) -> Iterator[Block]:
    for number in range(BLANK_ELEMENTS):
        own = f"{path}.e{number}"
        stats = (_slot(f"{own}.{letter.lower()}") for letter in STAT_LETTERS)
        worth = (_slot(f"{own}.each"),) if points_of(job) else ()
        yield Row(columns(job), (written(f"{own}.name"), *stats, *worth), least=1.6)
        open_boxes = Boxes((False,) * 10, names=tuple(f"{own}.m{box}.out.0" for box in range(10)))
        words = Blank("Capabilities:", f"{own}.capabilities", 0.82)
        yield Row(halves(job), (cell(open_boxes), cell(words)), rule=LINE)


def _slot(name: str) -> Cell:
    """A place for a number, with a line that parts it from the one before."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.line(x - GAP / 2, top, x - GAP / 2, top - height, HAIR)
        pen.field(name, x, top - height, width, height)

    return Cell(lambda style, width: style.line * 1.25, paint)


# ---------------------------------------------------------------- element cards

CARD = (63 * MM, 88 * MM)
"""Width and height of a card: they fit the usual sleeves."""
MOST_ON_A_CARD = 30
"""A card of more elements says how many, and leaves the ticking to the unit sheet."""
CARD_BLANK_BOXES = 10
CARD_SCALES = (1.0, SMALL, 0.82, 0.76, 0.7)
"""Sizes of the words on a card, the first that fits."""


class Card(NamedTuple):
    """A card: name and unit, the seven stats, words as large as they fit, a box for each element."""

    job: Job
    entry: Entry | None
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
            return Labelled("Lost", Boxes((False,) * CARD_BLANK_BOXES, names=names))
        if not 0 < self.entry.quantity <= MOST_ON_A_CARD:
            return Prose(
                f"{self.entry.quantity} elements{': tick them on the unit sheet' if self.entry.quantity else ''}.",
                SMALL,
            )
        return Labelled("Lost", Ticks(self.job, self.entry, 0, self.entry.quantity))


def _card_head(pen: Pen, card: Card, x: float, top: float, width: float) -> float:
    """Name and points, then the unit; returns where the next thing stands."""
    body = pen.style.body
    if card.entry is None:
        pen.line(x, top - body * 1.5, x + width, top - body * 1.5, HAIR)
        pen.field(f"{card.path}.name", x, top - body * 1.5, width, body * 1.5)
        pen.text(x, top - body * 2.4, "Element", body * 0.72, grey=SOFT)
        return top - body * 2.8
    worth = f"{card.job.amount(card.entry.priced.each)} {points_of(card.job)}" if points_of(card.job) else ""
    name = whole(card.entry.name or card.job.words.element, width * (0.7 if worth else 1), body * 1.2)
    pen.lines(x, top, name, bold=True, accent=True)
    size = min(body * 0.85, width * 0.28 / max(ems(worth), 0.1))
    pen.runs(x + width, top - body * 1.1, worth, size, align="right")
    unit = whole(card.unit, width, body * 0.85, bold=False)
    pen.lines(x, top - name.height, unit, grey=0.3)
    return top - name.height - unit.height - body * 0.2


def whole(words: str, width: float, size: float, bold: bool = True) -> FittedText:
    """A name on a few lines, in letters as small as it takes to show all of it."""
    for scale in (1.0, 0.8, 0.65, 0.5):
        text = fit_text(words, width, size * scale, 2 + (scale < 1) + 3 * (scale < 0.8), bold)
        if not text.lines or not text.lines[-1].endswith(ELLIPSIS):
            break
    return text


def _card_stats(pen: Pen, card: Card, x: float, top: float, width: float) -> float:
    """Movement to save, then power to morale and how many; returns where the next thing stands."""
    body = pen.style.body
    wide, tall = width / 4, body * 2.35
    values = (*stat_words(element_of(card.entry)), str(card.entry.quantity)) if card.entry else ("",) * 8
    for row in (0, 1):
        pen.shade(x, top - row * tall - body * 0.9, width, body * 0.9)
    for number, (label, value) in enumerate(zip((*STAT_NAMES, "Elements"), values, strict=True)):
        left, bottom = x + number % 4 * wide, top - (number // 4 + 1) * tall
        pen.rect(left, bottom, wide, tall, line=HAIR)
        pen.fit(left + 1, bottom + tall - body * 0.68, label, wide - 2, body * 0.7, align="centre")
        size = min(body * 1.25, (wide - 4) / max(ems(value, True), 0.1))
        pen.runs(left + wide / 2, bottom + body * 0.35, value, size, bold=True, align="centre")
        if card.entry is None:
            pen.field(f"{card.path}.{label.lower().replace(' ', '_')}", left, bottom, wide, tall - body * 0.9)
    return top - 2 * tall - body * 0.4


def _card_lines(pen: Pen, path: str, x: float, top: float, width: float, room: float) -> None:
    """Lines to write capabilities on."""
    step = pen.style.body * 1.7
    for number in range(int(room / step)):
        y = top - (number + 1) * step
        pen.line(x, y, x + width, y, HAIR)
        pen.field(f"{path}.capabilities.{number}", x, y, width, step)


def _card_words(pen: Pen, card: Card, element: Element, x: float, top: float, width: float, room: float) -> None:
    """Kind, capabilities, the unit's test and notes: as many words, and as large, as there is room for."""
    ways = [(True, scale) for scale in CARD_SCALES] if asks_for_all(card.job) else []
    for full, scale in (*ways, *((False, scale) for scale in CARD_SCALES)):
        test = (Prose(card.test, scale),) if card.test else ()
        words = _spaced((*words_of(element, card.job, full=full, scale=scale), *test))
        tall = words.height(pen.style, width)
        if tall <= room:
            words.draw(pen, x, top, width)
            _into(pen, element.notes, (x, top - tall - 3, width, room - tall - 3), scale * 0.9, grey=0.25)
            return
    names = (ability(modifier, card.job, full=False).name for modifier in element.capabilities)
    _into(pen, " · ".join(part for part in (traits(element), *names) if part), (x, top, width, room), 0.8)


def _spaced(paragraphs: Iterable[Block]) -> Stack:
    return Stack(tuple(block for paragraph in paragraphs for block in (paragraph, Space(0.18))))


def _into(pen: Pen, words: str, area: tuple[float, float, float, float], scale: float, grey: float = 0.0) -> None:
    """Text within an area, in smaller letters if it must be; what even they leave no room for is cut off."""
    x, top, width, tall = area
    for size in (pen.style.body * scale, pen.style.body * scale * 0.8, pen.style.body * 0.56):
        lines = int(tall / (size * LEADING))
        if words.strip() and lines > 0:
            text = fit_text(words, width, size, lines)
            if text.size == size or size == pen.style.body * 0.56:
                pen.lines(x, top, text, grey=grey)
                return


def cards(job: Job) -> Iterator[Grid]:
    """A card for each entry, 63 x 88 mm, to cut out."""
    yield Grid("Element cards", _blank_cards(job) if job.blank else _cards(job), cell=CARD)


def _cards(job: Job) -> Iterator[tuple[str, Block]]:
    for number, unit, priced in job.formations():
        name = unit.name or f"{job.words.formation} {number + 1}"
        models = models_of(priced)
        test = f"The unit tests morale at {priced.facts['morale_test_at']} of {models} lost." if models > 1 else ""
        for entry in job.entries(number):
            yield name, Card(job, entry, name, test)


def _blank_cards(job: Job) -> Iterator[tuple[str, Block]]:
    """A page of them."""
    number = 4 if job.settings.paper == "a5" else 9
    yield from (("", Card(job, None, "", path=f"card{place}")) for place in range(number))


# ---------------------------------------------------------------- templates and rulers at true scale

BIG, LITTLE = 50 * MM, 25 * MM
"""Radii of the round templates."""
CONE = (30 * MM, 100 * MM)
"""Width and length of the cone."""
BETWEEN = 2.5 * MM
SCALE_TALL, CHECK_TALL = 10 * MM, 17 * MM
"""Of a ruler's ticks and numbers, and of the ruler that checks the page, with its words."""
PRINTED = "Print at actual size, 100 %, and never fitted to the page"
USES = (
    (
        "Blast.",
        "Everything under a template is attacked, friends too, each with its own roll to hit; then save and "
        "damage as usual. At range 0 it lies over the attacker, who is spared.",
    ),
    ("Bombardment.", "Uses the 10 cm template; targets have armor -2."),
    ("Cone.", "Its point touches the attacker's base at range 0; with more range it may lie farther out."),
    (
        "Scatter.",
        "Mark the point. A D12, read as on a clock, gives the direction and 2D6 the cm; a double is on target.",
    ),
)


class Shape(NamedTuple):
    """A template in its own rectangle: ``paint(pen, left, bottom)``."""

    wide: float
    tall: float
    paint: Callable[[Pen, float, float], None]


def templates(job: Job) -> Iterator[Section]:
    """Both blast templates and the cone, with a ruler to check them; two sets where the page holds them."""
    width, height = frame(job.settings.paper)
    drawing = Drawing(height, lambda pen, x, top, wide: _templates(pen, x, top, width, height))
    yield Section("Templates", [Group([drawing])])


def _templates(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    head = Heading("Templates", "actual size")
    head.draw(pen, x, top, width)
    below, floor = top - head.height(pen.style, width) - 1 * MM, top - height + CHECK_TALL
    shelves = _shelves(width)
    if len(shelves) == 1:
        twice = 2 * _tall(shelves[0]) + _uses(1.0).height(pen.style, width)
        for shelf in shelves * (2 if twice <= below - floor else 1):
            below = _shelf(pen, shelf, x + (width - _wide(shelf)) / 2, below)
        free = x, width
    else:
        below = _shelf(pen, shelves[0], x, below)
        _shelf(pen, shelves[1], x, below)
        free = x + _wide(shelves[1]) + 2 * BETWEEN, width - _wide(shelves[1]) - 2 * BETWEEN
    scales = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
    fit = (scale for scale in scales if _uses(scale).height(pen.style, free[1]) <= below - floor)
    _uses(next(fit, 0.4)).draw(pen, free[0], below, free[1])
    _check(pen, x, top - height, width)


def _check(pen: Pen, x: float, bottom: float, width: float) -> None:
    """The ruler of 10 cm that tells whether the page came out at true scale."""
    _scale(pen, x + (width - 100 * MM) / 2, bottom + CHECK_TALL - 2 * MM, 10)
    words = f"{PRINTED}: from 0 to 10 this ruler is 10 cm long."
    pen.fit(x, bottom + 1 * MM, words, width, pen.style.small, align="centre")


def _wide(shelf: list[Shape]) -> float:
    first, *others = shelf
    return first.wide + (BETWEEN + _wide(others) if others else 0)


def _tall(shelf: list[Shape]) -> float:
    return max(shape.tall for shape in shelf) + BETWEEN


def _shelf(pen: Pen, shelf: list[Shape], left: float, top: float) -> float:
    """Shapes side by side; returns where the next shelf stands."""
    for shape in shelf:
        shape.paint(pen, left, top - shape.tall)
        left += shape.wide + BETWEEN
    return top - _tall(shelf)


def _shelves(width: float) -> list[list[Shape]]:
    """One set, on a single shelf or, on narrow paper, on two."""
    big = Shape(2 * BIG, 2 * BIG, lambda pen, x, y: _round(pen, x, y, BIG, "10 cm", "10c, Bmb"))
    cone = Shape(*CONE, _cone)
    little = Shape(2 * LITTLE, 2 * LITTLE, lambda pen, x, y: _round(pen, x, y, LITTLE, "5 cm", "5c"))
    row = [big, cone, little]
    return [row] if _wide(row) <= width else [[big, cone], [little]]


def _round(pen: Pen, x: float, y: float, radius: float, name: str, codes: str) -> None:
    """A round template with its centre, and the hours of a clock for what scatters."""
    middle, centre, size = x + radius, y + radius, 9.0
    pen.circle(middle, centre, radius)
    for hour in range(1, 13):
        across, up = sin(hour * pi / 6), cos(hour * pi / 6)
        pen.line(
            *(middle + across * radius, centre + up * radius),
            *(middle + across * (radius - 2 * MM), centre + up * (radius - 2 * MM)),
            HAIR,
        )
        reach = radius - 4.5 * MM
        pen.text(middle + across * reach, centre + up * reach - 2.2, str(hour), 6.5, align="centre", grey=SOFT)
    for way in ((2 * MM, 0), (0, 2 * MM)):
        pen.line(middle - way[0], centre - way[1], middle + way[0], centre + way[1], LINE)
    pen.text(middle, centre + 4 * MM, name, size * 1.2, bold=True, align="centre")
    pen.text(middle, centre - 6.5 * MM, codes, size * 0.85, align="centre", grey=0.3)


def _cone(pen: Pen, x: float, y: float) -> None:
    """A teardrop, its point below: two tangents to a circle as wide as the cone."""
    radius, length = CONE[0] / 2, CONE[1]
    middle, centre = x + radius, y + length - radius
    opening = acos(radius / (length - radius))
    steps = 120
    turns = (-pi / 2 + opening + step * 2 * (pi - opening) / steps for step in range(steps + 1))
    arc = [(middle + radius * cos(turn), centre + radius * sin(turn)) for turn in turns]
    with pen.moved(0, 0):
        pen.canvas.setLineJoin(1)  # a mitred point would be 0.7 mm too long
        pen.outline([(middle, y), *arc])
    pen.line(middle, y + 12 * MM, middle, centre - 14 * MM, HAIR, dash=(2, 2))
    for line, (words, bold) in enumerate((("Cone", True), ("10 × 3 cm", False))):
        pen.text(middle, centre + (2 - 4.5 * line) * MM, words, 10 - line, bold=bold, align="centre")


def _uses(scale: float) -> Stack:
    """How the templates are used."""
    return _spaced(Prose(text, scale, lead=lead) for lead, text in USES)


def _scale(pen: Pen, x: float, top: float, length: int) -> None:
    """A ruler of so many cm: its edge, a tick for each mm, numbers below."""
    pen.line(x, top, x + length * 10 * MM, top, LINE)
    for tick in range(length * 10 + 1):
        long = 5.0 if tick % 10 == 0 else 3.5 if tick % 5 == 0 else 2.2
        pen.line(x + tick * MM, top, x + tick * MM, top - long * MM, LINE if tick % 10 == 0 else HAIR)
    for number in range(length + 1):
        align: Align = "left" if number == 0 else "right" if number == length else "centre"
        inwards = {"left": 2.0, "right": -2.0, "centre": 0.0}[align]
        pen.runs(x + number * 10 * MM + inwards, top - 8.5 * MM, str(number), 9, bold=True, align=align)


STRIP = (200 * MM, 19 * MM)
"""Length and width of the ruler strip."""
MOST_STRIPS = 4
REACHES = (
    (0, 5, "a unit stays together"),
    (5, 10, "heal, repair, hold a marker"),
    (10, 20, "deploy from your own edge in a standard battle"),
)
"""Distances of the game: from where to where a strip names each, in cm."""


def ruler(job: Job) -> Iterator[Section]:
    """Strips of 20 cm; on a half sheet one, aslant, since it is longer than the paper allows."""
    width, height = frame(job.settings.paper, landscape=True)
    drawing = Drawing(height, lambda pen, x, top, wide: _strips(pen, x, top, width, height))
    yield Section("Ruler", [Group([drawing])], landscape=True)


def _strips(pen: Pen, x: float, top: float, width: float, height: float) -> None:
    head = Stack((Heading("Ruler, 20 cm", "actual size"), Prose(f"{PRINTED}. Cut along the lines.", SMALL)))
    head.draw(pen, x, top, width)
    room = height - head.height(pen.style, width) - 4 * MM
    slant = next(angle for angle in range(90) if _spans(angle)[0] <= width and _spans(angle)[1] <= room)
    number = 1 if slant else min(MOST_STRIPS, int(room // (STRIP[1] + 4 * MM)))
    turn = radians(slant)
    across, rise = _spans(slant)
    left = x + (width - across) / 2 + STRIP[1] * sin(turn)
    below = top - height + ((room - rise) / 2 if slant else room - rise)
    for strip in range(number):
        with pen.moved(left, below - strip * (STRIP[1] + 4 * MM), turned=slant):
            pen.stamp("ruler-strip", 0, 0, lambda: _strip(pen))


def _spans(angle: int) -> tuple[float, float]:
    """Width and height of a strip turned by so many degrees."""
    across, up = cos(radians(angle)), sin(radians(angle))
    return STRIP[0] * across + STRIP[1] * up, STRIP[0] * up + STRIP[1] * across


def _strip(pen: Pen) -> None:
    """One strip, its lower left corner at the origin: cm above, the game's distances below."""
    length, tall = STRIP
    pen.rect(0, 0, length, tall, line=HAIR)
    _scale(pen, 0, tall, 20)
    for start, end, words in REACHES:
        pen.line(end * 10 * MM, 0, end * 10 * MM, tall - SCALE_TALL, HAIR)
        pen.text((start + end) * 5 * MM, 3 * MM, f"{end} cm: {words}", 7, align="centre")


# ---------------------------------------------------------------- the list


def _uses_templates(job: Job) -> bool:
    """Some element has a template, so the pack brings them."""
    elements = (element for _, unit, _ in job.formations() for element in unit.elements)
    return any(not element.codes.isdisjoint(TEMPLATES) for element in elements)


SHEETS = (
    ROSTER,
    Sheet("units", "Unit sheets", "Each unit with its stats, a box for each element, and its morale test.", units),
    Sheet("cards", "Element cards", "63 × 88 mm, one for each kind of element in a unit.", cards, never),
    Sheet(
        "templates",
        "Blast templates",
        "5 cm, 10 cm and the cone at true scale, with a ruler to check them.",
        templates,
        _uses_templates,
        shared=True,
    ),
    Sheet("ruler", "Ruler", "Strips of 20 cm to cut out, at true scale.", ruler, shared=True),
    REFERENCE,
)
