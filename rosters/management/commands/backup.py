"""Back up the whole site into one zip: rosters with their histories, battles, accounts.

After a restore all links and logins work. Protect the zip like the database.
"""

import shutil
import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from rosters.management.files import replacing
from rosters.store import bundle
from rosters.store.bundle import Manifest


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the zip to write; - is standard output")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        before = signal.signal(signal.SIGTERM, stop)
        try:
            manifest = to_output() if file == "-" else to_file(Path(file))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(_("Database error: {error}. Nothing was written.").format(error=error)) from None
        finally:
            signal.signal(signal.SIGTERM, before)
        out = self.stderr if file == "-" else self.stdout
        out.write(f"{file}: {manifest.describe()}.")


def stop(*received: Any) -> None:
    """Exit by an exception on SIGTERM, so that the unfinished file is removed."""
    raise SystemExit(143)


def to_file(path: Path) -> Manifest:
    """Write a file; a failed backup leaves the previous one."""
    with replacing(path) as file:
        return bundle.write(file)


def to_output() -> Manifest:
    """Write to standard output once the backup is complete."""
    with TemporaryFile() as file:
        manifest = bundle.write(file)
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return manifest
