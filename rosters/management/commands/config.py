"""Print the configuration in force, secrets hidden: each variable, its value, and whether the environment sets it."""

import json
import os
import platform
import runpy
from argparse import ArgumentParser
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand

from armybuilder.environment import configuration

SERVER_SETTINGS = ("bind", "workers", "threads", "timeout", "graceful_timeout", "keepalive", "max_requests")


def server_configuration() -> dict[str, dict[str, Any]]:
    """The settings that gunicorn would start with; none where gunicorn.conf.py is missing."""
    path = settings.BASE_DIR / "gunicorn.conf.py"
    values = runpy.run_path(str(path)) if path.exists() else {}
    return {
        name.upper(): {"value": str(values[name]), "given": bool(os.environ.get(name.upper()))}
        for name in SERVER_SETTINGS
        if name in values
    }


def components() -> dict[str, str]:
    """The backends in use, and the versions of Python and Django."""
    return {
        "database": settings.DATABASES["default"]["ENGINE"].rpartition(".")[2],
        "cache": settings.CACHES["default"]["BACKEND"].rpartition(".")[2],
        "mail": settings.EMAIL_BACKEND.split(".")[-2],
        "python": platform.python_version(),
        "django": django.get_version(),
    }


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        variables, server, runs = configuration(), server_configuration(), components()
        if options["json"]:
            self.stdout.write(json.dumps({"variables": variables, "server": server, "runs": runs}, indent=1))
            return
        for name, each in (variables | server).items():
            self.stdout.write(f"{'given' if each['given'] else 'default':<8} {name:<24} {each['value']}".rstrip())
        self.stdout.write("runs     " + ", ".join(f"{name} {value}" for name, value in runs.items()))
