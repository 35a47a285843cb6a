"""A column of the crest, which lists show."""

import json

from django.db import migrations, models

BATCH = 20
"""Documents, each of at most a megabyte or so."""


def fill(apps, schema_editor):
    """Copy the crests out of the documents, in batches by key: constant memory, and it may run again."""
    rosters, last = apps.get_model("rosters", "Roster").objects.using(schema_editor.connection.alias), 0
    documents = rosters.filter(document__contains='"crest"').order_by("pk").values_list("pk", "document")
    while batch := [*documents.filter(pk__gt=last)[:BATCH]]:
        for last, document in batch:
            rosters.filter(pk=last).update(crest=json.loads(document).get("crest"))


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0015_owner_secret"),
    ]

    operations = [
        migrations.AddField(
            model_name="roster",
            name="crest",
            field=models.CharField(editable=False, max_length=8, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
