"""Element cards: picture, stats and boxes on the face, abilities in words on the back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.messages import Message, _, join, ngettext
from rosters.pdf.blocks import Boxes
from rosters.pdf.canvas import HAIR, MM, Pen
from rosters.pdf.cards import Blank, Card, Contents, Design, Edge, Spot, Words, back_of, card_grid
from rosters.pdf.fonts import NAME, NARROW
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.layout import Grid
from rosters.systems.mini_combat.drawing import fire_arc_of
from rosters.systems.mini_combat.play import unit_name, unit_size
from rosters.systems.mini_combat.rules import capability_name
from rosters.systems.mini_combat.sheets.words import (
    ability_text,
    element_of,
    in_full,
    notes_of,
    points_text,
    stat_texts,
)
from rosters.systems.mini_combat.tables import KINDS, STATS

FACE = Design(
    {
        "picture": Spot(5, 5, 33, 23),
        "arc": Spot(40.5, 9, 17.5, 19),
        "points": Spot(38, 4.6, 20, 4, 9, align="right"),
        "name": Spot(5, 28.8, 53, 6.4, 15, NAME),
        "kind": Spot(5, 35.2, 53, 3.4, 8, ink="soft"),
        "edge": Spot(5, 39, 53, 0.9),
        "stats": Spot(5, 40.6, 53, 27),
        "boxes": Spot(5, 68.4, 53, 15.4, grows=True),
    },
    {
        "picture": Spot(5, 5, 28, 19.6),
        "arc": Spot(34, 6, 14, 18),
        "name": Spot(5, 26, 41, 10, 14, NAME),
        "kind": Spot(5, 36.2, 41, 6.6, 8, ink="soft"),
        "boxes": Spot(5, 43, 41, 15.4),
        "points": Spot(58, 4.6, 25, 4, 9, align="right"),
        "edge": Spot(50, 9.6, 33, 0.9),
        "stats": Spot(50, 11.4, 33, 47),
    },
)
MAX_BOXES = 30
"""A card of more elements has their number, and boxes are on the unit sheet."""
BLANK_BOXES = 10


def cards(job: Job) -> Iterator[Grid]:
    """A card for each kind of element in a unit; blank ones fill a page."""
    yield card_grid(job, _("Element cards"), _blank_cards(job) if job.blank else _cards(job), FACE)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    for index, unit, priced in job.formations():
        name, models, test = unit_name(unit, index), unit_size(unit), ""
        if models > 1:
            text = _("The unit tests morale at {n} of {total} lost.")
            test = text.format(n=priced.facts["morale_test_at"], total=models)
        for entry in job.entries(index):
            yield name, _card(job, entry, name, test)


def _card(job: Job, entry: PrintedElement, unit: str, test: Message | str) -> Card:
    element, name = element_of(entry), entry.name
    points = points_text(job, entry.priced.each)
    parts = [KINDS[element.kind], unit if unit != name else ""]
    face: Contents = {
        "picture": job.counter(element),
        "arc": fire_arc_of(element) or "",
        "points": points,
        "name": name,
        "kind": join(filter(None, parts), " · "),
        "edge": Edge(),
        "stats": Stats((*stat_texts(element), str(entry.quantity))),
        "boxes": _boxes(job, entry),
    }
    paragraphs = [
        (capability_name(modifier), ability_text(modifier, full=in_full(job))) for modifier in element.capabilities
    ]
    if free := notes_of(element):
        paragraphs.append((KINDS[element.kind], free))
    if test:
        paragraphs.append((_("Morale"), test))
    return Card(face, back_of(job, name, job.document.name, Words((*paragraphs,), element.notes)))


class Stats(NamedTuple):
    """The seven stats and the number of elements, each under its name; fields on a blank card of that name."""

    values: tuple[str, ...]
    name: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        labels = {**STATS, "elements": _("Elements")}
        across = 4 if width > 40 * MM else 2
        wide, tall = width / across, height / (len(labels) / across)
        for number, (field, label) in enumerate(labels.items()):
            left, upper = x + number % across * wide, top - number // across * tall
            if number % across:
                pen.line(left, upper - 1 * MM, left, upper - tall + 1.2 * MM, HAIR, ink="line")
            pen.fit(
                left + 0.4 * MM, upper - 3.4 * MM, label, wide - 0.8 * MM, 8, face=NARROW, align="centre", ink="deep"
            )
            low = upper - tall + 1.4 * MM
            if self.name:
                pen.field(f"{self.name}.{field}", left, low, wide, tall - 5 * MM, spoken=label)
            else:
                size = min(20, (tall - 5 * MM) * 1.1)
                pen.fit(
                    left + 0.5 * MM, low + 1.2 * MM, self.values[number], wide - 1 * MM, size, face=NAME, align="centre"
                )


class Losses(NamedTuple):
    """A box for each model."""

    boxes: Boxes

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        self.boxes.draw(pen, x, top, width)


def _boxes(job: Job, entry: PrintedElement) -> str | Losses:
    if not entry.quantity:
        return _("No elements.")
    if entry.quantity > MAX_BOXES:
        text = ngettext("{n} element: use the unit sheet.", "{n} elements: use the unit sheet.", entry.quantity)
        return text.format(n=entry.quantity)
    track, models = job.tracks(entry.element)[0], [*entry.models]
    return Losses(
        Boxes(
            tuple(job.marked(track, model.mark)[0] for model in models),
            names=tuple(f"{model.path}.{track.key}.0" for model in models),
            spoken=tuple(_("{name}: {box}").format(name=model.name, box=track.label) for model in models),
            size=0.9,
        )
    )


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    number = 0
    while True:
        path = f"card{number}"
        names = tuple(f"{path}.m{box}.out.0" for box in range(BLANK_BOXES))
        face: Contents = {
            "picture": Blank(f"{path}.kind", _("Kind")),
            "points": Blank(f"{path}.each", spoken=job.points) if job.points else "",
            "arc": Blank(f"{path}.arc", _("Fire arc")),
            "name": Blank(f"{path}.name", spoken=job.words.element),
            "edge": Edge(),
            "stats": Stats((), path),
            "boxes": Losses(Boxes((False,) * BLANK_BOXES, names=names, size=0.9)),
        }
        yield "", Card(face)
        number += 1
