"""The fixes of Minimal Space Combat's findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, product
from typing import Any

from rosters.core import edits
from rosters.core.appraisals import terms_of
from rosters.core.fixes import Fix, Fixer, codes_without, combine, elements_of, remove_or_fill, set_fields
from rosters.core.messages import _
from rosters.systems.msc.rules import (
    MAX_STAT,
    REAR,
    SIDES,
    STATS,
    STRATEGIC_SIZES,
    Element,
    build_points,
)


def _highest(field: str, document: Any) -> int:
    return document.options.max_engine if field == "engine" else MAX_STAT


def _into_range(field: str, lowest: int = 0) -> Fixer:
    def fixer(document: Any, ship: Element) -> Iterator[Fix]:
        value = min(max(getattr(ship, field), lowest), _highest(field, document))
        text = _("Set {stat} to {value}").format(stat=STATS[field], value=value)
        yield Fix(text, ship.replace(**{field: value}))

    return fixer


def _remove_weapons(document: Any, ship: Element) -> Iterator[Fix]:
    weapons = tuple(dict.fromkeys(side for side in ship.weapons if side in SIDES))
    yield Fix(_("Remove the surplus weapons"), ship.replace(weapons=weapons))


def _move_weapons(document: Any, ship: Element) -> Iterator[Fix]:
    """Weapons to free sides: the price stays."""
    allowed = [*dict.fromkeys(side for side in ship.weapons if side in SIDES)]
    free = [side for side in SIDES if side not in allowed]
    surplus = len(ship.weapons) - len(allowed)
    if 0 < surplus <= len(free):
        weapons = (*allowed, *free[:surplus])
        text = _("Move the surplus weapons to free sides: {sides}").format(sides=" ".join(free[:surplus]))
        yield Fix(text, ship.replace(weapons=weapons))


def _remove_rear(document: Any, ship: Element) -> Iterator[Fix]:
    yield Fix(_("Remove the weapons at the rear"), ship.replace(weapons=codes_without(ship, "weapons", [REAR])))


def _resize(document: Any, ship: Element) -> Iterator[Fix]:
    """One stat higher or lower, so that the ship has the next size of the strategic game below or above."""
    points = build_points(ship, terms_of(document))
    below = [size for size in STRATEGIC_SIZES if size < points][-1:]
    above = [size for size in STRATEGIC_SIZES if size > points][:1]
    for size, (field, stat) in product(below + above, STATS.items()):
        if 0 < (value := getattr(ship, field) + size - points) <= _highest(field, document):
            text = _("Set {stat} to {value} ({size} BP)").format(stat=stat, value=value, size=size)
            yield Fix(text, ship.replace(**{field: value}))


def _number_names(document: Any, roster: Any) -> Iterator[Fix]:
    """Numbers behind equal names."""
    ships = [*elements_of(document)]
    names, taken = Counter(ship.name for ship in ships), {ship.name for ship in ships}
    renamed = []
    for ship in ships:
        if names[ship.name] > 1:
            name = next(name for n in count(1) if (name := f"{ship.name[:110]} {n}".strip()) not in taken)
            taken.add(name)
            renamed.append(ship.replace(name=name))
    yield Fix(_("Number them"), edits.replace_elements(renamed))


FIXES: Mapping[str, Fixer] = {
    "engine-range": _into_range("engine"),
    "shield-range": _into_range("shield", lowest=1),
    "to-hit-range": _into_range("to_hit"),
    "no-shield": _into_range("shield", lowest=1),
    "no-engine": _into_range("engine", lowest=1),
    "no-to-hit": _into_range("to_hit", lowest=1),
    "weapon-in-rear": combine(_remove_rear, _move_weapons),
    "unknown-side": combine(_remove_weapons, _move_weapons),
    "two-weapons-on-a-side": combine(_remove_weapons, _move_weapons),
    "strategic-size": _resize,
    "unarmed": set_fields(_("Add a weapon in front"), weapons=("F",)),
    "empty-fleet": remove_or_fill(_("Remove the fleet"), _("Set the quantity of each ship to 1")),
    "duplicate-ship-name": _number_names,
}
