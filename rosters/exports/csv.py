"""A roster as CSV for spreadsheets, with one row per element.

Comma-separated values as in RFC 4180. Text that a spreadsheet would run as a formula is escaped.
"""

from __future__ import annotations

import csv
from io import StringIO

from rosters.core.amounts import format_decimal
from rosters.core.appraisals import Appraisal, AppraisedFormations
from rosters.core.documents import AnyDocument
from rosters.core.lists import element_line
from rosters.exports.listing import Game, ListedElement, ListedFormation, groups

COLUMNS = ("formation", "element", "quantity", "each", "points", "description", "findings", "notes", "entry")
POINT_COLUMNS = ("each", "points")
"""Columns that are left out if there are no points or they are hidden."""
FORMULA_PREFIXES = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", "\t", "\r", "\n")
"""Spreadsheets read the full-width signs of East Asian keyboards like the plain ones."""


def csv_text(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> str:
    """The roster as CSV with a header row; rows end with CR and LF."""
    columns = [name for name in COLUMNS if appraisal.points is not None or name not in POINT_COLUMNS]
    out = StringIO()
    table = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\r\n")
    table.writeheader()
    table.writerows(_row(group, item, game) for group in groups(document, appraisal, appraised) for item in group.items)
    return out.getvalue()


def _row(group: ListedFormation, item: ListedElement, game: Game) -> dict[str, str | int]:
    findings = " ".join(f"{finding.severity}: {finding.message}" for finding in item.findings)
    return {
        "formation": escape_formula(group.formation.name),
        "element": escape_formula(item.element.name),
        "quantity": item.element.quantity,
        "each": format_decimal(item.unit_points),
        "points": format_decimal(item.points),
        "description": escape_formula(item.description),
        "findings": escape_formula(findings),
        "notes": escape_formula(item.element.notes),
        "entry": escape_formula(element_line(game.grammar, item.element)),
    }


def escape_formula(text: str) -> str:
    """Text for a cell; text that would start a formula gets an apostrophe in front."""
    return f"'{text}" if text.startswith(FORMULA_PREFIXES) else text


def entries_in(text: str) -> str | None:
    """The entries of a roster's CSV as a list, each formation under its heading; None if the text is no such CSV.

    Separators may be those of a spreadsheet that saved it again: commas, semicolons or tabs.
    """
    header, _, _ = text.partition("\n")
    delimiter = next((each for each in ",;\t" if header.replace('"', "").startswith(f"formation{each}")), "")
    if not delimiter:
        return None
    table = csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, restval="")
    try:
        rows = [*table]
    except csv.Error:  # a field is longer than any that is exported
        return None
    if "entry" not in (table.fieldnames or ()):
        return None
    lines, formation = list[str](), None
    for row in rows:
        if row["formation"] != formation:
            formation = row["formation"]
            lines.append(f"# {_unescape(formation)}")
        # An element without an entry stays a line of its own, which is refused: nothing is omitted silently.
        lines.append(_unescape(row["entry"] or row.get("element", "")) or "–")
    return "\n".join(lines)


def _unescape(text: str) -> str:
    """The text that `escape_formula` wrote."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA_PREFIXES) else text
