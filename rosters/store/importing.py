"""Rosters from outside: our JSON, one document or one a line, and the BattleScribe files that we made.

A source is read whole or refused with every fault. Nothing is written here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rosters import registry
from rosters.core import documents
from rosters.core.documents import AnyDocument, Fault, InvalidDocument
from rosters.exports import battlescribe

MAX_FILES = 20
MAX_ROSTERS = 100
"""Rosters at once, however many files they come in."""


class Source(NamedTuple):
    """Something to import: the name of a file, or what else tells it from the others, and its bytes."""

    name: str
    data: bytes


class UnreadableSource(NamedTuple):
    """A source, or a line of one, that cannot be read, and why."""

    name: str
    faults: tuple[Fault, ...]


class Imported(NamedTuple):
    """What was read, and what could not be."""

    documents: tuple[AnyDocument, ...]
    faulty: tuple[UnreadableSource, ...]


def read(sources: list[Source]) -> Imported:
    """Every document in the sources. One that has none is faulty."""
    found: list[AnyDocument] = []
    faulty: list[UnreadableSource] = []
    for name, data in (part for source in sources for part in _parts(source)):
        if len(found) + len(faulty) >= MAX_ROSTERS:
            faulty.append(
                UnreadableSource(name, (Fault("", f"is one too many: at most {MAX_ROSTERS} rosters at once"),))
            )
            break
        try:
            found.append(_document(data))
        except InvalidDocument as refused:
            faulty.append(UnreadableSource(name, tuple(refused.faults)))
    return Imported(tuple(found), tuple(faulty))


def _parts(source: Source) -> Iterator[Source]:
    """The lines of a file that holds a document on each; any other source as it is."""
    lines = [(number, line) for number, line in enumerate(source.data.splitlines(), start=1) if line.strip()]
    if len(lines) < 2 or not all(line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{") for _, line in lines[:2]):
        yield source
        return
    yield from (Source(f"{source.name}, line {number}", line) for number, line in lines)


def _document(data: bytes) -> AnyDocument:
    """The document in the bytes of a source. Raises Refused."""
    if data.startswith(b"PK") or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return registry.read(battlescribe.document_in(data))
    return registry.read(documents.parse(data))
