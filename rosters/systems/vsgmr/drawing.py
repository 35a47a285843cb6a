"""The counter of a figure: a round base with a guy, horse or car, and badges of what it has.

PURE. Rulebook: VSGMR, Domino Writing.
"""

from __future__ import annotations

from collections.abc import Iterator

from rosters.drawing import symbols
from rosters.drawing.counter import counter, label, numeral
from rosters.drawing.dice import die
from rosters.drawing.figure import CAR, HORSE, base, bust
from rosters.drawing.primitives import Circle, Picture, Shapes, placed
from rosters.systems.vsgmr.rules import KIND_NAMES, Element, RosterTerms, armor_of

DICE = {"minor": 8, "major": 10, "superior": 12}
"""The die of each tier of a super power."""
FLYING = ("flight",)
MOST_BADGES, MOST_DOTS = 3, 8
BADGES_X, BADGES_STEP = 37.2, 9.3


def counter_of(element: Element, terms: RosterTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of a figure; one without badges has its points. A dot between for each trait on a large one."""
    badges = [*_badges(element, large)][-MOST_BADGES:]
    scale, top = 1 if len(badges) < MOST_BADGES else 0.9, 16 - (len(badges) - 1) * BADGES_STEP / 2
    marks = (placed(badge, BADGES_X, top + BADGES_STEP * number, scale) for number, badge in enumerate(badges))
    traits = min(len(element.traits), MOST_DOTS) if large else 0
    dots = tuple(Circle(29.4, 13.6 + 2.4 * (each - (traits - 1) / 2), 0.8) for each in range(traits))
    worth = numeral(points.replace("0.5", "½")) if points and not badges else ()
    kind = label(KIND_NAMES.get(element.kind, element.kind), y=28.6) if large else ()
    figure = base(_figure(element), large, double=element.large)
    if not (large or badges or worth):
        figure = placed(figure, 7)  # alone in the middle
    return counter((figure, *marks, dots, worth, kind), large)


def _figure(element: Element) -> Shapes:
    if element.kind in ("cavalry", "vehicle"):
        return HORSE if element.kind == "cavalry" else CAR
    lapels = element.kind == "hero" and not element.commander
    return bust(hollow=element.kind == "mook", lapels=lapels, star=element.commander)


def _badges(element: Element, large: bool) -> Iterator[Shapes]:
    """From the least telling to the most: of more than three, the last ones are shown."""
    if armor := armor_of(element):
        yield symbols.HEAVY if armor == "heavy" else symbols.LIGHT
    if element.distance:
        yield symbols.BURST if element.automatic_fire else symbols.PISTOL
    if {*FLYING} & {*element.traits}:
        yield symbols.WINGS
    tiers = [tier for tier in DICE if tier in element.powers.values()]
    if tiers:
        sides = DICE[tiers[-1]]
        yield die(sides, words=str(sides) if large else "", filled=tiers[-1] == "superior")
