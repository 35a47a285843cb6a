"""Delete browsers that have changed nothing for 400 days and are not the only way into a roster. Run it once a day.

It also deletes the rows of ended sessions.
"""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from rosters.store import access


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print the number of browsers")

    def handle(self, *args: Any, **options: Any) -> None:
        before = timezone.now() - timedelta(seconds=settings.BROWSER_COOKIE_AGE)
        if options["dry_run"]:
            count = access.unused_browsers(before).count()
            self.stdout.write(_("Browsers to delete: {n}.").format(n=count))
            return
        UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
        self.stdout.write(_("Browsers deleted: {n}.").format(n=access.purge_browsers(before)))
