"""kill -9 of workers during writes: python -m tests.crash --cases N --seed S writes build/crash.json.

Every change that was acknowledged must be there afterwards, every roster must appraise, and `manage.py integrity`
must find nothing.
"""

import json
import os
import random
import signal
import tempfile
import threading
import time
from argparse import ArgumentParser
from http.client import HTTPException
from pathlib import Path

from tests.served import Visitor, served

WRITERS = 4


def write(visitor, token, acknowledged, tried, stop):
    """Add formations until told to stop; remember how many were acknowledged."""
    while not stop.is_set():
        try:
            visitor.post(f"/r/{token}/", do="add-formation")
            status, _, page = visitor.get(f"/s/{token}.json")
            tried.append(status)
            if status == 200:
                acknowledged[token] = max(acknowledged[token], len(json.loads(page)["formations"]))
        except (OSError, ValueError, HTTPException):
            continue


def trial(site, kills, dice):
    """Kill workers while four visitors write; (formations acknowledged by token, answers)."""
    visitors = [Visitor(site) for _ in range(WRITERS)]
    acknowledged, tried, stop = {}, [], threading.Event()
    threads = []
    for visitor in visitors:
        token = visitor.start_roster()
        visitor.get(f"/r/{token}/")
        acknowledged[token] = 1
        threads.append(threading.Thread(target=write, args=(visitor, token, acknowledged, tried, stop)))
    for thread in threads:
        thread.start()
    killed = 0
    while killed < kills:
        time.sleep(dice.uniform(0.1, 0.6))
        for worker in dice.sample(site.workers(), k=1) if site.workers() else ():
            os.kill(worker, signal.SIGKILL)
            killed += 1
    time.sleep(1)
    stop.set()
    for thread in threads:
        thread.join()
    return acknowledged, len(tried)


def main():
    parser = ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="armybuilder-crash-") as folder:
        database = asked.database or f"sqlite:///{folder}/crash.sqlite3"
        with served(database) as site:
            acknowledged, tried = trial(site, asked.cases, random.Random(asked.seed))
            visitor, failures = Visitor(site), []
            for token, formations in acknowledged.items():
                _, _, page = visitor.get(f"/s/{token}.json")
                there = len(json.loads(page)["formations"])
                if there < formations:
                    failures.append(f"{token}: {formations} formations were acknowledged, {there} are there")
            code, said = site.manage("integrity")
        failures += [said] if code else []
    report = {
        "kills": asked.cases,
        "seed": asked.seed,
        "changes_tried": tried,
        "changes_acknowledged": sum(acknowledged.values()),
        "failures": failures,
    }
    path = Path("build") / "crash.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1))
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
