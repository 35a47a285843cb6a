"""Load test on loopback: python -m tools.load --rosters N --seconds S --seed S writes build/load.json.

84 % shared pages, 8 % edits, 6 % taps on the play page, 2 % PDFs, by more and more visitors until the 95th percentile
reaches 500 ms; beside the bare /health view in the same run, on SQLite and on PostgreSQL. Visitors keep connections
and take gzip, as browsers do, each from an address of its own, as behind a proxy: one client gets only a
part of a process. Four of them change each roster, each another element and its boxes: every acknowledged change must
be there at the end, or an update was lost.
"""

import gzip
import http.client
import json
import random
import re
import statistics
import threading
import time
import urllib.parse
from argparse import ArgumentParser
from collections import Counter
from ipaddress import ip_address
from itertools import accumulate, count
from pathlib import Path

from tools.served import DATABASES, Visitor, database, served

ENOUGH = 500
"""Milliseconds of the 95th percentile at which the crowd is large enough."""
MAX_VISITORS = 256
TOGETHER = 4
"""Visitors who change one roster."""
SAVED = 302
ADDRESSES = map(str, map(ip_address, count(int(ip_address("10.0.0.1")))))
"""Of the visitors."""
MIX = {"page": 84, "edit": 8, "tap": 6, "PDF": 2}
"""The parts of the requests in a hundred. Pages and PDFs are chosen by popularity: the n-th is read 1/n as often."""


class Editor(Visitor):
    """A visitor who changes the quantity of one element and a box of it, and remembers what was saved last."""

    def __init__(self, site, token, element, number):
        super().__init__(site)
        self.token, self.element, self.number = token, element, number
        self.line = http.client.HTTPConnection(urllib.parse.urlsplit(site.address).netloc, timeout=60)
        self.address, self.box, self.marked, self.taps = next(ADDRESSES), "", "0", 0

    def _ask(self, request):
        self.jar.add_cookie_header(request)
        headers = {"Content-Type": "application/x-www-form-urlencoded", **dict(request.header_items())}
        headers |= {"Accept-Encoding": "gzip", "X-Forwarded-For": self.address}
        sent = (request.get_method(), request.selector, request.data, headers)
        try:
            answer = self._send(*sent)
        except (ConnectionError, http.client.BadStatusLine):  # the server has closed a connection that was idle
            self.line.close()
            answer = self._send(*sent)
        body = answer.read()
        self.jar.extract_cookies(answer, request)
        return answer.status, answer.headers, body

    def _send(self, *sent):
        self.line.request(*sent)
        return self.line.getresponse()

    def change(self):
        wanted = self.number % 9 + 1  # with more models, the play page would fold some
        status, _, _ = self.post(f"/r/{self.token}/quantities", **{f"quantity-{self.element}": wanted})
        self.number = wanted if status == SAVED else self.number
        return status

    def sit_down(self):
        """Choose the first box of one's element, if it has any."""
        boxes = re.findall(rf'value="({self.element} 0 \S+ 0) ([01])"', self.text(f"/r/{self.token}/marks"))
        self.box, wanted = boxes[0] if boxes else ("", "1")
        self.marked = str(1 - int(wanted))

    def tap(self):
        if not self.box:
            return self.change()
        wanted, self.taps = str(1 - int(self.marked)), self.taps + 1
        fields = {"box": f"{self.box} {wanted}", "request_id": f"{self.element}-{self.number}-{self.taps}"}
        status, _, _ = self.post(f"/r/{self.token}/marks/box", **fields)
        self.marked = wanted if status == SAVED else self.marked
        return status

    def text(self, path):
        _, headers, body = self.get(path)
        return (gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body).decode()

    def lost(self):
        """How many of the quantity and the box are not as they were saved."""
        found = [each for each in elements(self.text(f"/r/{self.token}/document.json")) if each["id"] == self.element]
        was, box, marked = found[0].get("quantity", 1) == self.number, self.box, self.marked
        self.sit_down()
        return (not was) + ((box, marked) != (self.box, self.marked))


