"""Random rosters through every sheet: python -m tests.fuzz --cases N --seed S writes build/fuzz.json."""

import json
import os
import random
import resource
import time
import traceback
from argparse import ArgumentParser
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

import django

django.setup()

from hypothesis import HealthCheck, Phase, given, seed, settings

from rosters import printing
from rosters.registry import SYSTEMS
from rosters.sheetkit.job import Settings
from rosters.sheetkit.layout import PAPERS, TooManyPages
from tests.strategies import any_documents
from tests.support import read, reference

MOST = printing.Limits(40, 10)
"""Of one drawing: more are laid out no differently."""


def some_settings(seed):
    """Settings that depend on the seed alone."""
    dice = random.Random(seed)
    switches = ("points", "receipts", "merge", "marks", "large", "colour", "fillable")
    return Settings(paper=dice.choice([*PAPERS]), **{name: dice.random() < 0.5 for name in switches})


def through_every_sheet(data, settings):
    """Draw a document with each of its game's sheets; how many pages were drawn."""
    copy, drawn = printing.copy_of(read(data), reference(), "http://localhost/s/abc"), 0
    for code in printing.sheets_of(SYSTEMS[data["system"]]):
        try:
            made = printing.roster_print([copy], settings.model_copy(update={"sheets": (code,)}), MOST)
        except TooManyPages:
            continue
        pdf = made.pdf()
        assert pdf.startswith(b"%PDF-")
        drawn += len(made.pages)
    return drawn


def main():
    """Draw as many documents as asked; what fails is written down with its document."""
    parser = ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    tally = {"cases": 0, "pages": 0, "slowest_seconds": 0.0}
    failures = []

    @seed(asked.seed)
    @settings(
        max_examples=asked.cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(any_documents())
    def run(data):
        start = time.perf_counter()
        try:
            tally["pages"] += through_every_sheet(data, some_settings(json.dumps(data, sort_keys=True)))
        except Exception:
            failures.append({"document": data, "error": traceback.format_exc()})
        tally["cases"] += 1
        tally["slowest_seconds"] = max(tally["slowest_seconds"], time.perf_counter() - start)

    run()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    report = {**tally, "seed": asked.seed, "failures": failures, "peak_MiB": memory}
    path = Path("build") / "fuzz.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    print(f"{tally['cases']} documents, {tally['pages']} pages, {len(failures)} failures, peak {memory} MiB; {path}")
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
