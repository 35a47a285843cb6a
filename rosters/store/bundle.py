"""The bundle: a zip of JSON Lines, for a site's backup, which is restored, and for a player's download.

It has no derived data: rows of elements, prices, search terms. The same content gives the same bytes. The reader trusts
nothing: every line is validated, and a line longer than any that is written is refused unread. What was read,
`rosters.store.restoring` and `rosters.store.importing` write into the database.
"""

import io
import json
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from itertools import chain
from operator import attrgetter
from typing import IO, Annotated, Any, ClassVar, Literal, NamedTuple, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.db.models import Model, Prefetch
from django.utils.text import slugify
from django.utils.translation import gettext as _
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, create_model

from rosters import models, registry
from rosters.core import appraisals
from rosters.core.documents import AnyDocument, InvalidDocument, dumps
from rosters.core.messages import translate
from rosters.core.play import with_damage, without_damage
from rosters.core.values import NO_NUL, PositiveInteger
from rosters.models import Battle, Browser, Report, ReportState, Revision, Roster, Shelf
from rosters.store import bulk, revisions, shelf
from rosters.store.bulk import UnsavedRoster
from rosters.store.consistency import read_snapshot
from rosters.store.play import StoredPlay, play_of
from rosters.store.shelf import InvalidModels, Models
from rosters.store.state import current_document, export_json

README, MANIFEST, ACCOUNT, OWN_SHELF = "README.txt", "manifest.json", "account.json", "shelf.jsonl"
ACCOUNTS, BATTLES, BROWSERS, SHELVES = "accounts.jsonl", "battles.jsonl", "browsers.jsonl", "shelves.jsonl"
SITE, PLAYER = "armybuilder-backup", "armybuilder-rosters"
MEMBERS = {
    SITE: r"README\.txt|manifest\.json|(accounts|battles|browsers|shelves)\.jsonl|rosters/[\w-]{1,32}\.jsonl",
    PLAYER: r"README\.txt|(manifest|account|index)\.json|shelf\.jsonl|"
    r"(rosters|histories)/[\w-]{1,60}\.[\w-]{1,32}\.jsonl?",
}
"""Names of the files in a bundle of each format."""
MAX_LINE = 256 << 20  # bytes: 2,000 elements with the longest notes there can be, and their receipts, stay below it
README_TEXT = """\
Rosters of an Armybuilder site, for an import page or, with accounts.jsonl, for `manage.py restore`: then protect it
like the database. rosters/*.json are documents; rosters/*.jsonl have settings, then a line for each revision.
shelf.jsonl has a line for each kind of models on the shelf.
"""
PEOPLE: dict[str, Any] = {"browsers": (), "creator": None, "owner": None, "links": (), "editors": {}}
PRIVATE_COLUMNS = {*PEOPLE, "edit_hash", "owner_secret", "sample", "claimed_by_link"}
"""The columns and relations that a player's download omits. ``PEOPLE`` has their values for a roster without owner."""
OWNER_COLUMNS = {"folder", "tags", "archived"}  # also left out of a roster that somebody else owns


class BundleError(Exception):
    """A bundle that cannot be read or restored. The message, whose ``values`` are filled in, says where and why."""

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format(**values))


# ---------------------------------------------------------------- rows

HASH = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
TOKEN = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
USERNAME = Annotated[str, Field(min_length=1, max_length=150, pattern=NO_NUL)]
JSON = dict[str, Any]


class Relation(NamedTuple):
    """What a row has beside columns: its type, how it is read from an instance, and the value that stands for None.

    That is also its value in files without it.
    """

    type: Any
    read: Callable[[Any], Any]
    default: Any = ...


def _key(key_type: Any, path: str, default: Any = ...) -> Relation:
    """A column of a related instance, which may be missing."""
    names = path.split(".")
    return Relation(key_type, lambda row: reduce(lambda of, name: getattr(of, name, None), names, row), default)


def _rows(row_type: Any, name: str, default: Any = ...) -> Relation:
    """The rows of related instances, in the order of their creation."""
    related, by_age = attrgetter(name), attrgetter("pk")
    return Relation(
        tuple[row_type, ...], lambda row: tuple(map(row_type.of, sorted(related(row).all(), key=by_age))), default
    )


