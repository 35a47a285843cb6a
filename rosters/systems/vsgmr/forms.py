"""The form of a figure: kind, equipment, traits and super powers, in the order of the rulebook."""

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, cast

from crispy_forms.layout import HTML, Div, Field, Fieldset, LayoutObject
from django import forms
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rosters.core.amounts import Amount, format_exact
from rosters.core.messages import translate
from rosters.core.reference import SuperPower
from rosters.drawing.svg import svg
from rosters.forms.element_form import PLOT
from rosters.forms.element_form import ElementForm as BaseForm
from rosters.forms.picker import Pick, Picker
from rosters.forms.unknown_codes import CodeSelection, UnknownCodesField
from rosters.systems.vsgmr.drawing import counter_of
from rosters.systems.vsgmr.rules import (
    ALIASES,
    ARMOR_NAMES,
    ARMOR_POINTS,
    AUTOMATIC_FIRE_POINTS,
    DISTANCE_POINTS,
    FINDINGS,
    KIND_NAMES,
    KINDS,
    LABELS,
    MOUNTS,
    POWERS,
    TRAIT_POINTS,
    TRAITS,
    Element,
    Options,
    RosterTerms,
)

UNKNOWN = "unknown"
"""The choice that keeps an unknown code of the profile."""

KIND_TEXTS = {
    "mook": gettext_lazy("Moves 6 inches. −1 to all rolls."),
    "troop": gettext_lazy("Moves 6 inches. An ordinary fighter, without bonus or penalty."),
    "hero": gettext_lazy("Moves 6 inches. +1 to attacks and skill rolls."),
    "cavalry": gettext_lazy("Moves 9 inches. Light armor is free. Needs a rider, who is bought as a guy."),
    "vehicle": gettext_lazy(
        "Moves 12 inches. +1 to attacks and armor rolls. Light armor is free. "
        "Needs a driver, who is bought as a guy, and carries 4 more."
    ),
}
TRAIT_GROUPS = {
    gettext_lazy("Attacks"): (
        "area-effect-attack",
        "combat-master",
        "double-strike",
        "ignores-armor",
        "sharpshooter",
        "sniper",
    ),
    gettext_lazy("Movement and defense"): ("flight", "independent", "revenge", "stealth", "tough"),
    gettext_lazy("Against enemies"): ("cause-fear", "disable", "recruit"),
    gettext_lazy("For friends"): ("inspiration", "summon", "support"),
}
MOST_USED = ("cause-fear", "support", "tough", "combat-master", "double-strike", "ignores-armor", "sharpshooter")
"""Traits by how often the sample rosters have them."""
SEARCH_WORDS = {
    "area-effect-attack": gettext_lazy("bomb, magical burst, grenade, explosion"),
    "cause-fear": gettext_lazy("intimidate, rout, terror, monster"),
    "combat-master": gettext_lazy("weapon master, fist-fighter, melee weapon expertise, close combat, sword"),
    "disable": gettext_lazy("cover fire, hacking, strategist, stun"),
    "double-strike": gettext_lazy("battle rage, two-weapon attack, berserker"),
    "flight": gettext_lazy("jet pack, wings, fly"),
    "ignores-armor": gettext_lazy("demonic talons, magic blade, armor piercing"),
    "independent": gettext_lazy("artificial intelligence, free spirit, animal, robot"),
    "inspiration": gettext_lazy("battlefield command, raise morale, leader, standard bearer"),
    "recruit": gettext_lazy("curse, treason, zombie, vampire"),
    "revenge": gettext_lazy("counterstrike, go down fighting"),
    "sharpshooter": gettext_lazy("bullseye, ranged weapon expertise, marksman, archer"),
    "sniper": gettext_lazy("bombardment, targeting computer, long range"),
    "stealth": gettext_lazy("evasion, smokescreen, hidden, invisible, camouflage"),
    "summon": gettext_lazy("call in support, loyal minions, teleport"),
    "support": gettext_lazy("advanced communications, first aid, squad, medic"),
    "tough": gettext_lazy("body armor, endurance, resilient"),
    "super-armor": gettext_lazy("battle suit, magical defenses, quick reflexes, force field"),
    "super-blast": gettext_lazy("laser beams, massive gun, psychic stun, knockback"),
    "super-fight": gettext_lazy("martial arts, strangling vines, super-strength, knockback"),
    "super-move": gettext_lazy("super-speed, teleportation, web-swinging"),
    "super-skill": gettext_lazy("good luck, super-knowledge, utility belt, gadgets"),
}
"""Words that traits and super powers are searched by beside their names: those of the rulebook and examples of use."""
SUPPORT_CHOICES = {
    "": gettext_lazy("Choose a roll"),
    "distance": gettext_lazy("Distance attacks"),
    "hand-to-hand": gettext_lazy("Hand to hand attacks"),
    "armor": gettext_lazy("Armor rolls"),
    "skill": gettext_lazy("Skill rolls"),
}
TIERS = {
    "minor": gettext_lazy("Minor, d{die} +{points}"),
    "major": gettext_lazy("Major, d{die} +{points}"),
    "superior": gettext_lazy("Superior, d{die} +{points}"),
}
POWER_TEXTS = {
    "super-armor": gettext_lazy("The die of armor rolls. The figure needs armor."),
    "super-blast": gettext_lazy("The die of distance attacks. On 8+ a target that is not defeated is knocked back."),
    "super-fight": gettext_lazy(
        "The die of hand to hand attacks. On 8+ a target that is not defeated is knocked back."
    ),
    "super-move": gettext_lazy("½, 1 or 1½ move units more in each turn, and +1, +2 or +3 to initiative."),
    "super-skill": gettext_lazy("The die of skill rolls. Only for guys."),
}


