"""The bundle: a zip of JSON Lines, for a site's backup, which is restored, and for a player's download.

It has no derived data: rows of elements, prices, search terms. The same content gives the same bytes. The reader trusts
nothing: every line is validated, and a line longer than any that is written is refused unread.
"""

import io
import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from typing import IO, Annotated, Any, Literal, NamedTuple, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.text import slugify
from django.utils.translation import gettext as _
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, create_model

from rosters import registry
from rosters.core import appraisals, documents
from rosters.core.documents import AnyDocument, InvalidDocument, dumps
from rosters.core.messages import translate
from rosters.core.play import damage_in, with_damage, without_damage
from rosters.core.values import NO_NUL
from rosters.models import (
    ApiToken,
    Battle,
    Browser,
    EditLink,
    Editor,
    Force,
    PlayState,
    PrintDefault,
    Report,
    ReportState,
    Revision,
    Roster,
    Shelf,
    ShelfEntry,
)
from rosters.store import revisions, shelf, writer
from rosters.store.consistency import read_snapshot
from rosters.store.play import state_in_play
from rosters.store.reference import load_rows
from rosters.store.state import export_json
from rosters.store.writer import UnsavedRoster

README, MANIFEST, ACCOUNT = "README.txt", "manifest.json", "account.json"
ACCOUNTS, BATTLES, BROWSERS, SHELVES = "accounts.jsonl", "battles.jsonl", "browsers.jsonl", "shelves.jsonl"
OWN_SHELF = "shelf.jsonl"
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
PRIVATE_COLUMNS = {
    "edit_hash",
    "owner_secret",
    "sample",
    "browsers",
    "creator",
    "owner",
    "links",
    "editors",
    "claimed_by_link",
}  # left out of a player's download
OWNER_COLUMNS = {"folder", "tags", "archived"}  # also left out of a roster that somebody else owns


class BundleError(Exception):
    """A bundle that cannot be read or restored. The message, whose ``values`` are filled in, says where and why."""

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format(**values))


# ---------------------------------------------------------------- rows

HASH = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
TOKEN = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
USERNAME = Annotated[str, Field(min_length=1, max_length=150, pattern=NO_NUL)]
COUNT = Annotated[int, Field(ge=0, le=2**31 - 1)]
JSON = dict[str, Any]


class BundleRow(BaseModel):
    """A line of a bundle: columns of a model, and relations as keys or rows."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @classmethod
    def of(cls, instance: Any, **relations: Any) -> Self:
        columns = {name: getattr(instance, name) for name in cls.model_fields if name not in relations}
        return cls(**columns, **relations)

    def columns(self) -> dict[str, Any]:
        """The values for the model's columns."""
        return self.model_dump(exclude=NOT_COLUMNS)


class Manifest(BundleRow):
    """The format of a bundle, and the number of rows of each kind."""

    format: str
    version: Literal[1] = 1
    accounts: COUNT = 0
    battles: COUNT = 0
    browsers: COUNT = 0
    rosters: COUNT
    revisions: COUNT
    shelves: COUNT = 0

    def describe(self) -> str:
        return ", ".join(f"{name} {value:,}" for name, value in self if isinstance(value, int) and name != "version")


def _row_type(model: type[Model], columns: str, optional: str = "", **relations: Any) -> Any:
    """The row type for some columns of a model; ``optional`` ones have the model's defaults. Relations are types."""
    field: Any = model._meta.get_field
    fields: dict[str, Any] = {name: (_type_of(field(name)), ...) for name in columns.split()}
    fields |= {name: (_type_of(field(name)), field(name).get_default()) for name in optional.split()}
    return create_model(f"{model.__name__}Row", __base__=BundleRow, **fields, **relations)


def _type_of(field: Any) -> Any:
    """The type of a column's values, as strict as the model's field."""
    by_name = {"token": TOKEN, "key_hash": HASH, "edit_hash": HASH | Literal[""], "username": USERNAME}
    by_class = {"BooleanField": bool, "DateTimeField": AwareDatetime, "JSONField": JSON, "PositiveIntegerField": COUNT}
    text: Any = Annotated[str, Field(max_length=field.max_length, pattern=NO_NUL)]
    kind = by_name.get(field.name) or by_class.get(field.get_internal_type(), text)
    kind = Literal[tuple(value for value, _ in field.choices)] if field.choices else kind
    return kind | None if field.null else kind


