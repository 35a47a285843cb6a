"""The grammar of quick add: its words, and a line of text as words, names and quotations.

Each system declares its words in ``lines.py``; `rosters.core.lines` makes elements of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from rapidfuzz import fuzz, process

from rosters.core.documents import Element
from rosters.core.messages import _, join

MAX_PHRASES = 400
"""Words of a line, far beyond any element in play."""
MIN_PREFIX = 2
CLOSE = 75
"""The similarity in percent from which a misspelled word may be another one."""
CLOSE_VALUE = 60
"""That of an argument, which is one of few values."""
MAX_NEAR = 3
MAX_SLASHED = 12
"""Words with slashes between them."""
MAX_SPELLED = 20
"""Letters of a word that may be misspelled."""
SMALL_WORDS = frozenset(("and", "at", "bo", "by", "in", "of", "on", "the", "to"))
"""Words of names, "Lord of the North", that abbreviate none of a game's, off-board."""

# ---------------------------------------------------------------- faults


class Suggestion(NamedTuple):
    """A word to put into a line: its label, a Message, as forms and the list of words have it, and how it is typed."""

    label: str
    text: str


class LineError(NamedTuple):
    """A part of the line that cannot be read: the reason as a Message, what is expected there, ``missing`` words one of
    which completes the line, and ``near`` ones, one of which may be meant instead.
    """

    start: int
    end: int
    message: str
    expected: tuple[str, ...] = ()
    missing: tuple[Suggestion, ...] = ()
    near: tuple[Suggestion, ...] = ()


