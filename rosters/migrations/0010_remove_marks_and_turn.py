"""Remove the columns of damage and turn, apart from 0009: PostgreSQL alters no table with changes that are pending."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0009_play_state"),
    ]

    operations = [
        migrations.RemoveField(model_name="roster", name="turn"),
        migrations.RemoveField(model_name="element", name="marks"),
    ]
