"""The bundle: a zip of JSON Lines, for the backup of a site and for the download of a player. It knows no database.

The same content gives the same bytes: files in a fixed order, one fixed time, JSON written in one way.
Reading trusts nothing: every line is validated, and none is read beyond the longest that we write.
"""

import io
import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any, Literal, NamedTuple, Self, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import AliasChoices, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from rosters.core.values import NO_NUL

VERSION = 1
README, MANIFEST, ACCOUNTS, BATTLES, BROWSERS = (
    *("README.txt", "manifest.json", "accounts.jsonl", "battles.jsonl", "browsers.jsonl"),
)
ACCOUNT, INDEX = "account.json", "index.json"
SITE_FILES = {README, MANIFEST, ACCOUNTS, BATTLES, BROWSERS}
SITE, PLAYER = "the backup of a site", "the download of a player"
MEMBERS = {
    SITE: re.compile(rf"{'|'.join(map(re.escape, SITE_FILES))}|rosters/[\w-]{{1,32}}\.jsonl", re.ASCII),
    PLAYER: re.compile(
        r"README\.txt|(manifest|account|index)\.json|(rosters|histories)/[\w-]{1,60}\.[\w-]{1,32}\.jsonl?", re.ASCII
    ),
}
MAX_LINE = 256 << 20
"""Bytes. 2,000 elements, each with the longest notes there can be, with their receipts, stay below it."""
MAX_RATIO = 1_032
"""Deflate cannot shrink further than this; a file that claims more is forged."""
EPOCH = (1980, 1, 1, 0, 0, 0)

ABOUT = """\
{about}

manifest.json      the format, and how many of each there are
rosters/*.jsonl    one file for each roster: its settings on the first line, then a line for each revision,
                   oldest first, with its whole document and its appraisal
"""
SITE_README = ABOUT.format(
    about="A backup of an Armybuilder site, for `manage.py restore`. Keep it as safe as the database."
)
PLAYER_README = ABOUT.format(
    about="Rosters, for the import page of any Armybuilder site; rosters/*.json are documents alone."
)


class BadBackup(Exception):
    """A bundle that cannot be read; the sentence says where and why."""


# ---------------------------------------------------------------- the rows


class Row(BaseModel):
    """A line of a bundle."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @classmethod
    def of(cls, instance: Any, **relations: Any) -> Self:
        """The row of a model's instance: its columns, and what is written of its ``relations``."""
        columns = {name: getattr(instance, name) for name in cls.model_fields if name not in relations}
        return cls(**columns, **relations)


Time = Annotated[AwareDatetime, Field(strict=False)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, Field(max_length=300, pattern=NO_NUL)]
Label = Annotated[str, Field(max_length=120, pattern=NO_NUL)]
Slug = Annotated[str, Field(max_length=60, pattern=NO_NUL)]
Email = Annotated[str, Field(max_length=254, pattern=NO_NUL)]
Username = Annotated[str, Field(min_length=1, max_length=150, pattern=NO_NUL)]
ItemT = TypeVar("ItemT")
Items = Annotated[tuple[ItemT, ...], Field(strict=False)]


class Manifest(Row):
    """What the bundle is, and how many of each it holds."""

    format: Literal["armybuilder-backup", "armybuilder-rosters"]
    version: Annotated[int, Field(ge=VERSION, le=VERSION)] = VERSION
    accounts: Count = 0
    battles: Count = 0
    browsers: Count = 0
    rosters: Count
    revisions: Count

    def __str__(self) -> str:
        held = f"{self.rosters:,} rosters, {self.revisions:,} revisions, {self.battles:,} battles"
        return f"{held}, {self.accounts:,} accounts"


class AddressRow(Row):
    """An e-mail address of an account."""

    email: Email
    verified: bool
    primary: bool


class TokenRow(Row):
    """An API token, by its hash."""

    key_hash: Hash
    name: Slug
    created: Time
    used: Time | None


class AccountRow(Row):
    """An account. ``password`` is its hash."""

    username: Username
    email: Email
    password: Annotated[str, Field(max_length=128, pattern=NO_NUL)]
    first_name: Username | Literal[""]
    last_name: Username | Literal[""]
    is_active: bool
    is_staff: bool
    is_superuser: bool
    date_joined: Time
    last_login: Time | None
    addresses: Items[AddressRow]
    api_tokens: Items[TokenRow]


class BrowserRow(Row):
    """A browser, by the hash of its cookie."""

    key_hash: Hash
    created: Time


class OwnedRow(Row):
    """Something that its ``owner`` (an account) and its ``browsers`` may edit, and that ``creator`` began."""

    browsers: Items[Hash] = ()
    creator: Hash | None = None
    owner: Username | None = None


class ForceRow(Row):
    """A roster in a battle, by its token."""

    roster: Token
    position: Count
    revision: Number
    side: Slug | None


class BattleRow(OwnedRow):
    """A battle."""

    token: Token
    system: Annotated[str, Field(max_length=20, pattern=NO_NUL)]
    name: Label
    scenario: Slug | None
    options: dict[str, Any]
    created: Time
    changed: Time
    forces: Items[ForceRow]


class RosterRow(OwnedRow):
    """A roster but for its document. A player's download leaves out the fields that are the site's alone."""

    token: Token
    edit_hash: Hash | Literal[""] = ""
    sample: Label | None = None
    binned: Annotated[Time | None, Field(validation_alias=AliasChoices("binned", "deleted"))]
    folder: Slug = ""
    tags: Text = ""
    archived: bool = False
    visibility: Literal["link", "listed", "closed"]
    hide_points: bool
    hide_notes: bool
    hide_secrets: bool
    print_settings: dict[str, Any]
    turn: Count
    created: Time
    changed: Time


