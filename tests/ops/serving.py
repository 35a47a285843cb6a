"""A server in a process of its own, and what it answers."""

import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

from tools.served import Stay


@contextmanager
def serving(command, port, log, **more):
    """Run a command while its server is asked; what it says goes into the file ``log``."""
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, **more)
    try:
        while not ready(port):
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(40)


def ready(port):
    try:
        return asked(port, "/ready")[0] == 200
    except OSError:  # the port is bound before it answers
        return False


def asked(port, address, **headers):
    """(status, headers, body) of an answer; redirects are answers too."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{address}", headers=headers)
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=30) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()
