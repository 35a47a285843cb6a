"""The tables of play on one page."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.pdf.blocks import Cell, Column, Heading, Paragraph, Row, Space, Stack, TableHead
from rosters.pdf.canvas import HAIR, Block, Ink, Pen
from rosters.pdf.fonts import NARROW, NARROW_BOLD, ems
from rosters.pdf.job import Job
from rosters.pdf.panels import panel_group
from rosters.pdf.roster_sheet import MAX_WORD
from rosters.pdf.sections import FILLING, Group, Section
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.play import ROUND


def dice_tables(job: Job) -> Iterator[Section]:
    """The tables of play on one page; on half a sheet the ranges are as wide as both columns."""
    head = _ranges(job) if job.options.half else None
    yield Section(_("Tables"), _table_groups(job), columns=2, new_page=True, fills=FILLING, head=head)


def _table_groups(job: Job) -> Iterator[Group]:
    yield _panel(ROUND.title, ROUND.rows, ROUND.text)
    if not job.options.half:
        yield Group([_ranges(job)])
    yield _panel(_("Ranged fire"), tables.RANGED)
    yield _panel(_("Clean miss (D6)"), tables.CLEAN_MISS)
    yield _weapons()
    yield _panel(_("Group fire"), tables.GROUP)
    yield _panel(_("Command"), tables.COMMAND)
    yield _panel(_("Melee"), tables.MELEE)
    yield _panel(_("Hits compared with Fate"), tables.FATE)
    yield _panel(_("Incapacitated (D6)"), tables.INCAPACITATED)
    yield _panel(_("Shock (D6)"), tables.SHOCK)
    yield _charge()
    yield _panel(_("Bursts"), tables.BURST)


def _unsplit(title: str, *blocks: Block) -> Stack:
    """A table that is not split."""
    return Stack((Space(0.4), Heading(title, "", 1.1), *blocks))


def _panel(title: str, rows: tuple[tuple[str, ...], ...], text: str = "") -> Group:
    remark = [Paragraph(text, 0.84)] if text else []
    return Group([_unsplit(title, *remark, *panel_group(Panel(title, rows)).blocks)])


BLANK_WEAPONS, MAX_WEAPONS = 1, 9
"""Rows for weapons of others, or of a blank sheet, beside those of figures with a Ranged score; and rows in all."""


def _ranges(job: Job) -> Stack:
    elements = (element for _index, unit, _priced in job.formations() for element in unit.elements)
    shooters = (element.name for element in elements if element.quantity and element.ranged > 0)
    names = [*dict.fromkeys(shooters)][: MAX_WEAPONS - BLANK_WEAPONS]
    words = (word for name in names for word in name.split() if len(word) <= MAX_WORD)
    longest = max((_("Penalty"), *words), key=lambda word: ems(word, NARROW_BOLD))
    columns = (
        Column(_("Weapon of"), 3.6, face=NARROW_BOLD, min_text=longest),
        *(Column(name, 1.3, "centre") for _code, name, _penalty in tables.RANGES),
    )
    open_rows = BLANK_WEAPONS * (6 if job.blank else 1)
    rows = [
        Row(
            columns,
            (
                name or _open_cell(number, "weapon", _("Weapon")),
                *(_open_cell(number, code, range_name) for code, range_name, _penalty in tables.RANGES),
            ),
            0.86,
            lines=2,
            middle=True,
        )
        for number, name in enumerate((*names, *("",) * open_rows))
    ]
    penalties = Row(
        columns, (_("Penalty"), *(f"−{each}" if each else "0" for _code, _name, each in tables.RANGES)), 0.86
    )
    return _unsplit(_("Range, in yards"), TableHead(columns), penalties, *rows)


def _open_cell(weapon: int, code: str, head: str) -> Cell:
    """A box to write in, with a form field."""

    def paint(pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.rect(x, top - height, width, height, line=HAIR)
        tooltip = _("{head} of weapon {n}").format(head=head, n=weapon + 1)
        pen.field(f"ranges.{code}.{weapon}", x, top - height, width, height, tooltip=tooltip)

    return Cell(lambda style, _width: style.line * 1.1, paint)


def _die_cell(lowest: int | None) -> Cell:
    """The faces of a die in a row, with circles, or a frame, around those that explode."""

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
            if explodes and step > size * 1.2:
                pen.circle(middle, top - size * 0.63, size * 0.58)
        if lowest is not None and step <= size * 1.2:  # no room for circles: a frame around all
            left = x + (lowest - 1) * step
            pen.rect(left, top - size * 1.2, (7 - lowest) * step, size * 1.14, line=HAIR, radius=size * 0.4)

    return Cell(lambda style, _width: style.body * 1.3, paint)


MODIFIERS = range(-2, 3)
"""The modifiers in the table of weapons; below them no die explodes."""


def _weapons() -> Group:
    """The faces that explode, by the way a weapon fires and the modifier of the die."""
    columns = (
        Column(_("Modifier"), 0.9, "centre", face=NARROW_BOLD),
        *(Column(fire.name, 1.6) for fire in tables.FIRE.values()),
    )
    plain = Column("", 1, face=NARROW_BOLD), Column("", 3.4)
    modifiers = {modifier: f"{modifier:+}".replace("-", "−") if modifier else "0" for modifier in MODIFIERS}
    rows = [
        Row(columns, (label, *(_die_cell(tables.lowest_exploding(fire, modifier)) for fire in tables.FIRE)), 0.92)
        for modifier, label in modifiers.items()
    ]
    notes = [Row(plain, row, 0.92) for row in (tables.AUTOFIRE_GROUP, tables.POOR)]
    text = _("Modifier: Ranged − range − cover. Circled faces explode; at −{n} or less none does.")
    text = text.format(n=1 - MODIFIERS.start)
    return Group([_unsplit(_("Weapons"), Paragraph(text, 0.84), TableHead(columns), *rows, *notes)])


def _charge() -> Group:
    """The faces that explode in a charge, for receivers also with readied weapons, and the rules of a charge."""
    columns = Column("", 1.25, face=NARROW_BOLD), Column(_("Explodes"), 1), Column(_("Weapons readied"), 1)
    dice = [Row(columns, (name, _die_cell(face), ""), 0.92) for name, face in tables.CHARGERS]
    dice += [
        Row(columns, (name, _die_cell(face), _die_cell(tables.readied(face))), 0.92) for name, face in tables.RECEIVERS
    ]
    rules = [Row((Column("", 1, face=NARROW_BOLD), Column("", 2.2)), row, 0.92) for row in tables.CHARGE]
    return Group([_unsplit(_("Mass charge"), *rules, TableHead(columns), *dice)])
