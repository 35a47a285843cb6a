"""What a force is worth beside what it costs: exact odds of one element against another."""

from rosters.balance.answers import odds

__all__ = ["odds"]
