"""The quick-add grammar of 6MM: ``6 MSK +1 Line infantry``, ``2 CAV/U or INF/U Dragoons``.

After ``or`` comes an alternate stand with words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rosters.core.grammar import (
    Grammar,
    LineError,
    Phrase,
    ProfileData,
    Setting,
    Token,
    Word,
    WordMeaning,
    choice_word,
    key_word,
    number_word,
    quote,
    spelled,
)
from rosters.core.messages import _, join
from rosters.systems.six_mm.rules import GUNNED, LABELS, MODERN, SOFT, Alternate, Element, Stats, signed
from rosters.systems.six_mm.tables import (
    ARMOUR,
    GENERALS,
    GUNS,
    ORDNANCE,
    PURCHASES,
    QUALITY,
    TRANSPORT,
    TYPES,
    Gun,
    StandOption,
)

CHOICES: Mapping[str, Mapping[str, StandOption | Gun]] = {
    "armour": ARMOUR,
    "quality": QUALITY,
    "general": GENERALS,
    "gun": GUNS,
    "ordnance": ORDNANCE,
}
AS_SHOWN = {"armour": "armor", "general": "general"}
"""What follows a choice where a stand is described: "superior general"."""
FLAGS: Mapping[str, tuple[str, ...]] = {
    "post_1906": ("post-1906", "after-1906"),
    "elephant": ("elephants",),
    "guided": ("guided", "guided-weapons"),
    "off_board": ("off-board", "off-the-board"),
    "horse": ("horse-artillery",),
}
"""What a stand has or has not, and how it is written."""
ALLOWED: Mapping[str, Sequence[str]] = {
    "armour": ("TNK",),
    "gun": GUNNED,
    "ordnance": ("AIR",),
    "post_1906": MODERN,
    "guided": MODERN,
    "elephant": ("PKE",),
    "off_board": ("ART",),
    "horse": ("ART",),
}
"""The types that can have what a key sets; all of them if it is not listed."""
NOUNS: Mapping[str, Sequence[str]] = {
    "PKE": ("pike", "pikeman", "pikemen", "phalanx"),
    "ARC": ("archer", "bow", "bowman", "bowmen", "longbow", "longbowmen", "crossbow"),
    "MSK": ("musket", "musketeer", "rifle", "rifleman", "riflemen", "fusilier"),
    "SKI/F": ("foot-skirmisher",),
    "SKI/M": ("horse-skirmisher",),
    "CAV/A": ("heavy-cavalry", "knight", "cuirassier"),
    "CAV/U": ("dragoon", "camelry"),
    "WBD": ("warband", "warrior", "tribesman", "tribesmen"),
    "SKI/S": ("mortar", "machine-gun"),
    "ART": ("artillery", "arty", "cannon", "gun", "battery", "howitzer", "catapult"),
    "TNK": ("tank",),
    "AIR": ("aircraft", "airplane", "aeroplane", "plane", "helicopter"),
    "WORKS": ("trench", "trenches", "entrenchment", "earthwork"),
}
"""Plain words for the types of stand."""
NOUNS_OF_SEVERAL: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    _("Infantry"): (
        ("INF/U", "INF/A"),
        ("infantry", "foot", "infantryman", "infantrymen", "spearman", "spearmen", "swordsman", "swordsmen"),
    ),
    _("Cavalry"): (
        ("CAV/U", "CAV/A"),
        ("cavalry", "horseman", "horsemen", "cavalryman", "cavalrymen", "lancer", "hussar"),
    ),
    _("Skirmishers"): (("SKI/F", "SKI/M"), ("skirmisher",)),
}
"""Plain words that ask which type of stand is meant."""
CHIEF = "c-in-c"
"""The general, as players write him."""
_GENERAL_IN_BRACKETS = ("(gen)", "(general)", f"({CHIEF})")
_RATED_AS_QUALITY = {"average": "competent", "poor": "inferior"}
"""Generals as the rulebook's armies rate them, "(General - Average)"."""
_TYPES_IN_BRACKETS = {f"{first}{code.lower()}{last}" for code in TYPES for first, last in ("()", "[]")}
"""The type behind the name, as in lists of players: "Line infantry (MSK)"."""
CALIBERS = ((79, "breech-loader-79"), (130, "breech-loader-130"), (999, "breech-loader-heavy"))
"""The breech-loader of a caliber, up to so many millimeters."""
POOL = WordMeaning(PURCHASES["TRANSPORT"].name, (Setting("type", "TRANSPORT"),))
SOFT_TRANSPORT = WordMeaning(TRANSPORT["soft"], (Setting("transport", "soft"),))
_AGREED = re.compile(r"[+-]\d{1,7}")
_OLDER_AGREED = re.compile(r'("[^"]*")|(?<!\S)([+\-\u2212][2-9])(?!\S)')
"""A quoted name, or a special trait beyond one as exports wrote it before they had a word for it."""


