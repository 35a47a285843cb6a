"""Imports of the largest files while another visitor edits, on SQLite: every edit must be saved within 2 s.

Twenty files in one request, twenty requests at once, and a player's zip of the same rosters.
"""

import json
import threading
import time
from http.client import HTTPException

from rosters.core.documents import LIMITS
from tools.served import ROOT, Visitor, database, served

NEEDS = {}
WITHIN = 2.0
"""Seconds in which another visitor's edit is saved."""
FILES = 20
ELEMENTS = LIMITS["elements"].in_all
SAVED, IMPORTED = 302, 302
BOUNDARY = "a-line-between-two-files"


def largest(sample="6mm/wellington", number=ELEMENTS):
    """A document with as many elements as one may have, out of a sample's."""
    data = json.loads((ROOT / "fixtures" / "armies" / f"{sample}.json").read_text())
    elements = [element for formation in data["formations"] for element in formation["elements"]]
    many = [{**elements[index % len(elements)], "name": f"Element {index}"} for index in range(number)]
    return json.dumps({**data, "formations": [{**data["formations"][0], "elements": many}]}).encode()


def send(visitor, *files):
    """The status of an import of files, each a name with its content."""
    body = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
        + content
        + b"\r\n"
        for name, content in files
    )
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    return visitor.send("/import", body + f"--{BOUNDARY}--\r\n".encode(), headers)[0]


def edit_while(site, *works):
    """The seconds of each edit that a visitor saves while all works are done at once, and those that failed."""
    visitor, seconds, failed = Visitor(site), [], []
    token = visitor.start_roster()
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        start = time.monotonic()
        try:
            status = visitor.post(f"/r/{token}/{'undo' if len(seconds) % 2 else 'formation/add'}")[0]
        except (OSError, HTTPException) as error:
            status = error
        seconds.append(time.monotonic() - start)
        failed += [status] if status != SAVED else []
        time.sleep(0.05)
    return seconds, failed


def trial(site, name, *imports):
    """What did not hold while visitors sent imports at once, each a list of files."""
    answers = []

    def work(visitor, files):
        answers.append(send(visitor, *files))

    visitors = [Visitor(site) for _ in imports]
    for visitor in visitors:
        visitor.get("/import")
    works = [lambda pair=pair: work(*pair) for pair in zip(visitors, imports, strict=True)]
    start = time.monotonic()
    seconds, failed = edit_while(site, *works)
    worst = max(seconds)
    print(f"{name}: {time.monotonic() - start:.1f} s; {len(seconds)} edits, slowest {worst:.2f} s", flush=True)
    if worst > WITHIN:
        yield f"{name}: an edit took {worst:.1f} s"
    if failed:
        yield f"{name}: {len(failed)} of {len(seconds)} edits failed: {failed[:3]}"
    if set(answers) != {IMPORTED}:
        yield f"{name}: imports were answered {answers}"


def failures(seed):
    files = [(f"{number}.json", largest()) for number in range(FILES)]
    with database("sqlite") as url, served(url) as site:
        yield from trial(site, f"{FILES} files in one request", files)
        yield from trial(site, f"{FILES} requests", *([file] for file in files))
        owner = Visitor(site)
        owner.get("/import")
        send(owner, *files)
        _, _, backup = owner.get("/mine/backup")
        yield from trial(site, "a player's zip", [("backup.zip", backup)])
