"""The form of a 6MM stand: its type first, then what that type has, then the other states that it can change into."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from crispy_forms.layout import HTML, Div, Fieldset, LayoutObject
from django import forms

from rosters.core.values import LIMIT
from rosters.forms import element_form
from rosters.systems.six_mm.rules import GUNNED, LONG_GUNS, MODERN, PURCHASES, SOFT
from rosters.systems.six_mm.tables import ARMOUR, GUNS, ORDNANCE, QUALITY, TYPES

AS_WRITTEN = "as-written"
"""Stands for a code that the rulebook does not know, so that odd text need not pass through a browser."""
MOST_STATES = 12
"""Other states that the form lays out; a document may hold more, which are kept as they are."""

KINDS = {
    "Foot": ("INF/A", "INF/U", "WBD", "PKE", "ARC", "MSK"),
    "Skirmishers": ("SKI/F", "SKI/M", "SKI/S"),
    "Mounted": ("CAV/A", "CAV/U"),
    "Artillery, tanks, aircraft": ("ART", "TNK", "AIR"),
}


class Purchase(NamedTuple):
    """How the form speaks of something that is bought without a stand."""

    name: str
    quantity: str
    text: str


BOUGHT = {
    "WORKS": Purchase("Field works", "Squares", "Entrenchments, which count as double cover. 2 points a square."),
    "TRANSPORT": Purchase(
        "Shared transport", "Transports", "A pool of soft motor vehicles for ART or foot. 1 point each."
    ),
}


class Choice(NamedTuple):
    """A select of one choice: its label, the types that have it, and what can be chosen, in the book's order."""

    label: str
    types: tuple[str, ...]
    names: Mapping[str, str]
    nothing: str
    text: str = ""


class Tick(NamedTuple):
    """A checkbox: its label and the types that have it."""

    label: str
    types: tuple[str, ...]
    text: str = ""


QUALITIES = {slug: slug.title() + (f" ({change:+})" if change else "") for slug, change in QUALITY.items()}
CHOICES = {
    "armour": Choice(
        "Armour",
        ("TNK",),
        {slug: f"{slug.capitalize()} (strength {base})" for slug, base in ARMOUR.items()},
        "Choose one",
    ),
    "general": Choice(
        "General",
        (*TYPES,),
        {"superior": "Superior", "competent": "Competent", "inferior": "Inferior"},
        "No general",
        "Adds 1. Superior has +1 on initiative, inferior −1.",
    ),
    "gun": Choice(
        "Gun",
        GUNNED,
        {slug: gun.name.capitalize() + (f" (+{gun.factor})" if gun.factor else "") for slug, gun in GUNS.items()},
        "Choose one",
    ),
    "transport": Choice(
        "Transport",
        SOFT,
        {"soft": "Soft motor vehicles (+1)", "animal": "Animals", "none": "None (−1)"},
        "Not set",
    ),
    "ordnance": Choice(
        "Ordnance",
        ("AIR",),
        {slug: f"{load.name.capitalize()} (+{load.points})" for slug, load in ORDNANCE.items()},
        "Choose one",
        "What it carries, agreed before play.",
    ),
}
TICKS = {
    "elephant": Tick("Elephants (−1)", ("PKE",)),
    "post_1906": Tick("After 1906 (+2)", MODERN, "Better weapons and motivation."),
    "guided": Tick("Guided weapons (+1)", MODERN, "Missiles against tanks or aircraft."),
    "horse": Tick("Horse artillery", ("ART",), "Moves 3 squares; range 1 less."),
    "off_board": Tick("Fires from off the board", ("ART",), "Guns above 100 mm."),
}
SELECTS = ("armour", "quality", "general", "agreed", "gun", "transport", "ordnance")
DEFAULTS = {"quality": "average", "agreed": 0, "quantity": 1}
"""What a key that a profile does not hold says in the form."""

