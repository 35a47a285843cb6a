"""The command: each part in a process of its own, one after the other."""

import json
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tools.fuzz import PARTS
from tools.fuzz.alone import alone

REPORT = Path("build") / "fuzz.json"


def main():
    """Run the parts that are asked for, one after the other; exit 1 when anything failed."""
    parser = ArgumentParser(prog="python -m tools.fuzz")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; usually all")
    parser.add_argument("--cases", type=int, default=1000, help="of each part")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := {*options.parts} - {*PARTS}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    report = {"seed": options.seed, "parts": {}}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for part in options.parts or PARTS:
            report["parts"][part] = pool.submit(alone, part, options.cases, options.seed).result()
            print(part, *(f"{name}: {value}" for name, value in summary(report["parts"][part]).items()), sep="  ")
    report |= {name: sum(summary(each)[name] for each in report["parts"].values()) for name in ("cases", "failures")}
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=1, ensure_ascii=True))
    print(f"{report['cases']} cases, {report['failures']} failures; {REPORT}")
    raise SystemExit(bool(report["failures"]))


def summary(found):
    """A part in numbers."""
    return {name: len(value) if isinstance(value, list) else value for name, value in found.items()}


if __name__ == "__main__":
    main()
