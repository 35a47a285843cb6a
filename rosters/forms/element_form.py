"""The base of the element forms of all systems, and faults of a refused value as form errors."""

from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout, LayoutObject
from django import forms
from pydantic import ValidationError

from rosters.core.appraisals import Rulebook
from rosters.core.documents import MESSAGES, Element, write_element
from rosters.core.rulebook import Terms


def error_messages(error: ValidationError) -> list[tuple[str, str]]:
    """Each fault of a refused value, as (first key of its path, sentence)."""
    faults = []
    for line in error.errors(include_url=False):
        text = MESSAGES.get(line["type"], line["msg"].replace("{", "{{").replace("}", "}}")).format(
            **line.get("ctx", {})
        )
        faults.append((str(line["loc"][0]) if line["loc"] else "", text))
    return faults


COMMON = ("name", "quantity", "notes", "secret")
"""The fields of every element's form; all others are of its profile."""


class ElementForm(forms.Form):
    """The form of one element. A system's own form adds its fields, its sections, and what they mean.

    A subclass declares fields named as the profile's, overrides `sections`, and, where a field is not simply
    a key of the profile, `initial_of` and `profile_data`. Fields named in `reshaping` redraw the form when they change.
    """

    reshaping: ClassVar[tuple[str, ...]] = ()
    starting: ClassVar[dict[str, Any]] = {}
    """The profile that a new element begins with, as document data."""

    name = forms.CharField(max_length=120, strip=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    quantity = forms.IntegerField(min_value=0, max_value=10_000, initial=1)
    notes = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 2}))
    secret = forms.BooleanField(required=False, help_text="Others do not see it until you untick this.")

    def __init__(
        self,
        data: Any = None,
        *,
        rules: Rulebook,
        terms: Terms[Any],
        element: Element | None = None,
        draft: bool = False,
    ) -> None:
        """``element`` is the one to edit, None for a new one; a ``draft`` may lack its name."""
        self.rules, self.terms, self.before = rules, terms, element
        self.element: Element | None = None
        self.profile_before = self._profile_before()
        super().__init__(data, initial=self._initial())
        self.fields["name"].required = not draft and (element is None or element.name != "")
        self.shape()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = self._layout()

    # what a system overrides

    def sections(self) -> list[LayoutObject]:
        """The layout between the name and the notes."""
        return [Field(name) for name in self.fields if name not in COMMON]

    def initial_of(self, profile: dict[str, Any]) -> dict[str, Any]:
        """What the fields show for a profile, given as document data."""
        return profile

    def profile_data(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The profile, as document data, that the fields say. None and "" mean: not set."""
        return {name: value for name, value in cleaned.items() if name not in COMMON and value not in (None, "")}

    def kept_keys(self) -> tuple[str, ...]:
        """What an element keeps that no field shows."""
        return ("id", "marks")

    def shape(self) -> None:
        """Add, drop or relabel fields, once it is known what the element is."""

    # what they share

    def shown_element(self) -> Element:
        """The element that the form shows: what was sent (once valid), else what it began with."""
        if self.element is not None:
            return self.element
        return self.before or self.rules.Element.model_validate({"name": "New", **self.starting})

    def chosen(self, name: str) -> Any:
        """What a field says now: what was sent, else what it began with. For `shape`."""
        if self.is_bound and self.add_prefix(name) in self.data:
            return self.data[self.add_prefix(name)]
        return self.initial.get(name)

    def _profile_before(self) -> dict[str, Any]:
        if self.before is None:
            return dict(self.starting)
        data = write_element(self.before)
        return {key: value for key, value in data.items() if key not in Element.model_fields}

    def _initial(self) -> dict[str, Any]:
        known: dict[str, Any] = {"quantity": 1}
        if self.before is not None:
            known = {name: getattr(self.before, name) for name in COMMON}
        return {**known, **self.initial_of(self.profile_before)}

    def _layout(self) -> Layout:
        for name in self.reshaping:
            self.fields[name].widget.attrs["data-reshapes"] = "true"
        head = Div(Div("name", css_class="name"), Div("quantity", css_class="quantity"), css_class="who")
        return Layout(head, *self.sections(), Div("notes", "secret", css_class="remarks"))

    def clean_notes(self) -> str:
        """Browsers send line ends as pairs; the document has plain ones."""
        notes: str = self.cleaned_data["notes"].replace("\r\n", "\n")
        return notes

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self._make(cleaned)
        return cleaned

    def _make(self, cleaned: dict[str, Any]) -> None:
        kept = write_element(self.before) if self.before else {}
        data: dict[str, Any] = {key: kept[key] for key in self.kept_keys() if key in kept}
        data |= {name: cleaned[name] for name in COMMON}
        if "marks" in data:
            data["marks"] = data["marks"][: cleaned["quantity"]]
        data |= self.profile_data(cleaned)
        try:
            self.element = self.rules.Element.model_validate(data)
        except ValidationError as error:
            for field, message in error_messages(error):
                self.add_error(field if field in self.fields else None, message)
