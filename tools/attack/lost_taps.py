"""Taps of 16 browsers at once on the play page of one roster, a third of the answers cut off and the taps repeated.

Each has boxes of its own; one ship and the turn are common. What an answer says must be so, and stay so.
"""

import http.client
import json
import re
import threading
import time
from random import Random
from urllib.parse import urlencode, urlsplit

from tools.served import DATABASES, Visitor, database, served

NEEDS = {}
BROWSERS, TAPS = 16, 25
"""Each browser taps so often on its own boxes, and as often on common ones and the turn."""
BOXES = 3
"""Of the ENGINE and of the SHIELD of a ship."""
SHIP = {"engine": BOXES, "shield": BOXES, "to_hit": 3, "weapons": ["F"]}


def document(browsers=BROWSERS):
    """A fleet of a ship for each browser and one for all of them."""
    ships = [{"id": f"s{number}", "name": f"Ship {number}", **SHIP} for number in range(browsers + 1)]
    head = {"format": "armybuilder-roster", "version": 1, "system": "msc", "name": "Played by all"}
    return {**head, "formations": [{"id": "f", "name": "Fleet", "elements": ships}]}


class Common:
    """The boxes of the common ship as they were acknowledged last.

    Its SHIELD is tapped by one browser at a time, so that each answer is known; its ENGINE by all at once: in the end
    it must be as one of those taps says that may have been the last.
    """

    def __init__(self):
        self.lock, self.shield, self.engine = threading.Lock(), 0, []

    def failures(self, page):
        if (shown := marked(page, "s0", "shield")) != self.shield:
            yield f"s0 at the end: shield shows {shown} instead of {self.shield}"
        latest = max((began for began, *_ in self.engine), default=0)
        last = [(box, on) for _, ended, box, on in self.engine if ended >= latest]
        shown = marked(page, "s0", "engine")
        if last and not any((shown > box) == on for box, on in last):
            yield f"s0 at the end: engine shows {shown}, which none of the last taps {last} says"


class Player:
    """A browser with its own ship. ``send`` sends a tap and returns the page, None where the answer is cut off."""

    def __init__(self, send, number, seed):
        self.send, self.name, self.random = send, f"s{number}", Random(f"{seed} {number}")
        self.common = Common()
        self.own, self.turn, self.failures = dict.fromkeys(("engine", "shield"), 0), 0, []

    def press(self, button, **fields):
        """Press a button until its answer arrives, under one request id."""
        sent = {"request_id": f"{self.name}-{self.random.getrandbits(64)}", **fields}
        while self.random.random() < 1 / 3:
            self.send(button, sent, cut=True)
        page = self.send(button, sent, cut=False)
        turn = int(re.search(r'data-turn="(\d+)"', page)[1])
        if turn < self.turn:
            self.failures.append(f"{self.name}: the turn fell from {self.turn} to {turn}")
        self.turn = turn
        self.compare(page, f"after {fields}")
        return page

    def compare(self, page, when):
        """Whether a page shows this browser's boxes as they were acknowledged last."""
        for track, lost in self.own.items():
            if (shown := marked(page, self.name, track)) != lost:
                self.failures.append(f"{self.name}, {when}: {track} shows {shown} instead of {lost}")

    def tap_own(self):
        track, box, on = self.random.choice([*self.own]), self.random.randrange(BOXES), self.random.random() < 0.6
        lost = self.own[track]
        self.own[track] = max(lost, box + 1) if on else min(lost, box)
        self.press("box", box=f"{self.name} 0 {track} {box} {int(on)}")

    def tap_common(self):
        if self.random.random() < 0.5:
            wanted, shown = self.turn + 1, self.turn
            self.press("turn", turn=wanted, shown_turn=shown)
            if self.turn < wanted:
                self.failures.append(f"{self.name}: turn {wanted} was acknowledged as {self.turn}")
            return
        box, on = self.random.randrange(BOXES), self.random.random() < 0.5
        if self.random.random() < 0.5:
            began = time.monotonic()
            self.press("box", box=f"s0 0 engine {box} {int(on)}")
            self.common.engine.append((began, time.monotonic(), box, on))
            return
        with self.common.lock:
            expected = max(self.common.shield, box + 1) if on else min(self.common.shield, box)
            page = self.press("box", box=f"s0 0 shield {box} {int(on)}")
            self.common.shield = expected
            if (shown := marked(page, "s0", "shield")) != expected:
                self.failures.append(f"s0, tapped by {self.name}: shield shows {shown} instead of {expected}")

    def play(self, taps):
        try:
            for _ in range(taps):
                self.tap_own()
                self.tap_common()
        except Exception as error:  # told with the other failures
            self.failures.append(f"{self.name}: {error!r}")


def marked(page, ship, track):
    """How many boxes of a track are marked on a page."""
    return len(re.findall(f'value="{ship} 0 {track} \\d [01]" aria-pressed="true"', page))


def played(players, taps, read, place, done=lambda: None):
    """Let all play at once, then compare the page that ``read`` gets; a sentence for each thing that is wrong."""

    def run(player):
        player.play(taps)
        done()

    common = Common()
    for player in players:
        player.common = common
    threads = [threading.Thread(target=run, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    page = read(place)
    yield from common.failures(page)
    for player in players:
        player.compare(page, "at the end")
        yield from player.failures
    turn = int(re.search(r'data-turn="(\d+)"', page)[1])
    if turn != max(player.turn for player in players):
        yield f"the turn is {turn} at the end"


def sender(visitor, place):
    """How a browser sends a tap to a running server; one that is cut off closes its connection without reading."""
    host = urlsplit(visitor.site.address).netloc
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.jar)
    token = next(cookie.value for cookie in visitor.jar if cookie.name == "csrftoken")
    headers = {"Cookie": cookies, "X-CSRFToken": token, "HX-Request": "true"}
    headers["Content-Type"] = "application/x-www-form-urlencoded"

    def send(button, fields, cut):
        line = http.client.HTTPConnection(host, timeout=60)
        try:
            line.request("POST", f"{place}/{button}", urlencode(fields), headers)
            if cut:
                return None
            answer = line.getresponse()
            text = answer.read().decode()
            if answer.status != 200:
                raise RuntimeError(f"{button}: status {answer.status}")
            return text
        finally:
            line.close()

    return send


def wrong(site, seed):
    """A sentence for each tap that is lost or wrong on a running server."""
    head = {"Content-Type": "application/json"}
    made = json.loads(Visitor(site).send("/api/v1/rosters", json.dumps(document()).encode(), head)[2])
    place, visitors = f"/r/{made['token']}/marks", [Visitor(site) for _ in range(BROWSERS)]
    for visitor in visitors:
        visitor.get(urlsplit(made["links"]["edit"]).path)
        visitor.get(place)
    players = [Player(sender(each, place), number, seed) for number, each in enumerate(visitors, 1)]
    return [*played(players, TAPS, lambda at: Visitor.get(visitors[0], at)[2].decode(), place)]


def failures(seed):
    for vendor in DATABASES:
        with database(vendor) as url, served(url) as site:
            found = wrong(site, seed)
            print(f"{vendor}: {2 * BROWSERS * TAPS} taps, {len(found)} lost or wrong", flush=True)
            yield from (f"{vendor}: {failure}" for failure in found)
