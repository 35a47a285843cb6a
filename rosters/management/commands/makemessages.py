"""Django's ``makemessages``, which also finds the texts of the reference lists in ``fixtures/``."""

from typing import Any

from django.core.management.commands import makemessages

from rosters.core.reference import fixtures_folder, reference_lists
from rosters.registry import SYSTEMS

TRANSLATED = ("name", "purpose", "text")


class Command(makemessages.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Run with a Python file that marks each text, because xgettext does not read JSON."""
        rows = (row for system in SYSTEMS for rows in reference_lists(system).values() for row in rows)
        texts = dict.fromkeys(row[key] for row in rows for key in TRANSLATED if row.get(key))
        marked = fixtures_folder() / "reference_lists.py"
        marked.write_text("".join(f"_({text!r})\n" for text in texts), encoding="utf-8")
        try:
            super().handle(*args, **options)
        finally:
            marked.unlink()
