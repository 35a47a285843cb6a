"""The roster document, version 1: reading, writing, and its JSON Schema.

A document is either read completely or rejected with all its errors and their paths. An illegal roster
is read too: legality is decided by the appraisal, not by the reader.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar, Union
from uuid import uuid4

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, create_model

from rosters.core.messages import Message, _
from rosters.core.rulebook import Scenario, Words
from rosters.core.values import (
    MAX_CODE,
    MAX_ID,
    Count,
    Crest,
    FrozenModel,
    Identifier,
    JsonList,
    Name,
    Notes,
    Number,
    Options,
    Profile,
    value_error,
)

FORMAT = "armybuilder-roster"
VERSION = 1
MAX_BYTES = 1_048_576
MAX_DEPTH = 100
MAX_FAULTS = 10_000
"""A document with more errors gets only their number: a megabyte can hold half a million of them."""

TOO_LARGE = _("is {size} bytes long; at most {most} are read")
TOO_SHORT = _("is not JSON: it ends too early, at line {line}, column {column}")
UNCLOSED = _("is not JSON: the quotation mark at line {line}, column {column} is never closed")
UNEXPECTED = _("is not JSON: {found} is unexpected at line {line}, column {column}")
NOT_UTF8 = _("is not UTF-8 (byte {number})")
TOO_DEEP = _("is nested too deeply")
TOO_MANY_FAULTS = _("has {number} faults; at most {most} are listed")


class Limit(NamedTuple):
    """The most that a document may hold of something: in one list (None: no limit of its own), and in the roster."""

    label: str
    per_element: int | None
    in_all: int


LIMITS: Mapping[str, Limit] = {
    "formations": Limit(_("formations"), None, 250),
    "elements": Limit(_("elements"), None, 1_000),
    "capabilities": Limit(_("abilities"), 40, 3_000),
    "custom": Limit(_("custom abilities"), None, 300),
    "duplicates": Limit(_("alternate stands"), 10, 1_000),
    "weapons": Limit(_("weapons"), 40, 5_000),
    "traits": Limit(_("traits"), 40, 3_000),
    "powers": Limit(_("super powers"), 40, 3_000),
    "marks": Limit(_("damaged models"), 1_000, 10_000),
    "states": Limit(_("states of figures"), 40, 10_000),
    "text": Limit(_("characters of text"), None, 200_000),
}
"""The limits of every list, map or text by its key in documents, and of all texts together but ids.

They apply to incoming documents and to edits that add something. Each is at least four times the largest known roster;
documents stored under larger limits are still read.
"""


class Fault(NamedTuple):
    """An error in a document: its path, with slashes ("" is the document itself), and a Message."""

    path: str
    message: str


class InvalidDocument(Exception):
    """The document cannot be read. ``faults`` lists every error."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path or 'document'}: {fault.message}" for fault in faults))
        self.faults = faults


def invalid(message: Message, **values: str | int) -> InvalidDocument:
    """The exception for a document with one error that has no path."""
    return InvalidDocument([Fault("", message.format(**values))])


# ---------------------------------------------------------------- the values


def _iso_time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise value_error(_("must be an ISO time such as 2026-11-21T10:00:00Z")) from None
    return text


class Element(Profile):
    """One line of a roster: a name, a quantity and a profile.

    Each system's own class adds its Profile: ``class Ship(Element, Profile)``, with its own marks.
    """

    id: Identifier | None = None
    name: Name
    quantity: Count = 1
    notes: Notes = ""
    secret: bool = False
    marks: JsonList[Any] = ()

    unnamed: ClassVar[str] = _("Unnamed element")

    @property
    def display_name(self) -> str:
        """The name, or what it is if it has none."""
        return self.name if self.name.strip() else self.type_name or self.unnamed

    @property
    def type_name(self) -> str:
        """What it is in one word, such as its kind: a Message; "" if the game has no such word."""
        return ""

    @cached_property
    def json_text(self) -> str:
        """The element as JSON text. Most elements of a roster stay the same from one save to the next."""
        return dumps(write_element(self))

    @cached_property
    def identity(self) -> str:
        """What two elements of one game share if they are the same models: the name, whatever its case and spaces, and
        the profile, with its lists in any order. Quantity, notes, damage and secrecy do not matter.

        The name counts, because many different miniatures have the same profile: 6MM has one for all average muskets.
        """
        name = " ".join(self.name.split()).casefold()
        return json.dumps([name, _in_any_order(profile_of(self))], ensure_ascii=False, sort_keys=True)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """`_counts_of` one element."""
        return _counts_of({"elements": [write_element(self)]})


