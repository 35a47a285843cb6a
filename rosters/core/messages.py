"""Messages: English text that keeps its template and its values, so that it can be shown in another language.

PURE: the standard library only. `_` and `ngettext` are named as gettext's, so that `makemessages` finds what they mark.
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
    """English text with the ``template`` it was made from, the template's ``plural``, and its ``values`` by name.

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


_PLACE = re.compile(r"\{(\w+)\}")


def _fill(template: str, values: Mapping[str, str | int]) -> str:
    """Fill in values of a template that may come from a backup, and so from anybody: `str.format` follows attributes
    and pads to any width.
    """
    return _PLACE.sub(lambda place: str(values.get(place[1], place[0])), template)


@lru_cache(8192)
def _(text: str) -> Message:
    """Mark a text for translation. ``_("Gun factor, {gun}").format(gun=name)`` fills in values."""
    return Message(text)


@lru_cache(8192)
def ngettext(one: str, many: str, number: int) -> Message:
    """The message for a number: ``ngettext("{n} ship", "{n} ships", n).format(n=n)``."""
    return Message(one if number == 1 else many, one, Plural(many, number))


def join(parts: Iterable[str], separator: str = ", ") -> Message:
    """Join texts, messages among them, into one message."""
    texts = [*parts]
    names = [f"part{number}" for number in range(len(texts))]
    template = separator.join(f"{{{name}}}" for name in names)
    return Message(separator.join(texts), template, None, dict(zip(names, texts, strict=True)))


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


def to_data(message: Message) -> dict[str, Any]:
    """The id and the values of a message as JSON data, as revisions store them beside the text.

    An id equal to the text is left out.
    """
    data: dict[str, Any] = {} if message.template == message else {"id": message.template}
    if message.plural:
        data["plural"] = [*message.plural]
    if message.values:
        data["values"] = {
            name: {"text": value, **to_data(value)} if isinstance(value, Message) else value
            for name, value in message.values.items()
        }
    return data


def from_data(text: str, data: Any, depth: int = 0) -> Message:
    """The message of a text and `to_data`'s result.

    Raises ValueError for anything else, such as a forged history: id and values must give the text, which bounds them.
    """
    if not (isinstance(text, str) and isinstance(data, dict)) or depth > MAX_DEPTH:
        raise ValueError("not a message")
    template, plural, values = data.get("id", text), None, data.get("values", {})
    if "plural" in data:
        many, number = data["plural"]
        if not isinstance(many, str) or type(number) is not int:
            raise ValueError("not a plural")
        plural = Plural(many, number)
    if not (isinstance(template, str) and isinstance(values, dict)):
        raise ValueError("not a message")
    read = {name: _value(value, depth + 1) for name, value in values.items()}
    english = plural.template if plural and plural.number != 1 else template
    length = sum(len(str(read.get(place[1], place[0]))) for place in _PLACE.finditer(english))
    if length > len(text) or _fill(english, read) != text:
        raise ValueError("another text")
    return Message(text, template, plural, read)


def _value(value: Any, depth: int) -> str | int:
    if isinstance(value, dict):
        return from_data(value.get("text", ""), value, depth)
    if type(value) not in (str, int):
        raise ValueError("not a value")
    plain: str | int = value
    return plain


def collect(data: Any) -> dict[str, dict[str, Any]]:
    """`to_data` of every message in JSON data, by its text; those without values, which are their own id, left out."""
    if isinstance(data, Message):
        return {str(data): stored} if (stored := to_data(data)) else {}
    items = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else ()
    return {text: stored for item in items for text, stored in collect(item).items()}


TEXT_KEYS = ("label", "message", "text")
"""Keys of JSON data whose texts rules wrote: all of them are messages."""


def restore(data: Any, stored: Mapping[str, Any]) -> Any:
    """JSON data with its messages, by `collect`'s result; a text with invalid data is its own id."""
    messages: dict[str, Message] = {}
    for text, each in stored.items():
        with suppress(ValueError, TypeError):
            messages[text] = from_data(text, each)

    def restored(value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return messages.get(value) or Message(value) if key in TEXT_KEYS else value
        if isinstance(value, dict):
            return {name: restored(item, name) for name, item in value.items()}
        return [restored(item) for item in value] if isinstance(value, list) else value

    return restored(data)
