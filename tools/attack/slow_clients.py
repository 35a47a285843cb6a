"""Slow clients: headers, bodies and answers at a byte every few seconds, while others must be answered within 2 s.

At the server itself, and through nginx and Caddy as docs/deploy.md configures them.
"""

import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.served import ROOT, database, free_port, served

NEEDS = {"nginx": "nginx", "caddy": "caddy"}
WITHIN = 2.0
"""Seconds in which everybody else is answered."""
LASTING = 12.0
"""Seconds of each attack."""
EVERY = 5.0
"""Seconds between two bytes that a client sends."""
APART = 0.1
"""Seconds between two readers: it is their reading that is slow, not the work on what they ask for."""
CROWDS = {"headers": (64, 512), "bodies": (64, 512), "readers": (64,)}
MULTITUDE = 9000
"""Connections of one address that send nothing: more than two processes take altogether."""
MUCH = 3 << 30
"""Bytes of answers, of which two processes together may buffer 2 GiB at once."""


class SlowClients:
    """Connections to one port that send or read a byte now and then."""

    def __init__(self, port, kind, number, paths, source="127.0.0.1"):
        self.kind, self.sockets = kind, []
        for index in range(number):
            client = socket.socket()
            client.bind((source, 0))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.settimeout(10)
            client.connect(("127.0.0.1", port))
            with suppress(OSError):  # the server takes no more of this address
                client.sendall(self.opening(paths[index % len(paths)]))
            client.setblocking(False)
            self.sockets.append(client)
            time.sleep(APART if kind == "readers" else 0)

    def opening(self, path):
        head = f"{{}} {path} HTTP/1.1\r\nHost: localhost\r\n"
        if self.kind == "headers":
            return head.format("GET").encode()
        if self.kind == "bodies":
            return f"{head.format('POST')}Content-Type: text/plain\r\nContent-Length: 100000\r\n\r\n".encode()
        return f"{head.format('GET')}Connection: close\r\n\r\n".encode()

    def trickle(self, until):
        """Keep on until a moment."""
        while time.monotonic() < until:
            for client in self.sockets:
                try:
                    if self.kind == "readers":
                        client.recv(1)
                    else:
                        client.send(b"X")
                except OSError:
                    continue  # the server has closed it, or has sent nothing
            time.sleep(min(1.0 if self.kind == "readers" else EVERY, max(0.0, until - time.monotonic())))

    def close(self):
        for client in self.sockets:
            client.close()


def slowest(address, paths, until):
    """The seconds of the slowest answer to a visitor until a moment; infinite if one failed."""
    worst = 0.0
    while time.monotonic() < until:
        for path in paths:
            start = time.monotonic()
            try:
                with urllib.request.urlopen(address + path, timeout=10) as response:
                    response.read()
            except OSError:
                return float("inf")
            worst = max(worst, time.monotonic() - start)
        time.sleep(0.2)
    return worst


def attack(port, kind, number, paths, lasting=LASTING, **more):
    """The seconds of the slowest answer that others got during one attack."""
    clients = SlowClients(port, kind, number, paths, **more)
    until = time.monotonic() + lasting
    thread = threading.Thread(target=clients.trickle, args=(until,))
    thread.start()
    try:
        return slowest(f"http://127.0.0.1:{port}", ["/health", paths[0]], until)
    finally:
        thread.join()
        clients.close()


@contextmanager
def behind(name, port):
    """The port of a proxy in front of another port, configured as docs/deploy.md says."""
    front, text = free_port(), (ROOT / "docs" / "deploy.md").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    with tempfile.TemporaryDirectory(prefix="armybuilder-proxy-") as folder:
        path = Path(folder)
        if name == "nginx":
            location = re.search(r"^location / \{.*?^\}", text, re.M | re.S)[0].replace(
                "127.0.0.1:8000", f"127.0.0.1:{port}"
            )
            (path / "conf").write_text(
                f"daemon off; error_log stderr crit; pid {path}/pid; worker_rlimit_nofile 8192;"
                f"events {{ worker_connections 4096; }} http {{ access_log off; server {{ listen 127.0.0.1:{front};"
                f"client_body_temp_path {path}/body; proxy_temp_path {path}/proxy; fastcgi_temp_path {path}/f;"
                f"uwsgi_temp_path {path}/u; scgi_temp_path {path}/s; {location} }} }}"
            )
            command = ["nginx", "-c", str(path / "conf"), "-e", "stderr"]
        else:
            site = re.search(r"^armies.example.org \{.*?^\}", text, re.M | re.S)[0].replace(
                "127.0.0.1:8000", f"127.0.0.1:{port}"
            )
            (path / "Caddyfile").write_text(
                "{\nadmin off\n}\n" + site.replace("armies.example.org", f"http://:{front}")
            )
            command = ["caddy", "run", "--config", str(path / "Caddyfile")]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as proxy:
            try:
                for _ in range(100):
                    time.sleep(0.1)
                    with socket.socket() as probe:
                        if probe.connect_ex(("127.0.0.1", front)) == 0:
                            break
                yield front
            finally:
                proxy.terminate()


def attacks(name, port, paths):
    for kind, crowds in CROWDS.items():
        for number in crowds:
            worst = attack(port, kind, number, paths)
            print(f"{name}: {number} slow {kind}, slowest answer to others {worst:.2f} s", flush=True)
            if worst > WITHIN:
                yield f"{name}: with {number} slow {kind} others waited {worst:.1f} s"


def refusals(address):
    """What fails while more is sent, bit by bit, than may be buffered at once."""
    sent = 0
    while sent < MUCH:
        try:
            with urllib.request.urlopen(address, timeout=10) as response:
                sent += len(response.read())
        except OSError as error:
            yield f"{address} after {sent >> 20} MiB: {error}"
            return
    print(f"the server: {sent >> 20} MiB sent", flush=True)


def failures(seed):
    with database("sqlite") as url, served(url) as site:
        _, said = site.manage("shell", "-v0", "-c", TOKEN)
        token, port = said.strip(), int(site.address.rpartition(":")[2])
        paths = [f"/s/{token}", f"/s/{token}.pdf", "/static/css/app.css"]
        yield from attacks("the server", port, paths)
        worst = attack(port, "headers", MULTITUDE, paths, source="127.0.0.2")
        print(f"the server: {MULTITUDE} connections of another address, slowest answer {worst:.2f} s", flush=True)
        if worst > WITHIN:
            yield f"with {MULTITUDE} connections of one address others waited {worst:.1f} s"
        yield from refusals(site.address + paths[-1])
        for name in NEEDS:
            with behind(name, port) as front:
                yield from attacks(name, front, paths)


TOKEN = "from rosters.models import Roster; print(Roster.objects.exclude(sample=None).order_by('-quantity')[0].token)"
