"""The terms of Mini Combat in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.core.amounts import format_amount
from rosters.core.help import PRICE_GROUP, GuideStep, Term, price_term, with_examples
from rosters.core.messages import Message, _, join_names
from rosters.core.rulebook import Terms, count_points
from rosters.systems.mini_combat.rules import CAPABILITIES, DENY, Element, Options, percent_text, price, rule_and_price
from rosters.systems.mini_combat.tables import ATTACK, COMMAND_NOTE, KIND_NOTES, KINDS, SEPARATE, STAT_LETTERS, STATS

STAT, KIND, PLAY = _("Stats"), _("Kinds"), _("In play")
TERMS = Terms(Options.model_validate({}), None, None)
RIFLES = {"kind": "infantry", "movement": 10, "to_hit": 4, "range": 30, "save": 6, "power": 3, "armor": 2, "morale": 3}
"""The element of the examples."""
PRICED = [{"code": "SS"}, {"code": "MA"}, {"code": "OS"}]
"""The abilities whose price is worked out: two that add, one that multiplies."""

STAT_TEXTS: Mapping[str, tuple[Message, str]] = {
    "movement": (_("Centimeters that the element moves in a turn."), "÷ 5"),
    "to_hit": (_("The lowest D6 that hits. 0 hits without a roll. – (no attack) counts as 7."), _("× (7 − TH)")),
    "range": (_("Centimeters that it shoots. 0 is melee, in base contact."), "÷ 5"),
    "save": (_("The lowest D6 that saves it from a hit. – (no save) counts as 7."), "7 − S"),
    "power": (_("Power greater than the armor of the target destroys it."), "+P"),
    "armor": (_("Power that is equal to armor or less has no effect."), "+A"),
    "morale": (
        _("The lowest D6 on which its unit holds, by the best of those left. – (fearless) counts as 1."),
        _("× (7 − Mo)"),
    ),
}
"""What each stat means, and how it enters the price."""

GUIDE: tuple[GuideStep, ...] = ()


COMMON = ["price", "TH", "Mo", "morale-test", "command", "coherency", "IF", "Rec", "Fly", "T"]
"""The codes of the terms that are looked up most."""

EXAMPLES: Mapping[str, Message] = {
    "TH": _("To hit 4+: × 3. To hit 3+: × 4."),
    "R": _("Range 20\u00a0cm: + 4."),
    "S": _("Save 5+: 7 − 5 = 2."),
    "P": _("Power 3 destroys what has armor 2 or less."),
    "A": _("Armor 3 stops power 3."),
    "Mo": _("Morale 4+: × 3. Morale 3+: × 4."),
    "infantry": _("Riflemen, spearmen, a mortar and its crew."),
    "cavalry": _("Hussars, knights."),
    "vehicle": _("A tank, a truck, a chariot."),
    "mecha": _("A walker as high as a house."),
    "creature": _("A dragon, a giant spider."),
    "ship": _("A frigate, a galley."),
    "aircraft": _("A fighter, a helicopter."),
    "structure": _("A bunker, a tower."),
    "other": _("A swarm, a ghost."),
    "command": _("An officer and his radio."),
    "target": _("Range 20: a target 20\u00a0cm away is in range."),
    "hit-roll": _("To hit 4+ after standing still: +1, so a 3 hits."),
    "save-roll": _("Save 6+ in a forest, which saves on 5+: a 5 saves."),
    "damage": _("Power 3 destroys armor 2; armor 3 stops it."),
    "coherency": _("A gap of 6\u00a0cm is too wide."),
    "unit": _("A platoon: an officer and four rifle squads."),
    "rear": _("Armor 3 counts as 2, and a 3 hits in place of a 4."),
    "star": _("25.2 points, a 5\u00a0cm template, Move or fire: × 1.25 × 0.5 is 16; added, × 0.75 is 19."),
    "sum_floor": _("25.2 points and −110\u00a0%: with a minimum of 10, 2.52 points, so 3."),
    "no_attack_factor": _("Movement 10, armor 2 and morale 4+ without an attack: 0 points, priced 2."),
    "immobile_is_limited": _("Movement 0 and a fire arc of 90°: −15\u00a0%, with this rule −30\u00a0%."),
    "rounding": _("Three elements of 25.2 points: 25 each, 75 in all; with fractions 75.6, so 76."),
    "naval": _("25.2 points and Water bound: 18 points, in a naval game 25."),
}
"""Examples of terms and house rules by their codes, beside those that are computed."""


def terms() -> Iterator[Term]:
    """Stats, kinds, abilities by their purpose, words of play."""
    return with_examples(_terms(), EXAMPLES)


def _terms() -> Iterator[Term]:
    yield _price()
    text = _("Stays listed with its rule, but its percentage is left out of the price, as both players agreed.")
    waived = {**RIFLES, "capabilities": [{"code": "MA", "waived": True}]}
    example = _("Melee advantage, waived: its 25 % are not added.")
    yield Term("waived", _("Waived ability"), text, PRICE_GROUP, "", example, waived)
    example = _("(M ÷ 5 + R ÷ 5 + 7 − S + P + A) × (7 − Mo) × (7 − TH) ÷ 5, then abilities.")
    for code, (key, name) in zip(STAT_LETTERS, STATS.items(), strict=True):
        meaning, factor = STAT_TEXTS[key]
        yield Term(code, name, meaning, STAT, factor, example if key == "movement" else "")
    for kind, name in KINDS.items():
        note: str = KIND_NOTES.get(kind) or _("It has no rules of its own; agree on what it cannot enter.")
        yield Term(kind, name, note, KIND, "", "", {"kind": kind})
    yield Term("command", _("Command element"), COMMAND_NOTE, KIND, "", "", {"kind": "infantry", "command": True})
    for row in CAPABILITIES.values():
        step = percent_text(row.percent) if row.code != DENY else ""
        yield Term(row.code, row.name, rule_and_price(row), row.purpose, step, _example(row.code))
    yield from _play()


def _price() -> Term:
    separate = [row.name for row in CAPABILITIES.values() if row.code in SEPARATE[TERMS.options.star]]
    text = _(
        "Formula: (M ÷ 5 + R ÷ 5 + 7 − S + P + A) × (7 − Mo) × (7 − TH) ÷ 5, in points. Each ability adds its "
        "percentage of this price. Only {separate} multiply, after the others. The result is rounded, to 1 at least."
    )
    receipt = price(Element.model_validate({"name": "", **RIFLES, "capabilities": PRICED}), TERMS)
    return price_term(text.format(separate=join_names(separate)), receipt, count_points(receipt.unit_points), RIFLES)


def _example(code: str) -> str:
    """The price of an element without and with an ability."""
    variants: Mapping[str, dict[str, Any]] = {DENY: {"denies": "Ch"}, "MW": {"count": 2}, "T": {"count": 1}}
    before, after = (
        price(Element.model_validate({"name": "", **RIFLES, "capabilities": abilities}), TERMS).unit_points
        for abilities in ([], [{"code": code, **variants.get(code, {})}])
    )
    text = (
        _("An element of {before} points costs {after} with Den Ch.")
        if code == DENY
        else _("An element of {before} points costs {after} with it.")
    )
    return text.format(before=format_amount(before), after=format_amount(after))


def _play() -> Iterator[Term]:
    for code, (name, text) in zip(("target", "hit-roll", "save-roll", "damage", "coherency"), ATTACK, strict=True):
        yield Term(code, name, text, PLAY)
    text = _(
        "A unit that has lost half of its elements, rounded up, rolls a D6 against its best morale, or is removed."
    )
    yield Term("morale-test", _("Morale test"), text, PLAY, "", _("5 elements: it tests from 3 losses on."))
    text = _("Elements that act together, usually all alike. The enemy scores it when it is destroyed.")
    yield Term("unit", _("Unit"), text, PLAY)
    text = _("The half circle behind an element: +1 to hit and armor −1 against it.")
    yield Term("rear", _("Rear"), text, PLAY)
