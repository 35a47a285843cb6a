"""Damage and turn of a roster, beside its document, and the only writer of them.

A tap is one short transaction on one row: no revision, no appraisal, no document. It sends the new state of the box or
the turn, so that a repeated tap, or one that somebody else was faster with, has the same result.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from pydantic import AwareDatetime, BaseModel

from rosters.core import play
from rosters.core.documents import AnyDocument, dumps
from rosters.core.edits import Split, find_element
from rosters.core.play import Damage, Track
from rosters.core.values import PositiveInteger
from rosters.models import PlayState, Roster
from rosters.store import access
from rosters.store.access import Visitor
from rosters.store.compiled import compiled

MAX_TURN = 999
MAX_CHANGES = 200
"""Changes that can be undone."""
MAX_REQUESTS = 200
MAX_SESSIONS = 200
SESSION_GAP = timedelta(hours=3)
"""The time without a change after which the next one begins a new session."""

PreviousValues = dict[str, Any]
"""What a change in play replaced: a "turn", "damage" ({} for an undamaged model), or both."""


# ---------------------------------------------------------------- reading


def play_of(roster: Roster) -> PlayState:
    """The turn and the damage of a roster; none of a roster that was never played. One query."""
    return _play_state(roster.pk) or PlayState(roster=roster)


@compiled
def _play_state(roster: int) -> QuerySet[PlayState]:
    return PlayState.objects.filter(roster=roster)


def version_of(roster: Roster, current: PlayState) -> str:
    """An ETag of the play page: every change in play is counted in the last session."""
    last = current.sessions[-1] if current.sessions else ()
    return f'"{roster.revision}-{current.shown:d}-{current.turn}-{"-".join(map(str, last[1:]))}"'


# ---------------------------------------------------------------- in files


class StoredChange(BaseModel, frozen=True, strict=True, extra="forbid"):
    """A change in play that can be undone, in a file: the values that it replaced."""

    turn: PositiveInteger | None = None
    damage: dict[str, dict[str, Any]] = {}


class StoredPlay(BaseModel, frozen=True, strict=True, extra="forbid"):
    """The row of a roster in play, in a file, where nothing of its columns is trusted."""

    turn: PositiveInteger
    shown: bool = False
    damage: dict[str, dict[str, Any]]
    changes: tuple[StoredChange, ...] = ()
    sessions: tuple[tuple[AwareDatetime, AwareDatetime, PositiveInteger], ...] = ()

    @classmethod
    def of(cls, roster: Roster) -> Self | None:
        current = getattr(roster, "play", None)
        if current is None:
            return None
        return cls.model_validate_json(dumps({name: getattr(current, name) for name in cls.model_fields}))

    @classmethod
    def in_document(cls, document: AnyDocument, turn: int) -> Self | None:
        """The damage in the document of an old backup, which has no such row."""
        damage = play.damage_in(document)
        return cls(turn=turn, damage=damage) if damage or turn else None

    def state(self, roster: Roster, document: AnyDocument) -> PlayState:
        """The row, not saved, without the damage of models that the document does not have."""
        values = self.model_dump(mode="json", exclude_none=True)
        return PlayState(roster=roster, **values | {"damage": play.damage_in(play.with_damage(document, self.damage))})


# ---------------------------------------------------------------- changes in play


class BoxChange(NamedTuple):
    """A box of a model, named by its `model_key`, and whether to mark it."""

    model: str
    track: Track
    box: int
    marked: bool


def set_box(roster: Roster, request: str, tap: BoxChange, visitor: Visitor | None = None) -> None:
    """Mark or clear a box; idempotent.

    ``request`` is the id of the request ("": unknown); a repeated one changes nothing.
    """

    def change(current: PlayState) -> PreviousValues | None:
        before = current.damage.get(tap.model, {})
        if play.marked_in(before, tap.track)[tap.box] == tap.marked:
            return None
        _set_damage(current.damage, tap.model, play.set_box(before, tap.track, tap.box, tap.marked))
        return {"damage": {tap.model: before}}

    _apply_change(roster, request, change, visitor)


def set_turn(roster: Roster, request: str, turn: int, shown: int, visitor: Visitor | None = None) -> int:
    """Set the turn (0 to 999) if it is still the one that was ``shown``. Returns the current turn."""

    def change(current: PlayState) -> PreviousValues | None:
        if current.turn != shown or turn == shown or not 0 <= turn <= MAX_TURN:
            return None
        current.turn = turn
        return {"turn": shown}

    return _apply_change(roster, request, change, visitor).turn


@transaction.atomic
def copy_turn(roster: Roster, others: Iterable[Roster]) -> None:
    """Set the turn of other rosters, those of the same battle, to that of this one: no change of theirs to undo."""
    turn = play_of(roster).turn
    for other in others:
        PlayState.objects.update_or_create(roster=other, defaults={"turn": turn})


def reset(roster: Roster, request: str, visitor: Visitor | None = None) -> None:
    """Clear all damage, and start again before the first turn."""

    def change(current: PlayState) -> PreviousValues | None:
        replaced = {"turn": current.turn, "damage": current.damage}
        current.turn, current.damage = 0, {}
        return replaced if any(replaced.values()) else None

    _apply_change(roster, request, change, visitor)


def undo(roster: Roster, request: str, visitor: Visitor | None = None) -> tuple[PreviousValues, PreviousValues]:
    """Undo the latest change in play. Returns the values that are back, and those that were there instead."""
    back: PreviousValues = {}
    was: PreviousValues = {}

    def change(current: PlayState) -> None:
        if current.changes:
            back.update(current.changes.pop())
            was["turn"], current.turn = current.turn, back.get("turn", current.turn)
            was["damage"] = {model: current.damage.get(model, {}) for model in back.get("damage", {})}
            for model, mark in back.get("damage", {}).items():
                _set_damage(current.damage, model, mark)
            _count_change(current)

    _apply_change(roster, request, change, visitor)
    return back, was


@transaction.atomic
def _apply_change(
    roster: Roster, request: str, change: Callable[[PlayState], PreviousValues | None], visitor: Visitor | None = None
) -> PlayState:
    """Make a change, unless this request was processed before. Raises Roster.DoesNotExist or access.AccessEnded."""
    current = _locked_play(roster)
    if visitor is not None:
        access.record_change(Roster.objects.get(pk=roster.pk), visitor)  # the owner may have changed
    if _record_request(current, request):
        return current
    replaced = change(current)
    if replaced is not None:
        current.changes = [*current.changes, replaced][-MAX_CHANGES:]
        _count_change(current)
    current.save()
    return current


@compiled
def _roster_lock(pk: int) -> QuerySet[Roster]:
    return Roster.objects.select_for_update(no_key=True).only("pk").filter(pk=pk).order_by()


def is_registered(roster: Roster, request: str) -> bool:
    """Whether a request with this id was processed."""
    return bool(request) and request in play_of(roster).requests


def register_request(roster: Roster, request: str) -> bool:
    """Record the id of a request, in the transaction of its change. False if it was processed before.

    Raises Roster.DoesNotExist.
    """
    if not request:
        return True
    if _roster_lock(roster.pk) is None:  # first, as all writers do
        raise Roster.DoesNotExist
    current = _locked_play(roster)
    repeated = _record_request(current, request)
    current.save(update_fields=["requests"])
    return not repeated


def _record_request(current: PlayState, request: str) -> bool:
    """Record the id of a request; true if it has been recorded already."""
    if request and request in current.requests:
        return True
    current.requests = [*current.requests, request][-MAX_REQUESTS:]
    return False


@compiled
def _play_state_for_update(roster: int) -> QuerySet[PlayState]:
    return PlayState.objects.select_for_update().filter(roster=roster)


def _locked_play(roster: Roster) -> PlayState:
    """The row, locked until the transaction ends; it is created under the lock of the roster."""
    rows = PlayState.objects.select_for_update()
    current = _play_state_for_update(roster.pk)
    if current is None:
        Roster.objects.select_for_update(no_key=True).get(pk=roster.pk)
        current, _ = rows.get_or_create(roster=roster)
    return current


def _set_damage(damage: dict[str, Any], model: str, mark: Any) -> None:
    """Set the damage of a model; an undamaged one has no entry."""
    if mark:
        damage[model] = mark
    else:
        damage.pop(model, None)


def _count_change(current: PlayState) -> None:
    """Count a change in the current session."""
    now = timezone.now()
    began, ended, number = current.sessions.pop() if current.sessions else (None, None, 0)
    if ended and now - datetime.fromisoformat(ended) > SESSION_GAP:
        current.sessions.append([began, ended, number])
        began, number = None, 0
    current.sessions = [*current.sessions, [began or now.isoformat(), now.isoformat(), number + 1]][-MAX_SESSIONS:]


# ---------------------------------------------------------------- owners, files, and edits of the roster


@transaction.atomic
def show_damage(roster: Roster, shown: bool, visitor: Visitor | None = None) -> None:
    """Show the damage to others, or hide it. Raises access.AccessEnded."""
    access.lock_as_owner(Roster.objects.filter(pk=roster.pk), visitor)
    PlayState.objects.update_or_create(roster=roster, defaults={"shown": shown})


def replace_damage(roster: Roster, damage: Damage, visitor: Visitor | None = None) -> None:
    """Replace all damage, as a change that can be undone in play. Raises access.AccessEnded."""

    def change(current: PlayState) -> PreviousValues | None:
        if current.damage == damage:
            return None
        replaced = {key: current.damage.get(key, {}) for key in {*current.damage, *damage}}
        current.damage = dict(damage)
        return {"damage": replaced}

    _apply_change(roster, "", change, visitor)


def copy_split_damage(roster: Roster, before: AnyDocument, split: Split) -> None:
    """Copy the damage of a model to the element that it becomes, when an edit splits it off.

    It stays in the old element, too, as that of removed models does, so that undo restores it.
    """
    _formation, element = find_element(before, split.element)
    current = _play_state_for_update(roster.pk)
    if current and (mark := current.damage.get(play.model_key(split.element, element.quantity - 1))):
        current.damage[play.model_key(split.new, 0)] = mark
        current.save()


def drop_removed_models(roster: Roster, before: AnyDocument, after: AnyDocument) -> None:
    """When an edit adds models to an element, drop the damage of models that were removed from it earlier.

    Until then it stays, as that of deleted elements does, so that undo restores it.
    """
    was, now = before.elements_by_id, after.elements_by_id
    grown = {uid: was[uid].quantity for uid, new in now.items() if uid in was and new.quantity > was[uid].quantity}
    if not grown:
        return
    current = _play_state_for_update(roster.pk)
    removed = [key for key in current.damage if _is_removed(key, grown)] if current else []
    if current and removed:
        for key in removed:
            del current.damage[key]
        current.save()


def _is_removed(key: str, quantities: dict[str | None, int]) -> bool:
    element, _, model = key.rpartition(" ")
    return int(model) >= quantities.get(element, int(model) + 1)
