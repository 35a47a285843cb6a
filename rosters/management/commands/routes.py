"""List every route of the site with its methods and who may use it."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import URLPattern, URLResolver, get_resolver

from rosters.web.http.permissions import Rights, rights_of


def routes(resolver: URLResolver, prefix: str = "/") -> Iterator[dict[str, Any]]:
    """Each route with its name, its methods, and who may read and who may send."""
    for pattern in resolver.url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, address)
        elif isinstance(pattern, URLPattern):
            rights: Rights = rights_of(pattern.callback)
            yield {"route": address, "name": pattern.name, "methods": list(rights.methods), "who": rights.who}


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(routes(get_resolver()))
        if options["json"]:
            self.stdout.write(json.dumps(found, indent=1))
            return
        for route in found:
            self.stdout.write(f"{','.join(route['methods']):<16} {route['who']:<28} {route['route']}")
