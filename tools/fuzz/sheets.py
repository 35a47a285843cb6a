"""Random rosters through every sheet."""

import json
import random

from rosters.pdf.job import PrintOptions
from rosters.pdf.sections import PAPERS
from rosters.pdf.shaping import TooLarge
from rosters.registry import SYSTEMS
from rosters.web.printing import service as printing
from tests.strategies import any_documents
from tests.support import read
from tools.fuzz.kit import Tally, drawn

MAX = printing.Limits(40, 10)
"""Of one drawing: more are laid out no differently."""


def some_settings(seed):
    """Print options that depend on the seed alone."""
    dice = random.Random(seed)
    switches = ("points", "receipts", "merge", "marks", "large", "colour", "fillable")
    return PrintOptions(paper=dice.choice([*PAPERS]), **{name: dice.random() < 0.5 for name in switches})


def through_every_sheet(data, settings):
    """Draw a document with each of its game's sheets; how many pages were drawn."""
    copy, drawn = printing.copy_of(read(data), "http://localhost/s/abc"), 0
    for code in printing.sheets_of(SYSTEMS[data["system"]]):
        try:
            made = printing.roster_print([copy], settings.replace(sheets=(code,)), MAX)
            pdf = made.pdf()
        except TooLarge:
            continue
        assert pdf.startswith(b"%PDF-")
        drawn += len(made.pages)
    return drawn


def run(cases, seed):
    tally = Tally()

    def each(data):
        with tally.case(lambda: {"document": data}):
            pages = through_every_sheet(data, some_settings(json.dumps(data, sort_keys=True)))
            tally.figures["pages"] += pages

    drawn(cases, seed, any_documents(), each)
    return tally
