"""The rows of formations and elements, which repeat the roster's document for the admin, searches and reports."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django.db import connection

from rosters.core import documents
from rosters.core.documents import AnyDocument
from rosters.models import Element, Formation, Roster

POSITION_STEP = 16
"""The gap between positions of new rows, so that a later insertion moves few rows."""


def sync_rows(roster: Roster, before: AnyDocument | None, after: AnyDocument) -> None:
    """Bring the rows of formations and elements from ``before`` to ``after``. Only rows that differ are written."""
    if before and _has_same_structure(before, after):
        _update_in_place(roster, before, after)
        return
    old, new = _formations(before), _formations(after)
    removed = _upsert_rows(Formation, roster, "roster_id", {uid: (roster.pk, f) for uid, f in new.items()}, old)
    keys = dict(roster.formations.values_list("uid", "pk"))
    elements = {str(e.id): (keys[str(f.id)], e) for f in after.formations for e in f.elements}
    current = {str(e.id): e for f in before.formations for e in f.elements} if before else {}
    Element.objects.filter(pk__in=_upsert_rows(Element, roster, "formation_id", elements, current)).delete()
    Formation.objects.filter(pk__in=removed).delete()  # last: elements may have moved out of them


def _has_same_structure(before: AnyDocument, after: AnyDocument) -> bool:
    """Whether the formations and their elements have the same ids in the same order."""

    def ids(each: documents.Formation[Any]) -> list[str | None]:
        return [each.id, *(element.id for element in each.elements)]

    pairs = zip_longest(before.formations, after.formations)
    return all(old is new or (old and new and ids(old) == ids(new)) for old, new in pairs)


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
