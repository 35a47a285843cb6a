"""Access: browsers, editors, edit links, API tokens. Only hashes of secrets are stored; those of links are stored
encrypted as well, to be shown again.
"""

import hashlib
import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def new_token() -> str:
    """A share token: 22 characters, 132 random bits."""
    return secrets.token_urlsafe(17)[:22]


def new_secret() -> str:
    """A secret for a link or a browser: 43 characters, 256 random bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """The hash of a secret. It has 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Browser(models.Model):
    """A browser that created or changed rosters, identified by the hash of its cookie.

    ``used`` is the time of its last change, to the day.
    """

    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(default=timezone.now, db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return f"browser {self.pk}"


class EditLink(models.Model):
    """A link by which others edit a roster, and nothing else.

    ``secret`` is encrypted by `rosters.store.access`, so that the owner can be shown the link again. A link that was
    ``revoked`` stays in the table, so that its page can say so; so does a replaced owner link, without a secret.
    """

    roster = models.ForeignKey("rosters.Roster", on_delete=models.CASCADE, related_name="edit_links")
    name = models.CharField(max_length=60)
    secret = models.CharField(max_length=200, blank=True)
    key_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    revoked = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class Editor(models.Model):
    """A browser that may edit a roster, from its first change on.

    An owner may do everything. ``link`` is the edit link by which it came: None for the owner link, for the browser
    that created the roster, and (without ``is_owner``) for the only link of an earlier release. ``since`` and
    ``changed`` are the times of its first and last change, to the day; that release did not record them. A row with
    ``removed`` gives no access; a link that the browser opens later does.
    """

    roster = models.ForeignKey("rosters.Roster", on_delete=models.CASCADE, related_name="editors")
    browser = models.ForeignKey(Browser, on_delete=models.CASCADE, related_name="editors")
    link = models.ForeignKey(EditLink, on_delete=models.CASCADE, null=True, related_name="editors")
    is_owner = models.BooleanField(default=True, db_default=True)
    since = models.DateTimeField(null=True)
    changed = models.DateTimeField(null=True)
    removed = models.DateTimeField(null=True)

    class Meta:
        db_table = "rosters_roster_browsers"
        unique_together = (("roster", "browser"),)

    def __str__(self) -> str:
        return f"{self.browser} in {self.roster}"


class PrintDefault(models.Model):
    """The print options with which the rosters of an account begin, or those that a browser edits without one.

    ``settings`` has the ``options`` that all games share, and by game the ``sheets`` and ``choices``.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="print_default"
    )
    browser = models.OneToOneField(Browser, on_delete=models.CASCADE, null=True, related_name="print_default")
    settings = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"print options of {self.user or self.browser}"


class TokenScope(models.TextChoices):
    """What a program may do with an API token."""

    READ = "read", _("Read only")
    WRITE = "write", _("Read, change, delete and create")


class ApiToken(models.Model):
    """A secret by which a program acts for an account, by its hash."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    key_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=5, choices=TokenScope, default=TokenScope.WRITE, db_default=TokenScope.WRITE)
    expires = models.DateTimeField(null=True)
    ends_with_password = models.BooleanField(default=False, db_default=False)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()
