"""Restore a backup into a database without rosters, battles and accounts, completely or not at all."""

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from rosters.store import restoring
from rosters.store.bundle import BundleError, Manifest


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a zip that `backup` wrote; - is standard input")
        parser.add_argument(
            "--without-staff",
            action="store_true",
            help="remove staff rights from all accounts",
        )

    def handle(self, *args: Any, file: str, without_staff: bool, **options: Any) -> None:
        try:
            with transaction.atomic():
                manifest = restore(file)
                staff = get_user_model().objects.filter(Q(is_staff=True) | Q(is_superuser=True)).order_by("pk")
                names = ", ".join(printable(user.get_username()) for user in staff)
                if without_staff:
                    staff.update(is_staff=False, is_superuser=False)
        except OSError as error:
            raise CommandError(_("{file} cannot be read: {error}").format(file=file, error=error.strerror)) from None
        except DatabaseError as error:
            raise CommandError(_("Database error: {error}. Nothing was restored.").format(error=error)) from None
        except BundleError as reason:
            raise CommandError(_("{reason} Nothing was restored.").format(reason=reason)) from None
        restored = _("Restored: {counts}. Run `manage.py integrity` to check them.")
        self.stdout.write(restored.format(counts=manifest.describe()))
        label = _("Staff rights removed from: {names}.") if without_staff else _("Accounts with staff rights: {names}.")
        self.stdout.write(label.format(names=names or "–"))


def printable(name: str) -> str:
    """A name without what a terminal would obey: a hostile backup could hide an account from the list."""
    return "".join(c if c.isprintable() else "?" for c in name)


def restore(file: str) -> Manifest:
    """Restore a file, or standard input, which is copied to a file first: a zip is read from its end."""
    if file != "-":
        with Path(file).open("rb") as source:
            return restoring.restore_backup(source)
    with TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        return restoring.restore_backup(copy)
