"""The price of one element on the home page, which changes while its stats do: what a receipt is, tried out."""

from functools import cache
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from rosters import registry
from rosters.core.appraisals import terms_of
from rosters.core.documents import Element, Formation
from rosters.core.reference import fixture
from rosters.drawing.svg import svg
from rosters.registry import SYSTEMS, System
from rosters.web import roster_page
from rosters.web.http.permissions import public_view
from rosters.web.library import pictures
from rosters.web.roster_page import Points, ReceiptStep


class StatSlider(NamedTuple):
    """A stat that can be changed: its field, the range of its slider, and what follows its value."""

    name: str
    least: int
    most: int
    step: int
    unit: str


class Price(NamedTuple):
    """An element as the home page shows it, with the steps of its receipt that change the price."""

    system: System
    name: str
    counter: SafeString
    receipt: tuple[ReceiptStep, ...]
    unit_points: Points


def _example() -> tuple[str, Element, tuple[StatSlider, ...]]:
    """The sample roster, its element, and the stats that can be changed."""
    example = fixture("home")["price"]
    return (
        example["army"],
        pictures.element(example["army"], example["element"]),
        tuple(StatSlider(*s) for s in example["stats"]),
    )


class PriceForm(forms.Form):
    """The stats of the element. What is not valid is as it was."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="price_%s")
        army, element, stats = _example()
        labels = pictures.army(army)
        for name, least, most, step, unit in stats:
            widget = forms.NumberInput({"type": "range", "step": step})
            field = forms.IntegerField(min_value=least, max_value=most, required=False, widget=widget)
            field.label = SYSTEMS[labels.system].rules.LABELS[name]
            field.initial, field.unit = getattr(element, name), unit  # type: ignore[attr-defined]
            self.fields[name] = field
        self.is_valid()
        cleaned = getattr(self, "cleaned_data", {})
        self.values = {name: cleaned.get(name) or field.initial for name, field in self.fields.items()}

    @property
    def sliders(self) -> list[tuple[Any, str]]:
        """Each field with its value as shown."""
        return [(self[name], f"{value}{self.fields[name].unit}") for name, value in self.values.items()]  # type: ignore[attr-defined]

    @property
    def price(self) -> Price:
        return _price(tuple(self.values.items()))


@cache  # 40 % of a new price, a fifth of the home page
def _price(values: tuple[tuple[str, int], ...]) -> Price:
    """The element with these stats, appraised like that of any roster."""
    army, sample, _stats = _example()
    document = pictures.army(army)
    element = sample.replace(quantity=1, **dict(values))
    alone = document.replace(formations=(Formation[Any](name="", elements=(element,)),))
    [[appraised]] = (formation.elements for formation in registry.appraise_elements(alone))
    system = SYSTEMS[document.system]
    counter = mark_safe(svg(system.drawing.counter_of(element, terms_of(alone)), "medium"))
    *steps, total = roster_page.receipt(appraised.priced)
    before = ("0", *(step.exact for step in steps))
    receipt = (*(step for step, subtotal in zip(steps, before, strict=False) if step.exact != subtotal), total)
    return Price(system, element.name, counter, receipt, roster_page.points(appraised.priced.unit_points))


@public_view("GET")
def price(request: HttpRequest) -> HttpResponse:
    """The price of the element with the stats of the query."""
    return render(request, "library/_price_result.html", {"price_form": PriceForm(request.GET), "swapped": True})
