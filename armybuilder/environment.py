"""Settings from the environment: each is read once, with its default, and kept for `manage.py config` to print."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

ON, OFF = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}
LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
SHORTEST_KEY = 50
"""Characters of a secret key for the internet."""


class Variable(NamedTuple):
    """An environment variable, as it is in force."""

    name: str
    value: Any
    given: bool
    secret: bool


READ: dict[str, Variable] = {}
"""Every variable that was asked for, by its name, in the order of the settings."""


def _asked(name: str, secret: bool, value: Any) -> Any:
    READ[name] = Variable(name, value, bool(os.environ.get(name)), secret)
    return value


def text(name: str, default: str = "", *, secret: bool = False) -> str:
    """The environment variable ``name``, stripped; its default when it is missing or empty."""
    found: str = _asked(name, secret, os.environ.get(name, "").strip() or default)
    return found


def flag(name: str, default: bool = False) -> bool:
    """Whether the environment turns ``name`` on. Raises ImproperlyConfigured."""
    given = os.environ.get(name, "").strip().lower()
    if given not in ON | OFF:
        raise ImproperlyConfigured(f"{name} is 1 or 0, not {given[:40]!r}.")
    return bool(_asked(name, False, given in ON if given else default))


def one_of(name: str, choices: Sequence[str], default: str) -> str:
    """The environment variable ``name``, which is one of a few words. Raises ImproperlyConfigured."""
    given = os.environ.get(name, "").strip() or default
    if given not in choices:
        raise ImproperlyConfigured(f"{name} is one of {', '.join(choices)}, not {given[:40]!r}.")
    return str(_asked(name, False, given))


def level(name: str, default: str) -> str:
    """The environment variable ``name``, which is a level of the log, in small letters or large. As `one_of`."""
    given = os.environ.get(name, "").strip().upper() or default
    if given not in LEVELS:
        raise ImproperlyConfigured(f"{name} is one of {', '.join(LEVELS)}, not {given[:40]!r}.")
    return str(_asked(name, False, given))


def listed(name: str, default: str) -> list[str]:
    """The comma-separated words of the environment variable ``name``."""
    words = [word.strip() for word in (os.environ.get(name) or default).split(",") if word.strip()]
    return list(_asked(name, False, words))


def limit(name: str, default: int) -> int:
    """A number from the environment, 0 or more; as a limit, 0 turns it off. Raises ImproperlyConfigured."""
    given = os.environ.get(name, "").strip() or str(default)
    if not (given.isascii() and given.isdecimal() and len(given) <= 15):
        raise ImproperlyConfigured(f"{name} is a whole number, 0 or more, not {given[:40]!r}.")
    return int(_asked(name, False, int(given)))


def hosts(name: str, default: str) -> list[str]:
    """The names that the site answers to, as browsers send them without a port. Raises ImproperlyConfigured."""
    words = listed(name, default)
    for word in words:
        if "/" in word or re.search(r"[^:]:\d+$", word):
            raise ImproperlyConfigured(f"{name} lists names such as armies.example.org, not addresses: {word[:40]!r}.")
    return words


def rates(most: int, per: str, *more: str) -> str | None:
    """A limit as allauth writes it, and others that go with it: "10/m/ip,5/300s/key"; None for 0, which is none."""
    return ",".join([f"{most}/{per}", *more]) if most else None


def folder(name: str, default: Path) -> Path:
    """A folder that the environment may name; it is made by whoever writes into it."""
    return Path(text(name, str(default)))


def secret_key(production: bool, kept_at: Path) -> str:
    """The secret key: given; else, on one machine, made on the first run and kept. Raises ImproperlyConfigured."""
    given = text("SECRET_KEY", secret=True)
    if given and production and (len(given) < SHORTEST_KEY or len(set(given)) < 5):
        raise ImproperlyConfigured(f"SECRET_KEY is too easily guessed: {SHORTEST_KEY} random characters are needed.")
    if given or not production:
        return given or kept(kept_at)
    raise ImproperlyConfigured(
        "PRODUCTION=1 needs SECRET_KEY in the environment. "
        "python3 -c 'import secrets; print(secrets.token_urlsafe(50))' makes one."
    )


def kept(path: Path) -> str:
    """The key in this file, made and written for its owner alone when there is none."""
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii")


def parts_of(name: str, url: str) -> SplitResult:
    """The parts of an address that the environment variable ``name`` holds. Raises ImproperlyConfigured."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - it is read only when it is asked for
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} cannot be read as an address. In a password, signs such as @ / : # are written %40 %2F %3A %23."
        ) from None
    return parts


def sqlite(path: Path) -> str:
    """The address of an SQLite file; in a folder's name, a sign that means something in addresses is quoted."""
    return "sqlite:///" + re.sub("[%?#]", lambda sign: quote(sign[0]), str(path))


def database(url: str) -> Any:
    """Django's settings of the database, PostgreSQL or SQLite. Raises ImproperlyConfigured."""
    scheme = parts_of("DATABASE_URL", url).scheme
    if scheme not in {"postgres", "postgresql", "sqlite"}:
        raise ImproperlyConfigured(f"DATABASE_URL begins with postgres: or sqlite:, not {scheme[:40]!r}.")
    # With health checks, a database that was restarted is found again without help.
    return dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)


def caches(url: str) -> dict[str, dict[str, Any]]:
    """Django's caches: in each process's memory, or in a Redis at this address. Raises ImproperlyConfigured.

    "default" counts limits; "sheets" keeps drawn PDFs and pictures, in memory 32 MB of them.
    """
    scheme = parts_of("CACHE_URL", url).scheme
    if scheme == "locmem":
        memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        return {
            "default": memory | {"OPTIONS": {"MAX_ENTRIES": 10_000}},
            "sheets": {
                "BACKEND": "rosters.web.http.memory_cache.MemoryCacheBackend",
                "LOCATION": "sheets",
                "OPTIONS": {"max_bytes": 32 << 20},
            },
        }
    if scheme not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured(f"CACHE_URL begins with locmem: or redis:, not {scheme[:40]!r}.")
    shared: dict[str, Any] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2, "health_check_interval": 30},
    }
    return {"default": shared | {"KEY_PREFIX": "armybuilder"}, "sheets": shared | {"KEY_PREFIX": "sheets"}}


def mail(url: str) -> dict[str, Any]:
    """Django's settings of outgoing mail, from smtp://user:password@host:port, smtp+tls:, smtps:, console: or dummy:.

    Raises ImproperlyConfigured.
    """
    parts = parts_of("EMAIL_URL", url)
    if parts.scheme not in {"smtp", "smtp+tls", "smtps", "console", "dummy"}:
        raise ImproperlyConfigured(f"EMAIL_URL begins with smtp:, smtp+tls: or smtps:, not {parts.scheme[:40]!r}.")
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


def shown(variable: Variable) -> str:
    """The value of a variable for a person's eyes: secrets and passwords hidden."""
    if variable.secret:
        return "(hidden)" if variable.value else ""
    value = variable.value
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(value) if isinstance(value, list) else hidden(str(value))


def hidden(address: str) -> str:
    """An address with what signs one in replaced: its user's password and every value after the question mark."""
    if "://" not in address:
        return address
    parts = urlsplit(address)
    _, at, host = parts.netloc.rpartition("@")
    user = f"{parts.username or ''}:(hidden)" if parts.password else parts.username or ""
    query = "&".join(f"{name}=(hidden)" for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return f"{parts.scheme}://{user}{at}{host}{parts.path}{'?' if query else ''}{query}"
