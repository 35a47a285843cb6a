"""How a roster stands now: its document and appraisal, worked out once for each of its revisions.

Every change numbers its revision, so (token, revision) names one state for good, in any process. Nothing is
ever updated here: a new number is a new entry, made by reading the rows and appraising them.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

from rosters import registry
from rosters.core import documents, edits, redaction
from rosters.core.appraisals import Appraisal, Lines
from rosters.core.documents import AnyDocument
from rosters.core.redaction import Hidden
from rosters.models import Roster
from rosters.store.reference import reference

# ---------------------------------------------------------------- from the rows


def read_document(roster: Roster) -> AnyDocument:
    """The roster as a document, ids included. Three queries, whatever its size.

    Between two of them somebody may change it; then ``roster`` is brought up to date and its rows read again.
    """
    formations, elements = _rows(roster)
    while not Roster.objects.filter(pk=roster.pk, revision=roster.revision).exists():
        roster.refresh_from_db()
        formations, elements = _rows(roster)
    groups: dict[int, list[dict[str, Any]]] = {pk: [] for pk, *_ in formations}
    for pk, uid, name, quantity, notes, secret, marks, profile in elements:
        line = {"id": uid, "name": name, "quantity": quantity, "notes": notes, "secret": secret}
        lost = {"marks": marks} if marks else {}  # a purchase without models may not even have an empty list
        groups[pk].append({**line, **lost, **profile})
    return _document(
        roster,
        [{"id": uid, "name": name, "notes": notes, "elements": groups[pk]} for pk, uid, name, notes in formations],
    )


def _rows(roster: Roster) -> tuple[list[Any], list[Any]]:
    columns = ("formation_id", "uid", "name", "quantity", "notes", "secret", "marks", "profile")
    formations = roster.formations.order_by("position").values_list("pk", "uid", "name", "notes")
    return [*formations], [*roster.elements.order_by("position").values_list(*columns)]


def _document(roster: Roster, formations: list[dict[str, Any]]) -> AnyDocument:
    return registry.SYSTEMS[roster.system].document.model_validate(
        {
            "format": documents.FORMAT,
            "version": documents.VERSION,
            "system": roster.system,
            "name": roster.name,
            "budget": roster.budget,
            "scenario": roster.scenario,
            "side": roster.side,
            "options": roster.options,
            "notes": roster.notes,
            "formations": formations,
        }
    )


def document_for_export(roster: Roster, document: AnyDocument) -> AnyDocument:
    """The document as it leaves the house, with the time of the roster's last change."""
    return edits.replace_fields(document, changed=roster.changed.isoformat())


def export_json(roster: Roster, document: AnyDocument) -> dict[str, Any]:
    """The same as JSON data."""
    return documents.write(document_for_export(roster, document))


# ---------------------------------------------------------------- as it stands

CACHE_SIZE = 64
"""Rosters that a process remembers."""


class RosterState(NamedTuple):
    """A document with its appraisal, and the lines of its elements."""

    document: AnyDocument
    appraisal: Appraisal
    lines: Lines

    def after(self, edit: edits.Edit) -> "RosterState":
        """How the roster would stand after an edit. Only what the edit touched is worked out anew."""
        return compute_state(edit(self.document), self)


def compute_state(document: AnyDocument, before: RosterState | None = None) -> RosterState:
    """Appraise a document; elements that it shares with ``before`` under the same terms keep their lines."""
    same = before is not None and _terms(before.document) == _terms(document)
    lines = registry.lines_of(document, reference(), before.lines if before and same else None)
    return RosterState(document, registry.appraise(document, reference(), lines), lines)


def share_elements(document: AnyDocument, before: RosterState | None) -> AnyDocument:
    """The same document, made of ``before``'s elements where it has equal ones, whose lines are then known already."""
    if before is None:
        return document
    known = {element.id: element for formation in before.document.formations for element in formation.elements}
    return edits.replace_fields(
        document,
        formations=tuple(
            edits.replace_fields(f, elements=tuple(known[e.id] if e == known.get(e.id) else e for e in f.elements))
            for f in document.formations
        ),
    )


def _terms(document: AnyDocument) -> tuple[object, ...]:
    return document.options, document.scenario, document.side


_cache: OrderedDict[tuple[str, int], RosterState] = OrderedDict()
_lock = Lock()


def current_state(roster: Roster) -> RosterState:
    """How ``roster`` stands at its present revision."""
    key = (roster.token, roster.revision)
    with _lock:
        found = _cache.get(key)
        if found is not None:
            _cache.move_to_end(key)
            return found
    made = compute_state(read_document(roster))
    cache_state(roster, made)
    return made


def cache_state(roster: Roster, made: RosterState) -> None:
    """Remember how a roster stands at its revision: what was read, or what was committed just now."""
    with _lock:
        _cache[roster.token, roster.revision] = made
        while len(_cache) > CACHE_SIZE:
            _cache.popitem(last=False)


# ---------------------------------------------------------------- as others see it


def hidden_parts(roster: Roster) -> Hidden:
    """What the owner hides from others."""
    return Hidden(roster.hide_points, roster.hide_notes, roster.hide_secrets)


def visible_state(roster: Roster, whole: bool) -> RosterState:
    """How the roster stands for those who may edit it (``whole``), or for everybody else: redacted."""
    state = current_state(roster)
    hidden = hidden_parts(roster)
    return state if whole or not _hides_anything(hidden, state.document) else redacted_state(state, hidden)


def redacted_state(state: RosterState, hidden: Hidden) -> RosterState:
    """The opponent's copy. Everything that others are given is drawn from this one."""
    rules = registry.SYSTEMS[state.document.system].rules
    document = redaction.redact(state.document, hidden)
    appraisal = redaction.redact_appraisal(state.document, state.appraisal, hidden, rules, reference())
    return RosterState(document, appraisal, registry.lines_of(document, reference(), state.lines))


def _hides_anything(hidden: Hidden, document: AnyDocument) -> bool:
    """Whether there is anything to redact; a mark of secrecy alone is."""
    secret = any(element.secret for formation in document.formations for element in formation.elements)
    return hidden.points or hidden.notes or secret
