"""Delete permanently what has been in the bin for more than 30 days; run it once a day."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rosters.models import Roster
from rosters.store import writer
from rosters.web.library.queries import BIN_DAYS


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count the rosters")

    def handle(self, *args: Any, **options: Any) -> None:
        before = timezone.now() - BIN_DAYS
        if options["dry_run"]:
            self.stdout.write(f"{Roster.objects.filter(binned__lt=before).count()} would be deleted permanently.")
            return
        purge = writer.empty_bin(before)
        self.stdout.write(f"{purge.deleted} deleted permanently.")
        if purge.failed:
            raise CommandError(f"Not deleted, and tried again next time: {', '.join(purge.failed)}.")