def _initials(code: str) -> tuple[str, ...]:
    """The short form of a code of several parts: "bl79" for "breech-loader-79"."""
    parts = code.split("-")
    return ("".join(part if part.isdigit() else part[0] for part in parts),) if len(parts) > 1 else ()


def _words() -> Iterator[Word]:
    """All words: types and what they are called, then each setting by its value alone and by its name with a value."""
    for code, kind in TYPES.items():
        yield choice_word("type", code, kind.name, codes=(code,), nouns=NOUNS.get(code, ()))
    for label, (codes, nouns) in NOUNS_OF_SEVERAL.items():
        senses = tuple(WordMeaning(TYPES[code].name, (Setting("type", code),)) for code in codes)
        yield Word(label, senses=senses, nouns=tuple(nouns))
    yield choice_word("type", "WORKS", PURCHASES["WORKS"].name, "works", nouns=NOUNS["WORKS"])
    transport = key_word("transport", LABELS["transport"], "transport", {code: code for code in TRANSPORT})
    yield transport._replace(label=POOL.label, senses=(POOL,), nouns=("transport",))
    for key, table in CHOICES.items():
        for code in table:
            label = LABELS[f"{key}-{code}"]
            yield choice_word(key, code, label, code, *_initials(code), spelled(f"{label} {AS_SHOWN.get(key, '')}"))
        in_full = key_word(key, LABELS[key], key, {code: code for code in table})
        ratings = tuple(WordMeaning(LABELS[f"general-{code}"], (Setting("general", code),)) for code in GENERALS)
        in_full = in_full._replace(names=("armor", key)) if key == "armour" else in_full
        yield in_full._replace(names=(key, CHIEF), senses=ratings) if key == "general" else in_full
    for code, name in TRANSPORT.items():
        yield choice_word("transport", code, name, code, f"{code if code != 'none' else 'no'}-transport")
    yield from (choice_word(key, True, LABELS[key], *names) for key, names in FLAGS.items())
    yield number_word("agreed", LABELS["agreed"], names=("special-trait",))._replace(argument="+1")
    yield key_word("type", LABELS["type"], "type", {code.lower(): code for code in (*TYPES, *PURCHASES)})


