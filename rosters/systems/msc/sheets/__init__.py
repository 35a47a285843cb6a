"""The sheets of Minimal Space Combat: records, fleets, tokens, hex map, order chart, and the forms of the rulebook."""

from __future__ import annotations

from rosters.core.messages import _
from rosters.pdf.job import Choice, Job, Sheet, never
from rosters.pdf.roster_sheet import REFERENCE, ROSTER
from rosters.systems.msc.rules import STRATEGIC
from rosters.systems.msc.sheets.book import production
from rosters.systems.msc.sheets.compact import compact
from rosters.systems.msc.sheets.fleets import fleets
from rosters.systems.msc.sheets.maps import hex_map
from rosters.systems.msc.sheets.orders import order_chart
from rosters.systems.msc.sheets.records import records
from rosters.systems.msc.sheets.reference import reference
from rosters.systems.msc.sheets.solo import solo
from rosters.systems.msc.sheets.tokens import tokens

MANY_SHIPS = 12
"""With more ships, the pack has compact records instead of Ship Turn Records."""

HEX_SIZES = {str(n): _("{n} mm").format(n=n) for n in (15, 12, 20, 25, 30)}
CHOICES = {
    "weapons": Choice(
        _("Ship Turn Records"),
        {"diagram": _("Ship diagram"), "row": _("As in the rulebook")},
        ("records",),
    ),
    "alike": Choice(
        _("Identical ships"),
        {"each": _("One record per ship"), "one": _("One record for all undamaged ships")},
        ("records", "compact"),
    ),
    "fleets": Choice(
        _("Fleet Control"),
        {"stair": _("Several fleets per page, with dice"), "book": _("One page per fleet, as in the rulebook")},
        ("fleets",),
    ),
    "counters": Choice(_("Token size"), HEX_SIZES, ("counters",)),
    "backs": Choice(
        _("Token backs"), {"none": _("None"), "destroyed": _("Destroyed, for duplex printing")}, ("counters",)
    ),
    "hexes": Choice(_("Hex size"), HEX_SIZES, ("map",)),
    "spread": Choice(
        _("Hex map"),
        {
            "1x1": _("1 page"),
            **{
                f"{columns}x{rows}": _("{n} pages, {columns} × {rows}").format(
                    n=columns * rows, columns=columns, rows=rows
                )
                for columns, rows in ((2, 1), (1, 2), (2, 2), (3, 2), (3, 3))
            },
        },
        ("map",),
    ),
}


def _is_strategic(job: Job) -> bool:
    return bool(job.document.scenario == STRATEGIC)


def _is_small(job: Job) -> bool:
    return job.appraisal.quantity <= MANY_SHIPS


def _says_more(job: Job) -> bool:
    """Whether the roster sheet says what the records of a few ships do not."""
    return not _is_small(job) or _is_strategic(job) or bool(job.document.notes) or not job.appraisal.legal


SHEETS = (
    ROSTER._replace(pack=_says_more),
    Sheet(
        "fleets",
        _("Fleet Control"),
        _("All fleets, with their dice and speed as ships are lost."),
        fleets,
        _is_strategic,
    ),
    Sheet(
        "counters",
        _("Tokens"),
        _("Tokens to cut out, in the size of the map’s hexes: ships, fleets and systems."),
        tokens,
    ),
    Sheet(
        "production",
        _("Production Control Sheet"),
        _("BP produced and spent, turns 1 to 15."),
        production,
        _is_strategic,
    ),
    REFERENCE._replace(draw=reference),
    Sheet("solo", _("Solo tables"), _("Movement and targets of ships without a player."), solo, never, shared=True),
    Sheet(
        "records",
        _("Ship Turn Records"),
        _("Each ship drawn from its numbers, with its firing arcs, the rolls that hit, and turns 1 to 30."),
        records,
        _is_small,
    ),
    Sheet(
        "compact",
        _("Compact records"),
        _("For large fleets: 8 ships per page, with their arcs, the rolls that hit, and turns 1 to 30."),
        compact,
        lambda job: not _is_small(job),
    ),
    Sheet("orders", _("Order chart"), _("All ships by turns, landscape."), order_chart, never),
    Sheet(
        "map",
        _("Hex map"),
        _("Numbered hexes in the chosen size, landscape, on one page or several."),
        hex_map,
        shared=True,
    ),
)