class ElementForm(BaseForm):
    """Kind, equipment, a check box for each trait, and a tier of each super power."""

    default_profile = {"kind": "troop"}
    leading = "commander"
    finding_fields = {
        **dict.fromkeys(FINDINGS, "traits"),
        **{"unknown-kind": "kind", "unknown-armor": "armor", "support-roll-not-chosen": "support"},
        **dict.fromkeys(("commander-must-be-guy", "mook-commander", "troop-commander"), "commander"),
        "automatic-fire-without-distance": "automatic_fire",
    }

    kind = forms.ChoiceField(label=LABELS["kind"], widget=forms.RadioSelect)
    commander = forms.BooleanField(
        required=False,
        label=LABELS["commander"],
        help_text=gettext_lazy("One in each roster: a hero, with free heavy armor, or a troop."),
    )
    large = forms.BooleanField(
        required=False,
        label=LABELS["large"],
        help_text=gettext_lazy("Carries the rider and 1 more guy. Free."),
    )
    distance = forms.BooleanField(required=False, help_text=gettext_lazy("5+ hits, in cover 6+."))
    automatic_fire = forms.BooleanField(
        required=False, help_text=gettext_lazy("Uses the higher of two dice. Needs a distance attack.")
    )
    armor = forms.ChoiceField(
        required=False,
        label=LABELS["armor"],
        help_text=gettext_lazy("Light armor saves on 6+, heavy on 4+."),
        widget=forms.RadioSelect,
    )
    traits = forms.MultipleChoiceField(required=False, label=LABELS["traits"], widget=forms.CheckboxSelectMultiple)
    support = forms.ChoiceField(
        required=False,
        label=LABELS["support"],
        choices=SUPPORT_CHOICES.items(),
        widget=forms.Select(attrs={"class": "form-select form-select-sm"}),
    )

    # ------------------------------------------------------------ fields and layout

    def adapt_fields(self) -> None:
        kind = self.current_value("kind")
        self._set_choices("kind", {code: with_points(KIND_NAMES[code], points) for code, points in KINDS.items()})
        notes = format_html_join("", '<span class="of-kind for-{}">{}</span>', KIND_TEXTS.items())
        self.fields["kind"].help_text = notes  # the style sheet shows the text of the kind that is chosen
        self._set_choices("armor", armor_labels("mounts" if kind in MOUNTS else "guys"))
        for name, points in (("distance", DISTANCE_POINTS), ("automatic_fire", AUTOMATIC_FIRE_POINTS)):
            self.fields[name].label = with_points(LABELS[name], points)
        self._choice_field("traits").choices = [(code, translate(trait.name)) for code, trait in TRAITS.items()]
        for name, tiers in self.powers.items():
            label, text = translate(tiers[0].name), POWER_TEXTS[tiers[0].power]
            box = forms.Select(attrs={"class": "form-select"})
            self.fields[name] = forms.ChoiceField(required=False, label=label, help_text=text, widget=box)
            texts = {row.tier: str(TIERS[row.tier]).format(die=row.die, points=row.points) for row in tiers}
            self._set_choices(name, {"": _("None"), **texts})
        if self.labels:
            self.fields["as_written"] = UnknownCodesField(self.labels)

    def _set_choices(self, name: str, choices: Mapping[str, Any]) -> None:
        """Set the choices of a field; one more keeps an unknown code of the profile."""
        unknown = {}
        if self.initial.get(name) == UNKNOWN:
            unknown = {UNKNOWN: _("Unknown: “{code}”").format(code=self._value_before(name))}
        self._choice_field(name).choices = [*choices.items(), *unknown.items()]

    def _choice_field(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def sections(self) -> list[LayoutObject]:
        return [
            Field("kind", template="systems/vsgmr/kinds.html"),
            PLOT,
            Field("armor", template="systems/vsgmr/armor.html"),
            Div(
                "commander",
                Div("large", css_class="of-kind for-cavalry"),
                "distance",
                "automatic_fire",
                css_class="pairs toggles",
            ),
            Fieldset(_("Traits and super powers"), HTML('{% include "builder/_picker.html" %}'), css_class="group"),
            *([Fieldset(None, "as_written", css_class="group")] if self.labels else []),
        ]

    def kind_options(self) -> list[tuple[Any, str]]:
        """The radio button of each kind, with the counter of a figure without equipment."""
        return [(choice, kind_counter(choice.data["value"])) for choice in self["kind"]]

    def armor_options(self) -> list[tuple[str, Any, Any]]:
        """The code of each armor with its labels for guys and for mounts: the style sheet shows those of the kind."""
        of_mounts = armor_labels("mounts")
        options = [(code, label, of_mounts[code]) for code, label in armor_labels("guys").items()]
        unknown = dict(cast(Any, self._choice_field("armor").choices)).get(UNKNOWN)
        return [*options, *([(UNKNOWN, unknown, unknown)] if unknown else [])]

    @property
    def picker(self) -> Picker:
        """Traits by group, then super powers."""
        selected, price = self["traits"].value() or [], f"+{TRAIT_POINTS}"
        groups: list[tuple[Any, list[Pick]]] = []
        for group, (legend, codes) in enumerate(TRAIT_GROUPS.items()):
            groups.append((legend, []))
            for code in codes:
                details = (self["support"],) if code == "support" else ()
                trait, place = TRAITS[code], len(groups[-1][1])
                texts = (code, translate(trait.name), price, trait.text)
                chosen = code in selected or any(field.errors for field in details)
                rank = MOST_USED.index(code) if code in MOST_USED else len(MOST_USED)
                more: dict[str, Any] = {"place": place, "rank": rank, "words": str(SEARCH_WORDS[code])}
                groups[-1][1].append(Pick("traits", *texts, group, chosen, details=details, **more))
        powers = [
            Pick("powers", tiers[0].power, str(self[name].label),
                 " · ".join(f"+{format_exact(row.points)}" for row in tiers), str(POWER_TEXTS[tiers[0].power]),
                 len(groups), bool(self[name].value() or self[name].errors), select=self[name], place=place,
                 rank=len(MOST_USED), words=str(SEARCH_WORDS[tiers[0].power]))
            for place, (name, tiers) in enumerate(self.powers.items())
        ]  # fmt: skip
        label = _("Search %(traits)s traits and %(powers)s super powers")
        counts = {"traits": len(TRAITS), "powers": len(powers)}
        return Picker(label % counts, [*groups, (_("Super powers"), powers)], self["traits"])

    # ------------------------------------------------------------ profile

    @cached_property
    def trait_selection(self) -> CodeSelection:
        return CodeSelection(self.profile_before.get("traits", []), TRAITS)

    @cached_property
    def powers(self) -> dict[str, list[SuperPower]]:
        """The tiers of each power of the rulebook, by the name of its field."""
        return powers_by_field()

    @cached_property
    def unknown_powers(self) -> dict[str, tuple[str, str]]:
        """Powers that are not in the rulebook, with their tiers, by the key of their checkbox."""
        powers = self.profile_before.get("powers", {})
        unknown = sorted(powers.keys() - {power for power, _tier in POWERS})
        return {f"power-{place}": (power, powers[power]) for place, power in enumerate(unknown)}

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of the checkboxes of unknown and duplicate codes."""
        text = _("“{power}”, “{tier}”: unknown super power")
        powers = {key: text.format(power=power, tier=tier) for key, (power, tier) in self.unknown_powers.items()}
        return self.trait_selection.labels(_trait_label) | powers

    def _value_before(self, name: str) -> Any:
        """The value of a field with choices in the profile."""
        if name in self.powers:
            return self.profile_before.get("powers", {}).get(self.powers[name][0].power)
        return self.profile_before.get(name)

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        tiers = {name: {row.tier for row in rows} for name, rows in self.powers.items()}
        known = {"kind": {*KINDS}, "armor": {*ARMOR_NAMES}, **tiers}
        values = {name: self._value_before(name) for name in known}
        return {
            **profile,
            **{
                name: "" if value is None else value if value in known[name] else UNKNOWN
                for name, value in values.items()
            },
            "traits": self.trait_selection.selected,
        }

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        flags = ("commander", "distance", "automatic_fire", "large")
        values = {
            name: self._value_before(name) if cleaned[name] == UNKNOWN else cleaned[name] or None
            for name in ("kind", "armor", *self.powers)
        }
        selected_keys = cleaned.get("as_written", [])
        tiers = {rows[0].power: values.pop(name) for name, rows in self.powers.items()}
        powers = {power: tier for power, tier in tiers.items() if tier is not None}
        return {
            **{name: True for name in flags if cleaned.get(name)},
            **values,
            "traits": self.trait_selection.changed(cleaned["traits"], selected_keys),
            "support": cleaned["support"] or None,
            "powers": powers | dict(pair for key, pair in self.unknown_powers.items() if key in selected_keys),
        }


def with_points(label: str, points: Amount) -> str:
    """A label with the points that it adds: "Hero +2"."""
    return _("{label} +{points}").format(label=translate(label), points=format_exact(points))


def armor_labels(whose: str) -> dict[str, str]:
    """The labels of no armor and of each armor, with their points for ``whose``: "guys" or "mounts"."""
    points = ARMOR_POINTS[whose]
    heavy = with_points(_("Heavy"), points["heavy"])
    if whose == "mounts":
        return {**dict.fromkeys(("", "light"), _("Light, free")), "heavy": heavy}  # the page shows one of both
    return {"": _("None"), "light": with_points(_("Light"), points["light"]), "heavy": heavy}


@cache  # 0.1 ms for each of eight kinds in a form
def kind_counter(kind: str) -> SafeString:
    """The counter of a figure of this kind as SVG; "" for an unknown kind."""
    if kind not in KINDS:
        return SafeString("")
    element = Element.model_validate({"name": "", "kind": kind})
    return mark_safe(svg(counter_of(element, RosterTerms(Options(), None, None))))


def _trait_label(slug: str) -> str:
    """The label of an unknown or duplicate trait."""
    trait = TRAITS.get(ALIASES.get(slug, slug))
    if trait is None:
        return _("“{code}”: unknown trait").format(code=slug)
    text = _("“{code}”: called {trait} in the rulebook") if slug in ALIASES else _("{trait}, duplicate")
    return text.format(code=slug, trait=translate(trait.name))


def powers_by_field() -> dict[str, list[SuperPower]]:
    """The tiers of each power, in the order of the rulebook, by the name of its form field."""
    fields: dict[str, list[SuperPower]] = {}
    for row in POWERS.values():
        fields.setdefault(row.power.replace("-", "_"), []).append(row)
    return fields
