"""The print options with which rosters of an account or a browser begin."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("rosters", "0020_force_player"),
    ]

    operations = [
        migrations.CreateModel(
            name="PrintDefault",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("settings", models.JSONField(default=dict)),
                (
                    "browser",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="print_default",
                        to="rosters.browser",
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="print_default",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
