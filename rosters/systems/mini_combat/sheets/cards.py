"""Element cards, to cut out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rosters.core.messages import _, join, ngettext
from rosters.pdf.blocks import Block, Boxes, Paragraph, Space, Stack
from rosters.pdf.canvas import HAIR, MM, Ink, Pen, Style
from rosters.pdf.fonts import BOLD, REGULAR, ems
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.layout import Grid
from rosters.pdf.text import ELLIPSIS, LEADING, FittedText, fit_text
from rosters.systems.mini_combat.play import unit_name, unit_size
from rosters.systems.mini_combat.rules import Element, capability_name
from rosters.systems.mini_combat.sheets.words import (
    SMALL,
    element_of,
    in_full,
    notes_of,
    points_text,
    stat_texts,
    text_blocks,
)
from rosters.systems.mini_combat.tables import STATS

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
            return Boxes((False,) * CARD_BLANK_BOXES, names=names)
        if not self.entry.quantity:
            return Paragraph(_("No elements."), SMALL)
        if self.entry.quantity > MAX_CARD_BOXES:
            text = ngettext(
                "{n} element: use the unit sheet.", "{n} elements: use the unit sheet.", self.entry.quantity
            )
            return Paragraph(text.format(n=self.entry.quantity), SMALL)
        track = self.job.tracks(self.entry.element)[0]
        models = [*self.entry.models]
        marked = tuple(self.job.marked(track, model.mark)[0] for model in models)
        return Boxes(marked, names=tuple(f"{model.path}.{track.key}.0" for model in models))


def _card_head(pen: Pen, card: Card, x: float, top: float, width: float) -> float:
    """Draw name and points, then the unit; returns the new top."""
    body = pen.style.body
    if card.entry is None:
        pen.line(x, top - body * 1.5, x + width, top - body * 1.5, HAIR)
        pen.field(f"{card.path}.name", x, top - body * 1.5, width, body * 1.5)
        pen.text(x, top - body * 2.4, _("Element"), body * 0.72, ink="soft")
        return top - body * 2.8
    points = points_text(card.job, card.entry.priced.each)
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
