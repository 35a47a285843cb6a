"""The fixes of VSGMR's findings: one commander, traits and powers that a figure can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.edits import compose_edits, replace_element
from rosters.core.fixes import (
    Fix,
    Fixer,
    change_one,
    codes_without,
    combine,
    elements_of,
    set_fields,
    set_in_one,
    set_to_each,
)
from rosters.core.messages import Message, _
from rosters.systems.vsgmr.rules import (
    ALIASES,
    DISTANCE_TRAITS,
    GUYS,
    KINDS,
    POWERS,
    SUPPORT_NAMES,
    TRAITS,
    Element,
)

BEST_COMMANDERS = ("hero", "troop")


def _candidates(document: Any) -> list[Element]:
    """Who may be the commander and is not, heroes first."""
    figures = [each for each in elements_of(document) if each.kind in BEST_COMMANDERS and not each.commander]
    return sorted(figures, key=lambda each: BEST_COMMANDERS.index(each.kind))


def _name_commander(document: Any, roster: Any) -> Iterator[Fix]:
    for figure in _candidates(document):
        yield Fix(_("Make {name} the commander").format(name=figure.display_name), change_one(figure, commander=True))


def _keep_commander(document: Any, roster: Any) -> Iterator[Fix]:
    commanders = [figure for figure in elements_of(document) if figure.commander]
    for figure in commanders:
        if figure.kind in BEST_COMMANDERS:
            text = _("Keep {name} as the only commander").format(name=figure.display_name)
            yield Fix(text, set_in_one(commanders, figure, "commander", off=False))


def _replace_commander(document: Any, commander: Element) -> Iterator[Fix]:
    """Another commander instead of an invalid one; no new one if there is another already."""
    relieved = commander.replace(commander=False)
    others = (each for each in elements_of(document) if each.id != commander.id)
    if any(each.commander and each.kind in KINDS and each.quantity for each in others):
        yield Fix(_("Remove the mark as commander"), relieved)
        return
    for figure in _candidates(document):
        text = _("Make {name} the commander instead").format(name=figure.display_name)
        yield Fix(text, compose_edits([replace_element(relieved), change_one(figure, commander=True)]))


def _remove_traits(label: Message, *codes: str) -> Fixer:
    """The fix without these traits, by the names of the rulebook."""

    def fixer(document: Any, figure: Element) -> Iterator[Fix]:
        yield Fix(label, figure.replace(traits=codes_without(figure, "traits", codes)))

    return fixer


def _remove_unknown_traits(document: Any, figure: Element) -> Iterator[Fix]:
    traits = tuple(slug for slug in figure.traits if ALIASES.get(slug, slug) in TRAITS)
    yield Fix(_("Remove the unknown traits"), figure.replace(traits=traits))


def _remove_copies(document: Any, figure: Element) -> Iterator[Fix]:
    first = {ALIASES.get(slug, slug): slug for slug in reversed(figure.traits)}
    yield Fix(_("Remove the copies"), figure.replace(traits=tuple(first.values())[::-1]))


def _rename_traits(document: Any, figure: Element) -> Iterator[Fix]:
    traits = tuple(ALIASES.get(slug, slug) for slug in figure.traits)
    yield Fix(_("Use the name of the rulebook"), figure.replace(traits=traits))


def _remove_powers(label: Message, *codes: str) -> Fixer:
    """The fix without these powers, or without those that the rulebook lacks."""

    def fixer(document: Any, figure: Element) -> Iterator[Fix]:
        powers = {
            slug: tier
            for slug, tier in figure.powers.items()
            if (slug not in codes if codes else (slug, tier) in POWERS)
        }
        yield Fix(label, figure.replace(powers=powers))

    return fixer


def _mount_nobody(document: Any, roster: Any) -> Iterator[Fix]:
    """Make cavalry and vehicles independent, which need no rider, if that suffices."""
    guys = sum(each.quantity for each in elements_of(document) if each.kind in GUYS)
    mounts = [
        each
        for each in elements_of(document)
        if each.kind in ("cavalry", "vehicle") and "independent" not in each.traits
    ]
    for mount in mounts:
        if sum(each.quantity for each in mounts) - mount.quantity <= guys:
            text = _("Make {name} Independent").format(name=mount.display_name)
            yield Fix(text, replace_element(mount.replace(traits=(*mount.traits, "independent"))))


_add_distance = set_fields(_("Add a distance attack"), distance=True)
_add_armor = set_fields(_("Add light armor"), armor="light")

FIXES: Mapping[str, Fixer] = {
    "commander-must-be-guy": _replace_commander,
    "mook-commander": _replace_commander,
    "no-commander": _name_commander,
    "several-commanders": _keep_commander,
    "mount-without-rider": _mount_nobody,
    "unknown-armor": set_fields(_("Remove the unknown armor"), armor=None),
    "automatic-fire-without-distance": combine(
        _add_distance, set_fields(_("Remove automatic fire"), automatic_fire=False)
    ),
    "unknown-trait": _remove_unknown_traits,
    "duplicate-trait": _remove_copies,
    "trait-alias": _rename_traits,
    "independent-guy": _remove_traits(_("Remove Independent"), "independent"),
    "trait-needs-distance": combine(_add_distance, _remove_traits(_("Remove the trait"), *DISTANCE_TRAITS)),
    "trait-needs-armor": combine(_add_armor, _remove_traits(_("Remove Tough"), "tough")),
    "support-roll-not-chosen": set_to_each(
        "support", {code: _("Support {rolls}").format(rolls=name) for code, name in SUPPORT_NAMES.items()}
    ),
    "unknown-power": _remove_powers(_("Remove the unknown super powers")),
    "super-skill-only-guys": _remove_powers(_("Remove Super-Skill"), "super-skill"),
    "power-needs-armor": combine(_add_armor, _remove_powers(_("Remove Super-Armor"), "super-armor")),
    "power-needs-distance": combine(_add_distance, _remove_powers(_("Remove Super-Blast"), "super-blast")),
}
