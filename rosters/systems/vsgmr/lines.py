"""The quick-add grammar of VSGMR: ``3 troop distance heavy automatic support:armor Guard``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rosters.core.grammar import (
    Argument,
    Grammar,
    Phrase,
    ProfileData,
    Setting,
    Token,
    Word,
    WordMeaning,
    choice_word,
    key_word,
    named_value,
    one_of,
    quote,
)
from rosters.core.messages import _
from rosters.systems.vsgmr.rules import (
    ALIAS_NAMES,
    ARMOR_NAMES,
    GUYS,
    KIND_NAMES,
    LABELS,
    MOUNTS,
    POWER_NAMES,
    POWERS,
    SUPPORT_NAMES,
    TIER_NAMES,
    TRAITS,
    Element,
    power_name,
    trait_name,
)

FLAGS: Mapping[str, tuple[str, ...]] = {
    "commander": ("commander",),
    "distance": ("distance", "distance-attack", "gun", "guns", "rifle", "rifles", "pistol", "pistols", "bow", "bows"),
    "automatic_fire": ("automatic", "automatic-fire"),
    "large": ("large",),
}
"""What a figure has or has not, and how it is written."""
NOUNS: Mapping[str, Sequence[str]] = {
    "mook": ("minion", "henchman", "henchmen", "thug", "goon"),
    "troop": ("soldier", "trooper"),
    "hero": ("champion", "heroes", "villain", "superhero", "supervillain"),
    "cavalry": ("horseman", "horsemen", "rider"),
    "vehicle": ("car", "truck", "jeep", "tank", "motorcycle", "motorbike"),
}
"""Plain words for the kinds of figure."""
TIERS = {tier: tier for tier in TIER_NAMES} | {f"d{power.die}": tier for (_slug, tier), power in POWERS.items()}
"""The tier of a super power by its name and by its die."""
POWER = "powers."
"""The settings of super powers: this and the code of the power; the value is its tier."""
SUPPORT = "support"


def _power(slug: str, tier: str) -> WordMeaning:
    return WordMeaning(power_name(slug, tier), (Setting(POWER + slug, tier),))


def _power_word(slug: str) -> Word:
    def read_argument(argument: Argument) -> tuple[WordMeaning, ...]:
        return (_power(slug, named_value(argument, TIERS)),)

    senses = tuple(_power(slug, tier) for tier in TIER_NAMES)
    return Word(
        POWER_NAMES[slug],
        names=(slug, slug.replace("-", "")),
        senses=senses,
        read_argument=read_argument,
        is_ability=True,
        argument=" ".join(TIER_NAMES),
    )


def _trait_word(slug: str, *codes: str) -> Word:
    trait = Setting("traits", slug, True)

    def read_argument(argument: Argument) -> tuple[WordMeaning, ...]:
        roll = named_value(argument, {roll: roll for roll in SUPPORT_NAMES})
        return (WordMeaning(trait_name(slug, roll), (trait, Setting(SUPPORT, roll))),)

    word = Word(trait_name(slug), codes, (slug,), (WordMeaning(trait_name(slug), (trait,)),), is_ability=True)
    return word._replace(read_argument=read_argument, argument=" ".join(SUPPORT_NAMES)) if slug == SUPPORT else word


def _words() -> Iterator[Word]:
    for kind, name in KIND_NAMES.items():
        yield choice_word("kind", kind, name, kind, nouns=(kind, *NOUNS[kind]))
    guys = tuple(WordMeaning(KIND_NAMES[kind], (Setting("kind", kind),)) for kind in GUYS)
    yield Word(_("Guy"), names=("guy",), senses=guys, nouns=("guy",))
    yield from (choice_word(key, True, LABELS[key], *names) for key, names in FLAGS.items())
    for armor, name in ARMOR_NAMES.items():
        yield choice_word("armor", armor, name, armor, f"{armor}-armor", f"{armor}-armour")
    yield from (_trait_word(trait.code, trait.abbreviation) for trait in TRAITS.values())
    yield from map(_trait_word, ALIAS_NAMES)
    yield from map(_power_word, POWER_NAMES)
    for (slug, tier), power in POWERS.items():
        yield Word(power_name(slug, tier), (power.abbreviation,), senses=(_power(slug, tier),))
    yield key_word("kind", LABELS["kind"], "kind", {kind: kind for kind in KIND_NAMES})
    in_full = key_word("armor", LABELS["armor"], "armor", {armor: armor for armor in ARMOR_NAMES})
    suits = tuple(WordMeaning(name, (Setting("armor", armor),)) for armor, name in ARMOR_NAMES.items())
    yield in_full._replace(names=("armor", "armour"), senses=suits)
    yield key_word("traits", LABELS["traits"], "trait", {trait: trait for trait in TRAITS}, appends=True)
    yield key_word("support", LABELS["support"], "rolls", {roll: roll for roll in SUPPORT_NAMES})


def _is_tier(sense: WordMeaning, tier: str) -> bool:
    return sense.settings[0].key.startswith(POWER) and sense.settings[0].value == tier


NOUNS_BEHIND = {"kind": (["guy"], ["guys"]), "traits": (["trait"],), POWER: (["super", "power"], ["power"])}
"""What follows words in the rulebook's armies: "troop guy", "Tough trait", "Super-Fight super power"."""


