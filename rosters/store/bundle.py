"""Write the database, or a player's rosters, into a bundle, and load a site's bundle into an empty database.

A bundle keeps what is not derived: element rows, prices and summaries are computed again.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import IO, Any, NamedTuple
from zipfile import ZipFile

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.db.models import Model, QuerySet
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
"""Fields that a player's download leaves out."""
OWNERS_OWN = {"folder", "tags", "archived"}
"""Fields that it leaves out where somebody else owns the roster."""


class NotEmpty(Exception):
    """The database holds something already; the sentence says what."""


# ---------------------------------------------------------------- writing


def write(file: IO[bytes]) -> Manifest:
    """Back up the whole site into an open file. Raises ValueError when a revision cannot be read."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        manifest = Manifest(
            format="armybuilder-backup",
            accounts=get_user_model().objects.count(),
            battles=Battle.objects.count(),
            browsers=Browser.objects.count(),
            rosters=Roster.objects.count(),
            revisions=Revision.objects.count(),
        )
        fmt.add(archive, fmt.README, fmt.SITE_README.splitlines())
        fmt.add(archive, fmt.MANIFEST, [fmt.to_line(manifest)])
        fmt.add(archive, fmt.ACCOUNTS, map(fmt.to_line, _accounts()))
        fmt.add(archive, fmt.BROWSERS, map(fmt.to_line, _browsers()))
        fmt.add(archive, fmt.BATTLES, map(fmt.to_line, _battles()))
        for roster in _in_order(
            Roster.objects.select_related("creator", "owner").prefetch_related("browsers"), "token"
        ):
            line = fmt.to_line(RosterRow(**_columns(RosterRow, roster), **_people(roster)))
            fmt.add(archive, f"rosters/{roster.token}.jsonl", chain([line], _revision_lines(roster)))
    return manifest


def _in_order(queryset: QuerySet[Any], key: str) -> Iterator[Any]:
    """The objects sorted by a key in Python, since databases collate differently; a batch at a time."""
    keys = [pk for _, pk in sorted(queryset.order_by().values_list(key, "pk"))]
    for first in range(0, len(keys), BATCH_SIZE):
        batch = keys[first : first + BATCH_SIZE]
        found = queryset.in_bulk(batch)
        yield from (found[pk] for pk in batch)


def _columns(row_type: type[Row], instance: Model) -> dict[str, Any]:
    """The columns that a row has of a model. Objects get sorted keys, since databases keep them in any order."""
    columns = {name: getattr(instance, name) for name in row_type.model_fields if name not in RELATIONS}
    return {
        name: json.loads(json.dumps(value, sort_keys=True)) if isinstance(value, dict) else value
        for name, value in columns.items()
    }


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
        yield fmt.AccountRow(
            **_columns(fmt.AccountRow, user),
            addresses=tuple(fmt.AddressRow(**_columns(fmt.AddressRow, each)) for each in addresses),
            api_tokens=tuple(fmt.TokenRow(**_columns(fmt.TokenRow, each)) for each in tokens),
        )


def _browsers() -> Iterator[Row]:
    return (fmt.BrowserRow(**_columns(fmt.BrowserRow, each)) for each in _in_order(Browser.objects.all(), "key_hash"))


def _battles() -> Iterator[Row]:
    battles = Battle.objects.select_related("creator", "owner").prefetch_related("browsers")
    for battle in _in_order(battles, "token"):
        forces = battle.forces.order_by("position", "pk").values_list("roster__token", "position", "revision", "side")
        rows = tuple(fmt.ForceRow(roster=t, position=p, revision=r, side=s) for t, p, r, s in forces)
        yield BattleRow(**_columns(BattleRow, battle), **_people(battle), forces=rows)


def _revision_lines(roster: Roster) -> Iterator[str]:
    """Every revision as a line of JSON, oldest first. Raises ValueError when one cannot be read."""
    number = 0
    try:
        for revision, text in revisions.all_after(roster, 0):
            number = revision.number
            head = _columns(fmt.RevisionRow, revision) | {"at": revision.at.isoformat()}
            yield f"{dumps(head)[:-1]},{text[1:]}"  # the text is not parsed: that would double the time of a backup
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
            row = RosterRow(**_columns(RosterRow, roster))
            line = fmt.to_line(row, exclude=PRIVATE if owned else PRIVATE | OWNERS_OWN)
            total += fmt.add(archive, f"{name}.jsonl", chain([line], _revision_lines(roster))) - 1
            fmt.add(archive, f"{name}.json", [dumps(export_json(roster, current_state(roster).document))])
        if account is not None:
            fmt.add(archive, fmt.ACCOUNT, [dumps(account)])
        manifest = Manifest(format="armybuilder-rosters", rosters=rosters, revisions=total)
        fmt.add(archive, fmt.MANIFEST, [fmt.to_line(manifest)])


# ---------------------------------------------------------------- reading


def read_roster(history: fmt.History) -> RosterBundle:
    """A roster with its packed history, nobody's yet; only its latest document stays unpacked. Raises BadBackup."""
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
    roster = Roster(**history.row.model_dump(exclude=RELATIONS), system=document.system)
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
    refuse_unless_empty()
    with fmt.open_bundle(file, fmt.SITE) as archive:
        manifests = [row for _, row in fmt.read_rows(archive, fmt.MANIFEST, Manifest)]
        if len(manifests) != 1 or manifests[0].format != "armybuilder-backup":
            raise BadBackup(f"{fmt.MANIFEST}: must be one line, of the format 'armybuilder-backup'.")
        for _ in fmt.read_lines(archive, fmt.README):
            pass  # damage there is damage too
        if not Capability.objects.exists():
            call_command("load", stdout=StringIO())
        writer.delete_permanently(Roster.objects.exclude(sample=None))
        restorer = _Restorer(archive)
        restorer.add_browsers()
        restorer.add_accounts(with_staff)
        save(restorer.read_rosters())
        restorer.add_battles()
        restorer.check_counts(manifests[0])
    return Restored(manifests[0], restorer.staff)


