"""The tables of play on one page."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.pdf.blocks import Block, Cell, Column, Heading, Paragraph, Row, Space, Stack, TableHead
from rosters.pdf.canvas import HAIR, Ink, Pen
from rosters.pdf.fonts import NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.layout import Group, Section
from rosters.pdf.roster_sheet import panel_group
from rosters.systems.urutsk import tables


def dice_tables(job: Job) -> Iterator[Section]:
    """The tables of play on one page."""
    yield Section(_("Tables"), _table_groups(), columns=2)


def _table_groups() -> Iterator[Group]:
    yield _ranges()
    yield _panel(_("Ranged fire"), tables.RANGED)
    yield _panel(_("Clean miss (D6)"), tables.CLEAN_MISS)
    yield _weapons()
    yield _panel(_("Bursts"), tables.BURST)
    yield _panel(_("Group fire"), tables.GROUP)
    yield _panel(_("Melee"), tables.MELEE)
    yield _charge()
    yield _panel(_("Command"), tables.COMMAND)
    yield _panel(_("Hits compared with Fate"), tables.FATE)
    yield _panel(_("Incapacitated (D6)"), tables.INCAPACITATED)
    yield _panel(_("Shock (D6)"), tables.SHOCK)


def _together(title: str, *blocks: Block) -> Group:
    """A table that is not split."""
    return Group([Stack((Space(0.4), Heading(title, "", 1.1), *blocks))])


def _panel(title: str, rows: tables.Rows) -> Group:
    return _together(title, *panel_group(Panel(title, rows)).blocks)


RANGE_COLUMNS = 3
"""Rows for weapons whose ranges are filled in by hand."""


def _ranges() -> Group:
    columns = (
        Column(_("Range"), 2.2, face=NARROW_BOLD, least=" ".join(name for _code, name, _penalty in tables.RANGES)),
        Column(_("Penalty"), 1.6, "centre", face=NARROW_BOLD),
        *(Column("", 2, "centre") for _weapon in range(RANGE_COLUMNS)),
    )
    rows = [
        Row(columns, (name, f"−{penalty}" if penalty else "0", *_open_cells(code, name)))
        for code, name, penalty in tables.RANGES
    ]
    text = _("Enter your weapons and their ranges in yards.")
    weapons = Row(columns, (_("Weapon"), "", *_open_cells("weapon", _("Weapon"))))
    return _together(_("Range"), Paragraph(text, 0.92), TableHead(columns), weapons, *rows)


def _open_cells(row: str, head: str) -> Iterator[Cell]:
    """Boxes to write in, with form fields."""

    def cell(weapon: int) -> Cell:
        def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
            pen.rect(x, top - height, width, height, line=HAIR)
            spoken = _("{head} of weapon {n}").format(head=head, n=weapon + 1) if row != "weapon" else head
            pen.field(f"ranges.{row}.{weapon}", x, top - height, width, height, spoken=spoken)

        return Cell(lambda style, _width: style.line * 1.1, paint)

    return map(cell, range(RANGE_COLUMNS))


def _dice(lowest: int | None) -> Cell:
    """The faces of a die in a row, with circles around those that explode."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        size, step = pen.style.body, min(width / 6, pen.style.body * 1.6)
        for face in range(1, 7):
            middle, explodes = x + (face - 0.5) * step, lowest is not None and face >= lowest
            ink: Ink = "ink" if explodes else "soft"
            pen.text(
                middle,
                top - size * 0.98,
                str(face),
                size,
                face=NARROW_BOLD if explodes else NARROW,
                align="centre",
                ink=ink,
            )
            if explodes:
                pen.circle(middle, top - size * 0.63, size * 0.58)

    return Cell(lambda style, _width: style.body * 1.3, paint)


MODIFIERS = {-2: "−2", -1: "−1", 0: "0", 1: "+1", 2: "+2"}
"""The modifiers in the table of weapons; below −2 no die explodes."""


def _weapons() -> Group:
    """The faces that explode, by the way a weapon fires and the modifier of the die."""
    columns = (
        Column(_("Modifier"), 0.8, "centre", face=NARROW_BOLD),
        *(Column(fire.name, 1.6) for fire in tables.FIRE.values()),
    )
    plain = Column("", 1, face=NARROW_BOLD), Column("", 3.4)
    rows = [
        Row(columns, (label, *(_dice(tables.lowest_exploding(fire, modifier)) for fire in tables.FIRE)), 0.92)
        for modifier, label in MODIFIERS.items()
    ]
    notes = [Row(plain, row, 0.92) for row in (tables.AUTOFIRE_GROUP, tables.POOR)]
    text = _("Modifier: Ranged − range − cover. Circled faces explode; the modified result counts.")
    return _together(_("Weapons"), Paragraph(text, 0.92), TableHead(columns), *rows, *notes)


def _charge() -> Group:
    """The faces that explode in a charge, for receivers also with readied weapons, and the rules of a charge."""
    columns = Column("", 1.25, face=NARROW_BOLD), Column(_("Explodes"), 1), Column(_("Weapons readied"), 1)
    dice = [Row(columns, (name, _dice(face), ""), 0.92) for name, face in tables.CHARGERS]
    dice += [Row(columns, (name, _dice(face), _dice(tables.readied(face))), 0.92) for name, face in tables.RECEIVERS]
    rules = [Row((Column("", 1, face=NARROW_BOLD), Column("", 2.2)), row, 0.92) for row in tables.CHARGE]
    return _together(_("Mass charge"), *rules, TableHead(columns), *dice)
