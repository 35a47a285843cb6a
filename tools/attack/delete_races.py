"""Deleting a roster or an account, and emptying the bin, while others edit: on SQLite and on PostgreSQL.

What is deleted is gone; others get 404 or 410 from then on, never an error; nobody is signed out of an account that
still exists.
"""

import re
import threading
from http.client import HTTPException

from tools.served import DATABASES, Visitor, database, served

NEEDS = {}
ROUNDS = 25
EDITORS = 3
PASSWORD = "a horse, a battery, a staple"
ALIVE, GONE = {200, 302}, {404, 410}


def edit(visitor, token, statuses, stop):
    """Edit a roster until stopped."""
    while not stop.is_set():
        for action in ("formation/add", "undo"):
            try:
                statuses.append(visitor.post(f"/r/{token}/{action}")[0])
            except (OSError, HTTPException) as error:
                statuses.append(error)


def sign_up(site, name):
    visitor = Visitor(site)
    visitor.get("/account/signup/")
    visitor.post("/account/signup/", email=f"{name}@example.org", password1=PASSWORD, password2=PASSWORD)
    return visitor


def delete_roster(owner, token):
    return owner.post(f"/r/{token}/delete")[0]


def empty_bin(owner, token):
    owner.post(f"/r/{token}/delete")
    return owner.post("/mine/bin/empty")[0]


def delete_account(owner, token):
    return owner.post("/account/delete", password=PASSWORD)[0]


def race(owner, delete, bystanders, name):
    """What did not hold in one round."""
    token = owner.start_roster()
    link = re.search(rf"/e/{token}/[\w-]{{43}}", owner.get(f"/r/{token}/links")[2].decode())[0]
    for visitor in bystanders:
        visitor.get(link)
    statuses, stop = [[] for _ in bystanders], threading.Event()
    threads = [
        threading.Thread(target=edit, args=(visitor, token, own, stop))
        for visitor, own in zip(bystanders, statuses, strict=True)
    ]
    for thread in threads:
        thread.start()
    while not all(statuses):
        stop.wait(0.01)
    answer = delete(owner, token)
    stop.wait(0.1)
    stop.set()
    for thread in threads:
        thread.join()
    if answer not in ALIVE:
        yield f"{name}: deleting was answered {answer}"
    if wrong := {each for own in statuses for each in own} - ALIVE - GONE:
        yield f"{name}: others got {wrong}"
    if (after := bystanders[0].post(f"/r/{token}/undo")[0]) not in GONE:
        yield f"{name}: it is still there: {after}"
    if {visitor.get("/account/")[0] for visitor in bystanders} != {200}:
        yield f"{name}: somebody else was signed out"
    if delete is not delete_account and owner.get("/account/")[0] != 200:
        yield f"{name}: the owner was signed out"


def failures(seed, rounds=ROUNDS, kinds=DATABASES):
    for kind in kinds:
        with database(kind) as url, served(url) as site:
            bystanders = [sign_up(site, f"bystander-{number}") for number in range(EDITORS)]
            for number in range(rounds):
                owner = sign_up(site, f"owner-{number}")
                for delete in (delete_roster, empty_bin, delete_account):
                    yield from race(owner, delete, bystanders, f"{kind}, {delete.__name__} {number}")
            code, said = site.manage("integrity")
            if code:
                yield f"{kind}: {said}"
