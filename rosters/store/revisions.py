"""The content of revisions, its document and its appraisal, compressed.

Every 50th revision is compressed alone; those after it with that one as the compressor's dictionary. Written by hand:
packages for histories, such as django-reversion, store every version in full, hundreds of megabytes for a thousand.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from json import JSONDecoder, loads
from typing import Any, NamedTuple

import zstandard
from django.db.models import QuerySet
from pydantic import ValidationError

from rosters import registry
from rosters.core import appraisals, documents
from rosters.core.amounts import Amount, to_amount
from rosters.core.appraisals import RosterState
from rosters.core.cache import ENTRY_BYTES, MemoryCache
from rosters.core.documents import AnyDocument, Element
from rosters.models import Revision, Roster
from rosters.store.compiled import compiled, compiled_query

FULL_INTERVAL = 50
"""Revisions that share one dictionary."""
LEVEL = 3
OPENING = '{"document":'
"""What every revision's JSON begins with."""
_JSON = JSONDecoder()
bytes_packed = ContextVar("bytes_packed", default=0)
"""The bytes of revisions that this thread has compressed: what a request adds to histories is limited."""


class RevisionContent(NamedTuple):
    """A revision's document, and its appraisal as JSON data, the texts of the rules as messages."""

    document: AnyDocument
    appraisal: dict[str, Any]


class Packed(NamedTuple):
    """Compressed bytes, and the number of the revision that is their dictionary, if any."""

    data: bytes
    base: int | None


def pack(roster: Roster, appraisal: bytes) -> Packed:
    """The roster's current document with its appraisal as `write_json` returns it, as its next revision stores them."""
    raw = json_of(roster, appraisal)
    full = _latest_full_revision(roster.pk)
    if full is None or roster.revision - full.number >= FULL_INTERVAL:
        packed = Packed(_compressor(b"").compress(raw), None)
    else:
        packed = Packed(_compressor(_raw(full)).compress(raw), full.number)
    bytes_packed.set(bytes_packed.get() + len(packed.data))
    return packed


@compiled
def _latest_full_revision(roster: int) -> QuerySet[Revision]:
    return Revision.objects.filter(roster=roster, base=None).order_by("-number")


def json_of(roster: Roster, appraisal: bytes) -> bytes:
    """The JSON of a revision: the roster's current document with its appraisal as `write_json` returns it."""
    return b"".join((OPENING.encode(), roster.document.encode(), b',"appraisal":', appraisal, b"}"))


def write_json(state: RosterState) -> bytes:
    """The JSON of a state's appraisal. Elements keep their JSON, of the document too: it is needed under a lock."""
    documents.text_of(state.document)
    return appraisals.to_stored_json(state.appraisal, state.appraised)


def pack_all(revisions: Iterable[tuple[int, bytes]]) -> Iterator[Packed]:
    """Compress a complete history, oldest first, each number with its JSON, as `pack` compresses each."""
    full, base = 0, b""
    for number, raw in revisions:
        if not base or number - full >= FULL_INTERVAL:
            full, base = number, raw
            yield Packed(_compressor(b"").compress(raw), None)
        else:
            yield Packed(_compressor(base).compress(raw), full)


def unpack(revision: Revision) -> RevisionContent:
    """The document and the appraisal of a revision."""
    return content_from_json(_raw(revision))


def document_of(revision: Revision) -> AnyDocument:
    """The document of a revision alone: its appraisal takes longer to read."""
    return registry.read(document_in(_raw(revision).decode()))


def content_from_json(raw: bytes) -> RevisionContent:
    """The document and the appraisal in a revision's JSON."""
    data = loads(raw)
    return RevisionContent(registry.read(data["document"]), appraisals.from_stored(data["appraisal"]))


class Digest(NamedTuple):
    """The total points of a revision as appraised then, and how many models it added, removed and changed.

    ``quantity`` is that of the only element that it changed, before and after, if it changed; ``elements`` are the
    first of those that it added, changed or removed, as they were then.
    """

    points: Amount | None = None
    added: int = 0
    removed: int = 0
    changed: int = 0
    quantity: tuple[int, int] | None = None
    elements: tuple[Element, ...] = ()


def digests_between(roster: Roster, first: int, last: int) -> dict[int, Digest]:
    """What each of these revisions changed, the first one without that; nothing of a large roster, which takes too
    long.
    """
    numbers, known = range(first, last + 1), _digests.get(roster.token) or {}
    if not {*numbers} <= known.keys():
        too_large = len(roster.document) > MAX_READ_FOR_DIGEST
        read = dict.fromkeys(numbers, Digest()) if too_large else _read_digests(roster, numbers)
        known = read | known | {number: read[number] for number in numbers[1:] if number in read}
        elements = sum(len(each.elements) for each in known.values())
        _digests.set(roster.token, known, ENTRY_BYTES * (2 * len(known) + 10 * elements))
    return known


def _read_digests(roster: Roster, numbers: range) -> dict[int, Digest]:
    bases: dict[int | None, bytes] = {None: b""}
    digests: dict[int, Digest] = {}
    before: dict[str, Any] | None = None
    for revision in roster.revisions.filter(number__gte=numbers.start, number__lt=numbers.stop).order_by("number"):
        if revision.base is not None and revision.base not in bases:
            bases[revision.base] = _raw(roster.revisions.get(number=revision.base))
        raw = decompress_revision(revision, bases[revision.base])
        if revision.base is None:
            bases[revision.number] = raw
        formations = document_in(raw.decode())["formations"]
        now = {element["id"]: element for formation in formations for element in formation["elements"]}
        digests[revision.number] = _digest(roster.system, _points_in(raw), now if before is None else before, now)
        before = now
    return digests


