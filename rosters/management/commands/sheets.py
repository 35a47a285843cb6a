"""Print roster documents into one PDF: the standard sheets, or those given by --sheet.

Exits with 0 if the PDF was written, with 2 if a document or an option is invalid; then nothing is written.
"""

import json
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from rosters import registry
from rosters.core import documents
from rosters.pdf.job import PrintOptions
from rosters.pdf.sections import PAPERS
from rosters.pdf.shaping import TooLarge
from rosters.registry import SYSTEMS, System
from rosters.web.printing import service as printing
from rosters.web.printing.service import printing_limits

FLAGS = ("marks", "fillable", "large", "receipts")


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = "Print roster documents as PDF."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", metavar="FILE", help="a roster document; - is standard input")
        parser.add_argument("-o", "--output", default="sheets.pdf", help="the PDF to write; - is standard output")
        parser.add_argument("--sheet", action="append", default=[], help="code of a sheet (default: the standard pack)")
        parser.add_argument("--paper", choices=[*PAPERS], default="a4")
        parser.add_argument("--fit", type=int, default=0, help="shrink the print to fit on so many pages")
        for name in FLAGS:
            parser.add_argument(f"--{name}", action="store_true", help=PrintOptions.model_fields[name].description)
        parser.add_argument(
            "--colour", action=BooleanOptionalAction, default=True, help=PrintOptions.model_fields["colour"].title
        )
        parser.add_argument("--no-points", action="store_true", help="leave out all points, for the opponent's copy")
        parser.add_argument(
            "--merge", action=BooleanOptionalAction, default=True, help="print identical elements as one entry"
        )
        parser.add_argument("--formation", action="append", type=int, default=[], help="number of a formation, from 1")
        parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the game")
        parser.add_argument("--address", default="", help="share link for the QR code")
        parser.add_argument("--battle", action="store_true", help="print one battle pack for all files")
        parser.add_argument("--blank", choices=[*SYSTEMS], help="print blank sheets of a game")
        parser.add_argument("--list", action="store_true", help="list sheets and settings of each game")
        parser.add_argument("--json", action="store_true", help="with --list: print JSON")

    def handle(self, **options: Any) -> None:
        if options["list"]:
            self.stdout.write(json.dumps(listing(), indent=1) if options["json"] else "\n".join(format_listing()))
            return
        try:
            document = build_print(options)
            pdf = document.pdf()
        except (
            documents.InvalidDocument,
            printing.UnknownSheet,
            printing.NotOneGame,
            TooLarge,
            InvalidOptions,
        ) as error:
            self.stderr.write(str(error))
            sys.exit(2)
        if options["output"] == "-":
            sys.stdout.buffer.write(pdf)
        else:
            Path(options["output"]).write_bytes(pdf)
            self.stdout.write(f"{options['output']}: {len(document.pages)} pages, {len(pdf):,} bytes")


class InvalidOptions(Exception):
    """The options of the command are incomplete."""


def build_print(options: dict[str, Any]) -> printing.PrintLayout:
    """The pages to print. Raises InvalidOptions."""
    print_options = options_of(options)
    if options["blank"]:
        return printing.blank_print(SYSTEMS[options["blank"]], print_options, printing_limits())
    if not options["files"]:
        raise InvalidOptions("Name at least one document, or use --blank or --list.")
    copies = copies_of(options["files"], options["address"])
    draw = printing.battle_print if options["battle"] else printing.roster_print
    return draw(copies, print_options, printing_limits())


def options_of(options: dict[str, Any]) -> PrintOptions:
    """The print options that the arguments of the command name."""
    switches = {name: options[name] for name in FLAGS}
    pairs = [pair.partition("=") for pair in options["set"]]
    return PrintOptions(
        paper=options["paper"],
        sheets=tuple(options["sheet"]),
        formations=tuple(number - 1 for number in options["formation"]),
        points=not options["no_points"],
        merge=options["merge"],
        colour=options["colour"],
        fit=options["fit"],
        choices={name: value for name, _, value in pairs},
        **switches,
    )


def copies_of(files: list[str], address: str) -> list[printing.PrintableRoster]:
    """The documents to print. Raises documents.InvalidDocument with the errors of all files."""
    copies, faults = [], []
    for file in files:
        try:
            raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
            copies.append(printing.copy_of(registry.read(documents.parse(raw)), address))
        except OSError as error:
            faults.append(documents.Fault(file, f"cannot be opened: {error.strerror}"))
        except documents.InvalidDocument as invalid:
            faults += [
                documents.Fault(f"{file}: {fault.path or 'document'}", fault.message) for fault in invalid.faults
            ]
    if faults:
        raise documents.InvalidDocument(faults)
    return copies


def listing() -> dict[str, Any]:
    """Sheets and settings of each system, as JSON data."""
    return {slug: {"sheets": _sheets(system), "settings": _settings(system)} for slug, system in SYSTEMS.items()}


def _sheets(system: System) -> list[dict[str, Any]]:
    return [
        {"code": sheet.code, "name": sheet.name, "text": sheet.text, "shared": sheet.shared}
        for sheet in system.sheets.SHEETS
    ]


def _settings(system: System) -> dict[str, Any]:
    common = {
        name: {"title": field.title, "default": field.default}
        for name, field in PrintOptions.model_fields.items()
        if name not in ("sheets", "formations", "choices")
    }
    common["paper"]["answers"] = {code: paper.name for code, paper in PAPERS.items()}
    own = {
        code: {"title": choice.label, "answers": dict(choice.answers), "default": next(iter(choice.answers))}
        for code, choice in system.sheets.CHOICES.items()
    }
    return {**common, **own}


def format_listing() -> Iterator[str]:
    """The same as lines of text."""
    for slug, entry in listing().items():
        yield f"{slug}:"
        yield from (f"  --sheet {sheet['code']:<12} {sheet['name']}. {sheet['text']}" for sheet in entry["sheets"])
        for name, setting in entry["settings"].items():
            if "answers" in setting and name != "paper":
                yield f"  --set {name}={'|'.join(setting['answers'])}  {setting['title']}"