class RevisionRow(Row):
    """A revision with its document and the appraisal of its day."""

    number: Number
    at: Time
    who: Literal["owner", "editor", "site"]
    summary: Text
    edition: Label
    restores: Number | None
    document: dict[str, Any]
    appraisal: dict[str, Any]


RowT = TypeVar("RowT", bound=Row)


# ---------------------------------------------------------------- writing


def to_line(row: Row, **options: Any) -> str:
    """A row as a line of JSON with sorted keys, which databases keep in any order; ``options`` are `model_dump`'s."""
    return json.dumps(row.model_dump(mode="json", **options), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def add(archive: ZipFile, name: str, lines: Iterable[str]) -> int:
    """Write a file of lines into the zip, one line at a time; returns how many there were."""
    member = ZipInfo(name, EPOCH)
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o600 << 16
    count = 0
    with archive.open(member, "w", force_zip64=True) as file:
        for count, line in enumerate(lines, start=1):  # noqa: B007 - the last number is returned
            file.write(f"{line}\n".encode())
    return count


# ---------------------------------------------------------------- reading


@contextmanager
def open_bundle(file: IO[bytes], kind: str, max_bytes: int | None = None) -> Iterator[ZipFile]:
    """A zip of a SITE or a PLAYER, at most ``max_bytes`` unpacked. Raises BadBackup, while it is read too."""
    try:
        with ZipFile(file) as archive:
            _check_members(archive.infolist(), file.seek(0, io.SEEK_END))
            for name in archive.namelist():
                if not MEMBERS[kind].fullmatch(name):
                    raise BadBackup(f"{name[:80]}: is not a file of {kind}.")
            if max_bytes and sum(member.file_size for member in archive.infolist()) > max_bytes:
                raise BadBackup(f"The zip unpacks to more than {max_bytes:,} bytes.")
            yield archive
    except (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, UnicodeDecodeError, struct.error) as error:
        raise BadBackup(f"The zip is damaged: {error}.") from None


def _check_members(members: list[ZipInfo], size: int) -> None:
    """Refuse what no honest zip has: files that share bytes, begin before it, or claim to hold more than they can."""
    if len({member.filename for member in members}) < len(members):
        raise BadBackup("The zip holds two files of one name.")
    if sum(member.compress_size for member in members) > size:
        raise BadBackup("The zip is forged: its files overlap.")
    if any(member.header_offset < 0 for member in members):
        raise BadBackup("The zip is damaged: a part of it is missing.")
    for member in members:
        name = member.filename[:80]
        if member.flag_bits & 1 or member.compress_type not in (ZIP_DEFLATED, ZIP_STORED):
            raise BadBackup(f"{name}: is encrypted, or compressed in a way that is not supported.")
        if member.file_size > MAX_RATIO * (member.compress_size + 1):
            raise BadBackup(f"{name}: claims to be {member.file_size:,} bytes long, which it cannot be.")


def read_lines(archive: ZipFile, name: str, max_line: int | None = None) -> Iterator[tuple[str, bytes]]:
    """The lines of a file, each with its place for error messages. Raises BadBackup."""
    longest = max_line or MAX_LINE
    if name not in archive.namelist():
        raise BadBackup(f"{name}: is missing.")
    with io.BufferedReader(archive.open(name), 1 << 18) as file:  # type: ignore[type-var]
        for number, line in enumerate(iter(lambda: file.readline(longest + 1), b""), start=1):
            if len(line) > longest:
                raise BadBackup(f"{name}, line {number}: is longer than {longest:,} bytes.")
            yield f"{name}, line {number}", line


def parse_row(row_type: type[RowT], place: str, line: bytes | dict[str, Any]) -> RowT:
    """The row that a line, or an object that was read already, holds. Raises BadBackup."""
    try:
        return row_type.model_validate(json.loads(line) if isinstance(line, bytes) else line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = "/".join(str(part) for part in first["loc"])
        raise BadBackup(f"{place}: {field or 'the line'}: {first['msg']}.") from None
    except (ValueError, RecursionError) as error:
        raise BadBackup(f"{place}: is not usable JSON ({error}).") from None


def read_rows(archive: ZipFile, name: str, row_type: type[RowT]) -> Iterator[tuple[str, RowT]]:
    """The rows of a file, each with its place. Raises BadBackup."""
    for place, line in read_lines(archive, name):
        yield place, parse_row(row_type, place, line)


class History(NamedTuple):
    """A roster's row, its revisions, validated as they are iterated, and the place of the row."""

    place: str
    row: RosterRow
    revisions: Iterator[tuple[str, RevisionRow]]


def read_history(archive: ZipFile, name: str, max_line: int | None = None) -> History:
    """A roster's file. Raises BadBackup, while its revisions are iterated too."""
    lines = read_lines(archive, name, max_line)
    place, line = next(lines, (name, b""))
    row = parse_row(RosterRow, place, line)
    if name.removesuffix(".jsonl").rpartition("/")[2].rpartition(".")[2] != row.token:
        raise BadBackup(f"{place}: the roster's token is not in the file's name.")
    return History(place, row, read_revisions(name, lines))


def read_revisions(name: str, lines: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, RevisionRow]]:
    """Revisions, numbered from 1 without a gap. Raises BadBackup."""
    number = 0
    for number, (place, line) in enumerate(lines, start=1):
        row = parse_row(RevisionRow, place, line)
        if row.number != number:
            raise BadBackup(f"{place}: is revision {row.number}, where {number} should be.")
        if row.restores is not None and row.restores >= number:
            raise BadBackup(f"{place}: restores revision {row.restores}, which is not an earlier one.")
        yield place, row
    if number == 0:
        raise BadBackup(f"{name}: has no revision.")