def _read_elements(system: str, elements: Iterable[Any]) -> Iterator[Element]:
    for element in elements:
        with suppress(ValidationError):  # the rest of a history is shown without what no longer can be read
            yield registry.SYSTEMS[system].rules.Element.model_validate(element)


def _digest(system: str, points: Amount | None, before: dict[str, Any], now: dict[str, Any]) -> Digest:
    changed = [uid for uid in now if uid in before and now[uid] != before[uid]]
    was, became = ([each[uid]["quantity"] for uid in changed[:1]] for each in (before, now))
    quantity = (was[0], became[0]) if len(changed) == 1 and was != became else None
    added, removed = ([one[uid] for uid in one if uid not in other] for one, other in ((now, before), (before, now)))
    groups = (added, removed, [now[uid] for uid in changed])
    n_added, n_removed, n_changed = (sum(element["quantity"] for element in group) for group in groups)
    elements = tuple(_read_elements(system, [*added, *groups[2], *removed][:MAX_PICTURED]))
    return Digest(points, n_added, n_removed, n_changed, quantity, elements)


MAX_PICTURED = 3
"""Elements of a digest."""
MAX_LISTED = 100
"""Revisions on one page of the history."""
MAX_READ_FOR_DIGEST = 100_000
"""JSON characters of a roster whose history shows points and numbers of changes."""
_POINTS = re.compile(rb'"points":(null|[-+.\de]+)')
_digests = MemoryCache[str, dict[int, Digest]](4 << 20)
"""The digests of revisions, which never change, by the token of the roster: 40 % of a history."""


def _points_in(raw: bytes) -> Amount | None:
    """The roster's points in a revision's JSON: the first of its appraisal, which comes after the document."""
    match = _POINTS.search(raw, raw.find(b'"appraisal":{'))
    return None if match is None or match[1] == b"null" else to_amount(loads(match[1]))


@compiled_query
def newest_before(roster: int, number: int) -> QuerySet[Revision]:
    """The latest revisions before a number, without their content: those of a page and one more."""
    rows = Revision.objects.filter(roster=roster, number__lt=number).defer("packed")
    return rows.order_by("-number")[: MAX_LISTED + 1]


def texts_after(roster: Roster, number: int) -> Iterator[tuple[int, str]]:
    """The numbers and the JSON texts of all revisions after one, oldest first."""
    return ((revision.number, text) for revision, text in all_after(roster, number))


def all_after(roster: Roster, number: int) -> Iterator[tuple[Revision, str]]:
    """All revisions after one, each with its JSON text, oldest first."""
    base: tuple[int | None, bytes] = (None, b"")
    for revision in roster.revisions.filter(number__gt=number).order_by("number").iterator(chunk_size=100):
        if revision.base is not None and revision.base != base[0]:
            base = (revision.base, _raw(roster.revisions.get(number=revision.base)))
        raw = decompress_revision(revision, b"" if revision.base is None else base[1])
        if revision.base is None:
            base = (revision.number, raw)
        yield revision, raw.decode()


def document_in(text: str) -> dict[str, Any]:
    """The document alone, as JSON data: the appraisal after it is far longer."""
    data: dict[str, Any] = _JSON.raw_decode(text, len(OPENING))[0]
    return data


# ---------------------------------------------------------------- what is secret


def secret_ids(roster: Roster, current: AnyDocument, document: AnyDocument) -> frozenset[str]:
    """Ids of the document's elements that are secret in the roster's current document, or were when they were last in
    the roster.
    """
    ids = {str(element.id) for element in document.elements}
    now = {str(element.id): element.secret for element in current.elements}
    secret = frozenset(uid for uid in ids if now.get(uid))
    deleted = ids - now.keys()
    return secret | (_last_known_secret(roster) & deleted) if deleted else secret


_secrets = MemoryCache[str, tuple[int, frozenset[str]]](4 << 20)
"""The latest revision that was read, and the ids that were secret until then, by the token of the roster."""


def _last_known_secret(roster: Roster) -> frozenset[str]:
    """Ids of all elements that were secret when they were last in the roster.

    Revisions never change, so only those since the last call are read.
    """
    last, secret = _secrets.get(roster.token) or (0, frozenset())
    if last > roster.revision:
        last, secret = 0, frozenset()
    if last < roster.revision:
        for number, text in texts_after(roster, last):
            last, secret = number, _secret_after(text, secret)
        _secrets.set(roster.token, (last, secret))
    return secret


def _secret_after(text: str, before: frozenset[str]) -> frozenset[str]:
    """The ids that are secret after one more revision.

    Most revisions hold no secret and are not parsed: their JSON text lacks the key and the ids.
    """
    if '"secret":true' not in text and not any(f'"id":{documents.dumps(uid)}' in text for uid in before):
        return before
    # Parsed, since formations have ids too: one with the id of a deleted element does not make that public.
    formations = document_in(text)["formations"]
    marks = {each.get("id"): each.get("secret") for formation in formations for each in formation["elements"]}
    return (before - marks.keys()) | {uid for uid, secret in marks.items() if secret}


# ---------------------------------------------------------------- compression


def _raw(revision: Revision) -> bytes:
    base = b"" if revision.base is None else _raw(revision.roster.revisions.get(number=revision.base))
    return decompress_revision(revision, base)


def decompress_revision(revision: Revision, base: bytes) -> bytes:
    """A revision's JSON. ``base`` is that of the revision that is its dictionary, empty for none."""
    data: bytes = zstandard.ZstdDecompressor(dict_data=_dictionary(base)).decompress(bytes(revision.packed))
    return data


def _compressor(base: bytes) -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=LEVEL, dict_data=_dictionary(base))


def _dictionary(base: bytes) -> zstandard.ZstdCompressionDict | None:
    return zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if base else None
