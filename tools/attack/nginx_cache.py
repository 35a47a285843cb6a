"""Shared pages through nginx's cache, configured as docs/deploy.md says, while rosters change, hide, close and open.

Every answer must be what the roster was at some moment since the request began, or up to SHARED_CACHE_SECONDS before
it. With 1, nginx must have the bytes of nine of ten answers in its cache, of as many shared pages as `make load` asks
for and as popular, each read once before. A page is stored until the end of the second, so that the first request of
each second asks the site whether it still holds, and every other one is a hit; a page that is read less than once a
second hardly has any. So hits alone must be nine tenths of what these seconds leave at the rate that was reached.
"""

import gzip
import http.client
import math
import random
import re
import subprocess
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from tools.served import ROOT, Visitor, database, free_port, served

NEEDS = {"nginx": "nginx", "wrk": "wrk"}
REQUESTS, READERS, OWNED = 10_000, 4, 4
"""Answers that are compared, by how many readers at once, and the rosters that change."""
PAGES, CROWD = 500, 10
"""Shared pages that the crowd asks for, as that of `make load` does, and for how many seconds."""
HIT_RATE = 0.9
FROM_CACHE = {"HIT", "REVALIDATED"}
"""nginx's words for an answer whose bytes were in its cache; of REVALIDATED, the site has said that they still hold."""
LUA = """
local paths, shares, total = {%s}, {}, 0
for place = 1, #paths do
  total = total + 1 / place
  shares[place] = total
end
request = function()
  local drawn, place = math.random() * total, 1
  while shares[place] < drawn do place = place + 1 end
  return wrk.format("GET", paths[place])
end
"""
"""The n-th page is read 1/n as often as the first, as by the crowd of `make load`."""


