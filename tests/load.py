"""A crowd on loopback: python -m tests.load --rosters N --seconds S writes build/load.json.

90 % shared pages, 8 % edits, 2 % PDFs, by more and more visitors at once until the 95th percentile reaches 500 ms;
beside the bare /health view in the same run.
"""

import json
import random
import statistics
import tempfile
import threading
import time
from argparse import ArgumentParser
from pathlib import Path

from tests.served import Visitor, served

ENOUGH = 0.5
"""Seconds of the 95th percentile at which the crowd is large enough."""


def visit(site, shared, mine, dice, times, errors, until):
    """One visitor until the time is over: what each request took, and what went wrong."""
    visitor = Visitor(site)
    token = mine or visitor.start_roster()
    visitor.get(f"/r/{token}/")
    added = 0
    while time.perf_counter() < until:
        chance, start = dice.random(), time.perf_counter()
        if chance < 0.90:
            status, _, _ = visitor.get(f"/s/{dice.choice(shared)}")
        elif chance < 0.98:
            status, _, _ = visitor.post(f"/r/{token}/", do="add-formation" if added < 10 else "undo")
            added = added + 1 if added < 10 else 0
        else:
            status, _, _ = visitor.get(f"/s/{dice.choice(shared)}.pdf")
        times.append(time.perf_counter() - start)
        if status >= 400:
            errors.append(status)


def crowd(site, shared, number, seconds, seed):
    """So many visitors for so long: requests a second and percentiles in milliseconds."""
    times, errors, until = [], [], time.perf_counter() + seconds
    jobs = [(site, shared, None, random.Random(seed + n), times, errors, until) for n in range(number)]
    threads = [threading.Thread(target=visit, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"visitors": number, "errors": len(errors), **figures(times, seconds)}


def figures(times, seconds):
    cuts = statistics.quantiles(times, n=100)
    return {
        "requests_a_second": round(len(times) / seconds, 1),
        "p50_ms": round(1000 * cuts[49], 1),
        "p95_ms": round(1000 * cuts[94], 1),
        "p99_ms": round(1000 * cuts[98], 1),
    }


def floor(site, seconds=3):
    """The bare view, by one visitor."""
    visitor, times, until = Visitor(site), [], time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.perf_counter()
        visitor.get("/health")
        times.append(time.perf_counter() - start)
    return figures(times, seconds)


def main():
    parser = ArgumentParser()
    parser.add_argument("--rosters", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="armybuilder-load-") as folder:
        database = asked.database or f"sqlite:///{folder}/load.sqlite3"
        with served(database) as site:
            start = time.perf_counter()
            site.manage("seed", "--rosters", str(asked.rosters), "--seed", str(asked.seed))
            seeded = round(time.perf_counter() - start, 1)
            _, said = site.manage("shell", "-v0", "-c", TOKENS)
            shared = said.split()
            rows, number = [], 1
            while not rows or (rows[-1]["p95_ms"] < ENOUGH * 1000 and number <= 256):
                rows.append(crowd(site, shared, number, asked.seconds, asked.seed))
                print(rows[-1], flush=True)
                number *= 2
            report = {
                "rosters": asked.rosters,
                "seeded_in_seconds": seeded,
                "seed": asked.seed,
                "bare_view": floor(site),
                "crowds": rows,
            }
    path = Path("build") / "load.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    print(json.dumps(report["bare_view"]))


TOKENS = (
    "from rosters.models import Roster; "
    "print(*Roster.objects.exclude(visibility='closed').values_list('token', flat=True)[:500])"
)


if __name__ == "__main__":
    main()
