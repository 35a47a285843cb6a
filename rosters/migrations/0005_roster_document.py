"""Every roster gets its current document as one column, built from its rows, which repeat it from now on."""

import json

from django.db import migrations, models

BATCH_SIZE = 100
"""Rosters that are in memory at once."""


def document_of(roster, formations):
    """A roster's document as JSON text, as it was read from the rows when this migration was written."""
    budget = int(roster.budget) if roster.budget is not None and roster.budget.is_integer() else roster.budget
    document = {
        "format": "armybuilder-roster",
        "version": 1,
        "system": roster.system,
        "name": roster.name,
        "budget": budget,
        "scenario": roster.scenario,
        "side": roster.side,
        "options": roster.options,
        "notes": roster.notes,
        "formations": formations,
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def line_of(row):
    """An element; notes, secret and marks stand only where there are any."""
    rest = {key: row[key] for key in ("notes", "secret", "marks") if row[key]}
    return {"id": row["uid"], "name": row["name"], "quantity": row["quantity"], **row["profile"], **rest}


def write_documents(apps, schema_editor):
    """Write the documents that are missing: it may be run again."""
    roster_model, formation_model, element_model = (
        apps.get_model("rosters", name) for name in ("Roster", "Formation", "Element")
    )
    last = 0
    while batch := [*roster_model.objects.filter(document="", pk__gt=last).order_by("pk")[:BATCH_SIZE]]:
        last = batch[-1].pk
        formations, by_key = {roster.pk: [] for roster in batch}, {}
        rows = formation_model.objects.filter(roster__in=batch).order_by("position")
        for key, roster, uid, name, notes in rows.values_list("pk", "roster_id", "uid", "name", "notes"):
            by_key[key] = {"id": uid, "name": name, "notes": notes, "elements": []}
            formations[roster].append(by_key[key])
        for row in element_model.objects.filter(roster__in=batch).order_by("position").values().iterator(2_000):
            if row["formation_id"] in by_key:  # an element in another roster's formation is what `integrity` reports
                by_key[row["formation_id"]]["elements"].append(line_of(row))
        for roster in batch:
            roster_model.objects.filter(pk=roster.pk).update(document=document_of(roster, formations[roster.pk]))


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0004_battle_creator"),
    ]

    operations = [
        migrations.AddField(
            model_name="roster",
            name="document",
            field=models.TextField(default="", editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(write_documents, migrations.RunPython.noop),
    ]