def _noun_behind(phrase: Phrase, tokens: Sequence[Token]) -> int:
    """The number of tokens behind a word that say again what it is."""
    nouns = next(
        (nouns for key, nouns in NOUNS_BEHIND.items() if any(each.startswith(key) for each in phrase.keys)), ()
    )
    return next((len(noun) for noun in nouns if [each.head for each in tokens[: len(noun)]] == noun), 0)


class FigureGrammar(Grammar):
    """The words of a figure."""

    options = (*FLAGS, "traits", SUPPORT, "powers")
    example = 'hero gun sniper "Captain Tide"'
    required = "kind"
    implied = {"commander": "hero"}  # as in the rulebook's own armies

    def read_phrase(self, tokens: Sequence[Token], index: int, phrases: Sequence[Phrase]) -> tuple[Phrase, int] | None:
        """A super power with its tier behind it; an unknown one as ``power:"…" tier:"…"``; else a word."""
        token, following = tokens[index], tokens[index + 1 : index + 2]
        tier = following[0].argument if following and following[0].head == "tier" else None
        if token.head == "power" and token.argument and tier:
            return Phrase(token.start, tier.end, "keyed", (_power(token.argument.text, tier.text),)), 2
        read = self.read_word(tokens, index)
        if token.head in TIER_NAMES and following and not token.argument:
            power = self.read_phrase(tokens, index + 1, phrases)
            senses = tuple(sense for sense in power[0].senses if _is_tier(sense, token.head)) if power else ()
            if power and len(senses) == 1 and len(power[0].senses) > 1:
                return power[0]._replace(start=token.start, senses=senses), power[1] + 1
        if read and (noun := _noun_behind(read[0], tokens[index + read[1] :])):
            return read[0]._replace(end=tokens[index + read[1] + noun - 1].end), read[1] + noun
        if read and len(read[0].senses) == len(TIER_NAMES) and read[0].senses[0].settings[0].key.startswith(POWER):
            last = tokens[index + read[1] : index + read[1] + 1]
            spelling = one_of(last[0].head, TIERS) if last and not last[0].argument else None
            tier_code = TIERS[spelling] if spelling else None
            senses = tuple(sense for sense in read[0].senses if sense.settings[0].value == tier_code)
            if senses:
                return read[0]._replace(end=last[0].end, senses=senses), read[1] + 1
        return read

    def allows(self, kind: Any, setting: Setting) -> bool:
        guys = setting.key in ("commander", f"{POWER}super-skill")
        mounts = setting.key == "large" or (setting.key == "traits" and setting.value == "independent")
        return not (guys and kind in MOUNTS) and not (mounts and kind in GUYS)

    def build(self, forms: Sequence[ProfileData]) -> Iterable[tuple[str, ProfileData]]:
        powers = {key.removeprefix(POWER): tier for key, tier in forms[0].items() if key.startswith(POWER)}
        rest = {key: value for key, value in forms[0].items() if not key.startswith(POWER)}
        return (("", {**rest, **({"powers": powers} if powers else {})}),)

    def write(self, element: Element) -> Iterator[str]:
        yield element.kind if element.kind in KIND_NAMES else f"kind:{quote(element.kind)}"
        if element.armor is not None:
            yield element.armor if element.armor in ARMOR_NAMES else f"armor:{quote(element.armor)}"
        yield from self.write_options(element)

    def write_options(self, element: Element) -> Iterator[str]:
        yield from (names[0] for key, names in FLAGS.items() if getattr(element, key))
        first = element.traits.index(SUPPORT) if SUPPORT in element.traits else -1
        for number, slug in enumerate(element.traits):
            known = slug if slug in (*TRAITS, *ALIAS_NAMES) else f"trait:{quote(slug)}"
            yield f"{known}:{element.support}" if number == first and element.support else known
        if element.support and first < 0:
            yield f"rolls:{element.support}"
        for slug, tier in element.powers.items():
            yield f"{slug} {tier}" if (slug, tier) in POWERS else f"power:{quote(slug)} tier:{quote(tier)}"


GRAMMAR = FigureGrammar(Element, _words())
