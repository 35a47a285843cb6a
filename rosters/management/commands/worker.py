"""Work on fairness reports and searches for forces until a signal ends it. `make run` starts one beside the server."""

import os
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker

from rosters.store import reports


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--interval", type=float, default=0.5, help="seconds between looks at an empty queue (0.5)")
        parser.add_argument("--with-parent", action="store_true", help="end when the process that started it ends")
        parser.add_argument("--batch", action="store_true", help="end when the queue is empty")

    def handle(self, *args: Any, interval: float, with_parent: bool, batch: bool, **options: Any) -> None:
        # By batches, because between tasks the worker of django-tasks-db locks a database of SQLite with every look.
        worker = Worker(
            queue_names=["*"],
            excluded_queue_names=[],
            interval=0,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
        )
        worker.configure_signals()
        parent = os.getppid()
        while worker.running and not (with_parent and os.getppid() != parent):
            close_old_connections()
            reports.requeue_abandoned()
            if reports.has_tasks():
                worker.run()
                reports.forget_finished_tasks()
            if batch:
                return
            time.sleep(interval)
