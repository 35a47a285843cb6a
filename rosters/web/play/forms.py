"""The forms of the play page. Each sends the new state of a box or the turn, so that it can be sent again."""

from dataclasses import dataclass
from typing import Any

from django import forms

from rosters.store.play import MAX_TURN


@dataclass(frozen=True)
class BoxAddress:
    """Where a box is: its element, the number of the model, the key of the track, and the number of the box."""

    element: str
    model: int
    track: str
    box: int

    def __str__(self) -> str:
        return f"{self.element} {self.model} {self.track} {self.box}"


class BoxForm(forms.Form):
    """A box, and whether it shall be marked (1) or clear (0)."""

    box = forms.RegexField(r"(?s)\A.+ [0-9]{1,5} [a-z_]+ [0-9]{1,5} [01]\Z", strip=False)

    def clean(self) -> dict[str, Any]:
        if "box" not in self.cleaned_data:
            return self.cleaned_data
        element, model, track, box, marked = self.cleaned_data["box"].rsplit(" ", 4)
        return {"address": BoxAddress(element, int(model), track, int(box)), "marked": marked == "1"}


class TurnForm(forms.Form):
    """The new turn, and the one that the page showed."""

    turn = forms.IntegerField(min_value=0, max_value=MAX_TURN)
    shown_turn = forms.IntegerField(min_value=0, max_value=MAX_TURN)


class ShownForm(forms.Form):
    """What the page shows: models from a number on, in a battle, of a side there. Unreadable values are left out."""

    start = forms.IntegerField(required=False, min_value=0, max_value=99_999_999)
    battle = forms.CharField(required=False, max_length=32)
    side = forms.IntegerField(required=False, min_value=1, max_value=99)
