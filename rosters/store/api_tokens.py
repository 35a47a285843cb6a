"""API tokens: secrets that let a program act for an account. Only their hashes are kept."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from rosters.models import ApiToken, hashed, new_secret

MARK = "ab_"
"""What every token begins with, so that it is told from an edit secret, by people too."""
MAX_TOKENS = 20
"""Tokens of one account."""
NOTED_EVERY = timedelta(minutes=1)
"""How often the time of a token's last use is written down."""


class TooManyTokens(ValueError):
    """An account has as many tokens as it may have."""


def create_token(user: Any, name: str) -> str:
    """A new token of an account. What is returned is not kept anywhere. Raises TooManyTokens."""
    if user.api_tokens.count() >= MAX_TOKENS:
        raise TooManyTokens(f"An account has at most {MAX_TOKENS} tokens. Revoke one that is no longer used.")
    secret = MARK + new_secret()
    ApiToken.objects.create(user=user, name=name, key_hash=hashed(secret))
    return secret


def revoke_token(user: Any, key: int) -> bool:
    """Make a token of this account open nothing any more; False when the account has no such token."""
    return ApiToken.objects.filter(user=user, pk=key).delete()[0] > 0


def account_for(secret: str) -> Any:
    """The account that a token is of, None for what is no token."""
    if not secret.startswith(MARK):
        return None
    key = hashed(secret)
    found = ApiToken.objects.filter(key_hash=key).select_related("user").first()
    if found is None or not constant_time_compare(found.key_hash, key) or not found.user.is_active:
        return None
    _note_use(found)
    return found.user


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.used is None or now - token.used > NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used=now)
