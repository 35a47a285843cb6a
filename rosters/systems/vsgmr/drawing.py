"""The counter of a figure: a round base with a guy, horse or car, and badges of what it has."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.messages import _
from rosters.core.play import Panel
from rosters.drawing import symbols
from rosters.drawing.counter import counter, label, numeral
from rosters.drawing.dice import die
from rosters.drawing.figure import CAR, HORSE, base, bust
from rosters.drawing.plots import LABEL, WIDTH, Plot
from rosters.drawing.primitives import Circle, Paint, Picture, Rect, Shape, Shapes, Text, bounds, placed
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.play import die_text
from rosters.systems.vsgmr.rules import KIND_NAMES, Element, RosterTerms, armor_of

DICE = {"minor": 8, "major": 10, "superior": 12}
"""The die of each tier of a super power."""
FLYING = ("flight",)
MOST_BADGES = 3
BADGES_X = 37.2


def counter_of(element: Element, terms: RosterTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of a figure; one without badges has its points."""
    badges = [*_badges(element, large)][-MOST_BADGES:]
    scale, step = (1, 11) if len(badges) < MOST_BADGES else (0.82, 9.4)
    places = (16 + step * (number - (len(badges) - 1) / 2) for number in range(len(badges)))
    marks = (placed(badge, BADGES_X, y, scale) for badge, y in zip(badges, places, strict=True))
    worth = numeral(points.replace("0.5", "½")) if points and not badges else ()
    kind = _kind_and_traits(element) if large else ()
    figure = base(_figure(element), large, double=element.large)
    if not (large or badges or worth):
        figure = placed(figure, 7)  # alone in the middle
    return counter((figure, *marks, worth, kind), large)


def _kind_and_traits(element: Element) -> Shapes:
    """The kind in words, and a dot for each trait after it."""
    words = label(KIND_NAMES.get(element.kind, element.kind), y=28.6)
    first = bounds(words)[2] + 2.2
    number = min(len(element.traits), int((32 - first) / 2.6))
    return words + tuple(Circle(first + 2.6 * each, 27.2, 0.85) for each in range(number))


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


PLOT = _("Dice needed")
COLUMNS, ROW, DIE = 3, 54.0, 3.4
"""Rolls beside each other, the height of one, and the scale of its die."""


def plot_of(element: Element, terms: RosterTerms) -> Plot:
    """The die of each kind of roll with the number it needs, and the faces that succeed."""
    rolls = [roll for roll in tables.rolls(element, terms) if roll is not tables.BUILDING_ROLL]
    shapes: list[Shape] = []
    for number, roll in enumerate(rolls):
        left, top = WIDTH / COLUMNS * (number % COLUMNS), ROW * (number // COLUMNS)
        shapes += placed(die(roll.die, f"{roll.target}+"), left + 17, top + 18, DIE)
        face = 58 / roll.die
        for side in range(1, roll.die + 1):
            paint = Paint("tile" if side >= roll.target else "none", "ink", "hair")
            shapes.append(Rect(left + 36 + face * (side - 1), top + 11, face - 1, 14, 1, paint))
        size = min(LABEL, (WIDTH / COLUMNS - 4) / (0.5 * len(roll.name)))
        shapes.append(Text(left + 2, top + 46, roll.name, size, "start"))
    rows = tuple((roll.name, die_text(roll), roll.note) for roll in rolls)
    table = Panel(PLOT, rows, (_("Roll"), _("Needed"), _("Because of")))
    return Plot(Picture("plot", WIDTH, ROW * -(-len(rolls) // COLUMNS), 1, tuple(shapes)), table)
