"""Make up many rosters, for measuring: the same number and seed give the same ones. Not for a real site's database."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from rosters.ops import seed as seeding

TELL_EVERY = 10_000


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rosters", type=int, required=True, metavar="N", help="how many")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="another number, other rosters (1)")
        parser.add_argument("--revisions", type=int, default=1, metavar="R", help="the longest history (1)")

    def handle(self, *args: Any, rosters: int, seed: int, revisions: int, **options: Any) -> None:
        if not (1 <= rosters <= 10_000_000 and 1 <= revisions <= 10_000):
            raise CommandError("From 1 to 10,000,000 rosters, of up to 10,000 revisions.")
        began, told = time.monotonic(), 0
        try:
            with transaction.atomic():
                for made in seeding.seed(rosters, seed, revisions):
                    if made // TELL_EVERY > told:
                        told = made // TELL_EVERY
                        self.stdout.write(f"{made:,} after {time.monotonic() - began:.0f} s")
        except seeding.AlreadyThere as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"{rosters:,} rosters in {time.monotonic() - began:.1f} s.")