INTRODUCTION = """<p class="meta">For a stand that another replaces during play: skirmishers and their half-track,
or muskets that open out into two SKI/F. Its price is the plain average of all its states;
where one state is several stands, their sum is that state.</p>"""
NO_SCRIPT = '<p class="meta no-js">After choosing a type, press “Show points” to get its own choices.</p>'
MISFITS = '<p class="meta">These are kept, and reported, until you clear them.</p>'
COUNTED = "states"
ADDED, REST = "add-state", "keep-rest"


def prefix_of(number: int) -> str:
    """What the names of a state's fields begin with. State 1 is the profile itself."""
    return f"state-{number}-" if number > 1 else ""


def shown_code(code: str, known: Collection[str]) -> str:
    return code if code in known else AS_WRITTEN


def shown_state(stats: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the fields of a state show for it."""
    shown = {**DEFAULTS, **stats}
    shown["type"] = shown_code(stats["type"], TYPES if number > 1 else (*TYPES, *PURCHASES))
    shown["quality"] = shown_code(shown["quality"], QUALITY)
    keys = ("type", *SELECTS, *TICKS, *(("quantity",) if number > 1 else ()))
    return {f"{prefix_of(number)}{key}": shown.get(key) for key in keys}


class State:
    """The fields of one state: which there are for its type, how they are laid out, and what they say."""

    def __init__(self, form: "ElementForm", number: int, before: Mapping[str, Any]) -> None:
        self.form, self.number, self.before = form, number, before
        self.prefix = prefix_of(number)
        self._complete()
        self.type = self._now("type")
        self.type = before.get("type", "") if self.type == AS_WRITTEN else self.type
        self.fields = {f"{self.prefix}{key}": field for key, field in self._fields()}

    @property
    def removed(self) -> bool:
        return self.number > 1 and bool(self._now("remove"))

    @property
    def bought(self) -> bool:
        return self.number == 1 and self.type in PURCHASES

    # what is known of it now

    def _initial(self, key: str) -> Any:
        return self.form.initial.get(f"{self.prefix}{key}", DEFAULTS.get(key))

    def _now(self, key: str) -> Any:
        if self.form.is_bound:
            return self.form.data.get(f"{self.prefix}{key}")
        return self._initial(key)

    def _complete(self) -> None:
        """Fields that the page did not have when it was sent say what they would begin with."""
        if not self.form.is_bound:
            return
        sent = self.form.sent
        ticks = TICKS if f"{self.prefix}quality" not in sent else ()
        sent |= {f"{self.prefix}{key}": "on" for key in ticks if self._initial(key)}
        for key in ("type", *SELECTS, *(("quantity",) if self.number > 1 else ())):
            value = self._initial(key)
            sent.setdefault(f"{self.prefix}{key}", "" if value is None else str(value))

    def _held(self, key: str) -> list[Any]:
        """Values of a choice that the page or the profile holds, whether its type has them or not."""
        return [value for value in dict.fromkeys((self._initial(key), self._now(key))) if value]

    def fits(self, key: str) -> bool:
        """Whether this type has the choice at all."""
        if key == "off_board" and self._now("gun") not in LONG_GUNS:
            return False
        kind = CHOICES.get(key) or TICKS.get(key)
        return kind is None or self.type in kind.types

    # the fields

    def _fields(self) -> Iterator[tuple[str, forms.Field]]:
        yield "type", self._type_field()
        if self.bought:
            return
        if self.number > 1:
            yield "quantity", forms.IntegerField(label="Stands", min_value=0, max_value=10_000)
        qualities = self._with_unknown(QUALITIES.items(), "quality")
        yield "quality", forms.ChoiceField(label="Quality", choices=qualities)
        yield "agreed", self._agreed_field()
        for key in CHOICES:
            if self.fits(key) or self._held(key):
                yield key, self._choice_field(key)
        for key, tick in TICKS.items():
            if self.fits(key) or self._held(key):
                yield key, forms.BooleanField(required=False, label=tick.label, help_text=tick.text)
        if self.number > 1:
            yield "remove", forms.BooleanField(required=False, label=f"Remove state {self.number}")

    def _type_field(self) -> forms.Field:
        groups = type_groups()
        if self.number == 1:
            groups += [("Without a stand", [(code, f"{code} · {bought.name}") for code, bought in BOUGHT.items()])]
        field = forms.ChoiceField(label="Type", choices=self._with_unknown(groups, "type"))
        field.widget.attrs["data-reshapes"] = "true"
        if self.type in TYPES:
            strength = "" if self.type == "TNK" else f" Base strength {TYPES[self.type].strength}."
            field.help_text = TYPES[self.type].text + strength
        elif self.bought:
            field.help_text = BOUGHT[self.type].text
        return field

    def _with_unknown(self, choices: Any, key: str) -> list[Any]:
        if self._initial(key) != AS_WRITTEN:
            return [*choices]
        return [*choices, (AS_WRITTEN, f"“{self.before.get(key, '')}”, as written")]

    def _agreed_field(self) -> forms.Field:
        usual = {"0": "None", "1": "+1", "-1": "−1"}
        held = {str(value): f"{value}, as written" for value in self._held("agreed") if str(value) not in usual}
        return forms.IntegerField(
            required=False,
            label="Agreed peculiarity",
            help_text="" if self.number > 1 else "A trait from history that both players accept.",
            min_value=-LIMIT,
            max_value=LIMIT,
            widget=forms.Select(choices=[*(usual | held).items()]),
        )

    def _choice_field(self, key: str) -> forms.Field:
        choice = CHOICES[key]
        allowed = self._allowed(key) if self.fits(key) else []
        surplus = [value for value in self._held(key) if value in choice.names and value not in allowed]
        needed = allowed and not (key == "gun" and self.type == "TNK")
        choices = [("", choice.nothing if needed else "None")]
        choices += [(value, choice.names[value]) for value in allowed]
        but = ", not for this type" if allowed else ""
        choices += [(value, f"{choice.names[value]}{but}") for value in surplus]
        text = "" if self.number > 1 else choice.text
        field = forms.ChoiceField(required=False, label=choice.label, help_text=text, choices=choices)
        if key == "gun" and self.type == "ART":
            field.widget.attrs["data-reshapes"] = "true"
        return field

    def _allowed(self, key: str) -> list[str]:
        names = [*CHOICES[key].names]
        if key == "transport" and self.type != "ART":
            return ["soft"]
        return names[1:] if key == "gun" and self.type == "TNK" else names

    # their layout

    def layout(self) -> list[LayoutObject]:
        """The type, then what it has, then what is held although it does not fit."""
        if self.bought:
            return [Div("type")]
        own = [key for key in (*SELECTS, *TICKS) if f"{self.prefix}{key}" in self.fields]
        head = Div(*self._names(["type", "quantity"]), css_class="head") if self.number > 1 else Div("type")
        parts = [head, *self._grids([key for key in own if self.fits(key)])]
        misfits = self._grids([key for key in own if not self.fits(key)])
        if misfits:
            parts.append(Fieldset("Not for this type", HTML(MISFITS), *misfits, css_class="misfits"))
        return [*parts, *self._names(["remove"] if self.number > 1 else [])]

    def _names(self, keys: list[str]) -> list[str]:
        return [f"{self.prefix}{key}" for key in keys]

    def _grids(self, keys: list[str]) -> list[LayoutObject]:
        selects = self._names([key for key in keys if key not in TICKS])
        ticks = self._names([key for key in keys if key in TICKS])
        return [Div(*names, css_class="grid") for names in (selects, ticks) if names]

    # what they say

    def data(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """The state as document data."""
        keys = {name.removeprefix(self.prefix): name for name in self.fields}
        said = {key: cleaned[name] for key, name in keys.items() if cleaned[name] not in (None, "", False)}
        for key in ("type", "quality"):
            if said.get(key) == AS_WRITTEN:
                said[key] = self.before[key]
        if self.number > 1:
            said["quantity"] = cleaned[f"{self.prefix}quantity"]
        return said


def type_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """Types of stand for a select: the code with its plain name, in groups."""
    return [(group, [(code, f"{code} · {TYPES[code].name}") for code in codes]) for group, codes in KINDS.items()]


class ElementForm(element_form.ElementForm):
    """A stand with its other states, or a purchase without a stand."""

    reshaping = ("type",)
    starting = {"type": "INF/U", "quality": "average"}

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        shown = {ADDED: "", REST: True, COUNTED: len(profile.get("duplicates", [])[:MOST_STATES])}
        for number, stats in enumerate((profile, *profile.get("duplicates", [])[:MOST_STATES]), 1):
            shown |= shown_state(stats, number)
        return shown

    def shape(self) -> None:
        if self.is_bound:
            self.data = self.sent = self._with_added({name: value for name, value in self.data.items() if value != []})
        duplicates = self.profile_before.get("duplicates", [])
        self.rest = duplicates[MOST_STATES:]
        before = [self.profile_before, *duplicates[:MOST_STATES]]
        numbers = range(1, int(self.chosen(COUNTED)) + 2)
        first, *others = (State(self, n, before[n - 1] if n <= len(before) else {}) for n in numbers)
        self.first, self.others = first, [] if first.bought else others
        for state in (first, *self.others):
            self.fields |= state.fields
        if first.bought:
            self.fields["quantity"].label = BOUGHT[first.type].quantity
        else:
            self._add_state_fields()

    def _with_added(self, sent: dict[str, Any]) -> dict[str, Any]:
        """What was sent, with the state that was asked for."""
        count = str(sent.get(COUNTED, ""))[:6]
        number = min(int(count), MOST_STATES) if count.isdecimal() else self.initial[COUNTED]
        if COUNTED not in sent and self.initial[REST]:
            sent[REST] = "on"
        if number < MOST_STATES and sent.get(ADDED) in TYPES:
            number += 1
            sent[f"{prefix_of(number + 1)}type"] = sent[ADDED]
            sent[ADDED] = ""
        return sent | {COUNTED: str(number)}

    def _add_state_fields(self) -> None:
        self.fields[COUNTED] = forms.IntegerField(widget=forms.HiddenInput)
        if len(self.others) < MOST_STATES:
            add = forms.ChoiceField(
                required=False, label="Add a state", choices=[("", "Choose its type"), *type_groups()]
            )
            add.widget.attrs["data-reshapes"] = "true"
            self.fields[ADDED] = add
        if self.rest:
            label = f"Keep {len(self.rest)} more states as they are written"
            self.fields[REST] = forms.BooleanField(required=False, label=label)

    def sections(self) -> list[LayoutObject]:
        if self.first.bought:
            return [Fieldset("Bought without a stand", *self.first.layout(), HTML(NO_SCRIPT), css_class="group")]
        stand = Fieldset(
            "State 1" if self.others else "Stand", *self.first.layout(), HTML(NO_SCRIPT), css_class="group"
        )
        states = [Fieldset(f"State {s.number}", *s.layout(), css_class="state") for s in self.others]
        last = [name for name in (COUNTED, ADDED, REST) if name in self.fields]
        return [stand, Fieldset("Other states", HTML(INTRODUCTION), *states, *last, css_class="group")]

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        states = [state.data(cleaned) for state in self.others if not state.removed]
        rest = self.rest if cleaned.get(REST) else []
        return self.first.data(cleaned) | ({"duplicates": [*states, *rest]} if states or rest else {})

    def clean(self) -> dict[str, Any]:
        """What is wrong with a state that is removed does not matter."""
        for state in self.others:
            for name in state.fields if state.removed else ():
                self.errors.pop(name, None)
        return super().clean()

    def kept_keys(self) -> tuple[str, ...]:
        """A purchase keeps no marks: it has no stand to take losses."""
        return ("id",) if self.first.bought else super().kept_keys()
