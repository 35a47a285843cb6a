"""The server: slow clients hold nobody up, and a process that is stuck is replaced once the others are answered."""

import os
import socket
import sys
import threading
import time

import pytest

from armybuilder import asgi
from tests.ops.serving import asked, serving
from tools.attack.slow_clients import WITHIN, attack
from tools.served import ROOT, free_port


def one_process(application, folder, **environment):
    """(port, server): a server of one process."""
    port = free_port()
    variables = {**os.environ, "PORT": str(port), "WORKERS": "1", "LOG_LEVEL": "error", **environment}
    command = [sys.executable, "-m", "gunicorn", application]
    return port, serving(command, port, folder / "log", cwd=ROOT, env=variables)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site with one thread, so that one slow client would hold up everybody."""
    folder = tmp_path_factory.mktemp("server")
    url = f"sqlite:///{folder / 'empty.sqlite3'}"
    port, server = one_process("armybuilder.asgi:application", folder, THREADS="1", DATABASE_URL=url)
    with server:
        yield port


@pytest.mark.parametrize("kind", ["headers", "bodies", "readers"])
def test_slow_clients_hold_nobody_up(site, kind):
    assert attack(site, kind, 8, ["/static/css/app.css"], lasting=0.8) < WITHIN


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", b"403"),
        ("GET /health HTTP/1.1\r\nX: " + "x" * 200_000, b""),
    ],
)
def test_what_no_browser_sends_is_answered_or_closed(site, request_text, status):
    with socket.create_connection(("127.0.0.1", site), timeout=10) as client:
        try:
            client.sendall(request_text.encode())
            answer = client.recv(64)
        except ConnectionError:
            answer = b""
    assert answer[9:12] == status


def test_a_stuck_process_is_replaced_when_its_other_requests_are_answered(tmp_path):
    port, server = one_process("tests.ops.stuck:application", tmp_path)
    with server:
        *_, first = asked(port, "/")
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
            slow = []
            thread = threading.Thread(target=lambda: slow.append(asked(port, "/slow")[2]))
            thread.start()
            thread.join()
            assert client.recv(10) == b""
        assert slow == [first] != [asked(port, "/")[2]]


def test_an_import_that_waited_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(asgi, "IMPORT_WAIT", 0)
    assert asgi.application._handle_import(time.monotonic() - 1, {}, None, None)["status"] == 503
