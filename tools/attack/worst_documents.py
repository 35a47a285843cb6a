"""Worst documents: what the limits allow is answered in time on every page, and what is beyond them is refused.

The documents of `tools.fuzz.worst`, in a process and on a database of their own; then the classics, sent to a server.
"""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tools.fuzz.alone import alone
from tools.served import database, served

NEEDS = {}
WITHIN = 2.0
"""Seconds in which a document beyond the limits is refused."""


def roster(formations):
    head = {"format": "armybuilder-roster", "version": 1, "system": "msc", "name": "x"}
    return json.dumps({**head, "formations": formations}, separators=(",", ":")).encode()


CLASSICS = {
    "one megabyte of empty formations": roster([{"name": ""}] * 85_000),
    "one megabyte of weapons": roster([{"name": "", "elements": [{"name": "", "weapons": ["F"] * 250_000}]}]),
    "one megabyte of damage": roster(
        [{"name": "", "elements": [{"name": "", "quantity": 10_000, "marks": [{}] * 10_000}] * 30}]
    ),
    "one megabyte of notes": roster([{"name": "", "notes": "x" * 10_000}] * 100),
}


def post(address, body):
    """The status of a document that is sent to be saved, and the seconds of the answer."""
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    start = time.perf_counter()
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            status = response.status
    except urllib.error.HTTPError as error:
        status = error.code
    return status, time.perf_counter() - start


def failures(seed):
    with database("sqlite") as url, served(url) as site:
        for name, body in CLASSICS.items():
            status, seconds = post(f"{site.address}/api/v1/rosters", body)
            print(f"{name}: {status} in {seconds:.2f} s", flush=True)
            if status != 400 or seconds > WITHIN:
                yield f"{name} was answered with {status} after {seconds:.1f} s"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        report = pool.submit(alone, "worst", 0, seed).result()
    figures = {name: value for name, value in report.items() if name != "failures"}
    print(figures, flush=True)
    for failure in report["failures"]:
        yield f"{' '.join(failure['case'])}: {failure['error'].strip().splitlines()[-1]}"
