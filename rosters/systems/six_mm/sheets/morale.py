"""Army morale: a track of the stands lost, a table for large armies, a reminder, and a blank track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

from rosters.core.messages import _
from rosters.pdf.blocks import BlankLine, Boxes, Column, Paragraph, Row, TableHead, fill_in_cell
from rosters.pdf.canvas import HAIR, RADIUS, TINT, Align, Block, Pen, Style
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.systems.six_mm.play import EACH_THRESHOLD, retreat_scores
from rosters.systems.six_mm.sheets.stand import WIDE_PAGE, army_stands
from rosters.systems.six_mm.tables import MORALE_STEPS

FEW, MAX_LOSSES = 20, 30
"""Armies of at most so many stands have a box for each on the morale track, larger ones until they retreat."""
BLANK_LOSSES = 30


def thresholds(job: Job) -> Mapping[int, tuple[int, int]]:
    """By stands lost, the share of the army in percent, and the highest die on which it retreats.

    Where several shares are the same number of stands, the worst of them.
    """
    return {lost: (percent, die) for percent, lost, die in job.appraisal.facts.get("army_morale", ())}


def lost_stands(job: Job) -> int:
    """The stands of the army that the printed marks leave without strength."""
    everything = job._replace(options=job.options.replace(formations=()))
    return sum(stand.lost for stand in army_stands(everything)) if job.options.marks else 0


class MoraleTrack(NamedTuple):
    """A box for each stand that the army can lose, with bars where it rolls whether it retreats."""

    stands: int
    lost: int
    steps: tuple[tuple[int, tuple[int, int]], ...]

    @property
    def _last(self) -> int:
        return self.stands if self.stands <= MAX_LOSSES else max(lost for lost, _step in self.steps)

    def _row(self, style: Style, width: float) -> tuple[int, float]:
        """The boxes in a row, and the step from one to the next."""
        mm, rows = style.unit, 1
        step = (7.6 if self.stands <= FEW else 5.2) * mm  # thresholds of few stands are close together
        while ceil(self._last / rows) * step > width:
            rows += 1
        per_row = ceil(self._last / rows)
        return per_row, min(width / per_row, 16 * mm)

    def height(self, style: Style, width: float) -> float:
        head = 4.2 * style.unit + (0 if self._beside(style, width) else style.sized(8) * 1.3)
        return head + ceil(self._last / self._row(style, width)[0]) * 15.4 * style.unit

    def _beside(self, style: Style, width: float) -> bool:
        """Whether the rule has room beside the head."""
        taken = Pen.label_width(_("Army morale: stands lost"), style.sized(7)) + 4 * style.unit
        return bool(ems(EACH_THRESHOLD, NARROW) * style.sized(8) <= width - taken)

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (per_row, step) = pen.style.unit, self._row(pen.style, width)
        size = pen.style.sized(8)
        pen.label(x, top - 2.6 * mm, _("Army morale: stands lost"), size=pen.style.sized(7))
        if self._beside(pen.style, width):
            pen.text(x + width, top - 2.6 * mm, EACH_THRESHOLD, size, face=NARROW, align="right", ink="soft")
        else:
            top -= size * 1.3
            pen.fit(x, top - 2.6 * mm, EACH_THRESHOLD, width, size, face=NARROW, ink="soft")
        steps = dict(self.steps)
        retreat = max(steps)
        for number in range(1, self._last + 1):
            row, place = divmod(number - 1, per_row)
            left, low = x + place * step, top - (4.2 + row * 15.4 + 6.6) * mm
            self._box(pen, number, left, low, step)
            if number in steps:
                available = step * (number - max((each for each in steps if each < number), default=0)) - 2.8 * mm
                available = min(available, left + step - x)
                beside = number == retreat and number < self._last and _least_width(steps[number]) > available
                self._bar(pen, steps[number], left + step, low, 0 if beside else available)

    def _box(self, pen: Pen, number: int, left: float, low: float, step: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(10)
        width, height = step - 0.7 * mm, 6.6 * mm
        marked = number <= self.lost
        filled = marked and not pen.style.fillable
        fill = 1 if filled else TINT if number >= max(dict(self.steps)) else 0
        pen.rect(left, low, width, height, fill=fill, radius=RADIUS)
        if not filled:
            baseline = low + height / 2 - size * 0.345
            pen.fit(left, baseline, str(number), width, size, face=NARROW_BOLD, align="centre", ink="soft")
        tooltip = _("Army morale: stand {number} of {total} lost").format(number=number, total=self.stands)
        pen.check(f"army.lost.{number - 1}", left, low, width, height, marked, tooltip)

    @staticmethod
    def _bar(pen: Pen, step: tuple[int, int], right: float, low: float, available: float) -> None:
        """The bar after a box; left of it the share lost and the scores that retreat, without room right of it."""
        mm, (percent, die) = pen.style.unit, step
        edge = right - 0.35 * mm
        pen.line(edge, low + 7.4 * mm, edge, low - 6.6 * mm, 1.0 * mm)
        align: Align = "right" if available else "left"
        place = edge + (-1 if available else 1) * mm
        pen.text(place, low - 2.7 * mm, f"{percent}\xa0%", pen.style.sized(7), face=NARROW, align=align, ink="soft")
        scores = retreat_scores(die)
        size = max(7.0, min(pen.style.sized(12), (available or 16 * mm) / ems(scores, NAME)))
        pen.runs(place, low - 6.5 * mm, scores, size, face=NAME, align=align)


class MoraleReminder(NamedTuple):
    """When the army rolls and on which scores it retreats, for pages of the record that do not have its track."""

    steps: tuple[tuple[int, tuple[int, int]], ...]

    def height(self, style: Style, width: float) -> float:
        return 6.4 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(8)
        label, baseline = _("Army retreats on"), top - 5 * mm
        pen.line(x, top - 0.6 * mm, x + width, top - 0.6 * mm, HAIR)
        pen.label(x, baseline, label, size=pen.style.sized(7))
        start = Pen.label_width(label, pen.style.sized(7)) + 4 * mm
        available = (width - start) / len(self.steps)
        for place, (lost, (_percent, die)) in enumerate(self.steps):
            left, text, scores = x + start + place * available, _("{n} lost:").format(n=lost), retreat_scores(die)
            pen.fit(left, baseline, text, available / 2, size, face=NARROW, ink="soft")
            left += min(ems(text, NARROW) * size, available / 2) + 1.2 * mm
            pen.fit(left, baseline, scores, x + start + (place + 1) * available - left, pen.style.sized(12), face=NAME)


def _least_width(step: tuple[int, int]) -> float:
    """The width of the scores that retreat, as small as they are printed."""
    return ems(retreat_scores(step[1]), NAME) * 7


def morale_table(job: Job) -> Iterator[Block]:
    """The thresholds in rows; the stands are fields to fill in where the army has none."""
    columns = (
        Column(_("Share lost"), 3, face=NARROW_BOLD),
        Column(_("Stands"), 4),
        Column(_("Roll a D6: retreats on"), 5),
        Column(_("Rolled"), 2),
    )
    known = {row[2]: str(row[1]) for row in job.appraisal.facts.get("army_morale", ())}
    yield Paragraph(EACH_THRESHOLD, 0.9)
    yield TableHead(columns)
    for percent, die in MORALE_STEPS:
        number = known.get(die) or fill_in_cell(f"army.stands.{die}")
        rolled = Boxes((False,), names=(f"army.rolled.{die}",)).cell()
        yield Row(columns, (f"{percent}\xa0%", number, retreat_scores(die), rolled), min_lines=1.4)
    if known:
        yield BlankLine(_("Stands lost so far:"), "army.lost")


class BlankMorale(NamedTuple):
    """The army-morale track without bars, and fields for the stands at which the army rolls."""

    losses: int = BLANK_LOSSES

    def height(self, style: Style, width: float) -> float:
        return (20.5 if width >= WIDE_PAGE * style.unit else 30) * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(8)
        wide = width >= WIDE_PAGE * mm
        pen.label(x, top - 2.6 * mm, _("Army morale: stands lost"), size=pen.style.sized(7))
        per_row = self.losses if wide else self.losses // 2
        step = width / per_row
        for number in range(self.losses):
            row, place = divmod(number, per_row)
            left, low, side = x + place * step, top - (10.4 + 6.6 * row) * mm, step - 0.5 * mm
            pen.rect(left, low, side, 6 * mm, fill=0, radius=RADIUS)
            pen.fit(left, low + 1.9 * mm, str(number + 1), side, size, face=NARROW, align="centre", ink="soft")
            tooltip = _("Army morale: stand {number} of {total} lost").format(number=number + 1, total=self.losses)
            pen.check(f"army.lost.{number}", left, low, side, 6 * mm, tooltip=tooltip)
        self._steps(pen, x, top - (15.6 if wide else 22.2) * mm, width)

    @staticmethod
    def _steps(pen: Pen, x: float, baseline: float, width: float) -> None:
        """The stands lost at which the army rolls, to fill in, and the scores on which it retreats."""
        mm, size, available = pen.style.unit, pen.style.sized(8), width / len(MORALE_STEPS)
        for percent, die in MORALE_STEPS:
            left = x + (die - 1) * available
            share = f"{percent}\xa0%"
            pen.text(left, baseline, share, size, face=NARROW, ink="soft")
            start = ems(share, NARROW) * size + 1 * mm
            scores = retreat_scores(die)
            end = available - 2 * mm - ems(scores, NAME) * pen.style.sized(11)
            pen.line(left + start, baseline - 1, left + end - 1 * mm, baseline - 1, HAIR)
            pen.field(
                f"army.stands.{die}", left + start, baseline - 1, end - start - 1 * mm, 4.6 * mm,
                tooltip=_("Stands at {share} of the army").format(share=share),
            )  # fmt: skip
            pen.text(left + end, baseline, scores, pen.style.sized(11), face=NAME)
        pen.fit(x, baseline - 4.4 * mm, EACH_THRESHOLD, width, size, face=NARROW, ink="soft")
