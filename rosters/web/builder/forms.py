"""The forms of a roster: its start, its page, its settings, those of a formation, and copying from other rosters."""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, cast

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.core.documents import AnyDocument, Element
from rosters.core.lines import MAX_LINE
from rosters.core.messages import translate
from rosters.core.values import CREST
from rosters.forms.conflicts import conflict_error, display_values, submitted_values, take_theirs
from rosters.forms.house_rules import option_fields
from rosters.registry import System
from rosters.web.http.queries import PaginationForm, cleaned_query


class PointsLimitField(forms.FloatField):
    """A points limit, 0 to 1,000,000; None without one."""

    def __init__(self) -> None:
        messages = dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("Enter a number from 0 to 1,000,000, such as 100.")
        )
        super().__init__(
            required=False, min_value=0, max_value=1_000_000, label=_("Points limit"), error_messages=messages
        )


class NameField(forms.CharField):
    """The name of a roster or a formation."""

    def __init__(self, widget: forms.Widget) -> None:
        super().__init__(
            label=_("Name"), max_length=120, widget=widget, error_messages={"required": _("Enter a name.")}
        )


class RosterForm(forms.Form):
    """Name, points limit, scenario, side and notes of a roster, and every house rule of its system."""

    name = NameField(widget=forms.TextInput(attrs={"autocomplete": "off"}))
    budget = PointsLimitField()
    scenario = forms.ChoiceField(label=_("Scenario"), required=False)
    side = forms.ChoiceField(label=_("Side"), required=False)
    notes = forms.CharField(
        label=_("Notes"), required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        self._set_scenario_choices()
        if not system.rules.WORDS.has_points:
            del self.fields["budget"]
        self.rules_fields = option_fields(system.rules.Options)
        self.fields |= self.rules_fields

    def _set_scenario_choices(self) -> None:
        scenarios = self.system.rules.SCENARIOS
        sides = {slug: name for scenario in scenarios.values() for slug, name in scenario.sides.items()}
        for name, choices in (("scenario", {slug: s.name for slug, s in scenarios.items()}), ("side", sides)):
            if choices:
                self.fields[name].choices = [("", gettext("None")), *choices.items()]  # type: ignore[attr-defined]
            else:
                del self.fields[name]

    @property
    def has_rule_changes(self) -> bool:
        """Whether house rules were sent that differ from those of the roster, or are wrong."""
        return self.is_bound and not self.rules_fields.keys().isdisjoint({*self.changed_data, *self.errors})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        scenario, side = cleaned.get("scenario"), cleaned.get("side")
        sides = self.system.rules.SCENARIOS[scenario].sides if scenario else {}
        if side and side not in sides:
            allowed = ", ".join(map(translate, sides.values())) or gettext("no sides")
            self.add_error("side", gettext("Choose another side: this scenario has %(sides)s.") % {"sides": allowed})
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The root fields of the document, the house rules as an options value."""
        cleaned = self.cleaned_data
        chosen = {name: cleaned[name] for name in self.rules_fields if cleaned[name] is not None}
        budget = cleaned.get("budget")
        return {
            "name": cleaned["name"],
            "notes": cleaned["notes"],
            "budget": int(budget) if budget is not None and budget == int(budget) else budget,
            "scenario": cleaned.get("scenario") or None,
            "side": cleaned.get("side") or None,
            "options": self.system.rules.Options.model_validate(chosen),
        }


def default_name(system: System) -> str:
    """The name of a roster that nobody has named yet."""
    return gettext("My %(system)s roster") % {"system": system.name}


OTHER_SIZE = "other"
"""The size of a roster with a points limit of its own."""


class StartForm(forms.Form):
    """The start of a roster: name, size or another points limit, scenario and side."""

    name = NameField(widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True, "data-select": True}))
    size = forms.ChoiceField(label=_("Size"), required=False, widget=forms.RadioSelect)
    budget = PointsLimitField()
    text = forms.CharField(required=False, strip=False, max_length=65_536, label=_("Paste a list"))

    def __init__(self, data: Any = None, *, system: System, **kwargs: Any) -> None:
        self.system = system
        super().__init__(data, **kwargs)
        rules = system.rules
        self.fields["name"].initial = default_name(system)
        smallest_first = sorted(enumerate(rules.SIZES), key=lambda each: each[1].budget or inf)
        sizes = [(str(number), translate(size.label)) for number, size in smallest_first]
        sizes.append((OTHER_SIZE, gettext("Other points limit")))
        self.fields["size"].choices = sizes  # type: ignore[attr-defined]
        self.fields["size"].initial = str(system.details.size)
        if not rules.WORDS.has_points:
            del self.fields["size"], self.fields["budget"]
        if rules.SCENARIOS:
            self._add_scenarios()
        attrs = {"rows": 10, "spellcheck": "false", "placeholder": system.grammar.example, "class": "form-control"}
        self.fields["text"].widget = forms.Textarea(attrs)
        self.order_fields(["name", "size", "budget", "scenario", "text"])

    def _add_scenarios(self) -> None:
        groups = [("", gettext("Automatic, from the size"))]
        for slug, scenario in self.system.rules.SCENARIOS.items():
            groups += [(slug, translate(scenario.name))]
            groups += [(f"{slug}/{side}", translate(scenario.side_label(side))) for side in scenario.sides]
        self.fields["scenario"] = forms.ChoiceField(required=False, choices=groups, label=_("Scenario and side"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("size") == OTHER_SIZE and cleaned.get("budget") is None and not self.has_error("budget"):
            self.add_error("budget", gettext("Enter a points limit, such as 100."))
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Name, budget, scenario and side of the roster to start, as document data."""
        cleaned = self.cleaned_data
        chosen = cleaned.get("size") or OTHER_SIZE
        size = None if chosen == OTHER_SIZE else self.system.rules.SIZES[int(chosen)]
        budget = size.budget if size else cleaned.get("budget")
        scenario, _, side = (cleaned.get("scenario") or (size and size.scenario) or "").partition("/")
        return {"name": cleaned["name"], "budget": budget, "scenario": scenario or None, "side": side or None}


class StartActionForm(forms.Form):
    """Whether to start with the list that was shown, or without it."""

    save = forms.BooleanField(required=False)
    empty = forms.BooleanField(required=False)


class FormationForm(forms.Form):
    """Name and notes of a formation."""

    name = NameField(widget=forms.TextInput(attrs={"autocomplete": "off"}))
    notes = forms.CharField(
        label=_("Notes"), required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3})
    )