class BundleRow(BaseModel):
    """A line of a bundle: columns of a model, and relations as keys or rows."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    relations: ClassVar[Mapping[str, Relation]] = {}

    @classmethod
    def of(cls, instance: Any, **given: Any) -> Self:
        """The row of an instance, with some values that are not read from it."""
        columns = {name: getattr(instance, name) for name in cls.model_fields if name not in {**given, **cls.relations}}
        related = {name: each.read(instance) for name, each in cls.relations.items() if name not in given}
        return cls(**columns, **{name: value for name, value in related.items() if value is not None}, **given)

    def columns(self) -> dict[str, Any]:
        """The values for the model's columns."""
        return self.model_dump(exclude={*self.relations})


class Manifest(BundleRow):
    """The format of a bundle, and the number of rows of each kind."""

    format: str
    version: Literal[1] = 1
    accounts: PositiveInteger = 0
    battles: PositiveInteger = 0
    browsers: PositiveInteger = 0
    rosters: PositiveInteger
    revisions: PositiveInteger
    shelves: PositiveInteger = 0

    def describe(self) -> str:
        return ", ".join(f"{name} {value:,}" for name, value in self if isinstance(value, int) and name != "version")


def _row_type(model: type[Model], columns: str, optional: str = "", **relations: Relation) -> Any:
    """The row type for some columns of a model; ``optional`` ones have the model's defaults in files without them."""
    field: Any = model._meta.get_field
    fields: dict[str, Any] = {name: (_type_of(field(name)), ...) for name in columns.split()}
    fields |= {name: (_type_of(field(name)), field(name).get_default()) for name in optional.split()}
    fields |= {name: (relation.type, relation.default) for name, relation in relations.items()}
    row_type = create_model(f"{model.__name__}Row", __base__=BundleRow, **fields)
    row_type.relations = relations
    return row_type


def _type_of(field: Any) -> Any:
    """The type of a column's values, as strict as the model's field."""
    by_name: dict[str, Any] = {"token": TOKEN, "key_hash": HASH, "edit_hash": HASH | Literal[""], "username": USERNAME}
    by_name |= {"summary_message": list[Any]}
    by_class = {
        "BooleanField": bool,
        "DateTimeField": AwareDatetime,
        "JSONField": JSON,
        "PositiveIntegerField": PositiveInteger,
    }
    text: Any = Annotated[str, Field(max_length=field.max_length, pattern=NO_NUL)]
    kind = by_name.get(field.name) or by_class.get(field.get_internal_type(), text)
    kind = Literal[tuple(value for value, _ in field.choices)] if field.choices else kind
    return kind | None if field.null else kind


