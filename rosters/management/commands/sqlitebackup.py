"""Copy the SQLite database into a new file while the site is running. The copy is checked before it is renamed."""

import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _

from rosters.management.files import replacing


def copy(source: str, target: Path) -> int:
    """Copy a consistent snapshot of a database into an empty file. Returns its size in bytes. Raises DatabaseError."""
    target.with_name(f"{target.name}-journal").unlink(missing_ok=True)  # of a command that was killed
    with (
        closing(sqlite3.connect(f"{Path(source).absolute().as_uri()}?mode=rw", uri=True, timeout=60)) as live,
        closing(sqlite3.connect(target)) as copied,
    ):
        live.backup(copied)
        copied.execute("PRAGMA journal_mode=DELETE")  # one file, without a write-ahead log beside it
        faults = [row[0] for row in copied.execute("PRAGMA integrity_check")]
        if faults != ["ok"]:
            raise sqlite3.DatabaseError(f"the copy is damaged: {faults[0]}")
    return target.stat().st_size


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write, such as backup-2026-11-21.sqlite3")
        parser.add_argument("--replace", action="store_true", help="overwrite an existing file")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError(_("The database is not SQLite. Use `manage.py backup`."))
        target: Path = options["file"]
        if target.exists() and not options["replace"]:
            raise CommandError(_("{file} exists. Use --replace to overwrite it.").format(file=target))
        try:
            with replacing(target) as file:
                size = copy(str(connection.settings_dict["NAME"]), Path(file.name))
        except (sqlite3.Error, OSError) as error:
            raise CommandError(_("Nothing was written: {error}").format(error=error)) from None
        self.stdout.write(_("{file}: {size} bytes, checked.").format(file=target, size=f"{size:,}"))
