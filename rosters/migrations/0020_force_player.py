"""The name of the player of a roster in a battle."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0019_points_in_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="force",
            name="player",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
    ]