OWNED: Any = {"browsers": (tuple[HASH, ...], ()), "creator": (HASH | None, None), "owner": (USERNAME | None, None)}
"""Owner, creator and editors: browsers by their hashes, an account by its username."""
NOT_COLUMNS = {
    *OWNED,
    *("forces", "reports", "a", "b", "addresses", "api_tokens", "second_factors", "roster", "document", "appraisal"),
    *("turn", "play", "links", "editors", "link", "print_default", "entries"),
}
AddressRow: Any = _row_type(EmailAddress, "email verified primary")
FactorRow: Any = _row_type(Authenticator, "type data created_at last_used_at")
TokenRow: Any = _row_type(ApiToken, "key_hash name created used", optional="scope expires ends_with_password")
PRINT_DEFAULT: Any = {"print_default": (JSON | None, None)}
BrowserRow = _row_type(Browser, "key_hash created", optional="used", **PRINT_DEFAULT)
AccountRow = _row_type(
    get_user_model(),
    "username email password first_name last_name is_active is_staff is_superuser date_joined last_login",
    addresses=tuple[AddressRow, ...],
    api_tokens=tuple[TokenRow, ...],
    second_factors=(tuple[FactorRow, ...], ()),
    **PRINT_DEFAULT,
)
ForceRow: Any = _row_type(Force, "position revision side", optional="locked player", roster=TOKEN)
ReportRow: Any = _row_type(
    Report, "token a_revision b_revision basis question seed edition created result", a=TOKEN, b=TOKEN
)
BattleRow = _row_type(
    Battle,
    "token system name scenario options created changed",
    forces=tuple[ForceRow, ...],
    reports=(tuple[ReportRow, ...], ()),  # those that are done or removed; a backup of an earlier release has none
    **OWNED,
)


EntryRow: Any = _row_type(ShelfEntry, "system name profile quantity built painted")
ShelfRow = _row_type(Shelf, "token edit_hash owner_secret created changed", entries=tuple[EntryRow, ...], **OWNED)


class Replaced(BundleRow):
    """A change in play that can be undone: the values that it replaced."""

    turn: COUNT | None = None
    damage: dict[str, JSON] = {}


PlayRow: Any = _row_type(
    PlayState,
    "turn shown",
    damage=dict[str, JSON],
    changes=tuple[Replaced, ...],
    sessions=tuple[tuple[AwareDatetime, AwareDatetime, COUNT], ...],
)
LinkRow: Any = _row_type(EditLink, "name secret key_hash created revoked")
EditorRow: Any = _row_type(Editor, "is_owner since changed removed", link=HASH | None)
RosterRow = _row_type(
    Roster,
    "token binned visibility hide_points hide_notes hide_secrets print_settings created changed",
    optional="edit_hash owner_secret sample folder tags archived claimed_by_link odds_column",
    turn=(COUNT, 0),  # of backups from before there was a row in play
    play=(PlayRow | None, None),
    **OWNED,
    links=(tuple[LinkRow, ...], ()),
    editors=(dict[HASH, EditorRow], {}),  # by browser; a backup of an earlier release has none
)
RevisionRow = _row_type(
    Revision,
    "number at who summary edition restores",
    optional="link_name",
    summary_message=(list[Any] | None, None),
    document=JSON,
    appraisal=JSON,
)


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
        manifest = _count_rows()
        add_file(archive, README, README_TEXT.splitlines())
        add_file(archive, MANIFEST, [manifest])
        add_file(archive, ACCOUNTS, map(_account_row, _in_order(get_user_model())))
        add_file(archive, BROWSERS, map(_browser_row, _in_order(Browser, "print_default")))
        add_file(archive, BATTLES, map(_battle_row, _in_order(Battle, *OWNED)))
        add_file(archive, SHELVES, map(_shelf_row, _in_order(Shelf, *OWNED, "entries")))
        for roster in _in_order(Roster, *OWNED, "play", "editors__browser", "editors__link", "edit_links"):
            row = RosterRow.of(roster, **_people(roster), **_play(roster), **_links(roster))
            add_file(archive, f"rosters/{roster.token}.jsonl", chain([row], _revision_lines(roster)))
    return manifest


