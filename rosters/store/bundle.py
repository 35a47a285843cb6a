"""Back up everything as one zip, and put such a zip into an empty database; and a visitor's own rosters as a zip.

The zip holds what is not derived: rows, prices and summaries are worked out again. Whatever is read here is read one
roster at a time, as it stood at one moment.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO, StringIO
from itertools import chain
from typing import IO, Any, NamedTuple
from zipfile import ZipFile

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, transaction
from django.utils.text import slugify
from pydantic import ValidationError

from rosters import registry
from rosters.core import appraisals, documents
from rosters.core.documents import Fault, InvalidDocument
from rosters.models import ApiToken, Battle, Browser, Capability, Force, Revision, Roster
from rosters.store import bundle_format, revisions, writer
from rosters.store.bundle_format import (
    AccountRow,
    Address,
    BadBackup,
    BattleRow,
    BrowserRow,
    ForceRow,
    History,
    Manifest,
    RevisionHead,
    RosterRow,
    TokenRow,
)
from rosters.store.state import current_state, export_json
from rosters.store.writer import RosterBundle

BATCH_SIZE = 200
"""Rosters that are written at once."""
MAX_BATCH_BYTES = 8 << 20
"""Bytes of packed revisions after which a batch is written, however few its rosters are."""


class NotEmpty(Exception):
    """The database holds something already; the sentence says what."""


@contextmanager
def read_snapshot() -> Iterator[None]:
    """What is read inside is as it stood at one moment, while others go on writing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")  # a reader's: `atomic` would keep every writer waiting
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


# ---------------------------------------------------------------- backing up


def write(file: IO[bytes]) -> Manifest:
    """Write everything into an open file. Raises ValueError with a sentence when a revision cannot be read."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        manifest = _count_rows()
        bundle_format.add(archive, bundle_format.README, bundle_format.ABOUT.splitlines())
        bundle_format.add(archive, bundle_format.ACCOUNTS, map(bundle_format.line_of, _accounts()))
        bundle_format.add(archive, bundle_format.BATTLES, map(bundle_format.line_of, _battles()))
        bundle_format.add(archive, bundle_format.BROWSERS, map(bundle_format.line_of, _browsers()))
        bundle_format.add(archive, bundle_format.MANIFEST, [bundle_format.line_of(manifest)])
        for roster in _rosters():
            head = bundle_format.line_of(_roster(roster))
            bundle_format.add(archive, f"rosters/{roster.token}.jsonl", chain([head], revision_lines(roster)))
    return manifest


def _rosters() -> Iterator[Roster]:
    """All rosters by token, some at a time, with their people."""
    keys = [key for _, key in sorted(Roster.objects.order_by().values_list("token", "pk"))]
    for first in range(0, len(keys), BATCH_SIZE):
        some = keys[first : first + BATCH_SIZE]
        found = Roster.objects.select_related("creator", "owner").prefetch_related("browsers").in_bulk(some)
        yield from (found[key] for key in some)


def _count_rows() -> Manifest:
    return Manifest(
        accounts=get_user_model().objects.count(),
        battles=Battle.objects.count(),
        browsers=Browser.objects.count(),
        rosters=Roster.objects.count(),
        revisions=Revision.objects.count(),
    )


def _accounts() -> Iterator[AccountRow]:
    """Accounts by username."""
    users = get_user_model().objects
    for _, key in sorted(users.order_by().values_list("username", "pk")):
        user: Any = users.get(pk=key)
        addresses = EmailAddress.objects.filter(user=user).order_by("pk")
        columns = {name: getattr(user, name) for name in _ACCOUNT}
        yield AccountRow(
            **columns,
            addresses=tuple(Address(email=a.email, verified=a.verified, primary=a.primary) for a in addresses),
            api_tokens=tuple(
                TokenRow(**row) for row in user.api_tokens.order_by("key_hash").values(*TokenRow.model_fields)
            ),
        )


_ACCOUNT = [name for name in AccountRow.model_fields if name not in ("addresses", "api_tokens")]


def _browsers() -> Iterator[BrowserRow]:
    """Browsers by the hashes of their cookies."""
    for key_hash, created in sorted(Browser.objects.values_list("key_hash", "created")):
        yield BrowserRow(key_hash=key_hash, created=created)


def _battles() -> Iterator[BattleRow]:
    """Battles by token."""
    for _, key in sorted(Battle.objects.order_by().values_list("token", "pk")):
        battle = Battle.objects.select_related("creator", "owner").get(pk=key)
        forces = battle.forces.order_by("position", "pk").values_list("roster__token", "position", "revision", "side")
        kept: dict[str, Any] = {name: _in_order(getattr(battle, name)) for name in _OF_BATTLE}
        yield BattleRow(
            **kept,
            browsers=_hashes(battle),
            creator=battle.creator.key_hash if battle.creator else None,
            owner=battle.owner.get_username() if battle.owner else None,
            forces=tuple(ForceRow(roster=t, position=p, revision=r, side=s) for t, p, r, s in forces),
        )


_OF_BATTLE = [name for name in BattleRow.model_fields if name not in ("browsers", "creator", "owner", "forces")]


def _hashes(thing: Roster | Battle) -> tuple[str, ...]:
    return tuple(sorted(browser.key_hash for browser in thing.browsers.all()))


_KEPT = [name for name in RosterRow.model_fields if name not in ("browsers", "creator", "owner")]


def _roster(roster: Roster) -> RosterRow:
    kept: dict[str, Any] = {name: _in_order(getattr(roster, name)) for name in _KEPT}
    creator = roster.creator.key_hash if roster.creator else None
    owner = roster.owner.get_username() if roster.owner else None
    return RosterRow(**kept, browsers=_hashes(roster), creator=creator, owner=owner)


def _in_order(value: Any) -> Any:
    """A value; an object's keys by name, since databases order them as they like."""
    return json.loads(json.dumps(value, sort_keys=True)) if isinstance(value, dict) else value


