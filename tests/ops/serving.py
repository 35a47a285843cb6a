"""A server in a process of its own, and what it answers."""

import subprocess
import time
from contextlib import closing, contextmanager
from http.client import HTTPConnection


@contextmanager
def serving(command, port, log, **more):
    """Run a command while its server is asked; what it says goes into the file ``log``."""
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, **more)
    try:
        while not alive(port):
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(40)


def alive(port):
    try:
        return asked(port, "/health")[0] == 200
    except OSError:  # the port is bound before it answers
        return False


def asked(port, address, **headers):
    """(status, headers, body) of an answer, which comes before the server gives up whoever holds it up."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
