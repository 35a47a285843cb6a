"""The form of a 6MM stand: the fields of all types, of which the style sheet shows those of the chosen one."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self, cast

from crispy_forms.layout import HTML, Div, Field, Fieldset, LayoutObject
from django import forms
from django.utils.choices import BaseChoiceIterator
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rosters.core.amounts import with_minus_sign
from rosters.core.documents import LIMITS
from rosters.core.messages import join, translate
from rosters.core.rulebook import count_points
from rosters.core.values import MAX_INTEGER
from rosters.forms import element_form
from rosters.systems.six_mm.rules import GUNNED, LABELS, MODERN, SOFT, describe_stats, signed, times
from rosters.systems.six_mm.tables import (
    ARMOUR,
    GENERALS,
    GUNS,
    OPTION_POINTS,
    ORDNANCE,
    PURCHASES,
    QUALITY,
    TRANSPORT_POINTS,
    TYPES,
)

UNKNOWN = "unknown-code"
"""The form's value for a code that the rulebook does not have, because browsers may change unusual text."""
MAX_ALTERNATES = LIMITS["duplicates"].per_element or 0
"""Alternate stands that the form has fields for; an older document may have more, which are not changed."""
KEEP_REST = "keep-rest"
DEFAULTS = {"quality": "average", "agreed": 0, "quantity": 1}
"""The values of keys that a profile leaves out."""


class Select(NamedTuple):
    """A select: its label, the types that have it, the label of no choice, its help text. Labels are lazy texts."""

    label: Any
    types: Collection[str]
    empty: Any
    text: Any = ""


class Checkbox(NamedTuple):
    """A checkbox: its label, the types that have it, its help text. Labels are lazy texts."""

    label: Any
    types: Collection[str]
    text: Any = ""


SELECTS: Mapping[str, Select] = {
    "armour": Select(LABELS["armour"], ("TNK",), gettext_lazy("Choose one")),
    "gun": Select(LABELS["gun"], GUNNED, gettext_lazy("No gun")),
    "ordnance": Select(
        LABELS["ordnance"], ("AIR",), gettext_lazy("Choose one"), gettext_lazy("Players agree on it before play.")
    ),
    "general": Select(
        LABELS["general"],
        TYPES,
        gettext_lazy("No general"),
        gettext_lazy("Superior adds 1 to the initiative die, inferior deducts 1."),
    ),
    "transport": Select(LABELS["transport"], SOFT, gettext_lazy("No vehicles")),
}
CHECKBOXES: Mapping[str, Checkbox] = {
    "elephant": Checkbox(LABELS["elephant"], ("PKE",)),
    "post_1906": Checkbox(LABELS["post_1906"], MODERN, gettext_lazy("Better weapons and motivation.")),
    "guided": Checkbox(LABELS["guided"], MODERN, gettext_lazy("Missiles against tanks or aircraft.")),
    "horse": Checkbox(LABELS["horse"], ("ART",), gettext_lazy("Moves 3 squares; range 1 less.")),
    "off_board": Checkbox(LABELS["off_board"], ("ART",), gettext_lazy("Guns above 100\xa0mm.")),
}
TRANSPORT_TITLES = {
    "soft": gettext_lazy("Soft motor vehicles"),
    "animal": gettext_lazy("Animals, artillery only"),
    "none": gettext_lazy("By hand, artillery only"),
}
KEYS = ("type", "quality", "agreed", *SELECTS, *CHECKBOXES)
"""The keys of a stand, each with a field."""


