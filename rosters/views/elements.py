"""The form of one element, with its receipt and findings beside it."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from rosters import appraisals, edits, pages, registry
from rosters.access import EDITOR, allow
from rosters.appraisals import terms_of
from rosters.documents import Element, new_id
from rosters.forms import ElementForm
from rosters.reference import reference
from rosters.views.bench import Bench, editor


def wanted_element(bench: Bench) -> tuple[Any, Element | None]:
    """The formation and the element that the address names: ?id= an element, or ?in= a formation to add to."""
    asked = bench.request.GET
    try:
        if "id" in asked:
            return edits.find_element(bench.document, asked["id"])
        return edits.find_formation(bench.document, asked.get("in", "")), None
    except edits.Gone:
        raise Http404("That is no longer in the roster.") from None


def element_form(bench: Bench, element: Element | None, data: QueryDict | None) -> ElementForm:
    """The system's form for this element, or for a new one."""
    terms = terms_of(bench.document, reference())
    form: ElementForm = bench.system.forms.ElementForm(data, system=bench.system, terms=terms, element=element)
    return form


def edit_of(formation: Any, made: Element) -> edits.Edit:
    """The edit that saving an element form makes; the preview makes the same one."""
    return edits.put_element(made) if made.id else edits.add_elements(formation.id, [made])


def preview(bench: Bench, formation: Any, form: ElementForm) -> dict[str, Any]:
    """The receipt and the findings of what the form says now, in the roster as it would become."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    made = form.element if form.is_bound else form.before
    if made is None:
        return {"empty": True}
    identified = made if made.id else edits.changed(made, id="new")
    document = (
        edits.put_element(made)(bench.document)
        if made.id
        else edits.add_elements(formation.id, [identified])(bench.document)
    )
    appraisal = registry.appraise(document, reference())
    place = next(
        (f, e)
        for f, each in enumerate(document.formations)
        for e, element in enumerate(each.elements)
        if element.id == identified.id
    )
    priced = appraisal.formations[place[0]].elements[place[1]]
    where = f"formations/{place[0]}/elements/{place[1]}"
    found = pages.findings(document, appraisal.findings)
    return {
        "priced": priced,
        "each": pages.shown(priced.each),
        "each_exact": appraisals.to_json(appraisal)["formations"][place[0]]["elements"][place[1]]["each"],
        "points": pages.shown(priced.points),
        "receipt": pages.receipt(priced),
        "own": [finding for finding in found if finding["where"] == where],
        "others": [finding for finding in found if finding["where"] != where],
        "total": pages.shown(appraisal.points),
        "budget": pages.budget_of(appraisal),
        "appraisal": appraisal,
    }


@allow(EDITOR, "GET", "POST")
@editor
def element(bench: Bench) -> HttpResponse:
    """The form of one element. Its buttons save it, or only show what it would be worth."""
    formation, before = wanted_element(bench)
    sent = bench.request.POST if bench.request.method == "POST" else None
    form = element_form(bench, before, sent)
    if sent is not None and sent.get("do", "save") != "show" and form.is_valid() and form.element:
        return save_element(bench, formation, form.element, again=sent.get("do") == "again")
    status = 422 if sent is not None and sent.get("do", "save") != "show" else 200
    context = {"form": form, "formation": formation, "element": before, "preview": preview(bench, formation, form)}
    return bench.draw("rosters/element.html", context, status=status)


def save_element(bench: Bench, formation: Any, made: Element, *, again: bool) -> HttpResponse:
    new = edits.changed(made, id=made.id or new_id())
    edit = edits.put_element(new) if made.id else edits.add_elements(formation.id, [new])
    verb = "Changed" if made.id else "Added"
    bench.apply(edit, f"{verb} {made.name}")
    if again:
        address = reverse("element", args=[bench.roster.token])
        return redirect(f"{address}?{urlencode({'in': formation.id})}")
    return bench.back(f"e-{new.id}")


@allow(EDITOR, "POST")
@editor
def element_preview(bench: Bench) -> HttpResponse:
    """The receipt and findings beside the form, while it is filled in."""
    formation, before = wanted_element(bench)
    form = element_form(bench, before, bench.request.POST)
    return bench.draw("rosters/_preview.html", {"form": form, "preview": preview(bench, formation, form)})
