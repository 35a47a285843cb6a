"""Cards of stands: picture, move, range and strength boxes on the face, equipment and rules in words on the back."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import chain, count, groupby
from typing import NamedTuple

from rosters.core.messages import Message, _, join
from rosters.pdf.blocks import MIN_BOX
from rosters.pdf.canvas import BOX, MM, TINT, Pen
from rosters.pdf.cards import Blank, Card, Contents, Design, Edge, Spot, Words, back_of, card_grid
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.layout import Grid
from rosters.systems.six_mm.dice import against, totals
from rosters.systems.six_mm.drawing import stand_from_above
from rosters.systems.six_mm.play import move, special_rules, weapon_range
from rosters.systems.six_mm.rules import MAX_STRENGTH, signed, strength, times
from rosters.systems.six_mm.sheets.block import Sorties, draw_blank_counter
from rosters.systems.six_mm.sheets.stand import NONE, MoveAndRange, Stand, army_stands, equipment, kind, move_and_range
from rosters.systems.six_mm.tables import GENERALS, TYPES

LINES = 3
"""Lines of strength boxes on a card: identical stands share one."""
ACROSS = 9
"""Boxes in a line."""
ALONE = 6.4 * MM
"""The side of the boxes of a stand that has its card alone, at most."""
LABELED = 6.4 * MM
"""Right of the boxes, for the words of what is below them."""

FACE = Design(
    {
        "counter": Spot(5, 5.4, 29, 20.2),
        "points": Spot(36, 4.6, 22.2, 6.6, 20, NAME, "right"),
        "worth": Spot(36, 11.2, 22.2, 3, 7.5, align="right", ink="soft"),
        "above": Spot(36, 14.6, 22.2, 16.8),
        "name": Spot(5, 30.8, 53, 6.6, 16, NAME),
        "kind": Spot(5, 37.2, 53, 6.6, 8, ink="soft"),
        "edge": Spot(5, 44, 53, 0.9),
        "figures": Spot(5, 46, 53, 9),
        "boxes": Spot(5, 55.6, 53, 28.4, grows=True),
    },
    {
        "counter": Spot(5, 5, 29, 20.2),
        "name": Spot(5, 26.4, 34, 8, 15, NAME),
        "kind": Spot(5, 34.6, 34, 6.6, 8.5, ink="soft"),
        "above": Spot(5, 42, 22.2, 16.8),
        "points": Spot(28, 44, 11, 6.6, 18, NAME, "right"),
        "worth": Spot(28, 50.6, 11, 3, 7.5, align="right", ink="soft"),
        "figures": Spot(43, 5, 40, 12),
        "edge": Spot(43, 18.4, 40, 0.9),
        "boxes": Spot(43, 21, 40, 38, grows=True),
    },
)


def cards(job: Job) -> Iterator[Grid]:
    """Cards of stands, with a line of boxes for each of some identical ones; blank ones fill a page."""
    army = _stand_cards(job)
    first = next(army, None)
    every = _blank_cards(job) if job.blank or first is None else chain((first,), army)
    yield card_grid(job, _("Stand cards"), every, FACE)


def _stand_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for stands in _together(job):
        yield _stand_card(job, stands)


def _together(job: Job) -> Iterator[tuple[Stand, ...]]:
    """Stands that share a card: identical ones in equal parts, as many as have room, or each alone."""
    for _entry, group in groupby(army_stands(job), key=lambda stand: id(stand.entry)):
        alike = [*group]
        cards = -(-len(alike) // _room(job, alike[0]))
        shared, more = divmod(len(alike), cards)
        for number in range(cards):
            first = number * shared + min(number, more)
            yield tuple(alike[first : first + shared + (number < more)])


def _room(job: Job, stand: Stand) -> int:
    """How many stands like this have room on a card."""
    if not job.options.merge or stand.element.type == "AIR":
        return 1
    across, lines = (6, 4) if job.choice("card-size", "upright") == "landscape" else (ACROSS, LINES)
    return max(1, min(LINES, lines // max(1, -(-len(stand.marked) // across))))


def _stand_card(job: Job, stands: tuple[Stand, ...]) -> tuple[str, Card]:
    stand = stands[0]
    element, each = stand.element, stand.entry.priced.unit_points
    command = job.document.formations[stand.entry.sources[0][0]].name
    name = _range(stands)
    face: Contents = {
        "counter": job.counter(element, large=False),
        "points": job.amount(each),
        "worth": job.points,
        "above": stand_from_above(element, job.terms),
        "name": name,
        "kind": join((kind(element), *equipment(element, element.duplicates), *against(element))),
        "edge": Edge(),
        "figures": CardFigures(move_and_range(element, stand.model.path, name, choices=True, firearms=stand.firearms)),
        "boxes": CardBoxes(stands),
    }
    owner = join([part for part in (job.document.name, command) if part], " · ")
    words = Words(tuple(_words(stand)), element.notes)
    return command, Card(face, back_of(job, name, owner, words))


def _range(stands: tuple[Stand, ...]) -> str:
    """The common name of stands, with the numbers of the first and the last of several."""
    if len(stands) == 1:
        return stands[0].name
    first, last = stands[0].name, stands[-1].name
    base, _space, number = last.rpartition(" ")
    return f"{first}–{number}" if first.startswith(f"{base} ") else first


def _words(stand: Stand) -> Iterator[tuple[str, str]]:
    """The back of a card: what the stand is, its general, its alternates, its rules."""
    element = stand.element
    if element.type in TYPES:
        yield join((element.type, TYPES[element.type].name), " "), TYPES[element.type].text
    if element.general:
        rating = GENERALS[element.general]
        yield rating.title, _("Initiative {change}").format(change=signed(rating.value))
    for alternate in element.duplicates:
        what = times(alternate.quantity, join((alternate.type or NONE, *equipment(alternate))))
        facts = (
            _("strength {strength}").format(strength=strength(alternate) if alternate.type in TYPES else NONE),
            _("move {squares}").format(squares=move(alternate).text or NONE),
            _("range {squares}").format(squares=weapon_range(alternate, firearms=stand.firearms).text or NONE),
        )
        yield _("or {stand}").format(stand=what), join(facts)
    yield from special_rules(element)


# ---------------------------------------------------------------- contents


def _usual(pen: Pen) -> Pen:
    """A pen for usual print: cards in large print are scaled as wholes."""
    small = copy(pen)
    small.style = pen.style._replace(body=9.0)
    return small


class CardFigures(NamedTuple):
    """Move and range."""

    figures: MoveAndRange

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        self.figures.draw(_usual(pen), x, top, width)


class CardBoxes(NamedTuple):
    """A line of strength boxes for each stand, under the last what the strength left adds; loads of aircraft."""

    stands: tuple[Stand, ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        stand, several = self.stands[0], len(self.stands) > 1
        left, top = x + (4 * MM if several else 0), top - 2.8 * MM
        width -= LABELED
        pen.label(x, top, _("Strength"))
        pen.text(
            x + width + LABELED, top, _("routs at {strength}").format(strength=stand.routs_at), 8,
            face=NARROW, align="right", ink="soft",
        )  # fmt: skip
        top -= 1.6 * MM
        for each in self.stands:
            if several:
                number = each.name.rpartition(" ")[2]
                pen.text(left - 1 * MM, top - 3.4 * MM, number, 8, face=NARROW_BOLD, align="right", ink="soft")
            top = self._draw_line(pen, each, left, top, x + width - left)
        if stand.element.type == "AIR":
            Sorties(stand).draw(_usual(pen), x, top - 2 * MM, width)

    @property
    def _rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What each strength adds to the die."""
        element = self.stands[0].element
        return tuple(totals(element, bool(weapon_range(element).parts), len(self.stands[0].marked)))

    def _grid(self, total: int, width: float) -> tuple[int, float, float]:
        """Boxes in a row, the step from one to the next, and their side; of a stand alone as large as they fit."""
        alone = len(self.stands) == 1
        rows = max(1, -(-total // min(ACROSS, int(width // (MIN_BOX + 0.2 * MM)))))
        across = -(-total // rows)
        step = min(ALONE if alone else 6 * MM, width / max(across, 1))
        return (
            across,
            step,
            max(MIN_BOX, min(step - 0.6 * MM, ALONE if alone else MIN_BOX if len(self.stands) > 2 else BOX)),
        )

    def _draw_line(self, pen: Pen, stand: Stand, x: float, top: float, width: float) -> float:
        """The boxes of a stand in rows; returns where they end."""
        rows = self._rows if stand is self.stands[-1] else ()
        total, below = len(stand.marked), 3.0 * MM * len(rows)
        routs = total - ((stand.track and stand.track.breaks_at) or total)
        across, step, side = self._grid(total, width)
        low, large = top, side > BOX
        for number, mark in enumerate(stand.marked):
            row, place = divmod(number, across)
            box, low, remaining = x + place * step, top - (row + 1) * (side + 0.7 * MM) - row * below, total - number
            pen.box(
                box, low, side, marked=mark, fill=TINT if remaining <= routs else 0,
                label="" if large else str(remaining),
                name=f"{stand.model.path}.strength.{number}",
                tooltip=_("{stand}: strength {number} of {total}").format(
                    stand=stand.name, number=number + 1, total=total
                ),
            )  # fmt: skip
            if large and not mark:
                pen.text(
                    box + side / 2,
                    low + side / 2 - 3.8,
                    str(remaining),
                    11,
                    face=NARROW_BOLD,
                    align="centre",
                    ink="soft",
                )
            if remaining == routs + 1 and routs:
                edge = box + side + (step - side) / 2
                pen.line(edge, low - 0.5 * MM, edge, low + side + 0.5 * MM, 0.9 * MM)
            for line, (words, adds) in enumerate(rows):
                baseline = low - (2.6 + 3.0 * line) * MM
                pen.text(box + side / 2, baseline, adds[number], 7, face=NARROW, align="centre")
                if place == 0:
                    pen.text(x + width + LABELED, baseline, words, 7, face=NARROW, align="right", ink="soft")
        return low - below


# ---------------------------------------------------------------- blank cards

BLANK_LINES = (("type", _("Type")), ("transport", _("Equipment")))


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number in count():
        path = f"card{number}"
        face: Contents = {
            "counter": BlankCounter(),
            **({"points": Blank(f"{path}.points", _("Points"))} if job.points else {}),
            "name": Blank(f"{path}.name", _("Stand")),
            "above": BlankRow(path, BLANK_LINES[:1]),
            "kind": BlankRow(path, BLANK_LINES[1:]),
            "figures": BlankRow(path, (("move", _("Move")), ("range", _("Range")), ("routs", _("Routs at")))),
            "boxes": BlankBoxes(path),
        }
        yield "", Card(face)


class BlankCounter(NamedTuple):
    """A counter without a symbol and a number, to draw them."""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        draw_blank_counter(pen, x, top, width)


class BlankRow(NamedTuple):
    """Lines to write on side by side, each over its label."""

    path: str
    fields: tuple[tuple[str, Message], ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        step = width / len(self.fields)
        for number, (key, label) in enumerate(self.fields):
            blank = Blank(f"{self.path}.{key}", label)
            blank.draw(pen, x + number * step, top, step - 2 * MM, max(height, 8.2 * MM))


class BlankBoxes(NamedTuple):
    """A box for each strength that a stand can have."""

    path: str

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.label(x, top - 3.2 * MM, _("Strength"))
        across = min(8, int(width // (BOX + 0.3 * MM)))
        for number in range(MAX_STRENGTH):
            row, place = divmod(number, across)
            tooltip = _("Strength {number} of {total}").format(number=number + 1, total=MAX_STRENGTH)
            pen.box(
                x + place * (width / across), top - 10.4 * MM - row * 6.2 * MM, BOX,
                name=f"{self.path}.strength.{number}", label=str(MAX_STRENGTH - number), tooltip=tooltip,
            )  # fmt: skip
