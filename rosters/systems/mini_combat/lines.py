"""The quick-add grammar of Mini Combat: ``Walker mecha M15 TH3 R30 P5 A4 S5 Mo3 MW3 T2 Se x2``.

``~IF`` is a waived ability, ``custom "Larger blast" +75%`` one of the players' own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rosters.core.grammar import (
    UNSIGNED,
    Argument,
    Grammar,
    InvalidArgument,
    LineError,
    Phrase,
    Setting,
    Suggestion,
    Token,
    Word,
    WordMeaning,
    choice_word,
    integer,
    named_value,
    number_word,
    quote,
)
from rosters.core.messages import _, join
from rosters.core.reference import Capability
from rosters.systems.mini_combat.rules import CAPABILITIES, DENY, LABELS, Element, Modifier
from rosters.systems.mini_combat.tables import FORMS, KEYS, KINDS, STAT_LETTERS, STATS

NONE = {"to_hit": ("-", "7"), "save": ("-", "7"), "morale": ("-", "1")}
"""Spellings of no attack, no save and fearless, for which the profile has no value."""
ALIASES = {"movement": ("move",), "to_hit": ("hit", "hits", "shoot", "shoots"), "save": ("sv",), "armor": ("armour",)}
"""Other names of stats."""
ABILITIES = "capabilities"
IMMOBILE = ("structure", "other")
"""Kinds that may well have no movement."""
NOUNS = {
    "infantry": ("infantryman", "infantrymen", "soldier"),
    "cavalry": ("horseman", "horsemen", "rider"),
    "vehicle": ("tank", "truck", "car"),
    "mecha": ("mech",),
    "creature": ("monster", "beast"),
    "ship": ("vessel",),
    "aircraft": ("airplane", "plane", "helicopter"),
    "structure": ("building", "bunker"),
}
"""Plain words for the kinds of element."""
ABBREVIATIONS = {"infantry": ("inf",), "cavalry": ("cav",)}
PRINTED = {
    "Cone": ("cone-area",),
    "5c": ("5cm-area", "5cm-template"),
    "10c": ("10cm-area", "10cm-template"),
    "Fly": ("jump-pack",),
    "Tel": ("teleport-capable",),
    "T": ("transport-element",),
    "RdM": ("reduced-manoeuvrability",),
    "RsM": ("restricted-manoeuvrability",),
    "LM": ("limited-manoeuvrability",),
    "Org": ("organised",),
    "Den": ("deny-capability",),
}
"""Names of abilities as the rulebook prints them, where ours are others."""
WORKS_ON = "4"
MAX_LENGTH = 8
"""Tokens of the longest word: "Fires every other turn" has four, a custom ability as well."""
SCATTERS = "scatters"
SEPARATE = "separate"
KEY_OF = {code: key for key, codes in KEYS.items() for code in codes}
"""The key of the variants of an ability."""
_LENGTH = re.compile(r"([mr]\d{1,4})cm")
_PERCENT = re.compile(r"([+-]?\d{1,7}(?:[.,]\d+)?(?:e[+-]?\d{1,3})?)%?")


def _ability(label: str, **modifier: Any) -> WordMeaning:
    return WordMeaning(label, (Setting(ABILITIES, modifier, True),))


def _variant(row: Capability, argument: Argument) -> Any:
    """The value of the key of an ability's variants. Raises `InvalidArgument`."""
    key = KEY_OF[row.code]
    if key in ("count", "turns"):
        return integer(argument)
    if key == "denies":
        return argument.text if argument.quoted else named_value(argument, _DENIED)
    if key == "form":
        return named_value(argument, {form: form for form in FORMS[row.code]})
    allowed = SCATTERS if key == "scatters" else WORKS_ON
    if not allowed.startswith(argument.folded.removesuffix("+")):
        raise InvalidArgument(_("“{text}” is not known here").format(text=argument.text), (allowed,))
    return True if key == "scatters" else int(WORKS_ON)