class InvalidArgument(Exception):
    """An invalid argument of a word: the reason, and what is expected."""

    def __init__(self, message: str, expected: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message, self.expected = message, tuple(expected)


class IndescribableElement(Exception):
    """An element that no line can describe; its text is a Message."""


# ---------------------------------------------------------------- grammars


class Setting(NamedTuple):
    """What a word does to the profile: it sets a key to a value, or ``appends`` the value to the key's list."""

    key: str
    value: Any
    appends: bool = False


class WordMeaning(NamedTuple):
    """A meaning of a word: its name, a Message, and what it sets."""

    label: str
    settings: tuple[Setting, ...]


class Argument(NamedTuple):
    """What follows the colon of a word, or a number that follows it at once. Quoted text is taken as it is."""

    text: str
    folded: str
    quoted: bool
    start: int
    end: int


class Word(NamedTuple):
    """A word of a grammar.

    ``codes`` and ``names`` are its spellings, the first of all the main one; each may be shortened to any unique
    prefix, unless the word always needs a colon. ``senses`` are what it means on its own: with several, the user
    selects one; with none, the word needs an argument. ``read_argument`` may raise `InvalidArgument`.
    ``number_pattern`` matches the numbers that may follow without a colon ("E3"). A word that ``is_ability`` costs
    points and may be meant as part of a name.
    """

    label: str
    codes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    senses: tuple[WordMeaning, ...] = ()
    read_argument: Callable[[Argument], tuple[WordMeaning, ...]] | None = None
    number_pattern: str = ""
    is_ability: bool = False
    argument: str = ""
    nouns: tuple[str, ...] = ()

    @property
    def kind(self) -> WordKind:
        """What kind of word its names are."""
        return "ability" if self.is_ability else "choice"

    @property
    def is_stat(self) -> bool:
        """Whether it needs a number."""
        return bool(self.number_pattern) and not self.senses

    @property
    def main_spelling(self) -> str:
        """The spelling that help shows."""
        return (*self.codes, *self.names, *self.nouns)[0]


class Token(NamedTuple):
    """A part of a line between spaces and commas: a word with its argument, or a quoted text (``head`` is "")."""

    start: int
    end: int
    head: str
    argument: Argument | None


WordKind = Literal["text", "quoted", "code", "number", "choice", "noun", "ability", "keyed", "bad"]
"""What kind of word a phrase is. "text" is not a word of the grammar. A "keyed" one has a colon and is never part of a
name; a "noun" gives the type and may be part of the name as well.
"""


class Phrase(NamedTuple):
    """One or more tokens that belong together. With one that ``starts_form``, the words of another form of the element
    begin.
    """

    start: int
    end: int
    kind: WordKind
    senses: tuple[WordMeaning, ...] = ()
    error: LineError | None = None
    starts_form: bool = False
    text: str = ""

    @property
    def is_word(self) -> bool:
        return self.kind in ("code", "number", "choice", "noun", "ability", "keyed")

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What it sets in every parse: nothing if it has several senses."""
        return self.senses[0].settings if len(self.senses) == 1 else ()

    @property
    def possible_settings(self) -> tuple[Setting, ...]:
        """What it sets in any of its senses."""
        if len(self.senses) == 1:
            return self.senses[0].settings
        return tuple(setting for sense in self.senses for setting in sense.settings)

    @property
    def keys(self) -> frozenset[str]:
        """The keys that it may set."""
        return frozenset(setting.key for setting in self.possible_settings)


ProfileData = dict[str, Any]
"""A profile, or one form of it, as document data."""


class Grammar:
    """The grammar of a game. Its systems have subclasses: `write` gives the words of an element.

    ``required`` is the key of the type that an element needs, "" for none; ``example`` is a line. ``options`` are the
    keys of what an element may have besides its stats, in one cell of the roster's table. ``common_types`` are what a
    word of several types usually means: "cavalry".
    """

    required = example = ""
    options: tuple[str, ...] = ()
    common_types: tuple[Any, ...] = ()
    synonyms: tuple[str, ...] = ()
    """Nouns that say no more than their types, besides forms of their labels."""
    describing: frozenset[str] = frozenset()
    """Keys that say what an element is, and nothing of its stats: with these alone it would have none."""
    implied: Mapping[str, Any] = {}
    """The type that a line has if it sets a key and gives none."""

    def __init__(self, element: type[Element], words: Iterable[Word]) -> None:
        self.element, self.words = element, tuple(words)

    def write(self, element: Any) -> Iterator[str]:
        """The words of an element, at least one. Raises `IndescribableElement`."""
        raise NotImplementedError

    def write_options(self, element: Any) -> Iterator[str]:
        """The words of the options of an element."""
        raise NotImplementedError

    def read_phrase(self, tokens: Sequence[Token], index: int, phrases: Sequence[Phrase]) -> tuple[Phrase, int] | None:
        """The phrase that begins at a token, and its number of tokens, or None. ``phrases`` precede it."""
        return self.read_word(tokens, index)

    def update_line(self, line: str) -> str:
        """A line of an older export, as it is written now."""
        return line

    def usual(self, element: Any) -> tuple[str, Any] | None:
        """What costs points although a line did not say it, as a Message with the price of ``each`` and that of the
        ``other`` element, which has the usual value.
        """
        return None

    def remark(self, element: Any) -> str:
        """What is unusual in an element, although no rule forbids it, as a Message; "" if nothing is."""
        return ""

    def allows(self, kind: Any, setting: Setting) -> bool:
        """Whether an element of this type can have what a word sets."""
        return True

    def lacking(self, element: Any, keys: frozenset[str]) -> tuple[str, tuple[Suggestion, ...]] | None:
        """What a line that sets these keys has to say as well: why, a Message, and words that complete it."""
        return None

    def build(self, forms: Sequence[ProfileData]) -> Iterable[tuple[str, ProfileData]]:
        """The profile that the settings of each form make; several, each with a label, if there is a choice."""
        return (("", forms[0]),)

    @cached_property
    def spellings(self) -> Mapping[str, tuple[Word, WordKind]]:
        """Every spelling and unique prefix, folded, with its word and what kind of word it then is."""
        owners: dict[str, set[int]] = {}
        for number, word in enumerate(self.words):
            for spelling in map(fold, (*word.codes, *word.names) if word.senses or word.number_pattern else ()):
                for length in range(MIN_PREFIX, len(spelling)):
                    owners.setdefault(spelling[:length], set()).add(number)
        unique = {prefix: self.words[min(indexes)] for prefix, indexes in owners.items() if len(indexes) == 1}
        nouns = {
            fold(noun + ending): word
            for word in self.words
            if word.nouns
            for noun in (*word.nouns, word.main_spelling)
            for ending in ("", "s")
        }
        return {
            **{
                prefix: (word, word.kind)
                for prefix, word in unique.items()
                if not (prefix[0].isdigit() or prefix in SMALL_WORDS)
            },
            **{noun: (word, word.kind if word.is_ability else "noun") for noun, word in nouns.items()},
            **{fold(code): (word, "code") for word in self.words for code in word.codes},
            **{fold(name): (word, word.kind) for word in self.words for name in word.names},
        }

    @cached_property
    def full_spellings(self) -> frozenset[str]:
        """The names that are no abbreviation."""
        return frozenset(
            {*self.phrases, *(spelled(name) for word in self.words for name in (*word.names, *word.nouns))}
        )

    @cached_property
    def _spellings(self) -> Mapping[str, tuple[Word, str]]:
        """The words by their folded names, with the name as it is shown."""
        known: dict[str, tuple[Word, str]] = {}
        for word in self.words:
            names = [name for noun in word.nouns for name in (noun, f"{noun}s")]
            names += [spelled(word.label), *word.codes, *word.names] if word.senses or word.is_stat else []
            known |= {fold(name): (word, name.replace("-", " ")) for name in names}
        return known

    @cached_property
    def shared_beginnings(self) -> Mapping[str, tuple[WordMeaning, ...]]:
        """What begins a few options alike, with what it may mean: "com" is commander or Combat Master."""
        owners: dict[str, dict[str, WordMeaning]] = {}
        for word in self.option_words:
            for spelling in map(fold, (*word.codes, *word.names)):
                for length in range(MIN_PREFIX + 1, len(spelling)):
                    owners.setdefault(spelling[:length], {})[word.main_spelling] = word.senses[0]
        return {
            text: (*senses.values(),)
            for text, senses in owners.items()
            if 1 < len(senses) <= MAX_NEAR and text not in self.spellings
        }

    def near(self, text: str) -> tuple[float, tuple[Suggestion, ...]]:
        """How near a misspelled text is to words of the game in percent, and these, the nearest first."""
        if not MIN_PREFIX < len(folded := fold(text)) <= MAX_SPELLED:
            return 0, ()
        matches = process.extract(folded, [*self._spellings], scorer=fuzz.ratio, score_cutoff=CLOSE, limit=None)
        suggestions: dict[str, Suggestion] = {}  # by word: abilities of Mini Combat cannot be hashed
        for match, _ratio, _index in matches:
            word, name = self._spellings[match]
            suggestions.setdefault(word.main_spelling, Suggestion(word.label, name))
        return (matches[0][1] if matches else 0), (*suggestions.values(),)[:MAX_NEAR]

    @cached_property
    def types(self) -> tuple[Word, ...]:
        """The words that give the type of an element, one each."""

        def is_type(word: Word) -> bool:
            return len(word.senses) == 1 and any(each.key == self.required for each in word.senses[0].settings)

        return tuple(filter(is_type, self.words))

    @cached_property
    def plain_types(self) -> Mapping[Word, frozenset[Any]]:
        """A word for each type of an element, or for several types, with these types."""
        settings = [(word, each) for word in self.words for sense in word.senses for each in sense.settings]
        values: dict[Word, set[Any]] = {}
        for word, setting in settings:
            if setting.key == self.required:
                values.setdefault(word, set()).add(setting.value)
        named = {value for word, each in values.items() if len(each) == 1 and word.names for value in each}
        several = {value for each in values.values() if len(each) > 1 for value in each - named}
        typed = ((word, each) for word, each in values.items() if each - (named if len(each) > 1 else several))
        return {word: frozenset(each) for word, each in typed}

    @cached_property
    def option_words(self) -> tuple[Word, ...]:
        """The words that give an option alone and mean one thing."""
        senses = (
            (word, [each.key.partition(".")[0] for each in word.senses[0].settings])
            for word in self.words
            if len(word.senses) == 1
        )
        return tuple(word for word, keys in senses if keys and all(key in self.options for key in keys))

    @cached_property
    def phrases(self) -> Mapping[str, Word]:
        """Names of several words, which may be written with spaces, "muzzle loader", and the labels that pages show."""
        nouns = {
            spelled(noun) + s: word for word in self.words for noun in word.nouns if "-" in noun for s in ("", "s")
        }
        names = {spelled(name): word for word in self.words for name in word.names if "-" in name}
        labels = {each: word for word in self.words if self._has_own_label(word) for each in _numbers_of(word.label)}
        return {**labels, **nouns, **names}

    @cached_property
    def _shortened_types(self) -> Mapping[str, Word]:
        """Names of types of several words, of which the last one is shortened: "unarmored cav"."""
        names = [(name, word) for name, word in self.phrases.items() if word in self.types]
        short = [(name[:end], word) for name, word in names for end in range(name.rindex("-") + 4, len(name))]
        return {name: word for name, word in short if all(other is word for each, other in short if each == name)}

    def _has_own_label(self, word: Word) -> bool:
        """Whether a word is meant by all of its label: that of "large" names a type, but does not give it."""
        if len(word.senses) != 1 or word in self.types:
            return len(word.senses) == 1
        parts = [self.spellings.get(part) for part in spelled(word.label).split("-")]
        return not any(part and self.required in _keys(part[0]) for part in parts)

    @cached_property
    def phrase_starts(self) -> frozenset[str]:
        """What a name of several words may begin with."""
        return _starts(self.phrases)

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest name."""
        return max((name.count("-") + 1 for name in self.phrases), default=1)

    def read_word(self, tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
        """The word that begins at a token, with its number of tokens."""
        token = tokens[index]
        if stat := self._read_stat(tokens, index):
            return stat
        longest = self.longest if american(token.head) in self.phrase_starts else 1
        for used in range(min(longest, len(tokens) - index), 1, -1):
            *first, last = tokens[index : index + used]
            name = american("-".join(each.head for each in (*first, last)))
            word = self.phrases.get(name) or self._shortened_types.get(name)
            if word and not any(each.argument for each in first):
                phrase = _phrase_of(word, token, last, word.kind)
                return (phrase, used) if phrase else None
        spelling = self.spellings.get(token.head)
        phrase = _phrase_of(spelling[0], token, token, spelling[1]) if spelling else None
        phrase = phrase or (None if token.argument else _numbered_phrase(self, token))
        return (phrase, 1) if phrase else None

    def _read_stat(self, tokens: Sequence[Token], index: int) -> tuple[Phrase, int] | None:
        """A stat with the number after it, "engine 4", "to hit: 4", "Mo 4+"."""
        if tokens[index].head.rstrip(":=") not in self.stat_starts:
            return None
        for used in (2, 3):
            *heads, last = tokens[index : index + used]
            word = self.stats.get("-".join(each.head for each in heads).rstrip(":="))
            text = last.head.removesuffix("+")
            number = last.argument is None and re.fullmatch(SIGNED, text)
            if word and number and len(heads) == used - 1 and not any(each.argument for each in heads):
                argument = Argument(text, text, False, last.start, last.end)
                return _with_argument(word, heads[0].start, last.end, argument, "number"), used
        return None

    @cached_property
    def stats(self) -> Mapping[str, Word]:
        """The words that need a number, by their full names and codes, folded; one letter may be part of a name."""
        stats = (word for word in self.words if word.is_stat)
        return {fold(name): word for word in stats for name in (*word.names, *word.codes) if len(name) > 1}

    @cached_property
    def stat_starts(self) -> frozenset[str]:
        """What a stat may begin with."""
        return _starts(self.stats)

    def shortest(self, word: Word) -> str:
        """The shortest spelling of a word: a code, or a unique prefix of a name."""
        spellings = [spelling for spelling, (each, _kind) in self.spellings.items() if each is word]
        return min((word.main_spelling, *spellings), key=len)


def _keys(word: Word) -> set[str]:
    """The keys that a word may set on its own."""
    return {setting.key for sense in word.senses for setting in sense.settings}


def _numbers_of(label: str) -> Iterator[str]:
    """A label of several words as a name in both numbers: "field works" and "field work"."""
    name = spelled(label)
    if "-" in name:
        first, _hyphen, rest = name.partition("-")
        yield from (name, f"{name}s", name.removesuffix("s"), f"{first.removesuffix('s')}-{rest}")


def _starts(names: Iterable[str]) -> frozenset[str]:
    """The first words of names, in each number: "to" and "to-hit" of "to-hit"."""
    return frozenset("-".join(name.split("-")[:number]) for name in names for number in range(1, name.count("-") + 2))


class VocabularyWord(NamedTuple):
    """A word for help: its usual and its shortest spelling, what it means, an argument as it follows it, and whether it
    gives an option.
    """

    word: str
    shortest: str
    label: str
    argument: str
    is_option: bool


@cache  # a seventh of the builder
def vocabulary(grammar: Grammar) -> tuple[VocabularyWord, ...]:
    """Every word of a grammar, in the order of the rulebook."""
    return tuple(
        VocabularyWord(
            word.main_spelling,
            grammar.shortest(word),
            word.label,
            word.argument if word.is_stat and word.codes else word.argument and f" :{word.argument}",
            any(key.partition(".")[0] in grammar.options for key in _keys(word)),
        )
        for word in grammar.words
    )


# ---------------------------------------------------------------- tokens

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), ord("-"))
_FOLD: dict[int, int] = {**_WIDE, **_DASHES}
"""Full-width characters and all dashes as plain ones; each is one character, so that places stay."""


