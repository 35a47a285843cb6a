"""The terms of 6MM in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.amounts import format_amount
from rosters.core.help import GuideStep, Term, price_term, with_examples
from rosters.core.messages import Message, _
from rosters.core.rulebook import Terms, count_points
from rosters.systems.six_mm.play import move, weapon_range
from rosters.systems.six_mm.rules import (
    MAX_STRENGTH,
    MIN_STRENGTH,
    MODERN,
    SOFT,
    Element,
    Options,
    element_facts,
    price,
    signed,
    type_name,
)
from rosters.systems.six_mm.tables import ARMOUR, GENERALS, GUNS, ORDNANCE, PURCHASES, QUALITY, TYPES

STANDS, STRENGTH, EQUIPMENT = _("Types of stand"), _("Quality and generals"), _("Equipment")
GUN, LOAD, BOUGHT, PLAY = _("Guns"), _("Ordnance"), _("Purchases"), _("In play")
TERMS = Terms(Options.model_validate({}), None, None)

ARTILLERY, AIRCRAFT = {"type": "ART"}, {"type": "AIR"}
PRICED = {"type": "ART", "quality": "good", "general": "competent", "gun": "smoothbore"}
"""The stand whose price is worked out."""

GUIDE: tuple[GuideStep, ...] = ()


COMMON = [
    "price",
    "strength",
    "rout",
    "army-morale",
    "command-distance",
    "set",
    "shooting",
    "close-combat",
    "charge",
    "save",
]
"""The codes of the terms that are looked up most."""

EXAMPLES: Mapping[str, Message] = {
    "strength": _("Muskets with 5 of 6 left: half, rounded up, adds 3."),
    "command-distance": _("3 squares from the line: out of command, but with radio in it."),
    "set": _("15 stands: five sets."),
    "shooting": _("The square diagonally ahead can be shot at, the one beside the stand cannot."),
    "close-combat": _("3 hits from the rear count as 6, on pikes as 9."),
    "charge": _("A 3 counts as 4 in the first turn of contact."),
    "recoil": _("Strength 6 and 4 hits: it moves back a square."),
    "save": _("5 hits and a save of 2: 3 hits are left."),
    "tank_gun_reduced": _("A medium tank with a rifled muzzle-loader: 8 points, with this rule 7."),
    "animal_is_no_transport": _("A smoothbore drawn by animals: 5 points, with this rule 4."),
    "traits_agreed": _("Three stands with +1: three warnings, with this rule none."),
    "torsion_factor": _("A torsion engine: 3 points; at factor 1, 4 points."),
}
"""Examples of terms and house rules by their codes, beside those that are computed."""


def terms() -> Iterator[Term]:
    """Types, quality and generals, guns, ordnance, equipment, purchases, words of play."""
    return with_examples(_terms(), EXAMPLES)


def _terms() -> Iterator[Term]:
    yield _price()
    for code, kind in TYPES.items():
        stand = {"type": code} | ({"armour": "light"} if code == "TNK" else {})
        element = Element.model_validate({"name": "", **stand})
        reach = weapon_range(element).text
        example = _("Move {move}, range {range} squares.") if reach else _("Move {move} squares.")
        example = example.format(move=move(element).text, range=reach)
        text = _("{text} Base strength {strength}.").format(text=kind.text, strength=kind.strength)
        yield Term(code, kind.name, text, STANDS, _points(stand), example, stand)
    yield from _strength()
    for code, gun in GUNS.items():
        text = _("Gun factor {factor}, range {range} squares as artillery.").format(factor=gun.factor, range=gun.range)
        yield Term(code, gun.title, text, GUN, *_with(ARTILLERY, gun=code), ARTILLERY | {"gun": code})
    for code, load in ORDNANCE.items():
        text = _("{text} Adds {points} to the points of an aircraft.").format(text=load.text, points=load.value)
        yield Term(code, load.title, text, LOAD, *_with(AIRCRAFT, ordnance=code), AIRCRAFT | {"ordnance": code})
    yield from _equipment()
    for code, purchase in PURCHASES.items():
        bought = {"type": code}
        yield Term(code, purchase.name, purchase.text, BOUGHT, _points(bought), _three(bought), bought)
    yield from _play()


def _price() -> Term:
    text = _(
        "Formula: base strength + quality + general and other changes, {least} to {most}; then + gun factor, "
        "equipment, transport and ordnance. Points are all added; nothing multiplies. A stand with alternate stands "
        "costs their average."
    )
    receipt = price(Element.model_validate({"name": "", **PRICED}), TERMS)
    text = text.format(least=MIN_STRENGTH, most=MAX_STRENGTH)
    return price_term(text, receipt, count_points(receipt.unit_points), PRICED)


def _each(stand: Mapping[str, Any]) -> Any:
    return price(Element.model_validate({"name": "", **stand}), TERMS).unit_points


def _points(stand: Mapping[str, Any]) -> Message:
    """The price of a stand."""
    return count_points(_each(stand))


def _change(stand: Mapping[str, Any], **more: Any) -> str:
    """What something adds to the price of a stand."""
    return signed(int(_each({**stand, **more}) - _each(stand)))


def _example(stand: Mapping[str, Any], **more: Any) -> Message:
    """A stand with and without something, in points."""
    text = _("{type}: {before} → {after} points.")
    return text.format(
        type=type_name(stand["type"]), before=format_amount(_each(stand)), after=format_amount(_each({**stand, **more}))
    )


def _with(stand: Mapping[str, Any], **more: Any) -> tuple[str, Message]:
    """What something adds to the price of a stand, and the example."""
    return _change(stand, **more), _example(stand, **more)


def _three(stand: Mapping[str, Any]) -> Message:
    return _("3 of them: {points}.").format(points=count_points(3 * _each(stand)))


def _strength() -> Iterator[Term]:
    stand = {"type": "MSK"}
    for code, quality in QUALITY.items():
        text = _("Changes strength, and with it points, by {change}.").format(change=signed(quality.value))
        shown = stand | {"quality": code}
        yield Term(code, quality.title, text, STRENGTH, signed(quality.value), _example(stand, quality=code), shown)
    for code, general in GENERALS.items():
        name = _("{rating} general").format(rating=general.title)
        text = _("1 more strength, the start of lines of command; {change} to the die for initiative.")
        text = text.format(change=signed(general.value))
        yield Term(f"general-{code}", name, text, STRENGTH, *_with(stand, general=code), stand | {"general": code})
    text = _("A stand that is stronger or weaker than others of its type, if the players agree.")
    yield Term("agreed", _("Special trait"), text, STRENGTH, "±1", _example(stand, agreed=1))
    text = _("Skirmishers on foot and support weapons of that time have 2 more strength.")
    post = {"type": MODERN[0]}
    yield Term("post_1906", _("After 1906"), text, STRENGTH, *_with(post, post_1906=True))
    text = _("Elephants count as pikes with 1 less strength.")
    pikes = {"type": "PKE"}
    elephants = pikes | {"elephant": True}
    yield Term("elephant", _("Elephants"), text, STRENGTH, *_with(pikes, elephant=True), elephants)


def _equipment() -> Iterator[Term]:
    for code, armor in ARMOUR.items():
        stand = {"type": "TNK", "armour": code}
        name = _("{armor} tank").format(armor=armor.title)
        text = _("Base strength {strength}.").format(strength=armor.value)
        yield Term(f"tank-{code}", name, text, EQUIPMENT, _points(stand), _three(stand), stand)
    foot, modern = {"type": SOFT[1]}, {"type": MODERN[0]}
    text = _("Trucks. Foot that they carry moves 4 squares, and so does artillery.")
    yield Term("soft", _("Soft transport"), text, EQUIPMENT, *_with(foot, transport="soft"))
    text = _("Artillery behind animals moves 2 squares, horse artillery 3.")
    yield Term("animal", _("Animal transport"), text, EQUIPMENT, *_with(ARTILLERY, transport="animal"))
    text = _("Artillery that is moved by hand, 1 square.")
    yield Term("none", _("No transport"), text, EQUIPMENT, *_with(ARTILLERY, transport="none"))
    text = _("On animals it moves 3 squares, but its gun reaches 1 square less.")
    yield Term("horse", _("Horse artillery"), text, EQUIPMENT, *_with(ARTILLERY, horse=True))
    text = _("Guns above 100\xa0mm may stay off the board. They reach 10 squares onto it, with −2 on the die, halved.")
    yield Term("off_board", _("Off-board artillery"), text, EQUIPMENT, *_with(ARTILLERY, off_board=True))
    text = _("Missiles of skirmishers on foot and support weapons: 4 squares against tanks, 2 against aircraft.")
    yield Term("guided", _("Guided weapons"), text, EQUIPMENT, *_with(modern, guided=True))
    text = _("A stand that can be swapped in play, such as mounted and dismounted, costs the average of its forms.")
    swapped = {"type": "CAV/U", "duplicates": [{"type": "INF/U"}]}
    example = _("Unarmored cavalry or unarmored infantry: {points} points.").format(
        points=format_amount(_each(swapped))
    )
    yield Term("duplicates", _("Alternate stands"), text, EQUIPMENT, "", example, swapped)


def _play() -> Iterator[Term]:
    facts = element_facts(Element.model_validate({"name": "", "type": "MSK"}), TERMS)
    text = _("Hits that a stand bears, 4 to 15. Half of what is left is added to its dice.")
    yield Term("strength", _("Strength"), text, PLAY)
    text = _("A stand below half its starting strength flees for the edge until a 5 or 6 on a D6 rallies it.")
    example = _("Muskets: strength {strength}, routs at {routs}.").format(
        strength=facts["strength"], routs=facts["routs_at"]
    )
    yield Term("rout", _("Rout"), text, PLAY, "", example, {"type": "MSK"})
    text = _(
        "For each tenth of its stands lost an army rolls a D6 once, and retreats on that number of tenths or less."
    )
    yield Term("army-morale", _("Army morale"), text, PLAY, "", _("3 of 21 stands lost: it retreats on 1."))
    text = _("How far a stand may be from a line of friends to a general: 2 squares, with radio 4.")
    yield Term("command-distance", _("Command distance"), text, PLAY)
    text = _("Exactly three stands, adjacent or not, with which a side acts in its turn.")
    yield Term("set", _("Set"), text, PLAY)
    text = _(
        "At one target within 45 degrees of a stand's facing, the diagonal included; the D6 and its changes are hits."
    )
    yield Term("shooting", _("Shooting"), text, PLAY)
    text = _("A stand fights what touches its front. Hits from a flank or the rear are doubled, against pikes trebled.")
    yield Term("close-combat", _("Close combat"), text, PLAY)
    text = _("A straight move to drive an enemy out of its square. It adds 1 to the die in the first turn of contact.")
    yield Term("charge", _("Charge"), text, PLAY)
    text = _("A stand that takes hits of more than half its current strength in close combat moves back a square.")
    yield Term("recoil", _("Recoil"), text, PLAY)
    text = _("A D6 that is deducted last from the hits on a stand, in shooting and in close combat.")
    yield Term("save", _("Save"), text, PLAY)
