"""Messages: English text that keeps its template and its values, so that it can be shown in another language.

`_` and `ngettext` are named as gettext's, so that `makemessages` finds what they mark.
A message is its English text wherever text is expected: in documents, in the API, in comparisons. It is translated at
the edge: by `translate`, or by a template, which escapes a message through ``__html__``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple


class Plural(NamedTuple):
    """The form of a template for numbers other than 1, and the number that decides."""

    template: str
    number: int


class Message(str):
    """English text with its ``template``, the template's ``plural``, and its ``values`` by name.

    ``template`` and ``plural`` are the ids of the message in a catalogue. A value may be a message itself.
    """

    __slots__ = ("plural", "template", "values")

    template: str
    plural: Plural | None
    values: Mapping[str, str | int]

    def __new__(
        cls,
        text: str,
        template: str | None = None,
        plural: Plural | None = None,
        values: Mapping[str, str | int] | None = None,
    ) -> Message:
        self = super().__new__(cls, text)
        self.template, self.plural, self.values = text if template is None else template, plural, values or {}
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.template, self.plural, self.values

    def __html__(self) -> str:
        return escape(translate(self))

    def format(self, **values: str | int) -> Message:  # type: ignore[override]  # by name only: translators reorder
        """The message with its values filled in, as ``{name}``."""
        return Message(str.format(self, **values), self.template, self.plural, values)


_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def _fill(template: str, values: Mapping[str, str | int]) -> str:
    """Fill in values of a template that may come from a backup, and so from anybody: `str.format` follows attributes
    and pads to any width.
    """
    return _PLACEHOLDER.sub(lambda place: str(values.get(place[1], place[0])), template)


@lru_cache(8192)  # 8 % of an appraisal
def _(text: str) -> Message:
    """Mark a text for translation. ``_("Gun factor, {gun}").format(gun=name)`` fills in values."""
    return Message(text)


def ngettext(one: str, many: str, number: int) -> Message:
    """The message for a number: ``ngettext("{n} ship", "{n} ships", n).format(n=n)``."""
    return Message(one if number == 1 else many, one, Plural(many, number))


def join(parts: Iterable[str], separator: str = ", ") -> Message:
    """Join texts, messages among them, into one message."""
    texts = [*parts]
    template, names = _joined(len(texts), separator)
    return Message(separator.join(texts), template, None, dict(zip(names, texts, strict=True)))


@lru_cache(64)  # 9 % of an appraisal in 6MM
def _joined(number: int, separator: str) -> tuple[str, tuple[str, ...]]:
    """The template of so many joined texts, and the names of its values."""
    names = tuple(f"part{each}" for each in range(number))
    return separator.join(f"{{{name}}}" for name in names), names


def join_names(names: Iterable[str]) -> str:
    """Join names as in a sentence: "F, FL and FR"."""
    *most, last = [*names] or [""]
    return _("{names} and {last}").format(names=join(most), last=last) if most else last


# ---------------------------------------------------------------- the edge


class Translator(NamedTuple):
    """A catalogue's two functions, as gettext names them."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]


_translator: Translator | None = None


def install(translator: Translator | None) -> None:
    """Use a translator from now on. Without one, messages stay English."""
    global _translator  # noqa: PLW0603 - one for the process, as with gettext.install
    _translator = translator


def translate(text: str) -> str:
    """A message in the translator's language; any other text as it is."""
    if _translator is None or not isinstance(text, Message) or not text.template:
        return text  # a catalogue's entry for "" is its header
    template = _translator.ngettext(text.template, *text.plural) if text.plural else _translator.gettext(text.template)
    values = {name: translate(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return _fill(template, values) if values else template


# ---------------------------------------------------------------- JSON

MAX_DEPTH = 8
"""The deepest nesting of values that is read."""

TEXT_KEYS = ("label", "message", "text")
"""Keys of JSON data whose texts rules wrote: all of them are messages."""


def messages_in(data: Any) -> dict[str, Message]:
    """Every message in JSON data by its text; a message without values is its own id and left out."""
    return {text: text for text in _texts(data, []) if isinstance(text, Message) and (text.plural or text.values)}


def restore_messages(data: Any, stored: list[Any]) -> Any:
    """JSON data with its messages, each stored by `to_data`. Invalid items, such as forged ones, are left out."""
    texts, messages = {*_texts(data, [])}, {}
    max_length = max(map(len, texts), default=0)
    for each in stored:
        with suppress(ValueError, TypeError, IndexError):
            if (message := from_data(each, max_length)) in texts:
                messages[str(message)] = message

    def restored(value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return messages.get(value) or Message(value) if key in TEXT_KEYS else value
        if isinstance(value, dict):
            return {name: restored(item, name) for name, item in value.items()}
        return [restored(item) for item in value] if isinstance(value, list) else value

    return restored(data)


def _texts(data: Any, texts: list[str]) -> list[str]:
    """Add the texts in JSON data to those that are found."""
    if isinstance(data, Mapping):
        for name, item in data.items():
            if not isinstance(item, str):
                _texts(item, texts)
            elif name in TEXT_KEYS:
                texts.append(item)
    elif isinstance(data, (list, tuple)):
        for item in data:
            _texts(item, texts)
    return texts


def to_data(message: Message) -> list[Any]:
    """A message as JSON data, as revisions store it: its template, then its values in the order of their places.

    Of a plural, both templates and the number; a value is text, a number, or a message as data. The text is left out.
    """
    template = [message.template, *message.plural] if message.plural else message.template
    values = (message.values.get(name) for name in _value_names(message.template, message.plural))
    return [template, *(to_data(value) if isinstance(value, Message) else value for value in values)]


def from_data(data: Any, max_length: int, depth: int = 0) -> Message:
    """The message of `to_data`'s result, if its text and its values have at most ``max_length`` characters.

    Raises ValueError, TypeError or IndexError for anything else.
    """
    if not isinstance(data, list) or depth > MAX_DEPTH:
        raise ValueError("not a message")
    template, plural = data[0], None
    if isinstance(template, list):
        template, many, number = template
        if not isinstance(many, str) or type(number) is not int:
            raise ValueError("not a plural")
        plural = Plural(many, number)
    if not isinstance(template, str):
        raise ValueError("not a template")
    names = _value_names(template, plural)
    values = {name: _value(value, max_length, depth) for name, value in zip(names, data[1:], strict=True)}
    english = plural.template if plural and plural.number != 1 else template
    if sum(len(str(values[place[1]])) for place in _PLACEHOLDER.finditer(english)) > max_length:
        raise ValueError("too long")
    return Message(_fill(english, values), template, plural, values)


def _value_names(template: str, plural: Plural | None) -> Iterable[str]:
    """The names of a message's values, in the order of their first places."""
    return dict.fromkeys(_PLACEHOLDER.findall(template + plural.template if plural else template))


def _value(value: Any, max_length: int, depth: int) -> str | int:
    if isinstance(value, list):
        return from_data(value, max_length, depth + 1)
    if type(value) not in (str, int):
        raise ValueError("not a value")
    plain: str | int = value
    return plain
