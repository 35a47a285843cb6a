"""The ASGI application, which slow clients cannot hold up.

A request is read whole before a thread takes it, and its response is collected before it is sent, so threads never wait
for the network. Views and middleware are synchronous, as under WSGI: Django's own `ASGIHandler` gives each request a
thread of its own, and with it a connection to the database.
"""

import asyncio
import fcntl
import gc
import os
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import django
from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_resolver, set_script_prefix

from rosters.web.http.proxy import client_address, network_of

ASGIMessage = dict[str, Any]
Receive = Callable[[], Awaitable[ASGIMessage]]
Send = Callable[[ASGIMessage], Awaitable[None]]

IN_MEMORY = 64 << 10
"""The most bytes of one body that are buffered in memory; a longer one is in a temporary file."""
MAX_BUFFERED = 1 << 30
"""The most bytes of bodies that one process buffers for its clients, in memory and in files."""
MAX_BUFFERED_OF_A_CLIENT = MAX_BUFFERED // 4
"""So that one client that reads slowly fills its own part alone."""
MIN_RATE = 4096
"""Bytes a second at which a client must take a response, after the first minute."""
IMPORT_WAIT = 50
"""The seconds that an import waits for its turn before it is refused; browsers and proxies give up after 60."""


class Client:
    """What one client shares: turns of its requests and of its imports, and the bytes that are buffered for it."""

    def __init__(self, requests: int) -> None:
        self.turns, self.import_turns = asyncio.Semaphore(requests), asyncio.Semaphore(1)
        self.buffered = 0


class BufferedFile(SpooledTemporaryFile[bytes]):
    """The body of one request or of its response, between the client and the thread of the view."""

    def __init__(self, handler: "Handler", client: Client) -> None:
        super().__init__(IN_MEMORY)
        self.handler, self.client, self.size = handler, client, 0

    def write(self, data: Any) -> int:
        self._count(len(data))
        return super().write(data)

    def close(self) -> None:
        self._count(-self.size)
        super().close()

    def __exit__(self, *error: object) -> None:  # that of the class would not call close()
        self.close()

    def _count(self, size: int) -> None:
        self.size += size
        with self.handler.lock:  # views write in threads
            self.handler.buffered += size
            self.client.buffered += size


