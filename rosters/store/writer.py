"""The only writer of rosters. A change of the document is one transaction with one appraisal and one revision.

Settings, such as folder, tags, visibility, owner and editors, change without a revision. `bulk` creates many at once.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from rosters import registry
from rosters.core import documents, edits
from rosters.core.appraisals import RosterState
from rosters.core.documents import AnyDocument
from rosters.core.messages import Message, _, to_data
from rosters.core.play import damage_in, without_damage
from rosters.models import (
    HIDE_FIELDS,
    Actor,
    Battle,
    Browser,
    Force,
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
from rosters.store.consistency import pause_for_writers
from rosters.store.rows import sync_rows
from rosters.store.state import (
    REVISION_COLUMNS,
    cache_state,
    compute_state,
    current_document,
    current_state,
    fill_columns,
    read_document,
    totals_of,
)

logger = logging.getLogger("armybuilder.store")

LEGACY_PLAY_SUMMARIES = ("Recorded damage", "Reset damage", "Marked at the table", "Cleared all marks")
"""Summaries of revisions from when damage was in documents. Undo passes over them, since they changed nothing else."""
BIN_DAYS = timedelta(days=30)
"""How long a deleted roster stays in the bin."""
DELETED_AT_ONCE = 20
"""Rosters that are deleted in one transaction."""


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
    json = revisions.write_json(state)
    with transaction.atomic():
        _save(roster, None, state, json, RevisionNote(_("Started"), Actor.SITE if sample else Actor.OWNER))
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
    json: bytes
    """That of the appraisal, as `revisions.write_json` returns it."""
    limited: bool


def _plan(roster: Roster, edit: edits.Edit, known: Plan | None = None, *, limited: bool) -> Plan:
    before = current_state(roster)
    if limited:
        edit = edits.preserve_secret_flags(edit, partial(revisions.secret_ids, roster))
    document = without_damage(edits.with_ids(edit(before.document)))
    after = compute_state(document, known.after if known else before)
    return Plan(before, after, revisions.write_json(after), limited)


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
    before, after, json, _limited = planned
    if after.document == before.document:
        return False
    play.drop_removed_models(locked, before.document, after.document)
    if isinstance(edit, edits.Split):
        play.copy_split_damage(locked, before.document, edit)
    _save(locked, before.document, after, json, RevisionNote(summary, *_actor(locked, visitor, grant)))
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
        summary = _("Undone: {change}") if kind == "undo" else _("Redone: {change}")
        number = change.number - (kind == "undo")
        note = RevisionNote(summary.format(change=change.message), *_actor(locked, visitor), number)
        _save(locked, planned.before.document, planned.after, planned.json, note)
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
        search.index_words((roster, current_document(roster)) for roster in listed)
    if "tags" in fields:
        RosterTag.objects.filter(roster__in=pks).delete()
        search.write_tags(Roster.objects.filter(pk__in=pks))


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
        if first:
            pause_for_writers()
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


def count_missing_errors() -> None:
    """Count the errors of rosters that were last saved before they were counted; `integrity` names unreadable ones."""
    for key in [*Roster.objects.filter(errors=None).order_by("pk").values_list("pk", flat=True)]:
        roster = Roster.objects.filter(pk=key, errors=None).first()
        with suppress(LookupError, ValueError):
            if roster:
                errors = totals_of(registry.appraise(read_document(roster)))[2]
                Roster.objects.filter(pk=key, errors=None).update(errors=errors)


def _without_ids(document: AnyDocument) -> dict[str, Any]:
    data = documents.write(document)
    for formation in data["formations"]:
        formation.pop("id", None)
        for element in formation["elements"]:
            element.pop("id", None)
    return data


# ---------------------------------------------------------------- one save


def _save(roster: Roster, before: AnyDocument | None, after: RosterState, json: bytes, note: RevisionNote) -> None:
    _write_roster(roster, before, after)
    sync_rows(roster, before, after.document)
    packed = revisions.pack(roster, json)
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
    fill_columns(roster, after.document, after.appraisal)
    roster.revision += 1
    roster.changed = timezone.now()
    roster.save(update_fields=None if before is None else (*REVISION_COLUMNS, "folded_name"))
    if search.search_terms(roster, after.document) != words:
        roster.gallery_words.all().delete()
        search.index_words([(roster, after.document)])
