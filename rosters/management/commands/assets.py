"""``manage.py assets``: make the faces, the style sheet and the script that pages load."""

from typing import Any

from django.core.management.base import BaseCommand

from rosters.ops import assets


class Command(BaseCommand):
    help = "Make the faces, the style sheet and the script that pages load, into build/assets, if anything changed."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        self.stdout.write("Assets made." if assets.make() else "Assets are up to date.")
