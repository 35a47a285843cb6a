"""API tokens: secrets by which a program acts for an account. Only their hashes are stored."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from rosters.models import ApiToken, hashed, new_secret

PREFIX = "ab_"
"""The beginning of every token, by which programs and people distinguish it from an edit secret."""
MAX_TOKENS = 20
"""Tokens of one account."""
USE_INTERVAL = timedelta(minutes=1)
"""How often the time of a token's last use is updated at most."""


class TooManyTokens(ValueError):
    """An account has the maximum number of tokens."""


def create_token(user: Any, name: str, **values: Any) -> str:
    """Create a token of an account and return its secret, which is not stored. Raises TooManyTokens."""
    if user.api_tokens.count() >= MAX_TOKENS:
        raise TooManyTokens(f"An account has at most {MAX_TOKENS} tokens. Revoke one that is no longer used.")
    secret = PREFIX + new_secret()
    ApiToken.objects.create(user=user, name=name, key_hash=hashed(secret), **values)
    return secret


def revoke_token(user: Any, key: int) -> bool:
    """Delete a token of this account. False when the account has no such token."""
    return ApiToken.objects.filter(user=user, pk=key).delete()[0] > 0


def delete_tokens_on_password_change(user: Any) -> None:
    """Delete the account's tokens that expire when its password changes."""
    user.api_tokens.filter(ends_with_password=True).delete()


def token_for(secret: str) -> ApiToken | None:
    """The token of an active account, even one that has expired; None for an unknown token."""
    if not secret.startswith(PREFIX):
        return None
    key = hashed(secret)
    token = ApiToken.objects.filter(key_hash=key).select_related("user").first()
    if token is None or not constant_time_compare(token.key_hash, key) or not token.user.is_active:
        return None
    now = timezone.now()
    if not token.has_expired and (token.used is None or now - token.used > USE_INTERVAL):
        ApiToken.objects.filter(pk=token.pk).update(used=now)
    return token
