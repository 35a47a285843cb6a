"""Write the database, or a player's rosters, into a bundle, and load a site's bundle into an empty database.

A bundle keeps what is not derived: element rows, prices and summaries are computed again.
"""

from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import IO, Any, NamedTuple
from zipfile import ZipFile

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.text import slugify
from pydantic import ValidationError

from rosters import registry
from rosters.core import appraisals
from rosters.core.documents import AnyDocument, InvalidDocument, dumps
from rosters.models import ApiToken, Battle, Browser, Capability, Force, Revision, Roster
from rosters.store import bundle_format as fmt
from rosters.store import revisions, writer
from rosters.store.bundle_format import BadBackup, BattleRow, Manifest, OwnedRow, RosterRow, Row
from rosters.store.consistency import read_snapshot
from rosters.store.state import current_state, export_json
from rosters.store.writer import RosterBundle

BATCH_SIZE = 200
"""Rosters that are written at once."""
MAX_BATCH_BYTES = 8 << 20
"""Bytes of packed revisions after which a batch is written, however few its rosters are."""
RELATIONS = {"browsers", "creator", "owner", "forces", "addresses", "api_tokens", "document", "appraisal"}
"""Fields of rows that are not columns of the model."""
PRIVATE = {"edit_hash", "sample", "browsers", "creator", "owner"}
FILING = {"folder", "tags", "archived"}
"""What a player's download leaves out: of every roster, and of one that somebody else owns."""


class NotEmpty(Exception):
    """The database holds something already; the sentence says what."""


# ---------------------------------------------------------------- writing


def write(file: IO[bytes]) -> Manifest:
    """Back up the whole site into an open file. Raises ValueError when a revision cannot be read."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        manifest = _count_rows()
        fmt.add(archive, fmt.README, fmt.SITE_README.splitlines())
        fmt.add(archive, fmt.MANIFEST, [fmt.to_line(manifest)])
        fmt.add(archive, fmt.ACCOUNTS, map(fmt.to_line, _accounts()))
        fmt.add(archive, fmt.BROWSERS, map(fmt.to_line, _browsers()))
        fmt.add(archive, fmt.BATTLES, map(fmt.to_line, _battles()))
        for roster in _in_order(
            Roster.objects.select_related("creator", "owner").prefetch_related("browsers"), "token"
        ):
            line = fmt.to_line(RosterRow.of(roster, **_people(roster)))
            fmt.add(archive, f"rosters/{roster.token}.jsonl", chain([line], _revision_lines(roster)))
    return manifest


def _count_rows() -> Manifest:
    models: dict[str, Any] = {"accounts": get_user_model(), "battles": Battle, "browsers": Browser, "rosters": Roster}
    counts = {name: model.objects.count() for name, model in models.items()}
    return Manifest(format="armybuilder-backup", revisions=Revision.objects.count(), **counts)


def _in_order(queryset: QuerySet[Any], key: str) -> Iterator[Any]:
    """The objects sorted by a key in Python, since databases collate differently; a batch at a time."""
    keys = [pk for _, pk in sorted(queryset.order_by().values_list(key, "pk"))]
    for first in range(0, len(keys), BATCH_SIZE):
        batch = keys[first : first + BATCH_SIZE]
        found = queryset.in_bulk(batch)
        yield from (found[pk] for pk in batch)


def _people(instance: Roster | Battle) -> dict[str, Any]:
    return {
        "browsers": tuple(sorted(browser.key_hash for browser in instance.browsers.all())),
        "creator": instance.creator.key_hash if instance.creator else None,
        "owner": instance.owner.get_username() if instance.owner else None,
    }


def _accounts() -> Iterator[Row]:
    for user in _in_order(get_user_model().objects.prefetch_related("emailaddress_set", "api_tokens"), "username"):
        addresses = sorted(user.emailaddress_set.all(), key=lambda address: address.pk)
        tokens = sorted(user.api_tokens.all(), key=lambda token: token.key_hash)
        yield fmt.AccountRow.of(
            user,
            addresses=tuple(fmt.AddressRow.of(address) for address in addresses),
            api_tokens=tuple(fmt.TokenRow.of(token) for token in tokens),
        )


def _browsers() -> Iterator[Row]:
    return map(fmt.BrowserRow.of, _in_order(Browser.objects.all(), "key_hash"))


def _battles() -> Iterator[Row]:
    battles = Battle.objects.select_related("creator", "owner").prefetch_related("browsers")
    for battle in _in_order(battles, "token"):
        forces = battle.forces.select_related("roster").order_by("position", "pk")
        rows = tuple(fmt.ForceRow.of(force, roster=force.roster.token) for force in forces)
        yield BattleRow.of(battle, **_people(battle), forces=rows)


def _revision_lines(roster: Roster) -> Iterator[str]:
    """Every revision as a line of JSON, oldest first. Raises ValueError when one cannot be read."""
    number = 0
    try:
        for revision, text in revisions.all_after(roster, 0):
            number = revision.number
            head = fmt.RevisionRow.of(revision, document={}, appraisal={})
            # The text is not parsed, which would double the time of a backup.
            yield f"{fmt.to_line(head, exclude=RELATIONS)[:-1]},{text[1:]}"
    except Exception as error:
        place = f"Roster {roster.token}, after revision {number}"
        raise ValueError(f"{place}: cannot be read ({error}); `manage.py integrity` tells more.") from error


class ExportItem(NamedTuple):
    """A roster that a player may edit; how its owner files it goes along only if it is theirs."""

    key: int
    owned: bool


def write_player_zip(items: Iterable[ExportItem], file: IO[bytes], account: dict[str, Any] | None = None) -> None:
    """Write a player's rosters, and what they are told of their account, into an open file: no secret of anybody."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        rosters = total = 0
        fmt.add(archive, fmt.README, fmt.PLAYER_README.splitlines())
        for rosters, (key, owned) in enumerate(items, start=1):  # noqa: B007 - the last number is the count
            roster = Roster.objects.get(pk=key)
            name = f"rosters/{slugify(roster.name)[:60].strip('-') or 'roster'}.{roster.token}"
            row = RosterRow.of(roster, browsers=(), creator=None, owner=None)
            line = fmt.to_line(row, exclude=PRIVATE if owned else PRIVATE | FILING)
            total += fmt.add(archive, f"{name}.jsonl", chain([line], _revision_lines(roster))) - 1
            fmt.add(archive, f"{name}.json", [dumps(export_json(roster, current_state(roster).document))])
        if account is not None:
            fmt.add(archive, fmt.ACCOUNT, [dumps(account)])
        manifest = Manifest(format="armybuilder-rosters", rosters=rosters, revisions=total)
        fmt.add(archive, fmt.MANIFEST, [fmt.to_line(manifest)])


