"""The words for odds, on pages and in the command: what the numbers are called, and what they leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from rosters.core.messages import Message, _
from rosters.core.reference import fixtures_folder

CHANCES: Mapping[str, str] = {
    "hit": _("An attack hits"),
    "save": _("Armor stops a hit"),
    "kill": _("An attack takes it out"),
    "injure": _("An attack injures it"),
    "turn_kill": _("Beaten in round 1"),
    "never": _("Never ends"),
    "win": _("A wins"),
    "lose": _("B wins"),
    "draw": _("Neither wins"),
    "a_only": _("Only A left"),
    "b_only": _("Only B left"),
    "neither": _("Neither left"),
    "both": _("Both left"),
    "initiative": _("A goes first"),
}
"""The chances of an answer by key, those of some games included."""
MEASURES: Mapping[str, str] = {
    "win": _("Wins the duel"),
    "round": _("Beats it in round 1"),
    "kill": CHANCES["kill"],
    "hit": CHANCES["hit"],
}
"""The chances of a duel that a matrix of elements can show."""
NUMBERS: Mapping[str, str] = {
    "attacks": _("Attacks in round 1"),
    "rate": _("Loss in round 1"),
    "expected": _("Expected rounds"),
}
DISTRIBUTIONS: Mapping[str, str] = {
    "damage": _("Damage of a shot"),
    "turn": _("Losses in round 1"),
    "by_round": _("Beaten in rounds 1 to 6"),
    "so_far": _("A, B, neither after 1 to 6"),
    "b_lost": _("B loses ships"),
    "a_lost": _("A loses ships"),
}
LEFT_OUT = _(
    "Our estimate for one against one on open ground, by the rules interpretation below. It leaves out terrain, "
    "movement, morale, other units and the skill of players. Points and legality are not affected."
)
GENERAL = ("G1", "G2", "G4", "G5")
"""The readings that all odds rest on."""

_READING = re.compile(r"^- \*\*([GR]\d+)\*\* (.*(?:\n  .*)*)$", re.MULTILINE)
_NUMBER = re.compile(r"[GR]\d+")


@cache  # 6 to 9 % of the odds of a battle
def readings() -> Mapping[str, str]:
    """The numbered readings of docs/odds.md and docs/balance.md, as plain text."""
    folder = fixtures_folder().parent / "docs"
    text = "".join((folder / name).read_text("utf-8") for name in ("odds.md", "balance.md"))
    return {number: Message(" ".join(words.replace("`", "").split())) for number, words in _READING.findall(text)}


def readings_named(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The general readings and those that texts such as "R1, R7" name: number and text, in their order."""
    named = {*GENERAL, *(number for text in texts for number in _NUMBER.findall(text))}
    return [(number, text) for number, text in readings().items() if number in named]
