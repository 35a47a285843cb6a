"""The only writer of rosters. A change of the document is one transaction with one appraisal and one revision.

Settings, such as folder, tags, visibility, owner and editors, change without a revision.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from rosters.core import documents, edits
from rosters.core.appraisals import Appraisal, RosterState
from rosters.core.documents import AnyDocument
from rosters.core.messages import Message, _, to_data
from rosters.core.play import damage_in, without_damage
from rosters.models import (
    HIDE_FIELDS,
    Actor,
    Battle,
    Browser,
    EditLink,
    Editor,
    Element,
    Force,
    Formation,
    GalleryWord,
    PlayState,
    Revision,
    Roster,
    RosterTag,
    Visibility,
    hashed,
    new_secret,
    new_token,
)
from rosters.store import access, play, revisions, search
from rosters.store.access import Access, Visitor
from rosters.store.compiled import compiled
from rosters.store.state import (
    COPIED_FIELDS,
    REVISION_COLUMNS,
    cache_state,
    compute_state,
    current_document,
    current_state,
    read_document,
)

logger = logging.getLogger("armybuilder.store")

POSITION_STEP = 16
"""The gap between positions of new rows, so that a later insertion moves few rows."""
LEGACY_PLAY_SUMMARIES = ("Recorded damage", "Reset damage", "Marked at the table", "Cleared all marks")
"""Summaries of revisions from when damage was in documents. Undo passes over them, since they changed nothing else."""
BIN_DAYS = timedelta(days=30)
"""How long a deleted roster stays in the bin."""
DELETED_AT_ONCE = 20
"""Rosters that are deleted in one transaction."""
MAX_SORTABLE_POINTS = 10.0**15
"""The largest value of the column ``points``, which lists sort by in every database; the appraisal is exact."""


# ---------------------------------------------------------------- writing


class Created(NamedTuple):
    """A new roster, and the secret of its owner link."""

    roster: Roster
    secret: str


def create(
    document: AnyDocument,
    *,
    browser: Browser | None = None,
    owner: Any = None,
    sample: str | None = None,
    **columns: Any,
) -> Created:
    """Save a new roster with its first revision. ``browser`` and ``owner`` own it; a ``sample`` is nobody's.

    Damage in the document is that of the roster in play.
    """
    secret = "" if sample else new_secret()
    roster = Roster(system=document.system, sample=sample, creator=browser, owner=owner, **columns)
    roster.edit_hash, roster.owner_secret = (hashed(secret), access.encrypt(secret)) if secret else ("", "")
    # Appraised before the transaction begins: a large roster takes seconds, and SQLite has one lock for all writers.
    document = edits.with_ids(document)
    state = compute_state(without_damage(document))
    revisions.write_texts(state)
    with transaction.atomic():
        _save(roster, None, state, RevisionNote(_("Started"), Actor.SITE if sample else Actor.OWNER))
        if damage := damage_in(document):
            PlayState.objects.create(roster=roster, damage=damage)
        if browser:
            roster.editors.create(browser=browser, since=roster.changed, changed=roster.changed)
    return Created(roster, secret)


def duplicate(roster: Roster, name: str, *, browser: Browser | None = None, owner: Any = None) -> Created:
    """A complete copy for an editor of the roster. It hides the same from others, and is not listed."""
    columns = {name: getattr(roster, name) for name in (*HIDE_FIELDS, "visibility")}
    if roster.visibility == Visibility.LISTED:
        columns["visibility"] = Visibility.LINK
    return create(edits.copy_roster(current_state(roster).document, name), browser=browser, owner=owner, **columns)


class RevisionNote(NamedTuple):
    """The metadata of a revision: a summary (a Message), its author, their edit link, the revision it restored."""

    summary: str
    who: Actor = Actor.OWNER
    link_name: str | None = None
    restores: int | None = None


def apply_edit(
    roster: Roster, edit: edits.Edit, summary: str, visitor: Visitor | None = None, request: str = ""
) -> bool:
    """Apply ``edit`` to the roster's current document, which is read under a lock. True when it changed anything.

    The document has no damage; damage in the result of the edit is dropped. Without a ``visitor``, it is the owner's
    change; other editors cannot change which elements are secret. ``request`` is the id of the request, if it must not
    be processed twice.

    Raises edits.ElementNotFound, edits.EditConflict, edits.LimitExceeded, RepeatedRequest or access.AccessEnded and
    writes nothing then. In a transaction of the caller, SQLite would be locked while the change is planned.
    """
    planned = None
    with suppress(edits.ElementNotFound, edits.EditConflict, edits.LimitExceeded):  # decided under the lock
        planned = _plan(roster, edit, limited=_is_limited(roster, visitor))
    with transaction.atomic():
        _register_once(roster, request)
        return _apply(roster, edit, planned, summary, visitor)


class RepeatedRequest(Exception):
    """A request that was processed before: its response was lost."""


def _register_once(roster: Roster, request: str) -> None:
    if not play.register_request(roster, request):
        raise RepeatedRequest


class Plan(NamedTuple):
    """What a change makes of a roster, worked out before the roster is locked.

    A large roster takes a second, and SQLite has one lock for all writers. If the roster was changed meanwhile, it is
    worked out anew under the lock, but elements that come out equal are not appraised again. A ``limited`` change is
    of an editor who cannot change which elements are secret.
    """

    before: RosterState
    after: RosterState
    limited: bool


def _plan(roster: Roster, edit: edits.Edit, known: Plan | None = None, *, limited: bool) -> Plan:
    before = current_state(roster)
    if limited:
        edit = edits.preserve_secret_flags(edit, partial(revisions.secret_ids, roster))
    document = without_damage(edits.with_ids(edit(before.document)))
    after = compute_state(document, known.after if known else before)
    revisions.write_texts(after)
    return Plan(before, after, limited)


def _is_limited(roster: Roster, visitor: Visitor | None) -> bool:
    return visitor is not None and access.access_of(visitor, roster) < Access.OWNER


def _is_current(roster: Roster, locked: Roster) -> bool:
    """Whether a locked roster is as it was when it was read."""
    return (roster.revision, roster.changed) == (locked.revision, locked.changed)


def _apply(roster: Roster, edit: edits.Edit, planned: Plan | None, summary: str, visitor: Visitor | None) -> bool:
    """Save a planned edit, in a transaction. True when it changed anything."""
    locked = _for_update(roster)
    grant = access.grant_of(visitor, locked) if visitor else None
    limited = grant is not None and grant.access < Access.OWNER
    if planned is None or planned.limited != limited or not _is_current(roster, locked):
        planned = _plan(locked, edit, planned, limited=limited)
    before, after, _limited = planned
    if after.document == before.document:
        return False
    play.drop_removed_models(locked, before.document, after.document)
    if isinstance(edit, edits.Split):
        play.copy_split_damage(locked, before.document, edit)
    _save(locked, before.document, after, RevisionNote(summary, *_actor(locked, visitor, grant)))
    return True


def _for_update(roster: Roster) -> Roster:
    """The roster as it is now, locked until the transaction ends: other writers wait."""
    locked = _roster_for_update(roster.pk)
    if locked is None:
        raise Roster.DoesNotExist
    return locked


@compiled
def _roster_for_update(pk: int) -> QuerySet[Roster]:
    return Roster.objects.select_for_update(no_key=True).filter(pk=pk).order_by()


def _actor(roster: Roster, visitor: Visitor | None, grant: access.Grant | None = None) -> tuple[Actor, str | None]:
    """The author of a change of a locked roster, and the name of their edit link. Raises access.AccessEnded."""
    return access.record_change(roster, visitor, grant) if visitor else (Actor.OWNER, None)


def undo(roster: Roster, visitor: Visitor | None = None, request: str = "") -> str | None:
    """Restore the document before the last change that is not undone yet. Return the summary of that change.

    Raises RepeatedRequest, access.AccessEnded.
    """
    return _step(roster, visitor, request, "undo")


def redo(roster: Roster, visitor: Visitor | None = None, request: str = "") -> str | None:
    """Restore the document after the change that was undone last. Return the summary of that change.

    Raises RepeatedRequest, access.AccessEnded.
    """
    return _step(roster, visitor, request, "redo")


def _step(roster: Roster, visitor: Visitor | None, request: str, kind: Literal["undo", "redo"]) -> str | None:
    change, planned = _plan_step(roster, kind, limited=_is_limited(roster, visitor))
    with transaction.atomic():
        _register_once(roster, request)
        locked = _for_update(roster)
        limited = _is_limited(locked, visitor)
        if not _is_current(roster, locked) or (planned and planned.limited != limited):
            change, planned = _plan_step(locked, kind, limited=limited)
        if change is None or planned is None:
            return None
        summary = _("Undid: {change}") if kind == "undo" else _("Redid: {change}")
        number = change.number - (kind == "undo")
        note = RevisionNote(summary.format(change=change.message), *_actor(locked, visitor), number)
        _save(locked, planned.before.document, planned.after, note)
    return change.message


def _plan_step(roster: Roster, kind: Literal["undo", "redo"], *, limited: bool) -> tuple[Revision | None, Plan | None]:
    """The change that is undone or redone, if there is one, and what becomes of the roster."""
    change: Revision | None = getattr(undo_and_redo(roster), kind)
    if change is None:
        return None, None
    restored = roster.revisions.get(number=change.number - (kind == "undo"))
    return change, _plan(roster, edits.restore(revisions.document_of(restored)), limited=limited)


def restore_revision(roster: Roster, number: int, visitor: Visitor | None) -> bool:
    """Restore any revision, as a new revision. True when it changed anything. Raises Revision.DoesNotExist.

    Damage and turn stay as they are in play.
    """
    document = revisions.document_of(roster.revisions.get(number=number))
    summary = _("Restored version {number}").format(number=number)
    return apply_edit(roster, edits.restore(document), summary, visitor)


class RevisionConflict(Exception):
    """The roster is at another revision than the caller expects."""


def replace(
    roster: Roster, document: AnyDocument, expected_revision: int | None, visitor: Visitor | None = None
) -> bool:
    """Replace the document of ``expected_revision``, or of any version (None). Raises RevisionConflict.

    Damage in the document replaces that in play; a document without any leaves it as it is.
    """
    document = edits.with_ids(document)
    edit = edits.replace_with(document)
    planned = _plan(roster, edit, limited=_is_limited(roster, visitor))
    with transaction.atomic():
        current = _for_update(roster).revision
        if expected_revision not in (None, current):
            raise RevisionConflict(f"the roster is at revision {current}, not {expected_revision}; nothing was changed")
        changed = _apply(roster, edit, planned, _("Replaced the whole roster"), visitor)
        if damage := damage_in(document):
            play.replace_damage(roster, damage, visitor)
    return changed


class UndoSteps(NamedTuple):
    """The change that undo would revert, which wrote the current document, and the latest change to that document that
    redo would restore; None where there is none.
    """

    undo: Revision | None
    redo: Revision | None


def undo_and_redo(roster: Roster) -> UndoSteps:
    """What undo and redo would do. One query; three after an undo, however long the history.

    An undo is a revision as well, which restores an earlier one. If 4 undoes change 3, it restores 2: the current
    document is that of change 2, which is undone next. Redone is the latest change that was made to this document: 3.
    """
    latest = _latest_revision(roster.pk)
    if latest is None:
        return UndoSteps(None, None)
    if not _repeated_revision(latest.number, latest.restores, latest.summary):
        return UndoSteps(latest if latest.number > 1 else None, None)
    change_of = _changes_by_revision(roster)
    current = change_of[latest.number]
    to_current = (n for n, change in change_of.items() if n == change and change_of.get(n - 1) == current)
    redone = max(to_current, default=0)
    changes = {each.number: each for each in roster.revisions.defer("packed").filter(number__in=[current, redone])}
    return UndoSteps(changes[current] if current > 1 else None, changes.get(redone))


def _changes_by_revision(roster: Roster) -> dict[int, int]:
    """The number of the change that wrote the document of each revision: its own, unless it restored another one."""
    change_of: dict[int, int] = {}
    for number, restores, summary in roster.revisions.order_by("number").values_list("number", "restores", "summary"):
        repeated = _repeated_revision(number, restores, summary)
        change_of[number] = change_of[repeated] if repeated else number
    return change_of


def _repeated_revision(number: int, restores: int | None, summary: str) -> int | None:
    """The earlier revision whose document a revision has; None if the revision is a change."""
    return number - 1 if restores is None and summary in LEGACY_PLAY_SUMMARIES else restores


@compiled
def _latest_revision(roster: int) -> QuerySet[Revision]:
    return Revision.objects.filter(roster=roster).defer("packed")


@transaction.atomic
def reset_share_link(roster: Roster, visitor: Visitor | None = None) -> str:
    """Give the roster a new share token and return it. Its old links stop working, so it leaves its battles.

    Raises access.AccessEnded.
    """
    token = new_token()
    access.lock_as_owner(Roster.objects.filter(pk=roster.pk), visitor)
    Force.objects.filter(roster=roster).delete()
    Roster.objects.filter(pk=roster.pk).update(token=token)
    return token


def update_roster(roster: Roster, visitor: Visitor | None = None, **fields: Any) -> None:
    """Set folder, tags, archived, visibility, hide_... or owner, without a revision.

    For an owner or (None) the site. Raises access.AccessEnded.
    """
    update_rosters([roster.pk], visitor, **fields)


@transaction.atomic
def update_rosters(pks: list[int], visitor: Visitor | None = None, **fields: Any) -> None:
    """`update_roster` for several rosters, by their primary keys: all or none."""
    access.lock_as_owner(Roster.objects.filter(pk__in=pks), visitor)
    Roster.objects.filter(pk__in=pks).update(**fields)
    if fields.keys() & search.INDEXED_FIELDS:
        GalleryWord.objects.filter(roster__in=pks).delete()
        listed = filter(search.is_listed, Roster.objects.filter(pk__in=pks))
        _index_for_search((roster, current_document(roster)) for roster in listed)
    if "tags" in fields:
        RosterTag.objects.filter(roster__in=pks).delete()
        _write_tag_rows(Roster.objects.filter(pk__in=pks))


def _write_tag_rows(rosters: Iterable[Roster]) -> None:
    """Give rosters that have no tag rows one for each tag of their text."""
    rows = [
        RosterTag(roster=roster, tag=tag, folded=search.fold_accents(tag))
        for roster in rosters
        for tag in dict.fromkeys(roster.tag_list)
    ]
    RosterTag.objects.bulk_create(rows)


def _index_for_search(rosters: Iterable[tuple[Roster, AnyDocument]]) -> None:
    """Add rosters with their documents to the index of Browse; none of them is in it."""
    words = [
        GalleryWord(roster=roster, word=word)
        for roster, document in rosters
        for word in sorted(search.search_terms(roster, document))
    ]
    GalleryWord.objects.bulk_create(words)


def move_to_bin(roster: Roster, visitor: Visitor | None = None) -> None:
    """Delete a roster: it stays in the bin for 30 days. Raises access.AccessEnded."""
    update_roster(roster, visitor, binned=timezone.now())


class Purge(NamedTuple):
    """How many rosters were deleted permanently, and the tokens of those that could not be."""

    deleted: int
    failed: list[str]


def empty_bin(before: datetime) -> Purge:
    """Delete permanently what was moved to the bin before a time.

    Each roster is deleted in a transaction of its own, so that one that cannot be deleted does not block the others.
    """
    expired = Roster.objects.filter(binned__lt=before)
    deleted, failed = 0, []
    for key, token in expired.order_by("pk").values_list("pk", "token"):
        try:
            deleted += delete_permanently(expired.filter(pk=key))
        except DatabaseError:
            logger.exception("Roster %s could not be deleted permanently", token)
            failed.append(token)
    return Purge(deleted, failed)


def delete_permanently(rosters: QuerySet[Roster], visitor: Visitor | None = None) -> int:
    """Delete rosters with their histories, and return their number. This cannot be undone.

    A few in each transaction, so that others can write in between. Raises access.AccessEnded.
    """
    keys, deleted = [*rosters.order_by("pk").values_list("pk", flat=True)], 0
    for first in range(0, len(keys), DELETED_AT_ONCE):
        if first and not connection.in_atomic_block:
            time.sleep(PAUSE_SECONDS)
        deleted += _delete_at_once(rosters.filter(pk__in=keys[first : first + DELETED_AT_ONCE]), visitor)
    return deleted


@transaction.atomic
def _delete_at_once(rosters: QuerySet[Roster], visitor: Visitor | None) -> int:
    # Locked first: a row that an edit adds meanwhile would refer to a roster that is gone, and nothing be deleted.
    keys = [roster.pk for roster in access.lock_as_owner(rosters, visitor)]
    list(Roster.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))
    count: int = Roster.objects.filter(pk__in=keys).delete()[1].get("rosters.Roster", 0)
    return count


@transaction.atomic
def claim(rosters: QuerySet[Roster], owner: Any, visitor: Visitor) -> int:
    """Make an account the owner of rosters that have none. Returns their number. Raises access.AccessEnded.

    ``claimed_by_link`` is set if the account claims it in another browser than the one that created it.
    """
    locked = access.lock_as_owner(rosters.filter(owner=None, sample=None), visitor)
    unclaimed = Roster.objects.filter(pk__in=[roster.pk for roster in locked])
    unclaimed.exclude(creator__key_hash=visitor.browser).update(claimed_by_link=timezone.now())
    return unclaimed.update(owner=owner)


def delete_account(owner: Any) -> None:
    """Delete an account with its rosters, the bin included, and its battles unless others have rosters in them.

    The rosters come first, in several transactions: a thousand would lock others out for too long.
    """
    delete_permanently(Roster.objects.filter(owner=owner))
    _delete_account(owner)


@transaction.atomic
def _delete_account(owner: Any) -> None:
    account = get_user_model().objects.filter(pk=owner.pk)
    own = Battle.objects.filter(owner=owner)
    # Locked as above, in the order in which changes of battles lock them.
    for locked in (account, own):
        list(locked.select_for_update().order_by("pk").values_list("pk"))
    delete_permanently(Roster.objects.filter(owner=owner))
    own.filter(forces=None).delete()
    account.delete()


@transaction.atomic
def save_view_settings(roster: Roster, visitor: Visitor | None, **fields: Any) -> None:
    """Save how editors see a roster, print_settings or odds_column, without a revision. Raises access.AccessEnded."""
    _actor(_for_update(roster), visitor)
    Roster.objects.filter(pk=roster.pk).update(**fields)


@transaction.atomic
def load_sample(slug: str, document: AnyDocument) -> bool:
    """Create the sample army ``slug``, or bring it up to date. True when anything was written."""
    roster = Roster.objects.filter(sample=slug).first()
    if roster is None:
        create(document, sample=slug)
        return True
    if _without_ids(read_document(roster)) == _without_ids(document):
        return False
    return apply_edit(roster, edits.replace_with(document), _("Brought up to date"))


def _without_ids(document: AnyDocument) -> dict[str, Any]:
    data = documents.write(document)
    for formation in data["formations"]:
        formation.pop("id", None)
        for element in formation["elements"]:
            element.pop("id", None)
    return data


# ---------------------------------------------------------------- many rosters at once

BATCH_SIZE = 200
MAX_BATCH_BYTES = 8 << 20
"""The most rosters in a batch, and the most bytes of their packed revisions: a batch is in memory."""
MAX_BATCH_ELEMENTS = 2_000
PAUSE_SECONDS = 0.12
"""The most elements in a batch, and the pause after it: SQLite has no queue of writers, and a waiting one polls every
0.1 s.
"""


class UnsavedRoster(NamedTuple):
    """A roster that is not in the database yet, with all its rows: from a bundle, or made by `seed`.

    ``document``, without damage, and ``appraisal`` are of its latest revision; ``editors``, ``links`` and its row in
    ``play``, if it has one, are not saved either; the first two know no roster.
    """

    roster: Roster
    document: AnyDocument
    appraisal: Appraisal
    history: list[Revision]
    editors: Sequence[Editor] = ()
    links: Sequence[EditLink] = ()
    play: PlayState | None = None


def pack_history(roster: Roster, versions: Iterable[tuple[dict[str, Any], str]]) -> list[Revision]:
    """The revisions of a new roster, from the columns and the JSON text of each, oldest first."""
    columns: list[dict[str, Any]] = []

    def texts() -> Iterator[tuple[int, str]]:
        for head, text in versions:
            columns.append(head)
            yield head["number"], text

    packed = [*revisions.pack_all(texts())]
    return [Revision(roster=roster, base=p.base, packed=p.data, **c) for p, c in zip(packed, columns, strict=True)]


def new_bundle(document: AnyDocument) -> UnsavedRoster:
    """A document as a roster with its first revision, which `bulk_create_rosters` saves without appraising it."""
    now, document, summary = timezone.now(), edits.with_ids(document), _("Started")
    state, damage = compute_state(without_damage(document)), damage_in(document)
    roster = Roster(system=document.system, created=now, changed=now)
    _fill_columns(roster, state.document, state.appraisal)
    text = revisions.text_of(roster, state)
    note = {"number": 1, "at": now, "summary": summary, "summary_message": to_data(summary)}
    history = pack_history(roster, [({**note, "edition": state.appraisal.edition}, text)])
    play = PlayState(roster=roster, damage=damage) if damage else None
    return UnsavedRoster(roster, state.document, state.appraisal, history, play=play)


def bulk_create_rosters(bundles: Iterable[UnsavedRoster]) -> None:
    """Save rosters with their histories, in a transaction and a few queries for each batch."""
    for batch in _batches(bundles):
        _insert_rosters(batch)
        if not connection.in_atomic_block:
            time.sleep(PAUSE_SECONDS)


def _batches(bundles: Iterable[UnsavedRoster]) -> Iterator[list[UnsavedRoster]]:
    batch: list[UnsavedRoster] = []
    size = elements = 0
    for each in bundles:
        batch.append(each)
        size += sum(len(revision.packed) for revision in each.history)
        elements += sum(len(formation.elements) for formation in each.document.formations)
        if len(batch) >= BATCH_SIZE or size >= MAX_BATCH_BYTES or elements >= MAX_BATCH_ELEMENTS:
            yield batch
            batch, size, elements = [], 0, 0
    yield batch


@transaction.atomic
def assign(rosters: Sequence[Roster], browser: Browser) -> None:
    """Save owner, creator and bin of rosters that were created for a visitor, who may edit them from now on."""
    Roster.objects.bulk_update(rosters, ["owner", "creator", "binned"], batch_size=200)
    browser.rosters.add(*rosters)


def _insert_rosters(bundles: Sequence[UnsavedRoster]) -> None:
    for roster, document, appraisal, history, *_rest in bundles:
        _fill_columns(roster, document, appraisal)
        roster.revision = len(history)
    formations = [
        Formation(roster=each.roster, uid=str(formation.id), position=place * POSITION_STEP, **row_columns(formation))
        for each in bundles
        for place, formation in enumerate(each.document.formations, start=1)
    ]
    elements = [*_elements(bundles, formations)]
    with transaction.atomic():  # all above takes time, but not the lock
        bulk_create_with_times(Roster, [bundle.roster for bundle in bundles], "created")
        _index_for_search((bundle.roster, bundle.document) for bundle in bundles)
        _write_tag_rows(bundle.roster for bundle in bundles)
        Formation.objects.bulk_create(formations)
        Element.objects.bulk_create(elements)
        Revision.objects.bulk_create([revision for bundle in bundles for revision in bundle.history])
        PlayState.objects.bulk_create(bundle.play for bundle in bundles if bundle.play)
        for model, rows in ((EditLink, "links"), (Editor, "editors")):
            pairs = [(bundle.roster, row) for bundle in bundles for row in getattr(bundle, rows)]
            for roster, row in pairs:
                row.roster = roster
            model.objects.bulk_create(row for _, row in pairs)


def _elements(bundles: Sequence[UnsavedRoster], formations: Sequence[Formation]) -> Iterator[Element]:
    """The rows of all elements. ``formations`` are the rows of all formations, in order."""
    rows = iter(formations)
    for roster, document, *_rest in bundles:
        position = 0
        for formation in document.formations:
            row = next(rows)
            for element in formation.elements:
                position += POSITION_STEP
                columns = row_columns(element)
                yield Element(roster=roster, formation=row, uid=str(element.id), position=position, **columns)


def bulk_create_with_times(model: type[Model], rows: Sequence[Any], *times: str) -> None:
    """Insert rows in bulk with their own ``times``, columns that Django would fill with the current time."""
    values = [{name: getattr(row, name) for name in times} for row in rows]
    model._default_manager.bulk_create(rows)
    for row, own in zip(rows, values, strict=True):
        vars(row).update(own)
    model._default_manager.bulk_update(rows, times, batch_size=500)


# ---------------------------------------------------------------- one save


def _save(roster: Roster, before: AnyDocument | None, after: RosterState, note: RevisionNote) -> None:
    _write_roster(roster, before, after)
    _sync_rows(roster, before, after.document)
    packed = revisions.pack(roster, after)
    Revision.objects.create(
        roster=roster,
        number=roster.revision,
        at=roster.changed,
        summary=note.summary[:300],
        summary_message=to_data(note.summary) if isinstance(note.summary, Message) else None,
        who=note.who,
        link_name=note.link_name,
        edition=after.appraisal.edition,
        restores=note.restores,
        base=packed.base,
        packed=packed.data,
    )
    transaction.on_commit(partial(cache_state, roster, after))


def _write_roster(roster: Roster, before: AnyDocument | None, after: RosterState) -> None:
    words = search.search_terms(roster, before) if before else set()
    _fill_columns(roster, after.document, after.appraisal)
    roster.revision += 1
    roster.changed = timezone.now()
    roster.save(update_fields=None if before is None else (*REVISION_COLUMNS, "folded_name"))
    if search.search_terms(roster, after.document) != words:
        roster.gallery_words.all().delete()
        _index_for_search([(roster, after.document)])


def _fill_columns(roster: Roster, document: AnyDocument, appraisal: Appraisal) -> None:
    """Write a document and its summary into the columns of a roster that is not saved yet."""
    roster.document = documents.text_of(document.replace(changed=None))
    for field in COPIED_FIELDS:
        setattr(roster, field, getattr(document, field))
    roster.folded_name = search.fold_accents(roster.name)
    roster.points, roster.legal, roster.errors, roster.quantity = totals_of(appraisal)


def totals_of(appraisal: Appraisal) -> tuple[float | None, bool, int, int]:
    """The columns points, legal, errors and quantity for an appraisal."""
    points = (
        None
        if appraisal.points is None
        else float(min(max(appraisal.points, -MAX_SORTABLE_POINTS), MAX_SORTABLE_POINTS))
    )
    return points, appraisal.legal, appraisal.errors, appraisal.quantity


def _sync_rows(roster: Roster, before: AnyDocument | None, after: AnyDocument) -> None:
    """Bring the rows of formations and elements from ``before`` to ``after``. Only rows that differ are written."""
    if before and _structure(before) == _structure(after):
        _update_in_place(roster, before, after)
        return
    old, new = _formations(before), _formations(after)
    removed = _upsert_rows(Formation, roster, "roster_id", {uid: (roster.pk, f) for uid, f in new.items()}, old)
    keys = dict(roster.formations.values_list("uid", "pk"))
    elements = {str(e.id): (keys[str(f.id)], e) for f in after.formations for e in f.elements}
    current = {str(e.id): e for f in before.formations for e in f.elements} if before else {}
    Element.objects.filter(pk__in=_upsert_rows(Element, roster, "formation_id", elements, current)).delete()
    Formation.objects.filter(pk__in=removed).delete()  # last: elements may have moved out of them


def _structure(document: AnyDocument) -> list[tuple[str | None, list[str | None]]]:
    """The ids of the formations and of their elements, in order."""
    return [(f.id, [e.id for e in f.elements]) for f in document.formations]


def _update_in_place(roster: Roster, before: AnyDocument, after: AnyDocument) -> None:
    """Update rows whose order and formation stay the same, as in most edits."""
    changed = {}
    for old, new in zip(before.formations, after.formations, strict=True):
        if new is old:
            continue
        if row_columns(new) != row_columns(old):
            Formation.objects.filter(roster=roster, uid=new.id).update(**row_columns(new))
        for was, now in zip(old.elements, new.elements, strict=True):
            if now is not was and now != was:
                columns = row_columns(was)
                changed[now.id] = {name: value for name, value in row_columns(now).items() if value != columns[name]}
    _update_rows(Element, roster, changed)


def _update_rows(
    model: type[Formation] | type[Element], roster: Roster, changed: Mapping[str | None, Mapping[str, Any]]
) -> None:
    """Write columns of rows by their uid. Many at once: for each update Django would compile a query."""
    rows: dict[tuple[str, ...], list[list[Any]]] = {}
    for uid, columns in ((uid, columns) for uid, columns in changed.items() if columns):
        fields: Any = ((model._meta.get_field(name), value) for name, value in columns.items())
        values: list[Any] = [field.get_db_prep_save(value, connection) for field, value in fields]
        rows.setdefault(tuple(columns), []).append([*values, roster.pk, uid])
    with connection.cursor() as cursor:
        for names, rows_of_names in rows.items():
            assignments = ", ".join(f"{name} = %s" for name in names)
            statement = f"UPDATE {model._meta.db_table} SET {assignments} WHERE roster_id = %s AND uid = %s"
            cursor.executemany(statement, rows_of_names)


def _formations(document: AnyDocument | None) -> dict[str, documents.Formation[Any]]:
    """Formations by id, without their elements."""
    return {str(f.id): f.replace(elements=()) for f in document.formations} if document else {}


def row_columns(value: documents.Formation[Any] | documents.Element) -> dict[str, Any]:
    """The columns of a formation's or an element's row that repeat the document."""
    if isinstance(value, documents.Formation):
        return {"name": value.name, "notes": value.notes}
    return {
        "name": value.name,
        "quantity": value.quantity,
        "notes": value.notes,
        "secret": value.secret,
        "profile": documents.profile_of(value),
    }


def _upsert_rows(
    model: type[Formation] | type[Element],
    roster: Roster,
    parent: str,
    after: Mapping[str, tuple[int, Any]],
    before: Mapping[str, Any],
) -> list[int]:
    """Create and update rows by uid, in the order of ``after``, which has the parent's key and the value of each.

    ``before`` are the values that the rows repeat. Returns the keys of rows that are not in ``after``.
    """
    stored = model.objects.filter(roster=roster).values_list("uid", "pk", "position", parent)
    rows = {uid: (pk, {"position": position, parent: key}) for uid, pk, position, key in stored}
    end = max((place["position"] for _, place in rows.values()), default=0)
    changed: dict[str | None, dict[str, Any]] = {}
    added, position = [], 0
    for uid, (key, value) in after.items():
        if uid not in rows:
            position += 1 if position < end else POSITION_STEP
            own = {"roster_id": roster.pk, "position": position, parent: key}
            added.append({"uid": uid, **own, **row_columns(value)})
            continue
        _pk, old_place = rows.pop(uid)
        position = max(old_place["position"], position + 1)
        place, old = {"position": position, parent: key}, before.get(uid)
        changed[uid] = {} if value is old or value == old else row_columns(value)
        if place != old_place:
            changed[uid] |= place
    _update_rows(model, roster, changed)
    _insert_rows(model, added)
    return [pk for pk, _ in rows.values()]


def _insert_rows(model: type[Formation] | type[Element], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows with all columns but the key. Django's bulk_create takes several times as long, under the lock."""
    if not rows:
        return
    profile: Any = Element._meta.get_field("profile")  # the only column whose values are not the database's own
    values = [
        [profile.get_db_prep_save(value, connection) if name == "profile" else value for name, value in row.items()]
        for row in rows
    ]
    names, places = ", ".join(rows[0]), ", ".join(["%s"] * len(rows[0]))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {model._meta.db_table} ({names}) VALUES ({places})", values)
