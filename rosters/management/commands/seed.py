"""Create generated rosters for measurements. The same number and seed give the same ones. Not for a real site."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from rosters.ops import seed as seeding

REPORT_EVERY = 10_000


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rosters", type=int, required=True, metavar="N", help="number of rosters")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the random generator (1)")
        parser.add_argument("--revisions", type=int, default=1, metavar="R", help="revisions of a roster, at most (1)")

    def handle(self, *args: Any, rosters: int, seed: int, revisions: int, **options: Any) -> None:
        if not (1 <= rosters <= 10_000_000 and 1 <= revisions <= 10_000):
            raise CommandError("Choose 1 to 10,000,000 rosters with 1 to 10,000 revisions.")
        start, reported = time.monotonic(), 0
        try:
            with transaction.atomic():
                for created in seeding.seed(rosters, seed, revisions):
                    if created // REPORT_EVERY > reported:
                        reported = created // REPORT_EVERY
                        self.stdout.write(f"{created:,} after {time.monotonic() - start:.0f} s")
        except seeding.AlreadySeeded as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"{rosters:,} rosters in {time.monotonic() - start:.1f} s.")
