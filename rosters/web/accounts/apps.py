"""The admin with the site's own sign-in."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    default_site = "rosters.web.accounts.admin_site.AdminSite"
