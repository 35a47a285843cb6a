"""Columns and rows by which My rosters filters in the database: names without accents, and one row for each tag."""

import unicodedata

import django.db.models.deletion
from django.db import migrations, models

STROKES = str.maketrans("łøđħ", "lodh")
BATCH = 500


def fold_accents(text):
    """`rosters.store.search.fold_accents` as it was when this migration was written."""
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
    return "".join(c for c in letters if not unicodedata.combining(c))


def fill(apps, schema_editor):
    """Fold the names and split the tags of all rosters, in batches by key: constant memory, and it may run again."""
    Roster, RosterTag = apps.get_model("rosters", "Roster"), apps.get_model("rosters", "RosterTag")
    using, last = schema_editor.connection.alias, 0
    rows = Roster.objects.using(using).order_by("pk").only("pk", "name", "tags", "folded_name")
    while batch := [*rows.filter(pk__gt=last)[:BATCH]]:
        last = batch[-1].pk
        for roster in batch:
            roster.folded_name = fold_accents(roster.name)
        Roster.objects.using(using).bulk_update(batch, ["folded_name"])
        RosterTag.objects.using(using).filter(roster__in=batch).delete()
        RosterTag.objects.using(using).bulk_create(
            RosterTag(roster_id=roster.pk, tag=tag, folded=fold_accents(tag))
            for roster in batch
            for tag in dict.fromkeys(roster.tags.split(", "))
            if tag
        )


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0005_roster_document"),
    ]

    operations = [
        migrations.AddField(
            model_name="roster",
            name="folded_name",
            field=models.TextField(default="", editable=False),
        ),
        migrations.CreateModel(
            name="RosterTag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tag", models.CharField(max_length=300)),
                ("folded", models.TextField()),
                (
                    "roster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tag_rows",
                        to="rosters.roster",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="rostertag",
            constraint=models.UniqueConstraint(fields=("roster", "tag"), name="tag_of_roster"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
