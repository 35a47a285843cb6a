"""Which accounts came by an owner link, and the names of the edit links by which changes were made."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0013_api_token_scope"),
    ]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="link_name",
            field=models.CharField(max_length=60, null=True),
        ),
        migrations.AddField(
            model_name="roster",
            name="claimed_by_link",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