class Handler(ASGIHandler):
    """Answers requests with a fixed number of threads, of which one client never has all, and one more for imports.

    ``clients`` are those with requests in progress, by their networks; ``started`` holds the time at which each request
    was begun; ``buffered`` counts the bytes of `BufferedFile`.
    """

    def __init__(self, threads: int) -> None:
        super(ASGIHandler, self).__init__()  # not ASGIHandler's own, which loads asynchronous middleware
        self.load_middleware(is_async=False)
        self.threads, self.most_of_a_client = ThreadPoolExecutor(threads, "request"), max(1, threads - 1)
        self.clients = WeakValueDictionary[str, Client]()
        # One import takes seconds of work: several at once would leave no thread, and no processor, to others.
        self.imports = ThreadPoolExecutor(1, "import")
        self.started: dict[BufferedFile, float] = {}
        self.buffered, self.lock = 0, Lock()

    async def __call__(self, scope: ASGIMessage, receive: Receive, send: Send) -> None:  # type: ignore[override]
        if scope["type"] != "http":
            raise ValueError("Only HTTP is served.")
        client = self._client(scope)
        with BufferedFile(self, client) as body, BufferedFile(self, client) as content:
            if not await self._read(scope, receive, body):
                return
            if self._is_full(client):
                start = _start(HttpResponse(status=503, headers={"Retry-After": "10", "Connection": "close"}))
            else:
                turns, threads, handle = client.turns, self.threads, self._handle
                if _is_import(scope, body):
                    turns, threads = client.import_turns, self.imports
                    handle = partial(self._handle_import, time.monotonic())
                async with turns:
                    loop = asyncio.get_running_loop()
                    start = await loop.run_in_executor(threads, handle, scope, body, content)
            async with asyncio.timeout(60 + content.size / MIN_RATE):
                await send(start)
                while chunk := content.read(self.chunk_size):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                await send({"type": "http.response.body"})

    def _client(self, scope: ASGIMessage) -> Client:
        """The client of a request, with its other requests in progress."""
        forwarded_for = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        address = client_address((scope.get("client") or [""])[0], forwarded_for.decode("latin1"))
        return self.clients.setdefault(network_of(address), Client(self.most_of_a_client))

    def _is_full(self, client: Client) -> bool:
        """Whether too much is buffered, of this client or of all."""
        return client.buffered > MAX_BUFFERED_OF_A_CLIENT or self.buffered > MAX_BUFFERED

    async def _read(self, scope: ASGIMessage, receive: Receive, body: BufferedFile) -> bool:
        """Read the body; False if the client has gone. One that is too large is left unread: its length is refused.

        Reading stops, too, once too much is buffered.
        """
        length = dict(scope["headers"]).get(b"content-length", b"")
        most = settings.MOST_SENT or MAX_BUFFERED
        more = not (length.isdigit() and int(length[:18]) > most)
        while more and not self._is_full(body.client):
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            body.write(message.get("body", b""))
            more = message.get("more_body", False) and body.size <= most
        if not length and body.size:  # sent in chunks
            scope["headers"] = [*scope["headers"], (b"content-length", str(body.size).encode())]
        body.seek(0)
        return True

    def _handle_import(
        self, since: float, scope: ASGIMessage, body: BufferedFile, content: BufferedFile
    ) -> ASGIMessage:
        """Handle an import while no other process does; refuse it if it has waited too long ``since`` it was read."""
        with open(__file__) as shared:  # a lock file of its own would need a folder that every process may write to
            fcntl.flock(shared, fcntl.LOCK_EX)
            if time.monotonic() - since > IMPORT_WAIT:
                return _start(HttpResponse(status=503, headers={"Retry-After": "60"}))
            return self._handle(scope, body, content)

    def _handle(self, scope: ASGIMessage, body: BufferedFile, content: BufferedFile) -> ASGIMessage:
        """Handle a request, in a thread: write the content of the response, and return the message that starts it."""
        self.started[content] = time.monotonic()
        try:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=type(self), scope=scope)
            request, error_response = self.create_request(scope, body)
            response: Any = error_response if request is None else self.get_response(request)
            for chunk in response if response.streaming else [response.content]:
                content.write(chunk)
            content.seek(0)
            start = _start(response, content.size)
            response.close()
            return start
        finally:
            del self.started[content]


def _is_import(scope: ASGIMessage, body: BufferedFile) -> bool:
    """Whether a request has files or a document of some length; forms of pages are urlencoded."""
    kind = dict(scope["headers"]).get(b"content-type", b"")
    return body.size > IN_MEMORY and not kind.startswith(b"application/x-www-form-urlencoded")


def _start(response: HttpResponseBase, length: int = 0) -> ASGIMessage:
    """The message with the status and the headers of a response."""
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    headers += [(b"Set-Cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()]
    if not response.has_header("Content-Length") and response.status_code not in (204, 304):
        headers.append((b"Content-Length", str(length).encode()))
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
django.setup(set_prefix=False)
application = Handler(int(os.environ.get("THREADS") or 4))
get_resolver().url_patterns  # noqa: B018 - import every view now, so that no visitor waits for it
# What has been imported stays: without it a full collection stops all threads for a few milliseconds, not for 100.
gc.collect()
gc.freeze()
# A large page makes half a million objects that live until it is sent: looking for garbage among them at every 700 took
# a tenth of its time.
gc.set_threshold(20_000)
# glibc gives free memory back beyond twice the largest block that it has mapped and freed, 128 kB at first: a save of a
# large roster, which needs four of a megabyte at once, spent a quarter of its time on getting them anew.
bytes(4 << 20)
