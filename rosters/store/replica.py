"""Public reads from the streaming replica that DATABASE_REPLICA_URL names, if it is recent; else from the primary.

Its age is measured by this process's own clock: once the replica has replayed a position of the primary's log, it has
everything up to the time when that was read. PostgreSQL's `pg_last_xact_replay_timestamp` cannot distinguish an idle
primary from a lagging replica, and a disconnected replica does not notice.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from math import inf
from typing import TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, close_old_connections, connections

from rosters.models import Roster
from rosters.store.consistency import read_snapshot

logger = logging.getLogger("armybuilder.replica")
Result = TypeVar("Result")

REPLICA = "replica"
"""The alias of the replica in `settings.DATABASES`."""


class ReplicaAge:
    """The maximum age of the replica, measured in a thread of its own, so that no request waits.

    The replica is known to have everything up to ``as_of``, in seconds of `time.monotonic`.
    """

    def __init__(self) -> None:
        self.as_of = -inf
        self._due = 0.0
        self._positions: deque[tuple[float, Decimal]] = deque(maxlen=10)
        self._thread = ThreadPoolExecutor(1, REPLICA)
        self._measurement: Future[None] | None = None
        self._was_recent = False

    def is_recent(self) -> bool:
        """Whether the replica is younger than REPLICA_LAG_SECONDS; starts a measurement if one is due."""
        now = time.monotonic()
        if now >= self._due and (self._measurement is None or self._measurement.done()):
            self._due = now + settings.REPLICA_LAG_SECONDS / 5
            self._measurement = self._thread.submit(self.measure)
        return now - self.as_of <= settings.REPLICA_LAG_SECONDS

    def measure(self) -> None:
        """Compare the replica's position in the log with those that the primary had at earlier moments."""
        now = time.monotonic()
        close_old_connections()
        try:
            self._positions.append((now, _query(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn() - '0/0'")))
            replayed = _query(REPLICA, "SELECT pg_last_wal_replay_lsn() - '0/0'")
            self.as_of = max(at for at, logged in self._positions if logged <= replayed)
        except (Error, TypeError, ValueError):  # it is gone, it is no replica, or it lags behind all of them
            self.forget()
        finally:
            connections[DEFAULT_DB_ALIAS].close()
        is_recent = now - self.as_of <= settings.REPLICA_LAG_SECONDS
        if is_recent != self._was_recent:
            self._was_recent = is_recent
            logger.warning("The replica is used." if is_recent else "The replica has failed or is too old.")

    def forget(self) -> None:
        """Do not use the replica until it is measured again."""
        self.as_of = -inf


age = ReplicaAge()


def _query(alias: str, statement: str) -> Decimal:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


def read(work: Callable[[str], Result]) -> Result:
    """The result of ``work(alias)`` on the replica, or on the primary if the replica is too old or fails."""
    if REPLICA in settings.DATABASES and age.is_recent():
        try:
            return work(REPLICA)
        except Error:
            age.forget()
    return work(DEFAULT_DB_ALIAS)


def read_roster(roster: Roster, work: Callable[[], Result]) -> Result:
    """The result of ``work`` for a roster read from the primary: on the replica if that has the same revision."""

    def read_from(alias: str) -> Result:
        if alias == REPLICA:
            with read_snapshot(REPLICA):  # else the next revision could come in between
                same = Roster.objects.using(REPLICA).filter(pk=roster.pk, revision=roster.revision)
                if same.filter(changed=roster.changed).exists():
                    roster._state.db = REPLICA  # from there Django reads its document and its revisions
                    return work()
        roster._state.db = DEFAULT_DB_ALIAS
        return work()

    return read(read_from)
