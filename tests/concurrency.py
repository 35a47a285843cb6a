"""Helpers of tests in which several things happen at the same time."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

committed = pytest.mark.django_db(transaction=True)
"""For tests with threads, which see only what is really committed."""


def run_in_threads(*works):
    """Call each in a thread with a connection of its own, all started together; the exceptions that they raised."""
    barrier = threading.Barrier(len(works))

    def run(work):
        try:
            barrier.wait()
            work()
        except Exception as error:  # for the test's own thread
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [error for error in pool.map(run, works) if error]


def before_next_call(monkeypatch, target, name, act):
    """Call ``act`` just before the next call of the function ``name`` of ``target``."""
    function = getattr(target, name)

    def late(*given, **named):
        monkeypatch.setattr(target, name, function)
        act()
        return function(*given, **named)

    monkeypatch.setattr(target, name, late)
