"""What sign-in does otherwise than allauth."""

from allauth.account.adapter import DefaultAccountAdapter


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's own, but for an address to go on to that is none."""

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a browser may be sent on to ``url``; one whose host cannot be read, it may not."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
