"""The fixes of 6MM's findings: a general, sets of three, and options that a type cannot have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core import edits
from rosters.core.fixes import Fix, Fixer, change_one, combine, elements_of, remove_models, set_in_one
from rosters.core.messages import Message, _, ngettext
from rosters.systems.six_mm.rules import SET, Element, broken_rules, headcount
from rosters.systems.six_mm.tables import ARMOUR, GUNS, ORDNANCE, QUALITY, TYPES

MAX_QUANTITY = 10_000


def _stands(document: Any) -> list[Element]:
    return [element for element in elements_of(document) if element.type in TYPES]


def _name_general(document: Any, roster: Any) -> Iterator[Fix]:
    """Offer each stand as the general, those of the best quality first."""
    best = sorted(_stands(document), key=lambda each: -QUALITY[each.quality].value if each.quality in QUALITY else 0)
    for stand in best:
        text = _("Make {name} the general").format(name=stand.display_name)
        yield Fix(text, change_one(stand, general="competent"))


def _keep_general(document: Any, roster: Any) -> Iterator[Fix]:
    generals = [stand for stand in elements_of(document) if stand.general]
    for stand in generals:
        text = _("Keep {name} as the only general").format(name=stand.display_name)
        yield Fix(text, set_in_one(generals, stand, "general", None))


def _complete_sets(document: Any, roster: Any) -> Iterator[Fix]:
    """Add stands to an element, or remove some of it: generals stay as they are."""
    elements = [stand for stand in _stands(document) if not stand.general]
    total = sum(map(headcount, elements_of(document)))
    more, surplus = -total % SET, total % SET
    for stand in elements:
        if stand.quantity >= surplus:
            yield remove_models(stand, surplus)
        if stand.quantity + more <= MAX_QUANTITY:
            text = ngettext("Add {n} stand of {name}", "Add {n} stands of {name}", more)
            yield Fix(text.format(n=more, name=stand.display_name), {str(stand.id): stand.quantity + more})


def _agree(document: Any, element: Element) -> Iterator[Fix]:
    options = document.options.replace(traits_agreed=True)
    yield Fix(_("Mark as agreed"), edits.settings(options=options))


def _in_forms(code: str, label: Message, **fields: Any) -> Fixer:
    """The fix that gives these values to each form of a stand that breaks a rule."""

    def fixer(document: Any, stand: Element) -> Iterator[Fix]:
        def changed(stats: Any) -> Any:
            broken = stats.type in TYPES and code in broken_rules(stats)
            return stats.replace(**fields) if broken else stats

        yield Fix(label, changed(stand).replace(duplicates=tuple(map(changed, stand.duplicates))))

    return fixer


def _reduce_trait(document: Any, stand: Element) -> Iterator[Fix]:
    def reduced(stats: Any) -> Any:
        return stats.replace(agreed=max(-1, min(stats.agreed, 1)))

    alternates = tuple(map(reduced, stand.duplicates))
    yield Fix(_("Reduce the special trait to 1"), reduced(stand).replace(duplicates=alternates))


def _remove_transport(document: Any, stand: Element) -> Iterator[Fix]:
    def walking(stats: Any) -> Any:
        return stats.replace(transport=None) if stats.transport == "soft" else stats

    alternates = tuple(map(walking, stand.duplicates))
    yield Fix(_("Remove the soft transport"), walking(stand).replace(duplicates=alternates))


def _choices(code: str, field: str, table: Mapping[str, Any]) -> Fixer:
    text = _("Choose {choice}")
    fixers = (_in_forms(code, text.format(choice=choice.name), **{field: value}) for value, choice in table.items())
    return combine(*fixers)


REMOVED: Mapping[str, tuple[Message, Mapping[str, Any]]] = {
    "unknown-quality": (_("Set the quality to average"), {"quality": "average"}),
    "post-1906-only-skirmishers": (_("Remove “After 1906”"), {"post_1906": False}),
    "elephant-only-pikes": (_("Remove the elephants"), {"elephant": False}),
    "armour-only-tnk": (_("Remove the armor"), {"armour": None}),
    "gun-only-art-tnk": (_("Remove the gun"), {"gun": None}),
    "torsion-only-art": (_("Remove the torsion engine"), {"gun": None}),
    "off-board-needs-heavy-gun": (_("Fire from on the board"), {"off_board": False}),
    "guided-only-skirmishers": (_("Remove the guided weapons"), {"guided": False}),
    "ordnance-only-air": (_("Remove the ordnance"), {"ordnance": None}),
    "soft-transport-not-allowed": (_("Remove the soft transport"), {"transport": None}),
    "transport-state-only-art": (_("Remove the transport"), {"transport": None}),
}
"""What a type cannot have: the label of the fix, and the values without it."""

FIXES: Mapping[str, Fixer] = {
    **{code: _in_forms(code, label, **fields) for code, (label, fields) in REMOVED.items()},
    "tank-needs-armour": _choices("tank-needs-armour", "armour", ARMOUR),
    "art-needs-gun": _choices("art-needs-gun", "gun", GUNS),
    "ordnance-not-set": _choices("ordnance-not-set", "ordnance", ORDNANCE),
    "agreed-range": _reduce_trait,
    "needs-agreement": combine(_agree, _in_forms("needs-agreement", _("Remove the special trait"), agreed=0)),
    "two-transports": _remove_transport,
    "no-general": _name_general,
    "several-generals": _keep_general,
    "last-set-short": _complete_sets,
}
