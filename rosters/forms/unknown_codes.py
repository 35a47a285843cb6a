"""Unknown and duplicate codes of a profile: each gets a checkbox of its own, to be removed by clearing it.

A profile from a document may list codes that the rulebook does not have, or a code twice. A form has one checkbox for
each known code; all others go into an `UnknownCodesField`, so that opening and saving a form loses nothing and keeps
the order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django import forms
from django.utils.translation import gettext


class UnknownCodesField(forms.MultipleChoiceField):
    """Checkboxes, initially all selected, for unknown codes. ``labels`` maps the key of each checkbox to its label."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, labels: Mapping[str, str]) -> None:
        super().__init__(choices=[*labels.items()], initial=[*labels], required=False, label=gettext("Unknown codes"))
        self.help_text = gettext("Selected codes stay in the roster.")


class CodeSelection:
    """A list of codes, divided into known ones, at most one each (``selected``), and all others as written."""

    def __init__(self, codes: Iterable[str], known: Iterable[str]) -> None:
        self.codes, self.known = [*codes], [*known]
        first = {code: place for place, code in reversed([*enumerate(self.codes)])}
        self.selected = [code for code in self.known if code in first]
        places = {first[code] for code in self.selected}
        self.others = {str(place): code for place, code in enumerate(self.codes) if place not in places}

    def labels(self, label: Callable[[str], str]) -> dict[str, str]:
        """The label of each other code by its key; ``label`` describes a code."""
        return {key: label(code) for key, code in self.others.items()}

    def changed(self, codes: Sequence[str], keys: Sequence[str]) -> list[str]:
        """The codes after a selection: those that remain, in their order, then the new ones."""
        selected = set(codes)
        remaining = (
            code
            for place, code in enumerate(self.codes)
            if (str(place) in keys if str(place) in self.others else code in selected)
        )
        return [*remaining, *(code for code in self.known if code in selected and code not in self.selected)]
