"""The counter of a figure: a round base with a guy, horse, car or creature, and badges of what it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rosters.core.messages import _
from rosters.core.odds import DieRoll
from rosters.core.play import Panel
from rosters.drawing import diagrams as d
from rosters.drawing import symbols
from rosters.drawing.counter import counter, label, numeral
from rosters.drawing.dice import OUTLINES, die
from rosters.drawing.figure import AIRCRAFT, BEAST, CAR, HORSE, base, bust
from rosters.drawing.plots import Plot
from rosters.drawing.primitives import Circle, Paint, Picture, Rect, Shape, Shapes, Text, bounds, path, placed, star
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.rules import KIND_NAMES, Element, RosterTerms, armor_of

DICE = {"minor": 8, "major": 10, "superior": 12}
"""The die of each tier of a super power."""
MAX_BADGES = 3
BADGES_X = 37.2


def counter_of(element: Element, terms: RosterTerms, large: bool = False, points: str = "") -> Picture:
    """The counter of a figure; one without badges has its points."""
    badges = [*_badges(element, large)][-MAX_BADGES:]
    scale, step = (1, 11) if len(badges) < MAX_BADGES else (0.82, 9.4)
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
    name = label(KIND_NAMES.get(element.kind, element.kind), y=28.6)
    first = bounds(name)[2] + 2.2
    number = min(len(element.traits), int((32 - first) / 2.6))
    return name + tuple(Circle(first + 2.6 * each, 27.2, 0.85) for each in range(number))


def _figure(element: Element, *, behind: bool = False) -> Shapes:
    if element.kind == "cavalry":
        return HORSE
    if element.kind == "vehicle":
        if "independent" in element.traits:
            return BEAST  # it needs no driver, as the creatures of the rulebook's samples
        return AIRCRAFT if _flies(element) else CAR
    lapels = element.kind == "hero" and not element.commander
    return bust(hollow=element.kind == "mook", lapels=lapels and not behind, star=element.commander and not behind)


def _badges(element: Element, large: bool) -> Iterator[Shapes]:
    """From the least telling to the most: of more than three, the last ones are shown."""
    if armor := armor_of(element):
        yield symbols.HEAVY if armor == "heavy" else symbols.LIGHT
    if element.distance:
        yield symbols.BURST if element.automatic_fire else symbols.AIM
    if _flies(element):
        yield symbols.WINGS
    tiers = [tier for tier in DICE if tier in element.powers.values()]
    if tiers:
        sides = DICE[tiers[-1]]
        yield die(sides, text=str(sides) if large else "", filled=tiers[-1] == "superior")


def _flies(element: Element) -> bool:
    return "flight" in element.traits


BADGE = 4.3
"""The radius of a badge on the ring of a figure."""
BROAD_WINGS = tuple(
    path(
        f"M{16 + s * 8} 20.5C{16 + s * 13} 19.5 {16 + s * 16} 14 {16 + s * 15.5} 8.5"
        f"C{16 + s * 12} 12 {16 + s * 9} 14 {16 + s * 8} 20.5Z",
        Paint("ink", "box", "thin"),
    )
    for s in (-1, 1)
)
"""Wings from the shoulders of a figure out over its base."""


def figure_picture(element: Element | None, *, small: bool = False, behind: bool = False) -> Picture:
    """A figure on its base with its weapon, armor and strongest power around it; an empty base for None.

    A ``small`` one has no number on its die; from ``behind`` the figure is alone.
    """
    ring = Circle(16, 16, 14.7, Paint("tile", "ink", "thin"))
    shapes: list[Shape] = [ring, *base((), large=False)]
    if element:
        figure = _figure(element, behind=behind)
        wings = BROAD_WINGS if _flies(element) and figure is not AIRCRAFT else ()
        shapes = [ring, *base(figure, large=False, double=element.large), *wings]
        armor = armor_of(element)
        tiers = [tier for tier in DICE if tier in element.powers.values()]
        text = "" if small or not tiers else str(DICE[tiers[-1]])
        badges = (
            (4.8, 27, (symbols.BURST if element.automatic_fire else symbols.AIM) if element.distance else ()),
            (27.2, 27, (symbols.HEAVY if armor == "heavy" else symbols.LIGHT) if armor else ()),
            (27.2, 5, placed(die(DICE[tiers[-1]], text), scale=1.2) if tiers else ()),
        )
        for x, y, badge in badges:
            if badge and not behind:
                shapes += [Circle(x, y, BADGE, Paint("box", "ink", "thin")), *placed(badge, x, y, 0.68)]
    return Picture("figure", 34, 33, 0.85, placed(tuple(shapes), 1, 0.5))


def die_picture(sides: int) -> Picture:
    """A die by its outline, with its number of sides."""
    shapes = (path(OUTLINES[sides], Paint("box", "ink", "line")), Text(0, 1.8, str(sides), 5))
    return Picture("die", 10, 10, 0.55, placed(shapes, 5, 5))


PLOT = _("Dice needed")
DIE, FACES = 4.2, (58.0, 11.0)
"""The scale of a die, and the width and height of its faces in a row."""


def plot_of(element: Element, terms: RosterTerms) -> Plot:
    """The die of each kind of roll with the number it needs, and the faces that succeed."""
    rolls = [roll for roll in tables.rolls(element, terms) if roll is not tables.BUILDING_ROLL]
    rows = tuple((roll.name, DieRoll(roll.target, roll.die, roll.dice).text, roll.note) for roll in rolls)
    return Plot(None, Panel(PLOT, rows, (_("Roll"), _("Needed"), _("Because of"))), tuple(map(_needed, rolls)))


def _needed(roll: tables.Roll) -> Picture:
    """The number on the die, above all faces, of which those that succeed are shaded."""
    width, height = FACES
    face, top = width / roll.die, 43.0
    missed, hit = Paint(stroke="ink", weight="hair"), Paint("tile", "ink", "hair")
    faces = (
        Rect(1 + face * (side - 1), top, face - 1, height, 1, hit if side >= roll.target else missed)
        for side in range(1, roll.die + 1)
    )
    shapes = (*placed(die(roll.die, f"{roll.target}+"), 30, 20, DIE), *faces)
    return Picture("plot die", width + 2, top + height + 1, 1, shapes)


# ---------------------------------------------------------------- diagrams of traits, powers and words of play

_SHOT = (*d.figure(9, 30), *d.shot((15, 30), (48, 30)), *d.enemy(55, 30))
_MELEE = (*d.figure(26, 33), *d.enemy(36, 33))
_SKILL = star(15, 24, 11, paint=Paint("tile", "ink"))
_SCENES: Mapping[str, Shapes] = {
    "super-armor": (*placed(symbols.HEAVY, 15, 24, 2.6),),
    "super-blast": (*d.figure(7, 24), *d.shot((12, 24), (28, 24))),
    "super-fight": (*d.figure(9, 24), *d.enemy(19, 24)),
    "super-move": (*d.figure(7, 24), *d.move((12, 24), (28, 24))),
    "super-skill": (_SKILL,),
}
"""What each super power changes."""


def _powers() -> Iterator[tuple[str, Shapes]]:
    for power, scene in _SCENES.items():
        for step, (tier, faces) in enumerate(DICE.items()):
            if power == "super-move":
                yield f"{power}-{tier}", (*scene, *d.text(45, 24, ("½", "1", "1½")[step], 16))
            else:
                yield f"{power}-{tier}", (*scene, *placed(die(faces, str(faces)), 45, 24, 3.6))


DIAGRAMS: Mapping[str, Shapes] = {
    "area-effect-attack": (
        *d.area(46, 24, 15, d.ZONE_EDGE),
        *d.figure(8, 24),
        *d.shot((14, 24), (35, 24)),
        *(shape for x, y in ((41, 24), (50, 16), (50, 32)) for shape in d.enemy(x, y)),
    ),
    "cause-fear": (*d.figure(14, 32), *d.enemy(26, 32), *d.move((32, 32), (57, 32)), *d.roll(26, 13, "1–2")),
    "combat-master": (*_MELEE, *d.text(31, 15, "+1", 13)),
    "disable": (
        *d.figure(8, 32),
        *d.shot((14, 32), (38, 32)),
        *d.enemy(48, 32),
        *d.crossed(48, 32, 7),
        *d.roll(26, 13, "4+"),
    ),
    "double-strike": (
        *d.figure(20, 24),
        *d.enemy(46, 11),
        *d.enemy(46, 37),
        *d.move((25, 21), (40, 13)),
        *d.move((25, 27), (40, 35)),
    ),
    "flight": (*d.hill(34, 42, 34, 18), *placed(symbols.WINGS, 12, 16, 1.9), *d.move((22, 14), (56, 14))),
    "ignores-armor": (*placed(symbols.HEAVY, 18, 24, 2.4), *d.roll(40, 14, "4+"), *d.roll(40, 35, "4+")),
    "independent": (*placed(HORSE, 3, 5, 1.15), *d.move((36, 24), (58, 24))),
    "inspiration": (*d.roll(32, 25, "6"), *d.turn(32, 24, 15, 270)),
    "recruit": (*d.figure(12, 34), *d.enemy(46, 34), *d.move((40, 34), (18, 34)), *d.roll(32, 14, "5+")),
    "revenge": (*d.figure(10, 26), *d.crossed(10, 26), *d.shot((17, 26), (46, 26)), *d.enemy(54, 26)),
    "sharpshooter": (*_SHOT, *d.text(32, 16, "+1", 13)),
    "sniper": (*_SHOT, *d.ruler(9, 55, 40, 4), *d.text(32, 17, "×2", 12)),
    "stealth": (*d.enemy(9, 32), *d.shot((15, 32), (45, 32)), *d.figure(52, 32, d.GHOST), *d.roll(30, 13, "6+")),
    "summon": (
        *d.area(16, 28, 13, d.ZONE_EDGE),
        *d.figure(13, 28),
        *d.figure(56, 10, d.GHOST),
        *d.move((52, 13), (28, 28)),
        *d.roll(48, 36, "5+"),
    ),
    "support": (
        *d.area(32, 24, 19, d.ZONE_EDGE),
        *(shape for x, y in ((32, 30), (22, 19), (42, 19)) for shape in d.figure(x, y)),
        *d.text(32, 14, "+1", 9),
    ),
    "tough": (*placed(symbols.HEAVY, 22, 24, 2.8), *d.text(46, 24, "+1", 15)),
    **dict(_powers()),
    "guy": (
        *placed(bust(hollow=True), -2, 7, 0.8),
        *placed(bust(), 19, 7, 0.8),
        *placed(bust(lapels=True), 40, 7, 0.8),
    ),
    "move-unit": (*d.figure(10, 22), *d.move((16, 22), (54, 22)), *d.ruler(10, 54, 34, 1)),
    "cover": (*d.enemy(9, 32), *d.shot((15, 32), (38, 32)), *d.figure(52, 32), *d.wall(45), *d.roll(26, 13, "6+")),
    "skill": (_SKILL, *d.roll(43, 24, "4+")),
    "knockback": (*d.figure(12, 32), *d.enemy(23, 32), *d.move((29, 32), (56, 32)), *placed(die(8, "8"), 24, 12, 2.2)),
    "initiative": (*d.roll(20, 24, "5"), *d.text(32, 24, ">", 13), *d.roll(45, 24, "2")),
}
"""Scenes for the terms of the rulebook on the help pages."""
