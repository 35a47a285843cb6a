"""Messages: English text that keeps its template and its values, so that it can be shown in another language.

PURE: the standard library only. `_` and `ngettext` are named as gettext's, so that `makemessages` finds what they mark.
A message is its English text wherever text is expected: in documents, in the API, in comparisons. It is translated at
the edge: by `translate`, or by a template, which escapes a message through ``__html__``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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
        return Message(_fill(str(self), values), self.template, self.plural, values)


_PLACE = re.compile(r"\{(\w+)\}")


def _fill(template: str, values: Mapping[str, str | int]) -> str:
    """Fill in values. Not `str.format`, which follows attributes and pads to any width: a backup's templates may be
    anybody's.
    """
    return _PLACE.sub(lambda place: str(values.get(place[1], place[0])), template)


def _(text: str) -> Message:
    """Mark a text for translation. ``_("Gun factor, {gun}").format(gun=name)`` fills in values."""
    return Message(text)


def ngettext(one: str, many: str, number: int) -> Message:
    """The message for a number: ``ngettext("{n} ship", "{n} ships", n).format(n=n)``."""
    return Message(one if number == 1 else many, one, Plural(many, number))


def join(parts: Iterable[str], separator: str = ", ") -> Message:
    """Join texts, messages among them, into one message."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    template = separator.join(f"{{{name}}}" for name in values)
    return Message(_fill(template, values), template, None, values)


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


def to_data(message: Message) -> dict[str, Any]:
    """The id and the values of a message as JSON data, as revisions store them beside the text."""
    data: dict[str, Any] = {"id": message.template}
    if message.plural:
        data["plural"] = [*message.plural]
    if message.values:
        data["values"] = {
            name: {"text": value, **to_data(value)} if isinstance(value, Message) else value
            for name, value in message.values.items()
        }
    return data


def from_data(text: str, data: Mapping[str, Any]) -> Message:
    """The message of a text and `to_data`'s result."""
    plural = Plural(*data["plural"]) if "plural" in data else None
    return Message(text, data["id"], plural, {name: _value(value) for name, value in data.get("values", {}).items()})


def _value(value: Any) -> str | int:
    return from_data(value["text"], value) if isinstance(value, dict) else value
