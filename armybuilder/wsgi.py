"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - import every view now, so that no visitor waits for it
