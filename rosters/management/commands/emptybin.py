"""Permanently delete rosters that have been in the bin for more than 30 days. Run it once a day."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from rosters.models import Roster
from rosters.store import writer
from rosters.store.writer import BIN_DAYS


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print the number of rosters")

    def handle(self, *args: Any, **options: Any) -> None:
        before = timezone.now() - BIN_DAYS
        if options["dry_run"]:
            count = Roster.objects.filter(binned__lt=before).count()
            self.stdout.write(_("Rosters to delete permanently: {n}.").format(n=count))
            return
        purge = writer.empty_bin(before)
        self.stdout.write(_("Rosters deleted permanently: {n}.").format(n=purge.deleted))
        if purge.failed:
            failed = _("Could not be deleted: {tokens}. Run the command again.")
            raise CommandError(failed.format(tokens=", ".join(purge.failed)))