def fold(text: str) -> str:
    """Text as words are compared: without case, full-width characters and kinds of dashes."""
    return text.translate(_FOLD).lower()


def american(folded: str) -> str:
    """A name as it is compared: "unarmoured" is "unarmored", "manoeuvre" "maneuver"."""
    return re.sub("manoeuvre?", "maneuver", folded.replace("armour", "armor"))


def spelled(label: str) -> str:
    """A name of a word from what pages show: "breech-loader-to-79-mm"."""
    return american("-".join(re.split(r"[\s,]+", fold(label).strip())))


_CLOSERS = {'"': '"', "“": '”“"', "”": '”"', "„": '“”"', "«": "»", "»": "«"}
_OPENERS = "".join(_CLOSERS)
_HEAD = re.compile(rf"(?:[^\s,:]|(?<=\d),(?=\d)|:(?![{_OPENERS}]))+")
_GAP = re.compile(r"[\s,]+")
_STRAIGHT = re.compile(r'"((?:[^"]|"")*)("?)')
"""Text in straight quotes; a doubled quote is one that belongs to the text."""


def tokenize(text: str) -> list[Token]:
    """The tokens of a line. A quotation without an end goes on to the end of the line."""
    plain, place = text.translate(_FOLD), 0
    tokens: list[Token] = []
    while place < len(text) and len(tokens) <= MAX_PHRASES:
        if gap := _GAP.match(plain, place):
            place = gap.end()
        elif plain[place] in _OPENERS:
            quoted = _quotation(text, plain, place)
            tokens.append(Token(place, quoted.end, "", quoted))
            place = quoted.end
        else:
            token = _word_token(text, plain, place)
            tokens.append(token)
            place = token.end
    return tokens


