"""Pgbouncer in transaction mode in front of PostgreSQL, configured as docs/deploy.md says, and the site behind it.

Several processes read and write with more threads than pgbouncer has connections: no error, nothing lost, and a query
that nobody waits for is ended.
"""

import os
import random
import re
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

from tools.load import editors
from tools.served import ROOT, Visitor, database, free_port, served

NEEDS = {"pgbouncer": "pgbouncer"}
WORKERS = 4
CONNECTIONS = 3
"""Of pgbouncer to PostgreSQL: fewer than there are threads, so that each transaction may get another one."""
EDITORS = 12
LASTING = 10.0
"""Seconds of reads and writes."""
READS = ("/s/{}", "/s/{}.txt", "/s/{}.pdf", "/books/?q=legion", "/", "/s/{}/r1", "/mine/")


@contextmanager
def pooled(database_url):
    """The address of a pgbouncer in front of a database, with the configuration of docs/deploy.md."""
    parts, port = urlsplit(database_url), free_port()
    host, name = parse_qs(parts.query)["host"][0], parts.path.lstrip("/")
    text = re.search(r"^```ini\n(\[databases\].*?)^```", (ROOT / "docs" / "deploy.md").read_text(), re.M | re.S)[1]
    replaced = {
        r"^armybuilder = .*?(?=connect_query)": f"armybuilder = host={host} dbname={name} user={parts.username} ",
        r"^listen_port = .*": f"listen_port = {port}",
        r"^auth_type = .*": "auth_type = any",
        r"^auth_file = .*\n": "",
        r"^default_pool_size = .*": f"default_pool_size = {CONNECTIONS}",
    }
    for pattern, line in replaced.items():
        text, number = re.subn(pattern, line, text, flags=re.M)
        if number != 1:
            raise RuntimeError(f"docs/deploy.md has no {pattern}")
    with tempfile.TemporaryDirectory(prefix="armybuilder-pgbouncer-") as folder:
        path = Path(folder) / "pgbouncer.ini"
        path.write_text(text)
        Path(folder).chmod(0o755)
        as_user = ["-u", Path(host).owner()] if os.geteuid() == 0 else []  # it refuses to run as root
        command = ["pgbouncer", "-q", *as_user, str(path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                yield f"postgresql://{parts.username}@127.0.0.1:{port}/armybuilder"
            finally:
                process.terminate()


def wait_for(url):
    """Wait until a database answers. Raises psycopg.OperationalError after ten seconds."""
    for left in range(100, -1, -1):
        try:
            return psycopg.connect(url, prepare_threshold=None, connect_timeout=5).close()
        except psycopg.OperationalError:
            if not left:
                raise
            time.sleep(0.1)


def use(editor, statuses, seed, until):
    """Read and write until a moment."""
    dice = random.Random(seed)
    while time.monotonic() < until:
        if dice.random() < 0.5:
            statuses.append(editor.change() if dice.random() < 0.5 else editor.tap())
        else:
            statuses.append(editor.get(dice.choice(READS).format(editor.token))[0])


def mixture(site, seed, number=EDITORS, lasting=LASTING):
    """What failed while visitors read and write at once, and the changes that were lost."""
    people, statuses, until = editors(site, number), [], time.monotonic() + lasting
    jobs = [(each, statuses, seed + n, until) for n, each in enumerate(people)]
    threads = [threading.Thread(target=use, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(statuses)} requests of {number} visitors", flush=True)
    if wrong := {status for status in statuses if status not in (200, 302)}:
        yield f"requests were answered with {wrong}"
    if lost := sum(who.lost() for who in people):
        yield f"{lost} acknowledged changes were lost"


def settings_of(url):
    """Whether PostgreSQL ends a query through pgbouncer."""
    with psycopg.connect(url, prepare_threshold=None, autocommit=True) as connection:
        timeout = connection.execute("SHOW statement_timeout").fetchone()[0]
    if timeout != "30s":
        yield f"a query may take {timeout}"


def failures(seed):
    with database("postgresql") as direct, pooled(direct) as url:
        wait_for(url)
        yield from settings_of(url)
        with served(url, workers=WORKERS, DATABASE_POOLER="1") as site:
            yield from mixture(site, seed)
            code, said = site.manage("integrity")
            if code:
                yield said
            if Visitor(site).get("/ready")[0] != 200:
                yield "it is not ready at the end"