OWNED: Any = {
    "browsers": Relation(tuple[HASH, ...], lambda owned: tuple(sorted(b.key_hash for b in owned.browsers.all())), ()),
    "creator": _key(HASH | None, "creator.key_hash", None),
    "owner": _key(USERNAME | None, "owner.username", None),
}
"""Owner, creator and editors: browsers by their hashes, an account by its username."""
PRINT_DEFAULT: Any = {"print_default": _key(JSON | None, "print_default.settings", None)}
AddressRow = _row_type(EmailAddress, "email verified primary")
FactorRow = _row_type(Authenticator, "type data created_at last_used_at")
TokenRow = _row_type(models.ApiToken, "key_hash name created used", optional="scope expires ends_with_password")
BrowserRow = _row_type(Browser, "key_hash created", optional="used", **PRINT_DEFAULT)
AccountRow = _row_type(
    get_user_model(),
    "username email password first_name last_name is_active is_staff is_superuser date_joined last_login",
    addresses=_rows(AddressRow, "emailaddress_set"),
    api_tokens=_rows(TokenRow, "api_tokens"),
    second_factors=_rows(FactorRow, "authenticator_set", ()),
    **PRINT_DEFAULT,
)
ForceRow = _row_type(
    models.Force, "position revision side", optional="locked player", roster=_key(TOKEN, "roster.token")
)
REPORTED: Any = {"a": _key(TOKEN, "a.token"), "b": _key(TOKEN, "b.token")}
ReportRow = _row_type(Report, "token a_revision b_revision basis question seed edition created result", **REPORTED)
BattleRow = _row_type(
    Battle,
    "token system name scenario options created changed",
    forces=_rows(ForceRow, "forces"),
    reports=_rows(ReportRow, "reports", ()),
    **OWNED,
)
EntryRow = _row_type(models.ShelfEntry, "system name profile quantity built painted")
ShelfRow = _row_type(Shelf, "token edit_hash owner_secret created changed", entries=_rows(EntryRow, "entries"), **OWNED)
LinkRow = _row_type(models.EditLink, "name secret key_hash created revoked")
EditorRow: Any = _row_type(
    models.Editor, "is_owner since changed removed", link=_key(HASH | None, "link.key_hash", None)
)
RosterRow = _row_type(
    Roster,
    "token binned visibility hide_points hide_notes hide_secrets print_settings created changed",
    optional="edit_hash owner_secret sample folder tags archived claimed_by_link odds_column",
    turn=_key(PositiveInteger, "play.turn", 0),  # alone in older backups
    play=Relation(StoredPlay | None, StoredPlay.of, None),
    links=_rows(LinkRow, "edit_links", ()),
    editors=Relation(
        dict[HASH, EditorRow],
        lambda roster: {each.browser.key_hash: EditorRow.of(each) for each in roster.editors.all()},
        {},
    ),
    **OWNED,
)
APPENDED: Any = dict.fromkeys(("document", "appraisal"), Relation(JSON, lambda revision: {}))  # as text, when written
RevisionRow = _row_type(Revision, "number at who summary edition restores", "link_name summary_message", **APPENDED)
ENDED = Report.objects.filter(state__in=[ReportState.DONE, ReportState.REMOVED]).select_related("a", "b")
OF_ACCOUNT = ("emailaddress_set", "api_tokens", "authenticator_set", "print_default")
KINDS: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    ACCOUNTS: (get_user_model(), AccountRow, OF_ACCOUNT),
    BROWSERS: (Browser, BrowserRow, ("print_default",)),
    BATTLES: (Battle, BattleRow, (*OWNED, "forces__roster", Prefetch("reports", ENDED))),
    SHELVES: (Shelf, ShelfRow, (*OWNED, "entries")),
}
"""The files of a backup beside those of rosters: the model and the type of their rows, and what is prefetched."""
OF_ROSTER = (*OWNED, "play", "editors__browser", "editors__link", "edit_links")


# ---------------------------------------------------------------- writing


