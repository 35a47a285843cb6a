"""The key of the line that was added to a shelf last: sent again, it is not added twice."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rosters", "0028_roster_errors")]

    operations = [
        migrations.AddField("shelf", "request", models.CharField(editable=False, max_length=16, null=True)),
    ]
