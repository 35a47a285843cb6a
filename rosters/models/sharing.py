"""Who may open what: browsers, API tokens, and the secrets that links carry (only hashes are stored)."""

import hashlib
import secrets

from django.conf import settings
from django.db import models


def new_token() -> str:
    """A share token: 22 characters that carry 132 bits."""
    return secrets.token_urlsafe(17)[:22]


def new_secret() -> str:
    """A secret for an edit link or a browser: 43 characters that carry 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is kept of a secret. It has 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Browser(models.Model):
    """A browser that made or opened rosters for editing, known by a cookie of which only the hash is kept."""

    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"browser {self.pk}"


class ApiToken(models.Model):
    """A secret that lets a program act for an account; only its hash is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