class PlaceQuery(forms.Form):
    """What a page of the builder is for: the element or the formation ``id``, or a new element ``in`` a formation.

    Live previews read it after each key, so it has no other fields.
    """

    id = forms.CharField(required=False, strip=False)


PlaceQuery.base_fields["in"] = forms.CharField(required=False, strip=False)  # a keyword of Python


class NewElementQuery(forms.Form):
    """What a new element begins as: a `Start`, the next one ``after`` another, or a line of quick add without stats."""

    start = forms.CharField(required=False)
    after = forms.CharField(required=False)
    line = forms.CharField(required=False, max_length=MAX_LINE)


def place_of(request: HttpRequest) -> dict[str, Any]:
    """The values of a page's `PlaceQuery`. Raises BadRequest."""
    return cleaned_query(PlaceQuery(request.GET))


class ShuffleQuery(forms.Form):
    """Which crests the page of crests offers."""

    shuffle = forms.IntegerField(required=False, min_value=0, max_value=9_999)


class CrestForm(forms.Form):
    """A crest, selected from some; those of an earlier page can be sent too."""

    crest = forms.RegexField(
        rf"^{CREST}\Z",
        label=_("Crest"),
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid"), _("Select a crest.")),
    )

    def __init__(self, data: QueryDict | None, *, seeds: Sequence[str]) -> None:
        super().__init__(data, initial={"crest": seeds[0]})
        choices = [(seed, gettext("Crest %(number)s") % {"number": at}) for at, seed in enumerate(seeds[1:], 2)]
        self.fields["crest"].widget.choices = [(seeds[0], gettext("Current crest")), *choices]


