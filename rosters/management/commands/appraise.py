"""Print receipts and findings of roster documents, as text or as one line of JSON each.

Exits with 0 if all are legal, 1 if some are not, 2 if one cannot be read.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand

from rosters import registry
from rosters.core import appraisals, documents
from rosters.core.amounts import format_amount, to_amount, with_minus_sign
from rosters.core.appraisals import Appraisal


class InputDocument(NamedTuple):
    """One document to appraise: its file, its line in standard input, and its bytes or a read error."""

    file: str
    line: int | None
    raw: bytes
    error: str = ""

    @property
    def location(self) -> dict[str, Any]:
        return {"file": self.file} if self.line is None else {"file": self.file, "line": self.line}


def sources(files: list[str]) -> Iterator[InputDocument]:
    """The documents of the files in order; "-" is standard input with one document per line."""
    for file in files:
        if file == "-":
            for number, line in enumerate(sys.stdin.buffer, 1):
                if line.strip():
                    yield InputDocument(file, number, line)
            continue
        try:
            yield InputDocument(file, None, Path(file).read_bytes())
        except OSError as error:
            yield InputDocument(file, None, b"", f"cannot be opened: {error.strerror}")


def appraise_source(source: InputDocument) -> Appraisal:
    """The appraisal of one document. Raises documents.InvalidDocument."""
    if source.error:
        raise documents.InvalidDocument([documents.Fault("", source.error)])
    return registry.appraise(registry.read(documents.parse(source.raw)))


def format_appraisal(appraisal: Appraisal) -> Iterator[str]:
    """An appraisal as lines of text."""
    unit = registry.SYSTEMS[appraisal.system].rules.WORDS.points
    verdict = "legal" if appraisal.legal else "NOT LEGAL"
    budget = f" of {format_amount(to_amount(appraisal.budget))}" if appraisal.budget is not None else ""
    total = f"{format_amount(appraisal.points)}{budget} {unit}, " if unit else ""
    yield f"{appraisal.name} ({appraisal.edition}): {total}{appraisal.quantity} in all, {verdict}"
    for formation in appraisal.formations:
        points = f": {format_amount(formation.points)} {unit}" if unit else ""
        yield f"  {formation.name}{points}"
        for element in formation.elements:
            price = f": {format_amount(element.unit_points)} each, {format_amount(element.points)}" if unit else ""
            yield f"    {element.quantity} × {element.name}{price}"
            for step in element.receipt.steps if element.receipt else ():
                yield f"        {step.label:<52} {with_minus_sign(step.change):>8}  = {format_amount(step.subtotal)}"
    for finding in appraisal.findings:
        where = f" ({finding.where})" if finding.where else ""
        yield f"  {finding.severity} {finding.code}{where}: {finding.message}"


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a roster document; - reads JSON Lines")
        parser.add_argument("--json", action="store_true", help="print one appraisal as JSON on each line")

    def handle(self, *args: Any, files: list[str], json: bool, **options: Any) -> None:
        exit_code = 0
        for source in sources(files):
            try:
                appraisal = appraise_source(source)
            except documents.InvalidDocument as error:
                self._print_errors(source, error, json)
                exit_code = 2
                continue
            if json:
                self.stdout.write(documents.dumps(appraisals.to_json(appraisal)))
            else:
                self.stdout.write("\n".join([*format_appraisal(appraisal), "", ""]))
            exit_code = max(exit_code, 0 if appraisal.legal else 1)
        if exit_code:
            sys.exit(exit_code)

    def _print_errors(self, source: InputDocument, error: documents.InvalidDocument, json: bool) -> None:
        if json:
            faults = [fault._asdict() for fault in error.faults]
            self.stdout.write(documents.dumps({**source.location, "errors": faults}))
            return
        line = f" line {source.line}" if source.line else ""
        self.stderr.write(f"{source.file}{line} cannot be read:")
        for fault in error.faults:
            self.stderr.write(f"  {fault.path or 'document'}: {fault.message}")