def _word_token(text: str, plain: str, place: int) -> Token:
    match = _HEAD.match(plain, place)
    end = match.end() if match else place + 1
    if match and plain[end : end + 1] == ":" and plain[end + 1 : end + 2] in (*_OPENERS,):
        quoted = _quotation(text, plain, end + 1)
        return Token(place, quoted.end, plain[place:end].lower(), quoted)
    word = plain[place:end].lower()
    colon = plain.find(":", place, end)
    if colon <= place or colon + 1 == end:
        return Token(place, end, word, None)
    head, first = plain[place:colon].lower(), colon + 1
    return Token(place, end, head, Argument(text[first:end], plain[first:end].lower(), False, first, end))


def _quotation(text: str, plain: str, place: int) -> Argument:
    """The quoted text at a place, and where it ends."""
    if plain[place] == '"':
        match = _STRAIGHT.match(plain, place)
        start, end, last = (match.start(1), match.end(1), match.end()) if match else (place, place, place + 1)
        inner = text[start:end].replace(text[place] * 2, text[place])
    else:
        closers = _CLOSERS[plain[place]]
        start = place + 1
        end = min((each for each in (plain.find(closer, start) for closer in closers) if each >= 0), default=len(text))
        inner, last = text[start:end], min(end + 1, len(text))
    return Argument(inner, inner.translate(_FOLD).lower(), True, place, last)


