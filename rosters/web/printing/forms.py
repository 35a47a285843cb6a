"""The print options: one form for the print page and for the query string of every PDF."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundWidget
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError as InvalidSettings

from rosters.pdf.job import Choice, PrintOptions, Sheet
from rosters.pdf.sections import PAPERS
from rosters.registry import SYSTEMS, System
from rosters.web.sharing.links import Link, parse_link

SWITCHES = ("points", "merge", "receipts", "marks", "large", "colour", "fillable")
DEFAULTS = PrintOptions.model_validate({})
POINT_SWITCHES = ("points", "receipts")
"""Hidden for a game without points; query strings may still have them."""
QUERY_NAMES = (
    *("asked", "sheet", "paper", "formation", "fit"),
    *SWITCHES,
    *sorted({code for system in SYSTEMS.values() for code in system.sheets.CHOICES}),
)
"""All names that the print options of any system have in a query."""
PAGE_NAMES = ("page", "small")
"""The names by which a query says which picture."""
PAPER = ("paper", "fit", "large")
MOVES = {"up": -1, "down": 1}
"""Buttons that move the sheet of their value, which work without a script."""


class FormationsField(forms.MultipleChoiceField):
    """Positions of formations from 0. One that was deleted is no error: links outlive formations."""

    default_error_messages = {"invalid_choice": _("“%(value)s” is not the number of a formation.")}

    def valid_value(self, value: str) -> bool:
        return value.isascii() and value.isdigit()

    def clean(self, value: Any) -> list[int]:
        return [int(number[:9]) for number in super().clean(value)]


class RostersField(forms.Field):
    """Rosters by tokens or share links, as links."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[Link]:
        return [parse_link(text) for text in value or ()]


class PreviewPageForm(forms.Form):
    """A page of a print, from 1, and whether its picture is a small one."""

    page = forms.IntegerField(required=False, min_value=1, max_value=99_999)
    small = forms.BooleanField(required=False)

    def clean_page(self) -> int:
        return self.cleaned_data["page"] or 1


class SaveOptionsForm(forms.Form):
    """Print options as a query, and whether to save them for the roster or as the visitor's own default."""

    query = forms.CharField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields["for"] = forms.ChoiceField(required=False, choices=[("roster", ""), ("mine", "")])


class CopiesForm(forms.Form):
    """Which copies a query string asks for. All values are valid."""

    others = forms.BooleanField(
        required=False,
        label=_("What others see"),
        help_text=_("Leaves out what you hide from others."),
        widget=forms.CheckboxInput({"value": "1"}),
    )
    against = RostersField(required=False)


class SheetRow(NamedTuple):
    """A sheet to choose: its check box, and what it is."""

    box: BoundWidget
    sheet: Sheet
    selected: bool


