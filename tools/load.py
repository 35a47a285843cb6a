"""Load test on loopback: python -m tools.load --rosters N --seconds S --seed S writes build/load.json.

90 % shared pages, 8 % edits, 2 % PDFs, by more and more visitors until the 95th percentile reaches 500 ms; beside the
bare /health view in the same run, on SQLite and on PostgreSQL. Four visitors change each roster, each another
element: every acknowledged change must be there at the end, or an update was lost.
"""

import json
import random
import re
import statistics
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from tools.served import DATABASES, Visitor, database, served

ENOUGH = 500
"""Milliseconds of the 95th percentile at which the crowd is large enough."""
MOST_VISITORS = 256
TOGETHER = 4
"""Visitors who change one roster."""
SAVED = 302


class Editor(Visitor):
    """A visitor who changes the quantity of one element, and remembers the last one that was saved."""

    def __init__(self, site, token, element, number):
        super().__init__(site)
        self.token, self.element, self.number = token, element, number

    def change(self):
        wanted = self.number % 90 + 1
        status, _, _ = self.post(f"/r/{self.token}/quantities", **{f"quantity-{self.element}": wanted})
        self.number = wanted if status == SAVED else self.number
        return status


def editors(site, number):
    """A number of editors; each four of them opened the edit link of one roster."""
    found = []
    while len(found) < number:
        founder = Visitor(site)
        token = founder.start_roster()
        _, _, page = founder.get(f"/r/{token}/")
        link = re.search(rf"/e/{token}/[\w-]+", page.decode())[0]
        for element in elements(founder, token)[: min(TOGETHER, number - len(found))]:
            found.append(Editor(site, token, element["id"], element.get("quantity", 1)))
            found[-1].get(link)
            found[-1].get(f"/r/{token}/")
    return found


def elements(visitor, token):
    """A roster's elements as its editors get them."""
    _, _, text = visitor.get(f"/r/{token}/document.json")
    return [element for formation in json.loads(text)["formations"] for element in formation["elements"]]


def visit(editor, shared, dice, times, errors, until):
    """Send requests until the time is over, and record their durations and errors."""
    while time.perf_counter() < until:
        chance, start = dice.random(), time.perf_counter()
        if chance < 0.90:
            status, _, _ = editor.get(f"/s/{dice.choice(shared)}")
        elif chance < 0.98:
            status = editor.change()
        else:
            status, _, _ = editor.get(f"/s/{dice.choice(shared)}.pdf")
        times.append(time.perf_counter() - start)
        if status >= 400:
            errors.append(status)


def crowd(site, shared, number, seconds, seed):
    """Requests a second, percentiles in milliseconds, errors and lost updates of a number of visitors."""
    people, times, errors = editors(site, number), [], []
    until = time.perf_counter() + seconds
    jobs = [(who, shared, random.Random(seed + n), times, errors, until) for n, who in enumerate(people)]
    threads = [threading.Thread(target=visit, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lost = sum(who.number != stored_quantity(who) for who in people)
    return {"visitors": number, **figures(times, seconds), "errors": Counter(errors), "lost_updates": lost}


def stored_quantity(editor):
    """The quantity of an editor's element in the roster."""
    found = [element for element in elements(editor, editor.token) if element["id"] == editor.element]
    return found[0].get("quantity", 1)


def figures(times, seconds):
    cuts = statistics.quantiles(times, n=100)
    return {
        "requests": len(times),
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


def trial(url, asked):
    """Ever more visitors on one database."""
    with served(url) as site:
        start = time.perf_counter()
        site.manage("seed", "--rosters", str(asked.rosters), "--seed", str(asked.seed))
        seeded = round(time.perf_counter() - start, 1)
        _, said = site.manage("shell", "-v0", "-c", TOKENS)
        shared, rows, number = said.split(), [], 1
        while not rows or (rows[-1]["p95_ms"] < ENOUGH and number <= MOST_VISITORS):
            rows.append(crowd(site, shared, number, asked.seconds, asked.seed))
            print(rows[-1], flush=True)
            number *= 2
        return {"seeded_in_seconds": seeded, "bare_view": floor(site), "crowds": rows}


def main():
    parser = ArgumentParser()
    parser.add_argument("--rosters", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    asked = parser.parse_args()
    report = {"rosters": asked.rosters, "seed": asked.seed, "workers": 2}
    for kind in asked.databases:
        with database(kind) as url:
            print(kind, flush=True)
            report[kind] = trial(url, asked)
            print(report[kind]["bare_view"], flush=True)
    crowds = [row for kind in asked.databases for row in report[kind]["crowds"]]
    report["cases"] = sum(row["requests"] for row in crowds)
    report["failures"] = sum(sum(row["errors"].values()) + row["lost_updates"] for row in crowds)
    path = Path("build") / "load.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    print(f"{report['cases']} requests, {report['failures']} failures; {path}")
    raise SystemExit(bool(report["failures"]))


TOKENS = (
    "from rosters.models import Roster; "
    "print(*Roster.objects.filter(binned=None).exclude(visibility='closed').values_list('token', flat=True)[:500])"
)


if __name__ == "__main__":
    main()