def revision_lines(roster: Roster) -> Iterator[str]:
    """Every revision of a roster as a line of JSON, oldest first. Raises ValueError when one cannot be read."""
    number = 0
    try:
        for revision, text in revisions.all_after(roster, 0):
            number = revision.number
            head = RevisionHead(**{name: getattr(revision, name) for name in RevisionHead.model_fields})
            yield bundle_format.revision_line(head, text)
    except Exception as error:
        place = f"Roster {roster.token}, after revision {number}"
        raise ValueError(f"{place}: cannot be read ({error}); `manage.py integrity` tells more.") from error


# ---------------------------------------------------------------- checking a backup


class Checked(NamedTuple):
    """What a backup's rosters refer to: usernames, hashes of browsers, and what battles say of each roster."""

    accounts: set[str]
    browsers: set[str]
    forces: dict[str, list[tuple[str, BattleRow, ForceRow]]]


def check(file: IO[bytes]) -> Manifest:
    """Read a whole backup, every line of it. Raises BadBackup at the first fault; nothing is written."""
    with bundle_format.opened(file) as archive:
        names = bundle_format.roster_files(archive)
        manifest = bundle_format.manifest_of(archive)
        for _ in bundle_format.lines_in(archive, bundle_format.README):
            pass
        known = _check_people(archive, manifest)
        known = _check_battles(archive, manifest, known)
        _require_equal("rosters", manifest.rosters, len(names))
        _require_equal("revisions", manifest.revisions, _check_rosters(archive, names, known))
        for (place, _, force), *_ in known.forces.values():
            raise BadBackup(f"{place}: roster {force.roster} of this battle is not in the backup.")
    return manifest


def _require_equal(what: str, said: int, found: int) -> None:
    if said != found:
        raise BadBackup(f"{bundle_format.MANIFEST}: says {said:,} {what}, but there are {found:,}.")


def _require_unique(seen: set[str], place: str, key: str) -> None:
    if key in seen:
        raise BadBackup(f"{place}: {key[:150]} stands twice.")
    seen.add(key)


