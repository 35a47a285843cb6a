"""The fixes of URUTSK minis' findings.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.fixes import Fix, Fixer, change_one, elements_of, set_fields
from rosters.core.messages import _
from rosters.systems.urutsk.rules import Element


def _raise_to_zero(document: Any, figure: Element) -> Iterator[Fix]:
    names = ("ranged", "close", "weapon_ability")
    scores = {name: max(0, getattr(figure, name)) for name in names}
    yield Fix(_("Set negative scores to 0"), figure.replace(**scores))


def _name_commander(document: Any, roster: Any) -> Iterator[Fix]:
    """The figures with the most Fate first."""
    for figure in sorted(elements_of(document), key=lambda each: -each.fate):
        yield Fix(_("Make {name} command-capable").format(name=figure.display_name), change_one(figure, command=True))


FIXES: Mapping[str, Fixer] = {
    "negative-score": _raise_to_zero,
    "fate-below-one": set_fields(_("Set Fate to 1"), fate=1),
    "no-command-figure": _name_commander,
}
