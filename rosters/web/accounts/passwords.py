"""The passwords of accounts."""

from typing import Any

from django.contrib.auth.password_validation import MinimumLengthValidator

from rosters.store import api_tokens


class PasswordLength(MinimumLengthValidator):
    """The minimum length; and the end of API tokens, as Django calls validators after any change of a password."""

    def password_changed(self, password: str, user: Any) -> None:
        api_tokens.delete_tokens_on_password_change(user)
