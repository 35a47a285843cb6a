"""Points in the indexes of Browse: a range of points is compared in them, without the rosters themselves."""

from django.db import migrations, models

INDEXES = {
    "roster_by_visibility": ["visibility", "-changed"],
    "roster_by_visibility_and_game": ["visibility", "system", "-changed"],
}


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0018_force_locked"),
    ]

    operations = [
        operation
        for name, fields in INDEXES.items()
        for operation in (
            migrations.RemoveIndex(model_name="roster", name=name),
            migrations.AddIndex(model_name="roster", index=models.Index(fields=[*fields, "points"], name=name)),
        )
    ]
