"""The forms of the play page: which box was tapped, and whether the turn goes forward or back."""

from dataclasses import dataclass

from django import forms


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
    """A tapped box."""

    box = forms.RegexField(r"(?s)\A.+ [0-9]{1,5} [a-z_]+ [0-9]{1,5}\Z", strip=False)

    def clean_box(self) -> BoxAddress:
        element, model, track, box = self.cleaned_data["box"].rsplit(" ", 3)
        return BoxAddress(element, int(model), track, int(box))


class TurnForm(forms.Form):
    """A step of the turn counter."""

    step = forms.TypedChoiceField(choices=[("1", "+1"), ("-1", "−1")], coerce=int)
