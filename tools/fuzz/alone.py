"""One part in a process of its own, on a database of its own, so that its memory is its own too."""

import logging
import os
import resource
import time
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory


def alone(part, cases, seed):
    """Run one part in this process; what the report says of it."""
    with TemporaryDirectory() as folder:
        prepare(Path(folder) / "fuzz.sqlite3")
        start = time.perf_counter()
        tally = import_module(f"tools.fuzz.{part}").run(cases, seed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {**tally.report(), "seconds": round(time.perf_counter() - start, 1), "peak_MiB": peak}


def prepare(database):
    """Django as the server has it, on a database with the reference rows and the sample armies; no mail leaves, and
    nothing is logged.
    """
    os.environ |= {"DATABASE_URL": f"sqlite:///{database}", "EMAIL_URL": "dummy:"}
    os.environ["PROCESSOR_SECONDS_A_MINUTE"] = "0"  # cases without a pause take all of a minute
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    from django.core.management import call_command

    import_module("armybuilder.asgi")  # every view is imported, and the garbage collector set
    logging.disable()
    call_command("migrate", verbosity=0)
    call_command("load", stdout=StringIO())
