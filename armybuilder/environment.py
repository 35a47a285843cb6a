"""Settings from the environment: the readers of settings.py, and what Django makes of the addresses among them.

Readers raise EnvValidationError, which names the variable and says what it must be.
"""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from environs import Env, ValidationError, validate

SECRETS = {"SECRET_KEY", "SECRET_KEY_FALLBACKS", "METRICS_TOKEN"}
MIN_KEY_LENGTH = 50
POSTGRESQL = "django.db.backends.postgresql"


class SettingsEnv(Env):
    """An environment in which an empty variable is not set: compose files and unit files often pass such."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        return os.environ.get(env_key, "").strip() or default


env = SettingsEnv()


def flag(name: str, default: bool = False) -> bool:
    """A switch: 1 or 0, true or false, yes or no, on or off."""
    error = {"invalid": "must be 1 or 0, not {input!r:.40}"}
    value: bool = env.bool(name, default, error_messages=error)  # type: ignore[call-overload] # passed on to the field
    return value


def choice(name: str, choices: Sequence[str], default: str) -> str:
    """One of a few words."""
    error = "must be one of {choices}, not {input!r:.40}"
    return env.str(name, default, validate=validate.OneOf(choices, error=error))


def log_level(name: str, default: str) -> str:
    """A log level, in lower or upper case."""
    error = "must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not {input!r:.40}"
    levels = validate.Regexp(r"(DEBUG|INFO|WARNING|ERROR|CRITICAL)\Z", re.IGNORECASE, error=error)
    return env.str(name, default, validate=levels).upper()


def limit(name: str, default: int) -> int:
    """A whole number, 0 or more; as a limit, 0 turns it off."""
    error = "must be a whole number, 0 or more, not {input!r:.40}"
    messages = {"invalid": error, "too_large": error}
    in_range = validate.Range(0, 10**15, error=error)
    value: int = env.int(name, default, validate=in_range, error_messages=messages)  # type: ignore[call-overload]
    return value


def comma_separated(name: str, default: str = "", validate: Callable[[list[str]], None] | None = None) -> list[str]:
    """Comma-separated words."""
    words = env.list(name, default.split(","), subcast=str.strip, validate=validate)
    return [word for word in words if word]


def host_names(words: list[str]) -> None:
    """Refuse addresses and ports in a list of host names. Raises ValidationError."""
    for word in words:
        if "/" in word or re.search(r"[^:]:\d+$", word):
            raise ValidationError(f"must list names such as armies.example.org, not addresses: {word!r:.40}")


def address(name: str, schemes: Sequence[str], default: str) -> str:
    """A URL with one of these schemes, or the default "". Its error repeats no value, which may hold a password."""

    def check(value: str) -> None:
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 (it is parsed only when it is read)
        except ValueError:
            raise ValidationError(
                "cannot be read as an address. In a password, write @ / : # as %40 %2F %3A %23"
            ) from None
        if value and parts.scheme not in schemes:
            raise ValidationError(f"must begin with one of {', '.join(f'{scheme}:' for scheme in schemes)}")

    return env.str(name, default, validate=check)


def rates(count: int, per: str, *more: str) -> str | None:
    """A limit as allauth writes it, with others beside it: "10/m/ip,5/300s/key"; None for 0, which is no limit."""
    return ",".join([f"{count}/{per}", *more]) if count else None


def secret_key(production: bool, path: Path) -> str:
    """The secret key from the environment; outside production, else the one in this file, generated on the first run.

    Raises ImproperlyConfigured.
    """

    def check(value: str) -> None:
        if production and (len(value) < MIN_KEY_LENGTH or len(set(value)) < 5):
            raise ValidationError(f"is too easy to guess: {MIN_KEY_LENGTH} random characters are needed")

    given = env.str("SECRET_KEY", "", validate=check)
    if given or not production:
        return given or stored_key(path)
    raise ImproperlyConfigured(
        "PRODUCTION=1 needs SECRET_KEY in the environment. "
        "python3 -c 'import secrets; print(secrets.token_urlsafe(50))' generates one."
    )


def stored_key(path: Path) -> str:
    """The key in this file; a missing file is written first, readable by its owner alone."""
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii")


def sqlite_url(path: Path) -> str:
    """The URL of an SQLite file; characters of its path that mean something in URLs are quoted."""
    return "sqlite:///" + re.sub("[%?#]", lambda match: quote(match[0]), str(path))


def database(default: str) -> Any:
    """Django's settings of the database from DATABASE_URL: PostgreSQL, with a pool of DATABASE_POOL, or SQLite."""
    url = address("DATABASE_URL", ["postgres", "postgresql", "sqlite"], default)
    pool = limit("DATABASE_POOL", 0)  # gunicorn.conf.py sets it to the number of threads, and one
    config = _parse_database(url, conn_max_age=60)
    if pool and config["ENGINE"] == POSTGRESQL:
        config["CONN_MAX_AGE"] = 0  # back to the pool; SQLite, which has none, would open its file for each request
        config["OPTIONS"]["pool"] = {"min_size": 0, "max_size": pool, "timeout": 10}
    return config


