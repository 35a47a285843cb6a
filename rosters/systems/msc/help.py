"""The terms of Minimal Space Combat in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rosters.core.amounts import format_amount
from rosters.core.appraisals import RosterState
from rosters.core.help import GuideStep, Term, price_term, with_examples
from rosters.core.messages import Message, _, ngettext
from rosters.core.rulebook import Terms
from rosters.systems.msc import tables
from rosters.systems.msc.play import hits
from rosters.systems.msc.rules import (
    ENGINE,
    POINTS_PER_ATTACK_DIE,
    POINTS_PER_SAVE_DIE,
    SHIELD,
    TO_HIT,
    USUAL_SIZES,
    WEAPON_POINTS,
    Options,
    Profile,
    price,
)

STATS, WEAPONS, BATTLE, STRATEGIC = _("Ship"), _("Weapons"), _("Battle"), _("Strategic game")
SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
"""The ship of the examples."""
TERMS = Terms(Options.model_validate({}), None, None)
USUAL_SHIP = 15
"""The BP of an average ship (rules 3)."""


COMMON = ["price", "BP", "ENGINE", "SHIELD", "TO-HIT", "SPEED", "arc", "range", "damage", "line-of-sight"]
"""The codes of the terms that are looked up most."""

EXAMPLES: Mapping[str, Message] = {
    "ENGINE": _("ENGINE 4 with 1 marked: SPEED 3 at most."),
    "SHIELD": _("SHIELD 3: the third mark on it destroys the ship."),
    "SPEED": _("SPEED 2 in the last turn: 1, 2 or 3 now."),
    "arc": _("Straight ahead is in the arc of F, straight behind in none."),
    "line-of-sight": _("Three ships in a row: the first and the last do not see each other."),
    "range": _("TO-HIT 3 at 5 hexes: 3 − 1, so 1–2 hit."),
    "damage": _("A hit from the side FL and a 6: the weapon at FL is destroyed."),
    "fleet": _("Four ships of 15 BP: 60 BP."),
    "attack-dice": _("Two ships of three weapons and TO-HIT 3: 18 BP, 2 dice."),
    "save-dice": _("SHIELD 3 and SHIELD 4: 7 BP, 2 dice."),
    "fleet-speed": _("ENGINE 4, 4 and 2: 2 hexes."),
    "system": _("Four star systems pay 4 BP a turn."),
    "max_engine": _("ENGINE 6, SHIELD 5, TO-HIT 5 and five weapons: 26 BP."),
}
"""Examples of terms and house rules by their codes, beside those that are computed."""


def terms() -> Iterator[Term]:
    """The ship, its weapons, a battle, the strategic game."""
    return with_examples(_terms(), EXAMPLES)


def _terms() -> Iterator[Term]:
    yield _price()
    yield from _ship()
    price = ngettext("{n} BP", "{n} BP", WEAPON_POINTS).format(n=WEAPON_POINTS)
    for code, name in tables.SIDE_NAMES.items():
        text = _("A weapon on this side fires at targets in its arc, once a turn. Each side has one at most.")
        example = _("In a line: E3 S3 T3 {side}, {points} BP.").format(side=code, points=3 + 3 + 3 + WEAPON_POINTS)
        yield Term(code, name, text, WEAPONS, price, example, SHIP | {"weapons": [code]})
    yield from _battle()
    yield from _strategic()


def _price() -> Term:
    text = _("Formula: ENGINE + SHIELD + TO-HIT + {n} for each weapon. Points are all added; nothing multiplies.")
    receipt = price(Profile.model_validate(SHIP), TERMS)
    points = _("{points} BP").format(points=format_amount(receipt.unit_points))
    return price_term(text.format(n=WEAPON_POINTS), receipt, points, SHIP)


def _ship() -> Iterator[Term]:
    each, none = _("1 BP a point"), SHIP | {"weapons": []}
    text = _("The highest SPEED of the ship, 0 to 5. Damage on it slows the ship; without any left it cannot move.")
    yield Term("ENGINE", ENGINE, text, STATS, each, "", none | {"engine": 5})
    text = _("What most hits mark, 0 to 5. Without any left the ship is destroyed.")
    yield Term("SHIELD", SHIELD, text, STATS, each, "", none | {"shield": 5})
    text = _("The highest roll of a D6 that hits at 3–4 hexes, 0 to 5. Closer it is higher, farther lower.")
    rolls = [_("{hexes} hexes: {rolls}").format(hexes=hexes, rolls=hits(3 + more)) for hexes, more in tables.RANGES]
    example = _("TO-HIT 3, by range: {a}; {b}; {c}; {d}.").format(**dict(zip("abcd", rolls, strict=True)))
    yield Term("TO-HIT", TO_HIT, text, STATS, each, example)
    steps = price(Profile.model_validate(SHIP), TERMS)
    sizes = ", ".join(map(str, USUAL_SIZES))
    text = _("Build points, the price of a ship. Usual sizes are {sizes}.").format(sizes=sizes)
    example = _("3 + 3 + 3 and three weapons: {points} BP.").format(points=format_amount(steps.unit_points))
    yield Term("BP", _("Build points"), text, STATS, "", example, SHIP)


def _battle() -> Iterator[Term]:
    text = _("The hexes and turns of a move. At first 0 to ENGINE; later the same, 1 more or 1 less, up to ENGINE.")
    yield Term("SPEED", _("SPEED"), text, BATTLE)
    text = _(
        "Written before the turn: a number is hexes forward, L and R are turns of one hex side. Each costs 1 SPEED."
    )
    yield Term("orders", _("Move order"), text, BATTLE, "", _("2L1: two hexes forward, left, one forward; SPEED 4."))
    text = _("The hexes to which a side can fire. A hex on the border of two arcs is in both.")
    yield Term("arc", _("Firing arc"), text, BATTLE)
    text = _("A line between the centers of both hexes. A ship in a hex that it crosses blocks it.")
    yield Term("line-of-sight", _("Line of sight"), text, BATTLE)
    modifiers = ", ".join(f"{hexes}: {f'{more:+}'.replace('-', '−') if more else '0'}" for hexes, more in tables.RANGES)
    text = _("Hexes to the target, 6 at most, change TO-HIT: {modifiers}.").format(modifiers=modifiers)
    yield Term("range", _("Range"), text, BATTLE)
    text = _("A D6 a hit: 1–4 SHIELD, 5 ENGINE, 6 the weapon on the side that was hit; SHIELD if that is not left.")
    yield Term("damage", _("Damage"), text, BATTLE)
    text = _("A group of ships. In the strategic game it moves as one.")
    yield Term("fleet", _("Fleet"), text, BATTLE)


def _strategic() -> Iterator[Term]:
    text = _("One die for each full {n} BP of weapons and TO-HIT in the fleet. On 5 or 6 it destroys a ship.")
    yield Term("attack-dice", _("Attack dice"), text.format(n=POINTS_PER_ATTACK_DIE), STRATEGIC)
    text = _("One die for each full {n} BP of SHIELD in the fleet. On 5 or 6 it saves a ship.")
    yield Term("save-dice", _("Save dice"), text.format(n=POINTS_PER_SAVE_DIE), STRATEGIC)
    text = _("Hexes that a fleet moves in a strategic turn: the lowest ENGINE in it.")
    yield Term("fleet-speed", _("Speed of a fleet"), text, STRATEGIC)
    text = _("It pays 1 BP a turn. It is captured by a full turn in it without an enemy fleet.")
    yield Term("system", _("Star system"), text, STRATEGIC)


def _has(state: RosterState, field: str) -> bool:
    """Whether a ship has points of a stat, or weapons."""
    return any(getattr(ship, field) for fleet in state.document.formations for ship in fleet.elements)


def _is_spent(state: RosterState) -> bool:
    """Whether a legal roster is within its points limit and has less left than a usual ship."""
    appraisal = state.appraisal
    if not appraisal.legal or not appraisal.quantity or appraisal.points is None:
        return False
    return appraisal.budget is None or 0 <= appraisal.budget - appraisal.points < USUAL_SHIP


GUIDE = (
    GuideStep(
        _("Name your fleet"),
        _("A navy, a band of pirates, one squadron: the name is on the records and on the link that you share."),
        "settings",
        lambda state: bool(state.document.name),
    ),
    GuideStep(
        _("Give a ship an ENGINE"),
        _(
            "Its highest speed: each hex forward and each change of facing takes 1. 3 is average, 5 outruns everybody, "
            "and with 0 it cannot move. 1 BP a point."
        ),
        "element",
        lambda state: _has(state, "engine"),
    ),
    GuideStep(
        _("Give it a SHIELD"),
        _("Most hits mark a point of it, and without any left the ship is destroyed: 3 or 4 is usual. 1 BP a point."),
        "element",
        lambda state: _has(state, "shield"),
    ),
    GuideStep(
        _("Set its TO-HIT"),
        _(
            "At 3 or 4 hexes a weapon hits on a die of this number or less: with 3, every second shot. Closer is "
            "easier, farther is harder. 1 BP a point."
        ),
        "element",
        lambda state: _has(state, "to_hit"),
    ),
    GuideStep(
        _("Mount its weapons"),
        _(
            "One on each side at most and none at the rear, {n} BP each. A weapon fires at what its side faces: the "
            "front and both sides beside it (F, FL, FR) cover everything that the ship flies towards."
        ).format(n=WEAPON_POINTS),
        "element",
        lambda state: _has(state, "weapons"),
    ),
    GuideStep(
        _("Build a second ship"),
        _(
            "Make it different: ENGINE 5 and one weapon to get behind the enemy, or SHIELD 5 and ENGINE 2 to hold the "
            "middle. To have two alike, raise the number of the first."
        ),
        "add",
        lambda state: state.appraisal.quantity > 1,
    ),
    GuideStep(
        _("Add ships up to the limit"),
        _(
            "Both players have the same limit. Add ships until less than {n} BP, a usual ship, are left, and fix what "
            "the rules check calls an error."
        ).format(n=USUAL_SHIP),
        "more",
        _is_spent,
    ),
    GuideStep(
        _("Print the ship records"),
        _(
            "Each ship has its boxes to mark and a line for each turn: both players write their moves in secret, all "
            "ships move, then the higher die fires first. A hex map and counters print too; bring some dice."
        ),
        "print",
        lambda state: False,
    ),
)
