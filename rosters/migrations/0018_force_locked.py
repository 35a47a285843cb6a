"""When its player locked a roster in a battle; unknown for those before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0017_words_of_elements"),
    ]

    operations = [
        migrations.AddField(
            model_name="force",
            name="locked",
            field=models.DateTimeField(null=True),
        ),
    ]
