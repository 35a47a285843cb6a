"""The texts of an element for its sheets: its stats, its free rules and its abilities; the morale test of its unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from rosters.core.amounts import Amount
from rosters.core.messages import Message, _, join, join_names, ngettext
from rosters.pdf.blocks import Paragraph
from rosters.pdf.canvas import TINT, Block, Pen
from rosters.pdf.fonts import NARROW
from rosters.pdf.job import Job, PrintedElement
from rosters.systems.mini_combat.play import lost_models, survives, unit_size
from rosters.systems.mini_combat.rules import (
    Element,
    Modifier,
    capability_name,
    capability_text,
    form_of,
    number_text,
)
from rosters.systems.mini_combat.tables import (
    COMMAND_NOTE,
    CONE_CM,
    DENIAL_RANGES,
    KIND_NOTES,
    SCATTERS,
    SHORT,
)

SMALL = 0.92
"""The scale of an element's text."""
MAX_MORALES = 3
"""A unit of more different morales, or of more names with one morale, does not list them."""


def element_of(entry: PrintedElement) -> Element:
    """The entry's element, typed as one of this game."""
    return cast(Element, entry.element)


def stat_texts(element: Element) -> tuple[str, ...]:
    """The seven stats in the order of STATS; a dash for no attack, no save and fearless."""
    stats = element.stats

    def target(number: int, none: int) -> str:
        return "–" if number == none else f"{number_text(number)}+"

    return (
        number_text(stats.movement),
        _("auto") if stats.to_hit == 0 else target(stats.to_hit, 7),
        number_text(stats.range),
        target(stats.save, 7),
        number_text(stats.power),
        number_text(stats.armor),
        target(stats.morale, 1),
    )


def notes_of(element: Element) -> Message:
    """The free rules of an element: those of its kind, command, fearless."""
    parts: list[str] = []
    if element.kind in KIND_NOTES:
        parts.append(KIND_NOTES[element.kind])
    if element.command:
        parts.append(COMMAND_NOTE)
    if element.stats.morale == 1:
        parts.append(_("Fearless: never tests morale."))
    return join(parts, " ")


def farthest(job: Job) -> int:
    """The longest move or range of the roster in cm, 1 at least, to which its bars are drawn."""
    elements = [cast(Element, element) for _index, unit, _priced in job.formations() for element in unit.elements]
    farthest = max((max(element.movement, element.range) for element in elements), default=1)
    return max(farthest, CONE_CM[1] if any(map(has_cone, elements)) else 1)


def has_cone(element: Element) -> bool:
    """Whether an element attacks with a cone from its base."""
    return "Cone" in element.codes and element.range <= 0 and element.stats.to_hit < 7


def draw_cone(pen: Pen, x: float, middle: float, scale: float, height: float) -> None:
    """Draw the cone from its point at the left, ``scale`` points to a centimeter."""
    long = CONE_CM[1] * scale
    body = x + long * 0.8
    pen.outline(((x, middle), (body, middle + height / 2), (x + long, middle), (body, middle - height / 2)), fill=TINT)


def points_text(job: Job, amount: Amount | None) -> str:
    """So many points, "" where they are hidden."""
    return _("{amount} {points}").format(amount=job.amount(amount), points=job.points) if job.points else ""


def in_full(job: Job) -> bool:
    """Whether abilities are printed in full."""
    return job.choice("capabilities", "short") == "full"


def ability_text(modifier: Modifier, *, full: bool) -> str:
    """The rule of a capability in its variant, in short or in full."""
    if full or modifier.row is None:
        return capability_text(modifier)
    code, denied = modifier.row.code, modifier.denied
    parts: list[str] = []
    if denied:
        parts.append(_("The enemy cannot use {ability}.").format(ability=denied.name))
        parts += filter(None, [DENIAL_RANGES.get(denied.code)])
    elif code == "MW":
        text = ngettext("{n} roll to hit.", "{n} rolls to hit.", modifier.counted)
        parts.append(text.format(n=number_text(modifier.counted)))
    else:
        if code == "T":
            parts.append(_("Carries {n}.").format(n=number_text(modifier.counted)))
        parts.append(SHORT[form_of(modifier) or code])
    if modifier.scatters:
        parts.append(SCATTERS)
    if modifier.on is not None:
        parts.append(_("Works on {n}+.").format(n=modifier.on))
    return join(parts, " ")


def ability_blocks(element: Element, *, full: bool) -> Iterator[Block]:
    """The abilities, a paragraph each."""
    for modifier in element.capabilities:
        lead = _("{ability}:").format(ability=capability_name(modifier))
        yield Paragraph(ability_text(modifier, full=full), SMALL, lead=lead, face=NARROW)


def morale_test(job: Job, index: int) -> Message | str:
    """When a unit tests its morale, and what it then needs; "" for a unit of one element."""
    unit, priced = job.document.formations[index], job.appraisal.formations[index]
    models, at = unit_size(unit), int(priced.facts["morale_test_at"])
    if models <= 1:
        return "" if models else _("No elements.")
    lost = sum(len(lost_models(element)) for element in unit.elements) if job.options.marks else 0
    left = [e for e in unit.elements if e.quantity and (survives(e) or not lost)]
    text = _("Morale test at {n} of {total} lost. {morale}")
    return text.format(n=at, total=models, morale=morale_text(left))


def morale_text(elements: Iterable[Element]) -> Message:
    """The target of a unit's morale test: the best morale left, and whose it is."""
    owners: dict[int, list[str]] = {}
    for element in sorted(elements, key=lambda element: element.stats.morale):
        owners.setdefault(min(7, max(1, element.stats.morale)), []).append(element.name or _("its best element"))
    if not owners:
        return _("All are lost: the unit is destroyed.")
    best, last = min(owners), max(owners)
    if len(owners) == 1 and best == 1:
        return _("Fearless: it holds without a roll.")
    if len(owners) == 1 and best == 7:
        return _("No D6 reaches its morale: it fails.")
    if len(owners) == 1:
        return _("Holds on {target}.").format(target=_target(best))
    if len(owners) > MAX_MORALES or any(len({*names}) > MAX_MORALES for names in owners.values()):
        return _("Holds on {target} at first, then on the best morale left.").format(target=_target(best))
    steps = []
    for morale in [*owners][:-1]:
        names = [*dict.fromkeys(owners[morale])]
        text = _("{target} while {names} is left") if len(names) == 1 else _("{target} while one of {names} is left")
        steps.append(text.format(target=_target(morale), names=join_names(names)))
    return _("Holds on {steps}, then on {target}.").format(steps=join(steps), target=_target(last))


def _target(morale: int) -> str:
    return _("any roll") if morale == 1 else _("no roll") if morale == 7 else f"{morale}+"
