"""The terms of VSGMR in our words.

Rulebook: VSGMR, Domino Writing; sections II to VI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.amounts import format_amount
from rosters.core.help import GuideStep, Term, price_term, with_examples
from rosters.core.messages import Message, _, join
from rosters.core.rulebook import Terms, count_points
from rosters.systems.vsgmr.rules import KIND_NAMES, POWERS, TRAITS, Element, Options, power_name, price
from rosters.systems.vsgmr.tables import MOVES, ROLL_POWERS

FIGURES, TRAIT, POWER, PLAY = _("Figures"), _("Traits"), _("Super powers"), _("In play")
TERMS = Terms(Options.model_validate({}), None, None)
TROOP: Mapping[str, Any] = {"kind": "troop"}
CAVALRY: Mapping[str, Any] = {"kind": "cavalry"}
PRICED: Mapping[str, Any] = {**TROOP, "distance": True, "armor": "light", "automatic_fire": True, "traits": ["tough"]}
"""The figure whose price is worked out."""

GUIDE: tuple[GuideStep, ...] = ()


COMMON = ["price", "mook", "troop", "hero", "commander", "cover", "move-unit", "initiative", "knockback", "tough"]
"""The codes of the terms that are looked up most."""

EXAMPLES: Mapping[str, Message] = {
    "combat-master": _("A troop hits hand to hand on 3+ instead of 4+."),
    "flight": _("6 inches across a wood or a wall."),
    "sharpshooter": _("A troop hits on 4+ instead of 5+."),
    "sniper": _("24 inches instead of 12."),
    "stealth": _("A troop hits it on 6+ from far, a hero on 5+."),
    "tough": _("Light armor cancels a hit on 5+ instead of 6+."),
    "commander": _("A hero as commander in heavy armor: 2 points."),
    "guy": _("A vehicle carries five guys: its driver and 4 more."),
    "move-unit": _("A troop: 6 inches, or 3 in rough terrain."),
    "cover": _("A hero, with +1, hits it on 5+."),
    "skill": _("A hero, with +1, succeeds on 3+."),
    "knockback": _("A 9 moves a guy 2 half move units: 6 inches."),
    "initiative": _("4 against 2: the player of the 4 chooses."),
}
"""Examples of terms by their codes. Other terms show a price."""


def terms() -> Iterator[Term]:
    """Kinds of figures and what they buy, traits, super powers, words of play."""
    return with_examples(_terms(), EXAMPLES)


def _terms() -> Iterator[Term]:
    yield _price()
    for code, name in KIND_NAMES.items():
        measures = MOVES[code]
        text = _("Moves {inches} inches at 25–32 mm.").format(inches=measures.inches)
        more = _("Carries {carries}.").format(carries=measures.carries) if measures.carries else ""
        dice = _("{dice}.").format(dice=measures.dice) if measures.dice else ""
        words = join((part for part in (text, more, dice) if part), " ")
        yield Term(code, name, words, FIGURES, _points({"kind": code}), _three({"kind": code}), {"kind": code})
    yield from _bought()
    for trait in TRAITS.values():
        figure = CAVALRY if trait.code == "independent" else TROOP
        yield Term(trait.code, trait.name, trait.text, TRAIT, *_with(figure, traits=[trait.code]))
    for power in POWERS.values():
        code, (change, example) = f"{power.power}-{power.tier}", _with(TROOP, powers={power.power: power.tier})
        if power.power in ROLL_POWERS.values():
            example = _("D{faces} instead of a D6.").format(faces=power.die)
        yield Term(code, power_name(power.power, power.tier), power.text, POWER, change, example)
    yield from _play()


def _price() -> Term:
    text = _(
        "Formula: kind + distance attack + armor + automatic fire + each trait + each super power. "
        "Points are all added; nothing multiplies."
    )
    receipt = price(Element.model_validate({"name": "", **PRICED}), TERMS)
    return price_term(text, receipt, count_points(receipt.unit_points), PRICED)


def _each(figure: Mapping[str, Any]) -> Any:
    return price(Element.model_validate({"name": "", **figure}), TERMS).unit_points


def _points(figure: Mapping[str, Any]) -> Message:
    return count_points(_each(figure))


def _change(figure: Mapping[str, Any], **more: Any) -> str:
    """What something adds to the price of a figure."""
    change = _each({**figure, **more}) - _each(figure)
    return f"+{format_amount(change)}" if change else "0"


def _with(figure: Mapping[str, Any], **more: Any) -> tuple[str, Message]:
    """What something adds to the price of a figure, and an example."""
    text = _("{kind} with it: {points}.")
    after = {**figure, **more}
    return _change(figure, **more), text.format(kind=KIND_NAMES[figure["kind"]], points=_points(after))


def _three(figure: Mapping[str, Any]) -> Message:
    return _("3 of them: {points}.").format(points=count_points(3 * _each(figure)))


def _bought() -> Iterator[Term]:
    distance = {**TROOP, "distance": True}
    text = _("The figure attacks what it sees up to 12 inches away. Every figure attacks hand to hand.")
    yield Term("distance", _("Distance attack"), text, FIGURES, *_with(TROOP, distance=True), distance)
    text = _("Two dice for a distance attack; the higher one counts.")
    shown = {**distance, "automatic_fire": True}
    yield Term("automatic_fire", _("Automatic fire"), text, FIGURES, *_with(distance, automatic_fire=True), shown)
    for code, name, least in (("light", _("Light armor"), 6), ("heavy", _("Heavy armor"), 4)):
        text = _("Cancels a hit on {least}+. Cavalry and vehicles have light armor for free.").format(least=least)
        (change, example), shown = _with(TROOP, armor=code), {**TROOP, "armor": code}
        if code == "heavy":
            example = _("Cavalry: {change}.").format(change=_change(CAVALRY, armor=code))
        yield Term(code, name, text, FIGURES, change, example, shown)
    text = _("A hero, or a troop, whom the other players know. A hero has heavy armor for free.")
    yield Term("commander", _("Commander"), text, FIGURES, "", "", {"kind": "hero", "commander": True})
    text = _("Carries its rider and one more guy.")
    yield Term("large", _("Large cavalry"), text, FIGURES, *_with(CAVALRY, large=True), {**CAVALRY, "large": True})


def _play() -> Iterator[Term]:
    text = _("A mook, a troop or a hero. Guys ride cavalry and drive vehicles, and only they make skill rolls.")
    yield Term("guy", _("Guy"), text, PLAY)
    text = _("The move of a figure in one turn. Half of it in rough terrain.")
    yield Term("move-unit", _("Move unit"), text, PLAY)
    text = _("At least half hidden. A distance attack at a target in cover needs 6+ instead of 5+.")
    yield Term("cover", _("Cover"), text, PLAY)
    text = _("4+ succeeds. Only guys, not while riding or driving, in addition to a move and an attack.")
    yield Term("skill", _("Skill roll"), text, PLAY)
    text = _("With Super-Blast or Super-Fight, a die of 8 or more moves a target that is not defeated straight back.")
    yield Term("knockback", _("Knockback"), text, PLAY)
    text = _("A die of each player; the highest chooses who goes first in this round.")
    yield Term("initiative", _("Initiative"), text, PLAY)