# ---------------------------------------------------------------- phrases

_NUMBERED = re.compile(r"([a-z-]*[a-z])([+-]?\d+(?:[.,]\d+)?|-)\+?")
_NUMBER_ENDS = tuple("0123456789-+")
UNSIGNED, SIGNED = r"\d+(?:[.,]\d+)?", r"[+-]?\d+(?:[.,]\d+)?|-"
"""Numbers that may follow a word at once. Decimals are rejected where a whole number is required."""
WHOLE_NUMBER = _("“{text}” must be a whole number")


def phrases_of(grammar: Grammar, text: str) -> list[Phrase]:
    """The tokens of a line, joined into phrases."""
    tokens, index = tokenize(text), 0
    phrases: list[Phrase] = []
    while index < len(tokens):
        read = grammar.read_phrase(tokens, index, phrases)
        follows = phrases and (phrases[-1].is_word or phrases[-1].text == "value")  # as 6MM has it
        if read is None and follows and _open_brackets(tokens, index):
            read = grammar.read_phrase(tokens, index, phrases)
        read = read or _read_slashed(grammar, tokens, index, phrases)
        phrase, used = read or (_other_phrase(grammar, text, tokens[index]), 1)
        if phrase.kind != "quoted":
            phrase = Phrase(*phrase[:-1], text=text[phrase.start : phrase.end])  # much faster than _replace
        phrases.append(phrase)
        index += used
    return phrases


