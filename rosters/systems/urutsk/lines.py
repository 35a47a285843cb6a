"""The quick-add grammar of URUTSK minis: ``4 R3 C2 W1 fate2 autofire Riflemen``."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.grammar import Argument, Grammar, Setting, Word, WordMeaning, choice_word, number_word, quote
from rosters.core.messages import join
from rosters.systems.urutsk.rules import LABELS, Element
from rosters.systems.urutsk.tables import FIRE

SCORES = {"ranged": ("R", "R"), "close": ("C", "C"), "weapon_ability": ("W", "W"), "fate": ("F", "F")}
"""Each score as it is written, and its code."""
ALIASES = {"close": ("close-combat",), "weapon_ability": ("weapon", "ability")}
"""Other names of scores."""
FLAGS = {"poor_condition": ("poor", "poor-condition"), "command": ("command", "command-capable")}
PROTECTION = "protection"


def _protection(argument: Argument) -> tuple[WordMeaning, ...]:
    label = join((LABELS[PROTECTION], argument.text), " ")
    return (WordMeaning(label, (Setting(PROTECTION, argument.text),)),)


class FigureGrammar(Grammar):
    """The words of a figure."""

    options = (*FLAGS, PROTECTION)
    example = "4 R3 C2 Riflemen"

    def write(self, element: Element) -> Iterator[str]:
        scores = [(f"{written}{getattr(element, key)}", key) for key, (written, _code) in SCORES.items()]
        changed = [text for text, key in scores if getattr(element, key) != Element.model_fields[key].default]
        yield from changed or [scores[0][0]]
        yield from ([element.fire] if element.fire != "single" else [])
        yield from self.write_options(element)

    def write_options(self, element: Element) -> Iterator[str]:
        yield from (names[0] for key, names in FLAGS.items() if getattr(element, key))
        yield from ([f"{PROTECTION}:{quote(element.protection)}"] if element.protection else [])


GRAMMAR = FigureGrammar(
    Element,
    (
        *(
            number_word(key, LABELS[key], code, names=(key.replace("_", "-"), *ALIASES.get(key, ())))
            for key, (_written, code) in SCORES.items()
        ),
        *(choice_word("fire", code, fire.name, code) for code, fire in FIRE.items()),
        *(choice_word(key, True, LABELS[key], *names) for key, names in FLAGS.items()),
        Word(
            LABELS[PROTECTION],
            names=(PROTECTION, "armor", "armour", "cover"),
            read_argument=_protection,
            argument='"…"',
        ),
    ),
)
