"""Rosters from outside: our JSON, one document or one a line, the BattleScribe files that we wrote, and a player's zip.

A source is read completely or refused with every fault. Nothing that it says of people or links is used, and every
price is computed again, so that nobody imports one of their own making.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.db import transaction
from django.utils import timezone

from rosters import registry
from rosters.core import appraisals, documents, edits
from rosters.core.documents import AnyDocument, Fault, InvalidDocument
from rosters.exports import battlescribe
from rosters.models import Browser, hashed, new_secret, new_token
from rosters.store import bundle, writer
from rosters.store import bundle_format as fmt
from rosters.store.bundle_format import BadBackup, History, RevisionRow, RosterRow
from rosters.store.state import compute_state
from rosters.store.writer import Created, RosterBundle

MAX_FILES = 20
MAX_ROSTERS = 100
"""Documents at once, however many files they come in."""
MAX_ZIP_BYTES, MAX_UNPACKED_BYTES, MAX_LINE = 16 << 20, 128 << 20, 16 << 20
"""Of a player's zip: its bytes, those of its files together, and those of one revision."""
MAX_ZIP_ROSTERS, MAX_ZIP_REVISIONS = 1_000, 20_000
FIRST_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""Earlier times are forged; the first years of the calendar cannot be shown in every time zone."""
IN_DOCUMENT = {"name", "system"}
"""Keys of an old download's index that the document has too."""


class Source(NamedTuple):
    """Something to import: the name of a file, or what else tells it from the others, and its bytes."""

    name: str
    data: bytes


class UnreadableSource(NamedTuple):
    """A source, or a line of one, that cannot be read, and why."""

    name: str
    faults: tuple[Fault, ...]


class Imported(NamedTuple):
    """Documents, rosters with their histories out of a player's zip, and what could not be read."""

    documents: tuple[AnyDocument, ...]
    bundles: tuple[RosterBundle, ...]
    faulty: tuple[UnreadableSource, ...]


def read(sources: list[Source]) -> Imported:
    """Everything in the sources. One that holds no document is faulty."""
    found: list[AnyDocument] = []
    bundles: list[RosterBundle] = []
    faulty: list[UnreadableSource] = []
    zips = [source for source in sources if _is_bundle(source.data)]
    for number, (name, data) in enumerate(zips):
        try:
            bundles += read_player_zip(data) if number == 0 else _too_many_zips()
        except BadBackup as error:
            faulty.append(UnreadableSource(name, (Fault("", str(error)),)))
    for name, data in (part for source in sources if source not in zips for part in _parts(source)):
        if len(found) + len(faulty) >= MAX_ROSTERS:
            message = f"is one too many: at most {MAX_ROSTERS} rosters at once"
            faulty.append(UnreadableSource(name, (Fault("", message),)))
            break
        try:
            found.append(_document(data))
        except InvalidDocument as refused:
            faulty.append(UnreadableSource(name, tuple(refused.faults)))
    return Imported(tuple(found), tuple(bundles), tuple(faulty))


