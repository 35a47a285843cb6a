"""The form of a 6MM stand: its type first, then what that type has, then its alternate stands."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from crispy_forms.layout import HTML, Div, Fieldset, LayoutObject
from django import forms
from django.utils.choices import BaseChoiceIterator
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from rosters.core.amounts import with_minus_sign
from rosters.core.messages import translate
from rosters.core.values import LIMIT
from rosters.forms import element_form
from rosters.systems.six_mm.rules import GUNNED, LABELS, LONG_GUNS, MODERN, SOFT, signed
from rosters.systems.six_mm.tables import ARMOUR, GENERALS, GUNS, ORDNANCE, PURCHASES, QUALITY, TYPES

UNKNOWN = "unknown-code"
"""The form's value for a code that the rulebook does not have, because browsers may change unusual text."""
MAX_ALTERNATES = 12
"""Alternate stands that the form has fields for; a document may have more, which are not changed."""
COUNT, ADD, KEEP_REST = "alternates", "add-alternate", "keep-rest"
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


SELECTS = {
    "armour": Select(LABELS["armour"], ("TNK",), gettext_lazy("Choose one")),
    "general": Select(
        LABELS["general"],
        TYPES,
        gettext_lazy("No general"),
        gettext_lazy("Adds 1. Superior adds 1 to the initiative die, inferior deducts 1."),
    ),
    "gun": Select(LABELS["gun"], GUNNED, gettext_lazy("Choose one")),
    "transport": Select(LABELS["transport"], SOFT, gettext_lazy("Not set")),
    "ordnance": Select(
        LABELS["ordnance"],
        ("AIR",),
        gettext_lazy("Choose one"),
        gettext_lazy("What the aircraft carries, agreed before play."),
    ),
}
CHECKBOXES = {
    "elephant": Checkbox(gettext_lazy("Elephants (−1)"), ("PKE",)),
    "post_1906": Checkbox(gettext_lazy("After 1906 (+2)"), MODERN, gettext_lazy("Better weapons and motivation.")),
    "guided": Checkbox(
        gettext_lazy("Guided weapons (+1)"), MODERN, gettext_lazy("Missiles against tanks or aircraft.")
    ),
    "horse": Checkbox(LABELS["horse"], ("ART",), gettext_lazy("Moves 3 squares; range 1 less.")),
    "off_board": Checkbox(LABELS["off_board"], ("ART",), gettext_lazy("Guns above 100\xa0mm.")),
}
ORDER = ("armour", "quality", "general", "agreed", "gun", "transport", "ordnance", *CHECKBOXES)


class Choices(BaseChoiceIterator):
    """Choices that are pairs already: Django would normalize others twice for each field."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        self.pairs = [*pairs]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self.pairs)


def labels(key: str) -> dict[str, str]:
    """The labels of a select's codes, in the rulebook's order and the current language."""
    return _labels(key, get_language())


@cache
def _labels(key: str, language: str | None) -> dict[str, str]:
    if key == "armour":
        text = _("{armor} (strength {strength})")
        return {code: text.format(armor=translate(each.title), strength=each.value) for code, each in ARMOUR.items()}
    if key == "general":
        return {code: translate(each.title) for code, each in GENERALS.items()}
    if key == "transport":
        return {"soft": _("Soft motor vehicles (+1)"), "animal": _("Animals"), "none": _("None (−1)")}
    values = {
        "quality": [(code, each.title, each.value) for code, each in QUALITY.items()],
        "gun": [(code, each.title, each.factor) for code, each in GUNS.items()],
        "ordnance": [(code, each.title, each.value) for code, each in ORDNANCE.items()],
    }
    return {
        code: f"{translate(title)} ({signed(value)})" if value else translate(title)
        for code, title, value in values[key]
    }


def type_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """The types of stand for a select, the code with its name, in groups."""
    return [*_type_groups(get_language())]


@cache
def _type_groups(language: str | None) -> list[tuple[str, list[tuple[str, str]]]]:
    groups = {
        _("Foot"): ("INF/A", "INF/U", "WBD", "PKE", "ARC", "MSK"),
        _("Skirmishers"): ("SKI/F", "SKI/M", "SKI/S"),
        _("Mounted"): ("CAV/A", "CAV/U"),
        _("Artillery, tanks, aircraft"): ("ART", "TNK", "AIR"),
    }
    return [
        (name, [(code, f"{code} · {translate(TYPES[code].name)}") for code in codes]) for name, codes in groups.items()
    ]


def prefix_of(number: int) -> str:
    """The prefix of the names of a form's fields. Form 1 is the stand itself."""
    return f"form-{number}-" if number > 1 else ""