def to_line(row: BundleRow, **options: Any) -> str:
    """A row as a line of JSON. Keys are sorted, since databases return JSON with its keys in any order."""
    return json.dumps(row.model_dump(mode="json", **options), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def add_file(archive: ZipFile, name: str, lines: Iterable[BundleRow | str]) -> None:
    """Write a file into the zip, one row or line at a time."""
    member = ZipInfo(name)  # of 1980, whenever it is written
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o600 << 16
    with archive.open(member, "w", force_zip64=True) as file:
        for line in lines:
            file.write(f"{line if isinstance(line, str) else to_line(line)}\n".encode())


def write(file: IO[bytes]) -> Manifest:
    """Back up the site into an open file. Raises ValueError when a revision cannot be read."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        manifest = count_rows()
        add_file(archive, README, README_TEXT.splitlines())
        add_file(archive, MANIFEST, [manifest])
        for name, (model, row_type, related) in KINDS.items():
            add_file(archive, name, map(row_type.of, _in_order(model, related)))
        for roster in _in_order(Roster, OF_ROSTER):
            lines = chain([RosterRow.of(roster)], _revision_lines(roster))
            add_file(archive, f"rosters/{roster.token}.jsonl", lines)
    return manifest


def count_rows() -> Manifest:
    """The manifest of the whole site."""
    counted = {name.removesuffix(".jsonl"): model for name, (model, *_rest) in KINDS.items()}
    counted |= {"rosters": Roster, "revisions": Revision}
    return Manifest(format=SITE, **{name: model.objects.count() for name, model in counted.items()})


def _in_order(model: Any, related: Iterable[Any]) -> Any:
    """The objects in a stable order, in which a restore creates them; databases collate texts differently."""
    return model.objects.prefetch_related(*related).order_by("pk").iterator(chunk_size=200)


def _revision_lines(roster: Roster, private: Iterable[str] = ()) -> Iterator[str]:
    """Every revision as a line of JSON, oldest first, without ``private`` columns. Raises ValueError."""
    number = 0
    try:
        for revision, text in revisions.all_after(roster, 0):
            number = revision.number
            head = to_line(RevisionRow.of(revision), exclude={*RevisionRow.relations, *private})
            # The revision's JSON is appended as text: parsing it would double the time of a backup.
            yield f"{head[:-1]},{text[1:]}"
    except Exception as error:
        message = _("Roster {token}, after revision {number}: {error}; run `integrity`.")
        raise ValueError(message.format(token=roster.token, number=number, error=error)) from error


def write_player_zip(
    owned: Mapping[int, bool],
    file: IO[bytes],
    account: dict[str, Any] | None = None,
    own_shelf: Shelf | None = None,
) -> None:
    """Write rosters, the shelf and data of the account into an open file, without secrets. ``owned`` says of each
    roster, by its primary key, whether it is the player's own: then folder and tags are written too.
    """
    with read_snapshot(), ZipFile(file, "w") as archive:
        count = Revision.objects.filter(roster__in=[*owned]).count()
        add_file(archive, README, README_TEXT.splitlines())
        add_file(archive, MANIFEST, [Manifest(format=PLAYER, rosters=len(owned), revisions=count)])
        for key, own in sorted(owned.items()):
            roster = Roster.objects.get(pk=key)
            name = f"rosters/{slugify(roster.name)[:60].strip('-') or 'roster'}.{roster.token}"
            private = PRIVATE_COLUMNS if own else PRIVATE_COLUMNS | OWNER_COLUMNS
            line = to_line(RosterRow.of(roster, **PEOPLE), exclude=private)
            add_file(archive, f"{name}.jsonl", chain([line], _revision_lines(roster, ["link_name"])))
            document = with_damage(current_document(roster), play_of(roster).damage)
            add_file(archive, f"{name}.json", [dumps(export_json(roster, document))])
        if own_shelf is not None:
            add_file(archive, OWN_SHELF, map(EntryRow.of, own_shelf.entries.all()))
        if account is not None:
            add_file(archive, ACCOUNT, [dumps(account)])


# ---------------------------------------------------------------- reading


def line_of(name: str, number: int) -> str:
    """A line of a file, for messages."""
    return _("{name}, line {number}").format(name=name, number=number)


def invalid_document(location: str, error: InvalidDocument) -> BundleError:
    """The first error of a document in a bundle."""
    path, message = error.faults[0]
    template = _("{place}: invalid document, {path}: {error}.")
    return BundleError(template, place=location, path=path or _("document"), error=translate(message))


def parse_row(row_type: Any, location: str, line: bytes) -> Any:
    """Validate a line. Raises BundleError."""
    try:
        return row_type.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = "/".join(str(part) for part in first["loc"]) or _("the line")
        raise BundleError(_("{place}: {field}: {error}."), place=location, field=field, error=first["msg"]) from None


class Reader(NamedTuple):
    """An open bundle. Every method raises BundleError, also while its result is iterated."""

    archive: ZipFile
    max_line: int

    def lines(self, name: str) -> Iterator[tuple[str, bytes]]:
        """The lines of a file, each with its location for messages."""
        if name not in self.archive.NameToInfo:
            raise BundleError(_("{name} is missing."), name=name)
        with io.BufferedReader(self.archive.open(name), 1 << 18) as file:  # type: ignore[type-var]
            for number, line in enumerate(iter(lambda: file.readline(self.max_line + 1), b""), start=1):
                location = line_of(name, number)
                if len(line) > self.max_line:
                    raise BundleError(_("{place} is longer than {most:,} bytes."), place=location, most=self.max_line)
                yield location, line

    def rows(self, name: str, row_type: Any) -> Iterator[tuple[str, Any]]:
        """The rows of a file, each with its location."""
        return ((location, parse_row(row_type, location, line)) for location, line in self.lines(name))

    def history(self, name: str) -> tuple[Any, Iterator[tuple[str, Any]]]:
        """A roster's settings and its revisions, out of its file."""
        lines = self.lines(name)
        location, line = next(lines, (name, b""))
        row = parse_row(RosterRow, location, line)
        if name.removesuffix(".jsonl").rpartition("/")[2].rpartition(".")[2] != row.token:
            raise BundleError(_("{place}: the token differs from the file's name."), place=location)
        return row, self.revisions(name, lines)

    def revisions(self, name: str, lines: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, Any]]:
        """Revisions, which must be numbered from 1 without a gap."""
        number = 0
        for number, (location, line) in enumerate(lines, start=1):
            row = parse_row(RevisionRow, location, line)
            if row.number != number or (row.restores is not None and not 0 < row.restores < number):
                message = _("{place}: {row.number} is not the next revision, or restores a later one: {row.restores}.")
                raise BundleError(message, place=location, row=row)
            yield location, row
        if number == 0:
            raise BundleError(_("{name} has no revision."), name=name)


