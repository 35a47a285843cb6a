"""Requests a second that a server answers on connections that stay open: by wrk, or by a slower client of our own."""

import asyncio
import re
import shutil
import subprocess
import time
from urllib.parse import urlsplit

CONNECTIONS = 8


def rate(address, seconds=1.0, **headers):
    """Answers a second for one address; each header is asked for with "-" for "_"."""
    headers = {"Accept-Encoding": "gzip"} | {name.replace("_", "-"): value for name, value in headers.items()}
    if not shutil.which("wrk"):
        return asyncio.run(_ask_all(address, seconds, headers))
    options = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:g}s", *options, address]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said:
        raise RuntimeError(said)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", said)[1])


async def _ask_all(address, seconds, headers):
    until = time.perf_counter() + seconds
    counts = await asyncio.gather(*(_ask(address, until, headers) for _ in range(CONNECTIONS)))
    return sum(counts) / seconds


async def _ask(address, until, headers):
    """Ask on one connection until the time is over; the number of answers."""
    parts, count = urlsplit(address), 0
    lines = [f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", *(f"{name}: {headers[name]}" for name in headers)]
    request = "\r\n".join([*lines, "", ""]).encode()
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    while time.perf_counter() < until:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if head[9:12] not in (b"200", b"304"):
            raise RuntimeError(head.decode())
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        count += 1
    writer.close()
    return count
