"""Fixes of findings: edits that each game declares in its `fixes.py` by the code of the finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from rosters.core import edits
from rosters.core.amounts import Amount, format_amount, to_amount
from rosters.core.appraisals import (
    Appraisal,
    AppraisedElement,
    RosterState,
    Rulebook,
    appraise,
    appraise_elements,
    finding_type,
    terms_of,
)
from rosters.core.documents import AnyDocument, Element, new_id
from rosters.core.edits import Edit
from rosters.core.findings import Problem
from rosters.core.messages import Message, _
from rosters.core.rulebook import Terms
from rosters.core.values import Profile

MAX_CHOICES = 20
"""The most fixes that are offered for one finding, the best first."""
MAX_CONSIDERED = 200
"""The most fixes of one finding of which the best are chosen."""
MAX_REMOVALS = 3
"""The most elements whose removal is offered to a roster above its points limit."""
MAX_APPRAISED = 40
"""The most elements of a roster that is appraised with each fix of its own, as with each possible general."""
MAX_TRIED = 12
"""The most removals that are tried, each by appraising the roster without."""
MAX_LIMIT = 1_000_000
"""The highest points limit that the form of a roster's settings takes."""


class Fix(NamedTuple):
    """A fix of a finding: the label of its button, and an edit, (for an element's finding) the changed element, or new
    quantities of elements by their ids, 0 to delete one.
    """

    label: Message
    change: Edit | Element | Mapping[str, int]


class Offer(NamedTuple):
    """A fix at a place: the edit, and how it changes the points, which is computed where one element changes."""

    edit: Edit
    points: Amount = 0


def combine_offers(offers: Iterable[Offer]) -> Offer:
    """The same fix at several places as one."""
    several = [*offers]
    return Offer(edits.compose_edits(each.edit for each in several), sum(each.points for each in several))


Fixer = Callable[[Any, Any], Iterable[Fix]]
"""Yields the fixes of a finding in a document, given the element, formation or document concerned."""


class Fixes(Protocol):
    """The interface of every ``systems/<x>/fixes.py``."""

    @property
    def FIXES(self) -> Mapping[str, Fixer]:
        """Fixers by the codes of findings. Not every finding has one."""


def fixes_of(
    roster: RosterState, rules: Rulebook, fixers: Mapping[str, Fixer], code: str, where: str
) -> dict[Message, Offer]:
    """What removes a finding at a place, or lowers its count, by the labels of the fixes.

    First what adds points that are left, then what takes points away, each beginning with the smallest change.
    """
    document = roster.document
    if code == "over-budget":
        return {**dict(_removals(roster, rules)), **_raise_limit(roster.appraisal)}
    if code not in fixers:
        return {}
    fixes: dict[Message, Offer] = {}
    for fix in islice(fixers[code](document, _place(document, where)), MAX_CONSIDERED):
        offer = _offer(roster, rules, code, where, fix)
        if offer:
            fixes.setdefault(fix.label, offer)
    left = max(_left(roster.appraisal), 0)

    def order(fix: tuple[Message, Offer]) -> tuple[bool, bool, Amount]:
        points = fix[1].points
        return points > left, points < 0, max(points, -points)

    return dict(sorted(fixes.items(), key=order)[:MAX_CHOICES])


def _offer(roster: RosterState, rules: Rulebook, code: str, where: str, fix: Fix) -> Offer | None:
    """A fix with the points that it changes; None if it does not help."""
    change = fix.change
    if isinstance(change, Mapping):
        return _quantities(roster, change)
    if not isinstance(change, Element):
        few = not where and len(roster.document.elements) <= MAX_APPRAISED
        try:
            return Offer(change, _points_after(roster, rules, change) if few else 0)
        except edits.LimitExceeded:  # a general that is split off is one element more
            return None
    terms, before = terms_of(roster.document), _appraised_at(roster, where)
    if not _improves(rules, code, before.problems, rules.check_element(change, terms)):
        return None
    return Offer(edits.replace_element(change), _points(rules, change, terms) - (before.priced.points or 0))


def _appraise_after(roster: RosterState, rules: Rulebook, edit: Edit) -> Appraisal:
    after = edit(roster.document)
    known = roster.appraised if terms_of(after) == terms_of(roster.document) else None
    return appraise(after, rules, appraise_elements(after, rules, known))


def _points_after(roster: RosterState, rules: Rulebook, edit: Edit) -> Amount:
    return (_appraise_after(roster, rules, edit).exact or 0) - (roster.appraisal.exact or 0)


def _quantities(roster: RosterState, quantities: Mapping[str, int]) -> Offer:
    changed = [each for each in roster.appraised_elements if each.element.id in quantities]
    points: Amount = sum(
        (each.priced.unit_points or 0) * (quantities[str(each.element.id)] - each.element.quantity) for each in changed
    )
    remaining = {uid: quantity for uid, quantity in quantities.items() if quantity}
    deletion = edits.delete_elements(quantities.keys() - remaining.keys())
    return Offer(edits.compose_edits([edits.set_quantities(remaining), deletion]), points)


def _left(appraisal: Appraisal) -> Amount:
    """The points that are left of the limit; without one there is no end of them."""
    if appraisal.budget is None or appraisal.points is None:
        return MAX_LIMIT
    return to_amount(appraisal.budget) - max(appraisal.points, appraisal.exact or 0)


