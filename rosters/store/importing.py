"""Rosters from outside: our JSON, one document or one a line, our texts, CSV and BattleScribe files, a player's zip.

A source is read completely or refused with every fault. Accounts, browsers and links in it are ignored, and every price
is recomputed, so that none can be forged.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain
from pathlib import PurePath
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import appraisals, documents, edits, lists
from rosters.core.documents import AnyDocument, Fault, InvalidDocument
from rosters.core.lists import ParsedList
from rosters.core.messages import translate
from rosters.exports import battlescribe, csv
from rosters.models import MAX_TAGS, Browser, hashed, join_tags, new_secret, new_token
from rosters.store import access, bulk, bundle, play
from rosters.store.bulk import UnsavedRoster
from rosters.store.bundle import BundleError, Reader
from rosters.store.shelf import MAX_ENTRIES, Models
from rosters.store.state import compute_state
from rosters.store.writer import Created

MAX_FILES = 20
MAX_ROSTERS = 100
"""Documents at once, however many files they come in."""
MAX_ZIP_BYTES, MAX_UNPACKED_BYTES, MAX_LINE = 16 << 20, 128 << 20, 16 << 20
"""The most bytes of a player's zip, of its files together, and of one revision."""
MAX_ZIP_ROSTERS, MAX_ZIP_REVISIONS, MAX_SHELF_BYTES = 1_000, 20_000, 4 << 20
MAX_PART = 60
"""The most characters of an unreadable part of a line that an error quotes."""
FIRST_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""Earlier times are forged; the first years of the calendar cannot be shown in every time zone."""
OLD_INDEX = "index.json"
"""In a player's download from before it was a bundle: the settings of all its rosters."""


class Source(NamedTuple):
    """Bytes to import, and the name by which errors refer to them: of a file, a line, a text field."""

    name: str
    data: bytes


class UnreadableSource(NamedTuple):
    """A source, or a line of one, that cannot be read, and why."""

    name: str
    faults: tuple[Fault, ...]


class ParsedSources(NamedTuple):
    """Documents, rosters with their histories and the shelf out of a player's zip, and what could not be read."""

    documents: tuple[AnyDocument, ...]
    bundles: tuple[UnsavedRoster, ...]
    unreadable: tuple[UnreadableSource, ...]
    shelf: tuple[Models, ...] = ()


def read(sources: list[Source]) -> ParsedSources:
    """Read all sources. A source without a document is unreadable."""
    read_documents: list[AnyDocument] = []
    bundles: list[UnsavedRoster] = []
    on_shelf: list[Models] = []
    unreadable: list[UnreadableSource] = []
    # The names of a zip's files are never compressed: every bundle has one of these two.
    marks = (bundle.MANIFEST.encode(), OLD_INDEX.encode())
    zips = [each for each in sources if each.data.startswith(b"PK") and any(mark in each.data for mark in marks)]
    for name, data in zips:
        try:
            if bundles or on_shelf:
                raise BundleError(_("Import one such zip at a time."))
            bundles, on_shelf = read_player_zip(data)
        except BundleError as error:
            unreadable.append(UnreadableSource(name, (Fault("", str(error)),)))
    for name, data in (part for source in sources if source not in zips for part in _parts(source)):
        if len(read_documents) + len(unreadable) >= MAX_ROSTERS:
            message = _("is one too many: at most {most} rosters can be imported at once")
            unreadable.append(UnreadableSource(name, (Fault("", message.format(most=MAX_ROSTERS)),)))
            break
        try:
            read_documents.append(_document(name, data))
        except InvalidDocument as refused:
            unreadable.append(UnreadableSource(name, tuple(refused.faults)))
    return ParsedSources(tuple(read_documents), tuple(bundles), tuple(unreadable), tuple(on_shelf))


