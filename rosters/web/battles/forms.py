"""The forms of battles and of the link check."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rosters.forms.house_rules import option_fields
from rosters.models import Revision
from rosters.registry import SYSTEMS, System
from rosters.web.battles.service import MAX_FORCES, RosterRef
from rosters.web.http import permissions
from rosters.web.sharing.links import Link, parse_link

MAX_LINKS = 200
"""Links of one check."""
MAX_CHARACTERS = 100_000
"""The most characters of the text field."""


def lines_in(text: str) -> list[str]:
    """The lines of a pasted text, without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def roster_ref(request: HttpRequest, text: str) -> RosterRef:
    """The roster, and the version if any, of a pasted link. Raises ValidationError, also for a private roster."""
    link = parse_link(text)
    try:
        roster, editable = permissions.roster_for(request, link.token)
        if link.version is not None:
            roster.revisions.only("pk").get(number=link.version)
    except (Http404, Revision.DoesNotExist):
        raise ValidationError(_("There is no roster at “%(link)s”."), "unknown", {"link": text[:80]}) from None
    return RosterRef(roster, link.version, mine=bool(editable))


def roster_refs(request: HttpRequest, texts: Sequence[str]) -> list[RosterRef]:
    """The rosters of several pasted links. Raises ValidationError, also for more than a battle may have."""
    if len(texts) > MAX_FORCES:
        raise ValidationError(_("A battle has at most %(max)d rosters."), params={"max": MAX_FORCES})
    return [roster_ref(request, text) for text in texts]


def error_status(form: forms.Form) -> int:
    """404 if a link of the form leads to no roster, 413 if its text is too long, else 422."""
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    if "unknown" in codes:
        return 404
    return 413 if "max_length" in codes and isinstance(form, LinkCheckForm) else 422


class PlayerField(forms.CharField):
    """The name of a player, as the battle shows it to everybody with its link."""

    def __init__(self) -> None:
        widget = forms.TextInput(attrs={"class": "form-control", "autocomplete": "nickname"})
        super().__init__(required=False, max_length=40, label=gettext_lazy("Your name"), widget=widget)


class PlayerForm(forms.Form):
    """The name of the player of a force; empty for none."""

    player = PlayerField()


