"""The tables of ships without a player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rosters.core.messages import _
from rosters.pdf.blocks import Column, Heading, Row, Space, Stack, TableHead
from rosters.pdf.fonts import BOLD
from rosters.pdf.job import Job
from rosters.pdf.layout import Group, Section
from rosters.systems.msc.tables import SOLO_COLUMNS, SOLO_MOVEMENT, SOLO_TARGETS, TARGET_NAMES


def solo(job: Job) -> Iterator[Section]:
    """Movement and targets of ships without a player."""
    yield Section(_("Solo tables"), _groups(), columns=2)


def _groups() -> Iterator[Group]:
    for speed, rows in sorted(SOLO_MOVEMENT.items(), reverse=True):
        title = Heading(_("Movement at SPEED {speed}").format(speed=speed), _("Side of the nearest ships"), 1.1)
        yield _die_table(title, SOLO_COLUMNS, rows)
    targets = [(TARGET_NAMES[two], TARGET_NAMES[three]) for two, three in SOLO_TARGETS]
    yield _die_table(Heading(_("Target"), "", 1.1), (_("Of two ships"), _("Of three ships")), targets)


def _die_table(title: Heading, heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Group:
    """A table with a row for each roll of a D6."""
    columns = (Column(_("Die"), 0.5, "centre", face=BOLD), *(Column(head, 1, "centre") for head in heads))
    blocks = [Row(columns, (str(die), *row)) for die, row in enumerate(rows, start=1)]
    return Group(blocks, Stack((Space(0.4), title, TableHead(columns))))
