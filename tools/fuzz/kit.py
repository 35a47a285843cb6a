"""What the parts share: cases that are counted and taken back, and what every answer must be like."""

import re
import resource
import time
import traceback
from collections import Counter
from contextlib import contextmanager

from django.core.cache import caches
from django.core.signals import got_request_exception
from django.db import transaction
from django.test import TestCase
from hypothesis import HealthCheck, Phase, given, seed, settings

from rosters.models import Roster
from rosters.ops import integrity
from rosters.store import revisions
from rosters.store import state as states

MAX_GROWN = 256
"""MiB by which one case may raise the most memory that this process ever held."""
MAX_KEPT = 50
"""Failures that are told; of more, it is told how many there are."""
TELLTALE = re.compile(
    r"Traceback \(most recent call last\)|File \"[^\"\n]+\", line \d"
    r"|\b[A-Z]\w+(?:Error|Exception)\b|pydantic|site-packages"
)
"""What no visitor should be shown."""


class Tally:
    """How many cases there were, what failed and how to do it again, and figures."""

    def __init__(self):
        self.cases, self.failures, self.figures, self.slowest = 0, [], Counter(), 0.0

    @contextmanager
    def case(self, report):
        """Count what is done inside. Whatever it raises is a failure, with the ``report`` of how."""
        self.cases += 1
        start, before = time.perf_counter(), peak()
        try:
            yield
            assert peak() - before < MAX_GROWN, f"the memory grew by {peak() - before} MiB"
        except Exception:
            self.failures.append({**report(), "error": traceback.format_exc()[-4000:]})
        self.slowest = max(self.slowest, time.perf_counter() - start)

    def report(self):
        """As the report has it."""
        figures = {str(name): number for name, number in sorted(self.figures.items(), key=str)}
        slowest = round(self.slowest, 2)
        return {"cases": self.cases, **figures, "slowest_seconds": slowest, "failures": self.failures[:MAX_KEPT]} | (
            {"failures_not_told": len(self.failures) - MAX_KEPT} if len(self.failures) > MAX_KEPT else {}
        )


def peak():
    """MiB: the most that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def drawn(cases, number, strategy, each):
    """Call ``each`` with so many draws of a strategy, the same for the same number."""

    @seed(number)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def run(value):
        each(value)

    run()


# ---------------------------------------------------------------- a case leaves nothing behind


@contextmanager
def undone():
    """What is written inside is taken back and forgotten, limits too: each case can be done again on its own."""
    try:
        with transaction.atomic():
            with TestCase.captureOnCommitCallbacks(execute=True):
                yield
            transaction.set_rollback(True)
    finally:
        states._cache.clear()
        revisions._secrets.clear()
        for cache in caches.all():
            cache.clear()


# ---------------------------------------------------------------- what must be so


@contextmanager
def no_exception():
    """Fail with the traceback of whatever a view raises inside and the site answers for with a page of its own."""
    seen = []

    def note(sender, **signal):
        seen.append(traceback.format_exc())

    got_request_exception.connect(note)
    try:
        yield
    finally:
        got_request_exception.disconnect(note)
    assert not seen, seen[0]


def sound(response):
    """Fail unless an answer is one that visitors may get."""
    assert response.status_code < 500, f"answered {response.status_code}"
    kind = response.headers.get("Content-Type", "")
    if kind.startswith(("text/", "application/json")):
        shown = TELLTALE.search(text_of(response))
        assert shown is None, f"shows {shown[0]!r}"
    return response


def text_of(response):
    body = b"".join(response.streaming_content) if getattr(response, "streaming", False) else response.content
    return body.decode("utf-8", "replace")


def state():
    """How every roster stands, by its key, as far as its own row tells."""
    return {row["id"]: row for row in Roster.objects.filter(sample=None).values()}


def whole(before, *also):
    """Fail unless every roster whose row has changed, and those of the tokens ``also``, are sound in every revision."""
    now = state()
    for key, row in now.items():
        if row != before.get(key) or row["token"] in also:
            roster = Roster.objects.get(pk=key)
            faults = [str(fault) for fault in integrity.check_roster(roster, integrity.check_history(roster))]
            assert faults == []
    return now
