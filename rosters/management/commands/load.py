"""Load or update the reference lists and the sample rosters, and count errors that were never counted."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import documents
from rosters.store import writer
from rosters.store.reference import load_rows


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        load_rows()
        paths = sorted(Path(settings.ARMIES).glob("*/*.json"))
        written = sum(self._load(path) for path in paths)
        writer.count_missing_errors()
        self.stdout.write(_("Sample rosters: {n}, new or changed: {written}.").format(n=len(paths), written=written))

    def _load(self, path: Path) -> bool:
        slug = f"{path.parent.name}/{path.stem}"
        try:
            return writer.load_sample(slug, registry.read(documents.parse(path.read_bytes())))
        except documents.InvalidDocument as error:
            raise CommandError(f"{slug}: {error}") from None
