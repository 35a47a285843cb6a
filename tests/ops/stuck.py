"""An application for the watchdog's test: one path never ends, the others say which process answers."""

import asyncio
import os
import threading
import time

from armybuilder import server

server.STUCK_SECONDS = 0.5


class Application:
    """What `armybuilder.server.Worker` needs of a handler."""

    def __init__(self):
        self.started = {}

    async def __call__(self, scope, receive, send):
        if scope["path"] == "/stuck":
            self.started[scope["path"]] = time.monotonic()
            await asyncio.to_thread(threading.Event().wait)
        if scope["path"] == "/slow":
            await asyncio.sleep(2)
        answer = str(os.getpid()).encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": answer})


application = Application()
