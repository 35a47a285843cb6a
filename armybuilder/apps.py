"""Django's static files, without those that no page uses."""

from django.contrib.staticfiles.apps import StaticFilesConfig

UNUSED_FILES = ["htmx-4*", "htmax-*", "redoc*"]


class StaticFiles(StaticFilesConfig):
    """Static files that collect in a few seconds: the unused ones of packages are as much again."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, *UNUSED_FILES]