def _open_brackets(tokens: list[Token], index: int) -> bool:
    """Take the brackets off what follows a word: "TNK (medium Pz IV)" is "TNK medium Pz IV"."""
    last = next((n for n in range(index, len(tokens)) if tokens[n].head.endswith(")")), None)
    inside = "".join(each.head for each in tokens[index : last + 1]) if last is not None else ""
    following = "".join(each.head for each in tokens[last + 1 : last + 2]) if last is not None else ""
    if following[:1].isalpha() and following != "value":  # "msk (Old) Guard"
        return False
    if last is None or inside.count("(") != 1 or not inside.startswith("(") or len(inside) < 3:
        return False
    tokens[index] = tokens[index]._replace(start=tokens[index].start + 1, head=tokens[index].head[1:])
    tokens[last] = tokens[last]._replace(end=tokens[last].end - 1, head=tokens[last].head[:-1])
    return True


def _read_slashed(
    grammar: Grammar, tokens: list[Token], index: int, phrases: Sequence[Phrase]
) -> tuple[Phrase, int] | None:
    """Words of the game with slashes between them: each by itself, "tough/stealth"; those that set the same as one with
    several senses, "light/heavy", or with one, "rifle/bow".
    """
    token, parts = tokens[index], []
    start = token.start
    for head in token.head.split("/")[: MAX_SLASHED + 1]:
        parts.append(Token(start, start + len(head), head, None))
        start += len(head) + 1
    if token.argument or not 1 < len(parts) <= MAX_SLASHED or not all(part.head for part in parts):
        return None
    words = [read[0] for part in parts if (read := grammar.read_word([part], 0))]
    if len(words) < len(parts):
        return None
    if not frozenset.intersection(*map(_keys_set_once, words)):
        tokens[index : index + 1] = parts
        return grammar.read_phrase(tokens, index, phrases)
    senses = [sense for word in words for sense in word.senses]
    differing = (sense for n, sense in enumerate(senses) if all(sense.settings != each.settings for each in senses[:n]))
    return Phrase(token.start, token.end, "choice", tuple(differing)), 1


def _keys_set_once(phrase: Phrase) -> frozenset[str]:
    """The keys that a phrase may set to a value."""
    return frozenset(setting.key for setting in phrase.possible_settings if not setting.appends)


def _other_phrase(grammar: Grammar, text: str, token: Token) -> Phrase:
    """A token that is no word: a quoted name, what begins several options, in small letters, or any other text."""
    if token.argument and not token.head:
        return Phrase(token.start, token.end, "quoted", text=token.argument.text)
    begun = not token.argument and text[token.start].islower()
    senses = grammar.shared_beginnings.get(token.head, ()) if begun else ()
    return Phrase(token.start, token.end, "ability" if senses else "text", senses)