def _points(rules: Rulebook, element: Element, terms: Terms[Any]) -> Amount:
    """The points of all models of an element; 0 without points."""
    receipt = rules.price(element, terms)
    return receipt.unit_points * element.quantity if receipt else 0


def _place(document: AnyDocument, where: str) -> Any:
    """The element, formation or document that a finding is about."""
    _, *numbers = where.split("/")
    if not numbers:
        return document
    formation = document.formations[int(numbers[0])]
    return formation if len(numbers) == 1 else formation.elements[int(numbers[2])]


def _removals(roster: RosterState, rules: Rulebook) -> Iterator[tuple[Message, Offer]]:
    """Of one element as few models as bring the roster within its limit, the nearest below it first.

    Nothing that adds an error elsewhere, as the roster without its commander.
    """
    over = -_left(roster.appraisal)
    priced = ((each.element, each.priced.unit_points or 0) for each in roster.appraised_elements)
    numbers = ((element, points, ceil(over / points)) for element, points in priced if points > 0)
    enough = [(n * points, n, element) for element, points, n in numbers if n <= element.quantity]
    fixes = (remove_models(element, n) for _, n, element in sorted(enough, key=itemgetter(0, 1))[:MAX_TRIED])
    offers = ((fix.label, _quantities(roster, fix.change)) for fix in fixes if isinstance(fix.change, Mapping))
    yield from islice((each for each in offers if _does_no_harm(roster, rules, each[1].edit)), MAX_REMOVALS)


def _does_no_harm(roster: RosterState, rules: Rulebook, edit: Edit) -> bool:
    """Whether a roster above its limit has, after an edit, that error no more and no other more often."""
    appraisal = _appraise_after(roster, rules, edit)
    before = Counter(finding.code for finding in roster.appraisal.findings if finding.code != "over-budget")
    return not Counter(finding.code for finding in appraisal.findings if finding.severity == "error") - before


def _raise_limit(appraisal: Appraisal) -> dict[Message, Offer]:
    limit = ceil(max(appraisal.points or 0, appraisal.exact or 0))
    if limit > MAX_LIMIT:
        return {}
    return {_("Raise the limit to {limit}").format(limit=format_amount(limit)): Offer(edits.settings(budget=limit))}


def _appraised_at(roster: RosterState, where: str) -> AppraisedElement:
    _, formation, _, element = where.split("/")
    return roster.appraised[int(formation)].elements[int(element)]


def _improves(rules: Rulebook, code: str, before: Iterable[Problem], after: Iterable[Problem]) -> bool:
    """Whether an element has a finding less often after a change, and no other error more often."""
    old, new = (Counter(problem.code for problem in each) for each in (before, after))
    worse = (each for each in new if new[each] > old[each])
    return new[code] < old[code] and all(finding_type(rules, each).severity != "error" for each in worse)


# ---------------------------------------------------------------- for the games


def set_fields(label: Message, **fields: Any) -> Fixer:
    """The fix that gives an element these values."""
    return lambda document, element: [Fix(label, element.replace(**fields))]


def set_to_each(field: str, labels: Mapping[Any, Message]) -> Fixer:
    """A fix for each value of a field, by their labels."""
    return lambda document, element: [Fix(label, element.replace(**{field: value})) for value, label in labels.items()]


def combine(*fixers: Fixer) -> Fixer:
    """The fixes of several fixers."""
    return lambda document, place: [fix for fixer in fixers for fix in fixer(document, place)]


def elements_of(document: AnyDocument) -> Iterator[Any]:
    """The elements of a roster with at least one model."""
    return (element for element in document.elements if element.quantity)


def change_one(element: Element, **fields: Any) -> Edit:
    """Change one model of an element, and split it off the others."""
    if element.quantity == 1:
        return edits.replace_element(element.replace(**fields))
    new = new_id()

    def edit(document: AnyDocument) -> AnyDocument:
        after = edits.Split(str(element.id), new)(document)
        return edits.replace_element(edits.find_element(after, new)[1].replace(**fields))(after)

    return edit


def set_in_one(elements: Sequence[Element], chosen: Element, field: str, off: Any) -> Edit:
    """Leave a field set in one model of ``chosen``, and set it to ``off`` in all other models."""

    def edit(document: AnyDocument) -> AnyDocument:  # made here: a page shows many fixes, of which one is chosen
        cleared = [element.replace(**{field: off}) for element in elements]
        one = change_one(chosen.replace(**{field: off}), **{field: getattr(chosen, field)})
        return edits.compose_edits([edits.replace_elements(cleared), one])(document)

    return edit


def remove_models(element: Element, number: int) -> Fix:
    """The fix that removes some models of an element, or the element with all of them."""
    name, rest = element.display_name, element.quantity - number
    text = _("Remove {n} of {name}").format(n=number, name=name) if rest else _("Remove {name}").format(name=name)
    return Fix(text, {str(element.id): rest})


def remove_or_fill(remove: Message, fill: Message) -> Fixer:
    """The fix of a formation without models: remove it, or give each element one."""

    def fixer(document: Any, formation: Any) -> Iterator[Fix]:
        if formation.elements:
            yield Fix(fill, edits.set_quantities({str(each.id): 1 for each in formation.elements}))
        else:
            yield Fix(remove, edits.delete_formation(str(formation.id)))

    return fixer


def codes_without(profile: Profile, field: str, codes: Iterable[str]) -> tuple[Any, ...]:
    """A list of codes without some of them."""
    removed = set(codes)
    return tuple(code for code in getattr(profile, field) if code not in removed)
