"""The terms of a rulebook on the help pages, which each game declares in its `help.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol


class Term(NamedTuple):
    """A term of a rulebook in our words: its code, name, text and group, its price, and an example.

    ``profile`` is an element, as document data, whose counter shows the term; without one, the game's ``DIAGRAMS`` do.
    """

    code: str
    name: str
    text: str
    group: str
    price: str = ""
    example: str = ""
    profile: Mapping[str, Any] | None = None


class Help(Protocol):
    """The interface of every ``systems/<x>/help.py``."""

    def terms(self) -> Iterable[Term]:
        """Every term, by group."""
