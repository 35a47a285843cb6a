"""The figures of a roster as they are printed on cards and in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple, cast

from rosters.core.messages import Message, _, join
from rosters.drawing.primitives import Picture
from rosters.pdf.cards import CardBox
from rosters.pdf.job import Job, PrintedElement, PrintedModel
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.drawing import figure_picture
from rosters.systems.vsgmr.play import ROUNDS
from rosters.systems.vsgmr.rules import (
    GUYS,
    KIND_NAMES,
    MOUNTS,
    POWERS,
    SUPPORT_NAMES,
    TRAITS,
    Element,
    power_name,
    powers_of,
    trait_codes,
    trait_name,
)
from rosters.systems.vsgmr.tables import Pace, Roll, pace, rolls

MAX_BOXES_PER_CARD = 30
"""The figures of one card or row; further figures get another one."""


class State(NamedTuple):
    """What is marked of a figure in play besides its defeat: a label, and a box for each round or place."""

    code: str
    label: str
    boxes: tuple[CardBox, ...]
    numbered: bool = True
    aside: State | None = None
    """A state of one box that has the room beside the label."""


class PrintedFigure(NamedTuple):
    """Figures that share a card or a row of the list, at most thirty."""

    name: str
    picture: Picture
    small: Picture
    kind: Message
    """Kind, commander, and whether it is large."""
    unit_points: str
    """Points of one figure; "" if points are hidden."""
    worth: str
    """The word for points, and those of all figures if there are several."""
    rolls: tuple[Roll, ...]
    """The rolls, without that of buildings."""
    ruler: Pace | None
    paper: Pace | None
    carries: str
    traits: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    """Heads and texts of its traits and powers."""
    extras: tuple[tuple[str, str], ...]
    """Heads and texts of the rules of its kind."""
    notes: str
    number: str
    """The number of figures, or which of them these are; "" for one."""
    boxes: tuple[CardBox, ...]
    states: tuple[State, ...] = ()
    abilities: str = ""
    """Traits and powers by name, those that the rulebook does not know too."""
    warband: str = ""


def figures(job: Job) -> Iterator[PrintedFigure]:
    """The figures to print, warband by warband; each by itself if the roster is not merged."""
    for number, formation, _priced in job.formations():
        for entry in job.entries(number):
            yield from figures_of_entry(job, entry, formation.name)


def figures_of_entry(job: Job, entry: PrintedElement, warband: str) -> Iterator[PrintedFigure]:
    """Those that an entry is printed as."""
    models, done = entry.models, 0
    while batch := tuple(islice(models, MAX_BOXES_PER_CARD)):
        number = f"×{entry.quantity}" if entry.quantity > 1 else ""
        if entry.quantity > MAX_BOXES_PER_CARD:
            values = {"first": done + 1, "last": done + len(batch), "total": entry.quantity}
            number = _("{first}–{last} of {total}").format(**values)
        yield _figure(job, entry, batch, number)._replace(warband=warband)
        done += len(batch)


def _figure(job: Job, entry: PrintedElement, models: Sequence[PrintedModel], number: str) -> PrintedFigure:
    element, terms = cast(Element, entry.element), job.terms
    flags = ((element.large, _("large")), (element.commander, _("commander")))
    kind = KIND_NAMES.get(element.kind, element.kind)
    codes = trait_codes(element)
    return PrintedFigure(
        entry.name,
        figure_picture(element),
        figure_picture(element, small=True),
        join((kind, *(text for applies, text in flags if applies))),
        *_points(job, entry),
        tuple(roll for roll in rolls(element, terms) if roll is not tables.BUILDING_ROLL),
        pace(element),
        pace(element, paper=True),
        _carries(element),
        tuple(trait.name for code, trait in TRAITS.items() if code in codes),
        tuple(_rules(element)),
        tuple(_kind_rules(element)),
        element.notes,
        number,
        tuple(CardBox(f"{m.path}.out.0", _is_out(job, element, m), _spoken(m)) for m in models),
        tuple(_states(job, element, models[0])) if len(models) == 1 else (),
        join(
            (
                *(trait_name(code, element.support) for code in element.traits),
                *(power_name(*item) for item in powers_of(element)),
            )
        ),
    )


def _states(job: Job, element: Element, model: PrintedModel) -> Iterator[State]:
    """What its traits, its passengers and enemies do to a single figure; those of several stand beside their models."""
    if "inspiration" in element.traits:
        yield _boxes("inspiration", _("Inspiration used"), model, ROUNDS)
    if _carries(element):
        yield _boxes("aboard", _("Aboard"), model, tables.SEATS[element.kind] + element.large)._replace(numbered=False)
    rides = element.kind in GUYS and any(each.kind in MOUNTS for each in job.document.elements)
    aside = _boxes("riding", _("Riding"), model, 1)._replace(numbered=False) if rides else None
    yield _boxes("disabled", _("Disabled"), model, ROUNDS)._replace(aside=aside)


def _boxes(code: str, label: str, model: PrintedModel, number: int) -> State:
    spoken = _("{name}: {label} {n}")
    boxes = (
        CardBox(f"{model.path}.{code}.{n}", False, spoken.format(name=model.name, label=label, n=n + 1))
        for n in range(number)
    )
    return State(code, label, tuple(boxes))


def _is_out(job: Job, element: Element, model: PrintedModel) -> bool:
    return any(job.marked(track, model.mark)[0] for track in job.tracks(element))


def _spoken(model: PrintedModel) -> Message:
    return _("{name}: defeated").format(name=model.name)


def _points(job: Job, entry: PrintedElement) -> tuple[str, str]:
    """The points of one figure, and the word for them with those of all."""
    each, total = entry.priced.unit_points, entry.priced.points
    if not job.points or each is None or total is None:
        return "", ""
    if entry.quantity == 1:
        return job.amount(each), job.points
    return job.amount(each), _("each, {points}").format(points=job.words.count_points(total))


def _carries(element: Element) -> str:
    """Who can be aboard; nothing for the Independent, who need nobody."""
    if "independent" in element.traits:
        return ""
    if element.large and element.kind == "cavalry":
        return tables.LARGE_CARRIES
    return tables.MOVES[element.kind].carries if element.kind in MOUNTS else ""


def _rules(element: Element) -> Iterator[tuple[str, str]]:
    """Traits, then powers, in the order of the rulebook; unknown ones at the end."""
    codes, powers = trait_codes(element), [item for item in powers_of(element) if item in POWERS]
    for code, trait in TRAITS.items():
        if code == "support" and code in codes and element.support:
            text = _("This figure and friends within half a move unit add +1 to {rolls}.")
            yield trait.name, text.format(rolls=SUPPORT_NAMES[element.support])
        elif code in codes:
            yield trait.name, trait.text
    if powers:
        names, more = join(power_name(*item) for item in powers), _power_texts(element)
        yield _("Powers"), join((join((names, "."), ""), *more), " ")
    unknown = [item for item in powers_of(element) if item not in POWERS]
    if others := [*sorted(codes - TRAITS.keys()), *(power_name(*item) for item in unknown)]:
        yield _("Not in the rulebook"), join(others)


def _power_texts(element: Element) -> Iterator[str]:
    """What powers do beside the dice on the face."""
    if any(power in tables.KNOCKBACK_POWERS for power, _tier in powers_of(element)):
        yield tables.KNOCKBACK
    measures = pace(element)
    if measures and measures.initiative:
        yield _("Moves {move} inches, initiative +{n}.").format(move=inches(measures.move), n=measures.initiative)


def _kind_rules(element: Element) -> Iterator[tuple[str, str]]:
    """What its kind adds to rolls, which those of the face include, and who moves a mount or vehicle."""
    kind = tables.MOVES.get(element.kind)
    if kind and kind.dice:
        yield KIND_NAMES[element.kind], _("{bonus}, included on the face.").format(bonus=kind.dice)
    if _carries(element):
        yield from tables.RIDING[1:]


def inches(amount: Fraction) -> str:
    """Inches as on a ruler: "6", "4½"."""
    full, rest = divmod(amount, 1)
    return f"{full}½" if rest else str(full)