ElementT = TypeVar("ElementT", bound=Element)
OptionsT = TypeVar("OptionsT", bound=Options)


class Formation(FrozenModel, Generic[ElementT]):
    """A group of elements: a unit, a command, a fleet, a warband or a detachment."""

    id: Identifier | None = None
    name: Name
    notes: Notes = ""
    elements: JsonList[ElementT] = ()

    @cached_property
    def json_text(self) -> str:
        """The formation as JSON text."""
        emptied = dumps(_formation_head(self) | {"elements": []})
        return f"{emptied.removesuffix(']}')}{','.join(element.json_text for element in self.elements)}]}}"

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """`_counts_of` one formation with its elements."""
        return _sums([_counts_of({"formations": [_formation_head(self)]}), *(each.counts for each in self.elements)])


class Document(FrozenModel, Generic[ElementT, OptionsT]):
    """A complete roster: its house rules and the profile of every element."""

    SIDES: ClassVar[Mapping[str, frozenset[str]]] = {}

    format: Literal["armybuilder-roster"]
    version: Annotated[int, Field(ge=VERSION, le=VERSION)]
    name: Name
    system: str
    budget: Number | None = None
    scenario: str | None = None
    side: str | None = None
    options: OptionsT
    notes: Notes = ""
    crest: Crest | None = None
    changed: Annotated[str, AfterValidator(_iso_time)] | None = None
    formations: JsonList[Formation[ElementT]]

    @property
    def elements(self) -> list[ElementT]:
        """The elements of all formations, in their order."""
        return [element for formation in self.formations for element in formation.elements]

    @cached_property
    def elements_by_id(self) -> dict[str | None, ElementT]:
        """The elements of all formations by id, in their order."""
        return {element.id: element for formation in self.formations for element in formation.elements}


AnyDocument = Document[Any, Any]


class Rules(Protocol):
    """The part of a rulebook that reading a document needs."""

    @property
    def Element(self) -> type[Element]: ...
    @property
    def Options(self) -> type[Options]: ...
    @property
    def SCENARIOS(self) -> Mapping[str, Scenario]: ...
    @property
    def WORDS(self) -> Words: ...


def document_type(system: str, rules: Rules) -> type[AnyDocument]:
    """The Document class of one system, with that system's elements."""
    sides = {slug: frozenset(scenario.sides) for slug, scenario in rules.SCENARIOS.items()}
    fields: dict[str, Any] = {
        "system": (Literal[system], ...),
        "budget": (Number | None if rules.WORDS.has_points else None, None),
        "scenario": (_one_of(sides), None),
        "side": (_one_of(frozenset().union(*sides.values())), None),
        "options": (rules.Options, rules.Options()),
    }
    base = Document[rules.Element, rules.Options]  # type: ignore[name-defined]
    model = create_model(f"{rules.Element.__name__}Roster", __base__=base, **fields)
    model.SIDES = sides
    return model


def _one_of(names: Iterable[str]) -> Any:
    return Literal[tuple(sorted(names))] | None if names else None


def new_id() -> str:
    """An id for a formation or an element, unique in any roster."""
    return uuid4().hex[:12]


# ---------------------------------------------------------------- reading


def parse(text: str | bytes) -> Any:
    """Parse JSON. Raises InvalidDocument if it is too large, not UTF-8, or not JSON."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(raw) > MAX_BYTES:
        raise invalid(TOO_LARGE, size=f"{len(raw):,}", most=f"{MAX_BYTES:,}")
    try:
        data = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique_keys)
    except UnicodeDecodeError as error:
        raise invalid(NOT_UTF8, number=error.start) from None
    except json.JSONDecodeError as error:
        text = UNCLOSED if error.msg.startswith("Unterminated") else UNEXPECTED if error.doc[error.pos :] else TOO_SHORT
        unexpected = repr(error.doc[error.pos : error.pos + 1])[1:-1]
        raise invalid(text, found=unexpected, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise invalid(TOO_DEEP) from None
    except ValueError as error:  # args[0] is the Message of _unique_keys, or Python's about int_max_str_digits
        reason = error.args[0] if isinstance(error.args[0], Message) else _("a number has too many digits")
        raise invalid(_("is not usable JSON: {error}"), error=reason) from None
    if _is_deep(data):
        raise invalid(TOO_DEEP)
    return data


def _is_deep(data: Any) -> bool:
    """Whether data is nested deeper than MAX_DEPTH. Python's own limit differs between versions."""
    level = [data]
    for _depth in range(MAX_DEPTH + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [item for each in containers for item in (each.values() if isinstance(each, dict) else each)]
    return bool(level)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _value in pairs).items() if times > 1)
        raise ValueError(_("the key {key} stands twice in one object").format(key=repr(twice[:60])))
    return unique


