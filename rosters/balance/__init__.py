"""Exact odds of one element against another, to compare with their points."""

from rosters.balance.answers import odds

__all__ = ["odds"]
