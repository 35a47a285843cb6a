"""The tables of ships without a player, with each move order drawn."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.messages import _
from rosters.pdf.blocks import Cell, Column, Heading, Paragraph, Row, Space, Stack, TableHead
from rosters.pdf.canvas import MM, Pen
from rosters.pdf.fonts import NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.panels import dice_cell
from rosters.pdf.sections import FILLING, Group, Section
from rosters.systems.msc.drawing import order_picture
from rosters.systems.msc.tables import SOLO_COLUMNS, SOLO_MOVEMENT, SOLO_TARGETS, TARGET_NAMES

ORDER = 7.2 * MM
"""The side of the picture of a move order, for text of 9 points."""
LEGEND = _(
    "Roll a die for each ship without a player. The column is by the sides of its nearest friend and enemy. 3L2: 3 "
    "hexes forward, turn left by one hex side, 2 hexes forward; each hex and each turn spends 1 SPEED. The ring is "
    "where the ship starts, facing up; the arrow is where it ends and faces."
)


def solo(job: Job) -> Iterator[Section]:
    """Movement and targets of ships without a player."""
    head = Stack((Space(0.3), Paragraph(LEGEND, 0.92)))
    yield Section(_("Solo tables"), _groups(), columns=2, head=head, fills=FILLING)


def _groups() -> Iterator[Group]:
    columns = (Column("", 0.35, "centre"), *(Column(head, 1, "centre") for head in SOLO_COLUMNS))
    for speed, rows in sorted(SOLO_MOVEMENT.items()):
        title = Heading(_("Movement at SPEED {speed}").format(speed=speed), "", 1.2, rule=False)
        orders = (Row(columns, (_die(die), *map(_order, row)), middle=True) for die, row in enumerate(rows, start=1))
        yield Group([Stack((Space(0.3), title, TableHead(columns), *orders))])
    heads = (
        Column("", 0.35, "centre"),
        *(Column(head, 2, "centre") for head in (_("Of two ships"), _("Of three ships"))),
    )
    targets = (
        Row(heads, (_die(die), TARGET_NAMES[two], TARGET_NAMES[three]))
        for die, (two, three) in enumerate(SOLO_TARGETS, start=1)
    )
    title = Heading(_("Target"), "", 1.2, rule=False)
    yield Group([Stack((Space(0.3), title, TableHead(heads), *targets))])


def _die(face: int) -> Cell:
    """A die in the middle of its row."""
    die = dice_cell(range(face, face + 1))

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        die.paint(pen, x, top - (height - die.height(pen.style, width)) / 2, width, height)

    return Cell(die.height, paint)


def _order(order: str) -> Cell:
    """A move order in letters, and drawn."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        side = ORDER * pen.style.scale
        pen.text(x + width * 0.4, top - height / 2 - pen.style.body * 0.35, order, face=NARROW_BOLD, align="right")
        pen.picture(order_picture(order), x + width * 0.46, top - (height - side) / 2, side)

    return Cell(lambda style, width: ORDER * style.scale, paint)