def read(
    data: Any,
    types: Mapping[str, type[AnyDocument]],
    *,
    limited: bool = False,
    before: dict[str, Any] | None = None,
) -> AnyDocument:
    """Read a document from parsed JSON. ``types`` maps each system to its Document class.

    An incoming document is ``limited``, with ``before`` as the one it replaces; a stored one is not. Raises
    InvalidDocument with all errors at once, up to MAX_FAULTS; only with the exceeded limits if there are any.
    """
    if not isinstance(data, dict):
        raise invalid(_("must be an object"))
    if limited and (beyond := [*islice(check_limits(data, before), MAX_FAULTS)]):
        raise InvalidDocument(beyond)  # reading the rest could take seconds
    system = data.get("system")
    document_class = types.get(system) if isinstance(system, str) else None
    unknown = Fault("system", _("must be one of {codes}").format(codes=", ".join(types)))
    faults = [] if document_class else [unknown]
    try:
        if document_class:
            document = document_class.model_validate(data)
        else:
            document = _UNKNOWN.model_validate({**data, **_UNKNOWN_ROOT})
    except ValidationError as error:
        if (count := error.error_count()) > MAX_FAULTS:
            raise invalid(TOO_MANY_FAULTS, number=f"{count:,}", most=f"{MAX_FAULTS:,}") from None
        faults += [fault(line) for line in error.errors(include_url=False)]
    faults += [*_check_across_values(data), *_check_side(data, document_class.SIDES if document_class else {})]
    if faults:
        raise InvalidDocument(faults)
    return document


_UNKNOWN, _UNKNOWN_ROOT = Document[Any, Any], {"system": "", "options": {}}
"""Reads the keys that all systems share, for the errors of a document whose system is unknown."""


def fault(line: Any) -> Fault:
    """One of pydantic's errors with its path and our message."""
    unreadable_key = line["loc"][-1:] == ("[key]",) and line["type"] != "extra_forbidden"
    place = line["loc"][:-1] if unreadable_key else line["loc"]
    return Fault("/".join(str(part).encode("utf-8", "replace").decode() for part in place), error_message(line))


