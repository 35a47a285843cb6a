"""The generals of an army with the command distance, and beside them the rounds."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from rosters.core.messages import _, join, ngettext
from rosters.drawing.primitives import SOLID, Picture, star
from rosters.pdf.blocks import MIN_BOX, Paragraph, Stack
from rosters.pdf.canvas import HAIR, Pen, Style
from rosters.pdf.fonts import NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.systems.six_mm.play import before_firearms
from rosters.systems.six_mm.rules import signed
from rosters.systems.six_mm.sheets.stand import army_stands
from rosters.systems.six_mm.tables import GENERALS

ROUNDS = 18


def shares_blocks(job: Job) -> bool:
    """Whether stands that are alike share a block, by the choice for this sheet."""
    return job.choice("alike", "each") == "one" and job.options.merge


class General(NamedTuple):
    """A general: name, what it is worth, whether its stand is lost, and the name of its field."""

    name: str
    rating: str
    lost: bool
    field: str


def generals(job: Job) -> tuple[General, ...]:
    """The generals of the roster, each with its modifier of the initiative."""
    return tuple(
        General(
            stand.name,
            _("{rating}: initiative {change}").format(
                rating=GENERALS[stand.element.general].name, change=signed(GENERALS[stand.element.general].value)
            ),
            stand.lost,
            f"{stand.model.path}.general.0",
        )
        for stand in army_stands(job)
        if stand.element.general
    )


STAR = Picture("star", 10, 10, 1, (star(5, 5.4, 4.6, paint=SOLID),))


ADDED = _(
    "Under a box: what the stand then adds to the die; to it come target, facing, charge and chosen rifles "
    "(+2 to shoot), see tables 7 to 10. Tinted: it routs, and rallies on 5 or 6."
)
ADDED_EARLY = _(
    "Under a box: what the stand then adds to the die; to it come target, facing and charge, see tables 7 to 10. "
    "Tinted: it routs, and rallies on 5 or 6."
)
ADDED_TO_BLANK = _(
    "Under a box: half of the strength, which is added to the die with gun, type and target (tables 7 to 10). "
    "Below half of its first strength a stand routs; it rallies on 5 or 6."
)


DONE = _("“Done”: a counter when a set has acted, cleared each round; any three stands can be a set.")


class Command(NamedTuple):
    """The generals and the command distance, and beside them the rounds."""

    job: Job
    generals: tuple[General, ...]

    def _half(self, style: Style, width: float) -> float:
        """The width of the generals: less than half of a wide page."""
        return width * 0.42 if width >= 165 * style.unit else width

    def _left(self, style: Style) -> float:
        return (5.2 + 6 * max(len(self.generals), 1) + 7) * style.unit

    def _rounds(self, style: Style, width: float) -> tuple[int, float, float]:
        """Boxes of rounds in a line, their side, and the height of all."""
        mm, half = style.unit, self._half(style, width)
        available = width - half - 4 * mm if half < width else width
        side = max(MIN_BOX * style.enlargement, min(5.4 * mm, available / ROUNDS - 0.4 * mm))
        per_row = max(1, int((available + 0.4 * mm) // (side + 0.4 * mm)))
        return per_row, side, 5.2 * mm + ceil(ROUNDS / per_row) * (side + 0.6 * mm)

    def _legend(self) -> Stack:
        added = ADDED_EARLY if before_firearms(self.job.document) else ADDED
        texts = (
            added if self.generals or not self.job.blank else ADDED_TO_BLANK,
            "" if shares_blocks(self.job) else DONE,
            self._alternates(),
            self._to_agree(),
        )
        return Stack(tuple(Paragraph(text, 0.84, NARROW, "soft") for text in texts if text))

    def _alternates(self) -> str:
        """How stands and their alternates share losses, where the army has any."""
        if not any(stand.element.duplicates for stand in army_stands(self.job)):
            return ""
        return _(
            "A loss counts for the stand and for its alternate: mark it in both rows (our interpretation; the "
            "rulebook does not say). Motorized foot fight dismounted, their TNK with a quarter of its strength."
        )

    def _to_agree(self) -> str:
        """What the players agree on before play, once for all stands."""
        findings = self.job.appraisal.findings
        if not any(finding.code == "needs-agreement" for finding in findings):
            return ""
        n = sum(stand.element.agreed != 0 for stand in army_stands(self.job))
        return ngettext(
            "{n} stand has a special trait: agree on it with your opponent.",
            "{n} stands have a special trait: agree on it with your opponent.",
            n,
        ).format(n=n)

    def _heights(self, style: Style, width: float) -> tuple[float, float]:
        """Heights of the generals, and of the rounds and the legend."""
        half = self._half(style, width)
        available = width - half - 4 * style.unit if half < width else width
        return self._left(style), self._rounds(style, width)[2] + self._legend().height(style, available)

    def height(self, style: Style, width: float) -> float:
        left, right = self._heights(style, width)
        return (max(left, right) if self._half(style, width) < width else left + right) + 2.5 * style.unit

    def draw(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, style, half = pen.style.unit, pen.style, self._half(pen.style, width)
        pen.line(x, top - 1 * mm, x + width, top - 1 * mm, HAIR, ink="line")
        top -= 2 * mm
        self._draw_generals(pen, x, top, half)
        left, available = x, width
        if half < width:
            left, available = x + half + 4 * mm, width - half - 4 * mm
        else:
            top -= self._left(style)
        self._draw_rounds(pen, left, top, width)
        self._legend().draw(pen, left, top - self._rounds(style, width)[2], available)

    def _draw_generals(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(10)
        side = MIN_BOX * pen.style.enlargement
        pen.label(x, top - 2.6 * mm, _("Generals"), size=pen.style.sized(7))
        for number, general in enumerate(self.generals):
            baseline = top - (8.6 + 6 * number) * mm
            lost = width - 14 * mm
            pen.picture(STAR, x, baseline + 3.3 * mm, 4.4 * mm)
            pen.fit(
                x + 5.8 * mm, baseline, join((general.name, general.rating)), lost - 8.8 * mm, size, face=NARROW_BOLD
            )
            tooltip = _("{stand}: general lost").format(stand=general.name)
            pen.box(x + lost, baseline - 0.9 * mm, side, marked=general.lost, name=general.field, tooltip=tooltip)
            pen.fit(
                x + lost + side + 1 * mm,
                baseline,
                _("lost"),
                14 * mm - side - 1 * mm,
                pen.style.sized(8),
                face=NARROW,
                ink="soft",
            )
        if not self.generals:
            pen.line(x, top - 9.4 * mm, x + width, top - 9.4 * mm, HAIR)
            pen.field("general.c0", x, top - 9.2 * mm, width, 4.6 * mm, tooltip=_("General"))
        self._draw_distance(pen, x, top - (8.6 + 6 * max(len(self.generals), 1)) * mm, width)

    def _draw_distance(self, pen: Pen, x: float, baseline: float, width: float) -> None:
        mm, size = pen.style.unit, pen.style.sized(8)
        side = MIN_BOX * pen.style.enlargement
        pen.text(x, baseline, _("Command distance"), size, face=NARROW, ink="soft")
        x += ems(_("Command distance"), NARROW) * size + 2 * mm
        for squares, text in ((2, _("2")), (4, _("4, with radio"))):
            tooltip = join((_("Command distance"), text), ": ")
            pen.box(x, baseline - 0.9 * mm, side, name=f"command.{squares}", tooltip=tooltip)
            pen.text(x + side + 1 * mm, baseline, text, size, face=NARROW, ink="soft")
            x += side + 4 * mm + ems(text, NARROW) * size

    def _draw_rounds(self, pen: Pen, x: float, top: float, width: float) -> None:
        mm, (per_row, side, _height) = pen.style.unit, self._rounds(pen.style, width)
        pen.label(x, top - 2.6 * mm, _("Rounds: initiative, then sets in turn"), size=pen.style.sized(7))
        for number in range(ROUNDS):
            row, place = divmod(number, per_row)
            pen.box(
                x + place * (side + 0.4 * mm), top - 5.2 * mm - side - row * (side + 0.6 * mm), side,
                name=f"round.{number}", label=str(number + 1), tooltip=_("Round {round}").format(round=number + 1),
            )  # fmt: skip