class StandGrammar(Grammar):
    """The words of a stand."""

    options = (*(key for key in CHOICES if key != "quality"), "agreed", *FLAGS, "transport")
    example = "6 muskets good Line infantry"
    required = "type"
    implied = {"elephant": "PKE"}
    common_types = ("INF/U", "CAV/U", "SKI/F")
    synonyms = (
        *("arty", "bow", "bowman", "bowmen", "foot", "gun", "horseman", "horsemen"),
        *("heavy-cavalry", "foot-skirmisher", "horse-skirmisher"),
    )

    def read_phrase(self, tokens: Sequence[Token], index: int, phrases: Sequence[Phrase]) -> tuple[Phrase, int] | None:
        """Also a special trait, "+1", a general "gen sup", a gun "88 mm", and an alternate stand. ``transport`` after a
        type is soft transport.
        """
        token = tokens[index]
        if _AGREED.fullmatch(token.head):
            if abs(int(token.head)) > 1:
                error = LineError(token.start, token.end, _("A special trait is −1 or +1"), ("-1", "+1"))
                return Phrase(token.start, token.end, "bad", error=error), 1
            label = join((LABELS["agreed"], signed(int(token.head))), " ")
            senses = (WordMeaning(label, (Setting("agreed", int(token.head)),)),)
            return Phrase(token.start, token.end, "number", senses), 1
        if token.head == "or" and _has_type(phrases) and (alternate := self._alternate(tokens, index)):
            return alternate
        if special := _rated_general(tokens, index) or _caliber(tokens, index):
            return special
        if token.head == "horse" and not _has_type(phrases):  # "horse artillery": the second word is the type
            tokens = tokens[: index + 1]
        if token.head in _GENERAL_IN_BRACKETS or (token.head in _TYPES_IN_BRACKETS and not _has_type(phrases)):
            tokens = [*tokens[:index], token._replace(head=token.head[1:-1])]
        read = self.read_word(tokens, index)
        if read and read[0].senses == (POOL,) and _has_type(phrases):
            return read[0]._replace(senses=(SOFT_TRANSPORT,)), read[1]
        return read

    def update_line(self, line: str) -> str:
        return _OLDER_AGREED.sub(lambda match: match[1] or f"special-trait:{match[2]}", line)

    def _alternate(self, tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
        """ "or INF/U" and "or 2 SKI/F"; None if no type follows."""
        following = tokens[index + 1 : index + 2]
        counted = bool(following) and bool(re.fullmatch(r"\d{1,5}", following[0].head))
        read = self.read_word(tokens, index + 1 + counted) if index + 1 + counted < len(tokens) else None
        code = _type_of(read[0]) if read else None
        if not read or code is None:
            return None
        settings = (Setting("type", code), *([Setting("quantity", int(following[0].head))] if counted else []))
        sense = WordMeaning(_("or {stand}").format(stand=read[0].senses[0].label), settings)
        return Phrase(tokens[index].start, read[0].end, "code", (sense,), starts_form=True), 1 + counted + read[1]

    def allows(self, kind: Any, setting: Setting) -> bool:
        if kind in PURCHASES:
            return False
        if kind not in TYPES:
            return True
        if setting.key == "transport":
            return kind == "ART" or (setting.value == "soft" and kind in SOFT)
        return kind in ALLOWED.get(setting.key, TYPES)

    def build(self, forms: Sequence[ProfileData]) -> Iterable[tuple[str, ProfileData]]:
        """Words behind the last of several types may be meant for all of them."""
        *first, last = forms
        own = {key: value for key, value in last.items() if key not in ("type", "quantity")}
        own_to_all = [
            {**form, **{key: value for key, value in own.items() if self.allows(form.get("type"), Setting(key, value))}}
            for form in first
        ]
        if own_to_all == first or any(form.keys() - {"type", "quantity"} for form in first):
            yield "", _profile(forms)
        else:
            yield _("for {type} alone").format(type=last["type"]), _profile(forms)
            yield _("for each type"), _profile([*own_to_all, last])

    def write_options(self, element: Element) -> Iterator[str]:
        return _write_stats(element, but="quality")

    def write(self, element: Element) -> Iterator[str]:
        forms: tuple[Stats, ...] = (element, *element.duplicates)
        words = [[*_write_stats(form)] for form in forms]
        if len(forms) > 1 and not any(words[:-1]) and words[-1]:
            words[0] = ["average"]
        for form, rest in zip(forms, words, strict=True):
            if isinstance(form, Alternate):
                yield "or" if form.quantity == 1 else f"or {form.quantity}"
            code = form.type.lower() if form.type in PURCHASES else form.type
            yield code if form.type in (*TYPES, *PURCHASES) else f"type:{quote(form.type)}"
            yield from rest


def _type_of(phrase: Phrase) -> str | None:
    """The type that a phrase sets."""
    return next((setting.value for setting in phrase.settings if setting.key == "type"), None)


def _has_type(phrases: Sequence[Phrase]) -> bool:
    return any(_type_of(phrase) is not None for phrase in phrases)


def _rated_general(tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
    """ "gen sup", "sup gen", "(Gen - Sup)": beside the other, both are understood from their first letters. "inf" may
    also be infantry, so that a type has to stand somewhere else.
    """
    used = 3 if [each.head for each in tokens[index + 1 : index + 2]] == ["-"] else 2
    pair = tokens[index : index + used : used - 1]
    first, last = (each.head for each in pair) if len(pair) == 2 else ("", "")
    if first.startswith("(") and last.endswith(")"):
        first, last = first[1:], last[:-1]
    if min(len(first), len(last)) < 3 or any(each.argument for each in pair):
        return None
    for general, rating in ((first, last), (last, first)):
        known = {code: code for code in GENERALS} | (_RATED_AS_QUALITY if used == 3 else {})
        code = next((code for word, code in known.items() if word.startswith(rating)), None)
        if code and any(word.startswith(general) for word in ("general", CHIEF)):
            others = (*tokens[:index], *tokens[index + used :])
            if "infantry".startswith(rating) and not any(each.head.upper() in TYPES for each in others):
                return None
            sense = WordMeaning(LABELS[f"general-{code}"], (Setting("general", code),))
            return Phrase(pair[0].start, pair[1].end, "choice", (sense,)), used
    return None


def _caliber(tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
    """ "88mm" and "88 mm", a breech-loader (table 6)."""
    parts = [each.head for each in tokens[index : index + 2]]
    used = 2 if parts[1:] == ["mm"] else 1
    match = re.fullmatch(r"(\d{1,3})mm", "".join(parts[:used]))
    if not match:
        return None
    gun = next(code for most, code in CALIBERS if int(match[1]) <= most)
    sense = WordMeaning(LABELS[f"gun-{gun}"], (Setting("gun", gun),))
    return Phrase(tokens[index].start, tokens[index + used - 1].end, "code", (sense,)), used


def _profile(forms: Sequence[ProfileData]) -> ProfileData:
    return {**forms[0], **({"duplicates": [*forms[1:]]} if len(forms) > 1 else {})}


def _write_stats(form: Stats, but: str = "") -> Iterator[str]:
    for key, table in CHOICES.items():
        if key == but:
            continue
        value = getattr(form, key)
        if value is not None and value != Stats.model_fields[key].default:
            yield value if value in table else f"{key}:{quote(value)}"
    if form.agreed:
        yield f"{form.agreed:+}" if abs(form.agreed) == 1 else f"special-trait:{form.agreed}"
    yield from (names[0] for key, names in FLAGS.items() if getattr(form, key))
    yield from ([form.transport] if form.transport else [])


GRAMMAR = StandGrammar(Element, _words())
