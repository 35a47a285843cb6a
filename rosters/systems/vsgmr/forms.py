"""The form of a figure: what it is, how it fights, its traits and its super powers, in the order of the rulebook."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from crispy_forms.bootstrap import InlineRadios
from crispy_forms.layout import Div, Field, Fieldset, LayoutObject
from django import forms

from rosters.core.amounts import format_exact
from rosters.core.reference import SuperPower, Trait
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.unknown_codes import CodeSelection, UnknownCodesField
from rosters.systems.vsgmr.rules import ALIASES, KINDS, MOUNTS, POWERS, TRAIT_POINTS, TRAITS

AS_WRITTEN = "as-written"
"""The choice that keeps a value which the form does not know."""

KIND_TEXTS = {
    "mook": "Moves 6 inches. Rolls every die at −1.",
    "troop": "Moves 6 inches. An ordinary fighter, without bonus or penalty.",
    "hero": "Moves 6 inches. Adds +1 to attack and skill rolls.",
    "cavalry": "Moves 9 inches. Carries a rider, who is bought as a guy; light armor is free.",
    "vehicle": "Moves 12 inches. Carries a driver, who is bought as a guy, and four more. "
    "Adds +1 to attack and armor rolls; light armor is free.",
}
ARMOR_OF_GUYS = {"": "None", "light": "Light +1", "heavy": "Heavy +2"}
ARMOR_OF_MOUNTS = {"": "Light, free", "light": "Light, free, as named", "heavy": "Heavy +1"}
TRAIT_GROUPS = {
    "Attacking": (
        "area-effect-attack",
        "combat-master",
        "double-strike",
        "ignores-armor",
        "sharpshooter",
        "sniper",
    ),
    "Moving and surviving": ("flight", "independent", "revenge", "stealth", "tough"),
    "Hindering the enemy": ("cause-fear", "disable", "recruit"),
    "Helping friends": ("inspiration", "summon", "support"),
}
OTHER_TRAITS = "Others"
SUPPORT_ROLLS = {
    "": "Roll not chosen",
    "distance": "Distance",
    "hand-to-hand": "Hand to hand",
    "armor": "Armor",
    "skill": "Skill",
}


class TraitBox(NamedTuple):
    """A trait to tick, with its explanation."""

    trait: Trait
    ticked: bool


class ElementForm(BaseForm):
    """Kind, equipment, a tick for each trait, and a tier for each super power."""

    reshaping = ("kind",)
    starting = {"kind": "troop"}

    kind = forms.ChoiceField(widget=forms.RadioSelect)
    commander = forms.BooleanField(
        required=False,
        help_text="One in each force. Heavy armor is free to a hero; a troop pays for it, and a mook never commands.",
    )
    large = forms.BooleanField(
        required=False, label="Large mount", help_text="Carries the rider and one more guy. Costs nothing."
    )
    distance = forms.BooleanField(required=False, label="Distance attack +1", help_text="5+ hits, 6+ in cover.")
    automatic_fire = forms.BooleanField(
        required=False,
        label="Automatic fire +1",
        help_text="The better of two dice counts. Needs a distance attack.",
    )
    armor = forms.ChoiceField(required=False, help_text="Light saves on 6 or more, heavy on 4 or more.")
    traits = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    support = forms.ChoiceField(
        required=False,
        label="Roll that Support helps",
        choices=SUPPORT_ROLLS.items(),
        widget=forms.Select(attrs={"class": "form-select form-select-sm"}),
    )

    # ------------------------------------------------------------ what the form shows

    def shape(self) -> None:
        kinds = {kind: f"{kind.title()} +{format_exact(points)}" for kind, points in KINDS.items()}
        self._offer("kind", kinds)
        self.fields["kind"].help_text = KIND_TEXTS.get(self.chosen("kind"), "")
        self._offer("armor", self._armors())
        if self.chosen("kind") != "cavalry" and not self.chosen("large"):
            del self.fields["large"]
        traits = TRAITS.values()
        self._choice_field("traits").choices = [(trait.code, trait.name) for trait in traits]
        for name, tiers in self.powers.items():
            self.fields[name] = power_field(tiers)
            self._offer(name, {"": "None"} | {row.tier: tier_label(row) for row in tiers})
        if self.labels:
            self.fields["as_written"] = UnknownCodesField(self.labels)

    def _armors(self) -> dict[str, str]:
        """The armor of this kind. Mounts need not name the light armor that comes free, but may."""
        if self.chosen("kind") not in MOUNTS:
            return ARMOR_OF_GUYS
        return {key: text for key, text in ARMOR_OF_MOUNTS.items() if key != "light" or self.chosen("armor") == "light"}

    def _offer(self, name: str, choices: Mapping[str, str]) -> None:
        """Give a field these choices, and one more for a value as written that is none of them."""
        written = self.initial.get(name) == AS_WRITTEN
        more = {AS_WRITTEN: f"As written: “{self._value_before(name)}”"} if written else {}
        self._choice_field(name).choices = [*choices.items(), *more.items()]

    def _choice_field(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def sections(self) -> list[LayoutObject]:
        what = ["commander", *(["large"] if "large" in self.fields else [])]
        return [
            Fieldset("What it is", InlineRadios("kind"), Div(*what, css_class="pairs"), css_class="group"),
            Fieldset(
                "Attack and armor", Div("distance", "automatic_fire", "armor", css_class="pairs"), css_class="group"
            ),
            Fieldset(
                f"Traits, {TRAIT_POINTS} points each",
                Field("traits", template="systems/vsgmr/traits.html"),
                css_class="group",
            ),
            Fieldset("Super powers", Div(*self.powers, css_class="powers"), css_class="group"),
            *([Fieldset(None, "as_written", css_class="group")] if self.labels else []),
        ]

    def trait_groups(self) -> list[tuple[str, list[TraitBox]]]:
        """The traits to tick, group by group; for the template."""
        rest, ticked = dict(TRAITS), self["traits"].value() or []
        groups = []
        for legend, codes in TRAIT_GROUPS.items():
            found = [rest.pop(code) for code in codes if code in rest]
            groups.append((legend, found))
        groups.append((OTHER_TRAITS, [*rest.values()]))
        return [
            (legend, [TraitBox(trait, trait.code in ticked) for trait in found]) for legend, found in groups if found
        ]

    # ------------------------------------------------------------ from and to a profile

    @cached_property
    def ticks(self) -> CodeSelection:
        return CodeSelection(self.profile_before.get("traits", []), TRAITS)

    @cached_property
    def powers(self) -> dict[str, list[SuperPower]]:
        """The tiers of each power of the rulebook, by the name of its field."""
        return powers_by_field()

    @cached_property
    def other_powers(self) -> dict[str, tuple[str, str]]:
        """Powers that the rulebook does not know, with their tiers, by the key of their box."""
        written = self.profile_before.get("powers", {})
        unknown = sorted(written.keys() - {power for power, _ in POWERS})
        return {f"power-{place}": (power, written[power]) for place, power in enumerate(unknown)}

    @cached_property
    def labels(self) -> dict[str, str]:
        """The words for everything that stands in the profile as written."""
        powers = {key: f"“{power}”, “{tier}”: not a super power" for key, (power, tier) in self.other_powers.items()}
        return self.ticks.labels(self._odd_trait) | powers

    def _odd_trait(self, slug: str) -> str:
        trait = TRAITS.get(ALIASES.get(slug, slug))
        if trait is None:
            return f"“{slug}”: not a trait"
        return f"“{slug}”: read as {trait.name}" if slug in ALIASES else f"{trait.name}, once more"

    def _value_before(self, name: str) -> Any:
        """What the profile holds for a field with choices."""
        if name in self.powers:
            return self.profile_before.get("powers", {}).get(self.powers[name][0].power)
        return self.profile_before.get(name)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        tiers = {name: {row.tier for row in rows} for name, rows in self.powers.items()}
        known = {"kind": {*KINDS}, "armor": {*ARMOR_OF_GUYS} - {""}, **tiers}
        found = {name: self._value_before(name) for name in known}
        return {
            **profile,
            **{
                name: "" if value is None else value if value in known[name] else AS_WRITTEN
                for name, value in found.items()
            },
            "traits": self.ticks.ticked,
        }

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        flags = ("commander", "distance", "automatic_fire", "large")
        chosen = {name: self._value(name, cleaned[name]) for name in ("kind", "armor", *self.powers)}
        kept = cleaned.get("as_written", [])
        tiers = {rows[0].power: chosen.pop(name) for name, rows in self.powers.items()}
        powers = {power: tier for power, tier in tiers.items() if tier is not None}
        return {
            **{name: True for name in flags if cleaned.get(name)},
            **chosen,
            "traits": self.ticks.changed(cleaned["traits"], kept),
            "support": cleaned["support"] or None,
            "powers": powers | dict(pair for key, pair in self.other_powers.items() if key in kept),
        }

    def _value(self, name: str, choice: str) -> Any:
        """The profile's value for a choice: None for nothing chosen."""
        return self._value_before(name) if choice == AS_WRITTEN else choice or None


def powers_by_field() -> dict[str, list[SuperPower]]:
    """The tiers of each power, in the order of the rulebook, by a name for a form field."""
    found: dict[str, list[SuperPower]] = {}
    for row in sorted(POWERS.values(), key=lambda row: row.number):
        found.setdefault(row.power.replace("-", "_"), []).append(row)
    return found


def power_field(tiers: list[SuperPower]) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, label=tiers[0].name, help_text=power_text(tiers))


def tier_label(row: SuperPower) -> str:
    return f"{row.tier.title()}, d{row.die} +{row.points}"


def power_text(tiers: Iterable[SuperPower]) -> str:
    """What a power does: one sentence where its tiers differ only in the die, else one for each tier."""
    rows = [*tiers]
    dice = [f"d{row.die}" for row in rows]
    if len({row.text.replace(die, "die") for row, die in zip(rows, dice, strict=True)}) == 1:
        return rows[0].text.replace(dice[0], f"{', '.join(dice[:-1])} or {dice[-1]}")
    return " ".join(f"{row.tier.title()}: {row.text}" for row in rows)