class Choices(BaseChoiceIterator):
    """Choices that are pairs already: Django would normalize others twice for each field."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        self.pairs = [*pairs]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.pairs)


def labels(key: str) -> dict[str, str]:
    """The labels of a select's codes, in the rulebook's order and the current language."""
    values: dict[str, list[tuple[str, Any, int]]] = {
        "armour": [(code, each.title, each.value) for code, each in ARMOUR.items()],
        "quality": [(code, each.title, each.value) for code, each in QUALITY.items()],
        "gun": [(code, each.title, each.factor) for code, each in GUNS.items()],
        "ordnance": [(code, each.title, each.value) for code, each in ORDNANCE.items()],
        "transport": [(code, TRANSPORT_TITLES[code], points) for code, points in TRANSPORT_POINTS.items()],
    }
    if key == "general":  # its price is no modifier of the die
        price = translate(count_points(OPTION_POINTS["general"]))
        return {code: f"{translate(each.title)} (+{price})" for code, each in GENERALS.items()}
    return {code: with_points(title, points) for code, title, points in values[key]}


def with_points(title: str, points: int) -> str:
    """A title with what it adds to the price, if anything: "Elite (+3)"."""
    return f"{translate(title)} ({signed(points)})" if points else translate(title)


def type_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """The types of stand for a select, the name with its code, in groups."""
    groups = {
        _("Foot"): ("INF/A", "INF/U", "WBD", "PKE", "ARC", "MSK"),
        _("Skirmishers"): ("SKI/F", "SKI/M", "SKI/S"),
        _("Mounted"): ("CAV/A", "CAV/U"),
        _("Artillery, tanks, aircraft"): ("ART", "TNK", "AIR"),
    }
    return [
        (name, [(code, f"{translate(TYPES[code].name)} ({code})") for code in codes]) for name, codes in groups.items()
    ]


def prefix_of(number: int) -> str:
    """The prefix of the names of a form's fields. Form 1 is the stand itself."""
    return f"form-{number}-" if number > 1 else ""