class PrintForm(forms.Form):
    """The print options of a system, from a query string.

    A query string with ``asked`` is the submitted form, which leaves out the switches that are off; any other changes
    only what it names in the ``saved`` options.
    """

    def __init__(
        self, system: System, query: QueryDict, saved: PrintOptions | None = None, formations: Sequence[str] = ()
    ) -> None:
        super().__init__(_complete(query, saved or DEFAULTS))
        self.own_choices: Mapping[str, Choice] = system.sheets.CHOICES
        self.own_sheets: Sequence[Sheet] = system.sheets.SHEETS
        sheets = [(sheet.code, sheet.name) for sheet in self.own_sheets]
        self.fields["sheet"] = forms.MultipleChoiceField(
            label=_("Sheets"), choices=sheets, required=False, widget=forms.CheckboxSelectMultiple
        )
        self.fields["paper"] = forms.ChoiceField(
            label=_("Size"),
            choices=[(code, paper.name) for code, paper in PAPERS.items()],
            widget=forms.RadioSelect,
        )
        self.fields["fit"] = forms.IntegerField(
            label=PrintOptions.model_fields["fit"].title,
            help_text=PrintOptions.model_fields["fit"].description or "",
            required=False,
            min_value=0,
            max_value=999,
            widget=forms.NumberInput(
                {"class": "form-control", "min": 1, "placeholder": _("Any number"), "inputmode": "numeric"}
            ),
        )
        for code, choice in self.own_choices.items():
            self.fields[code] = forms.ChoiceField(label=choice.label, choices=[*choice.answers.items()], required=False)
        for name in SWITCHES:
            field = PrintOptions.model_fields[name]
            self.fields[name] = forms.BooleanField(required=False, label=field.title, help_text=field.description or "")
        self.hidden_switches = () if system.rules.WORDS.has_points else POINT_SWITCHES
        self.fields["formation"] = FormationsField(
            label=system.rules.WORDS.formations,
            choices=[(str(number), name) for number, name in enumerate(formations)],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def sheets(self) -> Iterator[SheetRow]:
        """All sheets, those that are selected in the order of print; each other after the one that precedes it in the
        game's order.
        """
        selected: list[str] = self["sheet"].value() or []
        rows = {sheet.code: (box, sheet) for box, sheet in zip(self["sheet"], self.own_sheets, strict=True)}
        order = [code for code in dict.fromkeys(selected) if code in rows]
        before = -1
        for code in rows:
            if code not in order:
                order.insert(before + 1, code)
            before = order.index(code)
        return (SheetRow(*rows[code], code in selected) for code in order)

    def choices(self) -> Iterator[tuple[forms.BoundField, tuple[str, ...], bool]]:
        """The questions of the sheets, the sheets that each one changes, and whether one of them is selected."""
        selected: list[str] = self["sheet"].value() or []
        for code, choice in self.own_choices.items():
            yield self[code], choice.sheets, not choice.sheets or not {*choice.sheets}.isdisjoint(selected)

    def switches(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in SWITCHES if name not in (*self.hidden_switches, *PAPER))

    def options(self) -> PrintOptions:
        """The options of the valid form."""
        data = self.cleaned_data
        return PrintOptions.model_validate(
            {
                "paper": data["paper"],
                "sheets": data["sheet"],
                "formations": data["formation"],
                "fit": data["fit"] or 0,
                "choices": {code: data[code] for code in self.own_choices if data[code]},
                **{name: data[name] for name in SWITCHES},
            }
        )


def _complete(query: QueryDict, saved: PrintOptions) -> QueryDict:
    """The query string as the print page's form would have sent it."""
    data = QueryDict(mutable=True) if "asked" in query else to_query(saved)
    data.setdefault("paper", DEFAULTS.paper)
    for name, values in query.lists():
        if name in SWITCHES and values[-1] in ("0", ""):
            data.pop(name, None)
        else:
            data.setlist(name, list(values))
    for name, step in MOVES.items():
        if code := data.get(name):
            data.setlist("sheet", _moved(data.getlist("sheet"), code, step))
    return data


def _moved(codes: list[str], code: str, step: int) -> list[str]:
    """The codes with one of them a place further up or down, if there is one."""
    with suppress(ValueError):
        place = codes.index(code)
        codes.insert(max(0, place + step), codes.pop(place))
    return codes


def to_query(options: PrintOptions) -> QueryDict:
    """Settings as the form sends them."""
    values = options.model_dump(mode="json")
    query = QueryDict(mutable=True)
    query.update({"asked": "1", "paper": values["paper"], **values["choices"]})
    query.update({name: "1" for name in SWITCHES if values[name]})
    if options.fit:
        query["fit"] = str(options.fit)
    query.setlist("sheet", values["sheets"])
    query.setlist("formation", [str(number) for number in values["formations"]])
    return query


def saved_options(system: System, stored: Mapping[str, Any]) -> PrintOptions:
    """The options saved with a roster or for all; the defaults if its sheets do not know them any more."""
    if not stored:
        return DEFAULTS
    try:
        options = PrintOptions.model_validate(stored)
    except InvalidSettings:
        return DEFAULTS
    known = {*options.choices} <= {*system.sheets.CHOICES}
    return options if known and PrintForm(system, to_query(options)).is_valid() else DEFAULTS
