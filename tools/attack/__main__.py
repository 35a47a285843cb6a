"""Cheap attacks and what scaling must survive: python -m tools.attack [PART ...] writes build/attack.json.

Each part is a module of this package with ``NEEDS``, the programs that it starts, by the package that brings each, and
``failures(seed)``, which yields a sentence for each thing that did not hold. Nothing is installed: a program that is
missing is named, and the run fails.
"""

import json
import shutil
import sys
import time
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

PARTS = [
    "slow_clients",
    "worst_documents",
    "imports",
    "delete_races",
    "lost_taps",
    "nginx_cache",
    "pgbouncer",
    "replica",
]


def run(part, seed):
    """The failures of one part, and the seconds that it took."""
    module, start = import_module(f"tools.attack.{part}"), time.perf_counter()
    found = [
        f"{program} is missing: install {package}"
        for program, package in module.NEEDS.items()
        if not shutil.which(program)
    ]
    found = found or list(module.failures(seed))
    for failure in found:
        print(f"{part}: {failure}", flush=True)
    return {"failures": found, "seconds": round(time.perf_counter() - start, 1)}


def main():
    parser = ArgumentParser()
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all without any")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.parts) - {*PARTS}:
        parser.error(f"no part {', '.join(unknown)}")
    report = {part: run(part, options.seed) for part in options.parts or PARTS}
    path = Path("build") / "attack.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    failed = [part for part, result in report.items() if result["failures"]]
    print(f"{len(report)} parts, failed: {', '.join(failed) or 'none'}; {path}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
