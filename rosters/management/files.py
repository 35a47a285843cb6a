"""Files that a command writes completely or not at all."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file, readable by its owner only, that takes the name ``path`` once it is complete.

    What is there stays if writing fails. A killed command leaves ".NAME.unfinished", which the next one overwrites.
    Raises CommandError if another command is writing it.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    with open(unfinished, "r+b", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o600)) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(_("Another command is writing {file}.").format(file=path)) from None
        try:
            file.truncate()
            yield file
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
