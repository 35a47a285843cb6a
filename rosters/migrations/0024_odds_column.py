"""The odds that the builder shows beside each element of a roster."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rosters", "0023_shelf")]

    operations = [
        migrations.AddField(
            model_name="roster", name="odds_column", field=models.CharField(blank=True, default="", max_length=1000)
        ),
    ]
