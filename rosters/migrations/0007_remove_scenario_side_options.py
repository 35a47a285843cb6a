"""Drop the columns that repeat the document for nobody: what they hold is read from it, and nothing searches them."""

import json

from django.db import migrations

BATCH_SIZE = 100
"""Rosters whose documents are in memory at once."""


def fill_columns(apps, schema_editor):
    """Copy scenario, side and house rules from the documents back into the columns: only when migrating backward."""
    rosters = apps.get_model("rosters", "Roster").objects.using(schema_editor.connection.alias).order_by("pk")
    last = 0
    while batch := [*rosters.filter(pk__gt=last).only("pk", "document")[:BATCH_SIZE]]:
        last = batch[-1].pk
        for roster in batch:
            document = json.loads(roster.document)
            roster.scenario, roster.side, roster.options = (document[name] for name in ("scenario", "side", "options"))
        rosters.bulk_update(batch, ["scenario", "side", "options"])


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0006_roster_tags_and_folded_name"),
    ]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, fill_columns),
        migrations.RemoveField(model_name="roster", name="scenario"),
        migrations.RemoveField(model_name="roster", name="side"),
        migrations.RemoveField(model_name="roster", name="options"),
    ]