def _count_rows() -> Manifest:
    models: Any = {"accounts": get_user_model(), "battles": Battle, "browsers": Browser, "rosters": Roster}
    models |= {"revisions": Revision, "shelves": Shelf}
    return Manifest(format=SITE, **{name: model.objects.count() for name, model in models.items()})


def _in_order(model: Any, *related: str) -> Any:
    """The objects in a stable order, in which a restore creates them; databases collate texts differently."""
    return model.objects.prefetch_related(*related).order_by("pk").iterator(chunk_size=200)


def _browser_row(browser: Browser) -> Any:
    return BrowserRow.of(browser, print_default=_print_default(browser))


def _print_default(person: Any) -> dict[str, Any] | None:
    """The default print options of an account or a browser."""
    saved = getattr(person, "print_default", None)
    return saved and saved.settings


def _account_row(user: Any) -> Any:
    addresses = map(AddressRow.of, user.emailaddress_set.order_by("pk"))
    tokens = map(TokenRow.of, user.api_tokens.order_by("pk"))
    factors = map(FactorRow.of, user.authenticator_set.order_by("pk"))
    return AccountRow.of(
        user,
        addresses=tuple(addresses),
        api_tokens=tuple(tokens),
        second_factors=tuple(factors),
        print_default=_print_default(user),
    )


def _battle_row(battle: Battle) -> Any:
    forces = (ForceRow.of(force, roster=force.roster.token) for force in battle.forces.select_related("roster"))
    ended = battle.reports.filter(state__in=[ReportState.DONE, ReportState.REMOVED]).select_related("a", "b")
    reports = (ReportRow.of(report, a=report.a.token, b=report.b.token) for report in ended.order_by("pk"))
    return BattleRow.of(battle, **_people(battle), forces=tuple(forces), reports=tuple(reports))


def _shelf_row(own: Shelf) -> Any:
    return ShelfRow.of(own, **_people(own), entries=tuple(map(EntryRow.of, own.entries.all())))


def _people(instance: Roster | Battle | Shelf) -> dict[str, Any]:
    return {
        "browsers": tuple(sorted(browser.key_hash for browser in instance.browsers.all())),
        "creator": instance.creator.key_hash if instance.creator else None,
        "owner": instance.owner.get_username() if instance.owner else None,
    }


def _play(roster: Roster) -> dict[str, Any]:
    play = getattr(roster, "play", None)
    if play is None:
        return {"turn": 0, "play": None}
    values = {name: getattr(play, name) for name in PlayRow.model_fields}
    return {"turn": play.turn, "play": PlayRow.model_validate_json(dumps(values))}


def _links(roster: Roster) -> dict[str, Any]:
    links = map(LinkRow.of, sorted(roster.edit_links.all(), key=attrgetter("pk")))
    rows = ((each, each.link and each.link.key_hash) for each in roster.editors.all())
    editors = {each.browser.key_hash: EditorRow.of(each, link=link) for each, link in rows}
    return {"links": tuple(links), "editors": editors}


def _revision_lines(roster: Roster, private: Iterable[str] = ()) -> Iterator[str]:
    """Every revision as a line of JSON, oldest first, without ``private`` columns. Raises ValueError."""
    number = 0
    try:
        for revision, text in revisions.all_after(roster, 0):
            number = revision.number
            head = RevisionRow.of(revision, document={}, appraisal={})
            # The revision's JSON is appended as text: parsing it would double the time of a backup.
            yield f"{to_line(head, exclude=NOT_COLUMNS.union(private))[:-1]},{text[1:]}"
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
            row = RosterRow.of(roster, browsers=(), creator=None, owner=None, links=(), editors={}, **_play(roster))
            line = to_line(row, exclude=PRIVATE_COLUMNS if own else PRIVATE_COLUMNS | OWNER_COLUMNS)
            add_file(archive, f"{name}.jsonl", chain([line], _revision_lines(roster, ["link_name"])))
            add_file(
                archive, f"{name}.json", [dumps(export_json(roster, state_in_play(roster, complete=True).document))]
            )
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

    def versions() -> Iterator[tuple[dict[str, Any], str]]:
        nonlocal document
        for location, revision in history:
            before, document = document, _read_document(location, revision)
            if before and before.system != document.system:
                raise BundleError(_("{place} is for another game than the previous revision."), place=location)
            yield revision.columns(), dumps({"document": revision.document, "appraisal": revision.appraisal})

    roster = Roster(**row.columns(), **columns)
    rows = writer.pack_history(roster, versions())
    assert document is not None, "a history without revisions was refused"
    roster.system = document.system
    play = _read_play(roster, row, document)
    document = without_damage(document)
    return UnsavedRoster(roster, document, registry.appraise(document), rows, play=play)


