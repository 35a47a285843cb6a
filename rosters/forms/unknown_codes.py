"""What a form cannot offer, shown as it was written: each such code has a box of its own that keeps it or drops it.

A profile read from a document may list codes that the rulebook does not know, or one of them twice. A form has
one tick for each code that it knows; what the ticks cannot say stands in an `AsWritten` field, so that opening
and saving a form loses nothing, and keeps the order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django import forms


class UnknownCodesField(forms.MultipleChoiceField):
    """Boxes, all ticked at first, for what a profile holds as written. ``labels`` maps each box's key to its words."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, labels: Mapping[str, str]) -> None:
        super().__init__(choices=[*labels.items()], initial=[*labels], required=False, label="As written")
        self.help_text = "Nothing here is lost unless you untick it."


class CodeSelection:
    """A list of codes as ticks, at most one for each that is known, and all the others as written."""

    def __init__(self, codes: Iterable[str], known: Iterable[str]) -> None:
        self.codes, self.known = [*codes], [*known]
        first = {code: place for place, code in reversed([*enumerate(self.codes)])}
        self.ticked = [code for code in self.known if code in first]
        places = {first[code] for code in self.ticked}
        self.others = {str(place): code for place, code in enumerate(self.codes) if place not in places}

    def labels(self, label: Callable[[str], str]) -> dict[str, str]:
        """The words for each of the others, by its key; ``label`` says what is the matter with a code."""
        return {key: label(code) for key, code in self.others.items()}

    def changed(self, ticked: Sequence[str], kept: Sequence[str]) -> list[str]:
        """The codes with these ticks and these others: what stays in its order, then what is new."""
        wanted, keys = set(ticked), set(kept)
        stays = (
            code
            for place, code in enumerate(self.codes)
            if (str(place) in keys if str(place) in self.others else code in wanted)
        )
        return [*stays, *(code for code in self.known if code in wanted and code not in self.ticked)]
