"""Quick add: parses one line of text, such as ``6 msk +1 Line infantry``, as one element. A line holds a number of
models, words of the game's grammar and a name. Words are codes, choices and numbered stats; each system declares its
own in ``lines.py``. The name is the quoted text, else the one unbroken stretch of other words. An ambiguous line
returns every parse, an invalid one its errors with their positions; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, islice, pairwise, product, takewhile
from typing import Any, Literal, NamedTuple, TypeVar
from unicodedata import category

from pydantic import ValidationError

from rosters.core.amounts import Amount
from rosters.core.documents import Element, error_message, write_element
from rosters.core.grammar import (
    MAX_PHRASES,
    MIN_PREFIX,
    Grammar,
    IndescribableElement,
    InvalidArgument,
    LineError,
    Phrase,
    ProfileData,
    Setting,
    Suggestion,
    Word,
    WordMeaning,
    fold,
    phrases_of,
    quote,
    spelled,
)
from rosters.core.messages import _, join

MAX_LINE = 16_384
"""Characters of a line: the notes on protection alone may have 10,000."""
MAX_PARSES = 8
MAX_GUESS = 3
"""Letters of a word that may begin other words as well."""
MAX_MISSPELLED = 5
"""Words of a line that are compared with those of the game."""
MAX_SHOWN = 40
STEM = 4
"""Letters that a label and other forms of it have in common: "pikes" and "pikemen"."""

ElementT = TypeVar("ElementT", bound=Element)

# ---------------------------------------------------------------- results


SpanKind = Literal["count", "word", "guess", "name", "total"]
"""A "guess" is a word of which only the first letters are typed."""


class Span(NamedTuple):
    """A parsed part of the line, from ``start`` up to ``end``. ``label`` is its meaning, a Message."""

    start: int
    end: int
    kind: SpanKind
    label: str


class Parse(NamedTuple):
    """One meaning of a line. ``label`` is what distinguishes it from the others, "" if there are none."""

    element: Element
    label: str
    spans: tuple[Span, ...]
    has_stat: bool = False

    @property
    def says_something(self) -> bool:
        """Whether it understands more of the line than a name."""
        return any(span.kind in ("word", "guess") for span in self.spans)

    @property
    def guesses(self) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.kind == "guess")

    @property
    def is_doubtful(self) -> bool:
        """Whether there are words inside the name, or what may be a stat in it, so that it has to be confirmed."""
        return self.has_stat or sum(span.kind == "name" for span in self.spans) > 1


class ParsedLine(NamedTuple):
    """The result of parsing a line: one parse, several to choose from, or none and the errors. With an error, a parse
    has to be confirmed.

    ``words`` is the text without the number of models, which may be the name of an element to copy; a ``bare`` line has
    nothing but a name, so that its parse is an empty element; one that ``lacks_stats`` may say its type as well.
    ``total`` is the price at the end of a pasted line. ``phrases`` are all of the text.
    """

    text: str
    quantity: int
    words: str
    parses: tuple[Parse, ...] = ()
    errors: tuple[LineError, ...] = ()
    total: Amount | None = None
    bare: bool = False
    lacks_stats: bool = False
    phrases: tuple[Phrase, ...] = ()

    @property
    def element(self) -> Element | None:
        """The element of the only parse; None if there is none, or something to choose or to confirm."""
        if len(self.parses) != 1 or self.errors or self.bare or self.parses[0].is_doubtful:
            return None
        return self.parses[0].element


# ---------------------------------------------------------------- the name


class _LineParts(NamedTuple):
    """The phrases of a line without the number of models and the total, which have spans of their own."""

    phrases: list[Phrase]
    quantity: int
    total: Amount | None
    spans: tuple[Span, ...]


class _Count(NamedTuple):
    """A number of models in a line: the indexes of its phrases, from ``first`` up to ``end``."""

    first: int
    end: int
    quantity: int


_COUNT = re.compile(r"(\d{1,7})[x×*]?|[x×*](\d{1,7})")
_TIMES = ("x", "×", "*")


def _count_at(phrases: Sequence[Phrase], index: int) -> _Count | None:
    """The number of models that begins at a phrase: "6", "6x", "x6", or "6 x" and "x 6" as two phrases."""
    if not 0 <= index < len(phrases) or phrases[index].kind != "text":
        return None
    first = phrases[index].text[:1]
    if first.isascii() and not first.isdecimal() and first not in "xX*":  # most words
        return None
    word = fold(phrases[index].text)
    if not word[:1].isdecimal() and word[:1] not in _TIMES:
        return None
    following = next((fold(each.text) for each in phrases[index + 1 : index + 2] if each.kind == "text"), "")
    if match := _COUNT.fullmatch(word):
        has_sign = word.isdecimal() and following in _TIMES
        return _Count(index, index + 1 + has_sign, int(match[1] or match[2]))
    if word in _TIMES and following.isdecimal() and len(following) < 8:
        return _Count(index, index + 2, int(following))
    return None


def _last_count(phrases: Sequence[Phrase]) -> _Count | None:
    """The number of models at the end of a line."""
    counts = (_count_at(phrases, len(phrases) - length) for length in (2, 1))
    return next((count for count in counts if count and count.end == len(phrases)), None)


def _signed_counts(phrases: Sequence[Phrase]) -> Iterator[_Count]:
    """Every number of models with a sign, "x6"."""
    index = 0
    while index < len(phrases):
        count = _count_at(phrases, index)
        end = count.end if count else index + 1
        if count and not "".join(phrase.text for phrase in phrases[index:end]).isdecimal():
            yield count
        index = end


_TOTAL = re.compile(r"[=([-]?((?:\d{1,7}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,3})?)(?:p|pt|pts|points?|bp)?[)\].;]*")
_POINTS = ("p", "pt", "pts", "pts.", "point", "points", "bp", "points)", "pts)")


def amount_of(text: str) -> Amount | None:
    """The number of points that a text is, "1,003" or "4.5"; None if it is none."""
    match = _TOTAL.fullmatch(text)
    return Fraction(match[1].replace(",", "")) if match else None


def _total_of(phrases: Sequence[Phrase], priced: bool) -> tuple[Amount, int] | None:
    """The price at the end of a line, and its number of phrases: "= 42", "(42)", "- 42 points".

    A number alone belongs to the name, "Battalion 1", unless the line is ``priced``.
    """
    last = fold(phrases[-1].text).rstrip(";") if phrases and phrases[-1].kind == "text" else ""
    has_noun = last in _POINTS and len(phrases) > 1 and phrases[-2].kind == "text"
    text = fold(phrases[-2].text) if has_noun else last
    used = 2 if has_noun else 1
    has_sign = len(phrases) > used and fold(phrases[-1 - used].text) in ("=", "-", ":", "value")
    total = amount_of(text)
    if total is None or not (has_noun or has_sign or priced or not text[0].isdecimal() or not text[-1].isdecimal()):
        return None
    return total, used + has_sign


def _each_of(phrases: Sequence[Phrase]) -> int:
    """The number of phrases of the price of each at the end, "— 16 points (2 each)"."""
    *_rest, last = "", *(fold(phrase.text) for phrase in phrases[-2:])
    return 2 if last == "each)" and re.fullmatch(r"\(\d[\d.]*", fold(phrases[-2].text)) else 0


_NAMED = re.compile(r"\((\d{1,7})\):")
"""How many there are of what is named before a colon."""


def _split_name(text: str, parts: _LineParts) -> _LineParts:
    """Take what stands before a colon as the name, if words follow it: "Soldiers (8): Troop guy, Light Armor"."""
    phrases, quantity, spans = parts.phrases, parts.quantity, parts.spans
    last = next((n for n, each in enumerate(phrases) if each.kind == "text" and each.text.endswith(":")), -1)
    counted = any(span.kind == "count" for span in spans)
    behind = None if counted else _count_at(phrases, last + 1)
    words = phrases[behind.end if behind else last + 1 :]
    named = all(phrase.kind not in ("code", "number", "keyed", "quoted") for phrase in phrases[: last + 1])
    if last < 0 or not named or not words or not all(phrase.is_word for phrase in words):
        return parts
    count = _NAMED.fullmatch(phrases[last].text) if last and not counted and not behind else None
    end = phrases[last - 1].end if count else phrases[last].end
    if count or behind:
        quantity = int(count[1]) if count else behind.quantity if behind else 1
        place = phrases[last : last + 1] if count else phrases[last + 1 : len(phrases) - len(words)]
        spans = (*spans, _span(place, "count", _("Quantity")))
    name = Phrase(phrases[0].start, end, "quoted", text=_trimmed(text[phrases[0].start : end]))
    return parts._replace(phrases=[name, *words], quantity=quantity, spans=spans)


def _split_line(grammar: Grammar, phrases: list[Phrase], pasted: bool, priced: bool) -> _LineParts:
    """Take out the number of models: one with a sign from anywhere, a number alone from either end. Before a number at
    the end, take the total from the end of a line that was pasted.
    """
    total, spans = None, []
    count = _count_at(phrases, 0) or next(_signed_counts(phrases), None)
    if count:
        quantity_span = _span(phrases[count.first : count.end], "count", _("Quantity"))
        phrases = _with_second_count(phrases, count)
        between = []
        if count.first > 0 and count.end < len(phrases):  # there it is a word that sets nothing and splits a name
            between = [Phrase(*quantity_span[:2], "keyed", (WordMeaning(_("Quantity"), ()),))]
        else:
            spans.append(quantity_span)
        phrases = [*phrases[: count.first], *between, *phrases[count.end :]]
    after_stat = len(phrases) > 1 and _is_stat(grammar, *phrases[-2:])
    each = _each_of(phrases) if pasted else 0
    if pasted and (ending := _total_of(phrases[: len(phrases) - each], priced and not after_stat)):
        total, used = ending[0], ending[1] + each
        while (again := _total_of(phrases[:-used], priced=False)) and again[0] == total:  # "value 9 pts" and 9
            used += again[1]
        spans.append(_span(phrases[-used:], "total", _("Total")))
        phrases = phrases[:-used]
        after_stat = len(phrases) > 1 and _is_stat(grammar, *phrases[-2:])
    if not count and not after_stat and (count := _last_count(phrases)):
        spans.append(_span(phrases[count.first :], "count", _("Quantity")))
        phrases = phrases[: count.first]
    return _LineParts(phrases, count.quantity if count else 1, total, tuple(spans))


def _with_second_count(phrases: list[Phrase], first: _Count) -> list[Phrase]:
    """The phrases; another number of models with a sign, after the ``first``, is an error."""
    second = next((count for count in _signed_counts(phrases) if count.first >= first.end), None)
    if second is None:
        return phrases
    if second.first == first.end and second.quantity == first.quantity:  # "1", and in the next column "1 X CAV/A"
        return [*phrases[: second.first], *phrases[second.end :]]
    message = _("This is a second quantity; a name can be in quotation marks")
    index = second.first
    error = LineError(phrases[index].start, phrases[second.end - 1].end, message)
    return [*phrases[:index], phrases[index]._replace(error=error), *phrases[index + 1 :]]


def _span(phrases: Sequence[Phrase], kind: SpanKind, label: str) -> Span:
    return Span(phrases[0].start, phrases[-1].end, kind, label)


class _NamePlan(NamedTuple):
    """The phrases of the name by index, the same in every parse, and the sets of phrases that a parse may add."""

    name: frozenset[int]
    choices: tuple[frozenset[int], ...]


class _NameFinder:
    """Decides which phrases of a line are its name."""

    def __init__(self, grammar: Grammar, phrases: Sequence[Phrase]) -> None:
        self.grammar, self.phrases = grammar, phrases
        self.scopes = _scopes(phrases)
        self.words: set[int] = set()
        """The phrases that cannot be part of the name."""
        self.name = {index for index, phrase in enumerate(phrases) if phrase.kind == "text"} or self._repeated()

    def _says_more(self, phrase: Phrase) -> bool:
        """Whether a phrase is a noun that says more than the type: "knights" do; "tanks" and "pikemen" do not."""
        if phrase.kind != "noun":
            return False
        spelling = spelled(phrase.text)
        word = self.grammar.phrases.get(spelling) or self.grammar.spellings[spelling][0]
        singular = spelling.removesuffix("s")
        stems = {each[:STEM] for each in (spelled(word.label), fold(word.main_spelling))}
        return singular[:STEM] not in stems and singular not in self.grammar.synonyms

    def _repeated(self) -> set[int]:
        """A word that repeats another one is a name if there is no other text for it."""
        repeated = set()
        for index, phrase in enumerate(self.phrases):
            if phrase.kind in ("code", "choice", "ability") and (first := self._first_with_same(index)) is not None:
                self.words.add(first)
                repeated.add(index)
        return repeated

    def _first_with_same(self, index: int) -> int | None:
        phrase = self.phrases[index]
        if phrase.kind == "code" and _appends(phrase):
            return None
        before = (n for n in range(index) if self.scopes[n] == self.scopes[index])
        return next((n for n in before if _sets_same(phrase, self.phrases[n])), None)

    def plan(self) -> _NamePlan:
        """The name, and the choices to make; each choice is a set of phrases that may all be part of the name."""
        if not self.name:  # then a noun is the name as well
            return _NamePlan(frozenset(n for n, phrase in enumerate(self.phrases) if self._says_more(phrase)), ())
        self._add_nouns()
        first, last = min(self.name), max(self.name)
        inside = self._words_inside(range(first, last))
        before = [*self._extensions(range(first - 1, -1, -1))]
        after = [*self._extensions(range(last + 1, len(self.phrases)))]
        return _NamePlan(frozenset(self.name), (*inside, *before, *after))

    def _add_nouns(self) -> None:
        """Add the nouns inside and behind the name, "Swiss pikes". Before it if capitalized or written as it is: "pikes
        Swiss guard" and "Pikes Swiss" have none, "Pikes of Uri", "Lancers Alpha" and "lancers alpha" do.
        """
        first, last = min(self.name), max(self.name)
        begins = not self.phrases[first].text[0].isupper()
        for index, phrase in enumerate(self.phrases):
            behind_or_inside = first < index <= last + 1
            before = index == first - 1 and begins + phrase.text[:1].isupper() + self._says_more(phrase) > 1
            if phrase.kind == "noun" and (behind_or_inside or before):
                self.name.add(index)

    def _words_inside(self, indexes: Iterable[int]) -> list[frozenset[int]]:
        """The sets of adjacent words inside the name that may be part of it; redundant words are, stats are not."""
        runs: list[frozenset[int]] = []
        for index in indexes:
            if index in self.name or not self.phrases[index].is_word or self.phrases[index].kind == "keyed":
                continue
            if self._is_redundant(index):
                self._add_to_name(index)
            elif self.phrases[index].kind == "number":
                continue
            elif runs and max(runs[-1]) == index - 1:
                runs[-1] |= {index}
            else:
                runs.append(frozenset({index}))
        return runs

    def _extensions(self, indexes: Iterable[int]) -> Iterator[frozenset[int]]:
        """The sets of adjacent words on one side that may be part of the name, from the nearest word on."""
        adjacent = [*takewhile(lambda index: self.phrases[index].is_word, indexes)]
        extension = frozenset[int]()
        for index in adjacent:
            is_last = index == adjacent[-1]
            if self.phrases[index].kind == "keyed" or index in self.words or self._is_needed(index):
                return
            if self._is_redundant(index, is_last):
                self._add_to_name(index)
                extension |= {index} if extension else frozenset()
            elif self._is_ambiguous(index, is_last):
                extension |= {index}
                yield extension
            else:
                return

    def _is_ambiguous(self, index: int, is_last: bool) -> bool:
        """Whether a word beside the name may be meant as part of it. ``is_last``: the line ends or begins with it.

        Written out in small letters, beside a name that begins with a capital one, it is a word.
        """
        phrase = self.phrases[index]
        is_full_name = " " in phrase.text or spelled(phrase.text) in self.grammar.full_spellings
        is_full_name |= phrase.kind == "choice" and len(phrase.text) > MIN_PREFIX  # "inf" costs nothing
        if is_full_name and not phrase.text[:1].isupper() and self.phrases[min(self.name)].text[:1].isupper():
            return False
        if phrase.kind == "choice":
            return is_last or (phrase.text[:1].isupper() and not phrase.text[1:].isupper())
        return phrase.kind == "ability" or (phrase.kind == "code" and is_last and self._has_twin(index))

    def _add_to_name(self, index: int) -> None:
        """Make a word part of the name; another one that sets the same stays a word."""
        self.name.add(index)
        self.words |= {other for other in self._others(index) if _sets_same(self.phrases[index], self.phrases[other])}

    def _others(self, index: int) -> Iterator[int]:
        """The other words of the same form that are not part of the name."""
        same = (n for n, phrase in enumerate(self.phrases) if phrase.is_word and self.scopes[n] == self.scopes[index])
        return (n for n in same if n != index and (n not in self.name or self.phrases[n].kind == "noun"))

    def _is_redundant(self, index: int, is_last: bool = True) -> bool:
        """Whether the element already has what a word sets, or its type cannot have it."""
        phrase, others = self.phrases[index], [self.phrases[other] for other in self._others(index)]
        if phrase.kind == "number" and not is_last:
            return False
        types = (each.value for other in others for each in other.settings if each.key == self.grammar.required)
        type_ = next(types, None)
        if type_ is not None and not any(
            all(self.grammar.allows(type_, setting) for setting in sense.settings) for sense in phrase.senses
        ):
            return True
        if phrase.kind == "code" and _appends(phrase):
            return False
        return any(_sets_same(phrase, other) for other in others if len(other.senses) == 1)

    def _is_needed(self, index: int) -> bool:
        """Whether the word gives the type of the element, and no other does."""
        required = self.grammar.required
        return required in self.phrases[index].keys and not any(
            required in self.phrases[other].keys for other in self._others(index)
        )

    def _has_twin(self, index: int) -> bool:
        senses = self.phrases[index].senses
        return any(self.phrases[other].senses == senses for other in self._others(index))


def _sets_same(phrase: Phrase, other: Phrase) -> bool:
    """Whether a word sets what another one sets, or appends the same to a list."""
    settings = other.possible_settings
    return any(
        each == before if each.appends else each.key == before.key
        for each in phrase.possible_settings
        for before in settings
    )


def _appends(phrase: Phrase) -> bool:
    return any(setting.appends for setting in phrase.possible_settings)


def _scopes(phrases: Sequence[Phrase]) -> list[int]:
    """The form that each phrase belongs to."""
    scopes, scope = [], 0
    for phrase in phrases:
        scope += phrase.starts_form
        scopes.append(scope)
    return scopes


# ---------------------------------------------------------------- parses


def parse_line(
    grammar: Grammar, text: str, *, pasted: bool = False, priced: bool = False, meant: Element | None = None
) -> ParsedLine:
    """Read a line. At the end of a ``pasted`` one may be its price, if it is ``priced`` even a number alone.

    If it is known which element is ``meant``, no more parses are looked for after the first that is another one: then
    the line does not say that element alone.
    """
    if len(text) > MAX_LINE:
        error = LineError(
            MAX_LINE, len(text), _("The line is longer than {most} characters").format(most=f"{MAX_LINE:,}")
        )
        return ParsedLine(text, 1, "", errors=(error,))
    every = phrases_of(grammar, text)
    parts = _split_line(grammar, every, pasted, priced)
    parts = _split_name(text, parts._replace(phrases=_without_fillers(parts.phrases)))
    phrases = _with_adjectives(grammar, _with_type(grammar, parts.phrases))
    phrases = _without_other_nouns(phrases)
    words = " ".join(text[phrases[0].start : phrases[-1].end].split()) if phrases else ""
    line = ParsedLine(text, parts.quantity, words, total=parts.total, phrases=(*every,))
    errors = (*_unreadable(text, phrases),)
    if errors:
        return line._replace(errors=errors)
    typed = [phrase for phrase in phrases if grammar.required in phrase.keys]
    if grammar.required and not typed:
        return line._replace(errors=(_without_type(grammar, line, phrases),))
    parses, errors = _Reader(grammar, text, parts._replace(phrases=phrases)).parses(meant)
    keys = frozenset[str]().union(*(phrase.keys for phrase in phrases))
    line = line._replace(bare=not keys, lacks_stats=keys <= grammar.describing)
    if pasted and parses and typed and all(_is_guess(grammar, phrase) for phrase in typed):
        first, others = typed[0], [phrase for phrase in phrases if phrase not in typed]
        message = _("Check: “{text}” is read as {word}.").format(text=first.text, word=first.senses[0].label)
        errors = (LineError(*first[:2], message, missing=(*_types_for(grammar, others),)),)
        return line._replace(parses=parses, errors=errors)
    if lacking := len(parses) == 1 and grammar.lacking(parses[0].element, keys):
        errors = (LineError(0, len(text), lacking[0], missing=lacking[1]),)
    return line._replace(parses=parses, errors=errors if lacking or not parses else ())


def misspelled(grammar: Grammar, line: ParsedLine) -> LineError | None:
    """The text of a line that is nearest to words of the game, with these; None if it has nothing like one."""
    text, phrases = line.text, line.phrases
    texts = [n for n, phrase in enumerate(phrases) if phrase.kind == "text"][:MAX_MISSPELLED]
    errors = []
    for first, last in [*((n, n) for n in texts), *((n, n + 1) for n in texts if n + 1 in texts)]:
        start, end = phrases[first].start, phrases[last].end
        ratio, near = grammar.near(spelled(text[start:end]))
        errors += [(ratio, LineError(start, end, _not_known(text[start:end]), near=near))] if near else []
    return max(errors, key=lambda each: each[0])[1] if errors else None


def _not_known(text: str) -> str:
    text = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
    return _("We do not know “{text}”.").format(text=text)


def _without_type(grammar: Grammar, line: ParsedLine, phrases: Sequence[Phrase]) -> LineError:
    """The error of a line without a type: its misspelled word, else its name."""
    text, missing = line.text, (*_types_for(grammar, phrases),)
    names = [phrase for phrase in phrases if phrase.kind == "text"]
    if not names:
        return LineError(0, len(text), _("Which type is it?"), missing=missing)
    start, end = names[0].start, names[-1].end
    error = misspelled(grammar, line) or LineError(start, end, _not_known(text[start:end]))
    return error._replace(missing=missing)


FILLERS = ("with", "and", "w/", "&", "+", "gun", "guns", "weapon", "weapons", "value")


def _without_fillers(phrases: list[Phrase]) -> list[Phrase]:
    """The phrases; between two words of the game "with" belongs to the second, "troop with distance attack", and so
    does "guns" in "T4 guns F FL".
    """
    result: list[Phrase] = []
    for index, phrase in enumerate(phrases):
        first, filler = phrases[index - 2 : index] if index > 1 else (phrase, phrase)
        if first.is_word and phrase.is_word and filler.kind == "text" and fold(filler.text) in FILLERS:
            result[-1] = phrase._replace(start=filler.start, text=f"{filler.text} {phrase.text}")
        else:
            result.append(phrase)
    return result


def _types_for(grammar: Grammar, phrases: Sequence[Phrase]) -> Iterator[Suggestion]:
    """The types that can have what the words of a line set; all of them if there is none."""
    senses = [phrase.senses for phrase in phrases if phrase.senses]

    def fits(kind: Any) -> bool:
        return all(any(all(grammar.allows(kind, s) for s in sense.settings) for sense in each) for each in senses)

    fitting = [word for word, kinds in grammar.plain_types.items() if any(map(fits, kinds))]
    yield from (Suggestion(word.label, fold(word.label)) for word in fitting or grammar.plain_types)


def _with_type(grammar: Grammar, phrases: list[Phrase]) -> list[Phrase]:
    """The phrases; in a line without a type, the first word that abbreviates several types is ambiguous."""
    if not grammar.required or any(grammar.required in phrase.keys for phrase in phrases):
        return phrases
    for index, phrase in enumerate(phrases):
        for key in phrase.keys & grammar.implied.keys():
            sense = phrase.senses[0]
            typed = sense._replace(settings=(*sense.settings, Setting(grammar.required, grammar.implied[key])))
            return [*phrases[:index], phrase._replace(senses=(typed,)), *phrases[index + 1 :]]
    for index, phrase in enumerate(phrases):
        folded = fold(phrase.text)
        if phrase.kind == "text" and len(folded) >= MIN_PREFIX:
            abbreviated = [word for word in grammar.types if _abbreviates(folded, word)]
            if abbreviated:
                senses = tuple(sense for word in abbreviated for sense in word.senses)
                return [*phrases[:index], phrase._replace(kind="choice", senses=senses), *phrases[index + 1 :]]
    return phrases


def _abbreviates(folded: str, word: Word) -> bool:
    """Whether a text begins a spelling of a word: with three letters also a plain word, "mus"."""
    nouns = word.nouns if len(folded) > MIN_PREFIX else ()
    return any(fold(each).startswith(folded) for each in (*word.codes, *word.names, *nouns))


def _with_adjectives(grammar: Grammar, phrases: list[Phrase]) -> list[Phrase]:
    """The phrases; a choice before a type is part of a name with it, "light cavalry", if neither that type nor one
    given by a code can have it.
    """
    result = [*phrases]
    codes = (each for phrase in phrases if phrase.kind == "code" for each in phrase.settings)
    coded = {each.value for each in codes if each.key == grammar.required}
    for index, (phrase, following) in enumerate(pairwise(phrases)):
        types = {each.value for each in following.possible_settings if each.key == grammar.required}
        if phrase.kind != "choice" or following.kind not in ("choice", "noun") or not types:
            continue
        if not any(grammar.allows(type_, each) for type_ in types | coded for each in phrase.possible_settings):
            result[index : index + 2] = phrase._replace(kind="text", senses=()), following._replace(kind="noun")
    return result


def _without_other_nouns(phrases: list[Phrase]) -> list[Phrase]:
    """The phrases; of each form one noun gives the type, unless another word does: all others are ordinary words.

    It is the one that begins the line in small letters, if need be behind words of the game, "muskets Foot guard", else
    the last one, "Foot archers".
    """
    scopes, needed = _scopes(phrases), dict[int, int]()  # by form, the index of the noun that gives its type
    first = next((index for index, phrase in enumerate(phrases) if phrase.kind == "noun" or not phrase.is_word), -1)
    for index, phrase in enumerate(phrases):
        begins_the_line = needed.get(scopes[index]) == first and not phrases[first].text[0].isupper()
        if phrase.kind == "noun" and not begins_the_line:
            needed[scopes[index]] = index
    for index, phrase in enumerate(phrases):  # a noun is not needed where another word gives the same type
        noun = needed.get(scopes[index])
        if noun is not None and phrase.is_word and phrase.kind != "noun" and phrase.keys & phrases[noun].keys:
            del needed[scopes[index]]
    return [
        phrase._replace(kind="text", senses=()) if phrase.kind == "noun" and needed.get(scopes[n]) != n else phrase
        for n, phrase in enumerate(phrases)
    ]


def _unreadable(text: str, phrases: Sequence[Phrase]) -> Iterator[LineError]:
    """The errors of phrases that are invalid in every parse."""
    if not phrases:
        yield LineError(0, len(text), _("Type a name and what it is"))
    if len(phrases) > MAX_PHRASES:
        yield LineError(phrases[-1].start, len(text), _("The line has too many words"))
    yield from (phrase.error for phrase in phrases if phrase.error)
    if phrases and phrases[0].kind == "text" and re.fullmatch(r"-\d+", fold(phrases[0].text)):
        message = _("“{text}” is no quantity; a name can be in quotation marks")
        yield LineError(phrases[0].start, phrases[0].end, message.format(text=phrases[0].text))
    for phrase in phrases:
        if phrase.kind == "text" and phrase.text == "@":
            message = _("“{text}” is not understood; a name can be in quotation marks")
            yield LineError(phrase.start, phrase.end, message.format(text=phrase.text))
    quoted = [phrase for phrase in phrases if phrase.kind == "quoted"]
    for phrase in quoted[1:]:
        yield LineError(phrase.start, phrase.end, _("There are two names in quotation marks"))
    if quoted:
        for phrase in phrases:
            if phrase.kind == "text":
                message = _("“{text}” is not a word of this game, and the name is in quotation marks")
                yield LineError(phrase.start, phrase.end, message.format(text=phrase.text))


class _Reader(NamedTuple):
    """A line with the phrases that all its parses share."""

    grammar: Grammar
    text: str
    parts: _LineParts

    def parses(self, meant: Element | None) -> tuple[tuple[Parse, ...], tuple[LineError, ...]]:
        """Every parse of the line, or those up to the first that is not what is ``meant``, and why others fail."""
        phrases = self.parts.phrases
        quoted = next((index for index, phrase in enumerate(phrases) if phrase.kind == "quoted"), None)
        plan = _NameFinder(self.grammar, phrases).plan() if quoted is None else _NamePlan(frozenset({quoted}), ())
        ambiguous = frozenset[int]().union(*plan.choices)
        errors: dict[LineError, None] = {}
        parses: list[Parse] = []
        for each in (each for name in _names(plan) for each in self._parses_with(name, ambiguous)):
            if isinstance(each, LineError):
                errors[each] = None
            elif all(each.element != other.element for other in parses):
                parses.append(each)
                if len(parses) == MAX_PARSES or (meant and each.element != meant):
                    break
        nouns = (n for n, phrase in enumerate(phrases) if phrase.kind == "noun")
        has_choice = any(phrase.kind == "choice" for phrase in phrases) or any(n not in plan.name for n in nouns)
        if not meant and has_choice and any(each.says_something for each in parses):  # others are empty elements
            parses = [each for each in parses if each.says_something]
        if len(parses) == 1:
            name = _("name “{name}”").format(name=parses[0].element.name)
            parses = [parses[0]._replace(label=name if parses[0].is_doubtful else "")]
        return tuple(parses), (*errors,)

    def _parses_with(self, name: frozenset[int], ambiguous: frozenset[int]) -> Iterator[Parse | LineError]:
        """The parses in which these phrases are the name, or why they fail: one for each combination of senses.

        A parse is labeled by what others read differently: words of several senses, and ``ambiguous`` phrases, which
        can be in the name or not.
        """
        phrases = self.parts.phrases
        name_text, has_stat = _name_of(self.text, phrases, name), _has_stat(self.grammar, phrases, name)
        for senses in self._senses(name):
            labels = [sense.label for n, sense in senses.items() if n in ambiguous or len(phrases[n].senses) > 1]
            if ambiguous and name_text:
                labels.append(_("name “{name}”").format(name=name_text))
            spans = tuple(sorted((*self.parts.spans, *_spans(self.grammar, phrases, name, senses))))
            for label, element in self._elements(name_text, senses, spans):
                if isinstance(element, LineError):
                    yield element
                else:
                    yield Parse(element, join([*labels, label] if label else labels), spans, has_stat)

    def _senses(self, name: frozenset[int]) -> Iterator[dict[int, WordMeaning]]:
        """The combinations of what words can mean. A noun has a meaning even in the name."""
        phrases = self.parts.phrases
        words = [n for n, phrase in enumerate(phrases) if phrase.kind == "noun" or (phrase.is_word and n not in name)]
        for senses in islice(product(*(phrases[n].senses for n in words)), MAX_PARSES):
            yield dict(zip(words, senses, strict=True))

    def _elements(
        self, name: str, senses: Mapping[int, WordMeaning], spans: tuple[Span, ...]
    ) -> Iterator[tuple[str, Element | LineError]]:
        """The elements that the words make with these senses, each with what distinguishes it, or the errors."""
        forms = _forms(self.parts.phrases, senses)
        if isinstance(forms, LineError):
            yield "", forms
            return
        for label, profile in self.grammar.build(forms):
            data = {"name": name, "quantity": self.parts.quantity, **profile}
            try:
                yield label, self.grammar.element.model_validate(data)
            except ValidationError as error:
                yield from (("", each) for each in self._errors(error, senses, spans))

    def _errors(
        self, error: ValidationError, senses: Mapping[int, WordMeaning], spans: tuple[Span, ...]
    ) -> Iterator[LineError]:
        """The errors of an element, each at the part of the line that sets the invalid value, else at all of it."""
        for line in error.errors(include_url=False):
            key = str(line["loc"][0]) if line["loc"] else ""
            words = [phrase[:2] for phrase in _setters(self.parts.phrases, senses, key)]
            others = [span[:2] for span in spans if span.kind == {"quantity": "count", "name": "name"}.get(key)]
            start, end = [*words, *others, (0, len(self.text))][0]
            yield LineError(start, end, join((f"“{self.text[start:end]}”", error_message(line)), " "))


def _names(plan: _NamePlan) -> list[frozenset[int]]:
    """Every name that a line may have, the shortest first: then most of the line is understood."""
    if len(plan.choices) > 3:
        return [plan.name, plan.name.union(*plan.choices)]
    names = (
        plan.name.union(*(choice for choice, added in zip(plan.choices, picks, strict=True) if added))
        for picks in product((False, True), repeat=len(plan.choices))
    )
    return [*dict.fromkeys(names)]


def _forms(phrases: Sequence[Phrase], senses: Mapping[int, WordMeaning]) -> list[ProfileData] | LineError:
    """The settings of each form of the element; or the error of a word that sets the same as another one."""
    forms: list[ProfileData] = [{}]
    ambiguous: set[str] = set()
    for index, sense in senses.items():
        if phrases[index].starts_form:
            forms.append({})
            ambiguous = set()
        form = forms[-1]
        for key, value, appends in sense.settings:
            if appends:
                form.setdefault(key, []).append(value)
            elif key not in form or (form[key] == value and (key in ambiguous or len(phrases[index].senses) > 1)):
                form[key] = value
            else:
                phrase, first = phrases[index], next(_setters(phrases, senses, key))
                message = _("“{text}” sets again what “{first}” sets; a name can be in quotation marks")
                return LineError(phrase.start, phrase.end, message.format(text=phrase.text, first=first.text))
        ambiguous |= phrases[index].keys if len(phrases[index].senses) > 1 else set()
    return forms


def _setters(phrases: Sequence[Phrase], senses: Mapping[int, WordMeaning], key: str) -> Iterator[Phrase]:
    """The words that set a key."""
    return (phrases[n] for n, sense in senses.items() if any(each.key == key for each in sense.settings))


def _name_of(text: str, phrases: Sequence[Phrase], name: frozenset[int]) -> str:
    """The name: what is quoted, else the words as they are typed, with single spaces."""
    parts: list[str] = []
    for index in sorted(name):
        if phrases[index].kind == "quoted":
            return phrases[index].text
        between = text[phrases[index - 1].end : phrases[index].start] if index - 1 in name else " "
        parts += [between, phrases[index].text]
    return _trimmed("".join(parts))


def _trimmed(name: str) -> str:
    """A name as it is read without quotation marks: with single spaces, without a dash before or behind it, "with"
    before it, a colon at its end, or brackets around it.
    """
    name = re.sub(r"^(?:[-–—] |with )+|(?: [-–—])+$", "", " ".join(name.split()).rstrip(" :\uff1a"))
    in_brackets = re.fullmatch(r"\(([^()]*\w[^()]*)\)", name)
    return in_brackets[1].strip() if in_brackets else name


def _has_stat(grammar: Grammar, phrases: Sequence[Phrase], name: frozenset[int]) -> bool:
    """Whether a number beside a stat, "engine 4" or "E 3", is part of a name without quotation marks; or in a line of
    numbered stats one beside a small letter's word that is not all of the name, "frigate beam 3".
    """
    pairs = [(phrases[n], phrases[n + 1]) for n in name if n + 1 in name]
    among_stats = len(name) > 2 and any(phrase.kind == "number" for phrase in phrases)
    return any(
        _is_stat(grammar, *pair) or (among_stats and pair[0].text.islower() and pair[1].text.isdecimal())
        for one, other in pairs
        for pair in ((one, other), (other, one))
    )


def _is_stat(grammar: Grammar, phrase: Phrase, number: Phrase) -> bool:
    if not number.text[-1:].isdecimal():
        return False
    word, _kind = grammar.spellings.get(fold(phrase.text).rstrip(":="), (None, None))
    return word is not None and word.is_stat and fold(number.text).removeprefix("-").isdecimal()


def _is_guess(grammar: Grammar, phrase: Phrase) -> bool:
    """Whether a word is understood from so few letters that it may be meant as another one."""
    is_short = phrase.kind in ("choice", "ability") and len(phrase.text) <= MAX_GUESS
    return is_short and spelled(phrase.text) not in grammar.full_spellings


def _spans(
    grammar: Grammar, phrases: Sequence[Phrase], name: frozenset[int], senses: Mapping[int, WordMeaning]
) -> Iterator[Span]:
    for n, sense in senses.items():
        if n not in name:
            yield Span(*phrases[n][:2], "guess" if _is_guess(grammar, phrases[n]) else "word", sense.label)
    for index in sorted(name):
        if index - 1 not in name:
            last = next(n for n in count(index) if n + 1 not in name)
            yield Span(phrases[index].start, phrases[last].end, "name", _("Name"))


MAX_LISTED = 8
"""An error lists the codes that may stand there if they are no more."""


def _option_codes(grammar: Grammar) -> tuple[str, ...]:
    """The codes of the options of a game with few of them."""
    options = (word for word in grammar.words if word.senses and word.senses[0].settings[0].key in grammar.options)
    codes = tuple(word.codes[0] for word in options if word.codes)
    return codes if len(codes) <= MAX_LISTED else ()


def parse_options(grammar: Grammar, element: ElementT, text: str) -> ElementT:
    """The element with the options that a text gives, in the words of quick add. Raises `InvalidArgument`."""
    kinds = {word.senses[0].settings[0].value: word.main_spelling for word in grammar.types}
    kind = kinds.get(getattr(element, grammar.required), "") if grammar.required else ""
    phrases = phrases_of(grammar, f"{kind} {text}")[bool(kind) :]
    for phrase in phrases:
        if phrase.error:
            raise InvalidArgument(phrase.error.message, phrase.error.expected)
        if not phrase.keys or any(key.partition(".")[0] not in grammar.options for key in phrase.keys):
            raise InvalidArgument(_("“{text}” is not known here").format(text=phrase.text), _option_codes(grammar))
        if len(phrase.senses) > 1:
            senses = join(sense.label for sense in phrase.senses)
            raise InvalidArgument(_("“{text}” may be one of these: {senses}").format(text=phrase.text, senses=senses))
    forms = _forms(phrases, {index: phrase.senses[0] for index, phrase in enumerate(phrases)})
    if isinstance(forms, LineError):
        raise InvalidArgument(forms.message)
    others = {key: value for key, value in write_element(element).items() if key not in grammar.options}
    try:
        return element.model_validate({**others, **next(iter(grammar.build(forms)))[1]})
    except ValidationError as error:
        raise InvalidArgument(error_message(error.errors(include_url=False)[0])) from None


def add_options(grammar: Grammar, element: ElementT, text: str) -> ElementT:
    """The element with more options; those that it has stay as they are. Raises `InvalidArgument`."""
    own = [*grammar.write_options(element)]
    added = (word for word in grammar.write_options(parse_options(grammar, element, text)) if word not in own)
    return parse_options(grammar, element, " ".join((*own, *added)))


# ---------------------------------------------------------------- writing


def write_line(grammar: Grammar, element: Element) -> str:
    """The shortest line of codes and full words that reads back to an element, apart from id, notes, secret and marks.

    Abbreviations are left out: a word that is added later would make them ambiguous. Raises `IndescribableElement`.
    """
    bare = element.replace(id=None, notes="", secret=False, marks=())
    number = [str(element.quantity)] if element.quantity != 1 else []
    words, name = [*grammar.write(element)], element.name
    orders = [[*number, *words, name], [*number, name, *words]] if name else [[*number, *words]]
    if name != _trimmed(name):  # only quotation marks keep its spaces
        orders = []
    *plain, quoted = (" ".join(order) for order in (*orders, [*number, *words, quote(name)]))
    if any(category(character) in ("Cc", "Zl", "Zp") for character in quoted):
        raise IndescribableElement(_("A text of this element has line breaks or control characters."))
    for candidate in filter(_stands_in_a_list, (*plain, quoted)):
        line = parse_line(grammar, candidate, pasted=True, meant=bare)
        if line.total is None and line.element == bare:
            return candidate
    raise IndescribableElement(_("No line describes this element."))


def _stands_in_a_list(text: str) -> bool:
    """Whether a line is no heading, bullet or comment of a list."""
    return re.match(r'[\w"~]|-\d', text) is not None and not text.endswith(":")
