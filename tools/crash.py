"""kill -9 of workers during writes: python -m tools.crash --cases N --seed S writes build/crash.json.

On SQLite and on PostgreSQL, every change that was acknowledged must be there afterwards, every roster must appraise,
and `manage.py integrity` must find nothing.
"""

import json
import os
import random
import signal
import threading
import time
from argparse import ArgumentParser
from http.client import HTTPException
from pathlib import Path

from tools.served import DATABASES, Visitor, database, served

WRITERS = 4
SAVED = 302
MAX = 60
"""Formations of one roster, before another is begun."""
BETWEEN = 5
"""Changes that are acknowledged between two kills."""


def write(visitor, acknowledged, stop):
    """Add formations until stopped; count those that the site acknowledged."""
    token = None
    while not stop.is_set():
        try:
            if token is None or acknowledged[token] >= MAX:
                token = visitor.start_roster()
                acknowledged[token] = len(formations_of(visitor, token))
            status, _, _ = visitor.post(f"/r/{token}/formation/add")
            acknowledged[token] += status == SAVED
        except (OSError, ValueError, TypeError, KeyError, HTTPException):
            continue  # killed in the middle of an answer


def formations_of(visitor, token):
    """The formations of the shared document."""
    _, _, page = visitor.get(f"/s/{token}.json")
    return json.loads(page)["formations"]


def trial(site, kills, dice):
    """Kill workers while visitors write. Returns the number of acknowledged formations by token."""
    acknowledged, stop = {}, threading.Event()
    threads = [threading.Thread(target=write, args=(Visitor(site), acknowledged, stop)) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        before, patience = sum(acknowledged.values()), time.monotonic() + 30
        while sum([*acknowledged.values()]) < before + BETWEEN and time.monotonic() < patience:
            time.sleep(0.005)
        time.sleep(dice.uniform(0, 0.05))
        if workers := site.workers():
            os.kill(dice.choice(workers), signal.SIGKILL)
    stop.set()
    for thread in threads:
        thread.join()
    return acknowledged


def checked(url, kills, seed):
    """A trial on one database, and the failures."""
    with served(url) as site:
        acknowledged = trial(site, kills, random.Random(seed))
        visitor, failures = Visitor(site), []
        for token, formations in acknowledged.items():
            there = len(formations_of(visitor, token))
            if there < formations:
                failures.append(f"{token}: {formations} formations were acknowledged, {there} are there")
        code, said = site.manage("integrity")
    failures += [said] if code else []
    return {
        "rosters": len(acknowledged),
        "changes_acknowledged": sum(acknowledged.values()),
        "integrity": said.strip(),
        "failures": failures,
    }


def main():
    parser = ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    options = parser.parse_args()
    report = {"seed": options.seed, "cases": options.cases * len(options.databases)}
    for kind in options.databases:
        with database(kind) as url:
            report[kind] = checked(url, options.cases, options.seed)
    report["failures"] = sum(len(report[kind]["failures"]) for kind in options.databases)
    path = Path("build") / "crash.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1))
    raise SystemExit(bool(report["failures"]))


if __name__ == "__main__":
    main()
