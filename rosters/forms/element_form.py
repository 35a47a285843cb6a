"""The base class of all systems' element forms, and pydantic errors as form errors."""

from functools import cached_property
from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, LayoutObject
from django import forms
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from rosters.core.appraisals import Rulebook
from rosters.core.documents import Element, error_message, write_element
from rosters.core.rulebook import Terms


def error_messages(error: ValidationError) -> list[tuple[str, str]]:
    """Each error as (field name, message)."""
    lines = error.errors(include_url=False)
    return [(str(line["loc"][0]) if line["loc"] else "", error_message(line)) for line in lines]


COMMON = ("name", "quantity", "notes", "secret")
"""The fields of every element; all others belong to its profile."""


class ElementForm(forms.Form):
    """The form of one element. Each system has a subclass.

    A subclass declares fields named as those of the profile and overrides `sections`; if a field is not simply a key
    of the profile, also `initial_of` and `profile_data`. A change of one of the `reloading_fields` reloads the form.
    """

    reloading_fields: ClassVar[tuple[str, ...]] = ()
    default_profile: ClassVar[dict[str, Any]] = {}
    """The profile of a new element, as document data."""

    name = forms.CharField(
        label=_("Name"), max_length=120, strip=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    quantity = forms.IntegerField(label=_("Quantity"), min_value=0, max_value=10_000, initial=1)
    notes = forms.CharField(label=_("Notes"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 2}))
    secret = forms.BooleanField(
        label=_("Secret"), required=False, help_text=_("Others do not see it while this is selected.")
    )

    def __init__(
        self,
        data: Any = None,
        *,
        rules: Rulebook,
        terms: Terms[Any],
        element: Element | None = None,
        draft: bool = False,
    ) -> None:
        """``element`` is None for a new one; the name of a ``draft`` is optional."""
        self.rules, self.terms, self.before = rules, terms, element
        self.element: Element | None = None
        self.profile_before = self._profile_before()
        super().__init__(data, initial=self._initial())
        self.fields["name"].required = not draft and (element is None or element.name != "")
        self.adapt_fields()

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

    # shared by all systems

    def current_element(self) -> Element:
        """The submitted element if it is valid, else the initial one."""
        return self.element or self.before or self.new_element(self.rules)

    @classmethod
    def new_element(cls, rules: Rulebook) -> Element:
        """The element that the form of a new one begins with."""
        return rules.Element.model_validate({"name": "New", **cls.default_profile})

    def current_value(self, name: str) -> Any:
        """The submitted value of a field, else its initial value. For `adapt_fields`."""
        if self.is_bound and self.add_prefix(name) in self.data:
            return self.data[self.add_prefix(name)]
        return self.initial.get(name)

    def _profile_before(self) -> dict[str, Any]:
        if self.before is None:
            return dict(self.default_profile)
        data = write_element(self.before)
        return {key: value for key, value in data.items() if key not in Element.model_fields}

    def _initial(self) -> dict[str, Any]:
        known: dict[str, Any] = {"quantity": 1}
        if self.before is not None:
            known = {name: getattr(self.before, name) for name in COMMON}
        return {**known, **self.initial_of(self.profile_before)}

    def _layout(self) -> Layout:
        for name in self.reloading_fields:
            self.fields[name].widget.attrs["data-reload-on-change"] = "true"
        head = Div(Div("name", css_class="name"), Div("quantity", css_class="quantity"), css_class="name-and-quantity")
        return Layout(head, *self.sections(), Div("notes", "secret", css_class="remarks"))

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
