"""The form of a ship: its stats, and its weapons around a picture of the ship."""

from functools import cached_property
from typing import Any

from crispy_forms.layout import Div, Field, Fieldset, LayoutObject
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.unknown_codes import CodeSelection, UnknownCodesField
from rosters.systems.msc.rules import LABELS, MAX_STAT, REAR, SIDES
from rosters.systems.msc.tables import SIDE_NAMES


def stat_field(**labels: Any) -> forms.IntegerField:
    """A stat. Any integer is accepted: the rules check reports what is out of range."""
    box = forms.NumberInput(attrs={"min": 0, "max": MAX_STAT, "inputmode": "numeric"})
    return forms.IntegerField(required=False, initial=0, widget=box, **labels)


class ElementForm(BaseForm):
    """ENGINE, SHIELD and TO-HIT in a row, then the weapons."""

    default_profile = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}

    engine = stat_field(label=LABELS["engine"], help_text=_("Maximum SPEED in hexes per turn"))
    shield = stat_field(label=LABELS["shield"], help_text=_("The ship is destroyed at 0"))
    to_hit = stat_field(label=LABELS["to_hit"], help_text=_("A shot hits on this roll or less"))
    weapons = forms.MultipleChoiceField(
        required=False,
        choices=SIDE_NAMES.items(),
        widget=forms.CheckboxSelectMultiple,
        label=LABELS["weapons"],
        help_text=_("One per side, none in the rear."),
    )

    def adapt_fields(self) -> None:
        self.fields["engine"].widget.attrs["max"] = self.terms.options.max_engine
        if self.weapon_selection.others:
            self.fields["as_written"] = UnknownCodesField(self.weapon_selection.labels(unknown_weapon_label))

    def sections(self) -> list[LayoutObject]:
        stats = Div("engine", "shield", "to_hit", css_class="scores")
        weapons = [
            Field("weapons", template="systems/msc/weapons.html"),
            *(["as_written"] if self.weapon_selection.others else []),
        ]
        return [
            Div(
                Fieldset(gettext("Ship, 1 BP per point"), stats, css_class="group"),
                Fieldset(gettext("Weapons, 2 BP each"), *weapons, css_class="group"),
                css_class="design",
            )
        ]

    @cached_property
    def weapon_selection(self) -> CodeSelection:
        return CodeSelection(self.profile_before.get("weapons", []), SIDES)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        return {**profile, "weapons": self.weapon_selection.selected}

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        stats = {name: cleaned[name] for name in ("engine", "shield", "to_hit") if cleaned[name] is not None}
        return {**stats, "weapons": self.weapon_selection.changed(cleaned["weapons"], cleaned.get("as_written", []))}


def unknown_weapon_label(side: str) -> str:
    """The label of a weapon that has no check box: in the rear, a second one on its side, or on an unknown side."""
    if side == REAR:
        return gettext("R: weapons are not allowed in the rear")
    if side in SIDES:
        return gettext("%(side)s: another weapon on the same side") % {"side": side}
    return gettext("“%(side)s”: not a side of a ship") % {"side": side}
