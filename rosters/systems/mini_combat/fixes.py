"""The fixes of Mini Combat's findings: one command, units of one kind, abilities that do nothing or exclude each other.

Rulebook: Mini Combat, with Appendix B (author not named). On pages a capability is called an ability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rosters.core.edits import replace_elements, split_formation
from rosters.core.fixes import Fix, Fixer, combine, remove_or_fill, set_fields, set_in_one, set_to_each
from rosters.core.messages import Message, _
from rosters.systems.mini_combat.rules import CAPABILITIES, DENY, Element, Modifier
from rosters.systems.mini_combat.tables import EXCLUSIVE, MANEUVER_LIMITS, WEAPON_ABILITIES


def _change(label: Message, change: Callable[[Modifier], Modifier | None]) -> Fixer:
    """The fix that changes each ability of an element, or removes it (None)."""

    def fixer(document: Any, element: Element) -> Iterator[Fix]:
        changed = (change(modifier) for modifier in element.capabilities)
        capabilities = tuple(modifier for modifier in changed if modifier is not None)
        yield Fix(label, element.replace(capabilities=capabilities))

    return fixer


def _remove(label: Message, unwanted: Callable[[Modifier], bool]) -> Fixer:
    return _change(label, lambda modifier: None if unwanted(modifier) else modifier)


def _is_one_of(codes: set[str]) -> Callable[[Modifier], bool]:
    return lambda modifier: modifier.code in codes


def _remove_codes(*codes: str) -> Fixer:
    """A fix for each of these abilities that an element has."""
    fixers = {
        code: _remove(_("Remove {ability}").format(ability=CAPABILITIES[code].name), _is_one_of({code}))
        for code in codes
    }
    return lambda document, element: [
        fix for code, fixer in fixers.items() if code in element.codes for fix in fixer(document, element)
    ]


def _keep_only(codes: Iterable[str]) -> Fixer:
    """A fix for each of several abilities that exclude each other, which keeps this one."""

    def fixer(document: Any, element: Element) -> Iterator[Fix]:
        for code in codes:
            if code in element.codes:
                text = _("Keep {ability} only").format(ability=CAPABILITIES[code].name)
                yield from _remove(text, _is_one_of(set(codes) - {code}))(document, element)

    return fixer


def _remove_copies(document: Any, element: Element) -> Iterator[Fix]:
    first = {(m.code, m.denies): m for m in reversed(element.capabilities)}
    first_ones = tuple(m for m in element.capabilities if not m.row or m is first[m.code, m.denies])
    yield Fix(_("Remove the copies"), element.replace(capabilities=first_ones))


def _at_least(code: str, least: int) -> Callable[[Modifier], Modifier]:
    return lambda m: m.replace(count=least) if m.code == code and m.counted < least else m


SIX = {6: _("Set it to {value}").format(value="6+")}


def _target(field: str, low: Mapping[Any, Message], high: Mapping[Any, Message]) -> Fixer:
    """The fixes that bring a D6 target into its range: one for each value of a low or a high target, by its label."""
    return lambda document, element: set_to_each(field, low if (getattr(element, field) or 0) < 1 else high)(
        document, element
    )


def _raise_to_zero(document: Any, element: Element) -> Iterator[Fix]:
    values = {name: max(0, getattr(element, name)) for name in ("movement", "range", "power", "armor")}
    yield Fix(_("Set negative values to 0"), element.replace(**values))


def _keep_command(document: Any, unit: Any) -> Iterator[Fix]:
    commands = [element for element in unit.elements if element.command and element.quantity]
    for element in commands:
        text = _("Keep one {name} as the command").format(name=element.display_name)
        yield Fix(text, set_in_one(commands, element, "command", off=False))


def _split(document: Any, unit: Any) -> Iterator[Fix]:
    """Units of one kind; the command stays in the first."""
    kinds: dict[Any, set[str]] = {}
    for element in unit.elements:
        if element.quantity and not element.command:
            kinds.setdefault(element.likeness, set()).add(str(element.id))
    text = _("Split into {n} units of one kind").format(n=len(kinds))
    yield Fix(text, split_formation(str(unit.id), [*kinds.values()][1:]))


def _disband(document: Any, unit: Any) -> Iterator[Fix]:
    """Without Organized, which helps whole units alone."""
    organised = [element for element in unit.elements if "Org" in element.codes]
    text = _("Remove {ability}").format(ability=CAPABILITIES["Org"].name)
    others = [
        element.replace(capabilities=tuple(each for each in element.capabilities if each.code != "Org"))
        for element in organised
    ]
    yield Fix(text, replace_elements(others))


def _is_denied(modifier: Modifier) -> bool:
    unknown = modifier.denied is None or modifier.denies == DENY
    return modifier.code == DENY and unknown


def _is_drawback(modifier: Modifier) -> bool:
    return modifier.code == DENY and modifier.denied is not None and modifier.denied.percent < 0


FIXES: Mapping[str, Fixer] = {
    "stat-negative": _raise_to_zero,
    "to-hit-range": _target(
        "to_hit", {0: _("Make it hit automatically")}, {**SIX, None: _("Make it unable to attack")}
    ),
    "save-range": _target("save", {2: _("Set the save to 2+")}, {**SIX, None: _("Remove the save")}),
    "morale-range": _target("morale", {None: _("Make it fearless")}, SIX),
    "morale-costs-zero": set_fields(_("Set the morale to 6+"), morale=6),
    "save-cannot-fail": set_fields(_("Set the save to 2+"), save=2),
    "unknown-capability": _remove(_("Remove unknown abilities"), lambda m: m.custom is None and m.row is None),
    "duplicate-capability": _remove_copies,
    "deny-unknown": _remove(_("Remove the denial"), _is_denied),
    "deny-deny": _remove(_("Remove the denial"), _is_denied),
    "deny-drawback": _remove(_("Remove the denial"), _is_drawback),
    "weapons-count": _change(_("Set it to 2 weapons"), _at_least("MW", 2)),
    "transport-count": _change(_("Set it to 1 element"), _at_least("T", 1)),
    **{finding: _keep_only(codes) for finding, codes in EXCLUSIVE.items()},
    "manoeuvre-limit-on-immobile": _remove_codes(*MANEUVER_LIMITS),
    "full-armor-free": _remove_codes("FA"),
    "sealed-included": _remove_codes("Se"),
    "amphibious-included": _remove_codes("Amph"),
    "fly-and-skim": _remove_codes("Fly", "Sk"),
    "one-shot-and-slow-fire": _remove_codes("Feot"),
    "water-bound-conflict": _remove_codes("WB"),
    "indirect-without-range": _remove_codes("IF"),
    "weapon-ability-without-attack": _remove(_("Remove the abilities without effect"), _is_one_of({*WEAPON_ABILITIES})),
    "waived-modifier": combine(
        _remove(_("Remove the waived abilities"), lambda m: m.waived),
        _change(_("Price them"), lambda m: m.replace(waived=False)),
    ),
    "empty-unit": remove_or_fill(_("Remove the unit"), _("Set the quantity of each element to 1")),
    "several-command-elements": _keep_command,
    "mixed-unit": _split,
    "partly-organised": _disband,
}
