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
from unittest.mock import AsyncMock, Mock

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from armybuilder import asgi, server
from armybuilder.server import Protocol
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


HEAD = {"type": "http.response.start", "status": 200, "headers": []}


async def ask(address, *headers, body=b"", sent=None):
    """The status for a client at an address, who waits for the event ``sent`` before it takes the content."""
    answer, request = [], {"type": "http.request", "body": body}

    async def send(message):
        answer.append(message)
        if sent and message.get("body"):
            await sent.wait()

    scope = {"type": "http", "headers": [(b"x-forwarded-for", b"made-up"), *headers], "client": (address, 80)}
    await asgi.application(scope, AsyncMock(return_value=request), send)
    return answer[0]["status"]


def run(work):
    """What a coroutine returns; in a thread, since a loop of Playwright's may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(work, 15)).result()


def test_a_client_whose_requests_take_long_leaves_a_thread_to_others(monkeypatch):
    done = threading.Event()

    def handle(scope, body, content):
        assert scope["client"][0] == "192.0.2.8" or done.wait(20)
        return HEAD

    async def both():
        slow = [asyncio.create_task(ask("192.0.2.7")) for _ in range(8)]
        await asyncio.sleep(0)
        quick = await ask("192.0.2.8")
        done.set()
        return [quick, *await asyncio.gather(*slow)]

    monkeypatch.setattr(asgi.application, "_handle", handle)
    assert run(both()) == [200] * 9


def test_a_client_that_reads_slowly_fills_its_own_part_alone_and_has_its_part_of_the_connections(monkeypatch):
    """It may have 10 bytes: while its first answer of 12 is sent, it gets no other, and others do."""

    def handle(scope, body, content):
        content.write(b"x" * 12)
        content.seek(0)
        return HEAD

    async def ask_all():
        sent = asyncio.Event()
        slow = asyncio.create_task(ask("192.0.2.7", sent=sent))
        while not asgi.application.buffered:
            await asyncio.sleep(0.01)
        during = [await ask("192.0.2.7"), await ask("192.0.2.8")]
        sent.set()
        return [*during, await slow, await ask("192.0.2.7"), asgi.application.buffered]

    monkeypatch.setattr(asgi.application, "_handle", handle)
    monkeypatch.setattr(asgi, "MAX_BUFFERED_OF_A_CLIENT", 10)
    assert run(ask_all()) == [503, 200, 200, 200, 0]

    # Two: the third is closed, until another one has ended. Addresses of one /64 are one client.
    async def closed():
        config, made = Config(asgi.application), []
        for client in ("192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.7", "2001:db8::1", "2001:db8::2", "2001:db8::3"):
            transport = Mock(get_extra_info={"peername": (client, 80)}.get)
            protocol = Protocol(config, ServerState(), {})
            protocol.connection_made(transport)
            made.append((transport, protocol))
        for _transport, protocol in made:
            protocol.connection_lost(OSError())
        return [transport.close.called for transport, _protocol in made]

    monkeypatch.setattr(server, "MAX_CONNECTIONS_OF_A_CLIENT", 2)
    assert run(closed()) == [False, False, False, True, False, False, True]
    assert not Protocol.connections_of


def test_an_import_waits_for_one_of_each_other_client_at_most_and_is_refused_after_too_long(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(asgi, "IMPORT_WAIT", 0)
        assert asgi.application._handle_import(time.monotonic() - 1, {}, None, None)["status"] == 503
    begun, all_sent = [], threading.Event()

    def handle(since, scope, body, content):
        begun.append(scope["client"][0])
        assert all_sent.wait(10)
        return HEAD

    async def import_all():
        clients = ["192.0.2.7"] * 3 + ["192.0.2.8"]
        sent = [asyncio.create_task(ask(client, (b"content-type", b"x"), body=b"x" * 70_000)) for client in clients]
        await asyncio.sleep(0)
        all_sent.set()
        await asyncio.gather(*sent)

    monkeypatch.setattr(asgi.application, "_handle_import", handle)
    run(import_all())
    assert begun == ["192.0.2.7", "192.0.2.8", "192.0.2.7", "192.0.2.7"]
