"""The copy of a roster for everybody but its owner: without what the owner hides, in document and appraisal alike.

PURE. Points tell of the whole roster, also of what is secret in it. All else on the copy (models, facts, findings)
tells of what the copy shows: so it never tells how many secret models there are, and a note says that there is
something. With the points hidden nothing would give the secret away, and there is no such note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rosters.core.appraisals import Appraisal, Facts, PricedFormation, Rulebook, terms_of
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.core.edits import replace_fields
from rosters.core.findings import SHARED_FINDINGS, Finding, Problem
from rosters.core.receipts import Totals
from rosters.core.rulebook import Terms

HIDDEN_ERROR = Finding("hidden", "error", "", "Something hidden on this copy is not legal.")
SECRET = Finding("something-secret", "note", "", "Something secret is not on this copy.")
SECRET_IN_POINTS = SECRET._replace(message="Something secret is not on this copy; the points count it.")


class Hidden(NamedTuple):
    """What the owner hides from others: all points, all notes, the elements that are marked secret."""

    points: bool = False
    notes: bool = False
    secrets: bool = False


# ---------------------------------------------------------------- the document


def redact(document: AnyDocument, hidden: Hidden) -> AnyDocument:
    """The document without what is hidden. Ids stay; nobody learns which of the elements shown are marked secret.

    Elements that hide nothing are the very same objects.
    """
    fields: dict[str, Any] = {"formations": tuple(_formation(formation, hidden) for formation in document.formations)}
    if hidden.notes:
        fields["notes"] = ""
    if hidden.points:
        fields["budget"] = None
    return replace_fields(document, **fields)


def _formation(formation: Formation[Any], hidden: Hidden) -> Formation[Any]:
    shown = tuple(_element(element, hidden) for element in formation.elements if _is_shown(element, hidden))
    return replace_fields(formation, elements=shown, notes="" if hidden.notes else formation.notes)


def _is_shown(element: Element, hidden: Hidden) -> bool:
    return not (hidden.secrets and element.secret)


def _element(element: Element, hidden: Hidden) -> Element:
    without_notes = hidden.notes and element.notes != ""
    if not without_notes and not element.secret:
        return element
    return replace_fields(element, secret=False, notes="" if hidden.notes else element.notes)


# ---------------------------------------------------------------- its appraisal


def redact_appraisal(
    document: AnyDocument,
    appraisal: Appraisal,
    hidden: Hidden,
    rules: Rulebook,
) -> Appraisal:
    """The appraisal that goes with ``redact(document, hidden)``. It is legal exactly if ``appraisal`` is.

    ``document`` is the whole one, ``appraisal`` its own; ``rules`` are those of its system.
    """
    secret = [e for f in document.formations for e in f.elements if not _is_shown(e, hidden)]
    copy = _without_secrets(document, appraisal, rules) if secret else appraisal
    if hidden.points:
        copy = _without_points(copy, rules)
    elif secret:
        copy = _with(copy, SECRET if copy.points is None else SECRET_IN_POINTS)
    return copy if copy.legal == appraisal.legal else _with(copy, HIDDEN_ERROR)


def _with(appraisal: Appraisal, finding: Finding) -> Appraisal:
    return appraisal._replace(findings=(finding, *appraisal.findings))


def _without_secrets(document: AnyDocument, appraisal: Appraisal, rules: Rulebook) -> Appraisal:
    """Totals stay. Models and facts are those of the elements shown."""
    shown, terms = redact(document, Hidden(secrets=True)), terms_of(document)
    secret = [element for formation in document.formations for element in formation.elements if element.secret]
    triples = zip(document.formations, shown.formations, appraisal.formations, strict=True)
    return appraisal._replace(
        quantity=appraisal.quantity - sum(rules.headcount(element) for element in secret),
        findings=tuple(_findings(document, shown, appraisal, rules, terms)),
        formations=tuple(_priced(whole, part, priced, rules, terms) for whole, part, priced in triples),
        facts=rules.roster_facts(shown, terms),
    )


def _priced(
    whole: Formation[Any], part: Formation[Any], priced: PricedFormation, rules: Rulebook, terms: Terms[Any]
) -> PricedFormation:
    """The formation as priced, with the elements of its shown ``part`` only."""
    if len(part.elements) == len(whole.elements):
        return priced
    pairs = zip(whole.elements, priced.elements, strict=True)
    elements = tuple(line for element, line in pairs if not element.secret)
    return priced._replace(elements=elements, facts=rules.formation_facts(part, terms))


def _findings(
    document: AnyDocument, shown: AnyDocument, appraisal: Appraisal, rules: Rulebook, terms: Terms[Any]
) -> Iterator[Finding]:
    """Those about shown elements, at their new places; and of the wider ones those that the shown elements bear out.

    A finding about a formation or the roster may name a secret element or count it. It stays if the rules say
    the same, word for word, of the shown part.
    """
    places, borne_out = _places(document), _borne_out(document, shown, appraisal, rules, terms)
    for finding in appraisal.findings:
        place = places.get(finding.where)
        problems = borne_out.get(finding.where)
        told = problems is None or finding.code == "house-rule" or Problem(finding.code, finding.message) in problems
        if place is not None and told:
            yield finding._replace(where=place)


def _places(document: AnyDocument) -> Mapping[str, str]:
    """Where each thing that is shown stands in the document, and where on the copy."""
    places = {"": ""}
    for f, formation in enumerate(document.formations):
        places[f"formations/{f}"] = f"formations/{f}"
        shown = [e for e, element in enumerate(formation.elements) if not element.secret]
        places |= {f"formations/{f}/elements/{old}": f"formations/{f}/elements/{new}" for new, old in enumerate(shown)}
    return places


def _borne_out(
    document: AnyDocument, shown: AnyDocument, appraisal: Appraisal, rules: Rulebook, terms: Terms[Any]
) -> Mapping[str, frozenset[Problem]]:
    """What the rules say of the shown part of the roster and of each formation that holds a secret, by place.

    The points stay those of the whole, so that findings about them stay as well.
    """
    of_formations = tuple(priced.points or 0 for priced in appraisal.formations)
    totals = Totals(None if appraisal.points is None else of_formations, appraisal.points, appraisal.exact)
    found = {"": frozenset(rules.check_roster(shown, totals, terms))}
    for f, (whole, part) in enumerate(zip(document.formations, shown.formations, strict=True)):
        if len(part.elements) < len(whole.elements):
            found[f"formations/{f}"] = frozenset(rules.check_formation(part, terms))
    return found


# ---------------------------------------------------------------- without points


def _without_points(appraisal: Appraisal, rules: Rulebook) -> Appraisal:
    """No amounts, no receipts, and only those findings and facts that are declared to tell no points."""
    meanings = {**SHARED_FINDINGS, **rules.FINDINGS}
    shown = {HIDDEN_ERROR.code, SECRET.code}
    shown |= {code for code, meaning in meanings.items() if not meaning.tells_points}
    return appraisal._replace(
        points=None,
        exact=None,
        budget=None,
        findings=tuple(finding for finding in appraisal.findings if finding.code in shown),
        formations=tuple(_unpriced_formation(formation, rules) for formation in appraisal.formations),
        facts=_shown_facts(appraisal.facts, rules),
    )


def _unpriced_formation(formation: PricedFormation, rules: Rulebook) -> PricedFormation:
    elements = tuple(
        element._replace(each=None, points=None, receipt=None, facts=_shown_facts(element.facts, rules))
        for element in formation.elements
    )
    return formation._replace(points=None, exact=None, elements=elements, facts=_shown_facts(formation.facts, rules))


def _shown_facts(facts: Facts, rules: Rulebook) -> Facts:
    """Undeclared facts, such as those of an earlier edition, are hidden too."""
    return {name: value for name, value in facts.items() if name in rules.FACTS and not rules.FACTS[name].tells_points}
