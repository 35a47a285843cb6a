"""The paper measures of the rulebook as strips to cut out, at true scale."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil
from typing import NamedTuple

from rosters.core.messages import Message, _, join, translate
from rosters.pdf.blocks import Drawing, Heading, Space, Stack, text_lines
from rosters.pdf.canvas import HAIR, LINE, MM, Block, Pen
from rosters.pdf.fonts import BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.sections import CUT_MARGIN, MARGIN, MASTHEAD, PAPERS, STRIP, Group, Section, frame
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.sheets.figures import inches


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
MAX_COPIES = 3
"""The copies of a strip of one piece with which the page is filled."""
STRIP_HEIGHT, STRIP_GAP = 12.0, 3.5
"""In millimeters, at the usual size of text."""


def pieces(strip: MeasuringStrip, available: float) -> tuple[Piece, ...]:
    """A strip in as few pieces as fit into ``available`` points with their tabs, cut at half inches."""
    number = 1 if strip.inches * INCH <= available else ceil(strip.inches * INCH / (available - TAB))
    step = Fraction(ceil(2 * strip.inches / number), 2)
    marks = [min(step * place, strip.inches) for place in range(number + 1)]
    return tuple(Piece(strip, marks[place], marks[place + 1], place + 1, number) for place in range(number))


def longest_strip(paper: str) -> float:
    """The length that printers reach along the long edge of a paper, which strips use."""
    return PAPERS[paper].height - 2 * CUT_MARGIN


def paper_measures(job: Job) -> Iterator[Section]:
    """The paper measures of the rulebook, to cut out, at true scale."""
    width, tall_frame = frame(job.options.paper, landscape=True)
    height = (STRIP_HEIGHT + STRIP_GAP) * job.style.unit
    head: list[Block] = [Heading(_("Paper measures"), _("print at 100 %")), Space(0.3)]
    cut = [pieces(strip, longest_strip(job.options.paper)) for strip in STRIPS]
    texts = [
        _("Cut out the strips along their outlines, and glue each tab under the next piece."),
        _("They are as long as the edges of Letter paper, which can replace a ruler: agree on one or the other."),
        _("A dashed line marks the half move unit. A Sniper shoots twice as far as the range."),
        *([] if job.options.paper == "letter" else [_("A4 paper itself does not fit: it is narrower and longer.")]),
        _("The numbers are inches, so a strip is also a ruler."),
    ]
    text = [*text_lines(translate(join(texts, " ")), job.style, width, 0.95)]
    above = Stack((*head, *text, Space(0.8)))
    left = tall_frame - above.height(job.style, width) - MASTHEAD + STRIP
    left -= height * sum(map(len, cut))
    for strip in [each for each in cut[-1:] + cut[:-1] if len(each) == 1] * MAX_COPIES:
        if left >= height:  # one for the other player too
            cut, left = [*cut, strip], left - height
    pictures = [Drawing(height, partial(_draw_piece, piece)) for strip in cut for piece in strip]
    yield Section(_("Paper measures"), [Group([*above.blocks, *pictures])], landscape=True)


def _draw_piece(piece: Piece, pen: Pen, x: float, top: float, width: float) -> None:
    """A piece at true scale, with marks at every half inch."""
    height = STRIP_HEIGHT * pen.style.unit
    x -= MARGIN - CUT_MARGIN
    long, bottom, small = float(piece.end - piece.start) * INCH, top - height, pen.style.small
    pen.rect(x, bottom, long, height, line=LINE)
    if piece.number < piece.pieces:
        _draw_tab(pen, x + long, bottom, height)
    for mark in range(int(piece.start * 2) + 1, int(piece.end * 2)):
        at = x + float(Fraction(mark, 2) - piece.start) * INCH
        pen.line(at, top, at, top - (0.12 if mark % 2 else 0.22) * height, HAIR)
        if mark % 2 == 0 and Fraction(mark, 2) != piece.strip.half:
            pen.text(at, top - 0.24 * height - small * 0.8, str(mark // 2), max(small * 0.9, 7), align="centre")
    _draw_half(piece, pen, x, top, height)
    _draw_words(piece, pen, x + 2 * MM, bottom + 0.14 * height, long)
    if piece.number == piece.pieces:
        end = x + long - 1.5 * MM
        pen.text(end, bottom + 0.14 * height, inches(piece.end), pen.style.body, face=BOLD, align="right")


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


def _draw_half(piece: Piece, pen: Pen, x: float, top: float, height: float) -> None:
    """The half move unit, if this piece has it."""
    if _half_at(piece):
        at = x + _half_at(piece)
        pen.line(at, top, at, top - height, LINE, dash=(2.5, 1.8))
        pen.text(at - 1.5 * MM, top - 0.86 * height, _half_text(piece), face=BOLD, align="right")


def _draw_tab(pen: Pen, x: float, bottom: float, height: float) -> None:
    """The tab at the right end of a piece, a little narrower."""
    low, high = bottom + 1.5, bottom + height - 1.5
    for x1, y1, x2, y2 in (
        (x, low, x + TAB, low + 1),
        (x + TAB, low + 1, x + TAB, high - 1),
        (x + TAB, high - 1, x, high),
    ):
        pen.line(x1, y1, x2, y2, HAIR, dash=(1.5, 1.5))
    with pen.transformed(x + TAB * 0.66, bottom + height / 2, rotation=90):
        pen.text(0, 0, _("glue"), pen.style.small, align="centre", ink="soft")
