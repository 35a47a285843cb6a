"""The army record: a block for each stand in sets of three, generals, rounds, and the army-morale track."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rosters.core.messages import _, join, ngettext
from rosters.pdf.blocks import Boxes, Heading, Space, cached_method, text_lines
from rosters.pdf.canvas import MM, THICK, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.roster_sheet import frame_width
from rosters.pdf.sections import Group, Section, frame
from rosters.systems.six_mm.rules import SET
from rosters.systems.six_mm.sheets.block import ALIKE, BETWEEN, AlikeBlock, BlankBlock, StandBlock
from rosters.systems.six_mm.sheets.choices import choices
from rosters.systems.six_mm.sheets.command import Command, generals, shares_blocks
from rosters.systems.six_mm.sheets.morale import (
    BlankMorale,
    MoraleReminder,
    MoraleTrack,
    lost_stands,
    morale_table,
    thresholds,
)
from rosters.systems.six_mm.sheets.stand import WIDE_PAGE, Stand, army_stands, chunks, max_alternates
from rosters.systems.six_mm.tables import PURCHASES

SIZES = (0.85, 0.9, 0.95, 1.0, 1.05, 1.1)
"""The sizes of print, as multiples of the usual one, of which the largest is taken that needs the fewest pages."""
MAX_SIZED = 100
"""A record of more stands is as usual: a page less of many is not worth laying it out again."""
GUTTER, BRACKET = 12.6, 9.8
"""What is left of the stands of a set, and where its bracket is, in mm."""
BLANK_SETS = 5
LONG = 255 * MM
"""Shorter frames have a blank set less."""
MAX_TRACKED = 240
"""With more losses than this until an army retreats, a table replaces the box for each."""
USED_TOGETHER = 60
"""Boxes of a purchase that stay on one page."""


def record(job: Job) -> Iterator[Section]:
    """The army in play: the boxes of every stand, its generals, its morale."""
    purchased = any(job.document.formations[number].elements for number, _f, _p in job.formations())
    if job.blank or not purchased:
        yield Section(_("Army record"), _blank_record(job), keep_together=True)
        return
    foot = Section(_("Army record"), _foot(job), keep_together=True)
    steps = thresholds(job)
    reminder = MoraleReminder(tuple(steps.items())) if steps else None
    sizes = SIZES if job.appraisal.quantity <= MAX_SIZED else ()
    yield Section(_("Army record"), _record(job), keep_together=True, fills=sizes, foot=foot, reminder=reminder)


def _per_row(job: Job) -> int:
    """The stands in a row: all of a set, or one on narrow pages."""
    return SET if frame_width(job) >= WIDE_PAGE * job.style.unit else 1


def _record(job: Job) -> Iterator[Group]:
    """Sets, purchases and notes."""
    yield Group(choices(job))
    yield from _alike(job) if shares_blocks(job) else _sets(job)
    yield Group(_purchases(job))
    yield from _notes(job)


def _foot(job: Job) -> Iterator[Group]:
    """Generals and army morale, once: a track, or a table for large armies."""
    yield Group((Command(job, generals(job)),), None, _("Generals"))
    where = thresholds(job)
    if 0 < max(where, default=0) <= MAX_TRACKED:
        yield Group((Space(0.2), MoraleTrack(job.appraisal.quantity, lost_stands(job), tuple(where.items()))))
    else:
        yield Group(morale_table(job), Heading(_("Army morale"), "", 1.15), _("Army morale"))


# ---------------------------------------------------------------- sets of stands


def _sets(job: Job) -> Iterator[Group]:
    """The sets in rows, with a bookmark for each command where it begins."""
    per_row = _per_row(job)
    titles = {number: formation.name or job.words.formation for number, formation, _priced in job.formations()}
    known: set[int] = set()
    for number, stands in enumerate(chunks(army_stands(job), SET), start=1):
        started = [at for at in dict.fromkeys(_formation_of(stand) for stand in stands) if at not in known]
        known.update(started)
        blocks = tuple(StandBlock(stand) for stand in stands)
        first, *others = [titles[at] for at in started] or [""]
        yield Group(_set_rows(number, blocks, per_row), None, first)
        yield from (Group((Space(0),), None, title) for title in others)


def _alike(job: Job) -> Iterator[Group]:
    """The stands of each line of the army in a block of their own, with a bookmark for each command."""
    titles = {number: formation.name or job.words.formation for number, formation, _priced in job.formations()}
    started: set[int] = set()
    for _path, stands in groupby(army_stands(job), key=lambda stand: stand.entry.path):
        for some in chunks(stands, ALIKE):
            at = _formation_of(some[0])
            yield Group((AlikeBlock(some),), None, "" if at in started else titles[at])
            started.add(at)


def _formation_of(stand: Stand) -> int:
    return stand.entry.sources[0][0]


def _set_rows(number: int, blocks: tuple[Block, ...], per_row: int) -> Iterator[SetRow]:
    rows = [*chunks(blocks, per_row)]
    for place, row in enumerate(rows):
        yield SetRow(number, row, per_row, place == 0, place == len(rows) - 1)


@dataclass(frozen=True)
class SetRow:
    """Some stands of a set in a row, to the right of its bracket: all of them, or one of those below another."""

    number: int
    blocks: tuple[Block, ...]
    per_row: int
    first: bool
    last: bool

    def _width(self, style: Style, width: float) -> float:
        """The width of a block."""
        mm = style.unit
        return (width - GUTTER * mm - (self.per_row - 1) * BETWEEN * mm) / self.per_row

    @cached_method
    def height(self, style: Style, width: float) -> float:
        block_width = self._width(style, width)
        return max(block.height(style, block_width) for block in self._level(style, block_width)) + BETWEEN * style.unit

    @cached_method
    def _level(self, style: Style, block_width: float) -> list[Block]:
        """The blocks, their numbers at one height."""
        stands = [block for block in self.blocks if isinstance(block, StandBlock)]
        return [
            block.beside(stands, style, block_width) if isinstance(block, StandBlock) else block
            for block in self.blocks
        ]

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, block_width = pen.style.unit, self._width(pen.style, width)
        height = self.height(pen.style, width) - BETWEEN * mm
        self._draw_bracket(pen, x, top, height)
        for place, block in enumerate(self._level(pen.style, block_width)):
            left = x + GUTTER * mm + place * (block_width + BETWEEN * mm)
            pen.draw_cached(
                ("frame", block_width, height), left, top, lambda: pen.frame(0, -height, block_width, height)
            )
            block.draw(pen, left, top, block_width)

    def _draw_bracket(self, pen: Pen, x: float, top: float, height: float) -> None:
        mm = pen.style.unit
        edge, tick = x + BRACKET * mm + 0.4 * mm, 1.6 * mm
        low = top - height - (0 if self.last else BETWEEN * mm)
        points = [(edge, top), (edge, low)]
        if self.first:
            points.insert(0, (edge + tick, top))
        if self.last:
            points.append((edge + tick, low))
        pen.outline(points, line=THICK, ink="ink", closed=False)
        if not self.first:
            available, size = (BRACKET - 0.6) * mm, pen.style.sized(9)
            pen.fit(x, top - 3.4 * mm, str(self.number), available, size, face=NAME, align="centre", ink="soft")
        else:
            pen.label(
                x + BRACKET * mm / 2 - 0.3 * mm, top - 2.6 * mm, _("Set"), align="centre", size=pen.style.sized(7)
            )
            pen.fit(
                x,
                top - 9.2 * mm,
                str(self.number),
                (BRACKET - 0.6) * mm,
                pen.style.sized(17),
                face=NAME,
                align="centre",
            )
            if self.per_row == SET and len(self.blocks) < SET:
                text = _("{n} of {set}").format(n=len(self.blocks), set=SET)
                pen.fit(
                    x,
                    top - 12.4 * mm,
                    text,
                    (BRACKET - 0.6) * mm,
                    pen.style.sized(7),
                    face=NARROW,
                    align="centre",
                    ink="soft",
                )
            self._draw_done(pen, x, top)

    def _draw_done(self, pen: Pen, x: float, top: float) -> None:
        """The box of a set that has taken its turn in this round."""
        mm, available = pen.style.unit, (BRACKET - 0.6) * pen.style.unit
        side, low = 6 * mm, top - 20.4 * mm
        tooltip = _("Set {set}: turn taken in this round").format(set=self.number)
        pen.box(x + (available - side) / 2, low, side, name=f"set{self.number}.done", tooltip=tooltip)
        pen.fit(x, low - 2.6 * mm, _("done"), available, pen.style.sized(7), face=NARROW, align="centre", ink="soft")


# ---------------------------------------------------------------- purchases and notes


def _purchases(job: Job) -> Iterator[Block]:
    """Field works and shared transport: a counter, and a box for each."""
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            if entry.element.type in PURCHASES:  # type: ignore[attr-defined]
                paths = chunks((model.path for model in entry.models), USED_TOGETHER)
                yield from (Purchase(job, entry, chunk) for chunk in paths)


class Purchase(NamedTuple):
    """What is bought without a stand, with a box for each to mark when it is used."""

    job: Job
    entry: PrintedElement
    paths: tuple[str, ...]

    @property
    def _words(self) -> tuple[str, str]:
        code, n = self.entry.element.type, self.entry.quantity  # type: ignore[attr-defined]
        text = {
            "WORKS": ngettext("{n} square, double cover", "{n} squares, double cover", n),
            "TRANSPORT": ngettext("{n} vehicle for ART or foot", "{n} vehicles for ART or foot", n),
        }[code]
        return self.entry.name.strip() or PURCHASES[code].name, text.format(n=n)

    def _boxes(self) -> Boxes:
        name, _text = self._words
        n = len(self.paths)
        tooltip = tuple(
            _("{stand}: used {number} of {total}").format(stand=name, number=number + 1, total=n) for number in range(n)
        )
        return Boxes((False,) * n, names=tuple(f"{path}.used.0" for path in self.paths), tooltip=tooltip)

    def height(self, style: Style, width: float) -> float:
        return max(self._boxes().height(style, width - 62 * style.unit) + 2 * style.unit, 13 * style.unit)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (name, text) = pen.style.unit, self._words
        pen.picture(self.job.counter(self.entry.element, large=False), x, top - 1 * mm, 14 * mm)
        pen.fit(x + 16 * mm, top - 5 * mm, name, 44 * mm, pen.style.sized(11.5), face=NAME)
        pen.fit(x + 16 * mm, top - 9 * mm, text, 44 * mm, pen.style.sized(8.5), face=NARROW, ink="soft")
        self._boxes().draw(pen, x + 62 * mm, top - 2 * mm, width - 62 * mm)


def _notes(job: Job) -> Iterator[Group]:
    """The notes of stands, once for each line of the army, and alternates that have no picture."""
    blocks: list[Block] = []
    largest = job.style._replace(body=job.style.body * SIZES[-1])
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            element = entry.element
            more = element.duplicates[max_alternates(job.style) :] if element.type not in PURCHASES else ()  # type: ignore[attr-defined]
            texts = [element.notes] if element.notes.strip() else []
            if more:
                forms = entry.description.split(" / ")[-len(more) :]
                texts.append(_("Also or: {stands}.").format(stands=join(forms, "; ")))
            for text in texts:
                full = _("{stand}: {text}").format(stand=element.display_name, text=text)
                blocks += text_lines(full, largest, frame_width(job), 0.93)
    if blocks:
        yield Group(blocks, Label(_("Notes")), _("Notes"))


class Label(NamedTuple):
    """The label over what follows."""

    text: str

    def height(self, style: Style, width: float) -> float:
        return 4 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        pen.label(x, top - 2.6 * pen.style.unit, self.text, size=pen.style.sized(7))


# ---------------------------------------------------------------- blank


def _blank_record(job: Job) -> Iterator[Group]:
    per_row = _per_row(job)
    short = frame(job.options.paper)[1] < LONG
    sets = BLANK_SETS - short if per_row == SET else 2
    for number in range(sets):
        blocks = tuple(BlankBlock(number * SET + place, bool(job.points)) for place in range(SET))
        yield Group(_set_rows(number + 1, blocks, per_row))
    yield Group((Command(job, ()), Space(0.6), BlankMorale()))