def _check_people(archive: ZipFile, manifest: Manifest) -> Checked:
    accounts, browsers, others = set[str](), set[str](), set[str]()
    for place, account in bundle_format.rows_in(archive, bundle_format.ACCOUNTS, AccountRow):
        _require_unique(accounts, place, account.username)
        proven = [address.email.lower() for address in account.addresses if address.verified]
        for each in (*proven, *(token.key_hash for token in account.api_tokens)):
            _require_unique(others, place, each)
    for place, browser in bundle_format.rows_in(archive, bundle_format.BROWSERS, BrowserRow):
        _require_unique(browsers, place, browser.key_hash)
    _require_equal("accounts", manifest.accounts, len(accounts))
    _require_equal("browsers", manifest.browsers, len(browsers))
    return Checked(accounts, browsers, {})


def _check_battles(archive: ZipFile, manifest: Manifest, known: Checked) -> Checked:
    tokens = set[str]()
    for place, battle in bundle_format.rows_in(archive, bundle_format.BATTLES, BattleRow):
        _require_unique(tokens, place, battle.token)
        _check_refers(place, battle, known)
        _check_terms(place, battle)
        there = set[str]()
        for force in battle.forces:
            _require_unique(there, place, force.roster)
            known.forces.setdefault(force.roster, []).append((place, battle, force))
    _require_equal("battles", manifest.battles, len(tokens))
    return known


def _check_terms(place: str, battle: BattleRow) -> None:
    """Whether its game knows a battle's house rules."""
    if battle.system not in registry.SYSTEMS:
        raise BadBackup(f"{place}: {battle.system!r} is no game that is known here.")
    try:
        registry.SYSTEMS[battle.system].rules.Options.model_validate(battle.options)
    except ValidationError:
        raise BadBackup(f"{place}: its house rules are none of its game's.") from None


def _check_refers(place: str, row: RosterRow | BattleRow, known: Checked) -> None:
    """Whether the people that a row names are in the backup."""
    if row.owner is not None and row.owner not in known.accounts:
        raise BadBackup(f"{place}: its owner is not in the backup.")
    if not {*row.browsers, *([row.creator] if row.creator else [])} <= known.browsers:
        raise BadBackup(f"{place}: a browser that it names is not in the backup.")
    if len({*row.browsers}) < len(row.browsers):
        raise BadBackup(f"{place}: names a browser twice.")


def _check_rosters(archive: ZipFile, names: list[str], known: Checked) -> int:
    """How many revisions there are, after reading each."""
    total, samples = 0, set[str]()
    for name in names:
        history = bundle_format.history_in(archive, name)
        _check_refers(history.place, history.row, known)
        if history.row.sample is not None:
            _require_unique(samples, history.place, history.row.sample)
        total += _check_history(history, known.forces.pop(history.row.token, []))
    return total


def _check_history(history: History, forces: list[tuple[str, BattleRow, ForceRow]]) -> int:
    """How many revisions a roster has; each is read, and the battles that it is in must fit it."""
    number, system = 0, ""
    for place, row in history.revisions:
        number = row.number
        document = _document(place, row)
        if system and document.system != system:
            raise BadBackup(f"{place}: is of another game than the revision before it.")
        system = document.system
        if row.appraisal.get("edition") != row.edition:
            raise BadBackup(f"{place}: its appraisal is of another edition than it says.")
    for place, battle, force in forces:
        if battle.system != system or force.revision > number:
            raise BadBackup(f"{place}: roster {force.roster} is of another game, or has no revision {force.revision}.")
    return number


def _document(place: str, row: bundle_format.RevisionRow) -> documents.AnyDocument:
    """The document of a revision, which must have ids, after a look at its appraisal. Raises BadBackup."""
    try:
        document = registry.read(row.document)
        appraisals.from_json(row.appraisal)
    except InvalidDocument as refused:
        raise BadBackup(f"{place}: its document cannot be read: {str(refused)[:300]}.") from None
    except Exception as error:  # an appraisal is ours: whatever is wrong with one, it is none
        raise BadBackup(f"{place}: its appraisal cannot be read ({type(error).__name__}: {error}).") from None
    if not all(each.id for formation in document.formations for each in (formation, *formation.elements)):
        raise BadBackup(f"{place}: a formation or an element has no id.")
    return document


