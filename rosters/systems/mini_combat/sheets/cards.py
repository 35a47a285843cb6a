"""Element cards: picture, rolls, reach and boxes on the face, abilities in words on the back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from rosters.core.messages import Message, _, join, translate
from rosters.pdf.blocks import MIN_BOX, nth_row
from rosters.pdf.canvas import HAIR, MM, TINT, Pen
from rosters.pdf.cards import (
    Blank,
    Card,
    CardBox,
    CardText,
    Contents,
    Design,
    Edge,
    Spot,
    back_of,
    card_grid,
    draw_boxes,
    draw_content,
)
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job, PrintedElement
from rosters.pdf.sections import Grid
from rosters.systems.mini_combat.drawing import fire_arc_of
from rosters.systems.mini_combat.play import roll_of, unit_name, unit_size
from rosters.systems.mini_combat.rules import Element, capability_name, number_text
from rosters.systems.mini_combat.sheets.strip import PANEL_STATS
from rosters.systems.mini_combat.sheets.texts import (
    ability_text,
    draw_cone,
    element_of,
    farthest,
    has_cone,
    in_full,
    morale_test,
    notes_of,
    stat_texts,
)
from rosters.systems.mini_combat.tables import CONE_CM, KINDS, STATES, STATS

FACE = Design(
    {
        "picture": Spot(4.8, 4.8, 27, 18.8),
        "arc": Spot(32.4, 4.6, 13.4, 17.4),
        "points": Spot(45.6, 4.6, 12.6, 6.6, 20, NAME, "right"),
        "worth": Spot(45.6, 11.4, 12.6, 3, 7.5, align="right", ink="soft"),
        "name": Spot(5, 24.4, 53, 6.6, 16, NAME),
        "kind": Spot(5, 31.1, 53, 3.3, 8, ink="soft"),
        "edge": Spot(5, 35, 53, 0.9),
        "rolls": Spot(5, 36.8, 53, 12.6),
        "reach": Spot(5, 51, 53, 12),
        "foot": Spot(5, 64.4, 53, 19.6, grows=True),
    },
    {
        "picture": Spot(4.8, 4.8, 25, 17.4),
        "arc": Spot(31, 4.6, 12, 15.6),
        "name": Spot(45, 4.6, 25, 11.4, 14, NAME),
        "kind": Spot(45, 16, 38, 6.6, 8, ink="soft"),
        "points": Spot(70, 4.6, 13.2, 6.6, 20, NAME, "right"),
        "worth": Spot(70, 11.4, 13.2, 3, 7.5, align="right", ink="soft"),
        "edge": Spot(5, 23.4, 78, 0.9),
        "rolls": Spot(5, 25.2, 43, 12.4),
        "reach": Spot(51, 25.4, 32, 12),
        "foot": Spot(5, 38.6, 78, 20),
    },
)
MAX_BOXES, FEW, BLANK_BOXES = 30, 4, 10
"""A card of more elements has their number, and boxes are on the unit sheet; few are on the line of the test."""


def cards(job: Job) -> Iterator[Grid]:
    """A card for each kind of element in a unit; blank ones fill a page."""
    yield card_grid(job, _("Element cards"), _blank_cards(job) if job.blank else _cards(job), FACE)


def _cards(job: Job) -> Iterator[tuple[str, Card]]:
    longest = farthest(job)
    for index, unit, _priced in job.formations():
        name = unit_name(unit, index)
        test = morale_test(job, index)
        for entry in job.entries(index):
            yield name, _card(job, entry, name, test, longest)


def _card(job: Job, entry: PrintedElement, unit: str, test: Message | str, longest: int) -> Card:
    element, name = element_of(entry), entry.name
    number = job.words.count_elements(entry.quantity) if entry.quantity != 1 else ""
    abilities = [capability_name(modifier) for modifier in element.capabilities]
    command = [_("Command")] if element.command else []
    face: Contents = {
        "picture": job.counter(element, large=False),
        "arc": fire_arc_of(element) or "",
        "points": job.amount(entry.priced.unit_points),
        "worth": job.points,
        "name": name,
        "kind": join(filter(None, (KINDS[element.kind], number, unit if unit != name else "")), " · "),
        "edge": Edge(),
        "rolls": _rolls(element),
        "reach": Reach(
            element.movement, element.range if element.stats.to_hit < 7 else None, longest, has_cone(element)
        ),
        "foot": Foot(
            (*command, *abilities), notes_of(element), _boxes(job, entry), _test_in_short(job, entry), _states(entry)
        ),
    }
    paragraphs = [
        (capability_name(modifier), ability_text(modifier, full=in_full(job))) for modifier in element.capabilities
    ]
    paragraphs += [(_("Morale"), test)] if test else []
    free = notes_of(element)
    extras = ((KINDS[element.kind], free),) if free else ()
    return Card(face, back_of(job, name, job.document.name, CardText((*paragraphs,), element.notes, extras)))


class Rolls(NamedTuple):
    """The numbers of the rolls under their names, with the ``chances`` of those that a die must show; fields on a
    blank card of that name.
    """

    values: tuple[str, ...]
    name: str = ""
    chances: tuple[str, ...] = ()

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        column_width = width / len(PANEL_STATS)
        for number, stat in enumerate(PANEL_STATS):
            left, low = x + number * column_width, top - height
            if number:
                pen.line(left, top - 0.6 * MM, left, low + 0.6 * MM, HAIR, ink="line")
            pen.fit(left, top - 2.8 * MM, STATS[stat], column_width, 8.5, face=NARROW, align="centre", ink="deep")
            if self.name:
                pen.field(f"{self.name}.{stat}", left, low, column_width, height - 4 * MM, tooltip=STATS[stat])
            else:
                pen.fit(left, low + 3.6 * MM, self.values[number], column_width, 20, face=NAME, align="centre")
                chance = self.chances[number]
                pen.text(left + column_width / 2, low + 0.6 * MM, chance, 7.5, face=NARROW, align="centre", ink="soft")


def _rolls(element: Element) -> Rolls:
    texts = dict(zip(STATS, stat_texts(element), strict=True))
    rolls = [roll_of(element, stat) for stat in PANEL_STATS]
    return Rolls(
        tuple(texts[stat] for stat in PANEL_STATS), chances=tuple(roll.percent if roll else "" for roll in rolls)
    )


REACH_NAMES, REACH_CM = 9.5 * MM, 13 * MM
"""What the names of move and range, and their numbers, leave of the width for the bars."""


class Reach(NamedTuple):
    """Move and range in cm, None without an attack, as bars to the scale of the roster's ``longest``."""

    movement: int
    range: int | None
    longest: int
    cone: bool = False

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        scale, row_height, left = (width - REACH_NAMES - REACH_CM) / self.longest, height / 2, x + REACH_NAMES
        for row, (name, cm) in enumerate(
            ((_("Move"), self.movement), (_("Range"), CONE_CM[1] if self.cone else self.range or 0))
        ):
            low, long = top - (row + 1) * row_height + 0.8 * MM, max(cm, 0) * scale
            pen.fit(x, low + 0.8 * MM, name, REACH_NAMES - 1 * MM, 8.5, face=NARROW, ink="deep")
            if row and self.cone:
                draw_cone(pen, left, low + row_height / 2 - 0.8 * MM, scale, row_height - 1.6 * MM)
            elif row and cm <= 0:
                text = _("no attack") if self.range is None else _("melee")
                pen.text(left, low + 0.8 * MM, text, 9, face=NARROW_BOLD)
                continue
            else:
                pen.rect(left, low, long, row_height - 1.6 * MM, fill=0 if row else TINT)
            for mark in range(10, cm, 10) if row and not self.cone else ():
                pen.line(left + mark * scale, low, left + mark * scale, low + 1 * MM, HAIR, ink="deep")
            at, number = left + long + 1.4 * MM, number_text(cm)
            pen.text(at, low + 0.5 * MM, number, 14, face=NAME)
            pen.text(at + ems(number, NAME) * 14 + 0.6 * MM, low + 0.5 * MM, _("cm"), 7.5, face=NARROW, ink="soft")


