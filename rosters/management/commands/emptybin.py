"""Delete permanently what has been in the bin for longer than it is kept; run it once a day."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from rosters.models import Roster
from rosters.store import writer
from rosters.web.library import queries as shelf


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count them")

    def handle(self, *args: Any, **options: Any) -> None:
        before = timezone.now() - shelf.BIN_DAYS
        if options["dry_run"]:
            count = Roster.objects.filter(binned__lt=before).count()
            self.stdout.write(f"{count} would be deleted permanently.")
            return
        self.stdout.write(f"{writer.empty_bin(before)} deleted permanently.")
