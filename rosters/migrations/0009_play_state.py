"""Move damage and turn out of documents into a row beside each roster that has any."""

import json

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

BATCH_SIZE = 100
"""Rosters that are in memory at once."""


def elements_of(document):
    return [element for formation in document["formations"] for element in formation["elements"]]


def batches(rows):
    """Rows in batches by primary key, each read when the one before is done."""
    last = 0
    while batch := [*rows.filter(pk__gt=last).order_by("pk")[:BATCH_SIZE]]:
        last = batch[-1].pk
        yield batch


def write_document(roster_model, key, document):
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    roster_model.objects.filter(pk=key).update(document=text)


def move_out(apps, schema_editor):
    """Give each roster with damage or a turn its row. It may be run again."""
    roster_model, play_model = apps.get_model("rosters", "Roster"), apps.get_model("rosters", "PlayState")
    played = roster_model.objects.filter(Q(turn__gt=0) | Q(document__contains='"marks":'), play=None)
    for batch in batches(played.only("turn", "document")):
        for roster in batch:
            document, damage = json.loads(roster.document), {}
            for element in elements_of(document):
                marks = enumerate(element.pop("marks", ()))
                damage |= {f"{element['id']} {model}": mark for model, mark in marks if mark}
            if damage:
                write_document(roster_model, roster.pk, document)
            if damage or roster.turn:
                play_model.objects.create(roster=roster, turn=roster.turn, damage=damage)


def move_back(apps, schema_editor):
    """Put turn and damage back into rosters, documents and elements."""
    roster_model, play_model, element_model = (
        apps.get_model("rosters", name) for name in ("Roster", "PlayState", "Element")
    )
    for batch in batches(play_model.objects.select_related("roster")):
        for play in batch:
            document = json.loads(play.roster.document)
            for element in elements_of(document):
                keys = [f"{element['id']} {model}" for model in range(element["quantity"])]
                marks = [play.damage.get(key, {}) for key in keys]
                while marks and not marks[-1]:
                    marks.pop()
                if marks:
                    element["marks"] = marks
                    element_model.objects.filter(roster=play.roster, uid=element["id"]).update(marks=marks)
            write_document(roster_model, play.roster.pk, document)
            roster_model.objects.filter(pk=play.roster.pk).update(turn=play.turn)


class Migration(migrations.Migration):
    dependencies = [
        ("rosters", "0008_revision_summary_message"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayState",
            fields=[
                (
                    "roster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="play",
                        serialize=False,
                        to="rosters.roster",
                    ),
                ),
                ("turn", models.PositiveIntegerField(default=0)),
                ("damage", models.JSONField(default=dict)),
                ("shown", models.BooleanField(default=False)),
                ("changes", models.JSONField(default=list)),
                ("requests", models.JSONField(default=list)),
                ("sessions", models.JSONField(default=list)),
            ],
        ),
        migrations.RunPython(move_out, move_back),
    ]
