"""Print the configuration in force, secrets hidden: each variable, its value, and whether the environment gave it."""

import json
import os
import platform
import runpy
from argparse import ArgumentParser
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand

from armybuilder import environment

SERVER = ("bind", "workers", "threads", "timeout", "graceful_timeout", "keepalive", "max_requests")


def of_the_server() -> dict[str, Any]:
    """What gunicorn would be started with; nothing where its file is not beside this code."""
    path = settings.BASE_DIR / "gunicorn.conf.py"
    found = runpy.run_path(str(path)) if path.exists() else {}
    return {name.upper(): str(found[name]) for name in SERVER if name in found}


def configuration() -> dict[str, Any]:
    """The variables by name, and what comes of them."""
    given = [*environment.READ.values()]
    return {
        "variables": {each.name: {"value": environment.shown(each), "given": each.given} for each in given},
        "server": {
            name: {"value": value, "given": bool(os.environ.get(name))} for name, value in of_the_server().items()
        },
        "runs": {
            "database": settings.DATABASES["default"]["ENGINE"].rpartition(".")[2],
            "cache": settings.CACHES["default"]["BACKEND"].rpartition(".")[2],
            "mail": settings.EMAIL_BACKEND.split(".")[-2],
            "python": platform.python_version(),
            "django": django.get_version(),
        },
    }


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = configuration()
        if options["json"]:
            self.stdout.write(json.dumps(found, indent=1))
            return
        for name, each in (found["variables"] | found["server"]).items():
            self.stdout.write(f"{'given' if each['given'] else 'default':<8} {name:<24} {each['value']}".rstrip())
        self.stdout.write("runs     " + ", ".join(f"{what} {value}" for what, value in found["runs"].items()))
