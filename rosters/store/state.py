"""The state of a roster: its current document and appraisal, computed once for each of its revisions.

The number of its revision and the time of that change identify a state in every process: the number alone would not,
since another process may write it again after a change that was rolled back, or a restored backup. Entries are never
updated: for a new one the document is read and appraised.
"""

import json
from datetime import datetime
from typing import Any

from rosters import registry
from rosters.core import documents, redaction
from rosters.core.appraisals import Appraisal, RosterState, count_errors, terms_of
from rosters.core.cache import MemoryCache
from rosters.core.documents import AnyDocument
from rosters.core.folding import fold_accents
from rosters.core.redaction import Hidden
from rosters.models import Roster

# ---------------------------------------------------------------- the document

COPIED_FIELDS = ("name", "budget", "notes", "crest")
"""Fields of the document that have a column too: lists show names and limits, and Browse searches names and notes,
without reading documents, which may have a megabyte each.
"""
REVISION_COLUMNS = ("revision", "changed", "document", *COPIED_FIELDS, "points", "legal", "errors", "quantity")
"""The columns that change with a revision."""
MAX_SORTABLE_POINTS = 10.0**15
"""The largest value of the column ``points``, which lists sort by in every database; the appraisal is exact."""


def read_document(roster: Roster) -> AnyDocument:
    """The roster's current document, ids included. One query.

    If the document is deferred, all columns are refreshed with it, because the roster may have changed since.
    """
    if "document" in roster.get_deferred_fields():
        roster.refresh_from_db(fields=REVISION_COLUMNS)
    return registry.SYSTEMS[roster.system].document_class.model_validate(json.loads(roster.document))


def document_for_export(roster: Roster, document: AnyDocument) -> AnyDocument:
    """The document with the time of the roster's last change, as it is exported."""
    return document.replace(changed=roster.changed.isoformat())


def export_json(roster: Roster, document: AnyDocument) -> dict[str, Any]:
    """`document_for_export` as JSON data."""
    return documents.write(document_for_export(roster, document))


def fill_columns(roster: Roster, document: AnyDocument, appraisal: Appraisal) -> None:
    """Write a document and its summary into the columns of a roster that is not saved yet."""
    roster.document = documents.text_of(document.replace(changed=None))
    for field in COPIED_FIELDS:
        setattr(roster, field, getattr(document, field))
    roster.folded_name = fold_accents(roster.name)
    roster.points, roster.legal, roster.errors, roster.quantity = totals_of(appraisal)


def totals_of(appraisal: Appraisal) -> tuple[float | None, bool, int, int]:
    """The columns points, legal, errors and quantity for an appraisal."""
    points = (
        None
        if appraisal.points is None
        else float(min(max(appraisal.points, -MAX_SORTABLE_POINTS), MAX_SORTABLE_POINTS))
    )
    errors = count_errors(appraisal, registry.SYSTEMS[appraisal.system].rules)
    return points, appraisal.legal, errors, appraisal.quantity


# ---------------------------------------------------------------- the current state

BYTES_PER_CHARACTER = 32
"""Bytes of a state in memory for each character of its document's JSON: 13 to 33 over all sample armies."""


def compute_state(document: AnyDocument, before: RosterState | None = None) -> RosterState:
    """Appraise a document. Elements that are equal in ``before``, under the same terms, are not appraised again."""
    same = before is not None and terms_of(before.document) == terms_of(document)
    appraised = registry.appraise_elements(document, before.appraised if before and same else None)
    return RosterState(document, registry.appraise(document, appraised), appraised)


_cache = MemoryCache[str, tuple[int, datetime, RosterState]](64 << 20)
"""Revision, its time and the state by token: earlier ones would only drive out those of other rosters. Two thirds of an
edit's time.
"""


def current_state(roster: Roster) -> RosterState:
    """The state of a roster at its current revision."""
    state = _cached_state(roster)
    if state is None:
        state = compute_state(read_document(roster))
        cache_state(roster, state)
    return state


def _cached_state(roster: Roster) -> RosterState | None:
    revision, changed, state = _cache.get(roster.token) or (None, None, None)
    return state if (revision, changed) == (roster.revision, roster.changed) else None


def current_document(roster: Roster) -> AnyDocument:
    """The document of a roster at its current revision, where its appraisal is not needed."""
    state = _cached_state(roster)
    return state.document if state else read_document(roster)


def cache_state(roster: Roster, state: RosterState) -> None:
    """Cache the state of a roster at its revision."""
    _cache.set(roster.token, (roster.revision, roster.changed, state), len(roster.document) * BYTES_PER_CHARACTER)


# ---------------------------------------------------------------- as others see it


def hidden_parts(roster: Roster) -> Hidden:
    """What the owner hides from others."""
    return Hidden(roster.hide_points, roster.hide_notes, roster.hide_secrets)


def visible_state(roster: Roster, *, complete: bool) -> RosterState:
    """The current state, redacted unless ``complete``."""
    state = current_state(roster)
    hidden = hidden_parts(roster)
    return state if complete or not _hides_anything(hidden, state.document) else redacted_state(state, hidden)


def redacted_state(state: RosterState, hidden: Hidden) -> RosterState:
    """The state without what is hidden. Everything that others see is rendered from it."""
    rules = registry.SYSTEMS[state.document.system].rules
    document = redaction.redact(state.document, hidden)
    appraisal = redaction.redact_appraisal(state.document, state.appraisal, hidden, rules)
    appraised = registry.appraise_elements(document, state.appraised) if state.appraised else ()
    return RosterState(document, appraisal, appraised)


def _hides_anything(hidden: Hidden, document: AnyDocument) -> bool:
    """Whether there is anything to redact: a secret element suffices."""
    secret = any(element.secret for element in document.elements)
    return hidden.points or hidden.notes or secret