class RosterPageForm(forms.Form):
    """The form around the whole roster page: the changed quantities, and the element or formation of a button.

    The page sends "quantity-<id>" and the value when the page was rendered, "initial-quantity-<id>", for every element.
    Only those that differ become fields, so that an old page does not undo what another tab has changed. If both have
    changed a quantity, that is an error, and ``changed_elsewhere`` has the saved value.
    """

    element = forms.CharField(required=False, strip=False)
    formation = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict, *, document: AnyDocument) -> None:
        super().__init__(data)
        self.changed_elsewhere: dict[str, int] = {}
        self.elements: Mapping[str | None, Element] = document.elements_by_id
        self.changed: dict[str, Element] = {}
        for name in data:
            element = self.elements.get(name.removeprefix("quantity-")) if name.startswith("quantity-") else None
            if element and data[name] != data.get(f"initial-{name}"):
                self.fields[name] = _quantity_field(element.display_name)
                self.changed[str(element.id)] = element

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.changed_elsewhere = {}
        for uid, now in ((uid, element.quantity) for uid, element in self.changed.items()):
            name = f"quantity-{uid}"
            if cleaned.get(name) is not None and self.shown(uid) not in (None, str(now)) and cleaned[name] != now:
                self.changed_elsewhere[uid] = now
                text = gettext("It was changed to %(now)d while you were typing %(typed)d.")
                self.add_error(name, text % {"now": now, "typed": cleaned[name]})
        return cleaned

    def shown(self, uid: str) -> str | None:
        """The quantity of an element when the page was rendered; None if the page did not send it."""
        return self.data.get(f"initial-quantity-{uid}")

    def typed(self, uid: str) -> str | None:
        """The submitted quantity of an element; None if it was not changed."""
        name = f"quantity-{uid}"
        return self.data[name] if name in self.fields else None

    def quantities(self) -> dict[str, int]:
        """The new quantity of each element whose quantity changes, by id."""
        sent = {uid: self.cleaned_data.get(f"quantity-{uid}") for uid in self.changed}
        return {uid: new for uid, new in sent.items() if new is not None and new != self.changed[uid].quantity}


def _quantity_field(label: str) -> forms.IntegerField:
    text = gettext("Enter a whole number from 0 to 10,000.")
    messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), text)
    return forms.IntegerField(label=label, min_value=0, max_value=10_000, error_messages=messages)


class SelectedElementsForm(RosterPageForm):
    """The roster page with its selected elements. Those that were deleted meanwhile are left out."""

    pick = forms.Field(widget=forms.SelectMultiple, error_messages={"required": _("Select at least one first.")})

    def clean_pick(self) -> list[str]:
        picked = set(self.cleaned_data["pick"])
        selected = [str(uid) for uid in self.elements if uid in picked]
        if not selected:
            raise forms.ValidationError(self.fields["pick"].error_messages["required"], code="required")
        return selected

    @property
    def selected(self) -> list[Element]:
        """The selected elements."""
        return [self.elements[uid] for uid in self.cleaned_data["pick"]]


class MoveForm(SelectedElementsForm):
    """Selected elements, the formation to move them to, and its element ``before`` which to insert them, if any."""

    before = forms.CharField(required=False, strip=False)
    to = forms.ChoiceField(error_messages={"invalid_choice": _("That is no longer in the roster. Choose another.")})

    def __init__(self, data: QueryDict, *, document: AnyDocument) -> None:
        super().__init__(data, document=document)
        self.fields["to"].choices = [  # type: ignore[attr-defined]
            (formation.id, formation.name) for formation in document.formations
        ]