def _phrase_of(word: Word, first: Token, last: Token, kind: WordKind) -> Phrase | None:
    """A word with its argument, if any; None if that is not valid."""
    argument = last.argument
    if argument is None:
        return Phrase(first.start, last.end, kind, word.senses) if word.senses else None
    return _with_argument(word, first.start, last.end, argument, "keyed") if word.read_argument else None


def _with_argument(word: Word, start: int, end: int, argument: Argument, kind: WordKind) -> Phrase:
    try:
        return Phrase(start, end, kind, word.read_argument(argument) if word.read_argument else ())
    except InvalidArgument as error:
        near = process.extract(
            argument.folded, error.expected, scorer=fuzz.ratio, score_cutoff=CLOSE_VALUE, limit=MAX_NEAR
        )
        values = tuple(Suggestion(value, value) for value, _ratio, _index in near)
        unreadable = LineError(argument.start, argument.end, error.message, error.expected, near=values)
        return Phrase(start, end, "bad", error=unreadable)


def _numbered_phrase(grammar: Grammar, token: Token) -> Phrase | None:
    """A letter and a number together, such as "E3", "R-1" and "S-"."""
    match = _NUMBERED.fullmatch(token.head) if token.head[-1:] in _NUMBER_ENDS else None
    word = grammar.spellings[match[1]][0] if match and match[1] in grammar.spellings else None
    if not match or not word or not re.fullmatch(word.number_pattern, match[2]):
        return None
    argument = Argument(match[2], match[2], False, token.start + match.start(2), token.start + match.end(2))
    return _with_argument(word, token.start, token.end, argument, "number")


# ---------------------------------------------------------------- arguments

_INTEGER = re.compile(r"[+-]?\d{1,9}")


def integer(argument: Argument) -> int:
    """A whole number. Raises `InvalidArgument`."""
    if not _INTEGER.fullmatch(argument.folded):
        raise InvalidArgument(WHOLE_NUMBER.format(text=argument.text))
    return int(argument.folded)


def number_word(
    key: str, label: str, *codes: str, names: Sequence[str], none: Sequence[str] = (), nothing: Any = None
) -> Word:
    """A numbered stat. ``none`` are the spellings of ``nothing``; a number in quotes is taken literally."""

    def read_argument(argument: Argument) -> tuple[WordMeaning, ...]:
        number = nothing if argument.folded in none and not argument.quoted else integer(argument)
        return (WordMeaning(join((label, argument.text), " "), (Setting(key, number),)),)

    return Word(label, codes, tuple(names), read_argument=read_argument, number_pattern=SIGNED, argument="4")


def choice_word(
    key: str, value: Any, label: str, *names: str, codes: Sequence[str] = (), nouns: Sequence[str] = ()
) -> Word:
    """A word that sets a key to a value."""
    return Word(label, tuple(codes), names, (WordMeaning(label, (Setting(key, value),)),), nouns=tuple(nouns))


def key_word(key: str, label: str, name: str, values: Mapping[str, Any], appends: bool = False) -> Word:
    """A key in full with one of its values, by their folded spellings, after the colon; or any other in quotes."""

    def read_argument(argument: Argument) -> tuple[WordMeaning, ...]:
        value = argument.text if argument.quoted else named_value(argument, values)
        return (WordMeaning(join((label, argument.text), " "), (Setting(key, value, appends),)),)

    return Word(label, names=(name,), read_argument=read_argument, argument=" ".join(values) or '"…"')


def named_value(argument: Argument, values: Mapping[str, Any]) -> Any:
    """The value whose spelling an argument is or begins. Raises `InvalidArgument`."""
    spelling = one_of(argument.folded, values)
    if spelling is None:
        raise InvalidArgument(_("“{text}” is not known here").format(text=argument.text), values)
    return values[spelling]


def one_of(folded: str, values: Iterable[str]) -> str | None:
    """The value that a text spells in full or, if only one begins with it, in part."""
    if folded in (spellings := [*values]):
        return folded
    candidates = [each for each in spellings if each.startswith(folded)]
    return candidates[0] if len(candidates) == 1 and len(folded) >= MIN_PREFIX else None


def quote(text: str) -> str:
    """Text in quotation marks; those inside it are doubled."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
