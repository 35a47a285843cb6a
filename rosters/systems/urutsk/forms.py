"""The form of a figure: its scores in one row, its weapon, command and protection."""

from typing import Any

from crispy_forms.layout import HTML, Div, Field, LayoutObject
from django import forms
from django.utils.translation import gettext_lazy as _

from rosters.core.values import MAX_INTEGER
from rosters.forms.element_form import PLOT, WholeNumberField
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.systems.urutsk.rules import LABELS, Profile
from rosters.systems.urutsk.tables import FIRE


class ElementForm(BaseForm):
    """The scores in a row, then weapon, command and protection."""

    default_profile = {"ranged": 1, "close": 1, "weapon_ability": 1, "fate": 2}
    stat_values = {
        "ranged": range(MAX_INTEGER),
        "close": range(MAX_INTEGER),
        "weapon_ability": range(MAX_INTEGER),
        "fate": range(1, MAX_INTEGER),
    }
    finding_fields = {"fate-below-one": "fate"}
    remarks = ("protection", "notes", "secret")

    ranged = WholeNumberField(label=LABELS["ranged"], help_text=_("Added to the die in ranged fire"))
    close = WholeNumberField(label=LABELS["close"], help_text=_("Added to the die in melee; maximum parry"))
    weapon_ability = WholeNumberField(label=LABELS["weapon_ability"], help_text=_("Added to ammunition checks"))
    fate = WholeNumberField(
        minimum=1,
        label=LABELS["fate"],
        help_text=_("Hits equal to Fate injure, more take it out of action"),
    )
    fire = forms.ChoiceField(
        label=LABELS["fire"],
        choices=[(code, fire.name) for code, fire in FIRE.items()],
        widget=forms.RadioSelect,
        help_text=_(
            "Explodes on a modified 6+ (single), 5+ (autofire), 4+ (burst). "
            "A burst also does 12 hit points to each figure without cover."
        ),
    )
    poor_condition = forms.BooleanField(
        required=False,
        label=LABELS["poor_condition"],
        help_text=_("Worn or damaged. Autofire and volley only: a modified 2 also misses."),
    )
    command = forms.BooleanField(
        required=False, label=LABELS["command"], help_text=_("Figures within 10 yards of it are in command.")
    )
    protection = forms.CharField(
        required=False,
        strip=False,
        label=LABELS["protection"],
        help_text=_("The rules have no scores for it."),
        widget=forms.Textarea(attrs={"rows": 1, "maxlength": 10_000}),
    )

    def sections(self) -> list[LayoutObject]:
        return [
            HTML('{% include "builder/_stats.html" %}'),
            Field("fire", template="builder/_segments.html"),
            Div("poor_condition", "command", css_class="pairs toggles"),
            PLOT,
        ]

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        defaults = {name: Profile.model_fields[name].default for name in (*self.stat_values, "fire")}
        return {**defaults, **profile}

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        before = self.profile_before.get("protection", "")
        submitted = normalized(cleaned["protection"])
        return super().profile_data(cleaned) | {"protection": before if submitted == normalized(before) else submitted}


def normalized(text: str) -> str:
    """Text with line feeds as the only line ends, and whitespace alone as one space, as pages and models store it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return " " if lines.isspace() and len(lines) > 1 else lines
