"""Back up everything into one zip: rosters with their histories, battles, accounts.

The zip lets people sign in and edit as before: keep it as safe as the database.
"""

import os
import shutil
import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

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
            raise CommandError(f"The database cannot be read: {error}. Nothing was written.") from None
        finally:
            signal.signal(signal.SIGTERM, before)
        out = self.stderr if file == "-" else self.stdout
        out.write(f"{file}: {manifest}")


def stop(*received: Any) -> None:
    """Stop as an exception does, so that half a backup is not left behind."""
    raise SystemExit(143)


def to_file(path: Path) -> Manifest:
    """Write beside the file first, so that a backup that fails leaves the last one as it was. Readable by its owner."""
    with NamedTemporaryFile(dir=path.resolve().parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            manifest = bundle.write(file)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    return manifest


def to_output() -> Manifest:
    """The same bytes as into a file, once all of them are there."""
    with TemporaryFile() as file:
        manifest = bundle.write(file)
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return manifest
