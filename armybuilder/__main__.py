"""The command `armybuilder` of an installed wheel: serve the site on a database of one's own, or run another command.

It is configured as everything else is, by the environment; an option stands for a variable.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

ENDING = (
    "`armybuilder manage COMMAND` runs any other command: backup, restore, integrity, config, createsuperuser; "
    "`armybuilder manage help` lists them. For a site that is served with --data FOLDER: `armybuilder --data FOLDER "
    "manage COMMAND`. Every setting is an environment variable."
)


def main() -> None:
    """Serve, or pass on to Django what stands after `manage`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    words = sys.argv[1:]
    ours = words.index("manage") if "manage" in words else len(words)
    asked = options(words[:ours])
    if asked.data:
        os.environ["DATA_DIR"] = os.path.abspath(asked.data)
    if words[ours:]:
        execute_from_command_line(["armybuilder manage", *words[ours + 1 :]])
    else:
        serve(asked)


def options(words: Sequence[str]) -> argparse.Namespace:
    """What the command line asks for; `serve` may be said or not."""
    read = argparse.ArgumentParser("armybuilder", description="Serve Armybuilder from this machine.", epilog=ENDING)
    read.add_argument("serve", nargs="?", choices=["serve"], help="what it does by itself")
    read.add_argument("--host", help="the address of this machine to serve at: 127.0.0.1, for nobody else")
    read.add_argument("--port", type=int, help="8000")
    read.add_argument("--data", metavar="FOLDER", help="where the database stands")
    return read.parse_args(words)


def serve(asked: argparse.Namespace) -> None:
    """Bring the database up to date, say where the site is, and become gunicorn; or say what is in the way."""
    address = bound(asked)
    try:
        from django.conf import settings  # noqa: PLC0415 (it reads the environment)

        prepare(settings.PRODUCTION)
    except (DatabaseError, ImproperlyConfigured, OSError) as reason:
        sys.exit(f"armybuilder: {reason}")
    print(f"Armybuilder is at http://{address}/  (stop it with Ctrl-C)")
    print(f"Its data are in {settings.DATA_DIR}", flush=True)
    os.environ.setdefault("LOG_FORMAT", "json" if settings.PRODUCTION else "text")
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", str(settings.BASE_DIR / "gunicorn.conf.py")])


def bound(asked: argparse.Namespace) -> str:
    """The address that gunicorn will bind to; a host that was asked for is one that the site answers to."""
    if asked.host or asked.port or not os.environ.get("BIND"):
        host = asked.host or "127.0.0.1"
        host = f"[{host}]" if ":" in host else host
        os.environ["BIND"] = f"{host}:{asked.port or os.environ.get('PORT') or 8000}"
        os.environ.setdefault("ALLOWED_HOSTS", f"localhost,127.0.0.1,[::1],{host}")
    return os.environ["BIND"]


def prepare(production: bool) -> None:
    """The tables, the reference rows and the samples; in production the static files too, hashed and compressed."""
    commands = [["migrate", "--verbosity", "0"], ["load"]]
    if production:
        commands.append(["collectstatic", "--noinput", "--verbosity", "0"])
    for command in commands:
        execute_from_command_line(["armybuilder manage", *command])


if __name__ == "__main__":
    main()
