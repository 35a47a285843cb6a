"""Unit sheets: a strip for each kind of element, with its picture, its stats and a box for each model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import Heading, Paragraph, Space, Stack
from rosters.pdf.canvas import MM, THICK, Block, Pen, Style
from rosters.pdf.fonts import NARROW
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.sections import MASTHEAD, STRIP, Group, Section, frame
from rosters.systems.mini_combat.play import unit_name
from rosters.systems.mini_combat.sheets.strip import MAX_BOXES, SIZES, BlankStrip, RosterStrip, note_lines
from rosters.systems.mini_combat.sheets.texts import element_of, farthest, morale_test, points_text

MANY, TOGETHER = 3, 80 * MM
"""A unit of fewer kinds of elements is on one page, if it takes at most this height."""
BETWEEN = Space(0.28)
"""Above a strip that is a unit of its own; the strips of one unit are not parted."""


class Bracketed(NamedTuple):
    """A block of a unit with a heading, with a line in the margin: the strip after the last of them is another unit."""

    block: Block

    def height(self, style: Style, width: float) -> float:
        return self.block.height(style, width)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        left = x - 1.6 * MM
        pen.line(left, top, left, top - self.height(pen.style, width), THICK)
        self.block.draw(pen, x, top, width)


# ---------------------------------------------------------------- the sheet


def units(job: Job) -> Iterator[Section]:
    """The strips of each unit, with its morale test."""
    if job.blank:
        yield Section(_("Unit sheets"), _blank_units(job))
    else:
        yield Section(_("Unit sheets"), _units(job), fills=SIZES)


def _units(job: Job) -> Iterator[Group]:
    reach = farthest(job)
    for index, unit, priced in job.formations():
        name, entries = unit_name(unit, index), job.entries(index)
        first = [*islice(entries, MANY)]
        notes = note_lines(job, unit.notes)
        test, points = morale_test(job, index), points_text(job, priced.points)
        leader = _leader(first)
        if leader or len(first) == 1:
            strip = RosterStrip(job, first[0], reach, points, name, test, leader)
            yield Group(chain([BETWEEN], _strip_blocks(strip), notes), None, name)
            continue
        every = (
            RosterStrip(job, entry, reach, points_text(job, entry.priced.points)) for entry in chain(first, entries)
        )
        title = Stack((Heading(name, points, 1.4, rule=False), Paragraph(test, 0.94), Space(0.2)))
        head = Stack((Space(0.3), Bracketed(title)))
        blocks = map(Bracketed, chain(notes, (block for strip in every for block in _strip_blocks(strip))))
        yield Group(_together(job, blocks) if len(first) < MANY else blocks, head, name)
    yield Group([Space(0.2), _legend()])


def _together(job: Job, blocks: Iterable[Block]) -> Iterable[Block]:
    """The blocks of a unit, as one that is not split if that leaves no large part of a page white."""
    stack = Stack((*blocks,))
    return [stack] if stack.height(job.style, frame(job.options.paper)[0]) <= TOGETHER else stack.blocks


def _legend() -> Block:
    return Paragraph(
        _(
            "Bars: move and range in cm, to one scale. To hit, save and morale: roll this number or more on a D6. "
            "A dash is no attack, no save, or fearless. Cross out a box for each lost element; a star is the command "
            "element. A line in the margin joins the strips of a unit. A unit of one element takes no morale test."
        ),
        0.84,
        ink="soft",
        face=NARROW,
    )


def _leader(entries: list[PrintedElement]) -> PrintedElement | None:
    """The command element of a unit of two kinds, if it differs from the other in stats and command alone."""
    if len(entries) != 2:
        return None
    main, other = (element_of(entry) for entry in entries)
    alike = main.kind == other.kind and main.capabilities == other.capabilities and main.notes == other.notes
    single = entries[1].quantity == 1 and other.command and not main.command
    bars = (main.stats.movement, main.stats.range) == (other.stats.movement, other.stats.range)
    return entries[1] if alike and single and bars and entries[0].quantity <= MAX_BOXES else None


def _strip_blocks(strip: RosterStrip) -> Iterator[Block]:
    yield strip
    yield from strip.below()


def _blank_units(job: Job) -> Iterator[Group]:
    """As many empty strips as fit on a page."""
    width, height = frame(job.options.paper)
    strip = BlankStrip(job, 0)
    height -= MASTHEAD - STRIP
    number = int((height - _legend().height(job.style, width)) // (strip.height(job.style, width) + 1.2 * MM))
    strips = (BlankStrip(job, number) for number in range(max(number, 1)))
    yield Group([*(block for each in strips for block in (each, BETWEEN)), _legend()])


# ---------------------------------------------------------------- morale