# ---------------------------------------------------------------- restoring


class People(NamedTuple):
    """The keys of accounts by username, and of browsers by hash."""

    accounts: dict[str, int]
    browsers: dict[str, int]


def restore(file: IO[bytes]) -> Manifest:
    """Put a backup into a database that holds no rosters, all of it or nothing. Raises NotEmpty or BadBackup.

    The whole of it is checked first. Reference rows that are missing are loaded: prices are worked out anew.
    Sample armies give way to those of the backup, whose addresses people may have shared.
    """
    refuse_unless_empty()
    manifest = check(file)
    with transaction.atomic(), bundle_format.opened(file) as archive:
        refuse_unless_empty()
        if not Capability.objects.exists():
            call_command("load", stdout=StringIO())
        writer.delete_permanently(Roster.objects.exclude(sample=None))
        people = _put_people(archive)
        for batch in _batches(_whole(archive, name, people) for name in bundle_format.roster_files(archive)):
            writer.bulk_create_rosters(batch)
        _put_battles(archive, people)
    return manifest


def refuse_unless_empty() -> None:
    """Raise NotEmpty when the database holds anybody's rosters, battles or accounts."""
    held = {
        "rosters": Roster.objects.filter(sample=None).count(),
        "battles": Battle.objects.count(),
        "accounts": get_user_model().objects.count(),
    }
    found = [f"{count:,} {what if count > 1 else what[:-1]}" for what, count in held.items() if count]
    if found:
        raise NotEmpty(f"This database holds {' and '.join(found)}. A backup is restored into an empty one only.")


def _put_people(archive: ZipFile) -> People:
    browsers = [
        Browser(**row.model_dump()) for _, row in bundle_format.rows_in(archive, bundle_format.BROWSERS, BrowserRow)
    ]
    Browser.objects.all().delete()
    writer.insert(Browser, browsers, "created")
    accounts = {}
    for _, row in bundle_format.rows_in(archive, bundle_format.ACCOUNTS, AccountRow):
        user = get_user_model().objects.create(**{name: getattr(row, name) for name in _ACCOUNT})
        EmailAddress.objects.bulk_create(EmailAddress(user=user, **each.model_dump()) for each in row.addresses)
        writer.insert(ApiToken, [ApiToken(user=user, **each.model_dump()) for each in row.api_tokens], "created")
        accounts[row.username] = user.pk
    return People(accounts, dict(Browser.objects.values_list("key_hash", "pk")))


def _whole(archive: ZipFile, name: str, people: People) -> RosterBundle:
    """A roster ready to be saved: only its latest document stays unpacked."""
    history = bundle_format.history_in(archive, name)
    row, heads, latest = history.row, [], None

    def texts() -> Iterator[tuple[int, str]]:
        nonlocal latest
        for _, revision in history.revisions:
            latest = revision.document
            heads.append({name: getattr(revision, name) for name in RevisionHead.model_fields})
            yield revision.number, revision.text()

    packed = [*revisions.pack_all(texts())]
    document = registry.read(latest)
    roster = Roster(
        **row.model_dump(include={*_KEPT}),
        system=document.system,
        owner_id=row.owner and people.accounts[row.owner],
        creator_id=row.creator and people.browsers[row.creator],
    )
    kept = [
        Revision(roster=roster, base=each.base, packed=each.data, **head)
        for head, each in zip(heads, packed, strict=True)
    ]
    appraisal = registry.appraise(document)
    return RosterBundle(roster, document, appraisal, kept, [people.browsers[key] for key in row.browsers])


