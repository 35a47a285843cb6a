"""Cards of figures: scores and what is needed at each range on the face over their boxes, words on the back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, cast

from rosters.core.messages import _, join
from rosters.pdf.canvas import HAIR, MM, PALE, Pen
from rosters.pdf.cards import Blank, Card, Contents, Design, Edge, Spot, Words, back_of, card_grid
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.layout import Grid
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.drawing import figure_of
from rosters.systems.urutsk.rules import WORDS, Element
from rosters.systems.urutsk.sheets.words import SCORES, STATES, Figure, State, figures, to_hit, weapon_text

FACE = Design(
    {
        "picture": Spot(4.4, 4.6, 22, 22),
        "scores": Spot(28, 4.4, 30.4, 11),
        "ranges": Spot(28, 15.8, 30.4, 10.2),
        "name": Spot(5, 27.4, 53, 6.4, 15, NAME),
        "kind": Spot(5, 33.9, 53, 3.4, 8, ink="soft"),
        "edge": Spot(5, 37.8, 53, 0.9),
        "boxes": Spot(5, 39.2, 53, 45, grows=True),
    },
    {
        "picture": Spot(4.6, 4.6, 20, 20),
        "name": Spot(5, 25, 32, 9.6, 14, NAME),
        "kind": Spot(5, 34.8, 32, 6.4, 8, ink="soft"),
        "scores": Spot(5, 42, 32, 12),
        "ranges": Spot(41, 4.6, 42, 9.4),
        "edge": Spot(41, 14.8, 42, 0.9),
        "boxes": Spot(41, 16.6, 42, 42),
    },
)
BOX, STEP, ROW = 4.5, 4.75, 8.2
"""In millimeters: the side of a box, from one to the next, and from a row of boxes with their labels to the next."""
RANGE_LETTERS = (_("PB"), _("S"), _("M"), _("L"), _("E"))
"""The ranges from point-blank to extreme."""
LINES = (("out", "spare"), ("uncommanded", "unconscious"), ("injured", "immobile", "dead"))
"""The states below Fate and lost rounds, in lines."""
BLANK_FATE, BLANK_FIGURES = 5, 2


def cards(job: Job) -> Iterator[Grid]:
    """Cards of figures; equal figures share one as long as there is room, blank ones fill a page."""
    yield card_grid(job, _("Cards"), _blank_cards(job) if job.blank else _cards(job), FACE)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    for position, formation, _priced in job.formations():
        for entry in job.entries(position):
            rows, element = figures(job, entry), cast(Element, entry.element)
            fits = max(1, int(FACE.upright["boxes"].height // _height(element.fate)))
            while some := (*islice(rows, fits),):
                yield formation.name or WORDS.formation, _card(job, entry, some)


def _card(job: Job, entry: PrintedElement, shown: tuple[Figure, ...]) -> Card:
    element, count = cast(Element, entry.element), f" × {entry.quantity}" if entry.quantity != 1 else ""
    name = f"{entry.name}{count}"
    command = [_("command-capable")] if element.command else []
    face: Contents = {
        "picture": figure_of(element),
        "scores": Scores(tuple(str(getattr(element, field)) for field, _name, _letter in SCORES)),
        "ranges": Ranges(tuple((hits, again) for _range, hits, again in to_hit(element))),
        "name": name,
        "kind": join((tables.FIRE[element.fire].name, *command), " · "),
        "edge": Edge(),
        "boxes": FigureBoxes(shown),
    }
    ranges = join(_("{range} {face}").format(range=title, face=hits) for title, hits, _again in to_hit(element))
    again = join(_("{range} {face}").format(range=title, face=face) for title, _hits, face in to_hit(element))
    paragraphs = [
        (_("Weapon, cover and armor"), weapon_text(element)),
        (_("Hits without cover"), ranges),
        (_("Rolls again"), again),
    ]
    return Card(face, back_of(job, name, job.document.name, Words((*paragraphs,), element.notes)))


def _height(fate: int) -> float:
    """The height of one figure's boxes in millimeters."""
    return ROW + 3 * STEP + (-(-max(fate, 1) // 6) - 1) * STEP


class Scores(NamedTuple):
    """Ranged, Close and Weapon ability under their letters; fields on a blank card of that name."""

    values: tuple[str, ...]
    name: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        wide = width / len(SCORES)
        for number, (field, spoken, letter) in enumerate(SCORES):
            middle = x + (number + 0.5) * wide
            pen.label(middle, top - 2.6 * MM, letter, align="centre")
            if self.name:
                left, low = middle - 4 * MM, top - 11.4 * MM
                pen.rect(left, low, 8 * MM, 8 * MM, line=HAIR, fill=0)
                pen.field(f"{self.name}.{field}", left, low, 8 * MM, 8 * MM, spoken=spoken)
            else:
                pen.fit(middle - wide / 2, top - 9.2 * MM, self.values[number], wide, 19, face=NAME, align="centre")


class Ranges(NamedTuple):
    """For each range the face that hits and, below, the face that explodes."""

    faces: tuple[tuple[str, str], ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        wide, tall = width / len(self.faces), 7.3 * MM
        for number, (hits, again) in enumerate(self.faces):
            left = x + number * wide
            pen.text(left + wide / 2, top - 2.2 * MM, RANGE_LETTERS[number], 7, face=NARROW, align="centre", ink="deep")
            low = top - 2.8 * MM
            pen.rect(left, low - tall, wide, tall, line=HAIR, fill=PALE if number % 2 == 0 else 0)
            pen.fit(left, low - 3.4 * MM, hits, wide, 10, face=NARROW_BOLD, align="centre")
            words = _("↻ {face}").format(face=again) if again != "–" else "–"
            pen.fit(left, low - 6.5 * MM, words, wide, 7.5, face=NARROW, align="centre", ink="soft")


class FigureBoxes(NamedTuple):
    """For each figure its Fate and lost rounds, and below them its ammunition and wounds."""

    figures: tuple[Figure, ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        for figure in self.figures:
            fate = State("fate", (_("Fate"),), 0)
            per_row = max(1, int((width / MM - 4 * STEP - 3) // STEP))
            pen.text(x, top - 2.2 * MM, join(filter(None, (fate.name, figure.number)), " "), 7, face=NARROW_BOLD)
            rows = -(-len(figure.fate) // per_row)
            for box, lost in enumerate(figure.fate):
                place = x + box % per_row * STEP * MM, top - (3 + box // per_row * STEP + BOX) * MM
                self._box(pen, figure, fate, box, place, lost)
            left = x + width - 4 * STEP * MM
            lost_rounds = STATES[0]
            pen.text(left, top - 2.2 * MM, lost_rounds.name, 7, face=NARROW)
            for box in range(lost_rounds.boxes):
                self._box(pen, figure, lost_rounds, box, (left + box * STEP * MM, top - (3 + BOX) * MM))
            top -= (ROW + max(rows - 1, 0) * STEP) * MM
            for line in LINES:
                left = x
                for state in (state for code in line for state in STATES if state.key == code):
                    self._box(pen, figure, state, 0, (left, top - BOX * MM))
                    pen.text(left + (BOX + 0.8) * MM, top - 3.2 * MM, state.name, 7, face=NARROW)
                    left += width / len(line)
                top -= STEP * MM
            pen.line(x, top + 0.1 * MM, x + width, top + 0.1 * MM, HAIR, ink="line")
            if figure.remark:
                pen.fit(
                    x + 20 * MM,
                    top + (ROW + 3 * STEP - 2.6) * MM,
                    figure.remark,
                    width / 2 - 20 * MM,
                    7,
                    face=NARROW,
                )

    @staticmethod
    def _box(
        pen: Pen, figure: Figure, state: State, box: int, place: tuple[float, float], marked: bool = False
    ) -> None:
        spoken = _("{name}: {state} {n}").format(name=figure.name, state=state.name, n=box + 1)
        pen.box(*place, BOX * MM, marked=marked, name=f"{figure.path}.{state.key}.{box}", spoken=spoken)


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    number = 0
    while True:
        path = f"card{number}"
        shown = tuple(
            Figure((False,) * BLANK_FATE, f"{path}.m{row}", str(row + 1), WORDS.element) for row in range(BLANK_FIGURES)
        )
        face: Contents = {
            "scores": Scores((), path),
            "name": Blank(f"{path}.name", spoken=WORDS.element),
            "kind": Blank(f"{path}.weapon", spoken=_("Weapon")),
            "edge": Edge(),
            "boxes": FigureBoxes(shown),
        }
        yield "", Card(face)
        number += 1