class NewBattleForm(forms.Form):
    """A battle's name, and its rosters: selected ones, pasted links, and the one that it is played against."""

    name = forms.CharField(
        max_length=120,
        required=False,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Leave it empty to name the battle after its rosters."),
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )
    links = forms.CharField(
        required=False,
        label=gettext_lazy("Share links, one per line"),
        help_text=gettext_lazy(
            "Share links or links to fixed versions. All rosters must be for the same game. The battle starts with the "
            "house rules and the scenario of its first roster."
        ),
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 3}),
    )
    roster = forms.Field(required=False, widget=forms.MultipleHiddenInput)
    against = forms.CharField(required=False, widget=forms.HiddenInput)
    player = PlayerField()

    def __init__(self, data: Any = None, *, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(data, auto_id="%s", **kwargs)

    def clean_links(self) -> list[RosterRef]:
        return roster_refs(self.request, lines_in(self.cleaned_data["links"]))

    def clean_roster(self) -> list[RosterRef]:
        return roster_refs(self.request, self.cleaned_data["roster"])

    def clean_against(self) -> list[RosterRef]:
        text = self.cleaned_data["against"]
        return [roster_ref(self.request, text)] if text else []

    def clean(self) -> dict[str, Any]:
        if not self.errors and not self.rosters:
            raise ValidationError(_("Select a roster or paste a share link."))
        return self.cleaned_data

    @property
    def rosters(self) -> list[RosterRef]:
        """Those of the form, the first with the player's name unless it is the opponent's."""
        own = [*self.cleaned_data["roster"], *self.cleaned_data["links"]]
        own[:1] = [ref._replace(player=self.cleaned_data["player"]) for ref in own[:1]]
        return [*own, *self.cleaned_data["against"]]


class NewBattleQuery(forms.Form):
    """The game of a new battle, and the roster that it starts with, by its link or token; None if there is none."""

    game = forms.ChoiceField(required=False, choices=[("", ""), *((slug, slug) for slug in SYSTEMS)])
    roster = forms.CharField(required=False)

    def clean_roster(self) -> Link | None:
        text = self.cleaned_data["roster"]
        return parse_link(text) if text else None


class ReplayForm(forms.Form):
    """The number of a simulated battle, from 1; the first one if none is given."""

    battle = forms.IntegerField(required=False, label=gettext_lazy("Battle"))

    def __init__(self, *args: Any, last: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last = last

    def clean_battle(self) -> int:
        number: int | None = self.cleaned_data["battle"]
        return min(max(number or 1, 1), self.last)


class AddRosterForm(forms.Form):
    """A roster for a battle, by its link or selected from the visitor's own."""

    link = forms.CharField(
        required=False,
        label=gettext_lazy("Share link of a roster"),
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )
    roster = forms.CharField(required=False)
    player = PlayerField()

    def __init__(self, data: Any = None, *, request: HttpRequest) -> None:
        self.request = request
        super().__init__(data, auto_id="%s")

    def clean_link(self) -> RosterRef | None:
        text = self.cleaned_data["link"]
        return roster_ref(self.request, text) if text else None

    def clean_roster(self) -> RosterRef | None:
        token = self.cleaned_data["roster"]
        return roster_ref(self.request, token) if token else None

    def clean(self) -> dict[str, Any]:
        if not self.errors and self.data.get("by") == "link":  # the button beside the link
            self.cleaned_data["roster"] = None
        if not self.errors and not (self.cleaned_data["link"] or self.cleaned_data["roster"]):
            raise ValidationError({"link": _("Paste a share link or select one of your rosters.")})
        return self.cleaned_data

    @property
    def ref(self) -> RosterRef:
        """The roster of the valid form."""
        ref: RosterRef = self.cleaned_data["link"] or self.cleaned_data["roster"]
        return ref._replace(player=self.cleaned_data["player"])


class SideForm(forms.Form):
    """The side of a roster in the battle's scenario; empty for the roster's own."""

    def __init__(self, data: Any, *, sides: Mapping[str, str]) -> None:
        super().__init__(data)
        self.fields["side"] = forms.ChoiceField(required=False, choices=[("", ""), *sides.items()])


class BattleForm(forms.Form):
    """The terms of a battle: its name, its scenario, and every house rule of its system."""

    name = forms.CharField(
        max_length=120, label=gettext_lazy("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        scenarios = [(slug, scenario.name) for slug, scenario in system.rules.SCENARIOS.items()]
        if scenarios:
            choices = [("", _("As in each roster")), *scenarios]
            self.fields["scenario"] = forms.ChoiceField(required=False, choices=choices, label=_("Scenario"))
        self.rules_fields = option_fields(system.rules.Options)
        self.fields |= self.rules_fields

    def settings(self) -> dict[str, Any]:
        """Name, scenario and house rules, these as a value."""
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in self.rules_fields if cleaned[name] is not None}
        options = self.system.rules.Options.model_validate(chosen)
        return {"name": cleaned["name"], "scenario": cleaned.get("scenario") or None, "options": options}


class LinkCheckForm(forms.Form):
    """Many links, one per line; ``lines`` once they are valid. ``as`` is the format of the result."""

    links = forms.CharField(
        max_length=MAX_CHARACTERS,
        label=gettext_lazy("Share links, one per line"),
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 8, "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Paste at least one link.")},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="%s")
        self.fields["as"] = forms.ChoiceField(required=False, choices=[("", ""), ("csv", "CSV")])
        del self.fields["links"].widget.attrs["maxlength"]  # browsers truncate pasted text silently

    def clean_links(self) -> str:
        text: str = self.cleaned_data["links"]
        if len(lines_in(text)) > MAX_LINKS:
            message = ngettext("Paste at most %(max)d link.", "Paste at most %(max)d links.", MAX_LINKS)
            raise ValidationError(message, params={"max": MAX_LINKS})
        return text

    @property
    def lines(self) -> list[str]:
        return lines_in(self.cleaned_data["links"])
