"""Edit links beside the owner link, and the browsers that edit a roster as rows of a model of their own."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0010_remove_marks_and_turn"),
    ]

    operations = [
        migrations.AddField(
            model_name="browser",
            name="used",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(),
                db_index=True,
                default=django.utils.timezone.now,
            ),
        ),
        migrations.CreateModel(
            name="EditLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("secret", models.CharField(blank=True, max_length=200)),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked", models.DateTimeField(null=True)),
                (
                    "roster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="edit_links", to="rosters.roster"
                    ),
                ),
            ],
        ),
        # The table of the field `browsers` becomes that of a model, as Django's documentation describes it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Editor",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "browser",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="editors",
                                to="rosters.browser",
                            ),
                        ),
                        (
                            "roster",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="editors",
                                to="rosters.roster",
                            ),
                        ),
                    ],
                    options={"db_table": "rosters_roster_browsers", "unique_together": {("roster", "browser")}},
                ),
                migrations.AlterField(
                    model_name="roster",
                    name="browsers",
                    field=models.ManyToManyField(
                        editable=False, related_name="rosters", through="rosters.Editor", to="rosters.browser"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="editor",
            name="link",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="editors",
                to="rosters.editlink",
            ),
        ),
        migrations.AddField(
            model_name="editor", name="is_owner", field=models.BooleanField(db_default=True, default=True)
        ),
        migrations.AddField(model_name="editor", name="since", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="editor", name="changed", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="editor", name="removed", field=models.DateTimeField(null=True)),
    ]
