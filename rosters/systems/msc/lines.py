"""The quick-add grammar of Minimal Space Combat: ``Raider 3/3/4 F FL FR``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rosters.core.grammar import (
    Grammar,
    Phrase,
    Setting,
    Token,
    Word,
    WordMeaning,
    key_word,
    number_word,
    quote,
    spelled,
)
from rosters.core.messages import _, join
from rosters.systems.msc.rules import REAR, SIDES, STATS, Element
from rosters.systems.msc.tables import SIDE_NAMES

LETTERS = {"engine": "E", "shield": "S", "to_hit": "T"}
NAMES = {"engine": ("engine", "engines"), "shield": ("shield", "shields"), "to_hit": ("to-hit", "th")}
_THREE = re.compile(r"([+-]?\d{1,9})/([+-]?\d{1,9})/([+-]?\d{1,9})")


def _weapon(side: str) -> Word:
    """A weapon by its side; "rear" alone may begin a name, and no ship has a weapon there."""
    name = SIDE_NAMES.get(side)
    label = name or _("Weapon on side {side}").format(side=side)
    names = (spelled(name),) if name else ()
    return Word(label, (side,), names, (WordMeaning(label, (Setting("weapons", side, True),)),))


class ShipGrammar(Grammar):
    """The words of a ship."""

    options = ("weapons",)
    example = "Raider E3 S3 T3 F FL FR"

    def read_phrase(self, tokens: Sequence[Token], index: int, phrases: Sequence[Phrase]) -> tuple[Phrase, int] | None:
        """ENGINE, SHIELD and TO-HIT as in the rulebook's examples, ``3/3/4``; else a word."""
        token = tokens[index]
        match = _THREE.fullmatch(token.head) if not token.argument else None
        if not match:
            return self.read_word(tokens, index)
        values = [*zip(STATS.items(), map(int, match.groups()), strict=True)]
        label = join(join((name, str(value)), " ") for (_key, name), value in values)
        settings = tuple(Setting(key, value) for (key, _name), value in values)
        return Phrase(token.start, token.end, "number", (WordMeaning(label, settings),)), 1

    def write(self, element: Element) -> Iterator[str]:
        yield f"{element.engine}/{element.shield}/{element.to_hit}"
        yield from self.write_options(element)

    def write_options(self, element: Element) -> Iterator[str]:
        return (side if side in (*SIDES, REAR) else f"weapon:{quote(side)}" for side in element.weapons)


GRAMMAR = ShipGrammar(
    Element,
    (
        *(number_word(key, name, LETTERS[key], names=NAMES[key]) for key, name in STATS.items()),
        *map(_weapon, (*SIDES, REAR)),
        key_word("weapons", _("Weapon on a side"), "weapon", {}, appends=True),
    ),
)