def _parts(source: Source) -> Iterator[Source]:
    """The lines of a file that holds a document on each; any other source as it is."""
    lines = [(number, line) for number, line in enumerate(source.data.splitlines(), start=1) if line.strip()]
    if len(lines) < 2 or not all(line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{") for _, line in lines[:2]):
        yield source
        return
    yield from (Source(f"{source.name}, line {number}", line) for number, line in lines)


def _document(data: bytes) -> AnyDocument:
    """The document in the bytes of a source. Raises InvalidDocument."""
    if data.startswith(b"PK") or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return registry.read(battlescribe.document_in(data))
    return registry.read(documents.parse(data))


@transaction.atomic
def save(imported: Imported, *, browser: Browser, owner: Any = None) -> list[Created]:
    """Save everything that was read, under new links, as the visitor's own; or, if anything goes wrong, nothing."""
    created = writer.create_all(
        [edits.with_new_ids(document) for document in imported.documents], browser=browser, owner=owner
    )
    for each in imported.bundles:
        secret = new_secret()
        each.roster.edit_hash, each.roster.creator, each.roster.owner = hashed(secret), browser, owner
        created.append(Created(each.roster, secret))
    bundle.save(each._replace(browsers=[browser.pk]) for each in imported.bundles)
    return created


# ---------------------------------------------------------------- a player's zip


def _is_bundle(data: bytes) -> bool:
    """Whether a zip has one of the files that every bundle has; their names are never compressed."""
    return data.startswith(b"PK") and any(name.encode() in data for name in (fmt.MANIFEST, fmt.INDEX))


def _too_many_zips() -> list[RosterBundle]:
    raise BadBackup("Import one such zip at a time.")


def read_player_zip(data: bytes) -> list[RosterBundle]:
    """The rosters in a player's zip, with their histories, ready to be saved as anybody's. Raises BadBackup."""
    bundles: list[RosterBundle] = []
    revisions = 0
    with fmt.open_bundle(BytesIO(data), fmt.PLAYER, MAX_UNPACKED_BYTES) as archive:
        for history in _histories(archive):
            now = timezone.now()
            rows = _recompute(history.revisions, now, MAX_ZIP_REVISIONS - revisions)
            bundles.append(bundle.read_roster(History(history.place, _settings(history.row, now), rows)))
            revisions += len(bundles[-1].history)
            if len(bundles) > MAX_ZIP_ROSTERS:
                raise BadBackup(f"The zip holds more than {MAX_ZIP_ROSTERS:,} rosters.")
    if not bundles:
        raise BadBackup("The zip holds no rosters.")
    return bundles


def _histories(archive: ZipFile) -> Iterator[History]:
    if fmt.MANIFEST not in archive.namelist():
        yield from _old_histories(archive)
        return
    for name in sorted(name for name in archive.namelist() if name.endswith(".jsonl")):
        yield fmt.read_history(archive, name, MAX_LINE)


def _old_histories(archive: ZipFile) -> Iterator[History]:
    """The rosters of a download from before it was a bundle: settings in one index, histories in a folder."""
    text = b"".join(line for _, line in fmt.read_lines(archive, fmt.INDEX, MAX_LINE))
    try:
        entries = [dict(entry) for entry in json.loads(text)]
        files = [str(entry.pop("file")) for entry in entries]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadBackup(f"{fmt.INDEX}: cannot be read ({type(error).__name__}: {error}).") from None
    for file, entry in zip(files, entries, strict=True):
        settings = {key: value for key, value in entry.items() if key not in IN_DOCUMENT}
        name = f"histories/{file}.jsonl"
        rows = fmt.read_revisions(name, fmt.read_lines(archive, name, MAX_LINE))
        yield History(fmt.INDEX, fmt.parse_row(RosterRow, f"{fmt.INDEX}, {file[:80]}", settings), rows)


def _settings(row: RosterRow, now: datetime) -> RosterRow:
    """A player's own settings of a roster. Nothing enters the gallery, and the bin's 30 days begin again."""
    tags = dict.fromkeys(" ".join(tag.split()).lower() for tag in row.tags.split(","))
    return RosterRow(
        token=new_token(),
        binned=now if row.binned else None,
        folder=" ".join(row.folder.split()),
        tags=", ".join(tag for tag in tags if tag)[:300],
        archived=row.archived,
        visibility="link" if row.visibility == "listed" else row.visibility,
        hide_points=row.hide_points,
        hide_notes=row.hide_notes,
        hide_secrets=row.hide_secrets,
        print_settings={},
        turn=min(row.turn, writer.MAX_TURN),
        created=_past(row.created, now),
        changed=_past(row.changed, now),
    )


def _past(time: datetime, now: datetime) -> datetime:
    """A time that can be shown: a roster that was changed in the future would lead every list."""
    return min(max(time, FIRST_DAY), now)


def _recompute(
    revisions: Iterator[tuple[str, RevisionRow]], now: datetime, most: int
) -> Iterator[tuple[str, RevisionRow]]:
    """Revisions with their appraisals by today's rules. Raises BadBackup."""
    state = None
    for place, row in revisions:
        if row.number > most:
            raise BadBackup(f"The zip holds more than {MAX_ZIP_REVISIONS:,} revisions.")
        try:
            document = registry.read(documents.parse(documents.dumps(row.document)))
        except InvalidDocument as error:
            raise BadBackup(f"{place}: its document cannot be read: {str(error)[:300]}.") from None
        state = compute_state(edits.replace_fields(document, changed=None), state)
        update = {"document": documents.write(state.document), "appraisal": appraisals.to_json(state.appraisal)}
        yield place, row.model_copy(update=update | {"edition": state.appraisal.edition, "at": _past(row.at, now)})
