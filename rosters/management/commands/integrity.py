"""Recompute every roster, read every revision, and report each inconsistency. Exit with 1 if there is one."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from rosters.core.documents import dumps
from rosters.ops import integrity


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print counts and inconsistencies as JSON")

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        faults = []
        for progress in integrity.check():
            if progress.fault:
                faults.append(progress.fault)
                if not json:
                    self.stdout.write(str(progress.fault))
        counts = {name: getattr(progress, name) for name in ("rosters", "revisions", "battles")}
        if json:
            rows = [{**fault._asdict(), "sentence": str(fault)} for fault in faults]
            self.stdout.write(dumps({**counts, "faults": rows}))
        else:
            checked = ", ".join(f"{count:,} {name}" for name, count in counts.items())
            self.stdout.write(_("Checked {counts}. Inconsistencies: {n}.").format(counts=checked, n=f"{len(faults):,}"))
        if faults:
            sys.exit(1)
