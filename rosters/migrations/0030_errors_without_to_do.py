"""Errors no longer count what a roster lacks. Rosters with errors are counted when they are next saved."""

from typing import Any

from django.db import migrations


def forget_counts(apps: Any, schema_editor: Any) -> None:
    apps.get_model("rosters", "Roster").objects.filter(errors__gt=0).update(errors=None)


class Migration(migrations.Migration):
    dependencies = [("rosters", "0029_shelf_request")]

    operations = [migrations.RunPython(forget_counts, migrations.RunPython.noop)]
