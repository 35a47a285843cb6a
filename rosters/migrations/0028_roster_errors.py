"""The number of a roster's errors, in My rosters; filled in when a roster is saved."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rosters", "0027_report_requester")]

    operations = [
        migrations.AddField("roster", "errors", models.PositiveIntegerField(editable=False, null=True)),
    ]