def _read_play(roster: Roster, row: Any, document: AnyDocument) -> PlayState | None:
    """The roster's row in play; out of an old backup, with the damage in its latest document."""
    if row.play is None:
        damage = damage_in(document)
        return PlayState(roster=roster, turn=row.turn, damage=damage) if damage or row.turn else None
    values = row.play.model_dump(mode="json", exclude_none=True)
    return PlayState(roster=roster, **values | {"damage": damage_in(with_damage(document, row.play.damage))})


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


@transaction.atomic
def restore_backup(file: IO[bytes]) -> Manifest:
    """Restore a site's backup into an empty database, completely or not at all. Raises BundleError.

    Sample rosters are replaced by those of the backup, whose links people may have shared.
    """
    others = (Battle, Shelf, get_user_model())
    if Roster.objects.filter(sample=None).exists() or any(model._default_manager.all().exists() for model in others):
        raise BundleError(_("The database is not empty. Restore a backup into a new one."))
    try:
        with open_bundle(file, SITE) as reader:
            load_rows()
            writer.delete_permanently(Roster.objects.exclude(sample=None))
            people = _restore_people(reader)
            writer.bulk_create_rosters(_read_rosters(reader, people))
            _restore_battles(reader, people)
            _restore_shelves(reader, people)
            sum(1 for line in reader.lines(README))  # damage there is damage too
            stated, actual = [row for _location, row in reader.rows(MANIFEST, Manifest)], _count_rows()
    except IntegrityError as error:
        raise BundleError(_("Two rows of the backup contradict each other: {error}."), error=error) from None
    if stated != [actual]:
        message = _("{name} does not match the other files: {stated} instead of {actual}.")
        raise BundleError(message, name=MANIFEST, stated=stated, actual=actual)
    return actual


class OwnerKeys(NamedTuple):
    """The primary keys of accounts by username and of browsers by hash."""

    accounts: dict[str, int]
    browsers: dict[str, int]

    def keys(self, location: str, row: Any) -> tuple[dict[str, Any], list[int]]:
        """The foreign keys of a row's owner and creator, and the keys of its browsers. Raises BundleError."""
        try:
            creator = None if row.creator is None else self.browsers[row.creator]
            owner = None if row.owner is None else self.accounts[row.owner]
            return {"creator_id": creator, "owner_id": owner}, [self.browsers[key] for key in row.browsers]
        except KeyError as missing:
            raise BundleError(_("{place}: no such owner or browser: {key}."), place=location, key=missing) from None


def _restore_people(reader: Reader) -> OwnerKeys:
    Browser.objects.all().delete()
    rows = [row for _, row in reader.rows(BROWSERS, BrowserRow)]
    writer.insert(Browser, [Browser(**row.columns()) for row in rows], "created")
    browsers = dict(Browser.objects.values_list("key_hash", "pk"))
    saved = {browsers[row.key_hash]: row.print_default for row in rows if row.print_default is not None}
    PrintDefault.objects.bulk_create(PrintDefault(browser_id=key, settings=each) for key, each in saved.items())
    for _location, row in reader.rows(ACCOUNTS, AccountRow):
        user = get_user_model().objects.create(**row.columns())
        EmailAddress.objects.bulk_create(EmailAddress(user=user, **each.columns()) for each in row.addresses)
        Authenticator.objects.bulk_create(Authenticator(user=user, **each.columns()) for each in row.second_factors)
        writer.insert(ApiToken, [ApiToken(user=user, **each.columns()) for each in row.api_tokens], "created")
        if row.print_default is not None:
            PrintDefault.objects.create(user=user, settings=row.print_default)
    accounts = get_user_model().objects.values_list("username", "pk")
    return OwnerKeys(dict(accounts), browsers)