@contextmanager
def cache_before(port, folder):
    """The port of nginx with the cache in front of another port. It writes a word for each request into a log."""
    front, text = free_port(), (ROOT / "docs" / "deploy.md").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    path, location = (
        re.search(r"^proxy_cache_path \S+ (.*?;)", text, re.M),
        re.search(r"^location /s/ \{.*?^\}", text, re.M | re.S),
    )
    rest = re.search(r"^location / \{.*?^\}", text, re.M | re.S)[0]
    places = " ".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "conf").write_text(
        f"daemon off; error_log stderr crit; pid {folder}/pid; events {{ worker_connections 1024; }} http {{"
        f"log_format word '$upstream_cache_status'; access_log {folder}/log word; keepalive_requests 1000000;"
        f"proxy_cache_path {folder}/cache {path[1]} {places}"
        f"server {{ listen 127.0.0.1:{front}; {location[0]} {rest} }} }}"
    )
    command = ["nginx", "-c", str(folder / "conf"), "-e", "stderr"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as proxy:
        try:
            time.sleep(1)
            yield front
        finally:
            proxy.terminate()


class Changing:
    """A roster of ours, and what it has been: (sent, acknowledged, quantity, hidden, closed) for each change."""

    def __init__(self, site):
        self.owner = Visitor(site)
        self.token = self.owner.start_roster()
        _, _, page = self.owner.get(f"/r/{self.token}/")
        self.element = re.search(r'name="quantity-([^"]+)"', page.decode())[1]
        self.states, self.now = [], {"quantity": 0, "hidden": False, "closed": False}
        self.change(quantity=1)
        self.change(hidden=False)

    def change(self, **wanted):
        self.now |= wanted
        sent = time.monotonic()
        if "quantity" in wanted:
            answer = self.owner.post(f"/r/{self.token}/quantities", **{f"quantity-{self.element}": wanted["quantity"]})
        else:
            hidden = {"hide_points": "on"} if self.now["hidden"] else {}
            visibility = "closed" if self.now["closed"] else "link"
            answer = self.owner.post(f"/r/{self.token}/sharing", visibility=visibility, **hidden)
        if answer[0] != 302:
            raise RuntimeError(f"{answer[0]} for {wanted}")
        self.states.append((sent, time.monotonic(), *self.now.values()))

    def was(self, shown, since, until):
        """Whether the roster was as ``shown`` at a moment between two; the last change ends when the next is done."""
        states = self.states[:]
        ends = [following[1] for following in states[1:]] + [float("inf")]
        return any(
            sent <= until and end >= since and _shown(quantity, hidden, closed) == shown
            for (sent, _, quantity, hidden, closed), end in zip(states, ends, strict=True)
        )


def _shown(quantity, hidden, closed):
    """What a stranger sees: the quantity, and whether the points are hidden; None of a closed roster."""
    return None if closed else (quantity, hidden)


def change_all(rosters, dice, over):
    """Change one roster after the other until it is ``over``."""
    for number in range(2, 10**9):
        if over.is_set():
            return
        roster = dice.choice(rosters)
        what = dice.choice(["quantity", "hidden", "closed"])
        roster.change(**{what: number % 900 + 1 if what == "quantity" else not roster.now[what]})


def read(port, rosters, number, dice, answers):
    """Ask for shared pages as a stranger does, and note what each answer was."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for _ in range(number):
        roster, start = dice.choice(rosters), time.monotonic()
        line.request("GET", f"/s/{roster.token}", headers={"Accept-Encoding": dice.choice(["gzip", "identity"])})
        answer = line.getresponse()
        body = answer.read()
        page = (gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body).decode()
        row = re.search(rf'id="e-{roster.element}".*?class="qty">(\d+)<', page, re.S)
        shown = (int(row[1]), "data-points" not in page) if row else None
        answers.append((roster, answer.status, shown, start, time.monotonic()))


def stale(site, front, seconds, seed):
    """The sentences about answers that were wrong at every moment at which they might have been right."""
    rosters, over, answers = [Changing(site) for _ in range(OWNED)], threading.Event(), []
    writer = threading.Thread(target=change_all, args=(rosters, random.Random(seed), over))
    jobs = [(front, rosters, REQUESTS // READERS, random.Random(seed + n), answers) for n in range(READERS)]
    readers = [threading.Thread(target=read, args=job) for job in jobs]
    for thread in (writer, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    over.set()
    writer.join()
    wrong = [
        (status, shown)
        for roster, status, shown, start, end in answers
        if (status == 200) != (shown is not None) or not roster.was(shown, start - seconds, end)
    ]
    changes = sum(len(roster.states) for roster in rosters)
    print(f"SHARED_CACHE_SECONDS={seconds}: {len(answers)} answers, {changes} changes, {len(wrong)} stale", flush=True)
    if len(answers) < REQUESTS or wrong:
        yield f"with {seconds} s: {len(answers)} answers, {len(wrong)} of them stale: {wrong[:3]}"


def hit_rate(site, front, folder):
    """The sentence about a hit rate that is too low."""
    site.manage("seed", "--rosters", str(PAGES), "--seed", "1")
    tokens = site.manage("shell", "-v0", "-c", TOKENS)[1].split()[-PAGES:]
    (folder / "lua").write_text(LUA % ",".join(f'"/s/{token}"' for token in tokens))
    line = http.client.HTTPConnection("127.0.0.1", front, timeout=30)
    for token in tokens:
        line.request("GET", f"/s/{token}", headers={"Accept-Encoding": "gzip"})
        line.getresponse().read()
    known = len((folder / "log").read_text())
    command = ["wrk", "-t1", "-c8", f"-d{CROWD}s", "-H", "Accept-Encoding: gzip", "-s", str(folder / "lua")]
    subprocess.run([*command, f"http://127.0.0.1:{front}/"], check=True, stdout=subprocess.DEVNULL)
    words = Counter((folder / "log").read_text()[known:].split())
    stored, hits = (sum(words[word] for word in asked) / words.total() for asked in (FROM_CACHE, {"HIT"}))
    rate = words.total() / CROWD
    possible = possible_hits(rate)
    print(f"{rate:.0f}/s, of them stored {stored:.3f}, hits {hits:.3f} of {possible:.3f} possible: {dict(words)}")
    if stored < HIT_RATE or hits < HIT_RATE * possible:
        yield f"nginx had {stored:.2f} of the answers in its cache, {hits:.2f} without asking"


def possible_hits(rate):
    """The share of requests, at a rate a second, that are not the first one of a second for their page."""
    total = sum(1 / place for place in range(1, PAGES + 1))
    firsts = sum(1 - math.exp(-rate / total / place) for place in range(1, PAGES + 1))
    return 1 - firsts / rate


def failures(seed):
    for seconds in (0, 1):
        with (
            database("sqlite") as url,
            served(url, SHARED_CACHE_SECONDS=str(seconds), TRUST_PROXY_HEADERS="1") as site,
            tempfile.TemporaryDirectory(prefix="armybuilder-cache-") as folder,
        ):
            Path(folder).chmod(0o755)  # nginx's workers are another user's
            with cache_before(site.address.rpartition(":")[2], Path(folder)) as front:
                yield from stale(site, front, seconds, seed)
                if seconds:
                    yield from hit_rate(site, front, Path(folder))


TOKENS = (
    "from rosters.models import Roster; "
    f"print(*Roster.objects.filter(binned=None).exclude(visibility='closed').values_list('token', flat=True)[:{PAGES}])"
)
