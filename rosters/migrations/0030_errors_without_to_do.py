"""Errors no longer count what a roster lacks. Those of rosters that had some are counted by `load` or the next save."""

from typing import Any

from django.db import migrations


def forget_counts(apps: Any, schema_editor: Any) -> None:
    apps.get_model("rosters", "Roster").objects.filter(errors__gt=0).update(errors=None)


class Migration(migrations.Migration):
    dependencies = [("rosters", "0029_shelf_request")]

    operations = [migrations.RunPython(forget_counts, migrations.RunPython.noop)]