class Foot(NamedTuple):
    """The names of the abilities, in lines or one after the other, over a box for each element and the morale test.

    ``note`` stands where there are no abilities.
    """

    abilities: tuple[str, ...]
    note: str
    boxes: str | tuple[CardBox, ...]
    test: str = ""
    states: tuple[tuple[CardBox, ...], ...] = ()
    """Boxes at the right of each ability's line."""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        low = top - height
        boxes = () if isinstance(self.boxes, str) else self.boxes
        high, y, right = draw_boxes(pen, boxes, x, low, width), low + 1.5 * MM, x + width
        if 0 < len(boxes) <= FEW:
            right -= ems("0", NARROW) * 8 + 5 * MM * len(boxes)
        elif boxes:
            y, high = high + 1.2 * MM, high + 4.4 * MM
        else:
            high += 4.4 * MM
        word = self.boxes if isinstance(self.boxes, str) else _("lost")
        pen.text(right, y, word, 8, face=NARROW, align="right", ink="soft")
        available = right - x - ems(translate(word), NARROW) * 8 - 2 * MM
        pen.fit(x, y, self.test, available, 8, face=NARROW, ink="soft")
        step = 4.8 * MM
        if len(self.abilities) * step <= top - high:
            for number, name in enumerate(self.abilities, start=1):
                states = self.states[number - 1] if self.states else ()
                left = x + width - len(states) * 5 * MM
                for place, box in enumerate(states):
                    at = left + place * 5 * MM
                    pen.box(at, top - number * step, MIN_BOX, marked=box.marked, name=box.name, tooltip=box.tooltip)
                pen.fit(x, top - number * step + 1.7 * MM, name, left - x, 9.5, face=NARROW_BOLD, ink="deep")
                pen.line(x, top - number * step, x + width, top - number * step, HAIR, ink="line")
        else:
            spot = Spot(x / MM, -top / MM, width / MM, (top - high) / MM - 1, 9, NARROW_BOLD, ink="deep")
            draw_content(pen, join(self.abilities), spot)
        if not self.abilities and top - high > 2 * step:
            draw_content(pen, self.note, Spot(x / MM, -top / MM, width / MM, 8, 8.5, ink="soft"))