def _ability_word(row: Capability) -> Word:
    def read_argument(argument: Argument) -> tuple[WordMeaning, ...]:
        label = join((row.name, argument.text), " ")
        return (_ability(label, code=row.code, **{KEY_OF[row.code]: _variant(row, argument)}),)

    key = KEY_OF.get(row.code, "")
    arguments = {"count": "2", "turns": "5", "denies": "IF", "scatters": SCATTERS, "on": WORKS_ON, "": ""}
    return Word(
        row.name,
        (row.code,),
        (_slug(row),),
        (_ability(row.name, code=row.code),),
        read_argument if key else None,
        number_pattern=UNSIGNED if key in ("count", "turns", "on") else "",
        is_ability=True,
        argument=" ".join(FORMS[row.code]) if key == "form" else arguments[key],
        nouns=PRINTED.get(row.code, ()),
    )


def _slug(row: Capability) -> str:
    return row.name.lower().replace(" ", "-")


_DENIED = {spelling: row.code for row in CAPABILITIES.values() for spelling in (row.code.lower(), _slug(row))}
"""The abilities that can be denied, by code and by name."""


def _words() -> Iterator[Word]:
    for (key, name), letter in zip(STATS.items(), STAT_LETTERS, strict=True):
        nothing = None if key in NONE else 0
        names = (key.replace("_", "-"), *ALIASES.get(key, ()))
        yield number_word(key, name, letter, names=names, none=NONE.get(key, ("-",)), nothing=nothing)
    for kind, name in KINDS.items():
        yield choice_word("kind", kind, name, kind, *ABBREVIATIONS.get(kind, ()), nouns=NOUNS.get(kind, (kind,)))
    yield choice_word("morale", None, _("Fearless"), "fearless")
    yield choice_word("command", True, LABELS["command"], "command")
    yield from map(_ability_word, CAPABILITIES.values())
    yield Word(_("Custom ability"), names=("custom",), argument=SEPARATE)

    def unknown(argument: Argument) -> tuple[WordMeaning, ...]:
        return (_ability(argument.text, code=argument.text),)

    yield Word(LABELS[ABILITIES], names=("ability",), read_argument=unknown, argument='"…"')


