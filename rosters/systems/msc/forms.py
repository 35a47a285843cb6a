"""The form of a ship: three numbers, and a weapon for each side of its hex."""

from functools import cached_property
from typing import Any

from crispy_forms.layout import Div, Field, Fieldset, LayoutObject
from django import forms

from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.unknown_codes import CodeSelection, UnknownCodesField
from rosters.systems.msc.rules import MAX_STAT, REAR, SIDES

SIDE_NAMES = {"F": "Front", "FL": "Front left", "FR": "Front right", "RL": "Rear left", "RR": "Rear right"}
"""The sides of a ship that may hold a weapon, in words, in the order of the Ship Turn Record."""


def score(label: str, help_text: str) -> forms.IntegerField:
    """A number that the record has ovals for. Any number is taken: the appraisal tells what is out of range."""
    box = forms.NumberInput(attrs={"min": 0, "max": MAX_STAT, "inputmode": "numeric"})
    return forms.IntegerField(required=False, initial=0, label=label, help_text=help_text, widget=box)


class ElementForm(BaseForm):
    """ENGINE, SHIELD and TO-HIT in a row, and the weapons around a picture of the ship."""

    starting = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}

    engine = score("ENGINE", "Its highest SPEED, in hexes a turn")
    shield = score("SHIELD", "At 0 the ship is destroyed")
    to_hit = score("TO-HIT", "A shot hits on this or less")
    weapons = forms.MultipleChoiceField(
        required=False,
        choices=SIDE_NAMES.items(),
        widget=forms.CheckboxSelectMultiple,
        help_text="One a side, and none in the rear.",
    )

    def shape(self) -> None:
        self.fields["engine"].widget.attrs["max"] = self.terms.options.max_engine
        if self.ticks.others:
            self.fields["as_written"] = UnknownCodesField(self.ticks.labels(odd_side))

    def sections(self) -> list[LayoutObject]:
        scores = Fieldset(
            "Ship, 1 BP a point", Div("engine", "shield", "to_hit", css_class="scores"), css_class="group"
        )
        around = Field("weapons", template="systems/msc/weapons.html")
        written = ["as_written"] if self.ticks.others else []
        return [Div(scores, Fieldset("Weapons, 2 BP each", around, *written, css_class="group"), css_class="design")]

    @cached_property
    def ticks(self) -> CodeSelection:
        return CodeSelection(self.profile_before.get("weapons", []), SIDES)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        return {**profile, "weapons": self.ticks.ticked}

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        scores = {name: cleaned[name] for name in ("engine", "shield", "to_hit") if cleaned[name] is not None}
        return {**scores, "weapons": self.ticks.changed(cleaned["weapons"], cleaned.get("as_written", []))}


def odd_side(side: str) -> str:
    """What is the matter with a weapon that has no tick of its own."""
    if side == REAR:
        return "R: the rear takes no weapon"
    return f"{side}: one weapon more on the same side" if side in SIDES else f"“{side}”: not a side of a ship"
