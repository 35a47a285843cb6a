"""Browse finds listed rosters by the names of their formations and elements, and by their scenarios."""

import json
import re
import unicodedata

from django.db import migrations

BATCH = 20
"""Documents, each of at most a megabyte or so."""
STROKES = str.maketrans("łøđħ", "lodh")


def words_of(document, hide_secrets):
    """The words that a document adds, as they were when this migration was written."""
    names = (
        name
        for formation in document["formations"]
        for name in (
            formation["name"],
            *(e["name"] for e in formation["elements"] if not (e.get("secret") and hide_secrets)),
        )
    )
    text = " ".join([*dict.fromkeys(names)][:200])
    if text.isascii():
        folded = text.lower()
    else:
        letters = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
        folded = "".join(c for c in letters if not unicodedata.combining(c))
    words = {word[:60].encode() for word in re.findall(r"\w+", folded)}
    scenario = document.get("scenario")
    return words | {f"@{document['system']}/{scenario}".encode()} if scenario else words


def fill(apps, schema_editor):
    """Add the words in batches by key: constant memory, and it may run again."""
    alias, last = schema_editor.connection.alias, 0
    word = apps.get_model("rosters", "GalleryWord")
    rosters = apps.get_model("rosters", "Roster").objects.using(alias)
    listed = rosters.filter(visibility="listed", binned=None).order_by("pk")
    columns = listed.values_list("pk", "hide_secrets", "document")
    while batch := [*columns.filter(pk__gt=last)[:BATCH]]:
        rows = [
            word(roster_id=pk, word=each)
            for pk, hide_secrets, document in batch
            for each in sorted(words_of(json.loads(document), hide_secrets))
        ]
        word.objects.using(alias).bulk_create(rows, ignore_conflicts=True)
        last = batch[-1][0]


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0016_roster_crest"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
