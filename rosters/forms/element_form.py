"""The base class of all systems' element forms, its fields for numbers, and pydantic errors as form errors."""

import copy
import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, cast

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout, LayoutObject
from django import forms
from django.forms.boundfield import BoundField
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from rosters.core.amounts import format_amount, format_change, with_minus_sign
from rosters.core.appraisals import Rulebook
from rosters.core.cache import MemoryCache
from rosters.core.documents import Element, error_message, profile_key, profile_of, write_element
from rosters.core.messages import translate
from rosters.core.rulebook import Terms
from rosters.core.suggestions import StatStep, StatValues, next_steps
from rosters.core.values import MAX_INTEGER
from rosters.forms.conflicts import submitted_values

PLOT_PLACE = "<!-- plot -->"
"""Stands in the fields of a form where the page puts the plot of the element, which it replaces on its own."""
PLOT = HTML(PLOT_PLACE)


def error_messages(error: ValidationError) -> list[tuple[str, str]]:
    """Each error as (field name, message)."""
    lines = error.errors(include_url=False)
    return [(str(line["loc"][0]) if line["loc"] else "", error_message(line)) for line in lines]


class WholeNumberField(forms.IntegerField):
    """A whole number in the range of the rules, or the ``stored`` one, so that a saved element stays valid.

    Arrow keys and errors go by multiples of ``step``; any number can be typed.
    """

    stored: int | None = None

    def __init__(self, *, minimum: int = 0, maximum: int = MAX_INTEGER, step: int = 1, **kwargs: Any) -> None:
        self.minimum, self.maximum, self.step = minimum, maximum, step
        limits = {"min": minimum} if maximum == MAX_INTEGER else {"min": minimum, "max": maximum}
        attrs = {**limits, "step": step, "inputmode": "numeric", "class": "form-control"}
        empty = _("Enter a whole number.") if minimum > 0 else _("Enter a whole number, 0 for none.")
        kwargs.setdefault("error_messages", {"required": empty})
        super().__init__(widget=forms.NumberInput(attrs=attrs), **kwargs)

    def to_python(self, value: Any) -> int | None:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            raise forms.ValidationError(self._whole_numbers(str(value)), code="invalid") from None

    def _whole_numbers(self, text: str) -> str:
        try:
            low = math.floor(float(text.replace(",", ".")) / self.step) * self.step
        except (ValueError, OverflowError):
            low = -1
        if self.minimum <= low < self.maximum:
            return gettext("Enter a whole number, such as %(low)s or %(high)s.") % {"low": low, "high": low + self.step}
        if self.maximum < MAX_INTEGER:
            limits = {"least": self.minimum, "most": f"{self.maximum:,}"}
            return gettext("Enter a whole number from %(least)s to %(most)s.") % limits
        return gettext("Enter a whole number, such as %(number)s.") % {"number": self.minimum + 1}

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is None or value == self.stored or self.minimum <= value <= self.maximum:
            return
        limits = {"least": self.minimum, "most": f"{self.maximum:,}"}
        if value > self.maximum or self.maximum < MAX_INTEGER:
            raise forms.ValidationError(gettext("Enter a number from %(least)s to %(most)s.") % limits)
        raise forms.ValidationError(gettext("Enter %(least)s or more.") % limits)


class StepButton(NamedTuple):
    """A button that sets a stat to its next value: as the form sends it, what it changes of the price, its name."""

    value: str
    change: str
    label: str


class StatCell(NamedTuple):
    """A stat with its field and the buttons of both steps."""

    field: BoundField
    buttons: tuple[StepButton | None, ...]
    values: str
    """The values of a choice, the cheapest first, with commas; "" for numbers."""


def _codes(values: StatValues) -> str:
    if isinstance(values, range):
        return ""
    return ",".join("" if value is None else str(value) for value in values)


def _text(label: Any) -> str:
    """A label, a message of the rules or a lazy text of Django, in the current language."""
    return translate(label) if isinstance(label, str) else str(label)


StepButtons = dict[str, tuple[StepButton | None, ...]]
_step_buttons = MemoryCache[tuple[Any, ...], StepButtons](4 << 20)
"""The step buttons of profiles under terms: names, numbers and notes are typed without changing them. 0.8 ms of a live
receipt in Mini Combat.
"""
STEP_BUTTONS_BYTES = 8192
"""The buttons of a form and their key with a profile's objects, estimated from above."""

