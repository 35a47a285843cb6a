"""A roster as CSV for spreadsheets, with one row per element.

Comma-separated values as in RFC 4180. Text that a spreadsheet would run as a formula is escaped.
"""

from __future__ import annotations

import csv
from io import StringIO

from rosters.core.amounts import format_decimal
from rosters.core.appraisals import Appraisal, Lines
from rosters.core.documents import AnyDocument
from rosters.core.lists import entry
from rosters.exports.listing import Game, Group, Item, groups

COLUMNS = ("formation", "element", "quantity", "each", "points", "description", "findings", "notes", "entry")
POINT_COLUMNS = ("each", "points")
"""Columns that are left out if there are no points or they are hidden."""
FORMULA_PREFIXES = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", "\t", "\r", "\n")
"""Spreadsheets read the full-width signs of East Asian keyboards like the plain ones."""


def csv_text(document: AnyDocument, appraisal: Appraisal, lines: Lines, game: Game) -> str:
    """The roster as CSV with a header row; rows end with CR and LF."""
    columns = [name for name in COLUMNS if appraisal.points is not None or name not in POINT_COLUMNS]
    out = StringIO()
    table = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\r\n")
    table.writeheader()
    table.writerows(_row(group, item, game) for group in groups(document, appraisal, lines) for item in group.items)
    return out.getvalue()


def _row(group: Group, item: Item, game: Game) -> dict[str, str | int]:
    findings = " ".join(f"{finding.severity}: {finding.message}" for finding in item.findings)
    return {
        "formation": escape_formula(group.formation.name),
        "element": escape_formula(item.element.name),
        "quantity": item.element.quantity,
        "each": format_decimal(item.each),
        "points": format_decimal(item.points),
        "description": escape_formula(item.description),
        "findings": escape_formula(findings),
        "notes": escape_formula(item.element.notes),
        "entry": escape_formula(entry(game.grammar, item.element)),
    }


def escape_formula(text: str) -> str:
    """Text for a cell; text that would start a formula gets an apostrophe in front."""
    return f"'{text}" if text.startswith(FORMULA_PREFIXES) else text
