"""Keep the message of a revision's summary beside its text, so that the history can be shown in another language."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0007_remove_scenario_side_options"),
    ]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="summary_message",
            field=models.JSONField(editable=False, null=True),
        ),
    ]