COMMON = ("name", "quantity", "notes", "secret")
"""The fields of every element; all others belong to its profile."""


class ElementForm(forms.Form):
    """The form of one element. Each system has a subclass.

    A subclass declares fields named as those of the profile and overrides `sections`; if a field is not simply a key
    of the profile, also `initial_of` and `profile_data`. Fields depend on the element alone, not on what is sent: what
    does not fit a choice is hidden by the style sheet.
    """

    default_profile: ClassVar[dict[str, Any]] = {}
    """The profile of a new element, as document data."""
    starts: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Profiles of the rulebook that a new element may begin with, by name."""
    leading: ClassVar[str] = ""
    """The key of the element that leads, of which a roster or formation has one: the next new one is not it."""
    stat_values: ClassVar[Mapping[str, StatValues]] = {}
    """The stats, which have buttons for the next step."""

    finding_fields: ClassVar[Mapping[str, str]] = {}
    """The field at which the page shows a finding about the element, by its code."""

    remarks: ClassVar[tuple[str, ...]] = ("notes", "secret")
    """The fields of the last row."""

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        strip=False,
        error_messages={"required": _("Enter a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    quantity = WholeNumberField(
        label=_("Quantity"),
        maximum=10_000,
        initial=1,
        error_messages={"required": _("Enter a whole number from 0 to 10,000.")},
    )
    notes = forms.CharField(label=_("Notes"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 1}))
    secret = forms.BooleanField(
        label=_("Secret"), required=False, help_text=_("Hidden from others, unless Sharing shows it.")
    )

    def __init__(
        self,
        data: Any = None,
        *,
        rules: Rulebook,
        terms: Terms[Any],
        element: Element | None = None,
        start: Element | None = None,
    ) -> None:
        """``element`` is None for a new one, which begins as ``start``."""
        self.rules, self.terms, self.before, self.start = rules, terms, element, start or self.new_element(rules)
        self.element: Element | None = None
        self.profile_before = self._profile_before()
        super().__init__(data, initial=self._initial())
        self.fields["name"].required = element is None or element.name != ""
        if self.fields["name"].required:
            self.fields["name"].widget.attrs["placeholder"] = gettext("Required")
        if element is None:
            self.fields["name"].widget.attrs["autofocus"] = True
        self.adapt_fields()
        for name, field in self.fields.items():
            if isinstance(field, WholeNumberField):
                field.stored = self.initial.get(name)

    def with_data(self, data: Any, element: Element | None) -> Self:
        """A copy of this form with data submitted for an equal element, or without.

        Both share their fields, which are the slowest part of a form to create, so neither may be rendered.
        """
        form = copy.copy(self)
        form.data, form.is_bound, form.before = data, data is not None, element
        vars(form).update(_errors=None, _bound_fields_cache={})
        return form

    @cached_property
    def helper(self) -> FormHelper:
        """The layout for crispy-forms: a live preview does without."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = self._layout()
        return helper

    # for subclasses to override

    def sections(self) -> list[LayoutObject]:
        """The layout between the name and the notes."""
        return [Field(name) for name in self.fields if name not in COMMON]

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        """The initial values of the fields for a profile, given as document data."""
        return profile

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The profile of the cleaned fields, as document data. None and "" mean: not set."""
        return {name: value for name, value in cleaned.items() if name not in COMMON and value not in (None, "")}

    def adapt_fields(self) -> None:
        """Add, remove or relabel fields for the chosen kind of element."""

    def adapted_stat_values(self) -> Mapping[str, StatValues]:
        """The values of each stat under the roster's house rules."""
        return self.stat_values

    def live_parts(self) -> dict[str, SafeString]:
        """Parts of the page that change with the element, by their ids."""
        return {}

    # shared by all systems

    def step_buttons(self) -> StepButtons:
        """The buttons of each stat of the current element."""
        element = self.preview_element
        key = (type(self), self.terms, get_language(), profile_key(element))
        buttons = _step_buttons.get(key)
        if buttons is None:
            steps = next_steps(element, self.adapted_stat_values(), self.rules, self.terms)
            buttons = {name: self._buttons(name, both) for name, both in steps.items()}
            _step_buttons.set(key, buttons, STEP_BUTTONS_BYTES)
        return buttons

    def _buttons(self, name: str, both: Iterable[StatStep | None]) -> tuple[StepButton | None, ...]:
        """The buttons of both steps; those of a target say which is better, as its number falls then."""
        is_target = isinstance(self.fields[name], forms.ChoiceField)
        ways = (gettext("Worse: "), gettext("Better: ")) if is_target else ("", "")
        buttons = (step and self._button(name, step) for step in both)
        return tuple(each and each._replace(label=way + each.label) for way, each in zip(ways, buttons, strict=True))

    def _button(self, name: str, step: StatStep) -> StepButton:
        field = self.fields[name]
        value = "" if step.value is None else str(step.value)
        choices = {str(code): label for code, label in getattr(field, "choices", ())}
        words = {"stat": _text(field.label), "value": _text(choices.get(value, value))}
        if step.change is None:
            return StepButton(value, "", gettext("%(stat)s %(value)s") % words)
        change = with_minus_sign(format_change(step.change)) if step.change else "±0"
        words["points"] = f"{change} {translate(self.rules.WORDS.points)}"
        return StepButton(value, change, gettext("%(stat)s %(value)s: %(points)s") % words)

    def stat_cells(self) -> list[StatCell]:
        """The stats for the template."""
        stat_values = self.adapted_stat_values()
        return [StatCell(self[n], buttons, _codes(stat_values[n])) for n, buttons in self.step_buttons().items()]

    @property
    def is_wrong(self) -> bool:
        """Whether what was submitted has no price; that of an element without a name is known."""
        return not self.errors.keys() <= {"name"}

    def price_each(self) -> str:
        """The points of the current element, "–" while a field is wrong; "" in a game without points."""
        if self.is_wrong:
            return "–"
        receipt = self.rules.price(self.preview_element, self.terms)
        return format_amount(receipt.unit_points) if receipt else ""

    @cached_property
    def preview_element(self) -> Element:
        """The element that the page shows, which may not be saved: what was submitted, with the values from before in
        fields that are wrong; if that is not valid, or without data, the initial one.
        """
        form = self
        if self.errors and self.element is None:
            data, unbound = cast(Any, self.data).copy(), self.with_data(None, self.before)
            for name in self.errors:
                data.setlist(name, submitted_values(unbound, name))
            form = self.with_data(data, self.before)
            form.fields = {**form.fields, "name": forms.CharField(required=False, strip=False)}
            form.full_clean()
        return form.element or self.before or self.start

    @classmethod
    def new_element(cls, rules: Rulebook, start: str = "") -> Element:
        """The element that the form of a new one begins as: one of ``starts``, or the usual one."""
        return rules.Element.model_validate({"name": start, **cls.starts.get(start, cls.default_profile)})

    @classmethod
    def next_element(cls, last: Element) -> Element:
        """The element that the form begins as after ``last`` was added: its profile, so that it is as legal."""
        profile = {key: value for key, value in profile_of(last).items() if key != cls.leading}
        return type(last).model_validate({"name": "", **profile})

    def current_value(self, name: str) -> Any:
        """The submitted value of a field, else its initial value. For `adapt_fields`."""
        if self.is_bound and self.add_prefix(name) in self.data:
            return self.data[self.add_prefix(name)]
        return self.initial.get(name)

    def _profile_before(self) -> dict[str, Any]:
        data = write_element(self.before or self.start)
        return {key: value for key, value in data.items() if key not in Element.model_fields}

    def _initial(self) -> dict[str, Any]:
        known = {name: getattr(self.before or self.start, name) for name in COMMON}
        return {**known, **self.initial_of(self.profile_before)}

    def _layout(self) -> Layout:
        head = Div(Div("name", css_class="name"), Div("quantity", css_class="quantity"), css_class="name-and-quantity")
        sections = self.sections()
        end = [] if PLOT in sections else [PLOT]
        return Layout(head, *sections, Div(*self.remarks, css_class="remarks"), *end)

    def clean_notes(self) -> str:
        """Browsers send CRLF line endings; the document has LF."""
        notes: str = self.cleaned_data["notes"].replace("\r\n", "\n")
        return notes

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self._build_element(cleaned)
        return cleaned

    def _build_element(self, cleaned: dict[str, Any]) -> None:
        data = {"id": self.before and self.before.id, **{name: cleaned[name] for name in COMMON}}
        data |= self.profile_data(cleaned)
        try:
            self.element = self.rules.Element.model_validate(data)
        except ValidationError as error:
            for field, message in error_messages(error):
                self.add_error(field if field in self.fields else None, message)
