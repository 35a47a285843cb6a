"""The state of a roster that its shared pages are rendered from, read in one query."""

from typing import Any
from weakref import WeakSet

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections

SHARED = "shared"
"""The alias of the connections for this query alone; only where others come from a pool, which checks each first."""

QUERY = (
    "SELECT r.system, r.revision, r.changed, r.visibility, r.hide_points, r.hide_notes, r.hide_secrets,"
    " CASE WHEN p.shown THEN p.damage END"
    " FROM rosters_roster r LEFT JOIN rosters_playstate p ON p.roster_id = r.id"
    " WHERE r.token = %s AND r.binned IS NULL AND r.visibility <> 'closed'"
)
"""A restored backup counts its revisions from an earlier one on, so the time of the change is part of the state."""


PREPARE, EXECUTE = f"PREPARE shared_state (text) AS {QUERY.replace('%s', '$1')}", "EXECUTE shared_state (%s)"
_prepared = WeakSet[Any]()
"""The connections to PostgreSQL on which the query is prepared."""


def shared_state(token: str) -> tuple[Any, ...] | None:
    """The system of a roster, and everything else that changes what its link shows; None if not everybody may read it.

    Raw SQL, because each request for a shared page waits for it and for nothing else, and the ORM is slower. For the
    same reason its connections are not checked before; if PostgreSQL has closed one, the ordinary connection is used.
    """
    if SHARED in settings.DATABASES and not connections[DEFAULT_DB_ALIAS].in_atomic_block:
        try:
            return _state_from(connections[SHARED], token)
        except (InterfaceError, OperationalError):
            pass
    return _state_from(connections[DEFAULT_DB_ALIAS], token)


def _state_from(connection: Any, token: str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(_statement(connection, cursor), [token])
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def _statement(connection: Any, cursor: Any) -> str:
    """The query; where the connection stays ours, prepared: PostgreSQL plans it for longer than it runs."""
    if connection.vendor != "postgresql" or connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        return QUERY
    if connection.connection not in _prepared:
        cursor.execute(PREPARE)
        _prepared.add(connection.connection)
    return EXECUTE
