"""The form of a ship: its stats, and its weapons around a picture of the ship."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from crispy_forms.layout import HTML, Div, Field, LayoutObject
from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.core.cache import cached
from rosters.core.suggestions import StatValues
from rosters.drawing.svg import svg
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.element_form import WholeNumberField
from rosters.forms.unknown_codes import CodeSelection, UnknownCodesField
from rosters.systems.msc.drawing import plan_of
from rosters.systems.msc.rules import LABELS, MAX_STAT, REAR, SIDES, STATS, WEAPON_POINTS, Profile, largest_ship
from rosters.systems.msc.tables import BOOK_SHIPS, SIDE_NAMES

MAX_BOXES = 20
"""The most boxes of BP shown for one stat; a document may have any number."""


class ElementForm(BaseForm):
    """ENGINE, SHIELD and TO-HIT in cells, then the weapons on a plan of the ship."""

    starts = BOOK_SHIPS
    default_profile = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
    finding_fields = {
        **{"engine-range": "engine", "no-engine": "engine", "shield-range": "shield", "no-shield": "shield"},
        **{"to-hit-range": "to_hit", "no-to-hit": "to_hit"},
        **dict.fromkeys(("weapon-in-rear", "unknown-side", "two-weapons-on-a-side", "unarmed"), "weapons"),
    }

    engine = WholeNumberField(maximum=MAX_STAT, label=LABELS["engine"], help_text=_("Maximum SPEED in hexes per turn"))
    shield = WholeNumberField(maximum=MAX_STAT, label=LABELS["shield"], help_text=_("The ship is destroyed at 0"))
    to_hit = WholeNumberField(maximum=MAX_STAT, label=LABELS["to_hit"], help_text=_("A shot hits on this roll or less"))
    weapons = forms.MultipleChoiceField(
        required=False,
        choices=SIDE_NAMES.items(),
        widget=forms.CheckboxSelectMultiple,
        label=LABELS["weapons"],
        help_text=_("One per side, none in the rear."),
    )

    def adapt_fields(self) -> None:
        engine = cast(WholeNumberField, self.fields["engine"])
        engine.maximum = engine.widget.attrs["max"] = self.terms.options.max_engine
        if self.weapon_selection.others:
            self.fields["as_written"] = UnknownCodesField(self.weapon_selection.labels(unknown_weapon_label))

    def adapted_stat_values(self) -> Mapping[str, StatValues]:
        engines = range(self.terms.options.max_engine + 1)
        return {"engine": engines, "shield": range(1, MAX_STAT + 1), "to_hit": range(MAX_STAT + 1)}

    def sections(self) -> list[LayoutObject]:
        others = ["as_written"] if self.weapon_selection.others else []
        return [
            Div(
                Div(
                    HTML('{% include "builder/_stats.html" %}<div id="bp">{{ form.live_parts.bp }}</div>'),
                    *others,
                    css_class="figures-of-ship",
                ),
                Field("weapons", template="systems/msc/weapons.html"),
                css_class="design",
            )
        ]

    def live_parts(self) -> dict[str, SafeString]:
        """The plan of the ship, and its BP as boxes."""
        ship = cast(Any, self.preview_element)
        counts = {"engine": ship.engine, "shield": ship.shield, "hit": ship.to_hit}
        kinds = [kind for kind, number in counts.items() for _each in range(min(max(number, 0), MAX_BOXES))]
        kinds += ["gun"] * min(WEAPON_POINTS * len(ship.weapons), MAX_BOXES)
        largest = largest_ship(self.terms)
        empty = [""] * (largest - len(kinds))
        boxes = format_html_join("", '<i class="box-{}"></i>', ((kind or "free",) for kind in [*kinds, *empty]))
        text = gettext("%(points)s of %(largest)s BP") % {"points": self.price_each(), "largest": largest}
        bp = format_html('<span class="boxes" aria-hidden="true">{}</span><strong>{}</strong>', boxes, text)
        return {"plan": _plan(ship.engine, ship.shield, ship.weapons), "bp": bp}

    @cached_property
    def weapon_selection(self) -> CodeSelection:
        return CodeSelection(self.profile_before.get("weapons", []), SIDES)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        return {**dict.fromkeys(STATS, 0), **profile, "weapons": self.weapon_selection.selected}

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        stats = {name: cleaned[name] for name in STATS if cleaned[name] is not None}
        return {**stats, "weapons": self.weapon_selection.changed(cleaned["weapons"], cleaned.get("as_written", []))}


@cached(2 << 20)  # 8 % of a live receipt whose ship stays as it is
def _plan(engine: int, shield: int, weapons: tuple[str, ...]) -> SafeString:
    """The plan of a ship, which shows nothing else of its profile."""
    profile = Profile.model_construct(engine=engine, shield=shield, weapons=weapons)
    return mark_safe(svg(plan_of(profile), "counter"))


def unknown_weapon_label(side: str) -> str:
    """The label of a weapon that has no check box: in the rear, a second one on its side, or on an unknown side."""
    if side == REAR:
        return gettext("R: weapons are not allowed in the rear")
    if side in SIDES:
        return gettext("%(side)s: another weapon on the same side") % {"side": side}
    return gettext("“%(side)s”: not a side of a ship") % {"side": side}