class ElementGrammar(Grammar):
    """The words of an element."""

    options = (ABILITIES,)
    describing = frozenset(("kind", "command", ABILITIES))
    example = "6 inf M10 TH4 R20 P2 A1 Mo4 Rifles"

    def read_phrase(self, tokens: Sequence[Token], index: int, phrases: Sequence[Phrase]) -> tuple[Phrase, int] | None:
        """Also custom and waived abilities."""
        token = tokens[index]
        if token.head in ("deny", "denies") and not token.argument and (denied := _denied(tokens, index)):
            return denied
        if not token.head.startswith("~"):
            return self._custom(tokens, index) if token.head == "custom" else self._read_length(tokens, index)
        if token.head.startswith("~~"):
            return None
        rest = [token._replace(head=token.head[1:]), *tokens[index + 1 : index + MAX_LENGTH]]
        waived = self.read_phrase(rest, 0, phrases)
        if not waived or not all(each.key == ABILITIES for sense in waived[0].senses for each in sense.settings):
            return None
        senses = tuple(
            _ability(_("{ability}, waived").format(ability=sense.label), **sense.settings[0].value, waived=True)
            for sense in waived[0].senses
        )
        return waived[0]._replace(senses=senses, kind="bad" if waived[0].error else "keyed"), waived[1]

    def _read_length(self, tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
        """A word; a length also with its unit, as pages print it: "R20cm"."""
        length = _LENGTH.fullmatch(tokens[index].head)
        return self.read_word(*(([tokens[index]._replace(head=length[1])], 0) if length else (tokens, index)))

    def usual(self, element: Element) -> tuple[str, Element] | None:
        """Fearless is the most expensive morale, and what an element has without Mo."""
        if element.morale is not None:
            return None
        message = _("Fearless (no Mo): {each} points each. With Mo 4+: {other}.")
        return message, element.replace(morale=4)

    def remark(self, element: Element) -> str:
        """What is made to move has usually been forgotten to."""
        return "" if element.movement or element.kind in IMMOBILE else _("Movement 0\u00a0cm")

    def lacking(self, element: Element, keys: frozenset[str]) -> tuple[str, tuple[Suggestion, ...]] | None:
        """To hit of what has a range or a power: without it there would be no attack, and it would cost nothing."""
        if "to_hit" in keys or not keys & {"range", "power"}:
            return None
        message = _("{stat} is missing, so there is no attack. Add it, such as TH4.").format(stat=STATS["to_hit"])
        words = (Suggestion(join((STATS["to_hit"], f"{number}+"), " "), f"TH{number}") for number in (3, 4, 5))
        return message, (*words, Suggestion(_("No attack"), "TH-"))

    def _custom(self, tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
        """``custom "Larger blast" +75%``; with ``custom:separate`` the percentage multiplies."""
        word, name = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else None
        if not name or name.head or not name.argument or (word.argument and word.argument.folded != SEPARATE):
            return None
        percent = _PERCENT.fullmatch(tokens[index + 2].head) if index + 2 < len(tokens) else None
        if not percent:
            message = _("A percentage such as +25% must follow the name of a custom ability")
            error = LineError(word.start, name.end, message, ("+25%",))
            return Phrase(word.start, name.end, "bad", error=error), 2
        number = float(percent[1].replace(",", "."))
        value = int(number) if number.is_integer() else number
        modifier = {"custom": name.argument.text, "percent": value}
        if word.argument:
            modifier[SEPARATE] = True
        last = 4 if index + 3 < len(tokens) and tokens[index + 3].head == "%" else 3
        label = join((name.argument.text, percent[0]), " ")
        return Phrase(word.start, tokens[index + last - 1].end, "keyed", (_ability(label, **modifier),)), last

    def write_options(self, element: Element) -> Iterator[str]:
        return map(_write_ability, element.capabilities)

    def write(self, element: Element) -> Iterator[str]:
        stats = [*_write_stats(element)]
        kind = [] if element.kind == "other" else [element.kind]
        words = [*kind, *(["command"] if element.command else []), *stats, *self.write_options(element)]
        yield from words or ["M0"]


def _denied(tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
    """An ability that is denied, as its examples have it: "deny charge"."""
    for used in (4, 3, 2, 1):
        names = tokens[index + 1 : index + 1 + used]
        code = _DENIED.get("-".join(each.head for each in names))
        if code and not any(each.argument for each in names):
            label = join((CAPABILITIES[DENY].name, CAPABILITIES[code].name), " ")
            return Phrase(
                tokens[index].start, names[-1].end, "ability", (_ability(label, code=DENY, denies=code),)
            ), used + 1
    return None


def _write_stats(element: Element) -> Iterator[str]:
    for key, letter in zip(STATS, STAT_LETTERS, strict=True):
        value = getattr(element, key)
        is_required = key == "to_hit" and (element.range or element.power)  # then "TH-" says that there is no attack
        if is_required or value != Element.model_fields[key].default:
            number = "-" if value is None else value
            yield f'{letter}:"{value}"' if str(value) in NONE.get(key, ()) else f"{letter}{number}"


def _write_ability(modifier: Modifier) -> str:
    waived = "~" if modifier.waived else ""
    if modifier.custom is not None:
        separate = f":{SEPARATE}" if modifier.separate else ""
        return f"{waived}custom{separate} {quote(modifier.custom)} {modifier.percent:+}%"
    code = modifier.code or ""
    if code not in CAPABILITIES:
        return f"{waived}ability:{quote(code)}"
    value = getattr(modifier, KEY_OF[code]) if code in KEY_OF else None
    if value is None or value is False:
        return f"{waived}{code}"
    if code == DENY:
        return f"{waived}{code}:{value if value in CAPABILITIES else quote(value)}"
    if KEY_OF[code] == "count" and value >= 0:
        return f"{waived}{code}{value}"
    return f"{waived}{code}:{SCATTERS if value is True else value}"


GRAMMAR = ElementGrammar(Element, _words())
