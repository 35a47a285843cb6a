"""The sheets of Mini Combat: units with their boxes, element cards, templates and a ruler at true scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import acos, cos, pi, radians, sin
from typing import Any, NamedTuple, cast

from rosters.sheetkit.blocks import (
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
from rosters.sheetkit.fonts import ASCENT, ems
from rosters.sheetkit.force import REFERENCE, ROSTER
from rosters.sheetkit.job import Choice, Entry, Job, Model, Sheet, never
from rosters.sheetkit.layout import Grid, Group, Section, frame
from rosters.sheetkit.pen import HAIR, LINE, MM, SOFT, Pen, Style
from rosters.sheetkit.words import fitted
from rosters.systems.mini_combat.play import best_morale, out, standing
from rosters.systems.mini_combat.rules import Element, Modifier, abbreviation
from rosters.systems.mini_combat.tables import (
    COMMANDS,
    FAR_DENIALS,
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
TALLEST_WORDS = 14
"""Lines of words beside an element's boxes; more of them follow below."""
SHORT_NOTES = 240
"""Characters of notes that stand among an element's words."""
KEPT = 12
"""A unit of so many blocks or fewer stays on one page, where it takes half of it or less."""
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


def ability(modifier: Modifier, job: Job) -> Ability:
    """A capability spelled out in short, or in full where that is asked for."""
    rows, code = job.reference.capabilities, modifier.code
    if code is None:
        return Ability(modifier.custom or "?", "own rule, as agreed before the game")
    if code not in rows:
        return Ability(code or "?", "not in the rulebook; agree on it or leave it out")
    form = modifier.form or FORMS.get(code, ("",))[0]
    denied = rows.get(modifier.denies or "")
    name = f"Deny {denied.name}" if denied else form.capitalize() or rows[code].name
    full = job.choice("capabilities", "short") == "full"
    text = rows[code].text if full else "; ".join(_short(modifier, form, denied.name if denied else ""))
    return Ability(f"{name} ({abbreviation(modifier)})", text)


def _short(modifier: Modifier, form: str, denied: str) -> Iterator[str]:
    """The words of a capability in its variant."""
    code = modifier.code or ""
    if denied:
        yield f"the enemy has no use of {denied}{' within 25 cm' if modifier.denies in FAR_DENIALS else ''}"
        return
    if code == "T":
        yield f"carries {modifier.counted}"
    yield f"{modifier.counted} rolls to hit" if code == "MW" else SHORT.get(form) or SHORT.get(code, "")
    if modifier.scatters:
        yield SCATTERS
    if modifier.on is not None:
        yield f"works on {modifier.on}+"


def abilities(element: Element, job: Job) -> Iterator[Ability]:
    return (ability(modifier, job) for modifier in element.capabilities)


def words_of(element: Element, job: Job, scale: float = SMALL) -> Iterator[Block]:
    """Kind and capabilities, one a paragraph."""
    if about := traits(element):
        yield Prose(about, scale)
    for name, text in abilities(element, job):
        yield Prose(f"{text.rstrip('.')}.", scale, lead=f"{name}:")


# ---------------------------------------------------------------- pieces of a unit


class Title(NamedTuple):
    """A unit's name, whole however long, and at the right what it is worth."""

    words: str
    aside: str

    def _name(self, style: Style, width: float) -> Any:
        room = width * (0.72 if self.aside else 1)
        return fitted(self.words, room, style.body * 1.2, 6, bold=True)

    def height(self, style: Style, width: float) -> float:
        return float(self._name(style, width).height) + style.body * 0.35

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        size = pen.style.body * 1.2
        pen.lines(x, top, self._name(pen.style, width), bold=True, accent=True)
        pen.fit(x + width * 0.74, top - size * ASCENT, self.aside, width * 0.26, size * 0.85, bold=True, align="right")
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


NAME_SHARE, STAT_SHARE, WORTH_SHARE = 5.6, 1.0, 1.4


def columns(job: Job) -> tuple[Column, ...]:
    """Name, the seven stats, and points where there are any."""
    worth = (Column("each", WORTH_SHARE, "right"),) if job.points else ()
    stats = (Column(head, STAT_SHARE, "centre") for head in _heads(job))
    return (Column(job.words.element, NAME_SHARE, bold=True), *stats, *worth)


def _heads(job: Job) -> tuple[str, ...]:
    """The stats' names where the columns are wide enough, else their letters."""
    whole = NAME_SHARE + 7 * STAT_SHARE + (WORTH_SHARE if job.points else 0)
    room = frame(job.settings.paper)[0] * STAT_SHARE / whole - GAP
    fit = all(ems(name, True) * job.style.small <= room for name in STAT_NAMES)
    return STAT_NAMES if fit else STAT_LETTERS


def halves(job: Job) -> tuple[Column, Column]:
    """Boxes under the name, words under the stats."""
    return Column("", NAME_SHARE), Column("", 7 * STAT_SHARE + (WORTH_SHARE if job.points else 0))