@contextmanager
def open_bundle(file: IO[bytes], kind: str, *, max_bytes: int = 0, max_line: int = 0) -> Iterator[Reader]:
    """Open the zip of a SITE or a PLAYER; 0 bytes unpacked means no limit. Raises BundleError."""
    try:
        with ZipFile(file) as archive:
            _check_members(archive.infolist(), file.seek(0, io.SEEK_END), MEMBERS[kind])
            if max_bytes and sum(member.file_size for member in archive.infolist()) > max_bytes:
                raise BundleError(_("The zip unpacks to more than {most:,} bytes."), most=max_bytes)
            yield Reader(archive, max_line or MAX_LINE)
    except (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, UnicodeDecodeError, struct.error) as error:
        raise BundleError(_("The zip is damaged: {error}."), error=error) from None


def _check_members(members: list[ZipInfo], size: int, names: str) -> None:
    """Refuse files that are not of the format, overlap or are cut off."""
    unique = len({member.filename for member in members}) == len(members)
    if not unique or sum(each.compress_size for each in members) > size or any(m.header_offset < 0 for m in members):
        raise BundleError(_("The zip is forged or damaged: files overlap, are missing, or have the same name."))
    for member in members:
        if not re.fullmatch(names, member.filename, re.ASCII):
            raise BundleError(_("{name} is not a file of this format."), name=member.filename[:80])
        if member.flag_bits & 1 or member.compress_type not in (ZIP_DEFLATED, ZIP_STORED):
            raise BundleError(_("{name} is encrypted or compressed in an unsupported way."), name=member.filename)


def read_roster(row: Any, history: Iterable[tuple[str, Any]], **columns: Any) -> UnsavedRoster:
    """A roster with its packed history. Only its latest document stays in memory. Raises BundleError."""
    document: AnyDocument | None = None

    def versions() -> Iterator[tuple[dict[str, Any], bytes]]:
        nonlocal document
        for location, revision in history:
            before, document = document, _read_document(location, revision)
            if before and before.system != document.system:
                raise BundleError(_("{place} is for another game than the previous revision."), place=location)
            raw = dumps({"document": revision.document, "appraisal": revision.appraisal}).encode()
            yield revision.columns(), raw

    roster = Roster(**row.columns(), **columns)
    rows = bulk.pack_history(roster, versions())
    assert document is not None, "a history without revisions was refused"
    roster.system = document.system
    play: Any = row.play or StoredPlay.in_document(document, row.turn)
    undamaged = without_damage(document)
    appraisal = registry.appraise(undamaged)
    return UnsavedRoster(roster, undamaged, appraisal, rows, play=play and play.state(roster, document))


def _read_document(location: str, row: Any) -> AnyDocument:
    """The document of a revision. Its ids and its appraisal are checked. Raises BundleError."""
    try:
        document = registry.read(row.document)
        appraisals.from_json(row.appraisal)
    except InvalidDocument as error:
        raise invalid_document(location, error) from None
    except Exception as error:  # a forged appraisal fails in any way
        raise BundleError(_("{place}: invalid appraisal: {error}."), place=location, error=repr(error)) from None
    if not all(each.id for formation in document.formations for each in (formation, *formation.elements)):
        raise BundleError(_("{place}: a formation or an element has no id."), place=location)
    if row.appraisal.get("edition") != row.edition:
        raise BundleError(_("{place}: the edition of its appraisal differs."), place=location)
    return document


def read_models(location: str, row: Any) -> Models:
    """The models of an entry of a shelf. Raises BundleError."""
    try:
        return shelf.read_entry(row)
    except InvalidModels as error:
        raise BundleError("{place}: {error}", place=location, error=error) from None