def error_message(error: Any) -> str:
    """The Message of one of pydantic's errors; pydantic's own English text if there is none."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":  # pydantic lists codes as "'a', 'b' or 'c'"
        *most, last = context["expected"].rsplit(" or ", 1)
        either = _("must be {codes} or {last}")
        return either.format(codes=most[0], last=last) if most else _("must be {code}").format(code=last)
    message: str = context["message"] if kind == "message" else error["msg"]
    return MESSAGES[kind].format(**context) if kind in MESSAGES else message


MESSAGES: Mapping[str, Message] = {
    "extra_forbidden": _("is not a key that is known here"),
    "missing": _("is missing"),
    "string_type": _("must be text"),
    "string_unicode": _("must be valid Unicode text"),
    "string_pattern_mismatch": _("must not hold a NUL character"),
    "string_too_long": _("is longer than {max_length} characters"),
    "string_too_short": _("must not be empty"),
    "int_type": _("must be a whole number"),
    "int_from_float": _("must be a whole number"),
    "bool_type": _("must be true or false"),
    "tuple_type": _("must be a list"),
    "dict_type": _("must be an object"),
    "model_type": _("must be an object"),
    "model_attributes_type": _("must be an object"),
    "none_required": _("must be null"),
    "greater_than_equal": _("must be at least {ge}"),
    "less_than_equal": _("must be at most {le}"),
}
"""Our messages for pydantic's error types; others keep pydantic's own message."""


def _check_side(data: dict[str, Any], sides: Mapping[str, frozenset[str]]) -> Iterator[Fault]:
    scenario, side = data.get("scenario"), data.get("side")
    if isinstance(side, str) and any(side in names for names in sides.values()):
        of_scenario = sides.get(scenario, frozenset()) if isinstance(scenario, str) else frozenset()
        if side not in of_scenario:
            message = _("{side} is not a side of the scenario {scenario}")
            yield Fault("side", message.format(side=repr(side), scenario=repr(scenario or "null")))


def _check_across_values(data: dict[str, Any]) -> Iterator[Fault]:
    """Errors that concern more than one value. Accepts any data, so that all errors are reported at once."""
    elements = list(_objects(data))
    ids: set[str] = set()
    for path, item in elements:
        identifier = item.get("id")
        if isinstance(identifier, str) and identifier in ids:
            yield Fault(f"{path}/id", _("{id} stands twice in this roster").format(id=repr(identifier[:36])))
        ids |= {identifier} if isinstance(identifier, str) else set()
        marks, quantity = item.get("marks"), item.get("quantity", 1)
        if isinstance(marks, list) and isinstance(quantity, int) and len(marks) > max(quantity, 0):
            message = _("are for {models} models, but the quantity is {quantity}")
            yield Fault(f"{path}/marks", message.format(models=len(marks), quantity=quantity))


def _objects(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, formation in _items(data, "formations", ""):
        yield path, formation
        yield from _items(formation, "elements", f"{path}/")


def _items(data: dict[str, Any], key: str, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    items = data.get(key)
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield f"{prefix}{key}/{index}", item


# ---------------------------------------------------------------- limits


class _Contents:
    """The number of items of each kind, the number of characters, and the lists that are longer than their limit.

    A list is named by the id of the object that holds it, by its path if that has none, and by its key.
    """

    def __init__(self, data: Any) -> None:
        self.in_all: Counter[str] = Counter()
        self.long: dict[tuple[str, str], tuple[str, int]] = {}
        self._add_object(data, "", "")

    def _add_object(self, data: dict[str, Any], path: str, owner: str) -> None:
        identifier = data.get("id")
        owner = identifier if isinstance(identifier, str) and 0 < len(identifier) <= MAX_ID else owner
        for key, value in data.items():
            if len(key) > MAX_CODE:
                continue  # no known key; in each path below it, it would take the memory of all of them
            if isinstance(value, str):
                self.in_all["text"] += len(value) if key != "id" else 0
                self.in_all[key] += 1
            elif isinstance(value, list):
                self._count(key, value, f"{path}{key}", owner)
                self._add_items(value, f"{path}{key}/", f"{owner}/{key}/")
            elif isinstance(value, dict):
                self._count(key, value, f"{path}{key}", owner)
                self.in_all["text"] += sum(map(len, value)) if key in LIMITS else 0
                self._add_object(value, f"{path}{key}/", f"{owner}/{key}/")

    def _add_items(self, items: list[Any], path: str, owner: str) -> None:
        for index, item in enumerate(items):
            if isinstance(item, str):
                self.in_all["text"] += len(item)
            elif isinstance(item, dict):
                self._add_object(item, f"{path}{index}/", f"{owner}{index}/")

    def _count(self, key: str, items: Sized, place: str, owner: str) -> None:
        self.in_all[key] += len(items)
        limit = LIMITS[key].per_element if key in LIMITS else None
        if limit is not None and len(items) > limit:
            self.long[owner, key] = place, len(items)


def _counts_of(data: dict[str, Any]) -> tuple[int, ...]:
    """How many lists are longer than their limit, and how much there is of everything in LIMITS."""
    contents = _Contents(data)
    return (len(contents.long), *(contents.in_all[key] for key in LIMITS))


def _sums(counts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))


def _counts(document: AnyDocument) -> tuple[int, dict[str, int]]:
    """`_counts_of` a document, from those cached on its formations: the long lists and what there is of each kind."""
    long, *in_all = _sums([_counts_of(_write_head(document)), *(each.counts for each in document.formations)])
    return long, dict(zip(LIMITS, in_all, strict=True))


def check_limits_of_edit(document: AnyDocument, before: AnyDocument) -> Iterator[Fault]:
    """`check_limits` of the result of an edit: far faster, unless a list is longer than its limit."""
    long, in_all = _counts(document)
    if long:
        yield from check_limits(write(document), write(before))
    elif any(in_all[key] > limit.in_all for key, limit in LIMITS.items()):
        yield from _check_totals(in_all, _counts(before)[1])


def check_limits(data: dict[str, Any], before: dict[str, Any] | None) -> Iterator[Fault]:
    """The limits that the JSON data of a document exceeds.

    A limit that ``before`` exceeded as much or more is no fault: a stored roster can be saved again and shrunk.
    """
    now, was = _Contents(data), _Contents(before or {})
    yield from _check_totals(now.in_all, was.in_all)
    for place, (path, number) in now.long.items():
        if number > was.long.get(place, ("", 0))[1]:
            limit = LIMITS[place[1]]
            text = _("An element holds at most {most} {things}; this would make {number}.")
            yield Fault(path, text.format(most=str(limit.per_element), things=limit.label, number=f"{number:,}"))


def _check_totals(now: Mapping[str, int], was: Mapping[str, int]) -> Iterator[Fault]:
    for key, limit in LIMITS.items():
        number = now.get(key, 0)
        if number > max(limit.in_all, was.get(key, 0)):
            text = _("A roster holds at most {most} {things}; this would make {number}.")
            message = text.format(most=f"{limit.in_all:,}", things=limit.label, number=f"{number:,}")
            yield Fault("" if key == "text" else "formations", message)


# ---------------------------------------------------------------- writing

_BEFORE, _AFTER = ("id", "name", "quantity"), ("notes", "secret", "marks")


def write(document: AnyDocument) -> dict[str, Any]:
    """``document`` as normalized JSON data: options and profile fields only if not the default."""
    formations = [
        _formation_head(formation) | {"elements": [*map(write_element, formation.elements)]}
        for formation in document.formations
    ]
    return _write_head(document) | {"formations": formations}


def _write_head(document: AnyDocument) -> dict[str, Any]:
    """Everything before the formations."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": document.system,
        "name": document.name,
        "budget": document.budget,
        "scenario": document.scenario,
        "side": document.side,
        "options": document.options.model_dump(mode="json", exclude_defaults=True),
        "notes": document.notes,
        **({"crest": document.crest} if document.crest else {}),
        **({"changed": document.changed} if document.changed else {}),
    }


