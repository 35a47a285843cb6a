"""Gunicorn's worker: uvicorn with a deadline for reading, and a watch that replaces a process that is stuck.

By hand, because uvicorn waits for ever for the rest of a request, and no server ends a Python call that runs on.
"""

import asyncio
import logging
import os
import time
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import Server
from uvicorn_worker import UvicornWorker

READ_SECONDS = 30
"""The time to receive a whole request, from its first byte to its last; before the first, since the connection."""
MAX_HEAD = 64 << 10
"""The most bytes of a request line with its headers."""
MAX_CONNECTIONS = 4096
"""The most open connections of one process; others are answered 503."""
MAX_CONNECTIONS_OF_A_CLIENT = MAX_CONNECTIONS // 4
"""Further ones are closed. A proxy, which TRUST_PROXY_HEADERS names, may have them all."""
STUCK_SECONDS = 60
"""A process that works longer on one request is replaced."""


class Protocol(HttpToolsProtocol):
    """Closes a connection whose request is not complete in time, whose headers are too long, or whose client has too
    many.
    """

    connections_of = Counter[str]()
    """The open connections of each client, by its network."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._header_bytes = 0
        self._reading: asyncio.TimerHandle | None = None
        self._await_request()
        self._network = _network_of(self.client)
        self.connections_of[self._network] += 1
        if self._network and self.connections_of[self._network] > MAX_CONNECTIONS_OF_A_CLIENT:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._request_read()
        self.connections_of[self._network] -= 1
        if not self.connections_of[self._network]:
            del self.connections_of[self._network]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._header_bytes += len(data)
        super().data_received(data)
        if self._header_bytes > MAX_HEAD:
            self.transport.close()

    def on_message_begin(self) -> None:
        self._await_request()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._header_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._header_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._header_bytes = 0
        self._request_read()
        super().on_message_complete()

    def _await_request(self) -> None:
        self._request_read()
        self._reading = self.loop.call_later(READ_SECONDS, self.transport.close)

    def _request_read(self) -> None:
        if self._reading:
            self._reading.cancel()
            self._reading = None


def _network_of(client: tuple[str, int] | None) -> str:
    """The network of a client that connects by itself; "" for the connections of a proxy and those through a socket."""
    from django.conf import settings  # noqa: PLC0415 (after a reload, new processes run new code)

    from rosters.web.http.proxy import client_address, network_of  # noqa: PLC0415

    return "" if client is None or settings.TRUST_PROXY_HEADERS else network_of(client_address(client[0], ""))


class Worker(UvicornWorker):  # type: ignore[misc]  # it ships no types
    """Serves `armybuilder.asgi`. Addresses of proxies are the application's affair (`rosters/web/http/proxy.py`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.CONFIG_KWARGS = {
            "http": Protocol,
            "ws": "none",
            "lifespan": "off",
            "proxy_headers": False,
            "server_header": False,
            "limit_concurrency": MAX_CONNECTIONS,
        }
        super().__init__(*args, **kwargs)
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # starts and stops are in gunicorn's log
        self.config.timeout_graceful_shutdown = self.cfg.graceful_timeout

    async def _serve(self) -> None:
        self.config.app = self.wsgi
        server = Server(config=self.config)
        self._install_sigquit_handler()
        watch = asyncio.create_task(self._restart_when_stuck(server))
        await server.serve(sockets=self.sockets)
        watch.cancel()

    async def _restart_when_stuck(self, server: Server) -> None:
        """Replace this process once it is stuck and its other requests are answered."""
        while not self._stuck():
            await asyncio.sleep(1)
        self.log.error("A request has run for %d s: this process takes no more and is replaced.", STUCK_SECONDS)
        server.should_exit = True
        deadline = time.monotonic() + self.cfg.graceful_timeout
        # tasks are the unfinished requests, the stuck ones among them
        while len(server.server_state.tasks) > self._stuck() and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        os._exit(1)  # a normal exit waits for the thread that is stuck

    def _stuck(self) -> int:
        """Requests that have been worked on for too long."""
        return sum(time.monotonic() - start > STUCK_SECONDS for start in [*self.wsgi.started.values()])
