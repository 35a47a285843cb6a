"""Put a backup into a database that holds no rosters, battles or accounts: all of it, or nothing.

The whole zip is checked before anything is written.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from rosters.store import bundle
from rosters.store.bundle import NotEmpty
from rosters.store.bundle_format import BadBackup


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a zip that `backup` wrote")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            with Path(file).open("rb") as source:
                manifest = bundle.restore(source)
        except OSError as error:
            raise CommandError(f"{file} cannot be opened: {error.strerror}") from None
        except DatabaseError as error:
            raise CommandError(f"The database does not take it: {error}. Nothing was restored.") from None
        except (NotEmpty, BadBackup) as reason:
            raise CommandError(f"{reason} Nothing was restored.") from None
        held = f"{manifest.rosters:,} rosters, {manifest.revisions:,} revisions, {manifest.battles:,} battles"
        self.stdout.write(f"Restored {held}, {manifest.accounts:,} accounts. `manage.py integrity` checks them all.")
