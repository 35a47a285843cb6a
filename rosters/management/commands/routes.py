"""List every route of the site with its methods and who may use it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rosters.web.http.checks import routes


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        all_routes = list(routes())
        if options["json"]:
            self.stdout.write(json.dumps(all_routes, indent=1))
            return
        for route in all_routes:
            self.stdout.write(f"{','.join(route['methods']):<16} {route['who']:<28} {route['route']}")
