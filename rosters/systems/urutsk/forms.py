"""The form of a figure: its scores in one row, its weapon, and what it wears or stands behind."""

from typing import Any

from crispy_forms.layout import Div, Fieldset, LayoutObject
from django import forms

from rosters.forms.element_form import ElementForm as BaseForm

FIRES = {"single": "Single shots", "autofire": "Autofire or volley", "burst": "Burst effect"}


def score(label: str, help_text: str, usual: int = 0) -> forms.IntegerField:
    """A score of the record. Any number is taken: the appraisal tells what makes no sense."""
    box = forms.NumberInput(attrs={"min": usual, "inputmode": "numeric"})
    return forms.IntegerField(required=False, initial=usual, label=label, help_text=help_text, widget=box)


class ElementForm(BaseForm):
    """Four scores, the weapon, command, and protection."""

    starting = {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2}

    ranged = score("Ranged", "Added to the die when shooting")
    close = score("Close", "Added to the die in melee; the most it parries")
    weapon_ability = score("Weapon ability", "Added to ammunition checks")
    fate = score("Fate", "As many hits injure it, more take it out", usual=1)
    fire = forms.ChoiceField(
        label="Fire",
        choices=FIRES.items(),
        help_text="A modified 6 or more is rolled again and added; with autofire from 5, with a burst from 4, "
        "which also does 12 hits to all without cover.",
    )
    poor_condition = forms.BooleanField(
        required=False,
        label="Poor condition",
        help_text="Worn or damaged. It matters for autofire and volleys only: a modified 2 misses too.",
    )
    command = forms.BooleanField(
        required=False, label="Command-capable", help_text="Figures within 10 yards of it are in command."
    )
    protection = forms.CharField(
        required=False,
        strip=False,
        label="Cover and armor",
        help_text="In your own words, for the record sheet: the rules give no scores for it.",
        widget=forms.Textarea(attrs={"rows": 1, "maxlength": 10_000}),
    )

    def sections(self) -> list[LayoutObject]:
        scores = Div("ranged", "close", "weapon_ability", "fate", css_class="scores")
        weapon = Div("fire", "poor_condition", css_class="pairs")
        return [
            Fieldset("Scores", scores, css_class="group"),
            Fieldset("Weapon", weapon, css_class="group"),
            Fieldset("Command and protection", Div("command", "protection", css_class="pairs"), css_class="group"),
        ]

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        before = self.profile_before.get("protection", "")
        sent = as_sent(cleaned["protection"])
        return super().profile_data(cleaned) | {"protection": before if sent == as_sent(before) else sent}


def as_sent(text: str) -> str:
    """Text as it comes back from a page: line ends of one kind, and nothing but blanks as a single one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return " " if lines.isspace() and len(lines) > 1 else lines