def _read_rosters(reader: Reader, people: OwnerKeys) -> Iterator[UnsavedRoster]:
    for name in (name for name in reader.archive.namelist() if name.startswith("rosters/")):
        row, history = reader.history(name)
        keys, browsers = people.keys(line_of(name, 1), row)
        links = {link.key_hash: EditLink(**link.columns()) for link in row.links}
        editors = [*_read_editors(row, browsers, links)]
        yield read_roster(row, history, **keys)._replace(editors=editors, links=[*links.values()])


def _read_editors(row: Any, browsers: list[int], links: dict[str, EditLink]) -> Iterator[Editor]:
    """The rows of a roster's browsers; those of an earlier release become what migration 0012 makes of them."""
    for key_hash, browser in zip(row.browsers, browsers, strict=True):
        if stored := row.editors.get(key_hash):
            yield Editor(browser_id=browser, link=links.get(stored.link), **stored.columns())
        else:
            yield Editor(browser_id=browser, is_owner=row.creator == key_hash or not (row.creator or row.owner))


def _restore_battles(reader: Reader, people: OwnerKeys) -> None:
    for location, row in reader.rows(BATTLES, BattleRow):
        keys, browsers = people.keys(location, row)
        try:
            registry.SYSTEMS[row.system].rules.Options.model_validate(row.options)
        except (KeyError, ValidationError):
            message = _("{place}: “{system}” is not a game with these house rules.")
            raise BundleError(message, place=location, system=row.system) from None
        battle = Battle(**row.columns(), **keys)
        writer.insert(Battle, [battle], "created", "changed")
        battle.browsers.add(*browsers)
        rosters = Roster.objects.filter(system=row.system).in_bulk([f.roster for f in row.forces], field_name="token")
        for force in row.forces:
            roster = rosters.get(force.roster)
            if roster is None or not 0 < force.revision <= roster.revision:
                message = _("{place}: there is no revision {number} of a {system} roster {token}.")
                raise BundleError(message, place=location, number=force.revision, system=row.system, token=force.roster)
            Force.objects.create(battle=battle, roster=roster, **force.columns())
        _restore_reports(battle, row.reports)


def _restore_shelves(reader: Reader, people: OwnerKeys) -> None:
    """The shelves; a backup of an earlier release has none."""
    rows = reader.rows(SHELVES, ShelfRow) if SHELVES in reader.archive.NameToInfo else ()
    for location, row in rows:
        keys, browsers = people.keys(location, row)
        own = Shelf(**row.columns(), **keys)
        writer.insert(Shelf, [own], "created", "changed")
        own.browsers.add(*browsers)
        items = (read_models(location, each) for each in row.entries)
        ShelfEntry.objects.bulk_create(shelf.new_entry(own, models) for models in items)


def read_models(location: str, row: Any) -> shelf.Models:
    """The models of an entry of a shelf. Raises BundleError."""
    try:
        element = registry.SYSTEMS[row.system].rules.Element.model_validate({**row.profile, "name": row.name})
    except KeyError:
        raise BundleError(_("{place}: “{system}” is not a game."), place=location, system=row.system) from None
    except ValidationError as error:
        first = translate(documents.error_message(error.errors(include_url=False)[0]))
        raise BundleError(_("{place}: invalid element: {error}."), place=location, error=first) from None
    counts = (row.quantity, row.built, row.painted)
    if not counts[2] <= counts[1] <= counts[0]:
        message = _("{place}: more models are painted than built, or built than owned.")
        raise BundleError(message, place=location)
    return shelf.Models(row.system, element, *counts)


def _restore_reports(battle: Battle, rows: Iterable[Any]) -> None:
    """The finished reports of a battle, also removed ones; those of rosters that were deleted are left out."""
    for row in rows:
        rosters = Roster.objects.filter(system=battle.system).in_bulk([row.a, row.b], field_name="token")
        if row.a in rosters and row.b in rosters:
            state = ReportState.DONE if row.result else ReportState.REMOVED
            report = Report(battle=battle, a=rosters[row.a], b=rosters[row.b], state=state, **row.columns())
            writer.insert(Report, [report], "created")
