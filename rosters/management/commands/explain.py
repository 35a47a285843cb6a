"""Explain a game's capabilities, traits, powers, house rules and findings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from rosters.registry import SYSTEMS, Explanation, explanations


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", choices=list(SYSTEMS))
        parser.add_argument("code", nargs="?", help="a code such as IF, tough, star or over-budget (default: all)")

    def handle(self, *args: Any, system: str, code: str | None, **options: Any) -> None:
        entries = explanations(SYSTEMS[system])
        if code is not None:
            entries = [
                entry for entry in entries if code and code.casefold() in (entry.code.casefold(), entry.name.casefold())
            ]
        if not entries:
            raise CommandError(_("Unknown code “{code}” in {system}.").format(code=code, system=system), returncode=2)
        for entry in entries:
            self.stdout.write(format_entry(entry))


def format_entry(entry: Explanation) -> str:
    """An explanation as one line of text."""
    return f"{' '.join(filter(None, (entry.code, entry.name)))} ({entry.kind}): {entry.text}"
