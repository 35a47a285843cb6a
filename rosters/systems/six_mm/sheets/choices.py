"""What is chosen once for each kind of stand before play: the speed of tanks, rifles, longbows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rosters.core.messages import _, join
from rosters.pdf.blocks import Space
from rosters.pdf.canvas import Block, Pen, Style
from rosters.pdf.fonts import NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.roster_sheet import frame_width
from rosters.pdf.sections import Area
from rosters.systems.six_mm.play import before_firearms, move
from rosters.systems.six_mm.rules import Stats, times
from rosters.systems.six_mm.sheets.stand import WIDE_PAGE, ReachField, chunks, equipment, move_and_range
from rosters.systems.six_mm.tables import PURCHASES, Reach

Choice = tuple[str, ReachField]
"""A kind of stand, and its move or range with boxes for what the army leaves open."""


def choices(job: Job) -> Iterator[Block]:
    """What is chosen once for each kind of stand before play: the speed of tanks, rifles, longbows."""
    open_choices: list[Choice] = []
    firearms = not before_firearms(job.document)
    alternates: dict[tuple[str, Reach], list[tuple[int, Stats, str]]] = {}
    for number, _formation, _priced in job.formations():
        for entry in job.merged(number):
            element, model = entry.element, next(iter(entry.models), None)
            if model is None or element.type in PURCHASES:  # type: ignore[attr-defined]
                continue
            path = model.path
            open_choices += _open(element, path, times(entry.quantity, element.display_name), firearms)  # type: ignore[arg-type]
            for place, stats in enumerate(element.duplicates):  # type: ignore[attr-defined]
                known = alternates.setdefault((join((stats.type, *equipment(stats))), move(stats)), [])
                known.append((stats.quantity * entry.quantity, stats, f"{path}.state.{place}"))
    for (text, _reach), known in alternates.items():  # equal ones of several stands choose together
        _quantity, stats, path = known[0]
        open_choices += _open(stats, path, times(sum(each[0] for each in known), text), firearms)
    columns = 2 if frame_width(job) >= WIDE_PAGE * job.style.unit else 1
    if open_choices:
        yield from (ChoiceRow(row, columns) for row in chunks(open_choices, columns))
        yield Space(0.2)


def _open(stats: Stats, path: str, name: str, firearms: bool) -> Iterator[Choice]:
    figures = move_and_range(stats, path, name, choices=True, firearms=firearms)
    yield from ((name, each) for each in (figures.move, figures.range) if each.reach.choices)


class ChoiceRow(NamedTuple):
    """Kinds of stands side by side, each with the boxes of its choice."""

    choices: tuple[Choice, ...]
    columns: int

    def height(self, style: Style, width: float) -> float:
        return 6.2 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, available = pen.style.unit, width / self.columns
        for name, figures in self.choices:
            reach = figures.reach._replace(parts=figures.reach.parts[: figures.reach.choices])
            placed = [*figures._replace(reach=reach).placed(pen.style, available)]
            _figure, start, figure_width, text = placed[-1]
            boxes = start + figure_width + text.width(NARROW) + 2 * mm
            label = _("{stands}, choose {what}:").format(stands=name, what=figures.label)
            pen.fit(x, top - 4.2 * mm, label, available - boxes - 3 * mm, pen.style.sized(8.5), face=NARROW_BOLD)
            left = min(ems(label, NARROW_BOLD) * pen.style.sized(8.5), available - boxes - 3 * mm) + 2 * mm
            for number, (figure, start, figure_width, text) in enumerate(placed):
                place = Area(x + left + start, top - 0.6 * mm, figure_width, 5 * mm)
                figures.draw_choice(pen, number, figure, place, text)
            x += available