def initial_stats(stats: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The initial values of the fields of one form of a stand."""
    values = {**DEFAULTS, **stats}
    types = TYPES if number > 1 else {**TYPES, **PURCHASES}
    values["type"] = values["type"] if values["type"] in types else UNKNOWN
    values["quality"] = values["quality"] if values["quality"] in QUALITY else UNKNOWN
    keys = ("type", *ORDER, *(("quantity",) if number > 1 else ()))
    return {f"{prefix_of(number)}{key}": values.get(key) for key in keys}


class StandFields:
    """The fields of one form of a stand: which there are for its type, their layout, and their data."""

    def __init__(self, form: "ElementForm", number: int, before: Mapping[str, Any]) -> None:
        self.form, self.number, self.before = form, number, before
        self.prefix = prefix_of(number)
        if form.is_bound:
            self._add_missing(form.submitted)
        chosen = self._value("type")
        self.type = before.get("type", "") if chosen == UNKNOWN else chosen
        self.is_purchase = number == 1 and self.type in PURCHASES
        self.removed = number > 1 and bool(self._value("remove"))
        self.fields = {f"{self.prefix}{key}": field for key, field in self._fields()}

    def _initial(self, key: str) -> Any:
        return self.form.initial.get(f"{self.prefix}{key}", DEFAULTS.get(key))

    def _value(self, key: str) -> Any:
        """The submitted value of a field, else its initial one."""
        return self.form.data.get(f"{self.prefix}{key}") if self.form.is_bound else self._initial(key)

    def _add_missing(self, submitted: dict[str, Any]) -> None:
        """Give fields that the page did not have when it was sent their initial values."""
        checkboxes = CHECKBOXES if f"{self.prefix}quality" not in submitted else ()
        submitted |= {f"{self.prefix}{key}": "on" for key in checkboxes if self._initial(key)}
        selects = [key for key in ORDER if key not in CHECKBOXES]
        for key in ("type", *selects, *(("quantity",) if self.number > 1 else ())):
            value = self._initial(key)
            submitted.setdefault(f"{self.prefix}{key}", "" if value is None else str(value))

    def _current(self, key: str) -> list[Any]:
        """The values of a field in the profile and on the page, whether the type has them or not."""
        return [value for value in dict.fromkeys((self._initial(key), self._value(key))) if value]

    def fits(self, key: str) -> bool:
        """Whether this type has the field."""
        if key == "off_board" and self._value("gun") not in LONG_GUNS:
            return False
        field = SELECTS.get(key) or CHECKBOXES.get(key)
        return field is None or self.type in field.types

    # the fields

    def _fields(self) -> Iterator[tuple[str, forms.Field]]:
        yield "type", self._type_field()
        if self.is_purchase:
            return
        if self.number > 1:
            yield "quantity", forms.IntegerField(label=LABELS["quantity"], min_value=0, max_value=10_000)
        qualities = self._with_unknown(labels("quality").items(), "quality")
        yield "quality", forms.ChoiceField(label=LABELS["quality"], choices=qualities)
        yield "agreed", self._trait_field()
        for key in SELECTS:
            if self.fits(key) or self._current(key):
                yield key, self._select_field(key)
        for key, box in CHECKBOXES.items():
            if self.fits(key) or self._current(key):
                yield key, forms.BooleanField(required=False, label=box.label, help_text=box.text)
        if self.number > 1:
            label = _("Remove form {number}").format(number=self.number)
            yield "remove", forms.BooleanField(required=False, label=label)

    def _type_field(self) -> forms.Field:
        groups = type_groups()
        if self.number == 1:
            purchases = [(code, f"{code} · {translate(each.name)}") for code, each in PURCHASES.items()]
            groups.append((_("Without a stand"), purchases))
        field = forms.ChoiceField(label=LABELS["type"], choices=self._with_unknown(groups, "type"))
        field.widget.attrs["data-reload-on-change"] = "true"
        if self.type in TYPES:
            text = translate(TYPES[self.type].text)
            base = _("{text} Base strength {strength}.").format(text=text, strength=TYPES[self.type].strength)
            field.help_text = text if self.type == "TNK" else base
        elif self.is_purchase:
            field.help_text = translate(PURCHASES[self.type].text)
        return field

    def _with_unknown(self, choices: Any, key: str) -> Choices:
        if self._initial(key) != UNKNOWN:
            return Choices(choices)
        return Choices([*choices, (UNKNOWN, _("“{code}” (unknown)").format(code=self.before.get(key, "")))])

    def _trait_field(self) -> forms.Field:
        choices = {"0": _("None"), "1": "+1", "-1": "−1"}
        for value in self._current("agreed"):
            choices.setdefault(str(value), with_minus_sign(str(value)))
        text = "" if self.number > 1 else _("Historical strength or weakness that both players accept.")
        return forms.IntegerField(
            required=False,
            label=LABELS["agreed"],
            help_text=text,
            min_value=-LIMIT,
            max_value=LIMIT,
            widget=forms.Select(choices=[*choices.items()]),
        )

    def _select_field(self, key: str) -> forms.Field:
        select, names = SELECTS[key], labels(key)
        allowed = [code for code in names if not (self.type == "TNK" and code == "torsion")] if self.fits(key) else []
        if allowed and key == "transport" and self.type != "ART":
            allowed = ["soft"]
        surplus = [value for value in self._current(key) if value in names and value not in allowed]
        needed = allowed and not (key == "gun" and self.type == "TNK")
        misfit = _("{choice}, not for this type") if allowed else "{choice}"
        choices = [
            ("", select.empty if needed else _("None")),
            *((value, names[value]) for value in allowed),
            *((value, misfit.format(choice=names[value])) for value in surplus),
        ]
        text = "" if self.number > 1 else select.text
        field = forms.ChoiceField(required=False, label=select.label, help_text=text, choices=Choices(choices))
        if key == "gun" and self.type == "ART":
            field.widget.attrs["data-reload-on-change"] = "true"
        return field

    def layout(self) -> list[LayoutObject]:
        """The type, then the fields of the type, then fields with values that do not fit the type."""
        names = {key: f"{self.prefix}{key}" for key in ("type", "quantity", *ORDER, "remove")}
        if self.is_purchase:
            return [Div("type")]
        own = [key for key in ORDER if names[key] in self.fields]

        def grids(keys: list[str]) -> list[LayoutObject]:
            selects = [names[key] for key in keys if key not in CHECKBOXES]
            checkboxes = [names[key] for key in keys if key in CHECKBOXES]
            return [Div(*group, css_class="grid") for group in (selects, checkboxes) if group]

        parts = [Div(names["type"], names["quantity"], css_class="head") if self.number > 1 else Div("type")]
        parts += grids([key for key in own if self.fits(key)])
        inapplicable = grids([key for key in own if not self.fits(key)])
        if inapplicable:
            text = f'<p class="meta">{_("These stay in the roster, and in the rules check, until you clear them.")}</p>'
            parts.append(Fieldset(_("Not for this type"), HTML(text), *inapplicable, css_class="not-for-type"))
        return [*parts, names["remove"]] if self.number > 1 else parts

    def data(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """The stats as document data."""
        values = {name.removeprefix(self.prefix): cleaned[name] for name in self.fields}
        data = {key: value for key, value in values.items() if value not in (None, "", False)}
        data |= {key: self.before[key] for key in ("type", "quality") if data.get(key) == UNKNOWN}
        return data | ({"quantity": values["quantity"]} if self.number > 1 else {})


class ElementForm(element_form.ElementForm):
    """A stand with its alternates, or a purchase without a stand."""

    reloading_fields = ("type",)
    fields_depend_on_data = True
    default_profile = {"type": "INF/U", "quality": "average"}

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        alternates = profile.get("duplicates", [])[:MAX_ALTERNATES]
        initial: dict[str, Any] = {ADD: "", KEEP_REST: True, COUNT: len(alternates)}
        for number, stats in enumerate((profile, *alternates), 1):
            initial |= initial_stats(stats, number)
        return initial

    def adapt_fields(self) -> None:
        if self.is_bound:
            self.data = self.submitted = self._with_added({k: value for k, value in self.data.items() if value != []})
        duplicates = self.profile_before.get("duplicates", [])
        self.rest = duplicates[MAX_ALTERNATES:]
        before = [self.profile_before, *duplicates[:MAX_ALTERNATES]]
        numbers = range(1, int(self.current_value(COUNT)) + 2)
        self.first, *others = (StandFields(self, n, before[n - 1] if n <= len(before) else {}) for n in numbers)
        self.alternates = [] if self.first.is_purchase else others
        for stand in (self.first, *self.alternates):
            self.fields |= stand.fields
        if self.first.is_purchase:
            self.fields["quantity"].label = translate(PURCHASES[self.first.type].units)
        else:
            self._add_alternate_fields()

    def _with_added(self, submitted: dict[str, Any]) -> dict[str, Any]:
        """The submitted data, with the alternate stand that is to be added."""
        count = str(submitted.get(COUNT, ""))[:6]
        number = min(int(count), MAX_ALTERNATES) if count.isdecimal() else self.initial[COUNT]
        if COUNT not in submitted and self.initial[KEEP_REST]:
            submitted[KEEP_REST] = "on"
        if number < MAX_ALTERNATES and submitted.get(ADD) in TYPES:
            number += 1
            submitted[f"{prefix_of(number + 1)}type"] = submitted[ADD]
            submitted[ADD] = ""
        return submitted | {COUNT: str(number)}

    def _add_alternate_fields(self) -> None:
        self.fields[COUNT] = forms.IntegerField(widget=forms.HiddenInput)
        if len(self.alternates) < MAX_ALTERNATES:
            choices = Choices([("", _("Choose its type")), *type_groups()])
            self.fields[ADD] = forms.ChoiceField(required=False, label=_("Add an alternate stand"), choices=choices)
            self.fields[ADD].widget.attrs["data-reload-on-change"] = "true"
        if self.rest:
            n = len(self.rest)
            label = ngettext("Keep {n} more alternate stand", "Keep {n} more alternate stands", n).format(n=n)
            self.fields[KEEP_REST] = forms.BooleanField(required=False, label=label)

    def sections(self) -> list[LayoutObject]:
        no_script = _("After choosing a type, press “Show points” to see its own choices.")
        own = (*self.first.layout(), HTML(f'<p class="meta no-js">{no_script}</p>'))
        if self.first.is_purchase:
            return [Fieldset(_("Bought without a stand"), *own, css_class="group")]
        heading = _("Form {number}")
        text = _(
            "A stand that can be swapped in play (mounted, dismounted) costs the average of its forms. "
            "A form of several stands counts as their sum."
        )
        alternates = [
            Fieldset(heading.format(number=stand.number), *stand.layout(), css_class="alternate")
            for stand in self.alternates
        ]
        last = [name for name in (COUNT, ADD, KEEP_REST) if name in self.fields]
        introduction = HTML(f'<p class="meta">{text}</p>')
        return [
            Fieldset(heading.format(number=1) if alternates else _("Stand"), *own, css_class="group"),
            Fieldset(translate(LABELS["duplicates"]), introduction, *alternates, *last, css_class="group"),
        ]

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        duplicates = [stand.data(cleaned) for stand in self.alternates if not stand.removed]
        duplicates += self.rest if cleaned.get(KEEP_REST) else []
        return self.first.data(cleaned) | ({"duplicates": duplicates} if duplicates else {})

    def clean(self) -> dict[str, Any]:
        """Errors in an alternate stand that is removed do not matter."""
        for stand in self.alternates:
            for name in stand.fields if stand.removed else ():
                self.errors.pop(name, None)
        return super().clean()