# ---------------------------------------------------------------- reading


def read_roster(history: fmt.History, **columns: Any) -> RosterBundle:
    """A roster with its packed history; only its latest document stays unpacked. Raises BadBackup."""
    heads: list[dict[str, Any]] = []
    document: AnyDocument | None = None

    def texts() -> Iterator[tuple[int, str]]:
        nonlocal document
        for place, row in history.revisions:
            before, document = document, _read_document(place, row)
            if before and before.system != document.system:
                raise BadBackup(f"{place}: is of another game than the revision before it.")
            heads.append(row.model_dump(exclude=RELATIONS))
            yield row.number, dumps({"document": row.document, "appraisal": row.appraisal})

    packed = [*revisions.pack_all(texts())]
    assert document is not None, "a history without revisions was refused"
    roster = Roster(**history.row.model_dump(exclude=RELATIONS), system=document.system, **columns)
    rows = [Revision(roster=roster, base=p.base, packed=p.data, **h) for p, h in zip(packed, heads, strict=True)]
    return RosterBundle(roster, document, registry.appraise(document), rows, [])


def _read_document(place: str, row: fmt.RevisionRow) -> AnyDocument:
    """The document of a revision, which must have ids, with its appraisal checked. Raises BadBackup."""
    try:
        document = registry.read(row.document)
        appraisals.from_json(row.appraisal)
    except InvalidDocument as error:
        raise BadBackup(f"{place}: its document cannot be read: {str(error)[:300]}.") from None
    except Exception as error:  # a forged appraisal fails in any way
        raise BadBackup(f"{place}: its appraisal cannot be read ({type(error).__name__}: {error}).") from None
    if not all(each.id for formation in document.formations for each in (formation, *formation.elements)):
        raise BadBackup(f"{place}: a formation or an element has no id.")
    if row.appraisal.get("edition") != row.edition:
        raise BadBackup(f"{place}: its appraisal is of another edition than it says.")
    return document


def save(bundles: Iterable[RosterBundle]) -> None:
    """Save rosters in batches that fit into memory. Call it inside a transaction."""
    batch: list[RosterBundle] = []
    size = 0
    for each in bundles:
        batch.append(each)
        size += sum(len(revision.packed) for revision in each.history)
        if len(batch) >= BATCH_SIZE or size >= MAX_BATCH_BYTES:
            writer.bulk_create_rosters(batch)
            batch, size = [], 0
    writer.bulk_create_rosters(batch)


# ---------------------------------------------------------------- restoring


class Restored(NamedTuple):
    """What was restored, and the usernames that the backup gives staff rights."""

    manifest: Manifest
    staff: list[str]