def initial_stats(stats: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The initial values of the fields of one form of a stand; without stats, those of an alternate to be added."""
    values = {**DEFAULTS, **stats}
    types = TYPES if number > 1 else {**TYPES, **PURCHASES}
    if stats:
        values["type"] = values["type"] if values["type"] in types else UNKNOWN
        values["quality"] = values["quality"] if values["quality"] in QUALITY else UNKNOWN
    return {f"{prefix_of(number)}{key}": values.get(key) for key in (*KEYS, *(("quantity",) if number > 1 else ()))}


def stand_fields(number: int, stats: Mapping[str, Any]) -> dict[str, forms.Field]:
    """The fields of one form of a stand that is ``stats`` in the roster; of an alternate to be added without stats."""
    initial, prefix = initial_stats(stats, number), prefix_of(number)

    def choices(key: str, known: Iterable[tuple[Any, Any]]) -> Choices:
        others = [(UNKNOWN, _("“{code}” (unknown)").format(code=stats.get(key, "")))]
        return Choices([*known, *(others if initial[f"{prefix}{key}"] == UNKNOWN else ())])

    fields: dict[str, forms.Field] = {"type": _type_field(number, choices)}
    if number > 1:
        fields["quantity"] = element_form.WholeNumberField(label=LABELS["quantity"], maximum=10_000)
    qualities = choices("quality", labels("quality").items())
    fields["quality"] = forms.ChoiceField(label=LABELS["quality"], choices=qualities, widget=forms.RadioSelect)
    fields["agreed"] = _trait_field(number, stats.get("agreed", 0))
    for key, select in SELECTS.items():
        fields[key] = forms.ChoiceField(
            required=False,
            label=select.label,
            help_text="" if number > 1 else select.text,
            choices=Choices([("", select.empty), *labels(key).items()]),
        )
    for key, box in CHECKBOXES.items():
        label = with_points(box.label, OPTION_POINTS.get(key, 0))
        fields[key] = forms.BooleanField(required=False, label=label, help_text=box.text)
    return {f"{prefix}{key}": field for key, field in fields.items()}


def _type_field(number: int, choices: Any) -> forms.Field:
    groups: list[tuple[Any, Any]] = type_groups()
    if number > 1:
        groups.insert(0, ("", _("None")))
        return forms.ChoiceField(required=False, label=LABELS["type"], choices=choices("type", groups))
    purchases = [(code, translate(each.name)) for code, each in PURCHASES.items()]
    field = forms.ChoiceField(
        label=LABELS["type"], choices=choices("type", [*groups, (_("Without a stand"), purchases)])
    )
    base = _("{text} Base strength {strength}.")
    texts = {code: translate(each.text) for code, each in TYPES.items()}
    texts |= {code: translate(each.text) for code, each in PURCHASES.items()}
    strengths = {code: each.strength for code, each in TYPES.items() if code != "TNK"}
    texts |= {code: base.format(text=texts[code], strength=strength) for code, strength in strengths.items()}
    notes = ((css_class([code]), text) for code, text in texts.items())
    field.help_text = format_html_join("", '<span class="{}">{}</span>', notes)
    return field


def _trait_field(number: int, value: int) -> forms.Field:
    choices = {"0": _("None"), "1": "+1", "-1": "−1"}
    choices.setdefault(str(value), with_minus_sign(str(value)))
    text = "" if number > 1 else _("Historical strength or weakness that both players accept.")
    return forms.IntegerField(
        required=False,
        label=gettext_lazy("Special trait"),
        help_text=text,
        min_value=-MAX_INTEGER,
        max_value=MAX_INTEGER,
        widget=forms.Select(choices=[*choices.items()]),
    )


def css_class(types: Iterable[str]) -> str:
    """The class of what the style sheet shows for these types alone, or while it has a value."""
    return " ".join(("of-type", *(f"for-{code.lower().replace('/', '')}" for code in types)))


def stand_layout(number: int) -> Iterator[LayoutObject]:
    """The type and the fields that it may have; those that the type needs stand beside it."""

    def parts(keys: Iterable[str]) -> Iterator[LayoutObject]:
        for key in keys:
            field: Select | Checkbox | None = SELECTS.get(key) or CHECKBOXES.get(key)
            types = css_class(field.types) if field and field.types is not TYPES else ""
            name = f"{prefix_of(number)}{key}"
            yield Div(name, css_class=f"{types} of-{key}") if types else name

    counted = [Div(f"{prefix_of(number)}quantity", css_class="of-quantity")] if number > 1 else []
    needed = parts(("armour", "gun", "ordnance"))
    yield Div(Div(f"{prefix_of(number)}type", css_class="type"), *counted, *needed, css_class="grid")
    yield Div(
        Field(f"{prefix_of(number)}quality", template="builder/_segments.html"),
        Div(*parts(("general", "agreed", "transport")), css_class="grid"),
        Div(*parts(CHECKBOXES), css_class="grid"),
        css_class="of-stands",
    )


class ElementForm(element_form.ElementForm):
    """A stand with its alternates, of which the last one is empty, or a purchase without a stand."""

    default_profile = {"type": "INF/U", "quality": "average"}
    leading = "general"
    finding_fields = {
        **{"unknown-type": "type", "post-1906-only-skirmishers": "post_1906", "elephant-only-pikes": "elephant"},
        **dict.fromkeys(("unknown-quality", "raised-to-minimum", "cut-to-maximum"), "quality"),
        **dict.fromkeys(("agreed-range", "needs-agreement"), "agreed"),
        **dict.fromkeys(("tank-needs-armour", "armour-only-tnk"), "armour"),
        **dict.fromkeys(("gun-only-art-tnk", "art-needs-gun", "torsion-only-art"), "gun"),
        **dict.fromkeys(("ordnance-only-air", "ordnance-not-set"), "ordnance"),
        **dict.fromkeys(("soft-transport-not-allowed", "transport-state-only-art", "two-transports"), "transport"),
        **{"guided-only-skirmishers": "guided", "off-board-needs-heavy-gun": "off_board"},
    }

    @cached_property
    def forms_before(self) -> list[Mapping[str, Any]]:
        """The stats of the stand and of the alternates that have fields, as they are in the roster."""
        return [self.profile_before, *self.profile_before.get("duplicates", [])[:MAX_ALTERNATES]]

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        initial: dict[str, Any] = {KEEP_REST: True}
        for number in range(1, MAX_ALTERNATES + 2):
            initial |= initial_stats(self._stats_before(number), number)
        return initial

    def adapt_fields(self) -> None:
        self.rest = self.profile_before.get("duplicates", [])[MAX_ALTERNATES:]
        for number in self.numbers:
            self.fields |= stand_fields(number, self._stats_before(number))
        if self.is_bound:  # the page that was sent had no empty form after the last one
            self.data = data = cast(Any, self.data).copy()
            for key in ("quality", "quantity"):
                data.setdefault(f"{prefix_of(max(self.numbers))}{key}", str(DEFAULTS[key]))
        if self.rest:
            n = len(self.rest)
            label = ngettext("Keep {n} more alternate stand", "Keep {n} more alternate stands", n).format(n=n)
            self.fields[KEEP_REST] = forms.BooleanField(required=False, label=label)

    def with_data(self, data: Any, element: Any) -> Self:
        form = super().with_data(data, element)
        added = (number for number in form.numbers if number > len(self.forms_before) + 1)
        form.fields = {**self.fields, **{k: v for number in added for k, v in stand_fields(number, {}).items()}}
        return form

    @property
    def numbers(self) -> Iterable[int]:
        """The numbers of the forms: those of the roster, those that were sent, and an empty one."""
        numbers = range(len(self.forms_before) + 1, MAX_ALTERNATES + 2)
        sent = [number for number in numbers if self.is_bound and self.data.get(f"{prefix_of(number)}type")]
        return range(1, min(max(sent, default=len(self.forms_before)) + 1, MAX_ALTERNATES + 1) + 1)

    def _stats_before(self, number: int) -> Mapping[str, Any]:
        return self.forms_before[number - 1] if number <= len(self.forms_before) else {}

    def sections(self) -> list[LayoutObject]:
        text = _(
            "A stand that can be swapped in play (mounted, dismounted) costs the average of all its versions. "
            "An alternate of several stands counts as their sum."
        )
        alternates = [
            Fieldset(_("Alternate stand {number}").format(number=n - 1), *stand_layout(n), css_class="stand alternate")
            for n in self.numbers
            if n > 1
        ]
        opened = " open" if any(name.startswith("form-") for name in self.errors) else ""
        bought = '<span class="percent" id="alternates">{{ form.live_parts.alternates }}</span>'
        summary = f"<details{opened}><summary>{translate(LABELS['duplicates'])} {bought}</summary>"
        introduction = HTML(f'{summary}<p class="form-text">{text}</p>')
        rest = [KEEP_REST] if self.rest else []
        others = Div(*alternates, data_most=MAX_ALTERNATES + 1)
        return [
            Fieldset(_("Stand"), *stand_layout(1), css_class="group stand first"),
            Div(introduction, others, *rest, HTML("</details>"), css_class="group alternates"),
        ]

    def live_parts(self) -> dict[str, SafeString]:
        """The alternate stands, whose fields are folded."""
        texts = (times(each.quantity, describe_stats(each)) for each in cast(Any, self.preview_element).duplicates)
        return {"alternates": conditional_escape(translate(join(texts, " / ")))}

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        if cleaned["type"] in PURCHASES:
            return {"type": cleaned["type"]}
        first, *duplicates = (self._stats(cleaned, number) for number in self.numbers if self._is_used(number))
        duplicates += self.rest if cleaned.get(KEEP_REST) else []
        return first | ({"duplicates": duplicates} if duplicates else {})

    def _is_used(self, number: int) -> bool:
        """Whether the fields of a form count: those of a purchase and of an alternate without a type do not."""
        return self.data.get("type") not in PURCHASES and bool(self.data.get(f"{prefix_of(number)}type"))

    def _stats(self, cleaned: Mapping[str, Any], number: int) -> dict[str, Any]:
        """The stats of one form as document data."""
        values = {key: cleaned[f"{prefix_of(number)}{key}"] for key in KEYS}
        data = {key: value for key, value in values.items() if value not in (None, "", False)}
        data |= {key: self._stats_before(number)[key] for key in ("type", "quality") if data.get(key) == UNKNOWN}
        return data | ({"quantity": cleaned[f"{prefix_of(number)}quantity"]} if number > 1 else {})

    def clean(self) -> dict[str, Any]:
        """Errors in fields that the page does not show do not matter."""
        for number in self.numbers:
            keys = KEYS[1:] if number == 1 else (*KEYS, "quantity")
            for key in () if self._is_used(number) else keys:
                self.errors.pop(f"{prefix_of(number)}{key}", None)
        return super().clean()
