"""Cards of figures: scores and what is needed at each range on the face over their boxes, rules on the back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, islice
from math import ceil
from typing import NamedTuple, cast

from rosters.core.amounts import with_minus_sign
from rosters.core.messages import Message, _, join, translate
from rosters.pdf.canvas import HAIR, MM, PALE, Pen
from rosters.pdf.cards import Blank, Card, CardText, Contents, Design, Edge, Spot, back_of, card_grid
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.sections import Grid
from rosters.pdf.text import LEADING, MIN_SIZE
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.drawing import figure_of
from rosters.systems.urutsk.rules import WORDS, Element
from rosters.systems.urutsk.sheets.texts import SCORES, STATES, Figure, State, figures, to_hit, weapon_text

FACE = Design(
    {
        "picture": Spot(4.8, 4.8, 19.4, 19.4),
        "scores": Spot(26, 5.6, 32.4, 16),
        "name": Spot(5, 25, 53, 6.6, 16, NAME),
        "kind": Spot(5, 31.7, 53, 3.3, 8, ink="soft"),
        "edge": Spot(5, 35.6, 53, 0.9),
        "ranges": Spot(5, 37.6, 53, 12.6),
        "boxes": Spot(5, 52.2, 53, 31.6, grows=True),
        "figure": Spot(4.8, 4.8, 14, 14),
        "shared scores": Spot(21, 4.8, 37, 14),
        "names": Spot(5, 19.4, 53, 6, 15, NAME),
        "weapon": Spot(5, 25.5, 53, 3.2, 8, ink="soft"),
        "line": Spot(5, 29.4, 53, 0.9),
        "shared ranges": Spot(5, 31, 53, 11.6),
        "shared boxes": Spot(5, 43.6, 53, 41.2, grows=True),
    },
    {
        "picture": Spot(4.8, 4.8, 19.4, 19.4),
        "name": Spot(5, 25, 31, 9.6, 15, NAME),
        "kind": Spot(5, 34.8, 31, 6.4, 8, ink="soft"),
        "scores": Spot(5, 43, 31, 15),
        "ranges": Spot(39, 5, 44, 12.6),
        "edge": Spot(39, 19.6, 44, 0.9),
        "boxes": Spot(39, 22.4, 44, 36),
        "figure": Spot(4.8, 4.8, 19.4, 19.4),
        "names": Spot(5, 25, 31, 9.6, 15, NAME),
        "weapon": Spot(5, 34.8, 31, 6.4, 8, ink="soft"),
        "shared scores": Spot(5, 43, 31, 15),
        "shared ranges": Spot(39, 5, 44, 12.6),
        "line": Spot(39, 19.6, 44, 0.9),
        "shared boxes": Spot(39, 22, 44, 37),
    },
)
"""The spots of a card of one figure, then those of one that figures share."""
FIGURES_PER_CARD = {"upright": (3, 6), "landscape": (2, 4), "tall": (5, 6)}
"""How many figures share a card, and up to how much Fate, by the size of cards."""
STATE_LETTERS = {
    "out": _("A"),
    "spare": _("S"),
    "uncommanded": _("O"),
    "injured": _("I"),
    "immobile": _("M"),
    "unconscious": _("U"),
    "dead": _("D"),
}
"""The states in the boxes of a card that figures share."""
SCORE_NAMES = (_("Ranged"), _("Close"), _("Weapon"))
STATE_LINES = (("out", "spare"), ("uncommanded", "unconscious"), ("injured", "immobile", "dead"))
"""The states below Fate and lost rounds, in lines."""
MIN_STEP, MAX_STEP = 4.65, 6.6
"""The least and the largest distance from one box to the next, in millimeters."""
FATE_WIDTH, MAX_FATE = 0.54, 18
"""The share of the width for the boxes of Fate; a card of more Fate has a line to write on."""
BLANK_FATE = 5


def cards(job: Job) -> Iterator[Grid]:
    """A card for each figure, or for a few that are alike; blank ones fill a page."""
    yield card_grid(job, _("Cards"), _blank_cards(job) if job.blank else _cards(job), FACE)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    max_figures, max_fate = FIGURES_PER_CARD[job.choice("card-size", "upright")]
    for position, formation, _priced in job.formations():
        for entry in job.entries(position):
            remaining, element = figures(job, entry), cast(Element, entry.element)
            number_of_cards = ceil(entry.quantity / (max_figures if element.fate <= max_fate else 1))
            while on_card := (*islice(remaining, ceil(entry.quantity / max(number_of_cards, 1))),):
                yield formation.name or WORDS.formation, _card(job, entry, on_card)


def _card(job: Job, entry: PrintedElement, on_card: tuple[Figure, ...]) -> Card:
    """A card of a figure, or one that figures share."""
    element, figure, last = cast(Element, entry.element), on_card[0], on_card[-1]
    name, number = figure.name, figure.number
    if len(on_card) > 1:
        number = f"{number}–{last.number}"
        name = join((entry.name, number), " ")
    command = [_("command-capable")] if element.command else []
    several = [_("{n} of {total}").format(n=number, total=entry.quantity)] if number else []
    scores = Scores(tuple(with_minus_sign(str(getattr(element, field))) for field, _name, _letter in SCORES))
    kind = join((tables.FIRE[element.fire].name, *command, *several), " · ")
    contents = (figure_of(element), scores, Ranges(tuple(to_hit(element))), name, kind, Edge())
    if len(on_card) > 1:
        spots = ("figure", "shared scores", "shared ranges", "names", "weapon", "line", "shared boxes")
        face: Contents = dict(zip(spots, (*contents, SharedBoxes(on_card)), strict=True))
    else:
        spots = ("picture", "scores", "ranges", "name", "kind", "edge", "boxes")
        face = dict(zip(spots, (*contents, FigureBoxes(figure, element.fate)), strict=True))
    back = CardText((*_rules(element),), element.notes)
    return Card(face, back_of(job, name, job.document.name, back))


def _rules(element: Element) -> Iterator[tuple[str, str]]:
    """The weapon, and the rolls of play with the numbers of the figure."""
    yield _("Weapon, cover and armor"), weapon_text(element)
    if element.fire == "burst":
        case, effect = tables.BURST[0]
        yield _("Bursts"), _("{case}: {effect}.").format(case=case, effect=effect)
    fire = _("{roll} − range − cover: so many hit points. From {explodes} on roll again (↻) and add.")
    explodes = tables.FIRE[element.fire].explodes
    yield _("Ranged fire"), fire.format(roll=_die_with(element.ranged), explodes=explodes)
    miss = _("Result of {miss} or less. D6: 1 ammunition check, passed by {roll} of 6 or more; 6 hits another near.")
    last = tables.last_miss(element.fire, element.poor_condition)
    yield _("Clean miss"), miss.format(miss=last, roll=_die_with(element.weapon_ability))
    melee = _("{roll} hit points, less parries; parry up to {most}.")
    yield _("Melee"), melee.format(roll=_die_with(element.close), most=max(element.close, 0))
    yield (
        _("Hits"),
        _(
            "Less than Fate: subtract them. Equal: injured, acts again on the second round after, with 1 Fate less. "
            "More: D6: 1–2 dead, 3–5 immobile, 6 unconscious."
        ),
    )


def _die_with(score: int) -> str:
    """A D6 with a score."""
    return f"D6{'+' if score > 0 else '−'}{abs(score)}" if score else "D6"


class Scores(NamedTuple):
    """Ranged, Close and Weapon ability under their names; fields on a blank card of that name."""

    values: tuple[str, ...]
    name: str = ""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        column_width = width / len(SCORES)
        for number, (field, tooltip, _letter) in enumerate(SCORES):
            left, low = x + number * column_width, top - height
            if number:
                pen.line(left, top - 0.8 * MM, left, low + 1.2 * MM, HAIR, ink="line")
            pen.fit(left, top - 3 * MM, SCORE_NAMES[number], column_width, 8.5, face=NARROW, align="centre", ink="deep")
            if self.name:
                pen.field(f"{self.name}.{field}", left, low, column_width, height - 4 * MM, tooltip=tooltip)
            else:
                pen.fit(left, low + 2.6 * MM, self.values[number], column_width, 26, face=NAME, align="centre")


class Ranges(NamedTuple):
    """For each range its name, the face that hits and, below, the face that explodes."""

    faces: tuple[tuple[Message, str, str], ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        needs = [ems(name, NARROW) * 7 for name, _hits, _again in self.faces]
        spare, left, low = (width - sum(needs)) / len(needs), x, top - height
        for number, ((name, hits, again), need) in enumerate(zip(self.faces, needs, strict=True)):
            column_width = need + spare
            pen.text(left + column_width / 2, top - 2.2 * MM, name, 7, face=NARROW, align="centre", ink="deep")
            pen.rect(left, low, column_width, height - 3 * MM, line=HAIR, fill=PALE if number % 2 == 0 else 0)
            pen.fit(left, low + 4.4 * MM, hits, column_width, 15, face=NAME, align="centre")
            text = _("↻ {face}").format(face=again) if again != "–" else "–"
            pen.fit(left, low + 1 * MM, text, column_width, 8, face=NARROW, align="centre", ink="soft")
            left += column_width


class FigureBoxes(NamedTuple):
    """The Fate and lost rounds of a figure, and below them its ammunition and wounds."""

    figure: Figure
    fate: int

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        figure, lost = self.figure, STATES[0]
        available = FATE_WIDTH * width / MM
        boxes = figure.fate if self.fate <= MAX_FATE else ()
        rows = next(rows for rows in count(1) if int(available // MIN_STEP) * rows >= len(boxes))
        step = min(MAX_STEP, (height / MM - 3.6) / (rows + len(STATE_LINES)))
        per_row = max(1, ceil(len(boxes) / rows))
        side = max(4.5, min(step - 0.3, 5.6, available / per_row - 0.15))
        small = min(side, (width / MM - available - 2) / lost.boxes - 0.15)
        self._head(pen, x, top, boxes)
        pen.label(x + (available + 2) * MM, top - 2.4 * MM, lost.name)
        for box, out in enumerate(boxes):
            place = x + box % per_row * (side + 0.15) * MM, top - (3.4 + box // per_row * step + side) * MM
            _draw_box(pen, figure, State("fate", (_("Fate"),), 0), box, place, side * MM, marked=out)
        for box in range(lost.boxes):
            place = x + (available + 2 + box * (small + 0.15)) * MM, top - (3.4 + small) * MM
            _draw_box(pen, figure, lost, box, place, small * MM)
        top -= (3.6 + rows * step) * MM
        for line in STATE_LINES:
            states = [state for code in line for state in STATES if state.key == code]
            needs = [ems(state.name, NARROW) * 7.5 for state in states]
            spare, left = (width - sum(needs)) / len(states), x
            for state, need in zip(states, needs, strict=True):
                _draw_box(pen, figure, state, 0, (left, top - 4.5 * MM), 4.5 * MM)
                pen.text(left + 5.2 * MM, top - 3.2 * MM, state.name, 7.5, face=NARROW)
                left += need + spare if len(states) > 2 else max(0.52 * width, need + 6.6 * MM)
            top -= step * MM

    def _head(self, pen: Pen, x: float, top: float, boxes: tuple[bool, ...]) -> None:
        """Draw the name of Fate, and a line to write on where it has no boxes."""
        pen.label(x, top - 2.4 * MM, _("Fate"))
        if self.fate > len(boxes):
            text = join(filter(None, (str(self.fate), self.figure.remark)), ", ")
            pen.text(x + 8 * MM, top - 2.4 * MM, text, 8, face=NARROW_BOLD)
            pen.line(x, top - 8.6 * MM, x + 24 * MM, top - 8.6 * MM, HAIR, ink="soft")
            pen.field(f"{self.figure.path}.fate", x, top - 8.6 * MM, 24 * MM, 5 * MM, tooltip=_("Fate"))
        elif self.figure.remark:
            pen.text(x + 8 * MM, top - 2.4 * MM, self.figure.remark, 7, face=NARROW)


FIGURE_GAP = 1.1 * MM


class SharedBoxes(NamedTuple):
    """For each of some figures its Fate and lost rounds over its states, and below all the names of these."""

    figures: tuple[Figure, ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        lost, *states = STATES
        legend = [*_legend(states, width)]
        for place, text in enumerate(reversed(legend)):
            pen.text(x, top - height + (0.25 + place * LEADING) * MIN_SIZE, text, MIN_SIZE, face=NARROW, ink="soft")
        boxes = max(len(figure.fate) for figure in self.figures)
        left, right = x + 4 * MM, x + width
        column_step = min(5.2 * MM, (right - left - 1 * MM) / (boxes + lost.boxes))
        number = len(self.figures)
        down = min(6 * MM, (height - 3.4 * MM - len(legend) * MIN_SIZE * LEADING) / number / 2 - FIGURE_GAP / 2)
        side = max(4.5 * MM, min(down, column_step) - 0.15 * MM)
        pen.label(left, top - 2.4 * MM, _("Fate"))
        pen.label(right, top - 2.4 * MM, lost.name, align="right")
        top -= 3.4 * MM
        for figure in self.figures:
            if figure is not self.figures[0]:
                pen.line(x, top + FIGURE_GAP / 2, right, top + FIGURE_GAP / 2, HAIR, ink="line")
            pen.text(x, top - side / 2 - 3, figure.number, 8, face=NARROW_BOLD, ink="soft")
            fate = State("fate", (_("Fate"),), 0)
            for box, marked in enumerate(figure.fate):
                _draw_box(pen, figure, fate, box, (left + box * column_step, top - side), side, marked=marked)
            for box in range(lost.boxes):
                at = right - (lost.boxes - box) * column_step + column_step - side
                _draw_box(pen, figure, lost, box, (at, top - side), side)
            for place, state in enumerate(states):
                at = left + place * (right - left - side) / (len(states) - 1)
                _draw_box(pen, figure, state, 0, (at, top - down - side), side, label=STATE_LETTERS[state.key])
            top -= 2 * down + FIGURE_GAP


def _legend(states: Iterable[State], width: float) -> Iterator[str]:
    """The names of states after their letters, in lines that break between them."""
    line = ""
    for state in states:
        text = translate(_("{letter} {state}").format(letter=STATE_LETTERS[state.key], state=state.name))
        longer = f"{line} · {text}" if line else text
        if line and ems(longer, NARROW) * MIN_SIZE > width:
            yield line
            longer = text
        line = longer
    yield line


def _draw_box(
    pen: Pen,
    figure: Figure,
    state: State,
    box: int,
    place: tuple[float, float],
    side: float,
    *,
    marked: bool = False,
    label: str = "",
) -> None:
    """Draw a box of a figure, ``side`` in points."""
    tooltip = _("{name}: {state} {n}").format(name=figure.name, state=state.name, n=box + 1)
    pen.box(*place, side, marked=marked, name=f"{figure.path}.{state.key}.{box}", label=label, tooltip=tooltip)


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number in count():
        path = f"card{number}"
        ranges = tuple((name, "", "–") for _code, name, _penalty in tables.RANGES)
        face: Contents = {
            "scores": Scores((), path),
            "name": Blank(f"{path}.name", WORDS.element),
            "kind": Blank(f"{path}.weapon", _("Weapon")),
            "edge": Edge(),
            "ranges": Ranges(ranges),
            "boxes": FigureBoxes(Figure((False,) * BLANK_FATE, f"{path}.m0", "", WORDS.element), BLANK_FATE),
        }
        yield "", Card(face)
