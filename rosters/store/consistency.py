"""Consistent reads while others write, and pauses in which they can."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

PAUSE_SECONDS = 0.12
"""SQLite has no queue of writers, and a waiting one polls every 0.1 s."""


@contextmanager
def read_snapshot(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """All queries in this context see the database as it was at the first one."""
    database = connections[alias]
    if database.in_atomic_block:
        yield
    elif database.vendor == "sqlite":
        with database.cursor() as cursor:
            cursor.execute("BEGIN")  # deferred, for reading: `atomic` would begin IMMEDIATE and block every writer
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(alias), database.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def pause_for_writers() -> None:
    """Let others write between two transactions of a long task; within one of the caller there is no point in it."""
    if not connection.in_atomic_block:
        time.sleep(PAUSE_SECONDS)