@transaction.atomic
def restore(file: IO[bytes], *, with_staff: bool = True) -> Restored:
    """Load a site's backup into an empty database, all of it or nothing. Raises NotEmpty or BadBackup.

    Sample armies give way to those of the backup, whose addresses people may have shared. Without ``with_staff``,
    no account keeps its staff rights.
    """
    if Roster.objects.filter(sample=None).exists() or Battle.objects.exists() or get_user_model().objects.exists():
        raise NotEmpty("This database holds rosters, battles or accounts. A backup is restored into an empty one only.")
    try:
        with fmt.open_bundle(file, fmt.SITE) as archive:
            if not Capability.objects.exists():
                call_command("load", stdout=StringIO())
            writer.delete_permanently(Roster.objects.exclude(sample=None))
            people = _restore_people(archive, with_staff)
            save(_read_rosters(archive, people))
            _restore_battles(archive, people)
            return Restored(_check_manifest(archive), people.staff)
    except IntegrityError as error:
        raise BadBackup(f"Two rows of the backup exclude each other: {error}.") from None


def _check_manifest(archive: ZipFile) -> Manifest:
    """The manifest, compared with what is in the database now. Raises BadBackup."""
    for _ in fmt.read_lines(archive, fmt.README):
        pass  # damage there is damage too
    manifests, found = [row for _, row in fmt.read_rows(archive, fmt.MANIFEST, Manifest)], _count_rows()
    if len(manifests) != 1:
        raise BadBackup(f"{fmt.MANIFEST}: must be one line.")
    for (name, said), (_, number) in zip(manifests[0], found, strict=True):
        if said != number:
            raise BadBackup(f"{fmt.MANIFEST}: says {said} {name}, where there is {number}.")
    return found


class People(NamedTuple):
    """The keys of accounts by username and of browsers by hash, and the usernames that the backup calls staff."""

    accounts: dict[str, int]
    browsers: dict[str, int]
    staff: list[str]

    def keys(self, place: str, row: OwnedRow) -> tuple[dict[str, Any], list[int]]:
        """The foreign keys of a row's owner and creator, and the keys of its browsers. Raises BadBackup."""
        if row.owner is not None and row.owner not in self.accounts:
            raise BadBackup(f"{place}: its owner is not in the backup.")
        if not {*row.browsers, *([row.creator] if row.creator else [])} <= self.browsers.keys():
            raise BadBackup(f"{place}: a browser that it names is not in the backup.")
        keys = {"owner_id": self.accounts.get(row.owner or ""), "creator_id": self.browsers.get(row.creator or "")}
        return keys, [self.browsers[key] for key in row.browsers]


def _restore_people(archive: ZipFile, with_staff: bool) -> People:
    Browser.objects.all().delete()
    browsers = [Browser(**row.model_dump()) for _, row in fmt.read_rows(archive, fmt.BROWSERS, fmt.BrowserRow)]
    writer.insert(Browser, browsers, "created")
    people = People({}, dict(Browser.objects.values_list("key_hash", "pk")), [])
    for _, row in fmt.read_rows(archive, fmt.ACCOUNTS, fmt.AccountRow):
        columns = row.model_dump(exclude=RELATIONS)
        if row.is_staff or row.is_superuser:
            people.staff.append(row.username)
            columns |= {} if with_staff else {"is_staff": False, "is_superuser": False}
        user = get_user_model().objects.create(**columns)
        EmailAddress.objects.bulk_create(EmailAddress(user=user, **each.model_dump()) for each in row.addresses)
        writer.insert(ApiToken, [ApiToken(user=user, **each.model_dump()) for each in row.api_tokens], "created")
        people.accounts[row.username] = user.pk
    return people


def _read_rosters(archive: ZipFile, people: People) -> Iterator[RosterBundle]:
    for name in sorted(name for name in archive.namelist() if name.startswith("rosters/")):
        history = fmt.read_history(archive, name)
        keys, browsers = people.keys(history.place, history.row)
        yield read_roster(history, **keys)._replace(browsers=browsers)


def _restore_battles(archive: ZipFile, people: People) -> None:
    for place, row in fmt.read_rows(archive, fmt.BATTLES, BattleRow):
        keys, browsers = people.keys(place, row)
        try:
            registry.SYSTEMS[row.system].rules.Options.model_validate(row.options)
        except (KeyError, ValidationError):
            raise BadBackup(f"{place}: {row.system!r} is not a game with these house rules.") from None
        battle = Battle(**row.model_dump(exclude=RELATIONS), **keys)
        writer.insert(Battle, [battle], "created", "changed")
        battle.browsers.add(*browsers)
        rosters = Roster.objects.filter(system=row.system).in_bulk([f.roster for f in row.forces], field_name="token")
        for force in row.forces:
            roster = rosters.get(force.roster)
            if roster is None or roster.revision < force.revision:
                raise BadBackup(f"{place}: no roster {force.roster} of {row.system} has revision {force.revision}.")
            Force.objects.create(battle=battle, roster=roster, **force.model_dump(exclude={"roster"}))
