"""Tell owners from former editors, apart from 0011: PostgreSQL alters no table with changes that are pending."""

from django.db import migrations
from django.db.models import F

BATCH_SIZE = 500
"""Rows that are updated at once."""


def limit_former_editors(apps, schema_editor):
    """Leave everything to the browser that made a roster, and to its account: other browsers may only edit from now on.

    Where neither is known, all of its browsers remain owners, as nobody else could be. In batches by key. It may be run
    again: only rows of the release before have no times.
    """
    rows = apps.get_model("rosters", "Editor").objects.using(schema_editor.connection.alias)
    editors = rows.filter(since=None).order_by("pk")
    others = editors.exclude(roster__creator=None, roster__owner=None).exclude(browser=F("roster__creator"))
    last = 0
    while keys := [*editors.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH_SIZE]]:
        last = keys[-1]
        editors.filter(pk__in=[*others.filter(pk__in=keys).values_list("pk", flat=True)]).update(is_owner=False)


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0011_edit_links"),
    ]

    operations = [migrations.RunPython(limit_former_editors, migrations.RunPython.noop)]