def editors(site, number):
    """A number of editors; each four of them opened the edit link of one roster."""
    found = []
    while len(found) < number:
        founder = Visitor(site)
        token = founder.start_roster()
        _, _, page = founder.get(f"/r/{token}/links")
        link = re.search(rf"/e/{token}/[\w-]+", page.decode())[0]
        own = elements(founder.get(f"/r/{token}/document.json")[2])
        for element in own[: min(TOGETHER, number - len(found))]:
            found.append(Editor(site, token, element["id"], element.get("quantity", 1)))
            found[-1].get(link)
            found[-1].get(f"/r/{token}/")
            found[-1].sit_down()
    return found


def elements(text):
    """The elements of a roster's document."""
    return [each for formation in json.loads(text)["formations"] for each in formation["elements"]]


def visit(editor, shared, dice, times, errors, until):
    """Send requests until the time is over, and record the duration of each by its kind, and errors."""
    popular = [*accumulate(1 / place for place in range(1, len(shared) + 1))]
    while time.perf_counter() < until:
        kind, page = dice.choices([*MIX], [*MIX.values()])[0], dice.choices(shared, cum_weights=popular)[0]
        start = time.perf_counter()
        match kind:
            case "page":
                status, _, _ = editor.get(f"/s/{page}")
            case "edit":
                status = editor.change()
            case "tap":
                status = editor.tap()
            case "PDF":
                status, _, _ = editor.get(f"/s/{page}.pdf")
        times.append((kind, time.perf_counter() - start))
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
    lost = sum(who.lost() for who in people)
    kinds = {kind: [each for name, each in times if name == kind] for kind in MIX}
    means = {kind: round(1000 * statistics.fmean(own), 1) for kind, own in kinds.items() if own}
    result = {"visitors": number, **figures([each for _, each in times], seconds), "mean_ms": means}
    return {**result, "errors": Counter(errors), "lost_updates": lost}


def figures(times, seconds):
    cuts = statistics.quantiles(times, n=100)
    return {
        "requests": len(times),
        "requests_a_second": round(len(times) / seconds, 1),
        "p50_ms": round(1000 * cuts[49], 1),
        "p95_ms": round(1000 * cuts[94], 1),
        "p99_ms": round(1000 * cuts[98], 1),
    }


def bare_view(site, number, seconds=5):
    """/health, by a number of visitors."""
    times, until = [], time.perf_counter() + seconds

    def visit(visitor):
        while time.perf_counter() < until:
            start = time.perf_counter()
            visitor.get("/health")
            times.append(time.perf_counter() - start)

    threads = [threading.Thread(target=visit, args=(Editor(site, "", "", 0),)) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"visitors": number, **figures(times, seconds)}


def warm_up(site, shared, visitors=4):
    """Read every shared page and PDF, the most popular last, so that each process has those that it caches, as on a
    site that has run for a while.
    """

    def read_all():
        visitor = Editor(site, "", "", 0)
        for token in reversed(shared):
            visitor.get(f"/s/{token}")
            visitor.get(f"/s/{token}.pdf")

    threads = [threading.Thread(target=read_all) for _ in range(visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def trial(url, asked):
    """Ever more visitors on one database."""
    with served(url, TRUST_PROXY_HEADERS="1") as site:
        start = time.perf_counter()
        site.manage("seed", "--rosters", str(asked.rosters), "--seed", str(asked.seed))
        seeded = round(time.perf_counter() - start, 1)
        _, said = site.manage("shell", "-v0", "-c", TOKENS)
        shared, rows, number = said.split(), [], 1
        warm_up(site, shared)
        while not rows or (rows[-1]["p95_ms"] < ENOUGH and number <= MAX_VISITORS):
            rows.append(crowd(site, shared, number, asked.seconds, asked.seed))
            print(rows[-1], flush=True)
            number *= 2
        best = max(
            (row for row in rows if row["p95_ms"] <= ENOUGH), key=lambda row: row["requests_a_second"], default=rows[0]
        )
        bare = [bare_view(site, number) for number in (1, best["visitors"])]
        ratios = [round(best["requests_a_second"] / each["requests_a_second"], 2) for each in bare]
        return {"seeded_in_seconds": seeded, "bare_view": bare, "crowds": rows, "ratios_to_bare_view": ratios}


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
            print(report[kind]["bare_view"], report[kind]["ratios_to_bare_view"], flush=True)
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