class InsertFormationForm(RosterPageForm):
    """The roster page with the formation ``before`` which to insert another, or none for the end."""

    before = forms.CharField(required=False, strip=False)


class CellForm(forms.Form):
    """One field of one element, with the value that the page showed and the new one."""

    element = forms.CharField(strip=False)
    field = forms.ChoiceField()
    expected = forms.CharField(required=False, strip=False)
    value = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict, *, fields: Sequence[str]) -> None:
        super().__init__(data)
        self.fields["field"].choices = [(name, name) for name in fields]  # type: ignore[attr-defined]


class LineForm(forms.Form):
    """A line of quick add, the formation to add to, the number of the selected parse, and whether to add it although
    its element is invalid.
    """

    line = forms.CharField(required=False, strip=False, max_length=MAX_LINE)
    parse = forms.IntegerField(required=False, min_value=0, max_value=99)
    anyway = forms.BooleanField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields["in"] = forms.CharField(required=False, strip=False)

    def clean(self) -> dict[str, Any]:
        return {"line": self.data.get("line", ""), "in": "", "parse": None, "anyway": False, **self.cleaned_data}


class PasteForm(forms.Form):
    """A list of lines, and whether to add all of them, or only the valid ones."""

    text = forms.CharField(label=_("List"), strip=False, max_length=65_536, widget=forms.Textarea(attrs={"rows": 14}))
    save = forms.BooleanField(required=False)
    understood = forms.BooleanField(required=False)


class ElementFields(forms.Form):
    """Some fields of one element's form, among those of other elements.

    Each is sent with its value when the page was rendered, so that an old page does not undo what another tab has
    changed. If both have changed a field, that is an error with the code "conflict" and a ``conflict_text`` of label,
    stored and submitted value.
    """

    def __init__(
        self,
        data: QueryDict | None,
        form: forms.Form,
        names: Sequence[str],
        conflict_text: Callable[[str, str, str], str],
    ) -> None:
        element = form.before  # type: ignore[attr-defined]
        initial = {name: "".join(submitted_values(form, name)[:1]) for name in names}
        super().__init__(data, prefix=str(element.id), initial=initial)
        self.element, self.names, self.conflict_text = element, names, conflict_text
        for name in names:
            field = self.fields[name] = form.fields[name]
            field.show_hidden_initial = True
            if isinstance(field, forms.ChoiceField):
                field.widget = forms.Select(choices=cast(Any, field.choices))
            field.widget.attrs |= {"aria-label": f"{translate(element.display_name)}: {field.label}"}
            if data is not None:
                take_theirs(data, self.add_prefix(name), [data.get(self.add_initial_prefix(name), "")])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name, typed in self.changes().items():
            now, shown = self.initial[name], self.add_initial_prefix(name)
            if now not in (self.data.get(shown), typed):
                theirs, yours = display_values(self, name, [now]), display_values(self, name, [typed])
                text = self.conflict_text(str(self[name].label), theirs, yours)
                self.add_error(name, conflict_error(text, self.add_prefix(name), [typed], [now]))
                cast(QueryDict, self.data)[shown] = now
        return cleaned

    def cells(self) -> list[forms.BoundField]:
        """The fields in the order of the table's columns."""
        return [self[name] for name in self.names]

    def changes(self) -> dict[str, str]:
        """The submitted values of the changed fields."""
        return {name: self.data.get(self.add_prefix(name), "") for name in self.changed_data}


class CopySearchForm(PaginationForm):
    """The query of the page for copying elements: a source and its page, the formation to copy into, search words."""

    q = forms.CharField(required=False, max_length=120)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields["from"] = forms.CharField(required=False, max_length=64, strip=False)
        self.fields["in"] = forms.CharField(required=False, max_length=64, strip=False)


class CopyForm(forms.Form):
    """The element or the formation of the source to copy, and the formation that elements are copied into."""

    element = forms.CharField(required=False, strip=False)
    formation = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields["from"] = forms.CharField()
        self.fields["in"] = forms.CharField(required=False, strip=False)
