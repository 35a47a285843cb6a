"""The state of a roster that its shared pages are rendered from, read in one query."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import Error

SHARED_ALIAS = "shared"
"""The alias of the pool for this query alone; only where others come from a pool, too, which checks each first."""

STATE_QUERY = (
    "SELECT r.system, r.revision, r.changed, r.visibility, r.hide_points, r.hide_notes, r.hide_secrets,"
    " CASE WHEN p.shown THEN p.damage END"
    " FROM rosters_roster r LEFT JOIN rosters_playstate p ON p.roster_id = r.id"
    " WHERE r.token = %s AND r.binned IS NULL AND r.visibility <> 'closed'"
)
"""A restored backup counts its revisions from an earlier one on, so the time of the change is part of the state."""


def shared_state(token: str) -> tuple[Any, ...] | None:
    """The system of a roster, and everything else that changes what its link shows; None if not everybody may read it.

    Raw SQL, because each request for a shared page waits for it and for nothing else, and the ORM is slower. For the
    same reason its connections are not checked before; if PostgreSQL has closed one, the ordinary connection is used.
    """
    if SHARED_ALIAS in settings.DATABASES and not connections[DEFAULT_DB_ALIAS].in_atomic_block:
        with suppress(Error):
            return _from_pool(connections[SHARED_ALIAS], token)
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(STATE_QUERY, [token])
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def _from_pool(database: Any, token: str) -> tuple[Any, ...] | None:
    database.pool.open()
    with database.pool.connection() as connection:
        row: tuple[Any, ...] | None = connection.execute(STATE_QUERY, [token]).fetchone()
        return row
