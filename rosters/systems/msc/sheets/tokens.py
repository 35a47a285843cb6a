"""Tokens at the size of the map's hexes: ships, and in the strategic game fleets and systems."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from math import ceil

from rosters.core.messages import _
from rosters.pdf.blocks import NoteLines, Stack
from rosters.pdf.canvas import MM
from rosters.pdf.job import Job
from rosters.pdf.sections import SECTION_GAP, Group, Section, frame
from rosters.pdf.tokens import Token, TokenHead, TokenRow, per_row, rows
from rosters.systems.msc.drawing import ANGLES, FLEET, SYSTEM
from rosters.systems.msc.rules import STRATEGIC
from rosters.systems.msc.sheets.reference import ChartBelow
from rosters.systems.msc.sheets.ships import HEX_SIZE, PrintedShip, ships, silhouette

SYSTEMS, FREE = 5, 5
"""Tokens for systems of one's own, and the fewest for free ones."""
BLANKS = 40


def tokens(job: Job) -> Iterator[Section]:
    """Tokens to cut out; with backs, on pages for duplex printing along the long edge."""
    hex_size = float(job.choice("counters", job.choice("hexes", HEX_SIZE))) * MM
    width = frame(job.options.paper, bare=True)[0]
    number = per_row(width, hex_size)
    tokens = [*_ships(job)]
    if job.document.scenario == STRATEGIC:
        tokens += _strategic(job)
        tokens += [Token(SYSTEM, _("free"), kind=_("System"), front=False, blank=True)] * (
            FREE + -(len(tokens) + FREE) % number
        )
    title = _("Tokens")
    text = _("Tokens for hexes of {n} mm, true size; thick edge: bow, dark sides: weapons").format(
        n=round(hex_size / MM)
    )
    head = TokenHead(text, hex_size)
    strategic = job.document.scenario == STRATEGIC
    if job.choice("backs", "none") == "none":
        growing = job.blank or strategic
        free = partial(_free_rows, number=number, hex_size=hex_size, strategic=strategic)
        rest = free if growing else partial(ChartBelow, hex_size=hex_size)
        yield Section(title, [Group(rows(tokens, width, hex_size), head, title)], keep_together=growing, rest=rest)
        return
    yield from _with_backs(job, tokens, head, strategic=strategic)


def _with_backs(job: Job, tokens: list[Token], head: TokenHead, *, strategic: bool) -> Iterator[Section]:
    """Pages of tokens, each with the page of their backs. In the strategic game tokens for the ships to be built fill
    the last one, else the chart does, with lines for notes behind it.
    """
    (width, height), hex_size = frame(job.options.paper, bare=True), head.diameter
    number, title, back = per_row(width, hex_size), _("Tokens"), _("destroyed")
    high = max(1, int((height - head.height(job.style, width)) // hex_size))
    used = ceil(len(tokens) / number)
    tokens += [Token(blank=True)] * (used * number - len(tokens))
    growing = strategic or job.blank
    if growing:
        tokens += chain.from_iterable(_free(-used % high, number, strategic=strategic))
    rests = (None, None) if growing else (partial(ChartBelow, hex_size=hex_size), NoteLines)
    backs = TokenHead(_("Backs, for duplex along the long edge"), hex_size)
    for start in range(0, len(tokens), number * high):
        page = tokens[start : start + number * high]
        for heading, word, rest in zip((head, backs), ("", back), rests, strict=True):
            group = Group(rows(page, width, hex_size, word), heading)
            yield Section(title, [group], bare=True, new_page=True, rest=rest)


def _free_rows(available: float, number: int, hex_size: float, *, strategic: bool) -> Stack:
    """The tokens for the ships to be built, so many in a row, in the rest of a page."""
    free = _free(int((available + SECTION_GAP) // hex_size), number, strategic=strategic)
    return Stack(tuple(TokenRow(row, hex_size) for row in free))


def _free(row_count: int, number: int, *, strategic: bool) -> Iterator[tuple[Token, ...]]:
    """Rows of tokens for the ships to be built, so many in a row; in the strategic game a quarter is for fleets."""
    ship, fleet = Token(blank=True), Token(FLEET, kind=_("Fleet"), front=False, blank=True)
    formed = row_count // 4 if strategic else 0
    yield from ((ship,) * number,) * (row_count - formed) + ((fleet,) * number,) * formed


def _ships(job: Job) -> Iterator[Token]:
    for ship in ships(job, BLANKS):
        yield _token(ship)


def _token(ship: PrintedShip) -> Token:
    if ship.element is None:
        return Token(blank=True)
    weapons = tuple(-angle for side, angle in ANGLES.items() if side in ship.element.weapons)
    return Token(silhouette(ship.design(0)), ship.name, str(ship.unit), weapons)


def _strategic(job: Job) -> Iterator[Token]:
    """A token for each fleet, the home system, and systems of one's own."""
    for _number, formation, _priced in job.formations():
        yield Token(FLEET, formation.name, kind=_("Fleet"), front=False)
    yield Token(SYSTEM, _("home"), kind=_("System"), front=False)
    for _each in range(SYSTEMS):
        yield Token(SYSTEM, _("ours"), kind=_("System"), front=False)
