"""The terms of VSGMR in our words.

Rulebook: VSGMR, Domino Writing; sections II to VI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.amounts import format_amount
from rosters.core.help import GuideStep, Term
from rosters.core.messages import Message, _, join
from rosters.core.rulebook import Terms, count_points
from rosters.systems.vsgmr.rules import KIND_NAMES, POWERS, TRAITS, Element, Options, power_name, price
from rosters.systems.vsgmr.tables import MOVES, ROLL_POWERS

FIGURES, TRAIT, POWER, PLAY = _("Figures"), _("Traits"), _("Super powers"), _("In play")
TERMS = Terms(Options.model_validate({}), None, None)
TROOP: Mapping[str, Any] = {"kind": "troop"}
CAVALRY: Mapping[str, Any] = {"kind": "cavalry"}

GUIDE: tuple[GuideStep, ...] = ()


def terms() -> Iterator[Term]:
    """Kinds of figures and what they buy, traits, super powers, words of play."""
    for code, name in KIND_NAMES.items():
        measures = MOVES[code]
        text = _("Moves {inches} inches at 25–32 mm.").format(inches=measures.inches)
        more = _("Carries {carries}.").format(carries=measures.carries) if measures.carries else ""
        dice = _("{dice}.").format(dice=measures.dice) if measures.dice else ""
        words = join((part for part in (text, more, dice) if part), " ")
        yield Term(code, name, words, FIGURES, _points({"kind": code}), "", {"kind": code})
    yield from _bought()
    for trait in TRAITS.values():
        kind = "cavalry" if trait.code == "independent" else "troop"
        yield Term(trait.code, trait.name, trait.text, TRAIT, _change({"kind": kind}, traits=[trait.code]))
    for power in POWERS.values():
        code, change = f"{power.power}-{power.tier}", _change(TROOP, powers={power.power: power.tier})
        example = _("D{faces} instead of a D6.").format(faces=power.die) if power.power in ROLL_POWERS.values() else ""
        yield Term(code, power_name(power.power, power.tier), power.text, POWER, change, example)
    yield from _play()


def _each(figure: Mapping[str, Any]) -> Any:
    return price(Element.model_validate({"name": "", **figure}), TERMS).unit_points


def _points(figure: Mapping[str, Any]) -> Message:
    return count_points(_each(figure))


def _change(figure: Mapping[str, Any], **more: Any) -> str:
    """What something adds to the price of a figure."""
    change = _each({**figure, **more}) - _each(figure)
    return f"+{format_amount(change)}" if change else "0"


def _bought() -> Iterator[Term]:
    distance = {**TROOP, "distance": True}
    text = _("The figure attacks what it sees up to 12 inches away. Every figure attacks hand to hand.")
    yield Term("distance", _("Distance attack"), text, FIGURES, _change(TROOP, distance=True), "", distance)
    text = _("Two dice for a distance attack; the higher one counts.")
    shown = {**distance, "automatic_fire": True}
    yield Term("automatic_fire", _("Automatic fire"), text, FIGURES, _change(distance, automatic_fire=True), "", shown)
    for code, name, least in (("light", _("Light armor"), 6), ("heavy", _("Heavy armor"), 4)):
        text = _("Cancels a hit on {least}+. Cavalry and vehicles have light armor for free.").format(least=least)
        change, shown = _change(TROOP, armor=code), {**TROOP, "armor": code}
        example = _("Cavalry: {change}.").format(change=_change(CAVALRY, armor=code)) if code == "heavy" else ""
        yield Term(code, name, text, FIGURES, change, example, shown)
    text = _("A hero, or a troop, whom the other players know. A hero has heavy armor for free.")
    yield Term("commander", _("Commander"), text, FIGURES, "", "", {"kind": "hero", "commander": True})
    text = _("Carries its rider and one more guy.")
    yield Term("large", _("Large cavalry"), text, FIGURES, _change(CAVALRY, large=True), "", {**CAVALRY, "large": True})


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
