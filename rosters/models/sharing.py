"""Access: browsers, API tokens, and the secrets of links. Only hashes of secrets are stored."""

import hashlib
import secrets

from django.conf import settings
from django.db import models


def new_token() -> str:
    """A share token: 22 characters, 132 random bits."""
    return secrets.token_urlsafe(17)[:22]


def new_secret() -> str:
    """A secret for an edit link or a browser: 43 characters, 256 random bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """The hash of a secret. It has 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Browser(models.Model):
    """A browser that created rosters or opened them for editing, identified by the hash of its cookie."""

    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"browser {self.pk}"


class ApiToken(models.Model):
    """A secret by which a program acts for an account, by its hash."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
