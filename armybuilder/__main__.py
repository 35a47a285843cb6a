"""The command `armybuilder` of an installed wheel: serve the site from its own database, or run a management command.

Everything is configured by the environment; each option sets a variable.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError
from environs import EnvError

EPILOG = (
    "`armybuilder manage COMMAND` runs any other command: backup, restore, integrity, config, createsuperuser; "
    "`armybuilder manage help` lists them. For a site that is served with --data FOLDER: `armybuilder --data FOLDER "
    "manage COMMAND`. Every setting is an environment variable."
)


def main() -> None:
    """Serve the site, or run the management command after `manage`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    words = sys.argv[1:]
    split = words.index("manage") if "manage" in words else len(words)
    options = parse_options(words[:split])
    if options.data:
        os.environ["DATA_DIR"] = os.path.abspath(options.data)
    if words[split:]:
        execute_from_command_line(["armybuilder manage", *words[split + 1 :]])
    else:
        serve(options)


def parse_options(words: Sequence[str]) -> argparse.Namespace:
    """The options of the command line; the word `serve` is optional."""
    parser = argparse.ArgumentParser("armybuilder", description="Serve Armybuilder on this machine.", epilog=EPILOG)
    parser.add_argument("serve", nargs="?", choices=["serve"], help="the default")
    parser.add_argument("--host", help="the address to bind to (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="the port (default: 8000)")
    parser.add_argument("--data", metavar="FOLDER", help="the folder of the database")
    return parser.parse_args(words)


def serve(options: argparse.Namespace) -> None:
    """Migrate the database, start the workers, and become gunicorn; exit with a message if any of it fails."""
    address = bind_address(options)
    try:
        from django.conf import settings  # noqa: PLC0415 (it reads the environment)

        prepare(settings.PRODUCTION)
    except (DatabaseError, EnvError, ImproperlyConfigured, OSError) as error:
        sys.exit(f"armybuilder: {error}")
    print(f"Armybuilder is at http://{address}/  (stop it with Ctrl-C)")
    print(f"Its data are in {settings.DATA_DIR}", flush=True)
    os.environ.setdefault("LOG_FORMAT", "json" if settings.PRODUCTION else "text")
    worker = [sys.executable, "-m", "armybuilder", "manage", "worker", "--with-parent"]
    for _number in range(settings.REPORT_WORKERS):  # they end with this process, which becomes gunicorn
        subprocess.Popen(worker, stdin=subprocess.DEVNULL)
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", str(settings.BASE_DIR / "gunicorn.conf.py")])


def bind_address(options: argparse.Namespace) -> str:
    """The address that gunicorn binds to; the site answers to the host of the options."""
    if options.host or options.port or not os.environ.get("BIND"):
        host = options.host or "127.0.0.1"
        host = f"[{host}]" if ":" in host else host
        os.environ["BIND"] = f"{host}:{options.port or os.environ.get('PORT') or 8000}"
        os.environ.setdefault("ALLOWED_HOSTS", f"localhost,127.0.0.1,[::1],{host}")
    return os.environ["BIND"]


def prepare(production: bool) -> None:
    """Migrate, and load the reference rows and samples; in production collect the static files too."""
    commands = [["migrate", "--verbosity", "0"], ["load"]]
    if production:
        commands.append(["collectstatic", "--noinput", "--verbosity", "0"])
    for command in commands:
        execute_from_command_line(["armybuilder manage", *command])


if __name__ == "__main__":
    main()