def _batches(wholes: Iterable[RosterBundle]) -> Iterator[list[RosterBundle]]:
    """Rosters in batches that fit into memory."""
    batch: list[RosterBundle] = []
    weight = 0
    for whole in wholes:
        batch.append(whole)
        weight += sum(len(revision.packed) for revision in whole.history)
        if len(batch) >= BATCH_SIZE or weight >= MAX_BATCH_BYTES:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _put_battles(archive: ZipFile, people: People) -> None:
    for _, row in bundle_format.rows_in(archive, bundle_format.BATTLES, BattleRow):
        battle = Battle(
            **row.model_dump(include={*_OF_BATTLE}),
            owner_id=row.owner and people.accounts[row.owner],
            creator_id=row.creator and people.browsers[row.creator],
        )
        writer.insert(Battle, [battle], "created", "changed")
        battle.browsers.add(*(people.browsers[key] for key in row.browsers))
        keys = dict(Roster.objects.filter(token__in=[f.roster for f in row.forces]).values_list("token", "pk"))
        Force.objects.bulk_create(
            Force(battle=battle, roster_id=keys[f.roster], **f.model_dump(exclude={"roster"})) for f in row.forces
        )


# ---------------------------------------------------------------- a visitor's own

OWN_ABOUT = """\
Rosters of Armybuilder, as documents and with their histories.

rosters/*.json      one document for each roster, as it stood: Import on any Armybuilder site takes these files
histories/*.jsonl   for each roster a line for each revision, oldest first, with its whole document and its appraisal
index.json          how each roster is kept: folder, tags, archive, what others see of it, how it is printed

No secret link is in it, and nothing of your account.
"""
OWN_DOCUMENT = "rosters/"
MOST_OWN, MOST_OWN_BYTES = 1_000, 64 << 20
"""Documents that are read out of such a zip, and their bytes in all."""


class ExportItem(NamedTuple):
    """A roster that a visitor may edit; what its owner alone knows of it goes along only if it is theirs."""

    key: int
    owned: bool


def write_player_zip(rosters: Iterable[ExportItem], file: IO[bytes], about: str = OWN_ABOUT) -> None:
    """Write a visitor's rosters into an open file, without anybody's secrets."""
    with read_snapshot(), ZipFile(file, "w") as archive:
        index = []
        bundle_format.add(archive, bundle_format.README, about.splitlines())
        for key, owned in rosters:
            roster = Roster.objects.get(pk=key)
            name = _file_name(roster)
            index.append({"file": name, **_public_fields(roster, owned)})
            bundle_format.add(archive, f"histories/{name}.jsonl", revision_lines(roster))
            document = documents.dumps(export_json(roster, current_state(roster).document))
            bundle_format.add(archive, f"{OWN_DOCUMENT}{name}.json", [document])
        bundle_format.add(archive, "index.json", [json.dumps(index, ensure_ascii=False, indent=1)])


def _file_name(roster: Roster) -> str:
    """The roster's name as far as every disk can hold it, and its token, which keeps two of one name apart."""
    return f"{slugify(roster.name)[:60].strip('-') or 'roster'}.{roster.token}"


def _public_fields(roster: Roster, owned: bool) -> dict[str, Any]:
    """How a roster is kept: what its owner and those with the edit link see of it."""
    shown = ["token", "name", "system", "visibility", "hide_points", "hide_notes", "hide_secrets"]
    own = ["folder", "tags", "archived"] if owned else []
    times = {"created": roster.created, "changed": roster.changed, "deleted": roster.binned}
    return {
        **{name: getattr(roster, name) for name in (*shown, *own, "print_settings", "turn")},
        **{name: _iso(at) for name, at in times.items()},
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def documents_in(data: bytes) -> list[tuple[str, bytes]]:
    """The documents in a zip that `write_own` made, each with the name of its file. Raises documents.Refused.

    They are not read yet, so that the faults of each can be told beside its name.
    """
    try:
        with bundle_format.opened(BytesIO(data)) as archive:
            members = [m for m in archive.infolist() if m.filename.startswith(OWN_DOCUMENT) and not m.is_dir()]
            if not members:
                raise BadBackup(f"The zip has no documents: they stand in its folder {OWN_DOCUMENT}.")
            if len(members) > MOST_OWN or sum(member.file_size for member in members) > MOST_OWN_BYTES:
                raise BadBackup(f"The zip holds more than {MOST_OWN:,} documents, or than {MOST_OWN_BYTES:,} bytes.")
            return [(member.filename.removeprefix(OWN_DOCUMENT), archive.read(member)) for member in members]
    except BadBackup as bad:
        raise InvalidDocument([Fault("", str(bad))]) from None
