"""The one app of the project."""

from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db.models.signals import pre_save
from django.utils.translation import gettext, ngettext

from rosters.core import messages

NO_ADDRESS = "0.0.0.0"


class RostersConfig(AppConfig):
    name = "rosters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.usersessions.models import UserSession  # noqa: PLC0415 - models need loaded apps

        from rosters.web.http.checks import check_downgrade, check_permissions  # noqa: PLC0415 - views need ready apps

        pre_save.connect(forget_address, sender=UserSession)
        checks.register(check_permissions, "urls")
        checks.register(check_downgrade, checks.Tags.database)
        # Skip translation when no catalogue exists: gettext calls took half of the time of a print page.
        if any(Path(folder).is_dir() for folder in [*map(str, settings.LOCALE_PATHS), f"{self.path}/locale"]):
            messages.install(messages.Translator(gettext, ngettext))


def forget_address(sender: type, instance: Any, **more: Any) -> None:
    """Store no IP address of a sign-in: it is personal data, and less useful to people than its time."""
    instance.ip = NO_ADDRESS
