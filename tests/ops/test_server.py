"""The server: slow clients hold nobody up, and a process that is stuck is replaced once the others are answered."""

import asyncio
import os
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from unittest.mock import AsyncMock

import pytest

from armybuilder import asgi
from tests.ops.serving import asked, serving
from tools.attack.slow_clients import SlowClients
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
    """Others are answered while they are there. `make attack` measures how soon."""
    with closing(SlowClients(site, kind, 4, ["/static/css/app.css"])):
        assert [asked(site, path)[0] for path in ("/health", "/static/css/app.css")] == [200, 200]


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
        slow, stuck = (HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(2))
        with closing(slow), closing(stuck):
            slow.request("GET", "/slow")  # which is read before the other, and so is among those to be answered
            stuck.request("GET", "/stuck")
            assert slow.getresponse().read() == first
            with pytest.raises(ConnectionResetError):
                stuck.getresponse()
        assert asked(port, "/")[2] != first


def test_a_client_whose_requests_take_long_leaves_a_thread_to_others(monkeypatch):
    done = threading.Event()

    def handle(scope, body, content):
        assert scope["client"][0] == "192.0.2.8" or done.wait(20)
        return {"type": "http.response.start", "status": 200, "headers": []}

    async def ask(address):
        answer = []
        scope = {"type": "http", "headers": [(b"x-forwarded-for", b"made-up")], "client": (address, 80)}
        await asgi.application(
            scope, AsyncMock(return_value={"type": "http.request"}), AsyncMock(side_effect=answer.append)
        )
        return answer[0]["status"]

    async def both():
        slow = [asyncio.create_task(ask("192.0.2.7")) for _ in range(8)]
        await asyncio.sleep(0)
        quick = await ask("192.0.2.8")
        done.set()
        return [quick, *await asyncio.gather(*slow)]

    monkeypatch.setattr(asgi.application, "_handle", handle)
    with ThreadPoolExecutor(1) as thread:  # a loop of Playwright's may run in this one
        assert thread.submit(asyncio.run, asyncio.wait_for(both(), 15)).result() == [200] * 9


def test_an_import_that_waited_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(asgi, "IMPORT_WAIT", 0)
    assert asgi.application._handle_import(time.monotonic() - 1, {}, None, None)["status"] == 503