def text_of(document: AnyDocument) -> str:
    """`write` as compact JSON text."""
    emptied = dumps(_write_head(document) | {"formations": []})
    return f"{emptied.removesuffix(']}')}{','.join(formation.json_text for formation in document.formations)}]}}"


def _formation_head(formation: Formation[Any]) -> dict[str, Any]:
    """Everything before the elements."""
    return {
        **({"id": formation.id} if formation.id else {}),
        "name": formation.name,
        "notes": formation.notes,
    }


def number_of_models(elements: Iterable[Element]) -> int:
    """The number of models of elements."""
    return sum(element.quantity for element in elements)


def profile_key(element: Element) -> tuple[Any, ...]:
    """A cache key for an element: its class and profile, without its name and quantity."""
    names = (name for name in type(element).model_fields if name not in Element.model_fields)
    values = (getattr(element, name) for name in names)
    return tuple(frozenset(value.items()) if isinstance(value, dict) else value for value in values)


def write_element(element: Element) -> dict[str, Any]:
    """One element as JSON data: id, name and quantity, then its profile, then notes and marks."""
    data = {"quantity": element.quantity, **element.model_dump(mode="json", exclude_defaults=True)}
    before = {key: data.pop(key) for key in _BEFORE if key in data}
    after = {key: data.pop(key) for key in _AFTER if key in data}
    return {**before, **data, **after}


def profile_of(element: Element) -> dict[str, Any]:
    """The profile of ``element`` as JSON data, as in the profile column of the database."""
    return element.model_dump(mode="json", exclude_defaults=True, exclude=set(Element.model_fields))


def _in_any_order(data: Any) -> Any:
    """JSON data with every list sorted."""
    if isinstance(data, dict):
        return {key: _in_any_order(value) for key, value in data.items()}
    return sorted(map(_in_any_order, data), key=partial(json.dumps, sort_keys=True)) if isinstance(data, list) else data


def dumps(data: Any) -> str:
    """Compact JSON with readable Unicode, for files, JSON Lines and revisions."""
    return _COMPACT.encode(data)


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def schema(types: Mapping[str, type[AnyDocument]]) -> dict[str, Any]:
    """The JSON Schema of every system's document, generated from the classes that read them."""
    documents: Any = Annotated[Union[tuple(types.values())], Field(discriminator="system")]  # noqa: UP007
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Armybuilder roster",
        "description": f"A document that comes in holds at most {describe_limits()}.",
        **add_limits(TypeAdapter(documents).json_schema()),
    }


def add_limits(schema: Any) -> Any:
    """A JSON Schema with the limits of lists and maps. Schemas cannot say how many there may be in all of them."""
    if isinstance(schema, list):
        return [add_limits(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: add_limits(value) for key, value in schema.items()}
    for key, field in schema.get("properties", {}).items():
        limit = LIMITS.get(key)
        if limit and field.get("type") in ("array", "object"):
            field["maxItems" if field["type"] == "array" else "maxProperties"] = limit.per_element or limit.in_all
    return schema


def describe_limits() -> str:
    """The limits of a document in words: "250 formations, 1,000 elements, …"."""
    parts = [
        f"{limit.in_all:,} {limit.label}" + (f" ({limit.per_element:,} of one element)" if limit.per_element else "")
        for limit in LIMITS.values()
    ]
    return ", ".join(parts[:-1]) + f" and {parts[-1]}"
