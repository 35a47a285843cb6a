"""What an API token may do, and until when. Those in use go on as they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0012_limit_former_editors"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="ends_with_password",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="expires",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(
                choices=[("read", "Read only"), ("write", "Read, change, delete and create")],
                db_default="write",
                default="write",
                max_length=5,
            ),
        ),
    ]