def _parts(source: Source) -> Iterator[Source]:
    """The lines of a JSON Lines file; any other source as it is."""
    lines = [(number, line) for number, line in enumerate(source.data.splitlines(), start=1) if line.strip()]
    if len(lines) < 2 or not all(line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{") for _, line in lines[:2]):
        yield source
        return
    yield from (Source(bundle.line_of(source.name, number), line) for number, line in lines)


def _document(name: str, data: bytes) -> AnyDocument:
    """The document in the bytes of a source. Raises InvalidDocument."""
    if data.startswith(b"PK") or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return registry.read(battlescribe.document_in(data), limited=True)
    text = data.decode("utf-8-sig", "replace")
    if system := lists.system_of(text, registry.SYSTEMS):
        return registry.read(_listed(system, text), limited=True)
    if (entries := csv.entries_in(text)) is not None:
        return registry.read(_from_entries(PurePath(name), entries), limited=True)
    if text.strip() and not text.lstrip().startswith(("{", "[")):
        message = _("is not a roster that was exported here. To enter a list, start a roster and paste the list there.")
        raise InvalidDocument([Fault("", message)])
    return registry.read(documents.parse(data), limited=True)


def _from_entries(file: PurePath, entries: str) -> dict[str, Any]:
    """The document of a list of entries, of the one game that can read them all, named after its file.

    Raises InvalidDocument.
    """
    refused: list[InvalidDocument] = []
    for system in registry.SYSTEMS:
        try:
            default = _("My %(game)s roster") % {"game": registry.SYSTEMS[system].name}  # pasted text has no file
            return _listed(system, entries) | {"name": file.stem if file.suffix else default}
        except InvalidDocument as error:
            refused.append(error)
    raise min(refused, key=lambda error: len(error.faults))


def _listed(system: str, text: str) -> dict[str, Any]:
    """The document of a text export, read from the list at its end. Raises InvalidDocument."""
    parsed = lists.parse_list(system, registry.SYSTEMS[system].grammar, text)
    faults = [Fault("", parsed.error)] if parsed.error else [*_faults_in(parsed)]
    if faults:
        raise InvalidDocument(faults)
    formations = [
        {
            "name": formation.name,
            "elements": [
                documents.write_element(listed.line.element) for listed in formation.lines if listed.line.element
            ],
        }
        for formation in parsed.formations
    ]
    constants = {"format": documents.FORMAT, "version": documents.VERSION, "system": system}
    return {**constants, "name": "", **parsed.root, "formations": formations}


def _faults_in(parsed: ParsedList) -> Iterator[Fault]:
    """The faults of an exported list: lines that are not exactly one element, and a points limit below 0."""
    budget = parsed.root.get("budget")
    if isinstance(budget, int | float) and budget < 0:
        yield Fault("budget", _("must be 0 or more"))
    for number, comment in parsed.comments:
        text = _("Line {number}: no line can describe {element}. Import the roster’s JSON, or delete this line.")
        yield Fault("", text.format(number=number, element=comment.lstrip("/ ")[:MAX_PART]))
    for number, line in (listed for formation in parsed.formations for listed in formation.lines):
        for error in line.errors:
            part = line.text[error.start : error.end][:MAX_PART]
            message = _("Line {number}, “{part}”: {reason}")
            yield Fault("", message.format(number=number, part=part, reason=translate(error.message)))
        if line.bare:
            text = _("Line {number} is only a name: {line}")
            yield Fault("", text.format(number=number, line=line.text[:MAX_PART]))
        elif line.parses and not line.element:
            text = _("Line {number} can be read in several ways: {parses}")
            parses = "; ".join(translate(parse.label) for parse in line.parses)
            yield Fault("", text.format(number=number, parses=parses))


def save(
    parsed: ParsedSources, *, browser: Browser, owner: Any = None, taken: Iterable[str] = (), token: str = ""
) -> list[Created]:
    """Save all rosters, under new links, as the visitor's own; or none, if saving fails. ``token`` is the first one's.

    A document whose name is ``taken``, or that of an earlier one, is numbered; rosters of a zip keep their histories.

    It takes many transactions, so that others can write in between. Until the last one all rosters are in the bin and
    nobody's, so that an interrupted import is deleted by `emptybin`.
    """
    created: list[Created] = []
    in_bin = [each.roster for each in parsed.bundles if each.roster.binned]
    now, copies = timezone.now(), map(edits.with_new_ids, _numbered(parsed.documents, {*taken}))

    def bundles() -> Iterator[UnsavedRoster]:
        for each in chain(map(bulk.unsaved_roster, copies), parsed.bundles):
            secret = new_secret()
            each.roster.edit_hash, each.roster.owner_secret = hashed(secret), access.encrypt(secret)
            each.roster.binned = now
            if token and not created:
                each.roster.token = token
            created.append(Created(each.roster, secret))
            yield each

    bulk.create_rosters(bundles())
    rosters = [each.roster for each in created]
    for roster in rosters:
        roster.creator, roster.owner, roster.binned = browser, owner, now if roster in in_bin else None
    bulk.assign(rosters, browser)
    return created


def _numbered(imported: Iterable[AnyDocument], taken: set[str]) -> Iterator[AnyDocument]:
    """The documents, those with a name that is taken with the next free number, as copies have."""
    for document in imported:
        name = edits.numbered_name(document.name, taken) if document.name else ""
        taken.add(name)
        yield document.replace(name=name)


# ---------------------------------------------------------------- a player's zip


def read_player_zip(data: bytes) -> tuple[list[UnsavedRoster], list[Models]]:
    """The rosters in a player's zip with their histories, not yet owned by anybody, and what is on the shelf.

    Raises BundleError.
    """
    bundles: list[UnsavedRoster] = []
    now, left = timezone.now(), MAX_ZIP_REVISIONS
    with bundle.open_bundle(BytesIO(data), bundle.PLAYER, max_bytes=MAX_UNPACKED_BYTES, max_line=MAX_LINE) as reader:
        files = reader.archive.namelist()
        names = sorted(name for name in files if name.startswith("rosters/") and name.endswith(".jsonl"))
        for row, history in map(reader.history, names) if bundle.MANIFEST in files else _old_histories(reader):
            bundles.append(bundle.read_roster(_own_settings(row, now), _recompute(history, now, left)))
            left -= len(bundles[-1].history)
            if len(bundles) > MAX_ZIP_ROSTERS:
                raise BundleError(_("The zip holds more than {most} rosters."), most=f"{MAX_ZIP_ROSTERS:,}")
        on_shelf = [*_own_shelf(reader)] if bundle.OWN_SHELF in files else []
    if not bundles and not on_shelf:
        raise BundleError(_("The zip holds no rosters."))
    return bundles, on_shelf


def _own_shelf(reader: Reader) -> Iterator[Models]:
    if reader.archive.getinfo(bundle.OWN_SHELF).file_size > MAX_SHELF_BYTES:
        raise BundleError(_("The shelf is longer than {most:,} bytes."), most=MAX_SHELF_BYTES)
    for number, row in enumerate(reader.rows(bundle.OWN_SHELF, bundle.EntryRow)):
        if number == MAX_ENTRIES:
            raise BundleError(_("The shelf has more than {most:,} entries."), most=MAX_ENTRIES)
        yield bundle.read_models(*row)


def _old_histories(reader: Reader) -> Iterator[tuple[Any, Iterator[tuple[str, Any]]]]:
    """The rosters of a download from before it was a bundle: settings in one index, histories in a folder."""
    text = b"".join(line for _, line in reader.lines(OLD_INDEX))
    try:
        entries = [dict(entry) for entry in json.loads(text)]
        for entry in entries:
            del entry["name"], entry["system"]  # the document has them too
            file, entry["binned"] = str(entry.pop("file")), entry.pop("deleted")
            name = f"histories/{file}.jsonl"
            row = bundle.parse_row(bundle.RosterRow, f"{OLD_INDEX}, {file[:80]}", json.dumps(entry).encode())
            yield row, reader.revisions(name, reader.lines(name))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BundleError(_("{name} cannot be read: {error}."), name=OLD_INDEX, error=repr(error)) from None


def _own_settings(row: Any, now: datetime) -> Any:
    """A player's own settings of a roster. Nothing becomes public, and the bin's 30 days begin again."""
    update = {
        "token": new_token(),
        "edit_hash": "",
        "sample": None,
        "binned": now if row.binned else None,
        "folder": " ".join(row.folder.split()),
        "tags": join_tags(row.tags.split(","))[:MAX_TAGS],
        "visibility": "link" if row.visibility == "listed" else row.visibility,
        "print_settings": {},
        "turn": min(row.turn, play.MAX_TURN),
        "play": row.play and row.play.model_copy(update=_own_play(row.play, now)),
        "created": _clamp(row.created, now),
        "changed": _clamp(row.changed, now),
    }
    return row.model_copy(update=update)


def _own_play(row: Any, now: datetime) -> dict[str, Any]:
    """A player's own turn and damage, hidden from others; what could be undone is not trusted."""
    latest = row.sessions[-play.MAX_SESSIONS :]
    sessions = tuple((_clamp(began, now), _clamp(ended, now), changes) for began, ended, changes in latest)
    return {"turn": min(row.turn, play.MAX_TURN), "shown": False, "changes": (), "sessions": sessions}


def _clamp(time: datetime, now: datetime) -> datetime:
    """A time within the calendar and not in the future, where a roster would stay first in every list."""
    return min(max(time, FIRST_DAY), now)


def _recompute(history: Iterator[tuple[str, Any]], now: datetime, left: int) -> Iterator[tuple[str, Any]]:
    """At most ``left`` revisions, with their appraisals by today's rules. Raises BundleError."""
    state = None
    for location, row in history:
        if row.number > left:
            raise BundleError(_("The zip holds more than {most} revisions."), most=f"{MAX_ZIP_REVISIONS:,}")
        try:
            document = registry.read(documents.parse(documents.dumps(row.document)))
        except InvalidDocument as error:
            raise bundle.invalid_document(location, error) from None
        state = compute_state(document.replace(changed=None), state)
        update = {"document": documents.write(state.document), "appraisal": appraisals.to_json(state.appraisal)}
        yield location, row.model_copy(update=update | {"edition": state.appraisal.edition, "at": _clamp(row.at, now)})