def _test_in_short(job: Job, entry: PrintedElement) -> str:
    formation, _element, _source = entry.sources[0]
    total, at = unit_size(job.document.formations[formation]), job.appraisal.formations[formation].facts
    text = _("Morale test at {n} of {total}")
    return text.format(n=at["morale_test_at"], total=total) if total > 1 else ""


def _boxes(job: Job, entry: PrintedElement) -> str | tuple[CardBox, ...]:
    if not entry.quantity:
        return _("No elements.")
    if entry.quantity > MAX_BOXES:
        return _("see the unit sheet")
    track = job.tracks(entry.element)[0]
    return tuple(
        CardBox(
            f"{model.path}.{track.key}.0",
            job.marked(track, model.mark)[0],
            _("{name}: {box}").format(name=model.name, box=track.label),
        )
        for model in entry.models
    )


def _states(entry: PrintedElement) -> tuple[tuple[CardBox, ...], ...]:
    """For each line of the foot, the boxes of what happens once to each element: for few elements."""
    element = element_of(entry)
    states: list[tuple[CardBox, ...]] = [()] * element.command
    for modifier in element.capabilities:
        label, by_turn = STATES.get(modifier.code or "", ("", True))
        number = 0 if by_turn or entry.quantity > FEW else entry.quantity
        tooltip = _("{name}: {box}").format(name=entry.name, box=label)
        names = (f"{entry.path}.{modifier.code}.{each}" for each in range(number))
        states.append(tuple(CardBox(name, False, nth_row(tooltip, each)) for each, name in enumerate(names, start=1)))
    return tuple(states)


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number in count():
        path = f"card{number}"
        boxes = tuple(
            CardBox(f"{path}.m{box}.out.0", False, _("Lost: {n}").format(n=box + 1)) for box in range(BLANK_BOXES)
        )
        face: Contents = {
            "picture": Blank(f"{path}.kind", _("Kind")),
            "points": Blank(f"{path}.each", tooltip=job.points) if job.points else "",
            "worth": job.points,
            "arc": Blank(f"{path}.arc", _("Fire arc")),
            "name": Blank(f"{path}.name", tooltip=job.words.element),
            "kind": job.words.element,
            "edge": Edge(),
            "rolls": Rolls((), path),
            "reach": BlankReach(path),
            "foot": BlankFoot(path, boxes),
        }
        yield "", Card(face)


class BlankReach(NamedTuple):
    """Lines for move and range."""

    path: str

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        for number, (stat, label) in enumerate((("movement", _("Move (cm)")), ("range", _("Range (cm)")))):
            left = x + number * (width + 2 * MM) / 2
            Blank(f"{self.path}.{stat}", label, STATS[stat]).draw(pen, left, top, width / 2, height)


class BlankFoot(NamedTuple):
    """Lines for abilities over boxes."""

    path: str
    boxes: tuple[CardBox, ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        high = draw_boxes(pen, self.boxes, x, top - height, width) + 1 * MM
        Blank(f"{self.path}.capabilities", _("Abilities")).draw(pen, x, top, width, top - high)
