"""The one app of the project."""

from django.apps import AppConfig
from django.core import checks
from django.utils.translation import gettext, ngettext

from rosters.core import messages


class RostersConfig(AppConfig):
    name = "rosters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from rosters.web.http.checks import check_permissions  # noqa: PLC0415 - views need the models of ready apps

        checks.register(check_permissions, "urls")
        messages.install(messages.Translator(gettext, ngettext))