def unchecked(primary: Any) -> dict[str, Any]:
    """The settings of a second pool, whose two connections are not checked before each use and keep what they prepare,
    by its alias.

    Empty unless the others come from a pool, which checks them: a round trip more for each request.
    """
    pool = primary.get("OPTIONS", {}).get("pool")
    if not pool:
        return {}
    options = {
        "prepare_threshold": 0,
        **primary["OPTIONS"],
        "pool": pool | {"max_size": 2},
        "server_side_binding": True,
    }
    return {"shared": primary | {"OPTIONS": options, "CONN_HEALTH_CHECKS": False, "TEST": {"MIRROR": "default"}}}


def replica(primary: Any) -> dict[str, Any]:
    """Django's settings of the streaming replica of DATABASE_REPLICA_URL, by its alias; empty without one.

    A thread keeps its own connection: a pool would let requests wait for a replica that is gone. Raises
    ImproperlyConfigured.
    """
    url = address("DATABASE_REPLICA_URL", ["postgres", "postgresql"], "")
    if not url:
        return {}
    if primary["ENGINE"] != POSTGRESQL:
        raise ImproperlyConfigured("DATABASE_REPLICA_URL needs a DATABASE_URL that names a PostgreSQL, too.")
    config = _parse_database(url, conn_max_age=60)
    config["OPTIONS"] |= {"connect_timeout": 2, "tcp_user_timeout": 2000}  # seconds and ms, then the primary is asked
    return {"replica": config | {"TEST": {"MIRROR": "default"}}}


def _parse_database(url: str, conn_max_age: int) -> Any:
    """A database's settings. With health checks, connections to one that was restarted are opened again.

    Behind pgbouncer (DATABASE_POOLER) each transaction may get another connection, so nothing may outlive one: neither
    prepared statements nor server-side cursors.
    """
    pooler = flag("DATABASE_POOLER")
    config: Any = dj_database_url.parse(
        url, conn_max_age=conn_max_age, conn_health_checks=True, disable_server_side_cursors=pooler
    )
    config.setdefault("OPTIONS", {})
    if pooler and config["ENGINE"] == POSTGRESQL:
        config["OPTIONS"]["prepare_threshold"] = None
    return config


def caches(default: str) -> dict[str, dict[str, Any]]:
    """Django's caches from CACHE_URL: in each process's memory, or in Redis.

    "default" counts rate limits, "responses" stores rendered pages, PDFs and pictures, in memory up to 32 MB of them.
    """
    url = address("CACHE_URL", ["locmem", "redis", "rediss", "unix"], default)
    if url.startswith("locmem:"):
        memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        return {
            "default": memory | {"OPTIONS": {"MAX_ENTRIES": 10_000}},
            "responses": {
                "BACKEND": "rosters.web.http.memory_cache.MemoryCacheBackend",
                "LOCATION": "responses",
                "OPTIONS": {"max_bytes": 32 << 20},
            },
        }
    redis: dict[str, Any] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2, "health_check_interval": 30},
    }
    return {"default": redis | {"KEY_PREFIX": "armybuilder"}, "responses": redis | {"KEY_PREFIX": "responses"}}


def mail(default: str) -> dict[str, Any]:
    """Django's settings of outgoing mail from EMAIL_URL: smtp://user:password@host:port, smtp+tls:, smtps:, and so on.

    By hand, because dj-email-url (of environs) and django-environ take smtps: for STARTTLS, which it is not.
    """
    parts = urlsplit(address("EMAIL_URL", ["smtp", "smtp+tls", "smtps", "console", "dummy"], default))
    backend = "smtp" if parts.scheme.startswith("smtp") else parts.scheme
    usual_port = {"smtp+tls": 587, "smtps": 465}.get(parts.scheme, 25)
    return {
        "EMAIL_BACKEND": f"django.core.mail.backends.{backend}.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": parts.port or usual_port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


def configuration() -> dict[str, dict[str, Any]]:
    """Each variable that settings.py reads, by name: its value without secrets, and whether the environment sets it."""
    return {
        name: {"value": printable(name, value), "given": bool(os.environ.get(name, "").strip())}
        for name, value in env.dump().items()
    }


def printable(name: str, value: Any) -> str:
    """The value of a variable, with secrets and passwords hidden."""
    if name in SECRETS:
        return "(hidden)" if value else ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(value) if isinstance(value, list) else without_password(str(value))


def without_password(url: str) -> str:
    """A URL with its password and every value of its query hidden; other text as it is."""
    if "://" not in url:
        return url
    parts = urlsplit(url)
    _, at, host = parts.netloc.rpartition("@")
    user = f"{parts.username or ''}:(hidden)" if parts.password else parts.username or ""
    query = "&".join(f"{name}=(hidden)" for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return f"{parts.scheme}://{user}{at}{host}{parts.path}{'?' if query else ''}{query}"
