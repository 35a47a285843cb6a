"""Django's static files, without those that no page asks for."""

from django.contrib.staticfiles.apps import StaticFilesConfig

NEVER_ASKED_FOR = [
    *("*.rtl.*", "*.esm.*", "bootstrap-grid*", "bootstrap-reboot*", "bootstrap-utilities*"),
    *("bootstrap.css*", "bootstrap.js*", "bootstrap.bundle.js*"),  # the unminified; of the minified, the maps must stay
    *("htmx-4*", "htmax-*"),
    "redoc*",
]


class StaticFiles(StaticFilesConfig):
    """Collects, hashes and compresses in a few seconds what would take a quarter of a minute whole."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, *NEVER_ASKED_FOR]