def legend(job: Job) -> Prose:
    """How to read the numbers; once, on top."""
    letters = zip(STAT_LETTERS, STAT_NAMES, strict=True)
    named = ", ".join(f"{letter} {name.lower()}" for letter, name in letters)
    lead = "" if _heads(job) == STAT_NAMES else f"{named}. "
    return Prose(
        f"{lead}Movement and range in cm; range 0 is melee. To hit, save and morale: roll so much or more on a D6; "
        "a dash is none. Tick a box for each element lost, and one of its unit's row.",
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
        worth = f"{job.amount(priced.points)} {job.points}" if job.points and priced.points is not None else ""
        head = Stack((Space(0.8), Title(name, worth), Heads(columns(job))))
        yield Group(_kept(job, _unit_blocks(job, number)), head, name)


def _kept(job: Job, blocks: Iterator[Block]) -> Iterator[Block]:
    """A small unit in one block; the blocks of a large one, as they come."""
    first = tuple(islice(blocks, KEPT + 1))
    width, height = frame(job.settings.paper)
    whole = Stack(first)
    if len(first) <= KEPT and whole.height(job.style, width) <= height / 2:
        yield whole
        return
    yield from first
    yield from blocks


def _unit_blocks(job: Job, number: int) -> Iterator[Block]:
    unit, priced = job.document.formations[number], job.appraisal.formations[number]
    yield from prose(unit.notes, job.style, frame(job.settings.paper)[0], SMALL, grey=0.25)
    models = Counter(dict(enumerate(line.quantity for line in priced.elements))).total()
    lost = len([model for element in unit.elements for model in out(element)]) if job.settings.marks else 0
    left = [e for e in unit.elements if e.quantity and (standing(e) or not job.settings.marks)]
    holds = best_morale(left)
    yield losses(job, f"f{number}", (models, int(priced.facts["morale_test_at"]), lost), holds)
    for entry in job.entries(number):
        yield from _element_blocks(job, entry)


def losses(job: Job, path: str, count: tuple[int, int, int], holds: int) -> Block:
    """A unit's elements in one row, with a bar at the morale test. ``count``: all of them, those that ask, lost."""
    models, test, lost = count
    if models <= 1:
        words = "No elements." if models == 0 else "One element: when it is lost the unit is destroyed, without a test."
        return Row((Column("", 1),), (cell(Prose(words, SMALL, grey=0.25)),))
    if models > MOST_IN_A_ROW:
        mine: Block = Blank(f"of {models} lost:", f"{path}.lost")
    else:
        names = tuple(f"{path}.lost.{n}" for n in range(models))
        mine = Boxes(tuple(n < lost for n in range(models)), test, names)
    words = f"{test} of {models} lost. {_holding(holds)}"
    return Row(halves(job), (cell(Labelled("Lost", mine)), cell(Prose(words, SMALL, lead="Morale test at"))), rule=LINE)


def _holding(morale: int) -> str:
    """What the best morale of a unit makes of its test."""
    if morale <= 1:
        return "It is fearless, and holds without a roll."
    if morale >= 7:
        return "No D6 reaches its morale: remove the unit."
    return f"Roll {morale}+, the best morale left, or remove the unit."


def _element_blocks(job: Job, entry: Entry) -> Iterator[Block]:
    """Name and stats; below them boxes, and words beside them or, when there are many, after them."""
    element, width = element_of(entry), frame(job.settings.paper)[0]
    worth = (figure(job.amount(entry.priced.each), align="right"),) if job.points else ()
    name = f"{entry.name} × {entry.quantity}" if entry.quantity != 1 else entry.name
    stats = (figure(words) for words in stat_words(element))
    top = Row(columns(job), (name, *stats, *worth), lines=9, rule=0)
    words = tuple(words_of(element, job))
    brief = len(element.notes) <= SHORT_NOTES
    if brief and element.notes.strip():
        words = (*words, Prose(element.notes, SMALL, grey=0.25))
    few, room = entry.quantity <= BESIDE, width * halves(job)[1].share / (halves(job)[0].share + halves(job)[1].share)
    short = Stack(words).height(job.style, room - GAP) <= TALLEST_WORDS * job.style.line
    beside = (cell(boxes(job, entry.models)) if few else "", cell(Stack(words)) if short else "")
    more = [*([] if few else _many_boxes(job, entry)), *(() if short else words)]
    yield Stack((top, Row(halves(job), beside, rule=0 if more else HAIR)))
    yield from more
    if not brief:
        yield from prose(element.notes, job.style, width, SMALL, grey=0.25)


def boxes(job: Job, models: Iterable[Model]) -> Boxes:
    """A box for each model, ticked where it is out."""
    drawn = tuple(models)
    return Boxes(
        tuple(mark for model in drawn for mark in _out(job, model)),
        names=tuple(f"{model.path}.out.0" for model in drawn),
    )
