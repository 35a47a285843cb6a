"""Appraise every roster anew and read every revision; tell each fault in a sentence. Exit 1 on any fault."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rosters.core.documents import dumps
from rosters.ops import integrity


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object with the counts and all faults")

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        faults = []
        for looked in integrity.check():
            if looked.fault:
                faults.append(looked.fault)
                if not json:
                    self.stdout.write(str(looked.fault))
        counts = {name: getattr(looked, name) for name in ("rosters", "revisions", "battles")}
        if json:
            told = [{**fault._asdict(), "sentence": str(fault)} for fault in faults]
            self.stdout.write(dumps({**counts, "faults": told}))
        else:
            verdict = f"{len(faults):,} fault{'' if len(faults) == 1 else 's'}." if faults else "no fault."
            self.stdout.write(", ".join(f"{count:,} {name}" for name, count in counts.items()) + f": {verdict}")
        if faults:
            sys.exit(1)
