"""The backup file: a zip of JSON Lines, what stands in it, and how it is written and read. It knows no database.

The same content gives the same bytes: files in the order of their names, one fixed time, JSON in one way only.
Reading trusts nothing: every line is checked, and none is read further than the longest that we write.
"""

import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any, Literal, NamedTuple, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from rosters.core.documents import dumps
from rosters.core.values import NO_NUL

VERSION = 1
ACCOUNTS, BATTLES, BROWSERS, MANIFEST, README = (
    "accounts.jsonl",
    "battles.jsonl",
    "browsers.jsonl",
    "manifest.json",
    "README.txt",
)
FILES = {ACCOUNTS, BATTLES, BROWSERS, MANIFEST, README}
ROSTER_FILE = re.compile(r"rosters/([\w-]{1,32})\.jsonl", re.ASCII)
LONGEST_LINE = 256 << 20
"""Bytes. 2,000 elements, each with the longest notes there can be, with their receipts, stay below it."""
MOST_INFLATED = 1_032
"""A deflated byte becomes at most so many; what claims more lies."""
EPOCH = (1980, 1, 1, 0, 0, 0)

ABOUT = """\
A backup of a whole Armybuilder site. `manage.py restore FILE` puts it into an empty database.

manifest.json      the format, and how many of each there are
accounts.jsonl     accounts, with their e-mail addresses, the hashes of their passwords and of their API tokens
browsers.jsonl     the browsers that may edit rosters, each known by the hash of its cookie
battles.jsonl      battles with their forces
rosters/*.jsonl    one file for each roster: on the first line how it is kept, then a line for each revision,
                   oldest first, with its whole document and its appraisal

It lets people sign in and edit as before, so keep it as safe as the database itself.
Sessions are not in it: everybody signs in again.
"""


class BadBackup(Exception):
    """A file that cannot be restored; the sentence says where and why."""


# ---------------------------------------------------------------- the rows


