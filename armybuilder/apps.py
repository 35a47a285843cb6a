"""Django's static files, without those that no page uses."""

from django.contrib.staticfiles.apps import StaticFilesConfig

UNUSED_FILES = [
    *("*.rtl.*", "*.esm.*", "bootstrap-grid*", "bootstrap-reboot*", "bootstrap-utilities*"),
    *("bootstrap.css*", "bootstrap.js*", "bootstrap.bundle.js*"),  # the maps of the minified files are needed
    *("htmx-4*", "htmax-*"),
    "redoc*",
]


class StaticFiles(StaticFilesConfig):
    """Static files that collect in a few seconds; with the unused ones it would take fifteen."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, *UNUSED_FILES]
