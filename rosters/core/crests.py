"""The seed of a roster's crest: 8 hexadecimal digits, from which `rosters.drawing.crest` draws it."""

from __future__ import annotations

import secrets
from typing import Protocol

DIGITS = 8


class HasCrest(Protocol):
    """The part of a document that determines its crest."""

    @property
    def system(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def crest(self) -> str | None: ...


def crest_of(document: HasCrest) -> str:
    """The seed in the document, else one derived from its game and name."""
    return document.crest or seed_from(f"{document.system} {document.name}")


def seed_from(text: str) -> str:
    """A seed derived from a text."""
    return f"{fnv1a(text):08x}"


def new_seed() -> str:
    """A seed for a new roster."""
    return secrets.token_hex(DIGITS // 2)


def fnv1a(text: str) -> int:
    """The 32-bit FNV-1a hash of a text."""
    number = 2166136261
    for byte in text.encode("utf-8", "surrogatepass"):
        number = (number ^ byte) * 16777619 % 2**32
    return number