def refuse_unless_empty() -> None:
    """Raise NotEmpty when the database holds anybody's rosters, battles or accounts."""
    counts = {
        "rosters": Roster.objects.filter(sample=None).count(),
        "battles": Battle.objects.count(),
        "accounts": get_user_model().objects.count(),
    }
    held = [f"{count:,} {what if count > 1 else what[:-1]}" for what, count in counts.items() if count]
    if held:
        raise NotEmpty(f"This database holds {' and '.join(held)}. A backup is restored into an empty one only.")


class _Restorer:
    """Loads the files of one backup, in an order in which each refers to what is there already."""

    def __init__(self, archive: ZipFile) -> None:
        self.archive = archive
        self.accounts: dict[str, int] = {}
        self.browsers: dict[str, int] = {}
        self.counts = Counter[str]()
        self.staff: list[str] = []
        self.unique: set[tuple[str, str]] = set()

    def require_unique(self, place: str, kind: str, key: str) -> None:
        if (kind, key) in self.unique:
            raise BadBackup(f"{place}: {kind} {key[:150]} is there twice.")
        self.unique.add((kind, key))
        self.counts[kind] += 1

    def people_of(self, place: str, row: OwnedRow) -> tuple[dict[str, int | None], list[int]]:
        """The foreign keys of a row's owner and creator, and the keys of its browsers."""
        if row.owner is not None and row.owner not in self.accounts:
            raise BadBackup(f"{place}: its owner is not in the backup.")
        if not {*row.browsers, *([row.creator] if row.creator else [])} <= self.browsers.keys():
            raise BadBackup(f"{place}: a browser that it names is not in the backup.")
        if len({*row.browsers}) < len(row.browsers):
            raise BadBackup(f"{place}: names a browser twice.")
        keys = {"owner_id": self.accounts.get(row.owner or ""), "creator_id": self.browsers.get(row.creator or "")}
        return keys, [self.browsers[key] for key in row.browsers]

    def add_browsers(self) -> None:
        browsers = []
        for place, row in fmt.read_rows(self.archive, fmt.BROWSERS, fmt.BrowserRow):
            self.require_unique(place, "browsers", row.key_hash)
            browsers.append(Browser(**row.model_dump()))
        Browser.objects.all().delete()
        writer.insert(Browser, browsers, "created")
        self.browsers = dict(Browser.objects.values_list("key_hash", "pk"))

    def add_accounts(self, with_staff: bool) -> None:
        for place, row in fmt.read_rows(self.archive, fmt.ACCOUNTS, fmt.AccountRow):
            self.require_unique(place, "accounts", row.username)
            for address in (each.email.lower() for each in row.addresses if each.verified):
                self.require_unique(place, "address", address)
            for token in row.api_tokens:
                self.require_unique(place, "token", token.key_hash)
            columns = row.model_dump(exclude=RELATIONS)
            if row.is_staff or row.is_superuser:
                self.staff.append(row.username)
                columns |= {} if with_staff else {"is_staff": False, "is_superuser": False}
            user = get_user_model().objects.create(**columns)
            EmailAddress.objects.bulk_create(EmailAddress(user=user, **each.model_dump()) for each in row.addresses)
            writer.insert(ApiToken, [ApiToken(user=user, **each.model_dump()) for each in row.api_tokens], "created")
            self.accounts[row.username] = user.pk

    def read_rosters(self) -> Iterator[RosterBundle]:
        for name in sorted(name for name in self.archive.namelist() if name.startswith("rosters/")):
            history = fmt.read_history(self.archive, name)
            keys, browsers = self.people_of(history.place, history.row)
            if history.row.sample is not None:
                self.require_unique(history.place, "sample", history.row.sample)
            bundle = read_roster(history)
            for field, key in keys.items():
                setattr(bundle.roster, field, key)
            self.counts.update(rosters=1, revisions=len(bundle.history))
            yield bundle._replace(browsers=browsers)

    def add_battles(self) -> None:
        for place, row in fmt.read_rows(self.archive, fmt.BATTLES, BattleRow):
            self.require_unique(place, "battles", row.token)
            keys, browsers = self.people_of(place, row)
            _check_terms(place, row)
            battle = Battle(**row.model_dump(exclude=RELATIONS), **keys)
            writer.insert(Battle, [battle], "created", "changed")
            battle.browsers.add(*browsers)
            rosters = Roster.objects.filter(system=row.system).in_bulk(
                [f.roster for f in row.forces], field_name="token"
            )
            for force in row.forces:
                self.require_unique(place, row.token, force.roster)
                roster = rosters.get(force.roster)
                if roster is None or roster.revision < force.revision:
                    raise BadBackup(f"{place}: no roster {force.roster} of {row.system} has revision {force.revision}.")
                Force.objects.create(battle=battle, roster=roster, **force.model_dump(exclude={"roster"}))

    def check_counts(self, manifest: Manifest) -> None:
        for name in ("accounts", "browsers", "rosters", "revisions", "battles"):
            said, found = getattr(manifest, name), self.counts[name]
            if said != found:
                raise BadBackup(f"{fmt.MANIFEST}: says {said:,} {name}, but there are {found:,}.")


def _check_terms(place: str, battle: BattleRow) -> None:
    """Whether its game knows a battle's house rules. Raises BadBackup."""
    if battle.system not in registry.SYSTEMS:
        raise BadBackup(f"{place}: {battle.system!r} is not a game of this site.")
    try:
        registry.SYSTEMS[battle.system].rules.Options.model_validate(battle.options)
    except ValidationError:
        raise BadBackup(f"{place}: its house rules are none of its game's.") from None