class Row(BaseModel):
    """A line of the backup."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


Time = Annotated[AwareDatetime, Field(strict=False)]
Whole = Annotated[int, Field(ge=0, le=2**31 - 1)]
Numbered = Annotated[int, Field(ge=1, le=2**31 - 1)]
Text = Annotated[str, Field(pattern=NO_NUL)]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(max_length=60, pattern=NO_NUL)]
Username = Annotated[str, Field(min_length=1, max_length=150, pattern=NO_NUL)]


class Manifest(Row):
    """What the backup is, and how many of each it holds."""

    format: Literal["armybuilder-backup"] = "armybuilder-backup"
    version: Annotated[int, Field(ge=VERSION, le=VERSION)] = VERSION
    accounts: Whole
    battles: Whole
    browsers: Whole
    rosters: Whole
    revisions: Whole


class Address(Row):
    """An e-mail address of an account."""

    email: Annotated[str, Field(max_length=254, pattern=NO_NUL)]
    verified: bool
    primary: bool


class TokenRow(Row):
    """An API token, by its hash."""

    key_hash: Hash
    name: Annotated[str, Field(max_length=60, pattern=NO_NUL)]
    created: Time
    used: Time | None


class AccountRow(Row):
    """An account. ``password`` is its hash."""

    username: Username
    email: Annotated[str, Field(max_length=254, pattern=NO_NUL)]
    password: Annotated[str, Field(max_length=128, pattern=NO_NUL)]
    first_name: Username | Literal[""]
    last_name: Username | Literal[""]
    is_active: bool
    is_staff: bool
    is_superuser: bool
    date_joined: Time
    last_login: Time | None
    addresses: Annotated[tuple[Address, ...], Field(strict=False)]
    api_tokens: Annotated[tuple[TokenRow, ...], Field(strict=False)]


class BrowserRow(Row):
    """A browser, by the hash of its cookie."""

    key_hash: Hash
    created: Time


class ForceRow(Row):
    """A roster in a battle, by its token."""

    roster: Token
    position: Whole
    revision: Numbered
    side: Slug | None


class BattleRow(Row):
    """A battle. ``browsers`` and ``owner`` may change it."""

    token: Token
    browsers: Annotated[tuple[Hash, ...], Field(strict=False)]
    creator: Hash | None = None
    owner: Username | None
    system: Annotated[str, Field(max_length=20, pattern=NO_NUL)]
    name: Annotated[str, Field(max_length=120, pattern=NO_NUL)]
    scenario: Slug | None
    options: dict[str, Any]
    created: Time
    changed: Time
    forces: Annotated[tuple[ForceRow, ...], Field(strict=False)]


class RosterRow(Row):
    """A roster but for its document: whose it is, how it is kept, and what others see of it."""

    token: Token
    edit_hash: Hash | Literal[""]
    sample: Annotated[str, Field(max_length=120, pattern=NO_NUL)] | None
    browsers: Annotated[tuple[Hash, ...], Field(strict=False)]
    creator: Hash | None
    owner: Username | None
    binned: Time | None
    folder: Slug
    tags: Annotated[str, Field(max_length=300, pattern=NO_NUL)]
    archived: bool
    visibility: Literal["link", "listed", "closed"]
    hide_points: bool
    hide_notes: bool
    hide_secrets: bool
    print_settings: dict[str, Any]
    turn: Whole
    created: Time
    changed: Time


class RevisionHead(Row):
    """A revision but for its document and its appraisal."""

    number: Numbered
    at: Time
    who: Literal["owner", "editor", "site"]
    summary: Annotated[str, Field(max_length=300, pattern=NO_NUL)]
    edition: Annotated[str, Field(max_length=120, pattern=NO_NUL)]
    restores: Numbered | None


class RevisionRow(RevisionHead):
    """A revision with its document and the appraisal of its day."""

    document: dict[str, Any]
    appraisal: dict[str, Any]

    def text(self) -> str:
        """What the database keeps of it, before it is packed."""
        return dumps({"document": self.document, "appraisal": self.appraisal})


RowT = TypeVar("RowT", bound=Row)


# ---------------------------------------------------------------- writing


def line_of(row: Row) -> str:
    """A row as a line of JSON."""
    return dumps(row.model_dump(mode="json"))


def revision_line(head: RevisionHead, text: str) -> str:
    """A revision as a line of JSON; ``text`` is what the database keeps of it, as it is."""
    return f"{line_of(head)[:-1]},{text[1:]}"


def add(archive: ZipFile, name: str, lines: Iterable[str]) -> int:
    """Write a file of lines into the zip, one line at a time; how many there were."""
    member = ZipInfo(name, EPOCH)
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o600 << 16
    count = 0
    with archive.open(member, "w", force_zip64=True) as file:
        for count, line in enumerate(lines, start=1):  # noqa: B007 - the last number is the answer
            file.write(f"{line}\n".encode())
    return count


# ---------------------------------------------------------------- reading


@contextmanager
def opened(file: IO[bytes]) -> Iterator[ZipFile]:
    """A zip to read, after a look at its list of files. Raises BadBackup, for damage met later too."""
    try:
        with ZipFile(file) as archive:
            _look(archive.infolist(), file.seek(0, io.SEEK_END))
            yield archive
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError) as error:
        raise BadBackup(f"The zip is damaged: {error}.") from None


def _look(members: list[ZipInfo], size: int) -> None:
    """Refuse what no honest zip has: files that share bytes, begin before it, or claim to hold more than they can."""
    if len({member.filename for member in members}) < len(members):
        raise BadBackup("The zip holds two files of one name.")
    if sum(member.compress_size for member in members) > size:
        raise BadBackup("The zip is a trap: its files overlap.")
    if any(member.header_offset < 0 for member in members):
        raise BadBackup("The zip is damaged: a part of it is missing.")
    for member in members:
        name = member.filename[:80]
        if member.flag_bits & 1 or member.compress_type not in (ZIP_DEFLATED, ZIP_STORED):
            raise BadBackup(f"{name}: is encrypted, or packed in a way that is not read here.")
        if member.file_size > MOST_INFLATED * (member.compress_size + 1):
            raise BadBackup(f"{name}: claims to be {member.file_size:,} bytes long, which it cannot be.")


def roster_files(archive: ZipFile) -> list[str]:
    """The rosters' files by name, in their order. Raises BadBackup for a file that is none of a backup's."""
    names = archive.namelist()
    missing = sorted(FILES - {*names})
    if missing:
        raise BadBackup(f"This is no backup of a site: it has no {missing[0]}.")
    rosters = sorted({*names} - FILES)
    for name in rosters:
        if not ROSTER_FILE.fullmatch(name):
            raise BadBackup(f"{name[:80]}: is no file of a backup.")
    return rosters


def lines_in(archive: ZipFile, name: str) -> Iterator[tuple[str, bytes]]:
    """The lines of a file, each with its place for a fault. Raises BadBackup."""
    number = 0
    with io.BufferedReader(archive.open(name), 1 << 18) as file:  # type: ignore[type-var]
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            place = f"{name}, line {number}"
            if len(line) > LONGEST_LINE:
                raise BadBackup(f"{place}: is longer than the longest there can be.")
            yield place, line


def row_in(kind: type[RowT], place: str, line: bytes) -> RowT:
    """The row that a line holds. Raises BadBackup."""
    try:
        return kind.model_validate(json.loads(line))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(str(part) for part in first["loc"])
        raise BadBackup(f"{place}: {where or 'the line'}: {first['msg']}.") from None
    except (ValueError, RecursionError) as error:
        raise BadBackup(f"{place}: is not usable JSON ({error}).") from None


def rows_in(archive: ZipFile, name: str, kind: type[RowT]) -> Iterator[tuple[str, RowT]]:
    """The rows of a file that holds one kind of them, each with its place. Raises BadBackup."""
    for place, line in lines_in(archive, name):
        yield place, row_in(kind, place, line)


def manifest_of(archive: ZipFile) -> Manifest:
    """What the backup says of itself. Raises BadBackup."""
    found = [row for _, row in rows_in(archive, MANIFEST, Manifest)]
    if len(found) != 1:
        raise BadBackup(f"{MANIFEST}: must be one line.")
    return found[0]


class History(NamedTuple):
    """A roster's file: its row, its revisions in order as they are read, and the places of both for a fault."""

    place: str
    row: RosterRow
    revisions: Iterator[tuple[str, RevisionRow]]


def history_in(archive: ZipFile, name: str) -> History:
    """A roster and its revisions, numbered from 1 without a gap. Raises BadBackup, while they are read too."""
    lines = lines_in(archive, name)
    place, line = next(lines, (name, b""))
    row = row_in(RosterRow, place, line)
    if name != f"rosters/{row.token}.jsonl":
        raise BadBackup(f"{place}: the roster's token is not the file's name.")
    return History(place, row, _revisions_in(name, lines))


def _revisions_in(name: str, lines: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, RevisionRow]]:
    number = 0
    for number, (place, line) in enumerate(lines, start=1):
        row = row_in(RevisionRow, place, line)
        if row.number != number:
            raise BadBackup(f"{place}: is revision {row.number}, where {number} should be.")
        if row.restores is not None and row.restores >= number:
            raise BadBackup(f"{place}: brings back revision {row.restores}, which is no earlier one.")
        yield place, row
    if number == 0:
        raise BadBackup(f"{name}: has no revision.")
