"""System checks before the site starts: every URL pattern has a permission, and the database is no newer one."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.checks import Error
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.urls import URLPattern, URLResolver, get_resolver

from rosters.web.http.permissions import Permission, ViewPermission
from rosters.web.http.probes import newer_migrations

READ_METHODS, ALL_METHODS = ("GET", "HEAD"), ("GET", "HEAD", "POST")

EXTERNAL_ROUTES: Mapping[str, ViewPermission] = {
    "admin": ViewPermission(Permission.STAFF, ALL_METHODS),
    **dict.fromkeys(
        (
            "account_login",
            "account_confirm_login_code",
            "account_signup",
            "account_logout",
            "account_reset_password",
            "account_confirm_email",
        ),
        ViewPermission(Permission.ANYONE, ALL_METHODS),
    ),
    **dict.fromkeys(
        ("account_inactive", "account_email_verification_sent", "account_reset_password_done"),
        ViewPermission(Permission.ANYONE, READ_METHODS),
    ),
    "account_reset_password_from_key": ViewPermission(Permission.ANYONE, ALL_METHODS),
    "account_reset_password_from_key_done": ViewPermission(Permission.ANYONE, READ_METHODS),
    **dict.fromkeys(
        ("account_email", "account_change_password", "account_set_password", "account_reauthenticate"),
        ViewPermission(Permission.ACCOUNT, ALL_METHODS),
    ),
}
"""URL patterns of other packages, by name or namespace, with the permission that those packages enforce themselves."""


def permission_of(pattern: URLPattern, namespace: str = "") -> ViewPermission | None:
    """The permission of a URL pattern: recorded by the decorator of its view, or listed in `EXTERNAL_ROUTES`."""
    recorded: ViewPermission | None = getattr(pattern.callback, "permission", None)
    return recorded or EXTERNAL_ROUTES.get(namespace or pattern.name or "")


def routes(resolver: URLResolver | None = None, prefix: str = "/", namespace: str = "") -> Iterator[dict[str, Any]]:
    """Each URL pattern with its name, its methods, and who may use it (None without a permission)."""
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, address, pattern.namespace or namespace)
        else:
            who, methods = permission_of(pattern, namespace) or (None, ())
            yield {"route": address, "name": pattern.name, "methods": list(methods), "who": who and str(who)}


def check_permissions(app_configs: Any, **options: Any) -> list[Error]:
    """An error for each URL pattern without a permission."""
    return [
        Error(
            f"{route['route']} has no permission.",
            hint="Decorate its view with public_view, account_view, roster_view or battle_view, or list it in "
            "EXTERNAL_ROUTES.",
            obj=route["name"],
            id="rosters.E001",
        )
        for route in routes()
        if route["who"] is None
    ]


def check_downgrade(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[Error]:
    """An error if a newer version has migrated the database; `migrate` runs it."""
    newer = newer_migrations(MigrationLoader(connection)) if databases else []
    message = f"A newer version has changed the database: this one does not know {', '.join(newer)}."
    return [Error(message, hint="Install the newer version, or restore a backup.", id="rosters.E002")] if newer else []
