"""Forms of the shelf."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Sum
from django.db.models.functions import Length
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.models import Roster, ShelfEntry
from rosters.registry import SYSTEMS
from rosters.store.shelf import COUNTS, MAX_QUANTITY
from rosters.web.builder.forms import LineForm

MAX_ROSTERS, MAX_CHARACTERS = 30, 1_500_000
"""Rosters whose need is computed at once, and the characters of their documents: each is read completely, and each of
its elements may be a row.
"""
LABELS = {"quantity": _("Owned"), "built": _("Built"), "painted": _("Painted")}
TOO_MANY = {
    "built": _("At most as many as you own: %(most)d."),
    "painted": _("At most as many as are built: %(most)d."),
}


class ShelfQuery(forms.Form):
    """The game that a shelf is filtered by, the page of its entries, and the entry that was just added."""

    game = forms.ChoiceField(required=False, choices=[(slug, system.name) for slug, system in SYSTEMS.items()])
    page = forms.IntegerField(required=False, min_value=1, max_value=1_000)
    added = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ShelfLineForm(LineForm):
    """A line of quick add for the game ``in``; without one it is for the ``default``, or for the first game."""

    def __init__(self, data: QueryDict, default: str = "") -> None:
        super().__init__(data)
        games = (data.get("in", ""), default, *SYSTEMS)
        self.game = next(game for game in games if game in SYSTEMS)


def _count_field(entry: ShelfEntry, name: str) -> forms.IntegerField:
    text = _("Enter a whole number from 0 to 10,000.")
    attributes = {"class": "form-control form-control-sm quantity", "inputmode": "numeric", "autocomplete": "off"}
    return forms.IntegerField(
        label=LABELS[name],
        min_value=0,
        max_value=MAX_QUANTITY,
        initial=getattr(entry, name),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), text),
        show_hidden_initial=True,
        widget=forms.TextInput(attributes | {"aria-label": f"{LABELS[name]}: {entry.name}"}),
    )


class CountsForm(forms.Form):
    """The counts of entries: ``quantity-<pk>``, ``built-<pk>`` and ``painted-<pk>``.

    Each is sent with its value when the page was rendered: one that is still the same does not undo what another tab or
    device has changed meanwhile. Entries of which none is left are to be deleted, whatever else is sent of them.
    """

    def __init__(self, entries: Iterable[ShelfEntry], data: QueryDict | None = None) -> None:
        sent = data.copy() if data else None
        super().__init__(sent)
        self.entries = [*entries]
        for entry in self.entries:
            for name in COUNTS:
                self.fields[f"{name}-{entry.pk}"] = _count_field(entry, name)
                if sent:
                    sent.setdefault(f"{name}-{entry.pk}", str(getattr(entry, name)))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for entry in self.entries:
            counts = {name: getattr(entry, name) for name in COUNTS} | self.changes.get(entry.pk, {})
            for lower, upper in (("built", "quantity"), ("painted", "built")):
                if counts["quantity"] and counts[lower] > counts[upper]:
                    self.add_error(f"{lower}-{entry.pk}", TOO_MANY[lower] % {"most": counts[upper]})
        return cleaned

    @property
    def changes(self) -> dict[int, dict[str, int]]:
        """The counts that were changed and are valid, by entry."""
        changes: dict[int, dict[str, int]] = {}
        for name in self.changed_data:
            if self.cleaned_data.get(name) is not None:
                count, pk = name.split("-")
                changes.setdefault(int(pk), {})[count] = self.cleaned_data[name]
        return changes

    def cells(self, entry: ShelfEntry) -> list[forms.BoundField]:
        """The fields of one entry."""
        return [self[f"{name}-{entry.pk}"] for name in COUNTS]


class RostersQuery(forms.Form):
    """Rosters of the visitor, by their tokens, and whether they are played at once."""

    roster = forms.ModelMultipleChoiceField(
        Roster.objects.none(), to_field_name="token", required=False, widget=forms.CheckboxSelectMultiple
    )
    at_once = forms.BooleanField(required=False, label=_("Played at once"))

    def __init__(self, rosters: Any, data: QueryDict) -> None:
        sent, tokens = data.copy(), [*filter(str.isprintable, data.getlist("roster"))]  # PostgreSQL takes no NUL
        known = {*rosters.filter(token__in=tokens[:1_000]).values_list("token", flat=True)}
        sent.setlist("roster", [token for token in tokens if token in known])
        super().__init__(sent)
        self.fields["roster"].queryset = rosters  # type: ignore[attr-defined]

    def clean_roster(self) -> list[Roster]:
        selected = [*self.cleaned_data["roster"]]
        if len(selected) > MAX_ROSTERS:
            text = gettext("Select at most %(most)d rosters at once.")
            raise forms.ValidationError(text % {"most": MAX_ROSTERS})
        documents = Roster.objects.filter(pk__in=[each.pk for each in selected])
        if len(selected) > 1 and documents.aggregate(sum=Sum(Length("document")))["sum"] > MAX_CHARACTERS:
            raise forms.ValidationError(gettext("These rosters are too large to count at once: select fewer."))
        return selected
