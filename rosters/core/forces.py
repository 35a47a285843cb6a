"""Rules for a roster as a whole, as data that a solver can calculate with.

Every ``systems/<x>/forces.py`` has the ``RULES`` of its game. A rule says nothing that the rules check does not find;
whatever a solver proposes is appraised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class ForceRule(NamedTuple):
    """A sum over all models of a roster, from ``minimum`` to ``maximum`` (None: no limit), that is a ``multiple``.

    ``weigh`` is what one model of an element adds to it. With ``by_choice`` a roster chooses the model for it, as a fix
    of the finding does, so that none needs to bring it. ``finding`` is what the rules check says of a roster that
    breaks the rule.
    """

    finding: str
    weigh: Callable[[Any], int]
    minimum: int | None = None
    maximum: int | None = None
    multiple: int = 1
    by_choice: bool = False
