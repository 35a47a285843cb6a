"""The test database: a copy of it as it was loaded, put back after each test that commits, and what it holds.

No flush, no second load.
"""

import io
import sqlite3
import zipfile

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from rosters.models import Battle, Browser, PlayState, Revision, Roster
from rosters.store import bundle


def backup():
    """The bytes of a backup of the whole site."""
    file = io.BytesIO()
    bundle.write(file)
    return file.getvalue()


def files_of(data):
    """The files of a backup by name, as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def summaries():
    """The row of every roster, and how many there are of everything else."""
    others = (Revision, Battle, Browser, PlayState, get_user_model())
    return [*Roster.objects.order_by("pk").values()], [model.objects.count() for model in others]


def copy():
    """Keep all rows as they are now; the function that puts them back."""
    return _of_sqlite() if connection.vendor == "sqlite" else _of_postgresql()


def _of_sqlite():
    kept = sqlite3.connect(":memory:", check_same_thread=False)
    connection.ensure_connection()
    connection.connection.backup(kept)

    def put_back():
        connection.ensure_connection()
        kept.backup(connection.connection)

    return put_back


def _of_postgresql():
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        kept = {table: _read(cursor, table) for table in tables}

    def put_back():
        """Foreign keys of Django's are checked at the end of the transaction, so that the order does not matter."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("TRUNCATE " + ", ".join(f'"{table}"' for table in tables))
            for table, rows in kept.items():
                with cursor.copy(f'COPY "{table}" FROM STDIN') as into:
                    into.write(rows)

    return put_back


def _read(cursor, table):
    with cursor.copy(f'COPY "{table}" TO STDOUT') as rows:
        return b"".join(rows)
