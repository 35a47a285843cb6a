"""Forms of the sharing pages: the owner's choices, and the queries of addresses."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rosters.models import EditLink, Visibility
from rosters.web.sharing.links import Link, parse_link

# ---------------------------------------------------------------- what others see


class ShownVisibility(NamedTuple):
    """A choice of who can open a roster, as pages show it: its label, and what it means."""

    label: Any
    text: Any


VISIBILITIES: Mapping[str, ShownVisibility] = {
    Visibility.CLOSED: ShownVisibility(
        gettext_lazy("Private"), gettext_lazy("Only you and its editors can open it. Edit links keep working.")
    ),
    Visibility.LINK: ShownVisibility(
        gettext_lazy("Unlisted"),
        gettext_lazy("Anyone with the share link can read it. It is not listed under “Browse”."),
    ),
    Visibility.LISTED: ShownVisibility(
        gettext_lazy("Public"),
        gettext_lazy("Anyone can read it and find it under “Browse”."),
    ),
}


class SharingForm(forms.Form):
    """Who may read a roster, and what is hidden from them."""

    visibility = forms.ChoiceField(
        choices=[(value, shown.label) for value, shown in VISIBILITIES.items()],
        widget=forms.RadioSelect,
        label=gettext_lazy("Who can open it"),
    )
    hide_points = forms.BooleanField(
        required=False,
        label=gettext_lazy("Hide points"),
        help_text=gettext_lazy("All prices, totals and the points limit. Others still see whether it is legal."),
    )
    hide_notes = forms.BooleanField(
        required=False,
        label=gettext_lazy("Hide notes"),
        help_text=gettext_lazy("The notes of the roster and of everything in it."),
    )
    hide_secrets = forms.BooleanField(
        required=False,
        help_text=gettext_lazy("“Secret” is set in the form of each. They still count in the total."),
    )


# ---------------------------------------------------------------- links


class EditLinkForm(forms.Form):
    """A new edit link."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=EditLink._meta.get_field("name").max_length,
        help_text=gettext_lazy("Who uses it, or where: “Ana’s phone”."),
        error_messages={"required": gettext_lazy("Enter a name. It tells you later which link to revoke.")},
        widget=forms.TextInput({"class": "form-control", "autocomplete": "off"}),
    )


class ResetOwnerLinkForm(forms.Form):
    """Whether browsers that used the owner link lose their access with it."""

    remove = forms.BooleanField(required=False, label=gettext_lazy("Also remove everyone who used it"))


# ---------------------------------------------------------------- queries of addresses


class VersionField(forms.Field):
    """The number of a version in a query; None where the query does not name it."""

    def clean(self, value: Any) -> int | None:
        if value is None:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", value):
            raise ValidationError(_("“%(value)s” is not the number of a version."), params={"value": value[:60]})
        return int(value)


class ReceiptsField(forms.Field):
    """The ids of the elements whose receipts are shown, or "all"."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> frozenset[str]:
        return frozenset(value or ())


class FlagField(forms.BooleanField):
    """A switch in a query, on as "1"."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)


class RosterQuery(forms.Form):
    """The query of a roster's pages: receipts, a page of rows or the one with an element, a page of findings."""

    receipt = ReceiptsField()
    page = forms.CharField(required=False)
    at = forms.CharField(required=False, strip=False)
    findings = forms.CharField(required=False)


class SharedQuery(RosterQuery):
    """The query of a shared page; its changes since a version are shown."""

    since = VersionField()


class LinksQuery(forms.Form):
    """The query of the page of links: the primary key of the link to show."""

    show = VersionField()


class VersionQuery(forms.Form):
    """A version of a roster; None for the current one."""

    version = VersionField()


class HistoryQuery(forms.Form):
    """The query of the history: versions before this one."""

    before = VersionField()


class VersionLinkField(forms.CharField):
    """A version of the roster itself, such as r5, or the link of any roster; None if empty."""

    def __init__(self, token: str, **kwargs: Any) -> None:
        self.token = token
        super().__init__(**kwargs)

    def clean(self, value: Any) -> Link | None:
        text = super().clean(value)
        if not text:
            return None
        own = re.fullmatch(r"r([0-9]{1,9})", text)
        link = Link(self.token, int(own[1])) if own else parse_link(text)
        if not link.token:
            raise ValidationError(
                _("“%(text)s” is neither a version such as r5 nor the link of a roster."), params={"text": text[:60]}
            )
        return link


class CompareForm(forms.Form):
    """The query of a comparison: ``from`` is roster A, ``with`` roster B, or the pasted ``link`` in its place."""

    link = VersionLinkField(
        "",
        label=gettext_lazy("Share link of a roster"),
        required=False,
        widget=forms.TextInput({"class": "form-control", "autocomplete": "off"}),
    )
    only = FlagField()
    page = forms.CharField(required=False, widget=forms.HiddenInput)
    changes = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, token: str) -> None:
        super().__init__(data, auto_id="%s")
        self.fields |= {name: VersionLinkField(token, required=False) for name in ("from", "with")}

    def clean(self) -> dict[str, Any]:
        b = self.cleaned_data.get("link") or self.cleaned_data.get("with")
        if b is None and "link" in self.data and not self.errors:
            self.add_error("link", _("Select a roster or paste a share link."))
        return {**self.cleaned_data, "with": b}
